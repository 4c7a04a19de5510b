//! How an expansion leaves the data of a tangent as it is, whatever the tangent's type.
//!
//! It holds the result of `(&&Tangents(primal, tangents)).kept()` while the derivative runs, and method lookup, which takes one reference off after
//! the other, finds [`KeptByBound`] where the type has a shadow, and [`KeptUnknown`] for all others.

use super::{Kept, Shadow};

/// A primal and its tangents, behind a `*mut`, or behind a `*const` where the function may change nothing but cells. A slice of several
/// tangents has them one after the other.
pub struct Tangents<P, T>(pub P, pub T);

/// For types whose data is known.
pub trait KeptByBound {
    /// What notes the data, and puts it back when it is dropped.
    type Kept;

    /// Notes the data.
    ///
    /// # Safety
    /// Both pointers are valid for reads, and the tangents' for writes where it is a `*mut`, until the result is dropped. Meanwhile
    /// no reference to what they point to is used.
    unsafe fn kept(&self) -> Self::Kept;
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

impl<P, T> KeptUnknown for Tangents<P, T> {}

macro_rules! tangents {
    ($($pointer:ident, $shared:literal, |$from:ident| $address:expr;)*) => {$(
        impl<T: Shadow> KeptByBound for &Tangents<*const T, *$pointer T> {
            type Kept = KeptData<T>;

            #[inline]
            unsafe fn kept(&self) -> KeptData<T> {
                let $from = self.1;
                // SAFETY: by the function's own contract.
                unsafe { KeptData::note(self.0, 1, $address, 1, $shared) }
            }
        }

        impl<T: Shadow> KeptByBound for &Tangents<*const [T], *$pointer [T]> {
            type Kept = KeptData<T>;

            #[inline]
            unsafe fn kept(&self) -> KeptData<T> {
                let (primal, primals, count) = (self.0.cast::<T>(), self.0.len(), self.1.len());
                let $from = self.1.cast::<T>();
                // SAFETY: by the function's own contract.
                unsafe { KeptData::note(primal, primals, $address, count, $shared) }
            }
        }
    )*};
}
tangents! {
    mut, false, |tangent| tangent;
    const, true, |tangent| tangent.cast_mut();
}

/// The data of tangents while a derivative runs. It is put back when this is dropped, also by a panic.
pub struct KeptData<T: Shadow> {
    /// Only read where the way there is a `&`.
    first: *mut T,
    /// 0 where there is nothing to put back.
    count: usize,
    kept: Kept,
}

impl<T: Shadow> KeptData<T> {
    #[inline]
    unsafe fn note(primal: *const T, primals: usize, first: *mut T, count: usize, shared: bool) -> Self {
        let mut data = KeptData { first, count: 0, kept: Kept::new(shared) };
        // A tangent that is the argument itself holds the primal's own data.
        if T::DATA.is_reached(shared) && !(shared && std::ptr::eq(primal, first)) {
            data.count = count;
            for index in 0..count {
                // SAFETY: by the function's own contract.
                unsafe { (*first.add(index)).keep(&mut data.kept) };
            }
            if !T::FLAT {
                // SAFETY: as before.
                unsafe { data.align(primal, primals) };
            }
        }
        data
    }

    /// Gives the tangents the primal's data for the time of the call: a number behind a pointer is compared there as if it were a length.
    #[inline(never)]
    unsafe fn align(&self, primal: *const T, primals: usize) {
        for index in 0..self.count {
            let mut kept = Kept::new(self.kept.is_shared());
            // SAFETY: by the function's own contract. There are no tangents without primals.
            unsafe {
                (*primal.add(index % primals)).keep(&mut kept);
                self.put_back_one(index, &mut kept);
            }
        }
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
            let mut kept = std::mem::replace(&mut self.kept, Kept::new(false));
            for index in 0..self.count {
                // SAFETY: by the contract under which it was made.
                unsafe { self.put_back_one(index, &mut kept) };
            }
        }
    }
}
