//! Rows of vectors beside narrower floats that are swapped and turned, which moves addresses in halves; vectors in options that are replaced by a callee.

use testing::check::closure;

const X: [f64; 4] = [0.8, 1.2, 0.7, 0.2];

struct Wave {
    buffers: [Vec<f32>; 2],
    speed: f32,
}

#[test]
fn vectors_beside_a_narrow_float_are_swapped() {
    let narrowed = |x: &[f64]| x.iter().map(|v| *v as f32).collect::<Vec<f32>>();
    let one = |x: &[f64]| {
        let mut wave = Wave { buffers: [narrowed(x), vec![0.0; 4]], speed: 0.5 };
        wave.buffers.swap(0, 1);
        f64::from(wave.buffers[1][0] * wave.speed)
    };
    let both = |x: &[f64]| {
        let more = x.iter().map(|v| 1.0 + *v as f32).collect();
        let mut wave = Wave { buffers: [narrowed(x), more], speed: x[1] as f32 };
        wave.buffers.swap(0, 1);
        f64::from(wave.buffers[0][0] * wave.buffers[1][0] * wave.speed)
    };
    narrow(&X, one);
    narrow(&X, both);
}

/// Holds both modes against differences of a function that rounds to single precision on its way.
#[inline(always)]
fn narrow(x: &[f64], f: impl Fn(&[f64]) -> f64) {
    let gradient = cotangent::gradient(&f, x);
    for i in 0..x.len() {
        let at = |h: f64| f(&x.iter().enumerate().map(|(k, v)| if k == i { v + h } else { *v }).collect::<Vec<f64>>());
        let difference = (at(0.125) - at(-0.125)) / 0.25;
        let direction: Vec<f64> = (0..x.len()).map(|k| f64::from(u8::from(k == i))).collect();
        let tangent = cotangent::jvp(&f, x, &direction).1;
        for (mode, derivative) in [("reverse", gradient[i]), ("forward", tangent)] {
            let scale = difference.abs().max(1.0);
            assert!(
                (derivative - difference).abs() < 1e-5 * scale,
                "{mode}: {derivative}, by differences {difference}"
            );
        }
    }
}

struct Weighted {
    row: Vec<f64>,
    weight: f32,
}

/// What is done to records of a vector and a narrow float in a vector of them.
fn moved(x: &[f64], act: impl FnOnce(&mut Vec<Weighted>)) -> f64 {
    let mut all = vec![
        Weighted { row: x.to_vec(), weight: 0.5 },
        Weighted { row: x.to_vec(), weight: 2.0 },
        Weighted { row: vec![x[2]], weight: 1.5 },
    ];
    act(&mut all);
    all.iter().enumerate().map(|(i, w)| w.row[0] * f64::from(w.weight) * (i + 1) as f64).sum()
}

#[test]
fn records_of_a_vector_and_a_narrow_float_are_moved_about() {
    closure(&X, |x| moved(x, |all| all.swap(0, 1)));
    closure(&X, |x| moved(x, |all| all.rotate_left(1)));
    closure(&X, |x| moved(x, |all| all.reverse()));
    closure(&X, |x| {
        moved(x, |all| {
            let first = all.remove(0);
            all.push(first);
        })
    });
    closure(&X, |x| {
        moved(x, |all| {
            let first = all.swap_remove(0);
            all.insert(1, first);
        })
    });
    closure(&X, |x| {
        moved(x, |all| {
            let (left, right) = all.split_at_mut(1);
            std::mem::swap(&mut left[0], &mut right[1]);
            all[1].row.push(0.25);
        })
    });
}

struct Turned {
    narrow: f32,
    number: u32,
    rows: [Vec<f64>; 3],
}

struct Pairs {
    rows: [(Vec<f64>, f32); 2],
    narrow: f32,
}

#[test]
fn rows_beside_a_narrow_float_are_turned() {
    let turned = |x: &[f64]| {
        let mut turned = Turned { rows: [x.to_vec(), vec![], vec![x[1]]], number: 3, narrow: 0.5 };
        turned.rows.rotate_right(1);
        turned.rows[1][0] * f64::from(turned.narrow) * turned.rows[0][0] * f64::from(turned.number)
    };
    let pairs = |x: &[f64]| {
        let mut pairs = Pairs { rows: [(x.to_vec(), 0.25), (vec![2.0], 1.5)], narrow: 0.5 };
        pairs.rows.swap(0, 1);
        f64::from(pairs.rows[0].1 * pairs.narrow) * pairs.rows[1].0[1] * f64::from(pairs.rows[1].1) * x[0]
    };
    closure(&X, turned);
    closure(&X, pairs);
}

#[derive(Clone)]
enum Entry {
    Pair(f32, f32),
    Boxed(Box<f64>),
    Row(Vec<f64>),
    Counted(u32, f32),
}

fn value(entry: &Entry) -> f64 {
    match entry {
        Entry::Pair(a, b) => f64::from(a * b),
        Entry::Boxed(value) => **value * 2.0,
        Entry::Row(row) => row.iter().map(|a| a * a).sum(),
        Entry::Counted(count, a) => f64::from(*count) * f64::from(*a),
    }
}

#[test]
fn variants_of_narrow_floats_and_of_owners_change_places() {
    let f = |x: &[f64]| {
        let boxed = Entry::Boxed(Box::new(x[2] * x[0]));
        let mut all = (0.5f32, [Entry::Pair(0.5, 1.5), boxed, Entry::Row(vec![x[3], 0.5])], 3u16);
        all.1.swap(0, 2);
        all.1.rotate_left(1);
        let old = std::mem::replace(&mut all.1[1], Entry::Counted(3, all.0));
        all.1.reverse();
        let sum = all.1.iter().enumerate().map(|(i, e)| value(e) * (i + 1) as f64).sum::<f64>();
        sum * x[1] + value(&old) * f64::from(all.2)
    };
    closure(&X, f);
}

struct Last {
    row: Option<Vec<f64>>,
}

#[inline(never)]
fn replaced(last: &mut Last, row: Vec<f64>) -> f64 {
    match last.row.replace(row) {
        Some(row) => row[0] * row[row.len() - 1],
        None => 0.5,
    }
}

trait Filter {
    fn put(&mut self, row: Vec<f64>) -> f64;
}

impl Filter for Last {
    fn put(&mut self, row: Vec<f64>) -> f64 {
        let old = self.row.replace(row);
        old.map_or(0.5, |row| row[0] * row[row.len() - 1])
    }
}

impl Filter for Vec<Vec<f64>> {
    fn put(&mut self, row: Vec<f64>) -> f64 {
        self.push(row);
        self.iter().flatten().sum()
    }
}

#[test]
fn a_vector_in_an_option_is_replaced_by_a_callee() {
    let called = |x: &[f64]| {
        let mut last = Last { row: None };
        replaced(&mut last, vec![x[0], x[1]]) + replaced(&mut last, vec![x[1]; 3]) * replaced(&mut last, vec![])
    };
    closure(&X, called);
    let filtered = |x: &[f64]| {
        let mut filters: Vec<Box<dyn Filter>> = vec![Box::new(Vec::new()), Box::new(Last { row: None })];
        let mut sum = 0.0;
        for k in 0..4 {
            let row = || x.iter().map(|a| a * f64::from(k) + 0.1).collect();
            sum += filters.iter_mut().map(|filter| filter.put(row())).sum::<f64>() * f64::from(k + 1);
        }
        sum
    };
    closure(&X, filtered);
}
