//! What a function holds when it panics is given back, in both modes.
use crate::assert_close;
use cotangent::{autodiff, custom_derivative, gradient, jvp};
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

thread_local! { static DROPS: Cell<usize> = const { Cell::new(0) }; }

struct Guard(Vec<f64>);
impl Drop for Guard {
    fn drop(&mut self) {
        DROPS.with(|d| d.set(d.get() + 1));
    }
}
fn drops(run: impl FnOnce()) -> usize {
    let before = DROPS.with(Cell::get);
    run();
    DROPS.with(Cell::get) - before
}
fn panics(run: &dyn Fn()) {
    assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
}

fn made(v: f64) -> Guard {
    Guard(vec![v, v * v])
}

#[inline(never)]
fn checked(guard: &Guard) -> f64 {
    assert!(guard.0[0] > 0.0, "a positive number");
    guard.0[0].ln() * guard.0[1]
}

fn guards_and_a_panic(x: &[f64]) -> f64 {
    let mut all = Vec::new();
    let mut sum = 0.0;
    for v in x {
        all.push(made(*v));
        let own = made(v * v);
        sum += checked(&all[all.len() - 1]) * own.0[0];
    }
    sum
}

#[test]
fn guards_are_dropped_once_when_the_function_panics() {
    let bad = [1.5, 0.5, -1.0, 2.0];
    let by_primal = drops(|| panics(&|| _ = guards_and_a_panic(&bad)));
    let by_gradient = drops(|| panics(&|| _ = gradient(guards_and_a_panic, &bad)));
    let by_tangent = drops(|| panics(&|| _ = jvp(guards_and_a_panic, &bad, &[1.0; 4])));
    assert_eq!(by_primal, 6);
    assert_eq!((by_gradient, by_tangent), (by_primal, by_primal));
    // v^4 ln v
    let good = [1.5f64, 0.5];
    assert_close!(gradient(guards_and_a_panic, &good), good.map(|v| v.powi(3) * (4.0 * v.ln() + 1.0)));
    assert_eq!(drops(|| _ = gradient(guards_and_a_panic, &good)), 4);
    assert_eq!(drops(|| _ = jvp(guards_and_a_panic, &good, &[1.0; 2])), 4);
}

static TOTALS: Mutex<Vec<usize>> = Mutex::new(Vec::new());

fn under_a_lock(x: &[f64]) -> f64 {
    let mut totals = TOTALS.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    totals.push(x.len());
    let mut product = 1.0;
    for v in x {
        assert!(*v != 0.0, "no zeros");
        product *= v.sin();
    }
    product
}

#[test]
fn a_lock_is_given_back_when_the_function_panics() {
    for _ in 0..3 {
        panics(&|| _ = gradient(under_a_lock, &[1.0, 0.0]));
        panics(&|| _ = jvp(under_a_lock, &[1.0, 0.0], &[1.0, 1.0]));
        let x = [0.5f64, 1.5];
        let expected = [0.5f64.cos() * 1.5f64.sin(), 0.5f64.sin() * 1.5f64.cos()];
        assert_close!(gradient(under_a_lock, &x), expected);
        assert_close!(jvp(under_a_lock, &x, &[1.0, 0.0]).1, expected[0]);
    }
    assert!(TOTALS.is_poisoned());
    assert_eq!(TOTALS.lock().unwrap_or_else(|p| p.into_inner()).len(), 12);
}

#[autodiff(cells_reverse, Reverse, Duplicated, Const, Active)]
#[autodiff(cells_forward, Forward, Dual, Const, Dual)]
fn in_cells(x: &[f64], notes: &RefCell<Vec<usize>>) -> f64 {
    let mut notes = notes.borrow_mut();
    let mut sum = 0.0;
    for (k, v) in x.iter().enumerate() {
        notes.push(k);
        sum += root(*v);
    }
    sum * sum
}

#[inline(never)]
fn root(v: f64) -> f64 {
    assert!(v >= 0.0, "no root of {v}");
    v.sqrt()
}

#[test]
fn a_cell_is_not_left_borrowed_when_the_function_panics() {
    let notes = RefCell::new(vec![]);
    for _ in 0..3 {
        panics(&|| _ = cells_reverse(&[4.0, -1.0], &mut [0.0; 2], &notes, 1.0));
        panics(&|| _ = cells_forward(&[4.0, -1.0], &[1.0; 2], &notes));
        let mut dx = [0.0; 2];
        assert_close!(cells_reverse(&[4.0, 9.0], &mut dx, &notes, 1.0), 25.0);
        assert_close!(dx, [2.5, 10.0 / 6.0]);
        assert_close!(cells_forward(&[4.0, 9.0], &[1.0, 0.0], &notes), (25.0, 2.5));
    }
    assert_eq!(notes.borrow().len(), 24);
}

#[autodiff(state_reverse, Reverse, Duplicated, Duplicated, Active)]
#[autodiff(state_forward, Forward, Dual, Dual, Dual)]
fn with_state(state: &RefCell<Vec<f64>>, x: &[f64]) -> f64 {
    let mut state = state.borrow_mut();
    let mut sum = 0.0;
    for v in x {
        state[0] += root(*v);
        sum += state[0] * state[0];
    }
    sum
}

#[test]
fn neither_is_the_cell_of_a_shadow_when_the_function_panics() {
    for _ in 0..3 {
        let state = || RefCell::new(vec![2.0]);
        let (primal, mut adjoint, tangent) = (state(), RefCell::new(vec![0.0]), RefCell::new(vec![1.0]));
        panics(&|| _ = state_forward(&primal, &tangent, &[4.0, -1.0], &[0.0; 2]));
        assert_eq!((primal.take(), tangent.take()), (vec![4.0], vec![1.0]));
        let (primal, mut dx) = (state(), [0.0; 2]);
        let by_panic = catch_unwind(AssertUnwindSafe(|| {
            state_reverse(&primal, &mut adjoint, &[4.0, -1.0], &mut dx, 1.0);
        }));
        assert!(by_panic.is_err());
        assert_eq!((primal.borrow()[0], adjoint.borrow()[0]), (4.0, 0.0));
        // s + 2, then s + 5
        let (primal, tangent, mut dx) = (state(), RefCell::new(vec![1.0]), [0.0; 2]);
        assert_close!(state_forward(&primal, &tangent, &[4.0, 9.0], &[0.0; 2]), (65.0, 22.0));
        assert_close!(state_reverse(&state(), &mut adjoint, &[4.0, 9.0], &mut dx, 1.0), 65.0);
        assert_close!(dx, [22.0 / 4.0, 14.0 / 6.0]);
        assert_close!(adjoint.take(), [22.0]);
    }
}

thread_local! { static LOG: RefCell<Vec<(&'static str, i64)>> = const { RefCell::new(vec![]) }; }

#[custom_derivative(inactive)]
fn log(name: &'static str, value: f64) {
    LOG.with(|log| log.borrow_mut().push((name, (value * 1e3) as i64)));
}

fn logged_by(run: impl FnOnce()) -> Vec<(&'static str, i64)> {
    LOG.take();
    run();
    LOG.take()
}

struct Named(&'static str, f64);
impl Drop for Named {
    fn drop(&mut self) {
        log(self.0, self.1);
    }
}

/// Guards by condition, moved, changed by a callee that panics.
fn with_names(x: &[f64]) -> f64 {
    let first = Named("first", x[0]);
    let maybe = (x[0] > 1.0).then(|| Named("maybe", x[0] * 2.0));
    let mut changed = Named("changed", 0.0);
    let moved = Named("moved", x[1]);
    if x[1] > 2.0 {
        drop(moved);
    } else {
        log("kept", 0.0);
        std::mem::forget(moved);
    }
    let mut sum = first.1;
    for v in x {
        add(&mut changed, *v);
        sum += changed.1 * *v;
    }
    if let Some(maybe) = maybe {
        sum *= maybe.1;
    }
    sum
}

#[inline(never)]
fn add(named: &mut Named, v: f64) {
    let _inner = Named("inner", v);
    named.1 += v;
    if v < 0.0 {
        panic!("a negative number");
    }
    named.1 *= 2.0;
}

#[test]
fn what_a_panic_drops_is_what_it_drops_in_the_primal_in_its_order() {
    for bad in [[0.5, 1.0, -1.0], [1.5, 3.0, -2.0], [1.5, -3.0, 1.0], [-0.5, 2.5, 1.0]] {
        let by_primal = logged_by(|| panics(&|| _ = with_names(&bad)));
        assert_eq!(by_primal.last(), Some(&("first", (bad[0] * 1e3) as i64)));
        assert_eq!(by_primal, logged_by(|| panics(&|| _ = gradient(with_names, &bad))));
        assert_eq!(by_primal, logged_by(|| panics(&|| _ = jvp(with_names, &bad, &[1.0; 3]))));
    }
    for good in [[0.5, 1.0, 1.0], [1.5, 3.0, 2.0]] {
        let v = [0.3, -0.7, 0.2];
        let (mut dx, mut tangent) = (vec![], (0.0, 0.0));
        let by_primal = logged_by(|| _ = with_names(&good));
        assert_eq!(by_primal, logged_by(|| dx = gradient(with_names, &good)));
        assert_eq!(by_primal, logged_by(|| tangent = jvp(with_names, &good, &v)));
        assert_close!(tangent, (with_names(&good), testing::dot(&dx, &v)));
        let h = 1e-6;
        let moved = |by: f64| [0, 1, 2].map(|k| good[k] + by * v[k]);
        assert!((tangent.1 - (with_names(&moved(h)) - with_names(&moved(-h))) / (2.0 * h)).abs() < 1e-5);
    }
}

fn depth(x: &[f64], held: &Mutex<usize>) -> f64 {
    let _named = Named("depth", x.len() as f64);
    match x {
        [] => 1.0,
        [last] => {
            let mut count = held.lock().unwrap_or_else(|p| p.into_inner());
            *count += 1;
            assert!(*last > 0.0, "the last is positive");
            last.ln()
        }
        [first, rest @ ..] => first * depth(rest, held),
    }
}

#[autodiff(deep_reverse, Reverse, Duplicated, Const, Active)]
#[autodiff(deep_forward, Forward, Dual, Const, Dual)]
fn deep(x: &[f64], held: &Mutex<usize>) -> f64 {
    depth(x, held)
}

#[test]
fn every_call_of_a_recursion_gives_back_what_it_holds_when_it_panics() {
    let held = Mutex::new(0);
    let depths = [("depth", 1000), ("depth", 2000), ("depth", 3000)];
    for _ in 0..3 {
        let bad = [2.0, 3.0, -1.0];
        assert_eq!(logged_by(|| panics(&|| _ = deep_reverse(&bad, &mut [0.0; 3], &held, 1.0))), depths);
        assert_eq!(logged_by(|| panics(&|| _ = deep_forward(&bad, &[1.0; 3], &held))), depths);
        let (mut dx, ln) = ([0.0; 3], 1.5f64.ln());
        assert_close!(deep_reverse(&[2.0, 3.0, 1.5], &mut dx, &held, 1.0), 6.0 * ln);
        assert_close!(dx, [3.0 * ln, 2.0 * ln, 4.0]);
        assert_close!(deep_forward(&[2.0, 3.0, 1.5], &[0.0, 0.0, 1.0], &held), (6.0 * ln, 4.0));
    }
    assert_eq!(*held.lock().unwrap_or_else(|p| p.into_inner()), 12);
}

/// A buffer that is lent out, and comes back when it is dropped.
struct Lent<'a> {
    pool: &'a RefCell<Vec<Vec<f64>>>,
    buffer: Vec<f64>,
}
impl Drop for Lent<'_> {
    fn drop(&mut self) {
        self.pool.borrow_mut().push(std::mem::take(&mut self.buffer));
    }
}

fn pooled(x: &[f64]) -> f64 {
    let pool = RefCell::new(vec![Vec::with_capacity(8)]);
    let mut sum = 0.0;
    for v in x {
        let mut lent = Lent { pool: &pool, buffer: pool.borrow_mut().pop().expect("a buffer") };
        lent.buffer.clear();
        lent.buffer.extend(x.iter().map(|w| w * v));
        sum += lent.buffer.iter().map(|w| root(*w)).sum::<f64>();
    }
    sum + pool.borrow().len() as f64
}

#[test]
fn buffers_come_back_to_a_pool_also_by_a_panic() {
    // (sum of the roots)^2 + 1
    let x = [1.0f64, 4.0, 9.0];
    assert_close!(gradient(pooled, &x), [6.0, 3.0, 2.0]);
    assert_close!(jvp(pooled, &x, &[1.0, 0.0, 1.0]), (37.0, 8.0));
    for _ in 0..3 {
        panics(&|| _ = gradient(pooled, &[1.0, -1.0]));
        panics(&|| _ = jvp(pooled, &[1.0, -1.0], &[1.0, 1.0]));
    }
}

fn inner_gradient(x: &[f64]) -> f64 {
    let _guard = made(1.0);
    let g = gradient(
        |y: &[f64]| {
            y.iter()
                .map(|v| {
                    let _inner = made(2.0);
                    root(*v) * v
                })
                .sum::<f64>()
        },
        x,
    );
    g.iter().sum()
}

#[test]
fn guards_in_a_derivative_that_is_differentiated_are_dropped_once_by_a_panic() {
    let good = [4.0f64, 9.0];
    // d (3/2) sqrt(v) / dv = 3 / (4 sqrt(v))
    assert_close!(gradient(inner_gradient, &good), [0.375, 0.25]);
    assert_eq!(drops(|| _ = gradient(inner_gradient, &good)), 3);
    let by_primal = drops(|| panics(&|| _ = inner_gradient(&[4.0, -1.0])));
    assert_eq!(by_primal, 3);
    assert_eq!(drops(|| panics(&|| _ = gradient(inner_gradient, &[4.0, -1.0]))), by_primal);
    assert_eq!(drops(|| panics(&|| _ = jvp(inner_gradient, &[4.0, -1.0], &[1.0; 2]))), by_primal);
}

struct Clears<'a>(&'a mut Vec<Guard>);
impl Drop for Clears<'_> {
    fn drop(&mut self) {
        self.0.clear();
    }
}

fn cleared(x: &[f64]) -> f64 {
    let mut all = vec![made(x[0]), made(x[1])];
    let guard = Clears(&mut all);
    assert!(x[0] > 0.0, "a positive number");
    x[0] * guard.0.len() as f64
}

struct Defer<F: FnMut()>(F);
impl<F: FnMut()> Drop for Defer<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

fn deferred(x: &[f64]) -> f64 {
    let n = Cell::new(1);
    let _told = Defer(|| log("told", f64::from(n.get())));
    let _changed = Defer(|| n.set(n.get() + 10));
    assert!(x[0] > 0.0, "a positive number");
    x[0].sqrt()
}

struct Stack {
    length: usize,
    values: [f64; 8],
}
impl Drop for Stack {
    fn drop(&mut self) {
        log("stack", self.length as f64);
    }
}

struct SetsLength<'a> {
    length: &'a mut usize,
    local: usize,
}
impl Drop for SetsLength<'_> {
    fn drop(&mut self) {
        *self.length = self.local;
    }
}

fn filled(x: &[f64]) -> f64 {
    let mut stack = Stack { length: 0, values: [0.0; 8] };
    {
        let mut guard = SetsLength { length: &mut stack.length, local: 0 };
        for v in x {
            stack.values[guard.local] = v.sin();
            assert!(*v > 0.0, "a positive number");
            guard.local += 1;
        }
    }
    stack.values[..stack.length].iter().map(|v| v * v).sum()
}

#[test]
fn what_one_destructor_of_a_panic_writes_the_next_one_reads() {
    for _ in 0..10 {
        for by in [|| _ = gradient(cleared, &[-1.0, 2.0]), || _ = jvp(cleared, &[-1.0, 2.0], &[1.0; 2])] {
            assert_eq!(drops(|| panics(&by)), 2);
        }
    }
    for (function, bad) in [(deferred as fn(&[f64]) -> f64, vec![-1.0]), (filled, vec![0.5, 0.3, -1.0])] {
        let by_primal = logged_by(|| panics(&|| _ = function(&bad)));
        assert_eq!(by_primal.len(), 1);
        assert!([11_000, 2_000].contains(&by_primal[0].1));
        let v = vec![1.0; bad.len()];
        assert_eq!(by_primal, logged_by(|| panics(&|| _ = gradient(function, &bad))));
        assert_eq!(by_primal, logged_by(|| panics(&|| _ = jvp(function, &bad, &v))));
    }
    assert_close!(gradient(cleared, &[1.5, 2.0]), [2.0, 0.0]);
    assert_close!(gradient(deferred, &[4.0]), [0.25]);
    assert_close!(gradient(filled, &[0.5, 0.3]), [1f64.sin(), 0.6f64.sin()]);
}

/// Of a signature that no other method has.
trait Layer {
    fn apply(&self, x: f64, of: u8, all: u16) -> f64;
}

struct Scale(f64);
impl Layer for Scale {
    fn apply(&self, x: f64, _: u8, _: u16) -> f64 {
        x * self.0
    }
}
impl Drop for Scale {
    fn drop(&mut self) {
        log("scale", self.0);
    }
}

struct Root(f64);
impl Layer for Root {
    fn apply(&self, x: f64, _: u8, _: u16) -> f64 {
        root(x) * self.0
    }
}
impl Drop for Root {
    fn drop(&mut self) {
        log("root", self.0);
    }
}

fn layers(x: &[f64]) -> f64 {
    let all: Vec<Box<dyn Layer>> = vec![Box::new(Scale(x[0])), Box::new(Root(x[1])), Box::new(Scale(2.0))];
    let last: Box<dyn Layer> = if x[0] > 0.0 { Box::new(Scale(x[1])) } else { Box::new(Root(3.0)) };
    all.iter().fold(x[1], |v, layer| layer.apply(v, 1, 2)) + last.apply(x[1], 0, 1)
}

struct Later(Option<Box<dyn FnOnce()>>);
impl Drop for Later {
    fn drop(&mut self) {
        if let Some(act) = self.0.take() {
            act();
        }
    }
}

fn later(x: &[f64]) -> f64 {
    let v = x[0];
    let _first = Later(Some(Box::new(move || log("first", v))));
    let _second = Later(Some(Box::new(move || log("second", v * 2.0))));
    root(x[1]) * x[0]
}

struct Hook(fn(&'static str, f64), f64);
impl Drop for Hook {
    fn drop(&mut self) {
        (self.0)("hook", self.1);
    }
}

fn hooked(x: &[f64]) -> f64 {
    let _hook = Hook(log, 1.0);
    let mut sum = 0.0;
    for v in x {
        let _inner = Hook(log, 2.0);
        sum += root(*v);
    }
    sum
}

#[test]
fn what_is_known_by_its_trait_alone_is_dropped_by_a_panic() {
    let functions = [layers as fn(&[f64]) -> f64, later, hooked];
    for (function, bad) in functions.into_iter().flat_map(|f| [(f, [1.0, -1.0]), (f, [-1.0, -4.0])]) {
        let by_primal = logged_by(|| panics(&|| _ = function(&bad)));
        assert!(by_primal.len() > 1);
        assert_eq!(by_primal, logged_by(|| panics(&|| _ = gradient(function, &bad))));
        assert_eq!(by_primal, logged_by(|| panics(&|| _ = jvp(function, &bad, &[1.0; 2]))));
    }
    let (x, root) = ([1.5, 4.0], 2.0);
    // 2 sqrt(x0 x1) x1 + x1^2, sqrt(x1) x0, sqrt(x0) + sqrt(x1)
    let of_layers = [8.0 * 4.0 / (2.0 * 6f64.sqrt()), 2.0 * 6f64.sqrt() + 8.0 * 1.5 / (2.0 * 6f64.sqrt()) + 8.0];
    let of_hooked = [0.5 / 1.5f64.sqrt(), 0.25];
    for (function, expected) in functions.into_iter().zip([of_layers, [root, 1.5 / 4.0], of_hooked]) {
        let mut dx = vec![];
        let by_primal = logged_by(|| _ = function(&x));
        assert_eq!(by_primal, logged_by(|| dx = gradient(function, &x)));
        assert_close!(dx, expected);
    }
}
