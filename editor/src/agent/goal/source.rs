//! Whether the source is still the one that a page was read with.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::source::model::{Language, Project};

/// Endings of what pages are made of, besides the files with elements.
const SHOWN: [&str; 10] = ["ts", "js", "mts", "mjs", "json", "css", "scss", "sass", "less", "pcss"];

/// Tells one state of the source from another: whoever changed it, and back to the same when that was taken back.
#[must_use]
pub fn state(project: &dyn Project) -> u64 {
    let mut hasher = DefaultHasher::new();
    for path in project.files().iter().filter(|path| is_shown(path)) {
        (path, project.read(path)).hash(&mut hasher);
    }
    hasher.finish()
}

fn is_shown(path: &str) -> bool {
    let ending = path.rsplit('.').next().unwrap_or_default();
    Language::of(path).is_some() || SHOWN.contains(&ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_text_of_a_page_is_another_state_and_back_the_same() {
        let of = |app: &str, style: &str| state(&[("App.tsx", app), ("app.css", style), ("README.md", app)]);
        let before = of("a", "b");
        assert_ne!(before, of("c", "b"));
        assert_ne!(before, of("a", "c"));
        assert_eq!(before, of("a", "b"));
        let readme = |text: &str| state(&[("App.tsx", "a"), ("README.md", text)]);
        assert_eq!(readme("a"), readme("b"), "no page shows it");
    }
}
