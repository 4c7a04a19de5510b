//! Single bytes that lie beside numbers and pointers, such as the marks of a hash table's entries: what moves them moves no floats, though where they lie is
//! not known exactly.

use super::holds_only;
use crate::analysis::memory::{Cell, Memory};
use crate::analysis::spot::said_alignment;
use crate::ir::tag::{is_bytes, is_exact, is_word};
use crate::ir::{Inst, Op, Val};

/// Whether a copy, or the load of a word that one was made into, moves such bytes: who made it knew of no alignment and how many there are shows only at run time, and
/// where it reads and writes single bytes are looked at. (Bytes beside nothing but floats may be theirs.)
pub fn moves_marks(memory: &Memory, inst: &Inst) -> bool {
    let holds_marks =
        |object| memory.all_cells(object).any(|(_, cell)| cell == Cell::Bits(1)) && !holds_only(memory, object, &[1]);
    let hold_marks = |address: Val| memory.points_to(address).iter().all(holds_marks);
    match inst.op {
        // (A copy of floats and a flag may be made into single bytes too. One of an object is a row of words.)
        Op::Load => {
            is_word(inst.value)
                && !is_exact(inst.value)
                && (inst.ty.bits() > 8 || is_bytes(inst.value))
                && inst.value.alignment() == 1
                && hold_marks(inst.operands[0])
        }
        Op::MemCopy => {
            !matches!(inst.operands[2], Val::Const(_))
                && (0..2).all(|end| said_alignment(inst.value, end) == 1 && hold_marks(inst.operands[end as usize]))
        }
        _ => false,
    }
}
