//! Gives memory back that was written to with nothing but zeros.
//!
//! V8 goes over some of its new tables entry by entry and leaves zeros in them; what `fresh_zeros` has
//! not prevented is 140 KiB. A private anonymous page of zeros and no page at all read the same, so such
//! pages are dropped; the kernel gives them back when they are written to.

/// Drops the zero pages of all private anonymous memory. To be called while the process has one
/// thread, and while /proc can still be read; returns how many bytes were given back.
#[cfg(target_os = "linux")]
pub fn give_back() -> usize {
    if !has_known_pages() {
        return 0;
    }
    let Ok(maps) = read_maps() else { return 0 };
    maps.lines()
        .filter_map(anonymous_range)
        .map(|(start, end)| give_back_range(start, end))
        .sum()
}

/// The kernel's list of mappings, in few reads: of an empty file, as which /proc shows it, std reads 32 bytes
/// first, and then twice as many.
#[cfg(target_os = "linux")]
fn read_maps() -> std::io::Result<String> {
    use std::io::Read;
    let mut file = std::fs::File::open("/proc/self/maps")?;
    let (mut text, mut end) = (vec![0; 32 * 1024], 0);
    loop {
        match file.read(text.get_mut(end..).unwrap_or_default())? {
            0 => break,
            read => end += read,
        }
    }
    text.truncate(end);
    String::from_utf8(text).map_err(std::io::Error::other)
}

/// Nothing is known of other systems' zero pages.
#[cfg(not(target_os = "linux"))]
pub fn give_back() -> usize {
    0
}

/// V8's reserved ranges are larger, and not all of them readable.
#[cfg(target_os = "linux")]
const LARGEST_RANGE: usize = 8 * 1024 * 1024;

/// The tables are in the heap, which has more than this.
#[cfg(target_os = "linux")]
const SMALLEST_RANGE: usize = 128 * 1024;

#[cfg(target_os = "linux")]
const PAGE: usize = 4096;

/// Kernels of arm64 may have larger pages, of which one would be dropped for the zeros in a part of it.
#[cfg(target_os = "linux")]
fn has_known_pages() -> bool {
    // SAFETY: asks for a number, and touches no memory.
    usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }) == Ok(PAGE)
}

/// The range of a line of /proc/self/maps, if it is private, writable memory without a name.
#[cfg(target_os = "linux")]
fn anonymous_range(line: &str) -> Option<(usize, usize)> {
    let mut fields = line.split_ascii_whitespace();
    let (start, end) = fields.next()?.split_once('-')?;
    let is_plain = fields.next()? == "rw-p" && fields.nth(1)? == "00:00";
    // The inode follows; a name, such as [stack] or [heap], would come after it.
    let is_nameless = fields.next()? == "0" && fields.next().is_none();
    let start = usize::from_str_radix(start, 16).ok()?;
    let end = usize::from_str_radix(end, 16).ok()?;
    let is_heap = (SMALLEST_RANGE..=LARGEST_RANGE).contains(&(end - start));
    (is_plain && is_nameless && is_heap).then_some((start, end))
}

#[cfg(target_os = "linux")]
fn give_back_range(start: usize, end: usize) -> usize {
    let mut dropped = 0;
    let mut run_start = start;
    // One page more than there are ends the last run.
    let resident = resident_pages(start, end).into_iter().chain([false]);
    for (page, is_resident) in (start..).step_by(PAGE).zip(resident) {
        if is_resident && is_zero(page) {
            continue;
        }
        if page > run_start {
            dropped += drop_pages(run_start, page);
        }
        run_start = page + PAGE;
    }
    dropped
}

/// Which pages are there at all: looking at the others would make the kernel map them.
#[cfg(target_os = "linux")]
fn resident_pages(start: usize, end: usize) -> Vec<bool> {
    let mut pages = vec![0_u8; (end - start).div_ceil(PAGE)];
    let address = std::ptr::with_exposed_provenance_mut(start);
    // SAFETY: a mapped range, and one byte for each of its pages.
    let result = unsafe { libc::mincore(address, end - start, pages.as_mut_ptr()) };
    pages
        .iter()
        .map(|page| result == 0 && page & 1 == 1)
        .collect()
}

#[cfg(target_os = "linux")]
fn is_zero(page: usize) -> bool {
    let words = std::ptr::with_exposed_provenance::<u64>(page);
    // SAFETY: the page is mapped and readable, as the kernel has just said, and the only thread is
    // here. Volatile, since its owner is another part of the program.
    (0..PAGE / 8).all(|word| unsafe { words.add(word).read_volatile() } == 0)
}

#[cfg(target_os = "linux")]
fn drop_pages(start: usize, end: usize) -> usize {
    let address = std::ptr::with_exposed_provenance_mut(start);
    // SAFETY: the pages are private, anonymous and full of zeros; afterwards they read as before.
    let result = unsafe { libc::madvise(address, end - start, libc::MADV_DONTNEED) };
    if result == 0 { end - start } else { 0 }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::{PAGE, anonymous_range, give_back_range};

    #[test]
    fn reads_the_kernels_list() {
        let range = |line| anonymous_range(line);
        assert_eq!(
            range("1000-31000 rw-p 00000000 00:00 0 "),
            Some((0x1000, 0x31000))
        );
        for line in [
            "1000-31000 r--p 00000000 00:00 0 ",
            "1000-31000 rw-s 00000000 00:00 0 ",
            "1000-31000 rw-p 00000000 fe:00 7 /lib/x",
            "1000-31000 rw-p 00000000 00:00 0 [stack]",
            "1000-3000 rw-p 00000000 00:00 0 ",
            "1000-9000000 rw-p 00000000 00:00 0 ",
            "",
        ] {
            assert_eq!(range(line), None, "{line}");
        }
    }

    #[test]
    fn contents_stay() {
        let mut memory = vec![0_u8; 16 * PAGE];
        let start = memory.as_ptr().addr().next_multiple_of(PAGE);
        let offset = start - memory.as_ptr().addr();
        memory.fill(0);
        memory[offset + 5 * PAGE + 100] = 7;
        let before = memory.clone();
        memory.as_mut_ptr().expose_provenance();
        assert_eq!(give_back_range(start, start + 12 * PAGE), 11 * PAGE);
        assert_eq!(memory, before);
    }
}
