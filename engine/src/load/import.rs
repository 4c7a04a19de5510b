//! Copies of functions and globals in the workshop.
//!
//! Every function that a copied body mentions is *declared* under its own symbol. A call of a declaration is *attached*: where
//! the function has a body somewhere (the program, or an rlib), returns, and has no rule, the call is turned to an internal copy of that
//! body named `<symbol>.ct`. Addresses are never turned: a function pointer keeps the one address that the program knows.
//! Attaching is repeated after each clean-up, since inlining may show which function a pointer is.
//!
//! What is internal to the program's module stays there and is shared (see [`super::finish`]). What is internal to an rlib
//! cannot be named from outside of it: constants and functions are copied, and a function that needs an rlib's internal *variable* stays a
//! call, as does any function that mentions such a function.

use super::constants::{self, Counterparts};
use super::dispatch::table;
use super::layout::{self, Detail, Types};
use super::requests::Found;
use super::survey::Survey;
use super::unwinds::{self, Purpose, Purposes, Traces, Visible};
use super::{overlaid, rules, spills, tags, taken};
use crate::Bodies;
use crate::analysis::casts::Halves;
use crate::diag;
use crate::ir::given::{self, Given};
use crate::ir::handed;
use crate::llvm::{Block, Builder, Function, Global, Linkage, Module, Node, Opcode, Place, Type, Value, copy_body};
use crate::maps::{HashMap, HashSet};
use crate::rule::{Known, Registry, plain};
use cotangent_contract::{Activity, Kind, Mode, Param, Request};
use std::collections::BTreeSet;

/// A bound on the number of functions that one derivative brings in; calls beyond it stay calls.
const MOST_COPIES: usize = 4000;

/// Functions of std with fewer instructions are inlined also where std asks not to.
const SMALL: usize = 200;

/// The state of copying into one workshop.
pub struct Importer<'a> {
    program: Module,
    /// The workshop.
    pub module: Module,
    bodies: &'a mut dyn Bodies,
    /// The rules of the build.
    pub registry: &'a Registry,
    /// What each function, wherever it was mentioned, is in the end: its definition, or the first declaration seen.
    resolved: HashMap<Function, Function>,
    undefined: HashMap<String, Function>,
    /// The declarations in the workshop, both ways.
    declared: HashMap<Function, Function>,
    originals: HashMap<Function, Function>,
    /// What declarations and variables are called in the workshop. Two things that are internal, or one of them, may have one name elsewhere.
    names: HashMap<Value, String>,
    /// The copies of definitions, with the type that a copy is for where the definition moves values of any.
    copies: HashMap<(Function, Option<Node>), Function>,
    globals: HashMap<Global, Value>,
    /// What stands for symbols of variables that the program's module does not know.
    variables: HashMap<String, Global>,
    /// Variables of the program that the workshop refers to, and their originals.
    shared_globals: Vec<(Global, Global)>,
    sharable: HashMap<Function, bool>,
    /// The direction of the derivative, and functions with rules for it that are called in the place of others.
    mode: Mode,
    adapters: &'a HashMap<String, Function>,
    /// What stands for functions in the registry's table; none where nothing does.
    models: HashMap<Function, Option<Function>>,
    /// Attributes of the machine that every copy takes over from the thunk, so that all can be inlined into it.
    machine: Vec<(&'static str, Option<String>)>,
    /// Copies with landing pads that may have to be kept, the number of the next one that is, and what is known of destructors.
    pads: Vec<(Function, Purposes)>,
    next_pad: u64,
    /// What is known of the types of the source.
    types: Types,
    traces: Traces,
    /// Whether a copy takes bits of floats through memory, or is a derivative whose function takes some.
    pub takes_bits: bool,
}

fn is_local(linkage: Linkage) -> bool {
    matches!(linkage, Linkage::LLVMInternalLinkage | Linkage::LLVMPrivateLinkage)
}

/// Whether a definition has a `ret` at all.
fn has_return(definition: Function) -> bool {
    let is_return = |block: Block| block.terminator().is_some_and(|t| t.opcode() == Opcode::LLVMRet);
    definition.blocks().into_iter().any(is_return)
}

/// Blocks on a way from the entry to a `ret` without unwinding.
pub fn returning_blocks(function: Function) -> HashSet<Block> {
    let blocks = function.blocks();
    let onward = |block: Block| match block.terminator() {
        Some(t) if t.opcode() == Opcode::LLVMInvoke => vec![t.invoke_destinations().0],
        _ => block.successors(),
    };
    let mut back: HashMap<Block, Vec<Block>> = HashMap::default();
    let mut reached = HashSet::default();
    let mut work: Vec<Block> = blocks.first().copied().into_iter().collect();
    let mut returns = Vec::new();
    while let Some(block) = work.pop() {
        if reached.insert(block) {
            let next = onward(block);
            next.iter().for_each(|n| back.entry(*n).or_default().push(block));
            work.extend(next);
            if block.terminator().is_some_and(|t| t.opcode() == Opcode::LLVMRet) {
                returns.push(block);
            }
        }
    }
    let mut returning = HashSet::default();
    while let Some(block) = returns.pop() {
        if returning.insert(block) {
            returns.extend(back.get(&block).into_iter().flatten());
        }
    }
    returning
}

impl<'a> Importer<'a> {
    /// Nothing copied yet.
    pub fn new(
        survey: &'a Survey<'a>,
        module: Module,
        found: &Found,
        bodies: &'a mut dyn Bodies,
        detail: Detail,
    ) -> Self {
        let Found { thunk, request, .. } = found;
        let mode = request.mode;
        let machine =
            ["target-cpu", "target-features", "tune-cpu"].map(|key| (key, thunk.string_attribute(key))).to_vec();
        Importer {
            program: survey.program,
            module,
            bodies,
            registry: survey.registry,
            resolved: HashMap::default(),
            undefined: HashMap::default(),
            declared: HashMap::default(),
            originals: HashMap::default(),
            names: HashMap::default(),
            copies: HashMap::default(),
            globals: HashMap::default(),
            variables: HashMap::default(),
            shared_globals: Vec::new(),
            sharable: HashMap::default(),
            mode,
            adapters: survey.adapters(mode),
            models: HashMap::default(),
            machine,
            pads: Vec::new(),
            next_pad: 0,
            takes_bits: false,
            types: Types::new(detail).with_users_records(keeps_records(request)),
            traces: Traces::default(),
        }
    }

    /// The definition of a function that was mentioned in any module, or the declaration that stands for it where there is none.
    fn resolve(&mut self, function: Function) -> Function {
        if let Some(known) = self.resolved.get(&function) {
            return *known;
        }
        let name = function.name();
        let found = if is_local(function.linkage()) {
            function
        } else {
            // What the program defines goes first: there is one definition of each symbol in the end.
            let of_program = self.program.function(&name).filter(|f| !f.is_declaration() && !is_local(f.linkage()));
            let defined = of_program.or((!function.is_declaration()).then_some(function));
            let defined = defined.or_else(|| if name.starts_with("llvm.") { None } else { self.bodies.find(&name) });
            defined.unwrap_or_else(|| *self.undefined.entry(name).or_insert(function))
        };
        if !found.is_declaration() && found.blocks().is_empty() {
            found.materialise();
        }
        self.resolved.insert(function, found);
        found
    }

    /// Forgets what a clean-up has deleted. Handles of deleted functions may come back for new ones, so names are compared too.
    pub fn refresh(&mut self) {
        let here: HashSet<Function> = self.module.functions().into_iter().collect();
        let names = &self.names;
        let is_same = |value: Value| names.get(&value).is_some_and(|name| *name == value.name());
        self.copies.retain(|_, copy| here.contains(copy) && is_same(copy.value()));
        self.declared.retain(|_, declaration| here.contains(declaration) && is_same(declaration.value()));
        self.originals = self.declared.iter().map(|(original, declaration)| (*declaration, *original)).collect();
        let here: HashSet<Value> = self.module.globals().into_iter().map(Value::from).collect();
        self.globals.retain(|_, copy| here.contains(copy) && is_same(*copy));
        let globals = &self.globals;
        self.shared_globals.retain(|(copy, original)| globals.get(original) == Some(&copy.value()));
    }

    fn is_programs(&self, function: Function) -> bool {
        function.module() == self.program
    }

    /// Whether a rule decides about a function, so that its body is not looked at.
    fn has_rule(&self, function: Function) -> bool {
        let name = function.name();
        if self.adapters.contains_key(plain(&name)) {
            return true;
        }
        self.registry.scalar(&name).is_some() || self.registry.effect(&name).is_some()
    }

    /// Whether a call of a definition can become a call of a copy.
    fn is_wanted(&mut self, definition: Function) -> bool {
        !definition.is_declaration()
            && !self.has_rule(definition)
            && !self.registry.knows(Known::Closed, &definition.name())
            && !definition.has_attribute(Place::Whole, "noreturn")
            && self.is_sharable(definition)
            && has_return(definition)
    }

    /// Whether a definition can be copied at all.
    fn is_sharable(&mut self, definition: Function) -> bool {
        if let Some(known) = self.sharable.get(&definition) {
            return *known;
        }
        // A cycle is sharable if nothing else speaks against it.
        self.sharable.insert(definition, true);
        let answer = self.examine(definition);
        self.sharable.insert(definition, answer);
        answer
    }

    fn examine(&mut self, definition: Function) -> bool {
        if definition.is_declaration()
            || definition.ty().is_variadic()
            || definition.has_attribute(Place::Whole, "naked")
        {
            return false;
        }
        let mut mentioned = Vec::new();
        let mut seen = HashSet::default();
        for instruction in definition.blocks().into_iter().flat_map(|b| b.instructions()) {
            use Opcode::*;
            if matches!(
                instruction.opcode(),
                LLVMIndirectBr | LLVMCallBr | LLVMCatchSwitch | LLVMCatchPad | LLVMCleanupPad
            ) {
                return false;
            }
            for operand in instruction.operands() {
                if operand.is_constant() && !constants::mentions(operand, &mut |v| mentioned.push(v)) {
                    return false;
                }
            }
        }
        if self.is_programs(definition) {
            return true;
        }
        while let Some(value) = mentioned.pop() {
            if !seen.insert(value) {
                continue;
            }
            if let Some(function) = value.as_function() {
                if is_local(function.linkage()) {
                    let function = self.resolve(function);
                    if !self.is_sharable(function) {
                        return false;
                    }
                }
            } else if let Some(global) = value.as_global()
                && is_local(global.linkage())
            {
                match global.initializer() {
                    Some(value) if global.is_constant() && !global.is_thread_local() => {
                        if !constants::mentions(value, &mut |v| mentioned.push(v)) {
                            return false;
                        }
                    }
                    _ => return false,
                }
            }
        }
        true
    }

    /// The workshop's declaration of a function.
    fn declare(&mut self, function: Function) -> Function {
        let original = self.resolve(function);
        if let Some(known) = self.declared.get(&original) {
            return *known;
        }
        let name = original.name();
        // What LLVM has come to call by itself (`bcmp`) is the function of that name.
        let made = self.module.function(&name).filter(|made| {
            !is_local(original.linkage())
                && made.is_declaration()
                && made.ty() == original.ty()
                && !self.originals.contains_key(made)
        });
        let declaration = if let Some(made) = made {
            made
        } else if name.starts_with("llvm.") {
            self.module.declare(&name, original.ty())
        } else {
            let other = self.module.function(&name).map(Function::value);
            let declaration = self.module.add_function(&name, original.ty());
            copy_signature(original, declaration);
            // `|| panic!(..)` where a float is wanted: what lies behind a call of it is never reached.
            if !original.is_declaration() && !has_return(original) {
                declaration.add_attribute(Place::Whole, "noreturn", 0);
            }
            if !is_local(original.linkage()) {
                self.give_way(other, declaration.value(), &name);
            }
            declaration
        };
        self.names.insert(declaration.value(), declaration.name());
        self.declared.insert(original, declaration);
        self.originals.insert(declaration, original);
        declaration
    }

    /// Lets a symbol have its name, where what is internal elsewhere has it here.
    fn give_way(&mut self, other: Option<Value>, symbol: Value, name: &str) {
        let Some(other) = other.filter(|other| *other != symbol) else { return };
        other.set_name("");
        symbol.set_name(name);
        other.set_name(name);
        self.names.insert(other, other.name());
    }

    /// The declaration of a function that a derivative can go into: it has a body that can be copied, or a rule.
    pub fn callable(&mut self, function: Function) -> Option<Function> {
        let original = self.originals.get(&function).copied().unwrap_or(function);
        let original = self.resolve(original);
        let name = original.name();
        let has_rule = self.registry.scalar(&name).is_some() || self.adapters.contains_key(plain(&name));
        (has_rule || self.is_wanted(original)).then(|| self.declare(original))
    }

    /// The internal copy of a definition, whose calls are not attached yet; fresh copies are entered into the list.
    pub fn copy(&mut self, definition: Function, fresh: &mut Vec<Function>) -> Function {
        self.copy_for(definition, None, fresh)
    }

    /// The same of a definition that moves values of a type of which it knows the size alone.
    fn copy_for(&mut self, definition: Function, moved: Option<Node>, fresh: &mut Vec<Function>) -> Function {
        if let Some(known) = self.copies.get(&(definition, moved)) {
            return *known;
        }
        let copy = self.module.add_function(&format!("{}.ct", definition.name()), definition.ty());
        self.copies.insert((definition, moved), copy);
        self.names.insert(copy.value(), copy.name());
        self.fill(definition, moved, copy);
        self.look_at_pads(copy);
        copy.set_linkage(Linkage::LLVMInternalLinkage);
        fresh.push(copy);
        copy
    }

    /// Finds out what the landing pads of a fresh copy are there for.
    fn look_at_pads(&mut self, copy: Function) {
        let mut traces = std::mem::take(&mut self.traces);
        let pads = unwinds::purposes(copy, &mut |call| {
            let original = call.called_function().and_then(|f| self.originals.get(&f).copied());
            // What is internal to an rlib can only be called as a copy.
            let is_callable = original.is_none_or(|original| {
                !is_local(original.linkage()) || self.is_programs(original) || self.is_sharable(original)
            });
            if !is_callable {
                return Purpose::Memory;
            }
            let registry = self.registry;
            traces.purpose(call, registry, &mut |function| {
                let original = self.originals.get(&function).copied().unwrap_or(function);
                self.resolve(original)
            })
        });
        self.traces = traces;
        self.pads.extend(pads.map(|purposes| (copy, purposes)));
    }

    /// Puts calls in brackets whose panics have something to undo, in all copies since the last time.
    pub fn bracket(&mut self) {
        let pads = std::mem::take(&mut self.pads);
        if pads.is_empty() {
            return;
        }
        let mut traces = std::mem::take(&mut self.traces);
        let (registry, destructors) = (self.registry, table::destructors(self.module));
        let mut resolve = |function| {
            let original = self.originals.get(&function).copied().unwrap_or(function);
            self.resolve(original)
        };
        let objects = destructors.into_iter().any(|f| traces.leaves(f, registry, &mut resolve));
        let visible = Visible { elements: traces.have_elements(), objects };
        self.traces = traces;
        for (copy, purposes) in pads {
            unwinds::mark(copy, &mut self.next_pad, &purposes, visible);
        }
    }

    /// Whether records may be torn ([`Types::are_torn`]).
    pub fn tears_records(&self) -> bool {
        self.types.are_torn()
    }

    /// What may be halved of records ([`Types::halves`]).
    pub fn halves(&self) -> Halves {
        self.types.halves()
    }

    /// Whether floats may begin anywhere ([`Types::packs_floats`]).
    pub fn packs_floats(&self) -> bool {
        self.types.packs_floats()
    }

    /// Writes what was left open for the clean-up ([`Types::settle`]).
    ///
    /// # Errors
    /// LLVM's message where it does not know a pass.
    pub fn settle_moves(&mut self) -> Result<(), String> {
        self.takes_bits |= self.types.settle(self.module)?;
        Ok(())
    }

    /// What is known of the memory that a thunk is given.
    pub fn given_to_thunk(&mut self, thunk: Function) -> Vec<Given> {
        let handed = layout::handed_by_thunk(thunk, &mut |function| self.resolve(function));
        let mut found = Vec::new();
        for (param, to) in handed {
            let places: BTreeSet<Option<u64>> = to.iter().map(|handed| handed.found_at).collect();
            for place in places {
                let mut known = to.iter().filter(|handed| handed.found_at == place).map(|handed| {
                    let given = self
                        .types
                        .given_by_user(handed.to, self.registry)
                        .into_iter()
                        .filter(|given| given.param == handed.index);
                    given.map(|given| given.of_pointer_at(param, place)).collect::<Vec<Given>>()
                });
                // What all of them say.
                let first = known.next().unwrap_or_default();
                found.extend(
                    known.fold(first, |all, one| all.into_iter().filter(|given| one.contains(given)).collect()),
                );
            }
        }
        found
    }

    /// Gives a function of the workshop the body and the attributes of a definition elsewhere.
    fn fill(&mut self, definition: Function, moved: Option<Node>, copy: Function) {
        let own = self.is_programs(definition);
        copy_signature(definition, copy);
        if definition.string_attribute("target-features").is_none_or(|f| !own || f.is_empty())
            || self.machine_agrees(definition)
        {
            for (key, value) in &self.machine {
                copy.remove_string_attribute(key);
                if let Some(value) = value {
                    copy.add_string_attribute(key, value);
                }
            }
        }
        if copy.has_attribute(Place::Whole, "optnone") {
            copy.remove_attribute(Place::Whole, "optnone");
            copy.remove_attribute(Place::Whole, "noinline");
        }
        // A profile that asks for small code would keep loops over three functions from being written out, and then nobody knows what they call.
        for small in ["optsize", "minsize"] {
            copy.remove_attribute(Place::Whole, small);
        }
        // What std keeps out of line for its own reasons (growing a `Vec`) is better understood inlined; the user's word stands.
        let users = own && definition.source().is_none_or(|place| diag::is_users(&place));
        let size: usize = definition.blocks().into_iter().map(|b| b.instructions().len()).sum();
        if !users && size < SMALL {
            copy.remove_attribute(Place::Whole, "noinline");
        }
        handed::tell_numbers(definition, copy);
        if handed::may_be_aggregate(copy) {
            handed::free(copy);
        }
        if let Some(personality) = definition.personality() {
            copy.set_personality(Some(constants::rewrite(personality, self).unwrap_or(personality)));
        }
        // Positions of another module's debug information would need that module's compile unit. (Of several copies one alone has positions.)
        let is_other = |(of, for_type): &(Function, Option<Node>)| *of == definition && *for_type != moved;
        let keep_locations = own && definition.has_subprogram() && !self.copies.keys().any(is_other);
        if keep_locations {
            copy.share_subprogram(definition);
        }
        let map = copy_body(definition, copy, keep_locations, &mut |value| constants::rewrite(value, self));
        self.types.write_out(definition, moved, &map, self.registry);
        given::tell(copy, &self.types.given(definition, self.registry));
        spills::drop_unread(copy);
        tags::mark(copy);
        table::mark_slots(copy);
        overlaid::hold(copy);
        self.takes_bits |= taken::hide(copy, definition);
        rules::take_up(copy, self.mode);
        let callees = self.module.context().metadata_kind("callees");
        for instruction in copy.blocks().into_iter().flat_map(|b| b.instructions()) {
            if instruction.opcode() == Opcode::LLVMCall {
                instruction.clear_tail();
            }
            if matches!(instruction.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke)
                && instruction.metadata(callees).is_some()
            {
                // It names functions of the module it came from.
                instruction.set_metadata(callees, None);
            }
        }
    }

    fn machine_agrees(&self, definition: Function) -> bool {
        self.machine.iter().all(|(key, value)| *key != "target-features" || definition.string_attribute(key) == *value)
    }

    /// Turns calls of declarations to copies, in all functions of the list and in those that are copied on the way. Answers whether any call
    /// was turned.
    pub fn attach(&mut self, mut work: Vec<Function>) -> bool {
        let mut turned = false;
        while let Some(function) = work.pop() {
            let returning = returning_blocks(function);
            for block in function.blocks().into_iter().filter(|b| returning.contains(b)) {
                for call in block.instructions() {
                    let Some(original) = call.called_function().and_then(|f| self.originals.get(&f).copied()) else {
                        continue;
                    };
                    if let Some(model) = self.model(original, call.called_type()) {
                        let copy = self.copy(model, &mut work);
                        stand_in(call, copy);
                        turned = true;
                        continue;
                    }
                    let adapter = self.adapters.get(plain(&original.name())).copied();
                    let original = adapter.unwrap_or(original);
                    let fits = call.called_type() == original.ty();
                    if fits && self.copies.len() < MOST_COPIES && self.is_wanted(original) {
                        let moved = self.moved_by(original, function);
                        let copy = self.copy_for(original, moved, &mut work);
                        call.set_callee(copy.value());
                        turned = true;
                    }
                }
            }
        }
        turned
    }

    /// The type of what a function moves that knows its size alone, as the copy that calls it says.
    fn moved_by(&self, original: Function, caller: Function) -> Option<Node> {
        let owner = self.registry.moves_untold(&original.name())?;
        let ((definition, moved), _) = self.copies.iter().find(|(_, copy)| **copy == caller)?;
        moved.or_else(|| layout::first_argument(*definition, owner))
    }

    /// What stands for a function with another body than its own, where there is such a thing and it takes what a call of this type passes.
    fn model(&mut self, original: Function, call: Type) -> Option<Function> {
        if let Some(known) = self.models.get(&original) {
            return known.filter(|model| fits(*model, call));
        }
        let registry = self.registry;
        let Some(row) = registry.model(plain(&original.name())) else {
            self.models.insert(original, None);
            return None;
        };
        for symbol in &row.symbols {
            let of_program = self.program.function(symbol).filter(|f| !f.is_declaration());
            let Some(found) = of_program.or_else(|| self.bodies.find(symbol)) else { continue };
            if fits(found, call) && aligned_alike(found, original) {
                let found = self.resolve(found);
                self.models.insert(original, Some(found));
                return Some(found);
            }
        }
        None
    }

    /// The declarations of a function and of what stands for it in calls of this type, where something does.
    pub fn modelled(&mut self, function: Function, call: Type) -> Option<(Function, Function)> {
        let original = self.originals.get(&function).copied().unwrap_or(function);
        let original = self.resolve(original);
        let model = self.model(original, call)?;
        Some((self.declare(original), self.declare(model)))
    }

    /// Copies in what is still mentioned and is internal to an rlib, and lists what is internal to the program: the name in the workshop
    /// and the original.
    pub fn settle(&mut self) -> Vec<(String, Value)> {
        loop {
            let here: Vec<Function> = self.module.functions();
            let foreign: Vec<(Function, Function)> = here
                .into_iter()
                .filter(|f| f.is_declaration() && !f.value().users().is_empty())
                .filter_map(|f| Some((f, *self.originals.get(&f)?)))
                .filter(|(_, original)| is_local(original.linkage()) && !self.is_programs(*original))
                .collect();
            if foreign.is_empty() {
                break;
            }
            for (declaration, original) in foreign {
                self.fill(original, None, declaration);
                declaration.set_linkage(Linkage::LLVMInternalLinkage);
            }
        }
        let mut shared = Vec::new();
        for declaration in self.module.functions() {
            let Some(original) = self.originals.get(&declaration).copied() else { continue };
            if declaration.is_declaration() && self.is_programs(original) {
                shared.push((declaration.name(), original.value()));
            }
        }
        let here: HashSet<Global> = self.module.globals().into_iter().collect();
        let globals = self.shared_globals.iter().filter(|(copy, _)| here.contains(copy));
        shared.extend(globals.map(|(copy, original)| (copy.value().name(), original.value())));
        shared
    }

    /// What stands for a global variable that was mentioned in any module: what the program has of that name, defined there or not, so that it
    /// is one variable wherever it is mentioned.
    fn resolve_global(&mut self, global: Global) -> Global {
        if is_local(global.linkage()) {
            return global;
        }
        let name = global.name();
        let of_program = self.program.global(&name).filter(|g| !is_local(g.linkage()));
        of_program.unwrap_or_else(|| *self.variables.entry(name).or_insert(global))
    }
}

/// Whether the user keeps shadows, to be added to, of what may be more than floats.
fn keeps_records(request: &Request) -> bool {
    let is_record =
        |param: &Param| param.activity != Activity::Const && param.kind != Kind::Return && param.floats == 0;
    request.mode == Mode::Reverse && request.params.iter().any(is_record)
}

/// Whether a model takes the function's address and then what a call passes.
fn fits(model: Function, of_call: Type) -> bool {
    let of_model = model.ty();
    let parameters = of_model.params();
    parameters.first().is_some_and(|first| first.is_pointer())
        && parameters[1..] == of_call.params()[..]
        && of_model.result() == of_call.result()
        && !of_call.is_variadic()
}

/// Whether a model asks for the alignments that a function asks for, where both do.
fn aligned_alike(model: Function, original: Function) -> bool {
    let alignment = |function: Function, index: u32| function.attribute_value(Place::Param(index), "align");
    (0..original.params().len() as u32).all(|index| {
        alignment(model, index + 1).is_none_or(|own| alignment(original, index).is_none_or(|of| of == own))
    })
}

/// Puts a call of a model in the place of a call.
fn stand_in(call: Value, model: Function) {
    let mut arguments = vec![call.callee()];
    arguments.extend(call.arguments());
    let builder = Builder::before(call);
    builder.set_location_of(Some(call));
    let new = if call.opcode() == Opcode::LLVMInvoke {
        let (normal, unwind) = call.invoke_destinations();
        let new = builder.invoke(model, &arguments, normal, unwind);
        new.set_call_convention(model.convention());
        new
    } else {
        builder.call(model, &arguments)
    };
    call.replace_all_uses_with(new);
    call.erase();
}

/// Attributes and calling convention.
fn copy_signature(from: Function, to: Function) {
    to.set_convention(from.convention());
    to.copy_attributes(from, Place::Whole, Place::Whole);
    to.copy_attributes(from, Place::Result, Place::Result);
    for index in 0..from.params().len() as u32 {
        to.copy_attributes(from, Place::Param(index), Place::Param(index));
    }
}

impl Counterparts for Importer<'_> {
    fn function(&mut self, function: Function) -> Value {
        self.declare(function).value()
    }

    fn global(&mut self, global: Global) -> Value {
        let original = self.resolve_global(global);
        if let Some(known) = self.globals.get(&original) {
            return *known;
        }
        let own = original.module() == self.program;
        let local = is_local(original.linkage());
        let name = original.name();
        let other = self.module.global(&name).map(Value::from);
        let copy = self.module.add_global(&name, original.ty());
        if !local {
            self.give_way(other, copy.value(), &name);
        }
        self.names.insert(copy.value(), copy.value().name());
        copy.value().set_alignment(original.value().alignment());
        copy.set_constant(original.is_constant());
        copy.copy_thread_local_mode(original);
        self.globals.insert(original, copy.value());
        let constant = original.initializer().filter(|_| original.is_constant() && !original.is_thread_local());
        let duplicate = if own { original.is_unnamed() } else { local };
        if let Some(value) = constant
            && (own || duplicate)
        {
            copy.set_initializer(constants::rewrite(value, self).unwrap_or(value));
            if duplicate {
                copy.set_linkage(Linkage::LLVMPrivateLinkage);
                copy.set_unnamed();
            } else {
                // Its value may be looked at here, its address is the program's.
                copy.set_linkage(Linkage::LLVMAvailableExternallyLinkage);
            }
        }
        if own && !(duplicate && constant.is_some()) {
            self.shared_globals.push((copy, original));
        }
        copy.value()
    }
}
