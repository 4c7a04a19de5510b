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

    /// Names of the symbols that an object of this module alone defines for others: not what is there only for inlining, nor what
    /// whoever uses it defines.
    pub fn lasting_definitions(self) -> HashSet<String> {
        let lasting = |value: &Value| {
            use Linkage::*;
            !matches!(
                value.linkage(),
                LLVMInternalLinkage
                    | LLVMPrivateLinkage
                    | LLVMAvailableExternallyLinkage
                    | LLVMAppendingLinkage
                    | LLVMLinkOnceAnyLinkage
                    | LLVMLinkOnceODRLinkage
            )
        };
        self.definitions().into_iter().filter(lasting).map(Value::name).collect()
    }

    /// Whether a symbol is defined here.
    pub fn defines(self, name: &str) -> bool {
        let function = self.function(name).filter(|f| !f.is_declaration());
        function.is_some() || self.global(name).is_some_and(|global| !global.is_declaration())
    }

    /// Functions with bodies and variables with values.
    fn definitions(self) -> Vec<Value> {
        let functions = self.functions().into_iter().filter(|f| !f.is_declaration()).map(Value::from);
        functions.chain(self.globals().into_iter().filter(|g| g.initializer().is_some()).map(Value::from)).collect()
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

impl Module {
    /// Makes visible to other objects of the link, under names with the suffix, what is internal here: so that code that
    /// is compiled apart can refer to it. Constants whose address means nothing stay internal, since a copy is as good.
    pub fn expose(self, suffix: &str) {
        // Assembly names its symbols in text.
        let assembly = self.assembly();
        let is_fixed = |name: &str| name.starts_with("llvm.") || (!name.is_empty() && assembly.contains(name));
        let functions = self.functions().into_iter().filter(|f| is_local(f.linkage())).map(Value::from);
        let globals = self.globals().into_iter().filter(|g| is_local(g.linkage()));
        let globals = globals.filter(|g| !(g.is_constant() && g.is_unnamed())).map(Value::from);
        for value in functions.chain(globals).filter(|v| !is_fixed(&v.name())).collect::<Vec<_>>() {
            let name = value.name();
            value.set_name(&format!("{}{suffix}", if name.is_empty() { "anon" } else { &name }));
            value.set_linkage(Linkage::LLVMExternalLinkage);
            value.set_visibility(crate::Visibility::LLVMHiddenVisibility);
        }
    }

    /// Leaves of a module only what code of other modules can be made from, without defining anything a second time: no lists for the linker, no
    /// assembly, and of its symbols those that the predicate names. The bodies of the others are not even read, if they have
    /// not been yet, when it is linked with other modules.
    pub fn offer(self, wanted: impl Fn(&str) -> bool) {
        self.drop_lists();
        for value in self.definitions().into_iter().filter(|v| !wanted(&v.name())) {
            if !is_local(value.linkage()) {
                make_available(value);
            }
        }
    }

    /// Leaves to the linking with another module what is taken out of this one: the symbols that the predicate names, and those that the
    /// other module or they refer to. The bodies of the rest are not even read, if they have not been yet.
    pub fn lend(self, wanted: impl Fn(&str) -> bool) {
        for value in self.definitions() {
            if value.linkage() == Linkage::LLVMExternalLinkage && !wanted(&value.name()) {
                unsafe { llvm_sys::comdat::LLVMSetComdat(value.0, std::ptr::null_mut()) }
                value.set_linkage(Linkage::LLVMLinkOnceODRLinkage);
            }
        }
    }

    /// Takes out what is meant for the linker as a whole and would be there twice if the module were linked twice: lists of symbols, assembly.
    pub fn drop_lists(self) {
        for name in ["llvm.used", "llvm.compiler.used", "llvm.global_ctors", "llvm.global_dtors"] {
            if let Some(list) = self.global(name) {
                list.erase();
            }
        }
        unsafe { LLVMSetModuleInlineAsm2(self.0, c"".as_ptr(), 0) }
    }

    /// Names of what is declared and referred to here, intrinsics excepted.
    pub fn undefined(self) -> Vec<String> {
        let functions = self.functions().into_iter().filter(|f| f.is_declaration()).map(Value::from);
        let globals = self.globals().into_iter().filter(|g| g.is_declaration()).map(Value::from);
        let used = functions.chain(globals).filter(|value| !value.users().is_empty());
        used.map(Value::name).filter(|name| !name.starts_with("llvm.")).collect()
    }

    /// Makes every definition stay that may be dropped where this module does not use it: another one may.
    pub fn keep_unused(self) {
        for value in self.definitions() {
            match value.linkage() {
                Linkage::LLVMLinkOnceODRLinkage => value.set_linkage(Linkage::LLVMWeakODRLinkage),
                Linkage::LLVMLinkOnceAnyLinkage => value.set_linkage(Linkage::LLVMWeakAnyLinkage),
                _ => {}
            }
        }
    }

    /// Turns definitions to declarations: of the symbols that the predicate names.
    ///
    /// # Errors
    /// LLVM's message.
    pub fn forget(self, is_elsewhere: impl Fn(&str) -> bool) -> Result<(), String> {
        self.definitions().into_iter().filter(|v| is_elsewhere(&v.name())).for_each(make_available);
        self.run_passes("elim-avail-extern,globaldce", None, crate::Tuning::default())
    }
}

fn is_local(linkage: Linkage) -> bool {
    matches!(linkage, Linkage::LLVMInternalLinkage | Linkage::LLVMPrivateLinkage)
}

/// Makes of a definition a copy of one that another object has.
fn make_available(value: Value) {
    unsafe { llvm_sys::comdat::LLVMSetComdat(value.0, std::ptr::null_mut()) }
    value.set_linkage(Linkage::LLVMAvailableExternallyLinkage);
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
