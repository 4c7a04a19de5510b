//! The types of the standard library as shadows.

use super::{Place, Shadow, Zeros};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::BuildHasher;
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

/// Types without a float anywhere in them.
///
/// A shared reference in a shadow may lead to one of these and to nothing else, as no adjoint is written there. Implement it for
/// a type of your own that has no floats, for fields such as `&'a Config`:
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
    message = "there may be floats in `{Self}`, and no adjoint can be written behind a shared reference",
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
        }
    )*};
}
floats!(f32 f64);

/// Types without floats: nothing to compare, and zeros are a clone.
macro_rules! plain {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        impl<$($generics)*> NoFloats for $ty {}

        impl<$($generics)*> Shadow for $ty {
            const FLAT: bool = true;
            const FLOATS: bool = false;

            #[inline(always)]
            fn compare(&self, _shadow: &Self, _place: &Place<'_>) {}

            fn zeros(&self, _zeros: &mut Zeros) -> Self {
                Clone::clone(self)
            }
        }
    )*};
}
plain! {
    [] bool; [] char; [] (); [] String; [] Box<str>; [] Rc<str>; [] Arc<str>;
    [] u8; [] u16; [] u32; [] u64; [] u128; [] usize;
    [] i8; [] i16; [] i32; [] i64; [] i128; [] isize;
    ['a, T: NoFloats + ?Sized] &'a T;
    [T: ?Sized] PhantomData<T>;
    [K: NoFloats + Clone] BTreeSet<K>;
    [K: NoFloats + Clone, S: BuildHasher + Clone] HashSet<K, S>;
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
}

impl<T: Shadow, const N: usize> Shadow for [T; N] {
    const FLAT: bool = T::FLAT;
    const FLOATS: bool = T::FLOATS;

    #[inline]
    #[track_caller]
    fn compare(&self, shadow: &Self, place: &Place<'_>) {
        self.as_slice().compare(shadow, place);
    }

    fn zeros(&self, zeros: &mut Zeros) -> Self {
        self.each_ref().map(|part| part.zeros(zeros))
    }
}

impl<T: Shadow> Shadow for Vec<T> {
    const FLOATS: bool = T::FLOATS;

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
}

impl<T: Shadow> Shadow for Option<T> {
    const FLOATS: bool = T::FLOATS;

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
}

impl<T: Shadow, E: Shadow> Shadow for Result<T, E> {
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
}

impl<T: Shadow> Shadow for Box<T> {
    #[inline]
    #[track_caller]
    fn compare(&self, shadow: &Self, place: &Place<'_>) {
        (**self).compare(shadow, place);
    }

    fn zeros(&self, zeros: &mut Zeros) -> Self {
        Box::new((**self).zeros(zeros))
    }
}

impl<T: Shadow> Shadow for Box<[T]> {
    #[inline]
    #[track_caller]
    fn compare(&self, shadow: &Self, place: &Place<'_>) {
        (**self).compare(shadow, place);
    }

    fn zeros(&self, zeros: &mut Zeros) -> Self {
        self.iter().map(|part| part.zeros(zeros)).collect()
    }
}

/// What several may own: compared once, and made once.
macro_rules! shared {
    ($($pointer:ident<$of:ty>: |$value:ident, $zeros:ident| $made:expr;)*) => {$(
        impl<T: Shadow + 'static> Shadow for $pointer<$of> {
            #[track_caller]
            fn compare(&self, shadow: &Self, place: &Place<'_>) {
                let is_one = $pointer::ptr_eq(self, shadow);
                if let Some(place) = place.behind($pointer::as_ptr(self).addr(), $pointer::strong_count(self), is_one) {
                    (**self).compare(shadow, &place);
                }
            }

            fn zeros(&self, zeros: &mut Zeros) -> Self {
                let made = |$value: &$of, $zeros: &mut Zeros| $made;
                if $pointer::strong_count(self) == 1 {
                    return made(self, zeros);
                }
                zeros.shared($pointer::as_ptr(self).addr(), |zeros| made(self, zeros))
            }
        }
    )*};
}
shared! {
    Rc<T>: |value, zeros| Rc::new(value.zeros(zeros));
    Rc<[T]>: |values, zeros| values.iter().map(|part| part.zeros(zeros)).collect();
    Arc<T>: |value, zeros| Arc::new(value.zeros(zeros));
    Arc<[T]>: |values, zeros| values.iter().map(|part| part.zeros(zeros)).collect();
}

impl<T: Shadow + Copy> Shadow for Cell<T> {
    const FLAT: bool = T::FLAT;

    #[inline]
    #[track_caller]
    fn compare(&self, shadow: &Self, place: &Place<'_>) {
        self.get().compare(&shadow.get(), place);
    }

    fn zeros(&self, zeros: &mut Zeros) -> Self {
        Cell::new(self.get().zeros(zeros))
    }
}

impl<T: Shadow> Shadow for RefCell<T> {
    const FLAT: bool = T::FLAT;

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
}

macro_rules! tuples {
    ($(($($name:ident $index:tt),+))*) => {$(
        impl<$($name: NoFloats),+> NoFloats for ($($name,)+) {}

        impl<$($name: Shadow),+> Shadow for ($($name,)+) {
            const FLAT: bool = true $(&& $name::FLAT)+;

            #[inline]
            #[track_caller]
            fn compare(&self, shadow: &Self, place: &Place<'_>) {
                $(self.$index.compare(&shadow.$index, &place.field(stringify!($index)));)+
            }

            fn zeros(&self, zeros: &mut Zeros) -> Self {
                ($(self.$index.zeros(zeros),)+)
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
