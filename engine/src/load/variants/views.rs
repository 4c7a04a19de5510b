//! One value in several types.
//!
//! What is loaded once and used as a float here, as a pointer there, and stored elsewhere, is loaded once for each.

use crate::analysis::casts::takes_bits;
use crate::ir::tag;
use crate::llvm::{Builder, Opcode, Type, Value};
use crate::load::parted::joined;
use crate::maps::{HashMap, HashSet};

/// More joins than this are not followed.
const LARGEST: usize = 512;

/// Bits of what may be a word: a float, a pointer, or an integer that is as wide; 0 of anything else.
pub fn width(ty: Type) -> u32 {
    match ty {
        _ if ty.is_pointer() || ty == ty.context().f64() => 64,
        _ if ty == ty.context().f32() => 32,
        _ if matches!(ty.bits(), 32 | 64) => ty.bits(),
        _ => 0,
    }
}

/// The type of the word for a type.
pub fn word(ty: Type) -> Type {
    ty.context().int(width(ty))
}

fn is_join(value: Value) -> bool {
    value.is_instruction() && matches!(value.opcode(), Opcode::LLVMPHI | Opcode::LLVMSelect)
}

/// What has the same bits and is cast to a value.
fn cast(value: Value) -> Option<Value> {
    let is_cast = value.is_instruction()
        && matches!(
            value.opcode(),
            Opcode::LLVMBitCast | Opcode::LLVMFreeze | Opcode::LLVMPtrToInt | Opcode::LLVMIntToPtr
        );
    is_cast.then(|| value.operand(0)).filter(|from| width(from.ty()) == width(value.ty()))
}

fn is_plain_load(value: Value) -> bool {
    value.is_instruction() && value.opcode() == Opcode::LLVMLoad && value.is_plain()
}

/// Where a value comes from through joins and casts; nothing where it cannot be a word, or too many are joined.
pub fn leaves(value: Value) -> Option<Vec<Value>> {
    if width(value.ty()) == 0 {
        return None;
    }
    let (mut leaves, mut seen, mut open) = (Vec::new(), HashSet::default(), vec![value]);
    while let Some(next) = open.pop() {
        if !seen.insert(next) {
            continue;
        }
        if seen.len() > LARGEST {
            return None;
        }
        if is_join(next) {
            open.extend(joined(next));
        } else if let Some(from) = cast(next) {
            open.push(from);
        } else {
            leaves.push(next);
        }
    }
    Some(leaves)
}

/// Values in other types, with the same bits.
#[derive(Default)]
pub struct Views {
    made: HashMap<(Value, Type), Value>,
    /// Those that are loads.
    pub loads: HashSet<Value>,
    /// Words stay words, whatever is known of other accesses.
    firm: bool,
    /// Integers are no words: what they are is found out from what is done with them.
    plain: bool,
}

impl Views {
    /// Views of what may be of any variant.
    pub fn of_variants() -> Views {
        Views { firm: true, ..Views::default() }
    }

    /// Views of what is taken apart.
    pub fn of_pieces() -> Views {
        Views { plain: true, ..Views::default() }
    }

    /// A value in a type of the same width; where it is no load and no join, it is cast where the builder stands.
    pub fn of(&mut self, value: Value, ty: Type, builder: &Builder) -> Value {
        if let Some(known) = self.made.get(&(value, ty)) {
            return *known;
        }
        if let Some(from) = cast(value) {
            return self.of(from, ty, builder);
        }
        let before = || {
            let before = Builder::before(value);
            before.set_location_of(Some(value));
            before
        };
        if is_join(value) && value.opcode() == Opcode::LLVMPHI {
            let phi = before().phi(ty);
            self.made.insert((value, ty), phi);
            for (value, from) in value.incoming() {
                let view = self.of(value, ty, &Builder::before_terminator(from));
                phi.add_incoming(view, from);
            }
            return phi;
        }
        let made = if is_join(value) {
            let before = before();
            let [first, second] = [1, 2].map(|i| self.of(value.operand(i), ty, &before));
            before.select(value.operand(0), first, second)
        } else if is_plain_load(value) {
            let again = before().load(ty, value.operand(0));
            again.set_alignment(value.alignment());
            if ty.is_int() && !self.plain {
                match self.firm {
                    // In a program that takes no bits of floats, what the source has as a number is one.
                    _ if value.ty() == ty && tag::is_told(value) && !takes_bits(value.block().function().module()) => {
                        tag::mark_told(again);
                        if tag::is_no_address(value) {
                            tag::mark_no_address(again);
                        }
                    }
                    _ if value.ty() == ty && tag::is_exact(value) => tag::mark_exact_like(again, &[value]),
                    true => tag::mark_firm(again),
                    false => tag::mark_word(again),
                }
            }
            self.loads.insert(again);
            again
        } else {
            return as_type(value, ty, builder);
        };
        self.made.insert((value, ty), made);
        made
    }
}

/// The same bits in another type.
fn as_type(value: Value, ty: Type, builder: &Builder) -> Value {
    // A constant float that LLVM keeps as a pointer.
    let is_number = value.constant_opcode() == Some(Opcode::LLVMIntToPtr) && value.operand(0).ty() == word(ty);
    let value = if is_number { value.operand(0) } else { value };
    let from = value.ty();
    // What nobody has written is asked later whether it is structure.
    if value.is_undef() {
        return ty.zero();
    }
    if from == ty {
        return value;
    }
    let as_word = match from {
        _ if from.is_int() => value,
        _ if from.is_pointer() => builder.cast(Opcode::LLVMPtrToInt, value, word(ty)),
        _ => builder.cast(Opcode::LLVMBitCast, value, word(ty)),
    };
    match ty {
        _ if ty.is_int() => as_word,
        _ if ty.is_pointer() => builder.cast(Opcode::LLVMIntToPtr, as_word, ty),
        _ => builder.cast(Opcode::LLVMBitCast, as_word, ty),
    }
}

/// Erases what nobody uses any more of the joins, casts and loads that a value comes from. (When all views are made: they are found by the value, and another one
/// may come to lie where it was.)
pub fn erase_unused(value: Value, erased: &mut HashSet<Value>) {
    if erased.contains(&value) || !value.is_instruction() || !value.users().is_empty() {
        return;
    }
    let from = match value.opcode() {
        _ if is_join(value) => joined(value),
        Opcode::LLVMLoad => Vec::new(),
        _ => match cast(value) {
            Some(from) => vec![from],
            None => return,
        },
    };
    value.erase();
    erased.insert(value);
    from.into_iter().for_each(|value| erase_unused(value, erased));
}
