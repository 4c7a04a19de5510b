//! Texts that are parsed inside of a function, with errors of texts and of floats.
use crate::assert_close;
use cotangent::autodiff;
use testing::differences;

#[derive(Debug)]
enum Flaw {
    Unknown(#[expect(dead_code, reason = "it is printed")] String),
    Diverged(#[expect(dead_code, reason = "it is printed")] f64),
}

fn parse(text: &str, x: &[f64]) -> Result<Vec<(String, f64)>, Flaw> {
    let value = |word: &str| -> Option<f64> { if word == "$r" { Some(x[0]) } else { word.parse().ok() } };
    let line = |line: &str| {
        let flaw = || Flaw::Unknown(line.to_string());
        let mut words = line.split_whitespace();
        let name = words.next().ok_or_else(flaw)?;
        let value = value(words.next().ok_or_else(flaw)?).ok_or_else(flaw)?;
        Ok((name.into(), value))
    };
    text.lines().map(line).collect()
}

fn sum_of_squares(n: usize, a: &[f64], b: f64) -> Result<f64, Flaw> {
    let row: Vec<f64> = (0..n).map(|j| a[j]).chain([b]).collect();
    let sum = row.iter().map(|v| v * v).sum();
    if sum > 1e9 {
        return Err(Flaw::Diverged(sum));
    }
    Ok(sum)
}

#[autodiff(netlist_reverse, Reverse, Const, Duplicated, Active)]
#[autodiff(netlist_forward, Forward, Const, Dual, Dual)]
fn netlist(text: &str, x: &[f64]) -> f64 {
    let run = || -> Result<f64, Flaw> {
        let values: Vec<f64> = parse(text, x)?.iter().map(|part| part.1 * part.0.len() as f64).collect();
        sum_of_squares(values.len(), &values, x[1])
    };
    run().unwrap_or_else(|flaw| format!("{flaw:?}").len() as f64)
}

#[test]
fn numbers_out_of_a_text_beside_active_ones_in_a_row_with_an_array() {
    let (text, at, to) = ("R1 $r\nC1 0.5", [3.0, 2.0], [0.5, -1.5]);
    let mut slopes = [0.0; 2];
    let value = netlist_reverse(text, &at, &mut slopes, 1.0);
    assert_close!(value, 41.0);
    assert_close!(slopes, [24.0, 4.0]);
    assert_close!(slopes, differences::gradient(|x| netlist(text, x), &at), 1e-6);
    assert_close!(netlist_forward(text, &at, &to), (41.0, testing::dot(&slopes, &to)));
    // An error has no derivative.
    let mut none = [0.0; 2];
    netlist_reverse("R1", &at, &mut none, 1.0);
    netlist_reverse("R1 1e9", &at, &mut none, 1.0);
    assert_eq!(none, [0.0; 2]);
}
