//! Calls that make text.
//!
//! `format!("{name}: {}", x[0])` hands on pointers to everything that is to be told. Nothing is written there, whatever the compiled program says: text grows where it is asked
//! for. What the call knows of what it was told goes into its result at most, and not even there where it can be made again.

use super::{Effects, Made, Memory, Object, ObjectId, ObjectSet};
use crate::ir::{Func, Inst, InstId, Val};
use crate::llvm::Place;

impl Memory {
    /// One round of finding pointers.
    pub(super) fn follow_text(&mut self, func: &Func, call: InstId, again: bool) -> bool {
        let inst = func.inst(call);
        let made = self.text_of(call, again);
        let mut handed = made.clone();
        if !again {
            let operands = inst.operands.iter().enumerate();
            operands.for_each(|(i, v)| _ = handed.union(&self.kept_through(inst.value, i as u32, *v)));
        }
        let results = self.results(inst);
        let mut changed = false;
        for object in self.told(inst, again).iter() {
            changed |= self.keep(object, if results.contains(object) { &handed } else { &made });
        }
        if !inst.ty.is_void() && !inst.ty.is_float_or_vector() {
            changed |= self.flow(Val::Inst(call), &handed);
        }
        changed
    }

    /// What such a call reads and writes.
    pub(super) fn text_effects(&self, func: &Func, call: InstId, again: bool) -> Effects {
        let inst = func.inst(call);
        let mut effects = Effects { written: self.told(inst, again), ..Effects::default() };
        inst.operands.iter().for_each(|operand| _ = effects.read.union(&self.reach(*operand)));
        effects.written.union(&self.text_of(call, again));
        effects
    }

    /// The text itself. What only prepares it makes none.
    fn text_of(&self, call: InstId, again: bool) -> ObjectSet {
        let mut made = ObjectSet::default();
        made.extend(self.made_of_kind(call, Made::Mixed).filter(|_| again));
        made
    }

    /// Memory of the result.
    fn results(&self, call: &Inst) -> ObjectSet {
        let mut results = ObjectSet::default();
        for (index, operand) in call.operands.iter().enumerate() {
            if call.value.has_call_attribute(Place::Param(index as u32), "sret") {
                results.union(&self.points_to(*operand));
            }
        }
        results
    }

    /// Where text grows: in the result or, without one, where the call that can be made again is told to, and in locals found from there.
    fn told(&self, call: &Inst, again: bool) -> ObjectSet {
        let mut places = self.results(call);
        if let Some(first) = call.operands.first().filter(|_| again && places.is_empty()) {
            places.union(&self.points_to(*first));
            let is_local = |o: &ObjectId| matches!(self.objects[o.0 as usize], Object::Stack(_));
            self.reach(*first).iter().filter(is_local).for_each(|object| _ = places.insert(object));
        }
        places
    }
}
