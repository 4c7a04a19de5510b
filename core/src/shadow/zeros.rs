//! What is known while a shadow of zeros is made.

use std::any::Any;
use std::collections::HashMap;

/// The zeros that were made for shared values, so that what is shared in a value is shared in its shadow.
///
/// Otherwise the adjoint of a node with two owners would be in two places, half in each.
#[derive(Default)]
pub struct Zeros {
    shared: HashMap<usize, Vec<Box<dyn Any>>>,
}

impl Zeros {
    /// The zeros of the shared value at an address, which `make` makes if this is the first time.
    pub(super) fn shared<P: Clone + 'static>(&mut self, address: usize, make: impl FnOnce(&mut Zeros) -> P) -> P {
        // One allocation may be known by several types, such as `Rc<[T; 2]>` and `Rc<[T]>`.
        if let Some(made) = self.shared.get(&address).and_then(|made| made.iter().find_map(|made| made.downcast_ref()))
        {
            return P::clone(made);
        }
        let made = make(self);
        self.shared.entry(address).or_default().push(Box::new(made.clone()));
        made
    }
}
