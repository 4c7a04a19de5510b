//! Forward mode: one sweep of tangents beside the primal.
//!
//! Beside each instruction on floats stands its tangent, once per lane: `sum of partial * tangent of the operand`, with the
//! same partials as in reverse mode. Memory with a shadow is treated twice: what is done to it is done to its shadow, with
//! tangents in the place of floats.
use super::aggregate;
use super::augmented::Params;
use super::copying::{self, Layout};
use super::custom;
use super::expr::Emitter;
use super::inactive::{self, Watched, Written};
use super::keys::call_key;
use super::session::{Key, Made, Session, field, masked};
use super::subject::Subject;
use super::writes;
use super::{bare, guard};
use crate::analysis::activity::{ParamActivity, may_hold_floats};
use crate::analysis::memory::Cell;
use crate::diag::{Code, Diagnostic};
use crate::ir::{BlockId, Callee, InstId, Op, Val};
use crate::llvm::{Block, Builder, CopyMap, Function, IntPredicate, Opcode, Type, Value, copy_instruction};
use crate::maps::HashMap;
use crate::plan::masked;
use crate::plan::recompute::pointer_operands;
use crate::rule::{Effect, Size, factored};

/// The sweep, as far as it has been written.
pub struct Tangents<'s, 'a, 'r> {
    /// The request's state.
    pub session: &'s mut Session<'r>,
    /// The function.
    pub subject: &'a Subject,
    function: Function,
    masked: Vec<bool>,
    /// Number of tangents.
    pub width: usize,
    map: CopyMap,
    /// Tangents of active values, lane by lane.
    tangents: HashMap<Val, Vec<Value>>,
    /// Shadows of pointers, lane by lane.
    shadows: HashMap<Val, Vec<Value>>,
    exit: Block,
    returned: Option<Val>,
    /// Where each block ends (a check of lengths ends one early).
    ends: HashMap<BlockId, Block>,
}

type Done = Result<(), Diagnostic>;

/// The body of a root in forward mode.
///
/// # Errors
/// What cannot be differentiated.
pub fn root(session: &mut Session, key: &Key, function: Function, params: Params) -> Result<(), Vec<Diagnostic>> {
    let subject = session.subject(key, true)?;
    let entry = function.append_block("entry");
    let done = function.append_block("done");
    Builder::at_end(done).ret_void();
    write(session, &subject, key, function, params, entry, done).map_err(|e| vec![e])?;
    Ok(())
}

/// The tangent function of a callee.
///
/// # Errors
/// What cannot be differentiated.
pub fn callee(session: &mut Session, key: &Key, function: Function) -> Result<(), Vec<Diagnostic>> {
    let subject = session.subject(key, false)?;
    let entry = function.append_block("entry");
    let done = function.append_block("done");
    let all = function.params();
    let count = key.function.params().len();
    let mut next = all[count..].iter().copied();
    let mut params = Params { primal: all[..count].to_vec(), shadows: Vec::new() };
    for param in &key.interface.params {
        let lanes = if *param == ParamActivity::Const { 0 } else { key.width as usize };
        params.shadows.push(next.by_ref().take(lanes).collect());
    }
    let sweep = write(session, &subject, key, function, params, entry, done).map_err(|e| vec![e])?;
    let builder = Builder::at_end(done);
    if subject.func.exit().is_none() {
        builder.unreachable();
        return Ok(());
    }
    let ty = function.ty().result();
    let mut outputs = Vec::new();
    if let Some(returned) = sweep.returned {
        outputs.push(sweep.value(returned));
        if key.interface.result {
            outputs.extend(sweep.beside(returned, &builder));
        }
    }
    let all = (0u32..).zip(outputs).fold(ty.undef(), |all, (i, v)| builder.insert_value(all, v, i));
    builder.ret(all);
    Ok(())
}

fn write<'s, 'a, 'r>(
    session: &'s mut Session<'r>,
    subject: &'a Subject,
    key: &Key,
    function: Function,
    params: Params,
    entry: Block,
    exit: Block,
) -> Result<Tangents<'s, 'a, 'r>, Diagnostic> {
    let masked = masked::find(&subject.facts());
    let mut sweep = Tangents {
        session,
        subject,
        function,
        masked,
        width: key.width as usize,
        map: CopyMap::default(),
        tangents: HashMap::default(),
        shadows: HashMap::default(),
        exit,
        returned: None,
        ends: HashMap::default(),
    };
    let func = &subject.func;
    for (index, param) in func.params.iter().enumerate() {
        sweep.map.values.insert(*param, params.primal[index]);
        let lanes = params.shadows[index].clone();
        match key.interface.params[index] {
            ParamActivity::Const => {}
            ParamActivity::Dup => drop(sweep.shadows.insert(Val::Arg(index as u32), lanes)),
            ParamActivity::Active => drop(sweep.tangents.insert(Val::Arg(index as u32), lanes)),
        }
    }
    for block in func.block_ids() {
        let copy = function.append_block(&format!("tangent.{}", block.0));
        sweep.map.blocks.insert(func.block(block).block, copy);
    }
    for block in func.block_ids() {
        sweep.block(block)?;
    }
    Builder::at_end(entry).br(sweep.map.blocks[&func.block(BlockId(0)).block]);
    sweep.fill_phis();
    Ok(sweep)
}

impl Tangents<'_, '_, '_> {
    /// The copy of a value.
    pub fn value(&self, val: Val) -> Value {
        self.map.value(self.subject.func.origin(val))
    }

    /// The tangents of a value: zeros where it is not active.
    fn tangent(&self, val: Val) -> Vec<Value> {
        match self.tangents.get(&val) {
            Some(lanes) => lanes.clone(),
            None => vec![self.subject.func.ty(val).zero(); self.width],
        }
    }

    /// The shadows of a pointer, or of an aggregate with pointers (which are in its tangents if it has those): the pointer itself where it has none.
    pub fn shadow(&self, val: Val) -> Vec<Value> {
        match self.shadows.get(&val).or_else(|| self.tangents.get(&val)) {
            Some(lanes) => lanes.clone(),
            None => vec![bare::shadow_there(self.function, self.value(val), self.session.again); self.width],
        }
    }

    /// What stands beside a value that is moved: tangents of floats, shadows of pointers, the value itself of anything else.
    fn beside(&self, val: Val, builder: &Builder) -> Vec<Value> {
        if let Some(lanes) = self.tangents.get(&val).or_else(|| self.shadows.get(&val)) {
            return lanes.clone();
        }
        let only_doubles = self.session.only_doubles;
        let constant = inactive::constant_moved(self.subject, val, only_doubles, || self.value(val), builder);
        vec![constant.unwrap_or_else(|| aggregate::without_floats(builder, self.value(val))); self.width]
    }

    fn block(&mut self, block: BlockId) -> Done {
        let data = self.subject.func.block(block);
        let builder = Builder::at_end(self.map.blocks[&data.block]);
        for id in &data.insts {
            builder.set_location_of(None);
            self.instruction(*id, &builder)?;
        }
        // Tangent phis were built beside the primal's, all at the top of the block.
        self.ends.insert(block, builder.block());
        Ok(())
    }

    fn shadow_of_result(&self, call: InstId, builder: &Builder) {
        custom::shadow_of_result(self.subject, call, |val| self.value(val), |val| self.shadow(val), builder);
    }

    fn clone_at(&mut self, id: InstId, builder: &Builder) -> Value {
        let original = self.subject.func.inst(id).value;
        let copy = copy_instruction(original, builder.block(), &mut self.map, &mut |_| None);
        copy.clear_tail();
        copy
    }

    /// The same instruction once more, with some operands replaced.
    fn again(&self, id: InstId, builder: &Builder, replace: &[(usize, Value)]) -> Value {
        let inst = self.subject.func.inst(id);
        let copy = inst.value.clone_instruction();
        builder.insert(copy);
        copy.clear_tail();
        for index in 0..copy.operand_count() {
            let operand = inst.value.operand(index);
            if operand.as_block().is_none() {
                copy.set_operand(index, self.map.value(operand));
            }
        }
        for (index, value) in replace {
            copy.set_operand(*index as u32, *value);
        }
        copy
    }

    fn instruction(&mut self, id: InstId, builder: &Builder) -> Done {
        let subject = self.subject;
        let inst = subject.func.inst(id);
        let facts = subject.facts();
        let result = Val::Inst(id);
        if !subject.func.block(inst.block).returns {
            self.clone_at(id, builder);
            return Ok(());
        }
        let active = subject.activity.is_active(result);
        if subject.activity.is_of_no_variant(&subject.func, &subject.memory, id) {
            self.session.refuse_access(builder, inst.value);
        }
        match &inst.op {
            Op::Return => {
                self.returned = inst.operands.first().copied();
                builder.br(self.exit);
            }
            Op::Scalar(_) if active => {
                self.clone_at(id, builder);
                self.scalar(id, builder);
            }
            Op::Phi if active || facts.has_shadow(result) => {
                self.clone_at(id, builder);
                let lanes = (0..self.width).map(|_| builder.phi(inst.ty)).collect();
                if active {
                    self.tangents.insert(result, lanes)
                } else {
                    self.shadows.insert(result, lanes)
                };
            }
            Op::Load if active => {
                self.clone_at(id, builder);
                let lanes = self.shadow(inst.operands[0]);
                let is_guarded = subject.activity.is_guarded(&subject.memory, inst.operands[0]);
                let mut lane = |place: Value| {
                    let loaded = self.again(id, builder, &[(0, place)]);
                    if !is_guarded {
                        return loaded;
                    }
                    let is_constant = self.is_constant(inst.operands[0], place, builder);
                    builder.select(is_constant, inst.ty.zero(), loaded)
                };
                let lanes = lanes.into_iter().map(&mut lane).collect();
                self.tangents.insert(result, lanes);
            }
            Op::Store => {
                self.clone_at(id, builder);
                if facts.has_shadow(inst.operands[1]) {
                    let values = self.beside(inst.operands[0], builder);
                    let guarded = writes::guarded(subject, id);
                    for (value, place) in values.into_iter().zip(self.shadow(inst.operands[1])) {
                        let store = || builder.store(value, place).set_alignment(inst.value.alignment());
                        let Some(address) = guarded else {
                            store();
                            continue;
                        };
                        let (stored, ends) = (self.value(inst.operands[0]), (self.value(address), place));
                        let lost = writes::is_lost(subject, inst.operands[0], stored, value, builder);
                        self.session.check_kept(builder, inst.value, ends, lost);
                        inactive::for_apart(builder, ends.0, ends.1, store);
                    }
                }
            }
            Op::Alloca => {
                self.clone_at(id, builder);
                if facts.has_shadow(result) {
                    let bytes = self.session.module.size_of(inst.value.allocated_type());
                    let lanes = (0..self.width).map(|_| self.local(inst.value, bytes, builder)).collect();
                    self.shadows.insert(result, lanes);
                }
            }
            Op::MemCopy => {
                self.clone_at(id, builder);
                return self.copy(id, builder);
            }
            Op::MemSet => {
                self.clone_at(id, builder);
                return self.fill(id, builder);
            }
            Op::Call(Callee::Effect(Effect::Allocate { size, zeroed, .. })) => {
                let copy = self.clone_at(id, builder);
                if facts.has_shadow(result) {
                    let bytes = match size {
                        Size::Operand(i) => copy.operand(*i as u32),
                        Size::Product(a, b) => builder.mul(copy.operand(*a as u32), copy.operand(*b as u32)),
                    };
                    let lanes = (0..self.width)
                        .map(|_| {
                            let shadow = self.again(id, builder, &[]);
                            if !zeroed {
                                builder.memset(shadow, shadow.context().int(8).int_value(0), bytes, 1);
                            }
                            shadow
                        })
                        .collect();
                    self.shadows.insert(result, lanes);
                }
            }
            Op::Call(Callee::Effect(Effect::Free { pointer, .. })) if facts.has_shadow(inst.operands[*pointer]) => {
                self.clone_at(id, builder);
                let primal = self.value(inst.operands[*pointer]);
                for lane in self.shadow(inst.operands[*pointer]) {
                    inactive::for_apart(builder, primal, lane, || {
                        self.again(id, builder, &[(*pointer, lane)]);
                    });
                }
            }
            Op::Call(Callee::Custom(custom)) if subject.activity.is_active_call(&subject.func, &subject.memory, id) => {
                custom::tangent(self, id, custom, builder)?;
                self.shadow_of_result(id, builder);
            }
            Op::Call(Callee::Body(function)) if subject.activity.is_active_call(&subject.func, &subject.memory, id) => {
                self.call(id, *function, builder);
            }
            _ => {
                for (bits, mask) in subject.activity.bits_checked(&subject.func, id) {
                    for shadow in self.shadow(bits) {
                        let [value, shadow] = [self.value(bits), shadow].map(|v| masked(builder, v, mask));
                        self.session.check_bits(builder, inst.value, value, shadow, true);
                    }
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
                        let (primal, shadows) = (self.value(written.address), self.shadow(written.address));
                        inactive::watch(builder, &written, primal, &shadows)
                    });
                    let watched: Vec<Watched> = watched.collect();
                    let copy = self.clone_at(id, builder);
                    inactive::follow(self.subject, builder, &watched);
                    copy
                };
                self.shadow_of_result(id, builder);
                if active {
                    self.linear(id, builder)?;
                } else if facts.has_shadow(result) {
                    self.pointer(id, builder);
                }
                if subject.activity.is_length(&subject.func, &subject.memory, id) {
                    for lane in self.shadow(inst.operands[0]) {
                        let shadow = self.again(id, builder, &[(0, lane)]);
                        self.session.check_length(builder, self.value(inst.operands[0]), copy, shadow);
                    }
                }
                if subject.activity.is_capacity(id) {
                    for lane in self.shadow(inst.operands[0]) {
                        let shadow = self.again(id, builder, &[(0, lane)]);
                        self.session.check_capacity(builder, copy, shadow);
                    }
                }
                if subject.activity.is_apart(id) {
                    let (address, primal) = (inst.operands[0], self.value(result));
                    for (shadow, beside) in self.shadow(result).into_iter().zip(self.shadow(address)) {
                        let place = (self.value(address), beside);
                        let is_guarded = subject.activity.is_guarded(&subject.memory, address);
                        self.session.check_apart(builder, primal, shadow, is_guarded.then_some(place));
                    }
                }
                if let Some(tag) = subject.activity.tag(id) {
                    for lane in self.shadow(inst.operands[0]) {
                        let shadow = self.again(id, builder, &[(0, lane)]);
                        self.session.check_variant(builder, tag, copy, shadow);
                    }
                }
            }
        }
        Ok(())
    }

    /// How many bytes are written to a shadow: none where it is constant memory.
    fn bytes_apart(&mut self, id: InstId, to: Value, bytes: Value, lost: Option<Value>, builder: &Builder) -> Value {
        let Some(address) = writes::guarded(self.subject, id) else { return bytes };
        let some = builder.icmp(IntPredicate::LLVMIntNE, bytes, bytes.ty().zero());
        let lost = lost.map(|lost| builder.binary(Opcode::LLVMAnd, lost, some));
        let ends = (self.value(address), to);
        self.session.check_kept(builder, self.subject.func.inst(id).value, ends, lost);
        builder.select(self.is_constant(address, to, builder), bytes.ty().zero(), bytes)
    }

    /// Whether a pointer leads to constant memory: it is its own shadow.
    fn is_constant(&mut self, pointer: Val, shadow: Value, builder: &Builder) -> Value {
        self.session.meets_constants = true;
        builder.icmp(IntPredicate::LLVMIntEQ, self.value(pointer), shadow)
    }

    fn local(&self, original: Value, bytes: u64, builder: &Builder) -> Value {
        let shadow = builder.alloca(original.allocated_type(), "ct.shadow");
        shadow.set_alignment(original.alignment());
        let context = shadow.context();
        builder.memset(shadow, context.int(8).int_value(0), context.int(64).int_value(bytes), 1);
        shadow
    }

    fn scalar(&mut self, id: InstId, builder: &Builder) {
        let subject = self.subject;
        let inst = subject.func.inst(id);
        let Op::Scalar(rule) = &inst.op else { return };
        if rule.is_guard() {
            return self.guard(id, builder);
        }
        let values: Vec<Value> = inst.operands.iter().map(|v| self.value(*v)).collect();
        let own = self.value(Val::Inst(id));
        let mut lanes = vec![None; self.width];
        let mut args = |i: usize| values[i];
        let mut result = || own;
        let mut emitter = Emitter::new(builder, &mut args, &mut result, inst.ty);
        // A tangent of zero stays zero, whatever it is multiplied with, where another branch may have been taken, and where the
        // partial may be infinite or undefined: what does not move has moved nothing (the root of an empty sum).
        let (is_masked, again) = (self.masked[id.0 as usize], self.session.again);
        let masked = |is_undefined: bool, factor: Value, product: Value| match is_masked || is_undefined {
            true => guard::unless_zero(builder, factor, product, again),
            false => product,
        };
        let is_active = |index: usize| subject.activity.is_active(inst.operands[index]);
        let (common, partials) = factored(rule.partials.iter().enumerate().filter(|(index, _)| is_active(*index)));
        for (index, partial) in &partials {
            for (lane, tangent) in self.tangent(inst.operands[*index]).into_iter().enumerate() {
                let tangent = to_width(self.session, tangent, inst.ty, builder);
                let Some(mut term) = emitter.times(partial, tangent) else { continue };
                if partial.as_num().is_none() {
                    term = masked(rule.undefined[*index], tangent, term);
                }
                lanes[lane] = Some(match lanes[lane] {
                    None => term,
                    Some(sum) => builder.fadd(sum, term),
                });
            }
        }
        if let Some(common) = common {
            let is_undefined = partials.iter().any(|(index, _)| rule.undefined[*index]);
            for sum in lanes.iter_mut().flatten() {
                *sum = masked(is_undefined, *sum, emitter.product(&common, *sum));
            }
        }
        let lanes = lanes.into_iter().map(|l| l.unwrap_or_else(|| inst.ty.zero())).collect();
        self.tangents.insert(Val::Inst(id), lanes);
    }

    /// What an inner derivative has guarded.
    fn guard(&mut self, id: InstId, builder: &Builder) {
        let [factor, guarded] = self.subject.func.inst(id).operands[..] else { return };
        let is_active = self.subject.activity.is_active(factor);
        let factors = if is_active { self.tangent(factor) } else { Vec::new() };
        let (factor, again) = (self.value(factor), self.session.again);
        let lanes = self.tangent(guarded).into_iter().enumerate();
        let lanes = lanes
            .map(|(lane, tangent)| guard::tangent(builder, factor, factors.get(lane).copied(), tangent, again))
            .collect();
        self.tangents.insert(Val::Inst(id), lanes);
    }

    /// Operations that move floats: done to the tangents as to the values.
    fn linear(&mut self, id: InstId, builder: &Builder) -> Done {
        let inst = self.subject.func.inst(id);
        let moved: &[usize] = match &inst.op {
            Op::Copy | Op::BitCast | Op::Extract(_) | Op::ExtractElement => &[0],
            Op::Insert(_) | Op::InsertElement | Op::Shuffle(_) => &[0, 1],
            Op::Select => &[1, 2],
            _ => {
                return Err(Diagnostic::new(
                    Code::Unsupported,
                    "an active value goes through an operation without a derivative",
                )
                .note(format!("the operation is `{}`", inst.value))
                .at_instruction(inst.value, self.session.request));
            }
        };
        let lanes = (0..self.width)
            .map(|lane| {
                let replace: Vec<(usize, Value)> =
                    moved.iter().map(|i| (*i, self.beside(inst.operands[*i], builder)[lane])).collect();
                self.again(id, builder, &replace)
            })
            .collect();
        self.tangents.insert(Val::Inst(id), lanes);
        Ok(())
    }

    fn pointer(&mut self, id: InstId, builder: &Builder) {
        let inst = self.subject.func.inst(id);
        let moved = pointer_operands(&inst.op, inst.operands.len());
        if moved.is_empty() {
            return;
        }
        let lanes = (0..self.width)
            .map(|lane| {
                let beside = |val: Val| match inst.op {
                    Op::Select | Op::Insert(_) => self.beside(val, builder),
                    _ => self.shadow(val),
                };
                let replace: Vec<(usize, Value)> =
                    moved.iter().map(|i| (*i, beside(inst.operands[*i])[lane])).collect();
                self.again(id, builder, &replace)
            })
            .collect();
        let lanes = match inactive::guarded_word(self.subject, id) {
            Some(address) => self.constant_words(id, address, lanes, builder),
            None => lanes,
        };
        self.shadows.insert(Val::Inst(id), lanes);
    }

    /// What stands beside a word that may lie in constant memory.
    fn constant_words(&mut self, id: InstId, address: Val, lanes: Vec<Value>, builder: &Builder) -> Vec<Value> {
        self.session.meets_constants = true;
        let (word, primal) = (self.value(Val::Inst(id)), self.value(address));
        let Subject { func, memory, activity, .. } = self.subject;
        let is_pair = activity.may_be_two(func, memory, Val::Inst(id));
        let ends = lanes.into_iter().zip(self.shadow(address));
        ends.map(|(shadow, place)| inactive::constant_or(builder, word, shadow, (primal, place), is_pair)).collect()
    }

    /// Makes text for the tangents.
    fn tell_again(&mut self, id: InstId, written: &[Written], builder: &Builder) {
        let Some(first) = written.first() else { return };
        let (primal, shadows) = (self.value(first.address), self.shadow(first.address));
        for (lane, shadow) in shadows.into_iter().enumerate() {
            let replace: Vec<(usize, Value)> =
                written.iter().map(|w| (w.operand, self.shadow(w.address)[lane])).collect();
            inactive::for_apart(builder, primal, shadow, || {
                self.again(id, builder, &replace);
            });
        }
    }

    fn copy(&mut self, id: InstId, builder: &Builder) -> Done {
        let inst = self.subject.func.inst(id);
        let facts = self.subject.facts();
        if !facts.has_shadow(inst.operands[0]) || copying::is_unseen(self.subject, id) {
            return Ok(());
        }
        let bytes = self.value(inst.operands[2]);
        let (to, from) = (self.shadow(inst.operands[0]), self.shadow(inst.operands[1]));
        let is_guarded = self.subject.activity.is_guarded(&self.subject.memory, inst.operands[1]);
        let source = self.value(inst.operands[1]);
        // What is moved may lead to what has a shadow.
        let lost = |from: Value| (from != source).then(|| builder.icmp(IntPredicate::LLVMIntNE, source, from));
        if facts.has_shadow(inst.operands[1]) && !is_guarded {
            for (to, from) in to.into_iter().zip(from) {
                let bytes = self.bytes_apart(id, to, bytes, lost(from), builder);
                self.again(id, builder, &[(0, to), (1, from), (2, bytes)]);
            }
            return Ok(());
        }
        // Constant memory is copied in: its floats have tangents of zero, everything else is the same.
        let layout = copying::layout(self.subject, id, self.session.request)?;
        for (to, from) in to.into_iter().zip(from) {
            let bytes = self.bytes_apart(id, to, bytes, lost(from), builder);
            let none = |width: Value| match writes::guarded(self.subject, id) {
                Some(_) => builder.select(
                    builder.icmp(IntPredicate::LLVMIntEQ, bytes, bytes.ty().zero()),
                    width.ty().zero(),
                    width,
                ),
                None => width,
            };
            let (zero, word) = (to.context().int(8).int_value(0), to.context().int(64));
            // Of what may be constant, as many bytes as are.
            let is_constant = is_guarded.then(|| self.is_constant(inst.operands[1], from, builder));
            let constant = |bytes: Value| is_constant.map_or(bytes, |is| builder.select(is, bytes, bytes.ty().zero()));
            if is_guarded || !matches!(layout, Layout::Floats(_)) {
                builder.memmove(to, from, bytes, 1);
            }
            match &layout {
                Layout::Floats(_) => drop(builder.memset(to, zero, constant(bytes), 1)),
                Layout::Structure | Layout::Bytes | Layout::Constants | Layout::Relocated => {}
                Layout::Cells(cells) => {
                    for (offset, cell) in cells {
                        if let Cell::Float(width) = cell {
                            let place = builder.gep(to.context().int(8), to, &[word.int_value(*offset)]);
                            builder.memset(place, zero, none(constant(word.int_value(*width))), 1);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn fill(&mut self, id: InstId, builder: &Builder) -> Done {
        let inst = self.subject.func.inst(id);
        if !self.subject.facts().has_shadow(inst.operands[0]) {
            return Ok(());
        }
        let (byte, bytes) = (self.value(inst.operands[1]), self.value(inst.operands[2]));
        let zero = byte.context().int(8).int_value(0);
        let byte = if byte.is_null() {
            byte
        } else {
            match copying::layout(self.subject, id, self.session.request)? {
                Layout::Floats(_) => zero,
                Layout::Structure | Layout::Bytes | Layout::Constants | Layout::Relocated | Layout::Cells(_) => byte,
            }
        };
        for to in self.shadow(inst.operands[0]) {
            let bytes = self.bytes_apart(id, to, bytes, None, builder);
            builder.memset(to, byte, bytes, 1);
        }
        Ok(())
    }

    fn call(&mut self, id: InstId, function: Function, builder: &Builder) {
        let inst = self.subject.func.inst(id);
        let key = call_key(self.subject, id, function, self.width as u32);
        let Made::Tangent(made) = self.session.derivative(key.clone()) else { return };
        let mut arguments: Vec<Value> = inst.operands.iter().map(|v| self.value(*v)).collect();
        for (operand, param) in inst.operands.iter().zip(&key.interface.params) {
            match param {
                ParamActivity::Const => {}
                ParamActivity::Dup => arguments.extend(self.shadow(*operand)),
                ParamActivity::Active => arguments.extend(self.tangent(*operand)),
            }
        }
        let call = builder.call(made, &arguments);
        let mut next = 0;
        if inst.ty.is_void() {
            return;
        }
        let value = field(builder, call, &mut next);
        self.map.values.insert(inst.value, value);
        if key.interface.result {
            let lanes = (0..self.width).map(|_| field(builder, call, &mut next)).collect();
            if may_hold_floats(inst.ty) {
                self.tangents.insert(Val::Inst(id), lanes);
            } else {
                self.shadows.insert(Val::Inst(id), lanes);
            }
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
            let beside = self.tangents.get(&Val::Inst(id)).or_else(|| self.shadows.get(&Val::Inst(id)));
            for (value, block) in inst.value.incoming() {
                let Some(block) = func.block_of(block).map(|b| self.ends[&b]) else { continue };
                copy.add_incoming(self.map.value(value), block);
                let Some(phis) = beside else { continue };
                for (phi, lane) in phis.iter().zip(self.beside(func.val(value), &Builder::before_terminator(block))) {
                    phi.add_incoming(lane, block);
                }
            }
        }
    }
}

fn to_width(session: &Session, value: Value, ty: Type, builder: &Builder) -> Value {
    let size = |t: Type| session.module.size_of(if t.is_vector() { t.element() } else { t });
    match size(value.ty()).cmp(&size(ty)) {
        std::cmp::Ordering::Less => builder.cast(Opcode::LLVMFPExt, value, ty),
        std::cmp::Ordering::Equal => value,
        std::cmp::Ordering::Greater => builder.cast(Opcode::LLVMFPTrunc, value, ty),
    }
}
