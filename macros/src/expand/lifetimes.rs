//! Elided lifetimes of the return type.
//!
//! `fn f(x: &[f64]) -> &f64` borrows from `x`. With a shadow beside `x` the elided lifetime of the result would be
//! ambiguous, so it and the one it stands for get a name. All others stay elided.

use proc_macro2::Span;
use syn::visit_mut::{self, VisitMut};
use syn::{
    GenericParam, Lifetime, LifetimeParam, ParenthesizedGenericArguments, Signature, Type, TypeBareFn, TypeReference,
};

/// Names the lifetimes of `sig`'s result where it borrows from a parameter other than `&self`.
pub fn name_elided_output(sig: &mut Signature) {
    let syn::ReturnType::Type(_, output) = &mut sig.output else { return };
    let through_self = sig.inputs.iter().any(|input| match input {
        syn::FnArg::Receiver(receiver) => matches!(&*receiver.ty, Type::Reference(_)),
        syn::FnArg::Typed(_) => false,
    });
    if through_self || Elided::count(output) == 0 {
        return;
    }
    let mut named = Named(None);
    for input in &mut sig.inputs {
        if let syn::FnArg::Typed(typed) = input {
            named.visit_type_mut(&mut typed.ty);
        }
    }
    let name = match named.0 {
        Some(name) => name,
        None => {
            let name = Lifetime::new("'__ct", Span::call_site());
            for input in &mut sig.inputs {
                if let syn::FnArg::Typed(typed) = input {
                    Elided { name: Some(&name), count: 0 }.visit_type_mut(&mut typed.ty);
                }
            }
            sig.generics.params.insert(0, GenericParam::Lifetime(LifetimeParam::new(name.clone())));
            name
        }
    };
    if let syn::ReturnType::Type(_, output) = &mut sig.output {
        Elided { name: Some(&name), count: 0 }.visit_type_mut(output);
    }
}

/// Whether a type leaves a lifetime unsaid.
pub fn has_elided(ty: &mut Type) -> bool {
    Elided::count(ty) > 0
}

/// Counts elided lifetimes, and names them if it has a name for them.
struct Elided<'a> {
    name: Option<&'a Lifetime>,
    count: usize,
}

impl Elided<'_> {
    fn count(ty: &mut Type) -> usize {
        let mut visitor = Elided { name: None, count: 0 };
        visitor.visit_type_mut(ty);
        visitor.count
    }
}

impl VisitMut for Elided<'_> {
    fn visit_type_reference_mut(&mut self, node: &mut TypeReference) {
        if node.lifetime.is_none() {
            self.count += 1;
            node.lifetime = self.name.cloned();
        }
        visit_mut::visit_type_reference_mut(self, node);
    }

    fn visit_lifetime_mut(&mut self, node: &mut Lifetime) {
        if node.ident == "_" {
            self.count += 1;
            if let Some(name) = self.name {
                *node = name.clone();
            }
        }
    }

    // The signatures of functions elide by themselves.
    fn visit_type_bare_fn_mut(&mut self, _: &mut TypeBareFn) {}
    fn visit_parenthesized_generic_arguments_mut(&mut self, _: &mut ParenthesizedGenericArguments) {}
}

/// Finds a lifetime that the user named.
struct Named(Option<Lifetime>);

impl VisitMut for Named {
    fn visit_lifetime_mut(&mut self, node: &mut Lifetime) {
        if node.ident != "_" && node.ident != "static" {
            self.0.get_or_insert_with(|| node.clone());
        }
    }
    fn visit_type_bare_fn_mut(&mut self, _: &mut TypeBareFn) {}
    fn visit_parenthesized_generic_arguments_mut(&mut self, _: &mut ParenthesizedGenericArguments) {}
}
