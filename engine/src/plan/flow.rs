//! How the reverse sweep goes back through the control flow.
//!
//! Each block that returns has one block in the reverse sweep. It goes on to that of the block from which the primal came:
//! the only predecessor, or the one that a selector names, or, from a loop's header, the latch until the counter is zero.
//! Regions in which nothing is to be done are passed over: from the block where branches meet straight to the one that
//! dominates them, from a loop's exit to its preheader.
use super::Facts;
use crate::analysis::cfg::LoopId;
use crate::ir::BlockId;

/// How the reverse sweep leaves a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Back {
    /// The block never returns: it has no part in the reverse sweep.
    Never,
    /// The entry: the sweep is over.
    Done,
    /// To one block.
    To(BlockId),
    /// From the header of a loop: to its latch, or to its preheader when the counter is zero.
    Header(LoopId),
    /// To the predecessor that the block's selector names.
    Select,
}

/// Plans the way back from each block; also which loops are gone through.
pub fn plan(facts: &Facts, work: &[bool]) -> (Vec<Back>, Vec<bool>) {
    let (func, cfg) = (facts.func, facts.cfg);
    let reversed: Vec<bool> = cfg.loops.iter().map(|l| l.blocks.iter().any(|b| work[b.0 as usize])).collect();
    let back = func
        .block_ids()
        .map(|block| {
            if !func.block(block).returns {
                return Back::Never;
            }
            if block == BlockId(0) {
                return Back::Done;
            }
            if let Some(l) = cfg.header_of(block) {
                return if reversed[l.0 as usize] { Back::Header(l) } else { Back::To(cfg.get(l).preheader) };
            }
            if let Some(target) = idle_loop(facts, &reversed, block) {
                return Back::To(target);
            }
            if let [pred] = func.preds(block) {
                return Back::To(*pred);
            }
            let dominator = cfg.idom[block.0 as usize];
            if !between(facts, dominator, block).iter().any(|b| work[b.0 as usize])
                && cfg.loop_of(dominator) == cfg.loop_of(block)
                && !has_active_phi(facts, block)
            {
                return Back::To(dominator);
            }
            Back::Select
        })
        .collect();
    (back, reversed)
}

/// Where a block is only entered out of a loop with nothing to do: that loop's preheader (of the outermost such loop).
fn idle_loop(facts: &Facts, reversed: &[bool], block: BlockId) -> Option<BlockId> {
    let (func, cfg) = (facts.func, facts.cfg);
    let mut found = None;
    for l in cfg.chain(*func.preds(block).first()?) {
        if cfg.contains(l, block) || reversed[l.0 as usize] {
            break;
        }
        if func.preds(block).iter().all(|p| cfg.contains(l, *p)) && !has_active_phi(facts, block) {
            found = Some(cfg.get(l).preheader);
        }
    }
    found
}

/// Blocks strictly between a dominator and a block.
fn between(facts: &Facts, dominator: BlockId, block: BlockId) -> Vec<BlockId> {
    let mut seen = Vec::new();
    let mut todo: Vec<BlockId> = facts.func.preds(block).to_vec();
    while let Some(next) = todo.pop() {
        if next != dominator && !seen.contains(&next) {
            seen.push(next);
            todo.extend(facts.func.preds(next));
        }
    }
    seen
}

/// Whether a block has a phi whose adjoint must be handed to where the primal came from.
pub fn has_active_phi(facts: &Facts, block: BlockId) -> bool {
    facts.func.block(block).insts.iter().any(|id| {
        matches!(facts.func.inst(*id).op, crate::ir::Op::Phi) && facts.activity.has_adjoint(crate::ir::Val::Inst(*id))
    })
}
