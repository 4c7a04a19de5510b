//! Where in an argument a comparison is: what a panic says.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};

/// A place inside of an argument, such as `net.layers[2].weights`.
///
/// Lives on the stack, link by link, so that a comparison which finds nothing allocates nothing.
pub struct Place<'a> {
    step: Step<'a>,
    own: bool,
    argument: &'a Argument<'a>,
}

/// What all places of an argument share.
pub struct Argument<'a> {
    name: &'a str,
    /// Adjoints are written through the shadow.
    written: bool,
    /// Shared values that have been compared.
    seen: RefCell<BTreeSet<usize>>,
}

enum Step<'a> {
    Start,
    Field(&'a Place<'a>, &'a str),
    Index(&'a Place<'a>, usize),
    Behind(&'a Place<'a>),
}

impl<'a> Argument<'a> {
    /// An argument by the name of its parameter, and whether its shadow is written.
    pub fn new(name: &'a str, written: bool) -> Self {
        Argument { name, written, seen: RefCell::default() }
    }

    /// The argument itself as a place.
    pub fn place(&'a self) -> Place<'a> {
        Place { step: Step::Start, own: false, argument: self }
    }
}

impl<'a> Place<'a> {
    /// A field of the value here.
    #[must_use]
    pub fn field(&'a self, name: &'a str) -> Place<'a> {
        Place { step: Step::Field(self, name), own: self.own, argument: self.argument }
    }

    /// An element of the value here.
    #[must_use]
    pub fn index(&'a self, index: usize) -> Place<'a> {
        Place { step: Step::Index(self, index), own: self.own, argument: self.argument }
    }

    /// Compares lengths.
    ///
    /// # Panics
    /// If they differ.
    #[inline]
    #[track_caller]
    pub fn lengths(&self, primal: usize, shadow: usize) {
        if primal != shadow {
            self.other_length(primal, shadow);
        }
    }

    #[cold]
    #[inline(never)]
    #[track_caller]
    fn other_length(&self, primal: usize, shadow: usize) -> ! {
        crate::__private::check_length(&self.to_string(), primal, shadow);
        unreachable!("the lengths differ")
    }

    /// The variants differ.
    ///
    /// # Panics
    /// Always, with both names.
    #[cold]
    #[inline(never)]
    #[track_caller]
    pub fn other_variant(&self, primal: &str, shadow: &str) -> ! {
        panic!("the shadow of `{self}` is the variant `{shadow}`, but `{self}` is the variant `{primal}`");
    }

    /// The maps have their entries in other places.
    ///
    /// # Panics
    /// Always.
    #[cold]
    #[inline(never)]
    #[track_caller]
    pub(super) fn other_layout(&self) -> ! {
        panic!(
            "the map `{self}` and its shadow have other keys or have them in other places, so adjoints would go astray: make the shadow with \
             `cotangent::zeroed`, or clone the map, and change its values with `get_mut`: `insert` may move all entries, also of a key that is there"
        );
    }

    /// The elements of the queues begin at other places of their buffers, or are parted elsewhere.
    ///
    /// # Panics
    /// Always, with both places.
    #[cold]
    #[inline(never)]
    #[track_caller]
    pub(super) fn other_begin(&self, primal: usize, shadow: usize) -> ! {
        panic!(
            "the queue `{self}` begins at place {primal} of its buffer and its shadow at place {shadow}, or the buffers have other lengths, \
             so adjoints would go astray: make the shadow with `cotangent::zeroed`"
        );
    }

    /// The place behind a pointer that others may have too, at an address with so many owners; `None` where it was compared
    /// before. `is_one` says that primal and shadow are one value.
    pub(super) fn behind(&'a self, address: usize, owners: usize, is_one: bool) -> Option<Place<'a>> {
        let first = owners == 1 || self.argument.seen.borrow_mut().insert(address);
        let own = self.own || (is_one && self.argument.written);
        first.then_some(Place { step: Step::Behind(self), own, argument: self.argument })
    }

    /// The shadow here is the primal itself, and is written.
    pub(super) fn is_own(&self) -> bool {
        self.own
    }

    /// A float is here.
    ///
    /// # Panics
    /// If adjoints would be added to the primal's own floats.
    #[inline(always)]
    #[track_caller]
    pub(super) fn float(&self) {
        if self.own {
            self.same_memory();
        }
    }

    #[cold]
    #[inline(never)]
    #[track_caller]
    fn same_memory(&self) -> ! {
        panic!(
            "the shadow of `{self}` shares its memory with `{self}` (a clone of an `Rc` or `Arc` does), so adjoints would be added to the \
             values themselves: make the shadow with `cotangent::zeroed`"
        );
    }
}

impl Display for Place<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.step {
            Step::Start => f.write_str(self.argument.name),
            Step::Field(of, name) => write!(f, "{of}.{name}"),
            Step::Behind(of) => of.fmt(f),
            Step::Index(of, index) => write!(f, "{of}[{index}]"),
        }
    }
}
