//! What a mod can reach from its realm.

use crate::runner::{Runner, assert_codes};
use serde_json::json;

/// Runs an expression in a function that gets `(input, host)`.
fn evaluate(expression: &str) -> serde_json::Value {
    let source = format!("export default async (input: any, host: any) => ({expression});");
    Runner::start().run(&source).value().clone()
}

#[test]
fn no_code_from_strings() {
    assert_codes(&[
        ("export default () => eval('1')", "mod_error"),
        ("export default () => (0, eval)('1')", "mod_error"),
        (
            "export default () => new Function('return 1')()",
            "mod_error",
        ),
        (
            "export default () => (async () => {}).constructor('return 1')()",
            "mod_error",
        ),
        (
            "export default () => (function* () {}).constructor('yield 1')()",
            "mod_error",
        ),
        (
            "export default () => (async function* () {}).constructor('yield 1')()",
            "mod_error",
        ),
        (
            "export default (i, host) => host.call.constructor('return 1')()",
            "mod_error",
        ),
        (
            "export default () => console.log.constructor.constructor('return 1')()",
            "mod_error",
        ),
        (
            "export default () => Reflect.construct(Function, ['return 1'])()",
            "mod_error",
        ),
    ]);
}

#[test]
fn every_value_of_the_hosts_is_of_the_mods_realm() {
    let constructors = r#"[
        input.constructor === Object, Object.getPrototypeOf(host) === null,
        host.call instanceof Function, host.call("a") instanceof Promise,
        console.log instanceof Function,
        await host.call(1).catch((error) => error instanceof TypeError),
        await import("x").catch((error) => error instanceof TypeError),
    ]"#;
    assert_eq!(
        evaluate(constructors),
        json!([true, true, true, true, true, true, true])
    );
}

#[test]
fn host_object_cannot_be_changed() {
    let tries = r#"[
        Object.isFrozen(host), Reflect.set(host, "call", 1), Reflect.defineProperty(host, "x", {value: 1}),
        Reflect.setPrototypeOf(host, {}), Reflect.deleteProperty(host, "call"),
    ]"#;
    assert_eq!(evaluate(tries), json!([true, false, false, false, false]));
}

#[test]
fn what_is_not_there() {
    let names = r#"["WebAssembly", "ShadowRealm", "process", "require", "Deno", "Bun", "fetch", "gc",
        "d8", "Worker", "setTimeout", "native", "realm", "runner"].filter((name) => name in globalThis)"#;
    assert_eq!(evaluate(names), json!([]));
    assert_eq!(evaluate("'waitAsync' in Atomics"), json!(false));
}

#[test]
fn import_in_expressions_is_refused() {
    assert_codes(&[
        ("export default () => import('./main.ts')", "mod_error"),
        ("export default () => import('node:fs')", "mod_error"),
        ("export default () => import.meta.url.length", "mod_error"),
    ]);
    let keys = evaluate("[Object.keys(import.meta), Object.getPrototypeOf(import.meta)]");
    assert_eq!(keys, json!([[], null]));
}

#[test]
fn import_phases_are_refused() {
    for source in [
        "export default () => import.source('./main.js')",
        "export default () => import.defer('./main.js')",
        "import source x from './main.js'; export default () => 1",
        "import defer * as x from './main.js'; export default () => 1",
    ] {
        let mut runner = Runner::start();
        let mut message = runner.message(&json!({"main.js": source}));
        message["hook"]["module"] = "main.js".into();
        runner.send(&message);
        let code = runner.answer(|_| None).code().to_owned();
        assert!(
            ["mod_error", "mod_syntax_error", "mod_import_refused"].contains(&code.as_str()),
            "{source}: {code}"
        );
        let mut next = Runner::start();
        next.assert_healthy(source);
    }
}

#[test]
fn call_sites_stay_hidden() {
    let source = r#"
        let sites: any = "never called";
        (Error as any).prepareStackTrace = (_: any, given: any) => { sites = given; return "mine"; };
        export default () => [typeof new Error("x").stack, sites, typeof (Error as any).prepareStackTrace];
    "#;
    let mut runner = Runner::start();
    assert_eq!(
        *runner.run(source).value(),
        json!(["string", "never called", "undefined"])
    );
}

#[test]
fn callers_stay_hidden() {
    assert_codes(&[
        (
            "export default () => ((function () { return arguments.callee })())",
            "mod_error",
        ),
        ("export default (i, host) => host.call.caller", "mod_error"),
        (
            "export default (i, host) => host.call.arguments",
            "mod_error",
        ),
    ]);
}

#[test]
fn thrown_host_errors_are_plain() {
    let mut runner = Runner::start();
    let source = r#"
        export default async (_: any, host: any) => {
          const error: any = await host.call("no").catch((error: any) => error);
          const chain = [];
          for (let at = error; at; at = Object.getPrototypeOf(at)) chain.push(at.constructor.name);
          return { chain, name: error.name, code: error.code, message: error.message,
                   same: error.constructor === Error };
        };
    "#;
    let message = runner.message(&json!({"main.ts": source}));
    runner.send(&message);
    let answer = runner
        .answer(|_| Some(json!({"error": {"code": "host_operation_denied", "message": "no"}})));
    assert_eq!(
        *answer.value(),
        json!({"chain": ["Error", "Error", "Object"], "name": "HostError",
               "code": "host_operation_denied", "message": "no", "same": true})
    );
}

#[test]
fn poisoned_prototypes_hit_the_mod_alone() {
    let mut runner = Runner::start();
    for poison in [
        "Object.prototype.polluted = 1; Object.prototype.get = () => 1;",
        "Object.defineProperty(Object.prototype, 'then', { get() { throw new Error('then') } });",
        "Array.prototype[Symbol.iterator] = function* () { yield 'poison' };",
        "Array.prototype.push = Array.prototype.join = () => { throw 1 };",
        "Promise.prototype.then = () => { throw 1 };",
        "JSON.stringify = JSON.parse = () => 'poison';",
        "Function.prototype.call = Function.prototype.bind = Function.prototype.apply = () => 1;",
        "String.prototype.slice = () => { throw 1 }; globalThis.leaked = 1;",
        "Symbol.for('leaked').description; globalThis.leaked = Symbol.for('leaked');",
        "delete globalThis.console; delete globalThis.Promise; delete globalThis.JSON;",
        "for (const key of Object.getOwnPropertyNames(globalThis)) try { delete globalThis[key] } catch {}",
        "Object.freeze(Object.prototype); Object.freeze(globalThis);",
    ] {
        let source = format!(
            "const log = globalThis.console?.log; {poison}\n\
             export default (i, host) => {{ log?.({{ a: [1, 'x'] }}); return 1; }};"
        );
        runner.run(&source);
        runner.assert_healthy(poison);
    }
}

#[test]
fn console_survives_poison() {
    let source = "
        const { log } = console;
        Array.prototype[Symbol.iterator] = Array.prototype.push = String.prototype.slice = () => { throw 1 };
        JSON.stringify = Object.getOwnPropertyDescriptor = Reflect.ownKeys = () => { throw 1 };
        export default () => { log('text', { a: [1, 'x', { b: {} }] }, null, undefined, -0, 1n, Symbol('s')); };
    ";
    let answer = Runner::start().run(source);
    assert_eq!(
        answer.logs(),
        ["text {a: [1, \"x\", {b: {}}]} null undefined -0 1n Symbol(s)"],
        "{:#}",
        answer.last
    );
}

#[test]
fn console_tells_errors_whatever_the_mod_makes_of_their_constructor() {
    let source = "
        const { log } = console;
        const error = Object.defineProperty(new TypeError('told'), 'stack', { value: 'its stack' });
        const bare = new RangeError('bare');
        delete bare.stack;
        const hasInstance = { value: () => { throw 1 } };
        Object.defineProperty(Error, Symbol.hasInstance, hasInstance);
        Object.prototype.isPrototypeOf = () => { throw 1 };
        globalThis.Error = class { static [Symbol.hasInstance]() { throw 1 } };
        export default () => { log(error); log(bare, { name: 'none' }); };
    ";
    let answer = Runner::start().run(source);
    assert_eq!(
        answer.logs(),
        ["its stack", "RangeError: bare {name: \"none\"}"],
        "{:#}",
        answer.last
    );
}

#[test]
fn to_json_on_a_prototype_changes_only_the_mods_result() {
    let mut runner = Runner::start();
    let source = "Object.prototype.toJSON = () => 'mine'; export default () => ({ a: 1 });";
    assert_eq!(*runner.run(source).value(), json!("mine"));
    runner.assert_healthy("toJSON");
}

#[test]
fn state_does_not_pass_from_callback_to_callback() {
    let mut runner = Runner::start();
    let source = "let count = 0; globalThis.total = (globalThis.total ?? 0) + 1;
        export default () => [++count, globalThis.total];";
    for _ in 0..3 {
        assert_eq!(*runner.run(source).value(), json!([1, 1]));
    }
}

#[test]
fn microtasks_do_not_pass_from_callback_to_callback() {
    let mut runner = Runner::start();
    let source = "export default () => ({ toJSON() { Promise.resolve().then(() => console.log('late')); return 1; } });";
    assert_eq!(*runner.run(source).value(), json!(1));
    let answer = runner.run("export default async () => { await null; return 2; }");
    assert_eq!((answer.value(), answer.logs()), (&json!(2), vec![]));
}

#[test]
fn the_language_is_whole() {
    let source = r#"export default () => [
        new Intl.NumberFormat("de-DE").format(1234.5), ["b", "ä", "a"].sort(new Intl.Collator("de").compare).join(""),
        new Date(0).getHours(), Intl.DateTimeFormat().resolvedOptions().timeZone,
        typeof Temporal, "b".localeCompare("a"),
    ];"#;
    let value = Runner::start().run(source).value().clone();
    assert_eq!(
        value,
        json!(["1.234,5", "aäb", 9, "Asia/Tokyo", "object", 1])
    );
}

/// What a mod sees of the locales that ICU's lists in this program lack.
#[test]
fn locales_are_what_they_are_in_any_engine() {
    let source = r#"export default () => {
        const services = ["NumberFormat", "DateTimeFormat", "Collator", "Segmenter", "ListFormat", "RelativeTimeFormat"];
        const seen = services.map((name) => ["en-US-POSIX", "en-US-u-va-posix", "sr-CS", "sh-YU", "sr-Cyrl-CS", "de-AT", "zz"]
            .map((tag) => `${Intl[name].supportedLocalesOf(tag)} ${new Intl[name](tag).resolvedOptions().locale}`).join());
        const numbers = ["sr-CS", "sr-Latn-YU", "en-US-POSIX", "de-AT"].map((tag) => (1234567.5).toLocaleString(tag));
        return [[...new Set(seen)], numbers];
    }"#;
    let value = Runner::start().run(source).value().clone();
    let locales = "en-US-u-va-posix en-US-u-va-posix,en-US-u-va-posix en-US-u-va-posix,sr-RS sr-RS,sr-Latn-RS sr-Latn-RS,\
        sr-Cyrl-RS sr-Cyrl-RS,de-AT de-AT, en-US";
    assert_eq!(
        value,
        json!([
            [locales],
            [
                "1.234.567,5",
                "1.234.567,5",
                "1234567.5",
                "1\u{a0}234\u{a0}567,5"
            ]
        ])
    );
}
