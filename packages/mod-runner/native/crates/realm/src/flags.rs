//! V8's flags: one constant for the maker of the snapshot and for its user.

/// - `--single-threaded`: no helper threads, so nothing to start, nothing to sandbox but the main
///   thread and the watchdog, and less memory.
/// - `--disallow-code-generation-from-strings`: no `eval`, no `Function`.
/// - `--no-expose-wasm`: no WebAssembly; a second compiler and its memory for nothing.
pub const FLAGS: &str =
    "--single-threaded --disallow-code-generation-from-strings --no-expose-wasm";
