//! Enums, made the variants that they were.
//!
//! When a reverse sweep is over, a shadow holds the adjoints of what was found, at the places that these had. So an enum that has become another variant gets the bytes
//! back that it had, but for the floats of that variant. What lies behind a pointer in it may be gone: where there were floats beside pointers, it is only said that
//! they are lost.

use super::super::shapes::{Choice, Shape};
use super::super::types::{Leaf, Run};
use super::Writer;
use super::absent::{Blank, blanks, something_stays};
use crate::llvm::{Function, IntPredicate, Module, Opcode, Type, Value};
use cotangent_contract::{LOST_OWNER, LOST_SEED};

/// Writes the function of a pointer to a value as it is now and one to its bytes as they were; its result is of a type of an integer, and says what is lost.
pub fn write(module: Module, shape: &Shape, size: u64, result: Type) -> Function {
    let writer = Writer::new(module, "ct.found", result, 2);
    let lost = writer.builder.alloca(result, "lost");
    writer.builder.store(result.zero(), lost);
    let params = writer.function.params();
    let walk = Walk { writer: &writer, lost, result };
    walk.look(shape, size, params[0], params[1]);
    writer.builder.ret(writer.builder.load(result, lost));
    writer.function
}

struct Walk<'a> {
    writer: &'a Writer,
    lost: Value,
    result: Type,
}

impl Walk<'_> {
    /// Where variants are the same, goes on into them; where not, makes them what they were.
    fn look(&self, shape: &Shape, size: u64, now: Value, noted: Value) {
        let writer = self.writer;
        for row in shape.rows.iter().filter(|row| row.element.has_variants_of_floats()) {
            let first = [now, noted].map(|place| writer.at(place, row.at));
            writer
                .times(row.count, row.size, &first, &|places| self.look(&row.element, row.size, places[0], places[1]));
        }
        for choice in shape.choices.iter().filter(|choice| choice.holds_floats()) {
            let Some(tag) = choice.tag else { continue };
            let [is, was] = [now, noted].map(|place| writer.load(place, tag.at, tag.leaf.bytes()));
            let numbers = [is, was].map(|found| self.number_of(choice, found));
            let is_same = writer.builder.icmp(IntPredicate::LLVMIntEQ, numbers[0], numbers[1]);
            let [same, other, done] = ["same", "other", "looked"].map(|name| writer.block(name));
            writer.builder.cond_br(is_same, same, other);
            writer.builder.position_at_end(same);
            writer.by_variant(choice, was, &|index| {
                self.put_back(blanks(choice, index, size), now, noted);
                self.look(&choice.arms[index].shape, size, now, noted);
            });
            writer.builder.br(done);
            writer.builder.position_at_end(other);
            writer.by_variant(choice, was, &|index| self.restore_arm(choice, index, size, [now, noted]));
            writer.builder.br(done);
            writer.builder.position_at_end(done);
        }
    }

    /// Which variant a number tells: other numbers may tell one of them too.
    fn number_of(&self, choice: &Choice, found: Value) -> Value {
        let word = self.writer.module.context().int(32);
        let told = choice.arms.iter().enumerate().filter_map(|(index, arm)| Some((index, arm.value?)));
        told.fold(word.int_value(choice.arms.len() as u64), |number, (index, value)| {
            let is_it = self.writer.builder.icmp(IntPredicate::LLVMIntEQ, found, found.ty().int_value(value));
            self.writer.builder.select(is_it, word.int_value(index as u64), number)
        })
    }

    /// Puts back what was set to zero, but for what tells variants: that is looked at next.
    fn put_back(&self, blanks: Vec<Blank>, now: Value, noted: Value) {
        let (writer, builder) = (self.writer, &self.writer.builder);
        for Blank { at, bytes, tags } in blanks {
            let [is, was] = [now, noted].map(|place| writer.load(place, at, bytes));
            let only = |word: Value, bits: u64| builder.binary(Opcode::LLVMAnd, word, word.ty().int_value(bits));
            let both =
                builder.binary(Opcode::LLVMOr, only(is, tags), only(was, !tags & (u64::MAX >> (64 - 8 * bytes))));
            writer.store(builder.select(writer.is_structure(was), is, both), now, at);
        }
    }

    fn restore_arm(&self, choice: &Choice, index: usize, size: u64, [now, noted]: [Value; 2]) {
        let arm = &choice.arms[index].shape;
        if arm.holds(Leaf::Pointer) {
            // What it owned, if it did, is gone.
            if arm.holds_floats() || something_stays(choice, index, size) {
                self.say(self.result.int_value(LOST_OWNER.into()));
            }
            return;
        }
        if let Some(tag) = choice.tag {
            self.copy(tag.leaf.bytes(), tag.at, now, noted);
        }
        self.restore(arm, now, noted);
    }

    /// Takes all that was noted but for floats.
    fn restore(&self, shape: &Shape, now: Value, noted: Value) {
        let writer = self.writer;
        for Run { at, leaf, count } in &shape.runs {
            let first = [now, noted].map(|place| writer.at(place, *at));
            writer.times(*count, leaf.bytes(), &first, &|places| match leaf {
                Leaf::Float(bytes) => self.float(*bytes, places[0], places[1]),
                Leaf::Mixed(bytes) => (0..*bytes).for_each(|at| self.copy(1, at, places[0], places[1])),
                leaf => self.copy(leaf.bytes(), 0, places[0], places[1]),
            });
        }
        for row in &shape.rows {
            let first = [now, noted].map(|place| writer.at(place, row.at));
            writer.times(row.count, row.size, &first, &|places| self.restore(&row.element, places[0], places[1]));
        }
        for choice in &shape.choices {
            let Some(tag) = choice.tag else { continue };
            self.copy(tag.leaf.bytes(), tag.at, now, noted);
            let was = writer.load(noted, tag.at, tag.leaf.bytes());
            writer.by_variant(choice, was, &|index| self.restore(&choice.arms[index].shape, now, noted));
        }
    }

    fn copy(&self, bytes: u64, at: u64, now: Value, noted: Value) {
        self.writer.store(self.writer.load(noted, at, bytes), now, at);
    }

    /// What is no float worth the name told another variant. An adjoint that was noted, and is not zero, belongs to nothing.
    fn float(&self, bytes: u64, now: Value, noted: Value) {
        let (writer, builder) = (self.writer, &self.writer.builder);
        let word = writer.load(now, 0, bytes);
        let is_structure = writer.is_structure(word);
        writer.store(builder.select(is_structure, word.ty().zero(), word), now, 0);
        let word = writer.load(noted, 0, bytes);
        // But for its sign.
        let size = builder.binary(Opcode::LLVMShl, word, word.ty().int_value(1));
        let is_some = builder.icmp(IntPredicate::LLVMIntNE, size, word.ty().zero());
        self.say(builder.select(is_some, self.result.int_value(LOST_SEED.into()), self.result.zero()));
    }

    fn say(&self, lost: Value) {
        let builder = &self.writer.builder;
        let so_far = builder.load(self.result, self.lost);
        builder.store(builder.binary(Opcode::LLVMOr, so_far, lost), self.lost);
    }
}
