//! Statements with more of the language and of std: containers, ways out of loops and functions, closures that change what they
//! capture, patterns, constants in types.
use super::Writer;

impl Writer {
    /// One of them.
    pub(super) fn feature(&mut self) {
        match self.rng.u8(..12) {
            0 => self.map(),
            1 => self.container(),
            2 => self.way_out(),
            3 => self.capture(),
            4 => self.pattern(),
            5 => self.fixed(),
            6 => self.adaptors(),
            7 => self.owned(),
            8 => self.pointer(),
            9 => self.known(),
            _ => self.integers(),
        }
    }

    pub(super) fn source(&mut self) -> String {
        if self.scope.vectors.is_empty() {
            self.declare_vector();
        }
        self.vector().unwrap_or_default()
    }

    pub(super) fn result(&mut self, value: &str) {
        let name = self.name("a");
        self.declare(name, value);
    }

    fn map(&mut self) {
        let (a, b, v, n) = (self.expression(1), self.float(), self.source(), self.count());
        let m = self.name("m");
        let (make, read) = match self.rng.u8(..6) {
            0 => (
                format!("let mut {m} = by_key(&{v}); *{m}.entry({n} % 4).or_insert(0.5) *= {a};"),
                format!("(0..4).filter_map(|k| {m}.get(&k)).map(|t| t * {b}).sum::<f64>()"),
            ),
            1 => (
                format!("let mut {m} = ordered(&{v}); {m}.entry(1).or_default().push({a});"),
                format!("{m}.iter().map(|(k, row)| f64::from(*k) * row.iter().sum::<f64>()).sum::<f64>()"),
            ),
            2 => (
                format!(
                    "let mut {m}: BTreeMap<usize, f64> = {v}.iter().copied().enumerate().collect(); {m}.remove(&({n} % 3)); {m}.insert(9, {a});"
                ),
                format!("{m}.values().sum::<f64>() + {m}.range(..3).map(|(k, t)| t * *k as f64).sum::<f64>() * {b}"),
            ),
            3 => (
                format!(
                    "let mut {m}: HashMap<&str, f64> = HashMap::from([(\"one\", {a}), (\"two\", {b})]); if let Some(t) = {m}.get_mut(\"two\") {{ *t *= {a}; }}"
                ),
                format!(
                    "{m}[\"one\"] - {m}.get(\"two\").copied().unwrap_or(0.5) + {m}.get(\"three\").map_or(0.25, |t| t * 2.0)"
                ),
            ),
            4 => (
                format!(
                    "let mut {m} = ordered(&{v}); for row in {m}.values_mut() {{ row.sort_by(|p, q| q.partial_cmp(p).unwrap()); row.truncate(2); }}"
                ),
                format!(
                    "{m}.into_iter().flat_map(|(k, row)| row.into_iter().map(move |t| t * f64::from(k + 3))).sum::<f64>() * {b}"
                ),
            ),
            _ => (
                format!(
                    "let mut {m}: BTreeMap<(u8, usize), Vec<f64>> = BTreeMap::new(); for (i, t) in {v}.iter().enumerate() {{ {m}.entry(((i % 2) as u8, i)).or_insert_with(Vec::new).extend([*t, {b}]); }}"
                ),
                format!(
                    "{m}.iter().rev().take(3).fold({a}, |s, ((k, _), t)| 0.5 * s + t[0] * t[1] * f64::from(*k + 1))"
                ),
            ),
        };
        self.line(&make);
        self.result(&read);
    }

    fn container(&mut self) {
        let (a, b, v) = (self.expression(1), self.float(), self.source());
        let c = self.name("c");
        let (make, read) = match self.rng.u8(..7) {
            0 => (
                format!("let mut {c} = linked(&{v}); {c}.push_back({a});"),
                format!("{c}.iter().map(|t| t * {b}).sum::<f64>()"),
            ),
            1 => (format!("let {c} = [{v}.clone(), vec![{a}, {b}]].concat();"), format!("scheduled(&{c})")),
            2 => (
                format!(
                    "let mut {c}: VecDeque<f64> = VecDeque::from({v}.clone()); {c}.push_back({a}); if let Some(t) = {c}.pop_front() {{ {c}.push_back(t * {b}); }} {c}.make_contiguous()[0] *= 0.5;"
                ),
                format!("{c}.range(1..).sum::<f64>() * {c}[0]"),
            ),
            3 => (
                format!(
                    "let mut {c} = Tree::grow(&{v}, 2); {c}.scale({a}); if let Some(t) = {c}.children.first_mut() {{ t.value = {b}; }}"
                ),
                format!("{c}.fold()"),
            ),
            4 => (
                format!("let {c} = List::of(&{v}).reversed();"),
                format!("{c}.total({a}) + {c}.clone().reversed().total({b})"),
            ),
            5 => (
                format!(
                    "let mut {c}: Vec<Option<f64>> = {v}.iter().map(|t| maybe(t * {b})).collect(); {c}.push(Some({a})); let taken = {c}[0].take();"
                ),
                format!("{c}.iter().flatten().sum::<f64>() + taken.unwrap_or({b})"),
            ),
            _ => (
                format!(
                    "let mut {c}: Vec<(usize, f64, [f64; 2])> = {v}.iter().enumerate().map(|(i, t)| (i * 5 % 3, *t, [{b}, t * t])).collect(); {c}.sort_by_key(|t| t.0); {c}.rotate_right(1);"
                ),
                format!(
                    "{c}.iter().enumerate().map(|(i, t)| (i as f64 + 0.5) * t.1 * t.2[0] + t.2[1] * {a}).sum::<f64>()"
                ),
            ),
        };
        self.line(&make);
        self.result(&read);
    }

    fn way_out(&mut self) {
        let (a, b, v, n) = (self.expression(1), self.float(), self.source(), self.count());
        let r = self.name("r");
        let text = match self.rng.u8(..8) {
            0 => format!(
                "let {r} = {{ let mut i = 0; let mut s = {a}; loop {{ s = bounded(s * {b} + 0.25); i += 1; if s > 0.75 || i > {n} {{ break s * i as f64; }} }} }};"
            ),
            1 => format!(
                "let {r} = (|| {{ for (i, t) in {v}.iter().enumerate() {{ if *t > {b} {{ return t * {a}; }} if i > 3 {{ return {a} + t; }} }} {b} * 0.5 }})();"
            ),
            2 => format!(
                "let {r} = 'out: {{ let v = &{v}; for p in v {{ for q in v {{ if p * q > 0.5 {{ break 'out p + q * {a}; }} }} }} {a} }};"
            ),
            3 => format!("let {r} = first_above(&{v}, {b}).map_or({a}, |(i, t)| t * (i as f64 + 1.0));"),
            4 => format!(
                "let {r} = match reserve(&{v}, {b}) {{ Ok(v) => v.iter().sum::<f64>() * {a}, Err(Some(t)) => t * t, Err(None) => {a} }};"
            ),
            5 => format!(
                "let {r} = (|| -> Option<f64> {{ let (_, t) = first_above(&{v}, 0.1)?; let s = maybe(t * {a})?; Some(s + t) }})().unwrap_or({b});"
            ),
            6 => format!(
                "let mut {r} = {a}; 'rows: for i in 0..4 {{ for j in 0..i {{ if (i + j) % 3 == 2 {{ continue 'rows; }} if {r} > 1.5 {{ break 'rows; }} {r} += 0.25 * {b} * (j as f64 + 1.0); }} {r} *= 0.75; }}"
            ),
            _ => format!(
                "let {r} = {{ let mut stack = {v}.clone(); let mut s = {b}; while let Some(t) = stack.pop() {{ if t < -0.5 {{ continue; }} s = bounded(s + t * {a}); if stack.len() == 1 {{ break; }} }} s }};"
            ),
        };
        self.line(&text);
        self.result(&r);
    }

    fn capture(&mut self) {
        let (a, b, v) = (self.expression(1), self.float(), self.source());
        let s = self.name("s");
        let (make, read) = match self.rng.u8(..7) {
            0 => (format!("let mut {s} = {a}; {v}.iter().for_each(|t| {s} = bounded({s} + t * {b}));"), s.clone()),
            1 => (
                format!("let mut {s} = vec![{a}]; repeatedly(|t| {s}.push(t * {s}[0]), &{v});"),
                format!("{s}.iter().sum::<f64>() * {b}"),
            ),
            2 => (
                format!(
                    "let mut {s} = ({a}, 0usize); let seen = visit(&mut |i, t| {{ {s}.0 += t * i as f64; {s}.1 += 1; {s}.0 < 1.5 }}, &{v});"
                ),
                format!("{s}.0 * (seen + {s}.1) as f64 * 0.25"),
            ),
            3 => (
                format!("let {s} = {{ let f = curried({a}); let g = f.clone(); move |t: f64| f(g(t) * {b}) }};"),
                format!("{s}(0.5) + {s}({b})"),
            ),
            4 => (
                format!(
                    "let {s} = {{ let mut calls = 0.0; let mut kept = {a}; move |t: f64| {{ calls += 1.0; kept = 0.5 * kept + t; kept * calls }} }}; let mut {s} = {s};"
                ),
                format!("{s}({b}) + {s}(0.5) * {s}({a})"),
            ),
            5 => (
                format!(
                    "let {s}: Vec<Box<dyn Fn(f64) -> f64>> = {v}.iter().take(3).enumerate().map(|(i, t)| {{ let k = *t; if i == 1 {{ Box::new(move |u: f64| u.sin() * k) as Box<dyn Fn(f64) -> f64> }} else {{ Box::new(move |u: f64| u + k * {b}) }} }}).collect();"
                ),
                format!("{s}.iter().fold({a}, |t, f| bounded(f(t)))"),
            ),
            _ => (
                format!("let {s} = [boxed({}, {a}), boxed({}, {b})];", self.rng.u8(..2), self.rng.u8(..2)),
                format!(
                    "{s}.iter().map(|term| term.twice({b})).sum::<f64>() + Chain {{ first: Linear({a}, 0.5), second: Wave {{ frequency: {b} }} }}.twice(0.5)"
                ),
            ),
        };
        self.line(&make);
        self.result(&read);
    }

    fn pattern(&mut self) {
        let (a, b, v, n) = (self.expression(1), self.float(), self.source(), self.count());
        let p = self.name("p");
        let text = match self.rng.u8(..7) {
            0 => format!(
                "let {p} = match {n} {{ 0..=1 => {a}, 2 | 5 => {b} * 2.0, k @ 3..=9 => {a} * k as f64 * 0.25, _ => {b} }};"
            ),
            1 => format!(
                "let {p} = match {v}.as_slice() {{ [p, q, .., r] if p > q => p * q - r, [p, rest @ ..] => p * rest.iter().sum::<f64>() * {a}, [] => {b} }};"
            ),
            2 => format!("let {p} = Message::make({n}, {a}, {b}).read() + Message::make({n} + 1, {b}, {a}).read();"),
            3 => format!(
                "let {p} = {{ let all: Vec<Message> = (0..4).map(|k| Message::make(k + {n}, {a} * k as f64, {b})).collect(); all.into_iter().rev().map(Message::read).sum::<f64>() }};"
            ),
            4 => format!("let Some({p}) = maybe({a}).or(maybe({b} * {b} + 0.2)) else {{ unreachable!() }};"),
            5 => format!(
                "let {p} = {{ let shapes = vec![Shape::Circle({a}), Shape::Point, Shape::Box {{ sides: [{b}, {a}], turned: {n} % 2 == 0 }}]; if let [Shape::Circle(r), .., Shape::Box {{ sides: [_, q], .. }}] = &shapes[..] {{ r * q + total_area(shapes.clone()) }} else {{ 0.5 }} }};"
            ),
            _ => format!(
                "let {p} = {{ let (lo, hi) = extremes(&{v}); let Particle {{ mass, position: [_, y, _], .. }} = Particle {{ mass: {a}, ..Particle::new({b}, 1) }}; lo * y + hi * mass }};"
            ),
        };
        self.line(&text);
        self.result(&p);
    }

    fn fixed(&mut self) {
        let (a, b, v) = (self.expression(1), self.float(), self.source());
        let m = self.name("m");
        let (make, read) = match self.rng.u8(..6) {
            0 => (
                format!("let {m} = Matrix::<2, 3>::fill(|i, j| {a} * i as f64 + {b} * j as f64 + 0.25);"),
                format!("{m}.times(&Matrix::<3, 2>::fill(|i, j| {m}.0[j][i])).trace()"),
            ),
            1 => (
                format!("let mut {m} = window::<4>(&{v}); {m}[1] *= {a}; {m}.swap(0, 3);"),
                format!("{m}.iter().zip(window::<3>(&{v})).map(|(p, q)| p * q).sum::<f64>() * {b}"),
            ),
            2 => (
                format!("let mut {m} = [[{a}; 3]; 2]; {m}[1][2] = {b}; {m}[0] = {m}[1];"),
                format!("{m}.as_flattened().iter().enumerate().map(|(i, t)| t * i as f64).sum::<f64>()"),
            ),
            3 => (
                format!(
                    "let mut {m} = Matrix([[{a}, {b}], [0.5, {a}]]); for _ in 0..2 {{ {m} = {m}.times(&{m}); {m}.0[0][1] = bounded({m}.0[0][1]); }}"
                ),
                format!("{m}.trace()"),
            ),
            4 => (
                format!(
                    "let {m}: [f64; 3] = std::array::from_fn(|i| {v}[i % {v}.len()] * {a}); let [p, q, r] = {m}.map(|t| t.sin());"
                ),
                format!("p * q - r * {b}"),
            ),
            _ => (
                format!(
                    "let {m} = [({a}, 1u8), ({b}, 2)]; let mut order = [0usize, 1]; order.sort_by(|p, q| {m}[*q].0.partial_cmp(&{m}[*p].0).unwrap());"
                ),
                format!("{m}[order[0]].0 * 2.0 - {m}[order[1]].0 * f64::from({m}[order[0]].1)"),
            ),
        };
        self.line(&make);
        self.result(&read);
    }

    fn adaptors(&mut self) {
        let (a, b, v, n) = (self.expression(1), self.float(), self.source(), self.count());
        let value = match self.rng.u8(..14) {
            0 => format!("{v}.iter().take_while(|t| **t < {b}).map(|t| t * {a}).sum::<f64>()"),
            1 => format!("{v}.iter().skip_while(|t| **t > 0.5).copied().fold({a}, |s, t| bounded(s * t + {b}))"),
            2 => format!("{v}.iter().flat_map(|t| [*t, t * {b}]).step_by(2).sum::<f64>() * {a}"),
            3 => format!("Countdown {{ left: {n} + 1, value: {a} }}.zip(&{v}).map(|(p, q)| p * q).sum::<f64>()"),
            4 => format!(
                "std::iter::successors(Some({a}), |t| (t.abs() < 3.0).then(|| t * 1.5 + 0.25)).take(6).sum::<f64>()"
            ),
            5 => format!(
                "{{ let (p, q): (Vec<f64>, Vec<f64>) = {v}.iter().partition(|t| **t > {b}); p.iter().sum::<f64>() * {a} - q.iter().product::<f64>() }}"
            ),
            6 => format!(
                "{{ let (p, q): (Vec<usize>, Vec<f64>) = {v}.iter().enumerate().map(|(i, t)| (i, t * {a})).unzip(); p.iter().zip(&q).map(|(i, t)| *i as f64 * t).sum::<f64>() }}"
            ),
            7 => format!("{v}.iter().copied().reduce(|p, q| bounded(p * q + {b})).unwrap_or({a})"),
            8 => format!(
                "{v}.iter().try_fold({a}, |s, t| if s > 2.5 {{ Err(s) }} else {{ Ok(s + t * {b}) }}).unwrap_or_else(|s| s * 0.5)"
            ),
            9 => format!(
                "{{ let mut i = {v}.iter().peekable(); let mut s = {a}; while let Some(t) = i.next() {{ s += match i.peek() {{ Some(next) => t * **next, None => *t }}; }} s * {b} }}"
            ),
            10 => format!("{v}.iter().map(|t| t * {a}).max_by(|p, q| p.total_cmp(q)).unwrap_or({b})"),
            11 => format!(
                "{v}.chunks_exact(2).map(|c| c[0] * c[1]).chain(std::iter::once({a})).chain(std::iter::repeat({b}).take({n} % 3)).sum::<f64>()"
            ),
            12 => {
                format!("{v}.rchunks(2).rev().map(|c| c.iter().rev().fold({b}, |s, t| 0.5 * s - t)).sum::<f64>() * {a}")
            }
            _ => format!("mixed(&{v}) * {a} + mixed(&[{b}, {a}])"),
        };
        self.result(&value);
    }

    fn owned(&mut self) {
        let (a, b, v, n) = (self.expression(1), self.float(), self.source(), self.count());
        let o = self.name("o");
        let (make, read) = match self.rng.u8(..8) {
            0 => (
                format!("let mut {o} = Box::new([{a}, {b}]); let old = std::mem::replace(&mut {o}[0], 0.5);"),
                format!("old * {o}[0] + {o}[1]"),
            ),
            1 => (
                format!(
                    "let mut {o} = {v}.clone(); let tail = {o}.split_off(2.min({o}.len())); {o}.extend(tail.iter().rev().map(|t| t * {a}));"
                ),
                format!("{o}.iter().sum::<f64>() + tail.first().map_or({b}, |t| t * 2.0)"),
            ),
            2 => (
                format!(
                    "let mut {o} = {v}.clone(); {o}.push({b}); let part: Vec<f64> = {o}.drain(1..).collect(); {o}.push(part[0] * {a});"
                ),
                format!("{o}[0] * {o}[1] + part.iter().sum::<f64>()"),
            ),
            3 => (
                format!("let {o}: Rc<[f64]> = {v}.clone().into(); let other = Rc::clone(&{o});"),
                format!("{o}.iter().sum::<f64>() * {a} + other[0] * {b}"),
            ),
            4 => (
                format!(
                    "let mut {o}: Option<Box<Particle>> = Some(Box::new(Particle::new({a}, 2))); if {n} % 2 == 0 {{ if let Some(p) = {o}.as_mut() {{ p.step({b}); }} }} let taken = {o}.take();"
                ),
                format!("taken.map_or(0.5, |p| p.energy()) + {o}.map_or({b}, |p| p.mass)"),
            ),
            5 => (
                format!(
                    "let mut {o}: Vec<Particle> = {v}.iter().take(3).map(|t| Particle::new(t * {a}, 1)).collect(); let most = heaviest(&{o}).copied(); {o}.retain(|p| p.mass < {b}); {o}.extend(most);"
                ),
                format!("{o}.iter().map(Particle::energy).sum::<f64>()"),
            ),
            6 => (
                format!(
                    "let {o} = Cow::from(&{v}[..]); let {o} = if {n} > 2 {{ let mut own = {o}.into_owned(); own[0] *= {a}; Cow::Owned(own) }} else {{ {o} }};"
                ),
                format!("{o}.iter().map(|t| t * {b}).sum::<f64>()"),
            ),
            _ => (
                format!(
                    "let mut {o} = vec![vec![0.0; 3]; 2]; for i in 0..2 {{ for j in 0..3 {{ {o}[i][j] = {v}[(i + j) % {v}.len()] * {b}; }} }} let (p, q) = {o}.split_at_mut(1); p[0].swap_with_slice(&mut q[0]); q[0][1] += {a} * p[0][2];"
                ),
                format!("{o}.concat().iter().enumerate().map(|(i, t)| t * (i as f64 - 2.0)).sum::<f64>()"),
            ),
        };
        self.line(&make);
        self.result(&read);
    }

    fn integers(&mut self) {
        let (a, b, v, n) = (self.expression(1), self.float(), self.source(), self.count());
        let i = self.name("i");
        let (make, read) = match self.rng.u8(..7) {
            0 => (
                format!(
                    "let mut {i}: i32 = -2; let mut sum = {a}; while {i} < 3 {{ sum += f64::from({i}) * {b} * 0.25; {i} += 1 + ({i} & 1); }}"
                ),
                format!("sum * f64::from({i})"),
            ),
            1 => (
                format!("let {i} = ({a} * 3.0).floor() as i64;"),
                format!("{a} * 3.0 - {i} as f64 + {b} * ({i}.rem_euclid(3)) as f64"),
            ),
            2 => (
                format!("let {i}: Vec<u8> = {v}.iter().map(|t| (*t > {b}) as u8).collect();"),
                format!("{i}.iter().zip(&{v}).filter(|(flag, _)| **flag == 1).map(|(_, t)| t * {a}).sum::<f64>()"),
            ),
            3 => (
                format!(
                    "let mut {i} = 0x5eed_u64; let mut pick = || {{ {i} = {i}.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407); ({i} >> 60) as usize }};"
                ),
                format!("{v}[pick() % {v}.len()] * {a} + {v}[pick() % {v}.len()] * {b}"),
            ),
            4 => (format!("let {i} = even({n} as u32, {a});"), format!("{i} * {b}")),
            5 => (
                format!("let {i} = format!(\"{{}}-{{:?}}\", {n}, [1, 2]).len();"),
                format!("{a} * {i} as f64 * 0.125 + {b}"),
            ),
            _ => (
                format!(
                    "let mut {i}: Vec<usize> = (0..{v}.len()).collect(); {i}.sort_by(|p, q| {v}[*p].partial_cmp(&{v}[*q]).unwrap()); {i}.reverse();"
                ),
                format!("{i}.iter().enumerate().map(|(rank, at)| {v}[*at] * rank as f64).sum::<f64>() * {a} + {b}"),
            ),
        };
        self.line(&make);
        self.result(&read);
    }
}
