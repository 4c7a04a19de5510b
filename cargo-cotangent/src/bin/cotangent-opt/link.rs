//! One link: merge, differentiate, optimise as the profile asks, emit.
use crate::bodies::Libraries;
use cargo_cotangent::link::exports::Exports;
use cargo_cotangent::link::job::{Job, REPORTED};
use cargo_cotangent::link::natives;
use cargo_cotangent::report::{Report, plain_json, plain_text};
use cargo_cotangent::variables;
use cotangent_contract::{MARKER_FORWARD, MARKER_REVERSE};
use cotangent_engine::Config;
use cotangent_engine::diag::Diagnostic;
use cotangent_engine::llvm::{Context, Module, Place, Target, Tuning};
use std::collections::HashSet;
use std::ffi::OsString;
use std::path::Path;
use std::time::Instant;

/// What stopped a link.
enum Failure {
    /// The program cannot be differentiated.
    Diagnostics(Vec<Diagnostic>),
    /// Anything else.
    Message(String),
}

impl From<String> for Failure {
    fn from(message: String) -> Failure {
        Failure::Message(message)
    }
}

/// Does the job in the file and gives the exit code.
pub fn main(path: Option<OsString>) -> i32 {
    let job = match path.ok_or_else(|| "`link-job` needs a file".to_owned()).and_then(|p| Job::read(Path::new(&p))) {
        Ok(job) => job,
        Err(message) => {
            eprintln!("error: cotangent-opt: {message}");
            return 1;
        }
    };
    let Err(failure) = run(&job) else { return 0 };
    let (json, text) = match failure {
        Failure::Diagnostics(all) => {
            let all = without_repetition(all);
            (
                all.iter().map(|d| d.to_rustc_json() + "\n").collect::<String>(),
                all.iter().map(|d| format!("{d}\n")).collect::<String>(),
            )
        }
        Failure::Message(message) => (plain_json("CT0901", &message), plain_text("CT0901", &message)),
    };
    let written = match &job.report {
        Some(base) => Report::at(base).write(&json, &text).is_ok(),
        None => false,
    };
    if !written {
        eprint!("{text}");
    }
    REPORTED
}

/// One line of a program may be differentiated many times, for many requests: its error is shown once.
fn without_repetition(all: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut seen = HashSet::new();
    let place = |d: &Diagnostic| d.span.as_ref().map(ToString::to_string);
    all.into_iter().filter(|d| seen.insert((d.code.text(), d.message.clone(), place(d)))).collect()
}

fn run(job: &Job) -> Result<(), Failure> {
    let config = Config::from_env();
    let clock = Clock { start: Instant::now(), on: config.time };
    let module = merge(job)?;
    clock.tell("merge");
    hide(module, job)?;
    module.run_passes("globaldce", None, Tuning::default())?;
    clock.tell("internalise");
    if config.dumps("merge") {
        eprintln!("{module}");
    }
    save(module, job, "merged")?;
    let has_requests = has_requests(module);
    let (pipeline, level) = levels(&job.opt_level);
    // Derivatives are optimised in every profile, by the pass and by the code generator.
    let target = target(module, if has_requests { level.max(2) } else { level })?;
    let own = if has_requests { definitions(module) } else { HashSet::new() };
    if has_requests {
        let mut bodies = Libraries::new(module.context(), job.natives.clone());
        crate::tool::differentiate(module, &mut bodies, &config, Some(&target)).map_err(Failure::Diagnostics)?;
        clock.tell("differentiate");
    } else {
        cotangent_engine::load::rules::discard(module);
    }
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
    Ok(())
}

/// Keeps the module beside the object, under `COTANGENT_SAVE`.
fn save(module: Module, job: &Job, stage: &str) -> Result<(), String> {
    if variables::get(variables::SAVE).is_none() {
        return Ok(());
    }
    let path = job.object.with_extension(format!("{stage}.bc"));
    std::fs::write(&path, module.to_bitcode()).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// One module of all the bitcode.
fn merge(job: &Job) -> Result<Module, String> {
    let context = Context::new();
    let mut modules = Vec::new();
    for piece in &job.bitcode {
        modules.push(context.parse_bitcode(&piece.read()?, &piece.name)?);
    }
    // Linking looks at everything in both modules, so neighbours are linked in pairs: with hundreds of small ones, adding each
    // to a growing whole would take quadratic time.
    while modules.len() > 1 {
        for pair in modules.chunks(2) {
            if let [whole, more] = pair {
                whole.link(*more)?;
            }
        }
        modules = modules.into_iter().step_by(2).collect();
    }
    modules.pop().ok_or_else(|| "no bitcode to link".into())
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

fn has_requests(module: Module) -> bool {
    [MARKER_FORWARD, MARKER_REVERSE].iter().any(|name| module.function(name).is_some())
}

/// The pipeline and the code generator's level for an `opt-level`.
fn levels(opt_level: &str) -> (&'static str, u32) {
    match opt_level {
        "0" => ("default<O0>,globaldce", 0),
        "1" => ("default<O1>", 1),
        "2" => ("default<O2>", 2),
        "s" => ("default<Os>", 2),
        "z" => ("default<Oz>", 2),
        _ => ("default<O3>", 3),
    }
}

/// Names of the functions with bodies.
fn definitions(module: Module) -> HashSet<String> {
    module.functions().into_iter().filter(|f| !f.is_declaration()).map(|f| f.name()).collect()
}

/// Keeps the code generator from optimising the program's own functions, in a profile that asks for no optimisation.
fn leave_alone(module: Module, own: &HashSet<String>) {
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

/// The machine that rustc compiled the program for: it notes it on each function.
fn target(module: Module, level: u32) -> Result<Target, String> {
    let noted = module.functions().into_iter().find(|f| f.string_attribute("target-cpu").is_some());
    let attribute = |name: &str| noted.and_then(|f| f.string_attribute(name)).unwrap_or_default();
    Target::new(&module.triple(), &attribute("target-cpu"), &attribute("target-features"), level)
}

/// Prints what a stage of the link took, under `COTANGENT_TIME`.
struct Clock {
    start: Instant,
    on: bool,
}

impl Clock {
    fn tell(&self, stage: &str) {
        if self.on {
            eprintln!("cotangent: {stage} done at {:.1} ms", self.start.elapsed().as_secs_f64() * 1e3);
        }
    }
}
