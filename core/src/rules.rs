//! What the thunks of users' rules stand on.
//!
//! A thunk gets bare addresses from a derivative and hands references to the user's rule. Where the derivative has no shadow for a
//! parameter, because the argument carries no derivative at that call, the rule works on zeros that are forgotten. Where the
//! shadows of two shared references overlap, it works on zeros that are added afterwards: the `&mut` that a rule receives
//! are exclusive, as everywhere in Rust.

use crate::FloatData;
use crate::runtime::{__ct_tape_alloc, __ct_tape_defer, __ct_tape_mark, __ct_tape_release};
use crate::shadow::{Shadow, zeroed};
use std::cell::Cell;
use std::marker::PhantomData;
use std::mem::{self, MaybeUninit};
use std::ptr;

/// An entry of the table of rules for functions of other crates, which the driver reads and empties.
#[repr(C)]
pub struct RuleFor {
    /// The function.
    pub target: *const (),
    /// The function with the rule, which calls it.
    pub adapter: *const (),
}

// SAFETY: two addresses of functions, which nobody reads at run time.
unsafe impl Sync for RuleFor {}

/// What the contract wants to know of a type, as far as bounds tell: the constants of [`AnyType`] where they do not hold.
pub struct Facts<T: ?Sized>(PhantomData<T>);

impl<T: FloatData> Facts<T> {
    /// The contract's mark of types that refer to no other memory.
    pub const FLAT: u64 = 1;
}

impl<T: ?Sized + Sync> Facts<T> {
    /// The contract's mark of types whose values are not changed through shared references: all that other threads may see.
    pub const STEADY: u64 = 2;
}

impl<T: Shadow> Facts<T> {
    /// The contract's mark of types of which a shadow can be made.
    pub const SHADOWED: u64 = 8;

    /// Writes a shadow of zeros.
    ///
    /// # Safety
    /// `value` is valid for a read of `T`, and `place` for a write.
    pub unsafe fn put_shadow(value: *const u8, place: *mut u8) {
        // SAFETY: by the function's own contract.
        unsafe { place.cast::<T>().write(zeroed(&*value.cast::<T>())) }
    }
}

impl<T> Facts<T> {
    /// The contract's mark of types whose values may own memory or refer to it: references and boxes do not use all their bit patterns, and then
    /// an `Option` needs no more room than the type itself.
    pub const REFERS: u64 = if mem::needs_drop::<T>() || size_of::<Option<T>>() == size_of::<T>() { 16 } else { 0 };
}

/// Nothing is known, but for what can be asked of any type.
pub trait AnyType {
    /// No mark.
    const FLAT: u64 = 0;
    /// No mark.
    const STEADY: u64 = 0;
    /// The contract's mark of types whose values may own memory.
    const OWNS: u64;
    /// No mark.
    const SHADOWED: u64 = 0;
    /// Nothing is known of what has no size.
    const REFERS: u64 = 16;

    /// No shadow can be made.
    ///
    /// # Safety
    /// Always safe.
    unsafe fn put_shadow(_value: *const u8, _place: *mut u8) {}
}

impl<T: ?Sized> AnyType for Facts<T> {
    const OWNS: u64 = if mem::needs_drop::<T>() { 4 } else { 0 };
}

/// Compiles only for types that a rule can be handed twice: that own nothing.
#[inline(always)]
pub const fn assert_plain<T>() {
    const {
        assert!(
            !mem::needs_drop::<T>(),
            "a function with a rule cannot take this type by value, since it owns memory: take a reference"
        );
    }
}

/// Writes a result.
///
/// # Safety
/// `place` is valid for a write of `T`.
#[inline(always)]
pub unsafe fn put<T>(place: *mut u8, value: T) {
    // SAFETY: by the function's own contract.
    unsafe { place.cast::<T>().write(value) }
}

/// Writes the tangent of a result, where somebody wants it.
///
/// # Safety
/// `place` is null or valid for a write of `T`.
#[inline(always)]
pub unsafe fn put_tangent<T>(place: *mut u8, value: T) {
    if !place.is_null() {
        // SAFETY: by the function's own contract.
        unsafe { place.cast::<T>().write(value) }
    }
}

/// Reads a tangent: zero where there is none.
///
/// # Safety
/// `place` is null or valid for a read of `T`, which is plain data of floats.
#[inline(always)]
pub unsafe fn read_or_zero<T>(place: *const u8) -> T {
    if place.is_null() {
        // SAFETY: zeros are a value of plain data of floats.
        unsafe { MaybeUninit::zeroed().assume_init() }
    } else {
        // SAFETY: by the function's own contract.
        unsafe { place.cast::<T>().read() }
    }
}

/// Reads the adjoint of a result and leaves zero, since the function has overwritten what was there before.
///
/// # Safety
/// As for [`read_or_zero`], and `place` is valid for a write.
#[inline(always)]
pub unsafe fn take_seed<T>(place: *mut u8) -> T {
    // SAFETY: by the function's own contract.
    unsafe {
        let seed = read_or_zero(place);
        if !place.is_null() {
            place.cast::<T>().write(MaybeUninit::zeroed().assume_init());
        }
        seed
    }
}

/// Adds an adjoint that a rule returned, float by float.
///
/// # Safety
/// `place` is null or valid for reads and writes of `T`, which consists of floats of `width` bytes.
#[inline(always)]
pub unsafe fn add_adjoint<T>(place: *mut u8, adjoint: T, width: usize) {
    if !place.is_null() {
        // SAFETY: by the function's own contract.
        unsafe { add(place, (&raw const adjoint).cast(), size_of::<T>(), width) }
    }
}

/// Adds `bytes` of floats.
///
/// # Safety
/// Both are valid for so many bytes of floats of `width` bytes.
#[inline(always)]
unsafe fn add(to: *mut u8, from: *const u8, bytes: usize, width: usize) {
    // SAFETY: by the function's own contract; both are aligned for their floats.
    unsafe {
        if width == 4 {
            let (to, from) = (to.cast::<f32>(), from.cast::<f32>());
            for index in 0..bytes / 4 {
                *to.add(index) += *from.add(index);
            }
        } else {
            let (to, from) = (to.cast::<f64>(), from.cast::<f64>());
            for index in 0..bytes / 8 {
                *to.add(index) += *from.add(index);
            }
        }
    }
}

/// Zeros for a rule, given back when it goes out of scope.
#[derive(Default)]
pub struct Scratch {
    mark: Cell<Option<usize>>,
}

impl Scratch {
    /// Nothing yet.
    #[inline(always)]
    pub fn new() -> Scratch {
        Scratch { mark: Cell::new(None) }
    }

    /// A shadow, or as many zeros where there is none.
    #[inline(always)]
    pub fn or_zeros(&self, shadow: *mut u8, bytes: usize) -> *mut u8 {
        if shadow.is_null() { self.zeros(bytes) } else { shadow }
    }

    fn zeros(&self, bytes: usize) -> *mut u8 {
        if self.mark.get().is_none() {
            self.mark.set(Some(__ct_tape_mark()));
        }
        let block = __ct_tape_alloc(bytes);
        // SAFETY: a fresh block of this size.
        unsafe { block.write_bytes(0, bytes) };
        block
    }
}

impl Drop for Scratch {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(mark) = self.mark.get() {
            // SAFETY: what was given out lives no longer than this.
            unsafe { __ct_tape_release(mark) }
        }
    }
}

/// Shadows of the shared references of one call: what of them overlaps is replaced by zeros, which [`Apart::finish`] adds.
pub struct Apart<const N: usize> {
    /// Address, bytes, width of the floats.
    given: [(*mut u8, usize, usize); N],
    used: [*mut u8; N],
}

impl<const N: usize> Apart<N> {
    /// Takes address, bytes and width of each shadow.
    ///
    /// # Panics
    /// Where two of them overlap and are not known to consist of floats of one width.
    #[inline(always)]
    pub fn new(scratch: &Scratch, given: [(*mut u8, usize, usize); N]) -> Apart<N> {
        let mut used = [ptr::null_mut(); N];
        for index in 0..N {
            let (shadow, bytes, width) = given[index];
            used[index] = scratch.or_zeros(shadow, bytes);
            let mut apart = true;
            for other in 0..N {
                apart = apart && (other == index || !overlap(given[index], given[other]));
            }
            if !apart {
                assert!(width != 0, "two arguments of a function with a rule share memory that is not plain floats");
                used[index] = scratch.zeros(bytes);
            }
        }
        Apart { given, used }
    }

    /// What the rule is to be given.
    #[inline(always)]
    pub fn pointers(&self) -> [*mut u8; N] {
        self.used
    }

    /// Adds what the rule left in zeros that stand for shadows.
    ///
    /// # Safety
    /// The shadows are valid, and the rule has returned.
    #[inline(always)]
    pub unsafe fn finish(&self) {
        for index in 0..N {
            let (shadow, bytes, width) = self.given[index];
            if !shadow.is_null() && self.used[index] != shadow {
                // SAFETY: by the function's own contract.
                unsafe { add(shadow, self.used[index], bytes, width) }
            }
        }
    }
}

/// Whether two shadows share a byte.
#[inline(always)]
fn overlap(a: (*mut u8, usize, usize), b: (*mut u8, usize, usize)) -> bool {
    !a.0.is_null()
        && !b.0.is_null()
        && a.0.addr() < b.0.addr().wrapping_add(b.1)
        && b.0.addr() < a.0.addr().wrapping_add(a.1)
}

/// Keeps a tape until its pullback: on the derivative's own tape, so that it is dropped when a panic means that no pullback
/// will come. Answers a handle.
#[inline]
pub fn keep_tape<T>(tape: T) -> *mut u8 {
    let spare = align_of::<Option<T>>().saturating_sub(16);
    let block = __ct_tape_alloc(size_of::<Option<T>>() + spare);
    let block = block.wrapping_add(block.align_offset(align_of::<Option<T>>()));
    // SAFETY: a fresh block, large enough and aligned; it is dropped when the tape is released, unless it has been taken.
    unsafe {
        block.cast::<Option<T>>().write(Some(tape));
        if mem::needs_drop::<T>() {
            __ct_tape_defer(drop_kept::<T>, block, 0, 0);
        }
    }
    block
}

/// Takes the tape that [`keep_tape`] kept.
///
/// # Safety
/// `handle` comes from `keep_tape::<T>`, and the derivative's tape has not been released since.
#[inline]
pub unsafe fn take_tape<T>(handle: *mut u8) -> T {
    // SAFETY: by the function's own contract.
    match unsafe { (*handle.cast::<Option<T>>()).take() } {
        Some(tape) => tape,
        None => unreachable!("a pullback runs once for each augmented call"),
    }
}

/// # Safety
/// `block` is that of a kept tape.
unsafe extern "C" fn drop_kept<T>(block: *mut u8, _: usize, _: usize) {
    // SAFETY: by the function's own contract.
    unsafe { block.cast::<Option<T>>().drop_in_place() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cotangent_contract as contract;

    #[test]
    fn marks_are_those_of_the_contract() {
        assert_eq!((<Facts<f64>>::FLAT, <Facts<Vec<f64>>>::STEADY), (contract::FLAT, contract::STEADY));
        assert_eq!((<Facts<&f64>>::FLAT, <Facts<Cell<f64>>>::STEADY), (0, 0));
        fn of_any<T>() -> u64 {
            <Facts<T>>::FLAT | <Facts<T>>::STEADY
        }
        assert_eq!(of_any::<f64>(), 0);
    }
    use std::rc::Rc;

    #[test]
    fn overlapping_shadows_are_kept_apart_and_added() {
        let mut shadow = [1.0, 2.0, 3.0];
        let start = shadow.as_mut_ptr().cast::<u8>();
        let scratch = Scratch::new();
        let apart = Apart::new(&scratch, [(start, 16, 8), (start.wrapping_add(8), 16, 8)]);
        for pointer in apart.pointers() {
            assert_ne!(pointer, start);
            // SAFETY: zeros for two floats.
            let part = unsafe { std::slice::from_raw_parts_mut(pointer.cast::<f64>(), 2) };
            assert_eq!(part, [0.0, 0.0]);
            part.copy_from_slice(&[10.0, 20.0]);
        }
        // SAFETY: nobody uses the shadow meanwhile.
        unsafe { apart.finish() };
        assert_eq!(shadow, [11.0, 32.0, 23.0]);
    }

    #[test]
    fn shadows_that_do_not_overlap_are_used_themselves() {
        let mut shadow = [0.0f32; 4];
        let start = shadow.as_mut_ptr().cast::<u8>();
        let scratch = Scratch::new();
        let apart = Apart::new(&scratch, [(start, 8, 4), (start.wrapping_add(8), 8, 4), (ptr::null_mut(), 8, 0)]);
        let [a, b, zeros] = apart.pointers();
        assert_eq!((a, b), (start, start.wrapping_add(8)));
        assert!(!zeros.is_null());
    }

    #[test]
    fn a_tape_is_dropped_once_whether_it_is_taken_or_not() {
        let count = Rc::new(());
        let mark = __ct_tape_mark();
        let (taken, _left) = (keep_tape(count.clone()), keep_tape(count.clone()));
        // SAFETY: the handle of a kept tape.
        drop(unsafe { take_tape::<Rc<()>>(taken) });
        assert_eq!(Rc::strong_count(&count), 2);
        // SAFETY: nothing above the mark is used any more.
        unsafe { __ct_tape_release(mark) };
        assert_eq!(Rc::strong_count(&count), 1);
    }

    #[test]
    fn zeros_stand_for_what_is_not_there() {
        // SAFETY: null is allowed.
        unsafe {
            assert_eq!(read_or_zero::<(f64, f32)>(ptr::null()), (0.0, 0.0));
            put_tangent(ptr::null_mut(), 1.0);
            add_adjoint(ptr::null_mut(), 1.0, 8);
        }
        let mut adjoint = [1.0f32, 2.0];
        let place = adjoint.as_mut_ptr().cast();
        // SAFETY: a place for two floats.
        unsafe {
            add_adjoint(place, [3.0f32, 4.0], 4);
            assert_eq!(take_seed::<[f32; 2]>(place), [4.0, 6.0]);
        }
        assert_eq!(adjoint, [0.0, 0.0]);
    }
}
