//! Descriptors above the standard three.

use std::fs;

use crate::Error;

const FIRST_EXTRA: u32 = 3;

/// Closes every descriptor above 2; returns how many there were where it had to list them.
pub(crate) fn close_inherited() -> Result<Option<u32>, Error> {
    // SAFETY: the caller's contract (first in main) is that nobody owns a descriptor above 2.
    if unsafe { libc::syscall(libc::SYS_close_range, FIRST_EXTRA, u32::MAX, 0) } == 0 {
        return Ok(None);
    }
    // Before Linux 5.9, or behind a container policy that does not know the call.
    let Some(extra) = list_extra() else {
        return Err(Error::last_os("close_range"));
    };
    for descriptor in &extra {
        // SAFETY: as above.
        unsafe { libc::close(descriptor.cast_signed()) };
    }
    Ok(u32::try_from(extra.len()).ok())
}

/// Lists the open descriptors above 2; `None` without /proc.
pub(crate) fn list_extra() -> Option<Vec<u32>> {
    let listed: Vec<u32> = fs::read_dir("/proc/self/fd")
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
