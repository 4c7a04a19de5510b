//! A case: its file, taken apart.
use cotangent_contract::{MARKER_FORWARD, MARKER_REVERSE, Mode, Request};
use cotangent_engine::Config;
use cotangent_engine::emit::root::{Order, root_key};
use cotangent_engine::emit::session::Session;
use cotangent_engine::emit::subject::Subject;
use cotangent_engine::llvm::{Context, Function, Module};
use cotangent_engine::load::workshop;
use cotangent_engine::rule::Registry;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// What is asked of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    Cfg,
    Memory,
    Activity,
    Plan,
    Emit,
    Count,
    Run,
    Error,
}

/// One file.
#[derive(Debug)]
pub struct Case {
    pub path: PathBuf,
    pub command: Command,
    /// Neither given: the command has no mode, or tries both.
    pub mode: Option<Mode>,
    /// The rest of the first line but the codes, such as `split`.
    pub options: Vec<String>,
    /// Codes of the parameters.
    pub params: String,
    /// `; in %name = values` lines.
    pub inputs: Vec<(String, Vec<String>)>,
    /// Everything before the expectation.
    pub source: String,
    /// What is expected, without the semicolons.
    pub expected: String,
}

/// The target of every case, and what all may use.
const HEAD: &str = r#"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
"#;

const EXPECT: &str = "; expect:";

/// The rules of the standard library.
pub static REGISTRY: LazyLock<Registry> = LazyLock::new(cotangent_std_rules::registry);

/// The cases of a folder, by name.
pub fn read_folder(name: &str) -> Vec<Result<Case, String>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(name);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("a folder can be listed").path()).collect();
    paths.sort();
    paths.retain(|path| path.extension().is_some_and(|e| e == "ll"));
    // `COTANGENT_CASE=words` runs the cases that have the words in their names.
    if let Ok(only) = std::env::var("COTANGENT_CASE") {
        let chosen: Vec<PathBuf> = paths.iter().filter(|p| p.to_string_lossy().contains(&only)).cloned().collect();
        paths = if chosen.is_empty() { vec![paths[0].clone()] } else { chosen };
    }
    paths.into_iter().map(Case::read).collect()
}

impl Case {
    fn read(path: PathBuf) -> Result<Case, String> {
        let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        Case::parse(path, &text)
    }

    /// The case that a text is.
    ///
    /// # Errors
    /// What is wrong with its first line.
    pub fn parse(path: PathBuf, text: &str) -> Result<Case, String> {
        let at = |message: &str| format!("{}: {message}", path.display());
        let (source, expected) = text.split_once(EXPECT).unwrap_or((text, ""));
        let expected: String = expected
            .trim_start_matches('\n')
            .lines()
            .map(|line| line.strip_prefix("; ").or(line.strip_prefix(';')).unwrap_or(line).to_owned() + "\n")
            .collect();
        let head = source.lines().next().and_then(|line| line.strip_prefix("; test "));
        let mut words = head.ok_or_else(|| at("the first line is `; test <command> ..`"))?.split_whitespace();
        let command = match words.next() {
            Some("cfg") => Command::Cfg,
            Some("memory") => Command::Memory,
            Some("activity") => Command::Activity,
            Some("plan") => Command::Plan,
            Some("emit") => Command::Emit,
            Some("count") => Command::Count,
            Some("run") => Command::Run,
            Some("error") => Command::Error,
            other => return Err(at(&format!("unknown command {other:?}"))),
        };
        let (mut mode, mut options, mut params) = (None, Vec::new(), String::new());
        for word in words {
            match word {
                "forward" => mode = Some(Mode::Forward),
                "reverse" => mode = Some(Mode::Reverse),
                _ if word.starts_with(|c| "rmstvo".contains(c))
                    && word.split(',').all(|code| (2..4).contains(&code.len())) =>
                {
                    params = word.to_owned();
                }
                _ => options.push(word.to_owned()),
            }
        }
        let inputs = source.lines().filter_map(|line| line.strip_prefix("; in ")?.split_once('='));
        let inputs = inputs
            .map(|(name, values)| (name.trim().to_owned(), values.split_whitespace().map(str::to_owned).collect()))
            .collect();
        let source = source.to_owned();
        Ok(Case { path, command, mode, options, params, inputs, source, expected })
    }

    /// Writes down what the case shows.
    pub fn bless(&self, shown: &str) {
        let lines: String =
            shown.lines().map(|line| if line.is_empty() { ";\n".to_owned() } else { format!("; {line}\n") }).collect();
        std::fs::write(&self.path, format!("{}{EXPECT}\n{lines}", self.source)).expect("a case can be written");
    }

    /// Whether a word stands in the first line.
    pub fn has(&self, option: &str) -> bool {
        self.options.iter().any(|o| o == option)
    }

    /// The number behind `option=`.
    fn number(&self, option: &str) -> Option<u32> {
        self.options.iter().find_map(|o| o.strip_prefix(option)?.strip_prefix('=')?.parse().ok())
    }

    /// The request that the case makes.
    pub fn request(&self, mode: Mode) -> Request {
        let mode = if mode == Mode::Forward { "forward" } else { "reverse" };
        let width = self.number("width").unwrap_or(1);
        let text = format!("ct1|{mode}|{width}|f|src/f.rs|7|3|{}", self.params);
        Request::parse(&text).unwrap_or_else(|e| panic!("{}: {e}", self.path.display()))
    }

    /// The IR as it is written.
    pub fn module(&self) -> Result<Module, String> {
        let module = Context::new().parse_text(&format!("{HEAD}{}", self.source), "case")?;
        module.verify()?;
        Ok(module)
    }

    /// The thunk, with what the request promises of its parameters.
    pub fn thunk(&self, module: Module, request: &Request) -> Result<Function, String> {
        let thunk = module.function("f").filter(|f| !f.is_declaration()).ok_or("a case defines `@f`")?;
        let expected: usize = request.params.iter().map(|p| 1 + usize::from(p.has_length())).sum();
        if expected != thunk.params().len() {
            return Err(format!("`{}` is {expected} parameters, `@f` has {}", self.params, thunk.params().len()));
        }
        workshop::promise(thunk, request);
        Ok(thunk)
    }

    /// The thunk, analysed. With `split`, as a function whose two sweeps are two functions.
    pub fn subject(&self, show: impl FnOnce(&Subject) -> String) -> Result<String, String> {
        let module = self.module()?;
        let request = self.request(self.mode.unwrap_or(Mode::Reverse));
        let thunk = self.thunk(module, &request)?;
        let config = Config::default();
        let order = Order { module, thunk, request: &request, name: "d", again: false, untold: &[] };
        let mut session = Session::new(&order, &REGISTRY, &config);
        let result = session.subject(&root_key(thunk, &request), !self.has("split"));
        result.map(|subject| show(&subject)).map_err(|all| all.iter().map(|d| format!("{d}\n")).collect())
    }

    /// A program that asks for the derivative of the thunk: `@ask` takes all operands of the marker.
    pub fn program(&self, mode: Mode) -> Result<Module, String> {
        let request = self.request(mode);
        let marker = if mode == Mode::Forward { MARKER_FORWARD } else { MARKER_REVERSE };
        let mut types = Vec::new();
        for param in &request.params {
            let lanes = if param.activity == cotangent_contract::Activity::Const { 0 } else { request.width as usize };
            types.extend(vec!["ptr"; 1 + lanes]);
            types.extend(param.has_length().then_some("i64"));
        }
        let named = types.iter().enumerate().map(|(i, ty)| format!("{ty} %{i}")).collect::<Vec<_>>().join(", ");
        let operands: String = types.iter().enumerate().map(|(i, ty)| format!(", {ty} %{i}")).collect();
        let text = request.to_string();
        let asking = format!(
            "@ct.request = private constant [{} x i8] c\"{text}\\00\"\n\
             declare void @{marker}(ptr, ptr, ...)\n\
             define void @ask({named}) {{\n\
             call void (ptr, ptr, ...) @{marker}(ptr @f, ptr @ct.request{operands})\nret void\n}}\n",
            text.len() + 1
        );
        let module = Context::new().parse_text(&format!("{HEAD}{}\n{asking}", self.source), "case")?;
        module.verify()?;
        Ok(module)
    }
}
