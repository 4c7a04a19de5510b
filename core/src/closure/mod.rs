//! Derivatives of closures and functions that have no attribute.
//!
//! Each function here is a shim: it puts the operands of one request together and calls a marker, whose thunk calls the
//! closure. The closure itself is the first parameter of every request, constant, behind a reference, so what it captures is
//! constant too. A request is a constant per float type; it has no place in a source file, since one constant serves all
//! callers, and the driver takes the place of the closure's body instead.

/// The call of a forward request: the closure, the input and the output, each of the two with the tangents of the lanes and its length.
macro_rules! swept {
    ($thunk:expr, $request:expr, $f:expr, $x:ident, $directions:ident, $out:ident, $products:ident; $($lane:literal)+) => {
        $crate::__private::__ct_forward(
            $thunk as *const (),
            $request,
            &raw const *$f,
            $x.as_ptr(),
            $($directions[$lane].as_ptr(),)+
            $x.len(),
            $out.as_mut_ptr(),
            $($products[$lane].as_mut_ptr(),)+
            $out.len(),
        )
    };
}

mod gradient;
mod jacobian;
mod scalar;
mod second;

pub use gradient::{gradient, jvp, value_and_gradient, vjp};
pub use jacobian::jacobian;
pub use scalar::derivative;
pub use second::{hessian, hvp};

pub(crate) use jacobian::{pulled_back, pushed_forward};
pub(crate) use second::gradient_products;

use crate::FloatData;

/// The direction, in memory of its own: one that is the point itself would be taken for constant memory, which is told by that.
fn apart<'a, T: Real>(x: &[T], direction: &'a [T], room: &'a mut Vec<T>) -> &'a [T] {
    if x.as_ptr() != direction.as_ptr() {
        return direction;
    }
    room.extend_from_slice(direction);
    room
}

/// Tangents that [`jacobian`] and [`hessian`] carry in one forward sweep, where more than one is left.
pub(crate) const WIDTH: usize = 4;

/// The float types that the closure functions work in: `f32` and `f64`.
pub trait Real: FloatData + sealed::Requests + Default {}

impl Real for f32 {}
impl Real for f64 {}

pub(crate) mod sealed {
    /// Numbers, and the text of each request, for one width of floats.
    pub trait Requests: Sized {
        const ONE: Self;
        const NAN: Self;
        /// What rounding may change in a sum of products, relative to its terms.
        const TOLERANCE: f64;
        fn from_f64(number: f64) -> Self;
        fn to_f64(self) -> f64;
        const DERIVATIVE: *const u8;
        const GRADIENT: *const u8;
        const VALUE_AND_GRADIENT: *const u8;
        const JVP: *const u8;
        const VJP: *const u8;
        const JACOBIAN_COLUMN: *const u8;
        const JACOBIAN_COLUMNS: *const u8;
        const JACOBIAN_ROW: *const u8;
        const HVP: *const u8;
        const HESSIAN_ROWS: *const u8;
    }
}

/// `ct1|mode|width|name|no file|line 0|column 0|params`, the contract's text form.
macro_rules! request {
    ($mode:literal, $width:literal, $name:literal, $($param:expr),+) => {
        concat!("ct1|", $mode, "|", $width, "|", $name, "||0|0|rc", $(",", $param),+, "\0").as_ptr()
    };
}

macro_rules! requests {
    ($float:ty, $w:literal, $tolerance:literal) => {
        impl sealed::Requests for $float {
            const ONE: $float = 1.0;
            const NAN: $float = <$float>::NAN;
            const TOLERANCE: f64 = $tolerance;
            fn from_f64(number: f64) -> $float {
                number as $float
            }
            fn to_f64(self) -> f64 {
                f64::from(self)
            }
            const DERIVATIVE: *const u8 = request!("forward", 1, "derivative", concat!("vd", $w), concat!("on", $w));
            const GRADIENT: *const u8 = request!("reverse", 1, "gradient", concat!("sd", $w), concat!("on", $w));
            const VALUE_AND_GRADIENT: *const u8 =
                request!("reverse", 1, "value_and_gradient", concat!("sd", $w), concat!("od", $w));
            const JVP: *const u8 = request!("forward", 1, "jvp", concat!("sd", $w), concat!("od", $w));
            const VJP: *const u8 = request!("reverse", 1, "vjp", concat!("sd", $w), concat!("tn", $w));
            const JACOBIAN_COLUMN: *const u8 = request!("forward", 1, "jacobian", concat!("sd", $w), concat!("tn", $w));
            const JACOBIAN_COLUMNS: *const u8 =
                request!("forward", 4, "jacobian", concat!("sd", $w), concat!("tn", $w));
            const JACOBIAN_ROW: *const u8 = request!("reverse", 1, "jacobian", concat!("sd", $w), concat!("tn", $w));
            const HVP: *const u8 = request!("forward", 1, "hvp", concat!("sd", $w), concat!("tn", $w));
            const HESSIAN_ROWS: *const u8 = request!("forward", 4, "hessian", concat!("sd", $w), concat!("tn", $w));
        }
    };
}
requests!(f32, "4", 1e-3);
requests!(f64, "8", 1e-10);

#[cfg(test)]
mod tests {
    use super::{WIDTH, sealed::Requests};
    use cotangent_contract::{Activity, Kind, Mode, Request};
    use std::ffi::CStr;

    fn parse(text: *const u8) -> Request {
        // SAFETY: every request is a NUL-terminated constant.
        Request::parse(unsafe { CStr::from_ptr(text.cast()) }.to_str().unwrap()).unwrap()
    }

    fn all<T: Requests>() -> [Request; 10] {
        [
            T::DERIVATIVE,
            T::GRADIENT,
            T::VALUE_AND_GRADIENT,
            T::JVP,
            T::VJP,
            T::JACOBIAN_COLUMN,
            T::JACOBIAN_COLUMNS,
            T::JACOBIAN_ROW,
            T::HVP,
            T::HESSIAN_ROWS,
        ]
        .map(parse)
    }

    #[test]
    fn every_request_is_in_the_contract_and_has_the_closure_as_a_constant_first() {
        for (requests, floats) in [(all::<f32>(), 4), (all::<f64>(), 8)] {
            for request in requests {
                let [closure, rest @ ..] = &request.params[..] else { panic!("{request} has no parameters") };
                assert_eq!((closure.kind, closure.activity), (Kind::Ref, Activity::Const), "{request}");
                assert_eq!(rest.len(), 2, "{request}");
                assert!(rest.iter().all(|p| p.activity != Activity::Const && p.floats == floats), "{request}");
            }
        }
    }

    #[test]
    fn widths_and_modes_are_those_the_shims_call_with() {
        let columns = parse(f64::JACOBIAN_COLUMNS);
        assert_eq!((columns.mode, columns.width as usize), (Mode::Forward, WIDTH));
        let rows = parse(f64::HESSIAN_ROWS);
        assert_eq!((rows.mode, rows.width as usize), (Mode::Forward, WIDTH));
        for reverse in [f64::GRADIENT, f64::VALUE_AND_GRADIENT, f64::VJP, f64::JACOBIAN_ROW].map(parse) {
            assert_eq!((reverse.mode, reverse.width), (Mode::Reverse, 1), "{reverse}");
        }
    }
}
