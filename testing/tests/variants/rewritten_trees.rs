//! Trees and lists that are cloned and then rewritten by value, in which an `f32` lies beside a box, a vector or a key.

use cotangent::{Shadow, autodiff};
use testing::check::owned;

#[derive(Clone, Shadow)]
enum Chain {
    End(f32),
    Link(f32, Box<Chain>),
}

impl Chain {
    fn value(&self) -> f32 {
        match self {
            Chain::End(v) => v.sin(),
            Chain::Link(by, rest) => by * rest.value(),
        }
    }

    fn rewritten(self) -> Chain {
        match self {
            Chain::Link(by, rest) => Chain::Link(by, Box::new(rest.rewritten())),
            end => end,
        }
    }

    fn floats<'a>(&'a mut self, all: &mut Vec<&'a mut f32>) {
        match self {
            Chain::End(v) => all.push(v),
            Chain::Link(by, rest) => {
                all.push(by);
                rest.floats(all);
            }
        }
    }
}

#[test]
fn a_chain_of_boxes() {
    #[autodiff(forward, Forward, Dual, Dual)]
    #[autodiff(reverse, Reverse, Duplicated, Active)]
    fn primal(chain: &Chain) -> f32 {
        chain.clone().rewritten().value()
    }
    let chain = Chain::Link(0.4, Box::new(Chain::Link(0.3, Box::new(Chain::End(0.2)))));
    owned(chain, primal, forward, reverse, |chain| {
        let mut all = Vec::new();
        chain.floats(&mut all);
        all
    });
}

#[derive(Clone, Shadow)]
enum Term {
    Const(f32),
    Scaled { by: f32, of: Box<Term> },
    Sum(Vec<Term>),
    Sin(Box<Term>),
}

impl Term {
    fn simplified(self) -> Term {
        match self {
            Term::Scaled { by, of } => match of.simplified() {
                Term::Const(c) => Term::Const(by * c),
                Term::Scaled { by: inner, of } => Term::Scaled { by: by * inner, of },
                of => Term::Scaled { by, of: Box::new(of) },
            },
            Term::Sum(terms) => Term::Sum(terms.into_iter().map(Term::simplified).collect()),
            Term::Sin(of) => Term::Sin(Box::new(of.simplified())),
            other => other,
        }
    }

    fn value(&self) -> f32 {
        match self {
            Term::Const(c) => *c,
            Term::Scaled { by, of } => by * of.value(),
            Term::Sum(terms) => terms.iter().map(Term::value).sum(),
            Term::Sin(of) => of.value().sin(),
        }
    }

    fn floats<'a>(&'a mut self, all: &mut Vec<&'a mut f32>) {
        match self {
            Term::Const(c) => all.push(c),
            Term::Scaled { by, of } => {
                all.push(by);
                of.floats(all);
            }
            Term::Sum(terms) => terms.iter_mut().for_each(|term| term.floats(all)),
            Term::Sin(of) => of.floats(all),
        }
    }
}

fn scaled(by: f32, of: Term) -> Term {
    Term::Scaled { by, of: Box::new(of) }
}

#[test]
fn an_expression_that_is_simplified() {
    #[autodiff(forward, Forward, Dual, Dual)]
    #[autodiff(reverse, Reverse, Duplicated, Active)]
    fn primal(term: &Term) -> f32 {
        term.clone().simplified().value() * term.value()
    }
    let inner = Term::Sum(vec![Term::Const(0.3), scaled(0.6, Term::Sin(Box::new(Term::Const(0.5))))]);
    let term = Term::Sum(vec![
        scaled(0.7, scaled(0.8, Term::Const(1.1))),
        Term::Sin(Box::new(scaled(0.9, inner))),
        Term::Const(0.2),
    ]);
    owned(term, primal, forward, reverse, |term| {
        let mut all = Vec::new();
        term.floats(&mut all);
        all
    });
}

#[derive(Clone, Shadow)]
enum Tree {
    Leaf(f32),
    Fork(Box<Tree>, Box<Tree>),
    Weighted(f32, Box<Tree>),
}

impl Tree {
    fn normed(self) -> Result<Tree, String> {
        Ok(match self {
            Tree::Leaf(v) if v > 100.0 => return Err("too large".to_string()),
            Tree::Leaf(v) => Tree::Leaf(v / (1.0 + v)),
            Tree::Fork(a, b) => Tree::Fork(Box::new(b.normed()?), Box::new(a.normed()?)),
            Tree::Weighted(by, of) => Tree::Weighted(by.sqrt(), Box::new(of.normed()?)),
        })
    }

    fn value(&self) -> f32 {
        match self {
            Tree::Leaf(v) => *v,
            Tree::Fork(a, b) => a.value() * 1.5 + b.value().sin(),
            Tree::Weighted(by, of) => by * of.value(),
        }
    }

    fn floats<'a>(&'a mut self, all: &mut Vec<&'a mut f32>) {
        match self {
            Tree::Leaf(v) => all.push(v),
            Tree::Fork(a, b) => {
                a.floats(all);
                b.floats(all);
            }
            Tree::Weighted(by, of) => {
                all.push(by);
                of.floats(all);
            }
        }
    }
}

#[test]
fn a_tree_whose_rewriting_may_fail() {
    #[autodiff(forward, Forward, Dual, Dual)]
    #[autodiff(reverse, Reverse, Duplicated, Active)]
    fn primal(tree: &Tree) -> f32 {
        match tree.clone().normed() {
            Ok(normed) => normed.value() * tree.value(),
            Err(message) => message.len() as f32,
        }
    }
    let inner = Tree::Fork(Box::new(Tree::Leaf(0.5)), Box::new(Tree::Weighted(0.4, Box::new(Tree::Leaf(0.9)))));
    let tree = Tree::Fork(Box::new(Tree::Weighted(0.7, Box::new(inner))), Box::new(Tree::Leaf(0.6)));
    owned(tree, primal, forward, reverse, |tree| {
        let mut all = Vec::new();
        tree.floats(&mut all);
        all
    });
}

#[derive(Clone, Shadow)]
enum Shape {
    Dot(f32),
    Line(f32, f32),
    Group(f32, Vec<Shape>),
    Moved(f32, Box<Shape>),
}

impl Shape {
    fn scaled(self, by: f32) -> Shape {
        match self {
            Shape::Dot(a) => Shape::Dot(a * by),
            Shape::Line(a, b) => Shape::Line(a * by, b),
            Shape::Group(weight, all) => {
                Shape::Group(weight, all.into_iter().map(|shape| shape.scaled(by * weight)).collect())
            }
            Shape::Moved(by_that, shape) => Shape::Moved(by_that * 0.5, Box::new(shape.scaled(by))),
        }
    }

    fn flattened(self, ends: &mut Vec<(f32, f32)>) {
        match self {
            Shape::Dot(a) => ends.push((a, 1.0)),
            Shape::Line(a, b) => ends.extend([(a, b), (b, a)]),
            Shape::Group(weight, all) => {
                for shape in all {
                    shape.flattened(ends);
                    if let Some(last) = ends.last_mut() {
                        last.0 *= weight;
                    }
                }
            }
            Shape::Moved(by, shape) => {
                shape.flattened(ends);
                ends.iter_mut().for_each(|end| end.0 += by);
            }
        }
    }

    fn floats<'a>(&'a mut self, all: &mut Vec<&'a mut f32>) {
        match self {
            Shape::Dot(a) => all.push(a),
            Shape::Line(a, b) => all.extend([a, b]),
            Shape::Group(weight, shapes) => {
                all.push(weight);
                shapes.iter_mut().for_each(|shape| shape.floats(all));
            }
            Shape::Moved(by, shape) => {
                all.push(by);
                shape.floats(all);
            }
        }
    }
}

#[test]
fn shapes_that_are_scaled_and_flattened() {
    #[autodiff(forward, Forward, Dual, Dual)]
    #[autodiff(reverse, Reverse, Duplicated, Active)]
    fn primal(shapes: &Vec<Shape>) -> f32 {
        let mut ends = Vec::new();
        for shape in shapes.clone() {
            shape.scaled(0.8).flattened(&mut ends);
        }
        ends.iter().enumerate().map(|(i, (a, b))| a.sin() * b * (1.0 + i as f32 * 0.2)).sum()
    }
    let group = vec![
        Shape::Line(0.3, 0.6),
        Shape::Moved(0.2, Box::new(Shape::Dot(0.5))),
        Shape::Group(0.9, vec![Shape::Dot(0.8)]),
    ];
    let far = Shape::Moved(0.35, Box::new(Shape::Moved(0.1, Box::new(Shape::Line(0.5, 0.45)))));
    let shapes = vec![Shape::Dot(0.4), Shape::Group(0.7, group), far];
    owned(shapes, primal, forward, reverse, |shapes| {
        let mut all = Vec::new();
        shapes.iter_mut().for_each(|shape| shape.floats(&mut all));
        all
    });
}

type Link<K, V> = Option<Box<Node<K, V>>>;

/// A node of a search tree.
#[derive(Clone, Shadow)]
struct Node<K, V> {
    key: K,
    value: V,
    left: Link<K, V>,
    right: Link<K, V>,
}

fn insert<K: PartialOrd, V: std::ops::AddAssign>(tree: Link<K, V>, key: K, value: V) -> Link<K, V> {
    Some(match tree {
        None => Box::new(Node { key, value, left: None, right: None }),
        Some(mut node) => {
            if key < node.key {
                node.left = insert(node.left.take(), key, value);
            } else if key > node.key {
                node.right = insert(node.right.take(), key, value);
            } else {
                node.value += value;
            }
            node
        }
    })
}

fn without_least<K, V>(tree: Box<Node<K, V>>) -> ((K, V), Link<K, V>) {
    let Node { key, value, left, right } = *tree;
    match left {
        None => ((key, value), right),
        Some(left) => {
            let (least, left) = without_least(left);
            (least, Some(Box::new(Node { key, value, left, right })))
        }
    }
}

fn floats_of<'a, K, V>(node: &'a mut Node<K, V>, all: &mut Vec<&'a mut V>) {
    all.push(&mut node.value);
    [&mut node.left, &mut node.right].into_iter().flatten().for_each(|node| floats_of(node, all));
}

macro_rules! search_tree {
    ($name:ident, $key:ty, $float:ty) => {
        #[test]
        fn $name() {
            #[autodiff(forward, Forward, Dual, Dual)]
            #[autodiff(reverse, Reverse, Duplicated, Active)]
            fn primal(tree: &Node<$key, $float>) -> $float {
                let mut rest = insert(Some(Box::new(tree.clone())), 4, tree.value * 2.0);
                let mut sum = 0.0;
                while let Some(node) = rest {
                    let (least, others) = without_least(node);
                    sum += least.1 * least.1.sin() * (least.0 as $float + 1.0);
                    rest = others;
                }
                sum
            }
            let entries = [(5, 0.3), (2, 0.5), (8, 0.7), (6, 0.9), (1, 0.2)];
            let tree = entries.into_iter().fold(None, |tree, (key, value)| insert(tree, key, value));
            owned(*tree.expect("there are entries"), primal, forward, reverse, |tree| {
                let mut all = Vec::new();
                floats_of(tree, &mut all);
                all
            });
        }
    };
}

search_tree!(a_search_tree_of_f32_by_narrow_keys, u32, f32);
search_tree!(a_search_tree_of_f64_by_wide_keys, u64, f64);
