//! Floats that are moved as integers become floats.
//!
//! Rust and LLVM move floats as integers: a small `memcpy` becomes `load i64` and `store i64`, a `[f32; 2]` is passed as one `i64`, a
//! `[f64; 2]` returned as one `i128`. A derivative goes with floats, so the moves must say what they move.
//!
//! **How.** Integers are taken as rows of atoms of four bytes ([`lanes`]). Atoms that are moved into each other, through phis,
//! selects, packing and unpacking, form a *class*. A class is of a float if
//!
//! - a bit cast says so, or the request (the memory consists of floats): this is certain, and integer uses beside it get a bit cast;
//! - or the memory that it is loaded from and stored to holds floats at those places ([`evidence`]), no place says otherwise, and
//!   nobody computes with it. Comparisons of bits (`total_cmp`, `is_nan`) are no computing.
//!
//! A class that is decided is evidence itself, so this goes on until nothing is learned. Then [`rewrite`] replaces what
//! moves floats, piece by piece: `i128` may become a `double` and an integer. Copies of records are taken apart too ([`copies`]). What cannot be
//! decided in memory of the function's own is moved as words (see [`crate::analysis::activity`]). Before all that, integers that functions take and return
//! become floats ([`handed`]).
//!
//! **Promise:** the program computes the same bits. Where nothing is known, nothing changes.

mod alone;
mod consumers;
mod copies;
mod evidence;
mod exact;
pub mod handed;
mod lanes;
mod neighbours;
mod objects;
mod origins;
mod phases;
mod rewrite;
mod unknown;

use crate::analysis::activity::is_cast_float;
use crate::analysis::bits::NARROWEST;
use crate::analysis::memory::{self, Summaries};
use crate::analysis::spot::is_of_floats;
use crate::analysis::widths::{Width, Widths};
use crate::ir::tag::{self, Tag};
use crate::ir::{Func, InstId, Val};
use crate::llvm::{Function, Module, Opcode, Value};
use crate::load::parted::is_count;
use crate::maps::{HashMap, HashSet};
use crate::rule::Registry;
use evidence::{Evidence, Kind, PlaceId};
use lanes::{Source, atoms_of, floats_of, sign_operation, sources};
pub use origins::run as moves_unseen;

/// How many instructions are followed to see where a computation on bits leads.
const FOLLOWED: usize = 32;

/// Gives moves of floats their types; true where something changed. `hints`, by parameter: the bytes of the floats that its memory
/// consists of, 0 where that is not known; `widths` are those of the module, and are kept true.
pub fn moves(
    module: Module,
    function: Function,
    registry: &Registry,
    summaries: &Summaries,
    hints: &[u8],
    widths: &mut Widths,
) -> bool {
    if function.is_declaration() || !module.is_little_endian() {
        return false;
    }
    let mut changed = exact::run(function);
    widths.look(function);
    let width = widths.of_words();
    changed |= width == Some(Width::Of(NARROWEST)) && unknown::halve(function);
    changed |= objects::run(function, width);
    let func = Func::load(function, registry);
    let memory = memory::analyze(&func, summaries, &hints.iter().map(|bytes| *bytes > 0).collect::<Vec<_>>());
    let mut classes = Classes::of(&func);
    let mut evidence = Evidence::gather(&func, &memory, hints);
    if evidence.is_in_doubt() {
        neighbours::ask(&mut evidence, &func, &memory, registry, summaries);
    }
    classes.decide(&func, &mut evidence);
    let copies = copies::find(&func, &memory, &mut evidence, &classes, width.and_then(Width::only), !hints.is_empty());
    let moves = unknown::find(&func, &memory, &mut evidence, &classes, width);
    let pointers = unknown::pointers(&func, &memory, &evidence);
    let bytes = unknown::bytes(&func, &memory);
    changed |= rewrite::run(&func, &classes);
    changed |= !moves.is_empty() && unknown::run(&moves, width);
    unknown::store_words(&pointers);
    bytes.iter().for_each(|access| tag::mark_word(*access));
    changed |= !bytes.is_empty();
    changed |= !pointers.is_empty();
    changed |= copies::run(module, &copies);
    // What has become a float since somebody looks at it as one may be none where it is only moved.
    let func = Func::load(function, registry);
    let floats = unknown::floats(&func, summaries, !hints.is_empty());
    unknown::store_firm_words(&floats);
    widths.look(function);
    changed || !floats.is_empty()
}

/// Whether a function moves words.
pub fn moves_words(function: Function) -> bool {
    let accesses = |i: &Value| matches!(i.opcode(), Opcode::LLVMLoad | Opcode::LLVMStore);
    let mut all = function.blocks().into_iter().flat_map(|b| b.instructions()).filter(accesses);
    all.any(tag::is_word)
}

/// Whether a function copies memory of which it is not said that floats alone lie there.
pub fn has_open_copies(function: Function) -> bool {
    let is_copy = |i: &Value| {
        i.opcode() == Opcode::LLVMCall
            && i.called_function().is_some_and(|f| {
                let name = f.name();
                name.starts_with("llvm.memcpy") || name.starts_with("llvm.memmove")
            })
    };
    let mut all = function.blocks().into_iter().flat_map(|b| b.instructions()).filter(is_copy);
    all.any(|copy| !is_of_floats(copy))
}

/// What is known of a class.
#[derive(Clone, Default, Debug)]
struct Facts {
    /// Kinds that bit casts and promises say, which are certain.
    certain: Vec<Kind>,
    /// Somebody computes with it, or it comes out of a computation.
    computed: bool,
    /// A pointer is made of it, or it of a pointer.
    pointer: bool,
    /// It is moved as a word, whatever is known of it.
    word: bool,
    /// Where it is loaded from and stored to.
    places: Vec<PlaceId>,
}

/// The classes of a function's atoms.
pub(crate) struct Classes {
    /// Where the atoms of a value (of a store: of what it stores) begin.
    first: HashMap<InstId, u32>,
    parent: Vec<u32>,
    facts: HashMap<u32, Facts>,
    decided: HashMap<u32, Kind>,
}

/// Whether a value is a pointer cast to an integer.
fn is_address(func: &Func, val: Val) -> bool {
    matches!(val, Val::Inst(id) if func.inst(id).value.opcode() == Opcode::LLVMPtrToInt)
}

/// Whether an instruction joins integers of which one is an address.
fn joins_address(func: &Func, id: InstId) -> bool {
    let inst = func.inst(id);
    matches!(inst.value.opcode(), Opcode::LLVMPHI | Opcode::LLVMSelect)
        && inst.operands.iter().any(|v| is_address(func, *v))
}

/// Whether a load of an integer reads an element of a slice or array of floats.
fn is_element_of_floats(func: &Func, load: InstId) -> bool {
    let load = func.inst(load).value;
    let address = load.operand(0);
    load.ty().is_int()
        && address.is_instruction()
        && address.opcode() == Opcode::LLVMGetElementPtr
        && address.gep_type().is_float()
        && func.module().store_size_of(address.gep_type()) == func.module().store_size_of(load.ty())
}

/// Whether an integer is loaded from where floats are, as the address or other accesses by the same address say.
fn is_beside_float(func: &Func, val: Val) -> bool {
    let Val::Inst(id) = val else { return false };
    let load = func.inst(id).value;
    if load.opcode() != Opcode::LLVMLoad || !load.ty().is_int() {
        return false;
    }
    let is_float = |user: &Value| match user.opcode() {
        Opcode::LLVMLoad => user.ty().is_float(),
        Opcode::LLVMStore => user.operand(1) == load.operand(0) && user.operand(0).ty().is_float(),
        _ => false,
    };
    is_element_of_floats(func, id) || load.operand(0).users().iter().filter(|u| u.is_instruction()).any(is_float)
}

impl Classes {
    fn of(func: &Func) -> Classes {
        let mut classes = Classes {
            first: HashMap::default(),
            parent: Vec::new(),
            facts: HashMap::default(),
            decided: HashMap::default(),
        };
        for id in func.inst_ids() {
            let inst = func.inst(id);
            let stored = inst.value.opcode() == Opcode::LLVMStore;
            let count = atoms_of(if stored { func.ty(inst.operands[0]) } else { inst.ty });
            if count > 0 {
                classes.first.insert(id, classes.parent.len() as u32);
                let next = classes.parent.len() as u32;
                classes.parent.extend(next..next + count);
            }
        }
        for id in func.inst_ids() {
            classes.connect(func, id);
        }
        classes
    }

    fn class(&self, mut atom: u32) -> u32 {
        while self.parent[atom as usize] != atom {
            atom = self.parent[atom as usize];
        }
        atom
    }

    /// Atoms of an operand, if it has any.
    fn atoms(&self, func: &Func, val: Val) -> std::ops::Range<u32> {
        match val {
            Val::Inst(id) => self.first.get(&id).map_or(0..0, |f| *f..*f + atoms_of(func.inst(id).ty)),
            _ => 0..0,
        }
    }

    fn own(&self, func: &Func, id: InstId) -> std::ops::Range<u32> {
        let inst = func.inst(id);
        let stored = inst.value.opcode() == Opcode::LLVMStore;
        let count = atoms_of(if stored { func.ty(inst.operands[0]) } else { inst.ty });
        self.first.get(&id).map_or(0..0, |f| *f..*f + count)
    }

    fn unite(&mut self, a: u32, b: u32) {
        let (a, b) = (self.class(a), self.class(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }

    /// Unites the atoms of a value with an operand's, one by one.
    fn follow(&mut self, func: &Func, to: std::ops::Range<u32>, from: Val) {
        for (a, b) in to.zip(self.atoms(func, from)) {
            self.unite(a, b);
        }
    }

    fn connect(&mut self, func: &Func, id: InstId) {
        let inst = func.inst(id);
        let own = self.own(func, id);
        match inst.value.opcode() {
            // A count is one wherever it gets.
            Opcode::LLVMStore if is_count(inst.value.operand(0)) => {}
            Opcode::LLVMStore => self.follow(func, own, inst.operands[0]),
            Opcode::LLVMPHI | Opcode::LLVMSelect => {
                let joined = &inst.operands[usize::from(inst.value.opcode() == Opcode::LLVMSelect)..];
                let with_address = joined.iter().any(|v| is_address(func, *v));
                let counts = |v: &Val| matches!(v, Val::Inst(id) if is_count(func.inst(*id).value));
                let with_count = joined.iter().any(counts);
                let is_stranger = |val: &Val| {
                    let is_float = || is_beside_float(func, *val);
                    (with_address && is_float())
                        || (with_count && (is_cast_float(func, *val) || is_float()))
                        || (counts(val) && !is_count(inst.value))
                };
                // A float on one way and an address or a count on the other are no one thing: they are parted later.
                for val in joined.iter().filter(|v| !is_stranger(v)) {
                    self.follow(func, own.clone(), *val);
                }
            }
            _ if own.is_empty() => {}
            // A count that LLVM moves beside floats, as the bits of one.
            Opcode::LLVMBitCast if is_count(inst.value.operand(0)) => {}
            _ => {
                if let Some(sign) = sign_operation(inst.value) {
                    self.follow(func, own, func.val(sign.magnitude()));
                } else {
                    for (atom, source) in own.zip(sources(inst.value).unwrap_or_default()) {
                        if let Source::Atom(value, index) = source
                            && let Some(from) = self.atoms(func, func.val(value)).nth(index as usize)
                        {
                            self.unite(atom, from);
                        }
                    }
                }
            }
        }
    }

    fn note(&mut self, atoms: std::ops::Range<u32>, mut what: impl FnMut(&mut Facts, usize)) {
        for (index, atom) in atoms.enumerate() {
            let class = self.class(atom);
            what(self.facts.entry(class).or_default(), index);
        }
    }

    /// Notes what an instruction says of its operands and its result.
    fn examine(&mut self, func: &Func, id: InstId, evidence: &mut Evidence) {
        let inst = func.inst(id);
        let own = self.own(func, id);
        match inst.value.opcode() {
            Opcode::LLVMLoad | Opcode::LLVMStore => {
                let stored = inst.value.opcode() == Opcode::LLVMStore;
                // What tells a variant is no float, whatever lies there in another one.
                let simple = inst.value.is_plain() && Tag::of(inst.value).is_none();
                let address = inst.operands[usize::from(stored)];
                if tag::is_firm(inst.value) || (stored && is_count(inst.value.operand(0))) {
                    self.note(own, |facts, _| facts.word = true);
                    return;
                }
                self.note(own.clone(), |facts, index| {
                    let place = evidence.place(address, 4 * index as i64);
                    facts.certain.extend(evidence.promised(place));
                    facts.places.push(place);
                    facts.computed |= !simple;
                });
                if !stored
                    && is_element_of_floats(func, id)
                    && func.users[id.0 as usize].iter().any(|u| joins_address(func, *u))
                {
                    let kinds = Kind::of_float(inst.ty.bits() / 8);
                    self.note(own.clone(), |facts, index| facts.certain.push(kinds[index % kinds.len()]));
                }
                if stored && let Val::Arg(_) = inst.operands[0] {
                    self.note(own.clone(), |facts, _| facts.computed = true);
                }
                if stored && let Val::Const(constant) = inst.operands[0] {
                    self.constant(own, constant);
                }
                return;
            }
            Opcode::LLVMPHI | Opcode::LLVMSelect => {
                for operand in &inst.operands {
                    match operand {
                        Val::Arg(_) => self.note(own.clone(), |facts, _| facts.computed = true),
                        Val::Const(constant) => self.constant(own.clone(), *constant),
                        Val::Inst(_) => {}
                    }
                }
                return;
            }
            Opcode::LLVMBitCast => {
                if let Some((bytes, _)) = floats_of(func.ty(inst.operands[0])) {
                    let kinds = Kind::of_float(bytes);
                    self.note(own, |facts, index| facts.certain.push(kinds[index % kinds.len()]));
                    return;
                }
                if let Some((bytes, _)) = floats_of(inst.ty)
                    && !is_count(inst.value.operand(0))
                {
                    let kinds = Kind::of_float(bytes);
                    self.note(self.atoms(func, inst.operands[0]), |facts, index| {
                        facts.certain.push(kinds[index % kinds.len()]);
                    });
                    return;
                }
            }
            _ => {}
        }
        if !own.is_empty() && (sign_operation(inst.value).is_some() || sources(inst.value).is_some()) {
            return;
        }
        let pointer = matches!(inst.value.opcode(), Opcode::LLVMPtrToInt | Opcode::LLVMIntToPtr);
        self.note(own, |facts, _| {
            facts.computed = true;
            facts.pointer |= pointer;
        });
        if !compares_bits(inst.value) {
            for operand in &inst.operands {
                self.note(self.atoms(func, *operand), |facts, _| {
                    facts.computed = true;
                    facts.pointer |= pointer;
                });
            }
        }
    }

    /// A small number is a tag or a count and no float, unless it is zero; the first numbers behind all capacities are tags.
    fn constant(&mut self, atoms: std::ops::Range<u32>, constant: Value) {
        let small = constant.as_i64().is_some_and(|bits| bits != 0 && bits.unsigned_abs() < 1 << 20);
        let niche = constant.as_u64().is_some_and(Tag::is_in_niche);
        self.note(atoms, |facts, _| facts.computed |= small || niche);
    }

    /// Decides class by class, the certain ones first, until nothing is learned.
    fn decide(&mut self, func: &Func, evidence: &mut Evidence) {
        for id in func.inst_ids() {
            self.examine(func, id, evidence);
        }
        let classes: Vec<u32> = (0..self.parent.len() as u32).filter(|a| self.class(*a) == *a).collect();
        let mut open: Vec<u32> = Vec::new();
        for class in classes {
            let Some(facts) = self.facts.get(&class) else { continue };
            match verdict(facts) {
                Some(kind) => self.settle(class, kind, evidence),
                // Contradictions say nothing to others.
                None if facts.certain.is_empty() && !facts.word => open.push(class),
                None => {}
            }
        }
        loop {
            let news: Vec<(u32, Kind)> =
                open.iter().filter_map(|c| Some((*c, vote(&self.facts[c], evidence)?))).collect();
            if news.is_empty() {
                return;
            }
            open.retain(|class| news.iter().all(|(c, _)| c != class));
            for (class, kind) in news {
                self.settle(class, kind, evidence);
            }
        }
    }

    fn settle(&mut self, class: u32, kind: Kind, evidence: &mut Evidence) {
        self.decided.insert(class, kind);
        for place in &self.facts[&class].places {
            evidence.learn(*place, kind);
        }
    }

    /// Whether nothing is known of an atom, and nobody looks at it.
    fn is_open(&self, atom: u32) -> bool {
        let class = self.class(atom);
        let is_plain = |facts: &Facts| verdict(facts).is_none() && facts.certain.is_empty() && !facts.word;
        !self.decided.contains_key(&class) && self.facts.get(&class).is_some_and(is_plain)
    }

    /// Whether nothing is known of some atoms of a value, and of the others that they are numbers.
    pub(crate) fn may_hold_words(&self, func: &Func, id: InstId) -> bool {
        let is_number = |atom: u32| self.decided.get(&self.class(atom)) == Some(&Kind::Integer);
        let (mut open, rest): (Vec<u32>, Vec<u32>) = self.own(func, id).partition(|atom| self.is_open(*atom));
        open.pop().is_some() && rest.into_iter().all(is_number)
    }

    /// Whether all atoms of a value are known, as floats or as something else.
    pub(crate) fn is_settled(&self, func: &Func, id: InstId) -> bool {
        self.own(func, id).all(|atom| self.decided.contains_key(&self.class(atom)))
    }

    /// What the atoms of a value are, where they are of floats; of a store, those of what it stores.
    pub(crate) fn kinds(&self, func: &Func, id: InstId) -> Vec<Option<Kind>> {
        let known = |atom: u32| {
            let class = self.class(atom);
            self.decided.get(&class).copied().filter(|k| k.is_float())
        };
        self.own(func, id).map(known).collect()
    }
}

/// What a class is by itself.
fn verdict(facts: &Facts) -> Option<Kind> {
    if facts.word {
        return None;
    }
    let first = facts.certain.first().copied();
    if facts.certain.iter().any(|k| Some(*k) != first) || (first.is_some() && facts.pointer) {
        return None;
    }
    match (first, facts.pointer, facts.computed) {
        (Some(kind), ..) => Some(kind),
        (None, true, _) => Some(Kind::Pointer),
        // What is stored and computed with at the same time may be bits of a float (an exponent that is put together).
        (None, false, true) => Some(Kind::Integer),
        (None, false, false) => None,
    }
}

/// What the places of a class agree on.
fn vote(facts: &Facts, evidence: &mut Evidence) -> Option<Kind> {
    let mut agreed = None;
    if facts.places.iter().any(|place| evidence.is_disputed(*place)) {
        return None;
    }
    // Words are right for a moved float as well, in memory of the function's own.
    let as_word = facts.places.iter().all(|p| evidence.is_own(*p))
        && facts.places.iter().any(|p| evidence.may_be_disputed(*p) || evidence.is_of_variants(*p));
    for place in &facts.places {
        if let Some(kind) = evidence.about(*place)
            && *agreed.get_or_insert(kind) != kind
        {
            return None;
        }
    }
    agreed.filter(|kind| !(kind.is_float() && as_word))
}

/// Whether an instruction is part of a comparison of bits, as `total_cmp` and tests for NaN make them: its result goes into comparisons alone,
/// after operations on bits, and what it is compared with comes from memory or is a constant.
fn compares_bits(instruction: Value) -> bool {
    let mut work = vec![instruction];
    let mut seen = HashSet::default();
    while let Some(next) = work.pop() {
        if !seen.insert(next) {
            continue;
        }
        if seen.len() > FOLLOWED {
            return false;
        }
        match next.opcode() {
            Opcode::LLVMICmp => {
                if !next.operands().into_iter().all(|o| is_of_bits(o, &mut HashSet::default())) {
                    return false;
                }
            }
            // The sign of one float that becomes another's.
            _ if sign_operation(next).is_some() => {}
            _ if is_bit_operation(next) => work.extend(next.users()),
            _ => return false,
        }
    }
    true
}

fn is_bit_operation(value: Value) -> bool {
    matches!(
        value.opcode(),
        Opcode::LLVMAnd
            | Opcode::LLVMOr
            | Opcode::LLVMXor
            | Opcode::LLVMAShr
            | Opcode::LLVMLShr
            | Opcode::LLVMShl
            | Opcode::LLVMTrunc
            | Opcode::LLVMBitCast
    )
}

/// Whether a value is made of loaded bits and constants by operations on bits.
fn is_of_bits(value: Value, seen: &mut HashSet<Value>) -> bool {
    if value.is_constant() || !seen.insert(value) {
        return true;
    }
    if !value.is_instruction() || seen.len() > FOLLOWED {
        return false;
    }
    match value.opcode() {
        Opcode::LLVMLoad => true,
        Opcode::LLVMPHI => value.incoming().into_iter().all(|(v, _)| is_of_bits(v, seen)),
        Opcode::LLVMSelect => value.operands()[1..].iter().all(|v| is_of_bits(*v, seen)),
        Opcode::LLVMFreeze => is_of_bits(value.operand(0), seen),
        Opcode::LLVMBitCast if floats_of(value.operand(0).ty()).is_some() => true,
        _ => is_bit_operation(value) && value.operands().into_iter().all(|v| is_of_bits(v, seen)),
    }
}
