//! Calls of functions with rules of their users'.
//!
//! The rule's thunks work on memory alone, so the derivative of such a call hands over pointers. In reverse mode a record on the tape
//! holds, where there is anything to hold, the handle of the rule's own tape and copies of arguments ([`crate::plan::custom`]).
use super::augmented::Sweep;
use super::reverse::Pullback;
use super::subject::Subject;
use super::tangent::Tangents;
use crate::diag::{Code, Diagnostic};
use crate::ir::{Callee, Custom, InstId, Op, Val};
use crate::llvm::{Builder, Opcode, Value};
use crate::plan::Item;
use crate::plan::custom::{Keep, has_tape, keeps};
use crate::plan::needs::replaced;
use cotangent_contract::{self as contract, Group, Kind, Request};

type Done = Result<(), Diagnostic>;

/// Bytes in front of a record's copies.
const HANDLE: u64 = 16;

/// The number of bytes that an argument leads to.
fn bytes(builder: &Builder, group: &Group, mut value: impl FnMut(usize) -> Value) -> Value {
    let size = value(group.size);
    match group.length.map(value) {
        Some(length) => builder.mul(length, size),
        None => size,
    }
}

/// The next multiple of 16.
fn rounded(builder: &Builder, bytes: Value) -> Value {
    let word = bytes.ty();
    let more = builder.add(bytes, word.int_value(15));
    builder.binary(Opcode::LLVMAnd, more, word.int_value(!15))
}

fn offset(builder: &Builder, pointer: Value, bytes: Value) -> Value {
    builder.gep(pointer.context().int(8), pointer, &[bytes])
}

fn null(builder: &Builder) -> Value {
    builder.block().value().context().ptr().zero()
}

fn refused(subject: &Subject, id: InstId, custom: &Custom, request: &Request, message: &str) -> Diagnostic {
    let name = &custom.rule.name;
    Diagnostic::new(Code::Unsupported, format!("the rule of `{name}` cannot be used here: {message}"))
        .at_instruction(subject.func.inst(id).value, request)
}

/// Bytes of the floats that a differentiated argument consists of.
fn width(subject: &Subject, id: InstId, group: &Group) -> Option<u64> {
    if group.param.floats != 0 {
        return Some(u64::from(group.param.floats));
    }
    let set = subject.memory.points_to(subject.func.inst(id).operands[group.pointer]);
    subject.memory.floats_only(&set).ok().flatten()
}

/// Refuses what a rule cannot be given.
fn check(subject: &Subject, id: InstId, custom: &Custom, request: &Request) -> Done {
    for group in custom.shadowed() {
        let pointer = subject.func.inst(id).operands[group.pointer];
        if group.param.kind == Kind::Return || width(subject, id, group).is_some() {
            continue;
        }
        let absent = !subject.facts().has_shadow(pointer);
        if group.param.kind == Kind::Value && !absent {
            let message = "an argument by value does not consist of floats of one width";
            return Err(refused(subject, id, custom, request, message)
                .help("pass it by reference, or declare it `Const` in front of the rule"));
        }
        if group.param.kind != Kind::Value && absent {
            let message = "an argument carries no derivative here, and is not known to be plain floats";
            return Err(refused(subject, id, custom, request, message)
                .note(
                    "the rule expects an adjoint or tangent of the same shape, and only that of floats can be made up",
                )
                .help("declare it `Const` in front of the rule"));
        }
    }
    Ok(())
}

/// The call in the forward sweep of reverse mode.
///
/// # Errors
/// What the rule cannot be given.
pub fn forward_sweep(sweep: &mut Sweep, id: InstId, custom: &Custom, builder: &Builder) -> Done {
    let subject = sweep.subject;
    let request = sweep.session.request;
    check(subject, id, custom, request)?;
    let operands = subject.func.inst(id).operands.clone();
    let plan = keeps(&subject.facts(), id, custom);
    if let Some((group, _)) = custom.groups.iter().zip(&plan).find(|(_, keep)| **keep == Keep::Lost) {
        let number = custom.groups.iter().position(|g| g == group).map_or(0, |index| index + 1);
        let message = format!("what its argument {number} leads to may change before the reverse sweep");
        return Err(refused(subject, id, custom, request, &message)
            .note("an argument that holds pointers cannot be copied for the rule")
            .help("pass slices of floats, or do not change what the argument refers to after the call"));
    }
    let has_tape = has_tape(custom, &plan);
    let word = sweep.session.module.context().int(64);
    let mut record = null(builder);
    if has_tape {
        let mut total = word.int_value(if custom.rule.tape { HANDLE } else { 0 });
        let mut copies = Vec::new();
        for (group, _) in custom.groups.iter().zip(&plan).filter(|(_, keep)| **keep == Keep::Copy) {
            let bytes = bytes(builder, group, |i| sweep.value(operands[i]));
            copies.push((total, sweep.value(operands[group.pointer]), bytes));
            total = builder.add(total, rounded(builder, bytes));
        }
        let alloc = sweep.session.runtime(contract::TAPE_ALLOC);
        record = builder.call(alloc, &[total]);
        for (place, from, bytes) in copies {
            builder.memcpy(offset(builder, record, place), from, bytes, 1);
        }
    }
    let all: Vec<Value> = operands.iter().map(|v| sweep.value(*v)).collect();
    let arguments = custom.primal_arguments(&all);
    match custom.augmented {
        Some(augmented) if !custom.rule.inactive => {
            let handle = builder.call(augmented, &arguments);
            builder.store(handle, record);
        }
        _ => {
            builder.call(custom.primal, &arguments);
        }
    }
    if has_tape {
        sweep.keep_tape(id, record, builder);
    }
    Ok(())
}

/// Makes the shadow of what a call returned and has no derivative, where somebody may look at it.
pub fn shadow_of_result(
    subject: &Subject,
    id: InstId,
    primal: impl FnOnce(Val) -> Value,
    shadows: impl FnOnce(Val) -> Vec<Value>,
    builder: &Builder,
) {
    let inst = subject.func.inst(id);
    let Op::Call(Callee::Custom(custom)) = &inst.op else { return };
    let Some(group) = custom.constant_result() else { return };
    let place = inst.operands[group.pointer];
    // The shadow of the function's own result is the seed.
    if !subject.facts().has_shadow(place) || subject.activity.may_be_result(&subject.memory, place) {
        return;
    }
    let primal = primal(place);
    for shadow in shadows(place) {
        match custom.shadow_of_result() {
            Some(make) => {
                builder.call(make, &[primal, shadow]);
            }
            None => {
                let bytes = inst.value.operand(group.size as u32);
                builder.memset(shadow, shadow.context().int(8).int_value(0), bytes, 1);
            }
        }
    }
}

/// The call in the reverse sweep.
///
/// # Errors
/// What the rule cannot be given.
pub fn reverse_sweep(sweep: &mut Pullback, id: InstId, custom: &Custom, builder: &Builder) -> Done {
    let subject = sweep.subject;
    let operands = subject.func.inst(id).operands.clone();
    let facts = subject.facts();
    let word = sweep.session.module.context().int(64);
    if let Some(group) = replaced(&facts, id, custom) {
        let shadow = sweep.shadow(operands[group.pointer], builder);
        let bytes = sweep.value(operands[group.size], builder);
        builder.memset(shadow, shadow.context().int(8).int_value(0), bytes, 1);
    }
    if !subject.activity.is_active_call(&subject.func, &subject.memory, id) {
        return Ok(());
    }
    let Some(reverse) = custom.reverse.filter(|_| !custom.rule.inactive) else {
        for group in custom.outputs().filter(|g| facts.has_shadow(operands[g.pointer])) {
            if width(subject, id, group).is_some() {
                let shadow = sweep.shadow(operands[group.pointer], builder);
                let bytes = bytes(builder, group, |i| sweep.value(operands[i], builder));
                builder.memset(shadow, shadow.context().int(8).int_value(0), bytes, 1);
            }
        }
        return Ok(());
    };
    let plan = keeps(&facts, id, custom);
    let mut arguments = Vec::new();
    let mut record = null(builder);
    let mut place = word.int_value(0);
    if has_tape(custom, &plan) {
        record = sweep.item(Item::Tape(id), builder);
        if custom.rule.tape {
            arguments.push(builder.load(record.ty(), record));
            place = word.int_value(HANDLE);
        }
    }
    for (group, keep) in custom.groups.iter().zip(&plan) {
        let pointer = operands[group.pointer];
        match keep {
            Keep::Not => {}
            Keep::AsItIs | Keep::Lost => arguments.push(sweep.value(pointer, builder)),
            Keep::Copy => {
                arguments.push(offset(builder, record, place));
                let bytes = bytes(builder, group, |i| sweep.value(operands[i], builder));
                place = builder.add(place, rounded(builder, bytes));
            }
        }
        if group.is_dup() {
            arguments.push(if facts.has_shadow(pointer) { sweep.shadow(pointer, builder) } else { null(builder) });
        }
        if group.param.kind == Kind::Return {
            continue;
        }
        if let Some(length) = group.length {
            arguments.push(sweep.value(operands[length], builder));
        }
        if group.is_dup() {
            arguments.push(word.int_value(width(subject, id, group).unwrap_or(0)));
        }
    }
    builder.call(reverse, &arguments);
    Ok(())
}

/// The call in forward mode: once for each tangent, all but the last on copies of what it writes to.
///
/// # Errors
/// What the rule cannot be given.
pub fn tangent(sweep: &mut Tangents, id: InstId, custom: &Custom, builder: &Builder) -> Done {
    let subject = sweep.subject;
    check(subject, id, custom, sweep.session.request)?;
    let operands = subject.func.inst(id).operands.clone();
    let facts = subject.facts();
    let lanes = sweep.width;
    let value = |sweep: &Tangents, index: usize| sweep.value(operands[index]);
    let shadows = |sweep: &Tangents, val: Val| facts.has_shadow(val).then(|| sweep.shadow(val));
    let Some(forward) = custom.forward.filter(|_| !custom.rule.inactive) else {
        let all: Vec<Value> = operands.iter().map(|v| sweep.value(*v)).collect();
        builder.call(custom.primal, &custom.primal_arguments(&all));
        for group in custom.outputs().filter(|g| width(subject, id, g).is_some()) {
            let bytes = bytes(builder, group, |i| value(sweep, i));
            for shadow in shadows(sweep, operands[group.pointer]).into_iter().flatten() {
                builder.memset(shadow, shadow.context().int(8).int_value(0), bytes, 1);
            }
        }
        return Ok(());
    };
    let is_changed = |group: &Group| matches!(group.param.kind, Kind::Mut | Kind::MutSlice);
    let copies = lanes > 1 && custom.groups.iter().any(is_changed);
    let mark = copies.then(|| builder.call(sweep.session.runtime(contract::TAPE_MARK), &[]));
    for lane in 0..lanes {
        let last = lane + 1 == lanes;
        let mut arguments = Vec::new();
        for group in &custom.groups {
            let mut pointer = value(sweep, group.pointer);
            if is_changed(group) && !last {
                let bytes = bytes(builder, group, |i| value(sweep, i));
                let alloc = sweep.session.runtime(contract::TAPE_ALLOC);
                let copy = builder.call(alloc, &[bytes]);
                builder.memcpy(copy, pointer, bytes, 1);
                pointer = copy;
            }
            arguments.push(pointer);
            if group.is_dup() {
                let lanes = shadows(sweep, operands[group.pointer]);
                arguments.push(lanes.map_or_else(|| null(builder), |lanes| lanes[lane]));
            }
            arguments.extend(group.length.map(|index| value(sweep, index)));
        }
        builder.call(forward, &arguments);
    }
    if let Some(mark) = mark {
        let release = sweep.session.runtime(contract::TAPE_RELEASE);
        builder.call(release, &[mark]);
    }
    Ok(())
}
