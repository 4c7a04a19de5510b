//! The reverse sweep: blocks turned round, values looked up or computed again, adjoints in variables.
//!
//! Each block of the primal that returns has a block here, in which the adjoints of its instructions stand in reverse order;
//! where it goes on is planned ([`crate::plan::flow`]). On the way from a block to one of its predecessors, phis hand their
//! adjoints to what came in from there, and loops that are entered set their counters. Adjoints, counters and numbers of
//! iterations are local variables, which the optimiser turns into registers.
use super::adjoint;
use super::aggregate;
use super::augmented::Params;
use super::bare;
use super::inactive;
use super::session::Session;
use super::shorten;
use super::slots::Slots;
use super::subject::Subject;
use crate::analysis::cfg::LoopId;
use crate::diag::Diagnostic;
use crate::ir::{BlockId, InstId, Op, Val};
use crate::llvm::{Block, Builder, CopyMap, Function, IntPredicate, Opcode, Type, Value};
use crate::maps::HashMap;
use crate::plan::flow::Back;
use crate::plan::recompute::{Way, pointer_operands, way};
use crate::plan::{Item, Plan};

/// What the forward sweep left, where it is in the same function.
pub struct Forward {
    /// Copies of the primal's values.
    pub map: CopyMap,
    /// Shadows.
    pub shadows: HashMap<Val, Value>,
}

/// The reverse sweep, as far as it has been written.
pub struct Pullback<'s, 'a, 'r> {
    /// The request's state.
    pub session: &'s mut Session<'r>,
    /// The function.
    pub subject: &'a Subject,
    /// Its plan.
    pub plan: &'a Plan,
    slots: &'a Slots,
    variables: Vec<Value>,
    function: Function,
    params: Params,
    forward: Option<Forward>,
    blocks: HashMap<BlockId, Block>,
    adjoints: HashMap<Val, Value>,
    /// The same, in the order in which they were made.
    all_adjoints: Vec<Value>,
    counters: HashMap<LoopId, Value>,
    memo: HashMap<Item, Value>,
    nowhere: HashMap<Type, Value>,
    zeros: HashMap<Type, Value>,
}

type Done = Result<(), Diagnostic>;

impl<'s, 'a, 'r> Pullback<'s, 'a, 'r> {
    /// A sweep in `function`, whose entry block is there; the block that it starts in is returned too (none where the
    /// primal never returns).
    #[allow(clippy::too_many_arguments)]
    pub fn new(
        session: &'s mut Session<'r>,
        subject: &'a Subject,
        plan: &'a Plan,
        slots: &'a Slots,
        variables: Vec<Value>,
        function: Function,
        params: Params,
        forward: Option<Forward>,
    ) -> Self {
        Pullback {
            session,
            subject,
            plan,
            slots,
            variables,
            function,
            params,
            forward,
            blocks: HashMap::default(),
            adjoints: HashMap::default(),
            all_adjoints: Vec::new(),
            counters: HashMap::default(),
            memo: HashMap::default(),
            nowhere: HashMap::default(),
            zeros: HashMap::default(),
        }
    }

    /// Writes the sweep from `start` (where the forward sweep comes in) to `done`. `seed` is the adjoint of what the primal
    /// returns, where it carries one.
    ///
    /// # Errors
    /// What cannot be differentiated.
    pub fn write(&mut self, start: Block, done: Block, seed: Option<Value>) -> Done {
        let func = &self.subject.func;
        let builder = Builder::at_end(start);
        let Some(exit) = func.exit() else {
            builder.br(done);
            return Ok(());
        };
        let entry = self.function.entry();
        for l in self.subject.cfg.loop_ids() {
            if self.plan.reversed[l.0 as usize] {
                let counter = Builder::before_terminator(entry).alloca(self.word(), "ct.back");
                self.counters.insert(l, counter);
            }
        }
        for block in func.block_ids() {
            if func.block(block).returns {
                self.blocks.insert(block, self.function.append_block(&format!("reverse.{}", block.0)));
            }
        }
        if let (Some(seed), Some(returned)) = (seed, self.returned(exit)) {
            self.add(returned, seed, &builder);
        }
        builder.br(self.blocks[&exit]);
        for block in func.block_ids().rev() {
            if func.block(block).returns {
                self.block(block, done)?;
            }
        }
        Ok(())
    }

    fn returned(&self, exit: BlockId) -> Option<Val> {
        let func = &self.subject.func;
        func.block(exit).insts.last().and_then(|id| func.inst(*id).operands.first().copied())
    }

    fn word(&self) -> Type {
        self.session.module.context().int(64)
    }

    fn block(&mut self, block: BlockId, done: Block) -> Done {
        self.memo.clear();
        let builder = Builder::at_end(self.blocks[&block]);
        let data = self.subject.func.block(block);
        if self.plan.work[block.0 as usize] {
            for id in data.insts.iter().rev() {
                if !matches!(self.subject.func.inst(*id).op, Op::Phi) {
                    adjoint::instruction(self, *id, &builder)?;
                }
            }
        }
        // Phis of one block take their values at the same time: all adjoints are read before one is handed on.
        let mut phis = Vec::new();
        for id in &data.insts {
            if matches!(self.subject.func.inst(*id).op, Op::Phi) && self.subject.activity.has_adjoint(Val::Inst(*id)) {
                phis.push((*id, self.take(Val::Inst(*id), &builder)));
            }
        }
        match &self.plan.back[block.0 as usize] {
            Back::Never => {}
            Back::Done => {
                builder.br(done);
            }
            Back::To(pred) => self.edge(block, *pred, &phis, &builder),
            Back::Header(l) => {
                let counter = self.counters[l];
                let this = builder.load(self.word(), counter);
                let first = builder.icmp(IntPredicate::LLVMIntEQ, this, self.word().int_value(0));
                let (out, again) = (self.function.append_block("leave"), self.function.append_block("back"));
                builder.cond_br(first, out, again);
                let shape = self.subject.cfg.get(*l).clone();
                self.edge(block, shape.preheader, &phis, &Builder::at_end(out));
                let builder = Builder::at_end(again);
                builder.store(builder.sub(this, self.word().int_value(1)), counter);
                self.step_number(*l, &builder);
                self.edge(block, shape.latch, &phis, &builder);
            }
            Back::Select => self.select(block, &phis, &builder),
        }
        Ok(())
    }

    /// Goes to the predecessor that the selector names.
    fn select(&mut self, block: BlockId, phis: &[(InstId, Value)], builder: &Builder) {
        let preds = self.subject.func.preds(block).to_vec();
        let Some(selector) = self.subject.selectors.get(&block) else {
            // Every block where branches meet has a selector; without one there is one way.
            self.edge(block, preds[0], phis, builder);
            return;
        };
        let which = self.value(Val::Inst(*selector), builder);
        let edges: Vec<Block> = preds.iter().map(|p| self.function.append_block(&format!("edge.{}", p.0))).collect();
        if edges.len() == 2 {
            let zero = which.ty().int_value(0);
            builder.cond_br(builder.icmp(IntPredicate::LLVMIntEQ, which, zero), edges[0], edges[1]);
        } else {
            let switch = builder.switch(which, edges[0], edges.len() as u32);
            for (number, edge) in edges.iter().enumerate().skip(1) {
                switch.add_case(which.ty().int_value(number as u64), *edge);
            }
        }
        let memo = self.memo.clone();
        for (pred, edge) in preds.iter().zip(edges) {
            self.memo.clone_from(&memo);
            self.edge(block, *pred, phis, &Builder::at_end(edge));
        }
    }

    /// From a block to a predecessor (or past a region without work).
    fn edge(&mut self, block: BlockId, pred: BlockId, phis: &[(InstId, Value)], builder: &Builder) {
        let func = &self.subject.func;
        if let Some(index) = func.preds(block).iter().position(|p| *p == pred) {
            for (phi, adjoint) in phis {
                self.add(func.inst(*phi).operands[index], *adjoint, builder);
            }
        }
        let mut entered: Vec<LoopId> = self.subject.cfg.chain(pred);
        entered.retain(|l| !self.subject.cfg.contains(*l, block) && self.plan.reversed[l.0 as usize]);
        for l in entered.into_iter().rev() {
            // What was looked up before belongs to iterations of other loops.
            self.memo.clear();
            let trips = match self.subject.loops[l.0 as usize].trips {
                Some(val) => self.value(val, builder),
                None => self.item(Item::Trips(l), builder),
            };
            builder.store(trips, self.counters[&l]);
            self.step_number(l, builder);
        }
        builder.br(self.blocks[&pred]);
    }

    /// One iteration back.
    fn step_number(&self, l: LoopId, builder: &Builder) {
        if let Some(variable) = self.slots.numbers.get(&l) {
            let number = self.variables[*variable];
            let this = builder.load(self.word(), number);
            builder.store(builder.sub(this, self.word().int_value(1)), number);
        }
    }

    /// The value of an operand.
    pub fn value(&mut self, val: Val, builder: &Builder) -> Value {
        match val {
            Val::Const(value) => value,
            Val::Arg(i) => self.params.primal[i as usize],
            Val::Inst(id) => self.item(Item::Value(id), builder),
        }
    }

    /// The shadow of a pointer; of one without a shadow, the pointer itself.
    pub fn shadow(&mut self, val: Val, builder: &Builder) -> Value {
        if !self.subject.facts().has_shadow(val) {
            return bare::shadow(builder, self.value(val, builder), self.session.again);
        }
        match val {
            Val::Const(value) => value,
            Val::Arg(i) => self.params.shadows[i as usize][0],
            Val::Inst(id) => self.item(Item::Shadow(id), builder),
        }
    }

    /// An item, loaded from where it is kept or computed again.
    pub fn item(&mut self, item: Item, builder: &Builder) -> Value {
        if let Some(value) = self.memo.get(&item) {
            return *value;
        }
        let value = match self.slots.items.get(&item) {
            Some(variable) => self.load_kept(item, self.variables[*variable], builder),
            None => self.compute(item, builder),
        };
        self.memo.insert(item, value);
        value
    }

    fn load_kept(&self, item: Item, variable: Value, builder: &Builder) -> Value {
        let facts = self.subject.facts();
        let ty = facts.item_type(item);
        match facts.scope(item) {
            None => builder.load(ty, variable),
            Some(l) => {
                let array = builder.load(self.session.module.context().ptr(), variable);
                let number = builder.load(self.word(), self.variables[self.slots.numbers[&l]]);
                let access = builder.load(ty, builder.gep(ty, array, &[number]));
                if let Some(arrays) = self.session.arrays {
                    arrays.include(access);
                }
                access
            }
        }
    }

    fn compute(&mut self, item: Item, builder: &Builder) -> Value {
        let facts = self.subject.facts();
        let found = way(&facts, item);
        let (id, is_shadow) = match item {
            Item::Value(id) => (id, false),
            Item::Shadow(id) => (id, true),
            Item::Tape(_) | Item::Trips(_) => return facts.item_type(item).undef(),
        };
        let ty = self.subject.func.inst(id).ty;
        let operand = |sweep: &mut Self, val: Val| {
            if is_shadow { sweep.shadow(val, builder) } else { sweep.value(val, builder) }
        };
        match found {
            Some(Way::AtHand) => self.at_hand(id, is_shadow, builder),
            Some(Way::Again) => self.again(id, is_shadow, builder),
            Some(Way::Counting { over, start, step, down }) => {
                let start = operand(self, start);
                let step = self.value(step, builder);
                let counter = builder.load(self.word(), self.counters[&over]);
                let counter = builder.int_cast(counter, ty);
                let way = if step.as_u64() == Some(1) { counter } else { builder.mul(counter, step) };
                if down { builder.sub(start, way) } else { builder.add(start, way) }
            }
            Some(Way::Walking { over, start, step }) => {
                let start = operand(self, start);
                let counter = builder.load(self.word(), self.counters[&over]);
                let bytes = builder.mul(counter, self.word().int_value(step as u64));
                builder.gep(self.session.module.context().int(8), start, &[bytes])
            }
            Some(Way::Branch { condition, then, otherwise }) => {
                let condition = self.value(condition, builder);
                builder.select(condition, ty.int_value(then), ty.int_value(otherwise))
            }
            // The plan keeps what cannot be computed again.
            None => ty.undef(),
        }
    }

    fn at_hand(&mut self, id: InstId, is_shadow: bool, builder: &Builder) -> Value {
        let inst = self.subject.func.inst(id);
        if matches!(inst.op, Op::Phi) {
            if let Some(counter) = self.subject.cfg.header_of(inst.block).and_then(|l| self.counters.get(&l)) {
                return builder.load(self.word(), *counter);
            }
            return inst.ty.undef();
        }
        match &self.forward {
            Some(forward) if is_shadow => forward.shadows.get(&Val::Inst(id)).copied().unwrap_or(inst.ty.undef()),
            Some(forward) => forward.map.value(inst.value),
            None => inst.ty.undef(),
        }
    }

    fn again(&mut self, id: InstId, is_shadow: bool, builder: &Builder) -> Value {
        let inst = self.subject.func.inst(id);
        let original = inst.value;
        let pointers = pointer_operands(&inst.op, inst.operands.len());
        let operands: Vec<Option<Value>> = original
            .operands()
            .into_iter()
            .enumerate()
            .map(|(index, operand)| {
                if operand.as_block().is_some() {
                    return None;
                }
                let val = self.subject.func.val(operand);
                let is_moved = matches!(inst.op, Op::Select) && !self.subject.facts().has_shadow(val);
                if !is_shadow || !pointers.contains(&index) {
                    return Some(self.value(val, builder));
                }
                let (subject, only_doubles) = (self.subject, self.session.only_doubles);
                let mut constant =
                    || inactive::constant_moved(subject, val, only_doubles, || self.value(val, builder), builder);
                let constant = if is_moved { constant() } else { None };
                Some(constant.unwrap_or_else(|| self.shadow(val, builder)))
            })
            .collect();
        let copy = original.clone_instruction();
        builder.insert(copy);
        copy.clear_tail();
        for (index, operand) in operands.into_iter().enumerate() {
            if let Some(operand) = operand {
                copy.set_operand(index as u32, operand);
            }
        }
        copy
    }

    /// The variable that holds the adjoint of a value.
    pub fn adjoint(&mut self, val: Val) -> Value {
        if let Some(variable) = self.adjoints.get(&val) {
            return *variable;
        }
        let ty = self.adjoint_type(val);
        let builder = Builder::before_terminator(self.function.entry());
        let variable = builder.alloca(ty, "ct.adjoint");
        builder.store(ty.zero(), variable);
        self.adjoints.insert(val, variable);
        self.all_adjoints.push(variable);
        variable
    }

    /// The type of the adjoint of a value: of a word, the floats that it may be.
    fn adjoint_type(&self, val: Val) -> Type {
        let (func, activity) = (&self.subject.func, &self.subject.activity);
        let ty = func.ty(val);
        if activity.is_word(val) { activity.floats_of(func, ty).unwrap_or(ty) } else { ty }
    }

    /// Adds to the adjoint of a value; nothing where it is not active.
    pub fn add(&mut self, val: Val, contribution: Value, builder: &Builder) {
        if !self.subject.activity.has_adjoint(val) {
            return;
        }
        let variable = self.adjoint(val);
        let before = builder.load(contribution.ty(), variable);
        let Subject { func, memory, activity, .. } = self.subject;
        let sum = self.session.sum_of_words(builder, activity.doubt_about(func, memory, val), before, contribution);
        builder.store(sum, variable);
    }

    /// Adds to a part of the adjoint of an aggregate.
    pub fn add_part(&mut self, val: Val, indices: &[u32], contribution: Value, builder: &Builder) {
        if !self.subject.activity.is_active(val) {
            return;
        }
        let part = self.part(val, indices, builder);
        let before = builder.load(contribution.ty(), part);
        builder.store(aggregate::add(builder, before, contribution), part);
    }

    fn part(&mut self, val: Val, indices: &[u32], builder: &Builder) -> Value {
        let variable = self.adjoint(val);
        let int = self.session.module.context().int(32);
        let path: Vec<Value> =
            std::iter::once(0).chain(indices.iter().copied()).map(|i| int.int_value(u64::from(i))).collect();
        builder.gep(self.subject.func.ty(val), variable, &path)
    }

    /// Reads the adjoint of a value and sets it to zero.
    pub fn take(&mut self, val: Val, builder: &Builder) -> Value {
        let variable = self.adjoint(val);
        let ty = self.adjoint_type(val);
        let adjoint = builder.load(ty, variable);
        builder.store(ty.zero(), variable);
        adjoint
    }

    /// Whether a pointer leads to constant memory: it is its own shadow.
    pub fn is_constant(&mut self, pointer: Val, shadow: Value, builder: &Builder) -> Value {
        self.session.meets_constants = true;
        let primal = self.value(pointer, builder);
        builder.icmp(IntPredicate::LLVMIntEQ, primal, shadow)
    }

    /// A local that takes what is added to the adjoint of no float.
    pub fn nowhere(&mut self, float: Type) -> Value {
        let function = self.function;
        *self.nowhere.entry(float).or_insert_with(|| zeroed(function, float, "ct.nowhere"))
    }

    /// A local that stands for the adjoints of what was put in constant memory: it is zero, and nothing else is stored there.
    pub fn zeros(&mut self, ty: Type) -> Value {
        let function = self.function;
        *self.zeros.entry(ty).or_insert_with(|| zeroed(function, ty, "ct.zeros"))
    }

    /// The adjoints of parameters, for a pullback's result.
    pub fn param_adjoints(&mut self, params: &[usize], builder: &Builder) -> Vec<Value> {
        params
            .iter()
            .map(|i| {
                let val = Val::Arg(*i as u32);
                let variable = self.adjoint(val);
                builder.load(self.subject.func.ty(val), variable)
            })
            .collect()
    }

    /// Ends the work, when nothing is added to the function any more.
    pub fn finish(self) {
        shorten::run(self.function, self.all_adjoints);
    }

    /// A cast of a contribution to an operand's width.
    pub fn to_width(&self, value: Value, ty: Type, builder: &Builder) -> Value {
        let size = |t: Type| self.session.module.size_of(if t.is_vector() { t.element() } else { t });
        match size(value.ty()).cmp(&size(ty)) {
            std::cmp::Ordering::Less => builder.cast(Opcode::LLVMFPExt, value, ty),
            std::cmp::Ordering::Equal => value,
            std::cmp::Ordering::Greater => builder.cast(Opcode::LLVMFPTrunc, value, ty),
        }
    }
}

/// A local that begins as zero.
fn zeroed(function: Function, ty: Type, name: &str) -> Value {
    let builder = Builder::before_terminator(function.entry());
    let place = builder.alloca(ty, name);
    builder.store(ty.zero(), place);
    place
}
