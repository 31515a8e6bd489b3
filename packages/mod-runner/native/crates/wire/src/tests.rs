//! The types against the schema: what we write fits it, what we accept fits it, what we refuse
//! does not.

use crate::*;
use serde_json::{Value, json};
use std::sync::LazyLock;

static SCHEMA: LazyLock<jsonschema::Validator> = LazyLock::new(|| {
    let schema = include_str!("../../../../protocol/messages.schema.json");
    jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap()
});

static CODES: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../../protocol/codes.json")).unwrap()
});

fn digest() -> String {
    "0123456789abcdef".repeat(4)
}

fn callback() -> Value {
    json!({
        "type": "callback", "id": 1, "mod": {"name": "a", "digest": digest()},
        "modules": {"src/a.ts": "export default 1"}, "hook": {"module": "src/a.ts", "export": "default"},
        "input": {"a": [1, null]}, "budgetMs": 1000,
    })
}

fn with(field: &str, value: Value) -> Value {
    let mut message = callback();
    message[field] = value;
    message
}

fn without(field: &str) -> Value {
    let mut message = callback();
    message.as_object_mut().unwrap().remove(field);
    message
}

fn reason(message: &Value) -> Option<Reason> {
    parse_host_message(message.to_string().as_bytes())
        .err()
        .map(|fault| fault.reason)
}

#[test]
fn accepts_what_the_schema_accepts() {
    let messages = [
        callback(),
        without("modules"),
        with("input", Value::Null),
        with("caches", json!({"src/a.ts": "AAAA"})),
        with("wantCaches", json!(true)),
        json!({"type": "hello", "protocolVersion": 1}),
        json!({"type": "hello", "protocolVersion": 1, "cacheKey": digest()}),
        json!({"type": "load", "id": 2, "mod": {"name": "a", "digest": digest()},
               "module": "a.js", "budgetMs": 5}),
        json!({"type": "render", "id": 3, "export": "view", "input": 1, "budgetMs": 5}),
        json!({"type": "hostReply", "callback": 1, "request": 1, "value": null}),
        json!({"type": "hostReply", "callback": 1, "request": 1, "error": {"code": "a", "message": ""}}),
        json!({"type": "cancel", "id": 9}),
        json!({"type": "shutdown"}),
    ];
    for message in messages {
        assert!(SCHEMA.is_valid(&message), "schema: {message}");
        assert_eq!(reason(&message), None, "{message}");
    }
}

#[test]
fn refuses_what_the_schema_refuses() {
    let messages = [
        without("hook"),
        without("input"),
        without("mod"),
        with("id", json!(0)),
        with("id", json!(1.5)),
        with("id", json!("1")),
        with("budgetMs", json!(0)),
        with("budgetMs", json!(600_001)),
        with("modules", json!({})),
        with("modules", json!({"a.ts": 1})),
        with("mod", json!({"name": "a", "digest": "xyz"})),
        with("mod", json!({"name": "a", "digest": digest(), "more": 1})),
        with("hook", json!({"module": "a.ts"})),
        with("hook", json!({"module": "a.ts", "export": ""})),
        with("export", json!("a")),
        with("unknown", json!("a")),
        json!({"type": "cancel", "id": 1, "value": 1}),
        json!({"type": "shutdown", "id": 1}),
        json!({"type": "hello", "protocolVersion": 1, "cacheKey": "AB"}),
        json!({"type": "render", "id": 3, "export": "view", "budgetMs": 5}),
        with("mod", json!(["a", digest()])),
        with("hook", json!(["src/a.ts", "default"])),
        with("hook", Value::Null),
        with("modules", Value::Null),
        with("caches", Value::Null),
        with("wantCaches", Value::Null),
        json!({"type": "hello", "protocolVersion": 1, "cacheKey": null}),
        json!({"type": "hostReply", "callback": 1, "request": 1, "error": ["a", "b"]}),
        json!({"type": "hostReply", "callback": 1, "request": 1, "value": 1, "error": null}),
    ];
    for message in messages {
        assert!(!SCHEMA.is_valid(&message), "schema: {message}");
        assert_eq!(reason(&message), Some(Reason::InvalidMessage), "{message}");
    }
    assert_eq!(reason(&json!({"type": "ready"})), Some(Reason::UnknownType));
    assert_eq!(
        reason(&json!({"type": "hello", "protocolVersion": 2})),
        Some(Reason::UnsupportedVersion)
    );
}

#[test]
fn rules_beyond_the_schema() {
    let both = json!({"type": "hostReply", "callback": 1, "request": 1, "value": 1,
                      "error": {"code": "a", "message": ""}});
    assert_eq!(reason(&both), Some(Reason::InvalidMessage));
    let deep = format!("{}{}", "[".repeat(101), "]".repeat(101));
    let message = callback().to_string().replace(r#"{"a":[1,null]}"#, &deep);
    let fault = parse_host_message(message.as_bytes()).unwrap_err();
    assert_eq!((fault.id, fault.reason), (Some(1), Reason::InvalidMessage));
}

#[test]
fn a_field_that_stands_twice_is_an_invalid_message() {
    for line in [
        r#"{"type":"cancel","id":1,"id":2}"#,
        r#"{"type":"cancel","type":"x","id":1}"#,
    ] {
        let fault = parse_host_message(line.as_bytes()).unwrap_err();
        assert_eq!(fault.reason, Reason::InvalidMessage, "{line}");
    }
}

#[test]
fn lines_that_are_no_object_are_malformed() {
    let lines: [&[u8]; 9] = [
        b"",
        b"{",
        b"[]",
        br#" ["cancel",1,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null]"#,
        b"1",
        b"nonsense",
        b"{\"type\":\"cancel\",\"id\":1}}",
        b"\xff\xfe",
        b"{\"a\":\"\xc3\x28\"}",
    ];
    for line in lines {
        let fault = parse_host_message(line).unwrap_err();
        assert_eq!(fault.reason, Reason::Malformed, "{line:?}");
        assert!(fault.reason.is_fatal());
    }
}

#[test]
fn what_the_runner_writes_fits_the_schema() {
    let usage = Usage {
        elapsed_ms: 1.5,
        host_requests: 2,
        ..Usage::default()
    };
    let location = Location {
        module: "a.ts".into(),
        line: 1,
        column: 2,
    };
    let full = ErrorMessage {
        name: Some("TypeError".into()),
        syntax_code: Some("ERR_INVALID_TYPESCRIPT_SYNTAX"),
        stack: vec![
            StackFrame {
                function: None,
                location: location.clone(),
            },
            StackFrame {
                function: Some("f".into()),
                location: location.clone(),
            },
        ],
        location: Some(location),
        code_frame: Some("> 1 | x\n".into()),
        unloaded: true,
        ..ErrorMessage::new(ErrorCode::Thrown, "line\n\u{2028}\0 end")
    };
    let caches = [("a.ts".to_owned(), "AAAA".to_owned())].into();
    let mut out = Vec::new();
    write_ready(&mut out, "14.9", "off", "{}");
    write_result(&mut out, 1, "{\"a\":1}", usage);
    write_loaded(&mut out, 2, usage);
    write_host_request(&mut out, 1, 3, "time.sleep", "{\"ms\":5}");
    write_log(&mut out, 1, LogLevel::Warn, "a\nb", true);
    write_caches(&mut out, 1, &caches);
    write_error(&mut out, Some(1), &full, Some(usage));
    write_error(
        &mut out,
        None,
        &ErrorMessage::protocol(Reason::Malformed, "no"),
        None,
    );
    let lines: Vec<&str> = std::str::from_utf8(&out).unwrap().lines().collect();
    assert_eq!(lines.len(), 8);
    for line in lines {
        let message: Value = serde_json::from_str(line).unwrap();
        assert!(SCHEMA.is_valid(&message), "{line}");
    }
}

#[test]
fn codes_are_those_of_the_protocol() {
    let names = |member: &str| -> Vec<String> {
        CODES[member].as_object().unwrap().keys().cloned().collect()
    };
    let sorted = |mut names: Vec<&str>| {
        names.sort_unstable();
        names.into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let mut errors = names("errors");
    errors.sort_unstable();
    let mut reasons = names("protocolErrorReasons");
    reasons.sort_unstable();
    assert_eq!(
        sorted(ErrorCode::ALL.iter().map(|code| code.as_str()).collect()),
        errors
    );
    assert_eq!(
        sorted(Reason::ALL.iter().map(|reason| reason.as_str()).collect()),
        reasons
    );
}

#[test]
fn paths_are_plain() {
    for path in ["a.ts", "src/a.ts", ".hidden/a.json", "a b/ü.ts", "...ts"] {
        assert!(is_module_path(path), "{path}");
    }
    for path in [
        "", "/a", "a/", "a//b", "./a", "../a", "a/../b", "a/..", "a\\b", "a%2fb", "a\0b", "a\nb",
        "file:a", "data:x", "node:fs", "a?b", "a#b",
    ] {
        assert!(!is_module_path(path), "{path:?}");
    }
    assert!(!is_module_path(&"a".repeat(limits::MODULE_PATH_BYTES + 1)));
}

#[test]
fn json_text_is_checked_without_recursion() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(check_json_text(&nested(3), 3), Ok(()));
    assert_eq!(check_json_text(&nested(4), 3), Err(JsonFault::TooDeep(3)));
    assert_eq!(
        check_json_text(&nested(1_000_000), 128),
        Err(JsonFault::TooDeep(128))
    );
    assert_eq!(check_json_text(r#""[[[[[\"[[""#, 1), Ok(()));
    assert_eq!(check_json_text(r#"{"a":"__proto__"}"#, 3), Ok(()));
    assert_eq!(
        check_json_text(r#"{"__proto__":1}"#, 3),
        Err(JsonFault::ProtoKey)
    );
    assert_eq!(
        check_json_text(r#"[{"\u005f_proto__" :1}]"#, 3),
        Err(JsonFault::ProtoKey)
    );
    assert_eq!(check_json_text("undefined", 3), Err(JsonFault::NoJson));
    assert_eq!(check_json_text("", 3), Err(JsonFault::NoJson));
}
