//! From the program's module to a small module that can be differentiated, and back.
//!
//! 1. [`requests`] finds the marker calls, innermost first.
//! 2. [`workshop`] makes a module with an internal copy of the thunk and of everything it needs ([`import`] copies,
//!    [`constants`] rewrites constants), without unwinding.
//!    Functions with rules of their users' become calls of stand-ins there ([`rules`]).
//! 3. [`cleanup`] inlines and simplifies it: one function, plus the callees that stay calls. [`dispatch`] turns calls through pointers to one of
//!    a few functions to calls by name, [`retype`] floats that are moved as integers to floats, [`whole`] joins words as words, [`realloc`] takes growing
//!    apart.
//! 4. [`canonical`] gives every loop a counter with its trip count where it has a closed form, and every join of control flow a selector.
//! 5. [`finish`] optimises the derivative and links it back.
//!
//! **Invariant:** nothing here knows a library function by name, except the markers; what must stay a call is asked of the
//! registry of rules.

pub mod addresses;
pub mod apart;
pub mod canonical;
pub mod chosen;
pub mod cleanup;
pub mod constants;
pub mod dispatch;
pub mod finish;
pub mod halves;
mod hints;
pub mod import;
pub mod latches;
pub mod layout;
mod masks;
pub mod merged;
mod overlaid;
pub mod parted;
pub mod realloc;
pub mod requests;
pub mod retype;
pub mod rules;
mod signs;
mod spills;
pub mod survey;
pub mod tags;
pub mod taken;
pub mod trace;
mod unsink;
pub mod unused;
pub mod unwinds;
pub mod variants;
pub mod whole;
pub mod workshop;
