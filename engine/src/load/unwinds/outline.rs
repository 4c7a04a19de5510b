//! Landing pads as functions of their own.

use super::traces::Purpose;
use super::{add_unwound, close, open};
use crate::llvm::{Block, Builder, CopyMap, Function, Opcode, Value, copy_instruction};
use crate::load::latches;
use crate::maps::{HashMap, HashSet};

/// Simplifies what is left of a landing pad.
const TIDY: &str = "simplifycfg,adce,simplifycfg";

/// A landing pad that has become a function.
struct Outlined {
    number: u64,
    function: Function,
    /// Values that it takes; of a phi of the pad what comes from the call.
    inputs: Vec<Value>,
}

/// What the calls in a function's landing pads are there for.
pub type Purposes = HashMap<Value, Purpose>;

/// Asks what the calls in the landing pads of a function, fresh from the program, are there for. None where all only give memory back.
pub fn purposes(function: Function, purpose_of: &mut dyn FnMut(Value) -> Purpose) -> Option<Purposes> {
    let mut purposes = Purposes::default();
    let is_pad = |b: &Block| b.instructions().iter().any(|i| i.opcode() == Opcode::LLVMLandingPad);
    let regions = function.blocks().into_iter().filter(is_pad).filter_map(region);
    for instruction in regions.flatten().flat_map(|b| b.instructions()) {
        if matches!(instruction.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke) && !purposes.contains_key(&instruction)
        {
            purposes.insert(instruction, purpose_of(instruction));
        }
    }
    let matters = |purpose: &Purpose| matches!(purpose, Purpose::Trace | Purpose::Object | Purpose::Keeper);
    purposes.values().any(matters).then_some(purposes)
}

/// Whose destructors leave traces somewhere in a derivative.
#[derive(Clone, Copy, Debug)]
pub struct Visible {
    /// Elements of containers, so that books must be right.
    pub elements: bool,
    /// Values behind trait objects.
    pub objects: bool,
}

/// Puts in brackets the calls of a function whose panics have to do more than to give memory back. `next` numbers landing pads.
pub fn mark(function: Function, next: &mut u64, purposes: &Purposes, visible: Visible) {
    let mut pads: HashMap<Block, Option<Outlined>> = HashMap::default();
    for block in function.blocks() {
        let Some(invoke) = block.terminator().filter(|t| t.opcode() == Opcode::LLVMInvoke) else { continue };
        let (_, pad) = invoke.invoke_destinations();
        let outlined = pads.entry(pad).or_insert_with(|| outline(pad, next, purposes, visible));
        let Some(Outlined { number, function: unwound, inputs }) = outlined else { continue };
        let here = |input: &Value| match input.block() == pad && input.opcode() == Opcode::LLVMPHI {
            true => input.incoming().into_iter().find(|(_, from)| *from == block).map_or(*input, |(value, _)| value),
            false => *input,
        };
        let used = unwound.params().into_iter().map(|param| !param.users().is_empty());
        let arguments = inputs.iter().zip(used);
        let arguments: Vec<Value> = arguments
            .map(|(input, used)| match used {
                false => input.ty().undef(),
                true if input.is_instruction() => here(input),
                true => *input,
            })
            .collect();
        let builder = Builder::before(invoke);
        builder.set_location_of(Some(invoke));
        open(&builder, *unwound, &arguments);
        let (normal, _) = invoke.invoke_destinations();
        let on = latches::lead_through_one(normal, &[(block, 0)]);
        if let Some(jump) = on.terminator() {
            close(&Builder::before(jump), function.module(), *number);
        }
    }
}

/// Blocks that unwinding goes through, from a landing pad on. None where it does something else than to clean up.
fn region(pad: Block) -> Option<Vec<Block>> {
    let is_pad = |i: &Value| i.opcode() == Opcode::LLVMLandingPad;
    if !pad.instructions().iter().find(|i| is_pad(i))?.is_cleanup() {
        return None;
    }
    let (mut blocks, mut seen) = (vec![pad], HashSet::from_iter([pad]));
    let mut at = 0;
    while let Some(block) = blocks.get(at).copied() {
        at += 1;
        let end = block.terminator()?;
        let onward = match end.opcode() {
            // A panic in a destructor ends the program.
            Opcode::LLVMInvoke => vec![end.invoke_destinations().0],
            Opcode::LLVMBr | Opcode::LLVMSwitch => end.successors(),
            Opcode::LLVMResume | Opcode::LLVMUnreachable => Vec::new(),
            _ => return None,
        };
        blocks.extend(onward.into_iter().filter(|b| seen.insert(*b)));
    }
    Some(blocks)
}

fn outline(pad: Block, next: &mut u64, purposes: &Purposes, visible: Visible) -> Option<Outlined> {
    let region = region(pad)?;
    let inside: HashSet<Block> = region.iter().copied().collect();
    let all = || region.iter().flat_map(|b| b.instructions());
    let matters = |call: Value| match purposes.get(&call) {
        Some(Purpose::Trace) => true,
        // Objects may be elements.
        Some(Purpose::Keeper) => visible.elements || visible.objects,
        Some(Purpose::Object) => visible.objects,
        _ => false,
    };
    if !all().any(matters) {
        return None;
    }
    let is_memory = |purpose: &Purpose| match purpose {
        Purpose::Memory => true,
        Purpose::Object => !visible.objects,
        _ => false,
    };
    let is_dropped = |i: &Value| purposes.get(i).is_some_and(is_memory) && i.ty().is_void();
    let kept: Vec<Value> = all().filter(|i| !is_dropped(i) && i.opcode() != Opcode::LLVMLandingPad).collect();
    let mut inputs = Vec::new();
    let mut need = |value: Value| {
        let comes_in = value.argument_index().is_some()
            || value.is_instruction() && (!inside.contains(&value.block()) || is_phi_of(value, pad));
        if comes_in && !inputs.contains(&value) {
            inputs.push(value);
        }
    };
    for instruction in &kept {
        if instruction.opcode() == Opcode::LLVMResume || is_phi_of(*instruction, pad) {
            continue;
        }
        if instruction.opcode() == Opcode::LLVMPHI {
            let incoming = instruction.incoming().into_iter().filter(|(_, from)| inside.contains(from));
            incoming.for_each(|(value, _)| base_of(value, &inside).into_iter().for_each(&mut need));
            continue;
        }
        let operands = instruction.operands().into_iter().filter(|o| o.as_block().is_none());
        operands.for_each(|operand| base_of(operand, &inside).into_iter().for_each(&mut need));
    }
    let module = pad.function().module();
    let types: Vec<_> = inputs.iter().map(|input| input.ty()).collect();
    let function = add_unwound(module, *next, module.context().void().function(&types));
    copy(&region, &kept, &inputs, function);
    function.run_passes(TIDY).ok()?;
    let number = *next;
    *next += 1;
    Some(Outlined { number, function, inputs })
}

fn is_phi_of(value: Value, pad: Block) -> bool {
    value.is_instruction() && value.opcode() == Opcode::LLVMPHI && value.block() == pad
}

/// What an operand is made of: a fixed place in a local is found again from the local.
fn base_of(operand: Value, inside: &HashSet<Block>) -> Option<Value> {
    Some(if is_place_in_local(operand, inside) { operand.operand(0) } else { operand })
}

fn is_place_in_local(value: Value, inside: &HashSet<Block>) -> bool {
    value.is_instruction()
        && value.opcode() == Opcode::LLVMGetElementPtr
        && !inside.contains(&value.block())
        && value.operand(0).is_instruction()
        && value.operand(0).opcode() == Opcode::LLVMAlloca
        && value.operands()[1..].iter().all(|index| index.is_constant())
}

/// Writes the function: what is kept, without unwinding.
fn copy(region: &[Block], kept: &[Value], inputs: &[Value], function: Function) {
    let inside: HashSet<Block> = region.iter().copied().collect();
    let kept: HashSet<Value> = kept.iter().copied().collect();
    let mut map = CopyMap::default();
    let start = function.append_block("start");
    for block in region {
        map.blocks.insert(*block, function.append_block(""));
    }
    map.values.extend(inputs.iter().copied().zip(function.params()));
    for operand in region.iter().flat_map(|b| b.instructions()).filter(|i| kept.contains(i)).flat_map(Value::operands) {
        if is_place_in_local(operand, &inside) && !map.values.contains_key(&operand) {
            copy_instruction(operand, start, &mut map, &mut |_| None).clear_location();
        }
    }
    Builder::at_end(start).br(map.blocks[&region[0]]);
    let mut copies = Vec::new();
    for block in region {
        let builder = Builder::at_end(map.blocks[block]);
        for instruction in block.instructions() {
            match instruction.opcode() {
                Opcode::LLVMLandingPad => {
                    map.values.insert(instruction, instruction.ty().undef());
                }
                Opcode::LLVMPHI if inputs.contains(&instruction) => {}
                Opcode::LLVMPHI if *block == region[0] => {
                    map.values.insert(instruction, instruction.ty().undef());
                }
                Opcode::LLVMResume => {
                    builder.ret_void();
                }
                Opcode::LLVMInvoke => {
                    let (normal, _) = instruction.invoke_destinations();
                    if kept.contains(&instruction) {
                        let arguments: Vec<Value> = instruction.arguments().into_iter().map(|a| map.value(a)).collect();
                        let callee = map.value(instruction.callee());
                        let call = builder.call_value(instruction.called_type(), callee, &arguments);
                        call.set_call_convention(instruction.call_convention());
                        call.copy_call_attributes(instruction);
                        map.values.insert(instruction, call);
                        copies.push((instruction, call));
                    }
                    builder.br(map.blocks[&normal]);
                }
                _ if kept.contains(&instruction) => {
                    let copy = copy_instruction(instruction, map.blocks[block], &mut map, &mut |_| None);
                    copy.clear_location();
                    copies.push((instruction, copy));
                }
                _ => {}
            }
        }
    }
    // Operands that were written later in layout order, and the phis' incoming values.
    for (original, copy) in copies {
        if original.opcode() == Opcode::LLVMPHI {
            for (value, from) in original.incoming().into_iter().filter(|(_, from)| inside.contains(from)) {
                copy.add_incoming(map.value(value), map.blocks[&from]);
            }
            continue;
        }
        let count = if original.opcode() == Opcode::LLVMInvoke {
            original.arguments().len() as u32
        } else {
            copy.operand_count()
        };
        for index in 0..count {
            let operand = original.operand(index);
            if operand.as_block().is_none() && map.values.contains_key(&operand) {
                copy.set_operand(index, map.value(operand));
            }
        }
    }
}
