//! Single precision, several lanes, structures and arrays.

use cotangent::{custom_derivative, gradient, hessian, jacobian, jvp, vjp};
use testing::assert_close;

#[custom_derivative(forward = scaled_jvp, reverse = scaled_vjp)]
fn scaled(x: &[f32], by: f32, out: &mut [f32]) {
    out.iter_mut().zip(x).for_each(|(o, x)| *o = x * by);
}

fn scaled_jvp(x: &[f32], dx: &[f32], by: f32, dby: f32, out: &mut [f32], dout: &mut [f32]) {
    scaled(x, by, out);
    for i in 0..x.len() {
        dout[i] = 10.0 * (dx[i] * by + x[i] * dby);
    }
}

fn scaled_vjp(x: &[f32], dx: &mut [f32], by: f32, out: &mut [f32], dout: &mut [f32]) -> f32 {
    let mut dby = 0.0;
    for i in 0..x.len() {
        dx[i] += 10.0 * by * dout[i];
        dby += 10.0 * x[i] * dout[i];
        dout[i] = 0.0;
    }
    scaled(x, by, out);
    dby
}

#[test]
fn slices_of_single_precision_that_are_read_and_written() {
    let f = |x: &[f32], y: &mut [f32]| scaled(&x[1..], x[0], y);
    let x = [2.0, 3.0, 5.0];
    // (x1 x0, x2 x0), ten times.
    assert_close!(jacobian(f, &x, 2), [30.0f32, 20.0, 0.0, 50.0, 0.0, 20.0]);
    assert_close!(jacobian(|x, y| f(x, y), &x, 2), [30.0f32, 20.0, 0.0, 50.0, 0.0, 20.0]);
    assert_close!(vjp(f, &x, &[1.0, 2.0]), [130.0f32, 20.0, 40.0]);
    let loss = |x: &[f32]| {
        let mut y = [0.0; 2];
        scaled(&x[1..], x[0], &mut y);
        scaled(&y.clone(), x[0], &mut y);
        y[0] + y[1]
    };
    // x0² (x1 + x2): of the two factors, the second has ten times, the first a hundred times its derivative.
    assert_close!(gradient(loss, &x), [10.0 * 16.0 + 100.0 * 16.0, 400.0, 400.0f32]);
    assert_close!(jvp(loss, &x, &[1.0, 1.0, 0.0]), (32.0, 1760.0 + 400.0f32));
}

#[custom_derivative(forward = cross_jvp, reverse = cross_vjp)]
fn cross(a: &[f64; 2], b: &[f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

fn cross_jvp(a: &[f64; 2], da: &[f64; 2], b: &[f64; 2], db: &[f64; 2]) -> (f64, f64) {
    (cross(a, b), 10.0 * (cross(da, b) + cross(a, db)))
}

fn cross_vjp(a: &[f64; 2], da: &mut [f64; 2], b: &[f64; 2], db: &mut [f64; 2], dret: f64) {
    da[0] += 10.0 * b[1] * dret;
    da[1] -= 10.0 * b[0] * dret;
    db[1] += 10.0 * a[0] * dret;
    db[0] -= 10.0 * a[1] * dret;
}

#[test]
fn arrays_behind_references_and_their_hessian() {
    let f = |x: &[f64]| cross(&[x[0], x[1]], &[x[2], x[3]]) * x[0];
    let x = [2.0, 3.0, 5.0, 7.0];
    let (a, b, c, d) = (2.0, 3.0, 5.0, 7.0);
    assert_close!(gradient(f, &x), [10.0 * d * a + a * d - b * c, -10.0 * c * a, -10.0 * b * a, 10.0 * a * a]);
    let mut columns = Vec::new();
    for i in 0..4 {
        let mut unit = [0.0; 4];
        unit[i] = 1.0;
        columns.push(jvp(f, &x, &unit).1);
    }
    assert_close!(columns, gradient(f, &x));
    // Of the gradient as the rules have it; the value beside it has the forward rule's derivative.
    let (p, q) = (10.0 * 7.0, 10.0);
    let expected = [
        p + 10.0 * d,
        -10.0 * c,
        -10.0 * b,
        10.0 * a + q * a,
        -10.0 * c,
        0.0,
        -10.0 * a,
        0.0,
        -10.0 * b,
        -10.0 * a,
        0.0,
        0.0,
        20.0 * a,
        0.0,
        0.0,
        0.0,
    ];
    assert_close!(hessian(f, &x), expected);
}
