//! Constants that are made of other constants: taking them apart and putting them together again.
use crate::{Function, Global, Linkage, Module, Opcode, Type, Value, ValueKind, Visibility};
use llvm_sys::core::*;
use llvm_sys::prelude::*;

// SAFETY (whole file): live handles of one context; each query is guarded by the kind of value that LLVM defines it for.
impl Value {
    /// What a global alias stands for; nothing for any other value.
    pub fn aliasee(self) -> Option<Value> {
        (self.kind() == ValueKind::LLVMGlobalAliasValueKind).then(|| Value(unsafe { LLVMAliasGetAliasee(self.0) }))
    }

    /// True for aggregates and expressions: constants that may mention globals without being one.
    pub fn is_compound_constant(self) -> bool {
        matches!(
            self.kind(),
            ValueKind::LLVMConstantArrayValueKind
                | ValueKind::LLVMConstantStructValueKind
                | ValueKind::LLVMConstantVectorValueKind
                | ValueKind::LLVMConstantExprValueKind
        )
    }

    /// The same aggregate or expression with other operands; `None` where this LLVM has no such expression any more.
    pub fn with_operands(self, operands: &[Value]) -> Option<Value> {
        let mut raw: Vec<LLVMValueRef> = operands.iter().map(|v| v.0).collect();
        let (start, count) = (raw.as_mut_ptr(), raw.len());
        unsafe {
            Some(Value(match self.kind() {
                ValueKind::LLVMConstantStructValueKind => LLVMConstNamedStruct(self.ty().0, start, count as u32),
                ValueKind::LLVMConstantArrayValueKind => LLVMConstArray2(self.ty().element().0, start, count as u64),
                ValueKind::LLVMConstantVectorValueKind => LLVMConstVector(start, count as u32),
                ValueKind::LLVMConstantExprValueKind => return self.expression_with(operands),
                _ => return None,
            }))
        }
    }

    unsafe fn expression_with(self, operands: &[Value]) -> Option<Value> {
        let ty = self.ty().0;
        let first = operands.first()?.0;
        let second = operands.get(1).map_or(std::ptr::null_mut(), |v| v.0);
        unsafe {
            Some(Value(match LLVMGetConstOpcode(self.0) {
                Opcode::LLVMGetElementPtr => {
                    let mut indices: Vec<LLVMValueRef> = operands[1..].iter().map(|v| v.0).collect();
                    LLVMConstGEPWithNoWrapFlags(
                        LLVMGetGEPSourceElementType(self.0),
                        first,
                        indices.as_mut_ptr(),
                        indices.len() as u32,
                        LLVMGEPGetNoWrapFlags(self.0),
                    )
                }
                Opcode::LLVMTrunc => LLVMConstTrunc(first, ty),
                Opcode::LLVMPtrToInt => LLVMConstPtrToInt(first, ty),
                Opcode::LLVMIntToPtr => LLVMConstIntToPtr(first, ty),
                Opcode::LLVMBitCast => LLVMConstBitCast(first, ty),
                Opcode::LLVMAddrSpaceCast => LLVMConstAddrSpaceCast(first, ty),
                Opcode::LLVMAdd => LLVMConstAdd(first, second),
                Opcode::LLVMSub => LLVMConstSub(first, second),
                Opcode::LLVMXor => LLVMConstXor(first, second),
                _ => return None,
            }))
        }
    }

    /// 64 bits of an integer constant of any width, from bit `64 * index` up.
    pub fn constant_word(self, index: u32) -> Option<u64> {
        let ty = self.ty();
        if self.kind() != ValueKind::LLVMConstantIntValueKind {
            return None;
        }
        if ty.bits() <= 64 {
            return Some(if index == 0 { self.as_u64()? } else { 0 });
        }
        if index >= ty.bits().div_ceil(64) {
            return Some(0);
        }
        // Constants are folded, so that a builder without a place to insert at does.
        unsafe {
            let builder = LLVMCreateBuilderInContext(self.context().0);
            let by = LLVMConstInt(ty.0, 64 * u64::from(index), 0);
            let moved = LLVMBuildLShr(builder, self.0, by, c"".as_ptr());
            let word = LLVMBuildTrunc(builder, moved, self.context().int(64).0, c"".as_ptr());
            LLVMDisposeBuilder(builder);
            Value(word).as_u64()
        }
    }

    /// Makes a call or invoke call something else of the same type.
    pub fn set_callee(self, callee: Value) {
        self.set_operand(self.operand_count() - 1, callee);
    }

    /// Linkage of a function or global variable.
    pub fn linkage(self) -> Linkage {
        unsafe { LLVMGetLinkage(self.0) }
    }
    /// Sets the linkage of a function or global variable.
    pub fn set_linkage(self, linkage: Linkage) {
        unsafe { LLVMSetLinkage(self.0, linkage) }
    }
    /// Sets the visibility of a function or global variable.
    pub fn set_visibility(self, visibility: Visibility) {
        unsafe { LLVMSetVisibility(self.0, visibility) }
    }

    /// Adds a string attribute to a call.
    pub fn add_call_string_attribute(self, name: &str, value: &str) {
        let context = self.context().0;
        unsafe {
            let (key, text) = (name.as_ptr().cast(), value.as_ptr().cast());
            let attribute = LLVMCreateStringAttribute(context, key, name.len() as u32, text, value.len() as u32);
            LLVMAddCallSiteAttribute(self.0, u32::MAX, attribute);
        }
    }
    /// True where a call has the string attribute.
    pub fn has_call_string_attribute(self, name: &str) -> bool {
        let key = name.as_ptr().cast();
        !unsafe { LLVMGetCallSiteStringAttribute(self.0, u32::MAX, key, name.len() as u32) }.is_null()
    }
    /// The value of a call's string attribute.
    pub fn call_string_attribute(self, name: &str) -> Option<String> {
        let key = name.as_ptr().cast();
        unsafe {
            let attribute = LLVMGetCallSiteStringAttribute(self.0, u32::MAX, key, name.len() as u32);
            if attribute.is_null() {
                return None;
            }
            let mut length = 0;
            let text = LLVMGetStringAttributeValue(attribute, &mut length);
            let bytes = std::slice::from_raw_parts(text.cast::<u8>(), length as usize);
            Some(String::from_utf8_lossy(bytes).into_owned())
        }
    }
    /// Removes a string attribute from a call.
    pub fn remove_call_string_attribute(self, name: &str) {
        unsafe { LLVMRemoveCallSiteStringAttribute(self.0, u32::MAX, name.as_ptr().cast(), name.len() as u32) }
    }

    /// True for operands that stand for metadata.
    pub fn is_metadata(self) -> bool {
        self.kind() == ValueKind::LLVMMetadataAsValueValueKind
    }
}

impl Global {
    /// The module it is in.
    pub fn module(self) -> Module {
        Module(unsafe { LLVMGetGlobalParent(self.0) })
    }
    /// True where there is no initial value.
    pub fn is_declaration(self) -> bool {
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }
}

impl Value {
    /// An integer constant as an address.
    pub fn int_to_pointer(self, ty: Type) -> Value {
        Value(unsafe { LLVMConstIntToPtr(self.0, ty.0) })
    }

    /// The bits of a constant as one of another type, which is as wide.
    pub fn bit_cast(self, ty: Type) -> Value {
        Value(unsafe { LLVMConstBitCast(self.0, ty.0) })
    }
}

impl Type {
    /// A function type with this result and, after the parameters, any others (C's `...`).
    pub fn variadic_function(self, params: &[Type]) -> Type {
        let mut params: Vec<LLVMTypeRef> = params.iter().map(|t| t.0).collect();
        Type(unsafe { LLVMFunctionType(self.0, params.as_mut_ptr(), params.len() as u32, 1) })
    }
    /// A vector constant of elements of this type.
    pub fn vector_value(self, elements: &[Value]) -> Value {
        let mut elements: Vec<_> = elements.iter().map(|v| v.0).collect();
        // SAFETY: the elements are live constants, and are copied.
        Value(unsafe { LLVMConstVector(elements.as_mut_ptr(), elements.len() as u32) })
    }

    /// A constant array of this type out of constants.
    pub fn array_value(self, elements: &[Value]) -> Value {
        let mut elements: Vec<LLVMValueRef> = elements.iter().map(|v| v.0).collect();
        Value(unsafe { LLVMConstArray2(self.element().0, elements.as_mut_ptr(), elements.len() as u64) })
    }
}

impl Function {
    /// Takes over the debug-information subprogram of another. Two functions of one module must not share one.
    pub fn share_subprogram(self, other: Function) {
        unsafe {
            llvm_sys::debuginfo::LLVMSetSubprogram(self.0, llvm_sys::debuginfo::LLVMGetSubprogram(other.0));
        }
    }
    /// Runs a pipeline of function passes, in LLVM's textual notation and without `function(..)` around it, on this function alone.
    ///
    /// # Errors
    /// LLVM's message where the text is no pipeline.
    pub fn run_passes(self, pipeline: &str) -> Result<(), String> {
        crate::target::run_passes_on(self, pipeline)
    }
    /// Reads the body of a function of a lazily parsed module.
    pub fn materialise(self) {
        // The one way that the C interface has: a pass manager reads a body before it runs its passes, here none.
        unsafe {
            let manager = LLVMCreateFunctionPassManagerForModule(LLVMGetGlobalParent(self.0));
            LLVMRunFunctionPassManager(manager, self.0);
            LLVMDisposePassManager(manager);
        }
    }
    /// A string attribute of the whole function.
    pub fn string_attribute(self, name: &str) -> Option<String> {
        self.string_attribute_at(crate::Place::Whole, name)
    }
}
