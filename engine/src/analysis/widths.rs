//! How wide the floats of a program are.

use crate::llvm::{Function, Module, Opcode};

/// Bytes of the floats of a module, where all are as wide.
pub fn only_width(module: Module) -> Option<u64> {
    let mut found = None;
    for instruction in module.functions().into_iter().flat_map(Function::blocks).flat_map(|b| b.instructions()) {
        let ty = match instruction.opcode() {
            Opcode::LLVMStore => instruction.operand(0).ty(),
            _ => instruction.ty(),
        };
        if ty.is_float_or_vector() {
            let ty = if ty.is_vector() { ty.element() } else { ty };
            let bytes = ty.is_float().then(|| module.size_of(ty));
            match (found, bytes) {
                (_, None) => {}
                (None, bytes) => found = bytes,
                (found, bytes) if found == bytes => {}
                _ => return None,
            }
        }
    }
    found
}
