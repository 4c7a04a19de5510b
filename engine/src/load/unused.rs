//! Copies of functions that nothing leads to any more.
//!
//! What rustc writes asks for types where it runs: a product of matrices of `f64` has calls for three other types of numbers, behind comparisons that are false. Once they
//! are folded, the functions behind them, with all that they call, are cleaned up for nothing, and what is asked of the module is asked of them too.

use crate::ir;
use crate::ir::table::is_table;
use crate::llvm::{Block, Function, Linkage, Module, Value};
use crate::maps::HashSet;

/// Removes them from a workshop. What a constant mentions stays, and so do tables.
pub fn remove(module: Module) {
    let bodies = ir::bodies(module);
    let mut open: Vec<Function> =
        bodies.iter().copied().filter(|function| !is_internal(*function) || is_table(*function)).collect();
    let mut reached: HashSet<Function> = open.iter().copied().collect();
    let mut seen: HashSet<Value> = HashSet::default();
    let mut reach = |value: Value, open: &mut Vec<Function>| {
        let mut values = vec![value];
        while let Some(value) = values.pop() {
            if !seen.insert(value) {
                continue;
            }
            match value.as_function() {
                Some(function) => open.extend(Some(function).filter(|function| reached.insert(*function))),
                None if value.is_constant() && value.as_global().is_none() => values.extend(value.operands()),
                None => {}
            }
        }
    };
    for initial in module.globals().into_iter().filter_map(|global| global.initializer()) {
        reach(initial, &mut open);
    }
    while let Some(function) = open.pop() {
        for instruction in function.blocks().into_iter().flat_map(Block::instructions) {
            instruction
                .operands()
                .into_iter()
                .filter(|operand| operand.is_constant())
                .for_each(|operand| reach(operand, &mut open));
        }
        function.personality().into_iter().for_each(|personality| reach(personality, &mut open));
    }
    let unused: Vec<Function> = bodies.into_iter().filter(|function| !reached.contains(function)).collect();
    for function in &unused {
        let value = function.value();
        value.replace_all_uses_with(value.ty().undef());
    }
    unused.into_iter().for_each(Function::erase);
}

fn is_internal(function: Function) -> bool {
    matches!(function.linkage(), Linkage::LLVMInternalLinkage | Linkage::LLVMPrivateLinkage)
}
