//! Points of a rule's domain.
use crate::interpret::round;
use cotangent_engine::rule::{ArgKind, Rule};

/// How many points each rule is tested at.
pub const POINTS: usize = 40;

/// A small generator of numbers in [0, 1), the same in every run.
pub struct Numbers(u64);

impl Numbers {
    /// Starts from a text, so that each rule has numbers of its own.
    pub fn new(seed: &str) -> Numbers {
        Numbers(
            seed.bytes()
                .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)),
        )
    }
    /// The next number.
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Points of the domain, on the grid of single precision where asked to.
pub fn points(rule: &Rule, single: bool) -> Vec<Vec<f64>> {
    let mut numbers = Numbers::new(rule.name);
    let mut point = || {
        let value = |(range, kind): (&std::ops::Range<f64>, &ArgKind)| {
            let value = range.start + (range.end - range.start) * numbers.next();
            if *kind == ArgKind::Float { round(value, single) } else { value.floor() }
        };
        rule.domain.iter().zip(&rule.args).map(value).collect()
    };
    (0..POINTS).map(|_| point()).collect()
}
