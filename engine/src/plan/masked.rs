//! Strong zeros.
//!
//! The optimiser turns `if x > 0.0 { x.ln() } else { 0.0 }` into a computation of both arms and a `select`. Then the adjoint of
//! the arm that was not chosen is an exact zero, and its partial may be infinite or NaN: their product must be zero. So it is where the
//! function itself computes what only one of its ways uses. A result is *masked* if its adjoint can come out of a select's arm, or if there is a
//! way on which nobody uses it; its contributions are guarded.
use super::Facts;
use crate::analysis::memory::Object;
use crate::ir::{BlockId, Callee, InstId, Op, Val};
use crate::llvm::Place;
use crate::maps::HashSet;

/// Whether an address lies in a local, or in the memory that a callee returns its result in.
fn into_stack(facts: &Facts, address: Val) -> bool {
    let memory = facts.memory;
    memory.points_to(address).iter().any(|o| match memory.objects[o.0 as usize] {
        Object::Stack(_) => true,
        Object::Param(i) => facts.func.function.has_attribute(Place::Param(i), "sret"),
        _ => false,
    })
}

/// Finds the masked results.
pub fn find(facts: &Facts) -> Vec<bool> {
    let func = facts.func;
    let mut masked = vec![false; func.insts.len()];
    let mut todo: Vec<InstId> = Vec::new();
    let arm = |val: Val| match val {
        Val::Inst(id) if facts.activity.is_active(val) => Some(id),
        _ => None,
    };
    for id in func.inst_ids() {
        let inst = func.inst(id);
        if matches!(inst.op, Op::Select) && facts.activity.is_active(Val::Inst(id)) {
            todo.extend(inst.operands[1..].iter().filter_map(|v| arm(*v)));
        }
        // An `Option` that is returned, or written to the stack, computes its payload before it is known to be there.
        match &inst.op {
            Op::Insert(_) => todo.extend(arm(inst.operands[1])),
            // Lanes of a vector that are not used hold anything: `sqrt` of four lanes of which one is wanted.
            Op::ExtractElement | Op::InsertElement => todo.extend(arm(inst.operands[0])),
            Op::Shuffle(_) => todo.extend(inst.operands[..2].iter().filter_map(|v| arm(*v))),
            Op::Store if into_stack(facts, inst.operands[1]) => todo.extend(arm(inst.operands[0])),
            _ => {}
        }
        if let Op::Scalar(scalar) = &inst.op
            && facts.activity.is_active(Val::Inst(id))
        {
            // `max`, `min`, `abs`, `clamp` choose like a select does.
            let choosing = scalar
                .partials
                .iter()
                .any(|p| matches!(p, crate::rule::Partial::Of(e) if matches!(e.node(), crate::rule::Node::Select(..))));
            if choosing || scalar.is_guard() {
                todo.extend(inst.operands.iter().filter_map(|v| arm(*v)));
            }
        }
    }
    while let Some(id) = todo.pop() {
        if std::mem::replace(&mut masked[id.0 as usize], true) {
            continue;
        }
        let inst = func.inst(id);
        match inst.op {
            Op::Scalar(_)
            | Op::Copy
            | Op::BitCast
            | Op::Extract(_)
            | Op::Insert(_)
            | Op::InsertElement
            | Op::Shuffle(_) => {
                todo.extend(inst.operands.iter().filter_map(|v| arm(*v)));
            }
            Op::Phi if facts.cfg.header_of(inst.block).is_none() => {
                todo.extend(inst.operands.iter().filter_map(|v| arm(*v)));
            }
            _ => {}
        }
    }
    passed_by(facts, masked)
}

/// Adds the results that a way to the function's end, or to where they are computed anew, passes by: there is no use of them on it but by what is masked itself.
fn passed_by(facts: &Facts, mut masked: Vec<bool>) -> Vec<bool> {
    let func = facts.func;
    let is_open = |id: InstId, masked: &[bool]| !masked[id.0 as usize] && facts.activity.is_active(Val::Inst(id));
    let mut todo: Vec<InstId> = func.inst_ids().filter(|id| is_open(*id, &masked)).collect();
    while let Some(id) = todo.pop() {
        if is_open(id, &masked) && !is_used_on_all_ways(facts, &masked, id) {
            masked[id.0 as usize] = true;
            let operands = func.inst(id).operands.iter();
            todo.extend(operands.filter_map(|v| if let Val::Inst(id) = v { Some(*id) } else { None }));
        }
    }
    masked
}

/// Whether an instruction's adjoint is certain to get something out of a use of a value, where it is executed.
fn is_sure(facts: &Facts, masked: &[bool], user: InstId) -> bool {
    match &facts.func.inst(user).op {
        Op::Store | Op::MemCopy | Op::Return | Op::Call(Callee::Custom(_)) => true,
        // What a function does with its argument may depend on the way it takes.
        Op::Call(_) => false,
        _ => facts.activity.is_active(Val::Inst(user)) && !masked[user.0 as usize],
    }
}

fn is_used_on_all_ways(facts: &Facts, masked: &[bool], id: InstId) -> bool {
    let func = facts.func;
    let here = func.inst(id).block;
    let (mut blocks, mut edges): (HashSet<BlockId>, HashSet<(BlockId, BlockId)>) = Default::default();
    for user in func.users[id.0 as usize].iter().filter(|user| is_sure(facts, masked, **user)) {
        let inst = func.inst(*user);
        if !matches!(inst.op, Op::Phi) {
            blocks.insert(inst.block);
            continue;
        }
        let from = func.preds(inst.block).iter().zip(&inst.operands).filter(|(_, v)| **v == Val::Inst(id));
        edges.extend(from.map(|(pred, _)| (*pred, inst.block)));
    }
    if blocks.contains(&here) {
        return true;
    }
    let (mut seen, mut open) = (HashSet::default(), vec![here]);
    while let Some(block) = open.pop() {
        let next = || func.block(block).succs.iter().copied().filter(|b| func.block(*b).returns);
        if next().next().is_none() {
            return false;
        }
        for next in next().filter(|next| !edges.contains(&(block, *next)) && !blocks.contains(next)) {
            if next == here {
                return false;
            }
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    true
}
