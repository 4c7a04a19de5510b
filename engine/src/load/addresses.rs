//! Pointers that LLVM has turned to numbers and back.
//!
//! An empty `Vec` has the address 8, say, and no memory. Where it meets an allocated one, LLVM sometimes joins the *numbers*:
//! `inttoptr (phi [ptrtoint %p], [8])`, and no analysis of memory sees through that. The join is made one of pointers again.
//!
//! The other way round, what is moved out of an enum that has a float in one variant and a vector in another is stored as the pointer of the vector once LLVM
//! knows that it is the float: `store ptr (inttoptr (load i64))`. What is a number, and is only moved, is moved as a number.
//!
//! What is counted from one pointer by the distance to another is that other one: std keeps where a hole in a vector begins as a number
//! (`drop_offset` of `vec::Drain`), and then nothing tells where in a record it is.
//!
//! And a pointer that lies where another variant has a float of half its width is moved into a local in halves, of which one is loaded as that float: it is moved as a
//! pointer.

use crate::analysis::activity::is_structure;
use crate::analysis::spot::{exact_divisor, place_of};
use crate::llvm::{Block, Builder, Function, Opcode, Value};
use crate::maps::{HashMap, HashSet};

/// Joins pointers in the place of their numbers, in one function.
pub fn join_pointers(function: Function) {
    let all = function.blocks().into_iter().flat_map(|b| b.instructions());
    let casts: Vec<Value> = all.filter(|i| i.opcode() == Opcode::LLVMIntToPtr).collect();
    for cast in casts {
        if let Some(joined) = joined(cast) {
            cast.replace_all_uses_with(joined);
            cast.erase();
        }
    }
}

/// Takes the other pointer itself in the place of what is counted from one by the distance between them, in one function.
pub fn take_ends(function: Function) {
    let all: Vec<Value> = function.blocks().into_iter().flat_map(|b| b.instructions()).collect();
    for counted in all.into_iter().filter(|i| i.opcode() == Opcode::LLVMGetElementPtr) {
        if let Some(end) = end_of(counted) {
            counted.replace_all_uses_with(end);
            counted.erase();
        }
    }
}

/// The pointer that another is counted from one by the distance to it, in bytes or in things of some size.
fn end_of(counted: Value) -> Option<Value> {
    let (from, &[_, index]) = (counted.operand(0), &counted.operands()[..]) else { return None };
    let module = counted.block().function().module();
    let is = |value: Value, opcode: Opcode| value.is_instruction() && value.opcode() == opcode;
    let distance = match module.size_of(counted.gep_type()) {
        1 => index,
        size if index.is_instruction() && exact_divisor(index) == Some(size) => index.operand(0),
        _ => return None,
    };
    if !is(distance, Opcode::LLVMSub) || ![0, 1].iter().all(|i| is(distance.operand(*i), Opcode::LLVMPtrToInt)) {
        return None;
    }
    let [end, begin] = [0, 1].map(|i| distance.operand(i).operand(0));
    let is_whole = module.size_of(distance.ty()) == module.size_of(counted.ty());
    (is_whole && begin == from && end.ty() == counted.ty()).then_some(end)
}

/// Stores numbers in the place of pointers that loaded numbers or the bits of constant floats are made to and that are used for nothing else, in one function.
pub fn store_numbers(function: Function) {
    let all: Vec<Value> = function.blocks().into_iter().flat_map(|b| b.instructions()).collect();
    for store in all.iter().filter(|i| i.opcode() == Opcode::LLVMStore) {
        if let Some(bits) = bits_of_float(store.operand(0)) {
            store.set_operand(0, bits);
        }
    }
    for cast in all.into_iter().filter(|i| i.opcode() == Opcode::LLVMIntToPtr) {
        let (number, stores) = (cast.operand(0), cast.users());
        let is_loaded = number.is_instruction() && number.opcode() == Opcode::LLVMLoad;
        let is_whole = function.module().size_of(number.ty()) == function.module().size_of(cast.ty());
        let is_moved = |user: &Value| user.opcode() == Opcode::LLVMStore && user.operand(0) == cast;
        if is_loaded && is_whole && stores.iter().all(is_moved) {
            stores.iter().for_each(|store| store.set_operand(0, number));
            cast.erase();
        }
    }
}

/// Moves pointers into locals as wholes where that is done in halves, in one function.
pub fn move_whole(function: Function) {
    let all: Vec<Value> = function.blocks().into_iter().flat_map(|b| b.instructions()).collect();
    let mut halves: HashMap<(Value, i64), Half> = HashMap::default();
    let is_pointer = |i: &&Value| i.opcode() == Opcode::LLVMLoad && i.ty().is_pointer();
    let pointers: HashSet<(Value, i64)> = all.iter().filter(is_pointer).map(|load| place_of(load.operand(0))).collect();
    let stores: Vec<Half> = all.iter().filter_map(|store| half_of(*store)).collect();
    for half in stores {
        let beside = [-HALF, HALF].into_iter().find_map(|step| halves.get(&(half.local, half.at + step)).copied());
        if let Some(other) = beside {
            let (first, second) = if other.at < half.at { (other, half) } else { (half, other) };
            let is_there = [first, second].into_iter().all(|one| is_still_there(one, half));
            if pointers.contains(&(first.local, first.at)) && are_of_one(first, second) && is_there {
                join(first, second, half.store);
                halves.remove(&(other.local, other.at));
                continue;
            }
        }
        halves.insert((half.local, half.at), half);
    }
}

/// Bytes of half a pointer.
const HALF: i64 = 4;

/// A store of what was loaded, half as wide as a pointer, and the local and the place in it that it goes to.
#[derive(Clone, Copy)]
struct Half {
    store: Value,
    load: Value,
    local: Value,
    at: i64,
}

fn half_of(store: Value) -> Option<Half> {
    let is_half = |value: Value| value.is_instruction() && value.opcode() == Opcode::LLVMLoad && value.is_plain();
    if store.opcode() != Opcode::LLVMStore || !store.is_plain() || !is_half(store.operand(0)) {
        return None;
    }
    let load = store.operand(0);
    let (local, at) = place_of(store.operand(1));
    let size = store.block().function().module().store_size_of(load.ty()) as i64;
    let is_local = local.is_instruction() && local.opcode() == Opcode::LLVMAlloca;
    (is_local && size == HALF).then_some(Half { store, load, local, at })
}

/// Whether two halves are stored in one block, lie beside each other where they come from as well, and one of them is a float. (Two floats may be two: of them `retype`
/// finds out.)
fn are_of_one(first: Half, second: Half) -> bool {
    let ((from, low), (other, high)) = (place_of(first.load.operand(0)), place_of(second.load.operand(0)));
    from == other
        && low + HALF == high
        && first.store.block() == second.store.block()
        && first.load.ty().is_float() != second.load.ty().is_float()
}

/// Whether nothing is written between the load of a half and a store but to the local.
fn is_still_there(half: Half, last: Half) -> bool {
    let (from, to) = (half.load.block(), last.store.block());
    let between: Vec<Value> = match from == to {
        true => from.instructions(),
        false if comes_only_from(to, from) => from.instructions().into_iter().chain(to.instructions()).collect(),
        false => return false,
    };
    let after = between.into_iter().skip_while(|i| *i != half.load).take_while(|i| *i != last.store);
    let mut writes = after.filter(|i| match i.opcode() {
        Opcode::LLVMStore => place_of(i.operand(1)).0 != half.local,
        Opcode::LLVMCall => !i.called_function().is_some_and(|f| REMARKS.iter().any(|name| f.name().starts_with(name))),
        Opcode::LLVMFence | Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg | Opcode::LLVMInvoke => true,
        _ => false,
    });
    writes.next().is_none()
}

/// Whether control comes to a block from another one alone.
fn comes_only_from(to: Block, from: Block) -> bool {
    let leads_there = |block: &Block| block.terminator().is_some_and(|end| end.successors().contains(&to));
    from.function().blocks().iter().filter(|block| leads_there(block)).all(|block| *block == from)
}

/// Intrinsics that write nothing.
const REMARKS: [&str; 3] = ["llvm.lifetime.", "llvm.assume", "llvm.experimental.noalias"];

/// Moves both at once, in the place of the later store.
fn join(first: Half, second: Half, last: Value) {
    let builder = Builder::before(last);
    builder.set_location_of(Some(last));
    let pointer = builder.load(last.block().value().context().ptr(), first.load.operand(0));
    pointer.set_alignment(first.load.alignment());
    builder.store(pointer, first.store.operand(1)).set_alignment(first.store.alignment());
    for half in [first, second] {
        half.store.erase();
        if half.load.users().is_empty() {
            half.load.erase();
        }
    }
}

/// The bits of a constant pointer that are a float's: no address is like that.
pub fn bits_of_float(pointer: Value) -> Option<Value> {
    let is_cast = pointer.ty().is_pointer() && pointer.constant_opcode() == Some(Opcode::LLVMIntToPtr);
    let bits = is_cast.then(|| pointer.operand(0))?;
    (bits.ty().bits() == 64 && !is_structure(bits, bits.ty())).then_some(bits)
}

/// The pointer that a cast of a phi of numbers is.
fn joined(cast: Value) -> Option<Value> {
    let phi = cast.operand(0);
    if !phi.is_instruction() || phi.opcode() != Opcode::LLVMPHI {
        return None;
    }
    let ty = cast.ty();
    let incoming: Option<Vec<_>> =
        phi.incoming().into_iter().map(|(v, block)| Some((pointer(v, cast)?, block))).collect();
    let incoming = incoming?;
    let builder = Builder::before(phi);
    let new = builder.phi(ty);
    incoming.into_iter().for_each(|(value, block)| new.add_incoming(value, block));
    Some(new)
}

/// The pointer that a number was, or a constant address.
fn pointer(number: Value, cast: Value) -> Option<Value> {
    if number.is_instruction() && number.opcode() == Opcode::LLVMPtrToInt && number.operand(0).ty() == cast.ty() {
        return Some(number.operand(0));
    }
    number.as_u64().map(|_| number.int_to_pointer(cast.ty()))
}
