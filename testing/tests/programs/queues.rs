//! Queues and lists behind arguments: their elements lie where what was pushed and popped before has put them.

use crate::assert_close;
use cotangent::{Shadow, autodiff, zeroed};
use std::collections::{LinkedList, VecDeque};
use testing::refusal;

/// The values 1, 2, .., in a queue with a buffer of four, from the given place on.
fn queue(at: usize, length: usize) -> VecDeque<f64> {
    let mut queue = VecDeque::with_capacity(4);
    for _ in 0..at {
        queue.push_back(0.0);
        queue.pop_front();
    }
    queue.extend((1..=length).map(|i| i as f64));
    queue
}

fn filled(mut queue: VecDeque<f64>, value: f64) -> VecDeque<f64> {
    queue.iter_mut().for_each(|v| *v = value);
    queue
}

#[autodiff(weigh_reverse, Reverse, Duplicated, Active)]
#[autodiff(weigh_forward, Forward, Dual, DualOnly)]
fn weigh(queue: &VecDeque<f64>) -> f64 {
    queue.iter().zip(1..).map(|(v, i)| v * v * f64::from(i)).sum::<f64>() * queue[0]
}

#[test]
fn a_zeroed_queue_has_its_elements_where_the_primal_has_them() {
    for at in 0..4 {
        let primal = queue(at, 3);
        let mut adjoint = zeroed(&primal);
        assert_close!(weigh_reverse(&primal, &mut adjoint, 1.0), 36.0);
        assert_eq!(adjoint, [38.0, 8.0, 18.0]);
        assert_close!(weigh_forward(&primal, &filled(zeroed(&primal), 2.0)), 128.0);
    }
}

#[test]
fn a_queue_that_begins_elsewhere_is_refused_and_nothing_is_written() {
    for (at, other) in [(1, 0), (0, 2), (3, 2)] {
        let mut shadow = filled(queue(other, 3), 0.0);
        let message = refusal(|| weigh_reverse(&queue(at, 3), &mut shadow, 1.0));
        let begin = format!("the queue `queue` begins at place {at} of its buffer and its shadow at place {other}");
        assert!(message.starts_with(&begin) && message.contains("cotangent::zeroed"), "{message}");
        assert_eq!(shadow, [0.0; 3]);
        assert_eq!(refusal(|| weigh_forward(&queue(at, 3), &shadow)), message);
    }
    // A clone begins at the front.
    assert!(refusal(|| weigh_reverse(&queue(2, 3), &mut queue(2, 3).clone(), 1.0)).contains("at place 0"));
    assert_close!(weigh_reverse(&queue(0, 3), &mut filled(queue(0, 3).clone(), 0.0), 1.0), 36.0);
}

#[test]
fn a_queue_that_goes_on_at_the_start_of_another_buffer_is_refused() {
    let primal = queue(3, 3);
    let mut shadow = VecDeque::with_capacity(8);
    shadow.extend([0.0; 6]);
    shadow.drain(..3);
    assert_eq!((primal.as_slices().1.len(), shadow.as_slices().1.len()), (2, 0));
    let message = refusal(|| weigh_reverse(&primal, &mut shadow, 1.0));
    assert!(message.contains("the buffers have other lengths"), "{message}");
}

#[test]
fn a_queue_of_another_length_is_refused_with_both_lengths() {
    let message = refusal(|| weigh_reverse(&queue(0, 3), &mut queue(0, 2), 1.0));
    assert_eq!(message, "the shadow of `queue` has length 2, but `queue` has length 3");
}

#[autodiff(square_reverse, Reverse, Duplicated)]
#[autodiff(square_forward, Forward, Dual)]
fn square(queue: &mut VecDeque<f64>) {
    queue.iter_mut().for_each(|v| *v *= *v);
    queue[1] *= 5.0;
}

#[test]
fn a_queue_is_changed_in_place() {
    for at in 0..4 {
        let (mut primal, mut adjoint) = (queue(at, 3), filled(queue(at, 3), 1.0));
        square_reverse(&mut primal, &mut adjoint);
        assert_eq!((primal, adjoint), ([1.0, 20.0, 9.0].into(), [2.0, 20.0, 6.0].into()));
        let (mut primal, mut tangent) = (queue(at, 3), filled(queue(at, 3), 1.0));
        square_forward(&mut primal, &mut tangent);
        assert_eq!((primal, tangent), ([1.0, 20.0, 9.0].into(), [2.0, 20.0, 6.0].into()));
    }
}

#[autodiff(shift_forward, Forward, Dual, Active)]
fn shift(queue: &mut VecDeque<f64>, x: f64) {
    for i in 1..=3 {
        queue.push_back(x * f64::from(i));
    }
    let first = queue.pop_front().unwrap_or(0.0);
    queue.push_front(first * x);
}

#[test]
fn a_queue_that_is_pushed_and_popped_has_a_tangent_that_is_too() {
    for at in 0..4 {
        for length in 1..=4 {
            let mut primal = queue(at, length);
            let mut tangent = filled(zeroed(&primal), 0.5);
            shift_forward(&mut primal, &mut tangent, 2.0, 1.0);
            let mut expected = vec![0.5; length];
            expected[0] = 0.5 * 2.0 + 1.0;
            expected.extend([1.0, 2.0, 3.0]);
            assert_eq!(tangent, expected);
            assert_eq!(primal.iter().rev().take(3).collect::<Vec<_>>(), [&6.0, &4.0, &2.0]);
        }
    }
    // Without elements nobody sees where a queue will begin, until it is pushed to.
    let message = refusal(|| shift_forward(&mut queue(2, 0), &mut queue(0, 0), 2.0, 1.0));
    assert!(message.contains("has 0 elements, the primal's has 2"), "{message}");
    let (mut primal, mut tangent) = (queue(2, 0), queue(0, 0));
    primal.clear();
    shift_forward(&mut primal, &mut tangent, 2.0, 1.0);
    assert_eq!((primal, tangent), ([4.0, 4.0, 6.0].into(), [4.0, 2.0, 3.0].into()));
}

#[autodiff(chain_reverse, Reverse, Duplicated)]
#[autodiff(chain_forward, Forward, Dual)]
fn square_chain(list: &mut LinkedList<f64>) {
    list.iter_mut().for_each(|v| *v *= *v);
    if let Some(last) = list.back_mut() {
        *last *= 3.0;
    }
}

#[autodiff(grow_forward, Forward, Dual, Active)]
fn grow(list: &mut LinkedList<f64>, x: f64) {
    list.push_back(x * x);
    let first = list.pop_front().unwrap_or(1.0);
    list.push_front(first * x);
}

#[test]
fn a_list_is_changed_in_place_and_grows() {
    let list = || LinkedList::from([1.0, 2.0, 3.0]);
    let (mut primal, mut adjoint) = (list(), list());
    chain_reverse(&mut primal, &mut adjoint);
    assert_eq!((primal, adjoint), ([1.0, 4.0, 27.0].into(), [2.0, 8.0, 54.0].into()));
    let (mut primal, mut tangent) = (list(), list());
    chain_forward(&mut primal, &mut tangent);
    assert_eq!((primal, tangent), ([1.0, 4.0, 27.0].into(), [2.0, 8.0, 54.0].into()));
    let (mut primal, mut tangent) = (list(), zeroed(&list()));
    grow_forward(&mut primal, &mut tangent, 2.0, 1.0);
    assert_eq!((primal, tangent), ([2.0, 2.0, 3.0, 4.0].into(), [1.0, 0.0, 0.0, 4.0].into()));
}

#[derive(Shadow)]
struct History {
    steps: VecDeque<Vec<f64>>,
    notes: VecDeque<usize>,
    chain: LinkedList<(f64, Option<Box<f64>>)>,
}

#[autodiff(history_reverse, Reverse, Duplicated, Active)]
#[autodiff(history_forward, Forward, Dual, DualOnly)]
fn recall(history: &History) -> f64 {
    let steps: f64 = history.steps.iter().zip(&history.notes).map(|(s, n)| s.iter().product::<f64>() * *n as f64).sum();
    let chain = history.chain.iter().map(|(value, factor)| value * factor.as_deref().copied().unwrap_or(10.0));
    steps * chain.sum::<f64>()
}

fn history() -> History {
    let mut steps = VecDeque::from([vec![], vec![2.0, 3.0], vec![5.0]]);
    steps.pop_front();
    History { steps, notes: [7, 11].into(), chain: LinkedList::from([(0.5, None), (2.0, Some(Box::new(3.0)))]) }
}

#[test]
fn queues_and_lists_in_structures() {
    let primal = history();
    let mut adjoint = zeroed(&primal);
    assert_close!(history_reverse(&primal, &mut adjoint, 1.0), 97.0 * 11.0);
    assert_eq!(adjoint.steps, [vec![21.0 * 11.0, 14.0 * 11.0], vec![121.0]]);
    assert_eq!(adjoint.chain, LinkedList::from([(970.0, None), (291.0, Some(Box::new(194.0)))]));
    let mut tangent = zeroed(&primal);
    tangent.steps[1][0] = 2.0;
    assert_close!(history_forward(&primal, &tangent), 242.0);

    let mut other = zeroed(&primal);
    other.steps[1].push(0.0);
    let message = refusal(|| history_reverse(&primal, &mut other, 1.0));
    assert_eq!(message, "the shadow of `history.steps[1]` has length 2, but `history.steps[1]` has length 1");
    let mut other = zeroed(&primal);
    other.chain.back_mut().unwrap().1 = None;
    let message = refusal(|| history_reverse(&primal, &mut other, 1.0));
    assert!(message.contains("`history.chain[1].1` is the variant `None`"), "{message}");
    other.chain.pop_back();
    let message = refusal(|| history_reverse(&primal, &mut other, 1.0));
    assert_eq!(message, "the shadow of `history.chain` has length 1, but `history.chain` has length 2");
}
