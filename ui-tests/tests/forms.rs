//! Every form of function, parameter and result that `#[autodiff]` takes, with its derivative.

#![allow(clippy::needless_range_loop, clippy::boxed_local, clippy::non_minimal_cfg)]

mod forms {
    mod attributes;
    mod generics;
    mod methods;
    mod modes;
    mod parameters;
}
