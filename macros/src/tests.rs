//! Golden tests of expansions, in process: each `cases/*.rs` is expanded, printed and held against `*.expanded.rs`.
//! `COTANGENT_BLESS=1` rewrites what differs.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Attribute, File, ImplItem, Item, Meta, TraitItem};

use crate::expand;
use crate::location::Location;

/// The place that every attribute of a case claims to stand at.
fn location() -> Location {
    Location { file: "case.rs".to_owned(), line: 1, column: 1 }
}

/// Takes the first of our attributes away, as the compiler does before it calls the macro.
fn take_attribute(attrs: &mut Vec<Attribute>) -> Option<TokenStream> {
    let index = attrs.iter().position(|attr| attr.path().is_ident("autodiff"))?;
    match attrs.remove(index).meta {
        Meta::List(list) => Some(list.tokens),
        _ => Some(TokenStream::new()),
    }
}

fn expand_tokens(arguments: TokenStream, item: &impl ToTokens) -> TokenStream {
    expand::autodiff(arguments, item.to_token_stream(), &location())
}

/// Expands until no attribute is left.
fn expand_file(file: File) -> File {
    let mut done = Vec::new();
    let mut waiting: Vec<Item> = file.items.into_iter().rev().collect();
    while let Some(mut item) = waiting.pop() {
        let attribute = match &mut item {
            Item::Fn(function) => take_attribute(&mut function.attrs),
            Item::Impl(block) => {
                block.items = expand_items(std::mem::take(&mut block.items), |item: &mut ImplItem| match item {
                    ImplItem::Fn(function) => take_attribute(&mut function.attrs),
                    _ => None,
                });
                None
            }
            Item::Trait(block) => {
                block.items = expand_items(std::mem::take(&mut block.items), |item: &mut TraitItem| match item {
                    TraitItem::Fn(function) => take_attribute(&mut function.attrs),
                    _ => None,
                });
                None
            }
            _ => None,
        };
        match attribute {
            None => done.push(item),
            Some(arguments) => {
                let expanded = expand_tokens(arguments, &item);
                let file: File = syn::parse2(expanded).expect("an expansion is items");
                waiting.extend(file.items.into_iter().rev());
            }
        }
    }
    File { items: done, ..file }
}

/// The same for the items of an `impl` or a trait.
fn expand_items<T: ToTokens + ParseMany>(items: Vec<T>, take: impl Fn(&mut T) -> Option<TokenStream>) -> Vec<T> {
    let mut done = Vec::new();
    let mut waiting: Vec<T> = items.into_iter().rev().collect();
    while let Some(mut item) = waiting.pop() {
        match take(&mut item) {
            None => done.push(item),
            Some(arguments) => waiting.extend(T::parse_many(expand_tokens(arguments, &item)).into_iter().rev()),
        }
    }
    done
}

/// Items of a block out of the tokens inside it.
trait ParseMany: Sized {
    fn parse_many(tokens: TokenStream) -> Vec<Self>;
}

impl ParseMany for ImplItem {
    fn parse_many(tokens: TokenStream) -> Vec<Self> {
        let block: syn::ItemImpl = syn::parse_quote!(impl Block { #tokens });
        block.items
    }
}

impl ParseMany for TraitItem {
    fn parse_many(tokens: TokenStream) -> Vec<Self> {
        let block: syn::ItemTrait = syn::parse_quote!(trait Block { #tokens });
        block.items
    }
}

#[test]
fn expansions_are_as_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let bless = std::env::var_os("COTANGENT_BLESS").is_some();
    let mut cases: Vec<PathBuf> = fs::read_dir(&folder)
        .expect("the folder of cases")
        .map(|entry| entry.expect("an entry of the folder").path())
        .filter(|path| path.to_string_lossy().ends_with(".rs") && !path.to_string_lossy().ends_with(".expanded.rs"))
        .collect();
    cases.sort();
    assert!(!cases.is_empty(), "no cases in {}", folder.display());
    let mut different = Vec::new();
    for case in cases {
        let input = fs::read_to_string(&case).expect("a readable case");
        let parsed = syn::parse_file(&input).unwrap_or_else(|error| panic!("{}: {error}", case.display()));
        let output = prettyplease::unparse(&expand_file(parsed));
        let recorded = case.with_extension("expanded.rs");
        if fs::read_to_string(&recorded).is_ok_and(|text| text == output) {
            continue;
        }
        match bless {
            true => fs::write(&recorded, output).expect("a writable folder"),
            false => different.push(format!("{}:\n{output}", recorded.display())),
        }
    }
    assert!(different.is_empty(), "expansions differ (COTANGENT_BLESS=1 records them):\n{}", different.join("\n"));
}
