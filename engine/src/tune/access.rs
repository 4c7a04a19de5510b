//! Where loads and stores go: the memory that an address is in, and how it moves from one iteration to the next.
use crate::analysis::memory::base;
use crate::llvm::{Block, Function, Opcode, Place, Value};
use crate::maps::HashMap;

/// How a value moves in one iteration of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// It stays.
    Same,
    /// By a number (of bytes, for an address).
    By(i64),
    /// By something that is the same in every iteration.
    Fixed,
    /// Nobody knows.
    Unknown,
}

impl Step {
    fn plus(self, other: Step) -> Step {
        match (self, other) {
            (Step::Unknown, _) | (_, Step::Unknown) => Step::Unknown,
            (Step::Same, step) | (step, Step::Same) => step,
            (Step::By(a), Step::By(b)) => match a.wrapping_add(b) {
                0 => Step::Same,
                sum => Step::By(sum),
            },
            _ => Step::Fixed,
        }
    }

    fn times(self, factor: i64) -> Step {
        match (self, factor) {
            (Step::Same, _) | (_, 0) => Step::Same,
            (Step::By(a), _) => a.checked_mul(factor).map_or(Step::Fixed, Step::By),
            (step, _) => step,
        }
    }

    /// What an access of `bytes` costs in an innermost loop, in cache lines and vector lanes, roughly.
    pub fn cost(self, bytes: i64) -> u32 {
        match self {
            Step::Same => 0,
            Step::By(step) if step.abs() <= bytes => 1,
            _ => 8,
        }
    }
}

/// How values move in one iteration of a loop; `variables` says so of its phis. Whatever is computed outside of `inside` stays.
pub struct Motion {
    /// The blocks whose instructions may move.
    pub inside: Vec<Block>,
    /// The loop's own variables. Phis that are not named stay.
    pub variables: HashMap<Value, Step>,
}

impl Motion {
    /// How a value moves.
    pub fn of(&self, value: Value) -> Step {
        if let Some(step) = self.variables.get(&value) {
            return *step;
        }
        if !value.is_instruction() || !self.inside.contains(&value.block()) {
            return Step::Same;
        }
        let operand = |i: u32| self.of(value.operand(i));
        match value.opcode() {
            Opcode::LLVMPHI => Step::Same,
            Opcode::LLVMAdd => operand(0).plus(operand(1)),
            Opcode::LLVMSub => operand(0).plus(operand(1).times(-1)),
            Opcode::LLVMMul => match (value.operand(0).as_i64(), value.operand(1).as_i64()) {
                (Some(factor), _) => operand(1).times(factor),
                (_, Some(factor)) => operand(0).times(factor),
                _ => match (operand(0), operand(1)) {
                    (Step::Same, Step::Same) => Step::Same,
                    (Step::Same, Step::By(_) | Step::Fixed) | (Step::By(_) | Step::Fixed, Step::Same) => Step::Fixed,
                    _ => Step::Unknown,
                },
            },
            Opcode::LLVMShl => match value.operand(1).as_u64() {
                Some(bits) if bits < 32 => operand(0).times(1 << bits),
                _ => self.stays(value),
            },
            Opcode::LLVMGetElementPtr => self.address(value),
            Opcode::LLVMLoad => Step::Unknown,
            _ => self.stays(value),
        }
    }

    fn stays(&self, value: Value) -> Step {
        let all = value.operands().into_iter().all(|v| self.of(v) == Step::Same);
        if all { Step::Same } else { Step::Unknown }
    }

    fn address(&self, gep: Value) -> Step {
        let module = gep.block().function().module();
        let mut ty = gep.gep_type();
        let mut sum = self.of(gep.operand(0));
        for (position, index) in gep.operands().into_iter().enumerate().skip(1) {
            if position > 1 {
                if !(ty.is_array() || ty.is_vector()) {
                    // A field of a struct has a constant index.
                    let Some(field) = index.as_u64() else { return Step::Unknown };
                    ty = ty.field(field as u32);
                    continue;
                }
                ty = ty.element();
            }
            let Ok(size) = i64::try_from(module.size_of(ty)) else { return Step::Unknown };
            sum = sum.plus(self.of(index).times(size));
        }
        sum
    }
}

/// Whether two addresses lie in different memory for sure, where one is written through. `function` is where they are used.
pub fn are_apart(function: Function, a: Value, b: Value) -> bool {
    let (a, b) = (base(a), base(b));
    let exclusive = |v: Value| v.argument_index().is_some_and(|i| function.has_attribute(Place::Param(i), "noalias"));
    let fresh = |v: Value| {
        v.is_instruction()
            && match v.opcode() {
                Opcode::LLVMAlloca => true,
                Opcode::LLVMCall => {
                    v.has_call_attribute(Place::Result, "noalias")
                        || v.called_function().is_some_and(|f| f.has_attribute(Place::Result, "noalias"))
                }
                _ => false,
            }
    };
    let known = |v: Value| v.is_argument() || v.as_global().is_some() || fresh(v);
    // What is exclusive or new is apart from everything else that is not counted from it.
    a != b && known(a) && known(b) && (exclusive(a) || exclusive(b) || fresh(a) || fresh(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_add_up() {
        assert_eq!(Step::By(8).plus(Step::By(-8)), Step::Same);
        assert_eq!(Step::By(8).plus(Step::Fixed), Step::Fixed);
        assert_eq!(Step::Fixed.plus(Step::Unknown), Step::Unknown);
        assert_eq!(Step::By(3).times(8), Step::By(24));
        assert_eq!(Step::Unknown.times(0), Step::Same);
        assert_eq!([Step::Same, Step::By(-8), Step::By(16), Step::Fixed].map(|s| s.cost(8)), [0, 1, 8, 8]);
    }
}
