//! Memory that others have left behind.
//!
//! A variant's slot that nobody has written holds what was there before. No derivative may depend on it, nor may it panic; whether one does shows only
//! where that is something else than zeros.
use std::hint::black_box;

/// How deep the calls go whose stack is littered.
const DEPTH: usize = 1 << 14;
/// Blocks of each size.
const BLOCKS: usize = 6;

/// Leaves a byte all over what the next calls have for their variables and blocks.
///
/// ```
/// testing::litter::leave(0xff);
/// ```
pub fn leave(byte: u8) {
    on_the_stack(byte);
    let blocks = (1..=24).flat_map(|size| std::iter::repeat_n(size * 16, BLOCKS));
    let blocks: Vec<Vec<u8>> = blocks.map(|size| vec![byte; size]).collect();
    drop(black_box(blocks));
}

#[inline(never)]
fn on_the_stack(byte: u8) {
    let mut bytes = [0; DEPTH];
    bytes.fill(black_box(byte));
    black_box(&mut bytes);
}
