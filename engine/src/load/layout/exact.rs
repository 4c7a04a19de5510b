//! Moves of records as their types say, variant by variant.
//!
//! Where a place holds a float in one variant and a pointer in another, LLVM makes one register of both, and then nobody knows what is in it. Here such records
//! are moved by functions of their own, which look at what tells the variant and then move each part as what it is. Until the clean-up is done the functions have no
//! bodies, so that LLVM leaves the records in memory.
//!
//! So are the bits of a float taken, and one made of bits: LLVM would load a number where a float lies.
//!
//! A number that is as wide as a float may hold the bits of one (`to_bits`), so it is moved as a word (see [`crate::analysis::activity`]).

use super::moves::{End, type_of};
use super::shapes::{Arm, Choice, Shape};
use super::swaps::Swapping;
use super::tell_record;
use super::types::{Layouts, Leaf, Run};
use crate::analysis::bits::NARROWEST;
use crate::analysis::casts::is_only_compared;
use crate::analysis::spot::said_alignment;
use crate::analysis::widths::only_width;
use crate::ir::tag;
use crate::llvm::{Block, Builder, Function, IntPredicate, Linkage, Module, Node, Opcode, Place, Value};
use std::rc::Rc;

/// So many leaves of a kind, and so many records in a row, are moved one by one; more of them by a loop.
const MOST: u64 = 8;

/// Of the functions that move records at most so many blocks become part of others: an enum of enums is moved by dozens of blocks, in hundreds of places.
const MOST_BLOCKS: usize = 1000;

/// A record that is moved.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// What it consists of.
    pub shape: Rc<Shape>,
    /// Its size in bytes.
    pub size: u64,
    /// What lies between its parts goes with them: it is known of a part of something else, and there may be more.
    pub has_more: bool,
}

impl Record {
    /// What a type consists of.
    pub fn of(ty: Node, layouts: &mut Layouts) -> Option<Record> {
        // A variable may be declared to be of the type of one variant where it is of an enum that has others, in bytes that this one does not need.
        Some(Record { shape: layouts.shape(ty)?, size: ty.size(), has_more: ty.is_variant() })
    }

    /// Whether it is moved without a choice and without a loop.
    pub fn is_straight(&self) -> bool {
        let is_short = |run: &Run| run.count <= MOST || matches!(run.leaf, Leaf::Float(_));
        self.shape.choices.is_empty() && self.shape.rows.is_empty() && self.shape.runs.iter().all(is_short)
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    /// One is copied.
    One,
    /// So many of them are copied as a number of bytes says; the two places may overlap.
    Many(bool),
    /// So many of them are swapped.
    Swap,
}

#[derive(Debug)]
struct Mover {
    record: Record,
    kind: Kind,
    alignment: u64,
    function: Function,
}

impl Mover {
    /// The blocks that it becomes where it is called.
    fn blocks_in_all(&self) -> usize {
        self.function.blocks().len() * self.function.value().users().len()
    }
}

/// What there was to settle.
#[derive(Clone, Copy, Default, Debug)]
pub struct Settled {
    /// Whether functions moved records.
    pub moves_records: bool,
    /// Whether bits of floats are kept as numbers.
    pub takes_bits: bool,
}

/// The functions that move records in a module, and those that cast floats to their bits and back.
#[derive(Debug, Default)]
pub struct Movers {
    movers: Vec<Mover>,
    casts: Vec<Function>,
}

impl Movers {
    /// Has a copy of records be a call.
    pub fn copy(&mut self, copy: Value, record: &Record) {
        let alignment = (0..2).map(|end| said_alignment(copy, end)).min().unwrap_or(1).max(1);
        let kind = match copy.operand(2).as_u64() {
            Some(bytes) if bytes == record.size => Kind::One,
            _ => Kind::Many(copy.called_function().is_some_and(|f| f.name().starts_with("llvm.memmove"))),
        };
        let function = self.function(copy, record, kind, alignment);
        let builder = Builder::before(copy);
        builder.set_location_of(Some(copy));
        builder.call(function, &[0, 1, 2].map(|i| copy.operand(i)));
        copy.erase();
    }

    /// Has a call that swaps records be one of a function that knows them.
    pub fn swap(&mut self, call: Value, record: &Record) {
        let mover = self.function(call, record, Kind::Swap, 1);
        let swapping = Swapping::instead_of(call, record.size);
        swapping.builder.call(mover, &swapping.function.params());
        swapping.end();
    }

    fn function(&mut self, near: Value, record: &Record, kind: Kind, alignment: u64) -> Function {
        let is_same = |m: &&Mover| m.record == *record && m.kind == kind && m.alignment == alignment;
        if let Some(known) = self.movers.iter().find(is_same) {
            return known.function;
        }
        let module = near.block().function().module();
        let (pointer, word, nothing) = (module.context().ptr(), module.context().int(64), module.context().void());
        let function = module.add_function("ct.move", nothing.function(&[pointer, pointer, word]));
        for attribute in ["nounwind", "willreturn", "nosync", "nofree"] {
            function.add_attribute(Place::Whole, attribute, 0);
        }
        self.movers.push(Mover { record: record.clone(), kind, alignment, function });
        function
    }

    /// Has a cast of a float to its bits, or back, be a call.
    pub fn cast(&mut self, cast: Value) {
        let (from, to) = (cast.operand(0).ty(), cast.ty());
        let ty = to.function(&[from]);
        let known = self.casts.iter().find(|function| function.ty() == ty).copied();
        let function = known.unwrap_or_else(|| {
            let function = cast.block().function().module().add_function("ct.cast", ty);
            for attribute in ["nounwind", "willreturn", "nosync", "nofree"] {
                function.add_attribute(Place::Whole, attribute, 0);
            }
            // Of nothing in memory.
            function.add_attribute(Place::Whole, "memory", 0);
            self.casts.push(function);
            function
        });
        let builder = Builder::before(cast);
        builder.set_location_of(Some(cast));
        cast.replace_all_uses_with(builder.call(function, &[cast.operand(0)]));
        cast.erase();
    }

    /// Gives the functions their bodies, which then become part of those that call them, but for the largest where that would be too much.
    pub fn settle(&self, module: Module) -> Settled {
        let mut takes_bits = false;
        let is_narrow_word = only_width(module) == Some(8);
        for function in &self.casts {
            for call in function.value().users() {
                takes_bits |= call.ty().is_int() && !is_only_compared(call);
                let builder = Builder::before(call);
                builder.set_location_of(Some(call));
                call.replace_all_uses_with(builder.cast(Opcode::LLVMBitCast, call.operand(0), call.ty()));
                call.erase();
            }
            function.erase();
        }
        for mover in &self.movers {
            mover.function.set_linkage(Linkage::LLVMInternalLinkage);
            write_body(mover, is_narrow_word);
        }
        let mut sizes: Vec<(usize, Function)> = self.movers.iter().map(|m| (m.blocks_in_all(), m.function)).collect();
        sizes.sort_by_key(|(blocks, _)| *blocks);
        let mut all = 0;
        for (blocks, function) in sizes {
            all += blocks;
            function.add_attribute(Place::Whole, if all <= MOST_BLOCKS { "alwaysinline" } else { "noinline" }, 0);
        }
        Settled { moves_records: !self.movers.is_empty(), takes_bits }
    }
}

/// Moves a [straight](Record::is_straight) record where a copy of it stands.
pub fn write_copy(copy: Value, record: &Record) {
    let [to, from] = [0, 1].map(|end| End { address: copy.operand(end), alignment: said_alignment(copy, end).max(1) });
    let builder = Builder::before(copy);
    builder.set_location_of(Some(copy));
    let function = copy.block().function();
    let writer = Writer { module: function.module(), function, builder, only_doubles: false };
    writer.whole(record, &to, &from);
    copy.erase();
}

/// Writes what moves a record from one place to another.
struct Writer {
    module: Module,
    function: Function,
    builder: Builder,
    only_doubles: bool,
}

impl Writer {
    fn block(&self, name: &str) -> Block {
        self.function.append_block(name)
    }

    /// Moves a record, with all bytes of it that may matter.
    fn whole(&self, record: &Record, to: &End, from: &End) {
        let Record { shape, size, has_more } = record;
        let mut known = vec![false; *size as usize];
        if *has_more {
            shape.cover(&mut known);
            self.unknown(&known, to, from);
            known.iter_mut().for_each(|known| *known = !*known);
        }
        self.shape(shape, &known, to, from);
    }

    /// Moves what a shape has, of a record of which some bytes are moved anyway.
    fn shape(&self, shape: &Shape, moved: &[bool], to: &End, from: &End) {
        for run in &shape.runs {
            self.run(*run, to, from);
        }
        for row in &shape.rows {
            let [to, from] = [to, from].map(|end| end.further(self.module, &self.builder, row.at));
            let none = vec![false; row.size as usize];
            self.times(row.count, row.size, &to, &from, &|to, from| self.shape(&row.element, &none, to, from));
        }
        for (index, choice) in shape.choices.iter().enumerate() {
            let mut moved = moved.to_vec();
            shape.cover_but_for(index, &mut moved);
            self.choice(choice, &moved, to, from);
        }
    }

    /// Moves the bytes of which nothing is known, as numbers that are as wide as can be.
    fn unknown(&self, known: &[bool], to: &End, from: &End) {
        let mut at = 0;
        while at < known.len() {
            let fits = |width: &usize| {
                at.is_multiple_of(*width) && at + width <= known.len() && !known[at..at + width].contains(&true)
            };
            let Some(width) = [8, 4, 2, 1].into_iter().find(fits) else {
                at += 1;
                continue;
            };
            let [to, from] = [to, from].map(|end| end.further(self.module, &self.builder, at as u64));
            let mark = match width {
                8 => tag::mark_exact,
                4 if !self.only_doubles => tag::mark_exact,
                4 => tag::mark_told,
                _ => tag::mark_number,
            };
            self.part(Leaf::Integer(width as u64), &to, &from, mark);
            at += width;
        }
    }

    fn run(&self, run: Run, to: &End, from: &End) {
        let bytes = run.leaf.bytes();
        let [to, from] = [to, from].map(|end| end.further(self.module, &self.builder, run.at));
        if run.count > MOST && matches!(run.leaf, Leaf::Float(_)) {
            let size = self.module.context().int(64).int_value(bytes * run.count);
            let alignment = to.alignment.min(from.alignment).clamp(1, 16) as u32;
            let copy = self.builder.memmove(to.address, from.address, size, alignment);
            tell_record(copy, &[Run { at: 0, ..run }], bytes * run.count);
        } else {
            self.times(run.count, bytes, &to, &from, &|to, from| self.leaf(run.leaf, to, from));
        }
    }

    fn leaf(&self, leaf: Leaf, to: &End, from: &End) {
        self.part(leaf, to, from, self.mark(leaf));
    }

    /// What says of an access that it is one of a leaf.
    fn mark(&self, leaf: Leaf) -> fn(Value) {
        match leaf {
            Leaf::Integer(8) => tag::mark_count,
            Leaf::Integer(4) if !self.only_doubles => tag::mark_count,
            Leaf::Integer(bytes) if bytes < NARROWEST => tag::mark_number,
            _ => tag::mark_told,
        }
    }

    fn part(&self, leaf: Leaf, to: &End, from: &End, mark: fn(Value)) {
        let load = self.builder.load(type_of(self.module, leaf), from.address);
        from.align(load, 0);
        let store = self.builder.store(load, to.address);
        to.align(store, 0);
        [load, store].into_iter().for_each(mark);
    }

    /// Does something for so many things in a row.
    fn times(&self, count: u64, size: u64, to: &End, from: &End, each: &dyn Fn(&End, &End)) {
        if count <= MOST {
            for index in 0..count {
                let [to, from] = [to, from].map(|end| end.further(self.module, &self.builder, index * size));
                each(&to, &from);
            }
        } else {
            let count = self.module.context().int(64).int_value(count);
            self.count(count, &|turn| {
                let [to, from] = [to, from].map(|end| self.element(end, turn, size));
                each(&to, &from);
            });
        }
    }

    fn element(&self, end: &End, index: Value, size: u64) -> End {
        let ty = self.module.context().int(8).array(size);
        let alignment = end.alignment.min(1 << size.trailing_zeros().min(16));
        End { address: self.builder.gep(ty, end.address, &[index]), alignment }
    }

    /// A loop over so many turns, of which there is one at least.
    fn count(&self, count: Value, each: &dyn Fn(Value)) {
        let (before, body, after) = (self.builder.block(), self.block("move"), self.block("moved"));
        self.builder.br(body);
        self.builder.position_at_end(body);
        let turn = self.builder.phi(count.ty());
        each(turn);
        let next = self.builder.add_exact(turn, count.ty().int_value(1));
        let is_last = self.builder.icmp(IntPredicate::LLVMIntEQ, next, count);
        turn.add_incoming(count.ty().zero(), before);
        turn.add_incoming(next, self.builder.block());
        self.builder.cond_br(is_last, after, body);
        self.builder.position_at_end(after);
    }

    fn choice(&self, choice: &Choice, moved: &[bool], to: &End, from: &End) {
        let Some(choosing) = choice.tag else { return };
        let [tag_to, tag_from] = [to, from].map(|end| end.further(self.module, &self.builder, choosing.at));
        let load = self.builder.load(type_of(self.module, choosing.leaf), tag_from.address);
        tag_from.align(load, 0);
        // Where another variant has an `f64`, it is no half of that.
        let is_beside_wider = choosing.leaf == Leaf::Integer(NARROWEST) && !self.only_doubles;
        // Where no variant has anything but what tells variants inside of it, it is nothing but a number.
        let (mut is_apart, mut is_number) = (true, true);
        for arm in &choice.arms {
            arm.shape.meet(choosing.at, choosing.leaf.bytes(), &mut |at, leaf| {
                is_apart = false;
                is_number &= (at, leaf) == (choosing.at, choosing.leaf);
            });
        }
        let mark = |access: Value| match (is_beside_wider || is_apart, is_number) {
            (true, _) => tag::mark_told(access),
            // The capacity of a vector, of which some values are those of other variants: a number in each of them.
            (false, true) => self.mark(choosing.leaf)(access),
            (false, false) => {}
        };
        mark(load);
        // There may be nothing there yet, as in an array that is not full.
        let found = self.builder.freeze(load);
        let (done, otherwise) = (self.block("moved"), self.block("otherwise"));
        let switch = self.builder.switch(found, otherwise, choice.arms.len() as u32);
        let no_arm = Arm { value: None, shape: Shape::default() };
        let other = choice.arms.iter().find(|arm| arm.value.is_none()).unwrap_or(&no_arm);
        for arm in choice.arms.iter().filter(|arm| arm.value.is_some()).chain([other]) {
            let block = arm.value.map_or(otherwise, |value| {
                let block = self.block("variant");
                switch.add_case(load.ty().int_value(value), block);
                block
            });
            self.builder.position_at_end(block);
            let (mut known, mut moved) = (vec![false; moved.len()], moved.to_vec());
            arm.shape.cover(&mut known);
            let tag_bytes = choosing.at as usize..choosing.end() as usize;
            if !known[tag_bytes.clone()].contains(&true) {
                let store = self.builder.store(found, tag_to.address);
                tag_to.align(store, 0);
                mark(store);
                moved[tag_bytes].fill(true);
            }
            // A number that none of these variants has: what any of them has is moved, and all there is where nothing has so much as a place for it. (It is then another
            // variant's, of an enum that has this one in the place of one of its own.)
            let mut others = vec![arm.value.is_none(); moved.len()];
            if arm.value.is_none() && *arm != no_arm {
                others.fill(false);
                choice.cover(&mut others);
            }
            let is_left = |at: usize| others[at] && !known[at] && !moved[at];
            let left: Vec<bool> = (0..moved.len()).map(is_left).collect();
            moved.iter_mut().zip(&left).for_each(|(moved, left)| *moved |= left);
            self.shape(&arm.shape, &moved, to, from);
            let kept: Vec<bool> = left.iter().map(|left| !left).collect();
            self.unknown(&kept, to, from);
            self.builder.br(done);
        }
        self.builder.position_at_end(done);
    }
}

fn write_body(mover: &Mover, only_doubles: bool) {
    let Mover { record, kind, alignment, function } = mover;
    let (function, size) = (*function, record.size);
    let module = function.module();
    let [to, from, bytes] = function.params()[..] else { return };
    let [to, from] = [to, from].map(|address| End { address, alignment: *alignment });
    let word = bytes.ty();
    let [entry, exit] = ["entry", "exit"].map(|name| function.append_block(name));
    let builder = Builder::at_end(entry);
    let writer = Writer { module, function, builder, only_doubles };
    let builder = &writer.builder;
    let is_zero = |value: Value| builder.icmp(IntPredicate::LLVMIntEQ, value, word.zero());
    let times = |each: &dyn Fn(Value, Value)| {
        let body = writer.block("body");
        let count = builder.binary(Opcode::LLVMUDiv, bytes, word.int_value(size));
        builder.cond_br(is_zero(count), exit, body);
        builder.position_at_end(body);
        writer.count(count, &|turn| each(turn, count));
    };
    match kind {
        Kind::One => writer.whole(record, &to, &from),
        Kind::Many(may_overlap) => {
            // Those that are in the way of others are moved first.
            let is_back = may_overlap.then(|| builder.icmp(IntPredicate::LLVMIntUGT, to.address, from.address));
            times(&|turn, count| {
                let from_the_end = || builder.sub(builder.sub(count, word.int_value(1)), turn);
                let index = is_back.map_or(turn, |is_back| builder.select(is_back, from_the_end(), turn));
                writer.whole(record, &writer.element(&to, index, size), &writer.element(&from, index, size));
            });
        }
        Kind::Swap => {
            let spare = End { address: builder.alloca(module.context().int(8).array(size), "spare"), alignment: 1 };
            times(&|turn, _| {
                let [to, from] = [&to, &from].map(|end| writer.element(end, turn, size));
                writer.whole(record, &spare, &to);
                writer.whole(record, &to, &from);
                writer.whole(record, &from, &spare);
            });
        }
    }
    builder.br(exit);
    builder.position_at_end(exit);
    builder.ret_void();
}
