//! Enums in which small fields of one variant lie where another has a pointer: LLVM then moves that pointer in pieces, of which the small ones are single bytes.

use crate::functional;
use std::error::Error;
use std::str::FromStr;

#[derive(Clone, Copy)]
#[repr(u8)]
enum Group {
    Susceptible,
    Exposed,
    Infected,
    Recovered,
    Dead,
}

const GROUPS: usize = 5;

impl FromStr for Group {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match text.trim() {
            "S" => Group::Susceptible,
            "E" => Group::Exposed,
            "I" => Group::Infected,
            "R" => Group::Recovered,
            "D" => Group::Dead,
            other => return Err(format!("no group {other:?}")),
        })
    }
}

enum Flow {
    Infect { from: Group, to: Group, rate: f64, season: Option<f64> },
    Split { from: Group, to: Vec<(Group, f64)>, rate: f64, note: String },
    Vaccinate { per_day: f64, start: u32, until: u32 },
}

struct Model {
    flows: Vec<Flow>,
    ages: usize,
    contacts: Vec<Vec<f64>>,
}

const TEXT: &str = "infect S E seasonal\ninfect E I\nsplit I R D\nvaccinate 3 9\ninfect R E";

fn parse(text: &str, parameters: &[f64]) -> Result<Vec<Flow>, Box<dyn Error>> {
    let mut flows = vec![];
    let mut parameters = parameters.iter().copied();
    let mut next = move || parameters.next().ok_or("too few parameters");
    for (number, line) in text.lines().enumerate() {
        let mut words = line.split_whitespace();
        let Some(kind) = words.next() else { continue };
        let rest: Vec<&str> = words.collect();
        flows.push(match (kind, &rest[..]) {
            ("infect", [from, to]) => {
                Flow::Infect { from: from.parse()?, to: to.parse()?, rate: next()?, season: None }
            }
            ("infect", [from, to, "seasonal"]) => {
                Flow::Infect { from: from.parse()?, to: to.parse()?, rate: next()?, season: Some(next()?) }
            }
            ("split", [from, targets @ ..]) => {
                let rate = next()?;
                let target = |target: &&str| Ok((target.parse::<Group>()?, next()?));
                let mut to = targets.iter().map(target).collect::<Result<Vec<_>, Box<dyn Error>>>()?;
                let all: f64 = to.iter().map(|target| target.1).sum();
                to.iter_mut().for_each(|target| target.1 /= all);
                Flow::Split { from: from.parse()?, to, rate, note: format!("line {number}") }
            }
            ("vaccinate", [start, until]) => {
                Flow::Vaccinate { per_day: next()?, start: start.parse()?, until: until.parse()? }
            }
            (kind, rest) => {
                return Err(format!("line {}: {kind} with {} words", number + 1, rest.len()).into());
            }
        });
    }
    Ok(flows)
}

impl Model {
    fn rates(&self, day: u32, state: &[[f64; GROUPS]], rates: &mut [[f64; GROUPS]]) {
        rates.iter_mut().for_each(|rate| *rate = [0.0; GROUPS]);
        let total: f64 = state.iter().flatten().sum();
        for flow in &self.flows {
            for age in 0..self.ages {
                match flow {
                    Flow::Infect { from, to, rate, season } => {
                        let contacts = self.contacts[age].iter().zip(state);
                        let force = contacts.map(|(c, s)| c * s[Group::Infected as usize]).sum::<f64>() / total;
                        let season = season.as_ref().map_or(1.0, |s| 1.0 + s * (day as f64 / 5.0).cos());
                        let moved = rate * season * force * state[age][*from as usize];
                        rates[age][*from as usize] -= moved;
                        rates[age][*to as usize] += moved;
                    }
                    Flow::Split { from, to, rate, note } => {
                        let moved = rate * state[age][*from as usize];
                        rates[age][*from as usize] -= moved;
                        for (target, part) in to {
                            rates[age][*target as usize] += part * moved;
                        }
                        debug_assert!(!note.is_empty());
                    }
                    Flow::Vaccinate { per_day, start, until } if (*start..*until).contains(&day) => {
                        let moved = per_day * state[age][0] / (1.0 + state[age][0]);
                        rates[age][0] -= moved;
                        rates[age][3] += moved;
                    }
                    Flow::Vaccinate { .. } => {}
                }
            }
        }
    }

    fn run(&self, days: u32, data: &[(u32, f32)]) -> Result<f64, Box<dyn Error>> {
        let mut state = vec![[0.0; GROUPS]; self.ages];
        (state[0][0], state[0][2]) = (20.0, 2.0);
        let (mut first, mut second, mut middle, mut loss) = (state.clone(), state.clone(), state.clone(), 0.0);
        for day in 0..days {
            self.rates(day, &state, &mut first);
            for ((middle, state), rate) in middle.iter_mut().zip(&state).zip(&first) {
                *middle = std::array::from_fn(|group| state[group] + 0.5 * rate[group]);
            }
            self.rates(day, &middle, &mut second);
            state.iter_mut().flatten().zip(second.iter().flatten()).for_each(|(state, rate)| *state += rate);
            if let Ok(at) = data.binary_search_by_key(&day, |seen| seen.0) {
                let infected = state.iter().map(|groups| groups[2]).sum::<f64>() + 1e-3;
                loss += infected - data[at].1 as f64 * infected.ln();
            }
        }
        Ok(loss + state.iter().map(|groups| groups[4]).sum::<f64>())
    }
}

fn model(x: &[f64]) -> Result<Model, Box<dyn Error>> {
    Ok(Model { flows: parse(TEXT, x)?, ages: 1, contacts: vec![x[8..10].to_vec()] })
}

functional! {
    fn a_text_whose_pointer_lies_where_others_have_single_bytes(x: &[f64]) -> f64 {
        let data: Vec<(u32, f32)> = (0..6).step_by(3).map(|day| (day, 2.0 + day as f32)).collect();
        match model(x) {
            Ok(model) => model.run(6, &data).unwrap_or(f64::NAN),
            Err(error) => error.to_string().len() as f64,
        }
    } at [0.9, 0.2, 0.4, 0.3, 0.8, 0.3, 0.6, 0.1, 1.0, 0.4];
}
