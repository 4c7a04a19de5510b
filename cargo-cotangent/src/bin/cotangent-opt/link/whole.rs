//! The whole program as one module.
use super::profile::{definitions, leave_alone, levels, target};
use super::{Clock, Failure, merge};
use crate::bodies::Libraries;
use cargo_cotangent::link::exports::Exports;
use cargo_cotangent::link::job::Job;
use cargo_cotangent::link::natives;
use cargo_cotangent::variables;
use cotangent_contract::{MARKER_FORWARD, MARKER_REVERSE, MODEL};
use cotangent_engine::Config;
use cotangent_engine::llvm::{Context, Module, Tuning};
use std::collections::HashSet;
use std::path::PathBuf;

/// Compiles the bitcode to one object.
pub fn compile(job: &Job) -> Result<PathBuf, Failure> {
    let config = Config::from_env();
    let clock = Clock::new(config.time);
    let context = Context::new();
    let mut modules = Vec::new();
    for piece in &job.bitcode {
        modules.push(context.parse_bitcode(&piece.read()?, &piece.name)?);
    }
    let module = merge(context, modules)?;
    clock.tell("merge");
    hide(module, job)?;
    module.run_passes("globaldce", None, Tuning::default())?;
    clock.tell("internalise");
    if config.dumps("merge") {
        eprintln!("{module}");
    }
    save(module, job, "merged")?;
    let has_requests = [MARKER_FORWARD, MARKER_REVERSE].iter().any(|name| module.function(name).is_some());
    let (pipeline, level) = levels(&job.opt_level);
    // Derivatives are optimised in every profile, by the pass and by the code generator.
    let target = target(module, if has_requests { level.max(2) } else { level })?;
    let own = if has_requests { definitions(module) } else { HashSet::new() };
    if has_requests {
        let mut bodies = Libraries::new(context, job.natives.clone());
        let costs =
            crate::tool::differentiate(module, &mut bodies, &config, Some(&target)).map_err(Failure::Diagnostics)?;
        tell_costs(job, &costs)?;
        clock.tell("differentiate");
    } else {
        cotangent_engine::load::rules::discard(module);
    }
    drop_models(module, job)?;
    if !job.debug_info {
        module.strip_debug();
    }
    module.run_passes(pipeline, Some(&target), Tuning::default())?;
    clock.tell("optimise");
    if has_requests && level == 0 {
        leave_alone(module, &own);
    }
    target.emit_object(module, &job.object)?;
    clock.tell("emit");
    Ok(job.object.clone())
}

/// Takes out the functions that only derivatives are made from, once these are there; but not those that rustc has the linker export.
pub fn drop_models(module: Module, job: &Job) -> Result<(), String> {
    let Exports::Named(exported) = &job.exports else { return Ok(()) };
    let exported: HashSet<&str> = exported.iter().map(String::as_str).collect();
    module.internalise(|name| !name.starts_with(MODEL) || exported.contains(name));
    module.run_passes("globaldce", None, Tuning::default())
}

/// Leaves what the reverse sweeps keep beside the program, for `explain --plan`.
pub fn tell_costs(job: &Job, costs: &str) -> Result<(), String> {
    let path = job.costs();
    std::fs::write(&path, costs).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Keeps the module beside the object, under `COTANGENT_SAVE`.
pub fn save(module: Module, job: &Job, stage: &str) -> Result<(), String> {
    if variables::get(variables::SAVE).is_none() {
        return Ok(());
    }
    let path = job.object.with_extension(format!("{stage}.bc"));
    std::fs::write(&path, module.to_bitcode()).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Makes internal what nobody outside the module can name, so that the optimiser may drop or change it.
fn hide(module: Module, job: &Job) -> Result<(), String> {
    let Exports::Named(names) = &job.exports else { return Ok(()) };
    let defined = module.visible_definitions();
    let mut stays: HashSet<String> = natives::needed(&job.natives, &defined)?;
    stays.extend(names.iter().cloned());
    stays.extend(module.used());
    let assembly = module.assembly();
    // Without a mangled name it was given one by hand, which is done for somebody outside Rust.
    module.internalise(|name| stays.contains(name) || !is_mangled(name) || assembly.contains(name));
    Ok(())
}

fn is_mangled(name: &str) -> bool {
    name.starts_with("_R") || name.starts_with("_ZN")
}
