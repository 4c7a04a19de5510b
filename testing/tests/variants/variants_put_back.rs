//! Enums behind an argument that calls make others of, and that are put back in various places.
use super::variants_behind::check;
use cotangent::{Shadow, autodiff, zeroed};
use std::collections::VecDeque;
use testing::assert_close;

/// Of these each can be moved in one way alone, and all go in one function.
#[derive(Shadow, Clone, Debug)]
struct Store {
    all: [Item; 2],
    slots: Vec<Option<f64>>,
    held: Option<Item>,
    boxed: Box<Item>,
    count: usize,
}

#[derive(Shadow, Clone, Copy, Debug, PartialEq)]
enum Item {
    Value(f64),
    Numbers(u64, i64),
    Empty,
}

#[inline(never)]
fn moved(item: Item, y: f64) -> Item {
    match item {
        Item::Value(a) => Item::Value(a * y),
        Item::Numbers(..) => Item::Value(y),
        Item::Empty => Item::Numbers(7, 5 << 60),
    }
}

fn of_item(item: &Item) -> f64 {
    match item {
        Item::Value(a) => a * a,
        Item::Numbers(a, b) => (a % 7) as f64 + (b % 5) as f64,
        Item::Empty => 0.5,
    }
}

#[test]
fn items_that_calls_make_are_put_back_beside_slots_that_are_swapped() {
    #[autodiff(d, Reverse, Duplicated, Duplicated, Active)]
    fn f(store: &mut Store, x: &[f64]) -> f64 {
        store.all[1] = moved(store.all[1], x[0]);
        store.slots.swap(2, 0);
        store.held = store.held.map(|held| moved(held, x[1]));
        *store.boxed = moved(*store.boxed, x[1]);
        store.count += 1;
        let items = store.all.iter().chain(&store.held).map(of_item).sum::<f64>() + of_item(&store.boxed);
        items * x[1] + store.slots.iter().flatten().zip(1..).map(|(v, i)| v * v * f64::from(i)).sum::<f64>()
    }
    let floats = |store: &mut Store, see: &mut dyn FnMut(&mut f64)| {
        let items = store.all.iter_mut().chain(&mut store.held).chain(std::iter::once(&mut *store.boxed));
        for item in items {
            if let Item::Value(value) = item {
                see(value);
            }
        }
        store.slots.iter_mut().flatten().for_each(see);
    };
    let items = [Item::Value(1.5), Item::Numbers(u64::MAX, -1), Item::Empty, Item::Value(0.5)];
    for (k, item) in items.into_iter().enumerate() {
        let store = Store {
            all: [item, items[(k + 1) % 4]],
            slots: vec![None, Some(2.0), (k % 2 == 0).then_some(3.0)],
            held: (k != 1).then_some(items[(k + 2) % 4]),
            boxed: Box::new(items[(k + 3) % 4]),
            count: k,
        };
        check(&store, &zeroed(&store), &[0.7, 1.3], f, d, floats);
    }
}

#[derive(Shadow, Clone, Debug)]
struct Line {
    all: [Nested; 2],
    held: Option<Held>,
    boxed: Box<Nested>,
    queue: VecDeque<Nested>,
    tried: Result<f64, i64>,
    count: usize,
}

#[derive(Shadow, Clone, Copy, Debug)]
enum Nested {
    Empty,
    Perhaps(Option<f64>),
    Surely(f64),
}

#[derive(Shadow, Clone, Copy, Debug)]
enum Held {
    Value(f64),
    Nothing,
}

impl Nested {
    #[inline(never)]
    fn value(&self) -> f64 {
        match *self {
            Nested::Empty => 0.5,
            Nested::Perhaps(a) => a.map_or(0.25, |a| a * a),
            Nested::Surely(a) => a,
        }
    }

    fn moved(self, y: f64) -> Nested {
        match self {
            Nested::Empty => Nested::Surely(y),
            Nested::Perhaps(_) => self,
            Nested::Surely(_) => Nested::Empty,
        }
    }

    #[inline(never)]
    fn turned(self, y: f64) -> Nested {
        match self {
            Nested::Empty => self,
            Nested::Perhaps(a) => a.map_or(Nested::Empty, |a| Nested::Surely(a * y)),
            Nested::Surely(a) => Nested::Perhaps(Some(a + y)),
        }
    }
}

fn of_line(line: &mut Line, see: &mut dyn FnMut(&mut f64)) {
    for item in line.all.iter_mut().chain(std::iter::once(&mut *line.boxed)).chain(&mut line.queue) {
        match item {
            Nested::Empty => {}
            Nested::Perhaps(a) => a.iter_mut().for_each(&mut *see),
            Nested::Surely(a) => see(a),
        }
    }
    if let Some(Held::Value(a)) = &mut line.held {
        see(a);
    }
    line.tried.iter_mut().for_each(see);
}

#[test]
fn what_calls_make_of_enums_is_put_back_in_both_modes() {
    #[autodiff(d, Reverse, Duplicated, Duplicated, Active)]
    #[autodiff(onward, Forward, Dual, Dual, Dual)]
    fn f(line: &mut Line, x: &[f64]) -> f64 {
        *line.boxed = line.boxed.moved(x[1]);
        for _ in 0..2 {
            line.held = line.held.map(|held| match held {
                Held::Value(_) => Held::Nothing,
                Held::Nothing => Held::Value(x[0]),
            });
        }
        for item in &mut line.queue {
            *item = item.turned(x[0]);
        }
        if line.count % 3 < 2 {
            for item in &mut line.all {
                *item = item.moved(x[1]).turned(x[0]);
            }
        }
        line.tried = match line.tried {
            Ok(v) => {
                if line.count % 2 == 0 {
                    Err(5 << 60)
                } else {
                    Ok(v * x[1])
                }
            }
            Err(n) => Ok((n % 3) as f64 * x[0]),
        };
        line.count += 1;
        let items = line.all.iter().chain(std::iter::once(&*line.boxed)).chain(&line.queue);
        let held = match line.held {
            Some(Held::Value(a)) => a * a,
            _ => 0.125,
        };
        items.map(Nested::value).sum::<f64>() * x[1] + line.tried.unwrap_or(0.5) + held
    }
    let items = [Nested::Perhaps(Some(1.5)), Nested::Surely(0.75), Nested::Empty, Nested::Perhaps(None)];
    for k in 0..12 {
        let item = |i: usize| items[(k + i) % 4];
        let line = Line {
            all: [item(0), item(1)],
            held: [Some(Held::Value(2.0)), None, Some(Held::Nothing)][k % 3],
            boxed: Box::new(item(2)),
            queue: [item(3), item(1), item(0)].into(),
            tried: [Ok(3.0), Err(-7)][k % 2],
            count: k,
        };
        let x = [0.7, 1.3];
        check(&line, &zeroed(&line), &x, f, d, of_line);
        let (mut tangent, mut count) = (zeroed(&line), 0.0);
        of_line(&mut tangent, &mut |float| {
            count += 1.0;
            *float = count / 2.0;
        });
        let u = [1.0, -0.5];
        let (value, jv) = onward(&mut line.clone(), &mut tangent, &x, &u);
        let (mut adjoint, mut dx) = (zeroed(&line), [0.0; 2]);
        assert_eq!(value, d(&mut line.clone(), &mut adjoint, &x, &mut dx, 1.0));
        let (mut sum, mut count) = (dx[0] * u[0] + dx[1] * u[1], 0.0);
        of_line(&mut adjoint, &mut |float| {
            count += 1.0;
            sum += *float * count / 2.0;
        });
        assert_close!([jv], [sum], 1e-12);
    }
}
