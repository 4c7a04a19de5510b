//! Rows of references and numbers that lie behind other fields of a struct: an iterator over an array beside one over the inputs, nodes of sorted maps. An element of such
//! a row is not what lies before the row, unless an index goes backwards.

use crate::functional;
use std::collections::{BTreeMap, HashMap};

/// What has been computed already, beside the inputs.
struct Memo<'a> {
    inputs: &'a [f64],
    known: HashMap<(usize, usize), f64>,
}

impl Memo<'_> {
    fn product(&mut self, i: usize) -> f64 {
        if i == 0 {
            return self.inputs[0];
        }
        if let Some(known) = self.known.get(&(i, 1)) {
            return *known;
        }
        let product = self.inputs[i] * self.product(i - 1);
        self.known.insert((i, 1), product);
        product
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Tag {
    Noun,
    Verb,
    Other,
}

const TAGS: [Tag; 3] = [Tag::Noun, Tag::Verb, Tag::Other];

/// A chain of tags, with the weights of words among the inputs and those of pairs in a map.
struct Chain<'a> {
    words: &'a [f64],
    pairs: BTreeMap<(Tag, Tag), f64>,
    numbers: HashMap<String, usize>,
}

impl<'a> Chain<'a> {
    fn new(weights: &'a [f64]) -> Chain<'a> {
        let (pairs, words) = weights.split_at(9);
        let mut chain = Chain { words, pairs: BTreeMap::new(), numbers: HashMap::new() };
        for (key, weight) in TAGS.iter().flat_map(|&a| TAGS.iter().map(move |&b| (a, b))).zip(pairs.iter().copied()) {
            chain.pairs.insert(key, weight);
        }
        chain
    }

    fn number(&mut self, word: String) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(word).or_insert(next)
    }

    fn weight(&self, word: usize, tag: Tag) -> f64 {
        self.words[(word * 3 + tag as usize) % self.words.len()]
    }

    /// The logarithm of what all tags of a text weigh together.
    fn total(&self, words: &[usize]) -> f64 {
        let mut sums: HashMap<Tag, f64> = TAGS.iter().map(|&tag| (tag, self.weight(words[0], tag))).collect();
        for &word in &words[1..] {
            let sum = |to: Tag| {
                let ways = TAGS.iter().map(|&from| (sums[&from] + self.pairs[&(from, to)]).exp());
                ways.sum::<f64>().ln() + self.weight(word, to)
            };
            sums = TAGS.iter().map(|&to| (to, sum(to))).collect();
        }
        sums.into_values().map(f64::exp).sum::<f64>().ln()
    }
}

/// References before, in and behind a row of them.
struct Rows<'a> {
    before: &'a [f64],
    row: [&'a [f64]; 3],
    behind: &'a [f64],
}

functional! {
    fn texts_of_an_array_that_is_zipped_with_the_inputs(x: &[f64]) -> f64 {
        let mut ways: HashMap<&str, Vec<(&str, f64)>> = HashMap::new();
        for ((from, to), length) in [("rome", "oslo"), ("oslo", "bern"), ("rome", "bern")].into_iter().zip(x) {
            ways.entry(from).or_default().push((to, *length));
        }
        ways["rome"].iter().map(|(_, length)| length * length).sum()
    } at [1.5, 0.7, 2.9];

    fn a_part_of_the_inputs_beside_a_map_that_is_collected_into_another(x: &[f64]) -> f64 {
        let mut memo = Memo { inputs: x, known: HashMap::new() };
        let product = memo.product(x.len() - 1);
        let sorted: BTreeMap<usize, f64> = memo.known.iter().map(|(&(i, _), &known)| (i, known)).collect();
        product + sorted.values().sum::<f64>()
    } at [1.0, 2.0, 3.0];

    fn a_chain_of_tags(x: &[f64]) -> f64 {
        let mut chain = Chain::new(x);
        let texts = [("time flies fast", [Tag::Noun, Tag::Verb, Tag::Other]), ("flies time meals", TAGS)];
        let mut sum = 0.0;
        for (text, tags) in &texts {
            let words: Vec<usize> = text.split(' ').map(|word| chain.number(word.to_lowercase())).collect();
            let known: f64 = words.iter().zip(tags).map(|(&word, &tag)| chain.weight(word, tag)).sum();
            let pairs: f64 = tags.windows(2).map(|pair| chain.pairs[&(pair[0], pair[1])]).sum();
            sum += chain.total(&words) - known - pairs;
        }
        sum
    } at [0.4, -1.2, 0.9, 0.3, 0.8, -0.5, 1.1, 0.2, -0.7, 0.6, 1.3, -0.9, 0.1, 0.5, -0.3, 0.7, 1.2, -0.4];

    fn rows_that_are_walked_backwards_and_beyond(x: &[f64]) -> f64 {
        let constants = [1.0, 2.0, 3.0];
        let rows = Rows { before: &x[..1], row: [&constants, &x[1..], &constants[1..]], behind: &x[2..] };
        let mut sum = 0.0;
        for part in rows.row.iter().rev() {
            sum += part[0] * part[part.len() - 1];
        }
        let mut i = 3;
        while i > 0 {
            sum += rows.row[i - 1][0] * rows.before[0];
            i -= 1;
        }
        for k in 1..3 {
            sum += rows.row[k - 1][1] * rows.row[3 - k][0] * rows.behind[0];
        }
        let mut ends = rows.row.iter();
        while let (Some(first), Some(last)) = (ends.next(), ends.next_back()) {
            sum += first[0] * last[0] * x[3];
        }
        // From the row to the field before it, by a distance that nobody knows.
        let (begin, row) = ((&raw const rows).cast::<&[f64]>(), (&raw const rows.row).cast::<&[f64]>());
        // SAFETY: both lie in `rows`, which consists of slices and nothing else.
        let steps = unsafe { begin.offset_from(row) };
        let first: &[f64] = unsafe { *row.offset(steps) };
        sum + first[0] * first[0]
    } at [0.1, 1.0, 0.4, 0.7];
}
