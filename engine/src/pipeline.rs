//! The pipeline: from a program with marker calls to one with derivatives, one function per stage, in order.
use crate::analysis::casts;
use crate::analysis::memory::Summaries;
use crate::analysis::widths::Widths;
use crate::diag::{Code, Diagnostic, Span};
use crate::emit::root::{self, Order};
use crate::emit::{bare, guard};
use crate::ir;
use crate::llvm::{Builder, Function, Module, Opcode, Target, Value};
use crate::load::dispatch::table;
use crate::load::layout::{Detail, kept};
use crate::load::requests::Found;
use crate::load::survey::Survey;
use crate::load::{
    addresses, apart, chosen, finish, halves, merged, parted, realloc, requests, retype, rules, taken, unwinds,
    variants, whole, workshop,
};
use crate::maps::{HashMap, HashSet};
use crate::plan::cost::Cost;
use crate::rule::Registry;
use crate::{Bodies, Config};
use cotangent_contract::{self as contract, MARKER_FORWARD, MARKER_REVERSE};
use std::collections::BTreeSet;
use std::time::Instant;

/// What became of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Number of marker calls that were replaced.
    pub requests: usize,
    /// What the reverse sweeps keep, by derivative.
    pub costs: Vec<Cost>,
    /// A pointer may lead to functions that the module does not have ([`Bodies::has_all`]): nothing was done after that was seen, and the
    /// module is not to be used.
    pub wants_all: bool,
    /// Derivatives that need their records to be moved as the types say: what is known to fail need not be tried again in a larger module.
    pub exact: BTreeSet<String>,
}

/// Replaces every marker call of a program by a call of the derivative it asks for. `target` is the machine that
/// derivatives are optimised for.
///
/// # Errors
/// Everything that cannot be differentiated, for all requests; the module is then not to be used.
pub fn differentiate(
    program: Module,
    bodies: &mut dyn Bodies,
    registry: &Registry,
    config: &Config,
    target: Option<&Target>,
) -> Result<Outcome, Vec<Diagnostic>> {
    rules::check(program)?;
    let found = requests::find(program)?;
    kept::lower(program)?;
    let mut survey = Survey::new(program, registry);
    let (mut errors, mut costs, mut exact) = (Vec::new(), Vec::new(), BTreeSet::new());
    // Two calls that ask for the same get the same derivative. By its name: linking puts another function in a declaration's place.
    let mut made: HashMap<(Function, String), String> = HashMap::default();
    let mut finished = finish::Finished::default();
    for (number, one) in found.iter().enumerate() {
        let key = (one.thunk, one.request.to_string());
        let known = made.get(&key).and_then(|name| program.function(name));
        let derivative = match known {
            Some(known) => known,
            None if !errors.is_empty() && reaches_marker(one.thunk) => continue,
            None => match derive(
                &Setting { survey: &survey, config, target },
                one,
                number,
                bodies,
                &mut finished,
                &mut exact,
            ) {
                Ok((derivative, kept)) => {
                    costs.extend(kept);
                    made.insert(key, derivative.name());
                    derivative
                }
                Err(Failed::WantsAll) => return Ok(Outcome { wants_all: true, exact, ..Outcome::default() }),
                Err(Failed::Errors(more)) => {
                    errors.extend(more.into_iter().map(|e| e.note(asked_for(one))));
                    continue;
                }
            },
        };
        replace(one, derivative);
        if one.inner {
            survey = Survey::new(program, registry);
        }
    }
    if errors.is_empty()
        && let Err(message) = finish::link(program, &mut finished)
    {
        errors.push(Diagnostic::internal("the derivatives cannot be linked into the program").note(message));
    }
    rules::discard(program);
    guard::lower(program);
    bare::lower(program);
    if errors.is_empty() { Ok(Outcome { requests: found.len(), costs, wants_all: false, exact }) } else { Err(errors) }
}

/// Whether a thunk still reaches a marker call: an inner derivative that could not be made. What is wrong with it has been said.
fn reaches_marker(thunk: Function) -> bool {
    let mut seen = HashSet::from_iter([thunk]);
    let mut open = vec![thunk];
    while let Some(function) = open.pop() {
        if [MARKER_FORWARD, MARKER_REVERSE].contains(&function.name().as_str()) {
            return true;
        }
        let called = requests::functions_called(function);
        open.extend(called.into_iter().filter(|f| seen.insert(*f)));
    }
    false
}

fn asked_for(found: &Found) -> String {
    let Span { file, line, .. } = Span::of_request(&found.request);
    let name = &found.request.name;
    if file.is_empty() {
        format!("the derivative of `{name}` is asked for")
    } else {
        format!("the derivative of `{name}` is asked for at {file}:{line}")
    }
}

/// What all requests of a program have in common.
struct Setting<'a> {
    survey: &'a Survey<'a>,
    config: &'a Config,
    target: Option<&'a Target>,
}

/// Makes the derivative that a request asks for; where it cannot be told what some copy moves, or only at run time, once more with records left in memory and
/// moved as their types say. (That is slower, and so not the first way to be tried, but where LLVM may move something in halves.)
fn derive(
    setting: &Setting,
    found: &Found,
    number: usize,
    bodies: &mut dyn Bodies,
    finished: &mut finish::Finished,
    exact: &mut BTreeSet<String>,
) -> Result<(Function, Vec<Cost>), Failed> {
    let name = format!("{} {}", found.thunk.name(), found.request);
    // What has wanted the second look before is not asked for less: there, nothing is left to look at more closely.
    let is_known = setting.config.exact_for.contains(&name);
    let (first, second) = match setting.config.exact || is_known {
        false => (Detail::Plain, Detail::Exact),
        true => (Detail::Exact, Detail::Plain),
    };
    let show = |errors: &[Diagnostic]| errors.iter().for_each(|error| setting.config.show("exact", error));
    let mut attempt =
        |detail: Detail, may_doubt: bool| attempt(setting, found, number, bodies, finished, detail, may_doubt);
    let errors = match attempt(first, is_known) {
        Ok(made) => return Ok(made),
        Err(Stop::WantsAll { doubts, errors }) => {
            if doubts && second == Detail::Exact {
                exact.insert(name);
            }
            // The second look needs less than all functions of all crates, which are others after each change. (It is the first one that says whether these are needed.)
            if first == Detail::Exact || errors.is_empty() || !errors.iter().all(may_be_told) {
                return Err(Failed::WantsAll);
            }
            return attempt(second, false).map_err(|_| Failed::WantsAll);
        }
        Err(Stop::Doubts) => {
            if second == Detail::Exact {
                exact.insert(name);
            }
            return match attempt(second, true) {
                Ok(made) => Ok(made),
                Err(Stop::WantsAll { .. }) => Err(Failed::WantsAll),
                Err(stop) => {
                    show(&stop.errors());
                    attempt(first, true).map_err(Failed::from)
                }
            };
        }
        Err(Stop::Errors(errors)) => errors,
    };
    if !errors.is_empty() && first == Detail::Plain && !errors.iter().any(may_be_told) {
        return Err(Failed::Errors(errors));
    }
    if second == Detail::Exact {
        exact.insert(name);
    }
    attempt(second, true).map_err(|stop| match stop {
        Stop::WantsAll { .. } => Failed::WantsAll,
        stop => {
            let more = stop.errors();
            let is_second = second == Detail::Plain || errors.is_empty();
            let (told, other) = if is_second && !more.is_empty() { (more, errors) } else { (errors, more) };
            show(&other);
            Failed::Errors(told)
        }
    })
}

/// Why there is no derivative.
enum Failed {
    /// What cannot be differentiated.
    Errors(Vec<Diagnostic>),
    /// A pointer may lead to functions that the module does not have.
    WantsAll,
}

impl From<Stop> for Failed {
    fn from(stop: Stop) -> Failed {
        match stop {
            Stop::WantsAll { .. } => Failed::WantsAll,
            stop => Failed::Errors(stop.errors()),
        }
    }
}

/// Why an attempt has made no derivative.
enum Stop {
    /// What cannot be differentiated. Nothing, where records may be torn ([`workshop::build`]).
    Errors(Vec<Diagnostic>),
    /// There are places where it shows at run time only whether something can be told.
    Doubts,
    /// A pointer may lead to functions that the module does not have; there may be such places as well. The errors are those that may come of it.
    WantsAll { doubts: bool, errors: Vec<Diagnostic> },
}

impl Stop {
    fn errors(self) -> Vec<Diagnostic> {
        match self {
            Stop::Errors(errors) => errors,
            Stop::Doubts | Stop::WantsAll { .. } => Vec::new(),
        }
    }
}

impl From<Vec<Diagnostic>> for Stop {
    fn from(errors: Vec<Diagnostic>) -> Stop {
        Stop::Errors(errors)
    }
}

/// Whether an error may come of not knowing what is moved.
fn may_be_told(error: &Diagnostic) -> bool {
    use Code::{ConstantMemory, MixedType, UnknownType, Unsupported};
    matches!(error.code, UnknownType | MixedType | Unsupported | ConstantMemory)
}

fn attempt(
    setting: &Setting,
    found: &Found,
    number: usize,
    bodies: &mut dyn Bodies,
    finished: &mut finish::Finished,
    detail: Detail,
    may_doubt: bool,
) -> Result<(Function, Vec<Cost>), Stop> {
    let Setting { survey, config, target } = *setting;
    let Survey { program, registry, .. } = *survey;
    let time = |stage: &str, since: Instant| {
        if config.time {
            let Span { file, line, .. } = Span::of_request(&found.request);
            let spent = since.elapsed().as_secs_f64() * 1e3;
            eprintln!("{spent:>9.1} ms  {stage} of {} at {file}:{line}", found.request.name);
        }
    };
    let start = Instant::now();
    let shop = workshop::build(survey, found, bodies, number, detail)?;
    // What is moved as two numbers is not always seen to be so; records that are left in memory are moved whole.
    if detail == Detail::Plain && !may_doubt && casts::halves(shop.module) != casts::Halves::default() {
        return Err(Stop::Doubts);
    }
    retype::handed::run(shop.module, shop.root)
        .map_err(|m| vec![Diagnostic::internal("the clean-up failed").note(m)])?;
    realloc::split(shop.module, registry);
    let defined = || ir::bodies(shop.module).into_iter();
    defined().for_each(chosen::settle);
    defined().for_each(whole::join);
    defined().for_each(addresses::join_pointers);
    defined().for_each(addresses::take_ends);
    defined().for_each(addresses::store_numbers);
    defined().for_each(addresses::move_whole);
    halves::run(shop.module);
    // What is joined as bits may be of a float before types are known, or only after.
    parted::run(shop.module);
    defined().for_each(variants::roles::run);
    defined().for_each(variants::run);
    config.show("load", &shop.module);
    let hints = hints(found);
    let mut open: Vec<Function> = defined().collect();
    // What a callee moves as words its callers know when it has been looked at.
    for _ in 0..2 {
        if open.is_empty() {
            break;
        }
        let (summaries, mut widths) = (Summaries::new(registry), Widths::of(shop.module));
        for function in open.drain(..) {
            let hints = if function == shop.root { &hints[..] } else { &[] };
            retype::moves(shop.module, function, registry, &summaries, hints, &mut widths);
            apart::loads(function, registry, &summaries)
                .map_err(|m| vec![Diagnostic::internal("the clean-up failed").note(m)])?;
            table::follow(function);
        }
        retype::moves_unseen(shop.module, shop.root, registry, &hints);
        if defined().any(retype::moves_words) {
            open = defined().filter(|f| retype::has_open_copies(*f)).collect();
        }
    }
    parted::run(shop.module);
    defined().for_each(merged::tell);
    config.show("load", &shop.module);
    time("load", start);
    let start = Instant::now();
    let name = format!("ct.{number}.{}", sanitised(&found.request.name));
    let order = Order {
        module: shop.module,
        thunk: shop.root,
        request: &found.request,
        name: &name,
        again: found.inner,
        untold: &found.untold,
    };
    let is_open = table::calls_through_pointers(shop.module);
    let root::Outcome { costs, doubts } = match root::make(&order, registry, config) {
        // What a function that is not there may do with memory makes errors of other kinds as well.
        Err(errors) if !bodies.has_all() && (is_open || errors.iter().any(|e| e.code == Code::UnknownPointer)) => {
            return Err(Stop::WantsAll { doubts: false, errors });
        }
        made => made?,
    };
    if config.time && doubts > 0 {
        eprintln!("{doubts:>9} places of {} where something is told at run time only ({detail:?})", found.request.name);
    }
    let ends = shop.module.function(contract::UNSUPPORTED);
    if !bodies.has_all() && ends.is_some_and(|function| !function.value().users().is_empty()) {
        return Err(Stop::WantsAll { doubts: doubts > 0, errors: Vec::new() });
    }
    if doubts > 0 && !may_doubt {
        return Err(Stop::Doubts);
    }
    rules::settle(shop.module);
    unwinds::lower(shop.module);
    if !found.inner {
        guard::lower(shop.module);
        bare::lower(shop.module);
    }
    time("derivative", start);
    let start = Instant::now();
    let internal = |message: String| {
        vec![
            Diagnostic::internal("the derivative cannot be finished")
                .at(Span::of_request(&found.request))
                .note(message),
        ]
    };
    if found.inner {
        taken::note(shop.module);
    }
    let derivative = shop.module.function(&name).map(Function::ty);
    finish::optimise(shop, target, found.inner, finished).map_err(internal)?;
    // A derivative that is differentiated again must be in the program now; to all others a declaration stands in.
    if found.inner {
        finish::link(program, finished).map_err(internal)?;
    } else if let Some(ty) = derivative {
        program.declare(&name, ty);
    }
    time("finish", start);
    match program.function(&name) {
        Some(function) => Ok((function, costs)),
        None => Err(internal(format!("`{name}` got lost on the way into the program")).into()),
    }
}

/// Bytes of floats by the thunk's parameter.
fn hints(found: &Found) -> Vec<u8> {
    let mut hints = Vec::new();
    for param in &found.request.params {
        hints.push(param.floats);
        if param.has_length() {
            hints.push(0);
        }
    }
    hints
}

fn sanitised(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect()
}

/// Puts a call (or invoke) of the derivative in the place of the marker's.
fn replace(found: &Found, derivative: Function) {
    let call = found.call;
    let builder = Builder::before(call);
    builder.set_location_of(Some(call));
    let mut operands: Vec<Value> = Vec::new();
    for group in &found.groups {
        operands.push(group.primal);
        operands.extend(&group.shadows);
        operands.extend(group.length);
    }
    if call.opcode() == Opcode::LLVMInvoke {
        let (normal, unwind) = call.invoke_destinations();
        builder.invoke(derivative, &operands, normal, unwind);
    } else {
        builder.call(derivative, &operands);
    }
    call.erase();
}
