//! Numbers of the source, from where they are put back to where they come from.
//!
//! `let key = unsafe { slot.assume_init_read() }; .. (key, value)`: of the slot (a `MaybeUninit<u64>`) the types say nothing, of the pair that it is put into they say that
//! this is one number, which it was before: no row of narrower floats.

use crate::ir::tag::{self, Tag};
use crate::llvm::{Function, Opcode, Value};
use crate::load::variants::views::leaves;

/// Marks loads of what is stored as one number of the source as such; true where there were any.
pub fn run(function: Function) -> bool {
    let all = || function.blocks().into_iter().flat_map(|b| b.instructions());
    let is_number = |store: &Value| {
        store.opcode() == Opcode::LLVMStore && store.operand(0).ty().is_int() && tag::is_exact_word(*store)
    };
    let is_load = |leaf: &Value| leaf.is_instruction() && leaf.opcode() == Opcode::LLVMLoad;
    let mut found = false;
    for store in all().filter(is_number) {
        let value = store.operand(0);
        // (What is cast is another number. In another variant what is loaded may be the bits of a float, and is used as such elsewhere.)
        let all = leaves(value).unwrap_or_default().into_iter().filter(is_load);
        for load in all.filter(|load| load.ty() == value.ty() && Tag::of(*load).is_none() && tag::is_untold(*load)) {
            tag::mark_exact(load);
            found = true;
        }
    }
    found
}
