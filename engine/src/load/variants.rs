//! What is moved out of an enum without being looked at: words.
//!
//! `match shape { Shape::Circle(radius) => Shape::Circle(*radius), Shape::Path(points) => Shape::Path(points.clone()) }`: LLVM keeps what both variants hold
//! at one place in one value, and gives that the type of either. A load that is only moved on from there may so be of a float and have the type of a
//! pointer. What is loaded beside a discriminant, and moved and nothing else, is therefore moved as a word (see [`crate::analysis::activity`]): what it is shows
//! when it is there.

use crate::ir::tag::{self, Tag};
use crate::llvm::{Builder, Function, Opcode, Value};
use std::collections::{HashMap, HashSet};

/// More joins than this are not followed.
const LARGEST: usize = 64;

/// Marks such loads and the stores that they are moved to, in one function; pointers among them become integers.
pub fn run(function: Function) {
    let loads = || {
        let all = function.blocks().into_iter().flat_map(|b| b.instructions());
        all.filter(|i| i.opcode() == Opcode::LLVMLoad && !i.is_volatile() && !i.is_atomic())
    };
    let tagged: HashSet<Value> =
        loads().filter(|l| Tag::of(*l).is_some() || may_tell(*l)).map(|l| beginning(function, l.operand(0))).collect();
    if tagged.is_empty() {
        return;
    }
    let is_beside = |load: &Value| Tag::of(*load).is_none() && tagged.contains(&beginning(function, load.operand(0)));
    let open: Vec<Value> = loads().filter(is_beside).collect();
    let mut done: HashSet<Value> = HashSet::new();
    for load in &open {
        if done.contains(load) {
            continue;
        }
        let Some(mut moves) = Moves::of(*load) else { continue };
        // What is joined with it is moved with it.
        loop {
            let is_new = |v: &Value| open.contains(v) && !moves.loads.contains(v) && !done.contains(v);
            let Some(more) = moves.joined().find(is_new) else { break };
            match Moves::of(more) {
                Some(others) if more.ty() == load.ty() => moves.take(others),
                _ => {
                    done.insert(more);
                }
            }
        }
        done.extend(&moves.loads);
        settle(&moves);
    }
}

/// Whether a load reads a small number that something depends on: the discriminant of an enum with fields of a byte or with a layout that its user has chosen,
/// or a flag, which is as good here.
fn may_tell(load: Value) -> bool {
    fn decides(value: Value, depth: usize) -> bool {
        value.users().iter().any(|user| match user.opcode() {
            Opcode::LLVMSwitch => user.operand(0) == value,
            Opcode::LLVMICmp => true,
            Opcode::LLVMTrunc => user.ty().bits() == 1,
            Opcode::LLVMZExt | Opcode::LLVMSExt => depth > 0 && decides(*user, depth - 1),
            _ => false,
        })
    }
    load.ty().is_int() && load.ty().bits() <= 32 && decides(load, 1)
}

/// What an address is so many bytes behind of.
fn beginning(function: Function, mut address: Value) -> Value {
    while address.is_instruction() && address.opcode() == Opcode::LLVMGetElementPtr {
        let (_, variable) = crate::analysis::spot::gep_parts(function.module(), address);
        if !variable.is_empty() {
            break;
        }
        address = address.operand(0);
    }
    address
}

/// Where a load is moved to.
struct Moves {
    /// All that are joined with it and come out of loads of the same kind.
    loads: Vec<Value>,
    joins: Vec<Value>,
    stores: Vec<Value>,
}

impl Moves {
    /// The moves of a load, if nobody looks at it.
    fn of(load: Value) -> Option<Moves> {
        let ty = load.ty();
        if !(ty.is_pointer() || (ty.is_int() && matches!(ty.bits(), 32 | 64))) {
            return None;
        }
        let mut moves = Moves { loads: vec![load], joins: Vec::new(), stores: Vec::new() };
        let mut open = vec![load];
        while let Some(value) = open.pop() {
            for user in value.users() {
                match user.opcode() {
                    Opcode::LLVMStore if user.operand(0) == value && user.operand(1) != value => {
                        if user.is_volatile() || user.is_atomic() {
                            return None;
                        }
                        moves.stores.push(user);
                    }
                    Opcode::LLVMSelect if user.operand(0) == value => return None,
                    Opcode::LLVMPHI | Opcode::LLVMSelect => {
                        if !moves.joins.contains(&user) {
                            moves.joins.push(user);
                            open.push(user);
                        }
                    }
                    _ => return None,
                }
            }
            if moves.joins.len() > LARGEST {
                return None;
            }
        }
        (!moves.stores.is_empty()).then_some(moves)
    }

    /// What is joined.
    fn joined(&self) -> impl Iterator<Item = Value> + '_ {
        self.joins.iter().flat_map(|join| match join.opcode() {
            Opcode::LLVMPHI => join.incoming().into_iter().map(|(v, _)| v).collect(),
            _ => vec![join.operand(1), join.operand(2)],
        })
    }

    fn take(&mut self, more: Moves) {
        let add = |to: &mut Vec<Value>, from: Vec<Value>| {
            let new: Vec<Value> = from.into_iter().filter(|v| !to.contains(v)).collect();
            to.extend(new);
        };
        add(&mut self.loads, more.loads);
        add(&mut self.joins, more.joins);
        add(&mut self.stores, more.stores);
    }
}

/// Makes words of them.
fn settle(moves: &Moves) {
    let context = moves.loads[0].context();
    if !moves.loads[0].ty().is_pointer() {
        moves.loads.iter().chain(&moves.stores).for_each(|access| tag::mark_word(*access));
        return;
    }
    let word = context.int(64);
    let mut new: HashMap<Value, Value> = HashMap::new();
    for load in &moves.loads {
        let builder = Builder::before(*load);
        builder.set_location_of(Some(*load));
        let again = builder.load(word, load.operand(0));
        again.set_alignment(load.alignment());
        tag::mark_word(again);
        new.insert(*load, again);
    }
    let phis = || moves.joins.iter().filter(|j| j.opcode() == Opcode::LLVMPHI);
    for phi in phis() {
        let builder = Builder::before(*phi);
        builder.set_location_of(Some(*phi));
        new.insert(*phi, builder.phi(word));
    }
    for phi in phis() {
        for (value, from) in phi.incoming() {
            let value = number(value, &Builder::before_terminator(from), moves, &mut new);
            new[phi].add_incoming(value, from);
        }
    }
    for store in &moves.stores {
        let builder = Builder::before(*store);
        builder.set_location_of(Some(*store));
        let value = number(store.operand(0), &builder, moves, &mut new);
        let again = builder.store(value, store.operand(1));
        again.set_alignment(store.alignment());
        tag::mark_word(again);
        store.erase();
    }
    for join in &moves.joins {
        join.replace_all_uses_with(join.ty().zero());
    }
    moves.joins.iter().for_each(|join| join.erase());
    moves.loads.iter().filter(|load| load.users().is_empty()).for_each(|load| load.erase());
}

/// A pointer as a word: what stands for it, or its number, made where the builder stands.
fn number(pointer: Value, builder: &Builder, moves: &Moves, new: &mut HashMap<Value, Value>) -> Value {
    if let Some(known) = new.get(&pointer) {
        return *known;
    }
    if moves.joins.contains(&pointer) {
        // A `select`; phis are there already.
        let before = Builder::before(pointer);
        before.set_location_of(Some(pointer));
        let [first, second] = [1, 2].map(|i| number(pointer.operand(i), &before, moves, new));
        let made = before.select(pointer.operand(0), first, second);
        new.insert(pointer, made);
        return made;
    }
    let word = builder.block().value().context().int(64);
    if pointer.is_undef() {
        return word.zero();
    }
    builder.cast(Opcode::LLVMPtrToInt, pointer, word)
}
