//! Nuxt's folders of components: `components/base/Button.vue` is `<BaseButton>`.

use super::super::evaluate::Resolver;
use super::super::registry::holds;
use crate::source::imports::{folder, join};
use crate::source::module::{Module, NodeId, Property, Shape};

/// A folder of components.
#[derive(Debug)]
struct Folder {
    path: String,
    /// Whether the folders in it are a part of the names.
    by_path: bool,
    /// What stands before each name.
    prefix: String,
}

impl Resolver<'_> {
    /// The components of Nuxt's folders: the application's root, a name and its file.
    pub(super) fn nuxt_components(&self, files: &[String]) -> Vec<(String, String, String)> {
        let mut found = Vec::new();
        for config in files.iter().filter(|path| is_config(path)) {
            let root = folder(config);
            let Some(folders) = self.folders(config, root, files) else {
                continue;
            };
            let inside = files.iter().filter(|path| holds(root, path));
            for path in inside.filter(|path| path.ends_with(".vue")) {
                // The first folder that holds it counts.
                let folder = folders.iter().find(|folder| holds(&folder.path, path));
                if let Some(folder) = folder {
                    let rest = path[folder.path.len()..].trim_start_matches('/');
                    let name = name(rest, folder);
                    found.push((root.to_owned(), name, path.clone()));
                }
            }
        }
        found
    }

    /// The folders of an application; `None` when its configuration decides about them in a way that is not understood.
    fn folders(&self, config: &str, root: &str, files: &[String]) -> Option<Vec<Folder>> {
        let module = self.module(config)?;
        let options = options(&module);
        let inside = |name: &str| join(root, name).filter(|path| files.iter().any(|file| holds(path, file)));
        let source = match options.and_then(|options| value(options, "srcDir")) {
            Some(given) => join(root, text(&module, given)?)?,
            None => inside("app").unwrap_or_else(|| root.to_owned()),
        };
        let folder = |path: &str, by_path, prefix: &str| {
            let path = match path.split_once('/') {
                Some(("~" | "@", rest)) => join(&source, rest),
                Some(("~~" | "@@", rest)) => join(root, rest),
                _ if path.starts_with('.') => join(root, path),
                _ => join(&source, path),
            }?;
            let prefix = prefix.to_owned();
            Some(Folder { path, by_path, prefix })
        };
        let Some(given) = options.and_then(|options| value(options, "components")) else {
            let usual = ["components/islands", "components/global", "components"];
            return usual.iter().map(|path| folder(path, true, "")).collect();
        };
        let dirs = match &module[given].shape {
            Shape::Object(properties) => match &properties[..] {
                [only] if only.key.as_deref() == Some("dirs") => only.value,
                _ => return None,
            },
            _ => given,
        };
        let Shape::List(items) = &module[dirs].shape else {
            return None;
        };
        let read = |node: NodeId| match &module[node].shape {
            Shape::Text(path) => folder(&path.text, true, ""),
            Shape::Object(properties) => {
                let known = ["path", "pathPrefix", "prefix", "global", "watch", "priority"];
                let plain = |one: &Property| one.key.as_deref().is_some_and(|key| known.contains(&key));
                let path = text(&module, value(properties, "path")?)?;
                let prefix = match value(properties, "prefix") {
                    Some(prefix) => text(&module, prefix)?,
                    None => "",
                };
                let by_path = match value(properties, "pathPrefix") {
                    Some(given) => match module.excerpt(&module[given].range) {
                        "false" => false,
                        "true" => true,
                        _ => return None,
                    },
                    None => true,
                };
                properties
                    .iter()
                    .all(plain)
                    .then(|| folder(path, by_path, prefix))
                    .flatten()
            }
            _ => None,
        };
        items
            .iter()
            .map(|item| read(item.value).filter(|_| !item.spread))
            .collect()
    }
}

fn is_config(path: &str) -> bool {
    matches!(
        path.rsplit('/').next(),
        Some("nuxt.config.ts" | "nuxt.config.js" | "nuxt.config.mjs")
    )
}

/// `export default defineNuxtConfig({ … })`
fn options(module: &std::sync::Arc<Module>) -> Option<&[Property]> {
    let mut node = Resolver::default_object(module)?.id;
    if let Shape::Call(_, arguments) = &module[node].shape {
        node = *arguments.first()?;
    }
    match &module[node].shape {
        Shape::Object(properties) => Some(properties),
        _ => None,
    }
}

fn value(properties: &[Property], name: &str) -> Option<NodeId> {
    let named = properties.iter().find(|property| property.key.as_deref() == Some(name));
    named.map(|property| property.value)
}

fn text(module: &Module, node: NodeId) -> Option<&str> {
    match &module[node].shape {
        Shape::Text(fixed) => Some(&fixed.text),
        _ => None,
    }
}

/// The name of a file by Nuxt's rules: the folders' words, without those that the file's name begins with.
fn name(path: &str, folder: &Folder) -> String {
    let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
    let mut stem = file.strip_suffix(".vue").unwrap_or(file);
    for mode in [".island", ".global", ".client", ".server"] {
        stem = stem.strip_suffix(mode).unwrap_or(stem);
    }
    let own = words(if stem.eq_ignore_ascii_case("index") { "" } else { stem });
    let mut before = words(&folder.prefix);
    if folder.by_path {
        before.extend(words(folders));
    }
    let lower = |words: &[String]| words.join("/").to_lowercase();
    let content = lower(&own);
    let repeats = |index: &usize| {
        let suffix = lower(&before[*index..]);
        let begins = content == suffix || content.strip_prefix(&suffix).is_some_and(|rest| rest.starts_with('/'));
        let doubled = before[*index].to_lowercase() == content && before.get(index + 1) == Some(&before[*index]);
        begins || doubled
    };
    let kept = (0..before.len()).find(repeats).unwrap_or(before.len());
    let words = before[..kept].iter().chain(&own);
    words.map(|word| capital(word)).collect()
}

fn capital(word: &str) -> String {
    let mut characters = word.chars();
    let first = characters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(characters).collect()
}

/// The words of a name: `user-card`, `UserCard` and `user_card` are `user` and `card`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before: Option<bool> = None;
    for character in name.chars() {
        if matches!(character, '-' | '_' | '.' | '/') {
            words.push(String::new());
            before = None;
            continue;
        }
        // A number is neither.
        let upper = (!character.is_ascii_digit()).then(|| !character.is_lowercase());
        let last = words.len() - 1;
        if before == Some(false) && upper == Some(true) {
            words.push(String::new());
        } else if before == Some(true) && upper == Some(false) && words[last].chars().count() > 1 {
            // `XMLFile` is `XML` and `File`.
            let moved = words[last].pop();
            words.push(moved.into_iter().collect());
        }
        if let Some(word) = words.last_mut() {
            word.push(character);
        }
        before = upper;
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_nuxts_rules() {
        let folder = |by_path, prefix: &str| Folder {
            path: String::new(),
            by_path,
            prefix: prefix.to_owned(),
        };
        for (path, named) in [
            ("Card.vue", "Card"),
            ("base/foo/Button.vue", "BaseFooButton"),
            ("base/foo/BaseFooButton.vue", "BaseFooButton"),
            ("base/foo/FooButton.vue", "BaseFooButton"),
            ("status/StatusCard.vue", "StatusCard"),
            ("common/dropdown/DropdownItem.vue", "CommonDropdownItem"),
            ("user-card/index.vue", "UserCard"),
            ("Item/Item/Item.vue", "Item"),
            ("publish/PublishWidgetFull.client.vue", "PublishWidgetFull"),
            ("a/b.global.vue", "AB"),
        ] {
            assert_eq!(name(path, &folder(true, "")), named, "{path}");
        }
        assert_eq!(name("deep/down/Card.vue", &folder(false, "")), "Card");
        assert_eq!(name("deep/Card.vue", &folder(true, "app")), "AppDeepCard");
        assert_eq!(name("AppCard.vue", &folder(true, "App")), "AppCard");
        assert_eq!(words("XMLFileName2x_a.b"), ["XML", "File", "Name2x", "a", "b"]);
    }
}
