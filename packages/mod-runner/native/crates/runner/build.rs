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
        link_with_lld();
        wrap_c_functions();
    }
}

/// What `link_order` of `crates/link-order` has written: C and C++ functions in the order of a start.
const LINK_ORDER: &str = "link-order.txt";

/// One copy of identical functions, and those of a start beside each other.
///
/// V8's templates leave many functions with the same code; lld keeps one of each. That takes 4 MB off. Packed
/// relative relocations would take 1.4 MB more, and would make glibc 2.36 the oldest that loads the program.
///
/// The functions that a start and a first callback need are spread over all of V8. In the order in which they
/// first run they lie in a tenth of the pages. A name that is not there any more is no error; a test looks how
/// many there are.
///
/// lld is the one that Rust brings: it is the default linker on one target only, and no system has to have it.
fn link_with_lld() {
    let Some(folder) = find_own_lld() else { return };
    println!("cargo::rerun-if-changed={LINK_ORDER}");
    let Ok(own_folder) = std::env::var("CARGO_MANIFEST_DIR") else {
        return;
    };
    let link_order = Path::new(&own_folder).join(LINK_ORDER);
    for argument in [
        &format!("-B{}", folder.display()),
        "-fuse-ld=lld",
        "-Wl,--icf=all",
        &format!("-Wl,--symbol-ordering-file={}", link_order.display()),
        "-Wl,--no-warn-symbol-ordering",
    ] {
        println!("cargo::rustc-link-arg-bins={argument}");
    }
}

/// Calls of these C functions, V8's too, go to the runner's own, which call the C library's.
fn wrap_c_functions() {
    println!("cargo::rustc-link-arg-bins=-Wl,--wrap=memset");
    if std::env::var("CARGO_CFG_TARGET_ENV").as_deref() == Ok("gnu") {
        println!("cargo::rustc-link-arg-bins=-Wl,--wrap=pthread_getattr_np");
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
