//! Why a value is active: a shortest way from an argument to it, and one from it to the result. Asked only when there is an
//! error to explain, so it is searched for then and the fixed points need not remember it.
use super::activity::{Activity, Interface, ParamActivity};
use super::memory::{Memory, ObjectId, ObjectSet};
use crate::ir::{Callee, Func, InstId, Op, Val};
use crate::maps::{HashMap, HashSet};
use crate::rule::Partial;
use std::collections::VecDeque;

/// Why a value is active, as the instructions on the way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reason {
    /// The parameter that the value depends on.
    pub param: Option<u32>,
    /// From there to the value.
    pub from: Vec<InstId>,
    /// From the value to where it leaves the function.
    pub to: Vec<InstId>,
}

/// A place where a derivative is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Node {
    Val(Val),
    Object(ObjectId),
    /// The result, or memory that the caller looks at.
    Outside,
}

/// Where derivatives go in a function: from places by an instruction to others.
pub struct Ways<'a> {
    func: &'a Func,
    memory: &'a Memory,
    activity: &'a Activity,
    interface: &'a Interface,
    /// The instructions that take derivatives from a place.
    takers: HashMap<Node, Vec<InstId>>,
    /// Where these put them. (Not place by place: a copy out of one of many into one of many would be as many edges as there are pairs.)
    outputs: HashMap<InstId, Vec<Node>>,
}

impl<'a> Ways<'a> {
    /// Those of a function: for all that is asked about it.
    pub fn of(func: &'a Func, memory: &'a Memory, activity: &'a Activity, interface: &'a Interface) -> Ways<'a> {
        let (mut takers, mut outputs): (HashMap<Node, Vec<InstId>>, HashMap<InstId, Vec<Node>>) = Default::default();
        for id in func.inst_ids() {
            let inst = func.inst(id);
            let (inputs, puts) = ends(memory, interface, id, &inst.op, &inst.operands);
            inputs.into_iter().for_each(|input| takers.entry(input).or_default().push(id));
            outputs.insert(id, puts);
        }
        Ways { func, memory, activity, interface, takers, outputs }
    }

    /// Finds out why the operands of an instruction are active.
    pub fn explain(&self, at: InstId) -> Reason {
        let Ways { func, memory, activity, interface, .. } = *self;
        let is_active = |i: &u32| interface.params[*i as usize] == ParamActivity::Active;
        let params = (0..interface.params.len() as u32).filter(is_active);
        let mut sources: Vec<(Node, u32)> = params.map(|i| (Node::Val(Val::Arg(i)), i)).collect();
        for (index, object) in memory.objects.iter().enumerate() {
            if let Some(i) = object.param()
                && interface.params[i as usize] == ParamActivity::Dup
            {
                sources.push((Node::Object(ObjectId(index as u32)), i));
            }
        }
        let inst = func.inst(at);
        let mut goals = HashSet::default();
        for operand in &inst.operands {
            goals.insert(Node::Val(*operand));
            goals.extend(objects(&memory.reach(*operand)));
        }
        goals.retain(|node| activity.may_vary(*node));
        let varies = |node: Node| activity.may_vary(node);
        let starts: Vec<Node> = sources.iter().map(|(node, _)| *node).collect();
        let (from, param) = match self.way(&starts, |node| goals.contains(&node), varies) {
            Some((start, from)) => (from, sources.iter().find(|(node, _)| *node == start).map(|(_, param)| *param)),
            None => (Vec::new(), None),
        };
        let (_, made) = ends(memory, interface, at, &inst.op, &inst.operands);
        // What lies in the caller's memory is the caller's to read.
        let is_out = |node| node == Node::Outside || starts.contains(&node) && matches!(node, Node::Object(_));
        let to = self.way(&made, is_out, |_| true).map_or_else(Vec::new, |(_, to)| to);
        Reason { param, from, to }
    }

    /// A shortest way from one of the starts to a goal over nodes that are allowed: its start and its instructions.
    fn way(
        &self,
        starts: &[Node],
        is_goal: impl Fn(Node) -> bool,
        is_allowed: impl Fn(Node) -> bool,
    ) -> Option<(Node, Vec<InstId>)> {
        let mut came: HashMap<Node, Option<(InstId, Node)>> = starts.iter().map(|start| (*start, None)).collect();
        let mut gone: HashSet<InstId> = HashSet::default();
        let mut open: VecDeque<Node> = starts.iter().copied().collect();
        while let Some(node) = open.pop_front() {
            if is_goal(node) {
                let (mut way, mut here) = (Vec::new(), node);
                while let Some((id, before)) = came[&here] {
                    way.push(id);
                    here = before;
                }
                way.reverse();
                return Some((here, way));
            }
            for id in self.takers.get(&node).into_iter().flatten().filter(|id| gone.insert(**id)) {
                for next in &self.outputs[id] {
                    if !came.contains_key(next) && is_allowed(*next) {
                        came.insert(*next, Some((*id, node)));
                        open.push_back(*next);
                    }
                }
            }
        }
        None
    }
}

fn objects(set: &ObjectSet) -> Vec<Node> {
    set.iter().map(Node::Object).collect()
}

impl Activity {
    fn may_vary(&self, node: Node) -> bool {
        match node {
            Node::Val(val) => self.is_varied(val),
            Node::Object(object) => self.is_varied_object(object),
            Node::Outside => true,
        }
    }
}

/// What an instruction takes derivatives from, and where it puts them.
fn ends(memory: &Memory, interface: &Interface, id: InstId, op: &Op, operands: &[Val]) -> (Vec<Node>, Vec<Node>) {
    let vals = |all: &[Val]| all.iter().map(|v| Node::Val(*v)).collect::<Vec<_>>();
    let me = vec![Node::Val(Val::Inst(id))];
    match op {
        Op::Scalar(scalar) => {
            let of = |(v, p): (&Val, &Partial)| matches!(p, Partial::Of(_)).then_some(Node::Val(*v));
            (operands.iter().zip(&scalar.partials).filter_map(of).collect(), me)
        }
        Op::Load => (objects(&memory.points_to(operands[0])), me),
        Op::Store => (vals(&operands[..1]), objects(&memory.points_to(operands[1]))),
        Op::MemCopy => (objects(&memory.points_to(operands[1])), objects(&memory.points_to(operands[0]))),
        Op::Select => (vals(&operands[1..]), me),
        Op::Phi
        | Op::Copy
        | Op::BitCast
        | Op::Extract(_)
        | Op::Insert(_)
        | Op::ExtractElement
        | Op::InsertElement
        | Op::Shuffle(_)
        | Op::Integer(_)
        | Op::Other(_) => (vals(operands), me),
        Op::Return if interface.result => {
            let behind = operands.iter().flat_map(|v| objects(&memory.reach(*v)));
            (vals(operands).into_iter().chain(behind).collect(), vec![Node::Outside])
        }
        Op::Call(callee) if !matches!(callee, Callee::Inert) => {
            let effects = memory.effects(id);
            let inputs = vals(operands).into_iter().chain(objects(&effects.read)).collect();
            let mut outputs = me;
            outputs.extend(objects(&effects.written));
            outputs.extend(objects(&memory.reach(Val::Inst(id))));
            (inputs, outputs)
        }
        _ => (Vec::new(), Vec::new()),
    }
}
