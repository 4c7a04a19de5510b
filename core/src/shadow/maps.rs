//! Maps of floats as shadows.
//!
//! A derivative finds a value's adjoint where the value lies, counted from the start of the map's memory. In which place of a table an entry
//! lies depends on the table's hasher and history, in which node of a tree on the order in which it was filled. So a shadow has the
//! same layout only if it was made from its primal: by [`zeroed`](crate::zeroed), or as a clone.

use super::kept::address_of;
use super::types::NoFloats;
use super::{Blanked, Data, Kept, Place, Shadow, Zeros};
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, Hash};

impl<K: NoFloats + Clone + Eq + Hash, V: Shadow + Clone, S: BuildHasher + Clone> Shadow for HashMap<K, V, S> {
    const FLOATS: bool = V::FLOATS;
    const DATA: Data = V::DATA_BEHIND;
    const DATA_BEHIND: Data = V::DATA_BEHIND;

    #[track_caller]
    fn compare(&self, shadow: &Self, place: &Place<'_>) {
        if !V::FLOATS {
            return;
        }
        place.lengths(self.len(), shadow.len());
        // The order of a table is that of its places, and from where a key is looked for its hash says.
        let alike = |(a, b): (&K, &K)| a == b && self.hasher().hash_one(a) == shadow.hasher().hash_one(b);
        let same_keys = self.keys().zip(shadow.keys()).all(alike);
        if !same_keys || self.capacity() != shadow.capacity() || distances(self.values()) != distances(shadow.values())
        {
            place.other_layout();
        }
        compare_values(self.values(), shadow.values(), place);
    }

    fn zeros(&self, zeros: &mut Zeros) -> Self {
        // Only a clone has its entries where the map has them.
        let mut made = self.clone();
        set_to_zeros(made.values_mut(), self.values(), zeros);
        made
    }

    fn keep(&self, kept: &mut Kept) {
        if kept.is_for::<V>() {
            kept.block(address_of(self.values().next()));
            kept.passage(self.len() as u64, |kept| {
                for (key, value) in self {
                    kept.passage(self.hasher().hash_one(key), |kept| value.keep(kept));
                }
            });
        }
    }

    // By keys, of which what can be noted is the hash.
    fn put_back(&mut self, kept: &mut Kept) {
        if kept.is_for::<V>() {
            kept.part(self, address_of(self.values().next()));
            let hasher = self.hasher().clone();
            kept.passages_by_tag(|put_back| {
                for (key, value) in self {
                    put_back(hasher.hash_one(key), &mut |kept| value.put_back(kept));
                }
            });
        }
    }

    fn put_back_cells(&self, kept: &mut Kept) {
        if kept.is_for::<V>() {
            kept.passages_by_tag(|put_back| {
                for (key, value) in self {
                    put_back(self.hasher().hash_one(key), &mut |kept| value.put_back_cells(kept));
                }
            });
        }
    }

    unsafe fn blank(place: *mut Self, blanked: &mut Blanked) {
        if V::FLOATS && !V::FLAT {
            // SAFETY: by the function's own contract.
            unsafe { (*place).values_mut().for_each(|value| V::blank(value, blanked)) };
        }
    }
}

impl<K: NoFloats + Clone + Eq, V: Shadow + Clone> Shadow for BTreeMap<K, V> {
    const FLOATS: bool = V::FLOATS;
    const DATA: Data = V::DATA_BEHIND;
    const DATA_BEHIND: Data = V::DATA_BEHIND;

    #[track_caller]
    fn compare(&self, shadow: &Self, place: &Place<'_>) {
        if !V::FLOATS {
            return;
        }
        place.lengths(self.len(), shadow.len());
        let same_keys = self.keys().zip(shadow.keys()).all(|(a, b)| a == b);
        if !same_keys || nodes(self.values()) != nodes(shadow.values()) {
            place.other_layout();
        }
        compare_values(self.values(), shadow.values(), place);
    }

    fn zeros(&self, zeros: &mut Zeros) -> Self {
        // Only a clone has its entries where the map has them.
        let mut made = self.clone();
        set_to_zeros(made.values_mut(), self.values(), zeros);
        made
    }

    fn keep(&self, kept: &mut Kept) {
        if kept.is_for::<V>() {
            kept.block(address_of(self.values().next()));
            kept.passage(self.len() as u64, |kept| self.values().for_each(|value| value.keep(kept)));
        }
    }

    // In order: of keys that can only be compared nothing can be noted.
    fn put_back(&mut self, kept: &mut Kept) {
        if kept.is_for::<V>() {
            kept.part(self, address_of(self.values().next()));
            kept.next_passage(self.len() as u64, |kept| self.values_mut().for_each(|value| value.put_back(kept)));
        }
    }

    fn put_back_cells(&self, kept: &mut Kept) {
        if kept.is_for::<V>() {
            kept.next_passage(self.len() as u64, |kept| self.values().for_each(|value| value.put_back_cells(kept)));
        }
    }

    unsafe fn blank(place: *mut Self, blanked: &mut Blanked) {
        if V::FLOATS && !V::FLAT {
            // SAFETY: by the function's own contract.
            unsafe { (*place).values_mut().for_each(|value| V::blank(value, blanked)) };
        }
    }
}

#[track_caller]
fn compare_values<'v, V: Shadow + 'v>(
    values: impl Iterator<Item = &'v V>,
    shadows: impl Iterator<Item = &'v V>,
    place: &Place<'_>,
) {
    for (index, (value, shadow)) in values.zip(shadows).enumerate() {
        value.compare(shadow, &place.index(index));
    }
}

fn set_to_zeros<'v, V: Shadow + 'v>(
    made: impl Iterator<Item = &'v mut V>,
    values: impl Iterator<Item = &'v V>,
    zeros: &mut Zeros,
) {
    made.zip(values).for_each(|(made, value)| *made = value.zeros(zeros));
}

fn addresses<'v, V: 'v>(values: impl Iterator<Item = &'v V>) -> Vec<usize> {
    values.map(|value| std::ptr::from_ref(value).addr()).collect()
}

/// How far each value lies from the first.
fn distances<'v, V: 'v>(values: impl Iterator<Item = &'v V>) -> Vec<usize> {
    let all = addresses(values);
    all.iter().map(|at| at.wrapping_sub(all[0])).collect()
}

/// The shape of a tree, by the addresses of its values in order: how many lie side by side in each node, level by level from the leaves. Between
/// two leaves there is one value of the level above.
fn nodes<'v, V: 'v>(values: impl Iterator<Item = &'v V>) -> Vec<Vec<usize>> {
    let mut level = addresses(values);
    let mut shape = Vec::new();
    while !level.is_empty() {
        let (mut lengths, mut above, mut at) = (Vec::new(), Vec::new(), 0);
        while at < level.len() {
            let mut end = at + 1;
            while end < level.len() && level[end] == level[end - 1] + size_of::<V>() {
                end += 1;
            }
            lengths.push(end - at);
            above.extend(level.get(end));
            at = end + 1;
        }
        shape.push(lengths);
        level = above;
    }
    shape
}
