//! The plan: everything that emission of a reverse sweep needs to know, decided beforehand.
//!
//! [`build`] asks, block by block, what the reverse sweep will use ([`needs`]), how it goes back through the control flow
//! ([`flow`]), which of the values can be computed again there ([`recompute`]), and then cuts the graph between what must be
//! had and what is needed where that costs the fewest bytes ([`cut`]). The plan is plain data and prints itself;
//! what it costs in memory is said by lines of the source in [`cost`].
pub mod cost;
pub mod custom;
pub mod cut;
pub mod flow;
pub mod masked;
pub mod needs;
pub mod recompute;

pub use crate::analysis::activity::holds_pointer;

use crate::analysis::activity::Activity;
use crate::analysis::cfg::{Cfg, LoopId};
use crate::analysis::memory::Memory;
use crate::ir::{BlockId, Func, InstId, Val};
use crate::maps::HashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Something that the forward sweep has and the reverse sweep may want.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Item {
    /// The value of an instruction.
    Value(InstId),
    /// The shadow of a pointer (or of an aggregate with pointers).
    Shadow(InstId),
    /// The tape of a call that is differentiated by itself.
    Tape(InstId),
    /// How often a loop went back to its header before it was left.
    Trips(LoopId),
}

/// What is known of a loop before its function is read.
#[derive(Clone, Debug, Default)]
pub struct LoopFacts {
    /// The counter phi in the header.
    pub counter: Option<InstId>,
    /// The counter's value when the loop is left, in terms of values from before the loop.
    pub trips: Option<Val>,
}

/// What every stage of one function sees.
pub struct Facts<'a> {
    /// The function.
    pub func: &'a Func,
    /// Its control flow.
    pub cfg: &'a Cfg,
    /// Its memory.
    pub memory: &'a Memory,
    /// Its activity.
    pub activity: &'a Activity,
    /// Its loops, by number.
    pub loops: &'a [LoopFacts],
    /// The phi that says where a block was entered from.
    pub selectors: &'a HashMap<BlockId, InstId>,
    /// By parameter: its memory stays as it is after the function returns, until the reverse sweep.
    pub stable: &'a [bool],
    /// Forward and reverse sweep are one function: what the first leaves on the stack, the second still has.
    pub fused: bool,
}

/// The plan of one function.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Blocks with something to do in the reverse sweep.
    pub work: Vec<bool>,
    /// Loops that the reverse sweep goes through.
    pub reversed: Vec<bool>,
    /// How the reverse sweep leaves each block.
    pub back: Vec<flow::Back>,
    /// What is kept.
    pub kept: BTreeSet<Item>,
    /// What is computed again, by place where it is needed or by another of these.
    pub recomputed: BTreeSet<Item>,
    /// Results whose adjoint may be zero because another branch was taken: their partials may be infinite.
    pub masked: Vec<bool>,
    /// Bytes kept per iteration of each loop, and outside of all (by depth of the loop's number; `None` is outside).
    pub bytes: BTreeMap<Option<u32>, u64>,
}

/// Plans the reverse sweep of a function.
pub fn build(facts: &Facts) -> Plan {
    let work = needs::work(facts);
    let (back, reversed) = flow::plan(facts, &work);
    let wanted = needs::collect(facts, &work, &back, &reversed);
    let (kept, recomputed) = cut::cut(facts, &wanted);
    let mut bytes = BTreeMap::new();
    for item in &kept {
        *bytes.entry(facts.scope(*item).map(|l| l.0)).or_insert(0) += facts.bytes(*item);
    }
    Plan { work, reversed, back, kept, recomputed, masked: masked::find(facts), bytes }
}

impl Facts<'_> {
    /// The innermost loop in which an item has one value per iteration.
    pub fn scope(&self, item: Item) -> Option<LoopId> {
        match item {
            Item::Value(id) | Item::Shadow(id) | Item::Tape(id) => self.cfg.loop_of(self.func.inst(id).block),
            Item::Trips(l) => self.cfg.get(l).parent,
        }
    }

    /// Bytes of an item.
    pub fn bytes(&self, item: Item) -> u64 {
        self.func.module().size_of(self.item_type(item))
    }

    /// Type of an item.
    pub fn item_type(&self, item: Item) -> crate::llvm::Type {
        let context = self.func.function.value().context();
        match item {
            Item::Value(id) | Item::Shadow(id) => self.func.inst(id).ty,
            Item::Tape(_) => context.ptr(),
            Item::Trips(_) => context.int(64),
        }
    }

    /// Whether a value is (or holds) a pointer with a shadow.
    pub fn has_shadow(&self, val: Val) -> bool {
        self.activity.has_shadow(val)
    }
}

impl fmt::Debug for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Item::Value(id) => write!(f, "{id:?}"),
            Item::Shadow(id) => write!(f, "shadow {id:?}"),
            Item::Tape(id) => write!(f, "tape of {id:?}"),
            Item::Trips(l) => write!(f, "trips of loop {}", l.0),
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "kept: {:?}", self.kept)?;
        writeln!(f, "recomputed: {:?}", self.recomputed)?;
        for (scope, bytes) in &self.bytes {
            match scope {
                None => writeln!(f, "bytes once: {bytes}")?,
                Some(l) => writeln!(f, "bytes per iteration of loop {l}: {bytes}")?,
            }
        }
        for (block, back) in self.back.iter().enumerate() {
            let work = if self.work[block] { " work" } else { "" };
            writeln!(f, "b{block}: back {back:?}{work}")?;
        }
        let masked: Vec<usize> = (0..self.masked.len()).filter(|i| self.masked[*i]).collect();
        writeln!(f, "masked: {masked:?}")
    }
}
