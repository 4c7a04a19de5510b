//! `#[derive(Shadow)]`: the comparison of two values field by field, the value with zeros for its floats, and its data.

mod data;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Attribute, Data, DeriveInput, Expr, Field, Fields, Member, Token, Type, parse_quote};

use crate::messages::{self, Mistakes};

/// What a field says of itself.
enum Treatment {
    /// Its type has a shadow.
    Shadow,
    /// `#[shadow(clone)]`: it has no floats.
    Clone,
    /// `#[shadow(zeroed = ..)]`: a function makes its zeros.
    Zeroed(Box<Expr>),
    /// `#[shadow(structure)]`: its type has a shadow, and its numbers are no data.
    Structure,
}

/// The implementation, or the messages.
pub fn derive(tokens: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(tokens) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    let mut mistakes = Mistakes::default();
    let expansion = expand(&input, &mut mistakes);
    match mistakes.into_result() {
        Ok(()) => expansion,
        Err(error) => error.to_compile_error(),
    }
}

/// A struct, or a variant of an enum.
struct Shape<'a> {
    /// `Self` or `Self::Variant`.
    path: TokenStream,
    fields: Vec<(Member, &'a Field, Treatment)>,
}

fn expand(input: &DeriveInput, mistakes: &mut Mistakes) -> TokenStream {
    for attr in &input.attrs {
        if attr.path().is_ident("shadow") {
            mistakes.push(messages::shadow_on_item(attr));
        }
        if attr.path().is_ident("repr") && is_packed(attr) {
            mistakes.push(messages::shadow_of_packed(attr));
        }
    }
    let (flat, compare, zeros, data) = match &input.data {
        Data::Struct(data) => {
            let shape = Shape::of(quote!(Self), &data.fields, mistakes);
            let kept = data::of_struct(&shape, &input.generics);
            let (primal, shadow) = (shape.pattern("primal"), shape.pattern("shadow"));
            let compared = shape.compare();
            let compare = quote!(let (#primal, #shadow) = (self, shadow); #compared);
            let made = shape.zeros();
            (shape.flat(), compare, quote!(let #primal = self; #made), kept)
        }
        Data::Enum(data) => {
            let shapes: Vec<(Ident, Shape)> = data
                .variants
                .iter()
                .map(|variant| {
                    for attr in variant.attrs.iter().filter(|attr| attr.path().is_ident("shadow")) {
                        mistakes.push(messages::shadow_on_item(attr));
                    }
                    let name = &variant.ident;
                    (name.clone(), Shape::of(quote!(Self::#name), &variant.fields, mistakes))
                })
                .collect();
            let (flat, compare, zeros) = enumeration(&shapes);
            (flat, compare, zeros, data::of_enum(&shapes, &input.generics))
        }
        Data::Union(data) => {
            mistakes.push(messages::shadow_of_union(&data.union_token));
            return TokenStream::new();
        }
    };
    let mut generics = input.generics.clone();
    for param in generics.type_params_mut() {
        param.bounds.push(parse_quote!(::cotangent::Shadow));
    }
    let (params, arguments, bounds) = generics.split_for_impl();
    let name = &input.ident;
    quote! {
        #[automatically_derived]
        impl #params ::cotangent::Shadow for #name #arguments #bounds {
            const FLAT: bool = #flat;

            #[track_caller]
            #[allow(unused_variables, deprecated, clippy::all)]
            fn compare(&self, shadow: &Self, place: &::cotangent::shadow::Place<'_>) {
                #compare
            }

            #[allow(unused_variables, deprecated, clippy::all)]
            fn zeros(&self, zeros: &mut ::cotangent::shadow::Zeros) -> Self {
                #zeros
            }

            #data
        }
    }
}

/// `FLAT`, the comparison and the zeros of an enum.
fn enumeration(shapes: &[(Ident, Shape)]) -> (TokenStream, TokenStream, TokenStream) {
    // An enum without fields is no more than an integer.
    let has_fields = shapes.iter().any(|(_, shape)| !shape.fields.is_empty());
    let arms = shapes.iter().map(|(_, shape)| {
        let (primal, shadow, compare) = (shape.pattern("primal"), shape.pattern("shadow"), shape.compare());
        quote!((#primal, #shadow) => { #compare })
    });
    let name = |place: TokenStream| {
        let arms = shapes.iter().map(|(name, shape)| {
            let (path, name) = (&shape.path, name.unraw().to_string());
            quote!(#path { .. } => #name)
        });
        quote!(match #place { #(#arms,)* })
    };
    let compare = match (has_fields, shapes) {
        (false, _) => TokenStream::new(),
        (true, [_]) => quote!(match (self, shadow) { #(#arms)* }),
        (true, _) => {
            let (primal, shadow) = (name(quote!(self)), name(quote!(shadow)));
            quote! {
                match (self, shadow) {
                    #(#arms)*
                    _ => place.other_variant(#primal, #shadow),
                }
            }
        }
    };
    let made = shapes.iter().map(|(_, shape)| {
        let (primal, zeros) = (shape.pattern("primal"), shape.zeros());
        quote!(#primal => #zeros)
    });
    let zeros = if shapes.is_empty() { quote!(match *self {}) } else { quote!(match self { #(#made,)* }) };
    let flat = !has_fields;
    (quote!(#flat), compare, zeros)
}

impl<'a> Shape<'a> {
    fn of(path: TokenStream, fields: &'a Fields, mistakes: &mut Mistakes) -> Self {
        let fields = fields.members().zip(fields).map(|(member, field)| (member, field, treatment(field, mistakes)));
        Shape { path, fields: fields.collect() }
    }

    fn local(prefix: &str, member: &Member) -> Ident {
        match member {
            Member::Named(name) => format_ident!("{prefix}_{}", name.unraw()),
            Member::Unnamed(index) => format_ident!("{prefix}_{}", index.index),
        }
    }

    /// `Self::Variant { a: primal_a, .. }`.
    fn pattern(&self, prefix: &str) -> TokenStream {
        let path = &self.path;
        let fields = self.fields.iter().map(|(member, ..)| {
            let local = Shape::local(prefix, member);
            quote!(#member: #local)
        });
        quote!(#path { #(#fields),* })
    }

    /// Compares the fields of two patterns.
    fn compare(&self) -> TokenStream {
        let fields = self.fields.iter().map(|(member, field, treatment)| {
            let (primal, shadow) = (Shape::local("primal", member), Shape::local("shadow", member));
            let name = match member {
                Member::Named(name) => name.unraw().to_string(),
                Member::Unnamed(index) => index.index.to_string(),
            };
            match treatment {
                Treatment::Shadow | Treatment::Structure => {
                    let compare = path_of(&field.ty, "compare");
                    quote!(#compare(#primal, #shadow, &place.field(#name));)
                }
                Treatment::Clone => TokenStream::new(),
                Treatment::Zeroed(_) => quote!({
                    use ::cotangent::__private::{ShadowByBound as _, ShadowOfElements as _, ShadowOfVariant as _, ShadowUnknown as _};
                    (&&&&::cotangent::__private::ShadowProbe(#primal, #shadow)).check(&place.field(#name));
                }),
            }
        });
        quote!(#(#fields)*)
    }

    /// The value with zeros, from the fields of the primal's pattern.
    fn zeros(&self) -> TokenStream {
        let path = &self.path;
        let fields = self.fields.iter().map(|(member, field, treatment)| {
            let primal = Shape::local("primal", member);
            let value = match treatment {
                Treatment::Shadow | Treatment::Structure => {
                    let make = path_of(&field.ty, "zeros");
                    quote!(#make(#primal, zeros))
                }
                Treatment::Clone => quote_spanned!(field.ty.span()=> ::core::clone::Clone::clone(#primal)),
                Treatment::Zeroed(make) => {
                    let ty = &field.ty;
                    quote!({
                        // Gives a closure's parameter its type.
                        fn made<'a, T>(primal: &'a T, make: impl ::core::ops::FnOnce(&'a T) -> T) -> T {
                            make(primal)
                        }
                        made::<#ty>(#primal, #make)
                    })
                }
            };
            quote!(#member: #value)
        });
        quote!(#path { #(#fields),* })
    }

    /// Whether there is nothing to compare in the fields of a struct.
    fn flat(&self) -> TokenStream {
        let fields = self.fields.iter().map(|(_, field, treatment)| match treatment {
            Treatment::Shadow | Treatment::Structure => path_of(&field.ty, "FLAT"),
            Treatment::Clone => quote!(true),
            Treatment::Zeroed(_) => quote!(false),
        });
        quote!(true #(&& #fields)*)
    }
}

/// `<Type as Shadow>::name`, so that a type without the trait is blamed where it is written.
fn path_of(ty: &Type, name: &str) -> TokenStream {
    let name = Ident::new(name, ty.span());
    quote_spanned!(ty.span()=> <#ty as ::cotangent::Shadow>::#name)
}

fn treatment(field: &Field, mistakes: &mut Mistakes) -> Treatment {
    let mut found = None;
    for attr in field.attrs.iter().filter(|attr| attr.path().is_ident("shadow")) {
        let parsed = attr.parse_args_with(|input: syn::parse::ParseStream| {
            let word: Ident = input.parse()?;
            let treatment = if word == "clone" {
                Treatment::Clone
            } else if word == "structure" {
                Treatment::Structure
            } else if word == "zeroed" {
                input.parse::<Token![=]>()?;
                Treatment::Zeroed(Box::new(input.parse()?))
            } else {
                return Err(messages::unknown_shadow_argument(&word));
            };
            if !input.is_empty() {
                return Err(messages::one_shadow_argument(input.span()));
            }
            Ok(treatment)
        });
        match parsed {
            Ok(_) if found.is_some() => mistakes.push(messages::one_shadow_argument(attr.span())),
            Ok(treatment) => found = Some(treatment),
            Err(error) => {
                mistakes.push(error);
                found = Some(Treatment::Clone);
            }
        }
    }
    found.unwrap_or(Treatment::Shadow)
}

fn is_packed(repr: &Attribute) -> bool {
    let mut packed = false;
    // What is not understood is rustc's to report.
    let _ = repr.parse_nested_meta(|meta| {
        packed |= meta.path.is_ident("packed");
        if meta.input.peek(syn::token::Paren) {
            meta.input.parse::<proc_macro2::TokenTree>()?;
        }
        Ok(())
    });
    packed
}
