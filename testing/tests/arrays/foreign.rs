//! Products of `ndarray`, which come down to `matrixmultiply` where matrices are large and to loops where they are not.

use super::{functional, noise};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2};

functional! {
    fn matrix_by_matrix(x: &[f64]) -> f64 {
        let a = ArrayView2::from_shape((6, 5), &x[..30]).unwrap();
        let b = ArrayView2::from_shape((5, 7), &x[30..]).unwrap();
        a.dot(&b).iter().enumerate().map(|(i, c)| c * c * i as f64).sum()
    } at noise(1, 65);
    fn matrix_by_vector(x: &[f64]) -> f64 {
        let a = Array2::from_shape_vec((6, 5), x[..30].to_vec()).unwrap();
        let b = Array1::from_vec(x[30..].to_vec());
        a.t().dot(&a.dot(&b)).dot(&b)
    } at noise(1, 35);
    fn vector_by_vector(x: &[f64]) -> f64 {
        let a = ArrayView1::from(x);
        a.dot(&a) + a.sum() * a.mapv(f64::sin).sum()
    } at noise(1, 30);
}
