//! The project's own rules of scalar functions: every method, by both modes and by the closure function, at points sampled
//! from its domain, in both widths.

use cotangent::check::{Check, OfNumber};
use cotangent::{autodiff, check};

/// Points of a domain, kinks of the function excepted.
const POINTS: usize = 12;

macro_rules! sweep {
    ($($name:ident: |$x:ident| $body:expr; in $domain:expr;)+) => {
        mod f64 { $(sweep!(@test f64 $name $x $body, $domain);)+ }
        mod f32 { $(sweep!(@test f32 $name $x $body, $domain);)+ }
    };
    (@test $float:ident $name:ident $x:ident $body:expr, $domain:expr) => {
        #[test]
        fn $name() {
            use super::*;
            #[autodiff(reverse, Reverse, Active, Active)]
            #[autodiff(forward, Forward, Dual, Dual)]
            #[autodiff(batch, Forward, 4, Dual, Dual)]
            fn primal($x: $float) -> $float {
                $body
            }
            let with_modes: Check<'_, OfNumber<$float>> = check::scalar(primal).reverse(reverse).forward(forward);
            let report = with_modes.skip_kinks().sample(POINTS, $domain).run().unwrap_or_else(|failure| panic!("{failure}"));
            assert!(report.comparisons >= POINTS, "{report}");
            check::derivative(|$x: $float| $body).skip_kinks().sample(POINTS, $domain).assert();
            let middle = 0.45 * $domain.start as $float + 0.55 * $domain.end as $float;
            check!(primal(Active(middle)) -> Active, forward = forward, forward(4) = batch).assert();
        }
    };
}

sweep! {
    sin: |x| x.sin(); in -6.0..6.0;
    cos: |x| x.cos(); in -6.0..6.0;
    tan: |x| x.tan(); in -1.4..1.4;
    asin: |x| x.asin(); in -0.95..0.95;
    acos: |x| x.acos(); in -0.95..0.95;
    atan: |x| x.atan(); in -5.0..5.0;
    atan2: |x| x.atan2(x * x - 2.0); in 1.6..4.0;
    sin_cos: |x| { let (s, c) = x.sin_cos(); s * c + s }; in -3.0..3.0;
    sinh: |x| x.sinh(); in -3.0..3.0;
    cosh: |x| x.cosh(); in -3.0..3.0;
    tanh: |x| x.tanh(); in -2.0..2.0;
    asinh: |x| x.asinh(); in -5.0..5.0;
    acosh: |x| x.acosh(); in 1.2..9.0;
    atanh: |x| x.atanh(); in -0.9..0.9;
    exp: |x| x.exp(); in -5.0..3.0;
    exp2: |x| x.exp2(); in -5.0..3.0;
    exp_m1: |x| x.exp_m1(); in -2.0..2.0;
    ln: |x| x.ln(); in 0.05..20.0;
    ln_1p: |x| x.ln_1p(); in -0.9..9.0;
    log2: |x| x.log2(); in 0.05..20.0;
    log10: |x| x.log10(); in 0.05..20.0;
    log: |x| x.log(x + 1.5); in 0.6..9.0;
    sqrt: |x| x.sqrt(); in 0.05..20.0;
    cbrt: |x| x.cbrt(); in 0.05..20.0;
    hypot: |x| x.hypot(2.0 * x - 1.0); in -3.0..3.0;
    powi: |x| x.powi(5) - x.powi(-2); in 0.4..2.0;
    powf: |x| x.powf(2.5 - x); in 0.4..2.0;
    mul_add: |x| x.mul_add(x, x.sin()); in 0.3..3.0;
    recip: |x| x.recip(); in 0.2..4.0;
    abs: |x| x.abs() * x; in -3.0..3.0;
    signum: |x| x.signum() * x * x; in -3.0..3.0;
    copysign: |x| (x * x).copysign(x); in -3.0..3.0;
    max: |x| x.max(x * x) + x; in -2.0..2.0;
    min: |x| x.min(x * x) + 2.0 * x; in -2.0..2.0;
    clamp: |x| (x * x).clamp(0.5, 2.0) + x; in -2.0..2.0;
    fract: |x| x.fract() * x; in 0.1..0.9;
    rem: |x| (x * x) % 5.0; in 0.1..2.0;
    rem_euclid: |x| (x * x).rem_euclid(5.0) + x; in -2.0..2.0;
    floor: |x| x.floor() * x + x.ceil() * x + x.round() + x.trunc() * x; in 1.55..1.95;
    to_radians: |x| x.to_radians() * x.to_degrees(); in 0.3..3.0;
    midpoint: |x| x.midpoint(x * x); in 0.3..3.0;
}
