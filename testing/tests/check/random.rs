//! Random expressions: their gradients pass, and with a mistake they do not.
//!
//! Derivatives come from dual numbers in a few lines, which nothing else here knows of. A mistake is one node of the expression
//! whose partial derivative is zero, doubled, or negated.

use cotangent::check::{self, Mistake};

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

/// The value and the gradient, where the partial derivative of node `wrong.0` (in order of evaluation) is times `wrong.1`.
fn evaluate(e: &Expression, x: &[f64], node: &mut usize, wrong: (usize, f64)) -> (f64, Vec<f64>) {
    rounded(e, x, node, wrong, |v| v)
}

/// The same with every value rounded.
fn rounded(e: &Expression, x: &[f64], node: &mut usize, wrong: (usize, f64), round: fn(f64) -> f64) -> (f64, Vec<f64>) {
    let (value, mut gradient) = match e {
        Input(i) => (x[*i], (0..x.len()).map(|j| f64::from(u8::from(*i == j))).collect()),
        Constant(c) => return (*c, vec![0.0; x.len()]),
        Unary(kind, of) => {
            let (v, g) = rounded(of, x, node, wrong, round);
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
            let ((a, da), (b, db)) = (rounded(a, x, node, wrong, round), rounded(b, x, node, wrong, round));
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

const RIGHT: (usize, f64) = (usize::MAX, 1.0);

#[test]
fn right_gradients_pass_and_wrong_ones_do_not() {
    let programs: u64 = std::env::var("COTANGENT_PROGRAMS").map_or(150, |count| count.parse().unwrap());
    let (mut caught, mut vacuous) = (0, 0);
    for program in 1..=programs {
        let mut random = Random(program.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let inputs = 1 + random.below(4) as usize;
        let e = expression(&mut random, inputs, 5);
        let scale = [1.0, 1e-3, 3.0, 20.0][random.below(4) as usize];
        let x: Vec<f64> = (0..inputs).map(|_| scale * random.between(-2.0, 2.0)).collect();
        let f = |x: &[f64]| evaluate(&e, x, &mut 0, RIGHT).0;
        let (value, right) = evaluate(&e, &x, &mut 0, RIGHT);
        // Zero: so small that rounding has swallowed it, derivative and all.
        if value == 0.0 || !value.is_finite() || right.iter().any(|g| !g.is_finite()) {
            continue;
        }
        let check = |wrong: (usize, f64)| {
            let e = &e;
            check::function(f).gradient(move |x| evaluate(e, x, &mut 0, wrong).1).at(&x).run()
        };
        let told = format!("program {program}: {e:?}\nat {x:?}");
        match check(RIGHT) {
            Ok(_) => {}
            // Very small, very large or badly rounded.
            Err(failure) if [Mistake::CannotFail, Mistake::Unsettled].contains(failure.mistake()) => {
                vacuous += 1;
                continue;
            }
            Err(failure) => panic!("{told}\n{failure}"),
        }
        let mut nodes = 0;
        let (_, right) = evaluate(&e, &x, &mut nodes, RIGHT);
        for factor in [0.0, 2.0, -1.0, 1.0 + 1e-4] {
            let wrong = (random.below(nodes as u64) as usize, factor);
            let (_, given) = evaluate(&e, &x, &mut 0, wrong);
            let value = f(&x).abs();
            let off: Vec<f64> = right.iter().zip(&given).map(|(r, g)| (r - g).abs() / r.abs().max(g.abs())).collect();
            // A derivative far below the value's own size is lost in the value's rounding.
            let large = |(i, off): (usize, &f64)| *off > 3e-5 && right[i].abs() * x[i].abs().max(0.1) > 1e-5 * value;
            if !off.iter().enumerate().any(large) {
                continue;
            }
            let failure = match check(wrong) {
                Err(failure) => failure,
                Ok(report) => {
                    let told_to_be_unseen = |i: usize| report.unseen.contains(&format!("x[{i}]"));
                    let hidden = off.iter().enumerate().all(|(i, off)| *off < 0.4 || told_to_be_unseen(i));
                    assert!(
                        hidden && (factor != 1.0 + 1e-4 || scale != 1.0),
                        "{told}\npassed with {wrong:?}: {given:?} for {right:?}\n{report}"
                    );
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
    for program in 1..=programs {
        let mut random = Random(program.wrapping_mul(0xd1b5_4a32_d192_ed03));
        let inputs = 1 + random.below(3) as usize;
        let e = expression(&mut random, inputs, 4);
        let x: Vec<f32> = (0..inputs).map(|_| random.between(-2.0, 2.0) as f32).collect();
        let single = |x: &[f32], node: &mut usize, wrong: (usize, f64)| {
            let wide: Vec<f64> = x.iter().map(|x| f64::from(*x)).collect();
            rounded(&e, &wide, node, wrong, |v| f64::from(v as f32))
        };
        let mut nodes = 0;
        let (value, right) = single(&x, &mut nodes, RIGHT);
        if value == 0.0 || !value.is_finite() || right.iter().any(|g| !g.is_finite()) {
            continue;
        }
        let check = |wrong: (usize, f64)| {
            let gradient = move |x: &[f32]| single(x, &mut 0, wrong).1.iter().map(|g| *g as f32).collect::<Vec<f32>>();
            check::function(move |x: &[f32]| single(x, &mut 0, RIGHT).0 as f32).gradient(gradient).at(&x).run()
        };
        let told = format!("program {program}: {e:?}\nat {x:?}");
        match check(RIGHT) {
            Ok(_) => {}
            Err(failure) if [Mistake::CannotFail, Mistake::Unsettled].contains(failure.mistake()) => {
                vacuous += 1;
                continue;
            }
            Err(failure) => panic!("{told}\n{failure}"),
        }
        for factor in [0.0, 2.0, -1.0] {
            let wrong = (random.below(nodes as u64) as usize, factor);
            let (_, given) = single(&x, &mut 0, wrong);
            let plain = |i: usize| {
                let off = (right[i] - given[i]).abs() / right[i].abs().max(given[i].abs());
                off > 0.3 && right[i].abs() * f64::from(x[i]).abs().max(0.1) > 0.03 * value.abs()
            };
            if !(0..inputs).any(plain) {
                continue;
            }
            match check(wrong) {
                Err(_) => caught += 1,
                Ok(report) => {
                    let unseen = |i: usize| report.unseen.contains(&format!("x[{i}]"));
                    assert!((0..inputs).all(|i| !plain(i) || unseen(i)), "{told}\n{wrong:?}\n{report}");
                    hidden += 1;
                }
            }
        }
    }
    let counts = format!("{caught} caught, {hidden} hidden, {vacuous} vacuous");
    assert!(caught > programs as usize && vacuous < programs as usize / 3 && hidden < caught / 10, "{counts}");
}
