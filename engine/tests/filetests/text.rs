//! The text of derivatives and of errors.
use crate::case::{Case, REGISTRY};
use cotangent_contract::{Activity, Mode};
use cotangent_engine::analysis::memory::Summaries;
use cotangent_engine::analysis::widths::Widths;
use cotangent_engine::diag::Diagnostic;
use cotangent_engine::emit::root::{self, Order};
use cotangent_engine::llvm::{Function, Module, Tuning};
use cotangent_engine::load::layout::Detail;
use cotangent_engine::load::survey::Survey;
use cotangent_engine::load::{realloc, requests, retype, workshop};
use cotangent_engine::{Config, NoBodies};
use std::collections::BTreeMap;

/// Emission checks what it makes.
fn checking() -> Config {
    Config { check: true, ..Config::default() }
}

/// Adds the derivative to the module of a case: `@d`, which calls `@d.body`.
///
/// # Errors
/// What is wrong with the case, or cannot be differentiated.
pub fn derive(case: &Case, mode: Mode) -> Result<Module, String> {
    let module = case.module()?;
    let request = case.request(mode);
    let thunk = case.thunk(module, &request)?;
    let order = Order { module, thunk, request: &request, name: "d", again: false, untold: &[] };
    let made = root::make(&order, &REGISTRY, &checking());
    made.map_err(|all| all.iter().map(|d| format!("{d}\n")).collect::<String>())?;
    Ok(module)
}

/// The same, of what the pipeline's first stages make of the case.
///
/// # Errors
/// As for [`derive`].
pub fn derive_cleaned_up(case: &Case, mode: Mode) -> Result<Module, String> {
    let program = case.program(mode)?;
    let text = |all: Vec<Diagnostic>| all.iter().map(|d| format!("{d}\n")).collect::<String>();
    let found = requests::find(program).map_err(text)?;
    let shop =
        workshop::build(&Survey::new(program, &REGISTRY), &found[0], &mut NoBodies, 0, Detail::Plain).map_err(text)?;
    realloc::split(shop.module, &REGISTRY);
    let mut hints = Vec::new();
    for param in &found[0].request.params {
        hints.push(param.floats);
        hints.extend(param.has_length().then_some(0));
    }
    let (summaries, mut widths) = (Summaries::new(&REGISTRY), Widths::of(shop.module));
    for function in shop.module.functions().into_iter().filter(|f| !f.is_declaration()) {
        let hints = if function == shop.root { &hints[..] } else { &[] };
        retype::moves(shop.module, function, &REGISTRY, &summaries, hints, &mut widths);
    }
    let order = Order {
        module: shop.module,
        thunk: shop.root,
        request: &found[0].request,
        name: "d",
        again: false,
        untold: &[],
    };
    root::make(&order, &REGISTRY, &checking()).map_err(text)?;
    Ok(shop.module)
}

/// The functions that emission added, after a clean-up that only makes them shorter. With `wrapper`, the function around them too.
pub fn emit(case: &Case) -> Result<String, String> {
    let before: Vec<String> = case.module()?.functions().iter().map(|f| f.name()).collect();
    let module = derive(case, case.mode.ok_or("`emit` has a mode")?)?;
    name_params(case, module);
    module.run_passes("function(sroa,early-cse,instsimplify,simplifycfg,adce)", None, Tuning::default())?;
    let mut text = String::new();
    for function in module.functions() {
        let name = function.name();
        let added = !function.is_declaration() && !before.contains(&name);
        if added && (name != "d" || case.has("wrapper")) {
            text += function.value().to_string().trim();
            text += "\n";
        }
    }
    Ok(text)
}

/// Calls the derivative's parameters after the thunk's, shadows with a `d` in front.
fn name_params(case: &Case, module: Module) {
    let (Some(thunk), Some(body)) = (module.function("f"), module.function("d.body")) else { return };
    let request = case.request(case.mode.unwrap_or(Mode::Reverse));
    let mut names = thunk.params().into_iter().map(|p| p.name());
    let mut given = Vec::new();
    for param in &request.params {
        let name = names.next().unwrap_or_default();
        given.push(name.clone());
        if param.activity != Activity::Const {
            given.extend((0..request.width).map(|_| format!("d{name}")));
        }
        if param.has_length() {
            given.extend(names.next());
        }
    }
    body.params().into_iter().zip(given).for_each(|(param, name)| param.set_name(&name));
}

/// How often each instruction occurs in a function; the `ret` and blocks do not count.
fn instructions(function: Function) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for instruction in function.blocks().into_iter().flat_map(|b| b.instructions()) {
        let name = match instruction.called_function() {
            // A remark, no instruction.
            Some(callee) if callee.name().starts_with("llvm.experimental.noalias") => continue,
            Some(callee) => callee.name(),
            None => format!("{:?}", instruction.opcode()).trim_start_matches("LLVM").to_lowercase(),
        };
        *counts.entry(name).or_insert(0) += 1;
    }
    counts
}

/// Counts instructions of the optimised derivative and of `@hand`, the same written by hand.
///
/// # Errors
/// The derivative has more of them.
pub fn count(case: &Case) -> Result<String, String> {
    let program = case.program(case.mode.ok_or("`count` has a mode")?)?;
    cotangent_engine::differentiate(program, &mut NoBodies, &REGISTRY, &checking(), None)
        .map_err(|all| all.iter().map(|d| format!("{d}\n")).collect::<String>())?;
    // No target: whether neighbours are put into a vector is left to its costs, and says nothing of the derivative.
    program.run_passes("default<O3>", None, Tuning::default())?;
    let of = |name: &str| program.function(name).map(instructions).ok_or(format!("there is no `@{name}`"));
    let (ours, hand) = (of("ask")?, of("hand")?);
    let total = |counts: &BTreeMap<String, usize>| counts.values().sum::<usize>();
    let line = |title: &str, counts: &BTreeMap<String, usize>| {
        let each: Vec<String> = counts.iter().map(|(name, count)| format!("{count} {name}")).collect();
        format!("{title}: {} instructions: {}\n", total(counts), each.join(", "))
    };
    let text = line("derivative", &ours) + &line("by hand", &hand);
    if total(&ours) > total(&hand) {
        let text_of = |name: &str| program.function(name).map(|f| f.value().to_string()).unwrap_or_default();
        return Err(format!(
            "the derivative is longer than it could be\n{text}\n{}",
            text_of("ask") + &text_of("hand")
        ));
    }
    Ok(text)
}

/// What is wrong, as the user sees it; with `as-it-is`, of the IR as it is written.
///
/// # Errors
/// Nothing is wrong.
pub fn error(case: &Case) -> Result<String, String> {
    let mode = case.mode.unwrap_or(Mode::Reverse);
    if case.has("as-it-is") {
        return derive(case, mode).map_or_else(Ok, |_| Err("this can be differentiated".into()));
    }
    let program = case.program(mode)?;
    match cotangent_engine::differentiate(program, &mut NoBodies, &REGISTRY, &checking(), None) {
        Ok(_) => Err("this can be differentiated".into()),
        Err(all) => Ok(all.iter().map(|d| d.to_string()).collect()),
    }
}
