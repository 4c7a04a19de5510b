//! Holds a rule against its function: what the function's derivatives are in both modes.

use cotangent_contract::{Kind, Mode};
use proc_macro2::{Ident, Span};
use syn::{GenericParam, Generics, ReturnType, Type, TypeParamBound, WherePredicate};

use super::{build, function};
use crate::item::Function;
use crate::location::Location;
use crate::messages::{self, Mistakes};
use crate::model::Derivative;
use crate::request::{Activity, Arguments, Given};
use crate::rule::Rule;
use crate::types::{self, Floats, Shape};

/// The derivatives that the rule of a function takes the place of.
pub struct Modes<'a> {
    /// As `#[autodiff(.., Forward, ..)]` would make it.
    pub forward: Derivative<'a>,
    /// As `#[autodiff(.., Reverse, ..)]` would make it.
    pub reverse: Derivative<'a>,
}

/// Checks everything, adds what is wrong to `mistakes`, and gives both derivatives where nothing is.
pub fn check<'a>(
    rule: &Rule,
    function: &'a Function,
    location: &'a Location,
    mistakes: &mut Mistakes,
) -> Option<Modes<'a>> {
    function::check_for_rule(function, mistakes);
    let shapes: Vec<Shape> =
        super::inputs(function).iter().map(|input| Shape::of(&input.ty, &function.sig.generics)).collect();
    let mut modes = Vec::new();
    for mode in [Mode::Reverse, Mode::Forward] {
        let activities = if rule.activities.is_empty() {
            by_type(mode, &shapes, function)
        } else {
            let kinds = shapes.iter().map(|shape| Some(shape.kind)).chain([None]);
            let last = shapes.len();
            let each = rule.activities.iter().zip(kinds.chain(std::iter::repeat(None))).enumerate();
            each.map(|(index, (given, kind))| in_mode(mode, given, kind, index == last, mistakes)).collect()
        };
        let arguments = Arguments { name: None, mode: Some(mode), width: None, activities };
        let name = Ident::new("derivative", Span::call_site());
        modes.push(build(&arguments, name, function, location, mistakes)?);
    }
    let forward = modes.pop()?;
    Some(Modes { forward, reverse: modes.pop()? })
}

/// A given activity in the words of a mode.
fn in_mode(mode: Mode, given: &Given, kind: Option<Kind>, is_return: bool, mistakes: &mut Mistakes) -> Given {
    use Activity::{Active, ActiveOnly, Const, Dual, DualOnly, Dualv, DualvOnly, Duplicated, DuplicatedOnly};
    let by_value = is_return || kind == Some(Kind::Value);
    let span = given.span;
    let activity = given.activity.map(|activity| match (mode, activity) {
        (_, Const) => Const,
        (_, Dualv | DualvOnly | DualOnly) => {
            if mode == Mode::Reverse {
                let word = Activity::ALL.iter().find(|(_, known)| *known == activity).map_or("", |(name, _)| name);
                mistakes.push(messages::activity_without_rule(span, word, "`Dual`"));
            }
            Const
        }
        (Mode::Reverse, Dual) => {
            if by_value {
                Active
            } else {
                Duplicated
            }
        }
        (Mode::Forward, ActiveOnly) => Dual,
        (Mode::Forward, DuplicatedOnly) => Duplicated,
        (_, activity) => activity,
    });
    // What is wrong in both modes is said once.
    Given { activity, span }
}

/// Floats by value are active, references to float data are duplicated, everything else is constant.
fn by_type(mode: Mode, shapes: &[Shape], function: &Function) -> Vec<Given> {
    let generics = &function.sig.generics;
    let (value, reference) = match mode {
        Mode::Reverse => (Activity::Active, Activity::Duplicated),
        Mode::Forward => (Activity::Dual, Activity::Dual),
    };
    let given = |activity| Given { activity: Some(activity), span: Span::call_site() };
    let mut list: Vec<Given> = shapes
        .iter()
        .map(|shape| match shape.kind {
            Kind::Value if may_be_floats(&shape.inner, generics) && !shape.wide => given(value),
            Kind::Value => given(Activity::Const),
            _ if may_be_floats(&shape.inner, generics) || types::holds_floats(&shape.inner) => given(reference),
            _ => given(Activity::Const),
        })
        .collect();
    if let ReturnType::Type(_, ty) = &function.sig.output
        && !types::is_unit(ty)
    {
        list.push(given(if may_be_floats(ty, generics) { value } else { Activity::Const }));
    }
    list
}

/// Whether a type is float data, as far as its tokens show: named types are, but those that can be called and cells of numbers.
fn may_be_floats(ty: &Type, generics: &Generics) -> bool {
    match types::floats(ty) {
        Floats::Yes => true,
        Floats::No(_) => false,
        Floats::Named => !is_callable(ty, generics) && !types::has_no_floats(ty),
    }
}

/// True for a type parameter with a bound such as `Fn(f64) -> f64`.
fn is_callable(ty: &Type, generics: &Generics) -> bool {
    let Type::Path(path) = types::peel(ty) else { return false };
    let Some(name) = path.path.get_ident() else { return false };
    let callable = |bound: &TypeParamBound| match bound {
        TypeParamBound::Trait(bound) => {
            let last = bound.path.segments.last();
            last.is_some_and(|segment| ["Fn", "FnMut", "FnOnce"].iter().any(|known| segment.ident == known))
        }
        _ => false,
    };
    let in_list = generics.params.iter().any(|param| match param {
        GenericParam::Type(param) => param.ident == *name && param.bounds.iter().any(callable),
        _ => false,
    });
    let predicates = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let mut in_where = predicates.filter_map(|predicate| match predicate {
        WherePredicate::Type(predicate) => Some(predicate),
        _ => None,
    });
    in_list
        || in_where.any(|predicate| {
            matches!(types::peel(&predicate.bounded_ty), Type::Path(bounded) if bounded.path.is_ident(name))
                && predicate.bounds.iter().any(callable)
        })
}
