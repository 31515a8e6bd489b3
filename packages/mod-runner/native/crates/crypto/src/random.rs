//! Random bytes that a mod sees: always the kernel's, never AWS-LC's own generator.
//!
//! That one (the nonces of ECDSA, RSA's primes, salts and blinding) sets itself up at its first use, inside
//! a sandbox too: a refused look for `/dev/sysgenid` is no such device to it, and what else it calls is
//! `getrandom`, `futex` and memory.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_draws_differ() {
        assert_ne!(bytes(32).unwrap(), bytes(32).unwrap());
    }
}
