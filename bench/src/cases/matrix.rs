//! Products of matrices (row after row) with a vector and with each other, the latter in both loop orders.

use super::{Case, axpy, dot};
use crate::report::{Row, USUAL};
use crate::timing::medians;
use cotangent::autodiff;
use examples::differences::largest_distance;
use examples::random::Random;
use std::hint::black_box;

/// `y = A x`.
#[autodiff(d_matvec, Reverse, Duplicated, Duplicated, Duplicated)]
pub fn matvec(a: &[f64], x: &[f64], y: &mut [f64]) {
    for (y, row) in y.iter_mut().zip(a.chunks_exact(x.len())) {
        *y = row.iter().zip(x).map(|(a, x)| a * x).sum();
    }
}

/// The gradient of [`matvec`] by hand: each row is walked while it is in the cache.
pub fn matvec_by_hand(a: &[f64], da: &mut [f64], x: &[f64], dx: &mut [f64], y: &mut [f64], dy: &mut [f64]) {
    let n = x.len();
    for (((y, dy), row), d_row) in y.iter_mut().zip(dy).zip(a.chunks_exact(n)).zip(da.chunks_exact_mut(n)) {
        *y = row.iter().zip(x).map(|(a, x)| a * x).sum();
        axpy(*dy, x, d_row);
        axpy(*dy, row, dx);
        *dy = 0.0;
    }
}

/// `C = A B` for `n` by `n` matrices, an entry of `C` at a time.
#[autodiff(d_matmul_ijk, Reverse, Duplicated, Duplicated, Duplicated, Const)]
pub fn matmul_ijk(a: &[f64], b: &[f64], c: &mut [f64], n: usize) {
    for i in 0..n {
        for j in 0..n {
            let mut sum = 0.0;
            for k in 0..n {
                sum += a[i * n + k] * b[k * n + j];
            }
            c[i * n + j] = sum;
        }
    }
}

/// `C = A B` for `n` by `n` matrices, a row of `C` at a time.
#[autodiff(d_matmul_ikj, Reverse, Duplicated, Duplicated, Duplicated, Const)]
pub fn matmul_ikj(a: &[f64], b: &[f64], c: &mut [f64], n: usize) {
    c.fill(0.0);
    for (c, a) in c.chunks_exact_mut(n).zip(a.chunks_exact(n)) {
        for (&a, b) in a.iter().zip(b.chunks_exact(n)) {
            for (c, b) in c.iter_mut().zip(b) {
                *c += a * b;
            }
        }
    }
}

/// The gradient of `C = A B` by hand, after `product` computed `C`: every inner loop walks rows.
pub fn matmul_by_hand(
    product: fn(&[f64], &[f64], &mut [f64], usize),
    (a, da): (&[f64], &mut [f64]),
    (b, db): (&[f64], &mut [f64]),
    (c, dc): (&mut [f64], &mut [f64]),
    n: usize,
) {
    product(a, b, c, n);
    for ((a, da), dc) in a.chunks_exact(n).zip(da.chunks_exact_mut(n)).zip(dc.chunks_exact(n)) {
        for (((&a, da), b), db) in a.iter().zip(da).zip(b.chunks_exact(n)).zip(db.chunks_exact_mut(n)) {
            *da += dot(dc, b);
            axpy(a, dc, db);
        }
    }
    dc.fill(0.0);
}

type Product = fn(&[f64], &[f64], &mut [f64], usize);
type ProductGradient = fn(&[f64], &mut [f64], &[f64], &mut [f64], &mut [f64], &mut [f64], usize);

/// Matrix times vector and both orders of matrix times matrix.
pub fn cases() -> Vec<Case> {
    vec![
        Case::new("matvec 1000", |name| measure_matvec(name, 1000)),
        Case::new("matmul 256 ijk", |name| measure_matmul(name, 256, matmul_ijk, d_matmul_ijk)),
        Case::new("matmul 256 ikj", |name| measure_matmul(name, 256, matmul_ikj, d_matmul_ikj)),
    ]
}

fn measure_matvec(name: String, n: usize) -> Row {
    let mut random = Random::new(8);
    let (a, x, seed) = (random.normals(n * n), random.normals(n), random.normals(n));
    let zeros = || (vec![0.0; n * n], vec![0.0; n], vec![0.0; n], seed.clone());
    let ((mut da, mut dx, mut y, mut dy), (mut da_hand, mut dx_hand, mut y_hand, mut dy_hand)) = (zeros(), zeros());
    d_matvec(&a, &mut da, &x, &mut dx, &mut y, &mut dy);
    matvec_by_hand(&a, &mut da_hand, &x, &mut dx_hand, &mut y_hand, &mut dy_hand);
    let distance = largest_distance(&da, &da_hand) + largest_distance(&dx, &dx_hand) + largest_distance(&y, &y_hand);

    // The seeds are used up by the first call; zeros take as long as any others.
    let mut y_primal = y.clone();
    let [primal, gradient, hand] = medians([
        &mut || matvec(black_box(&a), black_box(&x), black_box(&mut y_primal)),
        &mut || {
            d_matvec(black_box(&a), &mut da, black_box(&x), &mut dx, &mut y, black_box(&mut dy));
        },
        &mut || {
            let dy = black_box(&mut dy_hand[..]);
            matvec_by_hand(black_box(&a), &mut da_hand, black_box(&x), &mut dx_hand, &mut y_hand, dy);
        },
    ]);
    Row { name, primal, gradient, hand, distance, limits: USUAL }
}

fn measure_matmul(name: String, n: usize, product: Product, derivative: ProductGradient) -> Row {
    let mut random = Random::new(9);
    let (a, b, seed) = (random.normals(n * n), random.normals(n * n), random.normals(n * n));
    let zeros = || (vec![0.0; n * n], vec![0.0; n * n], vec![0.0; n * n], seed.clone());
    let ((mut da, mut db, mut c, mut dc), (mut da_hand, mut db_hand, mut c_hand, mut dc_hand)) = (zeros(), zeros());
    derivative(&a, &mut da, &b, &mut db, &mut c, &mut dc, n);
    matmul_by_hand(product, (&a, &mut da_hand), (&b, &mut db_hand), (&mut c_hand, &mut dc_hand), n);
    let distance = largest_distance(&da, &da_hand) + largest_distance(&db, &db_hand) + largest_distance(&c, &c_hand);

    // The seeds are used up by the first call; zeros take as long as any others.
    let mut c_primal = c.clone();
    let [primal, gradient, hand] = medians([
        &mut || product(black_box(&a), black_box(&b), black_box(&mut c_primal), n),
        &mut || {
            derivative(black_box(&a), &mut da, black_box(&b), &mut db, &mut c, black_box(&mut dc), n);
        },
        &mut || {
            let (a, b) = (black_box(&a[..]), black_box(&b[..]));
            matmul_by_hand(product, (a, &mut da_hand), (b, &mut db_hand), (&mut c_hand, &mut dc_hand), n);
        },
    ]);
    Row { name, primal, gradient, hand, distance, limits: USUAL }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::tests::assert_gradient;

    const N: usize = 11;

    fn operands() -> (Vec<f64>, Vec<f64>, Vec<f64>, Vec<f64>) {
        let mut random = Random::new(10);
        (random.normals(N * N), random.normals(N), random.normals(N * N), random.normals(N * N))
    }

    #[test]
    fn matvec_by_hand_agrees_with_differences() {
        let (a, x, _, seed) = operands();
        let (mut da, mut dx, mut y, mut dy) = (vec![0.0; N * N], vec![0.0; N], vec![0.0; N], seed[..N].to_vec());
        matvec_by_hand(&a, &mut da, &x, &mut dx, &mut y, &mut dy);
        let value = |ax: &[f64]| {
            let mut y = vec![0.0; N];
            matvec(&ax[..N * N], &ax[N * N..], &mut y);
            dot(&y, &seed[..N])
        };
        assert_gradient(value, &[a, x].concat(), &[da, dx].concat(), 1e-2, 1e-9);
    }

    #[test]
    fn matmul_by_hand_agrees_with_differences() {
        let (a, _, b, seed) = operands();
        for product in [matmul_ijk, matmul_ikj] {
            let (mut da, mut db, mut c, mut dc) = (vec![0.0; N * N], vec![0.0; N * N], vec![0.0; N * N], seed.clone());
            matmul_by_hand(product, (&a, &mut da), (&b, &mut db), (&mut c, &mut dc), N);
            let value = |ab: &[f64]| {
                let mut c = vec![0.0; N * N];
                product(&ab[..N * N], &ab[N * N..], &mut c, N);
                dot(&c, &seed)
            };
            assert_gradient(value, &[&a[..], &b].concat(), &[da, db].concat(), 1e-2, 1e-9);
        }
    }

    #[test]
    fn generated_matvec_agrees_with_the_one_by_hand() {
        let (a, x, _, seed) = operands();
        let [left, right] = [d_matvec, matvec_by_hand].map(|gradient| {
            let (mut da, mut dx, mut y, mut dy) = (vec![0.5; N * N], vec![0.5; N], vec![0.0; N], seed[..N].to_vec());
            gradient(&a, &mut da, &x, &mut dx, &mut y, &mut dy);
            [da, dx, y, dy].concat()
        });
        assert!(largest_distance(&left, &right) < 1e-13);
    }

    #[test]
    fn generated_matmul_agrees_with_the_one_by_hand() {
        let (a, _, b, seed) = operands();
        let orders: [(Product, ProductGradient); 2] = [(matmul_ijk, d_matmul_ijk), (matmul_ikj, d_matmul_ikj)];
        for (product, derivative) in orders {
            let start = || (vec![0.5; N * N], vec![0.5; N * N], vec![0.0; N * N], seed.clone());
            let (mut da, mut db, mut c, mut dc) = start();
            matmul_by_hand(product, (&a, &mut da), (&b, &mut db), (&mut c, &mut dc), N);
            let by_hand = [da, db, c, dc].concat();
            let (mut da, mut db, mut c, mut dc) = start();
            derivative(&a, &mut da, &b, &mut db, &mut c, &mut dc, N);
            assert!(largest_distance(&by_hand, &[da, db, c, dc].concat()) < 1e-13);
        }
    }
}
