//! The kernel's side of the mod runner's isolation.
//!
//! The runner executes code that nobody vouches for. V8 is the first wall; this crate is the second: a
//! process that has entered it can compute, sleep, take random bytes, read its standard input and write its
//! standard output and error, and nothing else, whatever the code inside it manages to do.
//!
//! Two calls, in this order:
//!
//! 1. [`prepare_process`] first in `main`, before V8: what must hold from the start.
//! 2. [`enforce_around`] (or [`enforce`] in a process of one thread) last, when everything that has to be
//!    opened, mapped or asked for has been.
//!
//! ```no_run
//! use codex_js_sandbox::{Options, enforce_around, prepare_process};
//!
//! # fn main() -> Result<(), codex_js_sandbox::Error> {
//! let options = Options::default();
//! prepare_process(&options)?;
//! // V8, the isolate, ICU, the time zone, …
//! let (enforced, _watchdog) = enforce_around(&options, || std::thread::spawn(|| ()))?;
//! println!("{}", serde_json::to_string(&enforced).unwrap());
//! # Ok(())
//! # }
//! ```

mod error;
mod options;
mod report;

#[cfg(unix)]
mod unix;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
use linux as platform;

#[cfg(target_os = "macos")]
mod macos;
#[cfg(target_os = "macos")]
use macos as platform;

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
mod unsupported;
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
use unsupported as platform;

pub use error::Error;
#[cfg(target_os = "linux")]
pub use linux::seccomp::policy::{ListedCall, Verdict, listed_calls};
pub use options::{Mode, Options, UnlistedCalls};
pub use report::{Enforced, Landlock, LandlockStatus, Limits, Prepared, Seccomp};

/// Does what must hold before anything else runs: closes inherited descriptors above 2, ties the process's
/// life to its host's, leaves the host's session, makes it undumpable and sets the first resource limits.
///
/// Call it first in `main`: it closes every descriptor above 2, whoever thinks to own it, and threads
/// started earlier would keep what was decided before it.
///
/// # Errors
///
/// [`Error::HostGone`] when the host has ended already, [`Error::Kernel`] when a call fails that every
/// supported kernel has, [`Error::UnsupportedPlatform`] where there is no sandbox to enter and the mode is not
/// [`Mode::Off`].
pub fn prepare_process(options: &Options) -> Result<Prepared, Error> {
    platform::prepare_process(options)
}

/// [`enforce_around`] for a process that starts no thread of its own.
///
/// # Errors
///
/// As [`enforce_around`].
pub fn enforce(options: &Options) -> Result<Enforced, Error> {
    enforce_around(options, || ()).map(|(enforced, ())| enforced)
}

/// Closes the sandbox around the calling process, for good, and reports what the kernel now enforces.
///
/// `start_threads` runs when the file system is already out of reach and before system calls are filtered:
/// threads that it starts are inside from their first instruction. Threads cannot be started afterwards.
/// Up to Landlock ABI 7 (Linux 6.18) Landlock reaches only the calling thread and those it starts later;
/// that is why threads belong in here and not before.
///
/// # Errors
///
/// With [`Mode::Require`], whatever is missing: [`Error::LandlockUnavailable`],
/// [`Error::SeccompUnavailable`], [`Error::ThreadsOutsideLandlock`], [`Error::ProfileRefused`]. In every mode
/// but [`Mode::Off`]: [`Error::UnsupportedPlatform`], and [`Error::Kernel`] and [`Error::NotEnforced`] when
/// the kernel has the means and refuses or ignores them. After an error the process may be closed in part: report it and exit.
pub fn enforce_around<T>(
    options: &Options,
    start_threads: impl FnOnce() -> T,
) -> Result<(Enforced, T), Error> {
    platform::enforce_around(options, start_threads)
}
