//! The table of all settings.

use serde::Serialize;
use serde_json::Value;

/// One key.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Setting {
    /// Its full path in the file.
    pub key: &'static str,
    /// The file that owns it.
    pub file: File,
    /// What it holds, for the control that changes it.
    pub kind: ValueType,
    /// The default as JSON; `null` when it is absent.
    #[serde(skip)]
    pub default: &'static str,
    /// What it does.
    pub description: &'static str,
    /// When a change takes effect.
    pub applies: Applies,
    /// The variable that switches it on too, when it is exactly `1`.
    pub variable: Option<&'static str>,
    /// Whether the settings dialog may change it. What linking writes, it may not.
    pub editable: bool,
    /// Whether anything goes by it yet. The files of configuration know keys of features that are still to come.
    pub works: bool,
}

impl Setting {
    /// What it holds when the file says nothing.
    #[must_use]
    pub fn default_value(&self) -> Value {
        serde_json::from_str(self.default).unwrap_or_default()
    }
}

/// A configuration file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum File {
    /// In the prototype's folder.
    #[serde(rename = ".tool/config.json")]
    Tool,
    /// In the prototype's folder.
    #[serde(rename = "tool.config.json")]
    Root,
    /// The same name, in the top folder of the git repository.
    #[serde(rename = "tool.config.json (git root)")]
    PerMessage,
    /// In the top folder of the git repository.
    #[serde(rename = ".mcp.json (git root)")]
    Servers,
}

/// What a key holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ValueType {
    /// `true` or `false`.
    Boolean,
    /// A number.
    Number,
    /// A text.
    Text,
    /// A list of texts.
    Texts,
    /// An object with keys of its own.
    Object,
    /// A list of objects.
    List,
}

/// When a change takes effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Applies {
    /// When the Editor is started again.
    Restart,
    /// When the Editor is started again and the page is reloaded.
    RestartAndReload,
    /// With the next message of a chat.
    NextMessage,
}

use Applies::{NextMessage, Restart, RestartAndReload};
use File::{PerMessage, Root, Servers, Tool};
use ValueType::{Boolean, List, Number, Object, Text, Texts};

const fn setting(
    key: &'static str,
    file: File,
    kind: ValueType,
    default: &'static str,
    applies: Applies,
    description: &'static str,
) -> Setting {
    Setting {
        key,
        file,
        kind,
        default,
        description,
        applies,
        variable: None,
        editable: true,
        works: true,
    }
}

impl Setting {
    /// Written by linking, not by hand.
    const fn fixed(mut self) -> Setting {
        self.editable = false;
        self
    }

    /// Read and checked, but nothing goes by it yet.
    const fn planned(mut self) -> Setting {
        self.works = false;
        self
    }

    const fn or(mut self, variable: &'static str) -> Setting {
        self.variable = Some(variable);
        self
    }
}

/// Every key of the configuration files.
pub static SETTINGS: &[Setting] = &[
    setting(
        "version",
        Tool,
        Number,
        "2",
        Restart,
        "The version of the file's form, 1 or 2.",
    )
    .fixed(),
    setting(
        "project",
        Tool,
        Object,
        "null",
        Restart,
        "The project of the review server this prototype is linked to.",
    )
    .fixed(),
    setting(
        "projectSlug",
        Tool,
        Text,
        "null",
        Restart,
        "The linked project's name in addresses.",
    )
    .fixed(),
    setting("projectId", Tool, Text, "null", Restart, "The linked project's id.").fixed(),
    setting(
        "platformBaseUrl",
        Tool,
        Text,
        "null",
        Restart,
        "The address of the review server.",
    )
    .fixed(),
    setting(
        "chat.detachedSessions",
        Tool,
        Boolean,
        "true",
        RestartAndReload,
        "Shows chat sessions as tabs.",
    ),
    setting(
        "chat.costCeilingUsd",
        Tool,
        Number,
        "null",
        Restart,
        "What one chat session may cost in dollars before further messages are refused. Empty or 0 is no ceiling.",
    ),
    setting(
        "chat.maxModelCallsPerTurn",
        Tool,
        Number,
        "null",
        Restart,
        "Calls of the model for one message. Checked, but not enforced.",
    )
    .planned(),
    setting(
        "chat.maxToolCallsPerTurn",
        Tool,
        Number,
        "null",
        Restart,
        "Calls of tools for one message. Checked, but not enforced.",
    )
    .planned(),
    setting(
        "conventions.useRepoConventions",
        Tool,
        Boolean,
        "true",
        Restart,
        "Reads the repository's own instructions for assistants.",
    ),
    setting(
        "conventions.excludeFiles",
        Tool,
        Texts,
        "[]",
        Restart,
        "Instruction files to leave out, relative to the repository.",
    ),
    setting(
        "editor.reloadBackstop",
        Tool,
        Boolean,
        "true",
        Restart,
        "Reloads the preview after each edit, in case hot reload missed it.",
    ),
    setting(
        "editor.canvas",
        Tool,
        Boolean,
        "false",
        RestartAndReload,
        "Shows the canvas: pages at several widths, with plans of screenshots.",
    )
    .or("EDITOR_CANVAS"),
    setting(
        "editor.codeView",
        Tool,
        Boolean,
        "false",
        RestartAndReload,
        "Shows and edits source files in the Editor.",
    )
    .or("EDITOR_CODE_VIEW"),
    setting(
        "editor.notes",
        Tool,
        Boolean,
        "false",
        RestartAndReload,
        "Shows notes beside the comments.",
    )
    .or("EDITOR_NOTES"),
    setting(
        "editor.vscodeLink",
        Tool,
        Boolean,
        "false",
        RestartAndReload,
        "Adds 'Open in VS Code' to the menu of an element.",
    )
    .or("EDITOR_VSCODE_LINK"),
    setting(
        "retention.backups.keepNewest",
        Tool,
        Number,
        "200",
        Restart,
        "How many backups of edited files are kept at most.",
    ),
    setting(
        "retention.backups.maxAgeDays",
        Tool,
        Number,
        "14",
        Restart,
        "After how many days a backup is deleted.",
    ),
    setting(
        "retention.chatSessionTurns.maxTurns",
        Tool,
        Number,
        "500",
        Restart,
        "How many turns a chat session's file holds; older ones move to an archive beside it.",
    ),
    setting(
        "readRoots",
        Root,
        Object,
        "{}",
        NextMessage,
        "Folders besides the prototype that may be read: a name, and its path and description.",
    ),
    setting(
        "designSystems",
        Root,
        List,
        "[]",
        Restart,
        "Libraries of components: installed, from a registry, or from a git repository. With `hints` a model writes examples of their use.",
    ),
    setting(
        "lanes.detach",
        Root,
        Boolean,
        "false",
        RestartAndReload,
        "Offers to detach a component: its use is replaced by what it renders.",
    ),
    setting(
        "lanes.swap",
        Root,
        Boolean,
        "false",
        RestartAndReload,
        "Offers to swap a component for another one, and to pick icons.",
    ),
    setting(
        "hosts.vite",
        Root,
        Boolean,
        "true",
        Restart,
        "Starts the dev server of Vite by itself.",
    ),
    setting(
        "hosts.nuxt",
        Root,
        Boolean,
        "true",
        Restart,
        "Starts the dev server of Nuxt by itself.",
    ),
    setting(
        "hosts.react-router",
        Root,
        Boolean,
        "true",
        Restart,
        "Starts the dev server of React Router by itself.",
    ),
    setting(
        "hosts.next",
        Root,
        Boolean,
        "true",
        Restart,
        "Starts the dev server of Next (Turbopack) by itself.",
    ),
    setting(
        "hosts.astro",
        Root,
        Boolean,
        "false",
        Restart,
        "Starts the dev server of Astro by itself. Only its component islands can be edited.",
    ),
    setting(
        "webFetch.allowedHosts",
        PerMessage,
        Texts,
        "[]",
        NextMessage,
        "Hosts the chat may fetch pages from. None means that fetching is denied.",
    ),
    setting(
        "webSearch.enabled",
        PerMessage,
        Boolean,
        "false",
        NextMessage,
        "Lets the chat search the web.",
    ),
    setting(
        "design_tool.enabled",
        PerMessage,
        Boolean,
        "false",
        NextMessage,
        "Lets the chat read from a design tool through its MCP server.",
    ),
    setting(
        "design_tool.mcpServer",
        PerMessage,
        Object,
        "null",
        NextMessage,
        "How the design tool's MCP server is started: command, args, env, alwaysLoad.",
    ),
    setting(
        "design_tool.allowedToolPrefixes",
        PerMessage,
        Texts,
        r#"["get_", "list_", "read_", "search_", "fetch_", "find_"]"#,
        NextMessage,
        "What names of its tools must begin with to be called.",
    ),
    setting(
        "mcpServers",
        Servers,
        Object,
        "{}",
        NextMessage,
        "MCP servers by id, for the chat.",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_stands_once_and_its_default_is_json() {
        for (index, setting) in SETTINGS.iter().enumerate() {
            assert!(
                SETTINGS.iter().skip(index + 1).all(|other| other.key != setting.key),
                "{}",
                setting.key
            );
            let default: Result<Value, _> = serde_json::from_str(setting.default);
            assert!(default.is_ok(), "{}", setting.key);
            assert!(setting.description.ends_with('.'), "{}", setting.key);
        }
    }

    #[test]
    fn what_nothing_goes_by_yet_is_known() {
        let idle = SETTINGS
            .iter()
            .filter(|setting| !setting.works)
            .map(|setting| setting.key);
        let idle: Vec<&str> = idle.collect();
        assert_eq!(idle, ["chat.maxModelCallsPerTurn", "chat.maxToolCallsPerTurn"]);
    }
}
