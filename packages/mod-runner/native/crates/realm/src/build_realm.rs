//! Runs the realm's own JavaScript in a new context.

use crate::native_operations::native_object;
use crate::web_crypto;
use std::fmt;
use v8::{Context, Function, Local, Object, PinScope};

/// Position of the `host` object among the context's data in the snapshot.
pub const HOST_OBJECT: usize = 0;

/// The realm's JavaScript, in the order in which it runs. Each file is one function of
/// `(native, realm)`; `realm` is what the files share.
const SCRIPTS: [(&str, &str); 5] = [
    ("runner:primordials", include_str!("../js/primordials.js")),
    ("runner:globals", include_str!("../js/globals.js")),
    ("runner:console", include_str!("../js/console.js")),
    ("runner:host", include_str!("../js/host.js")),
    ("runner:web-crypto", include_str!("../js/web-crypto.js")),
];

/// The files are scripts, but linters take them for modules, where strict mode goes without saying.
const STRICT: &str = "\"use strict\";\n";

/// The realm's own JavaScript failed: a fault of this crate.
#[derive(Debug)]
pub struct BootstrapError {
    script: &'static str,
    message: String,
}

impl fmt::Display for BootstrapError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.script, self.message)
    }
}

impl std::error::Error for BootstrapError {}

/// Makes the current context into a realm for mods; returns its `host` object.
///
/// # Errors
/// When one of the scripts throws.
pub fn build_realm<'s>(
    scope: &mut PinScope<'s, '_>,
    context: Local<'s, Context>,
) -> Result<Local<'s, Object>, BootstrapError> {
    // Before anything runs, and for good: a flag that somebody forgets must not open it again.
    context.set_allow_generation_from_strings(false);
    let failed = |script, message: &str| BootstrapError {
        script,
        message: message.into(),
    };
    let native = native_object(scope).ok_or_else(|| failed("runner:native", "out of memory"))?;
    let realm = Object::new(scope);
    run(scope, web_crypto::INSTALL_NAME, |scope| {
        let global = context.global(scope);
        let source = web_crypto::install_source(scope)?;
        let install = with_shared_array_buffer(scope, global, |scope| {
            evaluate(scope, web_crypto::INSTALL_NAME, source, 0)
        })?;
        let key = v8::String::new(scope, "installWebCrypto")?;
        realm.create_data_property(scope, key.into(), install.into())
    })?;
    for (name, source) in SCRIPTS {
        run(scope, name, |scope| {
            let undefined = v8::undefined(scope).into();
            let source = v8::String::new(scope, &format!("{STRICT}{source}"))?;
            // One line up, for the line that stands before the file's own.
            let file = evaluate(scope, name, source, -1)?;
            file.call(scope, undefined, &[native.into(), realm.into()])
        })?;
    }
    get_object(scope, realm, "host").ok_or_else(|| failed("runner:host", "no host object"))
}

/// V8 puts the global `SharedArrayBuffer` into a context only when that comes out of a snapshot; the layer
/// takes a getter of its prototype before. V8 adds the global itself later, so it must be gone then.
fn with_shared_array_buffer<'s, T>(
    scope: &mut PinScope<'s, '_>,
    global: Local<'s, Object>,
    act: impl FnOnce(&mut PinScope<'s, '_>) -> Option<T>,
) -> Option<T> {
    let key = v8::String::new(scope, "SharedArrayBuffer")?.into();
    if global.has(scope, key)? {
        return act(scope);
    }
    let constructor_key = v8::String::new(scope, "constructor")?;
    let buffer = v8::SharedArrayBuffer::new(scope, 0)?;
    let constructor = buffer.get(scope, constructor_key.into())?;
    global.set(scope, key, constructor)?;
    let result = act(scope);
    global.delete(scope, key)?;
    result
}

/// Does what a script is for; what it throws becomes the error.
fn run<'s, T>(
    scope: &mut PinScope<'s, '_>,
    name: &'static str,
    act: impl for<'i> FnOnce(&mut PinScope<'s, 'i>) -> Option<T>,
) -> Result<(), BootstrapError> {
    v8::tc_scope!(let scope, scope);
    if act(scope).is_some() {
        return Ok(());
    }
    let message = scope.message().map(|message| {
        let line = message.get_line_number(scope).unwrap_or(0);
        format!(
            "line {line}: {}",
            message.get(scope).to_rust_string_lossy(scope)
        )
    });
    Err(BootstrapError {
        script: name,
        message: message.unwrap_or_default(),
    })
}

/// The function that a script's value is.
fn evaluate<'s>(
    scope: &mut PinScope<'s, '_>,
    name: &str,
    source: Local<'s, v8::String>,
    first_line: i32,
) -> Option<Local<'s, Function>> {
    let name: Local<v8::Value> = v8::String::new(scope, name)?.into();
    let origin = v8::ScriptOrigin::new(
        scope, name, first_line, 0, false, 0, None, false, false, false, None,
    );
    let script = v8::Script::compile(scope, source, Some(&origin))?.run(scope)?;
    Local::<Function>::try_from(script).ok()
}

fn get_object<'s>(
    scope: &mut PinScope<'s, '_>,
    of: Local<'s, Object>,
    key: &str,
) -> Option<Local<'s, Object>> {
    let key = v8::String::new(scope, key)?;
    of.get(scope, key.into())?.try_into().ok()
}
