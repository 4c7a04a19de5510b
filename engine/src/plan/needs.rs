//! What the reverse sweep uses, instruction by instruction.
//!
//! **Invariant:** `emit::reverse` looks up nothing that [`of_instruction`] does not list.
use super::custom::{self, Keep};
use super::flow::Back;
use super::{Facts, Item};
use crate::analysis::memory::{Object, ObjectSet};
use crate::ir::{Callee, Custom, InstId, Op, Val};
use crate::rule::Partial;
use cotangent_contract::Group;

/// Something needed at a place.
#[derive(Clone, Copy, Debug)]
pub enum Need {
    /// The value of an operand.
    Value(Val),
    /// The shadow of a pointer.
    Shadow(Val),
    /// A call's tape.
    Tape(InstId),
    /// A loop's count.
    Trips(crate::analysis::cfg::LoopId),
}

/// Which blocks have something to do in the reverse sweep.
pub fn work(facts: &Facts) -> Vec<bool> {
    let func = facts.func;
    func.block_ids().map(|b| func.block(b).returns && func.block(b).insts.iter().any(|id| acts(facts, *id))).collect()
}

/// Whether an instruction has an adjoint.
pub fn acts(facts: &Facts, id: InstId) -> bool {
    let (func, activity, memory) = (facts.func, facts.activity, facts.memory);
    let inst = func.inst(id);
    match &inst.op {
        Op::Store => {
            let (value, address) = (inst.operands[0], inst.operands[1]);
            let floats = || crate::analysis::activity::may_hold_floats(func.ty(value));
            activity.any_active(&memory.points_to(address))
                && (floats() || activity.is_word(value) || replaces_float(facts, id))
        }
        Op::MemCopy => activity.any_active(&memory.points_to(inst.operands[0])),
        Op::MemSet => activity.any_active(&memory.points_to(inst.operands[0])),
        Op::Call(Callee::Body(_)) => activity.is_active_call(func, memory, id),
        Op::Call(Callee::Custom(custom)) => {
            activity.is_active_call(func, memory, id) || replaced(facts, id, custom).is_some()
        }
        Op::Return => inst.operands.iter().any(|v| activity.is_active(*v)),
        _ => activity.has_adjoint(Val::Inst(id)),
    }
}

/// Whether an instruction stores structure where a float may have been.
fn replaces_float(facts: &Facts, store: InstId) -> bool {
    let (value, address) = (facts.func.inst(store).operands[0], facts.func.inst(store).operands[1]);
    facts.has_shadow(address) && facts.activity.is_mixed_at(facts.func, facts.memory, address, facts.func.ty(value))
}

/// The place of a constant result, where active floats may have been before.
pub fn replaced<'c>(facts: &Facts, call: InstId, custom: &'c Custom) -> Option<&'c Group> {
    let place = |group: &&Group| facts.func.inst(call).operands[group.pointer];
    let is_active = |group: &&Group| facts.activity.any_active(&facts.memory.points_to(place(group)));
    custom.constant_result().filter(|group| facts.has_shadow(place(group)) && is_active(group))
}

/// What the adjoint of an instruction uses.
pub fn of_instruction(facts: &Facts, id: InstId) -> Vec<Need> {
    let inst = facts.func.inst(id);
    let operand = |i: usize| inst.operands[i];
    let mut needs = Vec::new();
    if !acts(facts, id) {
        return needs;
    }
    match &inst.op {
        Op::Scalar(scalar) => {
            for (index, partial) in scalar.partials.iter().enumerate() {
                if matches!(partial, Partial::Of(_)) && facts.activity.is_active(operand(index)) {
                    let uses = partial.needs(inst.operands.len());
                    let used = uses.args.iter().enumerate().filter(|(_, used)| **used);
                    needs.extend(used.map(|(i, _)| Need::Value(operand(i))));
                    if uses.result {
                        needs.push(Need::Value(Val::Inst(id)));
                    }
                }
            }
        }
        Op::Select => needs.push(Need::Value(operand(0))),
        Op::Load => {
            needs.push(Need::Shadow(operand(0)));
            if facts.activity.is_guarded(facts.memory, operand(0)) {
                needs.push(Need::Value(operand(0)));
            }
            if facts.activity.is_word(Val::Inst(id)) {
                needs.push(Need::Shadow(Val::Inst(id)));
            }
        }
        Op::Store => {
            needs.push(Need::Shadow(operand(1)));
            if facts.activity.is_write_guarded(facts.memory, operand(1)) {
                needs.push(Need::Value(operand(1)));
            }
            if facts.activity.is_word(operand(0)) {
                needs.push(Need::Shadow(operand(0)));
            }
        }
        Op::MemCopy => {
            needs.push(Need::Shadow(operand(0)));
            if facts.activity.is_write_guarded(facts.memory, operand(0)) {
                needs.push(Need::Value(operand(0)));
            }
            if facts.has_shadow(operand(1)) {
                needs.push(Need::Shadow(operand(1)));
                if facts.activity.is_guarded(facts.memory, operand(1)) {
                    needs.push(Need::Value(operand(1)));
                }
            }
            needs.push(Need::Value(operand(2)));
        }
        Op::MemSet => {
            needs.extend([Need::Shadow(operand(0)), Need::Value(operand(2))]);
            if facts.activity.is_write_guarded(facts.memory, operand(0)) {
                needs.push(Need::Value(operand(0)));
            }
        }
        Op::ExtractElement => needs.push(Need::Value(operand(1))),
        Op::InsertElement => needs.push(Need::Value(operand(2))),
        Op::Call(Callee::Custom(custom)) => {
            if let Some(group) = replaced(facts, id, custom) {
                needs.extend([Need::Shadow(operand(group.pointer)), Need::Value(operand(group.size))]);
            }
            if !facts.activity.is_active_call(facts.func, facts.memory, id) {
                return needs;
            }
            let keeps = custom::keeps(facts, id, custom);
            for (group, keep) in custom.groups.iter().zip(&keeps) {
                if *keep == Keep::AsItIs {
                    let pointer = operand(group.pointer);
                    needs.push(Need::Value(pointer));
                    needs.extend(reached_locals(facts, pointer));
                }
                let filled = custom.rule.inactive && group.is_dup() && group.is_output();
                if *keep == Keep::Copy || filled {
                    needs.push(Need::Value(operand(group.size)));
                }
                needs.extend(group.length.map(|index| Need::Value(operand(index))));
                if group.is_dup() && facts.has_shadow(operand(group.pointer)) {
                    needs.push(Need::Shadow(operand(group.pointer)));
                }
            }
            if custom::has_tape(custom, &keeps) {
                needs.push(Need::Tape(id));
            }
        }
        Op::Call(Callee::Body(_)) => {
            for operand in &inst.operands {
                needs.push(Need::Value(*operand));
                if facts.has_shadow(*operand) {
                    needs.push(Need::Shadow(*operand));
                }
                // What the callee reads again may lie behind a pointer in what it is given: locals there are to last as well.
                needs.extend(reached_locals(facts, *operand));
            }
            needs.push(Need::Tape(id));
        }
        _ => {}
    }
    needs
}

/// Locals that can be reached from a value through memory, and their shadows: they last as long as it does.
fn reached_locals(facts: &Facts, val: Val) -> Vec<Need> {
    let mut needs = Vec::new();
    for local in locals(facts, &facts.memory.reach(val)).map(Val::Inst) {
        needs.push(Need::Value(local));
        if facts.has_shadow(local) {
            needs.push(Need::Shadow(local));
        }
    }
    needs
}

/// The locals among objects.
pub fn locals(facts: &Facts, set: &ObjectSet) -> impl Iterator<Item = InstId> {
    set.iter().filter_map(|object| match facts.memory.objects[object.0 as usize] {
        Object::Stack(id) => Some(id),
        _ => None,
    })
}

/// Everything that the reverse sweep uses, as items.
pub fn collect(facts: &Facts, work: &[bool], back: &[Back], reversed: &[bool]) -> Vec<Item> {
    let mut items = Vec::new();
    let mut add = |need: Need| items.extend(as_item(facts, need));
    for block in facts.func.block_ids() {
        if work[block.0 as usize] {
            for id in &facts.func.block(block).insts {
                of_instruction(facts, *id).into_iter().for_each(&mut add);
            }
        }
        // Blocks of regions that are passed over are not left backwards; to ask for their selectors too would only cost memory.
        if back[block.0 as usize] == Back::Select
            && facts.func.block(block).returns
            && let Some(selector) = facts.selectors.get(&block)
        {
            add(Need::Value(Val::Inst(*selector)));
        }
    }
    for l in facts.cfg.loop_ids() {
        if reversed[l.0 as usize] {
            add(Need::Trips(l));
        }
    }
    items
}

/// The item behind a need: none where it is always at hand.
pub fn as_item(facts: &Facts, need: Need) -> Option<Item> {
    match need {
        Need::Value(Val::Inst(id)) => Some(Item::Value(id)),
        Need::Shadow(Val::Inst(id)) => Some(Item::Shadow(id)),
        Need::Tape(id) => Some(Item::Tape(id)),
        Need::Trips(l) => match facts.loops[l.0 as usize].trips {
            Some(Val::Inst(id)) => Some(Item::Value(id)),
            Some(_) => None,
            None => Some(Item::Trips(l)),
        },
        _ => None,
    }
}
