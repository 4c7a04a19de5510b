//! Dominators and natural loops.
//!
//! Blocks are in reverse post-order, so the iterative algorithm of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance
//! Algorithm", 2001) settles in two or three rounds. The clean-up has brought every loop into simplified form: one preheader,
//! one latch, exits of its own; a retreating edge whose head does not dominate its tail is refused.
use crate::ir::{BlockId, Func};
use std::fmt;

/// A loop of a [`Cfg`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LoopId(pub u32);

/// A natural loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Its header.
    pub header: BlockId,
    /// The one block that goes back to the header.
    pub latch: BlockId,
    /// The one block outside that goes to the header.
    pub preheader: BlockId,
    /// All its blocks, inner loops' included, in reverse post-order.
    pub blocks: Vec<BlockId>,
    /// The loop around it.
    pub parent: Option<LoopId>,
    /// 1 for an outermost loop.
    pub depth: u32,
}

/// Control flow facts.
#[derive(Clone, Debug)]
pub struct Cfg {
    /// Immediate dominators; the entry's is itself.
    pub idom: Vec<BlockId>,
    /// Loops, outer before inner.
    pub loops: Vec<Loop>,
    /// The innermost loop of each block.
    pub innermost: Vec<Option<LoopId>>,
}

/// Analyses a function.
///
/// # Errors
/// The head of an edge that makes the flow irreducible, or of a loop not in simplified form.
pub fn analyze(func: &Func) -> Result<Cfg, BlockId> {
    let idom = dominators(func);
    let dominates = |a: BlockId, mut b: BlockId| loop {
        if a == b {
            return true;
        }
        let up = idom[b.0 as usize];
        if up == b {
            return false;
        }
        b = up;
    };
    let mut loops = Vec::new();
    for header in func.block_ids() {
        let back: Vec<BlockId> = func.preds(header).iter().copied().filter(|p| *p >= header).collect();
        if back.is_empty() {
            continue;
        }
        let entering: Vec<BlockId> = func.preds(header).iter().copied().filter(|p| *p < header).collect();
        let ([latch], [preheader]) = (&back[..], &entering[..]) else { return Err(header) };
        if !dominates(header, *latch) {
            return Err(header);
        }
        let mut inside = vec![false; func.blocks.len()];
        inside[header.0 as usize] = true;
        let mut work = vec![*latch];
        while let Some(block) = work.pop() {
            if !std::mem::replace(&mut inside[block.0 as usize], true) {
                work.extend(func.preds(block));
            }
        }
        let blocks = func.block_ids().filter(|b| inside[b.0 as usize]).collect();
        loops.push(Loop { header, latch: *latch, preheader: *preheader, blocks, parent: None, depth: 1 });
    }
    // Headers come in reverse post-order, so an outer loop stands before the loops inside it.
    let mut innermost: Vec<Option<LoopId>> = vec![None; func.blocks.len()];
    for number in 0..loops.len() {
        let header = loops[number].header;
        let parent = innermost[header.0 as usize];
        loops[number].parent = parent;
        loops[number].depth = parent.map_or(1, |p| loops[p.0 as usize].depth + 1);
        for block in &loops[number].blocks {
            innermost[block.0 as usize] = Some(LoopId(number as u32));
        }
    }
    Ok(Cfg { idom, loops, innermost })
}

fn dominators(func: &Func) -> Vec<BlockId> {
    let entry = BlockId(0);
    let mut idom: Vec<Option<BlockId>> = vec![None; func.blocks.len()];
    idom[0] = Some(entry);
    let mut changed = true;
    while changed {
        changed = false;
        for block in func.block_ids().skip(1) {
            let mut new: Option<BlockId> = None;
            for pred in func.preds(block) {
                if idom[pred.0 as usize].is_none() {
                    continue;
                }
                new = Some(match new {
                    None => *pred,
                    Some(other) => intersect(&idom, *pred, other),
                });
            }
            if new != idom[block.0 as usize] {
                idom[block.0 as usize] = new;
                changed = true;
            }
        }
    }
    idom.into_iter().map(|d| d.unwrap_or(entry)).collect()
}

fn intersect(idom: &[Option<BlockId>], mut a: BlockId, mut b: BlockId) -> BlockId {
    while a != b {
        while a > b {
            a = idom[a.0 as usize].unwrap_or(BlockId(0));
        }
        while b > a {
            b = idom[b.0 as usize].unwrap_or(BlockId(0));
        }
    }
    a
}

impl Cfg {
    /// A loop.
    pub fn get(&self, id: LoopId) -> &Loop {
        &self.loops[id.0 as usize]
    }
    /// Numbers of all loops, outer before inner.
    pub fn loop_ids(&self) -> impl Iterator<Item = LoopId> + use<> {
        (0..self.loops.len() as u32).map(LoopId)
    }
    /// The innermost loop of a block.
    pub fn loop_of(&self, block: BlockId) -> Option<LoopId> {
        self.innermost[block.0 as usize]
    }
    /// The loop that a block is the header of.
    pub fn header_of(&self, block: BlockId) -> Option<LoopId> {
        self.loop_of(block).filter(|l| self.get(*l).header == block)
    }
    /// Number of loops around a block.
    pub fn depth(&self, block: BlockId) -> u32 {
        self.loop_of(block).map_or(0, |l| self.get(l).depth)
    }
    /// Whether a block is in a loop.
    pub fn contains(&self, id: LoopId, block: BlockId) -> bool {
        let mut next = self.loop_of(block);
        while let Some(inner) = next {
            if inner == id {
                return true;
            }
            next = self.get(inner).parent;
        }
        false
    }
    /// Loops around a block, from the inside out.
    pub fn chain(&self, block: BlockId) -> Vec<LoopId> {
        std::iter::successors(self.loop_of(block), |l| self.get(*l).parent).collect()
    }
    /// Whether every way from the entry to `b` passes `a`.
    pub fn dominates(&self, a: BlockId, mut b: BlockId) -> bool {
        while b > a {
            b = self.idom[b.0 as usize];
        }
        a == b
    }
    /// Blocks that can follow a block, itself only where it lies in a loop.
    pub fn reachable(&self, func: &Func, from: BlockId) -> Vec<bool> {
        let mut seen = vec![false; func.blocks.len()];
        let mut work: Vec<BlockId> = func.block(from).succs.clone();
        while let Some(block) = work.pop() {
            if !std::mem::replace(&mut seen[block.0 as usize], true) {
                work.extend(&func.block(block).succs);
            }
        }
        seen
    }
}

impl fmt::Display for Cfg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, l) in self.loops.iter().enumerate() {
            writeln!(
                f,
                "loop {number}: header {:?} latch {:?} preheader {:?} depth {} blocks {:?}",
                l.header, l.latch, l.preheader, l.depth, l.blocks
            )?;
        }
        Ok(())
    }
}
