//! Pointers that lie in structs and locals, lead into the middle of what they point to, change places, or are two to one place.

use crate::functional;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

struct Window<'a> {
    middle: &'a mut [f64],
    all: &'a [f64],
    last: usize,
}

#[inline(never)]
fn scale(window: &mut Window, by: f64) {
    window.middle[0] *= by;
    window.middle[window.last] += window.middle[0];
}

#[inline(never)]
fn every_other<'a>(values: &mut std::slice::Iter<'a, f64>, found: &mut Vec<&'a f64>) {
    found.extend(values.next());
    values.next();
}

struct Rows {
    rows: Vec<Vec<f64>>,
    spare: Vec<f64>,
    lengths: Vec<usize>,
}

#[inline(never)]
fn exchange(r: &mut Rows) {
    std::mem::swap(&mut r.rows[0], &mut r.spare);
    r.rows.swap(0, 1);
    r.lengths.push(r.spare.len());
}

struct Node {
    value: f64,
    weights: Vec<f64>,
    next: Option<Box<Node>>,
}

struct Shared {
    one: Rc<Cell<f64>>,
    same: Rc<Cell<f64>>,
    list: Rc<RefCell<Vec<f64>>>,
    same_list: Rc<RefCell<Vec<f64>>>,
}

#[inline(never)]
fn written_here_and_read_there(s: &Shared, x: f64) -> f64 {
    s.one.set(s.one.get() * x);
    s.list.borrow_mut()[1] += x * x;
    s.same.get() * s.same_list.borrow()[1]
}

functional! {
    fn a_slice_of_the_middle_in_a_struct(x: &[f64]) -> f64 {
        let mut buffer = [0.0; 6];
        buffer[..4].copy_from_slice(&x[..4]);
        let (_, middle) = buffer.split_at_mut(2);
        let mut window = Window { middle, all: x, last: 2 };
        scale(&mut window, x[0]);
        scale(&mut window, x[1]);
        let factor = window.all[1];
        buffer.iter().enumerate().map(|(i, v)| v * (i + 1) as f64).sum::<f64>() * factor
    } at [0.3, 0.7, -0.4, 1.1];

    fn an_iterator_that_another_function_moves_on(x: &[f64]) -> f64 {
        let squares: Vec<f64> = x.iter().map(|v| v * v).collect();
        let (mut values, mut found) = (squares.iter(), vec![]);
        every_other(&mut values, &mut found);
        every_other(&mut values, &mut found);
        found[0] * found[1] + values.len() as f64
    } at [0.3, 0.7, -0.4, 1.1];

    fn vectors_of_a_struct_that_change_places(x: &[f64]) -> f64 {
        let mut r = Rows {
            rows: vec![vec![x[0], x[1]], vec![x[2]]],
            spare: vec![x[3], x[0] * x[2], 1.0],
            lengths: vec![],
        };
        exchange(&mut r);
        r.rows[1][0] *= x[1];
        r.spare[0] += r.rows[0][0] * r.rows[1][1];
        exchange(&mut r);
        let sum = r.rows.concat().iter().enumerate().map(|(i, v)| v.sin() * (i + 1) as f64).sum::<f64>();
        sum + r.spare.iter().product::<f64>() * r.lengths.len() as f64
    } at [0.3, 0.7, -0.4, 1.1];

    fn a_list_changed_by_a_cursor(x: &[f64]) -> f64 {
        let mut head: Option<Box<Node>> = None;
        for v in x {
            head = Some(Box::new(Node { value: *v, weights: vec![v * v; 2], next: head }));
        }
        let (mut at, mut turn) = (&mut head, 1.0);
        while let Some(node) = at {
            node.weights[0] *= node.value * turn;
            node.value = node.weights[0] + node.weights[1];
            turn += 1.0;
            at = &mut node.next;
        }
        let (mut at, mut sum) = (head.as_ref(), 1.0);
        while let Some(node) = at {
            sum = sum * 0.5 + node.value * node.weights[0];
            at = node.next.as_ref();
        }
        sum
    } at [0.3, 0.7, -0.4, 1.1];

    fn two_ways_to_one_cell_and_one_vector(x: &[f64]) -> f64 {
        let one = Rc::new(Cell::new(x[0]));
        let list = Rc::new(RefCell::new(vec![x[1], x[2]]));
        let shared = Shared { one: one.clone(), same: one.clone(), list: list.clone(), same_list: list.clone() };
        let first = written_here_and_read_there(&shared, x[3]);
        first * written_here_and_read_there(&shared, x[0]) + one.get()
    } at [0.3, 0.7, -0.4, 1.1];

    fn references_to_all_numbers_of_a_matrix(x: &[f64]) -> f64 {
        let mut rows = vec![vec![x[0]; 3], vec![x[1]; 3], vec![x[2]; 3]];
        let mut cells: Vec<&mut f64> = rows.iter_mut().flatten().collect();
        *cells[4] *= x[3];
        let middle = *cells[4];
        *cells[8] += middle;
        cells.swap(0, 8);
        *cells[0] *= 2.0;
        rows.iter().map(|row| row.iter().product::<f64>()).sum()
    } at [0.3, 0.7, -0.4, 1.1];

    fn slices_in_an_array_that_change_places(x: &[f64]) -> f64 {
        let (mut a, mut b) = ([x[0], x[1]], vec![x[2], x[3]]);
        let mut slices: [&mut [f64]; 2] = [&mut a, &mut b];
        for k in 0..3 {
            let v = slices[k % 2][1];
            slices[(k + 1) % 2][0] *= v;
            slices.swap(0, 1);
        }
        slices[0][1] += slices[1][0];
        a[0] * b[0] + a[1] * b[1]
    } at [0.3, 0.7, -0.4, 1.1];

    fn a_stack_of_work_with_vectors(x: &[f64]) -> f64 {
        let mut stack = vec![(0usize, x[0], vec![x[1]])];
        let mut total = 0.0;
        while let Some((depth, v, mut w)) = stack.pop() {
            total += v * w.iter().sum::<f64>();
            if depth < 3 {
                w.push(v * x[2]);
                stack.push((depth + 1, v * x[3], w.clone()));
                w[0] *= 2.0;
                stack.push((depth + 2, v + 1.0, w));
            }
        }
        total
    } at [0.3, 0.7, -0.4, 1.1];
}
