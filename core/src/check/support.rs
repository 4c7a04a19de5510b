//! What expansions of `check!` stand on. Not for use by hand: it changes without notice.
//!
//! An expansion has one closure for the function and one for each derivative. Each takes lists of numbers apart into
//! arguments ([`Reader`]), makes the call, and puts lists together from what came out ([`Writer`]).

use std::borrow::Borrow;
use std::marker::PhantomData;

use super::builder::Check;
use super::floats::{self, Floats};
use super::problem::{Forward, Layout, Problem, Reverse};
pub use super::problem::{Pullback, Pushforward};

/// In [`Check`]: a function of any arguments, from `check!`.
#[derive(Debug)]
pub struct OfArguments(PhantomData<()>);

/// Takes numbers from a list, in order.
#[derive(Debug)]
pub struct Reader<'l>(&'l [f64]);

impl<'l> Reader<'l> {
    /// From the first number on.
    pub fn new(list: &'l [f64]) -> Reader<'l> {
        Reader(list)
    }

    /// `like`, with numbers of the list.
    pub fn take<F: Floats + Clone>(&mut self, like: &F) -> F {
        let mut value = like.clone();
        let used = floats::load(&mut value, self.0);
        self.0 = &self.0[used.min(self.0.len())..];
        value
    }
}

/// Puts a list together.
#[derive(Debug, Default)]
pub struct Writer(Vec<f64>);

impl Writer {
    /// Appends the floats of a value.
    pub fn put<F: Floats + ?Sized>(&mut self, value: &mut F) {
        floats::store(value, &mut self.0);
    }

    /// Appends as many NaNs as the value has floats.
    fn skip<F: Floats + ?Sized>(&mut self, value: &mut F) {
        self.0.extend(floats::widths(value).iter().map(|_| f64::NAN));
    }

    /// The list.
    pub fn list(self) -> Vec<f64> {
        self.0
    }
}

/// A result's floats, and then others.
pub fn together<F: Floats>(mut result: F, changed: Vec<f64>) -> Vec<f64> {
    let mut list = Writer::default();
    list.put(&mut result);
    list.0.extend(changed);
    list.0
}

/// Values that a derivative gave, of which some may be missing.
#[derive(Debug, Default)]
struct Values(Vec<Option<f64>>);

impl Values {
    fn put<F: Floats + ?Sized>(&mut self, value: &mut F, known: bool) {
        let mut list = Vec::new();
        floats::store(value, &mut list);
        self.0.extend(list.into_iter().map(|number| known.then_some(number)));
    }
}

/// A call of a derivative in reverse mode, on its way.
#[derive(Debug)]
pub struct ReverseCall<'l> {
    point: Reader<'l>,
    /// Adjoints of outputs, the result's first.
    pub seeds: Reader<'l>,
    shadows: Reader<'l>,
    values: Values,
    adjoints: Writer,
    inputs: Writer,
}

impl<'l> ReverseCall<'l> {
    /// A call at a point, with seeds, and shadows that hold something.
    pub fn new(point: &'l [f64], seeds: &'l [f64], shadows: &'l [f64]) -> ReverseCall<'l> {
        ReverseCall {
            point: Reader(point),
            seeds: Reader(seeds),
            shadows: Reader(shadows),
            values: Values::default(),
            adjoints: Writer::default(),
            inputs: Writer::default(),
        }
    }

    /// An argument by value.
    pub fn value<F: Floats + Clone>(&mut self, like: &F) -> F {
        self.shadows.take(like);
        self.point.take(like)
    }

    /// Its adjoint, which the call returned.
    pub fn returned<F: Floats>(&mut self, adjoint: &mut F) {
        self.adjoints.put(adjoint);
        self.inputs.skip(adjoint);
    }

    /// An argument behind a shared reference, and its shadow.
    pub fn shared<F: Floats + Clone>(&mut self, like: &F) -> (F, F) {
        (self.point.take(like), self.shadows.take(like))
    }

    /// Both after the call.
    pub fn unchanged<F: Floats>(&mut self, argument: &mut F, shadow: &mut F) {
        self.inputs.put(argument);
        self.adjoints.put(shadow);
    }

    /// An argument behind a mutable reference, and its shadow, which holds the adjoint of what the function leaves there.
    pub fn changing<F: Floats + Clone>(&mut self, like: &F) -> (F, F) {
        self.shadows.take(like);
        (self.point.take(like), self.seeds.take(like))
    }

    /// Both after the call.
    pub fn changed<F: Floats>(&mut self, argument: &mut F, shadow: &mut F, known: bool) {
        self.inputs.skip(argument);
        self.values.put(argument, known);
        self.adjoints.put(shadow);
    }

    /// The result.
    pub fn result<F: Floats>(&mut self, result: &mut F) {
        self.values.put(result, true);
    }

    /// There is no result.
    pub fn no_value<F: Floats + Clone>(&mut self, like: &F) {
        self.values.put(&mut like.clone(), false);
    }

    /// All that the call gave.
    pub fn done(self) -> Pullback {
        Pullback { value: self.values.0, adjoint: self.adjoints.0, inputs: self.inputs.0 }
    }
}

/// A call of a derivative in forward mode, on its way.
#[derive(Debug)]
pub struct ForwardCall<'l> {
    point: Reader<'l>,
    directions: Vec<Reader<'l>>,
    values: Values,
    tangents: Vec<Writer>,
    inputs: Writer,
}

impl<'l> ForwardCall<'l> {
    /// A call at a point, with a direction for each lane.
    pub fn new(point: &'l [f64], directions: &'l [Vec<f64>]) -> ForwardCall<'l> {
        ForwardCall {
            point: Reader(point),
            directions: directions.iter().map(|direction| Reader(direction)).collect(),
            values: Values::default(),
            tangents: directions.iter().map(|_| Writer::default()).collect(),
            inputs: Writer::default(),
        }
    }

    fn lanes<F: Floats + Clone>(&mut self, like: &F) -> Vec<F> {
        self.directions.iter_mut().map(|lane| lane.take(like)).collect()
    }

    /// An argument by value, and its tangents.
    pub fn value<F: Floats + Clone>(&mut self, like: &F) -> (F, Vec<F>) {
        (self.point.take(like), self.lanes(like))
    }

    /// An argument by value, after the call.
    pub fn consumed<F: Floats + Clone>(&mut self, like: &F) {
        self.inputs.skip(&mut like.clone());
    }

    /// An argument behind a reference, and its tangents.
    pub fn shared<F: Floats + Clone>(&mut self, like: &F) -> (F, Vec<F>) {
        (self.point.take(like), self.lanes(like))
    }

    /// An argument behind a reference, and its tangents, lane after lane.
    pub fn joined<T: Clone, F: Floats + Clone + AsRef<[T]>>(&mut self, like: &F) -> (F, Vec<T>) {
        let lanes = self.lanes(like);
        (self.point.take(like), lanes.iter().flat_map(|lane| lane.as_ref().iter().cloned()).collect())
    }

    /// An argument behind a shared reference, after the call.
    pub fn unchanged<F: Floats>(&mut self, argument: &mut F) {
        self.inputs.put(argument);
    }

    /// An argument behind a mutable reference and its tangents, after the call.
    pub fn changed<F: Floats>(&mut self, argument: &mut F, tangents: &mut [F]) {
        self.inputs.skip(argument);
        self.values.put(argument, true);
        for (writer, tangent) in self.tangents.iter_mut().zip(tangents) {
            writer.put(tangent);
        }
    }

    /// The same where the argument itself need not be computed.
    pub fn changed_only<F: Floats>(&mut self, argument: &mut F, tangents: &mut [F]) {
        let known = self.values.0.len();
        self.changed(argument, tangents);
        self.values.0[known..].fill(None);
    }

    /// The same where tangents lie lane after lane.
    pub fn changed_joined<T: Floats, F: Floats>(&mut self, argument: &mut F, tangents: &mut [T]) {
        self.inputs.skip(argument);
        self.values.put(argument, true);
        let length = (tangents.len() / self.tangents.len().max(1)).max(1);
        for (writer, tangent) in self.tangents.iter_mut().zip(tangents.chunks_mut(length)) {
            writer.put(tangent);
        }
    }

    /// The tangents of the result alone.
    pub fn tangents_of<F: Floats + Clone>(&mut self, like: &F, tangents: impl IntoIterator<Item = F>) {
        self.values.put(&mut like.clone(), false);
        for (writer, mut tangent) in self.tangents.iter_mut().zip(tangents) {
            writer.put(&mut tangent);
        }
    }

    /// The result, and then its tangents.
    pub fn value_and_tangents_of<F: Floats + Clone>(&mut self, _like: &F, all: impl IntoIterator<Item = F>) {
        let mut all = all.into_iter();
        if let Some(mut value) = all.next() {
            self.values.put(&mut value, true);
        }
        for (writer, mut tangent) in self.tangents.iter_mut().zip(all) {
            writer.put(&mut tangent);
        }
    }

    /// All that the call gave.
    pub fn done(self) -> Pushforward {
        let tangents = self.tangents.into_iter().map(Writer::list).collect();
        Pushforward { value: self.values.0, tangents, inputs: self.inputs.0 }
    }
}

/// What an expansion puts together.
#[derive(Debug)]
pub struct Assembly<'a> {
    inputs: Layout,
    outputs: Layout,
    point: Vec<f64>,
    check: Option<Check<'a, OfArguments>>,
    constants: Vec<Constant<'a>>,
}

struct Constant<'a>(String, Box<dyn Fn() -> bool + 'a>);

impl std::fmt::Debug for Constant<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl Default for Assembly<'_> {
    fn default() -> Self {
        let (inputs, outputs) = (Layout::empty(), Layout::empty());
        Assembly { inputs, outputs, point: Vec::new(), check: None, constants: Vec::new() }
    }
}

impl<'a> Assembly<'a> {
    /// An active argument; `adds` where its adjoint is added to a shadow.
    pub fn input<F: Floats + Clone>(&mut self, name: &str, value: &F, adds: bool) {
        let mut value = value.clone();
        floats::store(&mut value, &mut self.point);
        self.inputs.extend(&shortened(name, "argument"), floats::names(&mut value), floats::widths(&mut value), adds);
    }

    /// What comes out.
    pub fn output<F: Floats + Clone>(&mut self, name: &str, value: &F) {
        let mut value = value.clone();
        self.outputs.extend(&shortened(name, "result"), floats::names(&mut value), floats::widths(&mut value), false);
    }

    /// A constant behind a reference.
    pub fn constant(&mut self, name: &str, same: Option<Box<dyn Fn() -> bool + 'a>>) {
        if let Some(same) = same {
            self.constants.push(Constant(shortened(name, "constant"), same));
        }
    }

    /// The point.
    pub fn point(&self) -> &[f64] {
        &self.point
    }

    /// The function: nothing is added to what goes in and out after this.
    pub fn primal(&mut self, call: impl Fn(&[f64]) -> Vec<f64> + 'a) {
        let mut problem = Problem::new(
            std::mem::replace(&mut self.inputs, Layout::empty()),
            std::mem::replace(&mut self.outputs, Layout::empty()),
            call,
        );
        problem.constants.extend(self.constants.drain(..).map(|constant| (constant.0, constant.1)));
        let mut check = Check::new(problem);
        check.points.push(std::mem::take(&mut self.point));
        self.check = Some(check);
    }

    /// A derivative in reverse mode: point, seed, what is in the shadows.
    pub fn reverse(&mut self, name: &str, call: impl Fn(&[f64], &[f64], &[f64]) -> Pullback + 'a) {
        if let Some(check) = &mut self.check {
            let name = check.fresh(&shortened(name, "reverse"));
            check.problem.reverse.push(Reverse { name, call: Box::new(call), seeded: true, adds: true });
        }
    }

    /// A derivative in forward mode: point, a direction for each lane.
    pub fn forward(&mut self, name: &str, width: usize, call: impl Fn(&[f64], &[Vec<f64>]) -> Pushforward + 'a) {
        if let Some(check) = &mut self.check {
            let name = check.fresh(&shortened(name, "forward"));
            check.problem.forward.push(Forward { name, width, call: Box::new(call), seeded: true });
        }
    }

    /// All of it.
    ///
    /// # Panics
    /// If there was no function.
    pub fn finish(self) -> Check<'a, OfArguments> {
        self.check.expect("an expansion gives the function before it is done")
    }
}

/// An expression as a name, where it is short enough to be one.
fn shortened(expression: &str, otherwise: &str) -> String {
    if expression.len() <= 32 { expression.to_owned() } else { otherwise.to_owned() }
}

/// A constant argument; see [`KeptReference`].
#[derive(Debug)]
pub struct Kept<C>(pub C);

/// For references to what can be copied and compared: whether it is still the same.
pub trait KeptReference<'a> {
    /// A closure that tells.
    fn same(&self) -> Option<Box<dyn Fn() -> bool + 'a>>;
}

impl<'a, C> KeptReference<'a> for &Kept<&'a C>
where
    C: ToOwned + PartialEq + ?Sized,
    C::Owned: 'a,
{
    fn same(&self) -> Option<Box<dyn Fn() -> bool + 'a>> {
        let value: &'a C = self.0;
        let before = value.to_owned();
        Some(Box::new(move || before.borrow() == value))
    }
}

/// For everything else: nothing is known.
pub trait KeptUnknown<'a> {
    /// Nothing.
    fn same(&self) -> Option<Box<dyn Fn() -> bool + 'a>>;
}

impl<'a, C> KeptUnknown<'a> for Kept<C> {
    fn same(&self) -> Option<Box<dyn Fn() -> bool + 'a>> {
        None
    }
}
