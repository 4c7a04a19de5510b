//! Which parameters are numbers, whatever their callers know of them.

use super::{From, To};
use crate::analysis::memory::Summary;
use crate::llvm::{Function, Opcode, Value};

/// How many calls a parameter is followed through.
const DEEPEST: usize = 4;

/// Whether a function takes an integer parameter as a number: it counts with it, or makes no float of its bits and leaves none of them in memory. (Floats are
/// handed over as integers in small arrays: of those the bits are taken apart or moved, and nothing else.)
pub fn is_number(summary: Option<&Summary>, function: Function, param: u32) -> bool {
    let Some(summary) = summary else { return false };
    let ends = || summary.bits.0.iter().filter(|(from, ..)| *from == From::Value(param)).map(|(_, to, _)| to);
    if ends().any(|to| *to == To::Float) {
        return false;
    }
    !ends().any(|to| matches!(to, To::Place(..)))
        || function.params().get(param as usize).is_some_and(|value| counts(*value, DEEPEST))
}

/// Whether something is done with a value that is done with counts alone.
fn counts(value: Value, depth: usize) -> bool {
    value.users().into_iter().any(|user| match user.opcode() {
        Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMMul | Opcode::LLVMUDiv | Opcode::LLVMURem => true,
        Opcode::LLVMGetElementPtr | Opcode::LLVMICmp | Opcode::LLVMUIToFP | Opcode::LLVMSIToFP => true,
        Opcode::LLVMCall => {
            let Some(callee) = user.called_function().filter(|_| depth > 0) else { return false };
            let handed = user.arguments().into_iter().zip(callee.params()).filter(|(given, _)| *given == value);
            !callee.is_declaration() && handed.into_iter().any(|(_, param)| counts(param, depth - 1))
        }
        _ => false,
    })
}
