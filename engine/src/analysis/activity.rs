//! Which values and objects carry derivatives.
//!
//! A float is *varied* if it depends on an active input, *useful* if an active output depends on it, *active* if both. An
//! object is varied if a varied value may be stored into it, useful if a useful value may be loaded from it. Both are
//! least fixed points, insensitive to the order of instructions. An object that is active has a *shadow*, and so has
//! each object from which one with a shadow can be reached, and each that is accessed through a pointer which may also
//! point to one with a shadow.
//!
//! Promises: what is not active has a zero derivative. Facts keep their cause, for messages.
mod addresses;
mod constants;
mod doubt;
mod numbers;
mod problems;
mod shadows;
mod statics;
mod tags;
mod words;

pub use doubt::Doubt;
pub use problems::Problem;
pub use words::{
    Half, exponent_of, float_of, half_of_word, is_cast_float, is_float_load, is_of_pieces, is_structure, leaves,
    loads_joined, narrow_access,
};

use super::bits::{NARROWEST, is_one_of_two, is_size};
use super::memory::{self, Memory, Object, ObjectId, ObjectSet, Way};
use super::spot::place_of;
use super::widths::only_width as only_width_of;
use crate::ir::handed::may_return_aggregate;
use crate::ir::table::{is_of_drops, is_of_methods};
use crate::ir::tag::{self, Tag};
use crate::ir::{Callee, Func, Inst, InstId, Op, Val};
use crate::llvm::{Opcode, Place, Value};
use crate::maps::{HashMap, HashSet};
use crate::rule::{Effect, Partial};
use std::cell::OnceCell;
use std::fmt;

/// What the caller says of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ParamActivity {
    /// No derivative.
    Const,
    /// A float (or an aggregate of them) with a derivative.
    Active,
    /// A pointer whose memory has a shadow.
    Dup,
}

/// What of some memory is the user's, who keeps its shadow.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Users {
    /// What may hold structure, which must stay as it is.
    pub structure: bool,
    /// What may hold floats, which have adjoints from the start.
    pub floats: bool,
}

impl Users {
    /// All of it.
    pub fn all(is_users: bool) -> Users {
        Users { structure: is_users, floats: is_users }
    }
}

/// What a function is differentiated for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Interface {
    /// By parameter.
    pub params: Vec<ParamActivity>,
    /// Whether the result carries a derivative (or is a pointer with a shadow).
    pub result: bool,
    /// By parameter: what of the memory that it points to, and of what can be reached from there, is the user's.
    pub outside: Vec<[Users; 2]>,
    /// The same, by parameter and the way to it, of what lies behind pointers where not all of that is the user's: of what such a way leads to, and of what can be reached
    /// from there.
    pub ways: Vec<(u32, Way, [Users; 2])>,
    /// By parameter: the memory is the result's. In reverse mode its shadow holds the seed, from before the forward sweep.
    pub results: Vec<bool>,
    /// By parameter: whether the memory that it points to, and what can be reached from there, may be constant and its own shadow.
    pub constants: Vec<[bool; 2]>,
    /// The same, by parameter and the way to it, of what lies behind pointers where not all of that may be: of what such a way leads to, and of what can be reached from there.
    pub constant_ways: Vec<(u32, Way, [bool; 2])>,
    /// By parameter without a shadow: whether anything can be reached from the memory that it points to.
    pub leads_on: Vec<bool>,
    /// The structure of that memory must stay as it is: in reverse mode.
    pub fixed: bool,
    /// Sizes of what tells variants of enums that must stay what they are, in the user's memory that parameters point to, and in what can be reached from there.
    pub untold: [Vec<u64>; 2],
}

/// Facts about activity.
#[derive(Clone, Debug)]
pub struct Activity {
    varied: Vec<bool>,
    useful: Vec<bool>,
    varied_objects: ObjectSet,
    useful_objects: ObjectSet,
    structural: ObjectSet,
    /// Objects that words are read from or written to.
    of_words: ObjectSet,
    /// Integers whose bits become a float.
    float_bound: Vec<bool>,
    /// Loads of numbers and arithmetic with such, in a program that takes no bits of floats.
    plain: Vec<bool>,
    shadowed: ObjectSet,
    needed: Vec<bool>,
    /// See [`words`].
    words: Vec<bool>,
    /// Whether the floats of the program are half as wide as the widest words.
    of_halves: OnceCell<bool>,
    /// Computations with the bits of what may be words, and loads for nothing else.
    computed: Vec<bool>,
    read_for_bits: Vec<bool>,
    /// Loads of pieces of what may be floats, and those of them whose shadow is the caller's.
    pieces: Vec<bool>,
    foreign_pieces: Vec<InstId>,
    /// Loads of bits that may be of a constant float or not, and of which no shadow can tell.
    unclear: Vec<InstId>,
    /// Where a `RefCell` counts how often it is borrowed.
    borrows: Vec<(ObjectSet, memory::Spot)>,
    params: Vec<ParamActivity>,
    /// By object: what of it is the user's.
    users: Vec<Users>,
    results: Vec<bool>,
    constants: ObjectSet,
    leads_on: Vec<bool>,
    /// What the function may write to through pointers that have a shadow.
    written: ObjectSet,
    result: bool,
    fixed: bool,
    untold: [Vec<u64>; 2],
    /// Where what the source has as a number may be the bits of a float all the same; nothing where it may be anywhere.
    of_bits: Option<numbers::Bits>,
    /// Loads that tell a variant which must be the same in the shadow.
    tags: HashMap<InstId, Tag>,
    /// Loads of capacities that must be the same in the shadow.
    capacities: HashSet<InstId>,
    /// Loads of pointers that must be others in the shadow.
    apart: HashSet<InstId>,
}

/// Analyses a function.
pub fn analyze(func: &Func, memory: &Memory, interface: &Interface) -> Activity {
    let mut met = ObjectSet::default();
    loop {
        let activity = analyze_with(func, memory, interface, &met);
        let before = met.clone();
        met.union(&activity.constants_met(func, memory));
        if met == before {
            return activity;
        }
    }
}

/// The same where some objects carry derivatives, whatever lies there.
fn analyze_with(func: &Func, memory: &Memory, interface: &Interface, met: &ObjectSet) -> Activity {
    let mut activity = Activity {
        varied: vec![false; func.insts.len()],
        useful: vec![false; func.insts.len()],
        varied_objects: ObjectSet::default(),
        useful_objects: ObjectSet::default(),
        structural: ObjectSet::default(),
        of_words: ObjectSet::default(),
        float_bound: float_bound(func),
        plain: numbers::plain(func, memory),
        shadowed: ObjectSet::default(),
        needed: vec![false; func.insts.len()],
        words: vec![false; func.insts.len()],
        of_halves: OnceCell::new(),
        computed: vec![false; func.insts.len()],
        read_for_bits: vec![false; func.insts.len()],
        pieces: vec![false; func.insts.len()],
        foreign_pieces: Vec::new(),
        unclear: Vec::new(),
        borrows: Vec::new(),
        params: interface.params.clone(),
        users: problems::users_of(memory, interface),
        results: interface.results.clone(),
        constants: constants::said(memory, interface),
        leads_on: interface.leads_on.clone(),
        written: ObjectSet::default(),
        result: interface.result,
        fixed: interface.fixed,
        untold: interface.untold.clone(),
        of_bits: numbers::of_bits(func, memory, interface),
        tags: HashMap::default(),
        capacities: HashSet::default(),
        apart: HashSet::default(),
    };
    for (index, object) in memory.objects.iter().enumerate() {
        if let Some(i) = object.param()
            && interface.params[i as usize] == ParamActivity::Dup
        {
            activity.varied_objects.insert(ObjectId(index as u32));
            activity.useful_objects.insert(ObjectId(index as u32));
        }
    }
    // What is hung into the caller's memory is the caller's to read, and to write to.
    activity.useful_objects = memory.reach_from(activity.useful_objects.clone());
    activity.vary_handed_over(func, memory, interface);
    activity.varied_objects.union(met);
    activity.useful_objects.union(met);
    loop {
        while activity.vary(func, memory) {}
        while activity.use_back(func, memory, interface) {}
        if !activity.vary_what_is_put_at_floats(func, memory) {
            break;
        }
    }
    activity.find_words(func, memory);
    activity.find_shadows(func, memory, interface);
    activity
}

/// Whether words as wide as a type are moved from or to an address.
fn reads_words_at(func: &Func, memory: &Memory, address: Val, ty: crate::llvm::Type) -> bool {
    memory.moves_words_at(&memory.points_to(address), memory::spot_of(func, address), func.module().store_size_of(ty))
}

/// Whether a load is of a number that is narrower than any float, in the source as well.
fn is_byte(load: &Inst) -> bool {
    load.ty.is_int() && u64::from(load.ty.bits()) < 8 * NARROWEST && tag::is_number(load.value)
}

/// Whether what a call returns may be an aggregate with floats in it, as one integer: there are no words of these, so it is an error where it matters.
pub(super) fn hands_bits(call: &Inst) -> bool {
    match call.value.called_function() {
        Some(callee) => may_return_aggregate(callee),
        None => {
            call.ty.is_int() && float_of(call.ty).is_some() && !call.value.has_call_attribute(Place::Result, "noundef")
        }
    }
}

/// Whether a type can hold floats of a value that is no pointer.
pub fn may_hold_floats(ty: crate::llvm::Type) -> bool {
    if ty.is_struct() {
        return (0..ty.count() as u32).any(|i| may_hold_floats(ty.field(i)));
    }
    if ty.is_array() {
        return may_hold_floats(ty.element());
    }
    ty.is_float_or_vector()
}

/// Whether a type is a pointer or an aggregate with one.
pub fn holds_pointer(ty: crate::llvm::Type) -> bool {
    if ty.is_struct() {
        return (0..ty.count() as u32).any(|i| holds_pointer(ty.field(i)));
    }
    if ty.is_array() {
        return holds_pointer(ty.element());
    }
    ty.is_pointer()
}

/// Integers that flow, through arithmetic or not, into a bit cast to a float, or are handed to a caller as a small aggregate; or, cut or not, through a local to
/// where a float is loaded.
pub(super) fn float_bound(func: &Func) -> Vec<bool> {
    let mut bound = vec![false; func.insts.len()];
    let stores = stores_of_numbers(func);
    let is_made = |id: &InstId| {
        let inst = func.inst(*id);
        match inst.op {
            Op::BitCast => may_hold_floats(inst.ty) && !may_hold_floats(func.ty(inst.operands[0])),
            Op::Load => may_hold_floats(inst.ty),
            Op::Return => may_return_aggregate(func.function),
            _ => false,
        }
    };
    let mut todo: Vec<InstId> = func.inst_ids().filter(is_made).collect();
    while let Some(id) = todo.pop() {
        let inst = func.inst(id);
        if matches!(inst.op, Op::Load) {
            let ((base, at), size) = (place_of(inst.value.operand(0)), func.module().store_size_of(inst.ty) as i64);
            let is_met = |(begin, bytes, _): &&(i64, i64, Val)| *begin < at + size && at < begin + bytes;
            let met = stores.get(&base).into_iter().flatten().filter(is_met);
            for load in met.flat_map(|(.., value)| loads_cut(func, *value, size)) {
                if !std::mem::replace(&mut bound[load.0 as usize], true) {
                    todo.push(load);
                }
            }
            continue;
        }
        for operand in &inst.operands {
            if let Val::Inst(from) = operand
                && !bound[from.0 as usize]
                && (matches!(
                    func.inst(*from).op,
                    Op::Load | Op::Integer(_) | Op::Phi | Op::Select | Op::Copy | Op::BitCast
                ) || is_one_of_two(func.inst(*from)))
                && !func.inst(*from).ty.is_pointer()
                && !may_hold_floats(func.inst(*from).ty)
            {
                bound[from.0 as usize] = true;
                todo.push(*from);
            }
        }
    }
    bound
}

/// Stores of numbers in locals, by local: where, in how many bytes, and what.
fn stores_of_numbers(func: &Func) -> HashMap<Value, Vec<(i64, i64, Val)>> {
    let mut found: HashMap<Value, Vec<(i64, i64, Val)>> = HashMap::default();
    for inst in func.inst_ids().map(|id| func.inst(id)) {
        if !matches!(inst.op, Op::Store) || !func.ty(inst.operands[0]).is_int() {
            continue;
        }
        let (base, at) = place_of(inst.value.operand(1));
        if base.is_instruction() && base.opcode() == Opcode::LLVMAlloca {
            let bytes = func.module().store_size_of(func.ty(inst.operands[0])) as i64;
            found.entry(base).or_default().push((at, bytes, inst.operands[0]));
        }
    }
    found
}

/// Loads of so many bytes that a number is, or a piece of.
fn loads_cut(func: &Func, val: Val, bytes: i64) -> Vec<InstId> {
    let (mut open, mut seen, mut found) = (vec![val], HashSet::default(), Vec::new());
    while let Some(val) = open.pop() {
        let Val::Inst(id) = val else { continue };
        if !seen.insert(id) {
            continue;
        }
        let inst = func.inst(id);
        match inst.op {
            Op::Load if func.module().store_size_of(inst.ty) as i64 == bytes && inst.ty.is_int() => found.push(id),
            Op::Phi | Op::Copy => open.extend(&inst.operands),
            Op::Select => open.extend(&inst.operands[1..]),
            Op::Integer(Opcode::LLVMTrunc | Opcode::LLVMLShr) => open.push(inst.operands[0]),
            _ => {}
        }
    }
    found
}

impl Activity {
    /// Whether a value depends on an active input.
    pub fn is_varied(&self, val: Val) -> bool {
        match val {
            Val::Inst(id) => self.varied[id.0 as usize],
            Val::Arg(i) => self.params[i as usize] == ParamActivity::Active,
            Val::Const(_) => false,
        }
    }

    /// Whether a value that depends on an active input may lie in an object.
    pub fn is_varied_object(&self, object: ObjectId) -> bool {
        self.varied_objects.contains(object)
    }

    fn any_varied(&self, set: &ObjectSet) -> bool {
        set.iter().any(|o| self.varied_objects.contains(o))
    }

    fn any_useful(&self, set: &ObjectSet) -> bool {
        set.iter().any(|o| self.useful_objects.contains(o))
    }

    /// Enters memory of the function's own that its caller gets with a shadow. It may be of constants: what depends on the arguments may be written there
    /// later.
    fn vary_handed_over(&mut self, func: &Func, memory: &Memory, interface: &Interface) {
        let mut handed = memory.reach_from(self.varied_objects.clone());
        let returns = func.inst_ids().filter(|id| interface.result && matches!(func.inst(*id).op, Op::Return));
        for operand in returns.flat_map(|id| &func.inst(id).operands) {
            handed.union(&memory.reach(*operand));
        }
        handed.iter().filter(|o| memory.may_get_floats(*o)).for_each(|o| _ = self.varied_objects.insert(o));
    }

    /// Memory of constants that calls make and that pointers with a shadow may lead to: as only these calls can make a shadow of it, it counts as memory that
    /// carries derivatives.
    fn constants_met(&self, func: &Func, memory: &Memory) -> ObjectSet {
        let mut met = ObjectSet::default();
        // Structure as well: an active call takes all that it finds there to have a shadow.
        let mut shadowed = self.shadowed.clone();
        shadowed.union(&self.structural);
        for object in shadowed.iter().filter(|o| !self.is_active_object(*o)) {
            if let memory::Object::Heap(id) = memory.objects[object.0 as usize]
                && matches!(func.inst(id).op, Op::Call(Callee::Body(_)))
                && func.block(func.inst(id).block).returns
                && memory.may_get_floats(object)
            {
                met.insert(object);
            }
        }
        // So is text that is made once more for its shadow.
        for id in func.inst_ids() {
            let inst = func.inst(id);
            if !matches!(inst.op, Op::Call(Callee::Effect(Effect::Text { again: true }))) {
                continue;
            }
            let has_shadow = |val: &Val| memory.points_to(*val).iter().any(|o| self.shadowed.contains(o));
            if inst.operands.iter().any(has_shadow) {
                memory.made_by(id).for_each(|(_, made)| _ = met.insert(made));
            }
        }
        met
    }

    fn vary(&mut self, func: &Func, memory: &Memory) -> bool {
        let mut changed = false;
        memory.add_siblings(&mut self.varied_objects);
        for id in func.inst_ids() {
            let inst = func.inst(id);
            let varied = match &inst.op {
                Op::Scalar(scalar) => inst
                    .operands
                    .iter()
                    .zip(&scalar.partials)
                    .any(|(v, p)| matches!(p, Partial::Of(_)) && self.is_varied(*v)),
                // An integer from memory is of interest only where floats lie there too.
                Op::Load => {
                    !inst.ty.is_pointer()
                        && !self.plain[id.0 as usize]
                        && self.any_varied(&memory.points_to(inst.operands[0]))
                        && (may_hold_floats(inst.ty)
                            // (What is said to be a byte is followed with the bits, should it be one of a float.)
                            || (self.float_bound[id.0 as usize] && !is_byte(inst))
                            || self.accesses_float_bits(func, memory, id)
                            || (float_of(inst.ty).is_some() && self.loads_word(func, memory, id))
                            || self.is_loaded_word(func, memory, id))
                }
                Op::Store => {
                    if self.is_varied(inst.operands[0]) {
                        changed |= self.varied_objects.union(&memory.written_at(inst.operands[1]));
                    }
                    false
                }
                Op::MemCopy => {
                    if self.any_varied(&memory.points_to(inst.operands[1])) {
                        changed |= self.varied_objects.union(&memory.written_at(inst.operands[0]));
                    }
                    false
                }
                Op::Phi
                | Op::Copy
                | Op::BitCast
                | Op::Insert(_)
                | Op::ExtractElement
                | Op::InsertElement
                | Op::Shuffle(_) => inst.operands.iter().any(|v| self.is_varied(*v)),
                Op::Extract(path) => {
                    self.is_varied(inst.operands[0])
                        && (may_hold_floats(inst.ty) || self.is_varied_field(func, inst.operands[0], path))
                }
                Op::Select => inst.operands[1..].iter().any(|v| self.is_varied(*v)),
                // Bits of a float stay of interest while they are only cut, put together or masked.
                Op::Integer(_) | Op::Other(_) => {
                    !self.plain[id.0 as usize] && inst.operands.iter().any(|v| self.is_varied(*v))
                }
                Op::Call(Callee::Custom(custom)) => {
                    if custom.inputs().any(|g| self.any_varied(&memory.reach(inst.operands[g.pointer]))) {
                        for group in custom.outputs() {
                            changed |= self.varied_objects.union(&memory.reach(inst.operands[group.pointer]));
                        }
                    }
                    false
                }
                Op::Call(Callee::Body(_) | Callee::Unknown(_) | Callee::Indirect(_) | Callee::Assembly)
                | Op::Call(Callee::Effect(Effect::Reallocate { .. } | Effect::Copy { .. } | Effect::Fill { .. })) => {
                    let effects = memory.effects(id);
                    let of_operands = inst.operands.iter().any(|v| self.is_varied(*v));
                    let is_varied = |me: &Activity, origin: &memory::Origin| {
                        (origin.of_operands && of_operands) || me.any_varied(&origin.from)
                    };
                    for (to, origin) in &effects.moves {
                        if is_varied(self, origin) {
                            changed |= self.varied_objects.union(to);
                        }
                    }
                    is_varied(self, &effects.result)
                        && !inst.ty.is_void()
                        && !inst.ty.is_pointer()
                        && (may_hold_floats(inst.ty) || hands_bits(inst))
                }
                _ => false,
            };
            if varied && !self.varied[id.0 as usize] {
                self.varied[id.0 as usize] = true;
                changed = true;
            }
            changed |= self.move_bits(func, memory, id);
        }
        changed
    }

    /// Enters numbers out of memory with varied values that are put where floats are read, or words on which may be some, though nothing shows floats where they
    /// come from: a callee has put them there. (What is a number in one variant may be a float in another, so it matters little what else is done with it.)
    fn vary_what_is_put_at_floats(&mut self, func: &Func, memory: &Memory) -> bool {
        let only_width = OnceCell::new();
        let is_of_width = |ty: crate::llvm::Type| {
            let width: &Option<u64> = only_width.get_or_init(|| only_width_of(func.module()));
            width.is_none_or(|bytes| bytes == func.module().store_size_of(ty))
        };
        let is_own = |o: ObjectId| matches!(memory.objects[o.0 as usize], Object::Stack(_) | Object::Heap(_));
        let mut changed = false;
        for id in func.inst_ids().filter(|id| matches!(func.inst(*id).op, Op::Store)) {
            let (value, address) = (func.inst(id).operands[0], func.inst(id).operands[1]);
            let ty = func.ty(value);
            if float_of(ty).is_none()
                || (ty.bits() < 64 && !is_of_width(ty))
                || !self.any_useful(&memory.points_to(address))
            {
                continue;
            }
            let is_float = self.accesses_float_bits(func, memory, id);
            if !is_float && !reads_words_at(func, memory, address, ty) {
                continue;
            }
            for leaf in leaves(func, value).0 {
                let Val::Inst(load) = leaf else { continue };
                let inst = func.inst(load);
                if !matches!(inst.op, Op::Load) || self.varied[load.0 as usize] {
                    continue;
                }
                let from = memory.points_to(inst.operands[0]);
                let is_known = self.plain[load.0 as usize] && is_size(func, load);
                // (Where all that can be reached from a parameter counts as one, there are numbers as well.)
                if !is_known && self.any_varied(&from) && (is_float || from.iter().all(is_own)) {
                    self.varied[load.0 as usize] = true;
                    changed = true;
                }
            }
        }
        changed
    }

    /// Whether what is no float in an aggregate with varied floats is varied itself: where a varied value was put there. What calls return beside
    /// floats is structure, as it is where they return nothing else.
    fn is_varied_field(&self, func: &Func, aggregate: Val, path: &[u32]) -> bool {
        let (mut open, mut seen) = (vec![aggregate], HashSet::default());
        while let Some(val) = open.pop() {
            let Val::Inst(id) = val else { continue };
            if !seen.insert(id) {
                continue;
            }
            let inst = func.inst(id);
            match &inst.op {
                Op::Insert(at) if path.starts_with(at) || at.starts_with(path) => {
                    if self.is_varied(inst.operands[1]) {
                        return true;
                    }
                    if at.len() > path.len() {
                        open.push(inst.operands[0]);
                    }
                }
                Op::Insert(_) => open.push(inst.operands[0]),
                Op::Phi | Op::Copy => open.extend(&inst.operands),
                Op::Select => open.extend(&inst.operands[1..]),
                Op::Call(_) => {}
                _ if self.is_varied(val) => return true,
                _ => {}
            }
        }
        false
    }

    /// Whether an integer is loaded from the very place of words that may be floats, in a local: all that is there the function itself has put there.
    fn is_loaded_word(&self, func: &Func, memory: &Memory, load: InstId) -> bool {
        let inst = func.inst(load);
        let address = inst.operands[0];
        let is_local = |o: memory::ObjectId| matches!(memory.objects[o.0 as usize], memory::Object::Stack(_));
        float_of(inst.ty).is_some()
            && !self.loads_plain_number(func, memory, load)
            && memory.points_to(address).iter().all(is_local)
            && reads_words_at(func, memory, address, inst.ty)
    }

    /// Whether a store moves what was loaded where floats lie to a place from which words are read on: nothing but these reads tells that floats are there as well.
    fn is_moved_on(&self, func: &Func, memory: &Memory, store: &Inst) -> bool {
        let (value, address) = (store.operands[0], store.operands[1]);
        let is_load = |leaf: &Val| matches!(leaf, Val::Inst(id) if matches!(func.inst(*id).op, Op::Load));
        float_of(func.ty(value)).is_some()
            && self.is_varied(value)
            && leaves(func, value).0.iter().any(|leaf| is_load(leaf) && self.is_varied(*leaf))
            && reads_words_at(func, memory, address, func.ty(value))
    }

    fn use_back(&mut self, func: &Func, memory: &Memory, interface: &Interface) -> bool {
        let mut changed = false;
        memory.add_siblings(&mut self.useful_objects);
        for id in func.inst_ids().collect::<Vec<_>>().into_iter().rev() {
            let inst = func.inst(id);
            let me = self.useful[id.0 as usize];
            let mut marked = false;
            let mut mark = |activity: &mut Activity, val: Val| {
                if let Val::Inst(id) = val {
                    marked |= !std::mem::replace(&mut activity.useful[id.0 as usize], true);
                }
            };
            match &inst.op {
                Op::Scalar(scalar) if me => {
                    for (operand, partial) in inst.operands.iter().zip(&scalar.partials) {
                        if matches!(partial, Partial::Of(_)) {
                            mark(self, *operand);
                        }
                    }
                }
                Op::Phi
                | Op::Copy
                | Op::BitCast
                | Op::Extract(_)
                | Op::Insert(_)
                | Op::ExtractElement
                | Op::InsertElement
                | Op::Shuffle(_)
                | Op::Integer(_)
                | Op::Other(_)
                    if me =>
                {
                    for operand in inst.operands.clone() {
                        mark(self, operand);
                    }
                }
                Op::Select if me => {
                    for operand in inst.operands[1..].iter().copied() {
                        mark(self, operand);
                    }
                }
                Op::Return if interface.result => {
                    for operand in inst.operands.clone() {
                        mark(self, operand);
                        changed |= self.useful_objects.union(&memory.reach(operand));
                    }
                }
                Op::Load if me => changed |= self.useful_objects.union(&memory.points_to(inst.operands[0])),
                Op::Store
                    if self.any_useful(&memory.written_at(inst.operands[1]))
                        && (!func.ty(inst.operands[0]).is_int()
                            || self.accesses_float_bits(func, memory, id)
                            || (self.is_varied(inst.operands[0])
                                && words::reads_float(func, memory, inst.operands[0]))
                            || (float_of(func.ty(inst.operands[0])).is_some() && tag::is_word(inst.value))
                            || self.is_moved_on(func, memory, inst)) =>
                {
                    mark(self, inst.operands[0]);
                }
                Op::MemCopy if self.any_useful(&memory.written_at(inst.operands[0])) => {
                    changed |= self.useful_objects.union(&memory.points_to(inst.operands[1]));
                }
                Op::Call(Callee::Custom(custom))
                    if custom.outputs().any(|g| self.any_useful(&memory.reach(inst.operands[g.pointer]))) =>
                {
                    for group in custom.inputs() {
                        changed |= self.useful_objects.union(&memory.reach(inst.operands[group.pointer]));
                    }
                }
                Op::Call(Callee::Body(_) | Callee::Unknown(_) | Callee::Indirect(_) | Callee::Assembly)
                | Op::Call(Callee::Effect(Effect::Reallocate { .. } | Effect::Copy { .. } | Effect::Fill { .. })) => {
                    let effects = memory.effects(id);
                    let mut useful: Vec<&memory::Origin> = me.then_some(&effects.result).into_iter().collect();
                    useful.extend(effects.moves.iter().filter(|(to, _)| self.any_useful(to)).map(|(_, origin)| origin));
                    for origin in useful {
                        changed |= self.useful_objects.union(&origin.from);
                        if origin.of_operands {
                            inst.operands.clone().into_iter().for_each(|operand| mark(self, operand));
                        }
                    }
                }
                _ => {}
            }
            changed |= marked;
        }
        changed
    }

    /// Whether a float (or an aggregate with floats) carries a derivative.
    pub fn is_active(&self, val: Val) -> bool {
        match val {
            Val::Inst(id) => self.is_of_interest(id) && !self.words[id.0 as usize],
            Val::Arg(i) => self.params[i as usize] == ParamActivity::Active,
            Val::Const(_) => false,
        }
    }

    /// Whether a value is a word: an integer that is only moved, and may be a float.
    pub fn is_word(&self, val: Val) -> bool {
        matches!(val, Val::Inst(id) if self.words[id.0 as usize])
    }

    /// Whether a value has an adjoint in a reverse sweep.
    pub fn has_adjoint(&self, val: Val) -> bool {
        self.is_active(val) || self.is_word(val)
    }

    fn is_of_interest(&self, id: InstId) -> bool {
        self.varied[id.0 as usize] && self.useful[id.0 as usize]
    }

    /// Whether a pointer has a shadow.
    pub fn has_shadow(&self, val: Val) -> bool {
        match val {
            Val::Inst(id) => self.needed[id.0 as usize],
            Val::Arg(i) => self.params[i as usize] == ParamActivity::Dup,
            Val::Const(_) => false,
        }
    }

    /// Calls through pointers that pass derivatives on and have a table.
    pub fn calls_through_tables(&self, func: &Func, memory: &Memory) -> Vec<InstId> {
        let through = |id: &InstId| {
            let inst = func.inst(*id);
            matches!(inst.op, Op::Call(Callee::Indirect(Some(_))))
                && func.block(inst.block).returns
                && self.is_active_call(func, memory, *id)
        };
        func.inst_ids().filter(through).collect()
    }

    /// The table of a method call that passes no derivative on *as far as is seen*, where a method that was not seen could: something
    /// that varies goes in, and what comes out or is within reach is of use. At run time it must then be one that was seen.
    pub fn table_in_doubt(&self, func: &Func, memory: &Memory, id: InstId) -> Option<crate::llvm::Function> {
        let inst = func.inst(id);
        let Op::Call(Callee::Indirect(Some(table))) = inst.op else { return None };
        if !is_of_methods(table) || is_of_drops(table) || self.is_active_call(func, memory, id) {
            return None;
        }
        // The last operand is the method itself.
        let arguments = &inst.operands[..inst.operands.len().saturating_sub(1)];
        let reached: Vec<ObjectSet> = arguments.iter().map(|v| memory.reach(*v)).collect();
        let varies = arguments.iter().any(|v| self.is_varied(*v)) || reached.iter().any(|set| self.any_varied(set));
        let is_used = self.useful[id.0 as usize] || reached.iter().any(|set| self.any_useful(set));
        (varies && is_used).then_some(table)
    }

    /// Whether an object is what a parameter with a shadow leads to.
    fn is_given(&self, memory: &Memory, object: ObjectId) -> bool {
        memory.objects[object.0 as usize].param().is_some_and(|i| self.params[i as usize] == ParamActivity::Dup)
    }

    /// Whether who frees an object has a shadow to free as well. Nobody frees what lies on the stack. What a callee has left in structural memory has a
    /// shadow where the callee gave it one, though nobody may look at it here.
    fn is_freed_twice(&self, memory: &Memory, object: ObjectId) -> bool {
        let has_shadow = self.shadowed.contains(object) || self.structural.contains(object);
        let is_stack = matches!(memory.objects[object.0 as usize], Object::Stack(_));
        (has_shadow && !is_stack) || self.is_given(memory, object)
    }

    /// Whether an object has a shadow.
    pub fn is_shadowed(&self, object: ObjectId) -> bool {
        self.shadowed.contains(object)
    }

    /// Whether an object carries derivatives.
    pub fn is_active_object(&self, object: ObjectId) -> bool {
        self.varied_objects.contains(object) && self.useful_objects.contains(object)
    }

    /// Whether any object of a set carries derivatives.
    pub fn any_active(&self, set: &ObjectSet) -> bool {
        set.iter().any(|o| self.is_active_object(o))
    }

    /// Whether a call passes derivatives on.
    pub fn is_active_call(&self, func: &Func, memory: &Memory, id: InstId) -> bool {
        let inst = func.inst(id);
        if let Op::Call(Callee::Custom(custom)) = &inst.op {
            return custom.shadowed().any(|g| self.any_active(&memory.reach(inst.operands[g.pointer])));
        }
        let effects = memory.effects(id);
        self.is_active(Val::Inst(id))
            || inst.operands.iter().any(|v| self.is_active(*v))
            || self.any_active(&memory.reach_from(effects.written.clone()))
            || effects.freed.iter().any(|o| self.is_freed_twice(memory, o))
            || self.leaves_pointers(func, memory, id)
            || (holds_pointer(inst.ty) && self.any_active(&memory.reach(Val::Inst(id))))
    }
}

impl fmt::Display for Activity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: Vec<InstId> =
            (0..self.varied.len() as u32).map(InstId).filter(|i| self.is_active(Val::Inst(*i))).collect();
        writeln!(f, "active: {all:?}")?;
        let names = |set: &ObjectSet| set.iter().map(|o| o.0).collect::<Vec<_>>();
        writeln!(f, "varied objects: {:?}", names(&self.varied_objects))?;
        writeln!(f, "useful objects: {:?}", names(&self.useful_objects))?;
        writeln!(f, "shadowed objects: {:?}", names(&self.shadowed))?;
        let words: Vec<usize> = (0..self.words.len()).filter(|i| self.words[*i]).collect();
        if !words.is_empty() {
            writeln!(f, "words: {words:?}")?;
        }
        let needed: Vec<usize> = (0..self.needed.len()).filter(|i| self.needed[*i]).collect();
        writeln!(f, "shadows: {needed:?}")
    }
}
