//! Reads a line of the host: one pass of the JSON parser, then the schema's rules.

use crate::codes::Reason;
use crate::host_message::{
    Callback, Hook, HostError, HostMessage, HostReply, Load, ModIdentity, Modules, Render,
};
use crate::json_text::check_json_text;
use crate::{PROTOCOL_VERSION, limits};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;

/// Why a line is refused.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct MessageFault {
    /// The id that the line had, for the answer.
    pub id: Option<u64>,
    pub reason: Reason,
    pub message: String,
}

/// Every field of every message; which of them belong to which type is checked afterwards.
#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Fields<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(default, deserialize_with = "present")]
    id: Option<u64>,
    #[serde(default, deserialize_with = "present")]
    protocol_version: Option<u64>,
    #[serde(default, deserialize_with = "present")]
    cache_key: Option<String>,
    #[serde(default, rename = "mod", deserialize_with = "present_object")]
    identity: Option<ModIdentity>,
    #[serde(default, deserialize_with = "present")]
    modules: Option<Modules>,
    #[serde(default, deserialize_with = "present")]
    caches: Option<HashMap<String, String>>,
    #[serde(default, deserialize_with = "present")]
    want_caches: Option<bool>,
    #[serde(default, deserialize_with = "present_object")]
    hook: Option<Hook>,
    #[serde(default, deserialize_with = "present")]
    module: Option<String>,
    #[serde(default, deserialize_with = "present")]
    export: Option<String>,
    #[serde(borrow, default, deserialize_with = "present")]
    input: Option<&'a RawValue>,
    #[serde(default, deserialize_with = "present")]
    budget_ms: Option<u64>,
    #[serde(default, deserialize_with = "present")]
    callback: Option<u64>,
    #[serde(default, deserialize_with = "present")]
    request: Option<u64>,
    #[serde(borrow, default, deserialize_with = "present")]
    value: Option<&'a RawValue>,
    #[serde(default, deserialize_with = "present_object")]
    error: Option<HostError>,
}

/// `null` is a value, of a field that may be one, and not the lack of it.
fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}

/// The same of an object: serde would take an array with the fields' values as well.
fn present_object<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    struct Object<T>(PhantomData<T>);
    impl<'de, T: Deserialize<'de>> Visitor<'de> for Object<T> {
        type Value = T;
        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("an object")
        }
        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
            T::deserialize(MapAccessDeserializer::new(map))
        }
    }
    deserializer.deserialize_map(Object(PhantomData)).map(Some)
}

/// Only what is needed to answer a line whose other fields do not fit.
#[derive(serde::Deserialize)]
struct Envelope {
    id: Option<serde_json::Value>,
}

/// Reads one line, without its newline.
///
/// # Errors
/// [`MessageFault`] with a fatal reason when the line is no JSON object.
pub fn parse_host_message(line: &[u8]) -> Result<HostMessage<'_>, MessageFault> {
    let text = std::str::from_utf8(line)
        .map_err(|error| malformed(format!("invalid UTF-8 after byte {}", error.valid_up_to())))?;
    // serde would take an array of the fields' values as well.
    if text.trim_ascii_start().starts_with('[') {
        return Err(malformed("an array, expected an object".into()));
    }
    match serde_json::from_str::<Fields<'_>>(text) {
        Ok(fields) => {
            let id = fields.id;
            to_message(fields).map_err(|(reason, message)| MessageFault {
                id,
                reason,
                message,
            })
        }
        Err(error) => Err(explain(text, &error)),
    }
}

/// Tells JSON that does not fit a message from text that is no JSON object.
fn explain(text: &str, error: &serde_json::Error) -> MessageFault {
    if !error.is_data() || !text.trim_ascii_start().starts_with('{') {
        return malformed(error.to_string());
    }
    MessageFault {
        // None as well where there are two.
        id: serde_json::from_str::<Envelope>(text)
            .ok()
            .and_then(|envelope| envelope.id?.as_u64()),
        reason: Reason::InvalidMessage,
        message: error.to_string(),
    }
}

fn malformed(message: String) -> MessageFault {
    MessageFault {
        id: None,
        reason: Reason::Malformed,
        message,
    }
}

type Fault = (Reason, String);

fn to_message(mut fields: Fields<'_>) -> Result<HostMessage<'_>, Fault> {
    let kind = std::mem::take(&mut fields.kind);
    let message = match kind.as_ref() {
        "hello" => hello(&mut fields)?,
        "callback" => HostMessage::Callback(callback(&mut fields)?),
        "load" => HostMessage::Load(load(&mut fields)?),
        "render" => HostMessage::Render(render(&mut fields)?),
        "hostReply" => HostMessage::HostReply(host_reply(&mut fields)?),
        "cancel" => HostMessage::Cancel {
            id: id(&mut fields.id, "id")?,
        },
        "shutdown" => HostMessage::Shutdown,
        _ => {
            return Err((
                Reason::UnknownType,
                format!("there is no message of type {kind:?}"),
            ));
        }
    };
    match leftover(&fields) {
        Some(name) => Err(invalid(format!("{name} does not belong to {kind:?}"))),
        None => Ok(message),
    }
}

fn hello<'a>(fields: &mut Fields<'a>) -> Result<HostMessage<'a>, Fault> {
    let version = required(fields.protocol_version.take(), "protocolVersion")?;
    if version != PROTOCOL_VERSION {
        let message =
            format!("the host speaks version {version}, this runner version {PROTOCOL_VERSION}");
        return Err((Reason::UnsupportedVersion, message));
    }
    let cache_key = match fields.cache_key.take() {
        None => None,
        Some(text) => Some(
            parse_key(&text)
                .ok_or_else(|| invalid("cacheKey: 64 lower-case hexadecimal digits"))?,
        ),
    };
    Ok(HostMessage::Hello { cache_key })
}

fn callback<'a>(fields: &mut Fields<'a>) -> Result<Callback<'a>, Fault> {
    let hook = required(fields.hook.take(), "hook")?;
    check_path(&hook.module, "hook.module")?;
    check_length(&hook.export, 128, "hook.export")?;
    Ok(Callback {
        id: id(&mut fields.id, "id")?,
        identity: identity(fields)?,
        modules: modules(fields)?,
        caches: fields.caches.take().unwrap_or_default(),
        want_caches: fields.want_caches.take().unwrap_or(false),
        hook,
        input: input(fields)?,
        budget_ms: budget(fields)?,
    })
}

fn load(fields: &mut Fields<'_>) -> Result<Load, Fault> {
    let module = required(fields.module.take(), "module")?;
    check_path(&module, "module")?;
    Ok(Load {
        id: id(&mut fields.id, "id")?,
        identity: identity(fields)?,
        modules: modules(fields)?,
        caches: fields.caches.take().unwrap_or_default(),
        want_caches: fields.want_caches.take().unwrap_or(false),
        module,
        budget_ms: budget(fields)?,
    })
}

fn render<'a>(fields: &mut Fields<'a>) -> Result<Render<'a>, Fault> {
    let export = required(fields.export.take(), "export")?;
    check_length(&export, 128, "export")?;
    Ok(Render {
        id: id(&mut fields.id, "id")?,
        export,
        input: input(fields)?,
        budget_ms: budget(fields)?,
    })
}

fn host_reply<'a>(fields: &mut Fields<'a>) -> Result<HostReply<'a>, Fault> {
    let answer = match (fields.value.take(), fields.error.take()) {
        (Some(value), None) => {
            check_json(value, limits::HOST_REPLY_BYTES, "value")?;
            Ok(value)
        }
        (None, Some(error)) => {
            check_length(&error.code, 128, "error.code")?;
            Err(error)
        }
        _ => return Err(invalid("a reply has either value or error")),
    };
    Ok(HostReply {
        callback: id(&mut fields.callback, "callback")?,
        request: id(&mut fields.request, "request")?,
        answer,
    })
}

fn identity(fields: &mut Fields<'_>) -> Result<ModIdentity, Fault> {
    let identity = required(fields.identity.take(), "mod")?;
    check_length(&identity.name, 214, "mod.name")?;
    if identity.digest.len() != 64 || !identity.digest.bytes().all(is_lower_hex) {
        return Err(invalid("mod.digest: 64 lower-case hexadecimal digits"));
    }
    Ok(identity)
}

fn modules(fields: &mut Fields<'_>) -> Result<Option<Modules>, Fault> {
    let Some(modules) = fields.modules.take() else {
        return Ok(None);
    };
    if modules.is_empty() || modules.len() > limits::MODULES {
        return Err(invalid(format!(
            "modules: {} of at most {}",
            modules.len(),
            limits::MODULES
        )));
    }
    let mut total = 0;
    for (path, text) in &modules {
        check_path(path, "modules")?;
        check_size(text.len(), limits::MODULE_BYTES, path)?;
        total += text.len();
    }
    check_size(total, limits::ALL_MODULES_BYTES, "modules")?;
    Ok(Some(modules))
}

fn input<'a>(fields: &mut Fields<'a>) -> Result<&'a RawValue, Fault> {
    let input = required(fields.input.take(), "input")?;
    check_json(input, limits::INPUT_BYTES, "input")?;
    Ok(input)
}

fn budget(fields: &mut Fields<'_>) -> Result<u64, Fault> {
    let budget = required(fields.budget_ms.take(), "budgetMs")?;
    let allowed = limits::BUDGET_MS_MIN as u64..=limits::BUDGET_MS_MAX as u64;
    if allowed.contains(&budget) {
        return Ok(budget);
    }
    Err(invalid(format!(
        "budgetMs: {budget} is not from {} to {}",
        allowed.start(),
        allowed.end()
    )))
}

/// Ids are exact in every JSON reader.
fn id(field: &mut Option<u64>, name: &str) -> Result<u64, Fault> {
    let id = required(field.take(), name)?;
    if (1..=9_007_199_254_740_991).contains(&id) {
        return Ok(id);
    }
    Err(invalid(format!(
        "{name}: {id} is not from 1 to 9007199254740991"
    )))
}

fn leftover(fields: &Fields<'_>) -> Option<&'static str> {
    let present = [
        (fields.id.is_some(), "id"),
        (fields.protocol_version.is_some(), "protocolVersion"),
        (fields.cache_key.is_some(), "cacheKey"),
        (fields.identity.is_some(), "mod"),
        (fields.modules.is_some(), "modules"),
        (fields.caches.is_some(), "caches"),
        (fields.want_caches.is_some(), "wantCaches"),
        (fields.hook.is_some(), "hook"),
        (fields.module.is_some(), "module"),
        (fields.export.is_some(), "export"),
        (fields.input.is_some(), "input"),
        (fields.budget_ms.is_some(), "budgetMs"),
        (fields.callback.is_some(), "callback"),
        (fields.request.is_some(), "request"),
        (fields.value.is_some(), "value"),
        (fields.error.is_some(), "error"),
    ];
    present
        .iter()
        .find(|(is_left, _)| *is_left)
        .map(|(_, name)| *name)
}

fn required<T>(field: Option<T>, name: &str) -> Result<T, Fault> {
    field.ok_or_else(|| invalid(format!("{name} is missing")))
}

fn invalid(message: impl Into<String>) -> Fault {
    (Reason::InvalidMessage, message.into())
}

fn check_length(text: &str, limit: usize, name: &str) -> Result<(), Fault> {
    if text.is_empty() {
        return Err(invalid(format!("{name} is empty")));
    }
    check_size(text.len(), limit, name)
}

fn check_size(size: usize, limit: usize, name: &str) -> Result<(), Fault> {
    if size > limit {
        return Err(invalid(format!("{name}: {size} bytes of at most {limit}")));
    }
    Ok(())
}

fn check_json(text: &RawValue, limit: usize, name: &str) -> Result<(), Fault> {
    check_size(text.get().len(), limit, name)?;
    check_json_text(text.get(), limits::INPUT_DEPTH)
        .map_err(|fault| invalid(format!("{name}: {fault}")))
}

fn check_path(path: &str, name: &str) -> Result<(), Fault> {
    if is_module_path(path) {
        return Ok(());
    }
    Err(invalid(format!(
        "{name}: {path:?} is no path within a package"
    )))
}

/// Whether this is how a file of a package is named: relative, plain segments parted by `/`.
#[must_use]
pub fn is_module_path(path: &str) -> bool {
    !path.is_empty()
        && path.len() <= limits::MODULE_PATH_BYTES
        && !path.chars().any(is_refused_in_path)
        && path
            .split('/')
            .all(|segment| !matches!(segment, "" | "." | ".."))
}

fn is_refused_in_path(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\\' | '%' | ':' | '?' | '#')
}

fn parse_key(text: &str) -> Option<[u8; 32]> {
    if text.len() != 64 || !text.bytes().all(is_lower_hex) {
        return None;
    }
    let mut key = [0; 32];
    for (byte, digits) in key.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    }
    Some(key)
}

fn is_lower_hex(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}
