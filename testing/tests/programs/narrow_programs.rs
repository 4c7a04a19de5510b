//! Programs whose floats are all `f32`: what lies beside one in eight bytes is moved together with it.

use crate::functional;
use std::cell::RefCell;
use std::rc::Rc;

#[derive(Clone)]
struct Layer {
    weights: Rc<[f32]>,
    inputs: usize,
}

#[derive(Clone, Copy)]
enum Step {
    Leaf,
    Add(usize, usize),
    Mul(usize, usize),
    Scale(usize, f32),
    Sin(usize),
}

#[derive(Default)]
struct Tape {
    steps: Vec<(Step, f32)>,
    names: Vec<Option<&'static str>>,
}

#[derive(Clone)]
struct Var {
    tape: Rc<RefCell<Tape>>,
    at: usize,
    value: f32,
}

impl Var {
    fn push(tape: &Rc<RefCell<Tape>>, step: Step, value: f32, name: Option<&'static str>) -> Var {
        let mut all = tape.borrow_mut();
        all.steps.push((step, value));
        all.names.push(name);
        Var { tape: tape.clone(), at: all.steps.len() - 1, value }
    }

    fn add(&self, other: &Var) -> Var {
        Var::push(&self.tape, Step::Add(self.at, other.at), self.value + other.value, None)
    }

    fn mul(&self, other: &Var) -> Var {
        Var::push(&self.tape, Step::Mul(self.at, other.at), self.value * other.value, Some("product"))
    }

    fn scale(&self, by: f32) -> Var {
        Var::push(&self.tape, Step::Scale(self.at, by), self.value * by, None)
    }

    fn sin(&self) -> Var {
        Var::push(&self.tape, Step::Sin(self.at), self.value.sin(), None)
    }

    fn gradient(&self) -> Vec<f32> {
        let tape = self.tape.borrow();
        let mut adjoints = vec![0.0; tape.steps.len()];
        adjoints[self.at] = 1.0;
        for i in (0..=self.at).rev() {
            match tape.steps[i].0 {
                Step::Leaf => {}
                Step::Add(a, b) => {
                    adjoints[a] += adjoints[i];
                    adjoints[b] += adjoints[i];
                }
                Step::Mul(a, b) => {
                    adjoints[a] += adjoints[i] * tape.steps[b].1;
                    adjoints[b] += adjoints[i] * tape.steps[a].1;
                }
                Step::Scale(a, by) => adjoints[a] += by * adjoints[i],
                Step::Sin(a) => adjoints[a] += adjoints[i] * tape.steps[a].1.cos(),
            }
        }
        adjoints
    }
}

functional! {
    fn rows_behind_an_rc_are_cloned(x: &[f32]) -> f32 {
        let layer = Layer { weights: x.iter().map(|v| v * 2.0).collect(), inputs: 3 };
        let all = vec![layer.clone(), layer.clone(), layer];
        all.iter().map(|l| l.weights.iter().map(|v| v * v).sum::<f32>() * l.inputs as f32).sum()
    }
    at [0.4, 0.5];

    fn a_tape_with_names(x: &[f32]) -> f32 {
        let tape = Rc::new(RefCell::new(Tape::default()));
        let vars: Vec<Var> = x.iter().map(|v| Var::push(&tape, Step::Leaf, *v, Some("x"))).collect();
        let y = vars[0].mul(&vars[1]).sin().add(&vars[1].scale(x[0]));
        let gradient = y.gradient();
        let named = tape.borrow().names.iter().flatten().count();
        gradient[vars[0].at] * gradient[vars[1].at] + named as f32 * x[1]
    }
    at [0.4, 0.5];
}
