//! Every operation under one name: what the JavaScript layer calls.
//!
//! Fields are byte strings. Names of hashes, curves and kinds are their UTF-8; numbers are four bytes,
//! big-endian; a truth is one byte, 0 or 1. The JavaScript side of the same list, with what each field
//! and result is, stands in `packages/mod-webcrypto/src/native-ops.ts`.

use crate::curve25519::Kind;
use crate::digest::Hash;
use crate::ec::{Curve, KeyPair};
use crate::{CryptoError, Result, ShouldStop, aes, curve25519, digest, ec, hmac, kdf, random, rsa};

type Fields<'a, 'b> = &'a [&'b [u8]];

/// Runs `operation` on its fields.
///
/// An unknown operation, a wrong number of fields or a field of the wrong form is
/// [`CryptoError::NotSupported`]: that is a fault of the caller's code, not of a mod's.
pub fn call(operation: &str, fields: Fields, should_stop: ShouldStop) -> Result<Vec<Vec<u8>>> {
    let (family, verb) = operation.split_once('.').unwrap_or((operation, ""));
    match family {
        "random" => random_operation(fields),
        "digest" => digest_operation(fields, should_stop),
        "hmac" => hmac_operation(verb, fields, should_stop),
        "aes" => aes_operation(verb, fields, should_stop),
        "rsa" => rsa_operation(verb, fields, should_stop),
        "ec" => ec_operation(verb, fields, should_stop),
        "curve25519" => curve25519_operation(verb, fields),
        "kdf" => kdf_operation(verb, fields, should_stop),
        _ => Err(CryptoError::NotSupported),
    }
}

fn random_operation(fields: Fields) -> Result<Vec<Vec<u8>>> {
    match fields {
        [length] => one(random::bytes(number(length)? as usize)?),
        _ => Err(CryptoError::NotSupported),
    }
}

fn digest_operation(fields: Fields, should_stop: ShouldStop) -> Result<Vec<Vec<u8>>> {
    match fields {
        [name, data] => one(digest::digest(hash(name)?, data, should_stop)?),
        _ => Err(CryptoError::NotSupported),
    }
}

fn hmac_operation(verb: &str, fields: Fields, should_stop: ShouldStop) -> Result<Vec<Vec<u8>>> {
    match (verb, fields) {
        ("sign", [name, key, data]) => one(hmac::sign(hash(name)?, key, data, should_stop)?),
        ("verify", [name, key, tag, data]) => truth(hmac::verify(hash(name)?, key, tag, data, should_stop)?),
        _ => Err(CryptoError::NotSupported),
    }
}

fn aes_operation(verb: &str, fields: Fields, should_stop: ShouldStop) -> Result<Vec<Vec<u8>>> {
    match (verb, fields) {
        ("ctr", [key, counter, bits, data]) => one(aes::ctr(key, counter, number(bits)?, data, should_stop)?),
        ("cbcEncrypt", [key, iv, data]) => one(aes::cbc_encrypt(key, iv, data, should_stop)?),
        ("cbcDecrypt", [key, iv, data]) => one(aes::cbc_decrypt(key, iv, data, should_stop)?),
        ("gcmEncrypt", [key, iv, additional_data, tag_bits, data]) => {
            let params = aes::GcmParams { iv, additional_data, tag_bits: number(tag_bits)? };
            one(aes::gcm_encrypt(key, params, data, should_stop)?)
        }
        ("gcmDecrypt", [key, iv, additional_data, tag_bits, data]) => {
            let params = aes::GcmParams { iv, additional_data, tag_bits: number(tag_bits)? };
            one(aes::gcm_decrypt(key, params, data, should_stop)?)
        }
        ("wrap", [key, data]) => one(aes::key_wrap(key, data)?),
        ("unwrap", [key, data]) => one(aes::key_unwrap(key, data)?),
        _ => Err(CryptoError::NotSupported),
    }
}

fn rsa_operation(verb: &str, fields: Fields, should_stop: ShouldStop) -> Result<Vec<Vec<u8>>> {
    match (verb, fields) {
        ("generate", [bits, exponent]) => {
            let (private, public) = rsa::generate(number(bits)?, exponent, should_stop)?;
            Ok(vec![private, public])
        }
        ("publicFromSpki", [spki]) => one(rsa::public_from_spki(spki)?),
        ("privateFromPkcs8", [pkcs8]) => one(rsa::private_from_pkcs8(pkcs8)?),
        ("publicToSpki", [public]) => one(rsa::public_to_spki(public)?),
        ("privateToPkcs8", [private]) => one(rsa::private_to_pkcs8(private)?),
        ("publicFromParts", [n, e]) => one(rsa::public_from_parts(n, e)?),
        ("privateFromParts", parts) => {
            let parts = parts.try_into().map_err(|_| CryptoError::NotSupported)?;
            one(rsa::private_from_parts(parts)?)
        }
        ("publicParts", [public]) => Ok(rsa::public_parts(public)?.into()),
        ("privateParts", [private]) => Ok(rsa::private_parts(private)?.into()),
        ("publicDetails", [public]) => details(rsa::public_details(public)?),
        ("privateDetails", [private]) => details(rsa::private_details(private)?),
        _ => rsa_use(verb, fields, should_stop),
    }
}

fn rsa_use(verb: &str, fields: Fields, should_stop: ShouldStop) -> Result<Vec<Vec<u8>>> {
    match (verb, fields) {
        ("pkcs1Sign", [name, private, data]) => {
            one(rsa::pkcs1_sign(hash(name)?, private, data, should_stop)?)
        }
        ("pkcs1Verify", [name, public, signature, data]) => {
            truth(rsa::pkcs1_verify(hash(name)?, public, signature, data, should_stop)?)
        }
        ("pssSign", [name, private, salt, data]) => {
            one(rsa::pss_sign(hash(name)?, private, number(salt)?, data, should_stop)?)
        }
        ("pssVerify", [name, public, salt, signature, data]) => {
            truth(rsa::pss_verify(hash(name)?, public, number(salt)?, signature, data, should_stop)?)
        }
        ("oaepEncrypt", [name, public, label, data]) => {
            one(rsa::oaep_encrypt(hash(name)?, public, label, data)?)
        }
        ("oaepDecrypt", [name, private, label, data]) => {
            one(rsa::oaep_decrypt(hash(name)?, private, label, data)?)
        }
        _ => Err(CryptoError::NotSupported),
    }
}

fn details((modulus_bits, exponent): (u32, Vec<u8>)) -> Result<Vec<Vec<u8>>> {
    Ok(vec![modulus_bits.to_be_bytes().to_vec(), exponent])
}

fn ec_operation(verb: &str, fields: Fields, should_stop: ShouldStop) -> Result<Vec<Vec<u8>>> {
    let Some((name, rest)) = fields.split_first() else { return Err(CryptoError::NotSupported) };
    let curve = Curve::from_name(text(name)?)?;
    match (verb, rest) {
        ("generate", []) => key_pair(ec::generate(curve)?),
        ("publicFromRaw", [raw]) => one(ec::public_from_raw(curve, raw)?),
        ("publicFromSpki", [spki]) => one(ec::public_from_spki(curve, spki)?),
        ("privateFromPkcs8", [pkcs8]) => key_pair(ec::private_from_pkcs8(curve, pkcs8)?),
        ("publicToSpki", [point]) => one(ec::public_to_spki(curve, point)?),
        ("privateToPkcs8", [scalar]) => one(ec::private_to_pkcs8(curve, scalar)?),
        ("publicFromParts", [x, y]) => one(ec::public_from_parts(curve, x, y)?),
        ("privateFromParts", [x, y, d]) => key_pair(ec::private_from_parts(curve, x, y, d)?),
        ("sign", [hash_name, scalar, data]) => {
            one(ec::ecdsa_sign(curve, hash(hash_name)?, scalar, data, should_stop)?)
        }
        ("verify", [hash_name, point, signature, data]) => {
            truth(ec::ecdsa_verify(curve, hash(hash_name)?, point, signature, data, should_stop)?)
        }
        ("agree", [scalar, point]) => one(ec::ecdh(curve, scalar, point)?),
        _ => Err(CryptoError::NotSupported),
    }
}

fn key_pair(pair: KeyPair) -> Result<Vec<Vec<u8>>> {
    Ok(vec![pair.scalar, pair.point])
}

fn curve25519_operation(verb: &str, fields: Fields) -> Result<Vec<Vec<u8>>> {
    let Some((name, rest)) = fields.split_first() else { return Err(CryptoError::NotSupported) };
    let kind = Kind::from_name(text(name)?)?;
    match (verb, rest) {
        ("generate", []) => {
            let (private, public) = curve25519::generate(kind)?;
            Ok(vec![private.to_vec(), public.to_vec()])
        }
        ("publicFromPrivate", [private]) => one(curve25519::public_from_private(kind, private)?.to_vec()),
        ("publicFromSpki", [spki]) => one(curve25519::public_from_spki(kind, spki)?.to_vec()),
        ("privateFromPkcs8", [pkcs8]) => one(curve25519::private_from_pkcs8(kind, pkcs8)?.to_vec()),
        ("publicToSpki", [public]) => one(curve25519::public_to_spki(kind, public)?),
        ("privateToPkcs8", [private]) => one(curve25519::private_to_pkcs8(kind, private)?),
        ("sign", [private, data]) if kind == Kind::Ed25519 => one(curve25519::ed25519_sign(private, data)?),
        ("verify", [public, signature, data]) if kind == Kind::Ed25519 => {
            truth(curve25519::ed25519_verify(public, signature, data)?)
        }
        ("agree", [private, public]) if kind == Kind::X25519 => one(curve25519::x25519(private, public)?),
        _ => Err(CryptoError::NotSupported),
    }
}

fn kdf_operation(verb: &str, fields: Fields, should_stop: ShouldStop) -> Result<Vec<Vec<u8>>> {
    match (verb, fields) {
        ("hkdf", [name, secret, salt, info, length]) => {
            one(kdf::hkdf(hash(name)?, secret, salt, info, number(length)? as usize)?)
        }
        ("pbkdf2", [name, password, salt, iterations, length]) => {
            let params = kdf::Pbkdf2Params {
                hash: hash(name)?,
                salt,
                iterations: number(iterations)?,
                length_bytes: number(length)? as usize,
            };
            one(kdf::pbkdf2(password, params, should_stop)?)
        }
        _ => Err(CryptoError::NotSupported),
    }
}

fn text(field: &[u8]) -> Result<&str> {
    std::str::from_utf8(field).map_err(|_| CryptoError::NotSupported)
}

fn hash(field: &[u8]) -> Result<Hash> {
    Hash::from_name(text(field)?)
}

fn number(field: &[u8]) -> Result<u32> {
    field.try_into().map(u32::from_be_bytes).map_err(|_| CryptoError::NotSupported)
}

fn one(bytes: Vec<u8>) -> Result<Vec<Vec<u8>>> {
    Ok(vec![bytes])
}

fn truth(value: bool) -> Result<Vec<Vec<u8>>> {
    one(vec![u8::from(value)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn field_of_the_wrong_form_is_the_callers_fault() {
        assert_eq!(call("digest", &[b"SHA-256"], &|| false), Err(CryptoError::NotSupported));
        assert_eq!(call("random", &[b"16"], &|| false), Err(CryptoError::NotSupported));
        assert_eq!(call("nothing", &[], &|| false), Err(CryptoError::NotSupported));
    }

    #[test]
    fn operation_answers_its_fields() {
        let empty = call("digest", &[b"SHA-1", b""], &|| false).unwrap();
        assert_eq!(empty[0][..4], [0xda, 0x39, 0xa3, 0xee]);
    }
}
