//! Projects to try the driver on. All of them lie in one workspace and share one target folder, so that what they have in
//! common is compiled once.
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, MutexGuard};

/// Cargo's own lock would let tests wait for each other with a message; this one is silent.
static CARGO: Mutex<()> = Mutex::new(());

/// The folder of all projects.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("driver")
}

/// The folder of the driver's programs.
pub fn driver() -> PathBuf {
    Path::new(env!("CARGO_BIN_EXE_cargo-cotangent")).parent().expect("a program lies in a folder").to_owned()
}

/// The repository.
fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the driver is a member").to_owned()
}

/// One project: a package in the workspace of its own name.
pub struct Project {
    /// Its folder.
    pub folder: PathBuf,
}

/// What a command printed.
pub struct Printed {
    /// Exit code 0.
    pub success: bool,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Project {
    /// Writes a project's files: paths and contents. `{core}` stands for the folder of the crate `cotangent`.
    pub fn new(name: &str, files: &[(&str, &str)]) -> Project {
        let folder = root().join(name);
        for (path, text) in files {
            let path = folder.join(path);
            let text = text.replace("{core}", &repository().join("core").to_string_lossy());
            std::fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("the folder can be made");
            // The same text again would make the build stale.
            if std::fs::read_to_string(&path).ok().as_ref() != Some(&text) {
                std::fs::write(&path, text).expect("the file can be written");
            }
        }
        // The versions that the repository was built with are there already.
        let lock = folder.join("Cargo.lock");
        if !lock.exists() {
            std::fs::copy(repository().join("Cargo.lock"), lock).expect("the repository has a lock file");
        }
        Project { folder }
    }

    /// `cargo` in the project, without what this test's own cargo has left in the environment.
    pub fn cargo(&self, line: &str) -> Run {
        let mut command = Command::new(env!("CARGO"));
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            let kept = ["CARGO_HOME", "CARGO_NET_", "CARGO_HTTP_", "CARGO_REGISTR", "CARGO_SOURCE_"];
            let is_cargos = text.starts_with("CARGO") && !kept.iter().any(|kept| text.starts_with(kept));
            if is_cargos || text.starts_with("COTANGENT") || text.starts_with("RUST") && !text.starts_with("RUSTUP") {
                command.env_remove(name);
            }
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(driver()).chain(std::env::split_paths(&path));
        command.env("PATH", std::env::join_paths(folders).expect("no colon in a path"));
        command.env("CARGO_TARGET_DIR", root().join("target")).env("CARGO_INCREMENTAL", "0");
        command.current_dir(&self.folder).args(line.split_whitespace());
        Run { command }
    }
}

/// A command to run.
pub struct Run {
    command: Command,
}

impl Run {
    /// Sets a variable.
    pub fn env(mut self, name: &str, value: impl AsRef<std::ffi::OsStr>) -> Run {
        self.command.env(name, value);
        self
    }

    /// Runs it.
    pub fn run(mut self) -> Printed {
        let _alone: MutexGuard<()> = CARGO.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        printed(self.command.output().expect("cargo can be started"))
    }

    /// Runs it and gives its standard output.
    #[track_caller]
    pub fn succeed(self) -> String {
        let printed = self.run();
        assert!(printed.success, "{}\n{}", printed.out, printed.err);
        printed.out
    }
}

/// What a finished command printed.
pub fn printed(output: Output) -> Printed {
    Printed {
        success: output.status.success(),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Writes an executable script that notes its arguments in `<name>.log` and then does `then`.
pub fn script(name: &str, then: &str) -> (PathBuf, PathBuf) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::create_dir_all(root()).expect("the folder can be made");
    let (path, log) = (root().join(name), root().join(format!("{name}.log")));
    let text = format!("#!/bin/sh\necho \"$@\" >>'{}'\n{then}\n", log.display());
    std::fs::write(&path, text).expect("the script can be written");
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).expect("the script can be made executable");
    // Left over from an earlier run.
    let _ = std::fs::remove_file(&log);
    (path, log)
}

/// That a program has errors in these lines, among others, in both profiles.
pub fn are_errors_at(name: &str, source: &str, lines: &[u32]) {
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n\
         [dependencies]\ncotangent = {{ path = \"{{core}}\" }}\n"
    );
    let project = Project::new(name, &[("Cargo.toml", &manifest), ("src/main.rs", source)]);
    for profile in ["", " --release"] {
        let Printed { success, err, .. } = project.cargo(&format!("cotangent build{profile}")).run();
        assert!(!success, "{profile}");
        for line in lines {
            let place = format!("--> src/main.rs:{line}:");
            let at_line = |error: &&str| error.contains(&place);
            assert!(err.split("error[CT0302]").skip(1).any(|error| at_line(&error)), "{profile} {line}\n{err}");
        }
    }
}
