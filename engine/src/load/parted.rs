//! A store of what is a float on one way and a pointer (or a number) on the other becomes two, of which the way decides.
//!
//! `if c { Shape::Circle(radius) } else { Shape::Path(points) }`: both variants keep something at the same place, so LLVM joins the two in one
//! value, the pointer cast to a float or the float to an integer, and stores that. Of such a value nothing tells whether it has a
//! tangent or a shadow; of what each of the two stores stores, its type does.

use crate::analysis::activity::is_structure;
use crate::analysis::bits::NARROWEST;
use crate::ir::tag;
use crate::llvm::{Builder, Function, Linkage, Module, Opcode, Place, Tuning, Type, Value};
use crate::maps::HashMap;

/// The beginning of the names of functions that do one of two stores. They are inlined at once; functions only because that needs no block to be split.
const EITHER: &str = "ct.either.";
/// More joins than this in a row are not followed.
const LARGEST: usize = 32;

/// Parts such stores in all functions.
pub fn run(module: Module) {
    let blocks = module.functions().into_iter().flat_map(Function::blocks);
    let stores: Vec<Value> =
        blocks.flat_map(|b| b.instructions()).filter(|i| i.opcode() == Opcode::LLVMStore).collect();
    let mut changed = false;
    for store in stores {
        changed |= part(module, store).is_some();
    }
    if changed {
        // The pass's name is LLVM's; if it were not known, the calls would stay, which is right too.
        let _ = module.run_passes("always-inline", None, Tuning::default());
    }
}

fn is(value: Value, opcode: Opcode) -> bool {
    value.is_instruction() && value.opcode() == opcode
}

/// What a value was before it was cast to be joined with others.
fn natural(module: Module, mut value: Value) -> Value {
    while is(value, Opcode::LLVMBitCast) || is(value, Opcode::LLVMPtrToInt) {
        let from = value.operand(0);
        if from.ty().is_vector() || module.store_size_of(from.ty()) != module.store_size_of(value.ty()) {
            break;
        }
        value = from;
    }
    value
}

/// The values that are joined by a phi or `select`; none of what is neither.
pub fn joined(value: Value) -> Vec<Value> {
    if is(value, Opcode::LLVMPHI) {
        return value.incoming().into_iter().map(|(v, _)| v).collect();
    }
    if is(value, Opcode::LLVMSelect) { vec![value.operand(1), value.operand(2)] } else { Vec::new() }
}

/// The joins that a value comes through, itself first: a variant without a value hands on what the turn before has left in a loop. Nothing where there
/// are too many, or none.
fn web(value: Value) -> Option<Vec<Value>> {
    let mut web = vec![value];
    let mut next = 0;
    while let Some(join) = web.get(next).copied() {
        next += 1;
        for value in joined(join) {
            if !joined(value).is_empty() && !web.contains(&value) {
                web.push(value);
            }
        }
        if web.len() > LARGEST {
            return None;
        }
    }
    (!joined(value).is_empty()).then_some(web)
}

/// What a value that is joined is by itself.
#[derive(Clone, Copy)]
enum Leaf {
    /// A float; a number in a web without floats.
    First(Value),
    Other(Value),
    /// Whatever.
    Nothing,
}

/// What the leaves of a web are, and the types of the floats (or numbers) and the others among them; nothing where they are of one kind, or it cannot be told.
struct Kinds {
    leaves: HashMap<Value, Leaf>,
    first: Type,
    other: Type,
}

fn kinds(module: Module, web: &[Value]) -> Option<Kinds> {
    let join = web[0].ty();
    let context = join.context();
    let all: Vec<Value> = web.iter().flat_map(|j| joined(*j)).filter(|v| !web.contains(v)).collect();
    let natural = |v: &Value| natural(module, *v);
    let made: Vec<Value> = all.iter().filter(|v| !v.is_constant()).map(natural).collect();
    let number = bits_type(module, join);
    // A variable of an enum's variants may be one of floats where none of them is ever put: numbers and pointers are.
    let first = match made.iter().find(|v| v.ty().is_float()) {
        Some(float) => float.ty(),
        None if join.is_float() => number,
        None => return None,
    };
    let others = || made.iter().filter(|v| v.ty() != first);
    let (has_others, has_marks) = (others().next().is_some(), all.iter().any(|v| mark(module, *v).is_some()));
    if !(has_others || has_marks) || !made.iter().filter(|v| !v.ty().is_float()).all(is_moved) {
        return None;
    }
    let other = if has_others && others().all(|v| v.ty().is_pointer()) { context.ptr() } else { number };
    let leaf = |v: &Value| {
        if v.is_undef() {
            return Some(Leaf::Nothing);
        }
        let natural = natural(v);
        let is_mark = mark(module, *v).is_some();
        if natural.ty() == first && !is_mark && (!v.is_constant() || (join.is_float() && first.is_float())) {
            return Some(Leaf::First(natural));
        }
        let constant = bits_of(module, *v);
        if let Some(bits) = constant.as_u64() {
            // A constant is what it looks like.
            return Some(match is_structure(constant, constant.ty()) {
                true if other.is_pointer() => Leaf::Other(constant.int_to_pointer(other)),
                true => Leaf::Other(other.int_value(bits)),
                false if first == number => Leaf::First(number.int_value(bits)),
                false => Leaf::First(Builder::before(web[0]).cast(Opcode::LLVMBitCast, *v, first)),
            });
        }
        let as_number = if is(*v, Opcode::LLVMBitCast) { v.operand(0) } else { *v };
        [natural, as_number].into_iter().find(|v| v.ty() == other).map(Leaf::Other)
    };
    let leaves = all.iter().map(|v| Some((*v, leaf(v)?))).collect::<Option<_>>()?;
    Some(Kinds { leaves, first, other })
}

/// A constant as a number; what is none as it is.
fn bits_of(module: Module, value: Value) -> Value {
    match value.is_constant() && value.ty().is_float() {
        true => value.bit_cast(bits_type(module, value.ty())),
        false => value,
    }
}

/// The number that a constant is which looks like a float, but is none: the length of a text in the place of a float of another variant.
fn mark(module: Module, value: Value) -> Option<Value> {
    let bits = (value.is_constant() && value.ty().is_float()).then(|| bits_of(module, value))?;
    bits.as_u64().filter(|number| *number != 0 && is_structure(bits, bits.ty())).map(|_| bits)
}

/// The leaves of a web of floats as numbers, where none of them is a float and a constant shows that they are none: the length of a vector, whatever it is computed of.
fn numbers(module: Module, web: &[Value]) -> Option<HashMap<Value, Value>> {
    let number = bits_type(module, web[0].ty());
    let all: Vec<Value> = web.iter().flat_map(|j| joined(*j)).filter(|v| !web.contains(v)).collect();
    if !web[0].ty().is_float() || !all.iter().any(|leaf| mark(module, *leaf).is_some()) {
        return None;
    }
    let of_leaf = |leaf: &Value| match leaf.is_undef() {
        true => Some((*leaf, number.zero())),
        false if leaf.is_constant() => Some((*leaf, bits_of(module, *leaf))),
        false => Some((*leaf, natural(module, *leaf))).filter(|(_, bits)| bits.ty() == number),
    };
    all.iter().map(of_leaf).collect()
}

/// The number that has the bits of a type.
fn bits_type(module: Module, ty: Type) -> Type {
    ty.context().int(8 * module.store_size_of(ty) as u32)
}

/// Whether what is no float is only moved, and so no float's bits that were computed with; or is a number that is narrower than any float.
fn is_moved(value: &Value) -> bool {
    let is_narrow = |number: &Value| u64::from(number.ty().bits()) < 8 * NARROWEST;
    value.ty().is_pointer()
        || (value.ty().is_int() && is(*value, Opcode::LLVMLoad))
        || (is(*value, Opcode::LLVMZExt) && is_narrow(&value.operand(0)))
        || is_count(*value)
        || is_sum_of_numbers(*value, DEEPEST)
}

/// How many sums of sums are followed to what they are of.
const DEEPEST: u32 = 8;

/// Whether a number is computed from numbers of the source and constants alone, whatever lies at their places in other variants.
fn is_sum_of_numbers(value: Value, fuel: u32) -> bool {
    let is_sum = [Opcode::LLVMAdd, Opcode::LLVMSub, Opcode::LLVMMul].iter().any(|opcode| is(value, *opcode));
    let is_number = |number: Value| {
        number.is_constant()
            || (is(number, Opcode::LLVMLoad) && tag::is_exact(number))
            || (fuel > 0 && is_sum_of_numbers(number, fuel - 1))
    };
    is_sum && (0..2).all(|operand| is_number(value.operand(operand)))
}

/// Whether a number is counted up or down from a constant, step by step, or is what is left of a division: no bits of a float are. (One more than what is not
/// known may be the next float.)
pub fn is_count(value: Value) -> bool {
    let is_small = |number: Value| number.as_i64().is_some_and(|by| by.unsigned_abs() < 1 << 20);
    let steps_from =
        |value: Value| (is(value, Opcode::LLVMAdd) || is(value, Opcode::LLVMSub)) && is_small(value.operand(1));
    let is_counter = |phi: Value| {
        let incoming: Vec<Value> = phi.incoming().into_iter().map(|(from, _)| from).collect();
        incoming.iter().any(|from| steps_from(*from) && from.operand(0) == phi)
            && incoming.iter().any(|from| is_small(*from))
    };
    let counted = if value.is_instruction() && steps_from(value) { value.operand(0) } else { value };
    (is(counted, Opcode::LLVMPHI) && counted.ty().is_int() && is_counter(counted))
        || is(value, Opcode::LLVMURem)
        || is(value, Opcode::LLVMUDiv)
}

fn part(module: Module, store: Value) -> Option<()> {
    let size = module.store_size_of(store.operand(0).ty());
    let is_scalar = store.operand(0).ty().is_float() || store.operand(0).ty().is_int();
    if !store.is_plain() || !is_scalar || !matches!(size, 4 | 8) {
        return None;
    }
    if let Some(number) = mark(module, store.operand(0)) {
        store.set_operand(0, number);
        return Some(());
    }
    let web = web(store.operand(0))?;
    if let Some(numbers) = numbers(module, &web) {
        let ty = bits_type(module, web[0].ty());
        store.set_operand(0, copied(&web, ty, &|v| numbers.get(&v).copied()));
        return Some(());
    }
    let Kinds { leaves, first, other } = kinds(module, &web)?;
    let flag = store.context().int(1);
    let is_first = |leaf: &Leaf| flag.int_value(u64::from(matches!(leaf, Leaf::First(_))));
    let as_first = |leaf: &Leaf| if let Leaf::First(value) = leaf { *value } else { first.zero() };
    let as_other = |leaf: &Leaf| if let Leaf::Other(value) = leaf { *value } else { other.zero() };
    let [is_first, as_first, as_other] = [
        copied(&web, flag, &|v| leaves.get(&v).map(is_first)),
        copied(&web, first, &|v| leaves.get(&v).map(as_first)),
        copied(&web, other, &|v| leaves.get(&v).map(as_other)),
    ];
    let either = either(module, first, other, store.alignment());
    let builder = Builder::before(store);
    builder.set_location_of(Some(store));
    builder.call(either, &[is_first, store.operand(1), as_first, as_other]);
    store.erase();
    let inside = |user: &Value| web.contains(user);
    if web.iter().all(|join| join.users().iter().all(inside)) {
        web.iter().for_each(|join| join.replace_all_uses_with(join.ty().zero()));
        web.iter().for_each(|join| join.erase());
        // A number that was cast to be joined with floats would be taken for the bits of one.
        let is_idle = |leaf: &&Value| is(**leaf, Opcode::LLVMBitCast) && leaf.users().is_empty();
        leaves.keys().filter(is_idle).for_each(|leaf| leaf.erase());
    }
    Some(())
}

/// The joins of a web again, of something else that each leaf has; what is in the place of the first of them.
fn copied(web: &[Value], ty: Type, of_leaf: &dyn Fn(Value) -> Option<Value>) -> Value {
    // A `select` after what it chooses from, and phis before all.
    let mut copies: HashMap<Value, Value> = HashMap::default();
    for join in web.iter().filter(|j| is(**j, Opcode::LLVMPHI)) {
        let builder = Builder::before(*join);
        builder.set_location_of(Some(*join));
        copies.insert(*join, builder.phi(ty));
    }
    fn copy(join: Value, copies: &mut HashMap<Value, Value>, of_leaf: &dyn Fn(Value) -> Option<Value>) -> Value {
        if let Some(known) = of_leaf(join).or_else(|| copies.get(&join).copied()) {
            return known;
        }
        let [first, second] = [1, 2].map(|i| copy(join.operand(i), copies, of_leaf));
        let builder = Builder::before(join);
        builder.set_location_of(Some(join));
        let made = builder.select(join.operand(0), first, second);
        copies.insert(join, made);
        made
    }
    for join in web.iter().filter(|j| is(**j, Opcode::LLVMPHI)) {
        for (value, from) in join.incoming() {
            let value = copy(value, &mut copies, of_leaf);
            copies[join].add_incoming(value, from);
        }
    }
    copy(web[0], &mut copies, of_leaf)
}

/// A function that stores the one or the other.
fn either(module: Module, first: Type, other: Type, align: u32) -> Function {
    let context = module.context();
    let kind = |ty: Type| match ty {
        ty if ty.is_pointer() => "ptr".to_owned(),
        ty if ty.is_float() => format!("f{}", 8 * module.store_size_of(ty)),
        ty => format!("i{}", ty.bits()),
    };
    let name = format!("{EITHER}{}.{}.{align}", kind(first), kind(other));
    if let Some(known) = module.function(&name) {
        return known;
    }
    let function = module.add_function(&name, context.void().function(&[context.int(1), context.ptr(), first, other]));
    function.set_linkage(Linkage::LLVMInternalLinkage);
    function.add_attribute(Place::Whole, "alwaysinline", 0);
    let params = function.params();
    let [start, first, second, done] = ["start", "first", "other", "done"].map(|name| function.append_block(name));
    Builder::at_end(start).cond_br(params[0], first, second);
    for (block, value) in [(first, params[2]), (second, params[3])] {
        let builder = Builder::at_end(block);
        let store = builder.store(value, params[1]);
        store.set_alignment(align);
        // (Of floats and pointers that is plain.)
        if value.ty().is_int() {
            tag::mark_one(store);
        }
        builder.br(done);
    }
    Builder::at_end(done).ret_void();
    function
}
