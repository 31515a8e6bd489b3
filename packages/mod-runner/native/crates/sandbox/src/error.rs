use std::{fmt, io};

/// Why the sandbox is not there. Every variant has a stable [`code`](Error::code) and a
/// [`hint`](Error::hint) with one remedy.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The host ended before the runner had tied its life to it.
    HostGone { expected_pid: Option<u32>, parent_pid: u32 },
    /// A call failed that every supported kernel has.
    Kernel { call: &'static str, source: io::Error },
    /// The kernel has no Landlock, or was booted without it.
    LandlockUnavailable { booted_without: bool },
    /// Threads were started before the sandbox, and this kernel's Landlock does not reach them.
    ThreadsOutsideLandlock { threads: u32, kernel_abi: i32 },
    /// The kernel does not filter system calls, or lacks an action that the filter needs.
    SeccompUnavailable { missing: &'static str },
    /// The kernel took it and does not enforce it.
    NotEnforced { what: &'static str, observed: String },
    /// The profile was refused. macOS.
    ProfileRefused { reason: String },
    /// There is no sandbox for this operating system.
    UnsupportedPlatform { os: &'static str },
}

impl Error {
    pub(crate) fn last_os(call: &'static str) -> Self {
        Self::Kernel { call, source: io::Error::last_os_error() }
    }

    /// The stable code, `CODEX_JS_SANDBOX_…`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::HostGone { .. } => "CODEX_JS_SANDBOX_HOST_GONE",
            Self::Kernel { .. } => "CODEX_JS_SANDBOX_CALL_FAILED",
            Self::LandlockUnavailable { .. } => "CODEX_JS_SANDBOX_LANDLOCK_UNAVAILABLE",
            Self::ThreadsOutsideLandlock { .. } => "CODEX_JS_SANDBOX_THREADS_OUTSIDE",
            Self::SeccompUnavailable { .. } => "CODEX_JS_SANDBOX_SECCOMP_UNAVAILABLE",
            Self::NotEnforced { .. } => "CODEX_JS_SANDBOX_NOT_ENFORCED",
            Self::ProfileRefused { .. } => "CODEX_JS_SANDBOX_PROFILE_REFUSED",
            Self::UnsupportedPlatform { .. } => "CODEX_JS_SANDBOX_UNSUPPORTED_PLATFORM",
        }
    }

    /// One remedy.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::HostGone { .. } => "nothing is left to do for this runner: exit",
            Self::Kernel { .. } => {
                "see which limit or policy of the container or service manager forbids the call"
            }
            Self::LandlockUnavailable { booted_without: true } => {
                "add landlock to the kernel's lsm= boot parameter, or run with the sandbox mode best-effort"
            }
            Self::LandlockUnavailable { booted_without: false } => {
                "use Linux 5.13 or newer with CONFIG_SECURITY_LANDLOCK, and a container policy that lets \
                 the landlock calls through, or run with the sandbox mode best-effort"
            }
            Self::ThreadsOutsideLandlock { .. } => "start the threads inside enforce_around",
            Self::SeccompUnavailable { .. } => {
                "use Linux 4.14 or newer with CONFIG_SECCOMP_FILTER, or run with the sandbox mode best-effort"
            }
            Self::NotEnforced { .. } => {
                "do not run mods here: something between the runner and the kernel answers for the kernel"
            }
            Self::ProfileRefused { .. } => {
                "start the runner outside another sandbox, or run with the sandbox mode best-effort"
            }
            Self::UnsupportedPlatform { .. } => "run mods on Linux or macOS, or with the sandbox mode off",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::HostGone { expected_pid: Some(expected), parent_pid } => {
                write!(
                    formatter,
                    "the host (process {expected}) has ended: the parent is process {parent_pid}"
                )
            }
            Self::HostGone { expected_pid: None, parent_pid } => {
                write!(formatter, "the host ended meanwhile: the parent is now process {parent_pid}")
            }
            Self::Kernel { call, source } => write!(formatter, "{call} failed: {source}"),
            Self::LandlockUnavailable { booted_without: true } => {
                formatter.write_str("the kernel was booted without Landlock")
            }
            Self::LandlockUnavailable { booted_without: false } => {
                formatter.write_str("the kernel has no Landlock")
            }
            Self::ThreadsOutsideLandlock { threads, kernel_abi } => write!(
                formatter,
                "{threads} threads run already, and Landlock ABI {kernel_abi} reaches only the calling one \
                 (all of them from ABI 8 on)"
            ),
            Self::SeccompUnavailable { missing } => write!(formatter, "the kernel lacks {missing}"),
            Self::NotEnforced { what, observed } => {
                write!(formatter, "{what} is set and not enforced: {observed}")
            }
            Self::ProfileRefused { reason } => {
                write!(formatter, "sandbox_init refused the profile: {reason}")
            }
            Self::UnsupportedPlatform { os } => write!(formatter, "there is no sandbox for {os}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Kernel { source, .. } => Some(source),
            _ => None,
        }
    }
}
