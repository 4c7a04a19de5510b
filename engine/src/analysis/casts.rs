//! Floats whose bits are kept as numbers.

use crate::llvm::{Function, Module, Opcode, Type, Value};
use std::collections::HashSet;

/// Whether the bits of a float may be kept as a number somewhere in a module: they are taken and put into memory, handed to a call, or returned. (Those that are only
/// compared, as by `total_cmp`, are not.)
pub fn keeps_bits(module: Module) -> bool {
    let mut all = module.functions().into_iter().flat_map(Function::blocks).flat_map(|b| b.instructions());
    all.any(|instruction| is_cast(instruction) && is_kept(instruction))
}

/// Whether a float, or a vector of them, is cast to numbers.
fn is_cast(instruction: Value) -> bool {
    instruction.opcode() == Opcode::LLVMBitCast
        && instruction.operand(0).ty().is_float_or_vector()
        && !is_number(instruction.operand(0).ty())
        && is_number(instruction.ty())
}

/// Whether a number, or what is computed with it, gets anywhere but into comparisons and branches.
fn is_kept(cast: Value) -> bool {
    let (mut open, mut seen) = (vec![cast], HashSet::from([cast]));
    while let Some(value) = open.pop() {
        for user in value.users() {
            match user.opcode() {
                Opcode::LLVMICmp | Opcode::LLVMSwitch | Opcode::LLVMBr => {}
                // A float again.
                Opcode::LLVMBitCast if !is_number(user.ty()) => {}
                Opcode::LLVMBitCast
                | Opcode::LLVMPHI
                | Opcode::LLVMSelect
                | Opcode::LLVMFreeze
                | Opcode::LLVMTrunc
                | Opcode::LLVMZExt
                | Opcode::LLVMSExt
                | Opcode::LLVMAdd
                | Opcode::LLVMSub
                | Opcode::LLVMMul
                | Opcode::LLVMAnd
                | Opcode::LLVMOr
                | Opcode::LLVMXor
                | Opcode::LLVMShl
                | Opcode::LLVMLShr
                | Opcode::LLVMAShr => {
                    if seen.insert(user) {
                        open.push(user);
                    }
                }
                _ => return true,
            }
        }
    }
    false
}

fn is_number(ty: Type) -> bool {
    ty.is_int() || (ty.is_vector() && ty.element().is_int())
}
