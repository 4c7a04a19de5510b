//! The differentiation pass.
#![forbid(unsafe_code)]
pub mod analysis;
pub mod config;
pub mod diag;
pub mod emit;
pub mod ir;
pub mod load;
mod maps;
pub mod pipeline;
pub mod plan;
pub mod rule;
pub mod tune;

pub use config::Config;
pub use cotangent_llvm as llvm;
pub use pipeline::{Outcome, differentiate};

/// Where the bodies of functions of other crates come from.
pub trait Bodies {
    /// The definition of a symbol, in a module of the same context; its body may be read lazily.
    fn find(&mut self, symbol: &str) -> Option<llvm::Function>;

    /// Whether the program's module has every function whose address is taken anywhere in the program: no pointer leads elsewhere.
    fn has_all(&self) -> bool {
        true
    }
}

/// No bodies beside those of the program's own module.
pub struct NoBodies;

impl Bodies for NoBodies {
    fn find(&mut self, _: &str) -> Option<llvm::Function> {
        None
    }
}
