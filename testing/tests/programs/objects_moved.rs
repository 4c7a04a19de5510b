//! Objects of which only the table of methods tells what they are, moved by unsafe code as rows of numbers as wide as an `f64`: of which some are two `f32`.

use cotangent::autodiff;
use std::alloc::{Layout, alloc, dealloc};

trait Force {
    fn at(&self, x: f64) -> f64;
}

struct Spring {
    stiffness: f32,
    damping: f32,
    rest: f64,
}

struct Drag(f64, f64);

impl Force for Spring {
    fn at(&self, x: f64) -> f64 {
        f64::from(self.stiffness) * (x - self.rest) + 0.0 * f64::from(self.damping)
    }
}

impl Force for Drag {
    fn at(&self, x: f64) -> f64 {
        self.0 * self.1 * x
    }
}

fn force(i: usize, v: f64) -> Box<dyn Force> {
    match i % 2 {
        0 => Box::new(Spring { stiffness: v as f32, damping: v as f32, rest: v }),
        _ => Box::new(Drag(v, v)),
    }
}

/// An object with the bits of another one, in memory of its own.
fn with_bits_of(object: *const dyn Force) -> Box<dyn Force> {
    // SAFETY: The object is there, and its size is a multiple of that of a number; whoever asks for it has one object of the two forgotten, or both are plain.
    unsafe {
        let layout = Layout::for_value(&*object);
        let new = alloc(layout);
        std::ptr::copy_nonoverlapping(object.cast::<u64>(), new.cast::<u64>(), layout.size() / size_of::<u64>());
        let mut wide = object.cast_mut();
        *(&raw mut wide).cast::<*mut u8>() = new;
        Box::from_raw(wide)
    }
}

fn moved(object: Box<dyn Force>) -> Box<dyn Force> {
    let new = with_bits_of(&raw const *object);
    // SAFETY: What it had is in the new one.
    unsafe {
        let layout = Layout::for_value(&*object);
        dealloc(Box::into_raw(object).cast::<u8>(), layout);
    }
    new
}

#[autodiff(d_in_new_places, Reverse, Duplicated, Active)]
#[autodiff(t_in_new_places, Forward, Dual, Dual)]
fn in_new_places(x: &[f64]) -> f64 {
    let all: Vec<Box<dyn Force>> = x.iter().enumerate().map(|(i, v)| moved(force(i, *v))).collect();
    all.iter().map(|force| force.at(1.0)).sum()
}

#[autodiff(d_twice, Reverse, Duplicated, Active)]
#[autodiff(t_twice, Forward, Dual, Dual)]
fn twice(x: &[f64]) -> f64 {
    let all: Vec<Box<dyn Force>> = x.iter().enumerate().map(|(i, v)| force(i, *v)).collect();
    all.iter().map(|force| with_bits_of(&raw const **force).at(1.0) + force.at(2.0)).sum()
}

/// Those of what the numbers are exact for.
const POINT: [f64; 4] = [0.5, 0.25, 2.0, -1.5];

fn tangents(forward: impl Fn(&[f64], &[f64]) -> (f64, f64)) -> Vec<f64> {
    let unit = |i: usize| -> Vec<f64> { (0..POINT.len()).map(|j| f64::from(u8::from(i == j))).collect() };
    (0..POINT.len()).map(|i| forward(&POINT, &unit(i)).1).collect()
}

/// `v (x - v)` of one kind and `v^2 x` of the other one, at so many `x` together.
fn by_hand(x: &[f64]) -> Vec<f64> {
    let slope = |(i, v): (usize, &f64)| x.iter().map(|x| if i % 2 == 0 { x - 2.0 * v } else { 2.0 * v * x }).sum();
    POINT.iter().enumerate().map(slope).collect()
}

#[test]
fn objects_that_are_moved_as_rows_of_numbers_keep_all_of_their_floats() {
    let mut shadow = [0.0; 4];
    let value = d_in_new_places(&POINT, &mut shadow, 1.0);
    assert_eq!(value, in_new_places(&POINT));
    assert_eq!(shadow.to_vec(), by_hand(&[1.0]));
    assert_eq!(tangents(t_in_new_places), by_hand(&[1.0]));
}

#[test]
fn tangents_of_objects_that_are_copied_as_numbers_are_right() {
    assert_eq!(tangents(t_twice), by_hand(&[1.0, 2.0]));
}

#[test]
#[should_panic(expected = "CT0302")]
fn adjoints_of_two_copies_of_which_nothing_tells_the_widths_panic_and_are_not_added() {
    let mut shadow = [0.0; 4];
    d_twice(&POINT, &mut shadow, 1.0);
}
