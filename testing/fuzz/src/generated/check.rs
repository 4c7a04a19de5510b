//! The comparison at the end of every generated program.

/// Length of the argument.
pub const N: usize = 6;

/// What is differentiated.
pub struct Case {
    pub value: fn(&[f64]) -> f64,
    /// The same in `f64` alone, where the value is computed with narrower floats: for the differences.
    pub smooth: Option<fn(&[f64]) -> f64>,
    pub reverse: fn(&[f64], &mut [f64], f64) -> f64,
    pub forward: fn(&[f64], &[f64]) -> (f64, f64),
}

/// Differences of fourth order along a direction.
fn difference(f: fn(&[f64]) -> f64, x: &[f64], u: &[f64], h: f64) -> f64 {
    let at = |t: f64| f(&x.iter().zip(u).map(|(x, u)| x + t * u).collect::<Vec<f64>>());
    (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h)
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs())) || !(a.is_finite() || b.is_finite())
}

/// Says what is wrong with a case, at three points, each with something else in memory that nobody has written.
pub fn check(case: &Case) -> Result<(), String> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut noise = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / 2f64.powi(30) - 1.0
    };
    // Rounded to `f32` here and there.
    let exact = if case.smooth.is_some() { 1e-5 } else { 1e-12 };
    let said = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let text = panic.payload_as_str().unwrap_or_default();
        if text != "on purpose" {
            said(panic);
        }
    }));
    let (mut unlike, mut points) = (Vec::new(), 0);
    for byte in [0x00, 0x3f, 0xff] {
        let x: Vec<f64> = (0..N).map(|_| noise()).collect();
        let u: Vec<f64> = (0..N).map(|_| noise()).collect();
        let value = (case.value)(&x);
        if !value.is_finite() {
            continue;
        }
        points += 1;
        let mut gradient = vec![0.0; N];
        crate::litter::leave(byte);
        let again = (case.reverse)(&x, &mut gradient, 1.0);
        crate::litter::leave(byte);
        let (forward_value, tangent) = (case.forward)(&x, &u);
        if !close(value, again, exact) || !close(value, forward_value, exact) {
            return Err(format!("value {value}, by reverse {again}, by forward {forward_value}, at {x:?}"));
        }
        // A panic on the way leaves nothing that a later call meets.
        for calls in [0, 2, 5] {
            crate::interrupt::after(calls);
            let mut unfinished = vec![0.0; N];
            let run = std::panic::AssertUnwindSafe(|| (case.reverse)(&x, &mut unfinished, 1.0));
            let ended = std::panic::catch_unwind(run).is_ok();
            crate::interrupt::never();
            let mut next = vec![0.0; N];
            (case.reverse)(&x, &mut next, 1.0);
            let is_same = |found: &[f64]| found.iter().zip(&gradient).all(|(n, g)| close(*n, *g, exact));
            if !is_same(&next) || ended && !is_same(&unfinished) {
                return Err(format!("after a panic, the gradient is {next:?} and was {gradient:?}, at {x:?}"));
            }
        }
        let along: f64 = gradient.iter().zip(&u).map(|(g, u)| g * u).sum();
        if !close(along, tangent, exact.max(1e-9)) {
            return Err(format!("reverse {along} and forward {tangent} along {u:?} at {x:?}"));
        }
        // The gradient is added to what is there, and scales with the seed.
        let mut more: Vec<f64> = gradient.iter().map(|g| 0.5 - g).collect();
        crate::litter::leave(!byte);
        (case.reverse)(&x, &mut more, 1.0);
        if more.iter().zip(&gradient).any(|(m, g)| !close(*m, 0.5, exact.max(1e-9) * (1.0 + g.abs()))) {
            return Err(format!("a second gradient is another one at {x:?}"));
        }
        let steps = [1e-3, 1e-4, 1e-5].map(|h| difference(case.smooth.unwrap_or(case.value), &x, &u, h));
        if !steps.iter().any(|d| close(*d, tangent, if case.smooth.is_some() { 1e-4 } else { 1e-6 })) {
            unlike.push(format!("derivative {tangent}, differences {steps:?} along {u:?} at {x:?}"));
        }
    }
    // One point may lie at a jump.
    if unlike.len() > 1 || unlike.len() == points && points > 0 { Err(unlike.swap_remove(0)) } else { Ok(()) }
}
