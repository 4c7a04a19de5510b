//! Values of enums that have a float where another variant has a pointer, handed on by value; closures that are handed on by reference.

use crate::functional;

enum Message {
    One(f64),
    Many(Vec<f64>),
}

#[inline(never)]
fn read(message: Message) -> f64 {
    match message {
        Message::One(value) => value * value,
        Message::Many(values) => values.iter().product(),
    }
}

fn message(x: &[f64]) -> Message {
    if x.len() < 3 { Message::One(x[0] * x[1]) } else { Message::Many(vec![x[0], x[1] + x[2]]) }
}

#[derive(Clone)]
enum Shape {
    Circle(f64),
    Path(Vec<f64>),
    Both(Box<Shape>, Box<Shape>),
}

#[inline(never)]
fn area(shape: &Shape) -> f64 {
    match shape {
        Shape::Circle(radius) => 3.0 * radius * radius,
        Shape::Path(points) => points.windows(2).map(|p| p[0] * p[1]).sum(),
        Shape::Both(a, b) => area(a) * area(b),
    }
}

struct Tree {
    value: f64,
    children: Vec<Tree>,
}

fn scale(tree: &mut Tree, by: f64) {
    tree.value *= by;
    tree.children.iter_mut().for_each(|child| scale(child, by));
}

fn grown(value: f64, depth: usize) -> Tree {
    let children = if depth == 0 { Vec::new() } else { vec![grown(value, depth - 1)] };
    Tree { value, children }
}

functional! {
    fn a_variant_of_two_by_value(x: &[f64]) -> f64 {
        read(message(x))
    } at [0.4, 1.2], [0.4, 1.2, -0.3];

    fn a_variant_of_two_out_of_a_box(x: &[f64]) -> f64 {
        let boxed = Box::new(message(x));
        read(*boxed)
    } at [0.4, 1.2], [0.4, 1.2, -0.3];

    fn variants_out_of_a_vector(x: &[f64]) -> f64 {
        let all = vec![message(&x[..2]), message(x), Message::One(x[1])];
        all.into_iter().map(read).product()
    } at [0.4, 1.2], [0.4, 1.2, -0.3];

    fn a_tree_of_variants_by_reference(x: &[f64]) -> f64 {
        let first = if x[0] > 0.0 { Shape::Circle(x[0]) } else { Shape::Path(x.to_vec()) };
        let both = Shape::Both(Box::new(first), Box::new(Shape::Path(vec![x[1], x[2], x[0]])));
        area(&both)
    } at [0.4, 1.2, -0.3], [-0.4, 1.2, -0.3];

    // The factor lies behind a pointer in the closure's environment, both on the stack of a call that has returned.
    fn a_recursion_through_a_closure_with_a_reference(x: &[f64]) -> f64 {
        let mut tree = grown(x[0] * 3.0, 2);
        scale(&mut tree, x[1]);
        tree.children[0].children[0].value
    } at [0.3, 0.7], [-0.4, 0.9];
}
