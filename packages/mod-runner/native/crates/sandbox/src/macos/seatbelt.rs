//! Seatbelt: a profile that denies by default, entered through `sandbox_init`. Deprecated in Apple's headers
//! since 10.8 and what Chromium, Bazel and Nix use to this day: there is no other way to give up rights from
//! inside a process that is no app.

use std::ffi::{CStr, CString, c_char, c_int};
use std::fs;

use crate::Error;

unsafe extern "C" {
    fn sandbox_init(profile: *const c_char, flags: u64, error: *mut *mut c_char) -> c_int;
    fn sandbox_free_error(error: *mut c_char);
}

/// The profile is the text itself, not the name of one that ships with the system.
const PROFILE_IS_TEXT: u64 = 0;

/// What the code inside may ask the kernel for. Reading and writing open descriptors, memory, threads, time
/// and random bytes are not mediated by Seatbelt.
const DENY_ALL: &str = "\
(version 1)
(deny default)
; abort() signals the process itself
(allow signal (target self))
";

/// V8 maps pages with MAP_JIT. Under the hardened runtime the binary also needs the entitlement
/// com.apple.security.cs.allow-jit.
const ALLOW_JIT: &str = "(allow dynamic-code-generation)\n";

pub(crate) fn profile(jit: bool) -> String {
    if jit { format!("{DENY_ALL}{ALLOW_JIT}") } else { DENY_ALL.to_owned() }
}

pub(crate) fn enter(jit: bool) -> Result<(), Error> {
    let profile = CString::new(profile(jit)).expect("the profile has no NUL");
    let mut reason: *mut c_char = std::ptr::null_mut();
    // SAFETY: the profile is NUL-terminated and lives until the call returns; `reason` is a valid place for
    // a pointer.
    if unsafe { sandbox_init(profile.as_ptr(), PROFILE_IS_TEXT, &mut reason) } == 0 {
        return Ok(());
    }
    Err(Error::ProfileRefused { reason: take_reason(reason) })
}

fn take_reason(reason: *mut c_char) -> String {
    if reason.is_null() {
        return "no reason given".to_owned();
    }
    // SAFETY: sandbox_init has set it to a NUL-terminated string that is ours to free, once, after the copy.
    unsafe {
        let text = CStr::from_ptr(reason).to_string_lossy().into_owned();
        sandbox_free_error(reason);
        text
    }
}

/// A directory that everybody may read must be out of reach now.
pub(crate) fn check_enforced() -> Result<(), Error> {
    match fs::read_dir("/") {
        Err(error) if error.raw_os_error() == Some(libc::EPERM) => Ok(()),
        Err(error) => Err(Error::NotEnforced {
            what: "the Seatbelt profile",
            observed: format!("opening / gives {error}"),
        }),
        Ok(_) => Err(Error::NotEnforced {
            what: "the Seatbelt profile",
            observed: "opening / succeeds".to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_jit_may_make_code() {
        assert!(!profile(false).contains("dynamic-code-generation"));
        assert!(profile(true).contains("(allow dynamic-code-generation)"));
        assert!(profile(true).starts_with("(version 1)\n(deny default)\n"));
    }
}
