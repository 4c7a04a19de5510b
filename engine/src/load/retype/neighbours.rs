//! What the callers and callees of a function know of the memory that it shares with them.
//!
//! A function that stays a call, such as one that lets a vector grow, may copy memory without ever looking at what lies there.

use super::evidence::{Evidence, further};
use crate::analysis::memory::{self, Memory, Object, ObjectId, ObjectSet, Spot, Summaries};
use crate::analysis::spot::gcd;
use crate::ir::{Callee, Func, Op, Val};
use crate::llvm::{Function, Value};
use crate::rule::Registry;
use std::collections::HashMap;

/// Tells a function's evidence what its callers and callees say.
pub fn ask(evidence: &mut Evidence, func: &Func, memory: &Memory, registry: &Registry, summaries: &Summaries) {
    let mut calls: HashMap<Function, Vec<Value>> = HashMap::new();
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
                let (there, argument) = (sides(&its_memory, its.val(argument)), its.val(argument));
                let base = memory::spot_of(&its, argument);
                let here = sides(memory, Val::Arg(index as u32));
                evidence.hear(&told, &there, &here, |spot| moved(spot, base, -base.offset));
            }
        }
    }

    let mut callees: HashMap<Function, Vec<Vec<Val>>> = HashMap::new();
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
            let there = sides(&its_memory, Val::Arg(index as u32));
            evidence.hear(&told, &there, &sides(memory, *argument), |spot| moved(spot, base, base.offset));
        }
    }
}

fn known(function: Function, registry: &Registry, summaries: &Summaries) -> (Func, Memory) {
    let func = Func::load(function, registry);
    let memory = memory::analyze(&func, summaries);
    (func, memory)
}

/// A spot counted from elsewhere.
fn moved(spot: Spot, base: Spot, by: i64) -> Spot {
    further(Spot { stride: gcd(spot.stride, base.stride), ..spot }, by)
}

/// What a pointer points to, and what can be reached from there.
pub struct Sides {
    pub direct: ObjectSet,
    pub behind: ObjectSet,
}

fn sides(memory: &Memory, pointer: Val) -> Sides {
    let direct = memory.points_to(pointer);
    let mut behind = ObjectSet::default();
    for object in direct.iter() {
        behind.union(&memory.content[object.0 as usize]);
    }
    // A call may store a pointer to what it is handed in there: that is no reason to mistake the one for the other.
    let reached = memory.reach_from(behind);
    let mut behind = ObjectSet::default();
    reached.iter().filter(|o| !direct.contains(*o)).for_each(|o| {
        behind.insert(o);
    });
    if let Val::Arg(index) = pointer {
        // What a parameter leads to is one object.
        let known = memory.objects.iter().position(|o| *o == Object::Behind(index));
        behind = ObjectSet::default();
        known.into_iter().for_each(|i| {
            behind.insert(ObjectId(i as u32));
        });
    }
    Sides { direct, behind }
}
