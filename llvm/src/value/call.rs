//! What only calls have.

use super::{Block, Function, Value};
use crate::{Opcode, Type};
use llvm_sys::core::*;

// SAFETY: as in `value`.
impl Value {
    /// What a call calls.
    pub fn callee(self) -> Value {
        Value(unsafe { LLVMGetCalledValue(self.0) })
    }
    /// The function that a call calls, where it is known.
    pub fn called_function(self) -> Option<Function> {
        matches!(self.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke).then(|| self.callee().as_function()).flatten()
    }
    /// Function type of a call.
    pub fn called_type(self) -> Type {
        Type(unsafe { LLVMGetCalledFunctionType(self.0) })
    }
    /// Arguments of a call.
    pub fn arguments(self) -> Vec<Value> {
        (0..unsafe { LLVMGetNumArgOperands(self.0) }).map(|i| self.operand(i)).collect()
    }
    /// Marks a call as not a tail call (a copy may pass locals that the original did not).
    pub fn clear_tail(self) {
        if self.opcode() == Opcode::LLVMCall {
            unsafe { LLVMSetTailCall(self.0, 0) }
        }
    }
    /// Normal and unwind destinations of an invoke.
    pub fn invoke_destinations(self) -> (Block, Block) {
        unsafe { (Block(LLVMGetNormalDest(self.0)), Block(LLVMGetUnwindDest(self.0))) }
    }
    /// Number of operand bundles of a call.
    pub fn bundle_count(self) -> u32 {
        unsafe { LLVMGetNumOperandBundles(self.0) }
    }
    /// Calling convention of a call.
    pub fn call_convention(self) -> u32 {
        unsafe { LLVMGetInstructionCallConv(self.0) }
    }
    /// Sets the calling convention of a call.
    pub fn set_call_convention(self, convention: u32) {
        unsafe { LLVMSetInstructionCallConv(self.0, convention) }
    }
}
