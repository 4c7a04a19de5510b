//! Memory of which a function knows everything that was ever put there.
//!
//! Where a function says nothing of what it moves, the memory may hold floats all the same: its caller's, a callee's, a table's. Memory of the
//! function's own, filled by the function itself with what it has computed, holds what it says and nothing else.

use crate::analysis::activity::leaves;
use crate::analysis::memory::{Memory, Object, ObjectId, ObjectSet};
use crate::ir::{Callee, Func, Op, Val};
use crate::llvm::{Opcode, Type};
use crate::rule::Effect;

/// Objects in which others may have put floats as well: not of the function's own, or handed to a caller or callee that writes there,
/// or filled with numbers out of such.
pub fn strangers(func: &Func, memory: &Memory) -> ObjectSet {
    let mut found = ObjectSet::default();
    for (index, object) in memory.objects.iter().enumerate() {
        let id = ObjectId(index as u32);
        let own = match object {
            Object::Stack(_) => true,
            Object::Heap(call) => !memory.is_made_by(*call, id),
            _ => false,
        };
        if !own || memory.escapes(id) {
            found.insert(id);
        }
    }
    let mut moves = Vec::new();
    for id in func.inst_ids() {
        let inst = func.inst(id);
        match &inst.op {
            Op::Call(Callee::Effect(Effect::Allocate { .. } | Effect::Free { .. }) | Callee::Inert) => {}
            Op::Call(_) => {
                found.union(&memory.effects(id).written);
                found.union(&memory.points_to(Val::Inst(id)));
            }
            Op::MemCopy => {
                let mut ends = memory.points_to(inst.operands[0]);
                ends.union(&memory.points_to(inst.operands[1]));
                moves.push(ends);
            }
            Op::Store if !is_of_floats(func.ty(inst.operands[0])) => {
                let mut ends = memory.points_to(inst.operands[1]);
                if sources(func, memory, inst.operands[0], &mut ends) {
                    moves.push(ends);
                } else {
                    found.union(&ends);
                }
            }
            _ => {}
        }
    }
    // What is filled from such memory is such, and so is what it is moved on to.
    let mut news = true;
    while news {
        news = false;
        for ends in &moves {
            if ends.iter().any(|o| found.contains(o)) {
                news |= found.union(ends);
            }
        }
    }
    found
}

fn is_of_floats(ty: Type) -> bool {
    if ty.is_vector() { ty.element().is_float() } else { ty.is_float() }
}

fn is_arithmetic(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(opcode, LLVMAdd | LLVMSub | LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMPtrToInt)
}

/// How many operations are followed from a stored value to what it is made of.
const DEEPEST: u32 = 8;

/// Adds the memory that a stored value is loaded from; false where it comes from elsewhere and may be a float.
fn sources(func: &Func, memory: &Memory, stored: Val, set: &mut ObjectSet) -> bool {
    sources_of(func, memory, stored, set, DEEPEST)
}

fn sources_of(func: &Func, memory: &Memory, val: Val, set: &mut ObjectSet, fuel: u32) -> bool {
    leaves(func, val).0.into_iter().all(|leaf| match leaf {
        Val::Const(_) => true,
        _ if func.ty(leaf).is_pointer() => true,
        Val::Inst(id) => match func.inst(id).op {
            Op::Load => {
                set.union(&memory.points_to(func.inst(id).operands[0]));
                true
            }
            Op::Integer(opcode) if is_arithmetic(opcode) => true,
            // Shifts, masks and conversions hand on bits of what they get.
            Op::Integer(_) if fuel > 0 => {
                func.inst(id).operands.iter().all(|operand| sources_of(func, memory, *operand, set, fuel - 1))
            }
            Op::Compare | Op::Conversion | Op::Call(Callee::Inert) => true,
            _ => false,
        },
        _ => false,
    })
}
