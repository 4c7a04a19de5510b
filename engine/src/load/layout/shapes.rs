//! What a type consists of, variant by variant.

use super::types::{Leaf, Run, repeated};
use std::rc::Rc;

/// What a type consists of, padding left out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Shape {
    /// What lies there whatever variants there are.
    pub runs: Vec<Run>,
    /// Records in a row.
    pub rows: Vec<Row>,
    /// Where there is one thing or another.
    pub choices: Vec<Choice>,
}

/// Records in a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Where the first one begins.
    pub at: u64,
    /// Bytes of each.
    pub size: u64,
    /// How many.
    pub count: u64,
    /// What each consists of.
    pub element: Rc<Shape>,
}

/// Variants that share memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// What tells them apart: a number, and where it lies. Fields of a union have none.
    pub tag: Option<Run>,
    /// The variants.
    pub arms: Vec<Arm>,
}

/// A variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arm {
    /// The number that tells it; one has none, and is there where the number is no other's.
    pub value: Option<u64>,
    /// What lies there.
    pub shape: Shape,
}

/// Sizes of numbers that are narrower than any float.
const NARROW: [u64; 2] = [1, 2];

/// Bytes of numbers of a size.
fn bytes_of(runs: &[Run], size: u64) -> u64 {
    runs.iter().filter(|run| run.leaf == Leaf::Integer(size)).map(|run| run.count * size).sum()
}

/// Bytes of numbers of one size that are narrower than any float: as the bytes of a float are, where there are enough of them.
pub fn narrow_bytes(runs: &[Run]) -> u64 {
    NARROW.map(|size| bytes_of(runs, size)).into_iter().max().unwrap_or(0)
}

/// Whether two share bytes.
fn meet(one: &Run, other: &Run) -> bool {
    one.at < other.end() && other.at < one.end()
}

impl Shape {
    /// A single leaf.
    pub fn of(leaf: Leaf) -> Shape {
        Shape { runs: vec![Run { at: 0, leaf, count: 1 }], ..Shape::default() }
    }

    /// So many of it, each of so many bytes.
    pub fn repeated(self: Rc<Shape>, size: u64, count: u64) -> Shape {
        let is_flat = self.rows.is_empty() && self.choices.is_empty();
        let runs = if is_flat { repeated(&self.runs, size, count) } else { None };
        match runs {
            Some(runs) => Shape { runs, ..Shape::default() },
            None => Shape { rows: vec![Row { at: 0, size, count, element: self }], ..Shape::default() },
        }
    }

    /// Takes in what lies at a place in it.
    pub fn hold(&mut self, part: &Shape, at: u64) {
        let part = part.behind(at);
        self.runs.extend(part.runs);
        self.rows.extend(part.rows);
        self.choices.extend(part.choices);
    }

    /// The same, so many bytes further on.
    fn behind(&self, at: u64) -> Shape {
        let run = |run: &Run| Run { at: run.at + at, ..*run };
        let arm = |arm: &Arm| Arm { value: arm.value, shape: arm.shape.behind(at) };
        let choice =
            |choice: &Choice| Choice { tag: choice.tag.as_ref().map(run), arms: choice.arms.iter().map(arm).collect() };
        Shape {
            runs: self.runs.iter().map(run).collect(),
            rows: self.rows.iter().map(|row| Row { at: row.at + at, ..row.clone() }).collect(),
            choices: self.choices.iter().map(choice).collect(),
        }
    }

    /// All variants one above the other; none where that is too much to write down.
    pub fn flattened(&self) -> Option<Vec<Run>> {
        let mut all = self.runs.clone();
        for row in &self.rows {
            let element = row.element.flattened()?;
            let rows = repeated(&element, row.size, row.count)?;
            all.extend(rows.into_iter().map(|run| Run { at: run.at + row.at, ..run }));
        }
        for choice in &self.choices {
            let mut arms = Vec::new();
            for arm in &choice.arms {
                arms.extend(arm.shape.flattened()?);
            }
            // What tells variants apart may be a part of one of them.
            let is_apart = |tag: &Run| arms.iter().all(|run: &Run| run.end() <= tag.at || tag.end() <= run.at);
            all.extend(choice.tag.filter(is_apart));
            all.extend(arms);
        }
        Some(all)
    }

    /// Whether it is known everywhere what there is, once the numbers are that tell variants.
    pub fn is_exact(&self) -> bool {
        let is_told = |choice: &Choice| {
            let untold = choice.arms.iter().filter(|arm| arm.value.is_none()).count();
            choice.tag.is_some() && untold <= 1 && choice.arms.iter().all(|arm| arm.shape.is_exact())
        };
        self.runs.iter().all(|run| !matches!(run.leaf, Leaf::Mixed(_)))
            && self.rows.iter().all(|row| row.element.is_exact())
            && self.choices.iter().all(is_told)
    }

    /// Whether some variant has an `f32`, and another something that LLVM may make one register of with it: a number that is narrower, of which the float is then
    /// put together, or, where `wider` matters, anything wider that the first has not, and half of which then goes with the float, or with nothing.
    pub fn may_be_torn(&self, wider: bool) -> bool {
        self.has_variants(&|arm, other| {
            let is_torn = |float: &Run| match other.leaf {
                Leaf::Integer(bytes) if NARROW.contains(&bytes) => meet(float, other),
                Leaf::Integer(8) | Leaf::Pointer => wider && !arm.contains(other),
                _ => false,
            };
            arm.iter().filter(|run| run.leaf == Leaf::Float(4)).any(is_torn)
        })
    }

    /// Whether some variant has a leaf of eight bytes (an `f64`, a pointer) where another has numbers that are narrower, so that LLVM may have it in two registers.
    pub fn may_halve(&self, whole: Leaf) -> bool {
        self.has_variants(&|arm, other| {
            let is_whole = |run: &&Run| run.leaf == whole;
            let is_narrow = matches!(other.leaf, Leaf::Integer(bytes) if bytes < 8);
            is_narrow && arm.iter().filter(is_whole).any(|whole| meet(whole, other))
        })
    }

    /// Whether there are such variants: all of one, and a part of another.
    fn has_variants(&self, are_such: &dyn Fn(&[Run], &Run) -> bool) -> bool {
        let has_such = |choice: &Choice| {
            let arms: Vec<Vec<Run>> = choice.arms.iter().filter_map(|arm| arm.shape.flattened()).collect();
            arms.iter().any(|arm| arms.iter().flatten().any(|other| are_such(arm, other)))
                || choice.arms.iter().any(|arm| arm.shape.has_variants(are_such))
        };
        self.rows.iter().any(|row| row.element.has_variants(are_such)) || self.choices.iter().any(has_such)
    }

    /// Calls `each` with the leaves that share bytes with some place, in whatever variant, and where they begin; not with what tells variants.
    pub fn meet(&self, at: u64, bytes: u64, each: &mut dyn FnMut(u64, Leaf)) {
        for run in self.runs.iter().filter(|run| run.at < at + bytes && at < run.end()) {
            let size = run.leaf.bytes();
            let first = at.saturating_sub(run.at) / size;
            let leaves = (first..run.count).map(|index| run.at + index * size);
            leaves.take_while(|begin| *begin < at + bytes).for_each(|begin| each(begin, run.leaf));
        }
        for row in &self.rows {
            let end = row.at + row.size * row.count;
            if row.size == 0 || at >= end || at + bytes <= row.at {
                continue;
            }
            let first = at.saturating_sub(row.at) / row.size;
            for begin in
                (first..row.count).map(|index| row.at + index * row.size).take_while(|begin| *begin < at + bytes)
            {
                let (from, to) = (at.max(begin) - begin, (at + bytes - begin).min(row.size));
                row.element.meet(from, to - from, &mut |at, leaf| each(begin + at, leaf));
            }
        }
        for arm in self.choices.iter().flat_map(|choice| &choice.arms) {
            arm.shape.meet(at, bytes, each);
        }
    }

    /// Whether floats lie somewhere in it.
    pub fn holds_floats(&self) -> bool {
        self.any(&|leaf| matches!(leaf, Leaf::Float(_)))
    }

    /// Whether floats of more bytes lie somewhere in it.
    pub fn holds_float_wider_than(&self, bytes: u64) -> bool {
        self.any(&|leaf| matches!(leaf, Leaf::Float(width) if width > bytes))
    }

    /// Whether such a leaf lies somewhere in it.
    pub fn holds(&self, leaf: Leaf) -> bool {
        self.any(&|found| found == leaf)
    }

    fn any(&self, is_such: &dyn Fn(Leaf) -> bool) -> bool {
        let mut arms = self.choices.iter().flat_map(|choice| &choice.arms);
        self.runs.iter().any(|run| is_such(run.leaf))
            || self.rows.iter().any(|row| row.element.any(is_such))
            || arms.any(|arm| arm.shape.any(is_such))
    }

    /// Whether it consists of pointers, of which there are some, and numbers as wide: it may hold the bits of floats, but no pieces of any.
    pub fn is_of_words(&self) -> bool {
        self.holds(Leaf::Pointer) && !self.any(&|leaf| !matches!(leaf, Leaf::Pointer | Leaf::Integer(8)))
    }

    /// Bytes of numbers of one size in it that are narrower than any float, where there are most of them.
    pub fn narrow_bytes(&self) -> u64 {
        NARROW.map(|size| self.bytes_of(size)).into_iter().max().unwrap_or(0)
    }

    /// Bytes of numbers of a size in it, where there are most of them.
    fn bytes_of(&self, size: u64) -> u64 {
        let runs = bytes_of(&self.runs, size);
        let rows: u64 = self.rows.iter().map(|row| row.element.bytes_of(size)).max().unwrap_or(0);
        let arms = |choice: &Choice| choice.arms.iter().map(|arm| arm.shape.bytes_of(size)).max().unwrap_or(0);
        runs + rows + self.choices.iter().map(arms).sum::<u64>()
    }

    /// Marks the bytes that are moved with it, whatever variants there are. (Those between the parts of records in a row are.)
    pub fn cover(&self, bytes: &mut [bool]) {
        self.cover_but_for(usize::MAX, bytes);
    }

    /// The same but for one of the choices.
    pub fn cover_but_for(&self, which: usize, bytes: &mut [bool]) {
        let mut mark =
            |from: u64, to: u64| bytes.iter_mut().take(to as usize).skip(from as usize).for_each(|b| *b = true);
        self.runs.iter().for_each(|run| mark(run.at, run.end()));
        self.rows.iter().for_each(|row| mark(row.at, row.at + row.size * row.count));
        for (_, choice) in self.choices.iter().enumerate().filter(|(index, _)| *index != which) {
            choice.cover(bytes);
        }
    }
}

impl Choice {
    /// Marks the bytes of all variants, and those that tell them apart.
    pub fn cover(&self, bytes: &mut [bool]) {
        if let Some(tag) = self.tag {
            bytes[tag.at as usize..tag.end() as usize].fill(true);
        }
        self.arms.iter().for_each(|arm| arm.shape.cover(bytes));
    }
}
