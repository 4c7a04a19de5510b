//! Variants behind an argument that become others, in reverse mode: the shadow has the variants of what was found, before the call and after it.
use cotangent::{Shadow, autodiff, zeroed};
use std::cell::{Cell, RefCell};
use testing::assert_close;

/// Compares a reverse derivative with differences: `floats` are those of the state, in the variants in which it is found.
fn check<M: Shadow + Clone>(
    state: &M,
    dirty: &M,
    x: &[f64],
    primal: impl Fn(&mut M, &[f64]) -> f64,
    reverse: impl Fn(&mut M, &mut M, &[f64], &mut [f64], f64) -> f64,
    floats: impl Fn(&mut M, &mut dyn FnMut(&mut f64)),
) {
    let mut shadow = dirty.clone();
    let mut adjoint = vec![0.0; x.len()];
    let mut found = state.clone();
    let value = reverse(&mut found, &mut shadow, x, &mut adjoint, 1.0);
    assert_eq!(value, primal(&mut state.clone(), x));
    floats(&mut shadow, &mut |float| adjoint.push(*float));
    let mut count = 0;
    floats(&mut state.clone(), &mut |_| count += 1);
    let at = |place: usize, step: f64| {
        let (mut state, mut x) = (state.clone(), x.to_vec());
        match x.get_mut(place) {
            Some(x) => *x += step,
            None => {
                let mut left = place - x.len();
                floats(&mut state, &mut |float| {
                    if left == 0 {
                        *float += step;
                    }
                    left = left.wrapping_sub(1);
                });
            }
        }
        primal(&mut state, &x)
    };
    let differences: Vec<f64> = (0..x.len() + count).map(|i| (at(i, 1e-5) - at(i, -1e-5)) / 2e-5).collect();
    assert_close!(adjoint, differences, 1e-8);
}

fn payload(m: &mut Result<f64, u64>, see: &mut dyn FnMut(&mut f64)) {
    m.iter_mut().for_each(see);
}

#[test]
fn an_error_becomes_a_value() {
    #[autodiff(d, Reverse, Duplicated, Duplicated, Active)]
    fn f(m: &mut Result<f64, u64>, x: &[f64]) -> f64 {
        *m = Ok(x[0]);
        x[0] * x[0]
    }
    check(&Err(7), &Err(5.0f64.to_bits()), &[3.0], f, d, payload);
}

#[test]
fn a_value_becomes_an_error() {
    #[autodiff(d, Reverse, Duplicated, Duplicated, Active)]
    fn f(m: &mut Result<f64, u64>, x: &[f64]) -> f64 {
        let found = *m;
        *m = Err((x.len() as u64) << 61 | 12345);
        found.map_or(1.0, |found| found * found) * x[0]
    }
    check(&Ok(2.0), &Ok(0.0), &[3.0], f, d, payload);
    check(&Err(2), &Err(7 << 60), &[3.0], f, d, payload);
}

#[test]
fn negative_numbers() {
    #[autodiff(d, Reverse, Duplicated, Duplicated, Active)]
    fn f(m: &mut Result<f64, i64>, x: &[f64]) -> f64 {
        if let Err(code) = *m {
            *m = Ok(x[0] * code as f64);
        }
        m.unwrap_or(0.0) * x[1]
    }
    let floats = |m: &mut Result<f64, i64>, see: &mut dyn FnMut(&mut f64)| m.iter_mut().for_each(see);
    check(&Err(-1), &Err(-1), &[3.0, 4.0], f, d, floats);
    check(&Ok(1.5), &Ok(0.0), &[3.0, 4.0], f, d, floats);
}

#[test]
fn a_memo_table_is_filled() {
    fn at(table: &mut [Option<f64>], n: usize, x: f64) -> f64 {
        if let Some(known) = table[n] {
            return known;
        }
        let value = if n < 2 { x } else { at(table, n - 1, x) * 0.9 + at(table, n - 2, x) * x };
        table[n] = Some(value);
        value
    }
    #[autodiff(d, Reverse, Duplicated, Duplicated, Active)]
    fn f(table: &mut Vec<Option<f64>>, x: &[f64]) -> f64 {
        let n = table.len() - 1;
        at(table, n, x[0]) * x[0]
    }
    let floats = |m: &mut Vec<Option<f64>>, see: &mut dyn FnMut(&mut f64)| m.iter_mut().flatten().for_each(see);
    let mut dirty = vec![Some(4.0); 12];
    dirty.iter_mut().for_each(|d| *d = None);
    check(&vec![None; 12], &dirty, &[0.8], f, d, floats);
    let mut state = vec![None; 12];
    (state[3], dirty[3]) = (Some(2.0), Some(0.0));
    check(&state, &dirty, &[0.8], f, d, floats);
}

#[test]
fn what_is_taken_has_an_adjoint() {
    #[autodiff(d, Reverse, Duplicated, Duplicated, Active)]
    fn f(m: &mut Option<f64>, x: &[f64]) -> f64 {
        m.take().unwrap_or(3.0) * x[0]
    }
    let floats = |m: &mut Option<f64>, see: &mut dyn FnMut(&mut f64)| m.iter_mut().for_each(see);
    check(&Some(2.0), &Some(0.0), &[1.5], f, d, floats);
    check(&None, &None, &[1.5], f, d, floats);
}

#[test]
fn two_are_swapped() {
    #[autodiff(d, Reverse, Duplicated, Duplicated, Active)]
    fn f(m: &mut [Option<f64>; 3], x: &[f64]) -> f64 {
        m.swap(0, 1);
        m[1] = m[1].or(Some(x[0]));
        if let Some(first) = &mut m[0] {
            *first *= x[1];
        }
        m.iter().flatten().map(|v| v * v).sum()
    }
    let floats = |m: &mut [Option<f64>; 3], see: &mut dyn FnMut(&mut f64)| m.iter_mut().flatten().for_each(see);
    for state in
        [[Some(1.5), None, Some(2.0)], [None, Some(1.5), None], [None, None, None], [Some(1.0), Some(2.0), None]]
    {
        check(&state, &state.map(|s| s.map(|_| 0.0)), &[1.5, 0.7], f, d, floats);
    }
}

#[derive(Shadow, Clone, Copy, PartialEq, Debug)]
enum State {
    Idle,
    Moving { speed: f64, steps: u32 },
    Named(u8, [f64; 2]),
    Counted(u64, u64, u64),
}

fn of_state(m: &mut State, see: &mut dyn FnMut(&mut f64)) {
    match m {
        State::Moving { speed, .. } => see(speed),
        State::Named(_, both) => both.iter_mut().for_each(see),
        _ => {}
    }
}

#[test]
fn a_machine_goes_through_its_states() {
    #[autodiff(d, Reverse, Duplicated, Duplicated, Active)]
    fn f(m: &mut State, x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            *m = match *m {
                State::Idle => State::Moving { speed: x[i], steps: 1 },
                State::Moving { speed, steps } if steps < 2 => State::Moving { speed: speed * x[i], steps: steps + 1 },
                State::Moving { speed, .. } => State::Named(7, [speed, x[i]]),
                State::Named(n, [a, b]) => {
                    sum += a * b * f64::from(n);
                    State::Counted(5.0f64.to_bits(), u64::MAX, 3.0f64.to_bits())
                }
                State::Counted(..) => State::Idle,
            };
        }
        if let State::Moving { speed, .. } = m {
            sum += *speed * x[0];
        }
        sum + x[0]
    }
    let x = [1.1, 0.7, 1.3, 0.9, 1.2, 0.8, 1.4];
    for state in [
        State::Idle,
        State::Moving { speed: 2.0, steps: 0 },
        State::Moving { speed: 2.0, steps: u32::MAX },
        State::Named(9, [0.4, 3.0]),
        State::Counted(u64::MAX, 4.0f64.to_bits(), 5.0f64.to_bits()),
    ] {
        for n in 1..=7 {
            check(&state, &zeroed(&state), &x[..n], f, d, of_state);
        }
    }
}

#[test]
fn cells_behind_a_shared_reference() {
    #[derive(Shadow, Clone)]
    struct Memo {
        last: Cell<Option<f64>>,
        all: RefCell<Vec<Option<f64>>>,
        hits: Cell<usize>,
    }
    #[autodiff(d, Reverse, Duplicated, Duplicated, Active)]
    fn f(m: &Memo, x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (i, x) in x.iter().enumerate() {
            let known = m.last.get();
            sum += known.unwrap_or(1.0) * x;
            m.last.set(if i % 2 == 0 { Some(*x) } else { None });
            let mut all = m.all.borrow_mut();
            sum += *all[i].get_or_insert(x * x);
            m.hits.set(m.hits.get() + 1);
        }
        sum
    }
    let memo = Memo { last: Cell::new(Some(2.0)), all: RefCell::new(vec![None, Some(2.0), None]), hits: Cell::new(0) };
    let floats = |m: &mut Memo, see: &mut dyn FnMut(&mut f64)| {
        m.last.get_mut().iter_mut().for_each(&mut *see);
        m.all.get_mut().iter_mut().flatten().for_each(see);
    };
    let shadow = zeroed(&memo);
    check(&memo, &shadow, &[1.0, 2.0, 3.0], |m, x| f(m, x), |m, s, x, dx, r| d(m, s, x, dx, r), floats);
}

#[test]
fn the_adjoint_of_what_stays_what_it_is_goes_on() {
    #[autodiff(d, Reverse, Duplicated, Duplicated, Active)]
    fn f(m: &mut [Result<f64, u64>; 3], x: &[f64]) -> f64 {
        let found = m[0].unwrap_or(1.0);
        m[0] = Err(77);
        m[1] = Ok(x[0] * found);
        m[0] = Ok(x[0] * x[1]);
        m[2] = Err(4 << 60);
        x[1]
    }
    let (mut m, mut s) = ([Ok(2.0), Ok(1.0), Err(5)], [Ok(10.0), Ok(100.0), Err(6)]);
    let mut dx = [0.0, 0.0];
    d(&mut m, &mut s, &[3.0, 4.0], &mut dx, 1.0);
    assert_eq!(m, [Ok(12.0), Ok(6.0), Err(4 << 60)]);
    assert_eq!((s, dx), ([Ok(300.0), Ok(0.0), Err(6)], [240.0, 31.0]));
}

#[test]
fn zeros_over_a_record_lose_no_adjoint_of_what_comes_later() {
    #[derive(Shadow, Clone, Copy, PartialEq, Debug)]
    struct Row {
        count: usize,
        floats: [f64; 4],
    }
    #[autodiff(d, Reverse, Duplicated, Duplicated)]
    fn f(row: &mut Row, x: &[f64]) {
        *row = Row { count: 0, floats: [0.0; 4] };
        row.floats[1] = x[0] * x[1];
    }
    let (mut row, mut shadow) =
        (Row { count: 3, floats: [1.0; 4] }, Row { count: 3, floats: [10.0, 100.0, 1000.0, 10000.0] });
    let mut dx = [0.0, 0.0];
    d(&mut row, &mut shadow, &[3.0, 4.0], &mut dx);
    assert_eq!(row, Row { count: 0, floats: [0.0, 12.0, 0.0, 0.0] });
    assert_eq!((shadow, dx), (Row { count: 3, floats: [0.0; 4] }, [400.0, 300.0]));
}

#[test]
fn a_copy_of_a_record_loses_no_adjoint_of_what_comes_later() {
    #[derive(Shadow, Clone, Copy, PartialEq, Debug)]
    enum Cell {
        Number(u64, u64),
        Float(f64, u64),
        Floats(f64, f64),
    }
    #[autodiff(d, Reverse, Duplicated, Duplicated)]
    fn f(cells: &mut [Cell; 2], x: &[f64]) {
        let numbers = std::hint::black_box([Cell::Number(7 << 60, 5 << 60); 2]);
        *cells = numbers;
        cells[0] = Cell::Float(x[0] * x[1], 4 << 60);
        cells[1] = Cell::Floats(x[0], x[0] * x[0]);
        cells.swap(0, 1);
        cells.swap(0, 1);
    }
    let mut cells = [Cell::Float(1.0, 9 << 60), Cell::Floats(2.0, 3.0)];
    let mut shadow = [Cell::Float(10.0, 8 << 60), Cell::Floats(100.0, 1000.0)];
    let mut dx = [0.0, 0.0];
    d(&mut cells, &mut shadow, &[3.0, 4.0], &mut dx);
    assert_eq!(cells, [Cell::Float(12.0, 4 << 60), Cell::Floats(3.0, 9.0)]);
    assert_eq!((shadow, dx), ([Cell::Float(0.0, 8 << 60), Cell::Floats(0.0, 0.0)], [6140.0, 30.0]));
}
