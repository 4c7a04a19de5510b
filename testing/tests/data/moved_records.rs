//! Records with numbers and flags beside floats that are sorted into vectors, heaps and maps by functions that stay calls.

use crate::functional;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};

enum Happens {
    Arrives { job: u32 },
    Ends { job: u32, server: usize },
    Ticks,
}

struct Event {
    time: f64,
    number: u64,
    what: Happens,
}

impl PartialEq for Event {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Eq for Event {}

impl PartialOrd for Event {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Event {
    fn cmp(&self, other: &Self) -> Ordering {
        other.time.total_cmp(&self.time).then_with(|| other.number.cmp(&self.number))
    }
}

struct Simulation {
    now: f64,
    events: BinaryHeap<Event>,
    done: usize,
}

#[inline(never)]
fn simulated(simulation: &mut Simulation) -> f64 {
    let mut total = 0.0;
    while let Some(Event { time, what, .. }) = simulation.events.pop() {
        total += (time - simulation.now).powi(2);
        simulation.now = time;
        match what {
            Happens::Arrives { job } => simulation.events.push(Event {
                time: time * 1.5,
                number: 100 + u64::from(job),
                what: Happens::Ends { job, server: simulation.done },
            }),
            Happens::Ends { job, server } => simulation.done += job as usize + server,
            Happens::Ticks => simulation.done += 1,
        }
    }
    total
}

struct Reading {
    time: f64,
    value: f64,
    gain: f32,
    is_valid: bool,
    raw: i16,
}

struct Sample {
    group: String,
    value: f64,
    weight: f32,
}

functional! {
    fn events_of_several_kinds_in_a_heap(x: &[f64]) -> f64 {
        let mut simulation = Simulation { now: 0.0, events: BinaryHeap::new(), done: 0 };
        for (i, v) in x.iter().enumerate() {
            let what = Happens::Arrives { job: i as u32 };
            simulation.events.push(Event { time: *v, number: i as u64, what });
        }
        simulation.events.push(Event { time: 0.5, number: 9, what: Happens::Ticks });
        simulated(&mut simulation) * simulation.done as f64
    } at [0.9, 0.7, 0.3, 0.8];

    fn readings_are_parted(x: &[f64]) -> f64 {
        let reading = |i: usize| Reading {
            time: x[0],
            value: (x[i % x.len()] * (i as f64 + 1.0)).sin(),
            gain: 1.0 + i as f32,
            is_valid: i != 7,
            raw: i as i16,
        };
        let (up, down): (Vec<Reading>, Vec<Reading>) = (0..10).map(reading).partition(|r| r.value > 0.0);
        let valued = |r: &Reading| if r.is_valid { r.value / f64::from(r.gain) } else { r.time };
        up.iter().map(valued).sum::<f64>() * down.iter().map(|r| f64::from(r.raw)).sum::<f64>()
    } at [0.23, 0.44, 1.3];

    fn some_named_values_are_sorted(x: &[f64]) -> f64 {
        let mut named = Vec::new();
        for (i, v) in x.iter().enumerate() {
            if i != 1 {
                named.push((v.cos(), format!("n{i}")));
            }
        }
        named.sort_by(|a, b| a.0.partial_cmp(&b.0).unwrap());
        named.iter().zip(1..).map(|((v, name), i)| v * name.len() as f64 * f64::from(i)).sum()
    } at [0.63, 0.44, 1.3, 0.2];

    fn samples_of_two_widths_are_grouped_by_name(x: &[f64]) -> f64 {
        let sample = |(i, v): (usize, &f64)| Sample { group: format!("g{}", i % 3), value: v * v, weight: 1.0 + i as f32 };
        let samples: Vec<Sample> = x.iter().enumerate().map(sample).collect();
        let mut groups: BTreeMap<&str, Vec<&Sample>> = BTreeMap::new();
        for sample in &samples {
            groups.entry(sample.group.as_str()).or_default().push(sample);
        }
        let mean = |group: &Vec<&Sample>| {
            let weight: f64 = group.iter().map(|s| f64::from(s.weight)).sum();
            group.iter().map(|s| s.value * f64::from(s.weight)).sum::<f64>() / weight
        };
        groups.values().map(mean).product()
    } at [0.5, 1.2, -0.7, 0.9, 1.5];
}
