//! LAPACK's routines on factors, as Fortran has them and as `LAPACKE` has them for C.
//!
//! A routine is written once, over both float types, with pointers and integers as BLAS's are in [`super::abi`] and a boolean in front that says
//! whether matrices lie by rows; it answers what Fortran writes to `info` and `LAPACKE` returns.
#![allow(clippy::too_many_arguments, reason = "as in LAPACK")]

use super::level3::{copy, matrix, triangle, triangular_solution, zeros};
use super::real::Real;
use super::view::View;

/// Type of a parameter, in a routine, for C and for Fortran.
macro_rules! kind {
    (own int $float:ty) => { isize };
    (own option $float:ty) => { u8 };
    (own input $float:ty) => { *const $float };
    (own output $float:ty) => { *mut $float };
    (own order $float:ty) => { *mut i32 };
    (c int $float:ty) => { i32 };
    (c option $float:ty) => { core::ffi::c_char };
    (c $kind:ident $float:ty) => { kind!(own $kind $float) };
    (fortran int $float:ty) => { *const i32 };
    (fortran option $float:ty) => { *const core::ffi::c_char };
    (fortran $kind:ident $float:ty) => { kind!(own $kind $float) };
}

/// What a routine gets of a parameter.
macro_rules! given {
    (c int $value:ident) => {
        $value as isize
    };
    (c option $value:ident) => {
        ($value as u8).to_ascii_uppercase()
    };
    (fortran int $value:ident) => {
        *$value as isize
    };
    (fortran option $value:ident) => {
        (*$value as u8).to_ascii_uppercase()
    };
    ($of:ident $kind:ident $value:ident) => {
        $value
    };
}

/// Routines and their models: `fn name(parameters) { .. }`, with what Fortran alone has (and C's are called with null for) after a bar.
macro_rules! routines {
    ($by_rows:ident: $($(#[$doc:meta])* $name:literal fn $routine:ident(
        $($param:ident: $kind:ident),* $(; $work:ident: room of $least:ident, $size:ident: int)?
    ) $body:block)*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        /// As in LAPACK.
        unsafe fn $routine<T: Real>($by_rows: bool, $($param: kind!(own $kind T)),*) -> i32 $body

        mod $routine {
            routines!(@both f64, "d", $name, double_c, double, $routine, [$($param $kind)*], [$($work $least $size)?]);
            routines!(@both f32, "s", $name, single_c, single, $routine, [$($param $kind)*], [$($work $least $size)?]);
        }
    )*};
    (@both $float:ty, $letter:literal, $name:literal, $c:ident, $fortran:ident, $routine:ident,
        [$($param:ident $kind:ident)*], [$($work:ident $least:ident $size:ident)?]) => {
        #[unsafe(export_name = concat!("__ct_model_LAPACKE_", $letter, $name))]
        unsafe extern "C" fn $c(_: *const (), layout: i32, $($param: kind!(c $kind $float)),*) -> i32 {
            // SAFETY: as the routine that it stands for is called.
            unsafe { super::$routine::<$float>(layout == 101, $(given!(c $kind $param)),*) }
        }

        #[unsafe(export_name = concat!("__ct_model_", $letter, $name, "_"))]
        unsafe extern "C" fn $fortran(
            _: *const (), $($param: kind!(fortran $kind $float),)* $($work: *mut $float, $size: *const i32,)? info: *mut i32
        ) {
            // SAFETY: as the routine that it stands for is called.
            unsafe {
                $(
                    // Asked for the size of the room, or told how much of it is used: none here. LAPACK wants some for an empty
                    // matrix, too.
                    $work.write((*$least).max(1) as $float);
                    if *$size == -1 {
                        *info = 0;
                        return;
                    }
                )?
                *info = super::$routine::<$float>(false, $(given!(fortran $kind $param)),*);
            }
        }
    };
}

/// Where each row comes from that the order of pivots puts in its place. No derivative goes through it.
///
/// # Safety
/// The order is of so many pivots, each with a row.
unsafe fn rows_in_order(rows: isize, order: *const i32, count: isize) -> Vec<isize> {
    let mut from: Vec<isize> = (0..rows).collect();
    for step in 0..count.max(0) {
        // SAFETY: by the function's own contract.
        let other = unsafe { *order.offset(step) } as isize - 1;
        from.swap(step.unsigned_abs(), other.unsigned_abs());
    }
    from
}

/// A matrix by columns without gaps, its rows from where the list says.
///
/// # Safety
/// The matrix may be read.
unsafe fn gathered<T: Real>(a: View<T>, from: &[isize], columns: isize) -> Vec<T> {
    let rows = from.len().cast_signed();
    let mut all = zeros(rows, columns);
    let to = View::of(all.as_mut_ptr(), 1, rows);
    for column in 0..columns {
        for (row, from) in (0..).zip(from) {
            // SAFETY: by the function's own contract; the places are in the vector.
            unsafe { *to.at(row, column) = *a.at(*from, column) };
        }
    }
    all
}

/// Solves with Cholesky's factor.
///
/// # Safety
/// As in LAPACK.
unsafe fn cholesky_solution<T: Real>(half: u8, sizes: [isize; 2], a: View<T>, b: View<T>) {
    let (first, second) = if half == b'L' { (b'N', b'T') } else { (b'T', b'N') };
    // SAFETY: by the function's own contract.
    unsafe {
        triangular_solution(half, first, b'N', sizes, T::ONE, a, b);
        triangular_solution(half, second, b'N', sizes, T::ONE, a, b);
    }
}

/// Solves with the factors of a matrix, or of the transposed one.
///
/// # Safety
/// As in LAPACK.
unsafe fn lu_solution<T: Real>(trans: u8, [n, columns]: [isize; 2], a: View<T>, order: *const i32, b: View<T>) {
    // SAFETY: by the function's own contract.
    unsafe {
        let from = rows_in_order(n, order, n);
        if trans == b'N' {
            let ordered = gathered(b, &from, columns);
            copy(View::of(ordered.as_ptr(), 1, n), b, n, columns);
            triangular_solution(b'L', b'N', b'U', [n, columns], T::ONE, a, b);
            triangular_solution(b'U', b'N', b'N', [n, columns], T::ONE, a, b);
        } else {
            triangular_solution(b'U', b'T', b'N', [n, columns], T::ONE, a, b);
            triangular_solution(b'L', b'T', b'U', [n, columns], T::ONE, a, b);
            let mut back = vec![0; from.len()];
            (0..).zip(&from).for_each(|(to, from)| back[from.unsigned_abs()] = to);
            let ordered = gathered(b, &back, columns);
            copy(View::of(ordered.as_ptr(), 1, n), b, n, columns);
        }
    }
}

/// The number, from 1, of the first zero on the diagonal; 0 where there is none.
///
/// # Safety
/// The matrix may be read.
unsafe fn first_zero<T: Real>(a: View<T>, n: isize) -> i32 {
    // SAFETY: by the function's own contract.
    (0..n).find(|at| unsafe { *a.at(*at, *at) } == T::ZERO).map_or(0, |at| at as i32 + 1)
}

routines! { by_rows:
    /// Cholesky's factor.
    "potrf" fn potrf(half: option, n: int, a: output, ld_a: int) {
        let a = matrix(by_rows, a, ld_a);
        // The upper factor is the transposed lower one.
        let a = if half == b'L' { a } else { a.transposed() };
        let n = n.max(0);
        let mut factor = zeros(n, n);
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

    /// Systems with Cholesky's factor.
    "potrs" fn potrs(half: option, n: int, columns: int, a: input, ld_a: int, b: output, ld_b: int) {
        // SAFETY: by the function's own contract.
        unsafe { cholesky_solution(half, [n, columns], matrix(by_rows, a, ld_a), matrix(by_rows, b, ld_b)) };
        0
    }

    /// Systems with a positive definite matrix.
    "posv" fn posv(half: option, n: int, columns: int, a: output, ld_a: int, b: output, ld_b: int) {
        // SAFETY: by the function's own contract.
        unsafe {
            let info = potrf(by_rows, half, n, a, ld_a);
            if info == 0 {
                cholesky_solution(half, [n, columns], matrix(by_rows, a, ld_a), matrix(by_rows, b, ld_b));
            }
            info
        }
    }

    /// Triangular systems.
    "trtrs" fn trtrs(
        half: option, trans: option, diagonal: option, n: int, columns: int, a: input, ld_a: int, b: output, ld_b: int
    ) {
        let (a, b) = (matrix(by_rows, a, ld_a), matrix(by_rows, b, ld_b));
        // SAFETY: by the function's own contract.
        unsafe {
            let info = if diagonal == b'N' { first_zero(a, n) } else { 0 };
            if info == 0 {
                triangular_solution(half, trans, diagonal, [n, columns], T::ONE, a, b);
            }
            info
        }
    }

    /// The factors of a matrix of any shape: those of its leading square, and what follows from them for the other rows or columns.
    "getrf" fn getrf(m: int, n: int, a: output, ld_a: int, order: order) {
        let (m, n) = (m.max(0), n.max(0));
        let (a, size) = (matrix(by_rows, a, ld_a), m.min(n));
        // SAFETY: by the function's own contract; other places are in the vectors.
        unsafe {
            let plain: Vec<isize> = (0..m).collect();
            let mut chosen = vec![0; size.unsigned_abs()];
            let info = T::pivots(m.unsigned_abs(), n.unsigned_abs(), &gathered(a, &plain, n), &mut chosen);
            order.copy_from_nonoverlapping(chosen.as_ptr(), chosen.len());
            let all = gathered(a, &rows_in_order(m, chosen.as_ptr(), size), n);
            let ordered = View::of(all.as_ptr(), 1, m);
            copy(ordered, a, m, n);
            let mut square = zeros(size, size);
            let factors = View::of(square.as_mut_ptr(), 1, size);
            copy(ordered, factors, size, size);
            T::factors(size.unsigned_abs(), &mut square);
            copy(factors, a, size, size);
            if size > 0 && n > size {
                triangular_solution(b'L', b'N', b'U', [size, n - size], T::ONE, factors, View { data: a.at(0, size), ..a });
            } else if size > 0 && m > size {
                let below = View { data: a.at(size, 0), ..a };
                triangular_solution(b'U', b'T', b'N', [size, m - size], T::ONE, factors, below.transposed());
            }
            info as i32
        }
    }

    /// Systems with such factors.
    "getrs" fn getrs(trans: option, n: int, columns: int, a: input, ld_a: int, order: order, b: output, ld_b: int) {
        // SAFETY: by the function's own contract.
        unsafe { lu_solution(trans, [n, columns], matrix(by_rows, a, ld_a), order, matrix(by_rows, b, ld_b)) };
        0
    }

    /// Systems with any square matrix.
    "gesv" fn gesv(n: int, columns: int, a: output, ld_a: int, order: order, b: output, ld_b: int) {
        // SAFETY: by the function's own contract.
        unsafe {
            let info = getrf(by_rows, n, n, a, ld_a, order);
            if info == 0 {
                lu_solution(b'N', [n, columns], matrix(by_rows, a, ld_a), order, matrix(by_rows, b, ld_b));
            }
            info
        }
    }

    /// The inverse, from the factors.
    "getri" fn getri(n: int, a: output, ld_a: int, order: order; work: room of n, size: int) {
        let a = matrix(by_rows, a, ld_a);
        // SAFETY: by the function's own contract; other places are in the vector.
        unsafe {
            let info = first_zero(a, n);
            if info == 0 {
                let mut inverse = zeros(n, n);
                let to = View::of(inverse.as_mut_ptr(), 1, n);
                (0..n).for_each(|at| *to.at(at, at) = T::ONE);
                lu_solution(b'N', [n, n], a, order, to);
                copy(to, a, n, n);
            }
            info
        }
    }
}
