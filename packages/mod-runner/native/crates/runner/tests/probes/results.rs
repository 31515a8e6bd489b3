//! What a hook may return.

use crate::runner::{Runner, assert_codes, assert_codes_within};
use serde_json::{Value, json};

fn result_of(source: &str) -> Value {
    Runner::start().run(source).value().clone()
}

#[test]
fn values_arrive_as_json_has_them() {
    assert_eq!(
        result_of(
            r#"export default () => ({ a: [1, "x", null, true], u: undefined, n: NaN, d: new Date(0) })"#
        ),
        json!({"a": [1, "x", null, true], "n": null, "d": "1970-01-01T00:00:00.000Z"})
    );
    assert_eq!(result_of("export default () => {}"), Value::Null);
    assert_eq!(
        result_of("export default async () => undefined"),
        Value::Null
    );
    assert_eq!(result_of("export default () => 'x'"), json!("x"));
}

#[test]
fn text_cannot_break_the_line() {
    let source = r#"export default () => "a\n{\"type\":\"result\"}\u2028\u2029\0\r\ud800 end""#;
    assert_eq!(
        result_of(source),
        json!("a\n{\"type\":\"result\"}\u{2028}\u{2029}\0\r\u{fffd} end")
    );
}

#[test]
fn thenables_are_awaited() {
    assert_eq!(
        result_of("export default () => ({ then(resolve) { resolve({ a: 1 }) } })"),
        json!({"a": 1})
    );
    assert_codes(&[
        ("export default () => ({ then() {} })", "mod_invalid_result"),
        (
            "export default () => ({ then() { throw new Error('x') } })",
            "mod_error",
        ),
        (
            "export default () => ({ get then() { throw new Error('x') } })",
            "mod_error",
        ),
    ]);
    assert_codes_within(
        500,
        &[
            (
                "export default () => ({ then() { for (;;); } })",
                "mod_timeout",
            ),
            (
                "export default () => ({ get then() { for (;;); } })",
                "mod_timeout",
            ),
            (
                "const t = { then(r) { r(t) } }; export default () => t",
                "mod_timeout",
            ),
        ],
    );
}

#[test]
fn what_is_no_result() {
    assert_codes(&[
        (
            "export default () => new Promise(() => {})",
            "mod_invalid_result",
        ),
        (
            "export default () => ({ get a() { throw new Error('x') } })",
            "mod_invalid_result",
        ),
        ("export default () => 1n", "mod_invalid_result"),
        ("export default () => ({ a: [1n] })", "mod_invalid_result"),
        ("export default () => Symbol('a')", "mod_invalid_result"),
        ("export default () => () => 1", "mod_invalid_result"),
        (
            "export default () => ({ toJSON() {} })",
            "mod_invalid_result",
        ),
        (
            "const a: any = {}; a.a = a; export default () => a",
            "mod_invalid_result",
        ),
        (
            "export default () => ({ a: 1, ['__proto__']: 2 })",
            "mod_invalid_result",
        ),
        (
            "export default () => [{ ['__proto__']: { polluted: 1 } }]",
            "mod_invalid_result",
        ),
        (
            "export default () => { const r = Proxy.revocable({}, {}); r.revoke(); return { r: r.proxy } }",
            "mod_invalid_result",
        ),
        (
            "export default () => { const r = Proxy.revocable({}, {}); r.revoke(); return r.proxy }",
            "mod_error",
        ),
        (
            "export default () => 'x'.repeat(9_000_000)",
            "mod_invalid_result",
        ),
    ]);
}

#[test]
fn depth_is_limited() {
    assert_codes(&[
        (
            "export default () => { let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a }",
            "mod_invalid_result",
        ),
        (
            "export default () => { let a = []; for (let i = 0; i < 99; i++) a = [a]; return a }",
            "ok",
        ),
        (
            "export default () => { let a = []; for (let i = 0; i < 100; i++) a = [a]; return a }",
            "mod_invalid_result",
        ),
    ]);
}

#[test]
fn reading_a_result_ends_in_time() {
    assert_codes_within(
        500,
        &[
            (
                "export default () => ({ get a() { for (;;); } })",
                "mod_timeout",
            ),
            (
                "export default () => ({ toJSON() { for (;;); } })",
                "mod_timeout",
            ),
            (
                "export default () => new Proxy({}, { ownKeys() { for (;;); } })",
                "mod_timeout",
            ),
            (
                "export default () => new Proxy({}, { get() { for (;;); } })",
                "mod_timeout",
            ),
        ],
    );
}

#[test]
fn shared_parts_cannot_blow_up() {
    // 2^30 leaves: whichever limit comes first, there is no result and no harm.
    let source = "export default () => { let a: any = ['x']; for (let i = 0; i < 30; i++) a = [a, a]; return a }";
    let mut runner = Runner::start();
    let code = runner.run(source).code().to_owned();
    assert!(
        ["mod_out_of_memory", "mod_invalid_result", "mod_timeout"].contains(&code.as_str()),
        "{code}"
    );
    Runner::start().assert_healthy(source);
}

#[test]
fn whatever_is_thrown_is_told() {
    let mut runner = Runner::start();
    let mut message_of = |source: &str| {
        let answer = runner.run(source);
        assert_eq!(answer.code(), "mod_error", "{source}");
        answer.last["message"].as_str().unwrap().to_owned()
    };
    assert_eq!(message_of("export default () => { throw null }"), "null");
    assert_eq!(
        message_of("export default () => { throw undefined }"),
        "undefined"
    );
    assert_eq!(message_of("export default () => { throw 'text' }"), "text");
    assert_eq!(
        message_of("export default () => { throw { a: 1 } }"),
        "#<Object>"
    );
    assert_eq!(
        message_of("export default async () => { throw new RangeError('far') }"),
        "far"
    );
    assert_eq!(
        message_of("export default () => Promise.reject(new Error('no'))"),
        "no"
    );
    assert_eq!(message_of("throw new Error('top')"), "top");
    message_of("export default () => { throw new Proxy({}, { get() { throw 1 } }) }");
    message_of(
        "export default () => { throw { get message() { throw 1 }, toString() { throw 2 } } }",
    );
    message_of(
        "export default () => { const e = new Error('x'); Object.defineProperty(e, 'message', { get() { throw e } }); throw e }",
    );
    runner.assert_healthy("throwing");
}

#[test]
fn a_long_message_is_cut() {
    let answer = Runner::start().run("export default () => { throw new Error('é'.repeat(1e6)) }");
    assert_eq!(answer.last["message"].as_str().unwrap().len(), 8192);
}

#[test]
fn errors_name_the_authors_line_and_column() {
    let modules = json!({
        "main.ts": "import { fail } from './lib/fail.ts';\nexport default (input: { x: number }) => fail(input.x);\n",
        "lib/fail.ts": "type N = number;\n\nexport function fail(x: N): never {\n  const y: N = x; throw new TypeError(`bad ${y}`);\n}\n",
    });
    let answer = Runner::start().run_modules(&modules);
    let last = &answer.last;
    assert_eq!(last["name"], "TypeError");
    assert_eq!(last["message"], "bad 21");
    assert_eq!(
        last["location"],
        json!({"module": "lib/fail.ts", "line": 4, "column": 25})
    );
    assert_eq!(
        last["stack"],
        json!([
            {"function": "fail", "module": "lib/fail.ts", "line": 4, "column": 25},
            {"function": "default", "module": "main.ts", "line": 2, "column": 42},
        ])
    );
}
