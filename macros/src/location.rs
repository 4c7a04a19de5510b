//! Where an attribute stands.

/// The place of an attribute, for the pass's messages.
#[derive(Clone, Debug)]
pub struct Location {
    /// Source file, as the compiler shows it.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

impl Location {
    /// The place of the attribute that is being expanded.
    pub fn of_attribute() -> Location {
        let span = proc_macro::Span::call_site();
        let number = |n: usize| u32::try_from(n).unwrap_or(0);
        Location { file: span.file(), line: number(span.line()), column: number(span.column()) }
    }
}
