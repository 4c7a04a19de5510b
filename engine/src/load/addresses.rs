//! Pointers that LLVM has turned to numbers and back.
//!
//! An empty `Vec` has the address 8, say, and no memory. Where it meets an allocated one, LLVM sometimes joins the *numbers*:
//! `inttoptr (phi [ptrtoint %p], [8])`, and no analysis of memory sees through that. The join is made one of pointers again.

use crate::llvm::{Builder, Function, Opcode, Value};

/// Joins pointers in the place of their numbers, in one function.
pub fn join_pointers(function: Function) {
    let all = function.blocks().into_iter().flat_map(|b| b.instructions());
    let casts: Vec<Value> = all.filter(|i| i.opcode() == Opcode::LLVMIntToPtr).collect();
    for cast in casts {
        if let Some(joined) = joined(cast) {
            cast.replace_all_uses_with(joined);
            cast.erase();
        }
    }
}

/// The pointer that a cast of a phi of numbers is.
fn joined(cast: Value) -> Option<Value> {
    let phi = cast.operand(0);
    if !phi.is_instruction() || phi.opcode() != Opcode::LLVMPHI {
        return None;
    }
    let ty = cast.ty();
    let incoming: Option<Vec<_>> =
        phi.incoming().into_iter().map(|(v, block)| Some((pointer(v, cast)?, block))).collect();
    let incoming = incoming?;
    let builder = Builder::before(phi);
    let new = builder.phi(ty);
    incoming.into_iter().for_each(|(value, block)| new.add_incoming(value, block));
    Some(new)
}

/// The pointer that a number was, or a constant address.
fn pointer(number: Value, cast: Value) -> Option<Value> {
    if number.is_instruction() && number.opcode() == Opcode::LLVMPtrToInt && number.operand(0).ty() == cast.ty() {
        return Some(number.operand(0));
    }
    number.as_u64().map(|_| number.int_to_pointer(cast.ty()))
}
