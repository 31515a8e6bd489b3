//! The one isolate of a runner, started from the embedded snapshot.

use crate::{crypto_calls, heap, host_calls, import_refusals};
use codex_js_realm::{Operations, WebCryptoLayer};
use codex_js_wire::limits;
use v8::{CreateParams, MicrotasksPolicy, OwnedIsolate, StartupData};

/// What `cargo snapshot` has written: the startup snapshot, and the digest of the realm in it.
static SNAPSHOT_FILE: &[u8] = include_bytes!(env!("CODEX_JS_SNAPSHOT"));

/// The startup snapshot.
pub static SNAPSHOT: &[u8] = match SNAPSHOT_FILE.split_last_chunk::<64>() {
    Some((snapshot, digest)) if is_same(digest, codex_js_realm::DIGEST.as_bytes()) => snapshot,
    _ => panic!("the snapshot is of another realm: run `cargo snapshot`"),
};

/// V8's code cache of the Web Crypto layer, which goes with the snapshot.
static WEB_CRYPTO_CODE: &[u8] = include_bytes!(concat!(env!("CODEX_JS_SNAPSHOT"), ".web-crypto"));

const fn is_same(a: &[u8; 64], b: &[u8]) -> bool {
    let mut at = 0;
    while at < 64 {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    b.len() == 64
}

/// Young objects get at most this: it is memory that a runner keeps, and mods are short.
const YOUNG_GENERATION_BYTES: usize = 8 * 1024 * 1024;

/// Address space for machine code. It counts as data from the start, so V8's default of 512 MiB would
/// not fit into what a runner may have.
const CODE_RANGE_BYTES: usize = 16 * 1024 * 1024;

/// Starts the isolate. V8 must have been started.
pub fn start_isolate() -> OwnedIsolate {
    let params = CreateParams::default()
        .snapshot_blob(StartupData::from(SNAPSHOT))
        .external_references(codex_js_realm::external_references().into())
        .set_max_old_generation_size_in_bytes(limits::HEAP_BYTES)
        .set_max_young_generation_size_in_bytes(YOUNG_GENERATION_BYTES)
        .set_code_range_size_in_bytes(CODE_RANGE_BYTES)
        .allow_atomics_wait(true);
    let mut isolate = v8::Isolate::new(params);
    // Microtasks run when the runner says so, under the watchdog.
    isolate.set_microtasks_policy(MicrotasksPolicy::Explicit);
    let frames = i32::try_from(limits::STACK_FRAMES).unwrap_or(i32::MAX);
    isolate.set_capture_stack_trace_for_uncaught_exceptions(true, frames);
    heap::guard(&mut isolate);
    import_refusals::install(&mut isolate);
    isolate.set_slot(WebCryptoLayer::new(WEB_CRYPTO_CODE));
    isolate.set_slot(Operations {
        call_crypto: crypto_calls::call_crypto,
        call_host: host_calls::call_host,
        log: host_calls::log,
    });
    isolate
}
