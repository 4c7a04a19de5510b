//! What a function does with the bits of what its caller gives it.
use super::{
    ANYWHERE, Done, Flow, From, MOST_FLOWS, MOST_PLACES, Mark, Origin, Place, Sources, Spot, To, WIDEST, Walk, extents,
    holds_only, is_told_number,
};
use crate::analysis::activity::{float_bound, is_cast_float, leaves};
use crate::analysis::memory::{Memory, Node, ObjectId};
use crate::ir::tag::is_word;
use crate::ir::{Callee, Func, InstId, Op, Val};
use crate::maps::{HashMap, HashSet};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Bytes of a float that pieces are of.
const WIDTH: u64 = 8;
/// Floats of all widths.
const ANY: RangeInclusive<u64> = 0..=WIDEST;

/// The sources of a function, in the order in which they were met: its parameters and the places in their memory.
struct Parameters<'a> {
    func: &'a Func,
    memory: &'a Memory,
    met: RefCell<Met>,
}

/// Sources, each with its number.
#[derive(Default)]
struct Met {
    all: Vec<From>,
    numbers: HashMap<From, usize>,
    /// How many of each kind ([`Met::kind`]).
    counts: [usize; 4],
}

impl Met {
    fn kind(from: &From) -> usize {
        match from {
            From::Place(..) => 0,
            From::Float(..) => 1,
            From::Number(..) => 2,
            From::Value(_) => 3,
        }
    }

    /// The number of a source; of a kind with many, places are not told apart.
    fn number(&mut self, from: From) -> usize {
        let is_full = self.counts[Met::kind(&from)] >= MOST_PLACES;
        let from = match from {
            From::Place(node, _, size) if is_full => From::Place(node, ANYWHERE, size),
            From::Float(node, _, size) if is_full => From::Float(node, ANYWHERE, size),
            From::Number(node, _, size) if is_full => From::Number(node, ANYWHERE, size),
            from => from,
        };
        *self.numbers.entry(from).or_insert_with(|| {
            self.counts[Met::kind(&from)] += 1;
            self.all.push(from);
            self.all.len() - 1
        })
    }
}

impl Parameters<'_> {
    fn number(&self, from: From) -> Sources {
        1 << self.met.borrow_mut().number(from).min(63)
    }

    /// The parameters that are numbers: where their bits come from the function cannot see.
    fn values(&self) -> Sources {
        let met = self.met.borrow();
        let values = met.all.iter().enumerate().filter(|(_, from)| matches!(from, From::Value(_)));
        values.fold(0, |all, (at, _)| all | 1 << at.min(63))
    }

    /// Whether a load is one from memory that holds other things beside what is as wide.
    fn is_mixed(&self, load: InstId) -> bool {
        let inst = self.func.inst(load);
        let size = self.func.module().store_size_of(inst.ty);
        self.memory.points_to(inst.operands[0]).iter().any(|o| !holds_only(self.memory, o, &[size]))
    }

    /// Whether a number, and all that it has been computed of, is no float cast, and what of it is loaded comes from such memory.
    fn is_of_mixed(&self, number: Val) -> bool {
        let (mut open, mut seen) = (vec![number], HashSet::default());
        while let Some(number) = open.pop() {
            for leaf in leaves(self.func, number).0.into_iter().filter(|leaf| seen.insert(*leaf)) {
                match leaf {
                    Val::Inst(id) if matches!(self.func.inst(id).op, Op::Load) && !self.is_mixed(id) => return false,
                    Val::Inst(id) if matches!(self.func.inst(id).op, Op::Integer(_)) => {
                        open.extend(&self.func.inst(id).operands);
                    }
                    _ if is_cast_float(self.func, leaf) => return false,
                    _ => {}
                }
            }
        }
        true
    }

    fn of_memory(&self, object: ObjectId, from: impl FnOnce(Node) -> From) -> Sources {
        match self.memory.node_of(object) {
            Some(node @ (Node::Param(_) | Node::Way(..) | Node::Behind(_) | Node::Beyond(..))) => {
                self.number(from(node))
            }
            _ => 0,
        }
    }
}

impl Origin for Parameters<'_> {
    const FOLLOWS_FLOATS: bool = true;

    fn seed(&self, id: InstId) -> Mark {
        let inst = self.func.inst(id);
        if !matches!(inst.op, Op::Load) || inst.ty.is_pointer() {
            return Mark::default();
        }
        let address = inst.operands[0];
        let objects = self.memory.points_to(address);
        let places = extents(self.func, address, inst.ty);
        let places = places.iter().flat_map(|(spot, size)| objects.iter().map(move |o| (o, *spot, *size)));
        let one = |place: Place| match inst.ty.is_float() {
            true => self.float(place),
            false if is_told_number(inst) => self.of_memory(place.0, |node| From::Number(node, place.1, place.2)),
            false => self.place(place, ANY),
        };
        Mark::whole(places.fold(0, |all, place| all | one(place)))
    }

    fn argument(&self, param: u32) -> Mark {
        let is_number = !self.func.params[param as usize].ty().is_pointer();
        Mark::whole(if is_number { self.number(From::Value(param)) } else { 0 })
    }

    fn place(&self, (object, spot, size): Place, bytes: RangeInclusive<u64>) -> Sources {
        match bytes.end() {
            // A callee knows that it is a number.
            most if *most == size => self.of_memory(object, |node| From::Number(node, spot, size)),
            _ => self.of_memory(object, |node| From::Place(node, spot, size)),
        }
    }

    fn float(&self, (object, spot, size): Place) -> Sources {
        self.of_memory(object, |node| From::Float(node, spot, size))
    }

    fn value(&self, _val: Val) -> Sources {
        0
    }

    fn copied(&self, place: Place) -> Sources {
        self.place(place, ANY)
    }

    fn is_checked(&self, _id: InstId) -> bool {
        false
    }

    // In memory that holds other things beside floats what is computed with is looked at by the derivative of the function itself: there it is told from floats
    // by its shadow, or refused. A row of numbers says nothing, so what becomes of it is told.
    fn unchecked(&self, id: InstId, mark: Mark, bound: &[bool]) -> Mark {
        let inst = self.func.inst(id);
        let is_looked_at = match inst.op {
            Op::Load => is_word(inst.value) && self.func.module().store_size_of(inst.ty) < WIDTH && self.is_mixed(id),
            Op::Integer(_) | Op::Call(Callee::Inert) => inst.operands.iter().all(|v| self.is_of_mixed(*v)),
            _ => false,
        };
        if mark.is_empty() || bound[id.0 as usize] || !is_looked_at {
            return mark;
        }
        let values = self.values();
        Mark { whole: mark.whole & values, torn: mark.torn & values, computed: mark.computed & values }
    }

    fn is_torn(&self, _id: InstId) -> bool {
        false
    }
}

/// How finely the places of bits are told apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Grain {
    /// One by one.
    #[default]
    Places,
    /// By the memory in which they lie.
    Objects,
    /// By the parameter behind which they lie.
    Parameters,
}

impl Grain {
    /// The next coarser one.
    pub fn coarser(self) -> Grain {
        match self {
            Grain::Places => Grain::Objects,
            Grain::Objects | Grain::Parameters => Grain::Parameters,
        }
    }
}

/// What a function does with bits of what its caller gives it, told as finely as can be but not finer than `grain` says, and how finely that is. (What was told
/// coarsely once stays so: what functions that call each other tell would not settle otherwise.)
pub fn flow(func: &Func, memory: &Memory, grain: Grain) -> (Flow, Grain) {
    let bound = float_bound(func);
    let walk = Walk::run(func, memory, &bound, Parameters { func, memory, met: RefCell::default() });
    let mut ends: Vec<(Mark, To)> = walk.floats.values().map(|mark| (*mark, To::Float)).collect();
    let told = told_places(&walk);
    let is_wide = grain >= Grain::Objects || told.keys().filter(|(node, ..)| !is_made(node)).count() > MOST_PLACES;
    for ((node, spot, size, is_one), mark) in told {
        ends.push((mark, To::Place(node, if is_wide { ANYWHERE } else { spot }, size, is_one)));
    }
    for id in func.inst_ids().filter(|id| matches!(func.inst(*id).op, Op::Return)) {
        let bits = func.inst(id).operands.iter().filter(|v| !func.ty(**v).is_float());
        ends.push((bits.fold(Mark::default(), |mark, v| mark.and(walk.mark(*v))), To::Result));
    }
    let met = walk.origin.met.borrow();
    let named = |sources: Sources| {
        met.all.iter().enumerate().filter(move |(at, _)| sources & (1 << (*at).min(63)) != 0).map(|(_, from)| *from)
    };
    let mut flow = Flow::default();
    for (mark, to) in ends {
        // What the function does to floats that it reads as such is judged where it is differentiated itself.
        let is_told = |from: &From| !matches!((from, to), (From::Float(..), To::Float));
        flow.0.extend(named(mark.torn).filter(is_told).map(|from| (from, to, Done::Torn)));
        flow.0.extend(named(mark.computed).filter(is_told).map(|from| (from, to, Done::Computed)));
        flow.0.extend(named(mark.whole).map(|from| (from, to, Done::Moved)));
    }
    if grain == Grain::Parameters || flow.0.len() > MOST_FLOWS {
        return (Flow(flow.0.into_iter().map(coarse).collect()), Grain::Parameters);
    }
    (flow, if is_wide { Grain::Objects } else { Grain::Places })
}

fn is_made(node: &Node) -> bool {
    matches!(node, Node::Made(_))
}

/// What lies at the end in the memory of which the caller is told. What the function makes has places only as far as records in a row have: the pointer
/// that the caller gets need not lead to where it begins.
fn told_places(walk: &Walk<Parameters>) -> BTreeMap<(Node, Spot, u64, bool), Mark> {
    let mut told: BTreeMap<_, Mark> = BTreeMap::new();
    for (object, places) in &walk.places {
        let Some(node) = walk.memory.node_of(*object) else { continue };
        for ((spot, size, is_one), mark) in places {
            let at = if is_made(&node) && spot.stride == 0 { ANYWHERE } else { *spot };
            let place = (node, at, *size, *is_one);
            let held = told.entry(place).or_default();
            *held = held.and(*mark);
        }
    }
    told
}

/// The same, where all that is behind a parameter is one.
fn coarse((from, to, done): (From, To, Done)) -> (From, To, Done) {
    let node = |node: Node| match node {
        Node::Way(param, _) | Node::Beyond(param, _) => Node::Behind(param),
        node => node,
    };
    let from = match from {
        From::Place(from, _, size) => From::Place(node(from), ANYWHERE, size),
        From::Float(from, _, size) => From::Float(node(from), ANYWHERE, size),
        From::Number(from, _, size) => From::Number(node(from), ANYWHERE, size),
        From::Value(param) => From::Value(param),
    };
    let to = match to {
        To::Place(to, _, size, is_one) => To::Place(node(to), ANYWHERE, size, is_one),
        to => to,
    };
    (from, to, done)
}
