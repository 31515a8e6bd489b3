use std::str::FromStr;

use serde::Serialize;

/// How much of the sandbox there must be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// All of it, or an error. The default: a runner without a sandbox must not look like one with it.
    #[default]
    Require,
    /// What the kernel has; the report says what is missing.
    BestEffort,
    /// No Landlock, no seccomp, no Seatbelt, and the process can be dumped and debugged. Descriptors,
    /// the host's death and the memory limit are still seen to.
    Off,
}

impl FromStr for Mode {
    type Err = UnknownMode;

    fn from_str(name: &str) -> Result<Self, UnknownMode> {
        match name {
            "require" => Ok(Self::Require),
            "best-effort" => Ok(Self::BestEffort),
            "off" => Ok(Self::Off),
            _ => Err(UnknownMode),
        }
    }
}

/// The name is none of `require`, `best-effort` and `off`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownMode;

impl std::fmt::Display for UnknownMode {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("expected require, best-effort or off")
    }
}

impl std::error::Error for UnknownMode {}

/// What a system call gets that no list names. Linux only.
///
/// A later libc or V8 may try a call that is newer than the lists. Its fallback for kernels that lack the
/// call is the right answer then, so the call fails with `ENOSYS`: as safe as killing, since the call does
/// not happen, and a libc update does not take every runner down. Tests kill instead: the lists are
/// complete for what is linked today, and a gap must be seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnlistedCalls {
    /// It fails with `ENOSYS`.
    #[default]
    Refuse,
    /// It ends the process with `SIGSYS`.
    Kill,
}

/// What to enforce.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    pub mode: Mode,
    /// Whether V8 compiles to machine code. Without it, no memory can be made executable any more.
    pub jit: bool,
    /// What the process may have in writable private memory, in bytes of address space: `RLIMIT_DATA`. It
    /// covers V8's heap, array buffers and everything malloc hands out. With `jit` V8's code range counts
    /// too, up to 128 MiB at once. Default 256 MiB.
    pub data_limit_bytes: u64,
    /// The host's process id as the host itself has handed it over. With it, a host that ended before
    /// [`prepare_process`](crate::prepare_process) ran is noticed in every case; without it, only one that
    /// ended meanwhile.
    pub host_pid: Option<u32>,
    pub unlisted_calls: UnlistedCalls,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            mode: Mode::Require,
            jit: false,
            data_limit_bytes: 256 * 1024 * 1024,
            host_pid: None,
            unlisted_calls: UnlistedCalls::Refuse,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mode_is_read_by_the_name_it_is_reported_by() {
        for mode in [Mode::Require, Mode::BestEffort, Mode::Off] {
            let name = serde_json::to_value(mode).unwrap();
            assert_eq!(name.as_str().unwrap().parse(), Ok(mode));
        }
        assert_eq!("Require".parse::<Mode>(), Err(UnknownMode));
    }
}
