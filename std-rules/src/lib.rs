//! Derivative rules, as data: LLVM's float instructions and intrinsics, libm under C's names and those of the `libm` crate, and
//! what the functions of Rust's library do that are no functions of floats (allocate, print, tell the time).
//!
//! One formula serves forward and reverse mode; see [`cotangent_engine::rule`] for the vocabulary. The table of everything
//! here, [`table::markdown`], is `docs/rules.md`.
//!
//! # How to add a rule
//! 1. Find the file of its kind and add a row: the name, the closure of its partials, where it applies, what it costs.
//! 2. Say where tests may sample it ([`Rule::domain`]) and what holds at its kinks ([`Rule::kink`]).
//! 3. Give its reference in `tests/rules/reference.rs`. Everything else is tested by itself: `cargo test -p cotangent-std-rules`.
//! 4. `COTANGENT_BLESS=1 cargo test -p cotangent-std-rules` rewrites `docs/rules.md`.
//!
//! ```
//! let registry = cotangent_std_rules::registry();
//! let tanh = registry.scalar("tanhf").expect("a rule under C's name for f32");
//! assert_eq!(tanh.partials[0].to_string(), "(1 - r) * (1 + r)");
//! ```
#![forbid(unsafe_code)]

/// Adds the names that a function has in C and in the `libm` crate, for `f64` and (with `f` behind it) for `f32`.
macro_rules! libm {
    ($rule:expr, $($name:literal),+) => {
        $rule$(
            .symbols($name, concat!($name, "f"))
            .path(concat!("libm::math::*::", $name))
            .path(concat!("libm::math::*::", $name, "f"))
            .path(concat!("libm::math::generic::*::", $name))
        )+
    };
}

mod arithmetic;
mod bessel;
mod effects;
mod exponential;
mod hyperbolic;
mod models;
mod power;
mod rounding;
mod selection;
mod special;
pub mod table;
mod trigonometric;

use cotangent_engine::rule::{Model, Registry, Rule};

/// Everything that this crate knows.
pub fn registry() -> Registry {
    let registry = Registry::new(sections().into_iter().flat_map(|section| section.rules).collect(), effects::rows())
        .with_models(models())
        .with_untold(effects::UNTOLD.to_vec());
    effects::KNOWN.iter().fold(registry, |registry, (known, paths)| registry.with_known(*known, paths))
}

/// Functions that are differentiated through other bodies than their own.
pub fn models() -> Vec<Model> {
    models::rows()
}

/// Rules of one kind.
#[derive(Clone, Debug)]
pub struct Section {
    /// The heading in the table.
    pub title: &'static str,
    /// The rules, in order.
    pub rules: Vec<Rule>,
}

/// The rules by kind.
pub fn sections() -> Vec<Section> {
    let section = |title, rules| Section { title, rules };
    vec![
        section("Arithmetic", arithmetic::rules()),
        section("Conversions", arithmetic::conversions()),
        section("Powers and roots", power::rules()),
        section("Exponentials and logarithms", exponential::rules()),
        section("Trigonometric functions", trigonometric::rules()),
        section("Hyperbolic functions", hyperbolic::rules()),
        section("Absolute values, signs, minima and maxima", selection::rules()),
        section("Rounding and classification", rounding::rules()),
        section("Gamma and error functions", special::rules()),
        section("Bessel functions", bessel::rules()),
    ]
}
