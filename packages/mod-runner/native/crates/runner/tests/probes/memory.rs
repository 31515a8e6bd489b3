//! Memory has an end, and it is the mod's.

use crate::runner::{PATIENCE, Runner, assert_codes};
use std::time::Instant;

#[test]
fn the_heap_ends() {
    assert_codes(&[
        (
            "const a = []; export default () => { for (;;) a.push({ x: [1, 2, 3] }) }",
            "mod_out_of_memory",
        ),
        (
            "export default () => { let s = 'xx'; const a = []; for (let i = 0; ; i++) a.push((s + i).repeat(1000)) }",
            "mod_out_of_memory",
        ),
        (
            "const m = new Map(); export default () => { for (let i = 0; ; i++) m.set({}, i) }",
            "mod_out_of_memory",
        ),
        (
            "const a = []; for (;;) a.push(new Array(1000).fill(1.5)); export default 1",
            "mod_out_of_memory",
        ),
        (
            "export default async () => { const a = []; for (;;) a.push(await [1, 2, 3, a.length]) }",
            "mod_out_of_memory",
        ),
    ]);
}

#[test]
fn catching_does_not_help() {
    assert_codes(&[(
        "const a = []; export default () => { for (;;) try { for (;;) a.push(new Array(100).fill({})) } catch {} }",
        "mod_out_of_memory",
    )]);
}

#[test]
fn memory_outside_the_heap_ends() {
    assert_codes(&[
        (
            "export default () => { const a = []; for (;;) a.push(new Uint8Array(1 << 20).fill(1)) }",
            "mod_out_of_memory",
        ),
        (
            "export default () => { const a = []; for (;;) a.push(new ArrayBuffer(8 << 20)) }",
            "mod_out_of_memory",
        ),
        (
            "export default () => { const a = []; for (;;) a.push(new SharedArrayBuffer(8 << 20)) }",
            "mod_out_of_memory",
        ),
        ("export default () => new ArrayBuffer(2 ** 40)", "mod_error"),
        (
            "export default () => { const b = new ArrayBuffer(1, { maxByteLength: 2 ** 31 }); for (let n = 1 << 20; ; n += 1 << 20) { b.resize(n); new Uint8Array(b).fill(1, n - (1 << 20)) } }",
            "mod_error",
        ),
    ]);
}

#[test]
fn strings_end() {
    assert_codes(&[
        (
            "export default () => { let s = 'x'; for (;;) s += s }",
            "mod_error",
        ),
        ("export default () => 'x'.repeat(2 ** 29)", "mod_error"),
        (
            "export default () => { let s = 'é☃'; for (let i = 0; i < 27; i++) s += s; return [...s].length }",
            "mod_out_of_memory",
        ),
    ]);
}

#[test]
fn parsing_ends() {
    assert_codes(&[
        (
            "export default () => JSON.parse('[' .repeat(5e6) + ']'.repeat(5e6)) && 1",
            "mod_out_of_memory",
        ),
        (
            "export default () => JSON.parse('[' + '{\"a\":[]},'.repeat(3e6) + '1]').length",
            "mod_out_of_memory",
        ),
    ]);
}

#[test]
fn stacks_end() {
    assert_codes(&[
        ("const f = () => f() + 1; export default f", "mod_error"),
        (
            "const o: any = {}; o.toString = () => `${o}`; export default () => `${o}`",
            "mod_error",
        ),
        (
            "export default () => { let f: any = () => 1; for (let i = 0; i < 2e4; i++) { const g = f; f = () => g() } return f() }",
            "mod_error",
        ),
    ]);
}

#[test]
fn a_parser_that_overflows_is_a_syntax_error() {
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("!", ""),
        ("x=>", ""),
        ("`${", "}`"),
        ("{", "}"),
    ] {
        let deep = format!(
            "export default () => 1; x = {}1{};",
            open.repeat(100_000),
            close.repeat(100_000)
        );
        for module in ["main.ts", "main.js"] {
            let mut runner = Runner::start();
            let mut message = runner.message(&serde_json::json!({module: deep}));
            message["hook"]["module"] = module.into();
            runner.send(&message);
            let answer = runner.answer(|_| None);
            assert_eq!(
                answer.code(),
                "mod_syntax_error",
                "{module} {open}: {:#}",
                answer.last
            );
        }
    }
    Runner::start().assert_healthy("parsers");
}

/// ICU would read half a megabyte of what it knows about locales that no mod can name.
#[test]
#[cfg(target_os = "linux")]
fn the_first_use_of_intl_needs_little_memory() {
    let mut runner = Runner::start();
    runner.run("export default () => [...'x'].length");
    let before = runner.page_faults();
    runner.run("export default () => [...new Intl.Segmenter('en').segment('x')].length");
    let faults = runner.page_faults() - before;
    assert!(
        faults < 250,
        "{faults} pages were touched for the first time"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn a_runner_that_was_busy_gives_its_memory_back() {
    let mut runner = Runner::start();
    let source = "export default () => Array.from({ length: 20_000 }, (_, i) => ({ i })).length";
    for _ in 0..40 {
        assert_eq!(*runner.run(source).value(), 20_000);
    }
    let busy = runner.resident_kib();
    let patience_ends = Instant::now() + PATIENCE;
    while runner.resident_kib() > busy - 4 * 1024 {
        assert!(
            Instant::now() < patience_ends,
            "{busy} KiB, and later {}",
            runner.resident_kib()
        );
        std::thread::yield_now();
    }
    runner.assert_healthy("a rest");
}
