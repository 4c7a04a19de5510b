//! A mixture that is fitted step by step: a step that fails takes back the one before.
use crate::functional;

#[derive(Clone)]
struct Part {
    weight: f64,
    mean: f64,
    spread: f64,
}

/// Shares by point and part, and their sum.
type Shares = (Vec<Vec<f64>>, f64);

struct Fit<'d> {
    data: &'d [f64],
    parts: Vec<Part>,
    history: Vec<(f64, Vec<Part>)>,
}

impl Fit<'_> {
    fn shares(&self) -> Result<Shares, (usize, f64)> {
        let rows = self.data.iter().map(|point| {
            let row: Vec<f64> = self.parts.iter().map(|p| p.weight * (p.mean + 0.1 * point)).collect();
            if row[0] > 9.0 { Err((3, row[1])) } else { Ok(row) }
        });
        let rows = rows.collect::<Result<Vec<_>, _>>()?;
        let all = rows.iter().flatten().sum();
        Ok((rows, all))
    }

    fn run(&mut self, steps: usize) -> f64 {
        let mut last = 0.0;
        for _ in 0..steps {
            let (rows, all) = match self.shares() {
                Ok(found) => found,
                Err((number, share)) => {
                    if let Some((_, parts)) = self.history.pop() {
                        self.parts = parts;
                    }
                    last = share + number as f64;
                    break;
                }
            };
            last = all;
            self.history.push((all, self.parts.clone()));
            for (k, part) in self.parts.iter_mut().enumerate() {
                let sum: f64 = rows.iter().map(|row| row[k]).sum();
                *part = Part { weight: sum, mean: part.mean + sum, spread: part.spread * 0.9 };
            }
        }
        self.parts.sort_by(|a, b| b.weight.partial_cmp(&a.weight).unwrap());
        last
    }
}

functional! {
    fn parts_that_are_sorted_may_come_out_of_a_history(x: &[f64]) -> f64 {
        let parts = x[..2].iter().map(|mean| Part { weight: 0.5, mean: *mean, spread: x[2] }).collect();
        let mut fit = Fit { data: &x[2..], parts, history: Vec::new() };
        let last = fit.run(3);
        let past: f64 = fit.history.iter().map(|(all, parts)| all * parts[0].weight).sum();
        last + past + fit.parts.iter().zip(1..).map(|(p, k)| p.weight * p.mean * p.spread * f64::from(k)).sum::<f64>()
    } at [0.1, 0.4, 1.2, 0.6];
}
