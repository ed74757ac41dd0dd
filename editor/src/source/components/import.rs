//! The import of a component, as the file's other imports are written.

use std::ops::Range;

use oxc::ast::ast::{ImportDeclarationSpecifier, ImportOrExportKind, Statement};
use oxc::span::GetSpan;

use super::properties::Types;
use super::specifier::{Examples, specifier};
use crate::source::imports::Target;
use crate::source::model::plan::{Refusal, Replacement};
use crate::source::model::{Code, Project};
use crate::source::script;
use crate::source::sfc;
use crate::source::write::lines;

/// The script of a file that imports are written into.
pub(super) struct Script<'t> {
    pub path: &'t str,
    /// The whole file.
    pub text: &'t str,
    /// Where the script stands in it, and a file's name that tells its language; `None` when the file has none.
    pub block: Option<(Range<usize>, &'t str)>,
}

/// Where something is imported from.
#[derive(Debug, Clone, Copy)]
pub(super) enum Origin<'w> {
    /// A file of the project; how it is named in an import is found out.
    File(&'w str),
    /// A package, or a part of one, as an import names it.
    Package(&'w str),
}

/// What is imported, and by which name.
pub(super) struct Wanted<'w> {
    pub origin: Origin<'w>,
    /// `default`, or a name.
    pub export: &'w str,
    /// The name it gets where it is not imported yet.
    pub local: &'w str,
}

/// A name of the file that means the component, and what has to be written so that it does.
pub(super) struct Imported {
    pub local: String,
    pub replacement: Option<Replacement>,
}

/// An import statement; its places are those of the file.
pub(super) struct Statements {
    list: Vec<Import>,
    /// Behind directives and a hashbang.
    top: usize,
    /// Every name that is declared at the top of the script.
    names: Vec<String>,
}

struct Import {
    range: Range<usize>,
    from: String,
    is_type: bool,
    /// Behind the last name of any kind, and whether that is a default alone.
    default: Option<(String, usize)>,
    namespace: bool,
    named: Vec<Named>,
    braces: bool,
    /// Behind the word `import`.
    behind_word: usize,
    quote: char,
    semicolon: bool,
}

struct Named {
    imported: String,
    local: String,
    is_type: bool,
    range: Range<usize>,
}

impl Statements {
    /// What is imported, as it is written.
    pub fn specifiers(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(|import| import.from.as_str())
    }

    /// Where the default export comes from that a name stands for.
    pub fn default_of(&self, name: &str) -> Option<&str> {
        let named = |import: &&Import| import.default.as_ref().is_some_and(|(local, _)| local == name);
        self.list.iter().find(named).map(|import| import.from.as_str())
    }
}

/// Makes the component known to the file.
pub(super) fn import(
    project: &dyn Project,
    types: &Types<'_>,
    script: &Script<'_>,
    wanted: &Wanted<'_>,
) -> Result<Imported, Refusal> {
    let own = match &script.block {
        Some((block, language)) => read(script.text, block, language),
        None => Statements {
            list: Vec::new(),
            top: 0,
            names: Vec::new(),
        },
    };
    let leads = |import: &&Import| match wanted.origin {
        Origin::File(file) => {
            matches!(types.resolve(script.path, &import.from), Target::File(path) if path == file && !import.from.contains('?'))
        }
        Origin::Package(package) => import.from == package,
    };
    let same: Vec<&Import> = own.list.iter().filter(|import| !import.is_type).filter(leads).collect();
    for import in &same {
        let known = match wanted.export {
            "default" => import.default.as_ref().map(|(local, _)| local),
            name => import
                .named
                .iter()
                .find(|one| one.imported == name && !one.is_type)
                .map(|one| &one.local),
        };
        if let Some(local) = known {
            return Ok(Imported {
                local: local.clone(),
                replacement: None,
            });
        }
    }
    if own.names.iter().any(|name| name == wanted.local) {
        let reason = format!(
            "{} means something else in {} already: rename one of the two in the code first",
            wanted.local, script.path
        );
        return Err(Refusal::uncertain(Code::NameTaken, reason));
    }
    let replacement = same.iter().find_map(|import| joined(script.text, import, wanted));
    let replacement = match replacement {
        Some(replacement) => replacement,
        None => statement(project, types, script, &own, wanted)?,
    };
    let (local, replacement) = (wanted.local.to_owned(), Some(replacement));
    Ok(Imported { local, replacement })
}

/// The name put into a statement that imports from the same file.
fn joined(text: &str, import: &Import, wanted: &Wanted<'_>) -> Option<Replacement> {
    if import.namespace {
        return None;
    }
    if wanted.export == "default" {
        let free = import.default.is_none() && import.braces;
        return free.then(|| Replacement::insert(import.behind_word, format!(" {},", wanted.local)));
    }
    let name = match wanted.export == wanted.local {
        true => wanted.local.to_owned(),
        false => format!("{} as {}", wanted.export, wanted.local),
    };
    match import.named.last() {
        Some(last) => {
            // In lines of their own, when the others have them.
            let between = match lines::begins_line(text, last.range.start) {
                true => format!(
                    ",{}{}",
                    lines::line_end(text),
                    lines::indentation(text, last.range.start)
                ),
                false => ", ".to_owned(),
            };
            Some(Replacement::insert(last.range.end, format!("{between}{name}")))
        }
        None if import.braces => None,
        None => {
            let (_, end) = import.default.as_ref()?;
            Some(Replacement::insert(*end, format!(", {{ {name} }}")))
        }
    }
}

/// A statement of its own, behind the last one.
fn statement(
    project: &dyn Project,
    types: &Types<'_>,
    script: &Script<'_>,
    own: &Statements,
    wanted: &Wanted<'_>,
) -> Result<Replacement, Refusal> {
    let (file, package) = match wanted.origin {
        Origin::File(file) => (Some(file), None),
        Origin::Package(package) => (None, Some(package)),
    };
    let neighbours = Neighbours::of(project, types, script.path, own, file);
    let found = file.and_then(|file| specifier(types, script.path, file, &neighbours.examples));
    let Some(from) = found.or_else(|| package.map(str::to_owned)) else {
        let reason = format!(
            "No import in {} would lead to {} for certain: write the import in the code first",
            script.path,
            file.unwrap_or_default()
        );
        return Err(Refusal::uncertain(Code::ImportMissing, reason));
    };
    let names = match wanted.export {
        "default" => wanted.local.to_owned(),
        name if name == wanted.local => format!("{{ {name} }}"),
        name => format!("{{ {name} as {} }}", wanted.local),
    };
    let (quote, end) = (neighbours.quote, if neighbours.semicolon { ";" } else { "" });
    let line = format!("import {names} from {quote}{from}{quote}{end}");
    let line_end = lines::line_end(script.text);
    let Some((block, _)) = &script.block else {
        return Ok(Replacement::insert(
            0,
            format!("<script setup>{line_end}{line}{line_end}</script>{line_end}{line_end}"),
        ));
    };
    if let Some(last) = own.list.iter().max_by_key(|import| import.range.end) {
        let indentation = match lines::begins_line(script.text, last.range.start) {
            true => lines::indentation(script.text, last.range.start),
            false => "",
        };
        return Ok(Replacement::insert(
            last.range.end,
            format!("{line_end}{indentation}{line}"),
        ));
    }
    // Behind the line end that follows `<script setup>`.
    let is_block = script.path.ends_with(".vue");
    let rest = &script.text[own.top..block.end];
    let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    match rest[blank..].starts_with(['\r', '\n']) {
        true if is_block => {
            let at = own.top + blank + if rest[blank..].starts_with("\r\n") { 2 } else { 1 };
            let next = &script.text[at..block.end];
            let indentation = match next.trim().is_empty() {
                true => "",
                false => &next[..next.len() - next.trim_start_matches([' ', '\t']).len()],
            };
            Ok(Replacement::insert(at, format!("{indentation}{line}{line_end}")))
        }
        _ if is_block => Ok(Replacement::insert(own.top, format!("{line_end}{line}{line_end}"))),
        _ => Ok(Replacement::insert(own.top, format!("{line}{line_end}"))),
    }
}

/// What the imports of the file, and else those of its neighbours, are like.
struct Neighbours {
    examples: Examples,
    quote: char,
    semicolon: bool,
}

/// How many other files are looked at for the style of imports.
const MAX_NEIGHBOURS: usize = 40;

impl Neighbours {
    fn of(project: &dyn Project, types: &Types<'_>, path: &str, own: &Statements, file: Option<&str>) -> Self {
        let mut examples = examples(types, path, own);
        let mut style = own.list.last().map(|import| (import.quote, import.semicolon));
        if examples.is_empty() || style.is_none() {
            // The component's own file, then those nearest to the place.
            let files = project.files();
            let folder = crate::source::imports::folder(path);
            let near = files.iter().filter(|other| {
                crate::source::imports::folder(other) == folder
                    && [".tsx", ".jsx", ".vue", ".ts", ".js"]
                        .iter()
                        .any(|ending| other.ends_with(ending))
            });
            let others = file
                .into_iter()
                .chain(near.map(String::as_str).filter(|other| *other != path));
            for other in others.take(MAX_NEIGHBOURS) {
                let Some(text) = project.read(other) else { continue };
                let found = of_file(other, &text);
                style = style.or_else(|| found.list.last().map(|import| (import.quote, import.semicolon)));
                if examples.is_empty() {
                    // A relative path of another file is no example of an address, but its way of naming is.
                    examples = self::examples(types, other, &found);
                }
            }
        }
        let (quote, semicolon) = style.unwrap_or(('\'', true));
        Self {
            examples,
            quote,
            semicolon,
        }
    }
}

/// The imports of files of the project.
pub(super) fn examples(types: &Types<'_>, path: &str, own: &Statements) -> Examples {
    let found = own
        .list
        .iter()
        .filter_map(|import| match types.resolve(path, &import.from) {
            Target::File(file) if !import.from.contains('?') => Some((import.from.clone(), file)),
            Target::File(_) => None,
            Target::Library(_) | Target::Missing => None,
        });
    found.collect()
}

pub(super) fn of_file(path: &str, text: &str) -> Statements {
    let none = Statements {
        list: Vec::new(),
        top: 0,
        names: Vec::new(),
    };
    if !path.ends_with(".vue") {
        return read(text, &(0..text.len()), path);
    }
    let Ok(sfc) = sfc::read(text) else { return none };
    let block = sfc
        .scripts()
        .find_map(|block| Some((block.content.range(), block.script_path()?)));
    block.map_or(none, |(range, language)| read(text, &range, language))
}

fn read(text: &str, block: &Range<usize>, language: &str) -> Statements {
    let base = block.start;
    let content = &text[block.clone()];
    let found = script::with_names(language, content, |semantic| {
        let scoping = semantic.scoping();
        let root = scoping.root_scope_id();
        let names = scoping
            .symbol_ids()
            .filter(|symbol| scoping.symbol_scope_id(*symbol) == root);
        names
            .map(|symbol| scoping.symbol_name(symbol).to_owned())
            .collect::<Vec<_>>()
    });
    let names = found.unwrap_or_default();
    let list = script::with_program(language, content, |program| {
        let statements = program.body.iter().filter_map(|statement| match statement {
            Statement::ImportDeclaration(import) => Some(import),
            _ => None,
        });
        let list = statements.map(|import| {
            let (start, end) = (import.span.start as usize, import.span.end as usize);
            let mut read = Import {
                range: base + start..base + end,
                from: import.source.value.to_string(),
                is_type: import.import_kind == ImportOrExportKind::Type,
                default: None,
                namespace: false,
                named: Vec::new(),
                braces: content[start..import.source.span.start as usize].contains('{'),
                behind_word: base + start + "import".len(),
                quote: if content[import.source.span.start as usize..].starts_with('"') {
                    '"'
                } else {
                    '\''
                },
                semicolon: content[start..end].ends_with(';'),
            };
            for specifier in import.specifiers.iter().flatten() {
                let span = specifier.span();
                let range = base + span.start as usize..base + span.end as usize;
                match specifier {
                    ImportDeclarationSpecifier::ImportSpecifier(one) => read.named.push(Named {
                        imported: one.imported.name().to_string(),
                        local: one.local.name.to_string(),
                        is_type: one.import_kind == ImportOrExportKind::Type,
                        range,
                    }),
                    ImportDeclarationSpecifier::ImportDefaultSpecifier(one) => {
                        read.default = Some((one.local.name.to_string(), range.end))
                    }
                    ImportDeclarationSpecifier::ImportNamespaceSpecifier(_) => read.namespace = true,
                }
            }
            read
        });
        let list: Vec<Import> = list.collect();
        let hashbang = program.hashbang.as_ref().map(|hashbang| hashbang.span.end);
        let last = program
            .directives
            .last()
            .map(|directive| directive.span.end)
            .or(hashbang);
        (list, last.map(|end| end as usize))
    });
    let (list, directives) = list.unwrap_or_default();
    let top = directives.map_or(0, |end| {
        end + content[end..].find('\n').map_or(content.len() - end, |line| line + 1)
    });
    Statements {
        list,
        top: base + top,
        names,
    }
}
