//! How a file is named in an import of another: as the imports around it do.

use super::properties::Types;
use crate::source::imports::{Target, folder};

/// How a project's files are named in imports that are there already: the specifier and the file it leads to, in the order in which
/// they count as examples.
pub(super) type Examples = Vec<(String, String)>;

/// The specifier of `target` for an import in `from`. The example nearest to the target decides between an alias and a relative
/// path, and whether the ending is written. `None` when nothing that is tried leads there.
pub(super) fn specifier(types: &Types<'_>, from: &str, target: &str, examples: &Examples) -> Option<String> {
    // What is of the same kind says best how it is named; styles and pictures say nothing of scripts.
    let alike = |example: &&(String, String)| is_script(&example.1) == is_script(target);
    let by_nearness = |(specifier, file): &&(String, String)| {
        let shared = shared(folder(file), folder(target));
        // Of equally near ones an alias is the choice somebody made for the project.
        (shared, !is_relative(specifier))
    };
    let nearest = examples.iter().filter(alike).max_by_key(by_nearness);
    let nearest = nearest.or_else(|| examples.iter().filter(|_| !is_script(target)).max_by_key(by_nearness));
    let mut candidates = Vec::new();
    let with_ending = nearest
        .or_else(|| examples.first())
        .and_then(|(specifier, file)| ending(specifier, file));
    let endings = spelled(target, with_ending.as_deref());
    let aliases = examples
        .iter()
        .filter(|(specifier, _)| !is_relative(specifier))
        .filter_map(|(specifier, file)| alias(specifier, file));
    let aliased = |found: &mut Vec<String>| {
        for (prefix, folder) in aliases.clone() {
            for path in &endings {
                if let Some(rest) = path.strip_prefix(folder.as_str()) {
                    found.push(format!("{prefix}{rest}"));
                }
            }
        }
    };
    let relative = |found: &mut Vec<String>| found.extend(endings.iter().map(|path| relative(folder(from), path)));
    if nearest.is_some_and(|(specifier, _)| !is_relative(specifier)) {
        aliased(&mut candidates);
        relative(&mut candidates);
    } else {
        relative(&mut candidates);
        aliased(&mut candidates);
    }
    candidates
        .into_iter()
        .find(|candidate| matches!(types.resolve(from, candidate), Target::File(path) if path == target))
}

pub(super) fn is_relative(specifier: &str) -> bool {
    specifier.starts_with("./") || specifier.starts_with("../") || specifier == "." || specifier == ".."
}

fn is_script(path: &str) -> bool {
    [".tsx", ".jsx", ".ts", ".js", ".vue", ".mjs", ".mts"]
        .iter()
        .any(|ending| path.ends_with(ending))
}

/// How many folders two paths have in common from the root on.
fn shared(one: &str, other: &str) -> usize {
    let parts = one.split('/').zip(other.split('/'));
    parts.take_while(|(one, other)| one == other && !one.is_empty()).count()
}

/// The ending that a specifier writes, of a file that has one.
fn ending(specifier: &str, file: &str) -> Option<String> {
    let (_, own) = file.rsplit('/').next()?.rsplit_once('.')?;
    let last = specifier.rsplit('/').next()?;
    let written = last.rsplit_once('.').map(|(_, ending)| ending)?;
    (written == own || matches!((written, own), ("js" | "jsx", "ts" | "tsx"))).then(|| written.to_owned())
}

/// The ways of writing a path, the wanted one first.
fn spelled(target: &str, example: Option<&str>) -> Vec<String> {
    let (bare, own) = target.rsplit_once('.').unwrap_or((target, ""));
    let whole = target.to_owned();
    // A component of Vue and a picture need it.
    if own == "vue" || !is_script(target) {
        return vec![whole];
    }
    let folder = bare.strip_suffix("/index").map(str::to_owned);
    let short = folder.into_iter().chain([bare.to_owned()]);
    match example {
        // TypeScript's own way: `./Card.js` is `Card.tsx`.
        Some("js" | "jsx") if own.starts_with('t') => [format!("{bare}.js"), whole].into_iter().chain(short).collect(),
        Some("vue") | None => short.chain([whole]).collect(),
        Some(_) => [whole].into_iter().chain(short).collect(),
    }
}

/// The alias in a specifier and the folder it stands for: `@/lib/a` for `src/lib/a.ts` is `@/` for `src/`.
fn alias(specifier: &str, file: &str) -> Option<(String, String)> {
    let bare = |path: &str| {
        let (start, last) = path.rsplit_once('/').map_or(("", path), |(start, last)| (start, last));
        let stem = last.rsplit_once('.').map_or(last, |(stem, _)| stem);
        match start.is_empty() {
            true => stem.to_owned(),
            false => format!("{start}/{stem}"),
        }
    };
    let (specifier, file) = (bare(specifier), bare(file));
    let file = match specifier.ends_with("/index") {
        true => file,
        false => file.strip_suffix("/index").map_or(file.clone(), str::to_owned),
    };
    let (mut left, mut right): (Vec<&str>, Vec<&str>) = (specifier.split('/').collect(), file.split('/').collect());
    while left.len() > 1 && !right.is_empty() && left.last() == right.last() {
        left.pop();
        right.pop();
    }
    if left.len() == specifier.split('/').count() {
        return None;
    }
    let slash = |parts: &[&str]| match parts.is_empty() {
        true => String::new(),
        false => format!("{}/", parts.join("/")),
    };
    Some((slash(&left), slash(&right)))
}

/// A path as it is written in a file of `base`.
fn relative(base: &str, path: &str) -> String {
    let base: Vec<&str> = base.split('/').filter(|part| !part.is_empty()).collect();
    let parts: Vec<&str> = path.split('/').collect();
    let same = base.iter().zip(&parts).take_while(|(one, other)| one == other).count();
    let up = "../".repeat(base.len() - same);
    let rest = parts[same..].join("/");
    match up.is_empty() {
        true => format!("./{rest}"),
        false => format!("{up}{rest}").trim_end_matches('/').to_owned(),
    }
}
