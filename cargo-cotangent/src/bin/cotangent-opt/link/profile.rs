//! What the profile says about machine code.
use cargo_cotangent::link::job::DebugInfo;
use cotangent_engine::llvm::{Function, Module, Place, Target, Tuning};
use cotangent_engine::load::finish::is_large;
use std::collections::HashSet;

/// The pipeline and the code generator's level for an `opt-level`.
pub fn levels(opt_level: &str) -> (&'static str, u32) {
    match opt_level {
        "0" => ("default<O0>,globaldce", 0),
        "1" => ("default<O1>", 1),
        "2" => ("default<O2>", 2),
        "s" => ("default<Os>", 2),
        "z" => ("default<Oz>", 2),
        _ => ("default<O3>", 3),
    }
}

/// Removes the debug information that the user did not ask for.
///
/// # Errors
/// LLVM's message where it does not know a pass.
pub fn keep_debug(module: Module, asked: DebugInfo) -> Result<(), String> {
    match asked {
        DebugInfo::None => module.strip_debug(),
        DebugInfo::Lines => module.run_passes("strip-nonlinetable-debuginfo", None, Tuning::default())?,
        DebugInfo::Full => {}
    }
    Ok(())
}

/// What keeps the optimiser from a function.
const LEFT_OUT: [&str; 2] = ["noinline", "optnone"];

/// What a function must not say beside that.
const NOT_WITH_THESE: [&str; 3] = ["alwaysinline", "optsize", "minsize"];

/// Names of the functions with bodies.
pub fn definitions(module: Module) -> HashSet<String> {
    module.functions().into_iter().filter(|f| !f.is_declaration()).map(|f| f.name()).collect()
}

/// Keeps the code generator from optimising the program's own functions, in a profile that asks for no optimisation.
pub fn leave_alone(module: Module, own: &HashSet<String>) {
    for function in module.functions() {
        let is_own = !function.is_declaration() && own.contains(&function.name());
        if is_own && !function.has_attribute(Place::Whole, "alwaysinline") {
            for contradiction in ["optsize", "minsize", "inlinehint"] {
                function.remove_attribute(Place::Whole, contradiction);
            }
            function.add_attribute(Place::Whole, "noinline", 0);
            function.add_attribute(Place::Whole, "optnone", 0);
        }
    }
}

/// Optimises the program as its profile asks. Large derivatives, which are optimised already, are left as they are: with `own`, the functions of
/// the program, they are those that are not among these.
///
/// # Errors
/// LLVM's message where it does not know a pass.
pub fn optimise(module: Module, pipeline: &str, target: &Target, own: &HashSet<String>) -> Result<(), String> {
    let is_done = |f: &Function| !f.is_declaration() && !own.contains(&f.name()) && is_large(*f);
    let has = |f: &Function, attribute: &str| f.has_attribute(Place::Whole, attribute);
    let mut done = if own.is_empty() { Vec::new() } else { module.functions() };
    done.retain(|f| is_done(f) && !LEFT_OUT.iter().chain(&NOT_WITH_THESE).any(|attribute| has(f, attribute)));
    for function in &done {
        LEFT_OUT.iter().for_each(|attribute| function.add_attribute(Place::Whole, attribute, 0));
    }
    let names: Vec<String> = done.iter().map(|f| f.name()).collect();
    module.run_passes(pipeline, Some(target), Tuning::default())?;
    for function in names.iter().filter_map(|name| module.function(name)) {
        LEFT_OUT.iter().for_each(|attribute| function.remove_attribute(Place::Whole, attribute));
    }
    Ok(())
}

/// The machine that rustc compiled a module for: it notes it on each function.
///
/// # Errors
/// LLVM does not know it.
pub fn target(module: Module, level: u32) -> Result<Target, String> {
    let noted = module.functions().into_iter().find(|f| f.string_attribute("target-cpu").is_some());
    let attribute = |name: &str| noted.and_then(|f| f.string_attribute(name)).unwrap_or_default();
    Target::new(&module.triple(), &attribute("target-cpu"), &attribute("target-features"), level)
}
