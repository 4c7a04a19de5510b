//! Reads the arguments of `#[custom_derivative]` and of `derivative_rule!`, without looking at the function.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Expr, ExprPath, ExprTuple, Token, TypeBareFn};

use crate::messages::{self, Mistakes};
use crate::request::{Activity, Given};

/// A rule as it was written.
#[derive(Default)]
pub struct Rule {
    /// Activities given in front; empty where they are left to the types.
    pub activities: Vec<Given>,
    /// The forward rule.
    pub forward: Option<Expr>,
    /// The reverse rule, or the pullback.
    pub reverse: Option<Expr>,
    /// The augmented function, where the reverse rule is a pair.
    pub augmented: Option<Expr>,
    /// The function has a zero derivative.
    pub inactive: Option<Ident>,
}

/// The arguments of `derivative_rule!`: a function, its type, a rule.
pub struct ForeignRule {
    /// The function's path.
    pub path: ExprPath,
    /// Its type.
    pub ty: TypeBareFn,
    /// The rule's tokens.
    pub rule: TokenStream,
}

impl Parse for ForeignRule {
    fn parse(input: ParseStream) -> syn::Result<ForeignRule> {
        let path = input.parse()?;
        input.parse::<Token![:]>()?;
        let ty = input.parse()?;
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
        Ok(ForeignRule { path, ty, rule: input.parse()? })
    }
}

/// Reads a rule, and reports what is wrong with it by itself.
pub fn parse(tokens: TokenStream, mistakes: &mut Mistakes) -> Rule {
    let mut rule = Rule::default();
    if let Err(error) = (|input: ParseStream| arguments(input, &mut rule, mistakes)).parse2(tokens) {
        mistakes.push(error);
        return rule;
    }
    if let Some(word) = &rule.inactive
        && (rule.forward.is_some() || rule.reverse.is_some())
    {
        mistakes.push(messages::inactive_with_rule(word));
    }
    if rule.inactive.is_none() && rule.forward.is_none() && rule.reverse.is_none() && mistakes.is_empty() {
        mistakes.push(messages::no_rule());
    }
    rule
}

fn arguments(input: ParseStream, rule: &mut Rule, mistakes: &mut Mistakes) -> syn::Result<()> {
    while !input.is_empty() {
        let word = input.call(Ident::parse_any)?;
        if input.parse::<Option<Token![=]>>()?.is_some() {
            function(&word, input.parse()?, rule, mistakes);
        } else if word == "inactive" {
            if rule.inactive.replace(word.clone()).is_some() {
                mistakes.push(messages::rule_given_twice(&word));
            }
        } else {
            let activity = Activity::named(&word);
            if activity.is_none() {
                mistakes.push(messages::unknown_part(&word));
            } else if rule.forward.is_some() || rule.reverse.is_some() || rule.inactive.is_some() {
                mistakes.push(messages::activity_behind_rule(&word));
            }
            rule.activities.push(Given { activity, span: word.span() });
        }
        // A semicolon may set the activities apart.
        if !input.is_empty() && input.parse::<Option<Token![;]>>()?.is_none() {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(())
}

/// `forward = value` or `reverse = value`.
fn function(word: &Ident, value: Expr, rule: &mut Rule, mistakes: &mut Mistakes) {
    if word == "forward" {
        if let Expr::Tuple(pair) = &value {
            mistakes.push(messages::tape_in_forward(pair));
        } else if !matches!(value, Expr::Path(_)) {
            mistakes.push(messages::rule_is_no_path(&value));
        } else if rule.forward.replace(value).is_some() {
            mistakes.push(messages::rule_given_twice(word));
        }
    } else if word == "reverse" {
        let (augmented, reverse) = match value {
            Expr::Tuple(ExprTuple { elems, .. }) if elems.len() == 2 && elems.iter().all(is_path) => {
                let mut elems = elems.into_iter();
                (elems.next(), elems.next())
            }
            value if is_path(&value) => (None, Some(value)),
            value => {
                mistakes.push(messages::rule_is_no_path(&value));
                return;
            }
        };
        rule.augmented = augmented;
        if std::mem::replace(&mut rule.reverse, reverse).is_some() {
            mistakes.push(messages::rule_given_twice(word));
        }
    } else {
        mistakes.push(messages::unknown_part(word));
    }
}

fn is_path(value: &Expr) -> bool {
    matches!(value, Expr::Path(_))
}

/// The place of a path, for messages about the function that it names.
pub fn span_of(path: &Expr) -> proc_macro2::Span {
    path.to_token_stream().span()
}
