//! Pointers to constant memory that are their own shadows, in derivatives that are differentiated again.
//!
//! Where a pointer may lead to active or to constant memory, the shadow of a pointer to the latter is the pointer itself, and what is done through it is guarded: nothing is
//! written there. For the analyses of the next derivative the shadow would lead to the primal's memory all the same, and what is stored through it would seem
//! to be stored there. So there a call of a function that nobody knows stands for such a shadow: it leads to memory of its own, of which nothing is known. When nothing is
//! differentiated any more the calls become the pointers ([`lower`]).
use crate::ir::BARE;
use crate::llvm::{Builder, Function, Module, Opcode, Place, Value};

/// The shadow of a pointer that is its own; `again` where the result is differentiated again.
pub fn shadow(builder: &Builder, pointer: Value, again: bool) -> Value {
    if !again || !pointer.ty().is_pointer() || pointer.is_constant() {
        return pointer;
    }
    let module = builder.block().function().module();
    let function = module.function(BARE).unwrap_or_else(|| {
        let function = module.declare(BARE, pointer.ty().function(&[pointer.ty()]));
        for attribute in ["memory", "nounwind", "willreturn", "nosync", "nofree", "speculatable"] {
            function.add_attribute(Place::Whole, attribute, 0);
        }
        function
    });
    builder.call(function, &[pointer])
}

/// The same, made where the pointer is.
pub fn shadow_there(function: Function, pointer: Value, again: bool) -> Value {
    if !again || !pointer.ty().is_pointer() || pointer.is_constant() {
        return pointer;
    }
    let mut next = match pointer.is_instruction() {
        true => pointer.next(),
        false => function.blocks().first().and_then(|entry| entry.first()),
    };
    while let Some(phi) = next.filter(|next| next.opcode() == Opcode::LLVMPHI) {
        next = phi.next();
    }
    match next {
        Some(next) => shadow(&Builder::before(next), pointer, again),
        None if pointer.is_instruction() => shadow(&Builder::at_end(pointer.block()), pointer, again),
        None => pointer,
    }
}

/// Turns every such call of a module into the pointer.
pub fn lower(module: Module) {
    let Some(function) = module.function(BARE) else { return };
    for call in function.value().users() {
        call.replace_all_uses_with(call.arguments()[0]);
        call.erase();
    }
    function.erase();
}
