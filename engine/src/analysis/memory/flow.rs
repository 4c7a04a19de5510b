//! Which objects each value may point to: the rounds of the analysis.

use super::calls::{arguments, is_opaque, is_plain_floats, only_reads, summarised_callee};
use super::fields::{Found, POINTER};
use super::left::Left;
use super::{Fields, Known, Made, Memory, Object, ObjectId, ObjectSet, Paths};
use crate::analysis::bits::has_range;
use crate::analysis::globals;
use crate::analysis::spot::is_of_floats;
use crate::ir::given;
use crate::ir::is_bare;
use crate::ir::looks::Looks;
use crate::ir::table::{is_out_of_vtable, is_table};
use crate::ir::tag::{is_number_of_source, is_word, moves_numbers};
use crate::ir::{Callee, Func, Inst, InstId, Op, Val};
use crate::llvm::{Opcode, Place, Type, Value};
use crate::maps::{HashMap, HashSet};
use crate::rule::Effect;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

/// Instructions that are followed to see what an integer is used for.
const COUNTED: usize = 16;

/// Whether a parameter is a function that is called, or a table of methods of which some are, or handed on to where the function calls itself: no memory that
/// anybody writes lies behind it.
fn is_of_function(func: &Func, param: usize) -> bool {
    let value = Val::Arg(param as u32);
    let is_self = |inst: &Inst| matches!(inst.op, Op::Call(Callee::Body(callee)) if callee == func.function);
    let mut users = func.inst_ids().filter(|id| func.inst(*id).operands.contains(&value)).peekable();
    users.peek().is_some()
        && users.all(|id| {
            let inst = func.inst(id);
            is_method(func, id) || is_only_as(inst, value, |at| is_self(inst) && at == param || is_callee(inst, at))
        })
}

/// Whether an instruction has a value only as such operands.
fn is_only_as(inst: &Inst, value: Val, is_such: impl Fn(usize) -> bool) -> bool {
    inst.operands.iter().enumerate().all(|(at, operand)| *operand != value || is_such(at))
}

/// Whether an operand is what a call through a pointer calls.
fn is_callee(inst: &Inst, at: usize) -> bool {
    at + 1 == inst.operands.len()
        && match inst.op {
            Op::Call(Callee::Indirect(_)) => true,
            Op::Call(Callee::Body(callee)) => is_table(callee),
            _ => false,
        }
}

/// Whether an instruction, directly or by an offset, loads a pointer out of what nobody ever changes, and that is only called.
fn is_method(func: &Func, id: InstId) -> bool {
    let (inst, users) = (func.inst(id), &func.users[id.0 as usize]);
    match inst.op {
        Op::Gep => users.iter().all(|user| matches!(func.inst(*user).op, Op::Load) && is_method(func, *user)),
        Op::Load => {
            let is_called = |user: &InstId| {
                let inst = func.inst(*user);
                is_only_as(inst, Val::Inst(id), |at| is_callee(inst, at))
            };
            inst.ty.is_pointer() && is_out_of_vtable(inst.value) && users.iter().all(is_called)
        }
        _ => false,
    }
}

impl Memory {
    pub(super) fn seed(func: &Func, known: &Known, for_summary: bool, plain: &[bool]) -> Memory {
        let noalias =
            (0..func.params.len() as u32).map(|i| func.function.has_attribute(Place::Param(i), "noalias")).collect();
        let functions: Vec<bool> = (0..func.params.len()).map(|i| is_of_function(func, i)).collect();
        let mut memory = Memory {
            objects: Vec::new(),
            content: Vec::new(),
            cells: Vec::new(),
            settled: Vec::new(),
            of_words: ObjectSet::default(),
            words: HashMap::default(),
            packed: ObjectSet::default(),
            rows: ObjectSet::default(),
            foreign: Vec::new(),
            plain: vec![0; func.params.len()],
            bare: (0..func.params.len()).map(|i| plain.get(i) == Some(&true) || functions[i]).collect(),
            mixed: vec![false; func.params.len()],
            texts: vec![false; func.params.len()],
            given: given::of(func.function),
            frozen: ObjectSet::default(),
            constants: ObjectSet::default(),
            of_text: ObjectSet::default(),
            floats: BTreeMap::new(),
            values: HashMap::default(),
            has_addresses: known.has_addresses,
            counted: counted(func, known.has_addresses),
            made_by_call: HashMap::default(),
            bytes: ObjectSet::default(),
            noalias,
            paths: Paths::default(),
            fields: Fields::default(),
            escaped: ObjectSet::default(),
            class: Vec::new(),
            left: Vec::new(),
            summaries: HashMap::default(),
            effects: HashMap::default(),
        };
        for (index, param) in func.params.iter().enumerate() {
            let ty = param.ty();
            if ty.is_pointer() || (for_summary && !ty.is_float_or_vector() && !is_narrow(ty)) {
                let direct = memory.add(Object::Param(index as u32));
                let behind = memory.add_behind(index as u32);
                memory.know(direct, None);
                memory.know(behind, None);
                if !memory.bare[index] && !memory.leads_nowhere(direct) {
                    memory.content[direct.0 as usize].insert(behind);
                }
                if !functions[index] {
                    memory.values.entry(Val::Arg(index as u32)).or_default().insert(direct);
                }
            }
        }
        for id in func.inst_ids() {
            let inst = func.inst(id);
            if let Some(callee) = summarised_callee(&inst.op)
                && let Some(summary) = (known.callee)(callee)
            {
                summary.globals.iter().for_each(|global| memory.global(Val::Const(*global)));
                memory.summaries.insert(id, summary);
            }
            let summarised = memory.summaries.contains_key(&id);
            let object = match &inst.op {
                Op::Alloca => Some(Object::Stack(id)),
                Op::Call(Callee::Effect(Effect::Allocate { .. } | Effect::Reallocate { .. })) => Some(Object::Heap(id)),
                // What a callee may have made, and returned or left behind pointers.
                Op::Call(Callee::Custom(custom)) if custom.leaves_nothing() => None,
                Op::Call(_) if is_opaque(&inst.op) && !summarised => {
                    memory.enter_made_by_opaque(func, id);
                    None
                }
                Op::Call(_) if summarised => {
                    for kind in memory.summaries[&id].makes() {
                        memory.enter_made(id, kind);
                    }
                    None
                }
                _ => None,
            };
            if let Some(object) = object {
                let object = memory.add(object);
                if begins_anywhere(inst) {
                    memory.bytes.insert(object);
                }
                if is_opaque(&inst.op) {
                    memory.content[object.0 as usize].insert(object);
                    memory.made_by_call.insert(id, BTreeMap::from([(Made::Mixed, object)]));
                }
                memory.values.entry(Val::Inst(id)).or_default().insert(object);
            }
            for operand in &inst.operands {
                memory.global(*operand);
            }
        }
        memory
    }

    /// Enters what an opaque call may make.
    pub(super) fn enter_made_by_opaque(&mut self, func: &Func, call: InstId) {
        let made = self.enter_made(call, Made::Mixed);
        self.keep(made, &ObjectSet::of(made));
        let ty = func.inst(call).ty;
        if !ty.is_void() && !ty.is_float_or_vector() {
            self.values.entry(Val::Inst(call)).or_default().insert(made);
        }
    }

    pub(super) fn add(&mut self, object: Object) -> ObjectId {
        self.objects.push(object);
        self.content.push(ObjectSet::default());
        self.left.push(Left::default());
        self.cells.push(BTreeMap::new());
        self.settled.push(BTreeSet::new());
        self.foreign.push(Vec::new());
        self.class.push(self.objects.len() as u32 - 1);
        ObjectId(self.objects.len() as u32 - 1)
    }

    /// Enters the object of a constant address.
    fn global(&mut self, val: Val) {
        let Val::Const(value) = val else { return };
        if self.values.contains_key(&val) {
            return;
        }
        for base in constant_bases(value) {
            let object = self.object_of(base);
            self.values.entry(val).or_default().insert(object);
        }
    }

    /// The object of a global, and what can be reached from its initial value.
    fn object_of(&mut self, global: Value) -> ObjectId {
        let known = self.objects.iter().position(|o| matches!(o, Object::Global(v) if *v == global));
        if let Some(known) = known {
            return ObjectId(known as u32);
        }
        let object = self.add(Object::Global(global));
        // Nobody writes to a constant. (All empty tables are one, which would otherwise make one of what any two of them hold.)
        if global.as_global().is_some_and(|global| global.is_constant()) {
            self.constants.insert(object);
            self.frozen.insert(object);
        }
        // What is put there when the program runs counts as a part of it.
        if global.as_function().is_none() && !globals::is_as_it_began(global) {
            self.content[object.0 as usize].insert(object);
        }
        for pointee in globals::pointees(global) {
            let found = self.object_of(pointee);
            self.content[object.0 as usize].insert(found);
        }
        object
    }

    /// What stands for constant memory's own shadow leads to memory of its own, to which nobody writes, and whatever is found there leads there again.
    fn flow_bare(&mut self, id: InstId, inst: &Inst) -> bool {
        let Some(function) = inst.value.called_function() else { return false };
        let object = self.object_of(function.value());
        self.content[object.0 as usize].insert(object);
        self.frozen.insert(object);
        self.flow(Val::Inst(id), &ObjectSet::of(object))
    }

    pub(super) fn flow(&mut self, to: Val, from: &ObjectSet) -> bool {
        !from.is_empty() && self.values.entry(to).or_default().union(from)
    }

    pub(super) fn round(&mut self, func: &Func) -> bool {
        let mut changed = false;
        for id in func.inst_ids() {
            let inst = func.inst(id);
            if !func.block(inst.block).returns {
                continue;
            }
            let result = Val::Inst(id);
            match &inst.op {
                Op::Gep => {
                    let set = self.points_to(inst.operands[0]);
                    changed |= self.flow(result, &set);
                }
                Op::Copy if is_bare(inst.value) => changed |= self.flow_bare(id, inst),
                Op::Phi
                | Op::Copy
                | Op::BitCast
                | Op::Extract(_)
                | Op::Insert(_)
                | Op::ExtractElement
                | Op::InsertElement
                | Op::Shuffle(_) => {
                    for operand in &inst.operands {
                        let set = self.points_to(*operand);
                        changed |= self.flow(result, &set);
                    }
                }
                Op::Select => {
                    for operand in &inst.operands[1..] {
                        let set = self.points_to(*operand);
                        changed |= self.flow(result, &set);
                    }
                }
                Op::Integer(opcode) if self.may_be_address(func, inst, *opcode) => {
                    for operand in &inst.operands {
                        let set = self.points_to(*operand);
                        changed |= self.flow(result, &set);
                    }
                }
                Op::Load
                    if may_be_addresses(inst.ty)
                        && (!is_narrow(inst.ty) || is_half(inst.value, inst.ty))
                        && !self.counted.contains(&id) =>
                {
                    let is_half = is_narrow(inst.ty);
                    let is_one = is_half || inst.ty.is_pointer() || inst.ty.is_int() && inst.ty.bits() == 64;
                    for object in self.points_to(inst.operands[0]).iter() {
                        let spot = if is_one { self.place(func, inst.operands[0], object) } else { None };
                        let found = match spot {
                            Some(spot) if is_half => Found::anywhere(self.found_at(object, spot, false).set),
                            Some(spot) => self.found_at(object, spot, inst.ty.is_pointer()),
                            None => Found::anywhere(self.content[object.0 as usize].clone()),
                        };
                        changed |= self.enter_loaded(result, &found);
                    }
                }
                Op::Store => {
                    let found = self.found(func, inst.operands[0]);
                    if !found.is_nothing() && !is_update(func, inst) {
                        let ty = func.ty(inst.operands[0]);
                        let is_one = ty.is_pointer() || ty.is_int() && matches!(ty.bits(), 32 | 64);
                        for object in self.written_at(inst.operands[1]).iter() {
                            let spot = if is_one { self.place(func, inst.operands[1], object) } else { None };
                            let place = spot.map(|spot| (spot, POINTER));
                            self.leave(object, place, &found);
                            changed |= self.hold_within(object, place, &found);
                        }
                    }
                }
                // Floats lead nowhere, nor do numbers.
                Op::MemCopy if is_of_floats(inst.value) => {}
                Op::MemCopy if !self.has_addresses && moves_numbers(inst.value) => {}
                Op::MemCopy => {
                    let ends = [inst.operands[0], inst.operands[1]];
                    let bytes = match inst.operands[2] {
                        Val::Const(value) => value.as_i64(),
                        _ => None,
                    };
                    for to in self.written_at(ends[0]).iter() {
                        for from in self.points_to(ends[1]).iter() {
                            let set = self.content[from.0 as usize].clone();
                            let (here, there) = (self.place(func, ends[0], to), self.place(func, ends[1], from));
                            let place = here.zip(bytes);
                            let found = Found::anywhere(set.clone());
                            if self.leads_nowhere(to) {
                                continue;
                            }
                            let is_callers = self.objects[to.0 as usize].param().is_some();
                            let apart = there.zip(place).filter(|_| is_callers);
                            let apart = apart.and_then(|(there, (_, bytes))| self.taken_along(from, there, bytes));
                            // A struct that is built here and returned: which of its pointers leads where is known.
                            match (apart, here) {
                                (Some(apart), Some(here)) => {
                                    for ((row, bytes), found) in &apart {
                                        let place = Some((row.within(here), *bytes));
                                        self.leave(to, place, found);
                                        changed |= self.keep_behind(to, place, found);
                                    }
                                }
                                _ => {
                                    self.leave(to, place, &found);
                                    changed |= self.keep_behind(to, place, &found);
                                }
                            }
                            changed |= self.content[to.0 as usize].union(&set);
                            changed |= self.copy_fields((to, here), (from, there), bytes);
                        }
                    }
                }
                Op::Call(_) if self.summaries.contains_key(&id) => {
                    changed |= self.follow_summary(func, id);
                }
                Op::Call(Callee::Effect(Effect::Text { again })) => changed |= self.follow_text(func, id, *again),
                op if is_opaque(op) => {
                    let (mut kept, mut written): (ObjectSet, ObjectSet) = Default::default();
                    let made = self.made_of_kind(id, Made::Mixed);
                    kept.extend(made);
                    for (index, operand) in arguments(inst).iter().enumerate() {
                        if self.is_number(func, *operand) {
                            continue;
                        }
                        if is_plain_floats(op, index) {
                            if matches!(op, Op::Call(Callee::Custom(custom)) if custom.keeps_addresses()) {
                                kept.union(&self.points_to(*operand));
                            }
                            continue;
                        }
                        kept.union(&self.kept_through(inst.value, index as u32, *operand));
                        if !only_reads(op, index) {
                            written.union(&self.written_through(inst.value, index as u32, *operand));
                        }
                    }
                    for object in written.iter() {
                        if !matches!(self.objects[object.0 as usize], Object::Global(_)) {
                            changed |= self.keep(object, &kept);
                        }
                    }
                    if !inst.ty.is_void() && !inst.ty.is_float_or_vector() {
                        changed |= self.flow(result, &kept);
                    }
                    if let Some(made) = made {
                        changed |= self.keep(made, &kept);
                    }
                }
                _ => {}
            }
        }
        changed
    }

    /// Enters that an instruction leaves pointers somewhere in an object.
    pub(super) fn keep(&mut self, object: ObjectId, set: &ObjectSet) -> bool {
        let found = Found::anywhere(set.clone());
        self.leave(object, None, &found);
        self.hold_within(object, None, &found)
    }

    /// Whether an integer operation on addresses can give one. Products and quotients do not, nor what is too narrow, nor the
    /// distance between two pointers.
    fn may_be_address(&self, func: &Func, inst: &Inst, opcode: Opcode) -> bool {
        let from_pointer = |val: &Val| match val {
            Val::Inst(id) => matches!(func.inst(*id).op, Op::Integer(Opcode::LLVMPtrToInt)),
            _ => false,
        };
        match opcode {
            Opcode::LLVMMul | Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMURem | Opcode::LLVMSRem => false,
            Opcode::LLVMSub if inst.operands.iter().all(from_pointer) => false,
            // These take addresses out of wider integers, and halves out of addresses, and put them together.
            Opcode::LLVMShl | Opcode::LLVMLShr => inst.ty.bits() > 64 || by_half(inst),
            Opcode::LLVMAShr => inst.ty.bits() > 64,
            Opcode::LLVMTrunc if inst.ty.bits() == 32 => true,
            _ => !is_narrow(inst.ty),
        }
    }

    /// Whether a value is an integer that was read from the caller's memory (or computed from such): a count or an index, and no address that a
    /// callee could follow. Through locals addresses do go as integers, when structs are moved; so what is read from there may be one.
    pub(super) fn is_number(&self, func: &Func, val: Val) -> bool {
        let (mut open, mut seen) = (vec![val], Vec::new());
        while let Some(val) = open.pop() {
            if !func.ty(val).is_int() {
                return false;
            }
            let Val::Inst(id) = val else { continue };
            if seen.contains(&id) {
                continue;
            }
            seen.push(id);
            let inst = func.inst(id);
            let callers = |o: ObjectId| !matches!(self.objects[o.0 as usize], Object::Stack(_) | Object::Heap(_));
            match &inst.op {
                Op::Load if self.points_to(inst.operands[0]).iter().all(callers) => {}
                Op::Compare | Op::Conversion => {}
                Op::Integer(_) | Op::Phi | Op::Copy | Op::Call(Callee::Inert) => open.extend(&inst.operands),
                Op::Select => open.extend(&inst.operands[1..]),
                _ => return false,
            }
        }
        true
    }

    /// Local objects whose address leaves the function: into a parameter's memory, a global, a call or the result.
    pub(super) fn find_escapes(&mut self, func: &Func) {
        let mut out = ObjectSet::default();
        for (index, object) in self.objects.iter().enumerate() {
            if object.param().is_some() || matches!(object, Object::Global(_)) {
                out.union(&self.reach_from(self.content[index].clone()));
            }
        }
        for id in func.inst_ids() {
            if matches!(func.inst(id).op, Op::Return) {
                for operand in &func.inst(id).operands {
                    out.union(&self.reach(*operand));
                }
            }
        }
        self.escaped = out;
    }
}

/// Whether a type is an integer that is too narrow for an address.
fn is_narrow(ty: Type) -> bool {
    ty.is_int() && ty.bits() < 64
}

/// Whether values of a type may be addresses or rows of them: rustc's own code for std moves two at once.
fn may_be_addresses(ty: Type) -> bool {
    match ty.is_vector() {
        true => ty.element().is_pointer() || (ty.element().is_int() && ty.element().bits() >= 32),
        false => !ty.is_float_or_vector(),
    }
}

/// Whether a number of eight bytes is shifted by half of them.
fn by_half(shift: &Inst) -> bool {
    shift.ty.bits() == 64 && matches!(shift.operands[1], Val::Const(by) if by.as_u64() == Some(32))
}

/// Whether a number may be one of the two halves of an address: of words of four bytes nothing tells what they are.
fn is_half(access: Value, ty: Type) -> bool {
    ty.is_int() && ty.bits() == 32 && is_word(access)
}

/// The loads of integers that are numbers wherever they get: that are used as such, or that the source has as numbers in a module that makes no addresses of them.
fn counted(func: &Func, has_addresses: bool) -> HashSet<InstId> {
    let looks = OnceCell::new();
    let is_load = |id: &InstId| matches!(func.inst(*id).op, Op::Load);
    func.inst_ids()
        .filter(is_load)
        .filter(|id| {
            let load = func.inst(*id).value;
            (!has_addresses && is_number_of_source(load)) || is_counted(func, *id, &looks)
        })
        .collect()
}

/// Whether an integer is used as a number: as a factor, an index, a number of bytes; also after something was added to it. An address is not. (A word may be a
/// number in one variant and an address in another: where it is moved, it is a number only if the use as one comes before that, and nowhere may it be made a
/// pointer.)
fn is_counted(func: &Func, load: InstId, looks: &OnceCell<Looks>) -> bool {
    if !func.inst(load).ty.is_int() || is_word(func.inst(load).value) {
        return false;
    }
    let (mut open, mut seen, mut added) = (vec![load], vec![load], Vec::new());
    let (mut is_used, mut moves) = (false, Vec::new());
    while let Some(id) = open.pop() {
        let val = Val::Inst(id);
        for user in func.users[id.0 as usize].iter().copied() {
            let inst = func.inst(user);
            if matches!(inst.op, Op::Integer(Opcode::LLVMIntToPtr)) && !added.contains(&id) {
                return false;
            }
            is_used |= match &inst.op {
                Op::Gep => inst.operands[0] != val,
                Op::Conversion => true,
                Op::Integer(
                    Opcode::LLVMMul
                    | Opcode::LLVMUDiv
                    | Opcode::LLVMSDiv
                    | Opcode::LLVMURem
                    | Opcode::LLVMSRem
                    | Opcode::LLVMShl,
                ) => inst.ty.bits() <= 64 && inst.operands[0] == val,
                Op::MemCopy | Op::MemSet => inst.operands[2] == val,
                Op::Call(Callee::Effect(Effect::Allocate { .. })) => true,
                Op::Store => {
                    if inst.operands[0] == val && !added.contains(&id) {
                        moves.push(inst.value);
                    }
                    false
                }
                _ => false,
            };
            // Not through differences: that of two addresses is a number.
            let goes_on = matches!(inst.op, Op::Phi | Op::Copy | Op::Select | Op::Integer(Opcode::LLVMAdd))
                || (matches!(inst.op, Op::Call(Callee::Inert)) && inst.ty.is_int());
            if goes_on && seen.len() < COUNTED && !seen.contains(&user) {
                if matches!(inst.op, Op::Integer(_)) || added.contains(&id) {
                    added.push(user);
                }
                seen.push(user);
                open.push(user);
            }
        }
    }
    let is_looked_at = |store: Value| {
        has_range(func.inst(load).value)
            || looks.get_or_init(|| Looks::of(func.function)).are_before(func.inst(load).value, store)
    };
    is_used && moves.into_iter().all(is_looked_at)
}

/// Whether a store changes a number that lies at its address (a count of references, the mark of a borrow) by a constant, or puts it back: whatever lies there leads
/// where it did before.
fn is_update(func: &Func, store: &Inst) -> bool {
    let (mut open, mut seen, mut reads_there) = (vec![store.operands[0]], HashSet::default(), false);
    while let Some(val) = open.pop() {
        let Val::Inst(id) = val else {
            if matches!(val, Val::Const(value) if constant_bases(value).is_empty()) {
                continue;
            }
            return false;
        };
        if !seen.insert(id) {
            continue;
        }
        let inst = func.inst(id);
        match inst.op {
            Op::Load if inst.ty.is_int() && inst.operands[0] == store.operands[1] => reads_there = true,
            Op::Phi | Op::Copy => open.extend(&inst.operands),
            Op::Select => open.extend(&inst.operands[1..]),
            Op::Integer(Opcode::LLVMAdd | Opcode::LLVMSub) if matches!(inst.operands[1], Val::Const(_)) => {
                open.push(inst.operands[0]);
            }
            _ => return false,
        }
    }
    reads_there
}

/// Whether a pointer leads to nothing at all and is never followed: null, the address of what has no size.
pub fn is_dangling(func: &Func, val: Val) -> bool {
    let (mut open, mut seen) = (vec![val], Vec::new());
    while let Some(val) = open.pop() {
        match val {
            Val::Const(value) if constant_bases(value).is_empty() => {}
            Val::Inst(id) if seen.contains(&id) => {}
            Val::Inst(id) => {
                seen.push(id);
                let inst = func.inst(id);
                match inst.op {
                    Op::Phi | Op::Copy => open.extend(&inst.operands),
                    Op::Select => open.extend(&inst.operands[1..]),
                    _ => return false,
                }
            }
            _ => return false,
        }
    }
    true
}

/// The globals that the pointers of a constant point into: of an address one, of an aggregate any number.
fn constant_bases(value: Value) -> Vec<Value> {
    if value.as_global().is_some() || value.as_function().is_some() {
        return vec![value];
    }
    if !value.is_compound_constant() {
        return Vec::new();
    }
    value.operands().into_iter().flat_map(constant_bases).collect()
}

/// Whether an allocation is of what begins anywhere.
fn begins_anywhere(allocation: &Inst) -> bool {
    match &allocation.op {
        Op::Call(Callee::Effect(
            Effect::Allocate { align: Some(align), .. } | Effect::Reallocate { align: Some(align), .. },
        )) => {
            matches!(allocation.operands[*align], Val::Const(align) if matches!(align.as_u64(), Some(1 | 2)))
        }
        _ => false,
    }
}
