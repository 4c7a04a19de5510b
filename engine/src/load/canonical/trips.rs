//! How often a loop runs, where LLVM does not say.
//!
//! `indvars` writes a count down only where it is cheap, which one with a division is not, even if the quotient stands before the loop. And it does
//! not know that of loops over chunks. With invariant `n`, `d` and `base`, and one question in each iteration, these are
//!
//! ```text
//! i = phi [0, before], [i + 1, latch];            if i + 1 < n { go on }         or   if i + 1 == n { leave }
//! p = phi [base, before], [p + size, latch];      if p + size == base + bytes { leave }
//! rest = phi [start, before], [rest - d, latch];  if d > rest - d { leave }
//! ```
//!
//! The first runs to number `n - 1`, the second, over a slice, to `bytes / size - 1`. `chunks_exact` makes the third: it takes `d` elements off a
//! rest for as long as it has them, and iteration `i` leaves where `start - (i + 1) d < d`, so the last one is number `start / d - 1`.
//! (Of a loop that is entered there is a first iteration whatever it is entered with.)

use crate::ir::loops::{self, Loop};
use crate::llvm::{Block, Builder, IntPredicate, Opcode, Value};
use crate::maps::{HashMap, HashSet};

/// The number of the last iteration, as an `i64` at the end of `before`, for a loop from which control gets to the `returning` blocks
/// in one way only.
pub fn last(one: &Loop, before: Block, returning: &HashSet<Block>, idom: &HashMap<Block, Block>) -> Option<Value> {
    let [latch] = one.latches[..] else { return None };
    let inside = |b: &Block| one.blocks.contains(b);
    let returns = |b: &Block| !inside(b) && returning.contains(b);
    let mut asking = one.blocks.iter().copied().filter(|b| b.successors().iter().any(returns));
    let (Some(asking), None) = (asking.next(), asking.next()) else { return None };
    if !loops::dominates(idom, asking, latch) {
        return None;
    }
    let branch = asking.terminator().filter(|t| t.opcode() == Opcode::LLVMBr && t.is_conditional())?;
    let leaves = match branch.successors()[..] {
        [a, b] if returns(&a) && inside(&b) => true,
        [a, b] if returns(&b) && inside(&a) => false,
        _ => return None,
    };
    let condition = branch.operand(0);
    if !condition.is_instruction() || condition.opcode() != Opcode::LLVMICmp {
        return None;
    }
    let varies = |value: Value| value.is_instruction() && inside(&value.block());
    let (a, b) = (condition.operand(0), condition.operand(1));
    let (next, bound, predicate) =
        if varies(a) { (a, b, condition.int_predicate()) } else { (b, a, swapped(condition.int_predicate())?) };
    if varies(bound) || !varies(next) {
        return None;
    }
    let is_variable = |v: Value| {
        v.is_instruction() && v.opcode() == Opcode::LLVMPHI && v.block() == one.header && v.incoming().len() == 2
    };
    // The variable may be asked about as it is, before its step.
    let early = is_variable(next);
    let variable = if early { next } else { next.operands().into_iter().find(|v| is_variable(*v))? };
    let from = |block: Block| variable.incoming().into_iter().find(|(_, b)| *b == block).map(|(value, _)| value);
    let (start, stepped) = (from(before)?, from(latch)?);
    let builder = Builder::before_terminator(before);
    if early {
        let counts = stepped.is_instruction() && stepped.opcode() == Opcode::LLVMAdd && stepped.ty().bits() == 64;
        let by_one = counts && stepped.operand(0) == variable && stepped.operand(1).as_u64() == Some(1);
        return (by_one && is_equal(predicate, leaves)).then(|| builder.sub(bound, start));
    }
    if !(stepped == next || same_step(stepped, next)) {
        return None;
    }
    let trips = trips(&builder, next, start, bound, predicate, leaves)?;
    Some(builder.sub(trips, trips.ty().int_value(1)))
}

/// The number of iterations of a loop that is entered.
fn trips(
    builder: &Builder,
    next: Value,
    start: Value,
    bound: Value,
    predicate: IntPredicate,
    leaves: bool,
) -> Option<Value> {
    use IntPredicate::{LLVMIntSGE, LLVMIntSLT, LLVMIntUGE, LLVMIntULT};
    let module = builder.block().function().module();
    let word = next.context().int(64);
    let at_least_one = |value: Value, intrinsic: &str| {
        let largest = module.intrinsic(intrinsic, &[word])?;
        Some(builder.call(largest, &[value, word.int_value(1)]))
    };
    let equal = is_equal(predicate, leaves);
    let below = matches!((predicate, leaves), (LLVMIntULT, true) | (LLVMIntUGE, false));
    match next.opcode() {
        Opcode::LLVMAdd if next.ty() == word && next.operand(1).as_u64() == Some(1) => match (predicate, leaves) {
            _ if equal => Some(builder.sub(bound, start)),
            _ if !start.is_null() => None,
            (LLVMIntUGE, true) | (LLVMIntULT, false) => at_least_one(bound, "llvm.umax"),
            (LLVMIntSGE, true) | (LLVMIntSLT, false) => at_least_one(bound, "llvm.smax"),
            _ => None,
        },
        Opcode::LLVMSub if next.ty() == word && next.operand(1) == bound && below && next.is_nuw() => {
            // Nobody divides by zero here: a loop that takes off nothing does not end, but it may not trap either.
            let step = at_least_one(bound, "llvm.umax")?;
            at_least_one(builder.binary(Opcode::LLVMUDiv, start, step), "llvm.umax")
        }
        Opcode::LLVMGetElementPtr if equal && is_offset(bound) && bound.operand(0) == start => {
            let unit = |gep: Value| module.size_of(gep.gep_type());
            let size = next.operand(1).as_u64()?.checked_mul(unit(next))?;
            let (count, unit) = (bound.operand(1), unit(bound));
            if next.operand_count() != 2 || size == 0 || count.ty() != word {
                return None;
            }
            let bytes = if unit == 1 { count } else { builder.mul(count, word.int_value(unit)) };
            Some(if unit == size { count } else { builder.binary(Opcode::LLVMUDiv, bytes, word.int_value(size)) })
        }
        _ => None,
    }
}

/// The loop is left where both are equal.
fn is_equal(predicate: IntPredicate, leaves: bool) -> bool {
    matches!((predicate, leaves), (IntPredicate::LLVMIntEQ, true) | (IntPredicate::LLVMIntNE, false))
}

/// An address a number of elements behind another one.
fn is_offset(value: Value) -> bool {
    value.is_instruction() && value.opcode() == Opcode::LLVMGetElementPtr && value.operand_count() == 2
}

/// Two instructions that compute the same.
fn same_step(a: Value, b: Value) -> bool {
    if !a.is_instruction() || a.opcode() != b.opcode() || a.operands() != b.operands() {
        return false;
    }
    match a.opcode() {
        Opcode::LLVMAdd => true,
        Opcode::LLVMSub => a.is_nuw(),
        Opcode::LLVMGetElementPtr => a.gep_type() == b.gep_type(),
        _ => false,
    }
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
    fn a_loop_over_a_slice_is_counted_in_elements() {
        let text = "define void @f(ptr %base, i64 %bytes) {\nentry:\n  %end = getelementptr i8, ptr %base, i64 %bytes\n  \
                    br label %loop\nloop:\n  %p = phi ptr [ %base, %entry ], [ %next, %body ]\n  %next = getelementptr i8, ptr %p, i64 8\n  \
                    store volatile double 0.0, ptr %p\n  %done = icmp eq ptr %next, %end\n  br i1 %done, label %exit, label %body\n\
                    body:\n  store volatile double 1.0, ptr %p\n  br label %loop\nexit:\n  ret void\n}\n";
        let module = Context::new().parse_text(text, "test").unwrap();
        let counters = prepare(module, module.function("f").unwrap()).unwrap();
        module.verify().unwrap();
        assert!(!counters.to_string().contains("not known"), "{counters}{module}");
    }

    #[test]
    fn a_quotient_that_is_there_costs_nothing() {
        let text = counters("0", "add nuw i64 %i, 1", "ult i64 %next, %few");
        assert!(text.contains("  last: ") && !text.contains("not known"), "{text}");
    }
}
