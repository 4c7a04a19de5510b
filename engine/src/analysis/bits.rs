//! Where the bits of floats go that are taken apart, and which floats are put together from them.
//!
//! What moves a float as a whole, be it as an integer, is the business of [`activity`](super::activity). Here is what does more: a float whose
//! bytes go one by one through memory, are turned round, masked, or handed out by a call. There is no derivative to such a
//! thing, and none must be lost: a float at the other end is an error.
//!
//! Bits are followed from *sources*, numbered so that one walk does for all of them (a summary asks for each piece of a parameter).
//! They are *whole* while they are those of a float as it was, and *torn* once they have been cut or computed with. In a program that takes no bits of
//! floats ([`casts`](super::casts)) what is computed with is none, but where it is read from where floats lie and nothing else; LLVM itself cuts between bytes alone. Torn bits come together where a
//! float is loaded from a place that holds some, or cast from an integer of them. A comparison takes nothing along, nor does
//! arithmetic whose result is not cast to a float: hashes are no floats.
mod extents;
mod flow;
mod marks;
mod numbers;
mod pieces;

pub use extents::{
    has_range, is_computed_with, is_count_of_borrows, is_number as is_number_load, is_one_of_two, is_size, may_be_room,
    packs,
};
use extents::{is_choice, passes_bits};
pub use flow::{Grain, flow};
use marks::moves_marks;
pub use numbers::is_number;
pub use pieces::{Known, floats_of_pieces};

use super::activity::may_hold_floats as has_floats;
use super::casts::{halves, takes_bits};
use super::memory::{ANYWHERE, Cell, Memory, Node, ObjectId, ObjectSet, Spot, overlap, spot_of, within};
use super::spot::{Row, gcd};
use crate::ir::handed::may_return_aggregate;
use crate::ir::tag::{is_exact, is_index, is_one};
use crate::ir::{Callee, Func, Inst, InstId, Op, Val};
use crate::llvm::{Opcode, Type};
use crate::maps::HashMap;
use crate::rule::Effect;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::rc::Rc;

/// A set of sources, by number; those from 63 on share one.
pub type Sources = u64;

/// Sources of bits that are as they were, of those that have been cut, and of those that have been computed with where only what is certain to be a
/// float's counts.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Mark {
    whole: Sources,
    torn: Sources,
    computed: Sources,
}

impl Mark {
    fn and(self, other: Mark) -> Mark {
        let [whole, torn] = [self.whole | other.whole, self.torn | other.torn];
        Mark { whole, torn, computed: self.computed | other.computed }
    }

    fn whole(whole: Sources) -> Mark {
        Mark { whole, ..Mark::default() }
    }

    fn torn(torn: Sources) -> Mark {
        Mark { torn, ..Mark::default() }
    }

    /// What it becomes where the bits are cut or computed with.
    fn cut(self) -> Mark {
        Mark { whole: 0, torn: self.whole | self.torn, ..self }
    }

    /// What it becomes where they are computed with in a program that takes no bits.
    fn compute(self) -> Mark {
        Mark { computed: self.whole | self.torn | self.computed, ..Mark::default() }
    }

    fn is_empty(self) -> bool {
        self.whole | self.torn | self.computed == 0
    }
}

/// Where bits come from, in terms of a function's parameters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum From {
    /// A parameter's value.
    Value(u32),
    /// A place in its memory, of so many bytes.
    Place(Node, Spot, u64),
    /// A float of so many bytes there, which is read as one: it is no piece of a wider one.
    Float(Node, Spot, u64),
    /// A number of so many bytes there, of which the source says that it is one: it may be all bits of a float, but no piece of a wider one.
    Number(Node, Spot, u64),
}

/// Where they go.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum To {
    /// The function's result, an integer.
    Result,
    /// A place in a parameter's memory, of so many bytes, and whether these are all there is of one thing.
    Place(Node, Spot, u64, bool),
    /// A float that the function makes of them.
    Float,
}

/// What has been done with bits on their way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Done {
    /// They are those of a float as it was.
    Moved,
    /// They have been cut, or computed with.
    Torn,
    /// They have been computed with in a program that takes no bits of floats, so they are none unless it is certain.
    Computed,
}

/// What one function does with bits.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Flow(BTreeSet<(From, To, Done)>);

impl Flow {
    /// Each way of bits, and what is done with them on it.
    pub fn ways(&self) -> impl Iterator<Item = &(From, To, Done)> {
        self.0.iter()
    }

    /// Tells together what more and more rounds find one after the other: places that were not there `before` and lie behind others of their kind.
    pub fn widen(&mut self, before: &Flow) {
        let mut strides: BTreeMap<From, u64> = BTreeMap::new();
        let known: BTreeSet<From> = before.0.iter().flat_map(places).collect();
        for place in self.0.iter().flat_map(places).filter(|place| !known.contains(place)) {
            let Some((spot, size)) = place.spot().filter(|(spot, _)| spot.stride == 0) else { continue };
            let distance = |other: &From| match other.spot() {
                Some((at, _)) if at.stride == 0 && other.at(spot) == place => Some(at.offset.abs_diff(spot.offset)),
                _ => None,
            };
            let Some(stride) = known.iter().filter_map(distance).filter(|stride| *stride >= size.max(1)).min() else {
                continue;
            };
            let all = strides.entry(place.at(ANYWHERE)).or_default();
            *all = gcd(*all, stride);
        }
        let wide = |place: From| match (place.spot(), strides.get(&place.at(ANYWHERE))) {
            (Some((spot, _)), Some(stride)) => {
                let stride = gcd(*stride, spot.stride);
                place.at(Spot { offset: spot.offset.rem_euclid(stride as i64), stride })
            }
            // What lies in a row is told with the row.
            (Some((spot, _)), None) => {
                let is_in = |other: &&From| match other.spot() {
                    Some((at, _)) => {
                        at.stride > 1
                            && spot.stride.is_multiple_of(at.stride)
                            && other.at(spot) == place
                            && (spot.offset - at.offset).rem_euclid(at.stride as i64) == 0
                    }
                    None => false,
                };
                known.iter().find(is_in).copied().unwrap_or(place)
            }
            (None, _) => place,
        };
        let widened = self.0.iter().map(|(from, to, done)| match (wide(*from), to) {
            (from, To::Place(node, spot, size, is_one)) => {
                let spot = wide(From::Place(*node, *spot, *size)).spot().map_or(*spot, |(spot, _)| spot);
                (from, To::Place(*node, spot, *size, *is_one), *done)
            }
            (from, to) => (from, *to, *done),
        });
        self.0 = widened.collect();
    }
}

/// The places that a way leads from and to.
fn places((from, to, _): &(From, To, Done)) -> impl Iterator<Item = From> {
    let to = match to {
        To::Place(node, spot, size, _) => Some(From::Place(*node, *spot, *size)),
        To::Result | To::Float => None,
    };
    std::iter::once(*from).chain(to)
}

impl From {
    /// Where it is, if in memory, and in how many bytes.
    fn spot(self) -> Option<(Spot, u64)> {
        match self {
            From::Value(_) => None,
            From::Place(_, spot, size) | From::Float(_, spot, size) | From::Number(_, spot, size) => Some((spot, size)),
        }
    }

    /// The same elsewhere in its memory.
    fn at(self, spot: Spot) -> From {
        match self {
            From::Value(param) => From::Value(param),
            From::Place(node, _, size) => From::Place(node, spot, size),
            From::Float(node, _, size) => From::Float(node, spot, size),
            From::Number(node, _, size) => From::Number(node, spot, size),
        }
    }
}

/// Bytes of the narrowest float: what is narrower is none, and what is as wide may hold the bits of one.
pub const NARROWEST: u64 = 4;
/// As wide as anything that is moved as a whole.
const WIDEST: u64 = 64;

/// Beyond so many places a parameter's memory is one.
const MOST_PLACES: usize = 24;
/// Beyond so many, the places of an object are one.
const MOST_HELD: usize = 64;
/// Beyond so many ways of bits through a function all that is behind a parameter is one.
const MOST_FLOWS: usize = 300;

/// A place in an object, of so many bytes.
type Place = (ObjectId, Spot, u64);

/// Where something is kept in an object, in how many bytes, and whether these are all there is of one thing: a float, or a number as the source has it.
type Kept = (Spot, u64, bool);

/// What the sources of a walk are.
trait Origin {
    /// Whether floats are followed as well, from what they are computed of to where their bits are taken.
    const FOLLOWS_FLOATS: bool;

    /// Those of an instruction by itself.
    fn seed(&self, id: InstId) -> Mark;
    /// Those of a parameter.
    fn argument(&self, param: u32) -> Mark;
    /// Those of a place by itself where a callee reads it, as a part of floats with so many bytes.
    fn place(&self, place: Place, bytes: RangeInclusive<u64>) -> Sources;
    /// Those of a place by itself where a callee reads a float and hands it on as a whole.
    fn float(&self, place: Place) -> Sources;
    /// Those of a value by itself where a callee takes its bits.
    fn value(&self, val: Val) -> Sources;
    /// Those of a place that is copied.
    fn copied(&self, place: Place) -> Sources;
    /// Whether it is checked at run time that an instruction takes no bits of floats.
    fn is_checked(&self, id: InstId) -> bool;
    /// What is left of what an instruction makes of bits, where it is checked at run time that these are no float's: nothing of what lies in memory.
    fn unchecked(&self, id: InstId, mark: Mark, bound: &[bool]) -> Mark;
    /// Whether what an instruction stores is certain to be a piece of what is as wide as a float, however narrow it is.
    fn is_torn(&self, id: InstId) -> bool;
}

/// A walk through one function.
struct Walk<'a, O: Origin> {
    func: &'a Func,
    memory: &'a Memory,
    origin: O,
    marks: Vec<Mark>,
    places: HashMap<ObjectId, BTreeMap<Kept, Mark>>,
    /// Floats that are put together from bits, and calls that do so.
    floats: HashMap<InstId, Mark>,
    /// Integers that flow through arithmetic into a cast to a float.
    bound: &'a [bool],
    /// Loads and copies of what is no part of a float.
    numbers: Vec<bool>,
    /// By object, when something was last added to what is known to lie there; by instruction, when it last looked.
    told: Vec<u32>,
    looked: Vec<Option<u32>>,
    now: u32,
    /// What places that callees speak of are to their callers.
    at_calls: BTreeMap<(InstId, Node, Spot), Rc<(ObjectSet, Spot)>>,
    /// Whether the program takes bits of floats.
    takes_bits: bool,
    /// Whether floats may be moved as two numbers.
    may_halve: bool,
}

/// Whether what is loaded is a number as the source has it.
fn is_told_number(load: &Inst) -> bool {
    load.ty.is_int() && is_exact(load.value)
}

fn is_bits(ty: Type) -> bool {
    ty.is_int() || (ty.is_vector() && ty.element().is_int())
}

/// The bits of one number of a type.
fn width(ty: Type) -> u32 {
    if ty.is_vector() { ty.element().bits() } else { ty.bits() }
}

/// Whether it is known of two places where exactly they are.
fn are_certain(one: Spot, other: Spot) -> bool {
    one.stride == 0 && other.stride == 0
}

/// Whether so many bytes may be about half of a float of so many.
fn may_be_half(size: u64, float: u64) -> bool {
    float == 8 && (3..8).contains(&size)
}

/// Whether a type consists of numbers that are narrower than any float.
fn is_narrow(ty: Type) -> bool {
    is_bits(ty) && width(ty) <= 16
}

/// The places that an access touches. Those of a row of bytes (marks of a table's entries) are its bytes one by one.
fn extents(func: &Func, address: Val, ty: Type) -> Vec<(Spot, u64)> {
    let (spot, size) = (spot_of(func, address), func.module().store_size_of(ty));
    if !ty.is_vector() || !is_narrow(ty) {
        return vec![(spot, size)];
    }
    let grain = u64::from(width(ty)).div_ceil(8);
    if spot.stride > 0 {
        return vec![(Spot { offset: spot.offset.rem_euclid(grain as i64), stride: grain }, grain)];
    }
    (0..size).step_by(grain as usize).map(|at| (Spot { offset: spot.offset + at as i64, stride: 0 }, grain)).collect()
}

/// Whether an object holds nothing but floats and numbers of such sizes, or bytes of which each may be one of anything.
fn holds_only(memory: &Memory, object: ObjectId, sizes: &[u64]) -> bool {
    holds_only_from(memory, object, Row::of(ANYWHERE), sizes)
}

/// The same of what does not lie before a row: the rest of a record whose first fields are numbers.
fn holds_only_from(memory: &Memory, object: ObjectId, row: Row, sizes: &[u64]) -> bool {
    let is_of_them = |(at, cell): (Spot, Cell)| match cell {
        Cell::Float(_) => true,
        Cell::Bits(bytes) => sizes.contains(&bytes) || row.is_behind(at, bytes as i64),
        Cell::Pointer => row.is_behind(at, cell.bytes() as i64),
    };
    memory.is_row_of_bytes(object) || memory.all_cells(object).all(is_of_them)
}

/// Whether what is read from a place may be taken for a piece of what was stored at another of the same object, which it meets: it is known
/// exactly where both lie, or there is nothing else in the object.
fn is_piece(memory: &Memory, (object, spot, size): Place, (at, bytes): (Spot, u64)) -> bool {
    are_certain(spot, at) || holds_only(memory, object, &[size, bytes])
}

/// Whether an instruction takes the sign alone, which LLVM makes of a comparison with zero: its derivative is zero, as that of the comparison is.
fn is_sign(inst: &Inst) -> bool {
    let Op::Integer(Opcode::LLVMAShr | Opcode::LLVMLShr) = inst.op else { return false };
    let Val::Const(by) = inst.operands[1] else { return false };
    let lanes = if inst.ty.is_vector() { inst.ty.count() } else { 1 };
    let lane = |i| if inst.ty.is_vector() { by.aggregate_element(i as u32)?.as_u64() } else { by.as_u64() };
    (0..lanes).all(|i| lane(i) == Some(u64::from(width(inst.ty)) - 1))
}

fn is_bitwise(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(opcode, LLVMShl | LLVMLShr | LLVMAShr | LLVMAnd | LLVMOr | LLVMXor | LLVMTrunc | LLVMZExt | LLVMSExt)
}

impl<'a, O: Origin> Walk<'a, O> {
    /// Follows bits until nothing is added.
    fn run(func: &'a Func, memory: &'a Memory, bound: &'a [bool], origin: O) -> Walk<'a, O> {
        let (takes_bits, may_halve) = (takes_bits(func.module()), halves(func.module()).floats);
        let is_number = |id: InstId| {
            let inst = func.inst(id);
            extents::is_number(func, id)
                || moves_marks(memory, inst)
                || (!takes_bits && (is_index(inst.value) || is_computed_with(func, id)))
        };
        let numbers: Vec<bool> = func.inst_ids().map(is_number).collect();
        let seed = |id: InstId| if numbers[id.0 as usize] { Mark::default() } else { origin.seed(id) };
        let marks = func.inst_ids().map(seed).collect();
        let (places, floats) = (HashMap::default(), HashMap::default());
        let (told, looked) = (vec![0; memory.objects.len()], vec![None; func.insts.len()]);
        let at_calls = BTreeMap::new();
        let mut walk = Walk {
            func,
            memory,
            origin,
            marks,
            places,
            floats,
            bound,
            numbers,
            told,
            looked,
            now: 0,
            at_calls,
            takes_bits,
            may_halve,
        };
        while walk.round() {}
        walk
    }

    fn mark(&self, val: Val) -> Mark {
        match val {
            Val::Inst(id) => self.marks[id.0 as usize],
            Val::Arg(i) => self.origin.argument(i),
            Val::Const(_) => Mark::default(),
        }
    }

    fn round(&mut self) -> bool {
        let mut changed = false;
        for id in self.func.inst_ids() {
            let inst = self.func.inst(id);
            if !self.func.block(inst.block).returns || self.origin.is_checked(id) {
                continue;
            }
            let source = match &inst.op {
                Op::Load => Some(inst.operands[0]),
                Op::MemCopy => Some(inst.operands[1]),
                Op::Call(Callee::Effect(Effect::Reallocate { pointer, .. })) => Some(inst.operands[*pointer]),
                _ => None,
            };
            if source.is_some_and(|source| !self.is_news(id, source)) {
                continue;
            }
            let mark = match &inst.op {
                Op::Load | Op::MemCopy if self.numbers[id.0 as usize] => continue,
                Op::Load => self.loaded(inst),
                // The floats of an aggregate are no bits.
                Op::Insert(_) if has_floats(self.func.ty(inst.operands[1])) => self.mark(inst.operands[0]),
                Op::Phi | Op::Copy | Op::Extract(_) | Op::Insert(_) | Op::BitCast => self.all(&inst.operands),
                Op::Select => self.all(&inst.operands[1..]),
                Op::Scalar(_) if O::FOLLOWS_FLOATS => self.all(&inst.operands),
                Op::ExtractElement | Op::InsertElement | Op::Shuffle(_) if is_bits(inst.ty) && width(inst.ty) < 32 => {
                    self.all(&inst.operands).cut()
                }
                Op::ExtractElement | Op::InsertElement | Op::Shuffle(_) => self.all(&inst.operands),
                Op::Integer(_) if is_sign(inst) => continue,
                Op::Integer(opcode) if !self.takes_bits && !packs(inst) => {
                    match is_bitwise(*opcode) || self.bound[id.0 as usize] {
                        true => self.all(&inst.operands).compute(),
                        false => continue,
                    }
                }
                Op::Integer(opcode) if is_bitwise(*opcode) || self.bound[id.0 as usize] => {
                    self.all(&inst.operands).cut()
                }
                // What is added to is a float only if another function says so; of a hash none does.
                Op::Integer(_) => self.all(&inst.operands).compute(),
                Op::Call(Callee::Inert) if passes_bits(inst) && !self.takes_bits && is_choice(inst) => {
                    self.all(&inst.operands).compute()
                }
                Op::Call(Callee::Inert) if passes_bits(inst) => self.all(&inst.operands).cut(),
                Op::Store => {
                    changed |= self.store(id);
                    continue;
                }
                Op::MemCopy => {
                    let bytes = match inst.operands[2] {
                        Val::Const(bytes) => bytes.as_u64(),
                        _ => None,
                    };
                    changed |= self.copy(id, inst.operands[1], inst.operands[0], bytes);
                    continue;
                }
                Op::Call(Callee::Effect(Effect::Reallocate { pointer, .. })) => {
                    changed |= self.copy(id, inst.operands[*pointer], Val::Inst(id), None);
                    continue;
                }
                Op::Call(Callee::Body(_) | Callee::Indirect(_)) => {
                    let (mark, more) = self.call(id);
                    changed |= more;
                    if O::FOLLOWS_FLOATS && has_floats(inst.ty) { mark.and(self.computed_from(id)) } else { mark }
                }
                Op::Call(Callee::Custom(_)) if O::FOLLOWS_FLOATS && has_floats(inst.ty) => self.all(&inst.operands),
                _ => continue,
            };
            let mark = self.origin.unchecked(id, mark, self.bound);
            let is_float = inst.ty.is_float_or_vector() && !is_bits(inst.ty);
            if is_float && matches!(inst.op, Op::Load | Op::BitCast) {
                changed |= self.float(id, mark);
            }
            let mark = match (is_float, O::FOLLOWS_FLOATS) {
                (false, _) => mark,
                // A float has its own derivative; that of the bits that it is made of is lost with it.
                (true, true) => Mark::whole(mark.whole),
                (true, false) => continue,
            };
            let before = &mut self.marks[id.0 as usize];
            let after = before.and(mark);
            changed |= std::mem::replace(before, after) != after;
        }
        changed
    }

    /// Whether anything has been added to what a pointer leads to since an instruction last looked there.
    fn is_news(&mut self, id: InstId, source: Val) -> bool {
        let last = self.looked[id.0 as usize].replace(self.now);
        last.is_none_or(|last| self.memory.points_to_any(source, |o| self.told[o.0 as usize] > last))
    }

    fn all(&self, operands: &[Val]) -> Mark {
        operands.iter().fold(Mark::default(), |mark, v| mark.and(self.mark(*v)))
    }

    fn float(&mut self, id: InstId, mark: Mark) -> bool {
        if mark.is_empty() {
            return false;
        }
        let entry = self.floats.entry(id).or_default();
        let after = entry.and(mark);
        std::mem::replace(entry, after) != after
    }

    /// Whether an `f32` lies at a place.
    fn is_single(&self, (object, spot, size): Place) -> bool {
        let is_met = |(at, cell): (Spot, Cell)| cell == Cell::Float(4) && overlap(spot, size as i64, at, 4);
        self.memory.all_cells(object).any(is_met)
    }

    /// What lies at a place, in whatever it may be; for a number as the source has it, nothing that is one wider thing, nor what is moved as a word unless bits are taken.
    fn held(&self, objects: &ObjectSet, spot: Spot, size: u64, is_number: bool) -> Mark {
        let mut mark = Mark::default();
        // (What is written is reached through one parameter alone, as everywhere in Rust.)
        for object in objects.iter() {
            for ((place, bytes, is_one), held) in self.places.get(&object).into_iter().flatten() {
                let is_other = is_number && (*is_one || !self.takes_bits) && *bytes > size;
                if is_other || !overlap(spot, size as i64, *place, *bytes as i64) {
                    continue;
                }
                // No float is so narrow; of wider ones there may be several in what was stored.
                let is_narrow = size <= 2 && size < *bytes;
                let is_of_narrow = *bytes <= 2 && *bytes < size;
                if (is_narrow || is_of_narrow) && !is_piece(self.memory, (object, spot, size), (*place, *bytes)) {
                    continue;
                }
                // Single bytes that are not certain to be there are a text's, unless the program takes floats to pieces.
                if is_narrow && !self.takes_bits && !are_certain(spot, *place) {
                    continue;
                }
                // A part of what is as wide as an `f64`, where there is no `f32`.
                let is_half = self.may_halve && may_be_half(size, *bytes) && !self.is_single((object, spot, size));
                mark = mark.and(if is_narrow || is_half { held.cut() } else { *held });
            }
        }
        mark
    }

    fn put(&mut self, id: InstId, objects: &ObjectSet, (spot, size, is_one): Kept, mark: Mark) -> bool {
        let mut changed = false;
        if mark.is_empty() {
            return false;
        }
        // What the caller finds there are floats.
        if !O::FOLLOWS_FLOATS && objects.iter().any(|o| self.memory.is_of_floats_at(o, spot, size)) {
            changed |= self.float(id, mark);
        }
        for object in objects.iter() {
            let places = self.places.entry(object).or_default();
            let is_full = places.len() >= MOST_HELD && !places.contains_key(&(spot, size, is_one));
            let held = places.entry((if is_full { ANYWHERE } else { spot }, size, is_one)).or_default();
            let after = held.and(mark);
            if std::mem::replace(held, after) != after {
                self.now += 1;
                self.told[object.0 as usize] = self.now;
                changed = true;
            }
        }
        changed
    }

    fn loaded(&self, inst: &Inst) -> Mark {
        let address = inst.operands[0];
        if inst.ty.is_pointer() {
            return Mark::default();
        }
        // What begins where floats do does not lie in a text, whatever else the pointer may lead to.
        let is_aligned = inst.value.alignment() >= 4;
        let mut objects = ObjectSet::default();
        for object in self.memory.points_to(address).iter() {
            objects.extend((!is_aligned || !self.memory.is_of_bytes(object)).then_some(object));
        }
        let is_number = is_told_number(inst);
        let held = |(spot, size)| self.held(&objects, spot, size, is_number);
        extents(self.func, address, inst.ty).into_iter().map(held).fold(Mark::default(), Mark::and)
    }

    fn store(&mut self, id: InstId) -> bool {
        let inst = self.func.inst(id);
        let (value, address) = (inst.operands[0], inst.operands[1]);
        let (objects, mark) = (self.memory.points_to(address), self.mark(value));
        let places = extents(self.func, address, self.func.ty(value)).into_iter();
        let is_one = self.func.ty(value).is_float() || is_one(inst.value);
        let least = if self.origin.is_torn(id) { NARROWEST } else { 0 };
        places.fold(false, |changed, (spot, size)| {
            self.put(id, &objects, (spot, size.max(least), is_one), mark) | changed
        })
    }

    fn copy(&mut self, id: InstId, from: Val, to: Val, bytes: Option<u64>) -> bool {
        let (there, here) = (spot_of(self.func, from), spot_of(self.func, to));
        let (to, from) = (self.memory.points_to(to), self.memory.points_to(from));
        if let Some(bytes) = bytes.filter(|bytes| *bytes <= WIDEST) {
            return self.copy_piecewise(id, (&from, there), (&to, here), bytes);
        }
        // What lies at a place comes to lie as far from the copy's target as it did from its source.
        let moved = |at: Spot| {
            let distance = Spot { offset: at.offset - there.offset, stride: gcd(at.stride, there.stride) };
            within(here, distance)
        };
        let of = |object: ObjectId| self.places.get(&object).into_iter().flatten();
        // Objects that hold the same, such as the nodes of a tree, are many.
        let mut held: BTreeMap<Kept, Mark> = BTreeMap::new();
        let mut hold = |(at, bytes, is_one): Kept, mark: Mark| {
            let held = held.entry((moved(at), bytes, is_one)).or_default();
            *held = held.and(mark);
        };
        for object in from.iter() {
            of(object).for_each(|(kept, mark)| hold(*kept, *mark));
            for (at, bytes) in self.rows(object, gcd(there.stride, here.stride)) {
                hold((at, bytes.min(8), false), Mark::whole(self.origin.copied((object, at, bytes))));
            }
        }
        held.into_iter().fold(false, |changed, (kept, mark)| self.put(id, &to, kept, mark) | changed)
    }

    /// The places of an object that holds records in a row: the parts of any one, if strides are multiples of its size.
    fn rows(&self, object: ObjectId, stride: u64) -> Vec<(Spot, u64)> {
        let record = self.memory.all_cells(object).map(|(at, _)| at.stride).filter(|size| *size <= WIDEST).max();
        match record {
            Some(size) if size > 8 && size.is_multiple_of(8) && stride.is_multiple_of(size) => {
                (0..size as i64).step_by(8).map(|offset| (Spot { offset, stride: size }, 8)).collect()
            }
            _ => vec![(ANYWHERE, WIDEST)],
        }
    }

    /// The same of few bytes: each piece stays at its place.
    fn copy_piecewise(&mut self, id: InstId, from: (&ObjectSet, Spot), to: (&ObjectSet, Spot), bytes: u64) -> bool {
        let mut changed = false;
        for at in (0..bytes).step_by(8) {
            let inner = Spot { offset: at as i64, stride: 0 };
            let (there, here) = (within(from.1, inner), within(to.1, inner));
            let size = (bytes - at).min(8);
            let copied = from.0.iter().fold(0, |all, o| all | self.origin.copied((o, there, size)));
            let mark = self.held(from.0, there, size, false).and(Mark::whole(copied));
            changed |= self.put(id, to.0, (here, size, false), mark);
        }
        changed
    }

    /// Objects and the place in them for a place that a callee speaks of.
    fn at_call(&mut self, id: InstId, node: Node, spot: Spot) -> Rc<(ObjectSet, Spot)> {
        if let Some(known) = self.at_calls.get(&(id, node, spot)) {
            return known.clone();
        }
        let found = Rc::new(self.found_at_call(id, node, spot));
        self.at_calls.insert((id, node, spot), found.clone());
        found
    }

    fn found_at_call(&self, id: InstId, node: Node, spot: Spot) -> (ObjectSet, Spot) {
        let operand = |i: u32| self.func.inst(id).operands[i as usize];
        match node {
            Node::Param(i) => (self.memory.points_to(operand(i)), within(spot_of(self.func, operand(i)), spot)),
            Node::Way(i, way) => {
                let found = self.memory.along(self.func, operand(i), way.spots());
                let spot = match found.places() {
                    Some(begin) => within(begin.spot, spot),
                    // A pointer into the middle, such as that of a table, leads to a record as any other does.
                    None if spot.stride > 0 => spot,
                    None => ANYWHERE,
                };
                (found.set, spot)
            }
            _ => (self.memory.node(self.func, id, node), spot),
        }
    }

    fn call(&mut self, id: InstId) -> (Mark, bool) {
        let Some(summary) = self.memory.summary(id) else { return (Mark::default(), false) };
        let inst = self.func.inst(id);
        let (mut result, mut changed) = (Mark::default(), false);
        let is_aggregate = inst.value.called_function().is_some_and(may_return_aggregate);
        for (from, to, done) in &summary.bits.0 {
            let is_moved = *done == Done::Moved;
            let is_narrow = from.spot().is_some_and(|(_, bytes)| bytes <= 2);
            // A number as wide as a float may be one, or a row of them; it has its derivative where it stays in memory. What is narrower has none, nor has what a call
            // returns.
            let least = |size: u64| match (is_moved, to) {
                (false, _) => 1,
                (true, To::Result) => size.min(NARROWEST),
                (true, To::Place(..) | To::Float) => size + 1,
            };
            let (held, own) = match from {
                From::Value(i) => {
                    let value = inst.operands[*i as usize];
                    let stays = is_moved && *to != To::Result;
                    (self.mark(value), if stays { 0 } else { self.origin.value(value) })
                }
                From::Place(node, spot, size) | From::Float(node, spot, size) | From::Number(node, spot, size) => {
                    let found = self.at_call(id, *node, *spot);
                    let (objects, spot) = (&found.0, found.1);
                    let is_float = matches!(from, From::Float(..)) && is_moved && *to != To::Result;
                    let is_number = matches!(from, From::Number(..));
                    let most = if is_number { *size } else { WIDEST };
                    let own = |o| match is_float {
                        true => self.origin.float((o, spot, *size)),
                        false => self.origin.place((o, spot, *size), least(*size)..=most),
                    };
                    // (Of bytes that may be a text's as well nothing is known.)
                    let may_be_text =
                        is_narrow && !self.takes_bits && !O::FOLLOWS_FLOATS && objects.iter().any(|o| own(o) == 0);
                    let own = if may_be_text { 0 } else { objects.iter().fold(0, |all, o| all | own(o)) };
                    (self.held(objects, spot, *size, is_number), own)
                }
            };
            let mark = match (done, to) {
                // (What comes with a pointer is the length of a slice.)
                (Done::Moved, to) if O::FOLLOWS_FLOATS && !(*to == To::Result && inst.ty.is_int()) => {
                    held.and(Mark::whole(own))
                }
                // (Single bytes are a text's.)
                (Done::Moved, To::Place(..) | To::Float) if is_narrow && !self.takes_bits => {
                    held.and(Mark::whole(own).compute())
                }
                (Done::Moved, To::Place(..) | To::Float) => held.and(Mark::torn(own)),
                // What a call returns as a number has no derivative, whatever it was.
                (Done::Moved, To::Result) if is_aggregate => held.and(Mark::torn(own)),
                (Done::Moved, To::Result) | (Done::Torn, _) => held.and(Mark::whole(own)).cut(),
                (Done::Computed, _) => held.and(Mark::whole(own)).compute(),
            };
            match to {
                To::Result => result = result.and(mark),
                To::Float => changed |= self.float(id, mark),
                To::Place(node, spot, size, is_one) => {
                    let found = self.at_call(id, *node, *spot);
                    changed |= self.put(id, &found.0, (found.1, *size, *is_one), mark);
                }
            }
        }
        let read = self.read_as_floats(id);
        changed |= self.float(id, read);
        (result, changed)
    }

    /// What lies where a callee reads floats.
    fn read_as_floats(&mut self, id: InstId) -> Mark {
        let Some(summary) = self.memory.summary(id) else { return Mark::default() };
        let mut mark = Mark::default();
        for (param, spot, cell) in summary.cells.iter().chain(&summary.disputed) {
            if let Cell::Float(bytes) = cell {
                let found = self.at_call(id, Node::Param(*param), *spot);
                let (objects, spot) = (&found.0, found.1);
                if objects.iter().any(|o| self.memory.effects(id).read.contains(o)) {
                    mark = mark.and(self.held(objects, spot, *bytes, false));
                }
            }
        }
        mark
    }

    /// What the floats that a callee returns may be computed of.
    fn computed_from(&mut self, id: InstId) -> Mark {
        let operands = self.func.inst(id).operands.iter();
        let floats: Vec<Val> = operands.copied().filter(|v| has_floats(self.func.ty(*v))).collect();
        self.all(&floats).and(self.read_as_floats(id))
    }
}
