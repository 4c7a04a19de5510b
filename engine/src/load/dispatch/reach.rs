//! What a differentiated function can be handed from outside of what is differentiated together.
//!
//! A function of floats alone makes every trait object and every closure that it calls through a pointer itself: nothing could bring it another one. Then its
//! tables need not hold the methods of all the program, of which one may have effects that nobody would expect there.

use crate::llvm::{Function, Module, Opcode, Value};
use crate::maps::HashSet;
use crate::rule::{Known, Registry};
use cotangent_contract::{Kind, Request};

/// Bytes of a pointer to a function, the least that can hold one.
const POINTER: u64 = 8;

/// Whether no function pointer can come to a thunk from outside: not through its parameters, and not through state of the program that the functions of the
/// workshop know.
pub fn is_closed(module: Module, root: Function, request: &Request, registry: &Registry) -> bool {
    let mut params = root.params().into_iter();
    for param in &request.params {
        let Some(value) = params.next() else { return false };
        if param.has_length() {
            params.next();
        }
        let is_known = param.floats != 0 || param.kind == Kind::Return || !value.ty().is_pointer();
        if !is_known && !only_numbers_are_read(value) {
            return false;
        }
    }
    !module.globals().into_iter().any(|global| {
        !global.is_constant()
            && module.store_size_of(global.ty()) >= POINTER
            && !registry.knows(Known::OwnState, &global.name())
    })
}

/// Whether nothing that could be a pointer is read behind one.
fn only_numbers_are_read(pointer: Value) -> bool {
    let (mut open, mut seen) = (vec![pointer], HashSet::default());
    while let Some(value) = open.pop() {
        for user in value.users() {
            let is_number = |user: Value| user.ty().is_float() || (user.ty().is_int() && user.ty().bits() < 64);
            match user.opcode() {
                Opcode::LLVMGetElementPtr if seen.insert(user) => open.push(user),
                Opcode::LLVMGetElementPtr | Opcode::LLVMICmp => {}
                Opcode::LLVMLoad if is_number(user) => {}
                _ => return false,
            }
        }
    }
    true
}
