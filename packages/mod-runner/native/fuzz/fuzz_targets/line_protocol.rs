//! Bytes from a host, however they are cut: lines are found where they end, a line is a message of
//! the schema or refused with a reason, and whatever is refused can be told on one line.

#![no_main]

#[allow(dead_code, reason = "the runner uses more of it")]
#[path = "../../crates/runner/src/input.rs"]
mod input;

use codex_js_wire::{
    ErrorMessage, HostMessage, check_json_text, limits, parse_host_message, write_error,
};
use input::{Incoming, Input};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use std::io::Write;
use std::os::fd::AsRawFd;

/// A pipe holds this much without a reader.
const PIPE_BYTES: usize = 32 * 1024;

fuzz_target!(|data: &[u8]| {
    // The first byte says how the rest is cut into writes.
    let Some((&cut, bytes)) = data.split_first() else {
        return;
    };
    let bytes = &bytes[..bytes.len().min(PIPE_BYTES)];
    let lines = read_lines(bytes, usize::from(cut) + 1);
    let expected: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    assert_eq!(lines, expected[..expected.len() - 1]);
    for line in &lines {
        check_line(line);
    }
});

fn read_lines(bytes: &[u8], chunk: usize) -> Vec<Vec<u8>> {
    let (reader, mut writer) = std::io::pipe().expect("a pipe");
    let mut input = Input::new(reader.as_raw_fd());
    let mut lines = Vec::new();
    let mut written = 0;
    for part in bytes.chunks(chunk) {
        writer.write_all(part).expect("the pipe has room");
        written += part.len();
        input.poll();
        let waiting = input.waiting_lines().filter(|line| !line.is_empty());
        assert!(waiting.eq(whole_lines(&bytes[..written])));
    }
    drop(writer);
    loop {
        match input.next_line(None) {
            Incoming::Line(line) => lines.push(line),
            Incoming::End => {
                assert!(bytes.is_empty() || bytes.ends_with(b"\n"));
                return lines;
            }
            Incoming::EndWithinLine => {
                assert!(!bytes.ends_with(b"\n"));
                return lines;
            }
            other => panic!("{other:?}"),
        }
    }
}

/// Those that have an end, but for the empty ones.
fn whole_lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let end = bytes.iter().rposition(|&byte| byte == b'\n').unwrap_or(0);
    let lines = bytes[..end].split(|&byte| byte == b'\n');
    lines.filter(|line| !line.is_empty())
}

fn check_line(line: &[u8]) {
    match parse_host_message(line) {
        Ok(message) => check_message(line, &message),
        Err(fault) => {
            let error = ErrorMessage::protocol(fault.reason, fault.message);
            let mut out = Vec::new();
            write_error(&mut out, fault.id, &error, None);
            let newlines = out.iter().filter(|&&byte| byte == b'\n').count();
            assert_eq!((newlines, out.last()), (1, Some(&b'\n')));
            serde_json::from_slice::<Value>(&out).expect("an error line is JSON");
        }
    }
}

/// A message is a JSON object whose values keep their limits, by another reader's account, too.
fn check_message(line: &[u8], message: &HostMessage<'_>) {
    let text = match message {
        HostMessage::Callback(callback) => callback.input.get(),
        HostMessage::Render(render) => render.input.get(),
        HostMessage::HostReply(reply) => match &reply.answer {
            Ok(value) => value.get(),
            Err(_) => return,
        },
        _ => return,
    };
    assert!(line.starts_with(b"{") || line.first().is_some_and(u8::is_ascii_whitespace));
    assert_eq!(check_json_text(text, limits::INPUT_DEPTH), Ok(()));
    let value: Value = serde_json::from_str(text).expect("what was accepted is JSON");
    assert!(depth_of(&value) <= limits::INPUT_DEPTH);
    assert!(!has_proto(&value));
}

fn depth_of(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth_of).max().unwrap_or(0),
        Value::Object(fields) => 1 + fields.values().map(depth_of).max().unwrap_or(0),
        _ => 0,
    }
}

fn has_proto(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(has_proto),
        Value::Object(fields) => fields.contains_key("__proto__") || fields.values().any(has_proto),
        _ => false,
    }
}
