//! Rules for functions of other crates and of other languages.
//!
//! A function of the same signature has the rule and calls the other one. A static, which the driver looks for, says that it is to be called
//! instead wherever a derivative is made.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::{ExprPath, Generics, Signature, TypeBareFn, Visibility, parse_quote};

use super::custom;
use crate::item::Function;
use crate::messages;

/// The function that calls the other one.
///
/// # Errors
/// The type has something that only types of function pointers have.
pub fn adapter(path: &ExprPath, ty: &TypeBareFn) -> syn::Result<Function> {
    if let Some(variadic) = &ty.variadic {
        return Err(messages::variadic_function(variadic));
    }
    let name = Ident::new("adapter", Span::mixed_site());
    let names: Vec<Ident> = (0..ty.inputs.len()).map(|index| format_ident!("arg{index}")).collect();
    let types = ty.inputs.iter().map(|input| &input.ty);
    let mut generics = Generics::default();
    if let Some(lifetimes) = &ty.lifetimes {
        generics.params.extend(lifetimes.lifetimes.iter().cloned());
    }
    let (unsafety, abi, output) = (&ty.unsafety, &ty.abi, &ty.output);
    let mut sig: Signature = parse_quote!(#unsafety #abi fn #name(#(#names: #types),*) #output);
    sig.generics = generics;
    let call = match unsafety {
        Some(_) => quote!(unsafe { #path(#(#names),*) }),
        None => quote!(#path(#(#names),*)),
    };
    let body = Some(Group::new(Delimiter::Brace, call));
    Ok(Function { attrs: Vec::new(), vis: Visibility::Inherited, sig, body })
}

/// Everything that the macro leaves.
pub fn registration(path: &ExprPath, ty: &TypeBareFn, function: &Function, item: TokenStream) -> TokenStream {
    let (adapter, table) = (&function.sig.ident, custom::registration());
    quote! {
        const _: () = {
            #item
            const TARGET: #ty = #path;
            const ADAPTER: #ty = #adapter;
            #[used]
            static #table: ::cotangent::__private::RuleFor = ::cotangent::__private::RuleFor {
                target: TARGET as *const (),
                adapter: ADAPTER as *const (),
            };
        };
    }
}
