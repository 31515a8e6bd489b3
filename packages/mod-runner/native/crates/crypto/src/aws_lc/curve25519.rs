use super::succeeded;
use crate::{CryptoError, Result};
use aws_lc_sys as lc;

/// The public key of an Ed25519 seed.
pub(crate) fn ed25519_public(seed: &[u8; 32]) -> [u8; 32] {
    ed25519_key_pair(seed).0
}

fn ed25519_key_pair(seed: &[u8; 32]) -> ([u8; 32], [u8; 64]) {
    let (mut public, mut private) = ([0; 32], [0; 64]);
    // SAFETY: reads 32 bytes, writes 32 and 64: the arrays' lengths.
    unsafe { lc::ED25519_keypair_from_seed(public.as_mut_ptr(), private.as_mut_ptr(), seed.as_ptr()) };
    (public, private)
}

pub(crate) fn ed25519_sign(seed: &[u8; 32], message: &[u8]) -> Result<Vec<u8>> {
    let mut private = ed25519_key_pair(seed).1;
    let mut signature = vec![0; 64];
    // SAFETY: reads the message and the 64 bytes of the private key, writes 64.
    let code = unsafe {
        lc::ED25519_sign(signature.as_mut_ptr(), message.as_ptr(), message.len(), private.as_ptr())
    };
    // SAFETY: overwrites the array in place.
    unsafe { lc::OPENSSL_cleanse(private.as_mut_ptr().cast(), private.len()) };
    succeeded(code, CryptoError::Operation)?;
    Ok(signature)
}

pub(crate) fn ed25519_verify(public: &[u8; 32], signature: &[u8; 64], message: &[u8]) -> bool {
    // SAFETY: reads the message, 64 bytes of signature and 32 of key: the arrays' lengths.
    let code =
        unsafe { lc::ED25519_verify(message.as_ptr(), message.len(), signature.as_ptr(), public.as_ptr()) };
    succeeded(code, CryptoError::Operation).is_ok()
}

/// The public key of an X25519 private key.
pub(crate) fn x25519_public(private: &[u8; 32]) -> [u8; 32] {
    let mut public = [0; 32];
    // SAFETY: reads 32 bytes, writes 32.
    unsafe { lc::X25519_public_from_private(public.as_mut_ptr(), private.as_ptr()) };
    public
}

/// The shared secret; fails when it is all zero (RFC 7748, section 6.1).
pub(crate) fn x25519_agree(private: &[u8; 32], public: &[u8; 32]) -> Result<Vec<u8>> {
    let mut secret = vec![0; 32];
    // SAFETY: reads 32 bytes twice, writes 32.
    let code = unsafe { lc::X25519(secret.as_mut_ptr(), private.as_ptr(), public.as_ptr()) };
    succeeded(code, CryptoError::Operation)?;
    Ok(secret)
}
