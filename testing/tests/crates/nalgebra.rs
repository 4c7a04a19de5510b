//! Matrices of constant and of dynamic size.

use crate::functional;
use cotangent::{autodiff, gradient};
use nalgebra::{DMatrix, DMatrixView, DVector, Matrix2, Matrix3, Matrix4, Rotation3, UnitQuaternion, Vector3};
use testing::assert_close;

/// A square matrix far from being singular.
fn dense(x: &[f64], size: usize) -> DMatrix<f64> {
    DMatrix::from_fn(size, size, |i, j| x[(i * 2 + j) % x.len()] + if i == j { 5.0 } else { 0.0 })
}

functional! {
    fn a_product_of_small_matrices(x: &[f64]) -> f64 {
        let a = Matrix3::new(x[0], 1.0, 2.0, 0.5, x[1], 1.0, 3.0, x[2], x[3]);
        let v = Vector3::new(x[4], 1.0, x[0]);
        (a * v).dot(&v)
    } at [0.7, -0.4, 1.3, 0.9, 2.1];

    fn the_inverse_of_a_small_matrix(x: &[f64]) -> f64 {
        let inverse = Matrix2::new(x[0], 1.0, 2.0, x[1]).try_inverse().unwrap();
        inverse[(0, 0)] + inverse[(1, 0)] * x[2]
    } at [0.7, -0.4, 1.3];

    fn inverse_and_determinant_of_a_small_matrix(x: &[f64]) -> f64 {
        let a = Matrix3::new(x[0], 1.0, 2.0, 0.5, x[1], 1.0, 3.0, x[2], x[3]);
        a.try_inverse().unwrap().sum() + a.determinant()
    } at [0.7, -0.4, 1.3, 0.9];

    fn a_small_system_solved_by_factors(x: &[f64]) -> f64 {
        let a = Matrix3::new(4.0 + x[0], 1.0, 2.0, 0.5, x[1] - 3.0, 1.0, 1.5, x[2], 5.0 * x[3]);
        let b = Vector3::new(x[1], 1.0, x[0]);
        a.lu().solve(&b).unwrap().dot(&b)
    } at [0.7, -0.4, 1.3, 0.9];

    fn a_small_system_solved_by_cholesky(x: &[f64]) -> f64 {
        let a = Matrix3::new(x[0], 1.0, 2.0, 0.5, x[1], 1.0, 1.5, x[2], x[3]);
        let b = Vector3::new(x[1], 1.0, x[0]);
        let factors = (a * a.transpose() + Matrix3::identity()).cholesky().unwrap();
        factors.solve(&b).dot(&b) + factors.l()[(2, 1)]
    } at [0.7, -0.4, 1.3, 0.9];

    fn a_rotation_by_angles(x: &[f64]) -> f64 {
        let v = Rotation3::from_euler_angles(x[0], x[1], x[2]) * Vector3::new(1.0, x[3], 2.0);
        v.x * v.y + v.z
    } at [0.7, -0.4, 1.3, 0.9];

    fn a_rotation_by_a_quaternion(x: &[f64]) -> f64 {
        let v = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), x[0]) * Vector3::new(1.0, x[1], 2.0);
        v.x * v.y + v.z
    } at [0.7, -0.4];

    fn a_product_of_large_matrices(x: &[f64]) -> f64 {
        // Above five rows or columns it is `matrixmultiply` that computes it.
        let a = DMatrix::from_fn(8, 6, |i, j| x[(i * 2 + j) % 5] * (i + 1) as f64);
        let b = DMatrix::from_fn(6, 7, |i, j| x[(i + j * 3) % 5] - j as f64);
        let product = a * &b;
        product.iter().zip(0..).map(|(c, i)| c * c * f64::from(i)).sum::<f64>() + product[(0, 1)] * b[(5, 6)]
    } at [0.7, -0.4, 1.3, 0.9, 2.1];

    fn a_solution_by_lu(x: &[f64]) -> f64 {
        let right = DVector::from_fn(4, |i, _| x[i]);
        dense(x, 4).lu().solve(&right).unwrap().dot(&right)
    } at [0.7, -0.4, 1.3, 0.9, 2.1];

    fn a_solution_by_cholesky(x: &[f64]) -> f64 {
        let a = DMatrix::from_fn(4, 4, |i, j| x[i] * x[j] + if i == j { 5.0 } else { 0.0 });
        let right = DVector::from_fn(4, |i, _| x[i]);
        let factors = a.cholesky().unwrap();
        factors.solve(&right).dot(&right) + factors.determinant().ln()
    } at [0.7, -0.4, 1.3, 0.9];

    fn the_inverse_of_a_large_matrix(x: &[f64]) -> f64 { dense(x, 3).try_inverse().unwrap().sum() }
        at [0.7, -0.4, 1.3, 0.9, 2.1];

    // Up to three rows the crate has formulas; beyond four it takes the factors.
    fn the_inverse_of_a_matrix_of_four_rows(x: &[f64]) -> f64 {
        dense(x, 4).try_inverse().unwrap().iter().zip(1..).map(|(v, i)| v * f64::from(i)).sum()
    } at [0.7, -0.4, 1.3, 0.9, 2.1];

    fn the_inverse_of_a_matrix_of_six_rows(x: &[f64]) -> f64 {
        dense(x, 6).try_inverse().unwrap().iter().zip(1..).map(|(v, i)| v * f64::from(i)).sum()
    } at [0.7, -0.4, 1.3, 0.9, 2.1];

    fn the_inverse_of_a_static_matrix_of_four_rows(x: &[f64]) -> f64 {
        let a = Matrix4::from_fn(|i, j| x[(i * 3 + j * j) % x.len()] + if i == j { 4.0 } else { 0.0 });
        a.try_inverse().unwrap().iter().zip(1..).map(|(v, i)| v * f64::from(i)).sum()
    } at [0.7, -0.4, 1.3, 0.9, 2.1];

    fn a_factorisation_by_qr(x: &[f64]) -> f64 { dense(x, 3).qr().r().determinant() }
        at [0.7, -0.4, 1.3, 0.9, 2.1];

    fn norms_and_maps_of_vectors(x: &[f64]) -> f64 {
        let v = DVector::from_row_slice(x);
        let w = v.map(|a| a.sin());
        v.norm() * w.sum() + v.component_mul(&w).max()
    } at [0.7, -0.4, 1.3, 0.9, 2.1];

    fn a_view_of_a_slice(x: &[f64]) -> f64 {
        let m = DMatrixView::from_slice(x, 2, 2);
        (m * m.transpose()).sum()
    } at [0.7, -0.4, 1.3, 0.9];
}

#[autodiff(solved_reverse, Reverse, Duplicated, Duplicated, Active)]
#[autodiff(solved_forward, Forward, Dual, Dual, Dual)]
fn solved(a: &DMatrix<f64>, b: &DVector<f64>) -> f64 {
    a.clone().lu().solve(b).map_or(0.0, |x| x.dot(b))
}

#[test]
fn a_matrix_and_a_vector_as_arguments() {
    let a = DMatrix::from_row_slice(2, 2, &[5.0, 0.3, -0.2, 4.0]);
    let b = DVector::from_vec(vec![0.7, 1.3]);
    let (mut da, mut db) = (DMatrix::zeros(2, 2), DVector::zeros(2));
    let value = solved_reverse(&a, &mut da, &b, &mut db, 1.0);
    // y = b' x with a x = b: dy = (b + z)' db - z' da x with a' z = b, and dy = z' db + x' db - z' da x.
    let inverse = a.clone().try_inverse().unwrap();
    let (x, z) = (&inverse * &b, inverse.transpose() * &b);
    assert_close!(value, b.dot(&x));
    assert_close!(da.as_slice(), (-&z * x.transpose()).as_slice());
    assert_close!(db.as_slice(), (&x + &z).as_slice());
    let (va, vb) = (DMatrix::from_row_slice(2, 2, &[1.0, -0.5, 0.25, 2.0]), DVector::from_vec(vec![0.5, -1.0]));
    assert_close!(solved_forward(&a, &va, &b, &vb), (value, va.dot(&da) + vb.dot(&db)));
}

#[test]
fn a_product_of_constant_matrices_and_a_changed_copy_of_a_captured_one() {
    #[inline(never)]
    fn risk(widths: &[f64], correlation: &DMatrix<f64>) -> f64 {
        let widths = DVector::from_column_slice(widths);
        let covariance = DMatrix::from_diagonal(&widths) * correlation * DMatrix::from_diagonal(&widths);
        let factor = covariance.cholesky().expect("positive definite").unpack();
        let columns: Vec<DVector<f64>> = (0..3).map(|k| &factor * DVector::from_element(2, f64::from(k))).collect();
        DMatrix::from_columns(&columns).column_iter().map(|column| column.dot(&widths)).sum()
    }
    let correlation = DMatrix::from_row_slice(2, 2, &[1.0, 0.3, 0.3, 1.0]);
    let of = |c: &[f64]| {
        let mut changed = correlation.clone();
        (changed[(0, 1)], changed[(1, 0)]) = (c[0], c[0]);
        risk(&[2.0, 3.0], &changed)
    };
    // The factor is [[2, 0], [3 c, 3 r]] with r^2 = 1 - c^2; three times (2 * 2 + 3 (3 c + 3 r))
    let (c, r) = (0.6_f64, 0.8);
    assert_close!(of(&[c]), 3.0 * (4.0 + 9.0 * (c + r)));
    assert_close!(gradient(of, &[c]), [27.0 * (1.0 - c / r)]);
}
