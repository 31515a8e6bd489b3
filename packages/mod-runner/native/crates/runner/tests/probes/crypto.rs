//! Web Crypto is the mod's to use and nobody's to break.

use crate::runner::{Runner, assert_codes, assert_codes_within};
use serde_json::json;

/// The value of an async function's body.
fn evaluate(body: &str) -> serde_json::Value {
    Runner::start().run(&program(body)).value().clone()
}

fn program(body: &str) -> String {
    format!("const {{ subtle }} = crypto;\nexport default async () => {{ {body} }};")
}

/// `assert_codes` for bodies of async functions.
fn assert_body_codes(probes: &[(&str, &str)]) {
    assert_body_codes_within(30_000, probes);
}

fn assert_body_codes_within(budget_ms: u64, probes: &[(&str, &str)]) {
    let programs: Vec<_> = probes
        .iter()
        .map(|(body, code)| (program(body), *code))
        .collect();
    let probes: Vec<_> = programs
        .iter()
        .map(|(program, code)| (program.as_str(), *code))
        .collect();
    assert_codes_within(budget_ms, &probes);
}

/// The name of what a body throws, beside the code.
fn thrown_name(body: &str) -> String {
    let answer = Runner::start().run(&program(body));
    assert_eq!(answer.code(), "mod_error", "{body}\n{:#}", answer.last);
    answer.last["name"].as_str().unwrap_or_default().to_owned()
}

const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const TO_HEX: &str = "const toHex = (buffer) => { let text = ''; const bytes = new Uint8Array(buffer);
    for (let at = 0; at < bytes.length; at++) text += (bytes[at] < 16 ? '0' : '') + bytes[at].toString(16);
    return text; };";

#[test]
fn every_value_is_of_the_mods_realm() {
    let body = r#"
        const digest = subtle.digest("SHA-256", new TextEncoder().encode("abc"));
        const [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
        const refused = await subtle.digest("MD5", new Uint8Array()).catch((error) => error);
        return [digest instanceof Promise, (await digest) instanceof ArrayBuffer, crypto instanceof Crypto,
            crypto.getRandomValues.constructor === Function, /^[0-9a-f-]{36}$/.test(one), one !== other,
            refused instanceof DOMException, refused instanceof Error, refused.name,
            new TextDecoder().decode(Uint8Array.from(atob(btoa("ab")), (c) => c.charCodeAt(0)))];
    "#;
    assert_eq!(
        evaluate(body),
        json!([
            true,
            true,
            true,
            true,
            true,
            true,
            true,
            true,
            "NotSupportedError",
            "ab"
        ])
    );
}

#[test]
fn private_keys_and_primes_can_be_made_inside_the_sandbox() {
    // AWS-LC's own generator: the nonce of ECDSA, the primes, salt and blinding of RSA.
    let body = r#"
        const data = new Uint8Array(8);
        const ec = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
        const pss = { name: "RSA-PSS", hash: "SHA-256", saltLength: 32, modulusLength: 1024,
            publicExponent: new Uint8Array([1, 0, 1]) };
        const results = [];
        for (const algorithm of [ec, pss, { name: "Ed25519" }]) {
            const { privateKey, publicKey } = await subtle.generateKey(algorithm, false, ["sign", "verify"]);
            const signature = await subtle.sign(algorithm, privateKey, data);
            results.push(await subtle.verify(algorithm, publicKey, signature, data));
        }
        return results;
    "#;
    assert_eq!(evaluate(body), json!([true, true, true]));
}

#[test]
fn no_way_to_code_from_strings() {
    assert_body_codes(&[
        (
            "return subtle.digest.constructor('return 1')()",
            "mod_error",
        ),
        (
            "return (await subtle.digest('SHA-1', new Uint8Array())).constructor.constructor('return 1')()",
            "mod_error",
        ),
        (
            "try { atob('!') } catch (error) { return error.constructor.constructor('return 1')() }",
            "mod_error",
        ),
    ]);
}

#[test]
fn what_is_thrown_has_its_name() {
    for (body, name) in [
        (
            "return subtle.digest('MD5', new Uint8Array())",
            "NotSupportedError",
        ),
        ("return subtle.digest('SHA-1', 1)", "TypeError"),
        (
            "return crypto.getRandomValues(new Uint8Array(65537))",
            "QuotaExceededError",
        ),
        (
            "return crypto.getRandomValues(new Float64Array(1))",
            "TypeMismatchError",
        ),
        (
            "return subtle.importKey('raw', new Uint8Array(5), 'AES-GCM', true, ['encrypt'])",
            "DataError",
        ),
        (
            "return subtle.generateKey('AES-GCM', true, ['encrypt'])",
            "TypeError",
        ),
        ("return subtle.exportKey('raw', {})", "TypeError"),
        (
            "return subtle.exportKey('raw', Object.create(CryptoKey.prototype))",
            "TypeError",
        ),
        ("return atob('!')", "InvalidCharacterError"),
        ("return structuredClone(() => 1)", "DataCloneError"),
        (
            "return structuredClone(new Proxy({}, {}))",
            "DataCloneError",
        ),
        (
            "return structuredClone(Promise.resolve())",
            "DataCloneError",
        ),
        (
            "return structuredClone(new SharedArrayBuffer(1))",
            "DataCloneError",
        ),
    ] {
        assert_eq!(thrown_name(body), name, "{body}");
    }
}

#[test]
fn poisoned_prototypes_do_not_reach_the_layer() {
    let digest = "return toHex(await digest)";
    for poison in [
        "Object.prototype.name = 'MD5'; Object.prototype.hash = 'MD5'; Object.prototype.length = 7;",
        "Object.defineProperty(Array.prototype, 0, { set() { throw 1 }, get() { throw 1 } });",
        "Array.prototype[Symbol.iterator] = Array.prototype.push = Array.prototype.map = () => { throw 1 };",
        "Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => { throw 1 };",
        "String.prototype.slice = String.prototype.charCodeAt = String.prototype.toUpperCase = () => { throw 1 };",
        "Uint8Array.prototype.set = Uint8Array.prototype.subarray = Uint8Array.prototype.slice = () => { throw 1 };
         Object.defineProperty(Object.getPrototypeOf(Uint8Array.prototype), 'buffer', { get() { throw 1 } });
         Object.defineProperty(Object.getPrototypeOf(Uint8Array.prototype), 'byteLength', { get() { return 2 ** 40 } });",
        "Map.prototype.get = Map.prototype.set = () => { throw 1 }; Reflect.apply = Reflect.defineProperty = () => { throw 1 };",
        "globalThis.Uint8Array = globalThis.Promise = globalThis.ArrayBuffer = globalThis.DOMException = () => { throw 1 };",
    ] {
        let source = format!(
            "const {{ subtle }} = crypto;\nconst bytes = new Uint8Array([97, 98, 99]);\n\
             const Bytes = Uint8Array;\nconst toHex = (buffer) => {{ const bytes = new Bytes(buffer); let text = '';\
             for (let at = 0; at < 32; at++) text += (bytes[at] < 16 ? '0' : '') + bytes[at].toString(16); return text; }};\n\
             export default async () => {{ {poison}\n const digest = subtle.digest('SHA-256', bytes); {digest}; }};"
        );
        let mut runner = Runner::start();
        assert_eq!(*runner.run(&source).value(), json!(ABC), "{poison}");
        runner.assert_healthy(poison);
    }
}

#[test]
fn what_one_callback_replaces_the_next_one_has_whole() {
    let mut runner = Runner::start();
    let replace = "
        crypto.subtle.digest = () => 'mine'; SubtleCrypto.prototype.digest = () => 'mine';
        CryptoKey.prototype.mine = DOMException.prototype.mine = 1; globalThis.atob = () => 'mine';
        Object.defineProperty(globalThis, 'crypto', { value: 'mine', writable: false, configurable: false });
        return crypto;";
    assert_eq!(*runner.run(&program(replace)).value(), json!("mine"));
    let look = format!(
        "{TO_HEX} const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode('abc'));
         return [toHex(digest), 'mine' in CryptoKey.prototype, 'mine' in DOMException.prototype, atob('YQ==')];"
    );
    assert_eq!(
        *runner.run(&program(&look)).value(),
        json!([ABC, false, false, "a"])
    );
}

#[test]
fn getters_in_dictionaries_are_the_mods_own_code() {
    assert_body_codes_within(
        400,
        &[
            (
                "return subtle.digest({ get name() { throw new Error('mine') } }, new Uint8Array())",
                "mod_error",
            ),
            (
                "return subtle.digest({ get name() { for (;;); } }, new Uint8Array())",
                "mod_timeout",
            ),
            (
                "return subtle.digest(new Proxy({}, { get() { for (;;); } }), new Uint8Array())",
                "mod_timeout",
            ),
            (
                "return subtle.importKey('raw', new Uint8Array(16), 'AES-GCM', true, { *[Symbol.iterator]() { for (;;) yield 'encrypt' } })",
                "mod_timeout",
            ),
            (
                "return subtle.importKey('jwk', { get kty() { for (;;); } }, 'AES-GCM', true, ['encrypt'])",
                "mod_timeout",
            ),
            (
                "return structuredClone({ get a() { for (;;); } })",
                "mod_timeout",
            ),
        ],
    );
}

#[test]
fn buffers_that_change_under_the_layer() {
    let encrypt = |getter: &str, data: &str| {
        format!(
            "const key = await subtle.importKey('raw', new Uint8Array(16), 'AES-CBC', true, ['encrypt']);
             const iv = new Uint8Array(16); const buffer = new ArrayBuffer(32, {{ maxByteLength: 1 << 20 }});
             const data = {data};
             const algorithm = {{ name: 'AES-CBC', get iv() {{ {getter}; return iv }} }};
             try {{ return (await subtle.encrypt(algorithm, key, data)).byteLength }} catch (error) {{ return error.name }}"
        )
    };
    let view = "new Uint8Array(buffer)";
    // By the standard the data is copied first, and the dictionary is read then.
    for (getter, data, expected) in [
        ("", view, json!(48)),
        ("buffer.resize(16)", view, json!(48)),
        ("buffer.resize(1 << 20)", view, json!(48)),
        (
            "buffer.resize(4)",
            "new Uint8Array(buffer, 8, 8)",
            json!(16),
        ),
        ("buffer.transfer()", view, json!(48)),
        ("buffer.transfer()", "buffer", json!(48)),
        ("iv.buffer.transfer()", view, json!("OperationError")),
    ] {
        let body = encrypt(getter, data);
        let mut runner = Runner::start();
        let answer = runner.run(&program(&body));
        assert_eq!(*answer.value(), expected, "{getter} {data}");
        runner.assert_healthy(getter);
    }
}

#[test]
fn inputs_are_copied_before_the_promise_is_handed_out() {
    let body = format!(
        "{TO_HEX} const data = new TextEncoder().encode('abc');
         const digest = subtle.digest('SHA-256', data); data.fill(0); data.buffer.transfer();
         return toHex(await digest);"
    );
    assert_eq!(evaluate(&body), json!(ABC));
}

#[test]
fn lengths_have_an_end() {
    let derive = |bits: &str| {
        format!(
            "const key = await subtle.importKey('raw', new Uint8Array(8), 'PBKDF2', false, ['deriveBits']);
             const salt = new Uint8Array(8);
             return subtle.deriveBits({{ name: 'PBKDF2', hash: 'SHA-512', salt, iterations: 1 }}, key, {bits})"
        )
    };
    for (body, name) in [
        (derive("8388616"), "OperationError"),
        (derive("4294967288"), "OperationError"),
        (derive("2 ** 40"), "TypeError"),
        (
            "return subtle.generateKey({ name: 'HMAC', hash: 'SHA-256', length: 2 ** 32 - 8 }, true, ['sign'])".into(),
            "OperationError",
        ),
        (
            "return subtle.generateKey({ name: 'RSA-PSS', hash: 'SHA-256', modulusLength: 2 ** 32 - 1, publicExponent: new Uint8Array([1, 0, 1]) }, true, ['sign'])".into(),
            "OperationError",
        ),
        (
            "return subtle.generateKey({ name: 'RSA-PSS', hash: 'SHA-256', modulusLength: 2048, publicExponent: new Uint8Array(1 << 20).fill(255) }, true, ['sign'])".into(),
            "OperationError",
        ),
    ] {
        assert_eq!(thrown_name(&body), name, "{body}");
    }
}

#[test]
fn long_work_ends_with_the_budget_and_the_runner_lives() {
    let pbkdf2 = "const key = await subtle.importKey('raw', new Uint8Array(8), 'PBKDF2', false, ['deriveBits']);
        const params = { name: 'PBKDF2', hash: 'SHA-512', salt: new Uint8Array(8), iterations: 4294967295 };";
    let rsa = "const rsa = { name: 'RSA-PSS', hash: 'SHA-256', modulusLength: 16384, publicExponent: new Uint8Array([1, 0, 1]) };";
    let mut runner = Runner::start();
    let pid = runner.pid();
    for body in [
        format!("{pbkdf2} return subtle.deriveBits(params, key, 256)"),
        format!("{pbkdf2} for (;;) try {{ await subtle.deriveBits(params, key, 256) }} catch {{}}"),
        format!(
            "{pbkdf2} await Promise.all([1, 2, 3].map(() => subtle.deriveBits(params, key, 256)))"
        ),
        format!(
            "{rsa} return (await subtle.generateKey(rsa, true, ['sign', 'verify'])).publicKey.type"
        ),
        format!(
            "{rsa} for (;;) await subtle.generateKey(rsa, true, ['sign', 'verify']).catch(() => 0)"
        ),
        "for (;;) crypto.getRandomValues(new Uint8Array(65536))".into(),
        "for (;;) await subtle.digest('SHA-512', new Uint8Array(1 << 20))".into(),
    ] {
        let mut message = runner.message(&json!({"main.ts": program(&body)}));
        message["budgetMs"] = 300.into();
        runner.send(&message);
        let answer = runner.answer(|_| None);
        assert_eq!(answer.code(), "mod_timeout", "{body}\n{:#}", answer.last);
        assert_eq!(
            answer.last["type"], "error",
            "{body}: the process has ended"
        );
        runner.assert_healthy(&body);
    }
    assert_eq!(runner.pid(), pid);
}

#[test]
fn a_cancelled_callback_ends_in_the_middle_of_a_derivation() {
    let body = "const key = await subtle.importKey('raw', new Uint8Array(8), 'PBKDF2', false, ['deriveBits']);
        const params = { name: 'PBKDF2', hash: 'SHA-512', salt: new Uint8Array(8), iterations: 4294967295 };
        return subtle.deriveBits(params, key, 256);";
    let mut runner = Runner::start();
    let message = runner.message(&json!({"main.ts": program(body)}));
    runner.send(&message);
    runner.send(&json!({"type": "cancel", "id": message["id"]}));
    let answer = runner.answer(|_| None);
    assert_eq!(answer.code(), "mod_cancelled", "{:#}", answer.last);
    runner.assert_healthy("cancel");
}

#[test]
fn memory_of_results_ends() {
    let key = "const key = await subtle.importKey('raw', new Uint8Array(8), 'PBKDF2', false, ['deriveBits']);
        const params = { name: 'PBKDF2', hash: 'SHA-512', salt: new Uint8Array(8), iterations: 1 };";
    assert_body_codes(&[
        (
            "const kept = []; for (;;) kept.push(crypto.getRandomValues(new Uint8Array(65536)))",
            "mod_out_of_memory",
        ),
        (
            &format!(
                "{key} const kept = []; for (;;) kept.push(await subtle.deriveBits(params, key, 8388608))"
            ),
            "mod_out_of_memory",
        ),
        (
            "const kept = []; for (;;) kept.push(await subtle.generateKey({ name: 'HMAC', hash: 'SHA-1', length: 8388608 }, true, ['sign']))",
            "mod_out_of_memory",
        ),
        (
            "const kept = []; for (;;) kept.push(crypto.randomUUID())",
            "mod_out_of_memory",
        ),
        // What nobody keeps is collected, though V8 sees little of it in its heap.
        (
            "for (let i = 0; i < 4000; i++) crypto.getRandomValues(new Uint8Array(65536))",
            "ok",
        ),
        (
            "for (let i = 0; i < 400; i++) await subtle.digest('SHA-1', new Uint8Array(1 << 20))",
            "ok",
        ),
    ]);
}

#[test]
fn inputs_that_fill_the_memory_end_the_mod_alone() {
    assert_body_codes(&[
        (
            "return (await subtle.digest('SHA-256', new Uint8Array(64 << 20))).byteLength",
            "ok",
        ),
        (
            "const key = await subtle.generateKey({ name: 'AES-GCM', length: 128 }, true, ['encrypt']);
             const all = []; for (;;) all.push(await subtle.encrypt({ name: 'AES-GCM', iv: new Uint8Array(12) }, key, new Uint8Array(48 << 20)))",
            "mod_out_of_memory",
        ),
        ("return btoa('x'.repeat(400_000_000)).length", "mod_out_of_memory"),
    ]);
}

#[test]
fn crypto_in_serve_mode_keeps_its_keys() {
    let mut runner = Runner::start();
    let source = "const key = await crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
        export const render = async () => new Uint8Array(await crypto.subtle.sign('HMAC', key, new Uint8Array(1))).join();";
    let id = runner.next_id();
    runner.send(&json!({"type": "load", "id": id, "mod": {"name": "probe", "digest": crate::runner::digest('0')},
        "modules": {"main.ts": source}, "module": "main.ts", "budgetMs": 30_000}));
    assert_eq!(runner.answer(|_| None).last["type"], "loaded");
    let mut render = || {
        let id = runner.next_id();
        runner.send(&json!({"type": "render", "id": id, "export": "render", "input": null, "budgetMs": 30_000}));
        runner.answer(|_| None).value().clone()
    };
    assert_eq!(render(), render());
}

#[test]
fn the_layer_cannot_be_fed_from_outside() {
    // Names that a mod could guess for what only the layer has.
    assert_codes(&[("export default () => callCrypto('random', [])", "mod_error")]);
    let names = "return ['native', 'realm', 'install', 'modWebcrypto', 'callCrypto', 'hasHiddenState', 'installWebCrypto'].filter((name) => name in globalThis)";
    assert_eq!(evaluate(names), json!([]));
}

/// Replaces what a mod can replace before the layer has run; what uses it fails the mod.
const REPLACE_EVERYTHING: &str = "
    const { defineProperty } = Object;
    const trap = () => { throw new RangeError('a trap'); };
    const trapAll = (owner, names) => {
        for (let at = 0; at < names.length; at++)
            defineProperty(owner, names[at], { __proto__: null, value: trap, writable: true, configurable: true });
    };
    const trapAccess = (owner, names) => {
        for (let at = 0; at < names.length; at++)
            defineProperty(owner, names[at], { __proto__: null, get: trap, set: trap, configurable: true });
    };
    trapAll(Reflect, ['apply', 'construct', 'defineProperty', 'getOwnPropertyDescriptor', 'ownKeys']);
    trapAll(Function.prototype, ['call', 'apply', 'bind']);
    trapAll(String.prototype, ['split', 'slice', 'charCodeAt', 'toLowerCase']);
    trapAll(Array.prototype, ['push', 'map', 'forEach', 'join', 'values']);
    trapAll(Object, ['keys', 'entries', 'defineProperty', 'getOwnPropertyNames', 'getOwnPropertyDescriptor']);
    trapAccess(Array.prototype, ['0', '1', '2', '3']);
    Array.prototype[Symbol.iterator] = trap;
    trapAccess(Object.prototype, ['get', 'set', 'value', 'writable', 'enumerable', 'configurable', 'name', 'hash',
        'length', 'params', 'digest', 'type']);
    trapAll(globalThis, ['Error', 'TypeError', 'RangeError', 'Map', 'Set', 'WeakMap', 'DataView', 'ArrayBuffer',
        'Symbol', 'String', 'Number', 'BigInt', 'Proxy', 'RegExp', 'Date', 'SharedArrayBuffer', 'Float16Array']);
";

#[test]
fn the_layer_is_made_of_nothing_that_a_mod_has_replaced() {
    let answer = Runner::start().run(&format!(
        "{REPLACE_EVERYTHING}
        export default async () => {{
            const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode('abc'));
            return new Uint8Array(hash)[0] + crypto.randomUUID().length + atob(btoa('four')).length;
        }};"
    ));
    assert_eq!(*answer.value(), json!(0xba + 36 + 4));
}

#[test]
fn the_layers_globals_are_a_mods_to_replace_and_to_freeze() {
    let replaced = "
        globalThis.crypto = 'mine';
        delete globalThis.atob;
        export default () => {
            const before = Object.getOwnPropertyDescriptor(globalThis, 'TextEncoder');
            const same = TextEncoder === TextEncoder && before.get() === TextEncoder;
            const { value, writable, enumerable, configurable } =
                Object.getOwnPropertyDescriptor(globalThis, 'TextEncoder');
            return [same, value === TextEncoder, writable, enumerable, configurable, crypto, typeof atob, btoa('a')];
        };";
    assert_eq!(
        *Runner::start().run(replaced).value(),
        json!([true, true, true, false, true, "mine", "undefined", "YQ=="])
    );
    let frozen = "
        Object.freeze(globalThis);
        export default () => [crypto === crypto, new TextEncoder() instanceof TextEncoder, crypto.randomUUID().length];";
    assert_eq!(
        *Runner::start().run(frozen).value(),
        json!([true, true, 36])
    );
}

#[test]
fn a_first_use_that_is_cut_off_leaves_nothing_half_made() {
    let mut runner = Runner::start();
    // Deeper by one frame each time, the layer runs out of stack at every place where it can.
    let at_the_edge = "
        let failures = 0;
        const descend = () => {
            try { descend(); } catch { failures += 1; }
            try { return crypto.subtle, TextDecoder; } catch { failures += 1; }
        };
        export default async () => {
            descend();
            const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode('abc'));
            return [failures > 1, new Uint8Array(hash)[0], new DOMException('a', 'b') instanceof Error];
        };";
    assert_eq!(*runner.run(at_the_edge).value(), json!([true, 0xba, true]));
    runner.assert_healthy("a layer at the edge of the stack");
}
