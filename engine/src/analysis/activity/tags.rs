//! Which enums of the user's memory must be the same variant in the shadow.
//!
//! Where one arm of a `match` goes on to floats or pointers in that memory, these are something else in a shadow of another variant. A
//! `match` whose arms only choose numbers (an `Option<usize>`, a kind without fields) does not ask: what is no structure may differ. Only
//! enums that lie where pointers lead on to what carries derivatives count, as elsewhere nothing can be out of bounds. (A variant in memory of the
//! function's own is written into the shadow with everything else.)

use super::{Activity, holds_pointer, may_hold_floats};
use crate::analysis::memory::Memory;
use crate::ir::tag::Tag;
use crate::ir::{BlockId, Callee, Func, InstId, Op, Val};
use crate::maps::HashSet;

impl Activity {
    /// Finds them, by the load that reads the discriminant.
    pub(super) fn find_tags(&mut self, func: &Func, memory: &Memory) {
        for id in func.inst_ids() {
            let inst = func.inst(id);
            if !matches!(inst.op, Op::Load) || !func.block(inst.block).returns {
                continue;
            }
            let Some(tag) = Tag::of(inst.value) else { continue };
            let set = memory.points_to(inst.operands[0]);
            let leads_on = |o| self.is_outside(o) && self.any_active(&memory.content[o.0 as usize]);
            if !set.is_empty() && set.iter().all(leads_on) && self.decides_access(func, memory, id) {
                self.tags.insert(id, tag);
            }
        }
    }

    /// How a load tells the variant of such an enum.
    pub fn tag(&self, id: InstId) -> Option<Tag> {
        self.tags.get(&id).copied()
    }

    /// Whether it depends on a number which floats or pointers of the user's memory are reached.
    fn decides_access(&self, func: &Func, memory: &Memory, id: InstId) -> bool {
        let mut seen = HashSet::from_iter([id]);
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            for user in &func.users[id.0 as usize] {
                let inst = func.inst(*user);
                match &inst.op {
                    Op::Branch if self.arms_access(func, memory, inst.block) => return true,
                    Op::Branch => {}
                    Op::Compare | Op::Integer(_) | Op::Copy | Op::Select | Op::Phi
                        if inst.ty.is_int() || inst.ty.is_pointer() =>
                    {
                        if seen.insert(*user) {
                            open.push(*user);
                        }
                    }
                    // An address, a choice of a float, a number that is kept: nobody knows what for.
                    Op::Gep | Op::Load if inst.ty.is_pointer() => {}
                    Op::Load | Op::Call(Callee::Inert) => {}
                    Op::Select if !self.chooses_loaded(func, memory, *user) => {}
                    _ => return true,
                }
            }
        }
        false
    }

    /// Whether one of the values that a select chooses from was read from the user's memory nearby: an arm that was merged with the other.
    fn chooses_loaded(&self, func: &Func, memory: &Memory, select: InstId) -> bool {
        let block = func.inst(select).block;
        let mut open = func.inst(select).operands[1..].to_vec();
        let mut seen = HashSet::default();
        while let Some(val) = open.pop() {
            let Val::Inst(id) = val else { continue };
            let inst = func.inst(id);
            if inst.block != block || !seen.insert(id) {
                continue;
            }
            if matches!(inst.op, Op::Load) && self.moves_of_user(func, memory, id) {
                return true;
            }
            if !matches!(inst.op, Op::Phi) {
                open.extend(&inst.operands);
            }
        }
        false
    }

    /// Whether an instruction moves floats or pointers from or to the user's memory, or may.
    fn moves_of_user(&self, func: &Func, memory: &Memory, id: InstId) -> bool {
        let inst = func.inst(id);
        let of_user = |v: &Val| memory.points_to(*v).iter().any(|o| self.is_outside(o));
        let moves = |ty| may_hold_floats(ty) || holds_pointer(ty);
        match &inst.op {
            Op::Load => moves(inst.ty) && of_user(&inst.operands[0]),
            Op::Store => moves(func.ty(inst.operands[0])) && of_user(&inst.operands[1]),
            Op::Call(Callee::Inert) => false,
            Op::MemCopy | Op::MemSet | Op::Call(_) => inst.operands.iter().any(of_user),
            _ => false,
        }
    }

    /// Whether floats or pointers of the user's memory are reached on one way from a block and not on another.
    fn arms_access(&self, func: &Func, memory: &Memory, block: BlockId) -> bool {
        let arms: Vec<HashSet<BlockId>> =
            func.block(block).succs.iter().map(|arm| reachable(func, *arm, block)).collect();
        let exclusive = |at: &BlockId| !arms.iter().all(|arm| arm.contains(at));
        arms.iter().flatten().filter(|at| exclusive(at)).any(|at| {
            func.block(*at).returns && func.block(*at).insts.iter().any(|id| self.moves_of_user(func, memory, *id))
        })
    }
}

/// The blocks that can be reached from one without going through another.
fn reachable(func: &Func, from: BlockId, without: BlockId) -> HashSet<BlockId> {
    let mut seen = HashSet::default();
    let mut open = vec![from];
    while let Some(block) = open.pop() {
        if block != without && seen.insert(block) {
            open.extend(&func.block(block).succs);
        }
    }
    seen
}
