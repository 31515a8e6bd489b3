//! Digests what a snapshot depends on, so that a runner is never built with a stale one, and finds
//! the Web Crypto layer, which pnpm builds.

use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// `.cargo/config.toml` sets it; a build elsewhere sets it to another absolute path.
const WEB_CRYPTO: &str = "CODEX_JS_WEB_CRYPTO";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut digest = Sha256::new();
    for folder in ["js", "src"] {
        println!("cargo::rerun-if-changed={folder}");
        for file in files_of(Path::new(folder))? {
            digest.update(file.as_os_str().as_encoded_bytes());
            digest.update(std::fs::read(&file)?);
        }
    }
    let Some(layer) = web_crypto_layer() else {
        return Ok(());
    };
    digest.update(std::fs::read(layer)?);
    let hex: String = digest
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    println!("cargo::rustc-env=CODEX_JS_REALM_DIGEST={hex}");
    Ok(())
}

/// None after cargo has been told to fail.
fn web_crypto_layer() -> Option<PathBuf> {
    println!("cargo::rerun-if-env-changed={WEB_CRYPTO}");
    let file = std::env::var_os(WEB_CRYPTO).map(PathBuf::from);
    if let Some(file) = file.filter(|file| file.is_file()) {
        println!("cargo::rerun-if-changed={}", file.display());
        return Some(file);
    }
    println!(
        "cargo::error={WEB_CRYPTO} names no file: build the package @codex-js/mod-webcrypto first \
         (`pnpm --filter @codex-js/mod-webcrypto build`)"
    );
    None
}

fn files_of(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = std::fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<std::io::Result<Vec<_>>>()?;
    files.sort();
    Ok(files)
}
