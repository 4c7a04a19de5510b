//! What is found by the first of a list, which may be empty.
use crate::functional;
use std::collections::HashMap;

functional! {
    fn what_is_found_by_the_first_of_a_list_which_may_be_empty(x: &[f64]) -> f64 {
        let mut stocks = [HashMap::from([(1, x[0])]), HashMap::from([(1, x[1])])];
        let suppliers: [Vec<usize>; 2] = [vec![1], vec![]];
        let product = 1;
        for list in &suppliers {
            if let Some(v) = list.first().copied().and_then(|s| stocks[s].get_mut(&product)) {
                *v *= 1.0 - 0.02 * x[2];
            }
        }
        stocks.iter().map(|stock| stock[&1].sin()).sum()
    } at [5.0, 7.3, 0.8];
}
