//! What integer instructions do to the bytes that they move.
//!
//! An integer is taken as a row of *atoms* of four bytes, the lowest first. Moves, packing (`zext`, `shl`, `or`) and unpacking (`lshr`,
//! `trunc`) put every atom of their result together from atoms of their operands; sign operations act on the float that an
//! integer may be.

use crate::llvm::{Opcode, Type, Value};
use crate::load::parted::joined;
use crate::load::signs::{Lanes, Sign};
use crate::maps::HashSet;

/// The widest integer that is looked into.
const WIDEST: u32 = 1024;

/// How many values are looked at to see that one is small.
const MOST_JOINED: usize = 64;

/// Where an atom comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// It is zero.
    Zero,
    /// An atom of another value.
    Atom(Value, u32),
}

/// Bits of an integer, or of all lanes of a vector of them, where that is a whole number of atoms; 0 for anything else.
pub fn int_bits(ty: Type) -> u32 {
    let bits = if ty.is_vector() { ty.element().bits() * ty.count() as u32 } else { ty.bits() };
    let whole = ty.is_int() || (ty.is_vector() && ty.element().bits().is_multiple_of(32));
    if whole && bits.is_multiple_of(32) && bits <= WIDEST { bits } else { 0 }
}

/// Number of atoms of an integer type; 0 for anything else.
pub fn atoms_of(ty: Type) -> u32 {
    int_bits(ty) / 32
}

/// Bytes of each float of a float type, and their number.
pub fn floats_of(ty: Type) -> Option<(u32, u32)> {
    let (lane, count) = if ty.is_vector() { (ty.element(), ty.count() as u32) } else { (ty, 1) };
    let bytes = if lane == ty.context().f64() { 8 } else { 4 };
    lane.is_float().then_some((bytes, count))
}

fn opcode(value: Value) -> Option<Opcode> {
    value.is_instruction().then(|| value.opcode())
}

fn all(value: Value) -> Vec<Source> {
    (0..atoms_of(value.ty())).map(|i| Source::Atom(value, i)).collect()
}

/// An atom of a constant.
fn constant_atom(value: Value, index: u32) -> Option<u32> {
    if value.is_null() {
        return Some(0);
    }
    let word = value.constant_word(index / 2)?;
    Some((word >> (32 * (index % 2))) as u32)
}

/// Whether an atom of a value is known to be zero.
fn is_zero(source: Source) -> bool {
    match source {
        Source::Zero => true,
        Source::Atom(value, index) => is_atom_zero(value, index, &mut HashSet::default()),
    }
}

/// The same of a join of several values, and of a number that is small. (All that is asked has to hold, so a loop around a join adds nothing.)
fn is_atom_zero(value: Value, index: u32, seen: &mut HashSet<Value>) -> bool {
    if value.is_constant() {
        return constant_atom(value, index) == Some(0);
    }
    if !seen.insert(value) {
        return true;
    }
    if seen.len() > MOST_JOINED {
        return false;
    }
    let Some(code) = opcode(value) else { return false };
    let joined = joined(value);
    if !joined.is_empty() {
        return joined.into_iter().all(|from| is_atom_zero(from, index, seen));
    }
    let mut is_of = |operand: u32| is_atom_zero(value.operand(operand), index, seen);
    match code {
        Opcode::LLVMAnd => constant_atom(value.operand(1), index) == Some(0) || is_of(0),
        Opcode::LLVMOr | Opcode::LLVMXor => is_of(0) && is_of(1),
        Opcode::LLVMZExt if value.ty().is_int() => {
            let from = value.operand(0).ty();
            from.is_int() && from.bits() <= 32 * index || (from.bits() > 32 * (index + 1) && is_of(0))
        }
        Opcode::LLVMAdd => false,
        _ => sources(value).is_some_and(|s| s[index as usize] == Source::Zero),
    }
}

/// `sources[i]` moved up by a number of bits.
fn moved_up(from: &[Source], bits: u64) -> Option<Vec<Source>> {
    let by = bits.is_multiple_of(32).then_some(bits as usize / 32)?;
    Some((0..from.len()).map(|i| if i < by { Source::Zero } else { from[i - by] }).collect())
}

fn moved_down(from: &[Source], bits: u64) -> Option<Vec<Source>> {
    let by = bits.is_multiple_of(32).then_some(bits as usize / 32)?;
    Some((0..from.len()).map(|i| from.get(i + by).copied().unwrap_or(Source::Zero)).collect())
}

fn either(a: Vec<Source>, b: Vec<Source>) -> Option<Vec<Source>> {
    let one = |(a, b)| {
        if is_zero(b) {
            Some(a)
        } else if is_zero(a) {
            Some(b)
        } else {
            None
        }
    };
    a.into_iter().zip(b).map(one).collect()
}

/// Where the atoms of an instruction's result come from, where it only moves them. Phis and selects are not answered here: they
/// have several sources for each.
pub fn sources(value: Value) -> Option<Vec<Source>> {
    let count = atoms_of(value.ty()) as usize;
    let code = opcode(value).filter(|_| count > 0)?;
    let operand = |i| value.operand(i);
    let lane = |of: Type| (atoms_of(of.element()) as usize).max(1);
    let from = match code {
        Opcode::LLVMFreeze | Opcode::LLVMBitCast => all(operand(0)),
        Opcode::LLVMTrunc | Opcode::LLVMZExt if value.ty().is_int() && atoms_of(operand(0).ty()) > 0 => {
            let mut from = all(operand(0));
            from.resize(count, Source::Zero);
            from
        }
        Opcode::LLVMShl if value.ty().is_int() => moved_up(&all(operand(0)), operand(1).constant_word(0)?)?,
        Opcode::LLVMLShr if value.ty().is_int() => moved_down(&all(operand(0)), operand(1).constant_word(0)?)?,
        // Of a sum, too, where the one is zero in every atom that the other is not.
        Opcode::LLVMOr | Opcode::LLVMXor | Opcode::LLVMAdd if value.ty().is_int() => {
            either(all(operand(0)), all(operand(1)))?
        }
        Opcode::LLVMAnd if value.ty().is_int() => {
            let kept = |i: u32| match constant_atom(operand(1), i)? {
                0 => Some(Source::Zero),
                u32::MAX => Some(Source::Atom(operand(0), i)),
                _ => None,
            };
            (0..count as u32).map(kept).collect::<Option<Vec<_>>>()?
        }
        Opcode::LLVMExtractElement => {
            let at = operand(1).as_u64()? as usize * count;
            all(operand(0)).get(at..at + count)?.to_vec()
        }
        Opcode::LLVMInsertElement => {
            let at = operand(2).as_u64()? as usize * lane(value.ty());
            let (mut from, new) = (all(operand(0)), all(operand(1)));
            from.get_mut(at..at + new.len())?.copy_from_slice(&new);
            from
        }
        Opcode::LLVMShuffleVector => {
            let (lane, both) = (lane(value.ty()), [all(operand(0)), all(operand(1))].concat());
            let of = |i: i32| both.get(i.max(0) as usize * lane..).and_then(|rest| rest.get(..lane));
            let picked: Option<Vec<_>> = value.shuffle_mask().into_iter().map(of).collect();
            picked?.concat()
        }
        Opcode::LLVMCall => {
            let name = value.called_function()?.name();
            let up = name.starts_with("llvm.fshl.i");
            if !up && !name.starts_with("llvm.fshr.i") {
                return None;
            }
            let bits = u64::from(int_bits(value.ty()));
            let by = operand(2).as_u64()? % bits;
            let by = if up { by } else { (bits - by) % bits };
            // The upper half of the two operands side by side, after a shift up.
            let both = [all(operand(1)), all(operand(0))].concat();
            moved_up(&both, by)?.split_off(count)
        }
        _ => return None,
    };
    (from.len() == count).then_some(from)
}

/// A value of which an `and` keeps the sign bit alone.
pub fn sign_of(value: Value) -> Option<Value> {
    Lanes::as_wide_as(value.ty())?.signed(value)
}

/// The operation on a sign that an instruction is.
pub fn sign_operation(value: Value) -> Option<Sign> {
    Sign::of(Lanes::as_wide_as(value.ty())?, value)
}
