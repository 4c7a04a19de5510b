//! What a function does with the memory that its caller gives it.
//!
//! A function that stays a call is analysed by itself, and what it does is said in terms of its parameters: which pointers it leaves where, what
//! it reads, writes and gives back, what it returns. Its callers then need not take it to do everything with everything.
//!
//! Functions that call each other (and only those) start from "does nothing" and are analysed until nothing is added; since more in the callees gives
//! more in the callers and nothing is ever taken back, that ends, and what holds then is true of every depth of recursion.

use super::calls::summarised_callee;
use super::dependence::Dependence;
use super::joins::Joined;
use super::left::{self, Told};
use super::widening::widen;
use super::windows::{Window, windows};
use super::{Cell, Known, Made, Memory, Object, ObjectId, ObjectSet, Spot, Way, Ways};
use crate::analysis::bits::{self, Flow, Grain};
use crate::analysis::casts::makes_addresses;
use crate::ir::{Callee, Func, Op};
use crate::llvm::{Function, Value};
use crate::maps::{HashMap, HashSet};
use crate::rule::{Effect, Registry};
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Functions that are analysed together; beyond it they count as opaque.
const MOST_FUNCTIONS: usize = 400;
/// Rounds until functions that call each other must have settled.
const MOST_ROUNDS: usize = 16;
/// Rounds after which cells that go on and on are told together.
const EXACT_ROUNDS: usize = 5;
/// Rounds after which the ways of bits that go on and on are told coarsely.
const FINE_ROUNDS: usize = 9;

/// A part of memory as a caller can name it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Node {
    /// What a parameter points to.
    Param(u32),
    /// What pointers lead to from there, one after the other.
    Way(u32, Way),
    /// Whatever can be reached from there.
    Behind(u32),
    /// Whatever can be reached from what such a way leads to.
    Beyond(u32, Way),
    /// What the function (or one that it calls) allocates, by what lies there.
    Made(Made),
    /// A global variable, by its number in [`Summary::globals`].
    Global(u32),
}

/// What a function does with memory.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Summary {
    /// Pointers that it leaves.
    pub left: Told,
    /// What its result may point to.
    pub returned: BTreeSet<Node>,
    /// What it reads.
    pub read: BTreeSet<Node>,
    /// What it writes.
    pub written: BTreeSet<Node>,
    /// What of it depends on what.
    pub dependence: Dependence,
    /// What it gives back to the allocator.
    pub freed: BTreeSet<Node>,
    /// Globals.
    pub globals: Vec<Value>,
    /// What lies in its parameters' memory.
    pub cells: Vec<(u32, Spot, Cell)>,
    /// The same where it is not one thing.
    pub disputed: Vec<(u32, Spot, Cell)>,
    /// What it accesses itself in what can be reached from there, by the way to it.
    pub paths: Vec<(u32, Way, Spot, Cell)>,
    /// The same where the way is not known.
    pub behind: Vec<(u32, Spot, Cell)>,
    /// Where it moves words of which nothing tells what they are.
    pub words: BTreeSet<Node>,
    /// At which places there.
    pub word_places: Vec<(Node, Spot, Cell)>,
    /// Where it does more to floats that do not begin where floats do by themselves than move them from one such place to another.
    pub rows: BTreeSet<Node>,
    /// Parameters whose memory holds nothing but floats, however much a call without a derivative may reach from there (`write!(log, "{}", x[0])`).
    pub of_floats: BTreeSet<u32>,
    /// What pointers bring together.
    pub joined: Joined,
    /// Floats may lie in what it allocates.
    pub makes_floats: bool,
    /// Where bits go.
    pub bits: Flow,
    /// Where it tells apart what lies behind its parameters.
    pub ways: BTreeMap<u32, Ways>,
    /// Where in its parameters' memory it finds pointers.
    pub windows: BTreeMap<u32, Window>,
    /// Ways through pointers, and those of bits, are told of in part.
    coarse: (bool, Grain),
}

impl Summary {
    /// What it allocates that can be seen by its caller.
    pub fn makes(&self) -> BTreeSet<Made> {
        let made = self.nodes().filter_map(|node| match node {
            Node::Made(kind) => Some(kind),
            _ => None,
        });
        made.collect()
    }

    /// Whether it does anything with what lies behind pointers in a parameter's memory.
    pub fn looks_behind(&self, param: u32) -> bool {
        let looks = |node| matches!(node, Node::Behind(i) | Node::Way(i, _) | Node::Beyond(i, _) if i == param);
        !self.of_floats.contains(&param) && self.nodes().any(looks)
    }

    /// All nodes that it does anything with.
    pub fn nodes(&self) -> impl Iterator<Item = Node> + '_ {
        let sets = [&self.returned, &self.read, &self.written, &self.freed].into_iter().flatten();
        let left =
            self.left.iter().flat_map(|((place, _), targets)| targets.iter().map(|(node, _)| node).chain([place]));
        sets.chain(left).copied()
    }

    /// The ways of all that it says.
    fn all_ways(&self) -> BTreeMap<u32, Ways> {
        let of_nodes = self.nodes().filter_map(|node| match node {
            Node::Way(param, way) | Node::Beyond(param, way) => Some((param, way)),
            _ => None,
        });
        let mut all: BTreeMap<u32, Ways> = BTreeMap::new();
        for (param, way) in of_nodes.chain(self.paths.iter().map(|(param, way, ..)| (*param, *way))) {
            all.entry(param).or_default().add(way.spots());
        }
        all
    }

    /// What a function does, and what was said of it `before` its callees were known better.
    fn of(func: &Func, mut memory: Memory, before: Option<&Summary>) -> Summary {
        let (ways, flows) = before.map_or((false, Grain::default()), |s| s.coarse);
        let ways = memory.tell_coarsely(ways);
        let memory = &memory;
        let globals = memory.objects.iter().filter_map(|object| match object {
            Object::Global(value) => Some(*value),
            _ => None,
        });
        let mut summary = Summary { globals: globals.collect(), ..Summary::default() };
        let nodes = |set: &ObjectSet| set.iter().filter_map(|o| memory.node_of(o)).collect::<Vec<Node>>();
        summary.left = memory.told_left();
        for id in func.inst_ids() {
            let inst = func.inst(id);
            if !func.block(inst.block).returns {
                continue;
            }
            let at = |index: usize| nodes(&memory.points_to(inst.operands[index]));
            let written_at = |index: usize| nodes(&memory.written_at(inst.operands[index]));
            match &inst.op {
                Op::Load => summary.read.extend(at(0)),
                Op::Store => summary.written.extend(written_at(1)),
                Op::MemSet => summary.written.extend(written_at(0)),
                Op::MemCopy => {
                    summary.written.extend(written_at(0));
                    summary.read.extend(at(1));
                }
                Op::Call(Callee::Effect(Effect::Free { pointer, .. })) => summary.freed.extend(written_at(*pointer)),
                Op::Call(Callee::Inert | Callee::Effect(Effect::Allocate { .. })) => {}
                Op::Call(Callee::Effect(Effect::Copy { .. } | Effect::Fill { .. })) | Op::Other(_) => {
                    for operand in &inst.operands {
                        summary.read.extend(nodes(&memory.points_to(*operand)));
                        summary.written.extend(nodes(&memory.points_to(*operand)));
                    }
                }
                Op::Call(_) => {
                    let effects = memory.effects(id);
                    summary.read.extend(nodes(&effects.read));
                    summary.written.extend(nodes(&effects.written));
                    summary.freed.extend(nodes(&effects.freed));
                }
                Op::Return => inst.operands.iter().for_each(|v| summary.returned.extend(nodes(&memory.points_to(*v)))),
                _ => {}
            }
        }
        for (index, object) in memory.objects.iter().enumerate() {
            let cells = memory.cells_of(ObjectId(index as u32)).iter();
            let each = cells.flat_map(|(spot, cells)| cells.iter().map(|cell| (*spot, *cell)));
            match object {
                Object::Param(param) => {
                    for (spot, cell) in each {
                        let alone = memory.cells_of(ObjectId(index as u32))[&spot].len() == 1;
                        let list = if alone { &mut summary.cells } else { &mut summary.disputed };
                        list.push((*param, spot, cell));
                    }
                    let told = memory.foreign_cells(ObjectId(index as u32)).iter();
                    summary.disputed.extend(told.map(|(spot, cell)| (*param, *spot, *cell)));
                }
                Object::Path(..) => {
                    let Some((param, _)) = memory.way_to(ObjectId(index as u32)) else { continue };
                    match memory.told_way(ObjectId(index as u32)) {
                        Some(way) => summary.paths.extend(each.map(|(spot, cell)| (param, way, spot, cell))),
                        None => summary.behind.extend(each.map(|(spot, cell)| (param, spot, cell))),
                    }
                }
                Object::Behind(param) => summary.behind.extend(each.map(|(spot, cell)| (*param, spot, cell))),
                _ => {}
            }
        }
        let is_made = |o: &ObjectId| matches!(memory.node_of(*o), Some(Node::Made(kind)) if kind != Made::Bytes);
        let made = (0..memory.objects.len() as u32).map(ObjectId).filter(is_made);
        summary.makes_floats = made.into_iter().any(|o| memory.may_have_floats(func, o));
        summary.dependence = memory.dependence(func);
        summary.of_floats = of_floats(func, memory);
        summary.words = nodes(&memory.of_words).into_iter().collect();
        summary.word_places = word_places(memory);
        summary.rows = nodes(&memory.rows).into_iter().collect();
        summary.joined = memory.joined(func);
        summary.windows = windows(func, memory);
        let (bits, flows) = bits::flow(func, memory, flows);
        (summary.bits, summary.coarse) = (bits, (ways, flows));
        summary
    }
}

impl Summary {
    /// Tells together what more and more rounds find one after the other.
    fn widen(&mut self, before: &Summary) {
        let by_way =
            |paths: &[(u32, Way, Spot, Cell)]| paths.iter().map(|(p, w, s, c)| ((*p, *w), *s, *c)).collect::<Vec<_>>();
        widen(&mut self.cells, &before.cells);
        widen(&mut self.disputed, &before.disputed);
        self.bits.widen(&before.bits);
        left::widen(&mut self.left, &before.left);
        widen(&mut self.behind, &before.behind);
        widen(&mut self.word_places, &before.word_places);
        self.widen_windows(before);
        let mut paths = by_way(&self.paths);
        widen(&mut paths, &by_way(&before.paths));
        self.paths = paths.into_iter().map(|((param, way), spot, cell)| (param, way, spot, cell)).collect();
    }

    /// The same of the ways that it tells apart.
    fn widen_ways(&mut self, before: &Summary) {
        for (param, ways) in &mut self.ways {
            if let Some(before) = before.ways.get(param) {
                ways.widen(before);
            }
        }
    }
}

/// Summaries of the functions of one module, found when they are asked for.
pub struct Summaries<'a> {
    registry: &'a Registry,
    known: RefCell<HashMap<Function, Option<Rc<Summary>>>>,
    /// Whether numbers may be addresses, where somebody has asked.
    has_addresses: OnceCell<bool>,
}

impl<'a> Summaries<'a> {
    /// Nothing known yet.
    pub fn new(registry: &'a Registry) -> Summaries<'a> {
        Summaries { registry, known: RefCell::default(), has_addresses: OnceCell::new() }
    }

    /// Whether addresses are made of what the source has as numbers, somewhere in the module of a function.
    pub(super) fn has_addresses(&self, func: &Func) -> bool {
        *self.has_addresses.get_or_init(|| makes_addresses(func.module()))
    }

    /// The summary of a function with a body; none where it counts as opaque.
    pub fn of(&self, function: Function) -> Option<Rc<Summary>> {
        if !self.known.borrow().contains_key(&function) {
            self.find(function);
        }
        self.known.borrow().get(&function).cloned().flatten()
    }

    /// Analyses a function and everything that it calls and that is not known.
    fn find(&self, function: Function) {
        let together = self.callees_first(function);
        let is_small = together.len() <= MOST_FUNCTIONS;
        for group in cycles(together) {
            let found = if is_small { self.settle(&group) } else { None };
            let mut known = self.known.borrow_mut();
            for func in group {
                let summary = found.as_ref().and_then(|found| found.get(&func.function)).cloned();
                known.insert(func.function, summary);
            }
        }
    }

    /// Analyses functions that call each other until nothing is added; none where that comes to no end. What else they call is known.
    fn settle(&self, group: &[Func]) -> Option<HashMap<Function, Rc<Summary>>> {
        let mut found: HashMap<Function, Rc<Summary>> = HashMap::default();
        let calls_one = |func: &Func, of: &HashSet<Function>| callees(func).iter().any(|callee| of.contains(callee));
        let mut changed: HashSet<Function> = group.iter().map(|f| f.function).collect();
        let is_cycle = group.iter().any(|func| calls_one(func, &changed));
        for round in 0..MOST_ROUNDS {
            let mut news = HashSet::default();
            for func in group {
                // What calls only such as have not changed since does what it did.
                let is_open = round == 0 || calls_one(func, &changed) || calls_one(func, &news);
                let before = found.get(&func.function);
                if is_open
                    && let summary = self.summarise(func, &found, round)
                    && before.map(Rc::as_ref) != Some(&summary)
                {
                    found.insert(func.function, Rc::new(summary));
                    news.insert(func.function);
                }
            }
            changed = news;
            if changed.is_empty() || !is_cycle {
                return Some(found);
            }
        }
        None
    }

    /// What a function does, if those of its group do what was found of them so far.
    fn summarise(&self, func: &Func, found: &HashMap<Function, Rc<Summary>>, round: usize) -> Summary {
        let callee = |callee: Function| match self.known.borrow().get(&callee) {
            Some(known) => known.clone(),
            None => Some(found.get(&callee).cloned().unwrap_or_default()),
        };
        let before = found.get(&func.function).map(Rc::as_ref);
        let known = Known { callee: &callee, has_addresses: self.has_addresses(func) };
        let memory = Memory::analyze(func, &known, true, &[]);
        let mut summary = Summary::of(func, memory, before);
        if let Some(before) = before.filter(|_| round >= EXACT_ROUNDS) {
            summary.widen(before);
        }
        summary.ways = summary.all_ways();
        if let Some(before) = before.filter(|_| round >= EXACT_ROUNDS) {
            summary.widen_ways(before);
        }
        // Ways of bits of which there is no end, one by one, are told of by larger parts.
        if round >= FINE_ROUNDS && before.is_some_and(|before| before.bits != summary.bits) {
            summary.coarse.1 = summary.coarse.1.coarser();
        }
        summary
    }

    /// A function and what it calls, directly or not, as far as that is not known: callees before callers where there is no cycle.
    fn callees_first(&self, function: Function) -> Vec<Func> {
        let mut seen = HashSet::from_iter([function]);
        let mut order = Vec::new();
        let load = |function| Func::load(function, self.registry);
        let first = load(function);
        let mut stack = vec![(callees(&first), first)];
        while let Some((open, _)) = stack.last_mut() {
            match open.pop() {
                Some(callee) if self.known.borrow().contains_key(&callee) || !seen.insert(callee) => {}
                Some(callee) => {
                    let func = load(callee);
                    stack.push((callees(&func), func));
                }
                None => order.extend(stack.pop().map(|(_, func)| func)),
            }
        }
        order
    }
}

/// The places at which words are moved, as cells of their size.
fn word_places(memory: &Memory) -> Vec<(Node, Spot, Cell)> {
    let all = (0..memory.objects.len() as u32)
        .map(ObjectId)
        .filter_map(|o| Some((memory.node_of(o)?, memory.words.get(&o)?)));
    let places: BTreeSet<(Node, Spot, u64)> =
        all.flat_map(|(node, places)| places.iter().map(move |(spot, bytes)| (node, *spot, *bytes))).collect();
    places.into_iter().map(|(node, spot, bytes)| (node, spot, Cell::Bits(bytes))).collect()
}

/// Parameters in whose memory a function, and all that it calls, finds floats alone.
fn of_floats(func: &Func, memory: &Memory) -> BTreeSet<u32> {
    let mut unknown = ObjectSet::default();
    for id in func.inst_ids() {
        use Effect::{Allocate, Free, Inactive, Marker, Private, Text};
        match &func.inst(id).op {
            Op::Call(
                Callee::Inert
                | Callee::Effect(Allocate { .. } | Free { .. } | Inactive | Marker | Private { .. } | Text { .. }),
            ) => {}
            Op::Call(_) if !memory.is_summarised(id) => {
                unknown.union(&memory.effects(id).read);
                unknown.union(&memory.effects(id).written);
            }
            _ => {}
        }
    }
    let has_floats_alone = |object: ObjectId| {
        let mut cells = memory.all_cells(object).peekable();
        cells.peek().is_some() && cells.all(|(_, cell)| matches!(cell, Cell::Float(_))) && !unknown.contains(object)
    };
    let params = memory.objects.iter().enumerate().filter_map(|(index, object)| match object {
        Object::Param(param) if has_floats_alone(ObjectId(index as u32)) => Some(*param),
        _ => None,
    });
    params.collect()
}

/// Functions with a body that a function calls.
fn callees(func: &Func) -> Vec<Function> {
    func.insts.iter().filter_map(|inst| summarised_callee(&inst.op)).collect()
}

/// Parts functions into groups of such as call each other, directly or not, callees first. (Kosaraju's algorithm: the order is the one in which a search along
/// the calls is done with them, and who leads to the last of them that is left, against the calls, calls it and is called by it.)
fn cycles(order: Vec<Func>) -> Vec<Vec<Func>> {
    let place: HashMap<Function, usize> = order.iter().enumerate().map(|(i, f)| (f.function, i)).collect();
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); order.len()];
    for (caller, func) in order.iter().enumerate() {
        callees(func).iter().filter_map(|c| place.get(c)).for_each(|callee| callers[*callee].push(caller));
    }
    let mut group_of: Vec<Option<usize>> = vec![None; order.len()];
    let mut count = 0;
    for first in (0..order.len()).rev() {
        if group_of[first].is_some() {
            continue;
        }
        let mut open = vec![first];
        while let Some(one) = open.pop() {
            if group_of[one].is_none() {
                group_of[one] = Some(count);
                open.extend(&callers[one]);
            }
        }
        count += 1;
    }
    let mut groups: Vec<Vec<Func>> = (0..count).map(|_| Vec::new()).collect();
    for (func, group) in order.into_iter().zip(group_of) {
        groups[count - 1 - group.unwrap_or_default()].push(func);
    }
    groups
}
