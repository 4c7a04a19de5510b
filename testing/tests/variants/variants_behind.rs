//! Variants behind an argument that become others, in reverse mode: the shadow has the variants of what was found, before the call and after it.
use cotangent::{Shadow, autodiff, zeroed};
use std::cell::{Cell, RefCell};
use testing::assert_close;

/// Compares a reverse derivative with differences: `floats` are those of the state, in the variants in which it is found.
pub fn check<M: Shadow + Clone>(
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
fn cells_of_a_type_without_a_shadow_behind_a_shared_reference() {
    #[derive(Clone)]
    struct Foreign {
        last: Cell<Option<f64>>,
        state: RefCell<[Result<f64, u64>; 2]>,
        hits: Cell<u8>,
    }
    #[derive(Shadow, Clone)]
    struct Memo {
        #[shadow(zeroed = |slot: &Foreign| Foreign { last: Cell::new(slot.last.get().map(|_| 0.0)), ..slot.clone() })]
        slot: Foreign,
        y: f64,
    }
    #[autodiff(d, Reverse, Duplicated, Duplicated, Active)]
    fn f(m: &[Memo], x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for Memo { slot, y } in m {
            let known = slot.last.get();
            sum += known.unwrap_or(2.0) * x[0] * y;
            slot.last.set(if known.is_none() { Some(x[1]) } else { None });
            slot.hits.set(slot.hits.get() + 1);
            let mut state = slot.state.borrow_mut();
            state.swap(0, 1);
            state[1] = Ok(2.0 * x[0]);
            sum += state[1].unwrap_or(1.0) * x[1];
        }
        sum
    }
    let memo = |last| Memo {
        slot: Foreign { last: Cell::new(last), state: RefCell::new([Err(7), Err(u64::MAX)]), hits: Cell::new(1) },
        y: 1.5,
    };
    let memos = [memo(None), memo(Some(3.0)), memo(None)];
    let mut dirty = memos.each_ref().map(zeroed);
    for Memo { slot, .. } in &mut dirty {
        slot.state = RefCell::new([5.0, 6.0].map(|x: f64| Err(x.to_bits())));
        slot.hits = Cell::new(9);
    }
    // What another variant leaves where the float was.
    dirty[0].slot.last.set(Some(9.0));
    dirty[0].slot.last.set(None);
    let mut dx = [0.0; 2];
    d(&memos, &mut dirty, &[1.2, 0.7], &mut dx, 1.0);
    // d/dx (2 x0 y + 2 x0 x1 + 3 x0 y + 2 x0 x1 + 2 x0 y + 2 x0 x1)
    assert_close!(dx, [7.0 * 1.5 + 6.0 * 0.7, 6.0 * 1.2], 1e-12);
    let left = dirty.each_ref().map(|Memo { slot, .. }| (slot.last.get(), slot.hits.get()));
    assert_eq!(left, [(None, 9), (Some(1.2 * 1.5), 9), (None, 9)]);
    for (Memo { slot, y }, of_y) in dirty.iter().zip([2.0, 3.0, 2.0]) {
        assert_close!([*y], [of_y * 1.2], 1e-12);
        assert_eq!(*slot.state.borrow(), [5.0, 6.0].map(|x: f64| Err(x.to_bits())));
    }
}

#[test]
fn a_number_of_an_absent_variant_before_a_pointer_is_no_capacity() {
    #[derive(Shadow, Clone, Copy)]
    enum Held {
        Whole(u32, f64, i64),
        Half(f64),
    }
    #[derive(Shadow, Clone)]
    #[repr(C)]
    struct Store {
        held: Option<Held>,
        boxed: Box<f64>,
        slots: Vec<f64>,
    }
    #[autodiff(onward, Forward, Dual, Dual, Dual)]
    fn f(store: &mut Store, x: f64) -> f64 {
        let mut sum = 0.0;
        store.held = match store.held.take() {
            Some(Held::Whole(n, y, k)) => {
                sum += f64::from(n) * y + (k % 7) as f64;
                None
            }
            Some(Held::Half(y)) => {
                sum += y;
                None
            }
            None => Some(Held::Whole(3, x, 5 << 60)),
        };
        store.slots.push(x);
        sum + *store.boxed * store.slots[0]
    }
    let store = Store { held: None, boxed: Box::new(2.0), slots: Vec::new() };
    let mut tangent = zeroed(&store);
    tangent.held = std::hint::black_box(Some(Held::Whole(7, 8.0, 9)));
    tangent.held = std::hint::black_box(None);
    assert_eq!(onward(&mut store.clone(), &mut tangent, 3.0, 1.0), (6.0, 2.0));
    let store = Store { held: Some(Held::Half(1.0)), ..store };
    assert_eq!(onward(&mut store.clone(), &mut zeroed(&store), 3.0, 1.0), (7.0, 2.0));
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

/// A type of which nothing says how its shadow is kept.
#[derive(Clone, Debug, PartialEq)]
struct Plain {
    last: Option<f64>,
    states: [State; 6],
    count: i64,
    rest: Vec<f64>,
}

#[test]
fn variants_in_a_type_without_a_shadow() {
    #[autodiff(d, Reverse, Duplicated, Duplicated, Active)]
    fn f(m: &mut Plain, x: &[f64]) -> f64 {
        let mut sum = m.last.unwrap_or(2.0) * x[0];
        m.last = if m.last.is_none() { Some(x[1]) } else { None };
        for state in &mut m.states {
            match *state {
                State::Idle => *state = State::Moving { speed: x[0], steps: 3 },
                State::Moving { speed, steps } => {
                    sum += speed * f64::from(steps);
                    *state = State::Counted(u64::MAX / 3, 5.0f64.to_bits(), 7 << 60);
                }
                State::Named(_, [a, b]) => {
                    sum += a * b;
                    *state = State::Idle;
                }
                State::Counted(n, ..) => {
                    sum += x[1] * (n % 7) as f64;
                    *state = State::Named(1, [x[0], x[1]]);
                }
            }
        }
        m.count += 1;
        m.states.iter().map(|s| if let State::Named(_, [a, b]) = s { a * b } else { 0.0 }).sum::<f64>()
            + sum * m.rest[0]
    }
    for last in [None, Some(3.0)] {
        let states = [
            State::Idle,
            State::Moving { speed: 1.5, steps: 2 },
            State::Named(2, [3.0, 4.0]),
            State::Counted(5.0f64.to_bits(), u64::MAX, 3.0f64.to_bits()),
            State::Counted(0, 1, 2),
            State::Idle,
        ];
        let state = Plain { last, states, count: -1, rest: vec![2.0] };
        let mut shadow =
            Plain { last: Some(9.0), states: [State::Named(1, [5.0, 7.0]); 6], count: -1, rest: vec![0.0] };
        shadow.last = last.map(|_| 0.0);
        shadow.states.iter_mut().zip(states).for_each(|(shadow, state)| *shadow = zeroed(&state));
        let x = [1.5, 2.5];
        let mut adjoint = vec![0.0; 2];
        let mut left = state.clone();
        d(&mut left, &mut shadow, &x, &mut adjoint, 1.0);
        assert_eq!((shadow.last.is_some(), shadow.rest.len()), (last.is_some(), 1));
        let floats = |m: &mut Plain, see: &mut dyn FnMut(&mut f64)| {
            m.last.iter_mut().for_each(&mut *see);
            m.states.iter_mut().for_each(|state| of_state(state, see));
            m.rest.iter_mut().for_each(see);
        };
        let variant = |state: &State| std::mem::discriminant(state);
        assert_eq!(shadow.states.each_ref().map(variant), state.states.each_ref().map(variant));
        floats(&mut shadow, &mut |float| adjoint.push(*float));
        let mut differences = Vec::new();
        for place in 0..adjoint.len() {
            let at = |step: f64| {
                let (mut state, mut x, mut left) = (state.clone(), x, place.wrapping_sub(2));
                x.iter_mut().skip(place).take(1).for_each(|x| *x += step);
                floats(&mut state, &mut |float| {
                    *float += if left == 0 { step } else { 0.0 };
                    left = left.wrapping_sub(1);
                });
                f(&mut state, &x)
            };
            differences.push((at(1e-5) - at(-1e-5)) / 2e-5);
        }
        assert_close!(adjoint, differences, 1e-8);
    }
}

#[derive(Shadow, Clone, Debug, PartialEq)]
enum Layer {
    Dense(Vec<f64>),
    Scale(f64),
    Off,
}

#[autodiff(d_scale, Reverse, Duplicated, Duplicated, Active)]
fn scale(layer: &mut Layer, x: &[f64]) -> f64 {
    let found = match layer {
        Layer::Dense(values) => values[0] * values[1],
        Layer::Scale(scale) => *scale,
        Layer::Off => 1.0,
    };
    *layer = Layer::Scale(x[0]);
    found * x[1]
}

#[test]
fn an_enum_that_may_own_memory() {
    for (found, adjoint, [a, b]) in
        [(Layer::Scale(4.0), Layer::Scale(2.5), [7.0, 4.0]), (Layer::Off, Layer::Off, [0.0, 1.0])]
    {
        let (mut layer, mut shadow, mut dx) = (found.clone(), zeroed(&found), [0.0; 2]);
        if let Layer::Scale(seed) = &mut shadow {
            *seed = 7.0;
        }
        d_scale(&mut layer, &mut shadow, &[1.5, 2.5], &mut dx, 1.0);
        assert_eq!((layer, shadow, dx), (Layer::Scale(1.5), adjoint, [a, b]));
    }
}

#[test]
#[should_panic(expected = "an enum behind an argument has become another variant, and what it was held pointers")]
fn an_owner_that_goes_with_its_adjoints_is_a_panic() {
    let mut layer = Layer::Dense(vec![2.0, 3.0]);
    let mut shadow = zeroed(&layer);
    d_scale(&mut layer, &mut shadow, &[1.5, 2.5], &mut [0.0; 2], 1.0);
}

#[derive(Shadow, Clone, Debug)]
enum Entry {
    Note(String),
    Amount(f32),
}

#[autodiff(d_entered, Reverse, Duplicated, Duplicated, Active)]
fn entered(entry: &mut Entry, x: &[f32]) -> f32 {
    let found = match entry {
        Entry::Note(text) => text.len() as f32,
        Entry::Amount(amount) => *amount * x[0],
    };
    *entry = Entry::Amount(x[0] * x[1]);
    found
}

#[test]
#[should_panic(expected = "or a pointer may have been taken for one")]
fn a_narrow_float_over_half_of_a_pointer_is_a_panic() {
    let mut entry = Entry::Note("the text is longer than all".repeat(3));
    let mut shadow = zeroed(&entry);
    d_entered(&mut entry, &mut shadow, &[1.5, 2.5], &mut [0.0; 2], 1.0);
}

#[test]
fn a_narrow_float_beside_pointers_that_stays_one() {
    let (mut entry, mut shadow, mut dx) = (Entry::Amount(3.0), Entry::Amount(2.0), [0.0; 2]);
    d_entered(&mut entry, &mut shadow, &[1.5, 2.5], &mut dx, 1.0);
    assert!(matches!((entry, shadow), (Entry::Amount(3.75), Entry::Amount(1.5))));
    assert_eq!(dx, [3.0 + 2.0 * 2.5, 2.0 * 1.5]);
}

#[test]
#[should_panic(expected = "its shadow brought an adjoint of what it was")]
fn an_adjoint_of_what_is_not_left_there_is_a_panic() {
    #[autodiff(d, Reverse, Duplicated, Duplicated, Active)]
    fn f(m: &mut [Option<f64>], x: &[f64]) -> f64 {
        m[1].take().unwrap_or(1.0) * x[0]
    }
    d(&mut [None, Some(1.0)], &mut [None, Some(0.5)], &[2.0], &mut [0.0], 1.0);
}

#[test]
fn values_with_several_owners() {
    use std::rc::Rc;
    type Node = Rc<RefCell<Option<f64>>>;
    #[autodiff(d, Reverse, Duplicated, Duplicated, Active)]
    fn f(nodes: &[Node], x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for node in nodes {
            let mut node = node.borrow_mut();
            sum += node.unwrap_or(x[0]) * x[1];
            *node = if node.is_some() { None } else { Some(x[0] * x[1]) };
        }
        sum
    }
    for first in [None, Some(2.0)] {
        let one: Node = Rc::new(RefCell::new(first));
        let nodes = [one.clone(), Rc::new(RefCell::new(Some(5.0))), one.clone()];
        let mut shadows = zeroed(&nodes);
        let mut dx = [0.0; 2];
        d(&nodes, &mut shadows, &[3.0, 7.0], &mut dx, 1.0);
        assert_eq!(*one.borrow(), first.map(|_| 21.0));
        let (adjoint, right) = if first.is_some() { (Some(7.0), [7.0, 10.0]) } else { (None, [56.0, 50.0]) };
        assert_eq!((*shadows[0].borrow(), *shadows[1].borrow()), (adjoint, Some(7.0)));
        assert_eq!(dx, right);
    }
}

/// Enums in enums: what tells a variant in one lies where another has a float.
#[derive(Shadow, Clone, Copy, Debug, PartialEq)]
enum Inner {
    X(f64, f64),
    Y(u64),
}

#[derive(Shadow, Clone, Copy, Debug, PartialEq)]
enum Outer {
    One(Inner),
    Two(u64, Inner),
    Row([Inner; 3]),
    Slots([Option<f64>; 4]),
}

fn of_inner(inner: &mut Inner, see: &mut dyn FnMut(&mut f64)) {
    if let Inner::X(a, b) = inner {
        see(a);
        see(b);
    }
}

fn of_outer(outer: &mut Outer, see: &mut dyn FnMut(&mut f64)) {
    match outer {
        Outer::One(inner) | Outer::Two(_, inner) => of_inner(inner, see),
        Outer::Row(row) => row.iter_mut().for_each(|inner| of_inner(inner, see)),
        Outer::Slots(slots) => slots.iter_mut().flatten().for_each(see),
    }
}

#[inline(never)]
fn turned(inner: Inner, x: f64) -> Inner {
    match inner {
        Inner::X(a, b) => Inner::Y(a.max(b) as u64 | 5.0f64.to_bits()),
        Inner::Y(n) => Inner::X(x, (n % 5) as f64 * x),
    }
}

fn value(inner: &Inner) -> f64 {
    match inner {
        Inner::X(a, b) => a * b + a,
        Inner::Y(n) => (n % 3) as f64,
    }
}

#[test]
fn enums_in_enums() {
    #[autodiff(d, Reverse, Duplicated, Duplicated, Active)]
    fn f(m: &mut Outer, x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for x in x {
            sum += match m {
                Outer::One(inner) | Outer::Two(_, inner) => value(inner) * x,
                Outer::Row(row) => row.iter().map(value).sum::<f64>() * x,
                Outer::Slots(slots) => slots.iter().flatten().sum::<f64>() * x,
            };
            *m = match *m {
                Outer::One(inner) => Outer::Two(7 << 60, turned(inner, *x)),
                Outer::Two(n, inner) => Outer::Row([inner, turned(inner, x * x), Inner::Y(n)]),
                Outer::Row([a, b, c]) => Outer::Slots([None, Some(value(&b) * x), None, Some(value(&a) + value(&c))]),
                Outer::Slots([a, b, ..]) => Outer::One(Inner::X(a.or(b).unwrap_or(*x), b.map_or(1.0, |b| b * x))),
            };
        }
        sum
    }
    let (x, y) = (Inner::X(2.2, 3.4), Inner::Y(3.0f64.to_bits()));
    let x_all = [1.1, 0.7, 1.3, 0.9, 1.2];
    for state in [
        Outer::One(x),
        Outer::One(y),
        Outer::Two(4.0f64.to_bits(), x),
        Outer::Two(1, y),
        Outer::Row([x, y, x]),
        Outer::Row([y, x, y]),
        Outer::Slots([None, Some(0.5), Some(2.0), None]),
        Outer::Slots([Some(0.5), None, None, None]),
    ] {
        for n in 1..=5 {
            check(&state, &zeroed(&state), &x_all[..n], f, d, of_outer);
        }
    }
}

#[derive(Shadow, Clone, Copy, Debug, PartialEq)]
struct Counted {
    count: usize,
    values: [f64; 3],
}

#[test]
fn two_records_of_a_count_and_floats_are_swapped() {
    #[autodiff(d, Reverse, Duplicated, Duplicated, Duplicated, Active)]
    fn f(a: &mut Counted, b: &mut Counted, x: &[f64]) -> f64 {
        std::mem::swap(a, b);
        a.values[0] * x[0] + b.values[1] * x[1]
    }
    let counted = |count, values| Counted { count, values };
    let (mut a, mut b) = (counted(1, [1.0, 2.0, 3.0]), counted(2, [4.0, 5.0, 6.0]));
    let (mut da, mut db) = (counted(8, [10.0, 0.0, 0.0]), counted(9, [0.0, 0.0, 100.0]));
    let mut dx = [0.0; 2];
    assert_eq!(d(&mut a, &mut da, &mut b, &mut db, &[3.0, 7.0], &mut dx, 1.0), 26.0);
    assert_eq!((a, b), (counted(2, [4.0, 5.0, 6.0]), counted(1, [1.0, 2.0, 3.0])));
    assert_eq!((da, db), (counted(8, [0.0, 7.0, 100.0]), counted(9, [13.0, 0.0, 0.0])));
    assert_eq!(dx, [4.0, 2.0]);
}
