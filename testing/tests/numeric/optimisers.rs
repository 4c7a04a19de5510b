//! Optimisers behind `dyn`, with state of their own.
use crate::functional;
use std::collections::HashMap;

trait Optimizer {
    fn step(&mut self, params: &mut [f64], grad: &[f64]);
}

struct Plain {
    rate: f64,
}

struct Momentum {
    mu: f64,
    velocity: HashMap<usize, f64>,
}

impl Optimizer for Plain {
    fn step(&mut self, params: &mut [f64], grad: &[f64]) {
        params.iter_mut().zip(grad).for_each(|(p, g)| *p -= self.rate * g);
    }
}

impl Optimizer for Momentum {
    fn step(&mut self, params: &mut [f64], grad: &[f64]) {
        for (i, (p, g)) in params.iter_mut().zip(grad).enumerate() {
            let v = self.velocity.entry(i).or_insert(0.0);
            *v = self.mu * *v - 0.1 * g;
            *p += *v;
        }
    }
}

functional! {
    fn boxed_optimisers_of_which_one_owns_a_map(x: &[f64]) -> f64 {
        let momentum = Momentum { mu: x[2], velocity: HashMap::new() };
        let all: Vec<Box<dyn Optimizer>> = vec![Box::new(Plain { rate: x[2] }), Box::new(momentum)];
        let mut p = x[..2].to_vec();
        for mut optimizer in all {
            for _ in 0..5 {
                let g: Vec<f64> = p.iter().map(|p| p.cos()).collect();
                optimizer.step(&mut p, &g);
            }
        }
        p.iter().sum()
    } at [0.3, -0.7, 0.8];
}
