//! V8's code cache of the Web Crypto layer.
//!
//! V8 takes a code cache only with the snapshot that its maker was started from, so a second process of this
//! program makes it: with the snapshot at its standard input, the code cache at its standard output.

use codex_js_realm::{Jit, MOD_CONTEXT, external_references, make_code_cache, start_v8};
use std::error::Error;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

/// Asks for the second process.
pub const ARGUMENT: &str = "--web-crypto-code";

/// Has a second process make the code cache that goes with the snapshot.
pub fn request(snapshot: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut child = Command::new(std::env::current_exe()?)
        .arg(ARGUMENT)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    // It reads all of it before it writes.
    let written = child
        .stdin
        .take()
        .map(|mut stdin| stdin.write_all(snapshot));
    let output = child.wait_with_output()?;
    if !output.status.success() || output.stdout.is_empty() {
        return Err(format!("no code cache of the Web Crypto layer: {}", output.status).into());
    }
    written.transpose()?;
    Ok(output.stdout)
}

/// What the second process does.
pub fn write_to_stdout() -> Result<(), Box<dyn Error>> {
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
    let code_cache = code_cache.ok_or("V8 made no code cache of the Web Crypto layer")?;
    Ok(std::io::stdout().write_all(&code_cache)?)
}
