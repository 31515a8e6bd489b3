//! `import()` in all its forms is refused, with an error of the mod's own realm.

use v8::{Data, FixedArray, Isolate, Local, ModuleImportPhase, PinScope, Promise, Value};

const SENTENCE: &str = "import() is not available to mods: use an import statement";

/// Installs both of V8's callbacks; without the second one `import.source()` would end the process.
pub fn install(isolate: &mut Isolate) {
    isolate.set_host_import_module_dynamically_callback(refuse);
    isolate.set_host_import_module_with_phase_dynamically_callback(refuse_phase);
}

fn refuse<'s, 'i>(
    scope: &mut PinScope<'s, 'i>,
    _options: Local<'s, Data>,
    _referrer: Local<'s, Value>,
    _specifier: Local<'s, v8::String>,
    _attributes: Local<'s, FixedArray>,
) -> Option<Local<'s, Promise>> {
    rejected(scope)
}

fn refuse_phase<'s, 'i>(
    scope: &mut PinScope<'s, 'i>,
    _options: Local<'s, Data>,
    _referrer: Local<'s, Value>,
    _specifier: Local<'s, v8::String>,
    _phase: ModuleImportPhase,
    _attributes: Local<'s, FixedArray>,
) -> Option<Local<'s, Promise>> {
    rejected(scope)
}

fn rejected<'s>(scope: &mut PinScope<'s, '_>) -> Option<Local<'s, Promise>> {
    let resolver = v8::PromiseResolver::new(scope)?;
    let message = v8::String::new(scope, SENTENCE)?;
    let error = v8::Exception::type_error(scope, message);
    resolver.reject(scope, error)?;
    Some(resolver.get_promise(scope))
}
