/// Leaves the host's session: no terminal to type into, no signals meant for the host's group. Returns
/// whether the process is now in a session of its own, which it also is when its host made it one.
pub(crate) fn leave_session() -> bool {
    // SAFETY: takes no arguments and touches no memory.
    let session = unsafe { libc::setsid() };
    // SAFETY: as above; 0 means the calling process.
    session >= 0 || unsafe { libc::getsid(0) == libc::getpid() }
}

/// Nothing can be created once the sandbox is closed; this is for what happens before.
pub(crate) fn restrict_umask() {
    // SAFETY: sets a number in the kernel; cannot fail.
    unsafe { libc::umask(0o077) };
}
