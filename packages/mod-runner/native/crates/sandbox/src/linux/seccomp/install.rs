use std::io;

use seccompiler::BpfProgram;

use crate::Error;

/// Whether the kernel knows a filter action.
pub(super) fn has_action(action: u32) -> bool {
    // SAFETY: `action` is a valid u32 for the length of the call.
    let answer =
        unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_ACTION_AVAIL, 0, &raw const action) };
    answer == 0
}

/// Adds a program to the filter of every thread.
///
/// seccompiler has this too, with a prctl call before each program: a program that follows the one which
/// refuses prctl could not be installed.
pub(super) fn install_on_all_threads(program: &BpfProgram) -> Result<(), Error> {
    let header = libc::sock_fprog {
        len: u16::try_from(program.len()).expect("seccompiler bounds a program to 4096 instructions"),
        // seccompiler's sock_filter has the C layout of libc's. The kernel only reads it.
        filter: program.as_ptr().cast::<libc::sock_filter>().cast_mut(),
    };
    // SAFETY: `header` and the program that it points to live until the call returns; the kernel copies
    // both.
    let answer = unsafe {
        libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_SET_MODE_FILTER,
            libc::SECCOMP_FILTER_FLAG_TSYNC,
            &raw const header,
        )
    };
    match answer {
        0 => Ok(()),
        -1 => Err(Error::last_os("seccomp")),
        // The id of a thread whose filters are not ours.
        thread => Err(Error::Kernel {
            call: "seccomp",
            source: io::Error::other(format!("thread {thread} is under another filter")),
        }),
    }
}
