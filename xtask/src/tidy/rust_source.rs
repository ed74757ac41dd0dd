//! Just enough reading of Rust for the house rules: comments left out, words, and paths from the crate's root.

/// One source file without its comment lines (`//`, `///`, `//!`). Line numbers stay what they were.
pub struct Source {
    lines: Vec<String>,
}

impl Source {
    /// Reads a file's text.
    pub fn new(text: &str) -> Self {
        let keep = |line: &str| {
            if line.trim_start().starts_with("//") {
                String::new()
            } else {
                line.to_owned()
            }
        };
        Self {
            lines: text.lines().map(keep).collect(),
        }
    }

    /// The same without the file's own tests (`#[cfg(test)] mod tests { … }`) and what follows them.
    pub fn without_tests(mut self) -> Self {
        let begins_tests = |pair: &[String]| {
            let (first, next) = (pair[0].trim(), pair[1].trim());
            let is_for_tests = first == "#[cfg(test)]" || first.starts_with("#[cfg(all(test,");
            is_for_tests && next.starts_with("mod ") && next.ends_with('{')
        };
        if let Some(at) = self.lines.windows(2).position(begins_tests) {
            self.lines.truncate(at);
        }
        self
    }

    /// The lines that are no comments, with their numbers.
    pub fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.lines
            .iter()
            .enumerate()
            .map(|(index, line)| (index + 1, line.as_str()))
    }

    /// The first part of every path that begins at the crate's root, with its line: `storage` of `crate::storage::id`,
    /// and both of `crate::{config, storage}`. With a path `within`, what begins at that module. `depth` is how many
    /// modules deeper the file lies: so many `super::` lead there as well.
    pub fn rooms_used(&self, within: &[&str], depth: usize) -> Vec<(usize, String)> {
        let text = self.lines.join("\n");
        let mut found = Vec::new();
        let root: String = within.iter().map(|module| format!("{module}::")).collect();
        let roots = [format!("crate::{root}"), "super::".repeat(depth.max(1))];
        for root in &roots {
            for (at, _) in text.match_indices(root.as_str()) {
                let before = text[..at].chars().next_back();
                if before.is_some_and(|c| is_word(c) || c == ':') {
                    continue;
                }
                let line = text[..at].matches('\n').count() + 1;
                let rest = &text[at + root.len()..];
                found.extend(first_parts(rest).into_iter().map(|room| (line, room)));
            }
        }
        found.sort();
        found.dedup();
        found
    }
}

/// Whether `c` can stand in a Rust name.
pub fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The names a path goes on with: one, or one for each item of a group.
fn first_parts(rest: &str) -> Vec<String> {
    let Some(group) = rest.strip_prefix('{') else {
        return name(rest).into_iter().collect();
    };
    let mut parts = Vec::new();
    let (mut depth, mut item) = (0, String::new());
    for c in group.chars() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => parts.extend(name(&std::mem::take(&mut item))),
            _ => {}
        }
        if depth == 0 && c != ',' {
            item.push(c);
        }
    }
    parts.extend(name(&item));
    parts
}

fn name(text: &str) -> Option<String> {
    let text = text.trim_start();
    let end = text.find(|c| !is_word(c)).unwrap_or(text.len());
    (end > 0).then(|| text[..end].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rooms(text: &str, depth: usize) -> Vec<String> {
        Source::new(text)
            .rooms_used(&[], depth)
            .into_iter()
            .map(|(_, room)| room)
            .collect()
    }

    #[test]
    fn plain_grouped_and_inline_paths_are_seen() {
        assert_eq!(rooms("use crate::storage::id::Id;", 1), ["storage"]);
        assert_eq!(rooms("let x = crate::http::answer();", 1), ["http"]);
        let group = "use crate::{\n    config::{A, B},\n    storage,\n};";
        assert_eq!(rooms(group, 1), ["config", "storage"]);
    }

    #[test]
    fn the_way_up_leads_to_the_root_too() {
        assert_eq!(rooms("use super::http::X;", 1), ["http"]);
        assert_eq!(rooms("use super::super::http::X;", 2), ["http"]);
        assert_eq!(rooms("use super::sqlite::X;", 2), Vec::<String>::new());
    }

    #[test]
    fn paths_within_a_module_are_seen() {
        let source = Source::new("use crate::source::{jsx::plan, vue}; use crate::api; use super::text::X;");
        let rooms: Vec<String> = source
            .rooms_used(&["source"], 1)
            .into_iter()
            .map(|(_, room)| room)
            .collect();
        assert_eq!(rooms, ["jsx", "text", "vue"]);
    }

    #[test]
    fn comments_and_other_crates_do_not_count() {
        assert_eq!(
            rooms("// use crate::http\n/// [`crate::http`]\n//! crate::http", 1),
            Vec::<String>::new()
        );
        assert_eq!(
            rooms("use mycrate::http; use other::crate::http;", 1),
            Vec::<String>::new()
        );
    }

    #[test]
    fn the_files_own_tests_are_left_out() {
        let text = "use crate::a;\n#[cfg(test)]\nuse crate::b;\n#[cfg(test)]\nmod tests {\n    use crate::c;\n}";
        let rooms = Source::new(text).without_tests().rooms_used(&[], 1);
        assert_eq!(rooms, [(1, "a".to_owned()), (3, "b".to_owned())]);
    }

    #[test]
    fn lines_keep_their_numbers() {
        let source = Source::new("// a\n\nuse crate::x;");
        assert_eq!(source.rooms_used(&[], 1), [(3, "x".to_owned())]);
        assert_eq!(source.lines().last(), Some((3, "use crate::x;")));
    }
}
