//! One function with everything that is known of it.
use crate::analysis::activity::{self, Activity, Interface, Problem};
use crate::analysis::cfg::{self, Cfg};
use crate::analysis::memory::{self, Memory, Summaries};
use crate::analysis::reason::Ways;
use crate::diag::{self, Code, Diagnostic};
use crate::ir::{BlockId, Func, InstId, Op, Val};
use crate::load::canonical::Counters;
use crate::load::requests::readable;
use crate::maps::HashMap;
use crate::plan::{Facts, LoopFacts};
use crate::rule::Registry;
use cotangent_contract::{Mode, Param, Request};
use cotangent_llvm as llvm;

/// Places of a way that are told; of a longer one its ends.
const MOST_STEPS: usize = 6;

/// A function, analysed for one interface.
pub struct Subject {
    /// The function.
    pub func: Func,
    /// Its control flow.
    pub cfg: Cfg,
    /// Its memory.
    pub memory: Memory,
    /// Its activity.
    pub activity: Activity,
    /// Its loops.
    pub loops: Vec<LoopFacts>,
    /// Its selectors.
    pub selectors: HashMap<BlockId, InstId>,
    /// What it is differentiated for.
    pub interface: Interface,
    /// By parameter: memory that stays until the reverse sweep.
    pub stable: Vec<bool>,
    /// Forward and reverse sweep in one function.
    pub fused: bool,
    /// For messages: the number, from 1, of the user's argument that a parameter is or belongs to.
    names: Vec<usize>,
}

/// What a subject is made for.
pub struct Purpose<'a> {
    /// Activities.
    pub interface: Interface,
    /// See [`Subject::stable`].
    pub stable: Vec<bool>,
    /// See [`Subject::fused`].
    pub fused: bool,
    /// Bytes of the floats that a parameter's memory consists of, where the request says so (else 0).
    pub floats: Vec<u8>,
    /// By parameter: it is certain that there is nothing else.
    pub plain: Vec<bool>,
    /// By parameter: in its memory floats and other things share places.
    pub mixed: Vec<bool>,
    /// By parameter: it leads to a constant without floats.
    pub texts: Vec<bool>,
    /// For messages.
    pub request: &'a Request,
}

/// Analyses a function that [`crate::load::canonical`] has prepared. What speaks against its derivative is asked for
/// with [`Subject::check`].
///
/// # Errors
/// Control flow that cannot be turned round.
pub fn analyze(
    function: llvm::Function,
    counters: &Counters,
    registry: &Registry,
    summaries: &Summaries,
    purpose: Purpose,
) -> Result<Subject, Vec<Diagnostic>> {
    let Purpose { interface, stable, fused, floats, plain, mixed, texts, request } = purpose;
    let mut func = Func::load(function, registry);
    let cfg = cfg::analyze(&func).map_err(|head| {
        let place = func.inst(func.block(head).insts[0]).value;
        vec![
            Diagnostic::new(Code::Unsupported, "the control flow of this function cannot be turned round")
                .at_instruction(place, request)
                .help("write the loop with one entry, as a `for` or `while`"),
        ]
    })?;
    let (memory, activity) = loop {
        let mut memory = memory::analyze(&func, summaries, &plain);
        for (param, bytes) in floats.iter().enumerate() {
            if *bytes > 0 {
                memory.hint_floats(param as u32, u64::from(*bytes));
            }
        }
        mixed.iter().enumerate().filter(|(_, mixed)| **mixed).for_each(|(param, _)| memory.set_mixed(param));
        texts.iter().enumerate().filter(|(_, text)| **text).for_each(|(param, _)| memory.set_text(param));
        let activity = activity::analyze(&func, &memory, &interface);
        // A call through a pointer is one of its table only where a derivative goes through it: each is taken for one at most once.
        let through = activity.calls_through_tables(&func, &memory);
        if through.is_empty() {
            break (memory, activity);
        }
        through.into_iter().for_each(|call| func.settle_call(call));
    };
    let loops = cfg
        .loops
        .iter()
        .map(|l| {
            let block = func.block(l.header).block;
            let Some(counter) = counters.of(block) else { return LoopFacts::default() };
            LoopFacts {
                counter: match func.val(counter.phi) {
                    Val::Inst(id) => Some(id),
                    _ => None,
                },
                trips: counter.count.map(|v| func.val(v)),
            }
        })
        .collect();
    let selectors = func
        .block_ids()
        .filter_map(|b| {
            let phi = counters.selector(func.block(b).block)?;
            match func.val(phi) {
                Val::Inst(id) => Some((b, id)),
                _ => None,
            }
        })
        .collect();
    let names = if fused { numbers(request) } else { Vec::new() };
    Ok(Subject { func, cfg, memory, activity, loops, selectors, interface, stable, fused, names })
}

/// The numbers of the user's arguments, by the thunk's parameters.
fn numbers(request: &Request) -> Vec<usize> {
    let slots = |param: &Param| 1 + usize::from(param.has_length());
    let params = request.params.iter().enumerate();
    params.flat_map(|(index, param)| std::iter::repeat_n(index + 1, slots(param))).collect()
}

impl Subject {
    /// Whether the function can be differentiated as asked.
    ///
    /// # Errors
    /// Everything that speaks against it, with the places.
    pub fn check(&self, request: &Request) -> Result<(), Vec<Diagnostic>> {
        let mut problems = self.activity.problems(&self.func, &self.memory);
        // What depends on no input has an adjoint that nobody reads, but a tangent that somebody does.
        problems.retain(|p| request.mode == Mode::Forward || !matches!(p, Problem::Unclear(_)));
        if problems.is_empty() {
            return Ok(());
        }
        let ways = Ways::of(&self.func, &self.memory, &self.activity, &self.interface);
        Err(problems.into_iter().map(|p| self.diagnose(p, request, &ways)).collect())
    }

    /// The view that plan and analyses share.
    pub fn facts(&self) -> Facts<'_> {
        Facts {
            func: &self.func,
            cfg: &self.cfg,
            memory: &self.memory,
            activity: &self.activity,
            loops: &self.loops,
            selectors: &self.selectors,
            stable: &self.stable,
            fused: self.fused,
        }
    }

    /// The message of a problem.
    fn diagnose(&self, problem: Problem, request: &Request, ways: &Ways) -> Diagnostic {
        let func = &self.func;
        let (id, error) = match problem {
            Problem::Bits(id) => (
                id,
                Diagnostic::new(Code::MixedType, "bits of an active float are moved or computed with as an integer here")
                    .note("the value depends on an active argument, and the result depends on the integer")
                    .help("use float operations, or give the function a `#[custom_derivative]`"),
            ),
            Problem::Pieces(id) => (
                id,
                Diagnostic::new(Code::MixedType, "a float is put together here from pieces of the bits of an active one")
                    .note("bits that are cut, turned round or moved byte by byte have no derivative, and the result depends on the float")
                    .help("hand the float on as a float, or give the function that does this a `#[custom_derivative]`"),
            ),
            Problem::Unclear(id) => (
                id,
                Diagnostic::new(Code::MixedType, "cannot tell whether these bits are of a constant float or of a number")
                    .note("they are moved to where active floats and numbers lie, and nothing says which of them they are")
                    .help("copy the constants into a local array of their type first"),
            ),
            Problem::Static(id) => (
                id,
                Diagnostic::new(Code::Static, "an active value is stored into a static")
                    .note("a static has no shadow, so its derivative would be lost")
                    .help("pass the memory as an argument instead"),
            ),
            Problem::Mixed(id) => (
                id,
                Diagnostic::new(Code::ConstantMemory, "this pointer may lead to active memory or to constant memory")
                    .note("one of the places has a shadow and the other has none, which takes memory that is accessed as floats, pointers or words")
                    .help(match self.activity.meets_static(func, &self.memory, id) {
                        true => "copy the static or constant into a local array or vector first, and refer to that where references to active memory are",
                        false => "pass constant memory as an argument of its own, not in one structure with active memory, or make it `Duplicated`",
                    }),
            ),
            Problem::Unsupported(id) => (
                id,
                Diagnostic::new(
                    Code::Unsupported,
                    format!("an active value goes through an operation without a derivative: {}", func.inst(id).value),
                ),
            ),
            Problem::Lost(id) => (
                id,
                Diagnostic::new(Code::ConstantMemory, "an active value, or a pointer to one, is stored into memory that was declared constant")
                    .note("it is read back later, and its derivative would be lost, since the memory has no shadow")
                    .help("declare the argument `Duplicated` (`Dual`), or use a local buffer; what a closure captures is constant"),
            ),
            Problem::Structure(id) => (
                id,
                Diagnostic::new(Code::Unsupported, "the length or the place of a vector behind an argument is changed here")
                    .note("its shadow is the caller's, and would have to be another one after the call than before")
                    .help("work on a local copy of the vector, or write its elements in place"),
            ),
            Problem::Variant(id) => (
                id,
                Diagnostic::new(Code::Unsupported, "an enum behind an argument may become another variant here")
                    .note("its shadow is the caller's and holds the adjoint of what was found, and nothing tells which variant that was: the type has no `Shadow`")
                    .help("put `#[derive(cotangent::Shadow)]` on the type of the argument, or work on a local copy"),
            ),
            Problem::Made(id) => (
                id,
                Diagnostic::new(Code::ConstantMemory, "active values may be stored into memory that this call makes or lets grow")
                    .note("a function with a rule is not looked into, and nothing is known that makes a shadow of this memory")
                    .help("put `#[derive(cotangent::Shadow)]` on the type that the function returns; copy what it returns, or what you pass to it, and change the copy"),
            ),
            Problem::Nowhere(id) => (
                id,
                Diagnostic::new(Code::UnknownType, "cannot tell which memory this pointer leads to")
                    .note("a float is read or written through it, and its derivative would be lost")
                    .help("pass the memory as an argument, or give the function that makes the pointer a `#[custom_derivative]`"),
            ),
            Problem::Address(id) => (
                id,
                Diagnostic::new(Code::ConstantMemory, "the address of active memory is handed on or kept as a number here")
                    .note("a number has no shadow, so what is read or written there would have no derivative")
                    .help("hand on, and keep, a reference or a pointer"),
            ),
            Problem::Call(id) => (id, self.diagnose_call(id, request.mode)),
        };
        let error = error.at_instruction(func.inst(id).value, request);
        self.reasons(id, ways).into_iter().fold(error, Diagnostic::note)
    }

    /// Why the operands of an instruction are active: where they come from, and where what becomes of them leaves.
    fn reasons(&self, id: InstId, ways: &Ways) -> Vec<String> {
        let reason = ways.explain(id);
        let here = diag::position(self.func.inst(id).value);
        let places = |way: &[InstId]| {
            let spans = way.iter().filter_map(|step| diag::position(self.func.inst(*step).value));
            let mut spans: Vec<_> =
                spans.filter(|span| Some(span) != here.as_ref()).map(|span| span.to_string()).collect();
            spans.dedup();
            if spans.len() > MOST_STEPS {
                spans.splice(MOST_STEPS / 2..spans.len() - MOST_STEPS / 2, ["...".to_owned()]);
            }
            spans.join(", ")
        };
        let mut notes = Vec::new();
        let argument = reason.param.map_or("an active argument".to_owned(), |param| self.argument(param));
        let through = |way: String| if way.is_empty() { String::new() } else { format!(", by way of {way}") };
        if reason.param.is_some() {
            notes.push(format!("active, since it depends on {argument}{}", through(places(&reason.from))));
        }
        if !reason.to.is_empty() {
            notes.push(format!("and the result depends on it{}", through(places(&reason.to))));
        }
        notes
    }

    /// A parameter as the user counts: a slice is one.
    fn argument(&self, param: u32) -> String {
        match self.names.get(param as usize) {
            Some(number) => format!("argument {number}"),
            None => format!("an argument of `{}`", readable(self.func.function)),
        }
    }

    fn diagnose_call(&self, id: InstId, mode: Mode) -> Diagnostic {
        use crate::ir::Callee;
        let inst = self.func.inst(id);
        match &inst.op {
            Op::Call(Callee::Unknown(name)) => Diagnostic::new(
                Code::NoBody,
                format!("cannot differentiate the call to `{:#}`", rustc_demangle::demangle(name)),
            )
            .note(match mode {
                Mode::Forward => {
                    "there is no body of this function, and no rule for forward mode; an active value goes in"
                }
                Mode::Reverse => {
                    "there is no body of this function, and no rule for reverse mode; an active value goes in"
                }
            })
            .help("give it a rule with `derivative_rule!`, or keep active values out of the call"),
            Op::Call(Callee::Assembly) => {
                Diagnostic::new(Code::Assembly, "an active value goes through inline assembly")
                    .help("give the function that holds the assembly a `#[custom_derivative]`")
            }
            Op::Call(Callee::Indirect(_)) => Diagnostic::new(
                Code::UnknownPointer,
                "an active value goes into a call through a pointer that is not known when compiling",
            )
            .help("call the function by name or through a generic parameter"),
            _ => Diagnostic::new(Code::Unsupported, format!("an active value goes into `{}`", inst.value)),
        }
    }
}
