//! Which memory a pointer may point to, and what lies there.
//!
//! Memory is divided into *objects*: what a parameter points to, what can be reached from there, an `alloca`, what one call
//! allocates, a global. The analysis is Andersen's (inclusion-based, insensitive to the order of instructions): each value has
//! a set of objects, each object a set of objects that pointers inside it point to. Integers made from pointers carry
//! the set on, so that address arithmetic on integers loses nothing.
//!
//! Promises: if two accesses can touch the same byte, [`Memory::may_alias`] holds of two of their objects. Rust's exclusive
//! references come as `noalias` parameters: what is reached through one is not reached through another.
use crate::ir::{Callee, Func, InstId, Op, Val};
use crate::rule::Effect;
use cotangent_llvm as llvm;
use llvm::Place;
use std::collections::{BTreeMap, HashMap};
use std::fmt;

pub use super::spot::spot_of;
use super::spot::{gcd, linear};

/// An object of a [`Memory`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ObjectId(pub u32);

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Object {
    /// What a parameter points to.
    Param(u32),
    /// Whatever can be reached through pointers inside what a parameter points to.
    Behind(u32),
    /// An `alloca`.
    Stack(InstId),
    /// What one call returns that was not there before.
    Heap(InstId),
    /// A global variable.
    Global(llvm::Value),
}

/// A set of objects.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ObjectSet(Vec<u64>);

impl ObjectSet {
    /// Adds an object; true where it was not there.
    pub fn insert(&mut self, id: ObjectId) -> bool {
        let (word, bit) = (id.0 as usize / 64, id.0 % 64);
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        let old = self.0[word];
        self.0[word] |= 1 << bit;
        old != self.0[word]
    }
    /// Adds all of another set; true where that added something.
    pub fn union(&mut self, other: &ObjectSet) -> bool {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut changed = false;
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            changed |= *a | b != *a;
            *a |= b;
        }
        changed
    }
    /// The set of one object.
    pub fn of(id: ObjectId) -> ObjectSet {
        let mut set = ObjectSet::default();
        set.insert(id);
        set
    }
    /// Adds an object, if there is one.
    pub fn extend(&mut self, id: Option<ObjectId>) {
        if let Some(id) = id {
            self.insert(id);
        }
    }
    /// Whether an object is in it.
    pub fn contains(&self, id: ObjectId) -> bool {
        self.0.get(id.0 as usize / 64).is_some_and(|w| w >> (id.0 % 64) & 1 == 1)
    }
    /// Its objects, in order.
    pub fn iter(&self) -> impl Iterator<Item = ObjectId> + '_ {
        self.0.iter().enumerate().flat_map(|(word, bits)| {
            (0..64).filter(move |b| bits >> b & 1 == 1).map(move |b| ObjectId(word as u32 * 64 + b))
        })
    }
    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|w| *w == 0)
    }
}

/// What lies at a place in an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Cell {
    /// A float of so many bytes.
    Float(u64),
    /// A pointer.
    Pointer,
    /// Something of so many bytes that is neither (or not known to be).
    Bits(u64),
}

/// Where in an object an access lies: `offset` from its start, modulo `stride` where an index is not constant (0: constant).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Spot {
    /// Bytes.
    pub offset: i64,
    /// Bytes; 0 where the offset is constant.
    pub stride: u64,
}

/// Floats of two widths, or floats and other things, lie in the same memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mixed;

/// Facts about memory.
#[derive(Clone, Debug)]
pub struct Memory {
    /// The objects.
    pub objects: Vec<Object>,
    /// What pointers inside each object point to.
    pub content: Vec<ObjectSet>,
    /// What lies in each object (objects that are copied into each other share it).
    pub cells: Vec<BTreeMap<Spot, Vec<Cell>>>,
    values: HashMap<Val, ObjectSet>,
    made_by_call: HashMap<InstId, ObjectId>,
    noalias: Vec<bool>,
    escaped: ObjectSet,
    class: Vec<u32>,
}

/// Analyses a function.
pub fn analyze(func: &Func) -> Memory {
    let mut memory = Memory::seed(func);
    while memory.round(func) {}
    memory.find_escapes(func);
    memory.find_cells(func);
    memory
}

impl Memory {
    fn seed(func: &Func) -> Memory {
        let noalias =
            (0..func.params.len() as u32).map(|i| func.function.has_attribute(Place::Param(i), "noalias")).collect();
        let mut memory = Memory {
            objects: Vec::new(),
            content: Vec::new(),
            cells: Vec::new(),
            values: HashMap::new(),
            made_by_call: HashMap::new(),
            noalias,
            escaped: ObjectSet::default(),
            class: Vec::new(),
        };
        for (index, param) in func.params.iter().enumerate() {
            if param.ty().is_pointer() {
                let direct = memory.add(Object::Param(index as u32));
                let behind = memory.add(Object::Behind(index as u32));
                memory.content[direct.0 as usize].insert(behind);
                memory.content[behind.0 as usize].insert(behind);
                memory.values.entry(Val::Arg(index as u32)).or_default().insert(direct);
            }
        }
        for id in func.inst_ids() {
            let inst = func.inst(id);
            let object = match &inst.op {
                Op::Alloca => Some(Object::Stack(id)),
                Op::Call(Callee::Effect(Effect::Allocate { .. } | Effect::Reallocate { .. })) => Some(Object::Heap(id)),
                // What a callee may have made, and returned or left behind pointers.
                Op::Call(Callee::Custom(custom)) if custom.groups.iter().all(|g| custom.is_flat(g)) => None,
                Op::Call(_) if is_opaque(&inst.op) => Some(Object::Heap(id)),
                _ => None,
            };
            if let Some(object) = object {
                let object = memory.add(object);
                if is_opaque(&inst.op) {
                    memory.content[object.0 as usize].insert(object);
                    memory.made_by_call.insert(id, object);
                }
                if !inst.ty.is_void() && !inst.ty.is_float_or_vector() {
                    memory.values.entry(Val::Inst(id)).or_default().insert(object);
                }
            }
            for operand in &inst.operands {
                memory.global(*operand);
            }
        }
        memory
    }

    fn add(&mut self, object: Object) -> ObjectId {
        self.objects.push(object);
        self.content.push(ObjectSet::default());
        self.cells.push(BTreeMap::new());
        self.class.push(self.objects.len() as u32 - 1);
        ObjectId(self.objects.len() as u32 - 1)
    }

    /// Enters the object of a constant address.
    fn global(&mut self, val: Val) {
        let Val::Const(value) = val else { return };
        if self.values.contains_key(&val) {
            return;
        }
        if let Some(base) = constant_base(value) {
            let known = self.objects.iter().position(|o| matches!(o, Object::Global(v) if *v == base));
            let object = known.map_or_else(|| self.add(Object::Global(base)), |i| ObjectId(i as u32));
            self.values.entry(val).or_default().insert(object);
        }
    }

    /// Objects that a value may point to.
    pub fn points_to(&self, val: Val) -> ObjectSet {
        self.values.get(&val).cloned().unwrap_or_default()
    }

    /// Everything that can be reached from a value through memory, the objects it points to included.
    pub fn reach(&self, val: Val) -> ObjectSet {
        self.reach_from(self.points_to(val))
    }

    /// Everything that can be reached from a value through memory, what it points to itself only where a way leads back there.
    pub fn behind(&self, val: Val) -> ObjectSet {
        let mut set = ObjectSet::default();
        for object in self.points_to(val).iter() {
            set.union(&self.content[object.0 as usize]);
        }
        self.reach_from(set)
    }

    /// What a call may write to through one of its operands. That a parameter is `readonly` speaks of the memory that it leads to itself, and not
    /// of what lies behind pointers there: a vector whose elements are written is itself only read.
    pub fn written_through(&self, call: llvm::Value, index: u32, operand: Val) -> ObjectSet {
        if is_read_only_call(call) {
            ObjectSet::default()
        } else if has_attribute(call, index, "readonly") || has_attribute(call, index, "readnone") {
            self.behind(operand)
        } else {
            self.reach(operand)
        }
    }

    /// What a call may keep of one of its operands: where not the pointer itself, still what it finds behind it.
    fn kept_through(&self, call: llvm::Value, index: u32, operand: Val) -> ObjectSet {
        if is_uncaptured(call, index) { self.behind(operand) } else { self.reach(operand) }
    }

    /// Everything that can be reached from a set of objects, those included.
    pub fn reach_from(&self, mut set: ObjectSet) -> ObjectSet {
        loop {
            let mut next = set.clone();
            for object in set.iter() {
                next.union(&self.content[object.0 as usize]);
            }
            if next == set {
                return set;
            }
            set = next;
        }
    }

    fn flow(&mut self, to: Val, from: &ObjectSet) -> bool {
        !from.is_empty() && self.values.entry(to).or_default().union(from)
    }

    fn round(&mut self, func: &Func) -> bool {
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
                Op::Phi
                | Op::Copy
                | Op::BitCast
                | Op::Extract(_)
                | Op::Insert(_)
                | Op::Integer(_)
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
                Op::Load if !inst.ty.is_float_or_vector() => {
                    for object in self.points_to(inst.operands[0]).iter() {
                        let set = self.content[object.0 as usize].clone();
                        changed |= self.flow(result, &set);
                    }
                }
                Op::Store => {
                    let set = self.points_to(inst.operands[0]);
                    if !set.is_empty() {
                        for object in self.points_to(inst.operands[1]).iter() {
                            changed |= self.content[object.0 as usize].union(&set);
                        }
                    }
                }
                Op::MemCopy => {
                    let from = self.points_to(inst.operands[1]);
                    for to in self.points_to(inst.operands[0]).iter() {
                        for from in from.iter() {
                            let set = self.content[from.0 as usize].clone();
                            changed |= self.content[to.0 as usize].union(&set);
                        }
                    }
                }
                op if is_opaque(op) => {
                    let (mut kept, mut written): (ObjectSet, ObjectSet) = Default::default();
                    let made = self.made_by_call.get(&id).copied();
                    kept.extend(made);
                    for (index, operand) in inst.operands.iter().enumerate() {
                        if is_plain_floats(op, index) || self.is_number(func, *operand) {
                            continue;
                        }
                        kept.union(&self.kept_through(inst.value, index as u32, *operand));
                        if !only_reads(op, index) {
                            written.union(&self.written_through(inst.value, index as u32, *operand));
                        }
                    }
                    for object in written.iter() {
                        if !matches!(self.objects[object.0 as usize], Object::Global(_)) {
                            changed |= self.content[object.0 as usize].union(&kept);
                        }
                    }
                    if !inst.ty.is_void() && !inst.ty.is_float_or_vector() {
                        changed |= self.flow(result, &kept);
                    }
                    if let Some(made) = made {
                        changed |= self.content[made.0 as usize].union(&kept);
                    }
                }
                _ => {}
            }
        }
        changed
    }

    /// Whether a value is an integer that was read from the caller's memory (or computed from such): a count or an index, and no address that a
    /// callee could follow. Through locals addresses do go as integers, when structs are moved; so what is read from there may be one.
    fn is_number(&self, func: &Func, val: Val) -> bool {
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
    fn find_escapes(&mut self, func: &Func) {
        let mut out = ObjectSet::default();
        for (index, object) in self.objects.iter().enumerate() {
            if matches!(object, Object::Param(_) | Object::Behind(_) | Object::Global(_)) {
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

    /// Whether a local object's address is left behind in memory of the caller or returned.
    pub fn escapes(&self, object: ObjectId) -> bool {
        self.escaped.contains(object)
    }

    /// Whether two objects may share a byte.
    pub fn may_alias(&self, a: ObjectId, b: ObjectId) -> bool {
        use Object::*;
        if a == b {
            return true;
        }
        let noalias = |i: u32| self.noalias[i as usize];
        match (self.objects[a.0 as usize], self.objects[b.0 as usize]) {
            (Param(i), Param(j)) => i != j && !noalias(i) && !noalias(j),
            (Param(i), Behind(j)) | (Behind(j), Param(i)) => i != j && !noalias(i),
            (Behind(i), Behind(j)) => i != j && !noalias(i) && !noalias(j),
            (Param(_) | Behind(_), Global(_)) | (Global(_), Param(_) | Behind(_)) => true,
            // A call that is not an allocator may return memory that was there before; its set says so.
            _ => false,
        }
    }

    /// Whether memory of two sets may share a byte.
    pub fn sets_alias(&self, a: &ObjectSet, b: &ObjectSet) -> bool {
        a.iter().any(|x| b.iter().any(|y| self.may_alias(x, y)))
    }

    fn class_of(&self, mut index: u32) -> u32 {
        while self.class[index as usize] != index {
            index = self.class[index as usize];
        }
        index
    }

    fn unite(&mut self, a: u32, b: u32) {
        let (a, b) = (self.class_of(a), self.class_of(b));
        self.class[a.max(b) as usize] = a.min(b);
    }

    fn find_cells(&mut self, func: &Func) {
        let module = func.module();
        let (mut found, mut hinted) = (Vec::new(), Vec::new());
        for id in func.inst_ids() {
            let inst = func.inst(id);
            match &inst.op {
                Op::Load => found.push((inst.operands[0], inst.ty)),
                Op::Store => found.push((inst.operands[1], func.ty(inst.operands[0]))),
                Op::Call(Callee::Custom(custom)) => {
                    for group in custom.groups.iter().filter(|g| g.param.floats != 0) {
                        hinted.push((inst.operands[group.pointer], u64::from(group.param.floats)));
                    }
                }
                Op::MemCopy => {
                    let (to, from) = (self.points_to(inst.operands[0]), self.points_to(inst.operands[1]));
                    let all: Vec<u32> = to.iter().chain(from.iter()).map(|o| o.0).collect();
                    for pair in all.windows(2) {
                        self.unite(pair[0], pair[1]);
                    }
                }
                _ => {}
            }
        }
        for (address, ty) in found {
            let spot = spot_of(func, address);
            for object in self.points_to(address).iter() {
                let class = self.class_of(object.0);
                leaf_cells(module, ty, spot, &mut |spot, cell| {
                    let there = self.cells[class as usize].entry(spot).or_default();
                    if !there.contains(&cell) {
                        there.push(cell);
                    }
                });
            }
        }
        self.take_hints(&hinted);
    }

    /// What a rule says of an argument: used where nothing else says what lies there.
    fn take_hints(&mut self, hinted: &[(Val, u64)]) {
        for (address, bytes) in hinted {
            for object in self.points_to(*address).iter() {
                let class = self.class_of(object.0);
                if self.cells[class as usize].is_empty() {
                    let spot = Spot { offset: 0, stride: *bytes };
                    self.cells[class as usize].insert(spot, vec![Cell::Float(*bytes)]);
                }
            }
        }
    }

    /// Adds what the request says of a parameter: it consists of floats of so many bytes.
    pub fn hint_floats(&mut self, param: u32, bytes: u64) {
        if let Some(index) = self.objects.iter().position(|o| *o == Object::Param(param)) {
            let class = self.class_of(index as u32);
            self.cells[class as usize].entry(Spot { offset: 0, stride: bytes }).or_default().push(Cell::Float(bytes));
        }
    }

    /// What lies in an object (and in what it is copied from and to).
    pub fn cells_of(&self, object: ObjectId) -> &BTreeMap<Spot, Vec<Cell>> {
        &self.cells[self.class_of(object.0) as usize]
    }

    /// The width of the floats of a set of objects, where there is nothing else in them.
    ///
    /// # Errors
    /// There is something else.
    pub fn floats_only(&self, set: &ObjectSet) -> Result<Option<u64>, Mixed> {
        let mut width = None;
        for object in set.iter() {
            for cell in self.cells_of(object).values().flatten() {
                match cell {
                    Cell::Float(w) if width.is_none_or(|v| v == *w) => width = Some(*w),
                    _ => return Err(Mixed),
                }
            }
        }
        Ok(width)
    }

    /// Whether any float lies in a set of objects.
    pub fn has_floats(&self, set: &ObjectSet) -> bool {
        set.iter().any(|o| self.cells_of(o).values().flatten().any(|c| matches!(c, Cell::Float(_))))
    }

    /// Whether any pointer lies in a set of objects.
    pub fn has_pointers(&self, set: &ObjectSet) -> bool {
        set.iter().any(|o| self.cells_of(o).values().flatten().any(|c| matches!(c, Cell::Pointer)))
    }

    /// Whether anything but floats lies in a set of objects.
    pub fn has_structure(&self, set: &ObjectSet) -> bool {
        set.iter().any(|o| self.cells_of(o).values().flatten().any(|c| !matches!(c, Cell::Float(_))))
    }
}

/// Whether two accesses of so many bytes, in one object, may share a byte.
pub fn overlap(a: Spot, a_size: i64, b: Spot, b_size: i64) -> bool {
    let stride = gcd(a.stride, b.stride) as i64;
    if stride == 0 {
        return a.offset < b.offset + b_size && b.offset < a.offset + a_size;
    }
    let distance = (b.offset - a.offset).rem_euclid(stride);
    distance < a_size || distance + b_size > stride
}

/// Whether a call writes no memory that its caller can see.
fn is_read_only_call(call: llvm::Value) -> bool {
    // `memory(..)` encodes, two bits a place, what may be done: bit 1 of each pair is "may write".
    call.called_function()
        .and_then(|f| f.attribute_value(Place::Whole, "memory"))
        .is_some_and(|effects| effects & 0xaaaa_aaaa == 0)
}

/// Whether a call keeps no copy of an argument.
fn is_uncaptured(call: llvm::Value, index: u32) -> bool {
    call.called_function().is_some_and(|f| f.attribute_value(Place::Param(index), "captures") == Some(0))
}

fn has_attribute(call: llvm::Value, index: u32, name: &str) -> bool {
    call.has_call_attribute(Place::Param(index), name)
        || call.called_function().is_some_and(|f| f.has_attribute(Place::Param(index), name))
}

/// Whether a function with a rule changes nothing of what an operand leads to.
fn only_reads(op: &Op, operand: usize) -> bool {
    matches!(op, Op::Call(Callee::Custom(custom)) if custom.only_reads_behind(operand))
}

/// Whether an operand leads to floats and nothing else, as the rule of the function that is called says.
pub fn is_plain_floats(op: &Op, operand: usize) -> bool {
    matches!(op, Op::Call(Callee::Custom(custom)) if !custom.moves_pointers(operand))
}

/// Whether a call may do anything to the memory that it is given.
fn is_opaque(op: &Op) -> bool {
    matches!(
        op,
        Op::Call(Callee::Body(_) | Callee::Custom(_) | Callee::Unknown(_) | Callee::Indirect | Callee::Assembly)
            | Op::Call(Callee::Effect(Effect::Inactive | Effect::Reallocate { .. }))
    )
}

/// The global that a constant address points into.
fn constant_base(value: llvm::Value) -> Option<llvm::Value> {
    if value.as_global().is_some() || value.as_function().is_some() {
        return Some(value);
    }
    value.constant_opcode()?;
    value.operands().into_iter().find_map(constant_base)
}

/// Where an address lies, counted from a value that is no address arithmetic.
pub fn rooted_spot(func: &Func, address: Val) -> (Val, Spot) {
    let module = func.module();
    let (mut offset, mut stride, mut at) = (0i64, 0u64, address);
    for _ in 0..64 {
        let Val::Inst(id) = at else { break };
        let inst = func.inst(id);
        match inst.op {
            Op::Gep => {
                let (constant, variable) = gep_parts(module, inst.value);
                offset += constant;
                for step in variable {
                    stride = gcd(stride, step);
                }
                at = inst.operands[0];
            }
            Op::Copy => at = inst.operands[0],
            Op::Phi => {
                // A pointer that walks: it starts somewhere and goes on by its steps.
                let steps: Vec<i64> = inst
                    .operands
                    .iter()
                    .filter_map(|o| match o {
                        Val::Inst(next) if matches!(func.inst(*next).op, Op::Gep) => {
                            let next = func.inst(*next);
                            let (constant, variable) = gep_parts(module, next.value);
                            (next.operands[0] == at && variable.is_empty()).then_some(constant)
                        }
                        _ => None,
                    })
                    .collect();
                let others: Vec<Val> = inst
                    .operands
                    .iter()
                    .copied()
                    .filter(|o| !matches!(o, Val::Inst(n) if matches!(func.inst(*n).op, Op::Gep) && func.inst(*n).operands[0] == at))
                    .collect();
                if let ([start], false) = (&others[..], steps.is_empty()) {
                    for step in steps {
                        stride = gcd(stride, step.unsigned_abs());
                    }
                    at = *start;
                } else {
                    stride = gcd(stride, 1);
                    break;
                }
            }
            _ => break,
        }
    }
    if stride > 0 {
        offset = offset.rem_euclid(stride as i64);
    }
    (at, Spot { offset, stride })
}

/// The constant part of a `getelementptr`'s offset, and the bytes that each index that is not constant counts.
pub fn gep_parts(module: llvm::Module, gep: llvm::Value) -> (i64, Vec<u64>) {
    let mut ty = gep.gep_type();
    let (mut constant, mut variable) = (0i64, Vec::new());
    for (position, index) in gep.operands().into_iter().skip(1).enumerate() {
        if position > 0 && ty.is_struct() {
            let field = index.as_u64().unwrap_or(0) as u32;
            constant += module.field_offset(ty, field) as i64;
            ty = ty.field(field);
            continue;
        }
        if position > 0 {
            ty = ty.element();
        }
        let size = module.size_of(ty);
        let (fixed, step) = linear(index);
        constant = constant.wrapping_add(fixed.wrapping_mul(size as i64));
        if step > 0 {
            variable.push(step.saturating_mul(size));
        }
    }
    (constant, variable)
}

/// Calls `each` with the leaves of a type.
fn leaf_cells(module: llvm::Module, ty: llvm::Type, at: Spot, each: &mut dyn FnMut(Spot, Cell)) {
    let moved = |by: u64| Spot {
        offset: if at.stride > 0 {
            (at.offset + by as i64).rem_euclid(at.stride as i64)
        } else {
            at.offset + by as i64
        },
        ..at
    };
    if ty.is_struct() {
        for field in 0..ty.count() as u32 {
            leaf_cells(module, ty.field(field), moved(module.field_offset(ty, field)), each);
        }
    } else if ty.is_array() || ty.is_vector() {
        let size = module.size_of(ty.element());
        for index in 0..ty.count().min(64) {
            leaf_cells(module, ty.element(), moved(index * size), each);
        }
    } else if ty.is_float() {
        each(at, Cell::Float(module.size_of(ty)));
    } else if ty.is_pointer() {
        each(at, Cell::Pointer);
    } else {
        each(at, Cell::Bits(module.store_size_of(ty)));
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, object) in self.objects.iter().enumerate() {
            let content: Vec<u32> = self.content[index].iter().map(|o| o.0).collect();
            let cells = self.cells_of(ObjectId(index as u32));
            writeln!(f, "object {index}: {object:?} points to {content:?} holds {cells:?}")?;
        }
        Ok(())
    }
}
