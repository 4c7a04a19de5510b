//! Records of a float and numbers that are exchanged as wholes, in memory that is an argument: adjoints go with their floats. The numbers of a shadow stay where they
//! are if its type derives `Shadow`.

use cotangent::{Shadow, autodiff, zeroed};

struct Cell {
    id: u32,
    value: f64,
}

#[derive(Clone, Debug, PartialEq, Shadow)]
struct Entry {
    id: u32,
    open: bool,
    value: f64,
}

#[derive(Clone, Debug, PartialEq, Shadow)]
struct Grid {
    entries: Vec<Entry>,
}

#[autodiff(d_swapped, Reverse, Duplicated)]
fn swapped(cells: &mut [Cell]) {
    cells.swap(0, 2);
    cells[0].value *= 2.0;
    cells[0].id += 1;
}

#[derive(Clone, Debug, PartialEq, Shadow)]
struct Sample {
    value: f64,
    hits: u32,
    weight: u32,
}

#[autodiff(d_exchanged, Reverse, Duplicated)]
#[autodiff(t_exchanged, Forward, Dual)]
fn exchanged(samples: &mut [Sample]) {
    samples.swap(0, 2);
    samples[0].value *= 2.0;
    samples[0].hits += 1;
}

#[autodiff(d_rotated, Reverse, Duplicated)]
fn rotated(cells: &mut [Cell]) {
    cells.rotate_left(1);
    cells[0].value *= 2.0;
    cells[0].id += 1;
}

#[autodiff(d_rotated_grid, Reverse, Duplicated)]
fn rotated_grid(grid: &mut Grid) {
    grid.entries.rotate_left(2);
    grid.entries[0].value *= 2.0;
}

#[autodiff(d_reversed_grid, Reverse, Duplicated)]
fn reversed_grid(grid: &mut Grid) {
    grid.entries.reverse();
    grid.entries[0].value *= 2.0;
}

fn cells(first: u32, values: [f64; 3]) -> Vec<Cell> {
    (first..).zip(values).map(|(id, value)| Cell { id, value }).collect()
}

fn adjoints(cells: &[Cell]) -> Vec<f64> {
    cells.iter().map(|cell| cell.value).collect()
}

fn grid(values: [f64; 3]) -> Grid {
    Grid { entries: (0..).zip(values).map(|(id, value)| Entry { id, open: id == 1, value }).collect() }
}

#[test]
fn two_are_swapped() {
    let (mut primal, mut shadow) = (cells(0, [1.0, 2.0, 3.0]), cells(5, [1.0, 10.0, 100.0]));
    d_swapped(&mut primal, &mut shadow);
    assert_eq!(adjoints(&shadow), [100.0, 10.0, 2.0]);
    assert_eq!((primal[0].id, primal[0].value, primal[2].id), (3, 6.0, 0));
}

#[test]
fn two_with_a_number_that_is_looked_at_beside_one_that_is_not_are_swapped() {
    let sample = |value, hits, weight| Sample { value, hits, weight };
    let made = || vec![sample(1.0, 0, 7), sample(2.0, 1, 8), sample(3.0, 2, 9)];
    // (In the shadow these numbers lie as an address might; they are not moved there.)
    let seeds = || vec![sample(1.0, 5, 17), sample(10.0, 6, 18), sample(100.0, 7, 19)];
    let after = [sample(6.0, 3, 9), sample(2.0, 1, 8), sample(1.0, 0, 7)];
    let (mut primal, mut shadow) = (made(), seeds());
    d_exchanged(&mut primal, &mut shadow);
    assert_eq!(
        (&primal[..], &shadow[..]),
        (&after[..], &[sample(100.0, 5, 17), sample(10.0, 6, 18), sample(2.0, 7, 19)][..])
    );
    let (mut primal, mut tangent) = (made(), seeds());
    t_exchanged(&mut primal, &mut tangent);
    assert_eq!(&primal[..], &after[..]);
    assert_eq!(tangent.iter().map(|sample| sample.value).collect::<Vec<_>>(), [200.0, 10.0, 1.0]);
}

#[test]
fn all_are_rotated() {
    let (mut primal, mut shadow) = (cells(0, [1.0, 2.0, 3.0]), cells(5, [1.0, 10.0, 100.0]));
    d_rotated(&mut primal, &mut shadow);
    assert_eq!(adjoints(&shadow), [100.0, 2.0, 10.0]);
    assert_eq!((primal[0].id, primal[0].value, primal[2].id), (2, 4.0, 0));
}

/// What becomes of a shadow with some adjoints in a function that moves the entries of a grid.
fn pulled_back(derivative: fn(&mut Grid, &mut Grid), seeds: [f64; 3]) -> Grid {
    let mut primal = grid([1.0, 2.0, 3.0]);
    let mut shadow = zeroed(&primal);
    shadow.entries.iter_mut().zip(seeds).for_each(|(entry, seed)| entry.value = seed);
    derivative(&mut primal, &mut shadow);
    shadow
}

#[test]
fn a_vector_of_a_struct_is_rotated() {
    assert_eq!(pulled_back(d_rotated_grid, [1.0, 10.0, 100.0]), grid([10.0, 100.0, 2.0]));
}

#[test]
fn a_vector_of_a_struct_is_reversed() {
    assert_eq!(pulled_back(d_reversed_grid, [1.0, 10.0, 100.0]), grid([100.0, 10.0, 2.0]));
}

#[derive(Clone, Shadow)]
struct Walker {
    place: f64,
    hits: u32,
    best: Option<f64>,
}

#[autodiff(d_handed_on, Reverse, Duplicated)]
fn handed_on(walkers: &mut [Walker]) {
    let first = walkers[0].clone();
    walkers[1].best = first.best.map(|best| best * first.place);
    walkers[1].hits += first.hits;
}

#[test]
fn a_record_with_an_option_is_cloned_and_its_mark_handed_on() {
    let walkers =
        |best: Option<f64>| vec![Walker { place: 2.0, hits: 3, best }, Walker { place: 1.0, hits: 4, best: Some(1.0) }];
    let mut primal = walkers(Some(3.0));
    let mut shadow = zeroed(&primal);
    shadow[1].best = Some(1.0);
    d_handed_on(&mut primal, &mut shadow);
    assert_eq!((primal[1].best, primal[1].hits), (Some(6.0), 7));
    assert_eq!((shadow[0].place, shadow[0].best), (3.0, Some(2.0)));
}
