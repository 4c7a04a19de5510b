//! Which loads read the discriminant of an enum, before anything is simplified.
//!
//! What rustc writes for `match` and `if let`, in all profiles:
//!
//! ```text
//! two variants            %t = load i64, ptr %p        %c = trunc nuw i64 %t to i1
//! all of several          %t = load i64, ptr %p        switch i64 %t, label %unreachable [ .. ]
//! in a capacity           %t = load i64, ptr %p        icmp eq i64 %t, 1 << 63       or sub i64 %t, 1 << 63
//! in a pointer            %t = load ptr, ptr %p        ptrtoint, icmp eq .., 0, select
//! ```
//!
//! A `bool` is a byte, and is truncated in the same way: discriminants of one byte are not told from it. A `match` with `_`, or an `if let`, on an enum of more than two
//! variants looks like the comparison of an integer.

use crate::ir::tag::Tag;
use crate::llvm::{Function, Opcode, Value};

/// Marks the loads of a function.
pub fn mark(function: Function) {
    for load in function.blocks().into_iter().flat_map(|block| block.instructions()) {
        if load.opcode() == Opcode::LLVMLoad
            && let Some(tag) = tag_of(load)
        {
            tag.mark(load);
        }
    }
}

fn tag_of(load: Value) -> Option<Tag> {
    if load.ty().is_pointer() {
        return load.users().into_iter().any(decides_by_null).then_some(Tag::Null);
    }
    if !load.ty().is_int() || load.ty().bits() <= 8 {
        return None;
    }
    load.users().into_iter().find_map(|user| match user.opcode() {
        Opcode::LLVMTrunc if user.is_nuw() && user.ty().bits() == 1 => Some(Tag::Direct),
        Opcode::LLVMSwitch if user.operand(0) == load && never_elsewhere(user) => Some(Tag::Direct),
        Opcode::LLVMICmp | Opcode::LLVMSub if load.ty().bits() == 64 && user.operand(0) == load => {
            Tag::is_in_niche(user.operand(1).constant_word(0)?).then_some(Tag::Niche)
        }
        _ => None,
    })
}

/// Whether the default of a switch cannot be.
fn never_elsewhere(switch: Value) -> bool {
    let default = switch.successors().into_iter().next();
    default.is_some_and(|block| block.instructions().first().is_some_and(|i| i.opcode() == Opcode::LLVMUnreachable))
}

/// Whether a number is chosen by whether this use of a pointer is that of null.
fn decides_by_null(user: Value) -> bool {
    let chooses = |compare: Value| {
        compare.opcode() == Opcode::LLVMICmp && compare.users().into_iter().any(|u| u.opcode() == Opcode::LLVMSelect)
    };
    chooses(user) || (user.opcode() == Opcode::LLVMPtrToInt && user.users().into_iter().any(chooses))
}
