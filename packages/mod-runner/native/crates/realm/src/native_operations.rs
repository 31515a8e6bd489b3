//! The native functions that the realm's JavaScript may call.
//!
//! A snapshot names native functions by their place in the list of external references; what they
//! do is looked up in the isolate when they are called. So the snapshot's maker needs none of the
//! runner, and a new operation is one line in [`TABLE`].

use crate::web_crypto;
use v8::{
    ExternalReference, FunctionCallback, FunctionCallbackArguments, Local, MapFnTo, Object,
    PinScope, ReturnValue,
};

/// What the operations do in this process; kept in a slot of the isolate.
#[derive(Clone, Copy)]
pub struct Operations {
    /// `callCrypto(operation, fields)`: results in an array, or an error's name. It never throws.
    pub call_crypto: Operation,
    /// `callHost(operation, input)`: a promise of what the host answers.
    pub call_host: Operation,
    /// `log(level, text)`: a line for the host.
    pub log: Operation,
}

/// A native operation: the scope is the caller's, and an exception is thrown in it.
pub type Operation =
    for<'s, 'i> fn(&mut PinScope<'s, 'i>, FunctionCallbackArguments<'s>, ReturnValue<'s>);

/// Every native operation by the name that the realm's JavaScript knows it by. The order is part
/// of the snapshot's format; maker and user are built together.
fn table() -> [(&'static str, FunctionCallback); 5] {
    [
        ("callCrypto", call_crypto.map_fn_to()),
        ("callHost", call_host.map_fn_to()),
        ("hasHiddenState", has_hidden_state.map_fn_to()),
        ("loadWebCrypto", load_web_crypto.map_fn_to()),
        ("log", log.map_fn_to()),
    ]
}

/// The list that both the snapshot's maker and its user hand to V8.
#[must_use]
pub fn external_references() -> Vec<ExternalReference> {
    table()
        .map(|(_, function)| ExternalReference { function })
        .into_iter()
        .chain([web_crypto::external_reference()])
        .collect()
}

/// The `native` object that the realm's JavaScript is given; mods never see it.
pub(crate) fn native_object<'s>(scope: &mut PinScope<'s, '_>) -> Option<Local<'s, Object>> {
    let native = Object::new(scope);
    for (name, callback) in table() {
        let key = v8::String::new(scope, name)?;
        let function = v8::Function::builder_raw(callback)
            .constructor_behavior(v8::ConstructorBehavior::Throw)
            .build(scope)?;
        function.set_name(key);
        native.create_data_property(scope, key.into(), function.into())?;
    }
    Some(native)
}

fn call_crypto<'s>(
    scope: &mut PinScope<'s, '_>,
    arguments: FunctionCallbackArguments<'s>,
    result: ReturnValue<'s>,
) {
    if let Some(operations) = operations(scope) {
        (operations.call_crypto)(scope, arguments, result);
    }
}

fn call_host<'s>(
    scope: &mut PinScope<'s, '_>,
    arguments: FunctionCallbackArguments<'s>,
    result: ReturnValue<'s>,
) {
    if let Some(operations) = operations(scope) {
        (operations.call_host)(scope, arguments, result);
    }
}

fn log<'s>(
    scope: &mut PinScope<'s, '_>,
    arguments: FunctionCallbackArguments<'s>,
    result: ReturnValue<'s>,
) {
    if let Some(operations) = operations(scope) {
        (operations.log)(scope, arguments, result);
    }
}

/// `hasHiddenState(value)`: whether a value has state that JavaScript cannot see, so that it cannot be
/// cloned. What this asks of V8 runs nothing of the mod's.
fn has_hidden_state<'s>(
    _scope: &mut PinScope<'s, '_>,
    arguments: FunctionCallbackArguments<'s>,
    mut result: ReturnValue<'s>,
) {
    let value = arguments.get(0);
    result.set_bool(
        value.is_proxy()
            || value.is_promise()
            || value.is_weak_map()
            || value.is_weak_set()
            || value.is_generator_object()
            || value.is_arguments_object()
            || value.is_map_iterator()
            || value.is_set_iterator()
            || value.is_module_namespace_object(),
    );
}

/// `loadWebCrypto()`: the value of the layer's script, run in this context.
fn load_web_crypto<'s>(
    scope: &mut PinScope<'s, '_>,
    _arguments: FunctionCallbackArguments<'s>,
    mut result: ReturnValue<'s>,
) {
    if let Some(value) = web_crypto::load(scope).and_then(|script| script.run(scope)) {
        result.set(value);
    }
}

/// None while the snapshot is made: nothing of the realm's JavaScript calls out then.
fn operations(scope: &PinScope<'_, '_>) -> Option<Operations> {
    scope.get_slot::<Operations>().copied()
}
