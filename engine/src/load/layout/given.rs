//! What the types of the source say of memory that a function is given.
//!
//! Rust promises that what a `&T` leads to stays as it is while the reference lives, and a parameter lives as long as the call: also what lies behind boxes, vectors and
//! exclusive references there. All but what lies in an `UnsafeCell`. LLVM is told of the first of these pointers alone, and in debug builds of none. Nor is it told where
//! texts lie and where floats do, which nobody may look at while they are moved.

use super::is_of_floats;
use super::types::{self, Layouts, Leaf, Run};
use crate::analysis::spot::place_of;
use crate::ir::given::{Given, Said};
use crate::llvm::{Function, Node, NodeKind, Opcode, Value, Variable};
use crate::maps::{HashMap, HashSet};
use crate::rule::{Known, Path, Registry};
use std::collections::VecDeque;
use std::rc::Rc;

/// How deep a reference lies in a parameter at most.
const DEEPEST: usize = 16;
/// Ways of which something is said, from one parameter: a tree has ever more of them.
const MOST_WAYS: usize = 64;
/// Elements of an array that are looked at.
const MOST_ELEMENTS: u64 = 16;
/// Floats in a record that are told one by one.
const MOST_FLOATS: usize = 256;
/// What goes with the pointer to the elements of a slice.
const LENGTH: &str = "length";
/// How the paths of types begin whose raw pointers lead to what they own, and to nothing else.
const OWNERS: [&str; 4] = ["core::", "alloc::", "std::", "hashbrown::"];
/// The same of pointers themselves: what they lead to is a matter of who has them.
const POINTERS: &str = "core::ptr::";

/// What is known of types, as far as it was asked.
#[derive(Debug, Default)]
pub struct Promises {
    /// Whether there are no cells in them, nor in anything that they lead to.
    frozen: HashMap<Node, bool>,
    /// How those of the standard library own what their first pointer leads to.
    owners: HashMap<Node, Option<Known>>,
    /// The pointers in them.
    pointers: HashMap<Node, Rc<Pointers>>,
}

/// A pointer in something of a type.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Pointer {
    target: Node,
    is_shared: bool,
    /// It leads to many such things.
    is_row: bool,
    /// These are the bytes of a text.
    is_text: bool,
}

/// Pointers, and where they lie.
type Pointers = Vec<(u64, Pointer)>;

impl Promises {
    /// What is known of the memory that a definition is given, on ways of so many pointers behind those that are its parameters; with `layouts`, also where floats lie.
    pub fn given(
        &mut self,
        definition: Function,
        longest: usize,
        mut layouts: Option<&mut Layouts>,
        registry: &Registry,
    ) -> Vec<Given> {
        let variables: Vec<_> = definition.variables().into_iter().filter(|variable| variable.is_parameter).collect();
        let mut found = Vec::new();
        for (param, value) in definition.params().into_iter().enumerate().filter(|(_, value)| value.ty().is_pointer()) {
            let pointers = pointers(value, &variables);
            let Some(&first) = pointers.first() else { continue };
            let is_frozen = pointers.iter().all(|pointer| pointer.is_shared && self.is_frozen(pointer.target));
            let are_one = |other: &Pointer| other.target == first.target && other.is_text == first.is_text;
            if !pointers.iter().all(are_one) {
                found.extend(is_frozen.then_some(Given { param, way: Vec::new(), said: Said::Frozen }));
                continue;
            }
            let mut open = VecDeque::from([(Vec::new(), Pointer { is_shared: is_frozen, ..first }, false)]);
            for _ in 0..MOST_WAYS {
                let Some((way, pointer, was_frozen)) = open.pop_front() else { break };
                let is_frozen = !was_frozen && pointer.is_shared && self.is_frozen(pointer.target);
                let stride = if pointer.is_row { pointer.target.size() } else { 0 };
                let floats = layouts.as_deref_mut().map(|layouts| floats_of(pointer.target, stride, layouts));
                let said = [is_frozen.then_some(Said::Frozen), pointer.is_text.then_some(Said::Text)];
                let said = said.into_iter().flatten().chain(floats.into_iter().flatten());
                found.extend(said.map(|said| Given { param, way: way.clone(), said }));
                if way.len() < longest {
                    let inner = self.pointers_within(pointer.target, registry);
                    let next = |at| way.iter().copied().chain([(at, stride)]).collect::<Vec<_>>();
                    open.extend(inner.iter().map(|(at, to)| (next(*at), *to, was_frozen || is_frozen)));
                }
            }
        }
        found
    }

    /// Whether nobody writes to a thing of a type, nor to anything that it leads to, while there is a shared reference to it.
    fn is_frozen(&mut self, ty: Node) -> bool {
        *self.frozen.entry(ty).or_insert_with(|| is_without_cells(ty))
    }

    fn owner(&mut self, ty: Node, registry: &Registry) -> Option<Known> {
        *self.owners.entry(ty).or_insert_with(|| {
            let path = Path::parse(&ty.path());
            [Known::Text, Known::Row, Known::Counted].into_iter().find(|known| registry.knows_path(*known, &path))
        })
    }

    fn pointers_within(&mut self, ty: Node, registry: &Registry) -> Rc<Pointers> {
        if let Some(known) = self.pointers.get(&ty) {
            return known.clone();
        }
        let mut found = Pointers::new();
        self.pointers_in(ty, 0, DEEPEST, registry, &mut found);
        self.pointers.entry(ty).or_insert(Rc::new(found)).clone()
    }

    /// The references, boxes, rows and texts in a type that are in each thing of it, and where they lie.
    fn pointers_in(&mut self, ty: Node, at: u64, depth: usize, registry: &Registry, found: &mut Pointers) {
        let Some(depth) = depth.checked_sub(1) else { return };
        match ty.kind() {
            NodeKind::Pointer if is_reference(ty) || is_box(ty) => {
                let pointer = |target| Pointer { target, is_shared: is_shared(ty), is_row: false, is_text: false };
                found.extend(ty.base().map(|target| (at, pointer(target))));
            }
            NodeKind::Struct => {
                if let Some(owner) = self.owner(ty, registry) {
                    let [is_row, is_text] = [owner != Known::Counted, owner == Known::Text];
                    let element = ty.type_arguments().first().copied().filter(|_| owner == Known::Row);
                    found.extend(first_pointer(ty, at, DEEPEST).map(|(at, target)| {
                        (at, Pointer { target: element.unwrap_or(target), is_shared: false, is_row, is_text })
                    }));
                    return;
                }
                for part in ty.elements() {
                    if part.kind() == NodeKind::Variants {
                        self.pointers_in_variants(part, at, depth, registry, found);
                    }
                    let Some(inner) = part.base().filter(|_| part.kind() == NodeKind::Member) else { continue };
                    let at = at + part.offset();
                    match (is_reference(ty) || is_box(ty)) && inner.kind() == NodeKind::Pointer {
                        true => found.extend(to_row(ty, inner).map(|pointer| (at, pointer))),
                        false => self.pointers_in(inner, at, depth, registry, found),
                    }
                }
            }
            NodeKind::Alias => {
                ty.base().into_iter().for_each(|base| self.pointers_in(base, at, depth, registry, found));
            }
            NodeKind::Array => {
                let Some((element, count)) = ty.base().zip(ty.count()).filter(|(_, count)| *count <= MOST_ELEMENTS)
                else {
                    return;
                };
                for index in 0..count {
                    self.pointers_in(element, at + index * element.size(), depth, registry, found);
                }
            }
            _ => {}
        }
    }

    /// The same of what an enum has in its variants, as far as there is one such thing at a place in all that have a pointer there. (What one knows as a number may be an
    /// address in it, so nobody promises for all of them that it is not written to, or is text.)
    fn pointers_in_variants(&mut self, all: Node, at: u64, depth: usize, registry: &Registry, found: &mut Pointers) {
        let variants = all.elements().into_iter().filter_map(|variant| Some((variant.offset(), variant.base()?)));
        let mut known: Vec<(u64, Node, Pointers)> = Vec::new();
        for (begin, ty) in variants {
            let mut inner = Vec::new();
            self.pointers_in(ty, begin, depth, registry, &mut inner);
            known.push((begin, ty, inner));
        }
        let mut common = Pointers::new();
        for pointer in known.iter().flat_map(|(.., inner)| inner) {
            let agrees = |(begin, ty, inner): &(u64, Node, Pointers)| {
                let mut pointees = Vec::new();
                let place = pointer.0.checked_sub(*begin);
                place.into_iter().for_each(|place| types::pointees(*ty, place, &mut pointees));
                pointees.is_empty() || inner.contains(pointer)
            };
            if known.iter().all(agrees) && !common.contains(pointer) {
                common.push(*pointer);
            }
        }
        let without_promise = |pointer| Pointer { is_shared: false, is_text: false, ..pointer };
        found.extend(common.into_iter().map(|(place, pointer)| (at + place, without_promise(pointer))));
    }
}

/// The definition of a function.
pub type Resolve<'a> = &'a mut dyn FnMut(Function) -> Function;

/// A parameter of a function that is handed on what a thunk is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handed {
    /// The function.
    pub to: Function,
    /// The number of its parameter.
    pub index: usize,
    /// Where the pointer was found that is handed on: how many bytes behind the beginning of what the thunk's own leads to; none where it is that one.
    pub found_at: Option<u64>,
}

/// Where a thunk, which has no types of the source, hands on each of its parameters, or what it finds there, itself or through one closure that is handed raw pointers.
/// Parameters of which anything else is done are left out: what is known in these functions is then known of all that happens to the memory.
pub fn handed_by_thunk(thunk: Function, resolve: Resolve) -> Vec<(usize, Vec<Handed>)> {
    let mut found = Vec::new();
    for (param, value) in thunk.params().into_iter().enumerate().filter(|(_, value)| value.ty().is_pointer()) {
        let handed = handed_on(thunk, (value, None), 1, resolve);
        // What is handed on is either the pointer or what it leads to.
        let is_one =
            |all: &Vec<Handed>| all.windows(2).all(|two| two[0].found_at.is_some() == two[1].found_at.is_some());
        found.extend(handed.filter(is_one).map(|handed| (param, handed)));
    }
    found
}

/// The functions, and the numbers of their parameters, that a function hands a parameter on to, directly or out of a local, itself or through closures as deep as is said;
/// none where it does anything else with it. The parameter may have been found in memory.
fn handed_on(function: Function, param: (Value, Option<u64>), depth: usize, resolve: Resolve) -> Option<Vec<Handed>> {
    let (mut open, mut seen, mut found) = (vec![param], vec![param.0], Vec::new());
    // What is loaded as anything else than a pointer.
    let mut others: Vec<(u64, u64)> = Vec::new();
    while let Some((value, found_at)) = open.pop() {
        for user in value.users() {
            // What is the same pointer, and what is found behind it.
            let (mut same, mut inner) = (Vec::new(), Vec::new());
            match user.opcode() {
                Opcode::LLVMStore if user.operand(0) == value => {
                    let slot = place_of(user.operand(1));
                    if !is_private(slot.0) {
                        return None;
                    }
                    let all = function.blocks().into_iter().flat_map(|block| block.instructions());
                    let is_back = |at: &Value| at.opcode() == Opcode::LLVMLoad && place_of(at.operand(0)) == slot;
                    same.extend(all.filter(is_back));
                }
                Opcode::LLVMGetElementPtr if found_at.is_none() => {
                    inner.extend(loads_at(value, user)?);
                }
                Opcode::LLVMLoad if found_at.is_none() => inner.push((user, 0)),
                Opcode::LLVMCall | Opcode::LLVMInvoke => {
                    let callee = resolve(user.called_function()?);
                    let arguments = user.arguments();
                    let name = callee.name();
                    // A pointer to the elements of a slice, with their number, is a pointer to the slice.
                    if name.contains(SLICE) {
                        same.extend(user.users());
                        if !same.iter().all(|part| part.opcode() == Opcode::LLVMExtractValue) {
                            return None;
                        }
                        same.retain(|part| part.ty().is_pointer());
                    } else if name.contains(READ) && found_at.is_none() && !user.ty().is_void() {
                        inner.extend(parts_of(user)?);
                    } else {
                        for (index, _) in arguments.into_iter().enumerate().filter(|(_, argument)| *argument == value) {
                            let param = *callee.params().get(index)?;
                            match depth.checked_sub(1).filter(|_| is_raw(callee, index)) {
                                Some(depth) => found.extend(handed_on(callee, (param, found_at), depth, resolve)?),
                                None => found.push(Handed { to: callee, index, found_at }),
                            }
                        }
                    }
                }
                // It is no null.
                Opcode::LLVMICmp => {}
                _ => return None,
            }
            let is_other = |(part, _): &&(Value, u64)| !part.ty().is_pointer();
            others.extend(inner.iter().filter(is_other).map(|(part, at)| (*at, at + size_of(*part))));
            inner.retain(|(part, _)| part.ty().is_pointer());
            let same = same.into_iter().map(|part| (part, found_at));
            for (part, at) in same.chain(inner.into_iter().map(|(part, at)| (part, Some(at)))) {
                if !seen.contains(&part) {
                    seen.push(part);
                    open.push((part, at));
                }
            }
        }
    }
    let is_met = |handed: &Handed| {
        handed.found_at.is_some_and(|at| others.iter().any(|(begin, end)| (*begin..*end).contains(&at)))
    };
    (!found.iter().any(is_met)).then_some(found)
}

fn size_of(value: Value) -> u64 {
    value.block().function().module().store_size_of(value.ty())
}

/// What is loaded at an address counted from a pointer, and where there; none where anything else is done with it.
fn loads_at(pointer: Value, address: Value) -> Option<Vec<(Value, u64)>> {
    let (base, at) = place_of(address);
    let at = u64::try_from(at).ok().filter(|_| base == pointer)?;
    let users = address.users();
    users
        .iter()
        .all(|user| user.opcode() == Opcode::LLVMLoad)
        .then(|| users.into_iter().map(|load| (load, at)).collect())
}

/// The parts of what a call has read, one or two values, and where they lay.
fn parts_of(read: Value) -> Option<Vec<(Value, u64)>> {
    if read.ty().is_pointer() {
        return Some(vec![(read, 0)]);
    }
    let module = read.block().function().module();
    let of_part = |part: Value| match part.opcode() {
        Opcode::LLVMExtractValue => match part.indices()[..] {
            [index] => Some((part, module.field_offset(read.ty(), index))),
            _ => None,
        },
        _ => None,
    };
    read.ty().is_struct().then(|| read.users().into_iter().map(of_part).collect())?
}

/// In the name of the function that makes a pointer to a slice out of one to its elements.
const SLICE: &str = "slice_from_raw_parts";
/// In that of the function that reads what a pointer leads to.
const READ: &str = "4core3ptr4read";

/// Whether an address is that of a local which is only stored to and loaded from.
fn is_private(local: Value) -> bool {
    let (mut open, mut is_such) = (vec![local], local.is_instruction() && local.opcode() == Opcode::LLVMAlloca);
    while let Some(address) = open.pop() {
        for user in address.users() {
            match user.opcode() {
                Opcode::LLVMLoad => {}
                Opcode::LLVMStore => is_such &= user.operand(0) != address,
                Opcode::LLVMGetElementPtr => open.push(user),
                Opcode::LLVMCall => {
                    is_such &= user.called_function().is_some_and(|f| f.name().starts_with("llvm.lifetime."));
                }
                _ => is_such = false,
            }
        }
    }
    is_such
}

/// Whether a parameter is a raw pointer in the source.
fn is_raw(function: Function, index: usize) -> bool {
    let param = function.params()[index];
    let variables: Vec<_> = function.variables().into_iter().filter(|variable| variable.is_parameter).collect();
    let is_there = |store: Value| {
        let (local, at) = place_of(store.operand(1));
        let is_raw = |ty: Node| ty.kind() == NodeKind::Pointer && ty.name().starts_with('*');
        at == 0 && variables.iter().any(|variable| variable.address == local && is_raw(variable.ty))
    };
    stores_of(param).into_iter().any(is_there)
}

fn stores_of(param: Value) -> Vec<Value> {
    let is_such =
        |user: &Value| user.is_instruction() && user.opcode() == Opcode::LLVMStore && user.operand(0) == param;
    param.users().into_iter().filter(is_such).collect()
}

/// What a parameter is, by the variables of the source in which it lies.
fn pointers(param: Value, variables: &[Variable]) -> Vec<Pointer> {
    let handed_over = variables.iter().filter(|variable| variable.address == param);
    let mut found: Vec<Pointer> = handed_over
        .map(|variable| Pointer { target: variable.ty, is_shared: false, is_row: false, is_text: false })
        .collect();
    for store in stores_of(param) {
        let (local, at) = place_of(store.operand(1));
        for variable in variables.iter().filter(|variable| variable.address == local) {
            match u64::try_from(at).ok().and_then(|at| pointer_at(variable.ty, at, DEEPEST)) {
                Some(pointer) => found.push(pointer),
                None => return Vec::new(),
            }
        }
    }
    found
}

/// The reference or box that lies at a place of a type; none where there may be something else.
fn pointer_at(ty: Node, at: u64, depth: usize) -> Option<Pointer> {
    let depth = depth.checked_sub(1)?;
    match ty.kind() {
        NodeKind::Pointer => {
            let is_followed = is_reference(ty) || is_box(ty);
            let target = ty.base().filter(|_| is_followed && at == 0)?;
            Some(Pointer { target, is_shared: is_shared(ty), is_row: false, is_text: false })
        }
        NodeKind::Alias => pointer_at(ty.base()?, at, depth),
        NodeKind::Struct => {
            let parts = ty.elements();
            if parts.iter().any(|part| part.kind() != NodeKind::Member) {
                return None;
            }
            let is_there = |part: &Node| {
                let size = part.base().map_or(0, Node::size);
                part.offset() <= at && at < part.offset() + size
            };
            let member = parts.into_iter().find(is_there)?;
            let inner = member.base()?;
            match is_reference(ty) && inner.kind() == NodeKind::Pointer {
                true => to_row(ty, inner),
                false => pointer_at(inner, at - member.offset(), depth),
            }
        }
        _ => None,
    }
}

/// A reference to a slice or a text, by the pointer in it.
fn to_row(reference: Node, pointer: Node) -> Option<Pointer> {
    // (What goes with the pointer to an object is its table.)
    if !reference.elements().iter().any(|part| part.name() == LENGTH) {
        return None;
    }
    let is_text = matches!(&*reference.name(), "&str" | "&mut str");
    Some(Pointer { target: pointer.base()?, is_shared: is_shared(reference), is_row: true, is_text })
}

/// The floats in each thing of a type, of which there is one in so many bytes; none where these are many.
fn floats_of(ty: Node, stride: u64, layouts: &mut Layouts) -> Vec<Said> {
    let runs = layouts.of(ty).unwrap_or_default();
    if let [Run { leaf: Leaf::Float(bytes), .. }] = runs[..]
        && is_of_floats(&runs, ty.size())
    {
        return u8::try_from(bytes).map(|width| Said::Float(width, (0, bytes))).into_iter().collect();
    }
    let float = |(at, leaf): (u64, Leaf)| match leaf {
        Leaf::Float(bytes) => u8::try_from(bytes).ok().map(|bytes| Said::Float(bytes, (at, stride))),
        _ => None,
    };
    let floats: Vec<Said> = runs.iter().flat_map(|run| run.leaves()).filter_map(float).take(MOST_FLOATS + 1).collect();
    if floats.len() <= MOST_FLOATS { floats } else { Vec::new() }
}

/// The first pointer in a struct of structs: where it lies, and what it leads to.
fn first_pointer(ty: Node, at: u64, depth: usize) -> Option<(u64, Node)> {
    let depth = depth.checked_sub(1)?;
    match ty.kind() {
        NodeKind::Pointer => Some((at, ty.base()?)),
        NodeKind::Struct => {
            let members = ty.elements().into_iter().filter(|part| part.kind() == NodeKind::Member);
            members.filter_map(|member| first_pointer(member.base()?, at + member.offset(), depth)).next()
        }
        _ => None,
    }
}

fn is_reference(ty: Node) -> bool {
    ty.name().starts_with('&')
}

fn is_box(ty: Node) -> bool {
    ty.name().starts_with("alloc::boxed::Box<")
}

fn is_shared(reference: Node) -> bool {
    let name = reference.name();
    name.starts_with('&') && !name.starts_with("&mut ")
}

/// Whether there is no cell in a type, nor in anything that it leads to, as far as it goes.
fn is_without_cells(ty: Node) -> bool {
    // Beside each type, whether raw pointers in it are those of an owner. Who has them as a type argument is none.
    let (mut open, mut seen) = (vec![(ty, false)], HashSet::default());
    while let Some((ty, is_owner)) = open.pop() {
        if !seen.insert((ty, is_owner)) {
            continue;
        }
        match ty.kind() {
            NodeKind::Base | NodeKind::Enumeration => {}
            NodeKind::Pointer => {
                let name = ty.name();
                if !["fn(", "unsafe ", "extern "].iter().any(|function| name.starts_with(function)) {
                    let is_followed = is_owner || is_reference(ty) || is_box(ty);
                    let Some(base) = ty.base().filter(|_| is_followed) else { return false };
                    open.push((base, false));
                }
            }
            NodeKind::Alias | NodeKind::Array | NodeKind::Member => open.extend(ty.base().map(|base| (base, is_owner))),
            NodeKind::Union => open.extend(ty.elements().into_iter().map(|part| (part, is_owner))),
            NodeKind::Variants => open.extend(ty.elements().into_iter().map(|part| (part, is_owner))),
            NodeKind::Struct => {
                let (path, parts) = (ty.path(), ty.elements());
                // (A variant without fields is as large as its enum.)
                let is_unknown = parts.is_empty() && ty.size() > 0 && !ty.is_variant();
                if is_unknown || path.starts_with("core::cell::UnsafeCell<") || ty.name().starts_with("dyn ") {
                    return false;
                }
                open.extend(ty.type_arguments().into_iter().map(|argument| (argument, is_owner)));
                let is_owner = match OWNERS.iter().any(|owner| path.starts_with(owner)) {
                    true => is_owner || !path.starts_with(POINTERS),
                    // A reference to what has no size of its own is a pointer and a number.
                    false => path.starts_with('&') || (is_owner && path.starts_with(['(', '*'])),
                };
                open.extend(parts.into_iter().map(|part| (part, is_owner)));
            }
            NodeKind::Subprogram | NodeKind::Other => return false,
        }
    }
    true
}
