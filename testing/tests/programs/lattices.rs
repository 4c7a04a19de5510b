//! Prices on lattices, of contracts behind `dyn`: one that depends on no input, and has days in a vector, stands beside others.
use crate::functional;
use std::mem;

trait Contract {
    fn payoff(&self, spot: f64) -> f64;
    fn exercise(&self, spot: f64, hold: f64, _step: usize) -> f64 {
        let now = self.payoff(spot);
        if now > hold { now } else { hold }
    }
}

struct Put(f64);

struct Bermudan<C: Contract> {
    inner: C,
    days: Vec<usize>,
}

impl Contract for Put {
    fn payoff(&self, spot: f64) -> f64 {
        (self.0 - spot).max(0.0)
    }
}

impl<C: Contract> Contract for Bermudan<C> {
    fn payoff(&self, spot: f64) -> f64 {
        self.inner.payoff(spot)
    }
    fn exercise(&self, spot: f64, hold: f64, step: usize) -> f64 {
        if self.days.binary_search(&step).is_ok() { self.inner.exercise(spot, hold, step) } else { hold }
    }
}

#[derive(Clone, Copy)]
struct Inputs {
    spot: f64,
    rate: f64,
    vol: f64,
    expiry: f64,
}

struct Lattice {
    values: Vec<f64>,
    scratch: Vec<f64>,
    early: usize,
}

impl Lattice {
    fn price<C: Contract + ?Sized>(&mut self, contract: &C, inputs: &Inputs, n: usize) -> f64 {
        let dt = inputs.expiry / n as f64;
        let up = (inputs.vol * dt.sqrt()).exp();
        let p = ((inputs.rate * dt).exp() - 1.0 / up) / (up - 1.0 / up);
        let discount = (-inputs.rate * dt).exp();
        let spot = |step: usize, j: usize| inputs.spot * up.powi(2 * j as i32 - step as i32);
        self.values.clear();
        self.values.extend((0..=n).map(|j| contract.payoff(spot(n, j))));
        for step in (0..n).rev() {
            self.scratch.clear();
            for (j, w) in self.values.windows(2).enumerate() {
                let hold = discount * (p * w[1] + (1.0 - p) * w[0]);
                let value = contract.exercise(spot(step, j), hold, step);
                if value != hold {
                    self.early += 1;
                }
                self.scratch.push(value);
            }
            mem::swap(&mut self.values, &mut self.scratch);
        }
        self.values[0]
    }
}

functional! {
    fn contracts_that_depend_on_no_input_are_priced_beside_each_other(x: &[f64]) -> f64 {
        let base = Inputs { spot: 100.0 * x[0], rate: x[1], vol: x[2], expiry: 0.8 };
        let mut lattice = Lattice { values: Vec::new(), scratch: Vec::with_capacity(9), early: 0 };
        let contracts: Vec<(f64, Box<dyn Contract>)> = vec![
            (1.0, Box::new(Put(100.0))),
            (0.8, Box::new(Bermudan { inner: Put(103.1), days: vec![2, 4, 6] })),
        ];
        let total: f64 = contracts.iter().map(|(w, c)| w * lattice.price(c.as_ref(), &base, 8)).sum();
        0.1 * total + f64::from(u8::from(lattice.early > 0))
    } at [1.013, 0.043, 0.27];
}
