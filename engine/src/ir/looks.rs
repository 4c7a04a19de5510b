//! What is looked at for certain.
//!
//! What a length is stored for behind the test that it is not 0, or a pointer behind a load through it, is a length or a pointer there, whatever else lies in the
//! place of it in other variants. What is computed alone says nothing: LLVM computes ahead of the test of the variant where that does no harm.

use crate::ir::loops::{dominates, dominators};
use crate::llvm::{Block, Function, Opcode, Value};
use crate::maps::HashMap;

/// How many computations lie between a load and what depends on it.
const DEEPEST: usize = 5;

/// Which blocks come before which.
pub struct Looks {
    dominators: HashMap<Block, Block>,
}

impl Looks {
    /// Of a function.
    pub fn of(function: Function) -> Looks {
        Looks { dominators: dominators(function) }
    }

    /// Whether something that happens on every way to an instruction depends on what is loaded, as no variant of another type allows.
    pub fn are_before(&self, load: Value, instruction: Value) -> bool {
        self.depends(load, instruction, DEEPEST)
    }

    fn depends(&self, value: Value, instruction: Value, depth: usize) -> bool {
        value.users().into_iter().filter(|user| user.is_instruction()).any(|user| match user.opcode() {
            Opcode::LLVMBr | Opcode::LLVMSwitch => self.is_before(user, instruction),
            Opcode::LLVMLoad => self.is_before(user, instruction),
            Opcode::LLVMStore => user.operand(1) == value && self.is_before(user, instruction),
            Opcode::LLVMCall => {
                let is_real = !user.called_function().is_some_and(|f| f.name().starts_with("llvm."));
                is_real && self.is_before(user, instruction)
            }
            Opcode::LLVMPHI | Opcode::LLVMSelect | Opcode::LLVMBitCast => false,
            _ => depth > 0 && self.depends(user, instruction, depth - 1),
        })
    }

    fn is_before(&self, user: Value, instruction: Value) -> bool {
        user != instruction && dominates(&self.dominators, user.block(), instruction.block())
    }
}
