//! MCP servers: `.mcp.json`, and `design_tool` of `tool.config.json`. Only their shape is checked; what a configured command
//! does when it is started is not confined.

use std::collections::BTreeMap;

use serde::Serialize;

use super::interpolate::{Lookup, interpolate};
use super::key::Key;
use super::{Problem, Warning};

/// The id that belongs to the Editor.
const RESERVED: &str = "editor";

/// The id of the design tool's server.
pub const DESIGN_TOOL: &str = "design_tool";

/// How a server is started. Not to be shown: arguments and environment may hold secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// The program.
    pub command: String,
    /// Its arguments, variables replaced.
    pub args: Vec<String>,
    /// Its environment besides the Editor's, variables replaced.
    pub env: BTreeMap<String, String>,
}

/// `design_tool`, when it is enabled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DesignTool {
    /// How its server is started.
    pub server: Server,
    /// Whether it is started for each message, needed or not.
    pub always_load: bool,
    /// What names of tools must begin with to be called.
    pub allowed_prefixes: Vec<String>,
}

/// What names of tools that only read begin with.
pub const READ_ONLY: [&str; 6] = ["get_", "list_", "read_", "search_", "fetch_", "find_"];

/// Reads `mcpServers`. A bad server is left out, with its problem; the others work.
pub(super) fn servers(top: &Key<'_>, lookup: Lookup<'_>) -> Result<(BTreeMap<String, Server>, Vec<Problem>), Problem> {
    let (mut servers, mut problems) = (BTreeMap::new(), Vec::new());
    for (id, entry) in top.object("mcpServers")?.entries() {
        if id == RESERVED {
            problems.push(entry.problem("is reserved for the Editor's own server; rename it"));
            continue;
        }
        match server(&entry, lookup, &mut Vec::new()) {
            Ok(server) => drop(servers.insert(id.to_owned(), server)),
            Err(problem) => problems.push(problem),
        }
    }
    Ok((servers, problems))
}

/// Reads `design_tool`; `None` when it is missing or not enabled.
pub(super) fn design_tool(
    top: &Key<'_>,
    lookup: Lookup<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Option<DesignTool>, Problem> {
    let block = top.object(DESIGN_TOOL)?;
    if block.is_missing() {
        return Ok(None);
    }
    let enabled = block.get("enabled");
    if !enabled.boolean()?.ok_or_else(|| enabled.expected("true or false"))? {
        return Ok(None);
    }
    let entry = block.object("mcpServer")?;
    if entry.is_missing() {
        return Err(entry.expected("an object with `command`"));
    }
    let kind = entry.get("type");
    if kind.text()?.is_some_and(|kind| kind != "stdio") {
        return Err(kind.expected("\"stdio\""));
    }
    let command = entry.get("command");
    if command.required_text()?.contains(is_shell_character) {
        return Err(command.problem(
            "must be the name or path of a program alone, without characters of a shell (; | & < > $ ` or a line's end)",
        ));
    }
    let mut literals = Vec::new();
    let server = server(&entry, lookup, &mut literals)?;
    for name in literals {
        let words = format!(
            "`design_tool.mcpServer.env.{name}` is written out in the file; write `${{{name}}}` and set the variable, if it is a secret"
        );
        warnings.push(Warning::new("literal-secret", words));
    }
    let always_load = entry.get("alwaysLoad").boolean()?;
    if always_load == Some(true) {
        let words =
            "`design_tool.mcpServer.alwaysLoad` starts the server for each message, which can take up to five seconds";
        warnings.push(Warning::new("always-load", words));
    }
    Ok(Some(DesignTool {
        server,
        always_load: always_load.unwrap_or(false),
        allowed_prefixes: prefixes(&block.get("allowedToolPrefixes"))?,
    }))
}

fn is_shell_character(c: char) -> bool {
    c.is_control() || matches!(c, ';' | '|' | '&' | '<' | '>' | '$' | '`')
}

fn prefixes(key: &Key<'_>) -> Result<Vec<String>, Problem> {
    if key.is_missing() {
        return Ok(READ_ONLY.map(str::to_owned).into());
    }
    let prefixes = key.texts()?;
    if prefixes.is_empty() {
        return Err(key.problem("must not be empty; leave it out for the shipped list of reading tools"));
    }
    if prefixes.iter().any(|prefix| prefix.is_empty()) {
        return Err(key.problem("must not hold an empty text, which would allow every tool"));
    }
    Ok(prefixes)
}

/// Reads `{ command, args, env }`. Names of `env` whose values have no variable are added to `literals`.
fn server(entry: &Key<'_>, lookup: Lookup<'_>, literals: &mut Vec<String>) -> Result<Server, Problem> {
    if !entry.value().is_some_and(serde_json::Value::is_object) {
        return Err(entry.expected("an object with `command`"));
    }
    let command = entry.get("command").required_text()?.to_owned();
    let mut args = Vec::new();
    for key in entry.get("args").elements()?.unwrap_or_default() {
        let text = key.text()?.unwrap_or_default();
        args.push(interpolate(&key, text, lookup)?.text);
    }
    let mut env = BTreeMap::new();
    for (name, key) in entry.object("env")?.entries() {
        let value = interpolate(&key, key.text()?.unwrap_or_default(), lookup)?;
        if !value.has_variables {
            literals.push(name.to_owned());
        }
        env.insert(name.to_owned(), value.text);
    }
    Ok(Server { command, args, env })
}

/// A server for `--doctor`, without what may be secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Shown {
    /// Its id.
    pub id: String,
    /// Its program.
    pub command: String,
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn lookup(name: &str) -> Option<String> {
        (name == "DESIGN_TOOL_API_KEY").then(|| "s3cret".to_owned())
    }

    fn tool(block: &Value) -> (Result<Option<DesignTool>, Problem>, Vec<&'static str>) {
        let file = json!({ "design_tool": block });
        let mut warnings = Vec::new();
        let tool = design_tool(&Key::top(&file).unwrap(), &lookup, &mut warnings);
        (tool, warnings.iter().map(|warning| warning.code).collect())
    }

    #[test]
    fn an_enabled_design_tool_is_read() {
        let (tool, warnings) = tool(&json!({
            "enabled": true,
            "mcpServer": {
                "type": "stdio", "command": "design-mcp", "args": ["--key", "${DESIGN_TOOL_API_KEY}"],
                "env": { "KEY": "${DESIGN_TOOL_API_KEY}", "MODE": "fast" }, "alwaysLoad": true
            }
        }));
        let tool = tool.unwrap().unwrap();
        assert_eq!(tool.server.args, ["--key", "s3cret"]);
        assert_eq!(tool.server.env["KEY"], "s3cret");
        assert!(tool.always_load);
        assert_eq!(tool.allowed_prefixes, READ_ONLY);
        assert_eq!(warnings, ["literal-secret", "always-load"]);
    }

    #[test]
    fn a_design_tool_that_is_off_or_missing_is_none() {
        assert_eq!(tool(&json!({ "enabled": false, "mcpServer": 1 })).0, Ok(None));
        let file = json!({});
        assert_eq!(
            design_tool(&Key::top(&file).unwrap(), &lookup, &mut Vec::new()),
            Ok(None)
        );
    }

    #[test]
    fn each_rule_of_the_design_tool_names_its_key() {
        let with = |server: Value| json!({ "enabled": true, "mcpServer": server });
        for (block, key) in [
            (json!(true), "design_tool"),
            (json!({}), "design_tool.enabled"),
            (json!({ "enabled": "yes" }), "design_tool.enabled"),
            (json!({ "enabled": true }), "design_tool.mcpServer"),
            (with(json!({})), "design_tool.mcpServer.command"),
            (with(json!({ "command": " " })), "design_tool.mcpServer.command"),
            (
                with(json!({ "command": "a", "type": "http" })),
                "design_tool.mcpServer.type",
            ),
            (
                with(json!({ "command": "a", "args": "b" })),
                "design_tool.mcpServer.args",
            ),
            (
                with(json!({ "command": "a", "args": [1] })),
                "design_tool.mcpServer.args[0]",
            ),
            (
                with(json!({ "command": "a", "args": ["${MISSING}"] })),
                "design_tool.mcpServer.args[0]",
            ),
            (
                with(json!({ "command": "a", "env": { "X": "${MISSING}" } })),
                "design_tool.mcpServer.env.X",
            ),
            (
                with(json!({ "command": "a", "env": { "X": 1 } })),
                "design_tool.mcpServer.env.X",
            ),
            (
                with(json!({ "command": "a", "alwaysLoad": 1 })),
                "design_tool.mcpServer.alwaysLoad",
            ),
            (
                json!({ "enabled": true, "mcpServer": { "command": "a" }, "allowedToolPrefixes": [] }),
                "design_tool.allowedToolPrefixes",
            ),
            (
                json!({ "enabled": true, "mcpServer": { "command": "a" }, "allowedToolPrefixes": [""] }),
                "design_tool.allowedToolPrefixes",
            ),
        ] {
            assert_eq!(tool(&block).0.unwrap_err().key, key, "{block}");
        }
        for command in ["a;b", "a|b", "a&b", "a<b", "a>b", "$A", "`a`", "a\nb", "a\u{7}", "a\0"] {
            let problem = tool(&with(json!({ "command": command }))).0.unwrap_err();
            assert_eq!(problem.key, "design_tool.mcpServer.command", "{command:?}");
        }
    }

    #[test]
    fn a_bad_server_leaves_the_others_alone() {
        let file = json!({ "mcpServers": {
            "docs": { "command": "docs-mcp", "args": ["${DESIGN_TOOL_API_KEY}"] },
            "editor": { "command": "x" },
            "remote": { "type": "http", "url": "https://example.com" },
            "unset": { "command": "x", "env": { "A": "${MISSING}" } }
        } });
        let (servers, problems) = servers(&Key::top(&file).unwrap(), &lookup).unwrap();
        assert_eq!(servers.keys().collect::<Vec<_>>(), ["docs"]);
        let keys: Vec<_> = problems.into_iter().map(|problem| problem.key).collect();
        assert_eq!(
            keys,
            [
                "mcpServers.editor",
                "mcpServers.remote.command",
                "mcpServers.unset.env.A"
            ]
        );
    }
}
