//! What a plan costs in memory, by lines of the user's source.
//!
//! The plan says which values wait on the tape for the reverse sweep. Here each is put beside the line that computes it and the
//! loops around it, so that a user sees which line makes a gradient keep how much, and in which loop.
use super::{Facts, Item, Plan};
use crate::analysis::cfg::LoopId;
use crate::analysis::memory::{Object, ObjectId};
use crate::diag::{self, Span};
use crate::ir::{Callee, InstId, Op, Val};
use crate::llvm::Type;
use crate::maps::HashSet;
use crate::rule::{Effect, Size};
use cotangent_contract::{BYTES_OF_DEFERRED, Request};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// What one function keeps for its reverse sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cost {
    /// The name that the request gives the function it differentiates.
    pub derivative: String,
    /// Where the derivative is asked for.
    pub asked_for: Span,
    /// A callee that is differentiated as a function of its own; `None` is the function itself with what was inlined into it.
    pub callee: Option<String>,
    /// What is kept, by the loops around it.
    pub scopes: Vec<Scope>,
}

/// What is kept in each iteration of a loop, or once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// The loops, the innermost first. None: once in each call.
    pub loops: Vec<Span>,
    /// Bytes by line and kind, in the order of the source.
    pub lines: Vec<Line>,
}

/// What is kept of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The line.
    pub at: Span,
    /// What is kept.
    pub what: String,
    /// How many of these.
    pub count: u64,
    /// Bytes of all of them.
    pub bytes: u64,
}

impl Scope {
    /// Bytes in each iteration, or in each call.
    pub fn bytes(&self) -> u64 {
        self.lines.iter().map(|line| line.bytes).sum()
    }
}

/// What a plan keeps. `callee` names the function where it is not the request's own.
pub fn of_plan(facts: &Facts, plan: &Plan, request: &Request, callee: Option<String>) -> Cost {
    type Lines = BTreeMap<(Span, String), (u64, u64)>;
    let mut scopes: BTreeMap<Vec<LoopId>, Lines> = BTreeMap::new();
    for item in &plan.kept {
        let (at, what) = describe(*item, facts, request);
        let (count, bytes) = scopes.entry(chain(facts, facts.scope(*item))).or_default().entry((at, what)).or_default();
        *count += 1;
        *bytes += facts.bytes(*item);
    }
    for block in blocks(facts, request) {
        let lines = scopes.entry(chain(facts, block.scope)).or_default();
        let (count, bytes) = lines.entry((block.at, block.what)).or_default();
        *count += 1;
        *bytes += block.bytes;
    }
    let scope = |(loops, lines): (Vec<LoopId>, Lines)| Scope {
        loops: loops.into_iter().map(|l| loop_line(l, facts, request)).collect(),
        lines: lines.into_iter().map(|((at, what), (count, bytes))| Line { at, what, count, bytes }).collect(),
    };
    let mut scopes: Vec<Scope> = scopes.into_iter().map(scope).collect();
    scopes.sort_by(|a, b| (a.loops.len(), &a.loops).cmp(&(b.loops.len(), &b.loops)));
    Cost { derivative: request.name.clone(), asked_for: Span::of_request(request), callee, scopes }
}

/// A loop and those around it, from the inside out.
fn chain(facts: &Facts, innermost: Option<LoopId>) -> Vec<LoopId> {
    std::iter::successors(innermost, |l| facts.cfg.get(*l).parent).collect()
}

/// A block of the program's own that is given back when the tape is, with its shadow.
struct Block {
    scope: Option<LoopId>,
    at: Span,
    what: String,
    bytes: u64,
}

/// What the function gives back while the reverse sweep still needs it: each block once, however many ways lead to its end.
fn blocks(facts: &Facts, request: &Request) -> Vec<Block> {
    let mut seen = HashSet::default();
    let mut found = Vec::new();
    for id in facts.func.inst_ids() {
        let inst = facts.func.inst(id);
        let Op::Call(Callee::Effect(Effect::Free { pointer, .. })) = inst.op else { continue };
        let block = inst.operands[pointer];
        if !facts.func.block(inst.block).returns || !facts.has_shadow(block) {
            continue;
        }
        let objects = facts.memory.points_to(block);
        let made: BTreeSet<InstId> = objects.iter().filter_map(|o| allocation(facts, o)).collect();
        // The same block may be given back in several places; where one of several is, each place is taken to give back another one.
        if made.len() < 2 && !seen.insert(made.first().copied().unwrap_or(id)) {
            continue;
        }
        // What a call has made or enlarged is of a size that nothing here tells.
        let is_own = |o: ObjectId| allocation(facts, o).is_some();
        let all_own = objects.iter().all(is_own);
        let sizes: Option<Vec<u64>> =
            all_own.then(|| made.iter().map(|made| size_of(facts, *made)).collect()).flatten();
        let largest = sizes.and_then(|sizes| sizes.into_iter().max());
        let what = match largest {
            Some(bytes) => format!("a block of {bytes} bytes and its shadow"),
            None => "a block and its shadow, whose bytes are not counted here".to_owned(),
        };
        let places = made.iter().copied().chain([id]);
        let at = places.into_iter().find_map(|id| diag::position(facts.func.inst(id).value));
        let at = at.unwrap_or_else(|| diag::locate(inst.value, request).0);
        let bytes = 2 * (largest.unwrap_or(0) + BYTES_OF_DEFERRED);
        found.push(Block { scope: facts.cfg.loop_of(inst.block), at, what, bytes });
    }
    found
}

/// The function's own allocation that an object is.
fn allocation(facts: &Facts, object: ObjectId) -> Option<InstId> {
    match facts.memory.objects[object.0 as usize] {
        Object::Heap(id) if matches!(facts.func.inst(id).op, Op::Call(Callee::Effect(Effect::Allocate { .. }))) => {
            Some(id)
        }
        _ => None,
    }
}

/// Bytes of an allocation, where that is a constant.
fn size_of(facts: &Facts, allocation: InstId) -> Option<u64> {
    let inst = facts.func.inst(allocation);
    let constant = |operand: usize| match inst.operands[operand] {
        Val::Const(value) => value.as_u64(),
        _ => None,
    };
    match inst.op {
        Op::Call(Callee::Effect(Effect::Allocate { size: Size::Operand(i), .. })) => constant(i),
        Op::Call(Callee::Effect(Effect::Allocate { size: Size::Product(a, b), .. })) => {
            constant(a)?.checked_mul(constant(b)?)
        }
        _ => None,
    }
}

/// The line of an item, and a word for it.
fn describe(item: Item, facts: &Facts, request: &Request) -> (Span, String) {
    let (id, what) = match item {
        Item::Value(id) => {
            let ty = facts.func.inst(id).ty;
            let what = if ty.is_pointer() {
                "where something lies".to_owned()
            } else if ty.is_float_or_vector() {
                format!("value ({})", rust_name(ty))
            } else {
                format!("number or decision ({})", rust_name(ty))
            };
            (id, what)
        }
        Item::Shadow(id) => (id, "where a shadow lies".to_owned()),
        Item::Tape(id) => (id, "what a call keeps, which is counted there".to_owned()),
        Item::Trips(l) => return (loop_line(l, facts, request), "how often the loop ran".to_owned()),
    };
    // A value that comes from several places stands where it is used first.
    let mut places = std::iter::once(&id).chain(&facts.func.users[id.0 as usize]);
    let found = places.find_map(|id| diag::position(facts.func.inst(*id).value));
    (found.unwrap_or_else(|| diag::locate(facts.func.inst(id).value, request).0), what)
}

/// A type as Rust calls it, where it has a name there.
fn rust_name(ty: Type) -> String {
    match ty.to_string().as_str() {
        "double" => "f64".to_owned(),
        "float" => "f32".to_owned(),
        "i1" => "bool".to_owned(),
        other => other.to_owned(),
    }
}

/// Where a loop stands: the first of the user's lines that its header comes from.
fn loop_line(l: LoopId, facts: &Facts, request: &Request) -> Span {
    let header = facts.func.block(facts.cfg.get(l).header).block;
    let all = header.instructions();
    let found = all.iter().filter_map(|i| diag::position(*i)).min();
    found.or_else(|| all.last().map(|i| diag::locate(*i, request).0)).unwrap_or_else(|| Span::of_request(request))
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cost { derivative, asked_for, callee, scopes } = self;
        match callee {
            None => writeln!(f, "{derivative}, differentiated at {asked_for}")?,
            Some(callee) => {
                writeln!(
                    f,
                    "{callee}, a function of its own in {derivative}, differentiated at {asked_for}: in each call"
                )?;
            }
        }
        if scopes.is_empty() {
            return writeln!(f, "  keeps nothing");
        }
        for scope in scopes {
            match &scope.loops[..] {
                [] => write!(f, "  {} bytes once", scope.bytes())?,
                [inner, outer @ ..] => {
                    write!(f, "  {} bytes in each iteration of the loop at {inner}", scope.bytes())?;
                    outer.iter().try_for_each(|l| write!(f, ", inside of that at {l}"))?;
                }
            }
            writeln!(f)?;
            for Line { at, what, count, bytes } in &scope.lines {
                let times = if *count == 1 { String::new() } else { format!("{count} x ") };
                writeln!(f, "    {bytes:>6}  {at}  {times}{what}")?;
            }
        }
        Ok(())
    }
}
