//! What is loaded as a pointer and used as a float, or the other way round.
//!
//! `fn solved(m: [f64; 3]) -> Result<[f64; 3], &str>`: the text of the error and the first float lie at one place, so LLVM loads the float as a pointer once it
//! knows that there is no error, and casts it. It is loaded again as what it is used as; where it is only moved, it is moved as a word, which shows later. Two
//! `f32` that are loaded as one pointer are loaded as one number, of which it is known later how it is taken apart.

use super::tells_variant;
use super::views::{Views, erase_unused, leaves, width, word};
use crate::analysis::spot::{gcd, gep_parts};
use crate::ir::tag;
use crate::llvm::{Builder, Function, Module, Opcode, Type, Value};
use crate::maps::{HashMap, HashSet};

/// Instructions that are followed from a number to the floats in it.
const FOLLOWED: usize = 32;

/// Does so in one function.
pub fn run(function: Function) {
    load_as_cast(function);
    load_as_pieces(function);
    move_as_words(function);
}

/// Loads again what is cast from a pointer to a float or back, and joins again what is of either on different ways: LLVM joins them as a number where it asks
/// that for null as well.
fn load_as_cast(function: Function) {
    let is_cast = |i: &Value| match i.opcode() {
        Opcode::LLVMBitCast => i.ty().is_float() && i.operand(0).ty().is_int(),
        Opcode::LLVMIntToPtr => true,
        _ => false,
    };
    let all = || function.blocks().into_iter().flat_map(|b| b.instructions());
    let casts: Vec<Value> = all().filter(is_cast).filter(|i| width(i.ty()) == width(i.operand(0).ty())).collect();
    let of_both = numbers_of_both(&casts);
    let (mut views, mut erased, mut used) = (Views::default(), HashSet::default(), Vec::new());
    for cast in casts {
        let value = cast.operand(0);
        let Some(leaves) = leaves(value) else { continue };
        let is_other = |leaf: &Value| is_otherwise(*leaf, cast.ty()) || of_both.contains(leaf);
        if !leaves.iter().any(|leaf| is_other(leaf) && (leaves.len() > 1 || is_plain_load(leaf))) {
            continue;
        }
        let builder = Builder::before(cast);
        builder.set_location_of(Some(cast));
        cast.replace_all_uses_with(views.of(value, cast.ty(), &builder));
        cast.erase();
        erased.insert(cast);
        used.push(value);
    }
    used.into_iter().for_each(|value| erase_unused(value, &mut erased));
}

/// Numbers that are loaded and cast to floats in one place and to pointers in another.
fn numbers_of_both(casts: &[Value]) -> HashSet<Value> {
    let (floats, pointers): (Vec<&Value>, Vec<&Value>) = casts.iter().partition(|cast| cast.ty().is_float());
    let numbers = |casts: Vec<&Value>| -> HashSet<Value> {
        let all = casts.into_iter().filter_map(|cast| leaves(cast.operand(0))).flatten();
        all.filter(|leaf| leaf.ty().is_int() && is_plain_load(leaf)).collect()
    };
    &numbers(floats) & &numbers(pointers)
}

/// Loads again, as numbers, pointers of which parts are cast to floats.
fn load_as_pieces(function: Function) {
    let all = || function.blocks().into_iter().flat_map(|b| b.instructions());
    let is_cast = |i: &Value| i.opcode() == Opcode::LLVMPtrToInt && width(i.ty()) == width(i.operand(0).ty());
    let casts: Vec<Value> = all().filter(is_cast).filter(|cast| has_floats(*cast)).collect();
    let (mut views, mut erased, mut used) = (Views::of_pieces(), HashSet::default(), Vec::new());
    for cast in casts {
        let value = cast.operand(0);
        if !leaves(value).is_some_and(|leaves| {
            leaves.iter().any(|leaf| is_plain_load(leaf) && is_otherwise(*leaf, function.module().context().f32()))
        }) {
            continue;
        }
        let builder = Builder::before(cast);
        builder.set_location_of(Some(cast));
        cast.replace_all_uses_with(views.of(value, cast.ty(), &builder));
        cast.erase();
        erased.insert(cast);
        used.push(value);
    }
    used.into_iter().for_each(|value| erase_unused(value, &mut erased));
}

/// Whether parts of a number are cast to floats.
fn has_floats(number: Value) -> bool {
    let (mut open, mut seen) = (vec![number], HashSet::from_iter([number]));
    while let Some(value) = open.pop() {
        for user in value.users().into_iter().filter(|user| user.is_instruction()) {
            match user.opcode() {
                Opcode::LLVMBitCast if user.ty().is_float_or_vector() => return true,
                Opcode::LLVMTrunc | Opcode::LLVMLShr | Opcode::LLVMPHI | Opcode::LLVMSelect | Opcode::LLVMFreeze
                    if seen.len() < FOLLOWED && seen.insert(user) =>
                {
                    open.push(user)
                }
                _ => {}
            }
        }
    }
    false
}

/// Stores as words the pointers that are loaded where floats are read or written as well, and of which nothing tells a variant: they may be those floats.
fn move_as_words(function: Function) {
    let all: Vec<Value> = function.blocks().into_iter().flat_map(|b| b.instructions()).filter(is_plain).collect();
    let place = |address| Place::of(function.module(), address);
    let (mut floats, mut told): (HashMap<Value, Vec<Place>>, HashSet<Value>) = Default::default();
    for access in &all {
        let (address, ty) = match access.opcode() {
            Opcode::LLVMLoad => (access.operand(0), access.ty()),
            Opcode::LLVMStore => (access.operand(1), access.operand(0).ty()),
            _ => continue,
        };
        let place = place(address);
        if ty.is_float() {
            floats.entry(place.base).or_default().push(place);
        } else if access.opcode() == Opcode::LLVMLoad && tells_variant(*access) {
            told.insert(place.base);
        }
    }
    let may_be_float = |leaf: &Value| {
        let is_pointer = leaf.is_instruction() && leaf.opcode() == Opcode::LLVMLoad && leaf.ty().is_pointer();
        if !is_pointer || !is_plain(leaf) || tag::is_told(*leaf) {
            return false;
        }
        let place = place(leaf.operand(0));
        !told.contains(&place.base) && floats.get(&place.base).is_some_and(|all| all.iter().any(|f| f.meets(&place)))
    };
    let (mut views, mut erased, mut used) = (Views::default(), HashSet::default(), Vec::new());
    for store in all.iter().filter(|i| i.opcode() == Opcode::LLVMStore) {
        let value = store.operand(0);
        if value.ty().is_float() || !leaves(value).is_some_and(|leaves| leaves.iter().any(may_be_float)) {
            continue;
        }
        let builder = Builder::before(*store);
        builder.set_location_of(Some(*store));
        let again = builder.store(views.of(value, word(value.ty()), &builder), store.operand(1));
        again.set_alignment(store.alignment());
        tag::mark_word(again);
        store.erase();
        used.push(value);
    }
    used.into_iter().for_each(|value| erase_unused(value, &mut erased));
}

/// Where an address lies: bytes behind a value that is no address arithmetic, and multiples of some more.
struct Place {
    base: Value,
    offset: i64,
    stride: u64,
}

impl Place {
    fn of(module: Module, mut address: Value) -> Place {
        let (mut offset, mut stride) = (0, 0);
        while address.is_instruction() && address.opcode() == Opcode::LLVMGetElementPtr {
            let (constant, variable) = gep_parts(module, address);
            offset += constant;
            stride = variable.into_iter().fold(stride, gcd);
            address = address.operand(0);
        }
        Place { base: address, offset, stride }
    }

    /// Whether what is as wide as a pointer may lie at both.
    fn meets(&self, other: &Place) -> bool {
        let distance = self.offset - other.offset;
        match gcd(self.stride, other.stride) as i64 {
            0 => distance == 0,
            stride => distance.rem_euclid(stride) == 0,
        }
    }
}

fn is_plain(access: &Value) -> bool {
    !matches!(access.opcode(), Opcode::LLVMLoad | Opcode::LLVMStore) || access.is_plain()
}

fn is_plain_load(value: &Value) -> bool {
    value.is_instruction() && value.opcode() == Opcode::LLVMLoad && is_plain(value)
}

/// Whether a value is a pointer and `used` is a float, or the other way round.
fn is_otherwise(value: Value, used: Type) -> bool {
    !value.is_constant() && (value.ty().is_pointer() && used.is_float() || value.ty().is_float() && used.is_pointer())
}
