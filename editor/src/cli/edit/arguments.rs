//! The arguments of `galley-editor edit`, as they are typed.

use std::path::PathBuf;

use clap::Parser;
use serde_json::{Map, Value, json};

/// What `--help` says after the options.
const AFTER: &str = "\
A request is a JSON object: `request` names what is asked for (edit when it is left out), the other keys are those of the local
API, which API.md describes. Without an option that is part of a request, requests are read from standard input, one a line,
and each is answered before the next is read. The answer is the API's, in one line, with the HTTP `status` added.

Requests:
  edit inspect tree undo redo history classes components file save status diff branches branch commit discard publish settings

No dev server is started and no port is opened. Edits go through the same engine, backups and history as in the Editor: undo
them here or there. While an Editor has the same prototype open, it answers the requests.

Exit codes:
  0  every request was answered with ok
  1  it could not start: the path, git, the configuration, or another program has the prototype open that answers no requests
  2  the arguments are wrong
  3  the repository is not supported, as without `edit`
  4  at least one request was refused: its answer says why, and `code` names the reason for programs
  5  at least one request failed by a defect, or by a broken machine

Examples:
  galley-editor edit . --request tree --path src/App.tsx
  galley-editor edit . --json --src src/App.tsx:12:6 --kind text --text \"Fish & chips\"
  galley-editor edit . --src src/App.tsx:12:6 --kind class --add p-4 --remove p-2
  galley-editor edit . --src src/App.tsx:12:6 --kind style --property color --value null
  galley-editor edit . --request undo
  echo '{ \"request\": \"inspect\", \"src\": \"src/App.tsx:12:6\" }' | galley-editor edit . --json
  galley-editor edit . --json --fail-fast < requests.jsonl > answers.jsonl";

/// Edits a prototype's source from scripts and CI: reads requests, and answers each as the Editor's local API does
#[derive(Debug, Clone, Default, Parser)]
#[command(name = "galley-editor edit", version, after_help = AFTER, max_term_width = 120)]
pub struct EditArguments {
    /// The prototype's folder: the one that holds its package.json
    #[arg(value_name = "PATH")]
    pub path: PathBuf,

    /// Answers in JSON, one line a request; without it, in words and diffs for people
    #[arg(long)]
    pub json: bool,

    /// Ends at the first request that is not answered with ok
    #[arg(long)]
    pub fail_fast: bool,

    /// What is asked for [default: edit]
    #[arg(long, value_name = "NAME")]
    pub request: Option<String>,

    /// The element, as path:line:column of its `<` (line from 1, column from 0)
    #[arg(long, value_name = "PLACE")]
    pub src: Option<String>,

    /// The kind of edit: text, attribute, style, class, insert, move, duplicate, delete, detach or swap
    #[arg(long, value_name = "KIND")]
    pub kind: Option<String>,

    /// The new text
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub text: Option<String>,

    /// An attribute's name
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,

    /// A CSS property
    #[arg(long, value_name = "PROPERTY", allow_hyphen_values = true)]
    pub property: Option<String>,

    /// The value of an attribute or a property; `null` removes it
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    pub value: Option<String>,

    /// A class to add; may be given several times
    #[arg(long, value_name = "CLASS", allow_hyphen_values = true)]
    pub add: Vec<String>,

    /// A class to remove; may be given several times
    #[arg(long, value_name = "CLASS", allow_hyphen_values = true)]
    pub remove: Vec<String>,

    /// Where an insert or a move goes: before, after, first or last
    #[arg(long, value_name = "WHERE")]
    pub place: Option<String>,

    /// The markup to insert
    #[arg(long, value_name = "MARKUP")]
    pub markup: Option<String>,

    /// The element that a move goes to
    #[arg(long, value_name = "PLACE")]
    pub to: Option<String>,

    /// A file, relative to the prototype
    #[arg(long = "path", id = "file", value_name = "FILE")]
    pub file: Option<String>,

    /// The message of a commit
    #[arg(long, value_name = "TEXT")]
    pub message: Option<String>,

    /// Any other key of the request, its value as JSON: `--with item=2`, `--with scope='"all"'`
    #[arg(long, value_name = "KEY=JSON", value_parser = key_and_json)]
    pub with: Vec<(String, Value)>,
}

impl EditArguments {
    /// The one request of the command line; `None` when requests come from standard input.
    pub fn asked(&self) -> Option<Map<String, Value>> {
        let texts = [
            ("request", &self.request),
            ("src", &self.src),
            ("kind", &self.kind),
            ("text", &self.text),
            ("name", &self.name),
            ("property", &self.property),
            ("place", &self.place),
            ("markup", &self.markup),
            ("to", &self.to),
            ("path", &self.file),
            ("message", &self.message),
        ];
        let mut request = Map::new();
        for (key, value) in texts {
            if let Some(value) = value {
                request.insert(key.to_owned(), json!(value));
            }
        }
        if let Some(value) = &self.value {
            let value = if value == "null" { Value::Null } else { json!(value) };
            request.insert("value".to_owned(), value);
        }
        if self.kind.as_deref() == Some("class") {
            request.insert("add".to_owned(), json!(self.add));
            request.insert("remove".to_owned(), json!(self.remove));
        }
        request.extend(self.with.iter().cloned());
        (!request.is_empty()).then_some(request)
    }
}

fn key_and_json(text: &str) -> Result<(String, Value), String> {
    let (key, value) = text.split_once('=').ok_or("write it as KEY=JSON, as item=2")?;
    let value = serde_json::from_str(value)
        .map_err(|error| format!("the value is no JSON ({error}): a text stands in quotes, as {key}='\"{value}\"'"))?;
    Ok((key.to_owned(), value))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn asked(arguments: &[&str]) -> Option<Map<String, Value>> {
        let typed = [&["galley-editor edit"], arguments].concat();
        EditArguments::try_parse_from(typed).unwrap().asked()
    }

    #[test]
    fn options_make_one_request_and_none_make_a_stream() {
        EditArguments::command().debug_assert();
        assert_eq!(asked(&[".", "--json", "--fail-fast"]), None);
        let request = asked(&[
            ".",
            "--src",
            "a.tsx:1:0",
            "--kind",
            "class",
            "--add",
            "-mt-2",
            "--with",
            "item=2",
        ]);
        let wanted = json!({ "src": "a.tsx:1:0", "kind": "class", "add": ["-mt-2"], "remove": [], "item": 2 });
        assert_eq!(request.map(Value::Object), Some(wanted));
        let request = asked(&[".", "--kind", "attribute", "--name", "alt", "--value", "null"]).unwrap();
        assert_eq!(request["value"], Value::Null);
        assert!(EditArguments::try_parse_from(["x", ".", "--with", "item"]).is_err());
        assert!(EditArguments::try_parse_from(["x"]).is_err());
    }

    #[test]
    fn the_help_names_every_request() {
        let line = AFTER.lines().find(|line| line.contains("inspect tree")).unwrap();
        let names: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(names, crate::api::Direct::names().collect::<Vec<_>>());
        assert!(AFTER.lines().all(|line| line.chars().count() <= 130));
    }
}
