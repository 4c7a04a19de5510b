//! The memory that reverse sweeps use, and how to give it back.
//!
//! A reverse-mode derivative remembers values of its forward sweep on a *tape*: a stack of bytes that belongs to the thread,
//! grows to what the largest gradient needed and is kept for the next one, up to a gigabyte. A thread's tape is freed when
//! the thread ends. A program that is done with gradients for a while can free it with [`trim`].

use crate::runtime::{__ct_tape_alloc, __ct_tape_mark, __ct_tape_release};
use crate::{FloatData, runtime};

/// Bytes that the calling thread's tape holds at present.
///
/// ```
/// assert_eq!(cotangent::tape::held(), 0); // no gradient yet on this thread
/// ```
pub fn held() -> usize {
    runtime::held()
}

/// Frees the memory that the calling thread's tape holds and no running derivative uses.
///
/// ```
/// cotangent::tape::trim();
/// assert_eq!(cotangent::tape::held(), 0);
/// ```
pub fn trim() {
    runtime::trim();
}

/// A part of the tape that is released when the frame goes out of scope, unwinding included.
pub(crate) struct Frame {
    mark: usize,
}

impl Frame {
    /// Everything that the tape gives out from here on belongs to the frame.
    #[inline]
    pub(crate) fn new() -> Frame {
        Frame { mark: __ct_tape_mark() }
    }

    /// Zeros on the tape, for the life of the frame.
    #[inline]
    #[expect(clippy::mut_from_ref, reason = "each call gives out other memory")]
    pub(crate) fn zeros<T: FloatData>(&self, len: usize) -> &mut [T] {
        const { assert!(align_of::<T>() <= 16, "the tape aligns to 16 bytes") };
        let bytes =
            len.checked_mul(size_of::<T>()).expect("the scratch memory of a derivative exceeds the address space");
        let start = __ct_tape_alloc(bytes).cast::<T>();
        // SAFETY: a new block of this size and sufficient alignment, nobody else's until the frame releases it; zeros are
        // a valid value of float data.
        unsafe {
            start.write_bytes(0, len);
            core::slice::from_raw_parts_mut(start, len)
        }
    }
}

impl Drop for Frame {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: the frame's slices borrow it, and derivatives release what they allocate before they return.
        unsafe { __ct_tape_release(self.mark) }
    }
}
