//! What a context does not keep when it comes out of a snapshot.

use v8::{Context, Local, PinScope};

/// V8 installs it in every context, after the snapshot has been read: a second compiler, with
/// memory of its own, for code that nobody can review.
const INSTALLED_LATE: &str = "WebAssembly";

/// Takes from a context, fresh from the snapshot, what V8 has put into it meanwhile. False when
/// that failed: such a context must not be used.
#[must_use]
pub fn close_realm<'s>(scope: &mut PinScope<'s, '_>, context: Local<'s, Context>) -> bool {
    context.set_allow_generation_from_strings(false);
    let global = context.global(scope);
    let Some(key) = v8::String::new(scope, INSTALLED_LATE) else {
        return false;
    };
    global.delete(scope, key.into()) == Some(true) && global.has(scope, key.into()) == Some(false)
}
