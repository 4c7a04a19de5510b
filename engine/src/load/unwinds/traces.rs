//! Which destructors do more than to give memory back.
//!
//! A destructor leaves a trace where it, or what it calls, writes to memory that it reached through a pointer, to a static, by an atomic operation, or calls something that
//! is inactive (printing, locks of the system) or not known. What it does to its own locals and to the value that it destroys is no trace; nor is giving memory back.
//! Containers of the library count references and set lengths while they give memory back; the registry names them. That is no trace either, but it is done where
//! there is one beside it: a destructor of elements goes by the length. What a trait object leaves is not known; that the derivative has made one whose destructor
//! leaves a trace is.

use crate::llvm::{Function, Opcode, Place, Value};
use crate::maps::HashMap;
use crate::rule::{Effect, Known, Registry, plain};

/// How many steps an address is followed back.
const MOST_STEPS: usize = 32;

/// What a function leaves behind.
#[derive(Clone, Debug, Default)]
struct Trace {
    /// Something that can be seen from outside, whatever it is called with.
    leaves: bool,
    /// Parameters through which it writes directly.
    through: Vec<bool>,
    /// It keeps the books of memory: sets lengths, moves elements to where they belong, counts references.
    keeps: bool,
    /// It is a container's, and leaves the traces of elements.
    of_elements: bool,
    /// It destroys what a trait object is made of.
    of_objects: bool,
}

/// What is known of functions.
#[derive(Default)]
pub struct Traces {
    known: HashMap<Function, Trace>,
    have_elements: bool,
}

/// What a call in a landing pad is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To give memory back, or for nothing that matters here.
    Memory,
    /// It works on what others of the landing pad destroy.
    Helper,
    /// It keeps the books of a container, by which others destroy its elements, there or further out.
    Keeper,
    /// It destroys a trait object, of which it is not known what it leaves.
    Object,
    /// To leave a trace.
    Trace,
}

/// Where an address comes from.
enum Root {
    Own,
    Param(u32),
    Other,
}

impl Traces {
    /// What a call in a landing pad is there for; `resolve` gives the definition of a function, where there is one.
    pub fn purpose(
        &mut self,
        call: Value,
        registry: &Registry,
        resolve: &mut dyn FnMut(Function) -> Function,
    ) -> Purpose {
        if call.callee().is_inline_assembly() {
            return Purpose::Trace;
        }
        if super::never_returns(call) {
            return Purpose::Memory;
        }
        let Some(callee) = call.called_function() else {
            return if destroys_object(call) { Purpose::Object } else { Purpose::Trace };
        };
        let trace = self.of(resolve(callee), registry, resolve);
        let reaches = |(argument, through): (Value, &bool)| *through && matches!(root_of(argument), Root::Other);
        if trace.leaves || call.arguments().into_iter().zip(&trace.through).any(reaches) {
            self.have_elements |= trace.of_elements;
            Purpose::Trace
        } else if trace.of_objects {
            Purpose::Object
        } else if trace.keeps {
            Purpose::Keeper
        } else if trace.through.contains(&true) || is_move(callee) {
            Purpose::Helper
        } else {
            Purpose::Memory
        }
    }

    /// Whether containers have been asked about whose elements leave traces.
    pub fn have_elements(&self) -> bool {
        self.have_elements
    }

    /// Whether a destructor leaves traces.
    pub fn leaves(
        &mut self,
        destructor: Function,
        registry: &Registry,
        resolve: &mut dyn FnMut(Function) -> Function,
    ) -> bool {
        self.of(resolve(destructor), registry, resolve).leaves
    }

    fn of(&mut self, function: Function, registry: &Registry, resolve: &mut dyn FnMut(Function) -> Function) -> Trace {
        if let Some(known) = self.known.get(&function) {
            return known.clone();
        }
        let mut trace = Trace { through: vec![false; function.params().len()], ..Trace::default() };
        // What calls itself leaves what the rest of it does.
        self.known.insert(function, trace.clone());
        let name = function.name();
        let name = plain(&name);
        if let Some(effect) = registry.effect(name) {
            match effect {
                Effect::Inactive | Effect::Text { .. } => trace.leaves = true,
                Effect::Copy { to, .. } | Effect::Fill { to, .. } => trace.writes(Root::Param(to as u32), false),
                _ => {}
            }
        } else if registry.scalar(name).is_some() || name.starts_with("llvm.") {
        } else if function.is_declaration() {
            trace.leaves = !function.has_attribute(Place::Whole, "noreturn");
        } else {
            let is_quiet = registry.knows(Known::Quiet, name);
            for instruction in function.blocks().into_iter().flat_map(|b| b.instructions()) {
                self.note(instruction, is_quiet, &mut trace, registry, resolve);
            }
            trace.of_elements |= is_quiet && trace.leaves;
        }
        self.known.insert(function, trace.clone());
        trace
    }

    fn note(
        &mut self,
        instruction: Value,
        is_quiet: bool,
        trace: &mut Trace,
        registry: &Registry,
        resolve: &mut dyn FnMut(Function) -> Function,
    ) {
        use Opcode::*;
        match instruction.opcode() {
            LLVMStore => trace.writes(root_of(instruction.operand(1)), is_quiet),
            LLVMAtomicRMW | LLVMAtomicCmpXchg => trace.writes(Root::Other, is_quiet),
            LLVMCall | LLVMInvoke if !super::never_returns(instruction) => {
                let Some(callee) = instruction.called_function() else {
                    match destroys_object(instruction) {
                        true => trace.of_objects = true,
                        false => trace.leaves = true,
                    }
                    return;
                };
                if is_move(callee) {
                    trace.writes(root_of(instruction.operand(0)), is_quiet);
                    return;
                }
                let of_callee = self.of(resolve(callee), registry, resolve);
                trace.leaves |= of_callee.leaves;
                trace.keeps |= of_callee.keeps;
                trace.of_elements |= of_callee.of_elements;
                trace.of_objects |= of_callee.of_objects;
                for (argument, through) in instruction.arguments().into_iter().zip(of_callee.through) {
                    if through {
                        trace.writes(root_of(argument), is_quiet);
                    }
                }
            }
            _ => {}
        }
    }
}

impl Trace {
    fn writes(&mut self, root: Root, is_quiet: bool) {
        match root {
            Root::Own => {}
            _ if is_quiet => self.keeps = true,
            Root::Param(index) => {
                if let Some(through) = self.through.get_mut(index as usize) {
                    *through = true;
                }
            }
            Root::Other => self.leaves = true,
        }
    }
}

/// Whether a call through a pointer is one of what stands at the beginning of a vtable.
fn destroys_object(call: Value) -> bool {
    let (ty, pointer) = (call.called_type(), call.callee());
    ty.result().is_void()
        && matches!(&ty.params()[..], [value] if value.is_pointer())
        && pointer.is_instruction()
        && pointer.opcode() == Opcode::LLVMLoad
        && !(pointer.operand(0).is_instruction() && pointer.operand(0).opcode() == Opcode::LLVMGetElementPtr)
}

/// Whether a function of LLVM's writes to memory.
fn is_move(function: Function) -> bool {
    let name = function.name();
    ["llvm.memcpy", "llvm.memmove", "llvm.memset"].iter().any(|prefix| name.starts_with(prefix))
}

fn root_of(mut address: Value) -> Root {
    for _ in 0..MOST_STEPS {
        if let Some(index) = address.argument_index() {
            return Root::Param(index);
        }
        if !address.is_instruction() {
            break;
        }
        match address.opcode() {
            Opcode::LLVMAlloca => return Root::Own,
            Opcode::LLVMGetElementPtr | Opcode::LLVMBitCast | Opcode::LLVMFreeze => address = address.operand(0),
            Opcode::LLVMPHI | Opcode::LLVMSelect => {
                // A pointer that steps on through what it pointed to at first.
                let choices = match address.opcode() {
                    Opcode::LLVMSelect => address.operands()[1..].to_vec(),
                    _ => address.incoming().into_iter().map(|(value, _)| value).collect(),
                };
                let steps_on = |choice: &Value| {
                    choice.is_instruction()
                        && choice.opcode() == Opcode::LLVMGetElementPtr
                        && choice.operand(0) == address
                };
                let first: Vec<Value> = choices.into_iter().filter(|c| !steps_on(c)).collect();
                match first[..] {
                    [only] => address = only,
                    _ => break,
                }
            }
            // What a parameter was put into first.
            Opcode::LLVMLoad => match only_stored(address.operand(0)) {
                Some(stored) => address = stored,
                None => break,
            },
            _ => break,
        }
    }
    Root::Other
}

/// What is stored in a local, where that is done once and nobody else gets at it.
fn only_stored(local: Value) -> Option<Value> {
    if !local.is_instruction() || local.opcode() != Opcode::LLVMAlloca {
        return None;
    }
    let mut stored = None;
    for user in local.users() {
        match user.opcode() {
            Opcode::LLVMLoad => {}
            Opcode::LLVMStore if user.operand(1) == local && stored.is_none() => stored = Some(user.operand(0)),
            Opcode::LLVMCall if user.called_function().is_some_and(|f| f.name().starts_with("llvm.lifetime.")) => {}
            _ => return None,
        }
    }
    stored
}
