//! Where `#[derive(Shadow)]` and its attribute stand wrong.

#![allow(unused)]

use cotangent::Shadow;

#[derive(Shadow)]
union Bits {
    float: f64,
    integer: u64,
}

#[derive(Shadow)]
#[repr(C, packed(2))]
struct Packed {
    x: f64,
}

#[derive(Shadow)]
#[shadow(clone)]
struct Outside {
    x: f64,
}

#[derive(Shadow)]
struct Words {
    #[shadow(skip)]
    x: f64,
    #[shadow(clone, zeroed = |_| 0.0)]
    y: f64,
    #[shadow(zeroed)]
    z: f64,
    #[shadow]
    w: f64,
    #[shadow(clone)]
    #[shadow(clone)]
    v: f64,
}

#[derive(Shadow)]
enum Variants {
    #[shadow(clone)]
    Line(f64),
}

fn main() {}
