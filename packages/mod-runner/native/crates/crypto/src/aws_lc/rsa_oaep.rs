use super::hash::evp_md;
use super::owned::PkeyContext;
use super::rsa::Rsa;
use super::succeeded;
use crate::digest::Hash;
use crate::{CryptoError, Result};
use aws_lc_sys as lc;
use std::ffi::c_int;

type Initialise = unsafe extern "C" fn(*mut lc::EVP_PKEY_CTX) -> c_int;
type Run = unsafe extern "C" fn(*mut lc::EVP_PKEY_CTX, *mut u8, *mut usize, *const u8, usize) -> c_int;

pub(crate) fn encrypt(key: &Rsa, hash: Hash, label: &[u8], message: &[u8]) -> Result<Vec<u8>> {
    transform(key, hash, label, message, lc::EVP_PKEY_encrypt_init, lc::EVP_PKEY_encrypt)
}

pub(crate) fn decrypt(key: &Rsa, hash: Hash, label: &[u8], message: &[u8]) -> Result<Vec<u8>> {
    transform(key, hash, label, message, lc::EVP_PKEY_decrypt_init, lc::EVP_PKEY_decrypt)
}

fn transform(
    key: &Rsa,
    hash: Hash,
    label: &[u8],
    message: &[u8],
    initialise: Initialise,
    run: Run,
) -> Result<Vec<u8>> {
    let pkey = key.to_pkey()?;
    // SAFETY: a live key, which is counted once more; no engine.
    let context = unsafe { lc::EVP_PKEY_CTX_new(pkey.as_ptr(), std::ptr::null_mut()) };
    let context = PkeyContext::adopt(context, CryptoError::Operation)?;
    let context = context.as_ptr();
    // SAFETY: a live context, initialised before it is configured.
    unsafe {
        succeeded(initialise(context), CryptoError::Operation)?;
        let padding = lc::RSA_PKCS1_OAEP_PADDING;
        succeeded(lc::EVP_PKEY_CTX_set_rsa_padding(context, padding), CryptoError::Operation)?;
        succeeded(lc::EVP_PKEY_CTX_set_rsa_oaep_md(context, evp_md(hash)), CryptoError::Operation)?;
        succeeded(lc::EVP_PKEY_CTX_set_rsa_mgf1_md(context, evp_md(hash)), CryptoError::Operation)?;
    }
    set_label(context, label)?;
    let mut length = 0;
    // SAFETY: a null output asks for the room needed.
    let code = unsafe { run(context, std::ptr::null_mut(), &mut length, message.as_ptr(), message.len()) };
    succeeded(code, CryptoError::Operation)?;
    let mut output = vec![0; length];
    // SAFETY: writes at most `length` bytes.
    let code = unsafe { run(context, output.as_mut_ptr(), &mut length, message.as_ptr(), message.len()) };
    succeeded(code, CryptoError::Operation)?;
    output.truncate(length);
    Ok(output)
}

fn set_label(context: *mut lc::EVP_PKEY_CTX, label: &[u8]) -> Result<()> {
    if label.is_empty() {
        return Ok(());
    }
    // SAFETY: the context takes over the copy when the call succeeds.
    unsafe {
        let copy = lc::OPENSSL_memdup(label.as_ptr().cast(), label.len()).cast::<u8>();
        let code = lc::EVP_PKEY_CTX_set0_rsa_oaep_label(context, copy, label.len());
        if code != 1 {
            lc::OPENSSL_free(copy.cast());
        }
        succeeded(code, CryptoError::Operation)
    }
}
