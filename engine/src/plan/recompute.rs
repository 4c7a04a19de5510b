//! What can be computed again in the reverse sweep, and from what.
//!
//! Pure operations can, from their operands; a load can, if nothing writes to its memory between it and the reverse sweep;
//! a phi of a loop's header that grows by a constant step can, from its start and the loop's counter; a selector can, from
//! the condition of the branch that decides it. Everything else must be kept if it is needed.
use super::{Facts, Item};
use crate::analysis::cfg::LoopId;
use crate::analysis::memory::{self, Object};
use crate::ir::{BlockId, Callee, InstId, Op, Val};
use crate::llvm::Opcode;
use crate::rule::{Cost, Effect};

/// How to compute an item again.
#[derive(Clone, Debug, PartialEq)]
pub enum Way {
    /// It is there anyway: a loop's counter, the address of a local.
    AtHand,
    /// The same instruction, on the values (or, of a shadow, the shadows of its pointers) of its operands.
    Again,
    /// A phi that counts: its start plus the loop's counter times the step.
    Counting {
        /// The loop.
        over: LoopId,
        /// Value on entry.
        start: Val,
        /// What is added each time: integers of the phi's type, or bytes to a pointer.
        step: Val,
        /// Subtract the step.
        down: bool,
    },
    /// A pointer phi that walks by a constant number of bytes.
    Walking {
        /// The loop.
        over: LoopId,
        /// Value on entry.
        start: Val,
        /// Bytes.
        step: i64,
    },
    /// A selector: one of two numbers, by a condition.
    Branch {
        /// The condition.
        condition: Val,
        /// The number where it holds.
        then: u64,
        /// The number where it does not.
        otherwise: u64,
    },
}

/// How an item can be computed again; none where it must be kept.
pub fn way(facts: &Facts, item: Item) -> Option<Way> {
    match item {
        Item::Value(id) => value(facts, id),
        Item::Shadow(id) => shadow(facts, id),
        Item::Tape(_) | Item::Trips(_) => None,
    }
}

/// Operands of a pointer operation that stand for pointers: its shadow has their shadows there, and the same as the primal
/// everywhere else.
pub fn pointer_operands(op: &Op, count: usize) -> Vec<usize> {
    match op {
        Op::Gep | Op::Load | Op::Copy | Op::Extract(_) | Op::BitCast => vec![0],
        Op::Insert(_) => vec![0, 1],
        Op::Select => vec![1, 2],
        Op::Integer(_) | Op::Phi => (0..count).collect(),
        _ => Vec::new(),
    }
}

/// The items that an item is computed from.
pub fn sources(facts: &Facts, item: Item, way: &Way) -> Vec<Item> {
    let is_shadow = matches!(item, Item::Shadow(_));
    let of = |val: Val| match val {
        Val::Inst(id) if is_shadow && facts.has_shadow(val) => Some(Item::Shadow(id)),
        Val::Inst(id) => Some(Item::Value(id)),
        _ => None,
    };
    let plain = |val: Val| match val {
        Val::Inst(id) => Some(Item::Value(id)),
        _ => None,
    };
    match (item, way) {
        (Item::Value(id) | Item::Shadow(id), Way::Again) => {
            let inst = facts.func.inst(id);
            let pointers = pointer_operands(&inst.op, inst.operands.len());
            let each = |(i, v): (usize, &Val)| if pointers.contains(&i) { of(*v) } else { plain(*v) };
            let mut all: Vec<Item> = inst.operands.iter().enumerate().filter_map(each).collect();
            if matches!(inst.op, Op::Load) {
                // The address may itself have been loaded; the local that it leads to is to last as well.
                for local in super::needs::locals(facts, &facts.memory.points_to(inst.operands[0])) {
                    all.extend(of(Val::Inst(local)).filter(|item| !all.contains(item)));
                }
            }
            all
        }
        (_, Way::Counting { start, step, .. }) => of(*start).into_iter().chain(plain(*step)).collect(),
        (_, Way::Walking { start, .. }) => of(*start).into_iter().collect(),
        (_, Way::Branch { condition, .. }) => plain(*condition).into_iter().collect(),
        _ => Vec::new(),
    }
}

fn value(facts: &Facts, id: InstId) -> Option<Way> {
    let inst = facts.func.inst(id);
    match &inst.op {
        Op::Scalar(scalar) => (scalar.cost < Cost::Expensive && !scalar.kinds.contains(&crate::rule::ArgKind::IntOut))
            .then_some(Way::Again),
        Op::Gep
        | Op::Copy
        | Op::BitCast
        | Op::Compare
        | Op::Integer(_)
        | Op::Conversion
        | Op::Select
        | Op::Extract(_)
        | Op::Insert(_)
        | Op::ExtractElement
        | Op::InsertElement
        | Op::Shuffle(_) => Some(Way::Again),
        Op::Load => is_stable(facts, id).then_some(Way::Again),
        Op::Alloca => facts.fused.then_some(Way::AtHand),
        Op::Phi => phi(facts, id),
        Op::Call(Callee::Inert) if !inst.ty.is_void() => Some(Way::Again),
        _ => None,
    }
}

fn shadow(facts: &Facts, id: InstId) -> Option<Way> {
    let inst = facts.func.inst(id);
    match &inst.op {
        Op::Gep | Op::Copy | Op::Select | Op::Extract(_) | Op::Insert(_) | Op::Integer(_) | Op::BitCast => {
            Some(Way::Again)
        }
        // In the reverse sweep the place may hold an adjoint.
        Op::Load if facts.activity.is_word(Val::Inst(id)) => None,
        // What the forward sweep writes into shadows of structure mirrors the primal, so it stays as long.
        Op::Load => is_stable(facts, id).then_some(Way::Again),
        Op::Alloca => facts.fused.then_some(Way::AtHand),
        Op::Phi => phi(facts, id),
        _ => None,
    }
}

fn phi(facts: &Facts, id: InstId) -> Option<Way> {
    let (func, cfg) = (facts.func, facts.cfg);
    let inst = func.inst(id);
    if facts.selectors.get(&inst.block) == Some(&id) {
        return selector(facts, inst.block);
    }
    let over = cfg.header_of(inst.block)?;
    if facts.loops[over.0 as usize].counter == Some(id) {
        return Some(Way::AtHand);
    }
    let preds = func.preds(inst.block);
    let entering = preds.iter().position(|p| *p == cfg.get(over).preheader)?;
    let start = inst.operands[entering];
    let Val::Inst(next) = inst.operands[1 - entering] else { return None };
    let next = func.inst(next);
    let me = Val::Inst(id);
    let invariant = |v: Val| match v {
        Val::Inst(i) => !cfg.contains(over, func.inst(i).block),
        _ => true,
    };
    match next.op {
        Op::Integer(Opcode::LLVMAdd) if next.operands[0] == me && invariant(next.operands[1]) => {
            Some(Way::Counting { over, start, step: next.operands[1], down: false })
        }
        Op::Integer(Opcode::LLVMAdd) if next.operands[1] == me && invariant(next.operands[0]) => {
            Some(Way::Counting { over, start, step: next.operands[0], down: false })
        }
        Op::Integer(Opcode::LLVMSub) if next.operands[0] == me && invariant(next.operands[1]) => {
            Some(Way::Counting { over, start, step: next.operands[1], down: true })
        }
        Op::Gep if next.operands[0] == me => {
            let (step, variable) = memory::gep_parts(func.module(), next.value);
            variable.is_empty().then_some(Way::Walking { over, start, step })
        }
        _ => None,
    }
}

/// A selector that one branch decides: both predecessors lie on different sides of the dominator's branch.
fn selector(facts: &Facts, block: BlockId) -> Option<Way> {
    let (func, cfg) = (facts.func, facts.cfg);
    let dominator = cfg.idom[block.0 as usize];
    let [a, b] = func.preds(block) else { return None };
    let branch = func.inst(*func.block(dominator).insts.last()?);
    let [then, otherwise] = func.block(dominator).succs[..] else { return None };
    // (A switch may lead to two blocks as well.)
    let is_branch = branch.value.opcode() == Opcode::LLVMBr && branch.operands.len() == 1;
    if !is_branch || then == otherwise || cfg.loop_of(dominator) != cfg.loop_of(block) {
        return None;
    }
    // A predecessor lies on a side if it is the dominator itself and the side is the block, or that side dominates it.
    let on = |side: BlockId, pred: BlockId| {
        if side == block {
            pred == dominator
        } else {
            pred != dominator && func.preds(side).len() == 1 && cfg.dominates(side, pred)
        }
    };
    let condition = branch.operands[0];
    if on(then, *a) && on(otherwise, *b) {
        Some(Way::Branch { condition, then: 0, otherwise: 1 })
    } else if on(then, *b) && on(otherwise, *a) {
        Some(Way::Branch { condition, then: 1, otherwise: 0 })
    } else {
        None
    }
}

/// Whether what a load reads is still there in the reverse sweep.
pub fn is_stable(facts: &Facts, load: InstId) -> bool {
    let inst = facts.func.inst(load);
    if !inst.value.is_plain() {
        return false;
    }
    let set = facts.memory.points_to(inst.operands[0]);
    let (root, spot) = memory::rooted_spot(facts.func, inst.operands[0]);
    let size = facts.func.module().store_size_of(inst.ty) as i64;
    lasts(facts, &set) && !is_written_after(facts, &set, Some((root, spot, size)), load)
}

/// Whether everything that a pointer reaches stays as it is from after an instruction until the reverse sweep.
pub fn is_untouched_after(facts: &Facts, pointer: Val, place: InstId) -> bool {
    let set = facts.memory.reach(pointer);
    lasts(facts, &set) && !is_written_after(facts, &set, None, place)
}

/// Whether these objects, and not what lies behind them, stay as they are from after an instruction until the reverse sweep.
pub fn is_set_untouched_after(facts: &Facts, set: &memory::ObjectSet, place: InstId) -> bool {
    lasts(facts, set) && !is_written_after(facts, set, None, place)
}

/// Whether memory outlives the function as it is, until the reverse sweep.
fn lasts(facts: &Facts, set: &memory::ObjectSet) -> bool {
    !set.is_empty()
        && set.iter().all(|object| match facts.memory.objects[object.0 as usize] {
            Object::Param(i) | Object::Path(i, _) | Object::Behind(i) => facts.fused || facts.stable[i as usize],
            Object::Global(value) => value.as_global().is_some_and(|g| g.is_constant()),
            Object::Stack(_) | Object::Heap(_) => facts.fused || !facts.memory.escapes(object),
        })
}

/// Whether memory may be written to after an instruction (in a loop: also before it, in a later iteration). `place` narrows it
/// down to some bytes counted from a root.
fn is_written_after(
    facts: &Facts,
    set: &memory::ObjectSet,
    place: Option<(Val, memory::Spot, i64)>,
    start: InstId,
) -> bool {
    let (func, cfg, memory) = (facts.func, facts.cfg, facts.memory);
    let block = func.inst(start).block;
    let after = cfg.reachable(func, block);
    let writes = |address: Val, bytes: Option<i64>| {
        if !memory.sets_alias(set, &memory.points_to(address)) {
            return false;
        }
        let (root, there) = memory::rooted_spot(func, address);
        !matches!((place, bytes), (Some((r, spot, size)), Some(b)) if r == root && !memory::overlap(spot, size, there, b))
    };
    func.inst_ids().any(|id| {
        let other = func.inst(id);
        let later = after[other.block.0 as usize] || (other.block == block && id > start);
        if !later || !func.block(other.block).returns {
            return false;
        }
        match &other.op {
            Op::Store => {
                writes(other.operands[1], Some(func.module().store_size_of(func.ty(other.operands[0])) as i64))
            }
            Op::MemCopy | Op::MemSet => writes(other.operands[0], None),
            Op::Call(Callee::Inert | Callee::Effect(Effect::Allocate { .. })) => false,
            // Memory with a shadow is given back after the reverse sweep, other memory at once.
            Op::Call(Callee::Effect(Effect::Free { pointer, .. })) => {
                !facts.has_shadow(other.operands[*pointer]) && writes(other.operands[*pointer], None)
            }
            Op::Call(Callee::Custom(custom)) => custom.groups.iter().any(|group| {
                let (pointer, reads) =
                    (other.operands[group.pointer], custom.is_flat(group) || custom.only_reads(group));
                let written = |set: &memory::ObjectSet, by: memory::ObjectSet| memory.sets_alias(set, &by);
                (group.is_output() && written(set, memory.points_to(pointer)))
                    || (!reads && written(set, memory.behind(pointer)))
            }),
            Op::Call(_) => {
                let effects = memory.effects(id);
                memory.sets_alias(set, &effects.written) || memory.sets_alias(set, &effects.freed)
            }
            Op::Other(_) => other.operands.iter().any(|v| memory.sets_alias(set, &memory.points_to(*v))),
            _ => false,
        }
    })
}
