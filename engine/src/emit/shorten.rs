//! Adjoints are kept only while they may be other than zero.
//!
//! The variable of an adjoint is zero until something is added to it, and again from where it has been handed on. Kept all the time it would be a phi in nearly every
//! block where ways meet, and in a large function nearly all that LLVM has to look at. So what is read where a variable is zero for certain becomes a zero, and one is
//! stored only where ways lead on to where it may be something else and is read.

use crate::ir::loops::reverse_postorder;
use crate::llvm::{Block, Builder, Function, Opcode, Value};
use crate::maps::HashMap;

/// A set of variables, by number.
type Set = Vec<u64>;

/// Shortens the lives of variables that are zero when the function is entered.
pub fn run(function: Function, mut variables: Vec<Value>) {
    variables.retain(|variable| is_whole(*variable));
    if variables.is_empty() {
        return;
    }
    let order = reverse_postorder(function);
    let blocks = Blocks::of(&order, &variables);
    let filled = blocks.filled();
    let live = blocks.live(&filled);
    for (index, block) in order.iter().enumerate() {
        blocks.rewrite(index, *block, &variables, (&filled, &live));
    }
}

/// Whether a variable is read and written as a whole alone.
fn is_whole(variable: Value) -> bool {
    let ty = variable.allocated_type();
    variable.users().iter().all(|user| match user.opcode() {
        Opcode::LLVMLoad => user.ty() == ty,
        Opcode::LLVMStore => user.operand(1) == variable && user.operand(0).ty() == ty,
        _ => false,
    })
}

/// An access of a variable.
#[derive(Clone, Copy)]
struct Access {
    instruction: Value,
    variable: usize,
}

impl Access {
    fn is_load(self) -> bool {
        self.instruction.opcode() == Opcode::LLVMLoad
    }

    fn stores_zero(self) -> bool {
        !self.is_load() && self.instruction.operand(0).is_null()
    }
}

/// What each block does with the variables, in reverse postorder.
struct Blocks {
    accesses: Vec<Vec<Access>>,
    before: Vec<Vec<usize>>,
    after: Vec<Vec<usize>>,
    words: usize,
}

impl Blocks {
    fn of(order: &[Block], variables: &[Value]) -> Blocks {
        let numbers: HashMap<Value, usize> = variables.iter().enumerate().map(|(number, v)| (*v, number)).collect();
        let places: HashMap<Block, usize> = order.iter().enumerate().map(|(index, block)| (*block, index)).collect();
        let access = |instruction: Value| {
            let address = match instruction.opcode() {
                Opcode::LLVMLoad => instruction.operand(0),
                Opcode::LLVMStore => instruction.operand(1),
                _ => return None,
            };
            numbers.get(&address).map(|variable| Access { instruction, variable: *variable })
        };
        let accesses = order.iter().map(|b| b.instructions().into_iter().filter_map(access).collect()).collect();
        let after: Vec<Vec<usize>> =
            order.iter().map(|b| b.successors().iter().map(|next| places[next]).collect()).collect();
        let mut before = vec![Vec::new(); order.len()];
        for (index, all) in after.iter().enumerate() {
            all.iter().for_each(|next| before[*next].push(index));
        }
        Blocks { accesses, before, after, words: variables.len().div_ceil(64) }
    }

    fn none(&self) -> Set {
        vec![0; self.words]
    }

    /// What is left of a set behind a block of variables that may be other than zero.
    fn leave(&self, index: usize, set: &mut Set) {
        for access in self.accesses[index].iter().filter(|access| !access.is_load()) {
            put(set, access.variable, !access.stores_zero());
        }
    }

    /// The variables that may be other than zero where a block begins, and where it ends.
    fn filled(&self) -> Vec<(Set, Set)> {
        let left = |index| {
            let mut set = self.none();
            self.leave(index, &mut set);
            (self.none(), set)
        };
        let mut all: Vec<(Set, Set)> = (0..self.accesses.len()).map(left).collect();
        let stores: Vec<Set> = (0..all.len()).map(|index| self.stored(index)).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for index in 0..all.len() {
                let mut begin = self.none();
                for before in &self.before[index] {
                    unite(&mut begin, &all[*before].1);
                }
                if begin != all[index].0 {
                    changed = true;
                    let passed = begin.iter().zip(&stores[index]).map(|(set, stored)| set & !stored).collect::<Set>();
                    unite(&mut all[index].1, &passed);
                    all[index].0 = begin;
                }
            }
        }
        all
    }

    /// The variables that a block stores to.
    fn stored(&self, index: usize) -> Set {
        let mut set = self.none();
        let stores = self.accesses[index].iter().filter(|access| !access.is_load());
        stores.for_each(|access| put(&mut set, access.variable, true));
        set
    }

    /// The variables that are read later, where each block begins.
    fn live(&self, filled: &[(Set, Set)]) -> Vec<Set> {
        let mut all: Vec<Set> = (0..self.accesses.len())
            .map(|index| {
                let (mut read, mut stored) = (self.none(), self.none());
                for access in &self.accesses[index] {
                    match access.is_load() {
                        false => put(&mut stored, access.variable, true),
                        true if !has(&stored, access.variable) && has(&filled[index].0, access.variable) => {
                            put(&mut read, access.variable, true);
                        }
                        true => {}
                    }
                }
                read
            })
            .collect();
        let stores: Vec<Set> = (0..all.len()).map(|index| self.stored(index)).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for index in (0..all.len()).rev() {
                let mut end = self.none();
                for next in &self.after[index] {
                    unite(&mut end, &all[*next]);
                }
                end.iter_mut().zip(&stores[index]).for_each(|(set, stored)| *set &= !stored);
                changed |= unite(&mut all[index], &end);
            }
        }
        all
    }

    /// Reads zeros where there are some, and stores them only where ways lead on to where there may be something else.
    fn rewrite(&self, index: usize, block: Block, variables: &[Value], (filled, live): (&[(Set, Set)], &[Set])) {
        let mut now = filled[index].0.clone();
        for access in &self.accesses[index] {
            let zero = variables[access.variable].allocated_type().zero();
            match access.is_load() {
                true if has(&now, access.variable) => {}
                true => {
                    access.instruction.replace_all_uses_with(zero);
                    access.instruction.erase();
                }
                false => {
                    put(&mut now, access.variable, !access.stores_zero());
                    if access.stores_zero() {
                        access.instruction.erase();
                    }
                }
            }
        }
        let mut needed = self.none();
        for next in &self.after[index] {
            let begins = filled[*next].0.iter().zip(&live[*next]).map(|(filled, live)| filled & live);
            unite(&mut needed, &begins.collect());
        }
        needed.iter_mut().zip(&filled[index].1).for_each(|(set, filled)| *set &= !filled);
        let builder = Builder::before_terminator(block);
        for (number, variable) in variables.iter().enumerate().filter(|(number, _)| has(&needed, *number)) {
            debug_assert!(!has(&now, number));
            builder.store(variable.allocated_type().zero(), *variable);
        }
    }
}

fn has(set: &Set, variable: usize) -> bool {
    set[variable / 64] & (1 << (variable % 64)) != 0
}

fn put(set: &mut Set, variable: usize, is_in: bool) {
    let bit = 1 << (variable % 64);
    match is_in {
        true => set[variable / 64] |= bit,
        false => set[variable / 64] &= !bit,
    }
}

/// Answers whether anything is new.
fn unite(set: &mut Set, more: &Set) -> bool {
    let mut is_news = false;
    for (set, more) in set.iter_mut().zip(more) {
        is_news |= more & !*set != 0;
        *set |= more;
    }
    is_news
}
