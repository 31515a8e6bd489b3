//! `--self-test`: whether this binary works on this machine, told as JSON.

use crate::arguments::Confinement;
use crate::confinement::{Confined, start_confined};
use crate::realm_pool::RealmPool;
use codex_js_realm::{Jit, WebCryptoLayer};
use v8::{Local, OwnedIsolate};

/// What the self-test found.
pub struct Report {
    pub has_passed: bool,
    /// One JSON object: the checks by name, and what the kernel enforces.
    pub json: String,
}

/// Each is an expression that must be true in a mod's realm.
const EXPRESSIONS: [(&str, &str); 7] = [
    (
        "snapshot",
        "Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace')?.configurable === false",
    ),
    ("noWebAssembly", "!('WebAssembly' in globalThis)"),
    (
        "intl",
        "['b', 'ä', 'a'].sort(new Intl.Collator('de').compare).join('') === 'aäb'",
    ),
    (
        "timeZone",
        "Intl.DateTimeFormat().resolvedOptions().timeZone.length > 0",
    ),
    (
        "noEval",
        "(() => { try { Function('1'); return false } catch { return true } })()",
    ),
    // V8 takes the seed from the system; two equal numbers in a row would be a constant.
    ("random", "Math.random() !== Math.random()"),
    ("webCrypto", "crypto.randomUUID() !== crypto.randomUUID()"),
];

/// Runs every check inside the sandbox.
pub fn run(confinement: Confinement) -> Report {
    let Confined {
        mut isolate,
        enforced,
        ..
    } = match start_confined(confinement) {
        Ok(confined) => confined,
        Err(error) => {
            let json = serde_json::json!({"version": 1, "passed": false, "error": error.message});
            return Report {
                has_passed: false,
                json: json.to_string(),
            };
        }
    };
    let mut checks: serde_json::Map<String, serde_json::Value> = EXPRESSIONS
        .iter()
        .map(|(name, expression)| {
            (
                (*name).to_owned(),
                is_true(&mut isolate, expression).unwrap_or(false).into(),
            )
        })
        .collect();
    checks.insert("systemRandom".into(), has_system_random().into());
    // Without a JIT V8 has other code.
    if confinement.jit == Jit::On {
        let layer = isolate.get_slot::<WebCryptoLayer>();
        let is_from_cache = layer.is_some_and(WebCryptoLayer::is_from_cache);
        checks.insert("webCryptoCode".into(), is_from_cache.into());
    }
    let has_passed = checks.values().all(|value| value == true);
    let enforced: serde_json::Value = serde_json::from_str(&enforced).unwrap_or_default();
    let json = serde_json::json!({
        "version": 1, "passed": has_passed, "checks": checks, "enforced": enforced,
    });
    Report {
        has_passed,
        json: json.to_string(),
    }
}

fn is_true(isolate: &mut OwnedIsolate, expression: &str) -> Option<bool> {
    let realm = RealmPool::default().take(isolate);
    v8::scope_with_context!(let scope, isolate, &realm.context);
    v8::tc_scope!(let scope, scope);
    let source = v8::String::new(scope, expression)?;
    let value: Local<v8::Value> = v8::Script::compile(scope, source, None)?.run(scope)?;
    Some(value.is_true())
}

/// What mods' randomness will come from.
fn has_system_random() -> bool {
    let mut bytes = [0_u8; 32];
    // SAFETY: pointer and length are those of a live array.
    let written = unsafe { libc::getentropy(bytes.as_mut_ptr().cast(), bytes.len()) };
    written == 0 && bytes != [0; 32]
}
