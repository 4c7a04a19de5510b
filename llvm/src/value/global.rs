//! Global variables.

use super::{Global, Value, some};
use crate::{Linkage, Type, Visibility};
use llvm_sys::core::*;
use std::fmt;

impl fmt::Debug for Global {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}", Value(self.0).name())
    }
}
impl From<Global> for Value {
    fn from(global: Global) -> Value {
        Value(global.0)
    }
}

// SAFETY: as in `value`.
impl Global {
    /// As a value.
    pub fn value(self) -> Value {
        Value(self.0)
    }
    /// Symbol name.
    pub fn name(self) -> String {
        self.value().name()
    }
    /// Type of the variable itself.
    pub fn ty(self) -> Type {
        Type(unsafe { LLVMGlobalGetValueType(self.0) })
    }
    /// The initial value, where this module defines it.
    pub fn initializer(self) -> Option<Value> {
        some(unsafe { LLVMGetInitializer(self.0) })
    }
    /// Sets the initial value.
    pub fn set_initializer(self, value: Value) {
        unsafe { LLVMSetInitializer(self.0, value.0) }
    }
    /// True for constants.
    pub fn is_constant(self) -> bool {
        unsafe { LLVMIsGlobalConstant(self.0) != 0 }
    }
    /// Makes it a constant, or not.
    pub fn set_constant(self, constant: bool) {
        unsafe { LLVMSetGlobalConstant(self.0, i32::from(constant)) }
    }
    /// True for thread locals.
    pub fn is_thread_local(self) -> bool {
        unsafe { LLVMIsThreadLocal(self.0) != 0 }
    }
    /// Copies the thread-local mode of another.
    pub fn copy_thread_local_mode(self, other: Global) {
        unsafe { LLVMSetThreadLocalMode(self.0, LLVMGetThreadLocalMode(other.0)) }
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
    /// Marks the address as of no significance.
    pub fn set_unnamed(self) {
        unsafe { LLVMSetUnnamedAddress(self.0, llvm_sys::LLVMUnnamedAddr::LLVMGlobalUnnamedAddr) }
    }
    /// True where the address is of no significance.
    pub fn is_unnamed(self) -> bool {
        !matches!(unsafe { LLVMGetUnnamedAddress(self.0) }, llvm_sys::LLVMUnnamedAddr::LLVMNoUnnamedAddr)
    }
    /// Deletes it; no use may be left.
    pub fn erase(self) {
        unsafe { LLVMDeleteGlobal(self.0) }
    }
}
