//! Which values and objects carry derivatives.
//!
//! A float is *varied* if it depends on an active input, *useful* if an active output depends on it, *active* if both. An
//! object is varied if a varied value may be stored into it, useful if a useful value may be loaded from it. Both are
//! least fixed points, insensitive to the order of instructions. An object that is active has a *shadow*, and so has
//! each object from which one with a shadow can be reached, and each that is accessed through a pointer which may also
//! point to one with a shadow.
//!
//! Promises: what is not active has a zero derivative. Facts keep their cause, for messages.
use super::memory::{self, Memory, Object, ObjectId, ObjectSet};
use crate::ir::{Callee, Func, InstId, Op, Val};
use crate::rule::{Effect, Partial};
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

/// What a function is differentiated for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Interface {
    /// By parameter.
    pub params: Vec<ParamActivity>,
    /// Whether the result carries a derivative (or is a pointer with a shadow).
    pub result: bool,
    /// By parameter, in reverse mode: the memory is the user's, who keeps its shadow; its structure must stay as it is.
    pub outside: Vec<bool>,
}

/// Facts about activity.
#[derive(Clone, Debug)]
pub struct Activity {
    varied: Vec<bool>,
    useful: Vec<bool>,
    varied_objects: ObjectSet,
    useful_objects: ObjectSet,
    structural: ObjectSet,
    /// Integers whose bits become a float.
    float_bound: Vec<bool>,
    shadowed: ObjectSet,
    needed: Vec<bool>,
    params: Vec<ParamActivity>,
    outside: Vec<bool>,
}

/// Why a function cannot be differentiated as asked.
#[derive(Clone, Debug)]
pub enum Problem {
    /// Bits of an active float are moved or computed with as an integer.
    Bits(InstId),
    /// An active value is stored into a static.
    Static(InstId),
    /// Memory with and memory without a shadow meet in one pointer.
    Mixed(InstId),
    /// An active value goes through an operation without a derivative.
    Unsupported(InstId),
    /// An active value goes into a call that cannot be looked into.
    Call(InstId),
    /// An active value is stored into memory that the caller declared constant, and read back.
    Lost(InstId),
    /// A pointer or length in memory that the user handed over is changed: its shadow would have to follow, and be another afterwards
    /// than the one that the user looks at.
    Structure(InstId),
    /// A float is read or written through a pointer of which nothing is known.
    Nowhere(InstId),
}

/// Analyses a function.
pub fn analyze(func: &Func, memory: &Memory, interface: &Interface) -> Activity {
    let mut activity = Activity {
        varied: vec![false; func.insts.len()],
        useful: vec![false; func.insts.len()],
        varied_objects: ObjectSet::default(),
        useful_objects: ObjectSet::default(),
        structural: ObjectSet::default(),
        float_bound: float_bound(func),
        shadowed: ObjectSet::default(),
        needed: vec![false; func.insts.len()],
        params: interface.params.clone(),
        outside: interface.outside.clone(),
    };
    for (index, object) in memory.objects.iter().enumerate() {
        if let Object::Param(i) | Object::Behind(i) = object
            && interface.params[*i as usize] == ParamActivity::Dup
        {
            activity.varied_objects.insert(ObjectId(index as u32));
            activity.useful_objects.insert(ObjectId(index as u32));
        }
    }
    // What is hung into the caller's memory is the caller's to read.
    activity.useful_objects = memory.reach_from(activity.useful_objects.clone());
    while activity.vary(func, memory) {}
    while activity.use_back(func, memory, interface) {}
    activity.find_shadows(func, memory, interface);
    activity
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

/// Integers that flow, through arithmetic or not, into a bit cast to a float.
fn float_bound(func: &Func) -> Vec<bool> {
    let mut bound = vec![false; func.insts.len()];
    let mut todo: Vec<InstId> = func
        .inst_ids()
        .filter(|id| {
            let inst = func.inst(*id);
            matches!(inst.op, Op::BitCast) && may_hold_floats(inst.ty) && !may_hold_floats(func.ty(inst.operands[0]))
        })
        .collect();
    while let Some(id) = todo.pop() {
        for operand in &func.inst(id).operands {
            if let Val::Inst(from) = operand
                && !bound[from.0 as usize]
                && matches!(
                    func.inst(*from).op,
                    Op::Load | Op::Integer(_) | Op::Phi | Op::Select | Op::Copy | Op::BitCast
                )
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

/// Whether a type holds nothing that could be a pointer.
fn may_hold_only_floats(ty: crate::llvm::Type) -> bool {
    ty.is_float_or_vector() || ty.is_void()
}

/// Whether a global may hold floats: texts, tables of functions and places for panics do not.
fn may_be_of_floats(value: crate::llvm::Value) -> bool {
    if value.as_function().is_some() || matches!(value.alignment(), 1 | 2) {
        return false;
    }
    let Some(initial) = value.as_global().and_then(|g| g.initializer()) else { return true };
    let fields = if initial.ty().is_struct() { initial.operands() } else { Vec::new() };
    let is_place = fields.len() == 2 && fields[0].ty().is_pointer() && fields[1].ty().is_array();
    !is_place && !fields.iter().any(|f| f.as_function().is_some())
}

/// Whether a shadow can stand for what a pointer leads to at all: it does for parameters, locals and the heap.
fn leads_anywhere(activity: &Activity, memory: &Memory, val: Val) -> bool {
    memory.points_to(val).iter().any(|o| match memory.objects[o.0 as usize] {
        Object::Param(i) | Object::Behind(i) => activity.params[i as usize] == ParamActivity::Dup,
        Object::Stack(_) | Object::Heap(_) => true,
        Object::Global(_) => false,
    })
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

    fn vary(&mut self, func: &Func, memory: &Memory) -> bool {
        let mut changed = false;
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
                        && self.any_varied(&memory.points_to(inst.operands[0]))
                        && (may_hold_floats(inst.ty)
                            || self.float_bound[id.0 as usize]
                            || self.bits_at(func, memory, id))
                }
                Op::Store => {
                    if self.is_varied(inst.operands[0]) {
                        changed |= self.varied_objects.union(&memory.points_to(inst.operands[1]));
                    }
                    false
                }
                Op::MemCopy => {
                    if self.any_varied(&memory.points_to(inst.operands[1])) {
                        changed |= self.varied_objects.union(&memory.points_to(inst.operands[0]));
                    }
                    false
                }
                Op::Phi
                | Op::Copy
                | Op::BitCast
                | Op::Extract(_)
                | Op::Insert(_)
                | Op::ExtractElement
                | Op::InsertElement
                | Op::Shuffle(_) => inst.operands.iter().any(|v| self.is_varied(*v)),
                Op::Select => inst.operands[1..].iter().any(|v| self.is_varied(*v)),
                // Bits of a float stay of interest while they are only cut, put together or masked.
                Op::Integer(_) | Op::Other(_) => inst.operands.iter().any(|v| self.is_varied(*v)),
                Op::Call(Callee::Custom(custom)) => {
                    if custom.inputs().any(|g| self.any_varied(&memory.reach(inst.operands[g.pointer]))) {
                        for group in custom.outputs() {
                            changed |= self.varied_objects.union(&memory.reach(inst.operands[group.pointer]));
                        }
                    }
                    false
                }
                Op::Call(Callee::Body(_) | Callee::Unknown(_) | Callee::Indirect | Callee::Assembly)
                | Op::Call(Callee::Effect(Effect::Reallocate { .. } | Effect::Copy { .. } | Effect::Fill { .. })) => {
                    let mut any = false;
                    for operand in &inst.operands {
                        any |= self.is_varied(*operand) || self.any_varied(&memory.reach(*operand));
                    }
                    if any {
                        for (index, operand) in inst.operands.iter().enumerate() {
                            let written = memory.written_through(inst.value, index as u32, *operand);
                            changed |= self.varied_objects.union(&written);
                        }
                        changed |= self.varied_objects.union(&memory.reach(Val::Inst(id)));
                    }
                    any && !inst.ty.is_void() && !inst.ty.is_pointer() && (may_hold_floats(inst.ty))
                }
                _ => false,
            };
            if varied && !self.varied[id.0 as usize] {
                self.varied[id.0 as usize] = true;
                changed = true;
            }
        }
        changed
    }

    /// Whether an integer load may read the bits of a float: a float, and nothing else of the load's size, lies there.
    fn bits_at(&self, func: &Func, memory: &Memory, load: InstId) -> bool {
        let inst = func.inst(load);
        let spot = memory::spot_of(func, inst.operands[0]);
        let size = func.module().store_size_of(inst.ty) as i64;
        memory.points_to(inst.operands[0]).iter().any(|object| {
            memory.cells_of(object).iter().any(|(at, cells)| {
                cells.iter().any(|c| match c {
                    memory::Cell::Float(w) => memory::overlap(spot, size, *at, *w as i64),
                    _ => false,
                })
            })
        })
    }

    fn use_back(&mut self, func: &Func, memory: &Memory, interface: &Interface) -> bool {
        let mut changed = false;
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
                Op::Store if self.any_useful(&memory.points_to(inst.operands[1])) => mark(self, inst.operands[0]),
                Op::MemCopy if self.any_useful(&memory.points_to(inst.operands[0])) => {
                    changed |= self.useful_objects.union(&memory.points_to(inst.operands[1]));
                }
                Op::Call(Callee::Custom(custom))
                    if custom.outputs().any(|g| self.any_useful(&memory.reach(inst.operands[g.pointer]))) =>
                {
                    for group in custom.inputs() {
                        changed |= self.useful_objects.union(&memory.reach(inst.operands[group.pointer]));
                    }
                }
                Op::Call(Callee::Body(_) | Callee::Unknown(_) | Callee::Indirect | Callee::Assembly)
                | Op::Call(Callee::Effect(Effect::Reallocate { .. } | Effect::Copy { .. } | Effect::Fill { .. })) => {
                    let writes = inst.operands.iter().enumerate().any(|(index, operand)| {
                        self.any_useful(&memory.written_through(inst.value, index as u32, *operand))
                    });
                    if me || writes || self.any_useful(&memory.reach(Val::Inst(id))) {
                        for operand in inst.operands.clone() {
                            mark(self, operand);
                            changed |= self.useful_objects.union(&memory.reach(operand));
                        }
                        changed |= self.useful_objects.union(&memory.reach(Val::Inst(id)));
                    }
                }
                _ => {}
            }
            changed |= marked;
        }
        changed
    }

    /// Which pointers need a shadow: those through which active memory is accessed, and all that they are made from. Memory
    /// from which such a pointer is loaded is *structural*: pointers stored there need shadows too.
    fn find_shadows(&mut self, func: &Func, memory: &Memory, interface: &Interface) {
        for (index, object) in memory.objects.iter().enumerate() {
            if let Object::Param(i) | Object::Behind(i) = object
                && self.params[*i as usize] == ParamActivity::Dup
            {
                self.structural.insert(ObjectId(index as u32));
            }
        }
        while self.need_round(func, memory, interface) {}
        for id in func.inst_ids() {
            if self.needed[id.0 as usize] {
                self.shadowed.union(&memory.points_to(Val::Inst(id)));
            }
        }
    }

    fn need_round(&mut self, func: &Func, memory: &Memory, interface: &Interface) -> bool {
        let mut changed = false;
        let mut need = Vec::new();
        for id in func.inst_ids().collect::<Vec<_>>().into_iter().rev() {
            let inst = func.inst(id);
            if !func.block(inst.block).returns {
                continue;
            }
            let me = self.needed[id.0 as usize];
            let active = |activity: &Activity, v: &Val| activity.any_active(&memory.points_to(*v));
            let leads = |activity: &Activity, v: &Val| activity.any_active(&memory.reach(*v));
            let structural =
                |activity: &Activity, v: &Val| memory.points_to(*v).iter().any(|o| activity.structural.contains(o));
            match &inst.op {
                Op::Load => {
                    if self.is_length(func, memory, id) {
                        need.push(inst.operands[0]);
                    }
                    if (self.is_active(Val::Inst(id)) && active(self, &inst.operands[0])) || me {
                        need.push(inst.operands[0]);
                    }
                    if me {
                        changed |= self.structural.union(&memory.points_to(inst.operands[0]));
                    }
                }
                Op::Store => {
                    let holds = may_hold_floats(func.ty(inst.operands[0]));
                    if holds && active(self, &inst.operands[1]) {
                        need.push(inst.operands[1]);
                    }
                    if !holds && structural(self, &inst.operands[1]) && leads_anywhere(self, memory, inst.operands[1]) {
                        need.push(inst.operands[1]);
                        // Whoever finds it there takes it to have a shadow.
                        if leads(self, &inst.operands[0])
                            || memory.has_floats(&memory.reach(inst.operands[0]))
                                && leads_anywhere(self, memory, inst.operands[0])
                        {
                            need.push(inst.operands[0]);
                        }
                    }
                }
                Op::MemCopy => {
                    let moves_structure =
                        structural(self, &inst.operands[0]) && leads_anywhere(self, memory, inst.operands[0]);
                    if active(self, &inst.operands[0]) || moves_structure {
                        need.push(inst.operands[0]);
                        if leads(self, &inst.operands[1]) {
                            need.push(inst.operands[1]);
                        }
                    }
                    if moves_structure {
                        changed |= self.structural.union(&memory.points_to(inst.operands[1]));
                    }
                }
                Op::MemSet if active(self, &inst.operands[0]) || structural(self, &inst.operands[0]) => {
                    need.push(inst.operands[0]);
                }
                Op::Gep if me => need.push(inst.operands[0]),
                Op::Copy | Op::Extract(_) | Op::Integer(_) | Op::BitCast if me => {
                    need.extend(inst.operands.iter().copied());
                }
                Op::Insert(_) | Op::Phi if me => need.extend(inst.operands.iter().copied()),
                Op::Select if me => need.extend(inst.operands[1..].iter().copied()),
                Op::Call(Callee::Effect(Effect::Free { pointer, .. })) => {
                    let object_needed = memory.points_to(inst.operands[*pointer]).iter().any(|o| {
                        self.shadowed.contains(o)
                            || matches!(memory.objects[o.0 as usize], Object::Param(i) | Object::Behind(i)
                                if self.params[i as usize] == ParamActivity::Dup)
                    });
                    if object_needed {
                        need.push(inst.operands[*pointer]);
                    }
                }
                Op::Call(Callee::Custom(custom)) if self.is_active_call(func, memory, id) => {
                    for operand in custom.shadowed().map(|g| &inst.operands[g.pointer]) {
                        if leads(self, operand) {
                            need.push(*operand);
                            changed |= self.structural.union(&memory.reach(*operand));
                        }
                    }
                }
                Op::Call(Callee::Body(_)) if self.is_active_call(func, memory, id) => {
                    for operand in &inst.operands {
                        if leads(self, operand) && holds_pointer(func.ty(*operand)) {
                            need.push(*operand);
                            changed |= self.structural.union(&memory.reach(*operand));
                        }
                    }
                    if leads(self, &Val::Inst(id)) && !may_hold_floats(inst.ty) {
                        need.push(Val::Inst(id));
                    }
                }
                Op::Return if interface.result => {
                    need.extend(inst.operands.iter().filter(|v| leads(self, v)).copied());
                }
                _ => {}
            }
        }
        for val in need {
            changed |= matches!(val, Val::Inst(_)) && self.shadowed.union(&memory.points_to(val));
            if let Val::Inst(id) = val
                && !memory.points_to(val).is_empty()
                && !may_hold_only_floats(func.inst(id).ty)
            {
                changed |= !std::mem::replace(&mut self.needed[id.0 as usize], true);
            }
        }
        changed
    }

    /// Whether a float (or an aggregate with floats) carries a derivative.
    pub fn is_active(&self, val: Val) -> bool {
        match val {
            Val::Inst(id) => self.varied[id.0 as usize] && self.useful[id.0 as usize],
            Val::Arg(i) => self.params[i as usize] == ParamActivity::Active,
            Val::Const(_) => false,
        }
    }

    /// Whether a pointer has a shadow.
    pub fn has_shadow(&self, val: Val) -> bool {
        match val {
            Val::Inst(id) => self.needed[id.0 as usize],
            Val::Arg(i) => self.params[i as usize] == ParamActivity::Dup,
            Val::Const(_) => false,
        }
    }

    /// Whether a load reads the length that stands behind the pointer of a slice or vector inside of an argument with a shadow. The
    /// shadow's must be the same, or what the primal does within bounds is out of bounds in the shadow.
    pub fn is_length(&self, func: &Func, memory: &Memory, id: InstId) -> bool {
        let inst = func.inst(id);
        matches!(inst.op, Op::Load) && inst.ty.bits() == 64 && self.is_length_at(func, memory, inst.operands[0])
    }

    /// Whether an address is the place of such a length.
    fn is_length_at(&self, func: &Func, memory: &Memory, address: Val) -> bool {
        let set = memory.points_to(address);
        let spot = memory::spot_of(func, address);
        !set.is_empty()
            && set.iter().all(|object| {
                let given = matches!(memory.objects[object.0 as usize], Object::Param(i) | Object::Behind(i)
                    if self.params[i as usize] == ParamActivity::Dup);
                let pointer = |(at, cells): (&memory::Spot, &Vec<memory::Cell>)| {
                    let behind = at.offset + 8;
                    let behind = if at.stride > 0 { behind.rem_euclid(at.stride as i64) } else { behind };
                    at.stride == spot.stride && behind == spot.offset && cells.contains(&memory::Cell::Pointer)
                };
                given
                    && memory.cells_of(object).iter().any(pointer)
                    && self.any_active(&memory.content[object.0 as usize])
            })
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
        self.is_active(Val::Inst(id))
            || inst.operands.iter().any(|v| self.is_active(*v) || self.any_active(&memory.reach(*v)))
            || (inst.ty.is_pointer() && self.any_active(&memory.reach(Val::Inst(id))))
    }

    /// Whether an instruction may change pointers or lengths in memory whose shadow the user keeps.
    fn changes_structure(&self, func: &Func, memory: &Memory, id: InstId) -> bool {
        let inst = func.inst(id);
        let (address, is_copy) = match inst.op {
            Op::MemCopy => (inst.operands[0], true),
            _ => (inst.operands[1], false),
        };
        let set = memory.points_to(address);
        if !set.iter().any(|o| self.is_outside(memory, o)) {
            return false;
        }
        if is_copy {
            return memory.has_pointers(&set) && self.leads_to_active(memory, &set);
        }
        let ty = func.ty(inst.operands[0]);
        let moves_pointer = holds_pointer(ty) && self.any_active(&memory.reach(inst.operands[0]));
        moves_pointer || (ty.bits() == 64 && self.is_length_at(func, memory, address))
    }

    /// Whether pointers in a set of objects lead to active memory.
    fn leads_to_active(&self, memory: &Memory, set: &ObjectSet) -> bool {
        set.iter().any(|o| self.any_active(&memory.content[o.0 as usize]))
    }

    /// Whether an object is memory whose shadow the user keeps.
    pub fn is_outside(&self, memory: &Memory, object: ObjectId) -> bool {
        matches!(memory.objects[object.0 as usize], Object::Param(i) | Object::Behind(i)
            if self.outside[i as usize] && self.params[i as usize] == ParamActivity::Dup)
    }

    /// Whether memory without a shadow carries derivatives.
    fn is_lost(&self, memory: &Memory, set: &ObjectSet) -> bool {
        set.iter().any(|o| {
            self.is_active_object(o)
                && matches!(memory.objects[o.0 as usize], Object::Param(i) | Object::Behind(i)
                    if self.params[i as usize] != ParamActivity::Dup)
        })
    }

    /// Whether a float is accessed through a pointer that leads to no object: its derivative would be lost without a trace.
    fn is_nowhere(&self, func: &Func, memory: &Memory, id: InstId) -> bool {
        let inst = func.inst(id);
        let (address, ty) = match inst.op {
            Op::Load => (inst.operands[0], inst.ty),
            _ => (inst.operands[1], func.ty(inst.operands[0])),
        };
        // Constant addresses are those of empty slices, never followed.
        may_hold_floats(ty)
            && memory.points_to(address).is_empty()
            && matches!(memory::rooted_spot(func, address).0, Val::Inst(_))
    }

    /// Whether floats may lie somewhere in a set of objects that have no shadow.
    fn any_bare(&self, func: &Func, memory: &Memory, set: &ObjectSet) -> bool {
        set.iter().any(|o| match memory.objects[o.0 as usize] {
            Object::Param(i) | Object::Behind(i) => self.params[i as usize] != ParamActivity::Dup,
            Object::Global(v) => may_be_of_floats(v),
            Object::Stack(id) | Object::Heap(id) => {
                let mut one = ObjectSet::default();
                one.insert(o);
                // What a call makes gets its shadow there.
                !matches!(func.inst(id).op, Op::Call(Callee::Body(_)))
                    && memory.has_floats(&one)
                    && !self.needed[id.0 as usize]
            }
        })
    }

    /// What cannot be differentiated as it stands.
    pub fn problems(&self, func: &Func, memory: &Memory) -> Vec<Problem> {
        let mut problems = Vec::new();
        for id in func.inst_ids() {
            let inst = func.inst(id);
            if !func.block(inst.block).returns {
                continue;
            }
            let active = self.is_active(Val::Inst(id));
            match &inst.op {
                Op::Integer(_) | Op::Load if active && !may_hold_floats(inst.ty) => problems.push(Problem::Bits(id)),
                Op::BitCast if active && !inst.operands.iter().all(|v| func.ty(*v).is_float_or_vector()) => {
                    problems.push(Problem::Bits(id));
                }
                Op::Phi | Op::Select | Op::Copy if active && inst.ty.is_int() => problems.push(Problem::Bits(id)),
                Op::Load | Op::Store if self.is_nowhere(func, memory, id) => problems.push(Problem::Nowhere(id)),
                Op::Other(_) if active => problems.push(Problem::Unsupported(id)),
                Op::Store if self.is_varied(inst.operands[0]) => {
                    let set = memory.points_to(inst.operands[1]);
                    let into_static = set.iter().any(|o| matches!(memory.objects[o.0 as usize], Object::Global(_)));
                    if into_static {
                        problems.push(Problem::Static(id));
                    } else if self.is_lost(memory, &set) {
                        problems.push(Problem::Lost(id));
                    } else if self.is_active(inst.operands[0]) && !may_hold_floats(func.ty(inst.operands[0])) {
                        problems.push(Problem::Bits(id));
                    }
                }
                Op::Store if self.changes_structure(func, memory, id) => problems.push(Problem::Structure(id)),
                Op::MemCopy if self.changes_structure(func, memory, id) => problems.push(Problem::Structure(id)),
                Op::MemCopy if self.is_lost(memory, &memory.points_to(inst.operands[0])) => {
                    problems.push(Problem::Lost(id));
                }
                Op::Call(Callee::Body(_)) => {
                    // A number that was loaded from constant memory leads nowhere, though it might be an address.
                    let writes_lost = inst.operands.iter().enumerate().any(|(index, operand)| {
                        holds_pointer(func.ty(*operand))
                            && self.is_lost(memory, &memory.written_through(inst.value, index as u32, *operand))
                    });
                    if writes_lost {
                        problems.push(Problem::Lost(id));
                    }
                }
                Op::Call(Callee::Custom(custom)) => {
                    let places = |val: Val| memory.points_to(val);
                    let nowhere =
                        |val: Val| places(val).is_empty() && matches!(memory::rooted_spot(func, val).0, Val::Inst(_));
                    let is_static = |o: ObjectId| matches!(memory.objects[o.0 as usize], Object::Global(_));
                    if custom.shadowed().any(|g| nowhere(inst.operands[g.pointer])) {
                        problems.push(Problem::Nowhere(id));
                    } else if self.is_active_call(func, memory, id)
                        && custom.outputs().any(|g| places(inst.operands[g.pointer]).iter().any(is_static))
                    {
                        problems.push(Problem::Static(id));
                    }
                }
                Op::Call(Callee::Unknown(_) | Callee::Indirect | Callee::Assembly)
                | Op::Call(Callee::Effect(Effect::Reallocate { .. } | Effect::Copy { .. } | Effect::Fill { .. }))
                    if self.is_active_call(func, memory, id) =>
                {
                    problems.push(Problem::Call(id));
                }
                _ => {}
            }
            let joins = matches!(inst.op, Op::Phi | Op::Select | Op::Load | Op::Call(_)) && inst.ty.is_pointer();
            let set = memory.points_to(Val::Inst(id));
            if joins && self.needed[id.0 as usize] && self.any_active(&set) && self.any_bare(func, memory, &set) {
                problems.push(Problem::Mixed(id));
            }
            if let Op::Call(Callee::Body(_)) = inst.op
                && self.is_active_call(func, memory, id)
            {
                // The callee takes all that it finds behind an argument with a shadow to have one too.
                let mixed = |v: &Val| self.has_shadow(*v) && self.any_bare(func, memory, &memory.behind(*v));
                if inst.operands.iter().any(mixed) {
                    problems.push(Problem::Mixed(id));
                }
            }
        }
        problems
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
        let needed: Vec<usize> = (0..self.needed.len()).filter(|i| self.needed[*i]).collect();
        writeln!(f, "shadows: {needed:?}")
    }
}
