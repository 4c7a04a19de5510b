//! What the macros write and the differentiation pass reads.
//!
//! A generated derivative is a shim around one call of a C-variadic *marker*:
//!
//! ```text
//! __ct_reverse(thunk, request, operands of parameter 0.., operands of parameter 1.., ..)
//! ```
//!
//! `thunk` is a plain Rust-ABI `unsafe fn` of pointers and integers that calls the user's function;
//! `request` points to a NUL-terminated constant string, the [`Request`] in its text form.
//! For each parameter, by its [`Kind`]:
//!
//! | kind | thunk receives | marker receives |
//! |---|---|---|
//! | [`Kind::Ref`], [`Kind::Mut`] | `p` | `p`, its shadows |
//! | [`Kind::Slice`], [`Kind::MutSlice`] | `p`, `len: usize` | `p`, its shadows, `len: usize` |
//! | [`Kind::Value`] | `p`: points to the value, which the thunk reads (moves out) | `p`, its shadows |
//! | [`Kind::Return`] | `p`: uninitialised, the thunk writes the result there | `p`, its shadows |
//!
//! "its shadows" are `width` pointers where the activity is not [`Activity::Const`], and nothing where it is.
//! The shadow of the return in reverse mode holds the seed; of an Active value its adjoint, zeroed by the shim.
//!
//! The markers are `extern "C-unwind"`, since a panic of the user's function unwinds out of its derivative: where the shim has
//! something to drop, the marker is invoked and not called. A request whose file is empty comes from the closure API, whose
//! constants serve all callers: its place is that of the function that the thunk calls.
#![forbid(unsafe_code)]

mod rule;

pub use rule::{FLAT, Group, OWNS, REFERS, Rule, SHADOWED, STEADY};

use std::fmt;

/// The marker of a forward-mode request.
pub const MARKER_FORWARD: &str = "__ct_forward";
/// The marker of a reverse-mode request.
pub const MARKER_REVERSE: &str = "__ct_reverse";
/// `fn(bytes: usize) -> *mut u8`: memory of the tape, aligned to 16, until the release of the enclosing mark.
pub const TAPE_ALLOC: &str = "__ct_tape_alloc";
/// `fn(old: *mut u8, old_bytes: usize, new_bytes: usize) -> *mut u8`: a larger block holding the old one's bytes.
pub const TAPE_GROW: &str = "__ct_tape_grow";
/// `fn() -> usize`: the present height of the tape.
pub const TAPE_MARK: &str = "__ct_tape_mark";
/// `fn(mark: usize)`: gives back everything allocated since the mark.
pub const TAPE_RELEASE: &str = "__ct_tape_release";
/// `fn(free: fn(*mut u8, usize, usize), block: *mut u8, bytes: usize, align: usize)`: calls `free` on the block when the enclosing
/// mark is released: what a derivative may not give back before its reverse sweep.
pub const TAPE_DEFER: &str = "__ct_tape_defer";
/// What lies on the tape for each block that is put off so.
pub const BYTES_OF_DEFERRED: u64 = 48;
/// `fn(primal: usize, shadow: usize) -> !`: panics because a slice inside a shadow has another length than the primal's.
pub const SHAPE_MISMATCH: &str = "__ct_shape_mismatch";
/// `fn(primal: usize, shadow: usize) -> !`: panics because a vector that grows has another capacity than its shadow.
pub const CAPACITY_MISMATCH: &str = "__ct_capacity_mismatch";
/// `fn(usize, usize) -> !`: panics because an adjoint would be added to the primal's own float.
pub const SHARED_MEMORY: &str = "__ct_shared_memory";
/// `fn(primal: usize, shadow: usize) -> !`: panics because an enum inside a shadow is another variant than the primal's.
pub const VARIANT_MISMATCH: &str = "__ct_variant_mismatch";
/// `fn(text: *const u8, bytes: usize) -> !`: panics because a derivative has come to what it cannot differentiate and what
/// was not known when it was compiled: a function behind a pointer.
pub const UNSUPPORTED: &str = "__ct_unsupported";
/// `fn(text: *const u8, bytes: usize) -> !`: panics because a derivative has come to what it cannot differentiate, as was seen at run time only: bits of a float
/// that are computed with as an integer, say. More of the program would not have helped.
pub const REFUSED: &str = "__ct_refused";
/// `fn(place: *mut u8)`: sets what lies at the places of floats of absent variants to zero, in the enums of the type that the first parameter of the calling function
/// leads to. Only the debug information of that function says which type it is.
pub const MARKER_ABSENT: &str = "__ct_absent";
/// `fn(place: *const u8) -> bool`: whether the variant of such an enum has something at the place of a float of another one that had to stay, as it may be
/// structure, and may be taken for a float all the same.
pub const MARKER_STAYS: &str = "__ct_stays";
/// `fn(place: *const u8, shared: bool) -> bool`: whether there are enums with floats in the type that the first parameter of the calling function leads to; where it is
/// shared, whether there are some in cells. Nobody knows those that lie behind pointers in it: in a derivative of the function that asks, they must stay what they are.
pub const MARKER_VARIES: &str = "__ct_varies";
/// `fn(place: *mut u8, noted: *const u8) -> u8`: makes the enums in a value of such a type the variants that they are in another one, but for their floats. Where one
/// was another variant with a float that was not zero, the result has the bit [`LOST_SEED`], where it was one with floats and pointers, [`LOST_OWNER`].
pub const MARKER_FOUND: &str = "__ct_found";
/// See [`MARKER_FOUND`].
pub const LOST_SEED: u8 = 1;
/// See [`MARKER_FOUND`].
pub const LOST_OWNER: u8 = 2;
/// The marker of a function with a rule of its user's; see [`Rule`].
pub const MARKER_RULE: &str = "__ct_rule";
/// Statics of this name hold two addresses: of a function of another crate, and of the function that has its rule and is called
/// instead of it where derivatives are made.
pub const RULE_FOR: &str = "__CT_RULE_FOR";
/// What the symbols of models begin with: functions that are differentiated in the place of others, and not called themselves.
pub const MODEL: &str = "__ct_model_";
/// The first field of a request text, the version of this contract.
pub const VERSION: &str = "ct1";

/// The direction of a derivative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mode {
    /// Tangents run beside the primal.
    Forward,
    /// Adjoints run back from the result.
    Reverse,
}

/// How a parameter travels through thunk and marker; see the table in the crate's documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// `&T` with `T: Sized`.
    Ref,
    /// `&mut T` with `T: Sized`.
    Mut,
    /// `&[T]`.
    Slice,
    /// `&mut [T]`.
    MutSlice,
    /// Anything by value (also every other reference where it is constant).
    Value,
    /// The result.
    Return,
}

/// Whether a parameter carries derivatives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Activity {
    /// Not differentiated, no shadow.
    Const,
    /// Has a shadow.
    Dup,
    /// Has a shadow; the primal value need not be computed.
    DupOnly,
}

/// One parameter (or the return) of a [`Request`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Param {
    /// How it is passed.
    pub kind: Kind,
    /// Whether it has shadows.
    pub activity: Activity,
    /// Size in bytes of the floats that its memory consists of (4 or 8), where the macro can see that it
    /// consists of nothing else; 0 where it cannot.
    pub floats: u8,
}

/// What a marker call asks for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Request {
    /// Direction.
    pub mode: Mode,
    /// Number of tangents in one sweep (1 in reverse mode).
    pub width: u32,
    /// The differentiated function as the user wrote it, for messages.
    pub name: String,
    /// Source file of the attribute or closure.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// Parameters in order; the return, where there is one, is last.
    pub params: Vec<Param>,
}

impl Param {
    /// The two or three characters of the text form.
    pub(crate) fn code(&self) -> String {
        let kind = match self.kind {
            Kind::Ref => 'r',
            Kind::Mut => 'm',
            Kind::Slice => 's',
            Kind::MutSlice => 't',
            Kind::Value => 'v',
            Kind::Return => 'o',
        };
        let activity = match self.activity {
            Activity::Const => 'c',
            Activity::Dup => 'd',
            Activity::DupOnly => 'n',
        };
        match self.floats {
            0 => format!("{kind}{activity}"),
            w => format!("{kind}{activity}{w}"),
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Param> {
        let mut chars = text.chars();
        let kind = match chars.next()? {
            'r' => Kind::Ref,
            'm' => Kind::Mut,
            's' => Kind::Slice,
            't' => Kind::MutSlice,
            'v' => Kind::Value,
            'o' => Kind::Return,
            _ => return None,
        };
        let activity = match chars.next()? {
            'c' => Activity::Const,
            'd' => Activity::Dup,
            'n' => Activity::DupOnly,
            _ => return None,
        };
        let floats = match chars.as_str() {
            "" => 0,
            "4" => 4,
            "8" => 8,
            _ => return None,
        };
        Some(Param { kind, activity, floats })
    }

    /// True for slices, whose length follows their pointers.
    pub fn has_length(&self) -> bool {
        matches!(self.kind, Kind::Slice | Kind::MutSlice)
    }
}

/// The text form: `ct1|reverse|1|name|file|line|column|sd8,tc,od8`. `|` in names and files is written as `/`.
///
/// ```
/// use cotangent_contract::{Activity, Kind, Mode, Param, Request};
/// let request = Request {
///     mode: Mode::Reverse, width: 1, name: "f".into(), file: "src/lib.rs".into(), line: 3, column: 1,
///     params: vec![
///         Param { kind: Kind::Slice, activity: Activity::Dup, floats: 8 },
///         Param { kind: Kind::Return, activity: Activity::Dup, floats: 8 },
///     ],
/// };
/// let text = request.to_string();
/// assert_eq!(text, "ct1|reverse|1|f|src/lib.rs|3|1|sd8,od8");
/// assert_eq!(Request::parse(&text), Ok(request));
/// ```
impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mode = match self.mode {
            Mode::Forward => "forward",
            Mode::Reverse => "reverse",
        };
        let params: Vec<String> = self.params.iter().map(Param::code).collect();
        write!(
            f,
            "{VERSION}|{mode}|{}|{}|{}|{}|{}|{}",
            self.width,
            self.name.replace('|', "/"),
            self.file.replace('|', "/"),
            self.line,
            self.column,
            params.join(",")
        )
    }
}

impl Request {
    /// Reads the text form.
    ///
    /// # Errors
    /// Says which field is wrong, or that the text is of another version of the library.
    pub fn parse(text: &str) -> Result<Request, String> {
        let fields: Vec<&str> = text.split('|').collect();
        if fields.first() != Some(&VERSION) {
            return Err(format!(
                "the request is of version `{}`, this driver reads `{VERSION}`: use a driver and a library of the same version",
                fields.first().unwrap_or(&"")
            ));
        }
        let [_, mode, width, name, file, line, column, params] = fields[..] else {
            return Err(format!("a request has 8 fields, this one has {}", fields.len()));
        };
        let number = |what: &str, text: &str| {
            text.parse::<u32>().map_err(|_| format!("the {what} `{text}` of the request is not a number"))
        };
        Ok(Request {
            mode: match mode {
                "forward" => Mode::Forward,
                "reverse" => Mode::Reverse,
                other => return Err(format!("unknown mode `{other}`")),
            },
            width: number("width", width)?,
            name: name.to_owned(),
            file: file.to_owned(),
            line: number("line", line)?,
            column: number("column", column)?,
            params: params
                .split(',')
                .filter(|p| !p.is_empty())
                .map(|p| Param::parse(p).ok_or_else(|| format!("unknown parameter code `{p}`")))
                .collect::<Result<_, _>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_version_is_refused_with_the_way_out() {
        let error = Request::parse("ct0|reverse|1|f|a.rs|1|1|sd8").unwrap_err();
        assert!(error.contains("same version"), "{error}");
    }

    #[test]
    fn wrong_codes_are_named() {
        assert!(Request::parse("ct1|reverse|1|f|a.rs|1|1|sq8").unwrap_err().contains("sq8"));
        assert!(Request::parse("ct1|sideways|1|f|a.rs|1|1|").unwrap_err().contains("sideways"));
        assert!(Request::parse("ct1|reverse|x|f|a.rs|1|1|").unwrap_err().contains("width"));
    }

    #[test]
    fn every_parameter_code_survives_a_round_trip() {
        for kind in [Kind::Ref, Kind::Mut, Kind::Slice, Kind::MutSlice, Kind::Value, Kind::Return] {
            for activity in [Activity::Const, Activity::Dup, Activity::DupOnly] {
                for floats in [0, 4, 8] {
                    let param = Param { kind, activity, floats };
                    assert_eq!(Param::parse(&param.code()), Some(param));
                }
            }
        }
    }
}
