//! Numbers of the source, from where they are put back to where they come from.
//!
//! `let key = unsafe { slot.assume_init_read() }; .. (key, value)`: of the slot (a `MaybeUninit<u64>`) the types say nothing, of the pair that it is put into they say that
//! this is one number. Moved through no joint with anything else it was one before: no row of narrower floats.

use crate::ir::tag::{self, Tag};
use crate::llvm::{Function, Opcode, Value};
use crate::load::variants::views::leaves;

/// Marks loads of what is stored as one number of the source as such; true where there were any.
pub fn run(function: Function) -> bool {
    let all = || function.blocks().into_iter().flat_map(|b| b.instructions());
    let is_number = |store: &Value| {
        store.opcode() == Opcode::LLVMStore && store.operand(0).ty().is_int() && tag::is_exact_word(*store)
    };
    let is_open = |leaf: &Value| {
        leaf.is_instruction()
            && leaf.opcode() == Opcode::LLVMLoad
            && !leaf.is_volatile()
            && !leaf.is_atomic()
            && Tag::of(*leaf).is_none()
            && !tag::is_word(*leaf)
            && !tag::is_told(*leaf)
    };
    let open: Vec<Value> =
        all().filter(is_number).filter_map(|store| leaves(store.operand(0))).flatten().filter(is_open).collect();
    open.iter().for_each(|load| tag::mark_exact(*load));
    !open.is_empty()
}
