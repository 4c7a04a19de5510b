//! Comparison of numbers, slices, arrays and tuples of them.

/// Anything that is a list of numbers.
pub trait Numbers {
    /// Appends the numbers to `list`.
    fn collect_into(&self, list: &mut Vec<f64>);
    /// The list.
    fn numbers(&self) -> Vec<f64> {
        let mut list = Vec::new();
        self.collect_into(&mut list);
        list
    }
}

impl Numbers for f64 {
    fn collect_into(&self, list: &mut Vec<f64>) {
        list.push(*self);
    }
}

impl Numbers for f32 {
    fn collect_into(&self, list: &mut Vec<f64>) {
        list.push(f64::from(*self));
    }
}

impl<T: Numbers + ?Sized> Numbers for &T {
    fn collect_into(&self, list: &mut Vec<f64>) {
        (**self).collect_into(list);
    }
}

impl<T: Numbers> Numbers for [T] {
    fn collect_into(&self, list: &mut Vec<f64>) {
        self.iter().for_each(|item| item.collect_into(list));
    }
}

impl<T: Numbers, const N: usize> Numbers for [T; N] {
    fn collect_into(&self, list: &mut Vec<f64>) {
        self.as_slice().collect_into(list);
    }
}

impl<T: Numbers> Numbers for Vec<T> {
    fn collect_into(&self, list: &mut Vec<f64>) {
        self.as_slice().collect_into(list);
    }
}

macro_rules! tuples {
    ($(($($part:ident),+))*) => {$(
        impl<$($part: Numbers),+> Numbers for ($($part,)+) {
            fn collect_into(&self, list: &mut Vec<f64>) {
                #[allow(non_snake_case, reason = "the type parameters serve as names")]
                let ($($part,)+) = self;
                $($part.collect_into(list);)+
            }
        }
    )*};
}

tuples! { (A) (A, B) (A, B, C) (A, B, C, D) }

/// What is wrong with `got`, if it is not `expected` up to a relative error of `slack`.
///
/// A number may be off by `slack` times the larger of its own size and a thousandth of the largest expected one,
/// and by 1e-12 in any case. Infinities agree if equal; NaN agrees with nothing.
///
/// # Errors
/// The place, both values and the error of the worst number, or the two lengths where they differ.
pub fn compare(got: &[f64], expected: &[f64], slack: f64) -> Result<(), String> {
    if got.len() != expected.len() {
        return Err(format!("{} numbers, expected {}", got.len(), expected.len()));
    }
    let largest = expected.iter().filter(|e| e.is_finite()).fold(0.0f64, |size, e| size.max(e.abs()));
    for (i, (g, e)) in got.iter().zip(expected).enumerate() {
        let size = g.abs().max(e.abs()).max(largest * 1e-3);
        let off = (g - e).abs();
        let close = g == e || off.is_finite() && (off <= slack * size || off <= 1e-12 && slack > 0.0);
        if !close {
            return Err(format!(
                "number {i}: {g:e}, expected {e:e} (relative error {:.1e}, allowed {slack:.1e})\n     all: {got:?}\nexpected: {expected:?}",
                off / size
            ));
        }
    }
    Ok(())
}

/// Asserts that two lists of numbers agree: `assert_close!(got, expected)` up to 1e-12, or up to a third argument.
///
/// ```
/// testing::assert_close!((1.0, [2.0f32; 2]), (1.0, [2.0, 2.0]));
/// testing::assert_close!(1.0001, 1.0, 1e-3);
/// ```
#[macro_export]
macro_rules! assert_close {
    ($got:expr, $expected:expr $(,)?) => {
        $crate::assert_close!($got, $expected, 1e-12)
    };
    ($got:expr, $expected:expr, $slack:expr $(,)?) => {{
        use $crate::close::Numbers as _;
        if let Err(message) = $crate::close::compare(&$got.numbers(), &$expected.numbers(), $slack) {
            panic!("{} is not {}: {message}", stringify!($got), stringify!($expected));
        }
    }};
}

#[cfg(test)]
mod tests {
    use super::compare;

    #[test]
    fn nan_agrees_with_nothing_and_infinities_with_themselves() {
        assert!(compare(&[f64::NAN], &[f64::NAN], 1.0).is_err());
        assert!(compare(&[f64::INFINITY], &[f64::INFINITY], 1e-9).is_ok());
        assert!(compare(&[f64::INFINITY], &[1.0], 1e-9).is_err());
        assert!(compare(&[1.0], &[f64::INFINITY], 1e-9).is_err());
    }

    #[test]
    fn small_numbers_are_compared_with_their_neighbours_scale() {
        assert!(compare(&[1e-9, 1.0], &[2e-9, 1.0], 1e-5).is_ok());
        assert!(compare(&[1e-9], &[2e-9], 1e-5).is_err());
    }

    #[test]
    fn other_lengths_are_told() {
        assert!(compare(&[1.0], &[1.0, 2.0], 1.0).unwrap_err().contains("1 numbers, expected 2"));
    }
}
