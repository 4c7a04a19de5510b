//! Reads the arguments of `#[autodiff]`, without looking at the function.

use cotangent_contract::Mode;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{LitInt, Token};

use crate::messages::{self, Mistakes};

/// An activity as the user writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    Const,
    Active,
    ActiveOnly,
    Duplicated,
    DuplicatedOnly,
    Dual,
    DualOnly,
    Dualv,
    DualvOnly,
}

impl Activity {
    /// Every activity with its name.
    pub const ALL: [(&'static str, Activity); 9] = [
        ("Const", Activity::Const),
        ("Active", Activity::Active),
        ("ActiveOnly", Activity::ActiveOnly),
        ("Duplicated", Activity::Duplicated),
        ("DuplicatedOnly", Activity::DuplicatedOnly),
        ("Dual", Activity::Dual),
        ("DualOnly", Activity::DualOnly),
        ("Dualv", Activity::Dualv),
        ("DualvOnly", Activity::DualvOnly),
    ];

    pub fn named(name: &Ident) -> Option<Activity> {
        Activity::ALL.iter().find(|(known, _)| name == known).map(|(_, activity)| *activity)
    }
}

/// One activity of the list. `activity` is `None` where it was not understood, which has been reported already.
pub struct Given {
    pub activity: Option<Activity>,
    pub span: Span,
}

/// The arguments of one attribute. Parts that are missing or wrong are `None`, and have been reported.
pub struct Arguments {
    pub name: Option<Ident>,
    pub mode: Option<Mode>,
    pub width: Option<(u32, Span)>,
    pub activities: Vec<Given>,
}

/// Tangents in one sweep beyond this are a mistake rather than a wish.
const MAX_WIDTH: u32 = 1024;

/// One argument between commas.
enum Argument {
    Word(Ident),
    Number(LitInt),
    Other(TokenStream),
}

/// Reads the arguments, and reports what is wrong with them by themselves.
pub fn parse(tokens: TokenStream, mistakes: &mut Mistakes) -> Arguments {
    let mut list = match arguments.parse2(tokens) {
        Ok(list) => list.into_iter().peekable(),
        Err(error) => {
            mistakes.push(error);
            return Arguments { name: None, mode: None, width: None, activities: Vec::new() };
        }
    };
    let mut name = None;
    if let Some(Argument::Word(word)) = list.peek()
        && mode_named(word).is_none()
    {
        // `Revers, Active` is a misspelt mode, `gradient, Reverse` a name: only a name is followed by a mode.
        name = Some(word.clone());
        list.next();
    }
    let mut mode = None;
    match list.peek() {
        Some(Argument::Word(word)) if mode_named(word).is_some() => {
            mode = mode_named(word);
            list.next();
        }
        Some(Argument::Word(word)) if Activity::named(word).is_none() => {
            mistakes.push(messages::unknown_mode(word));
            list.next();
        }
        _ => {
            mistakes.push(match name.take() {
                Some(word) => messages::unknown_mode(&word),
                None => messages::no_mode(),
            });
        }
    }
    let mut width = None;
    if let Some(Argument::Number(number)) = list.peek() {
        match number.base10_parse::<u32>() {
            Ok(0) => mistakes.push(messages::width_zero(number)),
            Ok(n) if n <= MAX_WIDTH => {
                width = Some((n, number.span()));
                if mode == Some(Mode::Reverse) {
                    mistakes.push(messages::width_in_reverse(number));
                }
            }
            _ => mistakes.push(messages::width_too_large(number, MAX_WIDTH)),
        }
        list.next();
    }
    let activities = list
        .map(|argument| match argument {
            Argument::Word(word) => {
                let activity = Activity::named(&word);
                if activity.is_none() {
                    mistakes.push(messages::unknown_activity(&word));
                }
                Given { activity, span: word.span() }
            }
            Argument::Number(number) => {
                mistakes.push(messages::misplaced_number(&number));
                Given { activity: None, span: number.span() }
            }
            Argument::Other(tokens) => {
                mistakes.push(messages::not_an_activity(&tokens));
                Given { activity: None, span: tokens.span() }
            }
        })
        .collect();
    Arguments { name, mode, width, activities }
}

/// The name that an attribute gives to its function, and nothing else about it.
pub fn name_only(tokens: TokenStream) -> Option<Ident> {
    match arguments.parse2(tokens).ok()?.into_iter().next()? {
        Argument::Word(word) if mode_named(&word).is_none() => Some(word),
        _ => None,
    }
}

fn mode_named(word: &Ident) -> Option<Mode> {
    match word.to_string().as_str() {
        "Forward" => Some(Mode::Forward),
        "Reverse" => Some(Mode::Reverse),
        _ => None,
    }
}

/// Splits at commas; a comma may follow the last argument.
fn arguments(input: ParseStream) -> syn::Result<Vec<Argument>> {
    let mut list = Vec::new();
    while !input.is_empty() {
        if input.peek(Token![,]) {
            return Err(messages::empty_argument(input.span()));
        }
        let mut tokens = Vec::new();
        let fork = input.fork();
        while !input.is_empty() && !input.peek(Token![,]) {
            tokens.push(input.parse::<TokenTree>()?);
        }
        list.push(match tokens.len() {
            1 if fork.peek(Ident::peek_any) => Argument::Word(Ident::parse_any(&fork)?),
            1 if fork.peek(LitInt) => Argument::Number(fork.parse()?),
            _ => Argument::Other(tokens.into_iter().collect()),
        });
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(list)
}
