//! Descriptors above the standard three.

use std::fs;

const FIRST_EXTRA: u32 = 3;

/// Closes every descriptor above 2 and returns how many there were, where they can be listed.
pub(crate) fn close_inherited() -> Option<u32> {
    let extra = list_extra();
    match &extra {
        Some(listed) => listed.iter().copied().for_each(close),
        None => (FIRST_EXTRA..table_size()).for_each(close),
    }
    extra.and_then(|listed| u32::try_from(listed.len()).ok())
}

/// Lists the open descriptors above 2.
pub(crate) fn list_extra() -> Option<Vec<u32>> {
    let listed: Vec<u32> = fs::read_dir("/dev/fd")
        .ok()?
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .collect();
    // The listing's own descriptor is in the list and closed by now.
    Some(listed.into_iter().filter(|&number| number >= FIRST_EXTRA && is_open(number)).collect())
}

fn is_open(descriptor: u32) -> bool {
    // SAFETY: F_GETFD only reads the descriptor's flags.
    unsafe { libc::fcntl(descriptor.cast_signed(), libc::F_GETFD) != -1 }
}

fn close(descriptor: u32) {
    // SAFETY: the caller's contract (first in main) is that nobody owns a descriptor above 2.
    unsafe { libc::close(descriptor.cast_signed()) };
}

fn table_size() -> u32 {
    // SAFETY: takes no arguments and touches no memory.
    unsafe { libc::getdtablesize() }.unsigned_abs()
}
