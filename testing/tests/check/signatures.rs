//! `check!` with generated derivatives of every kind of signature.

use cotangent::{autodiff, check};

#[autodiff(d_loss, Reverse, Duplicated, Const, Active, Active)]
#[autodiff(p_loss, Reverse, Duplicated, Const, Active, ActiveOnly)]
#[autodiff(b_loss, Forward, Dual, Const, Dual, Dual)]
#[autodiff(t_loss, Forward, Dual, Const, Dual, DualOnly)]
#[autodiff(v_loss, Forward, 3, Dual, Const, Dual, Dual)]
#[autodiff(u_loss, Forward, 4, Dual, Const, Dual, DualOnly)]
fn loss(w: &[f64], data: &[(f64, f64)], penalty: f64) -> f64 {
    data.iter().map(|(x, y)| (w[0] + w[1] * x - y).powi(2)).sum::<f64>() + penalty * w[1].exp()
}

const DATA: [(f64, f64); 3] = [(0.0, 1.0), (1.0, 1.5), (2.0, 2.5)];

#[test]
fn slices_constants_and_numbers_in_both_modes_and_every_width() {
    let w = vec![0.8, 0.7];
    let check = check!(
        loss(Duplicated(&w), Const(&DATA), Active(0.1)) -> Active,
        reverse = d_loss,
        reverse(ActiveOnly) = p_loss,
        forward = b_loss,
        forward(DualOnly) = t_loss,
        forward(3) = v_loss,
        forward(4, DualOnly) = u_loss
    );
    let report = check.near(3, 0.5).run().unwrap();
    assert_eq!(report.points, 4);
    assert!(report.worst < 1e-8, "{report}");
    assert!(report.unseen.is_empty(), "{report}");
}

#[autodiff(d_rotate, Reverse, Duplicated, Duplicated)]
#[autodiff(b_rotate, Forward, Dual, Dual)]
#[autodiff(v_rotate, Forward, 2, Dualv, Dualv)]
#[autodiff(u_rotate, Forward, 2, Dual, Dual)]
fn rotate(x: &[f64], y: &mut [f64]) {
    for i in 0..x.len() {
        y[i] = y[i] * 0.5 + x[i] * x[(i + 1) % x.len()];
    }
}

#[test]
fn what_is_written_behind_a_reference() {
    let x = [1.0, 3.0, 2.0];
    let y = [0.5, -1.0, 2.0];
    check!(rotate(Duplicated(&x), Duplicated(&mut y)), reverse = d_rotate, forward = b_rotate, forward(2) = u_rotate)
        .assert();
    check!(rotate(Dualv(&x), Dualv(&mut y)), forward(2) = v_rotate).assert();
    assert_eq!(y, [0.5, -1.0, 2.0], "the variables stay as they are");
}

#[derive(Clone, Copy)]
struct Point {
    x: f64,
    y: f64,
}
check::floats!(Point { x, y });

struct Shape {
    corners: Vec<Point>,
    #[allow(dead_code, reason = "something that is not a float")]
    name: String,
}

impl Clone for Shape {
    fn clone(&self) -> Shape {
        Shape { corners: self.corners.clone(), name: self.name.clone() }
    }
}

impl check::Floats for Shape {
    fn visit(&mut self, visitor: &mut check::Visitor<'_>) {
        visitor.field("corners", &mut self.corners);
    }
}

impl Shape {
    #[autodiff(d_moment, Reverse, Duplicated, Active, Active)]
    #[autodiff(b_moment, Forward, Dual, Dual, Dual)]
    fn moment(&self, about: Point) -> Point {
        let mut sum = Point { x: 0.0, y: 0.0 };
        for p in &self.corners {
            sum.x += (p.x - about.x) * (p.x - about.x);
            sum.y += (p.y - about.y) * p.x;
        }
        sum
    }
}

#[test]
fn methods_and_structs_by_value_and_by_reference() {
    let shape = Shape { corners: vec![Point { x: 0.3, y: 2.0 }, Point { x: -1.0, y: 0.7 }], name: "wedge".to_owned() };
    check!(
        Shape::moment(Duplicated(&shape), Active(Point { x: 0.1, y: 0.2 })) -> Active,
        reverse = Shape::d_moment,
        forward = Shape::b_moment
    )
    .assert();
}

#[autodiff(d_scaled, Reverse, Duplicated, Const, Active)]
#[autodiff(b_scaled, Forward, Dual, Const, Dual)]
fn scaled<const N: usize>(x: &[f32; N], k: usize) -> f32 {
    x.iter().map(|x| (x * k as f32).sin()).product()
}

#[test]
fn generic_functions_single_precision_and_integers() {
    let x = [0.3f32, 0.7, -0.5];
    check!(scaled::<3>(Duplicated(&x), Const(2)) -> Active, reverse = d_scaled::<3>, forward = b_scaled::<3>).assert();
}

#[allow(clippy::ptr_arg, reason = "a vector whose elements are written")]
#[autodiff(d_step, Reverse, Duplicated, Const, Const)]
#[autodiff(b_step, Forward, Dual, Const, Const)]
fn step(x: &mut Vec<f64>, scratch: &mut [f64]) -> usize {
    scratch[0] = 2.0;
    for x in x.iter_mut() {
        *x *= x.cos();
    }
    x.len()
}

#[test]
fn a_constant_result_and_constants_that_are_written() {
    let x = vec![0.3, 0.9];
    let scratch = [0.0; 1];
    check!(step(Duplicated(&mut x), Const(&mut scratch)) -> Const, reverse = d_step, forward = b_step).assert();
    assert_eq!(scratch, [0.0]);
}

#[autodiff(d_total, Reverse, Duplicated, DuplicatedOnly, ActiveOnly)]
fn total(x: &[f64], y: &mut f64) -> f64 {
    *y *= x.iter().sum::<f64>();
    x[0] * x[1]
}

#[test]
fn values_that_need_not_be_computed_are_not_compared() {
    let (x, y) = ([0.4, 2.0], 3.0);
    check!(total(Duplicated(&x), DuplicatedOnly(&mut y)) -> ActiveOnly, reverse = d_total).assert();
}

#[autodiff(d_nothing_else, Reverse, Active, Active)]
#[autodiff(v_nothing_else, Forward, 16, Dual, Dual)]
fn wave(t: f64) -> f64 {
    t.sin() * t
}

#[test]
fn functions_of_a_number() {
    check!(wave(Active(0.3)) -> Active, reverse = d_nothing_else, forward(16) = v_nothing_else).assert();
    check::scalar(wave).reverse(d_nothing_else).points([0.3, -2.0, 7.0]).assert();
}
