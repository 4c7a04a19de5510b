//! Addresses that lie outside of an object for certain.
//!
//! As far as is known, one pointer may be that of a text in one variant of an enum and that of an entry of a table in another. An entry is found in front of its pointer, where nothing of the
//! text is: what is accessed there lies in the table.

use super::{Memory, Object, ObjectId, ObjectSet};
use crate::analysis::spot::gep_parts;
use crate::ir::{Callee, Func, InstId, Op, Val};
use crate::rule::Effect;

impl Memory {
    /// Takes from what addresses may lead to the objects in front of which they lie, if others are left.
    pub(super) fn keep_within_bounds(&mut self, func: &Func) {
        let is_accessed_alone = |id: &InstId| {
            let is_access = |user: &InstId| match func.inst(*user).op {
                Op::Load => true,
                Op::Store => func.inst(*user).operands[0] != Val::Inst(*id),
                _ => false,
            };
            matches!(func.inst(*id).op, Op::Gep) && func.users[id.0 as usize].iter().all(is_access)
        };
        for id in func.inst_ids().filter(is_accessed_alone) {
            let set = self.points_to(Val::Inst(id));
            let mut outside = ObjectSet::default();
            set.iter().filter(|o| self.is_in_front(func, id, *o)).for_each(|object| _ = outside.insert(object));
            let left = set.without(&outside);
            if !outside.is_empty() && !left.is_empty() {
                self.values.insert(Val::Inst(id), left);
            }
        }
    }

    /// Whether an address lies in front of an object of the function's own wherever it is one that is counted from there.
    fn is_in_front(&self, func: &Func, address: InstId, object: ObjectId) -> bool {
        let inst = func.inst(address);
        let (distance, steps) = gep_parts(func.module(), inst.value);
        let begins = match self.objects[object.0 as usize] {
            Object::Stack(_) => true,
            Object::Heap(id) => {
                matches!(func.inst(id).op, Op::Call(Callee::Effect(Effect::Allocate { .. })))
            }
            _ => false,
        };
        if !begins || !steps.is_empty() || distance >= 0 {
            return false;
        }
        let base = inst.operands[0];
        let ways = match base {
            Val::Inst(id) if matches!(func.inst(id).op, Op::Phi) => func.inst(id).operands.clone(),
            _ => vec![base],
        };
        let leads_there = |way: &&Val| self.points_to_any(**way, |o| o == object);
        let is_in_front = |way: &Val| {
            let row = self.place(func, *way, object);
            row.is_some_and(|row| row.spot.stride == 0 && row.spot.offset.wrapping_add(distance) < 0)
        };
        let mut ways = ways.iter().filter(leads_there).peekable();
        ways.peek().is_some() && ways.all(is_in_front)
    }
}
