//! What of a shadow must be as it was when a derivative returns.
//!
//! A derivative does to a shadow's memory what the function does to the primal's, but for floats: nothing in a compiled program tells a count from the length of
//! a vector, and lengths have to follow. The types tell them apart. So the data of a shadow is noted before the derivative runs, and put back
//! after it. *Data* is what is neither float nor structure: numbers, `bool`s, `char`s, strings, enums without fields. Structure (lengths, variants of enums with
//! fields, pointers, keys) stays as the call left it.
//!
//! The notes are one row of numbers, written and read in the order of the fields. What structure may change (elements, variants, what is behind a pointer)
//! is a passage that says how long it is, so that it can be skipped.
//!
//! Memory without floats that the function makes anew may be one block for primal and shadow. What is put back there would change the primal, and the block
//! would be given back twice. So the blocks of the primal are noted when the call is over, and where a shadow has one of them it gets its own.

use super::variants::{Bytes, Lost};
use super::{Shadow, Zeros};
use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::mem;

/// Whether values of a type hold data that a derivative has to leave as it is in a shadow, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Data {
    owned: bool,
    in_cells: bool,
    /// Variants with floats, which a reverse sweep keeps.
    variants: bool,
    variants_in_cells: bool,
}

impl Data {
    /// Nowhere: there are floats and structure only.
    pub const NONE: Data = Data { owned: false, in_cells: false, variants: false, variants_in_cells: false };
    /// Where a `&mut` is needed to change it.
    pub const OWNED: Data = Data { owned: true, ..Data::NONE };
    /// Anywhere, also in cells, where a `&` is enough to change it.
    pub const IN_CELLS: Data = Data { owned: true, in_cells: true, variants: true, variants_in_cells: true };
    /// No data, but an enum of which several variants may hold floats or nothing: in reverse mode its variant stays what it is.
    pub const VARIANT: Data = Data { variants: true, ..Data::NONE };
    /// Of a type of which nothing is known but what the program's debug information says: there may be such enums, also in cells.
    pub const UNTOLD: Data = Data { variants: true, variants_in_cells: true, ..Data::NONE };

    /// Of a type with parts of both.
    #[must_use]
    pub const fn and(self, other: Data) -> Data {
        Data {
            owned: self.owned || other.owned,
            in_cells: self.in_cells || other.in_cells,
            variants: self.variants || other.variants,
            variants_in_cells: self.variants_in_cells || other.variants_in_cells,
        }
    }

    /// [`VARIANT`](Data::VARIANT) for an enum with floats.
    #[must_use]
    pub const fn of_enum(has_floats: bool) -> Data {
        if has_floats { Data::VARIANT } else { Data::NONE }
    }

    /// In a cell what there is can be changed through a `&`.
    pub(super) const fn of_cell(self) -> Data {
        Data { in_cells: self.owned, variants_in_cells: self.variants, ..self }
    }

    /// Whether there is any that can be changed through a `&`, or through a `&mut`.
    pub(super) const fn is_reached(self, shared: bool, reverse: bool) -> bool {
        (if shared { self.in_cells } else { self.owned }) || (reverse && self.has_variants(shared))
    }

    /// Whether there are variants that can be changed through a `&`, or through a `&mut`.
    pub(super) const fn has_variants(self, shared: bool) -> bool {
        if shared { self.variants_in_cells } else { self.variants }
    }
}

/// The data of a shadow, as it was before a derivative ran.
pub struct Kept {
    numbers: Vec<u64>,
    texts: Vec<String>,
    wholes: Vec<Box<dyn Any>>,
    /// Enums in the variants that they were.
    pub(super) bytes: Bytes,
    /// What cannot be put back.
    pub(super) lost: Option<Lost>,
    /// Values with several owners that have been noted.
    shared_values: BTreeSet<usize>,
    /// Variants are noted too.
    reverse: bool,
    /// Only what is in cells is noted: the way to here leads through a `&`.
    shared: bool,
    /// The number that is read next.
    next: usize,
    /// Heap blocks of the primal after the call, where they are asked for. What carries no derivative may have been made once for primal and shadow.
    blocks: BTreeSet<usize>,
    /// Blocks are noted, and nothing else.
    for_blocks: bool,
}

impl Kept {
    pub(super) const fn new(shared: bool) -> Self {
        Kept {
            numbers: Vec::new(),
            texts: Vec::new(),
            wholes: Vec::new(),
            bytes: Bytes::new(),
            lost: None,
            shared_values: BTreeSet::new(),
            reverse: false,
            shared,
            next: 0,
            blocks: BTreeSet::new(),
            for_blocks: false,
        }
    }

    /// What notes variants too, for reverse mode.
    pub(super) fn with_variants(self, reverse: bool) -> Self {
        Kept { reverse, ..self }
    }

    /// What notes the heap blocks of a primal.
    pub(super) fn for_blocks(shared: bool) -> Self {
        Kept { for_blocks: true, ..Kept::new(shared) }
    }

    /// With the blocks of the primal that another has noted.
    pub(super) fn with_blocks_of(self, primal: Kept) -> Self {
        Kept { blocks: primal.blocks, ..self }
    }

    /// Notes the address of something in a heap block that a value owns; 0 is none.
    pub(super) fn block(&mut self, address: usize) {
        if self.for_blocks && address != 0 {
            self.blocks.insert(address);
        }
    }

    /// Gives a shadow its own block where what it has is the primal's.
    pub(super) fn part<T: Shadow>(&self, shadow: &mut T, address: usize) {
        if self.blocks.contains(&address) {
            let own = shadow.zeros(&mut Zeros::default());
            // The block is the primal's to give back.
            mem::forget(mem::replace(shadow, own));
        }
    }

    /// Whether there may be something to note in values of a type.
    pub(super) fn is_for<T: Shadow>(&self) -> bool {
        T::DATA.is_reached(self.shared, self.reverse)
    }

    /// Notes a number.
    #[inline]
    pub fn number(&mut self, number: u64) {
        if !self.shared && !self.for_blocks {
            self.numbers.push(number);
        }
    }

    /// The number that was noted here; `None` where none was, as nothing could change it.
    #[inline]
    #[must_use = "a number that is read is passed"]
    pub fn next_number(&mut self) -> Option<u64> {
        if self.shared { None } else { self.read() }
    }

    /// Notes a text.
    pub(super) fn text(&mut self, text: &str) {
        self.block(address(text.as_bytes()));
        self.number(self.texts.len() as u64);
        if !self.shared && !self.for_blocks {
            self.texts.push(text.to_owned());
        }
    }

    /// The text that was noted here, and whether `shadow` lies in a block of the primal's; `None` where none was.
    pub(super) fn next_text(&mut self, shadow: &str) -> Option<(&str, bool)> {
        let index = self.next_number()?;
        let noted = self.texts.get(usize::try_from(index).ok()?)?;
        Some((noted, self.blocks.contains(&address(shadow.as_bytes()))))
    }

    /// Notes a value that is data as a whole.
    pub(super) fn whole<T: Copy + 'static>(&mut self, value: &T) {
        self.number(self.wholes.len() as u64);
        if !self.shared && !self.for_blocks {
            self.wholes.push(Box::new(*value));
        }
    }

    /// The value that was noted here; `None` where none was.
    pub(super) fn next_whole<T: Copy + 'static>(&mut self) -> Option<T> {
        let index = self.next_number()?;
        self.wholes.get(usize::try_from(index).ok()?)?.downcast_ref().copied()
    }

    /// Notes, as one passage, what is only there while the structure is as it is now: `tag` tells which of them it is (the number of a
    /// variant, a length).
    pub fn passage(&mut self, tag: u64, note: impl FnOnce(&mut Kept)) {
        let start = self.numbers.len();
        self.numbers.extend([tag, 0]);
        note(self);
        self.numbers[start + 1] = self.numbers.len() as u64;
    }

    /// Puts a passage back if `tag` is that with which it was noted, and passes it otherwise.
    pub fn next_passage(&mut self, tag: u64, put_back: impl FnOnce(&mut Kept)) {
        self.any_passage(|kept, noted| {
            if tag == noted {
                put_back(kept);
            }
        });
    }

    /// Puts a passage back, as far as its tag says that it can be, and passes what is left of it.
    pub(super) fn any_passage(&mut self, put_back: impl FnOnce(&mut Kept, u64)) {
        let (Some(tag), Some(end)) = (self.read(), self.read()) else { return };
        put_back(self, tag);
        self.next = end as usize;
    }

    /// Puts the passages inside of one back, in any order: `put_back` is given a function that puts back the first that is left with a tag.
    pub(super) fn passages_by_tag(&mut self, put_back: impl FnOnce(&mut dyn FnMut(u64, &mut dyn FnMut(&mut Kept)))) {
        self.any_passage(|kept, count| {
            let mut starts = BTreeMap::new();
            for _ in 0..count {
                let start = kept.next;
                kept.any_passage(|_, tag| {
                    starts.entry(tag).or_insert(start);
                });
            }
            put_back(&mut |tag, put_back| {
                if let Some(start) = starts.remove(&tag) {
                    kept.next = start;
                    kept.next_passage(tag, put_back);
                }
            });
        });
    }

    /// Goes into a cell, whose contents can be changed however it was reached.
    pub(super) fn in_cell(&mut self, go_on: impl FnOnce(&mut Kept)) {
        let shared = mem::replace(&mut self.shared, false);
        go_on(self);
        self.shared = shared;
    }

    /// Goes to what several own, which can be changed in cells alone.
    pub(super) fn in_shared(&mut self, go_on: impl FnOnce(&mut Kept)) {
        let shared = mem::replace(&mut self.shared, true);
        go_on(self);
        self.shared = shared;
    }

    pub(super) fn is_shared(&self) -> bool {
        self.shared
    }

    pub(super) fn is_reverse(&self) -> bool {
        self.reverse
    }

    pub(super) fn is_for_blocks(&self) -> bool {
        self.for_blocks
    }

    /// Whether what several own is the shadow's alone, so that it can be put back, and is met for the first time: in reverse mode floats are never shared with the
    /// primal.
    pub(super) fn is_own_of_several<T: Shadow>(&mut self, address: usize) -> bool {
        self.reverse && !self.for_blocks && T::FLOATS && self.shared_values.insert(address)
    }

    pub(super) fn read(&mut self) -> Option<u64> {
        let number = self.numbers.get(self.next).copied();
        self.next += 1;
        number
    }
}

/// Where the heap block of elements lies; 0 where there is none.
pub(super) fn address<T>(elements: &[T]) -> usize {
    if size_of_val(elements) == 0 { 0 } else { elements.as_ptr().addr() }
}

/// The same for one element, if there is one.
pub(super) fn address_of<T>(element: Option<&T>) -> usize {
    element.map_or(0, |element| address(std::slice::from_ref(element)))
}

/// Notes the data of elements, and the block that they are in.
pub(super) fn keep_elements<'v, T: Shadow + 'v>(
    block: usize,
    elements: impl ExactSizeIterator<Item = &'v T>,
    kept: &mut Kept,
) {
    if kept.is_for::<T>() {
        kept.block(block);
        kept.passage(elements.len() as u64, |kept| elements.for_each(|element| element.keep(kept)));
    }
}

/// Gives a shadow a block of its own for elements with data.
pub(super) fn part_elements<S: Shadow, T: Shadow>(shadow: &mut S, block: usize, kept: &Kept) {
    if kept.is_for::<T>() {
        kept.part(shadow, block);
    }
}

/// Puts the data of elements back, of as many as there were and still are.
pub(super) fn put_back_elements<T: Shadow, E>(
    elements: impl Iterator<Item = E>,
    kept: &mut Kept,
    put_back: impl Fn(E, &mut Kept),
) {
    if kept.is_for::<T>() {
        kept.any_passage(|kept, count| {
            let count = usize::try_from(count).unwrap_or(usize::MAX);
            elements.take(count).for_each(|element| put_back(element, kept));
        });
    }
}
