//! The product `C += alpha * A * B`, of `m` by `k` with `k` by `n`: what dot, gemv, ger and gemm are made of.
//!
//! It is linear in `alpha`, in `A` and in `B`, and each of its transposes is a product again:
//!
//! ```text
//! A' += alpha * C' * transposed(B)        B' += alpha * transposed(A) * C'        alpha' += sum of A .* (C' * transposed(B))
//! ```
//!
//! Of complex numbers, an adjoint is that of the real parts beside that of the imaginary parts, and `alpha`, `A` and `B` stand conjugated on
//! the right: copies of the matrices, which cost little beside the products.
//!
//! So one routine serves for everything: the one that the program called, where the layout of the operands permits, and loops
//! where it does not. What `C` was before is not asked for. An operand without a shadow costs nothing.

use super::library::Library;
use super::number::Number;
use super::view::{Layout, View};
use crate::markers::__ct_rule;
use crate::rules::Scratch;

/// Sizes and layouts of a product, and who computes it.
#[derive(Clone, Copy)]
struct Plan {
    library: Library,
    m: isize,
    k: isize,
    n: isize,
    a: Layout,
    b: Layout,
    c: Layout,
}

/// What the types of the operands say beside the rule's text: nothing.
const UNSAID: u64 = 0;

/// `C += alpha * A * B`; the sizes are `m`, `k` and `n`.
///
/// # Safety
/// The views are of memory that may be read and, of `c`, written.
#[inline]
pub(super) unsafe fn product<T: Number>(
    library: Library,
    [m, k, n]: [isize; 3],
    alpha: T,
    a: View<T>,
    b: View<T>,
    c: View<T>,
) {
    if m <= 0 || k <= 0 || n <= 0 {
        return;
    }
    let plan = Plan { library, m, k, n, a: a.layout, b: b.layout, c: c.layout };
    let ((low_a, size_a), (low_b, size_b), (low_c, size_c)) = (a.span(m, k), b.span(k, n), c.span(m, n));
    // SAFETY: text, thunks and operands agree; by the function's own contract.
    unsafe {
        if __ct_rule(
            T::PRODUCT,
            primal::<T> as PrimalThunk as *const (),
            forward::<T> as ForwardThunk as *const (),
            reverse::<T> as ReverseThunk as *const (),
            &raw const plan as *const u8,
            size_of::<Plan>(),
            UNSAID,
            &raw const alpha as *const u8,
            size_of::<T>(),
            UNSAID,
            low_a as *const u8,
            size_a,
            size_of::<T>(),
            UNSAID,
            low_b as *const u8,
            size_b,
            size_of::<T>(),
            UNSAID,
            low_c as *mut u8,
            size_c,
            size_of::<T>(),
            UNSAID,
        ) {
            return;
        }
        plan.library.multiply([m, k, n], alpha, a, b, c);
    }
}

type PrimalThunk = unsafe fn(*mut u8, *mut u8, *mut u8, usize, *mut u8, usize, *mut u8, usize);
type ForwardThunk =
    unsafe fn(*mut u8, *mut u8, *mut u8, *mut u8, *mut u8, usize, *mut u8, *mut u8, usize, *mut u8, *mut u8, usize);
type ReverseThunk = unsafe fn(
    *mut u8,
    *mut u8,
    *mut u8,
    usize,
    *mut u8,
    *mut u8,
    usize,
    usize,
    *mut u8,
    *mut u8,
    usize,
    usize,
    *mut u8,
    *mut u8,
    usize,
    usize,
);

impl Plan {
    fn a<T>(&self, low: *mut u8) -> View<T> {
        self.a.at_low(low.cast(), self.m, self.k)
    }
    fn b<T>(&self, low: *mut u8) -> View<T> {
        self.b.at_low(low.cast(), self.k, self.n)
    }
    fn c<T>(&self, low: *mut u8) -> View<T> {
        self.c.at_low(low.cast(), self.m, self.n)
    }
    fn sizes(&self) -> [isize; 3] {
        [self.m, self.k, self.n]
    }
}

/// # Safety
/// As the contract says of a primal's thunk.
#[allow(clippy::too_many_arguments, reason = "as the contract says")]
unsafe fn primal<T: Number>(
    plan: *mut u8,
    alpha: *mut u8,
    a: *mut u8,
    _: usize,
    b: *mut u8,
    _: usize,
    c: *mut u8,
    _: usize,
) {
    // SAFETY: by the function's own contract.
    unsafe {
        let plan = plan.cast::<Plan>().read();
        plan.library.multiply::<T>(plan.sizes(), *alpha.cast(), plan.a(a), plan.b(b), plan.c(c));
    }
}

/// # Safety
/// As the contract says of a forward thunk.
#[allow(clippy::too_many_arguments, reason = "as the contract says")]
unsafe fn forward<T: Number>(
    plan: *mut u8,
    alpha: *mut u8,
    dalpha: *mut u8,
    a: *mut u8,
    da: *mut u8,
    _: usize,
    b: *mut u8,
    db: *mut u8,
    _: usize,
    c: *mut u8,
    dc: *mut u8,
    _: usize,
) {
    // SAFETY: by the function's own contract.
    unsafe {
        let plan = plan.cast::<Plan>().read();
        let alpha = *alpha.cast::<T>();
        let term = |alpha: T, a: *mut u8, b: *mut u8, c: *mut u8| {
            plan.library.multiply(plan.sizes(), alpha, plan.a(a), plan.b(b), plan.c(c));
        };
        if !dc.is_null() {
            if !da.is_null() {
                term(alpha, da, b, dc);
            }
            if !db.is_null() {
                term(alpha, a, db, dc);
            }
            if !dalpha.is_null() {
                term(*dalpha.cast::<T>(), a, b, dc);
            }
        }
        term(alpha, a, b, c);
    }
}

/// # Safety
/// As the contract says of a reverse thunk.
#[allow(clippy::too_many_arguments, reason = "as the contract says")]
unsafe fn reverse<T: Number>(
    plan: *mut u8,
    alpha: *mut u8,
    dalpha: *mut u8,
    _: usize,
    a: *mut u8,
    da: *mut u8,
    _: usize,
    _: usize,
    b: *mut u8,
    db: *mut u8,
    _: usize,
    _: usize,
    _: *mut u8,
    dc: *mut u8,
    _: usize,
    _: usize,
) {
    if dc.is_null() {
        return;
    }
    // SAFETY: by the function's own contract.
    unsafe {
        let plan = plan.cast::<Plan>().read();
        let Plan { m, k, n, .. } = plan;
        let alpha = alpha.cast::<T>().read().conjugated();
        let (a, b, seed) = (plan.a::<T>(a), plan.b::<T>(b), plan.c::<T>(dc));
        let scratch = Scratch::new();
        if !dalpha.is_null() {
            // Without the factor first: it serves both.
            let sum = fresh(&scratch, m, k);
            plan.library.multiply([m, n, k], T::ONE, seed, conjugated(&scratch, b, k, n).transposed(), sum);
            let mut total = T::ZERO;
            for column in 0..k {
                for row in 0..m {
                    total += a.at(row, column).read().conjugated() * *sum.at(row, column);
                    if !da.is_null() {
                        *plan.a::<T>(da).at(row, column) += alpha * *sum.at(row, column);
                    }
                }
            }
            *dalpha.cast::<T>() += total;
        } else if !da.is_null() {
            plan.library.multiply([m, n, k], alpha, seed, conjugated(&scratch, b, k, n).transposed(), plan.a(da));
        }
        if !db.is_null() {
            plan.library.multiply([k, m, n], alpha, conjugated(&scratch, a, m, k).transposed(), seed, plan.b(db));
        }
    }
}

/// A matrix of zeros, by columns.
fn fresh<T: Number>(scratch: &Scratch, rows: isize, columns: isize) -> View<T> {
    let bytes = rows.wrapping_mul(columns).unsigned_abs() * size_of::<T>();
    View::of(scratch.or_zeros(core::ptr::null_mut(), bytes).cast::<T>(), 1, rows)
}

/// A matrix with the other sign of what is imaginary: itself where nothing is.
///
/// # Safety
/// The view may be read.
unsafe fn conjugated<T: Number>(scratch: &Scratch, view: View<T>, rows: isize, columns: isize) -> View<T> {
    if !T::COMPLEX {
        return view;
    }
    let copy = fresh(scratch, rows, columns);
    for column in 0..columns {
        for row in 0..rows {
            // SAFETY: by the function's own contract; the places of the copy are fresh.
            unsafe { *copy.at(row, column) = view.at(row, column).read().conjugated() };
        }
    }
    copy
}
