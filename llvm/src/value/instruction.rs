//! What only instructions have.

use super::{Block, Value, some};
use crate::{IntPredicate, Opcode, Ordering, RealPredicate, Type};
use llvm_sys::core::*;

// SAFETY: as in `value`.
impl Value {
    /// Takes it out of its block, without deleting it.
    pub fn detach(self) {
        unsafe { LLVMInstructionRemoveFromParent(self.0) }
    }
    /// Whether a landing pad does nothing but clean up.
    pub fn is_cleanup(self) -> bool {
        unsafe { LLVMIsCleanup(self.0) != 0 && LLVMGetNumClauses(self.0) == 0 }
    }
    /// Opcode of an instruction.
    pub fn opcode(self) -> Opcode {
        unsafe { LLVMGetInstructionOpcode(self.0) }
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
    /// Whether a `getelementptr` promises that its offset, as a number without sign, goes forwards.
    pub fn goes_forwards(self) -> bool {
        unsafe { LLVMGEPGetNoWrapFlags(self.0) & llvm_sys::LLVMGEPFlagNUW != 0 }
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
    /// Whether a load or store is volatile.
    pub fn is_volatile(self) -> bool {
        unsafe { LLVMGetVolatile(self.0) != 0 }
    }
    /// Whether a load or store is neither volatile nor atomic.
    pub fn is_plain(self) -> bool {
        !self.is_volatile() && !self.is_atomic()
    }
    /// Makes a load or store one that no optimiser touches, or an ordinary one.
    pub fn set_volatile(self, is_volatile: bool) {
        unsafe { LLVMSetVolatile(self.0, i32::from(is_volatile)) }
    }
    /// Whether a load or store is atomic.
    pub fn is_atomic(self) -> bool {
        unsafe { LLVMIsAtomic(self.0) != 0 }
    }
    /// The ordering of a load or store: that of one that is not atomic, or of one that is.
    pub fn ordering(self) -> Ordering {
        unsafe { LLVMGetOrdering(self.0) }
    }
    /// Sets the ordering of a load or store.
    pub fn set_ordering(self, ordering: Ordering) {
        unsafe { LLVMSetOrdering(self.0, ordering) }
    }
    /// Metadata of a kind on an instruction.
    pub fn metadata(self, kind: u32) -> Option<Value> {
        some(unsafe { LLVMGetMetadata(self.0, kind) })
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
