//! Calls that end in a panic, and what it says.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// The message of a call that is refused.
#[track_caller]
pub fn refusal<R>(call: impl FnOnce() -> R) -> String {
    let Err(payload) = catch_unwind(AssertUnwindSafe(call)) else { panic!("the shadow is refused") };
    let text = payload.downcast_ref::<String>().cloned();
    text.or_else(|| payload.downcast_ref::<&str>().map(|text| text.to_string())).expect("a panic with a text")
}
