//! Fourier transforms of `rustfft`. Its plans are called through pointers, and with vector instructions there are more of them than a table
//! would hold; all have one model, by which a plan made inside of the function is not needed any more when the adjoint is due.

use super::{functional, in_place, noise};
use rustfft::algorithm::{Dft, Radix4};
use rustfft::num_complex::Complex;
use rustfft::{Fft, FftDirection, FftNum, FftPlanner};
use std::sync::Arc;

/// Some length of each sort: powers of two and of three, products, primes that are small and large.
const LENGTHS: [usize; 9] = [1, 2, 3, 8, 12, 27, 37, 64, 97];

fn numbers<T: FftNum>(x: &[T]) -> Vec<Complex<T>> {
    x.iter().map(|v| Complex::new(*v, *v * *v)).collect()
}

fn weighted(z: &[Complex<f64>]) -> f64 {
    z.iter().enumerate().map(|(i, z)| z.re * z.re * (i as f64 + 1.0) + z.im).sum()
}

functional! {
    fn by_a_plan_made_on_the_way(x: &[f64]) -> f64 {
        let mut z = numbers(x);
        let mut planner = FftPlanner::new();
        planner.plan_fft_forward(z.len()).process(&mut z);
        z.iter_mut().enumerate().for_each(|(i, z)| *z = *z * *z * i as f64);
        planner.plan_fft_inverse(z.len()).process(&mut z);
        weighted(&z)
    } at noise(1, 6), noise(1, 7);
    fn in_single_precision(x: &[f32]) -> f32 {
        let mut z = numbers(x);
        FftPlanner::new().plan_fft_inverse(3).process(&mut z);
        z.iter().enumerate().map(|(i, z)| z.re * z.im * i as f32).sum()
    } at [0.3, 0.5, -0.7, 0.9, 1.1, 0.2];
    fn several_transforms_of_one_buffer(x: &[f64]) -> f64 {
        let mut z = numbers(x);
        FftPlanner::new().plan_fft_forward(4).process(&mut z);
        weighted(&z)
    } at noise(1, 12);
    fn by_plans_that_are_named(x: &[f64]) -> f64 {
        let (mut z, mut w) = (numbers(x), numbers(x));
        Radix4::new(16, FftDirection::Inverse).process(&mut z);
        Dft::new(8, FftDirection::Forward).process(&mut w);
        weighted(&z) * weighted(&w)
    } at noise(1, 16);
    fn one_transform_after_another_of_a_part(x: &[f64]) -> f64 {
        let mut z = numbers(x);
        let plan = FftPlanner::new().plan_fft_forward(3);
        for start in 0..z.len() - 2 {
            plan.process(&mut z[start..start + 3]);
            z[start] *= 0.5;
        }
        weighted(&z)
    } at noise(1, 7);
}

in_place! {
    fn the_parts_of_a_buffer_of_floats(x: &mut [f64]) {
        let mut z: Vec<Complex<f64>> = x.chunks(2).map(|z| Complex::new(z[0], z[1])).collect();
        FftPlanner::new().plan_fft_forward(5).process(&mut z);
        x.chunks_mut(2).zip(&z).for_each(|(part, z)| part.copy_from_slice(&[z.re, z.im]));
    } at noise(1, 10);
}

/// The ways to call a plan.
#[derive(Clone, Copy)]
enum Way {
    Process,
    WithScratch,
    OutOfPlace,
    Immutable,
}

fn call<T: FftNum>(way: Way, plan: &dyn Fft<T>, z: &mut [Complex<T>]) {
    match way {
        Way::Process => plan.process(z),
        Way::WithScratch => plan.process_with_scratch(z, &mut room(plan.get_inplace_scratch_len())),
        Way::OutOfPlace => {
            let mut out = room(z.len());
            plan.process_outofplace_with_scratch(z, &mut out, &mut room(plan.get_outofplace_scratch_len()));
            z.copy_from_slice(&out);
        }
        Way::Immutable => {
            let mut out = room(z.len());
            plan.process_immutable_with_scratch(z, &mut out, &mut room(plan.get_immutable_scratch_len()));
            z.copy_from_slice(&out);
        }
    }
}

fn room<T: FftNum>(length: usize) -> Vec<Complex<T>> {
    vec![Complex::new(T::zero(), T::zero()); length]
}

struct Spectrum {
    plan: Arc<dyn Fft<f64>>,
}

impl Spectrum {
    fn power(&self, x: &[f64], way: Way) -> f64 {
        let mut z = numbers(x);
        call(way, &*self.plan, &mut z);
        weighted(&z)
    }
}

#[test]
fn plans_of_every_length_by_every_method() {
    for length in LENGTHS {
        for forward in [false, true] {
            let direction = if forward { FftDirection::Forward } else { FftDirection::Inverse };
            let spectrum = Spectrum { plan: FftPlanner::new().plan_fft(length, direction) };
            let (x, direction) = (noise(1, length), noise(2, length));
            let expected = testing::differences::along(|x| vec![spectrum.power(x, Way::Process)], &x, &direction)[0];
            for way in [Way::Process, Way::WithScratch, Way::OutOfPlace, Way::Immutable] {
                let g = cotangent::gradient(|x: &[f64]| spectrum.power(x, way), &x);
                let (_, tangent) = cotangent::jvp(|x: &[f64]| spectrum.power(x, way), &x, &direction);
                testing::assert_close!(testing::dot(&g, &direction), tangent, 1e-11);
                testing::assert_close!(tangent, expected, 1e-6);
            }
        }
    }
}

#[test]
fn second_derivatives() {
    let f = |x: &[f64]| {
        let mut z = numbers(x);
        FftPlanner::new().plan_fft_forward(z.len()).process(&mut z);
        weighted(&z)
    };
    for length in [4, 6] {
        let (x, direction) = (noise(3, length), noise(4, length));
        let found = cotangent::hvp(f, &x, &direction);
        let expected = testing::differences::along(|x| cotangent::gradient(f, x), &x, &direction);
        testing::assert_close!(found, expected, 1e-7);
    }
}

#[test]
fn lengths_that_do_not_fit_panic_as_they_do_without_a_derivative() {
    let f = |x: &[f64]| {
        let mut z = numbers(x);
        FftPlanner::new().plan_fft_forward(4).process(&mut z);
        weighted(&z)
    };
    let run = |derivative: bool| {
        let run =
            std::panic::catch_unwind(|| if derivative { cotangent::gradient(f, &[0.5; 6])[0] } else { f(&[0.5; 6]) });
        *run.expect_err("six is no multiple of four").downcast::<String>().expect("a message")
    };
    assert_eq!(run(true), run(false));
}
