//! Values: constants, arguments, instructions, globals, functions; and blocks.
use crate::{Context, IntPredicate, Linkage, Module, Opcode, RealPredicate, Type, ValueKind, Visibility};
use crate::{borrowed_text, c_string, take_message};
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

// SAFETY (whole file): handles are live, since the engine does not use a thing after erasing it; queries that LLVM
// defines for one kind of value only are guarded by that kind.
impl Value {
    /// The raw handle, for builders of this crate.
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
    /// Opcode of an instruction.
    pub fn opcode(self) -> Opcode {
        unsafe { LLVMGetInstructionOpcode(self.0) }
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
    /// The block of an instruction.
    pub fn block(self) -> Block {
        Block(unsafe { LLVMGetInstructionParent(self.0) })
    }
    /// The instruction after this one.
    pub fn next(self) -> Option<Value> {
        some(unsafe { LLVMGetNextInstruction(self.0) })
    }
    /// Removes and deletes an instruction, which must have no uses left.
    pub fn erase(self) {
        unsafe { LLVMInstructionEraseFromParent(self.0) }
    }
    /// A copy of an instruction, in no block yet, with the same operands.
    pub fn clone_instruction(self) -> Value {
        Value(unsafe { LLVMInstructionClone(self.0) })
    }
    /// True for the last instruction of a block.
    pub fn is_terminator(self) -> bool {
        self.is_instruction() && !unsafe { LLVMIsATerminatorInst(self.0) }.is_null()
    }
    /// Blocks that a terminator may go to, in order.
    pub fn successors(self) -> Vec<Block> {
        (0..unsafe { LLVMGetNumSuccessors(self.0) }).map(|i| Block(unsafe { LLVMGetSuccessor(self.0, i) })).collect()
    }
    /// Replaces a successor.
    pub fn set_successor(self, index: u32, block: Block) {
        unsafe { LLVMSetSuccessor(self.0, index, block.0) }
    }
    /// Whether an integer operation promises not to overflow as one without sign.
    pub fn is_nuw(self) -> bool {
        unsafe { LLVMGetNUW(self.0) != 0 }
    }
    /// Whether a `br` has a condition.
    pub fn is_conditional(self) -> bool {
        unsafe { LLVMIsConditional(self.0) != 0 }
    }
    /// The constant of a switch's case; `index` counts its successors, 0 being the default.
    pub fn case_value(self, index: u32) -> Value {
        Value(unsafe { LLVMGetSwitchCaseValue(self.0, index) })
    }
    /// Adds a case to a switch.
    pub fn add_case(self, value: Value, block: Block) {
        unsafe { LLVMAddCase(self.0, value.0, block.0) }
    }
    /// Incoming values and blocks of a phi.
    pub fn incoming(self) -> Vec<(Value, Block)> {
        (0..unsafe { LLVMCountIncoming(self.0) })
            .map(|i| unsafe { (Value(LLVMGetIncomingValue(self.0, i)), Block(LLVMGetIncomingBlock(self.0, i))) })
            .collect()
    }
    /// Adds an incoming value to a phi.
    pub fn add_incoming(self, value: Value, block: Block) {
        let (mut value, mut block) = (value.0, block.0);
        unsafe { LLVMAddIncoming(self.0, &mut value, &mut block, 1) }
    }
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
    /// Whether a shift to the right or a division is marked as leaving no rest.
    pub fn is_exact(self) -> bool {
        use Opcode::*;
        self.is_instruction()
            && matches!(self.opcode(), LLVMLShr | LLVMAShr | LLVMUDiv | LLVMSDiv)
            && unsafe { LLVMGetExact(self.0) != 0 }
    }
    /// Predicate of an `icmp`.
    pub fn int_predicate(self) -> IntPredicate {
        unsafe { LLVMGetICmpPredicate(self.0) }
    }
    /// Predicate of an `fcmp`.
    pub fn real_predicate(self) -> RealPredicate {
        unsafe { LLVMGetFCmpPredicate(self.0) }
    }
    /// Element type that a `getelementptr` starts from.
    pub fn gep_type(self) -> Type {
        Type(unsafe { LLVMGetGEPSourceElementType(self.0) })
    }
    /// Type that an `alloca` allocates.
    pub fn allocated_type(self) -> Type {
        Type(unsafe { LLVMGetAllocatedType(self.0) })
    }
    /// Indices of `extractvalue` and `insertvalue`.
    pub fn indices(self) -> Vec<u32> {
        let count = unsafe { LLVMGetNumIndices(self.0) } as usize;
        let start = unsafe { LLVMGetIndices(self.0) };
        if count == 0 { Vec::new() } else { unsafe { std::slice::from_raw_parts(start, count) }.to_vec() }
    }
    /// Mask of a `shufflevector` (-1: undefined lane).
    pub fn shuffle_mask(self) -> Vec<i32> {
        (0..unsafe { LLVMGetNumMaskElements(self.0) }).map(|i| unsafe { LLVMGetMaskValue(self.0, i) }).collect()
    }
    /// Alignment of a load, store, alloca or global.
    pub fn alignment(self) -> u32 {
        unsafe { LLVMGetAlignment(self.0) }
    }
    /// Sets the alignment of a load, store, alloca or global.
    pub fn set_alignment(self, bytes: u32) {
        unsafe { LLVMSetAlignment(self.0, bytes) }
    }
    /// Whether a load or store is volatile.
    pub fn is_volatile(self) -> bool {
        unsafe { LLVMGetVolatile(self.0) != 0 }
    }
    /// Whether a load or store is atomic.
    pub fn is_atomic(self) -> bool {
        unsafe { LLVMIsAtomic(self.0) != 0 }
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
    /// Metadata of a kind on an instruction.
    pub fn metadata(self, kind: u32) -> Option<Value> {
        some(unsafe { LLVMGetMetadata(self.0, kind) })
    }
    /// The operands of a metadata node that are there.
    pub fn metadata_operands(self) -> Vec<Value> {
        unsafe {
            let mut operands = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(self.0) as usize];
            LLVMGetMDNodeOperands(self.0, operands.as_mut_ptr());
            operands.into_iter().filter_map(some).collect()
        }
    }
    /// Sets or removes metadata of a kind on an instruction.
    pub fn set_metadata(self, kind: u32, node: Option<Value>) {
        unsafe { LLVMSetMetadata(self.0, kind, node.map_or(std::ptr::null_mut(), |n| n.0)) }
    }
    /// Bits of the fast-math flags of a float instruction.
    pub fn fast_math(self) -> u32 {
        if unsafe { LLVMCanValueUseFastMathFlags(self.0) } != 0 { unsafe { LLVMGetFastMathFlags(self.0) } } else { 0 }
    }
    /// Sets the bits of the fast-math flags of a float instruction (nothing for any other).
    pub fn set_fast_math(self, flags: u32) {
        if self.is_instruction() && unsafe { LLVMCanValueUseFastMathFlags(self.0) } != 0 {
            unsafe { LLVMSetFastMathFlags(self.0, flags) }
        }
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
impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}", self.name())
    }
}
impl fmt::Debug for Global {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}", Value(self.0).name())
    }
}

impl From<Function> for Value {
    fn from(function: Function) -> Value {
        Value(function.0)
    }
}
impl From<Global> for Value {
    fn from(global: Global) -> Value {
        Value(global.0)
    }
}

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

impl Block {
    /// Name, possibly empty.
    pub fn name(self) -> String {
        self.value().name()
    }
    /// As an operand.
    pub fn value(self) -> Value {
        Value(unsafe { LLVMBasicBlockAsValue(self.0) })
    }
    /// The function it is in.
    pub fn function(self) -> Function {
        Function(unsafe { LLVMGetBasicBlockParent(self.0) })
    }
    /// Instructions in order.
    pub fn instructions(self) -> Vec<Value> {
        let mut all = Vec::new();
        let mut next = some(unsafe { LLVMGetFirstInstruction(self.0) });
        while let Some(instruction) = next {
            all.push(instruction);
            next = instruction.next();
        }
        all
    }
    /// The first instruction.
    pub fn first(self) -> Option<Value> {
        some(unsafe { LLVMGetFirstInstruction(self.0) })
    }
    /// The last instruction, where it ends the block.
    pub fn terminator(self) -> Option<Value> {
        some(unsafe { LLVMGetBasicBlockTerminator(self.0) })
    }
    /// Blocks that the terminator may go to.
    pub fn successors(self) -> Vec<Block> {
        self.terminator().map(Value::successors).unwrap_or_default()
    }
    /// Deletes it with its instructions.
    pub fn erase(self) {
        unsafe { LLVMDeleteBasicBlock(self.0) }
    }
    /// Moves it behind another.
    pub fn move_after(self, other: Block) {
        unsafe { LLVMMoveBasicBlockAfter(self.0, other.0) }
    }
    /// Moves it before another.
    pub fn move_before(self, other: Block) {
        unsafe { LLVMMoveBasicBlockBefore(self.0, other.0) }
    }
}

impl Value {
    /// Number of operand bundles of a call.
    pub fn bundle_count(self) -> u32 {
        unsafe { LLVMGetNumOperandBundles(self.0) }
    }
    /// True where the handle is the same thing as another.
    pub fn same(self, other: Value) -> bool {
        self.0 == other.0
    }
    /// A number that differs for different values, for ordering within one run only.
    pub fn address(self) -> usize {
        self.0 as usize
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

/// Not part of the interface: raw access for the other files of this crate.
pub(crate) fn raw_block(block: Block) -> LLVMBasicBlockRef {
    block.0
}
