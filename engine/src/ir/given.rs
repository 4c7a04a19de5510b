//! What the types of the source say of memory that a function is given by its callers.

use crate::llvm::Function;

/// The attribute that says it.
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
    fn text(self) -> String {
        let said = match self.said {
            Said::Frozen => 'f',
            Said::Text => 't',
        };
        match self.behind {
            None => format!("{said}{}", self.param),
            Some((at, stride)) => format!("{said}{}@{at}+{stride}", self.param),
        }
    }

    fn parse(text: &str) -> Option<Given> {
        let said = match text.chars().next()? {
            'f' => Said::Frozen,
            't' => Said::Text,
            _ => return None,
        };
        let (param, behind) = match text[1..].split_once('@') {
            None => (&text[1..], None),
            Some((param, place)) => {
                let (at, stride) = place.split_once('+')?;
                (param, Some((at.parse().ok()?, stride.parse().ok()?)))
            }
        };
        Some(Given { param: param.parse().ok()?, behind, said })
    }
}

/// Says so of some memory.
pub fn tell(function: Function, all: &[Given]) {
    if !all.is_empty() {
        let all: Vec<String> = all.iter().map(|given| given.text()).collect();
        function.add_string_attribute(GIVEN, &all.join(" "));
    }
}

/// The memory of which something is said.
pub fn of(function: Function) -> Vec<Given> {
    let told = function.string_attribute(GIVEN).unwrap_or_default();
    told.split_whitespace().filter_map(Given::parse).collect()
}

#[cfg(test)]
mod tests {
    use super::{Given, Said};

    #[test]
    fn what_is_said_can_be_read() {
        for said in [Said::Frozen, Said::Text] {
            for behind in [None, Some((8, 0)), Some((16, 24))] {
                let given = Given { param: 3, behind, said };
                assert_eq!(Given::parse(&given.text()), Some(given));
            }
        }
        assert!(["", "f", "x1", "f1@2", "t1@+"].into_iter().all(|text| Given::parse(text).is_none()));
    }
}
