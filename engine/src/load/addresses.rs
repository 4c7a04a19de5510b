//! Pointers that LLVM has turned to numbers and back.
//!
//! An empty `Vec` has the address 8, say, and no memory. Where it meets an allocated one, LLVM sometimes joins the *numbers*:
//! `inttoptr (phi [ptrtoint %p], [8])`, and no analysis of memory sees through that. The join is made one of pointers again.
//!
//! The other way round, what is moved out of an enum that has a float in one variant and a vector in another is stored as the pointer of the vector once LLVM
//! knows that it is the float: `store ptr (inttoptr (load i64))`. What is a number, and is only moved, is moved as a number.

use crate::analysis::activity::is_structure;
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

/// Stores numbers in the place of pointers that loaded numbers or the bits of constant floats are made to and that are used for nothing else, in one function.
pub fn store_numbers(function: Function) {
    let all: Vec<Value> = function.blocks().into_iter().flat_map(|b| b.instructions()).collect();
    for store in all.iter().filter(|i| i.opcode() == Opcode::LLVMStore) {
        if let Some(bits) = bits_of_float(store.operand(0)) {
            store.set_operand(0, bits);
        }
    }
    for cast in all.into_iter().filter(|i| i.opcode() == Opcode::LLVMIntToPtr) {
        let (number, stores) = (cast.operand(0), cast.users());
        let is_loaded = number.is_instruction() && number.opcode() == Opcode::LLVMLoad;
        let is_whole = function.module().size_of(number.ty()) == function.module().size_of(cast.ty());
        let is_moved = |user: &Value| user.opcode() == Opcode::LLVMStore && user.operand(0) == cast;
        if is_loaded && is_whole && stores.iter().all(is_moved) {
            stores.iter().for_each(|store| store.set_operand(0, number));
            cast.erase();
        }
    }
}

/// The bits of a constant pointer that are a float's: no address is like that.
pub fn bits_of_float(pointer: Value) -> Option<Value> {
    let is_cast = pointer.ty().is_pointer() && pointer.constant_opcode() == Some(Opcode::LLVMIntToPtr);
    let bits = is_cast.then(|| pointer.operand(0))?;
    (bits.ty().bits() == 64 && !is_structure(bits, bits.ty())).then_some(bits)
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
