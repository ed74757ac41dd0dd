//! Which modules a source file uses: the paths in it, and the modules they lead to. Enough of Rust's rules for that: groups,
//! `crate`, `self` and `super`, modules of the file itself, and names that a module passes on with `pub use`.

use std::collections::{BTreeMap, BTreeSet};

use super::rust_source::{Source, is_word};

/// A module by the names that lead to it from the crate's root, which is the empty path.
pub type Module = Vec<String>;

/// The paths of one file.
struct Paths {
    /// What `pub use` passes on: the name, and the path it stands for. `*` passes on all.
    passed_on: Vec<(String, Vec<String>)>,
    /// Every other path, with its line.
    used: Vec<(usize, Vec<String>)>,
}

/// The files of a crate, by module.
#[derive(Default)]
pub struct Crate {
    files: BTreeMap<Module, Paths>,
    children: BTreeMap<Module, BTreeSet<String>>,
}

impl Crate {
    /// Adds a file.
    pub fn add(&mut self, module: Module, text: &str) {
        self.files.insert(module.clone(), Paths::read(text));
        if let Some((name, parent)) = module.split_last() {
            self.children.entry(parent.to_vec()).or_default().insert(name.clone());
        }
    }

    /// Each file with the others it uses, and the line where it does so first.
    pub fn uses(&self) -> BTreeMap<&Module, BTreeMap<Module, usize>> {
        let mut uses = BTreeMap::new();
        for (module, paths) in &self.files {
            let mut found = BTreeMap::new();
            for (line, path) in &paths.used {
                if let Some(used) = self.start(module, path).and_then(|(at, rest)| self.follow(at, rest, 0))
                    && used != *module
                {
                    found.entry(used).or_insert(*line);
                }
            }
            uses.insert(module, found);
        }
        uses
    }

    fn has_child(&self, module: &Module, name: &str) -> bool {
        self.children
            .get(module)
            .is_some_and(|children| children.contains(name))
    }

    /// Whether the module's own file passes this name on: it may use the name, too.
    fn passes_on(&self, module: &Module, name: &str) -> bool {
        let file = self.files.get(module);
        file.is_some_and(|file| file.passed_on.iter().any(|(known, _)| known == name))
    }

    /// The module at which a path begins, and what follows; `None` for paths into other crates and local names.
    fn start<'a>(&self, module: &Module, path: &'a [String]) -> Option<(Module, &'a [String])> {
        match path.first()?.as_str() {
            "crate" => Some((Module::new(), &path[1..])),
            "self" => Some((module.clone(), &path[1..])),
            "super" => {
                let ups = path.iter().take_while(|part| *part == "super").count();
                let depth = module.len().checked_sub(ups)?;
                Some((module[..depth].to_vec(), &path[ups..]))
            }
            name => (self.has_child(module, name) || self.passes_on(module, name)).then(|| (module.clone(), path)),
        }
    }

    /// The module that defines what a path names.
    fn follow(&self, mut module: Module, mut rest: &[String], depth: usize) -> Option<Module> {
        // No chain of `pub use` is this long; a circle of them would be.
        if depth > 8 {
            return None;
        }
        while let [name, after @ ..] = rest {
            if self.has_child(&module, name) {
                module.push(name.clone());
                rest = after;
                continue;
            }
            let passed_on = self.files.get(&module)?.passed_on.iter();
            let target = passed_on.filter(|(known, _)| known == name).find_map(|(_, path)| {
                let (at, inner) = self.start(&module, path)?;
                let whole: Vec<String> = inner.iter().chain(after).cloned().collect();
                self.follow(at, &whole, depth + 1)
            });
            return Some(target.unwrap_or(module));
        }
        self.files.contains_key(&module).then_some(module)
    }
}

impl Paths {
    fn read(text: &str) -> Self {
        let code = without_texts(&Source::new(text).without_tests());
        let (mut passed_on, mut used) = (Vec::new(), Vec::new());
        let mut inside_use = 0;
        for (at, _) in words(&code) {
            let rest = &code[at..];
            if let Some(tree) = rest.strip_prefix("use ") {
                let mut paths = Vec::new();
                let left = read_tree(tree, &mut Vec::new(), &mut paths);
                inside_use = code.len() - left.len();
                let line = line_of(&code, at);
                let is_public = code[..at]
                    .trim_end()
                    .rsplit([';', '}', '{', '\n'])
                    .next()
                    .is_some_and(|before| {
                        let before = before.trim_start();
                        before == "pub" || before.starts_with("pub(") && before.ends_with(')')
                    });
                for (path, name) in paths {
                    if is_public {
                        let last = name.or_else(|| path.last().cloned()).unwrap_or_default();
                        passed_on.push((last, path));
                    } else {
                        used.push((line, path));
                    }
                }
            } else if at >= inside_use {
                let mut paths = Vec::new();
                read_tree(rest, &mut Vec::new(), &mut paths);
                let long = paths.into_iter().map(|(path, _)| path).filter(|path| path.len() > 1);
                used.extend(long.map(|path| (line_of(&code, at), path)));
            }
        }
        Self { passed_on, used }
    }
}

/// Where each path or word begins: not in the middle of a word or a path, and not in a text.
fn words(code: &str) -> impl Iterator<Item = (usize, char)> {
    let mut before = (' ', ' ');
    code.char_indices().filter(move |(_, c)| {
        let begins = is_word(*c) && !is_word(before.1) && before != (':', ':') && before.1 != '$';
        before = (before.1, *c);
        begins
    })
}

fn line_of(code: &str, at: usize) -> usize {
    code[..at].matches('\n').count() + 1
}

/// The code with its string literals emptied.
fn without_texts(source: &Source) -> String {
    let mut code = String::new();
    for (_, line) in source.lines() {
        let line = line.split_once(" // ").map_or(line, |(code, _)| code);
        for (index, part) in line.split('"').enumerate() {
            if index % 2 == 0 {
                code.push_str(part);
            } else {
                code.push_str("\"\"");
            }
        }
        code.push('\n');
    }
    code
}

/// Reads a path, or a group of them, into `found`: each with the name after `as`, if it has one. What follows is left.
fn read_tree<'a>(text: &'a str, prefix: &mut Vec<String>, found: &mut Vec<(Vec<String>, Option<String>)>) -> &'a str {
    let text = text.trim_start();
    if let Some(mut rest) = text.strip_prefix('{') {
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
            if let Some(after) = rest.strip_prefix('}') {
                return after;
            }
            let after = read_tree(rest, prefix, found);
            if after.len() == rest.len() {
                return after;
            }
            rest = after;
        }
    }
    let end = text.find(|c| !is_word(c)).unwrap_or(text.len());
    if end == 0 {
        let is_all = text.starts_with('*');
        found.extend(is_all.then(|| (prefix.clone(), Some("*".to_owned()))));
        return text.strip_prefix('*').unwrap_or(text);
    }
    prefix.push(text[..end].to_owned());
    let rest = &text[end..];
    let left = match rest.strip_prefix("::") {
        Some(after) if after.starts_with(|c| is_word(c) || c == '{' || c == '*') => read_tree(after, prefix, found),
        _ => {
            let renamed = rest.strip_prefix(" as ");
            let name = renamed.map(|name| name[..name.find(|c| !is_word(c)).unwrap_or(name.len())].to_owned());
            // `a::{self, b}` names `a` itself.
            let path = match prefix.split_last() {
                Some((last, before)) if last == "self" && !before.is_empty() => before.to_vec(),
                _ => prefix.clone(),
            };
            let after = name.as_ref().map_or(rest, |name| &rest[" as ".len() + name.len()..]);
            found.push((path, name));
            after
        }
    };
    prefix.pop();
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(path: &str) -> Module {
        path.split("::")
            .filter(|part| !part.is_empty())
            .map(str::to_owned)
            .collect()
    }

    fn uses(files: &[(&str, &str)], of: &str) -> Vec<String> {
        let mut all = Crate::default();
        for (path, text) in files {
            all.add(module(path), text);
        }
        let uses = all.uses();
        uses[&module(of)].keys().map(|module| module.join("::")).collect()
    }

    #[test]
    fn paths_lead_to_files() {
        let files = [
            ("", "mod a; mod b; mod c;"),
            (
                "a",
                "use crate::b::{self, X, d::{Y, Z as W}};\nfn f() { super::c::g::<u8>(); std::mem::take(x) }",
            ),
            ("b", ""),
            ("b::d", ""),
            ("c", ""),
        ];
        assert_eq!(uses(&files, "a"), ["b", "b::d", "c"]);
    }

    #[test]
    fn a_name_that_is_passed_on_leads_to_where_it_is() {
        let files = [
            ("", "pub mod a; pub mod b;"),
            ("a", "mod x; pub use x::{X, Y as Z}; pub fn own() {}"),
            ("a::x", "use super::own;"),
            ("b", "use crate::a::{X, Z};"),
        ];
        assert_eq!(uses(&files, "b"), ["a::x"]);
        assert_eq!(uses(&files, "a"), Vec::<String>::new(), "passing on is not using");
        assert_eq!(uses(&files, "a::x"), ["a"]);
    }

    #[test]
    fn a_file_may_use_what_it_passes_on() {
        let files = [("a", "mod x;\npub use x::X;\nfn f() { X::new() }"), ("a::x", "")];
        assert_eq!(uses(&files, "a"), ["a::x"]);
    }

    #[test]
    fn a_parent_uses_its_children_by_name() {
        let files = [("a", "mod x;\nfn f() { x::g() }"), ("a::x", "")];
        assert_eq!(uses(&files, "a"), ["a::x"]);
    }

    #[test]
    fn comments_texts_and_tests_do_not_count() {
        let text = "// use crate::b;\nfn f() -> u8 { \"crate::b::c\"; 1 } // crate::b::c\n#[cfg(test)]\nmod tests {\n    use crate::b;\n}";
        assert_eq!(uses(&[("a", text), ("b", "")], "a"), Vec::<String>::new());
    }
}
