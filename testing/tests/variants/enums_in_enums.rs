//! Enums of floats and owners in enums that have the like: moved on by what copies rows of them, and by a map.

use crate::functional;
use std::collections::{BTreeMap, VecDeque};

#[derive(Clone)]
enum Floats {
    Few([f64; 2], usize),
    Many(Box<[f64]>),
}

impl Floats {
    fn new(v: f64, i: usize) -> Floats {
        match i % 4 {
            0..3 => Floats::Few([v, v * v], i % 3),
            _ => Floats::Many(vec![v; i].into()),
        }
    }

    #[inline(never)]
    fn value(&self) -> f64 {
        let all = match self {
            Floats::Few(all, len) => &all[..*len],
            Floats::Many(all) => all,
        };
        all.iter().enumerate().map(|(k, v)| v.sin() * (k as f64 + 0.5)).sum()
    }
}

#[derive(Clone)]
enum Node {
    #[expect(dead_code, reason = "it says where a float may lie, whether there is one or not")]
    Leaf(f64),
    Named(u16, Box<f64>),
}

/// What becomes part of a longer record, is taken out of it again, and is then cloned, appended and put in a ring.
#[derive(Clone)]
enum Item {
    One(f64),
    Row(Floats),
    Maybe(Option<Node>),
    All(Vec<Floats>),
}

impl Item {
    #[inline(never)]
    fn new(i: usize, v: f64) -> Item {
        match i % 4 {
            0 => Item::One(v * 1.5),
            1 => Item::Row(Floats::new(v, i)),
            2 => Item::Maybe(match i {
                2 => Some(Node::Named(i as u16, Box::new(v))),
                _ => None,
            }),
            _ => Item::All((0..i % 3).map(|k| Floats::new(v, k + 1)).collect()),
        }
    }

    #[inline(never)]
    fn value(&self) -> f64 {
        match self {
            Item::One(v) => v * v,
            Item::Row(row) => row.value(),
            Item::Maybe(Some(Node::Leaf(v))) => *v,
            Item::Maybe(Some(Node::Named(n, v))) => f64::from(*n) + **v,
            Item::Maybe(None) => 0.5,
            Item::All(all) => all.iter().map(Floats::value).sum(),
        }
    }
}

#[derive(Clone, Copy)]
enum Mark {
    At(f64),
    Between(u32, u32),
    Nowhere,
}

impl Mark {
    fn new(v: f64, i: usize) -> Mark {
        match i % 3 {
            0 => Mark::At(v),
            1 => Mark::Between(i as u32, 7),
            _ => Mark::Nowhere,
        }
    }

    fn value(&self) -> f64 {
        match *self {
            Mark::At(v) => v * v,
            Mark::Between(a, b) => f64::from(a) / f64::from(b),
            Mark::Nowhere => 0.125,
        }
    }
}

/// So many variants in variants that what moves one is a function by itself.
enum Entry {
    One(f64),
    Tried(Result<Floats, (u8, String)>),
    Mark(Mark),
    Again(Result<Floats, (u8, String)>),
    Either(Result<Mark, Floats>),
}

impl Entry {
    fn new(i: usize, v: f64) -> Entry {
        let tried = |i: usize| if i % 3 == 0 { Err((i as u8, i.to_string())) } else { Ok(Floats::new(v, i)) };
        match i % 5 {
            0 => Entry::One(v * 1.5),
            1 => Entry::Tried(tried(i)),
            2 => Entry::Mark(Mark::new(v, i)),
            3 => Entry::Again(tried(i + 1)),
            _ => Entry::Either(if i % 2 == 0 { Ok(Mark::new(v, i)) } else { Err(Floats::new(v, i)) }),
        }
    }

    fn value(&self) -> f64 {
        match self {
            Entry::One(v) => v * v,
            Entry::Tried(Ok(row)) | Entry::Again(Ok(row)) => row.value(),
            Entry::Tried(Err((n, text))) | Entry::Again(Err((n, text))) => f64::from(*n) + text.len() as f64,
            Entry::Mark(mark) | Entry::Either(Ok(mark)) => mark.value(),
            Entry::Either(Err(row)) => row.value() * 0.5,
        }
    }
}

/// A row with its number of bytes for a tag, so that the others have theirs in its place.
#[derive(Clone, Copy, PartialEq)]
#[repr(u64)]
enum Kind {
    Whole,
    Cut,
}

struct Filled {
    kind: Kind,
    data: [f64; 2],
    len: usize,
}

enum Tree {
    Leaf(f64),
    Pair(Box<(Tree, Tree)>),
    Named(u16, Box<Tree>),
}

impl Tree {
    fn new(v: f64, i: usize) -> Tree {
        match i % 3 {
            0 => Tree::Leaf(v),
            1 => Tree::Pair(Box::new((Tree::new(v * 0.5, i / 3), Tree::Leaf(v + 0.25)))),
            _ => Tree::Named(i as u16, Box::new(Tree::new(v * v, i / 3))),
        }
    }

    fn value(&self) -> f64 {
        match self {
            Tree::Leaf(v) => *v,
            Tree::Pair(pair) => pair.0.value() * pair.1.value(),
            Tree::Named(n, tree) => f64::from(*n) + tree.value(),
        }
    }
}

/// The error lies in the place of the tree, where no tree has a field.
enum Parsed {
    Nothing,
    Row(Box<[f64]>),
    Filled(Filled),
    Tree(Result<Tree, (u16, u32, u8)>),
}

impl Parsed {
    fn new(i: usize, v: f64) -> Parsed {
        match i % 4 {
            0 => Parsed::Nothing,
            1 => Parsed::Row(vec![v; i].into()),
            2 => Parsed::Filled(Filled { kind: if i > 5 { Kind::Cut } else { Kind::Whole }, data: [v, v * v], len: 1 }),
            _ => Parsed::Tree(if i % 3 == 0 { Err((1, i as u32, 2)) } else { Ok(Tree::new(v, i)) }),
        }
    }

    fn value(&self) -> f64 {
        match self {
            Parsed::Nothing => 0.5,
            Parsed::Row(row) => row.iter().sum(),
            Parsed::Filled(Filled { kind: Kind::Cut, .. }) => 0.25,
            Parsed::Filled(filled) => filled.data[..filled.len].iter().product(),
            Parsed::Tree(Ok(tree)) => tree.value(),
            Parsed::Tree(Err((a, b, c))) => f64::from(*a) + f64::from(*b) * f64::from(*c),
        }
    }
}

functional! {
    fn an_error_in_the_place_of_a_tree_is_moved_whole(x: &[f64]) -> f64 {
        let mut all: Vec<Parsed> = (0..8).map(|i| Parsed::new(i, x[i % x.len()])).collect();
        let rest = all.split_off(all.len() / 2);
        all = rest.into_iter().chain(all).collect();
        all.iter().enumerate().map(|(k, parsed)| parsed.value() * (1.0 + k as f64)).sum()
    } at [0.3, 0.4, 0.6, 0.7, 0.2];

    fn rows_of_them_are_cloned_appended_and_put_in_a_ring(x: &[f64]) -> f64 {
        let all: Vec<Item> = x.iter().enumerate().map(|(i, v)| Item::new(i, v * 0.5)).collect();
        let records: Vec<(f64, Item, u16)> = all.into_iter().map(|item| (0.5, item, 3)).collect();
        let mut all: Vec<Item> = records.into_iter().map(|record| record.1).collect();
        all.extend(all.clone());
        let ring: VecDeque<Item> = all.drain(..).collect();
        all = ring.into();
        all.iter().enumerate().map(|(k, item)| item.value() * (1.0 + k as f64)).sum()
    } at [0.3, 0.4, 0.6, 0.7, 0.2, 0.9, 0.8];

    fn those_of_many_variants_are_kept_in_a_map(x: &[f64]) -> f64 {
        let mut by_key: BTreeMap<usize, Entry> = (0..8).map(|i| (i, Entry::new(i, x[i % x.len()] * 0.5))).collect();
        by_key.remove(&4);
        let mut all: Vec<Entry> = by_key.into_values().collect();
        all.swap(0, 3);
        all.rotate_left(2);
        all.iter().enumerate().map(|(k, entry)| entry.value() * (1.0 + k as f64)).sum()
    } at [0.3, 0.4, 0.6, 0.7, 0.2];
}
