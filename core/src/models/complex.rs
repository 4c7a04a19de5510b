//! Complex roots. `num-complex` computes them on the axes in a way of their own, in which one part of the argument is left out: the
//! branch is right in value and, being a branch on a single line, wrong in derivative. So the functions themselves are called for the value, and
//! the derivative is that of the root, `1 / (2 * w)` or `1 / (3 * w^2)` with the result `w`. At 0 there is none: NaN.

use crate::custom_derivative;

/// A complex number as `num-complex` has it.
#[derive(Clone, Copy)]
#[repr(C)]
struct Complex<T> {
    re: T,
    im: T,
}

macro_rules! roots {
    ($module:ident, $float:ty, $sqrt:literal, $cbrt:literal) => {
        mod $module {
            use super::*;

            type Number = Complex<$float>;
            type Root = fn(Number) -> Number;

            fn times(a: Number, b: Number) -> Number {
                Number { re: a.re * b.re - a.im * b.im, im: a.re * b.im + a.im * b.re }
            }

            /// `a / b`; with `conjugated`, by the conjugate.
            fn quotient(a: Number, b: Number, conjugated: bool) -> Number {
                let square = b.re * b.re + b.im * b.im;
                let inverse = Number { re: b.re / square, im: if conjugated { b.im } else { -b.im } / square };
                times(a, inverse)
            }

            /// The value of a root, without a derivative.
            #[custom_derivative(Const, Const, Const, Const, inactive)]
            fn value(root: Root, re: $float, im: $float) -> Number {
                root(Number { re, im })
            }

            /// A root of `re + im * i`, which is `w`. The rules ask it for the root that their slope is made of, which `w` alone is not in a derivative of theirs.
            #[custom_derivative(Active, Active, Const, Const, Active, forward = root_jvp, reverse = root_vjp)]
            fn root(re: $float, im: $float, w: [$float; 2], degree: u32) -> [$float; 2] {
                let _ = (re, im, degree);
                w
            }

            /// The inverse derivative of a root that is `w`.
            fn slope(w: [$float; 2], degree: u32) -> Number {
                let w = Number { re: w[0], im: w[1] };
                let power = if degree == 2 { w } else { times(w, w) };
                Number { re: degree as $float * power.re, im: degree as $float * power.im }
            }

            fn root_jvp(
                re: $float,
                tangent_re: $float,
                im: $float,
                tangent_im: $float,
                w: [$float; 2],
                degree: u32,
            ) -> ([$float; 2], [$float; 2]) {
                let w = root(re, im, w, degree);
                let tangent = quotient(Number { re: tangent_re, im: tangent_im }, slope(w, degree), false);
                (w, [tangent.re, tangent.im])
            }

            fn root_vjp(re: $float, im: $float, w: [$float; 2], degree: u32, seed: [$float; 2]) -> ($float, $float) {
                let slope = slope(root(re, im, w, degree), degree);
                let adjoint = quotient(Number { re: seed[0], im: seed[1] }, slope, true);
                (adjoint.re, adjoint.im)
            }

            #[unsafe(export_name = $sqrt)]
            fn model_of_sqrt(function: Root, z: Number) -> Number {
                let w = value(function, z.re, z.im);
                let [re, im] = root(z.re, z.im, [w.re, w.im], 2);
                Number { re, im }
            }

            #[unsafe(export_name = $cbrt)]
            fn model_of_cbrt(function: Root, z: Number) -> Number {
                let w = value(function, z.re, z.im);
                let [re, im] = root(z.re, z.im, [w.re, w.im], 3);
                Number { re, im }
            }
        }
    };
}

roots!(double, f64, "__ct_model_complex_sqrt", "__ct_model_complex_cbrt");
roots!(single, f32, "__ct_model_complex_sqrtf", "__ct_model_complex_cbrtf");
