//! Ed25519 and X25519. Between calls keys are their 32 bytes.

use crate::aws_lc::curve25519;
use crate::aws_lc::der::{self, RawKind};
use crate::{CryptoError, Result, random};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Ed25519,
    X25519,
}

impl Kind {
    pub fn from_name(name: &str) -> Result<Self> {
        match name {
            "Ed25519" => Ok(Kind::Ed25519),
            "X25519" => Ok(Kind::X25519),
            _ => Err(CryptoError::NotSupported),
        }
    }

    fn raw(self) -> RawKind {
        match self {
            Kind::Ed25519 => RawKind::Ed25519,
            Kind::X25519 => RawKind::X25519,
        }
    }
}

/// A new key from the kernel's generator: the private and the public half.
pub fn generate(kind: Kind) -> Result<([u8; 32], [u8; 32])> {
    let mut private = [0; 32];
    random::fill(&mut private)?;
    Ok((private, public_of(kind, &private)))
}

fn public_of(kind: Kind, private: &[u8; 32]) -> [u8; 32] {
    match kind {
        Kind::Ed25519 => curve25519::ed25519_public(private),
        Kind::X25519 => curve25519::x25519_public(private),
    }
}

/// The public key of a private one.
pub fn public_from_private(kind: Kind, private: &[u8]) -> Result<[u8; 32]> {
    Ok(public_of(kind, &key(private)?))
}

pub fn public_from_spki(kind: Kind, spki: &[u8]) -> Result<[u8; 32]> {
    der::raw_public_bytes(kind.raw(), &der::parse_spki(spki)?)
}

pub fn private_from_pkcs8(kind: Kind, pkcs8: &[u8]) -> Result<[u8; 32]> {
    der::raw_private_bytes(kind.raw(), &der::parse_pkcs8(pkcs8)?)
}

pub fn public_to_spki(kind: Kind, public: &[u8]) -> Result<Vec<u8>> {
    der::write_spki(&der::raw_public_key(kind.raw(), &key(public)?)?)
}

pub fn private_to_pkcs8(kind: Kind, private: &[u8]) -> Result<Vec<u8>> {
    der::write_pkcs8(&der::raw_private_key(kind.raw(), &key(private)?)?)
}

pub fn ed25519_sign(private: &[u8], data: &[u8]) -> Result<Vec<u8>> {
    curve25519::ed25519_sign(&key(private)?, data)
}

pub fn ed25519_verify(public: &[u8], signature: &[u8], data: &[u8]) -> Result<bool> {
    let Ok(signature) = signature.try_into() else { return Ok(false) };
    Ok(curve25519::ed25519_verify(&key(public)?, signature, data))
}

/// The shared secret; [`CryptoError::Operation`] when it is all zero.
pub fn x25519(private: &[u8], public: &[u8]) -> Result<Vec<u8>> {
    curve25519::x25519_agree(&key(private)?, &key(public)?)
}

fn key(bytes: &[u8]) -> Result<[u8; 32]> {
    bytes.try_into().map_err(|_| CryptoError::Data)
}
