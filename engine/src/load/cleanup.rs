//! From early IR to the form that the analyses expect: one function, simplified, in loop-simplify and LCSSA form, with one `ret`.
//!
//! **Why two rounds.** In `out[i] = x[i] / mag(x)` the call is invariant of the loop, but once `mag` is inlined it is a loop inside a loop, which no
//! pass hoists: O(n^2), in the derivative too. So round one keeps calls out of line that are in a loop and lead to another loop, while LLVM infers, from the callees up,
//! what each of them reads and writes, and then moves calls out of loops. Round two inlines everything that it can.
//!
//! **What is left out.** No vectorising and no unrolling (beyond what is tiny): the derivative is optimised as a whole afterwards, forward and reverse sweep
//! together. No recognition of loops as `memset` and `memcpy`, which would turn typed stores of floats into bytes. No lookup tables for
//! switches.
//!
//! Inlining is decided here and not by LLVM's cost model: a call that is not inlined costs a derivative far more than it costs the primal.
//! A function is inlined unless it is recursive, marked `#[inline(never)]`, or so large with everything in it that the
//! derivative would explode.

use super::canonical::inclusive;
use super::{latches, masks, taken, unsink, unused, unwinds};
use crate::analysis::memory::base;
use crate::ir::loops;
use crate::ir::table::is_table;
use crate::ir::{self, handed};
use crate::llvm::{Block, Builder, Function, Module, Opcode, Place, Tuning, Value};
use crate::maps::{HashMap, HashSet};

/// A function that would have more instructions than this after inlining its callees stays a call.
const LARGEST_INLINED: usize = 6000;
/// The mark of calls that round one must not inline.
const HELD: &str = "ct-held";

/// Invokes become calls; what only unwinding reached goes. Nothing is turned to `select` yet: that would hide from jump threading which
/// arm an iterator's `Option` came from.
const UNWINDING: &str = "function(lower-expect,lower-invoke,simplifycfg<no-speculate-blocks>)";
const ROUND_ONE: &str = "cgscc(inline,function(sroa,early-cse<memssa>,jump-threading,correlated-propagation,simplifycfg,\
    instcombine<no-verify-fixpoint>,loop-mssa(loop-rotate),loop(indvars)))";
const HOIST: &str = "cgscc(function-attrs),function(loop-simplify,lcssa,loop-mssa(loop-rotate,licm))";
const ROUND_TWO: &str = "cgscc(inline,function(sroa,early-cse<memssa>,jump-threading,correlated-propagation,simplifycfg,\
    instcombine<no-verify-fixpoint>),function-attrs)";
const SCALAR: &str = "function(sroa,early-cse<memssa>,jump-threading,correlated-propagation,simplifycfg,instcombine<no-verify-fixpoint>,\
    memcpyopt,sroa,loop-mssa(loop-rotate,licm),simplifycfg,instcombine<no-verify-fixpoint>,loop(indvars,loop-deletion),gvn,\
    jump-threading,correlated-propagation,dse,loop-mssa(licm),adce,simplifycfg,instcombine<no-verify-fixpoint>)";
/// Loops over small arrays are written out, so that the arrays become registers; a first iteration that differs from the others (`step_by`)
/// is taken out of its loop.
const TINY_LOOPS: &str =
    "function(loop-simplify,lcssa,loop-unroll<O2;no-partial;peeling;no-runtime;no-upperbound;full-unroll-max=8>)";
const SHAPE: &str = "function(mem2reg,loop-simplify,lcssa)";
/// For functions with a cycle that has several entries, which a jump into a loop makes. Every edge has a block of its own: from a branch that leads back to
/// two of the entries, LLVM's pass takes what both get from there, and leads one of the ways around it.
const NATURAL_LOOPS: &str = "lower-switch,break-crit-edges,fix-irreducible,simplifycfg<no-speculate-blocks>";

/// Cleans up a workshop; `root` is what is differentiated. Answers whether bits of floats are kept as numbers ([`taken`]).
///
/// # Errors
/// LLVM's message where it does not know a pass.
pub fn run(module: Module, root: Function) -> Result<bool, String> {
    let pass = |pipeline: &str| module.run_passes(pipeline, None, Tuning { inline_threshold: None, plain_loops: true });
    pass(UNWINDING)?;
    for function in ir::bodies(module) {
        masks::lower(function);
        drop_personality(function);
        unwinds::hand_over(function);
        latches::join(function);
    }
    mark_for_inlining(module, root);
    let held = hold_in_loops(module);
    pass(ROUND_ONE)?;
    unused::remove(module);
    tidy_brackets(module);
    for function in readers(module) {
        drop_remarks(function);
    }
    pass(HOIST)?;
    if held {
        release(module);
    }
    mark_for_inlining(module, root);
    pass(ROUND_TWO)?;
    unused::remove(module);
    tidy_brackets(module);
    ir::bodies(module).into_iter().for_each(masks::as_floats);
    let takes_bits = taken::show(module);
    for function in ir::bodies(module) {
        // Now: LLVM's own passes over loops make their pattern unrecognisable.
        inclusive::run(function)?;
        unsink::run(function);
        latches::join(function);
    }
    pass(SCALAR)?;
    pass(TINY_LOOPS)?;
    pass(SCALAR)?;
    for function in ir::bodies(module) {
        masks::as_floats(function);
        one_return(function);
        if !loops::is_reducible(function) {
            function.run_passes(NATURAL_LOOPS)?;
        }
        latches::join(function);
    }
    pass(SHAPE)?;
    Ok(takes_bits)
}

/// Leads all returns to one. (LLVM's `mergereturn` would join the ends of panicking paths too.)
pub(super) fn one_return(function: Function) {
    let ends = function.blocks().into_iter().filter_map(|b| b.terminator());
    let returns: Vec<Value> = ends.filter(|t| t.opcode() == Opcode::LLVMRet).collect();
    if returns.len() < 2 {
        return;
    }
    let exit = function.append_block("return");
    let builder = Builder::at_end(exit);
    let result = function.ty().result();
    let phi = (!result.is_void()).then(|| builder.phi(result));
    match phi {
        Some(phi) => builder.ret(phi),
        None => builder.ret_void(),
    };
    for old in returns {
        if let Some(phi) = phi {
            phi.add_incoming(old.operand(0), old.block());
        }
        let builder = Builder::before(old);
        builder.set_location_of(Some(old));
        builder.br(exit);
        old.erase();
    }
}

/// Brackets around what does not panic go, and what stands in the others is handed over where that can be done.
fn tidy_brackets(module: Module) {
    for function in ir::bodies(module) {
        unwinds::tidy(function);
        unwinds::hand_over(function);
    }
}

/// Keeps calls out of line that are in a loop and whose callee has a loop in it or in what it calls. Answers whether there are any.
fn hold_in_loops(module: Module) -> bool {
    let bodies = ir::bodies(module);
    let inside: HashMap<Function, HashSet<Block>> = bodies
        .iter()
        .map(|f| (*f, loops::loops(*f).into_iter().flat_map(|l| l.blocks).collect::<HashSet<Block>>()))
        .collect();
    let mut with_loops: HashSet<Function> = bodies.iter().copied().filter(|f| !inside[f].is_empty()).collect();
    let calls: HashMap<Function, Vec<Value>> = bodies.iter().map(|f| (*f, calls(*f))).collect();
    loop {
        let before = with_loops.len();
        for function in &bodies {
            if calls[function].iter().any(|c| c.called_function().is_some_and(|f| with_loops.contains(&f))) {
                with_loops.insert(*function);
            }
        }
        if with_loops.len() == before {
            break;
        }
    }
    let mut held = false;
    for function in &bodies {
        for call in &calls[function] {
            let to_a_loop = call.called_function().is_some_and(|f| with_loops.contains(&f));
            if to_a_loop
                && inside[function].contains(&call.block())
                && !call.has_call_attribute(Place::Whole, "noinline")
            {
                call.add_call_attribute(Place::Whole, "noinline", 0);
                call.add_call_string_attribute(HELD, "");
                held = true;
            }
        }
    }
    held
}

/// Undoes what [`hold_in_loops`] did.
fn release(module: Module) {
    for call in ir::bodies(module).into_iter().flat_map(calls) {
        if call.has_call_string_attribute(HELD) {
            call.remove_call_attribute(Place::Whole, "noinline");
            call.remove_call_string_attribute(HELD);
        }
    }
}

/// Calls in a function.
fn calls(function: Function) -> Vec<Value> {
    let all = function.blocks().into_iter().flat_map(|b| b.instructions());
    all.filter(|i| i.opcode() == Opcode::LLVMCall).collect()
}

/// Without a landing pad no personality function is needed.
fn drop_personality(function: Function) {
    let mut instructions = function.blocks().into_iter().flat_map(|b| b.instructions());
    if function.personality().is_some() && !instructions.any(|i| i.opcode() == Opcode::LLVMLandingPad) {
        function.set_personality(None);
    }
}

/// Functions that write nothing but their own locals, and remarks to the optimiser.
///
/// An assumption counts as a write to memory that nobody sees, so a function with one is not inferred to be read-only.
fn readers(module: Module) -> Vec<Function> {
    let mut readers = ir::bodies(module);
    loop {
        let before = readers.len();
        let only_reads = |function: &Function| {
            let mut all = function.blocks().into_iter().flat_map(|b| b.instructions());
            all.all(|i| match i.opcode() {
                Opcode::LLVMStore => is_local(i.operand(1)),
                Opcode::LLVMCall => {
                    i.called_function().is_some_and(|f| readers.contains(&f) || only_remarks_or_reads(f))
                }
                Opcode::LLVMFence | Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg | Opcode::LLVMInvoke => false,
                _ => true,
            })
        };
        let kept = readers.iter().copied().filter(only_reads).collect();
        readers = kept;
        if readers.len() == before {
            return readers;
        }
    }
}

fn is_remark(function: Function) -> bool {
    ["llvm.assume", "llvm.experimental.noalias.scope.decl"].contains(&function.name().as_str())
}

/// Whether a declaration's attributes say that it writes nothing; two bits for each sort of memory, of which the upper one is "writes".
fn only_remarks_or_reads(function: Function) -> bool {
    is_remark(function)
        || function.name().starts_with("llvm.lifetime.")
        || function.attribute_value(Place::Whole, "memory").is_some_and(|effects| effects & 0xaaaa_aaaa == 0)
}

/// Whether a pointer leads to a local.
pub(super) fn is_local(pointer: Value) -> bool {
    let base = base(pointer);
    base.is_instruction() && base.opcode() == Opcode::LLVMAlloca
}

/// Removes assumptions, and the scopes of `noalias` together with what refers to them.
fn drop_remarks(function: Function) {
    let context = function.module().context();
    let kinds = ["alias.scope", "noalias"].map(|name| context.metadata_kind(name));
    for instruction in function.blocks().into_iter().flat_map(|b| b.instructions()) {
        if instruction.opcode() == Opcode::LLVMCall && instruction.called_function().is_some_and(is_remark) {
            instruction.erase();
        } else {
            kinds
                .iter()
                .filter(|k| instruction.metadata(**k).is_some())
                .for_each(|k| instruction.set_metadata(*k, None));
        }
    }
}

/// Marks `alwaysinline` what is to be inlined.
fn mark_for_inlining(module: Module, root: Function) {
    let bodies = ir::bodies(module);
    for call in bodies.iter().flat_map(|f| calls(*f)) {
        // Inlined, a function that is passed on becomes a call by name; `#[inline(never)]` is a wish, not a meaning.
        if let Some(callee) = call.called_function()
            && (call.arguments().iter().any(|a| a.as_function().is_some())
                || handed::moves_float(call)
                || (handed::is_freed(callee) && !is_table(call.block().function())))
        {
            callee.remove_attribute(Place::Whole, "noinline");
            if !call.has_call_string_attribute(HELD) {
                call.remove_call_attribute(Place::Whole, "noinline");
            }
        }
    }
    let mut callees: HashMap<Function, Vec<Function>> = HashMap::default();
    for function in &bodies {
        let called = calls(*function).into_iter().filter_map(|c| c.called_function()).filter(|f| !f.is_declaration());
        callees.insert(*function, called.collect());
    }
    let mut sizes = HashMap::default();
    for function in &bodies {
        size(*function, &callees, &mut HashSet::default(), &mut sizes);
    }
    for function in bodies {
        // (Nobody calls a table by name before its derivative is made: it would be taken for unused.)
        let inlined = function != root && !is_table(function) && sizes.get(&function).copied().flatten().is_some();
        if inlined {
            function.add_attribute(Place::Whole, "alwaysinline", 0);
        } else if function.has_attribute(Place::Whole, "alwaysinline") {
            function.remove_attribute(Place::Whole, "alwaysinline");
        }
    }
}

/// Instructions of a function after inlining, or nothing where it stays a call: recursive, `#[inline(never)]` or too large.
fn size(
    function: Function,
    callees: &HashMap<Function, Vec<Function>>,
    path: &mut HashSet<Function>,
    sizes: &mut HashMap<Function, Option<usize>>,
) -> Option<usize> {
    if let Some(known) = sizes.get(&function) {
        return *known;
    }
    if !path.insert(function) {
        // On the way to itself: what closes the cycle stays a call, the others are inlined into it.
        sizes.insert(function, None);
        return None;
    }
    let mut total = function.blocks().into_iter().map(|b| b.instructions().len()).sum::<usize>();
    for callee in &callees[&function] {
        total += size(*callee, callees, path, sizes).unwrap_or(1);
    }
    path.remove(&function);
    let stays = function.has_attribute(Place::Whole, "noinline") || total > LARGEST_INLINED;
    let answer = if stays { None } else { Some(total) };
    *sizes.entry(function).or_insert(answer)
}
