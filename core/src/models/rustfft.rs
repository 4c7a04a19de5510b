//! Plans of `rustfft`, whatever they are of inside: a plan is called for values and tangents, and [`super::fourier`] has its adjoint.
//!
//! Scratch space is none of the caller's: what a plan leaves there is not specified, and here it leaves nothing. So does the transform out of
//! place in its input.

use super::fourier::{Kind, transform};
use crate::{FloatData, custom_derivative};
use core::ptr::with_exposed_provenance;

/// How a plan is called.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Process,
    WithScratch,
    OutOfPlace,
    Immutable,
}

const WAYS: [Way; 4] = [Way::Process, Way::WithScratch, Way::OutOfPlace, Way::Immutable];

/// A plan, one of its methods, how that is called, and the length of the scratch space: integers as the bits of floats, since a rule takes
/// floats for what refers to no memory. Nothing that a plan refers to is changed or has a derivative.
#[derive(Clone, Copy)]
struct Plan([f64; 4]);

// SAFETY: floats.
unsafe impl FloatData for Plan {}

impl Plan {
    fn new(method: *const (), plan: *const (), way: Way, scratch: usize) -> Plan {
        let all = [method.expose_provenance(), plan.expose_provenance(), way as usize, scratch];
        Plan(all.map(|number| f64::from_bits(number as u64)))
    }

    fn method(self) -> *const () {
        with_exposed_provenance(self.0[0].to_bits() as usize)
    }

    fn object(self) -> *const () {
        with_exposed_provenance(self.0[1].to_bits() as usize)
    }

    fn way(self) -> Way {
        WAYS[self.0[2].to_bits() as usize % WAYS.len()]
    }

    fn scratch(self) -> usize {
        self.0[3].to_bits() as usize
    }
}

macro_rules! plans {
    (
        $module:ident, $float:ty, $process:literal, $with_scratch:literal, $out_of_place:literal, $immutable:literal
    ) => {
        mod $module {
            use super::*;

            /// A complex number as `num-complex` has it.
            type Number = [$float; 2];
            type Process = fn(*const (), &mut [Number]);
            type WithScratch = fn(*const (), &mut [Number], &mut [Number]);
            type OutOfPlace = fn(*const (), &mut [Number], &mut [Number], &mut [Number]);
            type Immutable = fn(*const (), &[Number], &mut [Number], &mut [Number]);

            /// Transforms in place, by the plan, whichever way it is called.
            ///
            /// # Safety
            /// The plan is there, and its method is what it is said to be.
            unsafe fn call(plan: Plan, values: &mut [$float]) {
                let (object, method) = (plan.object(), plan.method());
                let (values, _) = values.as_chunks_mut::<2>();
                let mut scratch: Vec<Number> = vec![[0.0; 2]; plan.scratch()];
                // SAFETY: by the function's own contract.
                unsafe {
                    match plan.way() {
                        Way::Process => core::mem::transmute::<*const (), Process>(method)(object, values),
                        Way::WithScratch => {
                            core::mem::transmute::<*const (), WithScratch>(method)(object, values, &mut scratch)
                        }
                        Way::OutOfPlace => {
                            let mut input = values.to_vec();
                            core::mem::transmute::<*const (), OutOfPlace>(method)(
                                object,
                                &mut input,
                                values,
                                &mut scratch,
                            )
                        }
                        Way::Immutable => {
                            let input = values.to_vec();
                            core::mem::transmute::<*const (), Immutable>(method)(object, &input, values, &mut scratch)
                        }
                    }
                }
            }

            #[custom_derivative(Const, Duplicated, forward = forward, reverse = (augmented, pullback))]
            fn planned(plan: Plan, values: &mut [$float]) {
                // SAFETY: the models below are called with plans.
                unsafe { call(plan, values) }
            }

            fn forward(plan: Plan, values: &mut [$float], tangent: &mut [$float]) {
                planned(plan, values);
                planned(plan, tangent);
            }

            fn augmented(plan: Plan, values: &mut [$float]) -> ((), Kind) {
                planned(plan, values);
                let mut response = vec![0.0; values.len()];
                response.get_mut(2).into_iter().for_each(|one| *one = 1.0);
                planned(plan, &mut response);
                ((), Kind::of_response(&response.iter().map(|part| f64::from(*part)).collect::<Vec<f64>>()))
            }

            fn pullback(kind: Kind, _: Plan, _: &mut [$float], adjoint: &mut [$float]) {
                let kind = kind.adjoint();
                let mut wide: Vec<f64> = adjoint.iter().map(|part| f64::from(*part)).collect();
                transform(kind.length, kind.positive, &mut wide);
                adjoint.iter_mut().zip(&wide).for_each(|(to, from)| *to = *from as $float);
            }

            #[unsafe(export_name = $process)]
            fn process(method: *const (), plan: *const (), values: &mut [Number]) {
                planned(Plan::new(method, plan, Way::Process, 0), values.as_flattened_mut());
            }

            #[unsafe(export_name = $with_scratch)]
            fn with_scratch(method: *const (), plan: *const (), values: &mut [Number], scratch: &mut [Number]) {
                let plan = Plan::new(method, plan, Way::WithScratch, scratch.len());
                planned(plan, values.as_flattened_mut());
            }

            #[unsafe(export_name = $out_of_place)]
            fn out_of_place(
                method: *const (),
                plan: *const (),
                input: &mut [Number],
                output: &mut [Number],
                scratch: &mut [Number],
            ) {
                let plan = Plan::new(method, plan, Way::OutOfPlace, scratch.len());
                output.copy_from_slice(input);
                planned(plan, output.as_flattened_mut());
            }

            #[unsafe(export_name = $immutable)]
            fn immutable(
                method: *const (),
                plan: *const (),
                input: &[Number],
                output: &mut [Number],
                scratch: &mut [Number],
            ) {
                let plan = Plan::new(method, plan, Way::Immutable, scratch.len());
                output.copy_from_slice(input);
                planned(plan, output.as_flattened_mut());
            }
        }
    };
}

plans!(
    double,
    f64,
    "__ct_model_rustfft_process_f64",
    "__ct_model_rustfft_process_with_scratch_f64",
    "__ct_model_rustfft_process_outofplace_with_scratch_f64",
    "__ct_model_rustfft_process_immutable_with_scratch_f64"
);
plans!(
    single,
    f32,
    "__ct_model_rustfft_process_f32",
    "__ct_model_rustfft_process_with_scratch_f32",
    "__ct_model_rustfft_process_outofplace_with_scratch_f32",
    "__ct_model_rustfft_process_immutable_with_scratch_f32"
);
