//! The tape, through its four functions. Each test has a thread, and so a tape, of its own.

use super::*;

fn release(mark: usize) {
    // SAFETY: the tests use no block after its release.
    unsafe { __ct_tape_release(mark) }
}

fn grow(old: *mut u8, old_bytes: usize, new_bytes: usize) -> *mut u8 {
    // SAFETY: the tests pass live blocks with their sizes.
    unsafe { __ct_tape_grow(old, old_bytes, new_bytes) }
}

/// A block with every byte set, so that overlaps show.
fn filled(bytes: usize, with: u8) -> &'static mut [u8] {
    let start = __ct_tape_alloc(bytes);
    // SAFETY: a new block of this size; the tests do not touch it after its release.
    unsafe {
        start.write_bytes(with, bytes);
        std::slice::from_raw_parts_mut(start, bytes)
    }
}

/// A tape is per thread, and the harness may reuse threads.
fn on_a_new_thread(test: impl FnOnce() + Send + 'static) {
    std::thread::spawn(test).join().unwrap();
}

#[test]
fn blocks_are_aligned_and_apart() {
    on_a_new_thread(|| {
        let sizes = [0, 1, 8, 16, 17, 100, 1024, 5000, 64 * 1024, 1 << 20, 24];
        let blocks: Vec<&mut [u8]> = sizes.iter().enumerate().map(|(k, &size)| filled(size, k as u8)).collect();
        for (k, block) in blocks.iter().enumerate() {
            let alignment = if block.len() >= LARGE { LINE } else { UNIT };
            assert_eq!(block.as_ptr().addr() % alignment, 0, "block of {}", block.len());
            assert!(block.iter().all(|&byte| byte == k as u8), "block of {} was overwritten", block.len());
        }
    });
}

#[test]
fn a_release_gives_the_same_memory_again() {
    on_a_new_thread(|| {
        __ct_tape_alloc(100);
        let mark = __ct_tape_mark();
        let first = __ct_tape_alloc(40);
        release(mark);
        assert_eq!(__ct_tape_mark(), mark);
        assert_eq!(__ct_tape_alloc(40), first);
    });
}

#[test]
fn marks_nest_across_chunks() {
    on_a_new_thread(|| {
        let outer = __ct_tape_mark();
        let kept = filled(3 * FIRST / 4, 7);
        let mut marks = Vec::new();
        for _ in 0..6 {
            marks.push((__ct_tape_mark(), __ct_tape_alloc(FIRST)));
        }
        while let Some((mark, _)) = marks.pop() {
            release(mark);
            assert_eq!(__ct_tape_mark(), mark);
        }
        assert!(kept.iter().all(|&byte| byte == 7));
        release(outer);
        assert_eq!(__ct_tape_mark(), 0);
    });
}

#[test]
fn an_inner_mark_released_late_raises_nothing() {
    on_a_new_thread(|| {
        let outer = __ct_tape_mark();
        __ct_tape_alloc(64);
        let middle = __ct_tape_mark();
        __ct_tape_alloc(64);
        let inner = __ct_tape_mark();
        release(middle);
        release(inner);
        assert_eq!(__ct_tape_mark(), middle);
        release(outer);
        release(inner);
        assert_eq!(__ct_tape_mark(), outer);
    });
}

#[test]
fn the_last_block_grows_in_place_and_another_one_moves() {
    on_a_new_thread(|| {
        let first = filled(48, 1);
        let grown = grow(first.as_mut_ptr(), 48, 4096);
        assert_eq!(grown, first.as_mut_ptr());
        let second = filled(16, 2);
        assert!(second.as_ptr().addr() >= grown.addr() + 4096);
        let moved = grow(grown, 4096, 8192);
        assert_ne!(moved, grown);
        // SAFETY: 48 bytes were written and have been kept.
        assert_eq!(unsafe { std::slice::from_raw_parts(moved, 48) }, &[1; 48]);
        assert_eq!(second, [2; 16]);
    });
}

#[test]
fn growing_over_the_end_of_a_chunk_keeps_the_bytes() {
    on_a_new_thread(|| {
        let mut block = filled(1024, 9).as_mut_ptr();
        let mut bytes = 1024;
        while bytes < 8 * FIRST {
            block = grow(block, bytes, 2 * bytes);
            bytes *= 2;
        }
        // SAFETY: the first 1024 bytes were written and have been kept.
        assert_eq!(unsafe { std::slice::from_raw_parts(block, 1024) }, &[9; 1024]);
    });
}

#[test]
fn a_block_alone_in_its_chunk_grows_with_it() {
    on_a_new_thread(|| {
        let below = filled(100, 3);
        let mark = __ct_tape_mark();
        let mut bytes = 2 * FIRST;
        let mut block = filled(bytes, 5).as_mut_ptr();
        while bytes < 1 << 22 {
            let bigger = grow(block, bytes, 2 * bytes);
            // SAFETY: the new half of a block that was just made.
            unsafe { bigger.wrapping_add(bytes).write_bytes(5, bytes) };
            (block, bytes) = (bigger, 2 * bytes);
            assert_eq!(block.addr() % LINE, 0);
        }
        // SAFETY: a block of this size.
        let block = unsafe { std::slice::from_raw_parts(block, bytes) };
        assert!(block.iter().all(|&b| b == 5) && below.iter().all(|&b| b == 3));
        assert!(held() <= bytes + 2 * FIRST, "{} bytes are held for a block of {bytes}", held());
        release(mark);
        assert_eq!(__ct_tape_mark(), mark);
        assert_eq!(filled(64, 1).len(), 64);
    });
}

#[test]
fn a_block_of_no_bytes_grows_before_there_is_a_chunk() {
    on_a_new_thread(|| {
        let block = grow(__ct_tape_alloc(0), 0, 100);
        // SAFETY: a block of this size.
        unsafe { block.write_bytes(1, 100) };
        assert_eq!(held(), FIRST);
    });
}

#[test]
fn memory_is_steady_over_many_gradients() {
    on_a_new_thread(|| {
        let gradient = || {
            let outer = __ct_tape_mark();
            let mut growing = __ct_tape_alloc(64);
            let mut bytes = 64;
            for k in 0..12 {
                __ct_tape_alloc(1 << k);
                growing = grow(growing, bytes, 2 * bytes);
                bytes *= 2;
                let inner = __ct_tape_mark();
                __ct_tape_alloc(3 << k);
                release(inner);
            }
            release(outer);
        };
        gradient();
        let (held, first) = (held(), __ct_tape_alloc(16));
        release(0);
        for _ in 0..100_000 {
            gradient();
        }
        assert_eq!(super::held(), held);
        assert_eq!(__ct_tape_alloc(16), first, "one chunk serves every gradient");
    });
}

#[test]
fn what_a_panic_left_is_released_with_the_enclosing_mark() {
    on_a_new_thread(|| {
        let mut held_before = 0;
        for round in 0..1000 {
            let frame = crate::tape::Frame::new();
            let result = std::panic::catch_unwind(|| {
                __ct_tape_mark();
                __ct_tape_alloc(100_000);
                std::panic::resume_unwind(Box::new(()));
            });
            assert!(result.is_err());
            drop(frame);
            assert_eq!(__ct_tape_mark(), 0);
            if round == 0 {
                held_before = held();
            }
        }
        assert_eq!(held(), held_before);
    });
}

#[test]
fn trimming_frees_what_is_unused_only() {
    on_a_new_thread(|| {
        let mark = __ct_tape_mark();
        let kept = filled(1000, 3);
        let inner = __ct_tape_mark();
        __ct_tape_alloc(10 * FIRST);
        release(inner);
        assert!(held() > 10 * FIRST);
        trim();
        assert_eq!(held(), FIRST);
        assert!(kept.iter().all(|&byte| byte == 3));
        release(mark);
        trim();
        assert_eq!(held(), 0);
        assert!(!__ct_tape_alloc(8).is_null());
    });
}

#[test]
fn scratch_of_a_frame_is_zero_and_given_back() {
    on_a_new_thread(|| {
        for _ in 0..2 {
            let frame = crate::tape::Frame::new();
            let (a, b) = (frame.zeros::<f64>(5), frame.zeros::<f32>(3));
            assert_eq!((&*a, &*b), (&[0.0; 5][..], &[0.0; 3][..]));
            a.fill(1.0);
            b.fill(2.0);
            assert_eq!((&*a, &*b), (&[1.0; 5][..], &[2.0; 3][..]));
        }
        assert_eq!(__ct_tape_mark(), 0);
    });
}

thread_local! {
    static FREED: std::cell::RefCell<Vec<(usize, usize, usize)>> = const { std::cell::RefCell::new(Vec::new()) };
}

unsafe extern "C" fn record(block: *mut u8, bytes: usize, align: usize) {
    FREED.with_borrow_mut(|freed| freed.push((block.addr(), bytes, align)));
}

fn defer(address: usize) {
    // SAFETY: `record` takes any address.
    unsafe { __ct_tape_defer(record, ptr::without_provenance_mut(address), 2 * address, 8) }
}

fn freed() -> Vec<usize> {
    FREED.take().into_iter().map(|(block, ..)| block).collect()
}

#[test]
fn a_deferred_free_happens_once_when_its_mark_is_released() {
    on_a_new_thread(|| {
        let outer = __ct_tape_mark();
        defer(16);
        let inner = __ct_tape_mark();
        __ct_tape_alloc(3 * FIRST);
        defer(32);
        defer(48);
        assert_eq!(freed(), []);
        release(inner);
        assert_eq!(freed(), [48, 32]);
        release(inner);
        assert_eq!(freed(), []);
        release(outer);
        assert_eq!(FREED.take(), [(16, 32, 8)]);
        release(outer);
        assert_eq!(freed(), []);
    });
}

#[test]
fn an_outer_release_frees_what_inner_marks_have_deferred() {
    on_a_new_thread(|| {
        let outer = __ct_tape_mark();
        for address in [16, 32, 48] {
            __ct_tape_mark();
            defer(address);
            __ct_tape_alloc(FIRST);
        }
        release(outer);
        assert_eq!(freed(), [48, 32, 16]);
        assert_eq!(__ct_tape_mark(), 0);
    });
}
