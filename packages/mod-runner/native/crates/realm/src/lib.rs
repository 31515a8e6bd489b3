//! The realm that mods run in: V8's flags, the globals that mods see, and the native operations
//! behind them.
//!
//! Two programs are built on it and must agree in every byte: the one that makes the startup
//! snapshot, and the runner that starts from it. So flags, native operations and their order
//! (the external references) stand here, once.

mod build_realm;
mod close_realm;
mod flags;
mod native_operations;
mod start_v8;
mod web_crypto;

pub use build_realm::{BootstrapError, HOST_OBJECT, build_realm};
pub use close_realm::close_realm;
pub use flags::{FLAGS, NO_JIT_FLAGS};
pub use native_operations::{Operations, external_references};
pub use start_v8::{Jit, is_v8_sandbox_secure, start_v8};
pub use web_crypto::{WebCryptoLayer, make_code_cache};

/// Position of the mods' context among the snapshot's contexts.
pub const MOD_CONTEXT: usize = 0;

/// Digest of this crate's sources, in hexadecimal: the last bytes of a snapshot file.
pub const DIGEST: &str = env!("CODEX_JS_REALM_DIGEST");
