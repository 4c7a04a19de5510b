//! Multigrid cycles: recursion over levels that hands on what smooths.
use crate::functional;

type Smoother = fn(&[f64], &mut [f64], f64);

fn jacobi(a: &[f64], u: &mut [f64], omega: f64) {
    for (u, a) in u.iter_mut().zip(a) {
        *u += omega * (1.0 - a * *u);
    }
}

fn backwards(a: &[f64], u: &mut [f64], omega: f64) {
    for i in (0..u.len()).rev() {
        let beside = if i > 0 { u[i - 1] } else { 0.0 };
        u[i] += omega * (1.0 - a[i] * u[i] + 0.1 * beside);
    }
}

fn cycle(levels: &[Vec<f64>], u: &mut [f64], smoothers: (Smoother, Smoother), omega: f64) {
    let Some((fine, rest)) = levels.split_first() else { return };
    smoothers.0(fine, u, omega);
    let mut coarse: Vec<f64> = u.chunks(2).map(|pair| pair.iter().sum()).collect();
    cycle(rest, &mut coarse, smoothers, omega);
    for (i, u) in u.iter_mut().enumerate() {
        *u += 0.1 * coarse[i / 2];
    }
    smoothers.1(fine, u, omega);
}

fn cycle_of(levels: &[Vec<f64>], u: &mut [f64], smooth: &dyn Fn(&[f64], &mut [f64])) {
    let Some((fine, rest)) = levels.split_first() else { return };
    smooth(fine, u);
    let mut coarse: Vec<f64> = u.chunks(2).map(|pair| pair.iter().sum()).collect();
    if coarse.len() > 1 {
        cycle_of(rest, &mut coarse, smooth);
    }
    for (i, u) in u.iter_mut().enumerate() {
        *u += 0.3 * coarse[i / 2];
    }
    smooth(fine, u);
}

fn walk<B>(x: &[f64], start: B, step: &mut dyn FnMut(B, f64) -> B) -> B {
    match x.split_first() {
        Some((first, rest)) => {
            let next = step(start, *first);
            walk(rest, next, step)
        }
        None => start,
    }
}

/// The words of a formula in reverse Polish notation, one in each call.
fn told<'a>(words: &[&'a str], mut stack: Vec<f64>, of: &dyn Fn(&'a str) -> f64) -> Vec<f64> {
    let Some((word, rest)) = words.split_first() else { return stack };
    match (*word, stack.as_slice()) {
        ("+", [.., a, b]) => {
            let sum = a + b;
            stack.truncate(stack.len() - 2);
            stack.push(sum);
        }
        ("*", [.., a, b]) => {
            let product = a * b;
            stack.truncate(stack.len() - 2);
            stack.push(product);
        }
        (word, _) => stack.push(word.parse().unwrap_or_else(|_| of(word))),
    }
    told(rest, stack, of)
}

functional! {
    fn a_recursion_over_words_that_hands_on_a_stack(x: &[f64]) -> f64 {
        let stack = told(&["x", "2.5", "*", "y", "+", "x", "*"], Vec::new(), &|word| if word == "x" { x[0] } else { x[1] });
        stack[0] * stack.len() as f64
    } at [1.3, 0.7];

    fn a_recursion_that_hands_on_a_vector_which_is_empty_at_first(x: &[f64]) -> f64 {
        let scale = x[0];
        let all = walk(x, Vec::new(), &mut |mut all: Vec<f64>, a| {
            all.push(a * scale);
            all
        });
        let last = walk(&x[1..], (Vec::new(), 1.0), &mut |(mut all, product), a| {
            all.push(a * product);
            (all, product * a)
        });
        (1..).zip(&all).map(|(i, a)| f64::from(i) * a * a).sum::<f64>() + last.0.iter().sum::<f64>() * last.1
    } at [1.3, 0.7, 2.1];

    fn a_cycle_that_hands_on_closures_of_active_and_of_constant_captures(x: &[f64]) -> f64 {
        let levels = vec![x[1..].to_vec(), x[1..3].to_vec(), x[1..2].to_vec()];
        let omega = x[0];
        let damped = |a: &[f64], u: &mut [f64]| {
            for (u, a) in u.iter_mut().zip(a) {
                *u = omega * *u + a;
            }
        };
        let mut u = vec![0.1; x.len() - 1];
        cycle_of(&levels, &mut u, &|a, u| jacobi(a, u, 0.5));
        cycle_of(&levels, &mut u, &damped);
        u.iter().map(|u| u * u).sum()
    } at [0.4, 1.0, 1.3, 0.7, 1.2];

    fn a_cycle_that_hands_on_functions_by_pointer(x: &[f64]) -> f64 {
        let mut levels = vec![x[1..].to_vec()];
        while levels[levels.len() - 1].len() > 1 {
            levels.push(levels[levels.len() - 1].chunks(2).map(|pair| pair.iter().product()).collect());
        }
        let pairs: [(Smoother, Smoother); 2] = [(jacobi, backwards), (backwards, backwards)];
        let mut u = vec![0.0; x.len() - 1];
        for k in 0..3 {
            cycle(&levels, &mut u, pairs[k % 2], x[0]);
        }
        u.iter().map(|u| u * u).sum()
    } at [0.3, 1.0, 1.3, 1.4, 1.2];
}
