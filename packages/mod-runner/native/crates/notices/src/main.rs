//! `codex-js-notices FILE`: the notices that ship beside the runner, for every crate that is
//! linked into it and for what is bundled in V8's library. Fails when a licence is not one that
//! may be shipped, or when its text is not to be found.

mod graph;
mod licence;
mod texts;

use graph::{Package, linked_packages};
use licence::is_allowed;
use std::fmt::Write;
use std::process::ExitCode;
use texts::Texts;

/// What is in V8's static library; its crate ships neither names nor texts.
const BUNDLED: &str = include_str!("../bundled.json");

/// A part of V8's library.
#[derive(serde::Deserialize)]
struct Bundled {
    name: String,
    license: String,
    copyright: String,
    url: String,
}

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [file] = arguments.as_slice() else {
        eprintln!("usage: codex-js-notices FILE");
        return ExitCode::from(2);
    };
    let written = notices().and_then(|text| Ok(std::fs::write(file, text)?));
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn notices() -> Result<String, Box<dyn std::error::Error>> {
    let packages = linked_packages()?;
    let bundled: Vec<Bundled> = serde_json::from_str(BUNDLED)?;
    let texts = Texts::read(&packages)?;
    let problems = problems(&packages, &bundled, &texts);
    if !problems.is_empty() {
        return Err(problems.join("\n").into());
    }
    Ok(compose(&packages, &bundled, &texts)?)
}

fn problems(packages: &[Package], bundled: &[Bundled], texts: &Texts) -> Vec<String> {
    let named = packages
        .iter()
        .map(|package| {
            (
                &package.name,
                package.license.as_str(),
                texts.has_own(&package.name),
            )
        })
        .chain(
            bundled
                .iter()
                .map(|part| (&part.name, part.license.as_str(), false)),
        );
    named
        .filter_map(|(name, license, has_text)| {
            if !is_allowed(license) {
                Some(format!(
                    "{name}: the licence {license:?} may not be shipped"
                ))
            } else if !has_text && texts.of_licence(license).is_none() {
                Some(format!("{name}: no text of {license:?}"))
            } else {
                None
            }
        })
        .collect()
}

fn compose(
    packages: &[Package],
    bundled: &[Bundled],
    texts: &Texts,
) -> Result<String, std::fmt::Error> {
    let mut out = String::from("The mod runner contains the following works of others.\n\n");
    for part in bundled {
        writeln!(
            out,
            "{} ({})\n    {}\n    {}",
            part.name, part.license, part.copyright, part.url
        )?;
    }
    for package in packages {
        let Package {
            name,
            version,
            license,
            repository,
            ..
        } = package;
        writeln!(
            out,
            "{name} {version} ({license})\n    {}",
            repository.as_deref().unwrap_or("")
        )?;
    }
    for (text, names) in texts.by_text(bundled.iter().map(|part| (&*part.name, &*part.license))) {
        writeln!(
            out,
            "\n{}\n{}:\n\n{}",
            "-".repeat(80),
            names.join(", "),
            text.trim()
        )?;
    }
    Ok(out)
}
