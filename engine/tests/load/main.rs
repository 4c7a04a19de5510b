//! From marker calls to a clean module and back, on small texts of IR.
//!
//! Each test is one claim about [`cotangent_engine::load`]; the IR is what rustc writes for the Rust in the comment, cut down.

mod bodies;
mod chosen;
mod dispatch;
mod ends;
mod halves;
mod handed;
mod kept;
mod layout;
mod loops;
mod masks;
mod parted;
mod requests;
mod thunks;
mod unused;
mod unwinds;
mod variants;
mod whole;

use cotangent_engine::llvm::{Context, Function, Module, Opcode};
use cotangent_engine::load::layout::Detail;
use cotangent_engine::load::survey::Survey;
use cotangent_engine::load::workshop;
use cotangent_engine::rule::Registry;
use cotangent_engine::{Bodies, NoBodies};

const HEAD: &str = r#"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare void @__ct_reverse(ptr, ptr, ...)
declare void @panic() noreturn
"#;

fn parse(text: &str) -> Module {
    Context::new().parse_text(&format!("{HEAD}{text}"), "test").unwrap()
}

/// A request text as a global, and a function that asks for the derivative of `@thunk`.
fn asking(params: &str, operands: &str) -> String {
    let text = format!("ct1|reverse|1|f|src/f.rs|7|3|{params}");
    format!(
        "@request = private constant [{} x i8] c\"{text}\\00\"\n\
         define void @ask(ptr %a, ptr %b, ptr %c, ptr %d, i64 %n) {{\n\
           call void (ptr, ptr, ...) @__ct_reverse(ptr @thunk, ptr @request, {operands})\n  ret void\n}}\n",
        text.len() + 1
    )
}

const SLICE_TO_VALUE: (&str, &str) = ("sd8,od8", "ptr %a, ptr %b, i64 %n, ptr %c, ptr %d");

fn no_rules() -> Registry {
    Registry::new(Vec::new(), Vec::new())
}

fn build_with(program: Module, bodies: &mut dyn Bodies, registry: &Registry) -> workshop::Workshop {
    let asked = cotangent_engine::load::requests::find(program).unwrap();
    workshop::build(&Survey::new(program, registry), &asked[0], bodies, 0, Detail::Plain).unwrap()
}

fn build(program: Module) -> workshop::Workshop {
    build_with(program, &mut NoBodies, &no_rules())
}

fn slice_thunk(body: &str) -> workshop::Workshop {
    let (params, operands) = SLICE_TO_VALUE;
    build(parse(&format!("{}{body}", asking(params, operands))))
}

fn count(function: Function, opcode: Opcode) -> usize {
    function.blocks().into_iter().flat_map(|b| b.instructions()).filter(|i| i.opcode() == opcode).count()
}

fn defined(module: Module) -> Vec<String> {
    module.functions().into_iter().filter(|f| !f.is_declaration()).map(|f| f.name()).collect()
}
