//! What functions without a derivative hand back is changed by their callers: it has a shadow.
//!
//! Every function is held against differences of itself.

use cotangent::{Shadow, custom_derivative, gradient, jvp};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Both modes against differences, at a point away from kinks.
fn check(f: fn(&[f64]) -> f64) {
    let x = [0.6, -0.4, 1.3, 0.25];
    let reverse = gradient(f, &x);
    for (i, reverse) in reverse.iter().enumerate() {
        let direction: Vec<f64> = (0..x.len()).map(|k| f64::from(u8::from(k == i))).collect();
        let at = |h: f64| f(&x.iter().zip(&direction).map(|(x, d)| x + h * d).collect::<Vec<f64>>());
        let differences = (8.0 * (at(1e-3) - at(-1e-3)) - (at(2e-3) - at(-2e-3))) / 12e-3;
        let forward = jvp(f, &x, &direction).1;
        assert!((forward - reverse).abs() <= 1e-12 * (1.0 + reverse.abs()), "{i}: {forward} {reverse}");
        assert!((differences - reverse).abs() <= 1e-8 * (1.0 + reverse.abs()), "{i}: {differences} {reverse}");
    }
}

fn sum(v: &[f64]) -> f64 {
    v.iter().map(|t| t * t + t.sin()).sum()
}

#[custom_derivative(inactive)]
#[inline(never)]
fn table(n: usize) -> Vec<f64> {
    (0..n).map(|i| 0.5 + i as f64).collect()
}

#[custom_derivative(inactive)]
fn rows(n: usize) -> Vec<Vec<f64>> {
    (0..n).map(|i| vec![0.5 * i as f64; n]).collect()
}

#[test]
fn a_vector_is_written_to() {
    check(|x| {
        let mut v = table(3);
        v[0] = x[0];
        v[1] *= x[1];
        sum(&v)
    });
}

#[test]
fn a_vector_grows_later() {
    check(|x| {
        let mut v = table(2);
        x.iter().for_each(|x| v.push(x * v[0]));
        v.retain(|v| *v > -0.1);
        sum(&v)
    });
}

#[test]
fn vectors_of_vectors_are_written_to() {
    check(|x| {
        let mut v = rows(3);
        v[0][1] = x[0];
        v[1][2] *= x[1];
        v[2].push(x[2]);
        v.iter().map(|v| sum(v)).sum()
    });
}

#[test]
fn vectors_with_and_without_derivatives_lie_in_one() {
    check(|x| {
        let mut v = vec![table(2), x.to_vec()];
        v.push(table(1));
        v[0][1] += x[1];
        v.iter().map(|v| sum(v)).sum()
    });
}

#[test]
fn a_pointer_leads_to_one_or_the_other() {
    check(|x| {
        let (constants, values) = (table(4), x.to_vec());
        let chosen = if x[0] > 0.1 { &constants } else { &values };
        sum(chosen) * x[1] + sum(&values)
    });
}

#[inline(never)]
fn handed_on(n: usize) -> Vec<Vec<f64>> {
    (1..=n).map(table).collect()
}

#[test]
fn a_function_hands_on_what_it_was_given() {
    check(|x| {
        let mut v = handed_on(3);
        v[1][1] = x[0];
        v[2].push(x[1]);
        v.iter().map(|v| sum(v)).sum()
    });
}

#[custom_derivative(inactive)]
fn beside(n: usize) -> (Vec<f64>, f64) {
    (vec![0.5; n], 0.25)
}

#[test]
fn floats_beside_a_vector_are_constant_each_time() {
    check(|x| {
        let mut total = 0.0;
        for (n, x) in (1..).zip(&x[1..4]) {
            let (mut v, mut c) = beside(n);
            total += c;
            c *= x;
            v[0] += c;
            total += sum(&v) * c;
        }
        total
    });
}

#[derive(Shadow, Clone)]
struct Net {
    weights: Vec<Vec<f64>>,
    bias: Box<[f64]>,
    scale: f64,
    name: String,
}

#[custom_derivative(inactive)]
fn net(n: usize) -> Net {
    let weights = (0..n).map(|i| vec![i as f64 * 0.5; n]).collect();
    Net { weights, bias: vec![0.25; n].into(), scale: 0.75, name: format!("net {n}") }
}

#[test]
fn a_struct_is_changed_field_by_field() {
    check(|x| {
        let mut net = net(3);
        net.weights[1][0] = x[0];
        net.bias[2] *= x[1];
        net.scale += x[2];
        let copy = net.clone();
        net.weights.push(vec![x[3]]);
        net.weights.iter().map(|w| sum(w)).sum::<f64>() * net.scale * sum(&copy.bias) + net.name.len() as f64 * x[0]
    });
}

#[custom_derivative(inactive)]
fn perhaps(n: usize) -> Result<Box<[f64]>, String> {
    if n.is_multiple_of(2) { Ok(vec![0.5; n + 1].into()) } else { Err(format!("no {n}")) }
}

#[test]
fn variants_are_told_at_run_time() {
    check(|x| {
        let each = |(n, x): (usize, &f64)| match perhaps(n) {
            Ok(mut values) => {
                values[0] *= x;
                sum(&values)
            }
            Err(text) => text.len() as f64 * x,
        };
        x.iter().enumerate().map(each).sum()
    });
}

#[custom_derivative(inactive)]
fn shared(n: usize) -> Rc<RefCell<Vec<f64>>> {
    Rc::new(RefCell::new(vec![0.5; n]))
}

#[test]
fn what_is_shared_is_shared_in_the_shadow() {
    check(|x| {
        let one = shared(3);
        let other = Rc::clone(&one);
        other.borrow_mut()[1] = x[0];
        other.borrow_mut().push(x[1]);
        sum(&one.borrow())
    });
}

#[custom_derivative(inactive)]
fn counted(n: usize) -> BTreeMap<usize, f64> {
    (0..n).map(|i| (i, i as f64)).collect()
}

#[test]
fn a_map_is_written_to() {
    check(|x| {
        let mut map = counted(4);
        map.iter_mut().for_each(|(i, v)| *v *= x[*i]);
        map.insert(9, x[0]);
        map.values().map(|v| v.sin()).sum()
    });
}

struct Generator {
    state: [u64; 2],
}

#[custom_derivative(inactive)]
fn noise(generator: &mut Generator, n: usize) -> Vec<f64> {
    let mut next = || {
        generator.state[0] =
            generator.state[0].wrapping_mul(6_364_136_223_846_793_005).wrapping_add(generator.state[1]);
        (generator.state[0] >> 40) as f64 / (1u64 << 24) as f64
    };
    (0..n).map(|_| next()).collect()
}

#[test]
fn random_numbers_are_scaled_in_place() {
    check(|x| {
        let mut generator = Generator { state: [7, 11] };
        let mut total = 0.0;
        for factor in x {
            let mut v = noise(&mut generator, 3);
            v.iter_mut().for_each(|v| *v = *v * x[1] + x[0]);
            total += sum(&v) * factor;
        }
        total
    });
}

#[custom_derivative(inactive)]
fn element(values: &[f64], index: usize) -> &f64 {
    &values[index]
}

#[test]
fn a_reference_into_an_argument_is_read_before_that_is_given_back() {
    check(|x| {
        let values = vec![0.5, 1.5, 2.5];
        let chosen = *element(&values, 2);
        drop(values);
        chosen * x[0] * x[0]
    });
}

thread_local! {
    static RUNS: Cell<usize> = const { Cell::new(0) };
}

#[custom_derivative(inactive)]
fn seen(n: usize) -> Vec<f64> {
    RUNS.with(|runs| runs.set(runs.get() + 1));
    vec![1.0; n]
}

#[test]
fn it_runs_once() {
    let f = |x: &[f64]| {
        let mut v = seen(2);
        v[1] = x[0];
        sum(&v)
    };
    RUNS.set(0);
    gradient(f, &[0.5]);
    assert_eq!(RUNS.get(), 1);
    jvp(f, &[0.5], &[1.0]);
    assert_eq!(RUNS.get(), 2);
}

#[test]
fn second_derivatives() {
    let f = |x: &[f64]| {
        let mut v = table(2);
        v[1] *= x[0];
        v.push(x[0] * x[1]);
        v.iter().map(|t| t * t * t).sum::<f64>()
    };
    let (a, b) = (0.6, -0.4);
    // 1.5^3 a^3 + a^3 b^3 and a constant.
    let expected = [6.0 * a * (3.375 + b * b * b), 9.0 * a * a * b * b, 9.0 * a * a * b * b, 6.0 * a * a * a * b];
    for (found, expected) in cotangent::hessian(f, &[a, b]).iter().zip(expected) {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }
}
