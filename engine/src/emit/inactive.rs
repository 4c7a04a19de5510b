//! What a call without a derivative leaves in memory that has a shadow.
//!
//! `to_string` fills a `String` that lies beside floats, or is moved there later. What such a call writes carries no derivative, but it is structure that
//! others take to have a shadow: lengths that are compared, pointers that are given back. It is its own shadow: pointers that the call left lead
//! to the same memory from both, which is given back once ([`for_apart`]).
//!
//! Words that the call did not change keep their shadows, so a call that only looks at a vector changes nothing. Places of floats are left alone.
//!
//! A call that makes text is made once more for the shadow ([`is_told_again`]): what it makes may end up in memory of the user's, who gives back both.

use super::subject::Subject;
use crate::analysis::activity::{Half, exponent_of, float_of, is_cast_float, is_of_pieces, is_structure, leaves};
use crate::analysis::memory::{Cell, Object, Spot, overlap, spot_of};
use crate::ir::{Callee, InstId, Op, Val};
use crate::llvm::{Builder, Function, IntPredicate, Opcode, Place, Type, Value};
use crate::load::addresses::bits_of_float;
use crate::rule::Effect;

/// More words than this are no record.
const MOST_WORDS: u64 = 16;

/// Words of an operand's memory that a call may change.
pub struct Written {
    /// The operand's number.
    pub operand: usize,
    /// The operand.
    pub address: Val,
    /// Offsets of words, and whether floats may lie there.
    words: Vec<(u64, bool)>,
    /// The call makes all of it. What lay there before may happen to be the same: a pointer to a block that was given back and handed out again.
    is_new: bool,
}

/// A word with its shadows, before the call.
pub struct Watched {
    place: Value,
    shadows: Vec<Value>,
    /// What lay there, of what the call need not change.
    before: Option<Value>,
    is_float: bool,
}

/// What a call may leave in memory with a shadow.
pub fn written(subject: &Subject, id: InstId) -> Vec<Written> {
    let inst = subject.func.inst(id);
    let is_inactive = matches!(
        inst.op,
        Op::Call(Callee::Effect(Effect::Inactive | Effect::Text { .. } | Effect::Private { .. }) | Callee::Unknown(_))
    );
    if !is_inactive {
        return Vec::new();
    }
    let effects = subject.memory.effects(id);
    let facts = subject.facts();
    let writes = |val: &Val| subject.memory.points_to(*val).iter().any(|o| effects.written.contains(o));
    let operands = inst.operands.iter().enumerate();
    let operands = operands.filter(|(_, v)| subject.func.ty(**v).is_pointer() && facts.has_shadow(**v) && writes(v));
    let found = operands.map(|(index, address)| Written {
        operand: index,
        address: *address,
        words: words(subject, inst.value, index as u32, *address, is_new(inst.value, index)),
        is_new: is_new(inst.value, index),
    });
    found.filter(|written| !written.words.is_empty()).collect()
}

/// Whether a call is made once more for its shadow: it has no effect but text.
pub fn is_told_again(op: &Op) -> bool {
    matches!(op, Op::Call(Callee::Effect(Effect::Text { again: true })))
}

/// Whether an operand is the place of a call's result.
fn is_new(call: Value, index: usize) -> bool {
    call.has_call_attribute(Place::Param(index as u32), "sret")
}

/// Words of an operand's memory, those where floats may lie only where `all` are asked for.
fn words(subject: &Subject, call: Value, index: u32, address: Val, all: bool) -> Vec<(u64, bool)> {
    let (memory, spot) = (&subject.memory, spot_of(&subject.func, address));
    let set = memory.points_to(address);
    if set.iter().any(|o| subject.activity.is_outside(o)) {
        return Vec::new();
    }
    let module = subject.func.module();
    let room = |o| match memory.objects[o as usize] {
        Object::Stack(id) if spot.stride == 0 => {
            let all = module.size_of(subject.func.inst(id).value.allocated_type());
            all.checked_sub(u64::try_from(spot.offset).ok()?)
        }
        _ => None,
    };
    let result = || call.call_attribute_type(Place::Param(index), "sret").map(|ty| module.size_of(ty));
    let promised = || {
        let own = call.call_attribute_value(Place::Param(index), "dereferenceable");
        own.or_else(|| call.called_function()?.attribute_value(Place::Param(index), "dereferenceable"))
    };
    let rooms: Option<Vec<u64>> = set.iter().map(|o| room(o.0)).collect();
    let bytes = rooms.and_then(|all| all.into_iter().min()).or_else(result).or_else(promised).unwrap_or(0);
    let is_float = |at: &u64| {
        let here = Spot { offset: spot.offset + *at as i64, ..spot };
        let floats = |(there, cell): (_, Cell)| matches!(cell, Cell::Float(w) if overlap(here, 8, there, w as i64));
        set.iter().any(|o| memory.all_cells(o).any(floats))
    };
    if bytes / 8 > MOST_WORDS {
        return Vec::new();
    }
    (0..bytes / 8).map(|word| (8 * word, is_float(&(8 * word)))).filter(|(_, float)| all || !float).collect()
}

/// Reads the words before the call.
pub fn watch(builder: &Builder, written: &Written, primal: Value, shadows: &[Value]) -> Vec<Watched> {
    let context = primal.context();
    let at = |pointer: Value, offset: u64| match offset {
        0 => pointer,
        _ => builder.gep(context.int(8), pointer, &[context.int(64).int_value(offset)]),
    };
    let word = |(offset, is_float): &(u64, bool)| {
        let place = at(primal, *offset);
        let before = (!written.is_new).then(|| {
            let before = builder.load(context.int(64), place);
            before.set_alignment(1);
            // Nothing may lie there yet.
            builder.freeze(before)
        });
        let shadows = shadows.iter().map(|s| at(*s, *offset)).collect();
        Watched { place, shadows, before, is_float: *is_float }
    };
    written.words.iter().map(word).collect()
}

/// Takes what the call has changed over into the shadows.
pub fn follow(subject: &Subject, builder: &Builder, watched: &[Watched]) {
    for Watched { place, shadows, before, is_float } in watched {
        let word = place.context().int(64);
        let after = builder.load(word, *place);
        after.set_alignment(1);
        let Some(before) = before else {
            let after = if *is_float {
                structure_or_zero(builder, after, subject.activity.may_be_pair(&subject.func, word))
            } else {
                after
            };
            shadows.iter().for_each(|shadow| builder.store(after, *shadow).set_alignment(1));
            continue;
        };
        let same = builder.icmp(IntPredicate::LLVMIntEQ, *before, after);
        for shadow in shadows {
            let old = builder.load(word, *shadow);
            old.set_alignment(1);
            let old = builder.freeze(old);
            builder.store(builder.select(same, old, after), *shadow).set_alignment(1);
        }
    }
}

/// The shadow of a constant that may be a float's bits and is moved as an integer or pointer. What nobody has written is as good as a float: it is asked later
/// whether it is structure.
fn constant_word(val: Val, is_pair: bool) -> Option<Value> {
    match val {
        Val::Const(value) if float_of(value.ty()).is_some() => {
            let zero = || value.ty().zero();
            match value.as_u64().filter(|_| is_pair) {
                Some(bits) => {
                    let structure = structure_of_pair(bits, value.context().int(32));
                    (structure != bits).then(|| value.ty().int_value(structure))
                }
                None => (value.is_undef() || !is_structure(value, value.ty())).then(zero),
            }
        }
        Val::Const(value) if bits_of_float(value).is_some() => Some(value.ty().zero()),
        _ => None,
    }
}

/// Whether an integer may be the bits of a constant float: from memory without a shadow (a table of constants, say), or one of several constants.
/// (Half of an address is none where there are no `f32`.)
fn is_constant_word(subject: &Subject, val: Val, only_doubles: bool) -> bool {
    let ty = subject.func.ty(val);
    if only_doubles && ty.bits() != 64 {
        return false;
    }
    let may_be_float = |leaf: &Val| match leaf {
        Val::Inst(id) => {
            let inst = subject.func.inst(*id);
            matches!(inst.op, Op::Load) && !subject.facts().has_shadow(inst.operands[0])
                || is_of_pieces(&subject.func, *leaf)
                || is_cast_float(&subject.func, *leaf)
        }
        Val::Const(constant) => !constant.is_undef() && !is_structure(*constant, ty),
        Val::Arg(_) => false,
    };
    float_of(ty).is_some() && leaves(&subject.func, val).0.iter().any(may_be_float)
}

/// What is structure in a word of which each half may be a float.
fn structure_of_pair(bits: u64, half: Type) -> u64 {
    let (low, high) = (bits as u32, (bits >> 32) as u32);
    if is_above_pointer(high) {
        return bits;
    }
    let is_told = |bits: u32| is_structure(half.int_value(u64::from(bits)), half);
    [(low, 0), (high, 32)].into_iter().filter(|(bits, _)| is_told(*bits)).map(|(bits, by)| u64::from(bits) << by).sum()
}

/// Whether what lies above half of a word shows that the whole is an address or a large number: it is no float, and not nothing either.
fn is_above_pointer(high: u32) -> bool {
    high != 0 && high >> 23 == 0
}

/// What stands beside a word that has no shadow, where it is moved to what has one and may be the bits of a constant float.
pub fn constant_moved(
    subject: &Subject,
    val: Val,
    only_doubles: bool,
    value: impl FnOnce() -> Value,
    builder: &Builder,
) -> Option<Value> {
    // A float that is moved as an integer, or one of several.
    let is_float = |leaf: &Val| match leaf {
        Val::Const(constant) => constant.is_undef() || constant.is_null(),
        leaf => is_cast_float(&subject.func, *leaf),
    };
    let is_number = subject.func.ty(val).is_int() && !matches!(val, Val::Const(_));
    let of_float = is_number && leaves(&subject.func, val).0.iter().all(is_float);
    let is_pair = subject.activity.may_be_two(&subject.func, &subject.memory, val);
    of_float
        .then(|| subject.func.ty(val).zero())
        .or_else(|| constant_word(val, is_pair))
        .or_else(|| is_constant_word(subject, val, only_doubles).then(|| structure_or_zero(builder, value(), is_pair)))
}

/// Does something with a word, or with both halves of one that may be two floats.
fn by_halves<const N: usize>(
    builder: &Builder,
    words: [Value; N],
    act: impl Fn(&Builder, [Value; N]) -> Value,
) -> Value {
    let (half, by) = (words[0].context().int(32), words[0].ty().int_value(32));
    let lows = words.map(|word| builder.cast(Opcode::LLVMTrunc, word, half));
    let highs = words.map(|word| builder.cast(Opcode::LLVMTrunc, builder.binary(Opcode::LLVMLShr, word, by), half));
    let [low, high] = [lows, highs].map(|halves| builder.cast(Opcode::LLVMZExt, act(builder, halves), words[0].ty()));
    builder.binary(Opcode::LLVMOr, low, builder.binary(Opcode::LLVMShl, high, by))
}

/// A word of which it is not known whether it is a float: zero where it may be one (see [`crate::analysis::activity::is_structure`]), as addresses and counts
/// are not. Of one that may be two floats each half is told for itself, but in an address.
fn structure_or_zero(builder: &Builder, word: Value, is_pair: bool) -> Value {
    if !is_pair {
        return structure_or_zero_of(builder, word);
    }
    let halves = by_halves(builder, [word], |builder, [half]| structure_or_zero_of(builder, half));
    builder.select(is_address(builder, word), word, halves)
}

/// Whether a word is an address or a large number by what is above its half (see [`is_above_pointer`]).
fn is_address(builder: &Builder, word: Value) -> Value {
    let ty = word.ty();
    let above = builder.binary(Opcode::LLVMSub, word, ty.int_value(1 << 32));
    builder.icmp(IntPredicate::LLVMIntULT, above, ty.int_value((1 << 55) - (1 << 32)))
}

fn structure_or_zero_of(builder: &Builder, word: Value) -> Value {
    let ty = word.ty();
    let (fraction, ones) = exponent_of(ty);
    let shifted = builder.binary(Opcode::LLVMLShr, word, ty.int_value(fraction));
    let exponent = builder.binary(Opcode::LLVMAnd, shifted, ty.int_value(ones));
    // Of all zeros and all ones what lies above is 0, and of nothing else.
    let above = builder.add(exponent, ty.int_value(1));
    let rest = builder.binary(Opcode::LLVMAnd, above, ty.int_value(ones - 1));
    let is_finite = builder.icmp(IntPredicate::LLVMIntNE, rest, ty.zero());
    // An infinity, and what `NAN` is, has zeros below.
    let fraction = builder.binary(Opcode::LLVMAnd, word, ty.int_value((1 << (fraction - 1)) - 1));
    let has_none = builder.icmp(IntPredicate::LLVMIntEQ, fraction, ty.zero());
    let is_last = builder.icmp(IntPredicate::LLVMIntEQ, exponent, ty.int_value(ones));
    let is_float = builder.binary(Opcode::LLVMOr, is_finite, builder.binary(Opcode::LLVMAnd, is_last, has_none));
    builder.select(is_float, ty.zero(), word)
}

/// The address from which a word is loaded that may lie in constant memory, which has no shadow but itself.
pub fn guarded_word(subject: &Subject, id: InstId) -> Option<Val> {
    let inst = subject.func.inst(id);
    (subject.activity.is_word_by_its_bits(id, &subject.func)
        && subject.activity.is_guarded(&subject.memory, inst.operands[0]))
    .then(|| inst.operands[0])
}

/// What stands beside such a word: what was loaded from the shadow of its place, if that is another place.
pub fn constant_or(
    builder: &Builder,
    word: Value,
    shadow: Value,
    (primal, place): (Value, Value),
    is_pair: bool,
) -> Value {
    let is_constant = builder.icmp(IntPredicate::LLVMIntEQ, primal, place);
    builder.select(is_constant, structure_or_zero(builder, word, is_pair), shadow)
}

/// The same of a word in a shadow that the user has made, in which a float need not be zero. `-0.0` is a float, but where the primal has these bits too: in the
/// place of a capacity they are the mark of a variant.
pub fn users_word(builder: &Builder, primal: Value, shadow: Value, is_pair: bool) -> Value {
    if !is_pair {
        return users_word_of(builder, [primal, shadow]);
    }
    let halves = by_halves(builder, [primal, shadow], users_word_of);
    builder.select(is_address(builder, shadow), shadow, halves)
}

/// Whether what is loaded by halves from the user's memory and from its shadow is as whole words two addresses: then a half is no float, unless what lies above it
/// is nothing but what was there before.
pub fn are_of_addresses(builder: &Builder, places: [Value; 2], half: Half) -> Value {
    let [primal, shadow] = places.map(|place| {
        let context = place.context();
        let begin = match half {
            Half::Low => place,
            Half::High => builder.gep(context.int(8), place, &[context.int(64).int_value((-4i64) as u64)]),
        };
        let word = builder.load(context.int(64), begin);
        word.set_alignment(8);
        is_address(builder, word)
    });
    builder.binary(Opcode::LLVMAnd, primal, shadow)
}

fn users_word_of(builder: &Builder, [primal, shadow]: [Value; 2]) -> Value {
    let ty = shadow.ty();
    let negative = ty.int_value(1 << (ty.bits() - 1));
    let [is_here, is_there] = [(IntPredicate::LLVMIntEQ, shadow), (IntPredicate::LLVMIntNE, primal)]
        .map(|(predicate, word)| builder.icmp(predicate, word, negative));
    let is_zero = builder.binary(Opcode::LLVMAnd, is_here, is_there);
    builder.select(is_zero, ty.zero(), structure_or_zero_of(builder, shadow))
}

/// Does something for a shadow where there is one and it is another block than its primal's.
pub fn for_apart(builder: &Builder, primal: Value, shadow: Value, act: impl FnOnce()) {
    let function: Function = builder.block().function();
    let (other, done) = (function.append_block("shadow.apart"), function.append_block("done.apart"));
    let shared = builder.icmp(IntPredicate::LLVMIntEQ, primal, shadow);
    let none = builder.icmp(IntPredicate::LLVMIntEQ, shadow, shadow.ty().zero());
    builder.cond_br(builder.binary(Opcode::LLVMOr, shared, none), done, other);
    builder.position_at_end(other);
    act();
    builder.br(done);
    builder.position_at_end(done);
}

/// A shadow that is to be given back: null where it is its primal's own block, which is given back anyway.
pub fn apart_or_null(builder: &Builder, primal: Value, shadow: Value) -> Value {
    if primal == shadow {
        return shadow.ty().zero();
    }
    builder.select(builder.icmp(IntPredicate::LLVMIntEQ, primal, shadow), shadow.ty().zero(), shadow)
}
