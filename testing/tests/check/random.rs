//! Random expressions: their gradients pass, and with a mistake they do not.
//!
//! Derivatives come from dual numbers in a few lines, which nothing else here knows of. A mistake is one node of the expression
//! whose partial derivative is zero, doubled, or negated.

use cotangent::check::{self, Failure, Mistake, Report};

/// A stream of numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.below(1 << 40) as f64 / (1u64 << 40) as f64
    }
}

#[derive(Debug)]
enum Expression {
    Input(usize),
    Constant(f64),
    Unary(usize, Box<Expression>),
    Binary(usize, Box<Expression>, Box<Expression>),
}

use Expression::{Binary, Constant, Input, Unary};

fn expression(random: &mut Random, inputs: usize, depth: usize) -> Expression {
    if depth == 0 || random.below(8) == 0 {
        return match random.below(5) {
            0 => Constant(random.between(-2.0, 2.0)),
            _ => Input(random.below(inputs as u64) as usize),
        };
    }
    let first = Box::new(expression(random, inputs, depth - 1));
    if random.below(3) == 0 {
        return Unary(random.below(7) as usize, first);
    }
    Binary(random.below(4) as usize, first, Box::new(expression(random, inputs, depth - 1)))
}

/// A partial derivative that is wrong: the node's place in the order of evaluation, and the factor.
type Wrong = (usize, f64);

const RIGHT: Wrong = (usize::MAX, 1.0);

/// The value and the gradient with one wrong partial derivative, and every value rounded.
fn evaluate(e: &Expression, x: &[f64], node: &mut usize, wrong: Wrong, round: fn(f64) -> f64) -> (f64, Vec<f64>) {
    let (value, mut gradient) = match e {
        Input(i) => (x[*i], (0..x.len()).map(|j| f64::from(u8::from(*i == j))).collect()),
        Constant(c) => return (*c, vec![0.0; x.len()]),
        Unary(kind, of) => {
            let (v, g) = evaluate(of, x, node, wrong, round);
            let (value, partial) = match kind {
                0 => (v.sin(), v.cos()),
                1 => (v.cos(), -v.sin()),
                2 => (v.tanh(), 1.0 - v.tanh() * v.tanh()),
                3 => ((0.5 * v).exp(), 0.5 * (0.5 * v).exp()),
                4 => (v * v, 2.0 * v),
                5 => ((v * v).ln_1p(), 2.0 * v / (1.0 + v * v)),
                _ => ((0.1 + v * v).sqrt(), v / (0.1 + v * v).sqrt()),
            };
            (value, g.into_iter().map(|g| partial * g).collect())
        }
        Binary(kind, a, b) => {
            let ((a, da), (b, db)) = (evaluate(a, x, node, wrong, round), evaluate(b, x, node, wrong, round));
            let (value, p, q) = match kind {
                0 => (a + b, 1.0, 1.0),
                1 => (a - b, 1.0, -1.0),
                2 => (a * b, b, a),
                _ => (a / (1.5 + b * b), 1.0 / (1.5 + b * b), -2.0 * a * b / ((1.5 + b * b) * (1.5 + b * b))),
            };
            (value, da.iter().zip(&db).map(|(da, db)| p * da + q * db).collect::<Vec<f64>>())
        }
    };
    if *node == wrong.0 {
        gradient.iter_mut().for_each(|g| *g *= wrong.1);
    }
    *node += 1;
    (round(value), gradient.into_iter().map(round).collect())
}

/// A random expression at a random point.
struct Program {
    e: Expression,
    x: Vec<f64>,
    scale: f64,
    round: fn(f64) -> f64,
    told: String,
}

impl Program {
    fn new(
        number: u64,
        random: &mut Random,
        inputs: u64,
        depth: usize,
        scales: &[f64],
        round: fn(f64) -> f64,
    ) -> Program {
        let inputs = 1 + random.below(inputs) as usize;
        let e = expression(random, inputs, depth);
        let scale = scales[random.below(scales.len() as u64) as usize];
        let x: Vec<f64> = (0..inputs).map(|_| round(scale * random.between(-2.0, 2.0))).collect();
        let told = format!("program {number}: {e:?}\nat {x:?}");
        Program { e, x, scale, round, told }
    }

    fn value(&self, x: &[f64]) -> f64 {
        self.gradient(x, RIGHT).0
    }

    fn gradient(&self, x: &[f64], wrong: Wrong) -> (f64, Vec<f64>) {
        evaluate(&self.e, x, &mut 0, wrong, self.round)
    }

    fn nodes(&self) -> usize {
        let mut nodes = 0;
        evaluate(&self.e, &self.x, &mut nodes, RIGHT, self.round);
        nodes
    }

    /// The gradient, where there is one to be checked: not where all is so small that rounding has swallowed it, derivative and all, and
    /// not where values are very small, very large or badly rounded.
    fn right(&self, check: impl Fn(Wrong) -> Result<Report, Failure>, vacuous: &mut usize) -> Option<Vec<f64>> {
        let (value, right) = self.gradient(&self.x, RIGHT);
        if value == 0.0 || !value.is_finite() || right.iter().any(|g| !g.is_finite()) {
            return None;
        }
        match check(RIGHT) {
            Ok(_) => Some(right),
            Err(failure) if [Mistake::CannotFail, Mistake::Unsettled].contains(failure.mistake()) => {
                *vacuous += 1;
                None
            }
            Err(failure) => panic!("{}\n{failure}", self.told),
        }
    }
}

#[test]
fn right_gradients_pass_and_wrong_ones_do_not() {
    let programs: u64 = std::env::var("COTANGENT_PROGRAMS").map_or(150, |count| count.parse().unwrap());
    let (mut caught, mut vacuous) = (0, 0);
    for number in 1..=programs {
        let mut random = Random(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let program = Program::new(number, &mut random, 4, 5, &[1.0, 1e-3, 3.0, 20.0], |v| v);
        let (x, told) = (&program.x, &program.told);
        let check = |wrong: Wrong| {
            let gradient = |x: &[f64]| program.gradient(x, wrong).1;
            check::function(|x: &[f64]| program.value(x)).gradient(gradient).at(x).run()
        };
        let Some(right) = program.right(check, &mut vacuous) else { continue };
        let nodes = program.nodes();
        for factor in [0.0, 2.0, -1.0, 1.0 + 1e-4] {
            let wrong = (random.below(nodes as u64) as usize, factor);
            let (value, given) = program.gradient(x, wrong);
            let off: Vec<f64> = right.iter().zip(&given).map(|(r, g)| (r - g).abs() / r.abs().max(g.abs())).collect();
            // A derivative far below the value's own size is lost in the value's rounding.
            let large =
                |(i, off): (usize, &f64)| *off > 3e-5 && right[i].abs() * x[i].abs().max(0.1) > 1e-5 * value.abs();
            if !off.iter().enumerate().any(large) {
                continue;
            }
            let failure = match check(wrong) {
                Err(failure) => failure,
                Ok(report) => {
                    let told_to_be_unseen = |i: usize| report.unseen.contains(&format!("x[{i}]"));
                    let hidden = off.iter().enumerate().all(|(i, off)| *off < 0.4 || told_to_be_unseen(i));
                    let is_plain = factor == 1.0 + 1e-4 && program.scale == 1.0;
                    assert!(hidden && !is_plain, "{told}\npassed with {wrong:?}: {given:?} for {right:?}\n{report}");
                    continue;
                }
            };
            caught += 1;
            let kinds = [Mistake::Sign, Mistake::Missing, Mistake::MissingTerm];
            let kind = kinds.contains(failure.mistake())
                || matches!(failure.mistake(), Mistake::Factor(_) | Mistake::Swapped(_));
            // (A small error of a badly rounded function may look like a kink.)
            assert!(kind || factor == 1.0 + 1e-4, "{told}\n{wrong:?}\n{failure}");
            // Alone at the end, the mistake is plain.
            if wrong.0 + 1 == nodes {
                match failure.mistake() {
                    Mistake::Missing => assert_eq!(factor, 0.0, "{told}\n{failure}"),
                    Mistake::Sign => assert_eq!(factor, -1.0, "{told}\n{failure}"),
                    Mistake::Factor(found) => assert!((found - factor).abs() < 2e-5, "{told}\n{failure}"),
                    _ => panic!("{told}\n{wrong:?}\n{failure}"),
                }
            }
        }
    }
    assert!(caught > programs as usize && vacuous < programs as usize / 3, "{caught} caught, {vacuous} vacuous");
}

/// In `f32`, where less can be seen: what is plainly wrong is, and what is right never is.
#[test]
fn in_single_precision_too() {
    let (mut caught, mut vacuous, mut hidden) = (0, 0, 0);
    let programs = 150u64;
    for number in 1..=programs {
        let mut random = Random(number.wrapping_mul(0xd1b5_4a32_d192_ed03));
        let program = Program::new(number, &mut random, 3, 4, &[1.0], |v| f64::from(v as f32));
        let (wide, narrow) = (
            |x: &[f32]| x.iter().map(|x| f64::from(*x)).collect::<Vec<f64>>(),
            |x: &[f64]| x.iter().map(|x| *x as f32).collect::<Vec<f32>>(),
        );
        let check = |wrong: Wrong| {
            let gradient = |x: &[f32]| narrow(&program.gradient(&wide(x), wrong).1);
            check::function(|x: &[f32]| program.value(&wide(x)) as f32).gradient(gradient).at(&narrow(&program.x)).run()
        };
        let Some(right) = program.right(check, &mut vacuous) else { continue };
        let (nodes, x, told) = (program.nodes(), &program.x, &program.told);
        for factor in [0.0, 2.0, -1.0] {
            let wrong = (random.below(nodes as u64) as usize, factor);
            let (value, given) = program.gradient(x, wrong);
            let plain = |i: usize| {
                let off = (right[i] - given[i]).abs() / right[i].abs().max(given[i].abs());
                off > 0.3 && right[i].abs() * x[i].abs().max(0.1) > 0.03 * value.abs()
            };
            if !(0..x.len()).any(plain) {
                continue;
            }
            match check(wrong) {
                Err(_) => caught += 1,
                Ok(report) => {
                    let unseen = |i: usize| report.unseen.contains(&format!("x[{i}]"));
                    assert!((0..x.len()).all(|i| !plain(i) || unseen(i)), "{told}\n{wrong:?}\n{report}");
                    hidden += 1;
                }
            }
        }
    }
    let counts = format!("{caught} caught, {hidden} hidden, {vacuous} vacuous");
    assert!(caught > programs as usize && vacuous < programs as usize / 3 && hidden < caught / 10, "{counts}");
}
