//! Records and enums that functions move without a look at all of their fields: what lies in them is known by their types alone.

use crate::functional;
use cotangent::{Shadow, autodiff};
use std::rc::Rc;
use std::sync::Arc;

/// Of two widths, with padding.
#[derive(Clone, Copy)]
struct Record {
    narrow: f32,
    wide: f64,
    key: u32,
}

#[derive(Clone, Copy)]
struct Colour {
    red: f32,
    green: f32,
    blue: f32,
    index: u8,
}

fn records(x: &[f64]) -> Vec<Record> {
    let record = |(i, v): (usize, &f64)| Record { narrow: 1.0 + i as f32, wide: v * v, key: (i * 7 % 5) as u32 };
    x.iter().enumerate().map(record).collect()
}

fn weighted<'a>(records: impl Iterator<Item = &'a Record>) -> f64 {
    records.zip(1..).map(|(r, i)| r.wide * f64::from(r.narrow) * f64::from(i + r.key)).sum()
}

#[inline(never)]
fn shared(records: Vec<Record>) -> Arc<[Record]> {
    records.into()
}

#[inline(never)]
fn shared_slice(records: &[Record]) -> Rc<[Record]> {
    records.into()
}

#[inline(never)]
fn shared_vector(values: Vec<f64>) -> Rc<[f64]> {
    values.into()
}

/// A transformation as a robot's joints have it.
type Frame = [[f64; 4]; 4];

trait Joint {
    fn frame(&self, angle: f64) -> Frame;
}

struct Fixed {
    frame: Frame,
}

struct Hinge {
    axis: usize,
}

fn unit() -> Frame {
    std::array::from_fn(|i| std::array::from_fn(|j| if i == j { 1.0 } else { 0.0 }))
}

fn product(a: &Frame, b: &Frame) -> Frame {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..4).map(|k| a[i][k] * b[k][j]).sum()))
}

impl Joint for Fixed {
    fn frame(&self, _: f64) -> Frame {
        self.frame
    }
}

impl Joint for Hinge {
    fn frame(&self, angle: f64) -> Frame {
        let (mut frame, (sine, cosine)) = (unit(), angle.sin_cos());
        let (a, b) = (self.axis % 3, (self.axis + 1) % 3);
        (frame[a][a], frame[b][b], frame[a][b], frame[b][a]) = (cosine, cosine, -sine, sine);
        frame
    }
}

const X: [f64; 4] = [0.4, 1.2, -0.3, 0.8];

functional! {
    fn records_of_two_widths_swapped_and_rotated(x: &[f64]) -> f64 {
        let mut all = records(x);
        all.swap(0, 2);
        all.reverse();
        all.rotate_left(1);
        let last = all.pop().unwrap();
        all.insert(1, last);
        weighted(all.iter())
    } at X;

    fn a_vector_of_records_becomes_shared(x: &[f64]) -> f64 { weighted(shared(records(x)).iter()) } at X;

    fn a_slice_of_records_becomes_shared(x: &[f64]) -> f64 { weighted(shared_slice(&records(x)).iter()) } at X;

    fn a_vector_becomes_shared(x: &[f64]) -> f64 {
        let values = shared_vector(x.iter().map(|v| v.sin()).collect());
        values[0] * values[1] + values[3]
    } at X;

    fn frames_of_joints_are_handed_on_by_value(x: &[f64]) -> f64 {
        let mut fixed = unit();
        fixed.iter_mut().for_each(|row| row[3] = 0.5 * x[0]);
        let joints: Vec<Box<dyn Joint>> =
            vec![Box::new(Hinge { axis: 0 }), Box::new(Fixed { frame: fixed }), Box::new(Hinge { axis: 1 })];
        let frames = joints.iter().zip(x).map(|(joint, angle)| Some(joint.frame(*angle)).map_or(unit(), |frame| frame));
        let end = frames.fold(fixed, |all, next| product(&all, &next));
        end[0][3] * end[1][3] + end[2][0]
    } at X;
}

#[test]
fn the_brightest_of_several_colours() {
    fn brightest(x: &[f64]) -> f64 {
        let colour =
            |(i, v): (usize, &f64)| Colour { red: *v as f32, green: (v * 0.5) as f32, blue: 1.0, index: i as u8 };
        let all: Vec<Colour> = x.iter().enumerate().map(colour).collect();
        let best = all.iter().copied().max_by(|a, b| a.green.total_cmp(&b.green)).unwrap();
        f64::from(best.red * best.red * best.green * best.blue) * f64::from(best.index)
    }
    // Half the cube of the second, in single precision.
    let gradient = cotangent::gradient(brightest, &X);
    assert!((gradient[1] - 1.5 * 1.44).abs() < 1e-5, "{gradient:?}");
    assert_eq!([gradient[0], gradient[2], gradient[3]], [0.0; 3]);
}

/// An argument of which a function that stays a call looks at the number alone. (Of an `id: u64` it is not known that it is no float.)
#[derive(Clone, Copy, Shadow)]
struct Part {
    id: u16,
    values: [f64; 3],
}

#[inline(never)]
fn renumbered(part: &Part) -> Box<Part> {
    let mut copy = Box::new(*part);
    copy.id += 1;
    copy
}

#[inline(never)]
fn first_renumbered(parts: &[Part]) -> Vec<Part> {
    let mut copies = parts.to_vec();
    copies[0].id += 1;
    copies
}

#[autodiff(reverse_of_one, Reverse, Duplicated, Active)]
#[autodiff(forward_of_one, Forward, Dual, Dual)]
fn of_one(part: &Part) -> f64 {
    let copy = renumbered(part);
    copy.values[0] * copy.values[2] * f64::from(copy.id)
}

#[autodiff(reverse_of_all, Reverse, Duplicated, Active)]
#[autodiff(forward_of_all, Forward, Dual, Dual)]
fn of_all(parts: &[Part]) -> f64 {
    let copies = first_renumbered(parts);
    copies[1].values[1] * copies[0].values[2] * f64::from(copies[0].id)
}

#[test]
fn floats_beside_the_number_that_alone_is_looked_at_are_not_lost() {
    let part = |values| Part { id: 2, values };
    let (parts, tangents) = ([part([1.0, 2.0, 3.0]); 2], [part([0.1, 0.2, 0.3]), part([0.4, 0.5, 0.6])]);
    let mut shadows = [part([0.0; 3]); 2];
    assert_eq!(reverse_of_one(&parts[0], &mut shadows[0], 1.0), 9.0);
    assert_eq!(shadows.map(|s| s.values), [[9.0, 0.0, 3.0], [0.0; 3]]);
    reverse_of_all(&parts, &mut shadows, 1.0);
    assert_eq!(shadows.map(|s| s.values), [[9.0, 0.0, 9.0], [0.0, 9.0, 0.0]]);
    assert!((forward_of_one(&parts[0], &tangents[0]).1 - (9.0 * 0.1 + 3.0 * 0.3)).abs() < 1e-12);
    assert!((forward_of_all(&parts, &tangents).1 - (6.0 * 0.3 + 9.0 * 0.5)).abs() < 1e-12);
}

/// An array with an index that varies, beside a count that is changed.
struct Sums {
    count: u64,
    values: [f64; 4],
    last: u32,
}

#[autodiff(reverse_of_added, Reverse, Duplicated, Duplicated, Active)]
fn added(sums: &mut Sums, x: &[f64]) -> f64 {
    for (i, v) in x.iter().enumerate() {
        sums.values[i % 4] += v * v;
        sums.count += 1;
        sums.last = i as u32;
    }
    sums.values.iter().sum::<f64>() * sums.count as f64
}

#[test]
fn a_count_beside_an_array_whose_index_varies() {
    let new = || Sums { count: 0, values: [0.0; 4], last: 0 };
    let (mut sums, mut shadow, mut dx) = (new(), new(), [0.0; 3]);
    assert_eq!(reverse_of_added(&mut sums, &mut shadow, &[1.0, 2.0, 3.0], &mut dx, 1.0), 42.0);
    assert_eq!((dx, shadow.values), ([6.0, 12.0, 18.0], [3.0; 4]));
    assert_eq!((sums.count, sums.last), (3, 2));
}

/// Floats in the place of numbers.
#[derive(Clone, Copy)]
struct Encoded {
    weight: f32,
    wide: f64,
    bits: u64,
    narrow: u32,
}

#[inline(never)]
fn encoded(t: f64) -> Encoded {
    Encoded { weight: 2.0, wide: t, bits: (t * t).to_bits(), narrow: ((t * 0.5) as f32).to_bits() }
}

#[inline(never)]
fn moved(from: &Encoded) -> Box<Encoded> {
    Box::new(*from)
}

#[inline(never)]
fn turned_round(from: &[Encoded]) -> Vec<Encoded> {
    let mut copy = from.to_vec();
    copy.reverse();
    copy
}

#[test]
fn bits_of_floats_in_fields_of_numbers_are_not_lost() {
    fn decoded(x: &[f64]) -> f64 {
        let one = moved(&encoded(x[0]));
        let all = turned_round(&[encoded(x[1]), encoded(x[2])]);
        let narrow = f64::from(f32::from_bits(all[1].narrow));
        f64::from_bits(one.bits) * x[3] * f64::from(all[0].weight) + f64::from_bits(all[0].bits) + narrow + one.wide
    }
    let found = cotangent::gradient(decoded, &X);
    let right = [4.0 * X[0] * X[3] + 1.0, 0.5, 2.0 * X[2], 2.0 * X[0] * X[0]];
    for (found, right) in found.iter().zip(right) {
        assert!((found - right).abs() < 1e-6, "{found} {right}");
    }
}
