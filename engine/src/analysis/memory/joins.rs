//! What pointers bring together.
//!
//! A function that is given a value by reference and goes on with one of its own (`while let ..  { state = step(state) }`, a recursion that LLVM has made a
//! loop) has one pointer for both. Its caller has to know: where the one has a shadow, the other needs one.

use super::{Memory, Object, ObjectSet};
use crate::ir::{Func, InstId, Op, Val};
use std::collections::BTreeSet;

/// Parameters to whose memory, or what is behind it, a pointer may lead that may also lead to that of another parameter, or to memory of the function's own
/// (none).
pub type Joined = BTreeSet<(u32, Option<u32>)>;

impl Memory {
    /// What a function tells its callers.
    pub(super) fn joined(&self, func: &Func) -> Joined {
        let mut found = Joined::new();
        for id in func.inst_ids() {
            let inst = func.inst(id);
            if matches!(inst.op, Op::Phi | Op::Select | Op::Load) && inst.ty.is_pointer() {
                self.join(&self.points_to(Val::Inst(id)), false, &mut found);
            }
            for (set, with_own) in self.joined_by(func, id) {
                // What a callee puts into such memory, or takes out of it, is of both.
                self.join(&self.reach_from(set), with_own, &mut found);
            }
        }
        found
    }

    /// Objects that arguments lead to that one pointer of a callee may lead to, and whether it may lead to memory of the callee's own as well.
    pub fn joined_by(&self, func: &Func, call: InstId) -> Vec<(ObjectSet, bool)> {
        let inst = func.inst(call);
        let Some(summary) = self.summaries.get(&call) else { return Vec::new() };
        let argument = |param: u32| inst.operands.get(param as usize).map(|v| self.points_to(*v)).unwrap_or_default();
        let sets = summary.joined.iter().map(|(param, other)| {
            let mut set = argument(*param);
            if let Some(other) = other {
                set.union(&argument(*other));
            }
            (set, other.is_none())
        });
        sets.collect()
    }

    fn join(&self, set: &ObjectSet, with_own: bool, found: &mut Joined) {
        let object = |o: super::ObjectId| &self.objects[o.0 as usize];
        let params: BTreeSet<u32> = set.iter().filter_map(|o| object(o).param()).collect();
        let with_own = with_own || set.iter().any(|o| matches!(object(o), Object::Stack(_) | Object::Heap(_)));
        for param in &params {
            found.extend(with_own.then_some((*param, None)));
            found.extend(params.iter().filter(|other| *other != param).map(|other| (*param, Some(*other))));
        }
    }
}
