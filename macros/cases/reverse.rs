/// A weighted sum of squares.
///
/// ```
/// assert_eq!(energy(&[1.0], 2.0, &[]), 2.0);
/// ```
#[autodiff(grad, Reverse, Duplicated, Active, Const, Active)]
#[inline]
#[cfg(feature = "energy")]
pub fn energy(x: &[f64], scale: f64, names: &[String]) -> f64 {
    scale * x[0] * x[0]
}

#[autodiff(Reverse, Active, DuplicatedOnly, ActiveOnly)]
fn plain((a, b): (f32, [f32; 2]), out: &mut Vec<f32>) -> [f32; 2] {
    b
}
