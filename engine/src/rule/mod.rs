//! The rule vocabulary: what a derivative rule can say, as plain data.
//!
//! A [`Rule`] is written once, as a closure from symbolic arguments (and the symbolic result) to one *partial derivative*
//! for each argument; the closure runs once, and what it leaves is data that every reader uses in its own way:
//!
//! | reader | uses |
//! |---|---|
//! | forward mode | `tangent of the result = sum of partial(i) * tangent of argument i` |
//! | reverse mode | `adjoint of argument i += partial(i) * adjoint of the result` |
//! | the plan | the [`Needs`] of the partials: which arguments, whether the result |
//! | activity | [`Partial::Inactive`] arguments, [`Effect`]s |
//! | tests | domain, kinks and the needs, against differences that know nothing of the rule |
//! | documentation | everything, in the table of supported functions |
//!
//! Partials are computed in the type of the *result*; where an argument has another width (`fpext`, `fptrunc`), its
//! contribution is converted.
//!
//! **Invariant:** no library function is named in the engine. Names come with the [`Rule`]s and [`EffectRow`]s that a
//! [`Registry`] is made of.
//!
//! ```
//! use cotangent_engine::rule::{Registry, Rule};
//! let hypot = Rule::new("hypot", |[x, y], r| [x / r, y / r]).symbols("hypot", "hypotf");
//! assert_eq!(hypot.partials[0].to_string(), "x / r");
//! assert!(hypot.needs(0).result && !hypot.needs(0).args[1]);
//! let registry = Registry::new(vec![hypot], Vec::new());
//! assert!(registry.scalar("hypotf").is_some() && registry.scalar("sin").is_none());
//! ```
mod effect;
mod expr;
mod factor;
mod function;
mod known;
mod lookup;
mod model;
mod registry;
mod scalar;
mod specialise;
mod symbol;
mod text;

pub use effect::{Effect, EffectPattern, EffectRow, Family, Size};
pub use expr::{BinaryOp, Compare, Cond, Expr, Int, Node, by_width, int, select, strong, when_known};
pub use factor::factored;
pub use function::{Callee, Function, IntFunction};
pub use known::Known;
pub use model::{Entry, Model, ModelPattern};
pub use registry::{Registry, Untold};
pub use scalar::{ArgKind, Cost, Kink, Needs, Opcode, Partial, Pattern, Rule};
pub use specialise::Constant;
pub use symbol::{Path, plain};
