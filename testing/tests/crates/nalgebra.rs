//! Matrices of constant and of dynamic size.

use crate::functional;
use nalgebra::{DMatrix, DMatrixView, DVector, Matrix2, Matrix3, Rotation3, UnitQuaternion, Vector3};

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

    fn a_rotation_by_angles(x: &[f64]) -> f64 {
        let v = Rotation3::from_euler_angles(x[0], x[1], x[2]) * Vector3::new(1.0, x[3], 2.0);
        v.x * v.y + v.z
    } at [0.7, -0.4, 1.3, 0.9];

    fn a_rotation_by_a_quaternion(x: &[f64]) -> f64 {
        let v = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), x[0]) * Vector3::new(1.0, x[1], 2.0);
        v.x * v.y + v.z
    } at [0.7, -0.4];

    fn a_product_of_large_matrices(x: &[f64]) -> f64 {
        let a = dense(x, 3);
        let product = &a * &a;
        product.trace() + product[(0, 1)]
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
