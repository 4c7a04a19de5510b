//! Floats of absent variants, set to zero.
//!
//! Where an enum becomes another variant, a reverse sweep would take what lies in its shadow for the adjoint of the new variant's floats. So before it begins, the
//! floats of all variants but the one that is there are zero, but for those bytes which
//!
//! - are floats of the variant itself,
//! - or tell variants inside of it,
//! - or are of a pointer, a length or another number so small that as a float it is none worth the name: those are structure. (Greater numbers are put back
//!   when the derivative is over.)

use super::super::shapes::{Choice, Shape};
use super::super::types::Run;
use super::{Writer, floats};
use crate::llvm::{Function, IntPredicate, Module, Opcode, Value};
use std::collections::BTreeSet;

/// Writes the function of a pointer to a value of so many bytes.
pub fn write(module: Module, shape: &Shape, size: u64) -> Function {
    let writer = Writer::new(module, "ct.absent", module.context().void(), 1);
    writer.blank(shape, size, writer.function.params()[0]);
    writer.builder.ret_void();
    writer.function
}

impl Writer {
    fn blank(&self, shape: &Shape, size: u64, place: Value) {
        for row in shape.rows.iter().filter(|row| row.element.has_variants_of_floats()) {
            let first = self.at(place, row.at);
            self.times(row.count, row.size, &[first], &|places| self.blank(&row.element, row.size, places[0]));
        }
        for choice in shape.choices.iter().filter(|choice| choice.holds_floats()) {
            // Nobody knows what there is in a union.
            let Some(tag) = choice.tag else { continue };
            let found = self.load(place, tag.at, tag.leaf.bytes());
            self.by_variant(choice, found, &|index| {
                self.blank_others(choice, index, size, place);
                self.blank(&choice.arms[index].shape, size, place);
            });
        }
    }

    /// Sets the floats of other variants to zero where there is this one.
    fn blank_others(&self, choice: &Choice, index: usize, size: u64, place: Value) {
        let own = &choice.arms[index].shape;
        let mut is_own_float = vec![false; size as usize];
        for (at, bytes) in floats(own, size) {
            is_own_float[at as usize..(at + bytes) as usize].fill(true);
        }
        let mut is_tag = vec![false; size as usize];
        mark_tags(own, 0, &mut is_tag);
        let mut is_used = is_tag.clone();
        own.cover(&mut is_used);
        let others = choice.arms.iter().enumerate().filter(|(other, _)| *other != index);
        let all: BTreeSet<(u64, u64)> = others.flat_map(|(_, other)| floats(&other.shape, size)).collect();
        for (at, bytes) in all {
            let range = at as usize..(at + bytes) as usize;
            if !is_own_float[range.clone()].contains(&true) {
                self.blank_one(place, at, &is_used[range.clone()], &is_tag[range]);
            }
        }
    }

    fn blank_one(&self, place: Value, at: u64, is_used: &[bool], is_tag: &[bool]) {
        let bits = |bytes: &[bool]| {
            let set = bytes.iter().enumerate().filter(|(_, is_set)| **is_set);
            set.fold(0, |bits, (byte, _)| bits | 0xff << (8 * byte))
        };
        let builder = &self.builder;
        let ty = self.module.context().int(8 * is_tag.len() as u32);
        let only = |word: Value, bits: u64| builder.binary(Opcode::LLVMAnd, word, ty.int_value(bits));
        let (used, tags) = (bits(is_used), bits(is_tag));
        if used == 0 {
            self.store(ty.zero(), place, at);
            return;
        }
        let word = only(self.load(place, at, is_tag.len() as u64), used);
        let exponent = only(word, if is_tag.len() == 8 { 0x7ff << 52 } else { 0xff << 23 });
        let is_structure = builder.icmp(IntPredicate::LLVMIntEQ, exponent, ty.zero());
        self.store(builder.select(is_structure, word, only(word, tags)), place, at);
    }
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
