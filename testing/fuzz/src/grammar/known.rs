//! Statements with functions out of tables, statics and thread locals.
use super::Writer;

impl Writer {
    /// A function that is called through a pointer.
    pub(super) fn pointer(&mut self) {
        // Differences say little of the sine of a large number.
        let a = format!("bounded({})", self.expression(1));
        let (b, v, n) = (self.float(), self.source(), self.count());
        let p = self.name("p");
        let (make, read) = match self.rng.u8(..6) {
            0 => (
                format!("let {p}: fn(f64) -> f64 = if {n} % 2 == 0 {{ f64::sin }} else {{ bounded }};"),
                format!("{p}({a}) + {p}({b})"),
            ),
            1 => (String::new(), format!("FUNCTIONS[{n} % 4]({a}) * {b}")),
            2 => (
                format!("let {p}: Vec<(fn(f64, f64) -> f64, f64)> = vec![(f64::max, {a}), (RULES[{n} % 3].of, {b})];"),
                format!("{p}.iter().map(|(f, t)| f(*t, 0.5)).sum::<f64>()"),
            ),
            3 => (format!("let {p} = picked({n});"), format!("{p}({a}) - {b}")),
            4 => (String::new(), format!("{v}.iter().copied().map(FUNCTIONS[{n} % 4]).sum::<f64>() * {a}")),
            _ => (format!("let {p} = Handler::new({n});"), format!("{p}.run({a})")),
        };
        self.line(&make);
        self.result(&read);
    }

    /// What is there beside the arguments.
    pub(super) fn known(&mut self) {
        let (a, b, v, n) = (self.expression(1), self.float(), self.source(), self.count());
        let read = match self.rng.u8(..7) {
            0 => format!("WEIGHTS[{n} % 5] * {a}"),
            1 => format!("{v}.iter().zip(&WEIGHTS).map(|(t, w)| t * w).sum::<f64>() + {a}"),
            2 => format!("rate() * {a} + RATE.with(|r| r.get()) * {b}"),
            3 => format!("{a} * noted({n}) as f64 + {b}"),
            4 => format!("with_rate(0.25, || rate() * {b}) + rate() * {a}"),
            5 => format!("NAMES[{n} % 3].len() as f64 * {a}"),
            _ => format!(
                "RULES.iter().filter(|r| r.name.len() > 4 + {n} % 4).map(|r| (r.of)({b}, 0.5)).sum::<f64>() + {a}"
            ),
        };
        self.result(&read);
    }
}
