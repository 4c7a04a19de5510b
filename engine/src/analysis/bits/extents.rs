//! Numbers that are read from memory and are no bits of floats, whatever lies near.

use crate::ir::{BlockId, Callee, Func, Inst, InstId, Op, Val};
use crate::llvm::{IntPredicate, Opcode, Value};
use crate::maps::HashSet;
use crate::rule::{Effect, Size};

/// Instructions that are followed from one load.
const FOLLOWED: usize = 24;

/// Whether an instruction loads a capacity or a length, as what memory is asked for or given back by them tells, or something of which rustc says the
/// range (a capacity, a `bool`, the mark of a variant: a float has none), or how often a `RefCell` is borrowed.
pub fn is_number(func: &Func, id: InstId) -> bool {
    let inst = func.inst(id);
    matches!(inst.op, Op::Load)
        && inst.ty.is_int()
        && (has_range(inst.value) || is_extent(func, id) || is_count_of_borrows(func, id))
}

/// Whether rustc says of a load in which range its number is, wherever it is used.
pub fn has_range(load: Value) -> bool {
    load.metadata(load.context().metadata_kind("range")).is_some()
}

/// Whether it is asked of a number whether one more can be counted, as `RefCell::borrow` does. (Where the borrow ends in the same function, LLVM puts the
/// number itself back, which looks like a move.)
pub fn is_count_of_borrows(func: &Func, load: InstId) -> bool {
    const MOST: u64 = i64::MAX as u64;
    func.users[load.0 as usize].iter().map(|user| func.inst(*user)).any(|inst| {
        matches!(inst.op, Op::Compare)
            && inst.operands[0] == Val::Inst(load)
            && inst.value.opcode() == Opcode::LLVMICmp
            && match inst.value.int_predicate() {
                IntPredicate::LLVMIntULT | IntPredicate::LLVMIntUGE => inst.value.operand(1).as_u64() == Some(MOST),
                IntPredicate::LLVMIntUGT | IntPredicate::LLVMIntULE => inst.value.operand(1).as_u64() == Some(MOST - 1),
                _ => false,
            }
    })
}

/// Whether a number may say how much there is room for: it is compared with another number, counted on from, handed to a call, or memory is asked for by it. What
/// is only moved, or told apart from constants, does not.
pub fn may_be_room(func: &Func, load: InstId) -> bool {
    let (mut open, mut seen) = (vec![load], vec![load]);
    while let Some(id) = open.pop() {
        let val = Val::Inst(id);
        for user in func.users[id.0 as usize].iter().copied() {
            let inst = func.inst(user);
            match inst.op {
                Op::Compare if inst.operands.iter().all(|operand| !matches!(operand, Val::Const(_))) => {
                    return true;
                }
                Op::Call(_) if !is_one_of_two(inst) => return true,
                _ if bytes(&inst.op).is_some_and(|operand| inst.operands.get(operand) == Some(&val)) => return true,
                Op::Phi
                | Op::Copy
                | Op::Select
                | Op::Call(_)
                | Op::Integer(Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMMul | Opcode::LLVMShl) => {
                    if seen.len() >= FOLLOWED {
                        return true;
                    }
                    if !seen.contains(&user) {
                        seen.push(user);
                        open.push(user);
                    }
                }
                _ => {}
            }
        }
    }
    false
}

/// Whether a number, or a multiple of it, is a number of bytes.
fn is_extent(func: &Func, load: InstId) -> bool {
    let (mut open, mut seen) = (vec![load], vec![load]);
    while let Some(id) = open.pop() {
        let val = Val::Inst(id);
        for user in func.users[id.0 as usize].iter().copied() {
            let inst = func.inst(user);
            if bytes(&inst.op).is_some_and(|operand| inst.operands.get(operand) == Some(&val)) {
                return true;
            }
            let goes_on = match inst.op {
                Op::Phi | Op::Copy | Op::Integer(Opcode::LLVMAdd | Opcode::LLVMMul) => true,
                Op::Integer(Opcode::LLVMShl) => inst.operands[0] == val,
                Op::Select => inst.operands[0] != val,
                Op::Call(_) => is_one_of_two(inst),
                _ => false,
            };
            if goes_on && seen.len() < FOLLOWED && !seen.contains(&user) {
                seen.push(user);
                open.push(user);
            }
        }
    }
    false
}

/// Whether what is loaded is a size wherever it is moved: memory has been asked for by it then, unless it is zero. (LLVM loads but once what is a length in one variant and
/// a float in another; on the way to where that float is moved, no memory is asked for.)
pub fn is_size(func: &Func, load: InstId) -> bool {
    let val = Val::Inst(load);
    let users = &func.users[load.0 as usize];
    if !matches!(func.inst(load).op, Op::Load) || !is_extent(func, load) {
        return false;
    }
    let asks = |id: &InstId| {
        let inst = func.inst(*id);
        let is_made = matches!(inst.op, Op::Call(Callee::Effect(Effect::Allocate { .. })));
        is_made && bytes(&inst.op).is_some_and(|operand| inst.operands.get(operand) == Some(&val))
    };
    let asking: Vec<BlockId> = users.iter().filter(|id| asks(id)).map(|id| func.inst(*id).block).collect();
    let moves = |id: &&InstId| {
        let inst = func.inst(**id);
        let is_arithmetic = matches!(inst.op, Op::Integer(_)) && !packs(inst);
        !is_arithmetic && bytes(&inst.op).is_none() && !matches!(inst.op, Op::Compare | Op::Gep | Op::Branch)
    };
    let before = reached(vec![func.inst(load).block], &|block| match asking.contains(&block) {
        true => Vec::new(),
        false => {
            let zero = where_zero(func, load, block);
            func.block(block).succs.iter().copied().filter(|next| Some(*next) != zero).collect()
        }
    });
    // Also where it is zero, it goes where a size does.
    let behind = reached(asking.clone(), &|block| func.block(block).succs.clone());
    users.iter().filter(moves).map(|id| func.inst(*id).block).all(|at| !before.contains(&at) && behind.contains(&at))
}

/// Where control goes from a block only if what is loaded is zero.
fn where_zero(func: &Func, load: InstId, block: BlockId) -> Option<BlockId> {
    let end = func.inst(*func.block(block).insts.last()?);
    let (Op::Branch, [then, otherwise]) = (&end.op, &func.block(block).succs[..]) else { return None };
    let Some(Val::Inst(compare)) = end.operands.first().copied() else { return None };
    let inst = func.inst(compare);
    let is_of_load = matches!(inst.op, Op::Compare) && inst.operands[0] == Val::Inst(load) && then != otherwise;
    let is_zero = matches!(inst.operands.get(1), Some(Val::Const(number)) if number.is_null());
    match inst.value.opcode() {
        Opcode::LLVMICmp if is_of_load && is_zero => match inst.value.int_predicate() {
            IntPredicate::LLVMIntEQ => Some(*then),
            IntPredicate::LLVMIntNE => Some(*otherwise),
            _ => None,
        },
        _ => None,
    }
}

/// The blocks that control comes to from some, themselves among them, by the ways on from each.
fn reached(mut open: Vec<BlockId>, on: &dyn Fn(BlockId) -> Vec<BlockId>) -> HashSet<BlockId> {
    let mut seen = HashSet::default();
    while let Some(block) = open.pop() {
        if seen.insert(block) {
            open.extend(on(block));
        }
    }
    seen
}

/// Whether a call gives the larger or the smaller one of two numbers without a sign.
pub fn is_one_of_two(inst: &Inst) -> bool {
    if !matches!(inst.op, Op::Call(Callee::Inert)) {
        return false;
    }
    let name = inst.value.called_function().map(|f| f.name()).unwrap_or_default();
    name.starts_with("llvm.umax") || name.starts_with("llvm.umin")
}

/// The operand of an instruction that is a number of bytes.
fn bytes(op: &Op) -> Option<usize> {
    match op {
        Op::MemCopy | Op::MemSet => Some(2),
        Op::Call(Callee::Effect(Effect::Allocate { size: Size::Operand(size), .. })) => Some(*size),
        Op::Call(Callee::Effect(Effect::Free { size, .. })) => *size,
        _ => None,
    }
}

/// Whether an intrinsic's result consists of bits of its operands.
pub(super) fn passes_bits(inst: &Inst) -> bool {
    const MOVES: &[&str] =
        &["llvm.bswap", "llvm.bitreverse", "llvm.fsh", "llvm.umax", "llvm.umin", "llvm.smax", "llvm.smin"];
    inst.value.called_function().is_some_and(|f| MOVES.iter().any(|name| f.name().starts_with(name)))
}

/// Whether an intrinsic gives one of two numbers.
pub(super) fn is_choice(inst: &Inst) -> bool {
    const CHOICES: &[&str] = &["llvm.umax", "llvm.umin", "llvm.smax", "llvm.smin"];
    inst.value.called_function().is_some_and(|f| CHOICES.iter().any(|name| f.name().starts_with(name)))
}

/// Whether an operation may do no more than to put words together from pieces, or to take them apart, as LLVM does with what is moved: it cuts between bytes.
pub fn packs(inst: &Inst) -> bool {
    use Opcode::*;
    let constant = |at: usize| match inst.operands.get(at) {
        Some(Val::Const(number)) if inst.ty.is_int() => number.as_u64(),
        _ => None,
    };
    match inst.op {
        Op::Integer(LLVMShl | LLVMLShr | LLVMAShr) => constant(1).is_none_or(|by| by % 8 == 0),
        Op::Integer(LLVMAnd) => constant(1).is_none_or(|mask| mask.to_le_bytes().iter().all(|b| matches!(b, 0 | 0xff))),
        Op::Integer(LLVMOr | LLVMTrunc | LLVMZExt | LLVMPtrToInt | LLVMIntToPtr) => true,
        _ => false,
    }
}

/// Whether what is loaded gets nowhere but into arithmetic that moves nothing, addresses and comparisons: in a program that takes no bits of floats it is a number.
pub fn is_computed_with(func: &Func, load: InstId) -> bool {
    let inst = func.inst(load);
    let (mut open, mut seen) = (vec![load], vec![load]);
    while let Some(id) = open.pop() {
        for user in func.users[id.0 as usize].iter().copied() {
            let inst = func.inst(user);
            match inst.op {
                Op::Compare | Op::Gep | Op::Branch | Op::Conversion => {}
                Op::Integer(_) if !packs(inst) => {}
                Op::Call(Callee::Inert) if !passes_bits(inst) || is_choice(inst) => {}
                Op::Phi | Op::Copy | Op::Select if seen.len() < FOLLOWED => {
                    if !seen.contains(&user) {
                        seen.push(user);
                        open.push(user);
                    }
                }
                _ => return false,
            }
        }
    }
    matches!(inst.op, Op::Load) && inst.ty.is_int()
}
