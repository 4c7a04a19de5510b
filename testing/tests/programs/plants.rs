//! What counts its own steps: a struct of the user's behind `&mut self`, with numbers beside floats and arrays.
use crate::assert_close;
use cotangent::{Shadow, autodiff, zeroed};

#[derive(Shadow, Clone, Debug)]
enum Valve {
    Open,
    Partial { fraction: f64, wear: f64 },
    Controlled(Box<Controller>),
}

#[derive(Shadow, Clone, Debug)]
struct Controller {
    gain: f64,
    integral: f64,
    saturated: bool,
    count: u32,
}

#[derive(Shadow, Clone, Debug)]
struct Plant {
    levels: Vec<f64>,
    valves: Vec<Valve>,
    steps: usize,
    resets: usize,
    spill: (f64, [f64; 2]),
}

impl Valve {
    fn opening(&mut self, level: f64) -> f64 {
        match self {
            Valve::Open => 1.0,
            Valve::Partial { fraction, wear } => {
                *fraction *= 1.0 - *wear * 0.1;
                *fraction
            }
            Valve::Controlled(c) => {
                c.integral += (level - 1.0) * 0.1;
                c.count += 1;
                let u = c.gain * (level - 1.0 + 0.5 * c.integral);
                c.saturated = u > 3.0;
                1.0 / (1.0 + (-u).exp())
            }
        }
    }
}

impl Plant {
    fn of(x: &[f64]) -> Plant {
        let controller = Controller { gain: x[3], integral: 0.0, saturated: false, count: 0 };
        let valves =
            vec![Valve::Partial { fraction: x[2], wear: 0.2 }, Valve::Open, Valve::Controlled(Box::new(controller))];
        Plant { levels: x[..2].to_vec(), valves, steps: 5, resets: 7, spill: (0.0, [x[4], 0.0]) }
    }

    #[autodiff(reverse, Reverse, Duplicated, Const)]
    #[autodiff(forward, Forward, Dual, Const)]
    fn advance(&mut self, n: usize) {
        for _ in 0..n {
            for valve in &mut self.valves {
                let flow = valve.opening(self.levels[0]) * (self.levels[0] * self.levels[0] + 0.01).sqrt();
                self.levels[0] -= 0.1 * flow;
                self.levels[1] += 0.08 * flow;
            }
            self.spill.1[self.steps % 2] += self.levels[0] * self.levels[1];
            self.steps += 1;
            if self.steps.is_multiple_of(4) {
                self.resets = self.steps;
            }
        }
        self.spill.0 = self.levels.iter().sum::<f64>() * self.spill.1[self.resets % 2];
    }

    /// Its floats, those that [`Plant::of`] takes first, in their order.
    fn floats(&mut self) -> Vec<&mut f64> {
        let Plant { levels, valves, spill: (sum, [even, odd]), .. } = self;
        let [fill, low] = &mut levels[..] else { panic!("a plant has two levels") };
        let mut found = vec![fill, low];
        for valve in valves {
            match valve {
                Valve::Open => {}
                Valve::Partial { fraction, .. } => found.push(fraction),
                Valve::Controlled(c) => found.extend([&mut c.gain]),
            }
        }
        found.extend([even, odd, sum]);
        found
    }
}

const X: [f64; 5] = [2.0, 1.5, 0.6, 0.9, 0.3];
const STEPS: usize = 6;

fn weight(index: usize) -> f64 {
    (index as f64 + 1.0).cos()
}

fn weighed(x: &[f64]) -> f64 {
    let mut plant = Plant::of(x);
    plant.advance(STEPS);
    plant.floats().into_iter().enumerate().map(|(i, v)| weight(i) * *v).sum()
}

#[test]
fn a_struct_that_counts_its_steps_beside_an_array_that_they_index() {
    let (mut plant, mut tangents) = (Plant::of(&X), zeroed(&Plant::of(&X)));
    let mut adjoints = tangents.clone();
    adjoints.floats().into_iter().enumerate().for_each(|(i, v)| *v = weight(i));
    plant.reverse(&mut adjoints, STEPS);
    assert_eq!((plant.steps, plant.resets), (11, 8));
    assert_eq!((adjoints.steps, adjoints.resets), (5, 7));
    let gradient: Vec<f64> = adjoints.floats().into_iter().take(X.len()).map(|v| *v).collect();
    for (i, adjoint) in gradient.iter().enumerate() {
        let (mut above, mut below) = (X, X);
        (above[i], below[i]) = (X[i] + 1e-6, X[i] - 1e-6);
        assert_close!(*adjoint, (weighed(&above) - weighed(&below)) / 2e-6, 1e-7);
    }

    let direction = [0.3, -0.7, 0.2, 0.5, 1.1];
    tangents.floats().into_iter().zip(direction).for_each(|(v, tangent)| *v = tangent);
    Plant::of(&X).forward(&mut tangents, STEPS);
    let by_tangents: f64 = tangents.floats().into_iter().enumerate().map(|(i, v)| weight(i) * *v).sum();
    assert_close!(by_tangents, gradient.iter().zip(direction).map(|(g, v)| g * v).sum::<f64>(), 1e-12);
}
