//! The script of `packages/mod-webcrypto`: its value is `install(target, host)`.
//!
//! Its text stays where the program has it. As a string of V8's it would be in the memory of every
//! runner, for nothing but `toString` and functions that are compiled later.

use v8::{ExternalReference, Local, OneByteConst, PinScope};

/// As stacks name it.
pub(crate) const NAME: &str = "runner:web-crypto-layer";

/// The build script has seen that the file is there. It does not compile unless it is ASCII.
static SOURCE: OneByteConst =
    v8::String::create_external_onebyte_const(include_bytes!(env!("CODEX_JS_WEB_CRYPTO")));

/// The snapshot names the text by its place in the list of external references.
pub(crate) fn external_reference() -> ExternalReference {
    ExternalReference {
        pointer: std::ptr::from_ref(&SOURCE).cast_mut().cast(),
    }
}

pub(crate) fn source<'s>(scope: &PinScope<'s, '_>) -> Option<Local<'s, v8::String>> {
    v8::String::new_from_onebyte_const(scope, &SOURCE)
}
