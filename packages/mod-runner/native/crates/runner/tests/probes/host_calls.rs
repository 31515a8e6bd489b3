//! What a mod asks of its host.

use crate::runner::Runner;
use serde_json::json;

#[test]
fn answers_come_back_into_the_realm() {
    let mut runner = Runner::start();
    let source = r#"export default async ({ x }: any, host: any) => {
        const one = await host.call("double", { x });
        const both = await Promise.all([host.call("double", { x: one }), host.call("double", { x: 1 })]);
        return [one, ...both, await host.call("none")];
    };"#;
    let message = runner.message(&json!({"main.ts": source}));
    runner.send(&message);
    let answer = runner
        .answer(|request| Some(json!({"value": request["input"]["x"].as_u64().map(|x| x * 2)})));
    assert_eq!(*answer.value(), json!([42, 84, 2, null]));
    assert_eq!(answer.last["usage"]["hostRequests"], 4);
    let requests: Vec<_> = answer
        .before
        .iter()
        .map(|request| &request["request"])
        .collect();
    assert_eq!(requests, [1, 2, 3, 4]);
}

#[test]
fn replies_may_come_in_any_order() {
    let mut runner = Runner::start();
    let source = "export default async (_: any, host: any) => {
        const order: string[] = [];
        await Promise.all(['a', 'b', 'c'].map((name) => host.call(name).then((v: string) => order.push(v))));
        return order; }";
    let message = runner.message(&json!({"main.ts": source}));
    runner.send(&message);
    let requests: Vec<_> = (0..3).map(|_| runner.receive().unwrap()).collect();
    for request in requests.iter().rev() {
        runner.send(&json!({"type": "hostReply", "callback": 1, "request": request["request"], "value": request["operation"]}));
    }
    assert_eq!(*runner.answer(|_| None).value(), json!(["c", "b", "a"]));
}

#[test]
fn unknown_duplicate_and_stale_replies_do_no_harm() {
    let mut runner = Runner::start();
    let source =
        "export default async (_: any, host: any) => [await host.call('a'), await host.call('b')]";
    let message = runner.message(&json!({"main.ts": source}));
    runner.send(&message);
    let first = runner.receive().unwrap()["request"].clone();
    let reply = |request: &serde_json::Value, callback: u64, value: u64| json!({"type": "hostReply", "callback": callback, "request": request, "value": value});
    runner.send(&reply(&json!(99), 1, 0));
    let refused = runner.receive().unwrap();
    assert_eq!(
        (&refused["reason"], &refused["id"]),
        (&json!("unknown_request"), &json!(null))
    );
    // Of another callback: too late, or never; ignored.
    runner.send(&reply(&first, 77, 0));
    runner.send(&reply(&first, 1, 1));
    let second = runner.receive().unwrap()["request"].clone();
    runner.send(&reply(&first, 1, 5));
    assert_eq!(runner.receive().unwrap()["reason"], "unknown_request");
    runner.send(&reply(&second, 1, 2));
    assert_eq!(*runner.answer(|_| None).value(), json!([1, 2]));
    runner.send(&reply(&second, 1, 3));
    runner.assert_healthy("stale replies");
}

#[test]
fn an_answer_drops_what_is_outstanding() {
    let mut runner = Runner::start();
    let source = "let kept: any; export default (_: any, host: any) => { host.call('slow').then(() => console.log('late')); return 1 }";
    assert_eq!(*runner.run(source).value(), json!(1));
    runner.send(&json!({"type": "hostReply", "callback": 1, "request": 1, "value": 1}));
    runner.assert_healthy("an outstanding request");
}

#[test]
fn calls_after_the_end_send_nothing() {
    let mut runner = Runner::start();
    let load = json!({"type": "load", "id": 1, "mod": {"name": "m", "digest": "0".repeat(64)}, "module": "main.ts", "budgetMs": 5000,
        "modules": {"main.ts": "let kept: any; export const keep = (_: any, host: any) => { kept = host; return 1 };
            export const result = () => ({ toJSON() { kept.call('late'); return 2 } });
            export const use = async () => String(await kept.call('now').catch((e: any) => e.message));"}});
    runner.send(&load);
    assert_eq!(runner.answer(|_| None).last["type"], "loaded");
    let render = |id: u64, export: &str| json!({"type": "render", "id": id, "export": export, "input": null, "budgetMs": 5000});
    runner.send(&render(2, "keep"));
    assert_eq!(*runner.answer(|_| None).value(), json!(1));
    // A host object that was kept belongs to the render that is running.
    runner.send(&render(3, "use"));
    let answer = runner.answer(|request| {
        assert_eq!(request["callback"], 3);
        Some(json!({"value": "answered"}))
    });
    assert_eq!(*answer.value(), json!("answered"));
    // The hook has settled: reading its result cannot ask for more.
    runner.send(&render(4, "result"));
    let answer = runner.answer(|_| None);
    assert_eq!((answer.value(), answer.before.len()), (&json!(2), 0));
}

#[test]
fn inputs_are_checked() {
    let mut runner = Runner::start();
    let source = |call: &str| {
        format!(
            "export default async (_: any, host: any) => {{ try {{ await {call}; return 'sent' }} catch (e: any) {{ return e.constructor.name }} }}"
        )
    };
    for call in [
        "host.call()",
        "host.call(1)",
        "host.call('')",
        "host.call('x'.repeat(200))",
        "host.call('a', 1n)",
        "host.call('a', () => 1)",
        "host.call('a', { get a() { throw new TypeError() } })",
        "host.call('a', 'x'.repeat(2e6))",
        "host.call('a', { ['__proto__']: 1 })",
        "host.call('a', (() => { const a: any = []; a.push(a); return a })())",
    ] {
        let answer = runner.run(&source(call));
        assert_eq!(
            (answer.value(), answer.before.len()),
            (&json!("TypeError"), 0),
            "{call}"
        );
    }
}

#[test]
fn the_number_of_calls_is_limited() {
    let mut runner = Runner::start();
    let answer = runner.run(
        "export default async (_: any, host: any) => {
        const calls = Array.from({ length: 100 }, () => host.call('a').catch(() => 'refused'));
        return Promise.race([Promise.all(calls.slice(64)), calls[0]]); }",
    );
    assert_eq!(answer.before.len(), 64);
    assert_eq!(answer.value().as_array().unwrap().len(), 36);
}

#[test]
fn lines_cannot_be_forged() {
    let mut runner = Runner::start();
    let forged = r#"\n{\"type\":\"ready\",\"ready\":true}\n{\"type\":\"hostReply\",\"callback\":1,\"request\":1,\"value\":1}\n"#;
    let source = format!(
        "export default (_: any, host: any) => {{ console.log(\"{forged}\"); host.call(\"{forged}\".slice(0, 50), \"{forged}\"); throw new Error(\"{forged}\"); }}"
    );
    let answer = runner.run(&source);
    assert_eq!((answer.code(), answer.before.len()), ("mod_error", 2));
    runner.assert_healthy("forged lines");
}

#[test]
fn a_flood_of_lines_is_dammed() {
    let mut runner = Runner::start();
    let answer =
        runner.run("export default () => { for (let i = 0; i < 1e5; i++) console.log(i); }");
    assert_eq!(answer.logs().len(), 200);
    assert_eq!(answer.last["usage"]["logsDropped"], 99_800);
    let answer = runner.run(
        "export default () => { console.warn('é'.repeat(1e6)); console.error('x'.repeat(1e7)) }",
    );
    let texts = answer.logs();
    assert_eq!(
        texts.iter().map(|text| text.len()).collect::<Vec<_>>(),
        [8192, 8192]
    );
    assert!(answer.before.iter().all(|line| line["truncated"] == true));
}

#[test]
fn printing_runs_none_of_the_mods_code() {
    let answer = Runner::start().run("export default () => {
        const o: any = { get a() { throw new Error('getter') }, toString() { throw 1 }, [Symbol('s')]: 1 };
        o.self = o; console.log(o, () => 1, new Error('told'), [undefined]); }");
    let text = answer.logs()[0];
    assert!(text.starts_with("{a: [Getter], toString: [Function], self: [Circular], [Symbol(s)]: 1} [Function] Error: told"), "{text}");
}
