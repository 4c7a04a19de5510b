//! One way back to each loop's header.
//!
//! A `continue` is a second edge back to the header. Where a variable is the same along one of those edges, LLVM's `loop-simplify` takes the
//! loop for two, one inside the other, neither of which has a count that is known before it runs: the reverse sweep would have to remember how
//! often each ran, and every index. Joined in one block before any pass over loops, they are one loop that counts.

use crate::ir::loops;
use crate::llvm::{Block, Builder, Function, Opcode, Value};

/// Leads all ways back to a header through one block.
pub fn join(function: Function) {
    for one in loops::loops(function) {
        let edges: Vec<(Block, usize)> = one
            .latches
            .iter()
            .flat_map(|latch| latch.successors().into_iter().enumerate().map(|(index, to)| (*latch, index, to)))
            .filter(|(_, _, to)| *to == one.header)
            .map(|(latch, index, _)| (latch, index))
            .collect();
        let only_jumps = |(latch, _): &(Block, usize)| {
            latch.terminator().is_some_and(|t| matches!(t.opcode(), Opcode::LLVMBr | Opcode::LLVMSwitch))
        };
        if edges.len() > 1 && edges.iter().all(only_jumps) {
            lead_through_one(one.header, &edges);
        }
    }
}

/// Leads edges into a block, each given by where it comes from and its number there, through a new block.
pub fn lead_through_one(header: Block, edges: &[(Block, usize)]) -> Block {
    let latch = header.function().append_block("continue");
    let phis: Vec<Value> = header.instructions().into_iter().take_while(|i| i.opcode() == Opcode::LLVMPHI).collect();
    for old in phis {
        let (joined, new) = (Builder::at_end(latch).phi(old.ty()), Builder::before(old).phi(old.ty()));
        let back = |from: Block| edges.iter().any(|(block, _)| *block == from);
        for (value, from) in old.incoming() {
            if back(from) { joined.add_incoming(value, from) } else { new.add_incoming(value, from) }
        }
        new.add_incoming(joined, latch);
        let name = old.name();
        old.replace_all_uses_with(new);
        old.erase();
        new.set_name(&name);
    }
    Builder::at_end(latch).br(header);
    for (block, index) in edges {
        if let Some(jump) = block.terminator() {
            jump.set_successor(*index as u32, latch);
        }
    }
    latch
}
