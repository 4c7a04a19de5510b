//! What lies in memory for debuggers alone.
//!
//! With full debug information rustc stores every local in memory of its own, from where nobody reads it. The types of the source are told by it
//! ([`super::layout`]); then it goes, so that a program is the same to all stages however much its user wants to see of it.

use crate::llvm::{Function, Opcode, Value};

/// Removes locals of a fresh copy that are only written to.
pub fn drop_unread(function: Function) {
    let all = function.blocks().into_iter().flat_map(|b| b.instructions());
    let locals: Vec<Value> = all.filter(|i| i.opcode() == Opcode::LLVMAlloca).collect();
    for local in locals {
        let mut uses = Vec::new();
        if is_unread(local, &mut uses) {
            uses.into_iter().rev().for_each(Value::erase);
            local.erase();
        }
    }
}

/// Whether nothing is done at an address but to write there; `uses` are the writes and the addresses that they go to, each before what uses it.
fn is_unread(address: Value, uses: &mut Vec<Value>) -> bool {
    address.users().into_iter().all(|user| {
        uses.push(user);
        match user.opcode() {
            Opcode::LLVMStore => user.operand(0) != address && !user.is_volatile(),
            Opcode::LLVMGetElementPtr => is_unread(user, uses),
            _ => false,
        }
    })
}
