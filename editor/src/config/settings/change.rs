//! Changing keys in the file that owns them. What else the file holds stays as people wrote it; only an object that gets a
//! new key is laid out in lines. A file that cannot be parsed is not touched.

use std::io::Write;
use std::path::{Path, PathBuf};

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use serde_json::{Map, Value};

use super::super::key::{Key, parse, read_text};
use super::super::{Problem, design_systems, read_roots, servers, toggles, tool, turn, web};
use super::table::{File, SETTINGS, Setting};
use crate::gate::Prototype;

/// Why a key was not changed. No file was touched.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// There is no such key.
    #[error("there is no setting `{0}`")]
    Unknown(String),
    /// It is not changed by hand.
    #[error("`{0}` is written when the project is linked, not by hand")]
    Fixed(&'static str),
    /// The value is not one the key can hold.
    #[error(transparent)]
    Invalid(#[from] InvalidValue),
    /// The file as it is cannot be changed.
    #[error("{file} cannot be changed: {problem}")]
    Broken {
        /// The file.
        file: &'static str,
        /// What is wrong with it.
        problem: Problem,
    },
    /// Writing failed.
    #[error("{file} could not be written: {error}")]
    Disk {
        /// The file.
        file: &'static str,
        /// Why.
        error: std::io::Error,
    },
}

/// A value that its key cannot hold.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct InvalidValue(pub Problem);

/// Changes one key by hand; `None` takes it out of the file, so that its default holds.
///
/// # Errors
/// Also for keys that linking writes.
pub fn change(prototype: &Prototype, key: &str, value: Option<Value>) -> Result<(), ChangeError> {
    let setting = find(key)?;
    if !setting.editable {
        return Err(ChangeError::Fixed(setting.key));
    }
    save(prototype, &[(key, value)])
}

/// Changes several keys of one file at once; all of them or none.
///
/// # Errors
/// When a key is unknown, a value invalid, or the file cannot be parsed or written.
pub fn save(prototype: &Prototype, changes: &[(&str, Option<Value>)]) -> Result<(), ChangeError> {
    let Some((first, _)) = changes.first() else {
        return Ok(());
    };
    let file = find(first)?.file;
    for (key, _) in changes {
        // Keys of two files at once would need two writes.
        if find(key)?.file != file {
            return Err(ChangeError::Unknown((*key).to_owned()));
        }
    }
    let (path, name) = place(prototype, file);
    let broken = |problem| ChangeError::Broken { file: name, problem };
    let text = match read_text(&path).map_err(broken)? {
        Some(text) => text,
        None => initial(prototype, file).map_err(broken)?,
    };
    let changed = apply(&text, changes).map_err(broken)?;
    let value = parse(&changed).map_err(broken)?;
    for (key, wanted) in changes {
        if super::at(&value, key) != wanted.as_ref() {
            return Err(broken(Problem::whole(format!(
                "`{key}` stands there twice, or inside something that is no object"
            ))));
        }
    }
    for problem in problems(prototype, file, &value) {
        if changes
            .iter()
            .any(|(key, _)| !problem.key.is_empty() && problem.concerns(key))
        {
            return Err(InvalidValue(problem).into());
        }
    }
    write(&path, &changed).map_err(|error| ChangeError::Disk { file: name, error })
}

fn find(key: &str) -> Result<&'static Setting, ChangeError> {
    let found = SETTINGS.iter().find(|setting| setting.key == key);
    found.ok_or_else(|| ChangeError::Unknown(key.to_owned()))
}

fn place(prototype: &Prototype, file: File) -> (PathBuf, &'static str) {
    let (folder, name) = match file {
        File::Tool => (&prototype.root, tool::FILE),
        File::Root => (&prototype.root, turn::FILE),
        // The name of earlier is never written.
        File::PerMessage => (&prototype.git_root, turn::FILE),
        File::Servers => (&prototype.git_root, turn::SERVERS),
    };
    (folder.join(name), name)
}

/// The text of a file that is not there yet. As soon as `tool.config.json` exists, the legacy file counts no more: what
/// it says comes along.
fn initial(prototype: &Prototype, file: File) -> Result<String, Problem> {
    let mut blocks = Map::new();
    if file == File::Tool {
        return Ok("{\n  \"version\": 2\n}\n".into());
    }
    let is_git_root = prototype.root == prototype.git_root;
    if file == File::PerMessage || (file == File::Root && is_git_root) {
        let (_, legacy) = turn::blocks(&prototype.git_root);
        if let Value::Object(legacy) = legacy? {
            let owned = ["webFetch", "webSearch", servers::DESIGN_TOOL];
            blocks.extend(legacy.into_iter().filter(|(name, _)| owned.contains(&name.as_str())));
        }
    }
    let text = serde_json::to_string_pretty(&Value::Object(blocks));
    text.map(|text| text + "\n")
        .map_err(|error| Problem::whole(error.to_string()))
}

/// The text with the keys changed.
fn apply(text: &str, changes: &[(&str, Option<Value>)]) -> Result<String, Problem> {
    let (mark, json) = match text.strip_prefix('\u{feff}') {
        Some(json) => ("\u{feff}", json),
        None => ("", text),
    };
    // The tree below reads more than strict JSON; what is no JSON now must not be made to look like it.
    parse(json)?;
    let tree = CstRootNode::parse(json, &ParseOptions::default()).map_err(|error| Problem::whole(error.to_string()))?;
    let top = tree
        .object_value()
        .ok_or_else(|| Problem::whole("the file must hold an object"))?;
    for (key, value) in changes {
        set(&top, key, value.as_ref())?;
    }
    Ok(format!("{mark}{tree}"))
}

fn set(top: &CstObject, key: &str, value: Option<&Value>) -> Result<(), Problem> {
    let (folders, name) = key.rsplit_once('.').unwrap_or(("", key));
    let mut object = top.clone();
    for folder in folders.split('.').filter(|folder| !folder.is_empty()) {
        let inside = match value {
            Some(_) => object.object_value_or_create(folder),
            // What is not there need not be taken out.
            None if object.get(folder).is_none() => return Ok(()),
            None => object.object_value(folder),
        };
        object = inside.ok_or_else(|| Problem {
            key: folders.to_owned(),
            words: "must be an object".into(),
        })?;
    }
    match (object.get(name), value) {
        (Some(property), Some(value)) => property.set_value(input(value)),
        (Some(property), None) => property.remove(),
        (None, Some(value)) => {
            object.append(name, input(value));
        }
        (None, None) => {}
    }
    Ok(())
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(values) => CstInputValue::Array(values.iter().map(input).collect()),
        Value::Object(object) => {
            let entries = object.iter().map(|(name, value)| (name.clone(), input(value)));
            CstInputValue::Object(entries.collect())
        }
    }
}

/// What is wrong with a file's whole content.
fn problems(prototype: &Prototype, file: File, value: &Value) -> Vec<Problem> {
    let top = match Key::top(value) {
        Ok(top) => top,
        Err(problem) => return vec![problem],
    };
    // Whether a variable is set is a matter of the turn that needs it, not of the file.
    let lookup = |_: &str| Some(String::new());
    let found = match file {
        File::Tool => vec![match tool::parse(value) {
            Ok(parsed) => parsed.identity,
            Err(problem) => Some(problem),
        }],
        File::Root => vec![
            read_roots::parse(&top, &prototype.root, &mut Vec::new()).err(),
            design_systems::parse(&top).err(),
            toggles::lanes(&top).err(),
            toggles::hosts(&top).err(),
        ],
        File::PerMessage => vec![
            web::parse(&top).err(),
            servers::design_tool(&top, &lookup, &mut Vec::new()).err(),
        ],
        File::Servers => match servers::servers(&top, &lookup) {
            Ok((_, refused)) => return refused,
            Err(problem) => vec![Some(problem)],
        },
    };
    found.into_iter().flatten().collect()
}

/// Replaces the file in one step. A link keeps leading to the file it leads to, and permissions stay.
fn write(path: &Path, text: &str) -> std::io::Result<()> {
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = target.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".config-");
    if let Ok(facts) = std::fs::metadata(&target) {
        builder.permissions(facts.permissions());
    } else {
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644));
    }
    let mut temporary = builder.tempfile_in(folder)?;
    temporary.write_all(text.as_bytes())?;
    temporary.as_file().sync_all()?;
    temporary.persist(&target)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::gate::{Framework, Package};

    fn prototype(folder: &tempfile::TempDir) -> Prototype {
        let root = folder.path().canonicalize().unwrap();
        Prototype {
            head: root.join(".git/HEAD"),
            git_root: root.clone(),
            root,
            framework: Framework::React,
            package: Package::default(),
        }
    }

    fn changed(text: &str, key: &str, value: Option<Value>) -> String {
        apply(text, &[(key, value)]).unwrap()
    }

    #[test]
    fn everything_else_in_the_file_stays_as_it_is() {
        let text = "{\n\t\"version\":2,\n\n\t\"editor\" : { \"notes\": false }, \"odd\": [1,2 ,3]\n}";
        assert_eq!(
            changed(text, "editor.notes", Some(json!(true))),
            text.replace("false", "true")
        );
        let added = changed(text, "editor.canvas", Some(json!(true)));
        let lines = "{
		\"notes\": false,
		\"canvas\": true
	}";
        assert_eq!(added, text.replace("{ \"notes\": false }", lines));
        let taken = changed(text, "editor.notes", None);
        assert!(
            taken.contains("\"odd\": [1,2 ,3]") && !taken.contains("notes"),
            "{taken}"
        );
    }

    #[test]
    fn line_ends_indentation_and_the_byte_order_mark_stay() {
        let text = "\u{feff}{\r\n    \"version\": 2\r\n}\r\n";
        let changed = changed(text, "chat.costCeilingUsd", Some(json!(5)));
        assert!(
            changed.starts_with("\u{feff}{\r\n    \"version\": 2,\r\n    \"chat\": {"),
            "{changed:?}"
        );
        assert!(
            changed.ends_with("}\r\n") && !changed.replace("\r\n", "").contains('\n'),
            "{changed:?}"
        );
    }

    #[test]
    fn a_missing_file_is_made_and_a_broken_one_is_not_touched() {
        let folder = tempfile::tempdir().unwrap();
        let prototype = prototype(&folder);
        let file = folder.path().join(".tool/config.json");
        change(&prototype, "editor.notes", Some(json!(true))).unwrap();
        let value: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        assert_eq!(value, json!({ "version": 2, "editor": { "notes": true } }));
        for broken in [
            "{ \"version\": 2, // mine\n}",
            "[]",
            "{",
            "{ \"version\": 2, \"editor\": 5 }",
        ] {
            std::fs::write(&file, broken).unwrap();
            let error = change(&prototype, "editor.notes", Some(json!(true))).unwrap_err();
            assert!(matches!(error, ChangeError::Broken { .. }), "{broken}: {error}");
            assert_eq!(std::fs::read_to_string(&file).unwrap(), broken);
        }
    }

    #[test]
    fn a_value_the_key_cannot_hold_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let prototype = prototype(&folder);
        for (key, value) in [
            ("editor.notes", json!("yes")),
            ("retention.backups.keepNewest", json!(0)),
            ("lanes.swap", json!(1)),
            ("readRoots", json!({ "worktree": { "path": ".." } })),
            ("webFetch.allowedHosts", json!(["*"])),
            ("mcpServers", json!({ "editor": { "command": "x" } })),
        ] {
            let error = change(&prototype, key, Some(value)).unwrap_err();
            assert!(matches!(error, ChangeError::Invalid(_)), "{key}: {error}");
        }
        assert!(matches!(
            change(&prototype, "editor.note", None),
            Err(ChangeError::Unknown(_))
        ));
        assert!(matches!(
            change(&prototype, "project", None),
            Err(ChangeError::Fixed(_))
        ));
        assert_eq!(folder.path().read_dir().unwrap().count(), 0);
    }

    #[test]
    fn another_mistake_in_the_file_does_not_stop_a_good_change() {
        let folder = tempfile::tempdir().unwrap();
        let prototype = prototype(&folder);
        let file = folder.path().join("tool.config.json");
        std::fs::write(&file, r#"{ "hosts": { "x": 1 } }"#).unwrap();
        change(&prototype, "lanes.swap", Some(json!(true))).unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(
            text.contains(r#""hosts": { "x": 1 },"#) && text.contains(r#""swap": true"#),
            "{text}"
        );
    }

    #[test]
    fn several_keys_are_written_together() {
        let folder = tempfile::tempdir().unwrap();
        let prototype = prototype(&folder);
        let project = json!({ "id": "p1", "name": "Shop", "slug": "shop" });
        let changes = [
            ("project", Some(project)),
            ("platformBaseUrl", Some(json!("https://review.example.com"))),
        ];
        save(&prototype, &changes).unwrap();
        let text = std::fs::read_to_string(folder.path().join(".tool/config.json")).unwrap();
        assert!(
            tool::parse(&serde_json::from_str(&text).unwrap())
                .unwrap()
                .tool
                .project
                .is_some()
        );
        assert!(text.ends_with("}\n") && text.contains("\n  \"project\": {\n"), "{text}");
        assert!(save(&prototype, &[("project", None), ("lanes.swap", None)]).is_err());
    }

    #[test]
    fn what_the_legacy_file_says_comes_along() {
        let folder = tempfile::tempdir().unwrap();
        let prototype = prototype(&folder);
        let legacy = r#"{ "webFetch": { "allowedHosts": ["a.example"] }, "lanes": { "swap": true } }"#;
        std::fs::write(folder.path().join(turn::LEGACY), legacy).unwrap();
        change(&prototype, "webSearch.enabled", Some(json!(true))).unwrap();
        let text = std::fs::read_to_string(folder.path().join(turn::FILE)).unwrap();
        let expected = json!({ "webFetch": { "allowedHosts": ["a.example"] }, "webSearch": { "enabled": true } });
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), expected);
        assert_eq!(
            std::fs::read_to_string(folder.path().join(turn::LEGACY)).unwrap(),
            legacy
        );
    }

    #[cfg(unix)]
    #[test]
    fn permissions_and_links_stay() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let prototype = prototype(&folder);
        let real = folder.path().join("real.json");
        std::fs::write(&real, "{}").unwrap();
        std::fs::set_permissions(&real, PermissionsExt::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&real, folder.path().join("tool.config.json")).unwrap();
        change(&prototype, "hosts.vite", Some(json!(false))).unwrap();
        assert!(folder.path().join("tool.config.json").is_symlink());
        assert_eq!(std::fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
        assert!(std::fs::read_to_string(&real).unwrap().contains("vite"));
    }
}
