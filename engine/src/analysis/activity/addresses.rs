//! Addresses of active memory that lose their shadow on the way.
//!
//! A pointer has its shadow beside it wherever it goes. A number has none where functions hand it over, nor among the numbers that the user's shadow holds; and
//! there is none in memory without a shadow. (Where a variant has a pointer in the place of another's number, LLVM joins the two: what
//! is one or the other is no number.)

use super::{Activity, holds_pointer, leaves, narrow_access};
use crate::analysis::casts::halves;
use crate::analysis::memory::{self, Cell, Memory, Node, ObjectId, ObjectSet, Spot};
use crate::analysis::spot::place_of;
use crate::ir::{Callee, Func, InstId, Op, Val, tag};
use crate::llvm::{Opcode, Type, Value};
use std::ops::Range;

/// Bytes of a pointer.
const POINTER: u64 = 8;

/// Whether all that a value may be is such.
fn consists_of(func: &Func, val: Val, is_such: impl Fn(&Val) -> bool) -> bool {
    let leaves = leaves(func, val).0;
    !leaves.is_empty() && leaves.iter().all(is_such)
}

/// Whether a number is an address in all cases.
fn is_address(func: &Func, val: Val) -> bool {
    let is_cast =
        |leaf: &Val| matches!(leaf, Val::Inst(id) if matches!(func.inst(*id).op, Op::Integer(Opcode::LLVMPtrToInt)));
    consists_of(func, val, is_cast)
}

/// Whether the rest of the word that a narrow load takes a part of is loaded too, and not at once with that part.
fn has_other_half(func: &Func, load: InstId) -> bool {
    let Some((record, at, _)) = narrow_access(func, load) else { return false };
    let begin = at - at.rem_euclid(POINTER as i64);
    let word = begin..begin + POINTER as i64;
    let part = |id: InstId| {
        let inst = func.inst(id);
        if !matches!(inst.op, Op::Load) {
            return None;
        }
        let (other, at) = place_of(inst.value.operand(0));
        let end = at + func.module().store_size_of(inst.ty) as i64;
        (other == record && !(at <= word.start && word.end <= end)).then_some(at..end)
    };
    let parts: Vec<Range<i64>> = func.inst_ids().filter_map(part).collect();
    word.clone().all(|byte| parts.iter().any(|part| part.contains(&byte)))
}

impl Activity {
    /// Whether an instruction has the address of active memory handed on, kept or made again as a number without a shadow.
    pub(super) fn loses_address(&self, func: &Func, memory: &Memory, id: InstId) -> bool {
        self.hands_address(func, memory, id)
            || self.makes_address(func, memory, id)
            || self.keeps_address(func, memory, id)
            || self.takes_for_float(func, memory, id)
    }

    /// Whether the address of active memory is moved as a float, which has an adjoint where the pointer has its shadow, and is a pointer with one again.
    fn takes_for_float(&self, func: &Func, memory: &Memory, id: InstId) -> bool {
        let inst = func.inst(id);
        if !matches!(inst.op, Op::BitCast) || !inst.ty.is_float() || !func.ty(inst.operands[0]).is_int() {
            return false;
        }
        let is_pointer_again = |object: ObjectId| {
            let is_such = |id: InstId| {
                let load = func.inst(id);
                matches!(load.op, Op::Load)
                    && load.ty.is_pointer()
                    && self.needed[id.0 as usize]
                    && memory.points_to(Val::Inst(id)).contains(object)
            };
            func.inst_ids().any(is_such)
        };
        let is_made = |leaf: &Val| {
            let Val::Inst(cast) = leaf else { return false };
            let cast = func.inst(*cast);
            matches!(cast.op, Op::Integer(Opcode::LLVMPtrToInt))
                && memory.points_to_any(cast.operands[0], |object| {
                    self.is_active_object(object) && memory.may_have_floats(func, object) && is_pointer_again(object)
                })
        };
        leaves(func, inst.operands[0]).0.iter().any(is_made)
    }

    /// Whether a call hands over, or gives back, the address of active memory as a number: only pointers go from function to function together with their shadows.
    fn hands_address(&self, func: &Func, memory: &Memory, id: InstId) -> bool {
        let inst = func.inst(id);
        if !memory.has_addresses || !matches!(inst.op, Op::Call(Callee::Body(_))) {
            return false;
        }
        let is_number = |v: &Val| !holds_pointer(func.ty(*v)) && !func.ty(*v).is_float_or_vector();
        let leads_to = |v: &Val| memory.points_to(*v).iter().filter(|o| self.is_active_object(*o)).collect::<Vec<_>>();
        if self.needed[id.0 as usize] && is_number(&Val::Inst(id)) && !leads_to(&Val::Inst(id)).is_empty() {
            return true;
        }
        let addresses = inst.operands.iter().filter(|v| is_number(v) && is_address(func, **v));
        let addresses: Vec<ObjectId> = addresses.flat_map(leads_to).collect();
        if addresses.is_empty() {
            return false;
        }
        let mut by_pointers = ObjectSet::default();
        inst.operands.iter().filter(|v| !is_number(v)).for_each(|v| _ = by_pointers.union(&memory.reach(*v)));
        let effects = memory.effects(id);
        let is_used = |object: &ObjectId| effects.read.contains(*object) || effects.written.contains(*object);
        addresses.iter().any(|object| is_used(object) && !by_pointers.contains(*object))
    }

    /// Whether an address of active memory is made of a number that was kept where its shadow is not: among the user's numbers.
    fn makes_address(&self, func: &Func, memory: &Memory, id: InstId) -> bool {
        let inst = func.inst(id);
        let is_users = |object: ObjectId| self.is_outside(object);
        let is_kept = |leaf: &Val| {
            let Val::Inst(load) = leaf else { return false };
            let load = func.inst(*load);
            matches!(load.op, Op::Load)
                && tag::is_number_of_source(load.value)
                && memory.points_to_any(load.operands[0], is_users)
        };
        matches!(inst.op, Op::Integer(Opcode::LLVMIntToPtr)) && consists_of(func, inst.operands[0], is_kept)
    }

    /// Whether the address of active memory is kept among the user's numbers, in a function that makes addresses of such: the numbers of the shadow are not written to.
    fn keeps_address(&self, func: &Func, memory: &Memory, id: InstId) -> bool {
        let inst = func.inst(id);
        let is_load = |leaf: &Val| matches!(leaf, Val::Inst(load) if matches!(func.inst(*load).op, Op::Load));
        let is_made = |id: InstId| {
            let inst = func.inst(id);
            matches!(inst.op, Op::Integer(Opcode::LLVMIntToPtr)) && consists_of(func, inst.operands[0], is_load)
        };
        matches!(inst.op, Op::Store)
            && func.ty(inst.operands[0]).is_int()
            && memory.points_to_any(inst.operands[1], |object| self.is_outside(object))
            && is_address(func, inst.operands[0])
            && memory.points_to_any(inst.operands[0], |object| self.is_active_object(object))
            && (memory.has_addresses || func.inst_ids().any(is_made))
    }

    /// Whether half of a pointer to active memory is moved as a number that nothing tells from one: LLVM has made it one register with the number that another variant has in
    /// its place.
    pub(super) fn halves_pointer(&self, func: &Func, memory: &Memory, id: InstId) -> bool {
        let inst = func.inst(id);
        let is_half = |ty: Type| ty.is_int() && func.module().store_size_of(ty) < POINTER;
        if !matches!(inst.op, Op::Store) || !is_half(func.ty(inst.operands[0])) || !halves(func.module()).pointers {
            return false;
        }
        // Rows in which each pointer or number is an element do not tell where a record begins, as in a node of a tree.
        let is_of_records =
            |spot: Spot| spot.stride == 0 || (spot.stride > POINTER && spot.stride.is_multiple_of(POINTER));
        let is_of_pointer = |address: Val, access: Value, size: u64| {
            let spot = memory::spot_of(func, address);
            let is_met = |(at, cell): (Spot, Cell)| {
                cell == Cell::Pointer && is_of_records(at) && memory::overlap(spot, size as i64, at, POINTER as i64)
            };
            // (What its caller has there a function need not know.)
            let is_such = |object| memory.all_cells(object).any(is_met) || self.is_outside(object);
            is_of_records(spot)
                && !tag::is_exact(access)
                && !tag::is_word(access)
                && memory.points_to_any(address, is_such)
        };
        let leads_to_floats = |object: ObjectId| self.is_varied_object(object) && memory.may_have_floats(func, object);
        let is_taken = |leaf: &Val| {
            let Val::Inst(id) = leaf else { return false };
            let load = func.inst(*id);
            matches!(load.op, Op::Load)
                && is_of_pointer(load.operands[0], load.value, func.module().store_size_of(load.ty))
                // (What is read through it may matter for no other reason.)
                && memory.reach_from(memory.found_there(func, load.operands[0])).iter().any(leads_to_floats)
                && has_other_half(func, *id)
        };
        is_of_pointer(inst.operands[1], inst.value, func.module().store_size_of(func.ty(inst.operands[0])))
            && leaves(func, inst.operands[0]).0.iter().any(is_taken)
    }

    /// Whether a pointer to active memory, and to nothing else, is put into memory without a shadow and found there again: its own shadow is lost, and with it all that is
    /// read through it.
    pub(super) fn loses_pointer(&self, func: &Func, memory: &Memory, id: InstId) -> bool {
        let is_bare = |object: ObjectId| self.is_bare_param(memory, object);
        let is_active = |object: ObjectId| self.is_active_object(object) && !is_bare(object);
        let all = |set: &ObjectSet, is_such: &dyn Fn(ObjectId) -> bool| !set.is_empty() && set.iter().all(is_such);
        let is_found = |there: &ObjectSet| {
            let finds = |id: InstId| {
                let inst = func.inst(id);
                matches!(inst.op, Op::Load)
                    && self.needed[id.0 as usize]
                    && memory.points_to_any(inst.operands[0], |object| there.contains(object))
                    && memory.points_to_any(Val::Inst(id), is_active)
            };
            func.inst_ids().any(finds)
        };
        let puts = puts(func, memory, id, &|there| all(there, &is_bare));
        puts.iter().any(|(there, put)| all(put, &is_active) && is_found(there))
    }
}

/// Where an instruction, or the callee of a call, puts pointers, and to what, for such places.
fn puts(func: &Func, memory: &Memory, id: InstId, is_such: &dyn Fn(&ObjectSet) -> bool) -> Vec<(ObjectSet, ObjectSet)> {
    let inst = func.inst(id);
    let mut found = Vec::new();
    match inst.op {
        Op::Store => {
            let there = memory.points_to(inst.operands[1]);
            if is_such(&there) {
                found.push((there, memory.points_to(inst.operands[0])));
            }
        }
        Op::Call(Callee::Body(_)) => {
            let is_told = |node: &Node| matches!(node, Node::Param(_) | Node::Way(..));
            let left = memory.summary(id).into_iter().flat_map(|summary| &summary.left);
            for ((place, _), put) in left.filter(|((place, _), _)| is_told(place)) {
                let there = memory.node(func, id, *place);
                if is_such(&there) {
                    let put = put.iter().map(|(node, _)| node).filter(|node| is_told(node));
                    found.extend(put.map(|node| (there.clone(), memory.node(func, id, *node))));
                }
            }
        }
        _ => {}
    }
    found
}
