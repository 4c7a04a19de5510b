//! Which brackets are open where.

use super::panics::reopen;
use super::{are_in, begin_number, end_number, may_unwind, never_returns};
use crate::ir::loops::reverse_postorder;
use crate::llvm::{Block, Function, Opcode, Value};
use crate::load::import::returning_blocks;
use crate::maps::{HashMap, HashSet};

/// What stands between which brackets.
#[derive(Default)]
pub struct Brackets {
    /// Opening brackets, in the order of the function, with those that are open there.
    pub begins: Vec<(Value, Vec<Value>)>,
    /// Closing brackets, with those that they close; on different ways these may be different ones.
    pub ends: Vec<(Value, HashSet<Value>)>,
    /// Calls that may panic, with the brackets that are open there, from the outside in.
    pub calls: Vec<(Value, Vec<Value>)>,
}

impl Brackets {
    /// Those of a function. Where ways meet, what is open on all of them is open.
    pub fn of(function: Function) -> Brackets {
        let steps = Steps::of(function);
        if !steps.open_any() {
            let ends = steps.order.iter().flat_map(|block| &steps.of[block]);
            return Brackets { ends: ends.map(|end| (*end, HashSet::default())).collect(), ..Brackets::default() };
        }
        let at_start = steps.at_start();
        let mut found = Brackets::default();
        for block in &steps.order {
            let mut stack = at_start.get(block).cloned().unwrap_or_default();
            for instruction in block.instructions() {
                if begin_number(instruction).is_some() {
                    found.begins.push((instruction, stack.clone()));
                } else if may_unwind(instruction) {
                    found.calls.push((instruction, stack.clone()));
                }
                let mut closed = HashSet::default();
                step(instruction, &mut stack, &mut |_, begin| _ = closed.insert(begin));
                if end_number(instruction).is_some() {
                    found.ends.push((instruction, closed));
                }
            }
        }
        found
    }
}

/// The brackets of a function, block by block.
pub struct Steps {
    order: Vec<Block>,
    of: HashMap<Block, Vec<Value>>,
}

impl Steps {
    /// Those of a function.
    pub fn of(function: Function) -> Steps {
        let order = reverse_postorder(function);
        let of = order.iter().map(|block| (*block, steps_of(*block))).collect();
        Steps { order, of }
    }

    /// Looks at a block again.
    pub fn look(&mut self, block: Block) {
        self.of.insert(block, steps_of(block));
    }

    /// Whether there are brackets that open.
    pub fn open_any(&self) -> bool {
        self.of.values().flatten().any(|step| begin_number(*step).is_some())
    }

    /// What is open at the beginning of a block, from the outside in.
    fn at_start(&self) -> HashMap<Block, Vec<Value>> {
        let mut at_start: HashMap<Block, Vec<Value>> = HashMap::default();
        if let Some(entry) = self.order.first() {
            at_start.insert(*entry, Vec::new());
        }
        let mut changed = true;
        while changed {
            changed = false;
            for block in &self.order {
                let Some(stack) = at_start.get(block) else { continue };
                let stack = self.behind(*block, stack.clone());
                for next in block.successors() {
                    let merged = match at_start.get(&next) {
                        None => stack.clone(),
                        Some(known) => known.iter().zip(&stack).take_while(|(a, b)| a == b).map(|(a, _)| *a).collect(),
                    };
                    if at_start.get(&next) != Some(&merged) {
                        at_start.insert(next, merged);
                        changed = true;
                    }
                }
            }
        }
        at_start
    }

    /// What is open at the end of a block, from the outside in.
    pub fn at_end(&self) -> HashMap<Block, Vec<Value>> {
        self.at_start().into_iter().map(|(block, stack)| (block, self.behind(block, stack))).collect()
    }

    fn behind(&self, block: Block, mut stack: Vec<Value>) -> Vec<Value> {
        self.of[&block].iter().for_each(|i| step(*i, &mut stack, &mut |_, _| {}));
        stack
    }
}

/// The brackets of a block.
fn steps_of(block: Block) -> Vec<Value> {
    block.instructions().into_iter().filter(|i| begin_number(*i).is_some() || end_number(*i).is_some()).collect()
}

/// What an instruction does to the open brackets; calls `closed` with a closing bracket and what it closes.
fn step(instruction: Value, stack: &mut Vec<Value>, closed: &mut dyn FnMut(Value, Value)) {
    if instruction.opcode() != Opcode::LLVMCall {
        return;
    }
    if begin_number(instruction).is_some() {
        stack.push(instruction);
    } else if let Some(number) = end_number(instruction)
        && let Some(at) = stack.iter().rposition(|begin| begin_number(*begin) == Some(number))
    {
        closed(instruction, stack[at]);
        stack.truncate(at);
    }
}

/// Opens brackets anew where panics begin, and removes those that hold nothing else.
pub fn tidy(function: Function) {
    if !are_in(function.module()) {
        return;
    }
    reopen(function);
    let (found, returning) = (Brackets::of(function), returning_blocks(function));
    let mut gone: HashSet<Value> = HashSet::default();
    // What is open at a panic has been opened there.
    for (begin, _) in found.begins.iter().filter(|(begin, _)| returning.contains(&begin.block())) {
        let mut inside = found.calls.iter().filter(|(_, open)| open.contains(begin));
        if inside.all(|(call, _)| never_returns(*call)) {
            gone.insert(*begin);
        }
    }
    // One end of several brackets goes when all of these go, and a bracket around others when these go.
    loop {
        let before = gone.len();
        for (_, open) in &found.calls {
            let stays = open.iter().rposition(|begin| !gone.contains(begin)).unwrap_or(0);
            open[..stays].iter().for_each(|begin| _ = gone.remove(begin));
        }
        for (_, closed) in &found.ends {
            if closed.iter().any(|begin| !gone.contains(begin)) {
                closed.iter().for_each(|begin| _ = gone.remove(begin));
            }
        }
        if gone.len() == before {
            break;
        }
    }
    for (call, open) in &found.calls {
        for begin in open.iter().filter(|begin| gone.contains(begin)) {
            let copy = begin.clone_instruction();
            crate::llvm::Builder::before(*call).insert(copy);
        }
    }
    for (end, closed) in found.ends {
        if closed.iter().all(|begin| gone.contains(begin)) {
            end.erase();
        }
    }
    gone.into_iter().for_each(Value::erase);
}
