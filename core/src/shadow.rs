//! Shadows: second values of a type, beside the primal, in which its adjoints or tangents are.
//!
//! The derivative reaches a shadow at the places where it reaches the primal. So the two must have the same structure: lengths of
//! vectors, variants of enums, at every depth. [`Shadow`] compares that, before anything is computed, and makes a shadow of zeros.

mod keep;
mod kept;
mod maps;
mod place;
mod probe;
mod queues;
mod shared;
mod types;
mod variants;
mod zeros;

#[doc(hidden)]
pub use keep::{KeptByBound, KeptData, KeptShadow, KeptUnknown, KeptUnsized, Whole, WholeUnknown, lane};
pub use kept::{Data, Kept};
#[doc(hidden)]
pub use place::Argument;
pub use place::Place;
#[doc(hidden)]
pub use probe::{ShadowByBound, ShadowOfElements, ShadowOfVariant, ShadowProbe, ShadowUnknown};
pub use types::NoFloats;
#[doc(hidden)]
pub use variants::{Blanked, Elsewhere};
pub use zeros::Zeros;

/// Types whose values have shadows that can be checked and made.
///
/// Derive it for your own structs and enums:
///
/// ```
/// use cotangent::{Shadow, autodiff, zeroed};
///
/// #[derive(Shadow)]
/// enum Layer {
///     Dense { weights: Vec<f64>, bias: f64 },
///     Relu,
/// }
///
/// #[autodiff(d_apply, Reverse, Duplicated, Const, Active)]
/// fn apply(layer: &Layer, x: &[f64]) -> f64 {
///     match layer {
///         Layer::Dense { weights, bias } => weights.iter().zip(x).map(|(w, x)| w * x).sum::<f64>() + bias,
///         Layer::Relu => x.iter().map(|x| x.max(0.0)).sum(),
///     }
/// }
///
/// let layer = Layer::Dense { weights: vec![1.0, 2.0], bias: 3.0 };
/// let mut adjoint = zeroed(&layer);
/// apply(&Layer::Relu, &[1.0]);
/// assert_eq!(d_apply(&layer, &mut adjoint, &[5.0, 7.0], 1.0), 22.0);
/// let Layer::Dense { weights, bias } = adjoint else { unreachable!("a shadow has its primal's variant") };
/// assert_eq!((&weights[..], bias), (&[5.0, 7.0][..], 1.0));
/// ```
///
/// The functions that `#[autodiff]` generates then refuse a shadow of another structure with a panic that names the field and both
/// shapes, before anything is computed. For types without it, what [`limitations.md`] says is checked.
///
/// Implemented for floats, integers and other plain values, strings, and for arrays, slices, `Vec`, `VecDeque`, `LinkedList`, `Box`,
/// `Option`, `Result`, `Rc`, `Arc`, `Cell`, `RefCell` and tuples of them, for maps to them, and for sets without floats. Not for floats behind shared references:
/// an adjoint would be written there. References to what has no floats ([`NoFloats`]) are fine.
///
/// # Deriving
/// Structs and enums of any kind, generic or not: each type parameter gets the bound `Shadow`. A field of a type of another crate
/// says how its zeros are made:
///
/// ```
/// use cotangent::{Shadow, zeroed};
///
/// # mod linear {
/// #     #[derive(Clone)]
/// #     pub struct Matrix(pub Vec<f64>);
/// #     #[derive(Clone, Copy, PartialEq, Debug)]
/// #     pub enum Solver { Direct, Iterative }
/// # }
/// # use linear::{Matrix, Solver};
/// #[derive(Shadow)]
/// struct Model {
///     /// Has floats: a function or closure from a reference to a value of zeros.
///     #[shadow(zeroed = |m: &Matrix| Matrix(vec![0.0; m.0.len()]))]
///     stiffness: Matrix,
///     /// Has no floats: cloned.
///     #[shadow(clone)]
///     solver: Solver,
/// }
///
/// let model = Model { stiffness: Matrix(vec![1.0; 9]), solver: Solver::Iterative };
/// let adjoint = zeroed(&model);
/// assert_eq!((adjoint.stiffness.0, adjoint.solver), (vec![0.0; 9], Solver::Iterative));
/// ```
///
/// Fields with one of these two are not compared. For `#[shadow(structure)]` see below.
///
/// # Data
/// Numbers, `bool`s, `char`s, strings and enums without fields are *data*: those of a shadow may be anything, and after a call they are what they
/// were, also if it panics. In a compiled program nothing tells them from lengths, which follow the primal, so they are noted before the call and put
/// back after it:
///
/// ```
/// use cotangent::{Shadow, autodiff, zeroed};
///
/// #[derive(Shadow)]
/// struct Route {
///     points: Vec<f64>,
///     steps: usize,
/// }
///
/// #[autodiff(b_step, Forward, Dual, Dual)]
/// fn step(path: &mut Route, x: f64) {
///     path.points.push(x * x);
///     path.steps += 1;
/// }
///
/// let mut path = Route { points: vec![], steps: 0 };
/// let mut tangent = zeroed(&path);
/// b_step(&mut path, &mut tangent, 3.0, 1.0);
/// assert_eq!((path.points, path.steps), (vec![9.0], 1));
/// assert_eq!((tangent.points, tangent.steps), (vec![6.0], 0));
/// ```
///
/// What is *structure* follows the primal: lengths, pointers (also `&str` and `Rc<str>`), the keys of maps, sets, and in forward mode variants. Data is put back by its
/// place: the third element of a vector has what the third element had, as far as there were as many, and new ones have what the call gave
/// them. Values of a `HashMap` are found by the hashes of their keys, those of a `BTreeMap` in order, while there are as many. In forward mode, where an enum is another
/// variant than before, and behind an `Rc` or `Arc` that has other owners, data stays as the call left it, and so it does in fields with
/// `#[shadow(zeroed = ..)]`. A field with `#[shadow(clone)]` is data as a whole if its type is `Copy` and names no lifetime and no type parameter.
///
/// Types without data ([`DATA`](Shadow::DATA) is [`Data::NONE`]) cost nothing by this.
///
/// # Variants
/// In reverse mode a shadow holds after the call the adjoint of what was found, and so it has the variants that were found:
///
/// ```
/// use cotangent::autodiff;
///
/// #[autodiff(d_step, Reverse, Duplicated, Active, Active)]
/// fn step(last: &mut Option<f64>, x: f64) -> f64 {
///     let change = last.map_or(0.0, |last| x * last);
///     *last = if change > 5.0 { None } else { Some(x) };
///     change
/// }
///
/// let (mut last, mut adjoint) = (None, None);
/// assert_eq!(d_step(&mut last, &mut adjoint, 2.0, 1.0), (0.0, 0.0));
/// assert_eq!((last, adjoint), (Some(2.0), None));
/// let mut adjoint = Some(0.0);
/// assert_eq!(d_step(&mut last, &mut adjoint, 3.0, 1.0), (6.0, 2.0));
/// assert_eq!((last, adjoint), (None, Some(3.0)));
/// ```
///
/// A number that is the structure of something, such as the length of a buffer that the type manages itself, says so, and follows the primal. It must,
/// where `unsafe` code relies on it:
///
/// ```
/// # use cotangent::Shadow;
/// #[derive(Shadow)]
/// struct Stack {
///     places: [f64; 16],
///     #[shadow(structure)]
///     height: usize,
/// }
/// ```
///
/// [`limitations.md`]: https://github.com/cotangent-rs/cotangent/blob/main/docs/limitations.md
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no known shadow",
    label = "not known to have a shadow",
    note = "put `#[derive(cotangent::Shadow)]` on a struct or enum of your own; on a field of another type write \
            `#[shadow(clone)]` where it has no floats, or `#[shadow(zeroed = ..)]` with a function that makes its zeros"
)]
pub trait Shadow {
    /// All values of the type have the same structure: there is nothing to compare.
    #[doc(hidden)]
    const FLAT: bool = false;

    /// There may be floats in values of the type.
    #[doc(hidden)]
    const FLOATS: bool = true;

    /// Where values of the type hold data: what is neither float nor structure, and stays as it is in a shadow; and whether they are enums with floats. With the default,
    /// which is nowhere, the next three methods need not do anything.
    const DATA: Data = Data::NONE;

    /// The same as it is said to types that hold these behind a pointer (`Vec`, `Box`): where the type may hold itself that way, the definition
    /// of [`DATA`](Shadow::DATA) would go round in a circle, and this is [`Data::IN_CELLS`], which is true of every type.
    const DATA_BEHIND: Data = Self::DATA;

    /// Compares the structure of a value with that of its shadow.
    ///
    /// # Panics
    /// If they differ: with the path of the field, and both shapes.
    fn compare(&self, shadow: &Self, place: &Place<'_>);

    /// A value of the same structure with zeros for all floats. Call [`zeroed`] instead.
    fn zeros(&self, zeros: &mut Zeros) -> Self
    where
        Self: Sized;

    /// Notes the data of a shadow, before a derivative runs. An implementation by hand calls it for each of its parts, in an order that is always
    /// the same, and those parts that are only there at times in a [passage](Kept::passage).
    fn keep(&self, kept: &mut Kept) {
        let _ = kept;
    }

    /// Puts back what [`keep`](Shadow::keep) has noted, in the same order.
    fn put_back(&mut self, kept: &mut Kept) {
        let _ = kept;
    }

    /// The same for a shadow behind a shared reference, of which only the contents of cells can have changed.
    fn put_back_cells(&self, kept: &mut Kept) {
        let _ = kept;
    }

    /// Sets to zero what lies in the enums of a shadow at the places of floats of variants that are not there.
    ///
    /// # Safety
    /// There is an initialised value at the place, which nobody else uses.
    #[doc(hidden)]
    unsafe fn blank(place: *mut Self, blanked: &mut Blanked) {
        let _ = (place, blanked);
    }

    /// Takes the floats of a variant that was noted from the value which is another variant now.
    #[doc(hidden)]
    fn carry(&mut self, now: &Elsewhere) {
        let _ = now;
    }
}

/// A shadow of zeros: a value of the same structure, with zeros in the place of all floats, and everything else as it is.
///
/// Lengths, variants, strings, integers and `bool`s are those of `value`; what is shared by several `Rc` or `Arc` in it is shared in
/// the result. Nothing is shared between the two.
///
/// ```
/// let value = (vec![Some(1.5), None], 7, "seven".to_string());
/// assert_eq!(cotangent::zeroed(&value), (vec![Some(0.0), None], 7, "seven".to_string()));
/// ```
///
/// Where a container has its elements at places that its history tells (`VecDeque`, `HashMap`, `BTreeMap`), the zeros are at the same places,
/// and a derivative refuses shadows of which that is not so:
///
/// ```
/// use cotangent::{autodiff, zeroed};
/// use std::collections::VecDeque;
///
/// #[autodiff(d_area, Reverse, Duplicated, Active)]
/// fn area(sides: &VecDeque<f64>) -> f64 {
///     sides[0] * sides[1]
/// }
///
/// let mut sides = VecDeque::from([1.0, 2.0, 3.0]);
/// sides.pop_front();
/// let mut adjoint = zeroed(&sides);
/// assert_eq!(d_area(&sides, &mut adjoint, 1.0), 6.0);
/// assert_eq!(adjoint, [3.0, 2.0]);
/// ```
///
/// # Panics
/// If a `RefCell` in it is mutably borrowed.
#[must_use]
pub fn zeroed<T: Shadow>(value: &T) -> T {
    value.zeros(&mut Zeros::default())
}
