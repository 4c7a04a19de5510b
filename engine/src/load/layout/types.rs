//! Where the floats, pointers and numbers of a type are.

use crate::llvm::{Node, NodeKind};
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

/// Types of more runs than this are not told apart.
const MOST_RUNS: usize = 128;
/// How deep types lie in each other; more are a mistake of ours.
const DEEPEST: usize = 64;

/// The smallest part of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaf {
    /// A float of so many bytes.
    Float(u64),
    /// A pointer.
    Pointer,
    /// A number, flag or character of so many bytes.
    Integer(u64),
    /// So many bytes that hold one thing or another.
    Mixed(u64),
}

impl Leaf {
    /// Its size in bytes.
    pub fn bytes(self) -> u64 {
        match self {
            Leaf::Float(bytes) | Leaf::Integer(bytes) | Leaf::Mixed(bytes) => bytes,
            Leaf::Pointer => 8,
        }
    }
}

/// Leaves of one kind, one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// Where the first one begins, in bytes.
    pub at: u64,
    /// What they are.
    pub leaf: Leaf,
    /// How many.
    pub count: u64,
}

impl Run {
    /// Where the last one ends.
    pub fn end(self) -> u64 {
        self.at + self.leaf.bytes() * self.count
    }

    /// The leaves and where they begin.
    pub fn leaves(self) -> impl Iterator<Item = (u64, Leaf)> {
        (0..self.count).map(move |index| (self.at + index * self.leaf.bytes(), self.leaf))
    }

    /// Reads what [`fmt::Display`] writes.
    pub fn parse(text: &str) -> Option<Run> {
        let (what, at) = text.split_once('@')?;
        let (kind, count) = what.split_once('x')?;
        let bytes = |digits: &str| digits.parse::<u64>().ok().filter(|bytes| *bytes > 0);
        let leaf = match kind.split_at_checked(1)? {
            ("f", digits) => Leaf::Float(bytes(digits)?),
            ("p", _) => Leaf::Pointer,
            ("i", digits) => Leaf::Integer(bytes(digits)?),
            _ => return None,
        };
        Some(Run { at: at.parse().ok()?, leaf, count: count.parse().ok()? })
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.leaf {
            Leaf::Float(_) => 'f',
            Leaf::Pointer => 'p',
            Leaf::Integer(_) => 'i',
            Leaf::Mixed(_) => 'm',
        };
        write!(f, "{kind}{}x{}@{}", self.leaf.bytes(), self.count, self.at)
    }
}

/// Puts runs in order, and those together that go on. Where two share bytes without being the same, nobody knows what is there.
fn settle(mut runs: Vec<Run>) -> Vec<Run> {
    runs.sort_by_key(|run| (run.at, run.end()));
    let mut settled: Vec<Run> = Vec::new();
    for run in runs.into_iter().filter(|run| run.count > 0) {
        let Some(last) = settled.last_mut().filter(|last| run.at <= last.end()) else {
            settled.push(run);
            continue;
        };
        let bytes = last.leaf.bytes();
        let is_mixed = matches!(last.leaf, Leaf::Mixed(_)) || matches!(run.leaf, Leaf::Mixed(_));
        let end = last.end().max(run.end());
        if last.leaf == run.leaf && !is_mixed && (run.at - last.at).is_multiple_of(bytes) {
            last.count = (end - last.at) / bytes;
        } else if run.at == last.end() {
            settled.push(run);
        } else {
            *last = Run { at: last.at, leaf: Leaf::Mixed(end - last.at), count: 1 };
        }
    }
    settled
}

/// Layouts of types that were asked for.
#[derive(Default, Debug)]
pub struct Layouts(HashMap<Node, Option<Rc<[Run]>>>);

impl Layouts {
    /// What a type consists of, padding left out; none where that is not known.
    pub fn of(&mut self, ty: Node) -> Option<Rc<[Run]>> {
        self.nested(ty, DEEPEST)
    }

    fn nested(&mut self, ty: Node, depth: usize) -> Option<Rc<[Run]>> {
        if let Some(known) = self.0.get(&ty) {
            return known.clone();
        }
        let runs = depth.checked_sub(1).and_then(|depth| self.find(ty, depth));
        let runs = runs.map(settle).filter(|runs| runs.len() <= MOST_RUNS).map(Rc::from);
        self.0.insert(ty, runs.clone());
        runs
    }

    fn find(&mut self, ty: Node, depth: usize) -> Option<Vec<Run>> {
        let size = ty.size();
        let one = |leaf| Some(vec![whole(leaf)]);
        match ty.kind() {
            NodeKind::Base => match (ty.name().as_str(), size) {
                (_, 0) => Some(Vec::new()),
                ("f32", 4) => one(Leaf::Float(4)),
                ("f64", 8) => one(Leaf::Float(8)),
                ("f16" | "f128", _) => one(Leaf::Mixed(size)),
                (_, 16) => Some(vec![Run { at: 0, leaf: Leaf::Integer(8), count: 2 }]),
                (_, 1 | 2 | 4 | 8) => one(Leaf::Integer(size)),
                _ => None,
            },
            NodeKind::Enumeration => matches!(size, 1 | 2 | 4 | 8).then(|| vec![whole(Leaf::Integer(size))]),
            NodeKind::Pointer => (size == 8).then(|| vec![whole(Leaf::Pointer)]),
            NodeKind::Alias => Some(self.nested(ty.base()?, depth)?.to_vec()),
            NodeKind::Array => {
                let element = ty.base()?;
                let (runs, count) = (self.nested(element, depth)?, ty.count()?);
                repeated(&runs, element.size(), count)
            }
            NodeKind::Struct | NodeKind::Union => {
                let parts = ty.elements();
                if parts.is_empty() && size > 0 {
                    return None;
                }
                let mut all = Vec::new();
                for part in parts {
                    match part.kind() {
                        NodeKind::Member => all.extend(self.member(part, depth)?),
                        NodeKind::Variants => all.extend(self.variants(part, depth)?),
                        _ => {}
                    }
                }
                Some(all)
            }
            NodeKind::Variants | NodeKind::Member | NodeKind::Other => None,
        }
    }

    fn member(&mut self, member: Node, depth: usize) -> Option<impl Iterator<Item = Run>> {
        let runs = self.nested(member.base()?, depth)?.to_vec();
        let begin = member.offset();
        Some(runs.into_iter().map(move |run| Run { at: begin + run.at, ..run }))
    }

    /// All variants one above the other, and what tells them apart, unless that is a part of one of them.
    fn variants(&mut self, part: Node, depth: usize) -> Option<Vec<Run>> {
        let mut all = Vec::new();
        // A variant without fields is a struct of the enum's size without anything in it.
        let has_fields = |variant: &Node| variant.base().is_none_or(|fields| !fields.elements().is_empty());
        for variant in part.elements().into_iter().filter(has_fields) {
            all.extend(self.member(variant, depth)?);
        }
        if let Some(tag) = part.discriminator() {
            let tag: Vec<Run> = self.member(tag, depth)?.collect();
            let is_apart = |tag: &Run| all.iter().all(|run: &Run| run.end() <= tag.at || tag.end() <= run.at);
            if tag.iter().all(is_apart) {
                all.extend(tag);
            }
        }
        Some(all)
    }

    /// What lies in so many bytes of a type, from a place in it on: of what begins and ends there, if there is such a thing, in each variant that has it.
    pub fn part(&mut self, ty: Node, at: u64, bytes: u64) -> Option<Vec<Run>> {
        let mut parts = Vec::new();
        self.parts(ty, at, bytes, DEEPEST, &mut parts);
        if let Some(first) = parts.first() {
            return parts.iter().all(|part| part == first).then(|| first.clone());
        }
        let end = at + bytes;
        let whole = self.of(ty)?;
        let mut found = Vec::new();
        for run in whole.iter().filter(|run| run.at < end && at < run.end()) {
            for (place, leaf) in run.leaves().filter(|(place, leaf)| *place < end && at < place + leaf.bytes()) {
                if place < at || end < place + leaf.bytes() {
                    return None;
                }
                found.push(Run { at: place - at, leaf, count: 1 });
            }
        }
        (end <= ty.size()).then(|| settle(found))
    }

    fn parts(&mut self, ty: Node, at: u64, bytes: u64, depth: usize, found: &mut Vec<Vec<Run>>) {
        let Some(depth) = depth.checked_sub(1) else { return };
        if at == 0 && bytes == ty.size() {
            found.extend(self.of(ty).map(|runs| runs.to_vec()));
            return;
        }
        match ty.kind() {
            NodeKind::Alias => {
                if let Some(base) = ty.base() {
                    self.parts(base, at, bytes, depth, found);
                }
            }
            NodeKind::Array => {
                let Some(element) = ty.base().filter(|element| element.size() > 0) else { return };
                let size = element.size();
                if at.is_multiple_of(size) && bytes.is_multiple_of(size) {
                    let runs = self.of(element).and_then(|runs| repeated(&runs, size, bytes / size));
                    found.extend(runs.map(settle));
                } else if at % size + bytes <= size {
                    self.parts(element, at % size, bytes, depth, found);
                }
            }
            NodeKind::Struct | NodeKind::Union | NodeKind::Variants => {
                for part in ty.elements() {
                    match part.kind() {
                        NodeKind::Variants => self.parts(part, at, bytes, depth, found),
                        NodeKind::Member => {
                            let (begin, Some(base)) = (part.offset(), part.base()) else { continue };
                            if begin <= at && at + bytes <= begin + base.size() {
                                self.parts(base, at - begin, bytes, depth, found);
                            }
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
}

fn whole(leaf: Leaf) -> Run {
    Run { at: 0, leaf, count: 1 }
}

/// An array of things of so many bytes; none where that is too much to write down.
pub fn repeated(runs: &[Run], size: u64, count: u64) -> Option<Vec<Run>> {
    match runs {
        [] => Some(Vec::new()),
        [run] if run.at == 0 && run.end() == size && !matches!(run.leaf, Leaf::Mixed(_)) => {
            Some(vec![Run { count: run.count * count, ..*run }])
        }
        _ => {
            if runs.len() as u64 * count > MOST_RUNS as u64 {
                return None;
            }
            let shifted = |index: u64| runs.iter().map(move |run| Run { at: run.at + index * size, ..*run });
            Some((0..count).flat_map(shifted).collect())
        }
    }
}

/// What the pointers lead to that lie at a place of a type.
pub fn pointees(ty: Node, at: u64, found: &mut Vec<Node>) {
    nested_pointees(ty, at, DEEPEST, found);
}

fn nested_pointees(ty: Node, at: u64, depth: usize, found: &mut Vec<Node>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    match ty.kind() {
        NodeKind::Pointer if at == 0 => found.extend(ty.base().filter(|base| !found.contains(base))),
        NodeKind::Alias => {
            if let Some(base) = ty.base() {
                nested_pointees(base, at, depth, found);
            }
        }
        NodeKind::Array => {
            if let Some(element) = ty.base().filter(|element| element.size() > 0) {
                nested_pointees(element, at % element.size(), depth, found);
            }
        }
        NodeKind::Struct | NodeKind::Union | NodeKind::Variants => {
            for part in ty.elements() {
                match part.kind() {
                    NodeKind::Variants => nested_pointees(part, at, depth, found),
                    NodeKind::Member => {
                        let (begin, Some(base)) = (part.offset(), part.base()) else { continue };
                        if begin <= at && at < begin + base.size() {
                            nested_pointees(base, at - begin, depth, found);
                        }
                    }
                    _ => {}
                }
            }
        }
        _ => {}
    }
}
