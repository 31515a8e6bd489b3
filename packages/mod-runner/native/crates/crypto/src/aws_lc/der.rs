//! SubjectPublicKeyInfo and PrivateKeyInfo: whole structures, nothing behind them.

use super::owned::{Pkey, take_allocation};
use super::{cleared, succeeded};
use crate::{CryptoError, Result};
use aws_lc_sys as lc;
use std::mem::MaybeUninit;

pub(crate) fn parse_spki(der: &[u8]) -> Result<Pkey> {
    parse(lc::EVP_parse_public_key, der)
}

pub(crate) fn parse_pkcs8(der: &[u8]) -> Result<Pkey> {
    parse(lc::EVP_parse_private_key, der)
}

pub(crate) fn write_spki(key: &Pkey) -> Result<Vec<u8>> {
    write(lc::EVP_marshal_public_key, key)
}

pub(crate) fn write_pkcs8(key: &Pkey) -> Result<Vec<u8>> {
    write(lc::EVP_marshal_private_key, key)
}

fn parse(parser: unsafe extern "C" fn(*mut lc::CBS) -> *mut lc::EVP_PKEY, der: &[u8]) -> Result<Pkey> {
    let mut cursor = MaybeUninit::<lc::CBS>::zeroed();
    // SAFETY: fills the cursor, which then reads the slice and lives no longer than it.
    unsafe { lc::CBS_init(cursor.as_mut_ptr(), der.as_ptr(), der.len()) };
    // SAFETY: an initialised cursor.
    let key = Pkey::adopt(unsafe { parser(cursor.as_mut_ptr()) }, CryptoError::Data)?;
    // SAFETY: an initialised cursor.
    if unsafe { lc::CBS_len(cursor.as_ptr()) } != 0 {
        return Err(CryptoError::Data);
    }
    Ok(key)
}

fn write(
    writer: unsafe extern "C" fn(*mut lc::CBB, *const lc::EVP_PKEY) -> std::ffi::c_int,
    key: &Pkey,
) -> Result<Vec<u8>> {
    let mut builder = MaybeUninit::<lc::CBB>::zeroed();
    let (mut bytes, mut length) = (std::ptr::null_mut(), 0);
    // SAFETY: a builder is initialised, written to, and either finished or cleaned up.
    unsafe {
        succeeded(lc::CBB_init(builder.as_mut_ptr(), 0), CryptoError::Operation)?;
        if writer(builder.as_mut_ptr(), key.as_ptr()) != 1
            || lc::CBB_finish(builder.as_mut_ptr(), &mut bytes, &mut length) != 1
        {
            lc::CBB_cleanup(builder.as_mut_ptr());
            return Err(cleared(CryptoError::Operation));
        }
    }
    // SAFETY: CBB_finish handed over an allocation of that length.
    Ok(unsafe { take_allocation(bytes, length) })
}

/// A key of 32 bytes and the kind that says what they are.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum RawKind {
    Ed25519,
    X25519,
}

impl RawKind {
    fn id(self) -> std::ffi::c_int {
        match self {
            RawKind::Ed25519 => lc::EVP_PKEY_ED25519,
            RawKind::X25519 => lc::EVP_PKEY_X25519,
        }
    }
}

type NewRaw = unsafe extern "C" fn(std::ffi::c_int, *mut lc::ENGINE, *const u8, usize) -> *mut lc::EVP_PKEY;
type GetRaw = unsafe extern "C" fn(*const lc::EVP_PKEY, *mut u8, *mut usize) -> std::ffi::c_int;

pub(crate) fn raw_public_key(kind: RawKind, bytes: &[u8; 32]) -> Result<Pkey> {
    new_raw(lc::EVP_PKEY_new_raw_public_key, kind, bytes)
}

pub(crate) fn raw_private_key(kind: RawKind, bytes: &[u8; 32]) -> Result<Pkey> {
    new_raw(lc::EVP_PKEY_new_raw_private_key, kind, bytes)
}

fn new_raw(constructor: NewRaw, kind: RawKind, bytes: &[u8; 32]) -> Result<Pkey> {
    // SAFETY: reads 32 bytes; no engine.
    let pointer = unsafe { constructor(kind.id(), std::ptr::null_mut(), bytes.as_ptr(), bytes.len()) };
    Pkey::adopt(pointer, CryptoError::Data)
}

pub(crate) fn raw_public_bytes(kind: RawKind, key: &Pkey) -> Result<[u8; 32]> {
    get_raw(lc::EVP_PKEY_get_raw_public_key, kind, key)
}

pub(crate) fn raw_private_bytes(kind: RawKind, key: &Pkey) -> Result<[u8; 32]> {
    get_raw(lc::EVP_PKEY_get_raw_private_key, kind, key)
}

fn get_raw(getter: GetRaw, kind: RawKind, key: &Pkey) -> Result<[u8; 32]> {
    // SAFETY: a live key.
    if unsafe { lc::EVP_PKEY_id(key.as_ptr()) } != kind.id() {
        return Err(CryptoError::Data);
    }
    let (mut bytes, mut length) = ([0; 32], 32);
    // SAFETY: writes at most `length` bytes.
    let code = unsafe { getter(key.as_ptr(), bytes.as_mut_ptr(), &mut length) };
    succeeded(code, CryptoError::Data)?;
    Ok(bytes)
}
