use super::{cleared, succeeded};
use crate::{CryptoError, Result};
use aws_lc_sys as lc;
use std::mem::MaybeUninit;

/// The integrity block in front of what is wrapped (RFC 3394).
const OVERHEAD_BYTES: usize = 8;

struct Schedule(lc::AES_KEY);

impl Drop for Schedule {
    fn drop(&mut self) {
        // SAFETY: overwrites the schedule in place; it is plain numbers.
        unsafe { lc::OPENSSL_cleanse((&raw mut self.0).cast(), size_of::<lc::AES_KEY>()) };
    }
}

type SetKey = unsafe extern "C" fn(*const u8, std::ffi::c_uint, *mut lc::AES_KEY) -> std::ffi::c_int;

fn schedule(set_key: SetKey, key: &[u8]) -> Result<Schedule> {
    let mut schedule = MaybeUninit::<lc::AES_KEY>::zeroed();
    // SAFETY: reads as many bytes as the bits say: the slice's. Other lengths than AES's are refused.
    let code = unsafe { set_key(key.as_ptr(), (key.len() * 8) as std::ffi::c_uint, schedule.as_mut_ptr()) };
    if code != 0 {
        return Err(cleared(CryptoError::Operation));
    }
    // SAFETY: zeroed numbers are a value, and the call above filled them.
    Ok(Schedule(unsafe { schedule.assume_init() }))
}

/// `data` is a multiple of 8 bytes, at least 16.
pub(crate) fn wrap(key: &[u8], data: &[u8]) -> Result<Vec<u8>> {
    let schedule = schedule(lc::AES_set_encrypt_key, key)?;
    let mut output = vec![0; data.len() + OVERHEAD_BYTES];
    // SAFETY: writes eight bytes more than it reads; a null IV is RFC 3394's own.
    let written = unsafe {
        lc::AES_wrap_key(&schedule.0, std::ptr::null(), output.as_mut_ptr(), data.as_ptr(), data.len())
    };
    expect_length(written, output)
}

pub(crate) fn unwrap(key: &[u8], data: &[u8]) -> Result<Vec<u8>> {
    let schedule = schedule(lc::AES_set_decrypt_key, key)?;
    let mut output = vec![0; data.len().saturating_sub(OVERHEAD_BYTES)];
    // SAFETY: writes eight bytes fewer than it reads, and refuses an input shorter than 24 first.
    let written = unsafe {
        lc::AES_unwrap_key(&schedule.0, std::ptr::null(), output.as_mut_ptr(), data.as_ptr(), data.len())
    };
    expect_length(written, output)
}

fn expect_length(written: std::ffi::c_int, output: Vec<u8>) -> Result<Vec<u8>> {
    succeeded(std::ffi::c_int::from(usize::try_from(written) == Ok(output.len())), CryptoError::Operation)?;
    Ok(output)
}
