//! Numbers of the source that are the bits of no float.
//!
//! What the types of the source say to be a number is moved as a [word](super::words) all the same, for a program may take the bits of a float (`to_bits`) and keep them
//! where numbers are. Where it keeps none, by casts or by places that hold a float as well, a number is a number.

use super::words::reads_float;
use super::{Activity, Interface, ParamActivity};
use crate::analysis::bits;
use crate::analysis::casts::{keeps_bits, takes_bits};
use crate::analysis::memory::{self, ANYWHERE, Cell, Memory, ObjectId, ObjectSet, Spot, overlap};
use crate::ir::{Func, InstId, Op, Val, tag};
use crate::maps::HashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// An access as a place in an object: as its address is counted by itself, and from where the object begins; in how many bytes.
type Access = ([Spot; 2], i64);

/// Where the bits of floats may have been put as numbers, beside the places that floats share with other things.
#[derive(Clone, Debug, Default)]
pub(super) struct Bits {
    /// Objects with places that hold a float at one time and something else at another: whoever moves them as a whole moves bits.
    mixed: ObjectSet,
    put: HashMap<ObjectId, BTreeSet<Access>>,
    /// Whether a load meets a float.
    meets: RefCell<HashMap<InstId, bool>>,
}

/// Everywhere in an object.
const EVERYWHERE: Access = ([ANYWHERE; 2], 1);

impl Bits {
    /// Whether some may lie in an object.
    fn lie_in(&self, object: ObjectId) -> bool {
        self.mixed.contains(object) || self.put.contains_key(&object)
    }

    /// Whether some may share a byte with an access.
    fn meet(&self, object: ObjectId, (at, bytes): Access) -> bool {
        let meets = |(there, size): &Access| (0..2).any(|way| overlap(at[way], bytes, there[way], *size));
        self.put.get(&object).is_some_and(|put| put.iter().any(meets))
    }

    /// Enters some; true where that is news.
    fn put(&mut self, object: ObjectId, access: Access) -> bool {
        let put = self.put.entry(object).or_default();
        !put.contains(&EVERYWHERE) && put.insert(access)
    }
}

/// Where what the source has as a number may be the bits of a float, as far as types and places tell; nothing where it may be anywhere, or no number is told apart.
/// (Of memory that is neither the function's own nor the user's nobody tells here what was put there.)
pub(super) fn of_bits(func: &Func, memory: &Memory, interface: &Interface) -> Option<Bits> {
    // In memory of the result there is what was put there in this call, if nobody here has made the call.
    let is_called = !func.function.value().users().is_empty();
    let is_known = |param: usize| {
        let [direct, behind] = interface.outside[param];
        interface.params[param] != ParamActivity::Dup
            || (direct.structure && behind.structure)
            || (interface.results[param] && !is_called)
    };
    let knows_all = (0..interface.params.len()).all(is_known) && interface.ways.is_empty();
    let has_numbers = || func.inst_ids().any(|id| tag::is_exact_word(func.inst(id).value));
    if !knows_all || !has_numbers() || keeps_bits(func.module()) {
        return None;
    }
    let mut bits = Bits::default();
    let all = (0..memory.objects.len() as u32).map(ObjectId);
    all.filter(|object| memory.is_mixed(*object)).for_each(|object| _ = bits.mixed.insert(object));
    Some(bits)
}

/// Loads of numbers and arithmetic with such, where the program takes no bits of floats: what is computed with, and not only put together or taken apart, is none
/// but where it is read from the very place of one. So is what memory is asked for by.
pub(super) fn plain(func: &Func, memory: &Memory) -> Vec<bool> {
    if takes_bits(func.module()) {
        return vec![false; func.insts.len()];
    }
    let is_float = |v: &Val| reads_float(func, memory, *v);
    let is_plain = |id: InstId| match func.inst(id).op {
        Op::Load => (bits::is_computed_with(func, id) || bits::is_size(func, id)) && !is_float(&Val::Inst(id)),
        Op::Integer(_) => !bits::packs(func.inst(id)) && !func.inst(id).operands.iter().any(is_float),
        _ => false,
    };
    func.inst_ids().map(is_plain).collect()
}

/// Whether a byte out of a copy is one of a text, whatever the pointer may lead to: the program takes no bits of floats, and does not look at rows of floats as bytes.
pub(super) fn is_of_text(func: &Func, memory: &Memory, load: InstId) -> bool {
    let is_row = |object: ObjectId| {
        let mut cells = memory.all_cells(object);
        cells.all(|(_, cell)| matches!(cell, Cell::Float(_) | Cell::Bits(1)))
    };
    let inst = func.inst(load);
    tag::is_bytes(inst.value) && !takes_bits(func.module()) && !memory.points_to(inst.operands[0]).iter().all(is_row)
}

/// A load or store as a place in an object that it leads to.
fn access(func: &Func, memory: &Memory, id: InstId, object: ObjectId) -> Access {
    let inst = func.inst(id);
    let (address, ty) = match inst.op {
        Op::Store => (inst.operands[1], func.ty(inst.operands[0])),
        _ => (inst.operands[0], inst.ty),
    };
    let spots = [memory::spot_of(func, address), memory.settled_spot(func, address, object)];
    (spots, func.module().store_size_of(ty) as i64)
}

impl Activity {
    /// Whether a number of the source is loaded from where the bits of no float are. (Where the user has a number nobody can put any, as its shadow has no adjoint.)
    pub(super) fn loads_plain_number(&self, func: &Func, memory: &Memory, load: InstId) -> bool {
        let inst = func.inst(load);
        let (Some(bits), true) = (&self.of_bits, tag::is_exact_word(inst.value)) else { return false };
        let is_users =
            |object: ObjectId| memory.objects[object.0 as usize].param().is_some_and(|i| !self.results[i as usize]);
        let from = memory.points_to(inst.operands[0]);
        let mut own = from.iter().filter(|object| !is_users(*object));
        // What is only as wide in the source may be of another variant, and so a number here and none in the memory of others.
        if !tag::is_count(inst.value) && from.iter().any(is_users) {
            return false;
        }
        own.all(|object| !bits.meet(object, access(func, memory, load, object)))
            && !*bits.meets.borrow_mut().entry(load).or_insert_with(|| {
                let width = |cell: &Cell| matches!(cell, Cell::Float(_)).then_some(cell.bytes() as i64);
                let size = func.module().store_size_of(inst.ty) as i64;
                from.iter().any(|object| !is_users(object)) && memory.meets(func, inst.operands[0], size, &width)
            })
    }

    /// Whether a load is one of a word of which nothing tells what it is.
    pub(super) fn loads_word(&self, func: &Func, memory: &Memory, load: InstId) -> bool {
        tag::is_word(func.inst(load).value) && !self.loads_plain_number(func, memory, load)
    }

    /// Enters where an instruction puts what may be the bits of a float; true where that is news.
    pub(super) fn move_bits(&mut self, func: &Func, memory: &Memory, id: InstId) -> bool {
        let Some(mut bits) = self.of_bits.take() else { return false };
        let inst = func.inst(id);
        let is_bits = |val: &Val| self.is_varied(*val) && !func.ty(*val).is_float_or_vector();
        let mut is_new = false;
        match &inst.op {
            Op::Store if is_bits(&inst.operands[0]) => {
                for object in memory.points_to(inst.operands[1]).iter() {
                    is_new |= bits.put(object, access(func, memory, id, object));
                }
            }
            Op::MemCopy if memory.points_to_any(inst.operands[1], |object| bits.lie_in(object)) => {
                for object in memory.points_to(inst.operands[0]).iter() {
                    is_new |= bits.put(object, EVERYWHERE);
                }
            }
            Op::Call(_) => {
                let takes_bits = inst.operands.iter().any(is_bits);
                for (to, origin) in &memory.effects(id).moves {
                    if (origin.of_operands && takes_bits) || origin.from.iter().any(|object| bits.lie_in(object)) {
                        to.iter().for_each(|object| is_new |= bits.put(object, EVERYWHERE));
                    }
                }
            }
            _ => {}
        }
        self.of_bits = Some(bits);
        is_new
    }
}
