//! What a value is in the end, where that is a constant: a walk back through code that was never optimised.
//!
//! In a debug build the constant operands of a marker call pass through locals and through little functions such as
//! `str::as_ptr`. The walk follows constant offsets of zero, locals with one store, aggregates that are taken apart again, and calls of functions
//! that return one of their parameters. It changes nothing and needs no pass to have run.

use crate::llvm::{Function, Opcode, Value};

/// Calls that the walk is inside of: their arguments are what the callee's parameters stand for.
type Calls = Vec<Value>;

/// The constant that a value always is, without casts and offsets of zero.
pub fn constant(value: Value) -> Option<Value> {
    walk(value, &mut Vec::new(), 64)
}

fn walk(value: Value, calls: &mut Calls, fuel: u32) -> Option<Value> {
    let fuel = fuel.checked_sub(1)?;
    if let Some(aliasee) = value.aliasee() {
        return walk(aliasee, calls, fuel);
    }
    if value.is_constant() {
        return match value.constant_opcode() {
            None => Some(value),
            Some(Opcode::LLVMBitCast | Opcode::LLVMAddrSpaceCast) => walk(value.operand(0), calls, fuel),
            Some(Opcode::LLVMGetElementPtr) if is_zero_offset(value) => walk(value.operand(0), calls, fuel),
            Some(_) => None,
        };
    }
    if let Some(index) = value.argument_index() {
        let call = calls.pop()?;
        let found = call.arguments().get(index as usize).and_then(|argument| walk(*argument, calls, fuel));
        calls.push(call);
        return found;
    }
    if !value.is_instruction() {
        return None;
    }
    match value.opcode() {
        Opcode::LLVMBitCast | Opcode::LLVMFreeze | Opcode::LLVMPtrToInt | Opcode::LLVMIntToPtr => {
            walk(value.operand(0), calls, fuel)
        }
        Opcode::LLVMGetElementPtr if is_zero_offset(value) => walk(value.operand(0), calls, fuel),
        Opcode::LLVMLoad => walk(only_store(value.operand(0))?, calls, fuel),
        Opcode::LLVMExtractValue => walk(element(value.operand(0), &value.indices())?, calls, fuel),
        Opcode::LLVMCall | Opcode::LLVMInvoke => {
            let result = only_result(value.called_function()?)?;
            calls.push(value);
            let found = walk(result, calls, fuel);
            calls.pop();
            found
        }
        Opcode::LLVMPHI => {
            let mut found = value.incoming().into_iter().map(|(v, _)| walk(v, calls, fuel));
            let first = found.next()??;
            found.all(|other| other == Some(first)).then_some(first)
        }
        _ => None,
    }
}

fn is_zero_offset(gep: Value) -> bool {
    gep.operands()[1..].iter().all(|index| index.is_null())
}

/// The value of the one store into a local that is otherwise only loaded from.
fn only_store(local: Value) -> Option<Value> {
    if !local.is_instruction() || local.opcode() != Opcode::LLVMAlloca {
        return None;
    }
    let mut stored = None;
    for user in local.users() {
        match user.is_instruction().then(|| user.opcode())? {
            Opcode::LLVMLoad => {}
            Opcode::LLVMStore if user.operand(1) == local && stored.is_none() => stored = Some(user.operand(0)),
            Opcode::LLVMCall if user.called_function().is_some_and(|f| f.name().starts_with("llvm.lifetime")) => {}
            _ => return None,
        }
    }
    stored
}

/// What was put into an aggregate at the place that is taken out.
fn element(mut aggregate: Value, place: &[u32]) -> Option<Value> {
    while aggregate.is_instruction() && aggregate.opcode() == Opcode::LLVMInsertValue {
        if aggregate.indices() == place {
            return Some(aggregate.operand(1));
        }
        aggregate = aggregate.operand(0);
    }
    if !aggregate.is_constant() {
        return None;
    }
    place.iter().try_fold(aggregate, |value, index| value.aggregate_element(*index))
}

/// What a function returns, where there is one `ret`.
fn only_result(function: Function) -> Option<Value> {
    let mut results =
        function.blocks().into_iter().filter_map(|b| b.terminator()).filter(|t| t.opcode() == Opcode::LLVMRet);
    let result = results.next()?;
    (results.next().is_none() && result.operand_count() == 1).then(|| result.operand(0))
}
