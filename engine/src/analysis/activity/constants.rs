//! Constant memory that pointers lead to which may lead to active memory as well: `xs.first().unwrap_or(&1.0)`.
//!
//! Where memory has no shadow, a pointer to it is its own: the shadow of such a pointer is the pointer itself, and so is what is computed from
//! it or found there. What is read through it at run time then tells: where a pointer and its shadow are equal, the tangent is zero
//! and the adjoint goes nowhere. What stands beside a word that is read there its bits tell: zero where it may be a float. What is written there has no shadow, and
//! must not depend on the inputs, which is checked at run time. That takes memory that is accessed through such pointers as floats, pointers or words. And it takes that nobody else makes them equal, which is checked of what the caller hands over.

use super::problems::told_of_way;
use super::{Activity, Interface, ParamActivity, float_of, may_hold_floats};
use crate::analysis::globals::{is_as_it_began, may_be_of_floats};
use crate::analysis::memory::{Memory, Object, ObjectId, ObjectSet, is_plain_floats};
use crate::ir::tag;
use crate::ir::{Callee, Func, InstId, Op, Val};
use crate::llvm::Type;

/// Whether a type consists of floats.
fn is_of_floats(ty: Type) -> bool {
    if ty.is_struct() {
        return (0..ty.count() as u32).all(|i| is_of_floats(ty.field(i)));
    }
    if ty.is_array() {
        return is_of_floats(ty.element());
    }
    ty.is_float_or_vector() && may_hold_floats(ty)
}

/// Memory with a shadow of which a caller says that it may be constant, for all it knows.
pub(super) fn said(memory: &Memory, interface: &Interface) -> ObjectSet {
    let is_said = |object: ObjectId| match memory.objects[object.0 as usize] {
        Object::Param(i) => interface.constants[i as usize][0],
        Object::Path(i, _) | Object::Behind(i) => {
            interface.constants[i as usize][1] && told_of_way(memory, object, &interface.constant_ways).unwrap_or(true)
        }
        _ => false,
    };
    let mut set = ObjectSet::default();
    let all = (0..memory.objects.len() as u32).map(ObjectId).filter(|object| is_said(*object));
    all.for_each(|object| _ = set.insert(object));
    set
}

impl Activity {
    /// Finds what may be written to through pointers that have a shadow, where that cannot be checked: stores, copies and fills are, also those of callees with a
    /// derivative.
    pub(super) fn find_written(&mut self, func: &Func, memory: &Memory) {
        let mut set = ObjectSet::default();
        for id in func.inst_ids() {
            let inst = func.inst(id);
            match &inst.op {
                Op::Call(Callee::Body(_)) if self.is_active_call(func, memory, id) => false,
                Op::Call(Callee::Custom(custom)) => {
                    let outputs = custom.outputs().map(|group| memory.reach(inst.operands[group.pointer]));
                    outputs.fold(false, |changed, objects| set.union(&objects) | changed)
                }
                Op::Call(_) | Op::Other(_) if inst.operands.iter().any(|v| self.has_shadow(*v)) => {
                    set.union(&memory.effects(id).written)
                }
                _ => false,
            };
        }
        self.written = set;
    }

    /// Whether memory without a shadow may be its own: what is written there through pointers with shadows is checked.
    pub(super) fn is_own_shadow(&self, memory: &Memory, object: ObjectId) -> bool {
        let is_bare = match memory.objects[object.0 as usize] {
            // Nobody writes to a constant, whatever pointers may lead to as far as is known.
            Object::Global(value) if is_as_it_began(value) => return may_be_of_floats(value),
            Object::Global(value) => may_be_of_floats(value),
            Object::Param(_) | Object::Path(..) | Object::Behind(_) => self.is_bare_param(memory, object),
            Object::Stack(_) | Object::Heap(_) => false,
        };
        is_bare && !self.written.contains(object)
    }

    /// Whether an object is memory of a caller's that has no shadow and may hold floats.
    pub(super) fn is_bare_param(&self, memory: &Memory, object: ObjectId) -> bool {
        let param =
            memory.objects[object.0 as usize].param().filter(|i| self.params[*i as usize] != ParamActivity::Dup);
        let is_there =
            |i: u32| matches!(memory.objects[object.0 as usize], Object::Param(_)) || self.leads_on[i as usize];
        param.is_some_and(is_there) && !memory.is_text(object)
    }

    /// Whether memory may have no shadow but itself.
    pub fn may_be_constant(&self, memory: &Memory, set: &ObjectSet) -> bool {
        set.iter().any(|o| self.is_own_shadow(memory, o) || self.constants.contains(o))
    }

    /// Whether an access of floats is through a pointer whose shadow has to be compared with it.
    pub fn is_guarded(&self, memory: &Memory, address: Val) -> bool {
        self.may_be_constant(memory, &memory.points_to(address))
    }

    /// Whether what is written may lie in constant memory, which is told by the pointer's shadow.
    pub fn is_write_guarded(&self, memory: &Memory, address: Val) -> bool {
        let may_be = |o: ObjectId| match memory.objects[o.0 as usize] {
            Object::Global(value) if is_as_it_began(value) => false,
            _ => self.is_own_shadow(memory, o) || self.constants.contains(o),
        };
        self.has_shadow(address) && memory.points_to(address).iter().any(may_be)
    }

    /// Whether any pointer is met that may lead to active or to constant memory.
    pub(super) fn meets_constants(&self, func: &Func, memory: &Memory) -> bool {
        func.inst_ids().any(|id| self.met(func, memory, id).iter().any(|set| self.may_be_constant(memory, set)))
    }

    /// Whether statics or constants of the program are among what an instruction meets, for a message.
    pub fn meets_static(&self, func: &Func, memory: &Memory, id: InstId) -> bool {
        let is_static =
            |o: ObjectId| matches!(memory.objects[o.0 as usize], Object::Global(value) if may_be_of_floats(value));
        let reached = func.inst(id).operands.iter().map(|v| memory.reach(*v));
        self.met(func, memory, id).into_iter().chain(reached).any(|set| set.iter().any(is_static))
    }

    /// Whether a word is loaded, or an integer as wide that is moved where nothing tells what it is: what stands beside it its bits can tell.
    pub fn is_word_by_its_bits(&self, load: InstId, func: &Func) -> bool {
        let inst = func.inst(load);
        matches!(inst.op, Op::Load)
            && self.needed[load.0 as usize]
            && (self.is_word(Val::Inst(load)) || (tag::is_word(inst.value) && float_of(inst.ty).is_some()))
    }

    /// Whether what an instruction does with memory that may be constant takes a shadow that tells floats from other things.
    pub(super) fn takes_a_shadow(&self, func: &Func, memory: &Memory, id: InstId) -> bool {
        let inst = func.inst(id);
        let has_room = |v: &Val| self.has_shadow(*v) && self.is_guarded(memory, *v);
        match &inst.op {
            Op::Load if !has_room(&inst.operands[0]) => false,
            Op::Load => {
                let is_float = may_hold_floats(inst.ty) && self.is_active(Val::Inst(id));
                let is_used = self.needed[id.0 as usize] || self.is_active(Val::Inst(id));
                self.pieces[id.0 as usize]
                    || (tag::is_word(inst.value)
                        && is_used
                        && !is_of_floats(inst.ty)
                        && !self.is_word_by_its_bits(id, func))
                    || (is_float && !is_of_floats(inst.ty))
            }
            Op::Call(Callee::Custom(custom)) if self.is_active_call(func, memory, id) => {
                custom.shadowed().any(|group| {
                    let operand = inst.operands[group.pointer];
                    // What lies where there are floats alone leads nowhere.
                    let is_plain = is_plain_floats(&inst.op, group.pointer);
                    let met = if is_plain { memory.points_to(operand) } else { memory.reach(operand) };
                    self.has_shadow(operand) && self.may_be_constant(memory, &met)
                })
            }
            _ => false,
        }
    }
}
