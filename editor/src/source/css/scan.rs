//! Where the rules and declarations of a stylesheet stand.
//!
//! CSS with nesting, SCSS and LESS. What is not understood is kept as an [`NodeKind::Other`] statement and never touched; a
//! text whose brackets, strings or comments do not close is refused as a whole, since any reading of it is a guess.
//! One pass, no recursion: linear in the text's length, whatever the depth.

use std::any::Any;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// The language of a stylesheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// CSS.
    Css,
    /// SCSS: `//` comments, `#{…}`.
    Scss,
    /// LESS: `//` comments, `@{…}`.
    Less,
}

impl Dialect {
    /// By a file's name or a block's `lang`; `None` for languages without braces, as Sass and Stylus.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        match name.rsplit('.').next()? {
            "css" | "pcss" | "postcss" => Some(Self::Css),
            "scss" => Some(Self::Scss),
            "less" => Some(Self::Less),
            _ => None,
        }
    }
}

/// A stylesheet, or the text of a `style` attribute.
#[derive(Debug, Clone)]
pub struct Sheet {
    /// In the order of the text; the parent of a node stands before it.
    pub nodes: Vec<Node>,
    /// What is made of it when that is first asked for; whoever makes it owns its type.
    pub(super) made: OnceLock<Arc<dyn Any + Send + Sync>>,
}

/// A statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// From its first character to its end: the closing brace, or the semicolon when it has one.
    pub range: Range<usize>,
    /// Index of the rule or at-rule around it.
    pub parent: Option<usize>,
}

/// The kinds of statements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NodeKind {
    /// `selector { … }`
    Rule {
        /// The selector.
        selector: Range<usize>,
        /// Between the braces.
        block: Range<usize>,
    },
    /// `@name prelude;` or `@name prelude { … }`
    At {
        /// Without the `@`.
        name: Range<usize>,
        /// What stands between the name and the block or semicolon.
        prelude: Range<usize>,
        /// Between the braces.
        block: Option<Range<usize>>,
    },
    /// `property: value`
    Declaration {
        /// The property.
        property: Range<usize>,
        /// The value without `!important`.
        value: Range<usize>,
        /// `!important`
        important: Option<Range<usize>>,
        /// Whether a semicolon ends it.
        semicolon: bool,
    },
    /// A variable, a mixin's use, nested properties: left alone.
    Other {
        /// Between its braces, when it has some.
        block: Option<Range<usize>>,
    },
}

impl Node {
    /// Between the braces of a rule or at-rule.
    #[must_use]
    pub fn block(&self) -> Option<Range<usize>> {
        match &self.kind {
            NodeKind::Rule { block, .. } => Some(block.clone()),
            NodeKind::At { block, .. } | NodeKind::Other { block } => block.clone(),
            NodeKind::Declaration { .. } => None,
        }
    }
}

/// The text is no stylesheet.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} (byte {offset})")]
pub struct Malformed {
    /// What does not close, or closes what is not open.
    pub what: &'static str,
    /// Where.
    pub offset: usize,
}

impl Sheet {
    /// Scans a text: a stylesheet, or declarations alone.
    ///
    /// # Errors
    /// When a bracket, string or comment does not close.
    pub fn parse(text: &str, dialect: Dialect) -> Result<Self, Malformed> {
        let mut scanner = Scanner {
            text,
            bytes: text.as_bytes(),
            dialect,
            at: 0,
        };
        let mut nodes: Vec<Node> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        loop {
            scanner.skip_blank()?;
            let Some(byte) = scanner.peek(0) else { break };
            match byte {
                b';' => scanner.at += 1,
                b'}' => {
                    let offset = scanner.at;
                    let closed = open.pop().ok_or(Malformed {
                        what: "a brace closes that is not open",
                        offset,
                    })?;
                    close(&mut nodes[closed], offset);
                    scanner.at += 1;
                }
                _ => {
                    let statement = scanner.statement()?;
                    let opens = statement.end == End::Brace;
                    let node = scanner.node(&statement, open.last().copied());
                    if opens {
                        open.push(nodes.len());
                    }
                    nodes.push(node);
                }
            }
        }
        match open.last() {
            Some(index) => Err(Malformed {
                what: "a brace is never closed",
                offset: nodes[*index].range.start,
            }),
            None => Ok(Self {
                nodes,
                made: OnceLock::new(),
            }),
        }
    }

    /// The statements directly within a rule, or at the top.
    pub fn children(&self, parent: Option<usize>) -> impl Iterator<Item = (usize, &Node)> {
        let from = parent.map_or(0, |parent| parent + 1);
        let end = parent.map_or(usize::MAX, |parent| self.nodes[parent].range.end);
        let inside = self
            .nodes
            .iter()
            .enumerate()
            .skip(from)
            .take_while(move |(_, node)| node.range.start < end);
        inside.filter(move |(_, node)| node.parent == parent)
    }
}

/// Sets the end of a block that was open.
fn close(node: &mut Node, offset: usize) {
    node.range.end = offset + 1;
    match &mut node.kind {
        NodeKind::Rule { block, .. }
        | NodeKind::At { block: Some(block), .. }
        | NodeKind::Other { block: Some(block) } => {
            block.end = offset;
        }
        _ => {}
    }
}

struct Scanner<'t> {
    text: &'t str,
    bytes: &'t [u8],
    dialect: Dialect,
    at: usize,
}

/// A statement's own text, before it is known what it is.
#[derive(Debug)]
struct Statement {
    start: usize,
    /// The first colon outside of brackets.
    colon: Option<usize>,
    /// What stands behind the colon, without blanks and comments around it.
    value: Range<usize>,
    /// The last `!` outside of brackets, behind the colon.
    bang: Option<usize>,
    /// The end of the token before that.
    before_bang: usize,
    /// The end of the last token.
    last: usize,
    end: End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Semicolon,
    Brace,
    /// The block's or the text's end.
    Outer,
}

impl Scanner<'_> {
    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    /// White space and comments.
    fn skip_blank(&mut self) -> Result<(), Malformed> {
        loop {
            while self.peek(0).is_some_and(|byte| byte.is_ascii_whitespace()) {
                self.at += 1;
            }
            if !self.skip_comment()? {
                return Ok(());
            }
        }
    }

    fn skip_comment(&mut self) -> Result<bool, Malformed> {
        match (self.peek(0), self.peek(1)) {
            (Some(b'/'), Some(b'*')) => {
                let end = self.text[self.at + 2..].find("*/");
                let end = end.ok_or(Malformed {
                    what: "a comment is never closed",
                    offset: self.at,
                })?;
                self.at += 2 + end + 2;
            }
            (Some(b'/'), Some(b'/')) if self.dialect != Dialect::Css => {
                let rest = &self.text[self.at..];
                self.at += rest.find(['\n', '\r']).unwrap_or(rest.len());
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn skip_string(&mut self, quote: u8) -> Result<(), Malformed> {
        let offset = self.at;
        self.at += 1;
        loop {
            match self.peek(0) {
                Some(b'\\') => self.at += 2,
                Some(byte) if byte == quote => {
                    self.at += 1;
                    return Ok(());
                }
                None | Some(b'\n') => {
                    return Err(Malformed {
                        what: "a string is never closed",
                        offset,
                    });
                }
                Some(_) => self.at += 1,
            }
        }
    }

    /// `url(` without quotes: everything up to the parenthesis is the address. Interpolation is not read here.
    fn skip_url(&mut self) -> bool {
        let is_url = self
            .bytes
            .get(self.at..self.at + 4)
            .is_some_and(|text| text.eq_ignore_ascii_case(b"url("));
        let is_name = self.at > 0 && is_name(self.bytes[self.at - 1]);
        if !is_url || is_name {
            return false;
        }
        let mut end = self.at + 4;
        while self.bytes.get(end).is_some_and(|byte| byte.is_ascii_whitespace()) {
            end += 1;
        }
        while let Some(byte) = self.bytes.get(end) {
            match byte {
                b')' => {
                    self.at = end + 1;
                    return true;
                }
                b'\\' => end += 2,
                // Quotes, functions, interpolation and line breaks: the common reading applies.
                b'"' | b'\'' | b'(' | b'{' | b'$' | b'\n' => return false,
                _ => end += 1,
            }
        }
        false
    }

    /// Reads up to the end of a statement.
    fn statement(&mut self) -> Result<Statement, Malformed> {
        let start = self.at;
        let custom = self.text[start..].starts_with("--");
        let mut statement = Statement {
            start,
            colon: None,
            value: start..start,
            bang: None,
            before_bang: start,
            last: start,
            end: End::Outer,
        };
        let mut brackets: Vec<(u8, usize)> = Vec::new();
        loop {
            self.skip_blank()?;
            let Some(byte) = self.peek(0) else {
                if let Some((_, offset)) = brackets.last() {
                    return Err(Malformed {
                        what: "a bracket is never closed",
                        offset: *offset,
                    });
                }
                return Ok(statement);
            };
            let token = self.at;
            let top = brackets.is_empty();
            match byte {
                b';' if top => {
                    self.at += 1;
                    statement.end = End::Semicolon;
                    return Ok(statement);
                }
                b'}' if top => return Ok(statement),
                b'{' if top && !(custom && statement.colon.is_some()) && !self.interpolates() => {
                    self.at += 1;
                    statement.end = End::Brace;
                    return Ok(statement);
                }
                b'(' | b'[' | b'{' => {
                    brackets.push((byte, token));
                    self.at += 1;
                }
                b')' | b']' | b'}' => {
                    let fits = brackets.pop().is_some_and(|(open, _)| closes(open) == byte);
                    if !fits {
                        return Err(Malformed {
                            what: "a bracket closes that is not open",
                            offset: token,
                        });
                    }
                    self.at += 1;
                }
                b'"' | b'\'' => self.skip_string(byte)?,
                b'\\' => self.at += 2,
                b':' if top && statement.colon.is_none() => {
                    statement.colon = Some(token);
                    self.at += 1;
                    statement.last = self.at;
                    continue;
                }
                b'!' if top && statement.colon.is_some() => {
                    statement.bang = Some(token);
                    statement.before_bang = statement.last;
                    self.at += 1;
                }
                b'u' | b'U' if self.skip_url() => {}
                _ => self.at += 1,
            }
            self.at = self.at.min(self.bytes.len());
            if statement.colon.is_some() && statement.value.is_empty() {
                statement.value = token..self.at;
            }
            statement.last = self.at;
            if statement.colon.is_some() {
                statement.value.end = self.at;
            }
        }
    }

    /// Whether the brace at this place opens `#{…}` or `@{…}`.
    fn interpolates(&self) -> bool {
        let before = self.at.checked_sub(1).map(|at| self.bytes[at]);
        match self.dialect {
            Dialect::Css => false,
            Dialect::Scss => before == Some(b'#'),
            Dialect::Less => before == Some(b'@'),
        }
    }

    fn node(&self, statement: &Statement, parent: Option<usize>) -> Node {
        let range = statement.start..if statement.end == End::Outer {
            statement.last
        } else {
            self.at
        };
        let block = (statement.end == End::Brace).then_some(self.at..self.at);
        let kind = match self.bytes[statement.start] {
            b'@' => self.at_rule(statement, block),
            _ => match block {
                Some(block) if !self.nests_properties(statement) => NodeKind::Rule {
                    selector: statement.start..statement.last,
                    block,
                },
                block @ Some(_) => NodeKind::Other { block },
                None => self.declaration(statement),
            },
        };
        Node { kind, range, parent }
    }

    fn at_rule(&self, statement: &Statement, block: Option<Range<usize>>) -> NodeKind {
        let start = statement.start + 1;
        let name = self.bytes[start..statement.last]
            .iter()
            .take_while(|byte| is_name(**byte))
            .count();
        let name = start..start + name;
        // `@width: 10px;` is a variable of LESS, `@media:hover` is nothing.
        let variable = statement
            .colon
            .is_some_and(|colon| self.text[name.end..colon].trim().is_empty());
        if name.is_empty() || variable {
            return NodeKind::Other { block };
        }
        let prelude = self.trimmed(name.end..statement.last);
        NodeKind::At { name, prelude, block }
    }

    /// `font: { family: x }` of SCSS: a block behind a colon and a blank.
    fn nests_properties(&self, statement: &Statement) -> bool {
        let Some(colon) = statement.colon.filter(|_| self.dialect == Dialect::Scss) else {
            return false;
        };
        let plain = self.bytes[statement.start..colon].iter().all(|byte| is_name(*byte));
        plain
            && self
                .bytes
                .get(colon + 1)
                .is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b'{')
    }

    fn declaration(&self, statement: &Statement) -> NodeKind {
        let Some(colon) = statement.colon else {
            return NodeKind::Other { block: None };
        };
        let property = self.trimmed(statement.start..colon);
        let text = &self.text[property.clone()];
        // `--color-*: initial` is how Tailwind takes names away.
        let named = !text.is_empty()
            && text
                .bytes()
                .all(|byte| is_name(byte) || (byte == b'*' && text.starts_with("--")));
        if !named {
            return NodeKind::Other { block: None };
        }
        let important = statement.bang.filter(|bang| {
            let word = self.text[bang + 1..statement.last].trim_start();
            word.eq_ignore_ascii_case("important")
        });
        let value = if statement.value.is_empty() {
            colon + 1..colon + 1
        } else {
            statement.value.clone()
        };
        let value = match important {
            Some(_) => value.start..statement.before_bang.max(value.start),
            None => value,
        };
        let important = important.map(|bang| bang..statement.last);
        NodeKind::Declaration {
            property,
            value,
            important,
            semicolon: statement.end == End::Semicolon,
        }
    }

    fn trimmed(&self, range: Range<usize>) -> Range<usize> {
        let text = &self.text[range.clone()];
        let start = range.start + (text.len() - text.trim_start().len());
        start..(range.start + text.trim_end().len()).max(start)
    }
}

fn closes(open: u8) -> u8 {
    match open {
        b'(' => b')',
        b'[' => b']',
        _ => b'}',
    }
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_') || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each statement on a line: its kind, its parts in brackets, its depth as indentation.
    fn shown(text: &str, dialect: Dialect) -> String {
        let sheet = Sheet::parse(text, dialect).unwrap();
        let mut lines = String::new();
        for node in &sheet.nodes {
            let depth = std::iter::successors(node.parent, |parent| sheet.nodes[*parent].parent).count();
            let of = |range: &Range<usize>| &text[range.clone()];
            let line = match &node.kind {
                NodeKind::Rule { selector, .. } => format!("rule [{}]", of(selector)),
                NodeKind::At { name, prelude, block } => {
                    format!("at [{}] [{}] {}", of(name), of(prelude), block.is_some())
                }
                NodeKind::Declaration {
                    property,
                    value,
                    important,
                    semicolon,
                } => {
                    let important = important.as_ref().map(of).unwrap_or_default();
                    format!("[{}] [{}] [{important}] {semicolon}", of(property), of(value))
                }
                NodeKind::Other { .. } => format!("other [{}]", of(&node.range).lines().next().unwrap_or_default()),
            };
            lines.push_str(&format!("{}{line}\n", "  ".repeat(depth)));
        }
        lines
    }

    #[test]
    fn statements_have_exact_ranges() {
        let text = "/* a { */ .card, .b > c:hover{color : red ;background:url(a;b.png) /* x */!  important}\n\
                    @media (min-width: 1px) { a { content: \"}\"; --x: { a: b }; --y:; } }\n@import 'x.css';";
        insta::assert_snapshot!(shown(text, Dialect::Css), @r#"
        rule [.card, .b > c:hover]
          [color] [red] [] true
          [background] [url(a;b.png)] [!  important] false
        at [media] [(min-width: 1px)] true
          rule [a]
            [content] ["}"] [] true
            [--x] [{ a: b }] [] true
            [--y] [] [] true
        at [import] ['x.css'] false
        "#);
    }

    #[test]
    fn the_dialects_are_tolerated() {
        let scss = "$a: 1px; // don't { \n.a { &:hover { color: $a } @include m($x: 1); &-b { width: calc(#{$a} * 2) }\n\
                    font: { family: x; } .p-#{$n} { top: 0 } #{$p}-left: 1px; @extend .x; }";
        insta::assert_snapshot!(shown(scss, Dialect::Scss), @r"
        other [$a: 1px;]
        rule [.a]
          rule [&:hover]
            [color] [$a] [] false
          at [include] [m($x: 1)] false
          rule [&-b]
            [width] [calc(#{$a} * 2)] [] false
          other [font: { family: x; }]
            [family] [x] [] true
          rule [.p-#{$n}]
            [top] [0] [] false
          other [#{$p}-left: 1px;]
          at [extend] [.x] false
        ");
        let less = "@w: 10px; .m(@a; @b) when (iscolor(@a)) { color: @a } .a { .m(red; 1px); @r: { top: 0 }; .@{n} { width: ~\"x\" } }";
        insta::assert_snapshot!(shown(less, Dialect::Less), @r#"
        other [@w: 10px;]
        rule [.m(@a; @b) when (iscolor(@a))]
          [color] [@a] [] false
        rule [.a]
          other [.m(red; 1px);]
          other [@r: { top: 0 }]
            [top] [0] [] false
          rule [.@{n}]
            [width] [~"x"] [] false
        "#);
    }

    #[test]
    fn what_does_not_close_is_no_stylesheet() {
        for text in [
            "a {",
            "a }",
            "a { b: ( }",
            "a { b: \"c }",
            "/* a",
            "a { b: c) }",
            "a[b",
            "a { b: (]) }",
        ] {
            assert!(Sheet::parse(text, Dialect::Css).is_err(), "{text}");
        }
    }

    #[test]
    fn hostile_texts_are_read_in_linear_time() {
        let started = std::time::Instant::now();
        for unit in [
            "{", "}", "a{", "a{}", "(", "a:(", "/*", "\"", "url(", "a:url(", "@", "#{", "a:!", "&{", ";", ":", "\\",
        ] {
            for dialect in [Dialect::Css, Dialect::Scss, Dialect::Less] {
                let _ = Sheet::parse(&unit.repeat(1_000_000 / unit.len()), dialect);
            }
        }
        assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
    }
}
