//! Contexts: where types, constants and metadata live.
use crate::{Module, Type, c_string, take_message};
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use std::ffi::c_void;

/// An LLVM context. Lives until the process ends, unless it is disposed of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Context(pub(crate) LLVMContextRef);

extern "C" fn on_diagnostic(info: LLVMDiagnosticInfoRef, _: *mut c_void) {
    // The default handler ends the process; ours prints errors and lets the failing call report.
    // SAFETY: LLVM passes a valid diagnostic.
    unsafe {
        if matches!(LLVMGetDiagInfoSeverity(info), llvm_sys::LLVMDiagnosticSeverity::LLVMDSError) {
            eprintln!("error: {}", take_message(LLVMGetDiagInfoDescription(info)));
        }
    }
}

impl Default for Context {
    fn default() -> Self {
        Self::new()
    }
}

impl Context {
    /// A new context, with a diagnostic handler that does not end the process.
    pub fn new() -> Context {
        // SAFETY: plain constructors.
        unsafe {
            let context = LLVMContextCreate();
            LLVMContextSetDiagnosticHandler(context, Some(on_diagnostic), std::ptr::null_mut());
            Context(context)
        }
    }

    /// Frees it; its modules must have been disposed of, and no handle to anything in it may be used afterwards.
    pub fn dispose(self) {
        // SAFETY: the caller's promise, as for `Module::dispose`.
        unsafe { LLVMContextDispose(self.0) }
    }

    /// An empty module.
    pub fn module(self, name: &str) -> Module {
        // SAFETY: the context is alive for ever.
        Module(unsafe { LLVMModuleCreateWithNameInContext(c_string(name).as_ptr(), self.0) })
    }

    /// Reads a module from its text.
    ///
    /// # Errors
    /// The parser's message.
    pub fn parse_text(self, text: &str, name: &str) -> Result<Module, String> {
        let text = c_string(text);
        let name = c_string(name);
        // SAFETY: the buffer is a copy with its terminating NUL, which the parser only reads.
        unsafe {
            let bytes = text.as_bytes();
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes.as_ptr().cast(), bytes.len(), name.as_ptr());
            let mut module = std::ptr::null_mut();
            let mut message = std::ptr::null_mut();
            let failed = llvm_sys::ir_reader::LLVMParseIRInContext2(self.0, buffer, &mut module, &mut message);
            LLVMDisposeMemoryBuffer(buffer);
            match failed {
                0 => Ok(Module(module)),
                _ => Err(take_message(message)),
            }
        }
    }

    /// Reads a module from bitcode, whole.
    ///
    /// # Errors
    /// Says that the bytes are no bitcode that this LLVM can read.
    pub fn parse_bitcode(self, bytes: &[u8], name: &str) -> Result<Module, String> {
        self.read(bytes, name, false)
    }

    /// Reads a module from bitcode; function bodies are read when they are first needed.
    ///
    /// # Errors
    /// Says that the bytes are no bitcode that this LLVM can read.
    pub fn parse_bitcode_lazily(self, bytes: &[u8], name: &str) -> Result<Module, String> {
        self.read(bytes, name, true)
    }

    fn read(self, bytes: &[u8], name: &str, lazily: bool) -> Result<Module, String> {
        let c_name = c_string(name);
        let mut module = std::ptr::null_mut();
        // SAFETY: the buffer is a copy that LLVM owns: the lazy reader takes it over, the other is done with it on return.
        let failed = unsafe {
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes.as_ptr().cast(), bytes.len(), c_name.as_ptr());
            if lazily {
                llvm_sys::bit_reader::LLVMGetBitcodeModuleInContext2(self.0, buffer, &mut module)
            } else {
                let failed = llvm_sys::bit_reader::LLVMParseBitcodeInContext2(self.0, buffer, &mut module);
                LLVMDisposeMemoryBuffer(buffer);
                failed
            }
        };
        if failed == 0 {
            Ok(Module(module))
        } else {
            Err(format!("{name}: not bitcode of LLVM {}", crate::LLVM_VERSION))
        }
    }

    /// `void`.
    pub fn void(self) -> Type {
        // SAFETY: as for every constructor below: the context is alive for ever.
        Type(unsafe { LLVMVoidTypeInContext(self.0) })
    }

    /// The integer type of a number of bits.
    pub fn int(self, bits: u32) -> Type {
        // SAFETY: see `void`.
        Type(unsafe { LLVMIntTypeInContext(self.0, bits) })
    }

    /// `double`.
    pub fn f64(self) -> Type {
        // SAFETY: see `void`.
        Type(unsafe { LLVMDoubleTypeInContext(self.0) })
    }

    /// `float`.
    pub fn f32(self) -> Type {
        // SAFETY: see `void`.
        Type(unsafe { LLVMFloatTypeInContext(self.0) })
    }

    /// `ptr`.
    pub fn ptr(self) -> Type {
        // SAFETY: see `void`.
        Type(unsafe { LLVMPointerTypeInContext(self.0, 0) })
    }

    /// An unnamed struct type.
    pub fn structure(self, fields: &[Type]) -> Type {
        let mut fields: Vec<LLVMTypeRef> = fields.iter().map(|t| t.0).collect();
        // SAFETY: see `void`; the array is only read.
        Type(unsafe { LLVMStructTypeInContext(self.0, fields.as_mut_ptr(), fields.len() as u32, 0) })
    }

    /// A new block that belongs to no function yet is never needed: blocks are appended to functions. The id of a
    /// metadata kind.
    pub fn metadata_kind(self, name: &str) -> u32 {
        // SAFETY: see `void`.
        unsafe { LLVMGetMDKindIDInContext(self.0, name.as_ptr().cast(), name.len() as u32) }
    }

    /// A metadata node, as a value, of metadata values.
    pub fn metadata_node(self, operands: &[crate::Value]) -> crate::Value {
        // SAFETY: operands are live values of this context.
        unsafe {
            let mut operands: Vec<LLVMMetadataRef> = operands.iter().map(|v| LLVMValueAsMetadata(v.0)).collect();
            let node = LLVMMDNodeInContext2(self.0, operands.as_mut_ptr(), operands.len());
            crate::Value(LLVMMetadataAsValue(self.0, node))
        }
    }

    /// A metadata string, as a value.
    pub fn metadata_string(self, text: &str) -> crate::Value {
        // SAFETY: see `void`.
        unsafe {
            let string = LLVMMDStringInContext2(self.0, text.as_ptr().cast(), text.len());
            crate::Value(LLVMMetadataAsValue(self.0, string))
        }
    }
}
