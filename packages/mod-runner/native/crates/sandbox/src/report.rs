use serde::Serialize;

use crate::{Mode, UnlistedCalls};

/// What [`prepare_process`](crate::prepare_process) did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Prepared {
    /// How many descriptors above 2 the host had let through; `None` where they were not counted.
    pub closed_descriptors: Option<u32>,
    /// Whether the kernel kills this process when its host ends. macOS has no such means: there the runner
    /// has to end at the end of its input.
    pub dies_with_host: bool,
    /// Whether the process is in a session of its own, without a terminal.
    pub own_session: bool,
    /// Whether other processes of the same user can dump it, trace it and read its memory.
    pub dumpable: bool,
    pub limits: Limits,
}

/// What the kernel enforces on this process, read back from the kernel where it tells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Enforced {
    pub mode: Mode,
    /// Whether executing another program can no longer give privileges. Linux.
    pub no_new_privs: bool,
    /// Whether other processes of the same user can dump it, trace it and read its memory.
    pub dumpable: bool,
    /// Whether memory can still be made executable.
    pub executable_memory: bool,
    /// Descriptors that were open when the sandbox closed, without the standard three; `None` where they
    /// could not be listed. Should be empty: what is open stays usable in part.
    pub extra_descriptors: Option<Vec<u32>>,
    pub limits: Limits,
    /// Linux; `None` with [`Mode::Off`].
    pub landlock: Option<Landlock>,
    /// Linux; `None` where nothing is filtered.
    pub seccomp: Option<Seccomp>,
    /// Whether the Seatbelt profile is in force. macOS.
    pub seatbelt: bool,
}

/// How much of Landlock is in force.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Landlock {
    pub status: LandlockStatus,
    /// The kernel's Landlock ABI, 0 where it has none.
    pub kernel_abi: i32,
    /// Whether every thread is inside.
    pub all_threads: bool,
    /// What this kernel's Landlock does not know and leaves to seccomp, by the names of the `landlock`
    /// crate.
    pub not_handled: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LandlockStatus {
    /// Every right that the kernel's ABI knows is denied.
    Enforced,
    /// The kernel is built without Landlock.
    NotBuilt,
    /// The kernel has Landlock and was booted without it.
    NotEnabled,
}

/// The system call filter in force, on every thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Seccomp {
    /// How many filter programs the kernel runs.
    pub filters: u32,
    pub unlisted_calls: UnlistedCalls,
}

/// Resource limits in force, in bytes or counts; `None` means unlimited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Limits {
    pub core_bytes: Option<u64>,
    pub data_bytes: Option<u64>,
    pub file_size_bytes: Option<u64>,
    pub locked_bytes: Option<u64>,
    pub open_files: Option<u64>,
    pub processes: Option<u64>,
}
