//! From an instruction to the user's line.
//!
//! Debug information leads from an instruction outwards along the calls that were inlined: `f64::powi` in std, inlined into
//! an iterator of std, inlined into the user's closure. The position shown is that of the first frame outwards that is the
//! user's own code; the frames inside it become notes, and so do the user's frames outside of it: the calls that led there. An instruction without a position (phis have none) takes that of the
//! nearest instruction of its block that has one, and failing that the request's own, and then says "somewhere in": there is
//! no error without a position.

use super::Span;
use crate::llvm::{Function, Location, Opcode, Value};
use crate::maps::HashMap;
use cotangent_contract::Request;
use std::collections::VecDeque;

/// The user's position of an instruction, and notes about the frames that were inlined there.
pub fn locate(instruction: Value, request: &Request) -> (Span, Vec<String>) {
    if let Some((span, notes)) = instruction.location().and_then(|l| in_user_code(&l)) {
        return (span, without_shim(notes, request));
    }
    let somewhere = format!("somewhere in `{}`, near this line", request.name);
    if let Some((span, _)) = nearest(instruction) {
        return (span, vec![somewhere]);
    }
    (Span::of_request(request), vec![format!("somewhere in `{}`, which is differentiated here", request.name)])
}

/// The position of the nearest instruction of the block that has one in the user's code; of two at the same distance, the
/// one in front.
fn nearest(instruction: Value) -> Option<(Span, Vec<String>)> {
    if !instruction.is_instruction() {
        return None;
    }
    let all = instruction.block().instructions();
    let here = all.iter().position(|i| *i == instruction)?;
    let mut order: Vec<usize> = (0..all.len()).filter(|i| *i != here).collect();
    order.sort_by_key(|i| (i.abs_diff(here), *i));
    order.into_iter().find_map(|i| all[i].location().and_then(|l| in_user_code(&l)))
}

/// The first frame outwards that is the user's, with a note for each frame inside it.
fn in_user_code(location: &Location) -> Option<(Span, Vec<String>)> {
    let mut notes = Vec::new();
    let mut frame = Some(location);
    while let Some(location) = frame {
        if location.line > 0 {
            if is_users(location) {
                notes.extend(callers(location));
                return Some((span_of(location), notes));
            }
            let note = format!("in {}:{}:{}, inlined here", short(&location.file), location.line, location.column);
            // Glue inlined into glue stands at one place many times.
            if notes.last() != Some(&note) {
                notes.push(note);
            }
        }
        frame = location.inlined_at.as_deref();
    }
    None
}

fn span_of(location: &Location) -> Span {
    Span { file: location.file.clone(), line: location.line, column: location.column.max(1) }
}

/// The user's own calls that a position was inlined through, from the inside out.
fn callers(location: &Location) -> Vec<String> {
    let outwards = std::iter::successors(location.inlined_at.as_deref(), |l| l.inlined_at.as_deref());
    let users = outwards.filter(|l| l.line > 0 && is_users(l)).map(|l| format!("called at {}", span_of(l)));
    // Calls of the macro's own functions all stand at the attribute.
    let mut notes: Vec<String> = users.collect();
    notes.dedup();
    notes
}

/// The user's position of an instruction, where it has one.
pub fn position(instruction: Value) -> Option<Span> {
    in_user_code(&instruction.location()?).map(|(span, _)| span)
}

/// The calls that lead from one function to another, from the inside out, as far as they stand in the user's code.
pub fn calls_between(from: Function, to: Function, request: &Request) -> Vec<Span> {
    let mut came: HashMap<Function, (Function, Value)> = HashMap::default();
    let mut open = VecDeque::from([from]);
    while let Some(function) = open.pop_front() {
        if function == to {
            break;
        }
        for call in function.blocks().into_iter().flat_map(|b| b.instructions()) {
            let is_call = matches!(call.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke);
            if let Some(callee) = is_call.then(|| call.called_function()).flatten()
                && callee != from
                && !came.contains_key(&callee)
            {
                came.insert(callee, (function, call));
                open.push_back(callee);
            }
        }
    }
    let calls = std::iter::successors(came.get(&to), |(caller, _)| came.get(caller));
    let mut spans: Vec<Span> = Vec::new();
    for (_, call) in calls {
        let location = call.location();
        let frames = std::iter::successors(location.as_ref(), |l| l.inlined_at.as_deref());
        spans.extend(frames.filter(|l| l.line > 0 && is_users(l)).map(span_of));
    }
    spans.dedup();
    spans.retain(|span| *span != Span::of_request(request));
    spans
}

/// Notes without the call that the attribute's own function makes.
fn without_shim(notes: Vec<String>, request: &Request) -> Vec<String> {
    let shim = format!("called at {}", Span::of_request(request));
    notes.into_iter().filter(|note| *note != shim).collect()
}

/// True for positions in files that are neither the standard library's, nor a registry's, nor cotangent's own.
pub fn is_users(location: &Location) -> bool {
    let absolute = location.file.starts_with('/') || location.directory.is_empty();
    is_user_path(&if absolute { location.file.clone() } else { format!("{}/{}", location.directory, location.file) })
}

/// True for paths of files that are neither the standard library's, nor a registry's, nor cotangent's own.
fn is_user_path(path: &str) -> bool {
    let foreign =
        ["/rustc/", "/rustlib/src/rust/", "/.cargo/registry/", "/.cargo/git/", "/registry/src/", "/rust/deps/"];
    // The library in the place where this pass was built: the repository, for who works on it.
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/../core/src/");
    !path.starts_with("library/")
        && !foreign.iter().any(|part| path.contains(part))
        && !clean(path).starts_with(&clean(own))
}

/// A path without `.` and `..` in its middle.
fn clean(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// A file of the standard library without the folders that say which build of it.
fn short(file: &str) -> &str {
    file.split_once("/library/").map_or(file, |(_, rest)| rest).trim_start_matches("library/")
}
