//! Calls that end with a panic on purpose.
use std::cell::Cell;

thread_local! {
    static LEFT: Cell<u32> = const { Cell::new(u32::MAX) };
}

/// Panics if it has been called as often as [`after`] said.
//?
pub fn may_panic() {
    let left = LEFT.get();
    assert!(left > 0, "on purpose");
    LEFT.set(left - 1);
}

/// From now on so many calls pass.
pub fn after(calls: u32) {
    LEFT.set(calls);
}

/// From now on all pass.
pub fn never() {
    LEFT.set(u32::MAX);
}
