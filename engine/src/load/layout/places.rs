//! What the pointers of a function lead to, as the types of its variables say.

use super::types::{parts, pointees};
use crate::analysis::spot::{gep_parts, place_of};
use crate::llvm::{Function, Module, Node, NodeKind, Opcode, Place, Value, Variable};
use crate::maps::HashMap;
use crate::rule::Path;

/// A place in a thing of some type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Typed {
    /// The type.
    pub ty: Node,
    /// How many bytes from its beginning.
    pub at: u64,
    /// It is only known of a local without a name that such a thing is copied into it or out of it once. (It may be a variant in the place of its enum.)
    pub is_guess: bool,
}

/// What pointers lead to.
pub struct Places {
    module: Module,
    known: HashMap<Value, Vec<Typed>>,
    /// By local: what lies in it further on, and where that begins.
    parts: HashMap<Value, Vec<(u64, Node)>>,
}

/// The types of what functions are handed in memory, by parameter.
#[derive(Debug, Default)]
pub struct Signatures(HashMap<Function, Vec<(usize, Node)>>);

impl Signatures {
    fn of(&mut self, function: Function) -> &[(usize, Node)] {
        self.0.entry(function).or_insert_with(|| {
            let params = function.params();
            let index = |variable: Variable| params.iter().position(|param| *param == variable.address);
            let all = if function.is_declaration() { Vec::new() } else { function.variables() };
            all.into_iter().filter_map(|variable| Some((index(variable)?, variable.ty))).collect()
        })
    }
}

/// What the method of a type is called that clones it.
const CLONE: &str = " as core::clone::Clone>::clone";

/// Bytes of a pointer.
const POINTER: u64 = 8;

/// How often what is known goes from pointer to pointer.
const ROUNDS: usize = 4;

impl Places {
    /// Finds out what a definition says.
    pub fn of(definition: Function, signatures: &mut Signatures) -> Places {
        let mut places = Places { module: definition.module(), known: HashMap::default(), parts: HashMap::default() };
        for variable in definition.variables() {
            places.learn(variable.address, variable.ty, false);
        }
        if places.known.is_empty() {
            return places;
        }
        for (index, param) in (0..).zip(definition.params()) {
            if definition.has_attribute(Place::Param(index), "sret")
                && let Some(ty) = definition.source_result()
            {
                places.learn(param, ty, false);
            }
        }
        for call in definition.blocks().into_iter().flat_map(|b| b.instructions()) {
            let is_call = matches!(call.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke);
            let Some(callee) = call.called_function().filter(|_| is_call) else { continue };
            let arguments = call.arguments();
            for (index, ty) in signatures.of(callee) {
                match arguments.get(*index) {
                    Some(argument) if is_local(*argument) => _ = places.learn(*argument, *ty, false),
                    Some(argument) => _ = places.learn_part(*argument, *ty),
                    None => {}
                }
            }
        }
        let instructions: Vec<Value> = definition.blocks().into_iter().flat_map(|b| b.instructions()).collect();
        for _ in 0..ROUNDS {
            let mut learned = false;
            for instruction in &instructions {
                learned |= places.look_at(*instruction);
            }
            if !learned {
                break;
            }
        }
        places
    }

    /// The types of all that is known.
    pub fn types(&self) -> impl Iterator<Item = Node> + '_ {
        self.known.values().flatten().map(|place| place.ty)
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Tells what lies at an address.
    pub fn tell(&mut self, address: Value, ty: Node) {
        self.learn(address, ty, false);
    }

    fn learn(&mut self, pointer: Value, ty: Node, is_guess: bool) -> bool {
        let all = self.known.entry(pointer).or_default();
        let new = Typed { ty, at: 0, is_guess };
        let is_new = ty.size() > 0 && !pointer.is_constant() && !all.contains(&new);
        if is_new {
            all.push(new);
        }
        is_new
    }

    /// The same of a place in a local.
    fn learn_part(&mut self, pointer: Value, ty: Node) -> bool {
        let (base, at) = place_of(pointer);
        let Some(at) = u64::try_from(at).ok().filter(|at| *at > 0 && is_local(base) && ty.size() > 0) else {
            return false;
        };
        let all = self.parts.entry(base).or_default();
        let is_new = !all.contains(&(at, ty));
        if is_new {
            all.push((at, ty));
        }
        is_new
    }

    /// What lies in so many bytes of a local from an address on, and where it begins there; the widest of what is known.
    pub fn within(&self, address: Value, bytes: u64) -> Vec<(u64, Node)> {
        let (base, at) = place_of(address);
        let Some(first) = u64::try_from(at).ok().filter(|_| is_local(base)) else { return Vec::new() };
        let whole =
            self.known.get(&base).into_iter().flatten().filter(|place| place.at == 0).map(|place| (0, place.ty));
        let parts = self.parts.get(&base).into_iter().flatten().copied();
        let is_inside = |(begin, ty): &(u64, Node)| *begin >= first && begin + ty.size() <= first + bytes;
        let mut found: Vec<(u64, Node)> =
            whole.chain(parts).filter(is_inside).map(|(begin, ty)| (begin - first, ty)).collect();
        found.sort_by_key(|(begin, ty)| (*begin, std::cmp::Reverse(ty.size())));
        let mut end = 0;
        found.retain(|(begin, ty)| {
            let is_next = *begin >= end;
            end = end.max(begin + ty.size());
            is_next
        });
        found
    }

    fn look_at(&mut self, instruction: Value) -> bool {
        let mut learned = false;
        match instruction.opcode() {
            Opcode::LLVMLoad if instruction.ty().is_pointer() => {
                for ty in self.led_to(instruction.operand(0)) {
                    learned |= self.learn(instruction, ty, false);
                }
            }
            Opcode::LLVMStore if instruction.operand(0).ty().is_pointer() => {
                for ty in self.led_to(instruction.operand(1)) {
                    learned |= self.learn(instruction.operand(0), ty, false);
                }
            }
            Opcode::LLVMExtractValue => {
                let call = instruction.operand(0);
                // Of a pair of a pointer and a word.
                let place = instruction.indices().first().map(|index| POINTER * u64::from(*index));
                if let Some(place) = place.filter(|_| instruction.ty().is_pointer()) {
                    learned |= self.learn_result(call, instruction, place);
                }
            }
            Opcode::LLVMCall | Opcode::LLVMInvoke => {
                let Some(callee) = instruction.called_function() else { return false };
                if instruction.ty().is_pointer() {
                    learned |= self.learn_result(instruction, instruction, 0);
                }
                if let Some(bytes) = copied_bytes(instruction).and_then(|bytes| bytes.as_u64()) {
                    for (one, other) in [(0, 1), (1, 0)] {
                        let (one, other) = (instruction.operand(one), instruction.operand(other));
                        let is_unknown = is_local(other) && !self.known.contains_key(&other);
                        let whole = |place: &Typed| place.at == 0 && place.ty.size() == bytes;
                        let found = || self.at(one).into_iter().find(whole).map(|place| place.ty);
                        if is_unknown && let Some(ty) = found() {
                            learned |= self.learn(other, ty, true);
                        } else if !is_local(other)
                            && self.at(other).is_empty()
                            && let Some(ty) = found()
                        {
                            learned |= self.learn_part(other, ty);
                        }
                    }
                } else if instruction.arguments().first().is_some_and(|first| is_local(*first))
                    && callee.has_attribute(Place::Param(0), "sret")
                    && let Some(ty) = callee.source_result().or_else(|| self.cloned(instruction, callee))
                {
                    learned |= self.learn(instruction.arguments()[0], ty, false);
                }
            }
            _ => {}
        }
        learned
    }

    /// The type of what a clone of the standard library returns, which was compiled without types: it is that of its argument.
    fn cloned(&self, call: Value, callee: Function) -> Option<Node> {
        let (&result, &of) = (call.arguments().first()?, call.arguments().get(1)?);
        let known = self.at(of);
        if known.is_empty() {
            return None;
        }
        let bytes = self.module.size_of(result.allocated_type());
        let method = Path::of_symbol(&callee.name())?.to_string();
        let of_type = method.strip_prefix('<')?.strip_suffix(CLONE)?;
        let inner = |place: &Typed| parts(place.ty, place.at, bytes, true).into_iter().flatten();
        known.iter().flat_map(inner).find(|ty| ty.path() == of_type)
    }

    /// Learns what a pointer leads to that a call has returned, or that is a part of what it has returned, at a place of that. (What leads to bytes may lead to
    /// anything.)
    fn learn_result(&mut self, call: Value, pointer: Value, place: u64) -> bool {
        let is_call = call.is_instruction() && matches!(call.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke);
        let callee = is_call.then(|| call.called_function()).flatten();
        let Some(ty) = callee.and_then(Function::source_result) else { return false };
        let mut found = Vec::new();
        pointees(ty, place, &mut found);
        let all = found.into_iter().filter(|ty| ty.size() > 1);
        all.fold(false, |learned, ty| learned | self.learn(pointer, ty, false))
    }

    /// What a pointer leads to that lies at an address.
    fn led_to(&self, address: Value) -> Vec<Node> {
        let mut found = Vec::new();
        for place in self.at(address) {
            pointees(place.ty, place.at, &mut found);
        }
        found
    }

    /// What is known of an address.
    pub fn at(&self, address: Value) -> Vec<Typed> {
        let mut found = self.known.get(&address).cloned().unwrap_or_default();
        if !address.is_instruction() || address.opcode() != Opcode::LLVMGetElementPtr {
            return found;
        }
        let (base, further) = place_of(address);
        for (begin, ty) in self.parts.get(&base).into_iter().flatten() {
            let at = u64::try_from(further).ok().and_then(|further| further.checked_sub(*begin));
            found.extend(at.filter(|at| *at < ty.size()).map(|at| Typed { ty: *ty, at, is_guess: true }));
        }
        let (constant, steps) = gep_parts(self.module, address);
        let stepped = self.module.size_of(address.gep_type()) as i64;
        for place in self.at(address.operand(0)) {
            let size = place.ty.size();
            // In a row of such things, what is known of one is known of all. (Bytes may be anything's.)
            let further = if size > 1 && stepped == size as i64 { constant.rem_euclid(stepped) } else { constant };
            let Some(at) = place.at.checked_add_signed(further).filter(|at| *at < size) else { continue };
            match steps[..] {
                [] => found.push(Typed { at, ..place }),
                // Another element of what a pointer leads to, or of an array.
                [step] if step == size => found.push(Typed { at, ..place }),
                [step] => {
                    let element = (place.ty.kind() == NodeKind::Array).then(|| place.ty.base()).flatten();
                    if let Some(ty) = element.filter(|ty| ty.size() == step) {
                        found.push(Typed { ty, at: at % step, ..place });
                    }
                }
                _ => {}
            }
        }
        found
    }
}

/// The number of bytes that an instruction copies, if it is a copy of memory that is not volatile.
pub fn copied_bytes(instruction: Value) -> Option<Value> {
    let callee = instruction.called_function()?.name();
    let is_copy = ["llvm.memcpy.p0.p0.", "llvm.memmove.p0.p0."].iter().any(|name| callee.starts_with(name));
    (is_copy && instruction.operand(3).is_null()).then(|| instruction.operand(2))
}

fn is_local(pointer: Value) -> bool {
    pointer.is_instruction() && pointer.opcode() == Opcode::LLVMAlloca
}
