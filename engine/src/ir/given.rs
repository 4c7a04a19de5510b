//! What the types of the source say of memory that a function is given by its callers.

use crate::llvm::{Function, Place};

/// The attribute of parameters that says it.
const GIVEN: &str = "ct-given";

/// Something that is said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Said {
    /// Nobody writes there, nor to what can be reached from there, while the function runs.
    Frozen,
    /// There is text, in which no pointer lies and no float.
    Text,
}

/// What is said of what a parameter leads to, or of what a pointer leads to that lies there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Given {
    /// The parameter.
    pub param: usize,
    /// Where the pointer lies: how many bytes from the beginning, and from one element of a slice to the next (0: there is one).
    pub behind: Option<(u64, u64)>,
    /// What is said.
    pub said: Said,
}

impl Given {
    /// The same of memory that a parameter leads to, or in which the pointer is found that leads there, so many bytes behind its beginning; none where it lies deeper than
    /// can be said.
    pub fn of_pointer_at(self, param: usize, place: Option<u64>) -> Option<Given> {
        match (place, self.behind) {
            (None, behind) => Some(Given { param, behind, ..self }),
            (Some(at), None) => Some(Given { param, behind: Some((at, 0)), ..self }),
            (Some(_), Some(_)) => None,
        }
    }

    fn text(self) -> String {
        let said = match self.said {
            Said::Frozen => "frozen",
            Said::Text => "text",
        };
        match self.behind {
            None => said.to_owned(),
            Some((at, stride)) => format!("{said}@{at}+{stride}"),
        }
    }

    fn parse(param: usize, text: &str) -> Option<Given> {
        let (said, behind) = match text.split_once('@') {
            None => (text, None),
            Some((said, place)) => {
                let (at, stride) = place.split_once('+')?;
                (said, Some((at.parse().ok()?, stride.parse().ok()?)))
            }
        };
        let said = match said {
            "frozen" => Said::Frozen,
            "text" => Said::Text,
            _ => return None,
        };
        Some(Given { param, behind, said })
    }
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
        for said in [Said::Frozen, Said::Text] {
            for behind in [None, Some((8, 0)), Some((16, 24))] {
                let given = Given { param: 3, behind, said };
                assert_eq!(Given::parse(3, &given.text()), Some(given));
            }
        }
        assert!(["", "frozen@", "fresh", "frozen@2", "text@+"].into_iter().all(|text| Given::parse(1, text).is_none()));
    }
}
