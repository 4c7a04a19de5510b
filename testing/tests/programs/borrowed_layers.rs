//! Vectors of `Rc<RefCell<..>>` that are borrowed in loops: the marks of the borrows change by one and lead nowhere.

use cotangent::{Shadow, autodiff, zeroed};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

#[derive(Shadow)]
struct Linear {
    weights: Rc<RefCell<Vec<f64>>>,
    offsets: Rc<RefCell<Vec<f64>>>,
}

impl Linear {
    fn new(weights: &[f64], offsets: &[f64]) -> Linear {
        let shared = |values: &[f64]| Rc::new(RefCell::new(values.to_vec()));
        Linear { weights: shared(weights), offsets: shared(offsets) }
    }

    fn run(&self, x: &[f64]) -> Vec<f64> {
        let weights = self.weights.borrow();
        x.iter().zip(weights.iter()).map(|(a, b)| a * b).collect()
    }
}

#[allow(clippy::ptr_arg, reason = "vectors are what is tried")]
#[autodiff(d_folded, Reverse, Duplicated, Const, Active)]
fn folded(layers: &Vec<Linear>, x: &[f64]) -> f64 {
    layers.iter().fold(x.to_vec(), |h, layer| layer.run(&h))[0]
}

#[allow(clippy::ptr_arg, reason = "vectors are what is tried")]
#[autodiff(d_looped, Reverse, Duplicated, Active)]
fn looped(layers: &Vec<Linear>) -> f64 {
    let mut x = vec![0.5, 2.0];
    for layer in layers {
        let (weights, offsets) = (layer.weights.borrow(), layer.offsets.borrow());
        x = x.iter().zip(weights.iter()).zip(offsets.iter()).map(|((a, w), b)| a * w + b).collect();
    }
    x.iter().sum()
}

fn layers() -> Vec<Linear> {
    vec![Linear::new(&[2.0, 3.0], &[0.5, 0.25]), Linear::new(&[5.0, 7.0], &[1.0, -1.0])]
}

#[test]
fn layers_are_folded() {
    let model = layers();
    let mut shadow = zeroed(&model);
    assert_eq!(d_folded(&model, &mut shadow, &[1.5, 1.0], 1.0), 15.0);
    assert_eq!(*shadow[0].weights.borrow(), [7.5, 0.0]);
    assert_eq!(*shadow[1].weights.borrow(), [3.0, 0.0]);
}

#[test]
fn two_parts_of_a_layer_are_borrowed_at_once() {
    let model = layers();
    let mut shadow = zeroed(&model);
    assert_eq!(d_looped(&model, &mut shadow, 1.0), 5.0 * 1.5 + 7.0 * 6.25);
    assert_eq!(*shadow[0].weights.borrow(), [2.5, 14.0]);
    assert_eq!(*shadow[0].offsets.borrow(), [5.0, 7.0]);
    assert_eq!(*shadow[1].weights.borrow(), [1.5, 6.25]);
    assert_eq!(*shadow[1].offsets.borrow(), [1.0, 1.0]);
}

#[derive(Shadow)]
struct Tank {
    level: f64,
    history: Vec<f64>,
}

#[derive(Shadow)]
struct Plant {
    tanks: Vec<Rc<RefCell<Tank>>>,
}

#[autodiff(d_drained, Reverse, Duplicated, Active)]
fn drained(plant: &Plant) -> f64 {
    let mut sum = 0.0;
    for tank in &plant.tanks {
        let tank = tank.borrow();
        sum += tank.level * tank.history.iter().sum::<f64>();
    }
    sum
}

#[test]
fn a_record_with_a_vector_is_borrowed() {
    let tank = |level| Rc::new(RefCell::new(Tank { level, history: vec![0.25, 0.5] }));
    let plant = Plant { tanks: vec![tank(2.0), tank(3.0)] };
    let mut shadow = zeroed(&plant);
    assert_eq!(d_drained(&plant, &mut shadow, 1.0), 3.75);
    let adjoints = |i: usize| (shadow.tanks[i].borrow().level, shadow.tanks[i].borrow().history.clone());
    assert_eq!(adjoints(0), (0.75, vec![2.0, 2.0]));
    assert_eq!(adjoints(1), (0.75, vec![3.0, 3.0]));
}

#[derive(Shadow)]
struct Model {
    rows: Vec<Rc<Vec<f64>>>,
    sums: Rc<RefCell<Vec<f64>>>,
}

#[autodiff(d_weighed, Reverse, Duplicated, Active)]
fn weighed(model: &Model) -> f64 {
    let sums = model.sums.borrow();
    let mut all = 0.0;
    for (row, sum) in model.rows.iter().zip(sums.iter()) {
        let row = Rc::clone(row);
        all += row[0] * sum;
    }
    all
}

#[test]
fn rows_are_cloned_while_a_vector_is_borrowed() {
    let rows = vec![Rc::new(vec![2.0, 1.0]), Rc::new(vec![5.0])];
    let model = Model { rows, sums: Rc::new(RefCell::new(vec![3.0, 7.0])) };
    let mut shadow = zeroed(&model);
    assert_eq!(d_weighed(&model, &mut shadow, 1.0), 41.0);
    assert_eq!((shadow.rows[0].to_vec(), shadow.rows[1].to_vec()), (vec![3.0, 0.0], vec![7.0]));
    assert_eq!(*shadow.sums.borrow(), [2.0, 5.0]);
}

#[allow(clippy::box_collection, reason = "boxes are what is tried")]
#[derive(Shadow)]
struct Tables {
    weights: Rc<RefCell<Vec<f64>>>,
    boxed: Box<Vec<Vec<f64>>>,
    sent: Arc<Vec<Vec<f64>>>,
    shared: Rc<Vec<Vec<f64>>>,
}

#[autodiff(d_summed, Reverse, Duplicated, Active)]
fn summed(tables: &Tables) -> f64 {
    let weights = tables.weights.borrow();
    let mut sum = 0.0;
    for (i, row) in tables.boxed.iter().enumerate() {
        for (v, w) in row.iter().zip(weights.iter()) {
            sum += v * w * tables.sent[i][0] + tables.shared[0][i];
        }
    }
    sum
}

#[test]
fn tables_of_all_owners_lie_beside_a_borrowed_vector() {
    let tables = Tables {
        weights: Rc::new(RefCell::new(vec![3.0, 5.0])),
        boxed: Box::new(vec![vec![1.0, 2.0], vec![0.5, 0.25]]),
        sent: Arc::new(vec![vec![2.0], vec![4.0]]),
        shared: Rc::new(vec![vec![1.0, 1.0]]),
    };
    let mut shadow = zeroed(&tables);
    assert_eq!(d_summed(&tables, &mut shadow, 1.0), 41.0);
    assert_eq!(*shadow.weights.borrow(), [4.0, 5.0]);
    assert_eq!(*shadow.boxed, [[6.0, 10.0], [12.0, 20.0]]);
    assert_eq!(*shadow.sent, [[13.0], [2.75]]);
    assert_eq!(*shadow.shared, [[2.0, 2.0]]);
}

/// Weights, and how often they were used.
#[derive(Shadow)]
struct Counted {
    weights: Rc<RefCell<Vec<f64>>>,
    uses: Cell<usize>,
}

impl Counted {
    fn run(&self, x: f64) -> f64 {
        self.uses.set(self.uses.get() + 1);
        self.weights.borrow().iter().fold(x, |h, weight| (weight * h).sin() + weight)
    }
}

#[allow(clippy::ptr_arg, reason = "vectors are what is tried")]
#[autodiff(d_counted, Reverse, Duplicated, Const, Active)]
fn counted(layers: &Vec<Counted>, x: &[f64]) -> f64 {
    let sum: f64 = x.iter().map(|x| layers.iter().fold(*x, |h, layer| layer.run(h))).sum();
    sum * layers.iter().map(|layer| layer.uses.replace(0) as f64).sum::<f64>()
}

#[allow(clippy::ptr_arg, reason = "vectors are what is tried")]
#[autodiff(d_once, Reverse, Duplicated, Active)]
fn once(layers: &Vec<Counted>) -> f64 {
    let one = |layer: &Counted| {
        layer.uses.set(layer.uses.get() + 1);
        layer.weights.borrow()[0].sin()
    };
    layers.iter().map(one).sum()
}

#[test]
fn uses_are_counted_beside_the_weights() {
    let layer = |weights: &[f64]| Counted { weights: Rc::new(RefCell::new(weights.to_vec())), uses: Cell::new(1) };
    let model = vec![layer(&[0.3, 0.2]), layer(&[0.5])];
    let mut shadow = zeroed(&model);
    assert_eq!(d_once(&model, &mut shadow, 1.0), 0.3f64.sin() + 0.5f64.sin());
    assert_eq!((model[0].uses.get(), shadow[0].uses.get()), (2, 1));
    assert_eq!(*shadow[1].weights.borrow(), [0.5f64.cos()]);
    let x = [0.4, 0.9];
    let at = |layer: usize, weight: usize, by: f64| {
        model.iter().for_each(|layer| layer.uses.set(2));
        model[layer].weights.borrow_mut()[weight] += by;
        let value = counted(&model, &x);
        model[layer].weights.borrow_mut()[weight] -= by;
        value
    };
    let mut shadow = zeroed(&model);
    at(0, 0, 0.0);
    model.iter().for_each(|layer| layer.uses.set(2));
    d_counted(&model, &mut shadow, &x, 1.0);
    assert_eq!((model[0].uses.get(), model[1].uses.get()), (0, 0));
    for (layer, weight) in [(0, 0), (0, 1), (1, 0)] {
        let difference = (at(layer, weight, 1e-6) - at(layer, weight, -1e-6)) / 2e-6;
        let gradient = shadow[layer].weights.borrow()[weight];
        assert!((difference - gradient).abs() < 1e-6 * (1.0 + gradient.abs()), "{difference} {gradient}");
    }
}
