//! What a model is shown of the files: those that the engine read on its way to the refusal, the element's own first.

use std::sync::Arc;

use parking_lot::Mutex;

use crate::agent::reading::is_withheld;
use crate::source::engine;
use crate::source::model::{self, Lanes, Language, Library, LineIndex, Project};
use crate::workspace::Workspace;

/// Everything together, in bytes.
const MAX_BYTES: usize = 30 << 10;
/// Of one file that is not the element's own.
const MAX_OTHER_BYTES: usize = 8 << 10;
/// Files.
const MAX_FILES: usize = 8;
/// Lines around the element, on each side, where its file is too long to be shown whole.
const AROUND: usize = 120;

/// The files.
pub(super) struct Context {
    pub(super) files: Vec<File>,
}

/// A file, or a part of it.
pub(super) struct File {
    pub(super) path: String,
    pub(super) text: String,
    /// The first line that is shown, and the last, when it is not the whole file.
    pub(super) lines: Option<(usize, usize)>,
}

impl Context {
    /// What may be changed is what was shown.
    pub(super) fn paths(&self) -> Vec<String> {
        self.files.iter().map(|file| file.path.clone()).collect()
    }
}

/// Notes which files are read. What was made of files before is not used, so that each is.
struct Noting<'w> {
    workspace: &'w Workspace,
    read: Mutex<Vec<String>>,
}

impl Project for Noting<'_> {
    fn read(&self, path: &str) -> Option<Arc<str>> {
        let text = self.workspace.read(path)?;
        let mut read = self.read.lock();
        if !read.iter().any(|known| known == path) {
            read.push(path.to_owned());
        }
        Some(text)
    }

    fn files(&self) -> Arc<[String]> {
        self.workspace.files()
    }

    fn type_config(&self) -> Option<String> {
        self.workspace.type_config()
    }

    fn libraries(&self) -> Arc<[Library]> {
        self.workspace.libraries()
    }
}

/// What the engine looked at for a request.
pub(super) fn context(workspace: &Workspace, request: &model::Request) -> Context {
    let noting = Noting {
        workspace,
        read: Mutex::default(),
    };
    let awake = Lanes {
        detach: true,
        swap: true,
    };
    drop(engine::plan(&noting, request, awake));
    let own = &request.src.path;
    let mut paths = vec![own.clone()];
    paths.extend(
        noting
            .read
            .into_inner()
            .into_iter()
            .filter(|path| path != own && is_shown(path)),
    );
    let mut files: Vec<File> = Vec::new();
    let mut left = MAX_BYTES;
    for path in paths {
        if files.len() == MAX_FILES {
            break;
        }
        if !workspace.is_own(&path) || path.split('/').any(is_withheld) {
            continue;
        }
        let Some(text) = workspace.read(&path) else { continue };
        let most = if files.is_empty() {
            left
        } else {
            left.min(MAX_OTHER_BYTES)
        };
        let file = if text.len() <= most {
            File {
                path,
                text: text.to_string(),
                lines: None,
            }
        } else if files.is_empty() {
            part(path, &text, request.src.at.line as usize, most)
        } else {
            continue;
        };
        left -= file.text.len().min(left);
        files.push(file);
    }
    Context { files }
}

/// Source of pages, their styles, and texts: not what configures.
fn is_shown(path: &str) -> bool {
    let ending = path.rsplit('.').next().unwrap_or_default();
    Language::of(path).is_some() || matches!(ending, "ts" | "json" | "css" | "scss" | "less")
}

/// The lines around one, as many as fit.
fn part(path: String, text: &str, line: usize, most: usize) -> File {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let at = line.saturating_sub(1).min(lines.len().saturating_sub(1));
    let (mut first, mut last) = (at, at);
    let mut bytes = lines.get(at).map_or(0, |line| line.len());
    for step in 1..=AROUND {
        for next in [at.checked_sub(step), Some(at + step)].into_iter().flatten() {
            let Some(line) = lines.get(next) else { continue };
            // A gap would be worse than a shorter part.
            let is_next = next + 1 == first || next == last + 1;
            if !is_next || bytes + line.len() > most {
                continue;
            }
            bytes += line.len();
            (first, last) = (first.min(next), last.max(next));
        }
    }
    let text: String = lines.get(first..=last).unwrap_or_default().concat();
    let cut = text.floor_char_boundary(most);
    File {
        path,
        text: text[..cut].to_owned(),
        lines: Some((first + 1, last + 1)),
    }
}

/// The element's own line, for people who read the request.
pub(super) fn line_of(text: &str, at: model::Position) -> String {
    let offset = LineIndex::new(text).offset(at).unwrap_or(0);
    let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    text[start..]
        .lines()
        .next()
        .unwrap_or_default()
        .trim()
        .chars()
        .take(200)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_file_the_lines_around_the_element_are_shown() {
        let text: String = (1..=1000).map(|line| format!("line {line}\n")).collect();
        let file = part("a.tsx".into(), &text, 500, 200);
        let (first, last) = file.lines.unwrap();
        assert!(first < 500 && last > 500 && file.text.len() <= 200, "{first} {last}");
        assert!(file.text.contains("line 500\n"));
        let file = part("a.tsx".into(), &text, 1, 100);
        assert_eq!(file.lines.unwrap().0, 1);
        assert_eq!(part("a.tsx".into(), &"x".repeat(500), 1, 100).text.len(), 100);
    }
}
