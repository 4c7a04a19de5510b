//! Trees of documents that are put together branch by branch: what is a float in one branch is the length or the address of a vector in another, and LLVM joins
//! the two as a float.

use crate::functional;

#[derive(Clone)]
enum Doc {
    Paragraph { text: String, weight: f64 },
    Section { name: String, items: Vec<Doc> },
}

fn weight(doc: &Doc) -> f64 {
    match doc {
        Doc::Paragraph { text, weight } => weight * weight * text.len() as f64,
        Doc::Section { name, items } => items.iter().map(weight).sum::<f64>() + name.len() as f64,
    }
}

#[derive(Clone)]
enum Numbered {
    Paragraph { id: usize, weight: f64 },
    Section { id: usize, items: Vec<Numbered> },
}

fn sum(doc: &Numbered) -> f64 {
    match doc {
        Numbered::Paragraph { id, weight } => weight * weight * *id as f64,
        Numbered::Section { id, items } => items.iter().map(sum).sum::<f64>() + *id as f64,
    }
}

#[derive(Clone)]
enum Json {
    Number(f64),
    Count(usize),
    List(Vec<Json>),
}

fn total(json: &Json) -> f64 {
    match json {
        Json::Number(v) => v * v,
        Json::Count(n) => *n as f64,
        Json::List(all) => all.iter().map(total).sum(),
    }
}

enum Tree {
    Leaf { p: f64 },
    Node { p: f64, left: Box<Tree>, right: Box<Tree> },
}

fn of_tree(tree: &Tree) -> f64 {
    match tree {
        Tree::Leaf { p } | Tree::Node { p, .. } => *p,
    }
}

fn cost(tree: &Tree, depth: f64) -> f64 {
    match tree {
        Tree::Leaf { p } => p * depth,
        Tree::Node { left, right, p } => cost(left, depth + 1.0) + cost(right, depth + 1.0) + p * p,
    }
}

const X: [f64; 4] = [0.3, 0.8, 1.2, 0.7];

#[derive(Clone)]
enum Value {
    Number(f64),
    Text(String),
    List(Vec<Value>),
    Fields(Vec<(String, Value)>),
}

fn of_value(value: &Value) -> f64 {
    match value {
        Value::Number(v) => v * v,
        Value::Text(text) => text.len() as f64,
        Value::List(all) => all.iter().map(of_value).sum(),
        Value::Fields(fields) => fields.iter().map(|(name, v)| name.len() as f64 * of_value(v)).sum(),
    }
}

functional! {
    fn sections_of_clones_with_texts(x: &[f64]) -> f64 {
        let mut items: Vec<Doc> = vec![];
        for (i, v) in x.iter().enumerate() {
            items.push(match i % 2 {
                0 => Doc::Paragraph { text: "abc".to_owned(), weight: *v },
                _ => Doc::Section { name: "s".to_owned(), items: items.clone() },
            });
        }
        weight(&Doc::Section { name: "root".to_owned(), items })
    } at X;

    fn sections_of_clones_with_numbers(x: &[f64]) -> f64 {
        let mut items: Vec<Numbered> = vec![];
        for (i, v) in x.iter().enumerate() {
            items.push(match i % 2 {
                0 => Numbered::Paragraph { id: 3, weight: *v },
                _ => Numbered::Section { id: 5, items: items.clone() },
            });
        }
        sum(&Numbered::Section { id: 4, items })
    } at X;

    fn sections_of_what_was_taken(x: &[f64]) -> f64 {
        let mut items: Vec<Numbered> = vec![];
        for (i, v) in x.iter().enumerate() {
            match i % 2 {
                0 => items.push(Numbered::Paragraph { id: 3, weight: *v }),
                _ => {
                    let old = std::mem::take(&mut items);
                    items.push(Numbered::Section { id: 5, items: old });
                }
            }
        }
        sum(&Numbered::Section { id: 4, items })
    } at X;

    fn lists_of_clones_beside_counts(x: &[f64]) -> f64 {
        let mut items: Vec<Json> = vec![];
        for (i, v) in x.iter().enumerate() {
            items.push(match i % 3 {
                0 => Json::Number(*v),
                1 => Json::Count(i),
                _ => Json::List(items.clone()),
            });
        }
        total(&Json::List(items))
    } at X;

    fn trees_that_are_joined_two_by_two(x: &[f64]) -> f64 {
        let mut trees: Vec<Tree> = x.iter().map(|p| Tree::Leaf { p: *p }).collect();
        while trees.len() > 1 {
            trees.sort_by(|a, b| of_tree(b).total_cmp(&of_tree(a)));
            let (a, b) = (trees.pop().unwrap(), trees.pop().unwrap());
            trees.push(Tree::Node { p: of_tree(&a) + of_tree(&b), left: Box::new(a), right: Box::new(b) });
        }
        cost(&trees[0], 0.0)
    } at X;

    fn lists_and_fields_of_clones(x: &[f64]) -> f64 {
        let mut items: Vec<Value> = vec![];
        for (i, v) in x.iter().chain(x).enumerate() {
            items.push(match i % 4 {
                0 => Value::Number(*v),
                1 => Value::Text(format!("s{i}")),
                2 => Value::List(items.clone()),
                _ => Value::Fields(vec![("k".into(), items[0].clone()), ("vv".into(), Value::Number(v * v))]),
            });
        }
        of_value(&Value::List(items))
    } at X;
}
