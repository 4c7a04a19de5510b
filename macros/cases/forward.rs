#[autodiff(Forward, Dual, Dual, Dual)]
fn one(x: f64, out: &mut [f64]) -> f64 {
    x
}

#[autodiff(Forward, 2, Dual, Dualv, Dual)]
#[autodiff(only, Forward, 2, Const, Dualv, DualOnly)]
fn two(x: &f64, out: &mut [f64]) -> f64 {
    *x
}
