//! `num-complex`, whose functions are differentiated through their bodies: against the complex derivative. Points on the axes are there because
//! bodies like to branch on them.

use crate::functional;
use num_complex::Complex;

type C = Complex<f64>;

/// Holomorphic functions with their derivatives: as maps of two numbers they multiply by it forwards, and by its conjugate in reverse.
macro_rules! holo {
    ($($name:ident: |$z:ident| $body:expr, $d:expr; at $(($re:expr, $im:expr)),+;)+) => {$(
        #[test]
        fn $name() {
            #[cotangent::autodiff(fwd, Forward, Dual, Dual, Dual)]
            #[cotangent::autodiff(rev, Reverse, Active, Active, Active)]
            fn primal(x: f64, y: f64) -> [f64; 2] {
                let $z = C::new(x, y);
                let w: C = $body;
                [w.re, w.im]
            }
            for (x, y) in [$(($re, $im)),+] {
                let (x, y): (f64, f64) = (x, y);
                let $z = C::new(x, y);
                let d: C = $d;
                let w: C = $body;
                let (v, t) = fwd(x, 0.6, y, -0.8);
                testing::assert_close!(v, [w.re, w.im], 1e-13);
                let e = d * C::new(0.6, -0.8);
                testing::assert_close!(t, [e.re, e.im], 1e-11);
                let (v, a, b) = rev(x, y, [0.3, 0.9]);
                testing::assert_close!(v, [w.re, w.im], 1e-13);
                let e = d.conj() * C::new(0.3, 0.9);
                testing::assert_close!([a, b], [e.re, e.im], 1e-11);
            }
        }
    )+};
}
holo! {
    square: |z| z * z, z * 2.0; at (0.4, 0.0), (0.3, 0.7), (-1.2, 0.4);
    quotient: |z| (z + 1.0) / (z * z + C::new(0.5, 2.0)), ((z * z + C::new(0.5, 2.0)) - (z + 1.0) * z * 2.0) / (z * z + C::new(0.5, 2.0)).powi(2); at (0.4, 0.0), (0.3, 0.7), (-1.2, 0.4);
    inv: |z| z.inv(), -(z * z).inv(); at (0.4, 0.0), (0.3, 0.7), (-1.2, 0.4);
    finv: |z| z.finv(), -(z * z).inv(); at (0.4, 0.0), (0.3, 0.7), (-1.2, 0.4);
    fdiv: |z| C::new(1.0, 2.0).fdiv(z), -C::new(1.0, 2.0) / (z * z); at (0.4, 0.0), (0.3, 0.7), (-1.2, 0.4);
    exp: |z| z.exp(), z.exp(); at (0.4, 0.0), (0.3, 0.7), (-1.2, 0.4);
    exp2: |z| z.exp2(), z.exp2() * 2f64.ln(); at (0.4, 0.0), (0.3, 0.7), (-1.2, 0.4);
    ln: |z| z.ln(), z.inv(); at (0.4, 0.0), (0.3, 0.7), (-1.2, 0.4);
    log: |z| z.log(3.0), z.inv() / 3f64.ln(); at (0.4, 0.0), (0.3, 0.7), (-1.2, 0.4);
    log2: |z| z.log2(), z.inv() / 2f64.ln(); at (0.4, 0.0), (0.3, 0.7);
    log10: |z| z.log10(), z.inv() / 10f64.ln(); at (0.4, 0.0), (0.3, 0.7);
    sqrt: |z| z.sqrt(), (z.sqrt() * 2.0).inv(); at (0.4, 0.0), (0.3, 0.7), (-1.2, 0.4), (-1.2, -0.4), (2.0, 0.0);
    cbrt: |z| z.cbrt(), (z.cbrt().powi(2) * 3.0).inv(); at (0.4, 0.0), (0.3, 0.7), (-1.2, 0.4), (2.0, 0.0);
    powi: |z| z.powi(5) + z.powi(-3), z.powi(4) * 5.0 - z.powi(-4) * 3.0; at (0.4, 0.0), (0.3, 0.7), (-1.2, 0.4);
    powu: |z| z.powu(6), z.powu(5) * 6.0; at (0.4, 0.0), (0.3, 0.7), (-1.2, 0.4);
    powf: |z| z.powf(2.5), z.powf(1.5) * 2.5; at (0.4, 0.0), (0.3, 0.7), (-1.2, 0.4);
    powc: |z| z.powc(z), z.powc(z) * (z.ln() + 1.0); at (0.4, 0.0), (0.3, 0.7), (-1.2, 0.4);
    expf: |z| z.expf(2.5), z.expf(2.5) * 2.5f64.ln(); at (0.4, 0.0), (0.3, 0.7), (-1.2, 0.4);
    sin: |z| z.sin(), z.cos(); at (0.4, 0.0), (0.3, 0.7), (-1.2, 0.4);
    cos: |z| z.cos(), -z.sin(); at (0.4, 0.0), (0.3, 0.7), (-1.2, 0.4);
    tan: |z| z.tan(), z.cos().powi(-2); at (0.4, 0.0), (0.3, 0.7), (-1.2, 0.4);
    asin: |z| z.asin(), (C::new(1.0, 0.0) - z * z).sqrt().inv(); at (0.4, 0.0), (0.3, 0.7), (-1.2, 0.4);
    acos: |z| z.acos(), -(C::new(1.0, 0.0) - z * z).sqrt().inv(); at (0.4, 0.0), (0.3, 0.7), (-1.2, 0.4);
    atan: |z| z.atan(), (z * z + 1.0).inv(); at (0.4, 0.0), (0.3, 0.7), (-1.2, 0.4);
    sinh: |z| z.sinh(), z.cosh(); at (0.4, 0.0), (0.3, 0.7), (-1.2, 0.4);
    cosh: |z| z.cosh(), z.sinh(); at (0.4, 0.0), (0.3, 0.7), (-1.2, 0.4);
    tanh: |z| z.tanh(), z.cosh().powi(-2); at (0.4, 0.0), (0.3, 0.7), (-1.2, 0.4);
    asinh: |z| z.asinh(), (z * z + 1.0).sqrt().inv(); at (0.4, 0.0), (0.3, 0.7);
    acosh: |z| z.acosh(), ((z - 1.0).sqrt() * (z + 1.0).sqrt()).inv(); at (0.3, 0.7);
    atanh: |z| z.atanh(), (C::new(1.0, 0.0) - z * z).inv(); at (0.4, 0.0), (0.3, 0.7);
    unscale: |z| z.scale(3.0).unscale(2.0), C::new(1.5, 0.0); at (0.4, 0.0), (0.3, 0.7);
    sum_of_products: |z| [z, z * z, C::new(1.0, 2.0)].iter().map(|w| w * z).sum::<C>(), z * 2.0 + z * z * 3.0 + C::new(1.0, 2.0); at (0.4, 0.0), (0.3, 0.7);
    neg_assign: |z| { let mut w = -z; w *= z; w += C::i(); w -= z; w /= 2.0; w }, -z - 0.5; at (0.4, 0.0), (0.3, 0.7);
}
functional! {
    fn parts(x: &[f64]) -> f64 {
        let z = C::new(x[0], x[1]);
        let (r, t) = z.to_polar();
        z.norm() * z.arg() + z.norm_sqr() + z.l1_norm() + r * t + C::from_polar(x[0], x[1]).re * z.conj().im
    } at [0.3, 0.7], [-1.2, 0.4];
    fn spectrum(x: &[f64]) -> f64 {
        let n = x.len();
        let mut out = vec![C::new(0.0, 0.0); n];
        for (k, o) in out.iter_mut().enumerate() {
            for (j, v) in x.iter().enumerate() {
                *o += C::cis(-2.0 * std::f64::consts::PI * (k * j) as f64 / n as f64) * v;
            }
        }
        out.iter().enumerate().map(|(k, o)| o.norm_sqr() * k as f64).sum()
    } at testing::noise(3, 6);
}
#[test]
fn by_slices_of_complex() {
    #[cotangent::autodiff(fwd, Forward, Dual, Dual)]
    #[cotangent::autodiff(rev, Reverse, Duplicated, Active)]
    fn primal(z: &[C]) -> f64 {
        z.iter().fold(C::new(1.0, 0.0), |p, z| p * z).norm_sqr()
    }
    let z = [C::new(0.3, 0.7), C::new(-1.2, 0.4), C::new(0.2, 2.0)];
    let mut d = [C::new(0.0, 0.0); 3];
    let v = rev(&z, &mut d, 1.0);
    let along = [C::new(0.6, -0.8), C::new(1.5, 0.2), C::new(-0.4, 1.0)];
    let mut slope = 0.0;
    for i in 0..3 {
        let e = z[i] * (2.0 * v / z[i].norm_sqr());
        testing::assert_close!([d[i].re, d[i].im], [e.re, e.im]);
        slope += e.re * along[i].re + e.im * along[i].im;
    }
    testing::assert_close!(fwd(&z, &along), (v, slope));
}

#[test]
fn roots_in_single_precision() {
    #[cotangent::autodiff(rev, Reverse, Active, Active, Active)]
    fn primal(x: f32, y: f32) -> [f32; 2] {
        let w = Complex::new(x, y).sqrt() * Complex::new(x, y).cbrt();
        [w.re, w.im]
    }
    let z = Complex::new(2.0f32, 0.0);
    let slope = z.powf(-1.0 / 6.0) * (5.0 / 6.0);
    let (_, x, y) = rev(z.re, z.im, [0.25, 1.0]);
    testing::assert_close!([x, y], [0.25 * slope.re, slope.re], 1e-5);
}

#[test]
fn roots_have_second_derivatives() {
    use cotangent::{hvp, jvp};
    let weight = C::new(0.3, 0.9);
    let f = |x: &[f64]| {
        let z = C::new(x[0], x[1]);
        (weight * (z.sqrt() + z.cbrt() * 2.0)).re
    };
    let along = [0.6, -0.8];
    for at in [[2.0, 0.0], [0.3, 0.7], [-1.2, 0.4]] {
        let z = C::new(at[0], at[1]);
        let second = weight * (z.powf(-1.5) * -0.25 - z.powf(-5.0 / 3.0) * (4.0 / 9.0)) * C::new(along[0], along[1]);
        let expected = [second.re, (second * C::i()).re];
        testing::assert_close!(hvp(f, &at, &along), expected, 1e-11);
        let slope = expected[0] * along[0] + expected[1] * along[1];
        testing::assert_close!(jvp(|x: &[f64]| jvp(f, x, &along).1, &at, &along).1, slope, 1e-11);
    }
}
