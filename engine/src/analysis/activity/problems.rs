//! What speaks against the derivative of a function.

use super::statics::is_static;
use super::words::floats_met;
use super::{Activity, Interface, ParamActivity, Users, holds_pointer, leaves, may_hold_floats};
use crate::analysis::bits::{self, NARROWEST};
use crate::analysis::globals::may_be_of_floats;
use crate::analysis::memory::{self, Cell, Memory, Object, ObjectId, ObjectSet, Way};
use crate::analysis::spot::roots_of;
use crate::ir::{Callee, Func, InstId, Op, Val, tag};
use crate::llvm::{Opcode, Type};
use crate::maps::HashSet;
use crate::rule::{Effect, Family};

/// Why a function cannot be differentiated as asked.
#[derive(Clone, Debug)]
pub enum Problem {
    /// Bits of an active float are moved or computed with as an integer.
    Bits(InstId),
    /// A float is put together from pieces of the bits of an active one.
    Pieces(InstId),
    /// Bits that may be a constant float's or a number are stored where active floats lie: nothing says whether they are the tangent.
    Unclear(InstId),
    /// An active value is stored into a static.
    Static(InstId),
    /// Memory with and memory without a shadow meet in one pointer.
    Mixed(InstId),
    /// An active value goes through an operation without a derivative.
    Unsupported(InstId),
    /// An active value goes into a call that cannot be looked into.
    Call(InstId),
    /// An active value is stored into memory that the caller declared constant, and read back.
    Lost(InstId),
    /// A pointer or length in memory that the user handed over is changed: its shadow would have to follow, and be another afterwards
    /// than the one that the user looks at.
    Structure(InstId),
    /// An enum in such memory may become another variant, and nobody keeps in its shadow which one it was.
    Variant(InstId),
    /// Active values lie in memory that a function with a rule has made, and nothing makes a shadow of it.
    Made(InstId),
    /// A float is read or written through a pointer of which nothing is known.
    Nowhere(InstId),
    /// An address of active memory is handed on or kept as a number, and its shadow is not.
    Address(InstId),
}

/// The address and the type of an access.
fn accessed(func: &Func, id: InstId) -> (Val, Type) {
    let inst = func.inst(id);
    match inst.op {
        Op::Load => (inst.operands[0], inst.ty),
        _ => (inst.operands[1], func.ty(inst.operands[0])),
    }
}

/// Whether a float is accessed through a pointer that leads to no object.
fn is_nowhere(func: &Func, memory: &Memory, id: InstId) -> bool {
    let (address, ty) = accessed(func, id);
    // Constant addresses are those of empty slices, never followed.
    may_hold_floats(ty)
        && memory.points_to(address).is_empty()
        && matches!(memory::rooted_spot(func, address).0, Val::Inst(_))
}

/// Whether an address lies in memory of the function's own alone.
fn is_of_own(func: &Func, memory: &Memory, address: Val) -> bool {
    let is_own = |o: ObjectId| match memory.objects[o.0 as usize] {
        Object::Stack(_) => true,
        Object::Heap(made) => matches!(func.inst(made).op, Op::Call(Callee::Effect(Effect::Allocate { .. }))),
        _ => false,
    };
    let set = memory.points_to(address);
    !set.is_empty() && set.iter().all(|o| is_own(o) && !memory.escapes(o))
}

/// Whether an address lies on a tape of the function's own alone. (Where nobody has put a pointer there, what would have put it is never reached.)
fn is_on_tape(func: &Func, memory: &Memory, address: Val) -> bool {
    let is_tape = |o: ObjectId| match memory.objects[o.0 as usize] {
        Object::Heap(made) => {
            matches!(func.inst(made).op, Op::Call(Callee::Effect(Effect::Allocate { family: Family::Tape, .. })))
        }
        _ => false,
    };
    memory.points_to(address).iter().all(is_tape)
}

/// Whether an address is what nobody ever follows: it comes out of memory of the function's own where null is put and nothing else, or nothing at all on a tape, or is
/// found behind such.
fn is_behind_null(func: &Func, memory: &Memory, address: Val) -> bool {
    let (mut open, mut seen) = (vec![address], HashSet::default());
    while let Some(address) = open.pop() {
        for leaf in pointers(func, address) {
            let id = match leaf {
                Val::Inst(id) if matches!(func.inst(id).op, Op::Load) => id,
                _ => return false,
            };
            if seen.insert(id) && memory.points_to(leaf).is_empty() {
                let from = func.inst(id).operands[0];
                match memory.points_to(from).is_empty() {
                    true => open.push(from),
                    false
                        if is_of_own(func, memory, from)
                            && (memory.may_be_null(leaf) || is_on_tape(func, memory, from)) => {}
                    false => return false,
                }
            }
        }
    }
    true
}

/// What a pointer may be counted from, without the numbers that it was in between.
fn pointers(func: &Func, pointer: Val) -> Vec<Val> {
    let cast = |leaf: Val| match leaf {
        Val::Inst(id) if matches!(func.inst(id).op, Op::Integer(Opcode::LLVMIntToPtr)) => {
            leaves(func, func.inst(id).operands[0]).0
        }
        leaf => vec![leaf],
    };
    roots_of(func, pointer).into_iter().flat_map(cast).collect()
}

impl Activity {
    /// Whether an instruction may change pointers or lengths in memory whose shadow the user keeps.
    pub(super) fn changes_structure(&self, func: &Func, memory: &Memory, id: InstId) -> bool {
        let inst = func.inst(id);
        let (address, is_copy) = match inst.op {
            Op::MemCopy => (inst.operands[0], true),
            _ => (inst.operands[1], false),
        };
        let set = memory.written_at(address);
        if !set.iter().any(|o| self.is_outside(o) && !memory.is_of_plain_floats(o)) {
            return false;
        }
        if is_copy {
            let pointer = |cell: &Cell| matches!(cell, Cell::Pointer).then_some(8);
            let meets = match inst.operands[2] {
                Val::Const(bytes) => bytes.as_i64().is_none_or(|bytes| memory.meets(func, address, bytes, &pointer)),
                _ => true,
            };
            return memory.has_pointers(&set) && meets && self.leads_to_active(memory, &set);
        }
        let ty = func.ty(inst.operands[0]);
        let moves_pointer = holds_pointer(ty) && self.any_active(&memory.reach(inst.operands[0]));
        moves_pointer || (ty.bits() == 64 && !tag::is_field(inst.value) && self.is_length_at(func, memory, address))
    }

    /// Whether an instruction may make an enum another variant in memory whose shadow the user keeps, of a type that nobody knows: whether it stores what may tell one, or
    /// copies structure.
    fn changes_variant(&self, func: &Func, memory: &Memory, id: InstId) -> bool {
        if self.untold[1].is_empty() {
            return false;
        }
        let inst = func.inst(id);
        let address = if matches!(inst.op, Op::MemCopy) { inst.operands[0] } else { inst.operands[1] };
        let set = memory.points_to(address);
        let sizes = |o: ObjectId| &self.untold[usize::from(!memory.is_pointed_to(o))];
        let mut untold = set.iter().filter(|o| self.is_outside(*o) && !sizes(*o).is_empty());
        if matches!(inst.op, Op::MemCopy) {
            return untold.next().is_some() && memory.has_floats(&set) && memory.has_structure(&set);
        }
        let value = inst.operands[0];
        let size = func.module().store_size_of(func.ty(value));
        let is_cast = |opcode: Opcode| matches!(opcode, Opcode::LLVMZExt | Opcode::LLVMSExt | Opcode::LLVMTrunc);
        // A number that is counted tells no variant.
        let may_tell = |leaf: Val| match leaf {
            Val::Inst(id) => !matches!(func.inst(id).op, Op::Integer(opcode) if !is_cast(opcode)),
            _ => true,
        };
        func.ty(value).is_int()
            && untold.any(|o| sizes(o).contains(&size))
            && !tag::is_field(inst.value)
            && memory.has_floats(&set)
            && floats_met(func, memory, address, func.ty(value)).is_none()
            && leaves(func, value).0.into_iter().all(may_tell)
    }

    /// Whether pointers in a set of objects lead to active memory.
    fn leads_to_active(&self, memory: &Memory, set: &ObjectSet) -> bool {
        set.iter().any(|o| self.any_active(&memory.content[o.0 as usize]))
    }

    /// Whether an object is memory whose shadow the user keeps, and may hold structure.
    pub fn is_outside(&self, object: ObjectId) -> bool {
        self.users[object.0 as usize].structure
    }

    /// Whether an object is memory whose shadow the user keeps, or floats alone: there floats have adjoints from the start.
    pub fn is_users_object(&self, object: ObjectId) -> bool {
        let Users { structure, floats } = self.users[object.0 as usize];
        structure || floats
    }

    /// Whether an object is the memory of the result, whose shadow holds adjoints from the start in reverse mode: it is written to for good, so
    /// the forward sweep leaves its shadow alone, and nothing there is told from floats by it.
    pub fn is_result(&self, memory: &Memory, object: ObjectId) -> bool {
        matches!(memory.objects[object.0 as usize], Object::Param(i)
            if self.fixed && self.results[i as usize] && self.params[i as usize] == ParamActivity::Dup)
    }

    /// Whether an address may lie in the result's memory.
    pub fn may_be_result(&self, memory: &Memory, address: Val) -> bool {
        memory.points_to(address).iter().any(|o| self.is_result(memory, o))
    }

    /// Whether memory without a shadow carries derivatives, and some of these pointers lead there without one. (By pointers with a shadow it is checked.)
    fn is_lost(&self, memory: &Memory, set: &ObjectSet, pointers: &[Val]) -> bool {
        let is_bare = |v: &Val, o: ObjectId| !self.has_shadow(*v) && memory.reach(*v).contains(o);
        let is_checked = |o: ObjectId| self.is_own_shadow(memory, o) && !pointers.iter().any(|v| is_bare(v, o));
        set.iter().any(|o| {
            self.is_active_object(o)
                && !memory.is_text(o)
                && !is_checked(o)
                && memory.objects[o.0 as usize].param().is_some_and(|i| self.params[i as usize] != ParamActivity::Dup)
        })
    }

    /// Whether a float is accessed through a pointer that leads to no object: its derivative would be lost without a trace.
    fn is_nowhere(&self, func: &Func, memory: &Memory, id: InstId) -> bool {
        is_nowhere(func, memory, id) && !self.is_of_no_variant(func, memory, id)
    }

    /// Whether such a pointer is that of a variant that memory of the function's own never holds: nobody has put a pointer there, or null alone and the access
    /// is behind that. Whoever comes there all the same is stopped.
    pub fn is_of_no_variant(&self, func: &Func, memory: &Memory, id: InstId) -> bool {
        let is_of_own = |leaf: &Val| match leaf {
            Val::Inst(id) if matches!(func.inst(*id).op, Op::Load) => {
                let from = func.inst(*id).operands[0];
                is_of_own(func, memory, from) || is_behind_null(func, memory, from)
            }
            _ => false,
        };
        matches!(func.inst(id).op, Op::Load | Op::Store)
            && is_nowhere(func, memory, id)
            && pointers(func, accessed(func, id).0).iter().all(is_of_own)
    }

    /// Whether floats may lie in an object that has no shadow.
    pub(super) fn is_bare(&self, func: &Func, memory: &Memory, object: ObjectId) -> bool {
        match memory.objects[object.0 as usize] {
            Object::Param(_) | Object::Path(..) | Object::Behind(_) => self.is_bare_param(memory, object),
            Object::Global(v) => may_be_of_floats(v),
            Object::Heap(id) if matches!(func.inst(id).op, Op::Call(Callee::Custom(_))) => {
                memory.has_floats(&ObjectSet::of(object)) && self.leaves_bare(func, id)
            }
            Object::Stack(id) | Object::Heap(id) => {
                // What a call makes gets its shadow there; what has no derivative makes texts and the like.
                let made = &func.inst(id).op;
                !matches!(
                    made,
                    Op::Call(
                        Callee::Body(_)
                            | Callee::Effect(Effect::Inactive | Effect::Text { .. } | Effect::Private { .. })
                    )
                ) && memory.has_floats(&ObjectSet::of(object))
                    && !memory.is_of_bytes(object)
                    && !self.needed[id.0 as usize]
            }
        }
    }

    /// Whether a function with a rule may hand over memory of its own that pointers with a shadow lead to, and that gets none.
    fn leaves_bare(&self, func: &Func, call: InstId) -> bool {
        let inst = func.inst(call);
        let Op::Call(Callee::Custom(custom)) = &inst.op else { return false };
        let in_result = custom.result_refers() && custom.shadow_of_result().is_none();
        in_result || custom.changed().any(|group| self.has_shadow(inst.operands[group.pointer]))
    }

    /// Sets of objects of which all must have shadows if any has: what a pointer with a shadow may lead to where pointers are joined, and what a
    /// callee finds behind an argument with a shadow.
    pub(super) fn met(&self, func: &Func, memory: &Memory, id: InstId) -> Vec<ObjectSet> {
        let inst = func.inst(id);
        let mut met = Vec::new();
        let joins = matches!(inst.op, Op::Phi | Op::Select | Op::Load | Op::Call(_)) && inst.ty.is_pointer();
        if joins && self.needed[id.0 as usize] {
            let set = memory.points_to(Val::Inst(id));
            met.extend(self.any_active(&set).then_some(set));
        }
        if let Op::Call(Callee::Body(_)) = inst.op
            && self.is_active_call(func, memory, id)
        {
            let operands = inst.operands.iter().enumerate();
            let seen = operands.filter(|(i, v)| self.has_shadow(**v) && memory.looks_behind(id, *i as u32));
            met.extend(seen.map(|(_, v)| memory.behind(*v)));
        }
        met
    }

    /// What cannot be differentiated as it stands.
    pub fn problems(&self, func: &Func, memory: &Memory) -> Vec<Problem> {
        let mut problems = Vec::new();
        for id in func.inst_ids() {
            let inst = func.inst(id);
            if !func.block(inst.block).returns {
                continue;
            }
            let active = self.is_active(Val::Inst(id));
            if self.keeps_in_static(func, memory, id) {
                problems.push(Problem::Static(id));
                continue;
            }
            if self.loses_address(func, memory, id) || self.halves_pointer(func, memory, id) {
                problems.push(Problem::Address(id));
                continue;
            }
            if self.misuses_word(func, memory, id) {
                problems.push(Problem::Bits(id));
                continue;
            }
            if self.loses_pointer(func, memory, id) {
                problems.push(Problem::Lost(id));
                continue;
            }
            match &inst.op {
                Op::Integer(_) | Op::Load if active && !may_hold_floats(inst.ty) => problems.push(Problem::Bits(id)),
                Op::BitCast if active && !inst.operands.iter().all(|v| func.ty(*v).is_float_or_vector()) => {
                    problems.push(Problem::Bits(id));
                }
                Op::BitCast
                    if self.useful[id.0 as usize]
                        && inst.ty.is_float()
                        && self.is_loaded_as_pointer(func, memory, inst.operands[0]) =>
                {
                    problems.push(Problem::Bits(id));
                }
                Op::Store
                    if self.any_useful(&memory.points_to(inst.operands[1]))
                        && self.is_loaded_as_pointer(func, memory, inst.operands[0])
                        && self.accesses_float_bits(func, memory, id) =>
                {
                    problems.push(Problem::Bits(id));
                }
                Op::Phi | Op::Select | Op::Copy if active && inst.ty.is_int() => problems.push(Problem::Bits(id)),
                Op::Store
                    if self.any_useful(&memory.written_at(inst.operands[1]))
                        && self.is_of_lanes(func, memory, inst.operands[0]) =>
                {
                    problems.push(Problem::Bits(id));
                }
                Op::Load | Op::Store if self.is_nowhere(func, memory, id) => problems.push(Problem::Nowhere(id)),
                Op::Other(_) if active => problems.push(Problem::Unsupported(id)),
                Op::Store if self.is_varied(inst.operands[0]) => {
                    let set = memory.written_at(inst.operands[1]);
                    if self.is_lost(memory, &set, &inst.operands[1..]) {
                        problems.push(Problem::Lost(id));
                    } else if self.is_active(inst.operands[0]) && !may_hold_floats(func.ty(inst.operands[0])) {
                        problems.push(Problem::Bits(id));
                    }
                }
                // One of two shadows would have to be written to, and the other not.
                Op::Store
                    if self.may_be_result(memory, inst.operands[1])
                        && self.is_mixed_at(func, memory, inst.operands[1], func.ty(inst.operands[0]))
                        && !memory.points_to(inst.operands[1]).iter().all(|o| self.is_result(memory, o)) =>
                {
                    problems.push(Problem::Bits(id));
                }
                Op::Store if self.fixed && self.changes_structure(func, memory, id) => {
                    problems.push(Problem::Structure(id))
                }
                Op::MemCopy if self.fixed && self.changes_structure(func, memory, id) => {
                    problems.push(Problem::Structure(id))
                }
                Op::Store | Op::MemCopy if self.fixed && self.changes_variant(func, memory, id) => {
                    problems.push(Problem::Variant(id));
                }
                Op::MemCopy if self.is_lost(memory, &memory.written_at(inst.operands[0]), &inst.operands[..1]) => {
                    problems.push(Problem::Lost(id));
                }
                Op::Call(Callee::Body(_)) if self.is_lost(memory, &memory.effects(id).written, &inst.operands) => {
                    problems.push(Problem::Lost(id));
                }
                Op::Call(Callee::Custom(custom)) => {
                    let places = |val: Val| memory.points_to(val);
                    let nowhere =
                        |val: Val| places(val).is_empty() && matches!(memory::rooted_spot(func, val).0, Val::Inst(_));
                    if custom.shadowed().any(|g| nowhere(inst.operands[g.pointer])) {
                        problems.push(Problem::Nowhere(id));
                    } else if self.is_active_call(func, memory, id)
                        && custom
                            .outputs()
                            .any(|g| places(inst.operands[g.pointer]).iter().any(|o| is_static(memory, o)))
                    {
                        problems.push(Problem::Static(id));
                    } else if memory.made_by(id).any(|(_, made)| self.is_active_object(made))
                        && self.leaves_bare(func, id)
                    {
                        problems.push(Problem::Made(id));
                    }
                }
                Op::Call(Callee::Unknown(_) | Callee::Indirect(_) | Callee::Assembly)
                | Op::Call(Callee::Effect(Effect::Reallocate { .. } | Effect::Copy { .. } | Effect::Fill { .. }))
                    if self.is_active_call(func, memory, id) =>
                {
                    problems.push(Problem::Call(id));
                }
                _ => {}
            }
            let is_mixed =
                |set: &ObjectSet| set.iter().any(|o| self.is_bare(func, memory, o) && !self.is_own_shadow(memory, o));
            if self.met(func, memory, id).iter().any(is_mixed) || self.takes_a_shadow(func, memory, id) {
                problems.push(Problem::Mixed(id));
            }
        }
        // What is wrong with the bits themselves says more.
        if !problems.iter().any(|p| matches!(p, Problem::Bits(_))) {
            problems.extend(self.floats_of_pieces(func, memory).into_iter().map(Problem::Pieces));
        }
        problems.extend(self.foreign_pieces.iter().map(|id| Problem::Bits(*id)));
        problems.extend(self.unclear.iter().map(|id| Problem::Unclear(*id)));
        problems
    }

    /// Whether integers side by side, as wide as floats, are computed from bits of floats that depend on the inputs. (What they mean for a float that is read where they
    /// are stored, nothing tells; those that mean something known are floats by now.)
    fn is_of_lanes(&self, func: &Func, memory: &Memory, val: Val) -> bool {
        let is_row = |val: Val| {
            let ty = func.ty(val);
            ty.is_vector() && ty.element().is_int() && u64::from(ty.element().bits()) >= 8 * NARROWEST
        };
        let (mut open, mut seen) = (vec![(val, false)], HashSet::default());
        while let Some((val, is_computed)) = open.pop() {
            let Val::Inst(id) = val else { continue };
            if !is_row(val) || !seen.insert((val, is_computed)) {
                continue;
            }
            let inst = func.inst(id);
            match &inst.op {
                Op::BitCast if is_row(inst.operands[0]) => open.push((inst.operands[0], is_computed)),
                Op::BitCast if is_computed && self.is_varied(inst.operands[0]) => return true,
                Op::Load if is_computed && self.any_varied(&memory.points_to(inst.operands[0])) => return true,
                Op::BitCast | Op::Load => {}
                Op::Phi | Op::Copy => open.extend(inst.operands.iter().map(|v| (*v, is_computed))),
                _ => open.extend(inst.operands.iter().map(|v| (*v, true))),
            }
        }
        false
    }

    /// Floats that matter and are put together from pieces of such as depend on the inputs.
    fn floats_of_pieces(&self, func: &Func, memory: &Memory) -> Vec<InstId> {
        let known = bits::Known {
            bound: &self.float_bound,
            varies: &|val| self.is_varied(val),
            holds: &|object| self.is_varied_object(object),
            is_checked: &|id| self.pieces[id.0 as usize] || self.computed[id.0 as usize],
        };
        // A store or a copy has no use of its own.
        let written = |id: InstId| match func.inst(id).op {
            Op::Store => memory.written_at(func.inst(id).operands[1]),
            Op::MemCopy => memory.written_at(func.inst(id).operands[0]),
            _ => memory.effects(id).written.clone(),
        };
        let matters = |id: &InstId| self.useful[id.0 as usize] || self.any_useful(&written(*id));
        bits::floats_of_pieces(func, memory, &known).into_iter().filter(matters).collect()
    }

    /// Whether a number was loaded as a pointer from memory that holds active values, or is a part of such a one: it may be the bits of one of them.
    fn is_loaded_as_pointer(&self, func: &Func, memory: &Memory, number: Val) -> bool {
        let is_loaded = |leaf: Val| match leaf {
            Val::Inst(id) if matches!(func.inst(id).op, Op::Load) && func.inst(id).ty.is_pointer() => {
                memory.points_to(func.inst(id).operands[0]).iter().any(|o| self.is_varied_object(o))
            }
            _ => false,
        };
        let (mut open, mut seen) = (vec![number], HashSet::default());
        while let Some(number) = open.pop() {
            if !func.ty(number).is_int() {
                continue;
            }
            for leaf in leaves(func, number).0 {
                let Val::Inst(id) = leaf else { continue };
                let first = func.inst(id).operands.first();
                match func.inst(id).op {
                    Op::Integer(Opcode::LLVMPtrToInt)
                        if leaves(func, func.inst(id).operands[0]).0.into_iter().any(is_loaded) =>
                    {
                        return true;
                    }
                    Op::Integer(Opcode::LLVMTrunc | Opcode::LLVMLShr) if seen.insert(id) => open.extend(first),
                    _ => {}
                }
            }
        }
        false
    }

    /// Whether an instruction does more with a word than to move it, and what comes out matters; or moves it where words cannot be told
    /// from structure.
    fn misuses_word(&self, func: &Func, memory: &Memory, id: InstId) -> bool {
        let inst = func.inst(id);
        if !inst.operands.iter().any(|v| self.is_word(*v)) {
            return false;
        }
        match &inst.op {
            Op::Store => {
                let (value, address) = (inst.operands[0], inst.operands[1]);
                let set = memory.points_to(address);
                self.is_word(value)
                    && self.any_active(&set)
                    && (self.accesses_float_bits(func, memory, id) || tag::is_word(inst.value))
                    && !self.takes_words(func, memory, id)
            }
            Op::Phi | Op::Copy => false,
            Op::Select => {
                inst.operands[1..].iter().any(|v| self.is_word(*v))
                    && !self.is_word(Val::Inst(id))
                    && self.is_active(Val::Inst(id))
            }
            Op::Call(Callee::Custom(_)) => false,
            Op::Call(Callee::Body(callee)) => {
                let mut words = (0..).zip(&inst.operands).filter(|(_, v)| self.is_word(**v));
                self.is_active_call(func, memory, id)
                    && words.any(|(index, _)| !bits::is_number(memory.summary(id), *callee, index))
            }
            Op::Call(Callee::Unknown(_) | Callee::Indirect(_)) => self.is_active_call(func, memory, id),
            Op::Return => self.result,
            _ => self.is_active(Val::Inst(id)),
        }
    }
}

/// What a caller tells of the memory behind one of its arguments, by the longest way to it that it tells of.
pub(super) fn told_of_way<T: Copy>(memory: &Memory, object: ObjectId, ways: &[(u32, Way, [T; 2])]) -> Option<T> {
    let (param, way) = memory.way_to(object)?;
    let leads_there = |(of, told, _): &&(u32, Way, [T; 2])| *of == param && way.starts_with(told.spots());
    let (_, told, all) = ways.iter().filter(leads_there).max_by_key(|(_, told, _)| told.spots().len())?;
    Some(all[usize::from(told.spots().len() < way.len())])
}

/// What of each object is the user's.
pub(super) fn users_of(memory: &Memory, interface: &Interface) -> Vec<Users> {
    let of_object = |(index, object): (u32, &Object)| {
        let param = object.param().filter(|i| interface.params[*i as usize] == ParamActivity::Dup);
        let Some([direct, behind]) = param.map(|i| interface.outside[i as usize]) else { return Users::default() };
        match object {
            Object::Param(_) => direct,
            _ => told_of_way(memory, ObjectId(index), &interface.ways).unwrap_or(behind),
        }
    };
    (0..).zip(&memory.objects).map(of_object).collect()
}
