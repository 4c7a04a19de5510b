//! Aggregates that are handed over as integers.
//!
//! Rust passes and returns an aggregate of at most eight bytes (`[f32; 2]`, `[f64; 1]`) as an integer of that size. At a call nobody can tell what lies in it, so
//! such functions do not stay calls where that is only a wish (`#[inline(never)]`).

use crate::llvm::{Function, Node, NodeKind, Opcode, Place, Type, Value};

fn is_integer(ty: Type) -> bool {
    ty.is_int() && ty.bits() >= 32
}

/// The attribute of functions of which no integer parameter is an aggregate, though not all need be defined: half of an `Option<usize>` is not where it is `None`.
const NUMBERS: &str = "ct-numbers";

/// Says in the copy of a function which of its integers are plain numbers, by the types that the debug information of its definition has: rustc says it (`noundef`)
/// only where it optimises.
pub fn tell_numbers(definition: Function, copy: Function) {
    let types = definition.source_types().unwrap_or_default();
    let [result, params @ ..] = &types[..] else { return };
    let is_one = |ty: &Node| matches!(ty.kind(), NodeKind::Base | NodeKind::Pointer | NodeKind::Enumeration);
    let all = |is: &dyn Fn(&Node) -> bool| params.iter().all(|ty| ty.as_ref().is_some_and(is));
    if is_integer(copy.ty().result()) && result.as_ref().is_some_and(|ty| ty.kind() == NodeKind::Base) {
        copy.add_attribute(Place::Result, "noundef", 0);
    }
    if all(&|ty| is_one(ty) || ty.size() > 8) {
        copy.add_string_attribute(NUMBERS, "");
    }
    if all(&is_one) {
        for (index, _) in (0..).zip(copy.ty().params()).filter(|(_, ty)| is_integer(*ty)) {
            copy.add_attribute(Place::Param(index), "noundef", 0);
        }
    }
}

/// Whether the result may be an aggregate, by what rustc says: such integers alone may be undefined in parts.
pub fn may_return_aggregate(function: Function) -> bool {
    is_integer(function.ty().result()) && !function.has_attribute(Place::Result, "noundef")
}

/// Whether it is said of a parameter, an integer, that it is a number by itself.
pub fn is_number(function: Function, index: u32) -> bool {
    function.has_attribute(Place::Param(index), "noundef") || function.string_attribute(NUMBERS).is_some()
}

/// The same of a parameter.
pub fn may_take_aggregate(function: Function, index: u32) -> bool {
    let ty = function.ty().params().get(index as usize).copied();
    ty.is_some_and(is_integer) && !is_number(function, index)
}

/// The same of a parameter or the result.
pub fn may_be_aggregate(function: Function) -> bool {
    let params = function.ty().params().len() as u32;
    may_return_aggregate(function) || (0..params).any(|index| may_take_aggregate(function, index))
}

/// The attribute of functions that take or return an aggregate as an integer, so that they are inlined, whatever is wished.
const FREED: &str = "ct-handed";

/// Takes the wish not to be inlined from a function.
pub fn free(function: Function) {
    function.remove_attribute(Place::Whole, "noinline");
    function.add_string_attribute(FREED, "");
}

/// Whether a function was freed so: then the wish at its calls does not count either.
pub fn is_freed(function: Function) -> bool {
    function.string_attribute(FREED).is_some()
}

/// Whether a call hands over the bits of a float, or is given them: LLVM has seen that the integer is defined, and the casts are next to it.
pub fn moves_float(call: Value) -> bool {
    let is_float = |ty: Type| ty.is_float_or_vector() && !(ty.is_vector() && ty.element().is_int());
    let is_cast = |value: Value| value.is_instruction() && value.opcode() == Opcode::LLVMBitCast;
    let from_float = |value: &Value| is_integer(value.ty()) && is_cast(*value) && is_float(value.operand(0).ty());
    let to_float = |user: Value| is_cast(user) && is_float(user.ty());
    call.arguments().iter().any(from_float) || (is_integer(call.ty()) && call.users().into_iter().any(to_float))
}
