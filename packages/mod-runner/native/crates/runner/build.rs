//! Finds the startup snapshot that the runner embeds, and says how the runner is linked.

use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-env-changed=CODEX_JS_SNAPSHOT");
    match std::env::var("CODEX_JS_SNAPSHOT") {
        Ok(file) if Path::new(&file).is_file() => {
            println!("cargo::rerun-if-changed={file}");
        }
        _ => println!("cargo::error=there is no startup snapshot yet: run `cargo snapshot` first"),
    }
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        fold_identical_code();
    }
}

/// V8's templates leave many functions with the same code; lld keeps one of each. That takes 4 MB off. Packed
/// relative relocations would take 1.4 MB more, and would make glibc 2.36 the oldest that loads the program.
///
/// lld is the one that Rust brings: it is the default linker on one target only, and no system has to have it.
fn fold_identical_code() {
    let Some(folder) = find_own_lld() else { return };
    for argument in [
        &format!("-B{}", folder.display()),
        "-fuse-ld=lld",
        "-Wl,--icf=all",
    ] {
        println!("cargo::rustc-link-arg-bins={argument}");
    }
}

/// The folder whose `ld.lld` a C compiler takes for `-fuse-ld=lld`; none where Rust comes without it.
fn find_own_lld() -> Option<PathBuf> {
    let rustc = std::env::var_os("RUSTC")?;
    let host = std::env::var("HOST").ok()?;
    let output = Command::new(rustc)
        .args(["--print", "sysroot"])
        .output()
        .ok()?;
    let sysroot = String::from_utf8(output.stdout).ok()?;
    let folder = Path::new(sysroot.trim())
        .join("lib/rustlib")
        .join(host)
        .join("bin/gcc-ld");
    folder.join("ld.lld").is_file().then_some(folder)
}
