//! Loans out of a small configuration, in which parameters are named by their number: floats, texts and errors of parsing lie at one place.
use crate::functional;
use std::collections::BTreeMap;
use std::num::ParseIntError;

#[derive(Debug)]
enum Error {
    Syntax { line: usize },
    Missing(String),
    Number(ParseIntError),
}

impl From<ParseIntError> for Error {
    fn from(error: ParseIntError) -> Self {
        Error::Number(error)
    }
}

struct Loan {
    name: String,
    principal: f64,
    rate: f64,
    months: usize,
    fee: Option<f64>,
}

impl Loan {
    fn payment(&self) -> f64 {
        let rate = self.rate / 12.0;
        self.principal * rate / (1.0 - (1.0 + rate).powi(-(self.months as i32)))
    }

    fn interest(&self) -> f64 {
        let (mut left, mut paid) = (self.principal, 0.0);
        for _ in 0..self.months {
            let interest = left * self.rate / 12.0;
            paid += interest;
            left -= self.payment() - interest;
        }
        paid + self.fee.unwrap_or_default()
    }
}

fn parsed(text: &str, params: &[f64]) -> Result<Vec<Loan>, Error> {
    let mut loans = Vec::new();
    let mut current: Option<(String, BTreeMap<&str, &str>)> = None;
    let finished = |(name, fields): (String, BTreeMap<&str, &str>)| -> Result<Loan, Error> {
        let get = |key: &str| fields.get(key).copied().ok_or_else(|| Error::Missing(key.to_string()));
        let param = |text: &str| -> Result<f64, Error> {
            let index: usize = text.trim_start_matches('$').parse()?;
            params.get(index).copied().ok_or(Error::Missing(text.to_owned()))
        };
        Ok(Loan {
            name,
            principal: param(get("principal")?)?,
            rate: param(get("rate")?)?,
            months: get("months")?.parse()?,
            fee: fields.get("fee").map(|text| param(text)).transpose()?,
        })
    };
    for (n, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(name) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
            if let Some(fields) = current.replace((name.to_string(), BTreeMap::new())) {
                loans.push(finished(fields)?);
            }
        } else {
            let (key, value) = line.split_once('=').ok_or(Error::Syntax { line: n + 1 })?;
            let Some((_, fields)) = current.as_mut() else { return Err(Error::Syntax { line: n + 1 }) };
            fields.insert(key.trim(), value.trim());
        }
    }
    if let Some(fields) = current.take() {
        loans.push(finished(fields)?);
    }
    Ok(loans)
}

const TEXT: &str = "# two loans\n[house]\nprincipal = $0\nrate = $1\nmonths = 24\nfee = $2\n\n[car]\nprincipal = $3\nrate=$4\nmonths = 12\n";

fn total(params: &[f64]) -> Result<f64, Error> {
    let loans = parsed(TEXT, params)?;
    if loans.len() != 2 {
        return Err(Error::Missing("loan".into()));
    }
    let of = |loan: &Loan| if loan.name == "car" { 2.0 * loan.interest() } else { loan.interest() + loan.payment() };
    Ok(loans.iter().map(of).sum())
}

/// The same of one loan, in a function that stays a call.
#[inline(never)]
fn named(name: &str, params: &[f64], fee: Option<&str>) -> Result<(usize, f64, Option<f64>), Error> {
    let param = |text: &str| -> Result<f64, Error> {
        let index: usize = text.trim_start_matches('$').parse()?;
        params.get(index).copied().ok_or(Error::Missing(text.to_owned()))
    };
    if name.is_empty() {
        return Err(Error::Syntax { line: 3 });
    }
    Ok((name.len(), param("$0")? * param("$1")?, fee.map(param).transpose()?))
}

fn of_fees(x: &[f64]) -> Result<f64, Error> {
    let (n, a, fee) = named("a", x, Some("$2"))?;
    let (m, b, other) = named("bc", x, None)?;
    Ok(n as f64 * a * b + fee.unwrap_or(0.0).powi(2) + other.unwrap_or(3.0) * b * m as f64)
}

functional! {
    fn loans_of_a_configuration_that_is_parsed(x: &[f64]) -> f64 {
        total(x).unwrap_or(-1.0) + total(&x[1..]).map_or(0.0, |v| v * 3.0)
    } at [10.0, 0.07, 0.3, 4.0, 0.09];

    fn fees_that_may_not_be_there(x: &[f64]) -> f64 {
        let lines = match of_fees(&x[..2]) {
            Err(Error::Syntax { line }) => line,
            Err(Error::Missing(text)) => text.len(),
            Err(Error::Number(error)) => error.to_string().len(),
            Ok(_) => 0,
        };
        of_fees(x).unwrap_or(-1.0) * lines as f64 + of_fees(&x[1..]).map_or(0.0, |v| v * 3.0)
    } at [10.0, 0.07, 0.3, 4.0];
}
