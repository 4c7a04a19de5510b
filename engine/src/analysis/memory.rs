//! Which memory a pointer may point to, and what lies there.
//!
//! Memory is divided into *objects*: what a parameter points to, what the pointers at each place there lead to, an `alloca`, what one call
//! allocates, a global. The analysis is Andersen's (inclusion-based, insensitive to the order of instructions): each value has
//! a set of objects, each object a set of objects that pointers inside it point to, by the [place](fields) where they lie as far as that is
//! known. Integers made from pointers carry the set on, so that address arithmetic on integers loses nothing; counts, sizes and indices do not.
//!
//! Promises: if two accesses can touch the same byte, [`Memory::may_alias`] holds of two of their objects. Rust's exclusive
//! references come as `noalias` parameters: what is reached through one is not reached through another.
mod bounds;
mod calls;
mod cells;
mod dependence;
mod fields;
mod flow;
mod joins;
mod left;
mod made;

mod paths;
mod set;
mod summary;
mod text;
mod widening;
mod windows;

pub use super::spot::{base, gep_parts, rooted_spot, spot_of};
pub use calls::{is_plain_floats, summarised_callee};
pub use cells::{counted_from, overlap, within};
pub use dependence::Origin;
use fields::Fields;
pub use fields::{ANYWHERE, POINTER};
pub use flow::is_dangling;
use left::Left;
pub use made::Made;
use paths::Paths;
pub use paths::{Step, Way, Ways};
pub use set::ObjectSet;
pub use summary::{Node, Summaries, Summary};

use crate::analysis::globals::{is_as_it_began, may_be_of_floats};
use crate::ir::given::{Given, Said};
use crate::ir::{Func, InstId, Val};
use crate::maps::{HashMap, HashSet};
use cotangent_llvm as llvm;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::rc::Rc;

/// An object of a [`Memory`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ObjectId(pub u32);

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Object {
    /// What a parameter points to.
    Param(u32),
    /// What a pointer at a known place leads to, in what a parameter points to or in another object of this kind: by the parameter and the
    /// number of the [`Step`].
    Path(u32, u32),
    /// Whatever else can be reached through pointers inside what a parameter points to.
    Behind(u32),
    /// An `alloca`.
    Stack(InstId),
    /// What one call returns that was not there before.
    Heap(InstId),
    /// A global variable.
    Global(llvm::Value),
}

impl Object {
    /// The parameter through which memory of the caller is reached.
    pub fn param(self) -> Option<u32> {
        match self {
            Object::Param(i) | Object::Path(i, _) | Object::Behind(i) => Some(i),
            Object::Stack(_) | Object::Heap(_) | Object::Global(_) => None,
        }
    }

    /// The same of what lies behind pointers there.
    fn behind(self) -> Option<u32> {
        match self {
            Object::Path(i, _) | Object::Behind(i) => Some(i),
            _ => None,
        }
    }
}

/// What lies at a place in an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Cell {
    /// A float of so many bytes.
    Float(u64),
    /// A pointer.
    Pointer,
    /// Something of so many bytes that is neither (or not known to be).
    Bits(u64),
}

impl Cell {
    /// Its size.
    pub fn bytes(self) -> u64 {
        match self {
            Cell::Float(bytes) | Cell::Bits(bytes) => bytes,
            Cell::Pointer => 8,
        }
    }
}

/// Where in an object an access lies: `offset` from its start, modulo `stride` where an index is not constant (0: constant).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Spot {
    /// Bytes.
    pub offset: i64,
    /// Bytes; 0 where the offset is constant.
    pub stride: u64,
}

/// Floats of two widths, or floats and other things, lie in the same memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mixed;

/// Facts about memory.
#[derive(Clone, Debug)]
pub struct Memory {
    /// The objects.
    pub objects: Vec<Object>,
    /// What pointers inside each object point to.
    pub content: Vec<ObjectSet>,
    /// What lies in each object (objects that are copied into each other share it).
    pub cells: Vec<BTreeMap<Spot, Vec<Cell>>>,
    /// The same, of what this function says, by places that are counted from the start of an object for certain. In `cells`, what a loaded pointer leads to counts as
    /// the start: a record of a row is one like another, as long as all records of the row are as long.
    settled: Vec<BTreeSet<(Spot, Cell)>>,
    /// Objects in which words are moved of which nothing tells what they are.
    of_words: ObjectSet,
    /// Where such words are moved, and their sizes.
    words: HashMap<ObjectId, BTreeSet<(Spot, u64)>>,
    /// Objects in which floats may lie that begin anywhere.
    packed: ObjectSet,
    /// Those of them where such a float is more than moved from one such place to another, as `mem::swap` does with bytes of anything.
    rows: ObjectSet,
    /// What callees say lies in each object where this function says otherwise.
    foreign: Vec<Vec<(Spot, Cell)>>,
    /// Bytes of the floats of which a parameter's memory consists, where that is said (else 0).
    plain: Vec<u64>,
    /// Parameters of which that is certain, and was from the start.
    bare: Vec<bool>,
    /// Parameters in whose memory, as callers say, floats and other things share places.
    mixed: Vec<bool>,
    /// Parameters that lead to constants without floats, such as texts, as callers say.
    texts: Vec<bool>,
    /// What the types of the source say of memory of callers, and the objects that nobody writes to or that are text by that.
    given: Vec<Given>,
    frozen: ObjectSet,
    /// Constants of the program.
    constants: ObjectSet,
    of_text: ObjectSet,
    /// Where floats of so many bytes lie in objects by that.
    floats: BTreeMap<ObjectId, Vec<(Spot, u64)>>,
    values: HashMap<Val, ObjectSet>,
    /// Whether addresses are made of what the source has as numbers.
    pub has_addresses: bool,
    /// Loads of integers that are no addresses.
    counted: HashSet<InstId>,
    made_by_call: HashMap<InstId, BTreeMap<Made, ObjectId>>,
    /// Objects that were allocated for what begins anywhere.
    bytes: ObjectSet,
    noalias: Vec<bool>,
    paths: Paths,
    fields: Fields,
    escaped: ObjectSet,
    class: Vec<u32>,
    /// What instructions add to the content of each object.
    left: Vec<Left>,
    /// What the callees of calls do, where that could be found out.
    summaries: HashMap<InstId, Rc<Summary>>,
    effects: HashMap<InstId, Effects>,
}

/// What one call does with memory.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// What it may read.
    pub read: ObjectSet,
    /// What it may write to.
    pub written: ObjectSet,
    /// Where values get, and where these come from.
    pub moves: Vec<(ObjectSet, Origin)>,
    /// Where floats of the result come from.
    pub result: Origin,
    /// What it may give back to the allocator.
    pub freed: ObjectSet,
}

/// Analyses a function. `plain`, by parameter: whether its memory is known for certain to hold floats and nothing else, so that no pointer lies there.
pub fn analyze(func: &Func, summaries: &Summaries, plain: &[bool]) -> Memory {
    let known = Known { callee: &|callee| summaries.of(callee), has_addresses: summaries.has_addresses(func) };
    Memory::analyze(func, &known, false, plain)
}

/// What is known of the rest of a module.
struct Known<'a> {
    /// Of a callee.
    callee: &'a dyn Fn(llvm::Function) -> Option<Rc<Summary>>,
    /// Whether addresses are made of what the source has as numbers.
    has_addresses: bool,
}

impl Memory {
    /// The same with what is known of callees. For a summary, parameters that are integers or aggregates count as addresses too:
    /// the caller knows which of them are.
    fn analyze(func: &Func, known: &Known, for_summary: bool, plain: &[bool]) -> Memory {
        let mut memory = Memory::seed(func, known, for_summary, plain);
        while memory.round(func) {}
        memory.keep_within_bounds(func);
        memory.find_escapes(func);
        memory.find_cells(func);
        memory.find_effects(func);
        memory
    }

    /// Objects that a value may point to.
    pub fn points_to(&self, val: Val) -> ObjectSet {
        self.values.get(&val).cloned().unwrap_or_default()
    }

    /// Whether any of the objects that a value may point to is such.
    pub fn points_to_any(&self, val: Val, is_such: impl FnMut(ObjectId) -> bool) -> bool {
        self.values.get(&val).is_some_and(|set| set.iter().any(is_such))
    }

    /// Objects that are written to through a value: what it may point to as far as is known, but for what nobody ever writes to.
    pub fn written_at(&self, val: Val) -> ObjectSet {
        self.unfrozen(self.points_to(val))
    }

    /// Those of a set that somebody may write to.
    fn unfrozen(&self, set: ObjectSet) -> ObjectSet {
        if self.frozen.is_empty() { set } else { set.without(&self.frozen) }
    }

    /// Whether an object is memory behind a shared reference without cells, or a constant: nobody writes there while the function runs.
    pub fn is_frozen(&self, object: ObjectId) -> bool {
        self.frozen.contains(object)
    }

    /// Whether an object is a constant of the program.
    pub fn is_constant(&self, object: ObjectId) -> bool {
        self.constants.contains(object)
    }

    /// Those of a set that are no constants of the program.
    pub fn without_constants(&self, set: ObjectSet) -> ObjectSet {
        if self.constants.is_empty() { set } else { set.without(&self.constants) }
    }

    /// Whether no pointer lies in an object, whatever may be put there as far as is known.
    fn leads_nowhere(&self, object: ObjectId) -> bool {
        self.is_bare(object) || self.of_text.contains(object)
    }

    /// Enters what is said of an object of the caller's, which is found in the parent, if it has one.
    fn know(&mut self, object: ObjectId, parent: Option<ObjectId>) {
        let own = self.objects[object.0 as usize];
        let Some(param) = own.param() else { return };
        // All that lies behind a parameter is what it is itself.
        let way = self.way_to(object).map_or_else(Vec::new, |(_, way)| way);
        let told = |given: &&Given| {
            given.param == param as usize && given.is_of(way.iter().map(|spot| (spot.offset, spot.stride)))
        };
        let said: Vec<Said> = self.given.iter().filter(told).map(|given| given.said).collect();
        let is_said = |wanted: Said| said.contains(&wanted);
        let is_frozen = is_said(Said::Frozen) || parent.is_some_and(|parent| self.is_frozen(parent));
        let is_text = is_said(Said::Text) && !matches!(own, Object::Behind(_));
        self.frozen.extend(is_frozen.then_some(object));
        self.of_text.extend(is_text.then_some(object));
        let floats = said.into_iter().filter_map(|said| match said {
            Said::Float(bytes, (at, stride)) => Some((Spot { offset: at as i64, stride }, u64::from(bytes))),
            _ => None,
        });
        if !matches!(own, Object::Behind(_)) {
            self.floats.entry(object).or_default().extend(floats);
        }
    }

    /// Everything that can be reached from a value through memory, the objects it points to included.
    pub fn reach(&self, val: Val) -> ObjectSet {
        self.reach_from(self.points_to(val))
    }

    /// Everything that can be reached from a value through memory, what it points to itself only where a way leads back there.
    pub fn behind(&self, val: Val) -> ObjectSet {
        self.beyond(&self.points_to(val))
    }

    /// Everything that can be reached from a set of objects, those themselves only where a way leads back there.
    pub fn beyond(&self, set: &ObjectSet) -> ObjectSet {
        let mut content = ObjectSet::default();
        for object in set.iter() {
            content.union(&self.content[object.0 as usize]);
        }
        self.reach_from(content)
    }

    /// Everything that can be reached from a set of objects, those included.
    pub fn reach_from(&self, mut set: ObjectSet) -> ObjectSet {
        loop {
            let mut next = set.clone();
            for object in set.iter() {
                next.union(&self.content[object.0 as usize]);
            }
            if next == set {
                return set;
            }
            set = next;
        }
    }

    /// Whether a local object's address is left behind in memory of the caller or returned.
    pub fn escapes(&self, object: ObjectId) -> bool {
        self.escaped.contains(object)
    }

    /// Whether two objects may share a byte.
    pub fn may_alias(&self, a: ObjectId, b: ObjectId) -> bool {
        use Object::*;
        if a == b {
            return true;
        }
        let noalias = |i: u32| self.noalias[i as usize];
        match (self.objects[a.0 as usize], self.objects[b.0 as usize]) {
            (Param(i), Param(j)) => i != j && !noalias(i) && !noalias(j),
            (Param(i), Path(j, _) | Behind(j)) | (Path(j, _) | Behind(j), Param(i)) => i != j && !noalias(i),
            // Two ways from one parameter may lead to the same place: two clones of an `Rc`.
            (Path(i, _) | Behind(i), Path(j, _) | Behind(j)) => i == j || (!noalias(i) && !noalias(j)),
            (Param(_) | Path(..) | Behind(_), Global(_)) | (Global(_), Param(_) | Path(..) | Behind(_)) => true,
            // A call that is not an allocator may return memory that was there before; its set says so.
            _ => false,
        }
    }

    /// Whether memory of two sets may share a byte.
    pub fn sets_alias(&self, a: &ObjectSet, b: &ObjectSet) -> bool {
        a.iter().any(|x| b.iter().any(|y| self.may_alias(x, y)))
    }

    /// What is known of a call's callee.
    pub fn summary(&self, call: InstId) -> Option<&Summary> {
        self.summaries.get(&call).map(Rc::as_ref)
    }

    /// What lies in an object (and in what it is copied from and to).
    pub fn cells_of(&self, object: ObjectId) -> &BTreeMap<Spot, Vec<Cell>> {
        &self.cells[self.class_of(object.0) as usize]
    }

    /// Whether two objects are one, or copied into each other.
    pub fn are_copies(&self, a: ObjectId, b: ObjectId) -> bool {
        self.class_of(a.0) == self.class_of(b.0)
    }

    /// What lies in an object, also as callees say.
    pub fn all_cells(&self, object: ObjectId) -> impl Iterator<Item = (Spot, Cell)> + '_ {
        let own = self.cells_of(object).iter().flat_map(|(spot, cells)| cells.iter().map(|cell| (*spot, *cell)));
        own.chain(self.foreign[self.class_of(object.0) as usize].iter().copied())
    }

    /// What callees alone say of an object.
    pub fn foreign_cells(&self, object: ObjectId) -> &[(Spot, Cell)] {
        &self.foreign[self.class_of(object.0) as usize]
    }

    /// Adds what a caller says of a parameter: it leads to constants without floats, and so does what it finds there.
    pub fn set_text(&mut self, param: usize) {
        self.texts[param] = true;
    }

    /// Whether an object is a constant without floats, such as a text: nothing is stored there, whatever pointers may lead to as far as is known.
    pub fn is_text(&self, object: ObjectId) -> bool {
        match self.objects[object.0 as usize] {
            Object::Global(value) => is_as_it_began(value) && !may_be_of_floats(value),
            Object::Param(i) | Object::Path(i, _) | Object::Behind(i) => self.texts[i as usize],
            Object::Stack(_) | Object::Heap(_) => false,
        }
    }

    /// Whether an object is memory of a caller who says that floats and other things share places there.
    pub fn is_said_mixed(&self, object: ObjectId) -> bool {
        self.objects[object.0 as usize].param().is_some_and(|i| self.mixed[i as usize])
    }

    /// Whether some place in an object holds a float at one time and something else at another.
    pub fn is_mixed(&self, object: ObjectId) -> bool {
        let is_float = |cell: Cell| matches!(cell, Cell::Float(_));
        let (floats, others): (Vec<_>, Vec<_>) = self.all_cells(object).partition(|(_, cell)| is_float(*cell));
        let shared = |(a, x): &(Spot, Cell), (b, y): &(Spot, Cell)| overlap(*a, x.bytes() as i64, *b, y.bytes() as i64);
        self.is_said_mixed(object) || floats.iter().any(|float| others.iter().any(|other| shared(float, other)))
    }

    /// Enters that a caller says so of a parameter's memory.
    pub fn set_mixed(&mut self, param: usize) {
        self.mixed[param] = true;
    }

    /// The width of the floats of a set of objects, where there is nothing else in them.
    ///
    /// # Errors
    /// There is something else.
    pub fn floats_only(&self, set: &ObjectSet) -> Result<Option<u64>, Mixed> {
        let mut width = None;
        for object in set.iter() {
            for cell in self.cells_of(object).values().flatten() {
                match cell {
                    Cell::Float(w) if width.is_none_or(|v| v == *w) => width = Some(*w),
                    _ => return Err(Mixed),
                }
            }
        }
        Ok(width)
    }

    /// Whether any float lies in a set of objects.
    pub fn has_floats(&self, set: &ObjectSet) -> bool {
        set.iter().any(|o| self.cells_of(o).values().flatten().any(|c| matches!(c, Cell::Float(_))))
    }

    /// Whether pointers lie in an object of which none leads to memory: a vector that is empty.
    pub fn leads_nowhere_yet(&self, object: ObjectId) -> bool {
        let has_pointer = self.cells_of(object).values().flatten().any(|cell| *cell == Cell::Pointer);
        has_pointer && self.content[object.0 as usize].iter().next().is_none()
    }

    /// Whether an object was allocated for what begins anywhere, such as text, and is no memory of packed floats either.
    pub fn is_of_bytes(&self, object: ObjectId) -> bool {
        self.bytes.contains(object) && !self.packed.contains(object)
    }

    /// Whether an object was allocated for what begins anywhere, and has floats in it that do: what was written to it byte by byte may be one.
    pub fn is_row_of_bytes(&self, object: ObjectId) -> bool {
        self.bytes.contains(object) && self.rows.contains(object)
    }

    /// Whether floats are accessed somewhere in an object that do not begin where floats do by themselves.
    pub fn is_packed(&self, object: ObjectId) -> bool {
        self.packed.contains(object)
    }

    /// Whether words are moved from or to any of these objects of which nothing tells what they are.
    pub fn moves_words(&self, set: &ObjectSet) -> bool {
        set.iter().any(|o| self.of_words.contains(o))
    }

    /// Whether words of so many bytes are moved, of which nothing tells what they are, from or to a place in any of these objects.
    pub fn moves_words_at(&self, set: &ObjectSet, spot: Spot, size: u64) -> bool {
        let is_met = |(at, bytes): &(Spot, u64)| *bytes == size && overlap(spot, size as i64, *at, size as i64);
        set.iter().filter_map(|object| self.words.get(&object)).flatten().any(is_met)
    }

    /// Whether any pointer lies in a set of objects.
    pub fn has_pointers(&self, set: &ObjectSet) -> bool {
        set.iter().any(|o| self.cells_of(o).values().flatten().any(|c| matches!(c, Cell::Pointer)))
    }

    /// Whether pointers lie in a set of objects, or nothing at all as far as is known.
    pub fn has_pointers_or_nothing(&self, set: &ObjectSet) -> bool {
        self.has_pointers(set) || set.iter().all(|o| self.cells_of(o).is_empty())
    }

    /// Whether an object is what a parameter points to itself.
    pub fn is_pointed_to(&self, object: ObjectId) -> bool {
        matches!(self.objects[object.0 as usize], Object::Param(_))
    }

    /// Whether anything but floats lies in a set of objects.
    pub fn has_structure(&self, set: &ObjectSet) -> bool {
        set.iter().any(|o| self.cells_of(o).values().flatten().any(|c| !matches!(c, Cell::Float(_))))
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, object) in self.objects.iter().enumerate() {
            let content: Vec<u32> = self.content[index].iter().map(|o| o.0).collect();
            let cells = self.cells_of(ObjectId(index as u32));
            let way = self.paths.describe(*object);
            writeln!(f, "object {index}: {object:?}{way} points to {content:?} holds {cells:?}")?;
        }
        let of_instruction = |(val, set): (&Val, _)| match val {
            Val::Inst(id) => Some((*id, set)),
            _ => None,
        };
        let sets: BTreeMap<InstId, &ObjectSet> = self.values.iter().filter_map(of_instruction).collect();
        for (id, set) in sets {
            writeln!(f, "{id:?} -> {:?}", set.iter().map(|o| o.0).collect::<Vec<u32>>())?;
        }
        Ok(())
    }
}
