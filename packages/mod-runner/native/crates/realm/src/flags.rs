//! V8's flags: one constant for the maker of the snapshot and for its user.

/// - `--single-threaded`: no helper threads, so nothing to start, nothing to sandbox but the main
///   thread and the watchdog, and less memory.
/// - `--disallow-code-generation-from-strings`: no `eval`, no `Function`.
pub const FLAGS: &str = "--single-threaded --disallow-code-generation-from-strings";

/// Added for a host that gives up machine code so that the kernel can forbid executable memory: V8
/// interprets everything then, regular expressions too. The snapshot is good for both.
pub const NO_JIT_FLAGS: &str = "--jitless";
