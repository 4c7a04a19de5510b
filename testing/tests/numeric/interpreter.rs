//! Random programs: a small stack machine is differentiated, and run over dual numbers as the oracle.
//!
//! One compiled derivative meets hundreds of programs, each with its own flow of control, memory that is overwritten
//! and read again, and loops whose length depends on data.

use cotangent::autodiff;
use std::ops::{Add, Mul, Sub};
use testing::{assert_close, noise};

#[derive(Clone, Copy, Debug)]
enum Op {
    Constant(f64),
    Input(usize),
    Load(usize),
    Store(usize),
    Accumulate(usize),
    Add,
    Subtract,
    Multiply,
    Quotient,
    Sine,
    Bell,
    Root,
    Larger,
    Swap,
    Duplicate,
    /// Goes back by so many instructions while the fuel lasts and the top, which is taken, is positive.
    BackIfPositive(usize),
    /// Leaves out so many instructions if the top, which is taken, is negative.
    SkipIfNegative(usize),
    /// Uses the top, which is taken, as an index of memory, and pushes what is there.
    Indexed,
    Leave,
}

/// What the machine computes with.
trait Number: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    fn of(value: f64) -> Self;
    fn value(self) -> f64;
    /// Applies a function with the given value and slope.
    fn mapped(self, value: f64, slope: f64) -> Self;
    fn sine(self) -> Self {
        self.mapped(self.value().sin(), self.value().cos())
    }
    fn root(self) -> Self {
        // sqrt(1 + x²)
        let root = (1.0 + self.value() * self.value()).sqrt();
        self.mapped(root, self.value() / root)
    }
    fn bell(self) -> Self {
        let bell = (-0.5 * self.value() * self.value()).exp();
        self.mapped(bell, -self.value() * bell)
    }
    fn quotient(self, by: Self) -> Self {
        // x / (1 + y²)
        let below = 1.0 + by.value() * by.value();
        self * by.mapped(1.0 / below, -2.0 * by.value() / (below * below))
    }
}

impl Number for f64 {
    fn of(value: f64) -> f64 {
        value
    }
    fn value(self) -> f64 {
        self
    }
    fn mapped(self, value: f64, _: f64) -> f64 {
        value
    }
    // The machine that is differentiated must not see the slopes above.
    fn sine(self) -> f64 {
        self.sin()
    }
    fn root(self) -> f64 {
        (1.0 + self * self).sqrt()
    }
    fn bell(self) -> f64 {
        (-0.5 * self * self).exp()
    }
    fn quotient(self, by: f64) -> f64 {
        self / (1.0 + by * by)
    }
}

/// A value with its tangent, the oracle.
#[derive(Clone, Copy)]
struct Dual(f64, f64);

impl Add for Dual {
    type Output = Dual;
    fn add(self, o: Dual) -> Dual {
        Dual(self.0 + o.0, self.1 + o.1)
    }
}

impl Sub for Dual {
    type Output = Dual;
    fn sub(self, o: Dual) -> Dual {
        Dual(self.0 - o.0, self.1 - o.1)
    }
}

impl Mul for Dual {
    type Output = Dual;
    fn mul(self, o: Dual) -> Dual {
        Dual(self.0 * o.0, self.1 * o.0 + self.0 * o.1)
    }
}

impl Number for Dual {
    fn of(value: f64) -> Dual {
        Dual(value, 0.0)
    }
    fn value(self) -> f64 {
        self.0
    }
    fn mapped(self, value: f64, slope: f64) -> Dual {
        Dual(value, slope * self.1)
    }
}

const MEMORY: usize = 4;
const STACK: usize = 8;

/// Runs a program. The stack is a ring, so that no program runs out of it.
fn machine<T: Number>(code: &[Op], x: &[T]) -> T {
    let mut memory = [T::of(0.5); MEMORY];
    let mut stack = [T::of(1.0); STACK];
    let mut top = 0;
    let mut fuel = 400;
    let mut at = 0;
    while at < code.len() && fuel > 0 {
        fuel -= 1;
        at += 1;
        let a = stack[top % STACK];
        let b = stack[(top + STACK - 1) % STACK];
        match code[at - 1] {
            Op::Constant(c) => {
                top = (top + 1) % STACK;
                stack[top] = T::of(c);
            }
            Op::Input(i) => {
                top = (top + 1) % STACK;
                stack[top] = x[i % x.len()];
            }
            Op::Load(i) => {
                top = (top + 1) % STACK;
                stack[top] = memory[i % MEMORY];
            }
            Op::Store(i) => memory[i % MEMORY] = a,
            Op::Accumulate(i) => {
                memory[i % MEMORY] = memory[i % MEMORY] * T::of(0.75) + a;
                top = (top + STACK - 1) % STACK;
            }
            Op::Add | Op::Subtract | Op::Multiply | Op::Quotient | Op::Larger => {
                top = (top + STACK - 1) % STACK;
                stack[top] = match code[at - 1] {
                    Op::Add => a + b,
                    Op::Subtract => b - a,
                    Op::Multiply => a * b,
                    Op::Quotient => b.quotient(a),
                    _ if a.value() > b.value() => a,
                    _ => b,
                };
            }
            Op::Sine => stack[top] = a.sine(),
            Op::Bell => stack[top] = a.bell(),
            Op::Root => stack[top] = a.root(),
            Op::Swap => stack.swap(top, (top + STACK - 1) % STACK),
            Op::Duplicate => {
                top = (top + 1) % STACK;
                stack[top] = a;
            }
            Op::BackIfPositive(n) => {
                top = (top + STACK - 1) % STACK;
                if a.value() > 0.0 && fuel > 100 {
                    at = at.saturating_sub(n);
                }
            }
            Op::SkipIfNegative(n) => {
                top = (top + STACK - 1) % STACK;
                if a.value() < 0.0 {
                    at += n;
                }
            }
            Op::Indexed => stack[top] = memory[a.value().abs() as usize % MEMORY],
            Op::Leave => {
                if a.value() > 4.0 {
                    return a * memory[0];
                }
            }
        }
    }
    // Kept small, so that rounding does not blur the comparison.
    stack[top].sine() + memory[0].bell() + memory[1].sine() * memory[2].bell() + memory[3].sine()
}

#[autodiff(run_reverse, Reverse, Const, Duplicated, Active)]
#[autodiff(run_forward, Forward, Const, Dual, Dual)]
fn run(code: &[Op], x: &[f64]) -> f64 {
    machine(code, x)
}

fn program(seed: u64) -> Vec<Op> {
    let length = 4 + seed as usize % 28;
    let random = noise(seed + 1000, 3 * length);
    (0..length)
        .map(|k| {
            let pick = |i: usize, n: usize| ((random[3 * k + i] * 0.5 + 0.5) * n as f64) as usize;
            let n = pick(1, 6);
            match pick(0, 26) {
                0 => Op::Constant(random[3 * k + 2]),
                1..=4 => Op::Input(n),
                5 | 6 => Op::Load(n),
                7 | 8 => Op::Store(n),
                9 | 10 => Op::Accumulate(n),
                11 | 12 => Op::Add,
                13 => Op::Subtract,
                14 | 15 => Op::Multiply,
                16 => Op::Quotient,
                17 => Op::Sine,
                18 => Op::Bell,
                19 => Op::Root,
                20 => Op::Larger,
                21 => Op::Swap,
                22 => Op::Duplicate,
                23 => Op::BackIfPositive(2 + n),
                24 => Op::SkipIfNegative(1 + n),
                _ if n < 3 => Op::Indexed,
                _ => Op::Leave,
            }
        })
        .collect()
}

fn tangent(code: &[Op], x: &[f64], v: &[f64]) -> (f64, f64) {
    let dual: Vec<Dual> = x.iter().zip(v).map(|(x, v)| Dual(*x, *v)).collect();
    let Dual(y, dy) = machine(code, &dual);
    (y, dy)
}

#[test]
fn random_programs_in_reverse_and_forward_against_dual_numbers() {
    let mut compared = 0;
    for seed in 0..600 {
        let code = program(seed);
        let (x, v) = (noise(seed, 3), noise(seed + 1, 3));
        let slopes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|unit| tangent(&code, &x, &unit).1);
        let size = slopes.iter().fold(1.0f64, |size, s| size.max(s.abs()));
        let (y, dy) = tangent(&code, &x, &v);
        if !(y.abs() < 1e6 && size < 1e6) {
            continue;
        }
        compared += 1;
        let (value, got) = run_forward(&code, &x, &v);
        let mut gradient = vec![0.0; 3];
        assert_close!((value, run_reverse(&code, &x, &mut gradient, 1.0)), (y, y));
        let off = gradient.iter().zip(&slopes).fold((got - dy).abs(), |off, (g, s)| off.max((g - s).abs()));
        assert!(
            off <= 1e-9 * size,
            "program {seed}: gradient {gradient:?}, expected {slopes:?}; tangent {got}, expected {dy}\n{code:?}"
        );
    }
    assert!(compared > 500, "{compared} programs stay finite");
}
