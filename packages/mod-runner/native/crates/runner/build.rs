//! Finds the startup snapshot that the runner embeds.

fn main() {
    println!("cargo::rerun-if-env-changed=CODEX_JS_SNAPSHOT");
    match std::env::var("CODEX_JS_SNAPSHOT") {
        Ok(file) if std::path::Path::new(&file).is_file() => {
            println!("cargo::rerun-if-changed={file}");
        }
        _ => println!("cargo::error=there is no startup snapshot yet: run `cargo snapshot` first"),
    }
}
