//! ECDSA and ECDH on P-256, P-384 and P-521.
//!
//! Between calls a public key is an uncompressed point and a private one its scalar, padded to the
//! field's length.

use crate::aws_lc::ec::Key;
use crate::digest::{Hash, digest};
use crate::{CryptoError, Result, ShouldStop, random};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Curve {
    P256,
    P384,
    P521,
}

impl Curve {
    /// By the standard's name, `P-256` for one.
    pub fn from_name(name: &str) -> Result<Self> {
        match name {
            "P-256" => Ok(Curve::P256),
            "P-384" => Ok(Curve::P384),
            "P-521" => Ok(Curve::P521),
            _ => Err(CryptoError::NotSupported),
        }
    }

    /// Length in bytes of a coordinate; of a scalar as well, on these curves.
    pub fn field_bytes(self) -> usize {
        match self {
            Curve::P256 => 32,
            Curve::P384 => 48,
            Curve::P521 => 66,
        }
    }

    /// The DER AlgorithmIdentifier of a key on this curve: id-ecPublicKey and the curve's own name.
    fn algorithm_identifier(self) -> &'static [u8] {
        match self {
            Curve::P256 => {
                b"\x30\x13\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07"
            }
            Curve::P384 => b"\x30\x10\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x05\x2b\x81\x04\x00\x22",
            Curve::P521 => b"\x30\x10\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x05\x2b\x81\x04\x00\x23",
        }
    }

    /// What of a scalar's first byte belongs to a number of the order's length in bits.
    fn first_byte_mask(self) -> u8 {
        match self {
            Curve::P256 | Curve::P384 => 0xff,
            Curve::P521 => 0x01,
        }
    }
}

/// A private key and its point.
pub struct KeyPair {
    pub scalar: Vec<u8>,
    pub point: Vec<u8>,
}

impl KeyPair {
    fn of(key: &Key) -> Result<Self> {
        Ok(Self { scalar: key.scalar()?, point: key.point()? })
    }
}

/// Far more tries than a healthy generator ever needs: one in 2³² fails at P-256, fewer elsewhere.
const MAX_TRIES: usize = 64;

/// A new key, its scalar from the kernel's generator: the first candidate in range.
pub fn generate(curve: Curve) -> Result<KeyPair> {
    for _ in 0..MAX_TRIES {
        let mut scalar = random::bytes(curve.field_bytes())?;
        scalar[0] &= curve.first_byte_mask();
        if let Ok(key) = Key::from_scalar(curve, &scalar) {
            key.compute_point()?;
            return KeyPair::of(&key);
        }
    }
    Err(CryptoError::Operation)
}

/// From any of SEC 1's encodings of a point other than infinity.
pub fn public_from_raw(curve: Curve, raw: &[u8]) -> Result<Vec<u8>> {
    Key::from_point(curve, raw)?.point()
}

/// Refuses a curve that is spelled out, even when it is this one: the standard wants its name.
pub fn public_from_spki(curve: Curve, spki: &[u8]) -> Result<Vec<u8>> {
    expect_named_curve(curve, sequence_body(spki)?)?;
    Key::from_spki(curve, spki)?.point()
}

/// Refuses a curve that is spelled out, as [`public_from_spki`] does.
pub fn private_from_pkcs8(curve: Curve, pkcs8: &[u8]) -> Result<KeyPair> {
    // The version, an integer of one byte, stands in front of the algorithm.
    expect_named_curve(curve, sequence_body(pkcs8)?.get(3..).ok_or(CryptoError::Data)?)?;
    KeyPair::of(&Key::from_pkcs8(curve, pkcs8)?)
}

/// What follows the header of a DER sequence. Whether it is one is for the parser to say.
fn sequence_body(der: &[u8]) -> Result<&[u8]> {
    let header_bytes = match der.get(1) {
        Some(long @ 0x81..) => 2 + usize::from(long - 0x80),
        _ => 2,
    };
    der.get(header_bytes..).ok_or(CryptoError::Data)
}

fn expect_named_curve(curve: Curve, der: &[u8]) -> Result<()> {
    if der.starts_with(curve.algorithm_identifier()) { Ok(()) } else { Err(CryptoError::Data) }
}

pub fn public_to_spki(curve: Curve, point: &[u8]) -> Result<Vec<u8>> {
    Key::from_point(curve, point)?.to_spki()
}

pub fn private_to_pkcs8(curve: Curve, scalar: &[u8]) -> Result<Vec<u8>> {
    private_key(curve, scalar)?.to_pkcs8()
}

fn private_key(curve: Curve, scalar: &[u8]) -> Result<Key> {
    let key = Key::from_scalar(curve, scalar)?;
    key.compute_point()?;
    Ok(key)
}

/// From a JWK's `x` and `y`, which have the field's length.
pub fn public_from_parts(curve: Curve, x: &[u8], y: &[u8]) -> Result<Vec<u8>> {
    public_from_raw(curve, &uncompressed(curve, x, y)?)
}

/// From a JWK's `x`, `y` and `d`, which have the field's length and must belong together.
pub fn private_from_parts(curve: Curve, x: &[u8], y: &[u8], d: &[u8]) -> Result<KeyPair> {
    if d.len() != curve.field_bytes() {
        return Err(CryptoError::Data);
    }
    KeyPair::of(&Key::from_pair(curve, d, &uncompressed(curve, x, y)?)?)
}

fn uncompressed(curve: Curve, x: &[u8], y: &[u8]) -> Result<Vec<u8>> {
    if x.len() != curve.field_bytes() || y.len() != curve.field_bytes() {
        return Err(CryptoError::Data);
    }
    Ok([&[4], x, y].concat())
}

/// r and s, each padded to the field's length.
pub fn ecdsa_sign(
    curve: Curve,
    hash: Hash,
    scalar: &[u8],
    data: &[u8],
    should_stop: ShouldStop,
) -> Result<Vec<u8>> {
    Key::from_scalar(curve, scalar)?.sign(&digest(hash, data, should_stop)?)
}

pub fn ecdsa_verify(
    curve: Curve,
    hash: Hash,
    point: &[u8],
    signature: &[u8],
    data: &[u8],
    should_stop: ShouldStop,
) -> Result<bool> {
    Key::from_point(curve, point)?.verify(&digest(hash, data, should_stop)?, signature)
}

/// The shared x coordinate, padded to the field's length.
pub fn ecdh(curve: Curve, scalar: &[u8], point: &[u8]) -> Result<Vec<u8>> {
    Key::from_scalar(curve, scalar)?.agree(&Key::from_point(curve, point)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_keys_agree_with_each_other() {
        for curve in [Curve::P256, Curve::P384, Curve::P521] {
            let (one, other) = (generate(curve).unwrap(), generate(curve).unwrap());
            assert_eq!(
                ecdh(curve, &one.scalar, &other.point).unwrap(),
                ecdh(curve, &other.scalar, &one.point).unwrap()
            );
        }
    }

    #[test]
    fn point_that_is_not_the_scalars_is_refused() {
        let (one, other) = (generate(Curve::P256).unwrap(), generate(Curve::P256).unwrap());
        let result = private_from_parts(Curve::P256, &other.point[1..33], &other.point[33..], &one.scalar);
        assert_eq!(result.err(), Some(CryptoError::Data));
    }
}
