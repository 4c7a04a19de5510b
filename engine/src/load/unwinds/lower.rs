//! Brackets become landing pads.

use super::brackets::Brackets;
use super::{are_in, begin_number, end_number, unwound_by};
use crate::ir::{UNWINDS, UNWOUND};
use crate::llvm::{Block, Builder, Function, Linkage, Module, Opcode, Value};
use crate::maps::HashMap;

/// What functions of brackets are called from then on.
const LOWERED: &str = "ct.panicked.";

/// Does so in all functions of a module, in which every derivative has been written.
pub fn lower(module: Module) {
    if !are_in(module) {
        return;
    }
    let functions = || module.functions().into_iter();
    for function in functions().filter(|f| !f.is_declaration() && !f.name().starts_with(UNWOUND)) {
        let found = Brackets::of(function);
        let mut pads: HashMap<Vec<Value>, Block> = HashMap::default();
        // The last call of a block first: what is behind a call goes on in the old block.
        for (call, open) in found.calls.into_iter().rev().filter(|(_, open)| !open.is_empty()) {
            let pad = *pads.entry(open).or_insert_with_key(|open| landing_pad(function, open));
            invoke(call, pad);
        }
        let all: Vec<Value> = function.blocks().into_iter().flat_map(|b| b.instructions()).collect();
        let brackets = all.into_iter().filter(|i| begin_number(*i).is_some() || end_number(*i).is_some());
        brackets.for_each(Value::erase);
    }
    for bracket in functions().filter(|f| f.is_declaration() && f.name().starts_with(UNWINDS)) {
        bracket.erase();
    }
    for unwound in functions().filter(|f| f.name().starts_with(UNWOUND)) {
        unwound.set_linkage(Linkage::LLVMInternalLinkage);
        // A derivative of this derivative has brackets of its own, and calls this as it is.
        unwound.value().set_name(&unwound.name().replacen(UNWOUND, LOWERED, 1));
    }
}

/// The function that finds landing pads when a panic unwinds.
pub fn personality(module: Module) -> Value {
    module.declare("rust_eh_personality", module.context().int(32).function(&[])).value()
}

/// A landing pad that closes brackets, from the inside out.
fn landing_pad(function: Function, open: &[Value]) -> Block {
    let personality = personality(function.module());
    function.set_personality(Some(personality));
    let first = function.append_block("unwinds");
    let mut builder = Builder::at_end(first);
    let exception = builder.cleanup_pad(personality);
    let last = function.append_block("panics.again");
    for begin in open.iter().rev() {
        let Some(unwound) = unwound_by(*begin) else { continue };
        let next = function.append_block("unwinds.on");
        builder.invoke(unwound, &begin.arguments(), next, last);
        builder = Builder::at_end(next);
    }
    builder.resume(exception);
    // A panic while another one unwinds ends the program, as it does in the primal.
    let builder = Builder::at_end(last);
    builder.last_pad(personality);
    if let Some(trap) = function.module().intrinsic("llvm.trap", &[]) {
        builder.call(trap, &[]);
    }
    builder.unreachable();
    first
}

/// Turns a call to an invoke: what stands before it goes to a new block, what stands behind it stays.
fn invoke(call: Value, pad: Block) {
    let rest = call.block();
    let function = rest.function();
    let edges: Vec<(Value, u32)> = rest
        .value()
        .users()
        .into_iter()
        .filter(|user| user.is_terminator())
        .flat_map(|end| end.successors().into_iter().zip(0u32..).map(move |(to, index)| (end, index, to)))
        .filter(|(_, _, to)| *to == rest)
        .map(|(end, index, _)| (end, index))
        .collect();
    let first = function.append_block("calls");
    first.move_before(rest);
    let builder = Builder::at_end(first);
    for instruction in rest.instructions().into_iter().take_while(|i| *i != call) {
        instruction.detach();
        builder.insert(instruction);
    }
    for (end, index) in edges {
        end.set_successor(index, first);
    }
    builder.set_location_of(Some(call));
    let new = builder.invoke_value(call.called_type(), call.callee(), &call.arguments(), rest, pad);
    new.set_call_convention(call.call_convention());
    new.copy_call_attributes(call);
    if !call.ty().is_void() {
        call.replace_all_uses_with(new);
    }
    debug_assert_eq!(call.opcode(), Opcode::LLVMCall);
    call.erase();
}
