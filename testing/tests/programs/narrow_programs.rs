//! Programs whose floats are all `f32`: what lies beside one in eight bytes is moved together with it.

use crate::{assert_close, functional};
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

/// An enum whose float lies where another variant has a pointer. What lies behind the float in the user's shadow may be what is left of another variant's pointer.
#[derive(Clone, cotangent::Shadow)]
enum Held {
    Number(f32),
    Row(Vec<f32>),
    Boxed(Box<f32>),
}

impl Held {
    fn floats(&self) -> Vec<f32> {
        match self {
            Held::Number(v) => vec![*v],
            Held::Row(row) => row.clone(),
            Held::Boxed(v) => vec![**v],
        }
    }
}

fn held(held: &Held) -> f32 {
    match held {
        Held::Number(v) => v * v,
        Held::Row(row) => row.iter().sum(),
        Held::Boxed(v) => **v * 2.0,
    }
}

/// A number in the place of a row that was there before.
#[inline(never)]
fn overwritten(v: f32) -> Held {
    let mut held = Held::Row(vec![1.0; 5]);
    std::hint::black_box(&mut held);
    held = Held::Number(v);
    std::hint::black_box(&mut held);
    held
}

#[test]
fn rubbish_behind_a_float_in_a_shadow_is_no_pointer() {
    #[cotangent::autodiff(reverse, Reverse, Duplicated, Active)]
    fn primal(all: &[Held]) -> f32 {
        let copies: Vec<Held> = all.to_vec();
        copies.iter().map(held).sum()
    }
    let all = [overwritten(0.5), Held::Boxed(Box::new(0.3)), Held::Row(vec![0.1, 0.2]), overwritten(3.5)];
    let mut shadow = [overwritten(0.25), Held::Boxed(Box::new(0.25)), Held::Row(vec![0.25, 0.25]), overwritten(0.25)];
    reverse(&all, &mut shadow, 1.0);
    let floats = shadow.iter().flat_map(Held::floats);
    assert_close!(floats.collect::<Vec<f32>>(), [1.25, 2.25, 1.25, 1.25, 7.25].to_vec());
}

#[inline(never)]
fn handed_on(held: Held) -> Held {
    match held {
        Held::Row(mut row) => {
            row.push(1.0);
            Held::Row(row)
        }
        other => other,
    }
}

#[test]
fn rubbish_behind_a_float_in_a_shadow_is_no_pointer_where_it_is_handed_on_by_value() {
    #[cotangent::autodiff(reverse, Reverse, Duplicated, Active)]
    fn primal(all: &[Held]) -> f32 {
        let mut copies: Vec<Held> = all.iter().cloned().collect();
        copies.rotate_left(1);
        copies.into_iter().map(handed_on).map(|one| held(&one)).sum()
    }
    let all = [overwritten(0.5), Held::Boxed(Box::new(0.3)), Held::Row(vec![0.1, 0.2]), overwritten(3.5)];
    let mut shadow = [overwritten(0.25), Held::Boxed(Box::new(0.25)), Held::Row(vec![0.25, 0.25]), overwritten(0.25)];
    reverse(&all, &mut shadow, 1.0);
    let floats = shadow.iter().flat_map(Held::floats);
    assert_close!(floats.collect::<Vec<f32>>(), [1.25, 2.25, 1.25, 1.25, 7.25].to_vec());
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Bad {
    Small(u32),
    Value(f32),
}

#[derive(Clone, Copy)]
enum Op {
    Add(f32),
    Mul(f32, f32),
    Jump(u32),
    Power(f32, u8),
}

#[inline(never)]
fn step(op: Op, (value, at): (f32, u32)) -> Result<(f32, u32), Bad> {
    Ok(match op {
        Op::Add(a) => (value + a, at),
        Op::Mul(a, b) => (value * a + b, at),
        Op::Jump(by) if by > 3 => return Err(Bad::Small(by)),
        Op::Jump(by) => (value, at + by),
        Op::Power(..) if value > 50.0 => return Err(Bad::Value(value)),
        Op::Power(a, n) => (value * a.powi(i32::from(n)), at),
    })
}

#[inline(never)]
fn compiled(x: &[f32]) -> Vec<Op> {
    let op = |(i, &v): (usize, &f32)| match i % 4 {
        0 => Op::Add(v),
        1 => Op::Mul(v, 0.3),
        2 => Op::Jump(i as u32),
        _ => Op::Power(v, (i % 3) as u8 + 1),
    };
    x.iter().enumerate().map(op).collect()
}

fn run(ops: &[Op]) -> Result<(f32, u32), Bad> {
    ops.iter().try_fold((1.0, 0), |state, op| step(*op, state))
}

#[test]
fn a_machine_whose_instructions_and_errors_are_handed_on_by_value() {
    #[cotangent::autodiff(forward, Forward, Dual, Dual)]
    #[cotangent::autodiff(reverse, Reverse, Duplicated, Active)]
    fn primal(x: &[f32]) -> f32 {
        let mut ops = compiled(x);
        let first = match run(&ops[..5]) {
            Ok((value, at)) => value * (at as f32 + 1.0),
            Err(Bad::Small(by)) => by as f32,
            Err(Bad::Value(value)) => value,
        };
        let all = match run(&ops) {
            Ok((value, _)) => value,
            Err(Bad::Small(by)) => x[0] * by as f32,
            Err(Bad::Value(value)) => value.ln(),
        };
        ops.retain(|op| !matches!(op, Op::Jump(_)));
        ops.dedup_by(|a, b| matches!((a, b), (Op::Add(_), Op::Add(_))));
        ops.swap(0, 2);
        let part: Vec<Op> = ops.drain(1..3).collect();
        let rest = run(&part).and_then(|state| ops.iter().try_fold(state, |state, op| step(*op, state)));
        first + all * 0.5 + rest.map_or(0.0, |state| state.0)
    }
    let x = [0.31, 0.92, 0.15, 0.66, 0.83, 0.47, 0.55, 1.1];
    testing::check::functional::<f32>(&x, primal, forward, reverse);
    let of_an_error_with_a_float = [60.0, 0.92, 0.15, 0.66, 0.83, 0.47, 0.55, 1.1];
    testing::check::functional::<f32>(&of_an_error_with_a_float, primal, forward, reverse);
}

#[derive(Clone, Copy)]
struct Quantity {
    value: f32,
    unit: u16,
    good: bool,
}

static KNOWN: [Quantity; 2] =
    [Quantity { value: 0.7, unit: 1, good: true }, Quantity { value: 0.2, unit: 3, good: false }];
static UNITS: [(&str, f32, u16); 3] = [("m", 1.0, 1), ("cm", 0.01, 2), ("in", 0.0254, 3)];

#[inline(never)]
fn known_or(own: &[Quantity], index: usize) -> &Quantity {
    own.get(index).unwrap_or(&KNOWN[index % 2])
}

testing::functional! {
    fn quantities_of_eight_bytes_with_numbers_beside_the_float(x: &[f32]) -> f32 {
        let quantity = |(v, (name, factor, unit)): (&f32, (&str, f32, u16))| {
            Quantity { value: v * (1.0 + factor), unit, good: name == "m" }
        };
        let own: Vec<Quantity> = x.iter().take(3).zip(UNITS).map(quantity).collect();
        let one = |index: usize| {
            let quantity = known_or(&own, index);
            quantity.value.sin() * f32::from(quantity.unit) + if quantity.good { quantity.value } else { 0.1 }
        };
        (0..5).map(one).sum()
    }
    at [0.21, 0.92, 0.35, 0.46];
}
