//! Records of floats and numbers of which the function looks at none, or at one of several, in a slice or vector that is an argument: assigned, exchanged by way of a local,
//! swapped and rotated. Adjoints and tangents go with their floats, and the numbers of a shadow stay where they are.

use cotangent::{Shadow, autodiff, zeroed};

/// A number as wide as the float.
type Pair = (u32, f32);

#[autodiff(d_assigned, Reverse, Duplicated)]
#[autodiff(t_assigned, Forward, Dual)]
fn assigned(pairs: &mut [(u32, f32)]) {
    pairs[0] = pairs[1];
    pairs[0].1 *= pairs[2].1;
}

#[autodiff(d_exchanged, Reverse, Duplicated)]
#[autodiff(t_exchanged, Forward, Dual)]
fn exchanged(pairs: &mut [(u64, f64)]) {
    for at in 1..pairs.len() {
        let kept = pairs[at];
        pairs[at] = pairs[at - 1];
        pairs[at - 1] = kept;
        pairs[at].1 *= 3.0;
    }
}

/// Numbers that are narrower than a float, and together as wide as one.
#[derive(Clone, Debug, Default, PartialEq, Shadow)]
struct Ranked {
    first: f32,
    rank: u16,
    level: u16,
    last: f32,
}

#[autodiff(d_swapped, Reverse, Duplicated)]
#[autodiff(t_swapped, Forward, Dual)]
fn swapped(all: &mut Vec<Ranked>) {
    all.swap(0, 2);
    all[2].first *= all[1].last;
}

#[autodiff(d_rotated, Reverse, Duplicated)]
#[autodiff(t_rotated, Forward, Dual)]
fn rotated(all: &mut [Ranked]) {
    all.rotate_left(1);
    all[2].first *= all[1].last;
}

/// A record of eight bytes, of which one number is changed before it is assigned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Shadow)]
struct Counted {
    kind: u8,
    value: f32,
    count: u16,
}

#[autodiff(d_counted, Reverse, Duplicated)]
#[autodiff(t_counted, Forward, Dual)]
fn counted(all: &mut [Counted]) {
    all[1].count += 1;
    all[2] = all[1];
    all[0].value *= all[1].value;
}

#[test]
fn a_pair_is_assigned_to_another() {
    let pairs: [Pair; 3] = [(0, 0.5), (9, 1.5), (1, 0.75)];
    let (mut primal, mut shadow) = (pairs, [(0, 1.0), (0, 10.0), (0, 100.0)]);
    d_assigned(&mut primal, &mut shadow);
    assert_eq!((primal, shadow.map(|(_, v)| v)), ([(9, 1.125), (9, 1.5), (1, 0.75)], [0.0, 10.75, 101.5]));
    let (mut primal, mut tangent) = (pairs, [(0, 1.0), (0, 10.0), (0, 100.0)]);
    t_assigned(&mut primal, &mut tangent);
    assert_eq!((primal[0], tangent.map(|(_, v)| v)), ((9, 1.125), [157.5, 10.0, 100.0]));
}

#[test]
fn pairs_are_exchanged_by_way_of_a_local() {
    let pairs = [(7, 0.5), (u64::MAX, 1.5), (1, 0.75)];
    let (mut primal, mut shadow) = (pairs, [(0, 1.0), (0, 10.0), (0, 100.0)]);
    d_exchanged(&mut primal, &mut shadow);
    assert_eq!(primal, [(u64::MAX, 1.5), (1, 0.75), (7, 4.5)]);
    assert_eq!(shadow.map(|(_, v)| v), [900.0, 1.0, 10.0]);
    let (mut primal, mut tangent) = (pairs, [(0, 1.0), (0, 10.0), (0, 100.0)]);
    t_exchanged(&mut primal, &mut tangent);
    assert_eq!(tangent.map(|(_, v)| v), [10.0, 100.0, 9.0]);
}

/// Records with numbers in them, and a shadow with others.
fn ranked() -> [Vec<Ranked>; 2] {
    let made = |from: u16, values: [f32; 3]| -> Vec<Ranked> {
        let one = |(rank, first): (u16, f32)| Ranked { first, rank, level: rank + 100, last: first + 1.0 };
        (from..).zip(values).map(one).collect()
    };
    [made(1, [0.5, 1.5, 2.5]), made(7, [1.0, 10.0, 100.0])]
}

/// That the floats of a shadow are these, and its numbers what they were.
fn has_floats(shadow: &[Ranked], floats: [[f32; 2]; 3]) {
    let numbers = |all: &[Ranked]| all.iter().map(|one| (one.rank, one.level)).collect::<Vec<_>>();
    assert_eq!(shadow.iter().map(|one| [one.first, one.last]).collect::<Vec<_>>(), floats);
    assert_eq!(numbers(shadow), numbers(&ranked()[1]));
}

#[test]
fn records_of_narrow_numbers_are_swapped() {
    let [mut primal, mut shadow] = ranked();
    d_swapped(&mut primal, &mut shadow);
    assert_eq!(primal.iter().map(|one| (one.rank, one.first)).collect::<Vec<_>>(), [(3, 2.5), (2, 1.5), (1, 1.25)]);
    // The last was the first, and is multiplied by 2.5.
    has_floats(&shadow, [[250.0, 101.0], [10.0, 11.0 + 100.0 * 0.5], [1.0, 2.0]]);
    let [mut primal, mut tangent] = ranked();
    t_swapped(&mut primal, &mut tangent);
    let tangents: Vec<[f32; 2]> = tangent.iter().map(|one| [one.first, one.last]).collect();
    assert_eq!(tangents, [[100.0, 101.0], [10.0, 11.0], [2.5 + 0.5 * 11.0, 2.0]]);
}

#[test]
fn records_of_narrow_numbers_are_rotated() {
    let [mut primal, mut shadow] = ranked();
    d_rotated(&mut primal, &mut shadow);
    assert_eq!(primal.iter().map(|one| (one.rank, one.first)).collect::<Vec<_>>(), [(2, 1.5), (3, 2.5), (1, 1.75)]);
    has_floats(&shadow, [[100.0 * 3.5, 101.0], [1.0, 2.0], [10.0, 11.0 + 100.0 * 0.5]]);
    let [mut primal, mut tangent] = ranked();
    t_rotated(&mut primal, &mut tangent);
    let tangents: Vec<[f32; 2]> = tangent.iter().map(|one| [one.first, one.last]).collect();
    assert_eq!(tangents, [[10.0, 11.0], [100.0, 101.0], [3.5 + 0.5 * 101.0, 2.0]]);
}

#[test]
fn a_small_record_is_counted_and_assigned() {
    let record = |kind, value, count| Counted { kind, value, count };
    let all = [record(3, 0.5, 0), record(4, 2.0, 1), record(5, 3.0, 9)];
    let (mut primal, mut shadow) = (all, all.each_ref().map(zeroed));
    (shadow[0].value, shadow[1].value, shadow[2].value) = (1.0, 10.0, 100.0);
    d_counted(&mut primal, &mut shadow);
    assert_eq!(primal, [record(3, 1.0, 0), record(4, 2.0, 2), record(4, 2.0, 2)]);
    assert_eq!(shadow.map(|one| one.value), [2.0, 110.5, 0.0]);
    let (mut primal, mut tangent) = (all, all.each_ref().map(zeroed));
    (tangent[0].value, tangent[1].value, tangent[2].value) = (1.0, 10.0, 100.0);
    t_counted(&mut primal, &mut tangent);
    assert_eq!(tangent.map(|one| one.value), [7.0, 10.0, 10.0]);
}
