//! One routine with every option, under every name, in every shape from 0 to 3, with gaps between rows and steps between elements: against
//! differences, forward against reverse, single precision against double.
//!
//! All operands lie in one list of numbers, `alpha`, `beta`, then room for three matrices or vectors. A routine maps the list to the list, so
//! what it must leave alone is compared as well.

use testing::close::compare;
use testing::differences::Real;
use testing::{dot, noise};

/// Where the three operands begin, and how many numbers there are.
pub const OPERANDS: [usize; 3] = [2, 16, 30];
const COUNT: usize = 44;

/// How a routine is called.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub fortran: bool,
    pub by_rows: bool,
    pub trans: [u8; 2],
    pub half: u8,
    pub side: u8,
    pub diagonal: u8,
    pub sizes: [isize; 3],
    pub steps: [isize; 2],
    gap: isize,
}

impl Case {
    /// C's number for the order of elements.
    pub fn order(&self) -> i32 {
        if self.by_rows { 101 } else { 102 }
    }

    /// From a row to the next, or from a column.
    pub fn ld(&self, rows: isize, columns: isize) -> isize {
        (if self.by_rows { columns } else { rows } + self.gap).max(1)
    }

    /// The same of a matrix that is given as the transposed one.
    pub fn ld_of(&self, trans: u8, rows: isize, columns: isize) -> isize {
        if trans == b'N' { self.ld(rows, columns) } else { self.ld(columns, rows) }
    }

    /// Rows or columns, as the matrix stands on the left or on the right.
    pub fn side_of(&self, rows: isize, columns: isize) -> isize {
        if self.side == b'l' { rows } else { columns }
    }
}

fn cases() -> impl Iterator<Item = Case> {
    const SIZES: [[isize; 3]; 8] =
        [[2, 3, 2], [3, 2, 3], [3, 3, 1], [1, 1, 1], [1, 3, 2], [3, 1, 3], [0, 2, 1], [2, 0, 0]];
    const STEPS: [[isize; 2]; 4] = [[1, 1], [2, -1], [-2, 3], [-1, -2]];
    (0..3 * 32 * SIZES.len()).map(|index| {
        let (interface, options, size) = (index % 3, index / 3 % 32, index / 96);
        let bit = |at: usize, letters: &[u8; 2]| letters[options >> at & 1];
        Case {
            fortran: interface == 2,
            by_rows: interface == 0,
            trans: [bit(0, b"NT"), bit(1, b"NT")],
            half: bit(2, b"LU"),
            side: bit(3, b"lr"),
            diagonal: bit(4, b"nu"),
            sizes: SIZES[size],
            steps: STEPS[(index / 7) % 4],
            gap: (index / 5 % 2) as isize,
        }
    })
}

/// A routine in one width, and its derivatives.
pub struct Width<T> {
    pub plain: fn(&mut [T], &Case),
    pub forward: fn(&mut [T], &mut [T], &Case),
    pub reverse: fn(&mut [T], &mut [T], &Case),
}

/// Values, tangents along `v` and adjoints of `w`.
struct Found {
    values: Vec<f64>,
    tangents: Vec<f64>,
    adjoints: Vec<f64>,
}

impl<T: Real> Width<T> {
    fn value(&self, x: &[f64], case: &Case) -> Vec<f64> {
        let mut x = narrow::<T>(x);
        (self.plain)(&mut x, case);
        wide(&x)
    }

    fn run(&self, x: &[f64], v: &[f64], w: &[f64], case: &Case) -> Found {
        let (mut there, mut tangents) = (narrow::<T>(x), narrow::<T>(v));
        (self.forward)(&mut there, &mut tangents, case);
        let (mut back, mut adjoints) = (narrow::<T>(x), narrow::<T>(w));
        (self.reverse)(&mut back, &mut adjoints, case);
        let values = self.value(x, case);
        for found in [&there, &back] {
            same(&wide(found), &values, T::ROUNDING, "the value", case);
        }
        Found { values, tangents: wide(&tangents), adjoints: wide(&adjoints) }
    }
}

fn narrow<T: Real>(x: &[f64]) -> Vec<T> {
    x.iter().map(|x| T::of(*x)).collect()
}

fn wide<T: Real>(x: &[T]) -> Vec<f64> {
    x.iter().map(|x| x.value()).collect()
}

#[track_caller]
fn same(found: &[f64], expected: &[f64], slack: f64, what: &str, case: &Case) {
    if let Err(message) = compare(found, expected, slack) {
        panic!("{what} with {case:?}: {message}");
    }
}

/// Holds all cases against each other; `point` makes of arbitrary numbers some where the routine has a derivative.
#[track_caller]
pub fn agree(double: &Width<f64>, single: &Width<f32>, point: fn(&mut [f64], &Case)) {
    let mut moved = 0;
    for (seed, case) in (1..).zip(cases()) {
        // As they are in single precision, too, and away from zero.
        let numbers =
            |seed: u64| noise(seed, COUNT).iter().map(|v| f64::from((v + 0.3f64.copysign(*v)) as f32)).collect();
        let (mut x, mut v, w): (Vec<f64>, Vec<f64>, Vec<f64>) =
            (numbers(seed), numbers(seed + 10_000), numbers(seed + 20_000));
        if seed % 3 == 0 {
            // What is multiplied by 0 is not looked at, and the derivative by that factor is 0.
            (x[1], v[1]) = (0.0, 0.0);
        }
        point(&mut x, &case);
        let found = double.run(&x, &v, &w, &case);
        same(
            &[dot(&found.tangents, &w)],
            &[dot(&found.adjoints, &v)],
            f64::ROUNDING,
            "forward and reverse mode",
            &case,
        );
        same(&found.tangents, &along(|x| double.value(x, &case), &x, &v), 1e-7, "the tangent", &case);
        let narrow = single.run(&x, &v, &w, &case);
        for (found, expected) in
            [(narrow.values, &found.values), (narrow.tangents, &found.tangents), (narrow.adjoints, &found.adjoints)]
        {
            same(&found, expected, 3e-3, "single precision", &case);
        }
        moved += usize::from(found.values != x);
    }
    assert!(moved > 100, "a routine that does nothing");
}

/// The derivative along a direction, by differences of sixth order. (What is computed here is smooth on the scale of 1.)
fn along(f: impl Fn(&[f64]) -> Vec<f64>, x: &[f64], direction: &[f64]) -> Vec<f64> {
    const STEP: f64 = 1e-3;
    let at = |step: f64| f(&x.iter().zip(direction).map(|(x, d)| x + step * d).collect::<Vec<f64>>());
    let odd = |k: f64| at(k * STEP).iter().zip(&at(-k * STEP)).map(|(a, b)| a - b).collect::<Vec<f64>>();
    let (one, two, three) = (odd(1.0), odd(2.0), odd(3.0));
    (0..x.len()).map(|i| (45.0 * one[i] - 9.0 * two[i] + three[i]) / (60.0 * STEP)).collect()
}

/// Tests of routines: `name |case, [alpha, beta], [a, b, c]| body, point;`, where the body calls it with `call!`.
macro_rules! swept {
    ($references:ident: $($(#[$doc:meta])* $name:ident |$case:ident, [$alpha:ident, $beta:ident], [$a:ident, $b:ident, $c:ident]| $body:block, $point:expr;)*) => {$(
        mod $name {
            swept!(@width $references double, $case, [$alpha, $beta], [$a, $b, $c], $body);
            swept!(@width $references single, $case, [$alpha, $beta], [$a, $b, $c], $body);
            $(#[$doc])*
            #[test]
            fn by_every_name_with_every_option() {
                $crate::arrays::sweep::agree(&double::WIDTH, &single::WIDTH, $point);
            }
        }
    )*};
    (@width $references:ident $width:ident, $case:ident, [$alpha:ident, $beta:ident], [$a:ident, $b:ident, $c:ident], $body:block) => {
        mod $width {
            #[allow(unused_imports, reason = "for those that need it")]
            use $crate::arrays::{$references::$width::*, sweep::{Case, OPERANDS, Width}};

            #[allow(unused_variables, reason = "not all routines have all operands")]
            #[cotangent::autodiff(forward, Forward, Dual, Const)]
            #[cotangent::autodiff(reverse, Reverse, Duplicated, Const)]
            fn plain(x: &mut [Float], $case: &Case) {
                let ($alpha, $beta) = (x[0], x[1]);
                let [$a, $b, $c] = OPERANDS.map(|start| x[start..].as_mut_ptr());
                #[allow(unused_unsafe, reason = "some do nothing of their own")]
                unsafe { $body };
            }

            pub const WIDTH: Width<Float> = Width { plain, forward, reverse };
        }
    };
}

/// Calls a routine of BLAS as a case says; for matrices with `[order]`.
macro_rules! call {
    ($name:ident, $case:ident, [$($order:ident)?], $($kind:ident $value:expr),*) => {
        if $case.fortran {
            fortran::$name($(argument!(fortran $kind $value)),*)
        } else {
            c::$name($($case.$order(),)? $(argument!(c $kind $value)),*)
        }
    };
}

/// Calls a routine of LAPACK as a case says, and answers what it does.
macro_rules! factor {
    ($name:ident, $case:ident, $($kind:ident $value:expr),*) => {
        if $case.fortran {
            let mut info = -1;
            fortran::$name($(argument!(fortran $kind $value),)* &mut info);
            info
        } else {
            lapacke::$name($case.order(), $(argument!(lapacke $kind $value)),*)
        }
    };
}
