//! What `check!` says where it is not written as it should be.

use cotangent::check;

fn f(x: &[f64], k: f64) -> f64 {
    x[0] * k
}

fn d_f(x: &[f64], dx: &mut [f64], k: f64, seed: f64) -> f64 {
    dx[0] += k * seed;
    f(x, k)
}

fn main() {
    let x = [1.0];
    check!(f(Duplicated(&x), Const(2.0)) -> Active).assert();
    check!(f(&x, Const(2.0)) -> Active, reverse = d_f).assert();
    check!(f(Duplicated(&x), Const(2.0)) -> Active, backward = d_f).assert();
    check!(f(Duplicated(&x), Const(2.0)) -> Active, forward(9) = d_f).assert();
}
