//! Enums with an `f32` in one variant and owners in others, in programs whose inputs are `f64`: beside the mark of a variant, and in half of the place of an address,
//! there is room for a narrow float.

enum Value {
    Float(f32),
    List(Vec<f32>),
    Nothing,
}

#[inline(never)]
fn values(x: &[f64]) -> Vec<Value> {
    let mut all = vec![];
    for v in x {
        all.push(Value::Float(*v as f32));
        all.push(Value::List(vec![*v as f32, 2.0]));
    }
    all.push(Value::Nothing);
    all
}

fn of_value(value: &Value) -> f64 {
    match value {
        Value::Float(v) => f64::from(v * v),
        Value::List(all) => f64::from(all[0] * all[1]),
        Value::Nothing => 0.5,
    }
}

enum Marked {
    Float(f32),
    Boxed(Box<f32>),
    Nothing,
}

#[inline(never)]
fn marked(x: &[f64]) -> Vec<Marked> {
    let mut all = vec![];
    for v in x {
        all.push(Marked::Float(*v as f32));
        all.push(Marked::Boxed(Box::new(*v as f32)));
    }
    all.push(Marked::Nothing);
    all
}

fn of_marked(value: &Marked) -> f64 {
    match value {
        Marked::Float(v) => f64::from(v * v),
        Marked::Boxed(v) => f64::from(**v * 2.0),
        Marked::Nothing => 0.5,
    }
}

enum Pair {
    Floats(f32, f32),
    Text(String),
}

#[inline(never)]
fn pairs(x: &[f64]) -> Vec<Pair> {
    let mut all = vec![];
    for (i, v) in x.iter().enumerate() {
        all.push(Pair::Floats(*v as f32, (v * v) as f32));
        all.push(Pair::Text("t".repeat(i)));
    }
    all
}

fn of_pair(pair: &Pair) -> f64 {
    match pair {
        Pair::Floats(a, b) => f64::from(a * b),
        Pair::Text(text) => text.len() as f64,
    }
}

#[inline(never)]
fn popped<T>(all: Vec<T>) -> Vec<T> {
    let (mut all, mut others) = (all, vec![]);
    while let Some(one) = all.pop() {
        others.push(one);
    }
    others
}

#[inline(never)]
fn boxed<T>(all: Vec<T>) -> Vec<T> {
    let all: Vec<Box<T>> = all.into_iter().map(Box::new).collect();
    all.into_iter().map(|one| *one).collect()
}

fn weighted<T>(all: &[T], value: impl Fn(&T) -> f64) -> f64 {
    all.iter().zip(1..).map(|(one, i)| value(one) * f64::from(i)).sum()
}

/// Powers of two and what they add up to, so that `f32` rounds nothing.
const X: [f64; 2] = [0.5, 0.75];

/// What `f32` computes is compared with differences as far as it goes.
fn check(name: &str, f: impl Fn(&[f64]) -> f64 + Copy, expected: [f64; 2]) {
    let found = cotangent::gradient(f, &X);
    assert_eq!(found, expected, "{name}");
    for k in 0..2 {
        let along = [f64::from(u8::from(k == 0)), f64::from(u8::from(k == 1))];
        assert_eq!(cotangent::jvp(f, &X, &along).1, expected[k], "{name}");
        let at = |by: f64| f(&[X[0] + by * along[0], X[1] + by * along[1]]);
        let difference = (at(0.0625) - at(-0.0625)) / 0.125;
        assert!((difference - expected[k]).abs() < 0.05, "{name}: {difference} {}", expected[k]);
    }
}

#[test]
fn what_is_popped_and_pushed() {
    // Weights from the end: 1 nothing, 2 list of the second, 3 its float, 4 list of the first, 5 its float.
    check(
        "values",
        |x: &[f64]| weighted(&popped(values(x)), of_value),
        [4.0 * 2.0 + 5.0 * 2.0 * X[0], 2.0 * 2.0 + 3.0 * 2.0 * X[1]],
    );
    check(
        "marked",
        |x: &[f64]| weighted(&popped(marked(x)), of_marked),
        [4.0 * 2.0 + 5.0 * 2.0 * X[0], 2.0 * 2.0 + 3.0 * 2.0 * X[1]],
    );
    check(
        "pairs",
        |x: &[f64]| weighted(&popped(pairs(x)), of_pair),
        [4.0 * 3.0 * X[0] * X[0], 2.0 * 3.0 * X[1] * X[1]],
    );
}

#[test]
fn what_goes_through_boxes() {
    check(
        "values",
        |x: &[f64]| weighted(&boxed(values(x)), of_value),
        [2.0 * X[0] + 2.0 * 2.0, 3.0 * 2.0 * X[1] + 4.0 * 2.0],
    );
    check(
        "marked",
        |x: &[f64]| weighted(&boxed(marked(x)), of_marked),
        [2.0 * X[0] + 2.0 * 2.0, 3.0 * 2.0 * X[1] + 4.0 * 2.0],
    );
    check("pairs", |x: &[f64]| weighted(&boxed(pairs(x)), of_pair), [3.0 * X[0] * X[0], 3.0 * 3.0 * X[1] * X[1]]);
}
