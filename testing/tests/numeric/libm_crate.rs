//! Every function of the `libm` crate, whose own bodies are tricks with bits, and of C's library what has more than one result: against
//! differences, in both modes and both widths.

use crate::scalar;

macro_rules! both {
    ($($name:ident: |$x:ident| $double:expr, $single:expr; at $($point:expr),+;)+) => {
        mod f64 {
            use super::scalar;
            $(scalar! { fn $name($x: f64) -> f64 { $double } at $($point),+; })+
        }
        mod f32 {
            use super::scalar;
            $(scalar! { fn $name($x: f32) -> f32 { $single } at $($point),+; })+
        }
    };
}
both! {
    acos: |x| libm::acos(x), libm::acosf(x); at 0.3, -0.7;
    acosh: |x| libm::acosh(x), libm::acoshf(x); at 1.5, 4.0;
    asin: |x| libm::asin(x), libm::asinf(x); at 0.3, -0.7;
    asinh: |x| libm::asinh(x), libm::asinhf(x); at 0.3, -2.0;
    atan: |x| libm::atan(x), libm::atanf(x); at 0.3, -2.0;
    atan2: |x| libm::atan2(x, x * x + 0.5), libm::atan2f(x, x * x + 0.5); at 0.3, -2.0;
    atanh: |x| libm::atanh(x), libm::atanhf(x); at 0.3, -0.6;
    cbrt: |x| libm::cbrt(x), libm::cbrtf(x); at 0.3, -5.0;
    ceil: |x| x * libm::ceil(x), x * libm::ceilf(x); at 0.3, -1.7;
    copysign: |x| libm::copysign(x * x, x), libm::copysignf(x * x, x); at 0.3, -2.0;
    cos: |x| libm::cos(x), libm::cosf(x); at 0.3, -2.0;
    cosh: |x| libm::cosh(x), libm::coshf(x); at 0.3, -2.0;
    erf: |x| libm::erf(x), libm::erff(x); at 0.3, -1.2;
    erfc: |x| libm::erfc(x), libm::erfcf(x); at 0.3, -1.2;
    exp: |x| libm::exp(x), libm::expf(x); at 0.3, -1.2;
    exp2: |x| libm::exp2(x), libm::exp2f(x); at 0.3, -1.2;
    exp10: |x| libm::exp10(x), libm::exp10f(x); at 0.3, -1.2;
    expm1: |x| libm::expm1(x), libm::expm1f(x); at 0.3, -1.2;
    fabs: |x| x * libm::fabs(x), x * libm::fabsf(x); at 0.3, -1.2;
    fdim: |x| libm::fdim(x * x, x), libm::fdimf(x * x, x); at 0.3, -1.2, 2.5;
    floor: |x| x * libm::floor(x), x * libm::floorf(x); at 0.3, -1.7;
    fma: |x| libm::fma(x, x * x, x + 1.0), libm::fmaf(x, x * x, x + 1.0); at 0.3, -1.7;
    fmax: |x| libm::fmax(x, x * x), libm::fmaxf(x, x * x); at 0.3, -1.7;
    fmin: |x| libm::fmin(x, x * x), libm::fminf(x, x * x); at 0.3, -1.7;
    fmod: |x| libm::fmod(x * x, 1.5) * x, libm::fmodf(x * x, 1.5) * x; at 0.3, 2.6;
    frexp: |x| { let (m, e) = libm::frexp(x * x); m * m + e as f64 * x }, { let (m, e) = libm::frexpf(x * x); m * m + e as f32 * x }; at 0.3, 2.5;
    hypot: |x| libm::hypot(x, x * x + 1.0), libm::hypotf(x, x * x + 1.0); at 0.3, -2.0;
    ilogb: |x| x * libm::ilogb(x * x) as f64, x * libm::ilogbf(x * x) as f32; at 0.3, 2.5;
    j0: |x| libm::j0(x), libm::j0f(x); at 0.3, 4.6;
    j1: |x| libm::j1(x), libm::j1f(x); at 0.3, 4.6;
    jn: |x| libm::jn(3, x), libm::jnf(3, x); at 0.9, 4.6;
    ldexp: |x| libm::ldexp(x * x, 3), libm::ldexpf(x * x, 3); at 0.9, 4.6;
    lgamma: |x| libm::lgamma(x), libm::lgammaf(x); at 0.9, 4.6;
    lgamma_r: |x| { let (v, s) = libm::lgamma_r(x); v * x * s as f64 }, { let (v, s) = libm::lgammaf_r(x); v * x * s as f32 }; at 0.9, 4.6;
    log: |x| libm::log(x), libm::logf(x); at 0.9, 4.6;
    log10: |x| libm::log10(x), libm::log10f(x); at 0.9, 4.6;
    log1p: |x| libm::log1p(x), libm::log1pf(x); at 0.9, -0.5;
    log2: |x| libm::log2(x), libm::log2f(x); at 0.9, 4.6;
    modf: |x| { let (f, i) = libm::modf(x * x); f * x + i * i * x }, { let (f, i) = libm::modff(x * x); f * x + i * i * x }; at 0.9, 2.35;
    nextafter: |x| libm::nextafter(x * x, 9.0) * x, libm::nextafterf(x * x, 9.0) * x; at 0.9, 1.6;
    pow: |x| libm::pow(x, 2.5) + libm::pow(x + 1.0, x), libm::powf(x, 2.5) + libm::powf(x + 1.0, x); at 0.9, 1.6;
    remainder: |x| libm::remainder(x * x, 1.5) * x, libm::remainderf(x * x, 1.5) * x; at 0.3, 2.5;
    remquo: |x| { let (r, q) = libm::remquo(x * x, 1.5); r * x + q as f64 * x }, { let (r, q) = libm::remquof(x * x, 1.5); r * x + q as f32 * x }; at 0.3, 2.5;
    rint: |x| x * libm::rint(x), x * libm::rintf(x); at 0.3, -1.7;
    round: |x| x * libm::round(x), x * libm::roundf(x); at 0.3, -1.7;
    roundeven: |x| x * libm::roundeven(x), x * libm::roundevenf(x); at 0.3, -1.7;
    scalbn: |x| libm::scalbn(x * x, -2), libm::scalbnf(x * x, -2); at 0.3, -1.7;
    sin: |x| libm::sin(x), libm::sinf(x); at 0.3, -1.7;
    sincos: |x| { let (s, c) = libm::sincos(x); s * s * c + c }, { let (s, c) = libm::sincosf(x); s * s * c + c }; at 0.3, -1.7;
    sinh: |x| libm::sinh(x), libm::sinhf(x); at 0.3, -1.7;
    sqrt: |x| libm::sqrt(x), libm::sqrtf(x); at 0.3, 17.0;
    tan: |x| libm::tan(x), libm::tanf(x); at 0.3, -1.1;
    tanh: |x| libm::tanh(x), libm::tanhf(x); at 0.3, -1.1;
    tgamma: |x| libm::tgamma(x), libm::tgammaf(x); at 0.9, 3.1, -1.5;
    trunc: |x| x * libm::trunc(x), x * libm::truncf(x); at 0.3, -1.7;
    y0: |x| libm::y0(x), libm::y0f(x); at 0.9, 4.6;
    y1: |x| libm::y1(x), libm::y1f(x); at 0.9, 4.6;
    yn: |x| libm::yn(3, x), libm::ynf(3, x); at 0.9, 4.6;
}

/// Results through pointers, as in C.
mod through_pointers {
    use super::scalar;
    use std::ffi::c_int;

    unsafe extern "C" {
        fn sincos(x: f64, sin: *mut f64, cos: *mut f64);
        fn modf(x: f64, whole: *mut f64) -> f64;
        fn frexpf(x: f32, exponent: *mut c_int) -> f32;
        fn remquo(x: f64, y: f64, quotient: *mut c_int) -> f64;
        fn lgammaf_r(x: f32, sign: *mut c_int) -> f32;
        fn nextafter(x: f64, y: f64) -> f64;
    }

    scalar! {
        fn sine_and_cosine(x: f64) -> f64 {
            let (mut s, mut c) = (0.0, 0.0);
            unsafe { sincos(x * x, &mut s, &mut c) };
            s * c + s
        } at 0.3, -1.7;
        fn whole_and_rest(x: f64) -> f64 {
            let mut whole = 0.0;
            let rest = unsafe { modf(x * x * x, &mut whole) };
            rest * x + whole * whole * x
        } at 1.3, -1.7;
        fn remainder_and_quotient(x: f64) -> f64 {
            let mut quotient = 0;
            let rest = unsafe { remquo(x * x, x + 0.5, &mut quotient) };
            rest * x + f64::from(quotient) * x
        } at 1.3, 7.7;
        fn neighbours(x: f64) -> f64 { unsafe { nextafter(x * x, x) * x } } at 1.3, -7.7;
    }
    scalar! {
        fn mantissa(x: f32) -> f32 {
            let mut exponent = 0;
            let mantissa = unsafe { frexpf(x * x, &mut exponent) };
            mantissa * mantissa + x * exponent as f32
        } at 1.3, -7.7;
        fn gamma_and_its_sign(x: f32) -> f32 {
            let mut sign = 0;
            let value = unsafe { lgammaf_r(x, &mut sign) };
            value * x * sign as f32
        } at 1.3, -1.3;
    }
}

/// C's functions that Rust has no method for.
mod of_c {
    macro_rules! of_c {
        ($($name:ident, $single:ident($($param:ident: $kind:ty),*) at $($point:expr),+;)+) => {
            mod double {
                use crate::scalar;

                mod c {
                    use std::ffi::c_int;
                    unsafe extern "C" { $(pub fn $name($($param: $kind,)* x: f64) -> f64;)+ }
                }
                scalar! { $(fn $name(x: f64) -> f64 { unsafe { c::$name($(of_c!($param),)* x) } } at $($point),+;)+ }
            }
            mod single {
                use crate::scalar;

                mod c {
                    use std::ffi::c_int;
                    unsafe extern "C" { $(pub fn $single($($param: $kind,)* x: f32) -> f32;)+ }
                }
                scalar! { $(fn $name(x: f32) -> f32 { unsafe { c::$single($(of_c!($param),)* x) } } at $($point),+;)+ }
            }
        };
        (order) => {
            3
        };
    }
    of_c! {
        erf, erff() at 0.3, -1.2;
        erfc, erfcf() at 0.3, -1.2;
        tgamma, tgammaf() at 0.9, 3.1, -1.5;
        lgamma, lgammaf() at 0.9, 4.6;
        j0, j0f() at 0.3, 4.6;
        j1, j1f() at 0.3, 4.6;
        jn, jnf(order: c_int) at 0.9, 4.6;
        y0, y0f() at 0.9, 4.6;
        y1, y1f() at 0.9, 4.6;
        yn, ynf(order: c_int) at 0.9, 4.6;
        exp10, exp10f() at 0.3, -1.2;
    }
}

/// What stands in the place of a function in a derivative gives its values, at the ends of its domain too.
#[test]
fn values_at_the_ends() {
    fn same(f: fn(f64) -> (f64, f64), d: fn(f64, f64) -> ((f64, f64), f64)) {
        for x in [0.0, -0.0, 1.0, -1.0, -2.5, 1e300, 5e-324, f64::INFINITY, f64::NEG_INFINITY] {
            let ((a, b), (c, e)) = (d(x, 1.0).0, f(x));
            assert_eq!((a.to_bits(), b.to_bits()), (c.to_bits(), e.to_bits()), "at {x}");
        }
    }
    #[cotangent::autodiff(d_modf, Reverse, Active, Active)]
    fn modf(x: f64) -> (f64, f64) {
        libm::modf(x)
    }
    #[cotangent::autodiff(d_frexp, Reverse, Active, Active)]
    fn frexp(x: f64) -> (f64, f64) {
        let (mantissa, exponent) = libm::frexp(x);
        (mantissa, f64::from(exponent))
    }
    same(modf, |x, _| d_modf(x, (1.0, 0.0)));
    same(frexp, |x, _| d_frexp(x, (1.0, 0.0)));
    assert_eq!(d_modf(3.0, (1.0, 1.0)).1, 1.0);
    assert_eq!(d_frexp(3.0, (1.0, 1.0)).1, 0.25);
}
