//! Statements that change what calls have made of constants.
use super::Writer;

impl Writer {
    /// One of them.
    pub(super) fn made(&mut self) {
        match self.rng.u8(..9) {
            0 => self.made_vectors(),
            1 => self.made_items(),
            2 => self.made_small(),
            3 => self.made_lists(),
            4 => self.made_branches(),
            5 => self.made_cells(),
            6 => self.made_layers(),
            7 => self.made_inactive(),
            _ => self.made_choices(),
        }
    }

    /// Makes something, changes it some times, and reads it.
    fn made_as(&mut self, make: &str, changes: &[String], read: &str) {
        self.line(make);
        for _ in 0..self.rng.usize(1..4) {
            let change = changes[self.rng.usize(..changes.len())].clone();
            self.changed(&change);
        }
        let name = self.name("a");
        self.declare(name, read);
    }

    /// A change as it is, in a branch, or some times.
    pub(super) fn changed(&mut self, change: &str) {
        match self.rng.u8(..4) {
            0 => {
                let condition = self.condition();
                self.line(&format!("if {condition} {{ {change} }}"));
            }
            1 => {
                let n = self.count();
                self.line(&format!("for _ in 0..{n} {{ {change} }}"));
            }
            _ => self.line(&format!("{{ {change} }}")),
        }
    }

    fn made_vectors(&mut self) {
        let (a, b, k) = (self.expression(1), self.float(), self.count());
        let v = self.name("v");
        match self.rng.u8(..3) {
            0 => {
                let make = ["table()", "zeros(3)", "reused(table(), 1)", "rows().concat()"][self.rng.usize(..4)];
                let changes = [
                    format!("{v}[1] = {a};"),
                    format!("filled(&mut {v}, {a});"),
                    format!("{v}.push({a});"),
                    format!("let w = std::mem::replace(&mut {v}, zeros(2)); {v}[1] = total(&w) * {b};"),
                    format!("{v} = reused({v}, {k}); {v}[0] *= {b};"),
                    format!("{v}.extend(averages(x, {k}));"),
                ];
                self.made_as(&format!("let mut {v} = {make};"), &changes, &format!("total(&{v})"));
            }
            1 => {
                let changes = [
                    format!("{v}[0][1] = {a};"),
                    format!("{v}.push(x.to_vec());"),
                    format!("{v}[1] = zeros(2); filled(&mut {v}[1], {b});"),
                    format!("{v}.swap(0, 1); {v}[0].push({a});"),
                    format!("let w = {v}.remove(0); {v}.push(w.iter().map(|t| t * {b}).collect());"),
                    format!("for row in &mut {v} {{ filled(row, {a}); }}"),
                ];
                let read = format!("{v}.iter().map(|v| total(v)).sum::<f64>()");
                self.made_as(&format!("let mut {v} = rows();"), &changes, &read);
            }
            _ => {
                let changes = [
                    format!("{v}[0][1] = {a};"),
                    format!("{v}.push([{a}, 0.5, {b}]);"),
                    format!("for t in {v}.iter_mut() {{ t[2] += {b} * t[0]; }}"),
                    format!("let last = {v}.pop().unwrap_or([0.5; 3]); {v}.insert(0, last.map(|t| t * {a}));"),
                ];
                let read = format!("{v}.iter().map(|v| total(v)).sum::<f64>()");
                self.made_as(&format!("let mut {v} = arrays({k} + 1);"), &changes, &read);
            }
        }
    }

    fn made_items(&mut self) {
        let (a, b, k, l) = (self.expression(1), self.float(), self.count(), self.count());
        let i = self.name("i");
        if self.rng.bool() {
            let changes = [
                format!("{i}.change({a});"),
                format!("{i} = {i}.replaced({a});"),
                format!("{i} = Item::Pair(Box::new(({i}.clone(), Item::constant({l}))));"),
                format!(
                    "let old = std::mem::replace(&mut {i}, Item::Number({b})); {i} = Item::Many(vec![old, Item::Number({a})]);"
                ),
                format!(
                    "if let Item::Named {{ value, .. }} = &mut {i} {{ *value *= {a}; }} else {{ {i}.change({b}); }}"
                ),
                format!(
                    "{i} = Item::parse([\"\", \"x\", \"list\", \"0.5\", \"y\"][{l} % 5], {a}).unwrap_or_else(|error| Item::Text(error));"
                ),
            ];
            let read = format!("{i}.value() + {i}.number().copied().unwrap_or({b})");
            self.made_as(&format!("let mut {i} = Item::constant({k});"), &changes, &read);
        } else {
            let changes = [
                format!("{i}.iter_mut().for_each(|item| item.change({a}));"),
                format!("{i}.push(Item::Number({a}));"),
                format!("{i}.rotate_left(1); {i}[0] = Item::constant({l});"),
                format!("{i} = {i}.into_iter().map(|item| item.replaced({b})).collect();"),
                format!("{i}.retain(|item| *item != Item::Nothing); {i}.push(Item::List(x.to_vec()));"),
                format!("let copy = {i}[0].clone(); {i}.insert(1, copy); {i}[1].change({b});"),
                format!(
                    "match first_good(&[\"x\", \"0.25\", [\"list\", \"\"][{l} % 2]], {a}) {{ Ok(more) => {i}.extend(more), Err(text) => {i}.push(Item::Text(text)) }}"
                ),
            ];
            let read = format!("{i}.iter().map(Item::value).sum::<f64>()");
            self.made_as(
                &format!("let mut {i}: Vec<Item> = (0..{}).map(Item::constant).collect();", self.next % 5 + 2),
                &changes,
                &read,
            );
        }
    }

    fn made_small(&mut self) {
        let (a, b, k, l) = (self.expression(1), self.float(), self.count(), self.count());
        let s = self.name("s");
        if self.rng.bool() {
            let changes = [
                format!("{s}.change({a});"),
                format!("let old = {s}; {s} = small({l}); {s}.change(old.value());"),
                format!("if let Small::Both(t, _) = &mut {s} {{ *t = {b}; }}"),
            ];
            self.made_as(&format!("let mut {s} = small({k});"), &changes, &format!("{s}.value()"));
        } else {
            let changes = [
                format!("{s}.iter_mut().for_each(|s| s.change({a}));"),
                format!("{s}.push(Small::Float({a}));"),
                format!("{s}.reverse(); {s}[0] = Small::Both({b}, 2);"),
                format!("{s}.sort_by_key(|s| matches!(s, Small::Float(_)));"),
            ];
            let read = format!("{s}.iter().map(Small::value).sum::<f64>()");
            self.made_as(&format!("let mut {s}: Vec<Small> = (0..5).map(small).collect();"), &changes, &read);
        }
    }

    fn made_lists(&mut self) {
        let (a, b, k) = (self.expression(1), self.float(), self.count());
        let l = self.name("l");
        let changes = [
            format!("add(&mut {l}, {a});"),
            format!("{l} = turned({l});"),
            format!("if let Some(node) = &mut {l} {{ node.value *= {b}; }}"),
            format!("{l} = Some(Box::new(Node {{ value: {a}, next: {l} }}));"),
            format!("if let Some(node) = {l}.take() {{ {l} = node.next; }}"),
            format!("if let Some(node) = {l}.as_mut().and_then(|node| node.next.as_mut()) {{ node.value = {a}; }}"),
        ];
        self.made_as(&format!("let mut {l} = nodes({k});"), &changes, &format!("folded(&{l})"));
    }

    fn made_branches(&mut self) {
        let (a, b, k) = (self.expression(1), self.float(), self.count());
        let t = self.name("t");
        let changes = [
            format!("{t}.insert({k} as i32 * 2, {a});"),
            format!("if let Some(value) = {t}.find(3) {{ *value *= {b}; }}"),
            format!("*{t}.find(5).unwrap_or(&mut 0.5) = {a};"),
            format!("{t}.value = {t}.left.as_ref().map_or({a}, |left| left.value * {b});"),
            format!("std::mem::swap(&mut {t}.left, &mut {t}.right);"),
            format!("if let Some(right) = {t}.right.take() {{ {t} = *right; {t}.value += {a}; }}"),
        ];
        self.made_as(&format!("let mut {t} = Branch::of_keys(&[4, 1, 3, 7, 5]);"), &changes, &format!("{t}.sum()"));
    }

    fn made_cells(&mut self) {
        let (a, b, k) = (self.expression(1), self.float(), self.count());
        let c = self.name("c");
        match self.rng.u8(..3) {
            0 => {
                let changes = [
                    format!("let t = {c}.ask({k} as u32 % 3, {a}); {c}.last.set({c}.last.get() + 0.5 * t);"),
                    format!("{c}.seen.borrow_mut()[0] = {a};"),
                    format!(
                        "let old = {c}.seen.replace(table()); {c}.seen.borrow_mut().extend(old.iter().map(|t| t * {b}));"
                    ),
                    format!("if let Some(t) = {c}.names.borrow_mut().get_mut(&1) {{ *t *= {a}; }}"),
                ];
                let read = format!("total(&{c}.seen.borrow()) + {c}.last.get() + {c}.hits.get() as f64 * {b}");
                self.made_as(&format!("let {c} = Cache::new(2);"), &changes, &read);
            }
            1 => {
                let changes = [
                    format!("{c}[0].set({a});"),
                    format!("{c}.iter().for_each(|c| c.set(c.get() * {b}));"),
                    format!("{c}[1] = Rc::clone(&{c}[0]);"),
                    format!("{c}.push(Rc::new(Cell::new({a})));"),
                ];
                let read = format!("{c}.iter().map(|c| c.get()).sum::<f64>()");
                self.made_as(&format!("let mut {c} = cells(4);"), &changes, &read);
            }
            _ => {
                let changes = [
                    format!("let mut guard = Guard {{ values: table(), out: &{c} }}; guard.values[1] = {a};"),
                    format!(
                        "let guard = Guard {{ values: vec![{a}, {b}], out: &{c} }}; let other = Guard {{ values: zeros(2), out: &{c} }}; drop(guard);"
                    ),
                    format!("{c}.set({c}.get() * {b});"),
                ];
                self.made_as(&format!("let {c} = Cell::new(0.5);"), &changes, &format!("{c}.get()"));
            }
        }
    }

    fn made_layers(&mut self) {
        let (a, b, k) = (self.expression(1), self.float(), self.count());
        let n = self.name("n");
        let make = ["Layer::constant(3)", "random_layer(3)"][self.rng.usize(..2)];
        let changes = [
            format!("{n}.weights[1][0] = {a};"),
            format!("{n}.bias[0] *= {b}; {n}.scale += {a};"),
            format!("{n}.weights.push(x.to_vec());"),
            format!("{n} = {n}.clone(); {n}.name.push('x');"),
            format!("let other = Layer {{ scale: {a}, ..{n}.clone() }}; {n}.bias = other.apply(x).into();"),
            format!(
                "let m = Layer::constant({k} + 1); {n}.weights.extend(m.weights); {n}.bias = [&{n}.bias[..], &m.bias].concat().into();"
            ),
        ];
        let read = format!("total(&{n}.apply(&x[{}..])) + {n}.name.len() as f64 * {b}", self.next % 3);
        self.made_as(&format!("let mut {n} = {make};"), &changes, &read);
    }

    fn made_inactive(&mut self) {
        let (a, b, k) = (self.expression(1), self.float(), self.count());
        let v = self.name("v");
        let changes = [
            format!("{v}.iter_mut().for_each(|t| *t = *t * {a} + {b});"),
            format!("{v}.extend(noise({k} + 1)); {v}[0] = {a};"),
            format!(
                "match counted({k}) {{ Ok(mut more) => {{ more[0] *= {a}; {v}.append(&mut more); }} Err(text) => {v}[0] *= text.len() as f64 }}"
            ),
            format!("let w = std::mem::replace(&mut {v}, noise(3)); {v}[1] += total(&w);"),
        ];
        self.made_as(&format!("let mut {v} = noise({k} + 2);"), &changes, &format!("total(&{v})"));
    }

    fn made_choices(&mut self) {
        let (a, b, k, l) = (self.expression(1), self.float(), self.count(), self.count());
        let (v, w) = (self.name("v"), self.name("w"));
        let changes = [
            format!("chosen({k}, &mut {v}, &mut {w})[0] = {a};"),
            format!("let c = chosen({l}, &mut {v}, &mut {w}); c.push({b}); filled(c, {a});"),
            format!("let c = if {k} % 2 == 0 {{ &{v} }} else {{ &{w} }}; let t = total(c); {v}[1] = t;"),
            format!("std::mem::swap(&mut {v}, &mut {w});"),
            format!("{v} = if {k} % 2 == 0 {{ {w}.clone() }} else {{ table() }};"),
        ];
        let read = format!("total(&{v}) + 0.5 * total(&{w})");
        self.made_as(&format!("let (mut {v}, mut {w}) = (table(), x.to_vec());"), &changes, &read);
    }
}
