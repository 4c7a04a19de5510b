//! Bits of floats that are kept as numbers in records, which are then moved as wholes: what the types say to be a number may be a float all the same.

use crate::functional;
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

#[inline(never)]
fn taken(value: f64) -> u64 {
    value.to_bits()
}

#[inline(never)]
fn put_back(bits: u64) -> f64 {
    f64::from_bits(bits)
}

functional! {
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
}
