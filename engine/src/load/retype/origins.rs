//! Floats that a function moves and never sees.
//!
//! `fn all(x: &[f64]) -> Result<Vec<Part>, &str> { for k in .. { all.push(part(k, x)?) } .. }`: the caller knows that floats lie in `x`, and reads some out of the
//! vector. The function itself takes numbers out of the one, joins them with lengths of texts, and leaves them in the other. By itself it knows of no float
//! anywhere, and that somebody joins them with lengths makes them numbers.
//!
//! **Model.** Each function has, by object of its memory, the places where somebody has a float: itself, a caller, a callee, and all that these know from others.
//! Floats are told from caller to callee and back where both see the memory ([`neighbours`](super::neighbours)), from the one end of a copy to the other, and
//! from where a number is loaded to where it is stored. The least fixed point of that is a superset of where floats lie.
//!
//! A number that is loaded from such a place, not known to be one, and stored is moved as a word (see [`crate::analysis::activity`]): what it is shows when it is
//! there. So is a pointer, where nothing follows it before.

use super::evidence::{carried, further};
use super::neighbours::shared;
use super::unknown::store_words;
use crate::analysis::activity::{float_of, leaves};
use crate::analysis::bits::{has_range, is_number_load};
use crate::analysis::memory::{
    self, Made, Memory, Node, Object, ObjectId, ObjectSet, Spot, Summaries, summarised_callee,
};
use crate::analysis::spot::gcd;
use crate::ir::looks::Looks;
use crate::ir::tag::{self, Tag};
use crate::ir::{Callee, Func, InstId, Op, Val, bodies};
use crate::llvm::{Function, Module, Type, Value};
use crate::maps::HashMap;
use crate::rule::Registry;
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// Places of one object that are told apart; of more, that floats lie there.
const MOST_PLACES: usize = 48;

/// A float: where it begins, and its bytes.
type Place = (Spot, u64);

/// A function and where floats lie for it.
struct View {
    func: Func,
    memory: Memory,
    floats: HashMap<ObjectId, BTreeSet<Place>>,
    /// What is moved from one place to another: copies both ways, as what is read of one end says what lies in the other.
    ways: Vec<Way>,
    calls: Vec<Call>,
    looks: OnceCell<Looks>,
    /// How often something was learned.
    version: u64,
}

struct Way {
    from: (ObjectSet, Spot),
    to: (ObjectSet, Spot),
    bytes: Option<i64>,
}

/// Memory that a callee and its caller both see.
struct Call {
    callee: usize,
    shared: Vec<Shared>,
}

struct Shared {
    theirs: ObjectSet,
    ours: ObjectSet,
    /// What the callee counts from, where that is no beginning of the object here.
    base: Option<Spot>,
}

/// Makes words of such moves in all functions of a module; true where there were any. `hints`: see [`super::moves`].
pub fn run(module: Module, root: Function, registry: &Registry, hints: &[u8]) -> bool {
    let summaries = Summaries::new(registry);
    let functions = bodies(module);
    if functions.len() < 2 {
        return false;
    }
    let numbers: HashMap<Function, usize> = functions.iter().enumerate().map(|(i, f)| (*f, i)).collect();
    let mut views: Vec<View> = functions.iter().map(|f| View::of(*f, registry, &summaries)).collect();
    for index in 0..views.len() {
        views[index].calls = calls(&views, index, &numbers);
    }
    if let Some(root) = numbers.get(&root) {
        views[*root].hint(hints);
    }
    // Nobody is told of more than so many places of an object, so this ends.
    let mut seen: Vec<Vec<u64>> = vec![Vec::new(); views.len()];
    let mut news = true;
    while news {
        news = false;
        for index in 0..views.len() {
            let callees = views[index].calls.iter().map(|call| call.callee);
            let versions = [index].into_iter().chain(callees).map(|i| views[i].version).collect();
            if seen[index] != versions {
                seen[index] = versions;
                news |= views[index].spread();
                news |= tell(&mut views, index);
            }
        }
    }
    let (mut changed, mut pointers) = (false, Vec::new());
    for view in &views {
        pointers.extend(view.pointers());
        for (store, loads) in view.candidates() {
            let may_be_float =
                |load: &&InstId| view.may_be_float(view.func.inst(**load).operands[0], view.func.inst(**load).ty);
            let loads: Vec<InstId> = loads.iter().filter(may_be_float).copied().collect();
            if !loads.is_empty() {
                let value = |id: &InstId| view.func.inst(*id).value;
                // A number of the source is as wide where it is put.
                let loads: Vec<Value> = loads.iter().map(value).collect();
                if loads.iter().all(|load| tag::is_exact(*load)) {
                    tag::mark_exact_like(value(&store), &loads);
                } else {
                    tag::mark_word(value(&store));
                }
                for load in loads.into_iter().filter(|load| !tag::is_firm(*load)) {
                    if tag::is_told(load) { tag::mark_count(load) } else { tag::mark_word(load) }
                }
                changed = true;
            }
        }
    }
    store_words(&pointers);
    changed | !pointers.is_empty()
}

/// What the callees of a function share with it.
fn calls(views: &[View], caller: usize, numbers: &HashMap<Function, usize>) -> Vec<Call> {
    let View { func, memory, .. } = &views[caller];
    let mut calls = Vec::new();
    for id in func.inst_ids() {
        let inst = func.inst(id);
        let Some(callee) = summarised_callee(&inst.op).and_then(|f| numbers.get(&f)).copied() else { continue };
        let its = &views[callee].memory;
        let mut all = Vec::new();
        for (index, argument) in inst.operands.iter().enumerate() {
            let base = memory::spot_of(func, *argument);
            for (theirs, ours, at_start) in shared(its, index as u32, memory, func, *argument) {
                all.push(Shared { theirs, ours, base: at_start.then_some(base) });
            }
        }
        let made: Vec<(Made, ObjectId)> = memory.made_by(id).collect();
        for object in (0..its.objects.len() as u32).map(ObjectId).filter(|o| its.escapes(*o)) {
            let Some(Node::Made(kind)) = its.node_of(object).filter(|node| *node != Node::Made(Made::Bytes)) else {
                continue;
            };
            // Here the callee may know less than its summary did, where a number counts as a pointer.
            let is_of = |told: Made| kind.and(told) == told;
            let is_told = made.iter().any(|(told, _)| is_of(*told));
            let mut ours = ObjectSet::default();
            made.iter().filter(|(told, _)| !is_told || is_of(*told)).for_each(|(_, o)| _ = ours.insert(*o));
            all.push(Shared { theirs: ObjectSet::of(object), ours, base: None });
        }
        calls.push(Call {
            callee,
            shared: all.into_iter().filter(|s| !s.ours.is_empty() && !s.theirs.is_empty()).collect(),
        });
    }
    calls
}

/// Tells callees what their caller knows, and it what they know.
fn tell(views: &mut [View], caller: usize) -> bool {
    let calls = std::mem::take(&mut views[caller].calls);
    let mut news = false;
    for call in &calls {
        for Shared { theirs, ours, base } in &call.shared {
            let moved =
                |spot: Spot, by: i64, base: Spot| further(Spot { stride: gcd(spot.stride, base.stride), ..spot }, by);
            let inwards = |spot: Spot| base.map_or(spot, |base| moved(spot, -base.offset, base));
            let outwards = |spot: Spot| base.map_or(spot, |base| moved(spot, base.offset, base));
            let known = views[caller].places(ours);
            news |= views[call.callee].add(theirs, known.into_iter().map(|(spot, bytes)| (inwards(spot), bytes)));
            let known = views[call.callee].places(theirs);
            news |= views[caller].add(ours, known.into_iter().map(|(spot, bytes)| (outwards(spot), bytes)));
        }
    }
    views[caller].calls = calls;
    news
}

impl View {
    fn of(function: Function, registry: &Registry, summaries: &Summaries) -> View {
        let func = Func::load(function, registry);
        let memory = memory::analyze(&func, summaries, &[]);
        let mut view = View {
            func,
            memory,
            floats: HashMap::default(),
            ways: Vec::new(),
            calls: Vec::new(),
            looks: OnceCell::new(),
            version: 0,
        };
        view.gather();
        view
    }

    /// What the function itself says.
    fn gather(&mut self) {
        let ends = |view: &View, address: Val| (view.memory.points_to(address), memory::spot_of(&view.func, address));
        for id in self.func.inst_ids().collect::<Vec<_>>() {
            let inst = self.func.inst(id);
            let (operands, value) = (inst.operands.clone(), inst.value);
            match &inst.op {
                Op::Load => self.access(operands[0], inst.ty),
                Op::Store => {
                    let ty = self.func.ty(operands[0]);
                    self.access(operands[1], ty);
                    let to = ends(self, operands[1]);
                    for load in self.loads_of(operands[0], value) {
                        let from = ends(self, self.func.inst(load).operands[0]);
                        let bytes = Some(self.func.module().store_size_of(ty) as i64);
                        self.ways.push(Way { from, to: to.clone(), bytes });
                    }
                }
                Op::MemCopy => {
                    let bytes = match operands[2] {
                        Val::Const(value) => value.as_i64(),
                        _ => None,
                    };
                    let (to, from) = (ends(self, operands[0]), ends(self, operands[1]));
                    self.ways.push(Way { from: from.clone(), to: to.clone(), bytes });
                    self.ways.push(Way { from: to, to: from, bytes });
                }
                Op::Call(Callee::Custom(custom)) => {
                    let groups = custom.groups.iter().filter(|g| g.param.floats != 0);
                    let groups: Vec<(u64, usize)> = groups.map(|g| (g.param.floats.into(), g.pointer)).collect();
                    for (width, pointer) in groups {
                        let (set, spot) = ends(self, operands[pointer]);
                        self.add(&set, [(memory::within(spot, Spot { offset: 0, stride: width }), width)]);
                    }
                }
                _ => {}
            }
        }
    }

    /// The loads that the number of a store may come from, where nothing says that it is none of a float. (That a number is a capacity in one variant says
    /// nothing of the arm of another.)
    fn loads_of(&self, stored: Val, store: Value) -> Vec<InstId> {
        let ty = self.func.ty(stored);
        if !ty.is_int() && !ty.is_pointer() {
            return Vec::new();
        }
        let is_known = |id: InstId, load: Value| {
            is_number_load(&self.func, id) && (has_range(load) || self.is_looked_at(load, store))
        };
        let is_load = |leaf: Val| match leaf {
            Val::Inst(id) if matches!(self.func.inst(id).op, Op::Load) => {
                let load = self.func.inst(id).value;
                (load.is_plain() && Tag::of(load).is_none() && !is_known(id, load)).then_some(id)
            }
            _ => None,
        };
        leaves(&self.func, stored).0.into_iter().filter_map(is_load).collect()
    }

    /// Stores of numbers that are loaded and of which nothing is known, with those loads.
    fn candidates(&self) -> Vec<(InstId, Vec<InstId>)> {
        let mut found = Vec::new();
        for id in self.func.inst_ids() {
            let inst = self.func.inst(id);
            if !matches!(inst.op, Op::Store)
                || !inst.value.is_plain()
                || float_of(self.func.ty(inst.operands[0])).is_none()
            {
                continue;
            }
            let loads = self.loads_of(inst.operands[0], inst.value);
            let is_all_marked = |loads: &[InstId]| {
                tag::is_word(inst.value) && loads.iter().all(|load| tag::is_word(self.func.inst(*load).value))
            };
            if !loads.is_empty() && !is_all_marked(&loads) {
                found.push((id, loads));
            }
        }
        found
    }

    /// Whether what is loaded is looked at before it is stored.
    fn is_looked_at(&self, load: Value, store: Value) -> bool {
        self.looks.get_or_init(|| Looks::of(self.func.function)).are_before(load, store)
    }

    /// Stores of what is loaded as a pointer where a float may lie, and not followed before.
    fn pointers(&self) -> Vec<Value> {
        let mut found = Vec::new();
        for id in self.func.inst_ids() {
            let inst = self.func.inst(id);
            if !matches!(inst.op, Op::Store) || !inst.value.is_plain() || !self.func.ty(inst.operands[0]).is_pointer() {
                continue;
            }
            // What the source has as a pointer, in the variant where it is moved, is one.
            let is_told = |load: Value| load.ty().is_pointer() && tag::is_told(load) && tag::is_told(inst.value);
            let may_be_float = |load: &InstId| {
                let load = self.func.inst(*load);
                !is_told(load.value)
                    && self.may_be_float(load.operands[0], load.ty)
                    && !self.is_looked_at(load.value, inst.value)
            };
            if self.loads_of(inst.operands[0], inst.value).iter().any(may_be_float) {
                found.push(inst.value);
            }
        }
        found
    }

    fn hint(&mut self, hints: &[u8]) {
        for (index, object) in self.memory.objects.clone().into_iter().enumerate() {
            if let Object::Param(param) = object
                && let Some(bytes @ (4 | 8)) = hints.get(param as usize).map(|bytes| u64::from(*bytes))
            {
                self.add(&ObjectSet::of(ObjectId(index as u32)), [(Spot { offset: 0, stride: bytes }, bytes)]);
            }
        }
    }

    fn access(&mut self, address: Val, ty: Type) {
        let (set, spot) = (self.memory.points_to(address), memory::spot_of(&self.func, address));
        let mut floats = Vec::new();
        floats_of(self.func.module(), ty, 0, &mut |at, bytes| floats.push((further(spot, at), bytes)));
        self.add(&set, floats);
    }

    fn add(&mut self, set: &ObjectSet, places: impl IntoIterator<Item = Place>) -> bool {
        let mut news = false;
        for (spot, bytes) in places {
            for object in set.iter() {
                let known = self.floats.entry(object).or_default();
                let anywhere = (Spot { offset: spot.offset.rem_euclid(4), stride: 4 }, bytes);
                if known.contains(&anywhere) {
                    continue;
                }
                if known.len() < MOST_PLACES {
                    news |= known.insert((spot, bytes));
                    continue;
                }
                let is_in = |(at, size): &Place| {
                    *size == bytes && at.stride % 4 == 0 && at.offset.rem_euclid(4) == anywhere.0.offset
                };
                known.retain(|place| !is_in(place));
                known.insert(anywhere);
                news = true;
            }
        }
        self.version += u64::from(news);
        news
    }

    fn places(&self, set: &ObjectSet) -> BTreeSet<Place> {
        set.iter().filter_map(|o| self.floats.get(&o)).flatten().copied().collect()
    }

    /// Follows moves inside of the function.
    fn spread(&mut self) -> bool {
        let ways = std::mem::take(&mut self.ways);
        let (mut news, mut any) = (false, true);
        while any {
            any = false;
            for Way { from, to, bytes } in &ways {
                let there = self.places(&from.0).into_iter();
                let moved = there.filter_map(|(spot, size)| Some((carried(spot, 1, from.1, to.1, *bytes)?, size)));
                let moved: Vec<Place> = moved.collect();
                any |= self.add(&to.0, moved);
            }
            news |= any;
        }
        self.ways = ways;
        news
    }

    /// Whether somebody has a float as wide as what is accessed at an address.
    fn may_be_float(&self, address: Val, ty: Type) -> bool {
        let (set, spot) = (self.memory.points_to(address), memory::spot_of(&self.func, address));
        let size = self.func.module().store_size_of(ty);
        let is_here = |(at, bytes): &Place| {
            let apart = gcd(at.stride, spot.stride) as i64;
            let distance = at.offset - spot.offset;
            *bytes == size && if apart > 0 { distance.rem_euclid(apart) == 0 } else { distance == 0 }
        };
        self.places(&set).iter().any(is_here)
    }
}

/// Calls `each` with where the floats of a type lie, and their bytes.
fn floats_of(module: Module, ty: Type, at: i64, each: &mut dyn FnMut(i64, u64)) {
    if ty.is_struct() {
        for field in 0..ty.count() as u32 {
            floats_of(module, ty.field(field), at + module.field_offset(ty, field) as i64, each);
        }
    } else if ty.is_array() || ty.is_vector() {
        let size = module.size_of(ty.element()) as i64;
        for index in 0..ty.count().min(64) as i64 {
            floats_of(module, ty.element(), at + index * size, each);
        }
    } else if ty.is_float() {
        each(at, module.size_of(ty));
    }
}
