//! How wide the floats of a program are.

use super::bits::NARROWEST;
use crate::llvm::{Function, Module, Opcode};
use crate::maps::HashMap;

/// How wide the floats are that words may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    /// All of so many bytes.
    Of(u64),
    /// There are `f32` as well as `f64`, and nothing tells which: words are as wide as the narrower, and one may be half of a float.
    Either,
}

impl Width {
    /// Bytes of a word.
    pub fn bytes(self) -> u64 {
        match self {
            Width::Of(bytes) => bytes,
            Width::Either => NARROWEST,
        }
    }

    /// Bytes of all floats, where they are known to be as wide.
    pub fn only(self) -> Option<u64> {
        match self {
            Width::Of(bytes) => Some(bytes),
            Width::Either => None,
        }
    }
}

/// How wide the floats of each function of a module are. Functions that have been changed are looked at again; looking at all of them for each would take long.
pub struct Widths(HashMap<Function, Option<[bool; 2]>>);

impl Widths {
    /// Those of a module.
    pub fn of(module: Module) -> Widths {
        Widths(module.functions().into_iter().map(|function| (function, widths(function))).collect())
    }

    /// Looks at a function again.
    pub fn look(&mut self, function: Function) {
        self.0.insert(function, widths(function));
    }

    /// How wide the floats of the module are; none where it has none, or others than these.
    pub fn of_words(&self) -> Option<Width> {
        let mut all = [false; 2];
        for found in self.0.values() {
            let found = (*found)?;
            all = [0, 1].map(|i| all[i] | found[i]);
        }
        match all {
            [true, true] => Some(Width::Either),
            [true, false] => Some(Width::Of(4)),
            [false, true] => Some(Width::Of(8)),
            [false, false] => None,
        }
    }
}

/// The lists that are there in a module of which it is settled how wide the floats are: that it is, and either width where it is the only one.
const SETTLED: &str = "ct.widths";
const ONLY: [(u64, &str); 2] = [(NARROWEST, "ct.widths.only.4"), (8, "ct.widths.only.8")];

/// Notes how wide the floats of a program are, before a derivative is written beside it: adjoints of what may be floats are some of their own.
pub fn settle(module: Module) {
    let only = only_width(module);
    module.add_named_metadata(SETTLED);
    ONLY.iter().filter(|(bytes, _)| only == Some(*bytes)).for_each(|(_, list)| module.add_named_metadata(list));
}

/// Bytes of the floats of a program, where all are as wide.
pub fn only_width(module: Module) -> Option<u64> {
    match module.has_named_metadata(SETTLED) {
        true => ONLY.iter().find(|(_, list)| module.has_named_metadata(list)).map(|(bytes, _)| *bytes),
        false => Widths::of(module).of_words()?.only(),
    }
}

/// Whether there are `f32` in a function, and `f64`; nothing where there are floats of other widths.
fn widths(function: Function) -> Option<[bool; 2]> {
    let module = function.module();
    let mut found = [false; 2];
    for instruction in function.blocks().into_iter().flat_map(|b| b.instructions()) {
        let ty = match instruction.opcode() {
            Opcode::LLVMStore => instruction.operand(0).ty(),
            _ => instruction.ty(),
        };
        if ty.is_float_or_vector() {
            let ty = if ty.is_vector() { ty.element() } else { ty };
            match ty.is_float().then(|| module.size_of(ty)) {
                None => {}
                Some(4) => found[0] = true,
                Some(8) => found[1] = true,
                Some(_) => return None,
            }
        }
    }
    Some(found)
}
