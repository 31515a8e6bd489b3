//! Other programs.

use std::ffi::{CStr, CString};
use std::os::unix::ffi::OsStringExt;

use super::files::open;
use crate::attempt::{Attempt, arg, call};
use crate::probe::Baseline::AnyUser;
use crate::probe::{Held, Probe};

pub fn probes() -> Vec<Probe> {
    vec![
        Probe::new("execve", AnyUser, |_, held| execve(held)).after(|_| own_path()),
        Probe::new("execveat-descriptor", AnyUser, |_, held| execveat(held))
            .after(|_| open("/proc/self/exe")),
        Probe::new("memfd-create", AnyUser, |_, _| call(libc::SYS_memfd_create, [c"x".as_ptr().addr(), 0])),
    ]
}

/// The C string of this program's path, for good.
fn own_path() -> Held {
    let path = std::env::current_exe().expect("known before the sandbox closes");
    let path = CString::new(path.into_os_string().into_vec()).expect("a path has no NUL");
    path.into_raw().expose_provenance()
}

/// What this program is executed as: with an argument to report that it runs.
fn argument_vector() -> [*const libc::c_char; 3] {
    [c"kernel-probe".as_ptr(), c"--executed".as_ptr(), std::ptr::null()]
}

fn execve(path: Held) -> Attempt {
    let (arguments, environment) = (argument_vector(), [std::ptr::null::<libc::c_char>()]);
    call(libc::SYS_execve, [path, arguments.as_ptr().addr(), environment.as_ptr().addr()])
}

fn execveat(descriptor: Held) -> Attempt {
    const EMPTY: &CStr = c"";
    let (arguments, environment) = (argument_vector(), [std::ptr::null::<libc::c_char>()]);
    call(
        libc::SYS_execveat,
        [
            descriptor,
            EMPTY.as_ptr().addr(),
            arguments.as_ptr().addr(),
            environment.as_ptr().addr(),
            arg(libc::AT_EMPTY_PATH),
        ],
    )
}
