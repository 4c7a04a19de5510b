//! Where the floats, pointers and numbers of a type are.

use super::shapes::{Arm, Choice, Shape};
use crate::llvm::{Node, NodeKind};
use crate::maps::HashMap;
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
            ("m", digits) => Leaf::Mixed(bytes(digits)?),
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
pub struct Layouts {
    shapes: HashMap<Node, Option<Rc<Shape>>>,
    runs: HashMap<Node, Option<Rc<[Run]>>>,
}

impl Layouts {
    /// What a type consists of, all variants one above the other and padding left out; none where that is not known.
    pub fn of(&mut self, ty: Node) -> Option<Rc<[Run]>> {
        if let Some(known) = self.runs.get(&ty) {
            return known.clone();
        }
        let runs = self.shape(ty).and_then(|shape| shape.flattened()).map(settle);
        let runs = runs.filter(|runs| runs.len() <= MOST_RUNS).map(Rc::from);
        self.runs.insert(ty, runs.clone());
        runs
    }

    /// What a type consists of; none where that is not known.
    pub fn shape(&mut self, ty: Node) -> Option<Rc<Shape>> {
        self.nested(ty, DEEPEST)
    }

    fn nested(&mut self, ty: Node, depth: usize) -> Option<Rc<Shape>> {
        if let Some(known) = self.shapes.get(&ty) {
            return known.clone();
        }
        let shape = depth.checked_sub(1).and_then(|depth| self.find(ty, depth)).map(Rc::new);
        self.shapes.insert(ty, shape.clone());
        shape
    }

    fn find(&mut self, ty: Node, depth: usize) -> Option<Shape> {
        let size = ty.size();
        let one = |leaf| Some(Shape::of(leaf));
        match ty.kind() {
            NodeKind::Base => match (ty.name().as_str(), size) {
                (_, 0) => Some(Shape::default()),
                ("f32", 4) => one(Leaf::Float(4)),
                ("f64", 8) => one(Leaf::Float(8)),
                ("f16" | "f128", _) => one(Leaf::Mixed(size)),
                (_, 16) => {
                    Some(Shape { runs: vec![Run { at: 0, leaf: Leaf::Integer(8), count: 2 }], ..Shape::default() })
                }
                (_, 1 | 2 | 4 | 8) => one(Leaf::Integer(size)),
                _ => None,
            },
            NodeKind::Enumeration if matches!(size, 1 | 2 | 4 | 8) => one(Leaf::Integer(size)),
            NodeKind::Pointer if size == 8 => one(Leaf::Pointer),
            NodeKind::Alias => Some(self.nested(ty.base()?, depth)?.as_ref().clone()),
            NodeKind::Array => {
                let (element, count) = (ty.base()?, ty.count()?);
                Some(self.nested(element, depth)?.repeated(element.size(), count))
            }
            NodeKind::Struct => {
                let parts = ty.elements();
                if parts.is_empty() && size > 0 {
                    return None;
                }
                let mut shape = Shape::default();
                for part in parts {
                    match part.kind() {
                        NodeKind::Member => shape.hold(&*self.nested(part.base()?, depth)?, part.offset()),
                        NodeKind::Variants => self.variants(part, depth, &mut shape)?,
                        _ => {}
                    }
                }
                Some(shape)
            }
            NodeKind::Union => {
                let mut arms = Vec::new();
                for member in ty.elements().into_iter().filter(|part| part.kind() == NodeKind::Member) {
                    let mut shape = Shape::default();
                    shape.hold(&*self.nested(member.base()?, depth)?, member.offset());
                    arms.push(Arm { value: None, shape });
                }
                Some(one_of(None, arms))
            }
            _ => None,
        }
    }

    /// Takes in the variants of an enum.
    fn variants(&mut self, part: Node, depth: usize, enumeration: &mut Shape) -> Option<()> {
        let mut arms = Vec::new();
        for variant in part.elements() {
            let mut shape = Shape::default();
            // A variant without fields is a struct of the enum's size without anything in it.
            if variant.base().is_none_or(|fields| !fields.elements().is_empty()) {
                shape.hold(&*self.nested(variant.base()?, depth)?, variant.offset());
            }
            arms.push(Arm { value: variant.variant(), shape });
        }
        let tag = part.discriminator().map(|tag| {
            let leaf = Leaf::Integer(tag.base().map_or(0, Node::size));
            Run { at: tag.offset(), leaf, count: 1 }
        });
        enumeration.hold(&one_of(tag.filter(|tag| tag.leaf.bytes() <= 8), arms), 0);
        Some(())
    }

    /// What lies in so many bytes of a type, from a place in it on: of what begins and ends there, if there is such a thing, in each variant that has it.
    pub fn part(&mut self, ty: Node, at: u64, bytes: u64) -> Option<Vec<Run>> {
        let parts: Vec<Vec<Run>> = parts(ty, at, bytes, false)
            .into_iter()
            .flatten()
            .filter_map(|part| match part.size() {
                size if size == bytes => self.of(part).map(|runs| runs.to_vec()),
                size => self.of(part).and_then(|runs| repeated(&runs, size, bytes / size)).map(settle),
            })
            .collect();
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
}

/// The types of what begins and ends with so many bytes of a type, in each variant that has such a thing; or of its elements, where it is a part of an array.
/// With `inner`, those too that are all that there is in such a type. In each list one lies in the other.
pub fn parts(ty: Node, at: u64, bytes: u64, inner: bool) -> Vec<Vec<Node>> {
    nested_parts(ty, at, bytes, inner, DEEPEST)
}

fn nested_parts(ty: Node, at: u64, bytes: u64, inner: bool, depth: usize) -> Vec<Vec<Node>> {
    let Some(depth) = depth.checked_sub(1) else { return Vec::new() };
    let is_whole = at == 0 && bytes == ty.size() && !matches!(ty.kind(), NodeKind::Variants | NodeKind::Member);
    if is_whole && !inner {
        return vec![vec![ty]];
    }
    let mut found = match ty.kind() {
        NodeKind::Alias => ty.base().map(|base| nested_parts(base, at, bytes, inner, depth)).unwrap_or_default(),
        NodeKind::Array => match ty.base().filter(|element| element.size() > 0) {
            Some(element) if at.is_multiple_of(element.size()) && bytes.is_multiple_of(element.size()) => {
                vec![vec![element]]
            }
            Some(element) if at % element.size() + bytes <= element.size() => {
                nested_parts(element, at % element.size(), bytes, inner, depth)
            }
            _ => Vec::new(),
        },
        NodeKind::Struct | NodeKind::Union | NodeKind::Variants => {
            let of_part = |part: Node| match part.kind() {
                NodeKind::Variants => nested_parts(part, at, bytes, inner, depth),
                NodeKind::Member => match (part.offset(), part.base()) {
                    (begin, Some(base)) if begin <= at && at + bytes <= begin + base.size() => {
                        nested_parts(base, at - begin, bytes, inner, depth)
                    }
                    _ => Vec::new(),
                },
                _ => Vec::new(),
            };
            ty.elements().into_iter().flat_map(of_part).collect()
        }
        _ => Vec::new(),
    };
    if is_whole {
        match found.is_empty() {
            true => found.push(vec![ty]),
            false => found.iter_mut().for_each(|list| list.insert(0, ty)),
        }
    }
    found
}

/// Whether all that a type consists of are indices, enumerations without fields and flags: none of them is the bits of a float, which are cast to a number of a stated width,
/// and has those only byte by byte where every byte will do.
pub fn is_of_counts(ty: Node) -> bool {
    consists_of(ty, |base| matches!(&*base.name(), "usize" | "isize" | "bool"), DEEPEST)
}

/// Whether all that a type consists of are numbers without a fraction, and none of them bytes, which may be anything's: where a program takes no bits of floats, none of
/// them is those of one.
pub fn is_of_numbers(ty: Node) -> bool {
    let is_number = |base: Node| {
        let name = base.name();
        let is_such = |sign: char| {
            name.strip_prefix(sign)
                .is_some_and(|width| width == "size" || width.parse::<u32>().is_ok_and(|bits| bits > 8))
        };
        is_such('i') || is_such('u') || matches!(&*name, "bool" | "char")
    };
    consists_of(ty, is_number, DEEPEST)
}

/// Whether all that a type consists of are enumerations without fields and basic types of a kind.
fn consists_of(ty: Node, is_such: fn(Node) -> bool, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let consists = |base: Option<Node>| base.is_some_and(|base| consists_of(base, is_such, depth));
    match ty.kind() {
        NodeKind::Enumeration => true,
        NodeKind::Base => is_such(ty),
        NodeKind::Alias | NodeKind::Array => consists(ty.base()),
        NodeKind::Struct | NodeKind::Union => {
            let has_room = |part: &Node| part.base().is_none_or(|base| base.size() > 0);
            let mut parts = ty.elements().into_iter().filter(has_room).peekable();
            parts.peek().is_some() && parts.all(|part| part.kind() == NodeKind::Member && consists(part.base()))
        }
        _ => false,
    }
}

/// Whether a number at a place of a type is a field of a struct that its user has written, and of one that keeps no memory by itself: `len` beside a `*mut f64` is
/// the length of something, `steps` beside a `Vec` or a `Box` is not; neither is what lies in a `Cell`.
pub fn is_field(ty: Node, at: u64) -> bool {
    field(ty, at, DEEPEST).is_some_and(|(owner, _)| {
        let path = owner.path();
        let is_of_std = !path.starts_with(IN_CELLS) && OF_STD.iter().any(|of| path.starts_with(of));
        let is_written = !path.starts_with(['&', '*', '(', '[']) && !is_of_std;
        let keeps = |member: Node| {
            let Some(base) = member.base() else { return false };
            match base.kind() {
                NodeKind::Pointer => base.name().starts_with('*'),
                NodeKind::Struct => KEEPERS.iter().any(|keeper| base.name().starts_with(keeper)),
                _ => false,
            }
        };
        is_written && !owner.elements().into_iter().filter(|part| part.kind() == NodeKind::Member).any(keeps)
    })
}

/// Whether a number at a place of a type is a field of a struct, and an index, a length or a difference of two.
pub fn is_index_field(ty: Node, at: u64) -> bool {
    field(ty, at, DEEPEST).is_some_and(|(_, number)| is_of_counts(number))
}

/// How the paths of types of std begin.
const OF_STD: [&str; 3] = ["core::", "alloc::", "std::"];
/// Those of what is changed behind shared references: no container of std keeps a length in one.
const IN_CELLS: &str = "core::cell::";
/// Types of std by which memory is kept.
const KEEPERS: [&str; 5] = ["NonNull<", "Unique<", "RawVec", "*const [", "*mut ["];

/// The innermost struct of which a number of eight bytes at a place is a field, and the number's type.
fn field(ty: Node, at: u64, depth: usize) -> Option<(Node, Node)> {
    let depth = depth.checked_sub(1)?;
    match ty.kind() {
        NodeKind::Alias => field(ty.base()?, at, depth),
        NodeKind::Array => {
            let element = ty.base().filter(|element| element.size() > 0)?;
            field(element, at % element.size(), depth)
        }
        NodeKind::Struct => {
            let is_there = |part: &Node| {
                let size = part.base().map_or(0, Node::size);
                part.kind() == NodeKind::Member && part.offset() <= at && at < part.offset() + size
            };
            let member = ty.elements().into_iter().find(is_there)?;
            let base = member.base()?;
            match base.kind() {
                NodeKind::Base => (member.offset() == at && base.size() == 8).then_some((ty, base)),
                _ => field(base, at - member.offset(), depth),
            }
        }
        _ => None,
    }
}

/// One of some variants, which is no question where there is but one. (Where nothing tells them apart, all but one can never be: they hold an `Infallible`.)
fn one_of(tag: Option<Run>, mut arms: Vec<Arm>) -> Shape {
    if tag.is_none() {
        arms.retain(|arm| arm.shape != Shape::default());
    }
    match (tag, &mut arms[..]) {
        (_, []) => Shape::default(),
        (None, [arm]) => std::mem::take(&mut arm.shape),
        _ => Shape { choices: vec![Choice { tag, arms }], ..Shape::default() },
    }
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
