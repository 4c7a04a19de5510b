//! Vectors that begin in place: `arrayvec`, whose length lies beside the floats, and `smallvec`, which moves to the heap; and iterators of `itertools`.

use arrayvec::ArrayVec;
use cotangent::{gradient, vjp};
use itertools::Itertools;
use smallvec::{SmallVec, smallvec};
use testing::{assert_close, functional};

type Small = SmallVec<[f64; 4]>;

fn sum_of(a: &Small, b: &Small) -> Small {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

fn product_of(a: &Small, b: &Small) -> Small {
    let mut c: Small = smallvec![0.0; a.len() + b.len() - 1];
    for i in 0..a.len() {
        for j in 0..b.len() {
            c[i + j] += a[i] * b[j];
        }
    }
    c
}

functional! {
    fn small_vectors_on_the_heap_are_read_side_by_side(x: &[f64]) -> f64 {
        let a: Small = x.iter().map(|x| x * 2.0).collect();
        let b: Small = x.iter().map(|x| x.sin()).collect();
        let c = sum_of(&a, &b);
        c.iter().zip(a.iter()).map(|(c, a)| c * a).sum()
    } at [0.3, 1.2, 0.5, -0.7, 0.9, 1.1];

    fn polynomials_in_small_vectors(x: &[f64]) -> f64 {
        let p: Small = smallvec![1.0, x[0]];
        let all = x[1..].iter().fold(p, |p, root| product_of(&p, &smallvec![*root, 1.0]));
        all.iter().rev().fold(0.0, |value, c| value * 0.5 + c)
    } at [0.3, 1.2, 0.5, -0.7, 0.9, 1.1];

    fn an_array_that_is_filled_and_taken_from(x: &[f64]) -> f64 {
        let mut v: ArrayVec<f64, 8> = x.iter().map(|v| v * v).collect();
        v.push(x[0] * x[1]);
        let p = v.pop_at(1).unwrap();
        let q = v.swap_remove(0);
        v.iter().map(|a| a * p).sum::<f64>() * q + v.drain(..1).next().unwrap()
    } at [0.4, 1.2, -0.3];

    fn an_array_that_a_slice_is_added_to(x: &[f64]) -> f64 {
        let mut v = ArrayVec::<f64, 8>::new();
        v.try_extend_from_slice(x).unwrap();
        v.insert(1, x[0] * x[1]);
        v.try_extend_from_slice(&x[1..]).unwrap();
        v.iter().zip(1..).map(|(a, i)| a * f64::from(i) * x[1]).sum::<f64>() * v[1]
    } at [0.4, 1.2, -0.3];

    fn a_small_vector_that_outgrows_its_place(x: &[f64]) -> f64 {
        let mut v: SmallVec<[f64; 2]> = SmallVec::new();
        for i in 0..9 {
            v.push(x[i % 3] * (i + 1) as f64);
        }
        v.iter().rev().map(|v| v.sin()).sum::<f64>() * v.pop().unwrap()
    } at [0.4, 1.2, -0.3];

    fn a_small_vector_that_is_collected(x: &[f64]) -> f64 {
        let v: SmallVec<[f64; 2]> = x.iter().rev().map(|v| v.sin()).collect();
        x.iter().zip(&v).map(|(a, b)| a * b).sum()
    } at [0.4, 1.2, -0.3];

    fn windows_and_combinations(x: &[f64]) -> f64 {
        let a: f64 = x.iter().tuple_windows().map(|(a, b)| a * b).sum();
        let b: f64 = x.iter().combinations(2).map(|c| (c[0] - c[1]).powi(2)).sum();
        a * b + x.iter().tuples().map(|(a, b)| a / b).sum::<f64>()
    } at [0.4, 1.2, -0.3, 0.7];

    fn products_with_constants_and_sorted(x: &[f64]) -> f64 {
        let c: f64 = x.iter().cartesian_product(&[1.0, 2.0]).map(|(a, b)| a * b * a).sum();
        let d: f64 = x.iter().copied().sorted_by(|a, b| b.total_cmp(a)).zip(0..).map(|(v, i)| v * f64::from(i)).sum();
        let (least, most) = x.iter().copied().minmax().into_option().unwrap();
        c * d + least / most
    } at [0.4, 1.2, -0.3, 0.7];
}

#[test]
fn a_derivative_of_what_fills_a_small_vector_is_differentiated_again() {
    let products = |q: &[f64], y: &mut [f64]| {
        let mut all: Small = SmallVec::new();
        for pair in q.chunks(2) {
            all.push(pair[0] * pair[0] * pair[1]);
        }
        y.copy_from_slice(&all);
    };
    for count in [3, 6] {
        let weights: Vec<f64> = (1..=count).map(f64::from).collect();
        let q: Vec<f64> = (0..2 * count).map(|i| 0.3 + 0.1 * f64::from(i)).collect();
        let g = gradient(|q: &[f64]| vjp(products, q, &weights).iter().sum::<f64>(), &q);
        // w (2 a b + a^2)
        let of_pair = |(pair, w): (&[f64], &f64)| [w * (2.0 * pair[1] + 2.0 * pair[0]), w * 2.0 * pair[0]];
        assert_close!(g, q.chunks(2).zip(&weights).flat_map(of_pair).collect::<Vec<f64>>());
    }
}
