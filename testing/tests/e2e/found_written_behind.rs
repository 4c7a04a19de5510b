//! What is written behind an argument that is itself only read.
use cotangent::{gradient, jvp};

struct Window<'a> {
    data: &'a mut [f64],
}

#[inline(never)]
#[expect(clippy::ptr_arg, reason = "the vector's pointer has to be read first")]
fn scale(v: &mut Vec<f64>, a: f64) {
    for x in v.iter_mut() {
        *x *= a;
    }
}

#[inline(never)]
fn raise(w: &mut Window, a: f64) {
    for x in w.data.iter_mut() {
        *x += a * a;
    }
}

#[inline(never)]
fn square(w: &mut Window) {
    for x in w.data.iter_mut() {
        *x = *x * *x;
    }
}

#[inline(never)]
fn norm(w: &Window) -> f64 {
    w.data.iter().map(|v| v * v).sum()
}

fn scaled(x: &[f64]) -> f64 {
    let mut v = vec![1.0, 2.0, 3.0];
    scale(&mut v, x[0]);
    v[0] * x[1] + v[2]
}

fn raised(x: &[f64]) -> f64 {
    let mut data = [1.0; 3];
    let mut window = Window { data: &mut data };
    raise(&mut window, x[1]);
    raise(&mut window, x[0]);
    data.iter().product()
}

fn read_before_and_after(x: &[f64]) -> f64 {
    let mut data = [x[0], x[1], x[0] * x[1]];
    let mut window = Window { data: &mut data };
    let before = norm(&window);
    square(&mut window);
    before * norm(&window)
}

/// Both modes against differences.
fn check(f: fn(&[f64]) -> f64, reverse: &[f64], forward: [f64; 2]) {
    for i in 0..2 {
        let at = |step: f64| {
            let mut x = [1.1, 0.7];
            x[i] += step;
            f(&x)
        };
        let difference = (at(1e-5) - at(-1e-5)) / 2e-5;
        assert!((reverse[i] - difference).abs() < 1e-6 * (1.0 + difference.abs()), "{} {difference}", reverse[i]);
        assert!((reverse[i] - forward[i]).abs() < 1e-12 * (1.0 + difference.abs()), "{} {}", reverse[i], forward[i]);
    }
}

macro_rules! both {
    ($f:ident) => {{
        let x = [1.1, 0.7];
        check($f, &gradient($f, &x), [jvp($f, &x, &[1.0, 0.0]).1, jvp($f, &x, &[0.0, 1.0]).1]);
    }};
}

#[test]
fn a_vector_scaled_by_another_function() {
    both!(scaled);
}

#[test]
fn a_slice_inside_of_a_struct_changed_by_another_function() {
    both!(raised);
}

#[test]
fn what_is_read_before_a_change_behind_a_reference() {
    both!(read_before_and_after);
}
