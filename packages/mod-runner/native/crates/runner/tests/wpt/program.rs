//! One test file as a module that a runner evaluates.

use crate::test_file::TestFile;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// For folders without the public one.
const OWN_HARNESS: &str = include_str!("shell/testharness.js");
/// What a page has and a realm has not.
const SHELL: &str = include_str!("shell/globals.js");
const REPORT: &str = include_str!("shell/report.js");

/// The module's text; an error when a script is missing.
///
/// Everything runs in one function: what scripts declare at their top is seen by those behind them, as in
/// a page, and two may declare the same.
pub fn compose(checkout: &Path, file: &TestFile, variant: &str) -> Result<String, String> {
    let harness = std::fs::read_to_string(checkout.join("resources/testharness.js"))
        .unwrap_or_else(|_| OWN_HARNESS.to_owned());
    let shell = SHELL
        .replace("VARIANT", &Value::from(variant).to_string())
        .replace("INTERFACES", &read_interfaces(checkout).to_string());
    let mut scripts = vec![shell, harness];
    for script in &file.scripts {
        scripts.push(read_script(checkout, &file.path, script)?);
    }
    scripts.push(file.source.clone());
    Ok(format!(
        "export default () => {{\n{REPORT}\n{}\nreturn report;\n}};",
        scripts.join("\n;\n")
    ))
}

fn read_script(checkout: &Path, test: &str, script: &str) -> Result<String, String> {
    let path: PathBuf = match script.strip_prefix('/') {
        Some(from_root) => checkout.join(from_root),
        None => checkout
            .join(test)
            .parent()
            .unwrap_or(checkout)
            .join(script),
    };
    std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Texts of interfaces by their path, which idlharness fetches.
fn read_interfaces(checkout: &Path) -> Value {
    let entries = std::fs::read_dir(checkout.join("interfaces"))
        .into_iter()
        .flatten();
    entries
        .map(Result::unwrap)
        .filter_map(|entry| {
            let text = std::fs::read_to_string(entry.path()).ok()?;
            Some((
                format!("/interfaces/{}", entry.file_name().to_string_lossy()),
                text.into(),
            ))
        })
        .collect::<serde_json::Map<_, _>>()
        .into()
}
