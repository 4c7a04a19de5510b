//! What callees are differentiated for, as their calls tell.

use super::session::{Key, Session};
use super::subject::Subject;
use crate::analysis::activity::{Interface, ParamActivity, Users};
use crate::analysis::memory::{self, ObjectId, ObjectSet, Way};
use crate::ir::table::is_table;
use crate::ir::{InstId, Val};
use crate::llvm::Function;
use crate::plan::holds_pointer;

/// What a call's callee is differentiated for.
pub fn call_key(subject: &Subject, id: InstId, function: Function, width: u32) -> Key {
    let inst = subject.func.inst(id);
    let facts = subject.facts();
    let params: Vec<ParamActivity> = inst
        .operands
        .iter()
        .map(|v| {
            let is_pointer = holds_pointer(subject.func.ty(*v));
            // Null is its own shadow, and the callee may bring the parameter together with pointers that have others.
            if is_pointer && (facts.has_shadow(*v) || memory::is_dangling(&subject.func, *v)) {
                ParamActivity::Dup
            } else if subject.activity.is_active(*v) && !subject.activity.is_word(*v) {
                ParamActivity::Active
            } else {
                // A word that is handed on is structure, which callees know by themselves.
                ParamActivity::Const
            }
        })
        .collect();
    let result = subject.activity.is_active(Val::Inst(id)) || (!inst.ty.is_void() && facts.has_shadow(Val::Inst(id)));
    // Of a number nothing can be said: it leads nowhere, and two calls that differ in nothing else have one derivative.
    let leads = |v: &&Val| holds_pointer(subject.func.ty(**v));
    let stable = inst
        .operands
        .iter()
        .map(|v| width == 0 && leads(&v) && crate::plan::recompute::is_untouched_after(&facts, *v, id))
        .collect();
    // What one function of a table sees in the memory that is handed to all of them says nothing to the others.
    let is_of_table = is_table(subject.func.function);
    let floats = |v: &Val| match (leads(&v), is_of_table) {
        (false, _) => 0,
        (true, false) => floats_behind(subject, *v),
        (true, true) => Session::floats_hint(subject.memory.plain_floats(&subject.memory.points_to(*v))),
    };
    let floats = inst.operands.iter().map(floats).collect();
    let is_plain = |v: &Val| leads(&v) && subject.memory.certain_floats(&subject.memory.points_to(*v)).is_some();
    let plain = inst.operands.iter().map(is_plain).collect();
    let is_text = |v: &Val| {
        let set = subject.memory.reach(*v);
        leads(&v) && !set.is_empty() && set.iter().all(|o| subject.memory.is_text(o))
    };
    let texts = inst.operands.iter().map(is_text).collect();
    let users: Vec<Handed> = inst.operands.iter().map(|v| Handed::of(subject, *v)).collect();
    let ways = ways_of_others(subject, id, &users);
    let outside = users.iter().map(|handed| [handed.direct, handed.behind]).collect();
    let mixed = |v: &Val| subject.memory.reach(*v).iter().any(|o| subject.memory.is_mixed(o));
    let mixed = inst.operands.iter().map(|v| leads(&v) && mixed(v)).collect();
    let results = inst.operands.iter().map(|v| subject.activity.may_be_result(&subject.memory, *v)).collect();
    let constants = inst.operands.iter().map(|v| {
        let may_be = |set: &ObjectSet| leads(&v) && subject.activity.may_be_constant(&subject.memory, set);
        [may_be(&subject.memory.points_to(*v)), may_be(&subject.memory.behind(*v))]
    });
    let constants: Vec<[bool; 2]> = constants.collect();
    let constant_ways = constant_ways(subject, id, &constants);
    // (Of memory with a shadow nothing depends on it, and calls that differ in nothing else have one derivative.)
    let leads_on = |v: &Val| leads(&v) && !facts.has_shadow(*v) && !subject.memory.behind(*v).is_empty();
    let leads_on = inst.operands.iter().map(leads_on).collect();
    let [here, behind] = &subject.interface.untold;
    let is_direct = |v: &Val| {
        let set = subject.memory.points_to(*v);
        let is_untold = |o: ObjectId| !subject.memory.is_pointed_to(o) || !here.is_empty();
        leads(&v) && set.iter().any(|o| subject.activity.is_outside(o) && is_untold(o))
    };
    let direct = if inst.operands.iter().any(is_direct) { behind.clone() } else { Vec::new() };
    let untold = [direct, behind.clone()];
    let interface = Interface {
        params,
        result,
        outside,
        ways,
        results,
        constants,
        constant_ways,
        leads_on,
        fixed: width == 0,
        untold,
    };
    Key { function, interface, stable, floats, plain, mixed, texts, width }
}

/// What of the memory that an argument of a call leads to is the user's.
struct Handed {
    leads: bool,
    /// The objects that it points to.
    to: ObjectSet,
    direct: Users,
    behind: Users,
}

impl Handed {
    /// What a local leads to counts only where pointers are known to lie there: a slice of floats has no structure to change.
    fn of(subject: &Subject, val: Val) -> Handed {
        let leads = holds_pointer(subject.func.ty(val));
        let (to, behind) = (subject.memory.points_to(val), subject.memory.behind(val));
        let is_outside = |o: ObjectId| subject.activity.is_outside(o);
        // Where a pointer may lead to an object or to the user's floats, as far as is known, what has structure is the object.
        let is_object = to.iter().any(|o| !is_outside(o) && subject.memory.has_pointers(&ObjectSet::of(o)));
        let is_floats = |o: ObjectId| subject.memory.is_of_plain_floats(o);
        let direct = Users {
            structure: to.iter().any(|o| is_outside(o) && !(is_object && is_floats(o))),
            floats: leads && to.iter().any(|o| subject.activity.is_users_object(o)),
        };
        let mut handed = Handed { leads, to, direct, behind: Users::default() };
        handed.behind = handed.users(subject, &behind);
        handed
    }

    /// What is the user's of all objects behind it.
    fn users(&self, subject: &Subject, set: &ObjectSet) -> Users {
        let has_structure = |o: ObjectId| self.to.contains(o) || subject.memory.has_pointers(&ObjectSet::of(o));
        users_among(subject, set, Users { structure: true, floats: self.leads }, has_structure)
    }

    /// The same of some of them: whether there are pointers the callee may know better.
    fn users_of_some(&self, subject: &Subject, set: &ObjectSet) -> Users {
        users_among(subject, set, self.behind, |_| true)
    }
}

/// What is the user's of some objects, of what may be at all; structure only where there may be any.
fn users_among(subject: &Subject, set: &ObjectSet, at_most: Users, has_structure: impl Fn(ObjectId) -> bool) -> Users {
    let (memory, activity) = (&subject.memory, &subject.activity);
    let is_such = |o: ObjectId| activity.is_outside(o) && !memory.is_of_plain_floats(o) && has_structure(o);
    Users {
        structure: at_most.structure && set.iter().any(is_such),
        floats: at_most.floats && set.iter().any(|o| activity.is_users_object(o)),
    }
}

/// The ways from arguments of a call, of those that its callee tells apart, on which there is less of the user's than there may be behind the argument.
fn ways_of_others(subject: &Subject, call: InstId, handed: &[Handed]) -> Vec<(u32, Way, [Users; 2])> {
    told_of_ways(subject, call, |param| {
        let handed = handed.get(param as usize).filter(|handed| handed.leads && handed.behind != Users::default())?;
        Some((handed.behind, |set: &ObjectSet| handed.users_of_some(subject, set)))
    })
}

/// The ways on which there is less that may be constant than there is behind the argument.
fn constant_ways(subject: &Subject, call: InstId, constants: &[[bool; 2]]) -> Vec<(u32, Way, [bool; 2])> {
    told_of_ways(subject, call, |param| {
        constants.get(param as usize).filter(|[_, behind]| *behind)?;
        Some((true, |set: &ObjectSet| subject.activity.may_be_constant(&subject.memory, set)))
    })
}

/// What is true of the memory on the ways that a callee tells apart, of arguments of which that is not the same as `of_param` has it of all that is behind the argument.
fn told_of_ways<T: Copy + PartialEq, F: Fn(&ObjectSet) -> T>(
    subject: &Subject,
    call: InstId,
    of_param: impl Fn(u32) -> Option<(T, F)>,
) -> Vec<(u32, Way, [T; 2])> {
    let Some(summary) = subject.memory.summary(call) else { return Vec::new() };
    let mut found = Vec::new();
    for (param, ways) in &summary.ways {
        let Some((behind, told)) = of_param(*param) else { continue };
        let operand = subject.func.inst(call).operands[*param as usize];
        let of_way = |way: Way| {
            let set = subject.memory.along(&subject.func, operand, way.spots()).set;
            [told(&set), told(&subject.memory.beyond(&set))]
        };
        let all: Vec<(u32, Way, [T; 2])> = ways.each().into_iter().map(|way| (*param, way, of_way(way))).collect();
        if all.iter().any(|(.., told)| *told != [behind; 2]) {
            found.extend(all);
        }
    }
    found.sort_unstable_by_key(|(param, way, _)| (*param, *way));
    found
}

/// Bytes of the floats that a pointer leads to, where it leads to nothing else.
fn floats_behind(subject: &Subject, val: Val) -> u8 {
    let set = subject.memory.points_to(val);
    // What is said of the user's memory holds whatever a callee seems to find there.
    let width =
        subject.memory.certain_floats(&set).map_or_else(|| subject.memory.floats_only(&set), |width| Ok(Some(width)));
    width.map_or(0, Session::floats_hint)
}
