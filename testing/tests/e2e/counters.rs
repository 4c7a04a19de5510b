//! What of a tangent is neither float nor structure is after a forward derivative what it was before; lengths and variants follow.

use cotangent::{Shadow, autodiff, zeroed};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

#[derive(Shadow, Clone, Copy, Debug, PartialEq)]
enum Phase {
    Start,
    Running,
    Done,
}

#[derive(Shadow, Clone, Debug, PartialEq)]
struct Route {
    points: Vec<f64>,
    steps: usize,
    done: bool,
    phase: Phase,
    mark: char,
    wide: i128,
}

impl Route {
    fn new(points: &[f64]) -> Self {
        Route { points: points.to_vec(), steps: 3, done: false, phase: Phase::Start, mark: 'a', wide: -7 }
    }
}

#[autodiff(b_walk, Forward, Dual, Dual)]
#[autodiff(b2_walk, Forward, 2, Dual, Dual)]
#[autodiff(d_walk, Reverse, Duplicated, Active)]
fn walk(path: &mut Route, x: f64) {
    let last = path.points.last().copied().unwrap_or(1.0);
    path.points.push(last * x);
    path.steps += 1;
    path.done = true;
    path.phase = if path.phase == Phase::Start { Phase::Running } else { Phase::Done };
    path.mark = 'b';
    path.wide -= 1;
}

#[test]
fn counters_and_flags_stay_while_a_vector_beside_them_grows() {
    let mut path = Route::new(&[2.0]);
    let mut tangent = Route { points: vec![1.0], ..zeroed(&path) };
    for turn in 0..3 {
        b_walk(&mut path, &mut tangent, 3.0, 1.0);
        assert_eq!((path.steps, path.done, path.mark, path.wide), (4 + turn, true, 'b', -8 - turn as i128));
        assert_eq!(tangent.points.len(), path.points.len());
        assert_eq!(tangent, Route { points: tangent.points.clone(), ..Route::new(&[]) });
    }
    // p, p x, p x², p x³ with dp = dx = 1 at p = 2, x = 3.
    assert_eq!(path.points, [2.0, 6.0, 18.0, 54.0]);
    assert_eq!(tangent.points, [1.0, 5.0, 21.0, 81.0]);
}

#[test]
fn each_tangent_of_several_keeps_its_own() {
    let mut path = Route::new(&[2.0]);
    let mut tangents = [10, 20].map(|steps| Route { points: vec![0.0], steps, phase: Phase::Done, ..Route::new(&[]) });
    let [first, second] = &mut tangents;
    first.points[0] = 1.0;
    b2_walk(&mut path, first, second, 3.0, 0.0, 1.0);
    assert_eq!((path.points.as_slice(), path.steps, path.phase), (&[2.0, 6.0][..], 4, Phase::Running));
    assert_eq!((first.points.as_slice(), first.steps, first.phase), (&[1.0, 3.0][..], 10, Phase::Done));
    assert_eq!((second.points.as_slice(), second.steps, second.phase), (&[0.0, 2.0][..], 20, Phase::Done));
}

#[autodiff(d_stepped, Reverse, Duplicated, Active)]
fn stepped(path: &mut Route, x: f64) {
    path.steps += 1;
    path.done = true;
    path.phase = Phase::Done;
    path.points[0] *= x * path.steps as f64;
}

#[test]
fn adjoints_have_always_kept_theirs() {
    let mut path = Route::new(&[2.0]);
    let mut adjoint = Route { points: vec![1.0], steps: 9, ..Route::new(&[]) };
    let dx = d_stepped(&mut path, &mut adjoint, 3.0);
    assert_eq!((path.points[0], path.steps, dx), (24.0, 4, 8.0));
    assert_eq!(adjoint, Route { points: vec![12.0], steps: 9, ..Route::new(&[]) });
}

#[derive(Shadow, Clone, Debug, PartialEq)]
struct Particle<T> {
    position: T,
    hits: u32,
}

#[derive(Shadow, Clone, Debug, PartialEq)]
struct World {
    particles: Vec<Particle<f64>>,
    by_name: BTreeMap<String, Particle<f64>>,
    by_number: HashMap<u32, Particle<f64>>,
    queue: VecDeque<Particle<f64>>,
    first: Option<Box<Particle<[f64; 2]>>>,
    names: Vec<usize>,
}

fn world() -> World {
    let particle = |position, hits| Particle { position, hits };
    World {
        particles: vec![particle(1.0, 1), particle(2.0, 2)],
        by_name: [("a".to_string(), particle(3.0, 3))].into(),
        by_number: (0..3).map(|i| (i, particle(f64::from(i), 10 + i))).collect(),
        queue: [particle(4.0, 4)].into(),
        first: Some(Box::new(particle_of([5.0, 6.0]))),
        names: vec![7, 8],
    }
}

fn particle_of(position: [f64; 2]) -> Particle<[f64; 2]> {
    Particle { position, hits: 5 }
}

#[autodiff(b_hit, Forward, Dual, Dual)]
fn hit(world: &mut World, x: f64) {
    for particle in &mut world.particles {
        particle.position *= x;
        particle.hits += 100;
    }
    for particle in world.by_name.values_mut().chain(world.by_number.values_mut()).chain(&mut world.queue) {
        particle.position += x * x;
        particle.hits += 100;
    }
    if let Some(first) = &mut world.first {
        first.position[1] *= x;
        first.hits = 0;
    }
    world.names[0] += 1;
    world.particles.push(Particle { position: x, hits: 77 });
}

#[test]
fn elements_entries_and_what_is_boxed_keep_theirs_by_place() {
    let mut primal = world();
    let mut tangent = zeroed(&primal);
    tangent.particles[0].hits = 50;
    b_hit(&mut primal, &mut tangent, 3.0, 1.0);
    let hits = |world: &World| world.particles.iter().map(|p| p.hits).collect::<Vec<_>>();
    assert_eq!((hits(&primal), hits(&tangent)), (vec![101, 102, 77], vec![50, 2, 77]));
    let positions = |world: &World| world.particles.iter().map(|p| p.position).collect::<Vec<_>>();
    assert_eq!((positions(&primal), positions(&tangent)), (vec![3.0, 6.0, 3.0], vec![1.0, 2.0, 1.0]));
    assert_eq!((primal.by_name["a"].hits, &tangent.by_name["a"]), (103, &Particle { position: 6.0, hits: 3 }));
    for i in 0..3 {
        assert_eq!(
            (primal.by_number[&i].hits, &tangent.by_number[&i]),
            (110 + i, &Particle { position: 6.0, hits: 10 + i })
        );
    }
    assert_eq!((primal.queue[0].hits, &tangent.queue[0]), (104, &Particle { position: 6.0, hits: 4 }));
    assert_eq!(primal.first.as_ref().unwrap().hits, 0);
    assert_eq!(**tangent.first.as_ref().unwrap(), particle_of([0.0, 6.0]));
    assert_eq!((primal.names, tangent.names), (vec![8, 8], vec![7, 8]));
}

#[derive(Shadow, Clone, Debug, PartialEq)]
enum State {
    Resting { since: u64 },
    Moving(f64, u64),
}

#[autodiff(b_advance, Forward, Dual, Dual)]
fn advance(state: &mut State, x: f64) {
    *state = match *state {
        State::Resting { since } => State::Moving(x, since + 1),
        State::Moving(at, turns) => State::Moving(at * x, turns + 1),
    };
}

#[test]
fn an_enum_keeps_its_numbers_while_it_is_the_same_variant() {
    let mut state = State::Resting { since: 4 };
    let mut tangent = State::Resting { since: 0 };
    b_advance(&mut state, &mut tangent, 3.0, 1.0);
    assert_eq!(state, State::Moving(3.0, 5));
    assert!(matches!(tangent, State::Moving(1.0, _)), "{tangent:?}");
    tangent = State::Moving(1.0, 40);
    b_advance(&mut state, &mut tangent, 3.0, 1.0);
    assert_eq!((state, tangent), (State::Moving(9.0, 6), State::Moving(6.0, 40)));
}

#[derive(Shadow)]
struct Meter {
    reading: Cell<f64>,
    reads: Cell<usize>,
    log: RefCell<Vec<(f64, i16)>>,
    shared: Rc<Cell<u8>>,
}

#[autodiff(b_read, Forward, Dual, Dual, Dual)]
fn read(meter: &Meter, x: f64) -> f64 {
    meter.reads.set(meter.reads.get() + 1);
    meter.reading.set(meter.reading.get() * x);
    let mut log = meter.log.borrow_mut();
    log[0].1 += 1;
    log.push((meter.reading.get(), 5));
    meter.shared.set(meter.shared.get() + 1);
    meter.reading.get() * meter.reads.get() as f64
}

#[test]
fn cells_behind_a_shared_reference_keep_theirs() {
    let meter = |reading, reads| Meter {
        reading: Cell::new(reading),
        reads: Cell::new(reads),
        log: RefCell::new(vec![(0.0, 1)]),
        shared: Rc::new(Cell::new(1)),
    };
    let (primal, tangent) = (meter(2.0, 1), meter(1.0, 30));
    assert_eq!(b_read(&primal, &tangent, 3.0, 1.0), (12.0, 10.0));
    assert_eq!((primal.reads.get(), primal.shared.get(), &*primal.log.borrow()), (2, 2, &vec![(0.0, 2), (6.0, 5)]));
    assert_eq!((tangent.reads.get(), tangent.shared.get(), &*tangent.log.borrow()), (30, 1, &vec![(0.0, 1), (5.0, 5)]));
}

#[autodiff(b_tuple, Forward, Dual, Dual)]
fn tuple(pair: &mut (f64, usize), x: f64) {
    pair.0 *= x;
    pair.1 += 1;
}

#[autodiff(b_pairs, Forward, Dual, Dual)]
#[autodiff(b2_pairs, Forward, 2, Dual, Dual)]
#[autodiff(bv_pairs, Forward, 2, Dualv, Dual)]
fn pairs(pairs: &mut [(usize, f64)], x: f64) {
    for (count, value) in pairs {
        *count += 1;
        *value *= x * *count as f64;
    }
}

#[test]
fn tuples_and_slices_of_them() {
    let (mut pair, mut tangent) = ((2.0, 7), (1.0, 70));
    b_tuple(&mut pair, &mut tangent, 3.0, 1.0);
    assert_eq!((pair, tangent), ((6.0, 8), (5.0, 70)));

    let start = [(0, 2.0), (1, 3.0)];
    let (mut values, mut tangent) = (start, [(8, 1.0), (9, 0.0)]);
    b_pairs(&mut values, &mut tangent, 5.0, 0.0);
    assert_eq!((values, tangent), ([(1, 10.0), (2, 30.0)], [(8, 5.0), (9, 0.0)]));

    let (mut values, mut a, mut b) = (start, [(8, 1.0), (9, 0.0)], [(6, 0.0), (7, 0.0)]);
    b2_pairs(&mut values, &mut a, &mut b, 5.0, 0.0, 1.0);
    assert_eq!((values, a, b), ([(1, 10.0), (2, 30.0)], [(8, 5.0), (9, 0.0)], [(6, 2.0), (7, 6.0)]));

    let (mut values, mut all) = (start, [(8, 1.0), (9, 0.0), (6, 0.0), (7, 0.0)]);
    bv_pairs(&mut values, &mut all, 5.0, 0.0, 1.0);
    assert_eq!((values, all), ([(1, 10.0), (2, 30.0)], [(8, 5.0), (9, 0.0), (6, 2.0), (7, 6.0)]));
}

mod foreign {
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Version(pub u32);
    #[derive(Clone, Debug, PartialEq)]
    pub struct Names(pub Vec<u32>);
}

#[derive(Shadow, Clone, Debug, PartialEq)]
struct Stack {
    places: [f64; 4],
    #[shadow(structure)]
    height: usize,
    pushes: usize,
    #[shadow(clone)]
    version: foreign::Version,
    #[shadow(clone)]
    names: foreign::Names,
    #[shadow(zeroed = |cell: &f64| cell * 0.0)]
    sum: f64,
}

#[autodiff(b_push, Forward, Dual, Dual)]
fn push(stack: &mut Stack, x: f64) {
    stack.places[stack.height] = x * x;
    stack.height += 1;
    stack.pushes += 1;
    stack.version.0 += 1;
    stack.sum += x;
}

#[test]
fn a_field_says_that_it_is_structure() {
    let names = foreign::Names(vec![1]);
    let mut stack = Stack { places: [0.0; 4], height: 0, pushes: 0, version: foreign::Version(3), names, sum: 1.0 };
    let mut tangent = zeroed(&stack);
    b_push(&mut stack, &mut tangent, 3.0, 1.0);
    b_push(&mut stack, &mut tangent, 4.0, 1.0);
    assert_eq!((stack.height, stack.pushes, stack.version.0, stack.sum), (2, 2, 5, 8.0));
    assert_eq!((tangent.height, tangent.pushes, tangent.version.0, tangent.sum), (2, 0, 3, 2.0));
    assert_eq!(tangent.places, [6.0, 8.0, 0.0, 0.0]);
}

#[derive(Shadow, Clone, Debug, PartialEq)]
struct Run {
    name: String,
    value: f64,
    turn: usize,
}

#[autodiff(b_named, Forward, Dual, Dual)]
fn named(run: &mut Run, x: f64) {
    run.turn += 1;
    run.name = format!("turn {}", run.turn);
    run.value *= x;
}

#[autodiff(b_lengthened, Forward, Dual, Dual)]
fn lengthened(run: &mut Run, x: f64) {
    run.name.push_str(" and more");
    run.value *= x;
}

#[test]
fn a_string_is_kept_and_is_never_the_primals() {
    let mut run = Run { name: "start".to_string(), value: 2.0, turn: 0 };
    let mut tangent = Run { value: 1.0, ..zeroed(&run) };
    for turn in 1..4 {
        b_named(&mut run, &mut tangent, 3.0, 1.0);
        assert_eq!((run.name.clone(), run.turn), (format!("turn {turn}"), turn));
        assert_eq!((tangent.name.as_str(), tangent.turn), ("start", 0));
        assert_ne!(run.name.as_ptr(), tangent.name.as_ptr());
    }
    assert_eq!((run.value, tangent.value), (54.0, 81.0));
    let mut run = Run { name: "start".to_string(), value: 2.0, turn: 0 };
    let mut tangent = Run { value: 1.0, ..zeroed(&run) };
    for _ in 0..2 {
        b_lengthened(&mut run, &mut tangent, 3.0, 1.0);
        assert_eq!(tangent.name, "start");
    }
    assert_eq!((run.name.as_str(), run.value, tangent.value), ("start and more and more", 18.0, 21.0));
}

#[derive(Shadow, Clone, Debug, PartialEq)]
struct Table {
    rows: Vec<usize>,
    label: Box<str>,
    flags: Vec<bool>,
    total: f64,
}

#[inline(never)]
fn numbers(n: usize) -> Vec<usize> {
    format!("{n}{n}").bytes().map(usize::from).collect()
}

#[autodiff(b_refilled, Forward, Dual, Dual)]
fn refilled(table: &mut Table, x: f64) {
    table.rows = numbers(table.rows[0]);
    table.label = format!("new {}", table.rows.len()).into();
    table.flags = vec![true; 3];
    table.total *= x * table.rows.len() as f64;
}

#[test]
fn what_a_call_makes_anew_is_never_shared_by_primal_and_tangent() {
    let mut table = Table { rows: vec![7], label: "old".into(), flags: vec![false, false], total: 2.0 };
    let mut tangent = Table { total: 1.0, ..zeroed(&table) };
    b_refilled(&mut table, &mut tangent, 3.0, 1.0);
    assert_eq!((&table.rows[..], &*table.label, &table.flags[..]), (&[55, 55][..], "new 2", &[true; 3][..]));
    assert_eq!((tangent.rows[0], &*tangent.label, &tangent.flags[..2]), (7, "old", &[false; 2][..]));
    assert_eq!((table.total, tangent.total), (12.0, 10.0));
    assert_ne!(table.rows.as_ptr(), tangent.rows.as_ptr());
    assert_ne!(table.flags.as_ptr(), tangent.flags.as_ptr());
}

/// A list, whose type holds itself.
#[derive(Shadow, Clone, Debug, PartialEq)]
struct Node {
    value: f64,
    visits: usize,
    next: Option<Box<Node>>,
}

#[autodiff(b_visit, Forward, Dual, Dual)]
fn visit(node: &mut Node, x: f64) {
    node.value *= x;
    node.visits += 1;
    if let Some(next) = &mut node.next {
        visit(next, x);
    } else if node.visits < 3 {
        node.next = Some(Box::new(Node { value: x, visits: 1, next: None }));
    }
}

#[test]
fn a_type_that_holds_itself_keeps_its_numbers_at_every_depth() {
    let node = |visits, next| Node { value: 1.0, visits, next };
    let mut list = node(0, Some(Box::new(node(1, None))));
    let mut tangent = zeroed(&list);
    b_visit(&mut list, &mut tangent, 3.0, 1.0);
    let second = list.next.as_ref().unwrap();
    assert_eq!((list.visits, second.visits, second.next.is_some()), (1, 2, true));
    let second = tangent.next.as_ref().unwrap();
    assert_eq!((tangent.visits, tangent.value, second.visits, second.value), (0, 1.0, 1, 1.0));
    assert_eq!(second.next.as_ref().unwrap().value, 1.0);
}

#[autodiff(b_counted, Forward, Dual, Dual)]
fn counted(pair: &mut (usize, f64), x: f64) {
    pair.0 += 1;
    pair.1 *= x;
    assert!(pair.1 > 0.0, "the value is positive");
}

#[test]
fn after_a_panic_numbers_are_as_they_were() {
    let (mut pair, mut tangent) = ((1, -1.0), (10, 1.0));
    let call = AssertUnwindSafe(|| b_counted(&mut pair, &mut tangent, 2.0, 0.0));
    assert!(catch_unwind(call).is_err());
    assert_eq!(tangent.0, 10);
}

/// Not known to have a shadow.
struct Unknown(f64, usize);

#[autodiff(b_unknown, Forward, Dual, Dual)]
fn unknown(value: &mut Unknown, x: f64) {
    value.0 *= x;
    value.1 += 1;
}

#[test]
fn of_other_types_nothing_is_known() {
    let (mut value, mut tangent) = (Unknown(2.0, 1), Unknown(1.0, 10));
    b_unknown(&mut value, &mut tangent, 3.0, 1.0);
    // The count might be a length, so the shadow's becomes what the primal's does.
    assert_eq!((value.0, value.1, tangent.0, tangent.1), (6.0, 2, 5.0, 2));
}

#[autodiff(b_generic, Forward, Dual, Dual)]
fn generic<T: Shadow + Copy>(particle: &mut Particle<(f64, T)>, x: f64) {
    particle.position.0 *= x;
    particle.hits += 1;
}

#[test]
fn generic_functions_keep_what_their_bounds_say() {
    let mut particle = Particle { position: (2.0, 1u8), hits: 1 };
    let mut tangent = Particle { position: (1.0, 9u8), hits: 4 };
    b_generic(&mut particle, &mut tangent, 3.0, 1.0);
    assert_eq!((particle.position.0, particle.hits), (6.0, 2));
    assert_eq!(tangent, Particle { position: (5.0, 9), hits: 4 });
}

/// Two types that hold one another.
#[derive(Shadow, Clone, Debug, PartialEq)]
struct Tree {
    value: f64,
    leaves: u8,
    kids: Vec<Self>,
    other: Option<Box<Grove>>,
}

#[derive(Shadow, Clone, Debug, PartialEq)]
struct Grove {
    trees: Vec<Tree>,
    age: i8,
}

#[autodiff(b_grow, Forward, Dual, Dual)]
fn grow(tree: &mut Tree, x: f64) {
    tree.value *= x;
    tree.leaves += 1;
    for kid in &mut tree.kids {
        kid.value *= x;
        kid.leaves += 1;
    }
    if let Some(grove) = &mut tree.other {
        grove.age -= 1;
        grove.trees[0].leaves = 9;
    }
}

#[test]
fn types_that_hold_one_another() {
    let leaf = |value| Tree { value, leaves: 1, kids: vec![], other: None };
    let grove = |value| Grove { trees: vec![leaf(value)], age: 0 };
    let tree = |value| Tree { kids: vec![leaf(value)], other: Some(Box::new(grove(value))), ..leaf(value) };
    let (mut primal, mut tangent) = (tree(1.0), tree(0.0));
    b_grow(&mut primal, &mut tangent, 2.0, 1.0);
    assert_eq!((primal.leaves, primal.kids[0].leaves), (2, 2));
    assert_eq!(primal.other.as_ref().map(|grove| (grove.age, grove.trees[0].leaves)), Some((-1, 9)));
    assert_eq!(tangent, Tree { kids: vec![leaf(1.0)], other: Some(Box::new(grove(0.0))), ..leaf(1.0) });
}

/// What it borrows is the caller's.
#[derive(Shadow, Clone, Debug, PartialEq)]
struct Lent<'a> {
    #[shadow(clone)]
    version: &'a foreign::Version,
    name: &'a str,
    values: Vec<f64>,
    uses: usize,
    phases: Vec<Phase>,
}

#[autodiff(b_lent, Forward, Dual, Dual)]
#[autodiff(d_lent, Reverse, Duplicated, Active)]
fn lent(lent: &mut Lent<'_>, x: f64) {
    lent.uses += 1;
    if lent.phases[0] == Phase::Start {
        lent.phases[0] = Phase::Running;
    }
    for value in &mut lent.values {
        *value *= x * f64::from(lent.version.0);
    }
}

#[test]
fn types_with_lifetimes() {
    let (version, name) = (foreign::Version(2), String::from("lent"));
    let of =
        |value, uses, phase| Lent { version: &version, name: &name, values: vec![value], uses, phases: vec![phase] };
    let (mut primal, mut tangent) = (of(5.0, 0, Phase::Start), of(1.0, 3, Phase::Done));
    b_lent(&mut primal, &mut tangent, 3.0, 0.0);
    assert_eq!((primal, tangent), (of(30.0, 1, Phase::Running), of(6.0, 3, Phase::Done)));
    let (mut primal, mut adjoint) = (of(5.0, 0, Phase::Start), of(1.0, 3, Phase::Done));
    assert_eq!(d_lent(&mut primal, &mut adjoint, 3.0), 10.0);
    assert_eq!((primal, adjoint), (of(30.0, 1, Phase::Running), of(6.0, 3, Phase::Done)));
}

#[derive(Shadow)]
struct Body {
    shape: Vec<[f64; 3]>,
    mass: Option<Box<f32>>,
}

#[derive(Shadow)]
enum Bodies {
    One(Body),
    Many { bodies: Vec<Body>, name: &'static str },
}

#[test]
fn types_of_floats_alone_have_nothing_to_keep_but_variants() {
    const { assert!(matches!(<Bodies as Shadow>::DATA, cotangent::shadow::Data::VARIANT)) };
    const { assert!(matches!(<Body as Shadow>::DATA, cotangent::shadow::Data::VARIANT)) };
    const { assert!(matches!(<[Cell<f64>] as Shadow>::DATA, cotangent::shadow::Data::NONE)) };
}

#[derive(Shadow, Clone)]
struct Machine {
    values: Vec<f64>,
    steps: usize,
    rate: Rc<f64>,
    seen: u64,
    last: Option<Box<f64>>,
    turns: i64,
}

#[autodiff(b_turn, Forward, Dual, Dual)]
#[autodiff(d_turn, Reverse, Duplicated, Active)]
fn turn(machine: &mut Machine) -> f64 {
    machine.steps += 2;
    machine.seen += 3;
    machine.turns -= 4;
    for value in machine.values.iter_mut() {
        *value *= *machine.rate;
    }
    if let Some(last) = &mut machine.last {
        **last *= 2.0;
    }
    let last = machine.last.as_deref().copied().unwrap_or(0.5);
    machine.values.iter().sum::<f64>() * machine.steps as f64 + last * machine.turns as f64
}

#[test]
fn numbers_behind_boxes_and_counted_pointers_are_no_lengths() {
    let machine = || Machine {
        values: vec![1.0, 2.0],
        steps: 0,
        rate: Rc::new(3.0),
        seen: 1,
        last: Some(Box::new(0.5)),
        turns: 7,
    };
    let other = |shadow: Machine| Machine { steps: 99, seen: 98, turns: 97, ..shadow };
    let mut primal = machine();
    let mut shadow = other(zeroed(&primal));
    // (1 + 2) · 3 · 2 + 2 · 0.5 · 3
    assert_eq!(d_turn(&mut primal, &mut shadow, 1.0), 21.0);
    assert_eq!((primal.steps, primal.seen, primal.turns), (2, 4, 3));
    assert_eq!((shadow.values.as_slice(), *shadow.rate, shadow.last.as_deref()), (&[6.0, 6.0][..], 6.0, Some(&6.0)));
    assert_eq!((shadow.steps, shadow.seen, shadow.turns), (99, 98, 97));
    let mut primal = machine();
    let mut tangent = Machine { values: vec![1.0, 0.0], ..other(zeroed(&primal)) };
    assert_eq!(b_turn(&mut primal, &mut tangent), (21.0, 6.0));
    assert_eq!((tangent.steps, tangent.seen, tangent.turns), (99, 98, 97));
}

#[derive(Shadow, Clone)]
struct Bounded {
    values: Vec<f64>,
    count: usize,
    bound: Option<f64>,
    offset: Result<f64, u8>,
}

#[autodiff(d_bounded, Reverse, Duplicated, Active)]
fn bounded(state: &mut Bounded) -> f64 {
    for value in state.values.iter_mut() {
        state.count += 1;
        *value *= *value;
    }
    if let Some(bound) = &mut state.bound {
        *bound *= 2.0;
    }
    if let Ok(offset) = &mut state.offset {
        *offset *= 3.0;
    }
    state.values.iter().sum::<f64>() + state.bound.as_ref().unwrap_or(&0.5) * state.offset.as_ref().unwrap_or(&0.25)
}

#[test]
fn a_count_beside_what_is_read_with_a_constant_in_its_place() {
    for (bound, offset) in [(Some(1.0), Ok(2.0)), (None, Ok(2.0)), (Some(1.0), Err(7)), (None, Err(7))] {
        let mut primal = Bounded { values: vec![1.0, 2.0], count: 0, bound, offset };
        let mut shadow = zeroed(&primal);
        let both = (bound.map_or(0.5, |b| 2.0 * b), offset.map_or(0.25, |o| 3.0 * o));
        assert_eq!(d_bounded(&mut primal, &mut shadow, 1.0), 5.0 + both.0 * both.1);
        assert_eq!((primal.count, shadow.values.as_slice()), (2, &[2.0, 4.0][..]));
        assert_eq!(shadow.bound, bound.map(|_| 2.0 * both.1));
        assert_eq!(shadow.offset, offset.map(|_| 3.0 * both.0));
    }
}
