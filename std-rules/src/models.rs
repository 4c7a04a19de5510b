//! Functions that are differentiated through another body than their own: `core/src/models` of the library that users link has the
//! bodies.
use cotangent_engine::rule::{Entry, Model, ModelPattern};

fn symbol(name: &str) -> ModelPattern {
    ModelPattern::Symbol(name.to_owned())
}

fn path(path: &str) -> ModelPattern {
    ModelPattern::Path(path.to_owned())
}

/// A function of C's library and of the `libm` crate, for both float types.
fn scalar(name: &str, note: &'static str) -> Model {
    let entries = [name.to_owned(), format!("{name}f")].into_iter().flat_map(|name| {
        let of_c = Entry { patterns: vec![symbol(&name)], symbols: vec![format!("__ct_model_{name}_c")] };
        let patterns = vec![path(&format!("libm::math::*::{name}"))];
        [of_c, Entry { patterns, symbols: vec![format!("__ct_model_{name}_rs")] }]
    });
    Model { title: format!("`{name}`, `{name}f`"), note, entries: entries.collect() }
}

/// Every model.
pub(crate) fn rows() -> Vec<Model> {
    vec![
        scalar("sincos", "`sin(x)` and `cos(x)`"),
        scalar("modf", "`x - trunc(x)` and `trunc(x)`: partials 1 and 0, at whole numbers too"),
        scalar("frexp", "`x * 2^-n` with the integer `n` held"),
        scalar("remquo", "`remainder(x, y)`; the quotient is an integer"),
        Model {
            title: "`lgamma_r`, `lgammaf_r` of the `libm` crate".to_owned(),
            note: "`lgamma(x)`; the sign is an integer",
            entries: ["lgamma", "lgammaf"]
                .map(|name| Entry {
                    patterns: vec![path(&format!("libm::math::*::{name}_r"))],
                    symbols: vec![format!("__ct_model_{name}_rs")],
                })
                .into(),
        },
    ]
}
