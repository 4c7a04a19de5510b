//! How a function says that it has a derivative of its user's making.
//!
//! A function with a rule begins with
//!
//! ```text
//! if __ct_rule(rule, primal, forward?, augmented?, reverse?, operands of parameter 0.., ..) { return the result }
//! ```
//!
//! `rule` points to a NUL-terminated constant string, the [`Rule`] in its text form, which also says which of the thunks are
//! there. In a program that computes no derivative through the function the marker is `false`, and the driver removes it. In
//! the copy of the function that a derivative is made of it is `true` where the rule has the mode in question, and the marker then
//! stands for a call of the function.
//!
//! The marker's operands are, for each parameter, those that a thunk of a request has, and behind them the bytes of one element
//! (of a slice) or of the whole (of anything else), and what its type says of it: [`FLAT`], [`STEADY`], [`OWNS`], [`REFERS`] and [`SHADOWED`], added up. The thunks, plain Rust-ABI functions of pointers and integers, take
//!
//! | thunk | for each parameter | for the result |
//! |---|---|---|
//! | primal | `p`, length | `p` |
//! | forward | `p`, tangent, length | `p`, tangent |
//! | augmented | as primal; returns a handle of the tape | `p` |
//! | reverse (after the handle, with a tape) | `p`, adjoint, length, bytes of a float | adjoint |
//! | shadow | nothing | `p`, where its shadow is to be written |
//!
//! Lengths are those of slices. Tangents and adjoints are there where the activity is not [`Activity::Const`], and null where the caller has
//! none: the thunk then works on zeros. The bytes of the floats that an adjoint consists of come with each adjoint of a parameter, 0
//! where the caller does not know them.

use crate::{Activity, Kind, Param, VERSION};
use std::fmt;

/// Nothing in the parameter refers to other memory.
pub const FLAT: u64 = 1;

/// Nothing that the parameter leads to is changed through a shared reference, but by atomic operations.
pub const STEADY: u64 = 2;

/// Values of the type may own memory.
pub const OWNS: u64 = 4;

/// Values of the type may own memory or refer to it.
pub const REFERS: u64 = 16;

/// The shadow thunk makes a shadow of zeros of the result's type; without, it does nothing.
pub const SHADOWED: u64 = 8;

/// What a marker call of a function with a rule describes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rule {
    /// There is a forward thunk.
    pub forward: bool,
    /// There is a reverse thunk.
    pub reverse: bool,
    /// The reverse thunk takes the tape of an augmented thunk.
    pub tape: bool,
    /// The function has a zero derivative, and no thunk but the primal.
    pub inactive: bool,
    /// The result carries no derivative: there is a thunk that makes its shadow.
    pub shadow: bool,
    /// The function as the user wrote it, for messages.
    pub name: String,
    /// Parameters in order; the result, where there is one, is last.
    pub params: Vec<Param>,
}

/// A parameter of a [`Rule`] with the places of its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// The parameter.
    pub param: Param,
    /// The operand that points to it.
    pub pointer: usize,
    /// The operand with a slice's length.
    pub length: Option<usize>,
    /// The operand with the bytes of an element, or of the whole.
    pub size: usize,
    /// The operand with what the type says.
    pub facts: usize,
}

impl Group {
    /// Whether the rule knows a derivative of it.
    pub fn is_dup(&self) -> bool {
        self.param.activity != Activity::Const
    }

    /// Whether the function may write there.
    pub fn is_output(&self) -> bool {
        matches!(self.param.kind, Kind::Mut | Kind::MutSlice | Kind::Return)
    }

    /// Whether the function may read there.
    pub fn is_input(&self) -> bool {
        self.param.kind != Kind::Return
    }
}

impl Rule {
    /// Number of thunks behind the primal's.
    pub fn thunks(&self) -> usize {
        usize::from(self.forward) + usize::from(self.tape) + usize::from(self.reverse) + usize::from(self.shadow)
    }

    /// The parameters with their operands.
    pub fn groups(&self) -> Vec<Group> {
        let mut next = 0;
        let mut take = || {
            next += 1;
            next - 1
        };
        let group = |param: &Param| Group {
            param: *param,
            pointer: take(),
            length: param.has_length().then(&mut take),
            size: take(),
            facts: take(),
        };
        self.params.iter().map(group).collect()
    }

    /// Reads the text form.
    ///
    /// # Errors
    /// Says which field is wrong, or that the text is of another version of the library.
    pub fn parse(text: &str) -> Result<Rule, String> {
        let fields: Vec<&str> = text.split('|').collect();
        if fields.first() != Some(&VERSION) {
            return Err(format!(
                "the rule is of version `{}`, this driver reads `{VERSION}`: use a driver and a library of the same version",
                fields.first().unwrap_or(&"")
            ));
        }
        let [_, "rule", parts, name, params] = fields[..] else {
            return Err(format!("`{text}` is no description of a rule"));
        };
        if let Some(unknown) = parts.chars().find(|c| !"frtis".contains(*c)) {
            return Err(format!("unknown part `{unknown}` of a rule"));
        }
        let params = params.split(',').filter(|p| !p.is_empty());
        Ok(Rule {
            forward: parts.contains('f'),
            reverse: parts.contains('r'),
            tape: parts.contains('t'),
            inactive: parts.contains('i'),
            shadow: parts.contains('s'),
            name: name.to_owned(),
            params: params
                .map(|p| Param::parse(p).ok_or_else(|| format!("unknown parameter code `{p}`")))
                .collect::<Result<_, _>>()?,
        })
    }
}

/// The text form: `ct1|rule|frt|name|sd8,vc,od8`; the third field has a letter for each part.
///
/// ```
/// use cotangent_contract::{Activity, Kind, Param, Rule};
/// let rule = Rule {
///     forward: true, reverse: true, tape: false, inactive: false, shadow: false, name: "f".into(),
///     params: vec![
///         Param { kind: Kind::Slice, activity: Activity::Dup, floats: 8 },
///         Param { kind: Kind::Return, activity: Activity::Dup, floats: 8 },
///     ],
/// };
/// let text = rule.to_string();
/// assert_eq!(text, "ct1|rule|fr|f|sd8,od8");
/// assert_eq!(Rule::parse(&text), Ok(rule));
/// ```
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |there: bool, letter: &'static str| if there { letter } else { "" };
        let params: Vec<String> = self.params.iter().map(Param::code).collect();
        write!(
            f,
            "{VERSION}|rule|{}{}{}{}{}|{}|{}",
            letter(self.forward, "f"),
            letter(self.reverse, "r"),
            letter(self.tape, "t"),
            letter(self.inactive, "i"),
            letter(self.shadow, "s"),
            self.name.replace('|', "/"),
            params.join(",")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_are_counted_with_lengths_and_sizes() {
        let rule = Rule::parse("ct1|rule|r|f|sd8,vc,od8").unwrap();
        let places: Vec<_> = rule.groups().iter().map(|g| (g.pointer, g.length, g.size, g.facts)).collect();
        assert_eq!(places, [(0, Some(1), 2, 3), (4, None, 5, 6), (7, None, 8, 9)]);
        assert_eq!(rule.thunks(), 1);
    }

    #[test]
    fn unknown_parts_and_other_versions_are_refused() {
        assert!(Rule::parse("ct1|rule|x|f|").unwrap_err().contains("`x`"));
        assert!(Rule::parse("ct0|rule|r|f|").unwrap_err().contains("same version"));
        assert!(Rule::parse("ct1|reverse|1|f|a.rs|1|1|").unwrap_err().contains("no description"));
    }
}
