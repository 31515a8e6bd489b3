//! The ways in which the runner ends; `protocol/codes.json` says what a host makes of them.

pub const OK: i32 = 0;
/// The self-test found a fault.
pub const FAILED: i32 = 1;
pub const USAGE: i32 = 2;
pub const PROTOCOL: i32 = 3;
pub const SANDBOX: i32 = 4;
/// A callback past its budget could not be interrupted.
pub const UNRESPONSIVE: i32 = 70;
/// The runner ended itself after an answer, since its stack had overflowed.
pub const STACK_OVERFLOW: i32 = 71;
/// As a process that aborts, seen by a shell.
pub const OUT_OF_MEMORY: i32 = 134;

/// Ends the process at once. Not `exit`: tearing down an isolate with live handles crashes, and
/// destructors have nothing to save here.
pub fn exit_now(code: i32) -> ! {
    // SAFETY: takes a number and does not return.
    unsafe { libc::_exit(code) }
}
