//! The factors `L * U = A` of a square matrix whose rows are in the order of their pivots, by columns without gaps: `L` with ones on its
//! diagonal below that of `U`.
//!
//! With `M = inverse(L) * dA * inverse(U)`, its part `M-` below the diagonal and the rest `M+`,
//!
//! ```text
//! dL = L * M-        dU = M+ * U
//! A' = inverse(transposed(L)) * ((transposed(L) * L')- + (U' * transposed(U))+) * inverse(transposed(U))
//! ```
//!
//! (M. Seeger et al., "Auto-differentiating linear algebra", 2017.) The order of the rows does not change where the factors have a derivative
//! (and where it does, they have none). Where a pivot is 0 the derivative is NaN.

/// The functions of one float type.
macro_rules! functions {
    ($module:ident, $float:ty) => {
        pub(super) mod $module {
            use crate::custom_derivative;
            use crate::models::triangular::$module::{solve, solve_transposed};

            /// Finds the order of the rows of `m` by `n` numbers, as LAPACK says it: which row, from 1, each goes with in turn. Answers the
            /// number, from 1, of the first pivot that is 0, or 0.
            #[custom_derivative(Const, Const, Const, Const, Const, inactive)]
            pub fn pivots(m: usize, n: usize, a: &[$float], pivots: &mut [i32]) -> usize {
                let (mut a, mut info) = (a.to_vec(), 0);
                for (step, chosen) in pivots.iter_mut().enumerate().take(m.min(n)) {
                    let mut best = step;
                    for row in step + 1..m {
                        if a[step * m + row].abs() > a[step * m + best].abs() {
                            best = row;
                        }
                    }
                    *chosen = (best + 1) as i32;
                    (0..n).for_each(|column| a.swap(column * m + step, column * m + best));
                    if !eliminated(step, m, n, &mut a) && info == 0 {
                        info = step + 1;
                    }
                }
                info
            }

            /// Takes what is below a pivot out of `m` by `n` numbers, and puts the factors there; not where the pivot is 0.
            fn eliminated(step: usize, m: usize, n: usize, a: &mut [$float]) -> bool {
                let pivot = a[step * m + step];
                if pivot == 0.0 {
                    return false;
                }
                for row in step + 1..m {
                    a[step * m + row] /= pivot;
                }
                for column in step + 1..n {
                    let factor = a[column * m + step];
                    for row in step + 1..m {
                        a[column * m + row] -= a[step * m + row] * factor;
                    }
                }
                true
            }

            /// Factors in place, without changing the order of rows.
            #[custom_derivative(Const, Duplicated, forward = forward, reverse = (augmented, pullback))]
            pub fn factors(n: usize, a: &mut [$float]) {
                for step in 0..n {
                    eliminated(step, n, n, a);
                }
            }

            fn transposed(n: usize, a: &[$float]) -> Vec<$float> {
                (0..n * n).map(|at| a[at % n * n + at / n]).collect()
            }

            fn is_singular(n: usize, factors: &[$float]) -> bool {
                (0..n).any(|step| factors[step * n + step] == 0.0)
            }

            fn forward(n: usize, a: &mut [$float], da: &mut [$float]) {
                factors(n, a);
                if is_singular(n, a) {
                    return da.fill(<$float>::NAN);
                }
                let mut half = da.to_vec();
                solve(true, n, a, &mut half);
                let mut m = transposed(n, &half);
                solve(false, n, &transposed(n, a), &mut m);
                // `m` is transposed: the entry of row i and column j is at i * n + j.
                for column in 0..n {
                    for row in 0..n {
                        da[column * n + row] = if row > column {
                            let own = m[row * n + column];
                            (column + 1..row).map(|k| a[k * n + row] * m[k * n + column]).sum::<$float>() + own
                        } else {
                            (row..=column).map(|k| m[row * n + k] * a[column * n + k]).sum()
                        };
                    }
                }
            }

            fn augmented(n: usize, a: &mut [$float]) -> ((), Vec<$float>) {
                factors(n, a);
                ((), a.to_vec())
            }

            fn pullback(factors: Vec<$float>, n: usize, _: &mut [$float], da: &mut [$float]) {
                if is_singular(n, &factors) {
                    return da.fill(<$float>::NAN);
                }
                let mut sum: Vec<$float> = vec![0.0; n * n];
                for column in 0..n {
                    for row in 0..n {
                        sum[column * n + row] = if row > column {
                            let own = da[column * n + row];
                            (row + 1..n).map(|k| factors[row * n + k] * da[column * n + k]).sum::<$float>() + own
                        } else {
                            (column..n).map(|k| da[k * n + row] * factors[k * n + column]).sum()
                        };
                    }
                }
                solve_transposed(true, n, &factors, &mut sum);
                let mut adjoint = transposed(n, &sum);
                solve_transposed(false, n, &transposed(n, &factors), &mut adjoint);
                da.copy_from_slice(&transposed(n, &adjoint));
            }
        }
    };
}

functions!(double, f64);
functions!(single, f32);

#[cfg(test)]
mod tests {
    use super::double::{factors, pivots};

    #[test]
    fn the_largest_pivot_comes_first() {
        // By columns: rows (1, 2), (4, 6), (2, 8).
        let a = [1.0, 4.0, 2.0, 2.0, 6.0, 8.0];
        let mut order = [0; 2];
        assert_eq!(pivots(3, 2, &a, &mut order), 0);
        assert_eq!(order, [2, 3]);
        assert_eq!(pivots(2, 2, &[1.0, 2.0, 2.0, 4.0], &mut order), 2);
    }

    #[test]
    fn factors_multiply_to_the_matrix() {
        let mut a = [4.0, 2.0, 6.0, 8.0];
        factors(2, &mut a);
        assert_eq!(a, [4.0, 0.5, 6.0, 5.0]);
    }
}
