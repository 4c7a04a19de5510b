//! Bits of floats that are moved in pieces, which no mark of a program's numbers may hide: there is nothing but the refusal between these and a derivative of zero.
use crate::scratch::are_errors_at;

const PIECES: &str = r#"use cotangent::gradient;

fn pushed(x: &[f64]) -> f64 {
    let mut all: Vec<u8> = Vec::new();
    for v in x {
        for byte in (v * v).to_ne_bytes() {
            all.push(byte);
        }
    }
    let mut sum = 0.0;
    for at in 0..x.len() {
        let mut bytes = [0; 8];
        for k in 0..8 {
            bytes[k] = all[8 * at + k];
        }
        sum += f64::from_ne_bytes(bytes);
    }
    sum
}

fn bytes_of_rows(x: &[f64]) -> f64 {
    let from: Vec<f64> = x.iter().map(|v| v * v).collect();
    let mut to = vec![0.0; x.len()];
    let bytes = unsafe { std::slice::from_raw_parts(from.as_ptr().cast::<u8>(), 8 * x.len()) };
    let room = unsafe { std::slice::from_raw_parts_mut(to.as_mut_ptr().cast::<u8>(), 8 * x.len()) };
    let mut kept = vec![0; bytes.len()];
    for k in 0..bytes.len() {
        kept[k] = bytes[k];
    }
    for k in 0..kept.len() {
        room[k] = kept[k];
    }
    to.iter().sum()
}

fn quarters(x: &[f64]) -> f64 {
    let turned = |v: &f64| {
        let [a, b, c, d]: [u16; 4] = unsafe { std::mem::transmute(v * v) };
        [d, c, b, a]
    };
    let all: Vec<[u16; 4]> = x.iter().map(turned).collect();
    let back = |[d, c, b, a]: &[u16; 4]| unsafe { std::mem::transmute::<[u16; 4], f64>([*a, *b, *c, *d]) };
    all.iter().map(back).sum()
}

fn halves(x: &[f64]) -> f64 {
    let mut all: Vec<[u32; 2]> = Vec::new();
    for v in x {
        let half: [u32; 2] = unsafe { std::mem::transmute(v * v) };
        all.push([half[0], half[1]]);
    }
    let mut sum = 0.0;
    for k in 0..all.len() {
        let both = [all[k][0], all[k][1]];
        sum += unsafe { std::mem::transmute::<[u32; 2], f64>(both) };
    }
    sum
}

fn main() {
    for f in [gradient(pushed, &[0.3]), gradient(bytes_of_rows, &[0.3]), gradient(quarters, &[0.3]), gradient(halves, &[0.3])] {
        println!("{f:?}");
    }
}
"#;

#[test]
fn bits_of_floats_that_are_moved_in_pieces_are_refused_and_not_lost() {
    are_errors_at("pieces", PIECES, &[16, 33, 42, 55]);
}

/// The same in fields of records behind an argument, which are moved as their types say.
const FIELDS: &str = r#"use cotangent::autodiff;

#[derive(Clone, Default)]
pub struct Narrow { first: f32, low: u16, high: u16, last: f32 }

#[autodiff(d_narrow, Reverse, Duplicated, Active)]
pub fn narrow(all: &mut [Narrow]) -> f64 {
    for one in all.iter_mut() {
        [one.low, one.high] = unsafe { std::mem::transmute::<f32, [u16; 2]>(one.first * one.first) };
    }
    all.swap(0, 2);
    all.iter().map(|one| f64::from(unsafe { std::mem::transmute::<[u16; 2], f32>([one.low, one.high]) })).sum()
}

#[derive(Clone, Default)]
pub struct Wide { value: f64, low: u32, high: u32 }

#[autodiff(d_wide, Reverse, Duplicated, Active)]
pub fn wide(all: &mut Vec<Wide>) -> f64 {
    for one in all.iter_mut() {
        [one.low, one.high] = unsafe { std::mem::transmute::<f64, [u32; 2]>(one.value * one.value) };
    }
    all.rotate_left(1);
    all.iter().map(|one| unsafe { std::mem::transmute::<[u32; 2], f64>([one.low, one.high]) }).sum()
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct Cut { low: u8, middle: u8, high: u16 }

#[derive(Clone, Default)]
pub struct Uneven { first: f32, low: u8, middle: u8, high: u16, last: f32 }

#[autodiff(d_uneven, Reverse, Duplicated, Active)]
pub fn uneven(all: &mut [Uneven]) -> f64 {
    for one in all.iter_mut() {
        let cut = unsafe { std::mem::transmute::<f32, Cut>(one.first * one.first) };
        (one.low, one.middle, one.high) = (cut.low, cut.middle, cut.high);
    }
    all.swap(0, 2);
    let cut = |one: &Uneven| Cut { low: one.low, middle: one.middle, high: one.high };
    all.iter().map(|one| f64::from(unsafe { std::mem::transmute::<Cut, f32>(cut(one)) })).sum()
}

fn main() {
    println!("{}", d_uneven(&mut vec![Uneven::default(); 3], &mut vec![Uneven::default(); 3], 1.0));
    println!("{}", d_narrow(&mut vec![Narrow::default(); 3], &mut vec![Narrow::default(); 3], 1.0));
    println!("{}", d_wide(&mut vec![Wide::default(); 3], &mut vec![Wide::default(); 3], 1.0));
}
"#;

#[test]
fn bits_of_floats_in_fields_that_are_moved_as_their_types_say_are_refused_and_not_lost() {
    are_errors_at("fields", FIELDS, &[12, 24, 42]);
}

/// Objects of which only the table of methods tells what they are, moved by unsafe code as records of numbers that are narrower than a float.
const RECORDS: &str = r#"use cotangent::gradient;
use std::alloc::{Layout, alloc, dealloc};

trait Force {
    fn at(&self, x: f64) -> f64;
}

struct Spring { stiffness: f32, rest: f64 }

struct Drag(f64, f64);

impl Force for Spring {
    fn at(&self, x: f64) -> f64 { f64::from(self.stiffness) * (x - self.rest) }
}

impl Force for Drag {
    fn at(&self, x: f64) -> f64 { self.1 - self.0 * x * x }
}

fn force(i: usize, v: f64) -> Box<dyn Force> {
    if i % 2 == 0 { Box::new(Spring { stiffness: 1.5, rest: v }) } else { Box::new(Drag(v, v)) }
}

fn moved<T>(old: Box<dyn Force>) -> Box<dyn Force> {
    unsafe {
        let layout = Layout::for_value(&*old);
        let mut wide = Box::into_raw(old);
        let (old, new) = (wide as *mut T, alloc(layout) as *mut T);
        std::ptr::copy_nonoverlapping(old, new, layout.size() / std::mem::size_of::<T>());
        *(&raw mut wide as *mut *mut T) = new;
        dealloc(old as *mut u8, layout);
        Box::from_raw(wide)
    }
}

fn total<T>(x: &[f64]) -> f64 {
    let all: Vec<Box<dyn Force>> = x.iter().enumerate().map(|(i, v)| moved::<T>(force(i, *v))).collect();
    all.iter().zip(x).map(|(force, v)| force.at(v * 0.5)).sum()
}

fn main() {
    println!("{:?}", gradient(total::<(u32, u32)>, &[1.0, 2.0, 0.5, 0.3]));
    println!("{:?}", gradient(total::<[u32; 4]>, &[1.0, 2.0, 0.5, 0.3]));
    println!("{:?}", gradient(total::<(usize, bool)>, &[1.0, 2.0, 0.5, 0.3]));
}
"#;

#[test]
fn objects_that_are_moved_as_records_of_narrow_numbers_are_none() {
    are_errors_at("by-records", RECORDS, &[38]);
}
