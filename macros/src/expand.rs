//! Writes the generated function: a shim around one call of a marker, as the contract crate describes it.

mod attributes;
mod body;
mod lifetimes;
mod signature;
mod thunk;

use proc_macro2::TokenStream;
use quote::quote;

use crate::check;
use crate::item::Function;
use crate::location::Location;
use crate::messages::Mistakes;
use crate::model::Derivative;
use crate::request;

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
