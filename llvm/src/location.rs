//! Source positions.
use crate::{Value, borrowed_text};
use llvm_sys::core::*;
use llvm_sys::debuginfo::*;

/// A position in a source file, with the call it was inlined into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// Folder that a relative file name starts from.
    pub directory: String,
    /// File as the compiler was given it.
    pub file: String,
    /// Line, from 1; 0 where the compiler made the code.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// Where the function of this position was inlined.
    pub inlined_at: Option<Box<Location>>,
}

impl Value {
    /// The position of an instruction, if it has one.
    pub fn location(self) -> Option<Location> {
        if !self.is_instruction() {
            return None;
        }
        // SAFETY: the instruction is live; a null answer means "none".
        unsafe { from_metadata(LLVMInstructionGetDebugLoc(self.0)) }
    }

    /// The names of the functions that an instruction was written in, with their type arguments, from the one that was inlined last outwards.
    pub fn written_in(self) -> Vec<String> {
        let mut names = Vec::new();
        if !self.is_instruction() {
            return names;
        }
        // SAFETY: the instruction is live; every metadata node is checked to be there before it is asked.
        unsafe {
            let mut location = LLVMInstructionGetDebugLoc(self.0);
            while !location.is_null() {
                names.extend(name_of_scope(LLVMDILocationGetScope(location), self));
                location = LLVMDILocationGetInlinedAt(location);
            }
        }
        names
    }

    /// Removes an instruction's position.
    pub fn clear_location(self) {
        // SAFETY: a null location is allowed.
        unsafe { LLVMInstructionSetDebugLoc(self.0, std::ptr::null_mut()) }
    }
}

/// Where a node of debug information has its scope and, if it is a function, its name, among its operands.
const SCOPE: usize = 1;
const NAME: usize = 2;

/// The name of the function that a scope lies in.
unsafe fn name_of_scope(mut scope: llvm_sys::prelude::LLVMMetadataRef, value: Value) -> Option<String> {
    // SAFETY: the caller passes a scope of the value's module, or null.
    unsafe {
        loop {
            if scope.is_null() {
                return None;
            }
            let kind = LLVMGetMetadataKind(scope);
            let node = LLVMMetadataAsValue(LLVMGetTypeContext(LLVMTypeOf(value.0)), scope);
            let mut operands = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(node) as usize];
            LLVMGetMDNodeOperands(node, operands.as_mut_ptr());
            if matches!(kind, LLVMMetadataKind::LLVMDISubprogramMetadataKind) {
                let mut length = 0;
                let name = operands.get(NAME).copied().filter(|name| !name.is_null())?;
                let text = LLVMGetMDString(name, &mut length);
                return (!text.is_null()).then(|| borrowed_text(text, length as usize));
            }
            let outer = operands.get(SCOPE).copied().filter(|outer| !outer.is_null())?;
            scope = LLVMValueAsMetadata(outer);
        }
    }
}

unsafe fn from_metadata(location: llvm_sys::prelude::LLVMMetadataRef) -> Option<Location> {
    if location.is_null() {
        return None;
    }
    // SAFETY: the caller passes a DILocation; scope, file and names are its own.
    unsafe {
        let scope = LLVMDILocationGetScope(location);
        let file = LLVMDIScopeGetFile(scope);
        let (mut name, mut directory) = (String::new(), String::new());
        if !file.is_null() {
            let mut length = 0;
            let text = LLVMDIFileGetFilename(file, &mut length);
            name = borrowed_text(text, length as usize);
            let text = LLVMDIFileGetDirectory(file, &mut length);
            directory = borrowed_text(text, length as usize);
        }
        Some(Location {
            directory,
            file: name,
            line: LLVMDILocationGetLine(location),
            column: LLVMDILocationGetColumn(location),
            inlined_at: from_metadata(LLVMDILocationGetInlinedAt(location)).map(Box::new),
        })
    }
}
