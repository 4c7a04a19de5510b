//! Choices within an arm of the same choice.
//!
//! `*option.as_ref().unwrap_or(&other)` is `select %c, @other, %option + (select %c, 1, 8)`: where the inner choice matters, it is known. Unless it is taken, the
//! pointer seems to lead to any number of bytes behind the option, and what lies there seems to be read as a float.

use crate::llvm::{Function, Opcode, Value};

/// How many instructions lie between a choice and one in an arm of it.
const DEEPEST: usize = 4;

/// Takes what is chosen by a condition in an arm of a choice by the same condition, in one function.
pub fn settle(function: Function) {
    let all = function.blocks().into_iter().flat_map(|b| b.instructions());
    let choices: Vec<Value> = all.filter(|i| i.opcode() == Opcode::LLVMSelect).collect();
    for choice in choices {
        for arm in [1, 2] {
            settle_in(choice, arm, choice, DEEPEST);
        }
    }
}

/// Takes arm `arm` of each choice by the condition of `choice` of which `user` is made and nothing else.
fn settle_in(choice: Value, arm: u32, user: Value, depth: usize) {
    let operands = if user == choice { arm..arm + 1 } else { 0..user.operands().len() as u32 };
    for index in operands {
        let mut operand = user.operand(index);
        while is_choice(operand) && operand.operand(0) == choice.operand(0) {
            operand = operand.operand(arm);
            user.set_operand(index, operand);
        }
        let is_step = operand.is_instruction()
            && !matches!(operand.opcode(), Opcode::LLVMPHI | Opcode::LLVMLoad | Opcode::LLVMCall)
            && operand.users().len() == 1;
        if is_step && depth > 0 {
            settle_in(choice, arm, operand, depth - 1);
        }
    }
}

fn is_choice(value: Value) -> bool {
    value.is_instruction() && value.opcode() == Opcode::LLVMSelect
}
