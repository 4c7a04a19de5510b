//! Writes through pointers that may lead to constant memory, which is its own shadow (see [`crate::analysis::activity`]).
//!
//! The primal writes there as it likes; no shadow follows. What depends on the inputs must not be put there: its derivative would be lost, which is known
//! only when a pointer and its shadow turn out to be equal. Then the program ends with a message.

use super::subject::Subject;
use crate::analysis::activity::{float_of, may_hold_floats};
use crate::ir::{InstId, Op, Val};
use crate::llvm::{Builder, IntPredicate, Opcode, Value};

/// The pointer that an instruction writes through, if that may lead to constant memory.
pub fn guarded(subject: &Subject, id: InstId) -> Option<Val> {
    let inst = subject.func.inst(id);
    let address = match inst.op {
        Op::Store => inst.operands[1],
        Op::MemCopy | Op::MemSet => inst.operands[0],
        _ => return None,
    };
    subject.activity.is_write_guarded(&subject.memory, address).then_some(address)
}

/// Whether what is stored carries a derivative that constant memory cannot hold; none where it never does. (`beside` is what the shadow would hold.)
pub fn is_lost(subject: &Subject, stored: Val, value: Value, beside: Value, builder: &Builder) -> Option<Value> {
    let (ty, yes) = (value.ty(), || value.context().int(1).int_value(1));
    let active = subject.activity.is_active(stored);
    if may_hold_floats(ty) {
        return active.then(yes);
    }
    if subject.activity.is_word(stored) && float_of(ty).is_some() {
        // A float of zero has no other shadow than a count of zero.
        let other = builder.icmp(IntPredicate::LLVMIntNE, value, beside);
        let zero = builder.icmp(IntPredicate::LLVMIntEQ, value, ty.zero());
        return active.then(|| builder.binary(Opcode::LLVMOr, other, zero));
    }
    if ty.is_pointer() {
        // What it leads to has a shadow.
        return (value != beside).then(|| builder.icmp(IntPredicate::LLVMIntNE, value, beside));
    }
    (!ty.is_int() && subject.facts().has_shadow(stored)).then(yes)
}
