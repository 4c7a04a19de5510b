//! A colouring made ready: what goes into each sweep, and where in its product each entry is.

use super::Pattern;
use super::colouring::Colours;
use super::operator::{Lanes, Operator};
use crate::Real;
use crate::closure::WIDTH;
use crate::tape::Frame;

/// For each colour, the inputs that have it, and the positions of its product in which something is.
#[derive(Clone, Debug)]
pub(super) struct Compression {
    /// Where the inputs of each colour begin, and the end of the last.
    input_ptr: Vec<usize>,
    inputs: Vec<usize>,
    /// Where the reads of each colour begin, and the end of the last.
    read_ptr: Vec<usize>,
    reads: Vec<Read>,
}

/// A position in a product, and the entry that is found there: none where entries are added up.
#[derive(Clone, Copy, Debug)]
struct Read {
    position: usize,
    entry: Option<usize>,
}

/// Sorts `(colour, item)` by colour.
fn grouped<T: Copy>(count: usize, items: &[(usize, T)]) -> (Vec<usize>, Vec<T>) {
    let mut sorted: Vec<&(usize, T)> = items.iter().collect();
    sorted.sort_by_key(|(colour, _)| *colour);
    let starts = (0..=count).map(|colour| sorted.partition_point(|item| item.0 < colour)).collect();
    (starts, sorted.into_iter().map(|(_, item)| *item).collect())
}

impl Compression {
    fn new(colours: &Colours, reads: &[(usize, Read)]) -> Compression {
        let inputs: Vec<(usize, usize)> = colours.of.iter().copied().zip(0..).collect();
        let (input_ptr, inputs) = grouped(colours.count, &inputs);
        let (read_ptr, reads) = grouped(colours.count, reads);
        Compression { input_ptr, inputs, read_ptr, reads }
    }

    /// Columns are inputs, and of one colour no two have a row in common.
    pub(super) fn of_columns(pattern: &Pattern, colours: &Colours) -> Compression {
        let read = |(entry, (row, col)): (usize, (usize, usize))| {
            (colours.of[col], Read { position: row, entry: Some(entry) })
        };
        Compression::new(colours, &pattern.entries().enumerate().map(read).collect::<Vec<_>>())
    }

    /// Rows are inputs, and of one colour no two have a column in common.
    pub(super) fn of_rows(pattern: &Pattern, colours: &Colours) -> Compression {
        let read = |(entry, (row, col)): (usize, (usize, usize))| {
            (colours.of[row], Read { position: col, entry: Some(entry) })
        };
        Compression::new(colours, &pattern.entries().enumerate().map(read).collect::<Vec<_>>())
    }

    /// A symmetric pattern with a star colouring: an entry that shares its place in a product is read at the place opposite.
    pub(super) fn of_symmetric(pattern: &Pattern, colours: &Colours) -> Compression {
        let mut entries_of = vec![0usize; colours.count];
        let mut alone = vec![false; pattern.nnz()];
        for row in 0..pattern.rows() {
            let of = |col: &usize| colours.of[*col];
            pattern.row(row).iter().for_each(|col| entries_of[of(col)] += 1);
            for (at, col) in pattern.row(row).iter().enumerate() {
                alone[pattern.row_ptr()[row] + at] = entries_of[of(col)] == 1;
            }
            pattern.row(row).iter().for_each(|col| entries_of[of(col)] = 0);
        }
        let mut reads = Vec::with_capacity(pattern.nnz());
        for (entry, (row, col)) in pattern.entries().enumerate() {
            let own = Read { position: row, entry: alone[entry].then_some(entry) };
            reads.push((colours.of[col], own));
            if !alone[entry] {
                reads.push((colours.of[row], Read { position: col, entry: Some(entry) }));
            }
        }
        Compression::new(colours, &reads)
    }

    /// Number of sweeps.
    pub(super) fn colours(&self) -> usize {
        self.input_ptr.len() - 1
    }

    /// Inputs of a colour.
    pub(super) fn inputs(&self, colour: usize) -> &[usize] {
        &self.inputs[self.input_ptr[colour]..self.input_ptr[colour + 1]]
    }

    /// Runs the sweeps, with `seed` for each input of a colour, and hands over what comes out: `found(entry, number)`.
    ///
    /// # Errors
    /// The first position where something came out that is no entry's.
    pub(super) fn sweep<T: Real>(
        &self,
        operator: &impl Operator<T>,
        seed: impl Fn(usize, &mut [T]),
        mut found: impl FnMut(usize, T),
    ) -> Result<(), usize> {
        let frame = Frame::new();
        let mut lanes = Lanes::new(&frame, operator);
        let mut first = 0;
        while first < self.colours() {
            let used = operator.lanes(self.colours() - first).min(WIDTH);
            for (lane, direction) in lanes.directions.iter_mut().take(used).enumerate() {
                direction.fill(T::default());
                self.inputs(first + lane).iter().for_each(|input| seed(*input, direction));
            }
            operator.apply(&mut lanes, used);
            for (lane, product) in lanes.products.iter_mut().take(used).enumerate() {
                let colour = first + lane;
                let reads = &self.reads[self.read_ptr[colour]..self.read_ptr[colour + 1]];
                for read in reads {
                    if let Some(entry) = read.entry {
                        found(entry, product[read.position]);
                    }
                }
                reads.iter().for_each(|read| product[read.position] = T::default());
                if let Some(position) = product.iter().position(|number| number.to_f64() != 0.0) {
                    return Err(position);
                }
            }
            first += used;
        }
        Ok(())
    }
}
