//! A package of any paths whose modules import any specifiers: what is resolved is a path within the
//! package, and a walk over the graph ends, cycles or not.
//!
//! A line of the input is a file: its path, then what it imports, parted by tabs.

#![no_main]

#[path = "../../crates/runner/src/module_path.rs"]
mod module_path;

use codex_js_wire::is_module_path;
use libfuzzer_sys::fuzz_target;
use module_path::resolve;
use std::collections::{BTreeMap, BTreeSet};

fuzz_target!(|text: &str| {
    let mut package: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for line in text.split('\n') {
        let mut fields = line.split('\t');
        let path = fields.next().unwrap_or_default();
        if is_module_path(path) {
            check_plain(path);
            package.insert(path, fields.collect());
        }
    }
    for entry in package.keys() {
        walk(&package, entry);
    }
});

/// As the runner does it: everything that is imported is known before anything is linked.
fn walk(package: &BTreeMap<&str, Vec<&str>>, entry: &str) {
    let mut known = BTreeSet::from([entry.to_owned()]);
    let mut pending = vec![entry.to_owned()];
    let mut steps = 0;
    while let Some(referrer) = pending.pop() {
        steps += 1;
        assert!(steps <= package.len());
        for specifier in &package[referrer.as_str()] {
            let Some(path) = resolve_checked(&referrer, specifier) else {
                continue;
            };
            if package.contains_key(path.as_str()) && known.insert(path.clone()) {
                pending.push(path);
            }
        }
    }
}

fn resolve_checked(referrer: &str, specifier: &str) -> Option<String> {
    let resolved = resolve(referrer, specifier);
    assert_eq!(resolved, resolve(referrer, specifier));
    match resolved {
        Ok(path) => {
            check_plain(&path);
            assert!(specifier.starts_with("./") || specifier.starts_with("../"));
            Some(path)
        }
        Err(refusal) => {
            assert!(!refusal.sentence().is_empty());
            None
        }
    }
}

/// Nothing that a file system, a URL or a shell would read as anything but a name within the package.
fn check_plain(path: &str) {
    assert!(!path.starts_with('/'), "{path:?}");
    assert!(!path.contains(['\\', '%', ':', '?', '#', '\0']), "{path:?}");
    let leads_out = path.split('/').any(|segment| matches!(segment, "." | ".."));
    assert!(!leads_out, "{path:?}");
}
