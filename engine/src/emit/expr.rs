//! Rule expressions as instructions.
//!
//! Exact IEEE operations without fast-math flags, in `float`, `double` or vectors of them. A shared node of an expression is
//! emitted once; arguments and result are asked for only where they are used, so that what the plan has dropped is
//! never missed. Library functions that have no intrinsic are called lane by lane.
use crate::maps::HashMap;
use crate::rule::{BinaryOp, Callee, Compare, Cond, Expr, Int, IntFunction, Node, Partial};
use cotangent_llvm::{Builder, Function, IntPredicate, Module, Opcode, Place, RealPredicate, Type, TypeKind, Value};

/// Emits one expression in the type `ty` (`float`, `double`, or a vector of one of them).
///
/// `args` gives an argument, `result` the result of the operation; both are called for what the expression uses alone.
pub fn emit(
    builder: &Builder,
    expr: &Expr,
    args: &mut dyn FnMut(usize) -> Value,
    result: &mut dyn FnMut() -> Value,
    ty: Type,
) -> Value {
    Emitter::new(builder, args, result, ty).expr(expr)
}

/// Emits the expressions of one operation, sharing what they have in common.
pub struct Emitter<'a> {
    builder: &'a Builder,
    args: &'a mut dyn FnMut(usize) -> Value,
    result: &'a mut dyn FnMut() -> Value,
    ty: Type,
    /// What has been emitted, by the identity of its node; the expression is kept so that no other can take its place.
    done: HashMap<usize, (Expr, Value)>,
}

impl<'a> Emitter<'a> {
    /// See [`emit`].
    pub fn new(
        builder: &'a Builder,
        args: &'a mut dyn FnMut(usize) -> Value,
        result: &'a mut dyn FnMut() -> Value,
        ty: Type,
    ) -> Emitter<'a> {
        Emitter { builder, args, result, ty, done: HashMap::default() }
    }

    /// `partial * factor`, with no multiplication by 1 or -1; nothing where the partial is inactive. The factor is of the
    /// result's type.
    pub fn times(&mut self, partial: &Partial, factor: Value) -> Option<Value> {
        match partial {
            Partial::Inactive => None,
            Partial::Of(expr) => Some(self.product(expr, factor)),
        }
    }

    /// `expr * factor`. A choice between numbers becomes a choice between products, which is cheaper, and whose 0 is 0
    /// whatever the factor is.
    pub fn product(&mut self, expr: &Expr, factor: Value) -> Value {
        match expr.node() {
            Node::Num(1.0) => factor,
            Node::Num(-1.0) => self.builder.fneg(factor),
            Node::Num(0.0) => self.ty.zero(),
            Node::Neg(inner) => {
                let product = self.product(inner, factor);
                self.builder.fneg(product)
            }
            Node::Named(_, inner) => self.product(inner, factor),
            // One factor after the other: where this one is zero, the product of the others may be infinite.
            Node::Binary(BinaryOp::Mul, a, b) => {
                let product = self.product(a, factor);
                let other = self.expr(b);
                self.builder.fmul(product, other)
            }
            Node::Select(cond, a, b) if is_choice(a) || is_choice(b) => {
                let cond = self.cond(cond);
                let (a, b) = (self.product(a, factor), self.product(b, factor));
                self.builder.select(cond, a, b)
            }
            _ => {
                let partial = self.expr(expr);
                self.builder.fmul(partial, factor)
            }
        }
    }

    /// Emits an expression.
    pub fn expr(&mut self, expr: &Expr) -> Value {
        if let Some((_, value)) = self.done.get(&expr.id()) {
            return *value;
        }
        let value = match expr.node() {
            Node::Arg(index) => (self.args)(*index),
            Node::Result => (self.result)(),
            Node::Num(value) => self.ty.float_value(*value),
            Node::ByWidth { single, double } => {
                let lane = if self.ty.is_vector() { self.ty.element() } else { self.ty };
                let is_single = lane.kind() == TypeKind::LLVMFloatTypeKind;
                self.ty.float_value(if is_single { *single } else { *double })
            }
            Node::Neg(a) => {
                let a = self.expr(a);
                self.builder.fneg(a)
            }
            Node::Binary(op, a, b) => self.binary(*op, a, b),
            Node::Call(function, args) => {
                let args: Vec<Value> = args.iter().map(|arg| self.expr(arg)).collect();
                self.call(function.callee(), &args)
            }
            Node::IntCall(function, n, x) => {
                let x = self.expr(x);
                self.int_call(*function, *n, x)
            }
            Node::FromInt(n) => {
                let n = self.int(*n, self.lanes());
                let lanes = n.ty().is_vector();
                let ty = if lanes { self.ty } else { self.lane_type() };
                let float = self.builder.cast(Opcode::LLVMSIToFP, n, ty);
                if lanes { float } else { self.splat(float, self.lanes()) }
            }
            Node::Select(cond, a, b) => {
                let cond = self.cond(cond);
                let (a, b) = (self.expr(a), self.expr(b));
                self.builder.select(cond, a, b)
            }
            Node::Named(_, general) | Node::WhenKnown(_, _, general) => self.expr(general),
        };
        self.done.insert(expr.id(), (expr.clone(), value));
        value
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Value {
        let (a, b) = (self.expr(a), self.expr(b));
        match op {
            BinaryOp::Add => self.builder.fadd(a, b),
            BinaryOp::Sub => self.builder.fsub(a, b),
            BinaryOp::Mul => self.builder.fmul(a, b),
            BinaryOp::Div => self.builder.fdiv(a, b),
            BinaryOp::Strong => {
                let absent = self.builder.fcmp(RealPredicate::LLVMRealOEQ, a, self.ty.zero());
                let product = self.builder.fmul(a, b);
                self.builder.select(absent, self.ty.zero(), product)
            }
        }
    }

    fn cond(&mut self, cond: &Cond) -> Value {
        match cond {
            Cond::Float(op, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                self.builder.fcmp(real_predicate(*op), a, b)
            }
            Cond::Int(Compare::Unordered, ..) => self.ty.context().int(1).zero(),
            Cond::Int(op, n, value) => {
                let n = self.int(*n, self.lanes());
                let bound = self.int_like(n, *value);
                self.builder.icmp(int_predicate(*op), n, bound)
            }
        }
    }

    /// An integer expression; a constant is an `i32`.
    fn int(&mut self, n: Int, lanes: Option<u32>) -> Value {
        let Some(arg) = n.arg else { return self.ty.context().int(32).int_value(n.offset.cast_unsigned()) };
        let value = (self.args)(arg);
        debug_assert!(!value.ty().is_vector() || lanes.is_some(), "a vector of integers beside a scalar");
        if n.offset == 0 {
            return value;
        }
        let offset = self.int_like(value, n.offset);
        self.builder.add(value, offset)
    }

    /// A constant of the type of another value, integer or vector of integers.
    fn int_like(&self, other: Value, value: i64) -> Value {
        let ty = other.ty();
        if ty.is_vector() {
            let lane = ty.element().int_value(value.cast_unsigned());
            return self.splat(lane, Some(ty.count() as u32));
        }
        ty.int_value(value.cast_unsigned())
    }

    fn lanes(&self) -> Option<u32> {
        self.ty.is_vector().then(|| self.ty.count() as u32)
    }

    fn lane_type(&self) -> Type {
        if self.ty.is_vector() { self.ty.element() } else { self.ty }
    }

    fn lane(&self, index: u32) -> Value {
        self.ty.context().int(32).int_value(u64::from(index))
    }

    fn splat(&self, scalar: Value, lanes: Option<u32>) -> Value {
        let Some(lanes) = lanes else { return scalar };
        let vector = scalar.ty().vector(lanes).poison();
        (0..lanes).fold(vector, |vector, i| self.builder.insert_element(vector, scalar, self.lane(i)))
    }

    /// Calls a function of floats: intrinsics as they are, others lane by lane.
    fn call(&self, callee: Callee, args: &[Value]) -> Value {
        match callee {
            Callee::Intrinsic(name) => self.builder.call(self.intrinsic(name, &[self.ty]), args),
            Callee::Symbol(..) => {
                let function = self.symbol(callee, &vec![self.lane_type(); args.len()]);
                self.by_lane(args, |args| self.builder.call(function, args))
            }
        }
    }

    fn int_call(&mut self, function: IntFunction, n: Int, x: Value) -> Value {
        let n = self.int(n, self.lanes());
        let int = self.ty.context().int(32);
        if function == IntFunction::Powi && !n.ty().is_vector() {
            let power = self.intrinsic("llvm.powi", &[self.ty, n.ty()]);
            return self.builder.call(power, &[x, n]);
        }
        let callee = match function.callee() {
            Callee::Intrinsic(name) => {
                let of = if n.ty().is_vector() { n.ty().element() } else { n.ty() };
                self.intrinsic(name, &[self.lane_type(), of])
            }
            symbol => self.symbol(symbol, &[int, self.lane_type()]),
        };
        let order_first = matches!(function.callee(), Callee::Symbol(..));
        self.by_lane(&[x, n], |args| {
            let (x, n) = (args[0], args[1]);
            let n = if order_first { self.builder.int_cast(n, int) } else { n };
            self.builder.call(callee, &if order_first { [n, x] } else { [x, n] })
        })
    }

    /// Applies a scalar function to each lane; operands that are no vectors are the same in every lane.
    fn by_lane(&self, args: &[Value], scalar: impl Fn(&[Value]) -> Value) -> Value {
        let Some(lanes) = self.lanes() else { return scalar(args) };
        (0..lanes).fold(self.ty.poison(), |vector, i| {
            let lane = self.lane(i);
            let of =
                |value: Value| if value.ty().is_vector() { self.builder.extract_element(value, lane) } else { value };
            let args: Vec<Value> = args.iter().map(|arg| of(*arg)).collect();
            self.builder.insert_element(vector, scalar(&args), lane)
        })
    }

    fn module(&self) -> Module {
        self.builder.block().function().module()
    }

    fn intrinsic(&self, name: &str, overloads: &[Type]) -> Function {
        let intrinsic = self.module().intrinsic(name, overloads);
        intrinsic.unwrap_or_else(|| {
            unreachable!("the vocabulary names intrinsics of this LLVM, a test declares each: {name}")
        })
    }

    /// A function of the C library in this width. Declared by us it reads and writes nothing (`errno` is nobody's business here),
    /// so that it can be hoisted and shared.
    fn symbol(&self, callee: Callee, params: &[Type]) -> Function {
        let Callee::Symbol(double, single) = callee else { unreachable!("asked for symbols only") };
        let lane = self.lane_type();
        let name = if lane.kind() == TypeKind::LLVMFloatTypeKind { single } else { double };
        let module = self.module();
        module.function(name).unwrap_or_else(|| {
            let function = module.declare(name, lane.function(params));
            for attribute in ["memory", "nounwind", "willreturn"] {
                function.add_attribute(Place::Whole, attribute, 0);
            }
            function
        })
    }
}

/// Whether a product with the expression needs no multiplication.
fn is_choice(expr: &Expr) -> bool {
    match expr.node() {
        Node::Num(value) => matches!(*value, -1.0 | 0.0 | 1.0),
        Node::Select(_, a, b) => is_choice(a) && is_choice(b),
        Node::Named(_, inner) => is_choice(inner),
        _ => false,
    }
}

fn real_predicate(op: Compare) -> RealPredicate {
    match op {
        Compare::Eq => RealPredicate::LLVMRealOEQ,
        Compare::Ne => RealPredicate::LLVMRealUNE,
        Compare::Lt => RealPredicate::LLVMRealOLT,
        Compare::Le => RealPredicate::LLVMRealOLE,
        Compare::Gt => RealPredicate::LLVMRealOGT,
        Compare::Ge => RealPredicate::LLVMRealOGE,
        Compare::Unordered => RealPredicate::LLVMRealUNO,
    }
}

fn int_predicate(op: Compare) -> IntPredicate {
    match op {
        Compare::Eq => IntPredicate::LLVMIntEQ,
        Compare::Ne => IntPredicate::LLVMIntNE,
        Compare::Unordered => unreachable!("integers are never unordered, which `cond` knows"),
        Compare::Lt => IntPredicate::LLVMIntSLT,
        Compare::Le => IntPredicate::LLVMIntSLE,
        Compare::Gt => IntPredicate::LLVMIntSGT,
        Compare::Ge => IntPredicate::LLVMIntSGE,
    }
}
