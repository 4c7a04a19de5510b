//! Bits of floats that are computed with as vector units do it, in terms of floats.
//!
//! `_mm_and_ps(x, ABS)` is the absolute value, `_mm_or_ps(_mm_and_ps(m, x), _mm_andnot_ps(m, y))` a choice by what was compared: the units have no other words for
//! it, and libraries of small vectors are written in them. LLVM sees integers there, through which no derivative goes, and intrinsics of one machine. Here they
//! become what they mean: `fabs`, `copysign`, a negation, a `select`.
//!
//! **Promise:** the program computes the same bits, but for those of a NaN.

use super::signs::{Lanes, Sign, uncast};
use crate::llvm::{Builder, Function, IntPredicate, Opcode, RealPredicate, Type, Value};
use crate::maps::HashSet;

/// How many operations lie between the bits of a float and the float again.
const DEEPEST: usize = 12;

/// Replaces comparisons, choices by them, minima and maxima of vector units, in one function.
pub fn lower(function: Function) {
    for call in function.blocks().into_iter().flat_map(|b| b.instructions()) {
        if call.opcode() != Opcode::LLVMCall {
            continue;
        }
        let Some(name) = call.called_function().map(|f| f.name()).filter(|name| name.starts_with("llvm.x86.")) else {
            continue;
        };
        let builder = Builder::before(call);
        builder.set_location_of(Some(call));
        if let Some(made) = in_other_words(&builder, &name, call) {
            call.replace_all_uses_with(made);
            call.erase();
        }
    }
}

/// The predicates of comparisons, by their numbers (those from 16 on differ in what traps); none for what is always so, or never.
fn predicate(number: u64) -> Option<RealPredicate> {
    use RealPredicate::{
        LLVMRealOEQ, LLVMRealOGE, LLVMRealOGT, LLVMRealOLE, LLVMRealOLT, LLVMRealONE, LLVMRealORD, LLVMRealUEQ,
        LLVMRealUGE, LLVMRealUGT, LLVMRealULE, LLVMRealULT, LLVMRealUNE, LLVMRealUNO,
    };
    Some(match number % 16 {
        0 => LLVMRealOEQ,
        1 => LLVMRealOLT,
        2 => LLVMRealOLE,
        3 => LLVMRealUNO,
        4 => LLVMRealUNE,
        5 => LLVMRealUGE,
        6 => LLVMRealUGT,
        7 => LLVMRealORD,
        8 => LLVMRealUEQ,
        9 => LLVMRealULT,
        10 => LLVMRealULE,
        12 => LLVMRealONE,
        13 => LLVMRealOGE,
        14 => LLVMRealOGT,
        _ => return None,
    })
}

/// The same value without the intrinsic. (Intel, *Intel 64 and IA-32 Architectures Software Developer's Manual*, volume 2: MINPS, MAXPS, CMPPS, BLENDVPS and their
/// like. The second operand of a minimum is the answer where one is no number, or both are zero.)
fn in_other_words(builder: &Builder, name: &str, call: Value) -> Option<Value> {
    let mut parts = name.split('.').skip(2);
    let (_unit, what, form) = (parts.next()?, parts.next()?, parts.next().unwrap_or(""));
    let ty = call.ty();
    if !ty.is_vector() || !ty.is_float_or_vector() {
        return None;
    }
    let arguments = call.arguments();
    let [a, b] = [*arguments.first()?, *arguments.get(1)?];
    // Of the forms for one number the other lanes are those of the first operand.
    let first = ty.context().int(32).int_value(0);
    let alone = matches!(form, "ss" | "sd");
    let lanes = |value: Value| if alone { builder.extract_element(value, first) } else { value };
    let back = |made: Value| if alone { builder.insert_element(a, made, first) } else { made };
    let extreme = |predicate| {
        let (x, y) = (lanes(a), lanes(b));
        back(builder.select(builder.fcmp(predicate, x, y), x, y))
    };
    match what {
        "min" => Some(extreme(RealPredicate::LLVMRealOLT)),
        "max" => Some(extreme(RealPredicate::LLVMRealOGT)),
        "cmp" => {
            let number = arguments.get(2)?.as_u64()?;
            let is = builder.fcmp(predicate(number)?, lanes(a), lanes(b));
            let mask = builder.cast(Opcode::LLVMSExt, is, Lanes::of(lanes(a).ty())?.bits());
            Some(back(builder.cast(Opcode::LLVMBitCast, mask, lanes(a).ty())))
        }
        "blendvps" | "blendvpd" | "blendv" => {
            let bits = Lanes::of(ty)?.bits();
            let mask = builder.cast(Opcode::LLVMBitCast, *arguments.get(2)?, bits);
            let is_negative = builder.icmp(IntPredicate::LLVMIntSLT, mask, bits.zero());
            Some(builder.select(is_negative, b, a))
        }
        _ => None,
    }
}

/// Replaces floats that are put together from bits of floats, lane by lane, in one function.
pub fn as_floats(function: Function) {
    let all = || function.blocks().into_iter().flat_map(|b| b.instructions());
    let is_made = |i: &Value| {
        i.opcode() == Opcode::LLVMBitCast
            && i.ty().is_float_or_vector()
            && Lanes::of(i.ty()).is_some()
            && is_operation(i.operand(0))
    };
    let casts: Vec<Value> = all().filter(is_made).collect();
    let is_stored =
        |i: &Value| i.opcode() == Opcode::LLVMStore && i.operand(0).ty().is_vector() && is_operation(i.operand(0));
    let stores: Vec<Value> = all().filter(is_stored).collect();
    // (Erased when all are made: what is made later may come to lie where one was.)
    let mut unused = Vec::new();
    for cast in casts {
        let Some(lanes) = Lanes::of(cast.ty()) else { continue };
        let builder = Builder::before(cast);
        builder.set_location_of(Some(cast));
        if let Some(float) = lanes.float(&builder, cast.operand(0), DEEPEST) {
            cast.replace_all_uses_with(float);
            unused.push(cast);
        }
    }
    for store in stores {
        let bits = store.operand(0);
        let lanes = float_in(bits, DEEPEST).and_then(|float| Lanes::of(float.ty()));
        let Some(lanes) = lanes.filter(|lanes| lanes.are_as_wide(bits.ty())) else { continue };
        let builder = Builder::before(store);
        builder.set_location_of(Some(store));
        if let Some(float) = lanes.float(&builder, bits, DEEPEST) {
            store.set_operand(0, float);
            unused.push(bits);
        }
    }
    let mut erased = HashSet::default();
    unused.into_iter().for_each(|cast| erase_unused(cast, &mut erased));
    for difference in all().filter(|i| i.opcode() == Opcode::LLVMFSub).collect::<Vec<_>>() {
        round(difference);
    }
}

/// Whether bits are computed with.
fn is_operation(bits: Value) -> bool {
    bits.is_instruction()
        && match bits.opcode() {
            Opcode::LLVMAnd | Opcode::LLVMOr | Opcode::LLVMXor | Opcode::LLVMSelect => true,
            Opcode::LLVMBitCast | Opcode::LLVMFreeze => is_operation(bits.operand(0)),
            _ => false,
        }
}

/// A float whose bits are computed with.
fn float_in(bits: Value, depth: usize) -> Option<Value> {
    let depth = depth.checked_sub(1)?;
    if bits.ty().is_float_or_vector() {
        return (!bits.is_constant()).then_some(bits);
    }
    let is_looked_into = bits.is_instruction() && (is_operation(bits) || bits.opcode() == Opcode::LLVMBitCast);
    let operands = if is_looked_into { bits.operands() } else { Vec::new() };
    operands.into_iter().find_map(|operand| float_in(operand, depth))
}

/// Erases bits that nobody uses any more.
fn erase_unused(bits: Value, erased: &mut HashSet<Value>) {
    if erased.contains(&bits) || !bits.is_instruction() || !bits.users().is_empty() {
        return;
    }
    if is_operation(bits) || matches!(bits.opcode(), Opcode::LLVMBitCast | Opcode::LLVMSExt) {
        let operands = bits.operands();
        bits.erase();
        erased.insert(bits);
        operands.into_iter().for_each(|operand| erase_unused(operand, erased));
    }
}

impl Lanes {
    /// The floats of such bits.
    fn of_constant(self, bits: &[Option<u64>]) -> Value {
        let element = if self.ty.is_vector() { self.ty.element() } else { self.ty };
        let number = self.ty.context().int(self.width);
        let float = |bits: &Option<u64>| bits.map_or(element.poison(), |bits| number.int_value(bits).bit_cast(element));
        let floats: Vec<Value> = bits.iter().map(float).collect();
        if self.ty.is_vector() { element.vector_value(&floats) } else { floats[0] }
    }

    /// For each lane whether its bits are `yes` and not `no`; nothing where they are neither.
    fn lanes_that_are(self, value: Value, yes: u64, no: u64) -> Option<Value> {
        let flag = self.ty.context().int(1);
        let flags = self.constant(value)?.into_iter().map(|bits| match bits {
            Some(bits) if bits != yes && bits != no => None,
            bits => Some(flag.int_value(u64::from(bits == Some(yes)))),
        });
        let flags: Vec<Value> = flags.collect::<Option<_>>()?;
        Some(if self.ty.is_vector() { flag.vector_value(&flags) } else { flags[0] })
    }

    /// The float with such bits.
    fn float(self, builder: &Builder, bits: Value, depth: usize) -> Option<Value> {
        if bits.ty() == self.ty {
            return Some(bits);
        }
        let depth = depth.checked_sub(1)?;
        if bits.is_constant() {
            return self.constant(bits).map(|lanes| self.of_constant(&lanes));
        }
        if !bits.is_instruction() {
            return None;
        }
        let float = |bits: Value| self.float(builder, bits, depth);
        match bits.opcode() {
            Opcode::LLVMBitCast => float(bits.operand(0)),
            Opcode::LLVMFreeze => Some(builder.freeze(float(bits.operand(0))?)),
            Opcode::LLVMSelect => {
                let condition = bits.operand(0);
                let fits = !condition.ty().is_vector() || condition.ty().count() == u64::from(self.count);
                let (a, b) = (float(bits.operand(1)).filter(|_| fits)?, float(bits.operand(2))?);
                Some(builder.select(condition, a, b))
            }
            Opcode::LLVMAnd | Opcode::LLVMOr | Opcode::LLVMXor => {
                if let Some(sign) = Sign::of(self, bits) {
                    let magnitude = float(sign.magnitude())?;
                    return sign.make(builder, magnitude, || float(sign.taken()?));
                }
                match bits.opcode() {
                    Opcode::LLVMAnd => self.kept(builder, bits, depth),
                    opcode => self.joined(builder, bits, opcode == Opcode::LLVMOr, depth),
                }
            }
            _ => None,
        }
    }

    /// The float of which an `and` keeps the sign alone, or all of some lanes, or all where a condition holds.
    fn kept(self, builder: &Builder, bits: Value, depth: usize) -> Option<Value> {
        let float = |bits: Value| self.float(builder, bits, depth);
        let zero = self.ty.zero();
        if let Some(signed) = self.signed(bits) {
            return Some(self.call(builder, "llvm.copysign", &[zero, float(signed)?]));
        }
        self.either_way(bits, |a, b| {
            if b.is_constant() {
                let kept = self.lanes_that_are(b, self.ones(), 0)?;
                return Some(builder.select(kept, float(a)?, zero));
            }
            let (condition, is_so) = self.condition(b)?;
            let a = float(a)?;
            Some(if is_so { builder.select(condition, a, zero) } else { builder.select(condition, zero, a) })
        })
    }

    /// The float that an `or` or `xor` makes of two, of which each is nothing where the other is not; or of one, by changing signs of some lanes.
    fn joined(self, builder: &Builder, bits: Value, is_or: bool, depth: usize) -> Option<Value> {
        let float = |bits: Value| self.float(builder, bits, depth);
        if let Some((condition, a, b)) = self.choice(bits) {
            return Some(builder.select(condition, float(a)?, float(b)?));
        }
        self.either_way(bits, |a, b| {
            let negated = self.lanes_that_are(b, self.sign(), 0)?;
            let a = float(a)?;
            let other = if is_or { self.call(builder, "llvm.fabs", &[a]) } else { a };
            Some(builder.select(negated, builder.fneg(other), a))
        })
    }

    /// Where bits are all set or all clear in each lane: the condition, lane by lane, and whether they are set where it holds.
    fn condition(self, bits: Value) -> Option<(Value, bool)> {
        let bits = uncast(bits);
        if !bits.is_instruction() {
            return None;
        }
        match bits.opcode() {
            Opcode::LLVMSExt => {
                let condition = bits.operand(0);
                let ty = condition.ty();
                let is_flag = |ty: Type| ty.is_int() && ty.bits() == 1;
                let fits = match ty.is_vector() {
                    true => is_flag(ty.element()) && ty.count() == u64::from(self.count),
                    false => is_flag(ty) && self.count == 1,
                };
                fits.then_some((condition, true))
            }
            Opcode::LLVMXor => self.either_way(bits, |a, b| {
                let (condition, is_so) = self.condition(a).filter(|_| self.all(b, |bits| bits == self.ones()))?;
                Some((condition, !is_so))
            }),
            _ => None,
        }
    }

    /// What bits are where a condition holds, or where it does not, and else nothing: in each way that they can be read so.
    fn parts(self, bits: Value) -> Vec<Part> {
        let bits = uncast(bits);
        let opcode = if bits.is_instruction() { bits.opcode() } else { return Vec::new() };
        let is_nothing = |value: Value| self.all(value, |bits| bits == 0);
        let part = |(condition, is_so): (Value, bool), kept| Part { condition, is_so, kept };
        match opcode {
            Opcode::LLVMAnd => {
                let (a, b) = (bits.operand(0), bits.operand(1));
                let found = [(a, b), (b, a)].map(|(mask, kept)| Some(part(self.condition(mask)?, kept)));
                found.into_iter().flatten().collect()
            }
            Opcode::LLVMSelect => {
                let [condition, a, b] = [0, 1, 2].map(|i| bits.operand(i));
                let is_here = is_nothing(b).then(|| part((condition, true), a));
                let is_there = is_nothing(a).then(|| part((condition, false), b));
                is_here.into_iter().chain(is_there).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Bits that are of one where a condition holds, and of the other where it does not.
    fn choice(self, bits: Value) -> Option<(Value, Value, Value)> {
        let others = self.parts(bits.operand(1));
        self.parts(bits.operand(0)).into_iter().find_map(|part| {
            let other = others.iter().find(|other| match are_opposed(part.condition, other.condition) {
                true => part.is_so == other.is_so,
                false => part.condition == other.condition && part.is_so != other.is_so,
            })?;
            let (a, b) = if part.is_so { (part.kept, other.kept) } else { (other.kept, part.kept) };
            Some((part.condition, a, b))
        })
    }
}

/// What bits are under a condition.
struct Part {
    condition: Value,
    is_so: bool,
    kept: Value,
}

/// Whether one condition holds where the other does not.
fn are_opposed(a: Value, b: Value) -> bool {
    let is_not = |a: Value, b: Value| {
        a.is_instruction()
            && a.opcode() == Opcode::LLVMXor
            && (0..2).any(|i| a.operand(i) == b && is_all_set(a.operand(1 - i)))
    };
    let is = |value: Value, opcode: Opcode| value.is_instruction() && value.opcode() == opcode;
    let is_same = || (0..2).all(|i| a.operand(i) == b.operand(i));
    let compare_floats = is(a, Opcode::LLVMFCmp) && is(b, Opcode::LLVMFCmp) && is_same();
    // (The predicates are numbered so that each bit is one of the four outcomes, which are all others in the opposite.)
    is_not(a, b) || is_not(b, a) || (compare_floats && a.real_predicate() as u32 ^ b.real_predicate() as u32 == 15)
}

/// Whether all bits of a constant are set.
fn is_all_set(value: Value) -> bool {
    let ty = value.ty();
    let all = |value: Value| value.as_u64().is_some_and(|word| word == u64::MAX >> (64 - value.ty().bits().min(64)));
    match ty.is_vector() {
        true => (0..ty.count() as u32).all(|i| value.is_constant() && value.aggregate_element(i).is_some_and(all)),
        false => value.is_constant() && all(value),
    }
}

/// Makes a rounding of `(x + m) - m`, where `m` has the sign of `x` and is the first number from which on there are no fractions: the derivative is that of a
/// rounding, 0, and not 1. (From there on nothing is rounded.)
fn round(difference: Value) {
    let Some(lanes) = Lanes::of(difference.ty()) else { return };
    let (sum, magic) = (difference.operand(0), difference.operand(1));
    let is = |value: Value, opcode| value.is_instruction() && value.opcode() == opcode;
    let calls = |value: Value, name: &str| {
        is(value, Opcode::LLVMCall) && value.called_function().is_some_and(|f| f.name().starts_with(name))
    };
    if !is(sum, Opcode::LLVMFAdd) || !calls(magic, "llvm.copysign.") {
        return;
    }
    let is_done = |user: &Value| {
        is(*user, Opcode::LLVMSelect)
            && user.operand(2) == difference
            && is(user.operand(1), Opcode::LLVMFAdd)
            && calls(user.operand(1).operand(0), "llvm.rint.")
    };
    if difference.users().iter().any(is_done) {
        return;
    }
    let Some(index) = (0..2).find(|i| sum.operand(*i) == magic) else { return };
    let x = sum.operand(1 - index);
    let (of, whose) = (magic.operand(0), magic.operand(1));
    let first = if lanes.width == 64 { (1_u64 << 52) as f64 } else { (1_u64 << 23) as f64 };
    let is_first = |value: Value| value.as_f64() == Some(first);
    let are_first = match lanes.ty.is_vector() {
        true => (0..lanes.count).all(|i| of.is_constant() && of.aggregate_element(i).is_some_and(is_first)),
        false => of.is_constant() && is_first(of),
    };
    if whose != x || !are_first {
        return;
    }
    let Some(after) = difference.next() else { return };
    let builder = Builder::before(after);
    builder.set_location_of(Some(difference));
    // (No negative zero comes out of the difference.)
    let rounded = builder.fadd(lanes.call(&builder, "llvm.rint", &[x]), lanes.ty.zero());
    let size = lanes.call(&builder, "llvm.fabs", &[x]);
    let is_small = builder.fcmp(RealPredicate::LLVMRealOLT, size, of);
    let made = builder.select(is_small, rounded, difference);
    for user in difference.users().into_iter().filter(|user| *user != made) {
        let places = (0..user.operand_count()).filter(|i| user.operand(*i) == difference);
        places.collect::<Vec<_>>().into_iter().for_each(|i| user.set_operand(i, made));
    }
}
