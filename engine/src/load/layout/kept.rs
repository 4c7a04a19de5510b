//! What `core` asks of the variants of enums in a shadow: markers in functions whose parameter leads to a value, of a type that their debug information knows.
//!
//! In the place of each comes a function that goes through the value as its type says: sets the floats of absent variants to zero ([`absent`]), or makes enums the
//! variants that they were ([`found`]).

mod absent;
mod found;

use super::shapes::{Choice, Shape};
use super::types::{Layouts, Leaf};
use crate::analysis::activity::exponent_of;
use crate::diag::Diagnostic;
use crate::llvm::{
    Block, Builder, Function, IntPredicate, Linkage, Module, Node, NodeKind, Opcode, Place, Type, Value,
};
use crate::load::requests::functions_called;
use crate::maps::{HashMap, HashSet};
use cotangent_contract::{MARKER_ABSENT, MARKER_FOUND, MARKER_STAYS, MARKER_VARIES};
use std::collections::BTreeSet;

/// Writes what the markers of a program ask for.
///
/// # Errors
/// Where a type is not known.
pub fn lower(program: Module) -> Result<(), Vec<Diagnostic>> {
    let (mut layouts, mut known, mut errors) = (Layouts::default(), HashMap::default(), Vec::new());
    for name in [MARKER_ABSENT, MARKER_STAYS, MARKER_VARIES, MARKER_FOUND] {
        let Some(marker) = program.function(name) else { continue };
        for call in calls(marker) {
            let caller = call.block().function();
            let Some((ty, shape)) = pointee(caller).and_then(|ty| Some((ty, layouts.shape(ty)?))) else {
                errors.push(
                    Diagnostic::internal("the variants of an enum in a shadow are not known")
                        .note(format!("in `{}`, whose debug information says nothing of them", caller.name())),
                );
                continue;
            };
            let builder = Builder::before(call);
            builder.set_location_of(Some(call));
            let answer = if name == MARKER_VARIES {
                let answer = |varies: bool| call.ty().int_value(varies.into());
                let (any, in_cells) = (shape.has_variants_of_floats(), cells_vary(ty, &mut layouts));
                builder.select(call.arguments()[1], answer(in_cells), answer(any))
            } else {
                let make = || match name {
                    MARKER_ABSENT => absent::write(program, &shape, ty.size()),
                    MARKER_STAYS => absent::write_stays(program, &shape, ty.size(), call.ty()),
                    _ => found::write(program, &shape, ty.size(), call.ty()),
                };
                let function = *known.entry((name, ty)).or_insert_with(make);
                builder.call(function, &call.arguments())
            };
            if call.ty() != call.ty().context().void() {
                call.replace_all_uses_with(answer);
            }
            call.erase();
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Whether there are such variants in cells of a type, as far as no pointer leads to them: the others stay what they are where a value is behind a `&`.
fn cells_vary(ty: Node, layouts: &mut Layouts) -> bool {
    match ty.kind() {
        NodeKind::Alias | NodeKind::Member | NodeKind::Array => ty.base().is_some_and(|base| cells_vary(base, layouts)),
        NodeKind::Struct if ty.name().starts_with("UnsafeCell<") => {
            layouts.shape(ty).is_none_or(|shape| shape.has_variants_of_floats())
        }
        NodeKind::Struct | NodeKind::Union | NodeKind::Variants => {
            ty.elements().into_iter().any(|part| cells_vary(part, layouts))
        }
        _ => false,
    }
}

fn calls(marker: Function) -> Vec<Value> {
    let is_call = |user: &Value| user.is_instruction() && user.called_function() == Some(marker);
    let mut calls: Vec<Value> = marker.value().users().into_iter().filter(is_call).collect();
    // LLVM lists uses backwards; a fixed order makes the output the same in every run.
    calls.reverse();
    calls
}

/// What the first parameter of a function leads to.
fn pointee(function: Function) -> Option<Node> {
    let types = function.variables().into_iter().map(|variable| variable.ty);
    let leads_there =
        |ty: &Node| ty.kind() == NodeKind::Pointer && ["&", "*mut "].iter().any(|way| ty.name().starts_with(way));
    types.filter(leads_there).find_map(Node::base)
}

/// Sizes of what tells the variants of enums with floats that lie behind pointers in shadows of which no `Shadow` keeps the variants: those for which a function asks
/// [whether there are any](MARKER_VARIES). Asked before the markers are [lowered](lower).
pub fn untold(asking: Function) -> Vec<u64> {
    let mut layouts = Layouts::default();
    let (mut sizes, mut seen) = (BTreeSet::new(), HashSet::default());
    let mut open: Vec<Function> = vec![asking];
    let is_of_core = |function: &Function| {
        let name = function.name();
        name.contains("cotangent") && name.contains("shadow")
    };
    while let Some(function) = open.pop() {
        let called = functions_called(function);
        if called.iter().any(|called| called.name() == MARKER_VARIES)
            && let Some(ty) = pointee(function)
        {
            behind(ty, &mut layouts, false, &mut HashSet::default(), &mut sizes);
        }
        open.extend(called.into_iter().filter(|called| is_of_core(called) && seen.insert(*called)));
    }
    sizes.into_iter().collect()
}

/// Adds the sizes of tags of enums with floats to which pointers lead in a type. (A `Vec` knows its elements by its type argument, and so does a `Cell`; but there is no
/// pointer in that.)
fn behind(
    ty: Node,
    layouts: &mut Layouts,
    is_behind: bool,
    seen: &mut HashSet<(Node, bool)>,
    sizes: &mut BTreeSet<u64>,
) {
    if !seen.insert((ty, is_behind)) {
        return;
    }
    if is_behind && let Some(shape) = layouts.shape(ty) {
        let with_floats = shape.choices.iter().filter(|choice| choice.holds_floats());
        sizes.extend(with_floats.filter_map(|choice| Some(choice.tag?.leaf.bytes())));
    }
    let has_pointers =
        ty.kind() == NodeKind::Struct && layouts.shape(ty).is_none_or(|shape| shape.holds(Leaf::Pointer));
    let mut next = |ty: Node, is_behind: bool| behind(ty, layouts, is_behind, seen, sizes);
    match ty.kind() {
        NodeKind::Pointer => ty.base().into_iter().for_each(|base| next(base, true)),
        NodeKind::Alias | NodeKind::Member | NodeKind::Array => {
            ty.base().into_iter().for_each(|base| next(base, is_behind));
        }
        NodeKind::Struct | NodeKind::Union | NodeKind::Variants => {
            ty.elements().into_iter().for_each(|part| next(part, is_behind));
            if has_pointers {
                ty.type_arguments().into_iter().for_each(|argument| next(argument, true));
            }
        }
        _ => {}
    }
}

impl Shape {
    /// Whether there are variants of which some have floats.
    fn has_variants_of_floats(&self) -> bool {
        self.choices.iter().any(Choice::holds_floats)
            || self.rows.iter().any(|row| row.element.has_variants_of_floats())
    }
}

impl Choice {
    fn holds_floats(&self) -> bool {
        self.arms.iter().any(|arm| arm.shape.holds_floats())
    }
}

/// Writes a function that goes through a value.
struct Writer {
    module: Module,
    function: Function,
    builder: Builder,
}

impl Writer {
    /// Of a function of so many pointers.
    fn new(module: Module, name: &str, result: Type, pointers: usize) -> Writer {
        let function = module.add_function(name, result.function(&vec![module.context().ptr(); pointers]));
        function.set_linkage(Linkage::LLVMInternalLinkage);
        for attribute in ["nounwind", "willreturn", "nosync", "nofree"] {
            function.add_attribute(Place::Whole, attribute, 0);
        }
        Writer { module, function, builder: Builder::at_end(function.append_block("entry")) }
    }

    fn block(&self, name: &str) -> Block {
        self.function.append_block(name)
    }

    fn at(&self, place: Value, at: u64) -> Value {
        let context = self.module.context();
        if at == 0 { place } else { self.builder.gep(context.int(8), place, &[context.int(64).int_value(at)]) }
    }

    fn load(&self, place: Value, at: u64, bytes: u64) -> Value {
        let load = self.builder.load(self.module.context().int(8 * bytes as u32), self.at(place, at));
        load.set_alignment(1);
        load
    }

    fn store(&self, value: Value, place: Value, at: u64) {
        self.builder.store(value, self.at(place, at)).set_alignment(1);
    }

    /// Whether a word is a number or an address so small that as a float it is none worth the name.
    fn is_structure(&self, word: Value) -> Value {
        let (fraction, ones) = exponent_of(word.ty());
        let exponent = self.builder.binary(Opcode::LLVMAnd, word, word.ty().int_value(ones << fraction));
        self.builder.icmp(IntPredicate::LLVMIntEQ, exponent, word.ty().zero())
    }

    /// Does something in each of so many places in a row, by a loop where these are many.
    fn times(&self, count: u64, size: u64, places: &[Value], each: &dyn Fn(&[Value])) {
        const MOST: u64 = 4;
        let context = self.module.context();
        let ty = context.int(8).array(size);
        let all = |index: Value| -> Vec<Value> { places.iter().map(|p| self.builder.gep(ty, *p, &[index])).collect() };
        let word = context.int(64);
        if count <= MOST {
            (0..count).for_each(|index| each(&all(word.int_value(index))));
            return;
        }
        let (before, body, after) = (self.builder.block(), self.block("element"), self.block("elements.done"));
        self.builder.br(body);
        self.builder.position_at_end(body);
        let turn = self.builder.phi(word);
        each(&all(turn));
        let next = self.builder.add_exact(turn, word.int_value(1));
        turn.add_incoming(word.zero(), before);
        turn.add_incoming(next, self.builder.block());
        let is_last = self.builder.icmp(IntPredicate::LLVMIntEQ, next, word.int_value(count));
        self.builder.cond_br(is_last, after, body);
        self.builder.position_at_end(after);
    }

    /// Does something in the variant that a number tells; nothing, where it tells none.
    fn by_variant(&self, choice: &Choice, found: Value, each: &dyn Fn(usize)) {
        let (done, otherwise) = (self.block("variant.done"), self.block("otherwise"));
        let switch = self.builder.switch(found, otherwise, choice.arms.len() as u32);
        let mut has_other = false;
        for (index, arm) in choice.arms.iter().enumerate() {
            let block = match arm.value {
                Some(value) => {
                    let block = self.block("variant");
                    switch.add_case(found.ty().int_value(value), block);
                    block
                }
                None if has_other => continue,
                None => {
                    has_other = true;
                    otherwise
                }
            };
            self.builder.position_at_end(block);
            each(index);
            self.builder.br(done);
        }
        if !has_other {
            self.builder.position_at_end(otherwise);
            self.builder.br(done);
        }
        self.builder.position_at_end(done);
    }
}

/// The leaves of all variants of a shape, and where they begin.
fn leaves(shape: &Shape, size: u64) -> Vec<(u64, Leaf)> {
    let mut found = Vec::new();
    shape.meet(0, size, &mut |at, leaf| found.push((at, leaf)));
    found
}
