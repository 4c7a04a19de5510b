//! Triangular systems: `X = inverse(T) * X` with a lower triangular `T`, both by columns without gaps.
//!
//! With the result `X` and its adjoint `X'`,
//!
//! ```text
//! B' = inverse(transposed(T)) * X'          T' -= lower triangle of B' * transposed(X)
//! ```
//!
//! where `B` is what `X` was before. (M. Giles, "Collected matrix derivative results for forward and reverse mode algorithmic
//! differentiation", 2008.)

/// The functions of one float type.
macro_rules! functions {
    ($module:ident, $float:ty) => {
        pub(super) mod $module {
            use crate::custom_derivative;

            /// Solves in place; with `unit`, the diagonal counts as ones.
            #[custom_derivative(
                                Const, Const, Duplicated, Duplicated, forward = forward, reverse = (augmented, pullback)
                            )]
            pub fn solve(unit: bool, n: usize, t: &[$float], x: &mut [$float]) {
                for column in x.chunks_exact_mut(n.max(1)) {
                    for step in 0..n {
                        if !unit {
                            column[step] /= t[step * n + step];
                        }
                        let value = column[step];
                        for row in step + 1..n {
                            column[row] -= t[step * n + row] * value;
                        }
                    }
                }
            }

            /// Solves with the transposed matrix.
            pub fn solve_transposed(unit: bool, n: usize, t: &[$float], x: &mut [$float]) {
                for column in x.chunks_exact_mut(n.max(1)) {
                    for step in (0..n).rev() {
                        let mut value = column[step];
                        for row in step + 1..n {
                            value -= t[step * n + row] * column[row];
                        }
                        column[step] = if unit { value } else { value / t[step * n + step] };
                    }
                }
            }

            fn forward(unit: bool, n: usize, t: &[$float], dt: &[$float], x: &mut [$float], dx: &mut [$float]) {
                solve(unit, n, t, x);
                for (column, tangent) in x.chunks_exact(n.max(1)).zip(dx.chunks_exact_mut(n.max(1))) {
                    for step in 0..n {
                        for row in step + usize::from(unit)..n {
                            tangent[row] -= dt[step * n + row] * column[step];
                        }
                    }
                }
                solve(unit, n, t, dx);
            }

            fn augmented(unit: bool, n: usize, t: &[$float], x: &mut [$float]) -> ((), Vec<$float>) {
                solve(unit, n, t, x);
                ((), x.to_vec())
            }

            fn pullback(
                solution: Vec<$float>,
                unit: bool,
                n: usize,
                t: &[$float],
                dt: &mut [$float],
                _: &mut [$float],
                dx: &mut [$float],
            ) {
                solve_transposed(unit, n, t, dx);
                for (column, adjoint) in solution.chunks_exact(n.max(1)).zip(dx.chunks_exact(n.max(1))) {
                    for step in 0..n {
                        for row in step + usize::from(unit)..n {
                            dt[step * n + row] -= adjoint[row] * column[step];
                        }
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
    use super::double::{solve, solve_transposed};

    #[test]
    fn a_system_of_nothing_has_a_solution() {
        solve(false, 0, &[], &mut []);
        solve_transposed(false, 0, &[], &mut []);
    }

    #[test]
    fn both_solutions_solve() {
        let t = [2.0, 3.0, 0.0, 4.0];
        let mut x = [2.0, 11.0];
        solve(false, 2, &t, &mut x);
        assert_eq!(x, [1.0, 2.0]);
        let mut x = [8.0, 8.0];
        solve_transposed(false, 2, &t, &mut x);
        assert_eq!(x, [1.0, 2.0]);
        let mut x = [1.0, 5.0];
        solve(true, 2, &t, &mut x);
        assert_eq!(x, [1.0, 2.0]);
    }
}
