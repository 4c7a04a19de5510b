//! What the partials of one operation have in common.
use super::expr::{BinaryOp, Expr, Node};
use super::scalar::Partial;

/// Partials of an operation by its arguments: a factor that all of them have, if there is one, and what is left of each.
///
/// Those of `x / y` are `1 / y` and `-(x / y) * (1 / y)`. With `1 / y` taken out, one multiplication less is needed, and nothing is infinite where `1 / y`
/// is finite and its square is not.
pub fn factored<'a>(partials: impl Iterator<Item = (usize, &'a Partial)>) -> (Option<Expr>, Vec<(usize, Partial)>) {
    let all: Vec<(usize, &Expr)> = partials
        .filter_map(|(index, partial)| match partial {
            Partial::Of(expr) => Some((index, expr)),
            Partial::Inactive => None,
        })
        .collect();
    if let [(_, first), _, ..] = all[..]
        && first.as_num().is_none()
    {
        let rest = all.iter().map(|(index, expr)| Some((*index, Partial::Of(without(expr, first)?))));
        if let Some(rest) = rest.collect() {
            return (Some(first.clone()), rest);
        }
    }
    (None, all.into_iter().map(|(index, expr)| (index, Partial::Of(expr.clone()))).collect())
}

/// What an expression has beside a factor.
fn without(expr: &Expr, factor: &Expr) -> Option<Expr> {
    if expr.id() == factor.id() {
        return Some(1.0.into());
    }
    match expr.node() {
        Node::Neg(inner) => Some(-without(inner, factor)?),
        Node::Binary(BinaryOp::Mul, a, b) => match without(a, factor) {
            Some(a) => Some(a * b),
            None => Some(a * without(b, factor)?),
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::Rule;

    fn left(rule: &Rule) -> (Option<String>, Vec<String>) {
        let (common, rest) = factored(rule.partials.iter().enumerate());
        let text = |partial: &Partial| match partial {
            Partial::Of(expr) => expr.to_string(),
            Partial::Inactive => String::new(),
        };
        (common.map(|c| c.to_string()), rest.iter().map(|(_, p)| text(p)).collect())
    }

    #[test]
    fn the_reciprocal_is_taken_out_of_a_quotient() {
        let quotient = Rule::new("x / y", |[_, y], r| {
            let reciprocal = &(1.0 / y);
            [reciprocal.into(), -(r * reciprocal)]
        });
        assert_eq!(left(&quotient), (Some("1 / y".to_string()), vec!["1".to_string(), "-r".to_string()]));
    }

    #[test]
    fn partials_without_a_common_factor_stay_as_they_are() {
        let product = Rule::new("x * y", |[x, y], _| [y.into(), x.into()]);
        assert_eq!(left(&product), (None, vec!["y".to_string(), "x".to_string()]));
    }
}
