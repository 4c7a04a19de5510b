//! Values: what constants, arguments, instructions, globals and functions have in common. The rest is a file for each.

mod block;
mod call;
mod function;
mod global;
mod instruction;

use crate::{Context, Opcode, Type, ValueKind};
use crate::{borrowed_text, take_message};
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use std::fmt;

unsafe extern "C" {
    // llvm-sys declares the second parameter as a plain number; LLVM-C's Core.h has a pointer to one.
    #[link_name = "LLVMGetRawDataValues"]
    fn raw_data_values(constant: LLVMValueRef, bytes: *mut usize) -> *const std::ffi::c_char;
}

/// Any value.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value(pub(crate) LLVMValueRef);

/// A function, declared or defined.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Function(pub(crate) LLVMValueRef);

/// A global variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Global(pub(crate) LLVMValueRef);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Block(pub(crate) LLVMBasicBlockRef);

fn some(value: LLVMValueRef) -> Option<Value> {
    (!value.is_null()).then_some(Value(value))
}

// SAFETY (this file and those of its parts): handles are live, since the engine does not use a thing after erasing it; queries that LLVM
// defines for one kind of value only are guarded by that kind.
impl Value {
    /// What kind of value it is.
    pub fn kind(self) -> ValueKind {
        unsafe { LLVMGetValueKind(self.0) }
    }
    /// Its type.
    pub fn ty(self) -> Type {
        Type(unsafe { LLVMTypeOf(self.0) })
    }
    /// The context.
    pub fn context(self) -> Context {
        self.ty().context()
    }
    /// Its name, possibly empty.
    pub fn name(self) -> String {
        let mut length = 0;
        let text = unsafe { LLVMGetValueName2(self.0, &mut length) };
        borrowed_text(text, length)
    }
    /// Names it.
    pub fn set_name(self, name: &str) {
        unsafe { LLVMSetValueName2(self.0, name.as_ptr().cast(), name.len()) }
    }
    /// True for constants, globals and functions among them.
    pub fn is_constant(self) -> bool {
        unsafe { LLVMIsConstant(self.0) != 0 }
    }
    /// True for instructions.
    pub fn is_instruction(self) -> bool {
        self.kind() == ValueKind::LLVMInstructionValueKind
    }
    /// True for parameters of functions.
    pub fn is_argument(self) -> bool {
        self.kind() == ValueKind::LLVMArgumentValueKind
    }
    /// True for `undef` and `poison`.
    pub fn is_undef(self) -> bool {
        unsafe { LLVMIsUndef(self.0) != 0 }
    }
    /// True for the zero of its type.
    pub fn is_null(self) -> bool {
        self.is_constant() && unsafe { LLVMIsNull(self.0) != 0 }
    }
    /// True for inline assembly.
    pub fn is_inline_assembly(self) -> bool {
        self.kind() == ValueKind::LLVMInlineAsmValueKind
    }
    /// The text of inline assembly.
    pub fn assembly(self) -> Option<String> {
        self.is_inline_assembly().then(|| {
            let mut length = 0;
            let text = unsafe { LLVMGetInlineAsmAsmString(self.0, &mut length) };
            borrowed_text(text, length)
        })
    }
    /// The function that this value is.
    pub fn as_function(self) -> Option<Function> {
        (self.kind() == ValueKind::LLVMFunctionValueKind).then_some(Function(self.0))
    }
    /// The global variable that this value is.
    pub fn as_global(self) -> Option<Global> {
        (self.kind() == ValueKind::LLVMGlobalVariableValueKind).then_some(Global(self.0))
    }
    /// The value of an integer constant of up to 64 bits, zero-extended.
    pub fn as_u64(self) -> Option<u64> {
        (self.kind() == ValueKind::LLVMConstantIntValueKind && self.ty().bits() <= 64)
            .then(|| unsafe { LLVMConstIntGetZExtValue(self.0) })
    }
    /// The value of an integer constant of up to 64 bits, sign-extended.
    pub fn as_i64(self) -> Option<i64> {
        (self.kind() == ValueKind::LLVMConstantIntValueKind && self.ty().bits() <= 64)
            .then(|| unsafe { LLVMConstIntGetSExtValue(self.0) })
    }
    /// The value of a float constant.
    pub fn as_f64(self) -> Option<f64> {
        (self.kind() == ValueKind::LLVMConstantFPValueKind).then(|| {
            let mut loses = 0;
            unsafe { LLVMConstRealGetDouble(self.0, &mut loses) }
        })
    }
    /// The index of an argument among its function's.
    pub fn argument_index(self) -> Option<u32> {
        if !self.is_argument() {
            return None;
        }
        let parent = Function(unsafe { LLVMGetParamParent(self.0) });
        parent.params().iter().position(|p| *p == self).map(|i| i as u32)
    }
    /// Opcode of a constant expression.
    pub fn constant_opcode(self) -> Option<Opcode> {
        (self.kind() == ValueKind::LLVMConstantExprValueKind).then(|| unsafe { LLVMGetConstOpcode(self.0) })
    }
    /// Number of operands (blocks and the callee count).
    pub fn operand_count(self) -> u32 {
        (unsafe { LLVMGetNumOperands(self.0) }).max(0) as u32
    }
    /// An operand.
    pub fn operand(self, index: u32) -> Value {
        Value(unsafe { LLVMGetOperand(self.0, index) })
    }
    /// All operands.
    pub fn operands(self) -> Vec<Value> {
        (0..self.operand_count()).map(|i| self.operand(i)).collect()
    }
    /// Replaces an operand.
    pub fn set_operand(self, index: u32, value: Value) {
        unsafe { LLVMSetOperand(self.0, index, value.0) }
    }
    /// The block that a block operand is.
    pub fn as_block(self) -> Option<Block> {
        (unsafe { LLVMValueIsBasicBlock(self.0) } != 0).then(|| Block(unsafe { LLVMValueAsBasicBlock(self.0) }))
    }
    /// The values that use this one (an instruction as often as it does).
    pub fn users(self) -> Vec<Value> {
        let mut users = Vec::new();
        let mut next = unsafe { LLVMGetFirstUse(self.0) };
        while !next.is_null() {
            users.push(Value(unsafe { LLVMGetUser(next) }));
            next = unsafe { LLVMGetNextUse(next) };
        }
        users
    }
    /// Replaces it everywhere.
    pub fn replace_all_uses_with(self, other: Value) {
        unsafe { LLVMReplaceAllUsesWith(self.0, other.0) }
    }
    /// Alignment of a load, store, alloca or global.
    pub fn alignment(self) -> u32 {
        unsafe { LLVMGetAlignment(self.0) }
    }
    /// Sets the alignment of a load, store, alloca or global.
    pub fn set_alignment(self, bytes: u32) {
        unsafe { LLVMSetAlignment(self.0, bytes) }
    }
    /// Element of a constant aggregate.
    pub fn aggregate_element(self, index: u32) -> Option<Value> {
        some(unsafe { LLVMGetAggregateElement(self.0, index) })
    }
    /// The bytes of a constant array of `i8` (also inside a one-field struct).
    pub fn constant_bytes(self) -> Option<Vec<u8>> {
        match self.kind() {
            ValueKind::LLVMConstantStructValueKind => self.aggregate_element(0)?.constant_bytes(),
            ValueKind::LLVMConstantDataArrayValueKind if self.ty().element().bits() == 8 => {
                let mut size = 0;
                let start = unsafe { raw_data_values(self.0, &mut size) };
                Some(unsafe { std::slice::from_raw_parts(start.cast::<u8>(), size) }.to_vec())
            }
            _ => None,
        }
    }
    /// The operands of a metadata node that are there.
    pub fn metadata_operands(self) -> Vec<Value> {
        unsafe {
            let mut operands = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(self.0) as usize];
            LLVMGetMDNodeOperands(self.0, operands.as_mut_ptr());
            operands.into_iter().filter_map(some).collect()
        }
    }
    /// True where the handle is the same thing as another.
    pub fn same(self, other: Value) -> bool {
        self.0 == other.0
    }
    /// A number that differs for different values, for ordering within one run only.
    pub fn address(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(take_message(unsafe { LLVMPrintValueToString(self.0) }).trim())
    }
}
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Not part of the interface: raw access for the other files of this crate.
pub(crate) fn raw_block(block: Block) -> LLVMBasicBlockRef {
    block.0
}
