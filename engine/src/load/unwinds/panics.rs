//! Brackets where a panic begins.
//!
//! Blocks out of which no way leads to a return are opened anew: what was open in front of them is closed there and opened again. A loop that LLVM writes out, or of
//! which it takes a turn out, leads to one panic from many turns, each with brackets of its own; and what stands in brackets for such a panic alone need not stand
//! in them anywhere else.

use super::brackets::Steps;
use super::{begin_number, close, end_number};
use crate::ir::loops::reverse_postorder;
use crate::llvm::{Block, Builder, Function, Opcode, Value};
use crate::load::import::returning_blocks;
use crate::maps::HashMap;

/// Opens them anew in a function.
pub fn reopen(function: Function) {
    let returning = returning_blocks(function);
    let order = reverse_postorder(function);
    let mut before: HashMap<Block, Vec<Block>> = HashMap::default();
    for block in &order {
        block.successors().into_iter().for_each(|next| before.entry(next).or_default().push(*block));
    }
    let is_new = |block: &&Block| {
        let is_reopened = behind_phis(**block).is_some_and(|i| end_number(i).is_some());
        !returning.contains(block)
            && !is_reopened
            && before.get(block).is_some_and(|b| b.iter().any(|b| returning.contains(b)))
    };
    let mut steps = Steps::of(function);
    if !steps.open_any() {
        return;
    }
    let mut known = None;
    for block in order.iter().filter(is_new) {
        let from = &before[block];
        let found = known.take().unwrap_or_else(|| steps.at_end());
        if let Some(open) = joined(*block, from, &found) {
            let Some(first) = behind_phis(*block) else { continue };
            let builder = Builder::before(first);
            for begin in open.iter().rev() {
                if let Some(number) = begin_number(*begin) {
                    close(&builder, function.module(), number);
                }
            }
            open.iter().for_each(|begin| builder.insert(*begin));
            steps.look(*block);
        }
        // What other such blocks lead to them is to be seen in what has been opened there.
        let is_seen = |next: &Block| before[next].iter().any(|b| returning.contains(b));
        known = (!block.successors().iter().any(is_seen)).then_some(found);
    }
}

/// What is open at the beginning of a block, as calls that are not inserted yet. None where that differs by the way that leads there.
fn joined(block: Block, from: &[Block], at_end: &HashMap<Block, Vec<Value>>) -> Option<Vec<Value>> {
    let none = Vec::new();
    let stacks: Vec<&Vec<Value>> = from.iter().map(|b| at_end.get(b).unwrap_or(&none)).collect();
    let (first, rest) = stacks.split_first()?;
    let name = |begin: &Value| begin.called_function().map(|f| f.name());
    let agree = |other: &&Vec<Value>| {
        other.len() == first.len() && other.iter().zip(first.iter()).all(|(a, b)| name(a) == name(b))
    };
    if first.is_empty() || !rest.iter().all(agree) {
        return None;
    }
    let mut opened = Vec::new();
    for (at, begin) in first.iter().enumerate() {
        let copy = begin.clone_instruction();
        for index in 0..begin.arguments().len() as u32 {
            let values: Vec<Value> = stacks.iter().map(|stack| stack[at].operand(index)).collect();
            if values.iter().all(|value| *value == values[0]) {
                continue;
            }
            let phi = Builder::before(block.first()?).phi(values[0].ty());
            from.iter().zip(values).for_each(|(from, value)| phi.add_incoming(value, *from));
            copy.set_operand(index, phi);
        }
        opened.push(copy);
    }
    Some(opened)
}

fn behind_phis(block: Block) -> Option<Value> {
    block.instructions().into_iter().find(|i| i.opcode() != Opcode::LLVMPHI)
}
