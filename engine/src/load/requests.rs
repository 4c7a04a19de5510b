//! The marker calls of a module, read and put in order.
//!
//! A thunk may itself reach marker calls (a derivative of a derivative). The inner ones must have been replaced before the
//! outer one is differentiated, so the result is ordered: a request comes after every request that its thunk reaches through
//! calls. A marker call in a function that can reach itself through its own thunk would need its own derivative's derivative for ever; the
//! order then is that of the module, and differentiating will say what is wrong.

use crate::diag::{self, Code, Diagnostic, Span};
use crate::llvm::{Function, Module, Opcode, Value};
use crate::load::layout::kept;
use crate::load::{constants, trace};
use crate::maps::{HashMap, HashSet};
use cotangent_contract::{Activity, MARKER_FORWARD, MARKER_REVERSE, Mode, Request};

/// One marker call.
#[derive(Clone, Debug)]
pub struct Found {
    /// The call or invoke.
    pub call: Value,
    /// What it asks for. Requests of the closure API, which name no place, have that of the function that is differentiated.
    pub request: Request,
    /// The function to differentiate.
    pub thunk: Function,
    /// The marker's operands, one group for each of the request's parameters.
    pub groups: Vec<Group>,
    /// Whether the thunk of a later request reaches this call, so that the derivative will itself be differentiated.
    pub inner: bool,
    /// Sizes of what tells variants that nobody keeps in the shadows; see [`kept::untold`].
    pub untold: Vec<u64>,
}

/// The operands of one parameter.
#[derive(Clone, Debug)]
pub struct Group {
    /// Pointer to the primal value.
    pub primal: Value,
    /// Pointers to the shadows: none where the parameter is constant, else as many as the request is wide.
    pub shadows: Vec<Value>,
    /// Number of elements of a slice.
    pub length: Option<Value>,
}

/// All marker calls of a module, innermost first.
///
/// # Errors
/// CT0101 for each call whose thunk or request is not a constant, whose request cannot be read, or whose operands do not fit it; CT0103 where
/// the request is another version's.
pub fn find(program: Module) -> Result<Vec<Found>, Vec<Diagnostic>> {
    let mut found = Vec::new();
    let mut errors = Vec::new();
    for (name, mode) in [(MARKER_FORWARD, Mode::Forward), (MARKER_REVERSE, Mode::Reverse)] {
        let Some(marker) = program.function(name) else { continue };
        let mut users = marker.value().users();
        // LLVM lists uses backwards; a fixed order makes the output the same in every run.
        users.reverse();
        for user in users {
            match read(user, marker, mode) {
                Ok(Some(one)) => found.push(one),
                Ok(None) => {}
                Err(error) => errors.push(error),
            }
        }
    }
    if errors.is_empty() { Ok(in_order(program, found)) } else { Err(errors) }
}

/// Reads one use of a marker; uses that are no calls (a table of used symbols) are none of our business.
fn read(user: Value, marker: Function, mode: Mode) -> Result<Option<Found>, Diagnostic> {
    if !user.is_instruction() || user.called_function() != Some(marker) {
        return Ok(None);
    }
    let wrong = |message: String| {
        let error = Diagnostic::new(Code::Request, message);
        match user.location() {
            Some(l) => error.at(Span { file: l.file, line: l.line, column: l.column.max(1) }),
            None => error.note(format!("in `{}`", readable(user.block().function()))),
        }
    };
    let arguments = user.arguments();
    if arguments.len() < 2 {
        return Err(wrong("a marker call has at least a thunk and a request".into()));
    }
    let thunk = trace::constant(arguments[0]).and_then(Value::as_function).filter(|f| !f.is_declaration());
    let Some(thunk) = thunk else {
        return Err(wrong("the function to differentiate is not known when the program is compiled".into()));
    };
    let text = trace::constant(arguments[1])
        .and_then(Value::as_global)
        .and_then(|global| global.initializer())
        .and_then(Value::constant_bytes);
    let Some(text) = text else {
        return Err(wrong("the description of the derivative is not a constant".into()));
    };
    let text = String::from_utf8_lossy(text.split(|byte| *byte == 0).next().unwrap_or_default()).into_owned();
    let mut request = Request::parse(&text).map_err(|message| {
        let other_version = !text.starts_with(&format!("{}|", cotangent_contract::VERSION));
        let error = wrong(message);
        if other_version { Diagnostic { code: Code::Version, ..error } } else { error }
    })?;
    if request.mode != mode {
        return Err(wrong(format!("the request of a call of `{}` is for the other mode", marker.name())));
    }
    if request.file.is_empty()
        && let Some((file, line)) = place_of(thunk)
    {
        (request.file, request.line, request.column) = (file, line, 1);
    }
    let groups = group(&request, &arguments[2..]).map_err(wrong)?;
    let untold = if mode == Mode::Reverse { kept::untold(user.block().function()) } else { Vec::new() };
    Ok(Some(Found { call: user, request, thunk, groups, inner: false, untold }))
}

/// Deals the operands out to the parameters.
fn group(request: &Request, operands: &[Value]) -> Result<Vec<Group>, String> {
    let mut rest = operands.iter().copied();
    let mut take = || {
        rest.next().ok_or_else(|| format!("the derivative of `{}` is asked for with too few operands", request.name))
    };
    let mut groups = Vec::new();
    for param in &request.params {
        let primal = take()?;
        let width = if param.activity == Activity::Const { 0 } else { request.width };
        let shadows = (0..width).map(|_| take()).collect::<Result<Vec<_>, _>>()?;
        let length = if param.has_length() { Some(take()?) } else { None };
        groups.push(Group { primal, shadows, length });
    }
    match rest.count() {
        0 => Ok(groups),
        more => Err(format!("the derivative of `{}` is asked for with {more} operands too many", request.name)),
    }
}

/// Where the user's function stands that a thunk calls, directly or through the library's own functions; failing that, the thunk.
fn place_of(thunk: Function) -> Option<(String, u32)> {
    let mut seen = HashSet::from_iter([thunk]);
    let mut level = vec![thunk];
    let mut users = None;
    while users.is_none() && !level.is_empty() {
        let here = level.iter().filter_map(|f| f.source()).find(diag::is_users);
        users = here;
        let called = level.iter().flat_map(|f| functions_called(*f));
        level = called.filter(|f| seen.insert(*f)).collect();
    }
    users.or_else(|| thunk.source()).map(|place| (place.file, place.line))
}

/// The functions that a function calls by name or hands to a call, such as a thunk to a marker.
pub fn functions_called(function: Function) -> Vec<Function> {
    let calls = function.blocks().into_iter().flat_map(|b| b.instructions()).filter(|i| is_call(*i));
    calls
        .flat_map(|c| c.called_function().into_iter().chain(c.arguments().into_iter().filter_map(Value::as_function)))
        .collect()
}

/// A function's name as the user knows it; that of a copy is its original's.
pub fn readable(function: Function) -> String {
    let name = function.name();
    let symbol = name.split_once(".ct").map_or(name.as_str(), |(symbol, _)| symbol);
    format!("{:#}", rustc_demangle::demangle(symbol))
}

fn is_call(instruction: Value) -> bool {
    matches!(instruction.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke)
}

/// Innermost first.
fn in_order(program: Module, found: Vec<Found>) -> Vec<Found> {
    let mut by_function: HashMap<Function, Vec<usize>> = HashMap::default();
    for (index, one) in found.iter().enumerate() {
        by_function.entry(one.call.block().function()).or_default().push(index);
    }
    let reached: Vec<Vec<usize>> = found.iter().map(|one| reached_from(program, one.thunk, &by_function)).collect();
    let inner: HashSet<usize> = reached.iter().flatten().copied().collect();
    let mut order = Vec::new();
    let mut visited = vec![false; found.len()];
    for index in 0..found.len() {
        visit(index, &reached, &mut visited, &mut order);
    }
    // One derivative serves all calls that ask for the same, so it is inner where one of them is.
    let inner: HashSet<(Function, String)> =
        inner.into_iter().map(|i| (found[i].thunk, found[i].request.to_string())).collect();
    let mut found: Vec<Option<Found>> = found.into_iter().map(Some).collect();
    let all = order.into_iter().filter_map(|i| found[i].take());
    all.map(|one| Found { inner: inner.contains(&(one.thunk, one.request.to_string())), ..one }).collect()
}

fn visit(index: usize, reached: &[Vec<usize>], visited: &mut [bool], order: &mut Vec<usize>) {
    if std::mem::replace(&mut visited[index], true) {
        return;
    }
    for inner in &reached[index] {
        visit(*inner, reached, visited, order);
    }
    order.push(index);
}

/// The requests whose calls can be reached from a function through functions that it names, in order.
fn reached_from(program: Module, thunk: Function, by_function: &HashMap<Function, Vec<usize>>) -> Vec<usize> {
    let mut seen = HashSet::from_iter([thunk.value()]);
    let mut work = vec![thunk.value()];
    let mut reached = Vec::new();
    while let Some(value) = work.pop() {
        let mut named = Vec::new();
        if let Some(function) = value.as_function().filter(|f| f.module() == program) {
            reached.extend(by_function.get(&function).into_iter().flatten().copied());
            for operand in function.blocks().into_iter().flat_map(|b| b.instructions()).flat_map(|i| i.operands()) {
                constants::mentions(operand, &mut |v| named.push(v));
            }
        } else if let Some(first) = value.as_global().and_then(|g| g.initializer()) {
            // A vtable names functions too.
            constants::mentions(first, &mut |v| named.push(v));
        }
        work.extend(named.into_iter().filter(|v| seen.insert(*v)));
    }
    reached.sort_unstable();
    reached
}
