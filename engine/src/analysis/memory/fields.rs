//! Pointers in memory by the place where they lie, and where in its object a pointer leads.
//!
//! What a load finds is what was stored at its place, if that is known: a struct's vector of names and its vector of weights are not the same. A copy of
//! memory is a *link*: what is found in the destination is what lies at that place of the source.
//!
//! A place is counted from the start of an object, so it must be known that a pointer was made from one to the start: from the parameter, the `alloca`, the
//! allocation, or from a pointer that was stored, of which it is known where it leads: to the start, or to a record of a row. Others are *loose*: what is read or
//! stored through them may lie anywhere in the object.

use super::cells::overlap;
use super::{Memory, Object, ObjectId, ObjectSet, Spot};
use crate::analysis::spot::{Row, roots_of, row_of};
use crate::ir::{Callee, Func, Op, Val};
use crate::llvm::Type;
use crate::maps::HashMap;
use crate::rule::Effect;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Bytes of a pointer.
pub const POINTER: i64 = 8;
/// The start of an object.
pub const START: Row = Row::of(Spot { offset: 0, stride: 0 });
/// The whole of an object.
pub const ANYWHERE: Spot = Spot { offset: 0, stride: 1 };
/// Places that are looked at in other objects from which one was copied.
const LINKS: usize = 24;

/// Somewhere in so many bytes of an object.
pub type Within = (Row, i64);

/// What a pointer that lies somewhere may lead to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// The objects.
    pub set: ObjectSet,
    /// Those of them that it may lead anywhere into.
    loose: ObjectSet,
    /// Where it leads in others, if not to the start: to a record of a row, say.
    inside: BTreeMap<ObjectId, Row>,
    /// It may be null.
    null: bool,
}

impl Found {
    /// Pointers to anywhere in these objects.
    pub fn anywhere(set: ObjectSet) -> Found {
        Found { loose: set.clone(), set, ..Found::default() }
    }

    /// Pointers to where these objects begin.
    pub fn starts(set: ObjectSet) -> Found {
        Found { set, ..Found::default() }
    }

    /// Whether it leads nowhere, so far as is known, and is not even null.
    pub fn is_nothing(&self) -> bool {
        self.set.is_empty() && !self.null
    }

    /// Where in one of its objects it leads, if that is known.
    pub fn place(&self, object: ObjectId) -> Option<Row> {
        (!self.loose.contains(object)).then(|| self.inside.get(&object).copied().unwrap_or(START))
    }

    /// Where it leads in each of its objects, if that is known of all.
    pub fn places(&self) -> Option<Row> {
        let mut rows = self.set.iter().map(|object| self.place(object));
        let first = rows.next().unwrap_or(Some(START))?;
        rows.try_fold(first, |all, row| Some(all.or(row?)))
    }

    /// Enters that it leads somewhere in an object; true where that is news.
    fn lead(&mut self, object: ObjectId, place: Option<Row>) -> bool {
        let is_new = self.set.insert(object);
        let before = if is_new { place } else { self.place(object) };
        let changes = match before.zip(place).map(|(before, place)| before.or(place)).filter(|row| row.spot != ANYWHERE)
        {
            None => {
                self.inside.remove(&object);
                self.loose.insert(object)
            }
            Some(START) => false,
            Some(row) => self.inside.insert(object, row) != Some(row),
        };
        is_new | changes
    }

    /// Adds another; true where that is news.
    pub fn union(&mut self, other: &Found) -> bool {
        let is_null = other.null && !std::mem::replace(&mut self.null, true);
        if self.inside.is_empty() && other.inside.is_empty() {
            return self.set.union(&other.set) | self.loose.union(&other.loose) | is_null;
        }
        other.set.iter().fold(is_null, |news, object| self.lead(object, other.place(object)) | news)
    }
}

/// Whether a pointer may be moved as a value of a type.
fn is_word(ty: Type) -> bool {
    ty.is_pointer() || (ty.is_int() && ty.bits() == 64)
}

/// A copy of memory, seen from its destination.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Link {
    from: ObjectId,
    there: Row,
    here: Row,
    /// Bytes, where constant.
    bytes: Option<i64>,
}

/// Pointers in the function's own objects.
#[derive(Clone, Debug, Default)]
pub struct Fields {
    stored: HashMap<ObjectId, Vec<(Row, Found)>>,
    links: HashMap<ObjectId, Vec<Link>>,
    /// What was loaded, where it may lead into the middle of an object or is null.
    loaded: HashMap<Val, Found>,
    /// Places of addresses, and what they are counted from.
    places: RefCell<HashMap<Val, (Row, Vec<Val>)>>,
}

impl Memory {
    /// Where in an object an address lies, if it is known where that begins.
    pub fn place(&self, func: &Func, address: Val, object: ObjectId) -> Option<Row> {
        let mut places = self.fields.places.borrow_mut();
        let (row, roots) = places.entry(address).or_insert_with(|| (row_of(func, address), roots_of(func, address)));
        let begins = roots.iter().filter(|root| self.points_to_object(**root, object));
        let mut begins = begins.map(|root| self.begin(func, *root, object));
        let first = begins.next().unwrap_or(Some(START))?;
        let begin = begins.try_fold(first, |all: Row, begin| Some(all.or(begin?)))?;
        Some(row.within(begin))
    }

    fn points_to_object(&self, val: Val, object: ObjectId) -> bool {
        self.values.get(&val).is_some_and(|set| set.contains(object))
    }

    /// Where a value that is no address arithmetic leads in an object that it leads to.
    fn begin(&self, func: &Func, root: Val, object: ObjectId) -> Option<Row> {
        let is_start = match root {
            Val::Arg(i) => self.objects[object.0 as usize] == Object::Param(i),
            Val::Const(_) => false,
            Val::Inst(id) => match func.inst(id).op {
                Op::Alloca | Op::Call(Callee::Effect(Effect::Allocate { .. })) => true,
                Op::Load => return self.fields.loaded.get(&root).map_or(Some(START), |found| found.place(object)),
                _ => false,
            },
        };
        is_start.then_some(START)
    }

    /// What a value that is stored somewhere leads to.
    pub(super) fn found(&self, func: &Func, val: Val) -> Found {
        let mut found = Found::default();
        for object in self.points_to(val).iter() {
            found.lead(object, self.place(func, val, object));
        }
        found.null = is_word(func.ty(val)) && roots_of(func, val).into_iter().any(|root| self.may_be_null(root));
        found
    }

    /// Whether a value that is no address arithmetic is null, or was loaded where null was put.
    pub fn may_be_null(&self, root: Val) -> bool {
        match root {
            Val::Const(value) => value.is_null() && is_word(value.ty()),
            Val::Inst(_) => self.fields.loaded.get(&root).is_some_and(|found| found.null),
            Val::Arg(_) => false,
        }
    }

    /// Enters what a load finds; true where that is news.
    pub(super) fn enter_loaded(&mut self, result: Val, found: &Found) -> bool {
        let is_plain = found.loose.is_empty() && found.inside.is_empty() && !found.null;
        let mut is_new = false;
        if !is_plain || self.fields.loaded.contains_key(&result) {
            let before = || Found::starts(self.values.get(&result).cloned().unwrap_or_default());
            is_new = self.fields.loaded.entry(result).or_insert_with(before).union(found);
        }
        self.flow(result, &found.set) | is_new
    }

    /// What a pointer leads to that is loaded at a place of an object. What is found there of the caller's is told apart from now on.
    pub(super) fn found_at(&mut self, object: ObjectId, row: Row, is_pointer: bool) -> Found {
        for (object, (row, _)) in self.sources_of(object, (row, POINTER)).unwrap_or_default() {
            if self.objects[object.0 as usize].param().is_some() {
                self.found_behind(object, row, is_pointer);
            }
        }
        self.seen_at(object, row)
    }

    /// The same, where that tells nothing more apart.
    pub(super) fn seen_at(&self, object: ObjectId, row: Row) -> Found {
        let Some(sources) = self.sources_of(object, (row, POINTER)) else {
            return Found::anywhere(self.content[object.0 as usize].clone());
        };
        let mut found = Found::default();
        for (object, part) in sources {
            found.union(&match self.objects[object.0 as usize] {
                Object::Param(_) | Object::Path(..) => self.seen_behind(object, part.0),
                Object::Stack(_) | Object::Heap(_) => self.stored_within(object, part),
                Object::Behind(_) | Object::Global(_) => Found::anywhere(self.content[object.0 as usize].clone()),
            });
        }
        found
    }

    /// What the pointers lead to that lie at an address.
    pub fn found_there(&self, func: &Func, address: Val) -> ObjectSet {
        let mut all = ObjectSet::default();
        for object in self.points_to(address).iter() {
            match self.place(func, address, object) {
                Some(row) => all.union(&self.seen_at(object, row).set),
                None => all.union(&self.content[object.0 as usize]),
            };
        }
        all
    }

    /// Pointers that were stored in a part of one of the function's own objects.
    pub(super) fn stored_within(&self, object: ObjectId, part: Within) -> Found {
        let mut found = Found::default();
        self.fields.stored_in(object, part).for_each(|(_, stored)| _ = found.union(stored));
        found
    }

    /// The part itself, and those from which copies may have brought what lies there, unless there are too many.
    pub(super) fn sources_of(&self, object: ObjectId, part: Within) -> Option<Vec<(ObjectId, Within)>> {
        let mut found = vec![(object, part)];
        let mut next = 0;
        while let Some((object, (row, bytes))) = found.get(next).copied() {
            next += 1;
            for link in self.fields.links.get(&object).into_iter().flatten() {
                let source = link.back(row, bytes).map(|row| (link.from, (row, bytes)));
                found.extend(source.filter(|source| !found.contains(source)));
            }
            if found.len() > LINKS {
                return None;
            }
        }
        Some(found)
    }

    /// Enters pointers at a place of one of the function's own objects, or somewhere in it.
    pub(super) fn store_at(&mut self, object: ObjectId, row: Option<Row>, found: &Found) -> bool {
        if !matches!(self.objects[object.0 as usize], Object::Stack(_) | Object::Heap(_)) || found.is_nothing() {
            return false;
        }
        let row = row.unwrap_or(Row::of(ANYWHERE));
        let stored = self.fields.stored.entry(object).or_default();
        match stored.iter_mut().find(|(at, _)| *at == row) {
            Some((_, there)) => there.union(found),
            None => {
                stored.push((row, found.clone()));
                true
            }
        }
    }

    /// Enters a copy from one object to another; `here` and `there` are where it goes to and comes from, if that is known.
    pub(super) fn copy_fields(
        &mut self,
        to: (ObjectId, Option<Row>),
        from: (ObjectId, Option<Row>),
        bytes: Option<i64>,
    ) -> bool {
        let keeps_places = |object: ObjectId| {
            !matches!(self.objects[object.0 as usize], Object::Behind(_) | Object::Global(_)) && !self.is_rest(object)
        };
        match (to.1, from.1) {
            (Some(here), Some(there)) if keeps_places(from.0) => {
                if !matches!(self.objects[to.0.0 as usize], Object::Stack(_) | Object::Heap(_)) {
                    return false;
                }
                let link = Link { from: from.0, there, here, bytes };
                let links = self.fields.links.entry(to.0).or_default();
                let is_new = !links.contains(&link);
                if is_new {
                    links.push(link);
                }
                is_new
            }
            _ => {
                let all = Found::anywhere(self.content[from.0.0 as usize].clone());
                self.store_at(to.0, None, &all)
            }
        }
    }
}

impl Fields {
    /// Pointers that were stored in a part of one of the function's own objects: where, and what they lead to.
    pub(super) fn stored_in(&self, object: ObjectId, part: Within) -> impl Iterator<Item = (Row, &Found)> {
        let stored = self.stored.get(&object).into_iter().flatten();
        stored.filter(move |(at, _)| may_share((*at, POINTER), part)).map(|(at, found)| (*at, found))
    }

    /// Copies to an object: what from, where there, where here, and how many bytes if that is known.
    pub(super) fn copied_to(&self, object: ObjectId) -> impl Iterator<Item = (ObjectId, Row, Row, Option<i64>)> {
        self.links.get(&object).into_iter().flatten().map(|link| (link.from, link.there, link.here, link.bytes))
    }
}

impl Link {
    /// Where the copy found what it put in so many bytes at each place of a row; nothing where it put nothing there.
    fn back(&self, row: Row, width: i64) -> Option<Row> {
        let (spot, here) = (row.spot, self.here.spot);
        let is_before = self.here.is_behind(spot, width);
        let is_behind = self.bytes.is_some_and(|bytes| row.is_behind(here, bytes));
        if is_before || is_behind {
            return None;
        }
        let back = Row::of(Spot { offset: here.offset.wrapping_neg(), ..here });
        Some(row.within(back).within(self.there))
    }
}

/// Whether something of so many bytes in one row may share a byte with something in another.
pub fn may_share((a, a_bytes): Within, (b, b_bytes): Within) -> bool {
    overlap(a.spot, a_bytes, b.spot, b_bytes) && !a.is_behind(b.spot, b_bytes) && !b.is_behind(a.spot, a_bytes)
}
