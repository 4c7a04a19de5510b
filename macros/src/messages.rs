//! Every message of the macros: what is wrong, and what to do. Each function gives the message of one kind of mistake, at
//! the token that is to blame.

use cotangent_contract::Mode;
use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::parse::ParseStream;
use syn::{Error, LitInt};

/// The mistakes of one attribute: all are reported at once.
#[derive(Default)]
pub struct Mistakes(Option<Error>);

impl Mistakes {
    /// Adds a mistake.
    pub fn push(&mut self, error: Error) {
        match &mut self.0 {
            Some(first) => first.combine(error),
            None => self.0 = Some(error),
        }
    }

    /// The mistakes as one error, where there are any.
    pub fn into_result(self) -> Result<(), Error> {
        self.0.map_or(Ok(()), Err)
    }

    /// True where nothing has been reported.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }
}

fn at(tokens: &impl ToTokens, message: impl std::fmt::Display) -> Error {
    Error::new_spanned(tokens, message)
}

/// The word for a mode in a sentence.
fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Forward => "Forward",
        Mode::Reverse => "Reverse",
    }
}

// The arguments by themselves.

pub fn no_mode() -> Error {
    Error::new(Span::call_site(), "no mode is given: write `#[autodiff(Reverse, ..)]` or `#[autodiff(Forward, ..)]`")
}

pub fn unknown_mode(word: &Ident) -> Error {
    at(
        word,
        format!("unknown mode `{word}`: it is `Forward` or `Reverse`, after the derivative's name if one is given"),
    )
}

pub fn unknown_activity(word: &Ident) -> Error {
    at(
        word,
        format!(
            "unknown activity `{word}`: it is `Const`, `Active` or `Duplicated[Only]` in Reverse, `Const`, `Dual[Only]` or `Dualv` \
             in Forward; `Active[Only]` or `Dual[Only]` for the return value"
        ),
    )
}

pub fn not_an_activity(tokens: &impl ToTokens) -> Error {
    at(tokens, "expected an activity, such as `Const`, `Active`, `Duplicated` or `Dual`")
}

pub fn empty_argument(span: Span) -> Error {
    Error::new(span, "expected an argument before this comma")
}

pub fn misplaced_number(number: &LitInt) -> Error {
    at(number, "a width stands directly after the mode: `Forward, 4, ..`")
}

pub fn width_zero(number: &LitInt) -> Error {
    at(number, "a width of 0 asks for no tangent: leave the width out for one tangent")
}

pub fn width_too_large(number: &LitInt, max: u32) -> Error {
    at(
        number,
        format!("the width is at most {max}: run several sweeps, or use Reverse for a gradient of many variables"),
    )
}

pub fn width_in_reverse(number: &LitInt) -> Error {
    at(number, "a width belongs to Forward: a Reverse sweep has one adjoint of each value")
}

// The arguments of a rule.

/// An error about an item, in the words of `#[custom_derivative]`.
pub fn about_rule(error: Error) -> Error {
    Error::new(error.span(), error.to_string().replace("#[autodiff]", "#[custom_derivative]"))
}

pub fn no_rule() -> Error {
    Error::new(
        Span::call_site(),
        "no rule is given: write `forward = f_jvp`, `reverse = f_vjp` or both, `reverse = (f_augmented, f_pullback)`, or `inactive`",
    )
}

pub fn rule_given_twice(word: &Ident) -> Error {
    at(word, format!("`{word}` is given twice"))
}

pub fn unknown_part(word: &Ident) -> Error {
    at(word, format!("unknown argument `{word}`: it is an activity, `forward = ..`, `reverse = ..` or `inactive`"))
}

pub fn activity_behind_rule(word: &Ident) -> Error {
    at(word, format!("activities stand in front: `{word}` belongs before `forward` and `reverse`"))
}

pub fn inactive_with_rule(word: &Ident) -> Error {
    at(word, "an `inactive` function has no rule: leave out `inactive`, or the rules")
}

pub fn rule_is_no_path(tokens: &impl ToTokens) -> Error {
    at(tokens, "expected the path of a function, or for `reverse` a pair `(f_augmented, f_pullback)`")
}

pub fn tape_in_forward(tokens: &impl ToTokens) -> Error {
    at(tokens, "a forward rule is one function: only `reverse` may be a pair with a tape")
}

pub fn activity_without_rule(span: Span, activity: &str, instead: &str) -> Error {
    Error::new(span, format!("`{activity}` says nothing about a rule: use {instead}"))
}

// The function by itself.

pub fn not_a_function(input: ParseStream) -> Error {
    input.error("`#[autodiff]` stands on a function, or on a method with a body")
}

pub fn no_body(semicolon: &impl ToTokens, name: &Ident) -> Error {
    at(
        semicolon,
        format!("`{name}` has no body to differentiate: give it one, or differentiate a function that calls it"),
    )
}

pub fn async_function(token: &impl ToTokens) -> Error {
    at(
        token,
        "an `async` function cannot be differentiated: its value is a future; differentiate the computation inside it",
    )
}

pub fn const_function(token: &impl ToTokens) -> Error {
    at(
        token,
        "a `const` function cannot be differentiated: the derivative could not be `const`; wrap it in a plain function",
    )
}

pub fn extern_function(token: &impl ToTokens) -> Error {
    at(token, "a function of a foreign ABI cannot be differentiated: wrap it in a plain Rust function")
}

pub fn impl_trait_parameter(ty: &impl ToTokens) -> Error {
    at(ty, "`impl Trait` in a parameter cannot be differentiated: name the type, as in `fn f<T: Trait>(p: T)`")
}

pub fn impl_trait_return(ty: &impl ToTokens) -> Error {
    at(ty, "a return type `impl Trait` has no name that the derivative could use: name the type")
}

pub fn configured_parameter(attribute: &impl ToTokens) -> Error {
    at(attribute, "a parameter under `cfg` cannot be given an activity: put the `cfg` on two versions of the function")
}

pub fn const_function_with_rule(token: &impl ToTokens) -> Error {
    at(token, "a `const` function cannot have a rule of its own: wrap it in a plain function, and give that the rule")
}

pub fn variadic_function(token: &impl ToTokens) -> Error {
    at(token, "a variadic function cannot have a rule: wrap the call in a plain function, and give that the rule")
}

pub fn no_body_for_rule(name: &Ident) -> Error {
    at(
        name,
        format!(
            "`{name}` has no body: put the rule on its implementations, or give a foreign function one with `derivative_rule!`"
        ),
    )
}

pub fn name_of_primal(name: &Ident) -> Error {
    at(name, format!("the derivative cannot have the function's own name `{name}`"))
}

pub fn duplicate_name(name: &Ident) -> Error {
    at(
        name,
        format!(
            "two derivatives of this function are called `{name}`: give each attribute a name of its own as first argument"
        ),
    )
}

// Arguments against the function.

pub fn wrong_count(span: Span, function: &Ident, params: &[String], returns: bool, given: usize) -> Error {
    let mut names: Vec<String> = params.iter().map(|name| format!("`{name}`")).collect();
    if returns {
        names.push("the return value".to_owned());
    }
    let expected = names.len();
    let list = match names.split_last() {
        None => "none, as it has no parameter and returns nothing".to_owned(),
        Some((only, [])) => format!("one for {only}"),
        Some((last, rest)) => format!("one each for {} and {last}", rest.join(", ")),
    };
    let plural = if expected == 1 { "activity" } else { "activities" };
    let verb = if given == 1 { "is" } else { "are" };
    Error::new(span, format!("`{function}` takes {expected} {plural} ({list}), {given} {verb} given"))
}

pub fn activity_of_other_mode(span: Span, activity: &str, mode: Mode, instead: &str) -> Error {
    let other = match mode {
        Mode::Forward => Mode::Reverse,
        Mode::Reverse => Mode::Forward,
    };
    Error::new(span, format!("`{activity}` belongs to {}: in {} use {instead}", mode_name(other), mode_name(mode)))
}

pub fn only_for_return(span: Span, activity: &str, instead: &str) -> Error {
    Error::new(span, format!("`{activity}` is of return values: give a parameter {instead}"))
}

pub fn not_for_return(span: Span, activity: &str, instead: &str) -> Error {
    Error::new(span, format!("`{activity}` is of parameters: give a return value {instead}"))
}

pub fn active_reference(span: Span, param: &str, instead: &str) -> Error {
    Error::new(span, format!("`Active` is of values, and `{param}` is a reference: use {instead}"))
}

pub fn duplicated_value(span: Span, activity: &str, param: &str) -> Error {
    Error::new(
        span,
        format!(
            "`{activity}` is of references, and `{param}` is passed by value: use `Active`, or pass it by reference"
        ),
    )
}

pub fn wide_reference(span: Span, activity: &str, param: &str) -> Error {
    Error::new(
        span,
        format!(
            "`{param}` refers to a type without a size known here: it can only be `Const`, not `{activity}`; floats pass as `&T` or `&[T]`"
        ),
    )
}

pub fn dualv_without_width(span: Span, activity: &str) -> Error {
    Error::new(span, format!("`{activity}` needs a width, as in `Forward, 4, ..`: for one tangent use `Dual`"))
}

pub fn dualv_on_other(span: Span, activity: &str, param: &str) -> Error {
    Error::new(span, format!("`{activity}` is of slices, and `{param}` is none: use `Dual`"))
}

pub fn not_float_data(part: &impl ToTokens, what: &str, activity: &str) -> Error {
    at(
        part,
        format!(
            "`{}` is not float data, so {what} cannot be `{activity}`: that takes `f32`, `f64`, or arrays, tuples and structs of them; \
             everything else is `Const`",
            crate::types::display(part)
        ),
    )
}

pub fn no_floats(ty: &impl ToTokens, activity: &str, param: &str) -> Error {
    at(
        ty,
        format!(
            "there is no float in `{}`, so `{param}` has no derivative and cannot be `{activity}`: make it `Const`",
            crate::types::display(ty)
        ),
    )
}

pub fn shared_floats(part: &impl ToTokens, param: &str) -> Error {
    at(
        part,
        format!(
            "the adjoint of `{param}` would be written through the shared reference `{}`: hold the floats in a `Vec`, `Box` or `&mut`, pass \
             the slice as a parameter of its own, or use Forward, which only reads",
            crate::types::display(part)
        ),
    )
}

pub fn reference_returned(part: &impl ToTokens, activity: &str) -> Error {
    at(
        part,
        format!(
            "a returned reference cannot be `{activity}`: return the floats by value, write them through a `&mut` parameter, or make \
             it `Const`"
        ),
    )
}

// `#[derive(Shadow)]`.

pub fn shadow_of_union(token: &impl ToTokens) -> Error {
    at(token, "a union has no shadow: nothing says which of its fields are floats at a time")
}

pub fn shadow_of_packed(attribute: &impl ToTokens) -> Error {
    at(attribute, "a packed type has no shadow: references to its fields would not be aligned")
}

pub fn shadow_on_item(attribute: &impl ToTokens) -> Error {
    at(attribute, "`#[shadow(..)]` stands on a field")
}

pub fn unknown_shadow_argument(word: &Ident) -> Error {
    at(
        word,
        format!(
            "unknown argument `{word}`: it is `clone` for a field without floats, `zeroed = ..` with a function that makes zeros, or \
             `structure` for numbers that the derivative changes as the function does"
        ),
    )
}

pub fn one_shadow_argument(span: Span) -> Error {
    Error::new(span, "a field is either `clone` or `zeroed = ..` or `structure`")
}
