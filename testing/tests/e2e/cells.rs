//! Interior mutability and shared ownership inside of the function: `Cell`, `RefCell`, `Rc`.

use crate::{assert_close, functional};
use cotangent::{Shadow, autodiff, zeroed};
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

struct Node {
    value: f64,
    next: Option<Rc<RefCell<Node>>>,
}

struct State {
    product: f64,
    count: usize,
    seen: Vec<f64>,
}

struct Tree {
    value: f64,
    children: Vec<Rc<Tree>>,
}

fn total(tree: &Tree) -> f64 {
    tree.value * tree.value + tree.children.iter().map(|child| total(child).sin()).sum::<f64>()
}

struct Member {
    value: Cell<f64>,
    children: RefCell<Vec<Rc<Member>>>,
    parent: RefCell<Weak<Member>>,
}

impl Member {
    fn new(value: f64) -> Rc<Member> {
        Rc::new(Member { value: Cell::new(value), children: RefCell::default(), parent: RefCell::default() })
    }

    fn adopt(self: &Rc<Member>, child: Rc<Member>) {
        *child.parent.borrow_mut() = Rc::downgrade(self);
        self.children.borrow_mut().push(child);
    }

    fn total(&self) -> f64 {
        self.value.get() + self.children.borrow().iter().map(|child| 0.5 * child.total()).sum::<f64>()
    }
}

#[inline(never)]
fn constants(n: usize) -> Vec<RefCell<Vec<f64>>> {
    (0..n).map(|i| RefCell::new(vec![i as f64; i])).collect()
}

functional! {
    fn a_number_in_a_cell(x: &[f64]) -> f64 {
        let sum = Cell::new(0.0_f64);
        for x in x {
            sum.set(sum.get() + x * x * sum.get().cos());
        }
        sum.get()
    } at [0.4, 1.2, -0.3];

    fn a_number_in_a_ref_cell(x: &[f64]) -> f64 {
        let y = RefCell::new(0.0);
        for x in x {
            let mut y = y.borrow_mut();
            *y = *y * x.sin() + x;
        }
        let y = *y.borrow();
        y * y
    } at [0.4, 1.2, -0.3];

    fn a_structure_in_a_ref_cell(x: &[f64]) -> f64 {
        let state = RefCell::new(State { product: 1.0, count: 0, seen: Vec::new() });
        for x in x {
            let mut state = state.borrow_mut();
            state.product *= x;
            state.count += 1;
            state.seen.push(*x);
        }
        let state = state.borrow();
        state.product * state.count as f64 + state.seen[0] * state.seen[2]
    } at [0.4, 1.2, -0.3];

    fn a_vec_that_is_shared_and_changed(x: &[f64]) -> f64 {
        let shared: Rc<RefCell<Vec<f64>>> = Rc::new(RefCell::new(Vec::new()));
        let other = Rc::clone(&shared);
        for x in x {
            other.borrow_mut().push(x * x);
        }
        let all = shared.borrow();
        all.iter().zip(x).map(|(a, x)| a * x).sum()
    } at [0.4, 1.2, -0.3];

    fn nodes_that_share_a_node(x: &[f64]) -> f64 {
        let first = Rc::new(RefCell::new(Node { value: x[0], next: None }));
        let second = Rc::new(RefCell::new(Node { value: x[1], next: Some(Rc::clone(&first)) }));
        first.borrow_mut().value *= x[2];
        let behind = second.borrow().next.as_ref().map_or(0.0, |node| node.borrow().value);
        second.borrow_mut().value += behind * behind;
        let value = second.borrow().value;
        value * x[2]
    } at [0.4, 1.2, -0.3];

    fn a_tree_with_a_shared_leaf(x: &[f64]) -> f64 {
        let leaf = Rc::new(Tree { value: x[0], children: Vec::new() });
        let branch = Rc::new(Tree { value: x[1], children: vec![Rc::clone(&leaf)] });
        total(&Tree { value: x[2], children: vec![leaf, branch] })
    } at [0.4, 1.2, -0.3];

    fn a_tree_that_knows_its_parents(x: &[f64]) -> f64 {
        let (root, branch) = (Member::new(x[0]), Member::new(x[1]));
        root.adopt(Rc::clone(&branch));
        branch.adopt(Member::new(x[2]));
        root.adopt(Member::new(x[0] * x[2]));
        if let Some(parent) = branch.parent.borrow().upgrade() {
            parent.value.set(parent.value.get() * branch.value.get());
        }
        root.total()
    } at [0.4, 1.2, -0.3];

    fn cells_of_vectors_made_by_a_call(x: &[f64]) -> f64 {
        let cells = constants(4);
        for (cell, x) in cells.iter().skip(1).zip(x) {
            cell.borrow_mut()[0] += x;
            cell.borrow_mut().push(x * x);
        }
        cells.iter().map(|c| c.borrow().iter().map(|v| v.cos()).sum::<f64>() + 1.0).product()
    } at [0.4, 1.2, -0.3];
}

#[derive(Shadow)]
enum Kernel {
    Decay { rate: f64 },
    Sum(Box<Kernel>, Box<Kernel>),
    One,
}

impl Kernel {
    fn at(&self, t: f64) -> f64 {
        match self {
            Kernel::Decay { rate } => (-t * rate).exp(),
            Kernel::Sum(a, b) => a.at(t) + 0.5 * b.at(t),
            Kernel::One => 1.0,
        }
    }
}

/// How often the cell is borrowed lies right behind a pointer of the enum, where a vector would have its length.
#[derive(Shadow)]
struct Model {
    kernel: Kernel,
    weights: RefCell<Vec<f64>>,
}

#[autodiff(d_of_model, Reverse, Duplicated, Active)]
#[autodiff(f_of_model, Forward, Dual, Dual)]
fn of_model(model: &Model) -> f64 {
    model.kernel.at(0.5) * model.weights.borrow().iter().sum::<f64>() + model.weights.borrow()[0]
}

#[test]
fn a_cell_behind_an_enum_of_boxes_is_borrowed() {
    let sum = Kernel::Sum(Box::new(Kernel::Decay { rate: 0.8 }), Box::new(Kernel::One));
    let model = Model { kernel: sum, weights: RefCell::new(vec![0.3, 0.4]) };
    let kernel = (-0.4f64).exp() + 0.5;
    let mut shadow = zeroed(&model);
    assert_close!(d_of_model(&model, &mut shadow, 1.0), kernel * 0.7 + 0.3);
    assert_close!(&shadow.weights.borrow()[..], [kernel + 1.0, kernel]);
    let Kernel::Sum(first, _) = &shadow.kernel else { panic!("another variant") };
    let Kernel::Decay { rate } = **first else { panic!("another variant") };
    assert_close!(rate, -0.5 * (-0.4f64).exp() * 0.7);
    // The sum of the squares of the gradient.
    let along = rate * rate + (kernel + 1.0).powi(2) + kernel * kernel;
    assert_close!(f_of_model(&model, &shadow), (kernel * 0.7 + 0.3, along));
}
