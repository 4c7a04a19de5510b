//! Copies of whole objects of which only the table of methods tells what they are: `Rc::from` of a `Box<dyn Trait>`.
//!
//! Such a copy moves as many bytes as stand in the table. An object begins where the widest thing in it may lie, so it is a row of words of eight bytes, perhaps with half
//! a word, that is an `f32` or numbers, and some bytes behind. The copy is parted, and each part is told what it moves.

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
    // Those that are in front of each, of how many bytes it is, and what lies there.
    let words = (None, !7, Leaf::Mixed(8));
    let parts = match width {
        Some(Width::Of(8)) => vec![words, (Some(!7), 7, Leaf::Integer(1))],
        _ => vec![words, (Some(!7), 4, Leaf::Mixed(4)), (Some(!3), 3, Leaf::Integer(1))],
    };
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

#[cfg(test)]
mod tests {
    use super::run;
    use crate::analysis::widths::Width;
    use crate::llvm::Context;

    /// What becomes of a copy of so many bytes, beside a table of methods.
    fn parted(size: &str, width: Width) -> String {
        let text = format!(
            "define void @f(ptr %to, ptr %from, ptr %table, i64 %n) {{\n  %second = getelementptr i8, ptr %table, i64 8\n  \
             %third = getelementptr i8, ptr %table, i64 16\n  %size = load i64, ptr %second, !invariant.load !0\n  \
             %align = load i64, ptr %third, !invariant.load !0\n  %changing = load i64, ptr %second\n  \
             call void @llvm.memcpy.p0.p0.i64(ptr align 8 %to, ptr align 16 %from, i64 {size}, i1 false)\n  ret void\n}}\n\
             declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n!0 = !{{}}\n"
        );
        let module = Context::new().parse_text(&text, "test").unwrap();
        run(module.function("f").unwrap(), Some(width));
        module.verify().unwrap();
        module.to_string()
    }

    #[test]
    fn an_object_is_a_row_of_words_and_what_is_left() {
        let text = parted("%size", Width::Either);
        assert_eq!(text.matches("call void @llvm.memcpy").count(), 3, "{text}");
        for part in ["\"ct-object\"=\"8 m8x1@0\"", "\"ct-object\"=\"4 m4x1@0\"", "\"ct-object\"=\"1 i1x1@0\""] {
            assert!(text.contains(part), "{text}");
        }
    }

    #[test]
    fn half_a_word_is_no_float_where_all_are_wide() {
        let text = parted("%size", Width::Of(8));
        assert_eq!(text.matches("call void @llvm.memcpy").count(), 2, "{text}");
        assert!(text.contains("\"ct-object\"=\"1 i1x1@0\"") && !text.contains("m4"), "{text}");
    }

    #[test]
    fn what_is_no_size_out_of_a_table_says_nothing() {
        for size in ["%n", "%align", "%changing", "24"] {
            let text = parted(size, Width::Either);
            assert_eq!(text.matches("call void @llvm.memcpy").count(), 1, "{size}\n{text}");
        }
    }
}
