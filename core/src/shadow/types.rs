//! The types of the standard library as shadows.

use super::kept::{address, address_of, keep_elements, part_elements, put_back_elements};
use super::{Blanked, Data, Elsewhere, Kept, Place, Shadow, Zeros};
use std::cell::{Cell, RefCell, UnsafeCell};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ffi::OsString;
use std::hash::BuildHasher;
use std::marker::PhantomData;
use std::mem;
use std::num::NonZero;
use std::path::PathBuf;
use std::ptr;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// Types without a float anywhere in them.
///
/// A shared reference in a shadow may lead to one of these and to nothing else, as no adjoint is written there; nor is one in the key of a map. Implement
/// it for a type of your own that has no floats, for fields such as `&'a Config` and keys such as an enum without fields:
///
/// ```
/// use cotangent::{NoFloats, Shadow};
///
/// struct Config {
///     rounds: usize,
/// }
/// impl NoFloats for Config {}
///
/// #[derive(Shadow)]
/// struct Model<'a> {
///     config: &'a Config,
///     name: &'a str,
///     weights: Vec<f64>,
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "there may be floats in `{Self}`, and no adjoint can be written behind a shared reference or in the key of a map",
    label = "may have floats in it",
    note = "a shadow owns its floats: hold a `Vec` or `Box`, or pass the slice as an argument of its own",
    note = "a type of your own without floats says so: `impl cotangent::NoFloats for .. {{}}`"
)]
pub trait NoFloats {}

macro_rules! floats {
    ($($ty:ty)*) => {$(
        impl Shadow for $ty {
            const FLAT: bool = true;

            #[inline(always)]
            #[track_caller]
            fn compare(&self, _shadow: &Self, place: &Place<'_>) {
                place.float();
            }

            fn zeros(&self, _zeros: &mut Zeros) -> Self {
                0.0
            }

            #[inline]
            fn carry(&mut self, now: &Elsewhere) {
                now.float(self, <$ty>::is_subnormal);
            }
        }
    )*};
}
floats!(f32 f64);

/// Types without floats: nothing to compare, and zeros are a clone. What is data is noted as a number.
macro_rules! plain {
    (@data) => {};
    (@data $note:ident($value:ident) $noted:expr, $next:ident $put_back:expr) => {
        const DATA: Data = Data::OWNED;

        #[inline]
        fn keep(&self, kept: &mut Kept) {
            let $value = self;
            kept.$note($noted);
        }

        #[inline]
        fn put_back(&mut self, kept: &mut Kept) {
            if let Some(noted) = kept.$next() {
                $put_back(self, noted);
            }
        }
    };
    ($([$($generics:tt)*] $ty:ty $(: $note:ident($value:ident) $noted:expr, $next:ident $put_back:expr)?;)*) => {$(
        impl<$($generics)*> NoFloats for $ty {}

        impl<$($generics)*> Shadow for $ty {
            const FLAT: bool = true;
            const FLOATS: bool = false;

            plain!(@data $($note($value) $noted, $next $put_back)?);

            #[inline(always)]
            fn compare(&self, _shadow: &Self, _place: &Place<'_>) {}

            fn zeros(&self, _zeros: &mut Zeros) -> Self {
                Clone::clone(self)
            }
        }
    )*};
}
plain! {
    [] (); ['a, T: NoFloats + ?Sized] &'a T; [] Rc<str>; [] Arc<str>;
    [T: ?Sized] PhantomData<T>;
    [K: NoFloats + Clone] BTreeSet<K>;
    [K: NoFloats + Clone, S: BuildHasher + Clone] HashSet<K, S>;
    [] bool: number(value) u64::from(*value), next_number |value: &mut bool, noted| *value = noted != 0;
    [] char: number(value) u64::from(*value), next_number |value: &mut char, noted| *value = char_of(noted);
    [] Ordering: number(value) *value as u64, next_number |value: &mut Ordering, noted| *value = (noted as i8).cmp(&0);
    [] Instant; [] SystemTime; [] PathBuf; [] OsString;
}

macro_rules! integers {
    ($($ty:ident)*) => {
        // The cast back takes off what the cast has put in front.
        plain! {$(
            [] $ty: number(value) *value as u64, next_number |value: &mut $ty, noted| *value = noted as $ty;
        )*}
    };
}
integers! { u8 u16 u32 u64 usize i8 i16 i32 i64 isize }

/// As two numbers: the low and the high half of a `u128`.
macro_rules! wide {
    ($($ty:ty: $number:expr, $back:expr;)*) => {$(
        impl NoFloats for $ty {}

        impl Shadow for $ty {
            const FLAT: bool = true;
            const FLOATS: bool = false;
            const DATA: Data = Data::OWNED;

            #[inline(always)]
            fn compare(&self, _shadow: &Self, _place: &Place<'_>) {}

            fn zeros(&self, _zeros: &mut Zeros) -> Self {
                *self
            }

            fn keep(&self, kept: &mut Kept) {
                let number: u128 = $number(*self);
                kept.number(number as u64);
                kept.number((number >> 64) as u64);
            }

            fn put_back(&mut self, kept: &mut Kept) {
                if let (Some(low), Some(high)) = (kept.next_number(), kept.next_number()) {
                    *self = $back(u128::from(high) << 64 | u128::from(low));
                }
            }
        }
    )*};
}
wide! {
    u128: |value| value, |number| number;
    i128: |value| value as u128, |number| number as i128;
    Duration: |value: Duration| value.as_nanos(), duration_of;
}

const NANOSECONDS: u128 = 1_000_000_000;

fn duration_of(nanoseconds: u128) -> Duration {
    // What a `Duration` has noted fits into one.
    Duration::new((nanoseconds / NANOSECONDS) as u64, (nanoseconds % NANOSECONDS) as u32)
}

/// Integers that are not zero, as what they are.
macro_rules! not_zero {
    ($($ty:ident)*) => {
        plain! {$(
            [] NonZero<$ty>: number(value) value.get() as u64, next_number |value: &mut NonZero<$ty>, noted| {
                *value = NonZero::new(noted as $ty).unwrap_or(*value);
            };
        )*}
    };
}
not_zero! { u8 u16 u32 u64 usize i8 i16 i32 i64 isize }

fn char_of(noted: u64) -> char {
    u32::try_from(noted).ok().and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// Strings, which stay in the buffers that they have, if they can: those of a tangent have the size of the primal's.
macro_rules! texts {
    ($($ty:ty: |$value:ident, $noted:ident| $put_back:expr;)*) => {$(
        impl NoFloats for $ty {}

        impl Shadow for $ty {
            const FLAT: bool = true;
            const FLOATS: bool = false;
            const DATA: Data = Data::OWNED;

            #[inline(always)]
            fn compare(&self, _shadow: &Self, _place: &Place<'_>) {}

            fn zeros(&self, _zeros: &mut Zeros) -> Self {
                self.clone()
            }

            fn keep(&self, kept: &mut Kept) {
                kept.text(self);
            }

            fn put_back(&mut self, kept: &mut Kept) {
                if let Some(($noted, is_primals)) = kept.next_text(self) {
                    if is_primals {
                        // The buffer is the primal's to give back.
                        mem::forget(mem::replace(self, $noted.into()));
                    } else if **self != *$noted {
                        let $value = self;
                        $put_back;
                    }
                }
            }
        }
    )*};
}
texts! {
    String: |value, noted| {
        value.clear();
        value.push_str(noted);
    };
    Box<str>: |value, noted| *value = noted.into();
}

impl NoFloats for str {}
impl<T: NoFloats> NoFloats for [T] {}
impl<T: NoFloats, const N: usize> NoFloats for [T; N] {}
impl<T: NoFloats> NoFloats for Vec<T> {}
impl<T: NoFloats> NoFloats for Option<T> {}
impl<T: NoFloats> NoFloats for Box<T> {}
impl<K: NoFloats, V: NoFloats> NoFloats for BTreeMap<K, V> {}
impl<K: NoFloats, V: NoFloats, S> NoFloats for HashMap<K, V, S> {}

impl<T: Shadow> Shadow for [T] {
    const DATA: Data = T::DATA;
    const DATA_BEHIND: Data = T::DATA_BEHIND;

    #[inline]
    #[track_caller]
    fn compare(&self, shadow: &Self, place: &Place<'_>) {
        place.lengths(self.len(), shadow.len());
        if !T::FLAT || place.is_own() {
            for (index, (part, shadow)) in self.iter().zip(shadow).enumerate() {
                part.compare(shadow, &place.index(index));
            }
        }
    }

    fn keep(&self, kept: &mut Kept) {
        keep_elements(0, self.iter(), kept);
    }

    fn put_back(&mut self, kept: &mut Kept) {
        put_back_elements::<T, _>(self.iter_mut(), kept, T::put_back);
    }

    fn put_back_cells(&self, kept: &mut Kept) {
        put_back_elements::<T, _>(self.iter(), kept, T::put_back_cells);
    }

    unsafe fn blank(place: *mut Self, blanked: &mut Blanked) {
        // SAFETY: by the function's own contract.
        unsafe { blank_elements(place, blanked) };
    }

    fn carry(&mut self, now: &Elsewhere) {
        self.iter_mut().for_each(|part| part.carry(now));
    }
}

impl<T: Shadow, const N: usize> Shadow for [T; N] {
    const FLAT: bool = T::FLAT;
    const FLOATS: bool = T::FLOATS;
    const DATA: Data = T::DATA;
    const DATA_BEHIND: Data = T::DATA_BEHIND;

    #[inline]
    #[track_caller]
    fn compare(&self, shadow: &Self, place: &Place<'_>) {
        self.as_slice().compare(shadow, place);
    }

    fn zeros(&self, zeros: &mut Zeros) -> Self {
        self.each_ref().map(|part| part.zeros(zeros))
    }

    fn keep(&self, kept: &mut Kept) {
        keep_elements(0, self.iter(), kept);
    }

    fn put_back(&mut self, kept: &mut Kept) {
        put_back_elements::<T, _>(self.iter_mut(), kept, T::put_back);
    }

    fn put_back_cells(&self, kept: &mut Kept) {
        put_back_elements::<T, _>(self.iter(), kept, T::put_back_cells);
    }

    unsafe fn blank(place: *mut Self, blanked: &mut Blanked) {
        // SAFETY: by the function's own contract.
        unsafe { blank_elements(ptr::slice_from_raw_parts_mut(place.cast::<T>(), N), blanked) };
    }

    fn carry(&mut self, now: &Elsewhere) {
        self.iter_mut().for_each(|part| part.carry(now));
    }
}

impl<T: Shadow> Shadow for Vec<T> {
    const FLOATS: bool = T::FLOATS;
    const DATA: Data = T::DATA_BEHIND;
    const DATA_BEHIND: Data = T::DATA_BEHIND;

    #[inline]
    #[track_caller]
    fn compare(&self, shadow: &Self, place: &Place<'_>) {
        self.as_slice().compare(shadow, place);
    }

    fn zeros(&self, zeros: &mut Zeros) -> Self {
        // With room for what the primal has room for.
        let mut made = Vec::with_capacity(self.capacity());
        made.extend(self.iter().map(|part| part.zeros(zeros)));
        made
    }

    fn keep(&self, kept: &mut Kept) {
        keep_elements(address(self), self.iter(), kept);
    }

    fn put_back(&mut self, kept: &mut Kept) {
        part_elements::<_, T>(self, address(self), kept);
        put_back_elements::<T, _>(self.iter_mut(), kept, T::put_back);
    }

    fn put_back_cells(&self, kept: &mut Kept) {
        put_back_elements::<T, _>(self.iter(), kept, T::put_back_cells);
    }

    unsafe fn blank(place: *mut Self, blanked: &mut Blanked) {
        // SAFETY: by the function's own contract.
        unsafe { blank_elements((*place).as_mut_slice(), blanked) };
    }
}

impl<T: Shadow> Shadow for Option<T> {
    const FLOATS: bool = T::FLOATS;
    const DATA: Data = T::DATA.and(Data::of_enum(T::FLOATS));
    const DATA_BEHIND: Data = T::DATA_BEHIND.and(Data::of_enum(T::FLOATS));

    #[inline]
    #[track_caller]
    fn compare(&self, shadow: &Self, place: &Place<'_>) {
        match (self, shadow) {
            (Some(primal), Some(shadow)) => primal.compare(shadow, place),
            (None, None) => {}
            (Some(_), None) => place.other_variant("Some", "None"),
            (None, Some(_)) => place.other_variant("None", "Some"),
        }
    }

    fn zeros(&self, zeros: &mut Zeros) -> Self {
        self.as_ref().map(|value| value.zeros(zeros))
    }

    fn keep(&self, kept: &mut Kept) {
        let owns = self.is_some() && mem::needs_drop::<T>();
        kept.variant(self, T::FLOATS, owns);
        keep_elements(0, self.iter(), kept);
    }

    fn put_back(&mut self, kept: &mut Kept) {
        kept.next_variant(self);
        put_back_elements::<T, _>(self.iter_mut(), kept, T::put_back);
    }

    fn put_back_cells(&self, kept: &mut Kept) {
        put_back_elements::<T, _>(self.iter(), kept, T::put_back_cells);
    }

    unsafe fn blank(place: *mut Self, blanked: &mut Blanked) {
        // SAFETY: by the function's own contract.
        unsafe {
            if T::FLOATS {
                blanked.absent(place);
            }
            if let Some(value) = &mut *place {
                T::blank(value, blanked);
            }
        }
    }

    fn carry(&mut self, now: &Elsewhere) {
        self.iter_mut().for_each(|value| value.carry(now));
    }
}

impl<T: Shadow, E: Shadow> Shadow for Result<T, E> {
    const FLOATS: bool = T::FLOATS || E::FLOATS;
    const DATA: Data = T::DATA.and(E::DATA).and(Data::of_enum(Self::FLOATS));
    const DATA_BEHIND: Data = T::DATA_BEHIND.and(E::DATA_BEHIND).and(Data::of_enum(Self::FLOATS));

    #[inline]
    #[track_caller]
    fn compare(&self, shadow: &Self, place: &Place<'_>) {
        match (self, shadow) {
            (Ok(primal), Ok(shadow)) => primal.compare(shadow, place),
            (Err(primal), Err(shadow)) => primal.compare(shadow, place),
            (Ok(_), Err(_)) => place.other_variant("Ok", "Err"),
            (Err(_), Ok(_)) => place.other_variant("Err", "Ok"),
        }
    }

    fn zeros(&self, zeros: &mut Zeros) -> Self {
        match self {
            Ok(value) => Ok(value.zeros(zeros)),
            Err(error) => Err(error.zeros(zeros)),
        }
    }

    fn keep(&self, kept: &mut Kept) {
        match self {
            Ok(_) => kept.variant(self, T::FLOATS, mem::needs_drop::<T>()),
            Err(_) => kept.variant(self, E::FLOATS, mem::needs_drop::<E>()),
        }
        match self {
            Ok(value) => kept.passage(0, |kept| value.keep(kept)),
            Err(error) => kept.passage(1, |kept| error.keep(kept)),
        }
    }

    fn put_back(&mut self, kept: &mut Kept) {
        kept.next_variant(self);
        match self {
            Ok(value) => kept.next_passage(0, |kept| value.put_back(kept)),
            Err(error) => kept.next_passage(1, |kept| error.put_back(kept)),
        }
    }

    fn put_back_cells(&self, kept: &mut Kept) {
        match self {
            Ok(value) => kept.next_passage(0, |kept| value.put_back_cells(kept)),
            Err(error) => kept.next_passage(1, |kept| error.put_back_cells(kept)),
        }
    }

    unsafe fn blank(place: *mut Self, blanked: &mut Blanked) {
        // SAFETY: by the function's own contract.
        unsafe {
            if Self::FLOATS {
                blanked.absent(place);
            }
            match &mut *place {
                Ok(value) => T::blank(value, blanked),
                Err(error) => E::blank(error, blanked),
            }
        }
    }

    fn carry(&mut self, now: &Elsewhere) {
        match self {
            Ok(value) => value.carry(now),
            Err(error) => error.carry(now),
        }
    }
}

/// Of elements in a row.
///
/// # Safety
/// There are initialised values at the place, which nobody else uses.
pub(super) unsafe fn blank_elements<T: Shadow>(place: *mut [T], blanked: &mut Blanked) {
    if !T::FLAT {
        for index in 0..place.len() {
            // SAFETY: by the function's own contract.
            unsafe { T::blank(place.cast::<T>().add(index), blanked) };
        }
    }
}

impl<T: Shadow> Shadow for Box<T> {
    const DATA: Data = T::DATA_BEHIND;
    const DATA_BEHIND: Data = T::DATA_BEHIND;

    #[inline]
    #[track_caller]
    fn compare(&self, shadow: &Self, place: &Place<'_>) {
        (**self).compare(shadow, place);
    }

    fn zeros(&self, zeros: &mut Zeros) -> Self {
        Box::new((**self).zeros(zeros))
    }

    fn keep(&self, kept: &mut Kept) {
        if kept.is_for::<T>() {
            kept.block(address_of(Some(&**self)));
            (**self).keep(kept);
        }
    }

    fn put_back(&mut self, kept: &mut Kept) {
        if kept.is_for::<T>() {
            kept.part(self, address_of(Some(&**self)));
            (**self).put_back(kept);
        }
    }

    fn put_back_cells(&self, kept: &mut Kept) {
        if kept.is_for::<T>() {
            (**self).put_back_cells(kept);
        }
    }

    unsafe fn blank(place: *mut Self, blanked: &mut Blanked) {
        // SAFETY: by the function's own contract.
        unsafe { T::blank(&raw mut **place, blanked) };
    }
}

impl<T: Shadow> Shadow for Box<[T]> {
    const DATA: Data = T::DATA_BEHIND;
    const DATA_BEHIND: Data = T::DATA_BEHIND;

    #[inline]
    #[track_caller]
    fn compare(&self, shadow: &Self, place: &Place<'_>) {
        (**self).compare(shadow, place);
    }

    fn zeros(&self, zeros: &mut Zeros) -> Self {
        self.iter().map(|part| part.zeros(zeros)).collect()
    }

    fn keep(&self, kept: &mut Kept) {
        keep_elements(address(self), self.iter(), kept);
    }

    fn put_back(&mut self, kept: &mut Kept) {
        part_elements::<_, T>(self, address(self), kept);
        put_back_elements::<T, _>(self.iter_mut(), kept, T::put_back);
    }

    fn put_back_cells(&self, kept: &mut Kept) {
        put_back_elements::<T, _>(self.iter(), kept, T::put_back_cells);
    }

    unsafe fn blank(place: *mut Self, blanked: &mut Blanked) {
        // SAFETY: by the function's own contract.
        unsafe { blank_elements(&mut **place, blanked) };
    }
}

impl<T: Shadow + Copy> Shadow for Cell<T> {
    const FLAT: bool = T::FLAT;
    const DATA: Data = T::DATA.of_cell();
    const DATA_BEHIND: Data = T::DATA_BEHIND.of_cell();

    #[inline]
    #[track_caller]
    fn compare(&self, shadow: &Self, place: &Place<'_>) {
        self.get().compare(&shadow.get(), place);
    }

    fn zeros(&self, zeros: &mut Zeros) -> Self {
        Cell::new(self.get().zeros(zeros))
    }

    fn keep(&self, kept: &mut Kept) {
        if kept.is_for::<Self>() {
            // SAFETY: as below.
            kept.in_cell(|kept| unsafe { (*self.as_ptr()).keep(kept) });
        }
    }

    fn put_back(&mut self, kept: &mut Kept) {
        self.put_back_cells(kept);
    }

    fn put_back_cells(&self, kept: &mut Kept) {
        if kept.is_for::<Self>() {
            // SAFETY: there are no references into a cell of a type that is `Copy`. (A copy would not have what lies between the fields.)
            kept.in_cell(|kept| unsafe { (*self.as_ptr()).put_back(kept) });
        }
    }

    unsafe fn blank(place: *mut Self, blanked: &mut Blanked) {
        // SAFETY: by the function's own contract.
        blanked.in_cell(|blanked| unsafe { T::blank((*place).as_ptr(), blanked) });
    }

    fn carry(&mut self, now: &Elsewhere) {
        self.get_mut().carry(now);
    }
}

impl<T: Shadow> Shadow for RefCell<T> {
    const FLAT: bool = T::FLAT;
    // How it is borrowed is data too.
    const DATA: Data = Data::IN_CELLS;
    const DATA_BEHIND: Data = Data::IN_CELLS;

    #[track_caller]
    fn compare(&self, shadow: &Self, place: &Place<'_>) {
        // What is mutably borrowed for the time of the call cannot be reached in it either.
        if let (Ok(primal), Ok(shadow)) = (self.try_borrow(), shadow.try_borrow()) {
            primal.compare(&shadow, place);
        }
    }

    fn zeros(&self, zeros: &mut Zeros) -> Self {
        RefCell::new(self.borrow().zeros(zeros))
    }

    fn keep(&self, kept: &mut Kept) {
        let is_free = self.try_borrow_mut().is_ok();
        kept.passage(u64::from(is_free), |kept| {
            if let Ok(value) = self.try_borrow() {
                kept.in_cell(|kept| value.keep(kept));
            }
        });
    }

    fn put_back(&mut self, kept: &mut Kept) {
        self.put_back_cells(kept);
    }

    fn put_back_cells(&self, kept: &mut Kept) {
        kept.next_passage(1, |kept| {
            if self.try_borrow_mut().is_err() {
                free(self);
            }
            if let Ok(mut value) = self.try_borrow_mut() {
                kept.in_cell(|kept| value.put_back(kept));
            }
        });
    }

    unsafe fn blank(place: *mut Self, blanked: &mut Blanked) {
        // SAFETY: by the function's own contract; what is borrowed somewhere else is left alone.
        unsafe {
            if (*place).try_borrow_mut().is_ok() {
                blanked.in_cell(|blanked| T::blank((*place).as_ptr(), blanked));
            }
        }
    }

    fn carry(&mut self, now: &Elsewhere) {
        self.get_mut().carry(now);
    }
}

/// Ends what a panic has left borrowed: the function's own guards give back the primal's cell, and none the shadow's.
fn free<T>(cell: &RefCell<T>) {
    let place = UnsafeCell::raw_get(ptr::from_ref(cell).cast::<UnsafeCell<RefCell<T>>>());
    // SAFETY: the derivative in which it was borrowed is over, and it was not borrowed before. All of it lies in `UnsafeCell`s, so it can be written to; the
    // value stays where it is and is moved by bits into the new cell in its place.
    unsafe {
        let value = ptr::read(cell.as_ptr());
        ptr::write(place, RefCell::new(value));
    }
}

macro_rules! tuples {
    ($(($($name:ident $index:tt),+))*) => {$(
        impl<$($name: NoFloats),+> NoFloats for ($($name,)+) {}

        impl<$($name: Shadow),+> Shadow for ($($name,)+) {
            const FLAT: bool = true $(&& $name::FLAT)+;
            const DATA: Data = Data::NONE$(.and($name::DATA))+;
            const DATA_BEHIND: Data = Data::NONE$(.and($name::DATA_BEHIND))+;

            #[inline]
            #[track_caller]
            fn compare(&self, shadow: &Self, place: &Place<'_>) {
                $(self.$index.compare(&shadow.$index, &place.field(stringify!($index)));)+
            }

            fn zeros(&self, zeros: &mut Zeros) -> Self {
                ($(self.$index.zeros(zeros),)+)
            }

            fn keep(&self, kept: &mut Kept) {
                $(self.$index.keep(kept);)+
            }

            fn put_back(&mut self, kept: &mut Kept) {
                $(self.$index.put_back(kept);)+
            }

            fn put_back_cells(&self, kept: &mut Kept) {
                $(self.$index.put_back_cells(kept);)+
            }

            unsafe fn blank(place: *mut Self, blanked: &mut Blanked) {
                // SAFETY: by the function's own contract.
                unsafe {
                    $($name::blank(&raw mut (*place).$index, blanked);)+
                }
            }

            fn carry(&mut self, now: &Elsewhere) {
                $(self.$index.carry(now);)+
            }
        }
    )*};
}
tuples! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
}
