//! Digests what a snapshot depends on, so that a runner is never built with a stale one.

use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut digest = Sha256::new();
    for folder in ["js", "src"] {
        println!("cargo::rerun-if-changed={folder}");
        for file in files_of(Path::new(folder))? {
            digest.update(file.as_os_str().as_encoded_bytes());
            digest.update(std::fs::read(&file)?);
        }
    }
    let hex: String = digest
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    println!("cargo::rustc-env=CODEX_JS_REALM_DIGEST={hex}");
    Ok(())
}

fn files_of(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = std::fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<std::io::Result<Vec<_>>>()?;
    files.sort();
    Ok(files)
}
