//! Safe wrappers of the AWS-LC functions that the crate uses. The one place with `unsafe`.
#![allow(unsafe_code, reason = "calls into AWS-LC; every other module denies it")]

pub(crate) mod big_number;
pub(crate) mod cipher;
pub(crate) mod curve25519;
pub(crate) mod der;
pub(crate) mod ec;
pub(crate) mod hash;
pub(crate) mod hkdf;
pub(crate) mod key_wrap;
pub(crate) mod mac;
mod owned;
pub(crate) mod rsa;
pub(crate) mod rsa_oaep;

use crate::{CryptoError, Result};

/// AWS-LC answers 1 for success. Its error queue is emptied: nobody reads it, and it would grow.
fn succeeded(code: std::ffi::c_int, error: CryptoError) -> Result<()> {
    if code == 1 { Ok(()) } else { Err(cleared(error)) }
}

fn cleared(error: CryptoError) -> CryptoError {
    // SAFETY: empties the queue of this thread; no arguments.
    unsafe { aws_lc_sys::ERR_clear_error() };
    error
}
