use super::hash::evp_md;
use super::succeeded;
use crate::digest::Hash;
use crate::{CryptoError, Result};
use aws_lc_sys as lc;

/// Extract and expand (RFC 5869); fails past 255 blocks of the hash.
pub(crate) fn derive(hash: Hash, secret: &[u8], salt: &[u8], info: &[u8], length: usize) -> Result<Vec<u8>> {
    let mut output = vec![0; length];
    // SAFETY: every pointer goes with its slice's length.
    let code = unsafe {
        lc::HKDF(
            output.as_mut_ptr(),
            length,
            evp_md(hash),
            secret.as_ptr(),
            secret.len(),
            salt.as_ptr(),
            salt.len(),
            info.as_ptr(),
            info.len(),
        )
    };
    succeeded(code, CryptoError::Operation)?;
    Ok(output)
}
