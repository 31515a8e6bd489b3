//! Resource limits. Never `RLIMIT_AS`: V8 reserves address space by the terabyte and uses little of it.

use crate::{Error, Limits, Options};

#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) type Resource = libc::__rlimit_resource_t;
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) type Resource = libc::c_int;

struct Limit {
    call: &'static str,
    resource: Resource,
    value: u64,
}

macro_rules! limit {
    ($resource:ident, $value:expr) => {
        Limit { call: concat!("setrlimit ", stringify!($resource)), resource: libc::$resource, value: $value }
    };
}

/// What a redirected output file may grow to. No file can be opened; one that the host put behind
/// descriptor 1 or 2 must not fill the disk, and must hold an error message.
const OUTPUT_FILE_BYTES: u64 = 64 * 1024 * 1024;

/// Enough for what V8 and ICU open one at a time while they start.
const OPEN_FILES_AT_START: u64 = 64;

/// The three standard descriptors.
const OPEN_FILES_INSIDE: u64 = 3;

/// Limits that hold from the start.
pub(crate) fn limit_at_start(options: &Options) -> Result<(), Error> {
    let mut limits = vec![
        limit!(RLIMIT_DATA, options.data_limit_bytes),
        limit!(RLIMIT_FSIZE, OUTPUT_FILE_BYTES),
        limit!(RLIMIT_NOFILE, OPEN_FILES_AT_START),
        // Locked pages cannot be reclaimed by the system.
        limit!(RLIMIT_MEMLOCK, 0),
    ];
    if options.mode != crate::Mode::Off {
        // A core file would hold the mod's data, and the host's.
        limits.push(limit!(RLIMIT_CORE, 0));
    }
    limits.iter().try_for_each(lower)
}

/// Limits that would get in the way of starting up.
pub(crate) fn limit_inside() -> Result<(), Error> {
    [
        limit!(RLIMIT_NOFILE, OPEN_FILES_INSIDE),
        // Neither processes nor threads; the kernel asks this of ordinary users, not of root.
        limit!(RLIMIT_NPROC, 0),
    ]
    .iter()
    .try_for_each(lower)
}

/// Lowers the soft and the hard limit: what is hard cannot be raised again. A limit that the host has set
/// lower stays.
fn lower(limit: &Limit) -> Result<(), Error> {
    let current = read(limit.resource)?;
    let value = limit.value.min(current.rlim_max);
    let lowered = libc::rlimit { rlim_cur: value.min(current.rlim_cur), rlim_max: value };
    // SAFETY: `lowered` is a valid rlimit for the length of the call.
    if unsafe { libc::setrlimit(limit.resource, &lowered) } != 0 {
        return Err(Error::last_os(limit.call));
    }
    Ok(())
}

fn read(resource: Resource) -> Result<libc::rlimit, Error> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: `limit` is a valid place for an rlimit for the length of the call.
    if unsafe { libc::getrlimit(resource, &mut limit) } != 0 {
        return Err(Error::last_os("getrlimit"));
    }
    Ok(limit)
}

/// Reads the limits in force back from the kernel.
pub(crate) fn read_limits() -> Result<Limits, Error> {
    Ok(Limits {
        core_bytes: value(libc::RLIMIT_CORE)?,
        data_bytes: value(libc::RLIMIT_DATA)?,
        file_size_bytes: value(libc::RLIMIT_FSIZE)?,
        locked_bytes: value(libc::RLIMIT_MEMLOCK)?,
        open_files: value(libc::RLIMIT_NOFILE)?,
        processes: value(libc::RLIMIT_NPROC)?,
    })
}

fn value(resource: Resource) -> Result<Option<u64>, Error> {
    let soft = read(resource)?.rlim_cur;
    Ok((soft != libc::RLIM_INFINITY).then_some(soft))
}
