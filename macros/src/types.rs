//! What can be seen of a type without knowing more than its tokens.

use cotangent_contract::Kind;
use syn::visit::Visit;
use syn::{GenericParam, Generics, Type, TypeImplTrait, TypeParamBound, TypePath, WherePredicate};

use crate::item::node_mentions;

/// A type as thunk and marker see it.
pub struct Shape {
    /// How it travels.
    pub kind: Kind,
    /// The `T` of `&T` and `&[T]`, the type itself where it goes by value.
    pub inner: Type,
    /// A reference that is more than an address (`&str`, `&dyn Trait`): goes by value, and can only be constant.
    pub wide: bool,
}

/// Types behind references of std that are not `Sized`.
const UNSIZED: [&str; 5] = ["str", "Path", "OsStr", "CStr", "BStr"];

impl Shape {
    /// Classifies a parameter's type.
    pub fn of(ty: &Type, generics: &Generics) -> Shape {
        let ty = peel(ty);
        let by_value = |wide| Shape { kind: Kind::Value, inner: ty.clone(), wide };
        let Type::Reference(reference) = ty else { return by_value(false) };
        let mutable = reference.mutability.is_some();
        match peel(&reference.elem) {
            Type::Slice(slice) => Shape {
                kind: if mutable { Kind::MutSlice } else { Kind::Slice },
                inner: (*slice.elem).clone(),
                wide: false,
            },
            Type::TraitObject(_) | Type::ImplTrait(_) => by_value(true),
            Type::Path(path) if is_unsized(path, generics) => by_value(true),
            inner => Shape { kind: if mutable { Kind::Mut } else { Kind::Ref }, inner: inner.clone(), wide: false },
        }
    }
}

/// The type without parentheses and the invisible groups of macros.
pub fn peel(ty: &Type) -> &Type {
    match ty {
        Type::Paren(paren) => peel(&paren.elem),
        Type::Group(group) => peel(&group.elem),
        other => other,
    }
}

fn is_unsized(path: &TypePath, generics: &Generics) -> bool {
    let Some(name) = path.path.segments.last().map(|segment| &segment.ident) else { return false };
    if UNSIZED.iter().any(|known| name == known) {
        return true;
    }
    let relaxed = |bounds: &syn::punctuated::Punctuated<TypeParamBound, syn::Token![+]>| {
        bounds.iter().any(|bound| {
            matches!(bound, TypeParamBound::Trait(bound) if matches!(bound.modifier, syn::TraitBoundModifier::Maybe(_)))
        })
    };
    let Some(name) = path.path.get_ident() else { return false };
    let in_list = generics.type_params().any(|param| param.ident == *name && relaxed(&param.bounds));
    let in_where =
        generics.where_clause.iter().flat_map(|clause| &clause.predicates).any(|predicate| match predicate {
            WherePredicate::Type(predicate) => {
                matches!(peel(&predicate.bounded_ty), Type::Path(bounded) if bounded.path.is_ident(name))
                    && relaxed(&predicate.bounds)
            }
            _ => false,
        });
    in_list || in_where
}

/// Whether a value consists of floats alone.
pub enum Floats {
    /// It does.
    Yes,
    /// It does not; the part that is to blame.
    No(Box<Type>),
    /// A named type: the compiler must say.
    Named,
}

/// Names of common types that hold something else than floats, to say so in our words.
const NOT_FLOATS: [&str; 28] = [
    "bool",
    "char",
    "str",
    "u8",
    "u16",
    "u32",
    "u64",
    "u128",
    "usize",
    "i8",
    "i16",
    "i32",
    "i64",
    "i128",
    "isize",
    "String",
    "Vec",
    "VecDeque",
    "Box",
    "Rc",
    "Arc",
    "Option",
    "Result",
    "Cow",
    "HashMap",
    "BTreeMap",
    "RefCell",
    "PhantomData",
];

/// Looks for floats, and for anything else, in a type.
pub fn floats(ty: &Type) -> Floats {
    match peel(ty) {
        Type::Path(path) if float_size(path) != 0 => Floats::Yes,
        Type::Path(path) => {
            let name = path.path.segments.last().map(|segment| &segment.ident);
            match name {
                Some(name) if path.qself.is_none() && NOT_FLOATS.iter().any(|known| name == known) => {
                    Floats::No(Box::new(ty.clone()))
                }
                _ => Floats::Named,
            }
        }
        Type::Array(array) => floats(&array.elem),
        Type::Tuple(tuple) if !tuple.elems.is_empty() => {
            let mut all = Floats::Yes;
            for elem in &tuple.elems {
                match floats(elem) {
                    Floats::Yes => {}
                    Floats::Named => all = Floats::Named,
                    no => return no,
                }
            }
            all
        }
        Type::Macro(_) | Type::Verbatim(_) => Floats::Named,
        other => Floats::No(Box::new(other.clone())),
    }
}

/// Names of types without any float in them.
const PLAIN: std::ops::Range<usize> = 0..16;

/// Whether a type visibly has no float in it, however deep.
pub fn has_no_floats(ty: &Type) -> bool {
    match peel(ty) {
        Type::Path(path) => match (path.path.get_ident(), path.path.segments.last()) {
            (Some(name), _) => NOT_FLOATS[PLAIN].iter().any(|known| name == known),
            (None, Some(last)) if last.ident == "Cell" => {
                let inner = type_arguments(last);
                !inner.is_empty() && inner.into_iter().all(has_no_floats)
            }
            _ => false,
        },
        Type::Array(array) => has_no_floats(&array.elem),
        Type::Slice(slice) => has_no_floats(&slice.elem),
        Type::Tuple(tuple) => tuple.elems.iter().all(has_no_floats),
        _ => false,
    }
}

/// Types of std that own what they hold, and let nobody write it through a shared reference.
const OWNERS: [&str; 7] = ["Vec", "VecDeque", "Box", "Rc", "Arc", "Option", "Result"];

/// The first shared reference in a type behind which floats can be seen, but none of them in a cell.
pub fn find_shared_floats(ty: &Type) -> Option<Type> {
    match peel(ty) {
        Type::Reference(reference) if reference.mutability.is_none() && holds_floats(&reference.elem) => {
            Some(ty.clone())
        }
        Type::Reference(reference) => find_shared_floats(&reference.elem),
        other => parts(other).into_iter().find_map(find_shared_floats),
    }
}

/// Whether floats can be seen in a type, but for those in a cell.
pub fn holds_floats(ty: &Type) -> bool {
    match peel(ty) {
        Type::Path(path) if float_size(path) != 0 => true,
        Type::Reference(reference) => holds_floats(&reference.elem),
        other => parts(other).into_iter().any(holds_floats),
    }
}

/// The types that an aggregate or an owner of std is made of.
fn parts(ty: &Type) -> Vec<&Type> {
    match ty {
        Type::Array(array) => vec![&*array.elem],
        Type::Slice(slice) => vec![&*slice.elem],
        Type::Tuple(tuple) => tuple.elems.iter().collect(),
        Type::Path(path) => match path.path.segments.last() {
            Some(last) if OWNERS.iter().any(|known| last.ident == known) => type_arguments(last),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// The types between the angle brackets.
fn type_arguments(segment: &syn::PathSegment) -> Vec<&Type> {
    let syn::PathArguments::AngleBracketed(arguments) = &segment.arguments else { return Vec::new() };
    let types = arguments.args.iter().filter_map(|argument| match argument {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    types.collect()
}

/// Size in bytes of the one kind of float that a type is made of, 0 where it is not, or where that cannot be seen.
pub fn float_width(ty: &Type) -> u8 {
    match peel(ty) {
        Type::Path(path) => float_size(path),
        Type::Array(array) => float_width(&array.elem),
        Type::Slice(slice) => float_width(&slice.elem),
        Type::Tuple(tuple) => {
            let mut widths = tuple.elems.iter().map(float_width);
            let first = widths.next().unwrap_or(0);
            if widths.all(|width| width == first) { first } else { 0 }
        }
        _ => 0,
    }
}

/// 4 for `f32`, 8 for `f64`, also by their paths in std.
fn float_size(path: &TypePath) -> u8 {
    let names: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let name = match names.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [name] => name,
        ["core" | "std", "primitive", name] => name,
        _ => return 0,
    };
    match name {
        "f32" => 4,
        "f64" => 8,
        _ => 0,
    }
}

/// The first `impl Trait` inside a type.
pub fn find_impl_trait(ty: &Type) -> Option<TypeImplTrait> {
    struct Finder(Option<TypeImplTrait>);
    impl<'a> Visit<'a> for Finder {
        fn visit_type_impl_trait(&mut self, node: &'a TypeImplTrait) {
            self.0.get_or_insert_with(|| node.clone());
        }
    }
    let mut finder = Finder(None);
    finder.visit_type(ty);
    finder.0
}

/// True where a type says `Self` anywhere.
pub fn has_self_type(ty: &Type) -> bool {
    node_mentions(ty, "Self")
}

/// True where a type depends on the type and constant parameters of a free function.
pub fn is_generic(ty: &Type, generics: &Generics) -> bool {
    let mut names = generics.params.iter().filter_map(|param| match param {
        GenericParam::Type(param) => Some(&param.ident),
        GenericParam::Const(param) => Some(&param.ident),
        GenericParam::Lifetime(_) => None,
    });
    names.any(|name| node_mentions(ty, &name.to_string()))
}

/// True for the type `()`.
pub fn is_unit(ty: &Type) -> bool {
    matches!(peel(ty), Type::Tuple(tuple) if tuple.elems.is_empty())
}

/// True for the type `Self`, by itself.
pub fn is_self_type(ty: &Type) -> bool {
    matches!(peel(ty), Type::Path(path) if path.qself.is_none() && path.path.is_ident("Self"))
}

/// A type as a user would write it.
pub fn display(ty: &impl quote::ToTokens) -> String {
    let text = ty.to_token_stream().to_string();
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        // Token streams print with spaces; a type only has them after `,`, `;`, `mut`, `dyn`, lifetimes and around `+`.
        let tight_before = |c: char| matches!(c, '<' | '>' | ',' | ';' | ')' | ']' | ':');
        let tight_after = |c: char| matches!(c, '<' | '&' | '*' | '(' | '[' | ':');
        let next = chars.peek().copied().unwrap_or(' ');
        if c == ' ' && (tight_before(next) || out.chars().last().is_none_or(tight_after)) {
            continue;
        }
        out.push(c);
    }
    out
}
