//! Random states: enums behind an argument, that become other variants.
//!
//! A function has a state behind `&mut`, which holds enums of random variants in arrays, vectors, boxes and options. It goes through a few steps, in which variants become others,
//! are swapped, taken and put. All floats of the state are inputs, and its shadow begins with rubbish where its variants have nothing. After a gradient the shadow has the variants
//! and numbers again that the state had. No choice depends on a float.
use fastrand::Rng;
use std::fmt::Write;

/// What a variant holds in one of its places. Of a number there is nothing to differentiate.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Float,
    Pair,
    Slot,
    Wide,
    Signed,
    Half,
    Flag,
    Inner,
}

impl Part {
    fn ty(self) -> &'static str {
        match self {
            Part::Float => "f64",
            Part::Pair => "[f64; 2]",
            Part::Slot => "Option<f64>",
            Part::Wide => "u64",
            Part::Signed => "i64",
            Part::Half => "u32",
            Part::Flag => "bool",
            Part::Inner => "Inner",
        }
    }

    /// What a place counts for.
    fn value(self, name: &str) -> String {
        match self {
            Part::Float => name.to_owned(),
            Part::Pair => format!("{name}[0] * {name}[1]"),
            Part::Slot => format!("{name}.unwrap_or(0.5)"),
            Part::Wide | Part::Signed => format!("({name} % 7) as f64"),
            Part::Half => format!("f64::from({name} % 5)"),
            Part::Flag => format!("(if {name} {{ 0.25 }} else {{ 0.75 }})"),
            Part::Inner => format!("of_inner(&{name})"),
        }
    }

    /// Hands its floats to `see`.
    fn seen(self, name: &str) -> String {
        match self {
            Part::Float => format!("see({name});"),
            Part::Pair | Part::Slot => format!("{name}.iter_mut().for_each(&mut *see);"),
            Part::Inner => format!("see_inner({name}, see);"),
            _ => String::new(),
        }
    }
}

type Variant = Vec<Part>;

/// A function `f` that has a state, with its derivatives.
pub fn function(seed: u64, number: usize) -> String {
    let rng =
        Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (number as u64).wrapping_mul(0x94d0_49bb_1331_11eb));
    let mut states = States { rng, inner: Vec::new(), outer: Vec::new(), text: IMPORTS.to_owned() };
    states.write();
    states.text + FRAME
}

const IMPORTS: &str = "use crate::prelude::*;\nuse cotangent::{Shadow, autodiff};\nuse std::collections::VecDeque;\n\npub const SMOOTH: Option<fn(&[f64]) -> f64> = None;\n";

const FRAME: &str = "
fn state(floats: &[f64]) -> State {
    let (mut state, mut k) = (blank(), 0);
    see_state(&mut state, &mut |float| {
        *float = floats[k % N] * (1.0 + k as f64 / 16.0);
        k += 1;
    });
    state
}

pub fn f(x: &[f64]) -> f64 {
    of_state(&mut state(x), x)
}

pub fn reverse(x: &[f64], g: &mut [f64], seed: f64) -> f64 {
    let mut shadow = std::hint::black_box(other());
    see_state(&mut shadow, &mut |float| *float = 5.0);
    let rubbish = std::hint::black_box(&mut shadow);
    rubbish.all.iter_mut().zip(blank().all).for_each(|(item, blank)| *item = blank);
    rubbish.slots.iter_mut().zip(blank().slots).for_each(|(slot, blank)| *slot = blank);
    *rubbish = State { all: rubbish.all, slots: std::mem::take(&mut rubbish.slots), ..blank() };
    let value = backward(&mut state(x), rubbish, x, g, seed);
    let mut k = 0;
    see_state(rubbish, &mut |float| {
        g[k % N] += *float * (1.0 + k as f64 / 16.0);
        *float = 0.0;
        k += 1;
    });
    assert_eq!(format!(\"{rubbish:?}\"), format!(\"{:?}\", blank()), \"the shadow has other variants or numbers\");
    value
}

pub fn forward(x: &[f64], u: &[f64]) -> (f64, f64) {
    onward(&mut state(x), &mut state(u), x, u)
}
";

struct States {
    rng: Rng,
    inner: Vec<Variant>,
    outer: Vec<Variant>,
    text: String,
}

impl States {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{text}");
    }

    fn write(&mut self) {
        use Part::{Flag, Float, Half, Inner, Pair, Signed, Slot, Wide};
        self.inner = self.variants(&[Float, Float, Pair, Wide, Signed, Half, Flag]);
        self.outer = self.variants(&[Float, Float, Pair, Slot, Wide, Signed, Half, Flag, Inner]);
        let items = self.rng.usize(1..4);
        let kept = if self.rng.bool() { format!("[Item; {items}]") } else { "[Item; 2]".to_owned() };
        self.line("");
        for (name, variants) in [("Inner", self.inner.clone()), ("Item", self.outer.clone())] {
            self.types(name, &variants);
        }
        self.line(&format!(
            "#[derive(Shadow, Clone, Debug)]\npub struct State {{\n    all: {kept},\n    slots: Vec<Option<f64>>,\n    tried: Result<f64, i64>,\n    held: Option<Inner>,\n    \
             boxed: Box<Item>,\n    queue: VecDeque<Item>,\n    count: usize,\n}}\n"
        ));
        let count = if kept == "[Item; 2]" { 2 } else { items };
        for name in ["blank", "other"] {
            self.state(name, count);
        }
        self.line(
            "fn see_state(state: &mut State, see: &mut dyn FnMut(&mut f64)) {\n    state.all.iter_mut().for_each(|item| see_item(item, see));\n    \
             state.slots.iter_mut().flatten().for_each(&mut *see);\n    state.tried.iter_mut().for_each(&mut *see);\n    state.held.iter_mut().for_each(|inner| see_inner(inner, see));\n    \
             see_item(&mut state.boxed, see);\n    state.queue.iter_mut().for_each(|item| see_item(item, see));\n}\n",
        );
        self.text += "#[autodiff(backward, Reverse, Duplicated, Duplicated, Active)]\n#[autodiff(onward, Forward, Dual, Dual, Dual)]\nfn of_state(state: &mut State, x: &[f64]) -> f64 {\n    let mut sum = 0.0;\n";
        for _ in 0..self.rng.usize(2..7) {
            self.step(count);
        }
        self.text += "    sum += state.all.iter().map(of_item).sum::<f64>() + of_item(&state.boxed) + state.queue.iter().map(of_item).sum::<f64>();\n    sum += state.slots.iter().flatten().map(|v| v * v).sum::<f64>() + state.tried.unwrap_or(0.5);\n    sum += state.held.map_or(0.5, |held| of_inner(&held));\n    bounded(sum)\n}\n";
    }

    fn variants(&mut self, parts: &[Part]) -> Vec<Variant> {
        let mut all: Vec<Variant> = vec![vec![Part::Float]];
        for _ in 0..self.rng.usize(1..5) {
            let count = self.rng.usize(..4);
            let variant = (0..count).map(|_| parts[self.rng.usize(..parts.len())]).collect();
            let at = self.rng.usize(..=all.len());
            all.insert(at, variant);
        }
        all
    }

    /// An enum, what it counts for, its floats, and how it becomes another variant.
    fn types(&mut self, name: &str, variants: &[Variant]) {
        let lower = name.to_lowercase();
        let names = |variant: &Variant| (0..variant.len()).map(|k| format!("a{k}")).collect::<Vec<_>>().join(", ");
        let pattern = |k: usize, variant: &Variant| match variant.is_empty() {
            true => format!("{name}::V{k}"),
            false => format!("{name}::V{k}({})", names(variant)),
        };
        self.line(&format!("#[derive(Shadow, Clone, Copy, Debug)]\npub enum {name} {{"));
        for (k, variant) in variants.iter().enumerate() {
            let fields = variant.iter().map(|part| part.ty()).collect::<Vec<_>>().join(", ");
            self.line(&if variant.is_empty() { format!("    V{k},") } else { format!("    V{k}({fields}),") });
        }
        self.line("}\n");
        self.inlined();
        self.line(&format!("fn of_{lower}(item: &{name}) -> f64 {{\n    match *item {{"));
        for (k, variant) in variants.iter().enumerate() {
            let parts = variant.iter().enumerate().map(|(i, part)| part.value(&format!("a{i}")));
            let sum = parts.collect::<Vec<_>>().join(" + ");
            self.line(&format!(
                "        {} => {},",
                pattern(k, variant),
                if sum.is_empty() { "0.5".to_owned() } else { sum }
            ));
        }
        self.line("    }\n}\n");
        self.line(&format!("fn see_{lower}(item: &mut {name}, see: &mut dyn FnMut(&mut f64)) {{\n    match item {{"));
        for (k, variant) in variants.iter().enumerate() {
            let parts: String = variant.iter().enumerate().map(|(i, part)| part.seen(&format!("a{i}"))).collect();
            self.line(&format!("        {} => {{ {parts} }}", pattern(k, variant)));
        }
        self.line("    }\n}\n");
        for turn in ["turned", "moved"] {
            self.inlined();
            self.line(&format!("fn {turn}_{lower}(item: {name}, y: f64) -> {name} {{\n    match item {{"));
            for (k, variant) in variants.iter().enumerate() {
                let mut floats: Vec<String> = vec!["y".to_owned()];
                for (i, part) in variant.iter().enumerate() {
                    match part {
                        Part::Float => floats.push(format!("a{i}")),
                        Part::Pair => floats.push(format!("a{i}[0] * a{i}[1]")),
                        Part::Slot => floats.push(format!("a{i}.unwrap_or(y)")),
                        Part::Inner => floats.push(format!("of_inner(&a{i})")),
                        _ => {}
                    }
                }
                let made = if self.rng.u8(..6) == 0 {
                    "item".to_owned()
                } else {
                    let next = self.rng.usize(..variants.len());
                    self.made(name, next, &variants[next].clone(), &floats)
                };
                self.line(&format!("        {} => {made},", pattern(k, variant)));
            }
            self.line("    }\n}\n");
        }
    }

    fn inlined(&mut self) {
        let attribute = ["#[inline(never)]", "#[inline]", ""][self.rng.usize(..3)];
        if !attribute.is_empty() {
            self.line(attribute);
        }
    }

    /// A value of a variant, of some of these floats.
    fn made(&mut self, name: &str, k: usize, variant: &Variant, floats: &[String]) -> String {
        let parts: Vec<String> = variant.iter().map(|part| self.part(*part, floats)).collect();
        if parts.is_empty() { format!("{name}::V{k}") } else { format!("{name}::V{k}({})", parts.join(", ")) }
    }

    fn part(&mut self, part: Part, floats: &[String]) -> String {
        let float = |rng: &mut Rng| {
            let (a, b) = (&floats[rng.usize(..floats.len())], &floats[rng.usize(..floats.len())]);
            match rng.u8(..3) {
                0 => format!("bounded({a} * 0.75 + {b})"),
                1 => format!("bounded({a}) * 0.5"),
                _ => a.clone(),
            }
        };
        const WIDE: [&str; 4] = ["7", "u64::MAX", "0x4014_0000_0000_0000", "1 << 62"];
        const SIGNED: [&str; 4] = ["-1", "i64::MIN", "3", "5 << 60"];
        match part {
            Part::Float => float(&mut self.rng),
            Part::Pair => format!("[{}, {}]", float(&mut self.rng), float(&mut self.rng)),
            Part::Slot if self.rng.bool() => "None".to_owned(),
            Part::Slot => format!("Some({})", float(&mut self.rng)),
            Part::Wide => WIDE[self.rng.usize(..4)].to_owned(),
            Part::Signed => SIGNED[self.rng.usize(..4)].to_owned(),
            Part::Half => ["3", "u32::MAX", "1 << 30"][self.rng.usize(..3)].to_owned(),
            Part::Flag => self.rng.bool().to_string(),
            Part::Inner => {
                let next = self.rng.usize(..self.inner.len());
                let variant = self.inner[next].clone();
                self.made("Inner", next, &variant, floats)
            }
        }
    }

    fn item(&mut self, name: &str, floats: &[String]) -> String {
        let variants = if name == "Inner" { &self.inner } else { &self.outer };
        let next = self.rng.usize(..variants.len());
        let variant = variants[next].clone();
        self.made(name, next, &variant, floats)
    }

    /// A function that makes a state, with some variants and zeros.
    fn state(&mut self, name: &str, count: usize) {
        let zero = ["0.0".to_owned()];
        let items = |states: &mut States, count: usize| -> String {
            (0..count).map(|_| states.item("Item", &zero)).collect::<Vec<_>>().join(", ")
        };
        let (all, boxed, queue) = (items(self, count), items(self, 1), items(self, 2));
        let slots: Vec<&str> = (0..3).map(|_| if self.rng.bool() { "Some(0.0)" } else { "None" }).collect();
        let tried = ["Ok(0.0)", "Err(-1)", "Err(5 << 60)"][self.rng.usize(..3)];
        let held = if self.rng.bool() { "None".to_owned() } else { format!("Some({})", self.item("Inner", &zero)) };
        let numbers = self.rng.usize(..9);
        self.line(&format!(
            "fn {name}() -> State {{\n    State {{ all: [{all}], slots: vec![{}], tried: {tried}, held: {held}, boxed: Box::new({boxed}), queue: [{queue}].into(), count: {numbers} }}\n}}\n",
            slots.join(", ")
        ));
    }

    /// Something that is done with the state.
    fn step(&mut self, count: usize) {
        let (k, j, y) = (self.rng.usize(..count), self.rng.usize(..3), self.rng.usize(..6));
        let (y, i) = (format!("x[{y}]"), self.rng.usize(..2));
        let floats = [y.clone(), "sum".to_owned()];
        let turn = ["turned", "moved"][i];
        let step = match self.rng.u8(..16) {
            0 => format!("state.all[{k}] = {turn}_item(state.all[{k}], {y});"),
            1 => format!("for item in &mut state.all {{ *item = {turn}_item(*item, {y}); }}"),
            2 => format!("sum += state.slots[{j}].take().unwrap_or({y}) * 0.5;"),
            3 => format!("sum += *state.slots[{j}].get_or_insert({y} * 0.5);"),
            4 => format!("state.slots.swap({j}, 0);"),
            5 => format!(
                "state.tried = match state.tried {{ Ok(v) => if state.count % 2 == 0 {{ Err(5 << 60) }} else {{ Ok(v * {y}) }}, Err(n) => Ok(({} % 3) as f64 * {y}) }};",
                "n"
            ),
            6 => format!("state.held = state.held.map(|held| {turn}_inner(held, {y}));"),
            7 => format!(
                "state.held = match state.held.take() {{ Some(held) => {{ sum += of_inner(&held); None }} None => Some({}) }};",
                self.item("Inner", &floats)
            ),
            8 => format!("*state.boxed = {turn}_item(*state.boxed, {y});"),
            9 => format!("sum += of_item(&std::mem::replace(&mut state.all[{k}], {}));", self.item("Item", &floats)),
            10 => format!("state.all[{k}] = {};", self.item("Item", &floats)),
            11 => "state.count += 1;".to_owned(),
            12 => format!("for item in &mut state.queue {{ *item = {turn}_item(*item, {y}); }}"),
            13 => format!("state.slots[{j}] = if state.count % 2 == 0 {{ None }} else {{ Some(bounded(sum) * {y}) }};"),
            14 => format!(
                "let before = state.all[{k}]; state.all[{k}] = {turn}_item(before, {y}); sum += of_item(&before) * {y};"
            ),
            _ => format!(
                "for slot in state.slots.iter_mut() {{ *slot = match *slot {{ Some(v) => {{ sum += v; None }} None => Some({y}) }}; }}"
            ),
        };
        let step = match self.rng.u8(..5) {
            0 => format!("for _ in 0..2 {{ {step} }}"),
            1 => format!("if state.count % 3 < 2 {{ {step} }}"),
            _ => step,
        };
        self.line(&format!("    {step}"));
    }
}
