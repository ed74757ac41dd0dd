//! The workspace as planning sees it.

use std::sync::Arc;

use super::{Workspace, paths};
use crate::source::model::memo::Kept;
use crate::source::model::project::MAX_SOURCE_BYTES;
use crate::source::model::{Library, Project};

impl Workspace {
    /// Why a file is not read as source, in words that continue "it is not stamped:".
    #[must_use]
    pub fn why_unread(&self, path: &str) -> String {
        let size = paths::resolve(&self.root, path)
            .ok()
            .and_then(|real| std::fs::metadata(real).ok())
            .map_or(0, |found| found.len());
        if size > MAX_SOURCE_BYTES {
            let limit = MAX_SOURCE_BYTES >> 20;
            format!("it is too large: it has {size} bytes, and at most {limit} MB are read as source")
        } else {
            "it is no source file of the prototype".to_owned()
        }
    }
}

impl Project for Workspace {
    fn read(&self, path: &str) -> Option<Arc<str>> {
        self.texts.read(path)
    }

    fn files(&self) -> Arc<[String]> {
        self.files.list()
    }

    fn type_config(&self) -> Option<String> {
        self.type_config.clone()
    }

    fn libraries(&self) -> Arc<[Library]> {
        self.libraries.lock().clone()
    }

    fn kept(&self) -> Option<&Kept> {
        Some(&self.kept)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_named_type_configuration_decides_what_imports_lead_to() {
        use crate::source::imports::{ImportResolver, Target};
        use crate::workspace::Retention;

        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("app");
        for (path, text) in [
            (
                "app/tsconfig.json",
                r#"{ "compilerOptions": { "paths": { "@/*": ["./one/*"] } } }"#,
            ),
            (
                "app/config/other.json",
                r#"{ "compilerOptions": { "paths": { "@/*": ["../two/*"] } } }"#,
            ),
            ("app/one/card.ts", ""),
            ("app/two/card.ts", ""),
            ("outside.json", "{}"),
        ] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        crate::workspace::git::Command::new(&root, ["init", "--quiet"])
            .output()
            .unwrap();
        let open = |named: Option<&str>| {
            let named = named.map(|path| folder.path().join(path));
            let workspace = Workspace::open(&root, Retention::default()).unwrap();
            workspace.with_type_config(named.as_deref())
        };
        for (named, leads_to, warnings) in [
            (None, "one/card.ts", 0),
            (Some("app/config/other.json"), "two/card.ts", 0),
            (Some("app/config/../tsconfig.json"), "one/card.ts", 0),
            (Some("outside.json"), "one/card.ts", 1),
            (Some("app/.git/config"), "one/card.ts", 1),
        ] {
            let workspace = open(named);
            let target = ImportResolver::new(&workspace).resolve("src/App.tsx", "@/card");
            assert!(matches!(target, Target::File(path) if path == leads_to), "{named:?}");
            let words = workspace.warnings().iter().filter(|words| words.contains("TSCONFIG"));
            assert_eq!(words.count(), warnings, "{named:?}");
        }
    }
}
