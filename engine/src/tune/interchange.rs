//! Loops over shadows in the order that memory likes.
//!
//! The adjoint of `for j { for k { s += a[i,k] * b[k,j] } c[i,j] = s }` adds `dc[i,j] * a[i,k]` to `db[k,j]` with `k` running fastest, a whole row
//! further with every step. The primal was bound to its order, the adjoint is not: with `j` running fastest it walks along rows.
//!
//! **When it is right.** The nest is two loops, the inner one a single block that does nothing but add to memory, and
//! whose number of iterations does not depend on the outer one. What it reads, nothing in the nest writes; what it adds to, nothing
//! else in the nest touches. Then all its iterations may run before everything else in the outer loop, in any order. Values that
//! the outer loop computes for the inner one are computed again where they are used; that is possible for what
//! is loaded and overwritten in the same iteration too (`let d = dc[i,j]; dc[i,j] = 0`), if each iteration has a place of its own:
//! the overwriting comes after all of the additions.
//!
//! **When it is done.** When the accesses of the innermost loop would be at least twice as cheap.
use super::access::{Motion, Step, are_apart};
use super::accumulated;
use crate::ir::loops::{self, Loop};
use crate::llvm::{Block, Builder, CopyMap, Function, Opcode, Value, copy_instruction};
use crate::maps::{HashMap, HashSet};

/// More floating-point operations than this are not repeated in the inner loop.
const MOST_REPEATED: usize = 4;

/// Exchanges the loops of each nest where that is right and pays; answers how often it was done. The function is in loop-simplify
/// and LCSSA form, its loops rotated.
pub fn run(function: Function) -> usize {
    let nests = loops::loops(function).iter().filter_map(|l| Nest::find(function, l)).collect::<Vec<_>>();
    nests.into_iter().filter(|n| n.is_right() && n.pays()).map(|n| n.exchange()).count()
}

/// `entry -> head -> inner (-> inner ..) -> tail (-> head ..) -> ..`
struct Nest {
    function: Function,
    entry: Block,
    head: Block,
    inner: Block,
    tail: Block,
    /// Computed in the head or the tail, and wanted in the inner loop or for the outer loop's next iteration.
    wanted: HashSet<Value>,
}

impl Nest {
    /// Recognises a nest in an outer loop; also that each loop's course depends on nothing that the other one computes.
    fn find(function: Function, outer: &Loop) -> Option<Nest> {
        let ([tail], [entry], 3) = (&outer.latches[..], &outer.entering[..], outer.blocks.len()) else { return None };
        let head = outer.header;
        let inner = outer.blocks.iter().copied().find(|b| *b != head && b != tail)?;
        let to_both = |block: Block, a: Block, b: Block| {
            let next = block.successors();
            next.len() == 2 && next.contains(&a) && next.contains(&b)
        };
        let leaves = outer.exits.first()?;
        if entry.successors() != [head]
            || head.successors() != [inner]
            || !to_both(inner, inner, *tail)
            || !to_both(*tail, head, *leaves)
            || tail.first()?.opcode() == Opcode::LLVMPHI
        {
            return None;
        }
        let mut nest = Nest { function, entry: *entry, head, inner, tail: *tail, wanted: HashSet::default() };
        nest.follow_outer()?;
        nest.follow_inner()?;
        Some(nest)
    }

    fn is_in(&self, value: Value, block: Block) -> bool {
        value.is_instruction() && value.block() == block
    }

    fn is_outer(&self, value: Value) -> bool {
        self.is_in(value, self.head) || self.is_in(value, self.tail)
    }

    /// Collects what the inner loop and the outer loop's course want of the outer loop.
    fn follow_outer(&mut self) -> Option<()> {
        let mut todo = vec![self.tail.terminator()?.operand(0)];
        todo.extend(self.inner.instructions().into_iter().filter(|i| !i.is_terminator()).flat_map(operands));
        let mut repeated = 0;
        while let Some(value) = todo.pop() {
            if !self.is_outer(value) || !self.wanted.insert(value) {
                continue;
            }
            let is_phi = value.opcode() == Opcode::LLVMPHI;
            if !is_phi && !is_pure(value) && value.opcode() != Opcode::LLVMLoad {
                return None;
            }
            repeated += usize::from(!is_phi && value.ty().is_float_or_vector() && value.opcode() != Opcode::LLVMLoad);
            todo.extend(operands(value));
        }
        let clean = self.wanted.iter().all(|v| operands(*v).into_iter().all(|o| !self.is_in(o, self.inner)));
        (clean && repeated <= MOST_REPEATED).then_some(())
    }

    /// The inner loop's variables and test must depend on nothing but each other and what is computed outside of the nest.
    fn follow_inner(&self) -> Option<()> {
        let mut todo = vec![self.inner.terminator()?.operand(0)];
        todo.extend(self.inner.instructions().into_iter().filter(|i| i.opcode() == Opcode::LLVMPHI));
        let mut seen = HashSet::default();
        while let Some(value) = todo.pop() {
            if self.is_outer(value) {
                return None;
            }
            if !self.is_in(value, self.inner) || !seen.insert(value) {
                continue;
            }
            if value.opcode() != Opcode::LLVMPHI && !is_pure(value) {
                return None;
            }
            todo.extend(operands(value));
        }
        Some(())
    }

    fn is_right(&self) -> bool {
        let apart = |a: Value, b: Value| are_apart(self.function, a, b);
        let is = |i: &Value, opcode: Opcode| i.opcode() == opcode && i.is_plain();
        let (mut reads, mut sums) = (Vec::new(), Vec::new());
        let body = self.inner.instructions();
        for instruction in &body {
            if is(instruction, Opcode::LLVMStore) {
                let Some((before, _)) = accumulated(*instruction) else { return false };
                sums.push((before, *instruction));
            } else if is(instruction, Opcode::LLVMLoad) {
                reads.push(*instruction);
            } else if instruction.opcode() != Opcode::LLVMPHI && !is_pure(*instruction) && !instruction.is_terminator()
            {
                return false;
            }
        }
        reads.retain(|load| sums.iter().all(|(before, _)| before != load));
        let (mut outer_loads, mut outer_stores) = (Vec::new(), Vec::new());
        let around: Vec<Value> = self.head.instructions().into_iter().chain(self.tail.instructions()).collect();
        for instruction in &around {
            if is(instruction, Opcode::LLVMStore) {
                outer_stores.push(*instruction);
            } else if is(instruction, Opcode::LLVMLoad) {
                outer_loads.push(*instruction);
            } else if instruction.opcode() != Opcode::LLVMPHI && !is_pure(*instruction) && !instruction.is_terminator()
            {
                return false;
            }
        }
        // No other sum is stored between the load and the store of one, unless it is elsewhere.
        let position = |i: Value| body.iter().position(|other| *other == i);
        let whole = sums.iter().all(|(before, store)| {
            sums.iter().all(|(_, other)| {
                let between = position(*before) < position(*other) && position(*other) < position(*store);
                !between || apart(other.operand(1), store.operand(1))
            })
        });
        let sums_alone = sums.iter().all(|(_, sum)| {
            let place = sum.operand(1);
            reads.iter().chain(&outer_loads).all(|load| apart(place, load.operand(0)))
                && outer_stores.iter().all(|store| apart(place, store.operand(1)))
        });
        let reads_stay = reads.iter().all(|r| outer_stores.iter().all(|s| apart(r.operand(0), s.operand(1))));
        let motion = self.motion_of_outer();
        let repeatable = outer_loads.iter().filter(|l| self.wanted.contains(l)).all(|load| {
            outer_stores.iter().all(|store| {
                apart(load.operand(0), store.operand(1)) || self.own_place_before(*load, *store, &around, &motion)
            })
        });
        !sums.is_empty() && whole && sums_alone && reads_stay && repeatable
    }

    /// Whether a load reads, before the store overwrites it, a place that no other iteration of the outer loop stores to.
    fn own_place_before(&self, load: Value, store: Value, order: &[Value], motion: &Motion) -> bool {
        let size = |value: Value| self.function.module().store_size_of(value.ty());
        let position = |i: Value| order.iter().position(|other| *other == i);
        let bytes = size(load).max(size(store.operand(0)));
        load.operand(0) == store.operand(1)
            && position(load) < position(store)
            && matches!(motion.of(load.operand(0)), Step::By(step) if step.unsigned_abs() >= bytes && step.unsigned_abs() <= 1 << 16)
    }

    /// How values move with the outer loop, the inner one standing still.
    fn motion_of_outer(&self) -> Motion {
        Motion { inside: vec![self.head, self.inner, self.tail], variables: variables(self.head, self.tail) }
    }

    fn pays(&self) -> bool {
        let inner = Motion { inside: vec![self.inner], variables: variables(self.inner, self.inner) };
        let outer = self.motion_of_outer();
        let module = self.function.module();
        let cost = |accesses: &[Value], motion: &Motion| -> u32 {
            let one = |i: &Value| {
                let (place, ty) = match i.opcode() {
                    Opcode::LLVMLoad => (i.operand(0), i.ty()),
                    _ => (i.operand(1), i.operand(0).ty()),
                };
                motion.of(place).cost(i64::try_from(module.store_size_of(ty)).unwrap_or(i64::MAX))
            };
            accesses.iter().map(one).sum()
        };
        let is_access = |i: &Value| matches!(i.opcode(), Opcode::LLVMLoad | Opcode::LLVMStore);
        let accesses: Vec<Value> = self.inner.instructions().into_iter().filter(is_access).collect();
        let repeated: Vec<Value> = self.wanted.iter().copied().filter(is_access).collect();
        let (now, then) = (cost(&accesses, &inner), cost(&accesses, &outer) + cost(&repeated, &outer));
        then * 2 <= now && then < now
    }

    /// Writes the exchanged loops in front of the nest, and takes the inner loop out of it.
    fn exchange(&self) {
        let blocks = ["over", "along", "again"].map(|name| self.function.append_block(&format!("ct.{name}")));
        let [over, along, again] = blocks;
        let rest = self.function.append_block("ct.rest");
        let mut map = CopyMap::default();
        let copy = |instruction: Value, to: Block, map: &mut CopyMap| {
            copy_instruction(instruction, to, map, &mut |_| None);
        };
        let is_phi = |i: &Value| i.opcode() == Opcode::LLVMPHI;
        let inner_phis: Vec<Value> = self.inner.instructions().into_iter().filter(is_phi).collect();
        let outer_phis: Vec<Value> =
            self.head.instructions().into_iter().filter(|i| is_phi(i) && self.wanted.contains(i)).collect();
        for phi in &inner_phis {
            copy(*phi, over, &mut map);
        }
        Builder::at_end(over).br(along);
        for phi in &outer_phis {
            copy(*phi, along, &mut map);
        }
        let is_wanted = |i: &Value| self.wanted.contains(i) && !is_phi(i);
        let body = |i: &Value| !is_phi(i) && !i.is_terminator();
        let head = self.head.instructions().into_iter().filter(is_wanted);
        let inner = self.inner.instructions().into_iter().filter(body);
        let tail = self.tail.instructions().into_iter().filter(is_wanted);
        for instruction in head.chain(inner).chain(tail) {
            copy(instruction, along, &mut map);
        }
        // The inner loop's test goes behind the new innermost loop; what it is made of stays the same all along.
        self.test(self.tail, self.head, along, along, again, &map);
        self.test(self.inner, self.inner, again, over, rest, &map);
        for (phis, from, back, start, next) in
            [(&inner_phis, self.head, self.inner, self.entry, again), (&outer_phis, self.entry, self.tail, over, along)]
        {
            for phi in phis {
                let copy = map.value(*phi);
                for (value, block) in phi.incoming() {
                    if block == from {
                        copy.add_incoming(value, start);
                    } else if block == back {
                        copy.add_incoming(map.value(value), next);
                    }
                }
            }
        }
        if let Some(end) = self.entry.terminator() {
            end.set_successor(0, over);
        }
        Builder::at_end(rest).br(self.head);
        self.take_out_inner(rest);
    }

    /// Ends a block like `original`, which goes back to `header` or leaves.
    fn test(&self, original: Block, header: Block, at: Block, back: Block, leave: Block, map: &CopyMap) {
        let Some(end) = original.terminator() else { return };
        let condition = map.value(end.operand(0));
        let to_header_first = end.successors().first() == Some(&header);
        let (first, second) = if to_header_first { (back, leave) } else { (leave, back) };
        Builder::at_end(at).cond_br(condition, first, second);
    }

    /// The old nest goes on without its inner loop, entered from `rest`.
    fn take_out_inner(&self, rest: Block) {
        for phi in self.head.instructions().into_iter().filter(|i| i.opcode() == Opcode::LLVMPHI) {
            let builder = Builder::before(phi);
            let again = builder.phi(phi.ty());
            for (value, block) in phi.incoming() {
                again.add_incoming(value, if block == self.entry { rest } else { block });
            }
            phi.replace_all_uses_with(again);
            phi.erase();
        }
        if let Some(end) = self.head.terminator() {
            end.set_successor(0, self.tail);
        }
        for instruction in self.inner.instructions() {
            if !instruction.ty().is_void() {
                instruction.replace_all_uses_with(instruction.ty().poison());
            }
        }
        self.inner.erase();
    }
}

/// Operands that are values.
fn operands(instruction: Value) -> Vec<Value> {
    if instruction.opcode() == Opcode::LLVMPHI {
        return instruction.incoming().into_iter().map(|(value, _)| value).collect();
    }
    instruction.operands().into_iter().filter(|o| o.as_block().is_none()).collect()
}

/// Whether an instruction gives the same whenever it runs, quickly, and does nothing else.
fn is_pure(instruction: Value) -> bool {
    use Opcode::*;
    let cheap_float =
        matches!(instruction.opcode(), LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFNeg | LLVMFCmp | LLVMFPExt | LLVMFPTrunc);
    cheap_float
        || matches!(
            instruction.opcode(),
            LLVMAdd | LLVMSub | LLVMMul | LLVMShl | LLVMLShr | LLVMAShr | LLVMAnd | LLVMOr | LLVMXor
        )
        || matches!(
            instruction.opcode(),
            LLVMZExt | LLVMSExt | LLVMTrunc | LLVMICmp | LLVMSelect | LLVMGetElementPtr | LLVMUIToFP | LLVMSIToFP
        )
}

/// The variables of a loop and how they move.
fn variables(header: Block, latch: Block) -> HashMap<Value, Step> {
    let phis = header.instructions().into_iter().filter(|i| i.opcode() == Opcode::LLVMPHI);
    phis.map(|phi| {
        let next = phi.incoming().into_iter().find(|(_, block)| *block == latch).map(|(value, _)| value);
        (phi, next.map_or(Step::Unknown, |next| increment(phi, next)))
    })
    .collect()
}

fn increment(phi: Value, next: Value) -> Step {
    if !next.is_instruction() {
        return Step::Unknown;
    }
    let amount = |i: u32| next.operand(i).as_i64();
    match next.opcode() {
        Opcode::LLVMAdd if next.operand(0) == phi => amount(1).map_or(Step::Unknown, Step::By),
        Opcode::LLVMAdd if next.operand(1) == phi => amount(0).map_or(Step::Unknown, Step::By),
        Opcode::LLVMSub if next.operand(0) == phi => amount(1).map_or(Step::Unknown, |a| Step::By(-a)),
        Opcode::LLVMGetElementPtr if next.operand(0) == phi && next.operand_count() == 2 => {
            let size = next.block().function().module().size_of(next.gep_type()) as i64;
            amount(1).and_then(|a| a.checked_mul(size)).map_or(Step::Unknown, Step::By)
        }
        _ => Step::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::llvm::Context;

    /// `for j { d = dc[j]; dc[j] = 0; for k { db[k * n + j] += d * a[k] } }`, with a few places where it can be changed.
    const NEST: &str = "define void @f(ptr noalias %a, ptr noalias %db, ptr noalias %dc, i64 %n, i64 %last) {
entry:
  br label %head
head:
  %j = phi i64 [ %last, %entry ], [ %j.next, %tail ]
  %pc = getelementptr inbounds double, ptr %dc, i64 %j
  %d = load double, ptr %pc
  store double 0.0, ptr %pc
  br label %inner
inner:
  %k = phi i64 [ <first k>, %head ], [ %k.next, %inner ]
  %pa = getelementptr inbounds double, ptr <read>, i64 %k
  %x = load double, ptr %pa
  %product = fmul double %x, %d
  %row = mul i64 %k, %n
  %at = add i64 %row, %j
  %pb = getelementptr inbounds double, ptr %db, i64 %at
  %before = load double, ptr %pb
  %sum = fadd <flags> double %before, %product
  store double %sum, ptr %pb
  %k.next = add i64 %k, -1
  %k.done = icmp eq i64 %k, 0
  br i1 %k.done, label %tail, label %inner
tail:
  %j.next = add i64 %j, -1
  %j.done = icmp eq i64 %j, 0
  br i1 %j.done, label %exit, label %head
exit:
  ret void
}";

    /// How often loops are exchanged in the nest with these replacements.
    fn exchanged(replacements: &[(&str, &str)]) -> usize {
        let usual = [("<first k>", "%last"), ("<read>", "%a"), ("<flags>", "reassoc nsz")];
        let text = replacements.iter().chain(&usual).fold(NEST.to_owned(), |t, (from, to)| t.replace(from, to));
        let module = Context::new().parse_text(&text, "nest").unwrap();
        let count = run(module.function("f").unwrap());
        module.verify().unwrap();
        count
    }

    #[test]
    fn a_walk_down_columns_becomes_one_along_rows() {
        assert_eq!(exchanged(&[]), 1);
    }

    #[test]
    fn sums_with_an_order_of_their_own_stay() {
        assert_eq!(exchanged(&[("<flags>", "")]), 0);
    }

    #[test]
    fn what_is_read_must_be_apart_from_what_is_added_to() {
        assert_eq!(exchanged(&[("<read>", "%db")]), 0);
        assert_eq!(exchanged(&[("<read>", "%dc")]), 0);
        assert_eq!(exchanged(&[("ptr noalias %a", "ptr %a"), ("ptr noalias %db", "ptr %db")]), 0);
    }

    #[test]
    fn counts_that_depend_on_the_outer_loop_stay() {
        assert_eq!(exchanged(&[("<first k>", "%j")]), 0);
    }

    #[test]
    fn what_is_overwritten_must_be_a_place_of_the_iteration() {
        assert_eq!(exchanged(&[("ptr %dc, i64 %j", "ptr %dc, i64 0")]), 0);
        assert_eq!(exchanged(&[("store double 0.0, ptr %pc", "store double 0.0, ptr %dc")]), 0);
    }

    #[test]
    fn rows_are_left_alone() {
        assert_eq!(exchanged(&[("%row = mul i64 %k, %n", "%row = mul i64 %j, %n"), ("%row, %j", "%row, %k")]), 0);
    }
}
