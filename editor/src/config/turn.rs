//! What is read anew for every message of a chat: `webFetch`, `webSearch` and `design_tool`, and `.mcp.json`. All of it lies
//! in the top folder of the git repository, which in a monorepo is not the prototype's.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::interpolate::Lookup;
use super::key::{Key, read_file};
use super::servers::{self, DESIGN_TOOL, DesignTool, READ_ONLY, Server};
use super::web::{self, Web};
use super::{Problem, Warning};

/// The file of today.
pub const FILE: &str = "tool.config.json";
/// The file of earlier, which is read when the other one is missing, and never written.
pub const LEGACY: &str = "tool-composer.config.json";
/// The file of MCP servers.
pub const SERVERS: &str = ".mcp.json";

/// What one message of a chat may use. Each part fails alone; its problem is said in the chat.
#[derive(Debug)]
pub struct Turn {
    /// The web.
    pub web: Result<Web, Problem>,
    /// The design tool, when it is enabled and not declared in `.mcp.json`.
    pub design_tool: Result<Option<DesignTool>, Problem>,
    /// Servers of `.mcp.json` by id.
    pub servers: Result<BTreeMap<String, Server>, Problem>,
    /// What names of the design tool's tools must begin with, in whichever file it is declared.
    pub design_prefixes: Vec<String>,
    /// Servers that were left out.
    pub refused: Vec<Problem>,
    /// What works but should be known.
    pub warnings: Vec<Warning>,
    /// The file that the first two came from; `None` when there is none.
    pub file: Option<&'static str>,
}

impl Turn {
    /// Reads everything below `git_root`.
    #[must_use]
    pub fn read(git_root: &Path, lookup: Lookup<'_>) -> Turn {
        let (file, blocks) = blocks(git_root);
        let mut warnings = Vec::new();
        let with_top = |blocks: &Result<Value, Problem>| blocks.clone();
        let web = with_top(&blocks).and_then(|value| web::parse(&Key::top(&value)?));
        let mut design_tool =
            with_top(&blocks).and_then(|value| servers::design_tool(&Key::top(&value)?, lookup, &mut warnings));

        let design_prefixes = match &design_tool {
            Ok(Some(tool)) => tool.allowed_prefixes.clone(),
            _ => READ_ONLY.map(str::to_owned).into(),
        };
        let (servers, refused) = match read_file(&git_root.join(SERVERS)) {
            Ok(None) => (Ok(BTreeMap::new()), Vec::new()),
            Ok(Some(value)) => match Key::top(&value).and_then(|top| servers::servers(&top, lookup)) {
                Ok((servers, refused)) => (Ok(servers), refused),
                Err(problem) => (Err(problem), Vec::new()),
            },
            Err(problem) => (Err(problem), Vec::new()),
        };
        if servers.as_ref().is_ok_and(|servers| servers.contains_key(DESIGN_TOOL)) && design_tool != Ok(None) {
            let words = format!("`{DESIGN_TOOL}` is declared in both files; the one of {SERVERS} is used");
            warnings.push(Warning::new("design-tool-twice", words));
            design_tool = Ok(None);
        }
        Turn {
            web,
            design_tool,
            servers,
            design_prefixes,
            refused,
            warnings,
            file,
        }
    }

    /// Everything that is wrong, with the file it is in.
    pub fn problems(&self) -> impl Iterator<Item = (&'static str, &Problem)> {
        let file = self.file.unwrap_or(FILE);
        let blocks = [self.web.as_ref().err(), self.design_tool.as_ref().err()];
        let servers = self.servers.as_ref().err().into_iter().chain(&self.refused);
        // A file that cannot be read fails both blocks with the same words.
        let second = blocks[1].filter(|problem| blocks[0] != Some(problem));
        let blocks = blocks[0].into_iter().chain(second);
        blocks
            .map(move |problem| (file, problem))
            .chain(servers.map(|problem| (SERVERS, problem)))
    }
}

/// The file with the three blocks. The name of today wins outright; nothing is merged.
pub(super) fn blocks(git_root: &Path) -> (Option<&'static str>, Result<Value, Problem>) {
    for name in [FILE, LEGACY] {
        match read_file(&git_root.join(name)) {
            Ok(None) => {}
            Ok(Some(value)) => return (Some(name), Ok(value)),
            Err(problem) => return (Some(name), Err(problem)),
        }
    }
    (None, Ok(Value::Object(serde_json::Map::new())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nothing(_: &str) -> Option<String> {
        None
    }

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        folder
    }

    #[test]
    fn without_files_nothing_is_allowed() {
        let turn = Turn::read(folder(&[]).path(), &nothing);
        assert_eq!(turn.web, Ok(Web::default()));
        assert_eq!(turn.design_tool, Ok(None));
        assert_eq!(turn.problems().count(), 0);
    }

    #[test]
    fn the_legacy_name_is_read_only_when_the_other_is_missing() {
        let search = r#"{ "webSearch": { "enabled": true } }"#;
        assert!(
            Turn::read(folder(&[(LEGACY, search)]).path(), &nothing)
                .web
                .unwrap()
                .search
        );
        let both = folder(&[(LEGACY, search), (FILE, "{}")]);
        assert!(!Turn::read(both.path(), &nothing).web.unwrap().search);
    }

    #[test]
    fn a_broken_file_is_one_problem() {
        let broken = folder(&[(LEGACY, "{,}"), (SERVERS, "[]")]);
        let turn = Turn::read(broken.path(), &nothing);
        let files: Vec<_> = turn.problems().map(|(file, _)| file).collect();
        assert_eq!(files, [LEGACY, SERVERS]);
    }

    #[test]
    fn one_bad_block_leaves_the_other_alone() {
        let one = folder(&[(
            FILE,
            r#"{ "webFetch": 1, "design_tool": { "enabled": true, "mcpServer": { "command": "x" } } }"#,
        )]);
        let turn = Turn::read(one.path(), &nothing);
        assert_eq!(turn.web.unwrap_err().key, "webFetch");
        assert_eq!(turn.design_tool.unwrap().unwrap().server.command, "x");
    }

    #[test]
    fn a_design_tool_in_both_files_is_taken_from_the_servers() {
        let both = folder(&[
            (
                FILE,
                r#"{ "design_tool": { "enabled": true, "mcpServer": { "command": "one" }, "allowedToolPrefixes": ["export_"] } }"#,
            ),
            (SERVERS, r#"{ "mcpServers": { "design_tool": { "command": "two" } } }"#),
        ]);
        let turn = Turn::read(both.path(), &nothing);
        assert_eq!(turn.design_tool, Ok(None));
        assert_eq!(turn.servers.unwrap()["design_tool"].command, "two");
        assert_eq!(turn.design_prefixes, ["export_"]);
        assert_eq!(turn.warnings[0].code, "design-tool-twice");
    }
}
