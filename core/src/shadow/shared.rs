//! Values with several owners as shadows.

use super::{Blanked, Data, Kept, Place, Shadow, Zeros};
use std::rc::Rc;
use std::sync::Arc;

/// Tags of what has one owner, and of what has several of which none is the primal.
const OWN: u64 = 1;
const OF_SEVERAL: u64 = 2;

/// What several may own: compared once, and made once. Its data is put back where it has one owner, or in reverse mode: otherwise the others may be outside of the
/// tangent.
macro_rules! shared {
    ($($pointer:ident<$of:ty>: |$value:ident, $zeros:ident| $made:expr;)*) => {$(
        impl<T: Shadow + 'static> Shadow for $pointer<$of> {
            const DATA: Data = T::DATA_BEHIND;
            const DATA_BEHIND: Data = T::DATA_BEHIND;

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

            fn keep(&self, kept: &mut Kept) {
                if kept.is_for::<T>() {
                    kept.block($pointer::as_ptr(self).addr());
                    let address = $pointer::as_ptr(self).addr();
                    match $pointer::strong_count(self) == 1 && $pointer::weak_count(self) == 0 {
                        true => kept.passage(OWN, |kept| (**self).keep(kept)),
                        false if kept.is_own_of_several::<T>(address) => {
                            kept.passage(OF_SEVERAL, |kept| kept.in_shared(|kept| (**self).keep(kept)));
                        }
                        false => kept.passage(0, |_| {}),
                    }
                }
            }

            fn put_back(&mut self, kept: &mut Kept) {
                if kept.is_for::<T>() {
                    // With several owners it may be the caller who shares it.
                    if $pointer::strong_count(self) == 1 {
                        kept.part(self, $pointer::as_ptr(self).addr());
                    }
                    kept.any_passage(|kept, noted| match noted {
                        OWN => {
                            if let Some(own) = $pointer::get_mut(self) {
                                own.put_back(kept);
                            }
                        }
                        OF_SEVERAL => kept.in_shared(|kept| (**self).put_back_cells(kept)),
                        _ => {}
                    });
                }
            }

            fn put_back_cells(&self, kept: &mut Kept) {
                if kept.is_for::<T>() {
                    let is_own = $pointer::strong_count(self) == 1 && $pointer::weak_count(self) == 0;
                    kept.any_passage(|kept, noted| {
                        if noted == OF_SEVERAL || (noted == OWN && is_own) {
                            kept.in_shared(|kept| (**self).put_back_cells(kept));
                        }
                    });
                }
            }

            unsafe fn blank(place: *mut Self, blanked: &mut Blanked) {
                // SAFETY: by the function's own contract.
                let pointer = unsafe { &*place };
                if T::DATA.has_variants(false) && blanked.is_new($pointer::as_ptr(pointer).addr()) {
                    // SAFETY: in reverse mode the floats of a shadow are its own.
                    unsafe { <$of>::blank($pointer::as_ptr(pointer).cast_mut(), blanked) };
                }
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
