//! What a function leaves in memory, by what it depends on.
//!
//! `fn step(x: &[f64], stats: &mut Stats)` reads and writes both arguments' memory at most, and what depends on `x` goes nowhere near `stats`. To a caller that only knew what
//! is read and what is *written* all of it would depend on `x`, and memory that is declared constant would be refused. So a summary tells from where values get
//! where: floats, and whatever may be the bits of some. Numbers, pointers and constants depend on nothing here.
//!
//! **Invariant:** what is loaded as an integer where anybody has floats is marked as a word by then ([`crate::load::retype`]), so an integer without that mark, from a place
//! without floats, that is not turned to a float, is a number.

use super::summary::Node;
use super::{Cell, Memory, Object, ObjectId, ObjectSet, Spot, overlap, spot_of};
use crate::analysis::activity::{float_bound, hands_bits, may_hold_floats};
use crate::ir::handed::may_take_aggregate;
use crate::ir::tag::is_word;
use crate::ir::{Callee, Func, Inst, InstId, Op, Val};
use crate::llvm::Opcode;
use crate::rule::Effect;
use std::collections::{BTreeMap, BTreeSet};

/// What something in memory depends on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Source {
    /// What lay there.
    Node(Node),
    /// Floats that are handed over as such.
    Operands,
}

/// What depends on what when a function returns.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Dependence {
    /// What lies in memory.
    pub left: BTreeMap<Node, BTreeSet<Source>>,
    /// What the function returns.
    pub returned: BTreeSet<Source>,
}

/// Where values of a call come from.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// Memory.
    pub from: ObjectSet,
    /// Floats among the operands.
    pub of_operands: bool,
}

impl Origin {
    /// Of no value.
    pub const NOWHERE: Origin = Origin { from: ObjectSet::EMPTY, of_operands: false };
}

/// What values and objects depend on: objects of the caller's, by what they held at first; and the operands, as the object behind the last.
struct Taint<'m> {
    memory: &'m Memory,
    func: &'m Func,
    operands: ObjectId,
    bound: Vec<bool>,
    values: Vec<ObjectSet>,
    objects: Vec<ObjectSet>,
    returned: ObjectSet,
}

impl Memory {
    /// What is left where by a function.
    pub(super) fn dependence(&self, func: &Func) -> Dependence {
        let operands = ObjectId(self.objects.len() as u32);
        let (values, objects) =
            (vec![ObjectSet::default(); func.insts.len()], vec![ObjectSet::default(); self.objects.len()]);
        let (bound, returned) = (float_bound(func), ObjectSet::default());
        let mut taint = Taint { memory: self, func, operands, bound, values, objects, returned };
        let all: Vec<InstId> = func.inst_ids().filter(|id| func.block(func.inst(*id).block).returns).collect();
        while all.iter().fold(false, |changed, id| taint.step(*id) | changed) {}
        let named = |sources: &ObjectSet| -> BTreeSet<Source> {
            let name = |source| match source == operands {
                true => Some(Source::Operands),
                false => self.node_of(source).map(Source::Node),
            };
            sources.iter().filter_map(name).collect()
        };
        let mut left: BTreeMap<Node, BTreeSet<Source>> = BTreeMap::new();
        for (index, sources) in taint.objects.iter().enumerate() {
            let Some(node) = self.node_of(ObjectId(index as u32)) else { continue };
            let mut sources = named(sources);
            sources.remove(&Source::Node(node));
            if !sources.is_empty() {
                left.entry(node).or_default().extend(sources);
            }
        }
        Dependence { left, returned: named(&taint.returned) }
    }

    /// Whether an object holds something before the function runs.
    fn is_callers(&self, object: ObjectId) -> bool {
        match self.objects[object.0 as usize] {
            Object::Param(_) | Object::Path(..) | Object::Behind(_) => true,
            Object::Global(_) => !self.is_constant(object),
            Object::Stack(_) | Object::Heap(_) => false,
        }
    }
}

impl Taint<'_> {
    fn of_value(&self, val: Val) -> ObjectSet {
        match val {
            Val::Inst(id) => self.values[id.0 as usize].clone(),
            Val::Arg(_) if may_hold_floats(self.func.ty(val)) => ObjectSet::of(self.operands),
            // Functions that take floats as integers are inlined ([`crate::ir::handed`]), but not all of them can be.
            Val::Arg(index) if may_take_aggregate(self.func.function, index) => ObjectSet::of(self.operands),
            Val::Arg(_) | Val::Const(_) => ObjectSet::EMPTY,
        }
    }

    fn of_values<'v>(&self, values: impl IntoIterator<Item = &'v Val>) -> ObjectSet {
        let mut all = ObjectSet::default();
        values.into_iter().for_each(|val| _ = all.union(&self.of_value(*val)));
        all
    }

    /// What lies in objects.
    fn held(&self, set: &ObjectSet) -> ObjectSet {
        let mut all = ObjectSet::default();
        for object in set.iter() {
            all.union(&self.objects[object.0 as usize]);
            all.extend(self.memory.is_callers(object).then_some(object));
        }
        all
    }

    fn put(&mut self, set: &ObjectSet, taint: &ObjectSet) -> bool {
        let written = set.iter().filter(|object| !self.memory.is_frozen(*object));
        written.fold(false, |changed, object| self.objects[object.0 as usize].union(taint) | changed)
    }

    /// What one instruction adds.
    fn step(&mut self, id: InstId) -> bool {
        let (memory, func) = (self.memory, self.func);
        let inst = func.inst(id);
        let at = |index: usize| memory.points_to(inst.operands[index]);
        let (mut changed, mut result) = (false, ObjectSet::default());
        match &inst.op {
            Op::Load if self.may_be_float(id) => result = self.held(&at(0)),
            Op::Store => changed = self.put(&at(1), &self.of_value(inst.operands[0])),
            Op::MemSet => changed = self.put(&at(0), &self.of_value(inst.operands[1])),
            Op::MemCopy => changed = self.put(&at(0), &self.held(&at(1))),
            Op::Return => changed = self.returned.union(&self.of_values(&inst.operands)),
            Op::Load | Op::Compare | Op::Conversion | Op::Alloca | Op::Gep | Op::Branch => {}
            Op::Extract(_) if !may_hold_floats(inst.ty) && is_call(func, inst.operands[0]) => {}
            // What these write and return carries no derivative, but what they only move.
            Op::Call(Callee::Effect(Effect::Copy { to, from, .. })) => {
                changed = self.put(&at(*to), &self.held(&at(*from)));
            }
            Op::Call(Callee::Effect(Effect::Reallocate { .. } | Effect::Fill { .. })) => changed = self.opaque(id),
            Op::Call(Callee::Effect(_)) => {}
            Op::Call(Callee::Inert) => result = self.of_values(&inst.operands),
            Op::Call(_) => {
                let effects = memory.effects(id);
                let of_operands = self.of_values(&inst.operands);
                let held = |taint: &Self, origin: &Origin| {
                    let mut held = taint.held(&origin.from);
                    if origin.of_operands {
                        held.union(&of_operands);
                    }
                    held
                };
                for (to, origin) in &effects.moves {
                    changed |= self.put(to, &held(self, origin));
                }
                if may_hold_floats(inst.ty) || hands_bits(inst) {
                    result = held(self, &effects.result);
                }
            }
            Op::Other(Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg) => {
                changed = self.put(&at(0), &self.of_values(&inst.operands[1..]));
                if may_hold_floats(inst.ty) {
                    result = self.held(&at(0));
                }
            }
            Op::Other(_) => changed = self.opaque(id),
            _ => result = self.of_values(&inst.operands),
        }
        changed | self.values[id.0 as usize].union(&result)
    }

    /// What an instruction of which nothing is known puts into all that it can reach.
    fn opaque(&mut self, id: InstId) -> bool {
        let inst = self.func.inst(id);
        let mut all = self.of_values(&inst.operands);
        let mut reached = self.memory.effects(id).read.clone();
        reached.union(&self.memory.effects(id).written);
        inst.operands.iter().for_each(|val| _ = reached.union(&self.memory.points_to(*val)));
        all.union(&self.held(&reached));
        self.put(&reached, &all) | self.values[id.0 as usize].union(&all)
    }

    /// Whether what is loaded is a float, or may be the bits of one.
    fn may_be_float(&self, id: InstId) -> bool {
        let load = self.func.inst(id);
        may_hold_floats(load.ty) || is_word(load.value) || self.bound[id.0 as usize] || self.floats_at(load)
    }

    /// Whether floats may lie where something else is loaded.
    fn floats_at(&self, load: &Inst) -> bool {
        let (func, memory) = (self.func, self.memory);
        let (spot, size) = (spot_of(func, load.operands[0]), func.module().store_size_of(load.ty) as i64);
        let is_here =
            |(at, cell): (Spot, Cell)| matches!(cell, Cell::Float(_)) && overlap(spot, size, at, cell.bytes() as i64);
        let is_bits = !load.ty.is_pointer();
        is_bits && memory.points_to(load.operands[0]).iter().any(|object| memory.all_cells(object).any(is_here))
    }
}

/// Whether a value is what a call returns: beside floats that is structure, as it is where a call returns nothing else.
fn is_call(func: &Func, val: Val) -> bool {
    matches!(val, Val::Inst(id) if matches!(func.inst(id).op, Op::Call(_)))
}
