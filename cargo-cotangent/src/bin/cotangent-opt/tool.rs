//! The tool for people.
use crate::bodies::Libraries;
use clap::{Args, Parser, Subcommand};
use cotangent_engine::diag::{self, Diagnostic};
use cotangent_engine::llvm::{Context, Module, Target, Tuning};
use cotangent_engine::{Bodies, Config, Outcome};
use std::path::{Path, PathBuf};

/// Works on lone modules of LLVM IR (`.ll`, `.bc`).
#[derive(Parser)]
#[command(name = "cotangent-opt", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Replace the marker calls of a module by calls of derivatives.
    Differentiate {
        #[command(flatten)]
        files: Files,
        /// Stages to print on standard error, separated by commas.
        #[arg(long, value_delimiter = ',')]
        dump: Vec<String>,
        /// Run LLVM's verifier between the stages.
        #[arg(long)]
        check: bool,
        /// Libraries with bodies of functions that the module calls.
        #[arg(long, num_args = 1..)]
        bodies: Vec<PathBuf>,
        /// Optimise the result as a release build does.
        #[arg(short = 'O', long)]
        optimise: bool,
    },
    /// Run a pipeline of LLVM's passes, in LLVM's own notation.
    Passes {
        #[command(flatten)]
        files: Files,
        /// The pipeline, such as `default<O2>` or `function(sroa,gvn)`.
        #[arg(short, long)]
        pipeline: String,
    },
    /// Print a module as text.
    Disassemble {
        #[command(flatten)]
        files: Files,
    },
    /// Run a function of a module and print what it returns.
    Run {
        /// The module: `.ll` or `.bc`.
        input: PathBuf,
        /// The call, such as `@f(2.0, 3)`: floats and integers.
        call: String,
    },
    /// Print the derivative rules, or one of them.
    Rules {
        /// A function's or instruction's name.
        name: Option<String>,
    },
    /// Say more about an error, such as CT0203.
    Explain {
        /// The error's code.
        code: String,
    },
}

#[derive(Args)]
struct Files {
    /// The module: `.ll`, `.bc`, or an object with bitcode.
    input: PathBuf,
    /// Where the result goes: `.bc` for bitcode, `.o` for an object, anything else for text; standard output without.
    #[arg(short, long)]
    output: Option<PathBuf>,
}

/// Reads the command line, does what it says and gives the exit code.
pub fn main() -> i32 {
    let result = match Cli::parse().command {
        Command::Differentiate { files, dump, check, bodies, optimise } => {
            let mut config = Config::from_env();
            config.dump.extend(dump);
            config.check |= check;
            differentiate_file(&files, &config, bodies, optimise)
        }
        Command::Passes { files, pipeline } => run_passes(&files, &pipeline),
        Command::Disassemble { files } => read(&files.input).and_then(|module| write(module, &files)),
        Command::Rules { name } => crate::rules::print(&cotangent_std_rules::registry(), name.as_deref()),
        Command::Run { input, call } => read(&input).and_then(|module| crate::run::run(module, &call)),
        Command::Explain { code } => explain(&code),
    };
    match result {
        Ok(()) => 0,
        Err(message) => {
            eprintln!("{message}");
            1
        }
    }
}

/// Runs the pass with the rules of the standard library; says what the reverse sweeps keep.
///
/// # Errors
/// What cannot be differentiated.
pub fn differentiate(
    module: Module,
    bodies: &mut dyn Bodies,
    config: &Config,
    target: Option<&Target>,
) -> Result<Outcome, Vec<Diagnostic>> {
    cotangent_engine::differentiate(module, bodies, &cotangent_std_rules::registry(), config, target)
}

/// What the reverse sweeps keep, as text.
pub fn costs(outcome: &Outcome) -> String {
    outcome.costs.iter().map(ToString::to_string).collect()
}

fn differentiate_file(files: &Files, config: &Config, bodies: Vec<PathBuf>, optimise: bool) -> Result<(), String> {
    let module = read(&files.input)?;
    let mut bodies = Libraries::new(module.context(), bodies);
    let target = Target::new(&module.triple(), "", "", 3).ok();
    differentiate(module, &mut bodies, config, target.as_ref())
        .map_err(|all| all.iter().map(|diagnostic| format!("{diagnostic}\n")).collect::<String>())?;
    if optimise {
        module.run_passes("default<O3>", target.as_ref(), Tuning::default())?;
    }
    write(module, files)
}

fn run_passes(files: &Files, pipeline: &str) -> Result<(), String> {
    let module = read(&files.input)?;
    let target = Target::new(&module.triple(), "", "", 3).ok();
    module.run_passes(pipeline, target.as_ref(), Tuning::default()).map_err(|error| format!("error: {error}"))?;
    write(module, files)
}

fn explain(code: &str) -> Result<(), String> {
    let text = diag::explain(code).ok_or_else(|| format!("error: `{code}` is not an error of cotangent"))?;
    println!("{text}");
    Ok(())
}

fn read(path: &Path) -> Result<Module, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("error: cannot read {}: {error}", path.display()))?;
    let name = path.to_string_lossy();
    let context = Context::new();
    if bytes.starts_with(b"BC\xC0\xDE") {
        return context.parse_bitcode(&bytes, &name);
    }
    let text = String::from_utf8(bytes).map_err(|_| format!("error: {name} is neither bitcode nor text"))?;
    context.parse_text(&text, &name).map_err(|error| format!("error: {error}"))
}

fn write(module: Module, files: &Files) -> Result<(), String> {
    let Some(path) = &files.output else {
        print!("{module}");
        return Ok(());
    };
    let wrong = |error: std::io::Error| format!("error: cannot write {}: {error}", path.display());
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("bc") => std::fs::write(path, module.to_bitcode()).map_err(wrong),
        Some("o") => Target::new(&module.triple(), "", "", 3)?.emit_object(module, path),
        _ => module.write_text(path).map_err(wrong),
    }
}
