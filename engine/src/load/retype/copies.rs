//! Copies of memory that holds floats beside other things, taken apart.
//!
//! `memcpy` does not say what it moves. Where memory holds floats alone, that is plain; where it holds records (`(f64, usize)`,
//! `Option<f64>`), the copy is written out: as loads and stores, where its size is a small constant, otherwise as a loop over records whose size
//! the number of bytes is a multiple of. Derivatives then need no rule for it.

use super::consumers::Consumers;
use super::evidence::{Evidence, Kind, LARGEST, Seen, further};
use super::phases::Phases;
use super::{Classes, alone};
use crate::analysis::bits::NARROWEST;
use crate::analysis::casts::takes_bits;
use crate::analysis::memory::{self, Cell, Memory, Object, ObjectId, ObjectSet, Spot, spot_of};
use crate::analysis::spot::{gcd, linear, mark_floats, said_alignment};
use crate::ir::{Callee, Func, Op, Val, tag};
use crate::llvm::{Builder, Function, IntPredicate, Linkage, Module, Opcode, Place, Tuning, Type, Value};
use crate::load::layout::{self, Leaf, Run};
use crate::rule::Effect;
use std::cell::OnceCell;

/// Copies of at most so many bytes become loads and stores one after the other.
const WRITTEN_OUT: u64 = 64;

/// A part of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Float(u64),
    Pointer,
    Integer(u64),
    /// An integer, as the types of the source say.
    Number(u64),
    /// Nobody knows.
    Word(u64),
    /// Nor here, but that it is as wide in the source, or a row of what lies there.
    Object(u64),
}

impl Part {
    fn bytes(self) -> u64 {
        match self {
            Part::Float(bytes) => bytes,
            Part::Integer(bytes) | Part::Number(bytes) | Part::Word(bytes) | Part::Object(bytes) => bytes,
            Part::Pointer => 8,
        }
    }
    fn ty(self, module: Module) -> Type {
        let context = module.context();
        match self {
            Part::Float(8) => context.f64(),
            Part::Float(_) => context.f32(),
            Part::Pointer => context.ptr(),
            Part::Integer(bytes) | Part::Number(bytes) | Part::Word(bytes) | Part::Object(bytes) => {
                context.int(8 * bytes as u32)
            }
        }
    }
}

/// A copy and what it moves.
pub struct Copy {
    call: Value,
    /// Offsets and parts of one record.
    parts: Vec<(u64, Part)>,
    /// Bytes of a record.
    record: u64,
}

impl Copy {
    fn is_of_floats(&self) -> bool {
        let is_float = |part: &(u64, Part)| matches!(part.1, Part::Float(_));
        self.parts.iter().all(is_float) && self.parts.iter().map(|(_, part)| part.bytes()).sum::<u64>() == self.record
    }

    fn has_floats(&self) -> bool {
        self.parts.iter().any(|(_, part)| matches!(part, Part::Float(_)))
    }

    fn has_pointers(&self) -> bool {
        self.parts.iter().any(|(_, part)| matches!(part, Part::Pointer))
    }

    /// The same copy, of which no type promises that its numbers are no floats or halves of some. (Of a row of one thing that is found out.)
    fn of_open_halves(mut self) -> Copy {
        let is_of_many = self.parts.len() > 1;
        for (_, part) in self.parts.iter_mut().filter(|_| is_of_many) {
            if let Part::Number(bytes) = *part
                && bytes < 8
            {
                *part = Part::Integer(bytes);
            }
        }
        self
    }

    /// The same copy, of all bytes of its records: what is padding in their type may matter in an enum in the place of which it lies, or in an object that is
    /// moved as if it were one of them.
    fn with_padding(mut self) -> Copy {
        let ends = [0].into_iter().chain(self.parts.iter().map(|(at, part)| at + part.bytes()));
        let starts = self.parts.iter().map(|(at, _)| *at).chain([self.record]);
        let padding: Vec<(u64, Part)> = ends.zip(starts).flat_map(|(from, to)| bytes(from, to)).collect();
        self.parts.extend(padding);
        self.parts.sort_by_key(|(at, _)| *at);
        self
    }

    fn moves_words(&self) -> bool {
        self.parts.iter().any(|(_, part)| matches!(part, Part::Word(_) | Part::Object(_)))
    }
}

/// Finds the copies that are to be taken apart; `width_of_all` is that of all floats of the module, if there is such a one.
pub fn find(
    func: &Func,
    memory: &Memory,
    evidence: &mut Evidence,
    classes: &Classes,
    width_of_all: Option<u64>,
    is_root: bool,
) -> Vec<Copy> {
    let consumers = OnceCell::new();
    let consumers = || consumers.get_or_init(|| Consumers::of(func, memory, classes));
    let copies = func.inst_ids().filter(|id| matches!(func.inst(*id).op, Op::MemCopy));
    let (mut found, mut rest, mut of_words) = (Vec::<Copy>::new(), Vec::new(), ObjectSet::default());
    let strangers = alone::strangers(func, memory);
    let variants = variants(func, memory, &strangers);
    let phases = OnceCell::new();
    let phase = |operands: &[Val]| {
        let phases = phases.get_or_init(|| Phases::of(func, memory));
        let [to, from] = [0, 1].map(|i| phases.at(func, memory, operands[i]));
        to.filter(|to| from == Some(*to))
    };
    let at_ends = |bytes| match width_of_all == Some(8) {
        true => Part::Integer(bytes),
        false => Part::Word(bytes),
    };
    for id in copies {
        let inst = func.inst(id);
        let set = evidence.both(&inst.operands);
        let mixed = evidence.holds_others(&set) || !evidence.sees_floats(&set) || memory.floats_only(&set).is_err();
        let volatile = !inst.value.operand(3).is_null();
        let (copy, marks) = match told(func, inst.value, &inst.operands).filter(|_| !volatile) {
            Some(copy) if copy.has_floats() => (Some(copy), None),
            copy => (None, copy),
        };
        if let Some(copy) = copy {
            // Memory of floats alone is copied as it is.
            match copy.is_of_floats() && !evidence.holds_others(&set) && matches!(memory.floats_only(&set), Ok(Some(_)))
            {
                true => mark_floats(inst.value),
                false => found.push(copy),
            }
            continue;
        }
        // Words are not written to where the memory is the user's.
        let theirs = |o: ObjectId| {
            matches!(memory.objects[o.0 as usize], Object::Param(_) | Object::Path(..) | Object::Behind(_))
        };
        let words = !(is_root && memory.points_to(inst.operands[0]).iter().any(theirs));
        let seen = evidence.seen_of(&inst.operands);
        let by_type = || of_types(func, inst.value, &inst.operands).filter(|copy| !volatile && !copy.is_of_floats());
        // There, what the function does not look at is what its type says: some of one record, or all but the floats of each in a row.
        let is_seen = seen == Seen::All && (mixed || func.origin(inst.operands[2]).as_u64().is_some());
        if !words
            && !is_seen
            && let Some(copy) = by_type()
        {
            found.push(copy);
            continue;
        }
        let mixed = mixed
            || match seen {
                Seen::All => false,
                Seen::Parts => words,
                Seen::Nothing => true,
            };
        if evidence.holds_floats(&set) && !mixed && evidence.sees_floats(&set) {
            mark_floats(inst.value);
        }
        // A text out of memory that may hold anything else.
        let is_of_bytes = [0, 1].map(|end| holds_bytes(func, memory, inst.operands[end]));
        let is_stack = |o: ObjectId| matches!(memory.objects[o.0 as usize], Object::Stack(_));
        // Of a text that was compared with one of the program's, LLVM knows the length.
        let has_room = func.origin(inst.operands[2]).as_u64().is_none_or(|bytes| bytes < NARROWEST);
        let is_text = has_room && !set.iter().any(is_stack);
        if is_of_bytes[0] != is_of_bytes[1] && is_text && !volatile {
            found.push(Copy { call: inst.value, parts: vec![(0, Part::Integer(1))], record: 1 });
            continue;
        }
        if evidence.holds_floats(&set) && mixed && !volatile {
            let read = |evidence: &Evidence, at, record| consumers().kind(evidence, inst.operands[0], at, record);
            let source = memory.points_to(inst.operands[1]);
            let of_others = source.iter().any(|o| strangers.contains(o));
            let words_in = Words {
                allowed: words,
                of_others,
                of_movers: of_others && memory.moves_words(&source),
                of_variants: set.iter().any(|o| variants.contains(o))
                    || (evidence.holds_variants(&set) && set.iter().any(|o| strangers.contains(o)))
                    // What calls alone put there and read there.
                    || (evidence.holds_others(&set) && !evidence.sees_floats(&set) && !set.iter().any(theirs)),
            };
            let floats = Floats { phase: phase(&inst.operands), rest: &at_ends };
            let record = record_of(func, inst.value, &inst.operands, evidence, words_in, &read, &floats);
            let width = evidence.width_of_floats(&set);
            let as_words = || words_of(func, memory, inst.value, &inst.operands, width, &floats).filter(|_| words);
            // (An object of which nobody knows what it is may have been moved as if it were a row of numbers.)
            let as_typed = || by_type().map(Copy::of_open_halves);
            let Some(copy) = marks.or(record).or_else(as_words).or_else(as_typed) else { continue };
            found.push(with_numbers(func, copy, &inst.operands));
        } else if !evidence.holds_floats(&set) && !volatile && words && set.iter().any(|o| strangers.contains(o)) {
            // Nobody near says that floats lie there, and nobody that none do.
            let width = width_of_all;
            let floats = Floats { phase: phase(&inst.operands), rest: &at_ends };
            let row = || words_of(func, memory, inst.value, &inst.operands, width, &floats);
            let is_told_words = marks.as_ref().is_some_and(Copy::moves_words);
            let Some(copy) = marks.or_else(row).or_else(by_type) else { continue };
            let copy = with_numbers(func, copy, &inst.operands);
            let is_of_whole = || copy.parts.iter().all(|(_, part)| Some(part.bytes()) == width);
            // A root is asked by nobody: what it says of its memory is all there is. But for single bytes (the marks of a table) that are moved in its
            // own memory with no word about them.
            let is_of_marks = copy.parts.iter().all(|(_, part)| part.bytes() == 1) && !set.iter().any(theirs);
            let is_asked = !is_root || is_of_marks;
            let is_of_records = copy.parts.len() > 1 || is_of_whole() || is_root;
            let is_open = || {
                copy.has_pointers()
                    || memory.has_pointers_or_nothing(&set)
                    || hides_words(func, memory, &inst.operands, width)
            };
            if is_told_words || (is_asked && is_of_records && is_open()) {
                found.push(copy);
            } else {
                rest.push((set, copy));
                continue;
            }
        } else {
            continue;
        }
        if found.last().is_some_and(Copy::moves_words) {
            of_words.union(&set);
        }
    }
    // Where one copy moves words, all do.
    while let Some(at) =
        rest.iter().position(|(set, _)| memory.moves_words(set) || set.iter().any(|o| of_words.contains(o)))
    {
        let (set, copy) = rest.swap_remove(at);
        of_words.union(&set);
        found.push(copy);
    }
    found
}

/// Whether in the range of a copy there is a word of which nothing is known: numbers beside it say nothing of that, nor does the mark of a variant.
fn hides_words(func: &Func, memory: &Memory, operands: &[Val], width: Option<u64>) -> bool {
    let (Some(bytes), Some(width)) = (func.origin(operands[2]).as_u64().filter(|bytes| *bytes <= LARGEST), width)
    else {
        return false;
    };
    let is_known = |at: u64| {
        operands[..2].iter().any(|end| {
            let spot = further(spot_of(func, *end), at as i64);
            let covers = |(there, cell): (Spot, Cell)| memory::overlap(spot, width as i64, there, cell.bytes() as i64);
            memory.points_to(*end).iter().any(|o| memory.all_cells(o).any(covers))
        })
    };
    (0..bytes / width).any(|word| !is_known(word * width))
}

/// A copy that was told its record, as long as it still moves whole ones.
fn told(func: &Func, call: Value, operands: &[Val]) -> Option<Copy> {
    let record = layout::record_of(call).or_else(|| layout::object_of(call))?;
    consisting_of(func, call, operands, record).map(Copy::with_padding)
}

/// A copy of words, of which it is known that the source has numbers there; in a program that takes no bits of floats they are none.
fn with_numbers(func: &Func, copy: Copy, operands: &[Val]) -> Copy {
    let is_open = copy.moves_words() && !copy.has_floats() && !takes_bits(func.module());
    // (One end may be known as numbers of other widths: nothing may be left out for padding.)
    let is_full =
        |(runs, record): &(Vec<Run>, u64)| runs.iter().map(|run| run.count * run.leaf.bytes()).sum::<u64>() == *record;
    let numbers = layout::numbers_of(copy.call).filter(|numbers| is_open && is_full(numbers));
    numbers.and_then(|numbers| consisting_of(func, copy.call, operands, numbers)).unwrap_or(copy)
}

/// A copy of which nothing is known but the types of the source, in a program that takes no bits of floats. Where numbers that are narrower than a float are many enough
/// to be the bytes of one, they are moved as they are: who puts a float together of such is found out.
fn of_types(func: &Func, call: Value, operands: &[Val]) -> Option<Copy> {
    let types = layout::types_of(call).filter(|_| !takes_bits(func.module()))?;
    // (Those of one record, or of one record after the other.)
    let is_narrow = |run: &Run| matches!(run.leaf, Leaf::Integer(bytes) if bytes < NARROWEST);
    let may_be_a_float = layout::narrow_bytes(&types.0) >= NARROWEST || types.0.iter().all(is_narrow);
    let mut copy = consisting_of(func, call, operands, types)?;
    for (_, part) in &mut copy.parts {
        if let Part::Number(bytes) = *part
            && bytes < NARROWEST
            && may_be_a_float
        {
            *part = Part::Integer(bytes);
        }
    }
    Some(copy.with_padding())
}

/// A copy of records of a size that consist of so many leaves, as long as it moves whole ones. (LLVM cuts copies of constant sizes alone.)
fn consisting_of(func: &Func, call: Value, operands: &[Val], record: (Vec<Run>, u64)) -> Option<Copy> {
    let (runs, record) = record;
    let is_whole = func.origin(operands[2]).as_u64().is_none_or(|bytes| bytes.is_multiple_of(record));
    let part = |(at, leaf)| match leaf {
        Leaf::Float(bytes) => (at, Part::Float(bytes)),
        Leaf::Pointer => (at, Part::Pointer),
        Leaf::Integer(bytes) => (at, Part::Number(bytes)),
        Leaf::Mixed(bytes) => (at, Part::Object(bytes)),
    };
    let parts = runs.into_iter().flat_map(Run::leaves).map(part).collect();
    is_whole.then_some(Copy { call, parts, record })
}

/// Objects of which a variant is asked for, and of which others may have made one that the function has no need to look at.
fn variants(func: &Func, memory: &Memory, strangers: &ObjectSet) -> ObjectSet {
    let mut found = ObjectSet::default();
    for inst in func.inst_ids().map(|id| func.inst(id)) {
        if matches!(inst.op, Op::Load) && tag::Tag::of(inst.value).is_some() {
            for object in memory.points_to(inst.operands[0]).iter().filter(|o| strangers.contains(*o)) {
                found.insert(object);
            }
        }
    }
    found
}

/// What a copy may move as words.
#[derive(Clone, Copy)]
struct Words {
    /// Words can be moved at all.
    allowed: bool,
    /// Others than the function have put there what is copied.
    of_others: bool,
    /// And have moved words there.
    of_movers: bool,
    /// The memory holds one variant or another: what is a pointer here may be a float in a variant that the function has no need to look at.
    of_variants: bool,
}

/// What is known of an `f64` that nothing else is known of.
struct Floats<'a> {
    /// Where the copy begins, modulo 8, if that is known.
    phase: Option<u64>,
    /// What is left at the ends, of so many bytes.
    rest: &'a dyn Fn(u64) -> Part,
}

fn record_of(
    func: &Func,
    call: Value,
    operands: &[Val],
    evidence: &mut Evidence,
    words: Words,
    read: &dyn Fn(&Evidence, i64, u64) -> Option<Kind>,
    floats: &Floats,
) -> Option<Copy> {
    let size = func.origin(operands[2]);
    let (record, stride) = match size.as_u64() {
        Some(bytes) if bytes <= WRITTEN_OUT => (bytes, 0),
        _ => {
            let record = divisor(func, operands[2]);
            (record, record)
        }
    };
    if record == 0 || record > LARGEST {
        return None;
    }
    let lead = match record % 4 {
        0 => 0,
        // A part of a struct that begins or ends between its floats.
        _ if stride == 0 => lead_of(operands, evidence, record)?,
        _ => return None,
    };
    let mut kinds = Vec::new();
    for at in (lead as i64..=record as i64 - 4).step_by(4) {
        let (to, from) = (evidence.place_of(operands[0], at, stride), evidence.place_of(operands[1], at, stride));
        let told = [evidence.promised(to), evidence.promised(from), evidence.about(to), evidence.about(from)];
        let mut told = told.into_iter().flatten();
        let first = told.next().filter(|_| !evidence.is_disputed(to) && !evidence.is_disputed(from));
        // Words are right for a moved float as well, and for what others put there of which only the destination says what it is: it may hold another
        // variant too.
        let may_be_disputed = evidence.may_be_disputed(to) || evidence.may_be_disputed(from);
        let is_hearsay = words.of_movers || (words.of_others && !evidence.is_seen(from));
        let is_open = |kind: &Kind| {
            let is_doubtful = if kind.is_float() { may_be_disputed } else { is_hearsay };
            words.allowed && (words.of_variants || is_doubtful)
        };
        let mut kind = first.filter(|kind| told.all(|k| k == *kind) && !is_open(kind));
        if kind.is_none() && !words.allowed {
            kind = Some(read(evidence, at, stride)?);
        }
        kinds.push(kind);
    }
    let width = evidence.width_of_floats(&evidence.both(operands));
    // Of a row of small records it is not known where floats would begin.
    let begins = size.as_u64() == Some(record) || record % 8 == 0 || width == Some(4);
    if kinds.contains(&None) && (!begins || record % 4 != 0) {
        return None;
    }
    let atoms = parts(&kinds, width, floats)?;
    let end = lead + 4 * kinds.len() as u64;
    let parts = bytes(0, lead).chain(atoms.into_iter().map(|(at, part)| (lead + at, part))).chain(bytes(end, record));
    Some(Copy { call, parts: parts.collect(), record })
}

/// How many bytes of a copy lie before its first whole atom: as many as let most be floats. None where there are no floats.
fn lead_of(operands: &[Val], evidence: &mut Evidence, record: u64) -> Option<u64> {
    let mut floats = |lead: u64| {
        let is_float = |at: &i64| {
            let places = [0, 1].map(|end: usize| evidence.place(operands[end], *at));
            places.iter().any(|place| evidence.about(*place).is_some_and(Kind::is_float))
        };
        (lead as i64..=record as i64 - 4).step_by(4).filter(is_float).count()
    };
    let counts = (0..4).map(|lead| (floats(lead), lead)).filter(|(count, _)| *count > 0);
    counts.max_by_key(|(count, lead)| (*count, 4 - lead)).map(|(_, lead)| lead)
}

/// What is left of a copy, byte by byte.
fn bytes(from: u64, to: u64) -> impl Iterator<Item = (u64, Part)> {
    (from..to).map(|at| (at, Part::Integer(1)))
}

/// What a number of bytes is a multiple of.
fn divisor(func: &Func, bytes: Val) -> u64 {
    if let Val::Inst(id) = bytes
        && matches!(func.inst(id).op, Op::Integer(Opcode::LLVMZExt | Opcode::LLVMSExt))
    {
        // What is left out above changes nothing below: powers of two stay.
        let narrow = divisor(func, func.inst(id).operands[0]);
        return if narrow == 0 { 0 } else { 1 << narrow.trailing_zeros() };
    }
    let (constant, step) = linear(func.origin(bytes));
    let known = gcd(step, constant.unsigned_abs());
    // The distance between two places in one object.
    let pointer = |val: &Val| match val {
        Val::Inst(id) if matches!(func.inst(*id).op, Op::Integer(Opcode::LLVMPtrToInt)) => {
            Some(func.inst(*id).operands[0])
        }
        _ => None,
    };
    match bytes {
        Val::Inst(id) if known == 1 && matches!(func.inst(id).op, Op::Integer(Opcode::LLVMSub)) => {
            let ends: Vec<Val> = func.inst(id).operands.iter().filter_map(pointer).collect();
            let [a, b] = ends[..] else { return known };
            let (a, b) = (spot_of(func, a), spot_of(func, b));
            gcd(gcd(a.stride, b.stride), a.offset.abs_diff(b.offset))
        }
        _ => known,
    }
}

/// A copy of which nothing tells what it moves, as a row of words (see [`crate::analysis::activity`]): as wide as the floats that are there.
fn words_of(
    func: &Func,
    memory: &Memory,
    call: Value,
    operands: &[Val],
    width: Option<u64>,
    floats: &Floats,
) -> Option<Copy> {
    let width = width?;
    let size = func.origin(operands[2]);
    if width == 8
        && let Some(phase) = floats.phase.filter(|phase| *phase != 0)
        && let Some(record) = size.as_u64().filter(|bytes| (1..=LARGEST).contains(bytes))
    {
        return Some(Copy { call, parts: from_the_middle(phase, record, floats), record });
    }
    let is_small = size.as_u64().is_some_and(|bytes| bytes <= WRITTEN_OUT);
    let divisor = divisor(func, operands[2]);
    // Where an address cannot be followed, what is said of it is as good.
    let aligned = |unit: u64, (index, val): (u32, &Val)| {
        let spot = spot_of(func, *val);
        let said = said_alignment(call, index);
        let own = |o| matches!(memory.objects[o as usize], Object::Stack(_) | Object::Heap(_));
        let begins = memory.points_to(*val).iter().all(|o| own(o.0));
        (begins && spot.stride.is_multiple_of(unit) && spot.offset.unsigned_abs().is_multiple_of(unit))
            || said.is_multiple_of(unit)
    };
    // Floats and a flag behind them.
    if width == 8
        && let Some(bytes) = size.as_u64().filter(|bytes| is_small && *bytes > 8 && !bytes.is_multiple_of(8))
        && (0..).zip(&operands[..2]).all(|end| aligned(8, end))
    {
        return Some(Copy { call, parts: from_the_middle(0, bytes, floats), record: bytes });
    }
    let fits = |unit: &u64| divisor.is_multiple_of(*unit) && (0..).zip(&operands[..2]).all(|end| aligned(*unit, end));
    // Smaller units are pieces of floats, if there are floats among what is moved; that is checked.
    let whole = width;
    let width = [width, 4, 2].into_iter().filter(|unit| *unit <= width).find(fits).unwrap_or(1);
    // What is known to be so large is a record (of marks of a table nobody knows how many there are), and floats in it would be torn.
    let is_global = |o: ObjectId| matches!(memory.objects[o.0 as usize], Object::Global(_));
    let is_text = || {
        operands[..2].iter().any(|end| holds_bytes(func, memory, *end) || memory.points_to(*end).iter().all(is_global))
    };
    let is_large = || match size.as_u64() {
        Some(bytes) => bytes >= whole,
        // (Of texts nobody says that they begin where floats do.)
        None => (0..2).all(|end| said_alignment(call, end) >= NARROWEST),
    };
    if width < 4 && is_large() && !is_text() {
        return None;
    }
    // So many pieces one after the other are a loop.
    let is_small = is_small && (width == whole || size.as_u64() <= Some(16));
    // Row by row, where there are rows: what lies at one place of each stays apart from what lies at the others.
    let is_row = divisor.is_multiple_of(width) && (width + 1..=WRITTEN_OUT).contains(&divisor) && width == whole;
    let record = match is_small {
        true => size.as_u64()?,
        false if is_row => divisor,
        false => width,
    };
    let parts = (0..record / width).map(|i| (i * width, Part::Word(width))).collect();
    (record > 0).then_some(Copy { call, parts, record })
}

/// Whether an address leads to allocations alone of what has no alignment, as texts do: no floats.
fn holds_bytes(func: &Func, memory: &Memory, address: Val) -> bool {
    let is_of_bytes = |object: ObjectId| {
        let Object::Heap(call) = memory.objects[object.0 as usize] else { return false };
        let inst = func.inst(call);
        let Op::Call(Callee::Effect(Effect::Allocate { align: Some(align), .. })) = inst.op else { return false };
        matches!(inst.operands.get(align), Some(Val::Const(align)) if align.as_u64().is_some_and(|bytes| bytes < 4))
    };
    let set = memory.points_to(address);
    !set.is_empty() && set.iter().all(is_of_bytes)
}

/// The words of a copy that begins in the middle of one, and what is left at its ends.
fn from_the_middle(phase: u64, bytes: u64, floats: &Floats) -> Vec<(u64, Part)> {
    let (mut parts, mut at) = (Vec::new(), 0);
    while at < bytes {
        let fits = |unit: &u64| (phase + at).is_multiple_of(*unit) && at + unit <= bytes;
        let unit = [8, 4, 2].into_iter().find(fits).unwrap_or(1);
        parts.push((at, if unit == 8 { Part::Word(8) } else { (floats.rest)(unit) }));
        at += unit;
    }
    parts
}

/// Puts atoms together; nothing where halves are alone. What is not known is moved as words of the floats' width; an atom alone is no `f64`.
fn parts(kinds: &[Option<Kind>], width: Option<u64>, floats: &Floats) -> Option<Vec<(u64, Part)>> {
    let (mut parts, mut at) = (Vec::new(), 0);
    let begins = |at: usize| (4 * at as u64 + floats.phase.unwrap_or(0)).is_multiple_of(8);
    while at < kinds.len() {
        let next = kinds.get(at + 1);
        let part = match (kinds[at], next) {
            (None, Some(None)) if width == Some(8) && begins(at) => Part::Word(8),
            (None, _) if width == Some(8) && floats.phase == Some(4) => (floats.rest)(4),
            (None, Some(None)) if width != Some(4) => return None,
            (None, _) => Part::Word(4),
            (Some(Kind::Single), _) => Part::Float(4),
            (Some(Kind::Low), Some(Some(Kind::High))) => Part::Float(8),
            (Some(Kind::Pointer), Some(Some(Kind::Pointer))) => Part::Pointer,
            (Some(Kind::Integer), Some(Some(Kind::Integer))) if begins(at) => Part::Integer(8),
            (Some(Kind::Integer), _) => Part::Integer(4),
            _ => return None,
        };
        parts.push((4 * at as u64, part));
        at += part.bytes() as usize / 4;
    }
    Some(parts)
}

/// Takes copies apart; true where there was one.
pub fn run(module: Module, copies: &[Copy]) -> bool {
    let mut loops = false;
    for copy in copies {
        let call = copy.call;
        let (to, from, size) = (call.operand(0), call.operand(1), call.operand(2));
        let align = (said_alignment(call, 0) as u32, said_alignment(call, 1) as u32);
        let builder = Builder::before(call);
        builder.set_location_of(Some(call));
        if size.as_u64() == Some(copy.record) {
            move_record(module, &builder, copy, to, from, align);
        } else {
            let moves = call.called_function().is_some_and(|f| f.name().starts_with("llvm.memmove"));
            let moving = looping(module, copy, size.ty(), moves, align);
            if align == (1, 1) {
                let all = moving.blocks().into_iter().flat_map(|b| b.instructions());
                let is_of_byte = |i: &Value| i.opcode() == Opcode::LLVMLoad && i.ty().is_int() && i.ty().bits() == 8;
                all.filter(is_of_byte).for_each(tag::mark_bytes);
            }
            builder.call(moving, &[to, from, size]);
            loops = true;
        }
        call.erase();
    }
    if loops {
        inline(module);
    }
    !copies.is_empty()
}

/// Loads all parts of a record, then stores them: source and destination may overlap.
fn move_record(module: Module, builder: &Builder, copy: &Copy, to: Value, from: Value, align: (u32, u32)) {
    let context = module.context();
    let at = |pointer: Value, offset: u64| match offset {
        0 => pointer,
        _ => builder.gep(context.int(8), pointer, &[context.int(64).int_value(offset)]),
    };
    let aligned = |access: Value, align: u32, offset: u64| {
        let own = if offset == 0 { align } else { align.min(1 << offset.trailing_zeros().min(16)) };
        access.set_alignment(own.max(1));
        access
    };
    let marked = |access: Value, part: Part| match part {
        Part::Word(_) => tag::mark_word(access),
        Part::Object(_) => tag::mark_object(access),
        Part::Number(bytes) => layout::mark_leaf(access, bytes),
        Part::Float(_) | Part::Pointer | Part::Integer(_) => {}
    };
    let load = |(offset, part): &(u64, Part)| {
        let value = aligned(builder.load(part.ty(module), at(from, *offset)), align.1, *offset);
        marked(value, *part);
        (*offset, *part, value)
    };
    let loaded: Vec<(u64, Part, Value)> = copy.parts.iter().map(load).collect();
    for (offset, part, value) in loaded {
        marked(aligned(builder.store(value, at(to, offset)), align.0, offset), part);
    }
}

/// A function that copies record by record; of `memmove`, from the end where the destination lies behind the source.
fn looping(module: Module, copy: &Copy, word: Type, moves: bool, align: (u32, u32)) -> Function {
    let context = module.context();
    let pointer = context.ptr();
    let function = module.add_function("ct.copy", context.void().function(&[pointer, pointer, word]));
    function.set_linkage(Linkage::LLVMInternalLinkage);
    function.add_attribute(Place::Whole, "alwaysinline", 0);
    let [to, from, size] = function.params()[..] else { return function };
    let [entry, body, exit] = ["entry", "copy", "copied"].map(|name| function.append_block(name));
    let one = word.int_value(1);

    let builder = Builder::at_end(entry);
    let count = builder.binary(Opcode::LLVMUDiv, size, word.int_value(copy.record));
    let backwards = moves.then(|| builder.icmp(IntPredicate::LLVMIntUGT, to, from));
    let last = builder.sub(count, one);
    builder.cond_br(builder.icmp(IntPredicate::LLVMIntEQ, count, word.zero()), exit, body);

    builder.position_at_end(body);
    let turn = builder.phi(word);
    let index = match backwards {
        Some(backwards) => builder.select(backwards, builder.sub(last, turn), turn),
        None => turn,
    };
    let record = context.int(8).array(copy.record);
    let (target, source) = (builder.gep(record, to, &[index]), builder.gep(record, from, &[index]));
    // Records are as far apart as the largest power of two in their size.
    let apart = 1 << copy.record.trailing_zeros().min(16);
    move_record(module, &builder, copy, target, source, (align.0.min(apart), align.1.min(apart)));
    let next = builder.add_exact(turn, one);
    turn.add_incoming(word.zero(), entry);
    turn.add_incoming(next, body);
    builder.cond_br(builder.icmp(IntPredicate::LLVMIntEQ, next, count), exit, body);

    builder.position_at_end(exit);
    builder.ret_void();
    function
}

/// Inlines the loops, and nothing else.
fn inline(module: Module) {
    for function in module.functions() {
        if !function.name().starts_with("ct.copy") && function.has_attribute(Place::Whole, "alwaysinline") {
            function.remove_attribute(Place::Whole, "alwaysinline");
        }
    }
    // The pass's name is LLVM's; if it were not known, the calls would stay, which is right too.
    let _ = module.run_passes("always-inline", None, Tuning::default());
}
