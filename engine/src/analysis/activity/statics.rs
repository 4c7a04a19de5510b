//! Active values that are left in a static, which has no shadow: by a store, a copy, a pointer to memory that holds them, or a call that does so.

use super::{Activity, may_hold_floats};
use crate::analysis::bits::{Done, From, To};
use crate::analysis::memory::{self, Cell, Memory, Node, Object, ObjectId, ObjectSet};
use crate::ir::{Callee, Func, InstId, Op, Val};

/// Whether an object is a static that can be written to. (Nobody writes to a constant or a function, whatever a pointer may lead to as far as is known.)
pub fn is_static(memory: &Memory, object: ObjectId) -> bool {
    match memory.objects[object.0 as usize] {
        Object::Global(value) => {
            value.as_function().is_none() && value.as_global().is_none_or(|global| !global.is_constant())
        }
        _ => false,
    }
}

fn any_static(memory: &Memory, set: &ObjectSet) -> bool {
    set.iter().any(|o| is_static(memory, o))
}

impl Activity {
    /// Whether an instruction leaves what depends on the inputs in a static, or in memory that a static leads to from then on.
    pub(super) fn keeps_in_static(&self, func: &Func, memory: &Memory, id: InstId) -> bool {
        let inst = func.inst(id);
        let into_static = |address: Val| any_static(memory, &memory.points_to(address));
        match inst.op {
            Op::Store if into_static(inst.operands[1]) => {
                let value = inst.operands[0];
                let is_pointer = func.ty(value).is_pointer() || !may_hold_floats(func.ty(value));
                self.is_varied(value) || (is_pointer && self.leads_to_varied(memory, &memory.points_to(value)))
            }
            Op::MemCopy if into_static(inst.operands[0]) => {
                let from = memory.points_to(inst.operands[1]);
                self.copies_varied(func, memory, id)
                    || from.iter().any(|o| self.leads_to_varied(memory, &memory.content[o.0 as usize]))
            }
            Op::Call(Callee::Body(_) | Callee::Indirect(_)) => self.call_keeps_in_static(func, memory, id),
            _ => false,
        }
    }

    /// Whether floats that depend on the inputs lie in these objects or in what they lead to.
    fn leads_to_varied(&self, memory: &Memory, set: &ObjectSet) -> bool {
        let holds_floats = |o: ObjectId| self.is_varied_object(o) && memory.has_floats(&ObjectSet::of(o));
        memory.reach_from(set.clone()).iter().any(holds_floats)
    }

    /// Whether a copy takes floats that depend on the inputs, as far as is known where they lie.
    fn copies_varied(&self, func: &Func, memory: &Memory, copy: InstId) -> bool {
        let inst = func.inst(copy);
        let spot = memory::spot_of(func, inst.operands[1]);
        let bytes = match inst.operands[2] {
            Val::Const(bytes) => bytes.as_u64(),
            _ => None,
        };
        let is_met = |(at, cell): (memory::Spot, Cell)| match (cell, bytes) {
            (Cell::Float(width), Some(bytes)) => memory::overlap(spot, bytes as i64, at, width as i64),
            (cell, _) => matches!(cell, Cell::Float(_)),
        };
        let set = memory.points_to(inst.operands[1]);
        set.iter().any(|o| self.is_varied_object(o) && memory.all_cells(o).any(is_met))
    }

    /// The same of what a call does, by what is told of its callee.
    fn call_keeps_in_static(&self, func: &Func, memory: &Memory, call: InstId) -> bool {
        let Some(summary) = memory.summary(call) else { return false };
        let leads_to_static = |node: Node| any_static(memory, &memory.node(func, call, node));
        let is_varied = |from: &From| match from {
            From::Value(i) => self.is_varied(func.inst(call).operands[*i as usize]),
            From::Place(node, ..) | From::Float(node, ..) | From::Number(node, ..) => {
                let holds_floats = |o: ObjectId| self.is_varied_object(o) && memory.has_floats(&ObjectSet::of(o));
                memory.node(func, call, *node).iter().any(holds_floats)
            }
        };
        let stores = |(from, to, _): &(From, To, Done)| match to {
            To::Place(node, ..) => leads_to_static(*node) && is_varied(from),
            To::Result | To::Float => false,
        };
        let is_varied = |node: Node| self.leads_to_varied(memory, &memory.node(func, call, node));
        let leaves = summary
            .left
            .iter()
            .any(|((place, _), targets)| leads_to_static(*place) && targets.iter().any(|(node, _)| is_varied(*node)));
        leaves || summary.bits.ways().any(stores)
    }
}
