//! SHA-1 and SHA-2.

use crate::aws_lc::hash::Hasher;
use crate::stop::{CHUNK_BYTES, check};
use crate::{CryptoError, Result, ShouldStop};

/// The hashes of the standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hash {
    Sha1,
    Sha256,
    Sha384,
    Sha512,
}

impl Hash {
    /// By the standard's name, `SHA-256` for one.
    pub fn from_name(name: &str) -> Result<Self> {
        match name {
            "SHA-1" => Ok(Hash::Sha1),
            "SHA-256" => Ok(Hash::Sha256),
            "SHA-384" => Ok(Hash::Sha384),
            "SHA-512" => Ok(Hash::Sha512),
            _ => Err(CryptoError::NotSupported),
        }
    }

    /// Length of the digest in bytes.
    pub fn output_bytes(self) -> usize {
        match self {
            Hash::Sha1 => 20,
            Hash::Sha256 => 32,
            Hash::Sha384 => 48,
            Hash::Sha512 => 64,
        }
    }
}

/// The digest of `data`.
pub fn digest(hash: Hash, data: &[u8], should_stop: ShouldStop) -> Result<Vec<u8>> {
    let mut hasher = Hasher::new(hash)?;
    for chunk in data.chunks(CHUNK_BYTES) {
        check(should_stop)?;
        hasher.update(chunk)?;
    }
    hasher.finish()
}
