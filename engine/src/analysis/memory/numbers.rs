//! Memory in which a function leaves no floats.
//!
//! `fn step(x: &[f64], stats: &mut Stats)` writes to two arguments' memory at most, and what depends on floats goes nowhere near `stats`. To a caller that only knew what
//! is *written* all of it would depend on `x`, and memory that is declared constant would be refused. So a summary tells as well where *values* are written: floats, and
//! whatever may be the bits of some. Numbers, pointers and constants are none.
//!
//! **Invariant:** what is loaded as an integer where anybody has floats is marked as a word by then ([`crate::load::retype`]), so an integer without that mark from a place
//! without floats is a number.

use super::summary::Node;
use super::{Cell, Memory, Object, ObjectId, ObjectSet, overlap, spot_of};
use crate::ir::tag::is_word;
use crate::ir::{Callee, Func, Inst, InstId, Op, Val};
use crate::llvm::Opcode;
use crate::rule::Effect;
use std::collections::BTreeSet;

impl Memory {
    /// The nodes of what a function writes to in which it may leave a value.
    pub(super) fn valued(&self, func: &Func) -> BTreeSet<Node> {
        let mut valued = ObjectSet::default();
        for id in func.inst_ids().filter(|id| func.block(func.inst(*id).block).returns) {
            let inst = func.inst(id);
            let at = |index: usize| self.points_to(inst.operands[index]);
            match &inst.op {
                Op::Store if !is_word(inst.value) && self.is_no_value(func, inst.operands[0]) => false,
                Op::Store => valued.union(&at(1)),
                Op::MemSet if matches!(inst.operands[1], Val::Const(_)) => false,
                Op::MemCopy if at(1).iter().all(|object| self.holds_no_values(func, object)) => false,
                Op::MemSet | Op::MemCopy => valued.union(&at(0)),
                Op::Other(Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg)
                    if inst.operands[1..].iter().all(|operand| self.is_no_value(func, *operand)) =>
                {
                    false
                }
                Op::Call(Callee::Effect(Effect::Copy { .. } | Effect::Fill { .. })) | Op::Other(_) => {
                    (0..inst.operands.len()).fold(false, |changed, index| valued.union(&at(index)) | changed)
                }
                // What these write carries no derivative.
                Op::Call(Callee::Effect(Effect::Inactive | Effect::Private)) => false,
                Op::Call(_) => valued.union(&self.effects(id).valued),
                _ => false,
            };
        }
        valued.iter().filter_map(|object| self.node_of(object)).collect()
    }

    /// Whether nothing lies in an object that may be a float, as far as is known; of what others have put there something must be.
    fn holds_no_values(&self, func: &Func, object: ObjectId) -> bool {
        let mut cells = self.all_cells(object).map(|(_, cell)| cell).peekable();
        let is_known = match self.objects[object.0 as usize] {
            Object::Stack(_) => true,
            Object::Heap(_) => !self.may_have_floats(func, object),
            Object::Global(value) => value.as_global().is_some_and(|global| global.is_constant()) || cells.peek().is_some(),
            _ => cells.peek().is_some(),
        };
        is_known && !self.of_words.contains(object) && !cells.any(|cell| matches!(cell, Cell::Float(_)))
    }

    /// Whether what is stored is a pointer, a constant or a number, and certainly no bits of a float.
    fn is_no_value(&self, func: &Func, val: Val) -> bool {
        let (mut open, mut seen) = (vec![val], Vec::<InstId>::new());
        while let Some(val) = open.pop() {
            let ty = func.ty(val);
            // Functions that take floats as integers are inlined ([`crate::ir::handed`]).
            let Val::Inst(id) = val else {
                if matches!(val, Val::Const(_)) || ty.is_int() || ty.is_pointer() {
                    continue;
                }
                return false;
            };
            if !ty.is_int() && !ty.is_pointer() {
                return false;
            }
            if seen.contains(&id) {
                continue;
            }
            seen.push(id);
            let inst = func.inst(id);
            use Opcode::*;
            match &inst.op {
                Op::Compare | Op::Conversion | Op::Alloca | Op::Gep => {}
                Op::Integer(LLVMAdd | LLVMSub | LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMPtrToInt) => {}
                Op::Load if !is_word(inst.value) && !self.floats_at(func, inst) => {}
                Op::Integer(_) | Op::Phi | Op::Copy => open.extend(&inst.operands),
                Op::Select => open.extend(&inst.operands[1..]),
                Op::Call(Callee::Effect(Effect::Allocate { .. })) => {}
                Op::Call(Callee::Inert) if is_arithmetic(inst) => {}
                Op::Call(Callee::Inert) => open.extend(&inst.operands),
                // What calls return beside floats is structure.
                Op::Call(_) => {}
                // A sum with its flag, a field of a result.
                Op::Extract(_) => {
                    if !matches!(inst.operands[0], Val::Inst(of) if matches!(func.inst(of).op, Op::Call(_))) {
                        return false;
                    }
                }
                _ => return false,
            }
        }
        true
    }

    /// Whether floats may lie where something else is loaded.
    fn floats_at(&self, func: &Func, load: &Inst) -> bool {
        let (spot, size) = (spot_of(func, load.operands[0]), func.module().store_size_of(load.ty) as i64);
        let is_here = |(at, cell): (super::Spot, Cell)| {
            matches!(cell, Cell::Float(_)) && overlap(spot, size, at, cell.bytes() as i64)
        };
        self.points_to(load.operands[0]).iter().any(|object| self.all_cells(object).any(is_here))
    }
}

/// Whether an intrinsic computes with integers as numbers.
fn is_arithmetic(inst: &Inst) -> bool {
    const NAMES: [&str; 17] = [
        "umax", "umin", "smax", "smin", "abs", "ctpop", "ctlz", "cttz", "sadd", "uadd", "ssub", "usub", "smul", "umul", "ucmp",
        "scmp", "lround",
    ];
    let name = inst.value.called_function().map(|f| f.name()).unwrap_or_default();
    let name = name.strip_prefix("llvm.").and_then(|rest| rest.split('.').next());
    name.is_some_and(|name| NAMES.contains(&name))
}
