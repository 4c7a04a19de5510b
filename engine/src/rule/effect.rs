//! What functions do that are no functions of floats: allocate, print, tell the time.
use super::Path;

/// What a call means for a derivative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// None of its own: it does what its body does, whatever a later row says of where it lies.
    Plain,
    /// Runs once, in the forward sweep, as it is; nothing that it returns or writes carries a derivative.
    Inactive,
    /// The same of a function that makes text of what it is given: it leaves pointers to that text at most, and returns others only to what it is given.
    Text {
        /// It returns none of these, and nothing else comes of it, so that it can be called once more.
        again: bool,
    },
    /// The same as the first of a function that reads and writes nothing but what its arguments point to themselves: it follows no pointer that lies there, and
    /// leaves and returns none of them.
    Private {
        /// It writes to what its first argument points to, and only looks at the others.
        writes_first: bool,
    },
    /// A remark to the optimiser (lifetimes, assumptions) without any effect of its own: may be left out of a derivative.
    Marker,
    /// Returns fresh memory.
    Allocate {
        /// How many bytes.
        size: Size,
        /// The operand that is the alignment, where there is one.
        align: Option<usize>,
        /// Whether the memory comes zeroed.
        zeroed: bool,
        /// Who frees it.
        family: Family,
    },
    /// Gives memory back.
    Free {
        /// The operand that is freed.
        pointer: usize,
        /// The operand that is the size, where there is one.
        size: Option<usize>,
        /// Of which allocator.
        family: Family,
    },
    /// Returns a block of a new size with the old one's bytes, and gives the old one back.
    Reallocate {
        /// The operand that is the old block.
        pointer: usize,
        /// The operand that is the old size, where there is one.
        old_size: Option<usize>,
        /// The operand that is the new size.
        new_size: usize,
        /// The operand that is the alignment, where there is one.
        align: Option<usize>,
        /// Of which allocator.
        family: Family,
    },
    /// Copies bytes, as `memmove`, and returns the destination.
    Copy {
        /// The operand that is written to.
        to: usize,
        /// The operand that is read from.
        from: usize,
        /// The operand that is the number of bytes.
        size: usize,
    },
    /// Sets every byte to one value, and returns the destination.
    Fill {
        /// The operand that is written to.
        to: usize,
        /// The operand that is the byte.
        byte: usize,
        /// The operand that is the number of bytes.
        size: usize,
    },
}

/// The size of an allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Size {
    /// An operand, in bytes.
    Operand(usize),
    /// The product of two operands.
    Product(usize, usize),
}

/// Allocators: what one of them gave, only the same one takes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// Rust's global allocator.
    Rust,
    /// `malloc`.
    C,
    /// The tape of derivatives, released as a whole.
    Tape,
}

/// What functions an effect belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EffectPattern {
    /// A C symbol.
    Symbol(&'static str),
    /// An intrinsic without its type suffixes; everything below a name ending in `.`: `llvm.dbg.`.
    Intrinsic(&'static str),
    /// A Rust function, or everything in a module, of a type or of a trait: `std::io`, `core::fmt::Display`.
    Path(&'static str),
}

/// One row of a table of effects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EffectRow {
    /// Which functions.
    pub pattern: EffectPattern,
    /// What they do.
    pub effect: Effect,
}

impl EffectRow {
    /// Whether the row is about a symbol; `path` is the symbol demangled, where it is Rust's.
    pub fn applies(&self, symbol: &str, path: Option<&Path>) -> bool {
        match self.pattern {
            EffectPattern::Symbol(name) => symbol == name,
            EffectPattern::Intrinsic(name) if name.ends_with('.') => symbol.starts_with(name),
            EffectPattern::Intrinsic(name) => {
                symbol.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            }
            EffectPattern::Path(prefix) => path.is_some_and(|path| path.is_within(prefix)),
        }
    }
}
