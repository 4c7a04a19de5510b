//! Expressions that are compiled for a stack: what an instruction holds is a float, an index or a function, all in the same place.
use crate::functional;
use std::collections::HashMap;

#[derive(Clone)]
enum Expr {
    Num(f64),
    Var(String),
    Neg(Box<Expr>),
    Bin(char, Box<Expr>, Box<Expr>),
    Call(String, Vec<Expr>),
    Let(String, Box<Expr>, Box<Expr>),
}

enum Op {
    Push(f64),
    Load(usize),
    Store(usize),
    Neg,
    Bin(fn(f64, f64) -> f64),
    Call(fn(f64) -> f64),
    Mean(usize),
}

#[derive(Debug)]
enum CompileError {
    #[expect(dead_code, reason = "it is printed")]
    Unknown(String),
}

fn binary(name: char) -> fn(f64, f64) -> f64 {
    match name {
        '+' => |a, b| a + b,
        '-' => |a, b| a - b,
        _ => |a, b| a * b,
    }
}

impl Expr {
    fn compile(
        &self,
        slots: &mut HashMap<String, usize>,
        constants: &HashMap<&str, f64>,
        out: &mut Vec<Op>,
    ) -> Result<(), CompileError> {
        match self {
            Expr::Num(value) => out.push(Op::Push(*value)),
            Expr::Var(name) => out.push(match (slots.get(name), constants.get(name.as_str())) {
                (Some(slot), _) => Op::Load(*slot),
                (None, Some(value)) => Op::Push(*value),
                _ => return Err(CompileError::Unknown(name.clone())),
            }),
            Expr::Neg(of) => {
                of.compile(slots, constants, out)?;
                out.push(Op::Neg);
            }
            Expr::Bin(name, a, b) => {
                a.compile(slots, constants, out)?;
                b.compile(slots, constants, out)?;
                out.push(Op::Bin(binary(*name)));
            }
            Expr::Call(name, arguments) => {
                for argument in arguments {
                    argument.compile(slots, constants, out)?;
                }
                out.push(match name.as_str() {
                    "sin" => Op::Call(f64::sin),
                    "mean" => Op::Mean(arguments.len()),
                    _ => return Err(CompileError::Unknown(name.clone())),
                });
            }
            Expr::Let(name, value, body) => {
                value.compile(slots, constants, out)?;
                let slot = slots.len();
                slots.insert(name.clone(), slot);
                out.push(Op::Store(slot));
                body.compile(slots, constants, out)?;
            }
        }
        Ok(())
    }
}

fn run(program: &[Op], values: &mut [f64]) -> f64 {
    let mut stack: Vec<f64> = Vec::with_capacity(8);
    for op in program {
        match op {
            Op::Push(value) => stack.push(*value),
            Op::Load(slot) => stack.push(values[*slot]),
            Op::Store(slot) => values[*slot] = stack.pop().unwrap(),
            Op::Neg => {
                let top = stack.last_mut().unwrap();
                *top = -*top;
            }
            Op::Bin(f) => {
                let (b, a) = (stack.pop().unwrap(), stack.pop().unwrap());
                stack.push(f(a, b));
            }
            Op::Call(f) => {
                let a = stack.pop().unwrap();
                stack.push(f(a));
            }
            Op::Mean(count) => {
                let all = stack.split_off(stack.len() - count);
                stack.push(all.iter().sum::<f64>() / all.len() as f64);
            }
        }
    }
    stack.pop().unwrap()
}

fn variable(name: &str) -> Box<Expr> {
    Box::new(Expr::Var(name.to_string()))
}

functional! {
    fn constants_of_a_program_for_a_stack_are_told_from_its_slots(x: &[f64]) -> f64 {
        let constants: HashMap<&str, f64> = ["a", "b", "c"].into_iter().zip(x.iter().copied()).collect();
        let sin = Expr::Call("sin".to_string(), vec![Expr::Bin('*', variable("b"), variable("x"))]);
        let sum = Expr::Bin('+', variable("u"), Box::new(Expr::Num(2.0)));
        let mean = Expr::Call("mean".to_string(), vec![*variable("u"), Expr::Neg(variable("c")), sum]);
        let all = Expr::Let("u".to_string(), Box::new(Expr::Bin('*', variable("a"), Box::new(sin))), Box::new(mean));
        let mut slots: HashMap<String, usize> = [("x".to_string(), 0)].into();
        let mut program = vec![];
        all.compile(&mut slots, &constants, &mut program).expect("all names are known");
        let at = |i: i32| {
            let mut values = vec![0.0; slots.len()];
            values[0] = 0.3 * f64::from(i);
            run(&program, &mut values).powi(2)
        };
        (0..3).map(at).sum()
    } at [1.1, 0.8, 0.4];
}
