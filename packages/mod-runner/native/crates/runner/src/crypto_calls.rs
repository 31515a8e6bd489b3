//! The realm's way to the crate of algorithms: bytes in, bytes out, names of errors out.

use crate::watchdog::StopFlag;
use codex_js_crypto::{CryptoError, Result, dispatch};
use v8::{
    Array, ArrayBuffer, FunctionCallbackArguments, Local, PinScope, ReturnValue, Uint8Array, Value,
};

/// No operation has more: an RSA key in parts.
const MOST_FIELDS: usize = 8;

/// The realm's `callCrypto(operation, fields)`. It throws nothing and runs nothing of the mod's: the
/// layer hands over strings and arrays that only it has.
pub fn call_crypto<'s, 'i>(
    scope: &mut PinScope<'s, 'i>,
    arguments: FunctionCallbackArguments<'s>,
    mut returned: ReturnValue<'s>,
) {
    let answer = compute(scope, arguments.get(0), arguments.get(1))
        .and_then(|results| to_arrays(scope, &results).ok_or(CryptoError::Operation));
    match answer {
        Ok(arrays) => returned.set(arrays.into()),
        Err(error) => {
            if let Some(name) = v8::String::new(scope, error.name()) {
                returned.set(name.into());
            }
        }
    }
}

fn compute<'s>(
    scope: &mut PinScope<'s, '_>,
    operation: Local<'s, Value>,
    fields: Local<'s, Value>,
) -> Result<Vec<Vec<u8>>> {
    let operation = operation.to_rust_string_lossy(scope);
    let fields = read_fields(scope, fields).ok_or(CryptoError::NotSupported)?;
    // V8 moves nothing while no JavaScript runs: typed arrays are outside its heap in this build, and
    // the room for those that are not stays empty.
    let mut room = [[0; v8::TYPED_ARRAY_MAX_SIZE_IN_HEAP]; MOST_FIELDS];
    let bytes: Vec<&[u8]> = fields
        .iter()
        .zip(&mut room)
        .map(|(field, room)| field.get_contents(room))
        .collect();
    let flag = scope.get_slot::<StopFlag>();
    dispatch::call(&operation, &bytes, &|| flag.is_some_and(StopFlag::is_set))
}

fn read_fields<'s>(
    scope: &mut PinScope<'s, '_>,
    fields: Local<'s, Value>,
) -> Option<Vec<Local<'s, Uint8Array>>> {
    let fields = Local::<Array>::try_from(fields).ok()?;
    let count = fields.length();
    if count as usize > MOST_FIELDS {
        return None;
    }
    (0..count)
        .map(|index| fields.get_index(scope, index)?.try_into().ok())
        .collect()
}

fn to_arrays<'s>(scope: &mut PinScope<'s, '_>, results: &[Vec<u8>]) -> Option<Local<'s, Array>> {
    let arrays: Option<Vec<Local<Value>>> = results
        .iter()
        .map(|result| to_array(scope, result).map(Into::into))
        .collect();
    Some(Array::new_with_elements(scope, &arrays?))
}

fn to_array<'s>(scope: &mut PinScope<'s, '_>, bytes: &[u8]) -> Option<Local<'s, Uint8Array>> {
    // Without memory for it, V8 ends the process: the host takes that for the mod's lack of memory.
    let buffer = ArrayBuffer::new(scope, bytes.len());
    if let Some(data) = buffer.data() {
        // SAFETY: the buffer was made for so many bytes, and nobody else has it yet.
        unsafe {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), data.as_ptr().cast(), bytes.len());
        }
    }
    Uint8Array::new(scope, buffer, 0, bytes.len())
}
