//! Lines that are right, and lines that are not.

use crate::runner::{Runner, digest};
use serde_json::json;

/// Sends bytes, closes the input if asked to; gives the last line and the exit code.
fn end_after(bytes: &[u8], closes: bool) -> (serde_json::Value, Option<i32>) {
    let mut runner = Runner::start();
    runner.send_bytes(bytes);
    if closes {
        runner.close_input();
    }
    let last = runner.receive().unwrap_or_default();
    assert_eq!(runner.receive(), None);
    (last, runner.end().code())
}

#[test]
fn garbage_ends_the_runner() {
    for bytes in [
        &b"\xff\xfe\n"[..],
        b"nonsense\n",
        b"[]\n",
        b"\n",
        b"{\"type\":\"cancel\",\"id\":1}}\n",
        b"{\"type\":\"callback\",\"id\":1,\"input\":\"\xc3\x28\"}\n",
        b"{\"type\":\n",
    ] {
        let (last, code) = end_after(bytes, false);
        assert_eq!(
            (&last["reason"], code),
            (&json!("malformed"), Some(3)),
            "{bytes:?}"
        );
    }
}

#[test]
fn an_end_within_a_line_is_told() {
    let (last, code) = end_after(b"{\"type\":\"shut", true);
    assert_eq!((&last["reason"], code), (&json!("malformed"), Some(3)));
}

#[test]
fn an_end_between_lines_is_the_end() {
    assert_eq!(end_after(b"", true), (json!(null), Some(0)));
    assert_eq!(
        end_after(b"{\"type\":\"shutdown\"}\n", false),
        (json!(null), Some(0))
    );
}

#[test]
fn lines_have_a_limit() {
    let mut line = b"{\"type\":\"callback\",\"input\":\"".to_vec();
    line.resize(33_554_432 + 100, b'x');
    let (last, code) = end_after(&line, false);
    assert_eq!((&last["reason"], code), (&json!("malformed"), Some(3)));
}

#[test]
fn inputs_have_a_limit() {
    let mut runner = Runner::start();
    let mut message = runner.message(&json!({"main.ts": "export default (i: any) => i.length"}));
    message["input"] = "x".repeat(8_388_600).into();
    runner.send(&message);
    assert_eq!(*runner.answer(|_| None).value(), json!(8_388_600));
    message["input"] = "x".repeat(8_388_609).into();
    message["id"] = runner.next_id().into();
    runner.send(&message);
    let answer = runner.answer(|_| None);
    assert_eq!(
        (&answer.last["reason"], &answer.last["id"]),
        (&json!("invalid_message"), &json!(2))
    );
    runner.assert_healthy("a large input");
}

#[test]
fn another_version_is_refused() {
    let (last, code) = end_after(b"{\"type\":\"hello\",\"protocolVersion\":2}\n", false);
    assert_eq!(
        (&last["reason"], code),
        (&json!("unsupported_version"), Some(3))
    );
    assert_eq!(
        last["message"],
        "the host speaks version 2, this runner version 1"
    );
}

#[test]
fn wrong_messages_are_answered_and_survived() {
    let mut runner = Runner::start();
    for (message, reason) in [
        (json!({"type": "dance", "id": 5}), "unknown_type"),
        (json!({"type": "callback", "id": 5}), "invalid_message"),
        (
            json!({"type": "render", "id": 5, "export": "a", "input": 1, "budgetMs": 0}),
            "invalid_message",
        ),
        (
            json!({"type": "cancel", "id": 5, "more": 1}),
            "invalid_message",
        ),
    ] {
        runner.send(&message);
        let answer = runner.receive().unwrap();
        assert_eq!(answer["reason"], reason, "{message}");
    }
    runner.assert_healthy("wrong messages");
    runner.send(&json!({"type": "hello", "protocolVersion": 1}));
    assert_eq!(runner.receive().unwrap()["reason"], "invalid_message");
}

#[test]
fn two_messages_in_one_write_and_one_byte_per_write() {
    let mut runner = Runner::start();
    let source = json!({"main.ts": "export default (i: any) => i.x"});
    let (one, two) = (runner.message(&source), runner.message(&source));
    runner.send_bytes(format!("{one}\n{two}\n").as_bytes());
    assert_eq!(runner.answer(|_| None).last["id"], 1);
    assert_eq!(runner.answer(|_| None).last["id"], 2);
    let three = runner.message(&source);
    for byte in format!("{three}\n").bytes() {
        runner.send_bytes(&[byte]);
    }
    assert_eq!(runner.answer(|_| None).last["id"], 3);
}

#[test]
fn messages_may_be_sent_ahead_while_one_waits_for_the_host() {
    let mut runner = Runner::start();
    let source = json!({"main.ts": "export default (_: any, host: any) => host.call('a')"});
    let messages: Vec<_> = (0..18).map(|_| runner.message(&source)).collect();
    runner.send(&messages[0]);
    let request = runner.receive().unwrap();
    for message in &messages[1..] {
        runner.send(message);
    }
    // Sixteen wait; the next is refused.
    let refused = runner.receive().unwrap();
    assert_eq!(
        (&refused["id"], &refused["reason"]),
        (&json!(18), &json!("busy"))
    );
    runner.send(&json!({"type": "cancel", "id": 3}));
    assert_eq!(runner.receive().unwrap()["code"], "mod_cancelled");
    runner.send(
        &json!({"type": "hostReply", "callback": 1, "request": request["request"], "value": 1}),
    );
    let mut answered = Vec::new();
    for _ in 0..16 {
        answered.push(
            runner.answer(|_| Some(json!({"value": 1}))).last["id"]
                .as_u64()
                .unwrap(),
        );
    }
    assert_eq!(
        answered,
        [1, 2].into_iter().chain(4..=17).collect::<Vec<_>>()
    );
}

#[test]
fn a_callback_can_be_cancelled() {
    let mut runner = Runner::start();
    for source in [
        "export default (_: any, host: any) => { console.log('on'); for (;;); }",
        "export default (_: any, host: any) => { console.log('on'); return host.call('never'); }",
        "export default async () => { console.log('on'); for (;;) await null; }",
        "console.log('on'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);",
    ] {
        let message = runner.message(&json!({"main.ts": source}));
        runner.send(&message);
        assert_eq!(runner.receive().unwrap()["text"], "on");
        runner.send(&json!({"type": "cancel", "id": 9_999}));
        runner.send(&json!({"type": "cancel", "id": message["id"]}));
        let answer = runner.answer(|_| None);
        assert_eq!(
            (answer.code(), &answer.last["id"]),
            ("mod_cancelled", &message["id"]),
            "{source}"
        );
        runner.assert_healthy(source);
    }
    runner.send(&json!({"type": "cancel", "id": 1}));
    runner.assert_healthy("a late cancel");
}

#[test]
fn a_mod_binds_the_runner() {
    let mut runner = Runner::start();
    runner.assert_healthy("nothing");
    let mut message = runner.message(&json!({"main.ts": "export default () => 1"}));
    message["mod"]["digest"] = digest('f').into();
    runner.send(&message);
    assert_eq!(runner.answer(|_| None).last["reason"], "bound");
    runner.assert_healthy("another mod");
}

#[test]
fn there_must_be_modules() {
    let mut runner = Runner::start();
    let mut message = runner.message(&json!({}));
    message.as_object_mut().unwrap().remove("modules");
    runner.send(&message);
    assert_eq!(runner.answer(|_| None).last["reason"], "not_loaded");
}
