//! Every form of function, parameter and result that `#[autodiff]` takes, with its derivative.

mod forms {
    mod attributes;
    mod generics;
    mod methods;
    mod modes;
    mod parameters;
}
