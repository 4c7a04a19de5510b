//! How an expansion leaves the data of a shadow as it is, whatever the shadow's type.
//!
//! It holds the result of `(&&&KeptShadow::<_, MUT, REVERSE>(primal, shadows)).kept()` while the derivative runs, and method lookup, which takes one reference off after
//! the other, finds [`KeptByBound`] where the type has a shadow, and [`KeptUnknown`] for all others that have a size.

use super::variants::Untold;
use super::{Blanked, Data, Kept, Shadow};
use std::marker::PhantomData;
use std::mem;

/// A primal and its shadows, whether the primal is behind a `&mut`: otherwise the function may change nothing but cells, and whether the mode is reverse. A slice of
/// several shadows has them one after the other.
pub struct KeptShadow<T: ?Sized, const MUT: bool, const REVERSE: bool>(pub *const T, pub *const T);

/// For types whose data is known.
pub trait KeptByBound {
    /// What notes the data, and puts it back when it is dropped.
    type Kept;

    /// Notes the data.
    ///
    /// # Safety
    /// Both pointers are valid for reads, and that to the shadows is one for writes where it is `MUT` or `REVERSE`, until the result is
    /// dropped. Meanwhile nobody uses a reference to what they point to that was not made from them.
    unsafe fn kept(&self) -> Self::Kept;
}

impl<T: Shadow, const MUT: bool, const REVERSE: bool> KeptByBound for &&KeptShadow<T, MUT, REVERSE> {
    type Kept = KeptData<T>;

    #[inline]
    unsafe fn kept(&self) -> KeptData<T> {
        // SAFETY: by the function's own contract.
        unsafe { KeptData::note((self.0, 1), (self.1, 1), !MUT, REVERSE) }
    }
}

impl<T: Shadow, const MUT: bool, const REVERSE: bool> KeptByBound for &&KeptShadow<[T], MUT, REVERSE> {
    type Kept = KeptData<T>;

    #[inline]
    unsafe fn kept(&self) -> KeptData<T> {
        // SAFETY: by the function's own contract.
        unsafe { KeptData::note((self.0.cast(), self.0.len()), (self.1.cast(), self.1.len()), !MUT, REVERSE) }
    }
}

/// For types of which the debug information knows which variants there are in a value, but for what lies behind pointers.
pub trait KeptUnknown {
    /// What notes the variants, and puts them back when it is dropped.
    type Kept;

    /// Notes the variants.
    ///
    /// # Safety
    /// As for [`KeptByBound::kept`].
    unsafe fn kept(&self) -> Self::Kept;
}

impl<T, const MUT: bool, const REVERSE: bool> KeptUnknown for &KeptShadow<T, MUT, REVERSE> {
    type Kept = Untold<T>;

    #[inline]
    unsafe fn kept(&self) -> Untold<T> {
        // SAFETY: by the function's own contract.
        unsafe { Untold::note(self.1.cast_mut(), usize::from(REVERSE)) }
    }
}

impl<T, const MUT: bool, const REVERSE: bool> KeptUnknown for &KeptShadow<[T], MUT, REVERSE> {
    type Kept = Untold<T>;

    #[inline]
    unsafe fn kept(&self) -> Untold<T> {
        // SAFETY: by the function's own contract.
        unsafe { Untold::note(self.1.cast_mut().cast(), if REVERSE { self.1.len() } else { 0 }) }
    }
}

/// For all others.
pub trait KeptUnsized {
    /// Nothing is known of it.
    ///
    /// # Safety
    /// Always safe.
    #[inline(always)]
    unsafe fn kept(&self) {}
}

impl<T: ?Sized, const MUT: bool, const REVERSE: bool> KeptUnsized for KeptShadow<T, MUT, REVERSE> {}

/// Where a shadow of several in a slice begins.
#[inline(always)]
pub const fn lane<T>(shadows: *const [T], start: usize) -> *mut u8 {
    shadows.cast::<T>().wrapping_add(start).cast_mut().cast()
}

/// The data of shadows while a derivative runs. It is put back when this is dropped, also by a panic.
pub struct KeptData<T: Shadow> {
    primal: *const T,
    primals: usize,
    /// Only read where the way there is a `&`.
    first: *mut T,
    /// 0 where there is nothing to put back.
    count: usize,
    kept: Kept,
}

impl<T: Shadow> KeptData<T> {
    #[inline]
    unsafe fn note(
        (primal, primals): (*const T, usize),
        (first, count): (*const T, usize),
        shared: bool,
        reverse: bool,
    ) -> Self {
        let first = first.cast_mut();
        let kept = Kept::new(shared).with_variants(reverse);
        let mut data = KeptData { primal, primals, first, count: 0, kept };
        // A shadow that is the argument itself holds the primal's own data.
        if T::DATA.is_reached(shared, reverse) && !(shared && std::ptr::eq(primal, first)) {
            data.count = count;
            for index in 0..count {
                // SAFETY: by the function's own contract.
                unsafe { (*first.add(index)).keep(&mut data.kept) };
            }
            if !T::FLAT || mem::needs_drop::<T>() {
                // SAFETY: as before.
                unsafe { data.align() };
            }
        }
        if reverse && T::DATA.has_variants(shared) && !T::FLAT {
            // SAFETY: as before, and in reverse mode the shadows are there to be written.
            unsafe { data.blank() };
        }
        data
    }

    /// Sets floats of absent variants to zero.
    #[inline(never)]
    unsafe fn blank(&self) {
        let mut blanked = Blanked::new(self.kept.is_shared());
        for index in 0..self.count {
            // SAFETY: by the function's own contract.
            unsafe { T::blank(self.first.add(index), &mut blanked) };
        }
    }

    /// Gives the shadows the primal's data for the time of the call: a number behind a pointer is compared there as if it were a length.
    #[inline(never)]
    unsafe fn align(&self) {
        for index in 0..self.count {
            let mut kept = Kept::new(self.kept.is_shared());
            // SAFETY: by the function's own contract. There are no shadows without primals.
            unsafe {
                (*self.primal.add(index % self.primals)).keep(&mut kept);
                self.put_back_one(index, &mut kept);
            }
        }
    }

    /// What notes the blocks that the primals have now.
    #[inline(never)]
    unsafe fn blocks(&self) -> Kept {
        let mut blocks = Kept::for_blocks(self.kept.is_shared());
        for index in 0..self.primals {
            // SAFETY: by the function's own contract.
            unsafe { (*self.primal.add(index)).keep(&mut blocks) };
        }
        blocks
    }

    unsafe fn put_back_one(&self, index: usize, kept: &mut Kept) {
        // SAFETY: the shadows are valid, and nobody else uses them now.
        unsafe {
            let shadow = self.first.add(index);
            if kept.is_shared() {
                (*shadow).put_back_cells(kept);
            } else {
                (*shadow).put_back(kept);
            }
        }
    }
}

impl<T: Shadow> Drop for KeptData<T> {
    #[inline]
    fn drop(&mut self) {
        if self.count > 0 {
            let mut kept = mem::replace(&mut self.kept, Kept::new(false));
            if mem::needs_drop::<T>() {
                // SAFETY: by the contract under which it was made.
                kept = kept.with_blocks_of(unsafe { self.blocks() });
            }
            for index in 0..self.count {
                // SAFETY: by the contract under which it was made.
                unsafe { self.put_back_one(index, &mut kept) };
            }
            if let Some(lost) = kept.lost {
                lost.tell();
            }
        }
    }
}

/// A field with `#[shadow(clone)]`: data as a whole where it can be copied, and otherwise nothing is known of it.
///
/// A clone of what owns memory could share that with the shadow (`Rc`), whose memory the derivative gives back as the function does.
pub struct Whole<T>(PhantomData<T>);

#[doc(hidden)]
impl<T: Copy + 'static> Whole<T> {
    pub const DATA: Data = Data::OWNED;

    pub fn keep(value: &T, kept: &mut Kept) {
        kept.whole(value);
    }

    pub fn put_back(value: &mut T, kept: &mut Kept) {
        if let Some(noted) = kept.next_whole() {
            *value = noted;
        }
    }
}

/// For all other types: what `Whole` has itself goes before.
pub trait WholeUnknown<T> {
    /// Nowhere.
    const DATA: Data = Data::NONE;

    /// Notes nothing.
    #[inline(always)]
    fn keep(_value: &T, _kept: &mut Kept) {}

    /// Nothing was noted.
    #[inline(always)]
    fn put_back(_value: &mut T, _kept: &mut Kept) {}
}

impl<T> WholeUnknown<T> for Whole<T> {}

#[cfg(test)]
#[allow(clippy::needless_borrow, reason = "the expansions' own form")]
mod tests {
    use super::*;
    use std::cell::{Cell, RefCell};
    use std::collections::{BTreeMap, HashMap, VecDeque};
    use std::rc::Rc;

    /// What an expansion does around the call of a derivative, which is `call` here.
    fn around<T: Shadow>(primal: &mut T, tangent: &mut T, call: impl FnOnce(*mut T, *mut T)) {
        let (primal, tangent) = (&raw mut *primal, &raw mut *tangent);
        // SAFETY: both are used through these pointers alone until the end.
        let _kept = unsafe { (&&&KeptShadow::<_, true, false>(primal, tangent)).kept() };
        call(primal, tangent);
    }

    fn to_both<T: Shadow>(primal: &mut T, tangent: &mut T, change: impl Fn(&mut T)) {
        around(primal, tangent, |primal, tangent| {
            // SAFETY: they are two values that nobody else uses.
            unsafe {
                change(&mut *primal);
                change(&mut *tangent);
            }
        });
    }

    #[test]
    fn where_there_are_only_floats_there_is_no_data() {
        const CELLS: Data = Data::OWNED.of_cell();
        const {
            assert!(matches!(<Vec<[f64; 3]>>::DATA, Data::NONE));
            assert!(matches!(<(f32, Box<f64>, Rc<Cell<f64>>)>::DATA, Data::NONE));
            assert!(matches!(<(f32, Option<f64>)>::DATA, Data::VARIANT));
            assert!(matches!(<(f64, &[usize])>::DATA, Data::NONE));
            assert!(matches!(<Vec<(usize, f64)>>::DATA, Data::OWNED));
            assert!(matches!(<(Vec<Cell<u8>>, f64)>::DATA, CELLS));
        }
    }

    #[test]
    fn lengths_follow_and_numbers_stay() {
        let (mut primal, mut tangent) = (vec![(1, 1.0), (2, 2.0)], vec![(10, 0.0), (20, 0.0)]);
        to_both(&mut primal, &mut tangent, |values| {
            values.iter_mut().for_each(|(count, x)| (*count, *x) = (*count + 1, *x + 1.0));
            values.push((7, 0.5));
        });
        assert_eq!((primal, tangent), (vec![(2, 2.0), (3, 3.0), (7, 0.5)], vec![(10, 1.0), (20, 1.0), (7, 0.5)]));
        let (mut primal, mut tangent) = (vec![(1, 1.0), (2, 2.0)], vec![(10, 0.0), (20, 0.0)]);
        to_both(&mut primal, &mut tangent, |values| {
            values.pop();
            values[0].0 = 5;
        });
        assert_eq!((primal, tangent), (vec![(5, 1.0)], vec![(10, 0.0)]));
    }

    #[test]
    fn in_the_call_a_tangent_has_the_primals_numbers() {
        let (mut primal, mut tangent) =
            ((vec![3], 'x', true, "name".to_string()), (vec![0], 'y', false, String::new()));
        around(&mut primal, &mut tangent, |primal, tangent| {
            // SAFETY: as before.
            unsafe { assert_eq!(*primal, *tangent) };
        });
        assert_eq!(tangent, (vec![0], 'y', false, String::new()));
    }

    #[test]
    fn what_the_call_leaves_to_both_is_parted() {
        type Both =
            (String, Vec<u8>, Box<str>, Rc<Vec<u16>>, BTreeMap<u8, u8>, HashMap<u8, u8>, VecDeque<u8>, Option<Box<u8>>);
        let old = || -> Both {
            (
                "old".into(),
                vec![1],
                "old".into(),
                Rc::new(vec![1]),
                [(1, 1)].into(),
                [(1, 1)].into(),
                [1].into(),
                Some(Box::new(1)),
            )
        };
        let (mut primal, mut tangent) = (old(), old());
        tangent.1[0] = 9;
        around(&mut primal, &mut tangent, |primal, tangent| {
            let new = || -> Both {
                (
                    "new".into(),
                    vec![2],
                    "new".into(),
                    Rc::new(vec![2]),
                    [(1, 2)].into(),
                    [(1, 2)].into(),
                    [2].into(),
                    Some(Box::new(2)),
                )
            };
            // SAFETY: the tangent's copy of the pointers is not used by this test.
            unsafe {
                *primal = new();
                tangent.drop_in_place();
                tangent.copy_from_nonoverlapping(primal, 1);
            }
        });
        assert_eq!(
            (primal.0.as_str(), &primal.1[..], &*primal.2, &primal.4[&1], &primal.6[0]),
            ("new", &[2][..], "new", &2, &2)
        );
        assert_eq!(
            (tangent.0.as_str(), &tangent.1[..], &*tangent.2, &tangent.4[&1], &tangent.6[0]),
            ("old", &[9][..], "old", &1, &1)
        );
        // The new table has another hasher, by which nothing of the old one can be found.
        assert_eq!((primal.5[&1], tangent.5[&1], primal.7, tangent.7), (2, 2, Some(Box::new(2)), Some(Box::new(1))));
    }

    #[test]
    fn what_the_caller_shares_stays_shared() {
        let shared = Rc::new(vec![1, 2]);
        let (mut primal, mut tangent) = ((shared.clone(), 1), (shared.clone(), 2));
        to_both(&mut primal, &mut tangent, |value| value.1 += 1);
        assert_eq!((primal.1, tangent.1, Rc::strong_count(&shared)), (2, 2, 3));
        assert!(Rc::ptr_eq(&primal.0, &tangent.0));
    }

    #[test]
    fn behind_a_shared_reference_only_cells_are_put_back() {
        let value = |n| (Cell::new(n), RefCell::new(vec![n]), n, "name".to_string());
        let (primal, tangent) = (value(1), value(2));
        {
            // SAFETY: only shared references are used meanwhile.
            let _kept = unsafe { (&&&KeptShadow::<_, false, false>(&raw const primal, &raw const tangent)).kept() };
            assert_eq!((tangent.0.get(), &tangent.1.borrow()[..]), (1, &[1][..]));
            tangent.0.set(7);
            tangent.1.borrow_mut().push(8);
        }
        assert_eq!((tangent.0.get(), &tangent.1.borrow()[..], tangent.2), (2, &[2, 8][..], 2));
    }

    #[test]
    fn a_tangent_that_is_the_argument_is_left_alone() {
        let both = Cell::new(1);
        {
            // SAFETY: as before.
            let _kept = unsafe { (&&&KeptShadow::<_, false, false>(&raw const both, &raw const both)).kept() };
            both.set(2);
        }
        assert_eq!(both.get(), 2);
    }

    #[test]
    fn tangents_of_a_slice_lie_one_after_the_other() {
        let (mut primals, mut tangents) = ([(1, 1.0), (2, 2.0)], [(3, 0.0), (4, 0.0), (5, 0.0), (6, 0.0)]);
        {
            let (primals, tangents): (*const [_], *mut [_]) = (&raw mut primals, &raw mut tangents);
            // SAFETY: as before.
            let _kept = unsafe { (&&&KeptShadow::<_, true, false>(primals, tangents)).kept() };
            // SAFETY: as before.
            unsafe { (&mut *tangents).iter_mut().for_each(|tangent| *tangent = (0, 1.0)) };
        }
        assert_eq!(tangents, [(3, 1.0), (4, 1.0), (5, 1.0), (6, 1.0)]);
    }

    #[test]
    fn of_types_without_a_size_nothing_is_known() {
        struct Other;
        let other: &dyn std::any::Any = &Other;
        // SAFETY: it is always safe.
        let () = unsafe { (&&&KeptShadow::<_, true, false>(other, other)).kept() };
    }
}
