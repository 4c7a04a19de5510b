//! Elements of collections that the library fills, empties or orders when there is a panic: dropped once, in both modes.
use cotangent::{gradient, jvp};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BinaryHeap, HashMap, LinkedList, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

thread_local! { static DROPS: Cell<usize> = const { Cell::new(0) }; }

struct Guard(f64, Box<f64>);
impl Drop for Guard {
    fn drop(&mut self) {
        DROPS.with(|d| d.set(d.get() + 1));
        *self.1 += 1.0;
    }
}

fn made(v: f64) -> Guard {
    assert!(v > 0.0, "a positive number");
    Guard(v, Box::new(v * v))
}

fn drops(run: impl FnOnce()) -> usize {
    let before = DROPS.with(Cell::get);
    run();
    DROPS.with(Cell::get) - before
}

fn panics(run: &dyn Fn()) {
    assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
}

/// As many drops in derivatives as in the primal, with a panic and without one, and right derivatives after panics.
#[track_caller]
fn dropped_alike(f: fn(&[f64]) -> f64, bad: &[f64], good: &[f64]) {
    let ones = vec![1.0; bad.len()];
    for _ in 0..3 {
        let by_primal = drops(|| panics(&|| _ = f(bad)));
        let by_gradient = drops(|| panics(&|| _ = gradient(f, bad)));
        let by_tangent = drops(|| panics(&|| _ = jvp(f, bad, &ones)));
        assert_eq!((by_gradient, by_tangent), (by_primal, by_primal));
    }
    let adjoint = gradient(f, good);
    for i in 0..good.len() {
        let mut v = vec![0.0; good.len()];
        v[i] = 1.0;
        let h = 1e-6;
        let moved = |by: f64| f(&good.iter().zip(&v).map(|(x, v)| x + by * v).collect::<Vec<f64>>());
        let difference = (moved(h) - moved(-h)) / (2.0 * h);
        let near = |a: f64| (a - difference).abs() < 1e-5 * (1.0 + difference.abs());
        assert!(near(adjoint[i]) && near(jvp(f, good, &v).1), "{i}: {difference}");
    }
    let by_primal = drops(|| _ = f(good));
    assert_eq!(drops(|| _ = gradient(f, good)), by_primal);
    assert_eq!(drops(|| _ = jvp(f, good, good)), by_primal);
}

const BAD: [f64; 5] = [1.0, 2.0, 3.0, -1.0, 2.0];
const GOOD: [f64; 5] = [1.1, 2.1, 3.1, 1.6, 2.6];

fn collected(x: &[f64]) -> f64 {
    let all: Vec<Guard> = x.iter().map(|v| made(*v)).collect();
    all.iter().map(|g| g.0 * *g.1).sum()
}

#[test]
fn collect() {
    dropped_alike(collected, &BAD, &GOOD);
}

fn extended(x: &[f64]) -> f64 {
    let mut all: Vec<Guard> = vec![made(x[0])];
    all.extend(x.iter().map(|v| made(*v)));
    all.iter().map(|g| g.0 * *g.1).sum()
}

#[test]
fn extend() {
    dropped_alike(extended, &BAD, &GOOD);
}

fn filtered(x: &[f64]) -> f64 {
    let all: Vec<Guard> = x.iter().filter(|v| **v != 2.0).map(|v| made(*v)).collect();
    all.iter().map(|g| g.0 * *g.1).sum()
}

#[test]
fn filter() {
    dropped_alike(filtered, &BAD, &GOOD);
}

fn drained(x: &[f64]) -> f64 {
    let mut all: Vec<Guard> = x.iter().map(|v| Guard(*v, Box::new(*v))).collect();
    let mut sum = 0.0;
    for g in all.drain(1..4) {
        assert!(g.0 > 0.0);
        sum += g.0 * *g.1;
    }
    sum + all.len() as f64 * x[0]
}

#[test]
fn drain() {
    dropped_alike(drained, &BAD, &GOOD);
}

fn into(x: &[f64]) -> f64 {
    let all: Vec<Guard> = x.iter().map(|v| Guard(*v, Box::new(*v))).collect();
    let mut sum = 0.0;
    for g in all {
        assert!(g.0 > 0.0);
        sum += g.0 * *g.1;
    }
    sum
}

#[test]
fn a_loop_over_the_elements() {
    dropped_alike(into, &BAD, &GOOD);
}

fn mapped(x: &[f64]) -> f64 {
    let a = [x[0], x[1], x[2], x[3]].map(made);
    a.iter().map(|g| g.0 * *g.1).sum()
}

#[test]
fn map_of_an_array() {
    dropped_alike(mapped, &BAD, &GOOD);
}

fn from_fn_(x: &[f64]) -> f64 {
    let a: [Guard; 4] = std::array::from_fn(|i| made(x[i]));
    a.iter().map(|g| g.0 * *g.1).sum()
}

#[test]
fn from_fn() {
    dropped_alike(from_fn_, &BAD, &GOOD);
}

fn retained(x: &[f64]) -> f64 {
    let mut all: Vec<Guard> = x.iter().map(|v| Guard(*v, Box::new(*v))).collect();
    all.retain(|g| {
        assert!(g.0 > 0.0);
        g.0 < 2.0
    });
    all.iter().map(|g| g.0 * *g.1).sum()
}

#[test]
fn retain() {
    dropped_alike(retained, &BAD, &GOOD);
}

fn sorted(x: &[f64]) -> f64 {
    let mut all: Vec<Guard> = x.iter().map(|v| Guard(*v, Box::new(*v))).collect();
    all.sort_by(|a, b| {
        assert!(a.0 > 0.0 && b.0 > 0.0);
        a.0.total_cmp(&b.0)
    });
    all.iter().enumerate().map(|(i, g)| g.0 * *g.1 * i as f64).sum()
}

#[test]
fn sort_by() {
    dropped_alike(sorted, &BAD, &GOOD);
}

fn sorted_unstable(x: &[f64]) -> f64 {
    let mut all: Vec<Guard> = x.iter().map(|v| Guard(*v, Box::new(*v))).collect();
    all.sort_unstable_by(|a, b| {
        assert!(a.0 > 0.0 && b.0 > 0.0);
        a.0.total_cmp(&b.0)
    });
    all.iter().enumerate().map(|(i, g)| g.0 * *g.1 * i as f64).sum()
}

#[test]
fn sort_unstable_by() {
    dropped_alike(sorted_unstable, &BAD, &GOOD);
}

impl PartialEq for Guard {
    fn eq(&self, o: &Self) -> bool {
        self.cmp(o).is_eq()
    }
}
impl Eq for Guard {}
impl PartialOrd for Guard {
    fn partial_cmp(&self, o: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(o))
    }
}
impl Ord for Guard {
    fn cmp(&self, o: &Self) -> std::cmp::Ordering {
        assert!(self.0 > 0.0 && o.0 > 0.0);
        self.0.total_cmp(&o.0)
    }
}

fn heaped(x: &[f64]) -> f64 {
    let mut heap = BinaryHeap::new();
    for v in x {
        heap.push(Guard(*v, Box::new(v * v)));
    }
    let mut sum = 0.0;
    let mut w = 1.0;
    while let Some(g) = heap.pop() {
        sum += w * g.0 * *g.1;
        w += 1.0;
    }
    sum
}

#[test]
fn push_and_pop_of_a_heap() {
    dropped_alike(heaped, &BAD, &GOOD);
    dropped_alike(heaped, &[1.0, -1.0], &[1.0, 2.0]);
}

fn popped(x: &[f64]) -> f64 {
    let all: Vec<Guard> = x.iter().map(|v| Guard(v.abs(), Box::new(*v))).collect();
    let mut heap: BinaryHeap<Guard> = all.into();
    let mut sum = 0.0;
    let mut w = 1.0;
    let mut left = 3.0;
    while let Some(g) = heap.pop() {
        sum += w * g.0 * *g.1;
        w += 1.0;
        left -= 1.0;
        if left < 0.0 && x[3] < 0.0 {
            panic!("left")
        }
    }
    sum
}

#[test]
fn a_heap_of_a_vector() {
    dropped_alike(popped, &BAD, &GOOD);
}

fn tree(x: &[f64]) -> f64 {
    let m: BTreeMap<usize, Guard> = x.iter().enumerate().map(|(i, v)| (i, made(*v))).collect();
    m.values().map(|g| g.0 * *g.1).sum()
}

#[test]
fn collect_of_a_tree() {
    dropped_alike(tree, &BAD, &GOOD);
}

fn tree_inserted(x: &[f64]) -> f64 {
    let mut m: BTreeMap<usize, Guard> = BTreeMap::new();
    for (i, v) in x.iter().enumerate() {
        m.insert(i, made(*v));
    }
    m.values().map(|g| g.0 * *g.1).sum()
}

#[test]
fn insert_of_a_tree() {
    dropped_alike(tree_inserted, &BAD, &GOOD);
}

fn hash(x: &[f64]) -> f64 {
    let m: HashMap<usize, Guard> = x.iter().enumerate().map(|(i, v)| (i, made(*v))).collect();
    m.values().map(|g| g.0 * *g.1).sum()
}

#[test]
fn collect_of_a_table() {
    dropped_alike(hash, &BAD, &GOOD);
}

fn deque(x: &[f64]) -> f64 {
    let mut q: VecDeque<Guard> = VecDeque::new();
    for v in x {
        if q.len() > 2 {
            q.pop_front();
        }
        q.push_back(made(*v));
    }
    q.iter().map(|g| g.0 * *g.1).sum()
}

#[test]
fn a_queue() {
    dropped_alike(deque, &BAD, &GOOD);
}

fn list(x: &[f64]) -> f64 {
    let q: LinkedList<Guard> = x.iter().map(|v| made(*v)).collect();
    q.iter().map(|g| g.0 * *g.1).sum()
}

#[test]
fn collect_of_a_list() {
    dropped_alike(list, &BAD, &GOOD);
}

fn counted(x: &[f64]) -> f64 {
    let a = Rc::new(made(x[0]));
    let all: Vec<Rc<Guard>> = x.iter().map(|v| if *v > 1.5 { a.clone() } else { Rc::new(made(*v)) }).collect();
    all.iter().map(|g| g.0 * *g.1).sum()
}

#[test]
fn counted_elements() {
    dropped_alike(counted, &BAD, &GOOD);
}

fn counted_pair(x: &[f64]) -> f64 {
    let a = Rc::new(RefCell::new(made(x[0])));
    let b = a.clone();
    let mut sum = 0.0;
    for v in x {
        assert!(*v > 0.0);
        b.borrow_mut().0 += v;
        sum += a.borrow().0 * v;
    }
    sum
}

#[test]
fn a_counted_cell() {
    dropped_alike(counted_pair, &BAD, &GOOD);
}

fn truncated(x: &[f64]) -> f64 {
    let mut all: Vec<Guard> = x.iter().map(|v| Guard(*v, Box::new(*v))).collect();
    all.dedup_by(|a, b| {
        assert!(a.0 > 0.0 && b.0 > 0.0);
        a.0 == b.0
    });
    all.truncate(4);
    all.iter().map(|g| g.0 * *g.1).sum()
}

#[test]
fn dedup_and_truncate() {
    dropped_alike(truncated, &BAD, &GOOD);
}

fn inserted(x: &[f64]) -> f64 {
    let mut all: Vec<Guard> = Vec::new();
    for v in x {
        all.insert(0, made(*v));
        if all.len() > 2 {
            let g = all.remove(1);
            assert!(g.0 + v > 0.5);
        }
    }
    all.iter().map(|g| g.0 * *g.1).sum()
}

#[test]
fn insert_and_remove() {
    dropped_alike(inserted, &BAD, &GOOD);
}

fn boxed(x: &[f64]) -> f64 {
    let all: Vec<Box<Guard>> = x.iter().map(|v| Box::new(made(*v))).collect();
    let o: Option<Guard> = Some(made(x[3] + 5.0));
    all.iter().map(|g| g.0 * *g.1).sum::<f64>() + o.map_or(0.0, |g| g.0)
}

#[test]
fn boxed_elements() {
    dropped_alike(boxed, &BAD, &GOOD);
}

fn nested(x: &[f64]) -> f64 {
    let all: Vec<Vec<Guard>> = x.iter().enumerate().map(|(i, _)| x[..=i].iter().map(|v| made(*v)).collect()).collect();
    all.iter().flatten().map(|g| g.0 * *g.1).sum::<f64>()
}

#[test]
fn vectors_of_elements() {
    dropped_alike(nested, &BAD, &GOOD);
}

fn results(x: &[f64]) -> f64 {
    let all: Result<Vec<Guard>, String> =
        x.iter().map(|v| if *v < 0.0 { Err("neg".to_string()) } else { Ok(made(*v)) }).collect();
    all.unwrap().iter().map(|g| g.0 * *g.1).sum()
}

#[test]
fn collect_of_results() {
    dropped_alike(results, &BAD, &GOOD);
}

fn split(x: &[f64]) -> f64 {
    let (a, b): (Vec<Guard>, Vec<Guard>) = x.iter().map(|v| made(*v)).partition(|g| g.0 > 2.0);
    a.iter().map(|g| g.0 * *g.1).sum::<f64>() * b.len() as f64
}

#[test]
fn partition() {
    dropped_alike(split, &BAD, &GOOD);
}

fn zipped(x: &[f64]) -> f64 {
    let (a, b): (Vec<Guard>, Vec<f64>) = x.iter().map(|v| (made(*v), *v)).unzip();
    a.iter().zip(&b).map(|(g, v)| g.0 * *g.1 * v).sum::<f64>()
}

#[test]
fn unzip() {
    dropped_alike(zipped, &BAD, &GOOD);
}

fn in_place(x: &[f64]) -> f64 {
    let all: Vec<Guard> = x.iter().map(|v| Guard(*v, Box::new(*v))).collect();
    let next: Vec<Guard> = all.into_iter().map(|g| made(g.0)).collect();
    next.iter().map(|g| g.0 * *g.1).sum()
}

#[test]
fn collect_in_place() {
    dropped_alike(in_place, &BAD, &GOOD);
}
