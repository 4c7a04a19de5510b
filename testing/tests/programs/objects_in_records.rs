//! Objects with floats of two widths in records with numbers: sorted, rotated, moved by what looks at the numbers alone.

use crate::functional;
use std::rc::Rc;

trait Force {
    fn at(&self, x: f64) -> f64;
}

struct Spring {
    stiffness: f32,
    rest: f64,
}

struct Drag(f64);

impl Force for Spring {
    fn at(&self, x: f64) -> f64 {
        f64::from(self.stiffness) * (x - self.rest)
    }
}

impl Force for Drag {
    fn at(&self, x: f64) -> f64 {
        -self.0 * x * x
    }
}

fn force(i: usize, v: f64) -> Box<dyn Force> {
    if i % 2 == 0 { Box::new(Spring { stiffness: 1.5, rest: v }) } else { Box::new(Drag(v)) }
}

struct Named {
    rank: u16,
    name: String,
    force: Rc<dyn Force>,
    is_on: bool,
}

functional! {
    fn a_sort_by_numbers_moves_objects(x: &[f64]) -> f64 {
        let mut all: Vec<(u32, Box<dyn Force>)> = Vec::new();
        for (i, v) in x.iter().enumerate() {
            all.push(((x.len() - i) as u32, force(i, *v)));
        }
        all.sort_by_key(|entry| entry.0);
        all.iter().zip(x).map(|((n, force), v)| force.at(*v) * f64::from(*n)).sum()
    } at [1.0, 2.0, 0.5, 0.3];

    fn an_unstable_sort_by_bytes_moves_objects(x: &[f64]) -> f64 {
        let mut all: Vec<(u8, Box<dyn Force>)> = x.iter().enumerate().map(|(i, v)| ((7 * i % 5) as u8, force(i, *v))).collect();
        all.sort_unstable_by_key(|entry| entry.0);
        all.iter().zip(x).map(|((n, force), v)| force.at(*v) * f64::from(*n + 1)).sum()
    } at [1.0, 2.0, 0.5, 0.3, 0.8];

    fn a_sort_by_names_moves_shared_objects(x: &[f64]) -> f64 {
        let named = |i: usize| Named { rank: i as u16, name: format!("n{}", 7 * i % 5), force: if i % 2 == 0 { Rc::new(Spring { stiffness: 1.5, rest: x[i] }) } else { Rc::new(Drag(x[i])) }, is_on: i != 2 };
        let mut all: Vec<Named> = (0..x.len()).map(named).collect();
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all.rotate_left(2);
        all.swap(0, 3);
        let on = all.iter().zip(x).filter(|(named, _)| named.is_on);
        on.map(|(named, v)| named.force.at(*v) * f64::from(named.rank + 1)).sum()
    } at [1.0, 2.0, 0.5, 0.3, 0.8];

    fn a_sort_of_many_by_numbers_moves_objects(x: &[f64]) -> f64 {
        let mut all: Vec<(u32, Box<dyn Force>)> = (0..60).map(|i| ((37 * i % 61) as u32, force(i, x[i % x.len()]))).collect();
        all.sort_by_key(|entry| std::cmp::Reverse(entry.0));
        all.retain(|(n, _)| n % 7 != 3);
        all.iter().enumerate().map(|(i, (n, force))| force.at(x[i % x.len()]) / f64::from(*n + 2)).sum()
    } at [1.0, 2.0, 0.5, 0.3, 0.8];
}
