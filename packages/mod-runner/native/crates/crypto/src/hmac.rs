//! HMAC with keys of any length, none included.

use crate::aws_lc::mac::{Mac, equal_in_constant_time};
use crate::digest::Hash;
use crate::stop::{CHUNK_BYTES, check};
use crate::{Result, ShouldStop};

/// The tag of `data`, of the hash's length.
pub fn sign(hash: Hash, key: &[u8], data: &[u8], should_stop: ShouldStop) -> Result<Vec<u8>> {
    let mut mac = Mac::new(hash, key)?;
    for chunk in data.chunks(CHUNK_BYTES) {
        check(should_stop)?;
        mac.update(chunk)?;
    }
    let mut tag = vec![0; hash.output_bytes()];
    mac.finish_into(&mut tag)?;
    Ok(tag)
}

/// Whether `tag` is the whole tag of `data`; compared in constant time.
pub fn verify(hash: Hash, key: &[u8], tag: &[u8], data: &[u8], should_stop: ShouldStop) -> Result<bool> {
    Ok(equal_in_constant_time(&sign(hash, key, data, should_stop)?, tag))
}
