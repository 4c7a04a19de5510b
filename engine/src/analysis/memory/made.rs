//! What calls make: memory that a function allocates and its caller can see.
//!
//! A caller is told of it by what lies there. A table of numbers, the floats of a vector and the vectors of a vector are not mixed up then,
//! however they are handed over.

use super::{Cell, Memory, Object, ObjectId, ObjectSet};
use crate::ir::{Callee, Func, InstId, Op};

/// Memory that a function allocates, by what lies there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Made {
    /// Nothing that the function knows of.
    Blank,
    /// What is neither a float nor a pointer.
    Numbers,
    /// Floats alone.
    Floats,
    /// Floats beside something else, or words of which nothing tells what they are.
    Mixed,
    /// Pointers, whatever else.
    Links,
    /// Allocated for what begins anywhere, such as text.
    Bytes,
}

impl Made {
    /// What lies in memory in which both are found.
    pub fn and(self, other: Made) -> Made {
        use Made::{Blank, Floats, Numbers};
        match (self, other) {
            (Numbers, Floats) | (Floats, Numbers) => Made::Mixed,
            (Blank, one) | (one, Blank) => one,
            (one, other) => one.max(other),
        }
    }

    /// What a cell is.
    fn of(cell: Cell) -> Made {
        match cell {
            Cell::Float(_) => Made::Floats,
            Cell::Pointer => Made::Links,
            Cell::Bits(_) => Made::Numbers,
        }
    }
}

impl Memory {
    /// What a call's callee allocates and leaves to its caller, but for what it allocates for what begins anywhere.
    pub fn made_by(&self, call: InstId) -> impl Iterator<Item = (Made, ObjectId)> + '_ {
        let made = self.made_by_call.get(&call).into_iter().flatten();
        made.filter(|(kind, _)| **kind != Made::Bytes).map(|(kind, object)| (*kind, *object))
    }

    /// Enters that a call makes memory of a kind.
    pub(super) fn enter_made(&mut self, call: InstId, kind: Made) -> ObjectId {
        if let Some(made) = self.made_of_kind(call, kind) {
            return made;
        }
        let object = self.add(Object::Heap(call));
        self.made_by_call.entry(call).or_default().insert(kind, object);
        if kind == Made::Bytes {
            self.bytes.insert(object);
        }
        object
    }

    /// What of it is of one kind.
    pub(super) fn made_of_kind(&self, call: InstId, kind: Made) -> Option<ObjectId> {
        self.made_by_call.get(&call).and_then(|made| made.get(&kind)).copied()
    }

    /// Whether an object is what a call's callee allocates.
    pub fn is_made_by(&self, call: InstId, object: ObjectId) -> bool {
        self.kind_by_call(call, object).is_some()
    }

    /// What a call's callee knows of such an object.
    fn kind_by_call(&self, call: InstId, object: ObjectId) -> Option<Made> {
        let made = self.made_by_call.get(&call)?;
        made.iter().find(|(_, id)| **id == object).map(|(kind, _)| *kind)
    }

    /// What lies in memory that a function, or a callee, allocates.
    pub(super) fn kind_of_made(&self, object: ObjectId) -> Made {
        if self.is_of_bytes(object) {
            return Made::Bytes;
        }
        let told = match self.objects[object.0 as usize] {
            Object::Heap(call) => self.kind_by_call(call, object).filter(|kind| *kind != Made::Bytes),
            _ => None,
        };
        let class = self.class_of(object.0);
        let words = self.of_words.iter().any(|o| self.class_of(o.0) == class).then_some(Made::Mixed);
        let links = self.content[object.0 as usize].iter().next().map(|_| Made::Links);
        let cells = self.all_cells(object).map(|(_, cell)| Made::of(cell));
        let kind = told.into_iter().chain(words).chain(links).chain(cells).fold(Made::Blank, Made::and);
        // Numbers are put between what may be floats that nobody has looked at yet, as in a vector of pairs that began as zeros.
        if kind == Made::Numbers && told == Some(Made::Blank) { Made::Mixed } else { kind }
    }

    /// Whether floats may lie in memory that a call's callee allocates, as far as that is known.
    fn makes_floats(&self, call: InstId) -> bool {
        self.summaries.get(&call).is_some_and(|summary| summary.makes_floats)
    }

    /// Whether the function's caller may put floats that depend on the inputs into a block that is handed to it: whatever lies there now, as in a vector of pairs that
    /// are numbered and zero, or of an enum. In forward mode a tangent's owner gives back its blocks, which are others than the primal's.
    pub fn may_get_floats(&self, object: ObjectId) -> bool {
        matches!(self.objects[object.0 as usize], Object::Heap(_)) && !self.is_of_bytes(object)
    }

    /// Whether floats may lie in an object: some are read or written there, or words that may be some; or nothing is known of what lies there, as
    /// in a vector of zeros.
    pub fn may_have_floats(&self, func: &Func, object: ObjectId) -> bool {
        let is_guess = match self.objects[object.0 as usize] {
            Object::Heap(call) => match self.kind_by_call(call, object) {
                Some(Made::Numbers) => false,
                Some(Made::Bytes) if self.is_of_bytes(object) => false,
                Some(_) => {
                    self.makes_floats(call)
                        || matches!(&func.inst(call).op, Op::Call(Callee::Custom(custom)) if custom.hands_over())
                }
                None => self.cells_of(object).is_empty() && !self.is_of_bytes(object),
            },
            _ => false,
        };
        is_guess || self.of_words.contains(object) || self.has_floats(&ObjectSet::of(object))
    }
}

#[cfg(test)]
mod tests {
    use super::Made::{self, Blank, Bytes, Floats, Links, Mixed, Numbers};

    #[test]
    fn what_is_found_beside_something_else_is_both() {
        let all = [Blank, Numbers, Floats, Mixed, Links, Bytes];
        for one in all {
            assert_eq!(one.and(one), one);
            assert_eq!(Blank.and(one), one);
            for other in all {
                assert_eq!(one.and(other), other.and(one));
                all.iter().for_each(|third| assert_eq!(one.and(other).and(*third), one.and(other.and(*third))));
            }
        }
        assert_eq!(Numbers.and(Floats), Mixed);
        assert_eq!(Made::Floats.and(Links), Links);
    }
}
