//! Tries what the sandbox must deny, from inside it and, as the check of the check, from outside.
//!
//! ```text
//! kernel-probe [--baseline] [--jit] [--unlisted-kill] [--only PROBE]   one JSON line per probe
//! kernel-probe --list                          the probes, and who can do them without the sandbox
//! kernel-probe --policy                        the system calls the filter names, with their reasons
//! kernel-probe --hold [--mode MODE] [--host-pid PID]
//!                                              enters the sandbox, says so, waits for the end of its input
//! kernel-probe --fill BYTES                    fills memory under a limit, says how far it got
//! ```
//!
//! Exit codes: 0, 1 when the sandbox let something through or the sandbox is not there, 2 usage.

#[cfg(target_os = "linux")]
mod arguments;
#[cfg(target_os = "linux")]
mod attempt;
#[cfg(target_os = "linux")]
mod child;
#[cfg(target_os = "linux")]
mod commands;
#[cfg(target_os = "linux")]
mod driver;
#[cfg(target_os = "linux")]
mod probe;
#[cfg(target_os = "linux")]
mod probes;
#[cfg(target_os = "linux")]
mod scene;

use std::process::ExitCode;

#[cfg(target_os = "linux")]
fn main() -> ExitCode {
    commands::run(std::env::args().skip(1).collect())
}

#[cfg(not(target_os = "linux"))]
fn main() -> ExitCode {
    eprintln!("the kernel probes are Linux system calls; there are none for {}", std::env::consts::OS);
    ExitCode::from(2)
}
