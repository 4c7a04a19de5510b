//! What functions that are not inlined take and give back: arrays, tuples, references, results.

use crate::functional;

#[inline(never)]
fn several(x: f64) -> [f64; 6] {
    [x, x * x, x.sin(), x.cos(), x.exp(), 1.0 / x]
}

#[inline(never)]
fn pair(x: f64, y: f64) -> (f64, f64) {
    (x * y, x / y)
}

#[inline(never)]
fn with_an_integer(x: f64) -> (f64, usize, f64) {
    (x * x, 3, x.sin())
}

#[inline(never)]
fn logarithm(x: f64) -> Result<f64, String> {
    if x > 0.0 { Ok(x.ln()) } else { Err("not positive".to_string()) }
}

#[inline(never)]
fn either<'a>(a: &'a [f64], b: &'a [f64], first: bool) -> &'a [f64] {
    if first { a } else { b }
}

#[inline(never)]
fn largest(x: &[f64]) -> &f64 {
    let mut best = &x[0];
    for v in x {
        if *v > *best {
            best = v;
        }
    }
    best
}

#[inline(never)]
fn slot(x: &mut [f64; 4], i: usize) -> &mut f64 {
    &mut x[i]
}

#[inline(never)]
fn count(total: &mut f64, counted: &mut usize, x: f64) {
    *total += x * x;
    *counted += 1;
}

#[inline(never)]
fn tree(x: &[f64], depth: u32) -> f64 {
    if depth == 0 {
        return x[0] * x[1];
    }
    let y = [x[1].sin(), x[0] * 0.5 + 0.1];
    tree(&y, depth - 1) * x[0] + tree(x, depth - 1)
}

#[inline(never)]
fn recursion_in_a_loop(depth: u32, x: f64) -> f64 {
    if depth == 0 {
        return x + 1.0;
    }
    let mut y = x;
    for _ in 0..depth {
        y = recursion_in_a_loop(depth - 1, y * 0.5);
    }
    y * x
}

enum Expression<'a> {
    Variable,
    Constant(f64),
    Sum(&'a Expression<'a>, &'a Expression<'a>),
    Product(&'a Expression<'a>, &'a Expression<'a>),
    Sine(&'a Expression<'a>),
}

fn evaluate(e: &Expression, x: f64) -> f64 {
    match e {
        Expression::Variable => x,
        Expression::Constant(c) => *c,
        Expression::Sum(a, b) => evaluate(a, x) + evaluate(b, x),
        Expression::Product(a, b) => evaluate(a, x) * evaluate(b, x),
        Expression::Sine(a) => evaluate(a, x).sin(),
    }
}

functional! {
    fn arrays(x: &[f64]) -> f64 {
        let (a, b) = (several(x[0]), several(x[1]));
        a.iter().zip(&b).map(|(a, b)| a * b).sum::<f64>() + a[2]
    } at [0.4, 1.2];

    fn tuples(x: &[f64]) -> f64 {
        let (a, b) = pair(x[0], x[1]);
        let (c, d) = pair(b, a);
        let (e, n, f) = with_an_integer(c);
        e * f * n as f64 + d
    } at [0.4, 1.2];

    fn results_with_a_message(x: &[f64]) -> f64 {
        x.iter().map(|v| logarithm(*v).unwrap_or(2.0)).sum::<f64>() * x[0]
    } at [0.4, 1.2, -0.5];

    fn references(x: &[f64]) -> f64 {
        let (a, b) = x.split_at(2);
        let chosen = either(a, b, x[0] > 0.0);
        chosen[0] * chosen[1] + largest(x) * largest(x)
    } at [0.4, 1.2, -0.5, 0.3], [-0.4, 1.2, -0.5, 0.3];

    fn mutable_references(x: &[f64]) -> f64 {
        let mut a = [x[0], x[1], 1.0, 2.0];
        *slot(&mut a, 2) *= x[0];
        *slot(&mut a, 0) *= x[1];
        *slot(&mut a, 2) += x[1];
        a[0] * a[2] + a[3]
    } at [0.4, 1.2];

    fn numbers_and_counts_through_references(x: &[f64]) -> f64 {
        let (mut total, mut counted) = (0.0, 0);
        for v in x {
            count(&mut total, &mut counted, *v);
        }
        total / counted as f64
    } at [0.4, 1.2, -0.5];

    fn a_tree_of_calls_on_slices(x: &[f64]) -> f64 { tree(x, 4) } at [0.4, 1.2];

    fn a_loop_of_recursions(x: &[f64]) -> f64 { recursion_in_a_loop(4, x[0]) } at [0.7];

    fn an_expression_tree(x: &[f64]) -> f64 {
        let (variable, constant) = (Expression::Variable, Expression::Constant(x[1]));
        let product = Expression::Product(&variable, &constant);
        let sine = Expression::Sine(&product);
        let sum = Expression::Sum(&sine, &variable);
        evaluate(&Expression::Product(&sum, &sum), x[0])
    } at [0.4, 1.2];

    fn nodes_that_name_each_other_by_index(x: &[f64]) -> f64 {
        #[derive(Clone, Copy)]
        enum Node { Leaf(f64), Sum(usize, usize), Product(usize, usize) }
        let nodes = [Node::Leaf(x[0]), Node::Leaf(x[1]), Node::Sum(0, 1), Node::Product(2, 0), Node::Product(3, 2)];
        let mut values = [0.0; 5];
        for (i, node) in nodes.iter().enumerate() {
            values[i] = match *node {
                Node::Leaf(c) => c,
                Node::Sum(a, b) => values[a] + values[b],
                Node::Product(a, b) => values[a] * values[b],
            };
        }
        values[4]
    } at [0.4, 1.2];

    fn a_number_or_a_message(x: &[f64]) -> f64 {
        fn square(v: f64) -> Result<f64, String> {
            if v > 5.0 { Err(format!("{} is too much", v as i32)) } else { Ok(v * v) }
        }
        match square(x[0]) {
            Ok(v) => v,
            Err(_) => 0.0,
        }
    } at [0.4];
}
