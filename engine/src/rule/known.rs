//! What is known of functions, types, crates and statics by their paths alone.
use super::Path;

/// What is so of everything at a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    /// Destructors there keep the books of memory that they give back, besides what they call, and do nothing else that anybody sees.
    Quiet,
    /// Statics there hold no function that a differentiated one could call.
    OwnState,
    /// It is never looked into: there is no derivative of what is done there, and a message says so at once.
    Closed,
    /// The function starts a program: what it is handed is called by it alone.
    Start,
    /// The function swaps what lies at two places: it takes these and how many bytes, and does not look at what it is.
    Swap,
    /// The function reads one number, of the type that it has in the source, and hands it on.
    Read,
    /// The type holds no bytes of floats, however narrow it is.
    Mark,
    /// The type owns a text, to which the first pointer in it leads.
    Text,
    /// The type owns a row of elements, to which the first pointer in it leads; they are of its first type argument.
    Row,
    /// The type shares a value with others of it: the first pointer in it leads there.
    Counted,
}

impl Known {
    /// Whether it is so of the path alone, and not of what lies in it: a function has others in it that do part of its work.
    fn is_of_path_alone(self) -> bool {
        match self {
            Known::Swap | Known::Read | Known::Mark | Known::Text | Known::Row | Known::Counted => true,
            Known::Quiet | Known::OwnState | Known::Closed | Known::Start => false,
        }
    }

    /// Whether it is so of a path where it is said of another.
    pub(super) fn holds(self, path: &Path, said_of: &str) -> bool {
        if self.is_of_path_alone() { path.to_string() == said_of } else { path.is_within(said_of) }
    }
}
