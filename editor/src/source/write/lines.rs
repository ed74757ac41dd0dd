//! Lines of a text and their indentation, for offsets in bytes.

use std::ops::Range;

/// How the text ends its lines: as the first of them does.
#[must_use]
pub fn line_end(text: &str) -> &'static str {
    match text.find('\n') {
        Some(end) if text[..end].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// Where the line of `offset` begins.
#[must_use]
pub fn line_start(text: &str, offset: usize) -> usize {
    text[..offset].rfind(['\n', '\r']).map_or(0, |end| end + 1)
}

/// The white space at the beginning of the line of `offset`.
#[must_use]
pub fn indentation(text: &str, offset: usize) -> &str {
    let start = line_start(text, offset);
    &text[start..blank_after(text, start)]
}

/// Whether nothing but white space stands before `offset` in its line.
#[must_use]
pub fn begins_line(text: &str, offset: usize) -> bool {
    line_start(text, offset) + indentation(text, offset).len() >= offset
}

/// Whether nothing but white space follows `offset` in its line.
#[must_use]
pub fn ends_line(text: &str, offset: usize) -> bool {
    let rest = &text[blank_after(text, offset)..];
    rest.is_empty() || rest.starts_with(['\n', '\r'])
}

/// Whether a range has its lines for itself.
#[must_use]
pub fn stands_alone(text: &str, range: &Range<usize>) -> bool {
    begins_line(text, range.start) && ends_line(text, range.end)
}

/// A range together with its lines when nothing else stands in them: what has to go so that no empty line stays.
#[must_use]
pub fn with_line(text: &str, range: &Range<usize>) -> Range<usize> {
    if !stands_alone(text, range) {
        return range.clone();
    }
    let end = blank_after(text, range.end);
    let ends = ["\r\n", "\n", "\r"];
    let line_end = ends.iter().find(|line_end| text[end..].starts_with(**line_end));
    line_start(text, range.start)..end + line_end.map_or(0, |line_end| line_end.len())
}

/// The end of the spaces and tabs that follow `offset`.
#[must_use]
pub fn blank_after(text: &str, offset: usize) -> usize {
    let rest = &text[offset..];
    offset + (rest.len() - rest.trim_start_matches([' ', '\t']).len())
}

/// One step of indentation where no element shows one: a tab if lines of `text` begin with tabs, else two spaces.
#[must_use]
pub fn usual_step(text: &str) -> &'static str {
    match text.starts_with('\t') || text.contains("\n\t") {
        true => "\t",
        false => "  ",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_goes_with_the_lines_it_has_for_itself() {
        let with_line = |text: &str, what: &str| {
            let start = text.find(what).expect("it stands there");
            let range = with_line(text, &(start..start + what.len()));
            text[range].to_owned()
        };
        assert_eq!(with_line("a\n\t<b/> \r\nc", "<b/>"), "\t<b/> \r\n");
        assert_eq!(with_line("  <b/>\nc", "<b/>"), "  <b/>\n");
        assert_eq!(with_line("<b/>", "<b/>"), "<b/>");
        assert_eq!(with_line("a\n <b/> c\n", "<b/>"), "<b/>");
        assert_eq!(with_line("a\n <b/>", "<b/>"), " <b/>");
    }

    #[test]
    fn a_text_shows_its_usual_step() {
        assert_eq!(usual_step("a\n\tb"), "\t");
        assert_eq!(usual_step("a\n b\tc"), "  ");
        assert_eq!(line_end("a\r\nb\n"), "\r\n");
    }
}
