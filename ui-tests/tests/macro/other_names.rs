//! References to slices and objects by another name, which the attribute cannot see.
use cotangent::autodiff;

type Row = [f64];
type Text = str;

trait Model {}
type Any = dyn Model;

#[autodiff(d_norm, Reverse, Duplicated, Active)]
fn norm(x: &Row) -> f64 {
    x.iter().map(|v| v * v).sum()
}

#[autodiff(d_scaled, Forward, Dual, Const, Const)]
fn scaled(x: &mut Row, name: &Text, _model: &Any) {
    x[0] *= name.len() as f64;
}

fn main() {}
