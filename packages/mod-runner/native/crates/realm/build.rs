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
    let Some(scripts) = web_crypto_scripts() else {
        return Ok(());
    };
    for script in scripts {
        digest.update(std::fs::read(script)?);
    }
    let hex: String = digest
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    println!("cargo::rustc-env=CODEX_JS_REALM_DIGEST={hex}");
    Ok(())
}

/// None after cargo has been told to fail.
fn web_crypto_scripts() -> Option<[PathBuf; 2]> {
    println!("cargo::rerun-if-env-changed={WEB_CRYPTO}");
    let folder = PathBuf::from(std::env::var_os(WEB_CRYPTO).unwrap_or_default());
    let scripts = ["install.js", "layer.js"].map(|name| folder.join(name));
    if scripts.iter().all(|file| file.is_file()) {
        for file in &scripts {
            println!("cargo::rerun-if-changed={}", file.display());
        }
        return Some(scripts);
    }
    println!(
        "cargo::error={WEB_CRYPTO} names no folder with the layer: build the package @codex-js/mod-webcrypto first \
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
