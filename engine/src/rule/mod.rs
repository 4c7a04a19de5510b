//! The rule vocabulary.
