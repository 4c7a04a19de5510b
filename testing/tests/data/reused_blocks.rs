//! `collect` that reuses the memory of its source: short records come to lie over long ones, and addresses where floats were.

use testing::assert_close;

#[derive(Clone)]
enum Item {
    Nothing,
    List(Vec<f64>),
    Boxed(Box<f64>),
    Tree(Vec<Item>),
}

#[inline(never)]
fn item(kind: usize, v: f64) -> Item {
    match kind {
        0 => Item::List(vec![v, 0.5, v * v]),
        1 => Item::Boxed(Box::new(v)),
        2 => Item::Tree((0..2).map(|k| item(k, v + k as f64)).collect()),
        _ => Item::Nothing,
    }
}

#[inline(never)]
fn value(item: &Item) -> f64 {
    match item {
        Item::Nothing => 0.5,
        Item::List(all) => all.iter().sum(),
        Item::Boxed(v) => v.sin(),
        Item::Tree(all) => all.iter().map(value).sum(),
    }
}

macro_rules! reused {
    ($($(#[$doc:meta])* $name:ident: $weight:ty;)*) => { $(
        $(#[$doc])*
        #[test]
        fn $name() {
            fn f(x: &[f64]) -> f64 {
                let mut all = vec![];
                for (i, v) in x.iter().enumerate() {
                    all.push(item((i + 1) % 4, *v));
                }
                let pairs: Vec<(Item, $weight)> = all.into_iter().map(|a| (a, x[1] as $weight)).collect();
                let squares: f64 = pairs.iter().map(|(_, w)| f64::from(*w) * f64::from(*w)).sum();
                let all: Vec<Item> = pairs.into_iter().map(|(a, _)| a).collect();
                squares + all.iter().zip(1..).map(|(a, k)| value(a) * f64::from(k)).sum::<f64>()
            }
            let x: [f64; 6] = [0.5, -1.25, 0.75, 2.0, 0.25, 1.5];
            let (tree, list) = (|v: f64| 1.0 + 2.0 * v + (v + 1.0).cos(), |v: f64| 1.0 + 2.0 * v);
            let mut expected = [x[0].cos(), tree(x[1]) * 2.0, 0.0, list(x[3]) * 4.0, x[4].cos() * 5.0, tree(x[5]) * 6.0];
            expected[1] += 2.0 * x[1] * 6.0;
            assert_close!(cotangent::gradient(f, &x), expected);
        }
    )* };
}

reused! {
    addresses_lie_where_narrow_floats_were: f32;
    addresses_lie_where_floats_were: f64;
}
