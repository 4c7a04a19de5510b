//! What the types of the source say of memory that a function is given by its callers.

use crate::llvm::{Function, Place};

/// The attribute of parameters that says it.
const GIVEN: &str = "ct-given";
/// How it is said there that there is a float.
const FLOAT: &str = "f";

/// Something that is said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Said {
    /// Nobody writes there, nor to what can be reached from there, while the function runs.
    Frozen,
    /// There is text, in which no pointer lies and no float.
    Text,
    /// A float of so many bytes lies somewhere there, whatever variant it is: how many bytes from the beginning, and from one to the next (0: there is one).
    Float(u8, (u64, u64)),
}

impl Said {
    fn text(self) -> String {
        match self {
            Said::Frozen => "frozen".to_owned(),
            Said::Text => "text".to_owned(),
            Said::Float(bytes, (at, stride)) => format!("{FLOAT}{bytes}:{}", place_text((at, stride))),
        }
    }

    fn parse(text: &str) -> Option<Said> {
        match text {
            "frozen" => Some(Said::Frozen),
            "text" => Some(Said::Text),
            _ => {
                let (bytes, place) = text.strip_prefix(FLOAT)?.split_once(':')?;
                Some(Said::Float(bytes.parse().ok()?, parse_place(place)?))
            }
        }
    }
}

/// What is said of what a parameter leads to, or of what a pointer leads to that is found there, and so on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Given {
    /// The parameter.
    pub param: usize,
    /// Where each pointer lies in what the one before leads to: how many bytes from the beginning, and from one element of a slice to the next (0: there is one).
    pub way: Vec<(u64, u64)>,
    /// What is said.
    pub said: Said,
}

impl Given {
    /// The same of memory that a parameter leads to, or in which the pointer is found that leads there, so many bytes behind its beginning.
    pub fn of_pointer_at(mut self, param: usize, place: Option<u64>) -> Given {
        self.way.splice(0..0, place.map(|at| (at, 0)));
        Given { param, ..self }
    }

    /// Whether it is said of what is found on a way; of an element of a slice if it is of all of them.
    pub fn is_of(&self, way: impl ExactSizeIterator<Item = (i64, u64)>) -> bool {
        let is_there = |((at, stride), (offset, step)): (&(u64, u64), (i64, u64))| {
            let distance = i128::from(offset) - i128::from(*at);
            match i128::from(*stride) {
                0 => distance == 0 && step == 0,
                stride => distance % stride == 0 && i128::from(step) % stride == 0,
            }
        };
        way.len() == self.way.len() && self.way.iter().zip(way).all(is_there)
    }

    fn text(&self) -> String {
        let way = self.way.iter().map(|place| format!("@{}", place_text(*place)));
        self.said.text() + &way.collect::<String>()
    }

    fn parse(param: usize, text: &str) -> Option<Given> {
        let mut parts = text.split('@');
        let said = Said::parse(parts.next()?)?;
        Some(Given { param, way: parts.map(parse_place).collect::<Option<_>>()?, said })
    }
}

fn place_text((at, stride): (u64, u64)) -> String {
    format!("{at}+{stride}")
}

fn parse_place(text: &str) -> Option<(u64, u64)> {
    let (at, stride) = text.split_once('+')?;
    Some((at.parse().ok()?, stride.parse().ok()?))
}

/// Says so of some memory: in attributes of the parameters, which move with them where a function gets another signature.
pub fn tell(function: Function, all: &[Given]) {
    for (param, index) in (0..function.params().len()).zip(0..) {
        let own = all.iter().filter(|given| given.param == param);
        let own: Vec<String> = own.map(|given| given.text()).collect();
        if !own.is_empty() {
            function.add_string_attribute_at(Place::Param(index), GIVEN, &own.join(" "));
        }
    }
}

/// The memory of which something is said.
pub fn of(function: Function) -> Vec<Given> {
    let mut found = Vec::new();
    for (param, index) in (0..function.params().len()).zip(0..) {
        let told = function.string_attribute_at(Place::Param(index), GIVEN).unwrap_or_default();
        found.extend(told.split_whitespace().filter_map(|text| Given::parse(param, text)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Given, Said};

    #[test]
    fn what_is_said_can_be_read() {
        for said in [Said::Frozen, Said::Text, Said::Float(4, (8, 24))] {
            for way in [vec![], vec![(8, 0)], vec![(16, 24), (0, 8)]] {
                let given = Given { param: 3, way, said };
                assert_eq!(Given::parse(3, &given.text()), Some(given));
            }
        }
        assert!(
            ["", "frozen@", "fresh", "frozen@2", "text@+", "f8", "f8:4@8+0"]
                .into_iter()
                .all(|text| Given::parse(1, text).is_none())
        );
    }

    #[test]
    fn what_is_said_of_all_elements_is_said_of_each() {
        let of_rows = Given { param: 0, way: vec![(8, 0), (16, 24)], said: Said::Text };
        let is_of = |way: &[(i64, u64)]| of_rows.is_of(way.iter().copied());
        assert!(is_of(&[(8, 0), (16, 24)]) && is_of(&[(8, 0), (40, 0)]) && is_of(&[(8, 0), (16, 48)]));
        assert!(!is_of(&[(8, 0), (16, 8)]) && !is_of(&[(8, 0), (8, 24)]) && !is_of(&[(8, 0)]));
        assert!(!is_of(&[(8, 24), (16, 24)]) && !is_of(&[(8, 0), (16, 24), (0, 0)]));
    }
}
