//! Building instructions.
use crate::value::raw_block;
use crate::{Block, Function, IntPredicate, Opcode, RealPredicate, Type, Value};
use llvm_sys::core::*;
use llvm_sys::prelude::*;

/// Appends instructions to a block, or inserts them before an instruction. Constants are folded.
pub struct Builder(LLVMBuilderRef);

impl Drop for Builder {
    fn drop(&mut self) {
        // SAFETY: created by us, disposed of once.
        unsafe { LLVMDisposeBuilder(self.0) }
    }
}

// SAFETY (whole file): live handles of one context; operand types are the caller's promise, checked by LLVM's verifier.
impl Builder {
    /// A builder at the end of a block.
    pub fn at_end(block: Block) -> Builder {
        let builder = Builder(unsafe { LLVMCreateBuilderInContext(block.value().context().0) });
        builder.position_at_end(block);
        builder
    }
    /// A builder before an instruction.
    pub fn before(instruction: Value) -> Builder {
        let builder = Builder(unsafe { LLVMCreateBuilderInContext(instruction.context().0) });
        builder.position_before(instruction);
        builder
    }
    /// A builder at the end of a block, in front of its terminator if there is one.
    pub fn before_terminator(block: Block) -> Builder {
        match block.terminator() {
            Some(terminator) => Builder::before(terminator),
            None => Builder::at_end(block),
        }
    }
    /// Moves to the end of a block.
    pub fn position_at_end(&self, block: Block) {
        unsafe { LLVMPositionBuilderAtEnd(self.0, raw_block(block)) }
    }
    /// Moves before an instruction.
    pub fn position_before(&self, instruction: Value) {
        unsafe { LLVMPositionBuilderBefore(self.0, instruction.0) }
    }
    /// The block that is being appended to.
    pub fn block(&self) -> Block {
        Block(unsafe { LLVMGetInsertBlock(self.0) })
    }
    /// Takes over the position of an instruction for what is built from now on (none: no position).
    pub fn set_location_of(&self, instruction: Option<Value>) {
        unsafe {
            let location =
                instruction.map_or(std::ptr::null_mut(), |i| llvm_sys::debuginfo::LLVMInstructionGetDebugLoc(i.0));
            LLVMSetCurrentDebugLocation2(self.0, location);
        }
    }
    fn v(&self, value: LLVMValueRef) -> Value {
        Value(value)
    }
    /// A binary operation.
    pub fn binary(&self, opcode: Opcode, a: Value, b: Value) -> Value {
        self.v(unsafe { LLVMBuildBinOp(self.0, opcode, a.0, b.0, c"".as_ptr()) })
    }
    /// `add`.
    pub fn add(&self, a: Value, b: Value) -> Value {
        self.binary(Opcode::LLVMAdd, a, b)
    }
    /// `add nuw nsw`: the sum does not overflow.
    pub fn add_exact(&self, a: Value, b: Value) -> Value {
        let sum = self.add(a, b);
        if sum.is_instruction() {
            unsafe {
                LLVMSetNUW(sum.0, 1);
                LLVMSetNSW(sum.0, 1);
            }
        }
        sum
    }
    /// `sub`.
    pub fn sub(&self, a: Value, b: Value) -> Value {
        self.binary(Opcode::LLVMSub, a, b)
    }
    /// `mul`.
    pub fn mul(&self, a: Value, b: Value) -> Value {
        self.binary(Opcode::LLVMMul, a, b)
    }
    /// `fadd`.
    pub fn fadd(&self, a: Value, b: Value) -> Value {
        self.binary(Opcode::LLVMFAdd, a, b)
    }
    /// `fsub`.
    pub fn fsub(&self, a: Value, b: Value) -> Value {
        self.binary(Opcode::LLVMFSub, a, b)
    }
    /// `fmul`.
    pub fn fmul(&self, a: Value, b: Value) -> Value {
        self.binary(Opcode::LLVMFMul, a, b)
    }
    /// `fdiv`.
    pub fn fdiv(&self, a: Value, b: Value) -> Value {
        self.binary(Opcode::LLVMFDiv, a, b)
    }
    /// `fneg`.
    pub fn fneg(&self, a: Value) -> Value {
        self.v(unsafe { LLVMBuildFNeg(self.0, a.0, c"".as_ptr()) })
    }
    /// `xor` with all ones.
    pub fn not(&self, a: Value) -> Value {
        self.v(unsafe { LLVMBuildNot(self.0, a.0, c"".as_ptr()) })
    }
    /// `icmp`.
    pub fn icmp(&self, predicate: IntPredicate, a: Value, b: Value) -> Value {
        self.v(unsafe { LLVMBuildICmp(self.0, predicate, a.0, b.0, c"".as_ptr()) })
    }
    /// `fcmp`.
    pub fn fcmp(&self, predicate: RealPredicate, a: Value, b: Value) -> Value {
        self.v(unsafe { LLVMBuildFCmp(self.0, predicate, a.0, b.0, c"".as_ptr()) })
    }
    /// `select`.
    pub fn select(&self, condition: Value, a: Value, b: Value) -> Value {
        self.v(unsafe { LLVMBuildSelect(self.0, condition.0, a.0, b.0, c"".as_ptr()) })
    }
    /// A cast.
    pub fn cast(&self, opcode: Opcode, value: Value, ty: Type) -> Value {
        self.v(unsafe { LLVMBuildCast(self.0, opcode, value.0, ty.0, c"".as_ptr()) })
    }
    /// An integer cast, zero-extending or truncating as needed.
    pub fn int_cast(&self, value: Value, ty: Type) -> Value {
        self.v(unsafe { LLVMBuildIntCast2(self.0, value.0, ty.0, 0, c"".as_ptr()) })
    }
    /// `alloca`.
    pub fn alloca(&self, ty: Type, name: &str) -> Value {
        let value = self.v(unsafe { LLVMBuildAlloca(self.0, ty.0, c"".as_ptr()) });
        value.set_name(name);
        value
    }
    /// `load`.
    pub fn load(&self, ty: Type, pointer: Value) -> Value {
        self.v(unsafe { LLVMBuildLoad2(self.0, ty.0, pointer.0, c"".as_ptr()) })
    }
    /// `store`.
    pub fn store(&self, value: Value, pointer: Value) -> Value {
        self.v(unsafe { LLVMBuildStore(self.0, value.0, pointer.0) })
    }
    /// `getelementptr inbounds`.
    pub fn gep(&self, ty: Type, pointer: Value, indices: &[Value]) -> Value {
        let mut indices: Vec<LLVMValueRef> = indices.iter().map(|v| v.0).collect();
        self.v(unsafe {
            LLVMBuildInBoundsGEP2(self.0, ty.0, pointer.0, indices.as_mut_ptr(), indices.len() as u32, c"".as_ptr())
        })
    }
    /// `getelementptr` of the same type and with the same promises as another.
    pub fn gep_like(&self, other: Value, pointer: Value, index: Value) -> Value {
        let mut index = index.0;
        self.v(unsafe {
            let promises = LLVMGEPGetNoWrapFlags(other.0);
            LLVMBuildGEPWithNoWrapFlags(self.0, other.gep_type().0, pointer.0, &mut index, 1, c"".as_ptr(), promises)
        })
    }
    /// A call of a function.
    pub fn call(&self, function: Function, arguments: &[Value]) -> Value {
        let call = self.call_value(function.ty(), function.value(), arguments);
        call.set_call_convention(function.convention());
        call
    }
    /// A call of a pointer.
    pub fn call_value(&self, ty: Type, callee: Value, arguments: &[Value]) -> Value {
        let mut arguments: Vec<LLVMValueRef> = arguments.iter().map(|v| v.0).collect();
        self.v(unsafe {
            LLVMBuildCall2(self.0, ty.0, callee.0, arguments.as_mut_ptr(), arguments.len() as u32, c"".as_ptr())
        })
    }
    /// An invoke of a function.
    pub fn invoke(&self, function: Function, arguments: &[Value], normal: Block, unwind: Block) -> Value {
        self.invoke_value(function.ty(), function.value(), arguments, normal, unwind)
    }
    /// An invoke of a pointer.
    pub fn invoke_value(&self, ty: Type, callee: Value, arguments: &[Value], normal: Block, unwind: Block) -> Value {
        let mut arguments: Vec<LLVMValueRef> = arguments.iter().map(|v| v.0).collect();
        self.v(unsafe {
            LLVMBuildInvoke2(
                self.0,
                ty.0,
                callee.0,
                arguments.as_mut_ptr(),
                arguments.len() as u32,
                raw_block(normal),
                raw_block(unwind),
                c"".as_ptr(),
            )
        })
    }
    /// A landing pad that only cleans up, for the personality function given.
    pub fn cleanup_pad(&self, personality: Value) -> Value {
        let context = personality.context();
        let ty = context.structure(&[context.ptr(), context.int(32)]);
        unsafe {
            let pad = LLVMBuildLandingPad(self.0, ty.0, personality.0, 0, c"".as_ptr());
            LLVMSetCleanup(pad, 1);
            self.v(pad)
        }
    }
    /// A landing pad that nothing gets past, for the personality function given: what comes there is not to go on.
    pub fn last_pad(&self, personality: Value) -> Value {
        let context = personality.context();
        let ty = context.structure(&[context.ptr(), context.int(32)]);
        unsafe {
            let pad = LLVMBuildLandingPad(self.0, ty.0, personality.0, 1, c"".as_ptr());
            // A filter that lets no exception through.
            LLVMAddClause(pad, context.ptr().array(0).zero().0);
            self.v(pad)
        }
    }
    /// `resume`.
    pub fn resume(&self, value: Value) -> Value {
        self.v(unsafe { LLVMBuildResume(self.0, value.0) })
    }
    /// `phi`, without incoming values yet.
    pub fn phi(&self, ty: Type) -> Value {
        self.v(unsafe { LLVMBuildPhi(self.0, ty.0, c"".as_ptr()) })
    }
    /// `br`.
    pub fn br(&self, target: Block) -> Value {
        self.v(unsafe { LLVMBuildBr(self.0, raw_block(target)) })
    }
    /// Conditional `br`.
    pub fn cond_br(&self, condition: Value, then: Block, otherwise: Block) -> Value {
        self.v(unsafe { LLVMBuildCondBr(self.0, condition.0, raw_block(then), raw_block(otherwise)) })
    }
    /// `switch`; cases are added with [`Value::add_case`].
    pub fn switch(&self, value: Value, default: Block, cases: u32) -> Value {
        self.v(unsafe { LLVMBuildSwitch(self.0, value.0, raw_block(default), cases) })
    }
    /// `ret void`.
    pub fn ret_void(&self) -> Value {
        self.v(unsafe { LLVMBuildRetVoid(self.0) })
    }
    /// `ret`.
    pub fn ret(&self, value: Value) -> Value {
        self.v(unsafe { LLVMBuildRet(self.0, value.0) })
    }
    /// `unreachable`.
    pub fn unreachable(&self) -> Value {
        self.v(unsafe { LLVMBuildUnreachable(self.0) })
    }
    /// `extractvalue`.
    pub fn extract_value(&self, aggregate: Value, index: u32) -> Value {
        self.v(unsafe { LLVMBuildExtractValue(self.0, aggregate.0, index, c"".as_ptr()) })
    }
    /// `insertvalue`.
    pub fn insert_value(&self, aggregate: Value, value: Value, index: u32) -> Value {
        self.v(unsafe { LLVMBuildInsertValue(self.0, aggregate.0, value.0, index, c"".as_ptr()) })
    }
    /// `extractelement`.
    pub fn extract_element(&self, vector: Value, index: Value) -> Value {
        self.v(unsafe { LLVMBuildExtractElement(self.0, vector.0, index.0, c"".as_ptr()) })
    }
    /// `insertelement`.
    pub fn insert_element(&self, vector: Value, value: Value, index: Value) -> Value {
        self.v(unsafe { LLVMBuildInsertElement(self.0, vector.0, value.0, index.0, c"".as_ptr()) })
    }
    /// `shufflevector`; the mask is a constant vector.
    pub fn shuffle(&self, a: Value, b: Value, mask: Value) -> Value {
        self.v(unsafe { LLVMBuildShuffleVector(self.0, a.0, b.0, mask.0, c"".as_ptr()) })
    }
    /// `memset`.
    pub fn memset(&self, pointer: Value, byte: Value, bytes: Value, align: u32) -> Value {
        self.v(unsafe { LLVMBuildMemSet(self.0, pointer.0, byte.0, bytes.0, align) })
    }
    /// `memcpy`.
    pub fn memcpy(&self, to: Value, from: Value, bytes: Value, align: u32) -> Value {
        self.v(unsafe { LLVMBuildMemCpy(self.0, to.0, align, from.0, align, bytes.0) })
    }
    /// `memmove`.
    pub fn memmove(&self, to: Value, from: Value, bytes: Value, align: u32) -> Value {
        self.v(unsafe { LLVMBuildMemMove(self.0, to.0, align, from.0, align, bytes.0) })
    }
    /// `freeze`.
    pub fn freeze(&self, value: Value) -> Value {
        self.v(unsafe { LLVMBuildFreeze(self.0, value.0, c"".as_ptr()) })
    }
    /// Inserts an instruction that is in no block.
    pub fn insert(&self, instruction: Value) {
        unsafe { LLVMInsertIntoBuilder(self.0, instruction.0) }
    }
}
