//! Loops over inclusive ranges become loops that LLVM can count.
//!
//! `for i in a..=b` must not step over the largest integer, so Rust's iterator adds the truth of `i < b` instead of one, and looks again
//! whether it may go on:
//!
//! ```text
//! done = i >= b;  next = i + zext(!done);  if done || next > b { leave } else { i = next }
//! ```
//!
//! Where the loop goes on, `i < b` holds: `next` is `i + 1`, which is not above `b`. No pass of LLVM sees it, because the addition stands
//! before the branch. So, in a block that is left in the knowledge that `i < b`:
//!
//! - the second question, where it is asked there, is answered (`done || next > b` becomes `done`), and
//! - phis receive `i + 1` from it;
//! - a first question that is asked at the top of the loop (`i > b`) can only be answered with yes before the first iteration: it is asked of the
//!   first `i`, and moves out of the loop.
//!
//! **Promise:** the function computes the same; nothing else changes.

use crate::ir::loops::{self, Loop};
use crate::llvm::{Block, Builder, Function, IntPredicate, Opcode, Value};
use crate::load::retype::moves_words;
use crate::maps::HashMap;
use std::cell::OnceCell;

/// `low < high`, of integers with or without sign.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Less {
    low: Value,
    high: Value,
    signed: bool,
}

/// A comparison, or its opposite.
fn comparison(value: Value) -> Option<(Less, bool)> {
    if !value.is_instruction() {
        return None;
    }
    match value.opcode() {
        Opcode::LLVMXor if value.operand(1).as_u64() == Some(1) => {
            comparison(value.operand(0)).map(|(less, holds)| (less, !holds))
        }
        Opcode::LLVMICmp => {
            use IntPredicate::{
                LLVMIntSGE, LLVMIntSGT, LLVMIntSLE, LLVMIntSLT, LLVMIntUGE, LLVMIntUGT, LLVMIntULE, LLVMIntULT,
            };
            let (a, b) = (value.operand(0), value.operand(1));
            let less = |low, high, signed| Less { low, high, signed };
            Some(match value.int_predicate() {
                LLVMIntULT => (less(a, b, false), true),
                LLVMIntUGT => (less(b, a, false), true),
                LLVMIntUGE => (less(a, b, false), false),
                LLVMIntULE => (less(b, a, false), false),
                LLVMIntSLT => (less(a, b, true), true),
                LLVMIntSGT => (less(b, a, true), true),
                LLVMIntSGE => (less(a, b, true), false),
                LLVMIntSLE => (less(b, a, true), false),
                _ => return None,
            })
        }
        _ => None,
    }
}

/// `first || second` with `true`, `first && second` with `false`.
fn pair(value: Value) -> Option<(Value, Value, bool)> {
    if !value.is_instruction() || value.ty().is_vector() {
        return None;
    }
    let operand = |i| value.operand(i);
    match value.opcode() {
        Opcode::LLVMSelect if operand(1).as_u64() == Some(1) => Some((operand(0), operand(2), true)),
        Opcode::LLVMSelect if operand(2).as_u64() == Some(0) => Some((operand(0), operand(1), false)),
        Opcode::LLVMOr => Some((operand(0), operand(1), true)),
        Opcode::LLVMAnd => Some((operand(0), operand(1), false)),
        _ => None,
    }
}

/// `low + 1` where `less` holds: the sum of `low` and the truth of `less`.
fn is_next(value: Value, less: Less) -> bool {
    if !value.is_instruction() || value.opcode() != Opcode::LLVMAdd || value.operand(0) != less.low {
        return false;
    }
    let truth = value.operand(1);
    truth.is_instruction()
        && truth.opcode() == Opcode::LLVMZExt
        && truth.operand(0).ty().bits() == 1
        && comparison(truth.operand(0)) == Some((less, true))
}

/// What makes use of it: the question at the top leaves the loop (which needs the values behind the loop to be known), and what is known is
/// not asked.
const PASSES: &str = "loop-simplify,lcssa,loop-mssa(loop-rotate,licm),loop(indvars),loop-mssa(simple-loop-unswitch),\
                      constraint-elimination,instsimplify,simplifycfg<no-speculate-blocks>,adce";
/// The same where words are moved: what LLVM keeps in a register over a loop loses its mark.
const PASSES_BESIDE_WORDS: &str = "loop-simplify,lcssa,loop-mssa(loop-rotate),loop(indvars),loop-mssa(simple-loop-unswitch),\
                      constraint-elimination,instsimplify,simplifycfg<no-speculate-blocks>,adce";

/// Simplifies the loops over inclusive ranges.
///
/// # Errors
/// LLVM's message where a pass is not known.
pub fn run(function: Function) -> Result<(), String> {
    let passes = if moves_words(function) { PASSES_BESIDE_WORDS } else { PASSES };
    if simplify(function) { function.run_passes(passes) } else { Ok(()) }
}

/// True where there was a loop over an inclusive range.
fn simplify(function: Function) -> bool {
    let (blocks, only) = (function.blocks(), only_predecessors(function));
    // No edge changes here.
    let loops = OnceCell::new();
    let mut changed = false;
    for block in blocks {
        if let Some(branch) = block.terminator().filter(|t| t.opcode() == Opcode::LLVMBr && t.is_conditional()) {
            let entered_with = facts(block, &only);
            changed |= answer(branch, &entered_with);
            changed |= pass_on(block, branch, &entered_with, &loops);
        }
    }
    changed
}

/// The one block that leads to a block, where there is only one.
fn only_predecessors(function: Function) -> HashMap<Block, Option<Block>> {
    let mut only: HashMap<Block, Option<Block>> = HashMap::default();
    for block in function.blocks() {
        for next in block.successors() {
            only.entry(next).and_modify(|known| *known = known.filter(|other| *other == block)).or_insert(Some(block));
        }
    }
    only
}

/// How many blocks are followed back to what is known in a block.
const FOLLOWED: usize = 4;

/// What is known where a block is entered, because of the branches that control cannot have avoided.
fn facts(block: Block, only: &HashMap<Block, Option<Block>>) -> Vec<Less> {
    let mut facts = Vec::new();
    let mut block = block;
    for _ in 0..FOLLOWED {
        let Some(single) = only.get(&block).copied().flatten() else { break };
        if let Some(branch) = single.terminator().filter(|t| t.opcode() == Opcode::LLVMBr && t.is_conditional()) {
            let ways = branch.successors();
            if ways[0] != ways[1] {
                facts.extend(learned(branch.operand(0), ways[0] == block));
            }
        }
        block = single;
    }
    facts
}

/// What follows where a condition turns out as `truth`.
fn learned(condition: Value, truth: bool) -> Vec<Less> {
    let parts = match pair(condition) {
        // Neither of two, or both of them.
        Some((first, second, either)) if either != truth => vec![first, second],
        Some(_) => return Vec::new(),
        None => vec![condition],
    };
    let known = parts.into_iter().filter_map(comparison);
    known.filter(|(_, holds)| *holds == truth).map(|(less, _)| less).collect()
}

/// Takes out of a branch's condition what the rest of it, or what is known before, says.
fn answer(branch: Value, entered_with: &[Less]) -> bool {
    let condition = branch.operand(0);
    if let Some((first, second, either)) = pair(condition) {
        for (kept, asked) in [(first, second), (second, first)] {
            // It is only asked where the other part leaves the question open, and there it says this.
            let known = learned(kept, !either);
            if known.iter().any(|less| answered(asked, *less) == Some(!either)) {
                branch.set_operand(0, kept);
                return true;
            }
        }
        return false;
    }
    let Some(truth) = entered_with.iter().find_map(|less| answered(condition, *less)) else { return false };
    branch.set_operand(0, condition.ty().int_value(u64::from(truth)));
    true
}

/// Whether `next` is beyond the end, where `less` holds: what the comparison then says.
fn answered(asked: Value, less: Less) -> Option<bool> {
    let (beyond, holds) = comparison(asked)?;
    let same = beyond.low == less.high && beyond.signed == less.signed;
    (same && is_next(beyond.high, less)).then_some(!holds)
}

/// Phis that receive `next` behind a branch that makes sure of `low < high` receive `low + 1`.
fn pass_on(from: Block, branch: Value, entered_with: &[Less], loops: &OnceCell<Vec<Loop>>) -> bool {
    let ways = branch.successors();
    if ways[0] == ways[1] {
        return false;
    }
    let mut changed = false;
    for (way, to) in ways.into_iter().enumerate() {
        let mut known = entered_with.to_vec();
        known.extend(learned(branch.operand(0), way == 0));
        for phi in to.instructions().into_iter().take_while(|i| i.opcode() == Opcode::LLVMPHI) {
            for (index, (next, block)) in phi.incoming().into_iter().enumerate() {
                if block != from || !known.iter().any(|less| is_next(next, *less)) {
                    continue;
                }
                // A copy of the addition keeps what is known of its overflow.
                let sum = next.clone_instruction();
                sum.set_operand(1, next.ty().int_value(1));
                Builder::before_terminator(from).insert(sum);
                phi.set_operand(index as u32, sum);
                if let Some(less) = known.iter().find(|less| less.low == phi) {
                    let loops = loops.get_or_init(|| loops::loops(from.function()));
                    ask_of_the_first(phi, *less, index, loops);
                }
                changed = true;
            }
        }
    }
    changed
}

/// Where a loop goes on only if `less` holds of its variable, which then is one more: nothing inside the loop but the first
/// iteration can find it beyond the end.
fn ask_of_the_first(variable: Value, less: Less, back: usize, loops: &[Loop]) {
    let header = variable.block();
    let Some(one) = loops.iter().find(|l| l.header == header) else { return };
    let inside = |value: Value| value.is_instruction() && one.blocks.contains(&value.block());
    let incoming = variable.incoming();
    let ([latch], 2, false) = (&one.latches[..], incoming.len(), inside(less.high)) else { return };
    if incoming[back].1 != *latch {
        return;
    }
    let first = incoming[1 - back].0;
    for user in variable.users().into_iter().filter(|u| inside(*u) && u.opcode() == Opcode::LLVMICmp) {
        let asks = comparison(user).is_some_and(|(beyond, _)| {
            beyond.high == variable && beyond.low == less.high && beyond.signed == less.signed
        });
        if asks {
            user.set_operand(u32::from(user.operand(1) == variable), first);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llvm::Context;

    /// The text after [`run`].
    fn after(body: &str) -> String {
        let text = format!(
            "define i64 @f(i64 %n, ptr %p, i64 %m) {{\nentry:\n  br label %loop\n{body}\nexit:\n  ret i64 0\n}}\n"
        );
        let module = Context::new().parse_text(&text, "test").unwrap();
        run(module.function("f").unwrap()).unwrap();
        module.verify().unwrap();
        module.to_string()
    }

    #[test]
    fn both_questions_at_the_bottom() {
        let text = after(
            "loop:\n  %i = phi i64 [ 1, %entry ], [ %next, %loop ]\n  store volatile i64 %i, ptr %p\n  %done = icmp uge i64 %i, %n\n  \
             %more = xor i1 %done, true\n  %one = zext i1 %more to i64\n  %next = add nuw i64 %i, %one\n  \
             %beyond = icmp ugt i64 %next, %n\n  %leave = select i1 %done, i1 true, i1 %beyond\n  \
             br i1 %leave, label %exit, label %loop",
        );
        assert!(!text.contains("select") && !text.contains("zext"), "{text}");
        assert!(text.contains("add nuw i64 %i, 1") || text.contains("add nuw nsw i64 %i, 1"), "{text}");
    }

    #[test]
    fn the_first_question_at_the_top_leaves_the_loop() {
        let text = after(
            "loop:\n  %i = phi i64 [ 1, %entry ], [ %next, %body ]\n  %beyond = icmp sgt i64 %i, %n\n  \
             br i1 %beyond, label %exit, label %body\nbody:\n  store volatile i64 %i, ptr %p\n  %more = icmp slt i64 %i, %n\n  \
             %one = zext i1 %more to i64\n  %next = add nsw i64 %i, %one\n  br i1 %more, label %loop, label %exit",
        );
        assert!(!text.contains("zext"), "{text}");
        assert_eq!(text.matches("br i1").count(), 2, "one before the loop, one in it:\n{text}");
        assert!(text.find("br i1") < text.find("phi"), "{text}");
    }

    #[test]
    fn another_end_is_not_the_same_question() {
        let text = after(
            "loop:\n  %i = phi i64 [ 1, %entry ], [ %next, %loop ]\n  store volatile i64 %i, ptr %p\n  %done = icmp uge i64 %i, %n\n  \
             %more = xor i1 %done, true\n  %one = zext i1 %more to i64\n  %next = add nuw i64 %i, %one\n  \
             %beyond = icmp ugt i64 %next, %m\n  %leave = select i1 %done, i1 true, i1 %beyond\n  \
             br i1 %leave, label %exit, label %loop",
        );
        assert!(text.contains("icmp ugt") && text.contains("select"), "{text}");
    }
}
