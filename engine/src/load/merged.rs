//! Marks that get lost where LLVM makes one of two loads.
//!
//! What tells the variants of an enum may be the capacity of a vector in one of them. It is loaded to be looked at, and once more where the vector is moved. Both loads are marked as
//! those of a number of the source ([`tag::mark_count`]); of the two metadata of such a mark LLVM leaves the one that says "a word" to the load that it makes of both, and
//! drops the one that says of what. What is stored from there says it still.

use crate::ir::tag;
use crate::llvm::{Function, Opcode, Value};

/// Marks the loads of a function again of which all that is kept is told to be a number of the source, and which are looked at otherwise.
pub fn tell(function: Function) {
    for load in function.blocks().into_iter().flat_map(|block| block.instructions()) {
        let is_lost = || load.is_plain() && load.ty().is_int() && tag::is_word(load) && !tag::is_firm(load);
        if load.opcode() == Opcode::LLVMLoad && is_lost() && is_kept_as_number(load) == Some(true) {
            tag::mark_count(load);
        }
    }
}

/// Whether a number is stored as one of the source; nothing where it goes anywhere else but into comparisons.
fn is_kept_as_number(number: Value) -> Option<bool> {
    number.users().into_iter().try_fold(false, |is_kept, user| match user.opcode() {
        Opcode::LLVMStore if user.operand(0) == number && tag::is_count(user) => Some(true),
        Opcode::LLVMFreeze => is_kept_as_number(user).map(|more| is_kept || more),
        Opcode::LLVMICmp | Opcode::LLVMSwitch => Some(is_kept),
        _ => None,
    })
}
