//! What a mod threw, told without trusting it.

use crate::host_calls::cut;
use codex_js_wire::{ErrorCode, ErrorMessage, Location, StackFrame, limits};
use v8::{Local, Message, Object, PinScope, StackTrace, Value};

/// Scripts of the runner's own are named so; mods cannot have such a path.
const OWN_SCRIPTS: &str = "runner:";
/// What V8 throws when there is no memory for an array buffer.
const NO_BUFFER: &str = "Array buffer allocation failed";

/// Describes an exception. Reading `name` and `message` may run the mod's code, so the watchdog
/// has to be armed.
pub fn describe<'s>(
    scope: &mut PinScope<'s, '_>,
    exception: Local<'s, Value>,
    message: Option<Local<'s, Message>>,
) -> ErrorMessage {
    let message = message.unwrap_or_else(|| v8::Exception::create_message(scope, exception));
    let stack = frames(scope, exception, message);
    let location = stack
        .first()
        .map(|frame| frame.location.clone())
        .or_else(|| message_location(scope, message));
    let object = Local::<Object>::try_from(exception)
        .ok()
        .filter(|_| exception.is_native_error());
    let name = object.and_then(|object| own_text(scope, object, "name"));
    let text = object
        .and_then(|object| own_text(scope, object, "message"))
        .unwrap_or_else(|| summary(scope, message));
    let is_memory = text == NO_BUFFER && name.as_deref() == Some("RangeError");
    let code = if is_memory {
        ErrorCode::OutOfMemory
    } else {
        ErrorCode::Thrown
    };
    ErrorMessage {
        name,
        location,
        stack,
        ..ErrorMessage::new(code, cut_message(&text))
    }
}

/// Describes what V8 says of a module that does not compile or link.
pub fn describe_syntax<'s>(
    scope: &mut PinScope<'s, '_>,
    exception: Local<'s, Value>,
    message: Option<Local<'s, Message>>,
) -> ErrorMessage {
    let message = message.unwrap_or_else(|| v8::Exception::create_message(scope, exception));
    let described = describe(scope, exception, Some(message));
    ErrorMessage {
        code: ErrorCode::Syntax,
        location: message_location(scope, message),
        stack: Vec::new(),
        code_frame: message.get_source_line(scope).map(|line| {
            source_line(
                &line.to_rust_string_lossy(scope),
                message.get_start_column(),
            )
        }),
        ..described
    }
}

/// A message within the limit.
pub fn cut_message(text: &str) -> &str {
    cut(text, limits::ERROR_MESSAGE_BYTES)
}

/// V8 composed it when the exception was thrown, without running anything.
fn summary(scope: &mut PinScope<'_, '_>, message: Local<'_, Message>) -> String {
    let text = message.get(scope).to_rust_string_lossy(scope);
    text.strip_prefix("Uncaught ").unwrap_or(&text).to_owned()
}

fn own_text<'s>(
    scope: &mut PinScope<'s, '_>,
    object: Local<'s, Object>,
    key: &str,
) -> Option<String> {
    v8::tc_scope!(let scope, scope);
    let key = v8::String::new(scope, key)?;
    let value = object.get(scope, key.into())?;
    value
        .is_string()
        .then(|| cut_message(&value.to_rust_string_lossy(scope)).to_owned())
}

fn frames<'s>(
    scope: &mut PinScope<'s, '_>,
    exception: Local<'s, Value>,
    message: Local<'s, Message>,
) -> Vec<StackFrame> {
    let trace =
        v8::Exception::get_stack_trace(scope, exception).or_else(|| message.get_stack_trace(scope));
    trace
        .map(|trace| mod_frames(scope, trace))
        .unwrap_or_default()
}

fn mod_frames(scope: &mut PinScope<'_, '_>, trace: Local<'_, StackTrace>) -> Vec<StackFrame> {
    let count = trace.get_frame_count().min(limits::STACK_FRAMES);
    (0..count)
        .filter_map(|index| {
            let frame = trace.get_frame(scope, index)?;
            let module = frame.get_script_name(scope)?.to_rust_string_lossy(scope);
            let line = u32::try_from(frame.get_line_number()).ok()?;
            let column = u32::try_from(frame.get_column()).ok()?;
            let is_own = module.starts_with(OWN_SCRIPTS) || line == 0 || column == 0;
            (!is_own).then(|| StackFrame {
                function: frame
                    .get_function_name(scope)
                    .map(|name| cut(&name.to_rust_string_lossy(scope), 128).to_owned())
                    .filter(|name| !name.is_empty()),
                location: Location {
                    module,
                    line,
                    column,
                },
            })
        })
        .collect()
}

fn message_location<'s>(
    scope: &mut PinScope<'s, '_>,
    message: Local<'s, Message>,
) -> Option<Location> {
    let name = message.get_script_resource_name(scope)?;
    let module = name.is_string().then(|| name.to_rust_string_lossy(scope))?;
    let line = u32::try_from(message.get_line_number(scope)?)
        .ok()
        .filter(|line| *line > 0)?;
    let column = u32::try_from(message.get_start_column()).ok()? + 1;
    (!module.starts_with(OWN_SCRIPTS)).then_some(Location {
        module,
        line,
        column,
    })
}

fn source_line(line: &str, column: usize) -> String {
    const AROUND: usize = 60;
    let from = column.saturating_sub(AROUND);
    let shown: String = line.chars().skip(from).take(2 * AROUND).collect();
    format!(
        "> {}\n  {}^\n",
        shown.replace('\t', " "),
        " ".repeat(column - from)
    )
}
