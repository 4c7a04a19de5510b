//! What the callers and callees of a function know of the memory that it shares with them.
//!
//! A function that stays a call, such as one that lets a vector grow, may copy memory without ever looking at what lies there.

use super::evidence::{Evidence, further};
use crate::analysis::memory::{self, Memory, Object, ObjectId, ObjectSet, Spot, Summaries};
use crate::analysis::spot::gcd;
use crate::ir::{Callee, Func, Op, Val};
use crate::llvm::{Function, Value};
use crate::maps::HashMap;
use crate::rule::Registry;

/// Tells a function's evidence what its callers and callees say.
pub fn ask(evidence: &mut Evidence, func: &Func, memory: &Memory, registry: &Registry, summaries: &Summaries) {
    let mut calls: HashMap<Function, Vec<Value>> = HashMap::default();
    for user in func.function.value().users() {
        if user.is_instruction() && user.called_function() == Some(func.function) {
            calls.entry(user.block().function()).or_default().push(user);
        }
    }
    calls.remove(&func.function);
    for (caller, calls) in calls {
        let (its, its_memory) = known(caller, registry, summaries);
        let told = Evidence::gather(&its, &its_memory, &[]);
        for call in calls {
            for (index, argument) in call.arguments().into_iter().enumerate() {
                let argument = its.val(argument);
                let base = memory::spot_of(&its, argument);
                for (ours, theirs, at_start) in shared(memory, index as u32, &its_memory, &its, argument) {
                    let place = |spot| if at_start { moved(spot, base, -base.offset) } else { spot };
                    evidence.hear(&told, &theirs, &ours, place);
                }
            }
        }
    }

    let mut callees: HashMap<Function, Vec<Vec<Val>>> = HashMap::default();
    for id in func.inst_ids() {
        if let Op::Call(Callee::Body(callee)) = func.inst(id).op
            && callee != func.function
        {
            callees.entry(callee).or_default().push(func.inst(id).operands.clone());
        }
    }
    for (callee, calls) in callees {
        let (its, its_memory) = known(callee, registry, summaries);
        let told = Evidence::gather(&its, &its_memory, &[]);
        for (index, argument) in calls.iter().flat_map(|c| c.iter().enumerate()) {
            let base = memory::spot_of(func, *argument);
            for (theirs, ours, at_start) in shared(&its_memory, index as u32, memory, func, *argument) {
                let place = |spot| if at_start { moved(spot, base, base.offset) } else { spot };
                evidence.hear(&told, &theirs, &ours, place);
            }
        }
    }
}

fn known(function: Function, registry: &Registry, summaries: &Summaries) -> (Func, Memory) {
    let func = Func::load(function, registry);
    let memory = memory::analyze(&func, summaries, &[]);
    (func, memory)
}

/// A spot counted from elsewhere.
fn moved(spot: Spot, base: Spot, by: i64) -> Spot {
    further(Spot { stride: gcd(spot.stride, base.stride), ..spot }, by)
}

/// Memory that a callee knows by one of its parameters: its objects, what they are in a caller that hands an argument over, and whether they begin where
/// that points.
pub fn shared(
    callee: &Memory,
    param: u32,
    caller: &Memory,
    func: &Func,
    argument: Val,
) -> Vec<(ObjectSet, ObjectSet, bool)> {
    let direct = caller.points_to(argument);
    let mut shared = Vec::new();
    for (index, object) in callee.objects.iter().enumerate() {
        let id = ObjectId(index as u32);
        let there = match object {
            Object::Param(i) if *i == param => direct.clone(),
            Object::Path(i, _) if *i == param => {
                let Some((_, way)) = callee.way_to(id) else { continue };
                caller.along(func, argument, &way).set
            }
            Object::Behind(i) if *i == param => {
                // A call may store a pointer to what it is handed in there: that is no reason to mistake the one for the other.
                let mut rest = ObjectSet::default();
                caller.behind(argument).iter().filter(|o| !direct.contains(*o)).for_each(|o| {
                    rest.insert(o);
                });
                rest
            }
            _ => continue,
        };
        shared.push((ObjectSet::of(id), there, matches!(object, Object::Param(_))));
    }
    shared
}
