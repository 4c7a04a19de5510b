//! Programs of objects that share values: counted cells in enums, boxed closures and trait objects beside vectors.
use crate::functional;
use std::cell::Cell;
use std::rc::Rc;

type Shared = Rc<Cell<f64>>;

enum Force {
    Between { a: Shared, b: Shared, k: f64 },
    On { body: Shared, values: Vec<f64> },
}

impl Force {
    fn apply(&self) {
        match self {
            Force::Between { a, b, k } => a.set(b.get() * k),
            Force::On { body, values } => body.set(values[0] * body.get()),
        }
    }
}

enum Joint {
    Distance { a: Shared, b: Shared, length: f64 },
    Motor { body: Shared, torque: Box<dyn Fn(f64) -> f64> },
}

enum Filter {
    Gain(f64),
    Lag { a: f64, state: f64 },
    Chain(Vec<Filter>),
    Same(Box<Filter>),
}

impl Filter {
    fn apply<'s>(&'s mut self, input: Box<dyn Iterator<Item = f64> + 's>) -> Box<dyn Iterator<Item = f64> + 's> {
        match self {
            Filter::Gain(gain) => {
                let gain = *gain;
                Box::new(input.map(move |v| v * gain))
            }
            Filter::Lag { a, state } => Box::new(input.map(move |v| {
                *state = *a * *state + v;
                *state
            })),
            Filter::Chain(all) => all.iter_mut().fold(input, |input, f| f.apply(input)),
            Filter::Same(f) => f.apply(input),
        }
    }
}

trait Material {
    fn shade(&self, d: f64) -> f64;
}

struct Matte(f64);

struct Glossy {
    power: i32,
    tint: Vec<f64>,
}

impl Material for Matte {
    fn shade(&self, d: f64) -> f64 {
        self.0 * d
    }
}

impl Material for Glossy {
    fn shade(&self, d: f64) -> f64 {
        d.powi(self.power) * self.tint.iter().sum::<f64>()
    }
}

enum Shape {
    Plane { normal: [f64; 3], d: f64 },
    Mesh(Vec<[f64; 3]>),
}

struct Node {
    shape: Shape,
    material: Box<dyn Material>,
}

impl Node {
    fn light(&self, o: f64) -> f64 {
        match &self.shape {
            Shape::Plane { normal, d } => self.material.shade(normal[0] * o - d),
            Shape::Mesh(all) => all.iter().map(|v| self.material.shade(v[0] * o - v[1])).sum(),
        }
    }
}

functional! {
    fn forces_on_bodies_that_share_cells(x: &[f64]) -> f64 {
        let body = Rc::new(Cell::new(x[1]));
        let all = vec![
            Force::Between { a: body.clone(), b: body.clone(), k: x[0] },
            Force::On { body: body.clone(), values: vec![x[2]] },
        ];
        all.iter().chain(all.last()).for_each(Force::apply);
        body.get()
    } at [0.3, -0.7, 1.2, 0.4];

    fn joints_and_motors_between_shared_bodies(x: &[f64]) -> f64 {
        let bodies: Vec<Shared> = x.iter().map(|v| Rc::new(Cell::new(*v))).collect();
        let mut joints = vec![Joint::Distance { a: bodies[0].clone(), b: bodies[1].clone(), length: 0.9 }];
        let k = x[2];
        joints.push(Joint::Motor { body: bodies[1].clone(), torque: Box::new(move |t| k * t.cos()) });
        for joint in &joints {
            match joint {
                Joint::Distance { a, b, length } => a.set(a.get() + b.get() * length),
                Joint::Motor { body, torque } => body.set(torque(body.get())),
            }
        }
        bodies.iter().map(|b| b.get()).sum()
    } at [0.3, -0.7, 1.2, 0.4];

    fn boxed_iterators_by_recursion(x: &[f64]) -> f64 {
        let lag = Filter::Same(Box::new(Filter::Lag { a: x[1], state: 0.0 }));
        let mut chain = Filter::Chain(vec![Filter::Gain(x[0]), lag]);
        chain.apply(Box::new(x.iter().copied())).sum()
    } at [1.2, 0.6, 0.5];

    fn materials_behind_shared_nodes(x: &[f64]) -> f64 {
        let glossy = Glossy { power: 2, tint: vec![x[0]] };
        let floor = Shape::Plane { normal: [0.0, 1.0, x[1]], d: 0.1 };
        let floor = Rc::new(Node { shape: floor, material: Box::new(glossy) });
        let mesh = Node { shape: Shape::Mesh(vec![[x[0], x[1], x[2]]]), material: Box::new(Matte(x[3])) };
        floor.light(x[0]) + mesh.light(x[1])
    } at [0.3, -0.7, 1.2, 0.4];
}
