//! Basic blocks.

use super::{Block, Function, Value, some};
use llvm_sys::core::*;

// SAFETY: as in `value`.
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
    /// Moves it to the end of a function of the same module.
    pub fn move_into(self, function: Function) {
        unsafe {
            LLVMRemoveBasicBlockFromParent(self.0);
            LLVMAppendExistingBasicBlock(function.0, self.0);
        }
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
