//! The data of a type: what is noted of a shadow before a derivative runs, and put back after it; and, of enums, what makes them another variant and back.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use syn::visit::Visit;
use syn::{GenericArgument, Generics, Lifetime, PathArguments, PathSegment, Type};

use super::{Shape, Treatment, path_of};
use crate::types::peel;

/// The methods that go through the fields.
const METHODS: [&str; 3] = ["keep", "put_back", "put_back_cells"];

/// The constants and methods of a struct.
pub fn of_struct(shape: &Shape, generics: &Generics) -> TokenStream {
    let value = shape.pattern("kept");
    let methods = item(&[shape], generics, &TokenStream::new(), |method| {
        let fields = kept(shape, method, generics);
        quote!(let #value = self; #fields)
    });
    let (blanks, carries) = (parts(shape, "blank"), parts(shape, "carry"));
    variants(&quote!(let #value = unsafe { &mut *place }; #blanks), &quote!(let #value = self; #carries), methods)
}

/// The same of an enum. One without fields is data itself, otherwise its variant is structure.
pub fn of_enum(shapes: &[(Ident, Shape)], generics: &Generics) -> TokenStream {
    let shapes: Vec<&Shape> = shapes.iter().map(|(_, shape)| shape).collect();
    let numbered = || (0..).map(Literal::u64_unsuffixed).zip(&shapes);
    if shapes.iter().all(|shape| shape.fields.is_empty()) {
        if shapes.len() < 2 {
            return TokenStream::new();
        }
        let owned = quote!(::cotangent::shadow::Data::OWNED);
        return of_data(&owned, &owned, |method| {
            let arms = numbered().map(|(number, Shape { path, .. })| match method {
                "keep" => quote!(#path {} => #number),
                _ => quote!(::core::option::Option::Some(#number) => *self = #path {}),
            });
            match method {
                "keep" => quote!(kept.number(match self { #(#arms,)* });),
                "put_back" => quote!(match kept.next_number() { #(#arms,)* _ => {} }),
                _ => TokenStream::new(),
            }
        });
    }
    let any_floats = has_floats(&shapes, generics);
    let own = quote!(.and(::cotangent::shadow::Data::of_enum(#any_floats)));
    let methods = item(&shapes, generics, &own, |method| {
        let passage = if method == "keep" { quote!(passage) } else { quote!(next_passage) };
        let variant = match method {
            "keep" => {
                let arms = shapes.iter().map(|shape| {
                    let (path, floats) = (&shape.path, has_floats(&[shape], generics));
                    // Of a field whose type has no `Shadow` nobody knows where its floats are.
                    let owns = shape.fields.iter().map(|(_, field, treatment)| match treatment {
                        Treatment::Zeroed(_) => quote!(true),
                        _ => {
                            let ty = &field.ty;
                            quote!(::core::mem::needs_drop::<#ty>())
                        }
                    });
                    quote!(#path { .. } => (#floats, false #(|| #owns)*))
                });
                quote!(let (floats, owns) = match self { #(#arms,)* }; kept.variant(self, floats, owns);)
            }
            "put_back" => quote!(kept.next_variant(self);),
            _ => TokenStream::new(),
        };
        let arms = numbered().map(|(number, shape)| {
            let (value, fields) = (shape.pattern("kept"), kept(shape, method, generics));
            quote!(#value => kept.#passage(#number, |kept| { #fields }))
        });
        quote!(#variant match self { #(#arms,)* })
    });
    let all = |method| {
        let arms = shapes.iter().map(|shape| {
            let (value, parts) = (shape.pattern("kept"), parts(shape, method));
            quote!(#value => { #parts })
        });
        quote!(#(#arms,)*)
    };
    let (blanks, carries) = (all("blank"), all("carry"));
    let blank = quote! {
        if #any_floats {
            unsafe { blanked.absent(place) };
        }
        match unsafe { &mut *place } { #blanks }
    };
    variants(&blank, &quote!(match self { #carries }), methods)
}

/// Whether an enum may have floats. Types that could hold this one may.
fn has_floats(shapes: &[&Shape], generics: &Generics) -> TokenStream {
    let fields = shapes.iter().flat_map(|shape| &shape.fields).filter_map(|(_, field, treatment)| match treatment {
        Treatment::Shadow if is_closed(&field.ty, generics) => Some(path_of(&field.ty, "FLOATS")),
        Treatment::Shadow | Treatment::Zeroed(_) => Some(quote!(true)),
        _ => None,
    });
    quote!((false #(|| #fields)*))
}

/// The methods that make variants others, with the other methods.
fn variants(blank: &TokenStream, carry: &TokenStream, methods: TokenStream) -> TokenStream {
    let unused = quote!(#[allow(unused_variables, deprecated, clippy::all)]);
    quote! {
        #methods

        #unused
        unsafe fn blank(place: *mut Self, blanked: &mut ::cotangent::shadow::Blanked) {
            #blank
        }

        #unused
        fn carry(&mut self, now: &::cotangent::shadow::Elsewhere) {
            #carry
        }
    }
}

/// Calls one of these for each field that has a shadow.
fn parts(shape: &Shape, method: &str) -> TokenStream {
    let calls = shape.fields.iter().map(|(member, field, treatment)| {
        let (place, call) = (Shape::local("kept", member), path_of(&field.ty, method));
        match (treatment, method) {
            (Treatment::Shadow, "blank") => quote!(unsafe { #call(&raw mut *#place, blanked) };),
            (Treatment::Shadow, _) => quote!(#call(#place, now);),
            (Treatment::Zeroed(_), "blank") => quote!(unsafe { blanked.untold(&raw mut *#place) };),
            _ => TokenStream::new(),
        }
    });
    quote!(#(#calls)*)
}

/// Calls a method for each field, in the order of the fields.
fn kept(shape: &Shape, method: &str, generics: &Generics) -> TokenStream {
    let calls = shape.fields.iter().map(|(member, field, treatment)| {
        let place = Shape::local("kept", member);
        match treatment {
            Treatment::Shadow => {
                let call = path_of(&field.ty, method);
                quote!(#call(#place, kept);)
            }
            Treatment::Zeroed(_) => match method {
                "keep" => quote!(kept.untold(#place);),
                "put_back" => quote!(unsafe { kept.next_untold(&raw mut *#place) };),
                _ => quote!(unsafe { kept.next_untold((&raw const *#place).cast_mut()) };),
            },
            // What can be copied has no cells.
            Treatment::Clone if method != "put_back_cells" && is_whole(&field.ty, generics) => {
                let (whole, method) = (whole(&field.ty), Ident::new(method, proc_macro2::Span::call_site()));
                quote!(#whole::#method(#place, kept);)
            }
            _ => TokenStream::new(),
        }
    });
    quote!(#(#calls)*)
}

/// What a type with fields has in the implementation, if any field may hold data; `own` is what the type has itself, and `of` writes a method's body.
fn item(shapes: &[&Shape], generics: &Generics, own: &TokenStream, of: impl Fn(&str) -> TokenStream) -> TokenStream {
    let fields = || shapes.iter().flat_map(|shape| &shape.fields);
    let sum = |name| {
        let parts = fields().filter_map(|(_, field, treatment)| match treatment {
            Treatment::Shadow => Some(path_of(&field.ty, name)),
            Treatment::Clone if is_whole(&field.ty, generics) => {
                let whole = whole(&field.ty);
                Some(quote!(#whole::DATA))
            }
            Treatment::Zeroed(_) => Some(quote!(::cotangent::shadow::Data::UNTOLD)),
            _ => None,
        });
        let parts: Vec<TokenStream> = parts.collect();
        (!parts.is_empty()).then(|| quote!(::cotangent::shadow::Data::NONE #(.and(#parts))* #own))
    };
    let Some(data) = sum("DATA") else { return TokenStream::new() };
    // Only what is known to lead to no type that could hold this one is asked.
    let known = |(_, field, treatment): &(_, &syn::Field, Treatment)| match treatment {
        Treatment::Shadow => is_closed(&field.ty, generics),
        _ => true,
    };
    let behind = match fields().all(known) {
        true => sum("DATA_BEHIND").unwrap_or_default(),
        false => quote!(::cotangent::shadow::Data::IN_CELLS),
    };
    of_data(&data, &behind, of)
}

fn of_data(data: &TokenStream, behind: &TokenStream, of: impl Fn(&str) -> TokenStream) -> TokenStream {
    let [keep, put_back, put_back_cells] = METHODS.map(of);
    let uses = quote!(
        #[allow(unused_imports)]
        use ::cotangent::__private::WholeUnknown as _;
    );
    let unused = quote!(#[allow(unused_variables, deprecated, clippy::all)]);
    quote! {
        const DATA: ::cotangent::shadow::Data = { #uses #data };
        const DATA_BEHIND: ::cotangent::shadow::Data = { #uses #behind };

        #unused
        fn keep(&self, kept: &mut ::cotangent::shadow::Kept) {
            #uses
            #keep
        }

        #unused
        fn put_back(&mut self, kept: &mut ::cotangent::shadow::Kept) {
            #uses
            #put_back
        }

        #unused
        fn put_back_cells(&self, kept: &mut ::cotangent::shadow::Kept) {
            #put_back_cells
        }
    }
}

fn whole(ty: &Type) -> TokenStream {
    quote!(<::cotangent::__private::Whole<#ty>>)
}

/// Whether a field with `#[shadow(clone)]` can be noted as a whole: its type is known here, and holds no reference that ends.
fn is_whole(ty: &Type, generics: &Generics) -> bool {
    struct Names<'a>(&'a Generics, bool);
    impl Visit<'_> for Names<'_> {
        fn visit_lifetime(&mut self, lifetime: &Lifetime) {
            self.1 |= lifetime.ident != "static";
        }

        fn visit_path_segment(&mut self, segment: &PathSegment) {
            let is_param = |param: &Ident| *param == segment.ident;
            self.1 |= segment.ident == "Self"
                || self.0.type_params().any(|param| is_param(&param.ident))
                || self.0.const_params().any(|param| is_param(&param.ident));
            syn::visit::visit_path_segment(self, segment);
        }

        fn visit_macro(&mut self, _: &syn::Macro) {
            self.1 = true;
        }
    }
    let mut names = Names(generics, false);
    names.visit_type(ty);
    !names.1
}

/// Whether a type consists of known types and type parameters, so that it cannot hold the type that is derived for.
fn is_closed(ty: &Type, generics: &Generics) -> bool {
    const KNOWN: [&str; 17] = [
        "f32", "f64", "bool", "char", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
        "isize", "String",
    ];
    match peel(ty) {
        Type::Array(array) => is_closed(&array.elem, generics),
        Type::Tuple(tuple) => tuple.elems.iter().all(|element| is_closed(element, generics)),
        // There are no floats, and no data that could be changed, behind a shared one.
        Type::Reference(_) => true,
        Type::Path(path) => match path.path.segments.last() {
            Some(PathSegment { ident, arguments: PathArguments::None }) => {
                KNOWN.iter().any(|known| ident == known) || generics.type_params().any(|param| param.ident == *ident)
            }
            Some(PathSegment { ident, arguments: PathArguments::AngleBracketed(of) }) => {
                let is_known = |argument: &_| matches!(argument, GenericArgument::Type(ty) if is_closed(ty, generics));
                ["Vec", "Box", "Option"].iter().any(|known| ident == known) && of.args.iter().all(is_known)
            }
            _ => false,
        },
        _ => false,
    }
}
