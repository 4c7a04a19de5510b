//! Data that holds itself in boxes, handed on by value: lists, search trees and expressions that are taken apart by `match *self`, built anew,
//! cloned and changed in place.

use crate::functional;

enum Shape {
    Circle(f64),
    Path(Vec<f64>),
    Both(Box<Shape>, Box<Shape>),
}

#[inline(never)]
fn consumed(shape: Shape) -> f64 {
    match shape {
        Shape::Circle(radius) => 3.0 * radius * radius,
        Shape::Path(points) => points.into_iter().map(f64::sin).sum(),
        Shape::Both(a, b) => consumed(*a) * consumed(*b),
    }
}

#[derive(Clone)]
enum Expr {
    Const(f64),
    Var(usize),
    Neg(Box<Expr>),
    Add(Box<Expr>, Box<Expr>),
    Mul(Box<Expr>, Box<Expr>),
    Call(String, Vec<Expr>),
}
use Expr::{Add, Call, Const, Mul, Neg, Var};

fn boxed(value: f64) -> Box<Expr> {
    Box::new(Const(value))
}

fn expression(x: &[f64]) -> Expr {
    let product = Mul(Box::new(Add(boxed(x[0]), Box::new(Var(1)))), Box::new(Neg(boxed(x[2]))));
    let first = if x[0] > 0.0 { Const(x[0] * x[1]) } else { Neg(boxed(x[1])) };
    Add(Box::new(product), Box::new(Call("product".to_string(), vec![first, Var(0), Const(x[1].sin())])))
}

fn value_of(e: Expr, x: &[f64]) -> f64 {
    match e {
        Const(value) => value,
        Var(i) => x[i],
        Neg(a) => -value_of(*a, x),
        Add(a, b) => value_of(*a, x) + value_of(*b, x),
        Mul(a, b) => value_of(*a, x) * value_of(*b, x),
        Call(name, arguments) => {
            let start = if name == "product" { 1.0 } else { 2.0 };
            arguments.into_iter().fold(start, |product, a| product * value_of(a, x))
        }
    }
}

fn value(e: &Expr, x: &[f64]) -> f64 {
    match e {
        Const(value) => *value,
        Var(i) => x[*i],
        Neg(a) => -value(a, x),
        Add(a, b) => value(a, x) + value(b, x),
        Mul(a, b) => value(a, x) * value(b, x),
        Call(name, arguments) if name.len() == 7 => arguments.iter().map(|a| value(a, x)).product(),
        Call(..) => 0.0,
    }
}

fn simplified(e: Expr) -> Expr {
    match e {
        Add(a, b) => match (simplified(*a), simplified(*b)) {
            (Const(a), Const(b)) => Const(a + b),
            (a, b) => Add(Box::new(a), Box::new(b)),
        },
        Mul(a, b) => match (simplified(*a), simplified(*b)) {
            (Const(a), Const(b)) => Const(a * b),
            (a, b) => Mul(Box::new(a), Box::new(b)),
        },
        Neg(a) => match simplified(*a) {
            Const(a) => Const(-a),
            Neg(a) => *a,
            a => Neg(Box::new(a)),
        },
        Call(name, arguments) => Call(name, arguments.into_iter().map(simplified).collect()),
        e => e,
    }
}

impl Expr {
    fn differentiated(&self, i: usize) -> Expr {
        let again = |e: &Expr| Box::new(e.differentiated(i));
        match self {
            Var(j) if *j == i => Const(1.0),
            Const(_) | Var(_) | Call(..) => Const(0.0),
            Neg(a) => Neg(again(a)),
            Add(a, b) => Add(again(a), again(b)),
            Mul(a, b) => Add(Box::new(Mul(again(a), b.clone())), Box::new(Mul(a.clone(), again(b)))),
        }
    }

    fn double(&mut self) {
        match self {
            Const(value) => *value *= 2.0,
            Var(_) => {
                let old = std::mem::replace(self, Const(0.0));
                *self = Mul(boxed(2.0), Box::new(old));
            }
            Neg(a) | Mul(a, _) => a.double(),
            Add(a, b) => {
                a.double();
                b.double();
            }
            Call(_, arguments) => arguments.iter_mut().for_each(Expr::double),
        }
    }
}

enum List {
    Nil,
    Cons(f64, Box<List>),
}
use List::{Cons, Nil};

fn list(x: &[f64]) -> List {
    match x {
        [] => Nil,
        [head, tail @ ..] => Cons(*head, Box::new(list(tail))),
    }
}

fn sum(l: List) -> f64 {
    match l {
        Nil => 0.0,
        Cons(head, tail) => head * head + sum(*tail) * 0.5,
    }
}

fn mapped(l: List, f: fn(f64) -> f64) -> List {
    match l {
        Nil => Nil,
        Cons(head, tail) => Cons(f(head), Box::new(mapped(*tail, f))),
    }
}

fn turned(mut l: List) -> List {
    let mut out = Nil;
    while let Cons(head, tail) = l {
        out = Cons(head, Box::new(out));
        l = *tail;
    }
    out
}

fn inserted(l: List, value: f64) -> List {
    match l {
        Cons(head, tail) if head < value => Cons(head, Box::new(inserted(*tail, value))),
        l => Cons(value, Box::new(l)),
    }
}

fn push(l: &mut List, value: f64) {
    let old = std::mem::replace(l, Nil);
    *l = Cons(value, Box::new(old));
}

fn pop(l: &mut List) -> Option<f64> {
    match std::mem::replace(l, Nil) {
        Nil => None,
        Cons(head, tail) => {
            *l = *tail;
            Some(head)
        }
    }
}

#[derive(Clone)]
struct Node {
    key: f64,
    weight: f64,
    count: usize,
    left: Link,
    right: Link,
}
type Link = Option<Box<Node>>;

fn leaf(key: f64, weight: f64) -> Link {
    Some(Box::new(Node { key, weight, count: 1, left: None, right: None }))
}

fn grown(tree: Link, key: f64, weight: f64) -> Link {
    let Some(mut node) = tree else { return leaf(key, weight) };
    node.count += 1;
    if key < node.key {
        node.left = grown(node.left.take(), key, weight);
    } else {
        node.right = grown(node.right.take(), key, weight);
    }
    Some(node)
}

fn grow(mut tree: &mut Link, key: f64, weight: f64) {
    while let Some(node) = tree {
        node.count += 1;
        tree = if key < node.key { &mut node.left } else { &mut node.right };
    }
    *tree = leaf(key, weight);
}

fn rotated(tree: Link) -> Link {
    let mut top = tree?;
    let Some(mut left) = top.left.take() else { return Some(top) };
    top.left = left.right.take();
    left.right = Some(top);
    Some(left)
}

fn scaled(tree: Link, by: f64) -> Link {
    tree.map(|n| {
        let (left, right) = (scaled(n.left, by), scaled(n.right, by * by));
        Box::new(Node { key: n.key * by, weight: n.weight, count: n.count, left, right })
    })
}

fn weighed(tree: &Link, depth: f64) -> f64 {
    tree.as_ref().map_or(0.0, |n| {
        depth * n.key * n.weight * n.count as f64 + weighed(&n.left, depth + 1.0) + weighed(&n.right, depth * 2.0)
    })
}

fn eaten(tree: Link, depth: f64) -> f64 {
    tree.map_or(0.0, |n| {
        let n = *n;
        depth * n.key * n.weight * n.count as f64 + eaten(n.left, depth + 1.0) + eaten(n.right, depth * 2.0)
    })
}

functional! {
    fn variants_with_a_float_where_another_has_a_pointer(x: &[f64]) -> f64 {
        let first = if x[0] > 0.0 { Shape::Circle(x[0]) } else { Shape::Path(x.to_vec()) };
        let both = Shape::Both(Box::new(first), Box::new(Shape::Path(vec![x[1], x[2], x[0]])));
        consumed(both)
    } at [0.4, 1.2, -0.3], [-0.4, 1.2, -0.3];

    fn an_expression_simplified_and_evaluated_by_value(x: &[f64]) -> f64 {
        value_of(simplified(expression(x)), x)
    } at [0.4, 1.2, -0.3], [-0.4, 1.2, -0.3];

    fn an_expression_with_parts_cloned_into_a_new_one(x: &[f64]) -> f64 {
        let e = expression(x);
        value(&e.differentiated(1), x) * value_of(e.differentiated(0), x) + value_of(e, x)
    } at [0.4, 1.2, -0.3], [-0.4, 1.2, -0.3];

    fn an_expression_changed_in_place(x: &[f64]) -> f64 {
        let mut e = expression(x);
        e.double();
        value(&e, x) * value_of(e.clone(), x)
    } at [0.4, 1.2, -0.3], [-0.4, 1.2, -0.3];

    fn a_list_mapped_by_a_function_pointer(x: &[f64]) -> f64 {
        sum(mapped(turned(list(x)), f64::sin))
    } at [0.4, 1.2, -0.3];

    fn a_list_sorted_by_insertion(x: &[f64]) -> f64 {
        sum(x.iter().fold(Nil, |l, v| inserted(l, v * v * x[0])))
    } at [0.4, 1.2, -0.3];

    fn a_list_as_a_stack(x: &[f64]) -> f64 {
        let mut l = list(x);
        push(&mut l, x[0] * x[1]);
        let mut product = 1.0;
        while let Some(value) = pop(&mut l) {
            product *= value + 2.0;
        }
        product
    } at [0.4, 1.2, -0.3];

    fn a_search_tree_grown_by_value(x: &[f64]) -> f64 {
        let tree = x.iter().zip(&x[1..]).fold(None, |tree, (key, other)| grown(tree, *key, key * other));
        weighed(&tree, 1.0) * eaten(rotated(tree), 2.0)
    } at [0.4, 1.2, -0.3, 0.8, 0.5];

    fn a_search_tree_grown_in_place_and_cloned(x: &[f64]) -> f64 {
        let mut tree = None;
        x.iter().zip(&x[1..]).for_each(|(key, other)| grow(&mut tree, *key, key * other));
        let copy = tree.clone();
        eaten(scaled(tree, x[1]), 1.0) * weighed(&copy, 1.0)
    } at [0.4, 1.2, -0.3, 0.8, 0.5];
}
