//! What no derivative can be made of, whatever the attribute asks for.

use proc_macro2::Ident;
use syn::{Attribute, FnArg, Meta, ReturnType};

use crate::item::Function;
use crate::messages::{self, Mistakes};
use crate::request;
use crate::types;

/// Looks at the function alone.
pub fn check(function: &Function, mistakes: &mut Mistakes) {
    let sig = &function.sig;
    if let Some(token) = &sig.asyncness {
        mistakes.push(messages::async_function(token));
    }
    if let Some(token) = &sig.constness {
        mistakes.push(messages::const_function(token));
    }
    if let Some(abi) = &sig.abi
        && abi.name.as_ref().is_none_or(|name| name.value() != "Rust")
    {
        mistakes.push(messages::extern_function(abi));
    }
    if function.body.is_none() {
        mistakes.push(messages::no_body(&sig.ident, &sig.ident));
    }
    check_types(function, mistakes);
}

/// What no rule can be given to.
pub fn check_for_rule(function: &Function, mistakes: &mut Mistakes) {
    let sig = &function.sig;
    if let Some(token) = &sig.asyncness {
        mistakes.push(messages::async_function(token));
    }
    if let Some(token) = &sig.constness {
        mistakes.push(messages::const_function_with_rule(token));
    }
    if let Some(token) = &sig.variadic {
        mistakes.push(messages::variadic_function(token));
    }
    if function.body.is_none() {
        mistakes.push(messages::no_body_for_rule(&sig.ident));
    }
    check_types(function, mistakes);
}

/// What makes a parameter depend on the configuration.
fn configurations(attrs: &[Attribute]) -> impl Iterator<Item = &Attribute> {
    attrs.iter().filter(|attr| attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr"))
}

/// Whether some parameter is not always there; nothing can then be said about their number.
pub fn has_configured_parameter(function: &Function) -> bool {
    function.sig.inputs.iter().any(|input| {
        let attrs = match input {
            FnArg::Receiver(receiver) => &receiver.attrs,
            FnArg::Typed(typed) => &typed.attrs,
        };
        configurations(attrs).next().is_some()
    })
}

/// Parameters and result by themselves.
fn check_types(function: &Function, mistakes: &mut Mistakes) {
    let sig = &function.sig;
    for input in &sig.inputs {
        let (attrs, ty) = match input {
            FnArg::Receiver(receiver) => (&receiver.attrs, &receiver.ty),
            FnArg::Typed(typed) => (&typed.attrs, &typed.ty),
        };
        for attr in configurations(attrs) {
            mistakes.push(messages::configured_parameter(attr));
        }
        if let Some(found) = types::find_impl_trait(ty) {
            mistakes.push(messages::impl_trait_parameter(&found));
        }
    }
    if let ReturnType::Type(_, ty) = &sig.output
        && let Some(found) = types::find_impl_trait(ty)
    {
        mistakes.push(messages::impl_trait_return(&found));
    }
}

/// Refuses a name that the function itself or another of its attributes has.
pub fn check_name(name: &Ident, function: &Function, mistakes: &mut Mistakes) {
    if *name == function.sig.ident {
        mistakes.push(messages::name_of_primal(name));
    }
    // Only the attributes that are still there are seen; those before this one looked at this one's name.
    for attr in &function.attrs {
        let Meta::List(list) = &attr.meta else { continue };
        if list.path.segments.last().is_none_or(|segment| segment.ident != "autodiff") {
            continue;
        }
        match request::name_only(list.tokens.clone()) {
            Some(other) if other == *name => mistakes.push(messages::duplicate_name(&other)),
            None if *name == format!("d_{}", function.sig.ident) => {
                let mut error = messages::duplicate_name(name);
                error = syn::Error::new_spanned(&list.path, error.to_string());
                mistakes.push(error);
            }
            _ => {}
        }
    }
}
