//! Golden tests of what `cotangent` tells its users; see `tests/`.
