//! Floats that are put together from pieces of active ones.
use super::{
    Mark, NARROWEST, Origin, Place, Sources, WIDEST, Walk, has_floats, holds_only, holds_only_from, is_bits, is_narrow,
    is_told_number, may_be_half, width,
};
use crate::analysis::activity::{is_float_load, loads_joined, narrow_access};
use crate::analysis::casts::halves;
use crate::analysis::memory::{Cell, Memory, Object, ObjectId, ObjectSet, Spot, counted_from, overlap, spot_of};
use crate::analysis::spot::row_of;
use crate::ir::{BlockId, Callee, Func, InstId, Op, Val};
use crate::llvm::Value;
use crate::maps::{HashMap, HashSet};
use std::ops::RangeInclusive;

/// What an activity analysis knows.
pub struct Known<'a> {
    /// Integers that flow through arithmetic into a cast to a float.
    pub bound: &'a [bool],
    /// Whether a value depends on an active input.
    pub varies: &'a dyn Fn(Val) -> bool,
    /// Whether such a value may lie in an object.
    pub holds: &'a dyn Fn(ObjectId) -> bool,
    /// Instructions of which it is checked at run time that they take no bits of floats.
    pub is_checked: &'a dyn Fn(InstId) -> bool,
}

/// Instructions that put floats together from torn bits of floats that vary: loads, casts, calls.
///
/// An address tells only where modulo the distance between elements, so numbers in the same memory as floats (in a node of a tree, in a table
/// of a map) may seem to lie in their places. So a piece is one for certain, by two places that are known exactly, or the memory holds nothing
/// but floats and such pieces; and nothing is put there that is no piece of a float.
pub fn floats_of_pieces(func: &Func, memory: &Memory, known: &Known) -> Vec<InstId> {
    let unseen = written_elsewhere(func, memory);
    let torn = torn_variants(func, memory);
    let (mut numbers, may_halve) = (HashSet::default(), halves(func.module()).floats);
    loop {
        let active = Active { func, memory, known, unseen: &unseen, torn: &torn, numbers: &numbers, may_halve };
        let walk = Walk::run(func, memory, known.bound, active);
        let torn = walk.floats.iter().filter(|(_, mark)| is_lost(**mark));
        let mut floats: Vec<InstId> = torn.map(|(id, _)| *id).collect();
        // At first each that may be a piece of a float is one; what is stored and then is none shows where there are numbers.
        let stored = stored_numbers(&walk);
        if floats.is_empty() || stored.is_subset(&numbers) {
            floats.sort();
            return floats;
        }
        numbers.extend(stored);
    }
}

/// Objects that others than this function's own stores may write to.
fn written_elsewhere(func: &Func, memory: &Memory) -> ObjectSet {
    let mut set = ObjectSet::default();
    for (index, object) in memory.objects.iter().enumerate() {
        if !matches!(object, Object::Stack(_) | Object::Heap(_)) {
            set.insert(ObjectId(index as u32));
        }
    }
    for id in func.inst_ids() {
        set.union(&memory.effects(id).written);
        if let Op::Call(Callee::Body(_) | Callee::Unknown(_) | Callee::Indirect(_)) = func.inst(id).op {
            set.union(&memory.points_to(Val::Inst(id)));
        }
    }
    set
}

/// An access, where it lies in its record, and its bytes.
type Narrow = (InstId, i64, i64);

/// Loads and stores of numbers that are pieces of a float in another variant. (Of halves of a float it is known before what they are.)
struct Torn {
    /// By what is known of the place that they access.
    here: HashSet<InstId>,
    /// Loads, by what is known of where it is stored.
    elsewhere: HashSet<InstId>,
}

fn torn_variants(func: &Func, memory: &Memory) -> Torn {
    let mut found = Torn { here: joined_in_place(func, memory), elsewhere: HashSet::default() };
    let is_store = |id: InstId| matches!(func.inst(id).op, Op::Store);
    // What is moved at once.
    let mut records: HashMap<(Value, BlockId, bool), Vec<Narrow>> = HashMap::default();
    for id in func.inst_ids() {
        if let Some((record, offset, size)) = narrow_access(func, id) {
            records.entry((record, func.inst(id).block, is_store(id))).or_default().push((id, offset, size));
        }
    }
    for accesses in records.into_values().filter(|accesses| accesses.len() > 1) {
        for (id, offset, size) in &accesses {
            let address = func.inst(*id).operands[usize::from(is_store(*id))];
            let spot = spot_of(func, address);
            // Where the float begins in the record, of which this is a piece, and its bytes.
            let float = |(at, cell): (Spot, Cell)| match cell {
                Cell::Float(width) if *size < width as i64 => {
                    let within = counted_from(at, spot).offset;
                    (within >= 0 && within + size <= width as i64).then_some((offset - within, width as i64))
                }
                _ => None,
            };
            let objects = memory.points_to(address);
            let floats = objects.iter().flat_map(|o| memory.all_cells(o)).filter_map(float);
            let Some(pieces) = floats.into_iter().find_map(|float| pieces_of(&accesses, float)) else { continue };
            found.here.insert(*id);
            if is_store(*id) {
                found.elsewhere.extend(loads_of(func, &pieces));
            }
        }
    }
    found
}

/// Loads of pieces that are put together to a number, which is stored where a float lies in another variant.
fn joined_in_place(func: &Func, memory: &Memory) -> HashSet<InstId> {
    let mut found = HashSet::default();
    for inst in func.inst_ids().map(|id| func.inst(id)).filter(|inst| matches!(inst.op, Op::Store)) {
        let (value, address) = (inst.operands[0], inst.operands[1]);
        let pieces = loads_joined(func, value);
        if pieces.iter().all(|load| func.module().store_size_of(func.inst(*load).ty) >= NARROWEST) {
            continue;
        }
        let (spot, size) = (spot_of(func, address), func.module().store_size_of(func.ty(value)));
        let is_float = |object: ObjectId| {
            memory.all_cells(object).any(|(at, cell)| cell == Cell::Float(size) && counted_from(spot, at).offset == 0)
        };
        if memory.points_to(address).iter().any(is_float) {
            found.extend(pieces);
        }
    }
    found
}

/// The accesses that all of a float is met by, where there are narrower ones than any float among them.
fn pieces_of(accesses: &[Narrow], (begin, width): (i64, i64)) -> Option<Vec<Narrow>> {
    let is_piece = |(_, at, bytes): &&Narrow| *bytes < width && begin < at + bytes && *at < begin + width;
    let pieces: Vec<Narrow> = accesses.iter().filter(is_piece).copied().collect();
    let is_met = |byte: i64| pieces.iter().any(|(_, at, bytes)| (*at..at + bytes).contains(&byte));
    let is_torn = pieces.iter().any(|(_, _, bytes)| *bytes < NARROWEST as i64) && (begin..begin + width).all(is_met);
    is_torn.then_some(pieces)
}

/// The loads of what such pieces store, where these lie in one record as they do in the other.
fn loads_of(func: &Func, pieces: &[Narrow]) -> Vec<InstId> {
    let mut from: HashMap<(Value, i64), Vec<InstId>> = HashMap::default();
    for (store, at, bytes) in pieces {
        let Val::Inst(load) = func.inst(*store).operands[0] else { continue };
        if matches!(func.inst(load).op, Op::Load)
            && let Some((record, offset, size)) = narrow_access(func, load)
            && size == *bytes
        {
            from.entry((record, offset - at)).or_default().push(load);
        }
    }
    from.into_values().find(|loads| loads.len() == pieces.len()).unwrap_or_default()
}

/// Places into which numbers are stored that are no pieces of floats.
fn stored_numbers(walk: &Walk<Active>) -> HashSet<Place> {
    let (func, memory) = (walk.func, walk.memory);
    let mut found = HashSet::default();
    for id in func.inst_ids() {
        let inst = func.inst(id);
        if !matches!(inst.op, Op::Store) || !is_bits(func.ty(inst.operands[0])) {
            continue;
        }
        let (value, address) = (inst.operands[0], inst.operands[1]);
        // With zeros floats are filled as well.
        let is_zero = matches!(value, Val::Const(constant) if constant.is_null());
        if !is_zero && !is_lost(walk.mark(value)) {
            let (spot, size) = (spot_of(func, address), func.module().store_size_of(func.ty(value)));
            found.extend(memory.points_to(address).iter().map(|o| (o, spot, size)));
        }
    }
    found
}

/// The sources: what may be a float that depends on an active input, and what is certain to be one.
const MAY_BE: Sources = 1;
const IS: Sources = 2;

/// Whether what is made of bits has lost a derivative.
fn is_lost(mark: Mark) -> bool {
    mark.torn != 0 || mark.computed & IS != 0
}

/// Floats that depend on an active input, as sources.
struct Active<'a> {
    func: &'a Func,
    memory: &'a Memory,
    known: &'a Known<'a>,
    unseen: &'a ObjectSet,
    torn: &'a Torn,
    numbers: &'a HashSet<Place>,
    may_halve: bool,
}

impl Active<'_> {
    /// Whether a place may be a part of a float of so many bytes, by what lies in the object.
    fn is_of_float(&self, (object, spot, size): Place, widths: &RangeInclusive<u64>) -> bool {
        let meets = |at: Spot, bytes: u64| overlap(spot, size as i64, at, bytes as i64);
        let is_met = |(at, cell): (Spot, Cell)| matches!(cell, Cell::Float(bytes) if widths.contains(&bytes) && meets(at, bytes));
        self.memory.all_cells(object).any(is_met) && self.may_be_of_float((object, spot, size))
    }

    /// Whether a place lies where such a value may, and nothing is stored there that is no piece of a float.
    fn may_be_of_float(&self, (object, spot, size): Place) -> bool {
        let meets = |at: Spot, bytes: u64| overlap(spot, size as i64, at, bytes as i64);
        (self.known.holds)(object)
            && !self.numbers.iter().any(|(o, at, bytes)| *o == object && *bytes == size && meets(*at, *bytes))
    }

    /// Whether a place is the very one of a float, and for all that the function itself does there, of nothing else.
    fn is_same(&self, (object, spot, size): Place, widths: &RangeInclusive<u64>) -> bool {
        let cells = self.memory.cells_of(object).get(&spot);
        widths.contains(&size) && cells.is_some_and(|cells| cells.iter().all(|cell| *cell == Cell::Float(size)))
    }

    /// Whether a place lies in memory in which nobody near sees floats, though there may be some.
    fn may_be_unseen(&self, (object, ..): Place) -> bool {
        (self.known.holds)(object)
            && !self.memory.has_floats(&ObjectSet::of(object))
            && self.memory.may_have_floats(self.func, object)
    }

    /// Whether a place meets a float of which it is known where exactly it lies, in memory of which everything is seen; or, where that may be half of one, any of the right width.
    fn is_certain(&self, (object, spot, size): Place) -> bool {
        let is_half = |bytes: u64| self.may_halve && may_be_half(size, bytes);
        let meets = |(at, cell): (Spot, Cell)| match cell {
            Cell::Float(bytes) => (at.stride == 0 || is_half(bytes)) && overlap(spot, size as i64, at, bytes as i64),
            _ => false,
        };
        spot.stride == 0 && !self.unseen.contains(object) && self.memory.all_cells(object).any(meets)
    }

    /// Whether what is loaded may be a float that depends on an active input. What is moved where nothing tells what it is can be one only
    /// where floats are read or written.
    fn may_load_float(&self, id: InstId) -> bool {
        let inst = self.func.inst(id);
        let (address, size) = (inst.operands[0], self.func.module().store_size_of(inst.ty) as i64);
        let spot = spot_of(self.func, address);
        let most = if is_told_number(inst) { size as u64 } else { WIDEST };
        let meets = |(at, cell): (Spot, Cell)| matches!(cell, Cell::Float(bytes) if bytes <= most && overlap(spot, size, at, bytes as i64));
        let is_met = || self.memory.points_to(address).iter().any(|o| self.memory.all_cells(o).any(meets));
        (self.known.varies)(Val::Inst(id)) && (self.known.bound[id.0 as usize] || is_met())
    }
}

impl Origin for Active<'_> {
    const FOLLOWS_FLOATS: bool = false;

    fn seed(&self, id: InstId) -> Mark {
        let inst = self.func.inst(id);
        if !is_bits(inst.ty) || self.is_checked(id) {
            return Mark::default();
        }
        match inst.op {
            Op::Load => {
                let (address, size) = (inst.operands[0], self.func.module().store_size_of(inst.ty));
                let (row, piece) = (row_of(self.func, address), u64::from(width(inst.ty)).div_ceil(8));
                let spot = row.spot;
                let is_piece = |o: ObjectId| {
                    let place = (o, spot, size);
                    let is_of_float = || self.is_of_float(place, &(piece + 1..=WIDEST));
                    let is_sure = || {
                        self.is_certain(place)
                            || self.torn.here.contains(&id)
                            || holds_only_from(self.memory, o, row, &[piece])
                    };
                    // What its caller has there a function need not know.
                    let is_callers = || self.memory.objects[o.0 as usize].param().is_some();
                    let is_torn = || self.torn.elsewhere.contains(&id) && is_callers() && self.may_be_of_float(place);
                    !is_told_number(inst) && (is_torn() || is_of_float() && is_sure())
                };
                let torn = MAY_BE * u64::from(self.memory.points_to(address).iter().any(is_piece));
                // Bytes one by one are no float as a whole.
                let whole = match !is_narrow(inst.ty) && self.may_load_float(id) {
                    true if is_float_load(self.func, self.memory, Val::Inst(id)) => MAY_BE | IS,
                    true => MAY_BE,
                    false => 0,
                };
                Mark { whole, torn, computed: 0 }
            }
            Op::BitCast if has_floats(self.func.ty(inst.operands[0])) => Mark::whole(self.value(inst.operands[0])),
            _ => Mark::default(),
        }
    }

    fn argument(&self, _param: u32) -> Mark {
        Mark::default()
    }

    fn place(&self, place: Place, bytes: RangeInclusive<u64>) -> Sources {
        let is_all = || holds_only(self.memory, place.0, &[place.2]) || self.is_same(place, &bytes);
        let is_seen = self.is_of_float(place, &bytes) && is_all();
        // Whole floats alone: pieces of numbers are everywhere.
        let is_whole = (4..=place.2).contains(bytes.start());
        // (In memory made for bytes floats may lie by hearsay: it is a text's.)
        let is_certain = || {
            let mut cells = self.memory.cells_of(place.0).values().flatten();
            !self.memory.is_row_of_bytes(place.0) && cells.any(|cell| matches!(cell, Cell::Float(_)))
        };
        match is_seen {
            true if is_certain() => MAY_BE | IS,
            true => MAY_BE,
            false => MAY_BE * u64::from(is_whole && !bytes.is_empty() && self.may_be_unseen(place)),
        }
    }

    fn float(&self, _place: Place) -> Sources {
        0
    }

    fn value(&self, val: Val) -> Sources {
        let ty = self.func.ty(val);
        match (self.known.varies)(val) && !ty.is_pointer() {
            true if has_floats(ty) => MAY_BE | IS,
            true => MAY_BE,
            false => 0,
        }
    }

    fn copied(&self, _place: Place) -> Sources {
        0
    }

    fn is_checked(&self, id: InstId) -> bool {
        (self.known.is_checked)(id)
    }

    fn unchecked(&self, _id: InstId, mark: Mark, _bound: &[bool]) -> Mark {
        mark
    }

    fn is_torn(&self, id: InstId) -> bool {
        self.torn.here.contains(&id)
    }
}
