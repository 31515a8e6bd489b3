use crate::{CryptoError, Result};

/// Asked between chunks of long work; `true` ends the operation with [`CryptoError::Interrupted`].
///
/// Chunked: digests, HMAC, every AES mode but key wrap (each MiB), PBKDF2 (each 1,024 iterations), RSA key
/// generation (at each candidate prime). Not interruptible, because AWS-LC computes them in one call: one
/// RSA private operation (some 2 ms at 4,096 bits, eight times that for each doubling), AES key wrap, the elliptic curves
/// and HKDF (at most 255 blocks).
pub type ShouldStop<'a> = &'a dyn Fn() -> bool;

/// How many bytes are worked on between two questions: well under a millisecond of hashing or AES.
pub(crate) const CHUNK_BYTES: usize = 1 << 20;

pub(crate) fn check(should_stop: ShouldStop) -> Result<()> {
    if should_stop() { Err(CryptoError::Interrupted) } else { Ok(()) }
}
