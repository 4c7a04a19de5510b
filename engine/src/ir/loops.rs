//! Natural loops of a function as LLVM has it now: dominators by iteration, a loop for each block that a back edge enters.

use crate::llvm::{Block, Function};
use crate::maps::{HashMap, HashSet};

/// A natural loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The block that dominates the others.
    pub header: Block,
    /// All blocks, the header first, in layout order.
    pub blocks: Vec<Block>,
    /// Blocks from which an edge leads back to the header.
    pub latches: Vec<Block>,
    /// Blocks outside to which an edge leads from inside.
    pub exits: Vec<Block>,
    /// Blocks outside from which an edge enters the header.
    pub entering: Vec<Block>,
}

/// Predecessors of each block, in layout order and once for each block.
pub fn predecessors(function: Function) -> HashMap<Block, Vec<Block>> {
    let mut all: HashMap<Block, Vec<Block>> = HashMap::default();
    for block in function.blocks() {
        all.entry(block).or_default();
        for next in block.successors() {
            let list = all.entry(next).or_default();
            if !list.contains(&block) {
                list.push(block);
            }
        }
    }
    all
}

/// Blocks that can be reached, in reverse postorder.
pub fn reverse_postorder(function: Function) -> Vec<Block> {
    let Some(entry) = function.blocks().first().copied() else { return Vec::new() };
    let mut order = Vec::new();
    let mut seen = HashSet::from_iter([entry]);
    let mut stack = vec![(entry, entry.successors(), 0)];
    while let Some((block, successors, next)) = stack.last_mut() {
        if let Some(child) = successors.get(*next).copied() {
            *next += 1;
            if seen.insert(child) {
                stack.push((child, child.successors(), 0));
            }
        } else {
            order.push(*block);
            stack.pop();
        }
    }
    order.reverse();
    order
}

/// The immediate dominator of each block that can be reached, but the entry (Cooper, Harvey and Kennedy's iteration).
pub fn dominators(function: Function) -> HashMap<Block, Block> {
    let order = reverse_postorder(function);
    let number: HashMap<Block, usize> = order.iter().enumerate().map(|(i, b)| (*b, i)).collect();
    let predecessors = predecessors(function);
    let mut idom: Vec<Option<usize>> = vec![None; order.len()];
    if let Some(first) = idom.first_mut() {
        *first = Some(0);
    }
    let mut changed = true;
    while changed {
        changed = false;
        for index in 1..order.len() {
            let mut new = None;
            for before in &predecessors[&order[index]] {
                let Some(before) = number.get(before).copied().filter(|b| idom[*b].is_some()) else { continue };
                new = Some(match new {
                    None => before,
                    Some(other) => meet(&idom, before, other),
                });
            }
            if new != idom[index] {
                idom[index] = new;
                changed = true;
            }
        }
    }
    (1..order.len()).filter_map(|i| Some((order[i], order[idom[i]?]))).collect()
}

fn meet(idom: &[Option<usize>], mut a: usize, mut b: usize) -> usize {
    while a != b {
        if a > b {
            a = idom[a].unwrap_or(0);
        } else {
            b = idom[b].unwrap_or(0);
        }
    }
    a
}

/// True where every way to `below` leads through `above`.
pub fn dominates(idom: &HashMap<Block, Block>, above: Block, mut below: Block) -> bool {
    loop {
        if above == below {
            return true;
        }
        match idom.get(&below) {
            Some(next) => below = *next,
            None => return false,
        }
    }
}

/// True where every cycle is entered at one block only, so that the natural loops are all the cycles.
pub fn is_reducible(function: Function) -> bool {
    let order = reverse_postorder(function);
    let idom = dominators(function);
    let number: HashMap<Block, usize> = order.iter().enumerate().map(|(i, b)| (*b, i)).collect();
    let backward = |from: &Block, to: &Block| number[to] <= number[from];
    order.iter().all(|from| from.successors().iter().all(|to| !backward(from, to) || dominates(&idom, *to, *from)))
}

/// The natural loops, outer ones before the loops inside them.
pub fn loops(function: Function) -> Vec<Loop> {
    let order = reverse_postorder(function);
    let idom = dominators(function);
    let predecessors = predecessors(function);
    let layout: HashMap<Block, usize> = function.blocks().into_iter().enumerate().map(|(i, b)| (b, i)).collect();
    let mut found = Vec::new();
    for header in &order {
        let (latches, entering): (Vec<Block>, Vec<Block>) = predecessors[header]
            .iter()
            .filter(|b| idom.contains_key(b) || order.first() == Some(b))
            .partition(|b| dominates(&idom, *header, **b));
        if latches.is_empty() {
            continue;
        }
        let mut inside = HashSet::from_iter([*header]);
        let mut work = latches.clone();
        while let Some(block) = work.pop() {
            if inside.insert(block) {
                work.extend(predecessors[&block].iter().copied().filter(|b| idom.contains_key(b)));
            }
        }
        let mut blocks: Vec<Block> = inside.iter().copied().collect();
        blocks.sort_by_key(|b| (b != header, layout[b]));
        let mut exits = Vec::new();
        for next in blocks.iter().flat_map(|b| b.successors()) {
            if !inside.contains(&next) && !exits.contains(&next) {
                exits.push(next);
            }
        }
        found.push(Loop { header: *header, blocks, latches, exits, entering });
    }
    found
}
