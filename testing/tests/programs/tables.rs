//! Tables whose entries hold floats of two widths, records, texts or closures: they grow and are put in order again by functions that know the size of an entry alone.
use crate::{assert_close, functional};
use cotangent::{NoFloats, Shadow, autodiff, zeroed};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

type Filter<'a> = Box<dyn Fn(&[f64]) -> Vec<f64> + 'a>;

/// What is done to a signal, by name.
struct Filters<'a> {
    all: HashMap<String, Filter<'a>>,
}

impl<'a> Filters<'a> {
    fn register(&mut self, name: &str, filter: impl Fn(&[f64]) -> Vec<f64> + 'a) {
        self.all.insert(name.to_string(), Box::new(filter));
    }
}

struct Request {
    path: String,
    headers: HashMap<String, String>,
}

trait Visitor {
    fn leaf(&mut self, value: f64);
    fn group(&mut self, size: usize);
}

trait Visited {
    fn accept(&self, visitor: &mut dyn Visitor);
}

struct Leaf(f64);

struct Group(Vec<Box<dyn Visited>>);

struct Shared(Rc<dyn Visited>, f64);

impl Visited for Leaf {
    fn accept(&self, visitor: &mut dyn Visitor) {
        visitor.leaf(self.0);
    }
}

impl Visited for Group {
    fn accept(&self, visitor: &mut dyn Visitor) {
        visitor.group(self.0.len());
        for item in &self.0 {
            item.accept(visitor);
        }
    }
}

impl Visited for Shared {
    fn accept(&self, visitor: &mut dyn Visitor) {
        visitor.leaf(self.1);
        self.0.accept(visitor);
    }
}

struct Sum {
    sum: f64,
    groups: usize,
}

struct Listed {
    all: Vec<f64>,
}

impl Visitor for Sum {
    fn leaf(&mut self, value: f64) {
        self.sum = self.sum * 0.9 + value * value;
    }

    fn group(&mut self, size: usize) {
        self.groups += size;
    }
}

impl Visitor for Listed {
    fn leaf(&mut self, value: f64) {
        self.all.push(value.sin());
    }

    fn group(&mut self, _: usize) {}
}

#[derive(Shadow, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tag {
    Noun,
    Verb,
}

impl NoFloats for Tag {}

/// What may follow what, and how well.
#[derive(Shadow, Clone)]
struct Scores {
    steps: BTreeMap<(Tag, Tag), f64>,
}

#[test]
fn scores_by_pairs_of_an_enum_without_fields() {
    #[autodiff(reverse, Reverse, Duplicated, Const, Active)]
    fn score(scores: &Scores, text: &[Tag]) -> f64 {
        text.windows(2).map(|pair| scores.steps[&(pair[0], pair[1])]).product()
    }
    let steps = [((Tag::Noun, Tag::Verb), 0.7), ((Tag::Verb, Tag::Noun), 1.3), ((Tag::Verb, Tag::Verb), 0.2)];
    let scores = Scores { steps: steps.into() };
    let mut adjoints = zeroed(&scores);
    let text = [Tag::Noun, Tag::Verb, Tag::Noun, Tag::Verb];
    assert_close!(reverse(&scores, &mut adjoints, &text, 1.0), 0.7 * 1.3 * 0.7);
    let expected = [2.0 * 0.7 * 1.3, 0.7 * 0.7, 0.0];
    assert_close!(adjoints.steps.values().copied().collect::<Vec<f64>>(), expected.to_vec());
}

functional! {
    fn entries_of_two_widths_by_number(x: &[f64]) -> f64 {
        let mut all: HashMap<u32, (f64, f32)> = HashMap::new();
        for (i, v) in x.iter().enumerate() {
            let entry = all.entry(i as u32 % 4).or_insert((0.0, 1.0));
            entry.0 += v * v;
            entry.1 += 0.5;
        }
        let found: f64 = (0..4).filter_map(|k| all.get(&k)).map(|(a, b)| a.sin() * f64::from(*b)).sum();
        found + all.into_values().map(|(a, b)| a * f64::from(b)).sum::<f64>()
    } at [1.3, 0.7, 2.1, 0.4, 1.9, 1.1];

    fn entries_of_two_widths_by_text_in_a_table_that_grows(x: &[f64]) -> f64 {
        let mut all: HashMap<String, (f64, f32)> = HashMap::new();
        for (i, v) in x.iter().cycle().take(40).enumerate() {
            all.insert(format!("k{i}"), (v * v, i as f32));
        }
        (0..40).map(|i| all[&format!("k{i}")]).map(|(a, b)| a.sin() * f64::from(b) + a).sum()
    } at [1.3, 0.7, 2.1];

    fn entries_that_are_put_in_order_again_in_the_same_table(x: &[f64]) -> f64 {
        let mut all: HashMap<u64, (f64, f32, u8)> = HashMap::with_capacity(28);
        for turn in 0..40u64 {
            for (i, v) in (0..).zip(x) {
                all.insert(turn * 7 + i, (v * (turn + 1) as f64, turn as f32, 1));
            }
            if turn > 3 {
                (0..3).for_each(|i| _ = all.remove(&((turn - 4) * 7 + i)));
            }
        }
        let mut keys: Vec<u64> = all.keys().copied().collect();
        keys.sort_unstable();
        keys.iter().map(|k| all[k]).map(|(a, b, c)| a.cos() * f64::from(b) + f64::from(c) * a).sum()
    } at [0.13, 0.07, 0.21];

    fn tables_of_texts_and_of_closures_in_one_program(x: &[f64]) -> f64 {
        let mut filters = Filters { all: HashMap::new() };
        filters.register("smooth", |s| s.windows(2).map(|w| x[0] * w[0] + (1.0 - x[0]) * w[1]).collect());
        filters.register("squash", |s| s.iter().map(|v| (v * x[1]).tanh()).collect());
        filters.register("add", |s| s.iter().map(|v| v + x[2]).collect());
        let mut sum = 0.0;
        for (i, path) in ["/smooth/squash", "/add", "/squash/add/smooth", "/nothing"].iter().enumerate() {
            let mut headers = HashMap::new();
            if i % 3 == 0 {
                headers.insert("lenient".to_string(), "yes".to_string());
            }
            let request = Request { path: path.to_string(), headers };
            let mut signal = x.to_vec();
            for part in request.path.split('/').filter(|part| !part.is_empty()) {
                match filters.all.get(part) {
                    Some(filter) => signal = filter(&signal),
                    None if request.headers.contains_key("lenient") => sum += 0.5,
                    None => panic!("{part}"),
                }
            }
            sum += signal.iter().map(|v| v * v).sum::<f64>();
        }
        sum
    } at [0.3, 1.2, 0.85, -0.7];

    fn visitors_of_a_tree_of_objects(x: &[f64]) -> f64 {
        let shared: Rc<dyn Visited> = Rc::new(Group(vec![Box::new(Leaf(x[0])), Box::new(Leaf(x[1]))]));
        let inner = Group(vec![Box::new(Shared(shared.clone(), x[4])), Box::new(Leaf(x[5]))]);
        let tree = Group(vec![Box::new(Leaf(x[2])), Box::new(Shared(shared.clone(), x[3])), Box::new(inner)]);
        let (mut sum, mut listed) = (Sum { sum: 0.0, groups: 0 }, Listed { all: vec![] });
        tree.accept(&mut sum);
        tree.accept(&mut listed);
        sum.sum * sum.groups as f64 + listed.all.iter().enumerate().map(|(i, v)| v * i as f64).sum::<f64>()
    } at [1.3, 0.7, 2.1, 0.4, 1.9, 1.1];
}
