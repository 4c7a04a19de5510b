//! Values that are a float or an integer as wide: one place holds the bits of either, and such a value of eight bytes is handed over as one integer.

use testing::functional;

macro_rules! of_kinds {
    ($name:ident, $int:ty, $float:ty, $small:ty) => {
        mod $name {
            use super::*;

            #[derive(Clone, Copy)]
            enum Number {
                Int($int),
                Float($float),
            }

            impl Number {
                fn value(self) -> $float {
                    match self {
                        Number::Int(n) => n as $float,
                        Number::Float(v) => v,
                    }
                }
            }

            impl std::ops::Add for Number {
                type Output = Number;
                fn add(self, other: Number) -> Number {
                    match (self, other) {
                        (Number::Int(a), Number::Int(b)) => Number::Int(a + b),
                        (a, b) => Number::Float(a.value() + b.value()),
                    }
                }
            }

            impl std::ops::Mul for Number {
                type Output = Number;
                fn mul(self, other: Number) -> Number {
                    match (self, other) {
                        (Number::Int(a), Number::Int(b)) => Number::Int(a * b),
                        (a, b) => Number::Float(a.value() * b.value()),
                    }
                }
            }

            enum Tree {
                Constant($int),
                Input(usize),
                Sum(Box<Tree>, Box<Tree>),
                Product(Box<Tree>, Box<Tree>),
            }

            fn evaluated(tree: &Tree, x: &[$float]) -> Number {
                match tree {
                    Tree::Constant(n) => Number::Int(*n),
                    Tree::Input(i) => Number::Float(x[*i]),
                    Tree::Sum(a, b) => evaluated(a, x) + evaluated(b, x),
                    Tree::Product(a, b) => evaluated(a, x) * evaluated(b, x),
                }
            }

            fn sum(a: Tree, b: Tree) -> Tree {
                Tree::Sum(Box::new(a), Box::new(b))
            }

            fn product(a: Tree, b: Tree) -> Tree {
                Tree::Product(Box::new(a), Box::new(b))
            }

            #[inline(never)]
            fn added(a: Number, b: Number) -> Number {
                a + b
            }

            #[inline(never)]
            fn found(x: &[$float], i: usize) -> Result<$float, $small> {
                match x.get(i) {
                    Some(v) => Ok(v.cos()),
                    None => Err(i as $small),
                }
            }

            fn squared(all: &[Result<$float, $small>]) -> $float {
                let value = |one: &Result<$float, $small>| match one {
                    Ok(v) => v * v,
                    Err(n) => *n as $float,
                };
                all.iter().zip(1u8..).map(|(one, i)| value(one) * <$float>::from(i)).sum()
            }

            functional! {
                fn a_tree_of_sums_and_products_is_evaluated(x: &[$float]) -> $float {
                    let ints = sum(Tree::Constant(2), Tree::Constant(1));
                    let tree = sum(product(ints, Tree::Input(0)), product(Tree::Input(1), Tree::Input(2)));
                    evaluated(&tree, x).value().sin()
                } at [0.25, 0.75, 0.5];

                fn values_are_kept_on_a_stack(x: &[$float]) -> $float {
                    let trees = [Tree::Input(0), Tree::Constant(1), product(Tree::Input(1), Tree::Input(2)), Tree::Constant(2)];
                    let mut stack: Vec<Number> = vec![];
                    for tree in &trees {
                        stack.push(evaluated(tree, x));
                    }
                    if let Some(top) = stack.pop() {
                        stack.insert(0, top);
                    }
                    stack.reverse();
                    stack.iter().zip(1u8..).map(|(value, i)| value.value() * <$float>::from(i)).sum()
                } at [0.25, 0.75, 0.5];

                fn values_are_added_one_by_one(x: &[$float]) -> $float {
                    let mut all = Number::Int(0);
                    for (i, v) in x.iter().enumerate() {
                        let one = if i % 2 == 0 { Number::Float(v.sin()) } else { Number::Int(i as $int) };
                        all = all + one;
                    }
                    all.value().sin()
                } at [0.25, 0.75, 0.5, 0.125];

                fn values_are_folded_by_a_call(x: &[$float]) -> $float {
                    x.iter().fold(Number::Int(1), |all, v| added(all, Number::Float(v * v))).value().sin()
                } at [0.25, 0.75];

                fn results_of_calls_are_sorted_by_kind(x: &[$float]) -> $float {
                    let mut all: Vec<Result<$float, $small>> = (0..5).map(|i| found(x, 4 - i)).collect();
                    all.sort_by_key(|one| one.is_err());
                    squared(&all)
                } at [0.25, 0.75, 0.5];

                fn results_of_calls_beside_pairs_that_are_sorted_and_swapped(x: &[$float]) -> $float {
                    let mut pairs: Vec<($float, $small)> = x.iter().zip(0..).map(|(v, i)| (v * v, i)).collect();
                    pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
                    pairs.swap(0, 1);
                    let all: Vec<Result<$float, $small>> = (0..5).map(|i| found(x, i)).collect();
                    pairs[0].0 + squared(&all)
                } at [0.25, 0.75, 0.5];
            }
        }
    };
}

of_kinds!(narrow, i32, f32, u32);
of_kinds!(wide, i64, f64, u64);
