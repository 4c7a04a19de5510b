//! How an expansion compares a primal with its shadow, whatever their type.
//!
//! It calls `(&&&&ShadowProbe(primal, shadow)).check(..)`, and method lookup, which takes one reference off after the other, finds
//! the first of these that fits: [`ShadowByBound`] where the type is known to be comparable, [`ShadowOfElements`] for containers of
//! types that are not, [`ShadowOfVariant`] for those types, and [`ShadowUnknown`] for what is not `Sized`.

use super::{Place, Shadow};
use std::mem;

/// A primal and its shadow.
pub struct ShadowProbe<'a, T: ?Sized>(pub &'a T, pub &'a T);

/// For types that can be compared.
pub trait ShadowByBound {
    /// # Panics
    /// If the structures differ.
    fn check(&self, place: &Place<'_>);
}

impl<T: Shadow + ?Sized> ShadowByBound for &&&ShadowProbe<'_, T> {
    #[inline]
    #[track_caller]
    fn check(&self, place: &Place<'_>) {
        if !T::FLAT {
            self.0.compare(self.1, place);
        }
    }
}

/// For containers of types that cannot.
pub trait ShadowOfElements {
    /// # Panics
    /// If lengths or variants of elements differ.
    fn check(&self, place: &Place<'_>);
}

macro_rules! elements {
    ($($(#[$generic:ident])? $container:ty, $slice:ident;)*) => {$(
        impl<T $(, const $generic: usize)?> ShadowOfElements for &&ShadowProbe<'_, $container> {
            #[inline]
            #[track_caller]
            fn check(&self, place: &Place<'_>) {
                let (primal, shadow) = (self.0.$slice(), self.1.$slice());
                place.lengths(primal.len(), shadow.len());
                for (index, (primal, shadow)) in primal.iter().zip(shadow).enumerate() {
                    variants(primal, shadow, &place.index(index));
                }
            }
        }
    )*};
}
elements! {
    [T], as_ref;
    #[N] [T; N], as_slice;
    Vec<T>, as_slice;
    Box<[T]>, as_ref;
}

impl<T> ShadowOfElements for &&ShadowProbe<'_, Box<T>> {
    #[inline]
    #[track_caller]
    fn check(&self, place: &Place<'_>) {
        variants(&**self.0, &**self.1, place);
    }
}

impl<T> ShadowOfElements for &&ShadowProbe<'_, Option<T>> {
    #[inline]
    #[track_caller]
    fn check(&self, place: &Place<'_>) {
        variants(self.0, self.1, place);
        if let (Some(primal), Some(shadow)) = (self.0, self.1) {
            variants(primal, shadow, place);
        }
    }
}

/// For all other types: what can be compared of any type is the variant, where it is an enum.
pub trait ShadowOfVariant {
    /// # Panics
    /// If the variants of an enum differ.
    fn check(&self, place: &Place<'_>);
}

impl<T> ShadowOfVariant for &ShadowProbe<'_, T> {
    #[inline]
    #[track_caller]
    fn check(&self, place: &Place<'_>) {
        variants(self.0, self.1, place);
    }
}

#[inline]
#[track_caller]
fn variants<T>(primal: &T, shadow: &T, place: &Place<'_>) {
    // Of what is no enum the discriminant is always the same.
    if mem::discriminant(primal) != mem::discriminant(shadow) {
        let [primal, shadow] = [primal, shadow].map(|value| format!("{:?}", mem::discriminant(value)));
        place.other_variant(&primal, &shadow);
    }
}

/// For what is not `Sized`.
pub trait ShadowUnknown {
    /// Nothing is known to compare.
    #[inline(always)]
    fn check(&self, _place: &Place<'_>) {}
}

impl<T: ?Sized> ShadowUnknown for ShadowProbe<'_, T> {}

#[cfg(test)]
#[allow(clippy::needless_borrow, reason = "the expansions' own form")]
mod tests {
    use super::super::place::Argument;
    use super::*;
    use crate::shadow::zeroed;
    use std::cell::{Cell, RefCell};
    use std::rc::Rc;
    use std::sync::Arc;

    macro_rules! check {
        ($primal:expr, $shadow:expr) => {
            (&&&&ShadowProbe($primal, $shadow)).check(&Argument::new("x", true).place())
        };
    }

    #[test]
    fn equal_structures_pass_at_every_depth() {
        let primal = (vec![vec![1.0, 2.0], vec![]], Box::new([3.0f32; 2]), Cell::new(1.0), RefCell::new(Some(2.0)));
        check!(&primal, &primal.clone());
        check!(&primal, &zeroed(&primal));
    }

    #[test]
    #[should_panic(expected = "the shadow of `x[1]` has length 1, but `x[1]` has length 2")]
    fn vectors_inside_are_compared() {
        check!(&[vec![1.0], vec![1.0, 2.0]], &[vec![0.0], vec![0.0]]);
    }

    #[test]
    #[should_panic(expected = "the shadow of `x` has length 0, but `x` has length 1")]
    fn boxed_slices_are_compared() {
        let (primal, shadow): (Box<[f64]>, Box<[f64]>) = (vec![1.0].into(), vec![].into());
        check!(&primal, &shadow);
    }

    #[test]
    #[should_panic(expected = "the shadow of `x[0]` is the variant `None`, but `x[0]` is the variant `Some`")]
    fn nothing_is_no_shadow_of_something() {
        check!(&[Some(Box::new(1.0)), None], &[None, None]);
    }

    #[test]
    #[should_panic(expected = "the shadow of `x` has length 2, but `x` has length 1")]
    fn what_is_inside_of_variants_is_compared() {
        let of = |length| Ok::<_, u8>(Rc::new(vec![0.0; length]));
        check!(&of(1), &of(2));
    }

    #[test]
    #[should_panic(expected = "the shadow of `x.1[0]` shares its memory with `x.1[0]`")]
    fn a_clone_of_shared_floats_is_no_shadow() {
        let primal = (1.0, vec![Rc::new(2.0)]);
        check!(&primal, &primal.clone());
    }

    #[test]
    fn what_is_shared_may_be_shared_where_nothing_is_written_or_nothing_is_a_float() {
        let shared = Rc::new(vec![1.0, 2.0]);
        (&&&&ShadowProbe(&shared, &shared.clone())).check(&Argument::new("x", false).place());
        let shared = (vec![1.0], Arc::new((vec![1usize, 2], "name".to_string(), Vec::<f64>::new())));
        check!(&shared, &shared.clone());
    }

    #[test]
    fn many_ways_to_one_node_are_gone_once() {
        let mut node = (Rc::new(1.0), Rc::new(1.0));
        let mut graph: Vec<Rc<(Rc<f64>, Rc<f64>)>> = Vec::new();
        for _ in 0..10 {
            graph.push(Rc::new(node.clone()));
            node = (node.1.clone(), node.0.clone());
        }
        let zeros = zeroed(&graph);
        check!(&graph, &zeros);
        assert!(Rc::ptr_eq(&zeros[0].0, &zeros[1].1) && !Rc::ptr_eq(&zeros[0].0, &zeros[0].1));
        assert!(!Rc::ptr_eq(&zeros[0].0, &graph[0].0));
    }

    enum Form {
        Line(#[expect(dead_code)] Vec<f64>),
        Point,
    }
    struct Model(#[expect(dead_code)] Vec<f64>);

    #[test]
    fn of_other_types_only_variants_are_compared() {
        check!(&Model(vec![1.0]), &Model(vec![]));
        check!(&Form::Line(vec![1.0]), &Form::Line(vec![]));
    }

    #[test]
    #[should_panic(
        expected = "the shadow of `x` is the variant `Discriminant(1)`, but `x` is the variant `Discriminant(0)`"
    )]
    fn variants_of_unknown_types_are_compared() {
        check!(&Form::Line(vec![1.0]), &Form::Point);
    }

    #[test]
    #[should_panic(
        expected = "the shadow of `x[1]` is the variant `Discriminant(0)`, but `x[1]` is the variant `Discriminant(1)`"
    )]
    fn elements_of_unknown_types_are_compared() {
        check!(&vec![Form::Point, Form::Point], &vec![Form::Point, Form::Line(vec![])]);
    }

    #[test]
    #[should_panic(expected = "the shadow of `x` has length 2, but `x` has length 1")]
    fn slices_of_unknown_types_are_compared() {
        check!([Model(vec![])].as_slice(), [Model(vec![]), Model(vec![])].as_slice());
    }
}
