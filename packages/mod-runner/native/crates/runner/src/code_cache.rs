//! Code caches: what erasing and compiling gave for a module, sealed for the host to keep.
//!
//! V8 trusts a code cache as it trusts its own code. So a cache is opened only under the key that
//! the host handed over at start, and only for the build, the mod, the path and the source that
//! it was made for.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use codex_js_realm::Jit;
use codex_js_wire::limits;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

type HmacSha256 = Hmac<Sha256>;
const MAC_BYTES: usize = 32;
const LENGTH_BYTES: usize = 4;

/// Where a file's code cache stands.
#[derive(Default)]
pub enum CacheSlot {
    #[default]
    None,
    /// Given by the host, authenticated.
    Given(Vec<u8>),
    /// Made here, not yet sent.
    Made(Vec<u8>),
    /// Made here and sent.
    Sent,
}

impl CacheSlot {
    /// Whether there is nothing to gain from another cache.
    pub fn is_known(&self) -> bool {
        !matches!(self, Self::None)
    }
}

/// The key that the host handed over.
pub struct CacheKey {
    key: [u8; 32],
    /// Digest of everything that V8's code depends on in this build.
    build: [u8; 32],
}

/// A cache that has been opened.
pub struct OpenedCache {
    /// The module without its types, unless it had none.
    pub erased: Option<String>,
    /// V8's own code cache.
    pub code: Vec<u8>,
}

impl CacheKey {
    /// A key, for the build that has this snapshot.
    pub fn new(key: [u8; 32], snapshot: &[u8], jit: Jit) -> Self {
        let mut build = Sha256::new();
        add(&mut build, env!("CARGO_PKG_VERSION").as_bytes());
        add(&mut build, v8::V8::get_version().as_bytes());
        add(
            &mut build,
            &v8::script_compiler::cached_data_version_tag().to_le_bytes(),
        );
        add(&mut build, codex_js_realm::FLAGS.as_bytes());
        add(&mut build, jit.flags().as_bytes());
        add(&mut build, snapshot);
        Self {
            key,
            build: build.finalize().into(),
        }
    }

    /// MAC, length of the erased text (or none), the erased text, V8's cache; base64. None when
    /// it would be larger than a host takes.
    pub fn seal(
        &self,
        digest: &str,
        path: &str,
        source: &str,
        erased: Option<&str>,
        code: &[u8],
    ) -> Option<String> {
        let erased_length = erased.map_or(u32::MAX, |text| u32::try_from(text.len()).unwrap_or(0));
        let mut body = erased_length.to_le_bytes().to_vec();
        body.extend_from_slice(erased.unwrap_or_default().as_bytes());
        body.extend_from_slice(code);
        let mac = self
            .mac(digest, path, source, &body)?
            .finalize()
            .into_bytes();
        if mac.len() + body.len() > limits::CACHE_BYTES {
            return None;
        }
        Some(BASE64.encode([mac.as_slice(), &body].concat()))
    }

    /// The cache, if it is one that [`CacheKey::seal`] made for the same things.
    pub fn open(&self, digest: &str, path: &str, source: &str, text: &str) -> Option<OpenedCache> {
        let sealed = BASE64.decode(text).ok()?;
        let (mac, body) = sealed.split_at_checked(MAC_BYTES)?;
        self.mac(digest, path, source, body)?
            .verify_slice(mac)
            .ok()?;
        let (length, rest) = body.split_at_checked(LENGTH_BYTES)?;
        let length = u32::from_le_bytes(length.try_into().ok()?);
        if length == u32::MAX {
            return Some(OpenedCache {
                erased: None,
                code: rest.to_vec(),
            });
        }
        let (erased, code) = rest.split_at_checked(length as usize)?;
        let erased = String::from_utf8(erased.to_vec()).ok()?;
        Some(OpenedCache {
            erased: Some(erased),
            code: code.to_vec(),
        })
    }

    fn mac(&self, digest: &str, path: &str, source: &str, body: &[u8]) -> Option<HmacSha256> {
        let mut mac = HmacSha256::new_from_slice(&self.key).ok()?;
        mac.update(&self.build);
        for part in [digest.as_bytes(), path.as_bytes(), source.as_bytes()] {
            mac.update(&(part.len() as u64).to_le_bytes());
            mac.update(part);
        }
        mac.update(body);
        Some(mac)
    }
}

fn add(hash: &mut Sha256, part: &[u8]) {
    hash.update((part.len() as u64).to_le_bytes());
    hash.update(part);
}

#[cfg(test)]
mod tests {
    use super::{BASE64, CacheKey, Engine, Jit};

    fn key(byte: u8, snapshot: &[u8]) -> CacheKey {
        CacheKey::new([byte; 32], snapshot, Jit::On)
    }

    #[test]
    fn opens_what_it_sealed() {
        let sealed = key(1, b"s")
            .seal("d", "a.ts", "let a: 1", Some("let a   "), b"code")
            .unwrap();
        let opened = key(1, b"s").open("d", "a.ts", "let a: 1", &sealed).unwrap();
        assert_eq!(
            (opened.erased.as_deref(), opened.code.as_slice()),
            (Some("let a   "), &b"code"[..])
        );
        let sealed = key(1, b"s").seal("d", "a.js", "let a", None, b"").unwrap();
        assert!(
            key(1, b"s")
                .open("d", "a.js", "let a", &sealed)
                .unwrap()
                .erased
                .is_none()
        );
    }

    #[test]
    fn opens_nothing_else() {
        let sealed = key(1, b"s")
            .seal("d", "a.js", "let a", None, b"code")
            .unwrap();
        assert!(
            key(2, b"s").open("d", "a.js", "let a", &sealed).is_none(),
            "another key"
        );
        assert!(
            key(1, b"t").open("d", "a.js", "let a", &sealed).is_none(),
            "another build"
        );
        assert!(
            key(1, b"s").open("e", "a.js", "let a", &sealed).is_none(),
            "another mod"
        );
        assert!(
            key(1, b"s").open("d", "b.js", "let a", &sealed).is_none(),
            "another path"
        );
        assert!(
            key(1, b"s").open("d", "a.js", "let b", &sealed).is_none(),
            "another source"
        );
        let bytes = BASE64.decode(&sealed).unwrap();
        for at in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1;
            assert!(
                key(1, b"s")
                    .open("d", "a.js", "let a", &BASE64.encode(flipped))
                    .is_none()
            );
        }
        for garbage in ["", "AAAA", "not base64!"] {
            assert!(key(1, b"s").open("d", "a.js", "let a", garbage).is_none());
        }
    }
}
