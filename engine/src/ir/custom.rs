//! A call of a function with a rule of its user's.

use cotangent_contract::{FLAT, Group, Kind, OWNS, REFERS, Rule, SHADOWED, STEADY};
use cotangent_llvm::{Function, Value};

/// Name of the declarations that stand for such functions in a workshop; a number follows where there are several.
pub const STAND_IN: &str = "ct.rule";
/// The attribute with the rule's text.
pub const TEXT: &str = "cotangent-rule";
/// The attribute with what the types of its parameters say.
pub const FACTS: &str = "cotangent-facts";
/// What follows the declaration's name in that of the constant with the thunks.
pub const THUNKS: &str = ".thunks";

/// What a stand-in stands for.
#[derive(Clone, Debug)]
pub struct Custom {
    /// The rule.
    pub rule: Rule,
    /// Its parameters, the result last, with the call's operands.
    pub groups: Vec<Group>,
    /// What the type of each says.
    facts: Vec<u64>,
    /// Calls the function itself.
    pub primal: Function,
    /// The forward rule.
    pub forward: Option<Function>,
    /// The function that runs where a reverse sweep will follow, and returns a tape's handle.
    pub augmented: Option<Function>,
    /// The reverse rule.
    pub reverse: Option<Function>,
    /// Makes a shadow of zeros of a result without a derivative.
    shadow: Option<Function>,
}

impl Custom {
    /// Reads a stand-in; none where the function is none.
    pub fn of(function: Function) -> Option<Custom> {
        let rule = Rule::parse(&function.string_attribute(TEXT)?).ok()?;
        let facts = function.string_attribute(FACTS).unwrap_or_default();
        let thunks = function.module().global(&format!("{}{THUNKS}", function.name()))?.initializer()?;
        let mut index = 0;
        let mut next = |there: bool| {
            if !there {
                return None;
            }
            index += 1;
            thunks.aggregate_element(index - 1)?.as_function()
        };
        Some(Custom {
            groups: rule.groups(),
            facts: facts.split(',').map(|one| one.parse().unwrap_or(0)).collect(),
            primal: next(true)?,
            forward: next(rule.forward),
            augmented: next(rule.tape),
            reverse: next(rule.reverse),
            shadow: next(rule.shadow),
            rule,
        })
    }

    /// Parameters whose derivatives the rule passes on.
    pub fn inputs(&self) -> impl Iterator<Item = &Group> {
        self.groups.iter().filter(|g| g.is_dup() && g.is_input() && !self.rule.inactive)
    }

    /// Parameters (and the result) that get derivatives.
    pub fn outputs(&self) -> impl Iterator<Item = &Group> {
        self.groups.iter().filter(|g| g.is_dup() && g.is_output())
    }

    /// Everything that the rule has a shadow for.
    pub fn shadowed(&self) -> impl Iterator<Item = &Group> {
        self.groups.iter().filter(|g| g.is_dup() && (g.is_output() || !self.rule.inactive))
    }

    /// Whether a parameter refers to no other memory.
    pub fn is_flat(&self, group: &Group) -> bool {
        group.param.floats != 0 || self.says(group, FLAT)
    }

    /// Whether the function changes nothing through a parameter.
    pub fn only_reads(&self, group: &Group) -> bool {
        matches!(group.param.kind, Kind::Ref | Kind::Slice) && (group.param.floats != 0 || self.says(group, STEADY))
    }

    /// Whether the function has no place to leave what it allocates in.
    pub fn leaves_nothing(&self) -> bool {
        self.groups.iter().all(|g| self.is_flat(g) || self.only_reads(g))
    }

    fn says(&self, group: &Group, fact: u64) -> bool {
        let known = self.groups.iter().zip(&self.facts).find(|(g, _)| *g == group);
        known.is_some_and(|(_, facts)| facts & fact != 0)
    }

    /// The result, where it has no derivative.
    pub fn constant_result(&self) -> Option<&Group> {
        self.result().filter(|_| self.rule.shadow)
    }

    /// Whether such a result may own memory or refer to it.
    pub fn result_refers(&self) -> bool {
        self.constant_result().is_some_and(|result| self.says(result, REFERS))
    }

    /// What makes a shadow of such a result, from that and the shadow's place; none where nothing is known of its type.
    pub fn shadow_of_result(&self) -> Option<Function> {
        let result = self.constant_result()?;
        self.shadow.filter(|_| self.says(result, SHADOWED))
    }

    /// Whether the caller owns memory afterwards that the function has made.
    pub fn hands_over(&self) -> bool {
        let result = self.constant_result().is_some_and(|result| self.says(result, OWNS));
        result || self.changed().any(|group| self.says(group, OWNS))
    }

    /// Parameters in whose memory the function may leave what it has made. (What is said to be `Const` keeps its structure.)
    pub fn changed(&self) -> impl Iterator<Item = &Group> {
        let changed = |g: &&Group| g.is_dup() && g.is_input() && !self.is_flat(g) && !self.only_reads(g);
        self.groups.iter().filter(changed).filter(|g| self.says(g, REFERS))
    }

    /// Whether the function may leave its arguments' addresses somewhere.
    pub fn keeps_addresses(&self) -> bool {
        let leaves = |g: &&Group| g.param.kind != Kind::Value && !self.is_flat(g) && !self.only_reads(g);
        self.groups.iter().filter(leaves).any(|g| self.says(g, REFERS))
    }

    /// Whether the function can leave a pointer in memory, or find one there.
    pub fn moves_pointers(&self, operand: usize) -> bool {
        self.groups.iter().any(|g| g.pointer == operand && !self.is_flat(g))
    }

    /// Whether the function changes nothing of what an operand leads to.
    pub fn only_reads_behind(&self, operand: usize) -> bool {
        self.groups.iter().any(|g| g.pointer == operand && self.only_reads(g))
    }

    /// The primal thunk's arguments, out of the stand-in's.
    pub fn primal_arguments(&self, arguments: &[Value]) -> Vec<Value> {
        let each = |g: &Group| [Some(g.pointer), g.length];
        self.groups.iter().flat_map(each).flatten().map(|i| arguments[i]).collect()
    }

    /// The result, where there is one.
    pub fn result(&self) -> Option<&Group> {
        self.groups.last().filter(|g| g.param.kind == Kind::Return)
    }
}
