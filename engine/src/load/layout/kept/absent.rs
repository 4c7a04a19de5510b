//! Floats of absent variants, set to zero.
//!
//! Where an enum becomes another variant, a reverse sweep would take what lies in its shadow for the adjoint of the new variant's floats. So before it begins, the
//! floats of all variants but the one that is there are zero, but for those bytes which
//!
//! - are floats of the variant itself,
//! - or tell variants inside of it,
//! - or are of a pointer, a length or another number so small that as a float it is none worth the name: those are structure. (Greater numbers are put back
//!   when the derivative is over.)
//!
//! Half of a pointer may look like a narrow float. It stays, and if there is another variant when the derivative is over, it cannot be told whether it was taken for an
//! adjoint ([`write_stays`]).

use super::super::shapes::{Choice, Shape};
use super::super::types::{Leaf, Run};
use super::{Writer, leaves};
use crate::llvm::{Function, Module, Opcode, Type, Value};
use std::collections::BTreeSet;
use std::ops::Range;

/// Writes the function of a pointer to a value of so many bytes.
pub fn write(module: Module, shape: &Shape, size: u64) -> Function {
    let writer = Writer::new(module, "ct.absent", module.context().void(), 1);
    writer.blank(shape, size, writer.function.params()[0]);
    writer.builder.ret_void();
    writer.function
}

/// Writes the function of a pointer to an enum, whose result is whether something stays in it at the place of a float that may be taken for one.
pub fn write_stays(module: Module, shape: &Shape, size: u64, result: Type) -> Function {
    let writer = Writer::new(module, "ct.stays", result, 1);
    let (builder, place) = (&writer.builder, writer.function.params()[0]);
    let stays = builder.alloca(result, "stays");
    builder.store(result.zero(), stays);
    for choice in &shape.choices {
        let Some(tag) = choice.tag else { continue };
        let found = writer.load(place, tag.at, tag.leaf.bytes());
        writer.by_variant(choice, found, &|index| {
            if something_stays(choice, index, size) {
                builder.store(result.int_value(1), stays);
            }
        });
    }
    builder.ret(builder.load(result, stays));
    writer.function
}

/// Whether something in a variant may be taken for a float of another one.
pub fn something_stays(choice: &Choice, index: usize, size: u64) -> bool {
    let own = Own::of(&choice.arms[index].shape, choice, size);
    floats_of_others(choice, index, size).into_iter().any(|(at, bytes)| own.hides(at, bytes))
}

fn floats_of_others(choice: &Choice, index: usize, size: u64) -> BTreeSet<(u64, u64)> {
    let others = choice.arms.iter().enumerate().filter(|(other, _)| *other != index);
    let all = others.flat_map(|(_, other)| leaves(&other.shape, size));
    all.filter(|(_, leaf)| matches!(leaf, Leaf::Float(_))).map(|(at, leaf)| (at, leaf.bytes())).collect()
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

    /// Sets the floats of other variants to zero where there is this one, and all that it does not use.
    fn blank_others(&self, choice: &Choice, index: usize, size: u64, place: Value) {
        let own = Own::of(&choice.arms[index].shape, choice, size);
        let others = choice.arms.iter().enumerate().filter(|(other, _)| *other != index);
        let mut is_other = vec![false; size as usize];
        others.for_each(|(_, other)| other.shape.cover(&mut is_other));
        let zero = self.module.context().int(8).int_value(0);
        for unused in ranges(size, |byte| is_other[byte] && !own.is_used[byte] && !own.is_tag[byte]) {
            let bytes = self.module.context().int(64).int_value(unused.end - unused.start);
            self.builder.memset(self.at(place, unused.start), zero, bytes, 1);
        }
        for Blank { at, bytes, tags } in own.blanks(choice, index, size) {
            // Sets a word to zero, but for what tells variants, where it is none of structure.
            let word = self.load(place, at, bytes);
            let tags = self.builder.binary(Opcode::LLVMAnd, word, word.ty().int_value(tags));
            self.store(self.builder.select(self.is_structure(word), word, tags), place, at);
        }
    }
}

/// A word of a variant that lies where another one has a float, and is zero while the derivative runs unless it is structure.
pub struct Blank {
    pub at: u64,
    pub bytes: u64,
    /// The bits of it that tell variants, and stay.
    pub tags: u64,
}

/// Those of a variant.
pub fn blanks(choice: &Choice, index: usize, size: u64) -> Vec<Blank> {
    Own::of(&choice.arms[index].shape, choice, size).blanks(choice, index, size)
}

/// What a variant has where others have floats.
struct Own {
    leaves: Vec<(u64, Leaf)>,
    has_pointers: bool,
    /// By byte: whether the variant has something there.
    is_used: Vec<bool>,
    /// By byte: whether it tells variants, this one or those inside of it.
    is_tag: Vec<bool>,
}

impl Own {
    fn of(shape: &Shape, choice: &Choice, size: u64) -> Own {
        let mut is_tag = vec![false; size as usize];
        mark_tags(shape, 0, &mut is_tag);
        if let Some(tag) = choice.tag {
            is_tag[tag.at as usize..tag.end() as usize].fill(true);
        }
        let mut is_used = vec![false; size as usize];
        shape.cover(&mut is_used);
        Own { leaves: leaves(shape, size), has_pointers: shape.holds(Leaf::Pointer), is_used, is_tag }
    }

    fn blanks(&self, choice: &Choice, index: usize, size: u64) -> Vec<Blank> {
        let mut blanks = Vec::new();
        for (at, bytes) in floats_of_others(choice, index, size) {
            let range = at as usize..(at + bytes) as usize;
            if self.is_used[range.clone()].contains(&true) && !self.has_float(at, bytes) && !self.hides(at, bytes) {
                let tags = self.is_tag[range].iter().enumerate().filter(|(_, is_tag)| **is_tag);
                let tags = tags.fold(0, |bits, (byte, _)| bits | 0xff << (8 * byte));
                blanks.push(Blank { at, bytes, tags });
            }
        }
        blanks
    }

    fn any(&self, at: u64, bytes: u64, is_such: impl Fn(u64, Leaf) -> bool) -> bool {
        let shares = |begin: u64, leaf: Leaf| begin < at + bytes && at < begin + leaf.bytes();
        self.leaves.iter().any(|(begin, leaf)| shares(*begin, *leaf) && is_such(*begin, *leaf))
    }

    /// Whether a float of another variant shares bytes with one of this.
    fn has_float(&self, at: u64, bytes: u64) -> bool {
        self.any(at, bytes, |_, leaf| matches!(leaf, Leaf::Float(_)))
    }

    /// Whether such a float shares bytes with what must stay, and does not show by itself that it is no float.
    fn hides(&self, at: u64, bytes: u64) -> bool {
        self.any(at, bytes, |begin, leaf| {
            let is_whole = begin == at && leaf.bytes() == bytes;
            match leaf {
                Leaf::Pointer => !is_whole,
                // It may be a length.
                Leaf::Integer(8) => !is_whole && self.has_pointers,
                _ => false,
            }
        })
    }
}

/// The bytes of which something holds, as ranges.
fn ranges(size: u64, holds: impl Fn(usize) -> bool) -> Vec<Range<u64>> {
    let mut found: Vec<Range<u64>> = Vec::new();
    for byte in (0..size).filter(|byte| holds(*byte as usize)) {
        match found.last_mut().filter(|last| last.end == byte) {
            Some(last) => last.end = byte + 1,
            None => found.push(byte..byte + 1),
        }
    }
    found
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
