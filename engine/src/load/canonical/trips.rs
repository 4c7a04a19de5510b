//! How often a loop runs, where LLVM does not say.
//!
//! `indvars` writes a count down only where it is cheap, which one with a division is not, even if the quotient stands before the loop. And it does
//! not know that of loops over chunks. After rotation these are, with invariant `n` and `d`:
//!
//! ```text
//! i = phi [0, before], [next, latch];         ..;  next = i + 1;            if next < n { go on }    or    if next == n { leave }
//! rest = phi [start, before], [next, latch];  ..;  next = sub nuw rest, d;  if d > next { leave }
//! ```
//!
//! The first runs to number `n - 1`. `chunks_exact` makes the second: it takes `d` elements off a rest for as long as it has them, and
//! iteration `i` leaves where `start - (i + 1) d < d`, so the last one is number `start / d - 1`. (Of a loop that is entered there
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
    let varies = |value: Value| value.is_instruction() && one.blocks.contains(&value.block());
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
    let (next, bound, predicate) =
        if varies(a) { (a, b, condition.int_predicate()) } else { (b, a, swapped(condition.int_predicate())?) };
    if varies(bound) || !varies(next) || next.ty().bits() != 64 {
        return None;
    }
    let variable = next.operands().into_iter().next()?;
    if !varies(variable) || variable.opcode() != Opcode::LLVMPHI || variable.block() != one.header {
        return None;
    }
    let incoming = variable.incoming();
    let start = incoming.iter().find(|(_, block)| *block == before)?.0;
    if incoming.len() != 2 || !incoming.contains(&(next, latch)) {
        return None;
    }
    let word = variable.ty();
    let builder = Builder::before_terminator(before);
    let at_least_one = |value: Value, intrinsic: &str| {
        let largest = before.function().module().intrinsic(intrinsic, &[word])?;
        Some(builder.call(largest, &[value, word.int_value(1)]))
    };
    use IntPredicate::{LLVMIntEQ, LLVMIntNE, LLVMIntSGE, LLVMIntSLT, LLVMIntUGE, LLVMIntULT};
    let trips = match (next.opcode(), predicate, leaves) {
        (Opcode::LLVMAdd, _, _) if next.operand(1).as_u64() != Some(1) || !start.is_null() => return None,
        (Opcode::LLVMAdd, LLVMIntEQ, true) | (Opcode::LLVMAdd, LLVMIntNE, false) => bound,
        (Opcode::LLVMAdd, LLVMIntUGE, true) | (Opcode::LLVMAdd, LLVMIntULT, false) => at_least_one(bound, "llvm.umax")?,
        (Opcode::LLVMAdd, LLVMIntSGE, true) | (Opcode::LLVMAdd, LLVMIntSLT, false) => at_least_one(bound, "llvm.smax")?,
        (Opcode::LLVMSub, LLVMIntULT, true) | (Opcode::LLVMSub, LLVMIntUGE, false)
            if next.operand(1) == bound && next.is_nuw() =>
        {
            // Nobody divides by zero here: a loop that takes off nothing does not end, but it may not trap either.
            let step = at_least_one(bound, "llvm.umax")?;
            at_least_one(builder.binary(Opcode::LLVMUDiv, start, step), "llvm.umax")?
        }
        _ => return None,
    };
    Some(builder.sub(trips, word.int_value(1)))
}

/// The predicate for the operands in the other order.
fn swapped(predicate: IntPredicate) -> Option<IntPredicate> {
    use IntPredicate::{
        LLVMIntEQ, LLVMIntNE, LLVMIntSGE, LLVMIntSGT, LLVMIntSLE, LLVMIntSLT, LLVMIntUGE, LLVMIntUGT, LLVMIntULE,
        LLVMIntULT,
    };
    Some(match predicate {
        LLVMIntEQ | LLVMIntNE => predicate,
        LLVMIntUGT => LLVMIntULT,
        LLVMIntUGE => LLVMIntULE,
        LLVMIntULT => LLVMIntUGT,
        LLVMIntULE => LLVMIntUGE,
        LLVMIntSGT => LLVMIntSLT,
        LLVMIntSGE => LLVMIntSLE,
        LLVMIntSLT => LLVMIntSGT,
        LLVMIntSLE => LLVMIntSGE,
    })
}

#[cfg(test)]
mod tests {
    use crate::llvm::Context;
    use crate::load::canonical::prepare;

    /// What [`prepare`] says of a loop of which this is written.
    fn counters(start: &str, next: &str, goes_on: &str) -> String {
        let text = format!(
            "define void @f(i64 %n, i64 %d, ptr %p) {{\nentry:\n  %quotient = udiv i64 %n, %d\n  %few = call i64 @llvm.umin.i64(i64 \
             %quotient, i64 %n)\n  br label %loop\nloop:\n  %i = phi i64 [ {start}, %entry ], [ %next, %loop ]\n  \
             store volatile i64 %i, ptr %p\n  %next = {next}\n  %on = icmp {goes_on}\n  \
             br i1 %on, label %loop, label %exit\nexit:\n  ret void\n}}\ndeclare i64 @llvm.umin.i64(i64, i64)\n"
        );
        let module = Context::new().parse_text(&text, "test").unwrap();
        let counters = prepare(module, module.function("f").unwrap()).unwrap();
        module.verify().unwrap();
        format!("{counters}{module}")
    }

    #[test]
    fn a_loop_over_chunks_is_counted() {
        let text = counters("%n", "sub nuw i64 %i, %d", "ule i64 %d, %next");
        assert!(text.contains("  last: ") && !text.contains("not known"), "{text}");
        assert_eq!(text.matches("udiv").count(), 2, "{text}");
    }

    #[test]
    fn a_subtraction_that_may_overflow_promises_nothing() {
        let text = counters("%n", "sub i64 %i, %d", "ule i64 %d, %next");
        assert!(text.contains("last: not known before the loop"), "{text}");
    }

    #[test]
    fn a_quotient_that_is_there_costs_nothing() {
        let text = counters("0", "add nuw i64 %i, 1", "ult i64 %next, %few");
        assert!(text.contains("  last: ") && !text.contains("not known"), "{text}");
    }
}
