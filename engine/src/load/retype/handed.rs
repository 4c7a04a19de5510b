//! Small aggregates that functions take and return as integers become what they are made of.
//!
//! Rust hands over a `[f64; 1]`, a `[f32; 2]` or a record of an `f32` and two `u16` as one integer, and an integer has no derivative. Most such functions are inlined (see
//! [`crate::ir::handed`]); one that stays a call gets another signature here, of floats and of the numbers between them.
//!
//! **Promise:** the program computes the same bits, whatever they are of, so that the evidence for a float may be a single use as one.

use super::evidence::Kind;
use super::lanes::{Source, atoms_of, floats_of, sources};
use super::rewrite::{Slot, cut, put_together};
use crate::ir;
use crate::ir::table::is_table;
use crate::llvm::{Block, Builder, Function, Module, Opcode, Place, Type, Value};
use crate::load::parted::joined;
use std::collections::HashSet;

/// The passes that leave nothing of an integer that was put together for a call and taken apart again.
const FOLDED: &str = "instcombine<no-verify-fixpoint>,bdce,instcombine<no-verify-fixpoint>,loop-simplify,lcssa";

/// Changes the signatures of all functions that are called by name alone, but for the one that is differentiated.
///
/// # Errors
/// LLVM's message where it does not know a pass.
pub fn run(module: Module, root: Function) -> Result<(), String> {
    let mut touched = HashSet::new();
    // What one function does with a part of its parameter tells what another hands on.
    loop {
        let open = ir::bodies(module).into_iter().filter(|f| *f != root);
        let Some((function, signature)) = open.filter_map(|f| Some((f, Signature::of(f)?))).next() else { break };
        for call in calls_of(function).unwrap_or_default() {
            touched.insert(call.block().function());
        }
        touched.remove(&function);
        touched.insert(signature.apply(module, function));
    }
    let touched = ir::bodies(module).into_iter().filter(|function| touched.contains(function));
    touched.into_iter().try_for_each(|function| function.run_passes(FOLDED))
}

/// The calls of a function, if nothing else is done with it.
fn calls_of(function: Function) -> Option<Vec<Value>> {
    let users = function.value().users();
    let is_call = |user: &Value| {
        user.is_instruction()
            && user.opcode() == Opcode::LLVMCall
            && user.called_function() == Some(function)
            && user.called_type() == function.ty()
            && user.bundle_count() == 0
            && !user.arguments().contains(&function.value())
    };
    users.iter().all(is_call).then_some(users)
}

/// What is handed over in the place of an integer; none where it stays as it is.
type Parts = Option<Vec<Slot>>;

/// What a function is to take and to return.
struct Signature {
    params: Vec<Parts>,
    result: Parts,
}

impl Signature {
    /// None where everything stays.
    fn of(function: Function) -> Option<Signature> {
        let ty = function.ty();
        let is_wide = |ty: Type| ty.is_int() && atoms_of(ty) > 0;
        // Calls through pointers have their type from the program.
        if ty.is_variadic() || is_table(function) || !(is_wide(ty.result()) || ty.params().into_iter().any(is_wide)) {
            return None;
        }
        let calls = calls_of(function)?;
        let param = |(index, value): (usize, Value)| {
            parts(value.ty(), &|atom| {
                let given =
                    || calls.iter().find_map(|call| made_of(call.arguments()[index], atom, &mut HashSet::new()));
                used_as(value, atom, &mut HashSet::new()).or_else(given)
            })
        };
        let returned: Vec<Value> = returns(function).into_iter().map(|ret| ret.operand(0)).collect();
        let result = parts(ty.result(), &|atom| {
            let used = || calls.iter().find_map(|call| used_as(*call, atom, &mut HashSet::new()));
            returned.iter().find_map(|value| made_of(*value, atom, &mut HashSet::new())).or_else(used)
        });
        let params: Vec<Parts> = function.params().into_iter().enumerate().map(param).collect();
        (result.is_some() || params.iter().any(Option::is_some)).then_some(Signature { params, result })
    }

    /// Puts a function with this signature in a function's place.
    fn apply(&self, module: Module, function: Function) -> Function {
        let old = function.ty();
        let context = old.context();
        let types = |slots: &[Slot]| slots.iter().map(|slot| slot.ty(context)).collect::<Vec<Type>>();
        let params = old.params().into_iter().zip(&self.params);
        let params = params.flat_map(|(ty, parts)| parts.as_deref().map_or_else(|| vec![ty], types));
        let result = match self.result.as_deref().map(types).as_deref() {
            None => old.result(),
            Some(&[one]) => one,
            Some(several) => context.structure(several),
        };
        let name = function.name();
        function.value().set_name("");
        let new = module.add_function(&name, result.function(&params.collect::<Vec<Type>>()));
        self.copy_attributes(function, new);
        for call in calls_of(function).unwrap_or_default() {
            self.call(call, new);
        }
        self.adopt(function, new);
        function.erase();
        new
    }

    fn copy_attributes(&self, from: Function, to: Function) {
        to.set_linkage(from.linkage());
        to.set_convention(from.convention());
        to.copy_attributes(from, Place::Whole, Place::Whole);
        if self.result.is_none() {
            to.copy_attributes(from, Place::Result, Place::Result);
        }
        self.kept().for_each(|(old, new)| to.copy_attributes(from, Place::Param(old), Place::Param(new)));
        if from.has_subprogram() {
            to.share_subprogram(from);
            from.clear_subprogram();
        }
    }

    /// The parameters that stay as they are: their numbers before and after.
    fn kept(&self) -> impl Iterator<Item = (u32, u32)> {
        let mut next = 0;
        let numbered = (0..).zip(&self.params).map(move |(old, parts)| {
            let new = next;
            next += parts.as_ref().map_or(1, |parts| parts.len() as u32);
            (old, new, parts)
        });
        numbered.filter(|(.., parts)| parts.is_none()).map(|(old, new, _)| (old, new))
    }

    /// Moves the body.
    fn adopt(&self, from: Function, to: Function) {
        from.blocks().into_iter().for_each(|block| block.move_into(to));
        let Some(first) = to.entry().first() else { return };
        let builder = Builder::before(first);
        let mut params = to.params().into_iter();
        for (old, parts) in from.params().into_iter().zip(&self.params) {
            let new = match parts {
                None => params.next(),
                Some(slots) => {
                    let pieces: Vec<(Slot, Value)> = slots.iter().copied().zip(params.by_ref()).collect();
                    Some(put_together(&builder, old.ty(), &pieces))
                }
            };
            new.into_iter().for_each(|new| old.replace_all_uses_with(new));
        }
        let Some(slots) = &self.result else { return };
        for ret in returns(to) {
            let builder = Builder::before(ret);
            builder.set_location_of(Some(ret));
            let parts: Vec<Value> = slots.iter().map(|slot| slot.slice(&builder, ret.operand(0))).collect();
            let whole = match parts[..] {
                [one] => one,
                _ => {
                    let parts = (0..).zip(parts);
                    parts.fold(to.ty().result().poison(), |all, (i, part)| builder.insert_value(all, part, i))
                }
            };
            ret.set_operand(0, whole);
        }
    }

    /// Puts a call of `new` in the place of a call.
    fn call(&self, call: Value, new: Function) {
        let builder = Builder::before(call);
        builder.set_location_of(Some(call));
        let mut arguments = Vec::new();
        for (value, parts) in call.arguments().into_iter().zip(&self.params) {
            match parts {
                None => arguments.push(value),
                Some(slots) => arguments.extend(slots.iter().map(|slot| slot.slice(&builder, value))),
            }
        }
        let made = builder.call(new, &arguments);
        made.set_call_convention(call.call_convention());
        made.copy_call_attributes_at(call, Place::Whole, Place::Whole);
        self.kept().for_each(|(old, new)| made.copy_call_attributes_at(call, Place::Param(old), Place::Param(new)));
        let whole = match &self.result {
            None => made,
            Some(slots) => {
                let piece = |i| if slots.len() == 1 { made } else { builder.extract_value(made, i) };
                let pieces: Vec<(Slot, Value)> = (0..).zip(slots).map(|(i, slot)| (*slot, piece(i))).collect();
                put_together(&builder, call.ty(), &pieces)
            }
        };
        if !call.ty().is_void() {
            call.replace_all_uses_with(whole);
        }
        call.erase();
    }
}

fn returns(function: Function) -> Vec<Value> {
    let ends = function.blocks().into_iter().filter_map(Block::terminator);
    ends.filter(|end| end.opcode() == Opcode::LLVMRet && end.operand_count() == 1).collect()
}

/// What an integer consists of, by what is known of its atoms; none where no float is among them.
fn parts(ty: Type, kind: &dyn Fn(u32) -> Option<Kind>) -> Parts {
    let atoms = if ty.is_int() { atoms_of(ty) } else { 0 };
    cut(&(0..atoms).map(kind).collect::<Vec<_>>())
}

/// What somebody uses an atom of a value as.
fn used_as(value: Value, atom: u32, seen: &mut HashSet<(Value, u32)>) -> Option<Kind> {
    if !seen.insert((value, atom)) {
        return None;
    }
    let users = value.users().into_iter().filter(|user| user.is_instruction());
    users.into_iter().find_map(|user| {
        if user.opcode() == Opcode::LLVMBitCast
            && let Some(kind) = float_at(user.ty(), atom)
        {
            return Some(kind);
        }
        if joined(user).contains(&value) {
            return used_as(user, atom, seen);
        }
        let moved = sources(user)?;
        (0..)
            .zip(moved)
            .find_map(|(to, from)| if from == Source::Atom(value, atom) { used_as(user, to, seen) } else { None })
    })
}

/// What an atom of a value was made of.
fn made_of(value: Value, atom: u32, seen: &mut HashSet<(Value, u32)>) -> Option<Kind> {
    if !value.is_instruction() || !seen.insert((value, atom)) {
        return None;
    }
    if value.opcode() == Opcode::LLVMBitCast
        && let Some(kind) = float_at(value.operand(0).ty(), atom)
    {
        return Some(kind);
    }
    let joined = joined(value);
    if !joined.is_empty() {
        return joined.into_iter().find_map(|one| made_of(one, atom, seen));
    }
    match sources(value)?.get(atom as usize)? {
        Source::Atom(from, at) => made_of(*from, *at, seen),
        Source::Zero => None,
    }
}

/// What an atom of a float, or of a vector of floats, is.
fn float_at(ty: Type, atom: u32) -> Option<Kind> {
    let kinds = Kind::of_float(floats_of(ty)?.0);
    Some(kinds[atom as usize % kinds.len()])
}
