//! The crates that are linked into the runner, by cargo's own account.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Command;

const ROOT: &str = "codex-js-runner";

/// A crate of somebody else.
pub struct Package {
    pub name: String,
    pub version: String,
    pub license: String,
    pub repository: Option<String>,
    pub folder: PathBuf,
}

/// Everything that the runner links on any target, without what only builds or tests it.
pub fn linked_packages() -> Result<Vec<Package>, Box<dyn std::error::Error>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--locked"])
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let reached = reached(&metadata);
    let mut packages: Vec<Package> = list(&metadata["packages"])
        .filter(|package| reached.contains(text(&package["id"])))
        // Our own are of this repository.
        .filter(|package| !package["source"].is_null())
        .map(read_package)
        .collect();
    packages.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    Ok(packages)
}

fn reached(metadata: &Value) -> BTreeSet<&str> {
    let nodes: BTreeMap<&str, &Value> = list(&metadata["resolve"]["nodes"])
        .map(|node| (text(&node["id"]), node))
        .collect();
    let root = list(&metadata["packages"]).find(|package| package["name"] == ROOT);
    let mut pending: Vec<&str> = root
        .map(|package| text(&package["id"]))
        .into_iter()
        .collect();
    let mut reached = BTreeSet::new();
    while let Some(id) = pending.pop() {
        if !reached.insert(id) {
            continue;
        }
        let Some(node) = nodes.get(id) else { continue };
        let linked = list(&node["deps"]).filter(|dependency| {
            // A kind of null is an ordinary dependency.
            list(&dependency["dep_kinds"]).any(|kind| kind["kind"].is_null())
        });
        pending.extend(linked.map(|dependency| text(&dependency["pkg"])));
    }
    reached
}

fn read_package(package: &Value) -> Package {
    let manifest = PathBuf::from(text(&package["manifest_path"]));
    Package {
        name: text(&package["name"]).into(),
        version: text(&package["version"]).into(),
        license: text(&package["license"]).replace('/', " OR "),
        repository: package["repository"].as_str().map(Into::into),
        folder: manifest.parent().map(Into::into).unwrap_or_default(),
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
