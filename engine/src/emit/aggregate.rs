//! Values that hold floats: a float, a vector of them, or an aggregate with floats among other things.
use crate::analysis::activity::may_hold_floats;
use crate::llvm::{Builder, RealPredicate, Type, Value};

/// Adds two values of one type, float by float; what is no float is taken from the first. Adjoints are sums without an
/// order of their own, so the optimiser may choose one.
pub fn add(builder: &Builder, a: Value, b: Value) -> Value {
    let ty = a.ty();
    if ty.is_float_or_vector() {
        let sum = builder.fadd(a, b);
        sum.set_fast_math(FREE_ORDER);
        return sum;
    }
    if !(ty.is_struct() || ty.is_array()) {
        return a;
    }
    (0..ty.count() as u32).fold(a, |all, i| {
        let sum = add(builder, builder.extract_value(a, i), builder.extract_value(b, i));
        builder.insert_value(all, sum, i)
    })
}

/// `reassoc` and `nsz`: sums of adjoints may be taken in any order, and the sign of a zero adjoint means nothing.
pub const FREE_ORDER: u32 = 1 | 8;

/// `value`, but zero wherever `factor` is zero (a strong zero); floats and vectors only.
pub fn unless_zero(builder: &Builder, factor: Value, value: Value) -> Value {
    let zero = factor.ty().zero();
    let absent = builder.fcmp(RealPredicate::LLVMRealOEQ, factor, zero);
    builder.select(absent, value.ty().zero(), value)
}

/// A value with zeros in the place of its floats: what stands beside a constant.
pub fn without_floats(builder: &Builder, value: Value) -> Value {
    let ty = value.ty();
    if is_all_floats(ty) {
        return ty.zero();
    }
    if !(ty.is_struct() || ty.is_array()) {
        return value;
    }
    (0..ty.count() as u32).fold(value, |all, i| {
        let part = if ty.is_array() { ty.element() } else { ty.field(i) };
        if !may_hold_floats(part) {
            return all;
        }
        let rest = without_floats(builder, builder.extract_value(all, i));
        builder.insert_value(all, rest, i)
    })
}

/// Whether every leaf of a type is a float.
pub fn is_all_floats(ty: Type) -> bool {
    if ty.is_struct() {
        return (0..ty.count() as u32).all(|i| is_all_floats(ty.field(i)));
    }
    if ty.is_array() {
        return is_all_floats(ty.element());
    }
    ty.is_float_or_vector()
}
