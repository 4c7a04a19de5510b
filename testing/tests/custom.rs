//! Rules of users: `#[custom_derivative]` and `derivative_rule!`.
//!
//! Most rules here are wrong by a factor on purpose: a derivative with the factor in it went through the rule, one without it
//! through the body.

mod custom {
    mod across;
    mod forms;
    mod inactive;
    mod nested;
    mod places;
    mod plain;
    mod tapes;
    mod widths;
}
