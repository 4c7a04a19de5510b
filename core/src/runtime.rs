//! The tape: where compiled derivatives keep what their reverse sweeps will need.
//!
//! A stack of bytes per thread, in chunks. Allocating adds to a pointer, releasing subtracts from it. A *mark* is the
//! height of the stack: the number of bytes below, counted through the chunks, so it stays meaningful when a release goes
//! back over a chunk's border. Blocks above a mark are dead once it is released, whatever became of the marks in between,
//! so an unwinding panic leaves nothing behind once an enclosing mark is released.
//!
//! Memory is kept between gradients. When the stack is empty again after it needed several chunks, they are replaced by one
//! as large as all of them: the second gradient of a kind allocates nothing, has everything in one chunk, and a growing
//! block grows in place. More than [`KEEP`] bytes are not kept.
//!
//! A block of the program's own heap that the function frees, and whose values or shadow the reverse sweep still needs, is
//! freed by the release instead ([`Deferred`]).
//!
//! **Invariant:** `floor <= height <= floor + (capacity of the current chunk)`, where `floor` is the height at which the
//! current chunk begins, and chunks after the current one hold nothing.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error, realloc};
use std::cell::{Cell, UnsafeCell};
use std::mem::ManuallyDrop;
use std::ptr;

/// Alignment of every block, and the unit of sizes.
const UNIT: usize = 16;
/// Alignment of chunks and of blocks of at least [`LARGE`] bytes: a cache line, and any vector register.
const LINE: usize = 64;
/// From here on a block starts on a cache line.
const LARGE: usize = 1024;
/// The first chunk's size.
const FIRST: usize = 64 * 1024;
/// Most that a thread keeps while no derivative is running.
const KEEP: usize = 1 << 30;

/// A chunk's memory.
struct Chunk {
    start: *mut u8,
    size: usize,
}

impl Chunk {
    fn new(size: usize) -> Chunk {
        let Ok(layout) = Layout::from_size_align(size, LINE) else { too_large(size) };
        // SAFETY: a chunk is never empty.
        let start = unsafe { alloc(layout) };
        if start.is_null() {
            handle_alloc_error(layout);
        }
        Chunk { start, size }
    }

    /// Makes the chunk larger, somewhere else if need be, with what is in it.
    fn enlarge(&mut self, size: usize) {
        let Ok(layout) = Layout::from_size_align(size, LINE) else { too_large(size) };
        // SAFETY: allocated by `new` with this size and alignment; the new size is not zero and fits a layout.
        let start = unsafe { realloc(self.start, Layout::from_size_align_unchecked(self.size, LINE), size) };
        if start.is_null() {
            handle_alloc_error(layout);
        }
        // One by one: the old chunk is gone and must not be dropped.
        self.start = start;
        self.size = size;
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        // SAFETY: allocated by `new` with this size and alignment.
        unsafe { dealloc(self.start, Layout::from_size_align_unchecked(self.size, LINE)) }
    }
}

/// The tape of one thread.
struct Tape {
    /// Next free byte.
    top: Cell<*mut u8>,
    /// End of the current chunk.
    end: Cell<*mut u8>,
    /// `top`'s address minus the height.
    bias: Cell<usize>,
    /// Height at which the current chunk begins.
    floor: Cell<usize>,
    /// Index of the current chunk.
    current: Cell<usize>,
    /// The last block whose freeing is put off; the others hang on it.
    deferred: Cell<*mut Deferred>,
    /// All chunks, in the order of the stack up to `current`, unused ones after it.
    chunks: UnsafeCell<ManuallyDrop<Vec<Chunk>>>,
}

/// Frees a block: an allocator's function of pointer, size and alignment.
type Free = unsafe extern "C" fn(*mut u8, usize, usize);

/// A block of the program's own memory that a derivative must not give back before its reverse sweep is over. Lies on the
/// tape itself.
struct Deferred {
    free: Free,
    block: *mut u8,
    bytes: usize,
    align: usize,
    /// Height of the tape below this record.
    height: usize,
    before: *mut Deferred,
}

// The plan of a derivative counts them by the number that the contract names.
#[cfg(all(test, target_pointer_width = "64"))]
const _: () = assert!(size_of::<Deferred>() as u64 == cotangent_contract::BYTES_OF_DEFERRED);

thread_local! {
    // Two variables, because one with a destructor would have its state checked on every access.
    static TAPE: Tape = const { Tape::new() };
    static OWNER: Owner = const { Owner };
}

/// Frees the thread's tape when the thread ends.
struct Owner;

impl Drop for Owner {
    fn drop(&mut self) {
        TAPE.with(Tape::trim);
    }
}

impl Tape {
    const fn new() -> Tape {
        // An empty chunk at an aligned address, so that the paths below need no case for "no chunk yet".
        let nowhere = ptr::without_provenance_mut(LINE);
        Tape {
            top: Cell::new(nowhere),
            end: Cell::new(nowhere),
            bias: Cell::new(LINE),
            floor: Cell::new(0),
            current: Cell::new(0),
            deferred: Cell::new(ptr::null_mut()),
            chunks: UnsafeCell::new(ManuallyDrop::new(Vec::new())),
        }
    }

    #[inline]
    fn height(&self) -> usize {
        self.top.get().addr().wrapping_sub(self.bias.get())
    }

    #[inline]
    fn alloc(&self, bytes: usize) -> *mut u8 {
        let top = self.top.get();
        let start = if bytes < LARGE { top.addr() } else { top.addr().next_multiple_of(LINE) };
        // Chunks end on lines, so neither this nor a size that fits before being rounded can go past the end.
        if bytes <= self.end.get().addr() - start {
            let block = top.with_addr(start);
            self.top.set(block.wrapping_add(bytes.next_multiple_of(UNIT)));
            block
        } else {
            self.alloc_in_next_chunk(bytes)
        }
    }

    /// A chunk starts on a line, so its first block is aligned.
    #[cold]
    #[inline(never)]
    fn alloc_in_next_chunk(&self, bytes: usize) -> *mut u8 {
        let Some(size) = bytes.checked_next_multiple_of(UNIT) else { too_large(bytes) };
        // After the thread's destructors have run the tape is not freed any more; that is all there is to lose.
        let _ = OWNER.try_with(|_| ());
        // SAFETY: no reference into the list outlives the method that made it, and none of them calls out but to the
        // allocator.
        let chunks = unsafe { &mut **self.chunks.get() };
        let next = if chunks.is_empty() { 0 } else { self.current.get() + 1 };
        let floor = match chunks.get(self.current.get()) {
            Some(chunk) => self.floor.get() + chunk.size,
            None => 0,
        };
        match chunks[next..].iter().position(|chunk| chunk.size >= size) {
            Some(found) => chunks.swap(next, next + found),
            None => {
                let held: usize = chunks.iter().map(|chunk| chunk.size).sum();
                let Some(size) = size.max(held).max(FIRST).checked_next_multiple_of(LINE) else { too_large(size) };
                chunks.insert(next, Chunk::new(size));
            }
        }
        self.enter(next, &chunks[next], floor);
        let block = self.top.get();
        self.top.set(block.wrapping_add(size));
        block
    }

    /// Makes a chunk the current one, empty, beginning at height `floor`.
    fn enter(&self, index: usize, chunk: &Chunk, floor: usize) {
        self.current.set(index);
        self.floor.set(floor);
        self.top.set(chunk.start);
        self.end.set(chunk.start.wrapping_add(chunk.size));
        self.bias.set(chunk.start.addr().wrapping_sub(floor));
    }

    #[inline]
    fn grow(&self, old: *mut u8, old_bytes: usize, new_bytes: usize) -> *mut u8 {
        let old_size = old_bytes.next_multiple_of(UNIT);
        let last = old.wrapping_add(old_size) == self.top.get();
        if last && new_bytes <= self.end.get().addr() - old.addr() {
            // Its own provenance spans the chunk: blocks are offsets of the chunk's pointer.
            self.top.set(old.wrapping_add(new_bytes.next_multiple_of(UNIT).max(old_size)));
            return old;
        }
        // `floor` is where the chunk begins, so nothing but the block is in it.
        if last && self.height() - old_size == self.floor.get() {
            return self.grow_alone(new_bytes);
        }
        let block = self.alloc(new_bytes);
        // SAFETY: both blocks have at least these bytes, and a new block overlaps no other.
        unsafe { ptr::copy_nonoverlapping(old, block, old_bytes.min(new_bytes)) };
        block
    }

    /// Grows the block that is all there is in the current chunk: with its chunk, so that the old one is not kept for nothing.
    #[inline(never)]
    fn grow_alone(&self, new_bytes: usize) -> *mut u8 {
        let Some(size) = new_bytes.checked_next_multiple_of(LINE) else { too_large(new_bytes) };
        // SAFETY: as in `alloc_in_next_chunk`.
        let chunks = unsafe { &mut **self.chunks.get() };
        let (index, floor) = (self.current.get(), self.floor.get());
        // Before the first chunk there are blocks of no bytes.
        let Some(chunk) = chunks.get_mut(index) else { return self.alloc(new_bytes) };
        chunk.enlarge(size);
        self.enter(index, chunk, floor);
        let block = self.top.get();
        self.top.set(block.wrapping_add(new_bytes.next_multiple_of(UNIT)));
        block
    }

    fn defer(&self, free: Free, block: *mut u8, bytes: usize, align: usize) {
        if block.is_null() {
            // A shadow that is its primal's own block.
            return;
        }
        let height = self.height();
        let record = self.alloc(size_of::<Deferred>()).cast::<Deferred>();
        // SAFETY: a fresh block of the tape is large enough and aligned to 16.
        unsafe { record.write(Deferred { free, block, bytes, align, height, before: self.deferred.get() }) };
        self.deferred.set(record);
    }

    /// Frees what was put off since a mark.
    #[inline(never)]
    fn free_deferred(&self, mark: usize) {
        while let Some(record) = ptr::NonNull::new(self.deferred.get()) {
            // SAFETY: a record stays on the tape until the release that comes after this loop.
            let Deferred { free, block, bytes, align, height, before } = unsafe { record.read() };
            if height < mark {
                break;
            }
            self.deferred.set(before);
            // SAFETY: the derivative hands over blocks that it would have freed in this way itself.
            unsafe { free(block, bytes, align) };
        }
    }

    #[inline]
    fn release(&self, mark: usize) {
        if !self.deferred.get().is_null() {
            self.free_deferred(mark);
        }
        if mark != 0 && mark >= self.floor.get() {
            let height = self.height();
            // A mark from above the top belongs to a frame that an outer release has ended.
            if mark < height {
                self.top.set(self.top.get().wrapping_sub(height - mark));
            }
        } else {
            self.release_chunks(mark);
        }
    }

    /// Releases to the beginning of the stack or into a chunk below the current one.
    #[inline(never)]
    fn release_chunks(&self, mark: usize) {
        // SAFETY: as in `alloc_in_next_chunk`.
        let chunks = unsafe { &mut **self.chunks.get() };
        if chunks.is_empty() {
            return;
        }
        if mark == 0 {
            self.keep_one(chunks);
            return;
        }
        let (mut index, mut floor) = (self.current.get(), self.floor.get());
        while mark < floor {
            index -= 1;
            floor -= chunks[index].size;
        }
        self.enter(index, &chunks[index], floor);
        self.top.set(self.top.get().wrapping_add(mark - floor));
    }

    /// Keeps one chunk, large enough for what has been used since the stack was empty.
    fn keep_one(&self, chunks: &mut Vec<Chunk>) {
        let used = &chunks[..=self.current.get()];
        // Where a chunk ended a block may have been aligned for nothing.
        let size = used.iter().map(|chunk| chunk.size + LINE).sum::<usize>().min(KEEP);
        if used.len() > 1 && chunks[0].size < size || chunks[0].size > KEEP {
            // In this order, so that both are not held at once.
            self.forget(chunks);
            chunks.push(Chunk::new(size));
        } else if used.len() > 1 {
            chunks.truncate(1);
        }
        self.enter(0, &chunks[0], 0);
    }

    /// Frees every chunk. Nothing may be alive.
    fn forget(&self, chunks: &mut Vec<Chunk>) {
        *chunks = Vec::new();
        let empty = Tape::new();
        self.top.set(empty.top.get());
        self.end.set(empty.end.get());
        self.bias.set(empty.bias.get());
        self.floor.set(0);
        self.current.set(0);
    }

    /// Frees every chunk that holds nothing.
    fn trim(&self) {
        // SAFETY: as in `alloc_in_next_chunk`.
        let chunks = unsafe { &mut **self.chunks.get() };
        if self.height() == 0 {
            self.forget(chunks);
        } else {
            chunks.truncate(self.current.get() + 1);
        }
    }

    fn held(&self) -> usize {
        // SAFETY: as in `alloc_in_next_chunk`.
        unsafe { &*self.chunks.get() }.iter().map(|chunk| chunk.size).sum()
    }
}

#[cold]
fn too_large(size: usize) -> ! {
    panic!("a derivative asked for a tape block of {size} bytes");
}

/// Calls `free` on a block when the enclosing mark is released.
///
/// # Safety
/// The block is one that `free` may be called on, and nobody else gives it back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __ct_tape_defer(free: Free, block: *mut u8, bytes: usize, align: usize) {
    TAPE.with(|tape| tape.defer(free, block, bytes, align));
}

/// Memory of the tape, aligned to 16, until the release of the enclosing mark. Not initialised.
#[unsafe(no_mangle)]
pub extern "C" fn __ct_tape_alloc(bytes: usize) -> *mut u8 {
    TAPE.with(|tape| tape.alloc(bytes))
}

/// A block of `new_bytes` that holds the old one's bytes; the old one where it is the last and has room behind it.
///
/// # Safety
/// `old` is a live block of `old_bytes` from this thread's tape.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __ct_tape_grow(old: *mut u8, old_bytes: usize, new_bytes: usize) -> *mut u8 {
    TAPE.with(|tape| tape.grow(old, old_bytes, new_bytes))
}

/// The present height of the tape.
#[unsafe(no_mangle)]
pub extern "C" fn __ct_tape_mark() -> usize {
    TAPE.with(Tape::height)
}

/// Gives back everything allocated since the mark.
///
/// # Safety
/// `mark` comes from this thread's tape, and no block made after it is used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __ct_tape_release(mark: usize) {
    TAPE.with(|tape| tape.release(mark));
}

/// Called where a length inside of a shadow is not the primal's.
#[unsafe(no_mangle)]
#[cold]
pub extern "C-unwind" fn __ct_shape_mismatch(primal: usize, shadow: usize) -> ! {
    panic!("a slice or vector inside of a shadow has {shadow} elements, the primal's has {primal}");
}

/// Called where the room of a vector that is pushed to is not that of its shadow.
#[unsafe(no_mangle)]
#[cold]
pub extern "C-unwind" fn __ct_capacity_mismatch(primal: usize, shadow: usize) -> ! {
    panic!(
        "a vector that changes its length has a capacity of {primal} elements, its shadow of {shadow}: they grow together, so give the \
         shadow the same (as `cotangent::zeroed` does)"
    );
}

/// Called where a pointer in a shadow leads to the primal's own floats.
#[unsafe(no_mangle)]
#[cold]
pub extern "C-unwind" fn __ct_shared_memory(_: usize, _: usize) -> ! {
    panic!(
        "a shadow shares memory with its primal (a clone of an `Rc`, or of a struct with references, does), so adjoints would be added \
         to the values themselves, or tangents taken for constants: make the shadow with `cotangent::zeroed`, or copy the tangent"
    );
}

/// Called where an enum inside of a shadow is another variant than the primal's, as far as a type without
/// [`Shadow`](crate::Shadow) lets us see.
#[unsafe(no_mangle)]
#[cold]
pub extern "C-unwind" fn __ct_variant_mismatch(primal: usize, shadow: usize) -> ! {
    panic!(
        "an enum inside of a shadow is the variant with the number {shadow}, the primal's with the number {primal}: a shadow of \
         the same structure is made by `cotangent::zeroed`; with `#[derive(cotangent::Shadow)]` this names the field"
    );
}

/// Called where a derivative comes to a function that was not known when it was compiled.
///
/// # Safety
/// `text` leads to so many bytes of UTF-8.
#[unsafe(no_mangle)]
#[cold]
pub unsafe extern "C-unwind" fn __ct_unsupported(text: *const u8, bytes: usize) -> ! {
    // SAFETY: as promised by the caller.
    let text = unsafe { std::slice::from_raw_parts(text, bytes) };
    panic!("{}", String::from_utf8_lossy(text));
}

/// Called where a derivative finds at run time that it has no way on: bits that are computed with are a float's, say.
///
/// # Safety
/// `text` leads to so many bytes of UTF-8.
#[unsafe(no_mangle)]
#[cold]
pub unsafe extern "C-unwind" fn __ct_refused(text: *const u8, bytes: usize) -> ! {
    // SAFETY: as promised by the caller.
    unsafe { __ct_unsupported(text, bytes) }
}

/// Bytes that this thread's tape holds from the allocator.
pub(crate) fn held() -> usize {
    TAPE.with(Tape::held)
}

/// Frees what this thread's tape holds and does not use.
pub(crate) fn trim() {
    TAPE.with(Tape::trim);
}

#[cfg(test)]
mod tests;
