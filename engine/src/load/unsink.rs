//! Stores that were sunk into one are taken apart again.
//!
//! `if c { a = v } else { b = w }` on two locals: LLVM (and so what std was compiled with) makes it one store, to an address that a phi decides. Then
//! neither local can become a value, and what they hold (the size of a block that a `Vec` grows out of) is known nowhere. Each such store becomes one to
//! each local, of what is stored or of what is there.

use crate::llvm::{Builder, Function, Opcode, Value};

/// Takes sunk stores apart; true where there was one.
pub fn run(function: Function) -> bool {
    let mut changed = false;
    for block in function.blocks() {
        for store in block.instructions().into_iter().filter(|i| i.opcode() == Opcode::LLVMStore) {
            changed |= apart(store).is_some();
        }
    }
    changed
}

fn apart(store: Value) -> Option<()> {
    let address = store.operand(1);
    let is_join = address.is_instruction() && address.opcode() == Opcode::LLVMPHI && address.block() == store.block();
    if !is_join || !store.is_plain() {
        return None;
    }
    let incoming = address.incoming();
    let ty = store.operand(0).ty();
    let is_local = |v: &Value| {
        v.is_instruction()
            && v.opcode() == Opcode::LLVMAlloca
            && v.allocated_type() == ty
            && v.operand(0).as_u64() == Some(1)
    };
    if !incoming.iter().all(|(v, _)| is_local(v)) {
        return None;
    }
    let builder = Builder::before(store);
    builder.set_location_of(Some(store));
    let mut locals: Vec<Value> = Vec::new();
    for (local, _) in &incoming {
        if !locals.contains(local) {
            locals.push(*local);
        }
    }
    for local in locals {
        // Not a comparison of addresses, which would keep the locals in memory.
        let flag = store.context().int(1);
        let here = Builder::before(address).phi(flag);
        for (value, from) in &incoming {
            here.add_incoming(flag.int_value(u64::from(*value == local)), *from);
        }
        let before = builder.load(ty, local);
        let after = builder.store(builder.select(here, store.operand(0), before), local);
        after.set_alignment(store.alignment());
    }
    store.erase();
    Some(())
}
