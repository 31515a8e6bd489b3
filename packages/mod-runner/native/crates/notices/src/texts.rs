//! The texts of the licences: each crate's own files, else the text of its licence.

use crate::graph::Package;
use crate::licence;
use std::collections::BTreeMap;
use std::path::Path;

/// Texts that no crate brings by itself.
const KEPT: [(&str, &str); 3] = [
    ("BSD-2-Clause", include_str!("../texts/BSD-2-Clause.txt")),
    ("BSD-3-Clause", include_str!("../texts/BSD-3-Clause.txt")),
    ("MIT", include_str!("../texts/MIT.txt")),
];

/// A phrase by which a text of a licence is known.
const PHRASES: [(&str, &str); 3] = [
    (
        "Apache-2.0",
        "TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION",
    ),
    (
        "Apache-2.0 WITH LLVM-exception",
        "LLVM Exceptions to the Apache 2.0 License",
    ),
    ("Unicode-3.0", "UNICODE LICENSE V3"),
];

/// Everything that was found.
pub struct Texts {
    /// By crate.
    own: BTreeMap<String, Vec<String>>,
    /// By crate without a file of its own, its licence.
    without: BTreeMap<String, String>,
    by_licence: BTreeMap<&'static str, String>,
}

impl Texts {
    pub fn read(packages: &[Package]) -> std::io::Result<Self> {
        let mut own = BTreeMap::new();
        let mut without = BTreeMap::new();
        for package in packages {
            let texts = licence_files(&package.folder)?;
            if texts.is_empty() {
                without.insert(package.name.clone(), package.license.clone());
            } else {
                own.insert(package.name.clone(), texts);
            }
        }
        let by_licence = known_texts(own.values().flatten());
        Ok(Self {
            own,
            without,
            by_licence,
        })
    }

    pub fn has_own(&self, package: &str) -> bool {
        self.own.contains_key(package)
    }

    /// The text of the first licence of an expression that there is one of.
    pub fn of_licence(&self, expression: &str) -> Option<&str> {
        licence::names(expression)
            .find_map(|name| self.by_licence.get(name))
            .map(String::as_str)
    }

    /// Each text once, with everybody that it is for.
    pub fn by_text<'a>(
        &'a self,
        bundled: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> BTreeMap<&'a str, Vec<&'a str>> {
        let own = self
            .own
            .iter()
            .flat_map(|(name, texts)| texts.iter().map(|text| (text.as_str(), name.as_str())));
        let others = self
            .without
            .iter()
            .map(|(name, license)| (name.as_str(), license.as_str()));
        let by_licence = bundled
            .chain(others)
            .filter_map(|(name, license)| Some((self.of_licence(license)?, name)));
        let mut names: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (text, name) in own.chain(by_licence) {
            names.entry(text).or_default().push(name);
        }
        names
    }
}

fn known_texts<'a>(texts: impl Iterator<Item = &'a String>) -> BTreeMap<&'static str, String> {
    let mut known: BTreeMap<&'static str, String> = KEPT
        .into_iter()
        .map(|(name, text)| (name, text.to_owned()))
        .collect();
    for text in texts {
        // The LLVM text has Apache's in it: the more special phrase wins.
        let matching = PHRASES
            .iter()
            .rev()
            .find(|(_, phrase)| text.contains(phrase));
        if let Some((name, _)) = matching {
            known.entry(name).or_insert_with(|| text.clone());
        }
    }
    known
}

fn licence_files(folder: &Path) -> std::io::Result<Vec<String>> {
    let mut files: Vec<_> = std::fs::read_dir(folder)?
        .filter_map(Result::ok)
        .filter(|entry| {
            let name = entry.file_name().to_string_lossy().to_uppercase();
            [
                "LICENSE",
                "LICENCE",
                "COPYING",
                "COPYRIGHT",
                "NOTICE",
                "UNLICENSE",
            ]
            .iter()
            .any(|start| name.starts_with(start))
        })
        .map(|entry| entry.path())
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    files.iter().map(std::fs::read_to_string).collect()
}
