//! What lies in memory: the cells that loads and stores show.

use super::calls::AtCall;
use super::fields::ANYWHERE;
use super::summary::Node;
use super::{Cell, Memory, Object, ObjectId, ObjectSet, Spot};
use crate::analysis::spot::{gcd, normal, spot_of};
use crate::ir::tag::is_word;
use crate::ir::{Callee, Func, Inst, InstId, Op, Val};
use crate::llvm::{Module, Type};
use crate::maps::{HashMap, HashSet};
use std::rc::Rc;

impl Memory {
    pub(super) fn class_of(&self, mut index: u32) -> u32 {
        while self.class[index as usize] != index {
            index = self.class[index as usize];
        }
        index
    }

    fn unite(&mut self, a: u32, b: u32) {
        let (a, b) = (self.class_of(a), self.class_of(b));
        self.class[a.max(b) as usize] = a.min(b);
    }

    pub(super) fn find_cells(&mut self, func: &Func) {
        let module = func.module();
        let (mut found, mut hinted, mut shown, mut others) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for id in func.inst_ids() {
            let inst = func.inst(id);
            match &inst.op {
                Op::Load => found.push((inst.operands[0], inst.ty, self.points_to(inst.operands[0]))),
                Op::Store => {
                    found.push((inst.operands[1], func.ty(inst.operands[0]), self.written_at(inst.operands[1])));
                }
                Op::Call(Callee::Body(_)) => {
                    let Some(summary) = self.summaries.get(&id) else { continue };
                    for (param, spot, cell) in &summary.cells {
                        shown.push((inst.operands[*param as usize], *spot, *cell));
                    }
                    let mut known = AtCall::default();
                    for (param, way, spot, cell) in &summary.paths {
                        others.push((known.node(self, func, id, Node::Way(*param, *way)), *spot, *cell));
                    }
                    for (param, spot, cell) in &summary.behind {
                        others.push((known.node(self, func, id, Node::Behind(*param)), *spot, *cell));
                    }
                    for (param, spot, cell) in &summary.disputed {
                        let address = inst.operands[*param as usize];
                        others.push((Rc::new(self.points_to(address)), within(spot_of(func, address), *spot), *cell));
                    }
                }
                Op::Call(Callee::Custom(custom)) => {
                    for group in custom.groups.iter().filter(|g| g.param.floats != 0) {
                        hinted.push((inst.operands[group.pointer], u64::from(group.param.floats)));
                    }
                }
                // What is no zero is no float.
                Op::MemSet if !matches!(inst.operands[1], Val::Const(byte) if byte.is_null()) => {
                    let set = Rc::new(self.points_to(inst.operands[0]));
                    others.push((set, Spot { offset: 0, stride: 1 }, Cell::Bits(1)));
                }
                Op::MemCopy => {
                    let (to, from) = (self.written_at(inst.operands[0]), self.points_to(inst.operands[1]));
                    let all: Vec<u32> = to.iter().chain(from.iter()).map(|o| o.0).collect();
                    for pair in all.windows(2) {
                        self.unite(pair[0], pair[1]);
                    }
                }
                _ => {}
            }
        }
        let mut moved = Vec::new();
        for id in func.inst_ids() {
            let inst = func.inst(id);
            if let Some(summary) = self.summaries.get(&id) {
                let summary = summary.clone();
                for node in &summary.words {
                    self.of_words.union(&self.node(func, id, *node));
                }
                for node in &summary.rows {
                    let row = self.node(func, id, *node);
                    self.packed.union(&row);
                    self.rows.union(&row);
                }
                let mut known = AtCall::default();
                for (node, spot, cell) in &summary.word_places {
                    let spot = match node {
                        Node::Param(i) => within(spot_of(func, inst.operands[*i as usize]), *spot),
                        _ => *spot,
                    };
                    for object in known.node(self, func, id, *node).iter() {
                        self.words.entry(object).or_default().insert((spot, cell.bytes()));
                    }
                }
            }
            let (place, ty) = match inst.op {
                Op::Load => (inst.operands[0], inst.ty),
                Op::Store => (inst.operands[1], func.ty(inst.operands[0])),
                _ => continue,
            };
            if is_word(inst.value) {
                let set = self.points_to(place);
                self.of_words.union(&set);
                let word = (spot_of(func, place), module.store_size_of(ty));
                set.iter().for_each(|object| _ = self.words.entry(object).or_default().insert(word));
            }
            if ty.is_float_or_vector() && begins_anywhere(inst) {
                let set = self.points_to(place);
                self.packed.union(&set);
                match moved_between(func, id) {
                    Some(others) => moved.extend(others.into_iter().map(|other| (self.points_to(other), set.clone()))),
                    None => _ = self.rows.union(&set),
                }
            }
        }
        while moved.iter().any(|(one, other): &(ObjectSet, ObjectSet)| {
            let is_row = !self.rows.common(one).is_empty() || !self.rows.common(other).is_empty();
            is_row && (self.rows.union(one) | self.rows.union(other))
        }) {}
        for (address, ty, objects) in found {
            let spot = spot_of(func, address);
            for object in objects.iter() {
                let class = self.class_of(object.0);
                leaf_cells(module, ty, spot, &mut |spot, cell| {
                    let there = self.cells[class as usize].entry(spot).or_default();
                    if !there.contains(&cell) {
                        there.push(cell);
                    }
                });
                let place = self.settled_spot(func, address, object);
                leaf_cells(module, ty, place, &mut |spot, cell| _ = self.settled[class as usize].insert((spot, cell)));
            }
        }
        for (address, inner, cell) in shown {
            let spot = within(spot_of(func, address), inner);
            for object in self.points_to(address).iter() {
                let class = self.class_of(object.0);
                let there = self.cells[class as usize].entry(spot).or_default();
                // Only where the function itself says nothing.
                if there.is_empty() {
                    there.push(cell);
                } else if !there.contains(&cell) {
                    self.foreign[class as usize].push((spot, cell));
                }
            }
        }
        // What callees that call each other tell of a tree is the same thousands of times.
        let mut told: HashMap<u32, HashSet<(Spot, Cell)>> = HashMap::default();
        for (objects, spot, cell) in others {
            for object in objects.iter() {
                let class = self.class_of(object.0);
                let foreign = &mut self.foreign[class as usize];
                let told = told.entry(class).or_insert_with(|| foreign.iter().copied().collect());
                if told.insert((spot, cell)) {
                    foreign.push((spot, cell));
                }
            }
        }
        self.take_hints(&hinted);
        for (object, floats) in self.floats.clone() {
            floats.into_iter().for_each(|(spot, bytes)| self.add_float(object, spot, bytes));
        }
    }

    /// Enters that a float of so many bytes lies at a place, whatever is moved there.
    fn add_float(&mut self, object: ObjectId, spot: Spot, bytes: u64) {
        let class = self.class_of(object.0);
        let there = self.cells[class as usize].entry(spot).or_default();
        if !there.contains(&Cell::Float(bytes)) {
            there.push(Cell::Float(bytes));
        }
    }

    /// Where an address lies counted from where an object begins: anywhere, if that is not known.
    pub fn settled_spot(&self, func: &Func, address: Val, object: ObjectId) -> Spot {
        self.place(func, address, object).map_or(ANYWHERE, |row| row.spot)
    }

    /// Whether what lies at an address may share a byte with a cell for which `width` gives bytes, also where records of several lengths follow each other in one
    /// block: a `collect` that reuses the memory of its source puts short ones over long ones.
    pub fn meets(&self, func: &Func, address: Val, bytes: i64, width: &dyn Fn(&Cell) -> Option<i64>) -> bool {
        let spot = spot_of(func, address);
        self.points_to(address).iter().any(|object| {
            let place = self.settled_spot(func, address, object);
            let meets =
                |from: Spot, (at, cell): (Spot, Cell)| width(&cell).is_some_and(|w| overlap(from, bytes, at, w));
            let mut settled = self.settled[self.class_of(object.0) as usize].iter().copied();
            self.all_cells(object).any(|cell| meets(spot, cell) || meets(place, cell))
                || settled.any(|cell| meets(place, cell))
        })
    }

    /// What a rule says of an argument: used where nothing else says what lies there.
    fn take_hints(&mut self, hinted: &[(Val, u64)]) {
        for (address, bytes) in hinted {
            for object in self.points_to(*address).iter() {
                if self.cells[self.class_of(object.0) as usize].is_empty() {
                    self.add_float(object, in_a_row(*bytes), *bytes);
                }
            }
        }
    }

    /// The width of the floats of a set of objects that are memory of callers, where it is said that there is nothing else.
    pub fn plain_floats(&self, set: &ObjectSet) -> Option<u64> {
        let width = |o: ObjectId| match self.objects[o.0 as usize] {
            Object::Param(i) => Some(self.plain[i as usize]).filter(|bytes| *bytes > 0),
            _ => self.told_floats(o),
        };
        let mut widths = set.iter().map(width);
        let first = widths.next()??;
        widths.all(|width| width == Some(first)).then_some(first)
    }

    /// Whether an object is memory of a caller that is certain to hold floats and nothing else.
    pub fn is_of_plain_floats(&self, object: ObjectId) -> bool {
        self.is_bare(object) || self.told_floats(object).is_some()
    }

    /// The width of the floats of which an object consists, as the types of the source say, unless a pointer was put there: the memory of a vector that was taken away may be
    /// used for others.
    fn told_floats(&self, object: ObjectId) -> Option<u64> {
        let told = self.floats.get(&object)?;
        let (spot, bytes) = told.iter().copied().find(|(spot, bytes)| *spot == in_a_row(*bytes))?;
        self.is_free(object, spot, bytes).then_some(bytes)
    }

    /// Whether at a place in an object, or at one that may share a byte with it, a float lies for certain: as what is there or as types of the source say.
    pub fn is_of_floats_at(&self, object: ObjectId, spot: Spot, bytes: u64) -> bool {
        let told = self.floats.get(&object).into_iter().flatten();
        let meets = |(at, width): &(Spot, u64)| overlap(spot, bytes as i64, *at, *width as i64);
        self.is_of_plain_floats(object)
            || told.filter(|told| meets(told)).any(|(at, width)| self.is_free(object, *at, *width))
    }

    /// Whether no pointer comes to lie at a place, so that the memory was not made another's.
    fn is_free(&self, object: ObjectId, spot: Spot, bytes: u64) -> bool {
        let meets = |at: Spot| overlap(spot, bytes as i64, at, 8);
        !self.all_cells(object).any(|(at, cell)| cell == Cell::Pointer && meets(at))
    }

    /// Whether an object is memory of a parameter of which that was certain from the start.
    pub(super) fn is_bare(&self, object: ObjectId) -> bool {
        self.objects[object.0 as usize].param().is_some_and(|i| self.bare[i as usize])
    }

    /// The same as [`Memory::plain_floats`], where it is certain.
    pub fn certain_floats(&self, set: &ObjectSet) -> Option<u64> {
        self.plain_floats(set).filter(|_| set.iter().all(|o| self.is_of_plain_floats(o)))
    }

    /// Adds what the request says of a parameter: it consists of floats of so many bytes.
    pub fn hint_floats(&mut self, param: u32, bytes: u64) {
        self.plain[param as usize] = bytes;
        if let Some(index) = self.objects.iter().position(|o| *o == Object::Param(param)) {
            self.add_float(ObjectId(index as u32), in_a_row(bytes), bytes);
        }
    }
}

/// Where floats of so many bytes lie that follow each other.
fn in_a_row(bytes: u64) -> Spot {
    Spot { offset: 0, stride: bytes }
}

/// A place that is counted from another.
pub fn within(from: Spot, inner: Spot) -> Spot {
    normal(from.offset + inner.offset, gcd(from.stride, inner.stride))
}

/// How a place is counted from another.
pub fn counted_from(from: Spot, at: Spot) -> Spot {
    normal(at.offset - from.offset, gcd(from.stride, at.stride))
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

/// Calls `each` with the leaves of a type.
fn leaf_cells(module: Module, ty: Type, at: Spot, each: &mut dyn FnMut(Spot, Cell)) {
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

/// Whether an access is one of what need not begin where a float does by itself.
fn begins_anywhere(access: &Inst) -> bool {
    access.value.alignment() < 4
}

/// What a load or store that begins anywhere is moved to and from such places, if nothing else is done with it: addresses there.
fn moved_between(func: &Func, access: InstId) -> Option<Vec<Val>> {
    let is_there = |id: InstId, is_op: fn(&Op) -> bool| is_op(&func.inst(id).op) && begins_anywhere(func.inst(id));
    match (&func.inst(access).op, func.inst(access).operands.first()) {
        (Op::Load, _) => {
            let target = |store: &InstId| {
                let is_move = is_there(*store, |op| matches!(op, Op::Store));
                let [value, address] = func.inst(*store).operands[..] else { return None };
                (is_move && value == Val::Inst(access)).then_some(address)
            };
            func.users[access.0 as usize].iter().map(target).collect()
        }
        (Op::Store, Some(Val::Inst(load))) if is_there(*load, |op| matches!(op, Op::Load)) => {
            Some(vec![func.inst(*load).operands[0]])
        }
        _ => None,
    }
}
