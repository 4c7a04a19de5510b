//! The mirror of an LLVM function that analyses, plan and emission work on.
pub mod custom;
mod func;
pub mod handed;
mod op;
pub mod table;
pub mod tag;

pub use custom::Custom;
pub use func::{BlockData, BlockId, Func, Inst, InstId, Val};
pub use op::{Callee, GUARD, Op};
