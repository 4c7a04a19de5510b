//! The mirror of an LLVM function that analyses, plan and emission work on.
pub mod custom;
mod func;
pub mod given;
pub mod handed;
pub mod looks;
pub mod loops;
mod op;
pub mod table;
pub mod tag;

pub use custom::Custom;
pub use func::{BlockData, BlockId, Func, Inst, InstId, Val};
pub use op::{BARE, Callee, GUARD, Op, UNWINDS, UNWOUND, is_bare};

use crate::llvm::{Function, Module};

/// The functions of a workshop that are differentiated or called: all with a body, but those that only panics call.
pub fn bodies(module: Module) -> Vec<Function> {
    let functions = module.functions().into_iter();
    functions.filter(|f| !f.is_declaration() && !f.name().starts_with(UNWOUND)).collect()
}
