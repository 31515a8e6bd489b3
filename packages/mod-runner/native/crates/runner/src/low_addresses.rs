//! Leaves the lowest four gigabytes to V8.
//!
//! Small integers that are taken for pointers point there, so V8 wants them unreachable. The
//! allocator in its library has reserved them already, for a reason of the same kind, and V8 tries
//! 257 places before it gives up: three system calls each, a fifth of a start, and a sandbox that
//! V8 itself calls insecure. With the reservation gone V8 makes its own.

#[cfg(target_os = "linux")]
use std::{fs::File, io::Read};

/// Frees the allocator's reservation; V8 has to be started next.
#[cfg(target_os = "linux")]
pub fn leave_to_v8() {
    let Some((start, end)) = lowest_mapping().as_deref().and_then(reservation) else {
        return;
    };
    let address = std::ptr::with_exposed_provenance_mut(start);
    // SAFETY: memory that nobody may access, so nobody holds a reference into it; the only thread
    // is here, and the next thing that it does is to let V8 reserve the same range.
    unsafe { libc::munmap(address, end - start) };
}

/// The first line of /proc/self/maps, which is about the lowest mapping. The kernel writes as many lines as a
/// read has room for, and each takes its time.
#[cfg(target_os = "linux")]
fn lowest_mapping() -> Option<String> {
    let mut start = [0; 128];
    let length = File::open("/proc/self/maps")
        .and_then(|mut maps| maps.read(&mut start))
        .ok()?;
    let text = str::from_utf8(start.get(..length)?).ok()?;
    text.lines().next().map(str::to_owned)
}

/// Not known to be so elsewhere.
#[cfg(not(target_os = "linux"))]
pub fn leave_to_v8() {}

/// The range of a line of /proc/self/maps, if it is inaccessible and covers the low addresses.
#[cfg(target_os = "linux")]
fn reservation(line: &str) -> Option<(usize, usize)> {
    const FOUR_GIGABYTES: usize = 1 << 32;
    const ONE_MEGABYTE: usize = 1 << 20;
    let mut fields = line.split_ascii_whitespace();
    let (start, end) = fields.next()?.split_once('-')?;
    let is_inaccessible = fields.next()? == "---p";
    let start = usize::from_str_radix(start, 16).ok()?;
    let end = usize::from_str_radix(end, 16).ok()?;
    (is_inaccessible && start <= ONE_MEGABYTE && end >= FOUR_GIGABYTES).then_some((start, end))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::reservation;

    #[test]
    fn finds_the_reservation_and_nothing_else() {
        let found = reservation("00010000-1000fa000 ---p 00000000 00:00 0 ");
        assert_eq!(found, Some((0x10000, 0x1_000f_a000)));
        for line in [
            "00400000-1000fa000 ---p 00000000 00:00 0 ",
            "00010000-1000fa000 rw-p 00000000 00:00 0 ",
            "00010000-000fa000 ---p 00000000 00:00 0 ",
            "",
        ] {
            assert_eq!(reservation(line), None, "{line}");
        }
    }
}
