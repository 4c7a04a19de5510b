//! Operations on the signs of floats that are done on their bits, and what these are in terms of floats.

use crate::llvm::{Builder, Opcode, Type, Value};

/// An operation on the sign bit of a float, or of each of several side by side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    /// The sign cleared: `and` with all other bits.
    Clear(Value),
    /// The sign set: `or` with the sign bit.
    Set(Value),
    /// The sign changed: `xor` with the sign bit.
    Flip(Value),
    /// The first with the sign of the second.
    Copy(Value, Value),
    /// The first, its sign changed where the second's is set.
    Multiply(Value, Value),
}

impl Sign {
    /// The operation that bits of such floats are the result of.
    pub fn of(lanes: Lanes, bits: Value) -> Option<Sign> {
        let code = bits.is_instruction().then(|| bits.opcode())?;
        if !matches!(code, Opcode::LLVMAnd | Opcode::LLVMOr | Opcode::LLVMXor) {
            return None;
        }
        let is = |value: Value, mask: u64| lanes.all(value, |bits| bits == mask);
        lanes.either_way(bits, |a, b| match code {
            Opcode::LLVMAnd => is(b, lanes.ones() ^ lanes.sign()).then_some(Sign::Clear(a)),
            Opcode::LLVMOr if is(b, lanes.sign()) => Some(Sign::Set(a)),
            Opcode::LLVMXor if is(b, lanes.sign()) => Some(Sign::Flip(a)),
            Opcode::LLVMXor => Some(Sign::Multiply(a, lanes.signed(b)?)),
            _ => {
                let sign = lanes.signed(b)?;
                match Sign::of(lanes, uncast(a)) {
                    Some(Sign::Clear(magnitude)) => Some(Sign::Copy(magnitude, sign)),
                    _ => lanes.all(a, |bits| bits & lanes.sign() == 0).then_some(Sign::Copy(a, sign)),
                }
            }
        })
    }

    /// The value whose bits but one stay.
    pub fn magnitude(self) -> Value {
        match self {
            Sign::Clear(x) | Sign::Set(x) | Sign::Flip(x) | Sign::Copy(x, _) | Sign::Multiply(x, _) => x,
        }
    }

    /// The value whose sign is taken.
    pub fn taken(self) -> Option<Value> {
        match self {
            Sign::Copy(_, y) | Sign::Multiply(_, y) => Some(y),
            Sign::Clear(_) | Sign::Set(_) | Sign::Flip(_) => None,
        }
    }

    /// The same of floats: of the magnitude's, and of that whose sign is taken.
    pub fn make(self, builder: &Builder, x: Value, y: impl FnOnce() -> Option<Value>) -> Option<Value> {
        let lanes = Lanes::of(x.ty())?;
        Some(match self {
            Sign::Clear(_) => lanes.call(builder, "llvm.fabs", &[x]),
            Sign::Set(_) => builder.fneg(lanes.call(builder, "llvm.fabs", &[x])),
            Sign::Flip(_) => builder.fneg(x),
            Sign::Copy(..) => lanes.call(builder, "llvm.copysign", &[x, y()?]),
            Sign::Multiply(..) => {
                let sign = lanes.call(builder, "llvm.copysign", &[lanes.ty.float_value(1.0), y()?]);
                builder.fmul(x, sign)
            }
        })
    }
}

/// Floats side by side, or one alone.
#[derive(Clone, Copy)]
pub struct Lanes {
    /// An `f32`, an `f64` or a vector of such.
    pub ty: Type,
    /// How many.
    pub count: u32,
    /// Bits of each.
    pub width: u32,
}

impl Lanes {
    /// Those of a type: an `f32`, an `f64` or a vector of such.
    pub fn of(ty: Type) -> Option<Lanes> {
        let (element, count) = if ty.is_vector() { (ty.element(), ty.count() as u32) } else { (ty, 1) };
        let is_float = element == ty.context().f32() || element == ty.context().f64();
        is_float.then(|| Lanes { ty, count, width: width_of(element) })
    }

    /// The one that is as wide as an integer.
    pub fn as_wide_as(ty: Type) -> Option<Lanes> {
        if !ty.is_int() {
            return None;
        }
        match ty.bits() {
            64 => Lanes::of(ty.context().f64()),
            32 => Lanes::of(ty.context().f32()),
            _ => None,
        }
    }

    /// The integers of as many bits.
    pub fn bits(self) -> Type {
        let number = self.ty.context().int(self.width);
        if self.ty.is_vector() { number.vector(self.count) } else { number }
    }

    /// The bit of the sign.
    pub fn sign(self) -> u64 {
        1 << (self.width - 1)
    }

    /// All bits.
    pub fn ones(self) -> u64 {
        u64::MAX >> (64 - self.width)
    }

    /// Whether integers have as many bits.
    pub fn are_as_wide(self, ty: Type) -> bool {
        let bits = if ty.is_vector() { width_of(ty.element()) * ty.count() as u32 } else { width_of(ty) };
        bits == self.count * self.width
    }

    /// The bits of constants, lane by lane; none where they may be any.
    pub fn constant(self, value: Value) -> Option<Vec<Option<u64>>> {
        let ty = value.ty();
        if !value.is_constant() || !self.are_as_wide(ty) {
            return None;
        }
        if value.is_null() {
            return Some(vec![Some(0); self.count as usize]);
        }
        if !ty.is_vector() {
            return (self.count == 1).then(|| value.constant_word(0)).flatten().map(|word| vec![Some(word)]);
        }
        let word = |element: Value| match element {
            _ if element.is_undef() => Some(None),
            _ if element.is_null() => Some(Some(0)),
            _ => element.constant_word(0).map(Some),
        };
        let words: Vec<Option<u64>> =
            (0..ty.count() as u32).map(|i| word(value.aggregate_element(i)?)).collect::<Option<_>>()?;
        match (width_of(ty.element()), self.width) {
            (64, 32) => {
                let halves =
                    |word: Option<u64>| [word.map(|word| word & u64::from(u32::MAX)), word.map(|word| word >> 32)];
                Some(words.into_iter().flat_map(halves).collect())
            }
            (32, 64) => Some(words.chunks(2).map(|pair| Some(pair[0]? | pair[1]? << 32)).collect()),
            (own, width) if own == width => Some(words),
            _ => None,
        }
    }

    /// Whether all lanes of a constant are such.
    pub fn all(self, value: Value, is_such: impl Fn(u64) -> bool) -> bool {
        self.constant(value).is_some_and(|all| all.into_iter().flatten().all(is_such))
    }

    /// The same for the operands in either order.
    pub fn either_way<T>(self, bits: Value, made: impl Fn(Value, Value) -> Option<T>) -> Option<T> {
        let (a, b) = (bits.operand(0), bits.operand(1));
        made(a, b).or_else(|| made(b, a))
    }

    /// Whose signs bits are: those of which an `and` keeps nothing else.
    pub fn signed(self, bits: Value) -> Option<Value> {
        let bits = uncast(bits);
        if !bits.is_instruction() || bits.opcode() != Opcode::LLVMAnd {
            return None;
        }
        self.either_way(bits, |a, b| self.all(b, |bits| bits == self.sign()).then_some(a))
    }

    /// A call of an intrinsic of floats.
    pub fn call(self, builder: &Builder, name: &str, arguments: &[Value]) -> Value {
        let float = if self.width == 64 { "f64" } else { "f32" };
        let name = match self.ty.is_vector() {
            true => format!("{name}.v{}{float}", self.count),
            false => format!("{name}.{float}"),
        };
        let params: Vec<Type> = arguments.iter().map(|a| a.ty()).collect();
        let function = builder.block().function().module().declare(&name, self.ty.function(&params));
        builder.call(function, arguments)
    }
}

/// A value before it was cast.
pub fn uncast(mut value: Value) -> Value {
    while value.is_instruction() && value.opcode() == Opcode::LLVMBitCast {
        value = value.operand(0);
    }
    value
}

/// Bits of a type of one lane.
pub fn width_of(ty: Type) -> u32 {
    if ty == ty.context().f64() {
        64
    } else if ty == ty.context().f32() {
        32
    } else {
        ty.bits()
    }
}
