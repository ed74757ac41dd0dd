//! A plugin's parts of the pages: where each stands, what it is called, and what it may read through the page around it.

use galley_people::name::is_disruptive;
use serde::{Deserialize, Serialize};

use crate::error::ManifestError;
use crate::guard::GuardKind;

/// The most parts of a plugin.
const MAX_PARTS: usize = 16;
/// The most requests that a part may ask the page for, beside the slot's own.
const MAX_READS: usize = 32;
/// The longest title, in characters.
const MAX_TITLE: usize = 40;

/// One part of the pages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UiPart<S> {
    /// Where it stands.
    pub at: UiPlace,
    /// What it is called there: at most 40 characters.
    pub title: S,
    /// The path of a picture beside the title, one of the plugin's files.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub icon: Option<S>,
    /// The path of its document, one of the plugin's files.
    pub entry: S,
    /// Who sees it; the default is [`UiPlace::guard`].
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub guard: Option<GuardKind>,
    /// What it may ask the page to read for it beside the slot's own routes: `GET /api/v1/…`, with `{name}` for a segment. In a
    /// project `{project}` is that project.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<S>,
}

/// Where a part of the pages stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UiPlace {
    /// A page of its own.
    Page,
    /// A tab of each project.
    ProjectTab,
    /// Beside the prototype in the review of each project.
    ReviewPanel,
    /// Among the pages for admins.
    Instance,
}

impl UiPlace {
    /// Who sees a part there that does not say more.
    pub const fn guard(self) -> GuardKind {
        match self {
            Self::Page => GuardKind::Identified,
            Self::ProjectTab | Self::ReviewPanel => GuardKind::ProjectRead,
            Self::Instance => GuardKind::InstanceAdmin,
        }
    }

    /// Whether a guard can be asked there.
    const fn takes(self, guard: GuardKind) -> bool {
        match self {
            Self::Page => matches!(
                guard,
                GuardKind::Public | GuardKind::Identified | GuardKind::InstanceAdmin
            ),
            Self::ProjectTab | Self::ReviewPanel => guard.needs_project(),
            Self::Instance => matches!(guard, GuardKind::InstanceAdmin),
        }
    }
}

fn none<T>() -> Option<T> {
    None
}

impl<S: AsRef<str>> UiPart<S> {
    /// Who sees it.
    pub fn guard(&self) -> GuardKind {
        self.guard.unwrap_or_else(|| self.at.guard())
    }

    fn check(&self) -> Result<(), ManifestError> {
        let title = self.title.as_ref();
        if title.trim().is_empty() || title.chars().count() > MAX_TITLE || title.chars().any(is_disruptive) {
            return Err(ManifestError::new(format!(
                "a part of `ui` has the title `{}`: 1 to {MAX_TITLE} characters are possible",
                title.escape_debug()
            )));
        }
        for path in self.icon.iter().chain([&self.entry]).map(AsRef::as_ref) {
            if !is_asset_path(path) {
                return Err(ManifestError::new(format!(
                    "the part `{title}` of `ui` names the file `{}`, which is no path of a file: words of letters, digits, `.`, \
                     `_` and `-` between `/`",
                    path.escape_debug()
                )));
            }
        }
        if !self.entry.as_ref().ends_with(".html") {
            return Err(ManifestError::new(format!(
                "the part `{title}` of `ui` begins with `{}`, which is no document: its name ends with `.html`",
                self.entry.as_ref()
            )));
        }
        let guard = self.guard();
        if !self.at.takes(guard) {
            return Err(ManifestError::new(format!(
                "the part `{title}` of `ui` has the guard `{guard}`, which cannot be asked at its place"
            )));
        }
        if self.reads.len() > MAX_READS {
            return Err(ManifestError::new(format!(
                "the part `{title}` of `ui` has {} reads, at most {MAX_READS} are possible",
                self.reads.len()
            )));
        }
        match self.reads.iter().find(|read| !is_read(read.as_ref())) {
            None => Ok(()),
            Some(read) => Err(ManifestError::new(format!(
                "the part `{title}` of `ui` reads `{}`, which is not `GET /api/v1/…` of plain words and `{{name}}`, outside of \
                 signing in",
                read.as_ref().escape_debug()
            ))),
        }
    }
}

/// Whether a text is the path of a plugin's file: words of letters, digits, `.`, `_` and `-` between `/`, none of which begins
/// with a dot.
pub fn is_asset_path(path: &str) -> bool {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-');
    let is_word = |word: &str| !word.is_empty() && !word.starts_with('.') && word.bytes().all(is_plain);
    path.split('/').all(is_word)
}

fn is_read(read: &str) -> bool {
    let Some(path) = read.strip_prefix("GET /api/v1/") else {
        return false;
    };
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-');
    let is_name = |word: &str| {
        let name = word.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        name.is_some_and(|name| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric()))
    };
    let is_segment =
        |word: &str| is_name(word) || (!word.is_empty() && !word.starts_with('.') && word.bytes().all(is_plain));
    let first = path.split('/').next().unwrap_or_default();
    !["auth", "unsubscribe"].contains(&first) && !is_name(first) && path.split('/').all(is_segment)
}

/// Checks each.
pub(crate) fn check<S: AsRef<str>>(parts: &[UiPart<S>]) -> Result<(), ManifestError> {
    if parts.len() > MAX_PARTS {
        return Err(ManifestError::new(format!(
            "it has {} parts of the pages in `ui`, at most {MAX_PARTS} are possible",
            parts.len()
        )));
    }
    parts.iter().try_for_each(UiPart::check)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(rest: &str) -> Result<UiPart<String>, String> {
        let text = format!(r#"{{"at":"review-panel","title":"Notes","entry":"panel.html"{rest}}}"#);
        let part: UiPart<String> = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        part.check().map_err(|error| error.to_string())?;
        Ok(part)
    }

    #[test]
    fn a_place_says_who_sees_a_part() {
        let part = read("").unwrap();
        assert_eq!((part.at, part.guard()), (UiPlace::ReviewPanel, GuardKind::ProjectRead));
        let part = read(r#","guard":"project:manage","icon":"img/a-b.svg""#).unwrap();
        assert_eq!(part.guard(), GuardKind::ProjectManage);
    }

    #[test]
    fn a_title_is_one_plain_line() {
        let mut part = read("").unwrap();
        for title in ["a\u{1b}[8m", "a\u{202e}b", "a\nb", " "] {
            part.title = title.to_owned();
            let error = part.check().unwrap_err().to_string();
            assert!(error.contains("has the title"), "{error}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (rest, named) in [
            (r#","guard":"instance:admin""#, "instance:admin"),
            (r#","guard":"signature""#, "signature"),
            (r#","icon":"../a.svg""#, "../a.svg"),
            (r#","icon":"/a.svg""#, "/a.svg"),
            (r#","icon":".git""#, ".git"),
            (r#","reads":["POST /api/v1/projects"]"#, "POST"),
            (r#","reads":["GET /api/v1/auth/local"]"#, "auth/local"),
            (r#","reads":["GET /api/v1/{any}"]"#, "{any}"),
            (r#","reads":["GET /api/v1/x?y=1"]"#, "x?y=1"),
            (r#","reads":["GET /p/x"]"#, "/p/x"),
            (r#","reads":["GET /api/v1/x/../me"]"#, ".."),
        ] {
            let error = read(rest).unwrap_err();
            assert!(error.contains(named), "{rest}: {error}");
        }
        assert!(read(r#","reads":["GET /api/v1/projects/{project}/deployments"]"#).is_ok());
    }
}
