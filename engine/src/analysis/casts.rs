//! Floats whose bits are kept as numbers, numbers that addresses are made of, and what of both may be moved as two numbers.

use crate::ir::tag;
use crate::llvm::{Function, Module, Opcode, Type, Value};
use crate::maps::HashSet;

/// Whether the bits of a float may be kept as a number somewhere in a module: they are taken and put into memory, handed to a call, or returned. (Those that are only
/// compared, as by `total_cmp`, are not.)
pub fn keeps_bits(module: Module) -> bool {
    let mut all = module.functions().into_iter().flat_map(Function::blocks).flat_map(|b| b.instructions());
    all.any(|instruction| is_cast(instruction) && !is_only_compared_or(instruction, is_float_again))
}

/// The list that is there in a module of which it is known that it takes no bits of floats.
const TAKES_NONE: &str = "ct.takes.no.bits";

/// Notes that a program takes no bits of floats but to compare them: whatever it computes with as a number is none, however it is moved.
pub fn tell_none(module: Module) {
    module.add_named_metadata(TAKES_NONE);
}

/// Whether a program may take the bits of floats and do more with them than to compare them.
pub fn takes_bits(module: Module) -> bool {
    !module.has_named_metadata(TAKES_NONE)
}

/// What may be moved as two numbers, for all that is known of the types of a program: one variant has it where another has narrower numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Halves {
    /// Floats of eight bytes.
    pub floats: bool,
    /// Pointers.
    pub pointers: bool,
}

/// The lists that are there in a module with such types.
const HALVES: [&str; 2] = ["ct.may.halve.floats", "ct.may.halve.pointers"];

/// Notes what a program may move as two numbers.
pub fn tell_halves(module: Module, halves: Halves) {
    for (list, is_so) in HALVES.into_iter().zip([halves.floats, halves.pointers]) {
        if is_so {
            module.add_named_metadata(list);
        }
    }
}

/// What a program may move as two numbers.
pub fn halves(module: Module) -> Halves {
    let [floats, pointers] = HALVES.map(|list| module.has_named_metadata(list));
    Halves { floats, pointers }
}

/// The list that is there in a module with packed structs of floats.
const PACKS_FLOATS: &str = "ct.packs.floats";

/// Notes that a program has structs of floats that begin anywhere (`repr(packed)`).
pub fn tell_packed(module: Module) {
    module.add_named_metadata(PACKS_FLOATS);
}

/// Whether a program has structs of floats that begin anywhere.
pub fn packs_floats(module: Module) -> bool {
    module.has_named_metadata(PACKS_FLOATS)
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
            _ if is_tagged_length(value) => {}
            Opcode::LLVMLoad if !tag::is_number_of_source(value) => {}
            Opcode::LLVMLoad | Opcode::LLVMCall | Opcode::LLVMInvoke | Opcode::LLVMExtractValue => return true,
            _ => open.extend(value.operands().into_iter().filter(|operand| seen.insert(*operand))),
        }
    }
    false
}

/// Whether a number is twice another one and one more: the length of a text in the place of a pointer to arguments, as in `core::fmt::Arguments`, and no address.
fn is_tagged_length(value: Value) -> bool {
    let is_one = |number: Value| number.as_u64() == Some(1);
    let is_twice =
        |number: Value| number.is_instruction() && number.opcode() == Opcode::LLVMShl && is_one(number.operand(1));
    value.opcode() == Opcode::LLVMOr && is_one(value.operand(1)) && is_twice(value.operand(0))
}

/// Whether a float, or a vector of them, is cast to numbers.
pub fn is_cast(instruction: Value) -> bool {
    instruction.opcode() == Opcode::LLVMBitCast
        && instruction.operand(0).ty().is_float_or_vector()
        && !is_number(instruction.operand(0).ty())
        && is_number(instruction.ty())
}

/// Whether a number, and what is computed with it, gets nowhere but into comparisons and branches.
pub fn is_only_compared(number: Value) -> bool {
    is_only_compared_or(number, |_| false)
}

/// Whether what uses a number is a cast that makes a float of it.
fn is_float_again(user: Value) -> bool {
    user.opcode() == Opcode::LLVMBitCast && !is_number(user.ty())
}

/// The same, where it may also get to users of another kind.
fn is_only_compared_or(cast: Value, is_end: impl Fn(Value) -> bool) -> bool {
    let (mut open, mut seen) = (vec![cast], HashSet::from_iter([cast]));
    while let Some(value) = open.pop() {
        for user in value.users() {
            match user.opcode() {
                Opcode::LLVMICmp | Opcode::LLVMSwitch | Opcode::LLVMBr => {}
                _ if is_end(user) => {}
                Opcode::LLVMBitCast if !is_number(user.ty()) => return false,
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
                _ => return false,
            }
        }
    }
    true
}

fn is_number(ty: Type) -> bool {
    ty.is_int() || (ty.is_vector() && ty.element().is_int())
}
