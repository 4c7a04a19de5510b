//! The attributes of `cotangent`, re-exported by that crate; use them through it.
//!
//! From an attribute to its expansion: `request` reads the attribute's arguments, `item` the function it stands on,
//! `check` holds the two against each other and gives a `model::Derivative` or every mistake at once, `expand` writes
//! the derivative's function. Whatever is said to the user is in `messages`.
#![forbid(unsafe_code)]

mod check;
mod expand;
mod item;
mod location;
mod messages;
mod model;
mod request;
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
