//! Writes the generated function: a shim around one call of a marker, as the contract crate describes it.

mod attributes;
mod body;
mod custom;
mod foreign;
mod lifetimes;
mod signature;
mod thunk;

use proc_macro2::TokenStream;
use quote::quote;

use crate::check;
use crate::item::Function;
use crate::location::Location;
use crate::messages::{self, Mistakes};
use crate::model::Derivative;
use crate::request;
use crate::rule::{self, ForeignRule};

/// `#[autodiff]`: the item unchanged, and beside it the derivative, or the messages.
pub fn autodiff(arguments: TokenStream, item: TokenStream, location: &Location) -> TokenStream {
    let mut mistakes = Mistakes::default();
    let arguments = request::parse(arguments, &mut mistakes);
    let function = match syn::parse2::<Function>(item.clone()) {
        Ok(function) => Some(function),
        Err(error) => {
            mistakes.push(error);
            None
        }
    };
    let derivative = function.as_ref().and_then(|function| check::check(&arguments, function, location, &mut mistakes));
    let beside = match (mistakes.into_result(), derivative) {
        (Ok(()), Some(derivative)) => expand(&derivative),
        (Ok(()), None) => TokenStream::new(),
        (Err(error), _) => error.to_compile_error(),
    };
    quote! { #item #beside }
}

/// `#[custom_derivative]`: the item with its rule, or unchanged with the messages.
pub fn custom_derivative(arguments: TokenStream, item: TokenStream, location: &Location) -> TokenStream {
    let mut mistakes = Mistakes::default();
    let rule = rule::parse(arguments, &mut mistakes);
    let function = match syn::parse2::<Function>(item.clone()) {
        Ok(function) => Some(function),
        Err(error) => {
            mistakes.push(messages::about_rule(error));
            None
        }
    };
    let modes = function.as_ref().and_then(|function| check::custom::check(&rule, function, location, &mut mistakes));
    match (mistakes.into_result(), &function, modes) {
        (Ok(()), Some(function), Some(modes)) => custom::function(function, &rule, &modes, None),
        (Ok(()), _, _) => item,
        (Err(error), _, _) => {
            let error = error.to_compile_error();
            quote! { #item #error }
        }
    }
}

/// `derivative_rule!`: a function with the rule that calls the other one, and a static that says so; or the messages.
pub fn derivative_rule(tokens: TokenStream, location: &Location) -> TokenStream {
    let ForeignRule { path, ty, rule } = match syn::parse2(tokens) {
        Ok(parsed) => parsed,
        Err(error) => return error.to_compile_error(),
    };
    let mut mistakes = Mistakes::default();
    let rule = rule::parse(rule, &mut mistakes);
    let function = match foreign::adapter(&path, &ty) {
        Ok(function) => Some(function),
        Err(error) => {
            mistakes.push(error);
            None
        }
    };
    let modes = function.as_ref().and_then(|function| check::custom::check(&rule, function, location, &mut mistakes));
    match (mistakes.into_result(), &function, modes) {
        (Ok(()), Some(function), Some(modes)) => {
            foreign::registration(&path, &ty, function, custom::function(function, &rule, &modes, Some(&path)))
        }
        (Ok(()), _, _) => TokenStream::new(),
        (Err(error), _, _) => error.to_compile_error(),
    }
}

/// The generated function.
fn expand(derivative: &Derivative) -> TokenStream {
    let attributes = attributes::of(derivative);
    let signature = signature::of(derivative);
    let body = body::of(derivative);
    let vis = &derivative.function.vis;
    quote! {
        #attributes
        #vis #signature {
            #body
        }
    }
}
