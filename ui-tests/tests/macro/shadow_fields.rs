//! Fields that have no shadow.

#![allow(unused)]

use cotangent::{Shadow, autodiff, zeroed};

struct Foreign {
    x: f64,
}

#[derive(Shadow)]
struct Fields {
    foreign: Foreign,
    many: Vec<Foreign>,
}

#[derive(Shadow)]
enum Variant {
    Line(f64),
    Other { foreign: Foreign },
}

#[derive(Shadow)]
struct Borrowed<'a> {
    name: &'a str,
    x: &'a [f64],
    foreign: &'a Foreign,
}

#[derive(Shadow)]
struct Cloned {
    #[shadow(clone)]
    foreign: Foreign,
    #[shadow(zeroed = |x: &f64| 0.0)]
    other: Foreign,
}

fn made() {
    zeroed(&Foreign { x: 1.0 });
}

fn main() {}
