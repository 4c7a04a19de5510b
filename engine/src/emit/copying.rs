//! Derivatives of copies and fills of memory.
//!
//! A copy does not say what it moves. Where the objects hold floats of one width and nothing else, its adjoint is a loop over
//! floats: add what lies in the destination's shadow to the source's, and leave zero. Where they hold pointers and lengths
//! too, the copy must be of a constant size, and is taken cell by cell. What cannot be decided is an error. (Copies of which nothing tells what they
//! move have become loops over words when this is asked.)
use super::adjoint::unsupported;
use super::augmented::Sweep;
use super::reverse::Pullback;
use super::session::Session;
use super::subject::Subject;
use super::writes;
use crate::analysis::casts::takes_bits;
use crate::analysis::globals::{is_as_it_began, may_be_of_floats};
use crate::analysis::memory::{Cell, Memory, Mixed, Object, ObjectId, ObjectSet, Spot, counted_from, overlap, spot_of};
use crate::analysis::spot::{gcd, said_alignment};
use crate::analysis::widths::only_width;
use crate::diag::{Code, Diagnostic, moved};
use crate::ir::tag;
use crate::ir::{Callee, InstId, Op, Val};
use crate::llvm::{Builder, Function, IntPredicate, Linkage, Type, Value};
use crate::load::realloc;
use cotangent_contract::Request;

/// What a piece of memory that is copied or filled consists of.
#[derive(Debug)]
pub enum Layout {
    /// Floats of so many bytes and nothing else.
    Floats(u64),
    /// Pointers and integers and nothing else.
    Structure,
    /// Whatever it is, it is nowhere else afterwards.
    Relocated,
    /// A fill of structure where floats may lie at other times, or a copy that [nobody looks at](is_unseen).
    Bytes,
    /// What depends on no argument, from memory of the function's own: the shadow there is zero where floats are.
    Constants,
    /// A constant number of bytes: cells with their offsets.
    Cells(Vec<(u64, Cell)>),
}

/// What a copy or fill moves.
///
/// # Errors
/// CT0302 where that cannot be decided.
pub fn layout(subject: &Subject, id: InstId, request: &Request) -> Result<Layout, Diagnostic> {
    let copy = subject.func.inst(id).value;
    match shown_layout(subject, id) {
        Some(layout) => Ok(layout),
        None if tag::moves_numbers(copy) && !takes_bits(subject.func.module()) => Ok(Layout::Structure),
        None => Err(undecided(copy, request)),
    }
}

/// The same as what lies in memory shows it, where it does.
fn shown_layout(subject: &Subject, id: InstId) -> Option<Layout> {
    let inst = subject.func.inst(id);
    let memory = &subject.memory;
    let mut set = memory.points_to(inst.operands[0]);
    if matches!(inst.op, Op::MemCopy) {
        set.union(&memory.points_to(inst.operands[1]));
    }
    // Out of a slice of floats come floats, whatever lies elsewhere where they go.
    if matches!(inst.op, Op::MemCopy)
        && let Some(width) = memory.plain_floats(&memory.points_to(inst.operands[1]))
    {
        return Some(Layout::Floats(width));
    }
    // Out of the program's texts come texts, whatever else the memory may hold where they go.
    if matches!(inst.op, Op::MemCopy) && is_constant_text(memory, &memory.points_to(inst.operands[1])) {
        return Some(Layout::Structure);
    }
    match memory.floats_only(&set) {
        // Of floats of another width, which callees alone see, it is told cell by cell, or not at all.
        Ok(Some(width)) if !foreign_cells(subject, id).any(|(_, cell)| is_float(cell) && cell.bytes() != width) => {
            return Some(Layout::Floats(width));
        }
        Err(Mixed) if !memory.has_floats(&set) && !relocates(subject, id) => {
            let takes_words = matches!(inst.op, Op::MemCopy) && takes_words(subject, id);
            if !takes_words && !subject.activity.has_words(&subject.func, memory, &set) {
                // That there are numbers elsewhere, such as the counts before the elements of an `Rc<[f64]>`, says nothing of what is moved; nor does a number
                // in a record of the floats beside it.
                let is_known = !matches!(inst.op, Op::MemCopy)
                    || (0..2).all(|end| shows_structure(subject, id, end))
                        && !hides_floats(subject, id)
                        && !moves_foreign_floats(subject, id);
                return is_known.then_some(Layout::Structure);
            }
            // What moves words, here or in a callee, does not say that they are floats.
            if takes_words {
                return None;
            }
        }
        _ => {}
    }
    if let Val::Const(bytes) = inst.operands[2]
        && let Some(bytes) = bytes.as_u64()
        && let Some(cells) = cells_of_copy(subject, id, bytes)
    {
        return Some(Layout::Cells(cells));
    }
    if is_unseen(subject, id) {
        return Some(Layout::Bytes);
    }
    if moves_constants(subject, id) {
        return Some(Layout::Constants);
    }
    if relocates(subject, id) {
        return Some(Layout::Relocated);
    }
    let theirs = |o| subject.activity.is_outside(o);
    if matches!(inst.op, Op::MemSet) && !set.iter().any(theirs) {
        // Nobody fills floats with a byte that is not zero.
        return Some(Layout::Bytes);
    }
    None
}

/// Whether a copy takes things out of active memory where words are moved, here or by callees.
fn takes_words(subject: &Subject, id: InstId) -> bool {
    let source = subject.memory.points_to(subject.func.inst(id).operands[1]);
    subject.activity.may_hold_words(&source)
        || (subject.memory.moves_words(&source) && subject.activity.any_active(&source))
}

/// Whether objects are constants of the program in which no floats lie.
fn is_constant_text(memory: &Memory, set: &ObjectSet) -> bool {
    let is_text = |o: ObjectId| match memory.objects[o.0 as usize] {
        Object::Global(value) => is_as_it_began(value) && !may_be_of_floats(value),
        _ => false,
    };
    !set.is_empty() && set.iter().all(is_text)
}

/// Whether a copy puts what has a shadow elsewhere for good.
fn relocates(subject: &Subject, id: InstId) -> bool {
    let inst = subject.func.inst(id);
    matches!(inst.op, Op::MemCopy)
        && realloc::relocates(inst.value)
        && subject.facts().has_shadow(inst.operands[1])
        && !subject.activity.is_guarded(&subject.memory, inst.operands[1])
}

/// Whether anything is known to lie where one end of a copy is.
fn shows_structure(subject: &Subject, id: InstId, end: usize) -> bool {
    let (inst, memory) = (subject.func.inst(id), &subject.memory);
    let bytes = match inst.operands[2] {
        Val::Const(bytes) => bytes.as_u64().and_then(|bytes| i64::try_from(bytes).ok()),
        _ => None,
    };
    let spot = spot_of(&subject.func, inst.operands[end]);
    // Where it ends is not known: anything behind it may be moved.
    let is_met = |(at, cell): (Spot, Cell)| match bytes {
        Some(bytes) => overlap(spot, bytes, at, cell.bytes() as i64),
        None => at.stride > 0 || spot.stride > 0 || at.offset >= spot.offset,
    };
    memory.points_to(inst.operands[end]).iter().any(|o| memory.all_cells(o).any(is_met))
}

/// Whether a copy out of memory that others have written to moves words of which nothing is known, beside such as are numbers or pointers.
fn hides_floats(subject: &Subject, id: InstId) -> bool {
    let (inst, memory) = (subject.func.inst(id), &subject.memory);
    let is_own = |o: ObjectId| match memory.objects[o.0 as usize] {
        Object::Stack(_) => true,
        Object::Heap(made) => matches!(subject.func.inst(made).op, Op::Call(Callee::Effect(_))),
        _ => false,
    };
    let source = memory.points_to(inst.operands[1]);
    if source.iter().all(is_own) || !subject.activity.any_active(&source) {
        return false;
    }
    // What is known, counted from where the copy begins. (Of each object by what is read and written there: what is copied into each other shares its cells, wherever
    // in it they lie.)
    let known: Vec<(Spot, u64)> = inst.operands[..2].iter().flat_map(|end| seen_from(subject, *end)).collect();
    let known = || known.iter().copied();
    let fixed = match inst.operands[2] {
        Val::Const(bytes) => bytes.as_u64(),
        _ => None,
    };
    // Of a row of records it is asked of one what is in it.
    let row = known().map(|(at, _)| at.stride).filter(|stride| *stride > 0).fold(0, gcd);
    let (bytes, rows) = fixed.map_or((row, true), |bytes| (bytes, false));
    // The narrowest float that there may be: beside the mark of a variant there is room for one.
    let word = if only_width(subject.func.module()) == Some(8) { 8 } else { 4 };
    let is_met = |at_word: i64| {
        known().any(|(at, bytes)| {
            (!rows || at.stride > 0)
                && overlap(Spot { offset: at_word, stride: if rows { row } else { 0 } }, word, at, bytes as i64)
        })
    };
    bytes == 0 || !(0..bytes as i64).step_by(word as usize).all(is_met)
}

/// Where a function reads and writes in the memory at an address, counted from there, and how many bytes.
fn seen_from(subject: &Subject, address: Val) -> Vec<(Spot, u64)> {
    let (func, memory) = (&subject.func, &subject.memory);
    let (set, spot) = (memory.points_to(address), spot_of(func, address));
    let accesses = func.inst_ids().filter_map(|id| {
        let inst = func.inst(id);
        let (at, ty) = match inst.op {
            Op::Load => (inst.operands[0], inst.ty),
            Op::Store => (inst.operands[1], func.ty(inst.operands[0])),
            _ => return None,
        };
        let is_there = memory.points_to(at).iter().any(|o| set.contains(o));
        is_there.then(|| (counted_from(spot, spot_of(func, at)), func.module().store_size_of(ty)))
    });
    accesses.collect()
}

fn undecided(copy: Value, request: &Request) -> Diagnostic {
    Diagnostic::new(Code::MixedType, "cannot tell which bytes of this copy are floats")
        .note(moved::told(copy))
        .note("the memory holds active floats beside other things, or nothing in the function says what it holds")
        .help("copy field by field, or keep floats and other fields in arrays of their own")
        .at_instruction(copy, request)
}

/// Whether a copy puts bytes, such as those of a text, where no derivative is and nothing but single bytes is looked at: in the shadow it need not be made, and
/// a text there may be shorter.
pub fn is_unseen(subject: &Subject, id: InstId) -> bool {
    let (inst, memory) = (subject.func.inst(id), &subject.memory);
    let is_bytes = |o| memory.all_cells(o).all(|(_, cell)| cell == Cell::Bits(1));
    let own =
        |o: ObjectId| matches!(memory.objects[o.0 as usize], Object::Stack(_) | Object::Heap(_)) && !memory.escapes(o);
    let (to, from) = (memory.points_to(inst.operands[0]), memory.points_to(inst.operands[1]));
    let ends_at_bytes = said_alignment(inst.value, 0) == 1;
    matches!(inst.op, Op::MemCopy)
        && ends_at_bytes
        && to.iter().all(own)
        && !subject.activity.any_active(&to)
        && to.iter().chain(from.iter()).all(is_bytes)
}

fn moves_constants(subject: &Subject, id: InstId) -> bool {
    let (inst, memory) = (subject.func.inst(id), &subject.memory);
    let is_constant = |o: ObjectId| {
        matches!(memory.objects[o.0 as usize], Object::Stack(_) | Object::Heap(_))
            && !subject.activity.is_varied_object(o)
    };
    matches!(inst.op, Op::MemCopy)
        && subject.facts().has_shadow(inst.operands[1])
        && memory.points_to(inst.operands[1]).iter().all(is_constant)
}

fn cells_of_copy(subject: &Subject, id: InstId, bytes: u64) -> Option<Vec<(u64, Cell)>> {
    let inst = subject.func.inst(id);
    let mut found: Vec<(u64, Cell)> = Vec::new();
    let ends = if matches!(inst.op, Op::MemCopy) { 2 } else { 1 };
    for address in &inst.operands[..ends] {
        let spot = spot_of(&subject.func, *address);
        for object in subject.memory.points_to(*address).iter() {
            let cells = subject.memory.cells_of(object);
            let stride = cells.keys().map(|s| s.stride).chain([spot.stride]).fold(0, gcd);
            for (at, kinds) in cells {
                let [cell] = kinds[..] else {
                    // Two views of one place: floats moved as bits are settled before; anything else is a union.
                    return None;
                };
                let distance = at.offset - spot.offset;
                let mut offset = if stride > 0 { distance.rem_euclid(stride as i64) } else { distance };
                while offset < bytes as i64 {
                    if offset >= 0 && !found.contains(&(offset as u64, cell)) {
                        found.push((offset as u64, cell));
                    }
                    if stride == 0 {
                        break;
                    }
                    offset += stride as i64;
                }
            }
        }
    }
    found.sort_by_key(|(offset, _)| *offset);
    let apart = found.windows(2).all(|pair| pair[0].0 + pair[0].1.bytes() <= pair[1].0);
    let inside = found.iter().all(|(offset, cell)| offset + cell.bytes() <= bytes);
    let is_all = apart && inside && !found.is_empty() && !callees_see_more(subject, id, &found, bytes);
    is_all.then_some(found)
}

/// What callees alone say of the memory that a copy or fill moves or sets, counted from where it begins.
fn foreign_cells(subject: &Subject, id: InstId) -> impl Iterator<Item = (Spot, Cell)> {
    let (inst, memory) = (subject.func.inst(id), &subject.memory);
    let ends = if matches!(inst.op, Op::MemCopy) { 2 } else { 1 };
    inst.operands[..ends].iter().flat_map(move |address| {
        let spot = spot_of(&subject.func, *address);
        let objects: Vec<ObjectId> = memory.points_to(*address).iter().collect();
        let cells = objects.into_iter().flat_map(|object| memory.foreign_cells(object));
        cells.map(move |(at, cell)| (counted_from(spot, *at), *cell))
    })
}

fn is_float(cell: Cell) -> bool {
    matches!(cell, Cell::Float(_))
}

/// Whether a copy of a constant size moves what callees alone see to be a float.
fn moves_foreign_floats(subject: &Subject, id: InstId) -> bool {
    let inst = subject.func.inst(id);
    let bytes = match inst.operands[2] {
        Val::Const(bytes) if matches!(inst.op, Op::MemCopy) => bytes.as_u64(),
        _ => None,
    };
    bytes.is_some_and(|bytes| callees_see_more(subject, id, &[], bytes))
}

/// Whether callees see floats in what a copy moves that are not among its cells, or something else where its cells are floats: other variants of an enum.
fn callees_see_more(subject: &Subject, id: InstId, cells: &[(u64, Cell)], bytes: u64) -> bool {
    foreign_cells(subject, id).any(|(at, cell)| {
        let meets = |offset: u64, size: u64| {
            overlap(Spot { offset: offset as i64, stride: 0 }, size as i64, at, cell.bytes() as i64)
        };
        let is_known = at.stride == 0 && cells.iter().any(|(offset, c)| *offset as i64 == at.offset && *c == cell);
        match cell {
            _ if is_known => false,
            Cell::Float(_) => meets(0, bytes),
            // What is filled with a byte may have been something else then.
            Cell::Bits(1) => false,
            Cell::Bits(_) | Cell::Pointer => cells.iter().any(|(offset, c)| is_float(*c) && meets(*offset, c.bytes())),
        }
    })
}

/// In the forward sweep of reverse mode: the structure that a copy moves is moved in the shadow too.
///
/// # Errors
/// CT0302 where floats and structure cannot be told apart.
pub fn structure(sweep: &mut Sweep, id: InstId, builder: &Builder) -> Result<(), Diagnostic> {
    let subject = sweep.subject;
    let inst = subject.func.inst(id);
    if !subject.facts().has_shadow(inst.operands[0]) {
        return Ok(());
    }
    if subject.activity.may_be_result(&subject.memory, inst.operands[0]) {
        // Its shadow is the seed. (What the copy moves is asked for all the same.)
        return layout(subject, id, sweep.session.request).map(drop);
    }
    let (to, from) = (sweep.shadow(inst.operands[0]), sweep.shadow(inst.operands[1]));
    match layout(subject, id, sweep.session.request)? {
        // What structure was there before is no adjoint; in the user's memory there are adjoints from the start.
        Layout::Floats(_) if has_more_than_floats(subject, inst.operands[0]) => {
            let bytes = sweep.value(inst.operands[2]);
            builder.memset(to, to.context().int(8).int_value(0), bytes, 1);
        }
        Layout::Floats(_) | Layout::Bytes => {}
        Layout::Structure | Layout::Constants | Layout::Relocated => {
            let bytes = sweep.value(inst.operands[2]);
            builder.memmove(to, from, bytes, 1);
        }
        Layout::Cells(cells) => {
            // All loads before all stores: source and destination may overlap.
            let loaded: Vec<(u64, Value)> = cells
                .iter()
                .filter(|(_, cell)| !matches!(cell, Cell::Float(_)))
                .map(|(offset, cell)| (*offset, builder.load(cell_type(to, *cell), at(builder, from, *offset))))
                .collect();
            for (offset, value) in loaded {
                builder.store(value, at(builder, to, offset)).set_alignment(1);
            }
        }
    }
    Ok(())
}

/// In the forward sweep of reverse mode: the structure that a fill sets is set in the shadow too.
///
/// # Errors
/// CT0302 where floats and structure cannot be told apart.
pub fn fill_structure(sweep: &mut Sweep, id: InstId, builder: &Builder) -> Result<(), Diagnostic> {
    let subject = sweep.subject;
    let inst = subject.func.inst(id);
    if subject.activity.may_be_result(&subject.memory, inst.operands[0]) {
        return layout(subject, id, sweep.session.request).map(drop);
    }
    let to = sweep.shadow(inst.operands[0]);
    let byte = sweep.value(inst.operands[1]);
    if byte.is_null() {
        // Zero is the shadow of a float as well.
        let bytes = sweep.value(inst.operands[2]);
        builder.memset(to, byte, bytes, 1);
        return Ok(());
    }
    match layout(subject, id, sweep.session.request)? {
        Layout::Floats(_) => {}
        Layout::Structure | Layout::Bytes | Layout::Constants | Layout::Relocated => {
            let bytes = sweep.value(inst.operands[2]);
            builder.memset(to, byte, bytes, 1);
        }
        Layout::Cells(cells) => {
            for (offset, cell) in cells {
                if let Cell::Bits(size) = cell {
                    let size = sweep.session.module.context().int(64).int_value(size);
                    builder.memset(at(builder, to, offset), byte, size, 1);
                }
            }
        }
    }
    Ok(())
}

/// Whether other things than floats may lie, at some time, in memory of the function's own.
fn has_more_than_floats(subject: &Subject, address: Val) -> bool {
    let (memory, set) = (&subject.memory, subject.memory.points_to(address));
    let is_plain = |o: ObjectId| memory.all_cells(o).all(|(_, cell)| matches!(cell, Cell::Float(_)));
    let has_more = |o: ObjectId| memory.is_said_mixed(o) || !is_plain(o);
    (memory.moves_words(&set) || set.iter().any(has_more)) && !set.iter().any(|o| subject.activity.is_outside(o))
}

fn cell_type(pointer: Value, cell: Cell) -> Type {
    let context = pointer.context();
    match cell {
        Cell::Float(4) => context.f32(),
        Cell::Float(_) => context.f64(),
        Cell::Pointer => context.ptr(),
        Cell::Bits(bytes) => context.int(bytes as u32 * 8),
    }
}

fn at(builder: &Builder, pointer: Value, offset: u64) -> Value {
    let context = pointer.context();
    builder.gep(context.int(8), pointer, &[context.int(64).int_value(offset)])
}

/// The adjoint of a copy.
///
/// # Errors
/// CT0302 where it cannot be decided what is copied.
pub fn copy_adjoint(sweep: &mut Pullback, id: InstId, builder: &Builder) -> Result<(), Diagnostic> {
    let subject = sweep.subject;
    let inst = subject.func.inst(id);
    let found = layout(subject, id, sweep.session.request)?;
    let to = sweep.shadow(inst.operands[0], builder);
    let has_source = subject.facts().has_shadow(inst.operands[1]);
    let is_guarded = has_source && subject.activity.is_guarded(&subject.memory, inst.operands[1]);
    let kept = is_kept(sweep, id, to, builder);
    let some = |bytes: Value| kept.map_or(bytes, |kept| builder.select(kept, bytes.ty().zero(), bytes));
    match found {
        Layout::Structure | Layout::Bytes => {}
        Layout::Relocated => {
            let (from, bytes) = (sweep.shadow(inst.operands[1], builder), some(sweep.value(inst.operands[2], builder)));
            let grain = match realloc::relocated_alignment(inst.value) {
                Some(0..4) => 1,
                Some(8..) if sweep.session.only_doubles => 8,
                _ => 4,
            };
            builder.call(way_back(sweep.session, grain), &[to, from, bytes]);
        }
        Layout::Constants => {
            let bytes = some(sweep.value(inst.operands[2], builder));
            builder.memset(to, to.context().int(8).int_value(0), bytes, 1);
        }
        Layout::Floats(width) => {
            let bytes = some(sweep.value(inst.operands[2], builder));
            if has_source {
                let from = sweep.shadow(inst.operands[1], builder);
                let helper = transposed_copy(sweep.session, width);
                let mut copied = bytes;
                if is_guarded {
                    // One of the two is done to no bytes.
                    let (is_constant, none) = (sweep.is_constant(inst.operands[1], from, builder), bytes.ty().zero());
                    copied = builder.select(is_constant, none, bytes);
                    let cleared = builder.select(is_constant, bytes, none);
                    builder.memset(to, to.context().int(8).int_value(0), cleared, 1);
                }
                builder.call(helper, &[to, from, copied]);
            } else {
                builder.memset(to, to.context().int(8).int_value(0), bytes, 1);
            }
        }
        Layout::Cells(cells) => {
            let floats: Vec<(u64, Type)> = cells
                .into_iter()
                .filter(|(_, c)| matches!(c, Cell::Float(_)))
                .map(|(offset, c)| (offset, cell_type(to, c)))
                .collect();
            let mut place = |offset: u64, ty: Type| {
                let place = at(builder, to, offset);
                kept.map_or(place, |kept| builder.select(kept, sweep.zeros(ty), place))
            };
            let places: Vec<Value> = floats.iter().map(|(offset, ty)| place(*offset, *ty)).collect();
            let adjoints: Vec<Value> =
                floats.iter().zip(&places).map(|((_, ty), place)| builder.load(*ty, *place)).collect();
            for ((_, ty), place) in floats.iter().zip(places) {
                builder.store(ty.zero(), place);
            }
            if has_source {
                let from = sweep.shadow(inst.operands[1], builder);
                let is_constant = is_guarded.then(|| sweep.is_constant(inst.operands[1], from, builder));
                for ((offset, ty), adjoint) in floats.iter().zip(adjoints) {
                    let mut place = at(builder, from, *offset);
                    if let Some(is_constant) = is_constant {
                        place = builder.select(is_constant, sweep.nowhere(*ty), place);
                    }
                    let before = builder.load(*ty, place);
                    builder.store(super::aggregate::add(builder, before, adjoint), place);
                }
            }
        }
    }
    Ok(())
}

/// Whether a copy or fill went to constant memory, which has no adjoints; none where that cannot be.
fn is_kept(sweep: &mut Pullback, id: InstId, to: Value, builder: &Builder) -> Option<Value> {
    let address = writes::guarded(sweep.subject, id)?;
    Some(sweep.is_constant(address, to, builder))
}

/// The adjoint of a fill: the shadow becomes zero.
///
/// # Errors
/// CT0302 where it cannot be decided what is filled.
pub fn fill_adjoint(sweep: &mut Pullback, id: InstId, builder: &Builder) -> Result<(), Diagnostic> {
    let subject = sweep.subject;
    let inst = subject.func.inst(id);
    if matches!(inst.operands[1], Val::Const(byte) if byte.is_null()) {
        // Zero is the adjoint of a float, and the structure that was there before is looked up nowhere else: it was overwritten.
        let to = sweep.shadow(inst.operands[0], builder);
        let mut bytes = sweep.value(inst.operands[2], builder);
        if let Some(kept) = is_kept(sweep, id, to, builder) {
            bytes = builder.select(kept, bytes.ty().zero(), bytes);
        }
        builder.memset(to, to.context().int(8).int_value(0), bytes, 1);
        return Ok(());
    }
    let found = layout(subject, id, sweep.session.request)?;
    let to = sweep.shadow(inst.operands[0], builder);
    let kept = is_kept(sweep, id, to, builder);
    let zero = to.context().int(8).int_value(0);
    match found {
        Layout::Structure => {}
        Layout::Floats(_) | Layout::Bytes | Layout::Constants | Layout::Relocated => {
            let bytes = sweep.value(inst.operands[2], builder);
            let bytes = kept.map_or(bytes, |kept| builder.select(kept, bytes.ty().zero(), bytes));
            builder.memset(to, zero, bytes, 1);
        }
        Layout::Cells(cells) => {
            for (offset, cell) in cells {
                if let Cell::Float(_) = cell {
                    let ty = cell_type(to, cell);
                    let place = at(builder, to, offset);
                    let place = kept.map_or(place, |kept| builder.select(kept, sweep.zeros(ty), place));
                    builder.store(ty.zero(), place);
                }
            }
        }
    }
    if !matches!(inst.op, Op::MemSet) {
        return Err(unsupported(sweep, id, "a fill of memory"));
    }
    Ok(())
}

/// What was put elsewhere gets its adjoints back: `from[i] = to[i]` wherever `from[i]` is zero. It is where floats are, since they have no other adjoints; what
/// is not zero is structure, and stays as it was then.
fn way_back(session: &mut Session, grain: u64) -> Function {
    let name = format!("ct.relocate.adjoint.i{}", grain * 8);
    let module = session.module;
    if let Some(function) = module.function(&name) {
        return function;
    }
    let context = module.context();
    let (ptr, word, unit) = (context.ptr(), context.int(64), context.int(8 * grain as u32));
    let function = module.add_function(&name, context.void().function(&[ptr, ptr, word]));
    function.set_linkage(Linkage::LLVMInternalLinkage);
    let (to, from, bytes) = (function.param(0), function.param(1), function.param(2));
    let [entry, head, body, done] = ["entry", "head", "body", "done"].map(|name| function.append_block(name));
    let builder = Builder::at_end(entry);
    let count = builder.binary(crate::llvm::Opcode::LLVMUDiv, bytes, word.int_value(grain));
    builder.br(head);
    builder.position_at_end(head);
    let index = builder.phi(word);
    index.add_incoming(word.zero(), entry);
    builder.cond_br(builder.icmp(IntPredicate::LLVMIntULT, index, count), body, done);
    builder.position_at_end(body);
    let [source, target] = [from, to].map(|end| builder.gep(unit, end, &[index]));
    let [before, moved] = [source, target].map(|place| {
        let load = builder.load(unit, place);
        load.set_alignment(1);
        load
    });
    let is_float = builder.icmp(IntPredicate::LLVMIntEQ, before, unit.zero());
    // A number that is there now is no adjoint.
    let adjoint = match grain {
        1 => moved,
        4 => super::adjoint::half_or_zero(&builder, moved),
        _ => super::adjoint::adjoint_or_zero(&builder, moved),
    };
    builder.store(builder.select(is_float, adjoint, before), source).set_alignment(1);
    index.add_incoming(builder.add_exact(index, word.int_value(1)), body);
    builder.br(head);
    builder.position_at_end(done);
    builder.ret_void();
    function
}

/// `from[i] += to[i]; to[i] = 0` for all floats, in the order that is right where the two overlap: each is read before a
/// sum reaches it, so with the destination above the source the loop goes up, below it goes down.
fn transposed_copy(session: &mut Session, width: u64) -> Function {
    let name = format!("ct.copy.adjoint.f{}", width * 8);
    let module = session.module;
    if let Some(function) = module.function(&name) {
        return function;
    }
    let context = module.context();
    let float = if width == 4 { context.f32() } else { context.f64() };
    let (ptr, word) = (context.ptr(), context.int(64));
    let function = module.add_function(&name, context.void().function(&[ptr, ptr, word]));
    function.set_linkage(Linkage::LLVMInternalLinkage);
    let (to, from, bytes) = (function.param(0), function.param(1), function.param(2));
    let block = |name: &str| function.append_block(name);
    let (entry, head, body, done) = (block("entry"), block("head"), block("body"), block("done"));
    let builder = Builder::at_end(entry);
    let count = builder.binary(crate::llvm::Opcode::LLVMUDiv, bytes, word.int_value(width));
    let up = builder.icmp(IntPredicate::LLVMIntUGE, to, from);
    let last = builder.sub(count, word.int_value(1));
    builder.br(head);
    builder.position_at_end(head);
    let index = builder.phi(word);
    index.add_incoming(word.int_value(0), entry);
    builder.cond_br(builder.icmp(IntPredicate::LLVMIntULT, index, count), body, done);
    builder.position_at_end(body);
    let down = builder.sub(last, index);
    let place = builder.select(up, index, down);
    let source = builder.gep(float, from, &[place]);
    let target = builder.gep(float, to, &[place]);
    let adjoint = builder.load(float, target);
    builder.store(float.zero(), target);
    let before = builder.load(float, source);
    builder.store(super::aggregate::add(&builder, before, adjoint), source);
    index.add_incoming(builder.add_exact(index, word.int_value(1)), body);
    builder.br(head);
    builder.position_at_end(done);
    builder.ret_void();
    function
}
