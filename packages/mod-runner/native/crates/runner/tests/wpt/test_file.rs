//! The tests of a checkout, and what the `// META:` lines of each say.

use std::path::Path;

const FOLDER: &str = "WebCryptoAPI";
/// Files that run in windows and workers alike, by their name; in a shell too.
const SUFFIX: &str = ".any.js";
/// web-platform-tests gives 10 and 60 seconds to machines that do nothing else.
const BUDGET_MS: u64 = 60_000;
const LONG_BUDGET_MS: u64 = 600_000;

/// A `.any.js` file.
pub struct TestFile {
    /// From the checkout's root, with `/`.
    pub path: String,
    pub source: String,
    /// Paths of the scripts that run before it: absolute means from the checkout's root.
    pub scripts: Vec<String>,
    /// Query strings; one that is empty where none are named.
    pub variants: Vec<String>,
    pub budget_ms: u64,
}

/// Every test in the order of its path.
pub fn find_tests(checkout: &Path) -> Vec<TestFile> {
    let mut paths = Vec::new();
    collect(checkout, FOLDER, &mut paths);
    paths.sort();
    paths
        .into_iter()
        .map(|path| read_test(checkout, path))
        .collect()
}

fn collect(checkout: &Path, folder: &str, paths: &mut Vec<String>) {
    let Ok(entries) = std::fs::read_dir(checkout.join(folder)) else {
        return;
    };
    for entry in entries.map(Result::unwrap) {
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.file_type().unwrap().is_dir() {
            collect(checkout, &path, paths);
        } else if path.ends_with(SUFFIX) {
            paths.push(path);
        }
    }
}

fn read_test(checkout: &Path, path: String) -> TestFile {
    let source = std::fs::read_to_string(checkout.join(&path)).unwrap();
    let mut file = TestFile {
        path,
        scripts: Vec::new(),
        variants: Vec::new(),
        budget_ms: BUDGET_MS,
        source: String::new(),
    };
    for (key, value) in source.lines().filter_map(read_meta) {
        match (key, value) {
            ("script", script) => file.scripts.push(script.to_owned()),
            ("variant", variant) => file.variants.push(variant.to_owned()),
            ("timeout", "long") => file.budget_ms = LONG_BUDGET_MS,
            _ => {}
        }
    }
    if file.variants.is_empty() {
        file.variants.push(String::new());
    }
    TestFile { source, ..file }
}

/// `// META: key=value`.
fn read_meta(line: &str) -> Option<(&str, &str)> {
    let meta = line
        .strip_prefix("//")?
        .trim_start()
        .strip_prefix("META:")?;
    let (key, value) = meta.split_once('=')?;
    Some((key.trim(), value.trim()))
}
