//! Statements about types that hold each other in any order.
use super::Writer;

/// Types that hold none.
const LEAVES: [&str; 9] = [
    "usize",
    "f64",
    "f64",
    "String",
    "composed::Row",
    "composed::Table",
    "composed::Table",
    "composed::Slot",
    "Cell<f64>",
];

impl Writer {
    /// Makes something of constants, changes it some times, and sums it up.
    pub(super) fn composed(&mut self) {
        let depth = self.rng.usize(1..4);
        let ty = self.composed_type(depth);
        let (a, b, k) = (self.expression(1), self.float(), self.count());
        let (c, d) = (self.name("c"), self.name("d"));
        let make = match self.rng.u8(..5) {
            0 => format!("let mut {c} = <{ty} as composed::Composed>::made({k});"),
            1 => format!("let (n, mut {c}) = composed::counted::<{ty}>({k}); {c}.turn(n, {a});"),
            2 => format!("let mut {c} = composed::handed::<{ty}>({k});"),
            3 => format!("let mut {c}: {ty} = composed::turned({k}, {a});"),
            _ => format!(
                "let mut {c} = composed::tried::<{ty}>({k}).unwrap_or_else(|text| composed::Composed::made(text.len()));"
            ),
        };
        self.line(&make);
        self.line(&format!("let mut {d} = {c}.count();"));
        for _ in 0..self.rng.usize(2..6) {
            let (a, b, k) = (format!("(x[{}] + 0.5 * {})", self.next % 6, self.atom()), self.float(), self.count());
            let change = match self.rng.u8(..10) {
                0..4 => format!("{c}.fill({a});"),
                4..6 => format!("{c}.turn({k}, {b});"),
                6 => format!(
                    "let old = composed::refilled(&mut {c}, {k}, {a}); {d} += old.count() % 4; {c}.fill(old.total());"
                ),
                7 => format!(
                    "let mut other = composed::turned({k}, {b}); composed::one_of({d}, &mut {c}, &mut other).fill({a}); {c}.turn({k}, other.total());"
                ),
                8 => format!("let mut list = vec![{c}]; list.fill({a}); list.turn({k}, {b}); {c} = list.remove(0);"),
                _ => format!("let t = {c}.total(); {c}.turn({d}, t * {b}); {d} += 1;"),
            };
            self.changed(&change);
        }
        let name = self.name("a");
        self.declare(name, &format!("{c}.total() + ({d} % 7) as f64 * {b} + {a}"));
    }

    fn composed_type(&mut self, depth: usize) -> String {
        if depth == 0 {
            return LEAVES[self.rng.usize(..LEAVES.len())].to_owned();
        }
        let one = self.composed_type(depth - 1);
        match self.rng.u8(..12) {
            0..2 => format!("Vec<{one}>"),
            2 => format!("VecDeque<{one}>"),
            3 => format!("Box<{one}>"),
            4 => format!("Option<{one}>"),
            5 => format!("Rc<RefCell<{one}>>"),
            6 => format!("BTreeMap<u32, {one}>"),
            7 => format!("HashMap<u32, {one}>"),
            other => {
                let less = self.rng.usize(..depth);
                let two = self.composed_type(less);
                match other {
                    8 => format!("({one}, {two})"),
                    9 | 10 => format!("composed::Held<{one}, {two}>"),
                    _ => format!("composed::Either<{one}, {two}>"),
                }
            }
        }
    }
}
