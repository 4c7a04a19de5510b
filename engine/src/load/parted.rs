//! A store of what is a float on one way and a pointer (or a number) on the other becomes two, of which the way decides.
//!
//! `if c { Shape::Circle(radius) } else { Shape::Path(points) }`: both variants keep something at the same place, so LLVM joins the two in one
//! value, the pointer cast to a float or the float to an integer, and stores that. Of such a value nothing tells whether it has a
//! tangent or a shadow; of what each of the two stores stores, its type does.

use crate::llvm::{Builder, Function, Linkage, Module, Opcode, Place, Tuning, Type, Value};

/// The beginning of the names of functions that do one of two stores. They are inlined at once; functions only because that needs no block to be split.
const EITHER: &str = "ct.either.";

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

/// The values that are joined, and the condition of the first where it is a `select`.
fn joined(value: Value) -> Option<Vec<Value>> {
    if is(value, Opcode::LLVMPHI) {
        return Some(value.incoming().into_iter().map(|(v, _)| v).collect());
    }
    is(value, Opcode::LLVMSelect).then(|| vec![value.operand(1), value.operand(2)])
}

fn part(module: Module, store: Value) -> Option<()> {
    let join = store.operand(0);
    let size = module.store_size_of(join.ty());
    let is_scalar = join.ty().is_float() || join.ty().is_int();
    if store.is_volatile() || store.is_atomic() || !is_scalar || !matches!(size, 4 | 8) {
        return None;
    }
    let leaves: Vec<Value> = joined(join)?.into_iter().map(|v| natural(module, v)).collect();
    // A constant is what the join is.
    let float = leaves.iter().find(|v| !v.is_constant() && v.ty().is_float())?.ty();
    // Numbers that are only moved; what is computed as bits and cast to a float is a float.
    let is_moved = |v: &Value| v.ty().is_pointer() || is(*v, Opcode::LLVMLoad);
    let other = leaves.iter().find(|v| !v.is_constant() && !v.ty().is_float() && is_moved(v))?.ty();
    let is_float = |v: &Value| if v.is_constant() { join.ty().is_float() } else { v.ty().is_float() };
    let fits = |v: &Value| v.is_constant() || v.ty() == float || (v.ty() == other && is_moved(v));
    let constants_fit = leaves.iter().all(|v| !v.is_constant() || v.ty() == float || v.ty() == other);
    if !leaves.iter().all(fits) || !constants_fit {
        return None;
    }
    let kinds: Vec<bool> = leaves.iter().map(is_float).collect();
    let pick = |wanted: bool, ty: Type| -> Vec<Value> {
        let of = |(v, kind): (&Value, &bool)| if *kind == wanted { *v } else { ty.zero() };
        leaves.iter().zip(&kinds).map(of).collect()
    };
    let flag = store.context().int(1);
    let flags: Vec<Value> = kinds.iter().map(|kind| flag.int_value(u64::from(*kind))).collect();
    let builder = Builder::before(join);
    builder.set_location_of(Some(join));
    let again = |ty: Type, values: Vec<Value>| {
        if is(join, Opcode::LLVMSelect) {
            return builder.select(join.operand(0), values[0], values[1]);
        }
        let phi = builder.phi(ty);
        values.into_iter().zip(join.incoming()).for_each(|(value, (_, from))| phi.add_incoming(value, from));
        phi
    };
    let (flag, of_float, of_other) =
        (again(flag, flags), again(float, pick(true, float)), again(other, pick(false, other)));
    let either = either(module, float, other, store.alignment());
    let builder = Builder::before(store);
    builder.set_location_of(Some(store));
    builder.call(either, &[flag, store.operand(1), of_float, of_other]);
    store.erase();
    if join.users().is_empty() {
        join.erase();
    }
    Some(())
}

/// A function that stores a float or something else.
fn either(module: Module, float: Type, other: Type, align: u32) -> Function {
    let context = module.context();
    let kind = if other.is_pointer() { "ptr".to_owned() } else { format!("i{}", other.bits()) };
    let name = format!("{EITHER}{}.{kind}.{align}", module.store_size_of(float));
    if let Some(known) = module.function(&name) {
        return known;
    }
    let function = module.add_function(&name, context.void().function(&[context.int(1), context.ptr(), float, other]));
    function.set_linkage(Linkage::LLVMInternalLinkage);
    function.add_attribute(Place::Whole, "alwaysinline", 0);
    let params = function.params();
    let [start, first, second, done] = ["start", "float", "other", "done"].map(|name| function.append_block(name));
    Builder::at_end(start).cond_br(params[0], first, second);
    for (block, value) in [(first, params[2]), (second, params[3])] {
        let builder = Builder::at_end(block);
        builder.store(value, params[1]).set_alignment(align);
        builder.br(done);
    }
    Builder::at_end(done).ret_void();
    function
}
