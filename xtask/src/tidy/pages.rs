//! Rules for the documents: the README stays short enough to be read to its end, and links between pages lead somewhere.

use std::path::Path;

use anyhow::{Context, Result};

use crate::stamp::files_below;

/// How many lines the README may have.
const MAX_README: usize = 120;

/// Every broken link between the Markdown files of `root`, and a README that grew too long.
pub fn check(root: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    let lines = std::fs::read_to_string(root.join("README.md"))
        .context("README.md cannot be read")?
        .lines()
        .count();
    if lines > MAX_README {
        found.push(format!(
            "README.md has {lines} lines, at most {MAX_README}: see \"Where texts belong\" in CONTRIBUTING.md"
        ));
    }
    for file in files_below(root)? {
        if file.extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        let text = std::fs::read_to_string(&file).with_context(|| format!("{} cannot be read", file.display()))?;
        let folder = file.parent().unwrap_or(root);
        for link in links(&text).filter(|link| !folder.join(link).exists()) {
            let page = file.strip_prefix(root).unwrap_or(&file).display();
            found.push(format!("{page}: the link to {link} leads nowhere"));
        }
    }
    Ok(found)
}

/// The files that `[text](file)` and `[text](file#heading)` name; addresses are not files.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](")
        .skip(1)
        .filter_map(|rest| Some(rest.split_once(')')?.0))
        .filter(|link| !link.contains("://") && !link.contains(' '))
        .map(|link| link.split('#').next().unwrap_or(link))
        .filter(|file| !file.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkout(readme: &str) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join("README.md"), readme).unwrap();
        root
    }

    #[test]
    fn a_link_to_a_missing_page_is_found() {
        let root = checkout("[a](README.md#top) [b](https://docs.rs/tar) [c](host/GONE.md) [d](#here)");
        let found = check(root.path()).unwrap();
        assert_eq!(found, ["README.md: the link to host/GONE.md leads nowhere"]);
    }

    #[test]
    fn a_long_readme_is_found() {
        assert!(check(checkout(&"\n".repeat(MAX_README)).path()).unwrap().is_empty());
        assert_eq!(check(checkout(&"\n".repeat(MAX_README + 1)).path()).unwrap().len(), 1);
    }
}
