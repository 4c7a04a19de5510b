//! The thunk: calls the user's function with what the marker's operands point to.
//!
//! It is a closure that captures nothing, turned into a plain function pointer. A closure knows `Self` and the generics
//! around it, which a nested function would not. Its parameters are bare addresses and lengths; the types they stand for are
//! inferred from the call, so that no type of the user's has to be written again.

use cotangent_contract::Kind;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{ExprPath, GenericParam};

use crate::model::{Derivative, Param};
use crate::types;

/// The thunk as `*const ()`. It must stand inside an `unsafe` block.
pub fn of(derivative: &Derivative) -> TokenStream {
    calling(derivative, None)
}

/// The thunk of another function of the same signature, where one is given.
pub fn calling(derivative: &Derivative, other: Option<&ExprPath>) -> TokenStream {
    let mut names = Vec::new();
    let mut types = Vec::new();
    let mut arguments = Vec::new();
    for (index, param) in derivative.params.iter().enumerate() {
        let pointer = local("p", index);
        let length = local("n", index);
        names.push(pointer.clone());
        types.push(quote!(*mut u8));
        if matches!(param.kind, Kind::Slice | Kind::MutSlice) {
            names.push(length.clone());
            types.push(quote!(usize));
        }
        arguments.push(argument(param, &pointer, &length));
    }
    let callee = other.map_or_else(|| callee(derivative), ToTokens::to_token_stream);
    let mut call = quote!(#callee(#(#arguments),*));
    if derivative.ret.is_some() {
        let ret = Ident::new("ret", Span::mixed_site());
        names.push(ret.clone());
        types.push(quote!(*mut u8));
        call = quote! {
            *::core::mem::transmute::<*mut u8, &mut ::core::mem::MaybeUninit<_>>(#ret) = ::core::mem::MaybeUninit::new(#call);
        };
    } else {
        call = quote!(#call;);
    }
    quote! {
        (|#(#names: #types),*| { #call }) as fn(#(#types),*) as *const ()
    }
}

/// A name that no name of the user's can meet.
pub fn local(name: &str, index: usize) -> Ident {
    format_ident!("{name}_{index}", span = Span::mixed_site())
}

/// What the function is given for a parameter.
pub fn argument(param: &Param, pointer: &Ident, length: &Ident) -> TokenStream {
    match param.kind {
        // The compiler cannot know that `Self` of a trait has a size, and so that the address is all of the reference.
        Kind::Ref if types::is_self_type(&param.inner) => quote!(::core::mem::transmute_copy::<*mut u8, &_>(&#pointer)),
        Kind::Mut if types::is_self_type(&param.inner) => {
            quote!(::core::mem::transmute_copy::<*mut u8, &mut _>(&#pointer))
        }
        Kind::Ref => quote!(::core::mem::transmute::<*mut u8, &_>(#pointer)),
        Kind::Mut => quote!(::core::mem::transmute::<*mut u8, &mut _>(#pointer)),
        Kind::Slice => quote! {
            ::core::mem::transmute::<*const [_], &[_]>(::core::ptr::slice_from_raw_parts(#pointer as *const _, #length))
        },
        Kind::MutSlice => quote! {
            ::core::mem::transmute::<*mut [_], &mut [_]>(::core::ptr::slice_from_raw_parts_mut(#pointer as *mut _, #length))
        },
        Kind::Value | Kind::Return => quote!(::core::ptr::read(#pointer as *const _)),
    }
}

/// The path of the function, with its generic arguments.
fn callee(derivative: &Derivative) -> TokenStream {
    let function = derivative.function;
    let name = &function.sig.ident;
    let arguments: Vec<&Ident> = function
        .sig
        .generics
        .params
        .iter()
        .filter_map(|param| match param {
            GenericParam::Type(param) => Some(&param.ident),
            GenericParam::Const(param) => Some(&param.ident),
            GenericParam::Lifetime(_) => None,
        })
        .collect();
    let turbofish = (!arguments.is_empty()).then(|| quote!(::<#(#arguments),*>));
    match function.is_method() {
        true => quote!(Self::#name #turbofish),
        false => quote!(#name #turbofish),
    }
}
