//! References that lead to what depends on the arguments or to constants, as it comes: defaults of options, tables, data of the program's own, and what a
//! closure captures.

use crate::{assert_close, functional};
use cotangent::{autodiff, gradient, hessian, jvp};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::OnceLock;

static TABLE: [f64; 4] = [1.5, -2.0, 3.0, 0.5];
static ROWS: [&[f64]; 3] = [&[1.0, 2.5], &[0.5], &[2.0, 1.0, -1.5]];
static NAMED: Named = Named { name: "one", weight: 2.5 };
static LIST: [Named; 2] = [Named { name: "two", weight: 1.5 }, Named { name: "three", weight: -0.5 }];
static POINT: Point = Point { at: [0.5, 2.0], weight: 1.5, tag: 3 };

static MADE_ONCE: OnceLock<Vec<f64>> = OnceLock::new();

#[derive(Clone, Copy)]
struct Point {
    at: [f64; 2],
    weight: f64,
    tag: usize,
}

struct Named {
    name: &'static str,
    weight: f64,
}

struct Node<'a> {
    value: f64,
    next: Option<&'a Node<'a>>,
}
static LAST: Node = Node { value: 2.0, next: None };
static ENDS: Node = Node { value: 1.5, next: Some(&LAST) };

#[inline(never)]
fn summed(node: &Node) -> f64 {
    node.value * node.next.map_or(1.0, summed) + node.value
}

enum Shape {
    Circle(f64),
    Rect { width: f64, height: f64 },
}
static UNIT: Shape = Shape::Rect { width: 2.0, height: 0.5 };

impl Shape {
    #[inline(never)]
    fn area(&self) -> f64 {
        match self {
            Shape::Circle(r) => 3.0 * r * r,
            Shape::Rect { width, height } => width * height,
        }
    }
}

struct Pair<'a> {
    active: &'a [f64],
    constant: &'a [f64],
}

#[inline(never)]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[inline(never)]
fn of_pair(pair: &Pair) -> f64 {
    dot(pair.active, pair.constant) * pair.active[0] + pair.constant[1]
}

#[inline(never)]
fn picked(x: &[f64], i: usize) -> &f64 {
    x.get(i).unwrap_or(&2.5)
}

#[inline(never)]
fn row<'a>(rows: &[&'a [f64]], i: usize) -> &'a [f64] {
    if i < rows.len() { rows[i] } else { &TABLE }
}

#[inline(never)]
fn nested(rows: &[&[f64]], depth: usize) -> f64 {
    match rows {
        [] => 1.0,
        [first, rest @ ..] => first.iter().sum::<f64>() * nested(rest, depth + 1) + depth as f64 * first[0],
    }
}

#[allow(clippy::vec_box, reason = "each lies on its own")]
struct World {
    items: Vec<Box<Item>>,
    table: HashMap<u32, f64>,
    list: Option<Box<Item>>,
    sorted: BTreeMap<u32, f64>,
}

struct Item {
    value: f64,
    weights: Vec<f64>,
    next: Option<Box<Item>>,
}

impl World {
    #[inline(never)]
    fn total(&self) -> f64 {
        let items = self.items.iter().map(|i| i.value * i.weights.iter().sum::<f64>());
        let mut sum = items.sum::<f64>() * self.table.values().sum::<f64>();
        let mut at = &self.list;
        while let Some(item) = at {
            sum += item.value
                * self.sorted.get(&(sum.abs() as u32)).unwrap_or(&1.5)
                * item.weights.get(1).unwrap_or(&TABLE[1]);
            at = &item.next;
        }
        sum * self.table.get(&7).unwrap_or(&0.5) * self.list.as_deref().map_or(&2.0, |i| &i.value)
    }
}

trait Model {
    fn at(&self, x: f64) -> f64;
}
struct Line<'a>(&'a [f64]);
struct Fixed(f64);
impl Model for Line<'_> {
    fn at(&self, x: f64) -> f64 {
        self.0[0] * x + self.0[1]
    }
}
impl Model for Fixed {
    fn at(&self, x: f64) -> f64 {
        self.0 * x * x
    }
}

functional! {
    fn defaults_of_options(x: &[f64]) -> f64 {
        let first = x.first().unwrap_or(&1.5);
        let far = x.get(7).unwrap_or(&2.5);
        let negative = x.iter().find(|v| **v < 0.0).unwrap_or(&0.5);
        let most = x.iter().max_by(|a, b| a.total_cmp(b)).unwrap_or(&10.0);
        first * far * negative * x[1] + most * most
    } at [0.4, 1.2, -0.3], [0.4, 1.2, 0.3];

    fn the_content_of_a_box_or_a_default(x: &[f64]) -> f64 {
        let boxed = (x[0] > 0.0).then(|| Box::new(x[1] * x[0]));
        let shared = (x[0] < 0.0).then(|| Rc::new(x[1].sin()));
        boxed.as_deref().unwrap_or(&10.0) * x[2] + shared.as_deref().unwrap_or(&TABLE[2]) * x[1]
    } at [0.4, 1.2, -0.3], [-0.4, 1.2, -0.3];

    fn the_greatest_by_a_reference_in_a_loop(x: &[f64]) -> f64 {
        let mut best = &TABLE[3];
        let mut sum = 0.0;
        for v in x {
            if v > best {
                best = v;
            }
            sum += best * v;
        }
        sum * best
    } at [0.4, 1.2, -0.3, 2.0, 0.7];

    fn a_table_or_the_argument_for_a_function(x: &[f64]) -> f64 {
        let w: &[f64] = if x[0] > 0.0 { &TABLE[..3] } else { x };
        dot(w, x) + w[1] * x[2] + dot(x, w) * w[0]
    } at [0.4, 1.2, -0.3], [-0.4, 1.2, -0.3];

    fn a_table_that_is_made_once_or_the_argument(x: &[f64]) -> f64 {
        let table: &[f64] = MADE_ONCE.get_or_init(|| vec![1.5, 2.5, 0.5]);
        let w = if x[0] > 0.0 { table } else { x };
        w.iter().zip(x).map(|(a, b)| a * b).sum()
    } at [0.4, 1.2, -0.3], [-0.4, 1.2, -0.3];

    fn arguments_of_closures_behind_pointers(x: &[f64]) -> f64 {
        let own = x[1] * x[2];
        let all: [&f64; 4] = [&own, &TABLE[1], &x[0], &3.5];
        let functions: [&dyn Fn(&f64) -> f64; 3] = [&|v| v * v, &|v| v.sin() * x[0], &|v| v + 1.0];
        all.iter().zip(functions.iter().cycle()).map(|(v, f)| f(v)).sum::<f64>() * functions[1](all[0])
    } at [0.4, 1.2, -0.3];

    fn references_to_both_sorted(x: &[f64]) -> f64 {
        let mut all: Vec<&f64> = x.iter().chain(&TABLE).collect();
        all.push(&2.2);
        all.sort_by(|a, b| b.total_cmp(a));
        all.iter().zip(1..).map(|(v, i)| **v * f64::from(i)).sum::<f64>() * all[2] * all[1]
    } at [0.4, 1.2, -0.3, 2.7];

    fn both_in_one_structure_for_a_function(x: &[f64]) -> f64 {
        of_pair(&Pair { active: x, constant: &TABLE }) * of_pair(&Pair { active: &x[1..], constant: x })
    } at [0.4, 1.2, -0.3];

    fn rows_of_both_for_a_recursion(x: &[f64]) -> f64 {
        let rows: Vec<&[f64]> = vec![x, ROWS[0], &x[1..], ROWS[2], &TABLE];
        nested(&rows, 1) + nested(&rows[2..], 2) * row(&rows, 1)[0] * row(&rows, 9)[2] * row(&rows, 2)[0]
    } at [0.4, 1.2, -0.3];

    fn rows_of_a_table_of_slices_or_of_the_argument(x: &[f64]) -> f64 {
        let row = |i: usize| if i % 2 == 0 { ROWS[i / 2] } else { &x[i / 2..] };
        (0..6).map(|i| row(i).iter().sum::<f64>() * x[1] * row(i + (i + 1) % 2)[0]).product()
    } at [0.4, 1.2, -0.3];

    fn a_reference_that_a_function_returns(x: &[f64]) -> f64 {
        (0..5).map(|i| picked(x, i) * picked(x, 4 - i) + picked(x, i + 1).sin()).sum()
    } at [0.4, 1.2, -0.3];

    fn copies_of_structs_of_both(x: &[f64]) -> f64 {
        let own = Point { at: [x[0], x[1]], weight: x[2] * x[2], tag: 2 };
        let all = [&own, &POINT];
        let which = |v: f64| *all[usize::from(v > 0.0)];
        x.iter().map(|v| which(*v)).map(|p| p.at[0] * p.at[1] * p.weight * p.tag as f64 + p.weight).sum()
    } at [0.4, 1.2, -0.3];

    fn copies_of_arrays_and_slices_of_both(x: &[f64]) -> f64 {
        let own = [x[0] * x[1], x[2], x[0], x[1]];
        let which = |v: f64| if v > 0.5 { &TABLE } else { &own };
        let array: [f64; 4] = *which(x[0]);
        let mut vector = which(x[1]).to_vec();
        vector.extend_from_slice(&which(x[2])[1..]);
        vector.iter().zip(&array).map(|(a, b)| a * b).sum::<f64>() + vector.iter().map(|v| v * x[0]).sum::<f64>()
    } at [0.4, 1.2, -0.3], [0.6, 0.2, 0.8];

    fn records_with_names(x: &[f64]) -> f64 {
        let own = [Named { name: "four", weight: x[0] }, Named { name: "seven", weight: x[1] * x[1] }];
        let mut all: Vec<&Named> = LIST.iter().chain(&own).collect();
        all.push(if x[2] > 0.0 { &NAMED } else { &own[0] });
        all.sort_by_key(|n| n.name.len());
        let found = all.iter().copied().find(|n| n.name == "one").unwrap_or(&own[1]);
        all.iter().zip(1..).map(|(n, i)| n.weight * f64::from(i) * x[0]).sum::<f64>() * found.weight
    } at [0.4, 1.2, -0.3], [0.4, 1.2, 0.3];

    fn a_list_that_ends_in_constants(x: &[f64]) -> f64 {
        let first = Node { value: x[0], next: Some(&ENDS) };
        let second = Node { value: x[1] * x[2], next: Some(&first) };
        let last = if x[2] > 0.0 { second.next.unwrap_or(&LAST) } else { &second };
        summed(&second) * summed(&ENDS) * last.value * last.next.map_or(0.5, |n| n.value)
    } at [0.4, 1.2, -0.3], [0.4, 1.2, 0.3];

    fn variants_of_both(x: &[f64]) -> f64 {
        let own = [Shape::Circle(x[0]), Shape::Rect { width: x[1], height: x[2] }];
        let all = [&own[0], &UNIT, &own[1], &Shape::Circle(0.5)];
        all.iter().zip(x.iter().cycle()).map(|(s, v)| s.area() * v).sum::<f64>() * all[2].area()
    } at [0.4, 1.2, -0.3];

    fn values_of_maps_or_defaults(x: &[f64]) -> f64 {
        let hashed: HashMap<usize, f64> = x.iter().enumerate().map(|(i, v)| (i * i, v * v)).collect();
        let sorted: BTreeMap<usize, f64> = x.iter().enumerate().map(|(i, v)| (i * 2, v.sin())).collect();
        (0..5).map(|i| hashed.get(&i).unwrap_or(&0.5) * sorted.get(&i).unwrap_or(&TABLE[0])).sum()
    } at [0.4, 1.2, -0.3];

    fn borrowed_or_owned(x: &[f64]) -> f64 {
        let cow = |i: usize| -> Cow<[f64]> {
            match i {
                0 => Cow::Borrowed(&TABLE),
                1 => Cow::Borrowed(x),
                _ => Cow::Owned(x.iter().map(|v| v * v).collect()),
            }
        };
        (0..3).map(|i| dot(&cow(i), x) * cow(2 - i)[0]).sum()
    } at [0.4, 1.2, -0.3];

    fn lists_and_maps_in_one_structure(x: &[f64]) -> f64 {
        let item = |v: &f64, next| Box::new(Item { value: *v, weights: vec![v * v, 1.0], next });
        let world = World {
            items: x.iter().map(|v| item(v, None)).collect(),
            table: (0..).zip(x.iter().map(|v| v * 2.0)).collect(),
            list: x.iter().fold(None, |next, v| Some(item(v, next))),
            sorted: (0..).zip(x.iter().map(|v| v.sin())).collect(),
        };
        world.total()
    } at [0.4, 1.2, -0.3];

    fn models_of_both_behind_one_trait(x: &[f64]) -> f64 {
        let models: [&dyn Model; 4] = [&Line(x), &Line(&TABLE), &Fixed(2.0), &Fixed(x[2])];
        models.iter().zip(x.iter().cycle()).map(|(m, v)| m.at(*v) * m.at(x[1])).sum()
    } at [0.4, 1.2, -0.3];
}

#[test]
fn floats_of_another_width() {
    #[autodiff(forward, Forward, Dual, Dual)]
    #[autodiff(reverse, Reverse, Duplicated, Active)]
    fn primal(x: &[f32]) -> f32 {
        let w = x.iter().find(|v| **v > 1.0).unwrap_or(&1.5);
        x.get(9).unwrap_or(&2.5) * w * x[0]
    }
    testing::check::functional::<f32>(&[0.4, 1.25], primal, forward, reverse);
    testing::check::functional::<f32>(&[0.4, 0.75], primal, forward, reverse);
}

#[test]
fn what_a_closure_captures_or_its_argument() {
    let own = vec![0.5, 3.0, 2.0];
    let f = |x: &[f64]| {
        let longer = if x[0] > 0.0 { &own[..] } else { x };
        let mut both = vec![x, &own[1..], longer];
        both.rotate_left(1);
        both.iter().map(|row| dot(row, x) * row[0]).sum::<f64>()
    };
    for x in [[0.4, 1.2, -0.3], [-0.4, 1.2, -0.3]] {
        let g = gradient(f, &x);
        for i in 0..3 {
            let mut e = [0.0; 3];
            e[i] = 1.0;
            let step = |h: f64| f(&[x[0] + h * e[0], x[1] + h * e[1], x[2] + h * e[2]]);
            assert_close!(g[i], (step(1e-5) - step(-1e-5)) / 2e-5, 1e-8);
            assert_close!(jvp(f, &x, &e).1, g[i], 1e-12);
        }
    }
}

#[test]
fn a_constant_argument_or_an_active_one() {
    #[autodiff(forward, Forward, Const, Dual, Dual)]
    #[autodiff(reverse, Reverse, Const, Duplicated, Active)]
    fn primal(weights: &[Vec<f64>], x: &[f64]) -> f64 {
        let row = |i: usize| weights.get(i).map_or(x, Vec::as_slice);
        let longest = (0..3).map(row).max_by_key(|row| row.len()).unwrap();
        dot(row(2), x) * dot(row(0), longest) + of_pair(&Pair { active: longest, constant: row(1) })
    }
    let (fixed, x) = ([vec![0.5, 2.0], vec![1.5, -0.5, 3.0, 2.0]], [0.4, 1.2, -0.3]);
    for weights in [&fixed[..], &fixed[..1], &[]] {
        let f = |x: &[f64]| primal(weights, x);
        let forward = |x: &[f64], v: &[f64]| forward(weights, x, v);
        let reverse = |x: &[f64], g: &mut [f64], seed: f64| reverse(weights, x, g, seed);
        testing::check::functional::<f64>(&x, f, forward, reverse);
    }
}

#[test]
fn second_derivatives() {
    // With `x[0]` as a default: f = x0 x1 (x0 > 0) or 2.5 x1, times x1 x1.
    let f = |x: &[f64]| {
        let first = x.iter().find(|v| **v > 0.3).unwrap_or(&2.5);
        first * x[1] * x[1]
    };
    assert_eq!(hessian(f, &[0.5, 0.2]), [0.0, 0.4, 0.4, 1.0]);
    assert_eq!(hessian(f, &[0.25, 0.2]), [0.0, 0.0, 0.0, 5.0]);
}

#[test]
fn a_tangent_that_is_the_argument_is_no_constant() {
    #[autodiff(forward, Forward, Dual, Dual)]
    fn primal(x: &[f64]) -> f64 {
        x.iter().find(|v| **v > 1.0).unwrap_or(&1.5) * x[0]
    }
    let x = [0.4, 1.25];
    assert_eq!(forward(&x, &[0.4, 1.25]).1, 2.0 * 0.4 * 1.25);
    let message = *catch_unwind(|| forward(&x, &x)).unwrap_err().downcast::<&str>().unwrap();
    assert!(message.contains("copy the tangent"), "{message}");
}

#[test]
fn a_shadow_that_shares_memory_is_no_constant() {
    struct Shared {
        weights: Rc<Vec<f64>>,
    }
    #[autodiff(reverse, Reverse, Duplicated, Duplicated, Active)]
    fn primal(shared: &Shared, x: &[f64]) -> f64 {
        dot(if x[0] > 5.0 { &TABLE } else { &shared.weights }, x)
    }
    let (shared, x) = (Shared { weights: Rc::new(vec![2.0, 3.0]) }, [0.4, 1.25]);
    let (mut apart, mut g) = (Shared { weights: Rc::new(vec![0.0, 0.0]) }, [0.0; 2]);
    reverse(&shared, &mut apart, &x, &mut g, 1.0);
    assert_eq!((apart.weights.as_slice(), g), (&[0.4, 1.25][..], [2.0, 3.0]));
    let mut same = Shared { weights: Rc::clone(&shared.weights) };
    let call = AssertUnwindSafe(|| reverse(&shared, &mut same, &x, &mut g, 1.0));
    assert!(catch_unwind(call).is_err());
    assert_eq!(shared.weights.as_slice(), [2.0, 3.0]);
}
