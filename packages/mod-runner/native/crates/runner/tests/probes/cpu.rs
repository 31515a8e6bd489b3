//! Nothing runs past its budget.

use crate::runner::{Runner, assert_codes_within};
use serde_json::json;

#[test]
fn loops_end() {
    assert_codes_within(
        400,
        &[
            ("export default () => { for (;;); }", "mod_timeout"),
            ("for (;;); export default 1", "mod_timeout"),
            (
                "export default async () => { for (;;) await null; }",
                "mod_timeout",
            ),
            (
                "export default () => [3, 1, 2].sort(() => { for (;;); })",
                "mod_timeout",
            ),
            (
                "export default () => { while (true) { try { for (;;); } catch {} finally { continue } } }",
                "mod_timeout",
            ),
            (
                "function f() { try { f() } finally { f() } } export default f",
                "mod_timeout",
            ),
            (
                "export default () => /(a+)+b/.test('a'.repeat(60))",
                "mod_timeout",
            ),
            (
                "export default () => 'a'.repeat(60).replace(/(a|a)*$/, '').match(/^(a+)+$/) + /(x+x+)+y/.exec('x'.repeat(80))",
                "mod_timeout",
            ),
            (
                "export default function* () {} ; for (const _ of (function* () { for (;;) yield 1 })());",
                "mod_timeout",
            ),
        ],
    );
}

#[test]
fn microtask_loops_end() {
    // They allocate nothing that stays; the queue itself never grows.
    assert_codes_within(
        400,
        &[
            (
                "export default () => { const f = () => { Promise.resolve().then(f) }; f(); return new Promise(() => {}) }",
                "mod_timeout",
            ),
            (
                "const f = async () => { for (;;) await 1 }; f(); await f();",
                "mod_timeout",
            ),
        ],
    );
}

#[test]
fn waits_end() {
    let wait = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0";
    assert_codes_within(
        400,
        &[
            (&format!("export default () => {wait})"), "mod_timeout"),
            (
                &format!("export default () => {wait}, Infinity)"),
                "mod_timeout",
            ),
            (&format!("{wait}); export default 1"), "mod_timeout"),
            (&format!("export default () => {wait}, 5)"), "ok"),
            (
                "await new Promise(() => {}); export default 1",
                "mod_invalid_result",
            ),
        ],
    );
}

#[test]
fn a_host_that_does_not_answer_does_not_hold_the_mod() {
    assert_codes_within(
        400,
        &[(
            "export default (_: any, host: any) => host.call('never')",
            "mod_timeout",
        )],
    );
}

#[test]
fn what_cannot_be_interrupted_ends_the_process() {
    // One native call each, which V8 does not interrupt, or does late.
    let mut runner = Runner::start();
    for source in [
        "export default () => new Array(4e6).fill(0).map((_, i) => i).sort().length",
        "export default () => JSON.stringify(new Array(3e6).fill('x'.repeat(10))).length",
        "export default () => (3n ** 2000000n).toString().length",
    ] {
        let mut message = runner.message(&json!({"main.ts": source}));
        message["budgetMs"] = 200.into();
        runner.send(&message);
        let answer = runner.answer(|_| None);
        let code = answer.code().to_owned();
        assert!(
            ["mod_timeout", "mod_out_of_memory", "ok"].contains(&code.as_str()),
            "{source}: {code}"
        );
        if answer.last["type"] == "end" {
            runner = Runner::start();
        }
        runner.assert_healthy(source);
    }
}
