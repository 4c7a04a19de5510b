//! ADBench's files and generated data.

use super::Wishart;
use crate::random::Random;
use std::fmt;
use std::path::Path;

/// A mixture, its prior and the points it is to explain.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Dimension of the points.
    pub d: usize,
    /// Logarithms of the weights (not normalised), one a component.
    pub alphas: Vec<f64>,
    /// Means, a row of `d` a component.
    pub means: Vec<f64>,
    /// Inverse square roots of the covariances, a row of `d (d + 1) / 2` a component.
    pub icf: Vec<f64>,
    /// Points, a row of `d` each.
    pub x: Vec<f64>,
    /// Prior of the covariances.
    pub prior: Wishart,
}

/// Why a file is not a mixture.
#[derive(Debug)]
pub enum InputError {
    /// The file cannot be read.
    Read(std::io::Error),
    /// A word that is not a (finite) number of the kind needed.
    Word {
        /// Line, from 1.
        line: usize,
        /// What is written there.
        word: String,
        /// What should be.
        wanted: &'static str,
    },
    /// The file ends too early.
    End {
        /// What should have come.
        wanted: &'static str,
    },
    /// More numbers than the header says.
    Rest {
        /// Line of the first one too many, from 1.
        line: usize,
    },
    /// A header that no mixture can have.
    Header(&'static str),
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputError::Read(error) => write!(f, "{error}"),
            InputError::Word { line, word, wanted } => write!(f, "line {line}: expected {wanted}, found `{word}`"),
            InputError::End { wanted } => write!(f, "the file ends where {wanted} should follow"),
            InputError::Rest { line } => write!(f, "line {line}: more numbers than the first line promises"),
            InputError::Header(what) => write!(f, "line 1: {what}"),
        }
    }
}

impl std::error::Error for InputError {}

/// The words of a file with their lines.
struct Words<'a, I: Iterator<Item = (usize, &'a str)>>(I);

impl<'a, I: Iterator<Item = (usize, &'a str)>> Words<'a, I> {
    fn next<T: std::str::FromStr>(&mut self, wanted: &'static str) -> Result<(usize, T), InputError> {
        let (line, word) = self.0.next().ok_or(InputError::End { wanted })?;
        let value = word.parse().map_err(|_| InputError::Word { line, word: word.to_owned(), wanted })?;
        Ok((line, value))
    }

    fn float(&mut self, wanted: &'static str) -> Result<f64, InputError> {
        let (line, value): (usize, f64) = self.next(wanted)?;
        if value.is_finite() { Ok(value) } else { Err(InputError::Word { line, word: value.to_string(), wanted }) }
    }

    fn positive(&mut self, wanted: &'static str) -> Result<f64, InputError> {
        let (line, value): (usize, f64) = self.next(wanted)?;
        if value.is_finite() && value > 0.0 {
            Ok(value)
        } else {
            Err(InputError::Word { line, word: value.to_string(), wanted })
        }
    }

    fn floats(&mut self, count: usize, wanted: &'static str) -> Result<Vec<f64>, InputError> {
        // Grows with what is there: a header may promise more than any memory holds.
        (0..count).map(|_| self.float(wanted)).collect()
    }
}

impl Problem {
    /// Reads a file in ADBench's format.
    ///
    /// # Errors
    /// Says which line is wrong and what was expected there.
    pub fn read(path: &Path) -> Result<Problem, InputError> {
        Problem::parse(&std::fs::read_to_string(path).map_err(InputError::Read)?)
    }

    /// Reads a text in ADBench's format: `d k n`, alphas, means, icf, points, `gamma m`.
    ///
    /// # Errors
    /// As [`Problem::read`].
    pub fn parse(text: &str) -> Result<Problem, InputError> {
        let mut words =
            Words(text.lines().enumerate().flat_map(|(i, line)| line.split_whitespace().map(move |w| (i + 1, w))));
        let (_, d): (_, usize) = words.next("the dimension d")?;
        let (_, k): (_, usize) = words.next("the number of components k")?;
        let (_, n): (_, usize) = words.next("the number of points n")?;
        if d == 0 || k == 0 || n == 0 {
            return Err(InputError::Header("d, k and n must be at least 1"));
        }
        let too_large = || InputError::Header("d, k and n are too large");
        let row = d.checked_add(1).and_then(|e| d.checked_mul(e)).ok_or_else(too_large)? / 2;
        let icf = k.checked_mul(row).ok_or_else(too_large)?;
        let means = k.checked_mul(d).ok_or_else(too_large)?;
        let points = n.checked_mul(d).ok_or_else(too_large)?;
        let problem = Problem {
            d,
            alphas: words.floats(k, "an alpha")?,
            means: words.floats(means, "a mean")?,
            icf: words.floats(icf, "a number of an inverse covariance factor")?,
            x: words.floats(points, "a coordinate of a point")?,
            prior: Wishart {
                gamma: words.positive("the prior's positive gamma")?,
                m: words.next("the prior's integer m")?.1,
            },
        };
        match words.0.next() {
            Some((line, _)) => Err(InputError::Rest { line }),
            None => Ok(problem),
        }
    }

    /// A problem of the given sizes with points around `k` random centres.
    pub fn generate(d: usize, k: usize, n: usize, seed: u64) -> Problem {
        let mut random = Random::new(seed);
        let centres: Vec<f64> = random.normals(k * d).iter().map(|c| 2.0 * c).collect();
        let x = (0..n).flat_map(|i| {
            let centre = &centres[i % k * d..][..d];
            centre.iter().map(|c| c + 0.5 * random.normal()).collect::<Vec<_>>()
        });
        let x = x.collect();
        Problem {
            d,
            alphas: random.normals(k),
            means: centres.iter().map(|c| c + 0.3 * random.normal()).collect(),
            icf: random.normals(k * d * (d + 1) / 2).iter().map(|q| 0.5 * q).collect(),
            x,
            prior: Wishart { gamma: 1.0, m: 0 },
        }
    }

    /// Number of components.
    pub fn k(&self) -> usize {
        self.alphas.len()
    }

    /// Number of points.
    pub fn n(&self) -> usize {
        self.x.len() / self.d
    }

    /// The objective at this problem's own parameters.
    pub fn value(&self) -> f64 {
        super::log_likelihood(&self.alphas, &self.means, &self.icf, &self.x, self.prior)
    }

    /// The objective at other parameters: alphas, means and icf in one vector of [`Problem::parameters`]' length.
    pub fn value_at(&self, parameters: &[f64]) -> f64 {
        let (alphas, rest) = parameters.split_at(self.alphas.len());
        let (means, icf) = rest.split_at(self.means.len());
        super::log_likelihood(alphas, means, icf, &self.x, self.prior)
    }

    /// The objective and its gradient at this problem's parameters, in the order of [`Problem::parameters`].
    pub fn value_and_gradient(&self) -> (f64, Vec<f64>) {
        let mut gradient = vec![0.0; self.alphas.len() + self.means.len() + self.icf.len()];
        let value = self.add_gradient(&mut gradient);
        (value, gradient)
    }

    /// Adds the gradient to `gradient`, and returns the value.
    pub fn add_gradient(&self, gradient: &mut [f64]) -> f64 {
        let (d_alphas, rest) = gradient.split_at_mut(self.alphas.len());
        let (d_means, d_icf) = rest.split_at_mut(self.means.len());
        let (alphas, means, icf) = (&self.alphas, &self.means, &self.icf);
        super::d_log_likelihood(alphas, d_alphas, means, d_means, icf, d_icf, &self.x, self.prior, 1.0)
    }

    /// Alphas, means and icf in one vector.
    pub fn parameters(&self) -> Vec<f64> {
        [&self.alphas[..], &self.means, &self.icf].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "1 2 2\n0.1 0.2\n1\n2\n0.3\n0.4\n5\n6\n1.0 3\n";

    #[test]
    fn a_small_file() {
        let problem = Problem::parse(SMALL).unwrap();
        assert_eq!(problem.parameters(), [0.1, 0.2, 1.0, 2.0, 0.3, 0.4]);
        assert_eq!((problem.x, problem.prior), (vec![5.0, 6.0], Wishart { gamma: 1.0, m: 3 }));
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let message = |text: &str| Problem::parse(text).unwrap_err().to_string();
        assert_eq!(message(""), "the file ends where the dimension d should follow");
        assert_eq!(message("1 x 2"), "line 1: expected the number of components k, found `x`");
        assert_eq!(message("1 0 2"), "line 1: d, k and n must be at least 1");
        assert_eq!(message(&format!("{0} {0} {0}", usize::MAX)), "line 1: d, k and n are too large");
        assert_eq!(
            message(&SMALL.replace("0.3", "0,3")),
            "line 5: expected a number of an inverse covariance factor, found `0,3`"
        );
        assert_eq!(message(&SMALL.replace('6', "nan")), "line 8: expected a coordinate of a point, found `NaN`");
        assert_eq!(message(&SMALL.replace("1.0 3", "1.0")), "the file ends where the prior's integer m should follow");
        assert_eq!(message(&SMALL.replace("1.0 3", "1.0 3 4")), "line 9: more numbers than the first line promises");
        assert_eq!(message(&SMALL.replace("1.0 3", "-1 3")), "line 9: expected the prior's positive gamma, found `-1`");
        assert_eq!(message("99999999 1 1\n0"), "the file ends where a mean should follow");
    }

    #[test]
    fn a_seed_names_one_problem() {
        let problem = Problem::generate(3, 4, 10, 1);
        assert_eq!((problem.d, problem.k(), problem.n()), (3, 4, 10));
        assert_eq!(problem, Problem::generate(3, 4, 10, 1));
        assert!(problem.value().is_finite());
        assert_eq!(problem.value(), problem.value_at(&problem.parameters()));
    }
}
