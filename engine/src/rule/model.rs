//! Functions that are differentiated through another body than their own.
//!
//! A *model* is a function of the library that users link, written in Rust, which computes the same as the function that it
//! stands for in a way that can be differentiated well: through operations with rules in the place of bit tricks, or with a rule of its own.
//! Calls of the function become calls of the model where a derivative is made, and nowhere else. The model takes the
//! function's address first, through which it may call it, and then the function's parameters.

/// Which functions a model stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ModelPattern {
    /// A C symbol.
    Symbol(String),
    /// A Rust path as a demangled symbol shows it, as in [`super::Pattern::Path`]; that of a trait's method, `krate::Trait::method`, stands
    /// for the method of every type.
    Path(String),
}

/// Models of one kind of function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// What the functions compute, for the table of supported functions.
    pub title: String,
    /// How the derivative comes about, for the table.
    pub note: &'static str,
    /// The functions.
    pub entries: Vec<Entry>,
}

/// Functions with the same models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Which functions.
    pub patterns: Vec<ModelPattern>,
    /// Symbols of the models: the first one counts whose parameters are those of the call, and of the alignment that the function asks for
    /// (which is all that tells slices of `f64` from slices of `f32`).
    pub symbols: Vec<String>,
}
