//! Serve mode: loaded once, rendered often.

use crate::runner::{Runner, digest};
use serde_json::{Value, json};

fn load(runner: &mut Runner, source: &str) -> Value {
    let id = runner.next_id();
    runner.send(
        &json!({"type": "load", "id": id, "mod": {"name": "m", "digest": digest('0')},
        "modules": {"main.ts": source}, "module": "main.ts", "budgetMs": 5000}),
    );
    runner.answer(|_| None).last
}

fn render_within(runner: &mut Runner, export: &str, budget_ms: u64) -> Value {
    let id = runner.next_id();
    runner.send(&json!({"type": "render", "id": id, "export": export, "input": {"x": 1}, "budgetMs": budget_ms}));
    runner.answer(|_| None).last
}

fn render(runner: &mut Runner, export: &str) -> Value {
    render_within(runner, export, 5000)
}

#[test]
fn state_lasts_from_render_to_render() {
    let mut runner = Runner::start();
    assert_eq!(
        load(
            &mut runner,
            "let n = 0; export const view = (i: any) => (n += i.x)"
        )["type"],
        "loaded"
    );
    for expected in 1..=5 {
        assert_eq!(render(&mut runner, "view")["value"], expected);
    }
    runner.assert_healthy("renders");
}

#[test]
fn an_error_does_not_unload() {
    let mut runner = Runner::start();
    load(
        &mut runner,
        "let n = 0; export const view = () => ++n; export const fail = () => { n = 9; throw new Error('x') }",
    );
    assert_eq!(render(&mut runner, "view")["value"], 1);
    assert_eq!(render(&mut runner, "fail")["code"], "mod_error");
    assert_eq!(render(&mut runner, "missing")["code"], "mod_invalid");
    assert_eq!(render(&mut runner, "view")["value"], 10);
}

#[test]
fn being_cut_off_unloads() {
    let mut runner = Runner::start();
    let source = "export const loop = () => { for (;;); }; export const eat = () => { const a = []; for (;;) a.push([1, 2, 3]) }; export const view = () => 1;";
    for export in ["loop", "eat"] {
        assert_eq!(load(&mut runner, source)["type"], "loaded");
        let budget = if export == "loop" { 300 } else { 30_000 };
        let error = render_within(&mut runner, export, budget);
        assert_eq!(error["unloaded"], true, "{error:#}");
        assert_eq!(render(&mut runner, "view")["reason"], "not_loaded");
    }
    assert_eq!(load(&mut runner, source)["type"], "loaded");
    assert_eq!(render(&mut runner, "view")["value"], 1);
}

#[test]
fn nothing_is_rendered_before_a_load() {
    let mut runner = Runner::start();
    assert_eq!(render(&mut runner, "view")["reason"], "not_loaded");
    assert_eq!(
        load(&mut runner, "throw new Error('no')")["code"],
        "mod_error"
    );
    assert_eq!(render(&mut runner, "view")["reason"], "not_loaded");
}

#[test]
fn memory_stays_where_it_is() {
    let mut runner = Runner::start();
    load(
        &mut runner,
        "export const view = (i: any) => ({ text: 'x'.repeat(100), list: Array.from({ length: 50 }, (_, n) => ({ n })) })",
    );
    for _ in 0..200 {
        render(&mut runner, "view");
    }
    let before = runner.resident_kib();
    for _ in 0..2000 {
        render(&mut runner, "view");
    }
    let after = runner.resident_kib();
    assert!(after < before + 16 * 1024, "{before} KiB, then {after} KiB");
}
