//! The whole program as one module.
use super::profile::{definitions, keep_debug, leave_alone, levels, optimise, target};
use super::stock::Stock;
use super::units::lower_kept;
use super::{Clock, Failure, merge};
use crate::bodies::Libraries;
use cargo_cotangent::link::exports::Exports;
use cargo_cotangent::link::job::{Job, Piece};
use cargo_cotangent::link::unit::lasting_name;
use cargo_cotangent::link::{archive, natives};
use cargo_cotangent::variables;
use cotangent_contract::{MARKER_FORWARD, MARKER_REVERSE, MODEL, RULE_FOR};
use cotangent_engine::Config;
use cotangent_engine::llvm::{Context, Module, Tuning};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

/// Compiles the bitcode to one object.
pub fn compile(job: &Job) -> Result<PathBuf, Failure> {
    let config = Config::from_env();
    let clock = Clock::new(config.time);
    let context = Context::new();
    let (own, members) = sort(job)?;
    let mut modules = Vec::new();
    for piece in own {
        modules.push(context.parse_bitcode(&piece.read()?, &piece.name)?);
    }
    let module = merge(context, modules)?;
    let mut stock = Stock::new(context, Libraries::new(context, job.natives.clone()), true);
    for member in &members {
        stock.add(&member.name, &member.bytes, &member.symbols);
    }
    clock.tell("merge");
    let mut defined = module.visible_definitions();
    defined.extend(stock.symbols().cloned());
    let wanted = wanted_outside(job, &defined)?;
    hide(module, wanted.as_ref());
    module.run_passes("globaldce", None, Tuning::default())?;
    clock.tell("internalise");
    let mut first = stock.variables_with(RULE_FOR)?;
    first.extend(wanted.iter().flatten().cloned());
    first.sort_unstable();
    stock.take(module, first)?;
    clock.tell("take");
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
        let outcome =
            crate::tool::differentiate(module, &mut stock, &config, Some(&target)).map_err(Failure::Diagnostics)?;
        tell_costs(job, &crate::tool::costs(&outcome))?;
        clock.tell("differentiate");
        stock.take(module, Vec::new())?;
        lower_kept(module)?;
        clock.tell("take for derivatives");
    } else {
        cotangent_engine::load::rules::discard(module);
    }
    hide(module, wanted.as_ref());
    drop_models(module, job)?;
    clock.tell("drop");
    keep_debug(module, job.debug_info)?;
    optimise(module, pipeline, &target, &own)?;
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

/// What the names of models and of what derivatives call begin with.
const OWN: &str = "__ct_";

/// A library's member.
struct Member {
    name: String,
    bytes: Vec<u8>,
    /// What it defines for others.
    symbols: Vec<String>,
}

/// The bitcode of the program's own, and that of libraries, of which only what is needed is taken; none where a link
/// shows everything that there is, or has only libraries, or one of them does not say what it has.
fn sort(job: &Job) -> Result<(Vec<&Piece>, Vec<Member>), String> {
    let all = || job.bitcode.iter().collect();
    let (members, own): (Vec<&Piece>, Vec<&Piece>) = job.bitcode.iter().partition(|piece| piece.is_member());
    if own.is_empty() || job.exports == Exports::All {
        return Ok((all(), Vec::new()));
    }
    let mut found = Vec::new();
    let mut indices = HashMap::new();
    for piece in members {
        let index = match indices.entry(&piece.path) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => match archive::index(&piece.path)? {
                Some(index) => place.insert(index),
                None => return Ok((all(), Vec::new())),
            },
        };
        let symbols = index.remove(&piece.offset).unwrap_or_default();
        found.push(Member { name: lasting_name(&piece.name).to_owned(), bytes: piece.read()?, symbols });
    }
    Ok((own, found))
}

/// The symbols that somebody outside of the bitcode names; nothing where that may be any.
pub fn wanted_outside(job: &Job, defined: &HashSet<String>) -> Result<Option<HashSet<String>>, String> {
    let Exports::Named(names) = &job.exports else { return Ok(None) };
    let mut wanted = natives::needed(&job.natives, defined)?;
    // rustc has a linker keep whatever has a name given by hand; these are called by derivatives alone.
    wanted.retain(|name| !name.starts_with(OWN));
    wanted.extend(names.iter().cloned());
    Ok(Some(wanted))
}

/// Makes internal what nobody outside the module can name, so that the optimiser may drop or change it.
fn hide(module: Module, wanted: Option<&HashSet<String>>) {
    let Some(wanted) = wanted else { return };
    let entries = Entries::of(module, wanted);
    module.internalise(|name| entries.has(name));
}

/// The definitions of a module by which somebody outside of the bitcode may come in.
pub struct Entries<'a> {
    wanted: &'a HashSet<String>,
    used: HashSet<String>,
    assembly: String,
}

impl Entries<'_> {
    /// Those of a module; `wanted` is what is named outside.
    pub fn of(module: Module, wanted: &HashSet<String>) -> Entries<'_> {
        Entries { wanted, used: module.used(), assembly: module.assembly() }
    }

    /// Whether what has this name is one.
    pub fn has(&self, name: &str) -> bool {
        // Without a mangled name it was given one by hand, which is done for somebody outside Rust.
        let is_by_hand = !(is_mangled(name) || name.starts_with(OWN));
        let is_named = self.wanted.contains(name) || self.used.contains(name) || self.assembly.contains(name);
        is_named || is_by_hand || is_rustcs(name)
    }
}

fn is_mangled(name: &str) -> bool {
    name.starts_with("_R") || name.starts_with("_ZN")
}

/// Whether rustc made a function for the program at hand that its libraries call, such as the allocator's.
fn is_rustcs(name: &str) -> bool {
    name.starts_with("_R") && name.contains("7___rustc")
}
