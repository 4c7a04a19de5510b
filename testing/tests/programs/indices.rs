//! Numbers that are computed with beside floats: in a program that takes no bits of floats none of them is one.
use crate::{assert_close, functional};
use cotangent::{Shadow, autodiff, zeroed};
use std::collections::{BTreeMap, HashMap, VecDeque};

/// One level of a multigrid solver.
struct Level {
    n: usize,
    coef: Vec<Vec<f64>>,
    rhs: Vec<f64>,
    scale: f64,
}

impl Level {
    fn coarser(&self) -> Level {
        let n = self.n / 2;
        let coef = (0..n).map(|i| vec![0.5 * (self.coef[2 * i][0] + self.coef[2 * i + 1][0]), self.coef[2 * i][1]]);
        Level { n, coef: coef.collect(), rhs: vec![0.0; n], scale: self.scale * 2.0 }
    }

    fn smooth(&self, u: &mut [f64]) {
        for i in 0..self.n {
            let beside = if i > 0 { u[i - 1] } else { 0.0 } + if i + 1 < self.n { u[i + 1] } else { 0.0 };
            u[i] = (self.rhs[i] * self.scale + self.coef[i][1] * beside) / (2.0 + self.coef[i][0]);
        }
    }
}

fn cycle(levels: &mut Vec<Level>, at: usize, u: &mut [f64]) {
    levels[at].smooth(u);
    if at + 1 < levels.len() {
        let coarse: Vec<f64> = (0..levels[at].n / 2).map(|i| levels[at].rhs[2 * i] - 0.3 * u[2 * i]).collect();
        levels[at + 1].rhs = coarse;
        let mut correction = vec![0.0; levels[at + 1].n];
        cycle(levels, at + 1, &mut correction);
        for (i, u) in u.iter_mut().enumerate().take(2 * correction.len()) {
            *u += 0.5 * correction[i / 2];
        }
    }
    levels[at].smooth(u);
}

enum Item {
    Number(f64),
    Text(String),
    List(Vec<f64>),
    Pair(Box<(Item, Item)>),
}

impl Item {
    fn value(&self) -> f64 {
        match self {
            Item::Number(number) => *number,
            Item::Text(text) => text.len() as f64,
            Item::List(list) => list.iter().sum(),
            Item::Pair(pair) => pair.0.value() * (pair.1.value() + 2.0).sqrt(),
        }
    }

    fn change(&mut self, x: f64) {
        match self {
            Item::Number(number) => *number *= x,
            Item::Text(text) => text.push('!'),
            Item::List(list) => {
                list[0] += x;
                list.push(x * x);
            }
            Item::Pair(pair) => {
                pair.0.change(x);
                let (one, two) = &mut **pair;
                std::mem::swap(one, two);
            }
        }
    }
}

#[derive(Clone, Copy, Shadow)]
enum Activation {
    Tanh,
    Swish { beta: f32 },
}

#[derive(Shadow)]
enum Layer {
    Dense { w: Vec<Vec<f32>>, b: Vec<f32> },
    Window { kernel: [f32; 3], bias: f32, stride: usize },
    Act(Activation),
    Residual(Vec<Layer>),
}

impl Activation {
    fn apply(self, x: f32) -> f32 {
        match self {
            Activation::Tanh => x.tanh(),
            Activation::Swish { beta } => x / (1.0 + (-beta * x).exp()),
        }
    }
}

impl Layer {
    fn forward(&self, x: Vec<f32>) -> Vec<f32> {
        let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
        match self {
            Layer::Dense { w, b } => w.iter().zip(b).map(|(row, b)| dot(row, &x) + b).collect(),
            Layer::Window { kernel, bias, stride } => {
                x.windows(3).step_by(*stride).map(|w| dot(w, kernel) + bias).collect()
            }
            Layer::Act(activation) => x.into_iter().map(|v| activation.apply(v)).collect(),
            Layer::Residual(inner) => inner.iter().fold(x, |h, layer| layer.forward(h)),
        }
    }
}

fn layers(x: &[f32; 5]) -> Vec<Layer> {
    vec![
        Layer::Window { kernel: [x[0], -0.5, x[1]], bias: 0.1, stride: 2 },
        Layer::Act(Activation::Swish { beta: x[2] }),
        Layer::Residual(vec![Layer::Act(Activation::Tanh)]),
        Layer::Dense { w: vec![vec![x[3]; 3]; 2], b: vec![0.1, x[4]] },
    ]
}

functional! {
    fn a_multigrid_cycle_over_levels_of_which_each_has_half_as_many(x: &[f64]) -> f64 {
        let n = 8;
        let coef = (0..n).map(|i| vec![x[i % 3] * x[3], 0.9 + 0.01 * i as f64]).collect();
        let rhs = (0..n).map(|i| (x[i % 4] * (i + 1) as f64).sin()).collect();
        let mut levels = vec![Level { n, coef, rhs, scale: 0.5 }];
        while levels[levels.len() - 1].n > 2 {
            let next = levels[levels.len() - 1].coarser();
            levels.push(next);
        }
        let mut u = vec![0.0; n];
        for _ in 0..2 {
            cycle(&mut levels, 0, &mut u);
        }
        u.iter().map(|u| u * u).sum()
    } at [0.4, 1.0, 1.3, 0.7];

    fn queues_by_price_of_which_empty_ones_are_removed(x: &[f64]) -> f64 {
        let mut levels: BTreeMap<i64, VecDeque<f64>> = BTreeMap::new();
        for (at, v) in [3_i64, 1, 2, 1, 3].iter().zip(x) {
            levels.entry(*at).or_default().push_back(*v);
        }
        let mut sum = 0.0;
        while let Some(price) = levels.first_key_value().map(|(price, _)| *price) {
            let Some(queue) = levels.get_mut(&price) else { break };
            sum = sum * 0.9 + queue.pop_front().map_or(0.0, f64::sin);
            if queue.is_empty() {
                levels.remove(&price);
            }
        }
        sum
    } at [5.0, 3.3, 4.1, 2.2, 3.7];

    fn what_is_found_by_the_first_of_a_list_which_may_be_empty(x: &[f64]) -> f64 {
        let mut stocks = [HashMap::from([(1, x[0])]), HashMap::from([(1, x[1])])];
        let suppliers: [Vec<usize>; 2] = [vec![1], vec![]];
        let product = 1;
        for list in &suppliers {
            if let Some(v) = list.first().copied().and_then(|s| stocks[s].get_mut(&product)) {
                *v *= 1.0 - 0.02 * x[2];
            }
        }
        stocks.iter().map(|stock| stock[&1].sin()).sum()
    } at [5.0, 7.3, 0.8];

    fn items_beside_texts_that_are_named_in_an_error(x: &[f64]) -> f64 {
        let moduli: HashMap<String, f64> = [("steel".to_string(), x[0]), ("copper".to_string(), x[1])].into();
        let members = [("steel", x[2]), ("copper", x[3])].map(|(name, area)| (name.to_string(), area));
        let stiffness = |members: &[(String, f64)]| -> Result<Vec<f64>, String> {
            let of = |(name, area): &(String, f64)| Ok(moduli.get(name).ok_or_else(|| name.clone())? * area);
            members.iter().map(of).collect()
        };
        match stiffness(&members) {
            Ok(all) => all.iter().map(|k| k * k).sum(),
            Err(name) => {
                eprintln!("no {name:?}");
                f64::INFINITY
            }
        }
    } at [2.1, 0.7, 1.5, 0.5];

    fn items_of_texts_lists_and_pairs_that_change_in_place_and_are_rotated(x: &[f64]) -> f64 {
        let pair = Item::Pair(Box::new((Item::Number(x[0]), Item::List(vec![x[1], 2.0]))));
        let text = Item::Text("a".to_string());
        let mut items = vec![text, Item::Pair(Box::new((pair, Item::Number(x[2])))), Item::List(vec![x[1]])];
        for k in 0..3 {
            items.iter_mut().for_each(|item| item.change(x[k]));
            items.rotate_left(1);
        }
        items.iter().map(Item::value).sum()
    } at [1.5, 1.2, 0.7];
}

enum Entry {
    Note(String),
    Amount(f32),
}

#[inline(never)]
fn total(entries: Vec<Entry>) -> f32 {
    entries.into_iter().fold(0.0, |sum, entry| match entry {
        Entry::Note(text) => sum * text.len() as f32,
        Entry::Amount(amount) => sum + amount,
    })
}

functional! {
    fn texts_and_narrow_floats_at_one_place_that_a_call_takes_by_value(x: &[f32]) -> f32 {
        total(vec![Entry::Amount(x[0]), Entry::Amount(x[1] * x[0]), Entry::Note("ab".into()), Entry::Amount(x[1])])
    } at [1.0, 2.0];
}

#[autodiff(d_loss, Reverse, Duplicated, Const, Active)]
fn loss(layers: &[Layer], input: &[f32]) -> f32 {
    layers.iter().fold(input.to_vec(), |h, layer| layer.forward(h)).iter().map(|v| v * v).sum()
}

#[test]
fn layers_of_narrow_floats_with_a_stride_beside_an_enum_as_large_have_a_gradient() {
    const INPUT: [f32; 7] = [0.1, 0.2, 0.4, 0.3, 0.7, 0.1, 0.2];
    let x = [0.3, 0.4, 0.5, 0.6, 0.2];
    let layers = layers(&x);
    let mut shadow = zeroed(&layers);
    let value = d_loss(&layers, &mut shadow, &INPUT, 1.0);
    assert_eq!(value, loss(&layers, &INPUT));
    let [Layer::Window { kernel, .. }, Layer::Act(Activation::Swish { beta }), _, Layer::Dense { w, b }] = &shadow[..]
    else {
        panic!("the shadow has other layers");
    };
    let gradient = [kernel[0], kernel[2], *beta, w.iter().flatten().sum(), b[1]];
    for (i, found) in gradient.into_iter().enumerate() {
        let at = |step: f32| {
            let mut x = x;
            x[i] += step;
            f64::from(loss(&super::indices::layers(&x), &INPUT))
        };
        let difference = (at(0.02) - at(-0.02)) / 0.04;
        assert_close!(f64::from(found), difference, 0.02);
    }
}
