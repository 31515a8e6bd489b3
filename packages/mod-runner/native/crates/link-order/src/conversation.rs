//! What the runners are asked: one callback of each example mod.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{ChildStdin, ChildStdout};

/// A host that asks for one callback.
pub struct Conversation {
    /// Lines for the runner.
    opening: Vec<Value>,
}

/// Folder of the example, hook, input.
fn examples() -> [(&'static str, &'static str, Value); 4] {
    let output =
        "   Compiling codex-js (/home/me/東京)\nwarning: unused variable\n\n    Finished 👍🏽\n";
    [
        (
            "status-line",
            "statusLine",
            json!({ "model": "gpt-5", "folder": "/home/me/work/東京", "usedTokens": 93_000,
                    "maxTokens": 272_000, "columns": 90 }),
        ),
        ("command", "changelog", json!({ "args": ["v1.2.0"] })),
        (
            "render",
            "render",
            json!({ "id": "item", "text": output.repeat(15), "columns": 48 }),
        ),
        (
            "privacy-filter",
            "outgoing",
            json!({ "text": "Write to jane.doe@example.com; 192.0.2.17 answers.\n".repeat(24) }),
        ),
    ]
}

/// What the host answers.
fn operation(name: &str) -> Value {
    match name {
        "git.branch" => json!("main"),
        "git.changes" => json!({ "added": 12, "deleted": 3 }),
        "git.log" => (0..200)
            .map(|index| json!({ "hash": format!("{index:040x}"), "subject": format!("fix: number {index}") }))
            .collect(),
        "secrets.pseudonymKey" => json!("07".repeat(32)),
        _ => Value::Null,
    }
}

/// One conversation for each example mod.
///
/// # Errors
/// An example that cannot be read.
pub fn all() -> Result<Vec<Conversation>, Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../../examples/mods");
    examples()
        .into_iter()
        .map(|(name, hook, input)| open(&folder.join(name), name, hook, &input))
        .collect()
}

fn open(
    folder: &Path,
    name: &str,
    hook: &str,
    input: &Value,
) -> Result<Conversation, Box<dyn Error>> {
    let mut modules = BTreeMap::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let file = entry.file_name().to_string_lossy().into_owned();
        modules.insert(file, std::fs::read_to_string(entry.path())?);
    }
    let manifest = modules.remove("mod.json").ok_or("no mod.json")?;
    let manifest: Value = serde_json::from_str(&manifest)?;
    let hook = manifest["hooks"][hook].as_str().ok_or("no such hook")?;
    let (module, export) = hook.split_once('#').unwrap_or((hook, "default"));
    let hello = json!({ "type": "hello", "protocolVersion": 1, "cacheKey": "07".repeat(32) });
    let callback = json!({
        "type": "callback", "id": 1, "mod": { "name": name, "digest": "0".repeat(64) },
        "modules": modules, "hook": { "module": module, "export": export }, "input": input,
        "budgetMs": 600_000, "wantCaches": true,
    });
    Ok(Conversation {
        opening: vec![hello, callback],
    })
}

impl Conversation {
    /// Speaks until the callback is answered; the runner ends when its input does.
    ///
    /// # Errors
    /// A pipe that breaks, a line that is no message, and a callback that fails: its functions would be
    /// those of another case.
    pub fn hold(&self, mut input: ChildStdin, output: ChildStdout) -> Result<(), String> {
        let broken = |error: std::io::Error| format!("the runner is gone: {error}");
        for line in BufReader::new(output).lines() {
            let line = line.map_err(broken)?;
            let message: Value = serde_json::from_str(&line).map_err(|error| error.to_string())?;
            let replies = match message["type"].as_str() {
                Some("ready") => self.opening.clone(),
                Some("hostRequest") => vec![reply(&message)],
                Some("result") => return Ok(()),
                Some("error") => return Err(line),
                _ => Vec::new(),
            };
            for reply in replies {
                writeln!(input, "{reply}").map_err(broken)?;
            }
        }
        Err("the runner ended before its answer".into())
    }
}

fn reply(request: &Value) -> Value {
    let value = operation(request["operation"].as_str().unwrap_or_default());
    json!({ "type": "hostReply", "callback": request["callback"], "request": request["request"], "value": value })
}
