//! Slices of commands that own slices of commands, matched from the front and handed on: lengths of vectors lie where other commands have floats.
use crate::functional;

enum Command {
    Turn(f64),
    Repeat(Vec<Command>),
    Maybe(Option<f64>),
}
use Command::{Maybe, Repeat, Turn};

fn run(total: &mut f64, commands: &[Command]) {
    match commands {
        [] => {}
        [Turn(a), Turn(b), rest @ ..] => {
            *total += a * b;
            run(total, rest);
        }
        [first, rest @ ..] => {
            match first {
                Turn(a) => *total += a * a,
                Repeat(body) => run(total, body),
                Maybe(value) => *total += value.unwrap_or(0.5) * *total,
            }
            run(total, rest);
        }
    }
}

fn by_ends(commands: &[Command], scale: f64) -> f64 {
    let [first, middle @ .., last] = commands else { return scale };
    let value = |command: &Command| match command {
        Turn(a) => a.sin(),
        Repeat(body) => by_ends(body, scale * 0.5) * body.len() as f64,
        Maybe(value) => value.map_or(scale, |v| v * v),
    };
    value(first) * by_ends(middle, scale) + value(last)
}

functional! {
    fn commands_are_run_from_the_front(x: &[f64]) -> f64 {
        let body = vec![Turn(x[0]), Maybe(Some(x[1])), Turn(x[2]), Turn(x[0])];
        let commands = [Turn(x[0]), Turn(x[1]), Repeat(body), Maybe(None), Turn(x[2]), Repeat(Vec::new())];
        let mut total = 0.0;
        run(&mut total, &commands);
        total
    } at [0.7, -0.4, 1.3];

    fn commands_are_matched_at_both_ends(x: &[f64]) -> f64 {
        let inner = vec![Turn(x[1]), Maybe(Some(x[0])), Maybe(None), Turn(x[2])];
        by_ends(&[Turn(x[0]), Repeat(inner), Turn(x[1]), Maybe(Some(x[2])), Repeat(vec![Turn(x[0])])], x[1])
    } at [0.7, -0.4, 1.3];
}
