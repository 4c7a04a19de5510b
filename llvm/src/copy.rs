//! Copies of instructions and of whole function bodies, across modules of one context.
use crate::{Block, Function, Value};
use llvm_sys::core::*;
use std::collections::HashMap;

/// What becomes of the values of the original in the copy.
#[derive(Default, Clone, Debug)]
pub struct CopyMap {
    /// Values: parameters, instructions; globals and functions where they change.
    pub values: HashMap<Value, Value>,
    /// Blocks.
    pub blocks: HashMap<Block, Block>,
}

impl CopyMap {
    /// The copy of a value; what is not in the map stands for itself.
    pub fn value(&self, value: Value) -> Value {
        self.values.get(&value).copied().unwrap_or(value)
    }
}

/// Copies an instruction to the end of a block, with operands and successors mapped as far as the map knows them. Phis keep
/// no incoming values: the caller adds them. The copy is entered into the map.
pub fn copy_instruction(
    original: Value,
    block: Block,
    map: &mut CopyMap,
    remap: &mut dyn FnMut(Value) -> Option<Value>,
) -> Value {
    let context = original.context();
    // SAFETY: live handles; the clone is inserted at once.
    unsafe {
        let builder = LLVMCreateBuilderInContext(context.0);
        LLVMPositionBuilderAtEnd(builder, crate::value::raw_block(block));
        let copy = if original.opcode() == crate::Opcode::LLVMPHI {
            let phi = Value(LLVMBuildPhi(builder, original.ty().0, c"".as_ptr()));
            phi.set_fast_math(original.fast_math());
            phi
        } else {
            let copy = original.clone_instruction();
            LLVMInsertIntoBuilder(builder, copy.0);
            for index in 0..copy.operand_count() {
                let operand = copy.operand(index);
                if let Some(target) = operand.as_block() {
                    if let Some(mapped) = map.blocks.get(&target) {
                        copy.set_operand(index, mapped.value());
                    }
                } else if let Some(mapped) = map.values.get(&operand).copied().or_else(|| remap(operand)) {
                    copy.set_operand(index, mapped);
                }
            }
            copy
        };
        LLVMDisposeBuilder(builder);
        map.values.insert(original, copy);
        copy
    }
}

/// Copies the body of `from` into `to`, which has none and the same parameters. `remap` says what becomes of operands that
/// are neither parameters nor instructions (constants, globals, functions); `None` keeps them. With `keep_locations` off,
/// positions are dropped (a body from another module must not name that module's debug information).
pub fn copy_body(
    from: Function,
    to: Function,
    keep_locations: bool,
    remap: &mut dyn FnMut(Value) -> Option<Value>,
) -> CopyMap {
    let mut map = CopyMap::default();
    for (old, new) in from.params().into_iter().zip(to.params()) {
        map.values.insert(old, new);
    }
    let blocks = from.blocks();
    for block in &blocks {
        map.blocks.insert(*block, to.append_block(&block.name()));
    }
    let mut copies = Vec::new();
    for block in &blocks {
        for instruction in block.instructions() {
            let target = map.blocks[block];
            let copy = copy_instruction(instruction, target, &mut map, remap);
            if !keep_locations {
                copy.clear_location();
            }
            if !copy.ty().is_void() {
                copy.set_name(&instruction.name());
            }
            copies.push((instruction, copy));
        }
    }
    // Operands that were defined later in layout order, and the phis' incoming values.
    for (original, copy) in copies {
        if original.opcode() == crate::Opcode::LLVMPHI {
            for (value, block) in original.incoming() {
                let value = map.values.get(&value).copied().or_else(|| remap(value)).unwrap_or(value);
                copy.add_incoming(value, map.blocks[&block]);
            }
            continue;
        }
        for index in 0..copy.operand_count() {
            let operand = original.operand(index);
            if operand.as_block().is_none()
                && let Some(mapped) = map.values.get(&operand)
            {
                copy.set_operand(index, *mapped);
            }
        }
    }
    map
}
