//! The switches of prctl(2).

use crate::Error;

/// The kernel kills this process when the thread that started it ends. For a host that starts runners from
/// a worker thread, that is the end of the worker, not of the host.
pub(crate) fn die_with_parent() -> Result<(), Error> {
    set("prctl PR_SET_PDEATHSIG", libc::PR_SET_PDEATHSIG, libc::SIGKILL as libc::c_ulong)
}

/// No core files, no tracing, no reading of this memory by processes of the same user.
pub(crate) fn forbid_dumps() -> Result<(), Error> {
    set("prctl PR_SET_DUMPABLE", libc::PR_SET_DUMPABLE, 0)
}

pub(crate) fn forbid_new_privileges() -> Result<(), Error> {
    set("prctl PR_SET_NO_NEW_PRIVS", libc::PR_SET_NO_NEW_PRIVS, 1)
}

pub(crate) fn is_dumpable() -> Result<bool, Error> {
    get("prctl PR_GET_DUMPABLE", libc::PR_GET_DUMPABLE)
}

pub(crate) fn has_no_new_privileges() -> Result<bool, Error> {
    get("prctl PR_GET_NO_NEW_PRIVS", libc::PR_GET_NO_NEW_PRIVS)
}

const UNUSED: libc::c_ulong = 0;

fn set(call: &'static str, operation: libc::c_int, value: libc::c_ulong) -> Result<(), Error> {
    // SAFETY: the operations above take numbers only.
    if unsafe { libc::prctl(operation, value, UNUSED, UNUSED, UNUSED) } != 0 {
        return Err(Error::last_os(call));
    }
    Ok(())
}

fn get(call: &'static str, operation: libc::c_int) -> Result<bool, Error> {
    // SAFETY: the operations above return their value and take no pointers.
    let value = unsafe { libc::prctl(operation, UNUSED, UNUSED, UNUSED, UNUSED) };
    if value < 0 { Err(Error::last_os(call)) } else { Ok(value != 0) }
}
