//! The rooms of a crate use each other in one direction. In the server that is
//! `main → cli → http → plugins → capabilities → projects → accounts → core → storage`.
//! `config` is read by all; `http` and `capabilities` ask `identity` who may do what, give `mail` what is to be sent, and ask
//! `codehost`; `outside` is asked by `capabilities`. A room that reached upward could no
//! longer be understood, or tested, without what stands above it.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;

use super::rust_source::Source;
use crate::stamp::files_below;

/// A crate, or a room of one, whose rooms have a direction.
pub struct House {
    /// Its sources, relative to the checkout.
    pub folder: &'static str,
    /// The path of modules that leads to it, from the crate's root.
    within: &'static [&'static str],
    /// Each room with the rooms it may use beside itself. Rooms stand above what they use, so there can be no circle.
    rooms: &'static [(&'static str, &'static [&'static str])],
    /// Rooms that all of those may use, and each of them those behind it.
    shared: &'static [&'static str],
}

/// The server.
pub const HOST: House = House {
    folder: "host/src",
    within: &[],
    rooms: &[
        (
            "cli",
            &[
                "author",
                "http",
                "identity",
                "mail",
                "plugins",
                "capabilities",
                "builds",
                "codehost",
                "outside",
                "projects",
                "accounts",
                "core",
                "storage",
                "telemetry",
                "web",
                "config",
            ],
        ),
        (
            "http",
            &[
                "identity",
                "mail",
                "plugins",
                "capabilities",
                "codehost",
                "projects",
                "accounts",
                "core",
                "storage",
                "telemetry",
                "config",
            ],
        ),
        ("author", &[]),
        (
            "plugins",
            &["capabilities", "accounts", "core", "storage", "telemetry", "config"],
        ),
        (
            "capabilities",
            &[
                "identity",
                "mail",
                "builds",
                "codehost",
                "outside",
                "projects",
                "accounts",
                "core",
                "storage",
                "telemetry",
                "config",
            ],
        ),
        ("builds", &["codehost", "projects", "core", "storage", "config"]),
        (
            "mail",
            &["identity", "projects", "accounts", "core", "storage", "config"],
        ),
        ("identity", &["projects", "accounts", "core", "storage", "config"]),
        ("codehost", &["accounts", "core", "storage", "web", "config"]),
        ("outside", &["web", "config"]),
        ("projects", &["accounts", "core", "storage"]),
        ("accounts", &["core", "storage"]),
        ("core", &["storage"]),
        ("storage", &["web", "config"]),
        ("telemetry", &["web"]),
        ("web", &[]),
        ("config", &[]),
    ],
    shared: &[],
};

/// The Editor: an edit is planned in `source`, which uses nothing, and everything else stands above it.
pub const EDITOR: House = House {
    folder: "editor/src",
    within: &[],
    rooms: &[
        (
            "cli",
            &[
                "api",
                "libraries",
                "agent",
                "canvas",
                "review",
                "models",
                "home",
                "hosts",
                "proxy",
                "workspace",
                "stamp",
                "config",
                "gate",
                "source",
            ],
        ),
        (
            "api",
            &[
                "libraries",
                "agent",
                "canvas",
                "review",
                "models",
                "home",
                "hosts",
                "proxy",
                "workspace",
                "stamp",
                "config",
                "gate",
                "source",
            ],
        ),
        ("libraries", &["config", "source"]),
        ("agent", &["review", "models", "home", "workspace", "config", "source"]),
        ("canvas", &["review", "workspace", "source"]),
        ("review", &["config"]),
        ("models", &["home", "config"]),
        ("home", &["workspace"]),
        ("hosts", &["proxy", "stamp", "config", "gate", "source"]),
        ("proxy", &["config"]),
        ("workspace", &["config", "gate", "source"]),
        ("stamp", &["source"]),
        ("config", &["gate"]),
        ("gate", &["source"]),
        ("source", &[]),
    ],
    shared: &[],
};

/// What plans an edit. Its ground is `model`, what everybody speaks of; on it stand the readers of one language each, then
/// what follows a text or a style through the project, then the edits of JSX and of Vue. `engine` is the top.
pub const EDITOR_SOURCE: House = House {
    folder: "editor/src/source",
    within: &["source"],
    rooms: &[
        (
            "engine",
            &[
                "component_styles",
                "component_classes",
                "components",
                "vue",
                "jsx",
                "styles",
                "follow",
                "verify",
                "notes",
                "module",
                "sfc",
                "script",
            ],
        ),
        ("component_styles", &["follow", "names"]),
        ("component_classes", &["follow"]),
        (
            "vue",
            &[
                "components",
                "text",
                "follow",
                "styles",
                "classes",
                "sfc",
                "script",
                "notation",
                "write",
            ],
        ),
        (
            "jsx",
            &[
                "components",
                "text",
                "follow",
                "styles",
                "classes",
                "imports",
                "module",
                "sfc",
                "script",
                "notation",
                "names",
                "write",
            ],
        ),
        (
            "components",
            &["follow", "imports", "module", "sfc", "script", "notation", "write"],
        ),
        ("text", &["follow", "module", "notation", "names"]),
        ("follow", &["imports", "module", "sfc", "script", "notation", "names"]),
        ("styles", &["classes", "css", "imports", "script", "write"]),
        ("classes", &["css", "script", "notation"]),
        ("verify", &["module", "css", "sfc", "script"]),
        ("notes", &["module", "sfc", "script"]),
        ("spacing", &["sfc", "script"]),
        ("imports", &[]),
        ("module", &["sfc", "script", "notation", "names"]),
        ("sfc", &["script", "notation", "names"]),
        ("css", &[]),
        ("script", &[]),
        ("notation", &[]),
        ("write", &[]),
        ("names", &[]),
    ],
    shared: &["model"],
};

/// The roots of a crate: they stand above all rooms.
const ABOVE: [&str; 2] = ["main", "lib"];

/// Every use that goes against the direction.
pub fn check(root: &Path, house: &House) -> Result<Vec<String>> {
    let mut found = BTreeSet::new();
    let (folder, sources) = (house.folder, root.join(house.folder));
    for file in files_below(&sources)? {
        let inside = file.strip_prefix(&sources).unwrap_or(&file).with_extension("");
        let parts: Vec<&str> = inside.iter().filter_map(|part| part.to_str()).collect();
        let (Some(room), true) = (
            parts.first(),
            file.extension().is_some_and(|extension| extension == "rs"),
        ) else {
            continue;
        };
        if parts.len() == 1 && ABOVE.contains(room) {
            continue;
        }
        if parts == ["mod"] {
            found.extend(more_than_modules(&std::fs::read_to_string(&file)?).map(|line| {
                format!("{folder}/mod.rs:{line}: the file above all rooms only declares them: give this a room")
            }));
            continue;
        }
        // A test may hold a room against what is made of it above.
        if parts.contains(&"tests") {
            continue;
        }
        if !house.is_room(room) {
            found.insert(format!(
                "{folder}/{room} is no known room: give it a place in xtask/src/tidy/rooms.rs"
            ));
            continue;
        }
        let depth = parts.iter().filter(|part| **part != "mod").count();
        let source = Source::new(&std::fs::read_to_string(&file)?).without_tests();
        for (line, used) in source.rooms_used(house.within, depth) {
            if house.is_room(&used) && used != *room && !house.may_use(room, &used) {
                let place = format!(
                    "{folder}/{}:{line}",
                    file.strip_prefix(&sources).unwrap_or(&file).display()
                );
                found.insert(format!(
                    "{place}: {room} must not use {used}, which stands above it or apart"
                ));
            }
        }
    }
    Ok(found.into_iter().collect())
}

/// The first line of a `mod.rs` that is no declaration of a module.
fn more_than_modules(text: &str) -> Option<usize> {
    let declares = |line: &str| {
        let line = line.strip_prefix("pub ").unwrap_or(line);
        line.strip_prefix("mod ").is_some_and(|name| name.ends_with(';'))
    };
    let source = Source::new(text);
    let mut lines = source.lines().filter(|(_, line)| !line.trim().is_empty());
    lines
        .find(|(_, line)| !declares(line) && line.trim() != "#[cfg(test)]")
        .map(|(number, _)| number)
}

impl House {
    fn is_room(&self, name: &str) -> bool {
        self.shared.contains(&name) || self.rooms.iter().any(|(room, _)| *room == name)
    }

    fn may_use(&self, room: &str, used: &str) -> bool {
        let shared = |name| self.shared.iter().position(|one| *one == name);
        match (shared(room), shared(used)) {
            (Some(room), Some(used)) => room < used,
            (Some(_), None) => false,
            (None, Some(_)) => true,
            (None, None) => self
                .rooms
                .iter()
                .any(|(name, below)| *name == room && below.contains(&used)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(file: &str, text: &str) -> Vec<String> {
        findings_in(&HOST, file, text)
    }

    fn findings_in(house: &House, file: &str, text: &str) -> Vec<String> {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join(house.folder).join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
        check(root.path(), house).unwrap()
    }

    #[test]
    fn the_rooms_of_a_room_have_a_direction_too() {
        let findings = |file, text| findings_in(&EDITOR_SOURCE, file, text);
        for (file, text) in [
            ("mod.rs", "//! What plans an edit.\n\npub mod jsx;\nmod vue;"),
            ("engine.rs", "use super::{jsx, vue::plan}; use super::model::Plan;"),
            (
                "jsx/mod.rs",
                "use crate::source::styles::Wish; use super::text; use crate::api;",
            ),
            ("vue/class/mod.rs", "use crate::source::model::{Branch, plan::Plan};"),
            ("model/plan.rs", "use super::position::Stamp;"),
        ] {
            assert_eq!(findings(file, text), Vec::<String>::new(), "{file}: {text}");
        }
        for (file, text) in [
            ("follow/mod.rs", "use crate::source::vue::X;"),
            ("sfc/scan/mod.rs", "use super::super::vue::X;"),
            ("mod.rs", "pub mod jsx;\npub use jsx::plan;"),
            ("jsx/mod.rs", "use crate::source::engine::plan;"),
            ("model/plan.rs", "use crate::source::jsx;"),
        ] {
            assert_eq!(findings(file, text).len(), 1, "{file}: {text}");
        }
    }

    #[test]
    fn downward_is_fine() {
        assert_eq!(
            findings("http/mod.rs", "use crate::{plugins::Slot, identity, config};"),
            Vec::<String>::new()
        );
        assert_eq!(
            findings("storage/sqlite.rs", "use super::id; use crate::storage::disk;"),
            Vec::<String>::new()
        );
        assert_eq!(findings("lib.rs", "pub mod anything;"), Vec::<String>::new());
    }

    #[test]
    fn upward_and_sideward_are_not() {
        for (file, text) in [
            ("storage/sqlite.rs", "use crate::http::X;"),
            ("storage/mod.rs", "use super::plugins::X;"),
            ("storage/backup.rs", "use crate::core::Core;"),
            ("core/mod.rs", "use crate::accounts::Account;"),
            ("accounts/invites.rs", "use crate::projects::X;"),
            ("capabilities/sql/rows.rs", "use crate::plugins::X;"),
            ("identity/mod.rs", "use crate::{config, plugins};"),
            ("config/mod.rs", "use crate::storage;"),
        ] {
            assert_eq!(findings(file, text).len(), 1, "{file}: {text}");
        }
    }

    #[test]
    fn tests_may_look_anywhere() {
        for file in ["storage/tests.rs", "storage/sqlite/tests/rows.rs"] {
            assert_eq!(findings(file, "use crate::http::X;"), Vec::<String>::new(), "{file}");
        }
        let own = "#[cfg(test)]\nmod tests {\n    use crate::http::X;\n}";
        assert_eq!(findings("storage/id.rs", own), Vec::<String>::new());
    }

    #[test]
    fn a_new_room_needs_a_place() {
        assert!(findings("attic.rs", "")[0].contains("is no known room"));
    }

    #[test]
    fn the_tables_have_no_circle() {
        for House { rooms, .. } in [HOST, EDITOR, EDITOR_SOURCE] {
            for (index, (room, may_use)) in rooms.iter().enumerate() {
                for used in *may_use {
                    let place = rooms.iter().position(|(name, _)| name == used);
                    assert!(place.is_some_and(|place| place > index), "{room} uses {used}");
                }
            }
        }
    }
}
