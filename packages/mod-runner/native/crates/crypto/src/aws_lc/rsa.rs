use super::big_number::{from_bytes, to_bytes};
use super::hash::{evp_md, nid};
use super::owned::{GeneratorCallback, Pkey, RsaKey, take_allocation};
use super::{cleared, der, succeeded};
use crate::digest::Hash;
use crate::{CryptoError, Result, ShouldStop};
use aws_lc_sys as lc;
use std::ffi::{c_int, c_uint};

/// An RSA key, public or private: the functions that need the private half fail without it.
pub(crate) struct Rsa(RsaKey);

impl Rsa {
    pub(crate) fn generate(modulus_bits: u32, exponent: &[u8], should_stop: ShouldStop) -> Result<Self> {
        let exponent = from_bytes(exponent)?;
        let bits = c_int::try_from(modulus_bits).map_err(|_| CryptoError::Operation)?;
        // SAFETY: no arguments; null is the failure.
        let key = RsaKey::adopt(unsafe { lc::RSA_new() }, CryptoError::Operation)?;
        // SAFETY: no arguments; null is the failure.
        let callback = GeneratorCallback::adopt(unsafe { lc::BN_GENCB_new() }, CryptoError::Operation)?;
        let mut watch = Watch { should_stop, stopped: false };
        // SAFETY: `watch` outlives the generation below, and nothing else uses it meanwhile.
        unsafe {
            lc::BN_GENCB_set(callback.as_ptr(), Some(on_candidate), (&raw mut watch).cast());
        }
        // SAFETY: live key, exponent and callback.
        let code =
            unsafe { lc::RSA_generate_key_ex(key.as_ptr(), bits, exponent.as_ptr(), callback.as_ptr()) };
        let error = if watch.stopped { CryptoError::Interrupted } else { CryptoError::Operation };
        succeeded(code, error)?;
        Ok(Self(key))
    }

    pub(crate) fn from_public_der(pkcs1: &[u8]) -> Result<Self> {
        // SAFETY: reads the slice.
        let key = unsafe { lc::RSA_public_key_from_bytes(pkcs1.as_ptr(), pkcs1.len()) };
        RsaKey::adopt(key, CryptoError::Data).map(Self)
    }

    pub(crate) fn from_private_der(pkcs1: &[u8]) -> Result<Self> {
        // SAFETY: reads the slice.
        let key = unsafe { lc::RSA_private_key_from_bytes(pkcs1.as_ptr(), pkcs1.len()) };
        RsaKey::adopt(key, CryptoError::Data).map(Self)
    }

    pub(crate) fn from_public_parts(modulus: &[u8], exponent: &[u8]) -> Result<Self> {
        let (n, e) = (from_bytes(modulus)?, from_bytes(exponent)?);
        // SAFETY: live numbers, which are copied.
        let key = unsafe { lc::RSA_new_public_key(n.as_ptr(), e.as_ptr()) };
        RsaKey::adopt(key, CryptoError::Data).map(Self)
    }

    /// n, e, d, p, q, d mod p-1, d mod q-1, 1/q mod p: checked against each other.
    pub(crate) fn from_private_parts(parts: &[&[u8]; 8]) -> Result<Self> {
        let [n, e, d, p, q, dp, dq, qi] = parts.map(from_bytes);
        let (n, e, d, p, q, dp, dq, qi) = (n?, e?, d?, p?, q?, dp?, dq?, qi?);
        // SAFETY: live numbers, which are copied.
        let key = unsafe {
            lc::RSA_new_private_key(
                n.as_ptr(),
                e.as_ptr(),
                d.as_ptr(),
                p.as_ptr(),
                q.as_ptr(),
                dp.as_ptr(),
                dq.as_ptr(),
                qi.as_ptr(),
            )
        };
        RsaKey::adopt(key, CryptoError::Data).map(Self)
    }

    pub(crate) fn from_spki(spki: &[u8]) -> Result<Self> {
        Self::of_pkey(&der::parse_spki(spki)?)
    }

    pub(crate) fn from_pkcs8(pkcs8: &[u8]) -> Result<Self> {
        Self::of_pkey(&der::parse_pkcs8(pkcs8)?)
    }

    fn of_pkey(pkey: &Pkey) -> Result<Self> {
        // SAFETY: a live key.
        if unsafe { lc::EVP_PKEY_id(pkey.as_ptr()) } != lc::EVP_PKEY_RSA {
            return Err(CryptoError::Data);
        }
        // SAFETY: a live key; the result is counted for us, and null for other kinds.
        RsaKey::adopt(unsafe { lc::EVP_PKEY_get1_RSA(pkey.as_ptr()) }, CryptoError::Data).map(Self)
    }

    pub(super) fn to_pkey(&self) -> Result<Pkey> {
        // SAFETY: no arguments; null is the failure.
        let pkey = Pkey::adopt(unsafe { lc::EVP_PKEY_new() }, CryptoError::Operation)?;
        // SAFETY: two live keys; the RSA key is counted once more.
        succeeded(unsafe { lc::EVP_PKEY_set1_RSA(pkey.as_ptr(), self.0.as_ptr()) }, CryptoError::Operation)?;
        Ok(pkey)
    }

    pub(crate) fn to_spki(&self) -> Result<Vec<u8>> {
        der::write_spki(&self.to_pkey()?)
    }

    pub(crate) fn to_pkcs8(&self) -> Result<Vec<u8>> {
        der::write_pkcs8(&self.to_pkey()?)
    }

    pub(crate) fn to_public_der(&self) -> Result<Vec<u8>> {
        self.write(lc::RSA_public_key_to_bytes)
    }

    pub(crate) fn to_private_der(&self) -> Result<Vec<u8>> {
        self.write(lc::RSA_private_key_to_bytes)
    }

    fn write(
        &self,
        writer: unsafe extern "C" fn(*mut *mut u8, *mut usize, *const lc::RSA) -> c_int,
    ) -> Result<Vec<u8>> {
        let (mut bytes, mut length) = (std::ptr::null_mut(), 0);
        // SAFETY: a live key; hands over an allocation.
        let code = unsafe { writer(&mut bytes, &mut length, self.0.as_ptr()) };
        succeeded(code, CryptoError::Operation)?;
        // SAFETY: the allocation just handed over.
        Ok(unsafe { take_allocation(bytes, length) })
    }

    /// n, e, d, p, q, d mod p-1, d mod q-1, 1/q mod p; the private ones are empty in a public key.
    pub(crate) fn parts(&self) -> Result<[Vec<u8>; 8]> {
        let key = self.0.as_ptr();
        // SAFETY: a live key; the getters lend numbers of it, or null.
        let parts = unsafe {
            [
                to_bytes(lc::RSA_get0_n(key)),
                to_bytes(lc::RSA_get0_e(key)),
                to_bytes(lc::RSA_get0_d(key)),
                to_bytes(lc::RSA_get0_p(key)),
                to_bytes(lc::RSA_get0_q(key)),
                to_bytes(lc::RSA_get0_dmp1(key)),
                to_bytes(lc::RSA_get0_dmq1(key)),
                to_bytes(lc::RSA_get0_iqmp(key)),
            ]
        };
        let [n, e, d, p, q, dp, dq, qi] = parts;
        Ok([n?, e?, d?, p?, q?, dp?, dq?, qi?])
    }

    pub(crate) fn modulus_bits(&self) -> u32 {
        // SAFETY: a live key.
        unsafe { lc::RSA_bits(self.0.as_ptr()) }
    }

    fn modulus_bytes(&self) -> usize {
        // SAFETY: a live key.
        unsafe { lc::RSA_size(self.0.as_ptr()) as usize }
    }

    pub(crate) fn sign_pkcs1(&self, hash: Hash, digest: &[u8]) -> Result<Vec<u8>> {
        let mut signature = vec![0; self.modulus_bytes()];
        let mut length: c_uint = 0;
        // SAFETY: writes at most RSA_size bytes.
        let code = unsafe {
            lc::RSA_sign(
                nid(hash),
                digest.as_ptr(),
                digest.len(),
                signature.as_mut_ptr(),
                &mut length,
                self.0.as_ptr(),
            )
        };
        succeeded(code, CryptoError::Operation)?;
        signature.truncate(length as usize);
        Ok(signature)
    }

    pub(crate) fn verify_pkcs1(&self, hash: Hash, digest: &[u8], signature: &[u8]) -> bool {
        // SAFETY: every pointer goes with its slice's length.
        let code = unsafe {
            lc::RSA_verify(
                nid(hash),
                digest.as_ptr(),
                digest.len(),
                signature.as_ptr(),
                signature.len(),
                self.0.as_ptr(),
            )
        };
        succeeded(code, CryptoError::Operation).is_ok()
    }

    pub(crate) fn sign_pss(&self, hash: Hash, salt_bytes: u32, digest: &[u8]) -> Result<Vec<u8>> {
        let salt_bytes = self.salt_length(hash, salt_bytes)?;
        let mut signature = vec![0; self.modulus_bytes()];
        let mut length = 0;
        // SAFETY: writes at most the buffer's length.
        let code = unsafe {
            lc::RSA_sign_pss_mgf1(
                self.0.as_ptr(),
                &mut length,
                signature.as_mut_ptr(),
                signature.len(),
                digest.as_ptr(),
                digest.len(),
                evp_md(hash),
                evp_md(hash),
                salt_bytes,
            )
        };
        succeeded(code, CryptoError::Operation)?;
        signature.truncate(length);
        Ok(signature)
    }

    pub(crate) fn verify_pss(&self, hash: Hash, salt_bytes: u32, digest: &[u8], signature: &[u8]) -> bool {
        let Ok(salt_bytes) = self.salt_length(hash, salt_bytes) else { return false };
        // SAFETY: every pointer goes with its slice's length.
        let code = unsafe {
            lc::RSA_verify_pss_mgf1(
                self.0.as_ptr(),
                digest.as_ptr(),
                digest.len(),
                evp_md(hash),
                evp_md(hash),
                salt_bytes,
                signature.as_ptr(),
                signature.len(),
            )
        };
        succeeded(code, CryptoError::Operation).is_ok()
    }

    /// The salt's length if the encoded message has room for it (RFC 8017, 9.1.1, step 3).
    fn salt_length(&self, hash: Hash, salt_bytes: u32) -> Result<c_int> {
        let encoded_bytes = (self.modulus_bits() as usize).saturating_sub(1).div_ceil(8);
        let room = encoded_bytes.checked_sub(hash.output_bytes() + 2);
        match room {
            Some(room) if salt_bytes as usize <= room => {
                c_int::try_from(salt_bytes).map_err(|_| CryptoError::Operation)
            }
            _ => Err(CryptoError::Operation),
        }
    }
}

struct Watch<'a> {
    should_stop: ShouldStop<'a>,
    stopped: bool,
}

/// AWS-LC calls this at each candidate prime and each round of its test; 0 ends the generation.
extern "C" fn on_candidate(_event: c_int, _round: c_int, callback: *mut lc::BN_GENCB) -> c_int {
    // SAFETY: the argument set in `generate`, which is waiting for us.
    let watch = unsafe { &mut *lc::BN_GENCB_get_arg(callback).cast::<Watch>() };
    // A panic must not unwind through C: extern "C" aborts instead.
    watch.stopped = watch.stopped || (watch.should_stop)();
    if watch.stopped {
        cleared(CryptoError::Interrupted);
    }
    c_int::from(!watch.stopped)
}
