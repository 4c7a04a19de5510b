//! Calls through a pointer that can only be one of a few functions.
//!
//! `let f: fn(f64) -> f64 = if c { square } else { cube }; f(x)` calls through a `select` or phi of constants. Such a call is turned to a call of a
//! *dispatcher*, which compares the pointer with each function and calls that by name, so that all of them are seen. The dispatcher is
//! inlined; it is a function of its own only because that needs no block to be split. Where the functions are not in sight, there is a [`table`].

mod reach;
pub mod table;

use super::import::returning_blocks;
use crate::ir::bodies;
use crate::llvm::{Builder, Function, IntPredicate, Linkage, Module, Opcode, Place, Value};
use crate::maps::HashSet;

/// Beyond this number of functions a call stays as it is.
const MOST: usize = 16;

/// Turns all such calls of a module; answers the dispatchers, whose calls are those of the functions' declarations.
pub fn run(module: Module) -> Vec<Function> {
    let mut made = Vec::new();
    for function in bodies(module) {
        for block in returning_blocks(function) {
            for call in block.instructions().into_iter().filter(|i| i.opcode() == Opcode::LLVMCall) {
                let callee = call.callee();
                if !callee.is_instruction() || call.called_type().is_variadic() || call.bundle_count() > 0 {
                    continue;
                }
                let mut targets = Vec::new();
                let known = targets_of(callee, &mut HashSet::default(), &mut targets);
                if known && !targets.is_empty() && targets.iter().all(|t| t.ty() == call.called_type()) {
                    made.push(replace(module, call, &targets));
                }
            }
        }
    }
    made
}

/// Collects the functions that a pointer can be; false where it can be anything else.
fn targets_of(pointer: Value, seen: &mut HashSet<Value>, targets: &mut Vec<Function>) -> bool {
    if let Some(function) = pointer.as_function() {
        if !targets.contains(&function) {
            targets.push(function);
        }
        return targets.len() <= MOST;
    }
    if !pointer.is_instruction() || !seen.insert(pointer) {
        return pointer.is_instruction() || pointer.is_undef();
    }
    match pointer.opcode() {
        Opcode::LLVMSelect => pointer.operands()[1..].iter().all(|v| targets_of(*v, seen, targets)),
        Opcode::LLVMPHI => pointer.incoming().into_iter().all(|(v, _)| targets_of(v, seen, targets)),
        Opcode::LLVMFreeze => targets_of(pointer.operand(0), seen, targets),
        _ => false,
    }
}

/// Puts a call of a new dispatcher in the place of a call.
fn replace(module: Module, call: Value, targets: &[Function]) -> Function {
    let ty = call.called_type();
    let mut params = vec![module.context().ptr()];
    params.extend(ty.params());
    let dispatcher = module.add_function("ct.dispatch", ty.result().function(&params));
    dispatcher.set_linkage(Linkage::LLVMInternalLinkage);
    dispatcher.add_attribute(Place::Whole, "alwaysinline", 0);
    let all = dispatcher.params();
    let mut builder = Builder::at_end(dispatcher.append_block("start"));
    for (number, target) in targets.iter().enumerate() {
        let (here, next) = match number + 1 == targets.len() {
            true => (builder.block(), None),
            false => (dispatcher.append_block("is"), Some(dispatcher.append_block("next"))),
        };
        if let Some(next) = next {
            builder.cond_br(builder.icmp(IntPredicate::LLVMIntEQ, all[0], target.value()), here, next);
            builder = Builder::at_end(here);
        }
        let result = builder.call(*target, &all[1..]);
        result.copy_call_attributes(call);
        if ty.result().is_void() {
            builder.ret_void()
        } else {
            builder.ret(result)
        };
        if let Some(next) = next {
            builder = Builder::at_end(next);
        }
    }
    let builder = Builder::before(call);
    builder.set_location_of(Some(call));
    let mut arguments = vec![call.callee()];
    arguments.extend(call.arguments());
    let new = builder.call(dispatcher, &arguments);
    if !ty.result().is_void() {
        call.replace_all_uses_with(new);
    }
    call.erase();
    dispatcher
}
