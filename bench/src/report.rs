//! Rows of the result, as a table for people and as JSON for programs.

use std::fmt::Write;

/// What a row should reach, as ratios; `None` where nothing was promised.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Time of the gradient over the time of the primal.
    pub of_primal: Option<f64>,
    /// Time of the gradient over the time of the one written by hand.
    pub of_hand: Option<f64>,
}

/// The limits of most rows: 4 times the primal, 1.5 times the gradient written by hand.
pub const USUAL: Limits = Limits { of_primal: Some(4.0), of_hand: Some(1.5) };

/// The medians of one case, in seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Name of the case.
    pub name: String,
    /// Time of the function itself.
    pub primal: f64,
    /// Time of its derivative.
    pub gradient: f64,
    /// Time of its derivative written by hand; NaN where there is none.
    pub hand: f64,
    /// How far the two derivatives are apart, relative to their size.
    pub distance: f64,
    /// What was promised.
    pub limits: Limits,
}

/// Derivatives of the same function by two programs differ by the order of their sums only.
pub const AGREEMENT: f64 = 1e-8;

impl Row {
    /// Gradient over primal.
    pub fn of_primal(&self) -> f64 {
        self.gradient / self.primal
    }

    /// Gradient over the one written by hand.
    pub fn of_hand(&self) -> f64 {
        self.gradient / self.hand
    }

    /// Whether both derivatives are the same.
    pub fn agrees(&self) -> bool {
        self.distance < AGREEMENT
    }

    /// Whether a promise is missed.
    pub fn is_slow(&self) -> bool {
        let above = |ratio: f64, limit: Option<f64>| limit.is_some_and(|limit| ratio > limit);
        above(self.of_primal(), self.limits.of_primal) || above(self.of_hand(), self.limits.of_hand)
    }

    /// A JSON object; times in seconds.
    pub fn json(&self) -> String {
        let limit = |limit: Option<f64>| limit.map_or("null".to_owned(), |l| l.to_string());
        let number = |value: f64| if value.is_finite() { format!("{value:e}") } else { "null".to_owned() };
        format!(
            "{{\"name\": \"{}\", \"primal\": {}, \"gradient\": {}, \"hand\": {}, \"distance\": {}, \
             \"limit_of_primal\": {}, \"limit_of_hand\": {}}}",
            self.name,
            number(self.primal),
            number(self.gradient),
            number(self.hand),
            number(self.distance),
            limit(self.limits.of_primal),
            limit(self.limits.of_hand),
        )
    }

    /// A line of the table under [`HEADER`].
    pub fn line(&self) -> String {
        let mut line = format!(
            "{:<26}{:>12}{:>12}{:>12}",
            self.name,
            duration(self.primal),
            duration(self.gradient),
            duration(self.hand)
        );
        if self.hand.is_nan() {
            line = line.replace("NaN ns", "-");
        }
        for (ratio, limit) in [(self.of_primal(), self.limits.of_primal), (self.of_hand(), self.limits.of_hand)] {
            let limit = limit.map_or(String::new(), |l| format!("(<= {l})"));
            if ratio.is_nan() {
                continue;
            }
            write!(line, "{ratio:>10.2} {limit:<9}").expect("a string takes everything");
        }
        if !self.agrees() {
            write!(line, "  WRONG by {:.1e}", self.distance).expect("a string takes everything");
        } else if self.is_slow() {
            line.push_str("  slow");
        }
        line.trim_end().to_owned()
    }
}

/// The table's head.
pub const HEADER: &str =
    concat!("case                            primal    gradient     by hand", "  gradient/primal     gradient/by hand");

/// A time with three digits and its unit.
fn duration(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s >= 1.0 => (s, "s"),
        s if s >= 1e-3 => (s * 1e3, "ms"),
        s if s >= 1e-6 => (s * 1e6, "us"),
        s => (s * 1e9, "ns"),
    };
    let digits = if value >= 100.0 { 0 } else { 1 + usize::from(value < 10.0) };
    format!("{value:.digits$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> Row {
        Row { name: "f".into(), primal: 1e-3, gradient: 3e-3, hand: 2.5e-3, distance: 0.0, limits: USUAL }
    }

    #[test]
    fn a_row_within_its_limits_says_nothing() {
        let line = row().line();
        assert!(line.contains("1.00 ms") && line.contains("3.00 (<= 4)") && line.contains("1.20 (<= 1.5)"), "{line}");
        assert!(!line.contains("slow") && !line.contains("WRONG"));
    }

    #[test]
    fn slow_and_wrong_rows_say_so() {
        assert!(Row { gradient: 5e-3, ..row() }.line().ends_with("slow"));
        assert!(Row { hand: 1e-3, ..row() }.is_slow());
        assert!(Row { distance: f64::NAN, ..row() }.line().contains("WRONG"));
    }

    #[test]
    fn a_row_without_one_by_hand_compares_with_the_function_alone() {
        let line = Row { hand: f64::NAN, ..row() }.line();
        assert!(line.contains("3.00 (<= 4)") && !line.contains("NaN") && !line.contains("slow"), "{line}");
    }

    #[test]
    fn json_has_no_numbers_that_json_does_not_have() {
        let json = Row { distance: f64::INFINITY, ..row() }.json();
        assert!(json.contains("\"distance\": null") && json.contains("\"primal\": 1e-3"), "{json}");
    }

    #[test]
    fn durations_have_three_digits() {
        assert_eq!([1.5, 0.0123, 123e-6, 4.56e-9].map(duration), ["1.50 s", "12.3 ms", "123 us", "4.56 ns"]);
    }
}
