//! Methods: inherent, of traits, with every form of `self`; associated functions.

use cotangent::autodiff;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Point {
    x: f64,
    y: f64,
}

impl Point {
    #[autodiff(d_norm, Reverse, Active, Active)]
    fn norm(self) -> f64 {
        self.x * self.x + self.y * self.y
    }

    #[autodiff(d_scaled, Reverse, Duplicated, Active, Active)]
    #[autodiff(d_scaled_by, Reverse, Const, Active, Active)]
    #[autodiff(t_scaled, Forward, Dual, Const, Dual)]
    pub(crate) fn scaled(&self, by: f64) -> f64 {
        by * (self.x + 2.0 * self.y)
    }

    #[autodiff(d_double, Reverse, Duplicated)]
    fn double(&mut self) {
        self.x *= 2.0;
        self.y *= 3.0;
    }

    #[autodiff(d_typed, Reverse, Duplicated, Active)]
    #[allow(clippy::needless_arbitrary_self_type)]
    fn typed(self: &Self) -> f64 {
        self.x * self.y
    }

    #[autodiff(d_boxed, Reverse, Const, Active, Active)]
    fn boxed(self: Box<Self>, t: f64) -> f64 {
        t * self.x
    }

    #[autodiff(d_cube, Reverse, Active, Active)]
    fn cube(t: f64) -> f64 {
        t * t * t
    }

    #[autodiff(d_from_angle, Reverse, Active, Active)]
    fn along(t: f64) -> Self {
        Self { x: t, y: 2.0 * t }
    }
}

#[test]
fn inherent_methods() {
    let point = Point { x: 1.0, y: 2.0 };
    assert_eq!(point.d_norm(1.0), (5.0, Point { x: 2.0, y: 4.0 }));
    let mut shadow = Point { x: 0.0, y: 0.0 };
    assert_eq!(point.d_scaled(&mut shadow, 3.0, 1.0), (15.0, 5.0));
    assert_eq!(shadow, Point { x: 3.0, y: 6.0 });
    assert_eq!(point.d_scaled_by(3.0, 1.0), (15.0, 5.0));
    assert_eq!(point.t_scaled(&Point { x: 1.0, y: 0.0 }, 3.0), (15.0, 3.0));
    let (mut doubled, mut adjoint) = (point, Point { x: 1.0, y: 1.0 });
    doubled.d_double(&mut adjoint);
    assert_eq!((doubled, adjoint), (Point { x: 2.0, y: 6.0 }, Point { x: 2.0, y: 3.0 }));
    let mut shadow = Point { x: 0.0, y: 0.0 };
    assert_eq!(point.d_typed(&mut shadow, 1.0), 2.0);
    assert_eq!(shadow, Point { x: 2.0, y: 1.0 });
    assert_eq!(Box::new(point).d_boxed(2.0, 1.0), (2.0, 1.0));
}

#[test]
fn associated_functions() {
    assert_eq!(Point::d_cube(2.0, 1.0), (8.0, 12.0));
    assert_eq!(Point::d_from_angle(1.0, Point { x: 1.0, y: 10.0 }), (Point { x: 1.0, y: 2.0 }, 21.0));
}

trait Loss {
    fn weight(&self) -> f64;

    #[autodiff(d_loss, Reverse, Const, Duplicated, Active)]
    fn loss(&self, x: &[f64]) -> f64 {
        self.weight() * x[0] * x[1]
    }

    #[autodiff(d_loss_all, Reverse, Duplicated, Active, Active)]
    fn loss_all(&self, x: f64) -> f64 {
        self.weight() * x
    }
}

struct Constant(f64);

impl Loss for Constant {
    fn weight(&self) -> f64 {
        self.0
    }
}

/// Overrides the function, which its derivative must see.
struct Overridden;

impl Loss for Overridden {
    fn weight(&self) -> f64 {
        1.0
    }

    fn loss(&self, x: &[f64]) -> f64 {
        x[0] + x[1]
    }
}

#[test]
fn methods_of_traits() {
    let mut dx = [0.0; 2];
    assert_eq!(Constant(3.0).d_loss(&[2.0, 5.0], &mut dx, 1.0), 30.0);
    assert_eq!(dx, [15.0, 6.0]);
    let mut dx = [0.0; 2];
    assert_eq!(Overridden.d_loss(&[2.0, 5.0], &mut dx, 1.0), 7.0);
    assert_eq!(dx, [1.0, 1.0]);
    let mut shadow = Constant(0.0);
    assert_eq!(Constant(3.0).d_loss_all(&mut shadow, 2.0, 1.0), (6.0, 3.0));
    assert_eq!(shadow.0, 2.0);
}

#[test]
fn a_derivative_can_be_called_through_dyn() {
    let losses: [Box<dyn Loss>; 2] = [Box::new(Constant(3.0)), Box::new(Overridden)];
    let values: Vec<f64> = losses.iter().map(|loss| loss.d_loss(&[2.0, 5.0], &mut [0.0; 2], 1.0)).collect();
    assert_eq!(values, [30.0, 7.0]);
}

struct Matrix<T, const N: usize>([[T; N]; N]);

impl<T: Copy + std::ops::Mul<Output = T>, const N: usize> Matrix<T, N> {
    #[autodiff(d_corner, Reverse, Duplicated, Active, Active)]
    fn corner(&self, by: T) -> T {
        self.0[0][0] * by
    }
}

#[test]
fn methods_of_generic_types() {
    let mut shadow = Matrix([[0.0; 2]; 2]);
    assert_eq!(Matrix([[2.0, 1.0], [1.0, 1.0]]).d_corner(&mut shadow, 3.0, 1.0), (6.0, 2.0));
    assert_eq!(shadow.0, [[3.0, 0.0], [0.0, 0.0]]);
}
