//! Loads that a store to other memory does not disturb.
//!
//! In `a[i][j] -= f * a[k][j]` with a `Vec<Vec<f64>>`, each step loads the places and lengths of the two rows again, because for all that LLVM knows the
//! store of a float may have changed them: nothing in Rust's types says otherwise. [`memory`] does know: the rows' floats were allocated in
//! one place and the table of rows in another. So accesses are sorted into classes of memory that never meet, LLVM is told of them by
//! type tags, and its own passes remove or hoist the loads. What is loaded once need not be remembered for the reverse sweep in each step.
//!
//! The tags say what is true within one call of the function, so they are gone before anybody could inline it.

use super::latches;
use super::retype::moves_words;
use crate::analysis::activity;
use crate::analysis::memory::{self, Memory, ObjectId, ObjectSet, Summaries};
use crate::ir::{Func, Op, Val};
use crate::llvm::{Function, Value};
use crate::rule::Registry;

/// Cleans up with what is known of memory. Nothing that would put values of another type in the place of loads: what lies in memory is
/// told by the types in which it is read.
const PASSES: &str = "early-cse<memssa>,loop-simplify,lcssa,loop-mssa(licm),early-cse<memssa>,correlated-propagation,\
    simplifycfg<no-speculate-blocks>,instsimplify,adce";

/// The same where words are moved: what LLVM keeps in a register over a loop loses its mark.
const PASSES_BESIDE_WORDS: &str = "early-cse<memssa>,loop-simplify,lcssa,correlated-propagation,\
    simplifycfg<no-speculate-blocks>,instsimplify,adce";

/// The form that the analyses expect.
const SHAPE: &str = "mem2reg,loop-simplify,lcssa";

/// Functions with more objects are left as they are: comparing each with each would take long.
const MOST_OBJECTS: usize = 1500;

/// Removes and hoists loads in a function where stores to other memory are all that is in the way.
///
/// # Errors
/// LLVM's message where a pass is not known.
pub fn loads(function: Function, registry: &Registry, summaries: &Summaries) -> Result<(), String> {
    let func = Func::load(function, registry);
    let memory = memory::analyze(&func, summaries, &[]);
    if memory.objects.len() > MOST_OBJECTS {
        return Ok(());
    }
    let accesses = accesses(&func, &memory);
    let mut classes = Classes::of(&memory, &accesses);
    let tagged: Vec<(Value, usize)> =
        accesses.iter().filter_map(|(value, set)| Some((*value, classes.find(set.iter().next()?)))).collect();
    let reads = |class: usize| tagged.iter().any(|(value, c)| *c == class && is_load(*value));
    let writes = |class: usize| tagged.iter().any(|(value, c)| *c != class && !is_load(*value));
    if !tagged.iter().any(|(_, class)| reads(*class) && writes(*class)) {
        return Ok(());
    }
    let context = function.module().context();
    let kind = context.metadata_kind("tbaa");
    let root = context.metadata_node(&[context.metadata_string("memory of one call")]);
    for (value, class) in &tagged {
        // Structure alone is of interest: places and lengths, not the floats.
        if is_load(*value) && activity::may_hold_floats(value.ty()) {
            continue;
        }
        let zero = context.int(64).int_value(0);
        let name = context.metadata_string(&format!("class {class}"));
        let ty = context.metadata_node(&[name, root, zero]);
        value.set_metadata(kind, Some(context.metadata_node(&[ty, ty, zero])));
    }
    let done = function.run_passes(if moves_words(function) { PASSES_BESIDE_WORDS } else { PASSES });
    for instruction in function.blocks().into_iter().flat_map(|b| b.instructions()) {
        if instruction.metadata(kind).is_some() {
            instruction.set_metadata(kind, None);
        }
    }
    done?;
    latches::join(function);
    function.run_passes(SHAPE)
}

fn is_load(value: Value) -> bool {
    value.opcode() == crate::llvm::Opcode::LLVMLoad
}

/// Loads and stores with the memory that they touch, where that is known.
fn accesses(func: &Func, memory: &Memory) -> Vec<(Value, ObjectSet)> {
    let mut found = Vec::new();
    for id in func.inst_ids() {
        let inst = func.inst(id);
        let address: Val = match inst.op {
            Op::Load => inst.operands[0],
            Op::Store => inst.operands[1],
            _ => continue,
        };
        let set = memory.points_to(address);
        if !set.is_empty() && !inst.value.is_volatile() {
            found.push((inst.value, set));
        }
    }
    found
}

/// Objects that one access may touch, or that may share bytes, are in one class.
struct Classes(Vec<usize>);

impl Classes {
    fn of(memory: &Memory, accesses: &[(Value, ObjectSet)]) -> Classes {
        let count = memory.objects.len();
        let mut classes = Classes((0..count).collect());
        for (_, set) in accesses {
            let mut members = set.iter();
            if let Some(first) = members.next() {
                members.for_each(|other| classes.unite(first, other));
            }
        }
        for a in 0..count {
            for b in a + 1..count {
                let (a, b) = (ObjectId(a as u32), ObjectId(b as u32));
                if memory.may_alias(a, b) {
                    classes.unite(a, b);
                }
            }
        }
        classes
    }

    fn find(&mut self, object: ObjectId) -> usize {
        let mut at = object.0 as usize;
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    fn unite(&mut self, a: ObjectId, b: ObjectId) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b)] = a.min(b);
    }
}
