//! Where a program takes the bits of a float, before anything is simplified.
//!
//! What rustc writes for `to_bits` and the like is a cast, in all profiles. LLVM loads the number itself where the float is in memory, which then looks like any
//! move of one. So in a fresh copy a call stands in each cast's place, until everything around it is inlined and it shows where the number goes
//! ([`crate::analysis::casts`]).

use crate::analysis::casts;
use crate::ir;
use crate::llvm::{Builder, Function, Location, Module, Opcode, Place, Value};

/// What the functions that stand for casts are called, with the types behind it.
const NAME: &str = "ct.bits";
/// The attribute of what a derivative consists of that is differentiated again: whether its function takes bits. Casts that are seen there are not the source's: LLVM
/// makes some where it moves floats and numbers in the same way; and casts of the source may be seen no more.
const TAKES: &str = "ct-takes-bits";
const YES: &str = "yes";
const NO: &str = "no";

/// Puts calls in the place of the casts from floats to numbers in a fresh copy of a function. Answers whether it takes bits in another way.
pub fn hide(copy: Function, of: Function) -> bool {
    if let Some(told) = of.string_attribute(TAKES) {
        return told == YES;
    }
    hide_casts(copy);
    takes_through_memory(copy)
}

/// Whether code stands where nobody knows of floats: in a part of `core`, `alloc` or `std` that is not about numbers, vectors of vector units or text. A cast there is a move
/// of something generic, as of the element of `[x].into_iter()`.
fn knows_no_floats(at: &Location) -> bool {
    let is_in = |part: &&str| at.file.contains(*part);
    ["library/core/src/", "library/alloc/src/", "library/std/src/"].iter().any(is_in)
        && !["/num/", "/fmt/", "core_arch", "stdarch", "simd", "/f32", "/f64"].iter().any(is_in)
}

fn hide_casts(copy: Function) {
    let module = copy.module();
    for cast in copy.blocks().into_iter().flat_map(|block| block.instructions()) {
        if !casts::is_cast(cast) || cast.location().is_some_and(|at| knows_no_floats(&at)) {
            continue;
        }
        let (from, to) = (cast.operand(0), cast.ty());
        let function = module.declare(&format!("{NAME} {} {to}", from.ty()), to.function(&[from.ty()]));
        for attribute in ["memory", "nounwind", "willreturn", "nosync", "nofree", "speculatable"] {
            function.add_attribute(Place::Whole, attribute, 0);
        }
        put(cast, |builder| builder.call(function, &[from]));
    }
}

/// Whether a fresh copy takes bits through memory: it has a float where single bytes may lie, as `to_le_bytes` has, or reads as a number what it has stored as a float.
fn takes_through_memory(copy: Function) -> bool {
    let all: Vec<Value> = copy.blocks().into_iter().flat_map(|block| block.instructions()).collect();
    let size = |value: Value| copy.module().store_size_of(value.ty());
    let stored: Vec<(Value, u64)> = all
        .iter()
        .filter(|i| i.opcode() == Opcode::LLVMStore && i.operand(0).ty().is_float())
        .map(|store| (store.operand(1), size(store.operand(0))))
        .collect();
    all.iter().any(|access| match access.opcode() {
        Opcode::LLVMStore if access.operand(0).ty().is_float() => {
            u64::from(access.alignment()) < size(access.operand(0))
        }
        Opcode::LLVMLoad if access.ty().is_float() => u64::from(access.alignment()) < size(*access),
        Opcode::LLVMLoad if access.ty().is_int() => stored.contains(&(access.operand(0), size(*access))),
        _ => false,
    })
}

/// Puts them back, and answers whether the numbers of any are kept.
pub fn show(module: Module) -> bool {
    let mut is_kept = false;
    for call in ir::bodies(module).into_iter().flat_map(Function::blocks).flat_map(|block| block.instructions()) {
        if call.opcode() == Opcode::LLVMCall && call.called_function().is_some_and(|f| f.name().starts_with(NAME)) {
            is_kept |= !casts::is_only_compared(call);
            put(call, |builder| builder.cast(Opcode::LLVMBitCast, call.arguments()[0], call.ty()));
        }
    }
    is_kept
}

fn put(old: Value, new: impl Fn(&Builder) -> Value) {
    let builder = Builder::before(old);
    builder.set_location_of(Some(old));
    old.replace_all_uses_with(new(&builder));
    old.erase();
}

/// Notes in a module with a derivative whether its function takes bits.
pub fn note(module: Module) {
    let takes = if casts::takes_bits(module) { YES } else { NO };
    ir::bodies(module).into_iter().for_each(|function| function.add_string_attribute(TAKES, takes));
}
