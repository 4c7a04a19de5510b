//! Swaps of rows of bytes that are swaps of records.

use crate::llvm::{Block, Builder, Function, IntPredicate, Linkage, Opcode, Value};

/// A function that swaps records in the place of a call that swaps rows of bytes, and leaves to the callee what is no whole number of records.
pub struct Swapping {
    /// It, with the two places and a number of bytes as parameters.
    pub function: Function,
    /// Stands where whole records are to be swapped.
    pub builder: Builder,
    exit: Block,
}

impl Swapping {
    /// Begins the function, for records of a size, and has it be called.
    pub fn instead_of(call: Value, record: u64) -> Swapping {
        let module = call.block().function().module();
        let context = module.context();
        let (pointer, word) = (context.ptr(), call.operand(2).ty());
        let function = module.add_function("ct.swap", context.void().function(&[pointer, pointer, word]));
        function.set_linkage(Linkage::LLVMInternalLinkage);
        let [entry, pieces, whole, exit] =
            ["entry", "pieces", "whole", "swapped"].map(|name| function.append_block(name));
        let params = function.params();
        let builder = Builder::at_end(entry);
        let rest = builder.binary(Opcode::LLVMURem, params[2], word.int_value(record));
        builder.cond_br(builder.icmp(IntPredicate::LLVMIntEQ, rest, word.zero()), whole, pieces);
        builder.position_at_end(pieces);
        if let Some(callee) = call.called_function() {
            builder.call(callee, &params);
        }
        builder.br(exit);
        builder.position_at_end(whole);
        call.set_callee(function.value());
        Swapping { function, builder, exit }
    }

    /// Ends it where the builder stands.
    pub fn end(self) {
        self.builder.br(self.exit);
        self.builder.position_at_end(self.exit);
        self.builder.ret_void();
    }
}
