//! Structs that hold a reference to an argument with a shadow, and collections of their own beside it: what is behind the one is the user's, what is behind the others
//! is not.

use cotangent::{Shadow, autodiff, zeroed};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use testing::assert_close;

#[derive(Clone, Shadow)]
enum Action {
    Close { group: usize, factor: f64 },
    Reopen,
}

#[derive(Clone, Shadow)]
struct Scenario {
    sizes: Vec<f64>,
    plan: Vec<(u32, Action)>,
}

struct Simulation<'a> {
    scenario: &'a Scenario,
    population: Vec<f64>,
    history: Vec<Vec<f64>>,
    journal: Rc<RefCell<Vec<usize>>>,
    memo: RefCell<Vec<f64>>,
}

impl<'a> Simulation<'a> {
    fn new(scenario: &'a Scenario, journal: &Rc<RefCell<Vec<usize>>>) -> Self {
        let population = scenario.sizes.clone();
        let (journal, memo) = (Rc::clone(journal), RefCell::new(vec![-1.0; 3]));
        Simulation { scenario, population, history: Vec::new(), journal, memo }
    }

    #[inline(never)]
    fn apply(&mut self, action: &Action) {
        if let Action::Close { group, factor } = action {
            self.population[*group] *= factor;
            self.journal.borrow_mut().push(*group);
        }
    }

    #[inline(never)]
    fn weight(&self, day: u32) -> f64 {
        let known = &mut self.memo.borrow_mut()[day as usize % 3];
        if *known < 0.0 {
            *known = self.scenario.sizes[0] * f64::from(day % 3);
        }
        *known
    }

    #[inline(never)]
    fn remember(&mut self) {
        self.history.push(self.population.clone());
        if self.history.len() > 3 {
            self.history.remove(0);
        }
    }

    #[inline(never)]
    fn sum(&self, day: u32) -> f64 {
        self.history.iter().flatten().sum::<f64>() * self.weight(day) * self.scenario.sizes[1]
    }
}

fn fit(scenario: &Scenario, days: u32) -> f64 {
    let journal = Rc::new(RefCell::default());
    let mut simulation = Simulation::new(scenario, &journal);
    let mut plan = scenario.plan.iter().peekable();
    let mut error = 0.0;
    for day in 0..days {
        while let Some((_, action)) = plan.next_if(|(when, _)| *when <= day) {
            simulation.apply(action);
        }
        simulation.remember();
        error += simulation.sum(day) / f64::from(day + 1);
    }
    error * (1 + journal.borrow().len()) as f64
}

#[test]
fn collections_beside_a_reference_to_an_argument_are_the_functions_own() {
    #[autodiff(d, Reverse, Duplicated, Const, Active)]
    #[autodiff(onward, Forward, Dual, Const, Dual)]
    fn f(scenario: &Scenario, days: u32) -> f64 {
        fit(scenario, days)
    }
    let close = |group, factor| Action::Close { group, factor };
    let plan = vec![(1, close(0, 0.75)), (2, Action::Reopen), (4, close(1, 1.25)), (5, close(0, 0.5))];
    let scenario = Scenario { sizes: vec![0.5, 0.25], plan };
    let mut shadow = zeroed(&scenario);
    assert_eq!(d(&scenario, &mut shadow, 8, 1.0), fit(&scenario, 8));
    let places = |scenario: &mut Scenario, see: &mut dyn FnMut(&mut f64)| {
        scenario.sizes.iter_mut().for_each(&mut *see);
        for (_, action) in &mut scenario.plan {
            if let Action::Close { factor, .. } = action {
                see(factor);
            }
        }
    };
    let mut adjoint = Vec::new();
    places(&mut shadow, &mut |float| adjoint.push(*float));
    for (place, adjoint) in adjoint.into_iter().enumerate() {
        let with = |scenario: &Scenario, value: &dyn Fn(f64) -> f64| {
            let (mut scenario, mut at) = (scenario.clone(), 0);
            places(&mut scenario, &mut |float| {
                *float = if at == place { value(*float) } else { *float };
                at += 1;
            });
            scenario
        };
        let slope = |h: f64| (fit(&with(&scenario, &|x| x + h), 8) - fit(&with(&scenario, &|x| x - h), 8)) / (2.0 * h);
        let tangent = with(&zeroed(&scenario), &|_| 1.0);
        assert_close!([adjoint, onward(&scenario, &tangent, 8).1], [slope(1e-5); 2], 1e-8);
    }
}

struct Two<'a> {
    theirs: &'a mut Vec<f64>,
    own: Vec<f64>,
}

impl Two<'_> {
    #[inline(never)]
    fn exchange(&mut self, at: usize) {
        std::mem::swap(&mut self.theirs[at], &mut self.own[at]);
        self.own.push(self.theirs[at]);
    }
}

#[test]
fn what_goes_back_and_forth_between_an_argument_and_a_vector_beside_it() {
    #[autodiff(d, Reverse, Duplicated, Duplicated, Active)]
    fn f(theirs: &mut Vec<f64>, x: &[f64]) -> f64 {
        let mut two = Two { theirs, own: x.iter().map(|x| x * x).collect() };
        for at in 0..2 {
            two.exchange(at);
        }
        let weighted = |all: &[f64]| all.iter().zip(1..).map(|(v, i)| v * f64::from(i)).sum::<f64>();
        weighted(&two.own) + weighted(two.theirs) * x[0]
    }
    let (mut v, mut dv, mut dx) = (vec![5.0, 7.0], vec![10.0, 100.0], [0.0; 2]);
    // own = [5, 7, x0^2, x1^2], theirs = [x0^2, x1^2]
    let value = d(&mut v, &mut dv, &[2.0, 3.0], &mut dx, 1.0);
    assert_eq!((value, v), (5.0 + 14.0 + 12.0 + 36.0 + (4.0 + 18.0) * 2.0, vec![4.0, 9.0]));
    assert_eq!(dv, [1.0, 2.0]);
    // By x0: 2 x0 (3 + x0 + 10) + 22; by x1: 2 x1 (4 + 2 x0 + 100)
    assert_eq!(dx, [4.0 * 15.0 + 22.0, 6.0 * 108.0]);
}

struct Diary<'a> {
    scenario: &'a Scenario,
    days: Rc<RefCell<BTreeSet<usize>>>,
    history: Vec<Vec<f64>>,
}

impl Diary<'_> {
    #[inline(never)]
    fn write(&mut self, day: u32) {
        self.days.borrow_mut().insert(day as usize * 7 % 5);
        self.history.push(self.scenario.sizes.iter().map(|x| x * f64::from(day)).collect());
    }

    #[inline(never)]
    fn sum(&self) -> f64 {
        self.history.iter().flatten().sum::<f64>() * self.scenario.sizes[1] * self.days.borrow().len() as f64
    }
}

#[test]
fn a_tree_beside_a_reference_is_the_functions_own() {
    #[autodiff(d, Reverse, Duplicated, Const, Active)]
    fn f(scenario: &Scenario, days: u32) -> f64 {
        let mut diary = Diary { scenario, days: Rc::default(), history: Vec::new() };
        for day in 0..days {
            diary.write(day);
        }
        diary.sum()
    }
    let scenario = Scenario { sizes: vec![0.5, 0.25], plan: Vec::new() };
    let mut shadow = zeroed(&scenario);
    // 5 days of 7, and 21 (a + b) b
    assert_eq!(d(&scenario, &mut shadow, 7, 2.0), 105.0 * 0.75 * 0.25);
    assert_eq!(shadow.sizes, [2.0 * 105.0 * 0.25, 2.0 * 105.0]);
}
