//! The last form before analysis: loops that count themselves, joins that know where they were entered from.
//!
//! A reverse sweep runs each loop as often as the forward sweep did, backwards, and at each join of control flow goes back the way that
//! the forward sweep came. So, in loop-simplify and LCSSA form:
//!
//! - every loop gets a *counter* `ct.i.<n>`: a phi in the header, 0 in the first iteration and one more in each. The other induction variables of
//!   the header, integers and pointers, are expressed by it (`start + i * step`), so that they need not be remembered;
//! - the counter's value when the loop is left is found *before the loop* where it has a closed form there: it says
//!   how large a cache must be, and where the reverse loop starts. Exits that only lead to a panic do not count: no reverse sweep comes after them;
//! - what a loop chooses among its elements, such as a maximum, is loaded behind it ([`winners`]);
//! - the function returns in one place, where its reverse sweep begins;
//! - every other block with several predecessors gets a *selector* `ct.from`: a phi of the number of the predecessor that control came
//!   from, predecessors being numbered in reverse postorder.
//!
//! **How the closed form is found.** LLVM has it in its scalar evolution, which no C interface shows, but `indvars` uses: it rewrites a value used after a loop
//! to its closed form. So the counter is given a use after the loop, a call of a function that does not exist; after the pass the
//! call's operand is either outside of the loop, and then is the answer, or there is none. The calls are removed.
//!
//! No pass may run between here and emission.

pub(super) mod inclusive;
mod trips;
mod winners;

use super::cleanup::one_return;
use super::import::returning_blocks;
use super::unwinds;
use crate::ir::loops::{self, Loop};
use crate::llvm::{Block, Builder, Function, Module, Opcode, Place, Value, effects};
use crate::maps::{HashMap, HashSet};
use std::fmt;

/// The counter of a loop.
#[derive(Clone, Copy, Debug)]
pub struct Counter {
    /// The loop's header.
    pub header: Block,
    /// The phi, an `i64`: 0 in the first iteration.
    pub phi: Value,
    /// The phi's value in the last iteration, an `i64` from before the loop, where it has a closed form and the loop is left in one way only.
    pub count: Option<Value>,
}

/// The counters and selectors of a function.
#[derive(Clone, Debug, Default)]
pub struct Counters {
    /// One for each loop, outer ones first.
    pub loops: Vec<Counter>,
    /// The selector of each join, in layout order.
    pub selectors: Vec<(Block, Value)>,
}

impl Counters {
    /// The counter of the loop with this header.
    pub fn of(&self, header: Block) -> Option<&Counter> {
        self.loops.iter().find(|c| c.header == header)
    }

    /// The selector of a block: the number of the predecessor that control came from, an `i32`, in the order of the phi's incoming blocks.
    pub fn selector(&self, block: Block) -> Option<Value> {
        self.selectors.iter().find(|(b, _)| *b == block).map(|(_, phi)| *phi)
    }
}

impl fmt::Display for Counters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for counter in &self.loops {
            write!(f, "loop {}: {}", counter.header.name(), counter.phi)?;
            match counter.count {
                Some(count) => writeln!(f, "\n  last: {count}")?,
                None => writeln!(f, "\n  last: not known before the loop")?,
            }
        }
        self.selectors.iter().try_for_each(|(block, phi)| writeln!(f, "join {}: {phi}", block.name()))
    }
}

/// Puts a function into the form that the analyses and the emission expect.
///
/// # Errors
/// LLVM's message where a pass is not known.
pub fn prepare(module: Module, function: Function) -> Result<Counters, String> {
    one_return(function);
    inclusive::run(function)?;
    function.run_passes("loop-simplify,lcssa")?;
    let probes = Probes::new(module);
    let hidden = hide_panics(function, &probes);
    let returning = returning_blocks(function);
    for one in loops::loops(function) {
        insert_counter(&one);
        ask(&one, &probes, &returning);
    }
    function.run_passes("loop-simplify,lcssa,loop(indvars)")?;
    show_panics(hidden);
    let mut counters = Counters { loops: answers(function, &probes), selectors: Vec::new() };
    probes.remove();
    for one in loops::loops(function) {
        let Some(phi) = counters.of(one.header).map(|c| c.phi) else { continue };
        for (old, new) in substitute(&one, phi) {
            // What was replaced may itself be the count of a loop inside.
            counters.loops.iter_mut().filter(|c| c.count == Some(old)).for_each(|c| c.count = Some(new));
            old.erase();
        }
    }
    let kept: Vec<Value> = counters.loops.iter().flat_map(|c| [Some(c.phi), c.count]).flatten().collect();
    sweep(function, &kept);
    winners::run(function, |header| counters.of(header).map(|c| c.phi));
    name_values(&counters);
    counters.selectors = insert_selectors(function);
    Ok(counters)
}

fn instructions(function: Function) -> impl Iterator<Item = Value> {
    function.blocks().into_iter().flat_map(|b| b.instructions())
}

fn is_phi(value: Value) -> bool {
    value.is_instruction() && value.opcode() == Opcode::LLVMPHI
}

/// The first instruction of a block that is no phi.
fn behind_phis(block: Block) -> Value {
    let mut all = block.instructions().into_iter();
    all.find(|i| !is_phi(*i)).unwrap_or_else(|| block.value())
}

/// A phi in the header that counts iterations.
fn insert_counter(one: &Loop) -> Value {
    let context = one.header.value().context();
    let word = context.int(64);
    let first = behind_phis(one.header);
    let builder = one.header.first().map_or_else(|| Builder::before(first), Builder::before);
    let phi = builder.phi(word);
    for latch in &one.latches {
        let builder = Builder::before_terminator(*latch);
        let next = builder.add_exact(phi, word.int_value(1));
        edges(*latch, one.header).for_each(|_| phi.add_incoming(next, *latch));
    }
    for before in &one.entering {
        edges(*before, one.header).for_each(|_| phi.add_incoming(word.zero(), *before));
    }
    phi
}

/// One item for each edge from one block to another.
fn edges(from: Block, to: Block) -> impl Iterator<Item = Block> {
    from.successors().into_iter().filter(move |b| *b == to)
}

/// An induction variable: what it starts with and what is added in each iteration.
struct Affine {
    phi: Value,
    start: Value,
    step: Value,
    /// The instruction that adds.
    next: Value,
    /// The step is subtracted.
    down: bool,
}

/// Expresses the header's other induction variables by the counter; answers what was replaced by what.
fn substitute(one: &Loop, counter: Value) -> Vec<(Value, Value)> {
    let mut replaced = Vec::new();
    let ([latch], [before]) = (&one.latches[..], &one.entering[..]) else { return replaced };
    let inside: HashSet<Block> = one.blocks.iter().copied().collect();
    let phis: Vec<Value> = one.header.instructions().into_iter().take_while(|i| is_phi(*i)).collect();
    // The second time those are known by which others are expressed.
    let others: Vec<Value> = phis.into_iter().filter(|p| *p != counter).collect();
    for (phi, again) in [false, true].into_iter().flat_map(|again| others.iter().map(move |phi| (*phi, again))) {
        if replaced.iter().any(|(old, _)| *old == phi) {
            continue;
        }
        let builder = Builder::before(behind_phis(one.header));
        let value = if again {
            let Some(place) = walked(phi, *before, *latch, counter) else { continue };
            builder.gep_like(place, place.operand(0), counter)
        } else {
            let Some(affine) = affine(phi, *before, *latch, &inside) else { continue };
            closed_form(&builder, &affine, counter)
        };
        if value.is_instruction() && value != counter {
            value.set_name(&phi.name());
        }
        phi.replace_all_uses_with(value);
        replaced.push((phi, value));
    }
    replaced
}

/// The address that a phi holds in the next iteration, where it is that of the element with the next iteration's number, and the
/// first one is that of element zero.
fn walked(phi: Value, before: Block, latch: Block, counter: Value) -> Option<Value> {
    let incoming = phi.incoming();
    let start = incoming.iter().find(|(_, b)| *b == before)?.0;
    let next = incoming.iter().find(|(_, b)| *b == latch)?.0;
    let place = next.is_instruction() && next.opcode() == Opcode::LLVMGetElementPtr && next.operand_count() == 2;
    if incoming.len() != 2 || !place || next.operand(0) != start {
        return None;
    }
    let index = next.operand(1);
    let counts_on = index.is_instruction()
        && index.opcode() == Opcode::LLVMAdd
        && index.operands().contains(&counter)
        && index.operands().iter().any(|v| v.as_u64() == Some(1));
    counts_on.then_some(next)
}

fn affine(phi: Value, before: Block, latch: Block, inside: &HashSet<Block>) -> Option<Affine> {
    let incoming = phi.incoming();
    let start = incoming.iter().find(|(_, b)| *b == before)?.0;
    let next = incoming.iter().find(|(_, b)| *b == latch)?.0;
    if !next.is_instruction() || incoming.len() != 2 {
        return None;
    }
    let invariant = |value: Value| !value.is_instruction() || !inside.contains(&value.block());
    let (step, down) = match next.opcode() {
        Opcode::LLVMAdd if next.operand(0) == phi => (next.operand(1), false),
        Opcode::LLVMAdd if next.operand(1) == phi => (next.operand(0), false),
        Opcode::LLVMSub if next.operand(0) == phi => (next.operand(1), true),
        Opcode::LLVMGetElementPtr if next.operand(0) == phi && next.operand_count() == 2 => (next.operand(1), false),
        _ => return None,
    };
    let fits = step.ty().is_int() && step.ty().bits() <= 64 && (phi.ty().is_pointer() || phi.ty() == step.ty());
    (fits && step != phi && invariant(step)).then_some(Affine { phi, start, step, next, down })
}

/// `start + counter * step`.
fn closed_form(builder: &Builder, affine: &Affine, counter: Value) -> Value {
    let Affine { phi, start, step, next, down } = *affine;
    if phi.ty().is_pointer() {
        // The step of a pointer counts elements of the type that the increment names, as an index does.
        let step = if step.ty().bits() < 64 { builder.cast(Opcode::LLVMSExt, step, counter.ty()) } else { step };
        let offset = if step.as_u64() == Some(1) { counter } else { builder.mul(counter, step) };
        return builder.gep_like(next, start, offset);
    }
    let counted = builder.int_cast(counter, phi.ty());
    let offset = if step.as_u64() == Some(1) { counted } else { builder.mul(counted, step) };
    match (start.is_null(), down) {
        (true, false) => offset,
        (_, false) => builder.add(start, offset),
        (_, true) => builder.sub(start, offset),
    }
}

/// The functions whose calls ask `indvars`; they exist only while it runs.
struct Probes {
    /// `(loop, counter)` in the header.
    counter: Function,
    /// `(loop, counter)` behind the loop.
    last: Function,
    /// `(condition)` of a branch to a panic.
    condition: Function,
}

impl Probes {
    fn new(module: Module) -> Probes {
        let context = module.context();
        let (void, word) = (context.void(), context.int(64));
        let probe = |name: &str, params: &[crate::llvm::Type]| {
            let function = module.add_function(name, void.function(params));
            // They have an effect, so that they stay, but one that stops no analysis.
            for flag in ["nounwind", "willreturn", "nosync", "nofree", "nocallback"] {
                function.add_attribute(Place::Whole, flag, 0);
            }
            function.add_attribute(Place::Whole, "memory", effects::INACCESSIBLE_WRITE);
            function
        };
        Probes {
            counter: probe("ct.probe.counter", &[word, word]),
            last: probe("ct.probe.last", &[word, word]),
            condition: probe("ct.probe.condition", &[context.int(1)]),
        }
    }

    /// Removes calls and declarations.
    fn remove(self) {
        for probe in [self.counter, self.last, self.condition] {
            probe.value().users().into_iter().for_each(Value::erase);
            probe.erase();
        }
    }
}

/// What [`hide_panics`] has changed.
#[derive(Default)]
struct Hidden {
    /// Branches, with the calls that keep their conditions, in the order of the function.
    branches: Vec<(Value, Value)>,
    /// Calls that keep what a panic needs.
    needed: Vec<Value>,
}

/// Makes branches to panics be never taken, for as long as the counts are asked for. What lies behind them is then unreachable to LLVM, which takes the values there for
/// those at the end of the loop; where a panic has something to undo, they have to be right.
fn hide_panics(function: Function, probes: &Probes) -> Hidden {
    let undoes = unwinds::are_in(function.module());
    let returning = returning_blocks(function);
    let looping: HashSet<Block> = loops::loops(function).into_iter().flat_map(|l| l.blocks).collect();
    let mut hidden = Hidden::default();
    for block in function.blocks().into_iter().filter(|b| looping.contains(b)) {
        let Some(branch) = block.terminator().filter(|t| t.opcode() == Opcode::LLVMBr && t.is_conditional()) else {
            continue;
        };
        let ends: Vec<bool> = branch.successors().iter().map(|b| !returning.contains(b)).collect();
        let never = match ends[..] {
            [true, false] => 0,
            [false, true] => 1,
            _ => continue,
        };
        let condition = branch.operand(0);
        let probe = Builder::before(branch).call(probes.condition, &[condition]);
        branch.set_operand(0, condition.ty().int_value(never));
        hidden.branches.push((branch, probe));
        if undoes {
            keep_needed(branch, branch.successors()[never as usize], &mut hidden.needed);
        }
    }
    hidden
}

/// Hands what a panic needs of a loop through calls that nobody knows.
fn keep_needed(branch: Value, panic: Block, needed: &mut Vec<Value>) {
    let module = branch.block().function().module();
    for phi in panic.instructions().into_iter().take_while(|i| is_phi(*i)) {
        for (index, (value, from)) in (0u32..).zip(phi.incoming()) {
            if from != branch.block() || !value.is_instruction() {
                continue;
            }
            let keeper = module.add_function("ct.probe.needed", value.ty().function(&[value.ty()]));
            for flag in ["nounwind", "willreturn", "nosync", "nofree", "nocallback"] {
                keeper.add_attribute(Place::Whole, flag, 0);
            }
            keeper.add_attribute(Place::Whole, "memory", effects::INACCESSIBLE_WRITE);
            let call = Builder::before(branch).call(keeper, &[value]);
            phi.set_operand(index, call);
            needed.push(call);
        }
    }
}

/// Gives the branches their conditions back.
fn show_panics(hidden: Hidden) {
    for (branch, probe) in hidden.branches {
        branch.set_operand(0, probe.operand(0));
    }
    for call in hidden.needed {
        let keeper = call.called_function();
        call.replace_all_uses_with(call.operand(0));
        call.erase();
        keeper.filter(|f| f.value().users().is_empty()).into_iter().for_each(Function::erase);
    }
}

/// Gives a loop's counter its two uses, the second only where one exit leads on.
fn ask(one: &Loop, probes: &Probes, returning: &HashSet<Block>) {
    let Some(counter) = one.header.first() else { return };
    let place = behind_phis(one.header);
    let id = counter.ty().int_value(one.header.value().address() as u64);
    Builder::before(place).call(probes.counter, &[id, counter]);
    let exits: Vec<Block> = one.exits.iter().copied().filter(|b| returning.contains(b)).collect();
    let [exit] = exits[..] else { return };
    let inside: HashSet<Block> = one.blocks.iter().copied().collect();
    let from: Vec<Block> = one.blocks.iter().flat_map(|b| edges(*b, exit).map(|_| *b)).collect();
    let dedicated =
        exit.function().blocks().into_iter().all(|b| inside.contains(&b) || !b.successors().contains(&exit));
    let Some(first) = exit.first().filter(|_| dedicated) else { return };
    let phi = Builder::before(first).phi(counter.ty());
    // A second counter, as `indvars` leaves alone what the loop's own work depends on.
    let second = insert_counter(one);
    from.into_iter().for_each(|block| phi.add_incoming(second, block));
    Builder::before(behind_phis(exit)).call(probes.last, &[id, phi]);
}

/// Reads the answers back.
fn answers(function: Function, probes: &Probes) -> Vec<Counter> {
    let asked = |probe: Function| -> HashMap<u64, Value> {
        let calls =
            instructions(function).filter(|i| i.opcode() == Opcode::LLVMCall && i.called_function() == Some(probe));
        calls.filter_map(|call| Some((call.operand(0).as_u64()?, call))).collect()
    };
    let (counters, lasts) = (asked(probes.counter), asked(probes.last));
    let idom = loops::dominators(function);
    let returning = returning_blocks(function);
    let mut found = Vec::new();
    for one in loops::loops(function) {
        let id = one.header.value().address() as u64;
        let kept = counters.get(&id).map(|call| call.operand(1)).filter(|v| counts(*v, &one));
        let phi = kept.unwrap_or_else(|| insert_counter(&one));
        let count = match one.entering[..] {
            [before] => lasts
                .get(&id)
                .and_then(|call| available(call.operand(1), before, &idom, &one, 32))
                .or_else(|| trips::last(&one, before, &returning, &idom)),
            _ => None,
        };
        found.push(Counter { header: one.header, phi, count });
    }
    found
}

/// The value at the end of a block in front of the loop, moved there where it is computed behind the loop from values that are there already.
fn available(value: Value, before: Block, idom: &HashMap<Block, Block>, one: &Loop, fuel: u32) -> Option<Value> {
    let fuel = fuel.checked_sub(1)?;
    if !value.is_instruction() || loops::dominates(idom, value.block(), before) {
        return Some(value);
    }
    if one.blocks.contains(&value.block()) {
        return None;
    }
    if is_phi(value) {
        // Only what LCSSA form asks for.
        let incoming = value.incoming();
        let [(inner, _)] = incoming[..] else { return None };
        return available(inner, before, idom, one, fuel);
    }
    if !is_harmless(value) {
        return None;
    }
    let operands = value.operands().into_iter().map(|v| available(v, before, idom, one, fuel));
    let operands = operands.collect::<Option<Vec<Value>>>()?;
    let copy = value.clone_instruction();
    Builder::before_terminator(before).insert(copy);
    operands.into_iter().enumerate().for_each(|(index, operand)| copy.set_operand(index as u32, operand));
    Some(copy)
}

/// Whether an instruction of a closed form can be computed in another place: no trap, no memory.
fn is_harmless(value: Value) -> bool {
    match value.opcode() {
        Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMURem | Opcode::LLVMSRem => {
            value.operand(1).as_i64().is_some_and(|d| d != 0 && d != -1)
        }
        Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMMul | Opcode::LLVMShl | Opcode::LLVMLShr | Opcode::LLVMAShr => {
            true
        }
        Opcode::LLVMAnd | Opcode::LLVMOr | Opcode::LLVMXor | Opcode::LLVMICmp | Opcode::LLVMSelect => true,
        Opcode::LLVMTrunc | Opcode::LLVMZExt | Opcode::LLVMSExt | Opcode::LLVMPtrToInt => true,
        Opcode::LLVMGetElementPtr | Opcode::LLVMFreeze => true,
        Opcode::LLVMCall => value.called_function().is_some_and(|f| {
            let name = f.name();
            ["llvm.umin.", "llvm.umax.", "llvm.smin.", "llvm.smax.", "llvm.abs."].iter().any(|p| name.starts_with(p))
        }),
        _ => false,
    }
}

/// Removes what computed induction variables that nothing uses any more.
fn sweep(function: Function, kept: &[Value]) {
    let removable = |v: &Value| (is_phi(*v) || is_harmless(*v)) && !kept.contains(v);
    loop {
        let mut removed = false;
        for value in instructions(function).filter(removable).collect::<Vec<_>>() {
            let users = value.users();
            if users.is_empty() {
                value.erase();
                removed = true;
            } else if is_phi(value) && users.iter().all(|u| *u == users[0] && u.is_instruction() && *u != value) {
                // A phi and the step of it, which use one another and are used by nothing else.
                let step = users[0];
                let users = step.users();
                if removable(&step) && !is_phi(step) && !users.is_empty() && users.iter().all(|u| *u == value) {
                    value.replace_all_uses_with(value.ty().poison());
                    value.erase();
                    removed = true;
                    break;
                }
            }
        }
        if !removed {
            return;
        }
    }
}

/// Whether a value is a phi of the header that counts from 0 by 1.
fn counts(value: Value, one: &Loop) -> bool {
    is_phi(value)
        && value.block() == one.header
        && value.incoming().into_iter().all(|(v, from)| {
            if one.latches.contains(&from) {
                v.is_instruction()
                    && v.opcode() == Opcode::LLVMAdd
                    && v.operand(0) == value
                    && v.operand(1).as_u64() == Some(1)
            } else {
                v.is_null()
            }
        })
}

fn name_values(counters: &Counters) {
    for (index, counter) in counters.loops.iter().enumerate() {
        counter.phi.set_name(&format!("ct.i.{index}"));
    }
}

/// A phi of the predecessor's number in each block with several that is no loop's header; predecessors are numbered in reverse postorder.
fn insert_selectors(function: Function) -> Vec<(Block, Value)> {
    let headers: HashSet<Block> = loops::loops(function).into_iter().map(|l| l.header).collect();
    let mut predecessors = loops::predecessors(function);
    let order = loops::reverse_postorder(function);
    let place: HashMap<Block, usize> = order.iter().enumerate().map(|(i, b)| (*b, i)).collect();
    predecessors.values_mut().for_each(|all| all.sort_by_key(|b| place.get(b).copied().unwrap_or(usize::MAX)));
    let number = function.value().context().int(32);
    let mut selectors = Vec::new();
    for block in function.blocks() {
        let from = &predecessors[&block];
        let Some(first) = block.first().filter(|_| from.len() > 1 && !headers.contains(&block)) else { continue };
        let phi = Builder::before(first).phi(number);
        phi.set_name("ct.from");
        for (index, before) in from.iter().enumerate() {
            edges(*before, block).for_each(|_| phi.add_incoming(number.int_value(index as u64), *before));
        }
        selectors.push((block, phi));
    }
    selectors
}
