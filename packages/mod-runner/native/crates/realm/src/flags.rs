//! V8's flags: one constant for the maker of the snapshot and for its user.

/// - `--single-threaded`: no helper threads, so nothing to start, nothing to sandbox but the main
///   thread and the watchdog, and less memory.
/// - `--disallow-code-generation-from-strings`: no `eval`, no `Function`.
pub const FLAGS: &str = "--single-threaded --disallow-code-generation-from-strings";

/// Whether [`FLAGS`] let V8 make machine code; the kernel sandbox forbids executable memory if not.
pub const HAS_JIT: bool = true;
