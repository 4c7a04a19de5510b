//! What is checked, as functions of lists of numbers.
//!
//! Whatever signature a function has, the checks see it as a map of n numbers to m: all floats that are active going in, all
//! that are active coming out. Inputs are the active arguments in order, outputs the result and then what the function leaves in
//! its `&mut` arguments. Everything is `f64` here; `f32` inputs are rounded to what they can hold before they are used.

use std::rc::Rc;

/// Names and widths of a list of numbers.
#[derive(Debug, Clone)]
pub enum Layout {
    /// One number, of this name.
    Number { name: &'static str, single: bool },
    /// A slice of any length, of this name.
    Slice { name: &'static str, single: bool },
    /// As many as there are names.
    Listed { names: Vec<String>, singles: Vec<bool>, adds: Vec<bool> },
}

impl Layout {
    /// A list that is yet empty.
    pub fn empty() -> Layout {
        Layout::Listed { names: Vec::new(), singles: Vec::new(), adds: Vec::new() }
    }

    /// Appends a group of numbers; `adds` tells whether their adjoints are added to a shadow.
    pub fn extend(&mut self, name: &str, parts: Vec<String>, widths: Vec<bool>, added: bool) {
        if let Layout::Listed { names, singles, adds } = self {
            adds.extend(parts.iter().map(|_| added));
            names.extend(parts.iter().map(|part| format!("{name}{part}")));
            singles.extend(widths);
        }
    }

    /// The name of number `index`.
    pub fn name(&self, index: usize) -> String {
        match self {
            Layout::Number { name, .. } => (*name).to_owned(),
            Layout::Slice { name, .. } => format!("{name}[{index}]"),
            Layout::Listed { names, .. } => names.get(index).cloned().unwrap_or_else(|| format!("number {index}")),
        }
    }

    /// Whether number `index` is an `f32`.
    pub fn is_single(&self, index: usize) -> bool {
        match self {
            Layout::Number { single, .. } | Layout::Slice { single, .. } => *single,
            Layout::Listed { singles, .. } => singles.get(index).copied().unwrap_or(false),
        }
    }

    /// Whether any number is an `f32`.
    pub fn has_singles(&self) -> bool {
        match self {
            Layout::Number { single, .. } | Layout::Slice { single, .. } => *single,
            Layout::Listed { singles, .. } => singles.contains(&true),
        }
    }

    /// Whether the adjoint of number `index` is added to what its shadow holds.
    pub fn adds(&self, index: usize) -> bool {
        match self {
            Layout::Number { .. } => false,
            Layout::Slice { .. } => true,
            Layout::Listed { adds, .. } => adds.get(index).copied().unwrap_or(false),
        }
    }

    /// Numbers that the layout can hold, nearest to those given.
    pub fn round(&self, list: &mut [f64]) {
        if self.has_singles() {
            for (index, number) in list.iter_mut().enumerate() {
                if self.is_single(index) {
                    *number = f64::from(*number as f32);
                }
            }
        }
    }
}

/// What a call in reverse mode gave.
#[derive(Debug, Clone, Default)]
pub struct Pullback {
    /// The primal's results, as far as the derivative computes them; nothing is known of those that are missing.
    pub value: Vec<Option<f64>>,
    /// What was in the shadow of each input, or was returned for it.
    pub adjoint: Vec<f64>,
    /// The inputs after the call, where the function may not change them (NaN for others).
    pub inputs: Vec<f64>,
}

/// What a call in forward mode gave.
#[derive(Debug, Clone, Default)]
pub struct Pushforward {
    /// As in [`Pullback`].
    pub value: Vec<Option<f64>>,
    /// The tangent of each output, for each lane.
    pub tangents: Vec<Vec<f64>>,
    /// As in [`Pullback`].
    pub inputs: Vec<f64>,
}

/// Point; the values there.
pub type Primal<'a> = Rc<dyn Fn(&[f64]) -> Vec<f64> + 'a>;
/// Point, seed of each output, what the shadows hold before.
type ReverseCall<'a> = Box<dyn Fn(&[f64], &[f64], &[f64]) -> Pullback + 'a>;
/// Point, one direction for each lane.
type ForwardCall<'a> = Box<dyn Fn(&[f64], &[Vec<f64>]) -> Pushforward + 'a>;
/// Point, direction; the gradient's derivative in that direction.
type ProductCall<'a> = Box<dyn Fn(&[f64], &[f64]) -> Vec<f64> + 'a>;

/// A derivative in reverse mode, or a gradient.
pub struct Reverse<'a> {
    /// What messages call it.
    pub name: String,
    /// Calls it.
    pub call: ReverseCall<'a>,
    /// It is given a seed; a gradient is not.
    pub seeded: bool,
    /// It adds to the shadows of the inputs that say so; a gradient returns a list of its own.
    pub adds: bool,
}

/// A derivative in forward mode, or a Jacobian.
pub struct Forward<'a> {
    /// What messages call it.
    pub name: String,
    /// The number of directions that one call takes.
    pub width: usize,
    /// Calls it.
    pub call: ForwardCall<'a>,
    /// It is given directions; a derivative of one number is not.
    pub seeded: bool,
}

/// A second derivative of a function with one result.
pub struct Second<'a> {
    /// What messages call it.
    pub name: String,
    /// The Hessian times a direction.
    pub product: ProductCall<'a>,
    /// It is a product by nature and not a whole Hessian: linearity is to be checked.
    pub seeded: bool,
}

/// A function with its derivatives.
pub struct Problem<'a> {
    /// What goes in.
    pub inputs: Layout,
    /// What comes out.
    pub outputs: Layout,
    /// The function.
    pub primal: Primal<'a>,
    /// Its derivatives.
    pub reverse: Vec<Reverse<'a>>,
    /// Its derivatives.
    pub forward: Vec<Forward<'a>>,
    /// Its second derivatives.
    pub second: Vec<Second<'a>>,
    /// Constants: a name, and whether the value is still what it was when the check was made.
    pub constants: Vec<(String, Box<dyn Fn() -> bool + 'a>)>,
}

impl<'a> Problem<'a> {
    /// A function without derivatives.
    pub fn new(inputs: Layout, outputs: Layout, primal: impl Fn(&[f64]) -> Vec<f64> + 'a) -> Problem<'a> {
        Problem {
            inputs,
            outputs,
            primal: Rc::new(primal),
            reverse: Vec::new(),
            forward: Vec::new(),
            second: Vec::new(),
            constants: Vec::new(),
        }
    }

    /// Whether any number in it is an `f32`: the precision of all is then that of `f32`.
    pub fn is_single(&self) -> bool {
        self.inputs.has_singles() || self.outputs.has_singles()
    }

    /// Whether there is anything to check.
    pub fn has_derivatives(&self) -> bool {
        !(self.reverse.is_empty() && self.forward.is_empty() && self.second.is_empty())
    }
}
