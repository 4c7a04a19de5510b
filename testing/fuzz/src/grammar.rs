//! Random functions of a slice, as text.
//!
//! A function is made of statements over an environment of names that are in scope: floats, vectors of floats, and counters.
//! Values are kept of the order of one by `bounded` where they are named, so that differences mean something. Comparisons of
//! floats make jumps; points at jumps are rare, and the check forgives one.
mod composed;
mod features;
mod known;
mod made;
pub mod states;
pub mod variants;

use fastrand::Rng;

/// A function `f` of a seed and a number, with its derivatives.
pub fn function(seed: u64, number: usize, size: usize) -> String {
    written(seed, number, |writer| writer.statements(size))
}

/// The same of types that hold each other alone.
pub fn composed(seed: u64, number: usize, size: usize) -> String {
    written(seed, number, |writer| (0..size.div_ceil(4)).for_each(|_| writer.composed()))
}

fn written(seed: u64, number: usize, write: impl Fn(&mut Writer)) -> String {
    let rng =
        Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (number as u64).wrapping_mul(0xd1b5_4a32_d192_ed03));
    let mut writer = Writer { rng, text: String::new(), depth: 1, next: 0, scope: Scope::default(), kind: Kind::Slice };
    writer.scope.floats.push("x[0]".to_owned());
    let (kind, fields): (Kind, &[&str]) = match writer.rng.u8(..8) {
        0 => {
            let extra = "m.extra.as_deref().copied().unwrap_or(0.5)";
            (Kind::Model, &["m.bias", "m.pair.0", "m.pair.2[1]", "f64::from(m.narrow)", extra])
        }
        1 => (Kind::Layered, &["m.rate", "m.layers[1][0]", "m.layers[1][1]"]),
        2 | 3 => (Kind::InPlace, &[]),
        _ => (Kind::Slice, &[]),
    };
    writer.kind = kind;
    writer.scope.floats.extend(fields.iter().map(|field| (*field).to_owned()));
    write(&mut writer);
    let result = writer.summary();
    writer.line(&format!("bounded({result})"));
    let (head, tail) = frame(writer.kind);
    format!("{IMPORTS}{head}{}{tail}", writer.text)
}

const IMPORTS: &str = "use crate::composed::{self, Composed as _};\nuse crate::containers::*;\nuse crate::interrupt::may_panic;\nuse crate::known::*;\nuse crate::made::*;\nuse crate::prelude::*;\nuse cotangent::autodiff;\nuse std::borrow::Cow;\nuse std::cell::{Cell, RefCell};\nuse \
                       std::collections::{BTreeMap, HashMap, VecDeque};\nuse std::rc::Rc;\n\npub const SMOOTH: Option<fn(&[f64]) -> f64> = None;\n";

/// What a random function takes.
#[derive(Clone, Copy)]
enum Kind {
    /// A slice.
    Slice,
    /// A struct by reference, with a vector.
    Model,
    /// A struct by reference, with vectors in a vector.
    Layered,
    /// A slice that holds the result in the end.
    InPlace,
}

/// What stands before and after a body, down to the functions that every kind has: the value of a slice and its derivatives.
fn frame(kind: Kind) -> (String, String) {
    let (head, tail) = match kind {
        Kind::Slice => (SLICE, "}\n"),
        Kind::Model | Kind::Layered => (STRUCT_HEAD, STRUCT_TAIL),
        Kind::InPlace => (IN_PLACE_HEAD, IN_PLACE_TAIL),
    };
    let (name, slice) = if let Kind::Layered = kind { ("Layered", "layers[0]") } else { ("Model", "weights") };
    let filled = |text: &str| text.replace("STRUCT", name).replace("SLICE", slice);
    (filled(head), filled(tail))
}

const SLICE: &str = "
#[autodiff(reverse, Reverse, Duplicated, Active)]
#[autodiff(forward, Forward, Dual, Dual)]
pub fn f(x: &[f64]) -> f64 {
";

const STRUCT_HEAD: &str = "
#[autodiff(backward, Reverse, Duplicated, Active)]
#[autodiff(onward, Forward, Dual, Dual)]
fn of_struct(m: &STRUCT) -> f64 {
    let x: &[f64] = &m.SLICE;
";

const STRUCT_TAIL: &str = "}

pub fn f(x: &[f64]) -> f64 {
    of_struct(&STRUCT::of(x))
}

pub fn reverse(x: &[f64], g: &mut [f64], seed: f64) -> f64 {
    let mut shadow = STRUCT::shadow(&[0.0; N]);
    let value = backward(&STRUCT::of(x), &mut shadow, seed);
    shadow.add_to(g);
    value
}

pub fn forward(x: &[f64], u: &[f64]) -> (f64, f64) {
    onward(&STRUCT::of(x), &STRUCT::shadow(u))
}
";

const IN_PLACE_HEAD: &str = "
#[autodiff(backward, Reverse, Duplicated)]
#[autodiff(onward, Forward, Dual)]
fn in_place(z: &mut [f64]) {
    z[2] *= 0.5 + z[3] * z[3];
    z.swap(0, 5);
    let y = body(z);
    z[1] = z[0] * 0.5 + y;
    z[0] = y * z[1] + z[4];
}

fn body(x: &[f64]) -> f64 {
";

const IN_PLACE_TAIL: &str = "}

pub fn f(x: &[f64]) -> f64 {
    let mut z = x.to_vec();
    in_place(&mut z);
    z[0]
}

pub fn reverse(x: &[f64], g: &mut [f64], seed: f64) -> f64 {
    let (mut z, mut shadow) = (x.to_vec(), vec![0.0; N]);
    shadow[0] = seed;
    backward(&mut z, &mut shadow);
    g.iter_mut().zip(shadow).for_each(|(g, s)| *g += s);
    z[0]
}

pub fn forward(x: &[f64], u: &[f64]) -> (f64, f64) {
    let (mut z, mut shadow) = (x.to_vec(), u.to_vec());
    onward(&mut z, &mut shadow);
    (z[0], shadow[0])
}
";

/// Names that can be used.
#[derive(Clone, Default)]
struct Scope {
    floats: Vec<String>,
    mutable: Vec<String>,
    vectors: Vec<String>,
    counters: Vec<String>,
    in_closure: bool,
}

struct Writer {
    rng: Rng,
    text: String,
    depth: usize,
    next: usize,
    scope: Scope,
    kind: Kind,
}

impl Writer {
    fn line(&mut self, text: &str) {
        self.text += &"    ".repeat(self.depth);
        self.text += text;
        self.text.push('\n');
    }

    fn name(&mut self, prefix: &str) -> String {
        self.next += 1;
        format!("{prefix}{}", self.next)
    }

    fn pick(&mut self, from: &[String]) -> Option<String> {
        (!from.is_empty()).then(|| from[self.rng.usize(..from.len())].clone())
    }

    fn literal(&mut self) -> String {
        format!("{:.2}f64", 0.25 + 0.05 * (30.0 * self.rng.f64()).floor())
    }

    /// A number of iterations or an index, small.
    fn count(&mut self) -> String {
        let counters = self.scope.counters.clone();
        match self.rng.u8(..4) {
            0 => self.pick(&counters).unwrap_or_else(|| "2".to_owned()),
            1 => "x.len()".to_owned(),
            _ => self.rng.usize(1..5).to_string(),
        }
    }

    /// A vector in scope, that a mutation may change.
    fn vector(&mut self) -> Option<String> {
        let vectors = self.scope.vectors.clone();
        self.pick(&vectors)
    }

    fn float(&mut self) -> String {
        let floats = self.scope.floats.clone();
        match self.rng.u8(..5) {
            0 => format!("x[{}]", self.rng.usize(..6)),
            1 => self.literal(),
            _ => self.pick(&floats).unwrap_or_else(|| "x[1]".to_owned()),
        }
    }

    fn atom(&mut self) -> String {
        if self.scope.in_closure || self.rng.u8(..3) > 0 {
            return self.float();
        }
        let Some(v) = self.vector() else { return self.float() };
        let (i, c) = (self.count(), self.literal());
        match self.rng.u8(..14) {
            0..4 => format!("{v}[{i} % {v}.len()]"),
            4 => format!("{v}.iter().sum::<f64>()"),
            5 => format!("{v}.iter().map(|a| a.sin() * {c}).sum::<f64>()"),
            6 => format!("{v}.iter().fold({c}, |s, a| 0.5 * s + a)"),
            7 => format!("{v}.last().copied().unwrap_or({c})"),
            8 => format!("{v}.windows(2).map(|w| w[0] * w[1]).sum::<f64>()"),
            9 => format!("{v}.chunks(2).map(|c| c.iter().product::<f64>()).sum::<f64>()"),
            10 => format!("{v}.iter().rev().skip(1).step_by(2).sum::<f64>()"),
            11 => format!("{v}.iter().zip(x).map(|(a, b)| a * b).sum::<f64>()"),
            12 => format!("{v}.iter().filter(|a| **a > {c}).map(|a| a * a).sum::<f64>()"),
            _ => format!("halves(&{v})"),
        }
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.atom();
        }
        let a = self.expression(depth - 1);
        let b = self.atom();
        let n = self.rng.usize(..4);
        match self.rng.u8(..30) {
            0 => format!("({a} + {b})"),
            1 => format!("({a} - {b})"),
            2..5 => format!("({a} * {b})"),
            5 => format!("({a} / (1.5 + ({b}).sin()))"),
            6 => format!("({a}).sin()"),
            7 => format!("({a}).cos()"),
            8 => format!("({a}).tanh()"),
            9 => format!("({a}).sin().exp()"),
            10 => format!("(1.0 + ({a}) * ({b})).abs().sqrt()"),
            11 => format!("(1.5 + ({a}).sin()).ln()"),
            12 => format!("({a}).mul_add({b}, 0.5)"),
            13 => format!("({a}).hypot(2.0 + ({b}).sin())"),
            14 => format!("({a}).atan2(1.0 + ({b}).abs())"),
            15 => format!("({a}).powi({})", 2 + n as i32),
            16 => format!("({a}).max({b})"),
            17 => format!("f64::from(({b} > 0.5) as u8) * {a}"),
            18 => format!("chain({a}, {n})"),
            19 => format!("maybe({a}).unwrap_or({b})"),
            20 => format!("both({a}, {n}).unwrap_or(0.5)"),
            21 => format!("split({a}).1[{}]", n % 2),
            22 => format!("through(|t| t * {b}, {a})"),
            23 => {
                let b = self.float();
                format!("apply(&|t: f64| t * {b} + 0.5, {a})")
            }
            24 => format!("Shape::Circle({a}).grow(0.5).area()"),
            25 => {
                format!(
                    "Curve::Both(Box::new(Curve::Path(vec![{a}, 0.5])), Box::new(Curve::Path(vec![0.5, {b}]))).grow({b}).length()"
                )
            }
            26 => format!("Particle::new({a}, {n}).step({b}).energy()"),
            27 => format!("[{a}, {b}, 0.5].iter().map(|t| t * t).sum::<f64>()"),
            28 => format!("Linear({a}, {b}).twice(0.5)"),
            _ => format!("(if {} {{ {a} }} else {{ {b} }})", self.condition()),
        }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.atom(), self.literal());
        let n = self.count();
        match self.rng.u8(..4) {
            0 | 1 => format!("{a} > {b}"),
            2 => format!("{n} % 2 == 0"),
            _ => format!("{a} < {b} && {n} > 1"),
        }
    }

    fn statements(&mut self, count: usize) {
        for _ in 0..count {
            self.statement();
        }
    }

    /// Statements in braces, with their own names.
    fn block(&mut self, head: &str, count: usize) {
        self.line(head);
        let outer = self.scope.clone();
        self.depth += 1;
        if self.rng.u8(..3) == 0 {
            self.line("may_panic();");
        }
        self.statements(count);
        self.depth -= 1;
        self.scope = outer;
    }

    fn statement(&mut self) {
        let nested = self.depth < 4;
        match self.rng.u8(..50) {
            36.. => self.made(),
            24..36 => self.feature(),
            0..4 => self.declare_float(),
            4..7 => self.declare_vector(),
            7..9 => self.assign(),
            9..14 => self.change_vector(),
            14..16 if nested => self.repeat(),
            16 if nested => {
                let condition = self.condition();
                self.block(&format!("if {condition} {{"), 2);
                self.block("} else {", 1);
                self.line("}");
            }
            17 if nested => {
                let n = self.count();
                self.block(&format!("match {n} % 3 {{ 0 => {{"), 1);
                self.block("} 1 => {", 2);
                self.block("} _ => {", 1);
                self.line("} }");
            }
            18 => self.dynamic(),
            19 => self.shared(),
            20 => self.rows(),
            21 => self.particles(),
            22 => self.optional(),
            _ => self.declare_float(),
        }
    }

    fn declare(&mut self, name: String, value: &str) {
        self.line(&format!("let mut {name} = bounded({value});"));
        self.scope.mutable.push(name.clone());
        self.scope.floats.push(name);
    }

    fn declare_float(&mut self) {
        let depth = self.rng.usize(1..4);
        let value = self.expression(depth);
        let name = self.name("a");
        self.declare(name, &value);
    }

    fn declare_vector(&mut self) {
        let (a, n) = (self.expression(1), self.rng.usize(3..7));
        let old = self.vector().unwrap_or_else(|| "x.to_vec()".to_owned());
        let (b, i) = (self.float(), self.name("i"));
        let value = match self.rng.u8(..11) {
            0 => format!("vec![{a}; {n}]"),
            1 => "x.to_vec()".to_owned(),
            2 => format!("(0..{n}).map(|{i}| bounded({b} * {i} as f64)).collect()"),
            3 => format!("{old}.iter().map(|t| t.sin() * {b}).collect()"),
            4 => format!("{old}.clone()"),
            5 => format!("make({n}, {a})"),
            6 => format!("[&x[1..4], &[{a}, 0.5]].concat()"),
            7 => format!("x.iter().rev().copied().chain([{a}]).collect()"),
            8 => format!("x.iter().enumerate().map(|({i}, t)| t * ({i} as f64 + {b})).take(4).collect()"),
            9 => format!("{old}.iter().copied().zip(x.iter()).map(|(s, t)| s - {b} * t).collect()"),
            _ => format!("x.iter().scan({b}, |s, t| {{ *s = 0.5 * *s + t; Some(*s) }}).collect()"),
        };
        let name = self.name("v");
        self.line(&format!("let mut {name}: Vec<f64> = {value};"));
        self.scope.vectors.push(name);
    }

    fn assign(&mut self) {
        let mutable = self.scope.mutable.clone();
        let Some(name) = self.pick(&mutable) else { return self.declare_float() };
        let value = self.expression(2);
        match self.rng.u8(..3) {
            0 => self.line(&format!("{name} = bounded({value});")),
            1 => self.line(&format!("{name} += 0.5 * bounded({value});")),
            _ => self.line(&format!("{name} *= bounded({value});")),
        }
    }

    fn change_vector(&mut self) {
        let Some(v) = self.vector() else { return self.declare_vector() };
        let (new, i, j) = (self.expression(1), self.count(), self.count());
        let a = "new";
        let others: Vec<String> = self.scope.vectors.iter().filter(|other| **other != v).cloned().collect();
        let text = match self.rng.u8(..22) {
            0 => format!("{v}.push({a});"),
            1 => format!("{v}.extend_from_slice(&x[..3]);"),
            2 => format!("let at = {i} % {v}.len(); {v}[at] = {a};"),
            3 => format!("let at = {i} % {v}.len(); {v}[at] *= {a};"),
            4 => format!("let (p, q) = ({i} % {v}.len(), {j} % {v}.len()); {v}.swap(p, q);"),
            5 => format!("{v}.reverse();"),
            6 => format!("let by = {i} % {v}.len(); {v}.rotate_left(by);"),
            7 => format!("{v}.copy_within(0..2, 1);"),
            8 => format!("{v}.truncate(4);"),
            9 => format!("{v}.insert({i} % 3, {a});"),
            10 => format!("if {v}.len() > 3 {{ {v}.remove({i} % 3); }}"),
            11 => format!("{v}.sort_by(|p, q| p.total_cmp(q));"),
            12 => format!("for t in {v}.iter_mut() {{ *t = t.sin() + 0.5; }}"),
            13 => format!("{v}.retain(|t| *t > 0.2); {v}.extend([{a}, 0.5, x[2]]);"),
            14 => format!("let (p, q) = {v}.split_at_mut(1); p[0] += 0.5 * q[0]; q[1] = p[0] * q[0];"),
            15 => format!("smooth(&mut {v}, {a});"),
            16 => format!("let with = {a}; {v}.iter_mut().skip(1).for_each(|t| *t *= with);"),
            17 => format!("for pair in {v}.chunks_mut(2) {{ pair[0] = pair.iter().sum::<f64>() * 0.5; }}"),
            18 => match self.pick(&others) {
                Some(w) => format!("std::mem::swap(&mut {v}, &mut {w});"),
                None => format!("{v}.fill({a});"),
            },
            19 => format!("let old = std::mem::take(&mut {v}); {v} = old.into_iter().map(|t| t * 0.75).collect();"),
            20 => format!("let last = {v}.pop().unwrap_or(0.5); {v}.insert(0, last); {v}.push(last * {a});"),
            _ => match self.pick(&others) {
                Some(w) => format!("for (p, q) in {v}.iter_mut().zip(&{w}) {{ *p = bounded(*p - q * {i} as f64); }}"),
                None => format!(
                    "{v}.dedup_by(|p, q| (*p - *q).abs() < 1e-9); {v}.push({a}); {v}.push(0.5); {v}.push(x[0]);"
                ),
            },
        };
        self.line(&format!("{{ let new = bounded({new}); {text} }}"));
    }

    fn repeat(&mut self) {
        let (i, n, a) = (self.name("i"), self.count(), self.float());
        let enter = |writer: &mut Writer, head: String, counter: Option<String>| {
            let outer = writer.scope.clone();
            writer.line(&head);
            writer.scope.counters.extend(counter);
            writer.depth += 1;
            let count = writer.rng.usize(1..4);
            writer.statements(count);
            outer
        };
        let (outer, tail) = match self.rng.u8(..5) {
            0 | 1 => (enter(self, format!("for {i} in 0..{n} {{"), Some(i.clone())), String::new()),
            2 => (enter(self, format!("for {i} in (1..={n}).rev() {{"), Some(i.clone())), String::new()),
            3 => {
                self.line(&format!("let mut {i} = 0usize;"));
                let outer = enter(self, format!("while {i} < {n} {{"), Some(i.clone()));
                (outer, format!("{i} += 1;"))
            }
            _ => {
                self.line(&format!("let mut {i} = 0usize;"));
                let mut outer = enter(self, "loop {".to_owned(), Some(i.clone()));
                outer.counters.push(i.clone());
                (outer, format!("{i} += 1; if {i} > 5 || {a} > 0.5 * {i} as f64 {{ break; }}"))
            }
        };
        if !tail.is_empty() {
            self.line(&tail);
        }
        self.depth -= 1;
        self.scope = outer;
        self.line("}");
    }

    fn dynamic(&mut self) {
        let (a, b, c, n) = (self.float(), self.float(), self.float(), self.count());
        let name = self.name("f");
        match self.rng.u8(..4) {
            0 => self.line(&format!(
                "let {name}: Box<dyn Fn(f64) -> f64> = if {n} % 2 == 0 {{ let k = {a}; Box::new(move |t| t * k) }} else {{ let k = \
                 {b}; Box::new(move |t| (t + k).sin()) }};"
            )),
            1 => self.line(&format!(
                "let terms: Vec<Box<dyn Term>> = vec![Box::new(Linear({a}, {b})), Box::new(Wave {{ frequency: {c} }})]; let {name} = \
                 |t: f64| terms.iter().map(|term| term.twice(t)).sum::<f64>();"
            )),
            2 => self.line(&format!(
                "let {name} = {{ let (p, q) = ({a}, {b}); move |t: f64| if t > q {{ p * t }} else {{ q - t * t }} }};"
            )),
            _ => self.line(&format!(
                "let {name}: &dyn Fn(f64) -> f64 = if {n} % 3 == 0 {{ &f64::sin }} else {{ &|t: f64| t * 0.5 + 0.25 }};"
            )),
        }
        let result = self.name("a");
        self.declare(result, &format!("{name}({c}) + {name}({a} * 0.5)"));
    }

    fn shared(&mut self) {
        let (a, b) = (self.expression(1), self.float());
        let name = self.name("s");
        let value = match self.rng.u8(..4) {
            0 => {
                self.line(&format!("let {name} = Cell::new({a}); {name}.set({name}.get() * {b});"));
                format!("{name}.get()")
            }
            1 => {
                self.line(&format!("let {name} = RefCell::new(vec![{a}, 0.5]); {name}.borrow_mut().push({b});"));
                format!("{name}.borrow().iter().map(|t| t * t).sum::<f64>()")
            }
            2 => {
                self.line(&format!(
                    "let {name} = Rc::new(RefCell::new({a})); let other = Rc::clone(&{name}); *other.borrow_mut() *= {b};"
                ));
                format!("{name}.replace(0.5) + *other.borrow()")
            }
            _ => {
                self.line(&format!(
                    "let mut {name}: VecDeque<f64> = x.iter().copied().collect(); {name}.push_front({a}); {name}.pop_back(); \
                     {name}.rotate_left(2);"
                ));
                format!("{name}.iter().zip(x).map(|(s, t)| s * t * {b}).sum::<f64>()")
            }
        };
        let result = self.name("a");
        self.declare(result, &value);
    }

    fn rows(&mut self) {
        let (a, b, n) = (self.expression(1), self.float(), self.rng.usize(2..5));
        let name = self.name("m");
        self.line(&format!(
            "let mut {name}: Vec<Vec<f64>> = (0..{n}).map(|i| (0..=i).map(|j| x[(i + j) % 6] * {b}).collect()).collect();"
        ));
        let change = match self.rng.u8(..4) {
            0 => format!("{name}.swap(0, 1);"),
            1 => format!("{name}[1].push({a});"),
            2 => format!("let row = {name}.remove(0); {name}.push(row);"),
            _ => format!("for row in {name}.iter_mut() {{ let s: f64 = row.iter().sum(); row[0] -= 0.5 * s * {a}; }}"),
        };
        self.line(&format!("{{ {change} }}"));
        let result = self.name("a");
        self.declare(result, &format!("{name}.iter().map(|row| row.iter().product::<f64>()).sum::<f64>()"));
    }

    fn particles(&mut self) {
        let (a, b, n) = (self.expression(1), self.float(), self.rng.usize(2..4));
        let name = self.name("p");
        self.line(&format!(
            "let mut {name}: Vec<Particle> = (0..{n}).map(|k| Particle::new(x[k] * {a}, k as u8)).collect();"
        ));
        let change = match self.rng.u8(..4) {
            0 => format!("let copy = {name}[0]; {name}.push(copy);"),
            1 => format!("{name}.swap(0, 1); {name}[0].mass = {b};"),
            2 => format!("for p in {name}.iter_mut() {{ p.step({b}); }}"),
            _ => format!("{name}[1] = Particle {{ mass: {b}, ..{name}[0] }};"),
        };
        self.line(&format!("{{ {change} }}"));
        let result = self.name("a");
        self.declare(result, &format!("{name}.iter().map(Particle::energy).sum::<f64>()"));
    }

    fn optional(&mut self) {
        let (a, b, condition) = (self.expression(1), self.float(), self.condition());
        let name = self.name("o");
        self.line(&format!("let {name}: Option<f64> = if {condition} {{ Some({a}) }} else {{ None }};"));
        let value = match self.rng.u8(..4) {
            0 => format!("{name}.map_or({b}, |t| t * t)"),
            1 => format!("{name}.or(Some({b})).into_iter().chain([0.5]).sum::<f64>()"),
            2 => format!("match {name} {{ Some(t) if t > 0.5 => t.sin(), Some(t) => t * {b}, None => 0.25 }}"),
            _ => format!("{name}.and_then(maybe).unwrap_or({b})"),
        };
        let result = self.name("a");
        self.declare(result, &value);
    }

    /// All names in scope at the end.
    fn summary(&mut self) -> String {
        let floats =
            self.scope.floats.iter().enumerate().map(|(k, name)| format!("{:.2} * {name}", 1.0 / (k as f64 + 1.0)));
        let vectors = self.scope.vectors.iter().map(|v| format!("{v}.iter().map(|t| bounded(t * 0.5)).sum::<f64>()"));
        floats.chain(vectors).collect::<Vec<_>>().join(" + ")
    }
}
