//! Enums of a float, a text, a vector, a number and two floats, all at one place: looked at in one variant and moved in the others.

use crate::functional;

#[derive(Clone)]
enum Token {
    Number(f64),
    Count(u32),
    Name(String),
    Many(Vec<f64>),
    Pair(f64, f64),
}

use Token::{Count, Many, Name, Number, Pair};

#[inline(never)]
fn tokens(x: &[f64]) -> Vec<Token> {
    let mut all = vec![Number(x[0]), Name("abc".to_owned()), Many(vec![x[1], x[2]]), Number(x[3]), Count(3)];
    all.push(Pair(x[4], x[0]));
    all
}

/// The same kinds, and nothing that depends on an input.
#[inline(never)]
fn constants() -> Vec<Token> {
    let mut all = vec![Number(1.0), Name("abc".to_owned()), Many(vec![2.0, 3.0]), Count(3)];
    all.push(Pair(1.5, 2.5));
    all
}

/// What a parser of a text returns.
#[inline(never)]
fn parsed(text: &str) -> Vec<Token> {
    let token = |word: &str| match word {
        "+" => Count(1),
        "a" | "b" => Name(word.to_owned()),
        _ => Number(2.5),
    };
    text.split(' ').map(token).collect()
}

#[inline(never)]
fn value(all: &[Token]) -> f64 {
    let value = |token: &Token| match token {
        Number(v) => v * v,
        Count(n) => 0.5 * f64::from(*n),
        Name(name) => name.len() as f64,
        Many(all) => all.iter().map(|v| v * v * v).sum(),
        Pair(a, b) => a * b,
    };
    all.iter().map(value).sum()
}

const X: [f64; 5] = [1.1, 0.7, -1.3, 0.9, 1.6];

/// What a lexer leaves: no floats.
#[derive(Clone)]
enum Word {
    Input(usize),
    Sign(char),
    Function(String),
}

fn words(count: usize) -> Vec<Word> {
    let mut all = vec![];
    for length in 0..count {
        let mut name = String::new();
        for _ in 0..length {
            name.push('a');
        }
        all.push(Word::Function(name));
    }
    all.extend([Word::Input(1), Word::Sign('+')]);
    all
}

fn applied(words: &[Word], at: usize, x: &[f64]) -> Result<f64, String> {
    match words[at].clone() {
        Word::Input(i) => Ok(i as f64 * x[i]),
        Word::Sign(sign) => Ok(if sign == '-' { -x[0] } else { x[0] }),
        Word::Function(name) => {
            let value = applied(words, at + 1, x)?;
            if name.len() < 9 { Ok(value.sin()) } else { Err(name) }
        }
    }
}

/// The same of one word, handed over by value.
#[inline(never)]
fn applied_alone(word: Word, x: &[f64]) -> Result<f64, String> {
    match word {
        Word::Input(i) => Ok(i as f64 * x[i]),
        Word::Sign(sign) => Ok(if sign == '-' { -x[0] } else { x[0] }),
        Word::Function(name) => Err(name),
    }
}

functional! {
    fn names_handed_over_by_value_are_freed(x: &[f64]) -> f64 {
        let named = applied_alone(Word::Function("abc".to_owned()), x).unwrap_or_else(|name| name.len() as f64 * x[1]);
        named + applied_alone(Word::Input(1), x).unwrap_or(0.0) * x[0] + applied_alone(Word::Sign('-'), x).unwrap_or(0.0)
    } at [0.3, 1.2];

    fn names_in_an_array_are_freed(x: &[f64]) -> f64 {
        let words = [Word::Function("ab".to_owned()), Word::Input(1), Word::Function("abcdefghijk".to_owned()), Word::Sign('-')];
        applied(&words, 0, x).unwrap_or(0.0) * x[0] + applied(&words, 2, x).unwrap_or_else(|name| name.len() as f64)
    } at [0.3, 1.2];

    fn names_that_may_be_errors_are_freed(x: &[f64]) -> f64 {
        applied(&words(x.len() + 1), 0, x).unwrap_or(0.0) * x[0] + applied(&words(10), 0, x).unwrap_or_else(|name| name.len() as f64)
    } at [0.3, 1.2];
    fn numbers_are_looked_at_and_all_else_is_kept(x: &[f64]) -> f64 {
        let (mut all, mut sum, mut kept) = (tokens(x), 0.0, vec![]);
        while let Some(token) = all.pop() {
            match token {
                Number(v) => sum += v * 2.0,
                other => kept.push(other),
            }
        }
        sum + value(&kept)
    } at X;

    fn names_are_looked_at_and_all_else_is_kept(x: &[f64]) -> f64 {
        let (mut all, mut sum, mut kept) = (tokens(x), 0.0, vec![]);
        while let Some(token) = all.pop() {
            match token {
                Name(name) => sum += name.len() as f64,
                other => kept.push(other),
            }
        }
        sum + value(&kept)
    } at X;

    fn vectors_are_looked_at_and_all_else_is_kept(x: &[f64]) -> f64 {
        let (mut all, mut sum, mut kept) = (tokens(x), 0.0, vec![]);
        while let Some(token) = all.pop() {
            match token {
                Many(all) => sum += all.iter().sum::<f64>(),
                other => kept.push(other),
            }
        }
        sum + value(&kept)
    } at X;

    fn counts_are_looked_at_and_all_else_is_kept(x: &[f64]) -> f64 {
        let (mut all, mut sum, mut kept) = (tokens(x), 0.0, vec![]);
        while let Some(token) = all.pop() {
            match token {
                Count(n) => sum += f64::from(n),
                other => kept.push(other),
            }
        }
        sum + value(&kept)
    } at X;

    fn tokens_of_constants_are_looked_at_and_kept(x: &[f64]) -> f64 {
        let (mut all, mut sum, mut kept) = (constants(), 0.0, vec![]);
        all.push(Number(x[4]));
        all.insert(1, Many(vec![x[0]; 3]));
        while let Some(token) = all.pop() {
            match token {
                Number(v) => sum += v * 2.0,
                other => kept.push(other),
            }
        }
        sum + value(&kept)
    } at X;

    fn numbers_are_doubled_in_place(x: &[f64]) -> f64 {
        let doubled = |token| match token {
            Number(v) => Number(2.0 * v),
            other => other,
        };
        value(&tokens(x).into_iter().map(doubled).collect::<Vec<_>>())
    } at X;

    fn constants_are_scaled_in_place(x: &[f64]) -> f64 {
        let scaled = |token| match token {
            Number(v) => Number(x[0] * v),
            other => other,
        };
        value(&constants().into_iter().map(scaled).collect::<Vec<_>>())
    } at X;

    fn numbers_become_pairs_and_pairs_numbers(x: &[f64]) -> f64 {
        let changed = |token| match token {
            Number(v) => Pair(2.0 * v, v),
            Pair(a, b) => Number(a * b),
            other => other,
        };
        value(&tokens(x).into_iter().map(changed).collect::<Vec<_>>())
    } at X;

    fn tokens_are_partitioned(x: &[f64]) -> f64 {
        let (a, b): (Vec<Token>, Vec<Token>) = tokens(x).into_iter().partition(|t| matches!(t, Number(_) | Name(_)));
        value(&a) * value(&b)
    } at X;

    fn the_last_token_is_kept(x: &[f64]) -> f64 {
        let (mut last, mut sum) = (None, 0.0);
        for token in tokens(x) {
            if let Some(Number(v)) = &last {
                sum += v * x[1];
            }
            last = Some(token);
        }
        sum + last.map_or(0.0, |token| value(&[token]))
    } at X;

    fn tokens_are_replaced(x: &[f64]) -> f64 {
        let mut all = tokens(x);
        let old = std::mem::replace(&mut all[2], Number(x[4]));
        let older = std::mem::replace(&mut all[0], old);
        all.push(older);
        value(&all)
    } at X;

    fn tokens_are_taken_out_of_the_middle(x: &[f64]) -> f64 {
        let mut all = tokens(x);
        let (a, b) = (all.swap_remove(1), all.remove(1));
        value(&all) + value(&[a, b]) * x[0]
    } at X;

    fn tokens_of_constants_are_changed_and_cloned(x: &[f64]) -> f64 {
        let mut all = constants();
        all[1] = Number(x[3]);
        all.push(Number(x[4]));
        let mut more = all.clone();
        more.extend(all);
        value(&more)
    } at X;

    fn what_a_parser_returns_is_changed_and_cloned(x: &[f64]) -> f64 {
        let mut all = parsed("a 2.5 + b");
        all[1] = Number(x[3]);
        all.push(Number(x[4]));
        let again = all.clone();
        all.truncate(2);
        value(&again) * value(&all)
    } at X;

    fn tokens_are_retained_reversed_and_rotated(x: &[f64]) -> f64 {
        let mut all = tokens(x);
        all.retain(|t| !matches!(t, Count(_)));
        all.reverse();
        all.rotate_left(2);
        all.truncate(4);
        value(&all)
    } at X;

    fn vectors_among_tokens_are_flattened(x: &[f64]) -> f64 {
        let flat = |token: &Token| match token {
            Many(all) => all.iter().map(|v| Number(*v)).collect(),
            other => vec![other.clone()],
        };
        value(&tokens(x).iter().flat_map(flat).collect::<Vec<_>>())
    } at X;

    fn tokens_on_a_stack_are_reduced(x: &[f64]) -> f64 {
        let mut stack: Vec<Token> = vec![];
        for token in tokens(x) {
            match token {
                Count(_) => match (stack.pop(), stack.pop()) {
                    (Some(Number(a)), Some(Number(b))) => stack.push(Number(a * b)),
                    (a, b) => stack.extend(b.into_iter().chain(a)),
                },
                other => stack.push(other),
            }
        }
        value(&stack)
    } at X;
}

/// A text's length lies where another variant has a float.
enum Fault {
    Unknown(String),
    Above { name: String, limit: f64 },
    Many(Vec<Fault>),
}

impl Fault {
    fn weight(&self) -> f64 {
        match self {
            Fault::Unknown(name) => name.len() as f64,
            Fault::Above { name, limit } => limit * limit * name.len() as f64,
            Fault::Many(faults) => faults.iter().map(Fault::weight).sum(),
        }
    }
}

functional! {
    fn a_length_that_is_known_in_the_place_of_a_float(x: &[f64]) -> f64 {
        let found = |v: &f64| match *v > 1.0 {
            true => Fault::Unknown("ohm".to_owned()),
            false => Fault::Above { name: "volt".to_owned(), limit: *v },
        };
        let mut faults: Vec<Fault> = x.iter().map(found).collect();
        faults.push(Fault::Many(x[..2].iter().map(found).collect()));
        faults.iter().map(Fault::weight).sum()
    } at [0.3, 1.2, 0.7], [0.3, 0.2, 0.7], [1.3, 1.2, 1.7];
}
