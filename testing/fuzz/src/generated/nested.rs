//! Enums of floats and owners, to be held by others.

/// Floats in place, or in the heap.
#[derive(Clone)]
pub enum Floats {
    Few([f64; 2], usize),
    Many(Box<[f64]>),
}

impl Floats {
    //?
    pub fn new(v: f64, i: usize) -> Floats {
        match i % 4 {
            0..3 => Floats::Few([v, v * v], i % 3),
            _ => Floats::Many(vec![v; i].into()),
        }
    }

    //?
    fn all(&self) -> &[f64] {
        match self {
            Floats::Few(all, len) => &all[..*len],
            Floats::Many(all) => all,
        }
    }

    //?
    pub fn value(&self) -> f64 {
        self.all().iter().enumerate().map(|(k, v)| v.sin() * (k as f64 + 0.5)).sum()
    }

    //?
    pub fn change(&mut self, by: f64) {
        let mut all = self.all().to_vec();
        all.push(by);
        *self = match all[..] {
            [a, b] => Floats::Few([a, b], 2),
            _ => Floats::Many(all.into()),
        };
    }
}

/// In eight bytes, so that the tag of what holds it lies in what it is not.
#[derive(Clone, Copy, PartialEq)]
#[repr(u64)]
pub enum Kind {
    Whole,
    Cut,
}

/// A row that is filled by an index.
#[derive(Clone)]
pub struct Filled {
    kind: Kind,
    data: [f64; 2],
    len: usize,
}

impl Filled {
    //?
    pub fn new(v: f64, i: usize) -> Filled {
        let mut filled = Filled { kind: if i > 5 { Kind::Cut } else { Kind::Whole }, data: [0.25; 2], len: 0 };
        for k in 0..i.min(2) {
            filled.data[filled.len] = v + k as f64 * 0.1;
            filled.len += 1;
        }
        filled
    }

    //?
    pub fn value(&self) -> f64 {
        let all: f64 = self.data[..self.len].iter().product();
        if self.kind == Kind::Cut { all * 0.5 } else { all }
    }

    //?
    pub fn change(&mut self, by: f64) {
        match self.data.get_mut(self.len) {
            Some(free) => {
                *free = by;
                self.len += 1;
            }
            None => self.kind = Kind::Cut,
        }
    }
}

/// A tree.
#[derive(Clone)]
pub enum Node {
    Leaf(f64),
    Pair(Box<(Node, Node)>),
    Named(u16, Box<Node>),
}

impl Node {
    pub fn new(v: f64, i: usize) -> Node {
        match i % 3 {
            0 => Node::Leaf(v),
            1 => Node::Pair(Box::new((Node::new(v * 0.5, i / 3), Node::Leaf(v + 0.25)))),
            _ => Node::Named(i as u16, Box::new(Node::new(v * v, i / 3))),
        }
    }

    pub fn value(&self) -> f64 {
        match self {
            Node::Leaf(v) => *v,
            Node::Pair(pair) => pair.0.value() * pair.1.value(),
            Node::Named(n, node) => f64::from(*n) + node.value(),
        }
    }

    pub fn change(&mut self, by: f64) {
        match self {
            Node::Leaf(v) => *v *= by,
            Node::Pair(pair) => {
                let (a, b) = &mut **pair;
                std::mem::swap(a, b);
                a.change(by);
            }
            Node::Named(n, node) => {
                *n += 1;
                node.change(by);
            }
        }
    }
}

/// A float, or less than one.
#[derive(Clone, Copy)]
pub enum Mark {
    At(f64),
    Between(u32, u32),
    Nowhere,
}

impl Mark {
    //?
    pub fn new(v: f64, i: usize) -> Mark {
        match i % 3 {
            0 => Mark::At(v),
            1 => Mark::Between(i as u32, 7),
            _ => Mark::Nowhere,
        }
    }

    //?
    pub fn value(&self) -> f64 {
        match *self {
            Mark::At(v) => v * v,
            Mark::Between(a, b) => f64::from(a) / f64::from(b),
            Mark::Nowhere => 0.125,
        }
    }

    //?
    pub fn change(&mut self, by: f64) {
        *self = match *self {
            Mark::At(v) if by > -100.0 => Mark::At(v * by),
            Mark::At(_) => Mark::Nowhere,
            Mark::Between(a, b) => Mark::Between(b, a + 1),
            Mark::Nowhere => Mark::At(by),
        };
    }
}
