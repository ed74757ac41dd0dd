//! Where the interface and the bridge lie: where the arguments say, else beside the program, else in the checkout the
//! program was built from.

use std::path::{Path, PathBuf};

use crate::gate::Refused;

/// Files the Editor serves, both read from disk whenever they are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assets {
    /// The folder of the built interface.
    pub ui: PathBuf,
    /// The script that is added to the prototype.
    pub bridge: PathBuf,
}

/// A file or folder, in the release's layout and in the checkout's.
struct Asset {
    beside: &'static str,
    checkout: &'static str,
}

const UI: Asset = Asset {
    beside: "editor-ui",
    checkout: "editor/ui/dist",
};
const BRIDGE: Asset = Asset {
    beside: "dist/bridge-bundle.js",
    checkout: "editor/bridge/dist/bridge-bundle.js",
};

impl Assets {
    /// Finds both. `program` is this program's own file.
    ///
    /// # Errors
    /// When one is missing, with the place where it was expected.
    pub fn find(ui: Option<&Path>, bridge: Option<&Path>, program: &Path) -> Result<Assets, Refused> {
        Ok(Assets {
            ui: find_ui(ui, program)?,
            bridge: find_bridge(bridge, program)?,
        })
    }
}

/// The interface's folder.
///
/// # Errors
/// When it has no `index.html`.
pub fn find_ui(asked: Option<&Path>, program: &Path) -> Result<PathBuf, Refused> {
    UI.find(asked, program, |folder| folder.join("index.html").is_file())
        .map_err(Refused::NoInterface)
}

/// The bridge's file.
///
/// # Errors
/// When it is missing.
pub fn find_bridge(asked: Option<&Path>, program: &Path) -> Result<PathBuf, Refused> {
    BRIDGE.find(asked, program, Path::is_file).map_err(Refused::NoBridge)
}

impl Asset {
    /// The first place that holds it, or the one where it should be.
    fn find(&self, asked: Option<&Path>, program: &Path, good: impl Fn(&Path) -> bool) -> Result<PathBuf, PathBuf> {
        if let Some(asked) = asked {
            let place = std::path::absolute(asked).unwrap_or_else(|_| asked.to_owned());
            return if good(&place) { Ok(place) } else { Err(place) };
        }
        let folder = program.parent().unwrap_or(Path::new("."));
        let beside = folder.join(self.beside);
        // A debug or release build lies in the checkout's target/ folder.
        let checkout = folder
            .ancestors()
            .find(|folder| folder.join("editor/API.md").is_file())
            .map(|checkout| checkout.join(self.checkout));
        let expected = checkout.clone().unwrap_or_else(|| beside.clone());
        [Some(beside), checkout]
            .into_iter()
            .flatten()
            .find(|place| good(place))
            .ok_or(expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(root: &Path, path: &str) {
        let file = root.join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, "").unwrap();
    }

    #[test]
    fn a_release_finds_them_beside_the_program() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("galley-editor");
        let missing = Assets::find(None, None, &program).unwrap_err();
        assert_eq!(missing, Refused::NoInterface(folder.path().join("editor-ui")));
        write(folder.path(), "editor-ui/index.html");
        let missing = Assets::find(None, None, &program).unwrap_err();
        assert_eq!(missing, Refused::NoBridge(folder.path().join("dist/bridge-bundle.js")));
        write(folder.path(), "dist/bridge-bundle.js");
        assert_eq!(
            Assets::find(None, None, &program).unwrap().ui,
            folder.path().join("editor-ui")
        );
    }

    #[test]
    fn a_build_finds_them_in_its_checkout() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("target/debug/galley-editor");
        write(folder.path(), "editor/API.md");
        let missing = find_ui(None, &program).unwrap_err();
        assert_eq!(missing, Refused::NoInterface(folder.path().join("editor/ui/dist")));
        write(folder.path(), "editor/ui/dist/index.html");
        write(folder.path(), "editor/bridge/dist/bridge-bundle.js");
        let found = Assets::find(None, None, &program).unwrap();
        assert_eq!(found.bridge, folder.path().join("editor/bridge/dist/bridge-bundle.js"));
    }

    #[test]
    fn what_was_asked_for_is_not_looked_for_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "editor-ui/index.html");
        let program = folder.path().join("galley-editor");
        assert!(find_ui(Some(&folder.path().join("other")), &program).is_err());
    }
}
