//! Numbers that share a place with a wider float.
//!
//! Where an enum has an `f64` in one variant and a `u32` in another, both at one place, LLVM makes a register of the place as soon as it can: the float, of whose
//! bits storing the number replaces one half. Then a derivative sees a float that is put together from bits. In memory the two are told apart (see
//! [`crate::analysis::activity`]): so such a place stays in memory. Its accesses are made ones that no optimiser touches, until all functions are
//! there.

use super::cleanup::is_local;
use crate::analysis::spot::place_of;
use crate::ir::{bodies, tag};
use crate::llvm::{Builder, Function, Module, Opcode, Ordering, Value};
use crate::maps::HashMap;

/// The mark of such an access.
const MARK: &str = "ct.overlaid";

/// An access of a fixed place.
struct Access {
    instruction: Value,
    at: i64,
    bytes: i64,
    is_float: bool,
}

/// Holds the places of a fresh copy where that is so.
pub fn hold(function: Function) {
    let mut by_base: HashMap<Value, Vec<Access>> = HashMap::default();
    for instruction in function.blocks().into_iter().flat_map(|b| b.instructions()) {
        if let Some((base, access)) = access_of(function.module(), instruction) {
            by_base.entry(base).or_default().push(access);
        }
    }
    for accesses in by_base.values() {
        let (floats, numbers): (Vec<&Access>, Vec<&Access>) = accesses.iter().partition(|access| access.is_float);
        let share = |float: &Access, number: &Access| {
            number.bytes < float.bytes && number.at >= float.at && number.at < float.at + float.bytes
        };
        // The floats as well: one that is only moved becomes a number to LLVM, which is then cut where the narrow one ends.
        let shared_floats = floats.iter().filter(|float| numbers.iter().any(|number| share(float, number)));
        let shared_numbers = numbers.iter().filter(|number| floats.iter().any(|float| share(float, number)));
        shared_floats.chain(shared_numbers).for_each(|access| keep(access.instruction));
    }
}

/// How an access is kept of which the types of the source say that it is one of a number narrower than any float: what LLVM makes of a kept access of a
/// local has its order, and no other mark. (Of wider ones the type may become another.)
const NUMBER: Ordering = Ordering::LLVMAtomicOrderingUnordered;

/// Has an access stay as it is.
pub fn keep(access: Value) {
    let context = access.context();
    access.set_volatile(true);
    if tag::is_number(access) {
        access.set_ordering(NUMBER);
    }
    access.set_metadata(context.metadata_kind(MARK), Some(context.metadata_node(&[])));
}

/// Makes them ordinary accesses again. (Of those of locals LLVM forgets the mark. Nobody but the function sees how often a local is accessed.)
pub fn release(module: Module) {
    let kind = module.context().metadata_kind(MARK);
    for instruction in bodies(module).into_iter().flat_map(Function::blocks).flat_map(|b| b.instructions()) {
        let address = match instruction.opcode() {
            Opcode::LLVMLoad => instruction.operand(0),
            Opcode::LLVMStore => instruction.operand(1),
            _ => continue,
        };
        if instruction.is_volatile() && (is_local(address) || instruction.metadata(kind).is_some()) {
            instruction.set_volatile(false);
            instruction.set_metadata(kind, None);
            if instruction.ordering() == NUMBER {
                tag::mark_number(instruction);
                instruction.set_ordering(Ordering::LLVMAtomicOrderingNotAtomic);
            }
        }
        if instruction.opcode() == Opcode::LLVMLoad && tag::is_float_as_number(instruction) {
            load_float(instruction);
        }
    }
}

/// Has a float that LLVM loads as a number be loaded as one. (A local in which there are both is one of numbers to it.)
fn load_float(load: Value) {
    let context = load.context();
    let ty = if load.ty().bits() == 64 { context.f64() } else { context.f32() };
    let builder = Builder::before(load);
    builder.set_location_of(Some(load));
    let float = builder.load(ty, load.operand(0));
    float.set_alignment(load.alignment());
    tag::mark_told(float);
    load.replace_all_uses_with(builder.cast(Opcode::LLVMBitCast, float, load.ty()));
    load.erase();
}

/// What a load or store of a number or float accesses.
fn access_of(module: Module, instruction: Value) -> Option<(Value, Access)> {
    let (address, ty) = match instruction.opcode() {
        Opcode::LLVMLoad => (instruction.operand(0), instruction.ty()),
        Opcode::LLVMStore => (instruction.operand(1), instruction.operand(0).ty()),
        _ => return None,
    };
    if !(ty.is_int() || ty.is_float()) || !instruction.is_plain() {
        return None;
    }
    let (base, at) = place_of(address);
    Some((base, Access { instruction, at, bytes: module.store_size_of(ty) as i64, is_float: ty.is_float() }))
}
