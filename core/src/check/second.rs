//! Second derivatives: against differences of the gradient, and against themselves.

use super::compare;
use super::failure::{Details, Failure, Mistake};
use super::laws;
use super::problem::{Forward, Layout, Problem, Pushforward, Second};
use super::spot::{Spot, dot, largest};

/// Everything about one second derivative at one point.
pub fn check(spot: &mut Spot<'_, '_>, second: &Second<'_>) -> Result<(), Failure> {
    let direction = spot.direction();
    let product = (second.product)(&spot.x, &direction);
    if product.len() != spot.x.len() {
        let help = format!("{} numbers, expected {}: one for each input", product.len(), spot.x.len());
        return Err(spot.failure(Details::new(Mistake::Length, &second.name).help(help)));
    }
    against_gradient(spot, second)?;
    symmetry(spot, second)
}

/// The Hessian is the forward derivative of the gradient: that is a problem of its own.
fn against_gradient(spot: &mut Spot<'_, '_>, second: &Second<'_>) -> Result<(), Failure> {
    let Some(gradient) = spot.problem.reverse.first() else { return Ok(()) };
    let output = spot.problem.outputs.name(0);
    let names = (0..spot.x.len()).map(|index| format!("(d {output} / d {})", spot.problem.inputs.name(index)));
    let mut outputs = Layout::empty();
    let singles = (0..spot.x.len()).map(|index| spot.problem.inputs.is_single(index)).collect();
    outputs.extend("", names.collect(), singles, false);
    let mut problem =
        Problem::new(spot.problem.inputs.clone(), outputs, |at: &[f64]| compare::adjoint(gradient, at, &[1.0]));
    problem.forward.push(Forward {
        name: second.name.clone(),
        width: 1,
        seeded: second.seeded,
        call: Box::new(|at, directions| Pushforward {
            tangents: vec![(second.product)(at, &directions[0])],
            ..Pushforward::default()
        }),
    });
    let mut inner = Spot::new(&problem, spot.settings, spot.tally, &spot.x, spot.place())?;
    let derivative = &problem.forward[0];
    laws::forward(&mut inner, derivative)?;
    compare::forward(&mut inner, derivative)
}

fn symmetry(spot: &mut Spot<'_, '_>, second: &Second<'_>) -> Result<(), Failure> {
    if spot.is_small() {
        let rows: Vec<Vec<f64>> = (0..spot.x.len()).map(|i| (second.product)(&spot.x, &spot.unit(i))).collect();
        let size = rows.iter().map(|row| largest(row)).fold(0.0, f64::max) * 1e-3;
        let mut worst: Option<(f64, usize, usize)> = None;
        for (i, row) in rows.iter().enumerate() {
            for (j, other) in rows.iter().enumerate().take(i) {
                let off = (row[j] - other[i]).abs();
                if !spot.precision.same(row[j], other[i], size) && worst.is_none_or(|(worst, ..)| off > worst) {
                    worst = Some((off, i, j));
                }
            }
        }
        let Some((_, i, j)) = worst else { return Ok(()) };
        let (row, column) = (spot.problem.inputs.name(i), spot.problem.inputs.name(j));
        let details = Details::new(Mistake::Asymmetric, &second.name).input(format!("{row} and {column}")).values(
            rows[i][j],
            rows[j][i],
            "the entry on the other side of the diagonal",
        );
        return Err(spot.failure(details));
    }
    let (v, w) = (spot.direction(), spot.direction());
    let (hv, hw) = ((second.product)(&spot.x, &v), (second.product)(&spot.x, &w));
    let size: f64 = hv.iter().zip(&w).chain(hw.iter().zip(&v)).map(|(a, b)| (a * b).abs()).sum();
    let (left, right) = (dot(&hv, &w), dot(&hw, &v));
    if spot.precision.same(left, right, size) {
        return Ok(());
    }
    let details =
        Details::new(Mistake::Asymmetric, &second.name).values(left, right, "the product with v and w exchanged");
    Err(spot.failure(details))
}
