//! Numbers of the source that are the bits of no float.
//!
//! What the types of the source say to be a number is moved as a [word](super::words) all the same, for a program may take the bits of a float (`to_bits`) and keep them
//! where numbers are. Where it keeps none, by casts or by places that hold a float as well, a number is a number.

use super::{Activity, Interface, ParamActivity, Users};
use crate::analysis::casts::keeps_bits;
use crate::analysis::memory::{Memory, ObjectId, ObjectSet};
use crate::ir::{Func, Inst, InstId, Op, Val, tag};

/// Where what the source has as a number may be the bits of a float, as far as types and places tell; nothing where it may be anywhere, or no number is told apart.
/// (Of memory that is neither the function's own nor the user's nobody tells here what was put there.)
pub(super) fn of_bits(func: &Func, memory: &Memory, interface: &Interface) -> Option<ObjectSet> {
    let is_users = |(param, [direct, behind]): (&ParamActivity, &[Users; 2])| {
        *param != ParamActivity::Dup || (direct.structure && behind.structure)
    };
    let knows_all = interface.params.iter().zip(&interface.outside).all(is_users);
    let has_numbers = || func.inst_ids().any(|id| tag::is_count(func.inst(id).value));
    if !knows_all || !has_numbers() || keeps_bits(func.module()) {
        return None;
    }
    let mut found = ObjectSet::default();
    let all = (0..memory.objects.len() as u32).map(ObjectId);
    all.filter(|object| memory.is_mixed(*object)).for_each(|object| _ = found.insert(object));
    Some(found)
}

impl Activity {
    /// Whether a number of the source is loaded from where the bits of no float are. (Where the user has a number nobody can put any, as its shadow has no adjoint.)
    pub(super) fn loads_plain_number(&self, memory: &Memory, load: &Inst) -> bool {
        let is_users = |object: ObjectId| memory.objects[object.0 as usize].param().is_some();
        let is_plain = |of_bits: &ObjectSet| {
            !memory.points_to_any(load.operands[0], |object| !is_users(object) && of_bits.contains(object))
        };
        tag::is_count(load.value) && self.of_bits.as_ref().is_some_and(is_plain)
    }

    /// Whether a load is one of a word of which nothing tells what it is.
    pub(super) fn loads_word(&self, memory: &Memory, load: &Inst) -> bool {
        tag::is_word(load.value) && !self.loads_plain_number(memory, load)
    }

    /// Enters where an instruction puts what may be the bits of a float; true where that is news.
    pub(super) fn move_bits(&mut self, func: &Func, memory: &Memory, id: InstId) -> bool {
        let Some(mut of_bits) = self.of_bits.take() else { return false };
        let inst = func.inst(id);
        let is_bits = |val: &Val| self.is_varied(*val) && !func.ty(*val).is_float_or_vector();
        let holds_bits = |of_bits: &ObjectSet, set: &ObjectSet| set.iter().any(|object| of_bits.contains(object));
        let mut is_new = false;
        match &inst.op {
            Op::Store if is_bits(&inst.operands[0]) => is_new = of_bits.union(&memory.points_to(inst.operands[1])),
            Op::MemCopy if holds_bits(&of_bits, &memory.points_to(inst.operands[1])) => {
                is_new = of_bits.union(&memory.points_to(inst.operands[0]));
            }
            Op::Call(_) => {
                let takes_bits = inst.operands.iter().any(is_bits);
                for (to, origin) in &memory.effects(id).moves {
                    if (origin.of_operands && takes_bits) || holds_bits(&of_bits, &origin.from) {
                        is_new |= of_bits.union(to);
                    }
                }
            }
            _ => {}
        }
        self.of_bits = Some(of_bits);
        is_new
    }
}
