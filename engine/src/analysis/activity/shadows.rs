//! Which pointers and objects have shadows.
//!
//! A pointer through which active memory is accessed has a shadow, and so has all that it is made from. Memory from which such a pointer is
//! loaded is *structural*: pointers that are stored there have shadows too.

use super::words::leaves;
use super::{Activity, Interface, ParamActivity, holds_pointer, may_hold_floats};
use crate::analysis::bits::{is_count_of_borrows, may_be_room};
use crate::analysis::memory::{self, Memory, Node, Object, ObjectId, ObjectSet, POINTER, Spot};
use crate::ir::table::is_table;
use crate::ir::tag::{self, Tag};
use crate::ir::{Callee, Func, InstId, Op, Val};
use crate::llvm::Opcode;
use crate::rule::Effect;

/// Whether a type holds nothing that could be a pointer.
fn may_hold_only_floats(ty: crate::llvm::Type) -> bool {
    ty.is_float_or_vector() || ty.is_void()
}

/// What a caller can find of a set of objects: no local, whatever may lead there as far as is known.
fn handed_over(memory: &Memory, set: &ObjectSet) -> ObjectSet {
    let mut found = ObjectSet::default();
    for object in set.iter().filter(|o| !matches!(memory.objects[o.0 as usize], Object::Stack(_))) {
        found.insert(object);
    }
    found
}

/// Whether a shadow can stand for what a pointer leads to at all: it does for parameters, locals and the heap.
fn leads_anywhere(activity: &Activity, memory: &Memory, val: Val) -> bool {
    memory.points_to(val).iter().any(|o| match memory.objects[o.0 as usize] {
        Object::Param(i) | Object::Path(i, _) | Object::Behind(i) => activity.params[i as usize] == ParamActivity::Dup,
        Object::Stack(_) | Object::Heap(_) => true,
        Object::Global(_) => false,
    })
}

/// Whether floats may be found through a pointer, in memory that can have a shadow.
fn may_lead_to_floats(activity: &Activity, func: &Func, memory: &Memory, val: Val) -> bool {
    leads_anywhere(activity, memory, val) && memory.reach(val).iter().any(|o| memory.may_have_floats(func, o))
}

impl Activity {
    /// Which pointers need a shadow: those through which active memory is accessed, and all that they are made from. Memory
    /// from which such a pointer is loaded is *structural*: pointers stored there need shadows too.
    pub(super) fn find_shadows(&mut self, func: &Func, memory: &Memory, interface: &Interface) {
        for (index, object) in memory.objects.iter().enumerate() {
            if let Some(i) = object.param()
                && self.params[i as usize] == ParamActivity::Dup
            {
                self.structural.insert(ObjectId(index as u32));
            }
        }
        // What is hung in there is read by the caller.
        self.take_for_structure(memory, handed_over(memory, &memory.reach_from(self.structural.clone())));
        self.find_tags(func, memory);
        for id in func.inst_ids().filter(|id| matches!(func.inst(*id).op, Op::Load) && is_count_of_borrows(func, *id)) {
            let address = func.inst(id).operands[0];
            self.borrows.push((memory.points_to(address), memory::spot_of(func, address)));
        }
        self.find_capacities(func, memory);
        while self.need_round(func, memory, interface) {}
        // Memory of the function's own that a pointer with a shadow may lead to, as far as is known, gets one.
        while self.need_own(func, memory) {
            while self.need_round(func, memory, interface) {}
        }
        self.find_written(func, memory);
        self.find_apart(func, memory);
        for id in func.inst_ids() {
            if self.needed[id.0 as usize] {
                self.give_shadow(memory, Val::Inst(id));
            }
        }
    }

    /// Enters what a pointer with a shadow leads to. Constants have no shadow that somebody could write to: all empty tables are one of them, and that another pointer
    /// may lead there says nothing of what else it leads to.
    fn give_shadow(&mut self, memory: &Memory, pointer: Val) -> bool {
        self.shadowed.union(&memory.without_constants(memory.points_to(pointer)))
    }

    /// The same of structure.
    pub(super) fn take_for_structure(&mut self, memory: &Memory, places: ObjectSet) -> bool {
        self.structural.union(&memory.without_constants(places))
    }

    /// Gives shadows to locals and blocks of the heap that would otherwise be mixed with memory that has one.
    fn need_own(&mut self, func: &Func, memory: &Memory) -> bool {
        let made = |o: ObjectId| match memory.objects[o.0 as usize] {
            Object::Stack(id) | Object::Heap(id) => {
                let is_own = matches!(func.inst(id).op, Op::Alloca | Op::Call(Callee::Effect(Effect::Allocate { .. })));
                is_own.then_some(id)
            }
            _ => None,
        };
        let mut bare = Vec::new();
        for id in func.inst_ids().filter(|id| func.block(func.inst(*id).block).returns) {
            for set in self.met(func, memory, id) {
                bare.extend(set.iter().filter(|o| self.is_bare(func, memory, *o)).filter_map(made));
            }
            for set in self.joined_by(func, memory, id) {
                let is_open = |o: &ObjectId| memory.may_have_floats(func, *o) || memory.leads_nowhere_yet(*o);
                let own = set.iter().filter(is_open).filter_map(made);
                bare.extend(own.filter(|id| !self.needed[id.0 as usize]));
            }
        }
        for id in &bare {
            self.needed[id.0 as usize] = true;
            self.give_shadow(memory, Val::Inst(*id));
        }
        !bare.is_empty()
    }

    /// Sets of objects that a callee has one pointer for, which it has a shadow of.
    fn joined_by(&self, func: &Func, memory: &Memory, id: InstId) -> Vec<ObjectSet> {
        let all = memory.joined_by(func, id);
        if all.is_empty() || !self.is_active_call(func, memory, id) {
            return Vec::new();
        }
        // Of the callee's own memory nothing is known here: what an active call has, carries derivatives.
        let has_shadow = |(set, with_own): &(ObjectSet, bool)| *with_own || self.any_active(set);
        all.into_iter().filter(has_shadow).map(|(set, _)| set).collect()
    }

    fn is_shadowed_at(&self, memory: &Memory, address: Val) -> bool {
        memory.points_to(address).iter().any(|o| self.shadowed.contains(o))
    }

    /// Whether a pointer that may stand in what is found at an address leads to memory that has a shadow.
    fn is_shadowed_behind(&self, memory: &Memory, address: Val) -> bool {
        memory.behind(address).iter().any(|o| self.shadowed.contains(o))
    }

    fn need_round(&mut self, func: &Func, memory: &Memory, interface: &Interface) -> bool {
        let mut changed = false;
        let mut need = Vec::new();
        for id in func.inst_ids().collect::<Vec<_>>().into_iter().rev() {
            let inst = func.inst(id);
            if !func.block(inst.block).returns {
                continue;
            }
            let me = self.needed[id.0 as usize];
            let active = |activity: &Activity, v: &Val| activity.any_active(&memory.points_to(*v));
            let leads = |activity: &Activity, v: &Val| activity.any_active(&memory.reach(*v));
            let structural =
                |activity: &Activity, v: &Val| memory.points_to(*v).iter().any(|o| activity.structural.contains(o));
            match &inst.op {
                Op::Load => {
                    if self.is_length(func, memory, id) || self.tag(id).is_some() || self.is_capacity(id) {
                        need.push(inst.operands[0]);
                    }
                    if (self.is_active(Val::Inst(id)) && active(self, &inst.operands[0])) || me {
                        need.push(inst.operands[0]);
                    }
                    if me {
                        changed |= self.take_for_structure(memory, memory.points_to(inst.operands[0]));
                    }
                }
                Op::Store => {
                    let holds = may_hold_floats(func.ty(inst.operands[0]));
                    if holds && active(self, &inst.operands[1]) {
                        need.push(inst.operands[1]);
                    }
                    if !holds && structural(self, &inst.operands[1]) && leads_anywhere(self, memory, inst.operands[1]) {
                        need.push(inst.operands[1]);
                        // Whoever finds it there takes it to have a shadow.
                        if leads(self, &inst.operands[0])
                            || may_lead_to_floats(self, func, memory, inst.operands[0])
                            || self.is_shadowed_at(memory, inst.operands[0])
                        {
                            need.push(inst.operands[0]);
                        }
                        changed |= self.need_pieces(func, memory, inst.operands[0]);
                    }
                }
                Op::MemCopy => {
                    let moves_structure =
                        structural(self, &inst.operands[0]) && leads_anywhere(self, memory, inst.operands[0]);
                    if active(self, &inst.operands[0]) || moves_structure {
                        need.push(inst.operands[0]);
                        if leads(self, &inst.operands[1])
                            || (moves_structure && self.is_shadowed_behind(memory, inst.operands[1]))
                        {
                            need.push(inst.operands[1]);
                        }
                    }
                    if moves_structure {
                        changed |= self.take_for_structure(memory, memory.points_to(inst.operands[1]));
                    }
                }
                Op::MemSet if active(self, &inst.operands[0]) || structural(self, &inst.operands[0]) => {
                    need.push(inst.operands[0]);
                }
                Op::Gep if me => need.push(inst.operands[0]),
                Op::Copy | Op::Extract(_) | Op::Integer(_) | Op::BitCast if me => {
                    need.extend(inst.operands.iter().copied());
                }
                Op::Insert(_) | Op::Phi if me => need.extend(inst.operands.iter().copied()),
                Op::Select if me => need.extend(inst.operands[1..].iter().copied()),
                Op::Call(Callee::Effect(Effect::Free { pointer, .. })) => {
                    let freed = memory.written_at(inst.operands[*pointer]);
                    if freed.iter().any(|o| self.is_freed_twice(memory, o)) {
                        need.push(inst.operands[*pointer]);
                    }
                }
                // What such a call leaves is structure of the shadow too.
                Op::Call(
                    Callee::Effect(Effect::Inactive | Effect::Text { .. } | Effect::Private { .. })
                    | Callee::Unknown(_),
                ) => {
                    let written = &memory.effects(id).written;
                    let hands_over = |v: &&Val| {
                        memory.points_to(**v).iter().any(|o| self.structural.contains(o) && written.contains(o))
                            && leads_anywhere(self, memory, **v)
                    };
                    need.extend(inst.operands.iter().filter(hands_over));
                }
                Op::Call(Callee::Custom(custom)) => {
                    // The shadow of a constant that is returned is made there.
                    let place = custom.constant_result().map(|group| inst.operands[group.pointer]);
                    need.extend(place.filter(|place| {
                        leads_anywhere(self, memory, *place)
                            && (structural(self, place) || active(self, place) || self.is_shadowed_at(memory, *place))
                    }));
                    if !self.is_active_call(func, memory, id) {
                        continue;
                    }
                    for operand in custom.shadowed().map(|g| &inst.operands[g.pointer]) {
                        if leads(self, operand) {
                            need.push(*operand);
                            changed |= self.take_for_structure(memory, memory.reach(*operand));
                        }
                    }
                }
                Op::Call(Callee::Body(callee)) if self.is_active_call(func, memory, id) => {
                    // What a table looks up has no shadow.
                    let looked_up = usize::from(is_table(*callee));
                    for operand in &inst.operands[..inst.operands.len() - looked_up] {
                        // (A callee takes all that it can reach from a shadow to have one.)
                        let leads = leads(self, operand)
                            || self.has_shadow(*operand)
                            || self.is_shadowed_behind(memory, *operand);
                        if leads && holds_pointer(func.ty(*operand)) {
                            need.push(*operand);
                            changed |= self.take_for_structure(memory, memory.reach(*operand));
                        }
                    }
                    if leads(self, &Val::Inst(id)) && holds_pointer(inst.ty) {
                        need.push(Val::Inst(id));
                    }
                }
                Op::Return if interface.result => {
                    for operand in &inst.operands {
                        // Whoever gets it may write there what depends on the arguments.
                        if leads(self, operand) || may_lead_to_floats(self, func, memory, *operand) {
                            need.push(*operand);
                            changed |= self.take_for_structure(memory, handed_over(memory, &memory.reach(*operand)));
                        }
                    }
                }
                _ => {}
            }
        }
        for val in need {
            changed |= matches!(val, Val::Inst(_)) && self.give_shadow(memory, val);
            if let Val::Inst(id) = val
                && !memory.points_to(val).is_empty()
                && !may_hold_only_floats(func.inst(id).ty)
            {
                changed |= !std::mem::replace(&mut self.needed[id.0 as usize], true);
            }
        }
        changed
    }

    /// Bytes that are moved by themselves out of memory with pointers may be those of a pointer, as where other variants have small fields at its place: they
    /// are moved in the shadow too, or its pointer would be put together from the primal's and its own.
    fn need_pieces(&mut self, func: &Func, memory: &Memory, stored: Val) -> bool {
        let size = |val: Val| func.module().store_size_of(func.ty(val)) as i64;
        if !func.ty(stored).is_int() || size(stored) >= POINTER {
            return false;
        }
        let (leaves, moves) = leaves(func, stored);
        let is_piece = |leaf: &InstId| {
            let load = func.inst(*leaf);
            matches!(load.op, Op::Load)
                && !tag::is_number_of_source(load.value)
                && self.is_shadowed_behind(memory, load.operands[0])
        };
        let loads = leaves.iter().filter_map(|leaf| if let Val::Inst(id) = leaf { Some(*id) } else { None });
        let pieces: Vec<InstId> = loads.filter(is_piece).collect();
        let mut changed = false;
        if !pieces.is_empty() {
            for id in pieces.into_iter().chain(moves) {
                changed |= !std::mem::replace(&mut self.needed[id.0 as usize], true);
            }
        }
        changed
    }

    /// Whether a callee leaves pointers to memory that has shadows where a pointer with a shadow is looked for, as a store would: they are left in the shadow too.
    pub(super) fn leaves_pointers(&self, func: &Func, memory: &Memory, call: InstId) -> bool {
        let has = |node: &Node, all: &ObjectSet| memory.node(func, call, *node).iter().any(|o| all.contains(o));
        matches!(func.inst(call).op, Op::Call(Callee::Body(_) | Callee::Indirect(Some(_))))
            && memory.summary(call).into_iter().flat_map(|summary| &summary.left).any(|((place, _), put)| {
                has(place, &self.structural) && put.iter().any(|(node, _)| has(node, &self.shadowed))
            })
    }

    /// Whether a load reads the length that stands behind the pointer of a slice or vector inside of an argument with a shadow. The
    /// shadow's must be the same, or what the primal does within bounds is out of bounds in the shadow. (What is only moved, or made a pointer, may be
    /// the pointer of another variant, or nothing at all: in memory of the function's own the shadow's moves with it. And what is read before the
    /// variant is known may be nothing as well.)
    pub fn is_length(&self, func: &Func, memory: &Memory, id: InstId) -> bool {
        let inst = func.inst(id);
        let is_pointer = |user: &InstId| matches!(func.inst(*user).op, Op::Integer(Opcode::LLVMIntToPtr));
        let moves =
            |user: &InstId| matches!(func.inst(*user).op, Op::Store) && func.inst(*user).operands[0] == Val::Inst(id);
        let is_users = || memory.points_to(inst.operands[0]).iter().any(|o| self.is_outside(o));
        let is_moved = || !is_users() && func.users[id.0 as usize].iter().all(moves);
        let tells_variant = |id: InstId| {
            let other = func.inst(id);
            matches!(other.op, Op::Load)
                && (Tag::of(other.value).is_some() || (other.ty.bits() == 64 && tag::may_tell(other.value)))
                && memory.points_to(other.operands[0]).iter().any(|o| memory.points_to(inst.operands[0]).contains(o))
        };
        // The pointer before it may be a float.
        let is_beside_float = |o: ObjectId| {
            let spot = memory::spot_of(func, inst.operands[0]);
            memory.all_cells(o).any(|(at, cell)| {
                matches!(cell, memory::Cell::Float(_))
                    && memory::overlap(Spot { offset: spot.offset - 8, ..spot }, 8, at, cell.bytes() as i64)
            })
        };
        let is_of_variant = || {
            let is_later = |id: &InstId| {
                let user = func.inst(*id);
                matches!(user.op, Op::Phi) || user.block != inst.block || (moves(id) && !is_users())
            };
            func.users[id.0 as usize].iter().all(is_later)
                && (memory.points_to(inst.operands[0]).iter().any(is_beside_float)
                    || func.inst_ids().any(tells_variant))
        };
        matches!(inst.op, Op::Load)
            && inst.ty.bits() == 64
            && !self.is_word(Val::Inst(id))
            && !tag::is_word(inst.value)
            && !tag::is_field(inst.value)
            && Tag::of(inst.value).is_none()
            && !func.users[id.0 as usize].iter().any(is_pointer)
            && !is_moved()
            && !is_of_variant()
            && self.is_length_at(func, memory, inst.operands[0])
            && !self.is_counted(func, memory, inst.operands[0])
    }

    /// Whether the function changes a number at an address that the shadow does not follow.
    fn is_counted(&self, func: &Func, memory: &Memory, address: Val) -> bool {
        let (spot, set) = (memory::spot_of(func, address), memory.points_to(address));
        func.inst_ids().any(|id| {
            let inst = func.inst(id);
            matches!(inst.op, Op::Store)
                && self.is_users_number(func, memory, id)
                && memory::spot_of(func, inst.operands[1]) == spot
                && memory.points_to(inst.operands[1]) == set
        })
    }

    /// Finds the loads of capacities of vectors of the user's that the function makes longer or shorter. The shadow's must be the same, as it
    /// is the primal's that says whether there is room for one more.
    fn find_capacities(&mut self, func: &Func, memory: &Memory) {
        let changes = |id| {
            matches!(func.inst(id).op, Op::Store | Op::MemCopy | Op::Call(Callee::Body(_)))
                && func.block(func.inst(id).block).returns
                && self.may_change_structure(func, memory, id)
        };
        if self.fixed || !func.inst_ids().any(changes) {
            return;
        }
        for id in func.inst_ids() {
            let inst = func.inst(id);
            if matches!(inst.op, Op::Load)
                && inst.ty.bits() == 64
                && !tag::is_word(inst.value)
                && self.tag(id).is_none()
                && may_be_room(func, id)
                && self.is_beside_pointer(func, memory, inst.operands[0], -8)
                && memory.points_to(inst.operands[0]).iter().all(|o| self.is_outside(o))
            {
                self.capacities.insert(id);
            }
        }
    }

    /// Finds the loads of pointers from the user's memory through which floats with adjoints are accessed. The shadow's pointer must lead
    /// elsewhere: a clone of an `Rc`, or of a struct with references, leads to the primal's own floats. Where constant memory is
    /// met, which is told by such a pointer, that is so of all pointers to what is active, and of tangents too.
    fn find_apart(&mut self, func: &Func, memory: &Memory) {
        let meets_constants = self.meets_constants(func, memory);
        if !self.fixed && !meets_constants {
            return;
        }
        // A global has no shadow, nor has what stands for constant memory's own.
        let is_global = |o: ObjectId| matches!(memory.objects[o.0 as usize], Object::Global(_));
        for id in func.inst_ids() {
            let inst = func.inst(id);
            if matches!(inst.op, Op::Load)
                && inst.ty.is_pointer()
                && self.needed[id.0 as usize]
                && !memory.points_to(inst.operands[0]).is_empty()
                && memory.points_to(inst.operands[0]).iter().all(|o| self.is_outside(o) && !is_global(o))
                && (self.leads_to_float(func, id)
                    || (meets_constants && self.any_active(&memory.points_to(Val::Inst(id)))))
            {
                self.apart.insert(id);
            }
        }
    }

    /// Whether an active float is read through a pointer.
    fn leads_to_float(&self, func: &Func, pointer: InstId) -> bool {
        func.users[pointer.0 as usize].iter().any(|user| {
            let inst = func.inst(*user);
            match inst.op {
                Op::Load => may_hold_floats(inst.ty) && self.is_active(Val::Inst(*user)),
                Op::Gep => inst.operands[0] == Val::Inst(pointer) && self.leads_to_float(func, *user),
                _ => false,
            }
        })
    }

    /// Whether the pointer that a load reads must lead elsewhere in the shadow.
    pub fn is_apart(&self, id: InstId) -> bool {
        self.apart.contains(&id)
    }

    /// Whether an instruction, or what it calls, may change pointers or lengths of the user's.
    fn may_change_structure(&self, func: &Func, memory: &Memory, id: InstId) -> bool {
        let inst = func.inst(id);
        match inst.op {
            Op::Call(_) => inst.operands.iter().any(|v| {
                let set = memory.points_to(*v);
                set.iter().any(|o| self.is_outside(o)) && memory.has_pointers(&set)
            }),
            _ => self.changes_structure(func, memory, id),
        }
    }

    /// Whether a load reads such a capacity.
    pub fn is_capacity(&self, id: InstId) -> bool {
        self.capacities.contains(&id)
    }

    /// Whether an address is the place of such a length. (How often a `RefCell` is borrowed may stand there as well.)
    pub(super) fn is_length_at(&self, func: &Func, memory: &Memory, address: Val) -> bool {
        let is_count = || {
            let (set, spot) = (memory.points_to(address), memory::spot_of(func, address));
            self.borrows.iter().any(|(objects, at)| *at == spot && *objects == set)
        };
        self.is_beside_pointer(func, memory, address, 8) && !is_count()
    }

    /// Whether an address lies so many bytes behind a pointer to what carries derivatives, in memory whose shadow the user keeps.
    /// (What is handed on by a caller has a shadow that the derivative makes, in which a place may not be written where the primal has a number.)
    fn is_beside_pointer(&self, func: &Func, memory: &Memory, address: Val, distance: i64) -> bool {
        let set = memory.points_to(address);
        let spot = memory::spot_of(func, address);
        !set.is_empty()
            && set.iter().all(|object| {
                let pointer = |(at, cells): (&memory::Spot, &Vec<memory::Cell>)| {
                    let beside = at.offset + distance;
                    let beside = if at.stride > 0 { beside.rem_euclid(at.stride as i64) } else { beside };
                    at.stride == spot.stride && beside == spot.offset && cells.contains(&memory::Cell::Pointer)
                };
                self.is_outside(object)
                    && memory.cells_of(object).iter().any(pointer)
                    && self.any_active(&memory.content[object.0 as usize])
            })
    }
}
