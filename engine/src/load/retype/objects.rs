//! Copies of whole objects of which only the table of methods tells what they are: `Rc::from` of a `Box<dyn Trait>`.
//!
//! Such a copy moves as many bytes as stand in the table. An object begins where the widest thing in it may lie, so it is a row of words of eight bytes, perhaps with half
//! a word and some bytes behind: those are an `f32` or numbers, and numbers. The copy is made three, each of which is told what it moves.

use crate::analysis::memory::gep_parts;
use crate::analysis::spot::said_alignment;
use crate::analysis::widths::Width;
use crate::ir::table::is_out_of_vtable;
use crate::llvm::{Builder, Function, Opcode, Value};
use crate::load::layout::{self, Leaf};

/// Where in a vtable the size of the object stands: behind what drops it.
const SIZE: i64 = 8;

/// Has the copies of whole objects in a function tell what they move; true where there were such. `width` is that of the floats of the module.
pub fn run(function: Function, width: Option<Width>) -> bool {
    let all = function.blocks().into_iter().flat_map(|block| block.instructions());
    let found: Vec<Value> = all.filter(|instruction| is_of_object(*instruction)).collect();
    found.iter().for_each(|copy| part(*copy, width));
    !found.is_empty()
}

fn part(copy: Value, width: Option<Width>) {
    let builder = Builder::before(copy);
    builder.set_location_of(Some(copy));
    let [to, from, size] = [0, 1, 2].map(|i| copy.operand(i));
    let (byte, word) = (copy.context().int(8), size.ty());
    let alignment = (0..2).map(|end| said_alignment(copy, end)).min().unwrap_or(1).clamp(1, 8);
    let below = |bytes: u64| builder.binary(Opcode::LLVMAnd, size, word.int_value(bytes));
    let half = match width {
        Some(Width::Of(8)) => Leaf::Integer(4),
        _ => Leaf::Mixed(4),
    };
    // Those that are in front of each, of how many bytes it is, and what lies there.
    let parts = [(None, !7, Leaf::Mixed(8)), (Some(!7), 4, half), (Some(!3), 3, Leaf::Integer(1))];
    for (before, bytes, leaf) in parts {
        let [to, from] = [to, from].map(|end| match before {
            Some(before) => builder.gep(byte, end, &[below(before)]),
            None => end,
        });
        let part = builder.memcpy(to, from, below(bytes), alignment.min(leaf.bytes()) as u32);
        layout::tell_object(part, leaf);
    }
    copy.erase();
}

/// Whether an instruction copies as many bytes as an object has, to where none of them lies.
fn is_of_object(instruction: Value) -> bool {
    instruction.opcode() == Opcode::LLVMCall
        && instruction.called_function().is_some_and(|f| f.name().starts_with("llvm.memcpy"))
        && instruction.operand(3).is_null()
        && is_size(instruction.operand(2))
}

/// Whether a number is the size out of a vtable.
fn is_size(number: Value) -> bool {
    if !number.is_instruction() {
        return false;
    }
    match number.opcode() {
        Opcode::LLVMFreeze => is_size(number.operand(0)),
        Opcode::LLVMLoad if is_out_of_vtable(number) => {
            let address = number.operand(0);
            let is_part = address.is_instruction() && address.opcode() == Opcode::LLVMGetElementPtr;
            is_part && {
                let (offset, variable) = gep_parts(number.block().function().module(), address);
                offset == SIZE && variable.is_empty()
            }
        }
        _ => false,
    }
}
