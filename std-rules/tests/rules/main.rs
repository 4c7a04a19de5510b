//! Every rule, tested by things that do not know it.
//!
//! | module | claim | what it does not show |
//! |---|---|---|
//! | `differences` | partials are the derivative, in f64 and f32, and hold at their kinks what they say | anything outside the declared domain |
//! | `needs` | values not asked for are not used, and no more is asked for than is used | |
//! | `emission` | instructions compute what the formula says, in every width and both modes | functions that LLVM does not fold |
//! | `models` | the table of models names functions that are there, under the names that programs use | what the functions compute (`testing`) |
//! | `threads` | pools of threads are never looked into | that a build ends soon |
//! | `page` | `docs/rules.md` is what the rules say | |
mod differences;
mod emission;
mod interpret;
mod models;
mod needs;
mod page;
mod reference;
mod sample;
mod threads;
