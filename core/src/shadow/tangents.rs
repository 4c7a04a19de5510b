//! How an expansion leaves the data of a tangent as it is, whatever the tangent's type.
//!
//! It holds the result of `(&&Tangents::<_, MUT>(primal, tangents)).kept()` while the derivative runs, and method lookup, which takes one reference off after
//! the other, finds [`KeptByBound`] where the type has a shadow, and [`KeptUnknown`] for all others.

use super::{Data, Kept, Shadow};
use std::marker::PhantomData;
use std::mem;

/// A primal and its tangents, and whether these are behind a `&mut`: otherwise the function may change nothing but cells. A slice of several
/// tangents has them one after the other.
pub struct Tangents<T: ?Sized, const MUT: bool>(pub *const T, pub *const T);

/// For types whose data is known.
pub trait KeptByBound {
    /// What notes the data, and puts it back when it is dropped.
    type Kept;

    /// Notes the data.
    ///
    /// # Safety
    /// Both pointers are valid for reads, and that to the tangents is one for writes where it is `MUT`, until the result is
    /// dropped. Meanwhile nobody uses a reference to what they point to that was not made from them.
    unsafe fn kept(&self) -> Self::Kept;
}

impl<T: Shadow, const MUT: bool> KeptByBound for &Tangents<T, MUT> {
    type Kept = KeptData<T>;

    #[inline]
    unsafe fn kept(&self) -> KeptData<T> {
        // SAFETY: by the function's own contract.
        unsafe { KeptData::note(self.0, 1, self.1, 1, !MUT) }
    }
}

impl<T: Shadow, const MUT: bool> KeptByBound for &Tangents<[T], MUT> {
    type Kept = KeptData<T>;

    #[inline]
    unsafe fn kept(&self) -> KeptData<T> {
        // SAFETY: by the function's own contract.
        unsafe { KeptData::note(self.0.cast(), self.0.len(), self.1.cast(), self.1.len(), !MUT) }
    }
}

/// For all others.
pub trait KeptUnknown {
    /// Nothing is known of it.
    ///
    /// # Safety
    /// Always safe.
    #[inline(always)]
    unsafe fn kept(&self) {}
}

impl<T: ?Sized, const MUT: bool> KeptUnknown for Tangents<T, MUT> {}

/// Where a tangent of several in a slice begins.
#[inline(always)]
pub const fn lane<T>(tangents: *const [T], start: usize) -> *mut u8 {
    tangents.cast::<T>().wrapping_add(start).cast_mut().cast()
}

/// The data of tangents while a derivative runs. It is put back when this is dropped, also by a panic.
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
    unsafe fn note(primal: *const T, primals: usize, first: *const T, count: usize, shared: bool) -> Self {
        let first = first.cast_mut();
        let mut data = KeptData { primal, primals, first, count: 0, kept: Kept::new(shared) };
        // A tangent that is the argument itself holds the primal's own data.
        if T::DATA.is_reached(shared) && !(shared && std::ptr::eq(primal, first)) {
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
        data
    }

    /// Gives the tangents the primal's data for the time of the call: a number behind a pointer is compared there as if it were a length.
    #[inline(never)]
    unsafe fn align(&self) {
        for index in 0..self.count {
            let mut kept = Kept::new(self.kept.is_shared());
            // SAFETY: by the function's own contract. There are no tangents without primals.
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
        // SAFETY: the tangents are valid, and nobody else uses them now.
        unsafe {
            let tangent = self.first.add(index);
            if kept.is_shared() {
                (*tangent).put_back_cells(kept);
            } else {
                (*tangent).put_back(kept);
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
        }
    }
}

/// A field with `#[shadow(clone)]`: data as a whole where it can be copied, and otherwise nothing is known of it.
///
/// A clone of what owns memory could share that with the tangent (`Rc`), whose memory the derivative gives back as the function does.
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
