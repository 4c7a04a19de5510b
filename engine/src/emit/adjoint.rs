//! The adjoint of each operation.
//!
//! Operations on floats multiply by their rule's partials. Everything else is linear in what it moves, and its adjoint is the
//! transpose: a load adds to the shadow, a store takes from it, an extraction adds to a part.
use super::aggregate::{self, is_all_floats};
use super::copying;
use super::custom;
use super::expr::Emitter;
use super::guard;
use super::keys::call_key;
use super::reverse::Pullback;
use super::session::{self, Made};
use super::subject::Subject;
use super::writes;
use crate::analysis::activity::{Doubt, ParamActivity, exponent_of, float_of, may_hold_floats};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Callee, InstId, Op, Val};
use crate::llvm::{Builder, IntPredicate, Opcode, Type, Value};
use crate::plan::needs::acts;
use crate::rule::{Partial, factored};

/// Writes the adjoint of an instruction.
///
/// # Errors
/// What cannot be differentiated.
pub fn instruction(sweep: &mut Pullback, id: InstId, builder: &Builder) -> Result<(), Diagnostic> {
    let subject = sweep.subject;
    if !acts(&subject.facts(), id) {
        return Ok(());
    }
    let inst = subject.func.inst(id);
    let result = Val::Inst(id);
    let operand = |i: usize| inst.operands[i];
    builder.set_location_of(Some(inst.value));
    match &inst.op {
        Op::Scalar(_) => scalar(sweep, id, builder),
        Op::Load if subject.activity.is_word(result) => load_word(sweep, id, builder),
        // What lies there is nobody's adjoint.
        Op::Store if subject.activity.is_users_count(&subject.func, &subject.memory, id) => {}
        Op::Store if float_of(subject.func.ty(operand(0))).is_some() && subject.activity.is_word(operand(0)) => {
            store_word(sweep, id, builder);
        }
        Op::Store if subject.activity.is_users_variant(&subject.func, &subject.memory, id) => {
            let ty = subject.func.ty(operand(0));
            let floats = subject.activity.floats_of_users_variant(&subject.func, &subject.memory, id);
            // Of a part of a float nothing is left by now.
            if floats == Some(u64::from(ty.bits()) / 8) {
                leave_structure(builder, (written(sweep, id, ty, builder), inst.value.alignment()), ty);
            }
        }
        // Structure, where a float may have been before.
        Op::Store if !may_hold_floats(subject.func.ty(operand(0))) => {
            let shadow = written(sweep, id, subject.func.ty(operand(0)), builder);
            let store = builder.store(subject.func.ty(operand(0)).zero(), shadow);
            store.set_alignment(inst.value.alignment());
        }
        Op::Load => {
            let adjoint = sweep.take(result, builder);
            let mut shadow = sweep.shadow(operand(0), builder);
            if subject.activity.is_guarded(&subject.memory, operand(0)) {
                let nowhere = sweep.nowhere(inst.ty);
                let is_constant = sweep.is_constant(operand(0), shadow, builder);
                shadow = builder.select(is_constant, nowhere, shadow);
            }
            if !is_all_floats(inst.ty) {
                return Err(unsupported(sweep, id, "a load of a value that holds other things beside floats"));
            }
            let before = builder.load(inst.ty, shadow);
            before.set_alignment(inst.value.alignment());
            let store = builder.store(aggregate::add(builder, before, adjoint), shadow);
            store.set_alignment(inst.value.alignment());
        }
        Op::Store => {
            let ty = subject.func.ty(operand(0));
            if !is_all_floats(ty) {
                return Err(unsupported(sweep, id, "a store of a value that holds other things beside floats"));
            }
            let shadow = written(sweep, id, ty, builder);
            if subject.activity.is_active(operand(0)) {
                let (activity, address) = (&subject.activity, operand(1));
                let is_mixed = ty.is_float() && activity.is_users_mixed(&subject.func, &subject.memory, address, ty);
                let loaded = if is_mixed { lone_int(ty) } else { ty };
                let adjoint = builder.load(loaded, shadow);
                adjoint.set_alignment(inst.value.alignment());
                // A pointer that was there before is none.
                let adjoint = match is_mixed {
                    true => builder.cast(Opcode::LLVMBitCast, adjoint_or_zero(builder, adjoint), ty),
                    false => adjoint,
                };
                sweep.add(operand(0), adjoint, builder);
            }
            builder.store(ty.zero(), shadow).set_alignment(inst.value.alignment());
        }
        Op::Select => {
            let adjoint = sweep.take(result, builder);
            let condition = sweep.value(operand(0), builder);
            let zero = adjoint.ty().zero();
            if subject.activity.has_adjoint(operand(1)) {
                sweep.add(operand(1), builder.select(condition, adjoint, zero), builder);
            }
            if subject.activity.has_adjoint(operand(2)) {
                sweep.add(operand(2), builder.select(condition, zero, adjoint), builder);
            }
        }
        Op::Copy => {
            let adjoint = sweep.take(result, builder);
            sweep.add(operand(0), adjoint, builder);
        }
        Op::BitCast => {
            let adjoint = sweep.take(result, builder);
            let back = builder.cast(crate::llvm::Opcode::LLVMBitCast, adjoint, subject.func.ty(operand(0)));
            sweep.add(operand(0), back, builder);
        }
        Op::Extract(indices) => {
            let adjoint = sweep.take(result, builder);
            sweep.add_part(operand(0), indices, adjoint, builder);
        }
        Op::Insert(indices) => insert(sweep, id, indices, builder),
        Op::ExtractElement => {
            let adjoint = sweep.take(result, builder);
            let index = sweep.value(operand(1), builder);
            let vector = subject.func.ty(operand(0)).zero();
            sweep.add(operand(0), builder.insert_element(vector, adjoint, index), builder);
        }
        Op::InsertElement => {
            let adjoint = sweep.take(result, builder);
            let index = sweep.value(operand(2), builder);
            if subject.activity.is_active(operand(1)) {
                sweep.add(operand(1), builder.extract_element(adjoint, index), builder);
            }
            if subject.activity.is_active(operand(0)) {
                let zero = subject.func.ty(operand(1)).zero();
                sweep.add(operand(0), builder.insert_element(adjoint, zero, index), builder);
            }
        }
        Op::Shuffle(mask) => shuffle(sweep, id, mask, builder),
        Op::MemCopy => return copying::copy_adjoint(sweep, id, builder),
        Op::MemSet => return copying::fill_adjoint(sweep, id, builder),
        Op::Call(Callee::Custom(custom)) => return custom::reverse_sweep(sweep, id, custom, builder),
        Op::Call(Callee::Body(function)) => call(sweep, id, *function, builder),
        Op::Return => {}
        _ => return Err(unsupported(sweep, id, "an operation without a derivative")),
    }
    Ok(())
}

/// An integer as wide as a float.
fn lone_int(float: Type) -> Type {
    let context = float.context();
    context.int(if float == context.f64() { 64 } else { 32 })
}

/// The shadow of the place that a store writes to; of constant memory, one that is always zero.
fn written(sweep: &mut Pullback, id: InstId, ty: Type, builder: &Builder) -> Value {
    let address = sweep.subject.func.inst(id).operands[1];
    let shadow = sweep.shadow(address, builder);
    if writes::guarded(sweep.subject, id).is_none() {
        return shadow;
    }
    let zeros = sweep.zeros(ty);
    let is_constant = sweep.is_constant(address, shadow, builder);
    builder.select(is_constant, zeros, shadow)
}

/// One of the floats that a word may be.
#[derive(Clone, Copy)]
struct Lane {
    float: Type,
    /// Which it is, where there are several.
    index: Option<u64>,
    /// Whether it was one: that part of the word's shadow was zero, as those of floats are until the reverse sweep.
    was_float: Value,
}

impl Lane {
    /// An integer as wide.
    fn int(&self) -> Type {
        lone_int(self.float)
    }

    fn bytes(&self) -> u64 {
        if self.float == self.float.context().f64() { 8 } else { 4 }
    }

    /// Its place in the memory of the word.
    fn place(&self, builder: &Builder, word: Value) -> Value {
        let context = self.float.context();
        match self.index.unwrap_or(0) {
            0 => word,
            index => builder.gep(context.int(8), word, &[context.int(64).int_value(index * self.bytes())]),
        }
    }

    fn of(&self, builder: &Builder, adjoint: Value) -> Value {
        match self.index {
            Some(index) => builder.extract_element(adjoint, self.float.context().int(32).int_value(index)),
            None => adjoint,
        }
    }

    fn put(&self, builder: &Builder, adjoint: Value, lane: Value) -> Value {
        match self.index {
            Some(index) => builder.insert_element(adjoint, lane, self.float.context().int(32).int_value(index)),
            None => lane,
        }
    }
}

/// Bits as another type, if it is one.
fn cast(builder: &Builder, bits: Value, ty: Type) -> Value {
    if bits.ty() == ty { bits } else { builder.cast(Opcode::LLVMBitCast, bits, ty) }
}

/// The floats that a word may be.
fn lanes(sweep: &mut Pullback, word: Val, floats: Type, builder: &Builder) -> Vec<Lane> {
    let shadow = sweep.shadow(word, builder);
    if !floats.is_vector() {
        let was_float = builder.icmp(IntPredicate::LLVMIntEQ, shadow, shadow.ty().zero());
        return vec![Lane { float: floats, index: None, was_float }];
    }
    let lane = |index: u64| {
        let mut lane = Lane { float: floats.element(), index: Some(index), was_float: shadow };
        let bits = shadow.ty().int_value(8 * index * lane.bytes());
        let shifted = builder.binary(Opcode::LLVMLShr, shadow, bits);
        let own = builder.cast(Opcode::LLVMTrunc, shifted, lane.int());
        lane.was_float = builder.icmp(IntPredicate::LLVMIntEQ, own, own.ty().zero());
        lane
    };
    (0..floats.count()).map(lane).collect()
}

/// The bits of an adjoint, but zero where they are of a mark or a count: of a variant whose mark is zero, in whose place another one was put later. (No adjoint is
/// as small but for those which underflow.)
pub(super) fn adjoint_or_zero(builder: &Builder, bits: Value) -> Value {
    builder.select(is_structure(builder, bits), bits.ty().zero(), bits)
}

/// The same of what may be half of an adjoint: that may have the exponent of a number, but is none as small.
pub(super) fn half_or_zero(builder: &Builder, bits: Value) -> Value {
    let ty = bits.ty();
    let is_small = builder.icmp(IntPredicate::LLVMIntULT, bits, ty.int_value(1 << 16));
    builder.select(is_small, ty.zero(), bits)
}

/// The same where it is known what lies above the half: what is small is left where that makes it part of an `f64`.
fn low_or_zero(builder: &Builder, low: Value, above: Value) -> Value {
    let is_none = builder.icmp(IntPredicate::LLVMIntULT, above, above.ty().int_value(1 << 20));
    builder.select(is_none, half_or_zero(builder, low), low)
}

/// Adds the adjoint of a word to the shadow that it was loaded from.
fn load_word(sweep: &mut Pullback, id: InstId, builder: &Builder) {
    let inst = sweep.subject.func.inst(id);
    let adjoint = sweep.take(Val::Inst(id), builder);
    let shadow = sweep.shadow(inst.operands[0], builder);
    let Subject { func, memory, activity, .. } = sweep.subject;
    let doubt = activity.doubt_about(func, memory, Val::Inst(id));
    // What may be two floats is handed on as one. (Half of an `f64` is told from structure as an `f32` is: there was none in the other half either.)
    let floats = doubt.lanes(adjoint.ty());
    let adjoint = cast(builder, adjoint, floats);
    for lane in lanes(sweep, Val::Inst(id), floats, builder) {
        let nowhere = sweep.nowhere(lane.float);
        let mut place = builder.select(lane.was_float, lane.place(builder, shadow), nowhere);
        if sweep.subject.activity.is_guarded(&sweep.subject.memory, inst.operands[0]) {
            let is_constant = sweep.is_constant(inst.operands[0], shadow, builder);
            place = builder.select(is_constant, nowhere, place);
        }
        let alignment = inst.value.alignment().min(lane.bytes() as u32);
        let before = builder.load(lane.float, place);
        before.set_alignment(alignment);
        let adjoint = lane.of(builder, adjoint);
        let sum = sweep.session.sum_of_words(builder, doubt.of_lane(), before, adjoint);
        builder.store(sum, place).set_alignment(alignment);
    }
}

/// Takes the adjoint of a word out of the shadow that it was stored to; of structure there is none.
fn store_word(sweep: &mut Pullback, id: InstId, builder: &Builder) {
    let inst = sweep.subject.func.inst(id);
    let word = inst.operands[0];
    let Some(floats) = sweep.subject.activity.floats_of(&sweep.subject.func, sweep.subject.func.ty(word)) else {
        return;
    };
    let shadow = written(sweep, id, floats, builder);
    let Subject { func, memory, activity, .. } = sweep.subject;
    let doubt = activity.doubt_about(func, memory, word);
    let is_users = sweep.subject.activity.is_users_variant(&sweep.subject.func, &sweep.subject.memory, id);
    let lanes_of_word = doubt.lanes(floats);
    let mut taken = lanes_of_word.zero();
    for lane in lanes(sweep, word, lanes_of_word, builder) {
        let (place, alignment) = (lane.place(builder, shadow), inst.value.alignment().min(lane.bytes() as u32));
        let there = builder.load(lane.int(), place);
        there.set_alignment(alignment);
        let adjoint = match doubt {
            Doubt::None => adjoint_or_zero(builder, there),
            Doubt::Pair if lane.index == Some(0) => {
                let above = builder.load(lane.int(), Lane { index: Some(1), ..lane }.place(builder, shadow));
                above.set_alignment(alignment);
                low_or_zero(builder, there, above)
            }
            Doubt::Half | Doubt::Pair => half_or_zero(builder, there),
        };
        let adjoint = builder.cast(Opcode::LLVMBitCast, adjoint, lane.float);
        taken = lane.put(builder, taken, builder.select(lane.was_float, adjoint, lane.float.zero()));
        if is_users {
            // It may tell a variant where it was no float.
            let is_left = builder.select(lane.was_float, lane.was_float.ty().zero(), is_structure(builder, there));
            builder.store(builder.select(is_left, there, there.ty().zero()), place).set_alignment(alignment);
        }
    }
    sweep.add(word, cast(builder, taken, floats), builder);
    if !is_users {
        builder.store(floats.zero(), shadow).set_alignment(inst.value.alignment());
    }
}

/// Whether bits are of no float worth the name: of a mark, a count or an address.
fn is_structure(builder: &Builder, bits: Value) -> Value {
    let ty = bits.ty();
    let (fraction, ones) = exponent_of(ty);
    let exponent = builder.binary(Opcode::LLVMAnd, bits, ty.int_value(ones << fraction));
    builder.icmp(IntPredicate::LLVMIntEQ, exponent, ty.zero())
}

/// What tells a variant in a shadow that the user keeps, among floats of so many bytes, as far as it need be what tells it in the primal. Where the variant may have become another one,
/// an adjoint that is there for later was not overwritten. A number that could be taken for one tells nothing, and has become zero.
pub(super) fn told(builder: &Builder, place: Value, pair: [Value; 2], floats: u64, is_changed: bool) -> Value {
    let [primal, mut shadow] = pair;
    let ty = primal.ty();
    if is_changed {
        shadow = builder.select(tells(builder, place, ty, floats), shadow, primal);
    }
    if ty.is_int() && u64::from(ty.bits()) == 8 * floats {
        shadow = builder.select(is_structure(builder, primal), shadow, primal);
    }
    shadow
}

/// Whether what lies in a shadow that the user keeps, around a place of a number among floats of so many bytes, is no adjoint.
fn tells(builder: &Builder, place: Value, number: Type, floats: u64) -> Value {
    is_structure(builder, around(builder, place, number, floats))
}

/// The bits of the float that a place of a number would be in.
fn around(builder: &Builder, place: Value, number: Type, floats: u64) -> Value {
    let context = place.context();
    let word = context.int(8 * floats as u32);
    let mut begin = place;
    if number.bits() < word.bits() {
        let address = builder.cast(Opcode::LLVMPtrToInt, place, context.int(64));
        let inside = builder.binary(Opcode::LLVMAnd, address, context.int(64).int_value(floats - 1));
        begin = builder.gep(context.int(8), place, &[builder.sub(context.int(64).zero(), inside)]);
    }
    let bits = builder.load(word, begin);
    bits.set_alignment(1);
    bits
}

/// In the forward sweep, where a number is put into memory whose shadow the user keeps, among floats of so many bytes: an adjoint stays there, for a float that may be put
/// there later. A number that could be taken for one does not come there; others tell variants, perhaps.
pub(super) fn leave_variant(builder: &Builder, (place, alignment): (Value, u32), number: Value, floats: u64) {
    let ty = number.ty();
    if u64::from(ty.bits()) > 8 * floats {
        return;
    }
    let before = builder.load(ty, place);
    before.set_alignment(alignment);
    let was_structure = tells(builder, place, ty, floats);
    builder.store(number, place).set_alignment(alignment);
    let is_structure = tells(builder, place, ty, floats);
    let number = builder.select(is_structure, number, ty.zero());
    builder.store(builder.select(was_structure, number, before), place).set_alignment(alignment);
}

/// Of such a number where there are pointers too, which must come there: what is to be put there, which is what was there before where the number could be taken for an adjoint.
pub(super) fn structure_or_same(builder: &Builder, (place, alignment): (Value, u32), number: Value) -> Value {
    let before = builder.load(number.ty(), place);
    before.set_alignment(alignment);
    builder.select(is_structure(builder, number), number, before)
}

/// In the forward sweep, where a float is put into such memory: what structure was there before is no adjoint.
pub(super) fn leave_adjoint(builder: &Builder, (place, alignment): (Value, u32), float: Type) {
    let there = builder.load(lone_int(float), place);
    there.set_alignment(alignment);
    builder.store(adjoint_or_zero(builder, there), place).set_alignment(alignment);
}

/// In the reverse sweep, where a number was put: what was found there has no adjoint so far, but it may tell a variant.
fn leave_structure(builder: &Builder, (place, alignment): (Value, u32), ty: Type) {
    let there = builder.load(ty, place);
    there.set_alignment(alignment);
    let left = builder.select(is_structure(builder, there), there, ty.zero());
    builder.store(left, place).set_alignment(alignment);
}

/// The message about an operation that is not supported.
pub fn unsupported(sweep: &Pullback, id: InstId, what: &str) -> Diagnostic {
    let inst = sweep.subject.func.inst(id);
    Diagnostic::new(Code::Unsupported, format!("an active value goes through {what}"))
        .note(format!("the operation is `{}`", inst.value))
        .at_instruction(inst.value, sweep.session.request)
}

fn scalar(sweep: &mut Pullback, id: InstId, builder: &Builder) {
    let subject = sweep.subject;
    let inst = subject.func.inst(id);
    let Op::Scalar(rule) = &inst.op else { return };
    let adjoint = sweep.take(Val::Inst(id), builder);
    let (mut wanted, mut wants_result) = (vec![false; inst.operands.len()], false);
    let is_active = |index: usize| subject.activity.is_active(inst.operands[index]);
    let active = || rule.partials.iter().enumerate().filter(|(index, _)| is_active(*index));
    for (_, partial) in active() {
        let needs = partial.needs(inst.operands.len());
        wanted.iter_mut().zip(needs.args).for_each(|(w, n)| *w |= n);
        wants_result |= needs.result;
    }
    let values: Vec<Option<Value>> =
        inst.operands.iter().zip(&wanted).map(|(val, wanted)| wanted.then(|| sweep.value(*val, builder))).collect();
    let result = wants_result.then(|| sweep.value(Val::Inst(id), builder));
    let (ty, again) = (inst.ty, sweep.session.again);
    // An adjoint of zero stays zero, whatever it is multiplied with, where another branch may have been taken.
    let is_masked = sweep.plan.masked[id.0 as usize];
    let masked =
        |product: Value| if is_masked { guard::unless_zero(builder, adjoint, product, again) } else { product };
    let contributions: Vec<(usize, Option<Value>)> = {
        // Only what the partials use is asked for, and that is there.
        let mut args = |i: usize| values[i].unwrap_or_else(|| subject.func.ty(inst.operands[i]).undef());
        let mut result = || result.unwrap_or_else(|| ty.undef());
        let mut emitter = Emitter::new(builder, &mut args, &mut result, ty);
        let (common, partials) = factored(active());
        let adjoint = common.map_or(adjoint, |common| masked(emitter.product(&common, adjoint)));
        let times = |(index, partial): (usize, Partial)| {
            let product = emitter.times(&partial, adjoint);
            (index, product.map(|product| if partial.as_num().is_some() { product } else { masked(product) }))
        };
        partials.into_iter().map(times).collect()
    };
    for (index, contribution) in contributions {
        let Some(contribution) = contribution else { continue };
        let contribution = sweep.to_width(contribution, subject.func.ty(inst.operands[index]), builder);
        sweep.add(inst.operands[index], contribution, builder);
    }
}

fn insert(sweep: &mut Pullback, id: InstId, indices: &[u32], builder: &Builder) {
    let inst = sweep.subject.func.inst(id);
    let adjoint = sweep.take(Val::Inst(id), builder);
    let (whole, part) = (inst.operands[0], inst.operands[1]);
    let mut taken = adjoint;
    for index in indices {
        taken = builder.extract_value(taken, *index);
    }
    sweep.add(part, taken, builder);
    if sweep.subject.activity.is_active(whole) {
        let rest = without(builder, adjoint, indices);
        sweep.add(whole, rest, builder);
    }
}

/// An aggregate with a part set to zero.
fn without(builder: &Builder, value: Value, indices: &[u32]) -> Value {
    let Some((first, rest)) = indices.split_first() else { return value.ty().zero() };
    let inner = without(builder, builder.extract_value(value, *first), rest);
    builder.insert_value(value, inner, *first)
}

fn shuffle(sweep: &mut Pullback, id: InstId, mask: &[i32], builder: &Builder) {
    let subject = sweep.subject;
    let inst = subject.func.inst(id);
    let adjoint = sweep.take(Val::Inst(id), builder);
    let lanes = subject.func.ty(inst.operands[0]).count() as i32;
    let int = sweep.session.module.context().int(32);
    for (which, operand) in inst.operands[..2].iter().enumerate() {
        if !subject.activity.is_active(*operand) {
            continue;
        }
        let mut sum = subject.func.ty(*operand).zero();
        for (to, from) in mask.iter().enumerate() {
            let lane = from - which as i32 * lanes;
            if *from < 0 || lane < 0 || lane >= lanes {
                continue;
            }
            let lane = int.int_value(lane as u64);
            let part = builder.extract_element(adjoint, int.int_value(to as u64));
            let before = builder.extract_element(sum, lane);
            sum = builder.insert_element(sum, aggregate::add(builder, before, part), lane);
        }
        sweep.add(*operand, sum, builder);
    }
}

fn call(sweep: &mut Pullback, id: InstId, function: crate::llvm::Function, builder: &Builder) {
    let subject = sweep.subject;
    let inst = subject.func.inst(id);
    let key = call_key(subject, id, function, 0);
    let Made::Split { pullback, .. } = sweep.session.derivative(key.clone()) else { return };
    let mut arguments: Vec<Value> = inst.operands.iter().map(|v| sweep.value(*v, builder)).collect();
    for (operand, param) in inst.operands.iter().zip(&key.interface.params) {
        if *param == ParamActivity::Dup {
            arguments.push(sweep.shadow(*operand, builder));
        }
    }
    if session::has_adjoint(&key) {
        arguments.push(sweep.take(Val::Inst(id), builder));
    }
    arguments.push(sweep.item(crate::plan::Item::Tape(id), builder));
    let call = builder.call(pullback, &arguments);
    for (number, index) in session::active_params(&key).into_iter().enumerate() {
        let adjoint = builder.extract_value(call, number as u32);
        sweep.add(inst.operands[index], adjoint, builder);
    }
}
