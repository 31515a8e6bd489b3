//! Random bytes that a mod sees: always the kernel's, never AWS-LC's own generator.

use crate::aws_lc::generator;
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

/// Sets up AWS-LC's own generator (the nonces of ECDSA, RSA's primes, salts and blinding), which does it at
/// its first use otherwise.
///
/// Call this before a system-call filter closes: on Linux the set-up looks whether `/dev/sysgenid` exists
/// and marks a page with `madvise(MADV_WIPEONFORK)`; afterwards `getrandom` and `futex` are all it calls.
pub fn warm_up() -> Result<()> {
    generator::seed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generator_can_be_warmed_more_than_once() {
        assert_eq!(warm_up(), Ok(()));
        assert_eq!(warm_up(), Ok(()));
    }

    #[test]
    fn two_draws_differ() {
        assert_ne!(bytes(32).unwrap(), bytes(32).unwrap());
    }
}
