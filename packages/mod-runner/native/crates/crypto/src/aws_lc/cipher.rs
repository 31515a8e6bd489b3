use super::owned::CipherContext;
use super::{cleared, succeeded};
use crate::{CryptoError, Result};
use aws_lc_sys as lc;
use std::ffi::c_int;
use std::ptr::{null, null_mut};

#[derive(Clone, Copy)]
pub(crate) enum Mode {
    Ctr,
    Cbc,
    Gcm,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Direction {
    Encrypt,
    Decrypt,
}

/// AES needs at most one block more than it is given.
const BLOCK_BYTES: usize = 16;

/// One message under one key.
pub(crate) struct Cipher {
    context: CipherContext,
}

impl Cipher {
    /// `iv` is 16 bytes for CTR and CBC, at least one byte for GCM.
    pub(crate) fn new(mode: Mode, direction: Direction, key: &[u8], iv: &[u8]) -> Result<Self> {
        let algorithm = algorithm(mode, key.len())?;
        // SAFETY: no arguments; null is the failure.
        let context = CipherContext::adopt(unsafe { lc::EVP_CIPHER_CTX_new() }, CryptoError::Operation)?;
        let encrypt = c_int::from(direction == Direction::Encrypt);
        // SAFETY: chooses the algorithm and the direction; key and IV follow.
        let code = unsafe {
            lc::EVP_CipherInit_ex(context.as_ptr(), algorithm, null_mut(), null(), null(), encrypt)
        };
        succeeded(code, CryptoError::Operation)?;
        let mut cipher = Self { context };
        match mode {
            Mode::Gcm => cipher.control(lc::EVP_CTRL_AEAD_SET_IVLEN, c_length(iv.len())?, null_mut())?,
            _ if iv.len() != BLOCK_BYTES => return Err(CryptoError::Operation),
            _ => {}
        }
        // SAFETY: the key has the algorithm's length (that chose the algorithm), the IV the one just set.
        let code = unsafe {
            lc::EVP_CipherInit_ex(
                cipher.context.as_ptr(),
                null(),
                null_mut(),
                key.as_ptr(),
                iv.as_ptr(),
                encrypt,
            )
        };
        succeeded(code, CryptoError::Operation)?;
        Ok(cipher)
    }

    /// Appends what `input` becomes; `input` is at most a gigabyte.
    pub(crate) fn update(&mut self, input: &[u8], output: &mut Vec<u8>) -> Result<()> {
        let start = output.len();
        output.resize(start + input.len() + BLOCK_BYTES, 0);
        let mut written: c_int = 0;
        // SAFETY: room for the input and one block more was made behind `start`.
        let code = unsafe {
            lc::EVP_CipherUpdate(
                self.context.as_ptr(),
                output[start..].as_mut_ptr(),
                &mut written,
                input.as_ptr(),
                c_length(input.len())?,
            )
        };
        output.truncate(start + usize::try_from(written).unwrap_or(0));
        succeeded(code, CryptoError::Operation)
    }

    /// GCM's additional data, before any message.
    pub(crate) fn authenticate(&mut self, data: &[u8]) -> Result<()> {
        let mut written: c_int = 0;
        // SAFETY: a null output means additional data: nothing is written but the count.
        let code = unsafe {
            lc::EVP_CipherUpdate(
                self.context.as_ptr(),
                null_mut(),
                &mut written,
                data.as_ptr(),
                c_length(data.len())?,
            )
        };
        succeeded(code, CryptoError::Operation)
    }

    /// Ends the message: padding in CBC, the tag's check in decrypting GCM.
    pub(crate) fn finish(&mut self, output: &mut Vec<u8>) -> Result<()> {
        let start = output.len();
        output.resize(start + BLOCK_BYTES, 0);
        let mut written: c_int = 0;
        // SAFETY: writes at most one block, for which room was made.
        let code = unsafe {
            lc::EVP_CipherFinal_ex(self.context.as_ptr(), output[start..].as_mut_ptr(), &mut written)
        };
        output.truncate(start + usize::try_from(written).unwrap_or(0));
        succeeded(code, CryptoError::Operation)
    }

    /// The first `length_bytes` (at most 16) of the tag of a finished GCM message.
    pub(crate) fn tag(&mut self, length_bytes: usize) -> Result<Vec<u8>> {
        let mut tag = vec![0; length_bytes];
        self.control(lc::EVP_CTRL_AEAD_GET_TAG, c_length(length_bytes)?, tag.as_mut_ptr())?;
        Ok(tag)
    }

    /// What a decrypting GCM message's tag has to begin with.
    pub(crate) fn expect_tag(&mut self, tag: &[u8]) -> Result<()> {
        let mut copy = tag.to_vec();
        self.control(lc::EVP_CTRL_AEAD_SET_TAG, c_length(tag.len())?, copy.as_mut_ptr())
    }

    fn control(&mut self, command: c_int, length: c_int, bytes: *mut u8) -> Result<()> {
        // SAFETY: the three commands used read or write `length` bytes at `bytes`, or none of them.
        let code = unsafe { lc::EVP_CIPHER_CTX_ctrl(self.context.as_ptr(), command, length, bytes.cast()) };
        succeeded(code, CryptoError::Operation)
    }
}

fn c_length(length: usize) -> Result<c_int> {
    c_int::try_from(length).map_err(|_| cleared(CryptoError::Operation))
}

fn algorithm(mode: Mode, key_bytes: usize) -> Result<*const lc::EVP_CIPHER> {
    // SAFETY: these return pointers to constants.
    let algorithm = unsafe {
        match (mode, key_bytes) {
            (Mode::Ctr, 16) => lc::EVP_aes_128_ctr(),
            (Mode::Ctr, 24) => lc::EVP_aes_192_ctr(),
            (Mode::Ctr, 32) => lc::EVP_aes_256_ctr(),
            (Mode::Cbc, 16) => lc::EVP_aes_128_cbc(),
            (Mode::Cbc, 24) => lc::EVP_aes_192_cbc(),
            (Mode::Cbc, 32) => lc::EVP_aes_256_cbc(),
            (Mode::Gcm, 16) => lc::EVP_aes_128_gcm(),
            (Mode::Gcm, 24) => lc::EVP_aes_192_gcm(),
            (Mode::Gcm, 32) => lc::EVP_aes_256_gcm(),
            _ => return Err(CryptoError::Operation),
        }
    };
    Ok(algorithm)
}
