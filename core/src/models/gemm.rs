//! Products of matrices under the names that programs call them by: `matrixmultiply`'s, those of the crate `gemm`, C's and Fortran's BLAS.

use super::abi::{capital, letter};
use super::level3::{matrix, scale};
use super::library::Library;
use super::number::{Complex, Number};
use super::product::product;
use super::real::Real;
use super::view::View;
use core::ffi::c_char;

/// `C = beta * C + alpha * A * B`.
///
/// # Safety
/// The views are valid, and the library is what it is said to be.
#[inline]
unsafe fn gemm<T: Number>(library: Library, sizes: [isize; 3], alpha: T, a: View<T>, b: View<T>, beta: T, c: View<T>) {
    // SAFETY: by the function's own contract.
    unsafe {
        scale(beta, c, sizes[0], sizes[2]);
        product(library, sizes, alpha, a, b, c);
    }
}

/// The operands as BLAS has them.
///
/// # Safety
/// As in BLAS.
#[inline]
#[allow(clippy::too_many_arguments, reason = "as in BLAS")]
unsafe fn blas<T: Real>(
    library: Library,
    by_rows: bool,
    trans_a: u8,
    trans_b: u8,
    [m, n, k]: [isize; 3],
    alpha: T,
    a: *const T,
    ld_a: isize,
    b: *const T,
    ld_b: isize,
    beta: T,
    c: *mut T,
    ld_c: isize,
) {
    let operand = |trans: u8, data: *const T, ld: isize| {
        let view = matrix(by_rows, data, ld);
        if trans == b'N' { view } else { view.transposed() }
    };
    // SAFETY: by the function's own contract.
    unsafe {
        let (a, b) = (operand(trans_a, a, ld_a), operand(trans_b, b, ld_b));
        gemm(library, [m, k, n], alpha, a, b, beta, matrix(by_rows, c, ld_c));
    }
}

macro_rules! entries {
    // Options of one value each are passed as nothing, whatever their type.
    (@strided $number:ty, $symbol:literal, $name:ident $(, $option:ty)*) => {
        #[unsafe(export_name = $symbol)]
        #[allow(clippy::too_many_arguments, reason = "as what it stands for")]
        unsafe fn $name(
            routine: *const (),
            $(_: $option,)*
            m: usize,
            k: usize,
            n: usize,
            alpha: $number,
            a: *const $number,
            down_a: isize,
            across_a: isize,
            b: *const $number,
            down_b: isize,
            across_b: isize,
            beta: $number,
            c: *mut $number,
            down_c: isize,
            across_c: isize,
        ) {
            let (a, b) = (View::of(a, down_a, across_a), View::of(b, down_b, across_b));
            let sizes = [m, k, n].map(usize::cast_signed);
            // SAFETY: as the routine that it stands for is called.
            unsafe { gemm(Library::Strided(routine.expose_provenance()), sizes, alpha, a, b, beta, View::of(c, down_c, across_c)) }
        }
    };
    (@gemm $float:ty, $symbol:literal, $name:ident, $library:ident $(, $threads:ident: $of_threads:ty)?) => {
        #[unsafe(export_name = $symbol)]
        #[allow(clippy::too_many_arguments, reason = "as what it stands for")]
        unsafe fn $name(
            routine: *const (),
            m: usize,
            n: usize,
            k: usize,
            c: *mut $float,
            across_c: isize,
            down_c: isize,
            is_read: bool,
            a: *const $float,
            across_a: isize,
            down_a: isize,
            b: *const $float,
            across_b: isize,
            down_b: isize,
            alpha: $float,
            beta: $float,
            _: bool,
            _: bool,
            _: bool,
            $($threads: $of_threads,)?
        ) {
            // The names of the factors are the other way round there; what is not read counts as zero.
            let (alpha, beta) = (beta, if is_read { alpha } else { 0.0 });
            let (a, b) = (View::of(a, down_a, across_a), View::of(b, down_b, across_b));
            let sizes = [m, k, n].map(usize::cast_signed);
            let library = Library::$library(routine.expose_provenance());
            // SAFETY: as the routine that it stands for is called.
            unsafe { gemm(library, sizes, alpha, a, b, beta, View::of(c, down_c, across_c)) }
        }
    };
    ($module:ident, $float:ty, $gemm:literal, $gemm_threads:literal, $strided:literal, $complex:literal, $cblas32:literal, $cblas64:literal, $fortran:literal) => {
        mod $module {
            use super::*;

            entries!(@strided $float, $strided, strided);
            entries!(@strided Complex<$float>, $complex, of_complex_numbers, (), ());
            entries!(@gemm $float, $gemm, of_gemm, Gemm);
            entries!(@gemm $float, $gemm_threads, of_gemm_with_threads, GemmThreads, _threads: (usize, usize));
            entries!(@cblas $float, i32, $cblas32, cblas32, Cblas32);
            entries!(@cblas $float, i64, $cblas64, cblas64, Cblas64);

            #[unsafe(export_name = $fortran)]
            #[allow(clippy::too_many_arguments, reason = "as in BLAS")]
            unsafe extern "C" fn fortran(
                routine: *const (),
                trans_a: *const c_char,
                trans_b: *const c_char,
                m: *const i32,
                n: *const i32,
                k: *const i32,
                alpha: *const $float,
                a: *const $float,
                ld_a: *const i32,
                b: *const $float,
                ld_b: *const i32,
                beta: *const $float,
                c: *mut $float,
                ld_c: *const i32,
            ) {
                // SAFETY: as the routine that it stands for is called.
                unsafe {
                    let (ta, tb) = (capital(trans_a), capital(trans_b));
                    let sizes = [*m as isize, *n as isize, *k as isize];
                    let [ld_a, ld_b, ld_c] = [*ld_a as isize, *ld_b as isize, *ld_c as isize];
                    blas(Library::Fortran(routine.expose_provenance()), false, ta, tb, sizes, *alpha, a, ld_a, b, ld_b, *beta, c, ld_c);
                }
            }
        }
    };
    (@cblas $float:ty, $int:ty, $symbol:literal, $name:ident, $library:ident) => {
        #[unsafe(export_name = $symbol)]
        #[allow(clippy::too_many_arguments, reason = "as in BLAS")]
        unsafe extern "C" fn $name(
            routine: *const (),
            order: i32,
            trans_a: i32,
            trans_b: i32,
            m: $int,
            n: $int,
            k: $int,
            alpha: $float,
            a: *const $float,
            ld_a: $int,
            b: *const $float,
            ld_b: $int,
            beta: $float,
            c: *mut $float,
            ld_c: $int,
        ) {
            let sizes = [m as isize, n as isize, k as isize];
            let (ta, tb) = (letter(trans_a), letter(trans_b));
            let [ld_a, ld_b, ld_c] = [ld_a as isize, ld_b as isize, ld_c as isize];
            let library = Library::$library(routine.expose_provenance());
            // SAFETY: as the routine that it stands for is called.
            unsafe { blas(library, order == 101, ta, tb, sizes, alpha, a, ld_a, b, ld_b, beta, c, ld_c) }
        }
    };
}

entries!(
    double,
    f64,
    "__ct_model_gemm_f64",
    "__ct_model_gemm_threads_f64",
    "__ct_model_matrixmultiply_dgemm",
    "__ct_model_matrixmultiply_zgemm",
    "__ct_model_cblas_dgemm_32",
    "__ct_model_cblas_dgemm_64",
    "__ct_model_dgemm_"
);
entries!(
    single,
    f32,
    "__ct_model_gemm_f32",
    "__ct_model_gemm_threads_f32",
    "__ct_model_matrixmultiply_sgemm",
    "__ct_model_matrixmultiply_cgemm",
    "__ct_model_cblas_sgemm_32",
    "__ct_model_cblas_sgemm_64",
    "__ct_model_sgemm_"
);
