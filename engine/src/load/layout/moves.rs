//! Copies of memory of known types, written out.

use super::exact::{self, Movers, Record};
use super::places::{Places, Typed, copied_bytes};
use super::shapes::{Shape, narrow_bytes};
use super::swaps::Swapping;
use super::types::{self, Layouts, Leaf, Run, repeated};
use super::{TYPES, is_of_floats, mark_leaf, tell_record, tell_runs};
use crate::analysis::bits::NARROWEST;
use crate::analysis::spot::{linear, said_alignment};
use crate::ir::tag;
use crate::llvm::{Builder, CopyMap, Function, IntPredicate, Module, Node, NodeKind, Opcode, Type, Value};
use crate::load::overlaid;
use crate::rule::{Known, Path, Registry};
use std::rc::Rc;

/// Copies of at most so many leaves are written out.
const WRITTEN_OUT: u64 = 16;
/// The largest record that a copy is told.
const LARGEST: u64 = 512;
/// The largest that is moved exactly.
const LARGEST_EXACT: u64 = 4096;

/// Writes out what the copy of a definition moves; with `movers`, exactly.
pub fn write_out(
    definition: Function,
    places: &Places,
    layouts: &mut Layouts,
    mut movers: Option<&mut Movers>,
    registry: &Registry,
    copy: &CopyMap,
) {
    for instruction in definition.blocks().into_iter().flat_map(|b| b.instructions()) {
        let new = || copy.value(instruction);
        if let Some(movers) = movers.as_deref_mut() {
            tell(places, layouts, instruction, new());
            if is_of_bits(instruction) {
                movers.cast(new());
                continue;
            }
        }
        if let Some(size) = copied_bytes(instruction) {
            let ends = [instruction.operand(0), instruction.operand(1)];
            if let Some(numbers) = of_numbers(places, &ends, fits(instruction)) {
                let record = layouts.of(numbers).unwrap_or_default();
                tell_runs(new(), tag::NUMBERS, &record, numbers.size());
            }
            if let Some((record, bytes)) = of_types(places, layouts, &ends, fits(instruction)) {
                tell_runs(new(), TYPES, &record, bytes);
            }
            // (Of what the function moves by its size alone the copy knows it.)
            match size.as_u64().or_else(|| new().operand(2).as_u64()) {
                Some(bytes) => {
                    if let Some(runs) = of_bytes(places, layouts, &ends, bytes) {
                        write_copy(new(), &runs, bytes);
                    } else if let Some(runs) = of_counts(places, layouts, &ends, bytes) {
                        write_copy(new(), &runs, bytes);
                    } else if let Some(movers) = movers.as_deref_mut()
                        && let Some(record) = exactly(places, layouts, &ends, bytes)
                    {
                        match record.is_straight() && bytes == record.size {
                            true => exact::write_copy(new(), &record),
                            false => movers.copy(new(), &record),
                        }
                    } else if let Some((runs, record)) = of_marks(places, layouts, &ends, registry) {
                        tell_record(new(), &runs, record);
                    }
                }
                None => {
                    // (A copy that is told its record forgets it when it turns out to be one of a single record.)
                    if let Some(movers) = movers.as_deref_mut()
                        && let Some(record) = exactly_many(places, layouts, &ends, fits(instruction))
                    {
                        movers.copy(new(), &record);
                    } else {
                        let record = of_many(places, layouts, instruction)
                            .or_else(|| of_marks(places, layouts, &ends, registry));
                        if let Some((runs, record)) = record {
                            tell_record(new(), &runs, record);
                        }
                    }
                }
            }
        } else if instruction.called_function().is_some_and(|f| registry.knows(Known::Swap, &f.name())) {
            let ends = [0, 1].map(|end| instruction.operand(end));
            let record = records(places, layouts, &ends, |_| true);
            if let Some((runs, record)) = record.filter(|(runs, record)| !is_of_floats(runs, *record)) {
                write_swap(new(), &runs, record);
            } else if let Some(movers) = movers.as_deref_mut()
                && let Some(record) = exactly_many(places, layouts, &ends, |_| true)
            {
                movers.swap(new(), &record);
            }
        } else if let Some((address, ty)) = accessed(instruction) {
            let bytes = definition.module().store_size_of(ty);
            if bytes == 8 && is_all(&places.at(address), types::is_field) {
                tag::mark_field(new());
            }
            if ty.is_int() && is_number(&places.at(address), layouts, bytes) {
                tag::mark_no_address(new());
            }
            if bytes == 8 && is_all(&places.at(address), types::is_index_field) {
                tag::mark_number(new());
                continue;
            }
            match of_access(places, layouts, address, bytes).as_deref() {
                Some([Run { at: 0, leaf: Leaf::Float(float), count }]) if float * count == bytes && bytes > 2 => {
                    access_floats(new(), *float, *count);
                }
                Some([Run { at: 0, leaf: Leaf::Integer(told), count: 1 }]) if *told == bytes => mark_leaf(new(), bytes),
                None if ty.is_int() && is_known_count(&places.at(address), layouts, bytes) => mark_leaf(new(), bytes),
                _ => {}
            }
            if let Some(load) = loaded(places, instruction) {
                hand_back(new(), copy.value(load));
            }
        }
    }
}

/// What a store puts where it is known to belong, loaded from where nothing is known: behind a pointer that a call has returned, say.
fn loaded(places: &Places, store: Value) -> Option<Value> {
    let is_store = store.opcode() == Opcode::LLVMStore;
    let load = is_store.then(|| store.operand(0)).filter(|value| value.is_instruction())?;
    let is_open = load.opcode() == Opcode::LLVMLoad && load.ty().is_int() && places.at(load.operand(0)).is_empty();
    is_open.then_some(load)
}

/// Tells a load what the store of the very number says of it.
fn hand_back(store: Value, load: Value) {
    if tag::is_no_address(store) {
        tag::mark_no_address(load);
        if tag::is_told(store) {
            tag::mark_told(load);
        }
    }
}

/// Whether a float is cast to its bits, or back.
fn is_of_bits(instruction: Value) -> bool {
    let is_float = |ty: Type| ty == ty.context().f32() || ty == ty.context().f64();
    instruction.opcode() == Opcode::LLVMBitCast && {
        let (from, to) = (instruction.operand(0).ty(), instruction.ty());
        is_float(from) && to.is_int() || from.is_int() && is_float(to)
    }
}

/// What an address is known as, at one place: lists of types of which one lies in the other, a list for each variant that has such a thing.
type Lists = Vec<Vec<Node>>;

/// The record that lies in so many bytes at some addresses, where all that is known of them agrees.
fn exactly(places: &Places, layouts: &mut Layouts, addresses: &[Value], bytes: u64) -> Option<Record> {
    let ends: Vec<Vec<Typed>> = addresses.iter().map(|address| places.at(*address)).collect();
    let is_firm = ends.iter().flatten().any(|place| !place.is_guess);
    let parts = |place: &Typed| match place.ty.size() {
        size if place.at == 0 && bytes > size && bytes.is_multiple_of(size) => vec![vec![place.ty]],
        _ => types::parts(place.ty, place.at, bytes, true),
    };
    let known = |with_guesses: bool| -> Vec<Vec<Lists>> {
        let of_end = |end: &Vec<Typed>| {
            let known = end.iter().filter(|place| with_guesses || !place.is_guess).map(parts);
            known.filter(|known| is_firm || !known.is_empty()).collect()
        };
        ends.iter().map(of_end).collect()
    };
    let (firm, all) = (known(!is_firm), known(true));
    if firm.iter().all(Vec::is_empty) {
        return addresses.iter().find_map(|address| composed(&places.within(*address, bytes), layouts, bytes));
    }
    // A guess may say which of the variants it is.
    agreed(&firm, layouts).or_else(|| if is_firm { agreed(&all, layouts) } else { None })
}

/// A record of so many bytes of which parts are known.
fn composed(parts: &[(u64, Node)], layouts: &mut Layouts, bytes: u64) -> Option<Record> {
    let mut shape = Shape::default();
    for (at, ty) in parts {
        shape.hold(&*layouts.shape(*ty)?, *at);
    }
    of_use(Record { shape: Rc::new(shape), size: bytes, has_more: true })
}

/// The record that lies many times at some addresses, where all that is known of them agrees.
fn exactly_many(
    places: &Places,
    layouts: &mut Layouts,
    addresses: &[Value],
    fits: impl Fn(u64) -> bool,
) -> Option<Record> {
    let is_such = |place: &Typed| !place.is_guess && place.at == 0 && fits(place.ty.size());
    let parts = |place: Typed| types::parts(place.ty, 0, place.ty.size(), true);
    let known = |address: &Value| places.at(*address).into_iter().filter(is_such).map(parts).collect();
    let known: Vec<Vec<Lists>> = addresses.iter().map(known).collect();
    agreed(&known, layouts)
}

/// The outermost record that all have, by end of the copy and by what is known of that: each may be one thing or what alone lies in that (a variant in the place of its
/// enum). Where one place has it in one variant and something else in another, another place must tell that it is this. It is of use where it holds floats, or nothing
/// narrower than a pointer.
fn agreed(ends: &[Vec<Lists>], layouts: &mut Layouts) -> Option<Record> {
    let (mut common, mut certain): (Option<Vec<Record>>, Vec<Record>) = (None, Vec::new());
    for end in ends {
        let mut lists = Vec::new();
        for known in end {
            // What is but known to be bytes is known to be nothing.
            let is_of_bytes = |ty: &Node| matches!(ty.size(), 0 | 1);
            let mut of_variants = Vec::new();
            for types in known.iter().filter(|types| !types.iter().all(is_of_bytes)) {
                let records = types.iter().filter_map(|ty| Record::of(*ty, layouts));
                // A variant without fields is as large as its enum.
                of_variants.push(records.filter(|record| *record.shape != Shape::default()).collect::<Vec<Record>>());
            }
            let Some(first) = of_variants.first() else { continue };
            let is_everywhere = |record: &&Record| of_variants.iter().all(|list| list.contains(record));
            certain.extend(first.iter().filter(is_everywhere).cloned());
            let mut all: Vec<Record> = Vec::new();
            for record in of_variants.into_iter().flatten() {
                if !all.contains(&record) {
                    all.push(record);
                }
            }
            lists.push(all);
        }
        for records in outermost(lists) {
            match &mut common {
                Some(common) => common.retain(|record| records.contains(record)),
                None => common = Some(records),
            }
        }
    }
    of_use(common?.into_iter().find(|record| certain.contains(record))?)
}

/// Of all that one address is known as, what the others are in: a variable of one variant may begin where its enum does, and there may be another one now.
fn outermost(lists: Vec<Vec<Record>>) -> Vec<Vec<Record>> {
    let has_all = |list: &Vec<Record>| lists.iter().all(|other| other.first().is_none_or(|first| list.contains(first)));
    match lists.iter().find(|list| has_all(list)) {
        Some(list) => vec![list.clone()],
        None => lists,
    }
}

/// A record that is of use.
fn of_use(record: Record) -> Option<Record> {
    is_of_use(&record.shape, record.size).then_some(record)
}

/// Whether records of a shape and a size are moved exactly.
pub fn is_of_use(shape: &Shape, size: u64) -> bool {
    // The bytes of a float in a row would not be seen to be some where they are put together.
    let is_told = shape.is_exact() && shape.narrow_bytes() < NARROWEST;
    (shape.holds_floats() || shape.is_of_words()) && is_told && size <= LARGEST_EXACT
}

/// Has an access be the one that the source says; what goes to where a record holds a float or something else stays as it is.
fn tell(places: &Places, layouts: &mut Layouts, access: Value, new: Value) {
    let (address, ty) = match access.opcode() {
        Opcode::LLVMLoad => (access.operand(0), access.ty()),
        Opcode::LLVMStore => (access.operand(1), access.operand(0).ty()),
        _ => return,
    };
    if !access.is_plain() || !(ty.is_int() || ty.is_float() || ty.is_pointer()) {
        return;
    }
    let bytes = access.block().function().module().store_size_of(ty);
    let is_such = |leaf: Leaf| match leaf {
        Leaf::Float(_) => ty.is_float(),
        Leaf::Pointer => ty.is_pointer(),
        Leaf::Integer(_) => ty.is_int(),
        Leaf::Mixed(_) => false,
    };
    let (mut is_disputed, mut is_told, mut is_narrow) = (false, None, bytes < NARROWEST && ty.is_int());
    for place in places.at(address) {
        let Some(shape) = layouts.shape(place.ty) else { continue };
        // Bytes of floats are looked at as rows of numbers, but not as fields of a struct of numbers and pointers.
        if !shape.holds_floats() && (bytes < 8 || !shape.holds(Leaf::Pointer)) {
            continue;
        }
        let (mut has_floats, mut has_others, mut is_there) = (false, false, false);
        shape.meet(place.at, bytes, &mut |at, leaf| {
            let is_float = matches!(leaf, Leaf::Float(_));
            (has_floats, has_others) = (has_floats | is_float, has_others | !is_float);
            is_there |= at == place.at && leaf.bytes() == bytes && is_such(leaf);
        });
        is_disputed |= has_floats && has_others;
        is_told = Some(is_told.unwrap_or(true) && is_there && shape.is_exact());
        is_narrow &= shape.narrow_bytes() < NARROWEST;
    }
    // Narrow numbers of which there are more may be the bytes of a float.
    if is_told == Some(true) && (is_narrow || bytes >= NARROWEST) {
        mark_leaf(new, bytes);
    }
    if is_disputed {
        overlaid::keep(new);
    }
}

/// What lies in so many bytes at some addresses, where all that is known of them agrees and there are floats, or
/// indices.
fn of_bytes(places: &Places, layouts: &mut Layouts, addresses: &[Value], bytes: u64) -> Option<Vec<Run>> {
    let mut found: Option<Vec<Run>> = None;
    for place in addresses.iter().flat_map(|address| places.at(*address)) {
        let size = place.ty.size();
        let runs = if place.at == 0 && bytes > size && bytes.is_multiple_of(size) {
            layouts.of(place.ty).and_then(|runs| repeated(&runs, size, bytes / size))
        } else {
            layouts.part(place.ty, place.at, bytes)
        };
        let Some(runs) = runs.filter(|runs| holds_floats(runs)) else { continue };
        match &found {
            Some(known) if *known != runs => return None,
            _ => found = Some(runs),
        }
    }
    found.filter(|runs| is_known(runs))
}

/// What an access of so many bytes goes to, where that is a part of records with floats and holds the same in all variants.
fn of_access(places: &Places, layouts: &mut Layouts, address: Value, bytes: u64) -> Option<Vec<Run>> {
    let mut found: Option<Vec<Run>> = None;
    for place in places.at(address) {
        let whole = layouts.of(place.ty)?;
        if !holds_floats(&whole) {
            continue;
        }
        let runs = layouts.part(place.ty, place.at, bytes).filter(|_| is_known(&whole))?;
        match &found {
            Some(known) if *known != runs => return None,
            _ => found = Some(runs),
        }
    }
    found
}

/// The record of a copy whose size is a multiple of one.
fn of_many(places: &Places, layouts: &mut Layouts, copy: Value) -> Option<(Vec<Run>, u64)> {
    records(places, layouts, &[0, 1].map(|end| copy.operand(end)), fits(copy))
}

/// Whether what a copy moves is a whole number of records of a size.
fn fits(copy: Value) -> impl Fn(u64) -> bool {
    let (constant, step) = linear(copy.operand(2));
    move |size| size > 0 && constant.unsigned_abs().is_multiple_of(size) && step.is_multiple_of(size)
}

/// What lies at some addresses record by record, and the size of a record, where all that is known of them agrees and there are floats, or
/// indices.
fn records(
    places: &Places,
    layouts: &mut Layouts,
    addresses: &[Value],
    fits: impl Fn(u64) -> bool,
) -> Option<(Vec<Run>, u64)> {
    let is_of_use = |place: &Typed, runs: Option<&[Run]>| {
        runs.is_some_and(|runs| holds_floats(runs) || types::is_of_counts(place.ty))
    };
    let found = alike(places, layouts, addresses, fits, is_of_use);
    found.filter(|(runs, _)| is_known(runs) || !holds_floats(runs))
}

/// The same where all that is known of the addresses for certain says it, and no bytes are one thing or another. (That one end is said to be of plain bytes says
/// nothing: so is whatever is moved by its size.)
fn of_types(
    places: &Places,
    layouts: &mut Layouts,
    addresses: &[Value],
    fits: impl Fn(u64) -> bool,
) -> Option<(Vec<Run>, u64)> {
    let is_plain = |runs: &[Run]| !runs.is_empty() && !runs.iter().any(|run| matches!(run.leaf, Leaf::Mixed(_)));
    alike(places, layouts, addresses, fits, |place, _| !place.is_guess && !is_of_bytes(place.ty))
        .filter(|(runs, _)| is_plain(runs))
}

/// Whether a type is that of plain bytes.
fn is_of_bytes(ty: Node) -> bool {
    ty.kind() == NodeKind::Base && ty.size() == 1
}

/// What the records at some addresses consist of, and their size, where all agree that count.
fn alike(
    places: &Places,
    layouts: &mut Layouts,
    addresses: &[Value],
    fits: impl Fn(u64) -> bool,
    counts: impl Fn(&Typed, Option<&[Run]>) -> bool,
) -> Option<(Vec<Run>, u64)> {
    let mut found = None;
    for place in addresses.iter().flat_map(|address| places.at(*address)) {
        let size = place.ty.size();
        if place.at != 0 || size == 0 || size > LARGEST || !fits(size) {
            continue;
        }
        let runs = layouts.of(place.ty);
        if !counts(&place, runs.as_deref()) {
            continue;
        }
        let new = (runs?, size);
        if found.as_ref().is_some_and(|known| *known != new) {
            return None;
        }
        found = Some(new);
    }
    found.map(|(runs, size)| (runs.to_vec(), size))
}

/// Whether something, and all that is known of an address for certain, is such a place of a type.
fn is_all(known: &[Typed], is_such: fn(Node, u64) -> bool) -> bool {
    let known = || known.iter().filter(|place| !place.is_guess);
    known().next().is_some() && known().all(|place| is_such(place.ty, place.at))
}

/// Whether all that is known of an address is that one index or the like lies there, by itself or in something larger, and nothing else.
fn is_known_count(known: &[Typed], layouts: &mut Layouts, bytes: u64) -> bool {
    is_known_as(known, layouts, bytes, types::is_of_counts)
}

/// The same of any number, which is no address then, but may be the bits of a float.
fn is_number(known: &[Typed], layouts: &mut Layouts, bytes: u64) -> bool {
    bytes == 8 && is_known_as(known, layouts, bytes, types::is_of_numbers)
}

/// Whether an address is known to be that of one such number, and whatever it lies in has a number there as well.
fn is_known_as(known: &[Typed], layouts: &mut Layouts, bytes: u64, is_such: fn(Node) -> bool) -> bool {
    let is_itself = |place: &Typed| place.at == 0 && place.ty.size() == bytes && is_such(place.ty);
    let mut agrees = |place: &Typed| {
        let Some(shape) = layouts.shape(place.ty).filter(|_| place.ty.size() > bytes) else { return false };
        let (mut is_there, mut is_else) = (false, false);
        shape.meet(place.at, bytes, &mut |at, leaf| {
            let is_number = at == place.at && leaf == Leaf::Integer(bytes);
            (is_there, is_else) = (is_there | is_number, is_else | !is_number);
        });
        is_there && !is_else
    };
    // Or to be one of many such numbers.
    let is_certain = |place: &Typed, agrees: &mut dyn FnMut(&Typed) -> bool| {
        is_itself(place) || (is_such(place.ty) && agrees(place))
    };
    known.iter().any(|place| is_certain(place, &mut agrees))
        && known.iter().all(|place| !place.is_guess && (is_itself(place) || agrees(place)))
}

/// What lies in so many bytes at some addresses, where all that is known of them says that it is indices and the like.
fn of_counts(places: &Places, layouts: &mut Layouts, addresses: &[Value], bytes: u64) -> Option<Vec<Run>> {
    let mut known = addresses.iter().flat_map(|address| places.at(*address)).filter(|place| !place.is_guess);
    let first = known.next()?;
    let size = first.ty.size();
    let is_whole = first.at == 0 && size > 0 && bytes.is_multiple_of(size);
    if !is_whole || !types::is_of_counts(first.ty) || known.any(|place| place != first) {
        return None;
    }
    repeated(&layouts.of(first.ty)?, size, bytes / size)
}

/// The smallest record of those that are known of some addresses, where all say that numbers lie there, of whatever width, one record after the other. (That one end
/// is said to be of plain bytes says nothing.)
fn of_numbers(places: &Places, addresses: &[Value], fits: impl Fn(u64) -> bool) -> Option<Node> {
    let all = || addresses.iter().flat_map(|address| places.at(*address));
    let known = || all().filter(|place| !place.is_guess && (!is_of_bytes(place.ty) || types::is_of_numbers(place.ty)));
    let is_such = |place: Typed| place.at == 0 && fits(place.ty.size()) && types::is_of_numbers(place.ty);
    known().all(is_such).then(|| known().map(|place| place.ty).min_by_key(|ty| ty.size()))?
}

/// The same of a type of which it is known that floats do not lie in it byte by byte, such as the marks of a table's entries, or what is one of a few by name. (That one end is said to be of plain bytes
/// says nothing.)
fn of_marks(
    places: &Places,
    layouts: &mut Layouts,
    addresses: &[Value],
    registry: &Registry,
) -> Option<(Vec<Run>, u64)> {
    let all = addresses.iter().flat_map(|address| places.at(*address));
    let mut types = all.filter(|place| place.ty.kind() != NodeKind::Base || place.at != 0);
    let first = types.next().filter(|place| !place.is_guess && place.at == 0)?;
    let is_such = types.all(|place| place == first)
        && (registry.knows_path(Known::Mark, &Path::parse(&first.ty.path())) || types::is_of_counts(first.ty));
    is_such.then(|| Some((layouts.of(first.ty)?.to_vec(), first.ty.size())))?
}

fn holds_floats(runs: &[Run]) -> bool {
    runs.iter().any(|run| matches!(run.leaf, Leaf::Float(_) | Leaf::Mixed(_)))
}

/// Whether it is said what lies in all of a record, and that is of use: it holds nothing but floats, or floats of two widths, or numbers that are narrower than
/// any and too few to be the bytes of one. All others are left to the stages that look at what is done: words as wide as floats, which may be the bits of some, are
/// moved as such where nothing else is known.
fn is_known(runs: &[Run]) -> bool {
    let has = |leaf: Leaf| runs.iter().any(|run| run.leaf == leaf);
    let is_float = |run: &Run| matches!(run.leaf, Leaf::Float(_));
    let narrow = narrow_bytes(runs);
    let has_two_widths = has(Leaf::Float(4)) && has(Leaf::Float(8));
    (runs.iter().all(is_float) || has_two_widths || narrow > 0)
        && narrow < NARROWEST
        && runs.iter().all(|run| !matches!(run.leaf, Leaf::Mixed(_)))
}

/// The address that an access of an integer goes to, and the integer's type.
fn accessed(instruction: Value) -> Option<(Value, Type)> {
    let (address, ty) = match instruction.opcode() {
        Opcode::LLVMLoad => (instruction.operand(0), instruction.ty()),
        Opcode::LLVMStore => (instruction.operand(1), instruction.operand(0).ty()),
        _ => return None,
    };
    (instruction.is_plain() && ty.is_int() && matches!(ty.bits(), 8 | 16 | 32 | 64 | 128)).then_some((address, ty))
}

/// Has a copy say what it moves.
fn write_copy(copy: Value, runs: &[Run], bytes: u64) {
    let count: u64 = runs.iter().map(|run| run.count).sum();
    if count > WRITTEN_OUT {
        if bytes <= LARGEST || is_of_floats(runs, bytes) {
            tell_record(copy, runs, bytes);
        }
        return;
    }
    let module = copy.block().function().module();
    let builder = Builder::before(copy);
    builder.set_location_of(Some(copy));
    let [to, from] = [0, 1].map(|end| End { address: copy.operand(end), alignment: said_alignment(copy, end) });
    // All loads come before the stores: the two may be the same place.
    let loaded = from.load(module, &builder, runs);
    to.store(module, &builder, &loaded);
    copy.erase();
}

/// One of the two places of a copy.
pub struct End {
    /// Its address.
    pub address: Value,
    /// What that is a multiple of.
    pub alignment: u64,
}

impl End {
    /// The place so many bytes further on.
    pub fn further(&self, module: Module, builder: &Builder, offset: u64) -> End {
        End { address: self.at(module, builder, offset), alignment: self.alignment_at(offset) }
    }

    fn alignment_at(&self, offset: u64) -> u64 {
        if offset == 0 { self.alignment } else { self.alignment.min(1 << offset.trailing_zeros().min(16)) }
    }

    fn at(&self, module: Module, builder: &Builder, offset: u64) -> Value {
        let context = module.context();
        match offset {
            0 => self.address,
            _ => builder.gep(context.int(8), self.address, &[context.int(64).int_value(offset)]),
        }
    }

    /// Tells an access so many bytes further on its alignment.
    pub fn align(&self, access: Value, offset: u64) {
        access.set_alignment(self.alignment_at(offset).clamp(1, 1 << 16) as u32);
    }

    fn load(&self, module: Module, builder: &Builder, runs: &[Run]) -> Vec<(u64, Value)> {
        let one = |(offset, leaf)| {
            let load = builder.load(type_of(module, leaf), self.at(module, builder, offset));
            self.align(load, offset);
            mark_leaf(load, leaf.bytes());
            (offset, load)
        };
        runs.iter().flat_map(|run| run.leaves()).map(one).collect()
    }

    fn store(&self, module: Module, builder: &Builder, values: &[(u64, Value)]) {
        for (offset, value) in values {
            let store = builder.store(*value, self.at(module, builder, *offset));
            self.align(store, *offset);
            mark_leaf(store, module.store_size_of(value.ty()));
        }
    }
}

/// Has a call that swaps rows of bytes swap records, as long as it swaps whole ones.
fn write_swap(call: Value, runs: &[Run], record: u64) {
    let swapping = Swapping::instead_of(call, record);
    let (module, builder) = (swapping.function.module(), &swapping.builder);
    let [one, other, size] = swapping.function.params()[..] else { return };
    let word = size.ty();
    let body = swapping.function.append_block("swap");
    let count = builder.binary(Opcode::LLVMUDiv, size, word.int_value(record));
    let (whole, done) = (builder.block(), swapping.function.append_block("done"));
    builder.cond_br(builder.icmp(IntPredicate::LLVMIntEQ, count, word.zero()), done, body);

    builder.position_at_end(body);
    let turn = builder.phi(word);
    let ends = [one, other].map(|address| End {
        address: builder.gep(module.context().int(8).array(record), address, &[turn]),
        alignment: 1,
    });
    let [first, second] = [0, 1].map(|end: usize| ends[end].load(module, builder, runs));
    ends[0].store(module, builder, &second);
    ends[1].store(module, builder, &first);
    let next = builder.add_exact(turn, word.int_value(1));
    turn.add_incoming(word.zero(), whole);
    turn.add_incoming(next, body);
    builder.cond_br(builder.icmp(IntPredicate::LLVMIntEQ, next, count), done, body);

    builder.position_at_end(done);
    swapping.end();
}

/// The type of a leaf.
pub fn type_of(module: Module, leaf: Leaf) -> Type {
    let context = module.context();
    match leaf {
        Leaf::Float(4) => context.f32(),
        Leaf::Float(_) => context.f64(),
        Leaf::Pointer => context.ptr(),
        Leaf::Integer(bytes) | Leaf::Mixed(bytes) => context.int(8 * bytes as u32),
    }
}

/// Has an access of an integer be one of the floats that lie there.
fn access_floats(access: Value, float: u64, count: u64) {
    let module = access.block().function().module();
    let builder = Builder::before(access);
    builder.set_location_of(Some(access));
    let one = type_of(module, Leaf::Float(float));
    let ty = if count == 1 { one } else { one.vector(count as u32) };
    if access.opcode() == Opcode::LLVMLoad {
        let load = builder.load(ty, access.operand(0));
        load.set_alignment(access.alignment());
        access.replace_all_uses_with(builder.cast(Opcode::LLVMBitCast, load, access.ty()));
    } else {
        let value = builder.cast(Opcode::LLVMBitCast, access.operand(0), ty);
        builder.store(value, access.operand(1)).set_alignment(access.alignment());
    }
    access.erase();
}
