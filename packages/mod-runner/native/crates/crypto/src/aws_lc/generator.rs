use super::succeeded;
use crate::{CryptoError, Result};
use aws_lc_sys as lc;

/// Draws one byte from AWS-LC's own generator, which sets it up.
pub(crate) fn seed() -> Result<()> {
    let mut byte = 0;
    // SAFETY: writes one byte.
    succeeded(unsafe { lc::RAND_bytes(&mut byte, 1) }, CryptoError::Operation)
}
