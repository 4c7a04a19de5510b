//! Floats of absent variants, set to zero.
//!
//! Where an enum becomes another variant, a reverse sweep would take what lies in its shadow for the adjoint of the new variant's floats. So `core` has a marker that
//! asks for zeros there ([`MARKER_ABSENT`]), in a function whose parameter leads to the enum. In the place of the marker comes a function that looks at what tells the
//! variant, and sets to zero the floats of all others, but for those bytes which
//!
//! - are floats of the variant itself,
//! - or tell variants inside of it,
//! - or are of a pointer, a length or another number so small that as a float it is none worth the name: those are structure. (Greater numbers are put back
//!   when the derivative is over.)

use super::shapes::{Choice, Shape};
use super::types::{Layouts, Leaf, Run};
use crate::diag::Diagnostic;
use crate::llvm::{Block, Builder, Function, IntPredicate, Linkage, Module, Node, NodeKind, Opcode, Place, Value};
use crate::maps::HashMap;
use cotangent_contract::MARKER_ABSENT;
use std::collections::BTreeSet;

/// Writes what the markers of a program ask for.
///
/// # Errors
/// Where a type is not known.
pub fn lower(program: Module) -> Result<(), Vec<Diagnostic>> {
    let Some(marker) = program.function(MARKER_ABSENT) else { return Ok(()) };
    let is_call = |user: &Value| user.is_instruction() && user.called_function() == Some(marker);
    let (mut layouts, mut known, mut errors) = (Layouts::default(), HashMap::default(), Vec::new());
    for call in marker.value().users().into_iter().filter(is_call) {
        let caller = call.block().function();
        let Some((ty, shape)) = pointee(caller).and_then(|ty| Some((ty, layouts.shape(ty)?))) else {
            errors.push(
                Diagnostic::internal("the variants of an enum in a shadow are not known")
                    .note(format!("in `{}`, whose debug information says nothing of them", caller.name())),
            );
            continue;
        };
        let function = *known.entry(ty).or_insert_with(|| write(program, &shape, ty.size()));
        let builder = Builder::before(call);
        builder.set_location_of(Some(call));
        builder.call(function, &call.arguments());
        call.erase();
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// What the first parameter of a function leads to.
fn pointee(function: Function) -> Option<Node> {
    let types = function.variables().into_iter().map(|variable| variable.ty);
    types.filter(|ty| ty.kind() == NodeKind::Pointer && ty.name().starts_with("&mut ")).find_map(Node::base)
}

fn write(module: Module, shape: &Shape, size: u64) -> Function {
    let context = module.context();
    let function = module.add_function("ct.absent", context.void().function(&[context.ptr()]));
    function.set_linkage(Linkage::LLVMInternalLinkage);
    for attribute in ["nounwind", "willreturn", "nosync", "nofree"] {
        function.add_attribute(Place::Whole, attribute, 0);
    }
    let writer = Writer { module, function, builder: Builder::at_end(function.append_block("entry")), size };
    shape.choices.iter().for_each(|choice| writer.choice(choice));
    writer.builder.ret_void();
    function
}

struct Writer {
    module: Module,
    function: Function,
    builder: Builder,
    /// Bytes of the enum.
    size: u64,
}

impl Writer {
    fn block(&self, name: &str) -> Block {
        self.function.append_block(name)
    }

    fn at(&self, at: u64) -> Value {
        let context = self.module.context();
        let place = self.function.params()[0];
        self.builder.gep(context.int(8), place, &[context.int(64).int_value(at)])
    }

    fn load(&self, at: u64, bytes: u64) -> Value {
        let load = self.builder.load(self.module.context().int(8 * bytes as u32), self.at(at));
        load.set_alignment(1);
        load
    }

    /// In each variant, the floats of the others.
    fn choice(&self, choice: &Choice) {
        // Nobody knows what there is in a union.
        let Some(tag) = choice.tag else { return };
        let found = self.load(tag.at, tag.leaf.bytes());
        let (done, otherwise) = (self.block("done"), self.block("otherwise"));
        let switch = self.builder.switch(found, otherwise, choice.arms.len() as u32);
        let mut has_other = false;
        for arm in &choice.arms {
            let block = match arm.value {
                Some(value) => {
                    let block = self.block("variant");
                    switch.add_case(found.ty().int_value(value), block);
                    block
                }
                None => {
                    has_other = true;
                    otherwise
                }
            };
            self.builder.position_at_end(block);
            let others = choice.arms.iter().filter(|other| !std::ptr::eq(*other, arm));
            self.blank(&arm.shape, others.map(|other| &other.shape));
            self.builder.br(done);
        }
        if !has_other {
            self.builder.position_at_end(otherwise);
            self.builder.br(done);
        }
        self.builder.position_at_end(done);
    }

    /// Sets the floats of other variants to zero where there is this one.
    fn blank<'s>(&self, own: &Shape, others: impl Iterator<Item = &'s Shape>) {
        let mut is_own_float = vec![false; self.size as usize];
        floats(own, self.size).for_each(|(at, bytes)| is_own_float[at as usize..(at + bytes) as usize].fill(true));
        let mut is_tag = vec![false; self.size as usize];
        mark_tags(own, 0, &mut is_tag);
        let all: BTreeSet<(u64, u64)> = others.flat_map(|other| floats(other, self.size)).collect();
        for (at, bytes) in all {
            let range = at as usize..(at + bytes) as usize;
            if !is_own_float[range.clone()].contains(&true) {
                self.blank_one(at, &is_tag[range]);
            }
        }
    }

    fn blank_one(&self, at: u64, is_tag: &[bool]) {
        let word = self.load(at, is_tag.len() as u64);
        let ty = word.ty();
        let exponent = ty.int_value(if is_tag.len() == 8 { 0x7ff << 52 } else { 0xff << 23 });
        let exponent = self.builder.binary(Opcode::LLVMAnd, word, exponent);
        let is_structure = self.builder.icmp(IntPredicate::LLVMIntEQ, exponent, ty.zero());
        let kept = is_tag.iter().enumerate().filter(|(_, is_tag)| **is_tag).fold(0, |kept, (i, _)| kept | 0xff << (8 * i));
        let blank = self.builder.binary(Opcode::LLVMAnd, word, ty.int_value(kept));
        self.builder.store(self.builder.select(is_structure, word, blank), self.at(at)).set_alignment(1);
    }
}

/// The floats of all variants of a shape, and how many bytes they have.
fn floats(shape: &Shape, size: u64) -> impl Iterator<Item = (u64, u64)> + use<> {
    let mut found = Vec::new();
    shape.meet(0, size, &mut |at, leaf| {
        if let Leaf::Float(bytes) = leaf {
            found.push((at, bytes));
        }
    });
    found.into_iter()
}

/// Marks the bytes that tell variants inside of a shape.
fn mark_tags(shape: &Shape, behind: u64, is_tag: &mut [bool]) {
    for row in &shape.rows {
        (0..row.count).for_each(|index| mark_tags(&row.element, behind + row.at + index * row.size, is_tag));
    }
    for choice in &shape.choices {
        if let Some(Run { at, leaf, .. }) = choice.tag {
            let begin = (behind + at) as usize;
            is_tag[begin..begin + leaf.bytes() as usize].fill(true);
        }
        choice.arms.iter().for_each(|arm| mark_tags(&arm.shape, behind, is_tag));
    }
}
