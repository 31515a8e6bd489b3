//! Random bytes that a mod sees: always the kernel's, never AWS-LC's own generator.

use crate::{CryptoError, Result};

/// `length_bytes` bytes from the kernel.
pub fn bytes(length_bytes: usize) -> Result<Vec<u8>> {
    let mut bytes = vec![0; length_bytes];
    fill(&mut bytes)?;
    Ok(bytes)
}

pub(crate) fn fill(bytes: &mut [u8]) -> Result<()> {
    getrandom::fill(bytes).map_err(|_| CryptoError::Operation)
}
