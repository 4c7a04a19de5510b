//! Rules of methods, generic functions and tapes with another signature than the one expected.
use cotangent::custom_derivative;

struct Spring(f64);

impl Spring {
    #[custom_derivative(Duplicated, Active, Active, reverse = Spring::no_shadow)]
    fn energy(&self, x: f64) -> f64 {
        self.0 * x
    }

    fn no_shadow(&self, x: f64, dret: f64) -> f64 {
        self.0 * x * dret
    }

    #[custom_derivative(Const, Active, Active, forward = Spring::no_value)]
    fn force(&self, x: f64) -> f64 {
        self.0 * x
    }

    fn no_value(&self, x: f64, dx: f64) -> f64 {
        self.0 * x * dx
    }
}

#[custom_derivative(reverse = no_adjoint)]
fn generic<T: Copy>(x: &[T], by: f32) -> f32 {
    by * x.len() as f32
}

fn no_adjoint<T: Copy>(_x: &[T], _dx: &mut [T], _by: f32, _dret: f32) {}

#[custom_derivative(reverse = (no_tape, pullback))]
fn plain(x: f64) -> f64 {
    x
}

fn no_tape(x: f64) -> f64 {
    x
}

fn pullback(_tape: (), _x: f64, dret: f64) -> f64 {
    dret
}

#[custom_derivative(reverse = (borrows, from_borrowed))]
fn slice(x: &[f64]) -> f64 {
    x[0]
}

fn borrows(x: &[f64]) -> (f64, &[f64]) {
    (x[0], x)
}

fn from_borrowed(_tape: &[f64], _x: &[f64], _dx: &mut [f64], _dret: f64) {}

#[custom_derivative(Const, Const, Active, reverse = swapped)]
fn counted(x: &[f64], count: usize) -> f64 {
    x[count]
}

fn swapped(_count: usize, _x: &[f64], _dret: f64) {}

fn main() {}
