//! Small aggregates that functions take and return as integers become what they are made of.
//!
//! Rust hands over a `[f64; 1]`, a `[f32; 2]` or a record of an `f32` and two `u16` as one integer, and an integer has no derivative. Most such functions are inlined (see
//! [`crate::ir::handed`]); one that stays a call gets another signature here, of floats and of the numbers between them. Where a float and a number lie at one
//! place, as in an `enum { Int(i32), Float(f32) }`, it is handed over in memory, where the two can be told apart.
//!
//! **Promise:** the program computes the same bits, whatever they are of, so that the evidence for a float may be a single use as one.

use super::evidence::Kind;
use super::lanes::{Source, atoms_of, floats_of, sources};
use super::rewrite::{Slot, cut, put_together};
use crate::ir;
use crate::ir::handed::{is_number, may_return_aggregate};
use crate::ir::table::is_table;
use crate::ir::tag;
use crate::llvm::{Block, Builder, Function, Module, Opcode, Place, Type, Value};
use crate::load::parted::joined;
use crate::maps::HashSet;

/// The passes that leave nothing of an integer that was put together for a call and taken apart again.
const FOLDED: &str = "instcombine<no-verify-fixpoint>,bdce,instcombine<no-verify-fixpoint>,loop-simplify,lcssa";

/// Changes the signatures of all functions that are called by name alone, but for the one that is differentiated.
///
/// # Errors
/// LLVM's message where it does not know a pass.
pub fn run(module: Module, root: Function) -> Result<(), String> {
    let mut touched = HashSet::default();
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

/// How a value is handed over.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Handed {
    /// As it is.
    Whole,
    /// These pieces of an integer.
    Parts(Vec<Slot>),
    /// The address of a variable that holds it.
    InMemory,
}

impl Handed {
    /// How many parameters there are for it.
    fn count(&self) -> usize {
        if let Handed::Parts(slots) = self { slots.len() } else { 1 }
    }
}

/// What a function is to take and to return.
struct Signature {
    params: Vec<Handed>,
    result: Handed,
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
            let is_told = is_number(function, index as u32);
            let given: Vec<Value> = calls.iter().map(|call| call.arguments()[index]).collect();
            handed(value.ty(), is_told, &given, &[value])
        };
        let returned: Vec<Value> = returns(function).into_iter().map(|ret| ret.operand(0)).collect();
        let result = handed(ty.result(), !may_return_aggregate(function), &returned, &calls);
        let params: Vec<Handed> = function.params().into_iter().enumerate().map(param).collect();
        let stays = result == Handed::Whole && params.iter().all(|param| *param == Handed::Whole);
        (!stays).then_some(Signature { params, result })
    }

    /// Puts a function with this signature in a function's place.
    fn apply(&self, module: Module, function: Function) -> Function {
        let old = function.ty();
        let context = old.context();
        let types = |slots: &[Slot]| slots.iter().map(|slot| slot.ty(context)).collect::<Vec<Type>>();
        let params = old.params().into_iter().zip(&self.params).flat_map(|(ty, handed)| match handed {
            Handed::Whole => vec![ty],
            Handed::Parts(slots) => types(slots),
            Handed::InMemory => vec![context.ptr()],
        });
        let place = (self.result == Handed::InMemory).then(|| context.ptr());
        let params: Vec<Type> = params.chain(place).collect();
        let result = match &self.result {
            Handed::Whole => old.result(),
            Handed::InMemory => context.void(),
            Handed::Parts(slots) => match types(slots)[..] {
                [one] => one,
                ref several => context.structure(several),
            },
        };
        let name = function.name();
        function.value().set_name("");
        let new = module.add_function(&name, result.function(&params));
        self.copy_attributes(function, new);
        for call in calls_of(function).unwrap_or_default() {
            self.call(call, new);
        }
        self.adopt(function, new);
        function.erase();
        new
    }

    /// Whether it reads or writes memory that it did not before.
    fn uses_memory(&self) -> bool {
        self.params.contains(&Handed::InMemory) || self.result == Handed::InMemory
    }

    fn copy_attributes(&self, from: Function, to: Function) {
        to.set_linkage(from.linkage());
        to.set_convention(from.convention());
        to.copy_attributes(from, Place::Whole, Place::Whole);
        if self.result == Handed::Whole {
            to.copy_attributes(from, Place::Result, Place::Result);
        }
        if self.uses_memory() {
            to.remove_attribute(Place::Whole, "memory");
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
        let numbered = (0..).zip(&self.params).map(move |(old, handed)| {
            let new = next;
            next += handed.count() as u32;
            (old, new, handed)
        });
        numbered.filter(|(.., handed)| **handed == Handed::Whole).map(|(old, new, _)| (old, new))
    }

    /// Moves the body.
    fn adopt(&self, from: Function, to: Function) {
        from.blocks().into_iter().for_each(|block| block.move_into(to));
        let Some(first) = to.entry().first() else { return };
        let builder = Builder::before(first);
        let mut params = to.params().into_iter();
        for (old, handed) in from.params().into_iter().zip(&self.params) {
            let new = match handed {
                Handed::Whole => params.next(),
                Handed::InMemory => params.next().map(|place| builder.load(old.ty(), place)),
                Handed::Parts(slots) => {
                    let pieces: Vec<(Slot, Value)> = slots.iter().copied().zip(params.by_ref()).collect();
                    Some(put_together(&builder, old.ty(), &pieces))
                }
            };
            new.into_iter().for_each(|new| old.replace_all_uses_with(new));
        }
        for ret in returns(to) {
            let builder = Builder::before(ret);
            builder.set_location_of(Some(ret));
            match &self.result {
                Handed::Whole => {}
                Handed::InMemory => {
                    to.params().last().into_iter().for_each(|place| _ = builder.store(ret.operand(0), *place));
                    builder.ret_void();
                    ret.erase();
                }
                Handed::Parts(slots) => {
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
        }
    }

    /// Puts a call of `new` in the place of a call.
    fn call(&self, call: Value, new: Function) {
        let builder = Builder::before(call);
        builder.set_location_of(Some(call));
        let variable = |ty: Type| {
            let entry = call.block().function().entry();
            let first = entry.first().unwrap_or(call);
            let variable = Builder::before(first).alloca(ty, "ct.handed");
            variable.set_alignment(8);
            variable
        };
        let mut arguments = Vec::new();
        for (value, handed) in call.arguments().into_iter().zip(&self.params) {
            match handed {
                Handed::Whole => arguments.push(value),
                Handed::Parts(slots) => arguments.extend(slots.iter().map(|slot| slot.slice(&builder, value))),
                Handed::InMemory => {
                    let place = variable(value.ty());
                    builder.store(value, place);
                    arguments.push(place);
                }
            }
        }
        let place = (self.result == Handed::InMemory).then(|| variable(call.ty()));
        arguments.extend(place);
        let made = builder.call(new, &arguments);
        made.set_call_convention(call.call_convention());
        made.copy_call_attributes_at(call, Place::Whole, Place::Whole);
        if self.uses_memory() {
            made.remove_call_attribute(Place::Whole, "memory");
        }
        self.kept().for_each(|(old, new)| made.copy_call_attributes_at(call, Place::Param(old), Place::Param(new)));
        let whole = match (&self.result, place) {
            (Handed::Parts(slots), _) => {
                let piece = |i| if slots.len() == 1 { made } else { builder.extract_value(made, i) };
                let pieces: Vec<(Slot, Value)> = (0..).zip(slots).map(|(i, slot)| (*slot, piece(i))).collect();
                put_together(&builder, call.ty(), &pieces)
            }
            (_, Some(place)) => builder.load(call.ty(), place),
            (_, None) => made,
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

/// How an integer is handed over, by what is known of its atoms: of what it was made, and as what it is used. (`is_told`: it is no aggregate, by what rustc says.)
fn handed(ty: Type, is_told: bool, made: &[Value], used: &[Value]) -> Handed {
    let atoms = if ty.is_int() { atoms_of(ty) } else { 0 };
    let kind = |atom: u32| {
        let used = || used.iter().find_map(|value| used_as(*value, atom, &mut HashSet::default()));
        made.iter().find_map(|value| made_of(*value, atom, &mut HashSet::default())).or_else(used)
    };
    let kinds: Vec<Option<Kind>> = (0..atoms).map(kind).collect();
    let Some(slots) = cut(&kinds) else { return Handed::Whole };
    let is_mixed = |atom: u32| {
        kinds[atom as usize].is_some_and(Kind::is_float)
            && made.iter().any(|value| may_be_number(*value, atom, &mut HashSet::default()))
    };
    if !is_told && (0..atoms).any(is_mixed) { Handed::InMemory } else { Handed::Parts(slots) }
}

/// Whether an atom of a value may be something else than a float: it was loaded as a number of the source, or computed.
fn may_be_number(value: Value, atom: u32, seen: &mut HashSet<(Value, u32)>) -> bool {
    if value.is_constant() {
        return !value.is_undef() && !value.is_null();
    }
    if !value.is_instruction() || !seen.insert((value, atom)) {
        return false;
    }
    if value.opcode() == Opcode::LLVMBitCast && floats_of(value.operand(0).ty()).is_some() {
        return false;
    }
    let joined = joined(value);
    if !joined.is_empty() {
        return joined.into_iter().any(|one| may_be_number(one, atom, seen));
    }
    match sources(value).and_then(|sources| sources.get(atom as usize).copied()) {
        Some(Source::Atom(from, at)) => may_be_number(from, at, seen),
        Some(Source::Zero) => false,
        // What is loaded may be either, if the source does not have it as a number; what another call hands over is asked there.
        None => match value.opcode() {
            Opcode::LLVMLoad => tag::is_exact(value),
            Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMMul => atoms_of(value.ty()) == 1,
            _ => false,
        },
    }
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
