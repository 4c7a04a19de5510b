//! Strong zeros.
//!
//! The optimiser turns `if x > 0.0 { x.ln() } else { 0.0 }` into a computation of both arms and a `select`. Then the adjoint of
//! the arm that was not chosen is an exact zero, and its partial may be infinite or NaN: their product must be zero. A
//! result is *masked* if its adjoint can come out of a select's arm; its contributions are guarded.
use super::Facts;
use crate::analysis::memory::Object;
use crate::ir::{InstId, Op, Val};
use crate::llvm::Place;

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
    masked
}
