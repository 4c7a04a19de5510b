//! Loops and jumps as the reverse sweep wants them.

use crate::{asking, build, count, parse, slice_thunk};
use cotangent_engine::ir::loops;
use cotangent_engine::llvm::{Block, Function, Opcode, Value};
use cotangent_engine::load::canonical;
use std::collections::HashMap;

#[test]
fn a_jump_into_a_loop_becomes_a_natural_loop() {
    let made = slice_thunk(
        r#"
declare void @keep(i64)
define internal void @thunk(ptr %x, i64 %n, ptr %r) {
start:
  %c = icmp eq i64 %n, 0
  br i1 %c, label %one, label %two
one:
  %i = phi i64 [ 0, %start ], [ %k, %two ]
  call void @keep(i64 %i)
  %j = add i64 %i, 1
  %d = icmp ugt i64 %j, %n
  br i1 %d, label %done, label %two
two:
  %k = phi i64 [ 5, %start ], [ %j, %one ]
  call void @keep(i64 %k)
  %e = icmp ugt i64 %k, %n
  br i1 %e, label %done, label %one
done:
  ret void
}"#,
    );
    assert!(loops::is_reducible(made.root), "{}", made.module);
    assert_eq!(loops::loops(made.root).len(), 1);
}

/// Where one branch leads back to both entries of a loop, LLVM's own pass loses what the second one gets from there: every edge has a block of its own first.
#[test]
fn a_branch_back_to_both_entries_brings_the_next_index_to_both() {
    let made = slice_thunk(
        r#"
declare i1 @up(i64)
declare i1 @down(i64)
declare i1 @which(i64)
define internal void @thunk(ptr %x, i64 %n, ptr %r) {
start:
  %c = call i1 @which(i64 %n)
  br i1 %c, label %one, label %two
one:
  %i = phi i64 [ %n, %start ], [ %next, %latch ]
  %p = call i1 @up(i64 %i)
  br label %join
two:
  %j = phi i64 [ %n, %start ], [ %next, %latch ]
  %q = call i1 @down(i64 %j)
  br i1 %q, label %join, label %done
join:
  %k = phi i64 [ %i, %one ], [ %j, %two ]
  %last = icmp eq i64 %k, 0
  br i1 %last, label %done, label %latch
latch:
  %next = add i64 %k, -1
  %d = call i1 @which(i64 %next)
  br i1 %d, label %one, label %two
done:
  ret void
}"#,
    );
    assert!(loops::is_reducible(made.root), "{}", made.module);
    let latch =
        instructions(made.root).into_iter().find(|i| i.opcode() == Opcode::LLVMAdd).expect("what counts").block();
    let mut asked = Vec::new();
    walk(latch, &HashMap::new(), &mut |call, index| asked.push((call.callee().name(), index.opcode())));
    asked.sort_by(|a, b| a.0.cmp(&b.0));
    let expected = [("down".to_string(), Opcode::LLVMAdd), ("up".to_string(), Opcode::LLVMAdd)];
    assert_eq!(asked, expected, "{}", made.module);
}

fn instructions(function: Function) -> Vec<Value> {
    function.blocks().into_iter().flat_map(|b| b.instructions()).collect()
}

/// Goes all ways out of a block as far as a call of `up` or `down`, and tells what that is called with, every phi being what it is on the way.
fn walk(block: Block, known: &HashMap<Value, Value>, tell: &mut impl FnMut(Value, Value)) {
    let is = |value: Value| known.get(&value).copied().unwrap_or(value);
    let end = block.terminator().expect("an end");
    let condition = (end.opcode() == Opcode::LLVMBr && end.operand_count() == 3).then(|| is(end.operand(0)));
    let decided = condition.filter(|c| c.is_constant()).and_then(Value::as_u64);
    for (index, next) in block.successors().into_iter().enumerate() {
        if decided.is_some_and(|truth| (truth == 0) != (index == 1)) {
            continue;
        }
        let mut there = known.clone();
        for phi in next.instructions().into_iter().take_while(|i| i.opcode() == Opcode::LLVMPHI) {
            let (value, _) =
                phi.incoming().into_iter().find(|(_, from)| *from == block).expect("a value for every way");
            there.insert(phi, is(value));
        }
        let turn = |i: &Value| i.called_function().is_some_and(|f| f.name() == "up" || f.name() == "down");
        match next.instructions().into_iter().find(turn) {
            Some(call) => tell(call, there.get(&call.operand(0)).copied().unwrap_or(call.operand(0))),
            None => walk(next, &there, tell),
        }
    }
}

/// `for i in 0..n { out[i] = x[i] / mag(x) }`, with `mag` a loop of its own.
const NORM: &str = r#"
define internal double @mag(ptr noalias readonly %x, i64 %n) {
start:
  br label %head
head:
  %i = phi i64 [ 0, %start ], [ %j, %body ]
  %s = phi double [ 0.0, %start ], [ %t, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %done
body:
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %w = fmul double %v, %v
  %t = fadd double %s, %w
  %j = add nuw nsw i64 %i, 1
  br label %head
done:
  ret double %s
}
define internal void @norm(ptr noalias readonly %x, i64 %n, ptr noalias %out) {
start:
  br label %head
head:
  %i = phi i64 [ 0, %start ], [ %j, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %done
body:
  %m = call double @mag(ptr %x, i64 %n)
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %w = fdiv double %v, %m
  %q = getelementptr inbounds double, ptr %out, i64 %i
  store double %w, ptr %q
  %j = add nuw nsw i64 %i, 1
  br label %head
done:
  ret void
}
define internal void @thunk(ptr %x, i64 %n, ptr %out, i64 %m) {
  call void @norm(ptr %x, i64 %n, ptr %out)
  ret void
}"#;

#[test]
fn a_call_that_is_the_same_in_every_iteration_leaves_the_loop() {
    let operands = "ptr %a, ptr %b, i64 %n, ptr %c, ptr %d, i64 %n";
    let made = build(parse(&format!("{}{NORM}", asking("sd8,td8", operands))));
    let found = loops::loops(made.root);
    assert_eq!(found.len(), 2, "both loops are inlined");
    assert!(
        !found[0].blocks.contains(&found[1].header) && !found[1].blocks.contains(&found[0].header),
        "and not nested"
    );
}

#[test]
fn every_loop_counts_and_knows_its_count_before_it() {
    let made = slice_thunk(
        r#"
define internal void @thunk(ptr %x, i64 %n, ptr %r) {
start:
  %end = getelementptr inbounds double, ptr %x, i64 %n
  %none = icmp eq i64 %n, 0
  br i1 %none, label %done, label %loop
loop:
  %p = phi ptr [ %x, %start ], [ %q, %loop ]
  %s = phi double [ 0.0, %start ], [ %t, %loop ]
  %v = load double, ptr %p
  %t = fadd double %s, %v
  %q = getelementptr inbounds double, ptr %p, i64 1
  %last = icmp eq ptr %q, %end
  br i1 %last, label %done, label %loop
done:
  %y = phi double [ 0.0, %start ], [ %t, %loop ]
  store double %y, ptr %r
  ret void
}"#,
    );
    let counters = canonical::prepare(made.module, made.root).unwrap();
    made.module.verify().unwrap();
    let [counter] = counters.loops[..] else { panic!("one loop: {counters}") };
    let header = counter.header.instructions();
    let phis = header.iter().filter(|i| i.opcode() == Opcode::LLVMPHI).count();
    assert_eq!(phis, 2, "the pointer is expressed by the counter:\n{}", made.module);
    let count = counter.count.expect("a closed form");
    assert!(!counter.header.instructions().contains(&count));
    // The join behind the loop knows whether the loop was entered.
    assert_eq!(counters.selectors.len(), 1);
    assert!(counters.of(counters.selectors[0].0).is_none() && counters.selector(counters.selectors[0].0).is_some());
    let left: Vec<String> =
        made.module.functions().into_iter().map(|f| f.name()).filter(|n| n.contains("probe")).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn an_exit_that_depends_on_data_leaves_the_count_open() {
    let made = slice_thunk(
        r#"
define internal void @thunk(ptr %x, i64 %n, ptr %r) {
start:
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %j, %next ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %stop = fcmp olt double %v, 0.0
  br i1 %stop, label %done, label %next
next:
  %j = add nuw i64 %i, 1
  %end = icmp eq i64 %j, %n
  br i1 %end, label %done, label %loop
done:
  store double %v, ptr %r
  ret void
}"#,
    );
    let counters = canonical::prepare(made.module, made.root).unwrap();
    assert!(counters.loops.len() == 1 && counters.loops[0].count.is_none(), "{counters}");
}

#[test]
fn an_exit_to_a_panic_does_not_hide_the_count() {
    let made = slice_thunk(
        r#"
define internal void @thunk(ptr %x, i64 %n, ptr %r) {
start:
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %j, %next ]
  %s = phi double [ 0.0, %start ], [ %t, %next ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %bad = fcmp olt double %v, 0.0
  br i1 %bad, label %complain, label %next
next:
  %t = fadd double %s, %v
  %j = add nuw i64 %i, 1
  %end = icmp eq i64 %j, 1000
  br i1 %end, label %done, label %loop
complain:
  call void @panic()
  unreachable
done:
  store double %t, ptr %r
  ret void
}"#,
    );
    let counters = canonical::prepare(made.module, made.root).unwrap();
    made.module.verify().unwrap();
    assert_eq!(counters.loops[0].count.and_then(|c| c.as_u64()), Some(999), "{counters}");
    assert_eq!(count(made.root, Opcode::LLVMFCmp), 1, "the check itself is still there");
}

#[test]
fn loops_over_small_arrays_are_written_out() {
    let made = slice_thunk(
        r#"
define internal void @thunk(ptr %x, i64 %n, ptr %r) {
start:
  %a = alloca [3 x double]
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %j, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %q = getelementptr inbounds double, ptr %a, i64 %i
  store double %v, ptr %q
  %j = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %j, 3
  br i1 %end, label %done, label %loop
done:
  %s = getelementptr inbounds double, ptr %a, i64 2
  %y = load double, ptr %s
  store double %y, ptr %r
  ret void
}"#,
    );
    assert_eq!((made.root.blocks().len(), count(made.root, Opcode::LLVMAlloca)), (1, 0));
}

#[test]
fn a_continue_makes_no_loop_inside_the_loop() {
    // `while i < n { i += 1; if v < 0.0 { continue } sum += sin(v) }`: the sum stays as it is along one of two ways back.
    let made = slice_thunk(
        r#"
declare double @sin(double)
define internal void @thunk(ptr %x, i64 %n, ptr %r) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ], [ %next, %take ]
  %s = phi double [ 0.0, %entry ], [ %s, %body ], [ %t, %take ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %exit
body:
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %next = add nuw i64 %i, 1
  %negative = fcmp olt double %v, 0.0
  br i1 %negative, label %head, label %take
take:
  %y = call double @sin(double %v)
  %t = fadd double %s, %y
  br label %head
exit:
  store double %s, ptr %r
  ret void
}"#,
    );
    assert_eq!(loops::loops(made.root).len(), 1);
    let counters = canonical::prepare(made.module, made.root).unwrap();
    assert!(counters.loops[0].count.is_some(), "{counters}");
}
