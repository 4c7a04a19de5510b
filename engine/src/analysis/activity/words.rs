//! Words: integers that are moved and may be the bits of a float.
//!
//! A `BTreeMap` moves its keys and its values as bits, sorting moves records as rows of words, and where floats and numbers lie at
//! places that nothing tells apart, no type can be given to such a move. It needs none: the shadow has the layout of its
//! primal, so what the primal moves is moved there too.
//!
//! **Model.** While values are computed, a place of a shadow holds zero where the primal holds a float, and what the primal holds (a shadow, of a
//! pointer) where that is structure. (In forward mode it holds the tangent of a float.) So a word has a shadow, which is loaded, joined
//! and stored like a pointer's; a word whose shadow is not zero is structure, and one whose shadow is zero may be taken for a float: what
//! is zero for another reason gets no adjoint but zero. In reverse mode it has an adjoint as well, a float: a store takes it out of the
//! shadow where the word's shadow was zero, a load adds it there. Where all floats of a program are `f32`, a word of eight bytes is two of them, or one beside
//! structure: each half is taken for itself.
//!
//! **Laws.** Where a place holds structure at one time and a float at another,
//! - a store of a float makes the shadow zero in the forward sweep: no structure is taken for an adjoint;
//! - a store of structure makes the shadow zero in the reverse sweep, behind which the place holds what was there before.
//!
//! Memory that a user hands over in reverse mode has adjoints in its shadow from the start: words are not read or written there.
//!
//! What is computed with a word is structure (a length that grows, a tag), unless the word comes from the very place of floats: that is an error. Where
//! it is not known what lies at its place, it is *checked* when it is computed with that the word was no float: of structure value and
//! shadow are equal, or at least both not zero.

use super::{Activity, ParamActivity, may_hold_floats, numbers};
use crate::analysis::bits::{NARROWEST, is_number_load as is_number, is_one_of_two};
use crate::analysis::casts::takes_bits;
use crate::analysis::globals::may_be_of_floats;
use crate::analysis::memory::{self, Cell, Memory, Object, ObjectId, ObjectSet, Spot};
use crate::analysis::spot::place_of;
use crate::analysis::widths::only_width;
use crate::ir::tag::{self, is_either, is_exact};
use crate::ir::{Func, Inst, InstId, Op, Val};
use crate::llvm::{Opcode, Type, Value};
use crate::maps::HashSet;

/// The float that a word may be.
pub fn float_of(ty: Type) -> Option<Type> {
    match ty.bits() {
        _ if !ty.is_int() => None,
        64 => Some(ty.context().f64()),
        32 => Some(ty.context().f32()),
        _ => None,
    }
}

/// Whether a constant is no float but zero: a count, a mark, an address, what would be no number. (What may be one has no derivative, and is no
/// length of anything; its shadow can be zero.)
pub fn is_structure(constant: Value, ty: Type) -> bool {
    let Some(bits) = constant.as_u64() else {
        return true;
    };
    let small = constant.as_i64().is_some_and(|bits| bits.unsigned_abs() < 1 << 20);
    let (fraction, ones) = exponent_of(ty);
    // Denormal, or not a number but for what `NAN` is.
    let exponent = bits >> fraction & ones;
    let has_fraction = bits & ((1 << (fraction - 1)) - 1) != 0;
    small || exponent == 0 || (exponent == ones && has_fraction)
}

/// Where the exponent lies in the bits of a float that is as wide as a type, and all its ones.
pub fn exponent_of(ty: Type) -> (u64, u64) {
    if ty.bits() == 64 { (52, 0x7ff) } else { (23, 0xff) }
}

/// What the words of a function come from: the leaves of a tree of moves, and the moves.
pub fn leaves(func: &Func, val: Val) -> (Vec<Val>, Vec<InstId>) {
    let (mut open, mut seen, mut found, mut moves) = (vec![val], HashSet::default(), Vec::new(), Vec::new());
    while let Some(val) = open.pop() {
        if !seen.insert(val) {
            continue;
        }
        match val {
            Val::Inst(id) => match func.inst(id).op {
                Op::Phi | Op::Copy => open.extend(&func.inst(id).operands),
                Op::Select => open.extend(&func.inst(id).operands[1..]),
                _ => {
                    found.push(val);
                    continue;
                }
            },
            _ => {
                found.push(val);
                continue;
            }
        }
        if let Val::Inst(id) = val {
            moves.push(id);
        }
    }
    (found, moves)
}

/// The loads that a number is put together from, of which it may be that only pieces are used; none of what is no such number.
pub fn loads_joined(func: &Func, val: Val) -> Vec<InstId> {
    let (mut open, mut seen, mut found, mut is_joined) = (vec![val], HashSet::default(), Vec::new(), false);
    while let Some(val) = open.pop() {
        let Val::Inst(id) = val else { continue };
        if !seen.insert(id) {
            continue;
        }
        let inst = func.inst(id);
        match inst.op {
            Op::Load if inst.ty.is_int() => found.push(id),
            Op::Phi | Op::Copy => open.extend(&inst.operands),
            Op::Select => open.extend(&inst.operands[1..]),
            Op::Integer(Opcode::LLVMOr) => {
                is_joined = true;
                open.extend(&inst.operands);
            }
            Op::Integer(
                Opcode::LLVMShl | Opcode::LLVMLShr | Opcode::LLVMAnd | Opcode::LLVMTrunc | Opcode::LLVMZExt,
            ) => open.push(inst.operands[0]),
            _ => {}
        }
    }
    if is_joined { found } else { Vec::new() }
}

/// Whether a word is put together from pieces, of which one at least is that of a word in memory. (In one variant of an enum there is a float, and in
/// another a number or part of a pointer where LLVM sees a piece of the float.)
pub fn is_of_pieces(func: &Func, val: Val) -> bool {
    loads_joined(func, val).into_iter().any(|load| func.module().store_size_of(func.inst(load).ty) >= NARROWEST)
}

/// Whether bits are loaded from the very place of a float, in memory that holds nothing else: not from one that may be the same, as where all that
/// can be reached from a parameter counts as one (a closure's `&mut f64` and its `&mut usize`).
pub(super) fn reads_float(func: &Func, memory: &Memory, val: Val) -> bool {
    leaves(func, val).0.into_iter().any(|leaf| is_cast_float(func, leaf) || is_float_load(func, memory, leaf))
}

/// Whether an integer is a float cast.
pub fn is_cast_float(func: &Func, val: Val) -> bool {
    matches!(val, Val::Inst(id) if matches!(func.inst(id).op, Op::BitCast) && func.ty(func.inst(id).operands[0]).is_float())
}

fn is_float(cell: &Cell) -> bool {
    matches!(cell, Cell::Float(_))
}

/// Whether an integer is loaded from the very place of a float, in memory that holds nothing else.
pub fn is_float_load(func: &Func, memory: &Memory, val: Val) -> bool {
    let Val::Inst(id) = val else { return false };
    let inst = func.inst(id);
    if !matches!(inst.op, Op::Load) || (tag::is_index(inst.value) && !takes_bits(func.module())) {
        return false;
    }
    let spot = memory::spot_of(func, inst.operands[0]);
    let set = memory.points_to(inst.operands[0]);
    let size = func.module().store_size_of(inst.ty);
    let alone = |cell: &Cell| is_float(cell) || *cell == Cell::Bits(size);
    let is_one_thing = |o: &ObjectId| !matches!(memory.objects[o.0 as usize], Object::Behind(_));
    set.iter().filter(is_one_thing).any(|o| {
        let cells = memory.cells_of(o);
        cells.get(&spot).is_some_and(|cells| cells.iter().any(is_float)) && cells.values().flatten().all(alone)
    })
}

/// Whether all accesses that show a float where something is loaded go through pointers that may lead elsewhere: what two variants of an enum hold at one
/// place are two pointers, of which the analysis makes one. Then there may be a float or not.
fn is_float_by_hearsay(func: &Func, memory: &Memory, load: InstId) -> bool {
    let address = func.inst(load).operands[0];
    let set = memory.points_to(address);
    let (spot, size) = (memory::spot_of(func, address), func.module().store_size_of(func.inst(load).ty) as i64);
    let shows_float = |id: InstId| {
        let inst = func.inst(id);
        let (ty, address) = match inst.op {
            Op::Load => (inst.ty, inst.operands[0]),
            Op::Store => (func.ty(inst.operands[0]), inst.operands[1]),
            _ => return false,
        };
        let found = memory.points_to(address);
        may_hold_floats(ty)
            && found.iter().count() == 1
            && found.iter().all(|o| set.contains(o))
            && memory::overlap(spot, size, memory::spot_of(func, address), func.module().store_size_of(ty) as i64)
    };
    let is_own = |o: ObjectId| matches!(memory.objects[o.0 as usize], Object::Stack(_) | Object::Heap(_));
    set.iter().count() == 1
        && set.iter().all(|o| is_own(o) && !memory.foreign_cells(o).iter().any(|(_, cell)| is_float(cell)))
        && !func.inst_ids().any(shows_float)
}

/// Whether a load may as well be of other memory, which the function knows too and which holds no float there: of what one variant of an enum points to, where
/// it is a count, or of what another one does.
fn may_be_elsewhere(func: &Func, memory: &Memory, load: InstId) -> bool {
    let address = func.inst(load).operands[0];
    let (spot, size) = (memory::spot_of(func, address), func.module().store_size_of(func.inst(load).ty) as i64);
    let is_number = |o: ObjectId| {
        let mut here = memory.all_cells(o).filter(|(at, cell)| match cell {
            Cell::Float(width) | Cell::Bits(width) => memory::overlap(spot, size, *at, *width as i64),
            Cell::Pointer => false,
        });
        let all: Vec<Cell> = here.by_ref().map(|(_, cell)| cell).collect();
        !all.is_empty() && !all.iter().any(is_float)
    };
    // Or of nothing at all: the pointer is out of an enum, which is of another variant then.
    let is_of_variants = |o: ObjectId| {
        let is_mixed = |cells: &Vec<Cell>| cells.iter().any(is_float) && !cells.iter().all(is_float);
        memory.cells_of(o).values().any(is_mixed)
    };
    let is_out_of_variant = match memory::rooted_spot(func, address).0 {
        Val::Inst(root) if matches!(func.inst(root).op, Op::Load) => {
            memory.points_to(func.inst(root).operands[0]).iter().any(is_of_variants)
        }
        _ => false,
    };
    is_out_of_variant || memory.points_to(address).iter().any(is_number)
}

/// Whether the bytes of all floats that an access meets fit its own. (What is so in the source is told apart from others, whatever the address says.)
fn are_as_wide(func: &Func, memory: &Memory, access: InstId, address: Val, fits: impl Fn(i64, i64) -> bool) -> bool {
    let inst = func.inst(access);
    let ty = if matches!(inst.op, Op::Store) { func.ty(inst.operands[0]) } else { inst.ty };
    let (set, spot) = (memory.points_to(address), memory::spot_of(func, address));
    let size = func.module().store_size_of(ty) as i64;
    let is_fitting = |o: ObjectId| {
        memory.all_cells(o).all(|(at, cell)| match cell {
            Cell::Float(w) => fits(w as i64, size) || !memory::overlap(spot, size, at, w as i64),
            _ => true,
        })
    };
    is_exact(inst.value) || is_either(inst.value) || set.iter().all(is_fitting)
}

/// Whether a piece lies beside one of another width in the same word, both found from one pointer: these are fields of a record. (A float that is taken to pieces
/// is taken to equal ones. It matters since a field of which nobody has written all, such as an `Option<u8>` that is `None`, looks like a float's piece.)
fn is_field(func: &Func, load: InstId) -> bool {
    let place = |id: InstId| narrow_access(func, id);
    let Some((record, offset, size)) = place(load) else { return false };
    func.inst_ids().filter_map(place).any(|(other, at, bytes)| {
        other == record
            && at.div_euclid(WORD) == offset.div_euclid(WORD)
            && bytes != size
            && (at + bytes <= offset || offset + size <= at)
    })
}

/// Bytes of a word.
pub(super) const WORD: i64 = 8;

/// The pointer to the record, wherever that lies, of which an integer narrower than a word is loaded or stored, where it lies in that, and in how many bytes.
pub fn narrow_access(func: &Func, id: InstId) -> Option<(Value, i64, i64)> {
    let inst = func.inst(id);
    let (address, ty) = match inst.op {
        Op::Load => (inst.value.operand(0), inst.ty),
        Op::Store => (inst.value.operand(1), func.ty(inst.operands[0])),
        _ => return None,
    };
    let size = func.module().store_size_of(ty) as i64;
    let (record, at) = place_of(address);
    (ty.is_int() && size < WORD).then_some((record, at, size))
}

/// The bits of a word of eight bytes that matter to what computes with it: what lies beside a float would pass for the whole word's structure.
fn bits_of_word(user: &Inst) -> u64 {
    match (&user.op, user.operands.get(1)) {
        (Op::Integer(Opcode::LLVMTrunc), _) => u64::MAX >> (u64::BITS - user.ty.bits()),
        (Op::Integer(Opcode::LLVMLShr | Opcode::LLVMAShr), Some(Val::Const(by))) => {
            by.as_u64().and_then(|by| u64::MAX.checked_shl(u32::try_from(by).ok()?)).unwrap_or(u64::MAX)
        }
        _ => u64::MAX,
    }
}

/// One of the halves that a word is moved by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Half {
    /// That of less weight, where the word begins.
    Low,
    /// The other.
    High,
}

/// Which half of a word of eight bytes is loaded, where the other one is as well: both together may be an address.
pub fn half_of_word(func: &Func, load: InstId) -> Option<Half> {
    const HALF: i64 = WORD / 2;
    let place = |id: InstId| {
        let is_half = |(_, _, bytes): &(Value, i64, i64)| *bytes == HALF && matches!(func.inst(id).op, Op::Load);
        narrow_access(func, id).filter(is_half).map(|(record, at, _)| (record, at))
    };
    let (record, at) = place(load)?;
    let is_loaded = |beside: i64, alignment: i64| {
        func.block(func.inst(load).block).insts.iter().any(|other| {
            place(*other) == Some((record, at + beside)) && i64::from(func.inst(*other).value.alignment()) >= alignment
        })
    };
    match i64::from(func.inst(load).value.alignment()) >= WORD {
        true => is_loaded(HALF, HALF).then_some(Half::Low),
        false => is_loaded(-HALF, WORD).then_some(Half::High),
    }
}

impl Activity {
    /// Finds the words.
    pub(super) fn find_words(&mut self, func: &Func, memory: &Memory) {
        self.find_pieces(func, memory);
        self.find_computed(func, memory);
        for id in func.inst_ids() {
            let inst = func.inst(id);
            if !func.block(inst.block).returns || float_of(inst.ty).is_none() || !self.is_of_interest(id) {
                continue;
            }
            self.words[id.0 as usize] = match inst.op {
                Op::Load => inst.value.is_plain() && self.holds_words(func, memory, id),
                Op::Phi | Op::Copy | Op::Select => true,
                _ => false,
            };
        }
        for id in func.inst_ids().collect::<Vec<_>>() {
            let inst = func.inst(id);
            if matches!(inst.op, Op::Store) && func.block(inst.block).returns {
                self.find_words_stored(func, memory, id);
            }
        }
        for id in func.inst_ids() {
            let inst = func.inst(id);
            match inst.op {
                Op::Load if self.words[id.0 as usize] => {
                    self.take_for_structure(memory, memory.points_to(inst.operands[0]));
                    self.of_words.union(&memory.points_to(inst.operands[0]));
                }
                Op::Store if self.is_word(inst.operands[0]) => {
                    self.take_for_structure(memory, memory.points_to(inst.operands[1]));
                    self.of_words.union(&memory.points_to(inst.operands[1]));
                }
                _ => {}
            }
        }
        for id in func.inst_ids() {
            self.needed[id.0 as usize] |= self.words[id.0 as usize];
            if self.computed[id.0 as usize] {
                for operand in &func.inst(id).operands {
                    if let Val::Inst(load) = operand
                        && self.read_for_bits[load.0 as usize]
                    {
                        self.needed[load.0 as usize] = true;
                        self.take_for_structure(memory, memory.points_to(func.inst(*load).operands[0]));
                    }
                }
            }
        }
    }

    /// Pieces of memory that are moved where nothing tells what they are, and that are no words: structure, for floats are not moved in pieces; in
    /// reverse mode that is checked.
    fn find_pieces(&mut self, func: &Func, memory: &Memory) {
        for id in func.inst_ids() {
            let inst = func.inst(id);
            if !matches!(inst.op, Op::Load) || !self.loads_word(func, memory, id) || !func.block(inst.block).returns {
                continue;
            }
            if !self.any_active(&memory.points_to(inst.operands[0])) {
                // A piece of a pointer to such memory: the shadow's is another.
                if func.module().store_size_of(inst.ty) < 8 && self.any_active(&memory.reach(inst.operands[0])) {
                    self.needed[id.0 as usize] = true;
                    self.take_for_structure(memory, memory.points_to(inst.operands[0]));
                }
                continue;
            }
            let fits = |float, size| self.is_of_whole(func, memory, id, float, size);
            let is_as_wide = || are_as_wide(func, memory, id, inst.operands[0], fits);
            if float_of(inst.ty).is_some() && is_as_wide() && self.holds_words(func, memory, id) {
                continue;
            }
            if self.holds_narrower_floats(func, memory, id) {
                continue;
            }
            self.varied[id.0 as usize] = false;
            self.pieces[id.0 as usize] = true;
            if self.reads_own_room(memory, inst.operands[0]) {
                self.needed[id.0 as usize] = true;
                self.take_for_structure(memory, memory.points_to(inst.operands[0]));
            } else if !numbers::is_of_text(func, memory, id) {
                self.foreign_pieces.push(id);
            }
        }
    }

    /// Whether an integer that is loaded is no piece of a float, but has whole ones in it that are narrower.
    fn holds_narrower_floats(&self, func: &Func, memory: &Memory, load: InstId) -> bool {
        let inst = func.inst(load);
        let (spot, size) = (memory::spot_of(func, inst.operands[0]), func.module().store_size_of(inst.ty));
        let is_inside = |(at, cell): (Spot, Cell)| match cell {
            Cell::Float(width) => width < size && memory::overlap(spot, size as i64, at, width as i64),
            _ => false,
        };
        memory.points_to(inst.operands[0]).iter().any(|o| memory.all_cells(o).any(is_inside))
    }

    /// The piece that a store moves and that must not be of a float, where that is to be checked in reverse mode.
    pub fn piece_checked(&self, func: &Func, id: InstId) -> Option<Val> {
        let value = func.inst(id).operands[0];
        let is_piece = matches!(value, Val::Inst(load) if self.pieces[load.0 as usize] && !is_field(func, load));
        (is_piece && self.has_shadow(value)).then_some(value)
    }

    /// Whether bits that an instruction computes with are those of a float, or may be and it cannot be checked.
    fn computes_with_float(&self, func: &Func, memory: &Memory, val: Val) -> bool {
        leaves(func, val).0.into_iter().any(|leaf| match leaf {
            // (A float that depends on nothing has no derivative to lose.)
            Val::Inst(id) if self.is_varied(leaf) && is_float_load(func, memory, leaf) => {
                let address = func.inst(id).operands[0];
                let is_checked = self.reads_own_room(memory, address);
                // (What the source has as a number is one in the variant where it is read, whatever lies there in another.)
                let may_be_number = is_exact(func.inst(id).value)
                    || is_float_by_hearsay(func, memory, id)
                    || may_be_elsewhere(func, memory, id);
                !(is_checked && may_be_number)
            }
            _ => is_cast_float(func, leaf),
        })
    }

    /// Takes what is computed with bits out of what depends on the inputs.
    fn find_computed(&mut self, func: &Func, memory: &Memory) {
        let int = |ty: Type| ty.is_int() || ty.is_pointer() || (ty.is_vector() && ty.element().is_int());
        for id in func.inst_ids() {
            let inst = func.inst(id);
            let computes = match inst.op {
                Op::Integer(_) => true,
                Op::BitCast => int(inst.ty) && int(func.ty(inst.operands[0])),
                _ => false,
            };
            // (What it gives is no bits of a float, whatever it is asked of.)
            let is_choice = is_one_of_two(inst) && inst.operands.iter().any(|v| self.is_varied(*v));
            if (is_choice || (computes && self.is_of_interest(id)))
                && !self.float_bound[id.0 as usize]
                && int(inst.ty)
                && !inst.operands.iter().any(|v| self.computes_with_float(func, memory, *v))
            {
                self.varied[id.0 as usize] = false;
                self.computed[id.0 as usize] = true;
            }
        }
        // What is read for nothing but to be computed with.
        for id in func.inst_ids() {
            let inst = func.inst(id);
            if !matches!(inst.op, Op::Load) || !int(inst.ty) || !self.is_of_interest(id) {
                continue;
            }
            let moved = |user: &InstId| match func.inst(*user).op {
                Op::Store => func.inst(*user).operands[0] == Val::Inst(id),
                Op::Compare | Op::Gep | Op::Branch => false,
                _ => !self.computed[user.0 as usize],
            };
            let told = self.reads_own_room(memory, inst.operands[0]);
            if !func.users[id.0 as usize].iter().any(moved) && told {
                self.varied[id.0 as usize] = false;
                self.read_for_bits[id.0 as usize] = true;
            }
        }
        // Joins of results of such computations.
        loop {
            let idle = |id: &InstId| {
                let inst = func.inst(*id);
                matches!(inst.op, Op::Phi | Op::Copy | Op::Select)
                    && int(inst.ty)
                    && self.is_of_interest(*id)
                    && !inst.operands.iter().any(|v| self.is_varied(*v))
            };
            let idle: Vec<InstId> = func.inst_ids().filter(idle).collect();
            if idle.is_empty() {
                return;
            }
            idle.into_iter().for_each(|id| self.varied[id.0 as usize] = false);
        }
    }

    /// Bits that an instruction computes with and that must not be a float's, where that is to be checked when they are there: a value, and which of its bits.
    pub fn bits_checked(&self, func: &Func, id: InstId) -> Vec<(Val, u64)> {
        let bits = |v: &Val| self.is_word(*v) || matches!(v, Val::Inst(i) if self.read_for_bits[i.0 as usize]);
        // A pointer that is made of a word is followed only where there is one.
        let makes_pointer = matches!(func.inst(id).op, Op::Integer(Opcode::LLVMIntToPtr));
        if !self.computed[id.0 as usize] || makes_pointer || !func.block(func.inst(id).block).returns {
            return Vec::new();
        }
        let mask = |val: Val| if self.may_be_pair(func, func.ty(val)) { bits_of_word(func.inst(id)) } else { u64::MAX };
        func.inst(id).operands.iter().filter(|v| bits(v)).map(|v| (*v, mask(*v))).collect()
    }

    /// Whether an integer that is read or written may be bits of a float: one that is not wider lies in its bytes. (Floats are not
    /// moved in pieces; where the pieces are, a number lies next to floats, and an address tells only where modulo the distance between them.) An index is none, as the
    /// source says.
    pub(super) fn accesses_float_bits(&self, func: &Func, memory: &Memory, access: InstId) -> bool {
        let inst = func.inst(access);
        let (address, ty) = match inst.op {
            Op::Store => (inst.operands[1], func.ty(inst.operands[0])),
            _ => (inst.operands[0], inst.ty),
        };
        let spot = memory::spot_of(func, address);
        let size = func.module().store_size_of(ty) as i64;
        let float = |at, cell: Cell| match cell {
            Cell::Float(w) => w as i64 <= size && memory::overlap(spot, size, at, w as i64),
            _ => false,
        };
        !tag::is_index(inst.value)
            && memory.points_to(address).iter().any(|object| {
                let own = matches!(memory.objects[object.0 as usize], Object::Stack(_) | Object::Heap(_));
                let mut cells = memory.cells_of(object).iter().flat_map(|(at, cells)| cells.iter().map(|c| (*at, *c)));
                // What callees say of a place is of use where words can be moved.
                let told = || own && memory.all_cells(object).any(|(at, c)| at.stride == spot.stride && float(at, c));
                cells.any(|(at, c)| float(at, c)) || told()
            })
    }

    /// A word that is stored where floats may lie; also one that depends on no input: of it too it must be known whether it is a float, of which
    /// the derivative is zero, or structure.
    fn find_words_stored(&mut self, func: &Func, memory: &Memory, store: InstId) {
        let (value, address) = (func.inst(store).operands[0], func.inst(store).operands[1]);
        let ty = func.ty(value);
        if float_of(ty).is_none()
            || !self.any_active(&memory.points_to(address))
            || !(self.accesses_float_bits(func, memory, store) || tag::is_word(func.inst(store).value))
        {
            return;
        }
        let (leaves, moves) = leaves(func, value);
        // Where words are moved to, floats may lie that nothing shows.
        let may_be_float = |activity: &Activity, load: InstId| {
            let address = func.inst(load).operands[0];
            activity.accesses_float_bits(func, memory, load)
                || (!activity.loads_plain_number(func, memory, load)
                    && (tag::is_word(func.inst(load).value)
                        || (memory.moves_words(&memory.points_to(address)) && !is_number(func, load))))
        };
        let of_words = leaves.iter().any(|leaf| match leaf {
            Val::Inst(id) if matches!(func.inst(*id).op, Op::Load) && !self.pieces[id.0 as usize] => {
                self.words[id.0 as usize] || may_be_float(self, *id)
            }
            _ => false,
        });
        for leaf in leaves {
            let Val::Inst(id) = leaf else { continue };
            if !matches!(func.inst(id).op, Op::Load) || self.words[id.0 as usize] || self.pieces[id.0 as usize] {
                continue;
            }
            let address = func.inst(id).operands[0];
            if !may_be_float(self, id) {
                continue;
            }
            if self.holds_words(func, memory, id) {
                self.words[id.0 as usize] = true;
            } else if !self.is_of_interest(id) && self.any_active(&memory.points_to(address)) {
                // (Of constant memory: in a reverse sweep its adjoint is lost in any case, in a tangent sweep its bits tell what it is.)
                self.unclear.push(id);
            }
        }
        if of_words {
            for id in moves {
                self.words[id.0 as usize] = true;
            }
        }
    }

    /// Whether there may be floats in memory where nothing says so, since words are moved there.
    pub fn may_hold_words(&self, set: &ObjectSet) -> bool {
        set.iter().any(|o| self.of_words.contains(o) && self.is_active_object(o))
    }

    /// Whether a store is of a number that was computed (a counter) and goes to memory whose shadow the user keeps: in reverse mode no length and no
    /// mark of a variant is, so the shadow's number is left alone.
    pub fn is_users_number(&self, func: &Func, memory: &Memory, store: InstId) -> bool {
        let (value, address) = (func.inst(store).operands[0], func.inst(store).operands[1]);
        let set = memory.points_to(address);
        let is_computed = |leaf: &Val| matches!(leaf, Val::Inst(id) if matches!(func.inst(*id).op, Op::Integer(_)));
        self.fixed
            && func.ty(value).is_int()
            && set.iter().all(|o| self.is_outside(o))
            && !set.is_empty()
            && (tag::is_index(func.inst(store).value) || leaves(func, value).0.iter().any(is_computed))
    }

    /// Whether a store is of what is no pointer to a place where the user's memory has a float, or has one in another variant: the shadow may hold the adjoint of the float, or
    /// of one that is put there later.
    pub fn is_users_variant(&self, func: &Func, memory: &Memory, store: InstId) -> bool {
        self.floats_of_users_variant(func, memory, store).is_some()
    }

    /// The bytes of the floats there, where it is such a store.
    pub fn floats_of_users_variant(&self, func: &Func, memory: &Memory, store: InstId) -> Option<u64> {
        self.users_floats(func, memory, store, false)
    }

    /// Whether a store is of a number to a place where the user's memory has a float as wide in another variant, and a pointer too.
    pub fn is_over_users_float(&self, func: &Func, memory: &Memory, store: InstId) -> bool {
        let bits = func.ty(func.inst(store).operands[0]);
        self.users_floats(func, memory, store, true).is_some_and(|floats| u64::from(bits.bits()) == 8 * floats)
    }

    /// Whether a store is of what the source has as a number, or of what tells variants, to the user's memory, where no float lies, in a program that takes no bits of
    /// floats: it is no word.
    pub fn is_users_count(&self, func: &Func, memory: &Memory, store: InstId) -> bool {
        let (value, address) = (func.inst(store).operands[0], func.inst(store).operands[1]);
        let tells_variants = |leaf: &Val| match leaf {
            Val::Inst(load) => matches!(func.inst(*load).op, Op::Load) && tag::is_switched(func.inst(*load).value),
            Val::Const(number) => tag::may_be_variant(*number),
            Val::Arg(_) => false,
        };
        (tag::is_exact_word(func.inst(store).value) || leaves(func, value).0.iter().all(tells_variants))
            && !takes_bits(func.module())
            && self.is_users_alone(memory, address)
            && floats_met(func, memory, address, func.ty(value)).is_none()
    }

    /// Whether an address leads to memory alone whose shadow the user keeps while a reverse sweep runs, and not to the result's.
    fn is_users_alone(&self, memory: &Memory, address: Val) -> bool {
        let set = memory.points_to(address);
        self.fixed && !set.is_empty() && set.iter().all(|o| self.is_outside(o)) && !self.may_be_result(memory, address)
    }

    fn users_floats(&self, func: &Func, memory: &Memory, store: InstId, beside_pointers: bool) -> Option<u64> {
        let (value, address) = (func.inst(store).operands[0], func.inst(store).operands[1]);
        let ty = func.ty(value);
        let pointer = |cell: &Cell| matches!(cell, Cell::Pointer).then_some(8);
        let is_such = ty.is_int()
            && self.is_users_alone(memory, address)
            && memory.meets(func, address, func.module().store_size_of(ty) as i64, &pointer) == beside_pointers;
        is_such.then(|| floats_met(func, memory, address, ty)).flatten()
    }

    /// The bytes of the floats that the user's memory has in other variants where a variant is told, and whether it may have become another one.
    pub fn floats_of_users_tag(&self, func: &Func, memory: &Memory, load: InstId) -> Option<(u64, bool)> {
        let address = func.inst(load).operands[0];
        let set = memory.points_to(address);
        let mut users = set.iter().filter(|o| self.fixed && self.is_outside(*o)).peekable();
        users.peek()?;
        let is_changed = users.any(|o| self.written.contains(o));
        floats_met(func, memory, address, func.inst(load).ty).map(|floats| (floats, is_changed))
    }

    /// Whether a load may be one of a word: its memory has a shadow that tells floats from structure, and the floats there are as wide.
    pub(super) fn holds_words(&self, func: &Func, memory: &Memory, load: InstId) -> bool {
        let address = func.inst(load).operands[0];
        self.has_room(memory, &memory.points_to(address))
            && self.is_as_wide(func, memory, load, address)
            && !self.may_be_result(memory, address)
    }

    /// Whether a store may be one of a word. (In forward mode what stands beside a word goes where the word goes: to a shadow of the user's too, which has the
    /// variants of the primal.)
    pub(super) fn takes_words(&self, func: &Func, memory: &Memory, store: InstId) -> bool {
        let address = func.inst(store).operands[1];
        let has_room = self.has_own_room(memory, &memory.written_at(address))
            || (self.has_room(memory, &memory.points_to(address))
                && (!self.fixed || self.is_users_variant(func, memory, store)))
            || self.is_users_count(func, memory, store);
        has_room && self.is_as_wide(func, memory, store, address)
    }

    /// Whether what is accessed at a place of a float, and is no structure, is all of it, or two such floats; in forward mode it may be a piece, with which the
    /// same piece of the tangent is moved.
    fn is_as_wide(&self, func: &Func, memory: &Memory, access: InstId, address: Val) -> bool {
        let is_piece = |float, size| !self.fixed && float > size;
        let fits = |float, size| is_piece(float, size) || self.is_of_whole(func, memory, access, float, size);
        are_as_wide(func, memory, access, address, fits)
    }

    /// Whether what is accessed, of so many bytes, is a float of so many, or two: where all floats are as narrow, each word is two, as far as it is one.
    fn is_of_whole(&self, func: &Func, memory: &Memory, access: InstId, float: i64, size: i64) -> bool {
        let is_pair = || size == WORD && float == NARROWEST as i64 && self.has_pairs(func);
        float == size || (is_pair() && self.tells_pairs(func, memory, access))
    }

    /// Whether the shadows of what an access moves tell each of two floats from structure: in one that the user keeps, an adjoint with rubbish behind it looks like a
    /// pointer.
    fn tells_pairs(&self, func: &Func, memory: &Memory, access: InstId) -> bool {
        let inst = func.inst(access);
        let is_users = |address: Val| memory.points_to(address).iter().any(|o| self.is_outside(o));
        let comes_from_user = |leaf: Val| match leaf {
            Val::Inst(id) if matches!(func.inst(id).op, Op::Load) => is_users(func.inst(id).operands[0]),
            _ => false,
        };
        !self.fixed
            || match inst.op {
                Op::Store => {
                    !is_users(inst.operands[1]) && !leaves(func, inst.operands[0]).0.into_iter().any(comes_from_user)
                }
                _ => !is_users(inst.operands[0]),
            }
    }

    /// Whether words are two floats.
    fn has_pairs(&self, func: &Func) -> bool {
        *self.of_halves.get_or_init(|| only_width(func.module()) == Some(NARROWEST))
    }

    /// The floats that a word may be: one as wide, or a vector of two.
    pub fn floats_of(&self, func: &Func, word: Type) -> Option<Type> {
        let float = float_of(word)?;
        Some(if self.may_be_pair(func, word) { word.context().f32().vector(2) } else { float })
    }

    /// Whether what is moved as a type may be two floats.
    pub fn may_be_pair(&self, func: &Func, ty: Type) -> bool {
        float_of(ty) == Some(ty.context().f64()) && self.has_pairs(func)
    }

    /// Whether words are read from, or written to, any of these objects or what is copied from and to them: they may be floats that nobody else sees.
    pub fn has_words(&self, func: &Func, memory: &Memory, set: &ObjectSet) -> bool {
        let shared =
            |address: Val| memory.points_to(address).iter().any(|o| set.iter().any(|p| memory.are_copies(o, p)));
        func.inst_ids().any(|id| {
            let inst = func.inst(id);
            match inst.op {
                Op::Load => self.words[id.0 as usize] && shared(inst.operands[0]),
                Op::Store => self.is_word(inst.operands[0]) && shared(inst.operands[1]),
                _ => false,
            }
        })
    }

    /// Whether all memory at an address has a shadow, or is its own where a pointer may lead to constant memory as well: what stands beside a word that is read
    /// there is told then by whether the pointer and its shadow are one, and by the word's bits.
    fn has_room(&self, memory: &Memory, set: &ObjectSet) -> bool {
        // (Nobody writes to a constant; what is in another static may be changed by what is not looked into.)
        let is_constant = |o: ObjectId| match memory.objects[o.0 as usize] {
            Object::Global(value) => memory.is_constant(o) && may_be_of_floats(value),
            _ => self.is_bare_param(memory, o),
        };
        let is_joined = self.any_active(set) && !set.iter().all(is_constant);
        let has_room = |o: ObjectId| match memory.objects[o.0 as usize] {
            Object::Param(i) | Object::Path(i, _) | Object::Behind(i) => {
                self.params[i as usize] == ParamActivity::Dup || memory.is_text(o) || (is_joined && is_constant(o))
            }
            Object::Stack(_) | Object::Heap(_) => true,
            Object::Global(value) => !may_be_of_floats(value) || (is_joined && is_constant(o)),
        };
        !set.is_empty() && set.iter().all(has_room)
    }

    /// The same of a shadow that tells floats from structure while values are computed: none that the user keeps.
    fn has_own_room(&self, memory: &Memory, set: &ObjectSet) -> bool {
        self.has_room(memory, set) && !set.iter().any(|o| self.is_outside(o))
    }

    /// The same of what is read at an address, which is not the result's either.
    fn reads_own_room(&self, memory: &Memory, address: Val) -> bool {
        self.has_own_room(memory, &memory.points_to(address)) && !self.may_be_result(memory, address)
    }

    /// Whether an address may lead to memory whose shadow the user keeps: there floats have adjoints from the start.
    pub fn is_users(&self, memory: &Memory, address: Val) -> bool {
        memory.points_to(address).iter().any(|o| self.is_users_object(o))
    }

    /// Whether a float lies where the user's memory has a pointer or a number in another variant.
    pub fn is_users_mixed(&self, func: &Func, memory: &Memory, address: Val, ty: Type) -> bool {
        let size = func.module().store_size_of(ty) as i64;
        let other = |cell: &Cell| match cell {
            Cell::Float(_) => None,
            Cell::Bits(width) => Some(*width as i64),
            Cell::Pointer => Some(8),
        };
        memory.points_to(address).iter().any(|o| self.is_outside(o)) && memory.meets(func, address, size, &other)
    }

    /// Whether an access lies where the memory holds floats at one time and other things at another, so that the laws of words hold of it.
    pub fn is_mixed_at(&self, func: &Func, memory: &Memory, address: Val, ty: Type) -> bool {
        let set = memory.points_to(address);
        let size = func.module().store_size_of(ty) as i64;
        let floats = may_hold_floats(ty);
        let other = |cell: &Cell| match cell {
            Cell::Float(w) => (!floats).then_some(*w as i64),
            Cell::Bits(w) => floats.then_some(*w as i64),
            Cell::Pointer => floats.then_some(8),
        };
        !set.iter().any(|o| self.is_outside(o))
            && (set.iter().any(|o| memory.is_said_mixed(o)) || memory.meets(func, address, size, &other))
    }
}

/// The bytes of the widest float that may lie where so much is accessed.
pub(super) fn floats_met(func: &Func, memory: &Memory, address: Val, ty: Type) -> Option<u64> {
    [WORD as u64, NARROWEST].into_iter().find(|bytes| meets_float(func, memory, address, ty, *bytes))
}

/// Whether what lies at an address, of a type, may share a byte with a float of so many.
pub(super) fn meets_float(func: &Func, memory: &Memory, address: Val, ty: Type, bytes: u64) -> bool {
    let float = |cell: &Cell| matches!(cell, Cell::Float(width) if *width == bytes).then_some(bytes as i64);
    memory.meets(func, address, func.module().store_size_of(ty) as i64, &float)
}
