//! What gradients allocate: nothing where the primal does not, and nothing that stays.

use cotangent::{autodiff, custom_derivative};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::hint::black_box;
use testing::{assert_close, noise};

thread_local! {
    static LIVE: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

/// Counts bytes and calls of the thread that asks. It has blocks of its own kind, with what was asked for in front, and ends the program where anybody gives one back that it did
/// not make, or as another one.
struct Counting;

/// What lies in front of a block.
const HEAD: usize = 32;
/// What its first word is made of.
const MARK: usize = 0x5eed_b10c;

fn count(bytes: isize) {
    LIVE.with(|live| live.set(live.get() + bytes));
    PEAK.with(|peak| peak.set(peak.get().max(LIVE.get())));
    CALLS.with(|calls| calls.set(calls.get() + usize::from(bytes > 0)));
}

/// How far behind the system's block one begins.
fn offset(align: usize) -> usize {
    HEAD.max(align)
}

/// The system's block.
fn outer(layout: Layout) -> Layout {
    let align = layout.align().max(align_of::<usize>());
    Layout::from_size_align(layout.size() + offset(layout.align()), align).expect("no block is that large")
}

/// # Safety
/// There is room for a head in front of the block.
unsafe fn begin(base: *mut u8, layout: Layout) -> *mut u8 {
    if base.is_null() {
        return base;
    }
    unsafe {
        let block = base.add(offset(layout.align()));
        block.sub(HEAD).cast::<[usize; 3]>().write([MARK ^ block as usize, layout.size(), layout.align()]);
        block
    }
}

/// The system's block of one that is given back.
///
/// # Safety
/// The block is of this allocator.
unsafe fn end(block: *mut u8, layout: Layout) -> *mut u8 {
    unsafe {
        let head = block.sub(HEAD).cast::<[usize; 3]>();
        if head.read() != [MARK ^ block as usize, layout.size(), layout.align()] {
            std::process::abort();
        }
        // It is none any more.
        head.write([0; 3]);
        block.sub(offset(layout.align()))
    }
}

// SAFETY: blocks lie in such of the system's allocator, each behind a head.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { begin(System.alloc(outer(layout)), layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { begin(System.alloc_zeroed(outer(layout)), layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        unsafe { System.dealloc(end(memory, layout), outer(layout)) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as isize - layout.size() as isize);
        let new = Layout::from_size_align(size, layout.align()).expect("a layout that was asked for");
        unsafe { begin(System.realloc(end(memory, layout), outer(layout), outer(new).size()), new) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations made and bytes kept by `times` runs of `work`.
fn measured<R>(times: usize, mut work: impl FnMut() -> R) -> (usize, isize) {
    let (calls, live) = (CALLS.get(), LIVE.get());
    for _ in 0..times {
        black_box(work());
    }
    (CALLS.get() - calls, LIVE.get() - live)
}

/// The most bytes that were there at once in one run of `work`, beyond those before it.
fn peak<R>(work: impl FnOnce() -> R) -> isize {
    let before = LIVE.get();
    PEAK.set(before);
    black_box(work());
    PEAK.get() - before
}

#[autodiff(straight_reverse, Reverse, Active, Active, Active)]
#[autodiff(straight_forward, Forward, Dual, Dual, Dual)]
fn straight(x: f64, y: f64) -> f64 {
    (x * y).sin() + x / y
}

#[test]
fn a_straight_line_function_allocates_nothing() {
    let reverse = measured(10, || straight_reverse(black_box(0.4), 2.0, 1.0));
    let forward = measured(10, || straight_forward(black_box(0.4), 1.0, 2.0, 0.0));
    assert_eq!((reverse, forward), ((0, 0), (0, 0)));
    assert_close!(straight_reverse(0.4, 2.0, 1.0).1, straight_forward(0.4, 1.0, 2.0, 0.0).1);
}

#[autodiff(squares_reverse, Reverse, Duplicated, Active)]
#[autodiff(squares_forward, Forward, Dual, DualOnly)]
fn squares(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for v in x {
        sum += v * v;
    }
    sum
}

#[test]
fn a_loop_whose_values_are_at_hand_allocates_nothing() {
    let (x, mut dx) = (noise(1, 1000), vec![0.0; 1000]);
    let reverse = measured(1, || squares_reverse(&x, &mut dx, 1.0));
    let forward = measured(1, || squares_forward(&x, &x));
    assert_eq!((reverse, forward), ((0, 0), (0, 0)));
    assert_close!(dx[17], 2.0 * x[17]);
}

#[autodiff(chain_reverse, Reverse, Duplicated, Active)]
fn chain(x: &[f64]) -> f64 {
    let mut y = 0.5;
    for v in x {
        y = (y * v).sin() + 0.1;
    }
    y
}

#[test]
fn the_tape_is_kept_and_used_again() {
    let (x, mut dx) = (noise(2, 10_000), vec![0.0; 10_000]);
    chain_reverse(&x, &mut dx, 1.0);
    let later = measured(20, || chain_reverse(&x, &mut dx, 1.0));
    assert_eq!(later, (0, 0));
}

#[autodiff(while_reverse, Reverse, Active, Active)]
fn grows(x: f64) -> f64 {
    let mut y = x;
    while y < 1e6 {
        y += 0.01 * y.sqrt() + 1.0;
    }
    y
}

#[test]
fn a_tape_of_unknown_length_is_kept_too() {
    while_reverse(1.0, 1.0);
    let later = measured(5, || while_reverse(1.5, 1.0));
    assert_eq!(later, (0, 0));
}

#[autodiff(buffer_reverse, Reverse, Duplicated, Active)]
#[autodiff(buffer_forward, Forward, Dual, Dual)]
fn through_a_buffer(x: &[f64]) -> f64 {
    let mut v = vec![0.0; x.len()];
    for i in 0..x.len() {
        v[i] = x[i] * x[i];
    }
    v.iter().map(|v| v * v).sum()
}

#[test]
fn buffers_and_their_shadows_are_freed() {
    let (x, mut dx) = (noise(3, 500), vec![0.0; 500]);
    buffer_reverse(&x, &mut dx, 1.0);
    let reverse = measured(20, || buffer_reverse(&x, &mut dx, 1.0));
    let forward = measured(20, || buffer_forward(&x, &x));
    assert_eq!((reverse.1, forward.1), (0, 0));
    assert_close!(dx[3], 21.0 * 4.0 * x[3].powi(3));
}

#[inline(never)]
fn by_halves(x: &[f64]) -> f64 {
    match x {
        [] => 0.0,
        [v] => v.sin(),
        _ => {
            let (a, b) = x.split_at(x.len() / 2);
            by_halves(a) * by_halves(b) + a[0]
        }
    }
}

#[autodiff(recursive_reverse, Reverse, Duplicated, Active)]
fn recursive(x: &[f64]) -> f64 {
    by_halves(x)
}

#[test]
fn the_tapes_of_a_recursion_are_given_back() {
    let (x, mut dx) = (noise(4, 64), vec![0.0; 64]);
    recursive_reverse(&x, &mut dx, 1.0);
    let later = measured(20, || recursive_reverse(&x, &mut dx, 1.0));
    assert_eq!(later.1, 0);
}

#[test]
fn closures_allocate_only_what_they_return() {
    let (x, mut g) = (noise(5, 100), vec![0.0; 100]);
    let f = |x: &[f64]| x.iter().map(|v| v * v * v).sum::<f64>();
    let into = measured(1, || cotangent::value_and_gradient(f, &x, &mut g));
    assert_eq!(into, (0, 0));
    let mut returned = Vec::new();
    let made = measured(1, || returned = cotangent::gradient(f, &x));
    assert_eq!(made, (1, 800));
    assert_close!(returned, g);
}

#[test]
fn jacobians_hessians_and_products_allocate_only_what_they_return() {
    use cotangent::{derivative, hessian, hvp, jacobian, jvp, vjp};
    let (x, v) = (noise(6, 12), noise(7, 12));
    let f = |x: &[f64]| x.windows(2).map(|w| (w[0] * w[1]).sin()).sum::<f64>();
    let map = |x: &[f64], y: &mut [f64]| y.iter_mut().zip(x).for_each(|(y, x)| *y = x * x * x);
    // The second time: the tape has what it needs.
    let second = |run: &mut dyn FnMut() -> usize| {
        run();
        let mut returned = 0;
        let (calls, kept) = measured(1, || returned = run());
        (calls, kept, returned)
    };
    assert_eq!(second(&mut || usize::from(derivative(|t: f64| t.sin(), 0.3) > 2.0)), (0, 0, 0));
    assert_eq!(second(&mut || usize::from(jvp(f, &x, &v).1 > 100.0)), (0, 0, 0));
    assert_eq!(second(&mut || vjp(map, &x, &v).len()), (1, 0, 12));
    assert_eq!(second(&mut || hvp(f, &x, &v).len()), (1, 0, 12));
    assert_eq!(second(&mut || hessian(f, &x).len()), (1, 0, 144));
    for m in [3, 12, 30] {
        assert_eq!(second(&mut || jacobian(map, &x, m).len()), (1, 0, 12 * m));
    }
}

#[test]
fn a_sparse_matrix_is_written_again_without_allocating() {
    use cotangent::sparse::{HessianColouring, JacobianColouring, Pattern};
    let x = noise(8, 30);
    let f = |x: &[f64]| x.windows(2).map(|w| (w[0] * w[1]).sin()).sum::<f64>();
    let map = |x: &[f64], y: &mut [f64]| y.iter_mut().zip(x.windows(2)).for_each(|(y, w)| *y = w[0] * w[1]);
    let jacobian = JacobianColouring::new(&Pattern::banded(29, 30, 0, 1));
    let hessian = HessianColouring::new(&Pattern::banded(30, 30, 1, 1));
    let mut j = jacobian.evaluate(map, &x).unwrap();
    let mut h = hessian.evaluate(f, &x).unwrap();
    assert_eq!(measured(3, || jacobian.evaluate_into(map, &x, &mut j).unwrap()), (0, 0));
    assert_eq!(measured(3, || hessian.evaluate_into(f, &x, &mut h).unwrap()), (0, 0));
    assert_close!(j.to_dense(), cotangent::jacobian(map, &x, 29));
    assert_close!(h.to_dense(), cotangent::hessian(f, &x));
}

fn with_many_allocations(x: &[f64]) -> f64 {
    let mut v = Vec::new();
    for a in x {
        v.push(a * a);
        v.extend_from_slice(x);
    }
    let map: BTreeMap<usize, f64> = v.iter().copied().enumerate().collect();
    let table: HashMap<u8, f64> = (0..).zip(x.iter().copied()).collect();
    let closure: Box<dyn Fn(f64) -> f64> = {
        let own = v.clone();
        Box::new(move |t| t * own[1])
    };
    let text = format!("{}", x.len());
    closure(map[&2]) * table[&1] * text.len() as f64
}

#[test]
fn a_million_gradients_keep_nothing() {
    use cotangent::{gradient, jvp};
    let (x, v) = ([0.4, 1.2, -0.3], [1.0, 0.5, 0.25]);
    // The first number times the square of the second.
    let expected = [1.44, 2.0 * 0.4 * 1.2, 0.0];
    let gradients = |times| measured(times, || gradient(with_many_allocations, &x)).1;
    let tangents = |times| measured(times, || jvp(with_many_allocations, &x, &v)).1;
    // The tape and the table's seed have what they need after the first ones.
    gradients(10);
    tangents(10);
    assert_eq!((gradients(1_000_000), tangents(100_000)), (0, 0));
    assert_close!(gradient(with_many_allocations, &x), expected);
    assert_close!(jvp(with_many_allocations, &x, &v), (0.4 * 1.44, 1.44 + 0.5 * 0.96));
}

#[custom_derivative(reverse = (cube_augmented, cube_pullback))]
fn cube(x: f64) -> f64 {
    x * x * x
}

fn cube_augmented(x: f64) -> (f64, f64) {
    (x * x * x, x * x)
}

fn cube_pullback(tape: f64, _x: f64, dret: f64) -> f64 {
    3.0 * tape * dret
}

#[autodiff(cube_slope, Reverse, Active, ActiveOnly)]
fn cubed(x: f64) -> f64 {
    cube(x)
}

#[autodiff(cube_forward_over_reverse, Forward, Dual, Dual)]
#[autodiff(cube_reverse_over_reverse, Reverse, Active, Active)]
fn slope_of_cube(x: f64) -> f64 {
    cube_slope(x, 1.0)
}

#[test]
fn tapes_of_rules_in_second_derivatives_are_given_back() {
    let both = || (cube_forward_over_reverse(1.5, 1.0), cube_reverse_over_reverse(1.5, 1.0));
    assert_close!(both().0, (6.75, 9.0));
    assert_close!(both().1, (6.75, 9.0));
    let held = cotangent::tape::held();
    for _ in 0..5000 {
        black_box(both());
    }
    assert_eq!(cotangent::tape::held(), held);
}

/// Steps of the long loops.
const STEPS: usize = 20_000_000;

#[autodiff(d_long_linear, Reverse, Active, Const, Active)]
fn long_linear(x: f64, steps: usize) -> f64 {
    let mut y = x;
    for _ in 0..steps {
        y = 0.999 * y + 0.5 * x;
    }
    y
}

#[test]
fn a_long_loop_that_needs_nothing_keeps_nothing() {
    let mut result = (0.0, 0.0);
    assert_eq!(peak(|| result = d_long_linear(2.0, STEPS, 1.0)), 0);
    assert_close!(result.0, 1000.0);
    assert_close!(result.1, 500.0);
}

#[autodiff(d_long_sine, Reverse, Active, Const, Active)]
fn long_sine(x: f64, steps: usize) -> f64 {
    let mut y = x;
    for _ in 0..steps {
        y = y.sin() + x;
    }
    y
}

#[test]
fn a_long_loop_keeps_eight_bytes_of_each_step() {
    let mut result = (0.0, 0.0);
    let bytes = peak(|| result = d_long_sine(0.5, STEPS, 1.0));
    assert!(bytes <= 8 * STEPS as isize + 200_000, "{bytes} bytes for {STEPS} steps");
    // At the fixed point y = sin y + x, dy/dx = 1 / (1 - cos y).
    assert_close!(result.0.sin() + 0.5, result.0);
    assert_close!(result.1, 1.0 / (1.0 - result.0.cos()));
}

#[autodiff(d_until, Reverse, Active, Const, Active)]
fn until(x: f64, bound: f64) -> f64 {
    let mut y = x;
    while y < bound {
        y += y.sqrt() / y;
    }
    y
}

#[test]
fn a_long_loop_of_unknown_length_keeps_at_most_three_times_its_need() {
    let mut steps = 0;
    let mut y = 1.0f64;
    while y < 30_000.0 {
        y += y.sqrt() / y;
        steps += 1;
    }
    let mut result = (0.0, 0.0);
    let bytes = peak(|| result = d_until(1.0, 30_000.0, 1.0));
    assert!(steps > 3_000_000 && bytes <= 3 * 8 * steps + 200_000, "{bytes} bytes for {steps} steps");
    assert_eq!(result.0, y);
}

#[derive(Clone, Copy)]
struct Orbit {
    position: [f64; 3],
    velocity: [f64; 3],
    steps: usize,
}

#[inline(never)]
fn fall(orbit: &mut Orbit, pull: f64) {
    let square: f64 = orbit.position.iter().map(|p| p * p).sum();
    for i in 0..3 {
        orbit.velocity[i] -= 1e-6 * pull * orbit.position[i] / (square * square.sqrt());
        orbit.position[i] += 1e-6 * orbit.velocity[i];
    }
    orbit.steps += 1;
}

#[autodiff(d_fallen, Reverse, Active, Const, Active)]
fn fallen(pull: f64, steps: usize) -> f64 {
    let mut orbit = Orbit { position: [1.0, 0.5, 0.0], velocity: [0.0, 1.0, 0.2], steps: 0 };
    for _ in 0..steps {
        fall(&mut orbit, pull);
    }
    orbit.position[0] * 1e6 + orbit.steps as f64
}

#[test]
fn a_long_loop_over_a_state_keeps_what_its_steps_need_of_it() {
    const STEPS: usize = 1_000_000;
    let mut result = (0.0, 0.0);
    let bytes = peak(|| result = d_fallen(1.0, STEPS, 1.0));
    assert_eq!(result.0, fallen(1.0, STEPS));
    assert_close!(result.1, testing::differences::slope(|pull| fallen(pull, STEPS), 1.0), 1e-6);
    // Six numbers of the state, and two of what is made of them.
    assert!(bytes <= 8 * 8 * STEPS as isize + 200_000, "{} bytes a step", bytes / STEPS as isize);
}

#[autodiff(d_rows, Reverse, Active, Const, Active)]
fn rows(x: f64, steps: usize) -> f64 {
    let mut y = x;
    for i in 0..steps {
        let row: Vec<f64> = (0..4).map(|j| (y * f64::from(j)).sin()).collect();
        y = row[i % 4] + row[(i + 1) % 4] * 0.1 + x;
    }
    y
}

#[test]
fn a_long_loop_keeps_the_blocks_of_its_steps_and_their_shadows_and_no_more() {
    const STEPS: usize = 100_000;
    let mut result = (0.0, 0.0);
    let bytes = peak(|| result = d_rows(0.3, STEPS, 1.0));
    assert_eq!(result.0, rows(0.3, STEPS));
    // A row of four numbers and its shadow, what the row is made of, where both lie, and what gives them back.
    assert!(bytes <= 192 * STEPS as isize + 200_000, "{} bytes a step", bytes / STEPS as isize);
    let near = |x| rows(x, 50);
    assert_close!(d_rows(0.3, 50, 1.0).1, testing::differences::slope(near, 0.3), 1e-6);
}

#[autodiff(d_of_rows_until, Reverse, Duplicated, Active)]
fn of_rows_until(x: &[f64]) -> f64 {
    let mut sums = Vec::new();
    for v in x {
        let row: Vec<f64> = x.iter().map(|w| w * v).collect();
        assert!(row[0] > 0.0, "of the wrong sign");
        sums.push(row.iter().sum::<f64>());
    }
    sums.iter().product()
}

#[test]
fn a_panic_keeps_what_the_function_held_and_the_next_call_nothing() {
    let (good, mut bad) = (vec![1.5; 32], vec![1.5; 32]);
    bad[20] = -1.0;
    let mut shadow = vec![0.0; 32];
    d_of_rows_until(&good, &mut shadow, 1.0);
    let right = shadow.clone();
    std::panic::set_hook(Box::new(|_| ()));
    let mut fails =
        || std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| d_of_rows_until(&bad, &mut shadow, 1.0))).is_err();
    assert!(fails());
    let (_, kept) = measured(100, || assert!(fails()));
    let _ = std::panic::take_hook();
    // The sums and the row that it held then, and their shadows; nothing of the rows before, which wait for the reverse sweep.
    let held = 2 * (good.capacity() + 32) * size_of::<f64>();
    assert!(kept <= 100 * held as isize, "{} bytes of each panic", kept / 100);
    shadow.fill(0.0);
    let (_, kept) = measured(1, || d_of_rows_until(&good, &mut shadow, 1.0));
    assert_eq!((kept, &shadow), (0, &right));
}
