//! Makes the startup snapshot: the realm of `codex-js-realm`, ready to be woken.
//!
//! One snapshot per process, so the runner's build script is the process that calls this.

use codex_js_realm::{
    BootstrapError, HOST_OBJECT, MOD_CONTEXT, build_realm, external_references, start_v8,
};
use std::fmt;
use v8::{FunctionCodeHandling, OwnedIsolate};

/// Why there is no snapshot.
#[derive(Debug)]
pub enum SnapshotError {
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

/// Makes the snapshot. Starts V8, so it may be called once per process.
///
/// # Errors
/// See [`SnapshotError`].
pub fn make_snapshot() -> Result<Vec<u8>, SnapshotError> {
    start_v8();
    let mut creator = v8::Isolate::snapshot_creator(Some(external_references().into()), None);
    add_default_context(&mut creator);
    add_mod_context(&mut creator).map_err(SnapshotError::Bootstrap)?;
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
