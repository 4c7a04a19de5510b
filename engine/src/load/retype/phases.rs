//! Where floats may begin in memory that is copied.
//!
//! A copy of a variant's fields alone (28 bytes behind a discriminant of four) begins in the middle of what would be an `f64`. Its words are the whole ones in
//! between; what is left at both ends shares its eight bytes with something that the copy does not take, and is of no `f64`.

use crate::analysis::memory::{Memory, Object, ObjectId, spot_of};
use crate::ir::{Func, Op, Val};
use crate::maps::HashMap;

/// Where the eight bytes of an `f64` may begin: the address modulo 8 of what objects begin with, as far as known.
pub struct Phases {
    of: HashMap<ObjectId, u64>,
}

impl Phases {
    /// Of allocations and what callers hand over it is 0, of a variable on the stack what its alignment or its accesses say, or else what it is copied from or
    /// to.
    pub fn of(func: &Func, memory: &Memory) -> Phases {
        let mut phases = Phases { of: HashMap::default() };
        for (index, object) in memory.objects.iter().enumerate() {
            let is_known = match object {
                Object::Stack(id) => func.inst(*id).value.alignment() >= 8,
                Object::Heap(_) | Object::Param(_) | Object::Path(..) | Object::Behind(_) => true,
                Object::Global(value) => value.alignment() >= 8,
            };
            if is_known {
                phases.of.insert(ObjectId(index as u32), 0);
            }
        }
        let module = func.module();
        for id in func.inst_ids() {
            let inst = func.inst(id);
            let (address, ty) = match inst.op {
                Op::Load => (inst.operands[0], inst.ty),
                Op::Store => (inst.operands[1], func.ty(inst.operands[0])),
                _ => continue,
            };
            let spot = spot_of(func, address);
            let is_whole = (ty.is_pointer() || ty.is_float() || ty.is_int()) && module.store_size_of(ty) == 8;
            if is_whole && spot.stride.is_multiple_of(8) {
                phases.learn(memory, address, (-spot.offset).rem_euclid(8) as u64);
            }
        }
        // From copy to copy.
        loop {
            let known = phases.of.len();
            for id in func.inst_ids().filter(|id| matches!(func.inst(*id).op, Op::MemCopy)) {
                let operands = &func.inst(id).operands;
                for (from, to) in [(operands[0], operands[1]), (operands[1], operands[0])] {
                    let spot = spot_of(func, to);
                    if let Some(phase) = phases.at(func, memory, from)
                        && spot.stride.is_multiple_of(8)
                    {
                        phases.learn(memory, to, (phase as i64 - spot.offset).rem_euclid(8) as u64);
                    }
                }
            }
            if phases.of.len() == known {
                return phases;
            }
        }
    }

    fn learn(&mut self, memory: &Memory, address: Val, phase: u64) {
        for object in memory.points_to(address).iter() {
            self.of.entry(object).or_insert(phase);
        }
    }

    /// An address modulo 8; nothing where that is not known, or not always the same.
    pub fn at(&self, func: &Func, memory: &Memory, address: Val) -> Option<u64> {
        let spot = spot_of(func, address);
        let mut all =
            memory.points_to(address).iter().map(|o| self.of.get(&o).copied()).collect::<Vec<_>>().into_iter();
        let first = all.next()??;
        let known = spot.stride.is_multiple_of(8) && all.all(|phase| phase == Some(first));
        known.then(|| (first as i64 + spot.offset).rem_euclid(8) as u64)
    }
}
