//! The way back into the program: optimise, link, share.
//!
//! What is internal to the program's module and is mentioned by the derivative is made visible until it is linked and made internal again then, so that the optimiser sees the program as it was.

use super::workshop::Workshop;
use crate::ir::{self, table};
use crate::llvm::{Block, Function, Linkage, Module, Opcode, Place, Target, Tuning, Value, Visibility};
use crate::tune;

/// What keeps LLVM from vectorising a function.
const NO_VECTORS: &str = "noimplicitfloat";

/// Instructions beyond which a function is a large one.
const LARGE: usize = 20_000;

/// Whether LLVM's searches take longer in a function than anything else: nothing in it is vectorised, and a derivative that has been optimised once is not
/// optimised again with the program.
pub fn is_large(function: Function) -> bool {
    size(function) > LARGE
}

/// The number of instructions of a function.
pub fn size(function: Function) -> usize {
    function.blocks().into_iter().map(|block| block.instructions().len()).sum()
}

/// Derivatives that are finished and wait to be linked into the program.
#[derive(Default)]
pub struct Finished {
    modules: Vec<Module>,
    exposed: Vec<(Value, Linkage)>,
}

/// Optimises a workshop in which a derivative was made, and adds it to those that wait to be linked. With `inner`, the derivative is
/// itself differentiated later: nothing is vectorised, and loops are not unrolled.
///
/// # Errors
/// LLVM's report where the module is malformed or does not fit the program.
pub fn optimise(
    workshop: Workshop,
    target: Option<&Target>,
    inner: bool,
    finished: &mut Finished,
) -> Result<(), String> {
    let module = workshop.module;
    module.strip_debug();
    module.verify()?;
    forget_tables(module);
    if !inner {
        tune::run(module)?;
    }
    // The option of the pipeline does not keep LLVM from making vectors of straight code; this does.
    let scalar = |function: &Function| function.add_attribute(Place::Whole, NO_VECTORS, 0);
    let functions = || module.functions().into_iter().filter(|f| !f.is_declaration());
    functions().filter(|f| inner || is_large(*f)).for_each(|f| scalar(&f));
    module.run_passes("default<O3>", target, Tuning { inline_threshold: None, plain_loops: inner })?;
    functions().for_each(|f| f.remove_attribute(Place::Whole, NO_VECTORS));
    for (name, original) in &workshop.shared {
        let Some(here) = module.symbol(name) else { continue };
        if original.name().is_empty() {
            original.set_name("ct.shared");
        }
        // Two internal symbols of one name, from different modules, met in the workshop.
        if *name != original.name() {
            here.set_name(&original.name());
            if here.name() != original.name() {
                return Err(format!("the symbol `{}` stands for two things", original.name()));
            }
        }
        let linkage = original.linkage();
        if matches!(linkage, Linkage::LLVMInternalLinkage | Linkage::LLVMPrivateLinkage) {
            original.set_linkage(Linkage::LLVMExternalLinkage);
            original.set_visibility(Visibility::LLVMHiddenVisibility);
            finished.exposed.push((*original, linkage));
        }
    }
    finished.modules.push(module);
    Ok(())
}

/// Takes the marks from calls through pointers that are left: they name tables of this workshop, and in that of a derivative's derivative others have these names.
fn forget_tables(module: Module) {
    for call in ir::bodies(module).into_iter().flat_map(Function::blocks).flat_map(Block::instructions) {
        if matches!(call.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke) {
            call.remove_call_string_attribute(table::MARK);
        }
    }
}

/// Links what is finished into the program. Linking looks at everything in both modules: so the program, which may be large, is linked once,
/// with all derivatives, and those are linked with each other in pairs.
///
/// # Errors
/// LLVM's report where a module does not fit the program.
pub fn link(program: Module, finished: &mut Finished) -> Result<(), String> {
    let Finished { mut modules, exposed, .. } = std::mem::take(finished);
    while modules.len() > 1 {
        for pair in modules.chunks(2) {
            if let [whole, more] = pair {
                whole.link(*more)?;
            }
        }
        modules = modules.into_iter().step_by(2).collect();
    }
    let linked = modules.pop().map_or(Ok(()), |module| program.link(module));
    for (original, linkage) in exposed {
        original.set_linkage(linkage);
    }
    linked
}
