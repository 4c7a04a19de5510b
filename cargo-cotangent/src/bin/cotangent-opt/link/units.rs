//! An object for each unit of bitcode.
//!
//! A unit without marker calls is compiled as it is, once for as long as it stays the same. Those with marker calls are merged with everything
//! that derivatives are made from ([`super::reach`]), differentiated, and what belongs to the others is taken out again: one
//! object more, which is kept as long as nothing that it was made from has changed.
//!
//! Code that is compiled apart must be able to name what is internal to a unit: everything internal gets a name of its own, made
//! from the unit's, and is hidden from other libraries only.
use super::profile::{definitions, keep_debug, leave_alone, levels, optimise, target};
use super::reach::{self, Reached};
use super::stock::Stock;
use super::whole::{drop_models, save, tell_costs, wanted_outside};
use super::{Clock, Failure, apart, merge};
use crate::bodies::Libraries;
use cargo_cotangent::link::cache::{Cache, key};
use cargo_cotangent::link::job::{COSTS, Job};
use cargo_cotangent::link::unit::{Notes, Unit, mark};
use cargo_cotangent::variables;
use cotangent_contract::{MARKER_FORWARD, MARKER_REVERSE, RULE_FOR};
use cotangent_engine::Config;
use cotangent_engine::diag::Diagnostic;
use cotangent_engine::llvm::{Context, Module, Target, Tuning};
use cotangent_engine::load::layout::kept;
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::UNIX_EPOCH;

/// Compiles the bitcode to objects, those that are kept in the folder excepted.
pub fn compile(job: &Job, incremental: &Path) -> Result<Vec<PathBuf>, Failure> {
    let config = Config::from_env();
    let clock = Clock::new(config.time);
    let cache = Cache::open(incremental, &job.object.with_extension("").with_extension(""))?;
    let settings = settings(job, &config)?;
    let mut units = Vec::new();
    for piece in &job.bitcode {
        units.push(Unit::read(piece, &settings)?);
    }
    let mut keys: Vec<String> = units.iter().map(|unit| unit.key.clone()).collect();
    cache.claim(&keys)?;
    clock.tell("read");
    compile_units(&mut units, job, &cache)?;
    clock.tell("units");
    let plain = units.iter().filter(|unit| !unit.notes.has_markers);
    let mut objects: Vec<PathBuf> = plain.map(|unit| cache.path(&unit.key, "o")).collect();
    if units.iter().any(|unit| unit.notes.has_markers) {
        let made = derivatives(&units, &settings, job, &cache, &config, &clock)?;
        objects.extend(made.iter().map(|key| cache.path(key, "o")).filter(|object| object.exists()));
        keys.extend(made);
    }
    cache.settle(&keys)?;
    Ok(objects)
}

/// What decides, beside its bitcode, what an object looks like.
fn settings(job: &Job, config: &Config) -> Result<String, String> {
    let driver = std::env::current_exe().map_err(|error| error.to_string())?;
    let Config { check, exact, .. } = config;
    let exports = &job.exports;
    Ok(format!("{} {} {check} {exact} {} {exports:?}", job.opt_level, job.debug_info.text(), stamp(&driver)))
}

/// A file's name, size and time.
fn stamp(path: &Path) -> String {
    let data = std::fs::metadata(path).ok();
    let modified = data.as_ref().and_then(|d| d.modified().ok()?.duration_since(UNIX_EPOCH).ok());
    format!("{} {:?} {:?}", path.display(), data.map(|d| d.len()), modified.map(|m| m.as_nanos()))
}

/// Reads the notes of all units, and makes the objects and notes that are not there.
fn compile_units(units: &mut [Unit], job: &Job, cache: &Cache) -> Result<(), String> {
    let mut missing: Vec<&mut Unit> = Vec::new();
    for unit in units {
        match std::fs::read_to_string(cache.path(&unit.key, "unit")) {
            Ok(text) => {
                unit.notes = Notes::parse(&text);
                if !unit.notes.has_markers && !cache.path(&unit.key, "o").exists() {
                    missing.push(unit);
                }
            }
            Err(_) => missing.push(unit),
        }
    }
    // Large ones first, so that none is left to run alone.
    missing.sort_by_key(|unit| std::cmp::Reverse(unit.bytes.len()));
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(missing.len());
    let missing: Vec<Mutex<&mut Unit>> = missing.into_iter().map(Mutex::new).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(unit) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
            // Each is taken once, so nobody waits and nobody can have panicked with it.
            let mut unit = unit.lock().map_err(|_| "a compiling thread has failed".to_owned())?;
            unit.notes = compile_unit(&unit, job, cache)?;
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let results =
            workers.into_iter().map(|worker| worker.join().map_err(|_| "a compiling thread has failed".to_owned())?);
        results.collect()
    })
}

/// Makes the notes of a unit, and its object where it is a plain one.
fn compile_unit(unit: &Unit, job: &Job, cache: &Cache) -> Result<Notes, String> {
    let context = Context::new();
    let module = context.parse_bitcode(&unit.bytes, &unit.name)?;
    module.expose(&mark(&unit.name));
    let mut symbols: Vec<String> = module.lasting_definitions().into_iter().collect();
    symbols.sort_unstable();
    let notes = Notes { has_markers: has_markers(module), symbols };
    if !notes.has_markers {
        cotangent_engine::load::rules::discard(module);
        lower_kept(module)?;
        let (pipeline, level) = levels(&job.opt_level);
        let target = target(module, level)?;
        keep_debug(module, job.debug_info)?;
        module.run_passes(pipeline, Some(&target), Tuning::default())?;
        cache.put(&cache.path(&unit.key, "o"), |path| target.emit_object(module, path))?;
    }
    module.dispose();
    context.dispose();
    cache.put_text(&cache.path(&unit.key, "unit"), &notes.text())?;
    Ok(notes)
}

/// What a derivative has done to a shadow before it begins may lie in another unit than the derivative.
pub fn lower_kept(module: Module) -> Result<(), String> {
    let said = |errors: Vec<Diagnostic>| errors.iter().map(Diagnostic::to_string).collect::<Vec<_>>().join("\n");
    kept::lower(module).map_err(said)
}

/// A function with a rule is like any other where nothing is differentiated.
fn has_markers(module: Module) -> bool {
    [MARKER_FORWARD, MARKER_REVERSE].iter().any(|name| module.function(name).is_some())
        || module.globals().iter().any(|global| global.name().contains(RULE_FOR))
}

/// What the list of the units that were reached begins with, where that are all.
const ALL: &str = "*\n";

/// The objects of the units with marker calls, by their names in the cache. In a profile without optimisation that of large derivatives comes first, of which there
/// may be none, and so no object.
fn derivatives(
    units: &[Unit],
    settings: &str,
    job: &Job,
    cache: &Cache,
    config: &Config,
    clock: &Clock,
) -> Result<Vec<String>, Failure> {
    let libraries = job.natives.iter().filter(|path| path.extension().is_some_and(|e| e == "rlib" || e == "a"));
    let stamps: String = libraries.map(|path| stamp(path)).collect();
    let names = |reached: &[usize]| {
        let mut parts = vec![settings.as_bytes(), stamps.as_bytes()];
        parts.extend(reached.iter().map(|number| units[*number].key.as_bytes()));
        let first = key(&parts);
        match levels(&job.opt_level) {
            (_, 0) => vec![key(&[first.as_bytes(), b"large"]), first],
            _ => vec![first],
        }
    };
    let observed = config.time || !config.dump.is_empty() || variables::get(variables::SAVE).is_some();
    if let Some(last) = reached_last_time(units, cache).filter(|_| !observed) {
        let keys = names(&last);
        cache.claim(&keys)?;
        if keys.last().is_some_and(|key| cache.path(key, "o").exists()) {
            // Without this file the object is as good.
            let costs = keys.last().map(|key| std::fs::read_to_string(cache.path(key, COSTS)).unwrap_or_default());
            tell_costs(job, &costs.unwrap_or_default())?;
            return Ok(keys);
        }
    }
    let mut reached = reach::reach(units)?;
    clock.tell("reach");
    let made = match differentiate(units, &reached, false, job, config, clock)? {
        Attempt::Made(made) => made,
        Attempt::WantsAll { exact } => {
            // What a pointer may lead to can be anywhere in the program.
            reached = program(units, job)?;
            clock.tell("reach all");
            let config = Config { exact_for: exact, ..config.clone() };
            match differentiate(units, &reached, true, job, &config, clock)? {
                Attempt::Made(made) => made,
                Attempt::WantsAll { .. } => {
                    Err("the pass asks for more than there is: this is a mistake of the driver".to_owned())?
                }
            }
        }
    };
    let Made { module, target, own, consulted, costs } = made;
    // Sorted and each once, as the next link reads them.
    let numbers: Vec<usize> =
        reached.keys().copied().chain(consulted).collect::<BTreeSet<usize>>().into_iter().collect();
    let keys = names(&numbers);
    cache.claim(&keys)?;
    // Before the other one: where that is there, this one is, if there is one.
    if let [large, _] = &keys[..]
        && let Some(taken) = apart::take(module, &own, large)?
    {
        cache.put(&cache.path(large, "o"), |path| apart::emit(taken, path))?;
    }
    if let Some(key) = keys.last() {
        cache.put(&cache.path(key, "o"), |path| target.emit_object(module, path))?;
        cache.put_text(&cache.path(key, COSTS), &costs)?;
    }
    tell_costs(job, &costs)?;
    clock.tell("emit");
    let names: Vec<&str> = numbers.iter().map(|number| units[*number].name.as_str()).collect();
    let head = if reached.len() == units.len() { ALL } else { "" };
    cache.put_text(&cache.own("reach"), &format!("{head}{}", names.join("\n")))?;
    Ok(keys)
}

/// What comes of the units that were reached.
enum Attempt {
    Made(Made),
    /// Nothing yet: a pointer may lead to what was not reached. With what is known by then ([`Config::exact_for`]).
    WantsAll {
        exact: BTreeSet<String>,
    },
}

/// The units with marker calls, differentiated.
struct Made {
    module: Module,
    target: Target,
    /// Names of the functions that are no derivatives.
    own: HashSet<String>,
    /// Units beside those that were reached whose bodies the pass has asked for.
    consulted: Vec<usize>,
    /// What the reverse sweeps keep.
    costs: String,
}

/// All units, with what of them the program may come to.
fn program(units: &[Unit], job: &Job) -> Result<Reached, String> {
    let defined = units.iter().flat_map(|unit| unit.notes.symbols.iter().cloned()).collect();
    match wanted_outside(job, &defined)? {
        Some(wanted) => reach::reach_all(units, &wanted),
        None => Ok(everything(units)),
    }
}

/// All units with all that they define.
fn everything(units: &[Unit]) -> Reached {
    let names = |unit: &Unit| {
        let mark = mark(&unit.name);
        let plain = |symbol: &String| symbol.strip_suffix(mark.as_str()).unwrap_or(symbol).to_owned();
        unit.notes.symbols.iter().map(plain).collect()
    };
    units.iter().enumerate().map(|(number, unit)| (number, names(unit))).collect()
}

/// The units that the last link's derivatives were made from, where all of them are still there. If none of them has changed, nothing new can be
/// reached from them: what is called has a new place only if its old one has changed. Where the program as a whole was looked at, any unit that has come since may
/// have an entry of its own.
fn reached_last_time(units: &[Unit], cache: &Cache) -> Option<Vec<usize>> {
    let text = std::fs::read_to_string(cache.own("reach")).ok()?;
    let (is_all, names) = match text.strip_prefix(ALL) {
        Some(names) => (true, names),
        None => (false, text.as_str()),
    };
    let place = |name: &str| units.iter().position(|unit| unit.name == name);
    let reached: Vec<usize> = names.lines().map(place).collect::<Option<_>>()?;
    if is_all && reached.len() != units.len() {
        return None;
    }
    let mut marked = units.iter().enumerate().filter(|(_, unit)| unit.notes.has_markers);
    marked.all(|(number, _)| reached.contains(&number)).then_some(reached)
}

/// The units with marker calls as one module, with derivatives, ready to be emitted.
fn differentiate(
    units: &[Unit],
    reached: &Reached,
    has_all: bool,
    job: &Job,
    config: &Config,
    clock: &Clock,
) -> Result<Attempt, Failure> {
    let context = Context::new();
    let mut modules = Vec::new();
    let mut elsewhere: HashSet<&str> = HashSet::new();
    for (unit, names) in reached.iter().map(|(number, names)| (&units[*number], names)) {
        let module = context.parse_bitcode_lazily(&unit.bytes, &unit.name)?;
        let mark = mark(&unit.name);
        module.expose(&mark);
        if !unit.notes.has_markers {
            module.offer(|name| names.contains(name.strip_suffix(mark.as_str()).unwrap_or(name)));
            elsewhere.extend(unit.notes.symbols.iter().map(String::as_str));
        }
        // Linking reads the bodies that are wanted, of the module that is taken in: not those of the one that takes.
        let read = context.module(&unit.name);
        read.copy_target(module);
        read.link(module)?;
        modules.push(read);
    }
    let module = merge(context, modules)?;
    clock.tell("merge");
    if config.dumps("merge") {
        eprintln!("{module}");
    }
    save(module, job, "merged")?;
    let (pipeline, level) = levels(&job.opt_level);
    // Derivatives are optimised in every profile, by the pass and by the code generator.
    let target = target(module, level.max(2))?;
    let own = definitions(module);
    let mut bodies = Stock::new(context, Libraries::new(context, job.natives.clone()), has_all);
    // Nothing in the program's own calls leads to the bodies of these; what the pass puts in the place of other functions does.
    let numbers: Vec<usize> = (0..units.len()).filter(|number| !units[*number].notes.has_markers).collect();
    for unit in numbers.iter().map(|number| &units[*number]) {
        bodies.add(&unit.name, &unit.bytes, &unit.notes.symbols);
    }
    let outcome =
        crate::tool::differentiate(module, &mut bodies, config, Some(&target)).map_err(Failure::Diagnostics)?;
    if outcome.wants_all {
        return Ok(Attempt::WantsAll { exact: outcome.exact });
    }
    let costs = crate::tool::costs(&outcome);
    let consulted = bodies.consulted().map(|number| numbers[number]).collect();
    clock.tell("differentiate");
    drop_models(module, job)?;
    module.forget(|name| elsewhere.contains(name))?;
    keep_debug(module, job.debug_info)?;
    optimise(module, pipeline, &target, &own)?;
    clock.tell("optimise");
    if level == 0 {
        leave_alone(module, &own);
    }
    Ok(Attempt::Made(Made { module, target, own, consulted, costs }))
}
