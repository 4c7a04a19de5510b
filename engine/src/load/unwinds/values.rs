//! What lies in a place in the place's stead.
//!
//! Most of what a panic has to undo lies in locals that are written once: a guard, the flag that says whether there is one. An opening bracket takes their addresses, and
//! so keeps them in memory. Where nothing else needs the address and nothing is written there before the bracket is closed, the bracket takes what lies there,
//! and a function around the one that undoes it puts that into a local of its own.
//!
//! What one destructor writes another may read: `let _guard = Clears(&mut names)` empties what is dropped after it. So a local stays where it is if two brackets that are
//! open at one time take it, or one takes it twice.

use super::brackets::Brackets;
use super::{add_unwound, are_in, begin_number, end_number, open, unwound_by};
use crate::analysis::memory::gep_parts;
use crate::llvm::{Block, Builder, Function, Module, Opcode, Type, Value};
use crate::maps::HashSet;
use std::collections::BTreeMap;

/// Larger locals stay where they are.
const MOST_BYTES: u64 = 128;

/// A part of a local, by its offset.
type Parts = BTreeMap<u64, Type>;

/// Hands over what lies in locals wherever that can be done.
pub fn hand_over(function: Function) {
    if !are_in(function.module()) {
        return;
    }
    let all = || function.blocks().into_iter().flat_map(|b| b.instructions());
    let begins: Vec<Value> = all().filter(|i| begin_number(*i).is_some()).collect();
    let (module, shared) = (function.module(), shared(function));
    let mut locals: Vec<(Value, Option<Uses>)> = Vec::new();
    for begin in begins {
        let mut parts = Vec::new();
        for argument in begin.arguments() {
            let is_local = argument.is_instruction() && argument.opcode() == Opcode::LLVMAlloca;
            if shared.contains(&argument) {
                parts.push(None);
                continue;
            }
            if is_local && !locals.iter().any(|(local, _)| *local == argument) {
                locals.push((argument, Uses::of(module, argument)));
            }
            let uses = locals.iter().find(|(local, _)| *local == argument).and_then(|(_, uses)| uses.as_ref());
            parts.push(uses.filter(|uses| !is_written(begin, &uses.writes)).map(|uses| uses.parts.clone()));
        }
        if parts.iter().any(Option::is_some) {
            replace(begin, &parts);
        }
    }
}

/// What several destructors of one panic get to see.
fn shared(function: Function) -> HashSet<Value> {
    let mut shared = HashSet::default();
    for (begin, open) in Brackets::of(function).begins {
        let mut seen: HashSet<Value> = open.iter().flat_map(|outer| outer.arguments()).collect();
        shared.extend(begin.arguments().into_iter().filter(|argument| !seen.insert(*argument)));
    }
    shared
}

/// How a local is used.
struct Uses {
    parts: Parts,
    writes: HashSet<Value>,
}

impl Uses {
    /// None where its address goes anywhere but into brackets.
    fn of(module: Module, local: Value) -> Option<Uses> {
        let bytes = module.size_of(local.allocated_type());
        let (mut parts, mut writes, mut fits) = (Parts::new(), HashSet::default(), true);
        let mut open = vec![(local, 0u64)];
        while let Some((address, at)) = open.pop() {
            for user in address.users() {
                match user.opcode() {
                    Opcode::LLVMGetElementPtr => open.push((user, at.checked_add_signed(offset_of(module, user)?)?)),
                    Opcode::LLVMLoad if user.is_plain() => {
                        fits &= add(module, &mut parts, at, user.ty());
                    }
                    Opcode::LLVMStore
                        if user.operand(1) == address && user.operand(0) != address && !user.is_atomic() =>
                    {
                        fits &= add(module, &mut parts, at, user.operand(0).ty());
                        writes.insert(user);
                    }
                    Opcode::LLVMCall => {
                        let name = user.called_function()?.name();
                        let moves = ["llvm.memcpy", "llvm.memmove", "llvm.memset"].iter().any(|n| name.starts_with(n));
                        if moves && user.operand(0) == address {
                            writes.insert(user);
                        } else if !(moves
                            || begin_number(user).is_some() && address == local
                            || name.starts_with("llvm.lifetime."))
                        {
                            return None;
                        }
                    }
                    _ => return None,
                }
            }
        }
        if bytes > MOST_BYTES {
            return None;
        }
        if !fits || parts.iter().any(|(at, ty)| at + module.store_size_of(*ty) > bytes) {
            parts = Parts::new();
        }
        fill(module, local.context().int(8), &mut parts, bytes);
        Some(Uses { parts, writes })
    }
}

/// The offset of a `getelementptr`, where it is constant.
fn offset_of(module: Module, gep: Value) -> Option<i64> {
    let (constant, variable) = gep_parts(module, gep);
    variable.is_empty().then_some(constant)
}

/// Enters a part; false where it overlaps another, or is none that can be loaded as it is.
fn add(module: Module, parts: &mut Parts, at: u64, ty: Type) -> bool {
    if !(ty.is_int() && ty.bits().is_multiple_of(8)
        || ty.is_pointer()
        || ty.is_float()
        || ty.is_int() && ty.bits() == 1)
    {
        return false;
    }
    if parts.get(&at) == Some(&ty) {
        return true;
    }
    let end = at + module.store_size_of(ty);
    let apart = |(other, of): (&u64, &Type)| *other >= end || other + module.store_size_of(*of) <= at;
    let is_new = parts.iter().all(apart);
    if is_new {
        parts.insert(at, ty);
    }
    is_new
}

/// Enters numbers for all bytes that nobody names.
fn fill(module: Module, byte: Type, parts: &mut Parts, bytes: u64) {
    let mut at = 0;
    while at < bytes {
        if let Some(ty) = parts.get(&at) {
            at += module.store_size_of(*ty);
            continue;
        }
        let end = parts.range(at..).next().map_or(bytes, |(next, _)| *next);
        let size = [8u64, 4, 2, 1].into_iter().find(|size| at.is_multiple_of(*size) && at + size <= end).unwrap_or(1);
        parts.insert(at, byte.context().int(8 * size as u32));
        at += size;
    }
}

/// Whether one of some writes may be done between an opening bracket and its end.
fn is_written(begin: Value, writes: &HashSet<Value>) -> bool {
    let Some(number) = begin_number(begin) else { return true };
    // True where the end is met before the block's.
    let ended = |from: Vec<Value>| -> Option<bool> {
        for instruction in from {
            if writes.contains(&instruction) {
                return None;
            }
            if end_number(instruction) == Some(number) {
                return Some(true);
            }
        }
        Some(false)
    };
    let rest: Vec<Value> = begin.block().instructions().into_iter().skip_while(|i| *i != begin).skip(1).collect();
    let (mut open, mut seen): (Vec<Block>, HashSet<Block>) = match ended(rest) {
        None => return true,
        Some(true) => return false,
        Some(false) => (begin.block().successors(), HashSet::default()),
    };
    while let Some(block) = open.pop() {
        if !seen.insert(block) {
            continue;
        }
        match ended(block.instructions()) {
            None => return true,
            Some(true) => {}
            Some(false) => open.extend(block.successors()),
        }
    }
    false
}

/// Puts an opening bracket that takes parts of some arguments in the place of one that takes their addresses.
fn replace(begin: Value, parts: &[Option<Parts>]) {
    let (Some(inner), Some(number)) = (unwound_by(begin), begin_number(begin)) else { return };
    let (module, context) = (inner.module(), begin.context());
    let byte = context.int(8);
    let builder = Builder::before(begin);
    builder.set_location_of(Some(begin));
    let mut arguments = Vec::new();
    for (argument, parts) in begin.arguments().into_iter().zip(parts) {
        match parts {
            None => arguments.push(argument),
            Some(parts) => arguments.extend(parts.iter().map(|(at, ty)| {
                let load = builder.load(*ty, builder.gep(byte, argument, &[context.int(64).int_value(*at)]));
                load.set_alignment(alignment(argument, *at));
                load
            })),
        }
    }
    let types: Vec<Type> = arguments.iter().map(|a| a.ty()).collect();
    let outer = add_unwound(module, number, context.void().function(&types));
    let inside = Builder::at_end(outer.append_block("start"));
    let mut params = outer.params().into_iter();
    let mut passed = Vec::new();
    for (argument, parts) in begin.arguments().into_iter().zip(parts) {
        let Some(parts) = parts else {
            passed.extend(params.next());
            continue;
        };
        let local = inside.alloca(argument.allocated_type(), "");
        local.set_alignment(argument.alignment());
        for ((at, _), value) in parts.iter().zip(params.by_ref().take(parts.len())) {
            let store = inside.store(value, inside.gep(byte, local, &[context.int(64).int_value(*at)]));
            store.set_alignment(alignment(local, *at));
        }
        passed.push(local);
    }
    inside.call(inner, &passed);
    inside.ret_void();
    open(&builder, outer, &arguments);
    begin.erase();
}

/// The alignment of a place in a local.
fn alignment(local: Value, at: u64) -> u32 {
    let of_place = if at == 0 { 64 } else { 1 << at.trailing_zeros().min(6) };
    local.alignment().min(of_place)
}
