//! Pointers in memory by the place where they lie, and where in its object a pointer leads.
//!
//! What a load finds is what was stored at its place, if that is known: a struct's vector of names and its vector of weights are not the same. A copy of
//! memory is a *link*: what is found in the destination is what lies at that place of the source.
//!
//! A place is counted from the start of an object, so it must be known that a pointer was made from one to the start: from the parameter, the `alloca`, the
//! allocation, or from a pointer that was stored as such. Others are *loose*: what is read or stored through them may lie anywhere in the object.

use super::cells::overlap;
use super::{Memory, Object, ObjectId, ObjectSet, Spot};
use crate::analysis::spot::{gcd, roots_of, spot_of};
use crate::ir::{Callee, Func, Op, Val};
use crate::rule::Effect;
use std::cell::RefCell;
use std::collections::HashMap;

/// Bytes of a pointer.
pub const POINTER: i64 = 8;
/// The start of an object.
pub const START: Spot = Spot { offset: 0, stride: 0 };
/// The whole of an object.
pub const ANYWHERE: Spot = Spot { offset: 0, stride: 1 };
/// Places that are looked at in other objects from which one was copied.
const LINKS: usize = 24;

/// What a pointer that lies somewhere may lead to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// The objects.
    pub set: ObjectSet,
    /// Those of them that it may lead into the middle of.
    pub loose: ObjectSet,
}

impl Found {
    /// Pointers to anywhere in these objects.
    pub fn anywhere(set: ObjectSet) -> Found {
        Found { loose: set.clone(), set }
    }

    /// Adds another; true where that is news.
    pub fn union(&mut self, other: &Found) -> bool {
        self.set.union(&other.set) | self.loose.union(&other.loose)
    }
}

/// A copy of memory, seen from its destination.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Link {
    from: ObjectId,
    there: Spot,
    here: Spot,
    /// Bytes, where constant.
    bytes: Option<i64>,
}

/// Pointers in the function's own objects.
#[derive(Clone, Debug, Default)]
pub struct Fields {
    stored: HashMap<ObjectId, Vec<(Spot, Found)>>,
    links: HashMap<ObjectId, Vec<Link>>,
    /// Of what was loaded: objects that it may lead into the middle of.
    loose: HashMap<Val, ObjectSet>,
    /// Places of addresses, and what they are counted from.
    places: RefCell<HashMap<Val, (Spot, Vec<Val>)>>,
}

impl Memory {
    /// Where in an object an address lies, if it is known where that begins.
    pub fn place(&self, func: &Func, address: Val, object: ObjectId) -> Option<Spot> {
        let mut places = self.fields.places.borrow_mut();
        let (spot, roots) = places.entry(address).or_insert_with(|| (spot_of(func, address), roots_of(func, address)));
        let from_start = |root: &Val| !self.points_to_object(*root, object) || self.is_start(func, *root, object);
        roots.iter().all(from_start).then_some(*spot)
    }

    fn points_to_object(&self, val: Val, object: ObjectId) -> bool {
        self.values.get(&val).is_some_and(|set| set.contains(object))
    }

    /// Whether a value that is no address arithmetic leads, as far as it leads to an object, to its start.
    fn is_start(&self, func: &Func, root: Val, object: ObjectId) -> bool {
        match root {
            Val::Arg(i) => self.objects[object.0 as usize] == Object::Param(i),
            Val::Const(_) => false,
            Val::Inst(id) => match func.inst(id).op {
                Op::Alloca | Op::Call(Callee::Effect(Effect::Allocate { .. })) => true,
                Op::Load => self.fields.loose.get(&root).is_none_or(|loose| !loose.contains(object)),
                _ => false,
            },
        }
    }

    /// What a value that is stored somewhere leads to.
    pub(super) fn found(&self, func: &Func, val: Val) -> Found {
        let set = self.points_to(val);
        let mut loose = ObjectSet::default();
        for object in set.iter() {
            if self.place(func, val, object) != Some(START) {
                loose.insert(object);
            }
        }
        Found { set, loose }
    }

    /// Enters what a load finds; true where that is news.
    pub(super) fn enter_loaded(&mut self, result: Val, found: &Found) -> bool {
        let is_new = self.flow(result, &found.set);
        is_new | (!found.loose.is_empty() && self.fields.loose.entry(result).or_default().union(&found.loose))
    }

    /// What a pointer leads to that is loaded at a place of an object. What is found there of the caller's is told apart from now on.
    pub(super) fn found_at(&mut self, object: ObjectId, spot: Spot, is_pointer: bool) -> Found {
        for (object, spot) in self.sources_of(object, spot).unwrap_or_default() {
            if self.objects[object.0 as usize].param().is_some() {
                self.found_behind(object, spot, is_pointer);
            }
        }
        self.seen_at(object, spot)
    }

    /// The same, where that tells nothing more apart.
    pub(super) fn seen_at(&self, object: ObjectId, spot: Spot) -> Found {
        let Some(sources) = self.sources_of(object, spot) else {
            return Found::anywhere(self.content[object.0 as usize].clone());
        };
        let mut found = Found::default();
        for (object, spot) in sources {
            found.union(&match self.objects[object.0 as usize] {
                Object::Param(_) | Object::Path(..) => self.seen_behind(object, spot),
                Object::Stack(_) | Object::Heap(_) => self.stored_at(object, spot),
                Object::Behind(_) | Object::Global(_) => Found::anywhere(self.content[object.0 as usize].clone()),
            });
        }
        found
    }

    /// Pointers that were stored at a place of one of the function's own objects.
    fn stored_at(&self, object: ObjectId, spot: Spot) -> Found {
        let mut found = Found::default();
        for (at, stored) in self.fields.stored.get(&object).into_iter().flatten() {
            if overlap(*at, POINTER, spot, POINTER) {
                found.union(stored);
            }
        }
        found
    }

    /// Whether null is stored, as a pointer, where an address may lie.
    pub fn is_null_put_at(&self, func: &Func, address: Val) -> bool {
        let set = self.points_to(address);
        let may_be = |other: Val| {
            self.points_to(other).iter().filter(|o| set.contains(*o)).any(|o| {
                let place = |address: Val| self.place(func, address, o).unwrap_or(ANYWHERE);
                overlap(place(address), POINTER, place(other), POINTER)
            })
        };
        func.inst_ids().any(|id| {
            let inst = func.inst(id);
            matches!(inst.op, Op::Store)
                && matches!(inst.operands[0], Val::Const(value) if value.is_null() && value.ty().is_pointer())
                && may_be(inst.operands[1])
        })
    }

    /// The place itself, and those from which copies may have brought what lies there, unless there are too many.
    fn sources_of(&self, object: ObjectId, spot: Spot) -> Option<Vec<(ObjectId, Spot)>> {
        let mut found = vec![(object, spot)];
        let mut next = 0;
        while let Some((object, spot)) = found.get(next).copied() {
            next += 1;
            for link in self.fields.links.get(&object).into_iter().flatten() {
                let source = link.back(spot).map(|spot| (link.from, spot));
                found.extend(source.filter(|source| !found.contains(source)));
            }
            if found.len() > LINKS {
                return None;
            }
        }
        Some(found)
    }

    /// Enters pointers at a place of one of the function's own objects, or somewhere in it.
    pub(super) fn store_at(&mut self, object: ObjectId, spot: Option<Spot>, found: &Found) -> bool {
        if !matches!(self.objects[object.0 as usize], Object::Stack(_) | Object::Heap(_)) || found.set.is_empty() {
            return false;
        }
        let spot = spot.unwrap_or(ANYWHERE);
        let stored = self.fields.stored.entry(object).or_default();
        match stored.iter_mut().find(|(at, _)| *at == spot) {
            Some((_, there)) => there.union(found),
            None => {
                stored.push((spot, found.clone()));
                true
            }
        }
    }

    /// Enters a copy from one object to another; `here` and `there` are where it goes to and comes from, if that is known.
    pub(super) fn copy_fields(
        &mut self,
        to: (ObjectId, Option<Spot>),
        from: (ObjectId, Option<Spot>),
        bytes: Option<i64>,
    ) -> bool {
        let keeps_places = |object: Object| !matches!(object, Object::Behind(_) | Object::Global(_));
        match (to.1, from.1) {
            (Some(here), Some(there)) if keeps_places(self.objects[from.0.0 as usize]) => {
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

impl Link {
    /// Where the copy found what it put at a spot; nothing where it put nothing there.
    fn back(&self, spot: Spot) -> Option<Spot> {
        let stride = gcd(gcd(spot.stride, self.here.stride), self.there.stride);
        let distance = spot.offset - self.here.offset;
        if spot.stride == 0 && self.here.stride == 0 {
            let is_behind = self.bytes.is_some_and(|bytes| distance >= bytes);
            if distance <= -POINTER || is_behind {
                return None;
            }
        }
        let offset = self.there.offset + distance;
        Some(Spot { offset: if stride > 0 { offset.rem_euclid(stride as i64) } else { offset }, stride })
    }
}
