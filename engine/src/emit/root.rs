//! The function that takes the marker's place, and the derivatives of callees that it needs.
//!
//! In reverse mode the root's two sweeps are one function; callees get two. Around a root that uses the tape stands a wrapper
//! which marks the tape, calls, and releases it, also when the derivative unwinds.
use super::augmented::{Params, Sweep};
use super::reverse::{Forward, Pullback};
use super::session::{Key, Made, Session, active_params, has_adjoint, source_name};
use super::slots;
use super::subject::Subject;
use super::tangent;
use crate::Config;
use crate::analysis::activity::{Interface, ParamActivity, Users};
use crate::analysis::widths;
use crate::diag::{self, Diagnostic, Span};
use crate::llvm::{Builder, Function, Linkage, Module, Place, Type, Value};
use crate::load::unwinds;
use crate::plan::cost::{self, Cost};
use crate::plan::{self, holds_pointer};
use crate::rule::Registry;
use cotangent_contract::{self as contract, Activity, Kind, Mode, Param, Request};

/// What to make.
pub struct Order<'a> {
    /// The workshop.
    pub module: Module,
    /// The thunk's copy in it.
    pub thunk: Function,
    /// What is asked for.
    pub request: &'a Request,
    /// Name of the function that takes the marker's place.
    pub name: &'a str,
    /// Whether the derivative is itself differentiated later.
    pub again: bool,
    /// Sizes of what tells variants behind pointers that nobody keeps in the shadows.
    pub untold: &'a [u64],
}

/// What became of an order.
pub struct Outcome {
    /// What the reverse sweeps keep.
    pub costs: Vec<Cost>,
    /// In how many places it shows at run time only that something cannot be told, and control ends there with a message.
    pub doubts: usize,
}

/// Makes the derivative, a function of the marker's operands behind the request.
///
/// # Errors
/// Everything that cannot be differentiated.
pub fn make(order: &Order, registry: &Registry, config: &Config) -> Result<Outcome, Vec<Diagnostic>> {
    let Order { module, thunk, request, name, .. } = *order;
    widths::settle(module);
    let mut session = Session::new(order, registry, config);
    let mut key = root_key(thunk, request);
    key.interface.untold[1] = order.untold.to_vec();
    let types = operand_types(module, request);
    let body = module.add_function(&format!("{name}.body"), module.context().void().function(&types));
    body.set_linkage(Linkage::LLVMInternalLinkage);
    let params = deal(body, request);
    match request.mode {
        Mode::Reverse => fused(&mut session, &key, body, params)?,
        Mode::Forward => tangent::root(&mut session, &key, body, params)?,
    }
    while let Some((key, made)) = session.next_pending() {
        let done = match made {
            Made::Split { augmented, pullback } => split(&mut session, &key, augmented, pullback),
            Made::Tangent(function) => tangent::callee(&mut session, &key, function),
        };
        match done {
            Err(reasons) if session.is_doubtful() => session.give_up(&key, &reasons),
            done => done.map_err(|errors| led_to(errors, order, key.function))?,
        }
    }
    if let Some(arrays) = session.arrays {
        arrays.separate(module);
    }
    wrap(&mut session, body, name, &types);
    copy_machine(thunk, module);
    if config.check {
        module.verify().map_err(|m| vec![Diagnostic::internal("emission made malformed code").note(m)])?;
    }
    config.show("emit", &module);
    Ok(Outcome { doubts: session.doubts(), costs: session.costs })
}

/// Errors of a callee, with the calls that lead to it. What is wrong in a function of a library stands where the user calls that.
fn led_to(errors: Vec<Diagnostic>, order: &Order, callee: Function) -> Vec<Diagnostic> {
    let calls = diag::calls_between(order.thunk, callee, order.request);
    let unknown = Span::of_request(order.request);
    let led = |mut error: Diagnostic| {
        let mut calls = calls.iter();
        if error.span.as_ref() == Some(&unknown)
            && let Some(call) = calls.next()
        {
            error.span = Some(call.clone());
        }
        calls.fold(error, |error, call| error.note(format!("called at {call}")))
    };
    errors.into_iter().map(led).collect()
}

/// Functions made here are compiled for the same machine as the primal.
fn copy_machine(thunk: Function, module: Module) {
    for function in module.functions() {
        if !function.is_declaration() {
            for key in ["target-cpu", "target-features", "tune-cpu"] {
                if let Some(value) = thunk.string_attribute(key) {
                    function.add_string_attribute(key, &value);
                }
            }
            if thunk.has_attribute(Place::Whole, "uwtable") {
                function.add_attribute(Place::Whole, "uwtable", 2);
            }
        }
    }
}

/// What a thunk is differentiated for.
pub fn root_key(thunk: Function, request: &Request) -> Key {
    let (mut params, mut floats, mut outside, mut results) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for param in &request.params {
        // The result is written, never given: it has no structure yet.
        outside.push([Users::all(param.kind != Kind::Return); 2]);
        results.push(param.kind == Kind::Return);
        params.push(match param.activity {
            Activity::Const => ParamActivity::Const,
            Activity::Dup | Activity::DupOnly => ParamActivity::Dup,
        });
        floats.push(param.floats);
        if param.has_length() {
            params.push(ParamActivity::Const);
            floats.push(0);
            outside.push([Users::default(); 2]);
            results.push(false);
        }
    }
    let width = if request.mode == Mode::Forward { request.width } else { 0 };
    let stable = vec![true; params.len()];
    let mixed = vec![false; params.len()];
    let texts = mixed.clone();
    let constants = vec![[false; 2]; params.len()];
    let fixed = request.mode == Mode::Reverse;
    let leads_on = vec![true; params.len()];
    let (ways, untold) = Default::default();
    let constant_ways = Vec::new();
    let interface =
        Interface { params, result: false, outside, ways, results, constants, constant_ways, leads_on, fixed, untold };
    let plain = floats.iter().map(|bytes| *bytes > 0).collect();
    Key { function: thunk, interface, stable, floats, plain, mixed, texts, width }
}

fn lanes(param: &Param, request: &Request) -> u32 {
    match param.activity {
        Activity::Const => 0,
        _ => request.width.max(1),
    }
}

fn operand_types(module: Module, request: &Request) -> Vec<Type> {
    let (ptr, word) = (module.context().ptr(), module.context().int(64));
    let mut types = Vec::new();
    for param in &request.params {
        types.push(ptr);
        types.extend((0..lanes(param, request)).map(|_| ptr));
        if param.has_length() {
            types.push(word);
        }
    }
    types
}

/// Deals a root's parameters out to the thunk's. At this outermost place every `&mut` is known to be exclusive, and nothing is written
/// through the shared references, so no pointer meets another.
fn deal(body: Function, request: &Request) -> Params {
    let mut operands = body.params().into_iter();
    let mut next = || operands.next();
    let mut params = Params { primal: Vec::new(), shadows: Vec::new() };
    for param in &request.params {
        params.primal.extend(next());
        params.shadows.push((0..lanes(param, request)).filter_map(|_| next()).collect());
        if param.has_length() {
            params.primal.extend(next());
            params.shadows.push(Vec::new());
        }
    }
    for (index, param) in body.params().iter().enumerate() {
        if param.ty().is_pointer() {
            body.add_attribute(Place::Param(index as u32), "noalias", 0);
        }
    }
    params
}

fn fused(session: &mut Session, key: &Key, function: Function, params: Params) -> Result<(), Vec<Diagnostic>> {
    let subject = session.subject(key, true)?;
    let facts = subject.facts();
    let plan = plan::build(&facts);
    session.config.show("plan", &plan);
    session.costs.push(cost::of_plan(&facts, &plan, session.request, None));
    let slots = slots::layout(&facts, &plan);
    let entry = function.append_block("entry");
    let variables = slots.allocate(entry);
    let (turn, done) = (function.append_block("turn"), function.append_block("done"));
    let copies = Params { primal: params.primal.clone(), shadows: params.shadows.clone() };
    let sweep = Sweep::write(session, &subject, &plan, &slots, variables.clone(), function, copies, turn)
        .map_err(|e| vec![e])?;
    let forward = Forward { map: sweep.map, shadows: sweep.shadows };
    let mut pullback = Pullback::new(session, &subject, &plan, &slots, variables, function, params, Some(forward));
    pullback.write(turn, done, None).map_err(|e| vec![e])?;
    Builder::at_end(done).ret_void();
    pullback.finish();
    Ok(())
}

fn split(session: &mut Session, key: &Key, augmented: Function, pullback: Function) -> Result<(), Vec<Diagnostic>> {
    let subject = session.subject(key, false)?;
    let facts = subject.facts();
    let plan = plan::build(&facts);
    session.config.show("plan", &plan);
    session.costs.push(cost::of_plan(&facts, &plan, session.request, Some(source_name(key.function))));
    let slots = slots::layout(&facts, &plan);
    let (offsets, size) = slots.tape(session.module);
    let context = session.module.context();
    let word = context.int(64);

    // The augmented primal: the forward sweep, then everything kept goes onto the tape.
    let entry = augmented.append_block("entry");
    let variables = slots.allocate(entry);
    let turn = augmented.append_block("turn");
    let params = split_params(key, augmented);
    let sweep = Sweep::write(session, &subject, &plan, &slots, variables.clone(), augmented, params, turn)
        .map_err(|e| vec![e])?;
    let (returned, returned_shadow) = (sweep.returned(), sweep.returned_shadow());
    let builder = Builder::at_end(turn);
    let tape = if size == 0 {
        context.ptr().zero()
    } else {
        let alloc = session.runtime(contract::TAPE_ALLOC);
        builder.call(alloc, &[word.int_value(size)])
    };
    for ((ty, offset), variable) in slots.types.iter().zip(&offsets).zip(&variables) {
        let place = builder.gep(context.int(8), tape, &[word.int_value(*offset)]);
        builder.store(builder.load(*ty, *variable), place);
    }
    finish_augmented(&subject, key, &builder, augmented, [returned, returned_shadow, Some(tape)]);

    // The pullback: everything comes off the tape, then the reverse sweep.
    let entry = pullback.append_block("entry");
    let variables = slots.allocate(entry);
    let (turn, done) = (pullback.append_block("turn"), pullback.append_block("done"));
    let builder = Builder::at_end(entry);
    let count = pullback.params().len() as u32;
    let tape = pullback.param(count - 1);
    for ((ty, offset), variable) in slots.types.iter().zip(&offsets).zip(&variables) {
        let place = builder.gep(context.int(8), tape, &[word.int_value(*offset)]);
        builder.store(builder.load(*ty, place), *variable);
    }
    builder.br(turn);
    let seed = has_adjoint(key).then(|| pullback.param(count - 2));
    let params = split_params(key, pullback);
    let mut sweep = Pullback::new(session, &subject, &plan, &slots, variables, pullback, params, None);
    sweep.write(turn, done, seed).map_err(|e| vec![e])?;
    let builder = Builder::at_end(done);
    let adjoints = sweep.param_adjoints(&active_params(key), &builder);
    let result = pullback.ty().result();
    let all = (0u32..).zip(adjoints).fold(result.undef(), |all, (i, a)| builder.insert_value(all, a, i));
    builder.ret(all);
    sweep.finish();
    Ok(())
}

fn finish_augmented(
    subject: &Subject,
    key: &Key,
    builder: &Builder,
    augmented: Function,
    [returned, shadow, tape]: [Option<Value>; 3],
) {
    if subject.func.exit().is_none() {
        builder.unreachable();
        return;
    }
    let result = key.function.ty().result();
    let mut outputs = Vec::new();
    if !result.is_void() {
        outputs.push(returned.unwrap_or(result.undef()));
    }
    if key.interface.result && holds_pointer(result) {
        outputs.push(shadow.unwrap_or(result.undef()));
    }
    outputs.extend(tape);
    let ty = augmented.ty().result();
    let all = (0u32..).zip(outputs).fold(ty.undef(), |all, (i, v)| builder.insert_value(all, v, i));
    builder.ret(all);
}

/// Parameters of an augmented primal or a pullback: the primal's, then the shadows.
fn split_params(key: &Key, function: Function) -> Params {
    let all = function.params();
    let count = key.function.params().len();
    let mut next = count;
    let mut shadows = Vec::new();
    for param in &key.interface.params {
        if *param == ParamActivity::Dup {
            shadows.push(vec![all[next]]);
            next += 1;
        } else {
            shadows.push(Vec::new());
        }
    }
    Params { primal: all[..count].to_vec(), shadows }
}

/// Panics where a tangent is the argument itself: constant memory is told by that.
fn check_apart(session: &Session, builder: &Builder, arguments: &[Value]) {
    let mut next = arguments.iter().copied();
    for param in &session.request.params {
        let Some(primal) = next.next() else { return };
        for lane in next.by_ref().take(lanes(param, session.request) as usize) {
            session.check_apart(builder, primal, lane, None);
        }
        if param.has_length() {
            next.next();
        }
    }
}

/// The function in the marker's place.
fn wrap(session: &mut Session, body: Function, name: &str, types: &[Type]) {
    let module = session.module;
    let root = module.add_function(name, module.context().void().function(types));
    let entry = root.append_block("entry");
    let builder = Builder::at_end(entry);
    let arguments = root.params();
    if session.meets_constants && session.request.mode == Mode::Forward {
        check_apart(session, &builder, &arguments);
    }
    // Where the primal is a derivative or has rules with tapes, its own releases wait for this one.
    let used = |name: &str| module.function(name).is_some_and(|f| !f.value().users().is_empty());
    if !session.uses_tape && ![contract::TAPE_ALLOC, contract::TAPE_GROW, contract::TAPE_DEFER].into_iter().any(used) {
        builder.call(body, &arguments);
        builder.ret_void();
        return;
    }
    let (mark, release) = (session.runtime(contract::TAPE_MARK), session.runtime(contract::TAPE_RELEASE));
    let height = builder.call(mark, &[]);
    let (normal, unwind) = (root.append_block("normal"), root.append_block("unwind"));
    let personality = unwinds::personality(module);
    root.set_personality(Some(personality));
    builder.invoke(body, &arguments, normal, unwind);
    builder.position_at_end(normal);
    builder.call(release, &[height]);
    builder.ret_void();
    builder.position_at_end(unwind);
    let pad = builder.cleanup_pad(personality);
    builder.call(release, &[height]);
    builder.resume(pad);
}
