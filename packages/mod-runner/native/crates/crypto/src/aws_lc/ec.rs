use super::big_number::{from_bytes, to_padded_bytes};
use super::owned::{EcKey, EcPoint, EcdsaSignature, Pkey};
use super::{cleared, der, succeeded};
use crate::ec::Curve;
use crate::{CryptoError, Result};
use aws_lc_sys as lc;
use std::ptr::{null, null_mut};

fn group(curve: Curve) -> *const lc::EC_GROUP {
    // SAFETY: these return pointers to constants.
    unsafe {
        match curve {
            Curve::P256 => lc::EC_group_p256(),
            Curve::P384 => lc::EC_group_p384(),
            Curve::P521 => lc::EC_group_p521(),
        }
    }
}

fn nid(curve: Curve) -> std::ffi::c_int {
    match curve {
        Curve::P256 => lc::NID_X9_62_prime256v1,
        Curve::P384 => lc::NID_secp384r1,
        Curve::P521 => lc::NID_secp521r1,
    }
}

/// A key on a known curve: a point, a scalar, or both.
pub(crate) struct Key {
    curve: Curve,
    key: EcKey,
}

impl Key {
    fn empty(curve: Curve) -> Result<Self> {
        // SAFETY: no arguments; null is the failure.
        let key = EcKey::adopt(unsafe { lc::EC_KEY_new() }, CryptoError::Operation)?;
        // SAFETY: a live key and a constant group.
        succeeded(unsafe { lc::EC_KEY_set_group(key.as_ptr(), group(curve)) }, CryptoError::Operation)?;
        Ok(Self { curve, key })
    }

    /// A point in any of SEC 1's encodings but infinity's; refused when it is not on the curve.
    pub(crate) fn from_point(curve: Curve, encoded: &[u8]) -> Result<Self> {
        let key = Self::empty(curve)?;
        key.set_point(encoded)?;
        Ok(key)
    }

    fn set_point(&self, encoded: &[u8]) -> Result<()> {
        let point = new_point(self.curve)?;
        // SAFETY: reads the slice into a live point of the same group; a null scratch space is allowed.
        let code = unsafe {
            lc::EC_POINT_oct2point(
                group(self.curve),
                point.as_ptr(),
                encoded.as_ptr(),
                encoded.len(),
                null_mut(),
            )
        };
        succeeded(code, CryptoError::Data)?;
        self.set_public(&point)
    }

    fn set_public(&self, point: &EcPoint) -> Result<()> {
        // SAFETY: a live key and a live point of the same group, which is copied; infinity is refused.
        let code = unsafe { lc::EC_KEY_set_public_key(self.key.as_ptr(), point.as_ptr()) };
        succeeded(code, CryptoError::Data)
    }

    /// A scalar, big-endian, from 1 to the group's order less one.
    pub(crate) fn from_scalar(curve: Curve, scalar: &[u8]) -> Result<Self> {
        let key = Self::empty(curve)?;
        let number = from_bytes(scalar)?;
        // SAFETY: a live key and number, which is copied.
        let code = unsafe { lc::EC_KEY_set_private_key(key.key.as_ptr(), number.as_ptr()) };
        succeeded(code, CryptoError::Data)?;
        Ok(key)
    }

    /// Gives a key with a scalar the point that belongs to it.
    pub(crate) fn compute_point(&self) -> Result<()> {
        let point = new_point(self.curve)?;
        // SAFETY: a live key; lends its number, or null, which EC_POINT_mul refuses here.
        let scalar = unsafe { lc::EC_KEY_get0_private_key(self.key.as_ptr()) };
        // SAFETY: multiplies the generator; no second point and no scratch space.
        let code = unsafe {
            lc::EC_POINT_mul(group(self.curve), point.as_ptr(), scalar, null(), null(), null_mut())
        };
        succeeded(code, CryptoError::Operation)?;
        self.set_public(&point)
    }

    /// A scalar and a point that must belong together.
    pub(crate) fn from_pair(curve: Curve, scalar: &[u8], encoded: &[u8]) -> Result<Self> {
        let key = Self::from_scalar(curve, scalar)?;
        key.set_point(encoded)?;
        // SAFETY: a live key.
        succeeded(unsafe { lc::EC_KEY_check_key(key.key.as_ptr()) }, CryptoError::Data)?;
        Ok(key)
    }

    pub(crate) fn from_spki(curve: Curve, spki: &[u8]) -> Result<Self> {
        Self::of_pkey(curve, &der::parse_spki(spki)?)
    }

    pub(crate) fn from_pkcs8(curve: Curve, pkcs8: &[u8]) -> Result<Self> {
        Self::of_pkey(curve, &der::parse_pkcs8(pkcs8)?)
    }

    fn of_pkey(curve: Curve, pkey: &Pkey) -> Result<Self> {
        // SAFETY: a live key; the result is counted for us, and null for other kinds.
        let key = EcKey::adopt(unsafe { lc::EVP_PKEY_get1_EC_KEY(pkey.as_ptr()) }, CryptoError::Data)?;
        // SAFETY: a live key, which always has a group here.
        let found = unsafe { lc::EC_GROUP_get_curve_name(lc::EC_KEY_get0_group(key.as_ptr())) };
        if found != nid(curve) {
            return Err(CryptoError::Data);
        }
        Ok(Self { curve, key })
    }

    fn to_pkey(&self) -> Result<Pkey> {
        // SAFETY: no arguments; null is the failure.
        let pkey = Pkey::adopt(unsafe { lc::EVP_PKEY_new() }, CryptoError::Operation)?;
        // SAFETY: two live keys; the EC key is counted once more.
        let code = unsafe { lc::EVP_PKEY_set1_EC_KEY(pkey.as_ptr(), self.key.as_ptr()) };
        succeeded(code, CryptoError::Operation)?;
        Ok(pkey)
    }

    pub(crate) fn to_spki(&self) -> Result<Vec<u8>> {
        der::write_spki(&self.to_pkey()?)
    }

    pub(crate) fn to_pkcs8(&self) -> Result<Vec<u8>> {
        der::write_pkcs8(&self.to_pkey()?)
    }

    /// The point, uncompressed.
    pub(crate) fn point(&self) -> Result<Vec<u8>> {
        let length = 1 + 2 * self.curve.field_bytes();
        let mut bytes = vec![0; length];
        // SAFETY: a live key; lends its point, or null.
        let point = unsafe { lc::EC_KEY_get0_public_key(self.key.as_ptr()) };
        if point.is_null() {
            return Err(CryptoError::Data);
        }
        // SAFETY: writes at most `length` bytes.
        let written = unsafe {
            lc::EC_POINT_point2oct(
                group(self.curve),
                point,
                lc::point_conversion_form_t::POINT_CONVERSION_UNCOMPRESSED,
                bytes.as_mut_ptr(),
                length,
                null_mut(),
            )
        };
        if written == length { Ok(bytes) } else { Err(cleared(CryptoError::Operation)) }
    }

    /// The scalar, padded to the field's length.
    pub(crate) fn scalar(&self) -> Result<Vec<u8>> {
        // SAFETY: a live key; lends its number, or null.
        let scalar = unsafe { lc::EC_KEY_get0_private_key(self.key.as_ptr()) };
        if scalar.is_null() {
            return Err(CryptoError::Data);
        }
        // SAFETY: a live number of the key's.
        unsafe { to_padded_bytes(scalar, self.curve.field_bytes()) }
    }

    /// r and s, each padded to the order's length, one behind the other.
    pub(crate) fn sign(&self, digest: &[u8]) -> Result<Vec<u8>> {
        // SAFETY: a live key; reads the digest.
        let signature = unsafe { lc::ECDSA_do_sign(digest.as_ptr(), digest.len(), self.key.as_ptr()) };
        let signature = EcdsaSignature::adopt(signature, CryptoError::Operation)?;
        let length = self.curve.field_bytes();
        // SAFETY: lends two live numbers of the signature's.
        let (r, s) =
            unsafe { (lc::ECDSA_SIG_get0_r(signature.as_ptr()), lc::ECDSA_SIG_get0_s(signature.as_ptr())) };
        // SAFETY: the signature still lives.
        let mut bytes = unsafe { to_padded_bytes(r, length) }?;
        // SAFETY: the signature still lives.
        bytes.extend(unsafe { to_padded_bytes(s, length) }?);
        Ok(bytes)
    }

    pub(crate) fn verify(&self, digest: &[u8], signature: &[u8]) -> Result<bool> {
        let length = self.curve.field_bytes();
        if signature.len() != 2 * length {
            return Ok(false);
        }
        let (r, s) = signature.split_at(length);
        let (r, s) = (from_bytes(r)?, from_bytes(s)?);
        // SAFETY: no arguments; null is the failure.
        let parsed = EcdsaSignature::adopt(unsafe { lc::ECDSA_SIG_new() }, CryptoError::Operation)?;
        // SAFETY: a live signature takes over two live numbers; it fails for null ones only.
        let code = unsafe { lc::ECDSA_SIG_set0(parsed.as_ptr(), r.into_ptr(), s.into_ptr()) };
        succeeded(code, CryptoError::Operation)?;
        // SAFETY: a live signature and key; reads the digest.
        let code =
            unsafe { lc::ECDSA_do_verify(digest.as_ptr(), digest.len(), parsed.as_ptr(), self.key.as_ptr()) };
        Ok(succeeded(code, CryptoError::Operation).is_ok())
    }

    /// The x coordinate of the scalar times the other's point, padded to the field's length.
    pub(crate) fn agree(&self, other: &Key) -> Result<Vec<u8>> {
        if other.curve != self.curve {
            return Err(CryptoError::Operation);
        }
        let mut secret = vec![0; self.curve.field_bytes()];
        // SAFETY: two live keys; lends the other's point; no derivation function; writes `len` bytes.
        let written = unsafe {
            lc::ECDH_compute_key(
                secret.as_mut_ptr().cast(),
                secret.len(),
                lc::EC_KEY_get0_public_key(other.key.as_ptr()),
                self.key.as_ptr(),
                None,
            )
        };
        if usize::try_from(written) == Ok(secret.len()) {
            Ok(secret)
        } else {
            Err(cleared(CryptoError::Operation))
        }
    }
}

fn new_point(curve: Curve) -> Result<EcPoint> {
    // SAFETY: a constant group; null is the failure.
    EcPoint::adopt(unsafe { lc::EC_POINT_new(group(curve)) }, CryptoError::Operation)
}
