//! What calls may do with memory.

use super::dependence::{Origin, Source};
use super::summary::{Node, Summary};
use super::{Effects, Made, Memory, Object, ObjectId, ObjectSet};
use crate::ir::table::is_of_methods;
use crate::ir::{Callee, Func, Inst, InstId, Op, Val};
use crate::llvm::{Function, Place, Value};
use crate::rule::Effect;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What the nodes of one callee are at one call. Where many places depend on many, or hold many things, each is asked for again and again.
#[derive(Default)]
pub(super) struct AtCall(BTreeMap<Node, Rc<ObjectSet>>);

impl AtCall {
    /// See [`Memory::node`].
    pub(super) fn node(&mut self, memory: &Memory, func: &Func, call: InstId, node: Node) -> Rc<ObjectSet> {
        self.0.entry(node).or_insert_with(|| Rc::new(memory.node(func, call, node))).clone()
    }
}

impl Memory {
    /// What a call does with memory. An allocation or the release of one counts as none of these.
    pub fn effects(&self, call: InstId) -> &Effects {
        const EMPTY: ObjectSet = ObjectSet::EMPTY;
        const NONE: &Effects =
            &Effects { read: EMPTY, written: EMPTY, moves: Vec::new(), result: Origin::NOWHERE, freed: EMPTY };
        self.effects.get(&call).unwrap_or(NONE)
    }

    /// Whether a callee looks at (or changes, hands on or gives back) what lies behind pointers in one of its arguments.
    pub fn looks_behind(&self, call: InstId, operand: u32) -> bool {
        self.summaries.get(&call).is_none_or(|s| s.looks_behind(operand))
    }

    /// Whether a call's callee is known.
    pub(super) fn is_summarised(&self, call: InstId) -> bool {
        self.summaries.contains_key(&call)
    }

    /// The objects that a callee's node stands for at a call.
    pub fn node(&self, func: &Func, call: InstId, node: Node) -> ObjectSet {
        let operand = |i: u32| func.inst(call).operands[i as usize];
        match node {
            Node::Param(i) => self.points_to(operand(i)),
            Node::Way(i, way) => self.along(func, operand(i), way.spots()).set,
            Node::Behind(i) => self.behind_argument(func, call, i),
            Node::Beyond(i, way) => self.beyond(&self.along(func, operand(i), way.spots()).set),
            Node::Made(kind) => self.made_of_kind(call, kind).map_or_else(ObjectSet::default, ObjectSet::of),
            Node::Global(number) => {
                let global = self.summaries.get(&call).and_then(|s| s.globals.get(number as usize));
                global.map_or_else(ObjectSet::default, |value| self.points_to(Val::Const(*value)))
            }
        }
    }

    /// The same of nodes that pointers are left to: where the callee keeps no copy of an argument, none is to that itself.
    fn kept_nodes<'n>(&self, func: &Func, call: InstId, nodes: impl Iterator<Item = &'n Node>) -> ObjectSet {
        let value = func.inst(call).value;
        self.nodes(func, call, nodes.filter(|n| !is_kept_from(value, n)))
    }

    fn nodes<'n>(&self, func: &Func, call: InstId, nodes: impl Iterator<Item = &'n Node>) -> ObjectSet {
        let mut set = ObjectSet::default();
        for node in nodes {
            set.union(&self.node(func, call, *node));
        }
        set
    }

    /// One round for a call whose callee is known.
    pub(super) fn follow_summary(&mut self, func: &Func, call: InstId) -> bool {
        let summary = Rc::clone(&self.summaries[&call]);
        let mut changed = false;
        let value = func.inst(call).value;
        // First what is told apart: whatever is stored where it is not yet stays where it may be for good.
        for (param, ways) in &summary.ways {
            changed |= self.enter_ways(func, func.inst(call).operands[*param as usize], ways);
        }
        changed |= self.follow_left(func, call, &summary.left, |node| !is_kept_from(value, node));
        let ty = func.inst(call).ty;
        if !ty.is_void() && !ty.is_float_or_vector() {
            let returned = self.kept_nodes(func, call, summary.returned.iter());
            changed |= self.flow(Val::Inst(call), &returned);
        }
        changed
    }

    /// Enters what every call does.
    pub(super) fn find_effects(&mut self, func: &Func) {
        for id in func.inst_ids() {
            let inst = func.inst(id);
            let does_nothing = match &inst.op {
                Op::Call(
                    Callee::Inert | Callee::Effect(Effect::Allocate { .. } | Effect::Free { .. } | Effect::Marker),
                ) => true,
                op => !matches!(op, Op::Call(_)),
            };
            if does_nothing || !func.block(inst.block).returns {
                continue;
            }
            let effects = match self.summaries.get(&id).cloned() {
                _ if let Op::Call(Callee::Effect(Effect::Private { writes_first })) = inst.op => {
                    self.private_effects(func, id, writes_first)
                }
                _ if let Op::Call(Callee::Effect(Effect::Text { again })) = inst.op => {
                    self.text_effects(func, id, again)
                }
                Some(summary) => self.effects_of(func, id, &summary),
                None => self.opaque_effects(func, id),
            };
            self.effects.insert(id, effects);
        }
    }

    fn effects_of(&self, func: &Func, call: InstId, summary: &Summary) -> Effects {
        let read_only = is_read_only_call(func.inst(call).value);
        let written = if read_only { ObjectSet::default() } else { self.nodes(func, call, summary.written.iter()) };
        let mut known = AtCall::default();
        let mut origin = |sources: &BTreeSet<Source>| {
            let mut from = ObjectSet::default();
            for source in sources {
                if let Source::Node(node) = source {
                    from.union(&known.node(self, func, call, *node));
                }
            }
            Origin { from, of_operands: sources.contains(&Source::Operands) }
        };
        let mut moves = Vec::new();
        for (node, sources) in summary.dependence.left.iter().filter(|_| !read_only) {
            moves.push((self.unfrozen(self.node(func, call, *node)), origin(sources)));
        }
        Effects {
            read: self.nodes(func, call, summary.read.iter()),
            written: self.unfrozen(written),
            moves,
            result: origin(&summary.dependence.returned),
            freed: self.unfrozen(self.nodes(func, call, summary.freed.iter())),
        }
    }

    fn private_effects(&self, func: &Func, call: InstId, writes_first: bool) -> Effects {
        let (inst, mut effects) = (func.inst(call), Effects::default());
        let writes_first = writes_first && !is_read_only_call(inst.value);
        for (index, operand) in inst.operands.iter().enumerate() {
            effects.read.union(&self.points_to(*operand));
            if index == 0 && writes_first && !has_attribute(inst.value, 0, "readonly") {
                effects.written.union(&self.points_to(*operand));
            }
        }
        effects
    }

    fn opaque_effects(&self, func: &Func, call: InstId) -> Effects {
        let inst = func.inst(call);
        let mut effects = Effects::default();
        for (index, operand) in arguments(inst).iter().enumerate() {
            if self.is_number(func, *operand) {
                continue;
            }
            if is_plain_floats(&inst.op, index) {
                // What lies there refers to nothing, whatever it is made of.
                let here = self.points_to(*operand);
                effects.read.union(&here);
                if !has_attribute(inst.value, index as u32, "readonly") {
                    effects.written.union(&here);
                }
                continue;
            }
            effects.read.union(&self.reach(*operand));
            if !only_reads(&inst.op, index) {
                effects.written.union(&self.unfrozen(self.written_through(inst.value, index as u32, *operand)));
            }
        }
        let made = self.made_of_kind(call, Made::Mixed);
        effects.read.extend(made);
        effects.written.extend(made);
        effects.result = Origin { from: effects.read.clone(), of_operands: true };
        effects.moves.push((effects.written.clone(), effects.result.clone()));
        effects
    }

    /// Objects by what they are to a caller; nothing for a function's own stack.
    pub fn node_of(&self, object: ObjectId) -> Option<Node> {
        match self.objects[object.0 as usize] {
            Object::Param(i) => Some(Node::Param(i)),
            Object::Path(i, _) => {
                let way = self.told_way(object);
                let beyond = || self.root_way(object).map_or(Node::Behind(i), |way| Node::Beyond(i, way));
                Some(way.map_or_else(beyond, |way| Node::Way(i, way)))
            }
            Object::Behind(i) => Some(Node::Behind(i)),
            Object::Heap(_) => Some(Node::Made(self.kind_of_made(object))),
            Object::Global(_) => {
                let before = &self.objects[..object.0 as usize];
                Some(Node::Global(before.iter().filter(|o| matches!(o, Object::Global(_))).count() as u32))
            }
            Object::Stack(_) => None,
        }
    }

    /// What a call may write to through one of its operands. That a parameter is `readonly` speaks of the memory that it leads to itself, and not
    /// of what lies behind pointers there: a vector whose elements are written is itself only read.
    pub(super) fn written_through(&self, call: Value, index: u32, operand: Val) -> ObjectSet {
        if is_read_only_call(call) {
            ObjectSet::default()
        } else if has_attribute(call, index, "readonly") || has_attribute(call, index, "readnone") {
            self.behind(operand)
        } else {
            self.reach(operand)
        }
    }

    /// What a call may keep of one of its operands: where not the pointer itself, still what it finds behind it.
    pub(super) fn kept_through(&self, call: Value, index: u32, operand: Val) -> ObjectSet {
        if is_uncaptured(call, index) { self.behind(operand) } else { self.reach(operand) }
    }
}

/// What a call hands on: its operands, but for the function itself where that comes last. Nobody writes to a function, or keeps anything there.
pub(super) fn arguments(call: &Inst) -> &[Val] {
    match call.op {
        Op::Call(Callee::Indirect(_)) => &call.operands[..call.operands.len().saturating_sub(1)],
        _ => &call.operands,
    }
}

/// Whether a call writes no memory that its caller can see.
fn is_read_only_call(call: Value) -> bool {
    // `memory(..)` encodes, two bits a place, what may be done: bit 1 of each pair is "may write".
    call.called_function()
        .and_then(|f| f.attribute_value(Place::Whole, "memory"))
        .is_some_and(|effects| effects & 0xaaaa_aaaa == 0)
}

/// Whether a call keeps no pointer to what a node stands for.
fn is_kept_from(call: Value, node: &Node) -> bool {
    matches!(node, Node::Param(i) if is_uncaptured(call, *i))
}

/// Whether a call keeps no copy of an argument.
fn is_uncaptured(call: Value, index: u32) -> bool {
    call.called_function().is_some_and(|f| f.attribute_value(Place::Param(index), "captures") == Some(0))
}

fn has_attribute(call: Value, index: u32, name: &str) -> bool {
    call.has_call_attribute(Place::Param(index), name)
        || call.called_function().is_some_and(|f| f.has_attribute(Place::Param(index), name))
}

/// Whether a function with a rule changes nothing of what an operand leads to.
pub(super) fn only_reads(op: &Op, operand: usize) -> bool {
    matches!(op, Op::Call(Callee::Custom(custom)) if custom.only_reads_behind(operand))
}

/// Whether an operand leads to floats and nothing else, as the rule of the function that is called says.
pub fn is_plain_floats(op: &Op, operand: usize) -> bool {
    matches!(op, Op::Call(Callee::Custom(custom)) if !custom.moves_pointers(operand))
}

/// The function whose body says what a call does with memory. For a call of a method it is the table of all that can be meant; other function
/// pointers may come from where no table looks.
pub fn summarised_callee(op: &Op) -> Option<Function> {
    match op {
        Op::Call(Callee::Body(callee)) => Some(*callee),
        Op::Call(Callee::Indirect(Some(table))) => Some(*table).filter(|t| is_of_methods(*t)),
        _ => None,
    }
}

/// Whether a call may do anything to the memory that it is given.
pub(super) fn is_opaque(op: &Op) -> bool {
    matches!(
        op,
        Op::Call(Callee::Body(_) | Callee::Custom(_) | Callee::Unknown(_) | Callee::Indirect(_) | Callee::Assembly)
            | Op::Call(Callee::Effect(Effect::Inactive | Effect::Text { .. } | Effect::Reallocate { .. }))
    )
}
