//! Room on the tape for what loops keep.
//!
//! Where the number of iterations is known before the outermost loop, its arrays are made there, once. Where it is known only further inside,
//! they are made as large as they need be step by step; where it is not known before a loop runs, they grow with it. A loop that is not entered may have any
//! count, so it is known only where the loop is certain to be entered, or not before its own preheader. Growing copies, so a
//! guess is made before the outermost loop wherever the counts of the loops inside can be computed there, those that depend on
//! an outer loop's counter (triangles) for its first and its last value: it may be too small, and where it would be very large there is none.
use super::Sweep;
use crate::analysis::cfg::LoopId;
use crate::ir::{BlockId, Val};
use crate::llvm::{Builder, IntPredicate, Opcode, Value};
use crate::plan::Item;
use cotangent_contract as contract;

/// Most iterations that room is made for on a guess.
const LARGEST_GUESS: u64 = 1 << 22;
/// More operations than this are not computed for a guess.
const DEEPEST_GUESS: u32 = 8;

/// For which value of the outer loops' counters something is guessed.
#[derive(Clone, Copy)]
enum End {
    First,
    Last,
}

impl Sweep<'_, '_, '_> {
    /// The outermost loop before which the number of a loop's iterations is known, with the counts to multiply: all loops in it are entered in each of its
    /// iterations.
    pub(super) fn reserved_at(&self, l: LoopId) -> Option<(LoopId, Vec<Val>)> {
        let cfg = &self.subject.cfg;
        let mut counts = Vec::new();
        let mut found = None;
        let mut next = Some(l);
        while let Some(outer) = next {
            let Some(trips) = self.subject.loops[outer.0 as usize].trips else { break };
            counts.push(trips);
            let before = cfg.get(outer).preheader;
            let known = |v: &Val| match v {
                Val::Inst(id) => cfg.dominates(self.subject.func.inst(*id).block, before),
                _ => true,
            };
            if !counts.iter().all(known) {
                break;
            }
            found = Some((outer, counts.clone()));
            let is_entered = |around: &LoopId| cfg.dominates(before, cfg.get(*around).latch);
            next = cfg.get(outer).parent.filter(is_entered);
        }
        found
    }

    /// At the end of a preheader: room for every iteration of the loops whose number is known here.
    pub(super) fn reserve(&mut self, block: BlockId, builder: &Builder) {
        for l in self.slots.numbers.keys().copied().collect::<Vec<_>>() {
            let cfg = &self.subject.cfg;
            let outermost = cfg.chain(cfg.get(l).header).last().copied().unwrap_or(l);
            let reserved = self.reserved_at(l);
            if cfg.get(outermost).preheader == block && !matches!(reserved, Some((outer, _)) if outer == outermost) {
                self.guess(l, builder);
            }
            let Some((outer, counts)) = reserved else { continue };
            if cfg.get(outer).preheader != block {
                continue;
            }
            let one = self.word().int_value(1);
            let mut total = one;
            for count in counts {
                let count = builder.add_exact(self.value(count), one);
                total = if total.as_u64() == Some(1) { count } else { builder.mul(total, count) };
            }
            if self.subject.cfg.get(outer).depth == 1 {
                let bytes_of = |sweep: &Self, item: Item| sweep.subject.facts().bytes(item);
                let alloc = self.session.runtime(contract::TAPE_ALLOC);
                for (item, variable) in self.arrays(l) {
                    let bytes = builder.mul(total, self.word().int_value(bytes_of(self, item)));
                    builder.store(builder.call(alloc, &[bytes]), self.variables[variable]);
                }
            } else {
                let number = builder.load(self.word(), self.variables[self.slots.numbers[&l]]);
                self.ensure(l, builder.add_exact(number, total), builder);
            }
        }
    }

    /// Arrays of a loop: items and variables.
    fn arrays(&self, l: LoopId) -> Vec<(Item, usize)> {
        let facts = self.subject.facts();
        self.slots.items.iter().filter(|(i, _)| facts.scope(**i) == Some(l)).map(|(i, v)| (*i, *v)).collect()
    }

    /// Makes a loop's arrays hold at least `wanted` elements.
    pub(super) fn ensure(&mut self, l: LoopId, wanted: Value, builder: &Builder) {
        let word = self.word();
        let capacity = self.capacity[&l];
        let (grow, go_on) = (self.function.append_block("grow"), self.function.append_block("room"));
        let old = builder.load(word, capacity);
        let full = builder.icmp(IntPredicate::LLVMIntUGT, wanted, old);
        builder.cond_br(full, grow, go_on);
        builder.position_at_end(grow);
        let doubled = builder.mul(old, word.int_value(2));
        let least = self.maximum(builder, doubled, word.int_value(64));
        let new = self.maximum(builder, least, wanted);
        builder.store(new, capacity);
        for (item, variable) in self.arrays(l) {
            let bytes = self.subject.facts().bytes(item);
            let (function, size) = (self.session.grow(bytes), word.int_value(bytes));
            let array = builder.load(builder.block().value().context().ptr(), self.variables[variable]);
            let arguments = [array, builder.mul(old, size), builder.mul(new, size)];
            builder.store(builder.call(function, &arguments), self.variables[variable]);
        }
        builder.br(go_on);
        builder.position_at_end(go_on);
    }

    fn maximum(&self, builder: &Builder, a: Value, b: Value) -> Value {
        let larger = builder.icmp(IntPredicate::LLVMIntUGT, a, b);
        builder.select(larger, a, b)
    }

    /// Of counts, which may be wrong by a little below zero.
    fn maximum_signed(&self, builder: &Builder, a: Value, b: Value) -> Value {
        let larger = builder.icmp(IntPredicate::LLVMIntSGT, a, b);
        builder.select(larger, a, b)
    }

    /// Before the outermost loop: room for as many iterations as it looks like now.
    fn guess(&mut self, l: LoopId, builder: &Builder) {
        let cfg = &self.subject.cfg;
        let one = self.word().int_value(1);
        let mut total = one;
        for l in cfg.chain(cfg.get(l).header) {
            let Some(count) = self.subject.loops[l.0 as usize].trips else { return };
            let at = |end: End| self.computed_early(count, l, end, DEEPEST_GUESS, builder);
            let (Some(first), Some(last)) = (at(End::First), at(End::Last)) else { return };
            let count = if first == last { first } else { self.maximum_signed(builder, first, last) };
            total = builder.mul(total, builder.add(count, one));
        }
        let largest = self.word().int_value(LARGEST_GUESS);
        let plausible = builder.icmp(IntPredicate::LLVMIntULE, total, largest);
        self.ensure(l, builder.select(plausible, total, self.word().int_value(0)), builder);
    }

    /// A number from further inside, computed where the builder stands: before the outermost loop around `l`.
    fn computed_early(&self, val: Val, l: LoopId, end: End, depth: u32, builder: &Builder) -> Option<Value> {
        let Val::Inst(id) = val else { return Some(self.value(val)) };
        let (cfg, inst) = (&self.subject.cfg, self.subject.func.inst(id));
        let outermost = cfg.chain(cfg.get(l).header).last().copied()?;
        if cfg.dominates(inst.block, cfg.get(outermost).preheader) {
            return Some(self.value(val));
        }
        if depth == 0 {
            return None;
        }
        let operand = |i: usize| self.computed_early(inst.operands[i], l, end, depth - 1, builder);
        if let Some(around) = self.subject.loops.iter().find(|facts| facts.counter == Some(id)) {
            return match end {
                End::First => Some(self.word().int_value(0)),
                End::Last => self.computed_early(around.trips?, l, end, depth - 1, builder),
            };
        }
        let small = |val: Val| matches!(val, Val::Const(c) if c.as_u64().is_some_and(|n| (1..64).contains(&n)));
        let intrinsic = || inst.value.called_function().map(|f| f.name());
        match inst.value.opcode() {
            // Without the promises of the original, which need not hold yet.
            opcode @ (Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMMul | Opcode::LLVMXor) => {
                Some(builder.binary(opcode, operand(0)?, operand(1)?))
            }
            opcode @ (Opcode::LLVMUDiv | Opcode::LLVMLShr | Opcode::LLVMShl) if small(inst.operands[1]) => {
                Some(builder.binary(opcode, operand(0)?, operand(1)?))
            }
            Opcode::LLVMCall
                if intrinsic()
                    .is_some_and(|n| ["llvm.umax.i64", "llvm.umin.i64", "llvm.smax.i64"].contains(&n.as_str())) =>
            {
                Some(builder.call(inst.value.called_function()?, &[operand(0)?, operand(1)?]))
            }
            _ => None,
        }
    }
}
