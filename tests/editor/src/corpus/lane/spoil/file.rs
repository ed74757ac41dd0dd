//! Files that the edit is not about, and arguments that name none.

use galley_editor::agent::gate::Hunk;
use galley_editor::source::model::{Language, Project};
use serde_json::{Value, json};

use super::case::Case;

/// What no model changes, whatever the edit is about.
const CLOSED: [&str; 8] = [
    "package.json",
    "package-lock.json",
    "vite.config.ts",
    ".env",
    "tsconfig.app.json",
    ".github/workflows/ci.yml",
    "src/.npmrc",
    "scripts/build.js",
];

const OUTSIDE: [&str; 5] = [
    "../outside.tsx",
    "/etc/hosts",
    "src/../../outside.tsx",
    "C:\\outside.tsx",
    "./src/../.git/hooks/pre-commit",
];

/// As the tools of others are called, or with the list as a text.
pub fn other_arguments(case: &Case<'_>) -> Option<Value> {
    let Hunk { path, old, new } = case.hunk();
    Some(match case.turn % 3 {
        0 => json!({ "file_path": path, "old_string": old, "new_string": new }),
        1 => json!({ "files": json!([case.hunk()]).to_string(), "why": "as asked" }),
        _ => json!({ "files": [{ "path": path, "content": new }], "why": "as asked" }),
    })
}

/// A file that does not hold the text, as names are mixed up.
pub fn another(case: &Case<'_>) -> Option<Value> {
    let Hunk { path, old, .. } = case.hunk();
    let mut others = case
        .folder
        .texts()
        .filter(|(other, text)| other != path && Language::of(other).is_some() && !text.contains(old.as_str()));
    let (other, _) = others.next()?;
    let other = other.to_owned();
    case.with(|hunk| hunk.path = other)
}

/// The right change, and one where nobody asked for it.
pub fn one_more(case: &Case<'_>) -> Option<Value> {
    let paths = case.limits.paths.as_deref().unwrap_or_default();
    let is_other = |path: &&str| Language::of(path).is_some() && !paths.iter().any(|known| known == path);
    let files: Vec<&str> = case.folder.texts().map(|(path, _)| path).filter(is_other).collect();
    let path = *files.get(case.turn % files.len().max(1))?;
    let text = case.folder.read(path)?;
    let is_once = |line: &&str| !line.trim().is_empty() && text.matches(line).count() == 1;
    let old = text.lines().find(is_once)?.to_owned();
    let (path, new) = (path.to_owned(), format!("{old} "));
    case.and(Hunk { path, old, new })
}

pub fn closed(case: &Case<'_>) -> Option<Value> {
    let path = CLOSED[case.turn % CLOSED.len()];
    let text = case.folder.read(path).unwrap_or_default();
    let is_once = |line: &&str| !line.trim().is_empty() && text.matches(line).count() == 1;
    let old = text.lines().find(is_once).unwrap_or("{").to_owned();
    let (path, new) = (path.to_owned(), format!("{old} "));
    case.and(Hunk { path, old, new })
}

pub fn outside(case: &Case<'_>) -> Option<Value> {
    let path = OUTSIDE[case.turn % OUTSIDE.len()];
    case.with(|hunk| hunk.path = path.to_owned())
}
