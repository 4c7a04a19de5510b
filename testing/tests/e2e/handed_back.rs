//! Blocks without floats that a function makes and leaves in its argument's memory: in forward mode the tangent gets its own, and whoever owns them gives back
//! both. None of these types says anything of its shadows.

use crate::assert_close;
use cotangent::autodiff;
use std::collections::BTreeSet;
use std::fmt::Write;

#[derive(Default)]
struct Report {
    names: Vec<String>,
    last: String,
    text: String,
    order: Vec<usize>,
    first: Option<Box<u32>>,
    seen: BTreeSet<usize>,
    sum: f64,
}

#[autodiff(texts_forward, Forward, Dual, Dual)]
fn texts(report: &mut Report, x: &f64) {
    report.last = format!("last {x}");
    for k in 0..3 {
        write!(report.text, "{k} of {x}, and more of it, so that it grows; ").expect("a string takes all");
        report.names.push(format!("{k} at {x}"));
        report.sum += x * x;
    }
    report.last.push_str(" of all");
}

#[test]
fn texts_of_a_tangent_are_its_own() {
    for _ in 0..10 {
        let (mut report, mut tangent) = (Report::default(), Report::default());
        for _ in 0..2 {
            texts_forward(&mut report, &mut tangent, &3.0, &1.0);
        }
        assert_close!((report.sum, tangent.sum), (54.0, 36.0));
        assert_eq!((report.names.len(), tangent.names.len()), (6, 6));
        drop(tangent);
        assert_eq!((&report.names[5][..], &report.last[..]), ("2 at 3", "last 3 of all"));
        assert!(report.text.starts_with("0 of 3,") && report.text.len() > 200);
    }
}

#[autodiff(numbers_forward, Forward, Dual, Dual)]
fn numbers(report: &mut Report, x: &[f64]) {
    let mut order: Vec<usize> = (0..x.len()).collect();
    order.sort_by(|a, b| x[*a].total_cmp(&x[*b]));
    report.first = Some(Box::new(order[0] as u32));
    report.sum += x[order[0]] * x[order[x.len() - 1]];
    report.order = order;
    for k in 0..20 {
        report.order.push(k);
    }
}

#[test]
fn numbers_in_blocks_of_a_tangent_are_its_own() {
    for _ in 0..10 {
        let (mut report, mut tangent) = (Report::default(), Report::default());
        numbers_forward(&mut report, &mut tangent, &[2.0, -1.0, 5.0], &[0.5, 1.0, 2.0]);
        assert_close!((report.sum, tangent.sum), (-5.0, 3.0));
        drop(tangent);
        assert_eq!((&report.order[..4], report.order.len(), report.first), (&[1, 0, 2, 0][..], 23, Some(Box::new(1))));
    }
}

#[autodiff(sets_forward, Forward, Dual, Dual)]
fn sets(report: &mut Report, x: &[f64]) {
    for (k, v) in x.iter().enumerate() {
        report.seen.insert(k * 7 % 5);
        report.sum += v * v;
    }
}

#[test]
fn sets_of_a_tangent_are_its_own() {
    for _ in 0..10 {
        let (mut report, mut tangent) = (Report::default(), Report::default());
        sets_forward(&mut report, &mut tangent, &[1.0, 2.0, 3.0, 4.0], &[1.0, 0.0, 0.5, 0.0]);
        assert_close!((report.sum, tangent.sum), (30.0, 5.0));
        drop(tangent);
        assert_eq!(report.seen.len(), 4);
        assert!(report.seen.contains(&2));
    }
}
