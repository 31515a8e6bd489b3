//! One turn of a mod: from its first line of JavaScript to a settled result, under the watchdog,
//! with the host's answers read in between.

use crate::host_calls;
use crate::input::{Incoming, Input};
use crate::protocol_faults::{self, lock};
use crate::thrown;
use crate::watchdog::{Stop, Watchdog};
use crate::{exit, heap};
use codex_js_wire::{
    ErrorCode, ErrorMessage, HostMessage, HostReply, Reason, check_json_text, limits,
    parse_host_message,
};
use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::Instant;
use v8::{
    Function, Local, MicrotaskQueue, Module, Object, PinScope, Promise, PromiseResolver,
    PromiseState, Value,
};

/// Lines that came before their turn.
pub type Deferred = VecDeque<Vec<u8>>;

/// What a turn needs beside its realm.
pub struct Turn<'a> {
    pub callback: u64,
    pub deadline: Instant,
    pub watchdog: &'a Watchdog,
    pub input: &'a Mutex<Input>,
    pub deferred: &'a mut Deferred,
    pub microtasks: &'a MicrotaskQueue,
}

/// A fault of the mod, or the end of its time.
type Outcome<T> = Result<T, ErrorMessage>;

impl Turn<'_> {
    /// Runs a linked module's top level.
    pub fn evaluate<'s>(
        &mut self,
        scope: &mut PinScope<'s, '_>,
        module: Local<'s, Module>,
    ) -> Outcome<()> {
        v8::tc_scope!(let scope, scope);
        let Some(evaluated) = module.evaluate(scope) else {
            let (exception, message) = (scope.exception(), scope.message());
            return Err(match exception {
                Some(exception) => thrown::describe(scope, exception, message),
                None => ended(),
            });
        };
        let Ok(promise) = Local::<Promise>::try_from(evaluated) else {
            return Ok(());
        };
        self.settle(scope, promise, "the module's top-level await")
            .map(|_| ())
    }

    /// Calls an export with the input and the host object; gives the result as JSON text.
    pub fn call<'s>(
        &mut self,
        scope: &mut PinScope<'s, '_>,
        module: Local<'s, Module>,
        export: &str,
        input: &str,
        host: Local<'s, Object>,
    ) -> Outcome<String> {
        v8::tc_scope!(let scope, scope);
        let Some(called) = call_export(scope, module, export, input, host) else {
            let (exception, message) = (scope.exception(), scope.message());
            return Err(match exception {
                Some(exception) => thrown::describe(scope, exception, message),
                None => ended(),
            });
        };
        let value = self.settle(scope, called?, "the hook's promise")?;
        host_calls::of(scope).settle_hook();
        to_result(scope, value)
    }

    /// Runs microtasks, and waits for the host as long as that can settle the promise.
    fn settle<'s>(
        &mut self,
        scope: &mut PinScope<'s, '_>,
        promise: Local<'s, Promise>,
        what: &str,
    ) -> Outcome<Local<'s, Value>> {
        promise.mark_as_handled();
        loop {
            self.run_microtasks(scope)?;
            match promise.state() {
                PromiseState::Fulfilled => return Ok(promise.result(scope)),
                PromiseState::Rejected => {
                    let reason = promise.result(scope);
                    return Err(thrown::describe(scope, reason, None));
                }
                PromiseState::Pending if host_calls::of(scope).is_waiting() => {
                    self.wait_for_host(scope)?;
                }
                PromiseState::Pending => {
                    let message =
                        format!("{what} is pending, and nothing is left that could settle it");
                    return Err(ErrorMessage::new(ErrorCode::InvalidResult, message));
                }
            }
        }
    }

    fn run_microtasks(&mut self, scope: &mut PinScope<'_, '_>) -> Outcome<()> {
        v8::tc_scope!(let scope, scope);
        self.microtasks.perform_checkpoint(scope);
        if scope.has_terminated() || self.watchdog.is_stopped() || heap::is_reached(scope) {
            return Err(ended());
        }
        Ok(())
    }

    /// Reads lines until one of them settles something, or the time is over.
    fn wait_for_host(&mut self, scope: &mut PinScope<'_, '_>) -> Outcome<()> {
        // No JavaScript runs, and the input is needed here.
        if let Some(stop) = self.watchdog.disarm() {
            return Err(stop_error(stop));
        }
        loop {
            let incoming = lock(self.input).next_line(Some(self.deadline));
            let line = match incoming {
                Incoming::Line(line) => line,
                Incoming::Late => return Err(stop_error(Stop::Timeout)),
                other => protocol_faults::end(host_calls::of(scope).output(), &other),
            };
            if self.take_line(scope, line)? {
                return Ok(());
            }
        }
    }

    /// Whether the line was a reply that settled something.
    fn take_line(&mut self, scope: &mut PinScope<'_, '_>, line: Vec<u8>) -> Outcome<bool> {
        match parse_host_message(&line) {
            Ok(HostMessage::HostReply(reply)) => return Ok(self.take_reply(scope, &reply)),
            Ok(HostMessage::Cancel { id }) if id == self.callback => {
                return Err(stop_error(Stop::Cancelled));
            }
            Ok(HostMessage::Cancel { id }) => self.cancel_deferred(scope, id),
            Ok(HostMessage::Shutdown) => exit::exit_now(exit::OK),
            Ok(message) => {
                let id = message_id(&message);
                self.defer(scope, id, line);
            }
            Err(fault) => {
                let id = fault.id.filter(|id| *id != self.callback);
                protocol_faults::refuse(
                    host_calls::of(scope).output(),
                    id,
                    fault.reason,
                    fault.message,
                );
            }
        }
        Ok(false)
    }

    fn take_reply(&mut self, scope: &mut PinScope<'_, '_>, reply: &HostReply<'_>) -> bool {
        if reply.callback != self.callback {
            // It comes too late for a callback that has ended: nobody's fault.
            return false;
        }
        // Settling looks for `then`, which may be the mod's code.
        self.watchdog.arm(self.callback, self.deadline);
        let Err((reason, message)) = host_calls::settle(scope, reply) else {
            return true;
        };
        self.watchdog.disarm();
        protocol_faults::refuse(host_calls::of(scope).output(), None, reason, message);
        false
    }

    fn defer(&mut self, scope: &mut PinScope<'_, '_>, id: Option<u64>, line: Vec<u8>) {
        if self.deferred.len() < limits::QUEUED_MESSAGES {
            self.deferred.push_back(line);
            return;
        }
        let id = id.filter(|id| *id != self.callback);
        let message = format!("{} messages are waiting already", limits::QUEUED_MESSAGES);
        protocol_faults::refuse(host_calls::of(scope).output(), id, Reason::Busy, message);
    }

    fn cancel_deferred(&mut self, scope: &mut PinScope<'_, '_>, id: u64) {
        let before = self.deferred.len();
        self.deferred.retain(|line| {
            parse_host_message(line)
                .ok()
                .and_then(|message| message_id(&message))
                != Some(id)
        });
        if self.deferred.len() < before {
            let error = stop_error(Stop::Cancelled);
            host_calls::of(scope)
                .output()
                .send(|out| codex_js_wire::write_error(out, Some(id), &error, None));
        }
    }
}

/// The id of a message that wants an answer.
fn message_id(message: &HostMessage<'_>) -> Option<u64> {
    match message {
        HostMessage::Callback(callback) => Some(callback.id),
        HostMessage::Load(load) => Some(load.id),
        HostMessage::Render(render) => Some(render.id),
        _ => None,
    }
}

/// None with an exception pending; an inner error when the hook is not there.
fn call_export<'s>(
    scope: &mut PinScope<'s, '_>,
    module: Local<'s, Module>,
    export: &str,
    input: &str,
    host: Local<'s, Object>,
) -> Option<Outcome<Local<'s, Promise>>> {
    let namespace: Local<Object> = module.get_module_namespace().try_into().ok()?;
    let name = v8::String::new(scope, export)?;
    let exported = namespace.get(scope, name.into())?;
    let Ok(function) = Local::<Function>::try_from(exported) else {
        let message = format!("the module has no exported function {export:?}");
        return Some(Err(ErrorMessage::new(ErrorCode::Invalid, message)));
    };
    let text = v8::String::new(scope, input)?;
    let input = v8::json::parse(scope, text)?;
    let undefined: Local<Value> = v8::undefined(scope).into();
    let returned = function.call(scope, undefined, &[input, host.into()])?;
    let resolver = PromiseResolver::new(scope)?;
    resolver.resolve(scope, returned)?;
    Some(Ok(resolver.get_promise(scope)))
}

/// Getters and `toJSON` run here.
fn to_result<'s>(scope: &mut PinScope<'s, '_>, value: Local<'s, Value>) -> Outcome<String> {
    let invalid = |message: &str| Err(ErrorMessage::new(ErrorCode::InvalidResult, message));
    if value.is_undefined() {
        return Ok("null".into());
    }
    if value.is_function() || value.is_symbol() {
        return invalid("the result is a function or a symbol");
    }
    v8::tc_scope!(let scope, scope);
    let Some(text) = v8::json::stringify(scope, value) else {
        let (exception, message) = (scope.exception(), scope.message());
        let Some(exception) = exception else {
            return Err(ended());
        };
        let described = thrown::describe(scope, exception, message);
        let message = format!("the result is no JSON value: {}", described.message);
        return Err(ErrorMessage {
            code: ErrorCode::InvalidResult,
            message,
            ..described
        });
    };
    let size = text.utf8_length(scope);
    if size > limits::RESULT_BYTES {
        let message = format!(
            "the result has {size} bytes of at most {}",
            limits::RESULT_BYTES
        );
        return invalid(&message);
    }
    let text = text.to_rust_string_lossy(scope);
    match check_json_text(&text, limits::RESULT_DEPTH) {
        Ok(()) => Ok(text),
        Err(fault) => invalid(&format!("the result: {fault}")),
    }
}

/// JavaScript was ended; why is known to the watchdog and to the heap's guard.
fn ended() -> ErrorMessage {
    ErrorMessage::new(ErrorCode::Internal, "JavaScript ended without a reason")
}

/// What the host is told of a callback that was ended.
pub fn stop_error(stop: Stop) -> ErrorMessage {
    match stop {
        Stop::Timeout => ErrorMessage::new(ErrorCode::Timeout, "the callback's time is over"),
        Stop::Cancelled => {
            ErrorMessage::new(ErrorCode::Cancelled, "the host cancelled the callback")
        }
    }
}
