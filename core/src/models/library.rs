//! Who computes a product: the routine that the program called, or loops.

use super::number::Number;
use super::view::View;
use core::ffi::c_char;
use core::ptr::with_exposed_provenance;

/// A routine for products of matrices, as an address: a number, so that what is copied with it is no structure of pointers.
#[derive(Clone, Copy)]
pub(super) enum Library {
    /// None: loops.
    Loops,
    /// Any strides: `matrixmultiply`.
    Strided(usize),
    /// Any strides: the crate `gemm`.
    Gemm(usize),
    /// The same, where it has threads; none are used.
    GemmThreads(usize),
    /// C's interface to BLAS, with integers of 32 bits.
    Cblas32(usize),
    /// C's interface to BLAS, with integers of 64 bits.
    Cblas64(usize),
    /// Fortran's BLAS.
    Fortran(usize),
}

/// The routine of `matrixmultiply`, with what comes first where the numbers are complex: options of which there is one each.
macro_rules! strided {
    ($T:ident $(, $option:ty)*) => {
        unsafe fn($($option,)* usize, usize, usize, $T, *const $T, isize, isize, *const $T, isize, isize, $T, *mut $T, isize, isize)
    };
}

type Strided<T> = strided!(T);
type StridedComplex<T> = strided!(T, (), ());
/// The routine of the crate `gemm`, with what comes last where it has threads.
macro_rules! gemm {
    ($T:ident $(, $threads:ty)?) => {
        unsafe fn(
            usize, usize, usize, *mut $T, isize, isize, bool, *const $T, isize, isize, *const $T, isize, isize, $T, $T, bool, bool, bool
            $(, $threads)?
        )
    };
}

type Gemm<T> = gemm!(T);
type GemmThreads<T> = gemm!(T, (usize, usize));
type Cblas<I, T> = unsafe extern "C" fn(i32, i32, i32, I, I, I, T, *const T, I, *const T, I, T, *mut T, I);
type Fortran<T> = unsafe extern "C" fn(
    *const c_char,
    *const c_char,
    *const i32,
    *const i32,
    *const i32,
    *const T,
    *const T,
    *const i32,
    *const T,
    *const i32,
    *const T,
    *mut T,
    *const i32,
);

const COLUMN_MAJOR: i32 = 102;

impl Library {
    /// `C += alpha * A * B`; the sizes, all positive, are `m`, `k` and `n`.
    ///
    /// # Safety
    /// The views are of memory that may be read and, of `c`, written; the routine is what it is said to be.
    #[inline]
    pub unsafe fn multiply<T: Number>(self, sizes: [isize; 3], alpha: T, a: View<T>, b: View<T>, c: View<T>) {
        let [m, _, n] = sizes;
        // SAFETY: by the function's own contract.
        unsafe {
            if c.layout.is_apart(m, n) {
                match self {
                    Library::Loops => {}
                    Library::Strided(routine) => {
                        let [m, k, n] = sizes.map(isize::unsigned_abs);
                        let [of_a, of_b, of_c] = [a.layout, b.layout, c.layout];
                        let routine = with_exposed_provenance::<()>(routine);
                        macro_rules! call {
                            ($routine:expr $(, $option:expr)*) => {
                                $routine(
                                    $($option,)* m, k, n, alpha, a.data, of_a.down, of_a.across, b.data, of_b.down, of_b.across, T::ONE,
                                    c.data, of_c.down, of_c.across
                                )
                            };
                        }
                        if T::COMPLEX {
                            call!(core::mem::transmute::<*const (), StridedComplex<T>>(routine), (), ());
                        } else {
                            call!(core::mem::transmute::<*const (), Strided<T>>(routine));
                        }
                        return;
                    }
                    // The others have models for floats alone.
                    _ if T::COMPLEX => {}
                    Library::Gemm(routine) | Library::GemmThreads(routine) => {
                        let [m, k, n] = sizes.map(isize::unsigned_abs);
                        let [of_a, of_b, of_c] = [a.layout, b.layout, c.layout];
                        let routine = with_exposed_provenance::<()>(routine);
                        macro_rules! call {
                            ($routine:expr $(, $threads:expr)?) => {
                                $routine(
                                    m, n, k, c.data, of_c.across, of_c.down, true, a.data, of_a.across, of_a.down, b.data, of_b.across,
                                    of_b.down, T::ONE, alpha, false, false, false $(, $threads)?
                                )
                            };
                        }
                        if let Library::Gemm(_) = self {
                            call!(core::mem::transmute::<*const (), Gemm<T>>(routine));
                        } else {
                            call!(core::mem::transmute::<*const (), GemmThreads<T>>(routine), (0, 0));
                        }
                        return;
                    }
                    _ => {
                        if let Some(form) = Form::new(sizes, a, b, c) {
                            self.column_major(&form, alpha);
                            return;
                        }
                    }
                }
            }
            loops(sizes, alpha, a, b, c);
        }
    }

    /// # Safety
    /// As for [`Library::multiply`].
    unsafe fn column_major<T: Number>(self, form: &Form<T>, alpha: T) {
        let Form { m, n, k, ld_a, ld_b, ld_c, .. } = *form;
        let (a, b, c) = (form.a, form.b, form.c);
        let c_option = |transposed: bool| if transposed { 112 } else { 111 };
        let (ta, tb) = (c_option(form.transposed_a), c_option(form.transposed_b));
        // SAFETY: by the function's own contract.
        unsafe {
            match self {
                Library::Cblas32(routine) => {
                    let routine: Cblas<i32, T> = core::mem::transmute(with_exposed_provenance::<()>(routine));
                    routine(COLUMN_MAJOR, ta, tb, m, n, k, alpha, a, ld_a, b, ld_b, T::ONE, c, ld_c);
                }
                Library::Cblas64(routine) => {
                    let routine: Cblas<i64, T> = core::mem::transmute(with_exposed_provenance::<()>(routine));
                    let [m, n, k, ld_a, ld_b, ld_c] = [m, n, k, ld_a, ld_b, ld_c].map(i64::from);
                    routine(COLUMN_MAJOR, ta, tb, m, n, k, alpha, a, ld_a, b, ld_b, T::ONE, c, ld_c);
                }
                Library::Fortran(routine) => {
                    let routine: Fortran<T> = core::mem::transmute(with_exposed_provenance::<()>(routine));
                    let letter = |transposed: bool| if transposed { b'T' as c_char } else { b'N' as c_char };
                    let (ta, tb) = (letter(form.transposed_a), letter(form.transposed_b));
                    routine(&ta, &tb, &m, &n, &k, &alpha, a, &ld_a, b, &ld_b, &T::ONE, c, &ld_c);
                }
                Library::Loops | Library::Strided(_) | Library::Gemm(_) | Library::GemmThreads(_) => {}
            }
        }
    }
}

/// A product as BLAS takes it: columns of the result without gaps.
struct Form<T> {
    m: i32,
    n: i32,
    k: i32,
    transposed_a: bool,
    a: *const T,
    ld_a: i32,
    transposed_b: bool,
    b: *const T,
    ld_b: i32,
    c: *mut T,
    ld_c: i32,
}

impl<T: Number> Form<T> {
    /// None where a layout is none that BLAS knows.
    fn new([m, k, n]: [isize; 3], a: View<T>, b: View<T>, c: View<T>) -> Option<Form<T>> {
        let (by_rows, ld_c) = orientation(c, m, n)?;
        let ([m, n], (a, b, c)) =
            if by_rows { ([n, m], (b.transposed(), a.transposed(), c.transposed())) } else { ([m, n], (a, b, c)) };
        let (transposed_a, ld_a) = orientation(a, m, k)?;
        let (transposed_b, ld_b) = orientation(b, k, n)?;
        Some(Form {
            m: i32::try_from(m).ok()?,
            n: i32::try_from(n).ok()?,
            k: i32::try_from(k).ok()?,
            transposed_a,
            a: a.data,
            ld_a,
            transposed_b,
            b: b.data,
            ld_b,
            c: c.data,
            ld_c,
        })
    }
}

/// Whether a matrix lies by rows instead of by columns, and how far apart its rows (or columns) are.
fn orientation<T: Number>(view: View<T>, rows: isize, columns: isize) -> Option<(bool, i32)> {
    let by_columns = |view: View<T>, rows: isize, columns: isize| {
        let apart = if columns == 1 { rows } else { view.layout.across };
        ((rows == 1 || view.layout.down == 1) && apart >= rows).then(|| i32::try_from(apart).ok()).flatten()
    };
    let as_it_is = by_columns(view, rows, columns).map(|apart| (false, apart));
    as_it_is.or_else(|| by_columns(view.transposed(), columns, rows).map(|apart| (true, apart)))
}

/// Any layout, also of results whose elements share places.
///
/// # Safety
/// The views are of memory that may be read and, of `c`, written.
#[inline]
unsafe fn loops<T: Number>([m, k, n]: [isize; 3], alpha: T, a: View<T>, b: View<T>, c: View<T>) {
    // SAFETY: by the function's own contract.
    unsafe {
        if a.layout.across == 1 && b.layout.down == 1 || m == 1 && n == 1 {
            for row in 0..m {
                for column in 0..n {
                    *c.at(row, column) += alpha * dot(k, a, row, b, column);
                }
            }
        } else if c.layout.across == 1 && c.layout.down != 1 {
            for row in 0..m {
                for inner in 0..k {
                    let factor = alpha * *a.at(row, inner);
                    for column in 0..n {
                        *c.at(row, column) += factor * *b.at(inner, column);
                    }
                }
            }
        } else {
            for column in 0..n {
                for inner in 0..k {
                    let factor = alpha * *b.at(inner, column);
                    for row in 0..m {
                        *c.at(row, column) += *a.at(row, inner) * factor;
                    }
                }
            }
        }
    }
}

/// A row of `A` with a column of `B`.
///
/// # Safety
/// Both may be read.
#[inline]
unsafe fn dot<T: Number>(k: isize, a: View<T>, row: isize, b: View<T>, column: isize) -> T {
    // SAFETY: by the function's own contract.
    let term = |inner: isize| unsafe { *a.at(row, inner) * *b.at(inner, column) };
    // Sums that do not wait for each other.
    let mut sums = [T::ZERO; 4];
    let mut inner = 0;
    while inner + 4 <= k {
        sums[0] += term(inner);
        sums[1] += term(inner + 1);
        sums[2] += term(inner + 2);
        sums[3] += term(inner + 3);
        inner += 4;
    }
    let mut sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    while inner < k {
        sum += term(inner);
        inner += 1;
    }
    sum
}
