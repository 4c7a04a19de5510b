//! Words that are loaded for their parts alone, loaded by parts.
//!
//! A record of eight bytes with an `f32` in it is handed over in one register, so LLVM loads it whole from where it was made and takes its parts out of that. Each
//! part that is loaded for itself shows what it is.
//!
//! **Promise:** the program computes the same bits.

use crate::analysis::spot::place_of;
use crate::analysis::widths::only_width;
use crate::ir::{self, tag};
use crate::llvm::{Builder, Function, Module, Opcode, Value};

/// Bits of a word.
const WORD: u32 = 64;

/// Splits such words in a module, where they are loaded from a function's own stack and may hold floats that are narrower.
pub fn run(module: Module) {
    if only_width(module) != Some(8) {
        ir::bodies(module).into_iter().for_each(split);
    }
}

fn split(function: Function) {
    for load in function.blocks().into_iter().flat_map(|b| b.instructions()) {
        if load.opcode() != Opcode::LLVMLoad || load.ty().bits() != WORD || !load.ty().is_int() || !load.is_plain() {
            continue;
        }
        let base = place_of(load.operand(0)).0;
        let is_own = base.is_instruction() && base.opcode() == Opcode::LLVMAlloca;
        if !is_own || tag::is_exact(load) || tag::is_told(load) || tag::is_number(load) {
            continue;
        }
        if let Some(parts) = parts(load) {
            parts.into_iter().for_each(|part| part.load_alone(load));
            load.users().into_iter().filter(|shift| shift.users().is_empty()).for_each(Value::erase);
            if load.users().is_empty() {
                load.erase();
            }
        }
    }
}

/// A number that is taken out of a word.
struct Part {
    number: Value,
    /// Its first bit there.
    from: u32,
}

/// What a word is loaded for, where that is numbers of whole bytes alone, and no number is all of it.
fn parts(load: Value) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    for user in load.users() {
        match user.opcode() {
            Opcode::LLVMTrunc => parts.push(Part { number: user, from: 0 }),
            Opcode::LLVMLShr if user.operand(0) == load => {
                let from = u32::try_from(user.operand(1).as_u64()?).ok()?;
                for number in user.users() {
                    if number.opcode() != Opcode::LLVMTrunc {
                        return None;
                    }
                    parts.push(Part { number, from });
                }
            }
            _ => return None,
        }
    }
    let is_whole = |part: &Part| {
        let bits = part.number.ty().bits();
        part.number.ty().is_int()
            && matches!(bits, 8 | 16 | 32)
            && part.from.is_multiple_of(bits)
            && part.from + bits <= WORD
    };
    (!parts.is_empty() && parts.iter().all(is_whole)).then_some(parts)
}

impl Part {
    /// Loads it where the word was loaded.
    fn load_alone(&self, word: Value) {
        let builder = Builder::before(word);
        builder.set_location_of(Some(word));
        let at = u64::from(self.from / 8);
        let context = word.context();
        let place = match at {
            0 => word.operand(0),
            at => builder.gep(context.int(8), word.operand(0), &[context.int(WORD).int_value(at)]),
        };
        let alone = builder.load(self.number.ty(), place);
        let alignment = u64::from(word.alignment());
        alone.set_alignment(if at == 0 { alignment } else { alignment.min(1 << at.trailing_zeros()) } as u32);
        self.number.replace_all_uses_with(alone);
        self.number.erase();
    }
}
