//! The text of a page, without its markup.

/// Bytes of a result.
const MAX_RESULT: usize = 32 << 10;
const CUT: &str = "\n[cut here: the page is larger than 32 KB]";
/// Elements whose content nobody reads.
const UNREAD: [&str; 5] = ["script", "style", "noscript", "template", "svg"];
/// Elements that begin a line.
const LINES: [&str; 18] = [
    "p", "div", "br", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "section", "article", "header", "footer",
    "table", "ul",
];

/// Words of HTML, a line for each block.
pub(super) fn text(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    // Only there a line's end is one.
    let mut is_kept = false;
    while let Some(at) = rest.find('<') {
        add(&mut text, &rest[..at], is_kept);
        rest = &rest[at..];
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = comment.find("-->").map_or("", |end| &comment[end + 3..]);
            continue;
        }
        let inside = &rest[1..];
        let name = inside.strip_prefix('/').unwrap_or(inside);
        let length = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len());
        let name = name[..length].to_ascii_lowercase();
        if name.is_empty() && !inside.starts_with(['!', '?', '/']) {
            text.push('<');
            rest = inside;
            continue;
        }
        rest = inside.find('>').map_or("", |end| &inside[end + 1..]);
        if name == "pre" {
            is_kept = !inside.starts_with('/');
        }
        if !inside.starts_with('/') && UNREAD.contains(&name.as_str()) {
            rest = after(rest, &name);
        } else if LINES.contains(&name.as_str()) {
            text.push('\n');
        }
    }
    add(&mut text, rest, is_kept);
    let text = htmlize::unescape(text);
    let lines = text
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

fn add(text: &mut String, piece: &str, is_kept: bool) {
    if is_kept {
        text.push_str(piece);
    } else {
        text.extend(piece.chars().map(|c| if matches!(c, '\n' | '\r') { ' ' } else { c }));
    }
}

/// What follows the end tag of an element.
fn after<'h>(html: &'h str, name: &str) -> &'h str {
    let mut rest = html;
    while let Some(at) = rest.find("</") {
        rest = &rest[at + 2..];
        let is_end = rest
            .get(..name.len())
            .is_some_and(|found| found.eq_ignore_ascii_case(name));
        if is_end {
            return rest.find('>').map_or("", |end| &rest[end + 1..]);
        }
    }
    ""
}

/// A text within its bound; where it is cut it says so.
pub(super) fn bounded(head: &str, text: &str) -> String {
    if head.len() + text.len() <= MAX_RESULT {
        return format!("{head}{text}");
    }
    let room = MAX_RESULT.saturating_sub(head.len() + CUT.len());
    format!("{head}{}{CUT}", &text[..text.floor_char_boundary(room)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_and_markup_goes() {
        let html = "<!doctype html><title>A &amp; B</title><script>var x = '</p>';</script><style>p{}</style>\n\
            <h1 class=\"x\">Head</h1><p>One <b>two</b>\n three<br>four</p><!-- <p>gone --><li>1 < 2</li><svg><text>x</text></svg>";
        assert_eq!(text(html), "A & B\nHead\nOne two three\nfour\n1 < 2");
        assert_eq!(text("<p>a\nb</p><pre>c\nd</pre>e\nf"), "a b\nc\nd\ne f");
        for broken in ["<", "<p", "<script>", "<!--", "a<b", "</"] {
            let _ = text(broken);
        }
    }
}
