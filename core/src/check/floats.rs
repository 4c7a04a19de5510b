//! Values as lists of the floats in them.
//!
//! A check works on lists of numbers. Arguments are more than that: slices, tuples, structs with other things among the
//! floats. [`Floats`] shows the floats of a value one by one, and everything else (reading, writing, naming the one that is
//! wrong) is a [`Visitor`].

/// Values whose floats can be shown one by one, in an order that depends on the shape alone.
///
/// Implemented for `f32`, `f64`, and arrays, slices, `Vec`s, `Box`es, `Option`s and tuples of such. For structs, name the fields with
/// [`floats!`](macro@crate::check::floats), or write it by hand where the floats are not simply fields:
///
/// ```
/// use cotangent::check::{Floats, Visitor};
///
/// struct Layer {
///     weights: Vec<f64>,
///     bias: f64,
///     name: String, // not a float: not shown
/// }
///
/// impl Floats for Layer {
///     fn visit(&mut self, visitor: &mut Visitor<'_>) {
///         visitor.field("weights", &mut self.weights);
///         visitor.field("bias", &mut self.bias);
///     }
/// }
/// ```
///
/// A float that is not shown is not varied, and its shadow is a copy of it: show all through which derivatives flow.
#[diagnostic::on_unimplemented(
    message = "the floats in `{Self}` are not known",
    label = "not known to consist of floats",
    note = "for a struct, say which fields hold floats: `cotangent::check::floats!({Self} {{ field, field }});`"
)]
pub trait Floats {
    /// Shows every float to the visitor.
    fn visit(&mut self, visitor: &mut Visitor<'_>);
}

/// What is done with each float; see [`Floats`].
#[derive(Debug)]
pub struct Visitor<'v> {
    action: Action<'v>,
}

#[derive(Debug)]
enum Action<'v> {
    /// Takes the numbers from a list.
    Load { list: &'v [f64], used: usize },
    /// Appends the numbers to a list.
    Store(&'v mut Vec<f64>),
    /// Appends whether each is an `f32`.
    Widths(&'v mut Vec<bool>),
    /// Appends the name of each number.
    Names { path: String, list: &'v mut Vec<String> },
}

impl Visitor<'_> {
    /// Shows a field; its name is for messages.
    pub fn field<F: Floats + ?Sized>(&mut self, name: &str, part: &mut F) {
        self.within(|| format!(".{name}"), part);
    }

    /// Shows a part that has a number and no name.
    pub fn item<F: Floats + ?Sized>(&mut self, index: usize, part: &mut F) {
        self.within(|| format!("[{index}]"), part);
    }

    fn within<F: Floats + ?Sized>(&mut self, segment: impl FnOnce() -> String, part: &mut F) {
        let Action::Names { path, .. } = &mut self.action else {
            return part.visit(self);
        };
        let length = path.len();
        path.push_str(&segment());
        part.visit(self);
        if let Action::Names { path, .. } = &mut self.action {
            path.truncate(length);
        }
    }

    fn number(&mut self, value: f64, single: bool) -> f64 {
        match &mut self.action {
            Action::Load { list, used } => {
                *used += 1;
                return list.get(*used - 1).copied().unwrap_or(f64::NAN);
            }
            Action::Store(list) => list.push(value),
            Action::Widths(list) => list.push(single),
            Action::Names { path, list } => list.push(path.clone()),
        }
        value
    }
}

/// Replaces the floats of `value` by the first numbers of `list`, and returns how many there were.
pub fn load<F: Floats + ?Sized>(value: &mut F, list: &[f64]) -> usize {
    let mut visitor = Visitor { action: Action::Load { list, used: 0 } };
    value.visit(&mut visitor);
    match visitor.action {
        Action::Load { used, .. } => used,
        _ => unreachable!("a visitor keeps its action"),
    }
}

/// Appends the floats of `value` to `list`.
pub fn store<F: Floats + ?Sized>(value: &mut F, list: &mut Vec<f64>) {
    value.visit(&mut Visitor { action: Action::Store(list) });
}

/// For each float of `value`, whether it is an `f32`.
pub fn widths<F: Floats + ?Sized>(value: &mut F) -> Vec<bool> {
    let mut list = Vec::new();
    value.visit(&mut Visitor { action: Action::Widths(&mut list) });
    list
}

/// For each float of `value`, its name behind that of the value, such as `.bias` or `[3]`.
pub fn names<F: Floats + ?Sized>(value: &mut F) -> Vec<String> {
    let mut list = Vec::new();
    value.visit(&mut Visitor { action: Action::Names { path: String::new(), list: &mut list } });
    list
}

impl Floats for f64 {
    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        *self = visitor.number(*self, false);
    }
}

impl Floats for f32 {
    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        *self = visitor.number(f64::from(*self), true) as f32;
    }
}

impl<F: Floats> Floats for [F] {
    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        for (index, part) in self.iter_mut().enumerate() {
            visitor.item(index, part);
        }
    }
}

impl<F: Floats, const N: usize> Floats for [F; N] {
    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        self.as_mut_slice().visit(visitor);
    }
}

impl<F: Floats> Floats for Vec<F> {
    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        self.as_mut_slice().visit(visitor);
    }
}

impl<F: Floats + ?Sized> Floats for Box<F> {
    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        (**self).visit(visitor);
    }
}

impl<F: Floats> Floats for Option<F> {
    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        if let Some(part) = self {
            part.visit(visitor);
        }
    }
}

impl Floats for () {
    fn visit(&mut self, _visitor: &mut Visitor<'_>) {}
}

macro_rules! tuples {
    ($(($($name:ident $index:tt),+))*) => {$(
        impl<$($name: Floats),+> Floats for ($($name,)+) {
            fn visit(&mut self, visitor: &mut Visitor<'_>) {
                $(visitor.field(stringify!($index), &mut self.$index);)+
            }
        }
    )*};
}
tuples!((A 0) (A 0, B 1) (A 0, B 1, C 2) (A 0, B 1, C 2, D 3) (A 0, B 1, C 2, D 3, E 4) (A 0, B 1, C 2, D 3, E 4, F 5));

/// Says which fields of a struct hold floats: `floats!(Point { x, y });`, by number for a tuple struct.
///
/// It implements [`Floats`](crate::check::Floats), so that values of the type can stand in [`check!`](macro@crate::check).
///
/// ```
/// use cotangent::check;
///
/// #[derive(Clone, Copy)]
/// struct Point {
///     x: f64,
///     y: f64,
/// }
/// check::floats!(Point { x, y });
///
/// #[derive(Clone)]
/// struct Path(Vec<Point>);
/// check::floats!(Path { 0 });
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! __check_floats {
    ($name:ident { $($field:tt),* $(,)? }) => {
        impl $crate::check::Floats for $name {
            fn visit(&mut self, visitor: &mut $crate::check::Visitor<'_>) {
                $(visitor.field(::core::stringify!($field), &mut self.$field);)*
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Point {
        x: f64,
        y: f32,
    }
    __check_floats!(Point { x, y });

    fn value() -> (Vec<Point>, [Option<f64>; 2]) {
        (vec![Point { x: 1.0, y: 2.0 }, Point { x: 3.0, y: 4.0 }], [None, Some(5.0)])
    }

    #[test]
    fn what_is_stored_is_loaded_in_the_same_order() {
        let mut list = Vec::new();
        store(&mut value(), &mut list);
        assert_eq!(list, [1.0, 2.0, 3.0, 4.0, 5.0]);
        let mut other = value();
        assert_eq!(load(&mut other, &[9.0, 8.0, 7.0, 6.0, 5.5]), 5);
        assert_eq!((other.0[0].x, other.0[1].y, other.1[1]), (9.0, 6.0, Some(5.5)));
    }

    #[test]
    fn each_number_has_the_name_of_its_place() {
        assert_eq!(names(&mut value()), [".0[0].x", ".0[0].y", ".0[1].x", ".0[1].y", ".1[1]"]);
        assert_eq!(names(&mut 1.0f64), [""]);
    }

    #[test]
    fn widths_are_those_of_the_types() {
        assert_eq!(widths(&mut value()), [false, true, false, true, false]);
    }
}
