//! Changing, adding and removing one declaration, as the rest of its block is written.

use std::ops::Range;

use crate::source::model::Replacement;

use super::scan::{Node, NodeKind, Sheet};

/// One block of declarations: a rule's, or the text of a `style` attribute.
#[derive(Debug, Clone)]
pub struct Declarations<'s> {
    text: &'s str,
    /// Between the braces.
    block: Range<usize>,
    /// Whether braces stand around it.
    braces: bool,
    /// The statements directly in it.
    nodes: Vec<&'s Node>,
}

impl<'s> Declarations<'s> {
    /// Those of the rule with this index; with `None` those at the top of a `style` attribute's text.
    #[must_use]
    pub fn of(sheet: &'s Sheet, text: &'s str, rule: Option<usize>) -> Self {
        let block = rule.and_then(|rule| sheet.nodes[rule].block()).unwrap_or(0..text.len());
        let nodes = sheet.children(rule).map(|(_, node)| node).collect();
        Self {
            text,
            block,
            braces: rule.is_some(),
            nodes,
        }
    }

    /// Writes `value` in place of the value of a declaration; `!important` stays.
    #[must_use]
    pub fn change(node: &Node, value: &str) -> Option<Replacement> {
        let NodeKind::Declaration {
            value: range,
            important,
            ..
        } = &node.kind
        else {
            return None;
        };
        let value = match (important, without_important(value)) {
            (Some(_), Some(plain)) => plain,
            _ => value,
        };
        Some(Replacement::new(range.clone(), value))
    }

    /// Adds a declaration after the last one.
    #[must_use]
    pub fn add(&self, property: &str, value: &str) -> Replacement {
        let declaration = format!("{property}{}{value}", self.colon());
        let declared = |node: &&&Node| matches!(node.kind, NodeKind::Declaration { .. });
        let statement = |node: &&&Node| node.block().is_none();
        let last = self
            .nodes
            .iter()
            .rfind(declared)
            .or_else(|| self.nodes.iter().rfind(statement));
        let Some(last) = last else {
            return self.add_first(&declaration);
        };
        let separator = self.separator(last);
        let ended = self.is_ended(last);
        // Where the last declaration goes without a semicolon, the new one does so too.
        let (before, after) = if ended { ("", ";") } else { (";", "") };
        Replacement::insert(last.range.end, format!("{before}{separator}{declaration}{after}"))
    }

    fn add_first(&self, declaration: &str) -> Replacement {
        let inside = &self.text[self.block.clone()];
        let nested = self.nodes.first();
        match nested {
            // Only nested rules: before them, on a line like theirs.
            Some(first) => {
                let space = &self.text[self.block.start..first.range.start];
                let space = if space.trim_ascii().is_empty() { space } else { " " };
                Replacement::insert(self.block.start, format!("{space}{declaration};"))
            }
            None if !self.braces => Replacement::insert(self.block.end, declaration.to_owned()),
            None if inside.trim_ascii().is_empty() && !inside.contains('\n') => {
                Replacement::new(self.block.clone(), format!(" {declaration}; "))
            }
            None => {
                let end = inside.trim_ascii_end().len();
                let line = self.text[..self.block.end].rsplit('\n').next().unwrap_or_default();
                // A comment can stand before the brace.
                let outer = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
                let indent = format!("{outer}{}", if outer.contains('\t') { "\t" } else { "  " });
                let line_break = if inside.contains("\r\n") { "\r\n" } else { "\n" };
                Replacement::insert(self.block.start + end, format!("{line_break}{indent}{declaration};"))
            }
        }
    }

    /// Removes a declaration, and its line when nothing else stands on it.
    #[must_use]
    pub fn remove(&self, node: &Node) -> Replacement {
        let index = self.nodes.iter().position(|own| own.range == node.range);
        let before = index.and_then(|index| self.nodes[..index].last());
        let semicolon = matches!(node.kind, NodeKind::Declaration { semicolon: true, .. });
        let start = before.map_or(self.block.start, |before| before.range.end);
        let space = &self.text[start..node.range.start];
        // Without a semicolon of its own it was the last: the one before it is the last now, and ends as this one did.
        if let (false, Some(before)) = (semicolon, before)
            && space.trim_ascii().is_empty()
        {
            // A `/` before and a comment behind would become another comment.
            let apart = !self.text[node.range.end..].starts_with('/');
            let ends = apart && before.block().is_none() && self.is_ended(before);
            return Replacement::remove(before.range.end - usize::from(ends)..node.range.end);
        }
        let blank = space.len() - space.trim_ascii_end().len();
        let blank = &space[space.len() - blank..];
        let line_end = self.text[node.range.end..]
            .find('\n')
            .map_or(self.text.len(), |end| node.range.end + end);
        let alone = self.text[node.range.end..line_end.min(self.block.end)]
            .trim_ascii()
            .is_empty();
        match blank.rfind('\n') {
            Some(line) if alone && self.text[node.range.end..self.block.end].contains('\n') => {
                let line = if blank[..line].ends_with('\r') { line - 1 } else { line };
                Replacement::remove(node.range.start - (blank.len() - line)..node.range.end)
            }
            // A line that goes on keeps its beginning, whatever begins it: a comment may end the line before.
            None if before.is_some() && !blank.contains(['\r', '\x0c']) => {
                Replacement::remove(node.range.start - blank.len()..node.range.end)
            }
            _ => {
                let rest = &self.text[node.range.end..self.block.end];
                let space = rest.len() - rest.trim_start_matches([' ', '\t']).len();
                let followed = self.nodes.len() > 1 || !rest.trim_ascii().is_empty();
                let end = if followed {
                    node.range.end + space
                } else {
                    node.range.end
                };
                Replacement::remove(node.range.start..end)
            }
        }
    }

    /// Whether a semicolon ends a statement: one behind a backslash is a part of it.
    fn is_ended(&self, node: &Node) -> bool {
        let before = self.text[node.range.clone()].strip_suffix(';');
        before.is_some_and(|before| (before.len() - before.trim_end_matches('\\').len()).is_multiple_of(2))
    }

    /// `: ` or `:`, as the block's declarations have it.
    fn colon(&self) -> &'static str {
        let tight = self.nodes.iter().find_map(|node| match &node.kind {
            NodeKind::Declaration { property, value, .. } => Some(self.text[property.end..value.start].ends_with(':')),
            _ => None,
        });
        if tight == Some(true) { ":" } else { ": " }
    }

    /// What stands before a declaration: a line break with its indentation, a blank, or nothing.
    fn separator(&self, last: &Node) -> &'s str {
        let index = self
            .nodes
            .iter()
            .position(|own| own.range == last.range)
            .unwrap_or_default();
        let start = match index.checked_sub(1) {
            Some(before) => self.nodes[before].range.end,
            // The only one of a `style` attribute has nothing before it to learn from.
            None if !self.braces => return " ",
            None => self.block.start,
        };
        let space = &self.text[start..last.range.start];
        let blank = &space[space.trim_ascii_end().len()..];
        match blank.rfind('\n') {
            Some(line) => &blank[if blank[..line].ends_with('\r') { line - 1 } else { line }..],
            None if index == 0 && blank.is_empty() && self.colon() == ": " => " ",
            None => blank,
        }
    }
}

/// `red !important` without the last word.
fn without_important(value: &str) -> Option<&str> {
    let (value, word) = value.rsplit_once('!')?;
    word.trim_ascii()
        .eq_ignore_ascii_case("important")
        .then(|| value.trim_ascii_end())
}

#[cfg(test)]
mod tests {
    use super::super::scan::Dialect;
    use super::*;
    use crate::source::model::Change;
    use proptest::prelude::*;

    fn applied(text: &str, replacement: Replacement) -> String {
        let change = Change {
            path: String::new(),
            replacements: vec![replacement],
        };
        change.apply(text).unwrap()
    }

    /// The first rule, or the top when there is none.
    fn first(sheet: &Sheet) -> Option<usize> {
        sheet
            .nodes
            .iter()
            .position(|node| matches!(node.kind, NodeKind::Rule { .. }))
    }

    fn added(text: &str) -> String {
        let sheet = Sheet::parse(text, Dialect::Css).unwrap();
        applied(text, Declarations::of(&sheet, text, first(&sheet)).add("top", "0"))
    }

    fn removed(text: &str, property: &str) -> String {
        let sheet = Sheet::parse(text, Dialect::Css).unwrap();
        let named = |node: &&Node| matches!(&node.kind, NodeKind::Declaration { property: own, .. } if &text[own.clone()] == property);
        let node = sheet.nodes.iter().find(named).unwrap();
        applied(text, Declarations::of(&sheet, text, first(&sheet)).remove(node))
    }

    #[test]
    fn a_slash_and_a_comment_behind_it_stay_apart() {
        assert_eq!(removed("a:b/;c:d/* e */", "c"), "a:b/;/* e */");
        assert_eq!(removed("a:b;c:d", "c"), "a:b");
    }

    #[test]
    fn a_comment_before_the_closing_brace_is_not_written_again() {
        assert_eq!(added("a { /* none */ }"), "a { /* none */\n  top: 0; }");
        assert_eq!(added("a {\n  /*\n  none */ }"), "a {\n  /*\n  none */\n    top: 0; }");
        assert_eq!(
            added("  a {\n    /* none */\n  }"),
            "  a {\n    /* none */\n    top: 0;\n  }"
        );
    }

    #[test]
    fn an_escaped_semicolon_ends_nothing() {
        assert_eq!(added("a{content:b\\;}"), "a{content:b\\;;top:0}");
        assert_eq!(added("a{content:b\\\\;}"), "a{content:b\\\\;top:0;}");
    }

    #[test]
    fn a_comment_keeps_the_odd_spaces_at_its_end() {
        let text = "a {\n  // note\u{a0}\n}";
        let sheet = Sheet::parse(text, Dialect::Scss).unwrap();
        let more = applied(text, Declarations::of(&sheet, text, Some(0)).add("top", "0"));
        assert_eq!(more, "a {\n  // note\u{a0}\n  top: 0;\n}");
    }

    #[test]
    fn what_follows_on_the_line_does_not_fall_into_the_comment_before() {
        let text = "a { top: 0; // note\n  color: red;left: 0;\n}";
        let sheet = Sheet::parse(text, Dialect::Scss).unwrap();
        let node = &sheet.nodes[2];
        let left = applied(text, Declarations::of(&sheet, text, Some(0)).remove(node));
        assert_eq!(left, "a { top: 0; // note\n  left: 0;\n}");
    }

    #[test]
    fn a_declaration_is_added_as_the_block_is_written() {
        for (text, wanted) in [
            ("a {\n  color: red;\n}", "a {\n  color: red;\n  top: 0;\n}"),
            ("a {\r\n\tcolor:red\r\n}", "a {\r\n\tcolor:red;\r\n\ttop:0\r\n}"),
            ("a { color: red; }", "a { color: red; top: 0; }"),
            ("a{color:red}", "a{color:red;top:0}"),
            ("a{color:red;left:0}", "a{color:red;left:0;top:0}"),
            ("a {}", "a { top: 0; }"),
            ("a {\n}", "a {\n  top: 0;\n}"),
            ("  a {\n    /* x */\n  }", "  a {\n    /* x */\n    top: 0;\n  }"),
            (
                "a {\n  &:hover { top: 1px }\n}",
                "a {\n  top: 0;\n  &:hover { top: 1px }\n}",
            ),
            (
                "a {\n  color: red;\n\n  b { top: 1px }\n}",
                "a {\n  color: red;\n  top: 0;\n\n  b { top: 1px }\n}",
            ),
            ("a {\n  @apply p-4;\n}", "a {\n  @apply p-4;\n  top: 0;\n}"),
            ("color: red", "color: red; top: 0"),
            ("color: red;", "color: red; top: 0;"),
            ("color:red;left:0", "color:red;left:0;top:0"),
            ("", "top: 0"),
        ] {
            assert_eq!(added(text), wanted, "{text}");
            if text != "a {}" {
                assert_eq!(removed(wanted, "top"), text);
            }
        }
    }

    #[test]
    fn a_declaration_goes_with_its_line() {
        for (text, wanted) in [
            ("a {\n  color: red;\n  top: 0;\n}", "a {\n  top: 0;\n}"),
            (
                "a {\n  color: red; /* why */\n  top: 0;\n}",
                "a {\n  /* why */\n  top: 0;\n}",
            ),
            ("a { color: red; top: 0; }", "a { top: 0; }"),
            ("color: red; top: 0", "top: 0"),
            ("color: red", ""),
            ("a { color: red }", "a {  }"),
        ] {
            assert_eq!(removed(text, "color"), wanted, "{text}");
        }
    }

    #[test]
    fn important_stays() {
        let text = "a { color: red !important; }";
        let sheet = Sheet::parse(text, Dialect::Css).unwrap();
        for value in ["blue", "blue !important"] {
            let change = Declarations::change(&sheet.nodes[1], value).unwrap();
            assert_eq!(applied(text, change), "a { color: blue !important; }");
        }
    }

    proptest! {
        #[test]
        fn adding_and_removing_gives_the_same_bytes(
            lines in prop::collection::vec("(color|left|--x): ?[a-z]{1,4}( !important)?", 1..4),
            separator in "(\n  |\r\n\t| |)",
            ended: bool,
            comment: bool,
        ) {
            let body: Vec<String> = lines.iter().map(|line| format!("{separator}{line}")).collect();
            let end = if ended { ";" } else { "" };
            let comment = if comment { "/* top: 1 */ " } else { "" };
            let text = format!("{comment}.a {{{}{end}{}}} b {{ top: 1px }}", body.join(";"), separator.trim_end_matches(['\t', ' ']));
            let once = added(&text);
            let sheet = Sheet::parse(&once, Dialect::Css).unwrap();
            let rule = first(&sheet);
            let node = sheet.children(rule).map(|(_, node)| node).last().unwrap();
            prop_assert_eq!(applied(&once, Declarations::of(&sheet, &once, rule).remove(node)), text);
        }
    }
}
