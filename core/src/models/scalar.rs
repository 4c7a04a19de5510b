//! Functions of floats that have more than one result: `sincos`, `modf`, `frexp`, `remquo`, `lgamma_r`.
//!
//! The parts that are integers carry no derivative and come from the function itself, called for them alone. Names end in
//! `_c` where results are written through pointers, as in C, and in `_rs` where they are returned, as by the `libm` crate.

use crate::custom_derivative;
use core::ffi::c_int;

/// C's functions, which have rules of their own.
mod c {
    use core::ffi::c_int;
    unsafe extern "C" {
        pub safe fn remainder(x: f64, y: f64) -> f64;
        pub safe fn remainderf(x: f32, y: f32) -> f32;
        pub safe fn ldexp(x: f64, n: c_int) -> f64;
        pub safe fn ldexpf(x: f32, n: c_int) -> f32;
        pub safe fn lgamma(x: f64) -> f64;
        pub safe fn lgammaf(x: f32) -> f32;
    }
}

/// The models of one float type.
macro_rules! models {
    (
        $float:ty, $module:ident, $remainder:ident, $ldexp:ident, $lgamma:ident,
        $sincos_c:literal, $sincos_rs:literal, $modf_c:literal, $modf_rs:literal, $frexp_c:literal, $frexp_rs:literal,
        $remquo_c:literal, $remquo_rs:literal, $lgamma_rs:literal
    ) => {
        mod $module {
            use super::*;

            type Split = fn($float) -> ($float, i32);
            type SplitC = unsafe extern "C" fn($float, *mut c_int) -> $float;
            type Divide = fn($float, $float) -> ($float, i32);
            type DivideC = unsafe extern "C" fn($float, $float, *mut c_int) -> $float;

            /// The integer that the function gives, without a derivative.
            #[custom_derivative(Const, Const, Const, inactive)]
            fn integer(split: Split, x: $float) -> i32 {
                split(x).1
            }

            #[custom_derivative(Const, Const, Const, inactive)]
            fn integer_c(split: SplitC, x: $float) -> i32 {
                let mut n = 0;
                // SAFETY: a C function of this type writes an integer.
                unsafe { split(x, &mut n) };
                n
            }

            #[custom_derivative(Const, Const, Const, Const, inactive)]
            fn quotient(divide: Divide, x: $float, y: $float) -> i32 {
                divide(x, y).1
            }

            #[custom_derivative(Const, Const, Const, Const, inactive)]
            fn quotient_c(divide: DivideC, x: $float, y: $float) -> i32 {
                let mut n = 0;
                // SAFETY: a C function of this type writes an integer.
                unsafe { divide(x, y, &mut n) };
                n
            }

            fn whole_and_rest(x: $float) -> ($float, $float) {
                let whole = x.trunc();
                if x.is_infinite() {
                    return (<$float>::copysign(0.0, x), whole);
                }
                // In this order a zero has the sign of `x`.
                (if x.is_sign_negative() { -(whole - x) } else { x - whole }, whole)
            }

            fn mantissa(x: $float, exponent: i32) -> $float {
                if x == 0.0 || !x.is_finite() { x } else { c::$ldexp(x, -exponent) }
            }

            #[unsafe(export_name = $sincos_c)]
            unsafe extern "C" fn sincos_c(_: *const (), x: $float, sin: *mut $float, cos: *mut $float) {
                // SAFETY: as the function that it stands for is called.
                unsafe {
                    *sin = x.sin();
                    *cos = x.cos();
                }
            }

            #[unsafe(export_name = $sincos_rs)]
            fn sincos_rs(_: *const (), x: $float) -> ($float, $float) {
                (x.sin(), x.cos())
            }

            #[unsafe(export_name = $modf_c)]
            unsafe extern "C" fn modf_c(_: *const (), x: $float, whole: *mut $float) -> $float {
                let parts = whole_and_rest(x);
                // SAFETY: as the function that it stands for is called.
                unsafe { *whole = parts.1 };
                parts.0
            }

            #[unsafe(export_name = $modf_rs)]
            fn modf_rs(_: *const (), x: $float) -> ($float, $float) {
                whole_and_rest(x)
            }

            #[unsafe(export_name = $frexp_c)]
            unsafe extern "C" fn frexp_c(function: SplitC, x: $float, exponent: *mut c_int) -> $float {
                let n = integer_c(function, x);
                // SAFETY: as the function that it stands for is called.
                unsafe { *exponent = n };
                mantissa(x, n)
            }

            #[unsafe(export_name = $frexp_rs)]
            fn frexp_rs(function: Split, x: $float) -> ($float, i32) {
                let n = integer(function, x);
                (mantissa(x, n), n)
            }

            #[unsafe(export_name = $remquo_c)]
            unsafe extern "C" fn remquo_c(function: DivideC, x: $float, y: $float, quotient: *mut c_int) -> $float {
                // SAFETY: as the function that it stands for is called.
                unsafe { *quotient = quotient_c(function, x, y) };
                c::$remainder(x, y)
            }

            #[unsafe(export_name = $remquo_rs)]
            fn remquo_rs(function: Divide, x: $float, y: $float) -> ($float, i32) {
                (c::$remainder(x, y), quotient(function, x, y))
            }

            #[unsafe(export_name = $lgamma_rs)]
            fn lgamma_rs(function: Split, x: $float) -> ($float, i32) {
                (c::$lgamma(x), integer(function, x))
            }
        }
    };
}

models!(
    f64,
    double,
    remainder,
    ldexp,
    lgamma,
    "__ct_model_sincos_c",
    "__ct_model_sincos_rs",
    "__ct_model_modf_c",
    "__ct_model_modf_rs",
    "__ct_model_frexp_c",
    "__ct_model_frexp_rs",
    "__ct_model_remquo_c",
    "__ct_model_remquo_rs",
    "__ct_model_lgamma_rs"
);
models!(
    f32,
    single,
    remainderf,
    ldexpf,
    lgammaf,
    "__ct_model_sincosf_c",
    "__ct_model_sincosf_rs",
    "__ct_model_modff_c",
    "__ct_model_modff_rs",
    "__ct_model_frexpf_c",
    "__ct_model_frexpf_rs",
    "__ct_model_remquof_c",
    "__ct_model_remquof_rs",
    "__ct_model_lgammaf_rs"
);
