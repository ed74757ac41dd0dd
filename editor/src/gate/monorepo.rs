//! Where in a monorepo the apps are, for somebody who pointed at its root.

use std::collections::VecDeque;
use std::path::Path;

use super::package::Package;

/// How deep apps are looked for: `apps/web`, `packages/site/app`.
const MAX_DEPTH: usize = 3;
/// How many folders are looked at. A hint is not worth a walk through a whole disk.
const MAX_FOLDERS: usize = 2_000;
/// How many are named.
const MAX_NAMED: usize = 5;

/// Folders below `root` that hold an app, as the end of a sentence; empty when there is none. `is_app` tells by the package.
pub(super) fn hint(root: &Path, is_app: impl Fn(&Package) -> bool) -> String {
    let found = apps(root, is_app);
    let Some(first) = found.first() else {
        return String::new();
    };
    let named = found.iter().take(MAX_NAMED).cloned().collect::<Vec<_>>().join(", ");
    let more = if found.len() > MAX_NAMED { ", …" } else { "" };
    let example = root.join(first);
    format!(
        "; in a monorepo point at the app's package, not at the workspace root: {named}{more} (as `galley-editor {}`)",
        example.display()
    )
}

fn apps(root: &Path, is_app: impl Fn(&Package) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = VecDeque::from([(root.to_owned(), String::new(), 0)]);
    let mut seen = 0;
    while let Some((folder, name, depth)) = open.pop_front() {
        seen += 1;
        if seen > MAX_FOLDERS || found.len() > MAX_NAMED {
            break;
        }
        if depth > 0 && Package::read(&folder).is_ok_and(|package| is_app(&package)) {
            found.push(name);
            continue;
        }
        if depth == MAX_DEPTH {
            continue;
        }
        let mut below: Vec<_> = folder
            .read_dir()
            .into_iter()
            .flatten()
            .flatten()
            // Symbolic links are not followed: they may lead in circles.
            .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .filter(|entry| !entry.starts_with('.') && !matches!(entry.as_str(), "node_modules" | "dist" | "build"))
            .collect();
        below.sort();
        for entry in below {
            let path = if name.is_empty() {
                entry.clone()
            } else {
                format!("{name}/{entry}")
            };
            open.push_back((folder.join(entry), path, depth + 1));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn apps_are_named_and_their_dependencies_are_not() {
        let root = tempfile::tempdir().unwrap();
        for (folder, dependency) in [
            ("apps/web", "react"),
            ("apps/admin", "vue"),
            ("apps/web/node_modules/react-dom", "react"),
            ("packages/config", "eslint"),
        ] {
            let folder = root.path().join(folder);
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(
                folder.join("package.json"),
                format!(r#"{{ "dependencies": {{ "{dependency}": "*" }} }}"#),
            )
            .unwrap();
        }
        let is_app = |package: &Package| ["react", "vue"].iter().any(|name| package.section(name).is_some());
        assert_eq!(apps(root.path(), is_app), ["apps/admin", "apps/web"]);
        assert!(hint(root.path(), is_app).contains("point at the app's package"));
        assert_eq!(hint(&root.path().join("packages"), is_app), "");
    }
}
