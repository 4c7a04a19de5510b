//! Emission: from the plan to instructions. It decides nothing.
//!
//! | file | what |
//! |---|---|
//! | [`subject`] | one function with all its facts |
//! | [`session`] | what the functions of one request share: specialisations, run-time functions, helpers |
//! | [`aggregate`] | sums and zeros of values that hold floats |
//! | [`guard`] | zeros that stay zero whatever they are multiplied with, and their derivatives |
//! | [`slots`] | where kept values live |
//! | [`scopes`] | that nothing else lives there |
//! | [`augmented`] | the forward sweep of reverse mode |
//! | [`reverse`] | the reverse sweep |
//! | [`adjoint`] | the adjoint of each operation |
//! | [`tangent`] | forward mode |
//! | [`copying`] | derivatives of copies of memory |
//! | [`inactive`] | what calls without a derivative leave in memory with a shadow |
//! | [`custom`] | calls of functions with rules of their users' |
//! | [`root`] | the function that takes the marker's place |
pub mod adjoint;
pub mod aggregate;
pub mod augmented;
pub mod bare;
pub mod copying;
pub mod custom;
pub mod expr;
pub mod guard;
pub mod inactive;
pub mod keys;
pub mod reverse;
pub mod root;
pub mod scopes;
pub mod session;
pub mod shorten;
pub mod slots;
pub mod subject;
pub mod tangent;
pub mod writes;
