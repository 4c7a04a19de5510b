//! The forward sweep of reverse mode: the primal, its shadows, and what is kept for the reverse sweep.
//!
//! Instructions are clones of the primal's, so flags and attributes survive. Beside a pointer with a shadow stands the same
//! instruction on shadows. Structure (pointers, lengths) that the primal writes into memory with a shadow is written into the
//! shadow too; floats are not: a shadow's floats are adjoints, and stay zero until the reverse sweep. Memory with a shadow is not given
//! back before the reverse sweep is over.
mod room;

use super::bare;
use super::inactive::{self, Watched, Written};
use super::keys::call_key;
use super::session::{Made, Session, field, masked};
use super::slots::Slots;
use super::subject::Subject;
use super::writes;
use super::{adjoint, copying, custom};
use crate::analysis::activity::{ParamActivity, half_of_word, may_hold_floats};
use crate::analysis::cfg::LoopId;
use crate::diag::Diagnostic;
use crate::ir::{BlockId, Callee, InstId, Op, Val};
use crate::llvm::{Block, Builder, CopyMap, Function, IntPredicate, Opcode, Value, copy_instruction};
use crate::maps::HashMap;
use crate::plan::recompute::pointer_operands;
use crate::plan::{Item, Plan, holds_pointer};
use crate::rule::{Effect, Size};
use cotangent_contract as contract;

/// Where shadows of parameters stand in a derivative's own parameters.
pub struct Params {
    /// The primal's parameters.
    pub primal: Vec<Value>,
    /// Their shadows (none where constant), lane by lane.
    pub shadows: Vec<Vec<Value>>,
}

/// The forward sweep, as far as it has been written.
pub struct Sweep<'s, 'a, 'r> {
    /// The request's state.
    pub session: &'s mut Session<'r>,
    /// The function.
    pub subject: &'a Subject,
    /// Its plan.
    pub plan: &'a Plan,
    /// Variables for kept items.
    pub slots: &'a Slots,
    /// The variables in this function.
    pub variables: Vec<Value>,
    /// Copies of the primal's values and blocks.
    pub map: CopyMap,
    /// Shadows.
    pub shadows: HashMap<Val, Value>,
    /// Where the sweep goes when the primal returns.
    pub exit: Block,
    function: Function,
    params: Params,
    capacity: HashMap<LoopId, Value>,
    number: HashMap<LoopId, Value>,
    ends: HashMap<BlockId, Block>,
    returned: Option<Val>,
    returned_shadow: Option<Value>,
}

type Done = Result<(), Diagnostic>;

impl<'s, 'a, 'r> Sweep<'s, 'a, 'r> {
    /// Writes the forward sweep into `function`, whose entry block holds the variables and nothing else. Where the primal
    /// returns, the sweep goes on to `exit`.
    ///
    /// # Errors
    /// What cannot be differentiated.
    #[allow(clippy::too_many_arguments)]
    pub fn write(
        session: &'s mut Session<'r>,
        subject: &'a Subject,
        plan: &'a Plan,
        slots: &'a Slots,
        variables: Vec<Value>,
        function: Function,
        params: Params,
        exit: Block,
    ) -> Result<Sweep<'s, 'a, 'r>, Diagnostic> {
        let mut sweep = Sweep {
            session,
            subject,
            plan,
            slots,
            variables,
            map: CopyMap::default(),
            shadows: HashMap::default(),
            exit,
            function,
            params,
            capacity: HashMap::default(),
            number: HashMap::default(),
            ends: HashMap::default(),
            returned: None,
            returned_shadow: None,
        };
        sweep.run()?;
        Ok(sweep)
    }

    fn run(&mut self) -> Done {
        let func = &self.subject.func;
        for (index, param) in func.params.iter().enumerate() {
            self.map.values.insert(*param, self.params.primal[index]);
            if let Some(shadow) = self.params.shadows[index].first() {
                self.shadows.insert(Val::Arg(index as u32), *shadow);
            }
        }
        let entry = self.function.entry();
        for block in func.block_ids() {
            let copy = self.function.append_block(&format!("forward.{}", block.0));
            self.map.blocks.insert(func.block(block).block, copy);
        }
        let builder = Builder::at_end(entry);
        for l in self.slots.numbers.keys() {
            let capacity = builder.alloca(self.word(), "ct.capacity");
            builder.store(self.word().int_value(0), capacity);
            builder.store(self.word().int_value(0), self.variables[self.slots.numbers[l]]);
            self.capacity.insert(*l, capacity);
        }
        // An array that is never reached still has a defined address.
        for (item, variable) in &self.slots.items {
            let ty = self.slots.types[*variable];
            if self.subject.facts().scope(*item).is_some() {
                builder.store(ty.zero(), self.variables[*variable]);
            }
        }
        for block in func.block_ids() {
            self.block(block)?;
        }
        builder.position_at_end(entry);
        builder.br(self.map.blocks[&func.block(BlockId(0)).block]);
        self.fill_phis();
        Ok(())
    }

    fn word(&self) -> crate::llvm::Type {
        self.session.module.context().int(64)
    }

    /// The copy of a value.
    pub fn value(&self, val: Val) -> Value {
        self.map.value(self.subject.func.origin(val))
    }

    /// The shadow of a pointer; of one without a shadow, the pointer itself.
    pub fn shadow(&self, val: Val) -> Value {
        self.shadows
            .get(&val)
            .copied()
            .unwrap_or_else(|| bare::shadow_there(self.function, self.value(val), self.session.again))
    }

    /// The shadow of what is moved: zero of a constant that may be a float's bits.
    fn shadow_of_moved(&self, val: Val, builder: &Builder) -> Value {
        if let Some(shadow) = self.shadows.get(&val) {
            return *shadow;
        }
        let only_doubles = self.session.only_doubles;
        inactive::constant_moved(self.subject, val, only_doubles, || self.value(val), builder)
            .unwrap_or_else(|| bare::shadow(builder, self.value(val), self.session.again))
    }

    /// What the primal returns.
    pub fn returned(&self) -> Option<Value> {
        self.returned.map(|v| self.value(v))
    }

    /// The shadow of a returned pointer.
    pub fn returned_shadow(&self) -> Option<Value> {
        self.returned_shadow
    }

    fn block(&mut self, block: BlockId) -> Done {
        let data = self.subject.func.block(block);
        let target = self.map.blocks[&data.block];
        let builder = Builder::at_end(target);
        let mut phis = Vec::new();
        let mut after_phis = false;
        for id in data.insts.clone() {
            let is_phi = matches!(self.subject.func.inst(id).op, Op::Phi);
            if !is_phi && !after_phis {
                after_phis = true;
                self.enter(block, &builder);
                for phi in phis.drain(..) {
                    self.keep_results(phi, &builder);
                }
            }
            self.instruction(id, &builder)?;
            if is_phi {
                phis.push(id);
            } else {
                self.keep_results(id, &builder);
            }
        }
        self.ends.insert(block, builder.block());
        Ok(())
    }

    /// At the top of a block: the number of the iteration, room for it, the count of a loop that was left.
    fn enter(&mut self, block: BlockId, builder: &Builder) {
        let cfg = &self.subject.cfg;
        if let Some(l) = cfg.header_of(block)
            && let Some(variable) = self.slots.numbers.get(&l)
        {
            let number = self.variables[*variable];
            let this = builder.load(self.word(), number);
            builder.store(builder.add_exact(this, self.word().int_value(1)), number);
            self.number.insert(l, this);
            if self.reserved_at(l).is_none() {
                self.ensure(l, builder.add_exact(this, self.word().int_value(1)), builder);
            }
        }
        // A block outside of a loop is entered either from inside it alone or not at all from there.
        if let Some(pred) = self.subject.func.preds(block).first().copied() {
            for l in cfg.chain(pred) {
                if !cfg.contains(l, block) && self.plan.kept.contains(&Item::Trips(l)) {
                    let counter = self.subject.loops[l.0 as usize].counter;
                    if let Some(counter) = counter {
                        let trips = self.value(Val::Inst(counter));
                        self.keep(Item::Trips(l), trips, builder);
                    }
                }
            }
        }
    }

    fn keep_results(&mut self, id: InstId, builder: &Builder) {
        if self.plan.kept.contains(&Item::Value(id)) {
            let value = self.value(Val::Inst(id));
            self.keep(Item::Value(id), value, builder);
        }
        if self.plan.kept.contains(&Item::Shadow(id)) {
            let shadow = self.shadow(Val::Inst(id));
            self.keep(Item::Shadow(id), shadow, builder);
        }
    }

    /// Keeps what a call left on the tape.
    pub fn keep_tape(&mut self, id: InstId, tape: Value, builder: &Builder) {
        if self.plan.kept.contains(&Item::Tape(id)) {
            self.keep(Item::Tape(id), tape, builder);
        }
    }

    fn keep(&mut self, item: Item, value: Value, builder: &Builder) {
        let variable = self.variables[self.slots.items[&item]];
        match self.subject.facts().scope(item) {
            None => {
                builder.store(value, variable);
            }
            Some(l) => {
                let array = builder.load(builder.block().value().context().ptr(), variable);
                let ty = self.subject.facts().item_type(item);
                let access = builder.store(value, builder.gep(ty, array, &[self.number[&l]]));
                if let Some(arrays) = self.session.arrays {
                    arrays.include(access);
                }
            }
        }
    }

    fn instruction(&mut self, id: InstId, builder: &Builder) -> Done {
        let subject = self.subject;
        let inst = subject.func.inst(id);
        let facts = subject.facts();
        if !subject.func.block(inst.block).returns {
            // A memory whose life begins here alone would have none elsewhere.
            if !is_lifetime(inst.value) {
                self.clone_at(id, builder);
            }
            return Ok(());
        }
        if subject.activity.is_of_no_variant(&subject.func, &subject.memory, id) {
            self.session.refuse_access(builder, inst.value);
        }
        match &inst.op {
            Op::Branch => {
                self.reserve(inst.block, builder);
                self.clone_at(id, builder);
            }
            Op::Return => {
                self.returned = inst.operands.first().copied();
                self.returned_shadow =
                    self.returned.filter(|v| holds_pointer(subject.func.ty(*v))).map(|v| self.shadow(v));
                builder.br(self.exit);
            }
            Op::Alloca => self.alloca(id, builder),
            Op::Store => {
                if let Some(piece) = subject.activity.piece_checked(&subject.func, id) {
                    self.session.check_bits(builder, inst.value, self.value(piece), self.shadow(piece), false);
                }
                self.clone_at(id, builder);
                let (value, address) = (inst.operands[0], inst.operands[1]);
                let ty = subject.func.ty(value);
                let activity = &subject.activity;
                if activity.may_be_result(&subject.memory, address)
                    || activity.is_users_number(&subject.func, &subject.memory, id)
                {
                    // The shadow of the result is the seed, and numbers in the user's shadows are nobody's business.
                } else if facts.has_shadow(address)
                    && let Some(floats) = activity.floats_of_users_variant(&subject.func, &subject.memory, id)
                {
                    let place = (self.shadow(address), inst.value.alignment());
                    adjoint::leave_variant(builder, place, self.shadow_of_moved(value, builder), floats);
                } else if facts.has_shadow(address)
                    && ty.is_float()
                    && activity.is_users_mixed(&subject.func, &subject.memory, address, ty)
                    && writes::guarded(subject, id).is_none()
                {
                    adjoint::leave_adjoint(builder, (self.shadow(address), inst.value.alignment()), ty);
                } else if facts.has_shadow(address) {
                    let beside = match may_hold_floats(ty) {
                        false if activity.is_over_users_float(&subject.func, &subject.memory, id) => {
                            let place = (self.shadow(address), inst.value.alignment());
                            Some(adjoint::structure_or_same(builder, place, self.shadow_of_moved(value, builder)))
                        }
                        false => Some(self.shadow_of_moved(value, builder)),
                        // What structure was there before is no adjoint.
                        true => activity.is_mixed_at(&subject.func, &subject.memory, address, ty).then(|| ty.zero()),
                    };
                    let place = self.shadow(address);
                    let store = || {
                        if let Some(beside) = beside {
                            builder.store(beside, place).set_alignment(inst.value.alignment());
                        }
                    };
                    if writes::guarded(subject, id).is_some() {
                        let (stored, ends) = (self.value(value), (self.value(address), place));
                        let lost = writes::is_lost(subject, value, stored, beside.unwrap_or(stored), builder);
                        self.session.check_kept(builder, inst.value, ends, lost);
                        inactive::for_apart(builder, ends.0, ends.1, store);
                    } else {
                        store();
                    }
                }
            }
            Op::MemCopy => {
                self.clone_at(id, builder);
                let is_told = writes::guarded(subject, id).is_some() && facts.has_shadow(inst.operands[1]);
                let lost = is_told.then(|| {
                    let (primal, bytes) = (self.value(inst.operands[1]), self.value(inst.operands[2]));
                    let other = builder.icmp(IntPredicate::LLVMIntNE, primal, self.shadow(inst.operands[1]));
                    let some = builder.icmp(IntPredicate::LLVMIntNE, bytes, bytes.ty().zero());
                    builder.binary(Opcode::LLVMAnd, other, some)
                });
                self.write_apart(id, lost, builder, copying::structure)?;
            }
            Op::MemSet => {
                self.clone_at(id, builder);
                let set = subject.memory.points_to(inst.operands[0]);
                if facts.has_shadow(inst.operands[0]) && subject.memory.has_structure(&set) {
                    self.write_apart(id, None, builder, copying::fill_structure)?;
                }
            }
            Op::Call(Callee::Effect(Effect::Allocate { size, zeroed, .. })) => {
                let copy = self.clone_at(id, builder);
                if facts.has_shadow(Val::Inst(id)) {
                    let shadow = self.again(id, builder, &[]);
                    self.shadows.insert(Val::Inst(id), shadow);
                    if !zeroed {
                        let bytes = self.size_of_allocation(copy, *size, builder);
                        builder.memset(shadow, builder.block().value().context().int(8).int_value(0), bytes, 1);
                    }
                }
            }
            Op::Call(Callee::Effect(Effect::Free { pointer, size, .. }))
                if facts.has_shadow(inst.operands[*pointer]) =>
            {
                self.defer(id, *pointer, *size, builder);
            }
            Op::Call(Callee::Custom(custom)) if subject.activity.is_active_call(&subject.func, &subject.memory, id) => {
                custom::forward_sweep(self, id, custom, builder)?;
                self.shadow_of_result(id, builder);
            }
            Op::Call(Callee::Body(function)) if subject.activity.is_active_call(&subject.func, &subject.memory, id) => {
                self.call(id, *function, builder);
            }
            Op::Call(Callee::Effect(Effect::Inactive)) if is_release(inst.value) => {}
            // The reverse sweep still reads what the primal has finished with.
            Op::Call(_) if is_lifetime(inst.value) => {}
            _ => {
                for (bits, mask) in subject.activity.bits_checked(&subject.func, id) {
                    let [value, shadow] = [self.value(bits), self.shadow(bits)].map(|v| masked(builder, v, mask));
                    self.session.check_bits(builder, inst.value, value, shadow, false);
                }
                if let Some(table) = subject.activity.table_in_doubt(&subject.func, &subject.memory, id) {
                    self.session.check_known(builder, self.map.value(inst.value.callee()), table);
                }
                let written = inactive::written(subject, id);
                let copy = if inactive::is_told_again(&inst.op) {
                    let copy = self.clone_at(id, builder);
                    self.tell_again(id, &written, builder);
                    copy
                } else {
                    let watched = written.into_iter().flat_map(|written| {
                        let (primal, shadow) = (self.value(written.address), self.shadow(written.address));
                        inactive::watch(builder, &written, primal, &[shadow])
                    });
                    let watched: Vec<Watched> = watched.collect();
                    let copy = self.clone_at(id, builder);
                    inactive::follow(self.subject, builder, &watched);
                    copy
                };
                self.shadow_of_result(id, builder);
                if facts.has_shadow(Val::Inst(id)) {
                    self.pointer(id, copy, builder);
                    self.tell_users_word(id, builder);
                    self.tell_constant_word(id, builder);
                }
                let activity = &subject.activity;
                if activity.is_length(&subject.func, &subject.memory, id) && facts.has_shadow(inst.operands[0]) {
                    let shadow = self.again(id, builder, &[0]);
                    self.session.check_length(builder, self.value(inst.operands[0]), copy, shadow);
                }
                if activity.is_apart(id) {
                    let shadow = self.shadow(Val::Inst(id));
                    let place = (self.value(inst.operands[0]), self.shadow(inst.operands[0]));
                    let is_guarded = activity.is_guarded(&subject.memory, inst.operands[0]);
                    self.session.check_apart(builder, copy, shadow, is_guarded.then_some(place));
                }
                if let Some(tag) = activity.tag(id)
                    && facts.has_shadow(inst.operands[0])
                {
                    let mut shadow = self.again(id, builder, &[0]);
                    if let Some((floats, is_changed)) = activity.floats_of_users_tag(&subject.func, &subject.memory, id)
                    {
                        let place = self.shadow(inst.operands[0]);
                        shadow = adjoint::told(builder, place, [copy, shadow], floats, is_changed);
                    }
                    self.session.check_variant(builder, tag, copy, shadow);
                }
            }
        }
        Ok(())
    }

    /// Writes to a shadow, unless it is constant memory.
    fn write_apart(
        &mut self,
        id: InstId,
        lost: Option<Value>,
        builder: &Builder,
        act: impl FnOnce(&mut Self, InstId, &Builder) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let Some(address) = writes::guarded(self.subject, id) else { return act(self, id, builder) };
        let ends = (self.value(address), self.shadow(address));
        self.session.check_kept(builder, self.subject.func.inst(id).value, ends, lost);
        let mut done = Ok(());
        inactive::for_apart(builder, ends.0, ends.1, || done = act(self, id, builder));
        done
    }

    /// Makes text for the shadow.
    fn tell_again(&mut self, id: InstId, written: &[Written], builder: &Builder) {
        let Some(first) = written.first() else { return };
        let operands: Vec<usize> = written.iter().map(|w| w.operand).collect();
        let (primal, shadow) = (self.value(first.address), self.shadow(first.address));
        inactive::for_apart(builder, primal, shadow, || {
            self.again(id, builder, &operands);
        });
    }

    /// Of a word in memory whose shadow the user keeps, that is an adjoint where it is no structure.
    fn tell_users_word(&mut self, id: InstId, builder: &Builder) {
        let (activity, inst) = (&self.subject.activity, self.subject.func.inst(id));
        let word = Val::Inst(id);
        if matches!(inst.op, Op::Load)
            && activity.is_word(word)
            && activity.is_users(&self.subject.memory, inst.operands[0])
        {
            let Subject { func, memory, .. } = self.subject;
            let is_pair = activity.may_be_two(func, memory, word);
            let mut shadow = inactive::users_word(builder, self.value(word), self.shadow(word), is_pair);
            if let Some(half) = half_of_word(&self.subject.func, id) {
                let ends = [self.value(inst.operands[0]), self.shadow(inst.operands[0])];
                let are_addresses = inactive::are_of_addresses(builder, ends, half);
                // (Where all floats are as wide as an address, what looks like one in both is none of them.)
                match self.session.only_doubles {
                    true => shadow = builder.select(are_addresses, self.shadow(word), shadow),
                    false => self.session.check_told(builder, inst.value, are_addresses),
                }
            }
            self.shadows.insert(word, shadow);
        }
    }

    /// What stands beside a word that may lie in constant memory.
    fn tell_constant_word(&mut self, id: InstId, builder: &Builder) {
        if let Some(address) = inactive::guarded_word(self.subject, id) {
            let (word, shadow) = (self.value(Val::Inst(id)), self.shadow(Val::Inst(id)));
            let ends = (self.value(address), self.shadow(address));
            self.session.meets_constants = true;
            let Subject { func, memory, activity, .. } = self.subject;
            let is_pair = activity.may_be_two(func, memory, Val::Inst(id));
            self.shadows.insert(Val::Inst(id), inactive::constant_or(builder, word, shadow, ends, is_pair));
        }
    }

    fn shadow_of_result(&self, call: InstId, builder: &Builder) {
        custom::shadow_of_result(self.subject, call, |val| self.value(val), |val| vec![self.shadow(val)], builder);
    }

    /// The copy of an instruction.
    fn clone_at(&mut self, id: InstId, builder: &Builder) -> Value {
        let original = self.subject.func.inst(id).value;
        let copy = copy_instruction(original, builder.block(), &mut self.map, &mut |_| None);
        copy.clear_tail();
        copy
    }

    /// The same instruction once more, with shadows in the place of the operands listed.
    fn again(&mut self, id: InstId, builder: &Builder, shadowed: &[usize]) -> Value {
        let inst = self.subject.func.inst(id);
        let copy = inst.value.clone_instruction();
        // What stands beside an operand may take instructions: those come first.
        for index in 0..copy.operand_count() {
            let operand = inst.value.operand(index);
            if operand.as_block().is_some() {
                continue;
            }
            let val = self.subject.func.val(operand);
            let value = match inst.op {
                _ if !shadowed.contains(&(index as usize)) => self.map.value(operand),
                Op::Select | Op::Insert(_) => self.shadow_of_moved(val, builder),
                _ => self.shadow(val),
            };
            copy.set_operand(index, value);
        }
        builder.insert(copy);
        copy.clear_tail();
        copy
    }

    /// The shadow of a pointer that an instruction computes.
    fn pointer(&mut self, id: InstId, copy: Value, builder: &Builder) {
        let inst = self.subject.func.inst(id);
        let pointers = pointer_operands(&inst.op, inst.operands.len());
        let shadow = match &inst.op {
            Op::Phi => builder.phi(copy.ty()),
            _ if pointers.is_empty() => return,
            _ => self.again(id, builder, &pointers),
        };
        self.shadows.insert(Val::Inst(id), shadow);
    }

    fn alloca(&mut self, id: InstId, builder: &Builder) {
        let inst = self.subject.func.inst(id);
        let bytes = self.word().int_value(self.session.module.size_of(inst.value.allocated_type()));
        let lasting = |item: Item, sweep: &Self| !sweep.subject.fused && sweep.plan.kept.contains(&item);
        if lasting(Item::Value(id), self) {
            let alloc = self.session.runtime(contract::TAPE_ALLOC);
            let block = builder.call(alloc, &[bytes]);
            self.map.values.insert(inst.value, block);
        } else {
            self.clone_at(id, builder);
        }
        if self.subject.facts().has_shadow(Val::Inst(id)) {
            let shadow = if lasting(Item::Shadow(id), self) {
                let alloc = self.session.runtime(contract::TAPE_ALLOC);
                builder.call(alloc, &[bytes])
            } else {
                let shadow = builder.alloca(inst.value.allocated_type(), "ct.shadow");
                shadow.set_alignment(inst.value.alignment());
                shadow
            };
            builder.memset(shadow, shadow.context().int(8).int_value(0), bytes, inst.value.alignment().min(16));
            self.shadows.insert(Val::Inst(id), shadow);
        }
    }

    /// Bytes that an allocation asks for.
    fn size_of_allocation(&self, call: Value, size: Size, builder: &Builder) -> Value {
        match size {
            Size::Operand(i) => call.operand(i as u32),
            Size::Product(a, b) => builder.mul(call.operand(a as u32), call.operand(b as u32)),
        }
    }

    /// Memory with a shadow is given back when the tape is released.
    fn defer(&mut self, id: InstId, pointer: usize, size: Option<usize>, builder: &Builder) {
        let inst = self.subject.func.inst(id);
        if inst.value.called_function().is_some_and(|f| f.name() == contract::TAPE_DEFER) {
            // An inner derivative puts it off already; the tape is released by the outermost one.
            self.clone_at(id, builder);
            let shadow = inactive::apart_or_null(
                builder,
                self.value(inst.operands[pointer]),
                self.shadow(inst.operands[pointer]),
            );
            self.again(id, builder, &[]).set_operand(pointer as u32, shadow);
            return;
        }
        let function = self.session.runtime(contract::TAPE_DEFER);
        let free = inst.value.callee();
        let operand = |i: usize| inst.operands.get(i).map(|v| self.value(*v));
        let bytes = size.and_then(operand).unwrap_or_else(|| self.word().int_value(0));
        let align = size.and_then(|i| operand(i + 1)).unwrap_or_else(|| self.word().int_value(1));
        let block = inst.operands[pointer];
        let shadow = inactive::apart_or_null(builder, self.value(block), self.shadow(block));
        for pointer in [self.value(block), shadow] {
            builder.call(function, &[free, pointer, bytes, align]);
        }
    }

    /// A call that is differentiated by itself.
    fn call(&mut self, id: InstId, function: Function, builder: &Builder) {
        let inst = self.subject.func.inst(id);
        let facts = self.subject.facts();
        let key = call_key(self.subject, id, function, 0);
        let result = key.interface.result;
        let Made::Split { augmented, .. } = self.session.derivative(key.clone()) else { return };
        let mut arguments: Vec<Value> = inst.operands.iter().map(|v| self.value(*v)).collect();
        for (operand, param) in inst.operands.iter().zip(&key.interface.params) {
            if *param == ParamActivity::Dup {
                arguments.push(self.shadow(*operand));
            }
        }
        let call = builder.call(augmented, &arguments);
        let mut next = 0;
        if !inst.ty.is_void() {
            let value = field(builder, call, &mut next);
            self.map.values.insert(inst.value, value);
        }
        if result && holds_pointer(inst.ty) {
            let shadow = field(builder, call, &mut next);
            self.shadows.insert(Val::Inst(id), shadow);
        }
        let _ = facts;
        let tape = field(builder, call, &mut next);
        if self.plan.kept.contains(&Item::Tape(id)) {
            self.keep(Item::Tape(id), tape, builder);
        }
    }

    fn fill_phis(&mut self) {
        let func = &self.subject.func;
        for id in func.inst_ids() {
            let inst = func.inst(id);
            if !matches!(inst.op, Op::Phi) {
                continue;
            }
            let copy = self.map.value(inst.value);
            // One edge for each time that the primal lists it (a switch may lead somewhere twice).
            for (value, block) in inst.value.incoming() {
                let Some(pred) = func.block_of(block) else { continue };
                let end = self.ends[&pred];
                copy.add_incoming(self.map.value(value), end);
                if let Some(shadow) = self.shadows.get(&Val::Inst(id)) {
                    shadow.add_incoming(self.shadow_of_moved(func.val(value), &Builder::before_terminator(end)), end);
                }
            }
        }
    }
}

/// Whether a call gives back the tape, which an outer derivative must not do before its own reverse sweep.
pub fn is_release(call: Value) -> bool {
    call.called_function().is_some_and(|f| f.name() == contract::TAPE_RELEASE)
}

fn is_lifetime(call: Value) -> bool {
    call.opcode() == Opcode::LLVMCall && call.called_function().is_some_and(|f| f.name().starts_with("llvm.lifetime."))
}
