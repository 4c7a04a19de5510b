//! Records and arrays that are moved by functions that look at nothing in them: reversed, swapped, rotated, picked, handed over.

use crate::functional;

#[derive(Clone, Copy, Debug)]
#[repr(u8)]
enum Op {
    Push(f64),
    Add,
    Mul,
    Scale(f64, f64),
    Skip(u8),
    Jump(bool),
}

#[inline(never)]
fn program(x: &[f64]) -> Vec<Op> {
    vec![
        Op::Push(x[0]),
        Op::Push(x[1]),
        Op::Add,
        Op::Scale(x[2], 0.5),
        Op::Skip(1),
        Op::Add,
        Op::Push(x[3]),
        Op::Jump(true),
        Op::Mul,
    ]
}
#[inline(never)]
fn execute(ops: &[Op]) -> f64 {
    let (mut stack, mut at) = (Vec::new(), 0);
    while at < ops.len() {
        match ops[at] {
            Op::Push(v) => stack.push(v),
            Op::Add => {
                let (a, b) = (stack.pop().unwrap(), stack.pop().unwrap());
                stack.push(a + b);
            }
            Op::Mul => {
                let (a, b) = (stack.pop().unwrap(), stack.pop().unwrap());
                stack.push(a * b);
            }
            Op::Scale(a, b) => {
                let t = stack.pop().unwrap();
                stack.push(a * t + b);
            }
            Op::Skip(n) => at += n as usize,
            Op::Jump(b) => {
                if !b {
                    at += 1
                }
            }
        }
        at += 1;
    }
    stack.pop().unwrap()
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Row {
    key: u64,
    value: f64,
    other: f64,
}
#[inline(never)]
fn rows(x: &[f64]) -> Vec<Row> {
    x.iter().enumerate().map(|(i, v)| Row { key: (7 * i as u64) % 5, value: *v, other: v * v }).collect()
}
#[inline(never)]
fn weigh(rows: &[Row]) -> f64 {
    rows.iter().enumerate().map(|(i, r)| (i as f64 + 1.0) * r.value * (1.0 + r.other) + r.key as f64).sum()
}
#[inline(never)]
fn turn_rows(rows: &mut [Row]) {
    rows.reverse()
}
#[inline(never)]
fn turn_ops(ops: &mut [Op]) {
    ops.reverse()
}
#[inline(never)]
fn swap_ends<T>(all: &mut [T]) {
    let n = all.len();
    all.swap(0, n - 1)
}

#[inline(never)]
fn points(x: &[f64]) -> Vec<[f64; 2]> {
    x.iter().map(|v| [*v, v * v]).collect()
}
#[inline(never)]
fn singles(x: &[f64]) -> Vec<[f64; 1]> {
    x.iter().map(|v| [*v]).collect()
}
#[inline(never)]
fn turn<T: Copy>(all: &mut [T]) {
    let n = all.len();
    for i in 0..n / 2 {
        let a = all[i];
        all[i] = all[n - 1 - i];
        all[n - 1 - i] = a;
    }
}
#[inline(never)]
fn turn2<T>(all: &mut [T]) {
    all.reverse()
}
#[inline(never)]
fn shuffle<T: Clone>(all: &[T], order: &[usize]) -> Vec<T> {
    order.iter().map(|i| all[*i].clone()).collect()
}
#[inline(never)]
fn largest<'a, T>(a: &'a mut T, b: &'a mut T) {
    std::mem::swap(a, b)
}
#[inline(never)]
fn pick<T: Copy>(all: &[T], flag: bool) -> T {
    if flag { all[0] } else { all[1] }
}
#[inline(never)]
fn rot<T>(all: &mut [T], k: usize) {
    all.rotate_left(k)
}
#[derive(Clone, Copy)]
struct Particle {
    id: u32,
    mass: f64,
    pos: [f64; 3],
    alive: bool,
}
#[inline(never)]
fn particles(x: &[f64]) -> Vec<Particle> {
    x.iter()
        .enumerate()
        .map(|(i, v)| Particle { id: i as u32, mass: v * 2.0, pos: [*v, v.sin(), 1.0], alive: i != 2 })
        .collect()
}
#[inline(never)]
fn weight(all: &[Particle]) -> f64 {
    all.iter()
        .enumerate()
        .map(|(k, p)| if p.alive { (k + 1) as f64 * p.mass * p.pos[1] * (p.id as f64 + p.pos[0]) } else { p.pos[2] })
        .sum()
}
#[inline(never)]
fn bubble<T: Copy>(all: &mut [T], less: fn(&T, &T) -> bool) {
    for i in 0..all.len() {
        for j in 1..all.len() - i {
            if less(&all[j], &all[j - 1]) {
                all.swap(j, j - 1);
            }
        }
    }
}
fn by_id(a: &Particle, b: &Particle) -> bool {
    (a.id * 3) % 4 < (b.id * 3) % 4
}
#[inline(never)]
fn sum2(all: &[[f64; 2]]) -> f64 {
    all.iter().enumerate().map(|(k, p)| (k + 1) as f64 * p[0] * p[1].exp()).sum()
}
#[inline(never)]
fn sum1(all: &[[f64; 1]]) -> f64 {
    all.iter().enumerate().map(|(k, p)| (k + 1) as f64 * p[0].sin()).sum()
}

struct Ring<T> {
    items: Vec<T>,
    head: usize,
}
impl<T: Copy> Ring<T> {
    #[inline(never)]
    fn push(&mut self, t: T) {
        let n = self.items.len();
        self.items[self.head % n] = t;
        self.head += 1;
    }
    #[inline(never)]
    fn ordered(&self) -> Vec<T> {
        let n = self.items.len();
        (0..n).map(|i| self.items[(self.head + i) % n]).collect()
    }
}

const X: [f64; 4] = [0.7, -0.4, 1.3, 0.9];
#[inline(never)]
fn make2(x: &[f64]) -> [f64; 2] {
    [x[0] * 2.0, x[1].sin()]
}
#[inline(never)]
fn get2(x: &[[f64; 2]], i: usize) -> [f64; 2] {
    x[i]
}
#[inline(never)]
fn make1(x: &[f64]) -> [f64; 1] {
    [x[0] * 2.0]
}
#[inline(never)]
fn get1(x: &[[f64; 1]], i: usize) -> [f64; 1] {
    x[i]
}
#[inline(never)]
fn take1(x: [f64; 1]) -> f64 {
    x[0].sin()
}
#[inline(never)]
fn take2(x: [f64; 2]) -> f64 {
    x[0].sin() * x[1]
}
#[inline(never)]
fn pass2(x: [f64; 2]) -> [f64; 2] {
    x
}
#[derive(Clone, Copy)]
struct P {
    a: f64,
    b: f64,
}
#[inline(never)]
fn get_p(x: &[P], i: usize) -> P {
    x[i]
}
#[derive(Clone, Copy)]
struct W([f64; 1]);
#[inline(never)]
fn get_w(x: &[W], i: usize) -> W {
    x[i]
}
#[inline(never)]
fn opt_w(x: &[W], i: usize) -> Option<W> {
    x.get(i).copied()
}

#[inline(never)]
fn bits(x: f64) -> u64 {
    (x * 3.0).to_bits()
}

functional! {
    fn ops_reversed_twice_by_a_call(x: &[f64]) -> f64 { let mut all = program(x); turn_ops(&mut all); turn_ops(&mut all); execute(&all) } at X;
    fn ops_reversed_twice(x: &[f64]) -> f64 { let mut all = program(x); all.reverse(); all.reverse(); execute(&all) } at X;
    fn ops_reversed_and_collected(x: &[f64]) -> f64 { let mut all = program(x); all.reverse(); let all: Vec<Op> = all.into_iter().rev().collect(); execute(&all) } at X;
    fn ops_rotated(x: &[f64]) -> f64 { let mut all = program(x); all.rotate_left(3); all.rotate_right(3); execute(&all) } at X;
    fn ops_swapped(x: &[f64]) -> f64 { let mut all = program(x); all.swap(0, 6); all.swap(1, 0); execute(&all) } at X;
    fn ops_swapped_by_a_call(x: &[f64]) -> f64 { let mut all = program(x); swap_ends(&mut all[..2]); execute(&all) } at X;
    fn rows_reversed(x: &[f64]) -> f64 { let mut all = rows(x); all.reverse(); weigh(&all) } at X;
    fn rows_turned(x: &[f64]) -> f64 { let mut all = rows(x); turn_rows(&mut all); weigh(&all) } at X;
    fn rows_swapped(x: &[f64]) -> f64 { let mut all = rows(x); all.swap(0, 2); weigh(&all) } at X;
    fn rows_swapped_by_a_call(x: &[f64]) -> f64 { let mut all = rows(x); swap_ends(&mut all); weigh(&all) } at X;
    fn rows_rotated(x: &[f64]) -> f64 { let mut all = rows(x); all.rotate_left(1); weigh(&all) } at X;
    fn rows_rotated_and_collected(x: &[f64]) -> f64 { let mut all = rows(x); all.rotate_left(1); all.reverse(); let all: Vec<Row> = all.into_iter().rev().collect(); weigh(&all) } at X;
    fn rows_sorted(x: &[f64]) -> f64 { let mut all = rows(x); all.sort_by_key(|r| r.key); weigh(&all) } at X;
    fn rows_removed(x: &[f64]) -> f64 { let mut all = rows(x); let r = all.remove(1); all.insert(2, r); all.swap_remove(0); weigh(&all) } at X;
    fn rows_drained(x: &[f64]) -> f64 { let mut all = rows(x); let some: Vec<Row> = all.drain(1..3).collect(); all.extend(some); weigh(&all) } at X;
    fn rows_replaced(x: &[f64]) -> f64 { let mut all = rows(x); let first = all[0]; let old = std::mem::replace(&mut all[2], first); all.push(old); weigh(&all) } at X;
    fn ops_replaced(x: &[f64]) -> f64 { let mut all = program(x); let first = all[0]; let old = std::mem::replace(&mut all[1], first); all.insert(0, old); execute(&all) } at X;

    fn points_turned(x: &[f64]) -> f64 { let mut p = points(x); turn(&mut p); sum2(&p) } at X;
    fn points_reversed(x: &[f64]) -> f64 { let mut p = points(x); turn2(&mut p); sum2(&p) } at X;
    fn points_shuffled(x: &[f64]) -> f64 { let p = points(x); sum2(&shuffle(&p, &[2, 0, 3, 1, 1])) } at X;
    fn points_rotated(x: &[f64]) -> f64 { let mut p = points(x); rot(&mut p, 1); sum2(&p) } at X;
    fn singles_turned(x: &[f64]) -> f64 { let mut p = singles(x); turn(&mut p); sum1(&p) } at X;
    fn singles_swapped(x: &[f64]) -> f64 { let mut p = singles(x); let mut q = singles(&x[1..]); largest(&mut p[0], &mut q[1]); sum1(&p) * sum1(&q) } at X;
    fn points_swapped(x: &[f64]) -> f64 { let mut p = points(x); let mut q = points(&x[1..]); largest(&mut p[0], &mut q[1]); sum2(&p) * sum2(&q) } at X;
    fn vectors_swapped(x: &[f64]) -> f64 { let mut p = points(x); let mut q = points(&x[1..]); largest(&mut p, &mut q); sum2(&p) * sum2(&q) + p.len() as f64 * x[0] } at X;
    fn elements_are_picked(x: &[f64]) -> f64 { let p = points(x); sum2(&[pick(&p, x[0] > 0.0), pick(&p, false)]) + sum1(&[pick(&singles(x), true)]) } at X;
    fn particles_turned(x: &[f64]) -> f64 { let mut p = particles(x); turn(&mut p); rot(&mut p, 1); turn2(&mut p); weight(&p) } at X;
    fn particles_shuffled(x: &[f64]) -> f64 { let p = particles(x); weight(&shuffle(&p, &[2, 0, 3, 1, 1])) } at X;
    fn particles_sorted(x: &[f64]) -> f64 { let mut p = particles(x); bubble(&mut p, by_id); weight(&p) } at X;
    fn a_ring_of_points(x: &[f64]) -> f64 { let mut r = Ring { items: points(&x[..3]), head: 0 }; r.push([x[1], x[2]]); r.push([x[3], 1.0]); sum2(&r.ordered()) } at X;
    fn a_ring_of_particles(x: &[f64]) -> f64 { let p = particles(x); let mut r = Ring { items: p[..3].to_vec(), head: 0 }; r.push(p[3]); weight(&r.ordered()) } at X;

    fn a_pair_is_returned(x: &[f64]) -> f64 { let a = make2(x); a[0] * a[1] } at [0.7, -0.4];
    fn a_pair_is_picked(x: &[f64]) -> f64 { let v = vec![[x[0], x[1]], [x[1], 1.0]]; let a = get2(&v, 0); a[0] * a[1] * get2(&v, 1)[0] } at [0.7, -0.4];
    fn bits_are_returned(x: &[f64]) -> f64 {
        f64::from_bits(bits(x[0])) * x[1]
    } at [0.7, -0.4];

    fn an_array_of_one_is_returned(x: &[f64]) -> f64 { let a = make1(x); a[0].sin() } at [0.7, -0.4];
    fn an_array_of_one_is_picked(x: &[f64]) -> f64 { let v = vec![[x[0]], [x[1]]]; let a = get1(&v, 0); a[0].sin() * get1(&v, 1)[0] } at [0.7, -0.4];
    fn an_array_of_one_is_passed(x: &[f64]) -> f64 { let v = vec![[x[0]], [x[1]]]; take1(v[0]) * take1(v[1]) } at [0.7, -0.4];
    fn a_pair_is_passed(x: &[f64]) -> f64 { let v = vec![[x[0], x[1]], [x[1], 1.0]]; take2(v[0]) * take2(v[1]) } at [0.7, -0.4];
    fn a_pair_is_passed_through(x: &[f64]) -> f64 { let v = vec![[x[0], x[1]], [x[1], 1.0]]; let a = pass2(v[0]); a[0].sin() * a[1] } at [0.7, -0.4];
    fn a_record_of_two_is_picked(x: &[f64]) -> f64 { let v = vec![P { a: x[0], b: x[1] }, P { a: x[1], b: 1.0 }]; let a = get_p(&v, 0); a.a * a.b * get_p(&v, 1).a } at [0.7, -0.4];
    fn a_wrapped_array_is_picked(x: &[f64]) -> f64 { let v = vec![W([x[0]]), W([x[1]])]; let a = get_w(&v, 0); a.0[0].sin() * get_w(&v, 1).0[0] } at [0.7, -0.4];
    fn a_wrapped_array_may_be_picked(x: &[f64]) -> f64 { let v = vec![W([x[0]]), W([x[1]])]; let a = opt_w(&v, 0).unwrap(); a.0[0].sin() * opt_w(&v, 1).unwrap().0[0] } at [0.7, -0.4];
}

/// The same in single precision, where two floats are moved as one integer.
mod singles {
    use crate::functional;

    #[inline(never)]
    fn points(x: &[f32]) -> Vec<[f32; 2]> {
        x.iter().map(|v| [*v, v * v]).collect()
    }
    #[inline(never)]
    fn singles(x: &[f32]) -> Vec<[f32; 1]> {
        x.iter().map(|v| [*v]).collect()
    }
    #[inline(never)]
    fn turn<T: Copy>(all: &mut [T]) {
        let n = all.len();
        for i in 0..n / 2 {
            let a = all[i];
            all[i] = all[n - 1 - i];
            all[n - 1 - i] = a;
        }
    }
    #[inline(never)]
    fn shuffle<T: Clone>(all: &[T], order: &[usize]) -> Vec<T> {
        order.iter().map(|i| all[*i].clone()).collect()
    }
    #[inline(never)]
    fn largest<'a, T>(a: &'a mut T, b: &'a mut T) {
        std::mem::swap(a, b)
    }
    #[inline(never)]
    fn pick<T: Copy>(all: &[T], flag: bool) -> T {
        if flag { all[0] } else { all[1] }
    }
    #[derive(Clone, Copy)]
    struct Particle {
        id: u32,
        mass: f32,
        pos: [f32; 3],
        alive: bool,
    }
    #[inline(never)]
    fn particles(x: &[f32]) -> Vec<Particle> {
        x.iter()
            .enumerate()
            .map(|(i, v)| Particle { id: i as u32, mass: v * 2.0, pos: [*v, v.sin(), 1.0], alive: i != 2 })
            .collect()
    }
    #[inline(never)]
    fn weight(all: &[Particle]) -> f32 {
        all.iter()
            .enumerate()
            .map(
                |(k, p)| if p.alive { (k + 1) as f32 * p.mass * p.pos[1] * (p.id as f32 + p.pos[0]) } else { p.pos[2] },
            )
            .sum()
    }
    #[inline(never)]
    fn bubble<T: Copy>(all: &mut [T], less: fn(&T, &T) -> bool) {
        for i in 0..all.len() {
            for j in 1..all.len() - i {
                if less(&all[j], &all[j - 1]) {
                    all.swap(j, j - 1);
                }
            }
        }
    }
    fn by_id(a: &Particle, b: &Particle) -> bool {
        (a.id * 3) % 4 < (b.id * 3) % 4
    }
    #[inline(never)]
    fn sum2(all: &[[f32; 2]]) -> f32 {
        all.iter().enumerate().map(|(k, p)| (k + 1) as f32 * p[0] * p[1].exp()).sum()
    }
    #[inline(never)]
    fn sum1(all: &[[f32; 1]]) -> f32 {
        all.iter().enumerate().map(|(k, p)| (k + 1) as f32 * p[0].sin()).sum()
    }

    const X: [f32; 4] = [0.7, -0.4, 1.3, 0.9];

    functional! {
        fn points_turned(x: &[f32]) -> f32 { let mut p = points(x); turn(&mut p); sum2(&p) } at X;
        fn points_shuffled(x: &[f32]) -> f32 { let p = points(x); sum2(&shuffle(&p, &[2, 0, 3, 1, 1])) } at X;
        fn singles_swapped(x: &[f32]) -> f32 { let mut p = singles(x); let mut q = singles(&x[1..]); largest(&mut p[0], &mut q[1]); sum1(&p) * sum1(&q) } at X;
        fn points_swapped(x: &[f32]) -> f32 { let mut p = points(x); let mut q = points(&x[1..]); largest(&mut p[0], &mut q[1]); sum2(&p) * sum2(&q) } at X;
        fn elements_are_picked(x: &[f32]) -> f32 { let p = points(x); sum2(&[pick(&p, x[0] > 0.0), pick(&p, false)]) + sum1(&[pick(&singles(x), true)]) } at X;
        fn particles_sorted(x: &[f32]) -> f32 { let mut p = particles(x); bubble(&mut p, by_id); weight(&p) } at X;
    }
}
