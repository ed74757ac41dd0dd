//! The file of `galley plugins test`: the steps an author writes down, as JSON.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use galley_manifest::is_key;
use serde::Deserialize;
use serde_json::Value;

/// The largest file, in bytes.
const MAX_SCRIPT_BYTES: u64 = 16 << 20;

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Script {
    /// The component, relative to the file. Without it the plugin in the file's folder is built.
    #[serde(default)]
    pub plugin: Option<PathBuf>,
    /// Projects that are there, by slug, each with its access: `all-members`, `invited` or `public-link`.
    #[serde(default)]
    pub projects: BTreeMap<String, String>,
    /// Slots of the program's own plugins that serve beside.
    #[serde(default)]
    pub beside: Vec<String>,
    /// The plugin's settings and secrets before the first step.
    #[serde(default)]
    pub config: Config,
    /// What happens, one after the other.
    pub steps: Vec<Step>,
    /// Where the file is.
    #[serde(skip)]
    pub folder: PathBuf,
}

/// One thing that happens: a request, an event, a run of a job, a change of settings, or the next event of a stream.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Step {
    /// For people. The default is the request, or what happens in its place.
    #[serde(default)]
    pub name: Option<String>,
    /// Method and path: `POST /api/v1/projects/{shop}/x/hello`.
    #[serde(default)]
    pub request: Option<String>,
    /// Who asks.
    #[serde(default, rename = "as")]
    pub caller: Caller,
    /// More headers.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// A body of JSON.
    #[serde(default)]
    pub json: Option<Value>,
    /// A body of text.
    #[serde(default)]
    pub text: Option<String>,
    /// A body with the bytes of a file, relative to the script.
    #[serde(default)]
    pub file: Option<PathBuf>,
    /// A body that is a gzipped tar.
    #[serde(default)]
    pub archive: Option<Files>,
    /// Keeps the answer's stream of events open under this name.
    #[serde(default)]
    pub stream: Option<String>,
    /// Takes the next event of the stream with this name, in place of a request.
    #[serde(default)]
    pub next: Option<String>,
    /// An event that the plugin receives in place of a request.
    #[serde(default)]
    pub event: Option<Event>,
    /// A job of the plugin that runs now, in place of a request.
    #[serde(default)]
    pub job: Option<String>,
    /// Settings and secrets that change, in place of a request.
    #[serde(default)]
    pub config: Option<Config>,
    /// What has to come back.
    #[serde(default)]
    pub expect: Expected,
    /// Names for parts of the answer, each with a JSON pointer (`{ "id": "/id" }`): later steps write `{id}`.
    #[serde(default)]
    pub save: BTreeMap<String, String>,
}

/// Who asks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Caller {
    /// Without a credential.
    #[default]
    Nobody,
    /// Signed in, with this role.
    Viewer,
    /// Signed in, with this role.
    Editor,
    /// Signed in, with this role.
    Admin,
}

/// The files of an archive.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Files {
    /// Those of this folder, relative to the script.
    Of(PathBuf),
    /// By path, each with its text.
    Texts(BTreeMap<String, String>),
}

/// An event.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Event {
    /// A topic the plugin is subscribed to.
    pub topic: String,
    /// Its data.
    #[serde(default)]
    pub data: Value,
}

/// Settings and secrets of the plugin; an empty text takes one out.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Config {
    /// Texts, numbers and booleans by key.
    #[serde(default)]
    pub settings: BTreeMap<String, Value>,
    /// Texts by key.
    #[serde(default)]
    pub secrets: BTreeMap<String, String>,
}

/// What has to come back.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Expected {
    /// The status; of an event or a job 204 when it succeeded. The default is any from 200 to 299.
    #[serde(default)]
    pub status: Option<u16>,
    /// Headers that the answer has, among others.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// What the answer's JSON holds. Objects may have more keys; lists have these elements.
    #[serde(default)]
    pub json: Option<Value>,
    /// A text that the answer holds.
    #[serde(default)]
    pub text: Option<String>,
}

impl Caller {
    /// The role's name; `None` for nobody.
    pub fn role(self) -> Option<&'static str> {
        match self {
            Self::Nobody => None,
            Self::Viewer => Some("viewer"),
            Self::Editor => Some("editor"),
            Self::Admin => Some("admin"),
        }
    }
}

/// Reads a file.
pub fn read(file: &Path) -> anyhow::Result<Script> {
    let cannot = || format!("{} cannot be read", file.display());
    let length = std::fs::metadata(file).with_context(cannot)?.len();
    ensure!(
        length <= MAX_SCRIPT_BYTES,
        "{} has more than {MAX_SCRIPT_BYTES} bytes",
        file.display()
    );
    let text = std::fs::read_to_string(file).with_context(cannot)?;
    let mut script: Script = serde_json::from_str(&text).with_context(|| {
        format!(
            "{} is no list of requests (`galley plugins test --help` shows one)",
            file.display()
        )
    })?;
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    script.folder = folder.unwrap_or(Path::new(".")).to_owned();
    for (index, step) in script.steps.iter().enumerate() {
        let what = || format!("{}, step {}", file.display(), index + 1);
        step.check().with_context(what)?;
    }
    Ok(script)
}

impl Step {
    fn check(&self) -> anyhow::Result<()> {
        let count = |parts: &[bool]| parts.iter().filter(|is_there| **is_there).count();
        let kinds = [
            self.request.is_some(),
            self.event.is_some(),
            self.job.is_some(),
            self.config.is_some(),
            self.next.is_some(),
        ];
        ensure!(
            count(&kinds) == 1,
            "a step has one of `request`, `event`, `job`, `config` and `next`"
        );
        let bodies = [
            self.json.is_some(),
            self.text.is_some(),
            self.file.is_some(),
            self.archive.is_some(),
        ];
        ensure!(
            count(&bodies) <= 1,
            "a request has at most one of `json`, `text`, `file` and `archive`"
        );
        match &self.request {
            Some(request) => {
                let parts = request.split_once(' ');
                let is_one = parts.is_some_and(|(method, path)| {
                    !method.is_empty() && method.bytes().all(|byte| byte.is_ascii_uppercase()) && path.starts_with('/')
                });
                ensure!(
                    is_one,
                    "`{request}` is not a method and a path, such as `GET /api/v1/x/hello`"
                );
            }
            None => ensure!(
                self.caller == Caller::Nobody
                    && count(&bodies) == 0
                    && self.headers.is_empty()
                    && self.stream.is_none(),
                "`as`, `headers`, `stream` and a body belong to a `request`"
            ),
        }
        Ok(())
    }

    /// What people call it.
    pub fn title(&self) -> String {
        let event = || self.event.as_ref().map(|event| format!("the event {}", event.topic));
        let job = || self.job.as_ref().map(|job| format!("the job {job}"));
        let next = || self.next.as_ref().map(|stream| format!("the next event of {stream}"));
        let config = || self.config.as_ref().map(|_| "a change of the settings".to_owned());
        let title = self.name.clone().or_else(|| self.request.clone());
        let title = title.or_else(event).or_else(job).or_else(next).or_else(config);
        title.unwrap_or_default()
    }
}

/// Puts values for `{name}`. Names that nobody gave a value stay as they are.
pub fn fill(text: &str, values: &BTreeMap<String, String>) -> String {
    let mut filled = text.to_owned();
    for (name, value) in values {
        filled = filled.replace(&format!("{{{name}}}"), value);
    }
    filled
}

/// The same in a path, where a name without a value is a mistake: a typo would ask for what is not there.
pub fn fill_path(path: &str, values: &BTreeMap<String, String>) -> anyhow::Result<String> {
    let named = path.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0));
    for name in named.filter(|name| is_key(name)) {
        ensure!(
            values.contains_key(name),
            "`{{{name}}}` in the path is no project, no account and nothing that a step saved"
        );
    }
    Ok(fill(path, values))
}

/// [`fill`] in all texts of a JSON value.
pub fn fill_json(value: &Value, values: &BTreeMap<String, String>) -> Value {
    match value {
        Value::String(text) => fill(text, values).into(),
        Value::Array(list) => list.iter().map(|value| fill_json(value, values)).collect(),
        Value::Object(members) => {
            let members = members.iter();
            let filled = members.map(|(key, value)| (key.clone(), fill_json(value, values)));
            Value::Object(filled.collect())
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_in_a_path_has_a_value() {
        let values = BTreeMap::from([("shop".to_owned(), "p1".to_owned())]);
        let filled = |path: &str| fill_path(path, &values).map_err(|error| error.to_string());
        assert_eq!(filled("/api/v1/projects/{shop}/x").unwrap(), "/api/v1/projects/p1/x");
        let error = filled("/api/v1/projects/{shp}/x").unwrap_err();
        assert!(error.contains("`{shp}`"), "{error}");
        // Other braces are part of the path.
        assert_eq!(filled("/api/v1/x?q={\"a\":1}").unwrap(), "/api/v1/x?q={\"a\":1}");
        assert_eq!(fill("a {shp}", &values), "a {shp}");
    }
}
