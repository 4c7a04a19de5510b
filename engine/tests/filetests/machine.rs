//! An interpreter of IR, which knows nothing of LLVM's passes and code generator.
//!
//! It follows scalars, pointers and aggregates through one function after another. What a real machine would let pass is an error:
//! reading bytes that nobody wrote, using memory after it was freed, branching on a poison value, memory that is never freed.
use crate::storage::Storage;
use cotangent_engine::llvm::{
    Block, Function, IntPredicate as I, Module, Opcode as O, RealPredicate as R, Type, Value,
};
use std::collections::HashMap;
use std::rc::Rc;

/// A value while the program runs.
#[derive(Clone, Debug, PartialEq)]
pub enum V {
    /// An integer of up to 64 bits, or an address.
    Int(u64),
    /// A `double`, or a `float`, which every one can hold.
    Float(f64),
    /// An aggregate.
    Many(Vec<V>),
    /// Nothing that may be used.
    Poison,
}

/// A program that runs.
pub struct Machine {
    /// Its memory.
    pub storage: Storage,
    module: Module,
    places: HashMap<Value, u64>,
    functions: Vec<Function>,
    tape: Vec<u64>,
    deferred: Vec<(usize, u64, Vec<V>)>,
    steps: usize,
    instructions: HashMap<Block, Rc<[Value]>>,
}

/// No case takes longer.
const STEPS: usize = 1_000_000;

fn is_single(ty: Type) -> bool {
    ty.to_string() == "float"
}

/// Whether a value of a type is one of parts.
fn is_of_parts(ty: Type) -> bool {
    ty.is_struct() || ty.is_array() || ty.is_vector()
}

fn round(ty: Type, value: f64) -> V {
    V::Float(if is_single(ty) { f64::from(value as f32) } else { value })
}

fn mask(bits: u32, value: u64) -> u64 {
    if bits >= 64 { value } else { value & ((1 << bits) - 1) }
}

fn signed(bits: u32, value: u64) -> i64 {
    let by = 64 - bits.clamp(1, 64);
    (value << by) as i64 >> by
}

impl Machine {
    /// A program that has not begun.
    pub fn new(module: Module) -> Machine {
        let (storage, places) = (Storage::default(), HashMap::new());
        let functions = module.functions();
        Machine {
            storage,
            module,
            places,
            functions,
            tape: Vec::new(),
            deferred: Vec::new(),
            steps: 0,
            instructions: HashMap::new(),
        }
    }

    /// Calls a function.
    ///
    /// # Errors
    /// What went wrong, and where.
    pub fn call(&mut self, function: Function, arguments: &[V]) -> Result<V, String> {
        if function.is_declaration() {
            return self.outside(function, arguments);
        }
        let mut frame: HashMap<Value, V> = function.params().into_iter().zip(arguments.iter().cloned()).collect();
        let mut locals = Vec::new();
        let (mut block, mut from): (Block, Option<Block>) = (function.entry(), None);
        loop {
            let instructions = self.instructions.entry(block).or_insert_with(|| block.instructions().into()).clone();
            let phis = instructions.iter().copied().take_while(|i| i.opcode() == O::LLVMPHI);
            let mut values = Vec::new();
            for phi in phis {
                let incoming = phi.incoming().into_iter().find(|(_, b)| Some(*b) == from);
                let (value, _) = incoming.ok_or_else(|| format!("no way into {phi}"))?;
                values.push((phi, self.value(&frame, value)?));
            }
            frame.extend(values);
            let mut next = None;
            for instruction in instructions.iter().copied() {
                if instruction.opcode() == O::LLVMPHI {
                    continue;
                }
                self.steps += 1;
                if self.steps > STEPS {
                    return Err("this runs for ever".into());
                }
                let at = |e: String| format!("{e}\n  in @{}: {instruction}", function.name());
                if instruction.opcode() == O::LLVMRet {
                    let result = match instruction.operands().first() {
                        Some(value) => self.value(&frame, *value)?,
                        None => V::Poison,
                    };
                    for local in locals {
                        self.storage.free(local)?;
                    }
                    return Ok(result);
                }
                if instruction.is_terminator() {
                    next = Some(self.go(&mut frame, instruction).map_err(at)?);
                    break;
                }
                if instruction.opcode() == O::LLVMAlloca {
                    let count = self.int(&frame, instruction.operand(0))?;
                    let size = self.module.size_of(instruction.allocated_type()) * count;
                    let local = self.storage.allocate(size, false, false);
                    locals.push(local);
                    frame.insert(instruction, V::Int(local));
                    continue;
                }
                let result = self.step(&frame, instruction).map_err(at)?;
                frame.insert(instruction, result);
            }
            from = Some(block);
            block = next.ok_or("a block without an end")?;
        }
    }

    /// Where a terminator goes.
    fn go(&mut self, frame: &mut HashMap<Value, V>, instruction: Value) -> Result<Block, String> {
        let next = instruction.successors();
        match instruction.opcode() {
            O::LLVMBr if !instruction.is_conditional() => Ok(next[0]),
            O::LLVMBr => Ok(if self.int(frame, instruction.operand(0))? == 1 { next[0] } else { next[1] }),
            O::LLVMSwitch => {
                let value = self.int(frame, instruction.operand(0))?;
                let bits = instruction.operand(0).ty().bits();
                let chosen = (1..next.len())
                    .find(|i| instruction.case_value(*i as u32).as_u64().map(|c| mask(bits, c)) == Some(value));
                Ok(next[chosen.unwrap_or(0)])
            }
            O::LLVMInvoke => {
                let result = self.step(frame, instruction)?;
                frame.insert(instruction, result);
                Ok(instruction.invoke_destinations().0)
            }
            other => Err(format!("{other:?} ends this")),
        }
    }

    fn int(&mut self, frame: &HashMap<Value, V>, value: Value) -> Result<u64, String> {
        match self.value(frame, value)? {
            V::Int(i) => Ok(i),
            other => Err(format!("{other:?} is no integer")),
        }
    }

    /// A value: of this call, or constant.
    fn value(&mut self, frame: &HashMap<Value, V>, value: Value) -> Result<V, String> {
        if let Some(known) = frame.get(&value) {
            return Ok(known.clone());
        }
        let ty = value.ty();
        if let Some(function) = value.as_function() {
            // Below every block.
            let number = self.functions.iter().position(|f| *f == function);
            return number.map(|n| V::Int(n as u64 + 1)).ok_or_else(|| "an unknown function".into());
        }
        if let Some(global) = value.as_global() {
            if let Some(place) = self.places.get(&value) {
                return Ok(V::Int(*place));
            }
            let initializer = global.initializer().ok_or("a global without a value")?;
            let place = self.storage.allocate(self.module.size_of(initializer.ty()), false, false);
            self.places.insert(value, place);
            let first = self.value(frame, initializer)?;
            self.store(place, initializer.ty(), &first)?;
            return Ok(V::Int(place));
        }
        if value.is_undef() {
            return Ok(V::Poison);
        }
        if let Some(number) = value.as_u64() {
            return Ok(V::Int(mask(ty.bits(), number)));
        }
        if let Some(number) = value.as_f64() {
            return Ok(V::Float(number));
        }
        if value.constant_opcode() == Some(O::LLVMGetElementPtr) {
            return self.address(frame, value).map(V::Int);
        }
        if is_of_parts(ty) {
            let part = |i: u64| value.aggregate_element(i as u32).ok_or("a constant without parts".to_owned());
            let parts = (0..ty.count()).map(|i| self.value(frame, part(i)?)).collect::<Result<_, _>>()?;
            return Ok(V::Many(parts));
        }
        if value.is_null() {
            return Ok(V::Int(0));
        }
        Err(format!("cannot tell what {value} is"))
    }

    fn address(&mut self, frame: &HashMap<Value, V>, gep: Value) -> Result<u64, String> {
        let mut address = self.int(frame, gep.operand(0))?;
        let mut ty = gep.gep_type();
        for (position, index) in gep.operands().into_iter().skip(1).enumerate() {
            let number = signed(index.ty().bits(), self.int(frame, index)?);
            if position > 0 && ty.is_struct() {
                address = address.wrapping_add(self.module.field_offset(ty, number as u32));
                ty = ty.field(number as u32);
                continue;
            }
            if position > 0 {
                ty = ty.element();
            }
            address = address.wrapping_add_signed(number * self.module.size_of(ty) as i64);
        }
        Ok(address)
    }

    fn load(&mut self, address: u64, ty: Type) -> Result<V, String> {
        if is_of_parts(ty) {
            let mut parts = Vec::new();
            for (offset, part) in self.parts(ty) {
                parts.push(self.load(address + offset, part)?);
            }
            return Ok(V::Many(parts));
        }
        let Some(word) = self.storage.read(address, self.module.store_size_of(ty))? else { return Ok(V::Poison) };
        Ok(match (ty.is_float(), is_single(ty)) {
            (true, true) => V::Float(f64::from(f32::from_bits(word as u32))),
            (true, false) => V::Float(f64::from_bits(word)),
            _ => V::Int(mask(if ty.is_int() { ty.bits() } else { 64 }, word)),
        })
    }

    fn store(&mut self, address: u64, ty: Type, value: &V) -> Result<(), String> {
        let size = self.module.store_size_of(ty);
        match value {
            V::Many(parts) => {
                for ((offset, part), value) in self.parts(ty).into_iter().zip(parts) {
                    self.store(address + offset, part, value)?;
                }
                Ok(())
            }
            V::Int(i) => self.storage.write(address, size, Some(*i)),
            V::Float(f) if is_single(ty) => self.storage.write(address, size, Some(u64::from((*f as f32).to_bits()))),
            V::Float(f) => self.storage.write(address, size, Some(f.to_bits())),
            V::Poison => (0..size).try_for_each(|i| self.storage.write(address + i, 1, None)),
        }
    }

    fn parts(&self, ty: Type) -> Vec<(u64, Type)> {
        if ty.is_struct() {
            return (0..ty.count() as u32).map(|i| (self.module.field_offset(ty, i), ty.field(i))).collect();
        }
        let size = self.module.size_of(ty.element());
        (0..ty.count()).map(|i| (i * size, ty.element())).collect()
    }

    fn step(&mut self, frame: &HashMap<Value, V>, i: Value) -> Result<V, String> {
        let ty = i.ty();
        match i.opcode() {
            O::LLVMCall | O::LLVMInvoke => {
                let arguments = i
                    .arguments()
                    .into_iter()
                    .map(|a| if a.is_metadata() { Ok(V::Poison) } else { self.value(frame, a) });
                let arguments = arguments.collect::<Result<Vec<V>, String>>()?;
                let callee = match i.called_function() {
                    Some(function) => function,
                    None => {
                        let number = self.int(frame, i.callee())? as usize;
                        *number.checked_sub(1).and_then(|n| self.functions.get(n)).ok_or("no function there")?
                    }
                };
                return self.call(callee, &arguments);
            }
            O::LLVMGetElementPtr => return self.address(frame, i).map(V::Int),
            O::LLVMLoad => {
                let address = self.int(frame, i.operand(0))?;
                return self.load(address, ty);
            }
            O::LLVMStore => {
                let (value, address) = (self.value(frame, i.operand(0))?, self.int(frame, i.operand(1))?);
                return self.store(address, i.operand(0).ty(), &value).map(|()| V::Poison);
            }
            O::LLVMSelect => {
                let chosen = if self.int(frame, i.operand(0))? == 1 { 1 } else { 2 };
                return self.value(frame, i.operand(chosen));
            }
            _ => {}
        }
        let operands = i.operands().into_iter().map(|v| self.value(frame, v)).collect::<Result<Vec<V>, String>>()?;
        let bits = i.operand(0).ty().bits();
        match (i.opcode(), &operands[..]) {
            (O::LLVMExtractValue, [V::Many(_)]) => {
                i.indices().iter().try_fold(operands[0].clone(), |all, index| match all {
                    V::Many(parts) => Ok(parts[*index as usize].clone()),
                    _ => Ok(V::Poison),
                })
            }
            (O::LLVMInsertValue, [all, part]) => Ok(insert(all.clone(), ty, &i.indices(), part)),
            (O::LLVMExtractElement, [V::Many(lanes), V::Int(at)]) => {
                Ok(lanes.get(*at as usize).cloned().unwrap_or(V::Poison))
            }
            (O::LLVMInsertElement, [all, lane, V::Int(at)]) => Ok(insert(all.clone(), ty, &[*at as u32], lane)),
            (O::LLVMFAdd, [V::Many(a), V::Many(b)]) => {
                let sum = |(a, b): (&V, &V)| match (a, b) {
                    (V::Float(a), V::Float(b)) => round(ty.element(), a + b),
                    _ => V::Poison,
                };
                Ok(V::Many(a.iter().zip(b).map(sum).collect()))
            }
            (_, all) if all.contains(&V::Poison) => Ok(V::Poison),
            (O::LLVMFreeze | O::LLVMAddrSpaceCast | O::LLVMPtrToInt | O::LLVMIntToPtr | O::LLVMZExt, [v]) => {
                Ok(v.clone())
            }
            (O::LLVMTrunc, [V::Int(a)]) => Ok(V::Int(mask(ty.bits(), *a))),
            (O::LLVMSExt, [V::Int(a)]) => Ok(V::Int(mask(ty.bits(), signed(bits, *a) as u64))),
            (O::LLVMFPExt | O::LLVMFPTrunc, [V::Float(a)]) => Ok(round(ty, *a)),
            (O::LLVMSIToFP, [V::Int(a)]) => Ok(round(ty, signed(bits, *a) as f64)),
            (O::LLVMUIToFP, [V::Int(a)]) => Ok(round(ty, *a as f64)),
            (O::LLVMFPToSI, [V::Float(a)]) => Ok(V::Int(mask(ty.bits(), *a as i64 as u64))),
            (O::LLVMFPToUI, [V::Float(a)]) => Ok(V::Int(mask(ty.bits(), *a as u64))),
            (O::LLVMBitCast, [V::Float(a)]) if ty.bits() == 64 => Ok(V::Int(a.to_bits())),
            (O::LLVMBitCast, [V::Float(a)]) if ty.bits() == 32 => Ok(V::Int(u64::from((*a as f32).to_bits()))),
            (O::LLVMBitCast, [V::Int(a)]) if is_single(ty) => Ok(V::Float(f64::from(f32::from_bits(*a as u32)))),
            (O::LLVMBitCast, [V::Int(a)]) => Ok(V::Float(f64::from_bits(*a))),
            (O::LLVMFNeg, [V::Float(a)]) => Ok(V::Float(-a)),
            (O::LLVMFCmp, [V::Float(a), V::Float(b)]) => Ok(V::Int(compare(i.real_predicate(), *a, *b).into())),
            (O::LLVMICmp, [V::Int(a), V::Int(b)]) => {
                let bits = if bits == 0 { 64 } else { bits };
                let (x, y) = (signed(bits, *a), signed(bits, *b));
                let holds = match i.int_predicate() {
                    I::LLVMIntEQ => a == b,
                    I::LLVMIntNE => a != b,
                    I::LLVMIntUGT => a > b,
                    I::LLVMIntUGE => a >= b,
                    I::LLVMIntULT => a < b,
                    I::LLVMIntULE => a <= b,
                    I::LLVMIntSGT => x > y,
                    I::LLVMIntSGE => x >= y,
                    I::LLVMIntSLT => x < y,
                    I::LLVMIntSLE => x <= y,
                };
                Ok(V::Int(holds.into()))
            }
            (opcode, [V::Float(a), V::Float(b)]) => Ok(round(
                ty,
                match opcode {
                    O::LLVMFAdd => a + b,
                    O::LLVMFSub => a - b,
                    O::LLVMFMul => a * b,
                    O::LLVMFDiv => a / b,
                    O::LLVMFRem => a % b,
                    other => return Err(format!("{other:?} is not interpreted")),
                },
            )),
            (opcode, [V::Int(a), V::Int(b)]) => {
                let (x, y) = (signed(bits, *a), signed(bits, *b));
                let nonzero = |value: u64| if *b == 0 { Err("division by zero".to_owned()) } else { Ok(value) };
                let value = match opcode {
                    O::LLVMAdd => a.wrapping_add(*b),
                    O::LLVMSub => a.wrapping_sub(*b),
                    O::LLVMMul => a.wrapping_mul(*b),
                    O::LLVMUDiv => nonzero(a.checked_div(*b).unwrap_or(0))?,
                    O::LLVMURem => nonzero(a.checked_rem(*b).unwrap_or(0))?,
                    O::LLVMSDiv => nonzero(x.checked_div(y).unwrap_or(0) as u64)?,
                    O::LLVMSRem => nonzero(x.checked_rem(y).unwrap_or(0) as u64)?,
                    O::LLVMShl => a.checked_shl(*b as u32).unwrap_or(0),
                    O::LLVMLShr => a.checked_shr(*b as u32).unwrap_or(0),
                    O::LLVMAShr => (x >> (*b).min(63)) as u64,
                    O::LLVMAnd => a & b,
                    O::LLVMOr => a | b,
                    O::LLVMXor => a ^ b,
                    other => return Err(format!("{other:?} is not interpreted")),
                };
                Ok(V::Int(mask(bits, value)))
            }
            (other, _) => Err(format!("{other:?} is not interpreted")),
        }
    }

    /// A function without a body: an intrinsic, an allocator's, the tape's, or one of libm.
    fn outside(&mut self, function: Function, arguments: &[V]) -> Result<V, String> {
        let name = function.name();
        let int = |i: usize| match arguments.get(i) {
            Some(V::Int(value)) => Ok(*value),
            other => Err(format!("{other:?} is no integer for @{name}")),
        };
        match name.as_str() {
            "malloc" | "__rust_alloc" => return Ok(V::Int(self.storage.allocate(int(0)?, false, true))),
            "calloc" => return Ok(V::Int(self.storage.allocate(int(0)? * int(1)?, true, true))),
            "__rust_alloc_zeroed" => return Ok(V::Int(self.storage.allocate(int(0)?, true, true))),
            "free" | "__rust_dealloc" => return self.storage.free(int(0)?).map(|()| V::Poison),
            "__ct_tape_alloc" => {
                let block = self.storage.allocate(int(0)?, false, true);
                self.tape.push(block);
                return Ok(V::Int(block));
            }
            "__ct_tape_grow" => {
                let block = self.storage.allocate(int(2)?, false, true);
                if int(1)? > 0 {
                    self.storage.copy(block, int(0)?, int(1)?)?;
                }
                self.tape.push(block);
                return Ok(V::Int(block));
            }
            "__ct_tape_mark" => return Ok(V::Int(self.tape.len() as u64)),
            "__ct_tape_release" => {
                let height = int(0)? as usize;
                while self.deferred.last().is_some_and(|(at, _, _)| *at >= height) {
                    if let Some((_, free, arguments)) = self.deferred.pop() {
                        let free = self.functions[free as usize - 1];
                        self.call(free, &arguments)?;
                    }
                }
                for block in self.tape.split_off(height) {
                    self.storage.free(block)?;
                }
                return Ok(V::Poison);
            }
            "__ct_tape_defer" => {
                self.deferred.push((self.tape.len(), int(0)?, arguments[1..].to_vec()));
                return Ok(V::Poison);
            }
            _ => {}
        }
        let starts = |prefix: &str| name.starts_with(prefix);
        if starts("llvm.memcpy") || starts("llvm.memmove") {
            return self.storage.copy(int(0)?, int(1)?, int(2)?).map(|()| V::Poison);
        }
        if starts("llvm.memset") {
            return self.storage.fill(int(0)?, int(1)? as u8, int(2)?).map(|()| V::Poison);
        }
        if ["llvm.lifetime", "llvm.assume", "llvm.experimental.noalias"].iter().any(|p| starts(p)) {
            return Ok(V::Poison);
        }
        let ty = function.ty().result();
        if arguments.contains(&V::Poison) {
            return Ok(V::Poison);
        }
        if let Some(value) = integers(&name, ty.bits(), arguments) {
            return Ok(V::Int(mask(ty.bits(), value)));
        }
        crate::machine::floats(&name, arguments)
            .map(|value| round(ty, value))
            .ok_or(format!("@{name} is not interpreted"))
    }
}

fn insert(all: V, ty: Type, indices: &[u32], part: &V) -> V {
    let [first, rest @ ..] = indices else { return part.clone() };
    let mut parts = match all {
        V::Many(parts) => parts,
        _ => vec![V::Poison; ty.count() as usize],
    };
    let inner = if ty.is_struct() { ty.field(*first) } else { ty.element() };
    let place = &mut parts[*first as usize];
    *place = insert(place.clone(), inner, rest, part);
    V::Many(parts)
}

fn compare(predicate: R, a: f64, b: f64) -> bool {
    let unordered = a.is_nan() || b.is_nan();
    match predicate {
        R::LLVMRealPredicateFalse => false,
        R::LLVMRealOEQ => a == b,
        R::LLVMRealOGT => a > b,
        R::LLVMRealOGE => a >= b,
        R::LLVMRealOLT => a < b,
        R::LLVMRealOLE => a <= b,
        R::LLVMRealONE => !unordered && a != b,
        R::LLVMRealORD => !unordered,
        R::LLVMRealUNO => unordered,
        R::LLVMRealUEQ => unordered || a == b,
        R::LLVMRealUGT => unordered || a > b,
        R::LLVMRealUGE => unordered || a >= b,
        R::LLVMRealULT => unordered || a < b,
        R::LLVMRealULE => unordered || a <= b,
        R::LLVMRealUNE => unordered || a != b,
        R::LLVMRealPredicateTrue => true,
    }
}

/// Integer intrinsics.
fn integers(name: &str, bits: u32, arguments: &[V]) -> Option<u64> {
    let [V::Int(a), V::Int(b), ..] = arguments else { return None };
    let (x, y) = (signed(bits, *a), signed(bits, *b));
    Some(match name.strip_prefix("llvm.")?.split('.').next()? {
        "umin" => *a.min(b),
        "umax" => *a.max(b),
        "smin" => x.min(y) as u64,
        "smax" => x.max(y) as u64,
        _ => return None,
    })
}

/// Float intrinsics and functions of libm, both widths.
fn floats(name: &str, arguments: &[V]) -> Option<f64> {
    let plain = name.strip_prefix("llvm.").and_then(|n| n.split('.').next()).unwrap_or(name);
    match arguments {
        [V::Float(x)] => Some(match plain {
            "sin" => x.sin(),
            "cos" => x.cos(),
            "tan" => x.tan(),
            "exp" => x.exp(),
            "log" => x.ln(),
            "sqrt" => x.sqrt(),
            "fabs" => x.abs(),
            "floor" => x.floor(),
            "tanh" => x.tanh(),
            "cosh" => x.cosh(),
            _ => return None,
        }),
        [V::Float(x), V::Int(n)] if plain == "powi" => Some(x.powi(*n as i32)),
        [V::Float(x), V::Float(y)] => Some(match plain {
            "pow" => x.powf(*y),
            "maxnum" => x.max(*y),
            "minnum" => x.min(*y),
            "copysign" => x.copysign(*y),
            "hypot" => x.hypot(*y),
            _ => return None,
        }),
        [V::Float(x), V::Float(y), V::Float(z)] => matches!(plain, "fma" | "fmuladd").then(|| x.mul_add(*y, *z)),
        _ => None,
    }
}
