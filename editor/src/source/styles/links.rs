//! Which file an import means, and which stylesheets the prototype loads.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use parking_lot::Mutex;

use oxc::ast::ast::{ImportDeclarationSpecifier, Statement};

use crate::source::css::Dialect;
use crate::source::imports::{ImportResolver, Target, join};
use crate::source::model::Project;
use crate::source::model::memo::Memo;
use crate::source::script::with_program;

use super::scripts::Scripts;
use super::subject::Subject;

/// The file that `specifier`, written in the file `from`, means.
pub(super) fn resolve(project: &dyn Project, from: &str, specifier: &str) -> Option<String> {
    match ImportResolver::new(project).resolve(from, specifier) {
        Target::File(path) => Some(path),
        Target::Library(_) | Target::Missing => None,
    }
}

/// The files that names stand for which the subject's scripts import whole: `import styles from './a.module.css'`.
pub(super) fn imported(subject: &Subject<'_>, local: &str) -> Option<String> {
    subject.scripts.iter().find_map(|range| {
        let script = subject.text.get(range.clone())?;
        with_program("style.tsx", script, |program| {
            program.body.iter().find_map(|statement| {
                let Statement::ImportDeclaration(import) = statement else {
                    return None;
                };
                let named = import.specifiers.iter().flatten().any(|specifier| match specifier {
                    ImportDeclarationSpecifier::ImportDefaultSpecifier(own) => own.local.name == local,
                    ImportDeclarationSpecifier::ImportNamespaceSpecifier(own) => own.local.name == local,
                    ImportDeclarationSpecifier::ImportSpecifier(_) => false,
                });
                named.then(|| import.source.value.to_string())
            })
        })
        .ok()
        .flatten()
    })
}

/// By stylesheet: whether a file names it.
type Named = Arc<Mutex<HashMap<String, bool>>>;

/// What is kept of the files that may name stylesheets.
#[derive(Debug, Default)]
struct Names(Memo<Named>);

/// Who names a stylesheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LoadedBy {
    Nobody,
    /// Other stylesheets only, which may say under which conditions it holds.
    Stylesheets,
    /// A script, a page or the configuration, too.
    Scripts,
}

/// By stylesheet: who names it among these texts. They are held, so that none of them can be another one's memory.
#[derive(Debug, Default)]
struct Loaded {
    texts: Vec<(String, Arc<str>)>,
    loaded: HashMap<String, Naming>,
}

/// Who names a stylesheet, and the file that decided it; `None` when no file names it.
#[derive(Debug, Clone)]
struct Naming {
    by: LoadedBy,
    file: Option<String>,
}

impl Loaded {
    /// Goes on with other texts. What the changed files cannot have changed stays known.
    fn follow(&mut self, texts: &[(String, Arc<str>)]) {
        let same_files = self.texts.len() == texts.len()
            && self
                .texts
                .iter()
                .zip(texts)
                .all(|((known, _), (path, _))| known == path);
        if same_files {
            // What mostly happens: some file has another text.
            for (known, (path, text)) in self.texts.iter_mut().zip(texts) {
                if !Arc::ptr_eq(&known.1, text) {
                    known.1 = text.clone();
                    self.loaded.retain(|sheet, naming| {
                        naming.file.as_deref() != Some(path.as_str())
                            && (naming.by == LoadedBy::Scripts || !names(path, text, sheet))
                    });
                }
            }
            return;
        }
        let before: HashMap<&str, &Arc<str>> = self.texts.iter().map(|(path, text)| (path.as_str(), text)).collect();
        let is_same = |(path, text): &&(String, Arc<str>)| {
            before.get(path.as_str()).is_some_and(|known| Arc::ptr_eq(known, text))
        };
        let (unchanged, changed): (Vec<_>, Vec<_>) = texts.iter().partition(is_same);
        let unchanged: HashSet<&str> = unchanged.iter().map(|(path, _)| path.as_str()).collect();
        self.loaded.retain(|sheet, naming| {
            naming.file.as_deref().is_none_or(|file| unchanged.contains(file))
                && (naming.by == LoadedBy::Scripts || !changed.iter().any(|(path, text)| names(path, text, sheet)))
        });
        self.texts = texts.to_vec();
    }
}

/// What was found out last.
#[derive(Debug, Default)]
struct Last(Mutex<Loaded>);

/// Which of the stylesheets some file of the prototype names in an import, a link, or its configuration.
pub(super) fn loaded(project: &dyn Project, scripts: &Scripts, sheets: &[String]) -> HashSet<String> {
    let by = loaded_by(project, scripts, sheets).into_iter();
    by.filter(|(_, by)| *by != LoadedBy::Nobody)
        .map(|(sheet, _)| sheet)
        .collect()
}

/// Who names each of the stylesheets.
pub(super) fn loaded_by(project: &dyn Project, scripts: &Scripts, sheets: &[String]) -> HashMap<String, LoadedBy> {
    if sheets.is_empty() {
        return HashMap::new();
    }
    let texts = scripts.texts(project);
    let Some(kept) = project.kept() else {
        let by = |sheet: &String| who(texts, &|path, text| names(path, text, sheet)).by;
        return sheets.iter().map(|sheet| (sheet.clone(), by(sheet))).collect();
    };
    let (memo, last) = (kept.of::<Names>(), kept.of::<Last>());
    let mut last = last.0.lock();
    let is_same = last.texts.len() == texts.len()
        && texts
            .iter()
            .zip(&last.texts)
            .all(|((path, text), (known, before))| Arc::ptr_eq(text, before) && path == known);
    if !is_same {
        last.follow(texts);
    }
    let mut by = |sheet: &String| {
        if let Some(known) = last.loaded.get(sheet) {
            return known.by;
        }
        let found = who(texts, &|path, text| {
            let named = memo.0.get(path, text, Named::default);
            let known = named.lock().get(sheet).copied();
            known.unwrap_or_else(|| {
                let found = names(path, text, sheet);
                named.lock().insert(sheet.clone(), found);
                found
            })
        });
        let by = found.by;
        last.loaded.insert(sheet.clone(), found);
        by
    };
    sheets.iter().map(|sheet| (sheet.clone(), by(sheet))).collect()
}

/// Who of these files names a stylesheet, by what `names` says of each.
fn who(texts: &[(String, Arc<str>)], names: &dyn Fn(&str, &Arc<str>) -> bool) -> Naming {
    let mut naming = Naming {
        by: LoadedBy::Nobody,
        file: None,
    };
    for (path, text) in texts {
        let is_style = Dialect::of(path).is_some();
        // What is known already is not asked again.
        if (naming.by == LoadedBy::Stylesheets && is_style) || !names(path, text) {
            continue;
        }
        naming = Naming {
            by: if is_style {
                LoadedBy::Stylesheets
            } else {
                LoadedBy::Scripts
            },
            file: Some(path.clone()),
        };
        if !is_style {
            break;
        }
    }
    naming
}

/// Whether a file names a stylesheet other than itself.
fn names(path: &str, text: &str, sheet: &str) -> bool {
    let file = sheet.rsplit('/').next().unwrap_or(sheet);
    // SCSS leaves the underscore and the ending out.
    let stem = file
        .trim_start_matches('_')
        .rsplit_once('.')
        .map_or(file, |(stem, _)| stem);
    let wanted = if file.ends_with(".css") { file } else { stem };
    path != sheet
        && text
            .match_indices(wanted)
            .any(|(at, _)| means(path, specifier_around(text, at), sheet))
}

/// The quoted text around an offset.
fn specifier_around(text: &str, at: usize) -> &str {
    let edge = |c: char| matches!(c, '"' | '\'' | '`' | '(' | ')' | '\n' | ' ');
    let start = text[..at].rfind(edge).map_or(0, |edge| edge + 1);
    let end = text[at..].find(edge).map_or(text.len(), |end| at + end);
    &text[start..end]
}

/// Whether a specifier in the file `from` can mean the stylesheet.
pub(super) fn means(from: &str, specifier: &str, sheet: &str) -> bool {
    let specifier = specifier.split('?').next().unwrap_or_default();
    let same = |path: &str| {
        let bare = |path: &str| {
            let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
            let file = file.trim_start_matches('_');
            let file = file
                .strip_suffix(".scss")
                .or(file.strip_suffix(".less"))
                .unwrap_or(file);
            format!("{folder}/{file}")
        };
        bare(path) == bare(sheet)
    };
    if specifier.starts_with('.') {
        let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
        return join(folder, specifier).is_some_and(|path| same(&path));
    }
    // An alias stands for some folder: the rest of the path has to be the sheet's end.
    let rest = specifier.split_once('/').map_or(
        specifier,
        |(first, rest)| if first.len() <= 1 { rest } else { specifier },
    );
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut inside = ["", "src", "app", "public", folder]
        .into_iter()
        .filter_map(|base| join(base, rest));
    inside.any(|path| same(&path)) || (specifier.starts_with(['@', '~', '#']) && sheet.ends_with(&format!("/{rest}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_stylesheets_that_are_named_are_loaded() {
        let project = [
            ("src/main.tsx", "import './index.css'\nimport '@/styles/theme.css'"),
            ("src/index.css", "@import url(./base.css);"),
            ("src/styles/theme.css", ""),
            ("src/base.css", ""),
            ("src/dead.css", ""),
            ("src/other/index.css", ""),
            ("src/app.scss", "@use 'parts/buttons';"),
            ("src/parts/_buttons.scss", ""),
            ("nuxt.config.ts", "css: ['~/assets/main.css']"),
            ("app/assets/main.css", ""),
        ];
        let sheets: Vec<String> = project
            .files()
            .iter()
            .filter(|path| path.ends_with("css"))
            .cloned()
            .collect();
        let mut loaded: Vec<String> = loaded(&project, &Scripts::default(), &sheets).into_iter().collect();
        loaded.sort();
        assert_eq!(
            loaded,
            [
                "app/assets/main.css",
                "src/base.css",
                "src/index.css",
                "src/parts/_buttons.scss",
                "src/styles/theme.css"
            ]
        );
    }

    #[test]
    fn what_is_known_follows_the_files() {
        let mut texts: HashMap<&str, Arc<str>> = HashMap::from([
            ("src/main.ts", "import './a.css'".into()),
            ("src/other.ts", "".into()),
            ("src/all.css", "@import './b.css';".into()),
        ]);
        let sheets = ["src/a.css", "src/b.css", "src/c.css"];
        let mut loaded = Loaded::default();
        let mut check = |texts: &HashMap<&str, Arc<str>>| {
            let list: Vec<(String, Arc<str>)> = texts
                .iter()
                .map(|(path, text)| ((*path).to_owned(), text.clone()))
                .collect();
            loaded.follow(&list);
            for sheet in sheets {
                let fresh = who(&list, &|path, text| names(path, text, sheet));
                let known = loaded.loaded.entry(sheet.to_owned()).or_insert_with(|| fresh.clone());
                assert_eq!(known.by, fresh.by, "{sheet} of {texts:?}");
            }
        };
        check(&texts);
        texts.insert("src/other.ts", "import './b.css'; import './c.css'".into());
        check(&texts);
        texts.insert("src/main.ts", "".into());
        check(&texts);
        texts.insert("src/other.ts", "import './a.css'".into());
        check(&texts);
        texts.remove("src/all.css");
        check(&texts);
        texts.remove("src/other.ts");
        check(&texts);
    }
}
