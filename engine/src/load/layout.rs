//! What copies move, as the types of the source say.
//!
//! `memcpy` does not say what it moves, and neither does an integer that a small array is handed over in. rustc knows, and says so in debug information: of
//! each variable its type, and so what a pointer leads to that lies in one ([`places`]); of each type where its floats, pointers and numbers are
//! ([`types`]). So, in a fresh copy of a function and before any pass has seen it, a copy of a record becomes loads and stores of its parts
//! ([`moves`]); one of many records, or of a large one, is told its record for later ([`record_of`]).
//!
//! **Invariant:** this is evidence and no guess. Where types disagree, where variants have different things at one place, or where there is no
//! debug information, a copy stays as it is, and the stages after this one find out what it moves or say that they cannot.

mod exact;
mod given;
pub mod kept;
mod moves;
mod places;
mod shapes;
mod swaps;
mod types;
mod untold;

use crate::analysis::bits::NARROWEST;
use crate::analysis::casts::Halves;
use crate::ir::given::Given;
use crate::ir::tag;
use crate::llvm::{CopyMap, Function, Module, Node, Opcode, Tuning, Value};
use crate::maps::HashSet;
use crate::rule::{Known, Registry};
use exact::Movers;
use given::Promises;
pub use given::{Handed, handed_by_thunk};
use places::{Places, Signatures};
pub use shapes::narrow_bytes;
use types::Layouts;
pub use types::{Leaf, Run};
pub use untold::first_argument;

/// How much of what is moved is written out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Detail {
    /// What is evidence at once. The rest is in registers wherever LLVM can have it there.
    #[default]
    Plain,
    /// All that types say: what holds a float in one variant and something else in another stays in memory, and is moved variant by variant.
    Exact,
}

/// Pointers behind one of the user's arguments, in a row, of which it is known what they lead to.
const LONGEST_WAY: usize = 3;

/// What is known of types, in all functions of a workshop.
#[derive(Debug)]
pub struct Types {
    layouts: Layouts,
    signatures: Signatures,
    promises: Promises,
    movers: Option<Movers>,
    users_records: bool,
    /// Types that were looked at for the two that follow.
    judged: HashSet<Node>,
    is_torn: bool,
    halves: Halves,
    packs_floats: bool,
}

impl Types {
    /// Nothing is known yet.
    pub fn new(detail: Detail) -> Types {
        let movers = (detail == Detail::Exact).then(Movers::default);
        let (layouts, signatures) = (Layouts::default(), Signatures::default());
        let (promises, judged) = (Promises::default(), HashSet::default());
        let (users_records, is_torn, packs_floats, halves) = (false, false, false, Halves::default());
        Types { layouts, signatures, promises, movers, users_records, judged, is_torn, halves, packs_floats }
    }

    /// The same, where the user keeps shadows of records or not: in these nothing tells what is left of another variant from a pointer.
    #[must_use]
    pub fn with_users_records(mut self, users_records: bool) -> Types {
        self.users_records = users_records;
        self
    }

    /// Writes out what a fresh copy of a definition moves; `moved` is the type of what it moves by its size alone, if it does.
    pub fn write_out(&mut self, definition: Function, moved: Option<Node>, copy: &CopyMap, registry: &Registry) {
        if registry.knows(Known::Read, &definition.name()) {
            let all = definition.blocks().into_iter().flat_map(|b| b.instructions());
            let loads = all.filter(|i| i.opcode() == Opcode::LLVMLoad && i.ty().is_int());
            loads.for_each(|load| mark_leaf(copy.value(load), u64::from(load.ty().bits()).div_ceil(8)));
        }
        let mut places = Places::of(definition, &mut self.signatures);
        if let Some(ty) = moved {
            untold::tell(definition, ty, &mut places, copy, registry);
        }
        let wider = self.users_records;
        for ty in places.types().filter(|ty| self.judged.insert(*ty)) {
            let Some(shape) = self.layouts.shape(ty) else { continue };
            self.packs_floats |= ty.alignment().is_some_and(|bytes| shape.holds_float_wider_than(bytes));
            let is_in_memory = self.movers.is_some();
            self.is_torn |= !is_in_memory && shape.may_be_torn(wider);
            // (What cannot be moved exactly is in registers all the same.)
            if !(is_in_memory && moves::is_of_use(&shape, ty.size())) {
                self.halves.floats |= shape.may_halve(Leaf::Float(8));
                self.halves.pointers |= shape.may_halve(Leaf::Pointer);
            }
        }
        if !places.is_empty() {
            moves::write_out(definition, &places, &mut self.layouts, self.movers.as_mut(), registry, copy);
        }
    }

    /// What is known of the memory that a definition is given, itself and behind one pointer: what nobody writes to, and texts.
    pub fn given(&mut self, definition: Function, registry: &Registry) -> Vec<Given> {
        self.promises.given(definition, 1, None, registry)
    }

    /// The same of the user's own arguments, behind up to three pointers, and where floats lie there. (Others show themselves where they have floats, or their callers do.)
    pub fn given_by_user(&mut self, definition: Function, registry: &Registry) -> Vec<Given> {
        self.promises.given(definition, LONGEST_WAY, Some(&mut self.layouts), registry)
    }

    /// Whether there are records that LLVM may tear ([`Shape::may_be_torn`](shapes::Shape::may_be_torn)), unless they stay in memory.
    pub fn are_torn(&self) -> bool {
        self.is_torn
    }

    /// What LLVM may halve ([`Shape::may_halve`](shapes::Shape::may_halve)) in records that do not stay in memory.
    pub fn halves(&self) -> Halves {
        self.halves
    }

    /// Whether there are structs of floats that begin anywhere (`repr(packed)`).
    pub fn packs_floats(&self) -> bool {
        self.packs_floats
    }

    /// Writes what was left open while LLVM cleaned up, in a module. Answers whether bits of floats are kept as numbers.
    ///
    /// # Errors
    /// LLVM's message where it does not know a pass.
    pub fn settle(&mut self, module: Module) -> Result<bool, String> {
        let settled = self.movers.take().map(|movers| movers.settle(module)).unwrap_or_default();
        if settled.moves_records {
            module.run_passes(INLINED, None, Tuning { inline_threshold: None, plain_loops: true })?;
        }
        Ok(settled.takes_bits)
    }
}

/// What makes functions that move records a part of those that call them.
const INLINED: &str = "always-inline,function(mem2reg,loop-simplify,lcssa)";

/// Tells an access of a part of a record, of so many bytes, that it is as the source has it. (Of a record that has few numbers which are narrower than a float.)
pub fn mark_leaf(access: Value, bytes: u64) {
    if bytes < NARROWEST { tag::mark_number(access) } else { tag::mark_told(access) }
}

/// The attribute that tells a copy its record. (Metadata would not last: passes that join two calls drop what they do not know.)
const RECORD: &str = "ct-record";

/// Tells a copy what each of the records that it moves consists of.
fn tell_record(copy: Value, record: &[Run], size: u64) {
    tell_runs(copy, RECORD, record, size);
}

/// The attribute that tells a copy what a part of an object consists of.
const OBJECT: &str = "ct-object";

/// Tells a copy that it moves a part of an object that consists of such leaves, one after the other.
pub fn tell_object(copy: Value, leaf: Leaf) {
    tell_runs(copy, OBJECT, &[Run { at: 0, leaf, count: 1 }], leaf.bytes());
}

/// What a copy of a part of an object moves.
pub fn object_of(copy: Value) -> Option<(Vec<Run>, u64)> {
    runs_of(copy, OBJECT)
}

fn tell_runs(copy: Value, attribute: &str, record: &[Run], size: u64) {
    let mut text = size.to_string();
    for run in record {
        text += &format!(" {run}");
    }
    copy.add_call_string_attribute(attribute, &text);
}

/// What each of the records that a copy moves consists of, and its size, if the copy was told.
pub fn record_of(copy: Value) -> Option<(Vec<Run>, u64)> {
    runs_of(copy, RECORD).filter(is_certain)
}

/// The same of a copy that was told that the source has numbers there, whatever their bits may be (see [`tag::moves_numbers`]).
pub fn numbers_of(copy: Value) -> Option<(Vec<Run>, u64)> {
    runs_of(copy, tag::NUMBERS).filter(is_certain)
}

/// The attribute that tells a copy the types of what it moves, of use where nothing else tells it.
const TYPES: &str = "ct-types";

/// What each of the records that a copy moves consists of by its type, and its size, if all that is known of the copy says the same.
pub fn types_of(copy: Value) -> Option<(Vec<Run>, u64)> {
    runs_of(copy, TYPES).filter(is_certain)
}

fn is_certain((runs, _): &(Vec<Run>, u64)) -> bool {
    !runs.iter().any(|run| matches!(run.leaf, Leaf::Mixed(_)))
}

fn runs_of(copy: Value, attribute: &str) -> Option<(Vec<Run>, u64)> {
    let text = copy.call_string_attribute(attribute)?;
    let mut words = text.split(' ');
    let size = words.next()?.parse().ok()?;
    let record = words.map(Run::parse).collect::<Option<Vec<Run>>>()?;
    Some((record, size))
}

/// Whether so many bytes are floats and nothing else.
pub fn is_of_floats(record: &[Run], bytes: u64) -> bool {
    matches!(record, [run] if matches!(run.leaf, Leaf::Float(_)) && run.at == 0 && run.end() == bytes)
}
