//! How often a loop over chunks runs.
//!
//! `chunks` and `chunks_exact` take `d` elements off a rest for as long as it has them, which LLVM counts for a constant `d` only: it cannot
//! write down that the subtraction does not overflow. After rotation such a loop is
//!
//! ```text
//! rest = phi [start, before], [next, latch];  ..;  next = sub nuw rest, d;  if d > next { leave }
//! ```
//!
//! The iteration with the number `i` leaves where `start - (i + 1) d < d`, so the last one is number `start / d - 1`. (Of a loop that is entered there
//! is a first iteration whatever it is entered with.)

use crate::llvm::{Block, Builder, IntPredicate, Opcode, Value};
use crate::load::loops::Loop;
use std::collections::HashSet;

/// The number of the last iteration, as an `i64` at the end of `before`, for a loop from which control gets to one of the `returning` blocks
/// by its latch only.
pub fn last(one: &Loop, before: Block, returning: &HashSet<Block>) -> Option<Value> {
    let [latch] = one.latches[..] else { return None };
    let returns = |b: &Block| !one.blocks.contains(b) && returning.contains(b);
    if one.blocks.iter().any(|b| *b != latch && b.successors().iter().any(returns)) {
        return None;
    }
    let branch = latch.terminator().filter(|t| t.opcode() == Opcode::LLVMBr && t.is_conditional())?;
    let leaves = match branch.successors()[..] {
        [a, b] if !one.blocks.contains(&a) && b == one.header => true,
        [a, b] if !one.blocks.contains(&b) && a == one.header => false,
        _ => return None,
    };
    let condition = branch.operand(0);
    if !condition.is_instruction() || condition.opcode() != Opcode::LLVMICmp {
        return None;
    }
    let (a, b) = (condition.operand(0), condition.operand(1));
    // `d > next`, or its opposite where the loop goes on with it.
    let (step, next) = match (condition.int_predicate(), leaves) {
        (IntPredicate::LLVMIntUGT, true) | (IntPredicate::LLVMIntULE, false) => (a, b),
        (IntPredicate::LLVMIntULT, true) | (IntPredicate::LLVMIntUGE, false) => (b, a),
        _ => return None,
    };
    let inside = |value: Value| value.is_instruction() && one.blocks.contains(&value.block());
    if inside(step) || !inside(next) || next.opcode() != Opcode::LLVMSub || next.operand(1) != step || !next.is_nuw() {
        return None;
    }
    let rest = next.operand(0);
    if !inside(rest) || rest.opcode() != Opcode::LLVMPHI || rest.block() != one.header || rest.ty().bits() != 64 {
        return None;
    }
    let incoming = rest.incoming();
    let start = incoming.iter().find(|(_, block)| *block == before)?.0;
    if incoming.len() != 2 || !incoming.contains(&(next, latch)) {
        return None;
    }
    let word = rest.ty();
    let one_word = word.int_value(1);
    let at_least_one = before.function().module().intrinsic("llvm.umax", &[word])?;
    let builder = Builder::before_terminator(before);
    // Nobody divides by zero here: a loop that takes off nothing does not end, but it may not trap either.
    let step = builder.call(at_least_one, &[step, one_word]);
    let chunks = builder.binary(Opcode::LLVMUDiv, start, step);
    let chunks = builder.call(at_least_one, &[chunks, one_word]);
    Some(builder.sub(chunks, one_word))
}

#[cfg(test)]
mod tests {
    use crate::llvm::Context;
    use crate::load::canonical::prepare;

    /// What [`prepare`] says of the loop over chunks whose subtraction is written so.
    fn counters(subtraction: &str) -> String {
        let text = format!(
            "define void @f(i64 %n, i64 %d, ptr %p) {{\nentry:\n  %small = icmp ugt i64 %d, %n\n  \
             br i1 %small, label %exit, label %before\nbefore:\n  br label %loop\nloop:\n  \
             %rest = phi i64 [ %n, %before ], [ %next, %loop ]\n  store volatile i64 %rest, ptr %p\n  {subtraction}\n  \
             %leave = icmp ugt i64 %d, %next\n  br i1 %leave, label %exit, label %loop\nexit:\n  ret void\n}}\n"
        );
        let module = Context::new().parse_text(&text, "test").unwrap();
        let counters = prepare(module, module.function("f").unwrap()).unwrap();
        module.verify().unwrap();
        format!("{counters}{module}")
    }

    #[test]
    fn a_loop_over_chunks_is_counted() {
        let text = counters("%next = sub nuw i64 %rest, %d");
        assert!(text.contains("  last: ") && !text.contains("not known"), "{text}");
        assert!(text.contains("udiv i64 %n, "), "{text}");
    }

    #[test]
    fn a_subtraction_that_may_overflow_promises_nothing() {
        let text = counters("%next = sub i64 %rest, %d");
        assert!(text.contains("last: not known before the loop"), "{text}");
    }
}
