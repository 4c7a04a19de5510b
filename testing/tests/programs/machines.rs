//! Machines with states that are moved from one variant to another: floats in one stand where numbers and texts are in the others.

use crate::functional;

enum Phase {
    Idle,
    Run { since: f64, energy: f64 },
    Hold(f64, u32),
    Fault(String),
}

struct Battery {
    phase: Phase,
    charge: f64,
}

impl Battery {
    fn tick(&mut self, t: f64, x: &[f64]) -> Result<(), String> {
        self.phase = match std::mem::replace(&mut self.phase, Phase::Idle) {
            Phase::Idle => Phase::Run { since: t, energy: x[0] },
            Phase::Run { since, energy } if t - since > 2.0 => Phase::Hold(energy, 2),
            Phase::Run { since, energy } => Phase::Run { since, energy: energy * x[1] },
            Phase::Hold(energy, 0) => {
                self.charge += energy;
                Phase::Idle
            }
            Phase::Hold(energy, n) => Phase::Hold(energy * x[1], n - 1),
            Phase::Fault(text) => return Err(text),
        };
        Ok(())
    }
}

fn next(phase: Phase, x: &[f64]) -> Result<Phase, String> {
    Ok(match phase {
        Phase::Idle => Phase::Idle,
        Phase::Run { since, energy } if since > 2.0 => Phase::Hold(energy, 2),
        Phase::Run { since, energy } => Phase::Run { since: since + 1.0, energy: energy * x[1] },
        Phase::Hold(_, n) if n > 20 => Phase::Fault(format!("held {n} times")),
        Phase::Hold(energy, n) => Phase::Hold(energy * x[1], n + 1),
        Phase::Fault(text) => return Err(text),
    })
}

const X: [f64; 2] = [0.8, 0.25];

functional! {
    fn a_phase_is_matched_and_put_back(x: &[f64]) -> f64 {
        let mut phase = Phase::Run { since: 0.0, energy: x[0] };
        for _ in 0..10 {
            phase = match phase {
                Phase::Idle => Phase::Idle,
                Phase::Run { since, energy } if since > 2.0 => Phase::Hold(energy, 2),
                Phase::Run { since, energy } => Phase::Run { since: since + 1.0, energy: energy * x[1] },
                Phase::Hold(energy, n) => Phase::Hold(energy * x[1], n + 1),
                Phase::Fault(text) => return text.len() as f64,
            };
        }
        match phase {
            Phase::Hold(energy, n) => energy * f64::from(n),
            _ => 0.0,
        }
    } at X;

    fn a_phase_is_handed_on_by_value(x: &[f64]) -> f64 {
        let mut phase = Phase::Run { since: 0.0, energy: x[0] };
        for _ in 0..10 {
            match next(phase, x) {
                Ok(next) => phase = next,
                Err(_) => return 0.0,
            }
        }
        match phase {
            Phase::Hold(energy, _) => energy,
            _ => 0.0,
        }
    } at X;

    fn a_phase_is_replaced_in_its_owner(x: &[f64]) -> f64 {
        let mut battery = Battery { phase: Phase::Idle, charge: 0.0 };
        for i in 0..10 {
            if battery.tick(f64::from(i), x).is_err() {
                return battery.charge;
            }
        }
        battery.charge
    } at X;
}
