//! Programs that nobody wrote: random, well-typed, finite, and smooth almost everywhere.
//!
//! Each is a thunk over a slice that is read, a slice that is changed in place and a result, with locals, branches, loops of every shape
//! (counted, left early, continued, as long as data say, nested), a function that is called and calls itself, and copies of memory. Values stay
//! small: sums are followed by a sine, quotients have a denominator above one.
//!
//! The same number gives the same program, so a failure says which. `COTANGENT_PROGRAMS=1000` tries more of them, `COTANGENT_PROGRAM=77`
//! that one alone.
use crate::case::Case;
use crate::run;
use std::fmt::Write;

/// Programs tried in every test run.
const PROGRAMS: u64 = 40;

/// Statements in a program, those in branches and loops included.
const STATEMENTS: usize = 14;

/// A generator of numbers (xorshift), the same everywhere.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit
    }
    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// A function while it is written.
struct Writer<'a> {
    numbers: &'a mut Numbers,
    text: String,
    next: usize,
    left: usize,
    /// Counters of the loops around.
    counters: Vec<String>,
    /// Where `continue` and `break` go.
    ways: Vec<(String, String)>,
    /// The slice that is read.
    shared: &'static str,
    /// May call `@g`.
    calls: bool,
}

/// Local floats.
const LOCALS: usize = 3;

impl Writer<'_> {
    fn name(&mut self) -> String {
        self.next += 1;
        format!("%t{}", self.next)
    }
    fn label(&mut self, what: &str) -> String {
        self.next += 1;
        format!("{what}{}", self.next)
    }
    /// Writes an instruction and answers its result.
    fn value(&mut self, instruction: &str) -> String {
        let name = self.name();
        let _ = writeln!(self.text, "  {name} = {instruction}");
        name
    }
    fn line(&mut self, instruction: &str) {
        let _ = writeln!(self.text, "  {instruction}");
    }
    fn begin(&mut self, label: &str) {
        let _ = writeln!(self.text, "{label}:");
    }

    /// An index below four.
    fn index(&mut self) -> String {
        match self.numbers.below(5) {
            0 | 1 => self.numbers.below(4).to_string(),
            2 | 3 if !self.counters.is_empty() => {
                let which = self.numbers.below(self.counters.len());
                let counter = self.counters[which].clone();
                let moved = self.numbers.below(3);
                let sum = self.value(&format!("add i64 {counter}, {moved}"));
                self.value(&format!("and i64 {sum}, 3"))
            }
            _ => {
                let float = self.local();
                let size = self.value(&format!("call double @llvm.fabs.f64(double {float})"));
                let scaled = self.value(&format!("fmul double {size}, 7.0"));
                let whole = self.value(&format!("fptoui double {scaled} to i64"));
                self.value(&format!("and i64 {whole}, 3"))
            }
        }
    }

    fn element(&mut self, of: &str) -> String {
        let index = self.index();
        self.value(&format!("getelementptr inbounds double, ptr {of}, i64 {index}"))
    }

    fn local(&mut self) -> String {
        let which = self.numbers.below(LOCALS);
        self.value(&format!("load double, ptr %v{which}"))
    }

    fn leaf(&mut self) -> String {
        match self.numbers.below(8) {
            0 => format!("{}.5", self.numbers.below(3)),
            1 | 2 => {
                let place = self.element(self.shared);
                self.value(&format!("load double, ptr {place}"))
            }
            3 | 4 => {
                let place = self.element("%a");
                self.value(&format!("load double, ptr {place}"))
            }
            5 => {
                let place = self.element("%buffer");
                self.value(&format!("load double, ptr {place}"))
            }
            _ => self.local(),
        }
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.numbers.one_in(5) {
            return self.leaf();
        }
        let a = self.expression(depth - 1);
        match self.numbers.below(11) {
            0 | 1 => {
                let b = self.expression(depth - 1);
                let sum = self.value(&format!("fadd double {a}, {b}"));
                self.value(&format!("call double @llvm.sin.f64(double {sum})"))
            }
            2 | 3 => {
                let b = self.expression(depth - 1);
                let product = self.value(&format!("fmul double {a}, {b}"));
                self.value(&format!("call double @tanh(double {product})"))
            }
            4 => {
                let b = self.expression(depth - 1);
                let square = self.value(&format!("fmul double {b}, {b}"));
                let above = self.value(&format!("fadd double {square}, 1.0"));
                self.value(&format!("fdiv double {a}, {above}"))
            }
            5 => {
                let square = self.value(&format!("fmul double {a}, {a}"));
                let above = self.value(&format!("fadd double {square}, 1.0"));
                self.value(&format!("call double @llvm.sqrt.f64(double {above})"))
            }
            6 => {
                let b = self.expression(depth - 1);
                let holds = self.condition();
                self.value(&format!("select i1 {holds}, double {a}, double {b}"))
            }
            7 => {
                let b = self.leaf();
                self.value(&format!("call double @llvm.maxnum.f64(double {a}, double {b})"))
            }
            8 => {
                let negative = self.value(&format!("fneg double {a}"));
                let b = self.leaf();
                self.value(&format!("fsub double {negative}, {b}"))
            }
            9 if self.calls => {
                let deep = self.numbers.below(3);
                self.value(&format!("call double @g(ptr {}, ptr %a, double {a}, i64 {deep})", self.shared))
            }
            _ => self.value(&format!("fmul double {a}, 7.5e-1")),
        }
    }

    fn condition(&mut self) -> String {
        let a = self.leaf();
        let b = self.local();
        let half = self.value(&format!("fadd double {b}, 1.25e-1"));
        let predicate = ["ogt", "olt", "oge", "une"][self.numbers.below(3)];
        self.value(&format!("fcmp {predicate} double {a}, {half}"))
    }

    fn block(&mut self, most: usize) {
        for _ in 0..1 + self.numbers.below(most) {
            if self.left == 0 {
                return;
            }
            self.left -= 1;
            self.statement();
        }
    }

    fn statement(&mut self) {
        match self.numbers.below(12) {
            0..3 => {
                let value = self.expression(2);
                let which = self.numbers.below(LOCALS);
                self.line(&format!("store double {value}, ptr %v{which}"));
            }
            3 | 4 => {
                let value = self.expression(2);
                let place = self.element("%a");
                self.line(&format!("store double {value}, ptr {place}"));
            }
            5 => {
                let value = self.expression(1);
                let place = self.element("%buffer");
                self.line(&format!("store double {value}, ptr {place}"));
            }
            6 => {
                let (to, from) = if self.numbers.one_in(2) { ("%buffer", "%a") } else { ("%a", "%buffer") };
                let bytes = 8 * (1 + self.numbers.below(4));
                self.line(&format!("call void @llvm.memmove.p0.p0.i64(ptr {to}, ptr {from}, i64 {bytes}, i1 false)"));
            }
            7 if !self.ways.is_empty() => self.leave(),
            7 | 8 => self.branch(),
            _ if self.counters.len() < 2 => self.repeat(),
            _ => self.branch(),
        }
    }

    /// `if c { continue }` or `if c { break }`.
    fn leave(&mut self) {
        let holds = self.condition();
        let (next, end) = self.ways[self.ways.len() - 1].clone();
        let to = if self.numbers.one_in(2) { next } else { end };
        let on = self.label("on");
        self.line(&format!("br i1 {holds}, label %{to}, label %{on}"));
        self.begin(&on);
    }

    fn branch(&mut self) {
        let holds = self.condition();
        let (then, other, join) = (self.label("then"), self.label("other"), self.label("join"));
        self.line(&format!("br i1 {holds}, label %{then}, label %{other}"));
        self.begin(&then);
        self.block(2);
        self.line(&format!("br label %{join}"));
        self.begin(&other);
        if self.numbers.one_in(2) {
            self.block(2);
        }
        self.line(&format!("br label %{join}"));
        self.begin(&join);
    }

    /// A loop of at most five trips: with a constant count, the count of the loop around, or as long as a condition holds.
    fn repeat(&mut self) {
        let (head, body, next, end) = (self.label("head"), self.label("body"), self.label("next"), self.label("end"));
        let slot = self.label("%i");
        // Slots stand at the start of the function.
        self.text.insert_str(0, &format!("  {slot} = alloca i64\n"));
        self.line(&format!("store i64 0, ptr {slot}"));
        self.line(&format!("br label %{head}"));
        self.begin(&head);
        let counter = self.value(&format!("load i64, ptr {slot}"));
        let limit = match self.counters.last() {
            Some(outer) if self.numbers.one_in(2) => outer.clone(),
            _ => (1 + self.numbers.below(5)).to_string(),
        };
        let more = self.value(&format!("icmp ult i64 {counter}, {limit}"));
        let go = if self.numbers.one_in(3) {
            let holds = self.condition();
            self.value(&format!("and i1 {more}, {holds}"))
        } else {
            more
        };
        self.line(&format!("br i1 {go}, label %{body}, label %{end}"));
        self.begin(&body);
        self.counters.push(counter.clone());
        self.ways.push((next.clone(), end.clone()));
        self.block(3);
        self.counters.pop();
        self.ways.pop();
        self.line(&format!("br label %{next}"));
        self.begin(&next);
        let up = self.value(&format!("add i64 {counter}, 1"));
        self.line(&format!("store i64 {up}, ptr {slot}"));
        self.line(&format!("br label %{head}"));
        self.begin(&end);
    }
}

/// The statements of a function, with its locals in front.
fn body(numbers: &mut Numbers, statements: usize, calls: bool, first: &str) -> String {
    let mut writer = Writer {
        numbers,
        text: String::new(),
        next: 0,
        left: statements,
        counters: Vec::new(),
        ways: Vec::new(),
        shared: "%x",
        calls,
    };
    while writer.left > 0 {
        writer.block(3);
    }
    let mut start = String::from("  %buffer = alloca [4 x double]\n");
    for local in 0..LOCALS {
        let _ = writeln!(start, "  %v{local} = alloca double");
        let _ = writeln!(start, "  store double {}, ptr %v{local}", if local == 0 { first } else { "2.5e-1" });
    }
    start += "  call void @llvm.memcpy.p0.p0.i64(ptr %buffer, ptr %x, i64 32, i1 false)\n";
    // The loops' counters were put in front of everything.
    let slots = writer.text.lines().take_while(|line| line.contains("alloca")).count();
    let at = writer.text.split_inclusive('\n').take(slots).map(str::len).sum();
    writer.text.insert_str(at, &start);
    writer.text
}

/// A program, as the text of a case.
fn program(number: u64) -> String {
    let mut numbers = Numbers(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    // The first numbers of neighbours are alike.
    (0..4).for_each(|_| _ = numbers.below(2));
    let main = body(&mut numbers, STATEMENTS, true, "5.0e-1");
    let called = body(&mut numbers, STATEMENTS / 3, false, "%u");
    format!(
        "; test run along sd8,td8,od8\n; in %x = 0.3 -0.7 1.1 0.2\n; in %a = 0.9 0.4 -0.6 1.3\n\
         declare double @llvm.sin.f64(double)\ndeclare double @tanh(double)\ndeclare double @llvm.sqrt.f64(double)\n\
         declare double @llvm.fabs.f64(double)\ndeclare double @llvm.maxnum.f64(double, double)\n\
         declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\ndeclare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)\n\
         define internal double @g(ptr noalias readonly %x, ptr noalias %a, double %u, i64 %deep) noinline {{\nentry:\n{called}  \
         %last = icmp eq i64 %deep, 0\n  br i1 %last, label %exit, label %more\nmore:\n  %m = sub i64 %deep, 1\n  \
         %w = load double, ptr %v1\n  %inner = call double @g(ptr %x, ptr %a, double %w, i64 %m)\n  store double %inner, ptr %v2\n  \
         br label %exit\nexit:\n  %y = load double, ptr %v2\n  %z = load double, ptr %v0\n  %r = fmul double %y, %z\n  ret double %r\n}}\n\
         define void @f(ptr %x, i64 %n, ptr %a, i64 %m, ptr %r) {{\nentry:\n{main}  %y = load double, ptr %v0\n  \
         %z = load double, ptr %v1\n  %s = fadd double %y, %z\n  store double %s, ptr %r\n  ret void\n}}\n"
    )
}

#[test]
fn random_programs_have_the_derivative_that_differences_show() {
    let given = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let numbers = match given("COTANGENT_PROGRAM") {
        Some(one) => one..one + 1,
        None => 0..given("COTANGENT_PROGRAMS").unwrap_or(PROGRAMS),
    };
    let (mut wrong, mut first) = (String::new(), String::new());
    for number in numbers {
        let text = program(number);
        let result = Case::parse(format!("program {number}").into(), &text).and_then(|case| run::run(&case));
        if let Err(message) = result {
            let _ = writeln!(wrong, "program {number}: {}", message.lines().next().unwrap_or_default());
            if first.is_empty() {
                first = format!("{message}\n{text}");
            }
        }
    }
    assert!(wrong.is_empty(), "wrong:\n{wrong}the first of them:\n{first}");
}
