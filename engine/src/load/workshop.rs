//! The module in which one derivative is made.
//!
//! It has the program's target and data layout, an internal copy of the thunk and of every function with a body that is called on the way to a
//! `ret`, and declarations of everything else. The thunk's pointers carry what the request knows of Rust's references: what is exclusive
//! (`&mut`, moved values, the result) is `noalias`; what is shared and holds nothing but floats is `noalias readonly`, since no
//! `Cell` can be in it.
//!
//! Positions of the program's own functions are kept, for diagnostics: in this module each copy is the only function with its
//! original's subprogram. They are dropped before the derivative goes back, where the original still has it.

use super::dispatch::table::Tables;
use super::import::Importer;
use super::layout::Detail;
use super::requests::{Found, readable};
use super::survey::Survey;
use super::{cleanup, dispatch, hints, overlaid, taken};
use crate::Bodies;
use crate::analysis::casts;
use crate::diag::{Code, Diagnostic, Span};
use crate::ir::{self, given};
use crate::llvm::{Function, Linkage, Module, Place, Value, effects};
use crate::rule::{Effect, Family, Registry};
use cotangent_contract::{Kind, Request};

/// How often a clean-up may bring up new callees (through function pointers that became known) before they stay calls. Objects that hold objects take a few
/// rounds for each of them.
const ROUNDS: usize = 64;

/// The module of one derivative, cleaned up.
#[derive(Debug)]
pub struct Workshop {
    /// The module.
    pub module: Module,
    /// The copy of the thunk.
    pub root: Function,
    /// Number of the request, which makes the names unique that stay in the program.
    pub number: usize,
    /// What the workshop refers to in the program: the name here and the original.
    pub shared: Vec<(String, Value)>,
}

/// Makes the workshop of a request and cleans it up.
///
/// # Errors
/// CT0101 where the thunk is no function that can be copied; CT0901 where LLVM does not accept what was made. None at all where records have to stay in memory
/// ([`Detail::Exact`]).
pub fn build(
    survey: &Survey,
    found: &Found,
    bodies: &mut dyn Bodies,
    number: usize,
    detail: Detail,
) -> Result<Workshop, Vec<Diagnostic>> {
    let Survey { program, registry, .. } = *survey;
    let internal = |stage: &str, message: String| {
        let error = Diagnostic::internal(format!("`{}` came out malformed from {stage}", readable(found.thunk)));
        vec![error.at(Span::of_request(&found.request)).note(message)]
    };
    if found.thunk.ty().is_variadic() || found.thunk.is_declaration() {
        let error = Diagnostic::new(Code::Request, "the function to differentiate has no body to copy");
        return Err(vec![error.at(Span::of_request(&found.request))]);
    }
    let module = program.context().module(&format!("ct.{number}"));
    module.copy_target(program);
    module.copy_named_metadata(program, "llvm.dbg.cu");
    module.flag_debug_version();

    let mut importer = Importer::new(survey, module, found, bodies, detail);
    let mut fresh = Vec::new();
    let root = importer.copy(found.thunk, &mut fresh);
    // Not internal for now: no pass may take it for unused.
    root.set_linkage(Linkage::LLVMExternalLinkage);
    promise(root, &found.request);
    given::tell(root, &importer.given_to_thunk(found.thunk));
    importer.attach(fresh);
    let mut tables = Tables::new(survey, asked_for(&found.request));
    let mut takes_bits = false;
    for round in 1..=ROUNDS {
        importer.bracket();
        set_tape_apart(module, registry);
        module.verify().map_err(|m| internal("copying", m))?;
        takes_bits |= cleanup::run(module, root).map_err(|m| internal("the clean-up", m))?;
        importer.refresh();
        dispatch::run(module);
        // What comes in now is cleaned up in the next round, so nothing does in the last one.
        let goes_on = round < ROUNDS
            && (importer.attach(ir::bodies(module))
                || tables.grow(&mut importer, root, &found.request)
                || hints::remove(module));
        if !goes_on {
            break;
        }
    }
    if importer.tears_records() {
        return Err(Vec::new());
    }
    overlaid::release(module);
    importer.settle_moves().map_err(|m| internal("the moves of records", m))?;
    tables.close();
    if !takes_bits && !importer.takes_bits {
        casts::tell_none(module);
    }
    casts::tell_halves(module, importer.halves());
    if importer.packs_floats() {
        casts::tell_packed(module);
    }
    let shared = importer.settle();
    taken::show(module);
    root.set_linkage(Linkage::LLVMInternalLinkage);
    module.verify().map_err(|m| internal("the clean-up", m))?;
    Ok(Workshop { module, root, number, shared })
}

/// Tells LLVM that the tape of an inner derivative is memory of its own: what allocates there, or puts a free off, changes nothing that was stored elsewhere. (What an
/// object's methods are is known by what was stored with it.)
fn set_tape_apart(module: Module, registry: &Registry) {
    let is_of_tape = |function: &Function| match registry.effect(&function.name()) {
        Some(Effect::Allocate { family, .. } | Effect::Free { family, .. }) => family == Family::Tape,
        _ => false,
    };
    for function in module.functions().into_iter().filter(|f| f.is_declaration() && is_of_tape(f)) {
        function.add_attribute(Place::Whole, "memory", effects::INACCESSIBLE);
    }
}

/// A request as a message names it.
fn asked_for(request: &Request) -> String {
    let Span { file, line, .. } = Span::of_request(request);
    if file.is_empty() { format!("`{}`", request.name) } else { format!("`{}` ({file}:{line})", request.name) }
}

/// Puts on the thunk's parameters what the request says about them.
pub fn promise(root: Function, request: &Request) {
    let mut index = 0;
    for param in &request.params {
        let place = Place::Param(index);
        index += 1 + u32::from(param.has_length());
        let flags: &[&str] = match param.kind {
            Kind::Mut | Kind::MutSlice | Kind::Value | Kind::Return => &["noalias", "nonnull", "noundef"],
            Kind::Ref | Kind::Slice if param.floats != 0 => &["noalias", "readonly", "nonnull", "noundef"],
            Kind::Ref | Kind::Slice => &["nonnull", "noundef"],
        };
        if root.ty().params().get(index as usize - 1 - usize::from(param.has_length())).is_some_and(|t| t.is_pointer())
        {
            flags.iter().for_each(|flag| root.add_attribute(place, flag, 0));
        }
    }
}
