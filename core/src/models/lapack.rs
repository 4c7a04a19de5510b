//! LAPACK's routines on factors: `potrf`, `potrs`, `posv`, `trtrs`, as Fortran has them.

use super::abi::capital;
use super::level3::{matrix, triangle, triangular_solution};
use super::real::Real;
use super::view::View;
use core::ffi::c_char;

/// # Safety
/// As in LAPACK.
unsafe fn potrf<T: Real>(half: u8, n: isize, a: View<T>) -> i32 {
    // The upper factor is the transposed lower one.
    let a = if half == b'L' { a } else { a.transposed() };
    let n = n.max(0);
    let mut factor = vec![T::ZERO; n.unsigned_abs() * n.unsigned_abs()];
    let to = View::of(factor.as_mut_ptr(), 1, n);
    for column in 0..n {
        for row in triangle(b'L', column, n) {
            // SAFETY: by the function's own contract; the places are in the vector.
            unsafe { *to.at(row, column) = *a.at(row, column) };
        }
    }
    let info = T::cholesky(n.unsigned_abs(), &mut factor);
    for column in 0..n {
        for row in triangle(b'L', column, n) {
            // SAFETY: by the function's own contract; the places are in the vector.
            unsafe { *a.at(row, column) = *to.at(row, column) };
        }
    }
    info as i32
}

/// # Safety
/// As in LAPACK.
unsafe fn potrs<T: Real>(half: u8, sizes: [isize; 2], a: View<T>, b: View<T>) {
    let (first, second) = if half == b'L' { (b'N', b'T') } else { (b'T', b'N') };
    // SAFETY: by the function's own contract.
    unsafe {
        triangular_solution(half, first, b'N', sizes, T::ONE, a, b);
        triangular_solution(half, second, b'N', sizes, T::ONE, a, b);
    }
}

macro_rules! entries {
    ($module:ident, $float:ty, $potrf:literal, $potrs:literal, $posv:literal, $trtrs:literal) => {
        #[allow(clippy::too_many_arguments, reason = "as in LAPACK")]
        mod $module {
            use super::*;

            #[unsafe(export_name = $potrf)]
            unsafe extern "C" fn potrf(
                _: *const (),
                half: *const c_char,
                n: *const i32,
                a: *mut $float,
                ld_a: *const i32,
                info: *mut i32,
            ) {
                // SAFETY: as the routine that it stands for is called.
                unsafe { *info = super::potrf(capital(half), *n as isize, matrix(false, a, *ld_a as isize)) };
            }

            #[unsafe(export_name = $potrs)]
            unsafe extern "C" fn potrs(
                _: *const (),
                half: *const c_char,
                n: *const i32,
                columns: *const i32,
                a: *const $float,
                ld_a: *const i32,
                b: *mut $float,
                ld_b: *const i32,
                info: *mut i32,
            ) {
                // SAFETY: as the routine that it stands for is called.
                unsafe {
                    let (a, b) = (matrix(false, a, *ld_a as isize), matrix(false, b, *ld_b as isize));
                    super::potrs(capital(half), [*n as isize, *columns as isize], a, b);
                    *info = 0;
                }
            }

            #[unsafe(export_name = $posv)]
            unsafe extern "C" fn posv(
                _: *const (),
                half: *const c_char,
                n: *const i32,
                columns: *const i32,
                a: *mut $float,
                ld_a: *const i32,
                b: *mut $float,
                ld_b: *const i32,
                info: *mut i32,
            ) {
                // SAFETY: as the routine that it stands for is called.
                unsafe {
                    let (a, b) = (matrix(false, a, *ld_a as isize), matrix(false, b, *ld_b as isize));
                    *info = super::potrf(capital(half), *n as isize, a);
                    if *info == 0 {
                        super::potrs(capital(half), [*n as isize, *columns as isize], a, b);
                    }
                }
            }

            #[unsafe(export_name = $trtrs)]
            unsafe extern "C" fn trtrs(
                _: *const (),
                half: *const c_char,
                trans: *const c_char,
                diagonal: *const c_char,
                n: *const i32,
                columns: *const i32,
                a: *const $float,
                ld_a: *const i32,
                b: *mut $float,
                ld_b: *const i32,
                info: *mut i32,
            ) {
                // SAFETY: as the routine that it stands for is called.
                unsafe {
                    let (a, b) = (matrix(false, a, *ld_a as isize), matrix(false, b, *ld_b as isize));
                    let (half, trans, diagonal) = (capital(half), capital(trans), capital(diagonal));
                    *info = 0;
                    for index in 0..*n {
                        if diagonal == b'N' && *a.at(index as isize, index as isize) == 0.0 {
                            *info = index + 1;
                            return;
                        }
                    }
                    triangular_solution(half, trans, diagonal, [*n as isize, *columns as isize], 1.0, a, b);
                }
            }
        }
    };
}

entries!(double, f64, "__ct_model_dpotrf_", "__ct_model_dpotrs_", "__ct_model_dposv_", "__ct_model_dtrtrs_");
entries!(single, f32, "__ct_model_spotrf_", "__ct_model_spotrs_", "__ct_model_sposv_", "__ct_model_strtrs_");
