//! An order book: queues of records in trees, which are taken out of both while they are walked through.

use crate::functional;
use std::collections::{BTreeMap, VecDeque};

#[derive(Clone, Copy, Debug)]
enum Side {
    Buy,
    Sell,
}

/// Of the note nobody writes more than its tag where there is none, so that the rest of its bytes is anything.
#[derive(Clone, Debug)]
struct Order {
    id: u32,
    side: Side,
    price: f64,
    quantity: f64,
    note: Option<u8>,
}

#[derive(Default)]
struct Book {
    bids: BTreeMap<i64, VecDeque<Order>>,
    asks: BTreeMap<i64, VecDeque<Order>>,
    cash: f64,
}

impl Book {
    fn submit(&mut self, mut order: Order) {
        let level = (order.price * 100.0).round() as i64;
        match order.side {
            Side::Buy => {
                while order.quantity > 0.0 {
                    let Some((&best, _)) = self.asks.iter().next() else { break };
                    if best > level {
                        break;
                    }
                    let queue = self.asks.get_mut(&best).unwrap();
                    while let Some(mut other) = queue.pop_front() {
                        let traded = order.quantity.min(other.quantity);
                        self.cash += traded * other.price;
                        order.quantity -= traded;
                        other.quantity -= traded;
                        if other.quantity > 0.0 {
                            queue.push_front(other);
                            break;
                        }
                        if order.quantity <= 0.0 {
                            break;
                        }
                    }
                    if queue.is_empty() {
                        self.asks.remove(&best);
                    }
                }
                if order.quantity > 0.0 {
                    self.bids.entry(level).or_default().push_back(order);
                }
            }
            Side::Sell => self.asks.entry(level).or_default().push_back(order),
        }
    }
}

functional! {
    fn orders_are_matched_and_kept(x: &[f64]) -> f64 {
        let mut book = Book::default();
        for (i, v) in x.iter().enumerate() {
            let side = if i % 2 == 0 { Side::Sell } else { Side::Buy };
            book.submit(Order { id: i as u32, side, price: 10.0 + v, quantity: 1.0 + v * v, note: None });
        }
        let asked = book.asks.values().flatten().map(|o| o.quantity * o.price * f64::from(o.id + 1));
        let offered = book.bids.values().flatten().map(|o| o.quantity * f64::from(o.note.unwrap_or(1)));
        book.cash + asked.sum::<f64>() + offered.sum::<f64>()
    } at [0.3, 0.7, 0.1, 0.5], [0.3, 0.9, 0.1, 0.15, 0.2];
}
