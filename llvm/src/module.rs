//! Modules.
use crate::{Context, Function, Global, Target, Tuning, Type, Value, c_string, take_message};
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use std::path::Path;

/// A module.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Module(pub(crate) LLVMModuleRef);

// SAFETY (whole file): live handles; names and texts are passed with their lengths or as C strings.
impl Module {
    /// The context.
    pub fn context(self) -> Context {
        Context(unsafe { LLVMGetModuleContext(self.0) })
    }
    /// A whole copy.
    pub fn duplicate(self) -> Module {
        Module(unsafe { LLVMCloneModule(self.0) })
    }
    /// Frees it; no handle into it may be used afterwards.
    pub fn dispose(self) {
        unsafe { LLVMDisposeModule(self.0) }
    }
    /// Functions, declared and defined.
    pub fn functions(self) -> Vec<Function> {
        let mut all = Vec::new();
        let mut next = unsafe { LLVMGetFirstFunction(self.0) };
        while !next.is_null() {
            all.push(Function(next));
            next = unsafe { LLVMGetNextFunction(next) };
        }
        all
    }
    /// Global variables.
    pub fn globals(self) -> Vec<Global> {
        let mut all = Vec::new();
        let mut next = unsafe { LLVMGetFirstGlobal(self.0) };
        while !next.is_null() {
            all.push(Global(next));
            next = unsafe { LLVMGetNextGlobal(next) };
        }
        all
    }
    /// A function by name.
    pub fn function(self, name: &str) -> Option<Function> {
        let function = unsafe { LLVMGetNamedFunctionWithLength(self.0, name.as_ptr().cast(), name.len()) };
        (!function.is_null()).then_some(Function(function))
    }
    /// A global variable by name.
    pub fn global(self, name: &str) -> Option<Global> {
        let global = unsafe { LLVMGetNamedGlobalWithLength(self.0, name.as_ptr().cast(), name.len()) };
        (!global.is_null()).then_some(Global(global))
    }
    /// Adds a function; LLVM makes the name unique if it is taken.
    pub fn add_function(self, name: &str, ty: Type) -> Function {
        Function(unsafe { LLVMAddFunction(self.0, c_string(name).as_ptr(), ty.0) })
    }
    /// The function of that name, declared if it is not there.
    pub fn declare(self, name: &str, ty: Type) -> Function {
        self.function(name).unwrap_or_else(|| self.add_function(name, ty))
    }
    /// The declaration of an overloaded intrinsic, such as `llvm.sin` for `[double]`.
    pub fn intrinsic(self, name: &str, overloads: &[Type]) -> Option<Function> {
        let id = unsafe { LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len()) };
        if id == 0 {
            return None;
        }
        let mut overloads: Vec<LLVMTypeRef> = overloads.iter().map(|t| t.0).collect();
        let function = unsafe { LLVMGetIntrinsicDeclaration(self.0, id, overloads.as_mut_ptr(), overloads.len()) };
        (!function.is_null()).then_some(Function(function))
    }
    /// Adds a global variable.
    pub fn add_global(self, name: &str, ty: Type) -> Global {
        Global(unsafe { LLVMAddGlobal(self.0, ty.0, c_string(name).as_ptr()) })
    }
    /// Copies target and data layout from another module.
    pub fn copy_target(self, other: Module) {
        unsafe {
            LLVMSetTarget(self.0, LLVMGetTarget(other.0));
            LLVMSetDataLayout(self.0, LLVMGetDataLayoutStr(other.0));
        }
    }
    /// The target triple.
    pub fn triple(self) -> String {
        unsafe { std::ffi::CStr::from_ptr(LLVMGetTarget(self.0)) }.to_string_lossy().into_owned()
    }
    /// Bytes that a value of the type takes, padding to its alignment included.
    pub fn size_of(self, ty: Type) -> u64 {
        unsafe { llvm_sys::target::LLVMABISizeOfType(llvm_sys::target::LLVMGetModuleDataLayout(self.0), ty.0) }
    }
    /// Bytes that a store of the type writes.
    pub fn store_size_of(self, ty: Type) -> u64 {
        unsafe { llvm_sys::target::LLVMStoreSizeOfType(llvm_sys::target::LLVMGetModuleDataLayout(self.0), ty.0) }
    }
    /// Alignment of the type.
    pub fn align_of(self, ty: Type) -> u32 {
        unsafe { llvm_sys::target::LLVMABIAlignmentOfType(llvm_sys::target::LLVMGetModuleDataLayout(self.0), ty.0) }
    }
    /// Whether the lowest byte of an integer comes first in memory.
    pub fn is_little_endian(self) -> bool {
        let layout = unsafe { llvm_sys::target::LLVMGetModuleDataLayout(self.0) };
        unsafe { llvm_sys::target::LLVMByteOrder(layout) == llvm_sys::target::LLVMByteOrdering::LLVMLittleEndian }
    }
    /// Byte offset of a struct's field.
    pub fn field_offset(self, ty: Type, field: u32) -> u64 {
        unsafe { llvm_sys::target::LLVMOffsetOfElement(llvm_sys::target::LLVMGetModuleDataLayout(self.0), ty.0, field) }
    }
    /// Checks that it is well formed.
    ///
    /// # Errors
    /// The verifier's report.
    pub fn verify(self) -> Result<(), String> {
        let mut message = std::ptr::null_mut();
        let action = llvm_sys::analysis::LLVMVerifierFailureAction::LLVMReturnStatusAction;
        let broken = unsafe { llvm_sys::analysis::LLVMVerifyModule(self.0, action, &mut message) };
        let text = take_message(message);
        if broken == 0 { Ok(()) } else { Err(text) }
    }
    /// Runs a pipeline in LLVM's textual notation.
    ///
    /// # Errors
    /// LLVM's message where the text is no pipeline.
    pub fn run_passes(self, pipeline: &str, target: Option<&Target>, tuning: Tuning) -> Result<(), String> {
        crate::target::run_passes(self, pipeline, target, tuning)
    }
    /// Links another module into this one; the other is consumed.
    ///
    /// # Errors
    /// Symbols that are defined twice and the like.
    pub fn link(self, other: Module) -> Result<(), String> {
        match unsafe { llvm_sys::linker::LLVMLinkModules2(self.0, other.0) } {
            0 => Ok(()),
            _ => Err("two modules cannot be linked into one (see the message above)".into()),
        }
    }
    /// Bitcode.
    pub fn to_bitcode(self) -> Vec<u8> {
        unsafe {
            let buffer = llvm_sys::bit_writer::LLVMWriteBitcodeToMemoryBuffer(self.0);
            let bytes =
                std::slice::from_raw_parts(LLVMGetBufferStart(buffer).cast::<u8>(), LLVMGetBufferSize(buffer)).to_vec();
            LLVMDisposeMemoryBuffer(buffer);
            bytes
        }
    }
    /// Writes the text form to a file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write_text(self, path: &Path) -> std::io::Result<()> {
        std::fs::write(path, self.to_string())
    }
    /// Removes all debug information.
    pub fn strip_debug(self) {
        unsafe {
            llvm_sys::debuginfo::LLVMStripModuleDebugInfo(self.0);
        }
    }
    /// Copies the operands of a named metadata list from another module of the same context.
    pub fn copy_named_metadata(self, other: Module, name: &str) {
        let c_name = c_string(name);
        unsafe {
            let count = LLVMGetNamedMetadataNumOperands(other.0, c_name.as_ptr());
            let mut operands = vec![std::ptr::null_mut(); count as usize];
            LLVMGetNamedMetadataOperands(other.0, c_name.as_ptr(), operands.as_mut_ptr());
            for operand in operands {
                LLVMAddNamedMetadataOperand(self.0, c_name.as_ptr(), operand);
            }
        }
    }
    /// Adds an empty entry to a named metadata list, which is there from then on.
    pub fn add_named_metadata(self, name: &str) {
        let entry = self.context().metadata_node(&[]);
        unsafe { LLVMAddNamedMetadataOperand(self.0, c_string(name).as_ptr(), entry.0) }
    }
    /// Whether a named metadata list has entries.
    pub fn has_named_metadata(self, name: &str) -> bool {
        unsafe { LLVMGetNamedMetadataNumOperands(self.0, c_string(name).as_ptr()) > 0 }
    }
    /// Sets the "Debug Info Version" flag, without which debug information would be dropped.
    pub fn flag_debug_version(self) {
        let name = "Debug Info Version";
        unsafe {
            let version = LLVMValueAsMetadata(self.context().int(32).int_value(3).0);
            let behaviour = llvm_sys::LLVMModuleFlagBehavior::LLVMModuleFlagBehaviorWarning;
            LLVMAddModuleFlag(self.0, behaviour, name.as_ptr().cast(), name.len(), version);
        }
    }
    /// The module-level assembly.
    pub fn assembly(self) -> String {
        let mut length = 0;
        let text = unsafe { LLVMGetModuleInlineAsm(self.0, &mut length) };
        crate::borrowed_text(text, length)
    }
    /// Every value of `llvm.used`-like arrays is left alone; this finds a value's global by name, function or variable.
    pub fn symbol(self, name: &str) -> Option<Value> {
        self.function(name).map(Value::from).or_else(|| self.global(name).map(Value::from))
    }
}

impl std::fmt::Display for Module {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&take_message(unsafe { LLVMPrintModuleToString(self.0) }))
    }
}
