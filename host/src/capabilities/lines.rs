//! The lines that plugins log.

/// The longest line.
const MAX_LINE: usize = 4 << 10;
/// The most bytes that one call logs, and the most that it prints.
pub(super) const MAX_BYTES: usize = 64 << 10;

/// One line, without control characters that could forge another one, at most [`MAX_LINE`] bytes: the rest is cut off.
pub(super) fn cut(message: &str) -> String {
    let mut line = plain(message.trim_end());
    line.truncate(line.floor_char_boundary(MAX_LINE));
    line
}

/// The lines of a text as one, without control characters, at most [`MAX_LINE`] bytes: what is too long loses its middle, as
/// some languages name an exception in the first line and others in the last. Nothing where nothing was printed.
pub fn joined(text: &str) -> Option<String> {
    /// Between the halves.
    const GAP: &str = " … ";
    let lines: Vec<String> = text.lines().map(|line| plain(line.trim())).collect();
    let lines: Vec<&str> = lines
        .iter()
        .map(|line| line.trim())
        .filter(|line| !line.is_empty())
        .collect();
    let line = lines.join(" | ");
    if line.len() <= MAX_LINE {
        return (!line.is_empty()).then_some(line);
    }
    let half = (MAX_LINE - GAP.len()) / 2;
    let (start, end) = (
        line.floor_char_boundary(half),
        line.ceil_char_boundary(line.len() - half),
    );
    Some(format!("{}{GAP}{}", &line[..start], &line[end..]))
}

fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_line() {
        assert_eq!(cut("a\nERROR forged\x1b[0m\n"), "a ERROR forged [0m");
        assert!(cut(&"é".repeat(MAX_LINE)).len() <= MAX_LINE);
    }

    #[test]
    fn the_lines_of_a_call_are_one() {
        let text = "Traceback:\n  File \"app.py\", line 3\n\nValueError:\x1b no\r\n";
        assert_eq!(
            joined(text).as_deref(),
            Some("Traceback: | File \"app.py\", line 3 | ValueError:  no")
        );
        assert_eq!(joined(" \n\n"), None);
        let long = joined(&format!("first\n{}\nlast", "é\n".repeat(MAX_LINE))).unwrap();
        assert!(long.starts_with("first | é") && long.ends_with("é | last") && long.contains(" … "));
        assert!(long.len() <= MAX_LINE);
    }
}
