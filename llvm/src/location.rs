//! Source positions.
use crate::{Value, borrowed_text};
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

    /// Removes an instruction's position.
    pub fn clear_location(self) {
        // SAFETY: a null location is allowed.
        unsafe { LLVMInstructionSetDebugLoc(self.0, std::ptr::null_mut()) }
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
