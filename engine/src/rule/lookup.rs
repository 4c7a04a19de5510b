//! Rules and constants of instructions.
use super::{Constant, Opcode, Registry, Rule};
use cotangent_llvm::{Opcode as LlvmOpcode, Value};

impl Opcode {
    /// The float instruction that an opcode of LLVM is.
    pub fn of_llvm(opcode: LlvmOpcode) -> Option<Opcode> {
        Some(match opcode {
            LlvmOpcode::LLVMFAdd => Opcode::FAdd,
            LlvmOpcode::LLVMFSub => Opcode::FSub,
            LlvmOpcode::LLVMFMul => Opcode::FMul,
            LlvmOpcode::LLVMFDiv => Opcode::FDiv,
            LlvmOpcode::LLVMFRem => Opcode::FRem,
            LlvmOpcode::LLVMFNeg => Opcode::FNeg,
            LlvmOpcode::LLVMFPTrunc => Opcode::FPTrunc,
            LlvmOpcode::LLVMFPExt => Opcode::FPExt,
            LlvmOpcode::LLVMSIToFP => Opcode::SIToFP,
            LlvmOpcode::LLVMUIToFP => Opcode::UIToFP,
            LlvmOpcode::LLVMFPToSI => Opcode::FPToSI,
            LlvmOpcode::LLVMFPToUI => Opcode::FPToUI,
            LlvmOpcode::LLVMFCmp => Opcode::FCmp,
            _ => return None,
        })
    }
}

impl Constant {
    /// The constant that a value is: a number, or a vector of one number in every lane.
    pub fn of(value: Value) -> Option<Constant> {
        if !value.is_constant() || value.is_undef() {
            return None;
        }
        let ty = value.ty();
        if ty.is_vector() {
            let lane = |i| Constant::of(value.aggregate_element(i)?);
            let first = lane(0)?;
            let same = (1..ty.count() as u32).all(|i| lane(i) == Some(first));
            return same.then_some(first);
        }
        if ty.is_float() { value.as_f64().map(Constant::Float) } else { value.as_i64().map(Constant::Int) }
    }
}

impl Registry {
    /// The rule of an instruction: of its opcode, or of the function that it calls.
    pub fn of_instruction(&self, instruction: Value) -> Option<&Rule> {
        match instruction.opcode() {
            LlvmOpcode::LLVMCall | LlvmOpcode::LLVMInvoke => self.scalar(&instruction.called_function()?.name()),
            opcode => self.opcode(Opcode::of_llvm(opcode)?),
        }
    }
}
