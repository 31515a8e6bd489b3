//! Any text as a TypeScript module: it is erased line by line, or refused with a place within it.

#![no_main]

use codex_js_strip::strip_types;
use libfuzzer_sys::fuzz_target;

/// The parser descends once per level of nesting, and the runner survives an overflow of its stack.
/// What is looked for here are other faults.
const STACK_BYTES: usize = 512 * 1024 * 1024;
const SOURCE_BYTES: usize = 2048;

fuzz_target!(|source: &str| {
    if source.len() > SOURCE_BYTES {
        return;
    }
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(STACK_BYTES);
        worker
            .spawn_scoped(scope, || check(source))
            .expect("a thread")
            .join()
            .expect("no panic");
    });
});

fn check(source: &str) {
    match strip_types(source) {
        Ok(code) => assert_eq!(lines_of(&code), lines_of(source), "{source:?}"),
        Err(error) => {
            assert!(!error.code.as_str().is_empty());
            if let Some(position) = error.position {
                assert!(position.line >= 1 && position.column >= 1);
            }
        }
    }
}

fn lines_of(text: &str) -> usize {
    text.matches('\n').count()
}
