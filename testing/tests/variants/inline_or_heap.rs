//! Vectors that begin in place and go to the heap when they grow: in one variant the first bytes are a short length, in the other a capacity or a pointer.

use crate::functional;

#[repr(C)]
struct Short {
    len: u16,
    data: [f64; 2],
}

enum Small {
    Inline(Short),
    Heap(Vec<f64>),
}

fn moved(short: &mut Short, last: f64) -> Small {
    let mut all = Vec::with_capacity(4);
    all.extend_from_slice(&short.data[..short.len as usize]);
    all.push(last);
    Small::Heap(all)
}

impl Small {
    fn push(&mut self, v: f64) {
        match self {
            Small::Heap(all) => all.push(v),
            Small::Inline(short) if short.len < 2 => {
                short.data[short.len as usize] = v;
                short.len += 1;
            }
            Small::Inline(short) => *self = moved(short, v),
        }
    }

    fn insert(&mut self, v: f64) {
        match self {
            Small::Heap(all) => all.insert(0, v),
            Small::Inline(short) if short.len < 2 => {
                short.data[1] = short.data[0];
                short.data[0] = v;
                short.len += 1;
            }
            Small::Inline(short) => {
                let mut all = Vec::with_capacity(4);
                all.push(v);
                all.extend_from_slice(&short.data[..short.len as usize]);
                *self = Small::Heap(all);
            }
        }
    }

    fn all(&self) -> &[f64] {
        match self {
            Small::Inline(short) => &short.data[..short.len as usize],
            Small::Heap(all) => all,
        }
    }

    fn capacity(&self) -> usize {
        match self {
            Small::Inline(_) => 2,
            Small::Heap(all) => all.capacity(),
        }
    }
}

functional! {
    fn two_functions_move_to_the_heap_what_grows(x: &[f64]) -> f64 {
        let mut small = Small::Inline(Short { len: 0, data: [0.0; 2] });
        let mut sum = 0.0;
        for t in x {
            small.push(t * t);
            small.insert(*t);
            sum += small.all()[1] * small.capacity() as f64;
        }
        sum + small.all().iter().zip(1..).map(|(v, i)| v * f64::from(i)).sum::<f64>()
    } at [0.3, 0.7, 0.2, 0.9, 0.5], [1.5], [0.5, 2.0];
}
