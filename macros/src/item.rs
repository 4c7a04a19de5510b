//! Reads the function that an attribute stands on; its body is kept as tokens and never looked into.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Signature, Token, Visibility};

use crate::{messages, surroundings};

/// A free function, or a method of an `impl` or a trait.
pub struct Function {
    /// Attributes that are still on it, this one excluded.
    pub attrs: Vec<Attribute>,
    /// Visibility; inherited for trait methods.
    pub vis: Visibility,
    /// Everything from `fn` (or `unsafe`, `const` ..) to the where clause.
    pub sig: Signature,
    /// The body in braces; a trait may declare a method without one.
    pub body: Option<Group>,
}

impl Parse for Function {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let start = input.fork();
        let vis: Visibility = input.parse()?;
        let Ok(sig) = input.fork().parse::<Signature>() else {
            // A signature that is cut short deserves the parser's own words, anything else ours.
            return Err(match looks_like_function(&input.fork()) {
                true => input.parse::<Signature>().err().unwrap_or_else(|| input.error("not a function")),
                false => messages::not_a_function(&start),
            });
        };
        input.parse::<Signature>()?;
        let body = match input.parse::<Option<Token![;]>>()? {
            Some(_) => None,
            None => Some(braces(input.parse()?).ok_or_else(|| input.error("expected the function's body"))?),
        };
        Ok(Function { attrs, vis, sig, body })
    }
}

/// A body in braces; a macro's `$body:block` has an invisible group around it.
fn braces(tree: TokenTree) -> Option<Group> {
    match tree {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group),
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => braces(group.stream().into_iter().next()?),
        _ => None,
    }
}

/// True where `fn` occurs before any group.
fn looks_like_function(input: ParseStream) -> bool {
    while let Ok(tree) = input.parse::<TokenTree>() {
        match tree {
            TokenTree::Ident(word) if word == "fn" => return true,
            TokenTree::Group(_) => return false,
            _ => {}
        }
    }
    false
}

impl Function {
    /// True for functions of an `impl` or a trait, which are called `Self::f`.
    pub fn is_method(&self) -> bool {
        self.sig.receiver().is_some() || self.mentions_self_type() || surroundings::is_associated(&self.sig.ident)
    }

    /// True where signature or body say `Self`, which only methods can.
    fn mentions_self_type(&self) -> bool {
        let sig = &self.sig;
        let body = self.body.iter().any(|body| says_self(body.stream()));
        body || mentions(quote::quote!(#sig), "Self")
    }
}

/// True where `Self` occurs in statements; in types, traits and `impl`s among them it is another's.
fn says_self(statements: TokenStream) -> bool {
    let mut last = None;
    let mut in_item = false;
    for tree in statements {
        match &tree {
            TokenTree::Ident(word) if ["impl", "trait", "struct", "enum"].iter().any(|head| word == head) => {
                in_item = true
            }
            TokenTree::Ident(word) if word == "Self" && !in_item => return true,
            TokenTree::Punct(end) if end.as_char() == ';' => in_item = false,
            // Braces end an item, but for those of a constant among generic arguments: `impl F<{ N }> for G`.
            TokenTree::Group(group) if in_item && group.delimiter() == Delimiter::Brace => {
                in_item = matches!(last, Some('<' | ',' | '='));
            }
            TokenTree::Group(group) if !in_item && says_self(group.stream()) => return true,
            _ => {}
        }
        last = if let TokenTree::Punct(mark) = tree { Some(mark.as_char()) } else { None };
    }
    false
}

/// True where `word` occurs anywhere in `tokens`.
pub fn mentions(tokens: impl IntoIterator<Item = TokenTree>, word: &str) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Ident(ident) => ident == word,
        TokenTree::Group(group) => mentions(group.stream(), word),
        _ => false,
    })
}

/// True where `word` occurs anywhere in the tokens of `node`.
pub fn node_mentions(node: &impl quote::ToTokens, word: &str) -> bool {
    let tokens: TokenStream = node.to_token_stream();
    mentions(tokens, word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_that_says_self_is_a_method() {
        for body in [
            "Self::f(x)",
            "{ let y: Option<Self> = None; }",
            "fn g(f: impl Fn()) {} struct A; [Self::B]",
            "g(|x| Self(x))",
        ] {
            assert!(says_self(body.parse().unwrap()), "{body}");
        }
    }

    #[test]
    fn what_items_in_a_function_say_of_themselves_makes_it_no_method() {
        let items = [
            "impl A { fn new() -> Self { Self { x: 1.0 } } }",
            "{ impl Add for A { type Output = Self; } } trait T: Sized { fn t(self) -> Self; }",
            "impl F<{ N }> for G { fn f() -> Self { Self } }",
            "struct A(Option<Box<Self>>); enum B { C(Box<Self>) } fn f(a: impl Fn()) -> impl Fn() { a }",
        ];
        for item in items {
            assert!(!says_self(item.parse().unwrap()), "{item}");
        }
    }
}
