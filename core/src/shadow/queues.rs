//! Queues and lists as shadows.
//!
//! Where in its buffer a `VecDeque` begins depends on what was pushed and popped at its front. A derivative finds an adjoint at the
//! primal's place in the shadow's buffer, so the two have to begin at the same place, and to go on at the buffer's start after the same
//! element. A clone always begins at the front. Nodes of a `LinkedList` are found by the shadow's own pointers.

use super::kept::{address_of, keep_elements, part_elements, put_back_elements};
use super::types::NoFloats;
use super::{Blanked, Data, Kept, Place, Shadow, Zeros};
use std::collections::{LinkedList, VecDeque};
use std::mem::{self, ManuallyDrop};

impl<T: NoFloats> NoFloats for VecDeque<T> {}
impl<T: NoFloats> NoFloats for LinkedList<T> {}

impl<T: Shadow> Shadow for VecDeque<T> {
    const FLOATS: bool = T::FLOATS;
    const DATA: Data = T::DATA_BEHIND;
    const DATA_BEHIND: Data = T::DATA_BEHIND;

    #[track_caller]
    fn compare(&self, shadow: &Self, place: &Place<'_>) {
        place.lengths(self.len(), shadow.len());
        if T::FLOATS {
            let [from, shadow_from] = [self, shadow].map(begin);
            if from != shadow_from || self.as_slices().0.len() != shadow.as_slices().0.len() {
                place.other_begin(from, shadow_from);
            }
        }
        if !T::FLAT || place.is_own() {
            for (index, (part, shadow)) in self.iter().zip(shadow).enumerate() {
                part.compare(shadow, &place.index(index));
            }
        }
    }

    fn zeros(&self, zeros: &mut Zeros) -> Self {
        let mut made = VecDeque::with_capacity(self.capacity());
        let mut parts = self.iter().map(|part| part.zeros(zeros));
        if let Some(mut first) = parts.next() {
            // Each turn moves the beginning by one place.
            for _ in 0..begin(self) {
                made.push_back(first);
                first = made.pop_front().unwrap_or_else(|| unreachable!("it was pushed"));
            }
            made.push_back(first);
        }
        made.extend(parts);
        made
    }

    fn keep(&self, kept: &mut Kept) {
        keep_elements(address_of(self.front()), self.iter(), kept);
    }

    fn put_back(&mut self, kept: &mut Kept) {
        part_elements::<_, T>(self, address_of(self.front()), kept);
        put_back_elements::<T, _>(self.iter_mut(), kept, T::put_back);
    }

    fn put_back_cells(&self, kept: &mut Kept) {
        put_back_elements::<T, _>(self.iter(), kept, T::put_back_cells);
    }

    unsafe fn blank(place: *mut Self, blanked: &mut Blanked) {
        if !T::FLAT {
            // SAFETY: by the function's own contract.
            unsafe { (*place).iter_mut().for_each(|part| T::blank(part, blanked)) };
        }
    }
}

/// The place in the buffer where the elements begin. That of an empty queue cannot be known, and is said to be 0.
fn begin<T>(queue: &VecDeque<T>) -> usize {
    let first = queue.as_slices().0;
    if first.is_empty() || size_of::<T>() == 0 {
        return 0;
    }
    // SAFETY: the copy is not dropped, and no element of it is read or written.
    let mut emptied = ManuallyDrop::new(unsafe { std::ptr::read(queue) });
    // A drain that is forgotten leaves an empty queue with the same buffer, whose slices are at the buffer's start.
    mem::forget(emptied.drain(..));
    let start = emptied.as_slices().0.as_ptr();
    first.as_ptr().addr().wrapping_sub(start.addr()) / size_of::<T>()
}

impl<T: Shadow> Shadow for LinkedList<T> {
    const FLOATS: bool = T::FLOATS;
    const DATA: Data = T::DATA_BEHIND;
    const DATA_BEHIND: Data = T::DATA_BEHIND;

    #[track_caller]
    fn compare(&self, shadow: &Self, place: &Place<'_>) {
        place.lengths(self.len(), shadow.len());
        if !T::FLAT || place.is_own() {
            for (index, (part, shadow)) in self.iter().zip(shadow).enumerate() {
                part.compare(shadow, &place.index(index));
            }
        }
    }

    fn zeros(&self, zeros: &mut Zeros) -> Self {
        self.iter().map(|part| part.zeros(zeros)).collect()
    }

    fn keep(&self, kept: &mut Kept) {
        keep_elements(address_of(self.front()), self.iter(), kept);
    }

    fn put_back(&mut self, kept: &mut Kept) {
        part_elements::<_, T>(self, address_of(self.front()), kept);
        put_back_elements::<T, _>(self.iter_mut(), kept, T::put_back);
    }

    fn put_back_cells(&self, kept: &mut Kept) {
        put_back_elements::<T, _>(self.iter(), kept, T::put_back_cells);
    }

    unsafe fn blank(place: *mut Self, blanked: &mut Blanked) {
        if !T::FLAT {
            // SAFETY: by the function's own contract.
            unsafe { (*place).iter_mut().for_each(|part| T::blank(part, blanked)) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zeroed;

    fn queue(capacity: usize, at: usize, length: usize) -> VecDeque<[f32; 3]> {
        let mut queue = VecDeque::with_capacity(capacity);
        for _ in 0..at {
            queue.push_back([0.0; 3]);
            queue.pop_front();
        }
        queue.extend((0..length).map(|i| [i as f32; 3]));
        queue
    }

    #[test]
    fn zeros_lie_where_the_primals_elements_lie() {
        for capacity in [1, 4, 7] {
            for at in 0..capacity {
                for length in 1..=capacity {
                    let primal = queue(capacity, at, length);
                    let zeros = zeroed(&primal);
                    assert_eq!((begin(&primal), begin(&zeros)), (at, at));
                    assert_eq!(zeros.capacity(), primal.capacity());
                    assert_eq!(zeros.as_slices().1.len(), (at + length).saturating_sub(capacity));
                    assert_eq!(zeros, vec![[0.0; 3]; length]);
                }
            }
        }
    }

    #[test]
    fn queues_without_elements_or_of_elements_without_size() {
        assert_eq!(zeroed(&queue(0, 0, 0)).capacity(), 0);
        assert_eq!(zeroed(&queue(4, 3, 0)).capacity(), 4);
        assert_eq!(zeroed(&VecDeque::from([[0.0; 0]; 3])).len(), 3);
    }

    #[test]
    fn what_is_in_a_queue_is_still_there_after_its_beginning_was_sought() {
        let values: VecDeque<Vec<String>> = (0..4).map(|i| vec![i.to_string(); i]).collect();
        assert_eq!(begin(&values), 0);
        assert_eq!(zeroed(&values), values);
    }
}
