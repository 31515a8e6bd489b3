//! The two scripts of `packages/mod-webcrypto`: one that every realm has run, whose value is
//! `install(target, host)`, and the layer itself, which a realm gets when its mod first uses it.
//!
//! Their texts stay where the program has them. As strings of V8's they would be in the memory of every
//! runner, for nothing but `toString` and functions that are compiled later.

use v8::script_compiler::{
    CachedData, CompileOptions, NoCacheReason, Source, compile_unbound_script,
};
use v8::{ExternalReference, Global, Local, OneByteConst, PinScope, Script, UnboundScript};

/// As stacks name them.
pub(crate) const INSTALL_NAME: &str = "runner:web-crypto-install";
const LAYER_NAME: &str = "runner:web-crypto-layer";

// The build script has seen that the files are there. They do not compile unless they are ASCII.
static INSTALL: OneByteConst = v8::String::create_external_onebyte_const(include_bytes!(concat!(
    env!("CODEX_JS_WEB_CRYPTO"),
    "/install.js"
)));
static LAYER: OneByteConst = v8::String::create_external_onebyte_const(include_bytes!(concat!(
    env!("CODEX_JS_WEB_CRYPTO"),
    "/layer.js"
)));

/// The snapshot names the text by its place in the list of external references.
pub(crate) fn external_reference() -> ExternalReference {
    ExternalReference {
        pointer: std::ptr::from_ref(&INSTALL).cast_mut().cast(),
    }
}

pub(crate) fn install_source<'s>(scope: &PinScope<'s, '_>) -> Option<Local<'s, v8::String>> {
    v8::String::new_from_onebyte_const(scope, &INSTALL)
}

/// The layer's script in an isolate, once one of its contexts has needed it; kept in a slot of the isolate.
#[derive(Default)]
pub struct WebCryptoLayer {
    /// V8's code cache of the layer, made with the snapshot; without one the layer is compiled.
    code_cache: &'static [u8],
    compiled: Option<Global<UnboundScript>>,
    is_from_cache: bool,
}

impl WebCryptoLayer {
    #[must_use]
    pub fn new(code_cache: &'static [u8]) -> Self {
        Self {
            code_cache,
            ..Self::default()
        }
    }

    /// Whether a context has needed the layer, and V8 took it from the code cache.
    #[must_use]
    pub fn is_from_cache(&self) -> bool {
        self.is_from_cache
    }
}

/// The layer's script, bound to the current context. None when an exception is pending.
pub(crate) fn load<'s>(scope: &mut PinScope<'s, '_>) -> Option<Local<'s, Script>> {
    let layer = scope.get_slot::<WebCryptoLayer>();
    let compiled = layer.and_then(|layer| layer.compiled.clone());
    if let Some(compiled) = compiled {
        return Some(Local::new(scope, compiled).bind_to_current_context(scope));
    }
    let code_cache = layer.map_or(&[][..], |layer| layer.code_cache);
    let (compiled, is_from_cache) = compile(scope, code_cache)?;
    let kept = Global::new(scope, compiled);
    if let Some(layer) = scope.get_slot_mut::<WebCryptoLayer>() {
        layer.compiled = Some(kept);
        layer.is_from_cache = is_from_cache;
    }
    Some(compiled.bind_to_current_context(scope))
}

fn compile<'s>(
    scope: &mut PinScope<'s, '_>,
    code_cache: &'static [u8],
) -> Option<(Local<'s, UnboundScript>, bool)> {
    let name = v8::String::new(scope, LAYER_NAME)?.into();
    let origin =
        v8::ScriptOrigin::new(scope, name, 0, 0, false, 0, None, false, false, false, None);
    let text = v8::String::new_from_onebyte_const(scope, &LAYER)?;
    let (mut source, options) = if code_cache.is_empty() {
        (
            Source::new(text, Some(&origin)),
            CompileOptions::NoCompileOptions,
        )
    } else {
        let cache = CachedData::new(code_cache);
        let source = Source::new_with_cached_data(text, Some(&origin), cache);
        (source, CompileOptions::ConsumeCodeCache)
    };
    let compiled = compile_unbound_script(scope, &mut source, options, NoCacheReason::NoReason)?;
    let is_from_cache = source
        .get_cached_data()
        .is_some_and(|cache| !cache.rejected());
    Some((compiled, is_from_cache))
}

/// Uses that a mod's first one is likely to be; what they run is in the code cache. They come as far as the
/// native operations, which this process has not.
const TRAINING: &str = include_str!("../js/web-crypto-training.js");

/// V8's code cache of the layer, as a context has used it. To be made in a process that has started from the
/// snapshot which it shall go with: V8 takes no other.
#[must_use]
pub fn make_code_cache(scope: &mut PinScope<'_, '_>) -> Option<Vec<u8>> {
    scope.set_slot(WebCryptoLayer::default());
    let source = v8::String::new(scope, TRAINING)?;
    v8::Script::compile(scope, source, None)?.run(scope)?;
    scope.perform_microtask_checkpoint();
    let compiled = scope.get_slot::<WebCryptoLayer>()?.compiled.clone()?;
    let cache = Local::new(scope, compiled).create_code_cache()?;
    Some(cache.to_vec())
}
