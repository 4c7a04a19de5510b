//! What is said to the user when something cannot be differentiated.
//!
//! A [`Diagnostic`] says four things: *what* ([`Code`] and message), *where* in the user's Rust ([`Span`], found by
//! [`locate`]), *why* (notes, among them the chain of calls that led there) and *what to do* (help). It is plain data;
//! only [`render`](mod@render) knows how it looks as text and as the JSON that cargo reads from rustc.

mod code;
mod locate;
pub mod moved;
pub mod render;

pub use code::{Code, explain};
pub use locate::{calls_between, is_users, locate, position};

use std::fmt;

/// A position in the user's source.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// File as the compiler was given it, from the folder that cargo builds in.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

impl Span {
    /// Where a request's attribute or closure stands.
    pub fn of_request(request: &cotangent_contract::Request) -> Span {
        Span { file: request.file.clone(), line: request.line, column: request.column }
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// One error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its number.
    pub code: Code,
    /// What is wrong, in one line.
    pub message: String,
    /// Where.
    pub span: Option<Span>,
    /// Why, and how the compiler got there.
    pub notes: Vec<String>,
    /// What to do.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error without a position, notes and help yet.
    pub fn new(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic { code, message: message.into(), span: None, notes: Vec::new(), help: None }
    }

    /// An error of the compiler itself, which asks for a report.
    pub fn internal(message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Code::Internal, message).help(
            "this is a mistake in cotangent, not in your program: please report it with the function that shows it",
        )
    }

    /// The same error at a position.
    pub fn at(mut self, span: Span) -> Diagnostic {
        self.span = Some(span);
        self
    }

    /// The same error at an instruction, with the frames that were inlined there as notes.
    pub fn at_instruction(self, instruction: crate::llvm::Value, request: &cotangent_contract::Request) -> Diagnostic {
        let (span, notes) = locate(instruction, request);
        notes.into_iter().fold(self.at(span), Diagnostic::note)
    }

    /// The same error with one more note.
    pub fn note(mut self, note: impl Into<String>) -> Diagnostic {
        self.notes.push(note.into());
        self
    }

    /// The same error with a way out.
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// The error as one line of the JSON that rustc writes with `--error-format=json`, without the newline.
    pub fn to_rustc_json(&self) -> String {
        render::json(self)
    }
}

/// The error as rustc would print it; the source line is shown where the file can be read.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&render::text(self))
    }
}

impl std::error::Error for Diagnostic {}
