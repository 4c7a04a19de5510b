//! The mirror of an LLVM function that analyses, plan and emission work on.
mod func;
mod op;

pub use func::{BlockData, BlockId, Func, Inst, InstId, Val};
pub use op::{Callee, Op};
