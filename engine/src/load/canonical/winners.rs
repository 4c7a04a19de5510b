//! What a loop ends up with by choosing one of its elements is loaded behind it.
//!
//! A running maximum, a minimum, the last element that meets a condition: in each iteration the loop keeps what it has or takes the iteration's own
//! value, and only the one that is left in the end has a derivative. Element by element, the reverse sweep would have to remember every choice and
//! hand one adjoint back through all of them. So the loop also keeps the *number* of the iteration that it took last, and behind it that
//! iteration's value is computed once more:
//!
//! ```text
//! m = phi [start, before], [m', latch]                     k = phi [-1, before], [k', latch]
//! v = load x[i]                                            k' = select taken, i, k
//! m' = max(m, v)           or   select taken, v, m         behind the loop:  k' < 0 ? start : load x[k']
//! ```
//!
//! What is compared within the loop stays as it is, and is no active value any more. This is done where the iteration's value follows from its number
//! alone, and nothing is written in the loop: then it is the same behind it. (The first iteration's value is there whichever was taken: the choice has been
//! made in it where control leaves with what was chosen.)

use super::{behind_phis, is_phi};
use crate::ir::loops::{self, Loop};
use crate::llvm::{Block, Builder, Function, Opcode, RealPredicate, Value};
use crate::maps::{HashMap, HashSet};

/// How much may be computed once more for one value.
const MOST_INSTRUCTIONS: usize = 48;

/// Loads behind the loops of a function what they choose in them. `counter` answers the counter of a loop by its header.
pub fn run(function: Function, counter: impl Fn(Block) -> Option<Value>) {
    for one in loops::loops(function) {
        let ([latch], [before], Some(counter)) = (&one.latches[..], &one.entering[..], counter(one.header)) else {
            continue;
        };
        let inside: HashSet<Block> = one.blocks.iter().copied().collect();
        if one.blocks.iter().flat_map(|b| b.instructions()).any(writes) {
            continue;
        }
        let phis = one.header.instructions().into_iter().take_while(|i| is_phi(*i));
        for kept in phis.collect::<Vec<_>>() {
            let of_loop = OfLoop { one: &one, latch: *latch, before: *before, counter, inside: &inside };
            if let Some(choice) = of_loop.choice(kept) {
                of_loop.load_behind(&choice);
            }
        }
    }
}

/// Whether an instruction may change memory, or do anything else that can be seen.
fn writes(instruction: Value) -> bool {
    match instruction.opcode() {
        Opcode::LLVMCall => !is_function_of_numbers(instruction),
        Opcode::LLVMLoad => !instruction.is_plain(),
        Opcode::LLVMStore | Opcode::LLVMFence | Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => true,
        Opcode::LLVMInvoke | Opcode::LLVMVAArg | Opcode::LLVMCallBr => true,
        _ => false,
    }
}

/// Whether a call is one of LLVM's own functions and is handed no memory.
fn is_function_of_numbers(call: Value) -> bool {
    let is_own = call.called_function().is_some_and(|f| f.name().starts_with("llvm."));
    is_own && call.arguments().iter().all(|a| !a.ty().is_pointer())
}

/// A variable that is kept or replaced in each iteration.
struct Choice {
    /// The phi.
    kept: Value,
    /// What it is before the loop.
    start: Value,
    /// What is chosen in an iteration: the phi, or `taken`.
    chosen: Value,
    /// The iteration's own value.
    taken: Value,
    /// What computes that within the loop, in order.
    computed: Vec<Value>,
    /// The phis behind the loop that hand on what was chosen last.
    ends: Vec<Value>,
}

struct OfLoop<'a> {
    one: &'a Loop,
    latch: Block,
    before: Block,
    counter: Value,
    inside: &'a HashSet<Block>,
}

impl OfLoop<'_> {
    fn is_inside(&self, value: Value) -> bool {
        value.is_instruction() && self.inside.contains(&value.block())
    }

    /// Reads a phi of the header as such a variable, of which nothing but comparisons sees what it is on the way.
    fn choice(&self, kept: Value) -> Option<Choice> {
        let incoming = kept.incoming();
        let from = |block: Block| incoming.iter().find(|(_, b)| *b == block).map(|(value, _)| *value);
        let (start, chosen) = (from(self.before)?, from(self.latch)?);
        if incoming.len() != 2 || !kept.ty().is_float() || !self.is_inside(chosen) || chosen == kept {
            return None;
        }
        let taken = match chosen.opcode() {
            Opcode::LLVMSelect => other_of(kept, [chosen.operand(1), chosen.operand(2)])?,
            Opcode::LLVMCall if extremum(chosen).is_some() => other_of(kept, [chosen.operand(0), chosen.operand(1)])?,
            _ => return None,
        };
        let compares = |user: &Value| user.is_instruction() && user.opcode() == Opcode::LLVMFCmp;
        if !kept.users().iter().all(|user| *user == chosen || compares(user)) {
            return None;
        }
        let (outside, within): (Vec<Value>, Vec<Value>) = chosen.users().into_iter().partition(|u| !self.is_inside(*u));
        let hands_on = |end: &Value| is_phi(*end) && end.incoming().iter().all(|(value, _)| *value == chosen);
        if outside.is_empty()
            || !outside.iter().all(hands_on)
            || !within.iter().all(|user| *user == kept || compares(user))
        {
            return None;
        }
        let (mut computed, mut seen) = (Vec::new(), HashSet::default());
        self.collect(taken, &mut computed, &mut seen)?;
        let mut ends = outside;
        ends.dedup();
        Some(Choice { kept, start, chosen, taken, computed, ends })
    }

    /// What computes a value within the loop from the counter and from values before it, operands first; none where there is more to it.
    fn collect(&self, value: Value, computed: &mut Vec<Value>, seen: &mut HashSet<Value>) -> Option<()> {
        if !self.is_inside(value) || value == self.counter || !seen.insert(value) {
            return Some(());
        }
        if seen.len() > MOST_INSTRUCTIONS || !self.follows_from_operands(value) {
            return None;
        }
        let operands = if value.opcode() == Opcode::LLVMCall { value.arguments() } else { value.operands() };
        operands.into_iter().try_for_each(|operand| self.collect(operand, computed, seen))?;
        computed.push(value);
        Some(())
    }

    /// Whether an instruction gives the same again for the same operands. (Loads do: nothing is written in the loop.)
    fn follows_from_operands(&self, instruction: Value) -> bool {
        use Opcode::*;
        match instruction.opcode() {
            LLVMCall => !instruction.ty().is_void(),
            LLVMLoad | LLVMGetElementPtr | LLVMSelect | LLVMICmp | LLVMFCmp | LLVMFNeg => true,
            LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem => true,
            LLVMAdd | LLVMSub | LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem => true,
            LLVMShl | LLVMLShr | LLVMAShr | LLVMAnd | LLVMOr | LLVMXor => true,
            LLVMTrunc | LLVMZExt | LLVMSExt | LLVMFPExt | LLVMFPTrunc | LLVMBitCast => true,
            LLVMUIToFP | LLVMSIToFP | LLVMFPToUI | LLVMFPToSI => true,
            LLVMExtractValue | LLVMExtractElement => true,
            _ => false,
        }
    }

    /// Keeps the number of the iteration whose value was taken last, and computes that value behind the loop.
    fn load_behind(&self, choice: &Choice) {
        let word = self.counter.ty();
        let none = word.int_value(u64::MAX);
        let Some(first) = self.one.header.first() else { return };
        let number = Builder::before(first).phi(word);
        let builder = Builder::before(choice.chosen);
        builder.set_location_of(Some(choice.chosen));
        let is_taken = is_taken(&builder, choice);
        let next = builder.select(is_taken, self.counter, number);
        if extremum(choice.chosen).is_some() && begins_with_a_number(choice) {
            // Nothing is asked about NaN any more, which is quicker.
            choice.chosen.replace_all_uses_with(builder.select(is_taken, choice.taken, choice.kept));
            choice.chosen.erase();
        }
        number.add_incoming(none, self.before);
        number.add_incoming(next, self.latch);
        for end in &choice.ends {
            let last = Builder::before(*end).phi(word);
            end.incoming().into_iter().for_each(|(_, from)| last.add_incoming(next, from));
            let builder = Builder::before(behind_phis(end.block()));
            builder.set_location_of(Some(next));
            let is_none = builder.icmp(crate::llvm::IntPredicate::LLVMIntEQ, last, none);
            let iteration = builder.select(is_none, word.zero(), last);
            let mut copies: HashMap<Value, Value> = HashMap::from_iter([(self.counter, iteration)]);
            for old in &choice.computed {
                let copy = old.clone_instruction();
                builder.insert(copy);
                for (index, operand) in old.operands().into_iter().enumerate() {
                    if let Some(new) = copies.get(&operand) {
                        copy.set_operand(index as u32, *new);
                    }
                }
                copies.insert(*old, copy);
            }
            let taken = copies.get(&choice.taken).copied().unwrap_or(choice.taken);
            let value = builder.select(is_none, choice.start, taken);
            end.replace_all_uses_with(value);
            end.erase();
        }
    }
}

/// The other one of two operands.
fn other_of(one: Value, operands: [Value; 2]) -> Option<Value> {
    match operands {
        [a, b] if a == one && b != one => Some(b),
        [a, b] if b == one && a != one => Some(a),
        _ => None,
    }
}

/// Which values a call of an extremum keeps in its first operand, over the second: those that compare so, and all over NaN.
fn extremum(call: Value) -> Option<RealPredicate> {
    let name = call.called_function()?.name();
    let is = |stems: [&str; 2]| stems.iter().any(|stem| name.starts_with(stem));
    if is(["llvm.maxnum.", "llvm.maximumnum."]) {
        Some(RealPredicate::LLVMRealOGE)
    } else if is(["llvm.minnum.", "llvm.minimumnum."]) {
        Some(RealPredicate::LLVMRealOLE)
    } else {
        None
    }
}

/// Whether an extremum begins with a number: then it is one all the time.
fn begins_with_a_number(choice: &Choice) -> bool {
    choice.start.as_f64().is_some_and(|v| !v.is_nan())
}

/// Whether an iteration's own value is taken: what an extremum's derivative says as well (at a tie the first operand is), and never NaN over a number.
fn is_taken(builder: &Builder, choice: &Choice) -> Value {
    let Choice { kept, chosen, taken, .. } = *choice;
    let Some(keeps) = extremum(chosen) else {
        let condition = chosen.operand(0);
        return if chosen.operand(1) == taken { condition } else { builder.not(condition) };
    };
    let is_number = begins_with_a_number(choice);
    if chosen.operand(0) == taken {
        let wins = builder.fcmp(keeps, taken, kept);
        let over_nan = || builder.fcmp(RealPredicate::LLVMRealUNO, kept, kept);
        return if is_number { wins } else { builder.binary(Opcode::LLVMOr, wins, over_nan()) };
    }
    let loses = |ordered| match (keeps, ordered) {
        (RealPredicate::LLVMRealOGE, true) => RealPredicate::LLVMRealOLT,
        (RealPredicate::LLVMRealOGE, false) => RealPredicate::LLVMRealULT,
        (_, true) => RealPredicate::LLVMRealOGT,
        (_, false) => RealPredicate::LLVMRealUGT,
    };
    let lost = builder.fcmp(loses(is_number), kept, taken);
    let is_no_nan = || builder.fcmp(RealPredicate::LLVMRealORD, taken, taken);
    if is_number { lost } else { builder.binary(Opcode::LLVMAnd, lost, is_no_nan()) }
}
