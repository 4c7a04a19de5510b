//! Every method of `f64` and `f32` that has a derivative, against differences in both modes and both widths.

use crate::scalar;

/// The same function in f64 and in f32.
macro_rules! both {
    ($($name:ident: |$x:ident| $body:expr; at $($point:expr),+;)+) => {
        mod f64 {
            use super::scalar;
            $(scalar! { fn $name($x: f64) -> f64 { $body } at $($point),+; })+
        }
        mod f32 {
            use super::scalar;
            $(scalar! { fn $name($x: f32) -> f32 { $body } at $($point),+; })+
        }
    };
}

both! {
    sin: |x| x.sin(); at 0.3, -2.0, 4.0;
    cos: |x| x.cos(); at 0.3, -2.0, 4.0;
    tan: |x| x.tan(); at 0.3, -1.0, 4.0;
    sin_cos: |x| { let (s, c) = x.sin_cos(); s * s * c + c }; at 0.3, -2.0;
    asin: |x| x.asin(); at 0.3, -0.7;
    acos: |x| x.acos(); at 0.3, -0.7;
    atan: |x| x.atan(); at 0.3, -2.0;
    atan2: |x| x.atan2(x * x + 0.5) + (x - 2.0).atan2(-1.0) + x.atan2(x); at 0.3, -1.2;
    sinh: |x| x.sinh(); at 0.3, -2.0;
    cosh: |x| x.cosh(); at 0.3, -2.0;
    tanh: |x| x.tanh(); at 0.3, -1.5;
    asinh: |x| x.asinh(); at 0.3, -2.0;
    acosh: |x| x.acosh(); at 1.5, 4.0;
    atanh: |x| x.atanh(); at 0.3, -0.6;
    exp: |x| x.exp(); at 0.3, -2.0;
    exp2: |x| x.exp2(); at 0.3, -2.0;
    exp_m1: |x| x.exp_m1(); at 0.3, -0.01;
    ln: |x| x.ln(); at 0.3, 20.0;
    ln_1p: |x| x.ln_1p(); at 0.3, -0.5;
    log2: |x| x.log2(); at 0.3, 20.0;
    log10: |x| x.log10(); at 0.3, 20.0;
    log: |x| x.log(3.0) + (x * x + 2.0).log(x + 1.5); at 0.3, 5.0;
    sqrt: |x| x.sqrt(); at 0.3, 20.0;
    cbrt: |x| x.cbrt(); at 0.3, -5.0;
    hypot: |x| x.hypot(x * x + 1.0); at 0.3, -2.0;
    powi: |x| x.powi(3) + x.powi(-2) + x.powi(7); at 0.7, -1.3;
    powf: |x| x.powf(2.5) + (x + 1.0).powf(x); at 0.7, 1.9;
    mul_add: |x| x.mul_add(x * 2.0, x.sin()); at 0.3, -2.0;
    abs: |x| x.abs() * x; at 0.3, -2.0;
    signum: |x| x.signum() * x; at 0.3, -2.0;
    copysign: |x| (x * x).copysign(x); at 0.3, -2.0;
    max: |x| x.max(x * x); at 0.3, 2.0;
    min: |x| x.min(x * x); at 0.3, 2.0;
    clamp: |x| (x * x).clamp(0.5, 2.0) * x; at 0.3, 1.0, 2.0;
    rounding: |x| x * (x.floor() + x.ceil() + x.round() + x.trunc() + x.round_ties_even()); at 0.3, -1.7;
    fract: |x| x.fract() * x; at 0.3, 2.6;
    rem: |x| (x * x) % 1.5; at 0.3, 2.6;
    rem_euclid: |x| (x * x).rem_euclid(1.5) + x.div_euclid(0.7) * x; at 0.3, -2.6;
    recip: |x| x.recip(); at 0.3, -2.6;
    to_radians: |x| x.to_radians() * x.to_degrees(); at 0.3;
    midpoint: |x| x.midpoint(x * x); at 0.3, -2.0;
}
