//! Freedom that a reverse sweep has and the primal had not, used before LLVM's optimiser runs.
//!
//! The primal says in which order its numbers are added, and the optimiser must keep to it. Adjoints are sums without an order of
//! their own: a loop that only adds to shadows may run in any order. The optimiser does not know that of memory, so what takes
//! it is done here: [`interchange`].
pub mod access;
pub mod interchange;

use crate::emit::aggregate::FREE_ORDER;
use crate::ir::loops;
use crate::llvm::{Function, Module, Opcode, Value};

/// Brings a function to the form that is looked for: variables in registers, loops with the test at the end, nothing computed twice.
const PREPARE: &str = "sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,loop-mssa(loop-rotate,licm),gvn,simplifycfg,\
    instcombine<no-verify-fixpoint>,loop-simplify,lcssa";

/// Chooses better orders for loops over shadows in the derivatives of a workshop.
///
/// # Errors
/// LLVM's message where it does not know a pass.
pub fn run(module: Module) -> Result<(), String> {
    for function in module.functions() {
        if !function.is_declaration() && has_accumulating_nest(function) {
            function.run_passes(PREPARE)?;
            interchange::run(function);
        }
    }
    Ok(())
}

/// Whether something is added to memory in a loop inside of a loop: only then there is an order to choose.
fn has_accumulating_nest(function: Function) -> bool {
    let mut stores = function.blocks().into_iter().flat_map(|b| b.instructions());
    if !stores.any(|i| i.opcode() == Opcode::LLVMStore && accumulated(i).is_some()) {
        return false;
    }
    let all = loops::loops(function);
    all.iter().any(|outer| all.iter().any(|inner| inner.header != outer.header && outer.blocks.contains(&inner.header)))
}

/// For a store of `load p + x` to `p`, whose sum has no order of its own: the load and the sum.
pub fn accumulated(store: Value) -> Option<(Value, Value)> {
    let (sum, place) = (store.operand(0), store.operand(1));
    if !sum.is_instruction() || sum.opcode() != Opcode::LLVMFAdd || sum.fast_math() & FREE_ORDER & 1 == 0 {
        return None;
    }
    let is_before = |v: &Value| {
        v.is_instruction() && v.opcode() == Opcode::LLVMLoad && v.operand(0) == place && v.block() == store.block()
    };
    let before = sum.operands().into_iter().find(is_before)?;
    (before.users().len() == 1 && sum.users().len() == 1).then_some((before, sum))
}
