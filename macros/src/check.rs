//! Holds an attribute against the function it stands on: a [`Derivative`], or every mistake.

mod activity;
pub mod custom;
mod function;

use cotangent_contract::{self as contract, Kind, Mode};
use proc_macro2::{Ident, Span};
use quote::format_ident;
use syn::ext::IdentExt;
use syn::{FnArg, Pat, ReturnType, Type};

use crate::item::Function;
use crate::location::Location;
use crate::messages::{self, Mistakes};
use crate::model::{Derivative, Param, Return};
use crate::request::Arguments;
use crate::types::{self, Shape};

/// Checks everything, adds what is wrong to `mistakes`, and gives the derivative where nothing is.
pub fn check<'a>(
    arguments: &Arguments,
    function: &'a Function,
    location: &'a Location,
    mistakes: &mut Mistakes,
) -> Option<Derivative<'a>> {
    function::check(function, mistakes);
    let name = match &arguments.name {
        Some(name) => name.clone(),
        None => format_ident!("d_{}", function.sig.ident.unraw(), span = function.sig.ident.span()),
    };
    function::check_name(&name, function, mistakes);
    build(arguments, name, function, location, mistakes)
}

/// The derivative of a function that is fit for one, where the activities are.
fn build<'a>(
    arguments: &Arguments,
    name: Ident,
    function: &'a Function,
    location: &'a Location,
    mistakes: &mut Mistakes,
) -> Option<Derivative<'a>> {
    let mode = arguments.mode?;
    if function::has_configured_parameter(function) {
        return None;
    }
    let width = arguments.width.map(|(width, _)| width);
    let inputs: Vec<Input> = inputs(function);
    let returned = match &function.sig.output {
        ReturnType::Type(_, ty) if !types::is_unit(ty) => Some((**ty).clone()),
        _ => None,
    };
    let expected = inputs.len() + usize::from(returned.is_some());
    if arguments.activities.len() != expected {
        // Too many: the first that is too many. Too few: the end of the list.
        let given = arguments.activities.get(expected).or(arguments.activities.last());
        let blame = given.map_or_else(Span::call_site, |given| given.span);
        let names: Vec<String> = inputs.iter().map(|input| input.shown.clone()).collect();
        let given = arguments.activities.len();
        mistakes.push(messages::wrong_count(blame, &function.sig.ident, &names, returned.is_some(), given));
        return None;
    }
    let context = activity::Context { mode, width };
    let mut params = Vec::new();
    let mut taken: Vec<String> = inputs.iter().map(|input| input.ident.to_string()).collect();
    for (input, given) in inputs.iter().zip(&arguments.activities) {
        let shape = Shape::of(&input.ty, &function.sig.generics);
        let Some(given) = given.activity.map(|activity| (activity, given.span)) else { continue };
        let Some((activity, lanes)) = activity::of_param(&context, input, &shape, given, mistakes) else { continue };
        let mut param = Param {
            ident: input.ident.clone(),
            ty: input.ty.clone(),
            floats: types::float_width(&shape.inner),
            kind: shape.kind,
            inner: shape.inner,
            activity,
            shadows: Vec::new(),
            lanes,
        };
        if shape.wide {
            param.floats = 0;
        }
        param.shadows = shadow_names(&param, mode, width, &mut taken);
        params.push(param);
    }
    let ret = match (returned, arguments.activities.get(inputs.len())) {
        (Some(ty), Some(given)) => {
            let activity = given
                .activity
                .and_then(|activity| activity::of_return(&context, &ty, (activity, given.span), mistakes));
            Some(Return { floats: types::float_width(&ty), activity: activity?, ty })
        }
        _ => None,
    };
    let width = width.unwrap_or(1);
    mistakes.is_empty().then_some(Derivative { function, location, name, mode, width, params, ret })
}

/// A parameter as the user wrote it, with the name that it gets in the derivative.
pub struct Input {
    /// Name in the derivative.
    pub ident: Ident,
    /// What messages call it.
    pub shown: String,
    /// Type.
    pub ty: Type,
}

/// The parameters, `self` included; patterns get fresh names.
fn inputs(function: &Function) -> Vec<Input> {
    // A parameter of the function's own name would hide the function from the call in the thunk.
    let mut taken = vec![function.sig.ident.to_string()];
    let written = |input: &FnArg| match input {
        FnArg::Typed(typed) => match &*typed.pat {
            Pat::Ident(pat) => Some(pat.ident.clone()),
            _ => None,
        },
        FnArg::Receiver(receiver) => Some(Ident::new("self", receiver.self_token.span)),
    };
    taken.extend(function.sig.inputs.iter().filter_map(written).map(|ident| ident.to_string()).filter({
        let own = function.sig.ident.to_string();
        move |name| *name != own
    }));
    let name = |index: usize, input: &FnArg, taken: &mut Vec<String>| match written(input) {
        Some(ident) if ident != function.sig.ident => ident,
        _ => fresh(&format!("arg{index}"), taken),
    };
    let mut list = Vec::new();
    for (index, input) in function.sig.inputs.iter().enumerate() {
        let ident = name(index, input, &mut taken);
        let (shown, ty) = match input {
            FnArg::Receiver(receiver) => ("self".to_owned(), (*receiver.ty).clone()),
            FnArg::Typed(typed) => {
                let shown = match &*typed.pat {
                    Pat::Ident(pat) => pat.ident.to_string(),
                    pat => types::display(pat),
                };
                (shown, (*typed.ty).clone())
            }
        };
        list.push(Input { ident, shown, ty });
    }
    list
}

/// `name`, with underscores behind it until nothing else is called so and it is no keyword (the `do` of an `o`, the `box` of an `ox`).
pub fn fresh(name: &str, taken: &mut Vec<String>) -> Ident {
    let mut name = name.to_owned();
    while taken.contains(&name) || syn::parse_str::<Ident>(&name).is_err() {
        name.push('_');
    }
    taken.push(name.clone());
    Ident::new(&name, Span::call_site())
}

/// The names of a parameter's shadow parameters: `dx` in reverse, `bx` or `bx_0`, `bx_1`, .. in forward mode.
fn shadow_names(param: &Param, mode: Mode, width: Option<u32>, taken: &mut Vec<String>) -> Vec<Ident> {
    if param.activity == contract::Activity::Const || (mode == Mode::Reverse && param.kind == Kind::Value) {
        return Vec::new();
    }
    let prefix = match mode {
        Mode::Forward => "b",
        Mode::Reverse => "d",
    };
    let base = format!("{prefix}{}", param.ident.unraw());
    match width {
        Some(width) if width > 1 && !param.lanes => {
            (0..width).map(|lane| fresh(&format!("{base}_{lane}"), taken)).collect()
        }
        _ => vec![fresh(&base, taken)],
    }
}
