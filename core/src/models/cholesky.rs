//! Cholesky's factor: the lower triangle of `A` becomes `L` with `L * transposed(L) = A`, by columns without gaps.
//!
//! With `P(M)` the lower triangle of `M` with half its diagonal,
//!
//! ```text
//! dL = L * P(inverse(L) * dA * inverse(transposed(L)))
//! S = inverse(transposed(L)) * P(transposed(L) * L') * inverse(L),    A' += S + transposed(S) below the diagonal, S on it
//! ```
//!
//! where `A` is symmetric and only its lower triangle is an argument. (I. Murray, "Differentiation of the Cholesky
//! decomposition", 2016.) Where `A` is not positive definite there is no factor, and the derivative is NaN.

/// The functions of one float type.
macro_rules! functions {
    ($module:ident, $float:ty) => {
        pub(super) mod $module {
            use crate::custom_derivative;
            use crate::models::triangular::$module::{solve, solve_transposed};

            /// Factors in place. Answers 0, or the number (from 1) of the first leading minor that is not positive; nothing of
            /// what is above the diagonal is looked at or changed.
            #[custom_derivative(Const, Duplicated, Const, forward = forward, reverse = (augmented, pullback))]
            pub fn cholesky(n: usize, a: &mut [$float]) -> usize {
                for step in 0..n {
                    let pivot = a[step * n + step];
                    if pivot.is_nan() || pivot <= 0.0 {
                        return step + 1;
                    }
                    let root = pivot.sqrt();
                    a[step * n + step] = root;
                    for row in step + 1..n {
                        a[step * n + row] /= root;
                    }
                    for column in step + 1..n {
                        let factor = a[step * n + column];
                        for row in column..n {
                            a[column * n + row] -= a[step * n + row] * factor;
                        }
                    }
                }
                0
            }

            /// `inverse(L) * M * inverse(transposed(L))`, or with the transposed of `L` in the place of `L`.
            fn both_sides(n: usize, l: &[$float], mut m: Vec<$float>, transposed: bool) -> Vec<$float> {
                for _ in 0..2 {
                    if transposed {
                        solve_transposed(false, n, l, &mut m);
                    } else {
                        solve(false, n, l, &mut m);
                    }
                    m = (0..n * n).map(|at| m[at % n * n + at / n]).collect();
                }
                m
            }

            /// Without a factor there is no derivative.
            fn nowhere(n: usize, da: &mut [$float]) {
                for column in 0..n {
                    da[column * n + column..(column + 1) * n].fill(<$float>::NAN);
                }
            }

            fn forward(n: usize, a: &mut [$float], da: &mut [$float]) -> usize {
                let info = cholesky(n, a);
                if info != 0 {
                    nowhere(n, da);
                    return info;
                }
                let m = (0..n * n).map(|at| da[(at % n).min(at / n) * n + (at % n).max(at / n)]).collect();
                let mut m = both_sides(n, a, m, false);
                for column in 0..n {
                    m[column * n + column] *= 0.5;
                    for row in column..n {
                        da[column * n + row] = (column..=row).map(|k| a[k * n + row] * m[column * n + k]).sum();
                    }
                }
                info
            }

            fn augmented(n: usize, a: &mut [$float]) -> (usize, (usize, Vec<$float>)) {
                let info = cholesky(n, a);
                (info, (info, a.to_vec()))
            }

            fn pullback(tape: (usize, Vec<$float>), n: usize, _: &mut [$float], da: &mut [$float]) {
                let (info, l) = tape;
                if info != 0 {
                    return nowhere(n, da);
                }
                let mut m: Vec<$float> = vec![0.0; n * n];
                for column in 0..n {
                    for row in column..n {
                        let sum: $float = (row..n).map(|k| l[row * n + k] * da[column * n + k]).sum();
                        // Both halves of P + transposed(P), of which the diagonal is that of the product.
                        m[column * n + row] = sum;
                        m[row * n + column] = sum;
                    }
                }
                let m = both_sides(n, &l, m, true);
                for column in 0..n {
                    da[column * n + column] = 0.5 * m[column * n + column];
                    for row in column + 1..n {
                        da[column * n + row] = m[column * n + row];
                    }
                }
            }
        }
    };
}

functions!(double, f64);
functions!(single, f32);

#[cfg(test)]
mod tests {
    use super::double::cholesky;

    #[test]
    fn a_factor_and_its_square() {
        let mut a = [4.0, 2.0, f64::NAN, 10.0];
        assert_eq!(cholesky(2, &mut a), 0);
        assert_eq!((a[0], a[1], a[3]), (2.0, 1.0, 3.0));
        assert!(a[2].is_nan());
        assert_eq!(cholesky(2, &mut [1.0, 2.0, 0.0, 1.0]), 2);
    }
}
