//! What a panic has to undo.
//!
//! A derivative is made of a function without unwinding: landing pads would double the control flow that a reverse sweep has to remember. But a lock that is
//! held when the function panics has to be given back, and a user's `Drop` has to run. So a landing pad that does such a thing becomes a function of its own
//! ([`outline`]), and the call that may get there stands in brackets:
//!
//! ```text
//! call void @ct.unwinds.begin.7(ptr %guard)        ; from here on a panic drops the guard, as @ct.unwound.7(ptr %guard) does
//! %y = call double @callee(double %x)
//! call void @ct.unwinds.end(i64 7)
//! ```
//!
//! To a derivative the brackets are remarks, which the forward sweep repeats and the reverse sweep does not know. When it is written, calls between brackets
//! become invokes again, with landing pads that call what stands for them ([`lower`]), from the inside out.
//!
//! **What is left out.** Destructors that do nothing but give memory back ([`traces`]) are not worth the places that have to be kept for them: those blocks
//! leak, if a panic comes. Destructors of trait objects are taken for such too, unless one of those that a derivative has made leaves a trace.
//!
//! **What it costs.** Nothing where no such destructor is. Elsewhere a place in brackets is no longer the function's own secret, and cannot become a register;
//! so what lies there is handed over instead of the place as soon as inlining shows that nobody else writes to it ([`values`]), and brackets that are only there for a panic
//! in sight move to that panic ([`brackets`]).

mod brackets;
mod lower;
mod outline;
mod panics;
mod traces;
mod values;

pub use brackets::tidy;
pub use lower::{lower, personality};
pub use outline::{Purposes, Visible, mark, purposes};
pub use traces::{Purpose, Traces};
pub use values::hand_over;

use crate::ir::{UNWINDS, UNWOUND};
use crate::llvm::{Builder, Function, Linkage, Module, Opcode, Place, Type, Value, effects};

/// Whether there are brackets in a module at all.
pub fn are_in(module: Module) -> bool {
    module.function(&format!("{UNWINDS}end")).is_some()
}

/// What a function undoes that stands for a landing pad: the number of the pad.
fn number_of(name: &str) -> Option<u64> {
    name.split('.').next()?.parse().ok()
}

/// The number of the landing pad that stands behind an opening bracket.
fn begin_number(instruction: Value) -> Option<u64> {
    number_of(callee_name(instruction)?.strip_prefix(UNWINDS)?.strip_prefix("begin.")?)
}

/// The number that a closing bracket names.
fn end_number(instruction: Value) -> Option<u64> {
    let is_end = callee_name(instruction)? == format!("{UNWINDS}end");
    is_end.then(|| instruction.operand(0).as_u64()).flatten()
}

fn callee_name(instruction: Value) -> Option<String> {
    let function = if instruction.opcode() == Opcode::LLVMCall { instruction.called_function()? } else { return None };
    function.is_declaration().then(|| function.name()).filter(|name| name.starts_with(UNWINDS))
}

/// What an opening bracket's panics call.
fn unwound_by(begin: Value) -> Option<Function> {
    let name = callee_name(begin)?;
    begin
        .block()
        .function()
        .module()
        .function(&format!("{UNWOUND}{}", name.strip_prefix(UNWINDS)?.strip_prefix("begin.")?))
}

/// A new function for what a landing pad does, visible for as long as brackets alone refer to it.
fn add_unwound(module: Module, number: u64, ty: Type) -> Function {
    let function = (0u64..)
        .map(|copy| if copy == 0 { format!("{UNWOUND}{number}") } else { format!("{UNWOUND}{number}.{copy}") })
        .find(|name| module.function(name).is_none())
        .map(|name| module.add_function(&name, ty));
    let function = function.unwrap_or_else(|| module.add_function(UNWOUND, ty));
    function.set_linkage(Linkage::LLVMExternalLinkage);
    function.add_attribute(Place::Whole, "cold", 0);
    function
}

/// An opening bracket.
fn open(builder: &Builder, unwound: Function, arguments: &[Value]) -> Value {
    let module = unwound.module();
    let name = format!("{UNWINDS}begin.{}", unwound.name().trim_start_matches(UNWOUND));
    builder.call(remark(module, &name, unwound.ty()), arguments)
}

/// A closing bracket.
fn close(builder: &Builder, module: Module, number: u64) -> Value {
    let context = module.context();
    let word = context.int(64);
    let function = remark(module, &format!("{UNWINDS}end"), context.void().function(&[word]));
    builder.call(function, &[word.int_value(number)])
}

/// A function that stays where it is, and keeps what it is given where it is. That it does not promise to forget its arguments is on purpose: a callee's
/// panic reads what they point to.
fn remark(module: Module, name: &str, ty: Type) -> Function {
    if let Some(known) = module.function(name) {
        return known;
    }
    let function = module.declare(name, ty);
    for flag in ["nounwind", "willreturn", "nofree", "nocallback", "nosync"] {
        function.add_attribute(Place::Whole, flag, 0);
    }
    function.add_attribute(Place::Whole, "memory", effects::INACCESSIBLE_AND_ARGUMENTS_READ);
    function
}

/// Whether a call may panic.
fn may_unwind(call: Value) -> bool {
    call.opcode() == Opcode::LLVMCall
        && !call.has_call_attribute(Place::Whole, "nounwind")
        && !call.callee().is_inline_assembly()
        && call.called_function().is_none_or(|f| {
            !f.has_attribute(Place::Whole, "nounwind")
                && !f.name().starts_with("llvm.")
                && !f.name().starts_with(UNWINDS)
        })
}

/// Whether a call never comes back, but by a panic.
fn never_returns(call: Value) -> bool {
    call.has_call_attribute(Place::Whole, "noreturn")
        || call.called_function().is_some_and(|f| f.has_attribute(Place::Whole, "noreturn"))
}
