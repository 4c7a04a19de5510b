//! Ways from a parameter through pointers: memory behind a parameter, told apart by where the pointers to it lie.
//!
//! A struct with a vector of floats and a vector of vectors leads to floats through one pointer and to pointers through the other. What a load
//! finds at a known place of a parameter's memory leads to an object of that place, and so on inside of that.
//!
//! What is not told apart, since it lies too deep or nobody looks there, is one object for each pointer in the parameter's own memory (a *rest*): the nodes of a tree are not
//! taken for what lies behind a reference beside it.
//!
//! **Promises.** Two pointers that are read from places which may be the same lead to an object in common. Different ways may still lead to the
//! same memory (two clones of an `Rc`), so two objects behind one parameter [may alias](Memory::may_alias), a pointer that is stored into
//! one may be found anywhere in all the others, and a derivative in one may be in all.

use super::cells::overlap;
use super::fields::{ANYWHERE, Found, POINTER, START, Within, may_share};
use super::{Memory, Object, ObjectId, ObjectSet, Spot};
use crate::analysis::spot::Row;
use crate::ir::{Func, Val};
use crate::maps::HashMap;
use std::collections::BTreeMap;

/// How many pointers are followed.
const DEEPEST: u32 = 5;
/// Objects of this kind in one function.
const MOST: usize = 160;

/// Pointers in a row that a caller is told of: what calls itself on a tree goes on for ever otherwise.
const LONGEST_WAY: usize = 3;
/// From so many objects on, callers are told of the first pointer alone: a tree of enums with boxes at several places has too many ways to tell of.
const MANY: usize = 48;

/// A way as callers are told of it: where each pointer lies in what the one before leads to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Way {
    spots: [Spot; LONGEST_WAY],
    length: usize,
}

impl Way {
    /// Nothing where there are too many pointers.
    pub fn new(spots: &[Spot]) -> Option<Way> {
        let mut way = Way { spots: [Spot { offset: 0, stride: 0 }; LONGEST_WAY], length: spots.len() };
        way.spots.get_mut(..spots.len())?.copy_from_slice(spots);
        Some(way)
    }

    /// The places of the pointers.
    pub fn spots(&self) -> &[Spot] {
        &self.spots[..self.length]
    }
}

/// Ways from one place, as a tree: what several have in common is gone once.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Ways(BTreeMap<Spot, Ways>);

impl Ways {
    /// Adds one.
    pub fn add(&mut self, way: &[Spot]) {
        if let [first, further @ ..] = way {
            self.0.entry(*first).or_default().add(further);
        }
    }

    /// All of them, each before those that go on from it.
    pub fn each(&self) -> Vec<Way> {
        let (mut found, mut open) = (Vec::new(), vec![(Vec::new(), self)]);
        while let Some((spots, ways)) = open.pop() {
            found.extend(Way::new(&spots).filter(|way| way.length > 0));
            for (spot, further) in &ways.0 {
                open.push((spots.iter().chain([spot]).copied().collect(), further));
            }
        }
        found
    }

    /// Adds all of others.
    fn merge(&mut self, others: Ways) {
        for (spot, further) in others.0 {
            self.0.entry(spot).or_default().merge(further);
        }
    }

    /// Puts one spot with a stride in the place of pointers that go on and on (`fn all(words: &[&str]) { ..; all(&words[1..]) }`): those that were not there
    /// `before`, at a distance from them at which all of these have one that was.
    pub(super) fn widen(&mut self, before: &Ways) {
        let single = |ways: &Ways| ways.0.keys().filter(|s| s.stride == 0).map(|s| s.offset).collect::<Vec<i64>>();
        let old = single(before);
        let new: Vec<i64> = single(self).into_iter().filter(|offset| !old.contains(offset)).collect();
        if let Some(one) = new.first() {
            let mut distances: Vec<i64> = old.iter().map(|offset| one - offset).collect();
            distances.sort_unstable_by_key(|d| d.unsigned_abs());
            let is_of_all = |d: &i64| new.iter().all(|offset| old.contains(&(offset - d)));
            if let Some(stride) =
                distances.into_iter().find(is_of_all).map(i64::unsigned_abs).filter(|d| *d >= POINTER as u64)
            {
                for offset in new {
                    self.0.entry(Spot { offset: offset.rem_euclid(stride as i64), stride }).or_default();
                }
            }
        }
        let spots: Vec<Spot> = self.0.keys().copied().collect();
        let holds = |wide: &Spot, spot: &Spot| {
            let is_multiple = wide.stride > 0 && spot.stride.is_multiple_of(wide.stride) && wide != spot;
            is_multiple && (spot.offset - wide.offset).rem_euclid(wide.stride as i64) == 0
        };
        for spot in &spots {
            if let Some(wide) = spots.iter().find(|wide| holds(wide, spot))
                && let Some(further) = self.0.remove(spot)
            {
                self.0.entry(*wide).or_default().merge(further);
            }
        }
        for (spot, further) in &mut self.0 {
            if let Some(before) = before.0.get(spot) {
                further.widen(before);
            }
        }
    }
}

/// The last pointer of a way: where it lies.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// In which object.
    pub parent: ObjectId,
    /// Where there.
    pub spot: Spot,
    /// Pointers up to there from the parameter's own memory, this one included.
    depth: u32,
}

/// The ways of a function.
#[derive(Clone, Debug, Default)]
pub struct Paths {
    steps: Vec<Step>,
    /// Where pointers lie, whether they are read as such, and what they lead to.
    children: HashMap<ObjectId, Vec<(Spot, bool, ObjectId)>>,
    /// By parameter: what is behind it, in one and in all objects.
    behind: HashMap<u32, Vec<ObjectId>>,
    /// By what a pointer in a parameter's own memory leads to: all that can be reached from there and is not told apart.
    rests: HashMap<ObjectId, ObjectId>,
    /// By parameter: pointers that are stored somewhere behind it.
    stored: HashMap<u32, ObjectSet>,
    /// Those of them that are stored in several of the objects there.
    shared: HashMap<u32, ObjectSet>,
    /// Those that are stored in each object.
    held: HashMap<ObjectId, ObjectSet>,
    /// Pointers that are stored in each object: where, and in how many bytes.
    placed: HashMap<ObjectId, BTreeMap<Within, Found>>,
    /// Callers are told of the first pointer alone.
    coarse: bool,
}

impl Paths {
    /// A text for dumps.
    pub fn describe(&self, object: Object) -> String {
        let Object::Path(_, number) = object else { return String::new() };
        let Step { parent, spot, .. } = self.steps[number as usize];
        if spot == ANYWHERE {
            return format!(" (rest behind {})", parent.0);
        }
        let stride = if spot.stride > 0 { format!(" mod {}", spot.stride) } else { String::new() };
        format!(" (from {}, {}{stride})", parent.0, spot.offset)
    }
}

impl Memory {
    /// Enters what is behind a parameter as a whole.
    pub(super) fn add_behind(&mut self, param: u32) -> ObjectId {
        let behind = self.add(Object::Behind(param));
        self.content[behind.0 as usize].insert(behind);
        self.paths.behind.entry(param).or_default().push(behind);
        behind
    }

    /// What a pointer leads to that is loaded at a spot of the caller's memory; of an integer, which may be one, it is not told apart by itself.
    pub(super) fn found_behind(&mut self, object: ObjectId, row: Row, is_pointer: bool) -> Found {
        self.tell_apart(object, row.spot, is_pointer);
        self.seen_behind(object, row)
    }

    /// Tells apart what a pointer leads to that lies at a spot of the caller's memory.
    fn tell_apart(&mut self, object: ObjectId, spot: Spot, is_pointer: bool) {
        if let Some(step) = self.step(object, spot)
            && !self.leads_nowhere(object)
        {
            // A pointer that was read there before is told apart, whatever was found when it was read as an integer.
            let known = self.paths.children.get(&object).into_iter().flatten();
            if !known.into_iter().any(|(at, by, _)| *at == spot && (*by || !is_pointer)) {
                self.enter(object, step, is_pointer);
            }
        }
    }

    /// What a pointer there leads to, as far as that is told apart already.
    pub(super) fn seen_behind(&self, object: ObjectId, row: Row) -> Found {
        if self.step(object, row.spot).is_none() {
            return Found::anywhere(self.content[object.0 as usize].clone());
        }
        let mut found = Found::default();
        self.placed_at(object, row).for_each(|stored| _ = found.union(stored));
        if let Some(param) =
            self.objects[object.0 as usize].behind().filter(|_| !self.is_frozen(object) && !self.leads_nowhere(object))
        {
            found.union(&Found::anywhere(self.stored_beside(param, object)));
        }
        found.union(&self.seen_apart(object, row.spot));
        found
    }

    /// The objects of that alone.
    fn set_behind(&self, object: ObjectId, row: Row) -> ObjectSet {
        let mut set = self.seen_apart(object, row.spot).set;
        self.placed_at(object, row).for_each(|stored| _ = set.union(&stored.set));
        if let Some(param) =
            self.objects[object.0 as usize].behind().filter(|_| !self.is_frozen(object) && !self.leads_nowhere(object))
        {
            set.union(&self.stored_beside(param, object));
        }
        set
    }

    /// What was there before the call, so far as it is told apart.
    fn seen_apart(&self, object: ObjectId, spot: Spot) -> Found {
        let children = self.children_at(object, spot);
        if children.is_empty() && !self.leads_nowhere(object) {
            // Nobody looks there by itself: then it is part of the rest.
            return Found::anywhere(self.rest_of(object).map(ObjectSet::of).unwrap_or_default());
        }
        Found::starts(children)
    }

    /// Pointers that were stored at a place of one object.
    fn placed_at(&self, object: ObjectId, row: Row) -> impl Iterator<Item = &Found> {
        let all = self.paths.placed.get(&object).into_iter().flatten();
        all.filter(move |(there, _)| may_share(**there, (row, POINTER))).map(|(_, stored)| stored)
    }

    /// Pointers that are stored behind a parameter and may be found in one of the objects there, wherever that is: what is stored in another may be in the same
    /// memory; so may what is stored in itself where several pointers lead to it, from each of which places are counted.
    fn stored_beside(&self, param: u32, object: ObjectId) -> ObjectSet {
        let Some(all) = self.paths.stored.get(&param) else { return ObjectSet::default() };
        match self.paths.held.get(&object).filter(|_| self.is_single(object)) {
            Some(held) => match self.paths.shared.get(&param) {
                Some(shared) => all.without(&held.without(shared)),
                None => all.without(held),
            },
            None => all.clone(),
        }
    }

    /// Whether a way to an object goes through pointers of which there is one each.
    fn is_single(&self, object: ObjectId) -> bool {
        self.way_to(object).is_some_and(|(_, way)| way.iter().all(|spot| spot.stride == 0))
    }

    /// What pointers that lie at a spot, or may, are known to lead to.
    fn children_at(&self, object: ObjectId, spot: Spot) -> ObjectSet {
        let mut set = ObjectSet::default();
        for (at, _, child) in self.paths.children.get(&object).into_iter().flatten() {
            if overlap(*at, POINTER, spot, POINTER) {
                set.insert(*child);
            }
        }
        set
    }

    /// The step from an object, if that is one from which ways are told apart.
    fn step(&self, object: ObjectId, spot: Spot) -> Option<Step> {
        let depth = match self.objects[object.0 as usize] {
            Object::Param(_) => 1,
            Object::Path(_, number) if !self.is_rest(object) => self.paths.steps[number as usize].depth + 1,
            _ => return None,
        };
        Some(Step { parent: object, spot, depth })
    }

    /// The first pointer of a way to an object: what that leads to.
    fn root_of(&self, object: ObjectId) -> Option<ObjectId> {
        let Object::Path(_, number) = self.objects[object.0 as usize] else { return None };
        let parent = self.paths.steps[number as usize].parent;
        match self.objects[parent.0 as usize] {
            Object::Path(..) => self.root_of(parent),
            _ => Some(object),
        }
    }

    /// The way to that, as callers are told of it.
    pub(super) fn root_way(&self, object: ObjectId) -> Option<Way> {
        let (_, way) = self.way_to(self.root_of(object)?)?;
        Way::new(&way)
    }

    /// What lies behind an object and is not told apart.
    fn rest_of(&self, object: ObjectId) -> Option<ObjectId> {
        let param = self.objects[object.0 as usize].param()?;
        let own = self.root_of(object).and_then(|root| self.paths.rests.get(&root));
        Some(own.copied().unwrap_or(self.paths.behind[&param][0]))
    }

    /// Whether an object is all that can be reached from another one and is not told apart.
    pub(super) fn is_rest(&self, object: ObjectId) -> bool {
        self.root_of(object).is_some_and(|root| self.paths.rests.get(&root) == Some(&object))
    }

    /// Enters what can be reached from what a pointer in a parameter's own memory leads to.
    fn add_rest(&mut self, param: u32, root: ObjectId) {
        let rest = self.add(Object::Path(param, self.paths.steps.len() as u32));
        self.paths.steps.push(Step { parent: root, spot: ANYWHERE, depth: DEEPEST });
        self.paths.rests.insert(root, rest);
        self.know(rest, Some(root));
        let stored = self.paths.stored.get(&param).filter(|_| !self.is_frozen(rest));
        let mut content = stored.cloned().unwrap_or_default();
        content.insert(rest);
        content.insert(root);
        self.content[rest.0 as usize] = content;
        let all = self.paths.behind.entry(param).or_default();
        let whole = all[0];
        all.push(rest);
        self.content[whole.0 as usize].insert(rest);
    }

    /// Enters a step; what it leads to is the rest where there are too many.
    fn enter(&mut self, object: ObjectId, step: Step, is_pointer: bool) -> ObjectId {
        let Some(param) = self.objects[object.0 as usize].param() else { return object };
        let whole = self.paths.behind[&param][0];
        let rest = self.rest_of(object).unwrap_or(whole);
        // An address of which nothing is known leads anywhere.
        let is_somewhere = step.spot.stride == 0 || step.spot.stride >= POINTER as u64;
        let is_apart = is_pointer || step.depth == 1;
        let child = if !is_apart || step.depth > DEEPEST || self.paths.steps.len() >= MOST || !is_somewhere {
            rest
        } else {
            let child = self.add(Object::Path(param, self.paths.steps.len() as u32));
            self.paths.steps.push(step);
            self.know(child, Some(object));
            let stored = self.paths.stored.get(&param).filter(|_| !self.is_frozen(child));
            let content = stored.cloned().unwrap_or_default();
            self.paths.behind.entry(param).or_default().push(child);
            self.content[whole.0 as usize].insert(child);
            self.content[rest.0 as usize].insert(child);
            if !self.leads_nowhere(child) {
                if rest == whole {
                    self.add_rest(param, child);
                }
                self.content[child.0 as usize] = content;
                let rest = self.rest_of(child).unwrap_or(whole);
                self.content[child.0 as usize].insert(rest);
            }
            child
        };
        self.content[object.0 as usize].insert(child);
        self.paths.children.entry(object).or_default().push((step.spot, is_pointer, child));
        child
    }

    /// Enters that pointers are stored in an object of the caller's, somewhere in so many bytes of it if that is known; true where that is news.
    pub(super) fn keep_behind(&mut self, object: ObjectId, place: Option<Within>, found: &Found) -> bool {
        let kind = self.objects[object.0 as usize];
        if kind.param().is_none() {
            return false;
        }
        let place = place.unwrap_or((Row::of(ANYWHERE), POINTER));
        let mut changed = self.paths.placed.entry(object).or_default().entry(place).or_default().union(found);
        if let Some(param) = kind.behind() {
            let held = self.paths.held.entry(object).or_default();
            let stored = self.paths.stored.entry(param).or_default();
            let new = found.set.without(held);
            // What is held here has been told to all others, and to those that were entered since.
            if new.is_empty() {
                return changed;
            }
            self.paths.shared.entry(param).or_default().union(&new.common(stored));
            held.union(&new);
            changed |= stored.union(&new);
            let siblings = self.paths.behind[&param].clone();
            for sibling in
                siblings.into_iter().filter(|o| !self.is_frozen(*o) && !self.leads_nowhere(*o)).collect::<Vec<_>>()
            {
                changed |= self.content[sibling.0 as usize].union(&found.set);
            }
        }
        changed
    }

    /// Adds, to a set with some of what is behind a parameter, all of it.
    pub fn add_siblings(&self, set: &mut ObjectSet) {
        for objects in self.paths.behind.values() {
            if objects.len() > 1 && objects.iter().any(|o| set.contains(*o)) {
                objects.iter().for_each(|o| {
                    set.insert(*o);
                });
            }
        }
    }

    /// The way to an object: the parameter, and where each pointer lies in what the one before leads to.
    pub fn way_to(&self, object: ObjectId) -> Option<(u32, Vec<Spot>)> {
        let (mut way, mut at) = (Vec::new(), object);
        loop {
            match self.objects[at.0 as usize] {
                Object::Param(param) => {
                    way.reverse();
                    return Some((param, way));
                }
                Object::Path(_, number) => {
                    let step = self.paths.steps[number as usize];
                    way.push(step.spot);
                    at = step.parent;
                }
                _ => return None,
            }
        }
    }

    /// Decides how much callers are told, true where that is little. What was told coarsely once is so for good: functions that call each other would not
    /// come to an end otherwise.
    pub(super) fn tell_coarsely(&mut self, before: bool) -> bool {
        self.paths.coarse = before || self.paths.steps.len() - self.paths.rests.len() >= MANY;
        self.paths.coarse
    }

    /// The way to an object, as callers are told of it; nothing where it is too long.
    pub fn told_way(&self, object: ObjectId) -> Option<Way> {
        let (_, way) = self.way_to(object).filter(|_| !self.is_rest(object))?;
        let longest = if self.paths.coarse { 1 } else { LONGEST_WAY };
        if way.len() > longest { None } else { Way::new(&way) }
    }

    /// Where such a way leads from an argument of a call: objects, and where in them.
    pub fn along(&self, func: &Func, argument: Val, way: &[Spot]) -> Found {
        let mut at = Found::default();
        for object in self.points_to(argument).iter() {
            at.set.insert(object);
        }
        for (step, spot) in way.iter().enumerate() {
            let mut next = Found::default();
            for object in at.set.iter() {
                let base = match step {
                    0 => self.place(func, argument, object),
                    _ => at.place(object),
                };
                next.union(&match base {
                    Some(base) => self.seen_at(object, Row::of(*spot).within(base)),
                    None => Found::anywhere(self.content[object.0 as usize].clone()),
                });
            }
            at = next;
        }
        at
    }

    /// Tells apart, on ways from an argument of a call, what a callee tells apart.
    pub(super) fn enter_ways(&mut self, func: &Func, argument: Val, ways: &Ways) -> bool {
        let before = self.objects.len();
        let from: Vec<ObjectId> = self.points_to(argument).iter().collect();
        let at: Vec<(ObjectId, Option<Row>)> = from.into_iter().map(|o| (o, self.place(func, argument, o))).collect();
        self.go(&at, ways);
        self.objects.len() > before
    }

    /// Goes on from objects, at places in them.
    fn go(&mut self, at: &[(ObjectId, Option<Row>)], ways: &Ways) {
        for (spot, further) in &ways.0 {
            let mut next = ObjectSet::default();
            for (object, base) in at {
                let Some(row) = base.map(|base| Row::of(*spot).within(base)) else { continue };
                if self.step(*object, row.spot).is_some() {
                    self.tell_apart(*object, row.spot, true);
                    if !further.0.is_empty() {
                        next.union(&self.set_behind(*object, row));
                    }
                }
            }
            if !further.0.is_empty() {
                let next: Vec<(ObjectId, Option<Row>)> = next.iter().map(|o| (o, Some(START))).collect();
                self.go(&next, further);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ways(spots: &[(i64, u64)]) -> Ways {
        Ways(
            spots.iter().map(|(offset, stride)| (Spot { offset: *offset, stride: *stride }, Ways::default())).collect(),
        )
    }

    #[test]
    fn pointers_that_go_on_and_on_have_a_stride() {
        let mut all = ways(&[(0, 0), (8, 0), (16, 0), (24, 0), (32, 0), (40, 0)]);
        all.widen(&ways(&[(0, 0), (8, 0), (16, 0), (24, 0)]));
        assert_eq!(all, ways(&[(0, 16), (8, 16)]));
        let before = all.clone();
        all.merge(ways(&[(48, 0)]));
        all.widen(&before);
        assert_eq!(all, before);
    }

    #[test]
    fn what_is_found_at_once_stays_where_it_is() {
        let mut all = ways(&[(0, 0), (8, 0), (40, 0)]);
        let before = all.clone();
        all.widen(&before);
        assert_eq!(all, before);
    }

    #[test]
    fn what_lies_behind_pointers_goes_with_them() {
        let mut all = Ways::default();
        let spot = |offset| Spot { offset, stride: 0 };
        [[spot(0), spot(8)], [spot(16), spot(24)]].iter().for_each(|way| all.add(way));
        let before = all.clone();
        all.add(&[spot(32), spot(40)]);
        all.widen(&before);
        let mut expected = Ways::default();
        [8, 24, 40].iter().for_each(|offset| expected.add(&[Spot { offset: 0, stride: 16 }, spot(*offset)]));
        assert_eq!(all, expected);
    }
}
