//! Which activity fits which type in which mode: the table of the attribute's documentation, row by row.

use cotangent_contract::{self as contract, Kind, Mode};
use proc_macro2::Span;
use syn::Type;

use super::Input;
use crate::messages::{self, Mistakes};
use crate::request::Activity;
use crate::types::{self, Floats, Shape};

/// What every row depends on.
pub struct Context {
    pub mode: Mode,
    pub width: Option<u32>,
}

/// An activity and the place where it is written.
type Given = (Activity, Span);

/// The activity of a parameter, and whether its shadow holds all tangents lane after lane; `None` after a mistake.
pub fn of_param(
    context: &Context,
    input: &Input,
    shape: &Shape,
    (activity, span): Given,
    mistakes: &mut Mistakes,
) -> Option<(contract::Activity, bool)> {
    use contract::Activity::{Const, Dup, DupOnly};
    let by_value = shape.kind == Kind::Value && !shape.wide;
    let word = name(activity);
    let fault = match (context.mode, activity) {
        (_, Activity::Const) => return Some((Const, false)),
        (_, Activity::Duplicated | Activity::DuplicatedOnly | Activity::Dual | Activity::DualOnly)
            if !by_value && types::has_no_floats(&shape.inner) =>
        {
            messages::no_floats(&shape.inner, word, &input.shown)
        }
        (_, _) if shape.wide => messages::wide_reference(span, word, &input.shown),

        (Mode::Reverse, Activity::Active) if by_value => {
            return float_data(input, shape, word, mistakes).then_some((Dup, false));
        }
        (Mode::Reverse, Activity::Active) => messages::active_reference(span, &input.shown, "`Duplicated`"),
        (Mode::Reverse, Activity::Duplicated | Activity::DuplicatedOnly) if by_value => {
            messages::duplicated_value(span, word, &input.shown)
        }
        (Mode::Reverse, Activity::Duplicated | Activity::DuplicatedOnly)
            if let Some(part) = types::find_shared_floats(&shape.inner) =>
        {
            messages::shared_floats(&part, &input.shown)
        }
        (Mode::Reverse, Activity::Duplicated) => return Some((Dup, false)),
        (Mode::Reverse, Activity::DuplicatedOnly) => return Some((DupOnly, false)),
        (Mode::Reverse, Activity::Dual | Activity::Dualv) => {
            let instead = if by_value { "`Active`" } else { "`Duplicated`" };
            messages::activity_of_other_mode(span, word, context.mode, instead)
        }
        (Mode::Reverse, Activity::DualOnly | Activity::DualvOnly) => {
            let instead = if by_value { "`Active`" } else { "`DuplicatedOnly`" };
            messages::activity_of_other_mode(span, word, context.mode, instead)
        }
        (Mode::Reverse, Activity::ActiveOnly) => {
            messages::only_for_return(span, word, if by_value { "`Active`" } else { "`DuplicatedOnly`" })
        }

        (Mode::Forward, Activity::Active) if !by_value => messages::active_reference(span, &input.shown, "`Dual`"),
        (Mode::Forward, Activity::ActiveOnly) => messages::only_for_return(span, word, "`Dual`"),
        (Mode::Forward, Activity::Dualv | Activity::DualvOnly) => {
            if context.width.is_none() {
                messages::dualv_without_width(span, word)
            } else if !matches!(shape.kind, Kind::Slice | Kind::MutSlice) {
                messages::dualv_on_other(span, word, &input.shown)
            } else {
                return Some((if activity == Activity::Dualv { Dup } else { DupOnly }, true));
            }
        }
        (Mode::Forward, Activity::Dual | Activity::Duplicated | Activity::Active) => {
            return (!by_value || float_data(input, shape, word, mistakes)).then_some((Dup, false));
        }
        (Mode::Forward, Activity::DualOnly | Activity::DuplicatedOnly) => {
            return (!by_value || float_data(input, shape, word, mistakes)).then_some((DupOnly, false));
        }
    };
    mistakes.push(fault);
    None
}

/// The activity of the return value; `None` after a mistake.
pub fn of_return(
    context: &Context,
    ty: &Type,
    (activity, span): Given,
    mistakes: &mut Mistakes,
) -> Option<contract::Activity> {
    use contract::Activity::{Const, Dup, DupOnly};
    let word = name(activity);
    let given = match (context.mode, activity) {
        (_, Activity::Const) => return Some(Const),
        (Mode::Reverse, Activity::Active) => Ok(Dup),
        (Mode::Reverse, Activity::ActiveOnly) => Ok(DupOnly),
        (Mode::Reverse, Activity::Duplicated) => Err(messages::not_for_return(span, word, "`Active`")),
        (Mode::Reverse, Activity::DuplicatedOnly) => Err(messages::not_for_return(span, word, "`ActiveOnly`")),
        (Mode::Reverse, Activity::Dual | Activity::Dualv) => {
            Err(messages::activity_of_other_mode(span, word, context.mode, "`Active`"))
        }
        (Mode::Reverse, Activity::DualOnly | Activity::DualvOnly) => {
            Err(messages::activity_of_other_mode(span, word, context.mode, "`ActiveOnly`"))
        }
        (Mode::Forward, Activity::Dual | Activity::Duplicated | Activity::Active) => Ok(Dup),
        (Mode::Forward, Activity::DualOnly | Activity::DuplicatedOnly) => Ok(DupOnly),
        (Mode::Forward, Activity::ActiveOnly) => {
            Err(messages::activity_of_other_mode(span, word, context.mode, "`DualOnly`"))
        }
        (Mode::Forward, Activity::Dualv) => Err(messages::not_for_return(span, word, "`Dual`")),
        (Mode::Forward, Activity::DualvOnly) => Err(messages::not_for_return(span, word, "`DualOnly`")),
    };
    let fault = match (given, types::floats(ty)) {
        (Ok(_), Floats::No(part)) if matches!(*part, Type::Reference(_)) => messages::reference_returned(&part, word),
        (Ok(_), Floats::No(part)) if matches!(*part, Type::ImplTrait(_)) => return None,
        (Ok(_), Floats::No(part)) => messages::not_float_data(&part, "the return value", word),
        (Ok(activity), _) => return Some(activity),
        (Err(fault), _) => fault,
    };
    mistakes.push(fault);
    None
}

/// Refuses values that visibly hold something else than floats.
fn float_data(input: &Input, shape: &Shape, word: &str, mistakes: &mut Mistakes) -> bool {
    match types::floats(&shape.inner) {
        Floats::Yes | Floats::Named => true,
        // Reported already, as a parameter that no derivative can be made of.
        Floats::No(part) if matches!(*part, Type::ImplTrait(_)) => false,
        Floats::No(part) => {
            mistakes.push(messages::not_float_data(&part, &format!("`{}`", input.shown), word));
            false
        }
    }
}

fn name(activity: Activity) -> &'static str {
    Activity::ALL.iter().find(|(_, known)| *known == activity).map_or("", |(name, _)| name)
}
