//! Which files no model changes, whoever asks: what installs, builds, deploys or configures, and what holds secrets.

use crate::agent::reading::is_withheld;

/// Files by their whole names, in lower case.
const NAMES: [&str; 22] = [
    "package.json",
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "pnpm-workspace.yaml",
    "bun.lock",
    "bun.lockb",
    "deno.json",
    "deno.lock",
    "tsconfig.json",
    "jsconfig.json",
    "lerna.json",
    "nx.json",
    "turbo.json",
    "components.json",
    "vercel.json",
    "netlify.toml",
    "dockerfile",
    "makefile",
    "jenkinsfile",
    "gemfile",
];

/// What is never edited here by its ending: programs and data.
const ENDINGS: [&str; 13] = [
    ".lock", ".lockb", ".sh", ".bash", ".zsh", ".ps1", ".bat", ".cmd", ".crt", ".toml", ".yml", ".yaml", ".map",
];

/// What a model may change by its ending: source of pages, their styles, and texts of translations.
const SOURCES: [&str; 20] = [
    "tsx", "jsx", "ts", "js", "mts", "mjs", "cts", "cjs", "vue", "css", "scss", "sass", "less", "pcss", "json", "html",
    "md", "mdx", "svg", "txt",
];

/// Folders of machines that run what stands in them.
const FOLDERS: [&str; 5] = ["ci", "node_modules", "scripts", "bin", "hooks"];

/// Why a path is off limits; `None` when it is not. Only its spelling is looked at.
pub(super) fn reason(path: &str) -> Option<&'static str> {
    let parts: Vec<String> = path.split('/').map(str::to_ascii_lowercase).collect();
    let (name, folders) = parts.split_last()?;
    if parts.iter().any(|part| part.starts_with('.')) {
        return Some("files and folders whose names begin with a dot are not changed");
    }
    if NAMES.contains(&name.as_str()) || name.starts_with("tsconfig.") || name.starts_with("dockerfile") {
        return Some("it decides what is installed, built or deployed");
    }
    if name.contains(".config.") || name.contains(".setup.") || name.contains(".rc.") {
        return Some("it configures a tool, which runs it");
    }
    if is_withheld(name) {
        return Some("its name says that it holds secrets");
    }
    if ENDINGS.iter().any(|ending| name.ends_with(ending)) {
        return Some("it is no source of a page");
    }
    // Only at the top: a page may have a folder of its own by such a name.
    if folders.first().is_some_and(|folder| FOLDERS.contains(&folder.as_str()))
        || folders.iter().any(|part| part == "node_modules")
    {
        return Some("machines run what stands in its folder");
    }
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    if !ending.is_some_and(|ending| SOURCES.contains(&ending)) {
        return Some("it is no source of a page");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_installs_builds_or_holds_secrets_is_off_limits() {
        for path in [
            "package.json",
            "apps/web/package.json",
            "Package.JSON",
            "yarn.lock",
            "vite.config.ts",
            "src/x.config.mjs",
            "tsconfig.app.json",
            ".env",
            "src/.env.local",
            ".github/workflows/ci.yml",
            ".npmrc",
            "scripts/build.js",
            "deploy.sh",
            "server.pem",
            "src/id_rsa",
            "src/secrets.ts",
            "Makefile",
            "src/a",
            "docker-compose.yml",
        ] {
            assert!(reason(path).is_some(), "{path}");
        }
        for path in [
            "src/App.tsx",
            "app/page.tsx",
            "src/config/menu.ts",
            "locales/de.json",
            "src/a.module.css",
            "index.html",
        ] {
            assert_eq!(reason(path), None, "{path}");
        }
    }
}
