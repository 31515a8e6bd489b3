use crate::Error;

/// The parent's process id; 0 when the parent is in another PID namespace.
pub(crate) fn parent_pid() -> u32 {
    // SAFETY: takes no arguments, cannot fail.
    unsafe { libc::getppid() }.unsigned_abs()
}

/// Whether the parent is still who it was.
///
/// `at_start` was read before the kernel was told to pass on the host's death: a host that ended between
/// the two has changed the parent, and no signal will ever come for it. A host that ended before
/// `at_start` was read is noticed only by the id that it has handed over.
pub(crate) fn check_host(expected: Option<u32>, at_start: u32, now: u32) -> Result<(), Error> {
    match expected {
        // Seen from another PID namespace the parent has no id to compare.
        Some(pid) if now != 0 && pid != now => {
            Err(Error::HostGone { expected_pid: Some(pid), parent_pid: now })
        }
        _ if at_start != now => Err(Error::HostGone { expected_pid: None, parent_pid: now }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_that_ended_before_or_meanwhile_is_noticed() {
        assert!(check_host(None, 10, 10).is_ok());
        assert!(check_host(Some(10), 10, 10).is_ok());
        assert!(check_host(Some(10), 0, 0).is_ok());
        assert!(matches!(
            check_host(Some(10), 1, 1),
            Err(Error::HostGone { expected_pid: Some(10), parent_pid: 1 })
        ));
        assert!(matches!(
            check_host(None, 10, 1),
            Err(Error::HostGone { expected_pid: None, parent_pid: 1 })
        ));
        assert!(matches!(check_host(Some(10), 10, 1), Err(Error::HostGone { .. })));
    }
}
