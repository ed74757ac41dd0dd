//! Installed packages of a prototype, found as Node finds them: in `node_modules` of its root, or of a folder above.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// An installed package.
#[derive(Debug, Clone)]
pub struct Package {
    /// Its folder.
    pub folder: PathBuf,
    description: Value,
}

impl Package {
    /// The package `name` that an import in `root` would find.
    pub fn find(root: &Path, name: &str) -> Option<Package> {
        root.ancestors().find_map(|folder| {
            let folder = folder.join("node_modules").join(name);
            let description = std::fs::read(folder.join("package.json")).ok()?;
            let description = serde_json::from_slice(&description).ok()?;
            Some(Package { folder, description })
        })
    }

    /// Its version; empty when it states none.
    pub fn version(&self) -> &str {
        self.description["version"].as_str().unwrap_or_default()
    }

    /// The first number of its version.
    pub fn major(&self) -> Option<u32> {
        self.version().split('.').next()?.parse().ok()
    }

    /// The file of its program `name`.
    pub fn program(&self, name: &str) -> Option<PathBuf> {
        let bin = &self.description["bin"];
        let file = bin.as_str().or_else(|| bin[name].as_str())?;
        Some(self.folder.join(file))
    }
}

/// Where pnpm keeps packages that nobody declared. Programs it installed find them there (their scripts put it into `NODE_PATH`), and
/// prototypes come to rely on it.
pub fn undeclared(root: &Path) -> Option<PathBuf> {
    let hidden = |folder: &Path| folder.join("node_modules/.pnpm/node_modules");
    root.ancestors().map(hidden).find(|folder| folder.is_dir())
}

/// What installs the prototype's packages: the package manager whose lock file stands in its root or above.
pub fn install_command(root: &Path) -> &'static str {
    const LOCKS: [(&str, &str); 6] = [
        ("pnpm-lock.yaml", "pnpm install"),
        ("yarn.lock", "yarn install"),
        ("bun.lock", "bun install"),
        ("bun.lockb", "bun install"),
        ("package-lock.json", "npm install"),
        ("npm-shrinkwrap.json", "npm install"),
    ];
    root.ancestors()
        .find_map(|folder| LOCKS.iter().find(|(lock, _)| folder.join(lock).is_file()))
        .map_or("npm install", |(_, command)| command)
}

/// Whether the packages stand in archives (Yarn's Plug'n'Play), where only Yarn's own loader finds them.
pub fn is_plug_and_play(root: &Path) -> bool {
    !root.join("node_modules").is_dir() && root.ancestors().any(|folder| folder.join(".pnp.cjs").is_file())
}
