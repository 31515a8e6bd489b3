//! Makes the startup snapshot that the runner embeds. A build script is a process of its own,
//! which is what V8 asks for; runner and snapshot come out of one `cargo build`.

use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let out_dir = std::env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?;
    let snapshot = codex_js_snapshot::make_snapshot()?;
    std::fs::write(PathBuf::from(out_dir).join("snapshot.bin"), snapshot)?;
    println!("cargo::rerun-if-changed=build.rs");
    Ok(())
}
