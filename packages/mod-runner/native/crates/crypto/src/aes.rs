//! AES with keys of 128, 192 and 256 bits: CTR, CBC, GCM and key wrap.

use crate::aws_lc::cipher::{Cipher, Direction, Mode};
use crate::aws_lc::key_wrap;
use crate::stop::{CHUNK_BYTES, check};
use crate::{CryptoError, Result, ShouldStop};

const BLOCK_BYTES: usize = 16;

/// Encrypts and decrypts: they are the same in counter mode.
///
/// `counter` is 16 bytes, of which the low `counter_bits` (1 to 128) count and wrap, and the rest stays.
/// Fails when the message has more blocks than the counter has values: a block would be used twice.
pub fn ctr(
    key: &[u8],
    counter: &[u8],
    counter_bits: u32,
    data: &[u8],
    should_stop: ShouldStop,
) -> Result<Vec<u8>> {
    let counter: [u8; BLOCK_BYTES] = counter.try_into().map_err(|_| CryptoError::Operation)?;
    let (before_wrap, wrapped) = split_at_wrap(counter, counter_bits, data)?;
    let mut output = Vec::with_capacity(data.len() + BLOCK_BYTES);
    run(Cipher::new(Mode::Ctr, Direction::Encrypt, key, &counter)?, before_wrap, &mut output, should_stop)?;
    if !wrapped.is_empty() {
        let restarted = with_low_bits_zero(counter, counter_bits);
        let cipher = Cipher::new(Mode::Ctr, Direction::Encrypt, key, &restarted)?;
        run(cipher, wrapped, &mut output, should_stop)?;
    }
    Ok(output)
}

/// What is encrypted up to the highest value of the counting bits, and what follows from zero on.
fn split_at_wrap(counter: [u8; BLOCK_BYTES], counter_bits: u32, data: &[u8]) -> Result<(&[u8], &[u8])> {
    if !(1..=128).contains(&counter_bits) {
        return Err(CryptoError::Operation);
    }
    let highest = low_bits(counter_bits);
    let blocks = data.len().div_ceil(BLOCK_BYTES) as u128;
    // `highest` is one less than the number of values, which may not fit.
    if blocks > 0 && blocks - 1 > highest {
        return Err(CryptoError::Operation);
    }
    let used = u128::from_be_bytes(counter) & highest;
    let blocks_before_wrap = (highest - used).saturating_add(1);
    if blocks <= blocks_before_wrap {
        return Ok((data, &[]));
    }
    let at = usize::try_from(blocks_before_wrap).map_err(|_| CryptoError::Operation)? * BLOCK_BYTES;
    Ok(data.split_at(at))
}

fn low_bits(count: u32) -> u128 {
    u128::MAX >> (128 - count)
}

fn with_low_bits_zero(counter: [u8; BLOCK_BYTES], counter_bits: u32) -> [u8; BLOCK_BYTES] {
    (u128::from_be_bytes(counter) & !low_bits(counter_bits)).to_be_bytes()
}

/// CBC with PKCS #7 padding; `iv` is 16 bytes.
pub fn cbc_encrypt(key: &[u8], iv: &[u8], data: &[u8], should_stop: ShouldStop) -> Result<Vec<u8>> {
    cbc(Direction::Encrypt, key, iv, data, should_stop)
}

/// Fails for every wrong length or padding alike.
pub fn cbc_decrypt(key: &[u8], iv: &[u8], data: &[u8], should_stop: ShouldStop) -> Result<Vec<u8>> {
    cbc(Direction::Decrypt, key, iv, data, should_stop)
}

fn cbc(direction: Direction, key: &[u8], iv: &[u8], data: &[u8], should_stop: ShouldStop) -> Result<Vec<u8>> {
    let mut output = Vec::with_capacity(data.len() + 2 * BLOCK_BYTES);
    run(Cipher::new(Mode::Cbc, direction, key, iv)?, data, &mut output, should_stop)?;
    Ok(output)
}

/// What GCM takes besides key and message.
#[derive(Clone, Copy)]
pub struct GcmParams<'a> {
    /// At least one byte; 12 is the length to use.
    pub iv: &'a [u8],
    pub additional_data: &'a [u8],
    /// 32, 64, 96, 104, 112, 120 or 128.
    pub tag_bits: u32,
}

impl GcmParams<'_> {
    fn tag_bytes(&self) -> Result<usize> {
        match self.tag_bits {
            32 | 64 | 96 | 104 | 112 | 120 | 128 => Ok(self.tag_bits as usize / 8),
            _ => Err(CryptoError::Operation),
        }
    }

    fn cipher(&self, direction: Direction, key: &[u8]) -> Result<Cipher> {
        if self.iv.is_empty() {
            return Err(CryptoError::Operation);
        }
        Cipher::new(Mode::Gcm, direction, key, self.iv)
    }
}

/// The ciphertext and, behind it, the tag.
pub fn gcm_encrypt(key: &[u8], params: GcmParams, data: &[u8], should_stop: ShouldStop) -> Result<Vec<u8>> {
    let tag_bytes = params.tag_bytes()?;
    let mut cipher = params.cipher(Direction::Encrypt, key)?;
    let mut output = Vec::with_capacity(data.len() + 2 * BLOCK_BYTES);
    authenticate(&mut cipher, params.additional_data, should_stop)?;
    update(&mut cipher, data, &mut output, should_stop)?;
    cipher.finish(&mut output)?;
    output.extend(cipher.tag(tag_bytes)?);
    Ok(output)
}

/// The message, once its tag has proved right.
pub fn gcm_decrypt(key: &[u8], params: GcmParams, data: &[u8], should_stop: ShouldStop) -> Result<Vec<u8>> {
    let message_bytes = data.len().checked_sub(params.tag_bytes()?).ok_or(CryptoError::Operation)?;
    let (message, tag) = data.split_at(message_bytes);
    let mut cipher = params.cipher(Direction::Decrypt, key)?;
    let mut output = Vec::with_capacity(message_bytes + 2 * BLOCK_BYTES);
    authenticate(&mut cipher, params.additional_data, should_stop)?;
    update(&mut cipher, message, &mut output, should_stop)?;
    cipher.expect_tag(tag)?;
    cipher.finish(&mut output)?;
    Ok(output)
}

/// Wraps `data`, a multiple of 8 bytes and at least 16 (RFC 3394).
pub fn key_wrap(key: &[u8], data: &[u8]) -> Result<Vec<u8>> {
    key_wrap::wrap(key, data)
}

/// The counterpart of [`key_wrap`]; fails when the integrity block is wrong.
pub fn key_unwrap(key: &[u8], data: &[u8]) -> Result<Vec<u8>> {
    key_wrap::unwrap(key, data)
}

fn run(mut cipher: Cipher, data: &[u8], output: &mut Vec<u8>, should_stop: ShouldStop) -> Result<()> {
    update(&mut cipher, data, output, should_stop)?;
    cipher.finish(output)
}

fn update(cipher: &mut Cipher, data: &[u8], output: &mut Vec<u8>, should_stop: ShouldStop) -> Result<()> {
    for chunk in data.chunks(CHUNK_BYTES) {
        check(should_stop)?;
        cipher.update(chunk, output)?;
    }
    Ok(())
}

fn authenticate(cipher: &mut Cipher, data: &[u8], should_stop: ShouldStop) -> Result<()> {
    for chunk in data.chunks(CHUNK_BYTES) {
        check(should_stop)?;
        cipher.authenticate(chunk)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: [u8; 16] = [7; 16];
    const NEVER: ShouldStop = &|| false;

    #[test]
    fn counter_wraps_its_low_bits_only() {
        let mut counter = [0xaa; BLOCK_BYTES];
        counter[15] = 0xff;
        let whole = ctr(&KEY, &counter, 8, &[0; 32], NEVER).unwrap();
        let mut wrapped = counter;
        wrapped[15] = 0;
        assert_eq!(whole[..16], ctr(&KEY, &counter, 128, &[0; 16], NEVER).unwrap());
        assert_eq!(whole[16..], ctr(&KEY, &wrapped, 128, &[0; 16], NEVER).unwrap());
    }

    #[test]
    fn counter_of_128_bits_wraps_to_zero() {
        let whole = ctr(&KEY, &[0xff; 16], 128, &[0; 32], NEVER).unwrap();
        assert_eq!(whole[16..], ctr(&KEY, &[0; 16], 128, &[0; 16], NEVER).unwrap());
    }

    #[test]
    fn message_of_more_blocks_than_counter_values_is_refused() {
        assert!(ctr(&KEY, &[0; 16], 1, &[0; 32], NEVER).is_ok());
        assert_eq!(ctr(&KEY, &[0; 16], 1, &[0; 33], NEVER), Err(CryptoError::Operation));
    }

    #[test]
    fn stop_is_asked_between_chunks() {
        let asked = std::cell::Cell::new(0);
        let second = || {
            asked.set(asked.get() + 1);
            asked.get() > 1
        };
        let data = vec![0; CHUNK_BYTES + 1];
        assert_eq!(cbc_encrypt(&KEY, &[0; 16], &data, &second), Err(CryptoError::Interrupted));
        assert_eq!(asked.get(), 2);
    }
}
