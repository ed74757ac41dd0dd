//! The tools of a chat, as a model is told of them. Sorted and without anything that changes from turn to turn: providers keep
//! what they read at the beginning of a request.

use serde_json::{Value, json};

use crate::agent::gate::Proposal;
use crate::models::Tool;

/// Names of the tools that are always there.
pub(super) const INSPECT: &str = "inspect";
pub(super) const TREE: &str = "tree";
pub(super) const EDIT: &str = "edit";
pub(super) const READ_FILE: &str = "read_file";
pub(super) const SEARCH: &str = "search";
pub(super) const LIST_COMMITS: &str = "list_commits";
pub(super) const DIFF_FILE: &str = "diff_file";
pub(super) const LOOK: &str = "look";
pub(super) const COMPONENTS: &str = "components";
pub(super) const WEB_FETCH: &str = "web_fetch";

/// Who the model is here, and how it works.
pub(super) const SYSTEM: &str = "You are the assistant in Galley's Editor, a tool in which people change a web prototype by its source. \
The prototype runs beside this chat; what you change is shown at once, and the user can take it back.

How you work:
- Do exactly what was asked, and nothing else. No clean-up, no reformatting, no additions.
- Selected elements are named by stamps, `path:line:column`. `inspect` tells what an element is and what can be changed for certain.
- To change something, try `edit` first: it is done by a program that knows the language and refuses what is not certain. Where it \
refuses, or the change is none of its kinds, use `propose`. After a change stamps of the same file may be others: `edit` answers with \
the new one, `tree` lists all.
- A refusal says why. Try another way once or twice; then tell the user what stands in the way.
- You cannot run commands, and you need none: reading and searching are tools.
- Where it is not clear what is meant, ask one short question instead of guessing.
- Answer in the user's language, briefly, in plain Markdown. Say what you changed; do not show whole files.";

fn tool(name: &str, description: &str, required: &[&str], properties: Value) -> Tool {
    Tool {
        name: name.to_owned(),
        description: description.to_owned(),
        input_schema: json!({
            "type": "object",
            "additionalProperties": false,
            "required": required,
            "properties": properties,
        }),
    }
}

fn text(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

/// All of them, sorted by name. Roots are those that can be read besides the prototype.
pub(super) fn all(roots: &[(String, String)]) -> Vec<Tool> {
    let names: Vec<String> = roots.iter().map(|(name, about)| format!("`{name}`: {about}")).collect();
    let root = match names.as_slice() {
        [] => text("`worktree`, the prototype; there are no others"),
        names => text(&format!(
            "`worktree`, the prototype (without it this one), or {}",
            names.join(", ")
        )),
    };
    let mut tools = vec![
        Proposal::tool(),
        tool(
            INSPECT,
            "What is known about an element: its attributes, classes, texts and styles, what can be changed for certain, and where it is used.",
            &["src"],
            json!({
                "src": text("the element's stamp, path:line:column"),
                "item": { "type": "integer", "description": "which item of a list, from 0" },
            }),
        ),
        tool(
            TREE,
            "The elements of a source file with their stamps; without a path the files that have elements.",
            &[],
            json!({ "path": text("relative to the prototype's root") }),
        ),
        edit(),
        tool(
            COMPONENTS,
            "The project's own components and those of libraries with their properties, and a `hint`, an example of the use, where there is one; \
            with `src` those that can stand at this element.",
            &[],
            json!({ "src": text("an element's stamp") }),
        ),
        tool(
            READ_FILE,
            "The text of a file, or of some of its lines.",
            &["path"],
            json!({
                "root": root,
                "path": text("relative to the root"),
                "from": { "type": "integer", "description": "the first line, from 1" },
                "to": { "type": "integer", "description": "the last line" },
                "sha": text("a commit, where the root is in git"),
            }),
        ),
        tool(
            SEARCH,
            "Lines that hold a text.",
            &["query"],
            json!({
                "root": root,
                "query": text("a text, as it is written"),
                "regex": { "type": "boolean", "description": "whether `query` is a regular expression" },
                "path": text("a folder or file to look in"),
            }),
        ),
        tool(
            LIST_COMMITS,
            "Commits of a root or of a file in it, newest first.",
            &[],
            json!({
                "root": root,
                "path": text("a file or folder"),
                "limit": { "type": "integer", "description": "at most so many, 20 without it" },
            }),
        ),
        tool(
            DIFF_FILE,
            "What became of a file between two commits, or between a commit and now.",
            &["path", "from"],
            json!({
                "root": root,
                "path": text("relative to the root"),
                "from": text("a commit"),
                "to": text("another one; without it what is there now"),
            }),
        ),
        tool(
            LOOK,
            "A picture of a page of the prototype as a browser shows it now, and what the page complains of.",
            &[],
            json!({
                "page": text("the page's path, as /shop; without it the one the user sees"),
                "width": { "type": "integer", "description": "in CSS pixels, 1280 without it" },
            }),
        ),
        tool(
            WEB_FETCH,
            "The text of a page of the web, from the hosts that the repository's configuration allows.",
            &["url"],
            json!({ "url": text("begins with https://") }),
        ),
    ];
    tools.sort_by(|a, b| a.name.cmp(&b.name));
    tools
}

fn edit() -> Tool {
    let kinds = "one of: `text` {text, run?}; `attribute` {name, value or null}; `style` {property, value or null}; `class` {add, remove}; \
        `insert` {place, markup} or {place, use: {path, export, props?, text?}}; `move` {to, place}; `duplicate`; `delete`; `picture` {name, path}";
    Tool {
        name: EDIT.to_owned(),
        description: "Change one element for certain: exactly this, in the source, or a refusal that says why. Where several answers are \
            right the refusal has `choices`: ask again with the option added."
            .to_owned(),
        input_schema: json!({
            "type": "object",
            "required": ["src", "kind"],
            "properties": {
                "src": text("the element's stamp, path:line:column"),
                "kind": text(kinds),
                "text": text("the new text"),
                "run": { "type": "integer", "description": "which of the element's texts, from 0" },
                "name": text("the attribute"),
                "value": { "type": ["string", "null"], "description": "the new value; null takes it away" },
                "property": text("the CSS property"),
                "add": { "type": "array", "items": { "type": "string" } },
                "remove": { "type": "array", "items": { "type": "string" } },
                "place": text("before, after, first or last"),
                "markup": text("an element in the file's language"),
                "use": { "type": "object", "description": "a component of the project" },
                "to": text("the stamp of another element"),
                "path": text("a picture of the project"),
                "scope": text("from `choices`: item or all"),
                "branch": text("from `choices`"),
                "usage": text("from `choices`"),
                "at": text("from `choices`"),
                "before": text("from `choices`"),
                "when": text("from `choices`: now or always"),
                "item": { "type": "integer", "description": "which item of a list, from 0" },
            },
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_never_changes_is_short_and_always_the_same() {
        let roots = [("docs".to_owned(), "the handbook".to_owned())];
        let tools = all(&roots);
        assert_eq!(tools, all(&roots));
        assert!(tools.is_sorted_by(|a, b| a.name < b.name));
        let size = serde_json::to_string(&tools).unwrap().len() + SYSTEM.len();
        assert!(size <= 24 << 10, "{size}");
    }
}
