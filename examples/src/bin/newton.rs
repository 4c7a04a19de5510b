//! The derivative of an iteration: Newton's square root, which runs until it stands still.
#![forbid(unsafe_code)]

use cotangent::autodiff;

/// The square root of `a > 0`, by Newton's iteration from `a` itself.
#[autodiff(d_newton_sqrt, Reverse, Active, Active)]
fn newton_sqrt(a: f64) -> f64 {
    let mut x = a.max(1.0);
    loop {
        let next = 0.5 * (x + a / x);
        if (next - x).abs() <= 1e-15 * next {
            return next;
        }
        x = next;
    }
}

fn main() {
    for a in [0.25f64, 2.0, 9.0, 1e6] {
        let (root, slope) = d_newton_sqrt(a, 1.0);
        println!("sqrt({a}) = {root}, slope {slope}");
        // The iteration knows nothing of the formula d sqrt(a) = 1 / (2 sqrt(a)), but arrives there.
        assert!((root - a.sqrt()).abs() <= 1e-14 * root);
        assert!((slope - 0.5 / a.sqrt()).abs() <= 1e-12 * slope);
    }
}
