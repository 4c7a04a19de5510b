//! What is a size wherever it is moved.

use crate::{parse, registry};
use cotangent_engine::analysis::bits::is_size;
use cotangent_engine::ir::Func;
use cotangent_engine::llvm::Opcode;

/// Whether what `@f` loads from `%from` is a size, by some blocks that its first one goes to.
fn is_size_in(begin: &str, blocks: &str) -> bool {
    let module = parse(&format!(
        "declare ptr @__rust_alloc(i64, i64)
         define void @f(ptr %from, ptr %to, i64 %tag) {{
         entry:
           {begin}
         {blocks}
         }}"
    ));
    let function = module.function("f").expect("the test has a function f");
    let func = Func::load(function, &registry());
    let load = func.inst_ids().find(|id| func.inst(*id).value.opcode() == Opcode::LLVMLoad).expect("there is a load");
    is_size(&func, load)
}

const LOAD: &str = "%n = load i64, ptr %from";
const TAG: &str = "%is.text = icmp eq i64 %tag, 1";
const EMPTY: &str = "%is.empty = icmp eq i64 %n, 0";

#[test]
fn a_length_by_which_a_text_is_cloned_is_one() {
    let clone = "br i1 %is.empty, label %cloned, label %full
         full:
           %block = call ptr @__rust_alloc(i64 %n, i64 1)
           br label %cloned
         cloned:
           store i64 %n, ptr %to
           ret void";
    assert!(is_size_in(&format!("{LOAD}\n{EMPTY}\n{clone}"), ""));
}

#[test]
fn a_number_that_is_moved_without_memory_is_none() {
    let blocks = "text:
           br i1 %is.empty, label %cloned, label %full
         full:
           %block = call ptr @__rust_alloc(i64 %n, i64 1)
           br label %cloned
         cloned:
           store i64 %n, ptr %to
           ret void
         floats:
           store i64 %n, ptr %to
           ret void";
    let begin = format!("{LOAD}\n{EMPTY}\n{TAG}\nbr i1 %is.text, label %text, label %floats");
    assert!(!is_size_in(&begin, blocks));
}

/// The bits of a float are compared with zero as well.
#[test]
fn a_number_that_is_compared_first_is_none() {
    let blocks = |first, second| {
        format!(
            "looked:
               br i1 %is.text, label %text, label %floats
             text:
               %block = call ptr @__rust_alloc(i64 %n, i64 1)
               store i64 %n, ptr %to
               ret void
             floats:
               store i64 %n, ptr %to
               ret void
             done:
               ret void
             entered:
               br i1 %is.empty, label %{first}, label %{second}"
        )
    };
    let begin = format!("{LOAD}\n{EMPTY}\n{TAG}\nbr label %entered");
    assert!(!is_size_in(&begin, &blocks("done", "looked")));
    assert!(!is_size_in(&begin, &blocks("looked", "done")));
}
