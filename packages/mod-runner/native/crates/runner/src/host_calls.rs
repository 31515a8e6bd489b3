//! What a running mod can reach outside its realm: host requests and console lines, counted and
//! cut to the limits.

use crate::output::Output;
use codex_js_wire::{
    HostReply, LogLevel, Reason, check_json_text, limits, write_host_request, write_log,
};
use std::collections::HashMap;
use v8::{
    FunctionCallbackArguments, Global, Isolate, Local, Object, PinScope, Promise, PromiseResolver,
    ReturnValue, Value,
};

/// The running callback's side of the host; kept in a slot of the isolate.
pub struct HostCalls {
    output: Output,
    /// None while nothing runs: whatever a mod kept of its host is dead then.
    callback: Option<u64>,
    is_settled: bool,
    outstanding: HashMap<u64, Global<PromiseResolver>>,
    last_request: u64,
    counts: Counts,
}

/// What the running callback has used.
#[derive(Clone, Copy, Default)]
pub struct Counts {
    pub requests: u64,
    logs: usize,
    log_bytes: usize,
    pub logs_dropped: u64,
}

impl HostCalls {
    /// Nothing runs yet.
    pub fn new(output: Output) -> Self {
        Self {
            output,
            callback: None,
            is_settled: false,
            outstanding: HashMap::new(),
            last_request: 0,
            counts: Counts::default(),
        }
    }

    /// The host can be called from now on.
    pub fn open(&mut self, callback: u64) {
        self.callback = Some(callback);
        self.is_settled = false;
        self.counts = Counts::default();
    }

    /// The host can no longer be called; outstanding requests are dropped.
    pub fn close(&mut self) -> Counts {
        self.callback = None;
        self.outstanding.clear();
        self.counts
    }

    /// The hook has settled: nothing more can be asked for, and outstanding requests are dropped.
    pub fn settle_hook(&mut self) {
        self.is_settled = true;
        self.outstanding.clear();
    }

    /// Whether an answer of the host could still settle something.
    pub fn is_waiting(&self) -> bool {
        !self.outstanding.is_empty()
    }

    /// The host's lines go the same way as everything else.
    pub fn output(&mut self) -> &mut Output {
        &mut self.output
    }
}

/// The slot; it is set before anything runs.
pub fn of(isolate: &mut Isolate) -> &mut HostCalls {
    let Some(calls) = isolate.get_slot_mut::<HostCalls>() else {
        unreachable!("the slot is filled before the first context is made");
    };
    calls
}

/// The realm's `callHost`.
pub fn call_host<'s, 'i>(
    scope: &mut PinScope<'s, 'i>,
    arguments: FunctionCallbackArguments<'s>,
    mut result: ReturnValue<'s>,
) {
    if let Some(promise) = request(scope, arguments.get(0), arguments.get(1)) {
        result.set(promise.into());
    }
}

/// A promise of the realm; refusals reject it, as an `async` function would.
fn request<'s>(
    scope: &mut PinScope<'s, '_>,
    operation: Local<'s, Value>,
    input: Local<'s, Value>,
) -> Option<Local<'s, Promise>> {
    let resolver = PromiseResolver::new(scope)?;
    let promise = resolver.get_promise(scope);
    match compose_request(scope, operation, input) {
        Ok((operation, input)) => send_request(scope, resolver, &operation, &input),
        Err(Refused::Thrown) => return None,
        Err(Refused::Rule(sentence)) => {
            let message = v8::String::new(scope, &sentence)?;
            let error = v8::Exception::type_error(scope, message);
            resolver.reject(scope, error)?;
        }
    }
    Some(promise)
}

enum Refused {
    /// An exception is pending in the realm.
    Thrown,
    Rule(String),
}

/// Runs the mod's `toJSON` and getters; the isolate's slot is not borrowed meanwhile.
fn compose_request<'s>(
    scope: &mut PinScope<'s, '_>,
    operation: Local<'s, Value>,
    input: Local<'s, Value>,
) -> Result<(String, String), Refused> {
    let rule = |sentence: &str| Refused::Rule(format!("host.call: {sentence}"));
    if !operation.is_string() {
        return Err(rule("the operation is a string"));
    }
    let operation = operation.to_rust_string_lossy(scope);
    if operation.is_empty() || operation.len() > limits::OPERATION_BYTES {
        return Err(rule("the operation is empty or too long"));
    }
    let input = if input.is_undefined() {
        "null".to_owned()
    } else {
        to_json(scope, input)?
    };
    if input.len() > limits::HOST_REQUEST_BYTES {
        return Err(rule("the input is too large"));
    }
    check_json_text(&input, limits::INPUT_DEPTH).map_err(|fault| rule(&fault.to_string()))?;
    may_request(of(scope)).map_err(rule)?;
    Ok((operation, input))
}

fn to_json(scope: &mut PinScope<'_, '_>, value: Local<'_, Value>) -> Result<String, Refused> {
    let text = v8::json::stringify(scope, value).ok_or(Refused::Thrown)?;
    Ok(text.to_rust_string_lossy(scope))
}

fn may_request(calls: &HostCalls) -> Result<(), &'static str> {
    if calls.callback.is_none() || calls.is_settled {
        return Err("the callback has ended");
    }
    if calls.outstanding.len() >= limits::HOST_REQUESTS_OUTSTANDING {
        return Err("too many calls are waiting");
    }
    if calls.counts.requests >= limits::HOST_REQUESTS_PER_CALLBACK as u64 {
        return Err("too many calls in this callback");
    }
    Ok(())
}

fn send_request<'s>(
    scope: &mut PinScope<'s, '_>,
    resolver: Local<'s, PromiseResolver>,
    operation: &str,
    input: &str,
) {
    let resolver = Global::new(scope, resolver);
    let calls = of(scope);
    let Some(callback) = calls.callback else {
        return;
    };
    calls.last_request += 1;
    calls.counts.requests += 1;
    let request = calls.last_request;
    calls.outstanding.insert(request, resolver);
    calls
        .output
        .send(|out| write_host_request(out, callback, request, operation, input));
}

/// Settles the promise that a reply is for.
///
/// # Errors
/// When no such request is outstanding.
pub fn settle(scope: &mut PinScope<'_, '_>, reply: &HostReply<'_>) -> Result<(), (Reason, String)> {
    let Some(resolver) = of(scope).outstanding.remove(&reply.request) else {
        let message = format!("request {} is not outstanding", reply.request);
        return Err((Reason::UnknownRequest, message));
    };
    let resolver = Local::new(scope, resolver);
    // Neither fails but for want of memory or after termination, and the callback ends by that.
    let _ = match &reply.answer {
        Ok(value) => resolve(scope, resolver, value.get()),
        Err(error) => reject(scope, resolver, &error.code, &error.message),
    };
    Ok(())
}

fn resolve<'s>(
    scope: &mut PinScope<'s, '_>,
    resolver: Local<'s, PromiseResolver>,
    json: &str,
) -> Option<bool> {
    let text = v8::String::new(scope, json)?;
    let value = v8::json::parse(scope, text)?;
    resolver.resolve(scope, value)
}

fn reject<'s>(
    scope: &mut PinScope<'s, '_>,
    resolver: Local<'s, PromiseResolver>,
    code: &str,
    message: &str,
) -> Option<bool> {
    let message = v8::String::new(scope, message)?;
    let error = v8::Exception::error(scope, message);
    let object = Local::<Object>::try_from(error).ok()?;
    // Defined, not assigned: a setter that the mod put on a prototype must not run here.
    define(scope, object, "name", "HostError")?;
    define(scope, object, "code", code)?;
    resolver.reject(scope, error)
}

fn define<'s>(
    scope: &mut PinScope<'s, '_>,
    object: Local<'s, Object>,
    key: &str,
    value: &str,
) -> Option<bool> {
    let key = v8::String::new(scope, key)?;
    let value = v8::String::new(scope, value)?;
    object.define_own_property(
        scope,
        key.into(),
        value.into(),
        v8::PropertyAttribute::DONT_ENUM,
    )
}

/// The realm's `log`.
pub fn log<'s, 'i>(
    scope: &mut PinScope<'s, 'i>,
    arguments: FunctionCallbackArguments<'s>,
    _result: ReturnValue<'s>,
) {
    let level = arguments.get(0).to_rust_string_lossy(scope);
    let text = arguments.get(1).to_rust_string_lossy(scope);
    let Some(level) = LogLevel::from_name(&level) else {
        return;
    };
    let calls = of(scope);
    let Some(callback) = calls.callback else {
        return;
    };
    let line = cut(&text, limits::LOG_TEXT_BYTES);
    let counts = &mut calls.counts;
    if counts.logs >= limits::LOGS_PER_CALLBACK
        || counts.log_bytes + line.len() > limits::LOG_BYTES_PER_CALLBACK
    {
        counts.logs_dropped += 1;
        return;
    }
    counts.logs += 1;
    counts.log_bytes += line.len();
    let is_cut = line.len() < text.len();
    calls
        .output
        .send(|out| write_log(out, callback, level, line, is_cut));
}

/// At most `limit` bytes of `text`, whole characters.
pub fn cut(text: &str, limit: usize) -> &str {
    let mut end = text.len().min(limit);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}
