//! What an import may name: a file of the mod's own package, and nothing else.

/// Why a specifier is refused; a sentence for the author.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Refusal {
    NotRelative,
    Absolute,
    OutOfPackage,
    Character,
    EmptySegment,
}

impl Refusal {
    pub fn sentence(self) -> &'static str {
        match self {
            Self::NotRelative => {
                "an import names a file of the mod's own package and begins with \"./\" or \"../\""
            }
            Self::Absolute => "an absolute path leads out of the mod's package",
            Self::OutOfPackage => "the path leads out of the mod's package",
            Self::Character => {
                "a backslash, \"%\", \":\", \"?\", \"#\" or a control character is in the path"
            }
            Self::EmptySegment => "a segment of the path is empty",
        }
    }
}

/// The path within the package that `specifier` means in the module `referrer`.
///
/// # Errors
/// When it is no plain relative path within the package.
pub fn resolve(referrer: &str, specifier: &str) -> Result<String, Refusal> {
    if specifier.starts_with('/') {
        return Err(Refusal::Absolute);
    }
    // First: "node:fs" is no file at all, and not a path with a wrong letter in it.
    if !specifier.starts_with("./") && !specifier.starts_with("../") {
        return Err(Refusal::NotRelative);
    }
    if specifier.chars().any(is_refused) {
        return Err(Refusal::Character);
    }
    let mut segments: Vec<&str> = referrer.split('/').collect();
    segments.pop();
    for segment in specifier.split('/') {
        match segment {
            "" => return Err(Refusal::EmptySegment),
            "." => {}
            ".." => {
                segments.pop().ok_or(Refusal::OutOfPackage)?;
            }
            name => segments.push(name),
        }
    }
    Ok(segments.join("/"))
}

fn is_refused(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\\' | '%' | ':' | '?' | '#')
}

#[cfg(test)]
mod tests {
    use super::{Refusal, resolve};

    #[test]
    fn finds_files_of_the_package() {
        for (referrer, specifier, path) in [
            ("main.ts", "./a.ts", "a.ts"),
            ("src/main.ts", "./a.ts", "src/a.ts"),
            ("src/main.ts", "../a.ts", "a.ts"),
            ("src/deep/main.ts", "../../lib/./x/../a.json", "lib/a.json"),
        ] {
            assert_eq!(
                resolve(referrer, specifier).as_deref(),
                Ok(path),
                "{specifier}"
            );
        }
    }

    #[test]
    fn refuses_everything_else() {
        for (specifier, refusal) in [
            ("../a.ts", Refusal::OutOfPackage),
            ("./../../a.ts", Refusal::OutOfPackage),
            ("/etc/passwd", Refusal::Absolute),
            ("//host/a.ts", Refusal::Absolute),
            ("lodash", Refusal::NotRelative),
            ("", Refusal::NotRelative),
            (".", Refusal::NotRelative),
            ("file:///etc/passwd", Refusal::NotRelative),
            ("data:text/javascript,1", Refusal::NotRelative),
            ("node:fs", Refusal::NotRelative),
            ("./%2e%2e/a.ts", Refusal::Character),
            ("./a.ts\0", Refusal::Character),
            ("./a.ts\n", Refusal::Character),
            (".\\a.ts", Refusal::NotRelative),
            ("./a.ts?x", Refusal::Character),
            ("./a.ts#x", Refusal::Character),
            ("./a//b.ts", Refusal::EmptySegment),
            ("./", Refusal::EmptySegment),
        ] {
            assert_eq!(resolve("main.ts", specifier), Err(refusal), "{specifier:?}");
        }
    }
}
