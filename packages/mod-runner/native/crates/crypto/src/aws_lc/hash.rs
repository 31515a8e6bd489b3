use super::owned::DigestContext;
use super::succeeded;
use crate::digest::Hash;
use crate::{CryptoError, Result};
use aws_lc_sys as lc;

pub(super) fn evp_md(hash: Hash) -> *const lc::EVP_MD {
    // SAFETY: these return pointers to constants.
    unsafe {
        match hash {
            Hash::Sha1 => lc::EVP_sha1(),
            Hash::Sha256 => lc::EVP_sha256(),
            Hash::Sha384 => lc::EVP_sha384(),
            Hash::Sha512 => lc::EVP_sha512(),
        }
    }
}

pub(super) fn nid(hash: Hash) -> std::ffi::c_int {
    match hash {
        Hash::Sha1 => lc::NID_sha1,
        Hash::Sha256 => lc::NID_sha256,
        Hash::Sha384 => lc::NID_sha384,
        Hash::Sha512 => lc::NID_sha512,
    }
}

/// A digest that is fed piece by piece.
pub(crate) struct Hasher {
    context: DigestContext,
    length: usize,
}

impl Hasher {
    pub(crate) fn new(hash: Hash) -> Result<Self> {
        // SAFETY: no arguments; null is the failure.
        let context = DigestContext::adopt(unsafe { lc::EVP_MD_CTX_new() }, CryptoError::Operation)?;
        // SAFETY: a live context and a constant digest; no engine.
        let code = unsafe { lc::EVP_DigestInit_ex(context.as_ptr(), evp_md(hash), std::ptr::null_mut()) };
        succeeded(code, CryptoError::Operation)?;
        Ok(Self { context, length: hash.output_bytes() })
    }

    pub(crate) fn update(&mut self, data: &[u8]) -> Result<()> {
        // SAFETY: reads `len` bytes.
        let code = unsafe { lc::EVP_DigestUpdate(self.context.as_ptr(), data.as_ptr().cast(), data.len()) };
        succeeded(code, CryptoError::Operation)
    }

    pub(crate) fn finish(self) -> Result<Vec<u8>> {
        let mut output = vec![0; self.length];
        // SAFETY: writes the digest's length, which is the buffer's; the length out is not wanted.
        let code = unsafe {
            lc::EVP_DigestFinal_ex(self.context.as_ptr(), output.as_mut_ptr(), std::ptr::null_mut())
        };
        succeeded(code, CryptoError::Operation)?;
        Ok(output)
    }
}
