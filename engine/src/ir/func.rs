//! Functions, blocks and instructions by dense numbers, each with its origin in LLVM.
use super::op::classify;
use super::{Callee, Op};
use crate::maps::HashMap;
use crate::rule::Registry;
use cotangent_llvm as llvm;
use llvm::Opcode;
use std::fmt;

/// An instruction of a [`Func`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InstId(pub u32);

/// A block of a [`Func`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u32);

/// An operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Val {
    /// The result of an instruction.
    Inst(InstId),
    /// A parameter.
    Arg(u32),
    /// A constant, global or function.
    Const(llvm::Value),
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct Inst {
    /// Its origin.
    pub value: llvm::Value,
    /// What it does.
    pub op: Op,
    /// Operands, without blocks and without the function that a call calls.
    pub operands: Vec<Val>,
    /// Where it stands.
    pub block: BlockId,
    /// Type of its result.
    pub ty: llvm::Type,
}

/// A block.
#[derive(Clone, Debug)]
pub struct BlockData {
    /// Its origin.
    pub block: llvm::Block,
    /// Instructions in order, the terminator last.
    pub insts: Vec<InstId>,
    /// Predecessors, each once, in order of the blocks' numbers.
    pub preds: Vec<BlockId>,
    /// Successors as the terminator lists them.
    pub succs: Vec<BlockId>,
    /// Whether a `ret` can be reached from it.
    pub returns: bool,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Func {
    /// Its origin.
    pub function: llvm::Function,
    /// Its parameters.
    pub params: Vec<llvm::Value>,
    /// Blocks in reverse post-order, the entry first.
    pub blocks: Vec<BlockData>,
    /// Instructions, in the blocks' order.
    pub insts: Vec<Inst>,
    /// Who uses an instruction's result, an instruction as often as it does.
    pub users: Vec<Vec<InstId>>,
    numbers: HashMap<llvm::Value, Val>,
    block_numbers: HashMap<llvm::Block, BlockId>,
}

/// Blocks reachable from the entry, in reverse post-order.
fn reverse_post_order(function: llvm::Function) -> Vec<llvm::Block> {
    let mut seen = crate::maps::HashSet::default();
    let mut order = Vec::new();
    let entry = function.entry();
    let mut stack = vec![(entry, entry.successors(), 0)];
    seen.insert(entry);
    while let Some((block, successors, next)) = stack.last_mut() {
        if let Some(successor) = successors.get(*next).copied() {
            *next += 1;
            if seen.insert(successor) {
                stack.push((successor, successor.successors(), 0));
            }
        } else {
            order.push(*block);
            stack.pop();
        }
    }
    order.reverse();
    order
}

impl Func {
    /// Reads a function with a body.
    pub fn load(function: llvm::Function, registry: &Registry) -> Func {
        let params = function.params();
        let order = reverse_post_order(function);
        let block_numbers: HashMap<llvm::Block, BlockId> =
            order.iter().enumerate().map(|(i, b)| (*b, BlockId(i as u32))).collect();
        let mut numbers: HashMap<llvm::Value, Val> =
            params.iter().enumerate().map(|(i, p)| (*p, Val::Arg(i as u32))).collect();
        let mut blocks = Vec::new();
        let mut origins = Vec::new();
        for (number, block) in order.iter().enumerate() {
            let mut ids = Vec::new();
            for value in block.instructions() {
                let id = InstId(origins.len() as u32);
                numbers.insert(value, Val::Inst(id));
                origins.push((value, BlockId(number as u32)));
                ids.push(id);
            }
            let succs = block.successors().iter().map(|b| block_numbers[b]).collect();
            blocks.push(BlockData { block: *block, insts: ids, preds: Vec::new(), succs, returns: false });
        }
        for number in 0..blocks.len() {
            for successor in blocks[number].succs.clone() {
                let preds = &mut blocks[successor.0 as usize].preds;
                if preds.last() != Some(&BlockId(number as u32)) && !preds.contains(&BlockId(number as u32)) {
                    preds.push(BlockId(number as u32));
                }
            }
        }
        let mut func = Func { function, params, blocks, insts: Vec::new(), users: Vec::new(), numbers, block_numbers };
        for (value, block) in origins {
            let op = classify(value, registry);
            let operands = func.read_operands(value, block);
            func.insts.push(Inst { value, op, operands, block, ty: value.ty() });
        }
        func.mark_returning();
        func.users = vec![Vec::new(); func.insts.len()];
        for (number, inst) in func.insts.iter().enumerate() {
            for operand in &inst.operands {
                if let Val::Inst(id) = operand {
                    func.users[id.0 as usize].push(InstId(number as u32));
                }
            }
        }
        func
    }

    fn read_operands(&self, value: llvm::Value, block: BlockId) -> Vec<Val> {
        match value.opcode() {
            Opcode::LLVMPHI => {
                let incoming: HashMap<BlockId, llvm::Value> =
                    value.incoming().into_iter().filter_map(|(v, b)| Some((*self.block_numbers.get(&b)?, v))).collect();
                self.blocks[block.0 as usize].preds.iter().map(|p| self.val(incoming[p])).collect()
            }
            Opcode::LLVMCall => {
                let mut operands: Vec<Val> = value.arguments().into_iter().map(|v| self.val(v)).collect();
                if value.called_function().is_none() {
                    operands.push(self.val(value.callee()));
                }
                operands
            }
            Opcode::LLVMSwitch => vec![self.val(value.operand(0))],
            _ => value.operands().into_iter().filter(|v| v.as_block().is_none()).map(|v| self.val(v)).collect(),
        }
    }

    /// Takes a call through a pointer for one of the function that stands for all that it may be. Its last operand is the pointer, there too.
    pub fn settle_call(&mut self, call: InstId) {
        let op = &mut self.insts[call.0 as usize].op;
        if let Op::Call(Callee::Indirect(Some(table))) = op {
            *op = Op::Call(Callee::Body(*table));
        }
    }

    /// Marks the blocks from which a `ret` can be reached.
    fn mark_returning(&mut self) {
        let mut work: Vec<BlockId> = Vec::new();
        for (number, block) in self.blocks.iter().enumerate() {
            if block.insts.last().is_some_and(|i| matches!(self.insts[i.0 as usize].op, Op::Return)) {
                work.push(BlockId(number as u32));
            }
        }
        while let Some(block) = work.pop() {
            if !std::mem::replace(&mut self.blocks[block.0 as usize].returns, true) {
                work.extend(self.blocks[block.0 as usize].preds.iter().copied());
            }
        }
    }

    /// The operand that an LLVM value is here.
    pub fn val(&self, value: llvm::Value) -> Val {
        self.numbers.get(&value).copied().unwrap_or(Val::Const(value))
    }
    /// The number of a block.
    pub fn block_of(&self, block: llvm::Block) -> Option<BlockId> {
        self.block_numbers.get(&block).copied()
    }
    /// An instruction.
    pub fn inst(&self, id: InstId) -> &Inst {
        &self.insts[id.0 as usize]
    }
    /// A block.
    pub fn block(&self, id: BlockId) -> &BlockData {
        &self.blocks[id.0 as usize]
    }
    /// Numbers of all instructions.
    pub fn inst_ids(&self) -> impl Iterator<Item = InstId> + use<> {
        (0..self.insts.len() as u32).map(InstId)
    }
    /// Numbers of all blocks, in reverse post-order.
    pub fn block_ids(&self) -> impl DoubleEndedIterator<Item = BlockId> + use<> {
        (0..self.blocks.len() as u32).map(BlockId)
    }
    /// Type of an operand.
    pub fn ty(&self, val: Val) -> llvm::Type {
        match val {
            Val::Inst(id) => self.inst(id).ty,
            Val::Arg(i) => self.params[i as usize].ty(),
            Val::Const(value) => value.ty(),
        }
    }
    /// The origin of an operand.
    pub fn origin(&self, val: Val) -> llvm::Value {
        match val {
            Val::Inst(id) => self.inst(id).value,
            Val::Arg(i) => self.params[i as usize],
            Val::Const(value) => value,
        }
    }
    /// The one block that returns.
    pub fn exit(&self) -> Option<BlockId> {
        self.block_ids().find(|b| self.block(*b).insts.last().is_some_and(|i| matches!(self.inst(*i).op, Op::Return)))
    }
    /// Predecessors from which the function returns are all that a reverse sweep sees: those of a block.
    pub fn preds(&self, block: BlockId) -> &[BlockId] {
        &self.block(block).preds
    }
    /// Module of the function.
    pub fn module(&self) -> llvm::Module {
        self.function.module()
    }
}

impl fmt::Debug for InstId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.0)
    }
}
impl fmt::Debug for BlockId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b{}", self.0)
    }
}
impl fmt::Debug for Val {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Val::Inst(id) => write!(f, "{id:?}"),
            Val::Arg(i) => write!(f, "arg{i}"),
            Val::Const(v) => write!(f, "{v}"),
        }
    }
}

impl fmt::Display for Func {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "func @{}", self.function.name())?;
        for block in self.block_ids() {
            let data = self.block(block);
            writeln!(f, "{block:?}: preds {:?}{}", data.preds, if data.returns { "" } else { " (never returns)" })?;
            for id in &data.insts {
                writeln!(f, "  {id:?}  {}", self.inst(*id).value)?;
            }
        }
        Ok(())
    }
}
