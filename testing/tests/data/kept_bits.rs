//! Bits of floats that are kept as numbers in records, which are then moved as wholes: what the types say to be a number may be a float all the same.

use crate::{assert_close, functional};
use std::collections::BTreeMap;

#[derive(Clone, Copy)]
struct Record {
    bits: u64,
    weight: f64,
    number: u32,
}

#[derive(Clone, Copy)]
union Either {
    float: f64,
    number: u64,
}

#[derive(Clone, Copy)]
struct Indices {
    first: usize,
    second: usize,
}

#[inline(never)]
fn row_at(rows: &[[usize; 3]], at: usize) -> [usize; 3] {
    rows[at]
}

#[inline(never)]
fn taken(value: f64) -> u64 {
    value.to_bits()
}

#[inline(never)]
fn put_back(bits: u64) -> f64 {
    f64::from_bits(bits)
}

#[inline(never)]
fn copy_bits(to: &mut [Record], from: &[Record]) {
    for (to, from) in to.iter_mut().zip(from) {
        to.bits = from.bits;
        to.number = from.number;
    }
}

#[inline(never)]
fn kept(record: &Record) -> Option<Record> {
    (record.number < 5).then_some(*record)
}

#[inline(never)]
fn written(record: &mut Record, value: f64) {
    let place = (&raw mut record.bits).cast::<f64>();
    // SAFETY: a number of eight bytes has room for a float, and any bits are a number.
    unsafe { *place = value };
}

#[inline(never)]
fn turned(records: &mut [Record]) {
    records.rotate_left(1);
    records.swap(0, 2);
}

fn decoded(records: &[Record]) -> f64 {
    records.iter().zip(1..).map(|(record, i)| put_back(record.bits) * record.weight * f64::from(i)).sum()
}

functional! {
    fn a_call_copies_bits_from_record_to_record(x: &[f64]) -> f64 {
        let from: Vec<Record> = (0..3).map(|i| Record { bits: (x[i] * x[i]).to_bits(), weight: 0.0, number: 1 }).collect();
        let mut all: Vec<Record> = x.iter().map(|v| Record { bits: 0, weight: *v, number: 0 }).collect();
        copy_bits(&mut all, &from);
        all.rotate_left(1);
        decoded(&all)
    }
    at [0.3, 0.7, 1.1];

    fn a_call_hands_records_with_bits_back(x: &[f64]) -> f64 {
        let record = |i: usize| Record { bits: (x[i] * x[i]).to_bits(), weight: x[(i + 1) % 3], number: i as u32 };
        let mut all: Vec<Record> = (0..3).map(record).filter_map(|record| kept(&record)).collect();
        all.rotate_left(1);
        all.swap(0, 2);
        decoded(&all)
    }
    at [0.3, 0.7, 1.1];

    fn one_call_writes_floats_where_numbers_are_and_another_moves_the_records(x: &[f64]) -> f64 {
        let mut all: Vec<Record> = x.iter().map(|v| Record { bits: 0, weight: *v, number: 0 }).collect();
        for (record, v) in all.iter_mut().zip(x) {
            written(record, v * v);
        }
        let mut boxed: Vec<Box<Record>> = all.into_iter().map(Box::new).collect();
        boxed.swap(0, 1);
        let mut all: Vec<Record> = boxed.iter().map(|record| **record).collect();
        turned(&mut all);
        decoded(&all)
    }
    at [0.3, 0.7, 1.1];

    fn bits_in_tuples_are_rotated_and_swapped(x: &[f64]) -> f64 {
        let mut all: Vec<(u64, f64)> = x.iter().map(|v| (v.to_bits(), 1.5)).collect();
        all.rotate_left(1);
        all.swap(0, 2);
        all.iter().enumerate().map(|(i, (bits, weight))| f64::from_bits(*bits).sin() * weight * i as f64).sum()
    }
    at [0.3, 0.7, 1.1];

    fn bits_taken_by_a_call_are_sorted(x: &[f64]) -> f64 {
        let record = |(i, v): (usize, &f64)| Record { bits: taken(*v), weight: 0.5 + i as f64, number: i as u32 };
        let mut all: Vec<Record> = x.iter().enumerate().map(record).collect();
        all.sort_by_key(|record| 10 - record.number);
        let last = all.pop();
        all.splice(0..0, last);
        all.iter().map(|record| put_back(record.bits) * record.weight).sum()
    }
    at [0.3, 0.7, 1.1];

    fn bits_out_of_an_array_are_swapped(x: &[f64]) -> f64 {
        let bits = [x[0] * x[0], x[1].sin(), x[2]].map(f64::to_ne_bytes).map(u64::from_ne_bytes);
        let mut all: Vec<Record> = bits.iter().map(|bits| Record { bits: *bits, weight: 2.0, number: 0 }).collect();
        all.swap(0, 1);
        all.iter().zip(x).map(|(record, v)| f64::from_bits(record.bits) * record.weight * v).sum()
    }
    at [0.3, 0.7, 1.1];

    fn bits_are_written_through_a_pointer_to_a_float(x: &[f64]) -> f64 {
        let mut all = Vec::new();
        for v in x {
            let mut record = Record { bits: 0, weight: 1.0, number: 0 };
            let place = (&raw mut record.bits).cast::<f64>();
            // SAFETY: a number of eight bytes has room for a float, and any bits are a number.
            unsafe { *place = v * v };
            all.push(record);
        }
        all.rotate_left(1);
        all.iter().enumerate().map(|(i, record)| put_back(record.bits) * i as f64).sum()
    }
    at [0.3, 0.7, 1.1];

    fn bits_are_read_out_of_a_union(x: &[f64]) -> f64 {
        let mut all: Vec<Either> = x.iter().map(|v| Either { float: v * v }).collect();
        // SAFETY: any bits are a number, and any are a float.
        let record = |either: Either| Record { bits: unsafe { either.number }, weight: 3.0, number: 1 };
        let mut records: Vec<Record> = all.drain(..).map(record).collect();
        records.swap(0, 2);
        let value = |record: &Record| unsafe { Either { number: record.bits }.float } * record.weight;
        records.iter().enumerate().map(|(i, record)| value(record) * i as f64).sum()
    }
    at [0.3, 0.7, 1.1];

    fn bits_lie_in_a_sorted_map(x: &[f64]) -> f64 {
        let mut map = BTreeMap::new();
        for (i, v) in x.iter().enumerate() {
            map.insert(i * 7 % 5, Record { bits: taken(v * v), weight: *v, number: i as u32 });
        }
        let first = map.remove(&0).map_or(0.0, |record| record.weight);
        first + map.values().map(|record| put_back(record.bits) * record.weight).sum::<f64>()
    }
    at [0.3, 0.7, 1.1];

    fn bits_lie_where_indices_do(x: &[f64]) -> f64 {
        let rows = |i: usize| {
            let bits = (x[i] * 2.0).to_bits() as usize;
            [[bits, i, bits], [i, bits, bits]]
        };
        let rows: Vec<[usize; 3]> = (0..2).flat_map(rows).collect();
        let pairs: Vec<Indices> = x.iter().map(|v| Indices { first: v.to_bits() as usize, second: 1 }).collect();
        let copies = pairs.clone();
        let ([a, _, b], [_, c, _]) = (row_at(&rows, 0), row_at(&rows, 3));
        let value = |bits: usize| f64::from_bits(bits as u64);
        value(a) * value(b) * value(c) + value(copies[1].first) * copies[1].second as f64
    }
    at [0.3, 0.7, 1.1];
}

/// A record that begins with floats.
#[derive(Clone, Copy)]
struct Weighed {
    value: f64,
    weight: f64,
    number: u64,
}

#[inline(never)]
fn swap_bytes(a: &mut [u8], b: &mut [u8]) {
    for (a, b) in a.iter_mut().zip(b) {
        std::mem::swap(a, b);
    }
}

fn bytes_of(records: &mut [Weighed]) -> &mut [u8] {
    let bytes = std::mem::size_of_val(records);
    // All bytes of such a record are of numbers, and any bytes make some.
    unsafe { std::slice::from_raw_parts_mut(records.as_mut_ptr().cast(), bytes) }
}

/// Tangents are moved with the bytes. Adjoints cannot be taken apart, and this is said: it was a silent zero.
#[test]
fn bytes_of_records_that_are_swapped_one_by_one_are_a_panic_in_reverse_mode() {
    #[cotangent::autodiff(forward, Forward, Dual, Dual)]
    #[cotangent::autodiff(reverse, Reverse, Duplicated, Active)]
    fn primal(x: &[f64]) -> f64 {
        let mut records: Vec<Weighed> =
            (0..2).map(|i| Weighed { value: x[i], weight: x[i] * x[i + 1], number: i as u64 }).collect();
        let (left, right) = records.split_at_mut(1);
        swap_bytes(bytes_of(left), bytes_of(right));
        records[0].value * records[0].weight + records[1].value * (3 * (records[1].number + 1)) as f64
    }
    let x = [0.3, 0.7, 0.4];
    let expected = [3.0, 2.0 * x[1] * x[2], x[1] * x[1]];
    for i in 0..x.len() {
        let mut dx = [0.0; 3];
        dx[i] = 1.0;
        assert_close!(forward(&x, &dx).1, expected[i]);
    }
    let panic = std::panic::catch_unwind(|| reverse(&x, &mut [0.0; 3], 1.0)).expect_err("bytes have no adjoints");
    assert!(panic.downcast_ref::<String>().is_some_and(|message| message.contains("CT0302")));
}
