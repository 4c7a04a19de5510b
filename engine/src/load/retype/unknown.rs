//! Integers that are moved from memory to memory where nothing tells what they are.
//!
//! `slice::reverse` and `swap` in a function of their own go over records as over rows of integers and look at none. As with a copy of such memory
//! ([`super::copies`]), what others may have put there is moved as words, as wide as the floats of the program.

use super::evidence::{Evidence, Kind};
use super::{Classes, alone};
use crate::analysis::bits::NARROWEST;
use crate::analysis::memory::{self, Cell, Memory, Object, ObjectId, ObjectSet, Spot, Summaries};
use crate::analysis::widths::Width;
use crate::ir::looks::Looks;
use crate::ir::tag::{self, Tag};
use crate::ir::{Func, InstId, Op, Val};
use crate::llvm::{Builder, Function, Opcode, Type, Value};
use crate::load::variants::views::{self, Views};
use crate::maps::HashSet;
use std::cell::OnceCell;

/// Bytes of a pointer.
const POINTER: i64 = 8;

/// A load that is stored and used for nothing else.
pub struct Move {
    load: Value,
    stores: Vec<Value>,
    /// Whether what lies in each four bytes is known to be a number.
    numbers: Vec<bool>,
}

/// Finds the moves between memory that others may have written to, or where words have been moved to.
pub fn find(
    func: &Func,
    memory: &Memory,
    evidence: &mut Evidence,
    classes: &Classes,
    width: Option<Width>,
) -> Vec<Move> {
    let mut strangers = None;
    let mut found = Vec::new();
    for id in func.inst_ids() {
        let Some(stores) = stores_of(func, id) else { continue };
        // Of what is moved by halves, one may be a number. (Halves that begin anywhere, as in a packed struct, are none of floats.)
        let is_aligned = stores.iter().chain([&id]).all(|access| is_aligned(func, memory, *access));
        let by_halves = is_aligned && width.map(Width::bytes) == Some(NARROWEST);
        if width == Some(Width::Either) && !is_aligned {
            continue;
        }
        let is_unknown = |id: InstId| match by_halves {
            true => classes.may_hold_words(func, id),
            false => classes.own(func, id).all(|atom| classes.is_open(atom)),
        };
        if !is_unknown(id) || stores.iter().any(|store| !is_unknown(*store)) {
            continue;
        }
        let bytes = func.module().store_size_of(func.inst(id).ty) as i64;
        let addresses = stores.iter().map(|store| func.inst(*store).operands[1]).chain([func.inst(id).operands[0]]);
        let addresses: Vec<Val> = addresses.collect();
        let mut kinds = |at: i64| -> Vec<Kind> {
            let kinds = addresses.iter().filter_map(|address| {
                let place = evidence.place(*address, at);
                evidence.about(place)
            });
            // (A float that was not taken for one may be something else in another variant.)
            kinds.filter(|kind| !kind.is_float()).collect()
        };
        let halves: Vec<Vec<Kind>> = (0..bytes).step_by(NARROWEST as usize).map(&mut kinds).collect();
        let is_told =
            if by_halves { !halves.contains(&Vec::new()) } else { halves.iter().any(|kinds| !kinds.is_empty()) };
        // Half of a pointer beside what is not known is no number: its shadow is another one.
        let numbers = halves.iter().map(|kinds| kinds.contains(&Kind::Integer)).collect();
        let strangers: &ObjectSet = strangers.get_or_insert_with(|| alone::strangers(func, memory));
        let is_strange = |address: &Val| {
            let set = memory.points_to(*address);
            set.iter().any(|o| strangers.contains(o)) || memory.moves_words(&set)
        };
        if !is_told && addresses.iter().all(is_strange) {
            found.push(Move {
                load: func.inst(id).value,
                stores: stores.iter().map(|store| func.inst(*store).value).collect(),
                numbers,
            });
        }
    }
    found
}

/// Whether floats begin and end where an access does, or in its middle: as it says itself, or as its place says in memory in which nobody has any elsewhere. (A swap of
/// bytes, as hash tables make it when they grow, says nothing.)
fn is_aligned(func: &Func, memory: &Memory, access: InstId) -> bool {
    let inst = func.inst(access);
    let address = inst.operands[usize::from(matches!(inst.op, Op::Store))];
    let Spot { offset, stride } = memory::spot_of(func, address);
    // (A table without elements is one of the program's.)
    let is_own =
        |o: ObjectId| matches!(memory.objects[o.0 as usize], Object::Stack(_) | Object::Heap(_) | Object::Global(_));
    let has_whole = |o: ObjectId| is_own(o) && !memory.is_packed(o) && !memory.is_of_bytes(o);
    u64::from(inst.value.alignment()) >= NARROWEST
        || (stride.is_multiple_of(NARROWEST)
            && offset.unsigned_abs().is_multiple_of(NARROWEST)
            && memory.points_to(address).iter().all(has_whole))
}

/// Stores of pointers that are loaded where there is a float at one time and a pointer at another, and of which nothing here tells the variant
/// (`Ok(Box::new(parse(x)?))`, where the error is a text) or that they are looked at before: LLVM gives such a move the type of either.
pub fn pointers(func: &Func, memory: &Memory, evidence: &Evidence) -> Vec<Value> {
    let looks = OnceCell::new();
    let is_certain = |leaf: Value, store: Value| looks.get_or_init(|| Looks::of(func.function)).are_before(leaf, store);
    let may_be_float = |leaf: &Value, store: Value| {
        let Val::Inst(id) = func.val(*leaf) else { return false };
        let inst = func.inst(id);
        if !matches!(inst.op, Op::Load) || !inst.ty.is_pointer() || tag::is_told(inst.value) {
            return false;
        }
        let (address, set) = (inst.operands[0], memory.points_to(inst.operands[0]));
        let spot = memory::spot_of(func, address);
        let is_met = |(at, cell): (Spot, Cell)| match cell {
            Cell::Float(bytes) => memory::overlap(spot, POINTER, at, bytes as i64),
            _ => false,
        };
        let is_own = |o: ObjectId| matches!(memory.objects[o.0 as usize], Object::Stack(_) | Object::Heap(_));
        set.iter().any(|o| is_own(o) && memory.all_cells(o).any(is_met))
            && (!evidence.holds_variants(&set) || !is_certain(*leaf, store))
    };
    // Where the types of the source say that it is a float, LLVM stores its number.
    let is_pointer =
        |value: Value| value.ty().is_pointer() || (value.is_instruction() && value.opcode() == Opcode::LLVMPtrToInt);
    let stores = func.inst_ids().map(|id| func.inst(id)).filter(|inst| matches!(inst.op, Op::Store));
    let stores = stores.map(|inst| inst.value).filter(|store: &Value| store.is_plain());
    stores
        .filter(|store| is_pointer(store.operand(0)))
        .filter(|store| {
            views::leaves(store.operand(0)).is_some_and(|leaves| leaves.iter().any(|leaf| may_be_float(leaf, *store)))
        })
        .collect()
}

/// Stores of floats that are loaded where there is a number or a pointer at another time, to where there is such a one as well
/// (`items.push(if last { Doc::Text(weight) } else { Doc::Section(items.clone()) })`, where the length of the vector lies at the place of the weight).
pub fn floats(func: &Func, summaries: &Summaries, is_root: bool) -> Vec<Value> {
    let is_float = |id: &InstId| {
        let inst = func.inst(*id);
        matches!(inst.op, Op::Store) && func.ty(inst.operands[0]).is_float() && inst.value.is_plain()
    };
    let is_load = |leaf: &Value| leaf.is_instruction() && leaf.opcode() == Opcode::LLVMLoad && leaf.ty().is_float();
    let is_moved =
        |id: &InstId| views::leaves(func.inst(*id).value.operand(0)).is_some_and(|leaves| leaves.iter().any(is_load));
    let stores: Vec<InstId> = func.inst_ids().filter(is_float).filter(is_moved).collect();
    if stores.is_empty() {
        return Vec::new();
    }
    let memory = memory::analyze(func, summaries, &[]);
    // Words are not moved in what the user has handed over.
    let is_own = |o: ObjectId| match memory.objects[o.0 as usize] {
        Object::Stack(_) | Object::Heap(_) => true,
        Object::Param(_) | Object::Path(..) | Object::Behind(_) => !is_root,
        Object::Global(_) => false,
    };
    let is_other = |spot: Spot, bytes: u64, (at, cell): (Spot, Cell)| match cell {
        Cell::Bits(width) if width != bytes => false,
        Cell::Pointer if bytes != POINTER as u64 => false,
        Cell::Bits(_) | Cell::Pointer => at.stride == spot.stride && at.offset == spot.offset,
        Cell::Float(_) => false,
    };
    let may_be_other = |leaf: &Value| {
        let Val::Inst(id) = func.val(*leaf) else { return false };
        let inst = func.inst(id);
        if !matches!(inst.op, Op::Load) || !inst.ty.is_float() || tag::is_told(inst.value) {
            return false;
        }
        let (set, spot) = (memory.points_to(inst.operands[0]), memory::spot_of(func, inst.operands[0]));
        let bytes = func.module().store_size_of(inst.ty);
        let is_here = |o: ObjectId| memory.all_cells(o).any(|there| is_other(spot, bytes, there));
        set.iter().all(is_own) && set.iter().any(is_here)
    };
    let takes_others = |store: InstId| {
        let (value, address) = (func.inst(store).operands[0], func.inst(store).operands[1]);
        let (set, spot) = (memory.points_to(address), memory::spot_of(func, address));
        let bytes = func.module().store_size_of(func.ty(value));
        set.iter().all(is_own) && set.iter().any(|o| memory.all_cells(o).any(|there| is_other(spot, bytes, there)))
    };
    let is_never_float = |leaf: &Value| {
        let Val::Inst(id) = func.val(*leaf) else { return false };
        let inst = func.inst(id);
        matches!(inst.op, Op::Load)
            && inst.ty.is_float()
            && !tag::is_told(inst.value)
            && memory.points_to(inst.operands[0]).iter().all(is_own)
            && is_never_float(func, &memory, id)
    };
    let stores = stores.into_iter().filter(|id| {
        let address = func.inst(*id).operands[1];
        let leaves = views::leaves(func.inst(*id).value.operand(0)).unwrap_or_default();
        (leaves.iter().any(may_be_other) && takes_others(*id))
            || (memory.points_to(address).iter().all(is_own) && leaves.iter().any(is_never_float))
    });
    stores.map(|id| func.inst(id).value).collect()
}

/// Whether callees leave words, numbers or pointers where a float is loaded, and nobody has a float there but such loads: LLVM cuts what is copied into pieces
/// of the type of whatever may lie in the same place.
fn is_never_float(func: &Func, memory: &Memory, load: InstId) -> bool {
    let (address, bytes) = (func.inst(load).operands[0], func.module().store_size_of(func.inst(load).ty) as i64);
    let (set, spot) = (memory.points_to(address), memory::spot_of(func, address));
    let is_met = |at: Spot, size: u64| memory::overlap(spot, bytes, at, size as i64);
    let foreign = || set.iter().flat_map(|o| memory.foreign_cells(o)).filter(|(at, cell)| is_met(*at, cell.bytes()));
    let is_moved = |id: InstId| {
        let is_move = |user: &InstId| matches!(func.inst(*user).op, Op::Store | Op::Phi | Op::Select);
        matches!(func.inst(id).op, Op::Load) && func.users[id.0 as usize].iter().all(is_move)
    };
    let has_float = |id: InstId| {
        let inst = func.inst(id);
        let (address, ty) = match inst.op {
            Op::Load => (inst.operands[0], inst.ty),
            Op::Store => (inst.operands[1], func.ty(inst.operands[0])),
            _ => return false,
        };
        ty.is_float_or_vector()
            && !is_moved(id)
            && memory.points_to(address).iter().any(|o| set.contains(o))
            && is_met(memory::spot_of(func, address), func.module().store_size_of(ty))
    };
    foreign().next().is_some()
        && foreign().all(|(_, cell)| !matches!(cell, Cell::Float(_)))
        && !func.inst_ids().any(has_float)
}

/// Stores words in their place.
pub fn store_words(stores: &[Value]) {
    store_as(stores, Views::default(), tag::mark_word);
}

/// The same where evidence about other accesses makes nothing else of them: that of a float among what is joined does not.
pub fn store_firm_words(stores: &[Value]) {
    store_as(stores, Views::of_variants(), tag::mark_firm);
}

fn store_as(stores: &[Value], mut views: Views, mark: fn(Value)) {
    let mut used = Vec::new();
    for store in stores {
        let value = store.operand(0);
        let builder = Builder::before(*store);
        builder.set_location_of(Some(*store));
        let again = builder.store(views.of(value, views::word(value.ty()), &builder), store.operand(1));
        again.set_alignment(store.alignment());
        mark(again);
        store.erase();
        used.push(value);
    }
    let mut erased = HashSet::default();
    used.into_iter().for_each(|value| views::erase_unused(value, &mut erased));
}

/// Loads and stores of bytes that are moved one by one, from and to anywhere in memory in which floats may lie: pieces of these, or none.
pub fn bytes(func: &Func, memory: &Memory) -> Vec<Value> {
    let mut strangers = None;
    let mut found = Vec::new();
    for id in func.inst_ids() {
        let Some(stores) = moved(func, id, |bits| bits < 32) else { continue };
        let strangers: &ObjectSet = strangers.get_or_insert_with(|| alone::strangers(func, memory));
        let is_anywhere = |address: Val| {
            let set = memory.points_to(address);
            let is_open = |o: ObjectId| strangers.contains(o) && !memory.is_of_bytes(o);
            !memory::spot_of(func, address).stride.is_multiple_of(NARROWEST) && set.iter().any(is_open)
        };
        let addresses = stores.iter().map(|store| func.inst(*store).operands[1]).chain([func.inst(id).operands[0]]);
        if addresses.into_iter().all(is_anywhere) {
            found.extend(stores.iter().chain([&id]).map(|access| func.inst(*access).value));
        }
    }
    found
}

/// The stores of what is loaded, where it has no other use.
fn stores_of(func: &Func, id: InstId) -> Option<Vec<InstId>> {
    moved(func, id, |bits| bits.is_multiple_of(32))
}

/// The same of numbers of some widths.
fn moved(func: &Func, id: InstId, is_wide: impl Fn(u32) -> bool) -> Option<Vec<InstId>> {
    let inst = func.inst(id);
    let plain = |value: Value| value.is_plain() && !tag::is_word(value);
    let is_load = matches!(inst.op, Op::Load) && inst.ty.is_int() && plain(inst.value) && Tag::of(inst.value).is_none();
    if !is_load || !is_wide(inst.ty.bits()) {
        return None;
    }
    let users = &func.users[id.0 as usize];
    let is_moved = |user: &InstId| {
        let user = func.inst(*user);
        matches!(user.op, Op::Store) && user.operands[0] == Val::Inst(id) && plain(user.value)
    };
    (!users.is_empty() && users.iter().all(is_moved)).then(|| users.clone())
}

/// Takes apart words that are wider than any float of the program: what lies beside the mark of a variant, say, may be two floats in another. True where there were
/// any.
pub fn halve(function: Function) -> bool {
    let is_wide =
        |access: &Value, ty: Type| ty.is_int() && ty.bits() == 64 && access.is_plain() && is_open_word(*access);
    let is_moved_to = |load: Value, user: &Value| {
        user.opcode() == Opcode::LLVMStore && user.operand(0) == load && is_wide(user, load.ty())
    };
    let mut found = Vec::new();
    for load in function.blocks().into_iter().flat_map(|b| b.instructions()) {
        if load.opcode() != Opcode::LLVMLoad || !is_wide(&load, load.ty()) {
            continue;
        }
        let stores = load.users();
        let is_moved = !stores.is_empty() && stores.iter().all(|user| is_moved_to(load, user));
        if is_moved && stores.iter().chain([&load]).all(|access| u64::from(access.alignment()) >= NARROWEST) {
            found.push(Move { load, stores, numbers: vec![false; 2] });
        }
    }
    for moved in &found {
        let mark = if tag::is_firm(moved.load) { tag::mark_firm } else { tag::mark_word };
        take_apart(moved, moved.load.ty(), NARROWEST, mark);
    }
    !found.is_empty()
}

/// Whether an access is one of a word of which the source does not say that it is one number.
fn is_open_word(access: Value) -> bool {
    tag::is_word(access) && !tag::is_exact(access) && !tag::is_either(access)
}

/// Makes words of what is moved: as wide as the module's floats, or as the source says; nothing where neither is known, or they are wider than what is moved.
pub fn run(moves: &[Move], width: Option<Width>) -> bool {
    let mut changed = false;
    for moved in moves {
        let ty = moved.load.ty();
        // What the source says to be one number is no row of narrow ones.
        let own = tag::is_told(moved.load).then(|| Width::Of(u64::from(ty.bits() / 8)));
        let is_whole = |width: &Width| u64::from(ty.bits() / 8).is_multiple_of(width.bytes());
        let Some(width) = own.or(width).filter(is_whole) else { continue };
        let mark = match width {
            _ if own.is_some() => tag::mark_count,
            Width::Of(_) => tag::mark_word,
            Width::Either => tag::mark_either,
        };
        changed = true;
        if u64::from(ty.bits() / 8) == width.bytes() {
            moved.stores.iter().chain([&moved.load]).for_each(|access| mark(*access));
        } else {
            take_apart(moved, ty, width.bytes(), mark);
        }
    }
    changed
}

fn take_apart(moved: &Move, ty: Type, bytes: u64, mark: fn(Value)) {
    let context = moved.load.context();
    let word = context.int(8 * bytes as u32);
    let at = |builder: &Builder, address: Value, offset: u64| match offset {
        0 => address,
        _ => builder.gep(context.int(8), address, &[context.int(64).int_value(offset)]),
    };
    let offsets: Vec<u64> = (0..u64::from(ty.bits() / 8)).step_by(bytes as usize).collect();
    let marked = |access: Value, of: Value, offset: u64| {
        access.set_alignment(of.alignment().min(bytes as u32));
        if bytes > NARROWEST || !moved.numbers[(offset / NARROWEST) as usize] {
            mark(access);
        }
        access
    };
    let builder = Builder::before(moved.load);
    builder.set_location_of(Some(moved.load));
    let pieces: Vec<Value> = offsets
        .iter()
        .map(|offset| marked(builder.load(word, at(&builder, moved.load.operand(0), *offset)), moved.load, *offset))
        .collect();
    for store in &moved.stores {
        let builder = Builder::before(*store);
        builder.set_location_of(Some(*store));
        for (offset, piece) in offsets.iter().zip(&pieces) {
            marked(builder.store(*piece, at(&builder, store.operand(1), *offset)), *store, *offset);
        }
        store.erase();
    }
    moved.load.erase();
}
