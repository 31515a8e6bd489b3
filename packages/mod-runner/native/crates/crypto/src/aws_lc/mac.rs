use super::hash::evp_md;
use super::owned::MacContext;
use super::succeeded;
use crate::digest::Hash;
use crate::{CryptoError, Result};
use aws_lc_sys as lc;
use std::ptr::null_mut;

/// HMAC with one key, for any number of messages.
pub(crate) struct Mac {
    context: MacContext,
    length: usize,
}

impl Mac {
    pub(crate) fn new(hash: Hash, key: &[u8]) -> Result<Self> {
        // SAFETY: no arguments; null is the failure.
        let context = MacContext::adopt(unsafe { lc::HMAC_CTX_new() }, CryptoError::Operation)?;
        // SAFETY: reads the key's bytes; the pointer of an empty slice is not null, as "no key" would be.
        let code = unsafe {
            lc::HMAC_Init_ex(context.as_ptr(), key.as_ptr().cast(), key.len(), evp_md(hash), null_mut())
        };
        succeeded(code, CryptoError::Operation)?;
        Ok(Self { context, length: hash.output_bytes() })
    }

    /// Forgets what was fed, keeps the key.
    pub(crate) fn restart(&mut self) -> Result<()> {
        // SAFETY: null key and digest ask for the ones that the context already has.
        let code = unsafe {
            lc::HMAC_Init_ex(self.context.as_ptr(), std::ptr::null(), 0, std::ptr::null(), null_mut())
        };
        succeeded(code, CryptoError::Operation)
    }

    pub(crate) fn update(&mut self, data: &[u8]) -> Result<()> {
        // SAFETY: reads `len` bytes.
        let code = unsafe { lc::HMAC_Update(self.context.as_ptr(), data.as_ptr(), data.len()) };
        succeeded(code, CryptoError::Operation)
    }

    /// Writes the tag to the front of `output`, which has room for it.
    pub(crate) fn finish_into(&mut self, output: &mut [u8]) -> Result<()> {
        assert!(output.len() >= self.length, "no room for the tag");
        // SAFETY: writes the digest's length, which was checked to fit; the length out is not wanted.
        let code = unsafe { lc::HMAC_Final(self.context.as_ptr(), output.as_mut_ptr(), null_mut()) };
        succeeded(code, CryptoError::Operation)
    }
}

/// Whether two byte strings are the same, in a time that depends on their lengths alone.
pub(crate) fn equal_in_constant_time(one: &[u8], other: &[u8]) -> bool {
    // SAFETY: both have `len` bytes: checked first.
    one.len() == other.len()
        && unsafe { lc::CRYPTO_memcmp(one.as_ptr().cast(), other.as_ptr().cast(), one.len()) } == 0
}
