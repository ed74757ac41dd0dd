//! `.tool/config.json`: the project's identity, and settings of chat, conventions, the interface and retention. Read once
//! when the Editor starts.
//!
//! It is valid as a whole or not used at all: the first problem stops reading, and everything has its default. Only a
//! malformed `project` is left out alone.

use serde::Serialize;
use serde_json::Value;
use url::Url;

use super::Problem;
use super::key::{Key, integer};

/// Where it lies below the prototype's root.
pub const FILE: &str = ".tool/config.json";

/// The content of `.tool/config.json`.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// `project`: which project of a review server this is.
    pub project: Option<Project>,
    /// `projectSlug`
    pub project_slug: Option<String>,
    /// `projectId`
    pub project_id: Option<String>,
    /// `platformBaseUrl`: the review server.
    pub platform_base_url: Option<Url>,
    /// `chat`
    pub chat: Chat,
    /// `conventions`
    pub conventions: Conventions,
    /// `editor`
    pub editor: Surfaces,
    /// `retention`
    pub retention: Retention,
}

/// The project a repository belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Project {
    /// The project's id at the review server.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// Its name in addresses.
    pub slug: String,
    /// Where its prototype is looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub viewer_url: Option<String>,
}

/// `chat`
#[derive(Debug, Clone, PartialEq)]
pub struct Chat {
    /// Chat sessions in tabs.
    pub detached_sessions: bool,
    /// What one session may cost, in dollars. `None` is no ceiling.
    pub cost_ceiling_usd: Option<f64>,
    /// Checked and carried along; nothing enforces it.
    pub max_model_calls_per_turn: Option<f64>,
    /// Checked and carried along; nothing enforces it.
    pub max_tool_calls_per_turn: Option<f64>,
}

/// `conventions`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conventions {
    /// Whether the repository's instructions for assistants are looked for.
    pub use_repo_conventions: bool,
    /// Files left out, relative to the repository, `/` between parts.
    pub exclude_files: Vec<String>,
}

/// `editor`: parts of the interface. What is shown also depends on the environment: see [`super::Features`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Surfaces {
    /// Reload the preview after each edit.
    pub reload_backstop: bool,
    /// The canvas.
    pub canvas: bool,
    /// The code view.
    pub code_view: bool,
    /// Notes.
    pub notes: bool,
    /// 'Open in VS Code'.
    pub vscode_link: bool,
}

/// `retention`
#[derive(Debug, Clone, PartialEq)]
pub struct Retention {
    /// At most this many backups are kept.
    pub keep_newest: u64,
    /// Backups older than this many days are deleted.
    pub max_age_days: f64,
    /// At most this many turns are kept in a chat session's file.
    pub max_turns: u64,
}

impl Default for Tool {
    fn default() -> Tool {
        Tool {
            project: None,
            project_slug: None,
            project_id: None,
            platform_base_url: None,
            chat: Chat {
                detached_sessions: true,
                cost_ceiling_usd: None,
                max_model_calls_per_turn: None,
                max_tool_calls_per_turn: None,
            },
            conventions: Conventions {
                use_repo_conventions: true,
                exclude_files: Vec::new(),
            },
            editor: Surfaces {
                reload_backstop: true,
                canvas: false,
                code_view: false,
                notes: false,
                vscode_link: false,
            },
            retention: Retention {
                keep_newest: 200,
                max_age_days: 14.0,
                max_turns: 500,
            },
        }
    }
}

/// A file that is usable.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Parsed {
    pub tool: Tool,
    /// Why `project` was left out.
    pub identity: Option<Problem>,
}

/// Checks the whole file.
pub(super) fn parse(file: &Value) -> Result<Parsed, Problem> {
    let top = Key::top(file)?;
    let version = version(&top.get("version"))?;
    let identity = project(&top);
    let project_slug = top
        .get("projectSlug")
        .text_that("lowercase letters, digits and hyphens inside", is_slug)?;
    if version == 1 && project_slug.is_none() {
        return Err(top
            .get("projectSlug")
            .problem("is missing; only version 2 of the file may leave it out"));
    }
    let project_id = top
        .get("projectId")
        .text_that("letters, digits, hyphens and underscores", is_id)?;
    let platform_base_url = web_address(&top.get("platformBaseUrl"))?;
    let tool = Tool {
        project: identity.as_ref().ok().cloned().flatten(),
        project_slug,
        project_id,
        platform_base_url,
        chat: chat(&top.object("chat")?)?,
        conventions: conventions(&top.object("conventions")?)?,
        editor: surfaces(&top.object("editor")?)?,
        retention: retention(&top.object("retention")?)?,
    };
    Ok(Parsed {
        tool,
        identity: identity.err(),
    })
}

fn version(key: &Key<'_>) -> Result<u64, Problem> {
    let version = key.value().and_then(integer);
    version
        .filter(|version| matches!(version, 1 | 2))
        .ok_or_else(|| key.expected("1 or 2"))
}

fn project(top: &Key<'_>) -> Result<Option<Project>, Problem> {
    let project = top.object("project")?;
    if project.is_missing() {
        return Ok(None);
    }
    let required = |name: &str, what: &str, good: fn(&str) -> bool| {
        let key = project.get(name);
        key.text_that(what, good)?.ok_or_else(|| key.expected(what))
    };
    Ok(Some(Project {
        id: required("id", "letters, digits, hyphens and underscores", is_id)?,
        name: required("name", "a text that is not empty", |name| !name.trim().is_empty())?,
        slug: required("slug", "lowercase letters, digits and hyphens inside", is_slug)?,
        viewer_url: web_address(&project.get("viewerUrl"))?.map(String::from),
    }))
}

fn chat(chat: &Key<'_>) -> Result<Chat, Problem> {
    let default = Tool::default().chat;
    let ceiling = chat.get("costCeilingUsd");
    let cost_ceiling_usd = match ceiling.value() {
        None | Some(Value::Null) => None,
        Some(value) => {
            let dollars = value.as_f64().filter(|dollars| *dollars >= 0.0);
            let dollars = dollars.ok_or_else(|| ceiling.expected("a number of dollars or null"))?;
            Some(dollars).filter(|dollars| *dollars > 0.0)
        }
    };
    Ok(Chat {
        detached_sessions: chat
            .get("detachedSessions")
            .boolean()?
            .unwrap_or(default.detached_sessions),
        cost_ceiling_usd,
        max_model_calls_per_turn: chat.get("maxModelCallsPerTurn").positive_number()?,
        max_tool_calls_per_turn: chat.get("maxToolCallsPerTurn").positive_number()?,
    })
}

fn conventions(conventions: &Key<'_>) -> Result<Conventions, Problem> {
    Ok(Conventions {
        use_repo_conventions: conventions.get("useRepoConventions").boolean()?.unwrap_or(true),
        exclude_files: conventions.get("excludeFiles").texts()?,
    })
}

fn surfaces(editor: &Key<'_>) -> Result<Surfaces, Problem> {
    let default = Tool::default().editor;
    let flag = |name: &str, default: bool| Ok::<_, Problem>(editor.get(name).boolean()?.unwrap_or(default));
    Ok(Surfaces {
        reload_backstop: flag("reloadBackstop", default.reload_backstop)?,
        canvas: flag("canvas", default.canvas)?,
        code_view: flag("codeView", default.code_view)?,
        notes: flag("notes", default.notes)?,
        vscode_link: flag("vscodeLink", default.vscode_link)?,
    })
}

fn retention(retention: &Key<'_>) -> Result<Retention, Problem> {
    let default = Tool::default().retention;
    let backups = retention.object("backups")?;
    let turns = retention.object("chatSessionTurns")?;
    Ok(Retention {
        keep_newest: backups
            .get("keepNewest")
            .positive_integer()?
            .unwrap_or(default.keep_newest),
        max_age_days: backups
            .get("maxAgeDays")
            .positive_number()?
            .unwrap_or(default.max_age_days),
        max_turns: turns.get("maxTurns").positive_integer()?.unwrap_or(default.max_turns),
    })
}

fn web_address(key: &Key<'_>) -> Result<Option<Url>, Problem> {
    let Some(text) = key.text()? else { return Ok(None) };
    let url = Url::parse(text).ok();
    let url = url.filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    url.map(Some)
        .ok_or_else(|| key.expected("a whole address that begins with http:// or https://"))
}

/// Lowercase letters and digits, with hyphens between them.
fn is_slug(text: &str) -> bool {
    let inside = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    !text.is_empty() && !text.starts_with('-') && !text.ends_with('-') && text.chars().all(inside)
}

fn is_id(text: &str) -> bool {
    let inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    !text.is_empty() && text.chars().all(inside)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn failing(file: Value) -> String {
        match parse(&file) {
            Err(problem) => problem.key,
            Ok(parsed) => panic!("{file} was taken: {parsed:?}"),
        }
    }

    #[test]
    fn a_file_with_only_its_version_has_every_default() {
        let parsed = parse(&json!({ "version": 2 })).unwrap();
        assert_eq!(parsed.tool, Tool::default());
        assert_eq!(parsed.identity, None);
    }

    #[test]
    fn every_key_is_read() {
        let file = json!({
            "version": 1, "projectSlug": "shop-2", "projectId": "p_1-A", "platformBaseUrl": "https://review.example.com/",
            "project": { "id": "p1", "name": "Shop", "slug": "shop", "viewerUrl": "https://review.example.com/p/shop/" },
            "chat": { "detachedSessions": false, "costCeilingUsd": 2.5, "maxModelCallsPerTurn": 3, "maxToolCallsPerTurn": 1.5 },
            "conventions": { "useRepoConventions": false, "excludeFiles": ["docs/a.md"] },
            "editor": { "reloadBackstop": false, "canvas": true, "codeView": true, "notes": true, "vscodeLink": true },
            "retention": { "backups": { "keepNewest": 7.0, "maxAgeDays": 0.5 }, "chatSessionTurns": { "maxTurns": 9 } },
            "somethingElse": { "of": "others" }
        });
        let tool = parse(&file).unwrap().tool;
        assert_eq!(tool.project.unwrap().slug, "shop");
        assert_eq!(
            (tool.project_slug.as_deref(), tool.project_id.as_deref()),
            (Some("shop-2"), Some("p_1-A"))
        );
        assert_eq!(tool.platform_base_url.unwrap().as_str(), "https://review.example.com/");
        let chat = Chat {
            detached_sessions: false,
            cost_ceiling_usd: Some(2.5),
            max_model_calls_per_turn: Some(3.0),
            max_tool_calls_per_turn: Some(1.5),
        };
        assert_eq!(tool.chat, chat);
        assert_eq!(tool.conventions.exclude_files, ["docs/a.md"]);
        assert!(tool.editor.canvas && tool.editor.code_view && tool.editor.notes && tool.editor.vscode_link);
        assert!(!tool.editor.reload_backstop && !tool.conventions.use_repo_conventions);
        let retention = Retention {
            keep_newest: 7,
            max_age_days: 0.5,
            max_turns: 9,
        };
        assert_eq!(tool.retention, retention);
    }

    #[test]
    fn zero_and_null_are_no_ceiling() {
        for ceiling in [json!(0), json!(null), json!(0.0)] {
            let parsed = parse(&json!({ "version": 2, "chat": { "costCeilingUsd": ceiling } })).unwrap();
            assert_eq!(parsed.tool.chat.cost_ceiling_usd, None);
        }
    }

    #[test]
    fn the_first_failing_key_is_named_by_its_full_path() {
        for (file, key) in [
            (json!({}), "version"),
            (json!({ "version": 3 }), "version"),
            (json!({ "version": "2" }), "version"),
            (json!({ "version": 1 }), "projectSlug"),
            (json!({ "version": 2, "projectSlug": "-a" }), "projectSlug"),
            (json!({ "version": 2, "projectSlug": "Shop" }), "projectSlug"),
            (json!({ "version": 2, "projectSlug": "" }), "projectSlug"),
            (json!({ "version": 2, "projectId": "a b" }), "projectId"),
            (
                json!({ "version": 2, "platformBaseUrl": "example.com" }),
                "platformBaseUrl",
            ),
            (
                json!({ "version": 2, "platformBaseUrl": "ftp://example.com" }),
                "platformBaseUrl",
            ),
            (json!({ "version": 2, "platformBaseUrl": "/review" }), "platformBaseUrl"),
            (json!({ "version": 2, "chat": [] }), "chat"),
            (
                json!({ "version": 2, "chat": { "detachedSessions": 1 } }),
                "chat.detachedSessions",
            ),
            (
                json!({ "version": 2, "chat": { "costCeilingUsd": -1 } }),
                "chat.costCeilingUsd",
            ),
            (
                json!({ "version": 2, "chat": { "costCeilingUsd": "5" } }),
                "chat.costCeilingUsd",
            ),
            (
                json!({ "version": 2, "chat": { "maxModelCallsPerTurn": 0 } }),
                "chat.maxModelCallsPerTurn",
            ),
            (
                json!({ "version": 2, "chat": { "maxToolCallsPerTurn": null } }),
                "chat.maxToolCallsPerTurn",
            ),
            (
                json!({ "version": 2, "conventions": { "useRepoConventions": "no" } }),
                "conventions.useRepoConventions",
            ),
            (
                json!({ "version": 2, "conventions": { "excludeFiles": ["a", 2] } }),
                "conventions.excludeFiles[1]",
            ),
            (
                json!({ "version": 2, "conventions": { "excludeFiles": "a" } }),
                "conventions.excludeFiles",
            ),
            (
                json!({ "version": 2, "editor": { "reloadBackstop": null } }),
                "editor.reloadBackstop",
            ),
            (json!({ "version": 2, "editor": { "canvas": 1 } }), "editor.canvas"),
            (
                json!({ "version": 2, "editor": { "codeView": "on" } }),
                "editor.codeView",
            ),
            (json!({ "version": 2, "editor": { "notes": {} } }), "editor.notes"),
            (
                json!({ "version": 2, "editor": { "vscodeLink": 0 } }),
                "editor.vscodeLink",
            ),
            (
                json!({ "version": 2, "retention": { "backups": 1 } }),
                "retention.backups",
            ),
            (
                json!({ "version": 2, "retention": { "backups": { "keepNewest": 1.5 } } }),
                "retention.backups.keepNewest",
            ),
            (
                json!({ "version": 2, "retention": { "backups": { "keepNewest": 0 } } }),
                "retention.backups.keepNewest",
            ),
            (
                json!({ "version": 2, "retention": { "backups": { "maxAgeDays": -1 } } }),
                "retention.backups.maxAgeDays",
            ),
            (
                json!({ "version": 2, "retention": { "chatSessionTurns": { "maxTurns": 0 } } }),
                "retention.chatSessionTurns.maxTurns",
            ),
            // With several, the first one counts.
            (
                json!({ "version": 2, "editor": { "notes": 1 }, "chat": { "detachedSessions": 1 } }),
                "chat.detachedSessions",
            ),
        ] {
            assert_eq!(failing(file.clone()), key, "{file}");
        }
    }

    #[test]
    fn a_malformed_identity_is_left_out_alone() {
        for project in [
            json!({ "name": "Shop", "slug": "shop" }),
            json!({ "id": "p1", "name": "", "slug": "shop" }),
            json!({ "id": "p1", "name": "Shop", "slug": "Shop" }),
            json!({ "id": "p1", "name": "Shop", "slug": "shop", "viewerUrl": "shop" }),
            json!("shop"),
            json!(null),
        ] {
            let parsed = parse(&json!({ "version": 2, "project": project, "editor": { "notes": true } })).unwrap();
            assert_eq!(parsed.tool.project, None);
            assert!(parsed.tool.editor.notes);
            assert!(parsed.identity.is_some_and(|problem| problem.concerns("project")));
        }
    }
}
