//! The signature of the generated function.

use cotangent_contract::{Activity, Kind, Mode};
use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{FnArg, ReturnType, Type, parse_quote};

use super::lifetimes;
use crate::model::{Derivative, Param};
use crate::types;

/// `unsafe fn d_f<..>(..) -> .. where ..`
pub fn of(derivative: &Derivative) -> TokenStream {
    let mut sig = derivative.function.sig.clone();
    lifetimes::name_elided_output(&mut sig);
    let self_is_active = derivative.params.iter().any(|param| param.is_receiver() && param.activity != Activity::Const);
    if self_is_active && derivative.params.iter().any(|param| param.is_receiver() && types::has_self_type(&param.ty)) {
        // In a trait, whose `Self` may have no size, and which may be used as `dyn`.
        sig.generics.make_where_clause().predicates.push(parse_quote!(Self: ::core::marker::Sized));
    }
    let mut inputs = TokenStream::new();
    for (input, param) in sig.inputs.iter().zip(&derivative.params) {
        inputs.extend(primal(input, param));
        inputs.extend(shadows(derivative, param));
    }
    let output = match &sig.output {
        ReturnType::Type(_, ty) => Some(&**ty),
        ReturnType::Default => None,
    };
    let seed_name = seed(derivative);
    if let (Some(seed), Some(ret)) = (&seed_name, &derivative.ret) {
        let ty = &ret.ty;
        inputs.extend(quote!(#seed: #ty,));
    }
    let name = &derivative.name;
    let (unsafety, abi) = (&sig.unsafety, &sig.abi);
    let (generics, clause) = (&sig.generics, &sig.generics.where_clause);
    let output = returned(derivative, output);
    quote!(#unsafety #abi fn #name #generics (#inputs) #output #clause)
}

/// A parameter as it was, but for patterns and `mut`.
fn primal(input: &FnArg, param: &Param) -> TokenStream {
    match input {
        FnArg::Receiver(receiver) => {
            let mut receiver = receiver.clone();
            receiver.attrs.clear();
            if receiver.reference.is_none() {
                receiver.mutability = None;
            }
            quote!(#receiver,)
        }
        FnArg::Typed(typed) => {
            let (ident, ty) = (&param.ident, &typed.ty);
            quote!(#ident: #ty,)
        }
    }
}

/// The shadow parameters of one parameter.
fn shadows(derivative: &Derivative, param: &Param) -> TokenStream {
    let ty = shadow_type(derivative, param);
    let idents = &param.shadows;
    quote!(#(#idents: #ty,)*)
}

/// The types of the shadow parameters of one parameter.
pub fn shadow_types(derivative: &Derivative, param: &Param) -> TokenStream {
    let ty = shadow_type(derivative, param);
    let types = param.shadows.iter().map(|_| &ty);
    quote!(#(#types,)*)
}

fn shadow_type(derivative: &Derivative, param: &Param) -> Type {
    let inner = &param.inner;
    let mutable = derivative.mode == Mode::Reverse || matches!(param.kind, Kind::Mut | Kind::MutSlice);
    match param.kind {
        Kind::Ref | Kind::Mut if mutable => parse_quote!(&mut #inner),
        Kind::Ref | Kind::Mut => parse_quote!(&#inner),
        Kind::Slice | Kind::MutSlice if mutable => parse_quote!(&mut [#inner]),
        Kind::Slice | Kind::MutSlice => parse_quote!(&[#inner]),
        Kind::Value | Kind::Return => inner.clone(),
    }
}

/// The name of the parameter for the result's adjoint, where there is one.
pub fn seed(derivative: &Derivative) -> Option<proc_macro2::Ident> {
    let ret = derivative.ret.as_ref()?;
    if derivative.mode != Mode::Reverse || ret.activity == Activity::Const {
        return None;
    }
    let params = derivative.params.iter().flat_map(|param| param.shadows.iter().chain([&param.ident]));
    let mut taken = params.map(ToString::to_string).collect();
    Some(crate::check::fresh("dret", &mut taken))
}

/// `-> ..`
fn returned(derivative: &Derivative, output: Option<&Type>) -> TokenStream {
    let primal = match (&derivative.ret, output) {
        (Some(ret), Some(output)) => Some((ret.activity, output)),
        _ => None,
    };
    let list: Vec<TokenStream> = match derivative.mode {
        Mode::Forward => match primal {
            None => Vec::new(),
            Some((Activity::Const, ty)) => vec![quote!(#ty)],
            Some((activity, ty)) => {
                let number = |n: u32| Literal::u32_unsuffixed(n);
                match (activity, derivative.width) {
                    (Activity::DupOnly, 1) => vec![quote!(#ty)],
                    (Activity::DupOnly, n) => {
                        let n = number(n);
                        vec![quote_spanned!(ty.span()=> [#ty; #n])]
                    }
                    (_, 1) => vec![quote!(#ty), quote!(#ty)],
                    (_, n) => {
                        let n = number(n + 1);
                        vec![quote_spanned!(ty.span()=> [#ty; #n])]
                    }
                }
            }
        },
        Mode::Reverse => {
            let primal = primal.filter(|(activity, _)| *activity != Activity::DupOnly).map(|(_, ty)| quote!(#ty));
            let adjoints = derivative.adjoints().map(|(_, param)| {
                let ty = &param.inner;
                quote!(#ty)
            });
            primal.into_iter().chain(adjoints).collect()
        }
    };
    match &list[..] {
        [] => TokenStream::new(),
        [only] => quote!(-> #only),
        list => quote!(-> (#(#list),*)),
    }
}
