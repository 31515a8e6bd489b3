//! Makes the startup snapshot: the realm of `codex-js-realm`, ready to be woken.
//!
//! `codex-js-snapshot FILE` writes it, with the realm's digest behind it, and beside it what else the runner embeds:
//! `FILE.icu`, the part of ICU's data that it has in place of V8's own, and `FILE.web-crypto`, V8's code cache of the
//! Web Crypto layer. V8 makes one snapshot per process; and were the runner's build script that process, cargo would
//! build V8's crate twice, at once and into one folder.

mod icu_lists;
mod layer_code;

use codex_js_realm::{
    BootstrapError, DIGEST, HOST_OBJECT, Jit, MOD_CONTEXT, build_realm, external_references,
    start_v8,
};
use std::fmt;
use std::path::Path;
use std::process::ExitCode;
use v8::{FunctionCodeHandling, OwnedIsolate};

/// Why there is no snapshot.
#[derive(Debug)]
enum SnapshotError {
    Bootstrap(BootstrapError),
    /// V8 gave no blob.
    NoBlob,
    /// The blob would start every runner with the same hash seed.
    NotRehashable,
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bootstrap(error) => write!(formatter, "the realm's JavaScript failed: {error}"),
            Self::NoBlob => formatter.write_str("V8 made no snapshot"),
            Self::NotRehashable => {
                formatter.write_str("the snapshot cannot be rehashed: its hash seed would be known")
            }
        }
    }
}

impl std::error::Error for SnapshotError {}

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let result = match arguments.as_slice() {
        [argument] if argument == layer_code::ARGUMENT => layer_code::write_to_stdout(),
        [file] => write_files(Path::new(file)),
        _ => {
            eprintln!("usage: codex-js-snapshot FILE");
            return ExitCode::from(2);
        }
    };
    if let Err(error) = result {
        eprintln!("{error}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// The snapshot comes last: where it is new, all of them are.
fn write_files(file: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let mut snapshot = make_snapshot()?;
    let layer_code = layer_code::request(&snapshot)?;
    snapshot.extend_from_slice(DIGEST.as_bytes());
    let files = [
        (file.with_added_extension("icu"), icu_lists::make_package()?),
        (file.with_added_extension("web-crypto"), layer_code),
        (file.to_owned(), snapshot),
    ];
    for (path, content) in files {
        std::fs::write(&path, content).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

/// Makes the snapshot. Starts V8, so it may be called once per process.
///
/// # Errors
/// See [`SnapshotError`].
fn make_snapshot() -> Result<Vec<u8>, SnapshotError> {
    start_v8(Jit::On);
    let mut creator = v8::Isolate::snapshot_creator(Some(external_references().into()), None);
    add_default_context(&mut creator);
    if let Err(error) = add_mod_context(&mut creator) {
        // V8 panics when a creator goes that has made nothing, and the reason would not be told.
        std::mem::forget(creator);
        return Err(SnapshotError::Bootstrap(error));
    }
    // Keep: the realm's functions come back compiled.
    let blob = creator
        .create_blob(FunctionCodeHandling::Keep)
        .ok_or(SnapshotError::NoBlob)?;
    if !blob.can_be_rehashed() {
        return Err(SnapshotError::NotRehashable);
    }
    Ok(blob.to_vec())
}

/// V8 demands one; the runner never uses it.
fn add_default_context(creator: &mut OwnedIsolate) {
    v8::scope!(let scope, creator);
    let context = v8::Context::new(scope, Default::default());
    scope.set_default_context(context);
}

fn add_mod_context(creator: &mut OwnedIsolate) -> Result<(), BootstrapError> {
    v8::scope!(let scope, creator);
    let context = v8::Context::new(scope, Default::default());
    let scope = &mut v8::ContextScope::new(scope, context);
    let host = build_realm(scope, context)?;
    assert_eq!(scope.add_context_data(context, host), HOST_OBJECT);
    assert_eq!(scope.add_context(context), MOD_CONTEXT);
    Ok(())
}
