//! Writes through references that lead to memory of the function's own or to what a closure captures, as it comes: what depends on no argument is written as in
//! the primal, and what does is refused when it would be lost.

use crate::assert_close;
use cotangent::{gradient, jvp};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Mutex;
use testing::check::closure;
use testing::refusal;

/// Holds derivatives against differences where the function's own memory is chosen, and has both modes refuse what is lost where the captured one is.
#[inline(always)]
fn refuse_lost<C>(captured: impl Fn() -> C, f: impl Fn(&C, &[f64]) -> f64) {
    let (here, there, kept) = (captured(), captured(), captured());
    closure(&[0.7, 1.2], |x| f(&kept, x));
    let reverse = refusal(|| gradient(|x: &[f64]| f(&here, x), &[0.7, -1.2]));
    let forward = refusal(|| jvp(|x: &[f64]| f(&there, x), &[0.7, -1.2], &[1.0, 0.0]));
    for message in [reverse, forward] {
        assert!(message.contains("CT0402") && message.contains("constants_written.rs"), "{message}");
    }
    closure(&[0.4, 0.3], |x| f(&kept, x));
}

#[test]
fn a_float_in_a_cell() {
    let f = |captured: &Cell<f64>, x: &[f64]| {
        let own = Cell::new(x[0]);
        let chosen = if x[1] > 0.0 { &own } else { captured };
        chosen.set(chosen.get() * x[0]);
        chosen.get() + own.get()
    };
    refuse_lost(|| Cell::new(1.0), f);
}

#[test]
fn what_is_captured_is_read_by_its_own_name() {
    let f = |captured: &Cell<f64>, x: &[f64]| {
        let own = Cell::new(0.0);
        let chosen = if x[1] > 0.0 { &own } else { captured };
        chosen.set(x[0] * x[0]);
        captured.get() * x[0]
    };
    refuse_lost(|| Cell::new(1.5), f);
}

static PAIR: Mutex<(u64, f64, Option<&str>)> = Mutex::new((1, 2.5, None));

thread_local! {
    static COUNTED: RefCell<(u64, f64)> = const { RefCell::new((0, 1.5)) };
}

#[test]
fn constants_in_a_static_or_a_thread_local() {
    let pair = |x: &[f64]| {
        let mut own = (3, x[0], Some("a"));
        let mut held = PAIR.lock().expect("no panic before");
        let chosen = if x[1] > 0.0 { &mut own } else { &mut *held };
        chosen.0 = 7;
        chosen.2 = Some("bcd");
        chosen.1 * x[0] * chosen.0 as f64 + chosen.2.map_or(0.0, |text| text.len() as f64)
    };
    let counted = |x: &[f64]| {
        COUNTED.with(|held| {
            let own = RefCell::new((2, x[0]));
            let chosen = if x[1] > 0.0 { &own } else { held };
            chosen.borrow_mut().0 = 5;
            let (count, value) = *chosen.borrow();
            value * x[1] * count as f64
        })
    };
    for x in [[0.7, 1.2], [0.7, -1.2]] {
        closure(&x, pair);
        closure(&x, counted);
    }
    assert_eq!(*PAIR.lock().expect("no panic before"), (7, 2.5, Some("bcd")));
    COUNTED.with(|held| assert_eq!(*held.borrow(), (5, 1.5)));
}

#[test]
fn a_constant_in_a_cell_is_written_and_read() {
    let captured = Cell::new(0.5);
    let f = |x: &[f64]| {
        let own = Cell::new(x[0]);
        let chosen = if x[1] > 0.0 { &captured } else { &own };
        chosen.set(2.0);
        chosen.get() * x[0] + own.get()
    };
    closure(&[0.7, 1.2], f);
    assert_close!(captured.get(), 2.0);
    closure(&[0.7, -1.2], f);
}

#[test]
fn a_vector_in_a_slot_is_lost_with_a_panic() {
    let f = |captured: &RefCell<Option<Rc<Vec<f64>>>>, x: &[f64]| {
        let own = RefCell::new(None);
        let chosen = if x[1] > 0.0 { &own } else { captured };
        *chosen.borrow_mut() = Some(Rc::new(x.to_vec()));
        let held = chosen.borrow();
        held.as_ref().map_or(0.0, |v| v.iter().map(|a| a * a).sum::<f64>())
    };
    refuse_lost(|| RefCell::new(None), f);
}

#[test]
fn a_row_copied_and_filled() {
    let written = |captured: &RefCell<[f64; 8]>, x: &[f64], row: &[f64]| {
        let own = RefCell::new([0.0; 8]);
        let chosen = if x[1] > 0.0 { &own } else { captured };
        chosen.borrow_mut()[..2].copy_from_slice(row);
        chosen.borrow_mut()[4..].fill(3.0);
        let weighed = |(i, a): (usize, &f64)| a * a * i as f64 * x[0];
        let row = *chosen.borrow();
        row.iter().enumerate().map(weighed).sum::<f64>()
    };
    refuse_lost(|| RefCell::new([1.0; 8]), |captured, x| written(captured, x, x));
    let captured = RefCell::new([1.0; 8]);
    closure(&[0.7, -1.2], |x| written(&captured, x, &[0.5, 0.25]));
    assert_eq!(*captured.borrow(), [0.5, 0.25, 1.0, 1.0, 3.0, 3.0, 3.0, 3.0]);
}

#[test]
fn a_count_beside_a_float() {
    let captured = RefCell::new((3u64, 2.0));
    let f = |x: &[f64]| {
        let own = RefCell::new((1, x[0]));
        let chosen = if x[1] > 0.0 { &captured } else { &own };
        chosen.borrow_mut().0 = 7;
        let product = chosen.borrow().1 * x[0] * chosen.borrow().0 as f64;
        product + own.borrow().1
    };
    closure(&[0.7, 1.2], f);
    assert_eq!(*captured.borrow(), (7, 2.0));
    closure(&[0.7, -1.2], f);
}
