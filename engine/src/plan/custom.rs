//! What the reverse rule of a user's function needs of the call: the arguments as they were.
//!
//! An argument whose memory stays as it is until the reverse sweep is passed again. Of any other, the memory that it leads to itself is copied
//! in the forward sweep, before the call. What lies behind pointers there cannot be copied, so it must stay.
use super::Facts;
use super::recompute::{is_set_untouched_after, is_untouched_after};
use crate::ir::{Custom, InstId};
use cotangent_contract::{Activity, Group, Kind};

/// How the reverse rule gets an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// Not at all: the result, or the rule has nothing to do with arguments.
    Not,
    /// As it is.
    AsItIs,
    /// As a copy.
    Copy,
    /// It would need a copy and cannot have one.
    Lost,
}

/// How the reverse rule gets each argument of a call.
pub fn keeps(facts: &Facts, id: InstId, custom: &Custom) -> Vec<Keep> {
    custom.groups.iter().map(|group| keep(facts, id, custom, group)).collect()
}

fn keep(facts: &Facts, id: InstId, custom: &Custom, group: &Group) -> Keep {
    if custom.rule.inactive || group.param.kind == Kind::Return {
        return Keep::Not;
    }
    let is_mutable = matches!(group.param.kind, Kind::Mut | Kind::MutSlice);
    if is_mutable && group.param.activity == Activity::DupOnly {
        // The rule does not look at what was there.
        return Keep::AsItIs;
    }
    let memory = facts.memory;
    let pointer = facts.func.inst(id).operands[group.pointer];
    let here = memory.points_to(pointer);
    let behind = if custom.is_flat(group) { Default::default() } else { memory.behind(pointer) };
    if !is_mutable && here.is_empty() {
        return Keep::AsItIs;
    }
    let whole = if behind.is_empty() {
        is_set_untouched_after(facts, &here, id)
    } else {
        is_untouched_after(facts, pointer, id)
    };
    if !is_mutable && whole {
        return Keep::AsItIs;
    }
    if behind.is_empty() || is_set_untouched_after(facts, &behind, id) { Keep::Copy } else { Keep::Lost }
}

/// Whether a call puts anything on the tape.
pub fn has_tape(custom: &Custom, keeps: &[Keep]) -> bool {
    !custom.rule.inactive && (custom.rule.tape || keeps.contains(&Keep::Copy))
}
