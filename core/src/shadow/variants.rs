//! Variants of a shadow in reverse mode.
//!
//! A reverse sweep finds the adjoint of a float where the primal has the float. Where an enum behind an argument becomes another variant, what lies there in the
//! shadow is the rest of something else: padding, or a number. So before the call all places of floats are zeros that belong to variants which are not there
//! ([`blank`](Shadow::blank)): what a variant has become carries no adjoint that the caller could have given.
//!
//! When the call is over the shadow holds adjoints of what was found, and so it has the variants that were found. They are noted as bytes before the call, and
//! where the call has made another variant, the noted bytes are put back with the floats that the sweep has left ([`carry`](Shadow::carry)).

use super::{Kept, Shadow};
use crate::markers::{__ct_absent, __ct_found, __ct_stays, __ct_varies};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::mem::{self, Discriminant, MaybeUninit};
use std::{ptr, thread};

/// What has been blanked.
pub struct Blanked {
    /// Values with several owners.
    seen: BTreeSet<usize>,
    /// The way to here leads through a `&`: nothing becomes another variant but in cells.
    shared: bool,
}

impl Blanked {
    pub(super) fn new(shared: bool) -> Self {
        Blanked { seen: BTreeSet::new(), shared }
    }

    /// Goes into a cell.
    pub(super) fn in_cell(&mut self, go_on: impl FnOnce(&mut Blanked)) {
        let shared = mem::replace(&mut self.shared, false);
        go_on(self);
        self.shared = shared;
    }

    /// Sets to zero what lies in an enum at the places of floats that other variants have there.
    ///
    /// # Safety
    /// There is an initialised value at the place, which nobody else uses.
    pub unsafe fn absent<T>(&mut self, place: *mut T) {
        if !self.shared {
            // SAFETY: by the function's own contract.
            absent(unsafe { &mut *place });
        }
    }

    /// The same of all enums in a value of a type without a `Shadow`, as far as no pointer leads to them.
    ///
    /// # Safety
    /// As for [`absent`](Blanked::absent).
    pub unsafe fn untold<T>(&mut self, place: *mut T) {
        // SAFETY: by the function's own contract.
        let value = unsafe { &mut *place };
        if varies(value, self.shared) {
            absent(value);
        }
    }

    /// Whether this is the first time that a shared value is met.
    pub(super) fn is_new(&mut self, address: usize) -> bool {
        self.seen.insert(address)
    }
}

/// The driver looks for the type of the parameter. So this is no part of another function.
#[inline(never)]
fn absent<T>(place: &mut T) {
    // SAFETY: only bytes are written that the value does not use, or numbers that are put back.
    unsafe { __ct_absent(ptr::from_mut(place).cast()) }
}

/// Where the floats of a value are that has become another variant.
pub struct Elsewhere {
    /// Address of the noted value.
    noted: usize,
    /// The value that is there now; null where it is only asked whether the noted floats are zero.
    now: *const u8,
    /// A noted float was not zero.
    has_seed: Cell<bool>,
}

impl Elsewhere {
    fn of<T>(noted: &T, now: *const T) -> Self {
        Elsewhere { noted: ptr::from_ref(noted).addr(), now: now.cast(), has_seed: Cell::new(false) }
    }

    /// Takes a float from where it is now. One that is not normal is what told another variant.
    pub(super) fn float<F: Copy + PartialEq + Default>(&self, noted: &mut F, is_subnormal: fn(F) -> bool) {
        if self.now.is_null() {
            self.has_seed.set(self.has_seed.get() || *noted != F::default());
        } else {
            let inside = ptr::from_ref(noted).addr().wrapping_sub(self.noted);
            // SAFETY: the two values are of one type, and any bytes are a float.
            let now = unsafe { self.now.wrapping_add(inside).cast::<F>().read() };
            *noted = if is_subnormal(now) { F::default() } else { now };
        }
    }
}

/// The bytes of values, as they were.
#[derive(Default)]
pub(super) struct Bytes(Vec<MaybeUninit<u8>>);

impl Bytes {
    pub(super) const fn new() -> Self {
        Bytes(Vec::new())
    }

    /// Notes a value, and says where.
    fn note<T>(&mut self, value: &T) -> u64 {
        let at = self.0.len();
        let bytes = ptr::slice_from_raw_parts(ptr::from_ref(value).cast::<MaybeUninit<u8>>(), size_of::<T>());
        // SAFETY: these are the value's own bytes, which need not be initialised.
        self.0.extend_from_slice(unsafe { &*bytes });
        at as u64
    }

    fn read<T>(&self, at: u64) -> Option<MaybeUninit<T>> {
        let at = usize::try_from(at).ok()?;
        let bytes = self.0.get(at..at + size_of::<T>())?;
        let mut value = MaybeUninit::<T>::uninit();
        // SAFETY: as many bytes are there, and none of them need be initialised.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), value.as_mut_ptr().cast(), bytes.len()) };
        Some(value)
    }
}

impl Kept {
    /// Notes which variant an enum is, and whether this one has floats and owns anything. Its [`next_variant`](Kept::next_variant) comes first when it is put back.
    pub fn variant<T: Shadow>(&mut self, value: &T, has_floats: bool, is_owner: bool) {
        if !self.keeps_variants() {
            return;
        }
        let hidden = if stays(value) { HIDES } else { 0 };
        let note = match is_owner {
            false => self.bytes.note(value) << 2,
            true if has_floats || hidden != 0 => self.bytes.note(&mem::discriminant(value)) << 2 | OWNS,
            true => NONE,
        };
        self.number(note | hidden);
    }

    /// Puts back the variant that was noted here. One that owned memory which has gone cannot be: then the adjoint of what it was is lost. So it is where the noted
    /// variant had a float that was not zero, as nothing that the call has left there is what that belongs to.
    pub fn next_variant<T: Shadow>(&mut self, value: &mut T) {
        if !self.keeps_variants() {
            return;
        }
        let Some(note) = self.next_number().filter(|note| *note != NONE) else { return };
        let is_other = if note & OWNS != 0 {
            let noted = self.bytes.read::<Discriminant<T>>(note >> 2);
            // SAFETY: it was noted here.
            let is_other = noted.is_some_and(|noted| unsafe { noted.assume_init() } != mem::discriminant(value));
            if is_other {
                self.lost = Some(Lost::Owner);
            }
            is_other
        } else if let Some(mut noted) = self.bytes.read::<T>(note >> 2) {
            // SAFETY: these are the bytes of a value that was here, and it owns nothing.
            let noted = unsafe { noted.assume_init_mut() };
            let is_other = mem::discriminant(noted) != mem::discriminant(value);
            if is_other && restore(noted, value) {
                self.lost = Some(Lost::Seed);
            }
            is_other
        } else {
            false
        };
        if is_other && note & HIDES != 0 {
            self.lost = Some(Lost::Owner);
        }
    }

    /// Notes the variants in a value of a type without a `Shadow`, as far as no pointer leads to them.
    pub fn untold<T>(&mut self, value: &T) {
        if self.keeps_untold(value) {
            let at = self.bytes.note(value);
            self.in_cell(|kept| kept.number(at));
        }
    }

    /// Puts back what was noted by [`untold`](Kept::untold).
    ///
    /// # Safety
    /// There is a value at the place, which nobody else uses. If it was not reached through a `&`, or has cells, it may be written.
    pub unsafe fn next_untold<T>(&mut self, place: *mut T) {
        // SAFETY: by the function's own contract.
        unsafe {
            if self.keeps_untold(&*place)
                && let Some(at) = self.read()
                && let Some(noted) = self.bytes.read::<T>(at)
            {
                self.lost = Lost::of(found(place, noted.as_ptr())).or(self.lost);
            }
        }
    }

    fn keeps_untold<T>(&self, value: &T) -> bool {
        self.is_reverse() && !self.is_for_blocks() && varies(value, self.is_shared())
    }

    fn keeps_variants(&self) -> bool {
        self.is_reverse() && !self.is_shared() && !self.is_for_blocks()
    }
}

/// Of a variant without floats that owns something there is no note.
const NONE: u64 = !HIDES;
/// In a note: there is no more than the variant's discriminant, since it owns something.
const OWNS: u64 = 1;
/// In a note: a part of what it is may have been taken for an adjoint.
const HIDES: u64 = 2;

/// Makes a value the variant that it was, with the floats that are there now. Answers whether the noted floats were not zero.
#[inline(never)]
fn restore<T: Shadow>(noted: &mut T, value: &mut T) -> bool {
    let seeds = Elsewhere::of(noted, ptr::null());
    noted.carry(&seeds);
    let now = Elsewhere::of(noted, value);
    noted.carry(&now);
    // SAFETY: both are places of the type, and different ones; the noted value owns nothing, and in reverse mode none is made behind an argument that does.
    unsafe { ptr::copy_nonoverlapping(noted, value, 1) };
    seeds.has_seed.get()
}

/// The variants of enums in values of a type without a [`Shadow`], as far as no pointer leads to them. They are put back when this is dropped.
pub struct Untold<T> {
    now: *mut T,
    noted: Vec<MaybeUninit<T>>,
}

impl<T> Untold<T> {
    /// Notes them in so many values.
    ///
    /// # Safety
    /// The pointer is valid for writes until the result is dropped; meanwhile nobody uses a reference to what it points to that was not made from it.
    pub(super) unsafe fn note(now: *mut T, count: usize) -> Self {
        let mut untold = Untold { now, noted: Vec::new() };
        if count == 0 {
            return untold;
        }
        // SAFETY: by the function's own contract.
        unsafe {
            if varies(&*now, false) {
                for index in 0..count {
                    let place = now.add(index);
                    untold.noted.push(place.cast::<MaybeUninit<T>>().read());
                    absent(&mut *place);
                }
            }
        }
        untold
    }
}

impl<T> Drop for Untold<T> {
    #[inline]
    fn drop(&mut self) {
        let mut lost = 0;
        for (index, noted) in self.noted.iter().enumerate() {
            // SAFETY: by the contract under which it was made.
            lost |= unsafe { found(self.now.add(index), noted.as_ptr()) };
        }
        if let Some(lost) = Lost::of(lost) {
            lost.tell();
        }
    }
}

/// What `__ct_found` says where a variant owned memory.
const OWNER: u8 = 2;

/// Whether something in an enum may be taken for a float of another variant.
#[inline(never)]
fn stays<T>(place: &T) -> bool {
    // SAFETY: there is a value at the place.
    unsafe { __ct_stays(ptr::from_ref(place).cast()) }
}

/// Whether there are enums with floats in a type; behind a `&`, whether there are some in cells.
#[inline(never)]
fn varies<T>(place: &T, shared: bool) -> bool {
    // SAFETY: nothing is read or written.
    unsafe { __ct_varies(ptr::from_ref(place).cast(), shared) }
}

/// Makes the enums in a value the variants again that they were.
///
/// # Safety
/// There is a value at the first place, and at the second the bytes of one. Those enums that are other variants may be written.
#[inline(never)]
unsafe fn found<T>(place: *mut T, noted: *const T) -> u8 {
    // SAFETY: by the function's own contract.
    unsafe { __ct_found(place.cast(), noted.cast()) }
}

/// What cannot be right in a shadow when the call is over.
#[derive(Clone, Copy)]
pub(super) enum Lost {
    /// The adjoint of what is no longer there.
    Seed,
    /// The memory in which an adjoint was.
    Owner,
}

impl Lost {
    /// What `__ct_found` says.
    fn of(lost: u8) -> Option<Lost> {
        match lost {
            0 => None,
            lost if lost & OWNER == 0 => Some(Lost::Seed),
            _ => Some(Lost::Owner),
        }
    }

    /// Says so.
    ///
    /// # Panics
    /// Always, unless there is a panic already.
    #[cold]
    #[inline(never)]
    pub(super) fn tell(self) {
        if thread::panicking() {
            return;
        }
        match self {
            Lost::Seed => panic!(
                "an enum behind an argument has become another variant, and its shadow brought an adjoint of what it was, which the function does not leave there: \
                 set the shadow to zero before the call"
            ),
            Lost::Owner => panic!(
                "an enum behind an argument has become another variant, and what it was held pointers (or is of a type without `Shadow`): adjoints in it are lost, or a pointer may have \
                 been taken for one. Change a local copy, or leave it the variant that it is"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_is_lost_is_said_in_the_contracts_bits() {
        assert_eq!(super::OWNER, cotangent_contract::LOST_OWNER);
        assert_eq!(super::OWNER & cotangent_contract::LOST_SEED, 0);
    }
}
