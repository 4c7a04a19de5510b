//! Names and patterns of parameters.

use cotangent::autodiff;

#[autodiff(Reverse, Active, Active, Const, Active)]
fn patterns((x, y): (f64, f64), mut z: f64, _: &str) -> f64 {
    z *= 2.0;
    x * y + z
}

#[test]
fn patterns_get_fresh_names() {
    assert_eq!(d_patterns((2.0, 3.0), 5.0, "", 1.0), (16.0, (3.0, 2.0), 2.0));
}

// A shadow would be called `dx`, the seed `dret`, and a parameter hides the function.
#[autodiff(Reverse, Duplicated, Active, Active, Active, Active)]
fn clash(x: &f64, dx: f64, dret: f64, clash: f64) -> f64 {
    x * dx * dret * clash
}

#[test]
fn names_that_are_taken() {
    let mut dx = 0.0;
    assert_eq!(d_clash(&2.0, &mut dx, 3.0, 5.0, 7.0, 1.0), (210.0, 70.0, 42.0, 30.0));
    assert_eq!(dx, 105.0);
}

#[autodiff(r#try, Reverse, Active, Active)]
fn r#match(r#in: f64) -> f64 {
    r#in * 2.0
}

#[test]
fn raw_names() {
    assert_eq!(r#try(1.0, 1.0), (2.0, 2.0));
}

#[autodiff(Reverse, Const, Active, Active)]
fn owned(v: Vec<f64>, x: f64) -> f64 {
    v[0] * x
}

#[autodiff(d_nested, Reverse, Duplicated, Active)]
fn nested(x: &[[f64; 2]]) -> f64 {
    x[0][0] * x[1][1]
}

#[test]
fn owned_constants_and_slices_of_arrays() {
    assert_eq!(d_owned(vec![3.0], 2.0, 1.0), (6.0, 3.0));
    let mut dx = [[0.0; 2]; 2];
    assert_eq!(d_nested(&[[1.0, 2.0], [3.0, 4.0]], &mut dx, 1.0), 4.0);
    assert_eq!(dx, [[4.0, 0.0], [0.0, 1.0]]);
}
