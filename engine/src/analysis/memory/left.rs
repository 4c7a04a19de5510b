//! Pointers that a function leaves in its caller's memory: where they lie there, and what they lead to.
//!
//! A method that pushes to one vector of a struct leaves a new pointer at the place of that vector, and none in the struct's other vectors.

use super::fields::{Found, POINTER, START, Within};
use super::{Memory, Node, Object, ObjectId};
use crate::ir::{Func, InstId};
use std::collections::{BTreeMap, BTreeSet};

/// What is left in one object, by where it lies, if that is known.
pub type Left = BTreeMap<Option<Within>, Found>;

/// What a callee leaves: in which memory and where there; what it leads to, and whether perhaps into the middle of that.
pub type Told = BTreeMap<(Node, Option<Within>), BTreeSet<(Node, bool)>>;

/// Beyond so many places of an object they are one.
const MOST_PLACES: usize = 16;

/// Tells together what more and more rounds find one after the other.
pub fn widen(told: &mut Told, before: &Told) {
    let new: Vec<(Node, Option<Within>)> = told.keys().filter(|key| !before.contains_key(key)).copied().collect();
    for key in new {
        if let Some(targets) = told.remove(&key) {
            told.entry((key.0, None)).or_default().extend(targets);
        }
    }
}

impl Memory {
    /// Enters that a function leaves pointers in an object, for its callers.
    pub(super) fn leave(&mut self, object: ObjectId, place: Option<Within>, found: &Found) {
        if found.set.is_empty() || self.is_frozen(object) || self.of_text.contains(object) {
            return;
        }
        let left = &mut self.left[object.0 as usize];
        let is_full = left.len() >= MOST_PLACES && !left.contains_key(&place);
        left.entry(if is_full { None } else { place }).or_default().union(found);
    }

    /// What this function tells of that.
    pub(super) fn told_left(&self) -> Told {
        let mut told = Told::new();
        for (index, left) in self.left.iter().enumerate() {
            let Some(node) = self.node_of(ObjectId(index as u32)) else { continue };
            let has_places = matches!(node, Node::Param(_) | Node::Way(..));
            for (place, found) in left {
                let targets = found.set.iter().filter_map(|o| Some((self.node_of(o)?, found.place(o) != Some(START))));
                let targets: Vec<(Node, bool)> = targets.collect();
                if !targets.is_empty() {
                    told.entry((node, place.filter(|_| has_places))).or_default().extend(targets);
                }
            }
        }
        told
    }

    /// Enters what a callee leaves; true where that is news.
    pub(super) fn follow_left(
        &mut self,
        func: &Func,
        call: InstId,
        told: &Told,
        is_kept: impl Fn(&Node) -> bool,
    ) -> bool {
        let mut changed = false;
        // Each node is looked for once a round: what calls itself on a tree stores any of a hundred in any other.
        let nodes = told.iter().flat_map(|((place, _), targets)| targets.iter().map(|(node, _)| node).chain([place]));
        let nodes: BTreeMap<Node, Found> = nodes.map(|n| (*n, self.found_node(func, call, *n))).collect();
        for ((node, place), targets) in told {
            let mut kept = Found::default();
            for (target, is_loose) in targets.iter().filter(|(target, _)| is_kept(target)) {
                let found = &nodes[target];
                kept.union(&if *is_loose { Found::anywhere(found.set.clone()) } else { found.clone() });
            }
            let there = &nodes[node];
            for object in there.set.iter() {
                if matches!(self.objects[object.0 as usize], Object::Global(_)) {
                    continue;
                }
                let begin = match node {
                    Node::Param(i) => self.place(func, func.inst(call).operands[*i as usize], object),
                    _ => there.place(object),
                };
                let place = begin.zip(*place).map(|(begin, (row, bytes))| (row.within(begin), bytes));
                self.leave(object, place, &kept);
                changed |= self.hold_within(object, place, &kept);
            }
        }
        changed
    }

    /// What a callee's node stands for at a call, and whether its pointers lead to where that begins.
    fn found_node(&self, func: &Func, call: InstId, node: Node) -> Found {
        let operand = |i: u32| func.inst(call).operands[i as usize];
        match node {
            Node::Param(i) => self.found(func, operand(i)),
            Node::Way(i, way) => self.along(func, operand(i), way.spots()),
            Node::Made(_) => Found::starts(self.node(func, call, node)),
            Node::Behind(_) | Node::Beyond(..) | Node::Global(_) => Found::anywhere(self.node(func, call, node)),
        }
    }

    /// Enters pointers in an object, somewhere in so many bytes of it if that is known.
    pub(super) fn hold_within(&mut self, object: ObjectId, place: Option<Within>, found: &Found) -> bool {
        let row = place.filter(|(_, bytes)| *bytes == POINTER).map(|(row, _)| row);
        // Nobody has a pointer where floats are and nothing else, whatever leads there as far as is known.
        if self.leads_nowhere(object) || self.is_frozen(object) {
            return false;
        }
        let is_kept = !found.set.is_empty() && self.keep_behind(object, place, found);
        is_kept | self.store_at(object, row, found) | self.content[object.0 as usize].union(&found.set)
    }
}
