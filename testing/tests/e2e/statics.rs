//! Statics and thread locals that a differentiated function reads, counts in, and fills with what is constant.
use crate::functional;
use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{LazyLock, Mutex, OnceLock};

static COUNT: AtomicUsize = AtomicUsize::new(0);
static NAMES: Mutex<Vec<String>> = Mutex::new(Vec::new());
static TABLE: OnceLock<Vec<f64>> = OnceLock::new();
static WEIGHTS: LazyLock<Vec<f64>> = LazyLock::new(|| vec![0.5, -1.5, 2.0]);

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
    static SCALE: Cell<f64> = const { Cell::new(2.0) };
    static LOG: RefCell<String> = const { RefCell::new(String::new()) };
}

struct Item {
    name: String,
    value: f64,
}

#[inline(never)]
fn counted(x: &[f64]) {
    COUNT.fetch_add(x.len(), SeqCst);
    CALLS.set(CALLS.get() + 1);
    SCALE.set(3.0);
}

#[inline(never)]
fn noted(item: &Item) {
    NAMES.lock().unwrap().push(item.name.clone());
    LOG.with_borrow_mut(|log| log.push_str(&item.name));
}

functional! {
    fn counters_and_names_are_kept_in_statics(x: &[f64]) -> f64 {
        counted(x);
        let items: Vec<Item> = x.iter().map(|v| Item { name: format!("{} items", x.len()), value: *v }).collect();
        items.iter().for_each(noted);
        SCALE.get() * items[0].value * items[1].value
    } at [2.0, 5.0];

    fn a_table_of_constants_is_made_once(x: &[f64]) -> f64 {
        let table = TABLE.get_or_init(|| (0..3).map(|i| f64::from(i) + 1.0).collect());
        x.iter().zip(table).map(|(x, t)| (x * t).sin()).sum()
    } at [2.0, 5.0, -0.3];

    fn weights_are_made_when_they_are_first_asked_for(x: &[f64]) -> f64 {
        x.iter().zip(WEIGHTS.iter()).map(|(x, w)| x * x * w).product()
    } at [2.0, 5.0, -0.3];
}
