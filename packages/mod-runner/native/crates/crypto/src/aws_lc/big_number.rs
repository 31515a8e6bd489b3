use super::owned::BigNumber;
use super::succeeded;
use crate::{CryptoError, Result};
use aws_lc_sys as lc;

/// A number from big-endian bytes.
pub(crate) fn from_bytes(bytes: &[u8]) -> Result<BigNumber> {
    // SAFETY: reads `len` bytes; a null result argument asks for a new number.
    let pointer = unsafe { lc::BN_bin2bn(bytes.as_ptr(), bytes.len(), std::ptr::null_mut()) };
    BigNumber::adopt(pointer, CryptoError::Operation)
}

/// Big-endian bytes without leading zeros; empty for a null number.
///
/// # Safety
/// `number` is null or a number that lives during the call.
pub(super) unsafe fn to_bytes(number: *const lc::BIGNUM) -> Result<Vec<u8>> {
    if number.is_null() {
        return Ok(Vec::new());
    }
    // SAFETY: the caller's promise.
    let length = unsafe { lc::BN_num_bytes(number) } as usize;
    // SAFETY: the caller's promise.
    unsafe { to_padded_bytes(number, length) }
}

/// Big-endian bytes, exactly `length` of them.
///
/// # Safety
/// `number` is a number that lives during the call.
pub(super) unsafe fn to_padded_bytes(number: *const lc::BIGNUM, length: usize) -> Result<Vec<u8>> {
    let mut bytes = vec![0; length];
    // SAFETY: writes `length` bytes, or fails when the number needs more.
    succeeded(unsafe { lc::BN_bn2bin_padded(bytes.as_mut_ptr(), length, number) }, CryptoError::Operation)?;
    Ok(bytes)
}
