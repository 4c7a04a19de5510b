//! The macros of `cotangent`, re-exported by that crate; use them through it.
//!
//! From an attribute to its expansion: `request` reads the attribute's arguments, `item` the function it stands on,
//! `check` holds the two against each other and gives a `model::Derivative` or every mistake at once, `expand` writes
//! the derivative's function. `shadow` is the derive. Whatever is said to the user is in `messages`.
#![forbid(unsafe_code)]

mod check;
mod expand;
mod item;
mod location;
mod messages;
mod model;
mod request;
mod rule;
mod shadow;
mod surroundings;
mod types;

#[cfg(test)]
mod tests;

use proc_macro::TokenStream;

/// Generates the derivative of a function, beside it.
///
/// ```text
/// #[autodiff([name,] Mode [, width], activity of each parameter.., activity of the return value)]
/// ```
///
/// `Mode` is `Forward` or `Reverse`; `name` is the generated function's, `d_<function>` where it is left out. The activity
/// of the return value is left out where the function returns nothing; `self` counts as the first parameter. The
/// attribute may stand several times on one function, with different names.
///
/// | Mode | activity | of | generated parameter(s) | effect |
/// |---|---|---|---|---|
/// | both | `Const` | any `p: T` | `p: T` | not differentiated |
/// | Reverse | `Active` | float, or plain data of floats, by value | `p: T` | its adjoint is returned |
/// | Reverse | `Duplicated` | `&T`, `&[T]`, `&mut T`, `&mut [T]` | `p`, `dp: &mut ..` | adjoints are added to `dp`; for `&mut`, `dp` holds the output's adjoint on entry and the input's on return |
/// | Reverse | `DuplicatedOnly` | as `Duplicated` | the same | the primal value need not be computed |
/// | Forward | `Dual` | float or reference | `p`, `bp` | tangent in; for `&mut` the tangent out is written to `bp` |
/// | Forward | `DualOnly` | as `Dual` | the same | the primal value need not be computed |
/// | Forward, width N | `Dual` | as `Dual` | `p`, `bp_0` .. `bp_{N-1}` | N tangents in one sweep |
/// | Forward, width N | `Dualv` | slices | `p`, `bp`, N times as long | N tangents, lane after lane |
///
/// | Mode | activity of the return | generated return value |
/// |---|---|---|
/// | both | `Const` | the primal |
/// | Reverse | `Active` | the primal and the adjoint of each `Active` parameter; the seed `dret` is the last parameter |
/// | Reverse | `ActiveOnly` | the same without the primal |
/// | Forward | `Dual` | `(primal, tangent)`; with width N `[R; N + 1]`, the primal first |
/// | Forward | `DualOnly` | the tangent; with width N `[R; N]` |
///
/// In `Forward`, `Duplicated` is read as `Dual`, `DuplicatedOnly` as `DualOnly`, and `Active` on a float as `Dual`.
///
/// # Panics
/// The generated function panics, before anything is computed, where a shadow slice is not as long as it must be.
#[proc_macro_attribute]
pub fn autodiff(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let location = location::Location::of_attribute();
    expand::autodiff(arguments.into(), item.into(), &location).into()
}

/// Gives a function a derivative of your own making: an implicit solve, a table, a numerically better formula.
///
/// ```text
/// #[custom_derivative([activities..,] [forward = f_jvp,] [reverse = f_vjp])]
/// #[custom_derivative([activities..,] reverse = (f_augmented, f_pullback))]
/// #[custom_derivative(inactive)]
/// ```
///
/// Wherever a derivative is taken through the function, the rule stands for it: inlined or not, across crates, for each
/// instance of a generic function, and in derivatives of derivatives (the rule is then differentiated itself). The function
/// computes what it did before, and costs nothing where no derivative is taken. Either mode may be missing: the body is then
/// differentiated in that mode.
///
/// - `f_jvp` has the signature that `#[autodiff(f_jvp, Forward, ..)]` would generate: behind each differentiated parameter its
///   tangent, and returns `(primal, tangent)`.
/// - `f_vjp` has the signature of `#[autodiff(f_vjp, Reverse, ..)]` without the primal in what it returns: behind each differentiated
///   reference its adjoint, to which it adds; last the adjoint of the result; it returns the adjoints of the differentiated values.
/// - `f_augmented(parameters of f..) -> (result of f, Tape)` runs instead of the function where a reverse sweep will follow, and
///   `f_pullback(Tape, parameters of f_vjp..)` in that sweep. `Tape` is any type; it is moved from one to the other, and
///   dropped if a panic comes in between.
///
/// Floats by value are differentiated, and references to float data; everything else is constant. Activities in front
/// (`Const`, `Active`, `Duplicated`, one for each parameter and one for the result) say otherwise. A struct or type parameter counts as float
/// data here.
///
/// What an `inactive` function returns may own memory, and may be changed by the caller: it then needs a type with a `Shadow`. Where it is handed a `&mut` to
/// something that holds pointers, it must not be memory in which derivatives lie; `Const` for that argument says that no length there changes.
///
/// The `&mut` that a rule receives never overlap, whatever was passed to the function. A function with a rule takes nothing by value
/// that owns memory.
///
/// A rule of another signature than expected is a compile error at the rule, which shows the type expected.
#[proc_macro_attribute]
pub fn custom_derivative(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let location = location::Location::of_attribute();
    expand::custom_derivative(arguments.into(), item.into(), &location).into()
}

/// Gives a function of another crate, or of another language, a derivative of your own making.
///
/// ```text
/// derivative_rule! { path::to::function: fn(&[f64], f64) -> f64, forward = f_jvp, reverse = f_vjp }
/// derivative_rule! { vendor_norm: unsafe extern "C" fn(*const f64, usize) -> f64, inactive }
/// ```
///
/// Path, type, then what [`macro@custom_derivative`] takes. The rule holds for calls of the function by name in everything that the driver
/// compiles; of a generic function give the instance, as in `path::to::function::<f64>`.
#[proc_macro]
pub fn derivative_rule(tokens: TokenStream) -> TokenStream {
    let location = location::Location::of_attribute();
    expand::derivative_rule(tokens.into(), &location).into()
}

/// Implements the trait of the same name: how a value and its shadow are compared, and how a shadow of zeros is made.
///
/// ```text
/// #[derive(Shadow)]
/// struct Model {
///     weights: Vec<f64>,
///     #[shadow(clone)]                       // no floats in it
///     solver: Solver,
///     #[shadow(zeroed = |m| m.zeros_like())]  // floats, in a type of another crate
///     stiffness: Matrix,
/// }
/// ```
#[proc_macro_derive(Shadow, attributes(shadow))]
pub fn derive_shadow(item: TokenStream) -> TokenStream {
    shadow::derive(item.into()).into()
}
