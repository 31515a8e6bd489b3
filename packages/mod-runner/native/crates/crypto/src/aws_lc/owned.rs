//! Pointers that AWS-LC allocated and that are freed with the function that belongs to them.

use super::cleared;
use crate::{CryptoError, Result};
use aws_lc_sys as lc;
use std::ptr::NonNull;

macro_rules! owned {
    ($name:ident, $type:ty, $free:path) => {
        pub(crate) struct $name(NonNull<$type>);

        impl $name {
            /// Takes over a pointer that a constructor of AWS-LC returned; null is that constructor's failure.
            pub(crate) fn adopt(pointer: *mut $type, error: CryptoError) -> Result<Self> {
                NonNull::new(pointer).map(Self).ok_or_else(|| cleared(error))
            }

            pub(crate) fn as_ptr(&self) -> *mut $type {
                self.0.as_ptr()
            }

            /// Gives the pointer to a function that takes it over.
            #[allow(dead_code, reason = "one macro for all kinds; only some change hands")]
            pub(crate) fn into_ptr(self) -> *mut $type {
                let pointer = self.as_ptr();
                std::mem::forget(self);
                pointer
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: the pointer came from this kind's constructor and nobody else frees it.
                unsafe { $free(self.0.as_ptr()) }
            }
        }
    };
}

owned!(BigNumber, lc::BIGNUM, lc::BN_clear_free);
owned!(CipherContext, lc::EVP_CIPHER_CTX, lc::EVP_CIPHER_CTX_free);
owned!(DigestContext, lc::EVP_MD_CTX, lc::EVP_MD_CTX_free);
owned!(EcKey, lc::EC_KEY, lc::EC_KEY_free);
owned!(EcPoint, lc::EC_POINT, lc::EC_POINT_free);
owned!(EcdsaSignature, lc::ECDSA_SIG, lc::ECDSA_SIG_free);
owned!(GeneratorCallback, lc::BN_GENCB, lc::BN_GENCB_free);
owned!(MacContext, lc::HMAC_CTX, lc::HMAC_CTX_free);
owned!(Pkey, lc::EVP_PKEY, lc::EVP_PKEY_free);
owned!(PkeyContext, lc::EVP_PKEY_CTX, lc::EVP_PKEY_CTX_free);
owned!(RsaKey, lc::RSA, lc::RSA_free);

/// Copies bytes that AWS-LC allocated and frees them.
///
/// # Safety
/// `pointer` is null or an allocation of AWS-LC's with at least `length` bytes, and is not used again.
pub(super) unsafe fn take_allocation(pointer: *mut u8, length: usize) -> Vec<u8> {
    if pointer.is_null() {
        return Vec::new();
    }
    // SAFETY: the caller's promise.
    let bytes = unsafe { std::slice::from_raw_parts(pointer, length) }.to_vec();
    // SAFETY: the caller's promise. OPENSSL_free also overwrites what it frees.
    unsafe { lc::OPENSSL_free(pointer.cast()) };
    bytes
}
