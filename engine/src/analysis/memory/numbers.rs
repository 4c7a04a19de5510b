//! Memory in which a function leaves nothing but numbers.
//!
//! `fn step(x: &[f64], count: &mut usize)` writes to two arguments' memory at most, and what depends on floats goes nowhere near `count`. To a caller that only knew what
//! is *written* the count would depend on `x`, as its memory might hold the bits of a float; and memory that is declared constant would be refused. So a summary
//! tells as well where *values* are written: anything but the results of arithmetic on integers, of comparisons and conversions, and constants; or, in memory that holds
//! floats or pointers somewhere, anything.

use super::summary::Node;
use super::{Cell, Memory, ObjectId, ObjectSet};
use crate::analysis::bits::is_number_load;
use crate::ir::{Callee, Func, Inst, InstId, Op, Val};
use crate::llvm::Opcode;
use crate::rule::Effect;
use std::collections::BTreeSet;

impl Memory {
    /// The nodes of what a function writes to in which it may leave a value.
    pub(super) fn valued(&self, func: &Func) -> BTreeSet<Node> {
        let (mut valued, mut plain) = (ObjectSet::default(), ObjectSet::default());
        for id in func.inst_ids().filter(|id| func.block(func.inst(*id).block).returns) {
            let inst = func.inst(id);
            let at = |index: usize| self.points_to(inst.operands[index]);
            match &inst.op {
                Op::Store if is_number(func, inst.operands[0]) => plain.union(&at(1)),
                Op::Store => valued.union(&at(1)),
                Op::MemSet | Op::MemCopy => valued.union(&at(0)),
                Op::Other(Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg)
                    if inst.operands[1..].iter().all(|operand| is_number(func, *operand)) =>
                {
                    plain.union(&at(0))
                }
                Op::Call(Callee::Effect(Effect::Copy { .. } | Effect::Fill { .. })) | Op::Other(_) => {
                    (0..inst.operands.len()).fold(false, |changed, index| valued.union(&at(index)) | changed)
                }
                // What these write carries no derivative.
                Op::Call(Callee::Effect(Effect::Inactive | Effect::Private)) => plain.union(&self.effects(id).written),
                Op::Call(_) => {
                    plain.union(&self.effects(id).written);
                    valued.union(&self.effects(id).valued)
                }
                _ => false,
            };
        }
        let holds_numbers = |object: &ObjectId| {
            !self.of_words.contains(*object) && self.all_cells(*object).all(|(_, cell)| matches!(cell, Cell::Bits(_)))
        };
        plain.iter().filter(|object| !holds_numbers(object)).for_each(|object| _ = valued.insert(object));
        valued.iter().filter_map(|object| self.node_of(object)).collect()
    }
}

/// Whether a number is certainly no bits of a float.
fn is_number(func: &Func, val: Val) -> bool {
    let (mut open, mut seen) = (vec![val], Vec::<InstId>::new());
    while let Some(val) = open.pop() {
        if !func.ty(val).is_int() {
            return false;
        }
        // Functions that take floats as integers are inlined ([`crate::ir::handed`]).
        let Val::Inst(id) = val else { continue };
        if seen.contains(&id) {
            continue;
        }
        seen.push(id);
        let inst = func.inst(id);
        use Opcode::*;
        match &inst.op {
            Op::Compare | Op::Conversion => {}
            Op::Integer(LLVMAdd | LLVMSub | LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem) => {}
            Op::Load if is_number_load(func, id) => {}
            Op::Integer(LLVMZExt | LLVMSExt | LLVMTrunc) | Op::Phi | Op::Copy => open.extend(&inst.operands),
            Op::Select => open.extend(&inst.operands[1..]),
            Op::Call(Callee::Inert) if is_arithmetic(inst) => {}
            // A sum with its flag.
            Op::Extract(_) => match inst.operands[0] {
                Val::Inst(of) if is_arithmetic(func.inst(of)) => {}
                _ => return false,
            },
            _ => return false,
        }
    }
    true
}

/// Whether an intrinsic computes with integers as numbers.
fn is_arithmetic(inst: &Inst) -> bool {
    const NAMES: [&str; 17] = [
        "umax", "umin", "smax", "smin", "abs", "ctpop", "ctlz", "cttz", "sadd", "uadd", "ssub", "usub", "smul", "umul",
        "ucmp", "scmp", "lround",
    ];
    let name = inst.value.called_function().map(|f| f.name()).unwrap_or_default();
    let name = name.strip_prefix("llvm.").and_then(|rest| rest.split('.').next());
    matches!(inst.op, Op::Call(Callee::Inert)) && name.is_some_and(|name| NAMES.contains(&name))
}
