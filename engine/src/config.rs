//! Every switch of the pass that is not part of a request, and the environment variables that set them.
//!
//! | variable | sets | meaning |
//! |---|---|---|
//! | `COTANGENT_CHECK` | [`Config::check`] | `1`: LLVM's verifier runs between the stages |
//! | `COTANGENT_DUMP` | [`Config::dump`] | names of stages, with commas between: each prints its result on standard error |
//! | `COTANGENT_EXACT` | [`Config::exact`] | `1`: records are moved exactly wherever that can be done, and not only where nothing else tells what is moved |
//! | `COTANGENT_TIME` | [`Config::time`] | `1`: each stage prints the time it took |

use std::collections::BTreeSet;
use std::fmt;

/// Switches of the pass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// Verify between stages.
    pub check: bool,
    /// Stages whose results are printed on standard error.
    pub dump: Vec<String>,
    /// Leave records in memory and move them as their types say at the first attempt, and not at the second ([`crate::load::layout::Detail`]).
    pub exact: bool,
    /// Derivatives for which it is known that the other attempt fails ([`crate::Outcome::exact`]).
    pub exact_for: BTreeSet<String>,
    /// Print the time of each stage on standard error.
    pub time: bool,
}

impl Config {
    /// The switches as the environment sets them.
    pub fn from_env() -> Config {
        Config::from_variables(|name| std::env::var(name).ok())
    }

    /// The switches as a look-up of variables sets them; empty and `0` mean off.
    ///
    /// ```
    /// use cotangent_engine::Config;
    /// let config = Config::from_variables(|name| (name == "COTANGENT_DUMP").then(|| "load, plan".to_string()));
    /// assert!(config.dumps("plan") && !config.dumps("emit") && !config.check);
    /// ```
    pub fn from_variables(look_up: impl Fn(&str) -> Option<String>) -> Config {
        let on = |name: &str| look_up(name).is_some_and(|v| !v.is_empty() && v != "0");
        let dump = look_up("COTANGENT_DUMP").unwrap_or_default();
        Config {
            check: on("COTANGENT_CHECK"),
            dump: dump.split(',').map(|s| s.trim().to_owned()).filter(|s| !s.is_empty()).collect(),
            exact: on("COTANGENT_EXACT"),
            time: on("COTANGENT_TIME"),
            exact_for: BTreeSet::new(),
        }
    }

    /// True where the stage's result is asked for.
    pub fn dumps(&self, stage: &str) -> bool {
        self.dump.iter().any(|s| s == stage || s == "all")
    }

    /// Prints a stage's result on standard error where it is asked for.
    pub fn show(&self, stage: &str, result: &dyn fmt::Display) {
        if self.dumps(stage) {
            eprintln!("; ---- {stage}\n{result}");
        }
    }
}
