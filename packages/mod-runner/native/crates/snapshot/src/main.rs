//! Makes the startup snapshot: the realm of `codex-js-realm`, ready to be woken.
//!
//! `codex-js-snapshot FILE` writes the snapshot, V8's code cache of the Web Crypto layer, that one's length
//! (four bytes, little-endian) and the realm's digest. V8 makes one snapshot per process; and were the
//! runner's build script that process, cargo would build V8's crate twice, at once and into one folder. V8
//! takes a code cache only with the snapshot that its maker was started from, so a second process of this
//! program makes it.

use codex_js_realm::{
    BootstrapError, DIGEST, HOST_OBJECT, Jit, MOD_CONTEXT, build_realm, external_references,
    make_code_cache, start_v8,
};
use std::fmt;
use std::io::{Read, Write};
use std::process::{Command, ExitCode, Stdio};
use v8::{FunctionCodeHandling, OwnedIsolate};

/// Why there is no snapshot.
#[derive(Debug)]
enum SnapshotError {
    Bootstrap(BootstrapError),
    /// V8 gave no blob.
    NoBlob,
    /// The blob would start every runner with the same hash seed.
    NotRehashable,
    /// The second process made no code cache.
    NoCodeCache(String),
    Io(std::io::Error),
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bootstrap(error) => write!(formatter, "the realm's JavaScript failed: {error}"),
            Self::NoBlob => formatter.write_str("V8 made no snapshot"),
            Self::NotRehashable => {
                formatter.write_str("the snapshot cannot be rehashed: its hash seed would be known")
            }
            Self::NoCodeCache(reason) => {
                write!(
                    formatter,
                    "there is no code cache of the Web Crypto layer: {reason}"
                )
            }
            Self::Io(error) => error.fmt(formatter),
        }
    }
}

impl std::error::Error for SnapshotError {}

impl From<std::io::Error> for SnapshotError {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

/// The second process: a snapshot from standard input, the code cache to standard output.
const CODE_CACHE: &str = "--code-cache";

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let made = match arguments.as_slice() {
        [argument] if argument == CODE_CACHE => write_code_cache(),
        [file] => write_snapshot(file.as_ref()),
        _ => {
            eprintln!("usage: codex-js-snapshot FILE");
            return ExitCode::from(2);
        }
    };
    if let Err(error) = made {
        eprintln!("{error}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn write_snapshot(file: &std::path::Path) -> Result<(), SnapshotError> {
    let mut content = make_snapshot()?;
    let code_cache = request_code_cache(&content)?;
    let length = u32::try_from(code_cache.len())
        .map_err(|_| SnapshotError::NoCodeCache("it is too large".into()))?;
    content.extend_from_slice(&code_cache);
    content.extend_from_slice(&length.to_le_bytes());
    content.extend_from_slice(DIGEST.as_bytes());
    std::fs::write(file, content)?;
    Ok(())
}

fn request_code_cache(snapshot: &[u8]) -> Result<Vec<u8>, SnapshotError> {
    let mut child = Command::new(std::env::current_exe()?)
        .arg(CODE_CACHE)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    // It reads all of it before it writes.
    let written = child
        .stdin
        .take()
        .map(|mut stdin| stdin.write_all(snapshot));
    let output = child.wait_with_output()?;
    if !output.status.success() {
        return Err(SnapshotError::NoCodeCache(output.status.to_string()));
    }
    written.transpose()?;
    Ok(output.stdout)
}

fn write_code_cache() -> Result<(), SnapshotError> {
    let mut snapshot = Vec::new();
    std::io::stdin().read_to_end(&mut snapshot)?;
    start_v8(Jit::On);
    let params = v8::CreateParams::default()
        .snapshot_blob(v8::StartupData::from(&*snapshot.leak()))
        .external_references(external_references().into());
    let mut isolate = v8::Isolate::new(params);
    let code_cache = {
        v8::scope!(let scope, &mut isolate);
        v8::Context::from_snapshot(scope, MOD_CONTEXT, Default::default()).and_then(|context| {
            let scope = &mut v8::ContextScope::new(scope, context);
            make_code_cache(scope)
        })
    };
    let code_cache = code_cache.ok_or_else(|| SnapshotError::NoCodeCache("V8 made none".into()))?;
    std::io::stdout().write_all(&code_cache)?;
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
