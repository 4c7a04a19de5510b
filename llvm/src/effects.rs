//! Values of the attribute `memory`: which memory a function reads and writes, in LLVM's encoding. Two bits for each sort of memory, of which the upper one is
//! "writes"; the first sort is what arguments lead to, the second one what the module cannot reach.

/// Writes memory that the module cannot reach.
pub const INACCESSIBLE_WRITE: u64 = 0b10_00;

/// Reads and writes memory that the module cannot reach.
pub const INACCESSIBLE: u64 = 0b11_00;

/// The same, and reads what arguments lead to.
pub const INACCESSIBLE_AND_ARGUMENTS_READ: u64 = 0b11_01;
