//! Sets of objects.

use super::ObjectId;

/// A set of objects.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ObjectSet(Vec<u64>);

impl ObjectSet {
    /// The set of no object.
    pub const EMPTY: ObjectSet = ObjectSet(Vec::new());

    /// Adds an object; true where it was not there.
    pub fn insert(&mut self, id: ObjectId) -> bool {
        let (word, bit) = (id.0 as usize / 64, id.0 % 64);
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        let old = self.0[word];
        self.0[word] |= 1 << bit;
        old != self.0[word]
    }
    /// Adds all of another set; true where that added something.
    pub fn union(&mut self, other: &ObjectSet) -> bool {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut changed = false;
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            changed |= *a | b != *a;
            *a |= b;
        }
        changed
    }
    /// What is in it and in another.
    pub fn common(&self, other: &ObjectSet) -> ObjectSet {
        ObjectSet::trimmed(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }
    /// What is in it and not in another.
    pub fn without(&self, other: &ObjectSet) -> ObjectSet {
        let others = other.0.iter().copied().chain(std::iter::repeat(0));
        ObjectSet::trimmed(self.0.iter().zip(others).map(|(a, b)| a & !b).collect())
    }
    /// Equal sets are equally long.
    fn trimmed(mut words: Vec<u64>) -> ObjectSet {
        while words.last() == Some(&0) {
            words.pop();
        }
        ObjectSet(words)
    }
    /// The set of one object.
    pub fn of(id: ObjectId) -> ObjectSet {
        let mut set = ObjectSet::default();
        set.insert(id);
        set
    }
    /// Adds an object, if there is one.
    pub fn extend(&mut self, id: Option<ObjectId>) {
        if let Some(id) = id {
            self.insert(id);
        }
    }
    /// Whether an object is in it.
    pub fn contains(&self, id: ObjectId) -> bool {
        self.0.get(id.0 as usize / 64).is_some_and(|w| w >> (id.0 % 64) & 1 == 1)
    }
    /// Its objects, in order.
    pub fn iter(&self) -> impl Iterator<Item = ObjectId> + '_ {
        self.0.iter().enumerate().flat_map(|(word, bits)| {
            let mut rest = *bits;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(ObjectId(word as u32 * 64 + bit))
            })
        })
    }
    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|w| *w == 0)
    }
}
