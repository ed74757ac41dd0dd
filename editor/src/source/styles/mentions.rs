//! How often the prototype's scripts name a class or a tag: what is told of a rule that others share.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use super::inline::words;
use super::links::is_script;
use super::subject::Subject;
use crate::source::model::Project;
use crate::source::model::memo::{Kept, Memo};

/// By name, with what it is a name of before it: how often one text has it.
type Counted = Arc<Mutex<HashMap<String, usize>>>;

/// What is kept of the texts of scripts.
#[derive(Debug, Default)]
struct Counts(Memo<Counted>);

/// How many names are kept for a text. More are asked for only when a stylesheet is rewritten again and again.
const MAX_NAMES: usize = 1_000;

/// What a rule names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mention {
    Class,
    Tag,
}

/// The scripts of the prototype but the element's own. They are read once for a request: many rules may ask.
#[derive(Debug, Default)]
pub(super) struct Others {
    files: OnceCell<Vec<(Arc<str>, Option<Counted>)>>,
}

impl Mention {
    /// How often `name` is mentioned so in a text.
    pub fn count(self, text: &str, name: &str) -> usize {
        match self {
            Self::Class => class_mentions(text, name),
            Self::Tag => tag_mentions(text, name),
        }
    }

    fn key(self, name: &str) -> String {
        match self {
            Self::Class => format!(".{name}"),
            Self::Tag => format!("<{name}"),
        }
    }
}

impl Others {
    /// How often they mention `name`.
    pub fn count(&self, project: &dyn Project, subject: &Subject<'_>, mention: Mention, name: &str) -> usize {
        let key = mention.key(name);
        let files = self.files.get_or_init(|| read(project, subject.path));
        let count = |(text, kept): &(Arc<str>, Option<Counted>)| {
            let Some(kept) = kept else {
                return mention.count(text, name);
            };
            if let Some(known) = kept.lock().get(&key) {
                return *known;
            }
            let count = mention.count(text, name);
            let mut kept = kept.lock();
            if kept.len() >= MAX_NAMES {
                kept.clear();
            }
            kept.insert(key.clone(), count);
            count
        };
        files.iter().map(count).sum()
    }
}

fn read(project: &dyn Project, own: &str) -> Vec<(Arc<str>, Option<Counted>)> {
    let files = project.files();
    let kept = project.kept().map(Kept::of::<Counts>);
    let others = files.iter().filter(|path| is_script(path) && *path != own);
    let read = others.filter_map(|path| {
        let text = project.read(path)?;
        let counted = kept.as_ref().map(|kept| kept.0.get(path, &text, Counted::default));
        Some((text, counted))
    });
    read.collect()
}

/// How often a class stands in strings: between quotes or white space.
fn class_mentions(text: &str, name: &str) -> usize {
    let edge = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`');
    words(text, name)
        .filter(|at| text[..*at].ends_with(edge) && text[at + name.len()..].starts_with(edge))
        .count()
}

fn tag_mentions(text: &str, name: &str) -> usize {
    words(text, name).filter(|at| text[..*at].ends_with('<')).count()
}
