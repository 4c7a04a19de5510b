//! The smallest example: `max(x, 0)^3`, whose derivative is taken where its branch goes.
#![forbid(unsafe_code)]

use cotangent::autodiff;

/// `x^3` for positive `x`, zero otherwise.
#[autodiff(d_relu3, Reverse, Active, Active)]
#[autodiff(relu3_tangent, Forward, Dual, Dual)]
fn relu3(x: f64) -> f64 {
    if x > 0.0 { x.powi(3) } else { 0.0 }
}

fn main() {
    for x in [-2.0, -0.5, 0.0, 0.5, 3.0] {
        let (value, slope) = d_relu3(x, 1.0);
        println!("relu3({x:4}) = {value:6}, slope {slope:6}");
        assert_eq!((value, slope), relu3_tangent(x, 1.0), "both modes agree");
        assert_eq!((value, slope), (relu3(x), if x > 0.0 { 3.0 * x * x } else { 0.0 }));
    }
}
