//! Branches, selections and matches.

use crate::{assert_close, functional, map, scalar};
use cotangent::autodiff;

scalar! {
    fn an_if_takes_the_derivative_of_its_branch(x: f64) -> f64 {
        if x < 1.0 { x * x } else { x.sqrt() }
    } at 0.3, 2.0, -1.0;

    fn a_phi_decided_by_data(x: f64) -> f64 {
        let mut y = x;
        if x > 0.5 {
            y = x * 3.0;
        }
        if y > 2.0 {
            y *= y;
        }
        y + x
    } at 0.2, 0.6, 1.5;

    fn a_match_with_many_arms(x: f64) -> f64 {
        match x as i32 {
            0 => x.sin(),
            1 => x * x,
            2 => x.exp(),
            3 => 5.0,
            4 | 5 => 1.0 / x,
            6..=9 => x.ln() * x,
            _ => -x,
        }
    } at 0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 7.5, 20.5;

    fn min_max_and_clamp(x: f64) -> f64 {
        (x * x).max(x + 1.0) + x.min(0.5) * x + (2.0 * x).clamp(-1.0, 1.5) * x
    } at 0.3, 3.0, -2.0, 0.6;

    fn absolute_values(x: f64) -> f64 { (x * x - 2.0).abs() + x.abs() } at 0.5, -0.5, 2.0;

    fn conditions_joined(x: f64) -> f64 {
        if x > 0.0 && x < 1.0 || x > 5.0 { x * x } else { 3.0 * x }
    } at 0.5, 2.0, 6.0, -1.0;

    fn early_returns(x: f64) -> f64 {
        if x < 0.0 {
            return -x * x;
        }
        let y = x.sqrt();
        if y > 2.0 {
            return y * x;
        }
        y + x
    } at -1.5, 1.5, 9.5;

    fn a_function_with_steps_is_flat_between_them(x: f64) -> f64 {
        x.floor() * x + x.ceil() + x.round() * x * x + x.trunc() * x + x.fract() * x
    } at 1.3, -1.3, 2.7;

    fn options_on_the_way(x: f64) -> f64 {
        fn positive(x: f64) -> Option<f64> { if x > 0.0 { Some(x * x) } else { None } }
        positive(x).map_or(2.0 * x, |y| y * x) + positive(x - 1.0).unwrap_or(x)
    } at 0.5, 1.5, -1.0;

    fn results_and_the_question_mark(x: f64) -> f64 {
        fn inner(x: f64) -> Result<f64, f64> {
            let y = if x > 1.0 { Ok(x * x) } else { Err(3.0 * x) }?;
            Ok(y * x)
        }
        match inner(x) { Ok(y) => y, Err(y) => -y }
    } at 0.5, 1.5;
}

functional! {
    fn relu3(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for v in x {
            sum += if *v > 0.0 { v * v * v } else { 0.0 };
        }
        sum
    } at [1.0, -2.0, 0.5, 3.0];

    fn the_largest_element(x: &[f64]) -> f64 {
        let mut best = x[0];
        for v in x {
            if *v > best {
                best = *v;
            }
        }
        best * x[0]
    } at [1.0, 5.0, 3.0, 4.0], [5.0, 1.0, 2.0];

    fn a_fold_of_max(x: &[f64]) -> f64 { x.iter().copied().fold(f64::NEG_INFINITY, f64::max) } at [1.0, 5.0, 3.0];

    fn states_of_a_machine(x: &[f64]) -> f64 {
        #[derive(Clone, Copy)]
        enum State { Up, Down, Still }
        let mut state = State::Still;
        let mut level = 1.0;
        for v in x {
            match state {
                State::Up => level *= v,
                State::Down => level /= v,
                State::Still => level += v,
            }
            state = if *v > 2.0 { State::Up } else if *v > 1.0 { State::Down } else { State::Still };
        }
        level
    } at [0.5, 2.5, 1.5, 0.7, 1.2, 3.0, 2.2];
}

map! {
    fn each_element_its_own_branch(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] = if x[i] > 0.0 { x[i].ln() } else if x[i] < -1.0 { x[i] * x[i] } else { 1.0 };
        }
    } at [1.5, -2.0, -0.5, 0.25] => 4;
}

#[autodiff(select_reverse, Reverse, Active, Active, Const, ActiveOnly)]
fn selected(a: f64, b: f64, first: bool) -> f64 {
    let chosen = if first { a } else { b };
    chosen * chosen
}

#[test]
fn only_the_selected_side_has_an_adjoint() {
    assert_close!(selected_pair(true), (6.0, 0.0));
    assert_close!(selected_pair(false), (0.0, 8.0));
}

fn selected_pair(first: bool) -> (f64, f64) {
    select_reverse(3.0, 4.0, first, 1.0)
}
