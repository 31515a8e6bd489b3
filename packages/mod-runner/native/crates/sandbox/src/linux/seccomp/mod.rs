//! The system call filter.
//!
//! Two programs, of which the kernel takes the stricter answer:
//!
//! - by arguments ([`restrictions`]): `EPERM` for some uses of calls that are allowed otherwise;
//! - by number ([`policy`]): let through, `EPERM`, `ENOSYS`, or kill; [`UnlistedCalls`](crate::UnlistedCalls)
//!   for the numbers in no list; kill for calls of another architecture or ABI (i386 and x32 on x86_64).

mod install;
pub(crate) mod policy;
mod programs;
mod restrictions;

use std::io;

use crate::{Error, Mode, Options, Seccomp};

/// Whether to filter on a kernel that lacks `missing`.
pub(crate) fn judge(mode: Mode, missing: Option<&'static str>) -> Result<bool, Error> {
    match (mode, missing) {
        (Mode::Off, _) => Ok(false),
        (_, None) => Ok(true),
        (Mode::BestEffort, Some(_)) => Ok(false),
        (Mode::Require, Some(missing)) => Err(Error::SeccompUnavailable { missing }),
    }
}

/// What the filter needs and the kernel lacks.
pub(crate) fn missing_action() -> Option<&'static str> {
    [
        (libc::SECCOMP_RET_KILL_PROCESS, "seccomp's action to kill a process"),
        (libc::SECCOMP_RET_ERRNO, "seccomp's action to fail a call"),
    ]
    .into_iter()
    .find_map(|(action, name)| (!install::has_action(action)).then_some(name))
}

/// Filters the calls of all threads, and checks that the filter is there. `no_new_privs` must be set.
pub(crate) fn enter(options: &Options) -> Result<Seccomp, Error> {
    let programs = programs::compile(options.jit, options.unlisted_calls, std::process::id())?;
    for program in &programs {
        install::install_on_all_threads(program)?;
    }
    check_enforced()?;
    Ok(Seccomp {
        filters: u32::try_from(programs.len()).unwrap_or(u32::MAX),
        unlisted_calls: options.unlisted_calls,
    })
}

/// A call that every kernel answers must be refused now.
fn check_enforced() -> Result<(), Error> {
    // SAFETY: asks for a flag of this process, takes no pointers.
    let answer = unsafe { libc::prctl(libc::PR_GET_DUMPABLE, 0, 0, 0, 0) };
    let error = io::Error::last_os_error();
    if answer == -1 && error.raw_os_error() == Some(libc::EPERM) {
        return Ok(());
    }
    let observed = if answer == -1 { error.to_string() } else { format!("prctl answers {answer}") };
    Err(Error::NotEnforced { what: "seccomp", observed })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn require_fails_closed_without_seccomp() {
        let error = judge(Mode::Require, Some("an action")).unwrap_err();
        assert_eq!(error.code(), "CODEX_JS_SANDBOX_SECCOMP_UNAVAILABLE");
        assert_eq!(error.to_string(), "the kernel lacks an action");
        assert!(!judge(Mode::BestEffort, Some("an action")).unwrap());
        assert!(judge(Mode::Require, None).unwrap());
        assert!(!judge(Mode::Off, None).unwrap());
    }

    #[test]
    fn this_kernel_has_what_the_filter_needs() {
        assert_eq!(missing_action(), None);
    }
}
