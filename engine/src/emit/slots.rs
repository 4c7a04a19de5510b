//! Where kept values live between the sweeps.
//!
//! A value outside of loops has a *slot*, a local variable that becomes a register. A value in a loop has an array, one
//! element per iteration; the iterations of its loop are numbered through over the whole call, so one number indexes arrays of
//! nests of any shape, and the reverse sweep counts the same number down. Where both sweeps are functions of their own, all
//! slots go through the tape between them.
use crate::analysis::cfg::LoopId;
use crate::llvm::{Block, Builder, Type, Value};
use crate::plan::{Facts, Item, Plan};
use std::collections::BTreeMap;

/// Variables of one function that both sweeps know.
pub struct Slots {
    /// The type of each variable.
    pub types: Vec<Type>,
    /// Variable of each kept item: its value, or its array.
    pub items: BTreeMap<Item, usize>,
    /// Variable with the number of iterations so far, of each loop with arrays.
    pub numbers: BTreeMap<LoopId, usize>,
}

/// The variables of a plan.
pub fn layout(facts: &Facts, plan: &Plan) -> Slots {
    let context = facts.func.function.value().context();
    let mut slots = Slots { types: Vec::new(), items: BTreeMap::new(), numbers: BTreeMap::new() };
    for item in &plan.kept {
        let ty = match facts.scope(*item) {
            None => facts.item_type(*item),
            Some(l) => {
                if let std::collections::btree_map::Entry::Vacant(entry) = slots.numbers.entry(l) {
                    entry.insert(slots.types.len());
                    slots.types.push(context.int(64));
                }
                context.ptr()
            }
        };
        slots.items.insert(*item, slots.types.len());
        slots.types.push(ty);
    }
    slots
}

impl Slots {
    /// Makes the variables in a function's entry block.
    pub fn allocate(&self, entry: Block) -> Vec<Value> {
        let builder = Builder::before_terminator(entry);
        self.types.iter().map(|ty| builder.alloca(*ty, "ct.slot")).collect()
    }

    /// Offset of each variable on the tape, and the bytes of all.
    pub fn tape(&self, module: crate::llvm::Module) -> (Vec<u64>, u64) {
        let (mut offsets, mut size) = (Vec::new(), 0u64);
        for ty in &self.types {
            size = size.next_multiple_of(u64::from(module.align_of(*ty)).max(1));
            offsets.push(size);
            size += module.size_of(*ty);
        }
        (offsets, size)
    }
}
