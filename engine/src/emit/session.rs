//! What the functions of one request share.
use super::aggregate;
use super::root::Order;
use super::scopes::Scope;
use super::subject::{self, Purpose, Subject};
use crate::Config;
use crate::analysis::activity::{Doubt, Interface, ParamActivity};
use crate::analysis::memory::Summaries;
use crate::analysis::widths::only_width;
use crate::diag::{Code, Diagnostic, locate};
use crate::ir::bodies;
use crate::ir::table::is_table;
use crate::ir::tag::Tag;
use crate::llvm::{Builder, Function, IntPredicate, Module, Opcode, Place, Type, Value};
use crate::load::canonical::{self, Counters};
use crate::load::dispatch::table::{end, unsupported};
use crate::load::realloc;
use crate::maps::{HashMap, HashSet};
use crate::plan::cost::Cost;
use crate::rule::Registry;
use cotangent_contract as contract;
use cotangent_contract::Request;
use std::cell::Cell;

/// Some of the bits of a value.
pub fn masked(builder: &Builder, value: Value, mask: u64) -> Value {
    if mask == u64::MAX { value } else { builder.binary(Opcode::LLVMAnd, value, value.ty().int_value(mask)) }
}

/// Bytes of floats of each parameter's memory: nothing known.
const UNKNOWN: u8 = 0;

/// A callee's derivative is made once per interface.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Key {
    /// The callee.
    pub function: Function,
    /// What it is differentiated for.
    pub interface: Interface,
    /// Memory that stays until the reverse sweep, by parameter.
    pub stable: Vec<bool>,
    /// Bytes of the floats in each parameter's memory, where the caller knows.
    pub floats: Vec<u8>,
    /// By parameter: it is certain that there is nothing else.
    pub plain: Vec<bool>,
    /// By parameter: in its memory floats and other things share places.
    pub mixed: Vec<bool>,
    /// By parameter: it leads to a constant without floats.
    pub texts: Vec<bool>,
    /// Tangents, or 0 in reverse mode.
    pub width: u32,
}

/// The functions made for a key.
#[derive(Clone, Copy, Debug)]
pub enum Made {
    /// Reverse mode: the augmented primal and the pullback.
    Split {
        /// `(params, shadows) -> {result, shadow of the result, tape}`.
        augmented: Function,
        /// `(params, shadows, adjoint of the result, tape) -> {adjoints of active params}`.
        pullback: Function,
    },
    /// Forward mode: `(params, shadows, tangents) -> {result, tangents or shadows of the result}`.
    Tangent(Function),
}

/// State of one request.
pub struct Session<'a> {
    /// The workshop.
    pub module: Module,
    /// The rules.
    pub registry: &'a Registry,
    /// The switches.
    pub config: &'a Config,
    /// For messages.
    pub request: &'a Request,
    /// Whether the derivative is itself differentiated later.
    pub again: bool,
    /// The arrays of kept values, where the derivative is not differentiated again: who does that has arrays of their own.
    pub arrays: Option<Scope>,
    /// Whether the tape is used.
    pub uses_tape: bool,
    /// Whether constant memory is told, in anything made so far, by a pointer that is its own shadow.
    pub meets_constants: bool,
    /// Whether all floats of the program are `f64`: then half of a word is none.
    pub only_doubles: bool,
    /// What the reverse sweeps made so far keep.
    pub costs: Vec<Cost>,
    counters: HashMap<Function, Counters>,
    summaries: Summaries<'a>,
    made: HashMap<Key, Made>,
    pending: Vec<Key>,
    /// What only tables ask for, directly or not.
    doubtful: Vec<Key>,
    /// Whether what is asked for now is doubtful.
    in_doubt: bool,
    is_doubtful: bool,
    doubts: Cell<usize>,
}

impl<'a> Session<'a> {
    /// A session in the workshop of an order.
    pub fn new(order: &Order<'a>, registry: &'a Registry, config: &'a Config) -> Session<'a> {
        Session {
            module: order.module,
            registry,
            config,
            request: order.request,
            again: order.again,
            arrays: (!order.again).then(|| Scope::new(order.module.context(), order.name)),
            uses_tape: false,
            meets_constants: false,
            only_doubles: only_width(order.module) == Some(8),
            costs: Vec::new(),
            counters: HashMap::default(),
            summaries: Summaries::new(registry),
            made: HashMap::default(),
            pending: Vec::new(),
            doubtful: Vec::new(),
            in_doubt: false,
            is_doubtful: false,
            doubts: Cell::new(0),
        }
    }

    /// Analyses a function, putting it into canonical form first where that has not been done.
    ///
    /// # Errors
    /// What cannot be differentiated.
    pub fn subject(&mut self, key: &Key, fused: bool) -> Result<Subject, Vec<Diagnostic>> {
        if !self.counters.contains_key(&key.function) {
            let counters = canonical::prepare(self.module, key.function).map_err(|m| vec![Diagnostic::internal(m)])?;
            self.counters.insert(key.function, counters);
        }
        let purpose = Purpose {
            interface: key.interface.clone(),
            stable: key.stable.clone(),
            fused,
            floats: key.floats.clone(),
            plain: key.plain.clone(),
            mixed: key.mixed.clone(),
            texts: key.texts.clone(),
            request: self.request,
        };
        let subject =
            subject::analyze(key.function, &self.counters[&key.function], self.registry, &self.summaries, purpose);
        let Ok(subject) = subject else {
            self.config.show("primal", &crate::ir::Func::load(key.function, self.registry));
            return subject;
        };
        self.config.show("primal", &subject.func);
        self.config.show("cfg", &subject.cfg);
        self.config.show("memory", &subject.memory);
        self.config.show("activity", &subject.activity);
        self.config.show("problems", &format!("{:?}", subject.activity.problems(&subject.func, &subject.memory)));
        subject.check(self.request)?;
        Ok(subject)
    }

    /// The derivative of a callee, declared now and made later.
    pub fn derivative(&mut self, key: Key) -> Made {
        if let Some(made) = self.made.get(&key) {
            if !self.in_doubt
                && let Some(at) = self.doubtful.iter().position(|k| *k == key)
            {
                self.pending.push(self.doubtful.remove(at));
            }
            return *made;
        }
        let made = if key.width == 0 { self.declare_split(&key) } else { self.declare_tangent(&key) };
        self.made.insert(key.clone(), made);
        if self.in_doubt {
            self.doubtful.push(key)
        } else {
            self.pending.push(key)
        }
        made
    }

    /// The next derivative that is declared and not made. Those that only tables ask for come last.
    pub fn next_pending(&mut self) -> Option<(Key, Made)> {
        let key = self.pending.pop();
        self.is_doubtful = key.is_none();
        self.in_doubt = key.as_ref().is_none_or(|key| is_table(key.function));
        let key = key.or_else(|| self.doubtful.pop())?;
        let made = self.made[&key];
        Some((key, made))
    }

    /// Whether the derivative that was asked for last is wanted by tables alone: nobody may ever call it, so that it cannot be made is no
    /// mistake of the program.
    pub fn is_doubtful(&self) -> bool {
        self.is_doubtful
    }

    /// In how many places it shows at run time only whether something can be told, of what is not doubtful itself. None are counted where all floats are as wide as
    /// words: there what is moved as a word is moved whole, and the exact attempt has been seen to do worse (tests: `programs/calls_by_name`).
    pub fn doubts(&self) -> usize {
        if self.only_doubles { 0 } else { self.doubts.get() }
    }

    fn doubt(&self) {
        if !self.is_doubtful {
            self.doubts.set(self.doubts.get() + 1);
        }
    }

    /// Puts functions that end the program with a message in the place of a derivative that cannot be made.
    pub fn give_up(&mut self, key: &Key, reasons: &[Diagnostic]) {
        if reasons.iter().any(|reason| matches!(reason.code, Code::UnknownType | Code::MixedType)) {
            self.doubts.set(self.doubts.get() + 1);
        }
        let reason = reasons.first().map_or_else(String::new, |r| format!(": {r}"));
        let name = source_name(key.function);
        let text = format!("`{name}`, called through a pointer or a `dyn` value, cannot be differentiated{reason}");
        let by = match reasons.iter().any(|reason| reason.code == Code::UnknownPointer) {
            true => contract::UNSUPPORTED,
            false => contract::REFUSED,
        };
        let instead = |old: Function| {
            let new = self.internal("ct.given.up", old.ty());
            end(self.module, &Builder::at_end(new.append_block("entry")), by, &text);
            old.value().replace_all_uses_with(new.value());
            old.erase();
            new
        };
        let made = match self.made[key] {
            Made::Split { augmented, pullback } => {
                Made::Split { augmented: instead(augmented), pullback: instead(pullback) }
            }
            Made::Tangent(function) => Made::Tangent(instead(function)),
        };
        self.made.insert(key.clone(), made);
    }

    fn declare_split(&mut self, key: &Key) -> Made {
        let context = self.module.context();
        let (ptr, name) = (context.ptr(), key.function.name());
        let params: Vec<Type> = key.function.params().iter().map(|p| p.ty()).collect();
        let result = key.function.ty().result();
        let dup = |p: &ParamActivity| matches!(p, ParamActivity::Dup);
        let mut all = params.clone();
        all.extend(key.interface.params.iter().zip(&params).filter(|(p, _)| dup(p)).map(|(_, ty)| *ty));
        let mut outputs = Vec::new();
        if !result.is_void() {
            outputs.push(result);
        }
        if key.interface.result && crate::plan::holds_pointer(result) {
            outputs.push(result);
        }
        outputs.push(ptr);
        let augmented = self.internal(&format!("{name}.augmented"), context.structure(&outputs).function(&all));
        if has_adjoint(key) {
            all.push(result);
        }
        all.push(ptr);
        let adjoints: Vec<Type> = active_params(key).into_iter().map(|i| params[i]).collect();
        let pullback = self.internal(&format!("{name}.pullback"), context.structure(&adjoints).function(&all));
        self.promise_noalias(key, augmented);
        self.promise_noalias(key, pullback);
        Made::Split { augmented, pullback }
    }

    fn declare_tangent(&mut self, key: &Key) -> Made {
        let context = self.module.context();
        let width = key.width as usize;
        let params: Vec<Type> = key.function.params().iter().map(|p| p.ty()).collect();
        let result = key.function.ty().result();
        let mut all = params.clone();
        for (param, ty) in key.interface.params.iter().zip(&params) {
            match param {
                ParamActivity::Const => {}
                ParamActivity::Active | ParamActivity::Dup => all.extend(vec![*ty; width]),
            }
        }
        let mut outputs = Vec::new();
        if !result.is_void() {
            outputs.push(result);
            if key.interface.result {
                outputs.extend(vec![result; width]);
            }
        }
        let name = format!("{}.tangent", key.function.name());
        let function = self.internal(&name, context.structure(&outputs).function(&all));
        self.promise_noalias(key, function);
        Made::Tangent(function)
    }

    fn internal(&self, name: &str, ty: Type) -> Function {
        let function = self.module.add_function(name, ty);
        function.set_linkage(crate::llvm::Linkage::LLVMInternalLinkage);
        function
    }

    /// What is exclusive in the primal stays exclusive, its shadow too; a shared reference promises nothing of its shadow.
    fn promise_noalias(&self, key: &Key, to: Function) {
        let count = key.function.params().len() as u32;
        let mut shadow = count;
        for (index, param) in key.interface.params.iter().enumerate() {
            let index = index as u32;
            let is_pointer = key.function.param(index).ty().is_pointer();
            let exclusive = is_pointer
                && key.function.has_attribute(Place::Param(index), "noalias")
                && !key.function.has_attribute(Place::Param(index), "readonly")
                && !key.function.has_attribute(Place::Param(index), "readnone");
            if exclusive {
                to.add_attribute(Place::Param(index), "noalias", 0);
            }
            let lanes = match param {
                ParamActivity::Const => 0,
                ParamActivity::Dup => key.width.max(1),
                ParamActivity::Active => key.width,
            };
            for _ in 0..lanes {
                if exclusive {
                    to.add_attribute(Place::Param(shadow), "noalias", 0);
                }
                shadow += 1;
            }
        }
    }

    /// A function of the run-time library.
    pub fn runtime(&mut self, name: &str) -> Function {
        let context = self.module.context();
        let (ptr, word, void) = (context.ptr(), context.int(64), context.void());
        let ty = match name {
            contract::TAPE_ALLOC => ptr.function(&[word]),
            contract::TAPE_GROW => ptr.function(&[ptr, word, word]),
            contract::TAPE_MARK => word.function(&[]),
            contract::TAPE_RELEASE => void.function(&[word]),
            _ => void.function(&[ptr, ptr, word, word]),
        };
        let function = self.module.declare(name, ty);
        function.add_attribute(Place::Whole, "nounwind", 0);
        if matches!(name, contract::TAPE_ALLOC | contract::TAPE_GROW) {
            function.add_attribute(Place::Result, "noalias", 0);
            function.add_attribute(Place::Result, "nonnull", 0);
            function.add_attribute(Place::Result, "align", 16);
        }
        if name != contract::TAPE_MARK {
            self.uses_tape = true;
        }
        function
    }

    /// `ptr grow(ptr, old bytes, new bytes)`, out of line and in a convention that leaves every register as it was: the loop
    /// around it spills nothing for a call that is almost never made. In a derivative that is differentiated again, in steps that have
    /// derivatives: the old room stays where it is until the tape is released, and nobody looks at it. It is room for items of so many bytes.
    pub fn grow(&mut self, item: u64) -> Function {
        const PRESERVE_ALL: u32 = 15;
        let alignment = 1u64 << item.trailing_zeros().min(3);
        let name = if self.again { format!("ct.grow.{alignment}") } else { "ct.grow".to_owned() };
        if let Some(function) = self.module.function(&name) {
            return function;
        }
        let (word, ptr) = (self.module.context().int(64), self.module.context().ptr());
        if self.again {
            let allocate = self.runtime(contract::TAPE_ALLOC);
            let function = self.internal(&name, ptr.function(&[ptr, word, word]));
            function.add_attribute(Place::Whole, "alwaysinline", 0);
            let builder = crate::llvm::Builder::at_end(function.append_block("entry"));
            let new = builder.call(allocate, &[function.param(2)]);
            realloc::mark(builder.memcpy(new, function.param(0), function.param(1), 8), alignment);
            builder.ret(new);
            return function;
        }
        let runtime = self.runtime(contract::TAPE_GROW);
        let function = self.internal(&name, runtime.ty());
        function.set_convention(PRESERVE_ALL);
        for name in ["cold", "noinline", "nounwind"] {
            function.add_attribute(Place::Whole, name, 0);
        }
        function.add_attribute(Place::Result, "noalias", 0);
        function.add_attribute(Place::Result, "nonnull", 0);
        let builder = crate::llvm::Builder::at_end(function.append_block("entry"));
        builder.ret(builder.call(runtime, &function.params()));
        function
    }

    /// Compares the length of a slice with that in its shadow, and panics where they differ. The builder goes on behind. `address` is where the primal's
    /// stands: behind a null pointer there is no length, but whatever was there before (the root of an empty tree).
    pub fn check_length(&self, builder: &crate::llvm::Builder, address: Value, primal: Value, shadow: Value) {
        let context = self.module.context();
        let before = builder.gep(context.int(8), address, &[context.int(64).int_value((-8i64) as u64)]);
        let pointer = builder.load(context.ptr(), before);
        let is_null = builder.icmp(IntPredicate::LLVMIntEQ, pointer, pointer.ty().zero());
        let same = builder.icmp(IntPredicate::LLVMIntEQ, primal, shadow);
        let holds = builder.binary(Opcode::LLVMOr, same, is_null);
        self.check(builder, holds, contract::SHAPE_MISMATCH, [primal, shadow]);
    }

    /// Compares the capacity of a vector that grows with that of its shadow, and panics where they differ. The builder goes on behind.
    pub fn check_capacity(&self, builder: &crate::llvm::Builder, primal: Value, shadow: Value) {
        self.check_same(builder, primal, shadow, contract::CAPACITY_MISMATCH);
    }

    /// Compares what tells the variant of an enum with that in its shadow, and panics where they differ. The builder goes on behind.
    pub fn check_variant(&self, builder: &crate::llvm::Builder, tag: Tag, primal: Value, shadow: Value) {
        let word = self.module.context().int(64);
        let variant = |value: Value| match tag {
            Tag::Direct => builder.int_cast(value, word),
            // The variants that lie behind all capacities, from one.
            Tag::Niche => {
                let is_niche = builder.icmp(IntPredicate::LLVMIntSLT, value, word.int_value(0));
                let number = builder.sub(value, word.int_value(i64::MAX as u64));
                builder.select(is_niche, number, word.int_value(0))
            }
            Tag::Null => {
                let some = builder.icmp(IntPredicate::LLVMIntNE, value, value.ty().zero());
                builder.int_cast(some, word)
            }
        };
        let (primal, shadow) = (variant(primal), variant(shadow));
        self.check_same(builder, primal, shadow, contract::VARIANT_MISMATCH);
    }

    /// Panics where a pointer and its shadow lead to the same memory, but for a pointer found in a place that is its own shadow. The builder goes on behind.
    pub fn check_apart(&self, builder: &Builder, primal: Value, shadow: Value, place: Option<(Value, Value)>) {
        // What is empty is nowhere: its pointer is as small as an alignment.
        const FIRST_PAGE: u64 = 4096;
        let word = self.module.context().int(64);
        let address = builder.cast(Opcode::LLVMPtrToInt, primal, word);
        let other = builder.icmp(IntPredicate::LLVMIntNE, primal, shadow);
        let empty = builder.icmp(IntPredicate::LLVMIntULT, address, word.int_value(FIRST_PAGE));
        let mut fine = builder.binary(Opcode::LLVMOr, other, empty);
        if let Some((place, beside)) = place {
            let is_constant = builder.icmp(IntPredicate::LLVMIntEQ, place, beside);
            fine = builder.binary(Opcode::LLVMOr, fine, is_constant);
        }
        self.check(builder, fine, contract::SHARED_MEMORY, [word.int_value(0); 2]);
    }

    /// Ends the program with a message where a pointer and its shadow are one, constant memory, and what is written there is lost: its derivative has no place.
    /// The builder goes on behind.
    pub fn check_kept(&mut self, builder: &Builder, at: Value, (primal, shadow): (Value, Value), lost: Option<Value>) {
        self.meets_constants = true;
        let Some(lost) = lost else { return };
        let shared = builder.icmp(IntPredicate::LLVMIntEQ, primal, shadow);
        let function = builder.block().function();
        let (wrong, right) = (function.append_block("kept.by.constant"), function.append_block("kept"));
        builder.cond_br(builder.binary(Opcode::LLVMAnd, shared, lost), wrong, right);
        builder.position_at_end(wrong);
        let text = format!(
            "CT0402: in the derivative of {}, what depends on its arguments is written at {} to memory that has no shadow: pass that memory as \
             `Duplicated`, or write to memory of the function's own",
            self.request.name,
            locate(at, self.request).0
        );
        end(self.module, builder, contract::REFUSED, &text);
        builder.position_at_end(right);
    }

    /// Calls a function of the runtime that panics, where two words differ.
    fn check_same(&self, builder: &crate::llvm::Builder, primal: Value, shadow: Value, fail: &str) {
        let same = builder.icmp(IntPredicate::LLVMIntEQ, primal, shadow);
        self.check(builder, same, fail, [primal, shadow]);
    }

    /// Calls a function of the runtime that panics, where a condition does not hold.
    fn check(&self, builder: &crate::llvm::Builder, holds: Value, fail: &str, words: [Value; 2]) {
        let context = self.module.context();
        let word = context.int(64);
        let fail = self.module.declare(fail, context.void().function(&[word, word]));
        for name in ["noreturn", "cold"] {
            fail.add_attribute(Place::Whole, name, 0);
        }
        let function = builder.block().function();
        let (wrong, right) = (function.append_block("other.shape"), function.append_block("same.shape"));
        builder.cond_br(holds, right, wrong);
        builder.position_at_end(wrong);
        builder.call(fail, &words);
        builder.unreachable();
        builder.position_at_end(right);
    }

    /// Panics where bits that an instruction computes with are a float's: of structure, the shadow is not zero where the value is not, and in forward
    /// mode (but for pointers) equal. The builder goes on behind.
    pub fn check_bits(&self, builder: &Builder, at: Value, value: Value, shadow: Value, forward: bool) {
        self.doubt();
        let ty = value.ty();
        let zero = ty.zero();
        let other = builder.icmp(IntPredicate::LLVMIntNE, value, if forward { shadow } else { zero });
        let other = match forward {
            true => other,
            false => {
                let bare = builder.icmp(IntPredicate::LLVMIntEQ, shadow, zero);
                builder.binary(Opcode::LLVMAnd, other, bare)
            }
        };
        let lanes = if ty.is_vector() { ty.count() as u32 } else { 1 };
        let mask = self.module.context().int(lanes);
        let any = if ty.is_vector() { builder.cast(Opcode::LLVMBitCast, other, mask) } else { other };
        let function = builder.block().function();
        let (wrong, right) = (function.append_block("float.bits"), function.append_block("structure"));
        builder.cond_br(builder.icmp(IntPredicate::LLVMIntEQ, any, mask.zero()), right, wrong);
        builder.position_at_end(wrong);
        let text = format!(
            "CT0302: in the derivative of {}, the bits of a float are computed with as an integer at {}: use float operations, or give the \
             function a `#[custom_derivative]`",
            self.request.name,
            locate(at, self.request).0
        );
        end(self.module, builder, contract::REFUSED, &text);
        builder.position_at_end(right);
    }

    /// Panics where half of what lies in a shadow of the user's may be an adjoint or half of an address. The builder goes on behind.
    pub fn check_told(&self, builder: &Builder, at: Value, in_doubt: Value) {
        self.doubt();
        let function = builder.block().function();
        let (doubt, told) = (function.append_block("in.doubt"), function.append_block("told"));
        builder.cond_br(in_doubt, doubt, told);
        builder.position_at_end(doubt);
        let text = format!(
            "CT0302: in the derivative of {}, nothing tells an `f32` from half of a pointer at {}, where an enum of both is moved: move it by `match`, or build \
             it in the function itself",
            self.request.name,
            locate(at, self.request).0
        );
        end(self.module, builder, contract::REFUSED, &text);
        builder.position_at_end(told);
    }

    /// The sum of two adjoints of a word, of which it may be unknown what floats it is: where one is zero, it has the bits of the other, and where none is, the program
    /// then ends with a message. Of what may be two floats each half is added for itself: no `f64` but zero has nothing in its upper half.
    pub fn sum_of_words(&self, builder: &Builder, doubt: Doubt, a: Value, b: Value) -> Value {
        let half = self.module.context().int(32);
        match doubt {
            Doubt::None => aggregate::add(builder, a, b),
            Doubt::Half => {
                self.doubt();
                let [a_bits, b_bits] = [a, b].map(|adjoint| builder.cast(Opcode::LLVMBitCast, adjoint, half));
                builder.call(self.check_of_halves(), &[a_bits, b_bits]);
                builder.select(builder.icmp(IntPredicate::LLVMIntEQ, a_bits, half.zero()), b, a)
            }
            Doubt::Pair => {
                let halves = half.vector(2);
                let [a_bits, b_bits] = [a, b].map(|adjoint| builder.cast(Opcode::LLVMBitCast, adjoint, halves));
                let sum = (0..2).fold(a_bits, |sum, index| {
                    let index = half.int_value(index);
                    let [a, b] = [a_bits, b_bits].map(|bits| builder.extract_element(bits, index));
                    builder.insert_element(sum, self.sum_of_words(builder, Doubt::Half, a, b), index)
                });
                builder.cast(Opcode::LLVMBitCast, sum, a.ty())
            }
        }
    }

    fn check_of_halves(&self) -> Function {
        let name = "ct.halves";
        if let Some(known) = self.module.function(name) {
            return known;
        }
        let context = self.module.context();
        let word = context.int(32);
        let check = self.internal(name, context.void().function(&[word, word]));
        let [entry, one, both] = ["entry", "one", "both"].map(|name| check.append_block(name));
        let builder = Builder::at_end(entry);
        let [no_a, no_b] = [0, 1].map(|i| builder.icmp(IntPredicate::LLVMIntEQ, check.param(i), word.zero()));
        builder.cond_br(builder.binary(Opcode::LLVMOr, no_a, no_b), one, both);
        Builder::at_end(one).ret_void();
        let text = format!(
            "CT0302: in the derivative of {}, two adjoints come together of what was moved where nothing tells an `f64` from `f32`: \
             use floats of one width in the enums that are copied, or copy them by `match`",
            self.request.name
        );
        end(self.module, &Builder::at_end(both), contract::REFUSED, &text);
        check
    }

    /// Ends the program with a message where control comes to an access of which nothing is known but that it cannot be. The builder goes on behind.
    pub fn refuse_access(&self, builder: &Builder, at: Value) {
        let function = builder.block().function();
        let (here, on) = (function.append_block("no.variant"), function.append_block("a.variant"));
        builder.cond_br(self.module.context().int(1).zero(), on, here);
        builder.position_at_end(here);
        let text = format!(
            "CT0301: in the derivative of {}, a pointer is followed at {} that nobody has put where it was found: build the enum in a \
             function of its own, or give the function a `#[custom_derivative]`",
            self.request.name,
            locate(at, self.request).0
        );
        end(self.module, builder, contract::REFUSED, &text);
        builder.position_at_end(on);
    }

    /// Ends the program with a message where a method is none of those that a table knows.
    pub fn check_known(&self, builder: &Builder, method: Value, table: Function) {
        let name = format!("{}.known", table.name());
        let check = self.module.function(&name).unwrap_or_else(|| self.known_by(table, &name));
        builder.call(check, &[method]);
    }

    fn known_by(&self, table: Function, name: &str) -> Function {
        let context = self.module.context();
        let check = self.internal(name, context.void().function(&[context.ptr()]));
        check.add_attribute(Place::Whole, "noinline", 0);
        let compared = table.blocks().into_iter().flat_map(|b| b.instructions());
        let functions = compared.filter(|i| i.opcode() == Opcode::LLVMICmp).flat_map(Value::operands);
        let mut block = check.append_block("look");
        let (known, unknown) = (check.append_block("known"), check.append_block("unknown"));
        Builder::at_end(known).ret_void();
        let text = format!(
            "in the derivative of {}, a method of a `dyn` value is called that could not be seen when the derivative was compiled: \
             another crate has made the object",
            self.request.name
        );
        unsupported(self.module, &Builder::at_end(unknown), &text);
        for function in functions.filter(|f| f.as_function().is_some()) {
            let next = check.append_block("look");
            let builder = Builder::at_end(block);
            let same = builder.icmp(IntPredicate::LLVMIntEQ, check.param(0), function);
            builder.cond_br(same, known, next);
            block = next;
        }
        Builder::at_end(block).br(unknown);
        check
    }

    /// A float width in bytes as what a key says of memory; unknown where it is not one width.
    pub fn floats_hint(width: Option<u64>) -> u8 {
        width.and_then(|w| u8::try_from(w).ok()).unwrap_or(UNKNOWN)
    }

    /// Every function that may be differentiated: for tests.
    pub fn bodies(&self) -> HashSet<Function> {
        bodies(self.module).into_iter().collect()
    }
}

/// A function's name as its user writes it.
pub fn source_name(function: Function) -> String {
    let name = function.name();
    format!("{:#}", rustc_demangle::demangle(name.strip_suffix(".ct").unwrap_or(&name)))
}

/// Whether a pullback takes an adjoint of the result.
pub fn has_adjoint(key: &Key) -> bool {
    key.interface.result && crate::analysis::activity::may_hold_floats(key.function.ty().result())
}

/// Parameters whose adjoints a pullback returns.
pub fn active_params(key: &Key) -> Vec<usize> {
    let params = &key.interface.params;
    (0..params.len()).filter(|i| params[*i] == ParamActivity::Active).collect()
}

/// Fields of a returned struct, in order.
pub fn field(builder: &crate::llvm::Builder, call: Value, next: &mut u32) -> Value {
    *next += 1;
    builder.extract_value(call, *next - 1)
}
