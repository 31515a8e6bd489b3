//! Keys from secrets: HKDF and PBKDF2.

use crate::aws_lc::hkdf;
use crate::aws_lc::mac::Mac;
use crate::digest::Hash;
use crate::stop::check;
use crate::{CryptoError, Result, ShouldStop};

/// How many rounds of PBKDF2 pass between two questions: about a millisecond.
const ROUNDS_BETWEEN_CHECKS: u32 = 1024;

/// Extract and expand (RFC 5869); fails past 255 blocks of the hash.
pub fn hkdf(hash: Hash, secret: &[u8], salt: &[u8], info: &[u8], length_bytes: usize) -> Result<Vec<u8>> {
    if length_bytes > 255 * hash.output_bytes() {
        return Err(CryptoError::Operation);
    }
    hkdf::derive(hash, secret, salt, info, length_bytes)
}

/// What PBKDF2 takes besides the password.
#[derive(Clone, Copy)]
pub struct Pbkdf2Params<'a> {
    pub hash: Hash,
    pub salt: &'a [u8],
    /// At least 1.
    pub iterations: u32,
    pub length_bytes: usize,
}

/// PBKDF2 (RFC 8018, 5.2) as the standard's loop over AWS-LC's HMAC: the library's own function runs to
/// its end, and a mod may ask for four billion rounds.
pub fn pbkdf2(password: &[u8], params: Pbkdf2Params, should_stop: ShouldStop) -> Result<Vec<u8>> {
    if params.iterations == 0 {
        return Err(CryptoError::Operation);
    }
    let mut mac = Mac::new(params.hash, password)?;
    let mut output = vec![0; params.length_bytes];
    for (index, block) in output.chunks_mut(params.hash.output_bytes()).enumerate() {
        let number = u32::try_from(index + 1).map_err(|_| CryptoError::Operation)?;
        block.copy_from_slice(&pbkdf2_block(&mut mac, params, number, should_stop)?[..block.len()]);
    }
    Ok(output)
}

fn pbkdf2_block(
    mac: &mut Mac,
    params: Pbkdf2Params,
    number: u32,
    should_stop: ShouldStop,
) -> Result<Vec<u8>> {
    let mut round = vec![0; params.hash.output_bytes()];
    check(should_stop)?;
    mac.restart()?;
    mac.update(params.salt)?;
    mac.update(&number.to_be_bytes())?;
    mac.finish_into(&mut round)?;
    let mut block = round.clone();
    for iteration in 1..params.iterations {
        if iteration % ROUNDS_BETWEEN_CHECKS == 0 {
            check(should_stop)?;
        }
        mac.restart()?;
        mac.update(&round)?;
        mac.finish_into(&mut round)?;
        for (byte, more) in block.iter_mut().zip(&round) {
            *byte ^= more;
        }
    }
    Ok(block)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pbkdf2_of_four_billion_rounds_ends_when_told() {
        let asked = std::cell::Cell::new(0);
        let third = || {
            asked.set(asked.get() + 1);
            asked.get() > 2
        };
        let params =
            Pbkdf2Params { hash: Hash::Sha256, salt: b"salt", iterations: u32::MAX, length_bytes: 32 };
        assert_eq!(pbkdf2(b"password", params, &third), Err(CryptoError::Interrupted));
    }
}
