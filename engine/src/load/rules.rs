//! Functions with rules of their users' (the contract crate says how they say so).
//!
//! In the program the marker is `false`: [`discard`] takes it away. In a workshop it is folded when its function is copied: to `true`
//! where the rule has the mode that is asked for, and then a call of a *stand-in* is left in its place: a declaration
//! `ct.rule.<n>` of the marker's operands, with the rule's text as an attribute and the thunks in a constant beside it. It is what
//! the analyses see ([`crate::ir::Custom`]); whatever call of one is left when the derivative is there becomes a call of the
//! primal's thunk ([`settle`]), which is a function of the program like any other.
//!
//! A rule for a function of another crate belongs to an *adapter*, and a table in the program says for what: calls of the function become calls of
//! copies of the adapter, where it has the mode.

use super::trace;
use crate::diag::{Code, Diagnostic, Span};
use crate::ir::custom::{FACTS, STAND_IN, TEXT, THUNKS};
use crate::llvm::{Builder, Function, Global, Module, Opcode, Place, Value};
use crate::maps::HashMap;
use crate::rule::plain;
use cotangent_contract::{Group, Kind, MARKER_RULE, Mode, RULE_FOR, Rule};

/// A marker call that has been read.
struct Marker {
    rule: Rule,
    text: String,
    /// The primal's thunk, then the others that the text names.
    thunks: Vec<Function>,
    operands: Vec<Value>,
}

/// Whether a rule says what the derivative is in a mode.
fn serves(rule: &Rule, mode: Mode) -> bool {
    rule.inactive
        || match mode {
            Mode::Forward => rule.forward,
            Mode::Reverse => rule.reverse,
        }
}

fn markers(function: Function) -> Vec<Value> {
    let all = function.blocks().into_iter().flat_map(|b| b.instructions());
    all.filter(|i| is_marker(*i)).collect()
}

fn is_marker(instruction: Value) -> bool {
    instruction.is_instruction()
        && instruction.opcode() == Opcode::LLVMCall
        && instruction.called_function().is_some_and(|f| f.name() == MARKER_RULE)
}

fn read(call: Value) -> Result<Marker, String> {
    let arguments = call.arguments();
    let text = arguments
        .first()
        .and_then(|text| trace::constant(*text))
        .and_then(Value::as_global)
        .and_then(Global::initializer)
        .and_then(Value::constant_bytes)
        .ok_or("the description of a rule is not a constant")?;
    let text = String::from_utf8_lossy(text.split(|byte| *byte == 0).next().unwrap_or_default()).into_owned();
    let rule = Rule::parse(&text)?;
    let count = 1 + rule.thunks();
    let thunk = |value: &Value| trace::constant(*value).and_then(Value::as_function);
    let thunks: Option<Vec<Function>> = arguments.iter().skip(1).take(count).map(thunk).collect();
    let thunks = thunks.filter(|all| all.len() == count).ok_or("the functions of a rule are not constants")?;
    let operands = arguments[1 + count..].to_vec();
    let wanted = rule.groups().last().map_or(0, |group| group.facts + 1);
    if operands.len() != wanted {
        return Err(format!("the rule of `{}` has {} operands, not {wanted}", rule.name, operands.len()));
    }
    Ok(Marker { rule, text, thunks, operands })
}

/// Looks at every marker of a program.
///
/// # Errors
/// CT0101 for each that cannot be read, CT0103 where it is another version's.
pub fn check(program: Module) -> Result<(), Vec<Diagnostic>> {
    let users = program.function(MARKER_RULE).map_or_else(Vec::new, |marker| marker.value().users());
    let wrong = |call: &Value| {
        let message = read(*call).err()?;
        let code = if message.contains("version") { Code::Version } else { Code::Request };
        let error = Diagnostic::new(code, message);
        Some(match call.location() {
            Some(l) => error.at(Span { file: l.file, line: l.line, column: l.column.max(1) }),
            None => error,
        })
    };
    let errors: Vec<Diagnostic> = users.iter().filter(|user| is_marker(**user)).filter_map(wrong).collect();
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Adapters of a program that have a mode, by the symbol of the function that they stand for.
pub fn adapters(program: Module, mode: Mode) -> HashMap<String, Function> {
    let mut found = HashMap::default();
    for (target, adapter) in tables(program).into_iter().filter_map(entries) {
        let has_mode = markers(adapter).into_iter().filter_map(|call| read(call).ok()).any(|m| serves(&m.rule, mode));
        if has_mode {
            found.insert(plain(&target.name()).to_owned(), adapter);
        }
    }
    found
}

fn tables(program: Module) -> Vec<Global> {
    program.globals().into_iter().filter(|g| g.name().contains(RULE_FOR)).collect()
}

fn entries(table: Global) -> Option<(Function, Function)> {
    let value = table.initializer()?;
    let part = |index| trace::constant(value.aggregate_element(index)?).and_then(Value::as_function);
    Some((part(0)?, part(1)?))
}

/// Folds the markers of a function that has just been copied into a workshop.
pub fn take_up(copy: Function, mode: Mode) {
    for call in markers(copy) {
        let marker = read(call).ok().filter(|marker| serves(&marker.rule, mode));
        if let Some(marker) = &marker {
            let stand_in = stand_in(copy.module(), marker);
            let builder = Builder::before(call);
            builder.set_location_of(Some(call));
            builder.call(stand_in, &marker.operands);
        }
        fold(call, marker.is_some());
    }
}

/// The declaration whose call means: the function, with its rule.
fn stand_in(module: Module, marker: &Marker) -> Function {
    let context = module.context();
    let types: Vec<_> = marker.operands.iter().map(|v| v.ty()).collect();
    let function = module.add_function(STAND_IN, context.void().function(&types));
    function.add_string_attribute(TEXT, &marker.text);
    let thunks: Vec<Value> = marker.thunks.iter().map(|f| f.value()).collect();
    let ty = context.ptr().array(thunks.len() as u64);
    let table = module.add_global(&format!("{}{THUNKS}", function.name()), ty);
    table.set_initializer(ty.array_value(&thunks));
    table.set_constant(true);
    let groups = marker.rule.groups();
    let said = |group: &Group| trace::constant(marker.operands[group.facts]).and_then(Value::as_i64).unwrap_or(0);
    let facts: Vec<String> = groups.iter().map(|group| said(group).to_string()).collect();
    function.add_string_attribute(FACTS, &facts.join(","));
    // Nothing that refers to an argument can be left behind in floats.
    let keeps_nothing = groups.iter().filter(|g| g.is_output()).all(|g| g.param.floats != 0);
    for group in groups {
        let place = Place::Param(group.pointer as u32);
        let floats = group.param.floats != 0;
        let mut flags = vec!["nonnull", "noundef"];
        match group.param.kind {
            Kind::Ref | Kind::Slice if floats => flags.push("readonly"),
            Kind::Value => flags.push("readonly"),
            Kind::Return => flags.push("writeonly"),
            _ => {}
        }
        if floats && keeps_nothing {
            flags.push("captures");
        }
        flags.iter().for_each(|flag| function.add_attribute(place, flag, 0));
    }
    function
}

/// Puts a constant in the place of a marker.
fn fold(call: Value, answer: bool) {
    let constant = call.ty().int_value(u64::from(answer));
    for user in call.users() {
        let branches = user.is_instruction() && user.opcode() == Opcode::LLVMBr && user.is_conditional();
        if !branches {
            continue;
        }
        let ends = user.successors();
        let (taken, dropped) = if answer { (ends[0], ends[1]) } else { (ends[1], ends[0]) };
        let joins = dropped.first().is_some_and(|i| i.opcode() == Opcode::LLVMPHI);
        if taken != dropped && !joins {
            // Now, and not in the clean-up: what is never reached need not be copied.
            let builder = Builder::before(user);
            builder.set_location_of(Some(user));
            builder.br(taken);
            user.erase();
        }
    }
    call.replace_all_uses_with(constant);
    call.erase();
}

/// Takes every marker and every table out of a program.
pub fn discard(program: Module) {
    if let Some(marker) = program.function(MARKER_RULE) {
        marker.value().users().into_iter().filter(|user| is_marker(*user)).for_each(|call| fold(call, false));
    }
    for table in tables(program) {
        if table.initializer().is_some() {
            table.set_initializer(table.ty().zero());
        }
    }
}

/// Turns what calls of stand-ins are left in a workshop to calls of the primals.
pub fn settle(module: Module) {
    let stand_ins = module.functions().into_iter().filter(|f| f.is_declaration() && f.string_attribute(TEXT).is_some());
    for function in stand_ins.collect::<Vec<_>>() {
        let Some(custom) = crate::ir::Custom::of(function) else { continue };
        for call in function.value().users() {
            let builder = Builder::before(call);
            builder.set_location_of(Some(call));
            builder.call(custom.primal, &custom.primal_arguments(&call.arguments()));
            call.erase();
        }
        let name = function.name();
        function.erase();
        if let Some(table) = module.global(&format!("{name}{THUNKS}")) {
            table.erase();
        }
    }
}
