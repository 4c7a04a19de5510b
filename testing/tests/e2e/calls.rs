//! Calls that are not inlined, recursion, function pointers.

use crate::{assert_close, functional, in_place, map, scalar};
use cotangent::autodiff;

#[inline(never)]
fn square(x: f64) -> f64 {
    x * x
}

#[inline(never)]
fn curved(x: f64, y: f64) -> f64 {
    (x * y).sin() + x / y
}

#[inline(never)]
fn power(x: f64, n: u32) -> f64 {
    if n == 0 { 1.0 } else { x * power(x, n - 1) }
}

#[inline(never)]
fn fibonacci(x: f64, n: u32) -> f64 {
    if n < 2 { x.sin() + f64::from(n) } else { fibonacci(x, n - 1) * 0.5 + fibonacci(x * 0.9, n - 2) }
}

#[inline(never)]
fn even(x: f64, n: u32) -> f64 {
    if n == 0 { x } else { odd(x * x + 0.1, n - 1) * x }
}

#[inline(never)]
fn odd(x: f64, n: u32) -> f64 {
    if n == 0 { x.cos() } else { even(x.sin(), n - 1) + x }
}

#[inline(never)]
fn total(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for v in x {
        sum += v * v * v;
    }
    sum
}

#[inline(never)]
fn by_halves(x: &[f64]) -> f64 {
    match x {
        [] => 0.0,
        [v] => v * v,
        _ => {
            let (a, b) = x.split_at(x.len() / 2);
            by_halves(a) * 0.7 + by_halves(b) * a[0]
        }
    }
}

#[inline(never)]
fn scale(x: &mut [f64], by: f64) {
    for v in x {
        *v *= by;
    }
}

#[inline(never)]
fn normalise(x: &mut [f64]) -> f64 {
    let norm = x.iter().map(|v| v * v).sum::<f64>().sqrt();
    for v in x {
        *v /= norm;
    }
    norm
}

#[inline(never)]
fn apply(f: fn(f64) -> f64, x: f64) -> f64 {
    f(x) * x
}

scalar! {
    fn a_call_that_is_not_inlined(x: f64) -> f64 { square(x) + square(x.sin()) * x } at 0.4, -1.3;

    fn calls_in_calls(x: f64) -> f64 { curved(square(curved(x, 2.0)), square(x) + 1.0) } at 0.4, -1.3;

    fn a_call_in_tail_position(x: f64) -> f64 { square(x * 3.0) } at 0.4;

    fn a_call_in_a_loop(x: f64) -> f64 {
        let mut y = x;
        for i in 0..5 {
            y = curved(y, f64::from(i) + 1.5);
        }
        y
    } at 0.4, 1.3;

    fn a_call_in_a_branch(x: f64) -> f64 {
        let y = if x > 0.5 { curved(x, 2.0) } else { x };
        if y > 0.9 { square(y) } else { y }
    } at 0.4, 0.7, 2.3;

    fn recursion(x: f64) -> f64 { power(x, 5) } at 0.4, -1.3;

    fn recursion_that_branches(x: f64) -> f64 { fibonacci(x, 6) } at 0.4, -1.3;

    fn mutual_recursion(x: f64) -> f64 { even(x, 5) } at 0.4, 0.8;

    fn a_function_that_returns_a_pair(x: f64) -> f64 {
        #[inline(never)]
        fn pair(x: f64) -> (f64, f64) { (x.sin(), x * x) }
        let (a, b) = pair(x);
        let (c, _) = pair(a * b);
        c * b
    } at 0.4, -1.3;

    fn a_function_of_f32(x: f32) -> f32 {
        #[inline(never)]
        fn inner(x: f32, y: f32) -> f32 { x * y + y.sqrt() }
        inner(x, x * x) * inner(2.0, x)
    } at 0.4, 1.3;

    fn a_known_function_pointer(x: f64) -> f64 { apply(square, x) + apply(f64::sin, x) } at 0.4, -1.3;

    fn a_generic_function_called_with_closures(x: f64) -> f64 {
        #[inline(never)]
        fn twice(f: impl Fn(f64) -> f64, x: f64) -> f64 { f(f(x)) }
        let a = x * 2.0;
        twice(|v| v * a, x) + twice(|v| v.sin() + a, 0.5)
    } at 0.4, -1.3;
}

functional! {
    fn black_boxes_are_looked_through(x: &[f64]) -> f64 {
        let (first, all) = (std::hint::black_box(x[0]), std::hint::black_box(x));
        let squares: Vec<f64> = std::hint::black_box(all.iter().map(|v| v * v).collect());
        std::hint::black_box(&squares).iter().map(|v| first * v).sum()
    } at [0.3, 0.7, -0.4];
}

functional! {
    fn a_call_on_a_slice(x: &[f64]) -> f64 { total(x) * total(&x[1..]) } at [0.4, 1.2, -0.3];

    fn recursion_on_slices(x: &[f64]) -> f64 { by_halves(x) } at [0.4, 1.2, -0.3, 0.9, 0.8];

    fn a_call_that_changes_a_local_array(x: &[f64]) -> f64 {
        let mut a = [x[0], x[1], x[2]];
        scale(&mut a, x[0]);
        let norm = normalise(&mut a);
        scale(&mut a[1..], norm);
        a[0] * a[1] + a[2]
    } at [0.4, 1.2, -0.3];

    fn a_call_in_a_loop_on_slices(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += total(&x[i..]) * x[i];
        }
        sum
    } at [0.4, 1.2, -0.3];
}

map! {
    fn a_call_that_writes_an_output(x: &[f64], y: &mut [f64]) {
        #[inline(never)]
        fn exponentials(x: &[f64], y: &mut [f64]) {
            for (y, x) in y.iter_mut().zip(x) {
                *y = x.exp();
            }
        }
        exponentials(x, y);
        scale(y, x[0]);
    } at [0.4, 1.2, -0.3] => 3;
}

in_place! {
    fn calls_that_change_the_argument(x: &mut [f64]) {
        let norm = normalise(x);
        scale(x, norm * norm);
        x[0] *= x[1];
        normalise(x);
    } at [0.4, 1.2, -0.3];
}

#[autodiff(constant_function_reverse, Reverse, Const, Active, ActiveOnly)]
fn constant_function(f: fn(f64) -> f64, x: f64) -> f64 {
    let y = f(1.5);
    y * x * x
}

#[test]
fn a_function_pointer_applied_to_constants_is_constant() {
    assert_close!(constant_function_reverse(square, 2.0, 1.0), 9.0);
}

#[test]
fn several_threads_differentiate_at_once() {
    #[autodiff(work_reverse, Reverse, Duplicated, Active)]
    fn work(x: &[f64]) -> f64 {
        let mut y = x[0];
        for _ in 0..200 {
            for v in x {
                y = (y * v).sin() + 0.3 * v;
            }
        }
        y
    }
    let gradient = |seed: u64| {
        let x = testing::noise(seed, 16);
        let mut dx = vec![0.0; 16];
        work_reverse(&x, &mut dx, 1.0);
        dx
    };
    let alone: Vec<_> = (0..8).map(gradient).collect();
    let together: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|seed| scope.spawn(move || gradient(seed))).collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    assert_eq!(alone, together);
}
