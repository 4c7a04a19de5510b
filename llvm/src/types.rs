//! Types.
use crate::{Context, TypeKind, Value, take_message};
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use std::fmt;

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Type(pub(crate) LLVMTypeRef);

// SAFETY (whole file): handles are valid while the context lives, which is for ever.
impl Type {
    /// What sort of type it is.
    pub fn kind(self) -> TypeKind {
        unsafe { LLVMGetTypeKind(self.0) }
    }
    /// The context.
    pub fn context(self) -> Context {
        Context(unsafe { LLVMGetTypeContext(self.0) })
    }
    /// True for `float` and `double`.
    pub fn is_float(self) -> bool {
        matches!(self.kind(), TypeKind::LLVMFloatTypeKind | TypeKind::LLVMDoubleTypeKind)
    }
    /// True for `float`, `double` and vectors of them.
    pub fn is_float_or_vector(self) -> bool {
        self.is_float() || (self.is_vector() && self.element().is_float())
    }
    /// True for pointers.
    pub fn is_pointer(self) -> bool {
        self.kind() == TypeKind::LLVMPointerTypeKind
    }
    /// True for integers.
    pub fn is_int(self) -> bool {
        self.kind() == TypeKind::LLVMIntegerTypeKind
    }
    /// True for `void`.
    pub fn is_void(self) -> bool {
        self.kind() == TypeKind::LLVMVoidTypeKind
    }
    /// True for vectors of a fixed length.
    pub fn is_vector(self) -> bool {
        self.kind() == TypeKind::LLVMVectorTypeKind
    }
    /// True for structs.
    pub fn is_struct(self) -> bool {
        self.kind() == TypeKind::LLVMStructTypeKind
    }
    /// True for arrays.
    pub fn is_array(self) -> bool {
        self.kind() == TypeKind::LLVMArrayTypeKind
    }
    /// Bits of an integer type (0 for any other).
    pub fn bits(self) -> u32 {
        if self.is_int() { unsafe { LLVMGetIntTypeWidth(self.0) } } else { 0 }
    }
    /// Element type of an array or vector.
    pub fn element(self) -> Type {
        Type(unsafe { LLVMGetElementType(self.0) })
    }
    /// Number of elements of an array or vector, of fields of a struct; 0 for any other.
    pub fn count(self) -> u64 {
        match self.kind() {
            TypeKind::LLVMArrayTypeKind => unsafe { LLVMGetArrayLength2(self.0) },
            TypeKind::LLVMVectorTypeKind => u64::from(unsafe { LLVMGetVectorSize(self.0) }),
            TypeKind::LLVMStructTypeKind => u64::from(unsafe { LLVMCountStructElementTypes(self.0) }),
            _ => 0,
        }
    }
    /// Type of a struct's field.
    pub fn field(self, index: u32) -> Type {
        Type(unsafe { LLVMStructGetTypeAtIndex(self.0, index) })
    }
    /// An array of this type.
    pub fn array(self, length: u64) -> Type {
        Type(unsafe { LLVMArrayType2(self.0, length) })
    }
    /// A vector of this type.
    pub fn vector(self, length: u32) -> Type {
        Type(unsafe { LLVMVectorType(self.0, length) })
    }
    /// A function type with this result.
    pub fn function(self, params: &[Type]) -> Type {
        let mut params: Vec<LLVMTypeRef> = params.iter().map(|t| t.0).collect();
        Type(unsafe { LLVMFunctionType(self.0, params.as_mut_ptr(), params.len() as u32, 0) })
    }
    /// Result of a function type.
    pub fn result(self) -> Type {
        Type(unsafe { LLVMGetReturnType(self.0) })
    }
    /// Parameters of a function type.
    pub fn params(self) -> Vec<Type> {
        unsafe {
            let mut params = vec![std::ptr::null_mut(); LLVMCountParamTypes(self.0) as usize];
            LLVMGetParamTypes(self.0, params.as_mut_ptr());
            params.into_iter().map(Type).collect()
        }
    }
    /// True for C-variadic function types.
    pub fn is_variadic(self) -> bool {
        unsafe { LLVMIsFunctionVarArg(self.0) != 0 }
    }
    /// The zero of the type.
    pub fn zero(self) -> Value {
        Value(unsafe { LLVMConstNull(self.0) })
    }
    /// `undef`.
    pub fn undef(self) -> Value {
        Value(unsafe { LLVMGetUndef(self.0) })
    }
    /// `poison`.
    pub fn poison(self) -> Value {
        Value(unsafe { LLVMGetPoison(self.0) })
    }
    /// An integer constant.
    pub fn int_value(self, value: u64) -> Value {
        Value(unsafe { LLVMConstInt(self.0, value, 1) })
    }
    /// A float constant; of a vector type, one in each lane.
    pub fn float_value(self, value: f64) -> Value {
        if self.is_vector() {
            let lane = self.element().float_value(value);
            let mut lanes = vec![lane.0; self.count() as usize];
            return Value(unsafe { LLVMConstVector(lanes.as_mut_ptr(), lanes.len() as u32) });
        }
        Value(unsafe { LLVMConstReal(self.0, value) })
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&take_message(unsafe { LLVMPrintTypeToString(self.0) }))
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
