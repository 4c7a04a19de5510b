//! Random types: enums of random payloads, made of the inputs, moved about in containers, and summed up.
//!
//! A file has its body twice: once with derivatives, with `Narrow` for `f32` or `f64`, and once without, with `f64`, for the differences, which mean little
//! in `f32`. All is smooth, and no choice depends on an input.
mod nested;

use fastrand::Rng;
use std::fmt::Write;

/// A function `f` of random types, with its derivatives, and the same in `f64` alone where it has `f32`.
pub fn function(seed: u64, number: usize) -> String {
    let mut types = Types::new(seed, number, &PAYLOADS);
    let narrow = if types.rng.u8(..3) == 0 { "f64" } else { "f32" };
    types.written(narrow)
}

/// The same of enums that hold enums of floats and owners ([`nested::PAYLOADS`]).
pub fn nested(seed: u64, number: usize) -> String {
    Types::new(seed, number, &nested::PAYLOADS).written("f64")
}

const IMPORTS: &str = "use crate::nested::*;\nuse crate::prelude::bounded;\nuse cotangent::autodiff;\nuse std::collections::{BTreeMap, VecDeque};\nuse std::rc::Rc;\n";

/// What a variant may hold: its fields, a value of it made of `v: f64` and `i: usize`, what it counts for as `a`, `b`, and what changes it.
#[derive(Clone, Copy)]
struct Payload {
    fields: &'static str,
    made: &'static str,
    pattern: &'static str,
    value: &'static str,
    changed: &'static str,
}

const fn payload(
    fields: &'static str,
    made: &'static str,
    pattern: &'static str,
    value: &'static str,
    changed: &'static str,
) -> Payload {
    Payload { fields, made, pattern, value, changed }
}

const PAYLOADS: [Payload; 24] = [
    payload("", "", "", "0.5", ""),
    payload("(f64)", "(v * 1.5)", "(a)", "a * a", "*a *= by;"),
    payload("(Narrow)", "(v as Narrow)", "(a)", "f64::from(a * a)", "*a *= by as Narrow;"),
    payload("(u32)", "(i as u32)", "(a)", "f64::from(*a)", "*a += 1;"),
    payload("(usize)", "(i)", "(a)", "*a as f64 * 0.5", "*a += 1;"),
    payload("(bool)", "(i % 2 == 0)", "(a)", "if *a { 0.25 } else { 0.75 }", "*a = !*a;"),
    payload("(u8, u16)", "(i as u8, 7)", "(a, b)", "f64::from(*a) + f64::from(*b)", "*b += u16::from(*a);"),
    payload("(String)", "(format!(\"text {i}\"))", "(a)", "a.len() as f64 * 0.125", "a.push('!');"),
    payload("(Vec<f64>)", "(vec![v, 0.5, v * v])", "(a)", "a.iter().sum::<f64>()", "a.push(by);"),
    payload(
        "(Vec<Narrow>)",
        "(vec![v as Narrow; i % 3])",
        "(a)",
        "f64::from(a.iter().map(|t| t * t).sum::<Narrow>())",
        "a.push(by as Narrow);",
    ),
    payload("(Box<f64>)", "(Box::new(v))", "(a)", "a.sin()", "**a *= by;"),
    payload("(Box<Narrow>)", "(Box::new(v as Narrow))", "(a)", "f64::from(a.sin())", "**a *= by as Narrow;"),
    payload("(f64, u8)", "(v, i as u8)", "(a, b)", "a * f64::from(*b)", "*a += by; *b += 1;"),
    payload("(Narrow, u16)", "(v as Narrow, 3)", "(a, b)", "f64::from(*a) * f64::from(*b)", "*a += by as Narrow;"),
    payload("(Narrow, f64)", "(v as Narrow, v * 0.5)", "(a, b)", "f64::from(*a) * b", "*a += by as Narrow; *b *= by;"),
    payload("([Narrow; 2])", "([v as Narrow, 0.5])", "(a)", "f64::from(a[0] * a[1])", "a.swap(0, 1);"),
    payload(
        "([Narrow; 3])",
        "([0.5, v as Narrow, 1.5])",
        "(a)",
        "f64::from(a[0] * a[1] + a[2])",
        "a[2] *= by as Narrow;",
    ),
    payload(
        " { name: String, weight: Narrow }",
        " { name: format!(\"n{i}\"), weight: v as Narrow }",
        " { name: b, weight: a }",
        "f64::from(*a) * b.len() as f64",
        "*a += by as Narrow; b.push('x');",
    ),
    payload(
        " { count: u32, weight: f64 }",
        " { count: i as u32 + 1, weight: v }",
        " { count: b, weight: a }",
        "a * f64::from(*b)",
        "*a += by; *b += 1;",
    ),
    payload(
        "(Option<Narrow>)",
        "((i % 2 == 0).then_some(v as Narrow))",
        "(a)",
        "a.map_or(0.25, |t| f64::from(t * t))",
        "*a = Some(by as Narrow);",
    ),
    payload("(Option<f64>)", "((i % 3 > 0).then_some(v))", "(a)", "a.unwrap_or(0.5) * 0.5", "*a = a.map(|t| t * by);"),
    payload(
        "(Result<Narrow, String>)",
        "(if i % 2 == 0 { Ok(v as Narrow) } else { Err(i.to_string()) })",
        "(a)",
        "match a { Ok(t) => f64::from(t * t), Err(e) => e.len() as f64 }",
        "if let Ok(t) = a { *t *= by as Narrow; }",
    ),
    payload("(Rc<f64>)", "(Rc::new(v))", "(a)", "a.cos()", "*a = Rc::new(**a * by);"),
    payload("(i8)", "(i as i8 - 3)", "(a)", "f64::from(*a)", "*a -= 1;"),
];

/// Payloads of the enum itself, that end where `i` does.
const RECURSIVE: [Payload; 3] = [
    payload("(Box<Item>)", "(Box::new(made(i / 2, v * 0.5)))", "(a)", "of(a) * 0.5", "change(a, by);"),
    payload(
        "(Vec<Item>)",
        "((0..i % 3).map(|k| made(k, v + k as f64)).collect())",
        "(a)",
        "a.iter().map(of).sum::<f64>()",
        "a.iter_mut().for_each(|a| change(a, by));",
    ),
    payload(
        "(Box<(Item, Narrow)>)",
        "(Box::new((made(i / 2, v * 0.5), v as Narrow)))",
        "(a)",
        "of(&a.0) * f64::from(a.1)",
        "a.1 *= by as Narrow; change(&mut a.0, by);",
    ),
];

/// What is done with `all: Vec<Item>`; `K` is a small number, `Y` an input.
const MOVES: [&str; 26] = [
    "let copy = all.clone(); all.extend(copy);",
    "if let Some(last) = all.pop() { all.insert(0, last); }",
    "all.reverse();",
    "let n = all.len().max(1); all.rotate_left(K % n);",
    "let n = all.len(); if n > 1 { all.swap(0, n - 1); }",
    "let mut k = 0; all.retain(|_| { k += 1; k % 4 != 2 });",
    "all = all.into_iter().map(|a| changed(a, Y)).collect();",
    "all.iter_mut().for_each(|a| change(a, Y));",
    "let rest = all.split_off(all.len() / 2); all = rest.into_iter().chain(all).collect();",
    "let mut queue: VecDeque<Item> = all.drain(..).collect(); for _ in 0..K { if let Some(a) = queue.pop_front() { queue.push_back(a); } } all = queue.into();",
    "let boxed: Vec<Box<Item>> = all.into_iter().map(Box::new).collect(); all = boxed.into_iter().map(|a| *a).collect();",
    "all.sort_by_key(kind);",
    "all.sort_by(|a, b| kind(b).cmp(&kind(a)));",
    "if !all.is_empty() { let old = std::mem::replace(&mut all[0], made(K, Y)); all.push(old); }",
    "let held = all.first().cloned(); if let Some(a) = held { all.push(a); }",
    "let mut by_key: BTreeMap<usize, Item> = all.into_iter().enumerate().collect(); by_key.remove(&K); all = by_key.into_values().collect();",
    "let shared: Vec<Rc<Item>> = all.into_iter().map(Rc::new).collect(); all = shared.iter().map(|a| (**a).clone()).collect();",
    "let pairs: Vec<(Item, Narrow)> = all.into_iter().map(|a| (a, Y as Narrow)).collect(); sum += pairs.iter().map(|(_, w)| f64::from(w * w)).sum::<f64>(); all = pairs.into_iter().map(|(a, _)| a).collect();",
    "let mut slots: Vec<Option<Item>> = all.into_iter().map(Some).collect(); if slots.len() > 1 { slots[1] = None; } all = slots.into_iter().flatten().collect();",
    "let records: Vec<Record> = all.into_iter().enumerate().map(|(k, item)| Record { weight: Y as Narrow, item, kind: k as u16 }).collect(); sum += records.iter().map(weighed).sum::<f64>(); all = records.into_iter().map(|r| r.item).collect();",
    "match tried(all, K) { Ok(good) => all = good, Err(text) => { sum += text.len() as f64; all = vec![made(K, Y)]; } }",
    "all.push(made(K, Y));",
    "all.extend((0..K).map(|k| made(k, Y * k as f64)));",
    "let mut stack = vec![]; while let Some(a) = all.pop() { stack.push(a); } all = stack;",
    "let (even, odd): (Vec<_>, Vec<_>) = all.into_iter().partition(|a| kind(a) % 2 == 0); all = odd; all.extend(even);",
    "all.truncate(K + 2); all.dedup_by_key(|a| kind(a));",
];

struct Types {
    rng: Rng,
    /// What variants are taken from.
    pool: &'static [Payload],
    payloads: Vec<Payload>,
}

impl Types {
    fn new(seed: u64, number: usize, pool: &'static [Payload]) -> Types {
        let mixed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (number as u64).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        Types { rng: Rng::with_seed(mixed), pool, payloads: Vec::new() }
    }

    /// The file.
    fn written(mut self, narrow: &str) -> String {
        let body = self.body();
        let derived = "#[autodiff(reverse, Reverse, Duplicated, Active)]\n#[autodiff(forward, Forward, Dual, Dual)]\n";
        let indented = |derived: &str, narrow: &str| {
            let text = format!("{IMPORTS}pub type Narrow = {narrow};\n\n{}", body.replace("DERIVED\n", derived));
            text.lines()
                .map(|line| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") })
                .collect::<String>()
        };
        let smooth = if narrow == "f32" { "Some(wide::f)" } else { "None" };
        format!(
            "mod types {{\n{}}}\nmod wide {{\n{}}}\npub use types::{{f, forward, reverse}};\npub const SMOOTH: Option<fn(&[f64]) -> f64> = {smooth};\n",
            indented(derived, narrow),
            indented("", "f64")
        )
    }

    /// The body, with `DERIVED` where the attributes go.
    fn body(&mut self) -> String {
        for _ in 0..self.rng.usize(2..6) {
            let payload = match self.rng.u8(..8) {
                0 => RECURSIVE[self.rng.usize(..RECURSIVE.len())],
                _ => self.pool[self.rng.usize(..self.pool.len())],
            };
            self.payloads.push(payload);
        }
        // Where the recursion ends.
        self.payloads.insert(0, PAYLOADS[self.rng.usize(..3)]);
        let mut text = self.types();
        let _ = writeln!(text, "DERIVED\npub fn f(x: &[f64]) -> f64 {{\n    let mut sum = 0.0;");
        let n = self.rng.usize(2..9);
        text += &match self.rng.u8(..3) {
            0 => format!(
                "    let mut all = vec![];\n    for i in 0..{n} {{\n        all.push(made(i, x[i % x.len()]));\n    }}\n"
            ),
            1 => format!("    let mut all: Vec<Item> = (0..{n}).map(|i| made(i, x[i % x.len()])).collect();\n"),
            _ => "    let mut all: Vec<Item> = x.iter().enumerate().map(|(i, v)| made(i, v * 0.5)).collect();\n"
                .to_owned(),
        };
        for _ in 0..self.rng.usize(1..5) {
            let (k, y) = (self.rng.usize(..5).to_string(), format!("x[{}]", self.rng.usize(..6)));
            let moved = MOVES[self.rng.usize(..MOVES.len())].replace('K', &k).replace('Y', &y);
            let _ = writeln!(text, "    {moved}");
        }
        text += "    for (k, a) in all.iter().enumerate() {\n        sum += bounded(of(a)) * (1.0 + 0.25 * k as f64);\n    }\n    bounded(sum)\n}\n";
        text
    }

    /// The enum, a record of it, and what is done with one.
    fn types(&mut self) -> String {
        let all = std::mem::take(&mut self.payloads);
        let arms = |arm: &dyn Fn(usize, &Payload) -> String| {
            all.iter().enumerate().map(|(k, payload)| format!("        {},\n", arm(k, payload))).collect::<String>()
        };
        let count = all.len();
        let variants = arms(&|k, p| format!("V{k}{}", p.fields)).replace("        ", "    ");
        let mut text = format!("\n#[derive(Clone)]\npub enum Item {{\n{variants}}}\n\n");
        text += "#[derive(Clone)]\npub struct Record {\n    weight: Narrow,\n    item: Item,\n    kind: u16,\n}\n\n";
        let made = arms(&|k, p| {
            format!("{} => Item::V{k}{}", if k + 1 == count { "_".to_owned() } else { k.to_string() }, p.made)
        });
        let mut function = |head: &str, body: &str| {
            let inlined = ["#[inline(never)]\n", "#[inline]\n", ""][self.rng.usize(..3)];
            let _ = write!(text, "{inlined}pub fn {head} {{\n{body}}}\n\n");
        };
        function("made(i: usize, v: f64) -> Item", &format!("    match i % {count} {{\n{made}    }}\n"));
        let of = arms(&|k, p| format!("Item::V{k}{} => {}", p.pattern, p.value));
        function("of(item: &Item) -> f64", &format!("    match item {{\n{of}    }}\n"));
        let change = arms(&|k, p| format!("Item::V{k}{} => {{ {} }}", p.pattern, p.changed));
        function("change(item: &mut Item, by: f64)", &format!("    match item {{\n{change}    }}\n"));
        function("changed(mut item: Item, by: f64) -> Item", "    change(&mut item, by);\n    item\n");
        let kind = arms(&|k, _| format!("Item::V{k} {{ .. }} => {k}"));
        function("kind(item: &Item) -> usize", &format!("    match item {{\n{kind}    }}\n"));
        function("weighed(r: &Record) -> f64", "    bounded(of(&r.item)) * f64::from(r.weight) + f64::from(r.kind)\n");
        function(
            "checked(item: Item, k: usize) -> Result<Item, String>",
            "    if kind(&item) == k + 7 { Err(format!(\"not {k}\")) } else { Ok(item) }\n",
        );
        function(
            "tried(all: Vec<Item>, k: usize) -> Result<Vec<Item>, String>",
            "    let mut good = vec![];\n    for item in all {\n        good.push(checked(item, k)?);\n    }\n    Ok(good)\n",
        );
        text
    }
}
