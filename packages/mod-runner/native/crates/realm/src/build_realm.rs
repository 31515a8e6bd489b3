//! Runs the realm's own JavaScript in a new context.

use crate::native_operations::native_object;
use std::fmt;
use v8::{Context, Function, Local, Object, PinScope};

/// Position of the `host` object among the context's data in the snapshot.
pub const HOST_OBJECT: usize = 0;

/// The realm's JavaScript, in the order in which it runs. Each file is one function of
/// `(native, realm)`; `realm` is what the files share.
const SCRIPTS: [(&str, &str); 4] = [
    ("runner:primordials", include_str!("../js/primordials.js")),
    ("runner:globals", include_str!("../js/globals.js")),
    ("runner:console", include_str!("../js/console.js")),
    ("runner:host", include_str!("../js/host.js")),
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
    for (name, source) in SCRIPTS {
        run(scope, name, source, native, realm)?;
    }
    get_object(scope, realm, "host").ok_or_else(|| failed("runner:host", "no host object"))
}

fn run<'s>(
    scope: &mut PinScope<'s, '_>,
    name: &'static str,
    source: &'static str,
    native: Local<'s, Object>,
    realm: Local<'s, Object>,
) -> Result<(), BootstrapError> {
    v8::tc_scope!(let scope, scope);
    if call_script(scope, name, source, native, realm).is_some() {
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

fn call_script<'s>(
    scope: &mut PinScope<'s, '_>,
    name: &str,
    source: &str,
    native: Local<'s, Object>,
    realm: Local<'s, Object>,
) -> Option<()> {
    let source = v8::String::new(scope, &format!("{STRICT}{source}"))?;
    let name: Local<v8::Value> = v8::String::new(scope, name)?.into();
    // One line up, for the line that stands before the file's own.
    let origin = v8::ScriptOrigin::new(
        scope, name, -1, 0, false, 0, None, false, false, false, None,
    );
    let script = v8::Script::compile(scope, source, Some(&origin))?.run(scope)?;
    let function = Local::<Function>::try_from(script).ok()?;
    let undefined = v8::undefined(scope).into();
    function.call(scope, undefined, &[native.into(), realm.into()])?;
    Some(())
}

fn get_object<'s>(
    scope: &mut PinScope<'s, '_>,
    of: Local<'s, Object>,
    key: &str,
) -> Option<Local<'s, Object>> {
    let key = v8::String::new(scope, key)?;
    of.get(scope, key.into())?.try_into().ok()
}
