//! Random directions, the same for the same seed.
//!
//! The generator is SplitMix64: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators",
//! OOPSLA 2014. It needs no set-up and passes the usual tests; nothing here asks for more.

/// A stream of numbers.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The stream that belongs to `key` in this one, without advancing it.
    pub fn fork(&self, key: u64) -> Random {
        let mut stream = Random(self.0 ^ key.wrapping_mul(0xd6e8_feb8_6659_fd93));
        Random(stream.bits())
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number of magnitude 0.5 to 1.5 and random sign: none of them is lost beside another. It has few bits, so it is
    /// the same number in `f32`.
    pub fn weight(&mut self) -> f64 {
        let bits = self.bits();
        let magnitude = 0.5 + (bits >> 55) as f64 / 512.0;
        if bits & 1 == 0 { magnitude } else { -magnitude }
    }

    /// `count` weights.
    pub fn weights(&mut self, count: usize) -> Vec<f64> {
        (0..count).map(|_| self.weight()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn the_first_numbers_are_those_of_splitmix64() {
        // The reference output for seed 1234567.
        let mut random = Random::new(1_234_567);
        assert_eq!(random.bits(), 6_457_827_717_110_365_317);
        assert_eq!(random.bits(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn weights_are_never_small_and_exact_in_single_precision() {
        let weights = Random::new(3).weights(1000);
        assert!(weights.iter().all(|w| (0.5..1.5).contains(&w.abs()) && f64::from(*w as f32) == *w));
        assert!(weights.iter().any(|w| *w > 0.0) && weights.iter().any(|w| *w < 0.0));
    }

    #[test]
    fn forks_with_different_keys_differ() {
        let random = Random::new(5);
        assert_ne!(random.fork(1).bits(), random.fork(2).bits());
        assert_eq!(random.fork(1).bits(), random.fork(1).bits());
    }
}
