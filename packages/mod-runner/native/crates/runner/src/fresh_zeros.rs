//! Zeros of a start are the kernel's.
//!
//! V8 fills tables of its own with zeros when it starts, one of them (in its `IsolateGroup`) of half a megabyte,
//! and uses a few entries. Their memory is fresh and all zeros already: writing them again makes every page the
//! process's own, at the price of a fault for each. That would be a third more memory for an idle runner, and a
//! tenth of its start. So until V8 has started, large fills with zero ask the kernel for pages of zeros instead.

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the process is still starting. Later, memory that is filled has been used, and will be: writing
/// is cheaper than faults.
static IS_STARTING: AtomicBool = AtomicBool::new(true);

/// Smaller fills have hardly a whole page.
const SMALLEST: usize = 8 * 1024;

unsafe extern "C" {
    /// The C library's memset.
    #[link_name = "__real_memset"]
    fn real_memset(start: *mut c_void, value: c_int, length: usize) -> *mut c_void;
}

/// memset(3), which the linker has everybody call (`--wrap=memset` in build.rs).
///
/// # Safety
/// That of memset. While the process starts, what it fills with zeros must be private memory without a file:
/// the stack, the heap, V8's pages, and whole pages of .bss are all that there is to fill then.
#[unsafe(no_mangle)]
unsafe extern "C" fn __wrap_memset(start: *mut c_void, value: c_int, length: usize) -> *mut c_void {
    if length >= SMALLEST && value == 0 && IS_STARTING.load(Ordering::Relaxed) {
        // SAFETY: the caller's.
        unsafe { fill_with_fresh_pages(start.cast(), length) };
        return start;
    }
    // SAFETY: the caller's.
    unsafe { real_memset(start, value, length) }
}

/// Drops the whole pages of the range, which read as zeros afterwards, and writes its ends.
///
/// # Safety
/// That of `__wrap_memset`.
unsafe fn fill_with_fresh_pages(start: *mut u8, length: usize) {
    let page = page_size();
    let head = start.align_offset(page).min(length);
    let whole = (length - head) / page * page;
    // SAFETY: both pointers are within the range.
    let (pages, tail) = unsafe { (start.add(head), start.add(head + whole)) };
    // SAFETY: whole pages within the range, private and without a file.
    let is_dropped = unsafe { libc::madvise(pages.cast(), whole, libc::MADV_DONTNEED) } == 0;
    let written = if is_dropped { 0 } else { whole };
    // SAFETY: parts of the range: its head, its tail, and what could not be dropped.
    unsafe {
        real_memset(start.cast(), 0, head);
        real_memset(pages.cast(), 0, written);
        real_memset(tail.cast(), 0, length - head - whole);
    }
}

/// From now on memset writes, as ever. To be called when V8 has started.
pub fn end() {
    IS_STARTING.store(false, Ordering::Relaxed);
}

fn page_size() -> usize {
    // SAFETY: takes a number and returns one.
    usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::{fill_with_fresh_pages, page_size};

    /// Whole pages, and what is used of them.
    fn memory(pages: usize) -> (Vec<u8>, usize) {
        let mut memory = vec![7_u8; (pages + 1) * page_size()];
        memory.as_mut_ptr().expose_provenance();
        let offset = memory.as_ptr().align_offset(page_size());
        (memory, offset)
    }

    #[test]
    fn a_fill_reaches_its_range_and_nothing_else() {
        let page = page_size();
        let (mut memory, offset) = memory(12);
        for (start, length) in [
            (100, 8 * page),
            (page, 3 * page),
            (5, 40),
            (page - 1, page + 2),
        ] {
            memory.fill(7);
            // SAFETY: within the vector.
            unsafe { fill_with_fresh_pages(memory.as_mut_ptr().add(offset + start), length) };
            let zeros = offset + start..offset + start + length;
            let is_right =
                |(at, byte): (usize, &u8)| *byte == if zeros.contains(&at) { 0 } else { 7 };
            assert!(memory.iter().enumerate().all(is_right), "{start} {length}");
        }
    }
}
