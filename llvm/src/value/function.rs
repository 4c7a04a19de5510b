//! Functions, declared or defined.

use super::{Block, Function, Value};
use crate::{Linkage, Module, Type, Visibility};
use crate::{borrowed_text, c_string};
use llvm_sys::core::*;
use std::fmt;

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}", self.name())
    }
}
impl From<Function> for Value {
    fn from(function: Function) -> Value {
        Value(function.0)
    }
}

// SAFETY: as in `value`.
impl Function {
    /// As a value.
    pub fn value(self) -> Value {
        Value(self.0)
    }
    /// Symbol name.
    pub fn name(self) -> String {
        self.value().name()
    }
    /// The module it is in.
    pub fn module(self) -> Module {
        Module(unsafe { LLVMGetGlobalParent(self.0) })
    }
    /// Function type.
    pub fn ty(self) -> Type {
        Type(unsafe { LLVMGlobalGetValueType(self.0) })
    }
    /// True where there is no body.
    pub fn is_declaration(self) -> bool {
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }
    /// Parameters.
    pub fn params(self) -> Vec<Value> {
        unsafe {
            let mut params = vec![std::ptr::null_mut(); LLVMCountParams(self.0) as usize];
            LLVMGetParams(self.0, params.as_mut_ptr());
            params.into_iter().map(Value).collect()
        }
    }
    /// A parameter.
    pub fn param(self, index: u32) -> Value {
        Value(unsafe { LLVMGetParam(self.0, index) })
    }
    /// Blocks in layout order; a body not read yet from lazy bitcode must be materialised first.
    pub fn blocks(self) -> Vec<Block> {
        unsafe {
            let mut blocks = vec![std::ptr::null_mut(); LLVMCountBasicBlocks(self.0) as usize];
            LLVMGetBasicBlocks(self.0, blocks.as_mut_ptr());
            blocks.into_iter().map(Block).collect()
        }
    }
    /// The entry block.
    pub fn entry(self) -> Block {
        Block(unsafe { LLVMGetEntryBasicBlock(self.0) })
    }
    /// Appends an empty block.
    pub fn append_block(self, name: &str) -> Block {
        let context = self.value().context();
        Block(unsafe { LLVMAppendBasicBlockInContext(context.0, self.0, c_string(name).as_ptr()) })
    }
    /// Linkage.
    pub fn linkage(self) -> Linkage {
        unsafe { LLVMGetLinkage(self.0) }
    }
    /// Sets the linkage.
    pub fn set_linkage(self, linkage: Linkage) {
        unsafe { LLVMSetLinkage(self.0, linkage) }
    }
    /// Sets the visibility.
    pub fn set_visibility(self, visibility: Visibility) {
        unsafe { LLVMSetVisibility(self.0, visibility) }
    }
    /// Calling convention.
    pub fn convention(self) -> u32 {
        unsafe { LLVMGetFunctionCallConv(self.0) }
    }
    /// Sets the calling convention.
    pub fn set_convention(self, convention: u32) {
        unsafe { LLVMSetFunctionCallConv(self.0, convention) }
    }
    /// Personality function, if it has one.
    pub fn personality(self) -> Option<Value> {
        (unsafe { LLVMHasPersonalityFn(self.0) } != 0).then(|| Value(unsafe { LLVMGetPersonalityFn(self.0) }))
    }
    /// Sets or removes the personality function.
    pub fn set_personality(self, personality: Option<Value>) {
        unsafe { LLVMSetPersonalityFn(self.0, personality.map_or(std::ptr::null_mut(), |p| p.0)) }
    }
    /// Removes the debug-information subprogram.
    pub fn clear_subprogram(self) {
        unsafe { llvm_sys::debuginfo::LLVMSetSubprogram(self.0, std::ptr::null_mut()) }
    }
    /// True where a debug-information subprogram is attached.
    pub fn has_subprogram(self) -> bool {
        !unsafe { llvm_sys::debuginfo::LLVMGetSubprogram(self.0) }.is_null()
    }
    /// Where the function stands, where debug information tells; the column is not known and 1.
    pub fn source(self) -> Option<crate::Location> {
        unsafe {
            let subprogram = llvm_sys::debuginfo::LLVMGetSubprogram(self.0);
            if subprogram.is_null() {
                return None;
            }
            let file = llvm_sys::debuginfo::LLVMDIScopeGetFile(subprogram);
            if file.is_null() {
                return None;
            }
            let mut length = 0;
            let text = llvm_sys::debuginfo::LLVMDIFileGetFilename(file, &mut length);
            let name = borrowed_text(text, length as usize);
            let text = llvm_sys::debuginfo::LLVMDIFileGetDirectory(file, &mut length);
            let directory = borrowed_text(text, length as usize);
            let line = llvm_sys::debuginfo::LLVMDISubprogramGetLine(subprogram);
            Some(crate::Location { directory, file: name, line, column: 1, inlined_at: None })
        }
    }
    /// Number of the intrinsic, 0 for ordinary functions.
    pub fn intrinsic_id(self) -> u32 {
        unsafe { LLVMGetIntrinsicID(self.0) }
    }
    /// Deletes it; no use may be left.
    pub fn erase(self) {
        unsafe { LLVMDeleteFunction(self.0) }
    }
    /// Sets the section to the default one and drops COMDAT membership.
    pub fn clear_comdat(self) {
        unsafe { llvm_sys::comdat::LLVMSetComdat(self.0, std::ptr::null_mut()) }
    }
}
