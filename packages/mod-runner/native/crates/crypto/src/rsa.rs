//! RSA: PKCS #1 v1.5 signatures, PSS, OAEP, and keys in every form of the standard.
//!
//! Between calls a public key is a DER RSAPublicKey and a private one a DER RSAPrivateKey (RFC 8017,
//! appendix A.1). Reading a private key checks that its numbers belong together.

use crate::aws_lc::rsa::Rsa;
use crate::aws_lc::rsa_oaep;
use crate::digest::{Hash, digest};
use crate::{CryptoError, Result, ShouldStop};

/// AWS-LC rounds other lengths down to a multiple of this; the standard wants what was asked for.
const MODULUS_STEP_BITS: u32 = 128;
/// What others take as the least; shorter keys are no keys.
const MIN_GENERATED_BITS: u32 = 512;
const MAX_MODULUS_BITS: u32 = 16_384;
const MAX_EXPONENT_BYTES: usize = 4;

/// A new key: the private and the public half.
///
/// `modulus_bits` is a multiple of 128 from 512 to 16,384; `exponent` is big-endian, odd, from 3 to 2³²-1.
pub fn generate(modulus_bits: u32, exponent: &[u8], should_stop: ShouldStop) -> Result<(Vec<u8>, Vec<u8>)> {
    let in_range = (MIN_GENERATED_BITS..=MAX_MODULUS_BITS).contains(&modulus_bits);
    if !in_range || !modulus_bits.is_multiple_of(MODULUS_STEP_BITS) {
        return Err(CryptoError::Operation);
    }
    if !is_usable_exponent(exponent) {
        return Err(CryptoError::Operation);
    }
    let key = Rsa::generate(modulus_bits, exponent, should_stop)?;
    Ok((key.to_private_der()?, key.to_public_der()?))
}

/// AWS-LC looks for primes until some fit: for other exponents there are none, and it never ends.
fn is_usable_exponent(exponent: &[u8]) -> bool {
    let digits = &exponent[exponent.iter().take_while(|byte| **byte == 0).count()..];
    let is_odd = digits.last().is_some_and(|byte| byte & 1 == 1);
    is_odd && digits != [1] && digits.len() <= MAX_EXPONENT_BYTES
}

pub fn public_from_spki(spki: &[u8]) -> Result<Vec<u8>> {
    Rsa::from_spki(spki)?.to_public_der()
}

pub fn private_from_pkcs8(pkcs8: &[u8]) -> Result<Vec<u8>> {
    Rsa::from_pkcs8(pkcs8)?.to_private_der()
}

pub fn public_to_spki(public: &[u8]) -> Result<Vec<u8>> {
    Rsa::from_public_der(public)?.to_spki()
}

pub fn private_to_pkcs8(private: &[u8]) -> Result<Vec<u8>> {
    Rsa::from_private_der(private)?.to_pkcs8()
}

/// From a JWK's `n` and `e`, big-endian.
pub fn public_from_parts(modulus: &[u8], exponent: &[u8]) -> Result<Vec<u8>> {
    Rsa::from_public_parts(modulus, exponent)?.to_public_der()
}

/// From a JWK's `n`, `e`, `d`, `p`, `q`, `dp`, `dq`, `qi`, big-endian.
pub fn private_from_parts(parts: &[&[u8]; 8]) -> Result<Vec<u8>> {
    Rsa::from_private_parts(parts)?.to_private_der()
}

/// A JWK's `n` and `e`, without leading zeros.
pub fn public_parts(public: &[u8]) -> Result<[Vec<u8>; 2]> {
    let [n, e, ..] = Rsa::from_public_der(public)?.parts()?;
    Ok([n, e])
}

/// A JWK's `n`, `e`, `d`, `p`, `q`, `dp`, `dq`, `qi`, without leading zeros.
pub fn private_parts(private: &[u8]) -> Result<[Vec<u8>; 8]> {
    Rsa::from_private_der(private)?.parts()
}

/// The modulus's length in bits and the exponent of a public key.
pub fn public_details(public: &[u8]) -> Result<(u32, Vec<u8>)> {
    details(&Rsa::from_public_der(public)?)
}

/// The modulus's length in bits and the public exponent of a private key.
pub fn private_details(private: &[u8]) -> Result<(u32, Vec<u8>)> {
    details(&Rsa::from_private_der(private)?)
}

fn details(key: &Rsa) -> Result<(u32, Vec<u8>)> {
    let [_, exponent, ..] = key.parts()?;
    Ok((key.modulus_bits(), exponent))
}

pub fn pkcs1_sign(hash: Hash, private: &[u8], data: &[u8], should_stop: ShouldStop) -> Result<Vec<u8>> {
    Rsa::from_private_der(private)?.sign_pkcs1(hash, &digest(hash, data, should_stop)?)
}

pub fn pkcs1_verify(
    hash: Hash,
    public: &[u8],
    signature: &[u8],
    data: &[u8],
    should_stop: ShouldStop,
) -> Result<bool> {
    Ok(Rsa::from_public_der(public)?.verify_pkcs1(hash, &digest(hash, data, should_stop)?, signature))
}

/// PSS with MGF1 over the same hash and a salt of `salt_bytes`; fails when the modulus has no room for it.
pub fn pss_sign(
    hash: Hash,
    private: &[u8],
    salt_bytes: u32,
    data: &[u8],
    should_stop: ShouldStop,
) -> Result<Vec<u8>> {
    Rsa::from_private_der(private)?.sign_pss(hash, salt_bytes, &digest(hash, data, should_stop)?)
}

/// False for a salt of another length than `salt_bytes`.
pub fn pss_verify(
    hash: Hash,
    public: &[u8],
    salt_bytes: u32,
    signature: &[u8],
    data: &[u8],
    should_stop: ShouldStop,
) -> Result<bool> {
    let digest = digest(hash, data, should_stop)?;
    Ok(Rsa::from_public_der(public)?.verify_pss(hash, salt_bytes, &digest, signature))
}

/// OAEP with MGF1 over the same hash.
pub fn oaep_encrypt(hash: Hash, public: &[u8], label: &[u8], data: &[u8]) -> Result<Vec<u8>> {
    rsa_oaep::encrypt(&Rsa::from_public_der(public)?, hash, label, data)
}

/// Fails for every wrong length, padding or label alike.
pub fn oaep_decrypt(hash: Hash, private: &[u8], label: &[u8], data: &[u8]) -> Result<Vec<u8>> {
    rsa_oaep::decrypt(&Rsa::from_private_der(private)?, hash, label, data)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generation_ends_when_told() {
        assert_eq!(generate(16_384, &[1, 0, 1], &|| true), Err(CryptoError::Interrupted));
    }

    #[test]
    fn exponent_that_no_primes_fit_is_refused() {
        for exponent in [&[][..], &[0], &[1], &[2], &[0, 0, 1], &[1, 0, 0, 0, 1]] {
            assert_eq!(generate(1024, exponent, &|| false), Err(CryptoError::Operation));
        }
    }

    #[test]
    fn modulus_that_would_be_rounded_is_refused() {
        assert_eq!(generate(1025, &[1, 0, 1], &|| false), Err(CryptoError::Operation));
    }
}
