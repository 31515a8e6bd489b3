//! What the runner says, written as bytes.

use crate::PROTOCOL_VERSION;
use crate::codes::{ErrorCode, Reason};
use serde::Serialize;
use std::collections::BTreeMap;

/// What a callback cost.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    pub elapsed_ms: f64,
    pub cpu_ms: f64,
    pub heap_bytes: usize,
    pub external_bytes: usize,
    pub host_requests: u64,
    pub logs_dropped: u64,
}

/// A place in the author's own file.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Location {
    pub module: String,
    pub line: u32,
    pub column: u32,
}

/// A call in the mod's code.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct StackFrame {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    #[serde(flatten)]
    pub location: Location,
}

/// How a console line was meant.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum LogLevel {
    Debug,
    Info,
    Warn,
    Error,
}

impl LogLevel {
    /// The name on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
        }
    }

    /// The level of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Debug, Self::Info, Self::Warn, Self::Error]
            .into_iter()
            .find(|level| level.as_str() == name)
    }
}

/// Everything that an error message may carry.
#[derive(Clone, Debug)]
pub struct ErrorMessage {
    pub code: ErrorCode,
    pub message: String,
    pub reason: Option<Reason>,
    pub name: Option<String>,
    pub syntax_code: Option<&'static str>,
    pub location: Option<Location>,
    pub stack: Vec<StackFrame>,
    pub code_frame: Option<String>,
    pub unloaded: bool,
}

impl ErrorMessage {
    /// An error with nothing but its message.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            reason: None,
            name: None,
            syntax_code: None,
            location: None,
            stack: Vec::new(),
            code_frame: None,
            unloaded: false,
        }
    }

    /// A protocol error.
    pub fn protocol(reason: Reason, message: impl Into<String>) -> Self {
        Self {
            reason: Some(reason),
            ..Self::new(ErrorCode::Protocol, message)
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ErrorLine<'a> {
    r#type: &'static str,
    id: Option<u64>,
    code: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    syntax_code: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<&'a Location>,
    #[serde(skip_serializing_if = "<[StackFrame]>::is_empty")]
    stack: &'a [StackFrame],
    #[serde(skip_serializing_if = "Option::is_none")]
    code_frame: Option<&'a str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unloaded: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    usage: Option<Usage>,
}

/// Appends an error line.
pub fn write_error(out: &mut Vec<u8>, id: Option<u64>, error: &ErrorMessage, usage: Option<Usage>) {
    let line = ErrorLine {
        r#type: "error",
        id,
        code: error.code.as_str(),
        message: &error.message,
        reason: error.reason.map(Reason::as_str),
        name: error.name.as_deref(),
        syntax_code: error.syntax_code,
        location: error.location.as_ref(),
        stack: &error.stack,
        code_frame: error.code_frame.as_deref(),
        unloaded: error.unloaded,
        usage,
    };
    write_line(out, &line);
}

/// Appends the ready line. `enforced` is JSON text of the sandbox's own.
pub fn write_ready(out: &mut Vec<u8>, v8_version: &str, sandbox_mode: &str, enforced: &str) {
    text(out, r#"{"type":"ready","ready":true,"protocolVersion":"#);
    number(out, PROTOCOL_VERSION);
    text(out, r#","runnerVersion":"#);
    string(out, env!("CARGO_PKG_VERSION"));
    text(out, r#","v8Version":"#);
    string(out, v8_version);
    text(out, r#","pid":"#);
    number(out, u64::from(std::process::id()));
    text(out, r#","sandbox":{"mode":"#);
    string(out, sandbox_mode);
    text(out, r#","enforced":"#);
    text(out, enforced);
    text(out, "}}\n");
}

/// Appends a result line. `value` is JSON text.
pub fn write_result(out: &mut Vec<u8>, id: u64, value: &str, usage: Usage) {
    text(out, r#"{"type":"result","id":"#);
    number(out, id);
    text(out, r#","value":"#);
    text(out, value);
    text(out, r#","usage":"#);
    json(out, &usage);
    text(out, "}\n");
}

/// Appends the answer to `load`.
pub fn write_loaded(out: &mut Vec<u8>, id: u64, usage: Usage) {
    text(out, r#"{"type":"loaded","id":"#);
    number(out, id);
    text(out, r#","usage":"#);
    json(out, &usage);
    text(out, "}\n");
}

/// Appends a host request. `input` is JSON text.
pub fn write_host_request(
    out: &mut Vec<u8>,
    callback: u64,
    request: u64,
    operation: &str,
    input: &str,
) {
    text(out, r#"{"type":"hostRequest","callback":"#);
    number(out, callback);
    text(out, r#","request":"#);
    number(out, request);
    text(out, r#","operation":"#);
    string(out, operation);
    text(out, r#","input":"#);
    text(out, input);
    text(out, "}\n");
}

/// Appends a log line.
pub fn write_log(out: &mut Vec<u8>, id: u64, level: LogLevel, line: &str, is_cut: bool) {
    text(out, r#"{"type":"log","id":"#);
    number(out, id);
    text(out, r#","level":"#);
    string(out, level.as_str());
    text(out, r#","text":"#);
    string(out, line);
    text(
        out,
        if is_cut {
            ",\"truncated\":true}\n"
        } else {
            "}\n"
        },
    );
}

/// Appends new code caches, base64 by module path.
pub fn write_caches(out: &mut Vec<u8>, id: u64, caches: &BTreeMap<String, String>) {
    text(out, r#"{"type":"caches","id":"#);
    number(out, id);
    text(out, r#","caches":"#);
    json(out, caches);
    text(out, "}\n");
}

fn text(out: &mut Vec<u8>, part: &str) {
    out.extend_from_slice(part.as_bytes());
}

fn number(out: &mut Vec<u8>, value: u64) {
    text(out, &value.to_string());
}

fn string(out: &mut Vec<u8>, value: &str) {
    json(out, value);
}

fn write_line(out: &mut Vec<u8>, value: &impl Serialize) {
    json(out, value);
    out.push(b'\n');
}

/// Neither the writer (memory) nor the values (strings, numbers, maps with string keys) can fail.
fn json<T: Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) {
    if serde_json::to_writer(&mut *out, value).is_err() {
        unreachable!("writing plain values into memory does not fail");
    }
}
