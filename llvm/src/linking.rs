//! What a linker asks of modules: which symbols are seen and which must stay.
use crate::{Linkage, Module, Value};
use llvm_sys::core::*;
use std::collections::HashSet;

// SAFETY (whole file): live handles; names are passed with their lengths.
impl Module {
    /// Names of the symbols that are defined here and that other objects can see.
    pub fn visible_definitions(self) -> HashSet<String> {
        let functions = self.functions().into_iter().filter(|f| !f.is_declaration());
        let globals = self.globals().into_iter().filter(|g| g.initializer().is_some());
        functions
            .map(|f| (f.linkage(), f.name()))
            .chain(globals.map(|g| (g.linkage(), g.name())))
            .filter(|(linkage, _)| !matches!(linkage, Linkage::LLVMInternalLinkage | Linkage::LLVMPrivateLinkage))
            .map(|(_, name)| name)
            .collect()
    }

    /// Names that `llvm.used` and `llvm.compiler.used` list.
    pub fn used(self) -> HashSet<String> {
        let lists = ["llvm.used", "llvm.compiler.used"].into_iter().filter_map(|name| self.global(name));
        lists.filter_map(|list| list.initializer()).flat_map(Value::operands).map(Value::name).collect()
    }

    /// Makes every definition internal that `stays` does not want to see from outside.
    pub fn internalise(self, stays: impl Fn(&str) -> bool) {
        // A body that is only a copy for inlining stays one, and appended arrays (`llvm.used`) are LLVM's own.
        let may = |linkage: Linkage, name: &str| {
            let fixed = matches!(
                linkage,
                Linkage::LLVMAvailableExternallyLinkage
                    | Linkage::LLVMAppendingLinkage
                    | Linkage::LLVMInternalLinkage
                    | Linkage::LLVMPrivateLinkage
            );
            !fixed && !name.starts_with("llvm.") && !stays(name)
        };
        for function in self.functions() {
            if !function.is_declaration() && may(function.linkage(), &function.name()) {
                internalise(function.value());
            }
        }
        for global in self.globals() {
            if global.initializer().is_some() && may(global.linkage(), &global.name()) {
                internalise(global.value());
            }
        }
    }
}

fn internalise(value: Value) {
    unsafe {
        // Visibility goes first: a local symbol may only have the default one.
        LLVMSetVisibility(value.0, llvm_sys::LLVMVisibility::LLVMDefaultVisibility);
        LLVMSetDLLStorageClass(value.0, llvm_sys::LLVMDLLStorageClass::LLVMDefaultStorageClass);
        llvm_sys::comdat::LLVMSetComdat(value.0, std::ptr::null_mut());
        LLVMSetLinkage(value.0, Linkage::LLVMInternalLinkage);
    }
}
