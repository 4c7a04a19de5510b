//! Where in its arguments' memory a function finds pointers.
//!
//! `fn push(queue: &mut Queue, k: u32)` looks at the three words of a queue. That it is one field of five, and a vector of floats another, is nothing to it: what is
//! behind the argument, for this call, is what lies behind these words. That is known of a callee by what it reads, not by the types of the source.

use super::fields::{Found, POINTER, Within, may_share};
use super::{Memory, Object, ObjectId, ObjectSet, Spot, Summary};
use crate::analysis::spot::Row;
use crate::ir::{Callee, Func, InstId, Op, Val};
use crate::rule::Effect;
use std::collections::BTreeMap;

/// Bytes from one offset to another, counted from where an argument leads; nothing where they may be any.
pub type Window = Option<(i64, i64)>;

/// Pointers of a copy that are told one by one.
const MOST_TAKEN: usize = 12;
/// Copies of copies that are looked through.
const DEEPEST: usize = 4;

/// The windows of a function, by parameter: none where it finds no pointer there.
pub fn windows(func: &Func, memory: &Memory) -> BTreeMap<u32, Window> {
    let mut found = BTreeMap::new();
    for id in func.inst_ids().filter(|id| func.block(func.inst(*id).block).returns) {
        let inst = func.inst(id);
        match &inst.op {
            Op::Load if inst.ty.is_float_or_vector() => {}
            Op::Load => look(func, memory, inst.operands[0], Some((0, size_of(func, id))), &mut found),
            Op::MemCopy => {
                let bytes = match inst.operands[2] {
                    Val::Const(value) => value.as_i64(),
                    _ => None,
                };
                look(func, memory, inst.operands[1], bytes.map(|bytes| (0, bytes)), &mut found);
            }
            Op::Call(
                Callee::Inert | Callee::Effect(Effect::Allocate { .. } | Effect::Free { .. } | Effect::Marker),
            ) => {}
            Op::Call(_) => {
                let summary = memory.summaries.get(&id);
                for (index, operand) in inst.operands.iter().enumerate() {
                    let window = summary.map(|summary| summary.windows.get(&(index as u32)).copied());
                    match window {
                        Some(None) => {}
                        Some(Some(window)) => look(func, memory, *operand, window, &mut found),
                        None => look(func, memory, *operand, None, &mut found),
                    }
                    // What a pointer in memory of its own leads to, the callee may look at as well (`&self` among what a closure has captured).
                    look_at_all(memory, &memory.behind_argument(func, id, index as u32), &mut found);
                }
            }
            Op::Other(_) => inst.operands.iter().for_each(|operand| look(func, memory, *operand, None, &mut found)),
            _ => {}
        }
    }
    found
}

/// Enters that pointers are looked for in a window of what an address leads to.
fn look(func: &Func, memory: &Memory, address: Val, window: Window, found: &mut BTreeMap<u32, Window>) {
    for object in memory.points_to(address).iter() {
        let Object::Param(param) = memory.objects[object.0 as usize] else { continue };
        let place = memory.place(func, address, object).map(|row| row.spot).filter(|spot| spot.stride == 0);
        let here = window.zip(place).map(|((from, to), spot)| (spot.offset + from, spot.offset + to));
        let all = found.entry(param).or_insert(here);
        *all = all.zip(here).map(|((a, b), (c, d))| (a.min(c), b.max(d)));
    }
}

/// Enters that pointers are looked for anywhere in some objects.
fn look_at_all(memory: &Memory, objects: &ObjectSet, found: &mut BTreeMap<u32, Window>) {
    for object in objects.iter() {
        if let Object::Param(param) = memory.objects[object.0 as usize] {
            found.insert(param, None);
        }
    }
}

fn size_of(func: &Func, id: InstId) -> i64 {
    func.module().store_size_of(func.inst(id).ty) as i64
}

impl Summary {
    /// Windows of which there is no end are any.
    pub(super) fn widen_windows(&mut self, before: &Summary) {
        for (param, window) in &mut self.windows {
            if before.windows.get(param).is_some_and(|before| before != window) {
                *window = None;
            }
        }
    }
}

impl Memory {
    /// What lies behind an argument of a call, so far as the callee can find it.
    pub(super) fn behind_argument(&self, func: &Func, call: InstId, index: u32) -> ObjectSet {
        let argument = func.inst(call).operands[index as usize];
        let Some(summary) = self.summaries.get(&call) else { return self.behind(argument) };
        let Some(window) = summary.windows.get(&index) else { return ObjectSet::default() };
        let mut set = ObjectSet::default();
        for object in self.points_to(argument).iter() {
            let place = window.zip(self.place(func, argument, object));
            set.union(&match place {
                Some(((from, to), row)) => {
                    let shifted = row.within(Row::of(Spot { offset: from, stride: 0 }));
                    self.content_within(object, (shifted, to - from))
                }
                None => self.content[object.0 as usize].clone(),
            });
        }
        self.reach_from(set)
    }

    /// Pointers that a copy of so many bytes out of one of the function's own objects takes along, one by one: where they lie, counted from where it begins.
    /// Nothing where that is not known.
    pub(super) fn taken_along(&self, from: ObjectId, begin: Row, bytes: i64) -> Option<Vec<(Within, Found)>> {
        let mut taken = Vec::new();
        self.take_along((from, begin, bytes), Row::of(Spot { offset: 0, stride: 0 }), DEEPEST, &mut taken)?;
        Some(taken)
    }

    /// `shift` is where the part is, counted from where the copy begins.
    fn take_along(
        &self,
        (from, begin, bytes): (ObjectId, Row, i64),
        shift: Row,
        deeper: usize,
        taken: &mut Vec<(Within, Found)>,
    ) -> Option<()> {
        let is_own = matches!(self.objects[from.0 as usize], Object::Stack(_) | Object::Heap(_));
        if !is_own || begin.spot.stride > 0 || deeper == 0 {
            return None;
        }
        let back = Row::of(Spot { offset: begin.spot.offset.wrapping_neg(), stride: 0 });
        let here = |row: Row| row.within(back).within(shift);
        for (at, found) in self.fields.stored_in(from, (begin, bytes)) {
            taken.push(((here(at), POINTER), found.clone()));
        }
        for (source, there, at, width) in self.fields.copied_to(from) {
            let width = width.filter(|_| at.spot.stride == 0)?;
            if !may_share((at, width), (begin, bytes)) {
                continue;
            }
            let before = taken.len();
            if self.take_along((source, there, width), here(at), deeper - 1, taken).is_none() {
                taken.truncate(before);
                taken.push(((here(at), width), Found::anywhere(self.content[source.0 as usize].clone())));
            }
        }
        (taken.len() <= MOST_TAKEN).then_some(())
    }

    /// What pointers lead to that lie, as far as is known, in a part of an object.
    fn content_within(&self, object: ObjectId, part: Within) -> ObjectSet {
        let Some(parts) = self.sources_of(object, part) else { return self.content[object.0 as usize].clone() };
        let mut set = ObjectSet::default();
        for (object, part) in parts {
            set.union(&match self.objects[object.0 as usize] {
                Object::Stack(_) | Object::Heap(_) => self.stored_within(object, part).set,
                _ => self.content[object.0 as usize].clone(),
            });
        }
        set
    }
}
