//! Calls through a pointer that may be any of many functions: tables.
//!
//! A function whose address is never taken cannot be called through a pointer, and what is called has the type of the call. So for
//! each type of call there is a *table*, a function that compares the pointer with every function that can be meant and
//! calls that by name; where it is none of them, it ends the program with a message. The call itself stays as it is and is marked with the
//! table's name: where no derivative goes through it, it may call what it likes. Where one does, it counts as a call of the table, which is
//! differentiated like any other function. A method that is called with what varies, and that passes no derivative on as far as can be seen,
//! is looked up all the same: another crate may have made the object, and its methods are not in the table.
//!
//! Of a `dyn Trait` the pointer comes out of a vtable (rustc says that the load never changes), at an offset that the call shows: then
//! only what stands there in some vtable is meant; of other pointers, only what is mentioned outside of vtables. Where no object can come
//! from outside ([`is_closed`]) or too many functions of the program have the type, only those count that the functions mention which are
//! differentiated together, and so for what drops a value, which is at the beginning of every vtable (and whose load may say nothing).

use super::reach::is_closed;
use crate::analysis::activity::may_hold_floats;
use crate::analysis::memory::{base, gep_parts};
use crate::ir::bodies;
use crate::ir::table::{DROPS, MARK, OF_METHODS, SLOT, TABLE, is_out_of_vtable, is_table, table_of};
use crate::llvm::{Builder, Function, Global, IntPredicate, Linkage, Module, Opcode, Place, Type, Value};
use crate::load::import::{Importer, returning_blocks};
use crate::load::survey::Survey;
use crate::maps::{HashMap, HashSet};
use crate::rule::{Known, Registry};
use cotangent_contract::{self as contract, Request};

/// More functions than this of the program are not brought into a table.
const MOST: usize = 64;

/// The same of functions that take or return floats by value: those are what a derivative asks for. (Of others there may be thousands: what prints a value.)
const MOST_OF_FLOATS: usize = 1024;

/// What a parameter says that is the place of the result, and which one that is.
const SRET: &str = "sret";
const FIRST: Place = Place::Param(0);

/// A function whose address is taken, and where it stands in a vtable, if in one.
pub struct Taken {
    function: Function,
    slot: Option<u64>,
}

struct Table {
    ty: Type,
    /// Offset in the vtable.
    slot: Option<u64>,
    /// What a call of a method says of its arguments' alignment, which is all that tells slices of `f64` from slices of `f32`.
    alignments: Vec<Option<u64>>,
    /// Whether the first argument is the place of the result.
    has_place: bool,
    /// Whether the object is handed by a reference, which says how it is aligned.
    by_reference: bool,
    name: String,
    targets: Vec<Function>,
    /// Functions with a model, each with that.
    modelled: Vec<(Function, Function)>,
    /// Whether every function is in the table that was seen to be meant: only then do its functions say what a call does at most.
    whole: bool,
    function: Option<Function>,
}

/// The tables of a workshop.
pub struct Tables<'a> {
    survey: &'a Survey<'a>,
    /// What stands in messages.
    request: String,
    tables: Vec<Table>,
}

impl<'a> Tables<'a> {
    /// No tables yet.
    pub fn new(survey: &'a Survey<'a>, request: String) -> Tables<'a> {
        Tables { survey, request, tables: Vec::new() }
    }

    /// Marks calls through pointers and brings their tables up to date; true where a table has become larger.
    pub fn grow(&mut self, importer: &mut Importer, root: Function, request: &Request) -> bool {
        let module = importer.module;
        for function in bodies(module).into_iter().filter(|f| !is_table(*f)) {
            for block in returning_blocks(function) {
                let calls = block.instructions().into_iter().filter(|i| is_through_pointer(*i) && !makes_constants(*i));
                calls.for_each(|call| self.mark(call));
            }
        }
        if self.tables.is_empty() {
            return false;
        }
        let of_program = self.survey.taken();
        let here = taken(module, importer.registry);
        let is_closed = is_closed(module, root, request, importer.registry);
        let mut grown = false;
        for table in &mut self.tables {
            let before = (table.targets.len(), table.modelled.len());
            let (slot, ty, drop, alignments) = (table.slot, table.ty, is_drop(table), table.alignments.clone());
            let (has_place, by_reference) = (table.has_place, table.by_reference);
            let is_alike = |f: Function| {
                f.ty() == ty
                    && is_aligned(f, &alignments)
                    && f.has_attribute(FIRST, SRET) == has_place
                    && !(by_reference && takes_by_value(f))
            };
            let meant = |t: &&Taken| t.slot == slot && is_alike(t.function);
            let mut of_program: Vec<&Taken> = of_program.iter().filter(meant).collect();
            // Of those with a model there may be any number: they have one derivative together.
            let mut has_model = |taken: &Taken| match importer.modelled(taken.function, ty) {
                Some(pair) => {
                    if !table.modelled.contains(&pair) {
                        table.modelled.push(pair);
                    }
                    true
                }
                None => false,
            };
            of_program.retain(|t| !has_model(t));
            let drops = |t: &&Taken| drop && t.slot == Some(0) && t.function.ty() == ty;
            let here = here.iter().filter(|t| (meant(t) && !has_model(t)) || drops(t));
            let here: Vec<&Taken> = here.collect();
            let is_own = is_closed && !here.is_empty();
            let few = of_program.len() <= most(ty) && slot != Some(0) && !is_own;
            let was_whole = table.whole;
            table.whole &= drop || few || is_own || of_program.is_empty();
            let all = here.into_iter().chain(of_program.into_iter().filter(|_| few));
            for Taken { function, .. } in all {
                match importer.callable(*function) {
                    Some(target) if !table.targets.contains(&target) => table.targets.push(target),
                    Some(_) => {}
                    None => table.whole &= drop,
                }
            }
            // Often there is nothing to be done to drop a value, and nothing that could be called: the table may be empty.
            let of_nothing = table.function.is_none() && drop;
            let is_less = was_whole && !table.whole && table.function.is_some();
            if (table.targets.len(), table.modelled.len()) > before || of_nothing || is_less {
                write(module, table, &self.request);
                grown = true;
            }
        }
        let tables: Vec<Function> = self.tables.iter().filter_map(|t| t.function).collect();
        if grown {
            importer.attach(tables);
        }
        grown
    }

    /// No table can grow any more.
    pub fn close(&self) {
        for function in self.tables.iter().filter_map(|t| t.function) {
            function.set_linkage(Linkage::LLVMInternalLinkage);
        }
    }

    fn mark(&mut self, call: Value) {
        let said = || call.call_string_attribute(SLOT)?.parse().ok();
        let (ty, slot) = (call.called_type(), slot_of(call.callee(), &mut HashSet::default()).or_else(said));
        let alignments = if slot.is_some() { alignments(call) } else { Vec::new() };
        let has_place = call.has_call_attribute(FIRST, SRET);
        let object = Place::Param(u32::from(has_place));
        let is_aligned = call.call_attribute_value(object, "align").is_some();
        let by_reference = slot.is_some() && is_aligned && is_of_no_closure(call);
        let key = (ty, slot, has_place, by_reference);
        let is_it = |t: &Table| (t.ty, t.slot, t.has_place, t.by_reference) == key && t.alignments == alignments;
        let known = self.tables.iter().position(is_it);
        let number = known.unwrap_or_else(|| {
            let name = format!("ct.table.{}", self.tables.len());
            self.tables.push(Table {
                ty,
                slot,
                alignments,
                has_place,
                by_reference,
                name,
                targets: Vec::new(),
                modelled: Vec::new(),
                whole: true,
                function: None,
            });
            self.tables.len() - 1
        });
        call.add_call_string_attribute(MARK, &self.tables[number].name);
    }
}

/// The alignments that a call of a method says, but for the object's, of which it knows nothing: the first operand, or the second where
/// the first is the place of a result.
fn alignments(call: Value) -> Vec<Option<u64>> {
    let count = call.called_type().params().len() as u32;
    let object = u32::from(call.has_call_attribute(FIRST, SRET));
    (0..count).map(|i| call.call_attribute_value(Place::Param(i), "align").filter(|_| i > object)).collect()
}

/// How many functions of a type are brought into a table.
fn most(ty: Type) -> usize {
    let is_of_floats = ty.params().into_iter().chain([ty.result()]).any(may_hold_floats);
    if is_of_floats { MOST_OF_FLOATS } else { MOST }
}

/// Notes at the calls of a function in which slot of a vtable their callee stands: a load that is moved before a loop says no longer that it never changes.
pub fn mark_slots(function: Function) {
    for call in function.blocks().into_iter().flat_map(|block| block.instructions()) {
        if matches!(call.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke)
            && call.called_function().is_none()
            && let Some(slot) = slot_of(call.callee(), &mut HashSet::default())
        {
            call.add_call_string_attribute(SLOT, &slot.to_string());
        }
    }
}

/// Whether a call is known not to be that of a boxed closure, which stands in `Box`'s own `call_once`. (What the closure is handed to may say how the box is aligned, and LLVM
/// passes that on to the call when it inlines.)
fn is_of_no_closure(call: Value) -> bool {
    call.written_in().first().is_some_and(|function| !function.name().starts_with("call_once"))
}

/// Whether a function stands in a vtable to be handed its object by value: `call_once` of a boxed closure, which is the first method of every `dyn Fn`.
fn takes_by_value(function: Function) -> bool {
    let name = function.name();
    // As the older and the newer way of naming symbols have it.
    name.contains("$u7b$$u7b$vtable.shim$u7d$$u7d$") || name.starts_with("_RNS") && name.contains("9call_once6vtable")
}

/// Whether a function asks for no other alignments.
fn is_aligned(function: Function, alignments: &[Option<u64>]) -> bool {
    let differs = |(index, said): (u32, &Option<u64>)| {
        let own = function.attribute_value(Place::Param(index), "align");
        matches!((own, said), (Some(own), Some(said)) if own != *said)
    };
    !(0..).zip(alignments).any(differs)
}

fn is_through_pointer(call: Value) -> bool {
    is_of_pointer(call)
        && !call.called_type().is_variadic()
        && call.bundle_count() == 0
        && !call.has_call_string_attribute(MARK)
}

fn is_of_pointer(call: Value) -> bool {
    call.opcode() == Opcode::LLVMCall && call.called_function().is_none() && !call.callee().is_inline_assembly()
}

/// Whether a module has calls of which it is not known what they call.
pub fn calls_through_pointers(module: Module) -> bool {
    let mut calls = bodies(module).into_iter().filter(|f| !is_table(*f)).flat_map(returning_blocks);
    calls.any(|block| block.instructions().into_iter().any(is_of_pointer))
}

/// Whether a call is of a function that stands in a variable of the program, and hands it nothing: what a `LazyLock` calls. No active value lies in a static,
/// so such a function can make none.
fn makes_constants(call: Value) -> bool {
    let (pointer, count) = (call.callee(), call.called_type().params().len());
    let takes_nothing = || match count {
        0 => true,
        1 => call.has_call_attribute(FIRST, SRET),
        _ => false,
    };
    pointer.is_instruction()
        && pointer.opcode() == Opcode::LLVMLoad
        && base(pointer.operand(0)).as_global().is_some_and(|global| !global.is_constant())
        && takes_nothing()
}

/// Whether a table may be of what drops values: such pointers come from the beginning of vtables, and take the value's address alone.
fn is_drop(table: &Table) -> bool {
    let params = table.ty.params();
    table.slot.is_none_or(|slot| slot == 0)
        && table.ty.result().is_void()
        && matches!(&params[..], [value] if value.is_pointer())
}

/// Where in a vtable a function pointer was loaded from, if from one.
fn slot_of(pointer: Value, seen: &mut HashSet<Value>) -> Option<u64> {
    if !pointer.is_instruction() || !seen.insert(pointer) {
        return None;
    }
    let first = |values: Vec<Value>, seen: &mut HashSet<Value>| values.into_iter().find_map(|v| slot_of(v, seen));
    match pointer.opcode() {
        Opcode::LLVMLoad if is_out_of_vtable(pointer) => {
            let address = pointer.operand(0);
            if !address.is_instruction() || address.opcode() != Opcode::LLVMGetElementPtr {
                return Some(0);
            }
            let (offset, variable) = gep_parts(address.block().function().module(), address);
            u64::try_from(offset).ok().filter(|_| variable.is_empty())
        }
        Opcode::LLVMPHI => first(pointer.incoming().into_iter().map(|(v, _)| v).collect(), seen),
        Opcode::LLVMSelect => first(pointer.operands()[1..].to_vec(), seen),
        Opcode::LLVMFreeze => slot_of(pointer.operand(0), seen),
        _ => None,
    }
}

/// The functions of a module whose address is taken, but by what starts the program and hands it to nobody.
pub fn taken(module: Module, registry: &Registry) -> Vec<Taken> {
    let (mut found, mut seen): (Vec<Taken>, HashSet<(Function, Option<u64>)>) = Default::default();
    let mut add = |function: Function, slot: Option<u64>| {
        if seen.insert((function, slot)) {
            found.push(Taken { function, slot });
        }
    };
    let mut starts: HashMap<Function, bool> = HashMap::default();
    let mut is_one_that_starts =
        |f: &Function| *starts.entry(*f).or_insert_with(|| registry.knows(Known::Start, &f.name()));
    for global in module.globals() {
        let Some(initial) = global.initializer() else { continue };
        let is_vtable = is_vtable(global, initial);
        let mut all = Vec::new();
        functions_in(module, initial, 0, &mut |function, offset| all.push((function, offset)));
        if !all.iter().any(|(function, _)| is_one_that_starts(function)) {
            all.into_iter().for_each(|(function, offset)| add(function, is_vtable.then_some(offset)));
        }
    }
    for function in module.functions() {
        let name = function.name();
        if ["llvm.", "ct.", "__ct_"].iter().any(|prefix| name.starts_with(prefix)) || is_table(function) {
            continue;
        }
        let is_taken = |user: &Value| {
            is_in_aggregate(*user)
                || user.is_instruction()
                    && hands_on(*user, function)
                    && !is_comparison_of_table(*user)
                    && !is_start(user.block().function(), registry)
        };
        if function.value().users().iter().any(is_taken) {
            add(function, None);
        }
    }
    found
}

/// Whether an instruction that mentions a function does more than call it. (What a marker names is no function of the program's.)
fn hands_on(user: Value, function: Function) -> bool {
    match user.called_function() {
        Some(called) if called == function => user.arguments().iter().any(|a| a.as_function() == Some(function)),
        Some(called) => ![contract::MARKER_FORWARD, contract::MARKER_REVERSE].contains(&called.name().as_str()),
        None => true,
    }
}

/// Whether a function starts the program: what rustc makes for C to call it, too.
fn is_start(function: Function, registry: &Registry) -> bool {
    let is_one = |function: Function| registry.knows(Known::Start, &function.name());
    let is_call = |i: Value| matches!(i.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke);
    let starts = |i: Value| is_call(i) && i.called_function().is_some_and(is_one);
    let calls_one = || function.blocks().into_iter().flat_map(|b| b.instructions()).any(starts);
    is_one(function) || (function.name() == "main" && calls_one())
}

/// Whether a constant is, or is a part of, an aggregate that an instruction uses: a pair with a function pointer that is returned.
fn is_in_aggregate(constant: Value) -> bool {
    constant.is_compound_constant()
        && constant.users().into_iter().any(|user| user.is_instruction() || is_in_aggregate(user))
}

/// Makes calls whose pointer has become known call what their table calls for it: the table is what brought that one in.
pub fn follow(function: Function) {
    for call in function.blocks().into_iter().flat_map(|block| block.instructions()) {
        if call.opcode() == Opcode::LLVMCall
            && let Some(target) = call.called_function().filter(|f| f.is_declaration())
            && let Some(table) = table_of(call)
            && let Some(copy) = meant_by(table, target)
            && copy.ty() == call.called_type()
        {
            call.set_callee(copy.value());
        }
    }
}

/// What a table calls where a pointer is that of a function.
fn meant_by(table: Function, target: Function) -> Option<Function> {
    table.blocks().into_iter().find_map(|block| {
        let branch = block.instructions().into_iter().next_back()?;
        let test = branch.operands().into_iter().next().filter(|_| branch.opcode() == Opcode::LLVMBr)?;
        let is_test = test.is_instruction()
            && test.opcode() == Opcode::LLVMICmp
            && test.int_predicate() == IntPredicate::LLVMIntEQ
            && test.operands().iter().any(|v| v.as_function() == Some(target));
        let here = branch.successors().into_iter().next().filter(|_| is_test)?;
        here.instructions().into_iter().find_map(Value::called_function)
    })
}

fn is_comparison_of_table(user: Value) -> bool {
    user.opcode() == Opcode::LLVMICmp && is_table(user.block().function())
}

/// Whether a global is a vtable: what drops the value (or nothing), its size and alignment, then functions.
fn is_vtable(global: Global, initial: Value) -> bool {
    if !global.is_constant() || !initial.ty().is_struct() {
        return false;
    }
    let fields = initial.operands();
    let bytes = |value: &Value| if value.ty().is_array() { value.ty().count() } else { 0 };
    match &fields[..] {
        [head, ..] if bytes(head) == 24 => true,
        [drop, sizes, ..] => drop.as_function().is_some() && bytes(sizes) == 16,
        _ => false,
    }
}

/// What destroys the values behind a module's vtables.
pub fn destructors(module: Module) -> Vec<Function> {
    let vtables = module.globals().into_iter().filter_map(|global| {
        let initial = global.initializer()?;
        is_vtable(global, initial).then(|| initial.operands().first()?.as_function()).flatten()
    });
    vtables.collect()
}

/// Visits the functions that a constant holds, with their offsets.
fn functions_in(module: Module, value: Value, at: u64, visit: &mut dyn FnMut(Function, u64)) {
    if let Some(function) = value.as_function() {
        visit(function, at);
        return;
    }
    let ty = value.ty();
    if !value.is_compound_constant() || !(ty.is_struct() || ty.is_array()) {
        return;
    }
    for (index, operand) in (0u32..).zip(value.operands()) {
        let offset = if ty.is_struct() {
            module.field_offset(ty, index)
        } else {
            u64::from(index) * module.size_of(ty.element())
        };
        functions_in(module, operand, at + offset, visit);
    }
}

/// Writes a table anew.
fn write(module: Module, table: &mut Table, request: &str) {
    if let Some(old) = table.function.take() {
        old.erase();
    }
    let (context, result) = (module.context(), table.ty.result());
    let mut params = table.ty.params();
    params.push(context.ptr());
    let function = module.add_function(&table.name, result.function(&params));
    // Not internal before all is done: no pass may take it for unused.
    function.set_linkage(Linkage::LLVMExternalLinkage);
    function.add_string_attribute(TABLE, "");
    if table.slot.is_some() && table.whole {
        function.add_string_attribute(OF_METHODS, if is_drop(table) { DROPS } else { "" });
    }
    let all = function.params();
    let Some((pointer, arguments)) = all.split_last() else { return };
    let mut builder = Builder::at_end(function.append_block("start"));
    let mut models: Vec<Function> = Vec::new();
    for (_, model) in &table.modelled {
        if !models.contains(model) {
            models.push(*model);
        }
    }
    for model in models {
        let mut is_one = context.int(1).int_value(0);
        for (of, _) in table.modelled.iter().filter(|(_, m)| *m == model) {
            let same = builder.icmp(IntPredicate::LLVMIntEQ, *pointer, of.value());
            is_one = builder.binary(Opcode::LLVMOr, is_one, same);
        }
        let (here, next) = (function.append_block("modelled"), function.append_block("next"));
        builder.cond_br(is_one, here, next);
        builder = Builder::at_end(here);
        let operands: Vec<Value> = std::iter::once(*pointer).chain(arguments.iter().copied()).collect();
        give_back(&builder, model, &operands);
        builder = Builder::at_end(next);
    }
    for target in &table.targets {
        let (here, next) = (function.append_block("is"), function.append_block("next"));
        builder.cond_br(builder.icmp(IntPredicate::LLVMIntEQ, *pointer, target.value()), here, next);
        builder = Builder::at_end(here);
        give_back(&builder, *target, arguments);
        builder = Builder::at_end(next);
    }
    let text = format!(
        "in the derivative of {request}, a call through a pointer or a `dyn` value leads to a function that could not be seen when \
         the derivative was compiled"
    );
    unsupported(module, &builder, &text);
    table.function = Some(function);
}

/// Ends a block with a call and the return of its result.
fn give_back(builder: &Builder, target: Function, arguments: &[Value]) {
    let call = builder.call(target, arguments);
    call.set_call_convention(target.convention());
    // Out of line: a derivative that cannot be made is then one function's matter.
    call.add_call_attribute(Place::Whole, "noinline", 0);
    if target.ty().result().is_void() {
        builder.ret_void()
    } else {
        builder.ret(call)
    };
}

/// Ends a block with the end of the program, because a function is called that is not known.
pub fn unsupported(module: Module, builder: &Builder, text: &str) {
    end(module, builder, contract::UNSUPPORTED, text);
}

/// Ends a block with the end of the program, by a function of the runtime that says why.
pub fn end(module: Module, builder: &Builder, by: &str, text: &str) {
    let context = module.context();
    let byte = context.int(8);
    let bytes: Vec<Value> = text.bytes().map(|b| byte.int_value(u64::from(b))).collect();
    let ty = byte.array(bytes.len() as u64);
    let global = module.add_global("ct.message", ty);
    global.set_initializer(ty.array_value(&bytes));
    global.set_constant(true);
    global.set_linkage(Linkage::LLVMPrivateLinkage);
    global.set_unnamed();
    let word = context.int(64);
    let fail = module.declare(by, context.void().function(&[context.ptr(), word]));
    for name in ["noreturn", "cold"] {
        fail.add_attribute(Place::Whole, name, 0);
    }
    builder.call(fail, &[global.value(), word.int_value(bytes.len() as u64)]);
    builder.unreachable();
}
