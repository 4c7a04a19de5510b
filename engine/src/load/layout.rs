//! What copies move, as the types of the source say.
//!
//! `memcpy` does not say what it moves, and neither does an integer that a small array is handed over in. rustc knows, and says so in debug information: of
//! each variable its type, and so what a pointer leads to that lies in one ([`places`]); of each type where its floats, pointers and numbers are
//! ([`types`]). So, in a fresh copy of a function and before any pass has seen it, a copy of a record becomes loads and stores of its parts
//! ([`moves`]); one of many records, or of a large one, is told its record for later ([`record_of`]).
//!
//! **Invariant:** this is evidence and no guess. Where types disagree, where variants have different things at one place, or where there is no
//! debug information, a copy stays as it is, and the stages after this one find out what it moves or say that they cannot.

mod moves;
mod places;
mod types;

use crate::llvm::{CopyMap, Function, Value};
use crate::rule::Registry;
use types::Layouts;
pub use types::{Leaf, Run};

/// What is known of types, in all functions of a workshop.
#[derive(Default, Debug)]
pub struct Types(Layouts);

impl Types {
    /// Writes out what a fresh copy of a definition moves.
    pub fn write_out(&mut self, definition: Function, copy: &CopyMap, registry: &Registry) {
        let places = places::Places::of(definition);
        if !places.is_empty() {
            let swaps = |call: Value| call.called_function().is_some_and(|f| registry.swaps_bytes(&f.name()));
            moves::write_out(definition, &places, &mut self.0, &swaps, copy);
        }
    }
}

/// Bytes of the narrowest float: what is narrower is none, and what is as wide may hold the bits of one.
pub const NARROWEST: u64 = 4;

/// The attribute that tells a copy its record. (Metadata would not last: passes that join two calls drop what they do not know.)
const RECORD: &str = "ct-record";

/// Tells a copy what each of the records that it moves consists of.
fn tell_record(copy: Value, record: &[Run], size: u64) {
    let mut text = size.to_string();
    for run in record {
        text += &format!(" {run}");
    }
    copy.add_call_string_attribute(RECORD, &text);
}

/// What each of the records that a copy moves consists of, and its size, if the copy was told.
pub fn record_of(copy: Value) -> Option<(Vec<Run>, u64)> {
    let text = copy.call_string_attribute(RECORD)?;
    let mut words = text.split(' ');
    let size = words.next()?.parse().ok()?;
    let record = words.map(Run::parse).collect::<Option<Vec<Run>>>()?;
    Some((record, size))
}

/// Whether so many bytes are floats and nothing else.
pub fn is_of_floats(record: &[Run], bytes: u64) -> bool {
    matches!(record, [run] if matches!(run.leaf, Leaf::Float(_)) && run.at == 0 && run.end() == bytes)
}
