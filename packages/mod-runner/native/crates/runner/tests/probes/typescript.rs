//! Types are erased, and nothing else.

use crate::runner::{Runner, digest};
use serde_json::json;

#[test]
fn faults_have_nodes_codes_and_a_frame() {
    let mut runner = Runner::start();
    let answer = runner.run("const a = 1;\nenum Colour { Red }\nexport default () => a;");
    let last = &answer.last;
    assert_eq!(last["code"], "mod_syntax_error");
    assert_eq!(last["syntaxCode"], "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX");
    assert_eq!(
        last["location"],
        json!({"module": "main.ts", "line": 2, "column": 1})
    );
    assert!(
        last["codeFrame"]
            .as_str()
            .unwrap()
            .contains("> 2 | enum Colour { Red }"),
        "{last:#}"
    );
    let answer = runner.run("export default () => {");
    assert_eq!(answer.last["syntaxCode"], "ERR_INVALID_TYPESCRIPT_SYNTAX");
}

#[test]
fn faults_of_javascript_have_a_place() {
    let mut runner = Runner::start();
    let mut message = runner.message(&json!({"main.js": "export default 1;\nlet x; let x;"}));
    message["hook"]["module"] = "main.js".into();
    runner.send(&message);
    let answer = runner.answer(|_| None);
    assert_eq!(answer.code(), "mod_syntax_error");
    assert_eq!(
        answer.last["location"],
        json!({"module": "main.js", "line": 2, "column": 12})
    );
}

#[test]
fn types_in_javascript_are_a_syntax_error() {
    let mut runner = Runner::start();
    let mut message = runner.message(&json!({"main.js": "export default (a: number) => a;"}));
    message["hook"]["module"] = "main.js".into();
    runner.send(&message);
    assert_eq!(runner.answer(|_| None).code(), "mod_syntax_error");
}

#[test]
fn modules_are_sent_once() {
    let mut runner = Runner::start();
    let mut message =
        runner.message(&json!({"main.ts": "export default (i: any) => i.x as number"}));
    runner.send(&message);
    assert_eq!(*runner.answer(|_| None).value(), json!(21));
    message.as_object_mut().unwrap().remove("modules");
    message["id"] = runner.next_id().into();
    runner.send(&message);
    assert_eq!(*runner.answer(|_| None).value(), json!(21));
    message["mod"]["digest"] = digest('1').into();
    message["id"] = runner.next_id().into();
    runner.send(&message);
    assert_eq!(runner.answer(|_| None).last["reason"], "bound");
}
