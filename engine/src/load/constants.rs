//! Constants of one module rewritten for another.
//!
//! Types, numbers and `undef` belong to the context and are shared by all its modules. Functions and global variables belong to one module,
//! so whatever mentions them (tables, vtables, offsets into statics) has to be rebuilt with their counterparts. Rebuilding is
//! lazy: a constant that mentions no global stays the very same constant.

use crate::llvm::{Function, Global, Value};

/// What stands for functions and global variables in the other module.
pub trait Counterparts {
    /// The counterpart of a function whose address is taken or which is called.
    fn function(&mut self, function: Function) -> Value;
    /// The counterpart of a global variable.
    fn global(&mut self, global: Global) -> Value;
}

/// The counterpart of an operand; `None` where it stays as it is (numbers, instructions, parameters, metadata).
pub fn rewrite(value: Value, counterparts: &mut dyn Counterparts) -> Option<Value> {
    if let Some(function) = value.as_function() {
        return Some(counterparts.function(function));
    }
    if let Some(global) = value.as_global() {
        return Some(counterparts.global(global));
    }
    if let Some(aliasee) = value.aliasee() {
        return Some(rewrite(aliasee, counterparts).unwrap_or(aliasee));
    }
    if !value.is_compound_constant() {
        return None;
    }
    let old = value.operands();
    let new: Vec<Option<Value>> = old.iter().map(|operand| rewrite(*operand, counterparts)).collect();
    if new.iter().all(Option::is_none) {
        return None;
    }
    let operands: Vec<Value> = old.iter().zip(new).map(|(old, new)| new.unwrap_or(*old)).collect();
    value.with_operands(&operands)
}

/// Visits the functions and global variables that an operand mentions, not those that their initial values mention.
///
/// Answers false where the operand mentions something in a way that [`rewrite`] cannot rebuild.
pub fn mentions(value: Value, visit: &mut dyn FnMut(Value)) -> bool {
    use crate::llvm::ValueKind::*;
    if value.as_function().is_some() || value.as_global().is_some() {
        visit(value);
        return true;
    }
    if let Some(aliasee) = value.aliasee() {
        return mentions(aliasee, visit);
    }
    if value.is_compound_constant() {
        return value.operands().into_iter().all(|operand| mentions(operand, visit))
            && (value.constant_opcode().is_none() || value.with_operands(&value.operands()).is_some());
    }
    !matches!(value.kind(), LLVMBlockAddressValueKind | LLVMGlobalIFuncValueKind)
}
