//! `std::hint::black_box` in the copies: an assembly of no instructions, which is given the address of a value so that no optimiser dares to know it.
//!
//! It does nothing, so a derivative need not do it again; the function itself keeps it. It goes when all functions are there: what is called through a
//! pointer is looked up as the program does it.

use crate::ir::bodies;
use crate::llvm::{Module, Opcode};

/// Removes every assembly without instructions that gives nothing back; true where there was one.
pub fn remove(module: Module) -> bool {
    let mut changed = false;
    for block in bodies(module).into_iter().flat_map(|function| function.blocks()) {
        for call in block.instructions().into_iter().filter(|i| i.opcode() == Opcode::LLVMCall) {
            let is_empty = || call.callee().assembly().is_some_and(|text| text.trim().is_empty());
            if call.ty().is_void() && is_empty() {
                call.erase();
                changed = true;
            }
        }
    }
    changed
}
