//! What an instruction does, as far as a derivative asks.
use super::custom::{Custom, STAND_IN};
use super::table::table_of;
use crate::rule::{self, ArgKind, Constant, Cost, Effect, Partial, Rule};
use cotangent_llvm as llvm;
use llvm::Opcode;
use std::rc::Rc;
use std::sync::Arc;

/// A float operation at one place: its rule with the place's constants put in.
#[derive(Clone, Debug)]
pub struct Scalar {
    /// Name of the rule.
    pub name: &'static str,
    /// What recomputing costs.
    pub cost: Cost,
    /// What sort of thing each argument is.
    pub kinds: Vec<ArgKind>,
    /// Partials, by argument.
    pub partials: Vec<Partial>,
    /// Whether the partial of an argument is infinite or undefined somewhere.
    pub undefined: Vec<bool>,
}

/// The operation of an instruction. Operands stand in [`super::Inst::operands`]: for a store value and address, for copies
/// destination, source, bytes; for calls the arguments.
#[derive(Clone, Debug)]
pub enum Op {
    /// A float operation with a rule: an instruction, an intrinsic or a library function.
    Scalar(Arc<Scalar>),
    /// Memory of the stack.
    Alloca,
    /// A load.
    Load,
    /// A store.
    Store,
    /// Address arithmetic.
    Gep,
    /// A phi; operands in the order of the block's predecessors.
    Phi,
    /// A select.
    Select,
    /// `freeze` and casts between equal bits of pointers or floats: hands on what it gets.
    Copy,
    /// A bit cast between floats and integers, or vectors of them.
    BitCast,
    /// A comparison.
    Compare,
    /// Integer arithmetic and casts, casts between pointers and integers.
    Integer(Opcode),
    /// A float from an integer, an integer from a float: no derivative passes.
    Conversion,
    /// `extractvalue`.
    Extract(Vec<u32>),
    /// `insertvalue`.
    Insert(Vec<u32>),
    /// `extractelement`.
    ExtractElement,
    /// `insertelement`.
    InsertElement,
    /// `shufflevector`.
    Shuffle(Vec<i32>),
    /// `memcpy` and `memmove`.
    MemCopy,
    /// `memset`.
    MemSet,
    /// A call that is none of the above.
    Call(Callee),
    /// `br` and `switch`; the condition is the operand, if there is one.
    Branch,
    /// `ret`.
    Return,
    /// `unreachable`.
    Unreachable,
    /// Anything else, by opcode: allowed where it is not active.
    Other(Opcode),
}

/// What a call calls.
#[derive(Clone, Debug)]
pub enum Callee {
    /// A function whose body is at hand.
    Body(llvm::Function),
    /// A function with a rule of its user's.
    Custom(Rc<Custom>),
    /// Memory or input and output, by rule.
    Effect(Effect),
    /// An intrinsic that says something to the optimiser only, or pure integer work.
    Inert,
    /// A function without body or rule.
    Unknown(String),
    /// A pointer; the function that stands for all that it may be, where there is one ([`super::table`]).
    Indirect(Option<llvm::Function>),
    /// Inline assembly.
    Assembly,
}

/// What the names of guards begin with, which derivatives that are differentiated again have ([`crate::emit::guard`]).
pub const GUARD: &str = "ct.guard.";

/// What stands, in derivatives that are differentiated again, for a pointer to constant memory that is its own shadow ([`crate::emit::bare`]).
pub const BARE: &str = "ct.bare";

/// Whether an instruction is a call of that.
pub fn is_bare(instruction: llvm::Value) -> bool {
    instruction.opcode() == llvm::Opcode::LLVMCall && instruction.called_function().is_some_and(|f| f.name() == BARE)
}

/// What the names of brackets begin with around calls whose panics have something to undo ([`crate::load::unwinds`]).
pub const UNWINDS: &str = "ct.unwinds.";

/// What the names of the functions begin with that undo it. No call of the primal goes there.
pub const UNWOUND: &str = "ct.unwound.";

/// A guard hands on its second argument.
fn guard() -> Arc<Scalar> {
    Arc::new(Scalar {
        name: GUARD,
        cost: Cost::Cheap,
        kinds: vec![ArgKind::Float, ArgKind::Float],
        partials: vec![Partial::Inactive, Partial::Of(1.0.into())],
        undefined: vec![false, false],
    })
}

impl Scalar {
    /// Whether this is a guard.
    pub fn is_guard(&self) -> bool {
        self.name == GUARD
    }
}

/// Intrinsics without an effect on a derivative.
const INERT: &[&str] = &[
    "llvm.assume",
    "llvm.expect",
    "llvm.lifetime",
    "llvm.dbg",
    "llvm.experimental.noalias",
    "llvm.invariant",
    "llvm.prefetch",
    "llvm.donothing",
    "llvm.ctpop",
    "llvm.ctlz",
    "llvm.cttz",
    "llvm.bswap",
    "llvm.bitreverse",
    "llvm.umax",
    "llvm.umin",
    "llvm.smax",
    "llvm.smin",
    "llvm.abs",
    "llvm.sadd",
    "llvm.uadd",
    "llvm.ssub",
    "llvm.usub",
    "llvm.smul",
    "llvm.umul",
    "llvm.fshl",
    "llvm.fshr",
    "llvm.is.fpclass",
    "llvm.ucmp",
    "llvm.scmp",
    "llvm.objectsize",
    "llvm.is.constant",
    "llvm.fptosi",
    "llvm.fptoui",
    "llvm.trap",
    "llvm.ubsantrap",
    "llvm.lround",
    "llvm.llround",
    "llvm.lrint",
    "llvm.llrint",
    "llvm.vscale",
    "llvm.threadlocal.address",
    "llvm.stacksave",
    "llvm.stackrestore",
    "llvm.sideeffect",
    "llvm.pseudoprobe",
];

/// True for an intrinsic of the table above, and for brackets.
fn is_inert(name: &str) -> bool {
    name.starts_with(UNWINDS)
        || INERT
            .iter()
            .any(|prefix| name.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
}

/// Classifies an instruction.
pub fn classify(inst: llvm::Value, registry: &rule::Registry) -> Op {
    use Opcode::*;
    let opcode = inst.opcode();
    match opcode {
        LLVMAlloca => Op::Alloca,
        LLVMLoad => Op::Load,
        LLVMStore => Op::Store,
        LLVMGetElementPtr => Op::Gep,
        LLVMPHI => Op::Phi,
        LLVMSelect => Op::Select,
        LLVMFreeze => Op::Copy,
        LLVMAddrSpaceCast => Op::Copy,
        LLVMBitCast if inst.ty() == inst.operand(0).ty() => Op::Copy,
        LLVMBitCast => Op::BitCast,
        LLVMICmp | LLVMFCmp => Op::Compare,
        LLVMAdd | LLVMSub | LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMShl | LLVMLShr | LLVMAShr
        | LLVMAnd | LLVMOr | LLVMXor | LLVMTrunc | LLVMZExt | LLVMSExt | LLVMPtrToInt | LLVMIntToPtr => {
            Op::Integer(opcode)
        }
        LLVMSIToFP | LLVMUIToFP | LLVMFPToSI | LLVMFPToUI => Op::Conversion,
        LLVMExtractValue => Op::Extract(inst.indices()),
        LLVMInsertValue => Op::Insert(inst.indices()),
        LLVMExtractElement => Op::ExtractElement,
        LLVMInsertElement => Op::InsertElement,
        LLVMShuffleVector => Op::Shuffle(inst.shuffle_mask()),
        LLVMBr | LLVMSwitch => Op::Branch,
        LLVMRet => Op::Return,
        LLVMUnreachable => Op::Unreachable,
        LLVMCall => classify_call(inst, registry),
        _ => match rule_opcode(opcode).and_then(|o| registry.opcode(o)) {
            Some(rule) => Op::Scalar(at_place(rule, &inst.operands())),
            None => Op::Other(opcode),
        },
    }
}

/// The rule vocabulary's name of an instruction.
fn rule_opcode(opcode: Opcode) -> Option<rule::Opcode> {
    Some(match opcode {
        Opcode::LLVMFAdd => rule::Opcode::FAdd,
        Opcode::LLVMFSub => rule::Opcode::FSub,
        Opcode::LLVMFMul => rule::Opcode::FMul,
        Opcode::LLVMFDiv => rule::Opcode::FDiv,
        Opcode::LLVMFRem => rule::Opcode::FRem,
        Opcode::LLVMFNeg => rule::Opcode::FNeg,
        Opcode::LLVMFPTrunc => rule::Opcode::FPTrunc,
        Opcode::LLVMFPExt => rule::Opcode::FPExt,
        _ => return None,
    })
}

/// Puts the constants among the operands into a rule.
fn at_place(rule: &Rule, operands: &[llvm::Value]) -> Arc<Scalar> {
    let partials = rule.specialise(&mut |index| {
        let operand = *operands.get(index)?;
        operand.as_f64().map(Constant::Float).or_else(|| operand.as_i64().map(Constant::Int))
    });
    let undefined = (0..rule.arity()).map(|arg| rule.is_undefined_somewhere(arg)).collect();
    Arc::new(Scalar { name: rule.name, cost: rule.cost, kinds: rule.args.clone(), partials, undefined })
}

fn classify_call(call: llvm::Value, registry: &rule::Registry) -> Op {
    if call.callee().is_inline_assembly() {
        return Op::Call(Callee::Assembly);
    }
    let Some(function) = call.called_function() else {
        return Op::Call(Callee::Indirect(table_of(call)));
    };
    let name = function.name();
    if name.starts_with(STAND_IN)
        && let Some(custom) = Custom::of(function)
    {
        return Op::Call(Callee::Custom(Rc::new(custom)));
    }
    if name.starts_with(GUARD) {
        return Op::Scalar(guard());
    }
    if name == BARE {
        return Op::Copy;
    }
    if name.starts_with("llvm.memcpy") || name.starts_with("llvm.memmove") {
        return Op::MemCopy;
    }
    if name.starts_with("llvm.memset") {
        return Op::MemSet;
    }
    if let Some(rule) = registry.scalar(&name) {
        return Op::Scalar(at_place(rule, &call.arguments()));
    }
    if let Some(effect) = registry.effect(&name) {
        return match effect {
            Effect::Marker => Op::Call(Callee::Inert),
            effect => Op::Call(Callee::Effect(effect)),
        };
    }
    if is_inert(&name) {
        return Op::Call(Callee::Inert);
    }
    if !function.is_declaration() {
        return Op::Call(Callee::Body(function));
    }
    Op::Call(Callee::Unknown(name))
}
