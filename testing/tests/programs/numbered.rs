//! Memory of constants that functions make and hand on, where they stay calls, and that gets what depends on the inputs later.
use crate::functional;
use std::cell::RefCell;
use std::rc::Rc;

type Row = (usize, f64);

#[inline(never)]
fn number(rows: &mut [Row]) -> usize {
    for (number, row) in rows.iter_mut().enumerate() {
        row.0 = number + 1;
    }
    rows.len()
}

/// Its numbers are all that is written here: the floats are zeros that the allocator gave.
fn numbered(count: usize) -> Vec<Row> {
    let mut rows = vec![(0, 0.0); count];
    for (number, row) in rows.iter_mut().enumerate() {
        row.0 = number + 1;
    }
    rows
}

fn fill(rows: &mut [Row], x: &[f64]) {
    for i in 0..rows.len() {
        if i % 3 != 0 {
            rows[i].1 = x[i % 2] * x[1] + 0.1 * i as f64;
        }
    }
}

#[inline(never)]
fn sum(rows: &[Row]) -> f64 {
    rows.iter().map(|(number, float)| *number as f64 * float * float).sum()
}

struct Table {
    count: usize,
    rows: Vec<Row>,
}

impl Table {
    #[inline(never)]
    fn fill(&mut self, x: &[f64]) {
        fill(&mut self.rows, x);
        self.count += 1;
    }

    #[inline(never)]
    fn sum(&self) -> f64 {
        sum(&self.rows) * self.count as f64 + sum(&self.rows[1..])
    }
}

mod handed_on {
    use super::*;

    #[inline(never)]
    fn made(count: usize) -> (Vec<Row>, usize) {
        (numbered(count), count)
    }

    #[inline(never)]
    fn table(count: usize) -> Table {
        let (rows, more) = made(count);
        Table { count: rows[1].0 + more, rows }
    }

    functional! {
        fn rows_are_handed_on_in_a_struct(x: &[f64]) -> f64 {
            let mut table = table(5);
            table.fill(x);
            table.sum()
        } at [1.3, 0.7];
    }

    #[inline(never)]
    fn beside_floats(count: usize) -> (Vec<Row>, Vec<f64>) {
        (numbered(count), vec![0.5; count])
    }

    #[inline(never)]
    fn table_and_floats(count: usize) -> (Table, Vec<f64>) {
        let (rows, floats) = beside_floats(count);
        (Table { count: rows[1].0 + floats.len(), rows }, floats)
    }

    functional! {
        fn rows_are_handed_on_beside_floats(x: &[f64]) -> f64 {
            let (mut table, mut floats) = table_and_floats(5);
            table.fill(x);
            floats[2] = x[0] * x[0];
            table.sum() + floats.iter().sum::<f64>()
        } at [1.3, 0.7];
    }

    #[inline(never)]
    fn by_a_call(count: usize) -> Table {
        let mut rows = vec![(0, 0.0); count];
        Table { count: number(&mut rows), rows }
    }

    functional! {
        fn rows_that_a_call_has_numbered_are_handed_on(x: &[f64]) -> f64 {
            let mut table = by_a_call(5);
            table.fill(x);
            table.sum()
        } at [1.3, 0.7];
    }

    #[inline(never)]
    fn two(count: usize) -> (Table, Table) {
        let table = |count| {
            let mut rows = vec![(0, 0.0); count];
            number(&mut rows);
            Table { count, rows }
        };
        (table(count), table(count + 1))
    }

    #[inline(never)]
    fn one_of<'t>(a: &'t mut Table, b: &'t mut Table, is_first: bool) -> &'t mut Table {
        if is_first { a } else { b }
    }

    functional! {
        fn one_of_two_tables_is_written(x: &[f64]) -> f64 {
            let (mut a, mut b) = two(3);
            for i in 0..2 {
                one_of(&mut a, &mut b, i == 0).rows[1].1 = x[i] * x[0];
            }
            a.sum() + b.sum()
        } at [1.3, 0.7];

        fn rows_of_two_tables_are_swapped(x: &[f64]) -> f64 {
            let (mut a, mut b) = two(3);
            std::mem::swap(&mut a.rows, &mut b.rows);
            a.fill(x);
            std::mem::swap(&mut a, &mut b);
            b.rows[1].1 += x[1];
            a.sum() + b.sum()
        } at [1.3, 0.7];
    }

    #[inline(never)]
    fn once(table: &mut Option<Table>) -> &mut Table {
        table.get_or_insert_with(|| {
            let mut rows = vec![(0, 0.0); 4];
            Table { count: number(&mut rows), rows }
        })
    }

    functional! {
        fn a_table_is_made_where_there_is_none(x: &[f64]) -> f64 {
            let mut table = None;
            for i in 0..3 {
                once(&mut table).rows[i].1 += x[i % 2] * x[1];
            }
            table.map_or(0.0, |table| table.sum())
        } at [1.3, 0.7];
    }
}

mod behind_pointers {
    use super::*;

    #[inline(never)]
    fn rows_of_rows(count: usize) -> (Vec<Vec<Row>>, usize) {
        ((0..count).map(|k| numbered(k + 2)).collect(), count)
    }

    #[inline(never)]
    fn grid(count: usize) -> (usize, Vec<Vec<Row>>) {
        let (rows, more) = rows_of_rows(count);
        (rows[1][0].0 + more, rows)
    }

    #[inline(never)]
    fn in_a_box(count: usize) -> (Box<Table>, usize) {
        (Box::new(Table { count, rows: numbered(count) }), count)
    }

    #[inline(never)]
    fn boxed(count: usize) -> (usize, Box<Table>) {
        let (table, more) = in_a_box(count);
        (table.count + more, table)
    }

    #[inline(never)]
    fn in_a_cell(count: usize) -> (Rc<RefCell<Vec<Row>>>, usize) {
        (Rc::new(RefCell::new(numbered(count))), count)
    }

    #[inline(never)]
    fn shared(count: usize) -> (usize, Rc<RefCell<Vec<Row>>>) {
        let (rows, more) = in_a_cell(count);
        let first = rows.borrow()[1].0;
        (first + more, rows)
    }

    functional! {
        fn rows_of_rows_are_handed_on(x: &[f64]) -> f64 {
            let (count, mut rows) = grid(4);
            rows.iter_mut().for_each(|rows| fill(rows, x));
            rows.iter().map(|rows| sum(rows) + sum(&rows[1..])).sum::<f64>() * count as f64
        } at [1.3, 0.7];

        fn a_table_is_handed_on_in_a_box(x: &[f64]) -> f64 {
            let (count, mut table) = boxed(4);
            table.fill(x);
            table.sum() * count as f64
        } at [1.3, 0.7];

        fn rows_are_handed_on_in_a_shared_cell(x: &[f64]) -> f64 {
            let (count, rows) = shared(5);
            fill(&mut rows.borrow_mut(), x);
            let all = sum(&rows.borrow());
            all * count as f64 + sum(&rows.borrow()[2..])
        } at [1.3, 0.7];
    }

    trait Shape {
        fn fill(&mut self, x: &[f64]);
        fn sum(&self) -> f64;
    }

    struct One(Vec<Row>);

    struct Two([Row; 3], Box<[Row]>);

    impl Shape for One {
        fn fill(&mut self, x: &[f64]) {
            fill(&mut self.0, x);
        }

        fn sum(&self) -> f64 {
            sum(&self.0)
        }
    }

    impl Shape for Two {
        fn fill(&mut self, x: &[f64]) {
            fill(&mut self.0, x);
            fill(&mut self.1, x);
        }

        fn sum(&self) -> f64 {
            sum(&self.0) + sum(&self.1)
        }
    }

    #[inline(never)]
    fn shapes(count: usize) -> Vec<Box<dyn Shape>> {
        let mut shapes: Vec<Box<dyn Shape>> = Vec::new();
        for k in 0..count {
            let mut rows = vec![(0, 0.0); k + 2];
            number(&mut rows);
            match k % 2 {
                0 => shapes.push(Box::new(One(rows))),
                _ => shapes.push(Box::new(Two([(1, 0.0); 3], rows.into()))),
            }
        }
        shapes
    }

    functional! {
        fn objects_of_rows_are_handed_on(x: &[f64]) -> f64 {
            let mut shapes = shapes(4);
            shapes.iter_mut().for_each(|shape| shape.fill(x));
            shapes.iter().map(|shape| shape.sum()).sum()
        } at [1.3, 0.7];
    }
}

mod variants {
    use crate::functional;

    #[derive(Clone, Copy)]
    enum Slot {
        Number(usize),
        Float(f64),
    }

    struct Slots {
        all: Vec<Slot>,
        floats: Vec<f64>,
        count: usize,
    }

    #[inline(never)]
    fn made(count: usize) -> (Vec<Slot>, Vec<f64>) {
        ((0..count).map(Slot::Number).collect(), vec![0.25; count])
    }

    #[inline(never)]
    fn slots(count: usize) -> Slots {
        let (all, floats) = made(count);
        Slots { count: floats.len(), all, floats }
    }

    #[inline(never)]
    fn sum(all: &[Slot]) -> f64 {
        let square = |slot: &Slot| match slot {
            Slot::Number(number) => *number as f64,
            Slot::Float(float) => float * float,
        };
        all.iter().map(square).sum()
    }

    functional! {
        fn numbers_of_variants_become_floats(x: &[f64]) -> f64 {
            let mut slots = slots(5);
            for i in [1, 3] {
                slots.all[i] = Slot::Float(x[0] * x[1] + i as f64);
            }
            slots.floats[1] = x[1];
            sum(&slots.all) * slots.count as f64 + sum(&slots.all[1..]) + slots.floats.iter().sum::<f64>()
        } at [1.3, 0.7];
    }
}

mod trees {
    use crate::functional;

    #[derive(Default)]
    struct Branch {
        key: i32,
        value: f64,
        left: Option<Box<Branch>>,
        right: Option<Box<Branch>>,
    }

    impl Branch {
        fn insert(&mut self, key: i32, value: f64) {
            if key == self.key {
                self.value += value;
                return;
            }
            let side = if key < self.key { &mut self.left } else { &mut self.right };
            match side {
                Some(branch) => branch.insert(key, value),
                None => *side = Some(Box::new(Branch { key, value, ..Branch::default() })),
            }
        }

        fn of_keys(keys: &[i32]) -> Branch {
            let mut root = Branch { key: keys[0], value: 0.5, ..Branch::default() };
            keys.iter().for_each(|key| root.insert(*key, 0.25));
            root
        }

        fn sum(&self) -> f64 {
            let side = |side: &Option<Box<Branch>>| side.as_ref().map_or(0.25, |branch| branch.sum());
            self.value * side(&self.left) - side(&self.right)
        }
    }

    functional! {
        fn an_input_is_put_into_a_tree_of_constants_that_nobody_reads(x: &[f64]) -> f64 {
            let mut tree = Branch::of_keys(&[4, 1, 3, 7, 5]);
            tree.insert(4, x[0]);
            x[0] * x[1]
        } at [1.3, 0.7];

        fn an_input_is_put_into_a_tree_of_constants(x: &[f64]) -> f64 {
            let mut tree = Branch::of_keys(&[4, 1, 3, 7, 5]);
            tree.insert(3, x[0]);
            tree.sum() * x[1]
        } at [1.3, 0.7];
    }
}
