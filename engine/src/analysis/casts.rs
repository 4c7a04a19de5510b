//! Floats whose bits are kept as numbers, and numbers that addresses are made of.

use crate::ir::tag;
use crate::llvm::{Function, Module, Opcode, Type, Value};
use crate::maps::HashSet;

/// Whether the bits of a float may be kept as a number somewhere in a module: they are taken and put into memory, handed to a call, or returned. (Those that are only
/// compared, as by `total_cmp`, are not.)
pub fn keeps_bits(module: Module) -> bool {
    let mut all = module.functions().into_iter().flat_map(Function::blocks).flat_map(|b| b.instructions());
    all.any(|instruction| is_cast(instruction) && is_kept(instruction))
}

/// Whether addresses may be made somewhere in a module of what the source has as numbers: of one that is loaded as such, or that is handed from function to function.
pub fn makes_addresses(module: Module) -> bool {
    let mut all = module.functions().into_iter().flat_map(Function::blocks).flat_map(|b| b.instructions());
    all.any(|instruction| instruction.opcode() == Opcode::LLVMIntToPtr && may_be_number(instruction.operand(0)))
}

/// Whether what is made an address may have been a number, so far as that can be seen here. (What is loaded as anything else is an address that was moved.)
fn may_be_number(made: Value) -> bool {
    let (mut open, mut seen) = (vec![made], HashSet::from_iter([made]));
    while let Some(value) = open.pop() {
        if value.is_constant() {
            continue;
        }
        if !value.is_instruction() {
            return true;
        }
        match value.opcode() {
            Opcode::LLVMPtrToInt => {}
            Opcode::LLVMLoad if !tag::is_number_of_source(value) => {}
            Opcode::LLVMLoad | Opcode::LLVMCall | Opcode::LLVMInvoke | Opcode::LLVMExtractValue => return true,
            _ => open.extend(value.operands().into_iter().filter(|operand| seen.insert(*operand))),
        }
    }
    false
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
    let (mut open, mut seen) = (vec![cast], HashSet::from_iter([cast]));
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
