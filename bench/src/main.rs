//! Prints what gradients cost; see the library.
#![forbid(unsafe_code)]

use bench::report::{HEADER, Row};
use std::process::ExitCode;

const USAGE: &str = "usage: bench [--json] [filter]...   time gradients (cases whose name contains a filter)
       bench [--json] build-time    time builds with and without derivatives";

fn main() -> ExitCode {
    let (options, filters): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|a| a.starts_with('-'));
    if let Some(unknown) = options.iter().find(|o| *o != "--json") {
        eprintln!("unknown option `{unknown}`\n{USAGE}");
        return ExitCode::from(2);
    }
    let json = !options.is_empty();
    if filters.iter().any(|f| f == "build-time") {
        return match bench::build_time::run(json) {
            Ok(()) => ExitCode::SUCCESS,
            Err(message) => {
                eprintln!("{message}");
                ExitCode::FAILURE
            }
        };
    }
    let chosen = |name: &str| filters.is_empty() || filters.iter().any(|f| name.contains(f.as_str()));
    let cases: Vec<_> = bench::cases::all().into_iter().filter(|case| chosen(&case.name)).collect();
    if cases.is_empty() {
        eprintln!("no case contains {filters:?}\n{USAGE}");
        return ExitCode::from(2);
    }
    if !json {
        println!("{HEADER}");
    }
    let rows: Vec<Row> = cases
        .iter()
        .map(|case| {
            let row = case.run();
            if !json {
                println!("{}", row.line());
            }
            row
        })
        .collect();
    if json {
        let rows: Vec<String> = rows.iter().map(|row| format!("  {}", row.json())).collect();
        println!("[\n{}\n]", rows.join(",\n"));
    }
    if rows.iter().all(Row::agrees) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
