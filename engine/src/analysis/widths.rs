//! How wide the floats of a program are.

use super::bits::NARROWEST;
use crate::llvm::{Function, Module, Opcode};

/// How wide the floats are that words may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    /// All of so many bytes.
    Of(u64),
    /// There are `f32` as well as `f64`, and nothing tells which: words are as wide as the narrower, and one may be half of a float.
    Either,
}

impl Width {
    /// Bytes of a word.
    pub fn bytes(self) -> u64 {
        match self {
            Width::Of(bytes) => bytes,
            Width::Either => NARROWEST,
        }
    }
}

/// How wide the floats of a module are; none where it has none.
pub fn width_of_words(module: Module) -> Option<Width> {
    let [narrow, wide] = widths(module)?;
    match (narrow, wide) {
        (true, true) => Some(Width::Either),
        (true, false) => Some(Width::Of(4)),
        (false, true) => Some(Width::Of(8)),
        (false, false) => None,
    }
}

/// Bytes of the floats of a module, where all are as wide.
pub fn only_width(module: Module) -> Option<u64> {
    match width_of_words(module)? {
        Width::Of(bytes) => Some(bytes),
        Width::Either => None,
    }
}

/// Whether there are `f32` in a module, and `f64`; nothing where there are floats of other widths.
fn widths(module: Module) -> Option<[bool; 2]> {
    let mut found = [false; 2];
    for instruction in module.functions().into_iter().flat_map(Function::blocks).flat_map(|b| b.instructions()) {
        let ty = match instruction.opcode() {
            Opcode::LLVMStore => instruction.operand(0).ty(),
            _ => instruction.ty(),
        };
        if ty.is_float_or_vector() {
            let ty = if ty.is_vector() { ty.element() } else { ty };
            match ty.is_float().then(|| module.size_of(ty)) {
                None => {}
                Some(4) => found[0] = true,
                Some(8) => found[1] = true,
                Some(_) => return None,
            }
        }
    }
    Some(found)
}
