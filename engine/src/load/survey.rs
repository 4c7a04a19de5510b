//! What is asked of the whole program for each request, looked up once.
//!
//! A program may have a hundred times the functions of a derivative, and a hundred requests.

use super::dispatch::table::{self, Taken};
use super::rules;
use crate::llvm::{Function, Module};
use crate::maps::HashMap;
use crate::rule::Registry;
use cotangent_contract::Mode;
use std::cell::OnceCell;

/// A program as its requests see it, until something is linked into it.
pub struct Survey<'a> {
    /// The program.
    pub program: Module,
    /// The rules of the build.
    pub registry: &'a Registry,
    taken: OnceCell<Vec<Taken>>,
    adapters: [OnceCell<HashMap<String, Function>>; 2],
}

impl<'a> Survey<'a> {
    /// Nothing looked up yet.
    pub fn new(program: Module, registry: &'a Registry) -> Survey<'a> {
        Survey { program, registry, taken: OnceCell::new(), adapters: Default::default() }
    }

    /// The functions whose address is taken.
    pub(super) fn taken(&self) -> &[Taken] {
        self.taken.get_or_init(|| table::taken(self.program, self.registry))
    }

    /// The functions with rules of their users' for a mode, by the symbol of the function that they stand for.
    pub(super) fn adapters(&self, mode: Mode) -> &HashMap<String, Function> {
        let place = match mode {
            Mode::Forward => 0,
            Mode::Reverse => 1,
        };
        self.adapters[place].get_or_init(|| rules::adapters(self.program, mode))
    }
}
