//! What a copy moves, as those tell who read from where it is put.
//!
//! Behind an argument, what is reached through pointers that no known place tells apart is one object (see [`crate::analysis::memory`]), so floats and
//! pointers may seem to lie at the same places there. Where a copy goes to memory of the function's own that nobody else gets to see, what is read from there says as much: if it is read as floats
//! alone, floats are what the copy has to move, whatever else its source may hold at other times.

use super::Classes;
use super::evidence::{Evidence, Kind, carried, further};
use super::lanes::atoms_of;
use crate::analysis::memory::{self, Cell, Memory, Object, ObjectId, Spot, within};
use crate::analysis::spot::gcd;
use crate::ir::{Callee, Func, InstId, Op, Val};
use crate::llvm::Opcode;
use crate::maps::{HashMap, HashSet};
use crate::rule::Effect;

/// Copies that are followed from one place.
const FOLLOWED: usize = 32;
/// Bytes of an atom.
const ATOM: i64 = 4;

/// Who reads what from a function's own memory.
pub struct Consumers<'f> {
    func: &'f Func,
    memory: &'f Memory,
    /// What calls find in memory that they are given.
    calls: HashMap<ObjectId, HashSet<(Spot, Cell)>>,
    /// Objects that go where nothing tells who reads them.
    lost: HashSet<ObjectId>,
    /// Loads of integers that may be anything.
    unknown: Vec<(InstId, Val)>,
    /// Copies, with the number of bytes where that is constant.
    copies: Vec<(Val, Val, Option<i64>)>,
}

impl<'f> Consumers<'f> {
    /// Looks at every instruction.
    pub fn of(func: &'f Func, memory: &'f Memory, classes: &Classes) -> Consumers<'f> {
        let mut found = Consumers {
            func,
            memory,
            calls: HashMap::default(),
            lost: HashSet::default(),
            unknown: Vec::new(),
            copies: Vec::new(),
        };
        for id in func.inst_ids() {
            let inst = func.inst(id);
            match &inst.op {
                Op::Load
                    if inst.value.opcode() == Opcode::LLVMLoad
                        && atoms_of(inst.ty) > 0
                        && !classes.is_settled(func, id) =>
                {
                    found.unknown.push((id, inst.operands[0]));
                }
                Op::MemCopy => {
                    let bytes = match inst.operands[2] {
                        Val::Const(value) => value.as_i64(),
                        _ => None,
                    };
                    found.copies.push((inst.operands[0], inst.operands[1], bytes));
                }
                Op::Call(callee) => found.call(id, callee),
                _ => {}
            }
        }
        found
    }

    fn call(&mut self, id: InstId, callee: &Callee) {
        use Effect::{Allocate, Free, Inactive, Marker, Private, Text};
        let (func, memory) = (self.func, self.memory);
        let inst = func.inst(id);
        match callee {
            Callee::Inert
            | Callee::Effect(Allocate { .. } | Free { .. } | Marker | Private { .. } | Inactive | Text { .. }) => {}
            Callee::Custom(custom) => {
                for group in &custom.groups {
                    let address = inst.operands[group.pointer];
                    let width = u64::from(group.param.floats);
                    for object in memory.points_to(address).iter() {
                        if width == 0 {
                            self.lost.insert(object);
                        } else {
                            let spot = within(memory::spot_of(func, address), Spot { offset: 0, stride: width });
                            self.calls.entry(object).or_default().insert((spot, Cell::Float(width)));
                        }
                    }
                }
            }
            _ => {
                let Some(summary) = memory.summary(id) else {
                    for operand in &inst.operands {
                        self.lost.extend(memory.reach(*operand).iter());
                    }
                    return;
                };
                for (param, spot, cell) in summary.cells.iter().chain(&summary.disputed) {
                    let address = inst.operands[*param as usize];
                    let spot = within(memory::spot_of(func, address), *spot);
                    for object in memory.points_to(address).iter() {
                        self.calls.entry(object).or_default().insert((spot, *cell));
                    }
                }
                for (param, way, spot, cell) in &summary.paths {
                    for object in memory.along(func, inst.operands[*param as usize], way.spots()).set.iter() {
                        self.calls.entry(object).or_default().insert((*spot, *cell));
                    }
                }
                for (param, spot, cell) in &summary.behind {
                    for object in memory.behind(inst.operands[*param as usize]).iter() {
                        self.calls.entry(object).or_default().insert((*spot, *cell));
                    }
                }
            }
        }
    }

    /// What an atom so many bytes behind an address, and records behind that, is read as; nothing where that is not known of all who read it, or
    /// where it is no float.
    pub fn kind(&self, evidence: &Evidence, to: Val, bytes: i64, record: u64) -> Option<Kind> {
        let base = memory::spot_of(self.func, to);
        let spot = further(Spot { stride: gcd(base.stride, record), ..base }, bytes);
        let mut reach = Vec::new();
        for object in self.memory.points_to(to).iter() {
            self.follow(Part { object, spot, first: first(base) }, &mut reach)?;
        }
        let told = || reach.iter().flat_map(|part| part.told(evidence));
        let kind = told().next()?.filter(|kind| kind.is_float())?;
        let agreed = told().all(|k| k == Some(kind)) && reach.iter().all(|part| self.agrees(part, kind));
        agreed.then_some(kind)
    }

    /// Collects where copies bring what lies somewhere; nothing where that is memory of others.
    fn follow(&self, part: Part, reach: &mut Vec<Part>) -> Option<()> {
        if reach.contains(&part) {
            return Some(());
        }
        let object = part.object;
        let is_own = match self.memory.objects[object.0 as usize] {
            Object::Stack(_) => true,
            Object::Heap(id) => matches!(self.func.inst(id).op, Op::Call(Callee::Effect(Effect::Allocate { .. }))),
            _ => false,
        };
        if !is_own || self.memory.escapes(object) || self.lost.contains(&object) || reach.len() == FOLLOWED {
            return None;
        }
        reach.push(part);
        for (to, from, bytes) in &self.copies {
            if !self.memory.points_to(*from).contains(object) {
                continue;
            }
            let (there, here) = (memory::spot_of(self.func, *to), memory::spot_of(self.func, *from));
            let Some(spot) = carried(part.spot, ATOM, here, there, *bytes) else { continue };
            for object in self.memory.points_to(*to).iter() {
                self.follow(Part { object, spot, first: first(there) }, reach)?;
            }
        }
        Some(())
    }

    /// Whether no call reads an atom as something else, and nobody who might.
    fn agrees(&self, part: &Part, kind: Kind) -> bool {
        let width = if kind == Kind::Single { 4 } else { 8 };
        let begins = if kind == Kind::High { 4 } else { 0 };
        let called = self.calls.get(&part.object).into_iter().flatten();
        let mut others = called.filter(|(there, cell)| part.meets(*there, cell.bytes() as i64));
        let floats = others.all(|(there, cell)| {
            let apart = gcd(part.spot.stride, there.stride) as i64;
            let distance = part.spot.offset - there.offset - begins;
            let whole = if apart > 0 { distance.rem_euclid(apart) % width == 0 } else { distance % width == 0 };
            *cell == Cell::Float(width as u64) && whole
        });
        floats
            && !self.unknown.iter().any(|(load, address)| {
                let size = self.func.module().store_size_of(self.func.inst(*load).ty) as i64;
                self.memory.points_to(*address).contains(part.object)
                    && part.meets(memory::spot_of(self.func, *address), size)
            })
    }
}

/// An atom of an object, or one of each record.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Part {
    object: ObjectId,
    spot: Spot,
    /// Where the first of them lies at the earliest, if that is known: there are counts before the floats of an `Rc<[f64]>`.
    first: Option<i64>,
}

impl Part {
    /// Whether an access may touch it.
    fn meets(&self, there: Spot, bytes: i64) -> bool {
        let before = there.stride == 0 && self.first.is_some_and(|first| there.offset + bytes <= first);
        !before && memory::overlap(self.spot, ATOM, there, bytes)
    }

    /// What accesses say of it: nothing where they are not understood.
    fn told(&self, evidence: &Evidence) -> impl Iterator<Item = Option<Kind>> {
        let part = *self;
        let facts = evidence.facts_of(self.object);
        facts.filter(move |(there, bytes, _)| part.meets(*there, *bytes)).map(move |(there, _, kind)| {
            let apart = gcd(part.spot.stride, there.stride) as i64;
            let distance = part.spot.offset - there.offset;
            let whole = if apart > 0 { distance.rem_euclid(apart) == 0 } else { distance == 0 };
            whole.then_some(kind)
        })
    }
}

/// The first byte that a pointer leads to, where it is one.
fn first(spot: Spot) -> Option<i64> {
    (spot.stride == 0).then_some(spot.offset)
}
