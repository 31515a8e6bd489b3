//! Turns `protocol/limits.json`, which both sides read, into constants.

use std::fmt::Write;
use std::path::PathBuf;

const LIMITS: &str = "../../../protocol/limits.json";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let limits: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(&std::fs::read_to_string(LIMITS)?)?;
    let mut code = String::new();
    for (name, value) in &limits {
        let value = value
            .as_u64()
            .ok_or_else(|| format!("{LIMITS}: {name} is no size"))?;
        writeln!(code, "/// `{name}` of limits.json.")?;
        writeln!(code, "pub const {}: usize = {value};", constant_name(name))?;
    }
    let out_dir = std::env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?;
    std::fs::write(PathBuf::from(out_dir).join("limits.rs"), code)?;
    println!("cargo::rerun-if-changed={LIMITS}");
    Ok(())
}

/// `hostLineBytes` → `HOST_LINE_BYTES`.
fn constant_name(name: &str) -> String {
    let mut constant = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            constant.push('_');
        }
        constant.push(letter.to_ascii_uppercase());
    }
    constant
}
