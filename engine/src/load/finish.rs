//! The way back into the program: optimise, link, share.
//!
//! What is internal to the program's module and is mentioned by the derivative is made visible for the moment of linking and made internal again
//! at once, so that the optimiser sees the program as it was.

use super::workshop::Workshop;
use crate::llvm::{Linkage, Module, Target, Tuning, Value, Visibility};

/// Optimises a workshop in which a derivative was made, and links it into the program. With `inner`, the derivative is itself differentiated
/// later: loops are neither vectorised nor unrolled.
///
/// # Errors
/// LLVM's report where the module is malformed or does not fit the program.
pub fn optimise_and_link(
    workshop: Workshop,
    program: Module,
    target: Option<&Target>,
    inner: bool,
) -> Result<(), String> {
    let module = workshop.module;
    module.strip_debug();
    module.verify()?;
    module.run_passes("default<O3>", target, Tuning { inline_threshold: None, plain_loops: inner })?;
    let mut exposed: Vec<(Value, Linkage)> = Vec::new();
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
            exposed.push((*original, linkage));
        }
    }
    let linked = program.link(module);
    for (original, linkage) in exposed {
        original.set_linkage(linkage);
    }
    linked
}
