//! Partials as instructions, against the interpreter: LLVM folds the emitted code at constant arguments, in each width, in the
//! products that forward and reverse mode take.
use crate::interpret::{At, partial, round};
use crate::reference::reference;
use crate::sample::{Numbers, points};
use cotangent_engine::emit::expr::Emitter;
use cotangent_engine::rule::{ArgKind, Callee, Expr, Function, IntFunction, Node, Partial, Rule, int, strong};
use cotangent_llvm::{Builder, Context, Module, Tuning, Type, Value};

/// The width of what is emitted.
#[derive(Clone, Copy, Debug)]
struct Width {
    single: bool,
    lanes: u32,
}

const WIDTHS: [Width; 4] = [
    Width { single: false, lanes: 1 },
    Width { single: true, lanes: 1 },
    Width { single: false, lanes: 2 },
    Width { single: true, lanes: 4 },
];

impl Width {
    fn ty(self, context: Context) -> Type {
        let lane = if self.single { context.f32() } else { context.f64() };
        if self.lanes == 1 { lane } else { lane.vector(self.lanes) }
    }
}

/// An argument as a constant of the IR.
fn constant(rule: &Rule, arg: usize, value: f64, ty: Type) -> Value {
    match rule.args[arg] {
        ArgKind::Float => ty.float_value(value),
        ArgKind::Int => ty.context().int(32).int_value((value as i64).cast_unsigned()),
        ArgKind::IntOut => ty.context().ptr().zero(),
    }
}

/// Emits `sum of partial(i) * tangent(i)`, then `sum of (partial(i) * seed) * tangent(i)`, as two functions without parameters.
fn emit_products(module: Module, rule: &Rule, point: &[f64], tangents: &[f64], seed: f64, width: Width) {
    let ty = width.ty(module.context());
    let result = round(reference(rule)(point), width.single);
    for (name, reverse) in [("forward", false), ("reverse", true)] {
        let function = module.add_function(name, ty.function(&[]));
        let builder = Builder::at_end(function.append_block("entry"));
        let mut args = |arg: usize| constant(rule, arg, point[arg], ty);
        let mut value_of_result = || ty.float_value(result);
        let mut emitter = Emitter::new(&builder, &mut args, &mut value_of_result, ty);
        let mut sum = ty.float_value(-0.0);
        for (formula, tangent) in rule.partials.iter().zip(tangents) {
            let tangent = ty.float_value(*tangent);
            let term = if reverse {
                emitter.times(formula, ty.float_value(seed)).map(|adjoint| builder.fmul(adjoint, tangent))
            } else {
                emitter.times(formula, tangent)
            };
            sum = term.map_or(sum, |term| builder.fadd(sum, term));
        }
        builder.ret(sum);
    }
}

/// The constants that a function returns after folding, lane by lane.
fn folded(module: Module, name: &str, width: Width) -> Option<Vec<f64>> {
    let returned = module.function(name)?.entry().terminator()?.operand(0);
    let lane = |i| if width.lanes == 1 { returned.as_f64() } else { returned.aggregate_element(i)?.as_f64() };
    (0..width.lanes).map(lane).collect()
}

#[test]
fn both_modes_compute_what_the_formula_says() {
    let context = Context::new();
    let registry = cotangent_std_rules::registry();
    let mut checked = 0;
    for rule in registry.rules() {
        let mut numbers = Numbers::new("tangents");
        for width in WIDTHS {
            let point = &points(rule, true)[0];
            let tangents: Vec<f64> = (0..rule.arity()).map(|_| round(numbers.next(), true)).collect();
            let seed = 1.5;
            let module = context.module("emission");
            emit_products(module, rule, point, &tangents, seed, width);
            module.verify().unwrap_or_else(|error| panic!("{} {width:?}: {error}", rule.name));
            module
                .run_passes("function(instcombine<no-verify-fixpoint>)", None, Tuning::default())
                .unwrap_or_else(|error| panic!("{} {width:?}: {error}", rule.name));
            let result = round(reference(rule)(point), width.single);
            let at = At { args: point, result, single: width.single };
            let jv: f64 = rule.partials.iter().zip(&tangents).map(|(p, v)| partial(p, &at) * v).sum();
            let products = (folded(module, "forward", width), folded(module, "reverse", width));
            // Functions of the C library alone are not folded.
            let (Some(forward), Some(reverse)) = products else { continue };
            checked += 1;
            let tolerance = (if width.single { 1e-6 } else { 1e-14 }) * (1.0 + jv.abs());
            for (forward, reverse) in forward.iter().zip(&reverse) {
                assert!((forward - jv).abs() <= tolerance, "{} {width:?}: {forward}, not {jv}", rule.name);
                let (left, right) = (forward * seed, *reverse);
                assert!(
                    (left - right).abs() <= 2.0 * tolerance,
                    "{} {width:?}: <Jv,w> {left}, <v,J'w> {right}",
                    rule.name
                );
            }
        }
    }
    let all = registry.rules().len() * WIDTHS.len();
    assert!(checked * 10 > all * 8, "LLVM folded {checked} of {all} only");
}

/// Each function can be emitted in each width, and what is emitted can be differentiated again.
#[test]
fn the_vocabulary_is_closed() {
    let context = Context::new();
    let registry = cotangent_std_rules::registry();
    let module = context.module("vocabulary");
    for width in WIDTHS {
        let ty = width.ty(context);
        let int_type = context.int(32);
        let function = module.add_function("all", ty.function(&[ty, int_type]));
        let builder = Builder::at_end(function.append_block("entry"));
        let mut args = |arg: usize| function.param(arg as u32);
        let mut result = || unreachable!("no result in these expressions");
        let mut emitter = Emitter::new(&builder, &mut args, &mut result, ty);
        let mut sum = ty.zero();
        for f in Function::ALL {
            let call = Expr::new(Node::Call(*f, vec![Expr::arg(0); f.arity()]));
            sum = builder.fadd(sum, emitter.expr(&call));
        }
        for f in IntFunction::ALL {
            sum = builder.fadd(sum, emitter.expr(&Expr::int_call(*f, int(1) - 1, Expr::arg(0))));
        }
        sum = builder.fadd(sum, emitter.expr(&int(1).float()));
        sum = builder.fadd(sum, emitter.expr(&strong(Expr::arg(0), 1.0 / Expr::arg(0))));
        builder.ret(sum);
    }
    module.verify().expect("well-formed");
    let callees = Function::ALL.iter().map(|f| f.callee()).chain(IntFunction::ALL.iter().map(|f| f.callee()));
    for callee in callees {
        let names = match callee {
            Callee::Intrinsic(name) => [format!("{name}.f64"), format!("{name}.v4f32")],
            Callee::Symbol(double, single) => [double.to_owned(), single.to_owned()],
        };
        for name in names {
            assert!(registry.scalar(&name).is_some(), "{name} has no rule");
        }
    }
}

/// One division serves both partials of a quotient, and what is inactive or 1 costs nothing.
#[test]
fn nothing_is_computed_twice() {
    let context = Context::new();
    let module = context.module("division");
    let ty = context.f64();
    let function = module.add_function("division", ty.function(&[ty, ty, ty]));
    let builder = Builder::at_end(function.append_block("entry"));
    let registry = cotangent_std_rules::registry();
    let rule = registry.opcode(cotangent_engine::rule::Opcode::FDiv).expect("fdiv");
    let mut args = |arg: usize| {
        assert_eq!(arg, 1, "the dividend is not needed");
        function.param(1)
    };
    let mut result = || function.param(2);
    let mut emitter = Emitter::new(&builder, &mut args, &mut result, ty);
    let seed = function.param(0);
    let x = emitter.times(&rule.partials[0], seed).expect("active");
    let y = emitter.times(&rule.partials[1], seed).expect("active");
    assert!(emitter.times(&Partial::Inactive, seed).is_none());
    assert!(emitter.times(&Partial::Of(Expr::from(1.0)), seed).expect("active").same(seed));
    builder.ret(builder.fadd(x, y));
    let opcodes: Vec<String> = function.entry().instructions().iter().map(|i| format!("{:?}", i.opcode())).collect();
    let wanted = ["LLVMFDiv", "LLVMFMul", "LLVMFMul", "LLVMFMul", "LLVMFNeg", "LLVMFAdd", "LLVMRet"];
    assert_eq!(opcodes, wanted);
}

/// The argument that a minimum or maximum did not take gets 0, not 0 times an infinite adjoint.
#[test]
fn a_choice_is_no_multiplication() {
    let context = Context::new();
    let module = context.module("choice");
    let ty = context.f64();
    let registry = cotangent_std_rules::registry();
    let rule = registry.scalar("llvm.maxnum.f64").expect("max");
    for (arg, wanted) in [(0, f64::INFINITY), (1, 0.0)] {
        let function = module.add_function("choice", ty.function(&[]));
        let builder = Builder::at_end(function.append_block("entry"));
        let mut args = |arg: usize| ty.float_value([2.0, 1.0][arg]);
        let mut result = || unreachable!("the result is not needed");
        let mut emitter = Emitter::new(&builder, &mut args, &mut result, ty);
        let adjoint = emitter.times(&rule.partials[arg], ty.float_value(f64::INFINITY)).expect("active");
        assert_eq!(adjoint.as_f64(), Some(wanted), "argument {arg}");
    }
}
