//! What is known of memory, by place: floats, pointers, integers.
//!
//! The facts are kept here and not taken from the cells of [`memory::Memory`], which knows nothing of who moves an integer
//! why, and joins what is copied into each other without regard to where.

use super::alone;
use super::lanes::atoms_of;
use crate::analysis::memory::{self, Cell, Memory, Object, ObjectId, ObjectSet, Spot};
use crate::analysis::spot::gcd;
use crate::ir::{Callee, Custom, Func, InstId, Op, Val};
use crate::llvm::{Module, Type};
use crate::load::variants::tells_variant;
use crate::maps::HashMap;
use crate::rule::Effect;
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// What an atom is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Kind {
    /// An `f32`.
    Single,
    /// The lower half of an `f64`.
    Low,
    /// The upper half of an `f64`.
    High,
    /// Part of a pointer.
    Pointer,
    /// Part of an integer that somebody computes with.
    Integer,
}

impl Kind {
    /// Whether it is of a float.
    pub fn is_float(self) -> bool {
        matches!(self, Kind::Single | Kind::Low | Kind::High)
    }
    /// The atoms of a float of so many bytes.
    pub fn of_float(bytes: u32) -> &'static [Kind] {
        if bytes == 8 { &[Kind::Low, Kind::High] } else { &[Kind::Single] }
    }
}

/// A copy of memory, seen from one of its ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Window {
    from: Spot,
    to: (ObjectId, Spot),
    /// Bytes, where constant.
    bytes: Option<i64>,
}

/// A place that was asked about.
struct Place {
    objects: ObjectSet,
    spot: Spot,
    /// The place itself, and where copies bring what lies there, in each object.
    reach: Vec<(ObjectId, Spot)>,
    /// The answer, and the number of facts that it is of.
    answer: Option<(usize, Option<Kind>)>,
}

/// How much of something is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seen {
    /// Nothing of it.
    Nothing,
    /// Some of it.
    Parts,
    /// All of it.
    All,
}

/// A [`Place`] by number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct PlaceId(usize);

/// Copies that are followed from one place.
const FOLLOWED: usize = 64;
/// Bytes of the largest record: of a longer copy not each part is asked about.
pub const LARGEST: u64 = 512;

/// Facts about memory.
pub struct Evidence<'f> {
    func: &'f Func,
    memory: &'f Memory,
    /// Atoms and other things of up to four bytes, by object.
    facts: HashMap<ObjectId, BTreeSet<(Spot, i64, Kind)>>,
    /// What others say of all that can be reached through a pointer, and which is not of one type: of use for rows of records only.
    vague: HashMap<ObjectId, BTreeSet<(Spot, i64, Kind)>>,
    /// Integers of callees, which may be moved floats.
    bits: HashMap<ObjectId, BTreeSet<(Spot, i64)>>,
    windows: HashMap<ObjectId, BTreeSet<Window>>,
    /// The objects that these lead to.
    beside: HashMap<ObjectId, ObjectSet>,
    hints: HashMap<ObjectId, u32>,
    /// The function is called by the user alone.
    is_root: bool,
    /// Objects in which this very function accesses floats.
    local: ObjectSet,
    /// Objects of which somebody asks what variant lies there: in another one than those that are looked at there may be anything.
    variants: ObjectSet,
    strangers: OnceCell<ObjectSet>,
    places: Vec<Place>,
    numbers: HashMap<(Vec<u32>, Spot), PlaceId>,
}

/// A spot some bytes further.
pub fn further(spot: Spot, bytes: i64) -> Spot {
    let offset = spot.offset + bytes;
    let offset = if spot.stride > 0 { offset.rem_euclid(spot.stride as i64) } else { offset };
    Spot { offset, ..spot }
}

impl<'f> Evidence<'f> {
    /// What accesses to floats and pointers say, and what the request says about parameters.
    pub fn gather(func: &'f Func, memory: &'f Memory, hints: &[u8]) -> Evidence<'f> {
        let of_param = |object: &memory::Object| match object {
            memory::Object::Param(i) => hints.get(*i as usize).map(|b| u32::from(*b)).filter(|b| [4, 8].contains(b)),
            _ => None,
        };
        let is_root = !hints.is_empty();
        let hints = memory.objects.iter().enumerate();
        let hints = hints.filter_map(|(i, o)| Some((ObjectId(i as u32), of_param(o)?))).collect();
        let mut evidence = Evidence {
            func,
            memory,
            facts: HashMap::default(),
            vague: HashMap::default(),
            bits: HashMap::default(),
            windows: HashMap::default(),
            beside: HashMap::default(),
            hints,
            is_root,
            local: ObjectSet::default(),
            variants: ObjectSet::default(),
            strangers: OnceCell::new(),
            places: Vec::new(),
            numbers: HashMap::default(),
        };
        for id in func.inst_ids() {
            let inst = func.inst(id);
            match &inst.op {
                Op::Call(Callee::Custom(custom)) => evidence.rule(&inst.operands, custom),
                Op::Load => {
                    evidence.access(inst.operands[0], inst.ty);
                    if tells_variant(inst.value) {
                        evidence.variants.union(&memory.points_to(inst.operands[0]));
                    }
                }
                Op::Store => evidence.access(inst.operands[1], func.ty(inst.operands[0])),
                Op::MemCopy => evidence.copy(inst.operands[0], inst.operands[1], inst.operands[2]),
                Op::Call(Callee::Body(callee)) if *callee == func.function => evidence.recursion(&inst.operands),
                Op::Call(Callee::Effect(Effect::Inactive | Effect::Text { .. })) => evidence.unseen(id),
                _ => {}
            }
            evidence.others_of_callee(id);
        }
        evidence
    }

    /// Where a call leaves or finds pointers and integers, in what it is handed: a place that holds floats as well is of no one type. (That the callee sees
    /// floats there is of interest only where nothing else is known: it is [asked](super::neighbours) then.)
    fn others_of_callee(&mut self, call: InstId) {
        let Some(summary) = self.memory.summary(call) else { return };
        let cells = summary.cells.iter().chain(&summary.disputed);
        for (param, spot, cell) in cells.filter(|(.., cell)| !matches!(cell, Cell::Float(_))) {
            let Some(address) = self.func.inst(call).operands.get(*param as usize) else { continue };
            let spot = memory::within(memory::spot_of(self.func, *address), *spot);
            for object in self.memory.points_to(*address).iter() {
                if *cell == Cell::Pointer {
                    let facts = self.facts.entry(object).or_default();
                    facts.extend([(spot, 4, Kind::Pointer), (further(spot, 4), 4, Kind::Pointer)]);
                } else if spot.stride == 0 {
                    self.bits.entry(object).or_default().insert((spot, cell.bytes() as i64));
                }
            }
        }
    }

    /// What a call leaves of which nothing is seen: a text, where the number of another variant may lie as well.
    fn unseen(&mut self, call: InstId) {
        let inst = self.func.inst(call);
        for (index, operand) in (0..).zip(&inst.operands) {
            if inst.value.has_call_attribute(crate::llvm::Place::Param(index), "sret") {
                self.variants.union(&self.memory.points_to(*operand));
            }
        }
    }

    /// What a function hands to itself is of the type of its parameters.
    fn recursion(&mut self, operands: &[Val]) {
        for (index, operand) in (0..).zip(operands) {
            self.connect(Val::Arg(index), *operand, None);
        }
    }

    /// What a rule says of the arguments that are no slices.
    fn rule(&mut self, operands: &[Val], custom: &Custom) {
        let context = self.func.function.value().context();
        for group in custom.groups.iter().filter(|g| g.param.floats != 0 && g.length.is_none()) {
            let width = u64::from(group.param.floats);
            let float = if width == 4 { context.f32() } else { context.f64() };
            if let Val::Const(size) = operands[group.size]
                && let Some(bytes) = size.as_u64()
            {
                self.access(operands[group.pointer], float.array(bytes / width));
            }
        }
    }

    fn access(&mut self, address: Val, ty: Type) {
        let spot = memory::spot_of(self.func, address);
        let objects = self.memory.points_to(address);
        leaves(self.func.module(), ty, 0, &mut |offset, bytes, kind| {
            for object in objects.iter() {
                self.facts.entry(object).or_default().insert((further(spot, offset), bytes, kind));
                if kind.is_float() {
                    self.local.insert(object);
                }
            }
        });
    }

    fn copy(&mut self, to: Val, from: Val, bytes: Val) {
        let bytes = match bytes {
            Val::Const(value) => value.as_i64(),
            _ => None,
        };
        self.connect(to, from, bytes);
    }

    /// Notes that the same lies in two places, so many bytes of it where that is known.
    fn connect(&mut self, to: Val, from: Val, bytes: Option<i64>) {
        let spots = (memory::spot_of(self.func, to), memory::spot_of(self.func, from));
        let (tos, froms) = (self.memory.points_to(to), self.memory.points_to(from));
        for to in tos.iter() {
            for from in froms.iter().filter(|from| *from != to || spots.0 != spots.1) {
                let there = Window { from: spots.1, to: (to, spots.0), bytes };
                let back = Window { from: spots.0, to: (from, spots.1), bytes };
                self.windows.entry(from).or_default().insert(there);
                self.windows.entry(to).or_default().insert(back);
                self.beside.entry(from).or_default().insert(to);
                self.beside.entry(to).or_default().insert(from);
            }
        }
    }

    /// The place some bytes behind an address.
    pub fn place(&mut self, address: Val, bytes: i64) -> PlaceId {
        self.place_of(address, bytes, 0)
    }

    /// All places some bytes behind an address, and records of so many bytes behind those.
    pub fn place_of(&mut self, address: Val, bytes: i64, record: u64) -> PlaceId {
        let (objects, spot) = (self.memory.points_to(address), memory::spot_of(self.func, address));
        let spot = further(Spot { stride: gcd(spot.stride, record), ..spot }, bytes);
        let key = (objects.iter().map(|o| o.0).collect(), spot);
        if let Some(id) = self.numbers.get(&key) {
            return *id;
        }
        let id = PlaceId(self.places.len());
        let mut reach = Vec::new();
        for object in objects.iter() {
            self.carry(object, spot, &mut reach);
        }
        self.places.push(Place { objects, spot, reach, answer: None });
        self.numbers.insert(key, id);
        id
    }

    /// Collects where copies bring what lies at a spot.
    fn carry(&self, object: ObjectId, spot: Spot, reach: &mut Vec<(ObjectId, Spot)>) {
        if reach.contains(&(object, spot)) {
            return;
        }
        reach.push((object, spot));
        for window in self.windows.get(&object).into_iter().flatten() {
            // Copies around a cycle of different strides end here.
            if reach.len() >= FOLLOWED {
                return;
            }
            let Window { from, to: (object, to), bytes } = *window;
            // Of the first byte alone: an atom that a copy takes a part of is not what is there.
            if let Some(spot) = carried(spot, 1, from, to, bytes) {
                self.carry(object, spot, reach);
            }
        }
    }

    /// Adds a fact about an atom.
    pub fn learn(&mut self, place: PlaceId, kind: Kind) {
        let Place { objects, spot, .. } = &self.places[place.0];
        for object in objects.iter() {
            self.facts.entry(object).or_default().insert((*spot, 4, kind));
            if kind.is_float() {
                self.local.insert(object);
            }
        }
    }

    /// Takes over what another function knows about memory that both see.
    pub fn hear(&mut self, other: &Evidence, there: &ObjectSet, here: &ObjectSet, place: impl Fn(Spot) -> Spot) {
        let told = there.iter().flat_map(|o| other.facts.get(&o).into_iter().flatten().copied());
        let told: Vec<(Spot, i64, Kind)> = told.map(|(spot, bytes, kind)| (place(spot), bytes, kind)).collect();
        let anything = |memory: &Memory, set: &ObjectSet| {
            set.iter().any(|o| matches!(memory.objects[o.0 as usize], Object::Behind(_)))
        };
        let is_vague = anything(other.memory, there) || anything(self.memory, here);
        if other.holds_variants(there) {
            self.variants.union(here);
        }
        for object in here.iter() {
            let facts = if is_vague { &mut self.vague } else { &mut self.facts };
            facts.entry(object).or_default().extend(told.iter().copied());
        }
    }

    /// Whether there are copies, or moves of integers, of which this function alone says nothing.
    pub fn is_in_doubt(&mut self) -> bool {
        let func = self.func;
        func.inst_ids().any(|id| {
            let inst = func.inst(id);
            match inst.op {
                Op::MemCopy => {
                    !self.sees_floats(&self.both(&inst.operands)) || self.seen_of(&inst.operands) != Seen::All
                }
                Op::Store if atoms_of(func.ty(inst.operands[0])) > 0 => match inst.operands[0] {
                    Val::Inst(value) => matches!(func.inst(value).op, Op::Load | Op::Phi | Op::Select),
                    _ => false,
                },
                _ => false,
            }
        })
    }

    /// The objects that a copy goes from and to.
    pub fn both(&self, operands: &[Val]) -> ObjectSet {
        let mut set = self.memory.points_to(operands[0]);
        set.union(&self.memory.points_to(operands[1]));
        set
    }

    /// Whether this very function accesses floats in these objects, or is told that there are.
    pub fn sees_floats(&self, objects: &ObjectSet) -> bool {
        self.copied(objects).iter().any(|o| self.local.contains(o) || self.hints.contains_key(&o))
    }

    /// How much of the range of a copy is known: a float elsewhere in the same memory says nothing of the record beside it. What has no known size, or a large one,
    /// is taken to be known.
    pub fn seen_of(&mut self, operands: &[Val]) -> Seen {
        let bytes = match operands[2] {
            Val::Const(bytes) => bytes.as_i64().filter(|bytes| (4..=LARGEST as i64).contains(bytes)),
            _ => None,
        };
        let Some(bytes) = bytes else { return Seen::All };
        let mut is_known = |at: i64| {
            [0, 1].into_iter().any(|end: usize| {
                let place = self.place(operands[end], at);
                let (exact, around) = self.kinds(&self.places[place.0].reach);
                !exact.is_empty() || !around.is_empty()
            })
        };
        let atoms = (0..=bytes - 4).step_by(4);
        match atoms.clone().filter(|at| is_known(*at)).count() {
            0 => Seen::Nothing,
            known if known == atoms.count() => Seen::All,
            _ => Seen::Parts,
        }
    }

    /// Whether a float lies somewhere in these objects.
    pub fn holds_floats(&self, objects: &ObjectSet) -> bool {
        self.any(objects, |kind| kind.is_float()) || objects.iter().any(|o| self.hints.contains_key(&o))
    }

    /// Bytes of the floats in these objects, where all are as wide.
    pub fn width_of_floats(&self, objects: &ObjectSet) -> Option<u64> {
        let hinted = |bytes: u32| objects.iter().any(|o| self.hints.get(&o) == Some(&bytes));
        let single = self.any(objects, |kind| kind == Kind::Single) || hinted(4);
        let double = self.any(objects, |kind| matches!(kind, Kind::Low | Kind::High)) || hinted(8);
        match (single, double) {
            (true, false) => Some(4),
            (false, true) => Some(8),
            _ => None,
        }
    }

    /// Whether anything but floats lies somewhere in these objects.
    pub fn holds_others(&self, objects: &ObjectSet) -> bool {
        self.any(objects, |kind| !kind.is_float())
    }

    fn any(&self, objects: &ObjectSet, what: impl Fn(Kind) -> bool) -> bool {
        let told = |o: ObjectId| self.told(o).any(|(.., kind)| what(*kind));
        self.copied(objects).iter().any(told)
    }

    fn told(&self, object: ObjectId) -> impl Iterator<Item = &(Spot, i64, Kind)> {
        let vague = self.vague.get(&object).into_iter().flatten();
        self.facts.get(&object).into_iter().flatten().chain(vague)
    }

    /// Some objects and all that they are copied from and to, in any number of steps: those are of one type.
    fn copied(&self, objects: &ObjectSet) -> ObjectSet {
        let mut all = objects.clone();
        let mut open: Vec<ObjectId> = all.iter().collect();
        while let Some(object) = open.pop() {
            if let Some(beside) = self.beside.get(&object) {
                open.extend(beside.without(&all).iter());
                all.union(beside);
            }
        }
        all
    }

    /// What the request says of an atom: the memory consists of floats.
    pub fn promised(&self, place: PlaceId) -> Option<Kind> {
        let Place { objects, spot, .. } = &self.places[place.0];
        let mut promises = objects.iter().map(|o| self.promised_of(o, *spot));
        let first = promises.next()??;
        promises.all(|p| p == Some(first)).then_some(first)
    }

    fn promised_of(&self, object: ObjectId, spot: Spot) -> Option<Kind> {
        let bytes = *self.hints.get(&object)?;
        let whole = gcd(spot.stride, u64::from(bytes)) == u64::from(bytes);
        match (bytes, spot.offset.rem_euclid(i64::from(bytes))) {
            (4, 0) if whole => Some(Kind::Single),
            (8, 0) if whole => Some(Kind::Low),
            (8, 4) if whole => Some(Kind::High),
            _ => None,
        }
    }

    /// What all facts about an atom agree on. Facts about the very place count, others where there are none.
    pub fn about(&mut self, place: PlaceId) -> Option<Kind> {
        let Place { reach, answer, .. } = &self.places[place.0];
        let known: usize = reach.iter().map(|(o, _)| self.told(*o).count()).sum();
        if let Some((then, answer)) = answer
            && *then == known
        {
            return *answer;
        }
        let found = self.find(reach);
        self.places[place.0].answer = Some((known, found));
        found
    }

    /// Whether a place in the function's own memory may hold a float at one time and something else at another, or one in a caller's a float and a pointer: no
    /// type is right for both.
    pub fn is_disputed(&self, place: PlaceId) -> bool {
        let (mut kinds, around) = self.kinds(&self.places[place.0].reach);
        kinds.extend(around);
        let is_own = self.is_own(place) && kinds.iter().any(|k| k.is_float()) && kinds.iter().any(|k| !k.is_float());
        is_own || self.is_disputed_by_callers(place)
    }

    /// Whether callers say of a place in their memory that floats lie there at one time and pointers at another. (Of memory that a user hands over nothing but its
    /// types is known.)
    fn is_disputed_by_callers(&self, place: PlaceId) -> bool {
        let Place { objects, spot, .. } = &self.places[place.0];
        let is_callers = |o: &ObjectId| matches!(self.memory.objects[o.0 as usize], Object::Param(_));
        let places: Vec<(ObjectId, Spot)> = objects.iter().filter(is_callers).map(|o| (o, *spot)).collect();
        let (mut kinds, around) = self.kinds(&places);
        kinds.extend(around);
        !self.is_root && kinds.contains(&Kind::Pointer) && kinds.iter().any(|kind| kind.is_float())
    }

    /// The same where a callee has an integer at the place, which may be a moved float.
    pub fn may_be_disputed(&self, place: PlaceId) -> bool {
        let Place { reach, .. } = &self.places[place.0];
        self.is_own(place) && self.holds_bits(reach)
    }

    /// Whether anything is known of a place by what is done there itself, and not of where it is copied to or from.
    pub fn is_seen(&self, place: PlaceId) -> bool {
        let Place { objects, spot, .. } = &self.places[place.0];
        let (exact, around) = self.kinds(&objects.iter().map(|o| (o, *spot)).collect::<Vec<_>>());
        !exact.is_empty() || !around.is_empty()
    }

    /// Whether a place lies in what may be another variant than anybody looks at, which others have put there.
    pub fn is_of_variants(&self, place: PlaceId) -> bool {
        let objects = &self.places[place.0].objects;
        let strangers = self.strangers.get_or_init(|| alone::strangers(self.func, self.memory));
        self.holds_variants(objects) && objects.iter().any(|o| strangers.contains(o))
    }

    /// Whether somebody asks what variant lies in one of these objects, or in what is copied from and to them.
    pub fn holds_variants(&self, objects: &ObjectSet) -> bool {
        self.copied(objects).iter().any(|o| self.variants.contains(o))
    }

    /// Whether a place lies in the function's own memory.
    pub fn is_own(&self, place: PlaceId) -> bool {
        let own = |o: ObjectId| matches!(self.memory.objects[o.0 as usize], Object::Stack(_) | Object::Heap(_));
        self.places[place.0].objects.iter().all(own)
    }

    /// Whether a callee has an integer somewhere.
    fn holds_bits(&self, reach: &[(ObjectId, Spot)]) -> bool {
        reach.iter().any(|(object, spot)| {
            let mut bits = self.bits.get(object).into_iter().flatten();
            bits.any(|(there, bytes)| spot.stride == there.stride && meet(*spot, 4, *there, *bytes).is_some())
        })
    }

    fn find(&self, reach: &[(ObjectId, Spot)]) -> Option<Kind> {
        let (mut exact, around) = self.kinds(reach);
        if exact.is_empty() {
            return around.first().copied().filter(|_| around.len() == 1);
        }
        // An `enum` has a float in one variant, an integer in another: moved as a float the integer has no shadow, which is no loss in the user's memory alone. (All
        // other memory is moved as words there.)
        let is_users = |o: ObjectId| matches!(self.memory.objects[o.0 as usize], Object::Param(_) | Object::Path(..));
        let is_for_user = self.is_root && reach.iter().any(|(o, _)| is_users(*o));
        if is_for_user
            && exact.contains(&Kind::Integer)
            && exact.len() == 2
            && reach.iter().all(|(o, _)| self.is_one_thing(*o))
        {
            exact.remove(&Kind::Integer);
        }
        exact.first().copied().filter(|_| exact.len() == 1)
    }

    /// What facts say about an atom: those about the very place, and others.
    fn kinds(&self, reach: &[(ObjectId, Spot)]) -> (BTreeSet<Kind>, BTreeSet<Kind>) {
        let (mut exact, mut around) = (BTreeSet::new(), BTreeSet::new());
        for (object, spot) in reach {
            // Of what may be anything that a pointer leads to, an element says nothing about a field.
            let is_one = self.is_one_thing(*object);
            let facts = self.facts.get(object).into_iter().flatten();
            let facts = facts.filter(|(there, ..)| is_one || there.stride == spot.stride);
            let vague = self.vague.get(object).into_iter().flatten();
            let vague = vague.filter(|(there, ..)| there.stride == spot.stride && spot.stride != 0);
            for (there, bytes, kind) in facts.chain(vague) {
                // Steps of less than an atom: it is not known what lies where.
                if !gcd(spot.stride, there.stride).is_multiple_of(4) {
                    continue;
                }
                let kind = match meet(*spot, 4, *there, *bytes) {
                    Some(true) => *kind,
                    // What begins in the middle of an atom is not understood; it must not be moved as a float.
                    Some(false) => Kind::Pointer,
                    None => continue,
                };
                if spot.stride == there.stride {
                    exact.insert(kind);
                } else if spot.stride != 0 || self.is_row(*object, *there, kind) {
                    around.insert(kind);
                }
            }
            around.extend(self.promised_of(*object, *spot));
        }
        (exact, around)
    }

    /// Whether an object may be a row of what lies at a spot: something else at one of its places says that it is not. (What follows a pointer that may lead to a
    /// row or to a record sees a row.)
    fn is_row(&self, object: ObjectId, element: Spot, kind: Kind) -> bool {
        self.facts_of(object).all(|(there, bytes, other)| other == kind || meet(element, 4, there, bytes).is_none())
    }

    /// What is known of an object: atoms and other things of up to four bytes.
    pub fn facts_of(&self, object: ObjectId) -> impl Iterator<Item = (Spot, i64, Kind)> {
        self.facts.get(&object).into_iter().flatten().copied()
    }

    /// Whether an object has one type, and is not whatever may be reached through some pointer.
    fn is_one_thing(&self, object: ObjectId) -> bool {
        match self.memory.objects[object.0 as usize] {
            Object::Param(_) | Object::Path(..) | Object::Stack(_) => true,
            Object::Heap(id) => matches!(self.func.inst(id).op, Op::Call(Callee::Effect(Effect::Allocate { .. }))),
            Object::Behind(_) | Object::Global(_) => false,
        }
    }
}

/// Whether two accesses may share a byte; if so, whether they lie a whole number of atoms apart.
fn meet(a: Spot, a_bytes: i64, b: Spot, b_bytes: i64) -> Option<bool> {
    let (distance, stride) = (b.offset - a.offset, gcd(a.stride, b.stride) as i64);
    if stride == 0 {
        return (-b_bytes < distance && distance < a_bytes).then_some(distance % 4 == 0);
    }
    let distance = distance.rem_euclid(stride);
    (distance < a_bytes || distance + b_bytes > stride).then_some(distance % 4 == 0)
}

/// Where a copy of so many bytes puts what lies at a spot of its source and has a size; nothing where the copy reaches none of it.
pub fn carried(spot: Spot, size: i64, from: Spot, to: Spot, bytes: Option<i64>) -> Option<Spot> {
    let distance = spot.offset - from.offset;
    let is_one = spot.stride == 0 && from.stride == 0;
    if is_one && (distance <= -size || bytes.is_some_and(|bytes| distance >= bytes)) {
        return None;
    }
    let stride = gcd(gcd(spot.stride, from.stride), to.stride);
    Some(further(Spot { offset: to.offset, stride }, distance))
}

/// Calls `each` with the leaves of a type that are no moved integers, in pieces of at most four bytes.
fn leaves(module: Module, ty: Type, at: i64, each: &mut dyn FnMut(i64, i64, Kind)) {
    if ty.is_struct() {
        for field in 0..ty.count() as u32 {
            leaves(module, ty.field(field), at + module.field_offset(ty, field) as i64, each);
        }
    } else if ty.is_array() || ty.is_vector() {
        let size = module.size_of(ty.element()) as i64;
        for index in 0..ty.count().min(64) as i64 {
            leaves(module, ty.element(), at + index * size, each);
        }
    } else if ty.is_float() {
        for (index, kind) in Kind::of_float(module.size_of(ty) as u32).iter().enumerate() {
            each(at + index as i64 * 4, 4, *kind);
        }
    } else if ty.is_pointer() {
        each(at, 4, Kind::Pointer);
        each(at + 4, 4, Kind::Pointer);
    } else if ty.bits() > 0 && !ty.bits().is_multiple_of(32) {
        (0..module.store_size_of(ty) as i64)
            .step_by(4)
            .for_each(|i| each(at + i, 4.min(module.store_size_of(ty) as i64 - i), Kind::Integer));
    }
}
